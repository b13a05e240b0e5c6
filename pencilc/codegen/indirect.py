"""INDIRECT kernels: the functions that the entry point chooses from, and the texts of their bins.

All atomic: private copies of the bins in shared memory, or atomics on the bins themselves.  In order: private copies
whose partial results a second kernel combines, or a sort by bin.  Both second choices deal out every point of the
kernel alike, kept or not, and number the bins of the whole array.
"""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Sequence as Seq
from dataclasses import replace
from typing import Literal

from pencilc.codegen.astgen import AstInstance, has_loop, visit
from pencilc.codegen.bin_nodes import PointsToBins
from pencilc.codegen.bin_texts import element, filled, linear
from pencilc.codegen.bodies import set_to
from pencilc.codegen.cexpr import type_text
from pencilc.codegen.identity import identity
from pencilc.codegen.instances import KernelPart, expansion_names, narrowed, widened
from pencilc.codegen.kernels import KernelWriter, uniform_lines
from pencilc.codegen.lowering import Bindings, lowered
from pencilc.codegen.names import NameTable, safe
from pencilc.codegen.ragged_bins import RaggedRuns
from pencilc.codegen.segments import run_address
from pencilc.gpu.shapes.indirect import bucket_of, variable_subscripts
from pencilc.gpu.shapes.launch import ORDERED_BLOCKS, finish_groups
from pencilc.ir import build
from pencilc.ir.bins import BinResult, BinSet, BinUpdate, BroughtBins, PointElement, PutInBin, Scatter
from pencilc.ir.build import (
    UNSIGNED,
    ZERO,
    binary,
    call,
    cast,
    count_of,
    counted,
    is_number,
    plus,
    product,
    several,
    times,
    variable,
)
from pencilc.ir.geometry import Geometry, Share
from pencilc.ir.kernel import HelperCall, KernelFunction
from pencilc.ir.launches import (
    ChoiceOfBins,
    FinishingFunction,
    LaunchBins,
    OrderedBins,
    PointsOfBins,
    PrivateBins,
    RoomOfBins,
    SortedBins,
    StepOfBins,
    WholeBins,
    started,
)
from pencilc.ir.launching import BinMemory, SortOfBins
from pencilc.ir.mapping import MappedProgram
from pencilc.ir.nodes import Node, Parameter, uses
from pencilc.ir.schedule import Leaf, Sequence
from pencilc.ir.scop import Reduction, Statement
from pencilc.ir.segments import LoadVector
from pencilc.ir.shapes import Bins, IndirectKernel
from pencilc.ir.source import INT, LLONG, Assign, Binary, CType, Expr, PointerType, ReductionUpdate
from pencilc.ir.storage import Workspace
from pencilc.target import STATIC_SHARED

_HOW = {
    "indirect_shared": "in private copies of the bins",
    "indirect_global": "bin by bin in global memory",
    "indirect_ordered": "in order, in a private copy of the bins for each warp",
    "indirect_finish": "What the blocks have left for each bin of `{}`, in the order of the blocks.",
    "indirect_pairs": "as pairs of bin and value that are sorted next",
    "indirect_buckets": "Sorted pairs: a block for each bucket of neighbouring bins of `{}`.",
}
# What a function does, by its shape; the last three have the bins of one reduction.
_FORMS: dict[str, Callable[[PointsToBins], tuple[Node, ...]]] = {
    "indirect_shared": PointsToBins.in_copies, "indirect_global": PointsToBins.in_memory,
    "indirect_ordered": PointsToBins.in_order, "indirect_finish": PointsToBins.finished,
    "indirect_pairs": PointsToBins.as_pairs, "indirect_buckets": PointsToBins.by_buckets,
}  # fmt: skip
# The bins that one pass of a sort takes: from `begin`, `range` of them.
_SORT_RANGE = (
    (Parameter("@begin", LLONG), variable("@begin", LLONG)),
    (Parameter("@range", UNSIGNED), variable("@range", UNSIGNED)),
)
# Of the two halves that a sort goes back and forth between, the one that has the result.
_SIDE = variable("@side")


