"""What is measured: calls of the entry functions with sizes, and inputs for them."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from pathlib import Path

from pencilc.ir import source as ast
from pencilc.ir.source import TranslationUnit, extents
from pencilc.tune.file import Problem
from pencilc.verify.cases import Case
from pencilc.verify.errors import InputsError
from pencilc.verify.facts import Facts, gather
from pencilc.verify.inputs import Maker, NoInputs, load_makers, make_case
from pencilc.verify.sizes import choose, total_elements

# Without --sizes the arrays of a function have about so many elements: more than any second-level cache holds.
DEFAULT_ELEMENTS = 2**24
MOST_PROBLEMS = 8
_PERIOD = 2**16


def problems_of(unit: TranslationUnit, sizes: Mapping[str, Sequence[int]]) -> tuple[Problem, ...]:
    """The calls to measure: all combinations of the given sizes; raises InputsError.

    Extents that were not given share the default number of elements; other integers are chosen as `verify` does.
    """
    functions = {f.name: f for f in unit.functions}
    regions = [region for region in unit.regions if not region.outlined]
    facts = {region.name: gather(region, functions) for region in regions}
    known = {name for f in facts.values() for name in _names(f)}
    for name in sizes:
        if name not in known:
            raise InputsError(f"--sizes names '{name}', which is no integer parameter of an entry function")
    found = [p for region in regions for p in _of_region(region, functions, facts[region.name], sizes)]
    if len(found) > MOST_PROBLEMS * max(1, len(regions)):
        raise InputsError(f"--sizes gives {len(found)} combinations; at most {MOST_PROBLEMS} of each function")
    return tuple(found)


def _names(facts: Facts) -> tuple[str, ...]:
    return (*facts.extents, *facts.bounds, *facts.others)


def _of_region(
    region: ast.Region, functions: dict[str, ast.Function], facts: Facts, sizes: Mapping[str, Sequence[int]]
) -> list[Problem]:
    given = {name: tuple(sizes[name]) for name in _names(facts) if name in sizes}
    rank = max(1, max((len(_extents(p)) for p in region.params), default=1))
    side = round(DEFAULT_ELEMENTS ** (1 / rank))
    base = {name: side for name in (*facts.extents, *facts.bounds) if name not in given}
    found = []
    for row in itertools.product(*given.values()):
        chosen = base | dict(zip(given, row, strict=True))
        choice = choose(region, functions, facts, chosen, frozenset(given), 0)
        if choice.ranges.impossible:
            raise InputsError(f"{region.name}: {choice.ranges.impossible}")
        problem = Problem(region.name, choice.shown)
        if problem not in found:
            found.append(problem)
    return found


def _extents(param: ast.Symbol) -> tuple[object, ...]:
    return tuple(extents(param.type))


def case_of(
    unit: TranslationUnit, problem: Problem, makers: Mapping[str, Maker], seed: int, allow_tf32: bool = False
) -> Case:
    """Inputs for a problem; raises InputsError where none can be made.

    `allow_tf32`: factors of float products may be rounded to 11 bits.
    """
    functions = {f.name: f for f in unit.functions}
    (region,) = [region for region in unit.regions if region.name == problem.function]
    facts = gather(region, functions, allow_tf32)
    sizes = dict(problem.sizes)
    choice = choose(region, functions, facts, sizes, frozenset(sizes), 0)
    if total_elements(region, choice.values, functions) is None:
        raise InputsError(f"{problem}: an extent cannot be evaluated from the integer parameters")
    maker = makers.get(region.function)
    kind = "reals" if maker is None else "given"
    try:
        return make_case(region, functions, facts, choice, kind, seed, maker, _PERIOD)  # type: ignore[arg-type]
    except NoInputs as error:
        raise InputsError(f"{problem}: {error}; make inputs with <stem>.inputs.py") from error


def makers_beside(source: str, inputs: Path | None) -> Mapping[str, Maker]:
    """The user's own inputs: the file that was named, or `<stem>.inputs.py` beside the source."""
    path = inputs or Path(source).with_suffix(".inputs.py")
    return load_makers(path) if path.is_file() else {}
