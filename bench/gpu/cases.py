"""Everything that is measured, as one list of cases for each preset.

Sizes go from 2^10 to 2^30 in steps of 4, with odd ones and bases that are not aligned.  The shapes called PANAMERA's
are those of its Tables 2 and 4 (the text of its figures was not to be had).  The paper's own figures (PACT'16) are
sums of 2^22 int, float and double, and sum with sum of squares of the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from bench.gpu.records import SIZES, At, Buffer, Call, Case, Contender, Float, Int, Kind, Long, OnHost
from bench.gpu.reference import Reference

KERNELS = "bench/gpu/kernels"
POWERS = tuple(2**k for k in range(10, 31, 2))
ODD = (1009, 1_000_003, 16_777_259, 100_000_007)
COMPILED = (2**16, 2**20, 2**24, 2**28)  # torch.compile takes seconds for each size
PANAMERA = ((64, 2), (64, 20), (64, 768), (8192, 768), (1280, 21128), (1024, 131072), (131072, 1024), (1048576, 512))
PANAMERA_ALL = (1280, 3072, 16_226_304)
NORMS = ((32, 1024), (4096, 128), (4096, 768), (4096, 1024), (4096, 4096), (16384, 8192), (16, 65536), (66, 131072),
         (1024, 32768), (64, 262144), (8, 2**22))  # fmt: skip
# Longer rows of floats do not fit into the shared memory of any multiprocessor.
LONGEST_HELD = 57 * 1024


@dataclass(frozen=True, slots=True)
class Sum:
    """A type that is summed: its kind, how many values make an element, the accumulator and its `struct` letter."""

    name: str
    kind: Kind
    members: int
    accumulator: str
    letter: str
    source: str


SUMS = (
    Sum("int8", Kind.I8, 1, "int", "i", "sums"),
    Sum("half", Kind.F16, 1, "float", "f", "sums_half"),
    Sum("bfloat16", Kind.BF16, 1, "float", "f", "sums_half"),
    Sum("float", Kind.F32, 1, "float", "f", "sums"),
    Sum("double", Kind.F64, 1, "double", "d", "sums"),
    Sum("int32", Kind.I32, 1, "int", "i", "sums"),
    Sum("int64", Kind.I64, 1, "int", "q", "sums"),
    Sum("struct8", Kind.F32, 2, "float", "f", "sums_struct"),
    Sum("struct12", Kind.F32, 3, "float", "f", "sums_struct"),
    Sum("struct16", Kind.F32, 4, "float", "f", "sums_struct"),
    Sum("struct32", Kind.F32, 8, "float", "f", "sums_struct"),
)
BY_NAME = {s.name: s for s in SUMS}
PAPER = ("int32", "float", "double")


def _pencilc(source: str, function: str, *arguments: object, name: str = "pencilc") -> Contender:
    call = Call(source, f"{function}_device", arguments)  # type: ignore[arg-type]
    return Contender(name, (call,))


def written(source: str) -> str:
    """The name of a source's library without walks that were joined (`--shifted-sums=as-written`)."""
    return f"{source}@as-written"


def _cub(name: str, library: str, symbol: str, *arguments: object, synchronous: bool = False) -> Contender:
    call = Call(library, symbol, arguments, temporary=True)  # type: ignore[arg-type]
    return Contender(name, (call,), synchronous=synchronous)


def _torch(function: str, compiled: bool) -> tuple[Contender, ...]:
    eager = Contender("torch", torch=function)
    return (eager, Contender("torch.compile", torch=function, compiled=True)) if compiled else (eager,)


# ---- all-reduce ------------------------------------------------------------------------------------


