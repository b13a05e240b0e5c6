"""PC0301, PC0302 and PC0306: subscripts, bounds and loops that are not affine, where that costs something."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

import islpy as isl

from pencilc import islx
from pencilc.diagnostics.causes import NOT_AFFINE
from pencilc.diagnostics.diagnostic import Diagnostic, Label, warning
from pencilc.diagnostics.source import Span
from pencilc.ir.queries import counters_in, declared_in, ends_by_data, names_in, without_conversions
from pencilc.ir.scop import FEW, Access, AccessKind, Candidate, Loop, Scop, Statement, StatementKind
from pencilc.ir.source import (
    Assign,
    Binary,
    Call,
    Expr,
    For,
    If,
    Index,
    IntLiteral,
    Jump,
    Name,
    Node,
    ReductionInit,
    ReductionUpdate,
    Return,
    Stmt,
    Unary,
    While,
    walk,
)
from pencilc.ir.source_printer import spelled
from pencilc.poly.dependences.flow import relation_of
from pencilc.poly.model.affine import MAY_WRAP
from pencilc.poly.model.flat_terms import may_wrap
from pencilc.poly.model.opaque import variable_of
from pencilc.poly.model.sizes_apart import promise_for
from pencilc.records import dataclass


def not_affine(scop: Scop) -> Iterator[Diagnostic]:
    """Subscripts that make a loop look sequential: another iteration may touch what this one writes."""
    seen: set[tuple[str, int, int]] = set()  # A place that is read and written has two spans.
    told: set[str] = set()
    held = _HeldLoops(scop)
    for statement in scop.statements:
        if statement.kind in (StatementKind.MERGE, StatementKind.INIT, StatementKind.KILL):
            continue
        for access in statement.accesses:
            whole = access.member_path == scop.array(access.array).member_path
            place = access.span.path, access.span.line, access.span.column
            loose = not access.exact and whole and access.kind is not AccessKind.UPDATE and place not in seen
            index = _index_at(statement, access) if loose else None
            loop = held.around(statement, access) if index is not None else None
            if index is None or loop is None:
                continue
            if scop.array(access.array).is_small_and_own and _is_short(statement, loop):
                continue  # a thread does it by itself anyway: the steps of a sort of nine values
            seen.add(place)
            inner = _loop_under_condition(statement)
            if statement.body is None or inner is None or _varying(index.index) is not None:
                yield _subscript(scop, access, index, loop)
            elif statement.name not in told:
                told.add(statement.name)  # it is the condition, not any of the subscripts
                yield _sequential_for(statement.body, inner, statement.opaque)


def no_longer_irregular(before: Scop, after: Scop) -> set[tuple[str, Span]]:
    """Codes and places of what is told of the model `before` of a region, and not of another one, `after`."""
    first, then = ({(told.code, told.span) for told in not_affine(scop)} for scop in (before, after))
    return first - then


def with_ways_to_reorder(told: Iterable[Diagnostic], candidates: Sequence[Candidate]) -> Iterator[Diagnostic]:
    """`told`, where only the order of an update keeps a loop sequential with how to allow another one.

    That its elements are different ones, which is the way out of any other subscript, is not so there.
    """
    ways = {(c.span.path, c.span.line, c.span.column): c for c in candidates if c.ways or c.fixes}
    for each in told:
        found = ways.get((each.span.path, each.span.line, each.span.column))
        if each.code == NOT_AFFINE and found is not None:
            note = f"the loops around it stay sequential: another order would change `{found.variable}`"
            each = replace(each, notes=(note,), helps=found.ways, fixes=found.fixes)
        yield each


def _is_short(statement: Statement, loop: Loop) -> bool:
    """Whether a loop around the statement has few iterations, whatever the sizes are."""
    depth = next(depth for depth, each in enumerate(statement.loops) if each.index == loop.index)
    most = islx.most_values(statement.domain, depth)
    return most is not None and most <= FEW


def _index_at(statement: Statement, access: Access) -> Index | None:
    """The subscript in the source, where the statement is no larger construct and the access no call."""
    if statement.body is None or isinstance(statement.body, For | While):
        return None
    for root in (statement.body, *statement.guards):
        for node in walk(root):
            if isinstance(node, Index) and node.span == access.span:
                return node
    return None


def _loop_under_condition(statement: Statement) -> For | None:
    """The first loop of a statement that is a condition with loops in it."""
    if not isinstance(statement.body, If):
        return None
    return next((node for node in walk(statement.body) if isinstance(node, For)), None)


class _HeldLoops:
    """Which loops accesses may make sequential; what is asked about a loop or an array is found out once."""

    def __init__(self, scop: Scop) -> None:
        self.scop = scop
        self._touching: dict[str, set[int]] = {}  # by array, the loops around all that touches it
        self._writing: dict[str, set[int]] = {}
        self._is_held: dict[int, bool] = {}
        for statement in scop.statements:
            loops = [loop.index for loop in statement.loops]
            for access in statement.accesses:
                if access.kind is not AccessKind.KILL:
                    self._touching.setdefault(access.array, set()).update(loops)
                if access.kind.writes:
                    self._writing.setdefault(access.array, set()).update(loops)

    def around(self, statement: Statement, access: Access) -> Loop | None:
        """A loop around the statement that the access may make sequential."""
        private = len(self.scop.array(access.array).scope_iterators)
        shared = (self._touching if access.kind.writes else self._writing).get(access.array, set())
        for loop in statement.loops[private:]:
            may_be = not loop.independent and loop.factor is None
            if loop.index in shared and may_be and self._is_held_by_others(loop):
                return loop
        return None

    def _is_held_by_others(self, loop: Loop) -> bool:
        """Whether accesses that are not affine make a loop sequential, which affine ones alone do not."""
        if loop.index not in self._is_held:
            alone = _shares_elements(self.scop, loop, exact_only=True)
            self._is_held[loop.index] = not alone and _shares_elements(self.scop, loop, exact_only=False)
        return self._is_held[loop.index]


def _shares_elements(scop: Scop, loop: Loop, exact_only: bool) -> bool:
    """Whether iterations of `loop` touch one element, one of them writing it; `exact_only`: by affine accesses."""
    inside = [s for s in scop.statements if any(x.index == loop.index for x in s.loops)]
    depth = next(k for k, x in enumerate(inside[0].loops) if x.index == loop.index)
    outer = {a.name for a in scop.arrays if len(a.scope_iterators) <= depth}

    def counts(access: Access) -> bool:
        return (access.exact or not exact_only) and access.array in outer

    kinds = [AccessKind.READ, AccessKind.MAY_WRITE, AccessKind.MUST_WRITE]
    touched = relation_of(inside, kinds, counts)
    written = relation_of(inside, kinds[1:], counts)
    for part in islx.maps_of(written.apply_range(touched.reverse())):
        for k in range(depth):
            part = part.equate(isl.dim_type.in_, k, isl.dim_type.out, k)
        if not part.subtract(part.equate(isl.dim_type.in_, depth, isl.dim_type.out, depth)).is_empty():
            return True
    return False


def _other_row(scop: Scop, access: Access, index: Index, loop: Loop, stays: str) -> Diagnostic:
    """An access of a flattened array that may leave its row, as its dimensions have been found."""
    array = scop.array(access.array)
    name, counter = array.symbol.spelling, loop.iterator.spelling
    rows = " x ".join(f"`{spelled(each)}`" for each in array.extents[1:])
    known = f"__pencil_assume({stays});" if stays else promise_for(scop.region, index)
    promise = f"with `{known}` in front of the loops" if known else "with `__pencil_assume`"
    return warning(
        NOT_AFFINE,
        f"`{_without_first_rows(index)}` may be in another row of `{name}`: any element may be touched",
        access.span,
        "taken as every element",
        notes=(
            f"rows of `{name}` have {rows} elements by its other accesses",
            f"the loop over `{counter}` stays sequential, because `{name}` is also written in it",
        ),
        helps=(
            f"if it stays in its row, ask for that in a condition around it, or promise what makes it so {promise}",
            f"or, if no two iterations touch the same element, write `#pragma pencil independent` before the loop over "
            f"`{counter}`",
        ),
    )


def _without_first_rows(index: Index) -> str:
    """An element as the source has it that counts from the first row: `a[i * j]` for `a[0][i * j]`."""
    base: Expr = index
    while isinstance(base, Index):
        base = base.base
        if isinstance(base, Index) and not (isinstance(base.index, IntLiteral) and base.index.value == 0):
            return spelled(index)
    return f"{spelled(base)}[{spelled(index.index)}]"


def _subscript(scop: Scop, access: Access, index: Index, loop: Loop) -> Diagnostic:
    for each in scop.region.anywhere:
        if each.span == access.span:
            return _other_row(scop, access, index, loop, each.stays)
    name = scop.array(access.array).symbol.spelling
    varying = _varying(index.index)
    helps = [
        f"if no two iterations touch the same element, write `#pragma pencil independent` before the loop over "
        f"`{loop.iterator.spelling}`"
    ]
    if promise := promise_for(scop.region, index):
        helps.append(f"or, if that is so, promise that rows have whole parts: `{promise}` in front of the loops")
    elif (row := _row_of(scop, index, varying)) is not None:
        # Rows are seen in arrays whose size is that of so many rows.
        is_of_rows = names_in(row.stride) <= names_in(*scop.array(access.array).extents)
        if is_of_rows and (longest := _longest(scop, row)):
            helps.append(f"or, if a row is no longer than the next one begins, write `{longest}` in front of the loops")
        instead = f"{spelled(index.base)}[{spelled(row.number)}][{'0' if row.place is None else spelled(row.place)}]"
        helps.append(
            f"or declare `{name}` with two dimensions: `{instead}` in place of `{spelled(index)}` is such a sum"
        )
    if isinstance(varying, Binary) and varying.op == "*" and may_wrap(varying.type):
        helps.append(f"or let the sizes and counters be `size_t`: `{spelled(varying)}` is `unsigned`, and may wrap")
    reason = f"`{spelled(varying)}` is no sum of loop counters and sizes times numbers" if varying is not None else ""
    return warning(
        NOT_AFFINE,
        f"subscript of `{name}` is no sum of counters and sizes times numbers: any element may be touched",
        access.span,
        "taken as every element",
        secondary=(Label(varying.span, reason),) if varying is not None and varying.span != access.span else (),
        notes=(f"the loop over `{loop.iterator.spelling}` stays sequential, because `{name}` is also written in it",),
        helps=tuple(helps),
    )


@dataclass(frozen=True, slots=True)
class _Row:
    """The parts of a subscript `number * stride + place`."""

    number: Expr
    stride: Expr
    place: Expr | None


def _row_of(scop: Scop, index: Index, product: Expr | None) -> _Row | None:
    """The parts of the subscript of which `product` is `number * stride`; None where it has another form."""
    if not isinstance(product, Binary) or product.op != "*":
        return None
    counters = {loop.iterator.name for statement in scop.statements for loop in statement.loops}
    numbers = [side for side in (product.left, product.right) if names_in(side) & counters]
    whole = without_conversions(index.index)
    if len(numbers) != 1:
        return None
    stride = product.right if numbers[0] is product.left else product.left
    if whole is product:
        return _Row(numbers[0], stride, None)
    if not isinstance(whole, Binary) or whole.op != "+":
        return None
    sides = [without_conversions(side) for side in (whole.left, whole.right)]
    places = [side for side in sides if side is not product]
    return _Row(numbers[0], stride, places[0]) if len(places) == 1 else None


def _longest(scop: Scop, row: _Row) -> str:
    """What says that the places of a row stay below its stride, where a loop up to another parameter runs over them."""
    place, stride = row.place, without_conversions(row.stride)
    if not isinstance(place, Name) or not isinstance(stride, Name):
        return ""
    for loop in walk(scop.region.body):
        if isinstance(loop, For) and loop.iterator.name == place.symbol.name and loop.relation == "<":
            bound = without_conversions(loop.bound)
            if not isinstance(bound, Name) or bound.symbol.name == stride.symbol.name:
                return ""  # as they are
            return f"__pencil_assume({spelled(bound)} <= {spelled(stride)});"
    return ""


def _varying(expr: Expr) -> Expr | None:
    """The part of a subscript that is no affine function: data from memory, a call, or a product."""
    for node in walk(expr):
        if isinstance(node, Index | Call):
            return node
    return next((n for n in walk(expr) if isinstance(n, Binary) and n.op in ("*", "/", "%", "<<", ">>", "&")), None)


def sequential_loops(scop: Scop) -> Iterator[Diagnostic]:
    """Loops of the region itself that are part of one statement: they run from first to last in one thread."""
    for statement in scop.statements:
        if statement.loops or statement.kind is not StatementKind.ORDINARY or statement.body is None:
            continue
        loops = [n for n in walk(statement.body) if isinstance(n, While) or (isinstance(n, For) and not _is_made_up(n))]
        # That of an initialisation is one of the model by itself; what keeps the updates is told of their loop.
        telling = (n for n in loops if isinstance(n, While) or _irregular(n, statement.opaque)[1] is not n.bound)
        loop = next(telling, loops[0] if loops else None)
        if isinstance(loop, For):
            yield _sequential_for(statement.body, loop, statement.opaque)
        elif loop is not None:
            yield warning(
                "PC0306",
                "this loop runs in one GPU thread",
                loop.span,
                notes=(
                    "it does not count by a constant step to a bound that is known before it, so its iterations cannot "
                    "be shared out",
                ),
                helps=("a `for` loop with a constant step and a bound that is known before it can run in parallel",),
            )


def _is_made_up(loop: For) -> bool:
    """Whether the loop is the initialisation of a detected reduction, which the source does not have."""
    leaf: Stmt = loop
    while isinstance(leaf, For | If):
        leaf = leaf.body if isinstance(leaf, For) else leaf.then
    return isinstance(leaf, ReductionInit) and leaf.detected


def _sequential_for(body: Stmt, loop: For, why: str) -> Diagnostic:
    reason, culprit = _irregular(loop, why)
    if isinstance(body, If):
        reason, culprit = "it stands under a condition that depends on data", body.condition
    counter = loop.iterator.spelling
    helps = (_better_bound(loop, why),)
    if culprit is not None and ends_by_data(culprit) and not isinstance(body, If):
        element = _element_in(culprit)
        helps = (
            "let it change a variable of each iteration, and combine that with the other one behind the inner loop"
            if element is None
            else "let it be a `for` with the most rounds there may be, and what is in it stand under the condition",
        )
    elif isinstance(culprit, ReductionUpdate):
        helps = ("a condition on data that the loop does not change lets it run in parallel",)
    elif isinstance(body, If):
        helps = ("move the condition into the loop",)
    elif isinstance(culprit, Jump):
        helps = (
            "where it may look at what comes behind too, keep the first place that is found in a variable that begins "
            f"with a large value: write `if ({counter} < first) first = {counter};` in place of `{culprit.keyword}`",
        )
    return warning(
        "PC0302",
        f"the loop over `{counter}` is kept sequential: {reason}",
        loop.span,
        secondary=(Label(culprit.span, "here"),) if culprit is not None and culprit.span != loop.span else (),
        helps=helps,
    )


def _better_bound(loop: For, why: str) -> str:
    """What to write for a bound, so that the loop may be parallel; `why`: what the model says of it."""
    bound, counter = loop.bound, loop.iterator.spelling
    if why == MAY_WRAP and isinstance(bound, Binary) and bound.op == "-":
        return (
            f"write `{counter} + {spelled(bound.right)} {loop.relation} {spelled(bound.left)}`: "
            f"`{spelled(bound)}` is a large number where it would be less than 0"
        )
    helps = "a bound that is a function of parameters and outer counters lets the loop run in parallel"
    return helps


def _irregular(loop: For, why: str) -> tuple[str, Node | None]:
    """What is not affine about the loop, and where; `why` is what the model says of its bounds."""
    for node in walk(loop.body):
        if isinstance(node, If) and _is_of_head(node):
            return f"`{spelled(_operand(node.condition))}` may end it early", node.condition
        if isinstance(node, Jump) and not _inner_jump(loop, node):
            return f"`{node.keyword}` may leave it early", node
        if isinstance(node, Return):
            return "`return` may leave it early", node
    for bound in (loop.bound, loop.lower):
        varying = _varying(bound)
        if isinstance(varying, Index | Call) or (varying is None and _local_in(bound)):
            at = varying or bound
            return f"its bound `{spelled(bound)}` depends on data", at
        if varying is not None:
            return f"its bound `{spelled(bound)}` is no sum of counters and sizes times numbers", bound
    inner = next((n for n in walk(loop.body) if ends_by_data(n)), None)
    if inner is not None and (changed := _changed_by(inner, loop)):
        return f"the loop inside of it goes on until data say so, and changes `{changed}`", inner
    update = next((n for n in walk(loop.body) if isinstance(n, ReductionUpdate)), None)
    if not why and update is not None:
        return f"whether `{variable_of(update.variable)[1]}` changes depends on what iterations before it leave", update
    return why or "its bounds are no sums of counters and sizes times numbers", loop.bound


def _changed_by(inner: Node, loop: For) -> str:
    """A scalar from outside of `loop` that the loop `inner` in it changes; empty if there is none."""
    own = declared_in(loop) | counters_in(loop)
    for node in walk(inner):
        target = (
            node.target if isinstance(node, Assign) else node.variable if isinstance(node, ReductionUpdate) else None
        )
        if isinstance(target, Name) and target.symbol.name not in own:
            return target.symbol.spelling
    element = _element_in(inner)
    return "" if element is None else spelled(element)


def _element_in(loop: Node) -> Expr | None:
    """An element that has marked updates in a loop; None if there is none."""
    updates = (node.variable for node in walk(loop) if isinstance(node, ReductionUpdate))
    return next((each for each in updates if not isinstance(each, Name)), None)


def _is_of_head(stmt: If) -> bool:
    """Whether `stmt` is what became of a part of the condition of a `for`, which does not bound its counter."""
    return isinstance(stmt.then, Jump) and stmt.then.keyword == "break" and stmt.then.span == stmt.condition.span


def _operand(negated: Expr) -> Expr:
    return negated.operand if isinstance(negated, Unary) else negated


def _inner_jump(loop: For, jump: Jump) -> bool:
    inner = [n for n in walk(loop.body) if isinstance(n, For | While)]
    return any(node is jump for each in inner for node in walk(each))


def _local_in(expr: Expr) -> bool:
    """Whether a variable that the region computes stands in `expr`."""
    return any(isinstance(n, Name) and n.symbol.kind not in ("param", "iterator") for n in walk(expr))
