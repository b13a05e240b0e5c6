"""What all parts of one kernel share: names, iterator types, domains, contexts, bounds, ASTs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Sequence as Seq

import islpy as isl

from pencilc import islx
from pencilc.analysis.box import fixed, image
from pencilc.analysis.interior import interior
from pencilc.analysis.iterators import iterator_symbol, loop_type
from pencilc.codegen.ast_verifier import verify_ast
from pencilc.codegen.astgen import (
    Affine,
    AstIf,
    AstNode,
    generate,
    is_shifted,
    is_split,
    replaced,
    schedule_of,
    signed,
)
from pencilc.codegen.instances import iterator_type
from pencilc.codegen.names import NameTable, safe
from pencilc.codegen.ragged import AstContext, RaggedLoops, with_values
from pencilc.codegen.sequential import with_inits
from pencilc.ir.build import ONE, binary, cast, count_of, declare, minus, plus, product, variable
from pencilc.ir.kernel import Counts
from pencilc.ir.mapping import MappedProgram
from pencilc.ir.nodes import Node, uses
from pencilc.ir.ragged_loops import ragged_depths
from pencilc.ir.schedule import Band, Leaf, Row, Sequence, Tree, statements_of
from pencilc.ir.scop import AccessKind
from pencilc.ir.shapes import BoxDimension, Kernel
from pencilc.ir.source import LLONG, SCALARS, CType, Declare, Expr, For, walk


class KernelFrame:
    """The facts about one kernel that its writers need; nothing here changes after construction.

    `kept_names`: the names of its kept rows, where they have been chosen.
    """

    def __init__(self, program: MappedProgram, kernel: Kernel, kept_names: tuple[str, ...] = ()) -> None:
        self.program, self.kernel = program, kernel
        self.scop = program.scop
        symbols = (*(a.symbol for a in self.scop.arrays), *self.scop.params, *self.scop.region.params)
        taken = [safe(symbol.name) for symbol in symbols]
        self.table = NameTable([*taken, *kernel.host, *self._declared()])
        self.types: dict[str, CType] = {}  # the C type of every loop variable of the kernel
        self.kept_names = kept_names or tuple(self._row_name(row) for row in kernel.kept)
        self.types |= {name: iterator_type(self.scop, name) for name in kept_names}
        self.reduced_names = tuple(self._row_name(row) for row in kernel.reduced)
        self.inner_names = self._inner_names(kernel.body)
        self.tree, self.host_rows = kernel.body, program.host_rows(kernel)
        self.kept, self.reduced = kernel.kept, kernel.reduced
        if kernel.body is not None:
            # Reductions inside one thread begin with their init, which needs a place in every row around it.
            outer = (*self.host_rows, *kernel.kept, *kernel.reduced)
            whole = with_inits(self.scop, Band(outer, kernel.body), kernel.reductions)
            assert isinstance(whole, Band)
            rows = iter(whole.rows)
            self.host_rows = tuple(next(rows) for _ in self.host_rows)
            self.kept = tuple(next(rows) for _ in kernel.kept)
            self.reduced, self.tree = tuple(rows), whole.child
        records = [self.scop.statement(name) for name in self.all_statements()]
        self.domains = {s.name: s.domain.intersect_params(self.scop.context) for s in records}
        self.index = SCALARS[kernel.index]
        around = {name: iterator_type(self.scop, name) for name in kernel.host}
        iterators = {name: signed(name, ctype) for name, ctype in {**around, **self.types}.items()}
        params = {p.name: signed(safe(p.name), p.type) for p in self.scop.params}
        # How deep a tile is: a parameter of isl's must not have the name of one of the source's.
        self.affine = Affine({**iterators, **params, "@depth": variable("DEPTH")})

    def all_statements(self) -> tuple[str, ...]:
        """Every statement of the kernel, inits that stand in the body included."""
        body = statements_of(self.tree) if self.tree is not None else ()
        return (*self.kernel.prologue, *body, *self.post)

    def where(self, statements: Seq[str]) -> str:
        """The lines of the source that `statements` stand in, `Lines 3-5`; empty where they stand in none."""
        lines = sorted({line for s in statements if (line := self.scop.statement(s).span.line)})
        if not lines:
            return ""
        return f"Line {lines[0]}" if len(lines) == 1 else f"Lines {lines[0]}-{lines[-1]}"

    @property
    def post(self) -> tuple[str, ...]:
        """The post statements, with what is handed on to a later kernel."""
        return self.kernel.behind(self.scop)

    @property
    def boxed_names(self) -> tuple[str, ...]:
        """The names of the reduced rows that have a range."""
        ragged = self.kernel.ragged
        return tuple(name for k, name in enumerate(self.reduced_names) if ragged is None or k != ragged.at)

    # ---- names -------------------------------------------------------------------------------------

    def _declared(self) -> set[str]:
        """The names that statements of the kernel declare themselves: a loop around them must not have one of those."""
        inside = statements_of(self.kernel.body) if self.kernel.body is not None else ()
        found: set[str] = set()
        for statement in (*self.kernel.prologue, *inside, *self.kernel.post):
            body = self.scop.statement(statement).body
            for node in walk(body) if body is not None else ():
                if isinstance(node, For) and node.declares:
                    found.add(safe(node.iterator.name))
                elif isinstance(node, Declare):
                    found.add(safe(node.symbol.name))
        return found

    def _row_name(self, row: Row) -> str:
        return self._named(row, loop_type(self.scop, (row,)))

    def _named(self, row: Row, ctype: CType) -> str:
        """The name of a loop through the values of `row`, of type `ctype`."""
        for statement_name in islx.pw_affs_of(row.function):
            symbol = iterator_symbol(self.scop, row, statement_name)
            if symbol is not None:
                name = self.table.fresh(symbol.spelling)
                self.types[name] = ctype
                return name
        name = self.table.fresh("t")
        self.types[name] = LLONG
        return name

    def _inner_names(self, tree: Tree | None) -> tuple[str, ...]:
        """Names of the loops inside the body, by depth; those side by side share a name and a type."""
        return tuple(self._named(rows[0], loop_type(self.scop, rows)) for rows in _rows_by_depth(tree))

    # ---- AST ---------------------------------------------------------------------------------------

    def dealt_ast(self, tree: Band, rows: Seq[Row], names: Seq[str], iterators: Seq[str]) -> AstNode:
        """The AST of `tree`, whose rows are dealt out to threads, with `rows` fixed to the parameters `names`.

        isl may take a value out of a loop for one statement and leave it there for another:

            S(1); for (i = 1; i < n; i++) T(i);         for (i = 1; i < n; i++) { if (i == 1) S(1); T(i); }

        Different threads would have the two parts, so the loops are made for the points of all statements, and what
        is done for a point inside of them, where a statement leaves something to another.  The same where an iteration
        does what belongs to another point (`is_shifted`).
        """
        place = self._place(rows, names)
        there = self._there(tree, place)
        ast = self._generated(tree, place, there, iterators)
        count = len(tree.rows)
        is_apart = is_split(ast, iterators[:count]) and self._is_ordered(statements_of(tree))
        if is_apart or is_shifted(ast, tree.rows, iterators[:count]):
            around = self._points(tree, there, place, iterators)
            inner = self.ast(tree.child, (*rows, *tree.rows), (*names, *iterators[:count]), iterators[count:])
            ast = replaced(around, lambda point: with_values(self.types, iterators[:count], point.arguments, inner))
        self._verify(ast, tree, there, place, dict(zip(iterators[:count], tree.rows, strict=True)))
        return ast

    def _points(self, tree: Band, there: Mapping[str, isl.Set], place: AstContext, iterators: Seq[str]) -> AstNode:
        """Loops over the points that any statement of `tree` has, each of them an instance of `P`."""
        points = islx.named(image(there, tree.rows, statements_of(tree)), "P")
        own = tuple(Row(row.flag, islx.union_pw_aff([islx.variable(points, k)])) for k, row in enumerate(tree.rows))
        schedule = schedule_of(Band(own, Leaf("P")), {"P": points})
        return generate(schedule, place.context, iterators[: len(tree.rows)], self.affine)

    def _is_ordered(self, statements: Seq[str]) -> bool:
        """Whether a statement touches what another one writes, but for the values that reductions combine."""
        written: set[str] = set()
        users: dict[str, set[str]] = {}
        for name, symbol, writes in self.uncombined(statements):
            users.setdefault(symbol, set()).add(name)
            if writes:
                written.add(symbol)
        return any(len(users[each]) > 1 for each in written)

    def uncombined(self, statements: Seq[str]) -> Iterator[tuple[str, str, bool]]:
        """(statement, variable, whether it is written) of all accesses, but for the values that reductions combine."""
        combined = {u for r in self.scop.reductions_of(self.kernel.reductions) for u in r.updates}
        for name in statements:
            for access in self.scop.statement(name).accesses:
                if access.kind is not AccessKind.UPDATE or name not in combined:
                    yield name, self.scop.array(access.array).symbol.name, access.kind.writes

    def ast(self, tree: Tree, rows: Seq[Row], names: Seq[str], iterators: Seq[str]) -> AstNode:
        """The AST of `tree` with `rows` (and the host rows) fixed to the parameters `names`."""
        place = self._place(rows, names)
        there = self._there(tree, place)
        made = self._generated(tree, place, there, iterators)
        self._verify(made, tree, there, place, {})
        return made

    def ast_by_interior(self, tree: Tree, rows: Seq[Row], names: Seq[str], iterators: Seq[str]) -> AstNode:
        """The AST of `tree`; for points with whole windows one without the conditions that cut those at a border."""
        place = self._place(rows, names)
        there = self._there(tree, place)
        whole = interior(there.values(), place.context)
        condition = self.affine.condition(whole, place.context) if whole is not None else None
        if whole is None or condition is None or self._is_ragged(tree):
            return self.ast(tree, rows, names, iterators)
        inside, outside = (
            generate(schedule_of(tree, there), place.context.intersect(where), iterators, self.affine)
            for where in (whole, whole.complement())
        )
        made = AstIf(condition, inside, outside)
        self._verify(made, tree, there, place, {})
        return made

    def of_kept_point(self, statements: Iterable[str], iterators: Seq[str] = ()) -> tuple[AstNode, ...]:
        """The ASTs of `statements` of a kept point, each on its own."""
        return tuple(self.ast(Leaf(name), self.kept, self.kept_names, iterators) for name in statements)

    def _place(self, rows: Seq[Row], names: Seq[str]) -> AstContext:
        """Where an AST stands: inside of the host rows and of `rows`, fixed to `names`."""
        return AstContext((*self.host_rows, *rows), (*self.kernel.host, *names), self.context(rows, names))

    def _there(self, tree: Tree, place: AstContext) -> dict[str, isl.Set]:
        """The instances of the statements of `tree` where the rows around it have the values of `place`."""
        return fixed({name: self.domains[name] for name in statements_of(tree)}, place.rows, place.names)

    def _generated(self, tree: Tree, place: AstContext, there: Mapping[str, isl.Set], iterators: Seq[str]) -> AstNode:
        if self._is_ragged(tree):
            return self.ragged_loops().ast(tree, place, iterators)
        return generate(schedule_of(tree, there), place.context, iterators, self.affine)

    def _verify(
        self, ast: AstNode, tree: Tree, there: Mapping[str, isl.Set], place: AstContext, dealt: Mapping[str, Row]
    ) -> None:
        if not self._is_ragged(tree):
            verify_ast(ast, there.values(), place.context, self.affine, dealt)

    def _is_ragged(self, tree: Tree) -> bool:
        return any(ragged_depths(self.scop.statement(name)) for name in statements_of(tree))

    def ragged_loops(self) -> RaggedLoops:
        """What generates the loops of the kernel whose bounds are data."""
        return RaggedLoops(self.program, self.kernel, self.types, self.table, self.domains, self.affine)

    def context(self, rows: Seq[Row], names: Seq[str]) -> isl.Set:
        """What is known where the AST stands: the context, the host domain, the ranges of fixed rows."""
        context = self.scop.context
        host = self.kernel.domain
        for position, name in enumerate(self.kernel.host):
            host = host.intersect(equals_parameter(host, position, name))
        if self.kernel.host:
            context = context.intersect(host.params())
        boxes: dict[str, BoxDimension] = {}
        if self.kernel.kept_box and rows:
            boxes |= dict(zip(self.kept_names, self.kernel.kept_box, strict=True))
        if self.kernel.reduced_box:
            boxes |= dict(zip(self.boxed_names, self.kernel.reduced_box, strict=True))
        for name in names:
            if name in boxes:
                context = context.intersect(_in_range(name, boxes[name]))
        return context

    # ---- bounds ------------------------------------------------------------------------------------

    def trips(self, dimension: BoxDimension) -> Expr:
        """The number of values of a row."""
        lower, upper = self.bounds(dimension)
        return minus(upper, lower)

    def counts(self) -> Counts:
        """The numbers of kept and reduced points, for the kernel and for its launch."""
        kept = [self.trips(b) for b in self.kernel.kept_box or ()]
        reduced = [self.trips(b) for b in self.kernel.reduced_box or ()]
        layers = max(0, len(kept) - self.kernel.column_rows)
        return Counts(
            count_of(kept), count_of(kept[:layers]), count_of(kept[layers:]), count_of(reduced) if reduced else None
        )  # fmt: skip

    def bounds(self, dimension: BoxDimension) -> tuple[Expr, Expr]:
        """The first value and one past the last value of a row."""
        context = self.scop.context
        lower = self.affine.value(dimension.lower, context)
        one_more = dimension.upper.add_constant_val(isl.Val.one(isl.DEFAULT_CONTEXT))
        return lower, self.affine.value(one_more, context)

    def recover(
        self, index: str, names: Seq[str], boxes: Seq[BoxDimension], nodes: object, counter: CType | None = None
    ) -> tuple[Node, ...]:
        """`const int i = index / m;` … for the iterators that `nodes` use; `counter`: the type of `index`."""
        found: list[Node] = []
        trips = [self.trips(b) for b in boxes]
        for position, (name, box) in enumerate(zip(names, boxes, strict=True)):
            if not uses(nodes, name):
                continue
            value: Expr = variable(index, counter or self.index)
            inner = product(trips[position + 1 :])
            if inner != ONE:
                value = binary("/", value, inner)
            if position:
                value = binary("%", value, trips[position])
            kind = self.types[name]
            value = plus(self.bounds(box)[0], value)
            found.append(
                declare(name, kind, value if value.type == counter == kind else cast(kind, value), is_const=True)
            )
        return tuple(found)

    def point(self, name: str) -> Expr:
        """One of the counters of the building blocks, which count in the index type of the kernel."""
        return variable(name, self.index)


def equals_parameter(points: isl.Set, position: int, name: str) -> isl.Set:
    """Where dimension `position` of { [h] } has the value of the parameter `name`."""
    here = islx.variable(points, position)
    value = isl.PwAff(f"[{name}] -> {{ [{name}] }}").insert_domain(points.get_space())
    return here.eq_set(value)


def _in_range(name: str, box: BoxDimension) -> isl.Set:
    value = isl.PwAff(f"[{name}] -> {{ [{name}] }}")
    return box.lower.le_set(value).intersect(value.le_set(box.upper)).params()


def _rows_by_depth(tree: Tree | None) -> list[list[Row]]:
    """The rows of `tree` that lie at each depth, those of the deepest part first."""
    match tree:
        case Band():
            return [*([row] for row in tree.rows), *_rows_by_depth(tree.child)]
        case Sequence():
            parts = sorted(map(_rows_by_depth, tree.children), key=len, reverse=True)
            deepest = max(map(len, parts), default=0)
            return [[row for part in parts if depth < len(part) for row in part[depth]] for depth in range(deepest)]
    return []
