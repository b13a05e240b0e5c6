"""How loops of a tree count: what they change, what they step, whether an iteration or the loop is left early."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from pencilc.frontend.syntax.nodes import LOOPS, nodes_below
from pencilc.port.tree import kind, root_name, whole_number

STEPS = ("++", "--", "p++", "p--")
RELATIONS = ("<", "<=", ">", ">=", "!=")


def targets(node: Any, below: bool = True, elements: bool = True) -> Iterator[tuple[Any, str]]:
    """The nodes that change a variable or, with `elements`, something in it: node and name."""
    pending: Iterable[Any] = [] if node is None else nodes_below(node) if below else (node,)
    for each in pending:
        target: Any = None
        if kind(each) == "Assignment":
            target = each.lvalue
        elif kind(each) == "UnaryOp" and each.op in STEPS:
            target = each.expr
        if target is None:
            continue
        name = root_name(target) if elements else getattr(target, "name", "") if kind(target) == "ID" else ""
        if name:
            yield each, name


def changed_in(loop: Any) -> frozenset[str]:
    """The variables that a loop changes or declares, its counter included."""
    inner = [each for each in (loop.cond, loop.stmt, getattr(loop, "next", None)) if each is not None]
    found = {name for each in inner for _, name in targets(each)}
    found |= {each.name for part in inner for each in nodes_below(part) if kind(each) == "Decl" and each.name}
    return frozenset(found)


def parts_of(node: Any) -> list[Any]:
    """What a clause of a `for` does."""
    if node is None:
        return []
    if kind(node) == "DeclList":
        return list(node.decls)
    return list(node.exprs) if kind(node) == "ExprList" else [node]


def last_of(body: Any) -> list[Any]:
    """The last statement of a body."""
    if kind(body) != "Compound":
        return [body]
    return list(body.block_items or ())[-1:]


def steps_at_end(body: Any) -> list[Any]:
    """The statements at the end of a body that change a variable by a number, and do nothing else."""
    found: list[Any] = []
    for node in reversed(list(body.block_items or ()) if kind(body) == "Compound" else [body]):
        target: Any = node.expr if kind(node) == "UnaryOp" else getattr(node, "lvalue", None)
        if kind(target) != "ID" or step_of(node, target.name) is None:
            break
        found.insert(0, node)
    return found


def step_of(node: Any, name: str) -> int | None:
    """By how much a statement changes a counter."""
    if kind(node) == "UnaryOp" and node.op in STEPS and getattr(node.expr, "name", "") == name:
        return 1 if "+" in node.op else -1
    if kind(node) != "Assignment" or getattr(node.lvalue, "name", "") != name:
        return None
    if node.op not in ("+=", "-=") or kind(node.rvalue) != "Constant":
        return None
    value = whole_number(node.rvalue)
    by = None if value is None else value.constant()
    return None if by is None else by if node.op == "+=" else -by


def first_conjunct(cond: Any) -> Any:
    """What a condition asks first."""
    while kind(cond) == "BinaryOp" and cond.op == "&&":
        cond = cond.left
    return cond


def is_zero(node: Any) -> bool:
    """Whether an expression is the constant 0, of any integer type."""
    return kind(node) == "Constant" and node.value.rstrip("uUlL") == "0"


def counted_down(cond: Any) -> str:
    """`i` of the conditions `i--` and `i-- > 0`; empty for others."""
    if kind(cond) == "BinaryOp" and cond.op in (">", "!=") and is_zero(cond.right):
        cond = cond.left
    return getattr(cond.expr, "name", "") if kind(cond) == "UnaryOp" and cond.op == "p--" else ""


def _own(body: Any) -> Iterator[Any]:
    """The nodes of a body that are not below an inner loop."""
    pending = [body]
    while pending:
        node = pending.pop()
        yield node
        pending += [child for _, child in node.children() if kind(child) not in LOOPS]


def goes_on(body: Any) -> bool:
    """Whether a `continue` goes on with the loop of a body."""
    return any(kind(each) == "Continue" for each in _own(body))


def breaks(body: Any) -> bool:
    """Whether the loop of a body is left by `break` or `goto`."""
    return any(kind(each) in ("Break", "Goto") for each in _own(body))
