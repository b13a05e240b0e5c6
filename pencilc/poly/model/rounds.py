"""Loops around parallel loops that end when data say so: `while`, `do`, and `for` with `break`.

    while (err > eps) { … }          for (round = 0; round < rounds; round++) { int left = !(err > eps);
                                                                                if (left) break;  … }

In the model such a loop runs as often as it may: `rounds`, a parameter that no caller gives, stands for any number.  A
round has a statement for each `left` (StatementKind.LEAVE), which everything in front of it comes before and everything
behind it waits for.  On the GPU the loop is one on the host, which reads `left` back and leaves.

Only loops of the region itself are taken, and loops directly inside of these: in a parallel loop each thread has its
own.
"""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Sequence as Seq
from dataclasses import dataclass, replace

from pencilc.ir.rewrite import fresh_name
from pencilc.ir.source import (
    INT,
    LLONG,
    Binary,
    Block,
    Declare,
    Expr,
    For,
    If,
    IntLiteral,
    Jump,
    Name,
    Node,
    Region,
    Return,
    Stmt,
    Symbol,
    Unary,
    While,
    children,
    walk,
)

# More rounds than any computer can do.
MOST_ROUNDS = 2**62
# A loop inside with fewer iterations, known when it is compiled, is not worth a launch.
WORTH_A_LAUNCH = 32


def with_rounds(region: Region, identifiers: set[str]) -> Region | None:
    """`region` with the loops that data end as loops of the model; None where there is none.

    `identifiers`: names that new variables must not have.
    """
    taken = set(identifiers)
    visitor = _Rounds(region, taken)
    body = visitor.block(region.body)
    if not visitor.left:
        return None
    rounds = visitor.rounds if visitor.is_endless else None
    return replace(region, body=body, left=tuple(visitor.left), rounds=rounds, plain=region)


def is_leave(stmt: Node, left: Seq[str]) -> bool:
    """Whether `stmt` is the `if (left) break;` of one of the variables `left`."""
    return isinstance(stmt, If) and isinstance(stmt.condition, Name) and stmt.condition.symbol.name in left


def own_jumps(stmt: Stmt) -> Iterator[Jump]:
    """Every `break` and `continue` in the body of a loop that is about this loop."""
    if isinstance(stmt, Jump):
        yield stmt
        return
    for child in children(stmt):
        if not isinstance(child, For | While):
            yield from own_jumps(child)  # type: ignore[arg-type]


@dataclass(frozen=True, slots=True)
class _Leave:
    """A place in a round where the loop is left if the condition, an `int`, holds."""

    condition: Expr


class _NotTaken(Exception):
    """The loop stays one statement."""


