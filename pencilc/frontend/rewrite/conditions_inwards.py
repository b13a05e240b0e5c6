"""A condition on data around a loop goes into the loop, whose iterations can be shared out then.

Before: `if (len > 0) for (i = 0; i < n; i++) v[i] /= len;`
After:  `for (i = 0; i < n; i++) if (len > 0) v[i] /= len;`

Only what stands in no loop: there one thread would run the loop.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from pencilc.ir.queries import names_in
from pencilc.ir.rewrite import written_names
from pencilc.ir.source import Binary, Block, Call, For, If, Index, IntLiteral, Jump, Name, Region, Return, Stmt, walk


def with_conditions_inwards(region: Region) -> Region:
    """`region` with conditions inside of the loops that they stand around."""
    return replace(region, body=_rewritten(region.body))


def _rewritten(node: Any) -> Any:
    if isinstance(node, Block):
        return replace(node, items=tuple(_rewritten(item) for item in node.items))
    if isinstance(node, If):
        node = replace(node, then=_rewritten(node.then))
        loops = _loops(node.then)
        if node.otherwise is None and loops and _is_data(node.condition) and all(_may(node, each) for each in loops):
            made = [replace(each, body=replace(node, then=each.body)) for each in loops]
            return made[0] if len(made) == 1 else Block(tuple(made), node.span)
    return node


def _loops(then: Stmt) -> list[For]:
    """The loops of a branch that holds nothing else; none if it does."""
    items = list(then.items) if isinstance(then, Block) else [then]
    return [each for each in items if isinstance(each, For)] if all(isinstance(each, For) for each in items) else []


def _is_data(condition: Any) -> bool:
    """Whether a condition is more than a comparison of parameters, which the model sees through by itself."""
    for each in walk(condition):
        is_known = isinstance(each, Binary | IntLiteral) or (isinstance(each, Name) and each.symbol.kind == "param")
        if not is_known or (isinstance(each, Name) and getattr(each.type, "kind", "") == "float"):
            return True
    return False


def _may(node: If, loop: For) -> bool:
    """Whether the condition is the same in all iterations, and the bounds and the counter do not depend on it."""
    bounds = [*walk(loop.lower), *walk(loop.bound)]
    if not loop.declares or any(isinstance(each, Index | Call) for each in bounds):
        return False
    if any(isinstance(each, Call) for each in walk(node.condition)):
        return False
    if any(isinstance(each, Jump | Return) for each in walk(loop.body)):
        return False
    return not names_in(node.condition) & written_names(node.then)
