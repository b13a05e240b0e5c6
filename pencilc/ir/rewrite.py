"""Rewriting typed trees: names replaced by other variables or by expressions, in statements, expressions and types."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from typing import Any

from pencilc.diagnostics.source import Span
from pencilc.ir.source import (
    INT,
    AddressOf,
    ArrayType,
    Assign,
    Block,
    CType,
    Declare,
    Dereference,
    Expr,
    For,
    If,
    Index,
    MemberOf,
    Name,
    Node,
    ReductionClause,
    ReductionInit,
    ReductionUpdate,
    Stmt,
    Symbol,
    Unary,
    While,
    walk,
)  # fmt: skip


class Renaming:
    """Replaces variables: `symbols` by other variables, wherever they stand, `values` by expressions.

    Before: `x[k] = v;` with x -> `c[i]`, k -> `k_1`, v -> `2 * w`
    After:  `c[i][k_1] = 2 * w;`
    """

    def __init__(self, symbols: Mapping[str, Symbol], values: Mapping[str, Expr]) -> None:
        self._symbols, self._values = symbols, values

    def node(self, node: Any) -> Any:
        """`node` with everything in it replaced; a node of the same kind, or any expression for a `Name`."""
        match node:
            case Name():
                return self._name(node)
            case Index():
                base = self.node(node.base)
                ctype = base.type.element if isinstance(base.type, ArrayType) else self.type(node.type)
                return Index(base, self.node(node.index), ctype, node.span)
            case Dereference():
                operand = self.node(node.operand)
                return operand.operand if isinstance(operand, AddressOf) else replace(node, operand=operand)
            case MemberOf():
                return replace(node, base=self.node(node.base))
            case Declare():
                init = None if node.init is None else self.node(node.init)
                return Declare(self.symbol(node.symbol), init, node.span)
            case For():
                renamed: For = self._fields(node)
                return replace(renamed, iterator=self.symbol(node.iterator))
        return self._fields(node)

    def symbol(self, symbol: Symbol) -> Symbol:
        """The variable that takes the place of `symbol`."""
        return self._symbols.get(symbol.name, symbol)

    def type(self, ctype: CType) -> CType:
        """`ctype` with the variables in its extents replaced."""
        if not isinstance(ctype, ArrayType):
            return ctype
        extent = None if ctype.extent is None else self.node(ctype.extent)
        return replace(ctype, element=self.type(ctype.element), extent=extent)

    def _name(self, node: Name) -> Expr:
        name = node.symbol.name
        if name in self._values:
            return self._values[name]
        symbol = self._symbols.get(name)
        return node if symbol is None else Name(symbol, symbol.type, node.span)

    def _fields(self, node: Any) -> Any:
        return _rebuilt(node, self.node)


def _rebuilt(node: Any, change: Callable[[Any], Any]) -> Any:
    """The node with `change` made of each of its direct children."""
    changes: dict[str, Any] = {}
    for field in fields(node):
        if field.name in ("type", "span", "iterator"):
            continue
        value = getattr(node, field.name)
        if isinstance(value, tuple):
            changes[field.name] = tuple(change(v) if _is_node(v) else v for v in value)
        elif _is_node(value):
            changes[field.name] = change(value)
    return replace(node, **changes) if changes else node


def _is_node(value: object) -> bool:
    return isinstance(value, ReductionClause) or (hasattr(value, "span") and not isinstance(value, Symbol))


def as_block(stmt: Stmt) -> Block:
    """The statement as a block of its own."""
    return stmt if isinstance(stmt, Block) else Block((stmt,), stmt.span)


def in_blocks(stmt: Stmt, change: Callable[[Block], Block]) -> Stmt:
    """`stmt` with each outermost block in it as `change` makes it."""
    match stmt:
        case Block():
            return change(stmt)
        case If():
            otherwise = None if stmt.otherwise is None else in_blocks(stmt.otherwise, change)
            return replace(stmt, then=in_blocks(stmt.then, change), otherwise=otherwise)
        case For() | While():
            return replace(stmt, body=in_blocks(stmt.body, change))
    return stmt


def written_names(node: Node) -> set[str]:
    """Names of the variables that assignments, builtins, loops and `&` in `node` may change, arrays included."""
    found: set[str] = set()
    for each in walk(node):
        if isinstance(each, For) and not each.declares:
            found.add(each.iterator.name)
        elif (changed := _changed_by(each)) is not None:
            found.add(changed.symbol.name)
    return found


def assigned_names(node: Node) -> set[str]:
    """As `written_names`, but for the counters of loops, which are the same all through an iteration."""
    return {changed.symbol.name for each in walk(node) if (changed := _changed_by(each)) is not None}


def _changed_by(node: Node) -> Name | None:
    """The variable that a node itself, not what is below it, may change, or a part of which."""
    target: Any = None
    if isinstance(node, Assign):
        target = node.target
    elif isinstance(node, ReductionInit | ReductionUpdate):
        target = node.variable
    elif isinstance(node, AddressOf):
        target = node.operand
    while target is not None and not isinstance(target, Name):
        target = getattr(target, "base", None)
    return target


def fresh_name(spelling: str, taken: set[str]) -> str:
    """`spelling`, or it with a number behind it, not in `taken`; the name is then taken."""
    name, number = spelling, 0
    while name in taken:
        number += 1
        name = f"{spelling}_{number}"
    taken.add(name)
    return name


def truth_variable(wish: str, taken: set[str], span: Span) -> Symbol:
    """A new `int` that keeps whether something holds; its name is then taken."""
    name = fresh_name(wish, taken)
    return Symbol(name, wish, INT, "local", span)


def truth_of(condition: Expr) -> Expr:
    """What such a variable gets: a condition of type `int` as it is, 1 where another one holds, else 0."""
    if condition.type == INT:
        return condition
    return Unary("!", Unary("!", condition, INT, condition.span), INT, condition.span)


def renamed(symbol: Symbol, taken: set[str], ctype: CType | None = None) -> Symbol:
    """A variable like `symbol`, local and under a name of its own."""
    kind = symbol.kind if symbol.kind == "iterator" else "local"
    return replace(symbol, name=fresh_name(symbol.spelling, taken), kind=kind, type=ctype or symbol.type)


def in_parts(stmt: Stmt, change: Callable[[Stmt], Stmt]) -> Stmt:
    """`stmt` with the statements directly in it as `change` makes them; the same object where all of them stay."""
    match stmt:
        case Block():
            items = tuple(map(change, stmt.items))
            is_same = all(new is old for new, old in zip(items, stmt.items, strict=True))
            return stmt if is_same else replace(stmt, items=items)
        case For() | While():
            body = change(stmt.body)
            return stmt if body is stmt.body else replace(stmt, body=body)
        case If():
            then, otherwise = change(stmt.then), None if stmt.otherwise is None else change(stmt.otherwise)
            is_same = then is stmt.then and otherwise is stmt.otherwise
            return stmt if is_same else replace(stmt, then=then, otherwise=otherwise)
    return stmt


def with_statements(stmt: Any, instead: Mapping[int, Stmt]) -> Any:
    """`stmt` with other statements in the place of some in it, by ids; what holds none of them stays one object."""
    return instead.get(id(stmt)) or in_parts(stmt, lambda each: with_statements(each, instead))


def replaced(node: Any, change: Callable[[Node], Node | None]) -> Any:
    """`node` with every part for which `change` gives something else replaced by it, the outermost first."""
    new = change(node)
    return _rebuilt(node, lambda child: replaced(child, change)) if new is None else new
