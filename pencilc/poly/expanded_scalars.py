"""Scalars of which a schedule would have a value for each iteration have them where there is memory for all.

    for (i…) for (j…) { float most = 0;  for (k…) most = fmaxf(most, x[i] * y[j] + z[k]);  s[0] = s[0] / 2 + most; }

With a value for each i and j all maxima are found at once, and one loop takes them in order: n * n values.  Where these
are no more than the elements of an array of the caller's, or take few bytes whatever the sizes are, that is all; else
the region has both forms (`frontend/rewrite/private_arrays.py`), and the entry point takes this one where it has the
memory for it, as it does for arrays (`poly/private_arrays.py`).  In the other form the scalar is `limited`: its
iterations have values where an array of the caller's has as many elements, such as those of j for one i.

That is the only form where the loops beyond those have few iterations, whatever the sizes are, and those are parallel:

    for (y…) for (x…) for (v < 7) for (u < 7) { float k = …;  z[y][x] += k; }

Points enough are left to share out, each with a `k` in a register; 49 values for each would only go through memory.
"""

from __future__ import annotations

from collections.abc import Sequence as Seq
from dataclasses import replace

import islpy as isl

from pencilc.frontend.rewrite.private_arrays import ScalarValues, with_expanded_scalars
from pencilc.ir.schedule import ExpandedScalar, ScheduledScop, statements_with_rows
from pencilc.ir.scop import Scop, Statement
from pencilc.ir.source import Region, TranslationUnit
from pencilc.poly.extract import extract_instead
from pencilc.poly.room import is_small_enough, most_bytes, most_iterations, number_of_iterations

# So many iterations of a point are done one after the other rather than with a value for each in memory.
_FEW = 1024


def with_room_for_scalars(
    unit: TranslationUnit, position: int, scop: Scop, expanded: Seq[ExpandedScalar], most: int
) -> tuple[TranslationUnit, Scop] | None:
    """The region at `position`, of the model `scop`, in which scalars have a value for each iteration only where there
    is memory for them, and its model; None where that is so for all that are `expanded`.

    `most`: bytes that the values of all iterations may have together where the caller's arrays are smaller.
    """
    region = unit.regions[position]
    wanting = _wanting(region, scop, expanded)
    if not wanting:
        return None
    taken = [most_bytes(scop, scop.arrays_of(each.name)[0], _iterations(scop, each)) for each in wanting]
    if all(bytes_ is not None for bytes_ in taken) and sum(bytes_ or 0 for bytes_ in taken) <= most:
        return None
    outermost = _loops(scop, wanting[0])[0]
    wanting = [each for each in wanting if _loops(scop, each)[0] == outermost]
    both = with_expanded_scalars(region, [_written(scop, each) for each in wanting], most) if most else None
    made = None if both is None else extract_instead(unit, position, both)
    limited = (*region.limited, *(each.name for each in wanting))
    return made or extract_instead(unit, position, replace(region, limited=limited))


def _wanting(region: Region, scop: Scop, expanded: Seq[ExpandedScalar]) -> list[ExpandedScalar]:
    """Those that have more values than the caller's arrays have elements, and of which nothing has been said yet."""
    settled = {*region.limited, *(each.array.name for each in region.private)}
    return [each for each in expanded if each.name not in settled and not _are_few(scop, each)]


def _are_few(scop: Scop, scalar: ExpandedScalar) -> bool:
    """Whether its values are no more than the elements of an array of the caller's."""
    return is_small_enough(scop, scop.arrays_of(scalar.name)[0], _iterations(scop, scalar))


def with_scalars_of_points(
    unit: TranslationUnit, position: int, scop: Scop, expanded: Seq[ExpandedScalar]
) -> tuple[TranslationUnit, Scop] | None:
    """The same with those of the scalars limited that have few values for each of so many points as the caller has
    elements; None where there are none, or one more than that.

    It is worth it where `are_scalars_of_points` says so of its schedule.
    """
    region = unit.regions[position]
    wanting = _wanting(region, scop, expanded)
    if not wanting or not all(_sides_of_points(scop, each) for each in wanting):
        return None
    limited = (*region.limited, *(each.name for each in wanting))
    return extract_instead(unit, position, replace(region, limited=limited))


def are_scalars_of_points(scop: Scop, expanded: Seq[ExpandedScalar], scheduled: ScheduledScop) -> bool:
    """Whether the points are shared out in the schedule of `with_scalars_of_points`; `scop`: the model before."""
    if scheduled.sequential:
        return False
    points = {each.name: _sides_of_points(scop, each) for each in expanded}
    for name, rows in statements_with_rows(scheduled.tree):
        symbols = (scheduled.scop.array(access.array).symbol.name for access in scheduled.scop.statement(name).accesses)
        sides = max((points.get(symbol, 0) for symbol in symbols), default=0)
        if any(row.flag != "P" for row in rows[:sides]) or len(rows) < sides:
            return False
    return True


def _sides_of_points(scop: Scop, scalar: ExpandedScalar) -> int:
    """How many loops have as many iterations as the sizes say, where these are no more than the elements of an array
    of the caller's, and all others few; else 0.
    """
    sides, few = list[isl.PwAff | None](), 1
    for side in _iterations(scop, scalar):
        most = None if side is None else side.intersect_params(scop.context).max_val()
        if most is not None and most.is_int():
            few *= max(1, int(most.to_python()))
        else:
            sides.append(side)
    is_small = is_small_enough(scop, scop.arrays_of(scalar.name)[0], sides)
    return len(sides) if is_small and few <= _FEW else 0


def _iterations(scop: Scop, scalar: ExpandedScalar) -> list[isl.PwAff | None]:
    """How many iterations the loops have of which each has a value."""
    return [most_iterations(scop, _touching(scop, scalar), depth) for depth in scalar.depths]


def _loops(scop: Scop, scalar: ExpandedScalar) -> tuple[str, ...]:
    """The iterators of the loops of which each iteration has a value."""
    scope = scop.arrays_of(scalar.name)[0].scope_iterators
    return tuple(scope[depth] for depth in scalar.depths)


def _touching(scop: Scop, scalar: ExpandedScalar) -> list[Statement]:
    return [scop.statement(name) for name in scop.accesses_to(scalar.name)]


def _written(scop: Scop, scalar: ExpandedScalar) -> ScalarValues:
    """What the source is told of it."""
    numbers = (number_of_iterations(scop, _touching(scop, scalar), depth) for depth in scalar.depths)
    return ScalarValues(scop.arrays_of(scalar.name)[0].symbol, _loops(scop, scalar), tuple(numbers))
