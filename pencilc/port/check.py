"""Run the program as it was and as it is now: both have to leave the same bytes behind.

Each function is called as its callers call it, in both texts, with what `pencilc verify` makes for the function that is
compiled now.  Its parameters say how large arrays are, so that an access outside of them ends the call.
"""

from __future__ import annotations

import pickle
import re
import tempfile
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import field, replace
from pathlib import Path

from pencilc.diagnostics.source import SourceFile
from pencilc.driver import compile_source
from pencilc.ir.source import Region, TranslationUnit
from pencilc.options import CompileOptions
from pencilc.port.find import FunctionText, definition, text_of
from pencilc.port.globals import Handed
from pencilc.port.pointers import Flattened
from pencilc.port.text import Parsed
from pencilc.records import dataclass
from pencilc.verify import sanitizers
from pencilc.verify.cases import Argument, Case, ChildCall, Outcome
from pencilc.verify.compare import compare
from pencilc.verify.errors import BuildFailed
from pencilc.verify.facts import gather
from pencilc.verify.inputs import NoInputs, make_case
from pencilc.verify.reference import ReferenceFailure, run_reference
from pencilc.verify.sequential import build_library, build_program, pointer_name, run_program
from pencilc.verify.sizes import SizeLimits, choices

# Both programs run on one processor, with the sanitizers: sizes are kept small.
_LIMITS = SizeLimits(elements=2**17, iterations=2**20)
_TIMEOUT_S = 20.0  # of a call, and of a whole program
_MOST_HANGING = 2  # sizes for which the program as it was takes longer


