"""The pass `loops`: a kernel for each loop on the host whose iterations may share a launch.

    for t0 on the host { kernel f_parallel0 }   ->   the same, or kernel f_loop0, which is one launch

Wavefronts, factorisations and stencils in time are loops on the host with few points in an iteration, whose launches
cost more than their work.  A LOOP kernel has the loop inside, and behind each of the kernels below it a barrier: of one
block where an iteration has few points, of all blocks that are resident together where it has more.  The entry point
chooses by the points of the largest iteration.  The outermost loop gets the kernel whose kernels all have that form.
"""

from __future__ import annotations

from collections.abc import Sequence as Seq
from dataclasses import replace

import islpy as isl

from pencilc import islx, quotas
from pencilc.analysis.box import Domains, at_rows, fixed
from pencilc.gpu.records import Chosen, Looped
from pencilc.ir.mapping import Composed, HostItem, HostLoop, Packed, Stitched, kernels_of, with_loops_changed
from pencilc.ir.schedule import Row, Sequence, statements_of
from pencilc.ir.scop import StatementKind
from pencilc.ir.shapes import Kernel, LoopKernel
from pencilc.options import LoopLaunch

NO_FUSION = "kernels are launched one by one"
DATA_END_IT = "data end it, which the host reads back in each round"
_COUNTED = "the host multiplies or divides its counter"
_COUNTED_INSIDE = "the host multiplies or divides the counter of a loop inside"
_DATA_END_ONE_INSIDE = "data end a loop inside, which the host reads back in each round"
TOO_HARD = "finding out how many points an iteration has takes too long"


def with_loops(chosen: Chosen) -> Looped:
    """The items with the kernels of their loops."""
    return Looped(chosen, _Looper(chosen).level(chosen.items, ()))


class _Looper:
    """Looks at the loops of one region."""

    def __init__(self, chosen: Chosen) -> None:
        self.region = chosen.fused.placed.shaped.region
        self.scop, self.domains, self.settings = chosen.scop, self.region.domains, self.region.settings
        self.own_storage = chosen.own_storage

    def level(self, items: Seq[HostItem], around: tuple[HostLoop, ...]) -> tuple[HostItem, ...]:
        """The items of a level below the loops `around`, none of which has a kernel."""
        return with_loops_changed(items, lambda loop: self._loop(loop, around))

    def _loop(self, loop: HostLoop, around: tuple[HostLoop, ...]) -> HostLoop:
        reason = NO_FUSION if self.settings.fuse == "none" else self._first_refused(loop)
        if not reason:
            try:
                with quotas.operation_quota():
                    return replace(loop, kernel=self._kernel(loop, around))
            except quotas.OperationQuotaExceeded:
                reason = TOO_HARD
        return replace(loop, items=self.level(loop.items, (*around, loop)), reason=reason)

    def _first_refused(self, loop: HostLoop) -> str:
        """Why `loop` stays on the host; empty if it does not."""
        return next(filter(None, map(self._refused, loop.items)), "")

    def _refused(self, item: HostItem) -> str:
        """Why an item keeps the loops around it on the host; empty if it does not."""
        match item:
            case HostLoop():
                reason = self._first_refused(item)
                return {DATA_END_IT: _DATA_END_ONE_INSIDE, _COUNTED: _COUNTED_INSIDE}.get(reason, reason)
            case Stitched() | Composed():
                return f"{item.kernel.name} keeps rows on the chip of blocks of its own"
            case Packed():
                return next(filter(None, map(self._refused, item.kernels)), "")
        leaves = [s for s in map(self.scop.statement, item.statements) if s.kind is StatementKind.LEAVE]
        if leaves:
            return _COUNTED if all(leave.never_leaves for leave in leaves) else DATA_END_IT
        if not item.has_loop_form or item.name in self.own_storage:
            return f"{item.name} is launched with as many threads as its reduction needs"
        return ""

    def _kernel(self, loop: HostLoop, around: tuple[HostLoop, ...]) -> LoopKernel:
        """The kernel that does all iterations of `loop`."""
        kernels = kernels_of(loop.items)
        name = f"{self.scop.name}_loop{kernels[0].number}"
        launch = LoopLaunch().changed(self.settings.tuning.of(name))
        statements = dict.fromkeys(s for kernel in kernels for s in kernel.statements)
        return LoopKernel(
            name=name, number=kernels[0].number, host=tuple(each.iterator for each in around), body=Sequence(()),
            post=tuple(statements), index="long long", domain=_launched(kernels, len(around)), block=launch.threads,
            reason=f"does the work of {', '.join(kernel.name for kernel in kernels)}", launch=launch,
            widths={kernel.name: self._widths(kernel, _rows(loop, kernel), around) for kernel in kernels},
        )  # fmt: skip

    def _widths(self, kernel: Kernel, loops: Seq[Row], around: Seq[HostLoop]) -> tuple[isl.PwAff, ...]:
        """How many values each kept row takes at most where `loops` have one value, and those `around` another."""
        statements = statements_of(kernel.body)
        domains = {name: self.domains[name] for name in statements}
        domains = fixed(domains, [each.row for each in around], [each.iterator for each in around])
        return tuple(_widest(row, loops, domains) for row in kernel.kept)


def _widest(row: Row, loops: Seq[Row], domains: Domains) -> isl.PwAff:
    """The greatest distance of two values of `row` in one iteration of `loops`, and one more."""
    values: isl.Set | None = None
    for name in islx.pw_affs_of(row.function):
        if name not in domains:
            continue
        taken = at_rows(domains[name], (*loops, row), name).intersect_domain(domains[name]).range()
        values = taken if values is None else values.union(taken)
    if values is None:
        raise quotas.OperationQuotaExceeded("a row has no statement")
    of_iteration = isl.Map.from_range(values.coalesce()).move_dims(isl.dim_type.in_, 0, isl.dim_type.out, 0, len(loops))
    distances = of_iteration.reverse().apply_range(of_iteration).deltas()
    greatest = islx.highest(distances, 0)
    if greatest is None:
        raise quotas.OperationQuotaExceeded("a row has no end")
    return greatest.add_constant_val(isl.Val.one(isl.DEFAULT_CONTEXT))


def _rows(loop: HostLoop, kernel: Kernel) -> tuple[Row, ...]:
    """The rows of `loop` and of the loops in it around `kernel`."""
    for item in loop.items:
        if any(each.name == kernel.name for each in kernels_of((item,))):
            return (loop.row, *(_rows(item, kernel) if isinstance(item, HostLoop) else ()))
    return ()


def _launched(kernels: Seq[Kernel], depth: int) -> isl.Set:
    """{ [h] }: the values of the `depth` loops around for which any of the kernels has something to do."""
    found: isl.Set | None = None
    for kernel in kernels:
        points = kernel.domain
        outer = points.project_out(isl.dim_type.set, depth, islx.dimensions(points) - depth)
        found = outer if found is None else found.union(outer)
    assert found is not None
    return found.coalesce()