class IndirectWriter(KernelWriter):
    """Writes the functions of an INDIRECT kernel."""

    def __init__(self, program: MappedProgram, kernel: IndirectKernel, share: Share = Share.GRID) -> None:
        super().__init__(program, kernel, share)
        self.indirect = kernel
        frame = self.frame
        rows, names = (*frame.kept, *frame.reduced), (*frame.kept_names, *frame.reduced_names)
        assert frame.tree is not None
        self.ragged = RaggedRuns(program, frame) if kernel.ragged is not None else None
        self.ast = self.ragged.ast() if self.ragged else frame.ast(frame.tree, rows, names, frame.inner_names)
        # Values go to copies of the bins a chunk at a time, unless there are no chunks or an update has several values
        # for a point.
        self.in_chunks = self.ragged is None and not has_loop(self.ast, frame.inner_names)
        self.arguments: dict[str, tuple[Expr, ...]] = {}
        visit(self.ast, self._remember)
        self.table = NameTable()
        self.bindings = self._writer().base
        self.updated = {update: bins for bins in kernel.bins for update in self._of(bins).updates}
        self.results = {b.reduction: self._result(b) for b in kernel.bins}
        self.sites: list[BinUpdate] = []

    def _remember(self, instance: AstInstance) -> None:
        self.arguments[instance.statement] = instance.arguments

    def functions(self) -> tuple[KernelFunction, ...]:
        """The form with private copies of the bins and the one for bins that shared memory does not hold."""
        atomic = self.indirect.is_atomic
        made: list[KernelFunction] = []
        if "private" in self.indirect.forms:
            made += [self.made("indirect_shared", "_shared")] if atomic else self._ordered()
        if "whole" in self.indirect.forms:
            whole = IndirectWriter(self.program, _without_kept(self.indirect))
            found = [whole.made("indirect_global", "_global")] if atomic else whole._sorted()
            # What combines values has come with the private copies, if there are such.
            made += [replace(function, helpers=()) for function in found] if made else found
        lengths = [self.ragged.lengths(self._writer())] if self.ragged else []
        return (*lengths, *made)

    def _ordered(self) -> list[KernelFunction]:
        """Private copies of the bins for each warp, and for each reduction what combines those of the blocks."""
        made = self.made("indirect_ordered", "_ordered")
        return [made, *(self._behind(made, each, "finish") for each in self.results.values())]

    def _sorted(self) -> list[KernelFunction]:
        """For each reduction its values with their bins, and what combines them once they are sorted."""
        found = []
        for result in self.results.values():
            self.sites = []
            made = self.made("indirect_pairs", f"_{result.bins.name}_pairs", result)
            found += [made, self._behind(made, result, "buckets")]
        return found

    def _behind(self, made: KernelFunction, result: BinResult, work: str) -> KernelFunction:
        """The kernel behind `made` that brings the results of one reduction home."""
        shape = f"indirect_{work}"
        assert made.scatter is not None
        kept = self.frame.recover("@row", self.frame.kept_names, self.kernel.kept_box or (), result.at)
        sites = tuple(site for site in made.scatter.sites if site.bins is result.bins)
        scatter = replace(made.scatter, results=(result,), sites=sites)
        at, nothing = self._geometry(made.shape), PointElement((), ())
        points = PointsToBins(scatter, at, self.frame.index, kept, (), nothing, False, False, (), (), 1)
        return replace(
            made, name=f"{self.kernel.name}_{result.bins.name}_{work}", shape=shape,
            comment=(_HOW[shape].format(result.bins.name),), body=_FORMS[shape](points), helpers=(), scatter=scatter,
            extra=self._extra(shape, (result.bins,), self.frame.index),
        )  # fmt: skip

    def _run(self) -> tuple[str, ...]:
        """The iterators that a chunk moves."""
        names = self.frame.reduced_names
        return tuple(names if self.kernel.collapsed else names[-1:])

    def made(self, shape: str, suffix: str, only: BinResult | None = None) -> KernelFunction:
        """One function of the kernel, for all of its reductions or for one of them."""
        results = (only,) if only else tuple(self.results.values())
        writer = self._writer()
        writer.put = self._put(shape)
        if only is not None:
            writer.left_out = frozenset(u for u, of in self.updated.items() if self.results[of.reduction] is not only)
        prologue, _ = self._prologue(writer)
        part = KernelPart("body", along=self._run())
        nodes = self.ragged.nodes(writer, part, self.ast) if self.ragged else writer.nodes(self.ast, part)
        declared = writer.missing_declarations(part, nodes)
        if not self.kernel.prologue:
            # What is a prologue where points have rows of their own stands in the element here.
            declared += writer.missing_declarations(KernelPart("prologue", set(part.declared)), nodes)
        nodes = (*declared, *nodes)
        points = self._points(results, part, prologue, nodes, self._geometry(shape))
        scatter = points.scatter
        starts: list[tuple[Parameter, Expr]] = []
        if scatter.runs:
            known = Parameter("@starts", PointerType(LLONG), is_const=True)
            starts.append((known, variable(scatter.runs.starts, known.type)))
        body = _FORMS[shape](points)
        brought = BroughtBins(scatter.bins, bool(scatter.sites))
        return KernelFunction(
            self.kernel.name + suffix, shape, self._comment(_HOW[shape]), (), (), self.kernel.block,
            (*uniform_lines(self.program, writer, body), *body),
            helpers=(HelperCall("bins", (brought,)),), index=self.kernel.index,
            layout=self.share.layout(shape), resident=self.kernel.resident if self.indirect.is_atomic else 1,
            extra=(*starts, *self._extra(shape, scatter.bins, self.frame.index)), scatter=scatter,
        )  # fmt: skip

    def _comment(self, how_rows: str) -> tuple[str, ...]:
        where = self.frame.where(self.frame.all_statements())
        names = ", ".join(f"`{a}`" for a in dict.fromkeys(self._of(b).array for b in self.kernel.bins))
        return (f"{where}: reduces {names} {how_rows}.",)

    def _of(self, bins: Bins) -> Reduction:
        (reduction,) = self.scop.reductions_of((bins.reduction,))
        return reduction

    # ---- elements ----------------------------------------------------------------------------------

    def _put(self, shape: str) -> Callable[[Statement, Bindings], Node]:
        """What an update becomes: a value goes to a bin."""

        def put(record: Statement, bindings: Bindings) -> Node:
            assert isinstance(record.body, ReductionUpdate)
            bins = self.updated[record.name]
            found = self.results[bins.reduction].bins
            number = self._bin_number(
                bins, record.body.variable, bindings, shape in ("indirect_global", "indirect_pairs")
            )
            name = found.name
            if shape in ("indirect_ordered", "indirect_pairs") or (shape == "indirect_shared" and self.in_chunks):
                same = sum(1 for site in self.sites if site.bins is found)
                name = name if not same else f"{name}{same}"
                self.sites.append(BinUpdate(name, found))
            value = lowered(record.body.element, bindings)
            reduction = self._of(bins)
            return PutInBin(name, number, widened(reduction, value) if reduction.operator.wide else value)

        return put

    def _points(
        self, results: tuple[BinResult, ...], part: KernelPart, prologue: tuple[Node, ...], nodes: tuple[Node, ...],
        at: Geometry,
    ) -> PointsToBins:  # fmt: skip
        """The points of a function, with what finds their iterators and loads what they read."""
        frame, kernel, sites = self.frame, self.kernel, tuple(self.sites)
        if self.ragged:
            element = PointElement(
                tuple(Parameter(name, frame.index, is_const=True) for name in ("@outer", "@x")), nodes
            )  # fmt: skip
            scatter = Scatter(results, sites, None, None, None, 1, self.ragged.runs(self._writer()))
            return PointsToBins(scatter, at, frame.index, (), prologue, element, True, True, (), (), 1)
        names, boxes = frame.reduced_names, kernel.reduced_box or ()
        loads, parameters = [], []
        table = NameTable()
        inner = plus(frame.bounds(boxes[-1])[0], frame.point("@x"))
        for load in part.loads.values():
            if kernel.collapsed:
                first = run_address(load.access, {n: frame.bounds(b)[0] for n, b in zip(names, boxes, strict=True)})
                first = plus(first, frame.point("@x"))
            else:
                first = run_address(load.access, {names[-1]: inner})
            run = table.fresh(load.register)
            loads.append(
                LoadVector(load.register, load.type, first, f"{run}_run", f"{run}_wide", f"{run}s", f"{run}_tail")
            )
            parameters.append(Parameter(load.register, load.type, is_const=True, reference=load.is_struct))
        addresses = [load.first for load in loads]
        recover = self._recover(nodes)
        address = () if kernel.collapsed else frame.recover("@outer", names[:-1], boxes[:-1], addresses)
        outer, point = uses(recover, "@outer"), uses(recover, "@x")
        counters = [name for name, used in (("@outer", outer), ("@x", point)) if used]
        trips = [frame.trips(b) for b in boxes]
        kept_boxes = kernel.kept_box or ()
        at_bins = [each.at for each in results]
        kept = frame.recover("@row", frame.kept_names, kept_boxes, (prologue, nodes, addresses, at_bins))
        scatter = Scatter(
            results, sites,
            several(count_of([frame.trips(b) for b in kept_boxes])),
            None if kernel.collapsed else several(count_of(trips[:-1])),
            count_of(trips) if kernel.collapsed else trips[-1],
            kernel.loads.width if loads else 1,
        )  # fmt: skip
        told = (*(Parameter(name, frame.index, is_const=True) for name in counters), *parameters)
        element = PointElement(told, (*recover, *nodes))
        return PointsToBins(
            scatter, at, frame.index, kept, prologue, element, outer, point, tuple(loads), address,
            kernel.loads.in_flight if loads else 1,
        )  # fmt: skip

    def _recover(self, nodes: Seq[Node]) -> tuple[Node, ...]:
        """The iterators of the reduced rows from the number of the run and the place in it."""
        frame, boxes = self.frame, self.kernel.reduced_box or ()
        names = frame.reduced_names
        if self.kernel.collapsed:
            return frame.recover("@x", names, boxes, nodes)
        outer = frame.recover("@outer", names[:-1], boxes[:-1], nodes)
        return (*outer, *frame.recover("@x", names[-1:], boxes[-1:], nodes))

    @staticmethod
    def _extra(shape: str, bins: Seq[BinSet], index: CType) -> tuple[tuple[Parameter, Expr], ...]:
        """The parameters that depend on the form, with the arguments at the launch."""
        counts = [(Parameter(f"@{b.name}_bins", INT), cast(INT, variable(f"@{b.name}_bins", LLONG))) for b in bins]
        match shape:
            case "indirect_shared":
                return (*counts, (Parameter("@copies", INT), variable("@copies")))
            case "indirect_ordered":
                return (*counts, *(_partials(b, is_const=False) for b in bins))
            case "indirect_finish":
                splits = (Parameter("@splits", INT), cast(INT, variable("@splits", UNSIGNED)))
                return (*counts, splits, _partials(bins[0], is_const=True))
            case "indirect_pairs":
                (b,) = bins
                here = [_memory("@keys", "@keys", ZERO, UNSIGNED)]
                here += [_memory("@places", "@payloads", ZERO, UNSIGNED)] if b.is_indexed else []
                values = variable("@values", PointerType(b.type))
                moved = _memory("@values", "@payloads", ZERO, b.type)
                return (
                    *((Parameter(name, index), variable(name, index)) for name in ("@first", "@end")),
                    *_SORT_RANGE, *here, (moved[0], values) if b.is_indexed else moved,
                )  # fmt: skip
            case "indirect_buckets":
                (b,) = bins
                starts = (Parameter("@starts", PointerType(UNSIGNED), is_const=True), variable("@starts"))
                sorted_ = [_memory("@keys", "@keys", _SIDE, UNSIGNED, is_const=True)]
                sorted_ += [_memory("@places", "@payloads", _SIDE, UNSIGNED, is_const=True)] if b.is_indexed else []
                moved = _memory("@values", "@payloads", _SIDE, b.type, is_const=True)
                values = variable("@values", PointerType(b.type))
                return (*_SORT_RANGE, starts, *sorted_, (moved[0], values) if b.is_indexed else moved)
        return ()

    # ---- bins --------------------------------------------------------------------------------------

    def _result(self, bins: Bins) -> BinResult:
        reduction = self._of(bins)
        name = self.table.fresh(reduction.array.replace(".", "_"))
        ctype, at = reduction.operator.wide or reduction.element_type, self._at(bins, reduction)
        operator = "pencilc_add" if reduction.operator.wide else safe(reduction.operator.function)
        total = variable("@total", ctype)
        home: Assign | None = set_to(at, call(operator, at, total, returns=ctype))
        if reduction.operator.wide:
            home = set_to(at, narrowed(reduction, binary("+", widened(reduction, at), total)))
        init = safe(reduction.init_function)
        if bins.atomic not in ("", "swap") and "private" not in self.indirect.forms:
            operator, home = "", None  # an instruction adds to the bins themselves, and there are no copies
        own = BinSet(
            name, f"{self.kernel.name}_{name}", ctype, ctype.size, operator, init, identity(reduction), bins.atomic,
            bins.word, _put_by(bins, ctype), filled(ctype, 0), *bucket_of(ctype.size),
        )  # fmt: skip
        return BinResult(own, self._count(bins), at, home)

    def _sides(self, reduction: Reduction) -> list[Expr]:
        """All dimensions of the variable, those of its expansion first."""
        storage = self.program.storage_of(self._symbol(reduction))
        array = self.scop.array(reduction.array)
        expanded = expansion_names(storage) if isinstance(storage.residence, Workspace) else ()
        return [*(variable(name, LLONG) for name in expanded), *(lowered(e, self.bindings) for e in array.extents)]

    def _symbol(self, reduction: Reduction) -> str:
        return self.scop.array(reduction.array).symbol.name

    def _fixed(self, bins: Bins, reduction: Reduction) -> int:
        """How many of the dimensions in memory a kept point determines: host iterators have none."""
        scope = self.scop.array(reduction.array).scope_iterators
        expanded = [d.iterator for d in self.program.storage_of(self._symbol(reduction)).expanded]
        inside = [name for name in scope[: bins.fixed] if name in expanded]
        return len(inside) + max(0, bins.fixed - len(scope))

    def _count(self, bins: Bins) -> Expr:
        """The number of bins of a kept point, for the host."""
        reduction = self._of(bins)
        sides = self._sides(reduction)[self._fixed(bins, reduction) :]
        return product([side if is_number(side) else counted(side) for side in sides])

    def _numbers(self, of: Expr, reduction: Reduction, bindings: Bindings) -> list[Expr]:
        """All subscripts of the variable, those of its expansion first."""
        array = bindings.arrays.get(self._symbol(reduction))
        prefix = array.prefix if array is not None else ()
        return [*prefix, *(lowered(e, bindings) for e in variable_subscripts(of))]

    def _bin_number(self, bins: Bins, of: Expr, bindings: Bindings, wide: bool) -> Expr:
        reduction = self._of(bins)
        fixed = self._fixed(bins, reduction)
        return linear(self._numbers(of, reduction, bindings)[fixed:], self._sides(reduction)[fixed:], wide)

    def _at(self, bins: Bins, reduction: Reduction) -> Expr:
        """The element that is bin `@bin` of the kept point."""
        fixed = self._fixed(bins, reduction)
        sides = self._sides(reduction)
        update = next(u for u in reduction.updates if u in self.frame.all_statements())
        record = self.scop.statement(update)
        assert isinstance(record.body, ReductionUpdate)
        bindings = self._writer().bindings(record, self.arguments[update])
        numbers = self._numbers(record.body.variable, reduction, bindings)
        whole: Expr = variable("@bin", LLONG)
        if fixed:
            base = times(linear(numbers[:fixed], sides[:fixed], True), product(sides[fixed:]))
            whole = plus(build.widened(base) if isinstance(base, Binary) and base.op == "*" else base, whole)
        return element(record.body.variable, whole, sides, bindings)


