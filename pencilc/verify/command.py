"""`pencilc verify`: run the generated CUDA against the sequential C and compare."""

from __future__ import annotations

import os
import pickle
import re
import tempfile
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import field, replace
from pathlib import Path
from threading import Lock
from typing import Literal

from pencilc.diagnostics.source import SourceFile
from pencilc.driver import compile_source
from pencilc.ir import source as ast
from pencilc.options import CompileOptions
from pencilc.progress import Tell, silent
from pencilc.records import dataclass
from pencilc.target import DEFAULT, Target
from pencilc.verify.cases import Case, ChildCall, DataKind, EntryKind, Job, Outcome, Variation
from pencilc.verify.children import TOO_MANY, run_job
from pencilc.verify.compare import compare
from pencilc.verify.errors import InputsError
from pencilc.verify.executors import CpuExecutor, Executor, GpuExecutor, Mode
from pencilc.verify.facts import gather
from pencilc.verify.forms import LoopForm, forms_of
from pencilc.verify.inputs import Maker, NoInputs, check_makers, doubts, load_makers, make_case, meant
from pencilc.verify.killed import READS_KILLED, KilledValues, Undefined
from pencilc.verify.overflows import Overflows
from pencilc.verify.program import ProgramRun, compare_programs
from pencilc.verify.reference import run_reference
from pencilc.verify.report import ReportRow, Status, VerifyReport, size_text
from pencilc.verify.sanitizers import preload
from pencilc.verify.sequential import build_library, pointer_name
from pencilc.verify.sizes import Choice, SizeLimits, choices, combinations
from pencilc.verify.traffic import Traffic, parse
from pencilc.verify.unset import READS_UNSET, UnsetReads
from pencilc.verify.variants import Variants

# Calls with more iterations than this run in the first thread order only: the executor is slow.
_ONE_ORDER_WORK = 2**18
_NOT_FOR_EXTREMES = "{}; data at the ends of their types are not for this program"
_NOT_FOR_THESE = "{}; these data are not for this program"


@dataclass(frozen=True, slots=True)
class VerifySettings:
    """What `pencilc verify` was asked for; `sizes` maps a parameter (`n`, `conf.radius`) to its values.

    `traffic` needs mode `check` on the CPU.  `forms`: loops on the host are tried in each of their forms.
    """

    sizes: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    on: Literal["cpu", "gpu"] = "cpu"
    orders: tuple[str, ...] = ("fwd", "rev", "rand:7")
    seed: int = 0
    inputs: Path | None = None
    mode: Mode = "check"
    tolerance: float | None = None
    timeout_s: float = 60.0
    traffic: bool = False
    forms: bool = True
    limits: SizeLimits = field(default_factory=SizeLimits)


@dataclass(frozen=True, slots=True)
class Generated:
    """What a compilation made: the typed source, the `.cu` text, and the host file if there is one.

    `forms`: the same `.cu` text where loops on the host have one form whatever their sizes.
    """

    unit: ast.TranslationUnit
    cuda: str
    host: str | None
    forms: tuple[LoopForm, ...] = ()


@dataclass(frozen=True, slots=True)
class _Planned:
    """A case on disk with its sequential outcome, and what a row shows of it."""

    number: int
    case: Path
    expected: Path
    function: str
    symbol: str
    sequential: str
    sizes: tuple[tuple[str, int], ...]
    kind: DataKind
    work: float
    doubts: tuple[str, ...]


def verify(file: SourceFile, options: CompileOptions, settings: VerifySettings, tell: Tell = silent) -> VerifyReport:
    """Compile `file` and verify it; `<stem>.inputs.py` beside it makes the inputs if it exists.

    `tell` is told what is being done.
    Raises what the compiler raises, `ToolMissing`, `BuildFailed`, `InputsError`.
    """
    executor = executor_for(settings, options.target)
    beside = Path(file.path).with_suffix(".inputs.py")
    if settings.inputs is None and beside.is_file():
        settings = replace(settings, inputs=beside)
    done = compile_source(file, options)
    return verify_generated(
        Generated(done.parsed, done.cuda, done.host, forms_of(done) if settings.forms else ()),
        done.options,  # with the functions that are left to the host
        settings,
        executor,
        tell,
    )


