"""Small questions about typed expressions that several stages ask."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import fields

from pencilc.ir.source import (
    ArrayType,
    Binary,
    Call,
    Cast,
    Declare,
    Expr,
    For,
    Function,
    Index,
    IntLiteral,
    Jump,
    MemberOf,
    Name,
    Node,
    PointerType,
    ReductionUpdate,
    Region,
    Scalar,
    Stmt,
    TranslationUnit,
    Unary,
    While,
    children,
    walk,
)


def mentions_any(node: Node, *names: str | None) -> bool:
    """Whether a variable with one of the names stands in `node`."""
    return any(isinstance(n, Name) and n.symbol.name in names for n in walk(node))


def function_in_order(functions: Iterable[Function], update: ReductionUpdate) -> Function | None:
    """What computes the update where the place of its element is behind those of all others, if there is such."""
    if not isinstance(update.element, Call):
        return None
    wanted = (update.operator, update.element.function)
    for each in functions:
        if each.in_order is not None and (each.in_order.operator, each.in_order.element) == wanted:
            return each
    return None


def names_of_file(unit: TranslationUnit) -> set[str]:
    """What a function or struct that is made for a file cannot be called: its own, and its entry points."""
    found = {*(f.name for f in unit.functions), *(s.name for s in unit.structs), *(g.symbol.name for g in unit.globals)}
    return found.union(*((region.name, region.function) for region in unit.regions))


def names_of_region(region: Region) -> set[str]:
    """What a variable that is made for a region cannot be called: its parameters, and all variables in it."""
    own = {param.name for param in region.params}
    return own | names_in(region.body) | declared_in(region.body) | counters_in(region.body)


def names_in(*nodes: Node) -> set[str]:
    """The symbol names of the variables that stand in the nodes."""
    return {node.symbol.name for node in _within(nodes) if isinstance(node, Name)}


def counters_in(*nodes: Node) -> set[str]:
    """The symbol names of the counters of the `for` loops in the nodes."""
    return {node.iterator.name for node in _within(nodes) if isinstance(node, For)}


def declared_in(*nodes: Node) -> set[str]:
    """The symbol names of the variables that declarations in the nodes make, without the counters of loops."""
    return {node.symbol.name for node in _within(nodes) if isinstance(node, Declare)}


def is_given_elements(node: Node) -> bool:
    """Whether a node is a call that is handed more than numbers, whose elements it may change."""
    return isinstance(node, Call) and not all(isinstance(each.type, Scalar) for each in node.arguments)


def has_own_jump(body: Stmt) -> bool:
    """Whether a `break` or `continue` in the body of a loop is about this loop, not about one inside of it."""
    if isinstance(body, For | While):
        return False
    return isinstance(body, Jump) or any(has_own_jump(child) for child in children(body))  # type: ignore[arg-type]


def ends_by_data(node: Node) -> bool:
    """Whether a node is a loop of which the data say how far it goes: a `while`, or a `for` that is left."""
    return isinstance(node, While) or (isinstance(node, For) and has_own_jump(node.body))


def holds_while_around_loops(node: Node) -> bool:
    """Whether a `while` in `node` holds loops that count."""
    whiles = (inner for inner in walk(node) if isinstance(inner, While))
    return any(isinstance(inner, For) for each in whiles for inner in walk(each.body))


def _within(nodes: Iterable[Node]) -> Iterator[Node]:
    for node in nodes:
        yield from walk(node)


def without_conversions(expr: Expr) -> Expr:
    """`expr` without the conversions around it that C makes on its own."""
    while isinstance(expr, Cast) and expr.implicit:
        expr = expr.operand
    return expr


def plain_name(expr: Expr) -> str | None:
    """The symbol name of an expression that is nothing but a variable, converted or not."""
    inner = without_conversions(expr)
    return inner.symbol.name if isinstance(inner, Name) else None


def base_of(lvalue: Expr) -> Expr:
    """What the subscripts and members of an lvalue are of: `a` of `a[i].m[j]`."""
    while isinstance(lvalue, Index | MemberOf):
        lvalue = lvalue.base
    return lvalue


def root(lvalue: Expr) -> Name | None:
    """The variable that an lvalue is, or is a part of."""
    base = base_of(lvalue)
    return base if isinstance(base, Name) else None


def path_of(lvalue: Expr) -> tuple[Index | MemberOf, ...]:
    """The parts of its variable that lead to an lvalue, outermost first: `a[i]`, `a[i].m`, `a[i].m[j]`."""
    found: list[Index | MemberOf] = []
    while isinstance(lvalue, Index | MemberOf):
        found.insert(0, lvalue)
        lvalue = lvalue.base
    return tuple(found)


def subscripts_in(lvalue: Expr) -> tuple[Expr, ...]:
    """The subscripts of an lvalue, outermost first, those behind members too: `i`, `j` of `a[i].m[j]`."""
    return tuple(part.index for part in path_of(lvalue) if isinstance(part, Index))


def members_in(lvalue: Expr) -> tuple[str, ...]:
    """The members of an lvalue, outermost first: `m` of `a[i].m[j]`."""
    return tuple(part.member for part in path_of(lvalue) if isinstance(part, MemberOf))


def same(left: object, right: object) -> bool:
    """Whether two expressions say the same at different places of the source."""
    if type(left) is not type(right):
        return False
    if isinstance(left, tuple) and isinstance(right, tuple):
        return len(left) == len(right) and all(same(a, b) for a, b in zip(left, right, strict=True))
    if not hasattr(left, "span") or not hasattr(left, "__dataclass_fields__"):
        return left == right
    if isinstance(left, Name) and isinstance(right, Name):
        return left.symbol.name == right.symbol.name
    names = [f.name for f in fields(left) if f.name != "span"]  # type: ignore[arg-type]
    return all(same(getattr(left, name), getattr(right, name)) for name in names)


def coefficient(expr: Expr, iterator: str) -> int | None:
    """The factor of `iterator` in `expr`; None where `expr` is not linear in it."""
    if not mentions_any(expr, iterator):
        return 0
    match expr:
        case Name():
            return 1
        case Cast() if isinstance(expr.type, Scalar) and expr.type.is_integer:
            return coefficient(expr.operand, iterator)
        case Unary(op="-"):
            inner = coefficient(expr.operand, iterator)
            return None if inner is None else -inner
        case Binary(op="+" | "-"):
            left, right = coefficient(expr.left, iterator), coefficient(expr.right, iterator)
            if left is None or right is None:
                return None
            return left + right if expr.op == "+" else left - right
        case Binary(op="*"):
            for factor, other in ((expr.left, expr.right), (expr.right, expr.left)):
                # The factor may be converted to the type of a wider counter.
                literal = without_conversions(factor)
                if isinstance(literal, IntLiteral):
                    inner = coefficient(other, iterator)
                    return None if inner is None else literal.value * inner
    return None


def may_write(call: Call) -> bool:
    """Whether a call may do more than return what its numbers give: it is told where something is."""
    return any(isinstance(argument.type, PointerType | ArrayType) for argument in call.arguments)


def has_effects(node: Node) -> bool:
    """Whether a call in `node` may write."""
    return any(isinstance(each, Call) and may_write(each) for each in walk(node))