def sum_case(kind: Sum, n: int, shift: int, reference: Reference, group: str = "sum") -> Case:
    """The sum of `n` elements; `shift` elements behind an aligned address."""
    size = kind.members * SIZES.get(kind.kind, 4)
    a = Buffer("a", kind.kind, n * kind.members, shift=shift * kind.members)
    out = Buffer("out", None, 1, size=32)
    ours = _pencilc(f"{KERNELS}/{kind.source}.c", f"sum_{kind.name}", Int(n), At("a"), At("out"))
    cub = _cub("CUB", "cub_sums", f"cub_sum_{kind.name}", At("a"), At("out"), Long(n))
    rivals = [ours, cub]
    if kind.name in PAPER:
        thrust = f"thrust_sum_{kind.name}"
        rivals.append(_cub("Thrust", "thrust_sums", thrust, At("a"), OnHost("out"), Long(n), synchronous=True))
    rivals += _torch("sum" if kind.members == 1 else "sum_struct", n in COMPILED and not shift)
    problem = {"n": n, "members": kind.members} | ({"shift": shift} if shift else {})
    return Case(
        group, "sum", kind.name, problem, f"{KERNELS}/{kind.source}.c", (a, out), n * size, tuple(rivals),
        lambda download: reference.sums(download, kind.kind, n, kind.members, kind.accumulator, kind.letter),
        graph=group == "latency",
    )  # fmt: skip


def sums(reference: Reference) -> Iterator[Case]:
    """All types over all sizes, odd ones and unaligned bases."""
    for kind in SUMS:
        for n in (*POWERS, *ODD):
            yield sum_case(kind, n, 0, reference)
        for n in (2**20, 2**24):
            yield sum_case(kind, n, 1, reference)
    for n in PANAMERA_ALL:
        yield sum_case(BY_NAME["float"], n, 0, reference)


def latency(reference: Reference) -> Iterator[Case]:
    """Small sums, launched one by one and replayed as a graph."""
    for name in ("float", "int32", "half"):
        for n in (1, 32, *(2**k for k in range(6, 17, 2))):
            yield sum_case(BY_NAME[name], n, 0, reference, "latency")


# ---- several reductions in one pass ----------------------------------------------------------------


def two_case(kind: Sum, n: int, reference: Reference) -> Case:
    """Sum and sum of squares."""
    size = SIZES.get(kind.kind, 4)
    parts = tuple(
        Call("cub_several", f"cub_part_{what}_{kind.name}", (At("a"), At("out", k * size), Long(n)), temporary=True)
        for k, what in enumerate(("sum", "squares"))
    )
    rivals = (
        _pencilc(f"{KERNELS}/two.c", f"two_{kind.name}", Int(n), At("a"), At("out")),
        Contender("CUB, 2 calls", parts),
        _cub("CUB, zipped", "cub_several", f"cub_two_{kind.name}", At("a"), At("out"), Long(n)),
        _cub("Thrust, zipped", "thrust_sums", f"thrust_two_{kind.name}", At("a"), OnHost("out"), Long(n),
             synchronous=True),
        *_torch("two", n in COMPILED),
    )  # fmt: skip
    return Case(
        "two", "sum and squares", kind.name, {"n": n}, f"{KERNELS}/two.c",
        (Buffer("a", kind.kind, n), Buffer("out", None, 2, size=2 * size)), n * size, rivals,
        lambda download: reference.stats(download, kind.kind, n, (2, 3), kind.accumulator, kind.letter),
    )  # fmt: skip


def stats_case(n: int, reference: Reference) -> Case:
    """Minimum, maximum, sum and sum of squares."""
    parts = tuple(
        Call("cub_several", f"cub_part_{what}_float", (At("a"), At("out", 4 * k), Long(n)), temporary=True)
        for k, what in enumerate(("min", "max", "sum", "squares"))
    )
    rivals = (
        _pencilc(f"{KERNELS}/stats.c", "stats", Int(n), At("a"), At("out")),
        Contender("CUB, 4 calls", parts),
        _cub("CUB, zipped", "cub_several", "cub_stats_float", At("a"), At("out"), Long(n)),
        *_torch("stats", n in COMPILED),
    )
    return Case(
        "stats", "min max sum squares", "float", {"n": n}, f"{KERNELS}/stats.c",
        (Buffer("a", Kind.F32, n), Buffer("out", None, 4, size=16)), 4 * n, rivals,
        lambda download: reference.stats(download, Kind.F32, n, (0, 1, 2, 3), "float", "f"),
    )  # fmt: skip


