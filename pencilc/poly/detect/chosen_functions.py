"""The functions of the struct that a selection keeps: no element, one element, and which of two the loop takes."""

from __future__ import annotations

from collections.abc import Sequence

from pencilc.diagnostics.source import Span
from pencilc.ir.source import (
    INT,
    VOID,
    Assign,
    Binary,
    Block,
    Declare,
    Dereference,
    Expr,
    FloatLiteral,
    For,
    Function,
    If,
    InOrder,
    IntLiteral,
    Member,
    MemberOf,
    Name,
    PointerType,
    Return,
    Stmt,
    Struct,
    Symbol,
    Ternary,
    is_floating,
)
from pencilc.poly.reductions.identities import limit, worst


class ChosenFunctions:
    """The functions of one struct: what stands for no element, an element, the one of two that the loops take."""

    def __init__(self, struct: Struct, smallest: bool, strict: bool, loops: Sequence[For], span: Span) -> None:
        """`smallest`: of all values that one is taken, or else the greatest; `strict`: of equal ones the first."""
        self.struct, self.smallest, self.strict, self.loops, self.span = struct, smallest, strict, loops, span

    def none(self) -> Function:
        """Writes what loses against each element."""
        pointer = PointerType(self.struct)
        symbol = Symbol("p", "p", pointer, "param", self.span)
        place = Dereference(Name(symbol, pointer, self.span), self.struct, self.span)
        body = [Assign(self._member(place, each), self._nothing(each), self.span) for each in self.struct.members]
        return Function("", VOID, (symbol,), Block(tuple(body), self.span), True, self.span)

    def one(self) -> Function:
        """An element; what is not a number loses too."""
        params = [Symbol(each.name, each.name, each.type, "param", self.span) for each in self.struct.members]
        made = Symbol("made", "made", self.struct, "local", self.span)
        body: list[Stmt] = [Declare(made, None, self.span)]
        value = Name(params[0], params[0].type, self.span)
        is_number = Binary("==", value, value, INT, self.span)
        for member, symbol in zip(self.struct.members, params, strict=True):
            given: Expr = Name(symbol, symbol.type, self.span)
            if is_floating(self.struct.members[0].type) and not member.name.startswith("with"):
                given = Ternary(is_number, given, self._nothing(member), member.type, self.span)
            body.append(Assign(self._member(Name(made, self.struct, self.span), member), given, self.span))
        body.append(Return(Name(made, self.struct, self.span), self.span))
        return Function("", self.struct, tuple(params), Block(tuple(body), self.span), True, self.span)

    def chosen(self) -> Function:
        """`a.value < b.value || (a.value == b.value && a stands first) ? a : b`."""
        symbols = [Symbol(name, name, self.struct, "param", self.span) for name in "ab"]
        a, b = (Name(symbol, self.struct, self.span) for symbol in symbols)
        value, *places = self.struct.members[: 1 + len(self.loops)]
        comparison = "<" if self.smallest else ">"
        order = self._compared(a, b, places[-1], len(places) - 1)
        for number in reversed(range(len(places) - 1)):
            place = places[number]
            order = self._or(self._compared(a, b, place, number), self._and(self._equal(a, b, place), order))
        test = self._or(self._binary(comparison, a, b, value), self._and(self._equal(a, b, value), order))
        body = Block((Return(Ternary(test, a, b, self.struct, self.span), self.span),), self.span)
        return Function("", self.struct, tuple(symbols), body, True, self.span)

    def following(self, operator: str, one: str) -> Function | None:
        """What is chosen of what there was before and an element behind it, where one comparison says which.

        What is not a number is never taken; of equal values the places, which ascend, are not looked at.
        """
        takes_first = {(loop.step > 0) == self.strict for loop in self.loops}
        if len(takes_first) > 1:
            return None
        comparison = ("<" if self.smallest else ">") + ("" if True in takes_first else "=")
        before = Symbol("before", "before", self.struct, "param", self.span)
        params = [Symbol(each.name, each.name, each.type, "param", self.span) for each in self.struct.members]
        kept = Name(before, self.struct, self.span)
        value = Name(params[0], params[0].type, self.span)
        best = self._member(kept, self.struct.members[0])
        test = Binary(comparison, value, best, INT, self.span)
        taken = [
            Assign(self._member(kept, member), Name(symbol, symbol.type, self.span), self.span)
            for member, symbol in zip(self.struct.members, params, strict=True)
        ]
        body = (If(test, Block(tuple(taken), self.span), None, self.span), Return(kept, self.span))
        in_order = InOrder(operator, one, len(self.loops))
        return Function("", self.struct, (before, *params), Block(body, self.span), True, self.span, in_order=in_order)

    def nowhere(self, number: int) -> Expr:
        """The value of the counter of a loop that stands for no element."""
        loop = self.loops[number]
        is_largest = (loop.step > 0) == self.strict
        return limit(loop.iterator.type, is_largest, self.span)

    def _nothing(self, member: Member) -> Expr:
        if member.name == "value":
            return worst(member.type, self.smallest, self.span)
        if member.name.startswith("with"):
            zero: Expr = IntLiteral(0, member.type, self.span)
            return FloatLiteral("0.0", member.type, self.span) if is_floating(member.type) else zero
        return self.nowhere(int(member.name.removeprefix("at")))

    def _compared(self, a: Expr, b: Expr, place: Member, number: int) -> Expr:
        """Whether `a` comes before `b`, or behind it where the last one is taken, by one counter."""
        upwards = self.loops[number].step > 0
        return self._binary("<" if upwards == self.strict else ">", a, b, place)

    def _equal(self, a: Expr, b: Expr, member: Member) -> Expr:
        return self._binary("==", a, b, member)

    def _binary(self, op: str, a: Expr, b: Expr, member: Member) -> Expr:
        return Binary(op, self._member(a, member), self._member(b, member), INT, self.span)

    def _and(self, left: Expr, right: Expr) -> Expr:
        return Binary("&&", left, right, INT, self.span)

    def _or(self, left: Expr, right: Expr) -> Expr:
        return Binary("||", left, right, INT, self.span)

    def _member(self, base: Expr, member: Member) -> Expr:
        return MemberOf(base, member.name, member.type, self.span)
