"""Loops around parallel loops that end when data say so: `while`, `do`, and `for` with `break`.

    while (err > eps) { … }          for (round = 0; round < rounds; round++) { int left = !(err > eps);
                                                                                if (left) break;  … }

In the model such a loop runs as often as it may: `rounds`, a parameter that no caller gives, stands for any number.  A
round has a statement for each `left` (StatementKind.LEAVE), which everything in front of it comes before and everything
behind it waits for.  On the GPU the loop is one on the host, which reads `left` back and leaves.

Only loops of the region itself are taken, and loops directly inside of these or of loops that count: where such a loop
turns out to be parallel each of its threads has its own (`schedule/idle.py`).
"""

from __future__ import annotations

from collections.abc import Sequence as Seq
from dataclasses import replace
from enum import Enum, auto

from pencilc.diagnostics.source import Span
from pencilc.ir.queries import has_own_jump
from pencilc.ir.rewrite import fresh_name, truth_of, truth_variable, written_names
from pencilc.ir.source import (
    INT,
    LLONG,
    Assign,
    Binary,
    Block,
    Cast,
    Declare,
    Expr,
    Factor,
    For,
    If,
    IntLiteral,
    Jump,
    Name,
    Node,
    Region,
    Return,
    Scalar,
    Stmt,
    Struct,
    Symbol,
    Unary,
    While,
    walk,
)
from pencilc.poly.model.factor_loops import with_factor_loops
from pencilc.poly.model.long_loops import has_long_loop
from pencilc.records import dataclass

# More rounds than any computer can do.
MOST_ROUNDS = 2**62


class HostedLoops(Enum):
    """Which loops that data end are loops of the model."""

    ALL = auto()
    OUTSIDE = auto()  # those that stand in no loop that counts
    NONE = auto()


def with_rounds(region: Region, identifiers: set[str], which: HostedLoops = HostedLoops.ALL) -> Region | None:
    """`region` with the loops that data end as loops of the model; None where there is none.

    `identifiers`: names that new variables must not have.
    """
    if which is HostedLoops.NONE:
        return None
    taken = set(identifiers)
    visitor = _Rounds(region, taken, which is HostedLoops.ALL)
    try:
        body = visitor.block(region.body)
    except _NotTaken:
        return None  # a loop whose counter is multiplied has lost what sets that
    if not visitor.left:
        return None
    rounds = visitor.rounds if visitor.is_endless else None
    return replace(region, body=body, left=tuple(visitor.left), rounds=rounds, plain=region)


def is_leave(stmt: Node, left: Seq[str]) -> bool:
    """Whether `stmt` is the `if (left) break;` of one of the variables `left`."""
    return isinstance(stmt, If) and isinstance(stmt.condition, Name) and stmt.condition.symbol.name in left


@dataclass(frozen=True, slots=True)
class _Leave:
    """A place in a round where the loop is left if the condition, an `int`, holds."""

    condition: Expr


class _NotTaken(Exception):
    """The loop stays one statement."""


class _Rounds:
    """Goes through the loops of a region from outside."""

    def __init__(self, region: Region, taken: set[str], inside_others: bool) -> None:
        self.taken, self.inside_others = taken, inside_others
        self.left: list[str] = []
        self.is_endless = False
        self.rounds = Symbol(fresh_name("rounds", taken), "rounds", LLONG, "param", region.span)
        self.region = region.body
        self.written = written_names(region.body)
        # What has the same value wherever it is asked for.
        self.settled = {param.name for param in region.params} - self.written
        for item in region.body.items:
            self.settled |= self.settled_by(item)

    def settled_by(self, stmt: Stmt) -> set[str]:
        """The variable that `stmt` gives the only value that it ever has."""
        is_only = isinstance(stmt, Declare) and stmt.init is not None and stmt.symbol.name not in self.written
        return {stmt.symbol.name} if isinstance(stmt, Declare) and is_only else set()

    def block(self, block: Block) -> Block:
        """`block`, whose loops are loops of the region or directly inside of loops that were taken."""
        items = with_factor_loops(block, self.region, self.taken).items
        return replace(block, items=tuple(self.inside(item) for item in items))

    def inside(self, stmt: Stmt) -> Stmt:
        """A statement of a loop that was taken, whose own loops may be taken too."""
        match stmt:
            case Block():
                return self.block(stmt)
            case For(factor=Factor()):
                return self._loop(stmt)
            case While() | For() if _is_worth_it(stmt):
                known, endless, names = len(self.left), self.is_endless, set(self.taken)
                try:
                    return self._loop(stmt)
                except _NotTaken:
                    del self.left[known:]
                    self.is_endless = endless
                    self.taken.intersection_update(names)
            case For() if self.inside_others and not stmt.independent and not stmt.reductions:
                # It may be sequential itself; where it is not, each of its threads has the loops inside of it.
                return replace(stmt, body=self.inside(stmt.body))
        return stmt

    def _loop(self, loop: While | For) -> Stmt:
        body = with_factor_loops(loop.body, self.region, self.taken) if isinstance(loop.body, Block) else loop.body
        inside: Seq[Stmt | _Leave] = _Round(self, body).items
        if isinstance(loop, For) and loop.factor is not None:
            # No data end it, but the host does its iterations like those of others.
            inside = (_Leave(IntLiteral(0, INT, loop.span)), *inside)
        if isinstance(loop, For):
            if not any(isinstance(item, _Leave) for item in inside):
                raise _NotTaken
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
                symbol = truth_variable("left", self.taken, waiting.span)
                self.left.append(symbol.name)
                found.append(Declare(symbol, waiting, waiting.span))
                leave = Jump("break", waiting.span)
                found.append(If(Name(symbol, INT, waiting.span), leave, None, waiting.span))
                waiting = None
            if item is not None:
                found.append(item)
        return tuple(found)


