"""Points of INDIRECT kernels in ragged rows: what counts them, and how a point finds its row and its place in it.

A first kernel writes how many points each row has, a scan makes of that where those of each row begin, and the points
are dealt out by their numbers.  Rows before the ragged one number the runs, `@outer`; `@x` is a place in a run.
"""

from __future__ import annotations

from collections.abc import Sequence as Seq

from pencilc import islx
from pencilc.analysis.ragged_rows import ragged_row
from pencilc.codegen.astgen import AstNode
from pencilc.codegen.bodies import set_to
from pencilc.codegen.frame import KernelFrame
from pencilc.codegen.instances import Instances, KernelPart
from pencilc.codegen.kernels import uniform_lines
from pencilc.codegen.lowering import lowered
from pencilc.codegen.ragged import AstContext
from pencilc.ir.bins import RunLengths, Runs
from pencilc.ir.build import (
    ZERO,
    binary,
    cast,
    count_of,
    counted,
    declare,
    is_number,
    minus,
    number,
    plus,
    product,
    several,
    times,
    variable,
)
from pencilc.ir.kernel import KernelFunction
from pencilc.ir.mapping import MappedProgram
from pencilc.ir.nodes import If, Node, Parameter, uses
from pencilc.ir.queries import names_in
from pencilc.ir.schedule import Leaf, Sequence, statements_of, without
from pencilc.ir.source import LLONG, Expr, PointerType, Stmt


