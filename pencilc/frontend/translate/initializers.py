"""`{…}` of declarations and compound literals, normalised: one value for each member or element.

Before: `struct s x = {.b = {[2] = 3}, .a = 1};`
After:  `Initializer((1, Initializer((0, 0, 3))))`, every value converted to its member's type.
"""

from __future__ import annotations

from collections import deque
from dataclasses import replace
from typing import Any

from pencilc.diagnostics.source import Span
from pencilc.frontend.limits import ELEMENTS, more_than
from pencilc.frontend.syntax.literals import parse_string
from pencilc.frontend.translate.constants import integer_value, wrap
from pencilc.frontend.translate.translators import Expressions
from pencilc.ir.source import (
    FLOAT,
    INT,
    SMALL_FLOATS,
    ArrayType,
    Call,
    CType,
    Expr,
    FloatLiteral,
    Initializer,
    IntLiteral,
    Scalar,
    Struct,
    is_floating,
)

_ANY_LENGTH = 1 << 62  # of an array that has as many elements as its initialiser gives


def initialize(tr: Expressions, ctype: CType, node: Any) -> Expr:
    """The value that `node` gives to an object of type `ctype`."""
    is_aggregate = isinstance(ctype, ArrayType) or type(node).__name__ == "InitList"
    if is_aggregate and tr.context.count_initialized(node, _elements(ctype)) > ELEMENTS:
        raise tr.context.refuse("PC0006", more_than(ELEMENTS, "elements of initialised arrays"), node)
    return _value(tr, ctype, node)


def _elements(ctype: CType) -> int:
    """How many scalars an object has."""
    if isinstance(ctype, Struct):
        return sum(_elements(member.type) for member in ctype.members)
    if isinstance(ctype, ArrayType) and isinstance(ctype.extent, IntLiteral):
        return ctype.extent.value * _elements(ctype.element)
    return 1


def _value(tr: Expressions, ctype: CType, node: Any) -> Expr:
    if (text := _string_for(ctype, node)) is not None:
        return _characters(tr, ctype, text, node)
    if type(node).__name__ != "InitList":
        return tr.converted(node, ctype, "the initialiser")
    if isinstance(ctype, Scalar):
        if len(node.exprs) != 1:
            raise tr.context.refuse("PC0012", "a scalar takes one initialiser", node)
        return _value(tr, ctype, node.exprs[0])
    slots: dict[int, Any] = {}
    items = _Items(deque(node.exprs))
    _fill(tr, ctype, slots, items, braced=True)
    if items.left:
        raise tr.context.refuse("PC0012", "too many initialisers", items.left[0])
    return _build(tr, ctype, slots, tr.context.span(node))


def array_length(tr: Expressions, ctype: ArrayType, node: Any) -> int | None:
    """The extent that an initialiser gives to `T a[] = {…}` or `char a[] = "…"`; None where it gives none."""
    if (text := _string_for(ctype, node)) is not None:
        return len(_bytes_of(tr, text, node)) + 1
    if type(node).__name__ != "InitList":
        return None
    slots: dict[int, Any] = {}
    unlimited = replace(ctype, extent=IntLiteral(_ANY_LENGTH, INT, tr.context.span(node)))
    _fill(tr, unlimited, slots, _Items(deque(node.exprs)), braced=True)
    return max(slots, default=-1) + 1


def _string_for(ctype: CType, node: Any) -> str | None:
    """The string literal that initialises the characters of an array of type `ctype`, in braces or not."""
    if not isinstance(ctype, ArrayType) or not isinstance(ctype.element, Scalar):
        return None
    if type(node).__name__ == "InitList" and len(node.exprs) == 1:
        node = node.exprs[0]
    is_string = type(node).__name__ == "Constant" and node.type == "string"
    return str(node.value) if is_string and ctype.element.is_integer and ctype.element.size == 1 else None


def _bytes_of(tr: Expressions, text: str, node: Any) -> bytes:
    try:
        return parse_string(text)
    except ValueError:
        raise tr.context.refuse("PC0014", f"string {text} is not supported here", node) from None


def _characters(tr: Expressions, ctype: CType, text: str, node: Any) -> Expr:
    assert isinstance(ctype, ArrayType)
    data, span = _bytes_of(tr, text, node), tr.context.span(node)
    if not isinstance(ctype.extent, IntLiteral):
        raise tr.context.refuse("PC0012", "an array of variable extent takes no initialiser", node)
    count = ctype.extent.value
    if len(data) > count:
        raise tr.context.refuse("PC0012", f"the string has {len(data)} characters, and the array {count}", node)
    values = (IntLiteral(wrap(byte, ctype.element), ctype.element, span) for byte in data.ljust(count, b"\0"))
    return Initializer(tuple(values), ctype, span)


