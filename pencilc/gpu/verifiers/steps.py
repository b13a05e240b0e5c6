"""The verifiers of the records between the passes of the mapping; that of the last one stands in statements.py."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from pencilc.analysis.box import Domains, image
from pencilc.diagnostics.diagnostic import CompilerBug
from pencilc.gpu.records import Chosen, Fused, Joined, Looped, Parted, Placed, Shaped
from pencilc.gpu.verifiers.halo import verify_halo
from pencilc.gpu.verifiers.statements import verify_fused, verify_kernel, verify_rows
from pencilc.gpu.verifiers.tiles import verify_tiling
from pencilc.ir.mapping import Composed, HostItem, HostLoop, Stitched, kernels_of, leaves, loops_of
from pencilc.ir.schedule import statements_of
from pencilc.ir.scop import Scop, StatementKind
from pencilc.ir.shapes import Kernel
from pencilc.ir.storage import Register, Storage
from pencilc.parts.part import part_statements, parts_of


def verify_parts(parted: Parted) -> None:
    """Raise CompilerBug if a part deals out a row that is not parallel, or a statement of the tree is in no part."""
    scop = parted.region.scop
    found: set[str] = set()
    for number, part in enumerate(parts_of(parted.items)):
        verify_rows(f"part {number}", part.kept, part.reduced)
        found |= set(part_statements(part))
    in_place = scop.reductions_of(parted.in_place)
    wanted = set(statements_of(parted.region.scheduled.tree)) - set(parted.uniform.values())
    wanted -= {r.merge for r in in_place}
    initialised = {r.init for r in in_place}
    if wanted - found or found - wanted - initialised:
        raise CompilerBug(f"the parts have {sorted(found)} instead of {sorted(wanted)}")


def verify_sweeps(joined: Joined) -> None:
    """Raise CompilerBug if parts in fewer sweeps lose an update, a result, or anything that is no value of a local."""
    scop = joined.parted.region.scop
    parts = tuple(parts_of(joined.parted.items))
    for sweep in joined.sweeps:
        stands_for = {new: old for old, new in sweep.names.items()}
        before = {name for number in sweep.instead for name in part_statements(parts[number])}
        now = [name for part in sweep.instead.values() if part is not None for name in part_statements(part)]
        done = Counter(stands_for.get(name, name) for name in now)
        lost = [name for name in before if not done[name]]
        if done.keys() - before or max(done.values()) > 1:
            raise CompilerBug(f"joined sweeps do {sorted(done.elements())} instead of {sorted(before)}")
        if any(scop.statement(name).kind is not StatementKind.ORDINARY for name in lost):
            raise CompilerBug(f"joined sweeps do not do {sorted(lost)}")


def verify_shapes(shaped: Shaped) -> None:
    """Raise CompilerBug if a part has no kernel of its own, or a shape lacks what it needs."""
    kernels = kernels_of(shaped.items)
    parts = tuple(parts_of(shaped.joined.parted.items))
    for number, (part, kernel) in enumerate(zip(parts, kernels, strict=True)):
        if kernel.number != number or not set(part_statements(part)) <= set(kernel.statements):
            raise CompilerBug(f"{kernel.name} is not the kernel of part {number}")
        verify_halo(kernel, shaped.region.scop, part.host)
    others = [k for alternative in shaped.alternatives for k in alternative.instead.values() if k is not None]
    for kernel in (*kernels, *others):
        verify_kernel(kernel)
        verify_tiling(kernel, shaped.region.scop)


def verify_storage(placed: Placed) -> None:
    """Raise CompilerBug if a variable lives nowhere or twice, in a register of no kernel, or where threads of a kernel
    that each compute it for themselves would write one place.
    """
    scop = placed.shaped.region.scop
    kernels = kernels_of(placed.shaped.items)
    symbols = [array.symbol.name for array in scop.arrays]
    _verify_table(placed.storage, symbols, (k.name for k in kernels))
    _verify_prologues(scop, kernels, placed.storage)
    for alternative, table in zip(placed.shaped.alternatives, placed.of_alternatives, strict=True):
        _verify_table(table, symbols, (k.name for k in (*kernels, *alternative.kernels)))
        _verify_prologues(scop, alternative.kernels, table)


def verify_fusion(fused: Fused) -> None:
    """Raise CompilerBug if a kernel is lost or doubled, or stages do not do the work of kernels."""
    before = Counter(k.name for k in kernels_of(fused.placed.shaped.items))
    now = Counter(k.name for k in kernels_of(fused.items))
    if before != now:
        raise CompilerBug(f"fusion leaves {sorted(now.elements())} of {sorted(before.elements())}")
    for item in fused.items:
        for each in _fused(item):
            verify_fused(each, {})
            if isinstance(each, Stitched):
                _verify_addresses(each, fused.placed.shaped.region.domains)


def _verify_addresses(stitched: Stitched, domains: Domains) -> None:
    """What tells where a value of the row is in memory is there in every row for which it is loaded."""
    kept = stitched.kernel.kept
    for promotion in stitched.promoted:
        names = dict.fromkeys(name for name, _ in promotion.accesses)
        if not promotion.of_row or promotion.loaded < 0 or len(names) == 1:
            continue
        told = image(domains, kept, (promotion.accesses[promotion.address][0],))
        if not image(domains, kept, names).is_subset(told):
            raise CompilerBug(f"{stitched.kernel.name} does not know where `{promotion.symbol}` is in every row")


def verify_variants(chosen: Chosen) -> None:
    """Raise CompilerBug if a kernel is lost or doubled, or there beside the alternative that stands for it."""
    shaped = chosen.fused.placed.shaped
    taken = [a for a in shaped.alternatives if any(kernel.name in chosen.own_storage for kernel in a.kernels)]
    replaced = {number for alternative in taken for number in alternative.instead}
    wanted = Counter(kernel.name for kernel in kernels_of(shaped.items) if kernel.number not in replaced)
    wanted.update(kernel.name for alternative in taken for kernel in alternative.kernels)
    found = Counter(kernel.name for kernel in kernels_of(chosen.items))
    if found != wanted:
        raise CompilerBug(f"the variants have {sorted(found.elements())} instead of {sorted(wanted.elements())}")


def verify_loops(looped: Looped) -> None:
    """Raise CompilerBug if the kernel of a loop does other work than what is below the loop, or has no form for it."""
    before, now = kernels_of(looped.chosen.items), kernels_of(looped.items)
    if before != now:
        raise CompilerBug(f"loops leave {[k.name for k in now]} of {[k.name for k in before]}")
    for loop in loops_of(looped.items):
        if loop.kernel is None:
            continue
        inside = kernels_of(loop.items)
        wanted = {name for kernel in inside for name in kernel.statements}
        if set(loop.kernel.statements) != wanted:
            raise CompilerBug(f"{loop.kernel.name} does {sorted(loop.kernel.statements)} instead of {sorted(wanted)}")
        if any(not kernel.has_loop_form for kernel in inside) or len(inside) != len(loop.kernel.widths):
            raise CompilerBug(f"{loop.kernel.name} has no form for a kernel below its loop")
        if any(isinstance(item, Stitched | Composed) for item in leaves((loop,))):
            raise CompilerBug(f"{loop.kernel.name} takes a fused kernel apart")
        if any(other.kernel is not None for other in loops_of(loop.items)):
            raise CompilerBug(f"a loop inside of {loop.kernel.name} has a kernel as well")


def _verify_table(table: Iterable[Storage], symbols: Iterable[str], kernels: Iterable[str]) -> None:
    names = set(kernels)
    wanted = set(symbols)
    count: Counter[str] = Counter()
    for storage in table:
        count[storage.array] += 1
        if any(home.kernel not in names for home in storage.homes):
            raise CompilerBug(f"`{storage.array}` lives in a register of a kernel that there is not")
    if count.keys() != wanted or max(count.values(), default=1) > 1:
        raise CompilerBug(f"{sorted(count.elements())} live somewhere instead of {sorted(wanted)}")


def _verify_prologues(scop: Scop, kernels: Iterable[Kernel], table: Iterable[Storage]) -> None:
    """What every thread computes before the elements stays in its registers."""
    registers = {storage.array for storage in table if isinstance(storage.residence, Register)}
    for kernel in kernels:
        for name in scop.written(kernel.prologue):
            symbol = scop.array(name).symbol.name
            if symbol not in registers:
                raise CompilerBug(f"every thread of {kernel.name} writes `{symbol}`, which is in no register")


def _fused(item: HostItem) -> Iterator[Stitched | Composed]:
    match item:
        case HostLoop():
            for inner in item.items:
                yield from _fused(inner)
        case Stitched() | Composed():
            yield item
            for kernel in item.fallback.kernels:
                yield from _fused(kernel)
