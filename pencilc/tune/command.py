"""`pencilc tune`: search the launch parameters of every kernel of a file on this machine's GPU.

Kernels are searched one after the other, the others with the best values known; what is timed is the whole call.  The
cost of a candidate is the geometric mean, over the problems, of its time divided by that of the start values in the
same turns.
"""

from __future__ import annotations

import hashlib
import json
import math
import shlex
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, replace
from pathlib import Path

from pencilc import __version__
from pencilc.diagnostics.source import SourceFile
from pencilc.driver import Compilation, compile_source, with_tuning
from pencilc.ir.shapes import Kernel
from pencilc.options import CompileOptions, TimeLaunch, Tuning
from pencilc.progress import Tell, silent
from pencilc.records import dataclass
from pencilc.tune.file import KernelResult, Problem, TuningFile
from pencilc.tune.model import forest
from pencilc.tune.problems import case_of, makers_beside, problems_of
from pencilc.tune.search import Sample, Search, SearchLimits
from pencilc.tune.space import Candidate, Space, space_of
from pencilc.tune.state import State
from pencilc.tune.workbench import GpuWorkbench, Workbench, build_all, need_gpu
from pencilc.tune.worker import START, Measured
from pencilc.verify.cases import Case
from pencilc.verify.errors import InputsError, ToolMissing

PlaceMaker = Callable[[Path, Sequence[Case], int], Workbench]
LEAST_GAIN = 0.01  # what a search must find to be worth a line in the file


@dataclass(frozen=True, slots=True)
class TuneSettings:
    """What `pencilc tune` was asked for."""

    sizes: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    limits: SearchLimits = field(default_factory=SearchLimits)
    inputs: Path | None = None
    restart: bool = False
    state: Path = Path("pencilc.tuning.partial")
    plain: bool = False  # leave the model out, also where scikit-learn is installed


@dataclass(frozen=True, slots=True)
class Tuned:
    """The result: the file to write, what was found in words, and whether Ctrl-C ended it."""

    file: TuningFile
    summary: str
    interrupted: bool


def spaces_of(done: Compilation) -> tuple[Space, ...]:
    """What is searched, kernel by kernel; kernels of which nothing can be changed are left out."""
    found = []
    for program in done.programs:
        if program.scop.region.outlined:
            continue
        in_time = {name: loop.tiling.launch for name, loop in program.loops().items() if loop.tiling is not None}
        for kernel in program.tunable():
            found.append(_space(done, kernel, in_time.get(kernel.name)))
    return tuple(space for space in found if space.size > 1)


def _space(done: Compilation, kernel: Kernel, in_time: TimeLaunch | None) -> Space:
    def text_with(changes: Candidate) -> str:
        return with_tuning(done, Tuning(((kernel.name, changes),)))

    return space_of(kernel, done.options.target, text_with, in_time)


def compiled(file: SourceFile, options: CompileOptions) -> Compilation:
    """The file with the start values, whatever an earlier search has found."""
    return compile_source(file, replace(options, tuning=Tuning()))


def plan(file: SourceFile, options: CompileOptions, settings: TuneSettings) -> str:
    """What would be searched, as text; needs no GPU."""
    done = compiled(file, options)
    lines = ["problems"]
    lines += [f"  {problem}" for problem in problems_of(done.parsed, settings.sizes)]
    model = None if settings.plain else forest(settings.limits.seed)
    for space in spaces_of(done):
        search = Search(space, _never, settings.limits, model)
        how = {"exhaustive": "all of them", "model": f"at most {search.planned} by a model",
               "halving": f"{_rounds_of(search)} by successive halving"}[search.strategy]  # fmt: skip
        lines.append(f"{space.kernel} ({space.shape}): {space.size} candidates, {how}")
        start = dict(space.start)
        for name, values in space.values:
            shown = " ".join(f"[{v}]" if v == start[name] else str(v) for v in values)
            lines.append(f"  {name:20} {shown}")
    if len(lines) == 1 + len(problems_of(done.parsed, settings.sizes)):
        lines.append("no kernel has anything to choose")
    return "".join(f"{line}\n" for line in lines) + "[n] is the start value\n"


