"""The points whose windows are whole: what conditions at the border of an image leave out is left out elsewhere.

`for (dy = max(-1, -y); dy <= min(1, h - y - 1); dy++)` is `for (dy = -1; dy <= 1; dy++)` for 1 <= y <= h - 2.
"""

from __future__ import annotations

from collections.abc import Iterable

import islpy as isl

from pencilc import islx


def interior(windows: Iterable[isl.Set], context: isl.Set) -> isl.Set | None:
    """{ : … }: where each dimension of all `windows` { S[i] } has as many values as anywhere; None where that is so
    everywhere, or where nowhere is a constant number of them.

    The points of a kernel are parameters.
    """
    found: isl.Set | None = None
    for window in windows:
        inhabited = window.params().intersect(context)
        for position in range(islx.dimensions(window)):
            whole = _where_whole(window, position, inhabited)
            if whole is None:
                return None
            found = whole if found is None else found.intersect(whole)
    if found is None or context.is_subset(found):
        return None
    return found.coalesce()


def _where_whole(window: isl.Set, position: int, inhabited: isl.Set) -> isl.Set | None:
    """Where a dimension has most values; None where their number depends on more than conditions."""
    lowest, highest = islx.lowest(window, position), islx.highest(window, position)
    if lowest is None or highest is None:
        return None
    below, above = islx.pieces(lowest.gist(inhabited)), islx.pieces(highest.gist(inhabited))
    if len(below) == len(above) == 1:
        return isl.Set.universe(inhabited.get_space())
    most, found = -1, isl.Set.empty(inhabited.get_space())
    for from_here, first in below:
        for up_to_here, last in above:
            where, width = from_here.intersect(up_to_here).params(), last.sub(first)
            if not width.is_cst() or where.intersect(inhabited).is_empty():
                continue
            values = int(width.get_constant_val().to_python())
            if values >= most:
                most, found = values, where if values > most else found.union(where)
    return found.coalesce() if most >= 0 else None