def executor_for(settings: VerifySettings, target: Target = DEFAULT) -> Executor:
    """The place to run that the settings name; on the CPU it is the GPU that is compiled for."""
    return GpuExecutor() if settings.on == "gpu" else CpuExecutor(settings.orders, settings.mode, target)


def verify_generated(
    generated: Generated, options: CompileOptions, settings: VerifySettings, executor: Executor, tell: Tell = silent
) -> VerifyReport:
    """Verify CUDA text that is already there."""
    regions = tuple(region for region in generated.unit.regions if not region.outlined)
    check_sizes(regions, settings.sizes)
    with tempfile.TemporaryDirectory(prefix="pencilc-verify-") as name:
        session = _Session(generated, options, settings, executor, Path(name), tell)
        rows = [*session.function_rows(regions), *session.program_rows()]
        traffic = tuple(session.traffic)
    notes = [f"the seed is {settings.seed}"]
    notes += [f"the traffic of {name} was not counted: {why}" for name, why in session.uncounted.items()]
    notes += [note for region in regions if (note := tried_in_turn(region, generated.unit, settings.sizes))]
    for name, why in session.without_extremes.items():
        notes.append(f"'{name}' was not run with data at the ends of their types: {why}")
    for name, why in session.variants.missing.items():
        notes.append(f"what rounding is worth was found without the sequential program {name}: {why}")
    for name in sorted(session.killed.elsewhere):
        notes.append(f"`{name}` was not compared where it differs: a macro or another file kills it")
    if session.killed.missing:
        notes.append(
            f"what is killed was compared too: its sequential program does not compile: {session.killed.missing}"
        )
    inside = [region for region in generated.unit.regions if region.outlined]
    if inside and generated.unit.has_main:
        notes.append("regions of host functions are verified through the whole program's output only")
    elif inside:
        names = ", ".join(dict.fromkeys(f"`{region.function}`" for region in inside))
        notes.append(f"not verified: {names}, whose regions are parts of host functions in a file without `main`")
    if preload() is None:
        notes.append("the sequential program ran without gcc's sanitizers, which do not work here")
    if any(row.status == "fault" and row.kind in ("integers", "reals") for row in rows):
        notes.append("these inputs were made by verify; where the program needs others, --inputs FILE.py gives them")
    return VerifyReport(tuple(rows), tuple(notes), traffic)


def measure_traffic(
    generated: Generated, options: CompileOptions, settings: VerifySettings, executor: Executor
) -> tuple[Traffic, ...]:
    """The traffic of every function at every size, without a comparison of what it computes."""
    regions = tuple(region for region in generated.unit.regions if not region.outlined)
    with tempfile.TemporaryDirectory(prefix="pencilc-traffic-") as name:
        session = _Session(generated, options, settings, executor, Path(name))
        return tuple(session.measured(regions))


def check_sizes(regions: tuple[ast.Region, ...], sizes: Mapping[str, tuple[int, ...]]) -> None:
    """Raise InputsError for a size that is no integer parameter of an entry function."""
    known = {name for region in regions for name in _size_names(region)}
    for name in sizes:
        if name not in known:
            said = f"--sizes names '{name}', which is no integer parameter of an entry function"
            raise InputsError(said + meant(name, sorted(known)))


def tried_in_turn(region: ast.Region, unit: ast.TranslationUnit, sizes: Mapping[str, tuple[int, ...]]) -> str:
    """Which parameters do not meet every combination of the `sizes` that were asked for; empty if all do."""
    facts = gather(region, {f.name: f for f in unit.functions})
    free = [name for name in (*facts.extents, *facts.bounds) if name not in sizes]
    made, whole = len(combinations(facts, sizes)), combinations(facts, sizes, most=None)
    if made == len(whole):
        return ""
    asked = " ".join(f"--sizes {name}=..." for name in free)
    return f"of {len(whole)} choices of sizes of '{region.function}' {made} are run: {asked} decides which"