def _rounds_of(search: Search) -> str:
    return f"{min(search.planned, search.space.size)} measurements"


def _never(candidates: Sequence[Candidate], samples: int) -> Sequence[Sample]:
    raise AssertionError("a plan measures nothing")


def tune(
    file: SourceFile,
    options: CompileOptions,
    settings: TuneSettings,
    say: Callable[[str], None],
    workbench_maker: PlaceMaker | None = None,
    tell: Tell = silent,
) -> Tuned:
    """Search; `say` is given what is to stay, `tell` what is being done at present.

    Raises ToolMissing without a GPU or nvcc, InputsError, and what the compiler raises.
    """
    if workbench_maker is None:
        need_gpu()
        workbench_maker = GpuWorkbench
    done = compiled(file, options)
    problems = problems_of(done.parsed, settings.sizes)
    spaces = spaces_of(done)
    if not spaces:
        raise InputsError(f"'{file.path}' has no kernel with anything to choose")
    makers = makers_beside(file.path, settings.inputs)
    seed, allow_tf32 = settings.limits.seed, options.allow_tf32
    cases = [case_of(done.parsed, problem, makers, seed, allow_tf32) for problem in problems]
    with tempfile.TemporaryDirectory(prefix="pencilc-tune-") as name:
        workbench = workbench_maker(Path(name), cases, seed)
        return _Tuner(done, problems, spaces, workbench, settings, say, tell).run()


