"""The verifier of tiles with a halo: whatever a point of a tile reads of an array that is held, the tile has fetched.

Decided from the relations of the accesses, for a tile anywhere: its first point is a parameter, so are all sizes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from collections.abc import Sequence as Seq

import islpy as isl

from pencilc import islx
from pencilc.analysis.affinity import accesses_at
from pencilc.analysis.box import at_rows, fixed
from pencilc.diagnostics.diagnostic import CompilerBug
from pencilc.gpu.shapes.halo_sizes import THREADS, extents, halo_bytes, reach_along, ring
from pencilc.ir.schedule import Row
from pencilc.ir.scop import AccessKind, Scop
from pencilc.ir.shapes import Halo, Held, HeldDimension, Kernel
from pencilc.target import STATIC_SHARED


def verify_halo(kernel: Kernel, scop: Scop, host: Seq[Row]) -> None:
    """Raise CompilerBug if a point reads what its tile does not hold, or what changes, or if a tile has no room.

    `host`: the rows of the loops on the host around the kernel.
    """
    halo = kernel.halo
    if halo is None:
        return
    sides = [halo.down, halo.across, *([halo.along] if halo.along is not None else [])]
    if len(set(sides)) != len(sides) or not set(sides) <= set(range(len(kernel.kept))):
        raise CompilerBug(f"{kernel.name}: tiles have no sides")
    if any(row.flag != "P" for row in kernel.kept):
        raise CompilerBug(f"{kernel.name}: tiles of points that are not independent")
    if len(halo.points) != len(kernel.kept) or halo_bytes(halo) > STATIC_SHARED:
        raise CompilerBug(f"{kernel.name}: a tile needs more shared memory than a block may declare")
    if THREADS % halo.points[halo.across] or halo.points[halo.down] * halo.points[halo.across] % THREADS:
        raise CompilerBug(f"{kernel.name}: the points of a tile are not dealt out to {THREADS} threads")
    written = {scop.array(a.array).symbol.name for a in scop.accesses(kernel.statements) if a.kind.writes}
    for each in halo.held:
        if each.symbol in written:
            _verify_apart(kernel, each, scop, host)
        for read in each.reads:
            if read.statement not in kernel.statements:
                raise CompilerBug(f"{kernel.name}: tiles hold what another kernel reads")
            domain = scop.statement(read.statement).domain.intersect_params(scop.context)
            (domain,) = fixed({read.statement: domain}, host, kernel.host).values()
            points = at_rows(domain, kernel.kept, read.statement).intersect_domain(domain).reverse()
            accesses = [a for a in accesses_at(scop, read.statement, read.index) if a.kind is AccessKind.READ]
            if not accesses:
                raise CompilerBug(f"{kernel.name}: tiles hold what the model does not read")
            for access in accesses:
                _verify_read(kernel, halo, each, points.apply_range(access.relation), scop)


def _verify_apart(kernel: Kernel, held: Held, scop: Scop, host: Seq[Row]) -> None:
    """Nothing that the kernel writes is fetched; raises CompilerBug."""
    for name in kernel.statements:
        domain = scop.statement(name).domain.intersect_params(scop.context)
        (domain,) = fixed({name: domain}, host, kernel.host).values()
        for access in scop.statement(name).accesses:
            if access.kind.writes and scop.array(access.array).symbol.name == held.symbol:
                written = access.relation.intersect_domain(domain).range().reset_tuple_id()
                more = islx.dimensions(written) - len(held.dimensions)
                written = written.project_out(isl.dim_type.set, len(held.dimensions), more)
                if not written.intersect(held.fetched).is_empty():
                    raise CompilerBug(f"{kernel.name}: tiles hold of `{held.symbol}` what the kernel writes")


def _verify_read(kernel: Kernel, halo: Halo, held: Held, relation: isl.Map, scop: Scop) -> None:
    """What the points { [t] -> [a] } of any tile read lies in what the tile holds, and is fetched at all.

    What lies outside of the array is not read: a condition sees to that.
    """
    count = len(held.dimensions)
    more = relation.dim(isl.dim_type.out) - count
    relation = relation.project_out(isl.dim_type.out, count, more).reset_tuple_id(isl.dim_type.out)
    extent = scop.arrays_of(held.symbol)[0].extent
    extent = extent.project_out(isl.dim_type.set, count, islx.dimensions(extent) - count).reset_tuple_id()
    if not relation.range().intersect(extent).is_subset(held.fetched):
        raise CompilerBug(f"{kernel.name}: not all that is read of `{held.symbol}` is fetched")
    inside = relation.wrap().flatten()
    for position, points in enumerate(halo.points):
        inside = _with_parameter(inside, _first(position))
        here, first = islx.variable(inside, position), islx.parameter(inside, _first(position))
        inside = inside.intersect(first.le_set(here)).intersect(here.lt_set(first.add_constant_val(isl.Val(points))))
    for position, (dimension, values) in enumerate(zip(held.dimensions, extents(halo, held), strict=True)):
        here = islx.variable(inside, len(halo.points) + position)
        for first, compare, limit in _limits(halo, dimension, values, inside):
            if not inside.intersect(compare(here, first.add_constant_val(isl.Val(limit)))).is_empty():
                raise CompilerBug(f"{kernel.name}: a tile does not hold all that its points read of `{held.symbol}`")


_Limit = tuple[isl.PwAff, Callable[[isl.PwAff, isl.PwAff], isl.Set], int]


def _limits(halo: Halo, dimension: HeldDimension, extent: int, inside: isl.Set) -> Iterator[_Limit]:
    """Below what and beyond what a subscript must not be: a function, how it is compared, what is added to it."""
    if dimension.row is None:
        assert dimension.start is not None
        start = dimension.start.insert_domain(inside.get_space())
        yield start, isl.PwAff.lt_set, dimension.low
        yield start, isl.PwAff.ge_set, dimension.low + extent
    elif dimension.row == halo.along:
        # When a plane is done, those that the ring has are the ones around it; one place is being filled.
        low, high = reach_along(halo)
        plane = islx.variable(inside, dimension.row)
        if extent != ring(halo) or extent < high - low + 2 or extent & (extent - 1):
            yield plane, isl.PwAff.ge_set, low
        yield plane, isl.PwAff.lt_set, low
        yield plane, isl.PwAff.gt_set, high
    else:
        first = islx.parameter(inside, _first(dimension.row)).scale_val(isl.Val(dimension.factor))
        yield first, isl.PwAff.lt_set, dimension.low
        yield first, isl.PwAff.ge_set, dimension.low + extent


def _first(position: int) -> str:
    """The parameter that is the first point of a tile along a kept row."""
    return f"@first{position}"


def _with_parameter(points: isl.Set, name: str) -> isl.Set:
    count = points.dim(isl.dim_type.param)
    return points.add_dims(isl.dim_type.param, 1).set_dim_name(isl.dim_type.param, count, name)
