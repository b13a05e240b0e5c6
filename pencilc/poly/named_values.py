"""The model of a region without scalars that are names for values (`frontend/rewrite/named_values.py`).

    for (k…) for (i…) for (j…) { int d = path[i][k] + path[k][j];  path[i][j] = min(path[i][j], d); }

Two statements that hand a value to each other are not cut where a row or a column holds them up; one is.  Whether that
is worth it the schedule tells (`driver.py`).
"""

from __future__ import annotations

from pencilc.frontend.rewrite.named_values import with_values_for_names
from pencilc.ir.scop import AccessKind, Scop, Statement
from pencilc.ir.source import TranslationUnit
from pencilc.poly.extract import extract_instead


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


def _variables(scop: Scop, statement: Statement, *, writes: bool) -> set[str]:
    accesses = (each for each in statement.accesses if each.kind is not AccessKind.KILL)
    return {scop.array(each.array).symbol.name for each in accesses if each.kind.writes == writes}


def without_names(unit: TranslationUnit, position: int) -> tuple[TranslationUnit, Scop] | None:
    """The region at `position` with values in the place of their names, and its model; None where there are none."""
    region = with_values_for_names(unit.regions[position])
    return None if region is None else extract_instead(unit, position, region)
