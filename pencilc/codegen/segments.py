"""Loops over the reduced rows of a kernel, down to runs of points that threads take in chunks."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from functools import cached_property

from pencilc.codegen.accumulators import accumulator
from pencilc.codegen.astgen import AstBlock, AstFor, AstIf, AstLet, AstNode, has_loop, pieces_around_loops
from pencilc.codegen.beginnings import BEGINS, with_beginnings
from pencilc.codegen.byte_sums import byte_sums
from pencilc.codegen.frame import KernelFrame
from pencilc.codegen.instances import Instances, KernelPart, named, shared_name
from pencilc.codegen.names import NameTable
from pencilc.diagnostics.diagnostic import CompilerBug
from pencilc.gpu.fusion.shared_promotion import is_dynamic
from pencilc.ir.build import (
    ONE,
    ZERO,
    GeneratedType,
    address,
    binary,
    cast,
    count_of,
    declare,
    is_number,
    minus,
    number,
    plus,
    substituted,
    symbol,
    times,
    variable,
)
from pencilc.ir.nodes import For, If, Node, Parameter, names_of, uses
from pencilc.ir.queries import mentions_any
from pencilc.ir.schedule import Band
from pencilc.ir.segments import LoadVector, Segment
from pencilc.ir.source import BOOL, INT, UINT, Binary, Cast, CType, Expr, Index, Name, PointerType, Scalar
from pencilc.ir.storage import InBlock
from pencilc.options import RowLaunch

# A thread in its team, which has its runs; teams are numbered by threads.
THREAD_OF_TEAMS, TEAM, TEAMS = (variable(name, UINT) for name in ("@thread", "@team", "@teams"))
RANK_IN_TEAM, OWN_TEAM = binary("%", THREAD_OF_TEAMS, TEAM), binary("/", THREAD_OF_TEAMS, TEAM)


class Segments:
    """The loops over the reduced rows of a kernel, down to runs of contiguous elements."""

    def __init__(
        self, frame: KernelFrame, writer: Instances, rank: Expr, size: Expr, counter: CType | None = None,
        block: int = 0,
    ) -> None:  # fmt: skip
        self.frame, self.writer, self.rank, self.size = frame, writer, rank, size
        self.block = block  # the threads of a block, where all of a grid of them have a run
        self.counter = counter  # the type of the number of a point among those of a run, None: that of the kernel
        self.kernel = frame.kernel
        self.count = 0

    def nodes(self) -> tuple[Node, ...]:
        """The loops over the reduced rows with their segments."""
        kernel, frame = self.kernel, self.frame
        assert frame.tree is not None
        if kernel.run_rows:
            return self._box()
        rows = frame.kept
        ast = frame.dealt_ast(
            Band(frame.reduced, frame.tree), rows, frame.kept_names, (*frame.reduced_names, *frame.inner_names)
        )
        return self._walk(ast, outermost=True)

    def _walk(self, ast: AstNode, outermost: bool) -> tuple[Node, ...]:
        """The loops over the reduced rows, told by their names: the innermost are runs, what has none is a point."""
        names = self.frame.reduced_names
        if not has_loop(ast, names):
            return (self._point(ast),)
        match ast:
            case AstBlock():
                pieces = pieces_around_loops(ast, names)
                return tuple(n for piece in pieces for n in self._walk(piece, outermost))
            case AstIf():
                other = self._walk(ast.otherwise, outermost) if ast.otherwise else ()
                return (If(ast.condition, self._walk(ast.then, outermost), other),)
            case AstFor() if not has_loop(ast.body, names):
                return (self._segment(ast),)
            case AstFor():
                if not outermost:
                    return self.writer.loop(ast, self._walk(ast.body, outermost))
                rank, size = self.rank, self.size
                self.rank, self.size = RANK_IN_TEAM, TEAM
                body = self._walk(ast.body, outermost=False)
                self.rank, self.size = rank, size
                return (_by_teams(strided(self.frame, ast, OWN_TEAM, TEAMS, body)),)
            case AstLet():
                return named(ast, self._walk(ast.body, outermost))
        raise CompilerBug(f"{self.kernel.name}: a loop over a reduced row inside of an instance")

    def _segment(self, ast: AstFor) -> Segment:
        if ast.name not in self.frame.reduced_names:
            raise CompilerBug(f"{self.kernel.name} deals out the loop over `{ast.name}`, which is none of its rows")
        # Elements lie side by side along the last row: where a condition leaves one value of it, another loop is the
        # innermost one, along which they do not.
        runs = ast.step == 1 and ast.name == self.frame.reduced_names[-1]
        part = KernelPart("body", along=(ast.name,) if runs else ())
        nodes = self.writer.whole(part, ast.body)
        count = ast.upper
        if not is_number(ast.lower, 0):
            count = binary("-", cast(self.frame.index, ast.upper), ast.lower)
        if ast.step != 1:
            count = binary("/", plus(count, number(ast.step - 1)), number(ast.step))
        kind = self.frame.types.get(ast.name) or INT
        point = cast(kind, plus(ast.lower, times(number(ast.step), self.frame.point("@x"))))
        used = uses(nodes, ast.name)
        parameters = [Parameter(ast.name, kind, is_const=True)] if used else []
        return self._make(part, nodes, count, point if used else None, parameters, {ast.name: ast.lower})

    def _point(self, ast: AstNode) -> Segment:
        """A point that no loop is left around: a run of one."""
        part = KernelPart("body")
        return self._make(part, self.writer.whole(part, ast), ONE, None, [], {})

    def _box(self) -> tuple[Node, ...]:
        """The runs of a box of reduced rows: teams take one after the other, whatever rows number them."""
        frame, kernel = self.frame, self.kernel
        assert kernel.reduced_box
        around = len(kernel.reduced) - kernel.run_rows
        if not around:
            return (self._run(0),)
        self.rank, self.size = RANK_IN_TEAM, TEAM
        run = self._run(around)
        boxes = kernel.reduced_box[:around]
        recovered = frame.recover("@run", frame.reduced_names[:around], boxes, run)
        count = count_of([frame.trips(box) for box in boxes])
        first = cast(frame.index, OWN_TEAM)
        loop = For(symbol("@run", frame.index), first, count, (*recovered, run), cast(frame.index, TEAMS))
        return (_by_teams(loop),)

    def _run(self, around: int) -> Segment:
        """The reduced rows but for those `around` them, walked as one index."""
        frame, kernel = self.frame, self.kernel
        assert frame.tree is not None and kernel.reduced_box
        own, boxes = frame.reduced_names[around:], kernel.reduced_box[around:]
        part = KernelPart("body", along=own)
        rows, names = (*frame.kept, *frame.reduced), (*frame.kept_names, *frame.reduced_names)
        nodes = self.writer.whole(part, frame.ast(frame.tree, rows, names, frame.inner_names))
        recovered = frame.recover("@point", own, boxes, nodes, self.counter)
        count = count_of([frame.trips(b) for b in boxes])
        lowers = {n: frame.bounds(b)[0] for n, b in zip(own, boxes, strict=True)}
        parameters = [Parameter("@point", self.counter or frame.index, is_const=True)] if recovered else []
        point = frame.point("@x") if recovered else None
        if point is not None and self.counter is not None:
            point = cast(self.counter, point)
        return self._make(part, (*recovered, *nodes), count, point, parameters, lowers)

    def column(self, part: KernelPart, nodes: tuple[Node, ...], axes: tuple[str, ...]) -> Segment:
        """The element of a COLUMN kernel: `axes` are the kept iterators along which chunks lie, together."""
        frame, kernel = self.frame, self.kernel
        assert kernel.kept_box and kernel.reduced_box
        recovered = frame.recover("@row", frame.reduced_names, kernel.reduced_box, nodes)
        boxes = kernel.kept_box[-len(axes) :]
        lowers = {name: frame.bounds(box)[0] for name, box in zip(axes, boxes, strict=True)}
        last = axes[-1]
        places: tuple[Node, ...] = ()
        if len(axes) > 1:
            places = frame.recover("@point", axes, boxes, nodes)
            used, point = bool(places), frame.point("@x")
            parameter = Parameter("@point", frame.index, is_const=True)
        else:
            kind = frame.types[last]
            used, point = uses(nodes, last), cast(kind, plus(lowers[last], frame.point("@x")))
            parameter = Parameter(last, kind, is_const=True)
        parameters = [Parameter("@row", frame.index, is_const=True)] if recovered else []
        if used:
            parameters.append(parameter)
        lowers[last] = plus(lowers[last], frame.point("@column"))
        body = (*recovered, *places, *nodes)
        segment = self._make(part, body, frame.point("@columns"), point, parameters, lowers)
        return replace(segment, uses_point=used, uses_row=bool(recovered))

    @cached_property
    def _aligned(self) -> frozenset[str]:
        """The names of what begins at a multiple of 16 bytes: what a row of a composed kernel has in shared memory."""
        scop, storage = self.frame.scop, self.frame.program.storage
        of_block = (each for each in storage if isinstance(each.residence, InBlock) and is_dynamic(scop, each))
        return frozenset(map(shared_name, of_block))

    def _is_spread(self, width: int) -> bool:
        """Whether a run has `width` threads or more: teams and lanes of a warp may be fewer, a warp is not."""
        names, launch = names_of(self.size), self.kernel.launch
        if "LANES" in names and isinstance(launch, RowLaunch):
            return min(launch.few_lanes, launch.some_lanes, RowLaunch().few_lanes) >= width
        return not {"@team", "LANES"} & names

    def _make(
        self, part: KernelPart, nodes: tuple[Node, ...], count: Expr, point: Expr | None, parameters: list[Parameter],
        lowers: dict[str, Expr],
    ) -> Segment:  # fmt: skip
        kernel = self.kernel
        loads = []
        table = NameTable()
        for load in part.loads.values():
            if not mentions_any(load.access, *lowers):
                raise CompilerBug(
                    f"{self.kernel.name} reads `{load.array}` in chunks along a loop that does not move it"
                )
            first = run_address(load.access, lowers)
            if isinstance(load.type, GeneratedType):
                first = cast(PointerType(load.type, is_const=True), first)  # neighbours, which are one element here
            run, wide = table.fresh(f"@{load.array}_run"), table.fresh(f"@{load.array}_wide")
            tail = table.fresh(f"@{load.array}_tail")
            is_aligned = isinstance(first, Name) and first.symbol.name in self._aligned
            is_narrow = (
                isinstance(load.type, Scalar)
                and load.type.size <= 2
                and kernel.loads.width * load.type.size >= 4
                and not is_aligned
            )
            is_apart = is_narrow and load.type.size == 2  # with two loops of bytes nvcc has no register left
            loads.append(
                LoadVector(
                    load.register,
                    load.type,
                    first,
                    run,
                    wide,
                    f"{load.register}s",
                    tail,
                    is_narrow,
                    is_apart,
                    is_aligned,
                )
            )
            parameters.append(Parameter(load.register, load.type, is_const=True, reference=load.is_struct))
        self.count += 1
        name = "@element" if self.count == 1 else f"@element{self.count}"
        parameters.append(Parameter("@acc", accumulator(self.frame.program, self.kernel).carried, reference=True))
        members = self.writer.members
        reductions = self.frame.scop.reductions_of(kernel.reductions)
        by_member = {members[each.name].text if len(reductions) > 1 else "": each for each in reductions}
        width = kernel.loads.width if loads else 1
        told = with_beginnings(nodes, by_member) if loads else nodes
        has_blocks = bool(loads) and kernel.loads.in_flight > 1 and self.rank is not RANK_IN_TEAM
        if told != nodes:
            parameters.append(Parameter(BEGINS, BOOL, is_const=True, default="true"))
        return Segment(
            name, tuple(parameters), told, self.rank, self.size, count, point, tuple(loads),
            width, kernel.loads.in_flight, kernel.loads.sets, point is not None,
            is_spread=self._is_spread(kernel.loads.width),
            byte_sums=byte_sums(nodes, loads, width, by_member), has_beginnings=told != nodes,
            block=self.block if has_blocks else 0,
        )  # fmt: skip


def _by_teams(loop: For) -> If:
    """A loop that is dealt out to teams; what is left over when threads are dealt out to teams stays idle."""
    return If(binary("<", OWN_TEAM, TEAMS), (loop,))


def strided(
    frame: KernelFrame, ast: AstFor, rank: Expr, size: Expr, body: tuple[Node, ...], rows: Collection[str] = ()
) -> For:
    """A loop whose iterations are dealt out to `size` threads, of which this one is number `rank`.

    The last step may go beyond the bound by a whole grid, so the loop counts in the kernel's index type, which is
    the iterator's own only where the bounds prove that nothing overflows.  Raises CompilerBug for a loop that is none
    over a row of the kernel, or over several of them as `rows` has it.
    """
    if ast.name not in (*frame.kept_names, *frame.reduced_names, *rows):
        raise CompilerBug(f"{frame.kernel.name} deals out the loop over `{ast.name}`, which is none of its rows")
    index = frame.index
    kind = frame.types.get(ast.name) or (index if ast.name in rows else INT)
    start = plus(ast.lower, times(rank if rank.type == index else cast(index, rank), number(ast.step)))
    stride = times(cast(index, size), number(ast.step))
    at = ast.name if kind == index else f"@{ast.name}_at"
    named: tuple[Node, ...] = ()
    if kind != index and uses(body, ast.name):
        named = (declare(ast.name, kind, cast(kind, variable(at, index)), is_const=True),)
    return For(symbol(at, index), start, ast.upper, (*named, *body), stride)


def run_address(access: Expr, lowers: dict[str, Expr]) -> Expr:
    """The address of the first element of a run: the access with its iterators at their lower bounds."""
    first = substituted(access, lowers)
    if isinstance(first, Index):
        offset = _without_zeros(first.index)
        return first.base if is_number(offset, 0) else address(replace(first, index=offset))
    return address(first)


def _without_zeros(expr: Expr) -> Expr:
    """A sum of products without what is zero."""
    if isinstance(expr, Cast):
        return ZERO if is_number(expr.operand, 0) else expr
    if isinstance(expr, Binary) and expr.op in ("+", "-", "*"):
        left, right = _without_zeros(expr.left), _without_zeros(expr.right)
        if expr.op == "+":
            return plus(left, right)
        if expr.op == "-":
            return minus(left, right)
        return ZERO if is_number(left, 0) or is_number(right, 0) else times(left, right)
    return expr