@dataclass(frozen=True, slots=True)
class Checked:
    """A ported function: its old name, the new one, the structs of which the new one takes the members, and globals.

    `asked` has of each pointer that may be NULL the new parameter that says whether it is there, `strings` of each
    string the one that says how long it is.
    """

    name: str
    new_name: str
    flattened: tuple[Flattened, ...] = ()
    handed: tuple[Handed, ...] = ()
    asked: Mapping[str, str] = field(default_factory=dict)
    strings: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What running a function has shown: `calls` that gave the same, and why it is not the same if it is not.

    Where the program as it was goes wrong, `is_of_before` says so, and `zeros` are the sizes that were 0 then.
    `breaks_promise`: the program calls it where something that is promised does not hold.
    """

    name: str
    calls: int
    difference: str = ""
    zeros: tuple[str, ...] = ()
    is_of_before: bool = False
    breaks_promise: bool = False


def run_both(
    before: Parsed, after: Parsed, functions: Sequence[Checked], options: CompileOptions,
    sizes: Mapping[str, tuple[int, ...]],
) -> list[Verdict]:  # fmt: skip
    """Run every function in both texts, with `sizes` for those integer parameters that they name.

    Raises ToolMissing, and BuildFailed where one of them is no C.
    """
    done = compile_source(after.file, options, "source")
    regions = {region.function: region for region in done.parsed.regions if not region.outlined}
    chosen = [each for each in functions if each.new_name in regions]
    shims = "".join(_shim(after, each) for each in chosen) + _elsewhere(before)
    names = [_shim_name(each) for each in chosen]
    with tempfile.TemporaryDirectory(prefix="pencilc-port-") as name:
        libraries = []
        for what, parsed in (("before", before), ("after", after)):
            folder = Path(name) / what
            folder.mkdir()
            file = SourceFile(parsed.file.path, f"{parsed.text}\n{shims}")
            libraries.append(build_library(file, names, options, folder))
        return [
            _compared(libraries, regions[each.new_name], done.parsed, each, Path(name), sizes) for each in chosen
        ]  # fmt: skip


def _shim_name(function: Checked) -> str:
    return f"pencilc_port_{function.name}"


def _shim(after: Parsed, function: Checked) -> str:
    """C text of a function with the new parameters that calls the one with the old parameters."""
    new = text_of(after, definition(after, function.new_name))
    old = text_of(after, definition(after, function.name))
    returns = _returned_type(after, old)
    lines: list[str] = []
    behind: list[str] = []
    arguments: list[str] = []
    flattened = {each.parameter: each for each in function.flattened}
    given = {parameter.name for parameter in new.parameters}
    for parameter in old.parameters:
        flat = flattened.get(parameter.name)
        if flat is None:
            # A pointer that is not used is no parameter any more.
            argument = parameter.name if parameter.name in given else "0"
            has = function.asked.get(parameter.name, "")
            arguments.append(f"({has} ? {argument} : 0)" if has else argument)
            continue
        if flat.is_number:
            arguments.append(f"&{parameter.name}")
            continue
        ctype = re.sub(r"\b(const|restrict)\b|\*", " ", after.slice(parameter.first, parameter.last))
        ctype = re.sub(rf"\b{parameter.name}\b\s*(\[[^\]]*\])?", " ", ctype).strip()
        inside = [(m, n) for m, n in flat.members if n in given and type(m.type).__name__ == "ArrayDecl"]
        members = ", ".join(f".{m.name} = (void *){n}" if n in _arrays(new) else f".{m.name} = {n}"
                            for m, n in flat.members if n in given and (m, n) not in inside)  # fmt: skip
        lines.append(f"    {ctype} {parameter.name} = {{{members or '0'}}};")
        for member, name in inside:
            whole = f"{parameter.name}.{member.name}"
            lines.append(f"    __builtin_memcpy({whole}, {name}, sizeof {whole});")
            behind.append(f"    __builtin_memcpy((void *){name}, {whole}, sizeof {whole});")
        arguments.append(f"&{parameter.name}" if flat.by_pointer else parameter.name)
    around = ""
    for each in function.handed:
        # The parameter hides the global.
        place = f"pencilc_port_{function.name}_{each.name}"
        around += f"static void *{place}(void) {{ return (void *)&{each.name}; }}\n"
        around += f"static __typeof__(sizeof 0) {place}_size(void) {{ return sizeof {each.name}; }}\n"
        is_whole = each.name in _arrays(new) and type(each.type).__name__ != "PtrDecl"
        value = each.name if is_whole else f"&{each.name}"
        lines.append(f"    __builtin_memcpy({place}(), {value}, {place}_size());")
        if is_whole and not _is_const(new, each.name):
            behind.append(f"    __builtin_memcpy({each.name}, {place}(), {place}_size());")
    called = function.name
    if any(parameter.name == called for parameter in new.parameters):
        # A parameter hides the function.
        called = f"pencilc_port_call_{function.name}"
        around += f"static __typeof__({function.name}) *const {called} = {function.name};\n"
    call = f"{called}({', '.join(arguments)});"
    parameters = after.slice(new.opening, new.closing)
    lines.append(f"    {'' if returns == 'void' else f'{returns} pencilc_result = '}{call}")
    lines += behind
    lines += [] if returns == "void" else ["    return pencilc_result;"]
    return f"{around}static {returns} {_shim_name(function)}{parameters}\n{{\n" + "\n".join(lines) + "\n}\n"


def _elsewhere(parsed: Parsed) -> str:
    """Weak declarations of what the user's other files define, so that this one can be loaded alone."""
    declared: dict[str, None] = {}
    defined: set[str] = set()
    for node in parsed.tree.ext:
        kind = type(node).__name__
        if kind == "FuncDef":
            defined.add(node.decl.name)
        elif kind == "Decl" and node.name and not parsed.span(node).path.startswith("<pencilc>/"):
            is_function = type(node.type).__name__ == "FuncDecl"
            if (is_function and "static" not in node.storage) or ("extern" in node.storage and node.init is None):
                declared[node.name] = None
            else:
                defined.add(node.name)
    names = [name for name in declared if name not in defined]
    return "".join(f"extern __typeof__({name}) {name} __attribute__((weak));\n" for name in names)


def _is_const(function: FunctionText, name: str) -> bool:
    """Whether a function only reads the array that it is handed."""
    inner = next(p.node.type for p in function.parameters if p.name == name)
    while type(inner).__name__ in ("ArrayDecl", "PtrDecl"):
        inner = inner.type
    return "const" in (inner.quals or ())


def _arrays(function: FunctionText) -> set[str]:
    return {p.name for p in function.parameters if type(p.node.type).__name__ in ("ArrayDecl", "PtrDecl")}


def _returned_type(parsed: Parsed, function: FunctionText) -> str:
    words = parsed.slice(function.start, function.name_at - 1)
    return re.sub(r"\b(static|inline|extern)\b", " ", words).strip()


def _cases(
    region: Region, unit: TranslationUnit, sizes: Mapping[str, tuple[int, ...]], strings: Collection[str]
) -> Iterator[Case]:
    functions = {f.name: f for f in unit.functions}
    facts = gather(region, functions)
    own = {name: sizes[name] for name in (*facts.extents, *facts.bounds, *facts.others) if name in sizes}
    for choice in choices(region, functions, facts, own, _LIMITS):
        for kind in () if choice.skip else ("integers", "reals"):
            try:
                yield _with_ends(make_case(region, functions, facts, choice, kind, 0), strings)
            except NoInputs:
                continue


