"""Loops of few iterations written out: a copy of the body for each value of the counter.

    int k = 7;                                          update(&s[7], c[0]);
    for (i < 3) for (j <= i) update(&s[k++], c[i]);     update(&s[8], c[1]); … update(&s[12], c[2]);

Every copy has variables of its own, and what counters alone decide is decided.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from pencilc.ir.queries import names_of_file, names_of_region
from pencilc.ir.rewrite import Renaming, fresh_name, renamed, replaced
from pencilc.ir.source import (
    Assign,
    Binary,
    Block,
    Cast,
    Declare,
    Expr,
    For,
    If,
    IntLiteral,
    Name,
    Node,
    Region,
    Scalar,
    Stmt,
    Symbol,
    TranslationUnit,
    Unary,
    children,
    walk,
)
from pencilc.poly.model.evaluate import GiveUp, Interpreter
from pencilc.poly.model.short_loops import STEPS, ShortLoop, counter_values, is_arithmetic


def written_out(
    unit: TranslationUnit, region: Region, loops: frozenset[int], counted: frozenset[str] = frozenset()
) -> Region | None:
    """`region` with the loops whose ids are in `loops` written out; the locals `counted` only count in these loops.

    None where a counter is used before it has a value.
    """
    try:
        return replace(region, body=_Writer(unit, region, loops, counted).block(region.body))
    except GiveUp:
        return None


def size_written_out(node: Node, loops: frozenset[int], short: Mapping[int, ShortLoop]) -> int:
    """How many statements and expressions `node` has where those of the `short` loops whose ids are in `loops` are."""
    inside = 1 + sum(size_written_out(child, loops, short) for child in children(node))
    return inside * len(short[id(node)].values) if id(node) in loops else inside


class _Writer:
    """Writes out the loops whose ids are in `loops`; every copy has variables of its own.

    The locals `counted` only count in these loops (`int k = 7; … k++;`): they become constants.
    """

    def __init__(self, unit: TranslationUnit, region: Region, loops: frozenset[int], counted: frozenset[str]) -> None:
        self.unit, self.loops, self.counted = unit, loops, counted
        self.taken = names_of_file(unit) | names_of_region(region)
        self.known: dict[str, int] = {}  # the counters of loops that are being written out, and counted locals

    def block(self, block: Block) -> Block:
        """The block with its loops written out."""
        items: list[Stmt] = []
        for item in block.items:
            items += self._stmt(item)
        return replace(block, items=tuple(items))

    def _stmt(self, stmt: Stmt) -> list[Stmt]:
        match stmt:
            case Block():
                return [self.block(stmt)]
            case For() if id(stmt) in self.loops:
                return self._copies(stmt)
            case For():
                return [replace(self._counted(stmt), body=self._one(stmt.body))]
            case If():
                return self._if(stmt)
            case Declare() if stmt.symbol.name in self.counted:
                if stmt.init is not None:
                    self._count(stmt.symbol, stmt.init)
                return []
            case Assign() if (symbol := assigned(stmt)) is not None and symbol.name in self.counted:
                self._count(symbol, stmt.value)
                return []
        folded: Stmt = replaced(stmt, self._constant)
        return [folded]

    def _if(self, stmt: If) -> list[Stmt]:
        """The branch that is taken, where counters alone decide; otherwise both."""
        condition = self._folded(stmt.condition)
        if isinstance(condition, IntLiteral):
            taken = stmt.then if condition.value else stmt.otherwise
            return [] if taken is None else self._stmt(taken)
        otherwise = None if stmt.otherwise is None else self._one(stmt.otherwise)
        return [replace(stmt, condition=condition, then=self._one(stmt.then), otherwise=otherwise)]

    def _count(self, symbol: Symbol, value: Expr) -> None:
        machine = Interpreter(self.unit, STEPS)
        machine.env.update(self.known)
        number = machine.convert(machine.value(value), symbol.type)
        assert isinstance(number, int)
        self.known[symbol.name] = number

    def _one(self, stmt: Stmt) -> Stmt:
        made = self._stmt(stmt)
        return made[0] if len(made) == 1 else Block(tuple(made), stmt.span)

    def _counted(self, loop: For) -> For:
        return replace(loop, lower=self._folded(loop.lower), bound=self._folded(loop.bound))

    def _copies(self, loop: For) -> list[Stmt]:
        values = counter_values(self.unit, loop, self.known)
        assert values is not None
        copies: list[Stmt] = []
        for value in values:
            self.known[loop.iterator.name] = value
            made = [self._own_variables(item) for item in self._stmt(loop.body)]
            del self.known[loop.iterator.name]
            for item in made:
                inner = item.items if isinstance(item, Block) and not _declares(item) else (item,)
                copies += inner
        if not loop.declares:
            copies.append(self._last_value(loop, values))
        return copies

    def _last_value(self, loop: For, values: list[int]) -> Stmt:
        """A counter that was declared outside has the value that ended the loop."""
        counter = Name(loop.iterator, loop.iterator.type, loop.span)
        if not values:
            return Assign(counter, loop.lower, loop.span)
        return Assign(counter, IntLiteral(values[-1] + loop.step, loop.iterator.type, loop.span), loop.span)

    def _own_variables(self, stmt: Stmt) -> Stmt:
        """A copy of a body whose variables have names of their own."""
        symbols: dict[str, Symbol] = {}
        for node in walk(stmt):
            if isinstance(node, Declare):
                symbols[node.symbol.name] = renamed(node.symbol, self.taken)
            elif isinstance(node, For) and node.declares:
                name = fresh_name(node.iterator.spelling, self.taken)
                symbols[node.iterator.name] = replace(node.iterator, name=name)
        copy: Stmt = Renaming(symbols, {}).node(stmt)
        return copy

    def _folded(self, expr: Expr) -> Expr:
        """The expression with the known counters as constants, and what they make constant as well."""
        folded: Expr = replaced(expr, self._constant)
        return folded

    def _constant(self, part: Node) -> Expr | None:
        """The constant that a part of an expression is now; None where it is none, or was one in the source."""
        if isinstance(part, Name) and part.symbol.name in self.known:
            return IntLiteral(self.known[part.symbol.name], part.type, part.span)
        if not isinstance(part, Binary | Unary | Cast) or not is_arithmetic(part, set(self.known)):
            return None
        if not (isinstance(part.type, Scalar) and part.type.is_integer):
            return None
        if not any(isinstance(n, Name) for n in walk(part)):
            return None
        machine = Interpreter(self.unit, STEPS)
        machine.env.update(self.known)
        try:
            value = machine.value(part)
        except GiveUp:
            return None
        return IntLiteral(value, part.type, part.span) if isinstance(value, int) else None


def assigned(stmt: Assign) -> Symbol | None:
    """The variable that the statement assigns to, if it is no element or member."""
    return stmt.target.symbol if isinstance(stmt.target, Name) else None


def _declares(block: Block) -> bool:
    return any(isinstance(item, Declare) for item in block.items)