def argmin_case(n: int, reference: Reference) -> Case:
    """The smallest value and the lowest index that has it."""
    rivals = (
        _pencilc("samples/argmin.c", "argmin", Int(n), At("a"), At("out")),
        _cub("CUB", "cub_several", "cub_argmin_float", At("a"), At("out"), Long(n)),
        *_torch("argmin", n in COMPILED),
    )
    return Case(
        "argmin", "argmin", "float", {"n": n}, "samples/argmin.c",
        (Buffer("a", Kind.F32, n), Buffer("out", None, 1, size=8)), 4 * n, rivals,
        lambda download: reference.argmin(download, Kind.F32, n),
    )  # fmt: skip


def several(reference: Reference) -> Iterator[Case]:
    """Two and four reductions of one array, and argmin."""
    for n in (*POWERS, *ODD):
        for name in PAPER:
            yield two_case(BY_NAME[name], n, reference)
        yield stats_case(n, reference)
        yield argmin_case(n, reference)


def tracks(reference: Reference) -> Iterator[Case]:
    """SLAMBench's 32 sums, over pictures of its own sizes and larger ones."""
    for rows, columns in ((60, 80), (120, 160), (240, 320), (480, 640), (1080, 1920), (4320, 7680)):
        yield tracks_case(rows, columns, reference)


def tracks_case(rows: int, columns: int, reference: Reference) -> Case:
    """The 32 sums of one picture without a pitch."""
    rivals = (
        _pencilc("samples/slambench.c", "reduce_tracks", Int(rows), Int(columns), Int(columns), At("a"), At("out")),
        _cub("SLAMBench's scheme", "hand", "hand_tracks", Int(rows), Int(columns), At("a"), At("out")),
        _cub("CUB, zipped", "cub_rows", "cub_tracks", Long(rows * columns), At("a"), At("out")),
    )
    n = rows * columns
    return Case(
        "slambench", "32 sums", "tracks", {"rows": rows, "columns": columns}, "samples/slambench.c",
        (Buffer("a", Kind.TRACKS, 8 * n), Buffer("out", None, 32, size=128)), 32 * n, rivals,
        lambda download: reference.tracks(download, rows, columns),
    )  # fmt: skip


# ---- rows and columns ------------------------------------------------------------------------------


def _matrices() -> Iterator[tuple[int, int]]:
    for total in (2**12, 2**16, 2**20, 2**24, 2**28):
        for power in range(0, 29, 4):
            if 2**power <= total:
                yield total // 2**power, 2**power
    yield from ((1_000_000, 2), (1_000_003, 31), (100_003, 129), (1009, 70_003))
    yield from ((132, 100_000), (32, 100_000), (64, 65_536))  # fewer rows than keep a device busy
    yield from PANAMERA


def rows_case(rows: int, columns: int, reference: Reference) -> Case:
    """The sums of the rows."""
    rivals = (
        _pencilc(f"{KERNELS}/rows.c", "row_sums", Int(rows), Int(columns), At("a"), At("out")),
        _cub("CUB, segmented", "cub_rows", "cub_row_sums", Int(rows), Int(columns), At("a"), At("out")),
        *_torch("row_sums", rows * columns == 2**24),
    )
    return Case(
        "rows", "row sums", "float", {"rows": rows, "columns": columns}, f"{KERNELS}/rows.c",
        (Buffer("a", Kind.F32, rows * columns), Buffer("out", None, rows, size=4 * rows)),
        4 * rows * (columns + 1), rivals, lambda download: reference.rows(download, rows, columns),
    )  # fmt: skip


