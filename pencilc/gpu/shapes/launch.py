"""How a kernel loads and is launched: the start values of every shape, or what a search on the user's machine found.

None of the start values was measured yet (bench/NOTES.md says what is expected of them).
"""

from __future__ import annotations

from collections.abc import Sequence as Seq
from dataclasses import replace
from math import gcd

from pencilc.analysis.affinity import subscripts
from pencilc.analysis.selections import selects
from pencilc.gpu.shapes.element_code import MOST_CODE, element_code
from pencilc.gpu.shapes.halo_sizes import with_points
from pencilc.gpu.shapes.policy import HEAVY_THREADS, policy_of
from pencilc.gpu.shapes.registers import needed_registers
from pencilc.gpu.shapes.tensor_cores import on_tensor_cores
from pencilc.gpu.shapes.tiles import with_tiles
from pencilc.ir.queries import ends_by_data
from pencilc.ir.rewrite import Renaming
from pencilc.ir.schedule import statements_of
from pencilc.ir.scop import Reduction, Scop
from pencilc.ir.shapes import Kernel, ReducingKernel, StitchedKernel
from pencilc.ir.source import element_type, walk
from pencilc.ir.source_printer import print_expr
from pencilc.options import CASCADE_LEVELS, Launch, ReducingLaunch, StitchedLaunch, Sums, Tuning
from pencilc.target import REGISTERS, STATIC_SHARED, WARP, Target

# If a thread needs more registers than these, about, fewer loads are in flight: 255 is what there is, and nvcc works on
# all elements in flight together.
MOST_REGISTERS = 168
# Of operators that select elements of arrays: they take longer than loads, and nvcc needs the registers for them.
SELECTING_IN_FLIGHT = 2
# A chunk, or the accumulators of one, must still fit into registers (bytes).
LARGEST_CHUNK = 128

# What a block may use of shared memory to combine accumulators (bytes): what it has without asking, but for 4 KB that
# are left to flags and to what nvcc adds.
SHARED_BYTES = STATIC_SHARED - 4 * 1024

# Threads of a stitched block where neighbours have neighbouring rows.
ACROSS_THREADS = 512
# Of stitched kernels over the whole grid, whose blocks are resident together: the elements that a block holds where an
# operator on structs needs registers too (bytes).
CRAMPED_BYTES = 48 * 1024
# The shortest step in the rows that a stitched block holds, in elements; each next one is twice as long.
LEAST_ROW_ELEMENTS = 1024

# Blocks that share the points of bins in order under a fixed tree.
ORDERED_BLOCKS = 256
# The partial results of a bin are combined by so many rows of threads, while what these leave is no larger (bytes).
FINISH_GROUPS, FINISH_BYTES = 8, 16 * 1024

# Of a fixed tree: what the threads of a COLUMN block stand for, one for each column and row that it takes at once.
COLUMN_LANES = 256


def launched(
    kernel: Kernel, scop: Scop, target: Target, tuning: Tuning, sums: Sums = "plain", allow_tf32: bool = False
) -> Kernel:
    """`kernel`, which has its name, with its block, its chunks, its loads in flight and its accumulators chosen."""
    changes = _allowed(kernel, tuning.of(kernel.name))
    accumulators = sum(carried_size(r, sums) for r in scop.reductions_of(kernel.reductions))
    start = _start(kernel, scop, accumulators, target)
    if policy_of(kernel).fills_device:
        # Large blocks may leave more of a multiprocessor empty than smaller ones.
        sizes = dict.fromkeys((start, replace(start, threads=min(start.threads, HEAVY_THREADS))))
        fits = {size: _with_launch(kernel, scop, target, size, sums) for size in sizes}
        best = max(fits, key=lambda size: fits[size].resident * fits[size].block)
        # What fits on a multiprocessor is launched; a tuned kernel launches what its own parameters say.
        start = replace(best, blocks_per_sm=max(best.blocks_per_sm, fits[best].resident))
    done = _with_launch(kernel, scop, target, start.changed(changes), sums)
    if done.halo is not None:
        done = replace(done, halo=with_points(done.halo, changes))
    if done.tiling is None:
        return done
    tiling = replace(done.tiling, on_tensor_cores=on_tensor_cores(done, done.tiling, scop, sums, allow_tf32))
    carried = scop.arrays_of(tiling.carried)[0].element.size if tiling.carried else accumulators
    rows = accumulators if tiling.folds else 0
    return replace(done, tiling=with_tiles(tiling, carried, changes, rows, done.fixed_tree))


