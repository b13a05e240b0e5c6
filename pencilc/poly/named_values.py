"""The model of a region without scalars that are names for values (`frontend/rewrite/named_values.py`).

    for (k…) for (i…) for (j…) { int d = path[i][k] + path[k][j];  path[i][j] = min(path[i][j], d); }

Two statements that hand a value to each other are not cut where a row or a column holds them up; one is.  Whether that
is worth it the schedule tells (`driver.py`).
"""

from __future__ import annotations

from collections.abc import Iterable

from pencilc.frontend.rewrite.named_values import with_values_for_names
from pencilc.ir.scop import AccessKind, Scop, Statement, StatementKind
from pencilc.ir.source import Assign, Call, TranslationUnit, walk
from pencilc.poly.extract import extract_instead

# A value that is found again reads so many variables, and has so many parts.
_MOST_READS, _MOST_PARTS = 4, 40


def names_what_is_overwritten(scop: Scop) -> bool:
    """Whether a statement writes a variable that a scalar which it reads is made of, as `path` above.

    No other statement is cut for having the value in the place of its name.
    """
    scalars = {array.symbol.name for array in scop.arrays if not array.extents}
    made_of: dict[str, set[str]] = {name: set() for name in scalars}
    for statement in scop.statements:
        for name in _variables(scop, statement, writes=True) & scalars:
            made_of[name] |= _variables(scop, statement, writes=False)
    for through in scalars:  # a value that other values are made of
        for name in scalars:
            if through in made_of[name]:
                made_of[name] |= made_of[through]
    for statement in scop.statements:
        written = _variables(scop, statement, writes=True) - scalars
        if any(written & made_of[name] for name in _variables(scop, statement, writes=False) & scalars):
            return True
    return False


def found_again(scop: Scop, names: Iterable[str]) -> frozenset[str]:
    """Of scalars with a value for each iteration those that are found again where they are needed, for less than it
    costs to hand them on: a few operations on few elements, for statements that do not go through the iterations
    together.

        for (r…) for (i…) { float d = x[r][i] - mean[r];  weight[i] += d * g[r][i];  y[r][i] += d; }

    The sum for each `i` goes over all rows; `y` has a row for each.
    """
    own = {function.name for function in scop.functions}
    found: set[str] = set()
    for name in names:
        (array, *others) = scop.arrays_of(name)
        statements = [scop.statement(each) for each in scop.accesses_to(name)]
        setting = [s for s in statements if any(a.array == array.name and a.kind.writes for a in s.accesses)]
        using = [s for s in statements if s not in setting and s.kind is not StatementKind.KILL]
        setting = [s for s in setting if s.kind is not StatementKind.KILL]
        bodies = [s.body for s in setting]
        if others or len(setting) != 1 or not isinstance(bodies[0], Assign) or len(using) < 2:
            continue
        parts = list(walk(bodies[0].value))
        reads = sum(access.kind is AccessKind.READ for access in setting[0].accesses)
        is_cheap = reads <= _MOST_READS and len(parts) <= _MOST_PARTS
        calls_own = any(isinstance(each, Call) and each.function in own for each in parts)
        if is_cheap and not calls_own and len({_goes_across(scop, s) for s in using}) > 1:
            found.add(name)
    return frozenset(found)


def _goes_across(scop: Scop, statement: Statement) -> bool:
    """Whether an update goes on with what the iterations of all loops around it have begun together."""
    inits = [scop.statement(reduction.init) for reduction in scop.reductions if statement.name in reduction.updates]
    return any(not init.loops or init.loops[0].index != statement.loops[0].index for init in inits)


def _variables(scop: Scop, statement: Statement, *, writes: bool) -> set[str]:
    accesses = (each for each in statement.accesses if each.kind is not AccessKind.KILL)
    return {scop.array(each.array).symbol.name for each in accesses if each.kind.writes == writes}


def without_names(
    unit: TranslationUnit, position: int, only: frozenset[str] | None = None
) -> tuple[TranslationUnit, Scop] | None:
    """The region at `position` with values in the place of their names, or of those called in `only`, and its model;
    None where there are none.
    """
    region = with_values_for_names(unit.regions[position], only)
    return None if region is None else extract_instead(unit, position, region)