def columns_case(rows: int, columns: int, reference: Reference) -> Case:
    """The sums of the columns; CUB has no such reduction."""
    rivals = (
        _pencilc(f"{KERNELS}/rows.c", "column_sums", Int(rows), Int(columns), At("a"), At("out")),
        *_torch("column_sums", rows * columns == 2**24),
    )
    return Case(
        "columns", "column sums", "float", {"rows": rows, "columns": columns}, f"{KERNELS}/rows.c",
        (Buffer("a", Kind.F32, rows * columns), Buffer("out", None, columns, size=4 * columns)),
        4 * columns * (rows + 1), rivals, lambda download: reference.columns(download, rows, columns),
    )  # fmt: skip


def three_columns_case(rows: int, reference: Reference) -> Case:
    """The sums of three columns, a number that the source names: one pass over all, as a sum of so many floats."""
    case = columns_case(rows, 3, reference)
    ours = _pencilc(case.source, "three_column_sums", Int(rows), At("a"), At("out"))
    return replace(case, name="three column sums", contenders=(ours, *case.contenders[1:]))


def grid(reference: Reference) -> Iterator[Case]:
    """Row and column sums over the grid of shapes."""
    for rows in (2**16, 2**20, 2**26):
        yield three_columns_case(rows, reference)
    for rows, columns in _matrices():
        yield rows_case(rows, columns, reference)
        yield columns_case(rows, columns, reference)


def norms(reference: Reference) -> Iterator[Case]:
    """Softmax, layer norm and RMS norm."""
    for rows, columns in NORMS:
        for what in ("softmax", "layer_norm", "rms_norm"):
            yield norm_case(what, rows, columns, reference)


EPSILON = 1e-5


def norm_case(what: str, rows: int, columns: int, reference: Reference) -> Case:
    """A reduction of each row and what depends on it: the rows are read once and written once at least."""
    number = ("softmax", "layer_norm", "rms_norm").index(what)
    vectors = (Buffer("gamma", Kind.F32, columns, seed=1), Buffer("beta", Kind.F32, columns, seed=2))
    extra = vectors[: (0, 2, 1)[number]]
    epsilon = () if number == 0 else (Float(EPSILON),)
    arguments = (Int(rows), Int(columns), *epsilon, At("x"), *(At(b.name) for b in extra), At("y"))
    n = rows * columns
    ours = [_pencilc(f"{KERNELS}/{what}.c", what, *arguments)]
    if columns > LONGEST_HELD and number < 2:
        # Two walks over a row beside three.
        ours.append(_pencilc(written(f"{KERNELS}/{what}.c"), what, *arguments, name="pencilc as written"))
    return Case(
        "norms", what.replace("_", " "), "float", {"rows": rows, "columns": columns}, f"{KERNELS}/{what}.c",
        (Buffer("x", Kind.SIGNED, n), *extra, Buffer("y", None, n, size=4 * n)), 8 * n,
        (*ours, *_torch(what, columns in (1024, 4096))),
        lambda download: reference.normalised(download, number, rows, columns, EPSILON),
    )  # fmt: skip


# ---- the rest --------------------------------------------------------------------------------------


def histogram_case(kind: Kind, n: int, bins: int, reference: Reference) -> Case:
    """How often each bin occurs among `n` bin numbers."""
    rivals = (
        _pencilc(f"{KERNELS}/histogram.c", "histogram", Int(n), Int(bins), At("a"), At("out")),
        _cub("CUB", "cub_rows", "cub_histogram", Int(n), Int(bins), At("a"), At("out")),
        *_torch("histogram", False),
    )
    return Case(
        "histogram", "histogram", kind.name.lower(), {"n": n, "bins": bins}, f"{KERNELS}/histogram.c",
        (Buffer("a", kind, n, parameter=bins), Buffer("out", None, bins, size=4 * bins)), 4 * n, rivals,
        lambda download: reference.bins(download, kind, n, bins),
    )  # fmt: skip


