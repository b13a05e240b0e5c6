"""Loops over rows whose bounds are data: the bounds become constants that stand right around the loop.

    for (int i = …)                            for (int i = …) {
        P0(i)                   ->                 const int j_first = start[i], j_end = start[i + 1];
                                                   for (int j = j_first; j < j_end; j++) …

isl would move a condition on a bound out of the loops around, where its text means nothing.  So what lies below a
ragged row is first one statement, P0, and generated alone where P0 has come to stand, the rows around it being fixed.
"""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Sequence as Seq

import islpy as isl

from pencilc import islx
from pencilc.analysis.box import fixed, image
from pencilc.analysis.ragged_rows import ragged_row, signed_shift
from pencilc.codegen.astgen import (
    Affine,
    AstIf,
    AstInstance,
    AstLet,
    AstNode,
    generate,
    replaced,
    schedule_of,
    signed,
)
from pencilc.codegen.instances import Instances
from pencilc.codegen.lowering import Bindings, lowered
from pencilc.codegen.names import NameTable
from pencilc.ir.build import binary, conjunction, minus, number, plus, variable
from pencilc.ir.mapping import MappedProgram
from pencilc.ir.schedule import Band, Leaf, Row, Sequence, Tree, statements_of
from pencilc.ir.scop import Loop, Statement
from pencilc.ir.shapes import Kernel
from pencilc.ir.source import LLONG, CType, Expr, Name
from pencilc.records import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class Below:
    """What a pseudo statement stands for: `tree`, whose first row is ragged, below `rows`; `points` are { P[t] }."""

    tree: Band
    rows: tuple[Row, ...]
    points: isl.Set


@dataclass(frozen=True, slots=True, eq=False)
class AstContext:
    """Where an AST stands: the rows around it, host rows included, their names, and what is known there."""

    rows: tuple[Row, ...]
    names: tuple[str, ...]
    context: isl.Set


class RaggedLoops:
    """Generates the trees of one kernel that hold ragged rows.

    `types`: the C types of loop variables; `table`: the names that are taken; `domains`: those of all statements.
    """

    def __init__(
        self, program: MappedProgram, kernel: Kernel, types: Mapping[str, CType], table: NameTable,
        domains: Mapping[str, isl.Set], affine: Affine,
    ) -> None:  # fmt: skip
        self.program, self.kernel, self.types = program, kernel, types
        self.scop = program.scop
        self.table = table.copy()
        self.domains, self.affine = domains, affine

    def ast(self, tree: Tree, place: AstContext, iterators: Seq[str]) -> AstNode:
        """The AST of `tree`, the rows around it being fixed to their names."""
        return self._generate(tree, None, self.domains, place, tuple(iterators))

    def _generate(
        self,
        tree: Tree,
        head: Row | None,
        domains: Mapping[str, isl.Set],
        place: AstContext,
        iterators: tuple[str, ...],
    ) -> AstNode:
        """The AST of `tree`, below `head` if there is one, which is generated whether it is ragged or not."""
        inside = fixed({n: domains[n] for n in statements_of(tree)}, place.rows, place.names)
        below: dict[str, Below] = {}
        upper = self._with_placeholders(tree, (head,) if head else (), inside, below)
        if head:
            upper = Band((_with_pseudo(head, 0, below),), upper)
        known = {**inside, **{name: found.points for name, found in below.items()}}
        ast = generate(schedule_of(upper, known), place.context, iterators, self.affine)

        def replacement(instance: AstInstance) -> AstNode | None:
            found = below.get(instance.statement)
            return None if found is None else self._below(found, instance, place, iterators)

        return replaced(ast, replacement)

    def _below(self, found: Below, instance: AstInstance, place: AstContext, iterators: tuple[str, ...]) -> AstNode:
        """What the pseudo statement of `instance` stands for."""
        count = len(found.rows)
        names = iterators[:count]
        context = place.context.intersect(_as_parameters(found.points, names))
        inner = AstContext((*place.rows, *found.rows), (*place.names, *names), context)
        node = self._loop(found.tree, inner, iterators[count:])
        return with_values(self.types, names, instance.arguments, node)

    def run(self, statements: Seq[str], row: Row, place: AstContext) -> tuple[Expr, Expr, Expr | None]:
        """The ragged row `row` at a place: its first value, one past its last, and on what condition there is any.

        The condition is None where there always is; the bounds may be read only where it holds.
        """
        found = ragged_row(self.scop, row, statements)
        assert found is not None
        record = self.scop.statement(found.statement)
        loop = record.loops[found.depth]
        inside = fixed({n: self.domains[n] for n in statements}, place.rows, place.names)
        points = image(inside, (row,), statements)
        known = place.context.intersect(points.params())
        bindings = self._bindings(record, place)
        if loop.first is not None:
            first = lowered(loop.first, bindings)
        else:
            first = self.affine.value(points.dim_min(0).gist(known), known)
        if loop.end is not None:
            end = lowered(loop.end, bindings)
        else:
            last = points.dim_max(0).add_constant_val(isl.Val.one(isl.DEFAULT_CONTEXT))
            end = self.affine.value(last.gist(known), known)
        affine = self.affine.condition(points.params(), place.context)
        conditions = (affine, self._condition(loop, record, place))
        return first, end, conjunction(condition for condition in conditions if condition is not None)

    # ---- placeholders ------------------------------------------------------------------------------

    def _with_placeholders(
        self, tree: Tree, around: tuple[Row, ...], inside: Mapping[str, isl.Set], below: dict[str, Below]
    ) -> Tree:
        """`tree` with a pseudo statement in place of each ragged row and what is below it."""
        match tree:
            case Leaf():
                return tree
            case Sequence():
                return Sequence(tuple(self._with_placeholders(child, around, inside, below) for child in tree.children))
        names = statements_of(tree)
        ragged = [k for k, row in enumerate(tree.rows) if ragged_row(self.scop, row, names)]
        outer = tree.rows[: ragged[0]] if ragged else tree.rows
        found: dict[str, Below] = {}
        if ragged:
            name = f"P{len(below)}"
            points = islx.named(image(inside, (*around, *outer), names), name)
            found[name] = Below(Band(tree.rows[len(outer) :], tree.child), (*around, *outer), points)
            child: Tree = Leaf(name)
            below |= found
        else:
            before = set(below)
            child = self._with_placeholders(tree.child, (*around, *outer), inside, below)
            found = {name: item for name, item in below.items() if name not in before}
        rows = tuple(_with_pseudo(row, len(around) + k, found) for k, row in enumerate(outer))
        return Band(rows, child) if rows else child

    # ---- one ragged loop ---------------------------------------------------------------------------

    def _loop(self, band: Band, place: AstContext, iterators: tuple[str, ...]) -> AstNode:
        """The loop over the first row of `band`, with its bounds around it."""
        names, row = statements_of(band), band.rows[0]
        found = ragged_row(self.scop, row, names)
        assert found is not None
        record = self.scop.statement(found.statement)
        loop = record.loops[found.depth]
        first, end = (self.table.fresh(f"{iterators[0]}_{word}") for word in ("first", "end"))
        bounds = [(name, bound) for name, bound in ((end, loop.end), (first, loop.first)) if bound is not None]
        # Before the body names them.
        self.affine.names.update({name: signed(name, bound.type) for name, bound in bounds})
        functions = islx.pw_affs_of(row.function)
        domains = {n: self.domains[n].intersect(_between(functions[n], loop, first, end)) for n in names}
        rest: Tree = Band(band.rows[1:], band.child) if len(band.rows) > 1 else band.child
        body = self._generate(rest, row, domains, place, iterators)
        for name, bound in bounds:
            body = AstLet(bound.type, name, lowered(bound, self._bindings(record, place)), body)
        return self._guarded(loop, record, place, body)

    def _guarded(self, loop: Loop, record: Statement, place: AstContext, body: AstNode) -> AstNode:
        """The loop where its bounds may be read."""
        condition = self._condition(loop, record, place)
        return AstIf(condition, body, None) if condition is not None else body

    def _condition(self, loop: Loop, record: Statement, place: AstContext) -> Expr | None:
        return conjunction(lowered(guard, self._bindings(record, place)) for guard in loop.guards)

    def _bindings(self, record: Statement, place: AstContext) -> Bindings:
        """What the iterators of the statement are, in terms of the rows around."""
        values: list[Expr] = []
        for depth, iterator in enumerate(record.iterators):
            value: Expr = variable(iterator.name)
            for row, name in zip(place.rows, place.names, strict=True):
                found = signed_shift(row, record, depth)
                if found is not None:
                    value = _iterator(variable(name, self._type_of(name)), *found)
            values.append(value)
        return Instances(self.program, self.kernel, self.types).bindings(record, values)

    def _type_of(self, name: str) -> CType:
        return self.types.get(name) or LLONG


