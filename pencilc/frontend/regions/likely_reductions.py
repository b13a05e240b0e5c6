"""Whether what loops compute in scalars looks like reductions, so that they are worth a region.

The frontend sees no dependences: what looks like one and is none is told where the region is mapped, and left to the
host then (`driver.py`) if nothing else of its function is parallel.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pencilc.ir.build import conjuncts
from pencilc.ir.queries import ends_by_data, mentions_any, names_in, plain_name, without_conversions
from pencilc.ir.source import (
    Assign,
    Binary,
    Call,
    Expr,
    For,
    If,
    Index,
    MemberOf,
    Name,
    Node,
    Region,
    Scalar,
    Stmt,
    Ternary,
    Unary,
    While,
    children,
    is_floating,
    walk,
)
from pencilc.ir.source_printer import spelled

_ALWAYS = ("+", "-", "*", "&", "|", "^")
_FLOATING = ("+", "-", "*")
_TRUTHS = ("&&", "||")
_COMPARISONS = ("<", "<=", ">", ">=")
_EXTREMES = ("min", "max", "imin", "imax", "fmin", "fmax", "fminf", "fmaxf")


def is_element(target: Expr) -> bool:
    """Whether `target` is an element of an array, or a member of one."""
    return any(isinstance(node, Index) for node in walk(target))


def why_no_reduction(region: Region, definitions: Mapping[str, Any], associative: bool) -> str:
    """Why a scalar that leaves the region is not updated, in loops, as a reduction may be; empty if all are.

    `definitions` of functions, as they are parsed; `associative`: floating sums may be done in another order.
    """
    if any(map(ends_by_data, _outermost(region.body))):
        return "how far it goes depends on what it computes"
    kept = _not_reduced(region, definitions, associative)
    if not kept:
        return ""
    shown = sorted({p.spelling for p in region.params if p.name in kept})
    names = " and ".join(f"`{name}`" for name in shown)
    if not associative and not _not_reduced(region, definitions, True):
        return f"another order would change the rounding of {names} (-fassociative-math allows it)"
    return f"{names} {'is' if len(shown) == 1 else 'are'} used behind it, and no reduction"


def _outermost(node: Node) -> Iterator[For | While]:
    if isinstance(node, For | While):
        yield node
        return
    for child in children(node):
        yield from _outermost(child)


def _counted(loop: For) -> Iterator[Node]:
    """What is below a loop, but for loops that data end, whose iterations follow each other."""
    pending: list[Node] = [loop.body]
    while pending:
        node = pending.pop()
        yield node
        pending += (each for each in children(node) if not ends_by_data(each))


def _not_reduced(region: Region, definitions: Mapping[str, Any], associative: bool) -> set[str]:
    """The scalars that leave the region and are not updated, in loops, as a reduction may be."""
    left = set(region.written_scalars)
    loops = [loop for loop in walk(region.body) if isinstance(loop, For)]
    inside = {id(node) for loop in _outermost(region.body) if isinstance(loop, For) for node in _counted(loop)}
    counters = {loop.iterator.name for loop in loops}
    for node in walk(region.body):
        if (
            isinstance(node, If)
            and id(node) in inside
            and (_is_extreme(node, associative) or _is_place(node, counters))
        ):
            left -= names_in(node.condition) | _set_in(node.then)
        elif isinstance(node, Assign) and (name := plain_name(_root(node.target))) is not None:
            updates = id(node) in inside and _is_update(node, node.target, definitions, associative)
            left -= {name} if updates else set()
    return left


def _root(target: Expr) -> Expr:
    """The variable of which `target` is a member, or a member of a member."""
    while isinstance(target, MemberOf):
        target = target.base
    return target


def _is_extreme(node: If, associative: bool) -> bool:
    """`if (a[i] < least) least = a[i];`, and what else is set with it; `if (at < 0 || a[i] < least) …`, too."""
    if node.otherwise is not None:
        return False
    chosen = _set_in(node.then)
    tests = [without_conversions(part) for part in conjuncts(node.condition) if mentions_any(part, *chosen)]
    if len(tests) != 1 or not isinstance(tests[0], Binary):
        return False
    if tests[0].op == "||":
        # A first element that is not a number would stay.
        values = (n.target for n in walk(node.then) if isinstance(n, Assign))
        sides = [without_conversions(side) for side in (tests[0].left, tests[0].right)]
        is_compared = any(isinstance(side, Binary) and side.op in _COMPARISONS for side in sides)
        return is_compared and (associative or not any(is_floating(value.type) for value in values))
    return tests[0].op in _COMPARISONS


def _is_place(node: If, counters: set[str]) -> bool:
    """`if (a[i] > 0) any = 1;`, `if (a[i] > 0) last = i;`, `if (!any && a[i] > 0) { any = 1; first = i; }`."""
    chosen = _set_in(node.then)
    if node.otherwise is not None or not chosen:
        return False
    for given in (each for each in walk(node.then) if isinstance(each, Assign)):
        is_computed = any(isinstance(part, Call) for part in walk(given.value))
        if not isinstance(given.target, Name) or is_computed or not names_in(given.value) <= counters:
            return False
    asked = [part for part in conjuncts(node.condition) if mentions_any(part, *chosen)]
    return all(isinstance(without_conversions(part), Binary | Unary | Name) for part in asked)


def _set_in(stmt: Stmt) -> set[str]:
    """The variables that are assigned in `stmt`, whole or a member of them."""
    roots = (_root(node.target) for node in walk(stmt) if isinstance(node, Assign))
    return {root.symbol.name for root in roots if isinstance(root, Name)}


def _is_update(stmt: Assign, target: Expr, definitions: Mapping[str, Any], associative: bool) -> bool:
    """Whether `stmt` combines the old value of `target` with something by an operator of which any order will do."""
    if not isinstance(target.type, Scalar):
        return False
    value = without_conversions(stmt.value)
    if isinstance(value, Ternary) or (isinstance(value, Call) and value.function in _EXTREMES):
        return _reads(value, target)
    if isinstance(value, Call):
        given = [each for each in value.arguments if _is_same(each, target)]
        kinds = _ALWAYS if target.type.is_integer else _FLOATING if associative else ()
        return len(given) == 1 and _is_operator(definitions.get(value.function), kinds)
    if isinstance(value, Binary) and value.op in _TRUTHS:
        return _is_same(value.left, target) or _is_same(value.right, target)
    if not target.type.is_integer and not associative:
        return False
    if not isinstance(value, Binary) or value.op not in (_ALWAYS if target.type.is_integer else _FLOATING):
        return False
    chain = ("+", "-") if value.op in ("+", "-") else (value.op,)
    while isinstance(value, Binary) and value.op in chain:
        if _is_same(value.left, target) or (_is_same(value.right, target) and value.op != "-"):
            return True
        value = without_conversions(value.left if _reads(value.left, target) else value.right)
    return False


def _is_operator(definition: Any, operators: Sequence[str]) -> bool:
    """Whether a function returns one of its two parameters, which it compares, or both of them under an operator."""
    body = [] if definition is None else definition.body.block_items or []
    if len(body) != 1 or type(body[0]).__name__ != "Return" or definition.decl.type.args is None:
        return False
    value, names = body[0].expr, {each.name for each in definition.decl.type.args.params}
    if type(value).__name__ == "TernaryOp":
        compared = value.cond
        parts = [getattr(compared, "left", None), getattr(compared, "right", None), value.iftrue, value.iffalse]
        return getattr(compared, "op", "") in _COMPARISONS and all(getattr(p, "name", None) in names for p in parts)
    if type(value).__name__ != "BinaryOp" or value.op not in operators or value.op == "-":
        return False
    return {getattr(value.left, "name", None), getattr(value.right, "name", None)} == names and len(names) == 2


def _is_same(value: Expr, target: Expr) -> bool:
    """Whether `value` is the variable, or the member of one, that `target` is."""
    return spelled(without_conversions(value)) == spelled(target)


def _reads(value: Expr, target: Expr) -> bool:
    return any(isinstance(node, Name | MemberOf) and _is_same(node, target) for node in walk(value))