def histograms(reference: Reference) -> Iterator[Case]:
    """Uniform and skewed, from 16 bins to 2^20."""
    for kind in (Kind.UNIFORM, Kind.SKEWED):
        for power in (4, 8, 12, 16, 20):
            for n in (2**16, 2**20, 2**24, 2**28):
                yield histogram_case(kind, n, 2**power, reference)


def srad_case(steps: int, rows: int, columns: int, reference: Reference) -> Case:
    """`steps` steps of SRAD on an image, in place."""
    n = rows * columns
    indices = (("iN", Kind.BEFORE, rows), ("iS", Kind.AFTER, rows), ("jW", Kind.BEFORE, columns),
               ("jE", Kind.AFTER, columns))  # fmt: skip
    fields = ("dN", "dS", "dW", "dE", "c")
    arguments = (Int(steps), Int(rows), Int(columns), Float(0.5), At("image"), *(At(name) for name, _, _ in indices),
                 *(At(name) for name in fields))  # fmt: skip
    buffers = (
        Buffer("image", Kind.IMAGE, n, restored=True),
        *(Buffer(name, kind, count, parameter=count) for name, kind, count in indices),
        *(Buffer(name, None, n, size=4 * n) for name in fields),
    )
    rivals = (
        _pencilc("samples/srad.c", "srad", *arguments),
        _cub("CUB and two kernels", "hand", "hand_srad", *arguments),
        *_torch("srad", True),
    )
    # Read for the sums; read, five fields written; the fields and the image read, the image written.
    return Case(
        "srad", "SRAD", "float", {"steps": steps, "rows": rows, "columns": columns}, "samples/srad.c", buffers,
        steps * 14 * 4 * n, rivals, lambda download: reference.srad(download, steps, rows, columns, 0.5),
    )  # fmt: skip


def srads(reference: Reference) -> Iterator[Case]:
    """Rodinia's size and larger ones."""
    for side in (502, 2048, 8192):
        yield srad_case(2, side, side, reference)


# ---- loops over time -------------------------------------------------------------------------------


def stencil_case(what: str, steps: int, n: int, reference: Reference) -> Case:
    """`steps` steps of two updates; the bytes are those of reading and writing all once for each update."""
    dimensions = {"jacobi": 2, "heat": 3}[what]
    count = n**dimensions
    arguments = (Int(steps), Int(n), At("a"), At("b"))
    # Of `b` only the border is read before it is written.
    buffers = (Buffer("a", Kind.IMAGE, count, restored=True), Buffer("b", Kind.IMAGE, count, seed=1))
    source = f"{KERNELS}/stencils.c"
    by_hand = Contender("a kernel for each update", (Call("hand", f"hand_{what}", arguments),))
    return Case(
        "stencil", what, "float", {"steps": steps, "n": n}, source, buffers, 2 * steps * 2 * 4 * count,
        (_pencilc(source, what, *arguments), by_hand),
        lambda download: reference.stencil(download, dimensions, steps, n),
    )  # fmt: skip


def stencils(reference: Reference) -> Iterator[Case]:
    """Planes that stay in the second-level cache and others, and cubes; first small ones, for the results."""
    yield stencil_case("jacobi", 3, 37, reference)
    yield stencil_case("heat", 2, 19, reference)
    for n in (256, 1000, 2048, 4096, 4095):
        yield stencil_case("jacobi", 50, n, reference)
    for n in (64, 256):
        yield stencil_case("heat", 10, n, reference)


# ---- contractions ----------------------------------------------------------------------------------


