"""How many runs of points a reduction has, and how long they are: for launches, and for the teams that take runs."""

from __future__ import annotations

from collections.abc import Sequence as Seq

import islpy as isl

from pencilc import islx
from pencilc.analysis.box import fixed, image
from pencilc.codegen.astgen import Affine
from pencilc.codegen.frame import KernelFrame
from pencilc.codegen.lowering import Bindings, lowered
from pencilc.ir.build import ZERO, binary, cast, choice, count_of, minus, number
from pencilc.ir.kernel import RunCounts
from pencilc.ir.mapping import MappedProgram
from pencilc.ir.schedule import Row, statements_of
from pencilc.ir.shapes import Kernel, Ragged
from pencilc.ir.source import LLONG, Expr

# The points of one result that are taken to be there where their number is data.
UNKNOWN_POINTS = 131072


def runs_of(frame: KernelFrame, bindings: Bindings) -> RunCounts:
    """The runs of one kept point of the kernel; `bindings`: what its function calls the variables of the region."""
    kernel = frame.kernel
    if kernel.ragged is not None:
        loops = tuple(span(frame.program, kernel, row, frame.affine) for row in kernel.reduced[: kernel.ragged.at])
        kept = [frame.trips(side) for side in kernel.kept_box or ()]
        return RunCounts(loops, _average(kernel, kernel.ragged, (*kept, *loops), bindings))
    if kernel.reduced_box is not None and (kernel.is_flat or kernel.run_rows):
        around = 0 if kernel.is_flat else len(kernel.reduced) - kernel.run_rows
        trips = [frame.trips(side) for side in kernel.reduced_box]
        return RunCounts((count_of(trips[:around]),) if around else (), count_of(trips[around:]))
    spans = tuple(span(frame.program, kernel, row, frame.affine) for row in kernel.reduced)
    return RunCounts(spans[:-1], spans[-1])


def _average(kernel: Kernel, ragged: Ragged, around: Seq[Expr], bindings: Bindings) -> Expr:
    """How long rows are on average, below loops of so many values; where nothing says so, as a warp likes them."""
    if ragged.points is None:
        return number(kernel.launch.ragged_length if around else UNKNOWN_POINTS)
    total = cast(LLONG, lowered(ragged.points, bindings))
    if not around:
        return total
    rows = count_of(around)
    return choice(binary(">", rows, ZERO), binary("/", total, rows), ZERO)


def span(program: MappedProgram, kernel: Kernel, row: Row, affine: Affine, inside: bool = True) -> Expr:
    """An upper bound of the number of values that a row takes, over all statements of the kernel.

    `inside`: where the host loops around the kernel stand.  The number of a loop whose bounds are data is not
    known before it runs: then as many are taken as a ragged row has where nothing says so.
    """
    assert kernel.body is not None
    scop = program.scop
    names = [s for s in statements_of(kernel.body) if s in islx.pw_affs_of(row.function)]
    domains = {s: scop.statement(s).domain.intersect_params(scop.context) for s in names}
    domains = {s: d for s, d in domains.items() if not d.is_empty()}
    if inside:
        domains = fixed(domains, program.host_rows(kernel), kernel.host)
    points = image(domains, (row,), tuple(domains))
    known = scop.context.intersect(points.params())
    first, last = islx.lowest(points, 0), islx.highest(points, 0)
    if first is None or last is None:
        return number(kernel.launch.ragged_length)
    end = last.add_constant_val(isl.Val.one(isl.DEFAULT_CONTEXT))
    low, high = (affine.value(p.gist(known), known) for p in (first, end))
    return minus(high, low)
