"""The mapping as text, for `--dump-ir=mapping` and the golden files: all of it that decides anything."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import fields

import islpy as isl

from pencilc import islx
from pencilc.ir.mapping import (
    Composed,
    HostItem,
    HostLoop,
    MappedProgram,
    Packed,
    RegisterPromotion,
    RowPart,
    SharedPromotion,
    Stitched,
    TouchedRange,
    Variant,
)
from pencilc.ir.schedule import statements_of
from pencilc.ir.scop import Scop
from pencilc.ir.scop_printer import names_of, parameters_line, plain_value
from pencilc.ir.shapes import BoxDimension, Halo, IndirectKernel, InThread, Kernel, LoopKernel, Tiling
from pencilc.ir.source_printer import print_expr
from pencilc.ir.storage import Expanded, InBlock, Storage, Uniform, Workspace
from pencilc.ir.thread_rows import ThreadRow
from pencilc.ir.time_tiles import Reach, TimeTiling
from pencilc.options import HaloLaunch, Launch, TileLaunch, TimeLaunch
from pencilc.target import MAX_THREADS


def dump_mapping(program: MappedProgram) -> str:
    """Kernels in launch order with their shapes, where variables live, what is copied."""
    scop = program.scop
    lines = [f"mapping of {scop.name} for {program.target.arch}", f"  {parameters_line(scop)}"]
    if program.sums != "plain":
        lines.append(f"  sums: {program.sums}")
    if program.pinned:
        lines.append("  nvcc may not contract a * b + c")
    if program.sequential:
        lines.append(f"  sequential: {program.sequential}")
    for item in program.items:
        lines += item_lines(item, 1)
    lines.append("  storage")
    lines += storage_lines(program.storage, 2)
    lines += own_storage_lines(program.storage, {**program.own_storage, **_tables_of_stitched(program)})
    lines.append("  copies")
    for transfer in program.transfers:
        is_killed = transfer.is_written and not transfer.copy_out
        kinds = (
            ("in", transfer.copy_in), ("cleared", transfer.cleared), ("out", transfer.copy_out), ("killed", is_killed)
        )  # fmt: skip
        ways = [way for way, wanted in kinds if wanted]
        lines.append(f"    {transfer.array}: {' and '.join(ways) or 'none'}")
        for touched in transfer.ranges:
            lines.append(f"      {_range(scop, touched)}")
    return "\n".join(lines) + "\n"


def _range(scop: Scop, touched: TouchedRange | None) -> str:
    """`[0, 0] to [-1 + nr, -1 + nc] for { : nr > 0 }`: what a statement touches of an array."""
    if touched is None:
        return "all of it"
    where = islx.text_over(touched.inhabited, names_of(scop))
    if not touched.first:
        return f"all of it for {where}"
    ends: list[str] = []
    for sides in (touched.first, touched.last):
        ends.append(", ".join(value_text(side.gist_params(touched.inhabited)) for side in sides))
    return f"[{ends[0]}] to [{ends[1]}] for {where}"


def value_text(value: isl.PwAff) -> str:
    """A function of the parameters and host iterators: `-1 + n`; as isl has it where it has several pieces."""
    text = re.sub(r"^\[[^\]]*\] -> ", "", str(value))
    return plain_value(text) or text


def storage_lines(table: tuple[Storage, ...], depth: int) -> list[str]:
    """Where each variable lives."""
    return [f"{'  ' * depth}{storage.array}: {_residence(storage)}" for storage in table]


def own_storage_lines(table: tuple[Storage, ...], own_storage: Mapping[str, tuple[Storage, ...]]) -> list[str]:
    """The registers of kernels that have tables of their own, as far as `table` says something else."""
    lines: list[str] = []
    for kernel, own in own_storage.items():
        other: list[Storage] = []
        for here, known in zip(own, table, strict=True):
            if here is not known and any(home.kernel == kernel for home in here.homes):
                other.append(here)
        if other:
            lines += [f"  storage in {kernel}", *storage_lines(tuple(other), 2)]
    return lines


def _tables_of_stitched(program: MappedProgram) -> dict[str, tuple[Storage, ...]]:
    """Where variables live in stitched kernels, by their names."""
    behind = (kernel for item in program.composed() for kernel in item.fallback.kernels)
    stitched = (*program.stitched(), *(kernel for kernel in behind if isinstance(kernel, Stitched)))
    return {item.kernel.name: item.storage for item in stitched}


def item_lines(item: HostItem, depth: int) -> list[str]:
    """An item with what belongs to it."""
    pad = "  " * depth
    if isinstance(item, HostLoop):
        lines = [f"{pad}for {item.iterator} on the host"]
        if item.kernel is not None:
            lines.append(f"{pad}  or kernel {item.kernel.name}: {item.kernel.shape.value}")
            lines += [f"{pad}    {text}" for text in (*_widths(item.kernel), *_launch(item.kernel))]
        elif item.reason:
            lines.append(f"{pad}  not in one launch: {item.reason}")
        if item.tiling is not None:
            lines += [f"{pad}  {line}" for line in _in_time(item.tiling)]
        if item.not_tiled:
            lines.append(f"{pad}  no tiles of several iterations: {item.not_tiled}")
        return lines + [line for inner in item.items for line in item_lines(inner, depth + 1)]
    if isinstance(item, Packed):
        lines = [f"{pad}kernel {item.name}: packed", *(line for k in item.kernels for line in item_lines(k, depth + 1))]
        if item.overflow:
            names = ", ".join(kernel.name for kernel in item.overflow)
            lines.append(f"{pad}  launched behind where their bins are too many: {names}")
        return lines
    if isinstance(item, Stitched):
        lines = [f"{pad}kernel {item.kernel.name}: stitched", *(f"{pad}  {text}" for text in _stitched(item))]
        return [*lines, *_fallback(item.fallback, depth)]
    if isinstance(item, Composed):
        return [*_composed(item, depth), *_fallback(item.fallback, depth)]
    return [f"{pad}kernel {item.name}: {item.shape.value}", *(f"{pad}  {text}" for text in _kernel(item))]


def _composed(item: Composed, depth: int) -> list[str]:
    pad = "  " * depth
    lines = [f"{pad}kernel {item.kernel.name}: composed, a block for each {', '.join(item.iterators)}"]
    lines += [line for stage in item.items for line in _inside(stage, depth + 1)]
    if item.in_memory:
        lines.append(f"{pad}  its rounds meet in memory")
    for stage, box in item.widest.items():
        lines += [f"{pad}  {stage} in all rounds", *(f"{pad}  {side}" for side in _boxes(("points", box)))]
    lines += [f"{pad}  {text}" for text in (*map(_shared, item.shared), *_stored(item), *_launch(item.kernel))]
    if item.static:
        lines.append(f"{pad}  its stages declare {item.static} bytes of shared memory, about")
    return lines


def _inside(stage: HostItem, depth: int) -> list[str]:
    """A stage of a composed kernel, or a loop around some."""
    if not isinstance(stage, HostLoop):
        return item_lines(stage, depth)
    lines = [f"{'  ' * depth}for {stage.iterator} in the block"]
    return lines + [line for inner in stage.items for line in _inside(inner, depth + 1)]


def _fallback(variant: Variant[Kernel] | Variant[Kernel | Stitched | HostLoop], depth: int) -> list[str]:
    lines = [f"{'  ' * depth}  where {variant.condition}"]
    if variant.joined:
        lines[0] += f", {', '.join(variant.joined)} doing in one sweep what {', '.join(variant.instead_of)} would"
    for kernel in variant.kernels:
        lines += item_lines(kernel, depth + 2)
    return lines


def _kernel(kernel: Kernel) -> list[str]:
    lines = []
    for title, names in (
        ("prologue", kernel.prologue),
        ("body", statements_of(kernel.body)),
        ("reductions", kernel.reductions),
        ("post", kernel.post),
    ):
        if names:
            lines.append(f"{title}: {', '.join(names)}")
    lines += _points(kernel)
    if kernel.thread_row is not None:
        lines.append(_thread_row(kernel.thread_row))
    lines += _plans(kernel)
    if kernel.reductions or kernel.bins or kernel.loads.vectors:
        lines += _loads(kernel)
    lines += _launch(kernel)
    if kernel.tiling is not None:
        lines += _tiles(kernel.tiling)
    if kernel.halo is not None:
        lines += _halo(kernel.halo)
    lines += [f"not held: {reason}" for reason in kernel.not_held]
    if kernel.reason:
        lines.append(f"no better shape: {kernel.reason}")
    return lines


def _plans(kernel: Kernel) -> list[str]:
    """What becomes of each reduction."""
    lines = [f"forms to choose from: {', '.join(kernel.forms)}"] if isinstance(kernel, IndirectKernel) else []
    for bins in kernel.bins:
        count = "bins" if bins.count is None else f"{bins.count} bins"
        how = f"by {bins.atomic} on {bins.word}" if bins.atomic else "in order"
        lines.append(f"{bins.reduction}: {count} behind {bins.fixed} fixed subscripts, {how}")
    for plan in kernel.accumulated:
        if plan.continues:
            lines.append(f"{plan.reduction}: goes on from an earlier kernel")
        if plan.continued:
            lines.append(f"{plan.reduction}: a later kernel goes on")
    in_thread = [plan.reduction for plan in kernel.plans if isinstance(plan, InThread)]
    if in_thread:
        lines.append(f"in place, in order: {', '.join(in_thread)}")
    return lines


def _in_time(tiling: TimeTiling) -> list[str]:
    """The tiles of several iterations, what blocks hold, what each kernel reads around."""
    sides = " x ".join(map(str, tiling.sides))
    rounds = f", rounds of {tiling.period}" if tiling.period > 1 else ""
    lines = [
        f"or {tiling.iterations} iterations in a launch, in tiles of {sides}",
        f"  launch: {_values(tiling.launch)}",
        f"  iterations from {value_text(tiling.first)} to {value_text(tiling.last)}{rounds}",
        *_boxes(("elements", tiling.box)),
    ]
    for step in tiling.steps:
        reads = "; ".join(f"{name} {_reach(reach)}" for name, reach in step.reads.items())
        lines.append(f"  {step.kernel}: writes {', '.join(step.writes)}; reads {reads or 'none of them'}")
    for array in tiling.arrays:
        held = " x ".join(map(str, tiling.extents(array)))
        lines.append(f"  holds {array.symbol}: {held}{', handed on from launch to launch' if array.carried else ''}")
    return lines


def _reach(reach: Reach) -> str:
    return ", ".join(f"{-low}..{high}" for low, high in reach)


def _halo(halo: Halo) -> list[str]:
    """The sides of tiles, and what blocks hold of which array."""
    planes = f", planes along {halo.along}" if halo.along is not None else ""
    points = " x ".join(map(str, halo.points))
    lines = [f"in tiles of {points}: kept row {halo.down} down, {halo.across} across{planes}"]
    for each in halo.held:
        places = []
        for dimension in each.dimensions:
            if dimension.start is not None:
                places.append(f"{value_text(dimension.start)} + {dimension.low}..{dimension.high}")
            else:
                factor = f"{dimension.factor} * " if dimension.factor != 1 else ""
                places.append(f"{factor}row {dimension.row} + {dimension.low}..{dimension.high}")
        turned = ", transposed" if each.transposed else ""
        lines.append(f"  holds {each.symbol}: {'; '.join(places)}, {each.uses} uses{turned}")
        lines += [f"    {print_expr(read.index)} of {read.statement}" for read in each.reads]
        ends = [f"{value_text(side.lower)} to {value_text(side.upper)}" for side in each.box or ()]
        lines.append(f"    fetched: {', '.join(ends)}" if ends else f"    fetched: {_plain(each.fetched)}")
    lines += _boxes(("kept", halo.kept_box))
    lines.append(f"  launch: {_values(halo.launch)}")
    return lines


def _tiles(shared: Tiling) -> list[str]:
    """The sides of tiles, what their points share, what is done for each, the sizes that are chosen from."""
    across = "the reduced row" if shared.folds else str(shared.across)
    lines = [f"in tiles: kept row {shared.down} down, {across} across"]
    for each in shared.operands:
        side = "down" if each.down else "across"
        along = f"chunks of {each.width} along the {each.along}" if each.along else "element by element"
        rows = "1 row" if each.moves == 1 else f"{each.moves} rows"
        rows += ", evenly" if each.is_even else ""
        lines.append(f"  {side} {print_expr(each.index)} of {each.statement}, {along}, moves with {rows}")
        if each.read is not None:
            lines.append(f"    read for {_plain(each.read)}")
    if shared.carried:
        in_order = tuple(sorted(shared.in_order))
        parts = (
            ("before", shared.before), ("loop", statements_of(shared.body)), ("after", shared.after),
            ("folded by ascending places", in_order),
        )  # fmt: skip
        texts = [f"{title} {', '.join(names)}" for title, names in parts if names]
        lines.append(f"  in order, handing on {shared.carried}: {'; '.join(texts)}")
    lines += _boxes(("kept", shared.kept_box), ("reduced", shared.reduced_box))
    told = (
        ("points", shared.occupied), ("points that reduce", shared.looping), ("elements", shared.points),
        *(("of which a statement has", each) for each in shared.conditional),
    )  # fmt: skip
    for title, points in told:
        if points is not None:
            lines.append(f"  {title}: {_plain(points)}")
    lines += _elements_of_tiles(shared)
    if shared.bytes_of_point:
        folded = f", {shared.bytes_of_row} of what they are folded into" if shared.folds else ""
        lines.append(f"  {shared.bytes_of_point} bytes a point{folded}")
    if shared.on_tensor_cores:
        lines.append("  on tensor cores where there are any")
    for size in shared.sizes:
        lines.append(f"  {size.down} x {size.across} of a thread, {size.depth} deep, {size.resident} blocks together")
    lines.append(f"  launch: {_values(shared.launch)}")
    return lines


def _elements_of_tiles(shared: Tiling) -> list[str]:
    """What each point of a tile has, and what an element takes."""
    lines: list[str] = []
    if shared.is_product:
        others = ", or none of it" if shared.has_others else ""
        lines.append(f"  each point has all that is reduced{others}")
    if shared.is_light:
        lines.append("  few registers an element")
    if shared.working:
        lines.append(f"  {shared.working} registers for an operation")
    if shared.compares or shared.adds_products:
        lines.append(f"  {'compares' if shared.compares else 'adds a product of'} floating values in each element")
    return lines


def _thread_row(found: ThreadRow) -> str:
    """`threads lie along j, by the lines of 32 points: i 32, j 1 (n 1000, m nominal 257)`."""
    spread = found.decided_by == "spread"
    lines = ", ".join(
        f"{each.row} {float(each.lines):g}" + (f" spread over {float(each.spread):g}" if spread else "")
        for each in found.candidates
    )
    sizes = ", ".join(f"{each.name} {each.value} {each.source}" for each in found.sizes)
    text = f"threads lie along {found.row}, decided by {found.decided_by}; lines of 32 points: {lines}"
    if found.uncounted:
        text += f"; not counted: {found.uncounted}"
    return f"{text} ({sizes})" if sizes else text


def _widths(kernel: LoopKernel) -> list[str]:
    """How many values the kept rows of each kernel of an iteration take at most."""
    return [
        f"{name}: at most {' x '.join(map(value_text, widths))} points in an iteration"
        for name, widths in kernel.widths.items()
        if widths
    ]


def _points(kernel: Kernel) -> list[str]:
    """The rows of a kernel, and what is known of their ranges."""
    walked = ""
    if kernel.collapsed:
        walked = ", collapsed"
    elif kernel.run_rows:
        walked = f", runs of the last {kernel.run_rows}" if kernel.run_rows > 1 else ", runs of the last one"
    if kernel.column_rows > 1:
        walked = f", columns of the last {kernel.column_rows}"
    lines = [f"rows: {len(kernel.kept)} kept, {len(kernel.reduced)} reduced{walked}"]
    lines += _boxes(("kept", kernel.kept_box), ("reduced", kernel.reduced_box))
    if kernel.ragged is not None:
        points = kernel.ragged.points
        limit = f", {print_expr(points)} points in all at most" if points is not None else ""
        lines.append(f"  reduced row {kernel.ragged.at} as long as the data say{limit}")
    return lines


def _boxes(*boxes: tuple[str, tuple[BoxDimension, ...] | None]) -> list[str]:
    """The sides of boxes, each with its title."""
    return [
        f"  {title} from {value_text(side.lower)} to {value_text(side.upper)}"
        for title, box in boxes
        for side in box or ()
    ]


def _plain(points: isl.Set) -> str:
    """Points, without the parameters, which stand above."""
    return re.sub(r"^\[[^\]]*\] -> ", "", str(points))


def _loads(kernel: Kernel) -> list[str]:
    loads = kernel.loads
    lines = [f"chunks of {loads.width}, {loads.in_flight} in flight, {loads.sets} accumulators a thread"]
    for vector in loads.vectors:
        among = vector.among
        beside = f", number {among.place} of {among.count} that are loaded as one" if among else ""
        lines.append(f"  {print_expr(vector.index)} of {vector.statement}{beside}")
    return lines


def _launch(kernel: Kernel) -> list[str]:
    """How it is launched: what the tuning may change, and what the shape asks for."""
    lines = [f"block of {kernel.block}, indices are {kernel.index}"]
    lines.append(f"launch: {_values(kernel.launch)}")
    if kernel.resident > 1:
        lines.append(f"{kernel.resident} blocks on a multiprocessor")
    if kernel.fixed_tree:
        workers = f", at most {kernel.workers} for a result" if kernel.workers else ""
        lines.append(f"the points are dealt out by the sizes alone{workers}")
    return lines


def _values(launch: Launch | TileLaunch | HaloLaunch | TimeLaunch) -> str:
    """The launch parameters, which the tuning may change."""
    return ", ".join(f"{each.name} {getattr(launch, each.name)}" for each in fields(launch))


def _stitched(item: Stitched) -> list[str]:
    lines = []
    for number, stage in enumerate(item.stages):
        body = statements_of(stage.body)
        parts = (("body", body), ("reductions", stage.reductions), ("post", stage.post))
        texts = [f"{title} {', '.join(names)}" for title, names in parts if names]
        lines.append(f"stage {number}: {'; '.join(texts)}")
    lines += [_promotion(promotion) for promotion in item.promoted]
    if item.by_one_thread:
        lines.append(f"by one thread: {', '.join(item.by_one_thread)}")
    lines.append(f"chunks of {item.width}, {', '.join(map(str, item.items))} for a thread")
    if item.wide:
        lines.append(f"few rows by blocks of {MAX_THREADS}: {', '.join(map(str, item.wide))} for a thread")
        lines.append(f"many short rows by some lanes of a warp: {item.shared_by_rows} for a thread")
    if item.scattered:
        lines.append("elements are loaded one by one")
    if item.across:
        lines.append("neighbouring threads have neighbouring rows")
    if item.on_chip:
        lines.append(f"in registers only: {', '.join(item.on_chip)}")
    lines += _points(item.kernel)
    lines += _launch(item.kernel)
    if item.long_rows is not None:
        regions = [
            f"{' and '.join(item.promoted[n].symbol for n in r.promoted)} {r.size}" for r in item.long_rows.regions
        ]
        block = f"a block of {item.long_rows.threads}, {item.long_rows.in_flight} chunks in flight"
        if max(item.long_rows.ahead) > 1:
            block += f", by stage {', '.join(map(str, item.long_rows.ahead))} of what it uses alone"
        if item.long_rows.clusters > 1:
            block += f", or a cluster of up to {item.long_rows.clusters}"
        if item.long_rows.across > 1:
            block += f", {item.long_rows.across} neighbouring rows"
        lines.append(f"longer rows in the shared memory of {block}, bytes an element: {', '.join(regions) or 'none'}")
    return lines


def _promotion(promotion: RegisterPromotion) -> str:
    ways = [f"loaded for stage {promotion.loaded}"] * (promotion.loaded >= 0) + [
        f"stored by stage {promotion.stored}"
    ] * (promotion.stored >= 0)
    kind = "the row" if promotion.of_row else "each element"
    kind += f" ({promotion.size} bytes)"
    if promotion.computed:
        kind += f", computed by {promotion.accesses[0][0]}"
    elif ways:
        statement, index = promotion.accesses[promotion.address]
        kind += f", {print_expr(index)} of {statement}"
    stages = (
        f"stage {promotion.first}"
        if promotion.first == promotion.last
        else f"stages {promotion.first}-{promotion.last}"
    )
    return f"register {promotion.symbol} of {kind}, {stages}{''.join(f', {way}' for way in ways)}"


def _shared(shared: SharedPromotion) -> str:
    where = f"region {shared.region}, stages {shared.first}-{shared.last}{_on_chip(shared.storage)}"
    what = f"shared {shared.storage.array}: {where}"
    if shared.fetched is not None:
        what += f", fetched: {_row_part(shared.fetched)}"
    if shared.left_behind is not None:
        what += f", left: {_row_part(shared.left_behind)}"
    if shared.copied is None:
        return what
    copied = shared.copied
    box = f"{copied.iterator} from {value_text(copied.box.lower)} to {value_text(copied.box.upper)}"
    return f"{what}, fetched for {print_expr(copied.index)} of {copied.statement}, {box}, if {_plain(copied.inhabited)}"


def _row_part(part: RowPart) -> str:
    sides = [
        f"{place.spelling} from {value_text(side.lower)} to {value_text(side.upper)}"
        for place, side in zip(part.iterators, part.box, strict=True)
    ]
    points = f", of them {_plain(part.points)}" if part.points is not None else ""
    what = f"{print_expr(part.element)} of {part.statement}, {' and '.join(sides)}{points}"
    return f"{what}, if {_plain(part.inhabited)}"


def _stored(item: Composed) -> list[str]:
    return [f"stored by {statement}: {array}" for statement, array in item.stored]


def _residence(storage: Storage) -> str:
    """Where a variable lives."""
    text = storage.residence.label
    if isinstance(storage.residence, Uniform):
        text += f" of {storage.residence.statement}"
    if storage.homes:
        text += f" of {', '.join(map(str, storage.homes))}"
    if storage.expanded:
        is_behind = isinstance(storage.residence, Workspace) and storage.residence.interleaved
        behind = "interleaved, " if is_behind else ""
        text += f" {behind}expanded by {', '.join(map(_expanded, storage.expanded))}"
    return text + _on_chip(storage)


def _on_chip(storage: Storage) -> str:
    """What is to be said of shared memory."""
    match storage.residence:
        case InBlock(fixed=fixed, memory=memory):
            return f", leading subscripts fixed: {fixed}" + (f", {memory.label} besides" if memory is not None else "")
    return ""


def _expanded(dimension: Expanded) -> str:
    least, largest = (
        value_text(value.gist_params(value.domain())) if value is not None else "0"
        for value in (dimension.least, dimension.largest)
    )
    return f"{dimension.iterator} from {least} to {largest}"