class _Rounds:
    """Goes through the loops of a region from outside."""

    def __init__(self, region: Region, taken: set[str]) -> None:
        self.taken = taken
        self.left: list[str] = []
        self.is_endless = False
        self.rounds = Symbol(fresh_name("rounds", taken), "rounds", LLONG, "param", region.span)

    def block(self, block: Block) -> Block:
        """`block`, whose loops are loops of the region or directly inside of loops that were taken."""
        return replace(block, items=tuple(self._stmt(item) for item in block.items))

    def _stmt(self, stmt: Stmt) -> Stmt:
        match stmt:
            case Block():
                return self.block(stmt)
            case While() | For() if _is_worth_it(stmt):
                known, endless, names = len(self.left), self.is_endless, set(self.taken)
                try:
                    return self._loop(stmt)
                except _NotTaken:
                    del self.left[known:]
                    self.is_endless = endless
                    self.taken.intersection_update(names)
        return stmt

    def _loop(self, loop: While | For) -> Stmt:
        body = loop.body.items if isinstance(loop.body, Block) else (loop.body,)
        inside = self._items(body)
        if isinstance(loop, For):
            return replace(loop, body=Block(self._body(inside), loop.span))
        goes_on = loop.condition
        is_always = isinstance(goes_on, IntLiteral) and goes_on.value != 0
        ends = () if is_always else (_Leave(Unary("!", goes_on, INT, goes_on.span)),)
        if is_always and not any(isinstance(item, _Leave) for item in inside):
            raise _NotTaken
        self.is_endless = True
        span = loop.span
        counter = Symbol(fresh_name("round", self.taken), "round", LLONG, "iterator", span)
        items = (*inside, *ends) if loop.do_first else (*ends, *inside)
        return For(
            counter, IntLiteral(0, LLONG, span), "<", Name(self.rounds, LLONG, span), 1,
            Block(self._body(items), span), declares=True, independent=False, span=span,
        )  # fmt: skip

    def _items(self, items: Seq[Stmt]) -> list[Stmt | _Leave]:
        """The items of a loop with what leaves it; raises _NotTaken."""
        found: list[Stmt | _Leave] = []
        for item in items:
            if not any(True for _ in own_jumps(item)) or isinstance(item, For | While):
                found.append(self._stmt(item))
            elif isinstance(item, Block):
                found += self._items(item.items)
            elif isinstance(item, If):
                found += self._break(item)
            else:
                raise _NotTaken
        return found

    def _break(self, stmt: If) -> list[Stmt | _Leave]:
        """`if (c) { …; break; } else …` of a loop: the condition, what is done before, and leaving."""
        then = stmt.then.items if isinstance(stmt.then, Block) else (stmt.then,)
        *before, last = then
        if not isinstance(last, Jump) or last.keyword != "break" or any(True for s in before for _ in own_jumps(s)):
            raise _NotTaken
        condition = stmt.condition if stmt.condition.type == INT else _truth(stmt.condition)
        found: list[Stmt | _Leave] = []
        if before:
            symbol = Symbol(fresh_name("leaves", self.taken), "leaves", INT, "local", stmt.span)
            leaves = Name(symbol, INT, stmt.span)
            found = [
                Declare(symbol, condition, stmt.span),
                If(leaves, Block(tuple(before), stmt.span), None, stmt.span),
            ]
            condition = leaves
        found.append(_Leave(condition))
        if stmt.otherwise is not None:
            found += self._items((stmt.otherwise,))
        return found

    def _body(self, items: Seq[Stmt | _Leave]) -> tuple[Stmt, ...]:
        """The items of a round as statements; the host asks once for conditions that follow each other."""
        found: list[Stmt] = []
        waiting: Expr | None = None
        for item in (*items, None):
            if isinstance(item, _Leave):
                own = item.condition
                waiting = own if waiting is None else Binary("||", waiting, own, INT, waiting.span)
                continue
            if waiting is not None:
                symbol = Symbol(fresh_name("left", self.taken), "left", INT, "local", waiting.span)
                self.left.append(symbol.name)
                found.append(Declare(symbol, waiting, waiting.span))
                leave = Jump("break", waiting.span)
                found.append(If(Name(symbol, INT, waiting.span), leave, None, waiting.span))
                waiting = None
            if item is not None:
                found.append(item)
        return tuple(found)


def _truth(condition: Expr) -> Expr:
    """1 where the condition holds, else 0."""
    return Unary("!", Unary("!", condition, INT, condition.span), INT, condition.span)


def _is_worth_it(loop: While | For) -> bool:
    """Whether data may end the loop, and a loop inside of it may be worth a launch."""
    if isinstance(loop, For) and (loop.independent or loop.reductions or not any(True for _ in own_jumps(loop.body))):
        return False
    if any(isinstance(node, Return) for node in walk(loop.body)):
        return False
    return has_long_loop(loop.body)


def has_long_loop(stmt: Stmt) -> bool:
    """Whether a loop that may be worth a launch stands in `stmt`."""
    return any(isinstance(node, For) and not _is_short(node) for node in walk(stmt))


def _is_short(loop: For) -> bool:
    if not isinstance(loop.lower, IntLiteral) or not isinstance(loop.bound, IntLiteral):
        return False
    return abs(loop.bound.value - loop.lower.value) < WORTH_A_LAUNCH * abs(loop.step)
