"""`continue` behind a condition, as a condition around the rest of the iteration.

Before: `for (…) { if (a[i] < 0) continue; s += a[i]; }`
After:  `for (…) { if (!(a[i] < 0)) { s += a[i]; } }`

A loop that is left early cannot be shared out; one with a condition can.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from pencilc.ir.source import INT, Block, For, If, Jump, Region, Stmt, Ternary, Unary, While, children


def without_continue(region: Region) -> Region:
    """`region` with each `continue` that ends a branch of its loop's body replaced; others stay."""
    return replace(region, body=_rewritten(region.body))


def _rewritten(node: Any) -> Any:
    match node:
        case Block():
            return replace(node, items=tuple(_rewritten(item) for item in node.items))
        case For() | While():
            body = _rewritten(node.body)
            return replace(node, body=_ended(body)) if _continues(body) else replace(node, body=body)
    if hasattr(node, "then") and hasattr(node, "otherwise") and not isinstance(node, Ternary):
        otherwise = None if node.otherwise is None else _rewritten(node.otherwise)
        return replace(node, then=_rewritten(node.then), otherwise=otherwise)
    return node


def _ended(body: Stmt) -> Stmt:
    """What is executed last in an iteration, without `continue` where that is possible."""
    items = list(body.items) if isinstance(body, Block) else [body]
    for k, item in enumerate(items):
        if _is_continue(item):
            return _block(items[:k], body)
        if not _continues(item):
            continue
        rest = items[k + 1 :]
        if not isinstance(item, If):
            return body
        branch = _branch(item, rest)
        return body if branch is None else _block([*items[:k], branch], body)
    return body


def _branch(node: If, rest: Sequence[Stmt]) -> Stmt | None:
    """A condition with what follows it in the branches that go on; None where a branch goes on only sometimes."""
    if not rest:
        # Both branches end the iteration.
        otherwise = None if node.otherwise is None else _ended(node.otherwise)
        return replace(node, then=_ended(node.then), otherwise=otherwise)
    if _always(node.then):
        then, behind = _ended(node.then), [*([] if node.otherwise is None else [node.otherwise]), *rest]
        other = _ended(_block(behind, rest[0]))
        if isinstance(then, Block) and not then.items:
            return If(Unary("!", node.condition, INT, node.condition.span), other, None, node.span)
        return replace(node, then=then, otherwise=other)
    if node.otherwise is not None and _always(node.otherwise):
        otherwise = _ended(node.otherwise)
        then = _ended(_block([node.then, *rest], rest[0]))
        return replace(node, then=then, otherwise=otherwise)
    return None


def _always(node: Stmt) -> bool:
    """Whether a branch ends with `continue`, whatever it does before."""
    if isinstance(node, Block):
        return bool(node.items) and _always(node.items[-1])
    if isinstance(node, If):
        return node.otherwise is not None and _always(node.then) and _always(node.otherwise)
    return _is_continue(node)


def _block(items: Sequence[Stmt], at: Stmt) -> Block:
    return Block(tuple(items), at.span)


def _is_continue(node: Any) -> bool:
    return isinstance(node, Jump) and node.keyword == "continue"


def _continues(node: Any) -> bool:
    """Whether a `continue` below goes on with the loop around."""
    return _is_continue(node) or any(
        _continues(child) for child in children(node) if not isinstance(child, For | While)
    )