class _Tuner:
    """One run of the command."""

    def __init__(
        self, done: Compilation, problems: tuple[Problem, ...], spaces: tuple[Space, ...], workbench: Workbench,
        settings: TuneSettings, say: Callable[[str], None], tell: Tell,
    ) -> None:  # fmt: skip
        self.done, self.problems, self.spaces, self.workbench = done, problems, spaces, workbench
        self.settings, self.say, self.tell = settings, say, tell
        self.chosen: dict[str, Candidate] = {}  # what differs from the start values, by kernel
        self.gpu = dict(workbench.gpu())
        self.state = State.open(settings.state, self._identity(), settings.restart)

    def _identity(self) -> str:
        """Changes when kept samples no longer mean the same."""
        limits = self.settings.limits
        parts = [
            __version__, self.done.cuda, json.dumps(self.gpu), [str(p) for p in self.problems], limits.samples,
            limits.budget, limits.exhaustive, limits.seed, self.settings.plain, [str(s) for s in self.spaces],
        ]  # fmt: skip
        return hashlib.sha256(repr(parts).encode()).hexdigest()[:32]

    def run(self) -> Tuned:
        """Search kernel by kernel, then compare with the start values once more."""
        if self.state.size:
            self.say(f"resuming: {self.state.size} measurements are known\n")
        interrupted = False
        for space in self.spaces:
            search = self._search(space)
            best = search.run()
            if changed := space.changed(best):
                self.chosen[space.kernel] = changed
            interrupted = search.interrupted
            if interrupted:
                self.say(f"\ninterrupted at {space.kernel}: the best so far is kept; run it again to go on\n")
                break
        return self._finished(interrupted)

    def _search(self, space: Space) -> Search:
        model = None if self.settings.plain else forest(self.settings.limits.seed)
        return Search(
            space, lambda candidates, samples: self._measure(space, candidates, samples), self.settings.limits, model,
            self._progress, self.state.known.get(space.kernel, {}),
            lambda candidate, samples, sample: self.state.keep(space.kernel, candidate, samples, sample),
        )  # fmt: skip

    def _progress(self, search: Search) -> None:
        best, cost = search.best()
        shown = " ".join(f"{n}={v}" for n, v in search.space.changed(best)) or "the start values"
        gain = "nothing runs" if math.isinf(cost) else f"{100 * cost:.1f}% of the start's time: {shown}"
        planned = max(search.planned, search.asked)
        self.say(f"{search.space.kernel}: {search.strategy}, {search.asked} of {planned}, best {gain}\n")

    # ---- measuring

    def _text(self, kernel: str, changed: Candidate) -> str:
        others = {k: c for k, c in self.chosen.items() if k != kernel}
        return with_tuning(self.done, Tuning(tuple({**others, kernel: changed}.items())))

    def _measure(self, space: Space, candidates: Sequence[Candidate], samples: int) -> list[Sample]:
        """Costs relative to the start values of this kernel."""
        texts = [self._text(space.kernel, ()), *(self._text(space.kernel, space.changed(c)) for c in candidates)]
        built = build_all(self.workbench, texts, lambda text: self.tell(f"{space.kernel}: {text}"))
        start = built[START]
        if isinstance(start, str):
            raise ToolMissing(f"the generated file cannot be built: {start}")
        built = built[1:]
        self.tell(f"{space.kernel}: measuring {len(candidates)} candidates")
        first, *rest = self.workbench.measure([start, *(path for path in built if isinstance(path, Path))], samples)
        answers = iter(rest)
        return [Sample(math.inf, 0.0, one) if isinstance(one, str) else _sample(first, next(answers)) for one in built]

    def _finished(self, interrupted: bool) -> Tuned:
        """Both ends once more in turns; what is no better than the start values by the spread is given up."""
        results, summary = [], []
        if self.chosen:
            texts = [self.done.cuda, with_tuning(self.done, Tuning(tuple(self.chosen.items())))]
            self.tell("comparing the best with the start values once more")
            libraries = [path for path in build_all(self.workbench, texts) if isinstance(path, Path)]
            start, best = self.workbench.measure(libraries, self.settings.limits.samples)
            if _is_better(start, best):
                results = [self._result(kernel, changed, start, best) for kernel, changed in self.chosen.items()]
                summary = self._compared(start, best)
        if not interrupted:
            self.state.forget()
        text = "".join(f"{line}\n" for line in summary) or "nothing is faster than the start values\n"
        name = Path(self.done.file.path).name
        file = TuningFile(__version__, name, tuple(self.gpu.items()), self.problems, tuple(results))
        return Tuned(file, text, interrupted)

    @staticmethod
    def _result(kernel: str, changed: Candidate, start: Measured, best: Measured) -> KernelResult:
        return KernelResult(
            kernel, changed, tuple(1e6 * t.median for t in start.timings), tuple(1e6 * t.median for t in best.timings),
            tuple(max(s.spread, b.spread) for s, b in zip(start.timings, best.timings, strict=True)),
        )  # fmt: skip

    def _compared(self, start: Measured, best: Measured) -> list[str]:
        lines = []
        for problem, before, after in zip(self.problems, start.timings, best.timings, strict=True):
            lines.append(
                f"{problem}: {1e6 * before.median:.2f} us [{1e6 * before.p10:.2f}, {1e6 * before.p90:.2f}] became "
                f"{1e6 * after.median:.2f} us [{1e6 * after.p10:.2f}, {1e6 * after.p90:.2f}]"
            )
        return lines


def next_step(tuned: Tuned, name: str, target: Path, is_found: bool) -> str:
    """What there is to do behind a search whose results stand in `target`, which is found without being named or not.

    `name` is what a shell is given for the source, options included.
    """
    kept = shlex.quote(str(target))
    if tuned.interrupted:
        return f"the same command goes on where it stopped; what it found so far stands in {kept}"
    if not tuned.file.kernels:
        return f"other --sizes or a larger --budget may find more; `pencilc {name}` takes the start values"
    word = "" if is_found else f" --tuning {kept}"
    return f"`pencilc {name}{word}` takes what was found; keep {kept} with the source"


def _sample(start: Measured, candidate: Measured) -> Sample:
    """The cost of a candidate beside the start values of the same turns."""
    if candidate.reason:
        return Sample(math.inf, 0.0, candidate.reason)
    ratios = [c.median / s.median for s, c in zip(start.timings, candidate.timings, strict=True)]
    mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
    return Sample(mean, max(t.spread for t in candidate.timings))


def _is_better(start: Measured, best: Measured) -> bool:
    """Whether the gain is worth it, and no problem got slower than its spread explains."""
    if best.reason or _sample(start, best).cost > 1 - LEAST_GAIN:
        return False
    return all(b.median <= s.p90 for s, b in zip(start.timings, best.timings, strict=True))