def _put_by(bins: Bins, ctype: CType) -> Literal["swap", "word", "value", "order"]:
    """How a value of that type gets to its bin."""
    if not bins.atomic:
        return "order"
    if bins.atomic == "swap":
        return "swap"
    return "value" if bins.word == type_text(ctype) else "word"


def _partials(bins: BinSet, is_const: bool) -> tuple[Parameter, Expr]:
    """What blocks leave of the bins for each other."""
    parameter = Parameter(f"@{bins.name}_partials", PointerType(bins.type), is_const)
    return parameter, variable(parameter.name, parameter.type)


def _memory(name: str, halves: str, side: Expr, ctype: CType, is_const: bool = False) -> tuple[Parameter, Expr]:
    """The parameter `name` for one of the two halves of a memory that a sort goes back and forth between."""
    pointer = PointerType(ctype)
    return Parameter(name, pointer, is_const), build.element(variable(halves, PointerType(pointer)), side, pointer)


def launch_of_bins(kernel: IndirectKernel, functions: Seq[KernelFunction]) -> LaunchBins:
    """The launch of an INDIRECT kernel: what is computed, private copies where they fit, else the whole array."""
    bytes_, limit = variable("@bytes", LLONG), variable("@limit")
    room = build.number(STATIC_SHARED) if kernel.fixed_tree else limit
    if kernel.is_atomic:
        # Atomics on the bins themselves are better than writing more bins than there are points.
        enough = binary(">=", variable("@points", LLONG), variable("@bins", LLONG))
        fits = binary("&&", binary("<=", bytes_, limit), enough)
    else:
        fits = binary("<=", times(build.number(2), bytes_), room)
    private, whole = _private(functions, room, ORDERED_BLOCKS if kernel.fixed_tree else 0), _whole(functions)
    steps: list[StepOfBins] = []
    if private is not None:
        # Only copies depend on how many points and bins there are.
        steps += [private.points, RoomOfBins(private.bins)]
    if private is not None and whole is not None:
        steps.append(ChoiceOfBins(fits, private, whole))
    else:
        steps += [form for form in (private, whole) if form is not None]
    lengths = next((started(f) for f in functions if f.shape == "indirect_lengths"), None)
    return LaunchBins(name=kernel.name, block=kernel.block, steps=tuple(steps), lengths=lengths, launch=kernel.launch)


