"""The verifier of tiles: what points share is the same for all of them, and all that the kernel does is done."""

from __future__ import annotations

from collections import Counter

import islpy as isl

from pencilc import islx
from pencilc.analysis.affinity import base_name
from pencilc.analysis.box import at_rows, image, within
from pencilc.analysis.elements_in_order import places_of_element
from pencilc.analysis.iterators import iterator_of
from pencilc.diagnostics.diagnostic import CompilerBug
from pencilc.gpu.shapes.tiles import tensor_bytes, tile_bytes_of
from pencilc.ir.queries import mentions_any
from pencilc.ir.schedule import Row, statements_of
from pencilc.ir.scop import Scop
from pencilc.ir.shapes import Kernel, Operand, Tiling
from pencilc.ir.source import INT
from pencilc.target import STATIC_SHARED


def verify_tiling(kernel: Kernel, scop: Scop) -> None:
    """Raise CompilerBug if tiles lose or repeat a statement, share what changes, or have no room."""
    tiling = kernel.tiling
    if tiling is None:
        return
    done = Counter((*tiling.before, *statements_of(tiling.body), *tiling.after))
    if tiling.folds:
        done.update(kernel.post)
    if done != Counter(kernel.statements):
        raise CompilerBug(f"{kernel.name}: tiles do {sorted(done.elements())} instead of {sorted(kernel.statements)}")
    sides = {tiling.down, tiling.across}
    rows = len(kernel.kept) + tiling.folds
    if len(sides) != 2 or not sides <= set(range(rows)):
        raise CompilerBug(f"{kernel.name}: tiles have no two sides")
    _verify_fold(kernel, tiling, scop)
    if any(row.flag != "P" for row in kernel.kept):
        raise CompilerBug(f"{kernel.name}: tiles of points that are not independent")
    if not kernel.accumulated and not tiling.carried:
        raise CompilerBug(f"{kernel.name}: tiles of which nothing comes")
    _verify_operands(kernel, tiling, scop)
    _verify_fetched(kernel, tiling, scop)
    _verify_tensor_cores(kernel, tiling, scop)
    for size in tiling.sizes:
        if tile_bytes_of(tiling, size) > STATIC_SHARED:
            raise CompilerBug(f"{kernel.name}: a tile needs more shared memory than a block may declare")
        if tiling.on_tensor_cores and tensor_bytes(tiling, size) > STATIC_SHARED:
            raise CompilerBug(f"{kernel.name}: tensor cores need more shared memory than a block may declare")


def _verify_fold(kernel: Kernel, tiling: Tiling, scop: Scop) -> None:
    """Rows of tiles are folded by updates of the kernel's own reductions alone, behind the loop of each point."""
    if not tiling.folds:
        return
    if len(kernel.reduced) != 1 or tiling.across != len(kernel.kept) or not tiling.carried:
        raise CompilerBug(f"{kernel.name}: tiles are folded along a row that is not reduced")
    updates = {name for r in scop.reductions_of(kernel.reductions) for name in r.updates}
    _verify_pairs(kernel, tiling, scop, updates)
    if not updates <= set(tiling.after):
        raise CompilerBug(f"{kernel.name}: tiles are folded before their points are done")
    if not tiling.in_order <= updates:
        raise CompilerBug(f"{kernel.name}: tiles fold in order what is no update of theirs")
    for name in sorted(tiling.in_order):
        if not _goes_along(kernel, scop, name):
            raise CompilerBug(f"{kernel.name}: {name} is folded by places that do not ascend")
    if kernel.fixed_tree and len(tiling.sizes) > 1:
        raise CompilerBug(f"{kernel.name}: the device chooses which points of a fixed tree are folded together")


def _verify_pairs(kernel: Kernel, tiling: Tiling, scop: Scop, updates: set[str]) -> None:
    """Of pairs that are computed for being in the box nothing is folded."""
    if tiling.occupied is not None:
        raise CompilerBug(f"{kernel.name}: tiles of rows that others leave out")
    if tiling.looping is None or kernel.host:
        return  # What of a domain belongs to an iteration of the loops around is not known here.
    domains = {name: scop.statement(name).domain.intersect_params(scop.context) for name in updates & set(tiling.after)}
    pairs = image(domains, (*kernel.kept, *kernel.reduced), tuple(domains))
    if not pairs.intersect_params(tiling.looping.params()).is_subset(tiling.looping):
        raise CompilerBug(f"{kernel.name}: tiles fold points that have no loop")