class RaggedRuns:
    """The ragged row of one INDIRECT kernel."""

    def __init__(self, program: MappedProgram, frame: KernelFrame) -> None:
        self.program, self.frame, self.kernel, self.scop = program, frame, frame.kernel, frame.scop
        assert self.kernel.ragged is not None
        self.at, self.points = self.kernel.ragged.at, self.kernel.ragged.points
        self.boxes = self.kernel.reduced_box or ()
        assert frame.tree is not None
        on_row = islx.pw_affs_of(self.kernel.reduced[self.at].function)
        names = statements_of(frame.tree)
        self.inside = tuple(name for name in names if name in on_row)
        # Scalars that are computed once for a row.
        self.scalars = tuple(name for name in names if name not in on_row)
        self.tree = without(frame.tree, frozenset(self.scalars))
        found = ragged_row(self.scop, self.kernel.reduced[self.at], self.inside)
        assert found is not None
        self.loop = self.scop.statement(found.statement).loops[found.depth]
        self.first, self.end, self.condition = self._bounds()

    def _bounds(self) -> tuple[Expr, Expr, Expr | None]:
        rows, names = self.kernel.reduced[: self.at], self.frame.reduced_names[: self.at]
        place = AstContext(
            (*self.frame.host_rows, *rows), (*self.kernel.host, *names), self.frame.context(rows, names)
        )  # fmt: skip
        return self.frame.ragged_loops().run(self.inside, self.kernel.reduced[self.at], place)

    def ast(self) -> AstNode:
        """What is done for a point, all rows being fixed to their names."""
        assert self.tree is not None
        return self.frame.ast(self.tree, self.frame.reduced, self.frame.reduced_names, self.frame.inner_names)

    def runs(self, writer: Instances) -> Runs:
        """How many runs there are, and what the host knows of them."""
        trips = [self.frame.trips(box) for box in self.boxes]
        inner = count_of(trips[self.at :])
        points: Expr = number(1 << 40)
        if self.points is not None:
            points = counted(lowered(self.points, writer.base))
        return Runs(count_of(trips[: self.at]), several(inner), product([points, inner]), f"@{self.kernel.name}_starts")

    # ---- a point -----------------------------------------------------------------------------------

    def nodes(self, writer: Instances, part: KernelPart, ast: AstNode) -> tuple[Node, ...]:
        """One point, from `@outer` and `@x` on."""
        before = self._scalar_nodes(writer, part, self._needed(self._used()))
        body = writer.nodes(ast, part)
        found = (*before, *self._place(body), *self._inner(body), *body)
        found = (*writer.missing_declarations(part, found), *found)
        names = self.frame.reduced_names[: self.at]
        return (*self.frame.recover("@outer", names, self.boxes[: self.at], found), *found)

    def _used(self) -> set[str]:
        """The symbols that a point names."""
        roots: list[Expr | Stmt] = []
        for name in self.inside:
            record = self.scop.statement(name)
            roots += record.own_guards
            if record.body is not None:
                roots.append(record.body)
        if self.loop.first is not None:
            roots.append(self.loop.first)
        return names_in(*roots)

    def _scalar_nodes(self, writer: Instances, part: KernelPart, names: Seq[str]) -> tuple[Node, ...]:
        if not names:
            return ()
        leaves = tuple(Leaf(name) for name in names)
        tree = leaves[0] if len(leaves) == 1 else Sequence(leaves)
        ast = self.frame.ast(tree, self.frame.reduced[: self.at], self.frame.reduced_names[: self.at], ())
        return writer.nodes(ast, part)

    def _place(self, body: Seq[Node]) -> tuple[Node, ...]:
        """The iterator of the ragged row."""
        name = self.frame.reduced_names[self.at]
        if not uses(body, name):
            return ()
        inner, kind = product([self.frame.trips(b) for b in self.boxes[self.at :]]), self.frame.types[name]
        point: Expr = self.frame.point("@x")
        place = point if is_number(inner, 1) else binary("/", point, inner)
        value = cast(kind, plus(self.first, times(place, number(self._step))))
        return (declare(name, kind, value, is_const=True),)

    def _inner(self, body: Seq[Node]) -> tuple[Node, ...]:
        """The iterators of the rows inside a ragged one: with a place before them, all of them are remainders."""
        if not self.boxes[self.at :]:
            return ()
        names = ("@none", *self.frame.reduced_names[self.at + 1 :])
        return self.frame.recover("@x", names, (self.boxes[self.at], *self.boxes[self.at :]), body)

    # ---- lengths -----------------------------------------------------------------------------------

    def lengths(self, writer: Instances) -> KernelFunction:
        """Writes how many points each run has."""
        count = self.end if is_number(self.first, 0) else minus(cast(LLONG, self.end), self.first)
        if self._step > 1:
            count = binary("/", plus(count, number(self._step - 1)), number(self._step))
        nodes: tuple[Node, ...] = (declare("@count", LLONG, count, is_const=True),)
        if self.condition is not None:
            guarded = If(self.condition, (set_to(variable("@count", LLONG), count),))
            nodes = (declare("@count", LLONG, ZERO), guarded)
        part = KernelPart("body")
        nodes = (*self._scalar_nodes(writer, part, self._needed(names_in(*self.loop.evaluated))), *nodes)
        nodes = (*writer.missing_declarations(part, nodes), *nodes)
        names = self.frame.reduced_names[: self.at]
        nodes = (*self.frame.recover("@run", names, self.boxes[: self.at], nodes), *nodes)
        runs = self.runs(writer)
        return KernelFunction(
            f"{self.kernel.name}_lengths", "indirect_lengths", ("How many points each row of the next kernel has.",),
            (), (), 256,
            (*uniform_lines(self.program, writer, (nodes, runs.count)), RunLengths(runs.count, nodes)),
            index=self.kernel.index,
            extra=((Parameter("@starts", PointerType(LLONG)), variable(runs.starts)),),
        )  # fmt: skip

    def _needed(self, wanted: set[str]) -> tuple[str, ...]:
        """The statements that compute the symbols `wanted`, and what those need."""
        found: list[str] = []
        for name in reversed(self.scalars):
            accesses = self.scop.statement(name).accesses
            written = {self.scop.array(a.array).symbol.name for a in accesses if a.kind.writes}
            if written & wanted:
                found.insert(0, name)
                wanted = wanted | {self.scop.array(a.array).symbol.name for a in accesses}
        return tuple(found)

    @property
    def _step(self) -> int:
        """How far two neighbouring values of the row lie apart."""
        return abs(self.loop.step)
