"""Which elements a call touches: derived from the callee's body, or from its summary function.

Before: `foo(n, a, i);` with the summary `{ __pencil_use(x[i]); if (__pencil_maybe()) x[i + 1] = 0; }`
After:  READ { [i] -> a[i] }, MAY_WRITE { [i] -> a[i + 1] }

The body is walked with the arguments in place of the parameters; its loops add dimensions, over which the
accesses are projected.  What stands under a condition or in a loop that is not affine may happen.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field, replace

import islpy as isl

from pencilc import islx
from pencilc.frontend.rewrite.inline import Instance, instantiate
from pencilc.ir.queries import names_in
from pencilc.ir.scop import AccessKind
from pencilc.ir.source import (
    ArrayType,
    Assign,
    Block,
    Call,
    CallStmt,
    Declare,
    Expr,
    For,
    If,
    Jump,
    Name,
    Return,
    Scalar,
    Stmt,
    While,
    walk,
)  # fmt: skip
from pencilc.poly.model.accesses import Effects, Lvalue, Touch, lvalue_of, touches
from pencilc.poly.model.affine import AffineContext, NotAffine, condition
from pencilc.poly.model.decided import narrowed
from pencilc.poly.model.loops import iterations
from pencilc.poly.model.values import Values
from pencilc.records import dataclass

_MAX_STATEMENTS = 100


@dataclass(frozen=True, slots=True, eq=False)
class CallTouch:
    """One access of a call, for the iterations of `context`, whose last dimensions are loops of the callee.

    `is_sure` unless a condition inside the callee decides whether it happens.
    """

    lvalue: Lvalue
    kind: AccessKind
    context: AffineContext
    is_sure: bool


@dataclass(frozen=True, slots=True, eq=False)
class _Where:
    """A point of the walk: `certain` where everything before and around it is sure to be executed."""

    context: AffineContext
    certain: bool
    iterators: tuple[str, ...] = field(default=())


def call_touches(call: Call, context: AffineContext, effects: Effects) -> tuple[CallTouch, ...] | None:
    """Every access of `call` to variables of the caller; None where only the effects on whole arguments are known."""
    function = effects.description(call.function)
    if function is None or sum(1 for _ in walk(function.body)) > 40 * _MAX_STATEMENTS:
        return None
    taken = names_in(call)
    taken |= {*context.positions, *context.params, *context.values}
    made = instantiate(function, call, taken)
    if made is None:
        return None
    walker = _Walk(effects, context, made)
    return tuple(walker.items((*made.copies, *made.items), _Where(context, True, tuple(context.positions))))


class _Walk:
    """One walk over the body of a callee."""

    def __init__(self, effects: Effects, context: AffineContext, made: Instance) -> None:
        self._effects = effects
        self._values = Values((*context.params, *context.values))
        self._left = False  # a conditional return has been met: what follows may not be executed
        self._own = {
            n.symbol.name for item in (*made.copies, *made.items) for n in walk(item) if isinstance(n, Declare)
        } | {n.iterator.name for item in made.items for n in walk(item) if isinstance(n, For)}  # fmt: skip

    def items(self, items: tuple[Stmt, ...], where: _Where) -> Iterator[CallTouch]:
        for item in items:
            yield from self._stmt(item, where)

    def _stmt(self, stmt: Stmt, where: _Where) -> Iterator[CallTouch]:
        match stmt:
            case Block():
                yield from self.items(stmt.items, where)
            case For():
                yield from self._for(stmt, where)
            case If():
                yield from self._if(stmt, where)
            case While():
                self._forget(stmt)
                yield from self._reads(stmt.condition, where)
                yield from self._stmt(stmt.body, _Where(where.context, False, where.iterators))
                self._forget(stmt)
            case Return():
                if stmt.value is not None:
                    yield from self._reads(stmt.value, where)
                self._left = True
            case Jump():
                pass
            case CallStmt(call=Call(function="__pencil_use" | "__pencil_def")):
                yield from self._described(stmt.call, where)
            case _:
                yield from self._found(tuple(touches(stmt, self._effects)), where)
                self._assigned(stmt, where)

    def _for(self, loop: For, where: _Where) -> Iterator[CallTouch]:
        self._forget(loop)
        yield from self._reads(loop.lower, where)
        yield from self._reads(loop.bound, where)
        context = self._context(where)
        try:
            points = iterations(loop, context, islx.mangle(loop.iterator.name))
        except NotAffine:
            yield from self._stmt(loop.body, _Where(where.context, False, where.iterators))
        else:
            positions = {**context.positions, loop.iterator.name: len(context.positions)}
            inner = replace(context, where=points, positions=positions, values=where.context.values)
            yield from self._stmt(loop.body, _Where(inner, where.certain, (*where.iterators, loop.iterator.name)))
        self._forget(loop)

    def _if(self, stmt: If, where: _Where) -> Iterator[CallTouch]:
        yield from self._reads(stmt.condition, where)
        branches: list[tuple[Stmt | None, _Where]]
        try:
            truth = condition(stmt.condition, self._context(where))
        except NotAffine:
            unsure = _Where(where.context, False, where.iterators)
            branches = [(stmt.then, unsure), (stmt.otherwise, unsure)]
        else:
            branches = [(stmt.then, _within(where, truth)), (stmt.otherwise, _within(where, truth.complement()))]
        before, left = self._values.branch(), self._left
        for branch, inside in branches:
            self._values.restore(before)
            if branch is not None:
                yield from self._stmt(branch, inside)
        self._left = self._left or left
        self._values.restore(before)
        self._forget(stmt)

    def _reads(self, expr: Expr, where: _Where) -> Iterator[CallTouch]:
        yield from self._found(tuple(touches(expr, self._effects)), where)

    def _described(self, call: Call, where: _Where) -> Iterator[CallTouch]:
        """`__pencil_use(x)` and `__pencil_def(x)`: a whole array is certainly written only where it has one extent."""
        lvalue = lvalue_of(call.arguments[0])
        kind = AccessKind.READ if call.function == "__pencil_use" else AccessKind.MUST_WRITE
        if lvalue is not None:
            if isinstance(call.arguments[0].type, ArrayType) and kind is AccessKind.MUST_WRITE:
                kind = AccessKind.MAY_WRITE
            yield from self._found((Touch(lvalue, kind),), where)

    def _found(self, found: tuple[Touch, ...], where: _Where) -> Iterator[CallTouch]:
        around = self._context(where)
        nested: set[int] = set()
        for touch in found:
            context = around.within(narrowed(touch, around)) if touch.under else around
            if touch.call is not None:
                if id(touch.call) in nested:
                    continue
                inner = call_touches(touch.call, context, self._effects)
                if inner is not None:
                    nested.add(id(touch.call))
                    made = (replace(t, is_sure=t.is_sure and touch.is_sure) for t in inner if self._is_outer(t.lvalue))
                    yield from (self._kept(t, where) for t in made)
                    continue
            if self._is_outer(touch.lvalue):
                yield self._kept(CallTouch(touch.lvalue, touch.kind, context, touch.is_sure), where)

    def _kept(self, touch: CallTouch, where: _Where) -> CallTouch:
        is_sure = touch.is_sure and where.certain and not self._left
        kind = touch.kind
        if kind is AccessKind.UPDATE or (kind is AccessKind.MUST_WRITE and not is_sure):
            kind = AccessKind.MAY_WRITE
        return replace(touch, kind=kind, is_sure=is_sure)

    def _is_outer(self, lvalue: Lvalue) -> bool:
        return lvalue.symbol.name not in self._own

    def _context(self, where: _Where) -> AffineContext:
        base = where.context
        values = {**base.values, **self._values.known}
        return replace(base, values=values)

    # ---- values ------------------------------------------------------------------------------------

    def _assigned(self, stmt: Stmt, where: _Where) -> None:
        symbol = stmt.symbol if isinstance(stmt, Declare) else None
        value = stmt.init if isinstance(stmt, Declare) else None
        if isinstance(stmt, Assign) and isinstance(stmt.target, Name):
            symbol, value = stmt.target.symbol, stmt.value
        if symbol is not None and value is not None and isinstance(symbol.type, Scalar):
            self._values.assign(symbol, value, where.iterators)
        else:
            self._forget(stmt)

    def _forget(self, stmt: Stmt) -> None:
        self._values.forget({t.lvalue.symbol.name for t in touches(stmt, self._effects) if t.kind.writes})


def _within(where: _Where, truth: isl.Set) -> _Where:
    inside = where.context.within(where.context.where.intersect(truth).coalesce())
    return _Where(inside, where.certain, where.iterators)