def product_case(kind: Sum, m: int, n: int, p: int, reference: Reference) -> Case:
    """The product of two matrices; PyTorch's is that of cuBLAS."""
    size, letter = SIZES.get(kind.kind, 4), "e" if kind.kind is Kind.F16 else "f"
    factors = Buffer("a", kind.kind, m * p), Buffer("b", kind.kind, p * n, seed=1)
    buffers = (*factors, Buffer("out", None, m * n, size=size * m * n))
    source = f"{KERNELS}/products.c"
    ours = _pencilc(source, f"product_{kind.name}", Int(m), Int(n), Int(p), At("a"), At("b"), At("out"))
    return Case(
        "product", "product", kind.name, {"m": m, "n": n, "p": p}, source, buffers, size * (m * p + p * n + m * n),
        (ours, *_torch("product", False)),
        lambda download: reference.products(download, False, kind.kind, letter, m, n, p),
    )  # fmt: skip


def min_plus_case(m: int, n: int, p: int, reference: Reference) -> Case:
    """The shortest ways in two steps, which no library has: beside the product of the same sizes."""
    factors = Buffer("a", Kind.F32, m * p), Buffer("b", Kind.F32, p * n, seed=1)
    buffers = (*factors, Buffer("out", None, m * n, size=4 * m * n))
    source = f"{KERNELS}/products.c"
    return Case(
        "product", "min plus", "float", {"m": m, "n": n, "p": p}, source, buffers, 4 * (m * p + p * n + m * n),
        (_pencilc(source, "min_plus", Int(m), Int(n), Int(p), At("a"), At("b"), At("out")),),
        lambda download: reference.products(download, True, Kind.F32, "f", m, n, p),
    )  # fmt: skip


def nearest_case(points: int, centres: int, dimensions: int, reference: Reference) -> Case:
    """The nearest centre of each point; PyTorch has the distances in memory, by cuBLAS, and takes argmin of them."""
    problem = {"points": points, "centres": centres, "dimensions": dimensions}
    buffers = (
        Buffer("x", Kind.SIGNED, points * dimensions), Buffer("c", Kind.SIGNED, centres * dimensions, seed=1),
        Buffer("out", None, points, size=4 * points),
    )  # fmt: skip
    ours = _pencilc("samples/kmeans.c", "assign", *(Int(v) for v in problem.values()), At("x"), At("c"), At("out"))
    return Case(
        "nearest", "nearest centre", "float", problem, "samples/kmeans.c", buffers,
        4 * (points * (dimensions + 1) + centres * dimensions), (ours, *_torch("nearest", False)),
        lambda download: reference.nearest(download, points, centres, dimensions),
    )  # fmt: skip


def contractions(reference: Reference) -> Iterator[Case]:
    """Products, square and otherwise, min-plus, and the assignment of k-means."""
    for n in (512, 1024, 2048, 4096, 8192):
        for name in ("float", "half"):
            yield product_case(BY_NAME[name], n, n, n, reference)
        yield min_plus_case(n, n, n, reference)
    for m, n, p in ((1000, 1023, 1025), (64, 64, 2**20), (2**16, 64, 64), (16384, 1024, 256)):
        yield product_case(BY_NAME["float"], m, n, p, reference)
    for dimensions in (4, 16, 64):
        yield nearest_case(1_000_000, 1024, dimensions, reference)


# What the paper searches exhaustively: threads of a block (powers of two) and blocks, here for each multiprocessor.
SEARCHED = tuple(
    (threads, blocks)
    for threads in (32, 64, 128, 256, 512, 1024)
    for blocks in (1, 2, 3, 4, 6, 8, 12, 16, 24, 32)
    if threads * blocks <= 2048
)
SEARCHED_SOURCES = (f"{KERNELS}/sums.c", f"{KERNELS}/two.c")


def variant(source: str, threads: int, blocks: int) -> str:
    """The name of a source's library with these launch parameters for every kernel."""
    return f"{source}@{threads}x{blocks}"


def _with_search(case: Case) -> Case:
    (ours,) = [c for c in case.contenders if c.name == "pencilc"]
    (call,) = ours.calls
    found = [Contender(f"pencilc {t}x{b}", (replace(call, library=variant(case.source, t, b)),)) for t, b in SEARCHED]
    return replace(case, contenders=(*case.contenders, *found))


