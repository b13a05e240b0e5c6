"""A `continue` becomes a condition around what it skips, so that a loop has no jumps but those that leave it.

Before: `for (…) { if (a[i] < 0) continue;  s += a[i]; }`
After:  `for (…) { if (!(a[i] < 0)) { s += a[i]; } }`

Where a branch of an `if` may go either way, a variable tells which it was:

Before: `for (…) { if (p) { if (q) continue;  x[i] = 1; }  y[i] = 2; }`
After:  `for (…) { int skips = 0;  if (p) { if (q) skips = 1; else x[i] = 1; }  if (!skips) y[i] = 2; }`
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pencilc.diagnostics.source import Span
from pencilc.ir.queries import has_effects, names_in, names_of_region
from pencilc.ir.rewrite import truth_of, truth_variable, written_names
from pencilc.ir.source import (
    INT,
    Assign,
    Binary,
    Block,
    Declare,
    Expr,
    For,
    If,
    IntLiteral,
    Jump,
    Name,
    Region,
    Scalar,
    Stmt,
    Symbol,
    Unary,
    While,
    walk,
)

_OPPOSITE = {"<": ">=", ">=": "<", ">": "<=", "<=": ">", "==": "!=", "!=": "=="}


def without_continues(region: Region, identifiers: frozenset[str]) -> Region:
    """`region` with loops of which nothing is skipped by a jump; `identifiers` are the names that the file has."""
    if not any(isinstance(node, Jump) and node.keyword == "continue" for node in walk(region.body)):
        return region
    body = _Continues({*identifiers, *names_of_region(region)}).stmt(region.body)
    assert isinstance(body, Block)
    return replace(region, body=body)


def skipping(body: Stmt, taken: set[str]) -> Stmt:
    """The body of a loop without the `continue`s of this loop; names of new variables are added to `taken`."""
    if not continues(body):
        return body
    return Block(_Continues(taken).items(_items(body), None), body.span)


class _Continues:
    """The rewriting of one region; `taken`: names that a new variable cannot have."""

    def __init__(self, taken: set[str]) -> None:
        self.taken = taken

    def stmt(self, stmt: Stmt) -> Stmt:
        """`stmt` with the bodies of all its loops rewritten, the inner ones first."""
        match stmt:
            case Block():
                return replace(stmt, items=tuple(self.stmt(item) for item in stmt.items))
            case If():
                otherwise = None if stmt.otherwise is None else self.stmt(stmt.otherwise)
                return replace(stmt, then=self.stmt(stmt.then), otherwise=otherwise)
            case For() | While():
                return replace(stmt, body=skipping(self.stmt(stmt.body), self.taken))
        return stmt

    def items(self, items: Sequence[Stmt], skips: Symbol | None) -> tuple[Stmt, ...]:
        """Statements up to the end of a body, of which none is a `continue`.

        `skips`: the variable that tells what comes behind these statements whether it is skipped.
        """
        made: list[Stmt] = []
        for position, item in enumerate(items):
            rest = tuple(items[position + 1 :])
            if not continues(item):
                made.append(item)
                continue
            match item:
                case Block():
                    made.append(replace(item, items=self.items((*item.items, *rest), skips)))
                case If():
                    made += self.branches(item, rest, skips)
                case _:
                    made += [_set(skips, 1, item.span)] if skips is not None else []
            break
        return tuple(made)

    def branches(self, stmt: If, rest: tuple[Stmt, ...], skips: Symbol | None) -> list[Stmt]:
        """An `if` with a `continue` in it, and the statements behind it."""
        then, otherwise = _items(stmt.then), _items(stmt.otherwise)
        under = (*then, *otherwise, *rest)
        if _has_loop(under) and names_in(stmt.condition) & {name for each in under for name in written_names(each)}:
            # What is under the condition changes what it asks: the loops there want to know what it was.
            holds = truth_variable("holds", self.taken, stmt.span)
            kept = replace(stmt, condition=Name(holds, INT, stmt.span))
            return [Declare(holds, truth_of(stmt.condition), stmt.span), *self.branches(kept, rest, skips)]
        if not rest or _always_continues(stmt):
            return _if(stmt, self.items(then, skips), self.items(otherwise, skips))
        if _always_continues(stmt.then):
            return _if(stmt, self.items(then, skips), self.items((*otherwise, *rest), skips))
        if stmt.otherwise is not None and _always_continues(stmt.otherwise):
            return _if(stmt, self.items((*then, *rest), skips), self.items(otherwise, skips))
        made: list[Stmt] = []
        asked = skips
        if asked is None:
            asked = truth_variable("skips", self.taken, stmt.span)
            made.append(Declare(asked, IntLiteral(0, INT, stmt.span), stmt.span))
        made += _if(stmt, self.items(then, asked), self.items(otherwise, asked))
        goes_on = Unary("!", Name(asked, INT, stmt.span), INT, stmt.span)
        made.append(If(goes_on, Block(self.items(rest, skips), stmt.span), None, stmt.span))
        return made


def _has_loop(items: Sequence[Stmt]) -> bool:
    return any(isinstance(node, For) for item in items for node in walk(item))


def continues(stmt: Stmt) -> bool:
    """Whether a `continue` in `stmt` goes on with the loop around it."""
    match stmt:
        case Jump():
            return stmt.keyword == "continue"
        case Block():
            return any(continues(item) for item in stmt.items)
        case If():
            return continues(stmt.then) or (stmt.otherwise is not None and continues(stmt.otherwise))
    return False


def _always_continues(stmt: Stmt) -> bool:
    """Whether nothing behind `stmt` is executed, for a `continue` at the end of each of its ways."""
    match stmt:
        case Jump():
            return stmt.keyword == "continue"
        case Block():
            return any(_always_continues(item) for item in stmt.items)
        case If():
            return stmt.otherwise is not None and _always_continues(stmt.then) and _always_continues(stmt.otherwise)
    return False


def _items(stmt: Stmt | None) -> tuple[Stmt, ...]:
    if stmt is None:
        return ()
    return stmt.items if isinstance(stmt, Block) else (stmt,)


def _if(stmt: If, then: tuple[Stmt, ...], otherwise: tuple[Stmt, ...]) -> list[Stmt]:
    """The `if` with other branches; one without statements is left out, and the `if` too where nothing is left."""
    if then:
        behind = Block(otherwise, stmt.span) if otherwise else None
        return [If(stmt.condition, Block(then, stmt.span), behind, stmt.span)]
    if otherwise or has_effects(stmt.condition):
        return [If(_opposite(stmt.condition), Block(otherwise, stmt.span), None, stmt.span)]
    return []


def _opposite(condition: Expr) -> Expr:
    """`!condition`; of a comparison of integers, the other comparison."""
    if isinstance(condition, Binary) and condition.op in _OPPOSITE:
        sides = (condition.left.type, condition.right.type)
        if all(isinstance(ctype, Scalar) and ctype.is_integer for ctype in sides):
            return replace(condition, op=_OPPOSITE[condition.op])
    if isinstance(condition, Unary) and condition.op == "!":
        return condition.operand
    return Unary("!", condition, INT, condition.span)


def _set(symbol: Symbol, value: int, span: Span) -> Assign:
    return Assign(Name(symbol, INT, span), IntLiteral(value, INT, span), span)
