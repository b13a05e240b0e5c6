"""`--report=json`: what `report/text.py` says, as one JSON document."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict

from pencilc import __version__
from pencilc.codegen.known_lengths import holds_all_rows
from pencilc.driver import Compilation
from pencilc.gpu.report.contractions import contractions
from pencilc.gpu.shapes.halo_sizes import THREADS as THREADS_OF_HALO
from pencilc.gpu.shapes.halo_sizes import halo_bytes, held_elements
from pencilc.gpu.shapes.tiles import SIDE, THREADS, least_side, tensor_bytes, tensor_depth, tensor_stages, tile_bytes_of
from pencilc.gpu.shapes.time_sizes import computed, moved_bytes, tile_bytes, untiled_bytes
from pencilc.ir.mapping import Composed, HostItem, HostLoop, MappedProgram, Packed, Stitched, loops_of
from pencilc.ir.schedule import KeptApart, RowInOrder, ScheduledScop
from pencilc.ir.schedule_printer import row_name
from pencilc.ir.scop import Scop, ShiftedSum
from pencilc.ir.shapes import Halo, Kernel, Tiling
from pencilc.ir.source_printer import print_expr
from pencilc.ir.thread_rows import SizeOf, ThreadRow
from pencilc.verify.launched import LaunchedCall, LaunchedKernel


def report_json(done: Compilation, calls: Mapping[str, Sequence[LaunchedCall]] | None = None) -> str:
    """The report of every region of a file; `calls`: those whose launches were recorded, by region."""
    regions = [_region(program, None if calls is None else calls[program.scop.name]) for program in done.programs]
    document = {"pencilc": __version__, "file": done.file.path, "regions": regions}
    return json.dumps(document, indent=2, sort_keys=True) + "\n"


def _region(program: MappedProgram, calls: Sequence[LaunchedCall] | None) -> dict[str, object]:
    scop = program.scop
    span = scop.span
    return {
        "name": scop.name,
        "file": span.path,
        "line": span.line,
        "sequential": program.sequential or None,
        "source_order_kept": program.scheduled.fallback or None,
        "reductions": [
            {
                "variable": r.array,
                "operator": r.operator.function,
                "recognised": r.operator.recognised.value if r.operator.recognised else None,
                "line": r.span.line,
            }
            for r in scop.reductions
        ],
        "private_arrays": [
            {
                "array": each.array.spelling,
                "loop": each.iterator.spelling,
                "line": each.iterator.span.line,
                "most_bytes": each.most or None,
            }
            for each in scop.region.private
        ],
        "copied_arrays": [{"array": each.array.spelling, "lines": list(each.lines)} for each in scop.region.copied],
        "rows_in_order": [_in_order(program.scheduled, each) for each in program.scheduled.in_order],
        "kept_apart": [_apart(scop, each) for each in program.scheduled.apart],
        "items": [_item(scop, item) for item in program.launched()],
        "contractions": [asdict(contraction) for contraction in contractions(program)],
        "fusions": [asdict(fusion) for fusion in program.fusions],
        "copies": [{"array": t.array, "in": t.copy_in, "out": t.copy_out} for t in program.transfers],
        "calls": None if calls is None else [_call(call) for call in calls],
    }


def _call(call: LaunchedCall) -> dict[str, object]:
    """How many threads each kernel is launched with, beside its independent points, at some sizes."""
    kernels = None if call.reason else [asdict(kernel) | {"fewest": _fewest(kernel)} for kernel in call.kernels]
    return {"sizes": dict(call.sizes), "kernels": kernels, "reason": call.reason or None}


def _fewest(kernel: LaunchedKernel) -> dict[str, int] | None:
    """The launch whose threads are the smallest share of its points."""
    if kernel.fewest is None:
        return None
    points, threads = kernel.fewest
    return {"points": points, "threads": threads}


def _item(scop: Scop, item: HostItem) -> dict[str, object]:
    if isinstance(item, HostLoop):
        inside = [_item(scop, inner) for inner in item.items]
        return {"host_loop": item.iterator, "one_launch": _one_launch(item), "items": inside}
    if isinstance(item, Packed):
        return {"kernel": item.name, "shape": "packed", "parts": [_kernel(scop, kernel) for kernel in item.kernels]}
    if isinstance(item, Stitched):
        is_held = holds_all_rows(item, scop.context)
        return {
            "kernel": item.kernel.name,
            "shape": item.kernel.shape.value,
            "stages": [list(stage.reductions) for stage in item.stages],
            "never_in_memory": list(item.on_chip),
            "vector_width": item.width,
            "chunks": list(item.items),
            "shared_bytes_per_element": item.long_rows.size if item.long_rows and not is_held else None,
            "fallback": [] if is_held else [_kernel(scop, kernel) for kernel in item.fallback.kernels],
            "instead_of": list(item.fallback.instead_of),
        }
    if isinstance(item, Composed):
        return {
            "kernel": item.kernel.name,
            "shape": item.kernel.shape.value,
            "stages": [_kernel(scop, stage) for stage in item.stages],
            "rounds": [loop.iterator for loop in loops_of(item.items)],
            "shared": [shared.storage.array for shared in item.shared],
            "never_in_memory": list(item.on_chip),
            "fallback": [_item(scop, inner) for inner in item.fallback.kernels],
        }
    return _kernel(scop, item)


def _one_launch(loop: HostLoop) -> dict[str, object]:
    """The kernel that does all iterations of a loop, and how many points none of them may have; why there is none."""
    if loop.kernel is None:
        return {"kernel": None, "reason": loop.reason or None}
    launch = loop.kernel.launch
    return {
        "kernel": loop.kernel.name,
        "threads": launch.threads,
        "points_in_one_block": launch.block_points,
        "points_in_a_grid_for_each_multiprocessor": launch.grid_points_per_sm,
        "several_iterations": _in_time(loop),
    }


def _in_time(loop: HostLoop) -> dict[str, object]:
    """The launches that do several iterations each; why there are none."""
    tiling = loop.tiling
    if tiling is None:
        return {"tile": None, "reason": loop.not_tiled or None}
    return {
        "tile": list(tiling.sides),
        "iterations": tiling.iterations,
        "least_side": tiling.launch.time_side,
        "swapped": [each.symbol for each in tiling.carried()],
        "shared_bytes": tile_bytes(tiling),
        "bytes_per_element": round(moved_bytes(tiling) / tiling.period, 3),
        "bytes_per_element_by_launches": round(untiled_bytes(tiling) / tiling.period, 3),
        "computed": round(computed(tiling), 3),
    }


def _kernel(scop: Scop, kernel: Kernel) -> dict[str, object]:
    places = sorted({scop.statement(s).span.line for s in kernel.statements})
    reductions = scop.reductions_of(kernel.reductions)
    return {
        "kernel": kernel.name,
        "shape": kernel.shape.value,
        "block": kernel.block,
        "reductions": list(kernel.reductions),
        "shifted_by": {r.name: print_expr(r.shift) for r in reductions if isinstance(r, ShiftedSum)},
        "vector_reads": len(kernel.loads.vectors),
        "vector_width": kernel.loads.width,
        "chunks_in_flight": kernel.loads.in_flight,
        "accumulators": kernel.loads.sets,
        "tiles": None if kernel.tiling is None else _tiles(kernel.tiling),
        "halo": None if kernel.halo is None else _halo(kernel.halo),
        "not_held": list(kernel.not_held),
        "thread_row": None if kernel.thread_row is None else _thread_row(kernel.thread_row),
        "lines": places,
        "reason": kernel.reason or None,
    }


def _in_order(scheduled: ScheduledScop, found: RowInOrder) -> dict[str, object]:
    """A sequential row that was taken for its lines of memory, with those that might have been."""
    rows = ((found.row, found.lines), *found.others)
    return {
        "row": row_name(found.row, scheduled),
        "candidates": [{"row": row_name(row, scheduled), "lines": round(float(lines), 3)} for row, lines in rows],
        "sizes": _sizes(found.sizes),
    }


def _apart(scop: Scop, found: KeptApart) -> dict[str, object]:
    """Two loops that are not one, by the lines of memory that 32 points of both take."""
    first, second = (
        sorted({scop.statement(name).span.line for name in names}) for names in (found.first, found.second)
    )
    return {
        "lines": [first, second],
        "apart": round(float(found.apart), 3),
        "together": round(float(found.together), 3),
        "sizes": _sizes(found.sizes),
    }


def _sizes(sizes: Sequence[SizeOf]) -> list[dict[str, object]]:
    """The sizes that something was counted at."""
    return [asdict(each) for each in sizes]


def _thread_row(found: ThreadRow) -> dict[str, object]:
    """Along which row threads lie, and the lines of memory that 32 points take along each."""
    return {
        "row": found.row,
        "decided_by": found.decided_by,
        "candidates": [
            {
                "row": each.row,
                "lines": round(float(each.lines), 3),
                "spread": round(float(each.spread), 3),
                "points": each.points,
            }
            for each in found.candidates
        ],
        "sizes": _sizes(found.sizes),
        "not_counted": found.uncounted,
    }


def _halo(halo: Halo) -> dict[str, object]:
    """What blocks fetch into shared memory for a tile of points."""
    return {
        "held": [
            {"array": print_expr(each.index), "transposed": each.transposed, "values": held_elements(halo, each)}
            for each in halo.held
        ],
        "threads": THREADS_OF_HALO,
        "down": halo.launch.halo_down,
        "across": halo.launch.halo_across,
        "planes": halo.launch.halo_depth if halo.along is not None else None,
        "narrowest": halo.launch.halo_side,
        "shared_bytes": halo_bytes(halo),
    }


def _tiles(shared: Tiling) -> dict[str, object]:
    """What the points of a kernel share, and the tiles that the entry point chooses from."""
    return {
        "operands": [print_expr(each.index) for each in shared.operands],
        "in_order": shared.carried or None,
        "folds": shared.folds,
        "tensor_cores": _tensor_cores(shared) if shared.on_tensor_cores else None,
        "threads": THREADS,
        "narrowest": shared.launch.tile_side,
        "narrowest_side": least_side(shared),
        "sizes": [
            {
                "down": SIDE * size.down,
                "across": SIDE * size.across,
                "points_of_a_thread": size.points,
                "depth": size.depth,
                "shared_bytes": tile_bytes_of(shared, size),
            }
            for size in shared.sizes
        ],
    }


def _tensor_cores(shared: Tiling) -> dict[str, object]:
    """What tensor cores have of the tiles, in the order of their sizes."""
    return {
        "depth": tensor_depth(shared),
        "stages": tensor_stages(shared),
        "shared_bytes": [tensor_bytes(shared, size) for size in shared.sizes],
    }
