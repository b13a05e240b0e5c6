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
    SharedPromotion,
    Stitched,
    TouchedRange,
    Variant,
)
from pencilc.ir.schedule import statements_of
from pencilc.ir.scop import Scop
from pencilc.ir.scop_printer import names_of, parameters_line, plain_value
from pencilc.ir.shapes import Halo, InThread, Kernel, Tiling
from pencilc.ir.source_printer import print_expr
from pencilc.ir.storage import Storage, Uniform
from pencilc.ir.time_tiles import Reach, TimeTiling
from pencilc.target import MAX_THREADS


def dump_mapping(program: MappedProgram) -> str:
    """Kernels in launch order with their shapes, where variables live, what is copied."""
    scop = program.scop
    lines = [f"mapping of {scop.name}", f"  {parameters_line(scop)}"]
    if program.sequential:
        lines.append(f"  sequential: {program.sequential}")
    for item in program.items:
        lines += item_lines(item, 1)
    lines.append("  storage")
    lines += storage_lines(program.storage, 2)
    lines += own_storage_lines(program.storage, program.own_storage)
    lines.append("  copies")
    for transfer in program.transfers:
        ways = [way for way, wanted in (("in", transfer.copy_in), ("out", transfer.copy_out)) if wanted]
        lines.append(f"    {transfer.array}: {' and '.join(ways) or 'none'}")
        for touched in transfer.ranges if ways else ():
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


def item_lines(item: HostItem, depth: int) -> list[str]:
    """An item with what belongs to it."""
    pad = "  " * depth
    if isinstance(item, HostLoop):
        lines = [f"{pad}for {item.iterator} on the host"]
        if item.kernel is not None:
            lines.append(f"{pad}  or kernel {item.kernel.name}: {item.kernel.shape.value}")
        if item.tiling is not None:
            lines += [f"{pad}  {line}" for line in _in_time(item.tiling)]
        if item.not_tiled:
            lines.append(f"{pad}  no tiles of several iterations: {item.not_tiled}")
        return lines + [line for inner in item.items for line in item_lines(inner, depth + 1)]
    if isinstance(item, Packed):
        return [f"{pad}kernel {item.name}: packed", *(line for k in item.kernels for line in item_lines(k, depth + 1))]
    if isinstance(item, Stitched):
        lines = [f"{pad}kernel {item.kernel.name}: stitched", *(f"{pad}  {text}" for text in _stitched(item))]
        return [*lines, *_fallback(item.fallback, depth)]
    if isinstance(item, Composed):
        lines = [f"{pad}kernel {item.kernel.name}: composed, a block for each {', '.join(item.iterators)}"]
        lines += [line for stage in item.stages for line in item_lines(stage, depth + 1)]
        lines += [f"{pad}  {text}" for text in (*map(_shared, item.shared), *_stored(item), *_launch(item.kernel))]
        return [*lines, *_fallback(item.fallback, depth)]
    return [f"{pad}kernel {item.name}: {item.shape.value}", *(f"{pad}  {text}" for text in _kernel(item))]


def _fallback(variant: Variant[Kernel] | Variant[Kernel | Stitched], depth: int) -> list[str]:
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


def _in_time(tiling: TimeTiling) -> list[str]:
    """The tiles of several iterations, what blocks hold, what each kernel reads around."""
    sides = " x ".join(map(str, tiling.sides))
    lines = [f"or {tiling.count} iterations in a launch, in tiles of {sides}"]
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
    return lines


def _tiles(shared: Tiling) -> list[str]:
    """The sides of tiles, what their points share, what is done for each, the sizes that are chosen from."""
    across = "the reduced row" if shared.folds else str(shared.across)
    lines = [f"in tiles: kept row {shared.down} down, {across} across"]
    for each in shared.operands:
        side = "down" if each.down else "across"
        along = f"chunks of {each.width} along the {each.along}" if each.along else "element by element"
        lines.append(f"  {side} {print_expr(each.index)} of {each.statement}, {along}")
    if shared.carried:
        parts = (("before", shared.before), ("loop", statements_of(shared.body)), ("after", shared.after))
        texts = [f"{title} {', '.join(names)}" for title, names in parts if names]
        lines.append(f"  in order, handing on {shared.carried}: {'; '.join(texts)}")
    for title, box in (("kept", shared.kept_box), ("reduced", shared.reduced_box)):
        for side_of_box in box:
            lower, upper = (value_text(value) for value in (side_of_box.lower, side_of_box.upper))
            lines.append(f"  {title} from {lower} to {upper}")
    if shared.on_tensor_cores:
        lines.append("  on tensor cores where there are any")
    for size in shared.sizes:
        lines.append(f"  {size.items} x {size.items} of a thread, {size.depth} deep")
    values = [f"{each.name} {getattr(shared.launch, each.name)}" for each in fields(shared.launch)]
    lines.append(f"  launch: {', '.join(values)}")
    return lines


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
    for title, box in (("kept", kernel.kept_box), ("reduced", kernel.reduced_box)):
        for side in box or ():
            lower, upper = (value_text(value) for value in (side.lower, side.upper))
            lines.append(f"  {title} from {lower} to {upper}")
    if kernel.ragged is not None:
        points = kernel.ragged.points
        limit = f", {print_expr(points)} points in all at most" if points is not None else ""
        lines.append(f"  reduced row {kernel.ragged.at} as long as the data say{limit}")
    return lines


def _loads(kernel: Kernel) -> list[str]:
    loads = kernel.loads
    lines = [f"chunks of {loads.width}, {loads.in_flight} in flight, {loads.sets} accumulators a thread"]
    for vector in loads.vectors:
        lines.append(f"  {print_expr(vector.index)} of {vector.statement}")
    return lines


def _launch(kernel: Kernel) -> list[str]:
    """How it is launched: what the tuning may change, and what the shape asks for."""
    lines = [f"block of {kernel.block}, indices are {kernel.index}"]
    values = [f"{each.name} {getattr(kernel.launch, each.name)}" for each in fields(kernel.launch)]
    lines.append(f"launch: {', '.join(values)}")
    if kernel.resident > 1:
        lines.append(f"{kernel.resident} blocks on a multiprocessor")
    if kernel.fixed_tree:
        workers = f", at most {kernel.workers} for a result" if kernel.workers else ""
        lines.append(f"the points are dealt out by the sizes alone{workers}")
    return lines


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
        lines.append(f"longer rows in shared memory, bytes an element: {', '.join(regions) or 'none'}")
    return lines


def _promotion(promotion: RegisterPromotion) -> str:
    ways = [f"loaded for stage {promotion.loaded}"] * (promotion.loaded >= 0) + [
        f"stored by stage {promotion.stored}"
    ] * (promotion.stored >= 0)
    kind = "the row" if promotion.of_row else "each element"
    stages = (
        f"stage {promotion.first}"
        if promotion.first == promotion.last
        else f"stages {promotion.first}-{promotion.last}"
    )
    return f"register {promotion.symbol} of {kind}, {stages}{''.join(f', {way}' for way in ways)}"


def _shared(shared: SharedPromotion) -> str:
    what = f"shared {shared.storage.array}: region {shared.region}, stages {shared.first}-{shared.last}"
    return f"{what}, fetched for {shared.copied.statement}" if shared.copied else what


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
        text += f" expanded by {', '.join(dimension.iterator for dimension in storage.expanded)}"
    return text
