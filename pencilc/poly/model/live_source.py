"""The source of a region without what the model knows to be never executed: what one thread runs if all else fails.

    for (j…) for (i < j…) if (i == n - 1) o[j] = b[i][j];      no instance: nothing is left of it

What the model does not know of, as an array that is touched in such code alone, has no place on the device.
"""

from __future__ import annotations

from dataclasses import replace

from pencilc.diagnostics.diagnostic import CompilerBug
from pencilc.ir.queries import counters_in, has_effects, names_in
from pencilc.ir.scop import Scop
from pencilc.ir.source import Block, Declare, For, If, Return, Stmt, walk


def live_body(scop: Scop) -> Block:
    """The body of the region, cut down to statements with instances and the declarations that they need."""
    alive = {id(part) for s in scop.statements for part in _parts(s.body)}
    body = _live(scop.region.body, alive) or Block((), scop.region.body.span)
    assert isinstance(body, Block)
    return body


def checked_body(scop: Scop) -> Block:
    """The same, where it is what runs; raises CompilerBug where a statement of the model is none of the region.

    It would be left out.  What transformations have made of statements stands in no region that one thread runs.
    """
    parts = list(walk(scop.region.body))
    known = {id(part) for part in parts}
    declared = {part.span for part in parts if isinstance(part, Declare)}
    for statement in scop.statements:
        bodies = [part for part in _parts(statement.body) if id(part) in known or part.span in declared]
        if statement.body is not None and not bodies:
            raise CompilerBug(f"statement {statement.name} is none of its region")
    return live_body(scop)


def _parts(body: Stmt | None) -> tuple[Stmt, ...]:
    """What of the source a statement of the model stands for: several of the source's make one where none is affine."""
    if isinstance(body, Block):
        return (body, *body.items)
    return (body,) if body is not None else ()


def _live(stmt: Stmt, alive: set[int]) -> Stmt | None:
    """What is left of `stmt`; None if that is nothing."""
    if id(stmt) in alive or isinstance(stmt, Return):
        return stmt
    match stmt:
        case Block():
            return _live_block(stmt, alive)
        case For():
            body = _live(stmt.body, alive)
            return None if body is None else replace(stmt, body=body)
        case If():
            then = _live(stmt.then, alive)
            otherwise = _live(stmt.otherwise, alive) if stmt.otherwise is not None else None
            if then is None and otherwise is None:
                return None
            return replace(stmt, then=then or Block((), stmt.then.span), otherwise=otherwise)
    return None


def _live_block(block: Block, alive: set[int]) -> Block | None:
    kept: list[Stmt] = []
    used: set[str] = set()
    # From the last to the first: a declaration is there for what follows it.
    for item in reversed(block.items):
        live = item if isinstance(item, Declare) else _live(item, alive)
        if live is None or (isinstance(live, Declare) and live.symbol.name not in used and not _may_matter(live)):
            continue
        kept.insert(0, live)
        used |= names_in(live) | counters_in(live)
    return Block(tuple(kept), block.span) if kept else None


def _may_matter(declaration: Declare) -> bool:
    """Whether the initial value is that of a call which may do more than return it."""
    return declaration.init is not None and has_effects(declaration.init)