def with_threads(kernel: Kernel, scop: Scop, target: Target, threads: int, registers: int) -> Kernel | None:
    """A launched kernel with blocks of `threads` threads and as many threads in all; None if it cannot have them.

    `registers`: what a thread needs besides those that it needs in a launch of its own.
    """
    if threads_of(kernel, scop, threads, kernel.loads.width) != threads:
        return None
    per_sm = max(1, kernel.launch.blocks_per_sm * max(1, kernel.block) // threads)
    launch = replace(kernel.launch, threads=threads, blocks_per_sm=per_sm)
    done = _with_launch(kernel, scop, target, launch, "plain", registers)
    if policy_of(kernel).fills_device:
        done = replace(done, launch=replace(done.launch, blocks_per_sm=max(per_sm, done.resident)))
    return done


def shared_bytes(kernel: Kernel, scop: Scop) -> int:
    """Bytes of static shared memory of a block of a launched kernel, about."""
    sizes = [r.exchanged_size for r in scop.reductions_of(kernel.reductions)]
    return policy_of(kernel).shared_bytes(kernel, sizes, kernel.block, kernel.loads.width) if sizes else 0


def _with_launch(kernel: Kernel, scop: Scop, target: Target, launch: Launch, sums: Sums, more: int = 0) -> Kernel:
    """The kernel with these parameters and what follows from them; `more`: registers that a thread needs besides."""
    if not isinstance(kernel, ReducingKernel):
        threads = threads_of(kernel, scop, launch.threads)
        return replace(kernel, block=threads, launch=replace(launch, threads=threads))
    assert isinstance(launch, ReducingLaunch)
    reductions = scop.reductions_of(kernel.reductions)
    accumulators = sum(carried_size(r, sums) for r in reductions)
    sizes = _loaded(kernel, scop)
    # A thread that owns columns has accumulators for each element of a chunk.
    width = chunk_width(sizes, accumulators if kernel.owns_columns else 0, launch.chunk_bytes)
    in_flight, sets = 1, 1
    # Whole warps combine values that are put in order, which leaves less to gain from loads in flight.
    if not kernel.puts_in_order:
        fitting = max(1, launch.bytes_in_flight // max(1, sum(width * s for s in sizes)))
        # Two instead of three: an odd number takes registers for little.
        in_flight = min(launch.in_flight, 1 << (fitting.bit_length() - 1))
        sets = 1 if kernel.owns_columns or accumulators * in_flight > launch.accumulator_bytes else in_flight
    code = element_code(kernel, scop) if sizes else 0
    while in_flight > 1 and in_flight * width * code > MOST_CODE:
        in_flight //= 2
    while width > 1 and in_flight * width * code > MOST_CODE:
        width //= 2
    sets = min(sets, in_flight)
    launch = replace(launch, threads=threads_of(kernel, scop, launch.threads, width))
    loaded = in_flight * sum(width * s for s in sizes)
    carried = loaded + accumulators * (width if kernel.owns_columns else sets)
    needed = more + needed_registers(kernel, scop, carried, sizes)
    most = min(MOST_REGISTERS, REGISTERS // max(1, launch.threads))
    if needed > most and in_flight > 1:
        return _with_launch(kernel, scop, target, replace(launch, in_flight=in_flight // 2), sums, more)
    # What carrying a sum takes beside its accumulators is not known so well that it could be limited.
    known = sums == "plain" or all(r.sum_type is None for r in reductions)
    least = policy_of(kernel).least_registers
    resident = resident_blocks(launch, target, loaded, max(least, needed)) if loaded and launch.threads and known else 1
    loads = replace(kernel.loads, width=width, in_flight=in_flight, sets=sets)
    done = replace(kernel, block=launch.threads, loads=loads, resident=resident, launch=launch)
    workers = policy_of(kernel).workers(sum(exchanged_size(r, sums) for r in reductions)) if kernel.fixed_tree else 0
    return replace(done, workers=workers) if workers else done


def _loaded(kernel: Kernel, scop: Scop) -> list[int]:
    """The sizes of what each point loads in chunks; what it reads twice, in one loop of the source or in several that
    share the kernel's, is loaded once.
    """
    distinct = {}
    for vector in kernel.loads.vectors:
        iterators = scop.statement(vector.statement).iterators
        depths = Renaming({it.name: replace(it, name=f"@{depth}") for depth, it in enumerate(iterators)}, {})
        distinct[print_expr(depths.node(vector.first))] = vector
    return [element_type(subscripts(v.index)[0].type).size * v.count for v in distinct.values()]


def bytes_in_flight(kernel: Kernel, scop: Scop) -> int:
    """Bytes that a thread of a launched kernel loads before it uses the first."""
    return kernel.loads.in_flight * sum(kernel.loads.width * size for size in _loaded(kernel, scop))


def estimated_registers(kernel: Kernel, scop: Scop, sums: Sums = "plain") -> int | None:
    """Registers that a thread of a launched kernel needs, about; None of a shape for which nothing is reckoned."""
    if not isinstance(kernel, ReducingKernel) or isinstance(kernel, StitchedKernel):
        return None
    accumulators = sum(carried_size(r, sums) for r in scop.reductions_of(kernel.reductions))
    times = kernel.loads.width if kernel.owns_columns else kernel.loads.sets
    return needed_registers(kernel, scop, bytes_in_flight(kernel, scop) + accumulators * times, _loaded(kernel, scop))


def resident_blocks(launch: ReducingLaunch, target: Target, loaded: int, registers: int) -> int:
    """Blocks that are to fit on a multiprocessor: enough for the bytes in flight, but never at the cost of spilling.

    `loaded`: bytes that a thread has in flight; `registers`: what it needs, about.
    """
    wanted = -(-launch.sm_bytes_in_flight // (launch.threads * loaded))
    return max(1, min(wanted, target.resident(launch.threads, registers)))


def carried_size(reduction: Reduction, sums: Sums) -> int:
    """The bytes that a thread carries for a reduction."""
    if sums == "pairwise" and reduction.sum_type is not None:
        return (CASCADE_LEVELS + 1) * reduction.sum_type.size
    return exchanged_size(reduction, sums)


def carried_together(reduction: Reduction, sums: Sums) -> int:
    """The same where there are many: of a cascaded sum each then has two levels only."""
    if sums == "pairwise" and reduction.sum_type is not None:
        return 3 * reduction.sum_type.size
    return exchanged_size(reduction, sums)


def exchanged_size(reduction: Reduction, sums: Sums) -> int:
    """The bytes that threads exchange for a reduction: of a compensated sum, what rounding took from it as well."""
    if sums == "kahan" and reduction.sum_type is not None:
        return 2 * reduction.sum_type.size
    return reduction.exchanged_size


def _allowed(kernel: Kernel, changes: dict[str, int]) -> dict[str, int]:
    """What of `changes` leaves the bits of a fixed tree alone."""
    if not kernel.fixed_tree:
        return changes
    tunable = policy_of(kernel).tunable(kernel)
    return {name: value for name, value in changes.items() if name in tunable}


def threads_of(kernel: Kernel, scop: Scop, threads: int, width: int = 1) -> int:
    """At most `threads`, a power of two of warps, so that what a block keeps in shared memory fits; 0 if none does."""
    sizes = [r.exchanged_size for r in scop.reductions_of(kernel.reductions)]
    if not sizes:
        return threads
    shared = policy_of(kernel).shared_bytes
    while threads >= WARP and shared(kernel, sizes, threads, width) > SHARED_BYTES:
        threads //= 2
    return threads if threads >= WARP else 0


def stitched_values(name: str, across: bool, cramped: bool, tuning: Tuning) -> StitchedLaunch:
    """The parameters of a stitched kernel; `across`: neighbouring threads have neighbouring rows; `cramped`: it has a
    form over the whole grid, and operators on structs.
    """
    start = StitchedLaunch()
    start = replace(start, threads=ACROSS_THREADS) if across else start
    start = replace(start, row_bytes=CRAMPED_BYTES) if cramped else start
    return start.changed(tuning.of(name))


def row_chunks(launch: StitchedLaunch, width: int, chunk_bytes: int) -> tuple[int, ...]:
    """How many chunks of `width` elements a thread of a stitched kernel may hold, least first.

    `chunk_bytes`: the bytes of all that is in registers for a chunk at one time.
    """
    rows = [LEAST_ROW_ELEMENTS]
    while 2 * rows[-1] <= launch.row_elements:
        rows.append(2 * rows[-1])
    chosen: list[int] = []
    for elements in rows:
        count, rest = divmod(elements // launch.threads, width)
        if count and not rest:
            chosen.append(count)
    most = launch.row_bytes // launch.threads
    fitting = [count for count in chosen or [1] if count * chunk_bytes <= most]
    return tuple(fitting or (1,))


def finish_groups(size: int) -> int:
    """Rows of threads that combine what the blocks have left for bins of `size` bytes."""
    return max(1, min(FINISH_GROUPS, FINISH_BYTES // (WARP * size)))


def _start(kernel: Kernel, scop: Scop, accumulators: int, target: Target) -> Launch:
    """The start values; `accumulators`: bytes of one set."""
    start = kernel.launch
    if not isinstance(start, ReducingLaunch):
        return start
    start = replace(start, sm_bytes_in_flight=bytes_to_have_in_flight(target))
    operators = {reduction.operator.function for reduction in scop.reductions_of(kernel.reductions)}
    if any(selects(function) for function in scop.functions if function.name in operators):
        start = replace(start, in_flight=min(start.in_flight, SELECTING_IN_FLIGHT))
    bodies = (scop.statement(name).body for name in statements_of(kernel.body))
    if any(ends_by_data(node) for body in bodies if body is not None for node in walk(body)):
        # What threads wait for is the longest of these loops in a warp, and each element has a copy of its own.
        start = replace(start, in_flight=1)
    return policy_of(kernel).start(kernel, start, accumulators)


def bytes_to_have_in_flight(target: Target) -> int:
    """What registers are limited for: a third more than a multiprocessor needs.

    That figure was not measured, and too few bytes in flight cost bandwidth, where registers left over cost nothing.
    """
    return target.bytes_in_flight * 4 // 3


def chunk_width(sizes: Seq[int], accumulators: int, chunk: int = 16) -> int:
    """Elements of a chunk: the fewest whose bytes are whole multiples of `chunk` for every array, within reason."""
    width = max((chunk // gcd(chunk, size) for size in sizes), default=1)
    while width > 1 and max(*sizes, accumulators) * width > LARGEST_CHUNK:
        width //= 2
    return width