def _private(functions: Seq[KernelFunction], room: Expr, fixed_blocks: int) -> PrivateBins | None:
    """The form with copies of the bins."""
    for function in functions:
        if function.shape == "indirect_shared":
            scatter = scatter_of(function)
            return PrivateBins(_memory_of(scatter), _points(scatter), scatter.width, started(function))
        if function.shape == "indirect_ordered":
            scatter = scatter_of(function)
            finishing = tuple(
                FinishingFunction(started(each), bins.name, finish_groups(bins.size))
                for each in functions
                if each.shape == "indirect_finish"
                for bins in scatter_of(each).bins
            )
            return OrderedBins(
                _memory_of(scatter), _points(scatter), scatter.width, started(function), finishing, room, fixed_blocks
            )  # fmt: skip
    return None


def _whole(functions: Seq[KernelFunction]) -> WholeBins | SortedBins | None:
    """The form for the bins of the whole array."""
    for function in functions:
        if function.shape == "indirect_global":
            scatter = scatter_of(function)
            return WholeBins(_points(scatter), scatter.width, started(function))
    combining = {scatter_of(each).bins[0].name: each for each in functions if each.shape == "indirect_buckets"}
    sorts, points = [], None
    for function in functions:
        if function.shape == "indirect_pairs":
            scatter = scatter_of(function)
            (memory,) = _memory_of(scatter)
            behind = combining[memory.name]
            sorts.append(SortOfBins(memory, len(scatter.sites), scatter.width, started(function), started(behind)))
            points = points or _points(scatter)
    return SortedBins(points, tuple(sorts)) if points else None