class _Round:
    """The items of a round, one after the other, with what leaves the loop; raises _NotTaken.

        if (c) x = 1;                                int holds = c;
        else { if (d) break;  y = 2; }               if (holds) x = 1;
                                           ->        (leave if !holds && d)
                                                     if (!holds) y = 2;

    What a `break` is behind or beside is done where the conditions hold that lead to it: each is evaluated once, where
    it stands, for what is done in between may change it.  No `continue` is left (`frontend/rewrite/continues.py`).
    """

    def __init__(self, rounds: _Rounds, body: Stmt) -> None:
        self.rounds = rounds
        self.settled = set(rounds.settled)
        self.items: list[Stmt | _Leave] = []
        self._add(body, ())

    def _add(self, stmt: Stmt, where: tuple[Expr, ...]) -> None:
        """Add what `stmt` does where all conditions of `where` hold."""
        if isinstance(stmt, For | While) or not has_own_jump(stmt):
            self._plain(stmt, where)
        elif isinstance(stmt, Block):
            for item in stmt.items:
                self._add(item, where)
        elif isinstance(stmt, Jump):
            guard = self._guard(where, stmt.span)
            self.items.append(_Leave(IntLiteral(1, INT, stmt.span) if guard is None else guard))
        elif isinstance(stmt, If):
            self._if(stmt, where)
        else:
            raise _NotTaken

    def _plain(self, stmt: Stmt, where: tuple[Expr, ...]) -> None:
        guard = self._guard(where, stmt.span)
        known = self.rounds.settled_by(stmt)
        if guard is None:
            self.items.append(self.rounds.inside(stmt))
            self.settled |= known
        elif isinstance(stmt, Declare) and known and _is_settled(stmt.init, self.settled):
            self.items.append(stmt)
            self.settled |= known
        else:
            self.items += _under(guard, stmt)

    def _if(self, stmt: If, where: tuple[Expr, ...]) -> None:
        condition = truth_of(stmt.condition)
        then = stmt.then.items if isinstance(stmt.then, Block) else (stmt.then,)
        if len(then) == 1 and isinstance(then[0], Jump):
            # Nothing comes between the condition and what it decides, and what is behind it knows that it did not hold.
            self.items.append(_Leave(_both(self._guard(where, stmt.span), condition)))
            if stmt.otherwise is not None:
                self._add(stmt.otherwise, where)
            return
        guard = self._guard(where, stmt.span)
        holds = self._known("leaves" if _ends_with_break(then) else "holds", _both(guard, condition))
        for item in then:
            self._add(item, (holds,))
        if stmt.otherwise is not None:
            self._add(stmt.otherwise, (*where, Unary("!", holds, INT, stmt.span)))

    def _guard(self, where: tuple[Expr, ...], span: Span) -> Expr | None:
        """What holds where something is done, None where it always is."""
        found: Expr | None = None
        for condition in where:
            found = condition if found is None else Binary("&&", found, condition, INT, span)
        return found

    def _known(self, wish: str, condition: Expr) -> Expr:
        """A variable that keeps what holds now."""
        symbol = truth_variable(wish, self.rounds.taken, condition.span)
        self.items.append(Declare(symbol, condition, condition.span))
        return Name(symbol, INT, condition.span)


def _under(guard: Expr, stmt: Stmt) -> tuple[Stmt, ...]:
    """`stmt` where the guard, of variables that stay, holds; the model has loops under conditions (`statements.py`)."""
    match stmt:
        case Declare(init=None):
            return (stmt,)
        case Declare(symbol=symbol, init=value) if value is not None:
            if not isinstance(symbol.type, Scalar | Struct):
                raise _NotTaken
            # What follows sees the variable, so that it cannot be declared below the condition.
            assigned = Assign(Name(symbol, symbol.type, stmt.span), value, stmt.span)
            return (replace(stmt, init=None), If(guard, assigned, None, stmt.span))
    return (If(guard, stmt, None, stmt.span),)


def _is_settled(value: Expr | None, settled: set[str]) -> bool:
    """Whether a value may be asked for anywhere: nothing that is not there yet, no element, no division by 0."""
    for node in () if value is None else walk(value):
        match node:
            case Name(symbol=symbol):
                if symbol.name not in settled:
                    return False
            case Binary(op="+" | "-" | "*") | Cast() | IntLiteral():
                continue
            case Binary(op="/" | "%", right=IntLiteral(value=divisor)) if divisor > 0:
                continue
            case _:
                return False
    return True


def _ends_with_break(items: Seq[Stmt]) -> bool:
    return isinstance(items[-1], Jump) and items[-1].keyword == "break"


def _both(one: Expr | None, other: Expr) -> Expr:
    return other if one is None else Binary("&&", one, other, INT, other.span)


def _is_worth_it(loop: While | For) -> bool:
    """Whether data may end the loop, and a loop inside of it may be worth a launch."""
    if isinstance(loop, For) and (loop.independent or loop.reductions or not has_own_jump(loop.body)):
        return False
    if any(isinstance(node, Return) for node in walk(loop.body)):
        return False
    return has_long_loop(loop.body)