def paper(reference: Reference) -> Iterator[Case]:
    """The figures of the PACT'16 paper: one and two reductions of 2^22 elements, and SLAMBench's kernel."""
    for name in PAPER:
        yield _with_search(sum_case(BY_NAME[name], 2**22, 0, reference, "paper"))
    for name in PAPER:
        yield _with_search(two_case(BY_NAME[name], 2**22, reference))
    yield tracks_case(480, 640, reference)


def checks(reference: Reference) -> Iterator[Case]:
    """One small case of every kind, for the results alone; stencils, whose library one process has no room for on the
    CPU, have theirs themselves.
    """
    for shift in (0, 1):
        yield from (sum_case(kind, 1009, shift, reference, "check") for kind in SUMS)
    yield from (two_case(BY_NAME[name], 1009, reference) for name in PAPER)
    yield stats_case(1009, reference)
    yield argmin_case(1009, reference)
    yield tracks_case(12, 31, reference)
    yield rows_case(13, 131, reference)
    yield columns_case(131, 13, reference)
    yield three_columns_case(131, reference)
    yield from (norm_case(what, 5, 129, reference) for what in ("softmax", "layer_norm", "rms_norm"))
    yield from (histogram_case(kind, 1009, 16, reference) for kind in (Kind.UNIFORM, Kind.SKEWED))
    yield srad_case(2, 17, 23, reference)
    yield from (product_case(BY_NAME[name], 33, 40, 21, reference) for name in ("float", "half"))
    yield min_plus_case(33, 40, 21, reference)
    yield nearest_case(33, 40, 5, reference)


# What `--quick` takes of each group, by the values of the problem; of sums only these types over all these sizes.
HEADLINES: dict[str, tuple[dict[str, int], ...]] = {
    "sum": tuple({"n": 2**k} for k in (12, 16, 20, 24, 28)),
    "latency": ({"n": 1}, {"n": 1024}, {"n": 65536}),
    "two": ({"n": 2**22}, {"n": 2**28}),
    "stats": ({"n": 2**24}, {"n": 2**28}),
    "argmin": ({"n": 2**24}, {"n": 2**28}),
    "slambench": ({"rows": 480}, {"rows": 4320}),
    "rows": ({"rows": 1_000_000}, {"rows": 8192}, {"rows": 1024}, {"rows": 1, "columns": 2**28}),
    "columns": ({"rows": 131_072}, {"rows": 8192}, {"rows": 1024}, {"rows": 2**24, "columns": 16}),
    "norms": ({"rows": 4096, "columns": 1024}, {"rows": 4096, "columns": 4096}, {"rows": 16384}),
    "histogram": ({"n": 2**24, "bins": 256}, {"n": 2**24, "bins": 65536}),
    "srad": ({"rows": 2048},),
    "stencil": ({"n": 4096}, {"steps": 10, "n": 256}),
    "product": ({"m": 4096}, {"m": 1024}),
    "nearest": ({"dimensions": 4}, {"dimensions": 16}, {"dimensions": 64}),
}
HEADLINE_SUMS = ("int8", "half", "float", "double", "struct12")


def without_compiler(case: Case) -> Case:
    """The case without torch.compile."""
    return replace(case, contenders=tuple(c for c in case.contenders if not c.compiled))


def is_headline(case: Case) -> bool:
    """Whether `--quick` measures the case."""
    if "shift" in case.problem or (case.group == "sum" and case.type not in HEADLINE_SUMS):
        return False
    wanted = HEADLINES.get(case.group, ())
    return any(all(case.problem.get(name) == value for name, value in row.items()) for row in wanted)


GROUPS: dict[str, Callable[[Reference], Iterator[Case]]] = {
    "sum": sums,
    "latency": latency,
    "several": several,
    "slambench": tracks,
    "grid": grid,
    "norms": norms,
    "histogram": histograms,
    "srad": srads,
    "stencils": stencils,
    "contractions": contractions,
    "paper": paper,
    "check": checks,
}