def _iterator(row: Expr, sign: int, constant: int) -> Expr:
    """The iterator of which `row` is `sign` times the value plus `constant`."""
    if sign < 0:
        return binary("-", number(constant), row)
    return minus(row, number(constant)) if constant > 0 else plus(row, number(-constant))


def with_values(types: Mapping[str, CType], names: Seq[str], values: Seq[Expr], node: AstNode) -> AstNode:
    """`node` where the iterators `names` have these values: a row of one value has no loop, but a constant."""
    for name, value in zip(names, values, strict=True):
        if not isinstance(value, Name) or value.symbol.name != name:
            node = AstLet(types.get(name) or LLONG, name, value, node)
    return node


def _between(function: isl.PwAff, loop: Loop, first: str, end: str) -> isl.Set:
    """{ S[i] : first <= f(i) < end } for the bounds that are data."""
    bounds = []
    if loop.first is not None:
        bounds.append(f"{first} <= t")
        if abs(loop.step) > 1:
            bounds.append(f"(t - {first}) mod {loop.step} = 0")
    if loop.end is not None:
        bounds.append(f"t < {end}")
    allowed = isl.Set(f"[{first}, {end}] -> {{ [t] : {' and '.join(bounds)} }}")
    return isl.Map.from_pw_aff(function).intersect_range(allowed).domain()


def _with_pseudo(row: Row, position: int, below: Mapping[str, Below]) -> Row:
    """`row` on pseudo statements as well, whose dimension `position` it is."""
    own = islx.pw_affs_of(row.function).values()
    pseudo = (islx.variable(found.points, position) for found in below.values())
    return Row(row.flag, islx.union_pw_aff([*own, *pseudo]))


def _as_parameters(points: isl.Set, names: Seq[str]) -> isl.Set:
    """The values { : ... } of the parameters `names` for which { P[names] } is one of `points`."""
    for position, name in enumerate(names):
        value = isl.PwAff(f"[{name}] -> {{ [{name}] }}").insert_domain(points.get_space())
        points = points.intersect(islx.variable(points, position).eq_set(value))
    return points.params()
