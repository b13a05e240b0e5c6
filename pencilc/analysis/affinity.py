"""Accesses in typed expressions: which there are, and which way each moves when an iterator does."""

from __future__ import annotations

from collections.abc import Iterator

from pencilc.ir.queries import coefficient, subscripts_in
from pencilc.ir.scop import Access, Scop
from pencilc.ir.source import (
    ArrayType,
    Assign,
    Binary,
    Block,
    Expr,
    For,
    If,
    Index,
    Jump,
    Name,
    Node,
    ReductionInit,
    ReductionUpdate,
    Stmt,
    Ternary,
    While,
    children,
    walk,
)


def subscripts(index: Expr) -> tuple[Expr, list[Expr]]:
    """`a[i][j]` -> (a, [i, j])."""
    found: list[Expr] = []
    while isinstance(index, Index):
        found.insert(0, index.index)
        index = index.base
    return index, found


def base_name(access: Expr) -> str:
    """`a[i][j]` -> "a", the name of the variable; empty where a member is subscripted."""
    base = subscripts(access)[0]
    return base.symbol.name if isinstance(base, Name) else ""


def accesses_at(scop: Scop, statement: str, index: Index) -> list[Access]:
    """The accesses { S[i] -> A[a] } of a statement that `index` is: several where one element is read and written."""
    return [access for access in scop.statement(statement).accesses if access.span == index.span]


def is_contiguous(index: Index, iterator: str) -> bool:
    """Whether the element moves by exactly one place in memory when `iterator` grows by one."""
    _, parts = subscripts(index)
    return coefficient(parts[-1], iterator) == 1 and all(coefficient(p, iterator) == 0 for p in parts[:-1])


def outermost_indices(root: object) -> list[Index]:
    """Every complete array access `a[i][j]` below `root`, in textual order, inner subscripts after."""
    found: list[Index] = []
    _collect(root, found)
    return found


def certain_indices(root: object) -> list[Index]:
    """The array accesses below `root` that are evaluated whenever it is.

    Not those behind `?:`, `&&` or `||`, nor, in a whole construct, in a branch, a loop or behind a jump.
    """
    match root:
        case Ternary() | If():
            return certain_indices(root.condition)
        case Binary(op="&&" | "||"):
            return certain_indices(root.left)
        case For():
            return [*certain_indices(root.lower), *certain_indices(root.bound)]
        case While():
            return [] if root.do_first else certain_indices(root.condition)
        case Block():
            return [index for item in _before_jump(root) for index in certain_indices(item)]
    own = [root] if isinstance(root, Index) else []
    inner = subscripts(root)[1] if isinstance(root, Index) else children(root)  # type: ignore[arg-type]
    return [*own, *(index for child in inner for index in certain_indices(child))]


def _before_jump(block: Block) -> Iterator[Stmt]:
    """The statements of a block that are reached for sure: those up to the first one that may leave it."""
    for item in block.items:
        yield item
        if any(isinstance(node, Jump) for node in walk(item)):
            return


def _collect(node: object, found: list[Index]) -> None:
    if isinstance(node, Index):
        found.append(node)
        base, parts = subscripts(node)
        for part in parts:
            _collect(part, found)
        if not isinstance(base, Name):
            _collect(base, found)
        return
    for child in children(node):  # type: ignore[arg-type]
        _collect(child, found)


def evaluated(stmt: Stmt | None) -> tuple[Stmt | Expr, ...]:
    """What a statement reads: of an assignment or update only the right side and the target's subscripts."""
    match stmt:
        case None | ReductionInit():
            return ()
        case Assign():
            return (*subscripts_in(stmt.target), stmt.value)
        case ReductionUpdate():
            return (*subscripts_in(stmt.variable), stmt.element)
    return (stmt,)


def is_indexed_whole(root: Node, symbol: str) -> bool:
    """Whether every occurrence of an array has all of its subscripts: neither it nor a row of it goes to a helper."""
    if isinstance(root, Name):
        return root.symbol.name != symbol or not isinstance(root.type, ArrayType)
    inside = children(root)
    if isinstance(root, Index) and not is_partial(root):
        base, subscripts_ = subscripts(root)
        inside = [*subscripts_] if isinstance(base, Name) else [base, *subscripts_]
    return all(is_indexed_whole(node, symbol) for node in inside)


def is_partial(index: Index) -> bool:
    """Whether the subscript yields an array (a row of one), not an element."""
    return isinstance(index.type, ArrayType)