def _with_ends(case: Case, strings: Collection[str]) -> Case:
    """The call with a 0 at the end of each string, and nowhere else in it."""
    made: list[Argument] = []
    for argument in case.arguments:
        if argument.name in strings and argument.data:
            other = max(argument.data) or 1
            argument = replace(argument, data=bytes(each or other for each in argument.data[:-1]) + b"\0")
        made.append(argument)
    return replace(case, arguments=tuple(made))


def _called(
    library: Path, function: Checked, cases: Sequence[Case]
) -> tuple[tuple[ChildCall, ...], dict[int, ReferenceFailure]]:
    """Calls of a function in one of the programs, and what went wrong, the first fault and none behind it."""
    calls = []
    for number, case in enumerate(cases):
        path = library.parent / f"{function.name}-{number}"
        path.write_bytes(pickle.dumps(case))
        calls.append(
            ChildCall(
                path, path.with_suffix(".outcome"), path.with_suffix(".stderr"), "host",
                pointer_name(_shim_name(function)), is_pointer=True,
            )
        )  # fmt: skip
    progress = library.parent / f"{function.name}.progress"
    watched = sanitizers.preload() is not None
    return tuple(calls), run_reference(library, tuple(calls), progress, _TIMEOUT_S, watched, every_fault=False)


def _compared(
    libraries: Sequence[Path], region: Region, unit: TranslationUnit, function: Checked, folder: Path,
    given: Mapping[str, tuple[int, ...]],
) -> Verdict:  # fmt: skip
    cases = list(_cases(region, unit, given, function.strings))
    calls_before, failed_before = _called(libraries[0], function, cases)
    for _ in range(_MOST_HANGING):
        hanging = {cases[number].sizes for number, failure in failed_before.items() if failure.hangs}
        remaining = [case for case in cases if case.sizes not in hanging]
        if not hanging or not remaining:
            break
        # What takes the program as it was too long says nothing about the change; the calls behind it have not run.
        cases = remaining
        calls_before, failed_before = _called(libraries[0], function, cases)
    calls_after, failed_after = _called(libraries[1], function, cases)
    same = 0
    for number, case in enumerate(cases):
        sizes = ", ".join(f"{name}={value}" for name, value in case.sizes)
        first, second = failed_before.get(number), failed_after.get(number)
        if first is not None or second is not None:
            failure = first or second
            assert failure is not None
            whose = "" if first is not None else "after the change "
            zeros = tuple(name for name, value in case.sizes if value == 0) if first is not None else ()
            return Verdict(function.name, same, f"{whose}with {sizes}: {failure.message}", zeros, first is not None)
        want: Outcome = pickle.loads(calls_before[number].outcome.read_bytes())
        have: Outcome = pickle.loads(calls_after[number].outcome.read_bytes())
        if want.buffers != have.buffers or want.returned != have.returned:
            found = compare(case, want, have, tolerance=0.0)
            if found.wrong:
                return Verdict(function.name, same, f"with {sizes}: {found.first[0]}")
        same += 1
    return Verdict(function.name, same)


# ---- whole programs ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ProgramVerdict:
    """What running the whole program before and after the change has shown."""

    is_same: bool
    told: str


def run_programs(before: SourceFile, after: SourceFile, options: CompileOptions) -> ProgramVerdict:
    """Build and run both programs, that before the change twice: some print something else each time."""
    with tempfile.TemporaryDirectory(prefix="pencilc-port-") as name:
        printed: list[tuple[int, bytes] | None] = []
        for what, file, runs in (("before", before, 2), ("after", after, 1)):
            folder = Path(name) / what
            folder.mkdir()
            try:
                program = build_program(file, options, folder)
            except BuildFailed as error:
                if what == "before":
                    told = "the program cannot be linked without its other files: run it before and after the change"
                    return ProgramVerdict(True, told)
                return ProgramVerdict(False, f"the whole program cannot be built any more: {error}")
            printed += [_printed(program, folder) for _ in range(runs)]
    if printed[0] is None or printed[0] != printed[1]:
        return ProgramVerdict(True, "the program does not print the same twice: run it before and after the change")
    if printed[0] == printed[2]:
        return ProgramVerdict(True, "the whole program prints the same")
    return ProgramVerdict(False, "the whole program prints something else, or ends with another status")


def _printed(program: Path, folder: Path) -> tuple[int, bytes] | None:
    """The status and the output of a program; None if it goes on for too long."""
    done = run_program(program, folder, _TIMEOUT_S)
    return None if done is None else (done.returncode, done.stdout)
