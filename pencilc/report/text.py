"""`--report=text`: what was done, kernel by kernel, and why something stays sequential."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from pencilc.codegen.known_lengths import holds_all_rows, stitched_forms
from pencilc.driver import Compilation
from pencilc.gpu.report.contractions import Contraction, contractions
from pencilc.gpu.report.sums import plain_sums
from pencilc.gpu.report.uneven import Uneven, UnevenTiles
from pencilc.gpu.shapes.halo_sizes import THREADS as THREADS_OF_HALO
from pencilc.gpu.shapes.halo_sizes import extents, halo_bytes
from pencilc.gpu.shapes.tiles import SIDE, THREADS, least_side, tensor_bytes, tensor_depth, tensor_stages, tile_bytes_of
from pencilc.gpu.shapes.tiling import shares_rows
from pencilc.gpu.shapes.time_sizes import computed, moved_bytes, tile_bytes, untiled_bytes
from pencilc.ir.bins import hot_slots
from pencilc.ir.mapping import (
    Composed,
    Fusion,
    HostItem,
    HostLoop,
    MappedProgram,
    Packed,
    Stitched,
    kernels_of,
    loops_of,
)
from pencilc.ir.ranges import ranges
from pencilc.ir.schedule import ScheduledScop
from pencilc.ir.schedule_printer import row_name
from pencilc.ir.scop import Candidate, Reduction, Scop, ShiftedSum
from pencilc.ir.shapes import Halo, Kernel, Tiling
from pencilc.ir.source import FLOAT, Region, Scalar
from pencilc.ir.source_printer import spelled
from pencilc.ir.thread_rows import SizeOf, ThreadRow
from pencilc.target import MAX_THREADS, WARP, Target
from pencilc.verify.launched import LaunchedCall, Range

# Whether atomics apply the operator of an INDIRECT kernel.
_PUT = {
    True: "by atomics, in private copies of the bins or in the bins themselves",
    False: "in one order on every run, in private copies of the bins or sorted by bin",
}


_SOURCES = {"given": "given", "assumed": "as assumed", "nominal": "nominal"}
_DECISIONS = {
    "lines": "",
    "spread": "; others take as few, but in sectors of more lines",
    "order": "; others take as few, and of these it is the one that the order of loops prefers",
    "shape": "; what stands in front of the loop is done for one point at a time",
}


def report_text(done: Compilation, calls: Mapping[str, Sequence[LaunchedCall]] | None = None) -> str:
    """The report of every region of a file; `calls`: those whose launches were recorded, by region."""
    text = ""
    for program, candidates in zip(done.programs, done.candidates, strict=True):
        text += _region(program, candidates)
        for call in () if calls is None else calls[program.scop.name]:
            text += "".join(f"  {line}\n" for line in _call(call, program.target))
    return text


def _call(call: LaunchedCall, target: Target) -> list[str]:
    """How many threads each kernel is launched with, beside its independent points."""
    sizes = ", ".join(f"{name}={value}" for name, value in call.sizes) or "any size"
    if call.reason:
        return [f"launches at {sizes}: not known, {call.reason}"]
    lines = [f"launches at {sizes} on {target.multiprocessors} multiprocessors:"]
    for kernel in call.kernels:
        launches = f"{kernel.launches} launch{'es' if kernel.launches != 1 else ''}"
        points = "as many points as data say" if kernel.points is None else f"{_range(kernel.points)} points"
        line = f"  {kernel.kernel}: {launches}, {points}, {_range(kernel.threads)} threads"
        if kernel.short and kernel.fewest is not None:
            points_then, threads_then = kernel.fewest
            line += f"; in {kernel.short} of them few threads, as {threads_then} for {points_then} points"
        lines.append(line)
    return lines


def _range(numbers: Range) -> str:
    return f"{numbers.least}" if numbers.least == numbers.most else f"{numbers.least} to {numbers.most}"


def _region(program: MappedProgram, candidates: tuple[Candidate, ...]) -> str:
    scop = program.scop
    lines = [f"{scop.name} ({scop.span})"]
    if program.sequential:
        lines.append(f"  runs in one thread: {program.sequential}")
    if program.scheduled.fallback:
        lines.append(f"  source order kept: {program.scheduled.fallback}")
    lines += [f"  {line}" for line in (*_private(scop.region), *_copied(scop.region))]
    updates: list[str] = []
    for candidate in candidates:
        what = f"`{candidate.variable}`" + (f" with `{candidate.operator}`" if candidate.operator else "")
        how = f"stays as it is: {candidate.refused}" if candidate.refused else "is a reduction"
        updates.append(f"  line {candidate.span.line}: the update of {what} {how}")
    # A loop that is written out has the same update once for each of its iterations.
    lines += dict.fromkeys(updates)
    if program.pinned:
        lines.append("  fixed tree: values meet in an order that the sizes alone decide; products are not contracted")
    if program.pinned or program.sums != "plain":
        lines.append("  no kernels are fused, for that knows no fixed tree and plain sums only")
    for reduction in plain_sums(program):
        line = scop.statement(reduction.updates[0]).span.line
        lines.append(
            f"  line {line}: `{scop.spelling(reduction.array)}` is summed one value after the other, as without --sum"
        )
    lines += [f"  {line}" for line in _locality(program.scheduled)]
    for item in program.launched():
        lines += _item(scop, item, 1)
    for contraction in contractions(program):
        lines += [f"  {line}" for line in _contraction(contraction, program.target)]
    lines += _fusions(program)
    return "\n".join(lines) + "\n"


def _contraction(found: Contraction, target: Target) -> list[str]:
    """What the model expects of the tiles of a kernel, a line for each size."""
    element = f"{found.operations} operation{'s' if found.operations != 1 else ''} for each element and reduced point"
    lines = [f"{found.kernel} by the model ({target.arch}, {target.like}; nothing was measured): {element}"]
    if found.uneven is not None:
        lines.append(f"  {_uneven(found.uneven)}")
    if found.not_counted:
        lines.append(f"  no box, but tiles are told as if all were whole: {found.not_counted}")
    for size in found.sizes:
        share = "no share of the peak" if size.share is None else f"{100 * size.share:.0f}% of the peak"
        blocks = f"{size.resident} block{'s' if size.resident != 1 else ''} of a multiprocessor"
        lines.append(
            f"  {size.down} x {size.across} points: {size.stages} stages, at most {size.registers} registers, at least "
            f"{blocks}, {size.intensity:.3g} elements for each byte; {share}: {size.limit}"
        )
        if size.uneven is not None and found.uneven is not None:
            lines.append(f"    {_uneven_tiles(size.uneven, found.uneven)}")
    return lines


def _uneven(found: Uneven) -> str:
    """Which points there are, and which elements, where that is no box."""
    points = f"{found.points:,} of {found.box_points:,} points of the box have elements"
    if found.points == found.box_points:
        points = "all points of the box have elements"
    share = found.elements / found.box_elements
    sizes = _sizes(found.sizes)
    if found.host:
        sizes += f", a launch in the middle of those of {', '.join(f'`{each}`' for each in found.host)}"
    return f"no box: {points}; {_percent(share)} of its places are elements, reduced ones counted ({sizes})"


def _uneven_tiles(tiles: UnevenTiles, found: Uneven) -> str:
    """Why numbers of tiles are what they are, where these are not alike."""
    told, others = f"all {tiles.tiles:,} tiles have elements", ""
    empty, idle = tiles.tiles - tiles.inhabited, tiles.inhabited - tiles.with_elements
    if empty or idle:
        told, others = f"of {tiles.tiles:,} tiles", "; the others"
    if empty:
        told += f" {_percent(empty / tiles.tiles)} have no point, and their blocks end at once"
    if idle:
        told += f"{',' if empty else ''} {_percent(idle / tiles.tiles)} have results alone, and fetch nothing"
    in_vain = max(0.0, 1 - found.elements / tiles.places)
    told += f"{others or ', and'} fetch {bytes_text(tiles.fetched)}; "
    told += f"{_percent(in_vain)} of the places that they go through are no elements"
    if tiles.asked:
        told += f", {_percent(tiles.asked / tiles.places)} are in stages where each element is asked for"
    return told


def _percent(share: float) -> str:
    return f"{100 * share:.0f}%" if share >= 0.01 or not share else "less than 1%"


def _fusions(program: MappedProgram) -> list[str]:
    """What was fused, what was not, and the estimate that decided."""
    taken = [f for f in program.fusions if f.taken]
    lines = []
    for fusion in taken:
        if fusion.way == "joined":
            lines.append(f"  fewer sweeps: {fusion.reason} for {', '.join(fusion.kernels)}")
            continue
        lines.append(f"  fused: {', '.join(fusion.kernels)}, {fusion.way}; {estimate_text(fusion)}")
    for fusion in not_fused(program):
        estimate = f"; {estimate_text(fusion)}" if fusion.saved_launches else ""
        lines.append(f"  not fused: {', '.join(fusion.kernels)}: {fusion.reason}{estimate}")
    return lines


def not_fused(program: MappedProgram) -> Iterator[Fusion]:
    """The fusions that were not taken, those of few kernels first: what holds for these is not told again of more."""
    taken = [f for f in program.fusions if f.taken]
    told = [set(f.kernels) for f in taken]
    for fusion in sorted((f for f in program.fusions if not f.taken), key=lambda f: len(f.kernels)):
        names = set(fusion.kernels)
        if any(names <= other for other in told) or any(other <= names for other in told[len(taken) :]):
            continue
        told.append(names)
        yield fusion


def estimate_text(fusion: Fusion) -> str:
    """What the model says that a fusion saves."""
    launches = f"{fusion.saved_launches} launch{'es' if fusion.saved_launches != 1 else ''}"
    megabytes, microseconds = three_digits(fusion.saved_bytes / 1e6), three_digits(fusion.saved_seconds * 1e6)
    return f"saves {launches}, {megabytes} MB, {microseconds} us at nominal sizes"


def three_digits(value: float) -> str:
    """A figure of an estimate, without an exponent where it is large: `0.28`, `16.2`, `1,480`."""
    return f"{value:.3g}" if abs(value) < 999.5 else f"{float(f'{value:.3g}'):,.0f}"


def bytes_text(number: int | None) -> str:
    """`16.8 MB`, in powers of ten, three digits."""
    if number is None:
        return "unknown"
    value = float(number)
    for unit in ("B", "kB", "MB", "GB"):
        if value < 999.5:
            return f"{value:.3g} {unit}"
        value /= 1000
    return f"{value:.3g} TB"


def _item(scop: Scop, item: HostItem, depth: int) -> list[str]:
    pad = "  " * depth
    if isinstance(item, HostLoop):
        lines = [f"{pad}host loop over `{item.iterator}`: it is sequential and has parallel work inside"]
        lines += [f"{pad}  {line}" for line in _forms(item)]
        return lines + [line for inner in item.items for line in _item(scop, inner, depth + 1)]
    if isinstance(item, Packed):
        lines = [f"{pad}{item.name}: parts that do not depend on each other, each with blocks of its own"]
        return lines + [line for kernel in item.kernels for line in _item(scop, kernel, depth + 1)]
    if isinstance(item, Stitched):
        how = "neighbouring threads have neighbouring rows, which stay in registers" if item.across else None
        lines = [f"{pad}{item.kernel.name}: {how or item.kernel.told}", *(f"{pad}  {t}" for t in _stitched(item, scop))]
        instead = () if holds_all_rows(item, scop.context) else item.fallback.kernels
        return lines + [line for kernel in instead for line in _item(scop, kernel, depth + 1)]
    if isinstance(item, Composed):
        lines = [f"{pad}{item.kernel.name}: {item.kernel.told}", *(f"{pad}  {t}" for t in _composed(item))]
        return lines + [line for inner in item.fallback.kernels for line in _item(scop, inner, depth + 1)]
    told = item.told
    if item.tiling is not None:
        told = "tiles of points that share what they read, a block for each"
    elif item.halo is not None:
        told = "tiles of points, a block for each, which fetches what these read once"
    return [f"{pad}{item.name}: {told}", *(f"{pad}  {line}" for line in _kernel(scop, item))]


def _forms(loop: HostLoop) -> list[str]:
    """In which forms its iterations are done, besides by launches for each."""
    if loop.kernel is None:
        return [f"each iteration has its launches: {loop.reason}"] if loop.reason else []
    launch = loop.kernel.launch
    return [
        f"{loop.kernel.name}: all iterations in one launch, where none has many points",
        f"  up to {launch.block_points:,} points: one block of up to {launch.threads} threads, a barrier in it",
        f"  up to {launch.grid_points_per_sm:,} for each multiprocessor: blocks that meet (cooperative launch)",
        *_in_time(loop),
        "  more: launches for each iteration, these:",
    ]


def _in_time(loop: HostLoop) -> list[str]:
    """How launches do several of its iterations each, or why none do."""
    tiling = loop.tiling
    if tiling is None:
        return [f"  no launches of several iterations each: {loop.not_tiled}"] if loop.not_tiled else []
    sides = " x ".join(map(str, tiling.sides))
    held = [f"`{each.symbol}` {' x '.join(map(str, tiling.extents(each)))}" for each in tiling.arrays]
    swapped = ", ".join(f"`{each.symbol}`" for each in tiling.carried())
    bytes_ = moved_bytes(tiling) / tiling.period, untiled_bytes(tiling) / tiling.period
    return [
        f"  more, from {tiling.launch.time_side} elements in each direction on: launches of up to {tiling.iterations} "
        f"iterations, in tiles of {sides} elements",
        f"    on the chip {', '.join(held)}: {tile_bytes(tiling):,} bytes of shared memory; {swapped} swapped with "
        "memory of the call",
        f"    {bytes_[0]:.1f} bytes of memory for an element and iteration, of {bytes_[1]:g} by launches for each; the "
        f"work is done {computed(tiling):.2f} times, around tiles included",
    ]


def _tiles(kernel: Kernel, shared: Tiling) -> list[str]:
    """What is shared, in which tiles, and what is done where they would be too narrow."""
    sides = list(dict.fromkeys(SIDE * each for size in shared.sizes for each in (size.down, size.across)))
    operands = ", ".join(f"`{spelled(each.index)}`" for each in shared.operands)
    lines = [f"{operands}: fetched once for {_choice(sides)} points"]
    threads = [f"{size.down} x {size.across}" for size in shared.sizes]
    depths = [str(size.depth) for size in shared.sizes]
    bytes_ = [f"{tile_bytes_of(shared, size):,}" for size in shared.sizes]
    lines.append(
        f"{THREADS} threads with {_choice(threads)} points each; operands {_choice(depths)} deep, "
        f"{_choice(bytes_)} bytes of shared memory"
    )
    if shared.on_tensor_cores:
        chip = [f"{tensor_bytes(shared, size):,}" for size in shared.sizes]
        lines.append(
            f"from sm_80 on tensor cores, on which {_as_multiplied(shared)}: "
            f"operands {tensor_depth(shared)} deep in {tensor_stages(shared)} stages, copied asynchronously, "
            f"{_choice(chip)} bytes of shared memory"
        )
    if shared.carried:
        lines.append(f"each point takes its values in the order of the source, into `{shared.carried}`")
    if shared.folds:
        lines.append("what comes of it is reduced behind each tile; a block has all tiles of its rows, or a share")
    side, least = shared.launch.tile_side, least_side(shared)
    both = f", or than {side} of both" if least < side else ""
    lines.append(f"where there are fewer than {least} rows or columns{both}: {kernel.told}")
    return lines


def _halo(kernel: Kernel, halo: Halo) -> list[str]:
    """What blocks hold, in which tiles, and what is done where these would be too narrow."""
    lines = []
    sides = f"{halo.launch.halo_down} x {halo.launch.halo_across}"
    for each in halo.held:
        why = "rows become columns" if each.transposed else f"{each.uses} uses for each point"
        values = extents(halo, each)
        lines.append(f"`{spelled(each.index)}`: {' x '.join(map(str, values))} values for {sides} points, {why}")
    planes = f", up to {halo.launch.halo_depth} planes one after the other" if halo.along is not None else ""
    lines.append(f"{THREADS_OF_HALO} threads{planes}; {halo_bytes(halo):,} bytes of shared memory")
    lines.append(f"where there are fewer than {halo.launch.halo_side} rows or columns: {kernel.told}")
    return lines


def _as_multiplied(shared: Tiling) -> str:
    """How the factors are multiplied."""
    kind = shared.operands[0].index.type
    name = kind.name if isinstance(kind, Scalar) else ""
    if kind == FLOAT:
        return f"`{name}` is rounded to the 11 bits of tf32 and multiplied (--allow-tf32)"
    return f"`{name}` is multiplied exactly"


def _choice(values: Sequence[object]) -> str:
    """`8, 4 or 2`; one value alone."""
    texts = list(map(str, values))
    if len(set(texts)) == 1:
        return texts[0]
    return f"{', '.join(texts[:-1])} or {texts[-1]}"


def _kernel(scop: Scop, kernel: Kernel) -> list[str]:
    lines = []
    atomic = {bins.reduction: bins.atomic for bins in kernel.bins}
    for reduction in scop.reductions:
        if reduction.name in kernel.reductions or reduction.name in atomic:
            kind = f" (recognised as {reduction.operator.recognised.value})" if reduction.operator.recognised else ""
            how = "" if reduction.name not in atomic else f", {_PUT[bool(atomic[reduction.name])]}"
            if isinstance(reduction, ShiftedSum):
                how = f", for any shift, before `{spelled(reduction.shift)}` is known"
            lines.append(f"reduces `{scop.spelling(reduction.array)}` with `{reduction.operator.function}`{kind}{how}")
            if _lacks_table(kernel, reduction):
                lines.append(
                    f"no table on chip for the bins of `{scop.spelling(reduction.array)}` that a block meets often: "
                    f"{len(kernel.bins)} reductions share the memory for them"
                )
    if kernel.tiling is not None:
        lines += _tiles(kernel, kernel.tiling)
    if kernel.halo is not None:
        lines += _halo(kernel, kernel.halo)
    lines += kernel.not_held
    if kernel.reason and kernel.kept:
        lines.append(f"no better shape: {kernel.reason}")
    if kernel.thread_row is not None:
        lines.append(_thread_row(kernel.thread_row))
    loads = kernel.loads
    if loads.vectors:
        lines.append(
            f"{len(loads.vectors)} reads in chunks of {loads.width} elements, {loads.in_flight} chunks in flight"
        )
    places = sorted({scop.statement(s).span.line for s in kernel.statements})
    if places:
        lines.append(f"lines {_runs(places)}")
    return lines


def _lacks_table(kernel: Kernel, reduction: Reduction) -> bool:
    """Whether atomics go to bins in memory without a table of those that a block meets often."""
    ctype = reduction.operator.wide or reduction.element_type
    return kernel.has_atomics_on_memory and hot_slots(ctype.size, len(kernel.bins)) == 0


def _locality(scheduled: ScheduledScop) -> list[str]:
    """What lines of memory decided about the order of loops: which one runs in order, and which nests are not one."""
    found = []
    for each in scheduled.in_order:
        others = ", ".join(f"with `{row_name(row, scheduled)}` {_lines_taken(lines)}" for row, lines in each.others)
        found.append(
            f"`{row_name(each.row, scheduled)}` runs in order: lines of memory of 32 points "
            f"{_lines_taken(each.lines)}, {others} ({_sizes(each.sizes)})"
        )
    for nests in scheduled.apart:
        first, second = (
            _runs(sorted({scheduled.scop.statement(name).span.line for name in names}))
            for names in (nests.first, nests.second)
        )
        found.append(
            f"loops of lines {first} and {second} are not one: lines of memory of 32 points "
            f"{_lines_taken(nests.apart)}, as one {_lines_taken(nests.together)} ({_sizes(nests.sizes)})"
        )
    return found


def _lines_taken(lines: Fraction) -> str:
    return f"{float(lines):,.2f}".rstrip("0").rstrip(".")


def _sizes(sizes: Sequence[SizeOf]) -> str:
    """The sizes that something was counted at."""
    return ", ".join(f"{size.name} = {size.value} {_SOURCES[size.source]}" for size in sizes) or "sizes known"


def _thread_row(found: ThreadRow) -> str:
    """Along which row threads lie, what they would take along each, and at which sizes that was counted."""
    taken = {each.row: _lines_taken(each.lines) for each in found.candidates}
    others = ", ".join(f"along `{row}` {lines}" for row, lines in taken.items() if row != found.row)
    sizes = _sizes(found.sizes)
    text = f"threads along `{found.row}`: lines of memory of 32 points {taken[found.row]}, {others} ({sizes})"
    text += _DECISIONS[found.decided_by]
    if not found.uncounted:
        return text
    return f"{text}; {found.uncounted} access{'es' if found.uncounted != 1 else ''} not counted, where data decide"


def _private(region: Region) -> list[str]:
    """Which arrays each iteration of a loop has for itself."""
    found = []
    for each in region.private:
        line = f"line {each.iterator.span.line}: `{each.array.spelling}` is overwritten by each iteration of "
        line += f"`{each.iterator.spelling}`, which has one for itself"
        if each.most:
            line += f" where all together take at most {each.most:,} bytes, or as many as the arrays of the caller; "
            line += "else iterations wait for each other"
        found.append(line)
    return found


def _copied(region: Region) -> list[str]:
    """Which arrays are copied for those who read what they held before the region."""
    return [
        f"{lines_text(each.lines)}: the old values of `{each.array.spelling}` are read from a copy, made first and as "
        "large as the array, so that what overwrites them need not wait"
        for each in region.copied
    ]


def lines_text(places: Sequence[int]) -> str:
    """`line 3` or `lines 3, 5-7`; empty where there are none."""
    return f"line{'s' if len(places) > 1 else ''} {_runs(places)}" if places else ""


def _runs(places: Sequence[int]) -> str:
    """`3, 5-7` for lines 3, 5, 6 and 7."""
    return ", ".join(str(first) if first == last else f"{first}-{last}" for first, last in ranges(places))


def _composed(item: Composed) -> list[str]:
    names = ", ".join(f"`{name}`" for name in item.iterators)
    lines = [f"{len(item.stages)} stages in one launch, a block for each value of {names}"]
    loops = ", ".join(f"`{loop.iterator}`" for loop in loops_of(item.items))
    if loops:
        lines.append(f"the block does all rounds of the loop{'s' if ',' in loops else ''} over {loops}")
    for title, arrays in (
        ("fetched once for a row", [s.storage.array for s in item.shared if s.copied or s.fetched]),
        ("handed from stage to stage", [s.storage.array for s in item.shared if not s.copied]),
        ("stored behind the last round", [s.storage.array for s in item.shared if s.left_behind]),
        ("never in memory", list(item.on_chip)),
    ):
        if arrays:
            lines.append(f"{title}: {', '.join(f'`{name}`' for name in arrays)}")
    lines += _tiled_instead(item)
    few = "is too few rows to fill the device"
    if item.has_loops:
        lines += _of_rounds(item)
        known = all(stage.name in item.widest for loop in loops_of(item.items) for stage in kernels_of((loop,)))
        few += f" with more than {item.kernel.launch.round_points:,} points of a stage each" if known else ""
    lines.append(f"for what does not fit into shared memory, or {few}, these one by one:")
    return lines


def _of_rounds(item: Composed) -> list[str]:
    """Where what a round leaves for another one goes through memory: a line, or none."""
    if not item.in_memory:
        return []
    most = item.kernel.launch.memory_points
    return [f"rounds meet in memory, too, which the caches keep: up to {most:,} points of a stage in a row"]


def _tiled_instead(item: Stitched | Composed) -> list[str]:
    """Where tiles do what the kernel would: a line, or none."""
    tiled = [kernel for kernel in kernels_of((item,)) if shares_rows(kernel, item.kernel.kept)]
    if not tiled:
        return []
    names = ", ".join(kernel.name for kernel in tiled)
    least = max(kernel.tiling.launch.tile_points for kernel in tiled if kernel.tiling is not None)
    have = "have" if tiled[1:] else "has"
    return [f"where {names} {have} {least:,} points, reduced ones counted, tiles, which read once for many rows"]


def _stitched(item: Stitched, scop: Scop) -> list[str]:
    elements = [s for s in item.promoted if not s.of_row]
    lines = [f"{sum(stage.body is not None for stage in item.stages)} sweeps over the row in one launch"]
    for title, promotions in (
        ("loaded once for several stages", [s for s in elements if s.loaded >= 0 and s.first < s.last]),
        ("never in memory", [s for s in item.promoted if s.symbol in item.on_chip]),
    ):
        if promotions:
            lines.append(f"{title}: {', '.join(f'`{s.symbol}`' for s in promotions)}")
    shared = stitched_forms(item, scop.context).shared
    if shared:
        short = WARP // 2 * item.width * shared
        lines.append(f"many rows of up to {short} elements: several for each warp")
    longest = item.kernel.block // (8 if item.across else 1) * item.width * item.items[-1]
    if holds_all_rows(item, scop.context):
        lines.append("every row fits into registers")
        return lines
    lines += _tiled_instead(item)
    if not item.kernel.kept:
        lines.append("if two blocks of each multiprocessor have room for all elements; else these, one by one:")
    elif item.long_rows is None:
        lines.append(f"for rows of up to {longest} elements; longer ones take these, one by one:")
    elif item.wide:
        held = MAX_THREADS * item.width * item.wide[-1]
        lines.append(f"rows that are too few to fill the device, of up to {held} elements, by blocks of {MAX_THREADS}")
        size = item.long_rows.size
        memory = f" in shared memory, {size} bytes an element" if size else ""
        if item.long_rows.clusters > 1:
            memory += f", of up to {item.long_rows.clusters} blocks each where one does not hold it or rows are few"
        lines.append(f"many rows of more than {longest} elements{memory}; for what does not fit, these one by one:")
    elif item.long_rows.size:
        lines.append(f"rows of more than {longest} elements in shared memory, {item.long_rows.size} bytes an element")
        lines.append("for what does not fit, or is too few rows to fill the device, these one by one:")
    else:
        lines.append("for rows of any length; where they are too few to fill the device, these one by one:")
    if item.fallback.instead_of:
        joined, written = ", ".join(item.fallback.joined), ", ".join(item.fallback.instead_of)
        lines.append(f"(fewer sweeps: {joined} for {written})")
    return lines
