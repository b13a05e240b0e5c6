"""Short loops over neighbouring points, merged into the loop around them before threads are dealt out.

    for (i = 0; i < n; i++) for (c = 0; c < 3; c++) S(i, c);
    for (q = 0; q < n * 3; q++) { i = q / 3; c = q % 3; S(i, c); }

A warp then has 32 points side by side, not the three of one loop.
"""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Sequence as Seq
from dataclasses import replace

from pencilc.codegen.astgen import AstFor, AstLet, AstNode, has_loop
from pencilc.ir.build import ZERO, binary, cast, minus, number, plus, times, variable
from pencilc.ir.source import INT, CType, Expr, IntLiteral
from pencilc.target import WARP


def merged(
    ast: AstNode, rows: Seq[str], types: Mapping[str, CType], index: CType
) -> tuple[AstNode, dict[str, tuple[str, ...]]]:
    """`ast` with its short inner loops over `rows` merged, and for each loop over rows which of them it goes through.

    `types`: of the rows; `index`: a type for the number of any point.  Only a nest of nothing but loops is touched.
    """
    nest: list[AstFor] = []
    inside = ast
    while isinstance(inside, AstFor) and inside.name in rows and inside.step == 1 and not inside.degenerate:
        nest.append(inside)
        inside = inside.body
    goes_through: dict[str, tuple[str, ...]] = {name: (name,) for name in rows}
    if has_loop(inside, rows):
        return ast, goes_through
    kinds = dict(types)
    while len(nest) > 1:
        count = _constant_trips(nest[-1])
        if count is None or count >= WARP:
            break
        inner, outer = nest.pop(), nest.pop()
        name = f"@{outer.name.lstrip('@')}_{inner.name.lstrip('@')}"
        place = variable(name, index)
        body: AstNode = inner.body
        for loop, value in ((inner, binary("%", place, number(count))), (outer, binary("/", place, number(count)))):
            kind = kinds.get(loop.name) or INT
            body = AstLet(kind, loop.name, cast(kind, plus(loop.lower, value)), body)
        trips = _constant_trips(outer)
        if trips is None:
            upper: Expr = times(cast(index, minus(outer.upper, outer.lower)), number(count))
        else:
            upper = number(trips * count)
        nest.append(replace(outer, name=name, lower=ZERO, upper=upper, body=body))
        kinds[name] = index
        goes_through[name] = (*goes_through.pop(outer.name), *goes_through.pop(inner.name))
    made: AstNode | None = None
    for loop in reversed(nest):
        made = loop if made is None else replace(loop, body=made)
    return made if made is not None else ast, goes_through


def _constant_trips(loop: AstFor) -> int | None:
    """How many values a loop has, if its bounds are numbers; None for one that has none."""
    if not isinstance(loop.lower, IntLiteral) or not isinstance(loop.upper, IntLiteral):
        return None
    count = loop.upper.value - loop.lower.value
    return count if count > 0 else None