def _size_names(region: ast.Region) -> tuple[str, ...]:
    facts = gather(region, {})
    return (*facts.extents, *facts.bounds, *facts.others)


class _Session:
    """One verification in its temporary folder."""

    def __init__(
        self,
        generated: Generated,
        options: CompileOptions,
        settings: VerifySettings,
        executor: Executor,
        folder: Path,
        tell: Tell = silent,
    ) -> None:
        self.generated = generated
        self.options = options
        self.settings = settings
        self.executor = executor
        self.folder = folder
        self.tell = tell
        self.functions = {f.name: f for f in generated.unit.functions}
        self.makers: Mapping[str, Maker] = {}
        if settings.inputs is not None:
            self.makers = load_makers(settings.inputs)
            check_makers(self.makers, (r.function for r in generated.unit.regions if not r.outlined), settings.inputs)
        self.sequential = Path()
        entries = [region for region in generated.unit.regions if not region.outlined]
        self.unset = UnsetReads(generated.unit.file, (region.function for region in entries), options, folder)
        self.reads_unset: dict[int, bool] = {}
        self.killed = KilledValues(generated.unit.file, (region.function for region in entries), options, folder)
        self.undefined: dict[int, Undefined | None] = {}
        self.overflows = Overflows(generated.unit.file, (region.function for region in entries), options, folder)
        self.overflowing: dict[int, str] = {}
        self.without_extremes: dict[str, str] = {}
        self.variants = Variants(generated.unit.file, entries, options, folder)
        self.variations: dict[int, tuple[Variation, ...]] = {}
        self.one_at_a_time = Lock()
        self.traffic: list[Traffic] = []
        self.uncounted: dict[str, str] = {}  # call -> why its traffic could not be counted

    # ---- functions ----

    def function_rows(self, regions: tuple[ast.Region, ...]) -> list[ReportRow]:
        """Plan, run the sequential code, run the generated code in every order, compare."""
        if not regions:
            return []
        with ThreadPoolExecutor(2) as pool:
            self.tell("building the sequential program and the generated one")
            cuda = pool.submit(self._build_cuda, self.generated.cuda, "generated")
            forms = {
                form.name: pool.submit(self._build_cuda, form.cuda, f"form{number}")
                for number, form in enumerate(self.generated.forms)
            }
            names = [region.function for region in regions]
            self.sequential = build_library(self.generated.unit.file, names, self.options, self.folder)
            rows, planned = self._plan(regions)
            calls = tuple(self._sequential_call(plan) for plan in planned)
            progress = self.folder / "sequential.progress"
            failures = run_reference(
                self.sequential,
                calls,
                progress,
                self.settings.timeout_s,
                watched=preload() is not None,
                tell_made=lambda made: self.tell(f"the sequential program: {made} of {len(calls)} calls"),
            )
            self.tell("building the generated program")
            library = cuda.result()
            of_forms = {name: built.result() for name, built in forms.items()}
        for plan in planned:
            if plan.number in failures:
                failure = failures[plan.number]
                if plan.kind == "extremes":
                    rows.append(_row(plan, "-", "-", "skipped", messages=(_NOT_FOR_EXTREMES.format(failure.message),)))
                else:
                    rows.append(_row(plan, "-", "-", failure.status, messages=(failure.message, *plan.doubts)))
        alive = [plan for plan in planned if plan.number not in failures]
        workers = min(len(self.executor.orders), os.cpu_count() or 1)
        with ThreadPoolExecutor(workers) as pool:
            runs = [(library, order, "") for order in self.executor.orders]
            runs += [(built, order, form) for form, built in of_forms.items() for order in self.executor.orders]
            for found in pool.map(lambda run: self._run_order(run[0], run[1], run[2], alive), runs):
                rows += found
        if self.settings.traffic:
            self.traffic = self._measure(library, alive)
        place = {region.name: k for k, region in enumerate(regions)}
        return sorted(rows, key=lambda row: (place[row.function], row.sizes, row.kind, row.entry != "host"))

    def _build_cuda(self, text: str, name: str) -> Path:
        source, library = self.folder / f"{name}.cu", self.folder / f"{name}.so"
        source.write_text(text)
        self.executor.build(source, library, shared=True)
        return library

    def _plan(self, regions: tuple[ast.Region, ...]) -> tuple[list[ReportRow], list[_Planned]]:
        rows: list[ReportRow] = []
        planned: list[_Planned] = []
        for region in regions:
            for number, case in enumerate(self._cases(region)):
                if isinstance(case, ReportRow):
                    rows.append(case)
                else:
                    path = self.folder / f"case-{region.name}-{number}"
                    path.write_bytes(pickle.dumps(case))
                    planned.append(self._planned(len(planned), region, case, path))
        return rows, planned

    def _planned(self, number: int, region: ast.Region, case: Case, path: Path) -> _Planned:
        return _Planned(
            number, path, path.with_suffix(".expected"), region.name, region.name,
            pointer_name(region.function), case.sizes, case.kind, case.work, case.doubts,
        )  # fmt: skip

    def _cases(self, region: ast.Region) -> Iterator[Case | ReportRow]:
        facts = gather(region, self.functions, self.options.allow_tf32)
        maker = self.makers.get(region.function)
        sizes = {name: values for name, values in self.settings.sizes.items() if name in _size_names(region)}
        for choice in choices(region, self.functions, facts, sizes, self.settings.limits):
            kinds: tuple[DataKind, ...] = ("integers", "reals") if maker is None else ("given",)
            if maker is None and self._takes_extremes(region, choice):
                kinds = (*kinds, "extremes")
            for kind in kinds:
                yield self._case(region, choice, kind, maker)

    def _takes_extremes(self, region: ast.Region, choice: Choice) -> bool:
        """Whether a region ends with any data, and gcc can tell where these make the C program undefined."""
        why = choice.ranges.endless or ("" if preload() else "gcc has no sanitizers here, which tell what is undefined")
        if why:
            self.without_extremes[region.name] = why
        return not why and not choice.skip and choice.ranges.work <= _ONE_ORDER_WORK

    def _case(self, region: ast.Region, choice: Choice, kind: DataKind, maker: Maker | None) -> Case | ReportRow:
        facts = gather(region, self.functions, self.options.allow_tf32)
        reason = choice.skip
        if not reason and choice.ranges.impossible and preload() is None:
            reason = f"{choice.ranges.impossible}, it seems; gcc has no sanitizers here that could tell"
        if not reason:
            try:
                made = make_case(region, self.functions, facts, choice, kind, self.settings.seed, maker)
                return made if maker is None else replace(made, doubts=doubts(made, choice.ranges))
            except NoInputs as error:
                reason = str(error)
        return ReportRow(region.name, choice.shown, kind, "-", "-", "skipped", messages=(reason,))

    # ---- running ----

    def _sequential_call(self, plan: _Planned) -> ChildCall:
        messages = plan.case.with_suffix(".seqerr")
        return ChildCall(plan.case, plan.expected, messages, "host", plan.sequential, is_pointer=True)

    def _variations(self, plan: _Planned) -> tuple[Variation, ...]:
        """What the variants of the sequential program leave behind; run once, when a comparison asks."""
        with self.one_at_a_time:
            if plan.number not in self.variations:
                self.variations[plan.number] = self.variants.run(self._sequential_call(plan), self.settings.timeout_s)
            return self.variations[plan.number]

    def _reads_unset(self, plan: _Planned) -> bool:
        """Whether the sequential program's own result is undetermined; found out once, when something is wrong."""
        with self.one_at_a_time:
            if plan.number not in self.reads_unset:
                call = self._sequential_call(plan)
                self.reads_unset[plan.number] = self.unset.matter(call, self.settings.timeout_s)
            return self.reads_unset[plan.number]

    def _undefined(self, plan: _Planned) -> Undefined | None:
        """What the sequential program leaves undefined, for it is killed; found out once, when something differs."""
        with self.one_at_a_time:
            if plan.number not in self.undefined:
                call = self._sequential_call(plan)
                self.undefined[plan.number] = self.killed.of(plan.function, call, self.settings.timeout_s)
            return self.undefined[plan.number]

    def _overflow(self, plan: _Planned) -> str:
        """Where the sequential program overflows; empty where it does not."""
        with self.one_at_a_time:
            if plan.number not in self.overflowing:
                call = self._sequential_call(plan)
                self.overflowing[plan.number] = self.overflows.in_call(call, self.settings.timeout_s)
            return self.overflowing[plan.number]

    def _fault(self, plan: _Planned) -> str:
        """Why the sequential program's own result is nothing to compare with; empty where it is."""
        undefined = self._undefined(plan)
        if undefined is not None and undefined.reads:
            return READS_KILLED.format(name=undefined.reads)
        return READS_UNSET if self._reads_unset(plan) else ""

    def _excused(self, row: ReportRow, plan: _Planned, entry: EntryKind, order: str) -> ReportRow:
        """`row`, or what the sequential program does to make nothing of the comparison.

        What it takes without having set it is its own fault with any data, and may look like an overflow; data at the
        ends of their types are drawn without a thought for overflows, which come first there.
        """
        is_extreme = plan.kind == "extremes"
        fault = "" if is_extreme else self._fault(plan)
        if not fault:
            overflow = self._overflow(plan)
            if overflow:
                said = _NOT_FOR_EXTREMES if is_extreme else _NOT_FOR_THESE
                return _row(plan, entry, order, "skipped", messages=(said.format(overflow),))
            fault = self._fault(plan)
        return _row(plan, entry, order, "fault", messages=(fault,)) if fault else row

    def _run_order(self, library: Path, order: str, form: str, planned: list[_Planned]) -> list[ReportRow]:
        """The calls in one thread order; those into a library whose loops have a `form`, on device pointers alone."""
        first = order == self.executor.orders[0] and not form
        chosen = [plan for plan in planned if first or plan.work <= _ONE_ORDER_WORK]
        entries: tuple[EntryKind, ...] = ("device",) if form else ("host", "device")
        pairs = [(plan, entry) for plan in chosen for entry in entries]
        tag = re.sub(r"\W", "_", f"{order} {form}")
        calls = tuple(self._call(plan, entry, tag) for plan, entry in pairs)
        told = f"threads in order {order}{form and ', loops '}{form}"
        environment = self.executor.environment(order, self.settings.timeout_s)
        job = Job(library, calls, self.folder / f"{tag}.progress", most_launches=self.settings.limits.launches)
        failures = run_job(
            job,
            environment,
            self.settings.timeout_s,
            tell_made=lambda made: self.tell(f"the generated program, {told}: {made} of {len(calls)} calls"),
        )
        self.tell(f"comparing the results of order {order}")
        rows = []
        for number, ((plan, entry), call) in enumerate(zip(pairs, calls, strict=True)):
            row = self._judge(plan, entry, order, call, failures.get(number))
            if row.status in ("differs", "error"):
                row = self._excused(row, plan, entry, order)
            if row.status == "error":
                row = replace(row, messages=(*row.messages, *plan.doubts))
            rows.append(replace(row, form=form))
            call.outcome.unlink(missing_ok=True)
        return rows

    def _call(self, plan: _Planned, entry: EntryKind, tag: str) -> ChildCall:
        """Exact data also serves to try arrays that are aligned to their element only."""
        stem = f"{plan.case.name}-{entry}-{tag}"
        symbol = plan.symbol if entry == "host" else f"{plan.symbol}_device"
        shift = 1 if plan.kind == "integers" else 0
        outcome, messages = self.folder / f"{stem}.outcome", self.folder / f"{stem}.stderr"
        group = f"{plan.function} {size_text(plan.sizes)}"
        return ChildCall(plan.case, outcome, messages, entry, symbol, shift=shift, group=group)

    def measured(self, regions: tuple[ast.Region, ...]) -> list[Traffic]:
        """Plan and count, but compare nothing."""
        return self._measure(self._build_cuda(self.generated.cuda, "generated"), self._plan(regions)[1])

    def _measure(self, library: Path, planned: list[_Planned]) -> list[Traffic]:
        """The traffic of every function at every size, in the first order and with arrays as allocated."""
        chosen = list({(plan.function, plan.sizes): plan for plan in reversed(planned)}.values())[::-1]
        calls = tuple(
            replace(self._call(plan, entry, "traffic"), shift=0, traffic=True)
            for plan in chosen
            for entry in ("device", "host")
        )
        environment = self.executor.environment(self.executor.orders[0], self.settings.timeout_s)
        self.tell("counting the bytes that are moved")
        failures = run_job(
            Job(library, calls, self.folder / "traffic.progress", most_launches=self.settings.limits.launches),
            environment,
            self.settings.timeout_s,
        )
        made = []
        for k, plan in enumerate(chosen):
            if not {2 * k, 2 * k + 1} & failures.keys():
                device, host = (parse(_load(call.outcome).traffic) for call in calls[2 * k : 2 * k + 2])
                made.append(Traffic(plan.function, size_text(plan.sizes), device, host))
            else:
                why = failures.get(2 * k, failures.get(2 * k + 1, ""))
                self.uncounted[f"{plan.function} {size_text(plan.sizes)}"] = why
        return made

    def _judge(self, plan: _Planned, entry: EntryKind, order: str, call: ChildCall, failure: str | None) -> ReportRow:
        if failure is not None and failure.startswith(TOO_MANY):
            return _row(plan, entry, order, "skipped", messages=(failure,))
        if failure is not None:
            return _row(plan, entry, order, "error", messages=(failure,))
        outcome = _load(call.outcome)
        case: Case = pickle.loads(plan.case.read_bytes())
        if len(outcome.buffers) != len(case.arguments):
            return _row(plan, entry, order, "error", outcome.launches, outcome.problems)
        expected = _load(plan.expected)
        is_same = (outcome.buffers, outcome.returned) == (expected.buffers, expected.returned)
        undefined = None if is_same else self._undefined(plan)
        if undefined is not None:
            outcome = undefined.settled(case, expected, outcome)
        found = compare(case, expected, outcome, self.settings.tolerance, lambda: self._variations(plan))
        status: Literal["ok", "differs", "error"] = "differs" if found.wrong else "ok"
        return ReportRow(
            plan.function, plan.sizes, plan.kind, entry, order, "error" if outcome.problems else status,
            found.max_error, outcome.launches, found.wrong, outcome.problems, found.first,
            found.outputs,
        )  # fmt: skip

    # ---- the whole program ----

    def program_rows(self) -> list[ReportRow]:
        """The output of the whole program, where the file has a `main`."""
        if self.generated.host is None or not self.generated.unit.has_main:
            return []
        self.tell("the whole program, sequential and generated")
        runs = compare_programs(
            self.generated.unit.file, self.generated.cuda, self.generated.host, self.options, self.executor,
            orders=self.executor.orders, timeout_s=self.settings.timeout_s, tolerance=self.settings.tolerance,
            most_launches=self.settings.limits.launches,
        )  # fmt: skip
        return [
            ReportRow("main", (), "program", "host", order, _program_status(run), messages=run.messages)
            for order, run in zip(self.executor.orders, runs, strict=True)
        ]


def _program_status(run: ProgramRun) -> Status:
    if run.at_fault or run.is_left_out:
        return "fault" if run.at_fault else "skipped"
    return "ok" if run.same else "differs"


def _load(path: Path) -> Outcome:
    outcome: Outcome = pickle.loads(path.read_bytes())
    return outcome


def _row(
    plan: _Planned,
    entry: str,
    order: str,
    status: Literal["error", "fault", "skipped"],
    launches: int | None = None,
    messages: tuple[str, ...] = (),
) -> ReportRow:
    return ReportRow(plan.function, plan.sizes, plan.kind, entry, order, status, launches=launches, messages=messages)
