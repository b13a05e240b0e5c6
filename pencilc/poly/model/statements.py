"""The walk over a region that makes its statements.

Affine loops and conditions become iteration domains; a data-dependent `if` around reductions becomes
guards; everything else that is not affine becomes one statement whose body is the whole construct.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from dataclasses import replace

import islpy as isl

from pencilc import islx
from pencilc.diagnostics.diagnostic import CompilerLimitation
from pencilc.diagnostics.source import Span
from pencilc.ir.queries import counters_in, has_own_jump, names_in
from pencilc.ir.scop import Access, AccessKind, Loop, Statement, StatementKind
from pencilc.ir.source import (
    INT,
    Assign,
    Assume,
    Binary,
    Block,
    Cast,
    Declare,
    Expr,
    For,
    If,
    Kill,
    Name,
    Node,
    ReductionInit,
    ReductionUpdate,
    Region,
    Return,
    Stmt,
    Unary,
    While,
    walk,
)
from pencilc.poly.model.accesses import Effects, Lvalue, Touch, contains, declared_in, lvalue_of, touches
from pencilc.poly.model.affine import AffineContext, NotAffine, condition
from pencilc.poly.model.arrays import ArrayTable, named_domain, projected, result_symbol
from pencilc.poly.model.calls import CallTouch, call_touches
from pencilc.poly.model.context import Surroundings, counted_bounds, objects_in_memory
from pencilc.poly.model.decided import narrowed
from pencilc.poly.model.extents import check_sized, sized_at_run_time
from pencilc.poly.model.long_loops import has_long_loop
from pencilc.poly.model.loops import iterations
from pencilc.poly.model.nest import Nest
from pencilc.poly.model.opaque import IncompleteReduction, certainly_written, check_complete, initialised_in, key_of
from pencilc.poly.model.ragged import ragged_iterations
from pencilc.poly.model.remainders import with_comparisons
from pencilc.poly.model.rounds import is_leave
from pencilc.poly.model.source_tree import Item, Nested, Several, SourceTree
from pencilc.poly.model.values import Values

_REDUCTIONS = (ReductionInit, ReductionUpdate)
# Comparisons around a statement that its domain takes: with many parameters isl takes ever longer.  What is beyond is
# looked at where the statement runs.
COMPARISONS = 12
_PIECES = 2  # of the domain that one part of a condition may leave
_KINDS = {ReductionInit: StatementKind.INIT, ReductionUpdate: StatementKind.UPDATE, Return: StatementKind.RETURN}


def result_touch(region: Region) -> Touch | None:
    """The write of the return value, if the region returns one."""
    found = [n for n in walk(region.body) if isinstance(n, Return) and n.value is not None]
    if not found:
        return None
    symbol = result_symbol(region.returns, found[0].span)
    return Touch(Lvalue(symbol, (), (), found[0].span), AccessKind.MUST_WRITE)


class Extractor:
    """Collects the statements of one region; `run` gives their source order."""

    def __init__(
        self, surroundings: Surroundings, table: ArrayTable, effects: Effects, context: isl.Set, region: Region
    ) -> None:
        self.statements: list[Statement] = []
        # What statements of the region have become, by their ids.
        self.plainer: dict[int, Stmt] = {}
        self._surroundings = surroundings
        self._table = table
        self._effects = effects
        self._region = region
        self._loops = 0
        self._counters = counters_in(region.body)
        start = surroundings.outermost()
        proof = start.proof.intersect(context).intersect(counted_bounds(region, surroundings))
        proof = objects_in_memory(region, surroundings, proof)
        self.outermost = replace(start, proof=proof)
        self._values = Values((*start.params, *start.values))

    def run(self) -> SourceTree:
        """Extract the whole region."""
        try:
            return self._stmt(self._region.body, Nest((), self.outermost.where))
        except IncompleteReduction as error:
            raise CompilerLimitation(error.text, error.span) from None

    # ---- control -------------------------------------------------------------------------------

    def _stmt(self, stmt: Stmt, nest: Nest) -> SourceTree:
        if isinstance(stmt, Block):
            return self._block(stmt.items, nest)
        if isinstance(stmt, For):
            return self._for(stmt, nest)
        if isinstance(stmt, If):
            return self._if(stmt, nest)
        if isinstance(stmt, While):
            return self._opaque(stmt, nest, why="a `while` loop")
        if isinstance(stmt, Declare):
            return self._declare(stmt, nest)
        if isinstance(stmt, Assume):
            return Several(())
        if isinstance(stmt, Kill):
            return self._kill(stmt, nest)
        if isinstance(stmt, Return):
            return self._return(stmt, nest)
        if isinstance(stmt, Assign) and isinstance(stmt.target, Name) and stmt.target.symbol.name in self._counters:
            text = f"the loop counter `{stmt.target.symbol.spelling}` is also assigned outside of its loop"
            raise CompilerLimitation(text, stmt.span)
        return self._simple(stmt, _KINDS.get(type(stmt), StatementKind.ORDINARY), nest)

    def _block(self, items: tuple[Stmt, ...], nest: Nest) -> SourceTree:
        parts: list[SourceTree] = []
        marks: list[int] = []
        position = 0
        while position < len(items):
            marks.append(len(self.statements))
            try:
                parts.append(self._stmt(items[position], nest))
            except IncompleteReduction as error:
                first, last = self._complete(items, position, error)
                del self.statements[marks[first] :], parts[first:], marks[first + 1 :]
                parts.append(self._opaque(_group(items[first : last + 1]), nest))
                parts.extend(Several(()) for _ in range(last - first))
                marks.extend(len(self.statements) for _ in range(last - first))
                position = last
            position += 1
        return Several(tuple(parts))

    def _complete(self, items: tuple[Stmt, ...], position: int, error: IncompleteReduction) -> tuple[int, int]:
        """The least group of items around `position` in which every opaque reduction is complete."""
        first = self._first_of(items[: position + 1], error)
        while True:
            last = self._last_of(items, first, position)
            try:
                check_complete(_group(items[first : last + 1]))
                return first, last
            except IncompleteReduction as again:
                first = self._first_of(items[: first + 1], again)

    @staticmethod
    def _first_of(items: tuple[Stmt, ...], error: IncompleteReduction) -> int:
        """Where the group that completes an opaque reduction starts; raises the error again if not here."""
        for position in range(len(items) - 1, -1, -1):
            if initialised_in(items[position], error.symbol):
                return position
        raise error

    @staticmethod
    def _last_of(items: tuple[Stmt, ...], first: int, last: int) -> int:
        """The end of the group: variables declared in it must not be used behind it."""
        declared: set[str] = set()
        for item in items[first : last + 1]:
            if isinstance(item, Declare):
                declared.add(item.symbol.name)
        names = [names_in(item) for item in items]
        return max([last, *(k for k in range(last + 1, len(items)) if names[k] & declared)])

    def _for(self, stmt: For, nest: Nest) -> SourceTree:
        name = islx.mangle(stmt.iterator.name)
        first: Expr | None = None
        end: Expr | None = None
        try:
            where = iterations(stmt, self._affine(nest), name, self._region.left)
        except NotAffine as reason:
            try:
                where, first, end = ragged_iterations(stmt, self._affine(nest), name, self._effects)
            except NotAffine:
                return self._opaque(stmt, nest, why=str(reason))
        self._values.forget(self._written(stmt))
        reduced = tuple(lvalue.symbol.name for c in stmt.reductions for v in c.variables if (lvalue := lvalue_of(v)))
        guards = nest.guards if first is not None or end is not None else ()
        left = has_own_jump(stmt.body)
        loop = Loop(
            self._loops, stmt.iterator, stmt.step, stmt.independent, reduced, first, end, guards, left, stmt.factor
        )  # fmt: skip
        self._loops += 1
        body = self._stmt(stmt.body, nest.inside(loop, where))
        self._values.forget(self._written(stmt))
        return Nested(loop, len(nest.loops), body)

    def _if(self, stmt: If, nest: Nest) -> SourceTree:
        if is_leave(stmt, self._region.left):
            return Several(())  # the statement in front of it leaves the loop
        count = _comparisons(stmt.condition)
        try:
            if nest.comparisons + count > COMPARISONS:
                raise NotAffine("conditions of so many comparisons are evaluated, not modelled")
            truth = condition(stmt.condition, self._affine(nest))
        except NotAffine:
            return self._data_if(stmt, nest)
        decided = self._values.resolved(stmt.condition, (s.name for s in nest.iterators))
        before = self._values.branch()
        then = self._stmt(stmt.then, nest.restricted(truth, count))
        after = self._values.branch()
        self._values.restore(before)
        otherwise: SourceTree = Several(())
        if stmt.otherwise is not None:
            otherwise = self._stmt(stmt.otherwise, nest.restricted(truth.complement(), count))
        self._values.join(decided, after)
        return Several((then, otherwise))

    def _data_if(self, stmt: If, nest: Nest) -> SourceTree:
        """A condition on data: guards around reductions and loops worth a launch, one opaque statement otherwise."""
        inner, rest = nest, [stmt.condition]
        if stmt.otherwise is None:
            inner, rest = self._split_condition(stmt.condition, nest)
        is_apart = stmt.span in self._region.apart or all(loop.left for loop in nest.loops)
        is_split = contains(stmt, _REDUCTIONS) or (is_apart and has_long_loop(stmt))
        if not is_split or not self._is_stable(rest, stmt):
            return self._opaque(stmt, nest, inner)
        for part in rest:
            inner = inner.guarded(part)
        before = self._values.branch()
        then = self._stmt(stmt.then, inner)
        self._values.restore(before)
        negated = Unary("!", stmt.condition, INT, stmt.condition.span)
        otherwise = Several(()) if stmt.otherwise is None else self._stmt(stmt.otherwise, nest.guarded(negated))
        self._values.forget(self._written(stmt))
        return Several((then, otherwise))

    def _split_condition(self, expr: Expr, nest: Nest) -> tuple[Nest, list[Expr]]:
        """Put the affine parts of a conjunction into the domain, as many as it takes; the others remain.

        So does one that cuts the domain into many pieces, as `u != 0 || v != 0` does: it stays beside data anyway, and
        isl would look for dependences between each two pieces.
        """
        if isinstance(expr, Cast) and expr.implicit and isinstance(expr.operand, Binary) and expr.operand.op == "&&":
            expr = expr.operand
        if isinstance(expr, Binary) and expr.op == "&&":
            nest, left = self._split_condition(expr.left, nest)
            nest, right = self._split_condition(expr.right, nest)
            return nest, left + right
        count = _comparisons(expr)
        if nest.comparisons + count > COMPARISONS:
            return nest, [expr]
        try:
            truth = condition(expr, self._affine(nest))
        except NotAffine:
            return nest, [expr]
        return (nest, [expr]) if truth.n_basic_set() > _PIECES else (nest.restricted(truth, count), [])

    def _is_stable(self, conditions: list[Expr], stmt: If) -> bool:
        """Nothing that the conditions read is written under them."""
        read = {t.lvalue.symbol.name for c in conditions for t in touches(c, self._effects)}
        branches = [stmt.then] if stmt.otherwise is None else [stmt.then, stmt.otherwise]
        return not any(
            t.lvalue.symbol.name in read and t.kind not in (AccessKind.READ, AccessKind.KILL)
            for branch in branches
            for t in touches(branch, self._effects)
        )

    # ---- statements ----------------------------------------------------------------------------

    def _declare(self, stmt: Declare, nest: Nest) -> SourceTree:
        if stmt.symbol.name in self._counters:
            return Several(())
        self._table.declare(stmt.symbol, nest.iterators, nest.where)
        if not self._table.knows(stmt.symbol):
            return Several(())
        lvalue = Lvalue(stmt.symbol, (), (), stmt.symbol.span)
        killed = self._add(StatementKind.KILL, stmt, [(Touch(lvalue, AccessKind.KILL), nest)], nest, stmt.span)
        if stmt.init is None:
            self._values.forget([stmt.symbol.name])
            return killed
        target = Name(stmt.symbol, stmt.symbol.type, stmt.symbol.span)
        assign = Assign(target, stmt.init, stmt.span)
        kind = StatementKind.LEAVE if stmt.symbol.name in self._region.left else StatementKind.ORDINARY
        return Several((killed, self._simple(assign, kind, nest)))

    def _return(self, stmt: Return, nest: Nest) -> SourceTree:
        if stmt.value is None:
            return Several(())
        if nest.loops or nest.guards:
            raise CompilerLimitation("`return` inside a loop or a condition", stmt.span)
        touch = result_touch(self._region)
        assert touch is not None
        found = [(t, nest) for t in (*touches(stmt.value, self._effects), touch)]
        return self._add(StatementKind.RETURN, stmt, found, nest, stmt.span)

    def _simple(self, stmt: Stmt, kind: StatementKind, nest: Nest) -> SourceTree:
        found = [(t, self._narrowed(t, nest)) for t in touches(stmt, self._effects)]
        plain = with_comparisons(stmt, self._affine(nest))
        if plain is not stmt:
            self.plainer[id(stmt)] = plain
        made = self._add(kind, plain, found, nest, stmt.span)
        if isinstance(stmt, Assign) and isinstance(stmt.target, Name):
            self._values.assign(stmt.target.symbol, stmt.value, (s.name for s in nest.iterators))
        else:
            self._values.forget(self._written(stmt))
        return made

    def _narrowed(self, touch: Touch, nest: Nest, changed: Set[str] = frozenset()) -> Nest:
        """The iterations in which the conditions of an expression let an access happen, as far as they are affine."""
        return replace(nest, where=narrowed(touch, self._affine(nest), changed)) if touch.under else nest

    def _kill(self, stmt: Kill, nest: Nest) -> SourceTree:
        """A kill, where it is known what it kills: an `if` on data has instances that kill nothing."""
        killed = [t for t in touches(stmt, self._effects) if t.kind is AccessKind.KILL]
        known = [each for touch in killed for each in self._accesses(touch, self._affine(nest), len(nest.loops), True)]
        if nest.is_ragged or nest.guards or not known:
            return Several(())
        return self._simple(stmt, StatementKind.KILL, nest)

    def _written(self, stmt: Stmt) -> set[str]:
        """Names of the variables that `stmt` may write."""
        return {
            t.lvalue.symbol.name for t in touches(stmt, self._effects) if t.kind.writes or t.kind is AccessKind.KILL
        }

    def _opaque(self, stmt: Stmt, nest: Nest, inside: Nest | None = None, why: str = "") -> SourceTree:
        """One statement for a whole construct: most writes may happen, updates are reads and writes.

        `inside`: where the branch of an `if` is executed at all; `why`: what is not affine.
        """
        check_complete(stmt)
        if contains(stmt, (Return,)):
            raise CompilerLimitation("`return` inside a loop or condition on data", stmt.span)
        arrays = [d for d in sized_at_run_time(stmt) if d is not stmt]
        local = (declared_in(stmt) - {d.symbol.name for d in arrays}) | self._counters_of(stmt, nest)
        before = [self._outside(d, nest) for d in arrays]
        written = self._written(stmt)
        certain = certainly_written(stmt, local | written)
        found: list[tuple[Touch, Nest]] = []
        for touch, where in self._parts(stmt, nest, inside, written):
            if touch.lvalue.symbol.name in local:
                continue
            if touch.kind is AccessKind.UPDATE:
                found.append((Touch(touch.lvalue, AccessKind.READ), where))
            if touch.kind.writes and not (touch.kind is AccessKind.MUST_WRITE and key_of(touch.lvalue) in certain):
                touch = replace(touch, kind=AccessKind.MAY_WRITE)
            if touch.kind is not AccessKind.KILL:
                found.append((touch, where))
        self._values.forget(written)
        made = self._add(StatementKind.ORDINARY, stmt, found, nest, stmt.span, frozenset(local), why)
        return Several((*before, made)) if before else made

    def _outside(self, declared: Declare, nest: Nest) -> SourceTree:
        """The declaration of an array of run-time extent in front of the construct it stands in: a thread has none."""
        check_sized(declared.symbol, self._surroundings.params)
        return self._declare(replace(declared, init=None), nest)

    def _parts(
        self, stmt: Stmt, nest: Nest, inside: Nest | None, written: set[str]
    ) -> Iterator[tuple[Touch, Nest]]:  # fmt: skip
        """The accesses of a construct with where they may happen: those of an `if` under the affine parts of it."""
        if inside is None or not isinstance(stmt, If):
            yield from self._in_loops(stmt, nest, written)
            return
        yield from self._condition_parts(stmt.condition, nest)
        yield from self._in_loops(stmt.then, inside, written)
        if stmt.otherwise is not None:
            yield from self._in_loops(stmt.otherwise, nest, written)

    def _in_loops(self, stmt: Stmt, nest: Nest, written: set[str]) -> Iterator[tuple[Touch, Nest]]:
        """The accesses of a construct, those in a loop of it for the values that its counter takes at most.

        What is known of variables that the construct has `written` may be old where the loop begins.

            if (count[j] > 0) for (int d = 0; d < 3; d++) c[j * 3 + d] /= count[j];     c[3j] to c[3j + 2]
        """
        match stmt:
            case Block():
                for item in stmt.items:
                    yield from self._in_loops(item, nest, written)
                return
            case If():
                yield from self._in_expression(stmt.condition, nest, written)
                for way in (stmt.then, stmt.otherwise):
                    if way is not None:
                        yield from _not_sure(self._in_loops(way, nest, written))
                return
            case For() if not names_in(stmt.lower, stmt.bound) & written:
                try:
                    name = islx.mangle(stmt.iterator.name)
                    where = iterations(stmt, self._affine(nest), name, self._region.left)
                except NotAffine:
                    pass
                else:
                    for end in (stmt.lower, stmt.bound):
                        yield from self._in_expression(end, nest, written)
                    loop = Loop(self._loops, stmt.iterator, stmt.step, independent=False)
                    yield from _not_sure(self._in_loops(stmt.body, nest.inside(loop, where), written))
                    return
        yield from self._in_expression(stmt, nest, written)

    def _in_expression(self, node: Node, nest: Nest, written: set[str]) -> Iterator[tuple[Touch, Nest]]:
        """The accesses of what stands in a construct, which has `written` some variables before, perhaps."""
        for touch in touches(node, self._effects):
            yield touch, self._narrowed(touch, nest, written)

    def _condition_parts(self, expr: Expr, nest: Nest) -> Iterator[tuple[Touch, Nest]]:
        if isinstance(expr, Binary) and expr.op == "&&":
            yield from self._condition_parts(expr.left, nest)
            yield from self._condition_parts(expr.right, self._split_condition(expr.left, nest)[0])
        else:
            yield from self._in_expression(expr, nest, set())

    def _counters_of(self, stmt: Stmt, nest: Nest) -> set[str]:
        """Counters of loops inside `stmt`, which have no value in the model."""
        own = {loop.iterator.name for loop in nest.loops}
        return counters_in(stmt) - own

    def _add(
        self, kind: StatementKind, body: Stmt, found: Sequence[tuple[Touch, Nest]], nest: Nest, span: Span,
        local: frozenset[str] | None = None, opaque: str = "",
    ) -> SourceTree:  # fmt: skip
        """One statement; `local` are the variables inside it that the model does not know, for an opaque one."""
        if nest.where.intersect_params(self.outermost.proof).is_empty():
            return Several(())  # never executed
        name = f"S{len(self.statements)}"
        # A kill is not executed, so it evaluates no guard.
        evaluated = () if kind is StatementKind.KILL else nest.guards
        bounds = [e for loop in nest.loops for e in loop.bounds if kind is not StatementKind.KILL]
        guards = [(t, nest) for guard in (*bounds, *evaluated) for t in touches(guard, self._effects)]
        hidden = local or frozenset()
        accesses = [
            named_domain(access, name)
            for touch, context in self._with_calls((*guards, *found), local is None)
            if touch.lvalue.symbol.name not in hidden
            for access in self._accesses(touch, context, len(nest.loops), self._is_certain(kind, nest))
        ]
        domain = islx.named(nest.where, name)
        self.statements.append(
            Statement(name, kind, nest.iterators, domain, body, nest.guards, tuple(accesses), span, nest.loops, opaque)
        )
        return Item(name)

    @staticmethod
    def _is_certain(kind: StatementKind, nest: Nest) -> bool:
        """Whether every instance of the domain is executed; an init in a ragged loop is for a local of that loop."""
        return not nest.guards and (not nest.is_ragged or kind is StatementKind.INIT)

    def _with_calls(
        self, found: Sequence[tuple[Touch, Nest]], certain: bool
    ) -> Iterator[tuple[Touch | CallTouch, AffineContext]]:
        """Every access with the iterations it is made for; those of calls, if `certain`, as exact as they are known."""
        derived: dict[int, tuple[CallTouch, ...] | None] = {}
        for touch, nest in found:
            context = self._affine(nest)
            if touch.call is None:
                yield touch, context
                continue
            key = id(touch.call)
            if key not in derived:
                derived[key] = call_touches(touch.call, context, self._effects)
                for inner in derived[key] or ():
                    is_sure = inner.is_sure and touch.is_sure
                    kind = inner.kind if certain and touch.is_sure else _may(inner.kind)
                    yield replace(inner, kind=kind, is_sure=is_sure), inner.context
            if derived[key] is None:
                yield touch, context

    def _accesses(self, touch: Touch | CallTouch, context: AffineContext, depth: int, certain: bool) -> list[Access]:
        symbol = touch.lvalue.symbol.name
        if (
            symbol in self._surroundings.params
            or symbol in self._counters
            or not self._table.knows(touch.lvalue.symbol)
        ):
            return []
        kind = touch.kind if certain else _may(touch.kind)
        found = self._table.accesses(touch.lvalue, kind, context, touch.is_sure)
        if isinstance(touch, Touch) and islx.dimensions(context.where) > depth:
            # Its subscripts stand in this statement, and move with a loop of it.
            found = [replace(access, exact=False) for access in found]
        return [projected(access, depth) for access in found]

    def _affine(self, nest: Nest) -> AffineContext:
        base = self.outermost
        positions = {loop.iterator.name: k for k, loop in enumerate(nest.loops)}
        values = {**base.values, **self._values.known}
        return replace(base, where=nest.where, positions=positions, values=values)


def _not_sure(found: Iterator[tuple[Touch, Nest]]) -> Iterator[tuple[Touch, Nest]]:
    """Accesses that conditions or loops may leave out."""
    return ((replace(touch, is_sure=False), nest) for touch, nest in found)


def _comparisons(expr: Expr) -> int:
    """How many conditions `&&` and `||` make one."""
    return 1 + sum(isinstance(node, Binary) and node.op in ("&&", "||") for node in walk(expr))


def _may(kind: AccessKind) -> AccessKind:
    """The kind of an access that may be left out."""
    return AccessKind.MAY_WRITE if kind is AccessKind.MUST_WRITE else kind


def _group(items: tuple[Stmt, ...]) -> Stmt:
    return items[0] if len(items) == 1 else Block(items, items[0].span)