def _goes_along(kernel: Kernel, scop: Scop, update: str) -> bool:
    """Whether of two elements of one reduction that whose place is behind lies further along the reduced row."""
    places = places_of_element(scop, update)
    reduction = scop.reduction_with(update)
    if places is None or reduction is None or set(reduction.updates) != {update}:
        return False
    (of_one,) = (each for each in islx.maps_of(reduction.r2m) if islx.in_name(each) == update)
    points = scop.statement(update).domain.intersect_params(scop.context)
    of_one = of_one.intersect_domain(points)
    behind = places.lex_lt_map(places).intersect(of_one.apply_range(of_one.reverse()))
    along = at_rows(points, kernel.reduced, update)
    return behind.is_subset(along.lex_lt_map(along))


def _verify_tensor_cores(kernel: Kernel, tiling: Tiling, scop: Scop) -> None:
    """What tensor cores do is one sum of products of two operands of one type, in any order, under no condition."""
    if not tiling.on_tensor_cores:
        return
    updates = [scop.statement(name) for name in statements_of(tiling.body)]
    if len({each.index.type for each in tiling.operands}) != 1 or len(tiling.operands) != 2:
        raise CompilerBug(f"{kernel.name}: tensor cores multiply other than two operands of one type")
    if tiling.carried or len(kernel.accumulated) != 1 or any(record.guards for record in updates):
        raise CompilerBug(f"{kernel.name}: tensor cores add up in an order, or under a condition")
    (reduction,) = scop.reductions_of(kernel.reductions)
    if kernel.fixed_tree and reduction.element_type != INT:
        raise CompilerBug(f"{kernel.name}: tensor cores add up floats under a fixed tree")


def _verify_operands(kernel: Kernel, tiling: Tiling, scop: Scop) -> None:
    """Each side has an operand, and nothing that the kernel writes is fetched ahead for several points."""
    written: set[str] = set()
    for name in kernel.statements:
        for access in scop.statement(name).accesses:
            if access.kind.writes:
                written.add(scop.array(access.array).symbol.name)
    if {each.down for each in tiling.operands} != {False, True}:
        raise CompilerBug(f"{kernel.name}: the points of a side of a tile share nothing")
    for each in tiling.operands:
        if base_name(each.index) in written:
            raise CompilerBug(f"{kernel.name}: tiles fetch `{base_name(each.index)}`, which the kernel writes")


def _verify_fetched(kernel: Kernel, tiling: Tiling, scop: Scop) -> None:
    """Tiles fetch what the source reads: for each point of the box, or for those that an operand tells."""
    rows = (*kernel.kept, *(kernel.reduced if tiling.folds else ()), *tiling.reduced)
    box = (*tiling.kept_box, *tiling.reduced_box)
    domains = {name: scop.statement(name).domain.intersect_params(scop.context) for name in statements_of(tiling.body)}
    for operand in tiling.operands:
        if operand.read is None:
            continue
        if tiling.points is None or tiling.is_product:
            raise CompilerBug(f"{kernel.name}: tiles fetch a part of an operand, and have all of its points")
        if kernel.host:
            continue  # What of the domain belongs to an iteration of the loops around is not known here.
        read = image(domains, rows, (operand.statement,))
        for position in range(len(rows)):
            if not _moves_with(operand, rows[position], scop):
                read = read.project_out(isl.dim_type.set, position, 1).insert_dims(isl.dim_type.set, position, 1)
        if not within(read, box).intersect(operand.read).is_subset(read):
            raise CompilerBug(f"{kernel.name}: tiles fetch `{base_name(operand.index)}` where nothing reads it")


def _moves_with(operand: Operand, row: Row, scop: Scop) -> bool:
    """Whether the operand is another element for each value of the row."""
    iterator = iterator_of(scop, row, operand.statement)
    return iterator is None or mentions_any(operand.index, iterator)