def scatter_of(function: KernelFunction) -> Scatter:
    """What a function of an INDIRECT kernel reduces."""
    assert function.scatter is not None
    return function.scatter


def _memory_of(scatter: Scatter) -> tuple[BinMemory, ...]:
    return tuple(
        BinMemory(b.name, b.type, b.size, each.count, b.is_indexed, b.warps, b.shift, b.pairs)
        for each in scatter.results
        for b in (each.bins,)
    )


def _points(scatter: Scatter) -> PointsOfBins:
    return PointsOfBins(scatter.rows, scatter.outers, scatter.inner, scatter.runs)


def _without_kept(kernel: IndirectKernel) -> IndirectKernel:
    """The kernel with every point dealt out alike and the bins of the whole array numbered."""
    assert kernel.body is not None and kernel.kept_box is not None and kernel.reduced_box is not None
    if not kernel.kept:  # as where rows are ragged
        return replace(kernel, plans=tuple(replace(b, fixed=0) for b in kernel.bins))
    body = Sequence((*(Leaf(name) for name in kernel.prologue), kernel.body)) if kernel.prologue else kernel.body
    return replace(
        kernel, kept=(), reduced=(*kernel.kept, *kernel.reduced), kept_box=(), prologue=(), body=body,
        reduced_box=(*kernel.kept_box, *kernel.reduced_box), run_rows=0,
        plans=tuple(replace(b, fixed=0, count=None) for b in kernel.bins),
    )  # fmt: skip
