"""Tables of integers that the source gives: what an element of one is, where constants choose it.

const int dx[4] = {1, -1, 0, 0};   … a[y][x + dx[1]] …        … a[y][x + -1] …
"""

from __future__ import annotations

import operator
from dataclasses import replace

from pencilc.ir.queries import base_of, subscripts_in, without_conversions
from pencilc.ir.rewrite import replaced
from pencilc.ir.source import (
    Binary,
    Block,
    Cast,
    CType,
    Expr,
    Index,
    Initializer,
    IntLiteral,
    MemberOf,
    Name,
    Node,
    Scalar,
    Struct,
    TranslationUnit,
    Unary,
    walk,
)
from pencilc.poly.model.affine import type_range

# Arrays of the file by name, with their values.
Tables = dict[str, Initializer]
# What is computed with values of tables.
_FOLDED = {"+": operator.add, "-": operator.sub, "*": operator.mul}


def tables_of(unit: TranslationUnit) -> Tables:
    """The constant arrays of the file, with their values."""
    return {item.symbol.name: item.init for item in unit.globals if isinstance(item.init, Initializer)}


def is_of_table(node: Node, tables: Tables) -> bool:
    """Whether a node is an integer of a table: an element, or a member of one."""
    if not isinstance(node, Index | MemberOf) or not isinstance(node.type, Scalar) or not node.type.is_integer:
        return False
    base = base_of(node)
    return isinstance(base, Name) and base.symbol.name in tables


def by_counters(subscript: Expr, tables: Tables) -> Expr:
    """What chooses an element: where a table does, what chooses the value of this."""

    def sum_of_places(node: Node) -> Node | None:
        if not isinstance(node, Index | MemberOf) or not is_of_table(node, tables):
            return None
        total, *others = (by_counters(each, tables) for each in subscripts_in(node))
        for other in others:
            total = Binary("+", total, other, total.type, total.span)
        return total

    made: Expr = replaced(subscript, sum_of_places)
    return made


def with_table_values(body: Block, tables: Tables) -> Block:
    """`body` with the values of elements of tables that constants choose."""

    def value_of(node: Node) -> Node | None:
        if isinstance(node, Cast) and isinstance(node.type, Scalar) and node.type.kind == "uint":
            # nvcc warns of negative numbers that become unsigned ones.
            inner = replaced(node.operand, value_of)
            number = _number(inner)
            return node if number is None or number < 0 else replace(node, operand=inner)
        if isinstance(node, Binary) and node.op in _FOLDED and any(is_of_table(each, tables) for each in walk(node)):
            numbers = [_number(replaced(side, value_of)) for side in (node.left, node.right)]
            left, right = numbers
            if (
                left is None
                and right is not None
                and node.op != "*"
                and is_of_table(without_conversions(node.right), tables)
            ):
                return _moved(replaced(node.left, value_of), right, node)
            if left is None or right is None or not all(_is_of_type(each, node.type) for each in (left, right)):
                return None
            made = _FOLDED[node.op](left, right)
            return IntLiteral(made, node.type, node.span) if _is_of_type(made, node.type) else None
        if not isinstance(node, Index | MemberOf) or not is_of_table(node, tables):
            return None
        value = value_at(node)
        number = None if value is None else _number(value)
        return (
            None if number is None or not _is_of_type(number, node.type) else IntLiteral(number, node.type, node.span)
        )

    def value_at(node: Expr) -> Expr | None:
        """What a table has at a place; None where no constants tell that, or there is no such element."""
        match node:
            case Name():
                return tables.get(node.symbol.name)
            case Index():
                row, place = value_at(node.base), without_conversions(replaced(node.index, value_of))
                if not isinstance(row, Initializer) or not isinstance(place, IntLiteral):
                    return None
                return row.values[place.value] if 0 <= place.value < len(row.values) else None
            case MemberOf():
                whole = value_at(node.base)
                assert isinstance(node.base.type, Struct)
                position = [member.name for member in node.base.type.members].index(node.member)
                return whole.values[position] if isinstance(whole, Initializer) else None
        return None

    made: Block = replaced(body, value_of)
    return made


def _moved(expr: Expr, by: int, node: Binary) -> Expr | None:
    """`expr + by`, or `expr - by` as `node` has it, as one would write it; None where that is no number of its type."""
    if by == 0:
        return expr if expr.type == node.type else None
    if not _is_of_type(by, node.type) or not _is_of_type(-by, node.type):
        return None
    op = node.op if by > 0 else "-" if node.op == "+" else "+"
    return replace(node, op=op, left=expr, right=IntLiteral(abs(by), node.type, node.right.span))


def _is_of_type(number: int, ctype: CType) -> bool:
    """Whether a number is a value of an integer type: an initialiser may be converted to it."""
    if not isinstance(ctype, Scalar) or not ctype.is_integer:
        return False
    least, greatest = type_range(ctype)
    return least <= number <= greatest


def _number(value: Expr) -> int | None:
    """The value of a number with or without a sign; None for other expressions."""
    match without_conversions(value):
        case IntLiteral(value=number):
            return number
        case Unary(op="-" | "+" as sign, operand=operand):
            inner = _number(operand)
            return None if inner is None else -inner if sign == "-" else inner
    return None