class _Items:
    """The initialisers not used so far."""

    def __init__(self, left: deque[Any]) -> None:
        self.left = left


def _fill(tr: Expressions, ctype: CType, slots: dict[int, Any], items: _Items, braced: bool) -> None:
    """Distribute `items` over the members of `ctype`; a member without braces takes what it needs."""
    count, position = _count(tr, ctype, items), 0
    while items.left:
        item = items.left[0]
        path: list[Any] = []
        if type(item).__name__ == "NamedInitializer":
            if not braced:
                return
            path = list(item.name)
            position, item = _designated(tr, ctype, path.pop(0)), item.expr
        if position >= count:
            return
        member = _member_type(ctype, position)
        if path:
            items.left.popleft()
            inner = slots.setdefault(position, {})
            _descend(tr, member, inner, path, item)
        elif _stands_for(tr, member, item):
            items.left.popleft()
            slots[position] = item
        else:
            items.left[0] = item
            inner = slots[position] = {}
            _fill(tr, member, inner, items, braced=False)
        position += 1


def _descend(tr: Expressions, ctype: CType, slots: dict[int, Any], path: list[Any], item: Any) -> None:
    position = _designated(tr, ctype, path[0])
    if len(path) == 1:
        slots[position] = item
    else:
        _descend(tr, _member_type(ctype, position), slots.setdefault(position, {}), path[1:], item)


def _stands_for(tr: Expressions, member: CType, item: Any) -> bool:
    """Whether an initialiser is that of the whole member."""
    if type(item).__name__ == "InitList" or isinstance(member, Scalar) or _string_for(member, item) is not None:
        return True
    if not isinstance(member, Struct):
        return False
    return tr.translate(item).type == member


def _designated(tr: Expressions, ctype: CType, designator: Any) -> int:
    if isinstance(ctype, Struct):
        for k, member in enumerate(ctype.members):
            if type(designator).__name__ == "ID" and member.name == designator.name:
                return k
        name = getattr(designator, "name", "[…]")
        raise tr.context.refuse("PC0012", f"`{ctype.name}` has no member `{name}`", designator)
    if type(designator).__name__ == "ExprList":
        raise tr.context.refuse("PC0013", "ranges of elements are not supported in an initialiser", designator)
    inner = designator.expr if type(designator).__name__ == "ArrayDesignator" else designator
    value = integer_value(tr.arithmetic(inner))
    if value is None or value < 0:
        raise tr.context.refuse("PC0012", "array designator must be a constant", designator)
    return value


def _count(tr: Expressions, ctype: CType, items: _Items) -> int:
    if isinstance(ctype, Struct):
        return len(ctype.members)
    if isinstance(ctype, ArrayType) and isinstance(ctype.extent, IntLiteral):
        return ctype.extent.value
    raise tr.context.refuse("PC0012", "an array of variable extent takes no initialiser", items.left[0])


def _member_type(ctype: CType, position: int) -> CType:
    if isinstance(ctype, Struct):
        return ctype.members[position].type
    assert isinstance(ctype, ArrayType)
    return ctype.element


def _build(tr: Expressions, ctype: CType, slots: dict[int, Any], span: Span) -> Expr:
    count = len(ctype.members) if isinstance(ctype, Struct) else _extent(ctype)
    values: list[Expr] = []
    for k in range(count):
        member, slot = _member_type(ctype, k), slots.get(k)
        if slot is None:
            values.append(zero(member, span))
        elif isinstance(slot, dict):
            values.append(_build(tr, member, slot, span))
        else:
            values.append(_value(tr, member, slot))
    return Initializer(tuple(values), ctype, span)


def _extent(ctype: CType) -> int:
    assert isinstance(ctype, ArrayType) and isinstance(ctype.extent, IntLiteral)
    return ctype.extent.value


def zero(ctype: CType, span: Span) -> Expr:
    """The value of an object that an initialiser leaves out."""
    if isinstance(ctype, Struct):
        return Initializer(tuple(zero(m.type, span) for m in ctype.members), ctype, span)
    if isinstance(ctype, ArrayType):
        return Initializer((zero(ctype.element, span),) * _extent(ctype), ctype, span)
    if ctype in SMALL_FLOATS:
        assert isinstance(ctype, Scalar)
        name = f"pencil_float_to_{ctype.name.removeprefix('pencil_')}"
        return Call(name, (FloatLiteral("0.0f", FLOAT, span),), ctype, span)
    if is_floating(ctype):
        return FloatLiteral("0.0f" if ctype.size == 4 else "0.0", ctype, span)
    return IntLiteral(0, ctype, span)
