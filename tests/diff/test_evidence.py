"""What can be shown without a GPU: for each template and type 16-byte loads, exchanges between lanes, no local memory,
and enough bytes in flight on an A100, an H200 and a B200, by the SASS and by nvcc's own registers and shared memory.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from bench import evidence, sass
from bench.evidence import MULTIPROCESSORS, Figures, Multiprocessor, bytes_in_flight
from bench.residence import threads_of
from pencilc.diagnostics.source import SourceFile
from pencilc.driver import Compilation, compile_source
from pencilc.ir.columns import LeftByBlocks
from pencilc.ir.nodes import blocks_in
from pencilc.ir.shapes import Kernel, Shape
from pencilc.options import CompileOptions, IndirectLaunch, RowLaunch, StitchedLaunch
from pencilc.target import WARP, target_of
from pencilc.verify.launched import launched_calls
from tests.conftest import run


@dataclass(frozen=True)
class Type:
    """An element type with what it is summed in."""

    name: str
    element: str
    accumulator: str
    convert: str = "{}"
    members: int = 0  # floats of a struct

    @property
    def definitions(self) -> str:
        """The struct if it is one, the operator and its identity."""
        n, acc = self.name, self.accumulator
        if not self.members:
            return (
                f"static void zero_{n}({acc} *v) {{ *v = 0; }}\n"
                f"static {acc} add_{n}({acc} a, {acc} b) {{ return a + b; }}\n"
            )
        names = "abcdefgh"[: self.members]
        fields = "".join(f" float {m};" for m in names)
        return (
            f"typedef struct {{{fields} }} {self.element};\n"
            f"static void zero_{n}({acc} *v) {{ {' '.join(f'v->{m} = 0.0f;' for m in names)} }}\n"
            f"static {acc} add_{n}({acc} x, {acc} y) {{ {acc} s; "
            f"{' '.join(f's.{m} = x.{m} + y.{m};' for m in names)} return s; }}\n"
        )


TYPES = (
    Type("int8", "signed char", "int"),
    Type("half", "pencil_half", "float", "pencil_half_to_float({})"),
    Type("bfloat16", "pencil_bfloat16", "float", "pencil_bfloat16_to_float({})"),
    Type("float", "float", "float"),
    Type("double", "double", "double"),
    Type("int32", "int", "int"),
    Type("int64", "long long", "long long"),
    *(Type(f"struct{4 * m}", f"Struct{4 * m}", f"Struct{4 * m}", members=m) for m in (2, 3, 4, 8)),
)

BODIES = {
    "all": """{acc} all_{n}(int n, const {t} a[static const restrict n]) {{
    {acc} s;
    __pencil_reduction_var_init(&s, zero_{n});
    for (int i = 0; i < n; i++) __pencil_reduction(&s, {e}, add_{n});
    return s;
}}
""",
    "row": """void row_{n}(int r, int n, const {t} a[static const restrict r][n], {acc} s[static const restrict r]) {{
    for (int k = 0; k < r; k++) {{
        __pencil_reduction_var_init(&s[k], zero_{n});
        for (int i = 0; i < n; i++) __pencil_reduction(&s[k], {e}, add_{n});
    }}
}}
""",
    "column": """void column_{n}(int r, int n, const {t} a[static const restrict r][n],
    {acc} s[static const restrict n]) {{
    for (int i = 0; i < n; i++) __pencil_reduction_var_init(&s[i], zero_{n});
    for (int k = 0; k < r; k++)
        for (int i = 0; i < n; i++) __pencil_reduction(&s[i], {e}, add_{n});
}}
""",
    "parallel": """void parallel_{n}(int n, const {t} a[static const restrict n], const {t} b[static const restrict n],
    {acc} c[static const restrict n]) {{
#pragma scop
    for (int i = 0; i < n; i++) c[i] = add_{n}({e}, {f});
#pragma endscop
}}
""",
    "indirect": """void indirect_{n}(int n, int m, const int bin[static const restrict n],
    const {t} a[static const restrict n], {acc} s[static const restrict m]) {{
    for (int i = 0; i < m; i++) __pencil_reduction_var_init(&s[i], zero_{n});
    for (int i = 0; i < n; i++) __pencil_reduction(&s[bin[i]], {e}, add_{n});
}}
""",
    "stitched": """void stitched_{n}(int r, int n, const {t} a[static const restrict r][n],
    {acc} y[static const restrict r][n]) {{
    for (int k = 0; k < r; k++) {{
        {acc} s;
        __pencil_reduction_var_init(&s, zero_{n});
        for (int i = 0; i < n; i++) __pencil_reduction(&s, {e}, add_{n});
        for (int i = 0; i < n; i++) y[k][i] = add_{n}(s, {e});
    }}
}}
""",
    "across": """void across_{n}(int r, int n, const {t} a[static const restrict r][n],
    {acc} y[static const restrict r][n]) {{
    for (int i = 0; i < n; i++) {{
        {acc} s;
        __pencil_reduction_var_init(&s, zero_{n});
        for (int k = 0; k < r; k++) __pencil_reduction(&s, {e}, add_{n});
        for (int k = 0; k < r; k++) y[k][i] = add_{n}(s, {e});
    }}
}}
""",
    "composed": """void composed_{n}(int r, int n, int m, const {t} a[static const restrict r][n][m],
    {acc} y[static const restrict r][m]) {{
    for (int k = 0; k < r; k++) {{
        {acc} s[n];
        for (int i = 0; i < n; i++) {{
            __pencil_reduction_var_init(&s[i], zero_{n});
            for (int j = 0; j < m; j++) __pencil_reduction(&s[i], {e}, add_{n});
        }}
        for (int j = 0; j < m; j++) {{
            __pencil_reduction_var_init(&y[k][j], zero_{n});
            for (int i = 0; i < n; i++) __pencil_reduction(&y[k][j], add_{n}(s[i], {e}), add_{n});
        }}
    }}
}}
""",
    "whole": """void whole_{n}(int n, const {t} a[static const restrict n], {acc} y[static const restrict n]) {{
    {acc} s;
    __pencil_reduction_var_init(&s, zero_{n});
    for (int i = 0; i < n; i++) __pencil_reduction(&s, {e}, add_{n});
    for (int i = 0; i < n; i++) y[i] = add_{n}(s, {e});
}}
""",
}

# Several accumulators over one array, in the ALL template.
STATS = """static float low(float a, float b) { return a < b ? a : b; }
static float high(float a, float b) { return a > b ? a : b; }
static void most(float *v) { *v = 3e38f; }
static void least(float *v) { *v = -3e38f; }
void all_stats(int n, const float a[static const restrict n], float out[static const restrict 4]) {
    __pencil_reduction_var_init(&out[0], most);
    __pencil_reduction_var_init(&out[1], least);
    __pencil_reduction_var_init(&out[2], zero_float);
    __pencil_reduction_var_init(&out[3], zero_float);
    for (int i = 0; i < n; i++) {
        __pencil_reduction(&out[0], a[i], low);
        __pencil_reduction(&out[1], a[i], high);
        __pencil_reduction(&out[2], a[i], add_float);
        __pencil_reduction(&out[3], a[i] * a[i], add_float);
    }
}
"""


def source(template: str, types: tuple[Type, ...]) -> SourceFile:
    """One function for each type."""
    text = ["#include <pencil.h>\n"]
    flat = template in ("all", "parallel", "indirect", "whole")
    place = "[i]" if flat else "[k][i][j]" if template == "composed" else "[k][i]"
    for kind in types:
        elements = [kind.convert.format(f"{name}{place}") for name in "ab"]
        text.append(kind.definitions)
        body = BODIES[template]
        text.append(body.format(n=kind.name, t=kind.element, acc=kind.accumulator, e=elements[0], f=elements[1]))
    if template == "all" and any(kind.name == "float" for kind in types):
        text.append(STATS)
    return SourceFile(f"{template}.c", "".join(text))


@dataclass(frozen=True)
class Seen:
    """A kernel function with what nvcc and nvdisasm say of it."""

    name: str
    kernel: Kernel
    threads: int
    figures: Figures
    code: sass.Function
    in_flight_of_stitched: int = 0  # of a stitched kernel: the bytes of a chunk that is loaded for the first stage

    @property
    def form(self) -> str:
        """What follows the kernel's name: `_warps`, `_short`, or the items of a thread of the stitched form."""
        return self.name.split(self.kernel.name, 1)[1].split("Evi")[0].split("PK")[0]

    @property
    def grid_per_sm(self) -> int:
        """The most blocks of a multiprocessor that the entry point launches."""
        launch = self.kernel.launch
        match launch:
            case RowLaunch():
                split = min(launch.split_blocks_per_sm, launch.blocks_per_sm)
                return split if "_blocks" in self.form else launch.warp_blocks_per_sm
            case StitchedLaunch() if "_grid" in self.form or "_long" in self.form:
                # Rows in shared memory may take all that a multiprocessor has.
                return 1 if self.kernel.kept else launch.grid_blocks_per_sm
            case IndirectLaunch() if "_buckets" in self.form:
                return launch.bucket_blocks_per_sm
            case IndirectLaunch() if "_global" in self.form or "_pairs" in self.form:
                return launch.whole_blocks_per_sm
        return launch.blocks_per_sm

    @property
    def vectors(self) -> bool:
        """Whether it loads chunks of 16 bytes: what is contiguous in the rows that a thread walks."""
        if self.kernel.shape in (Shape.STITCHED, Shape.COMPOSED):
            return self.kernel.name[:6] != "across"
        return bool(self.kernel.loads.vectors) and not re.search("_finish|_buckets", self.form)

    @property
    def of_a_thread(self) -> int:
        """Bytes that a thread loads before it uses any."""
        return sass.bytes_before_use(self.code, 16 if self.vectors else 1)

    def flying(self, sm: Multiprocessor) -> int:
        """Bytes that an SM has in flight when every thread has issued its loads."""
        launch = self.kernel.launch
        shared = launch.copies_bytes if isinstance(launch, IndirectLaunch) and "_shared" in self.form else 0
        found = Figures(self.figures.registers, self.figures.shared + shared, 0, 0)
        return bytes_in_flight(sm, self.threads, self.grid_per_sm, self.of_a_thread, found)

    def is_short(self, arch: str) -> str:
        """What is wrong with the bytes in flight; empty if nothing is."""
        if sass.copied_at_once(self.code) == 16:
            return ""  # All that a thread keeps of a row is on its way to shared memory together.
        if self.in_flight_of_stitched and "_long" not in self.form:
            # All that a thread holds of its row is loaded first: there is nothing more to load.
            items = int(re.findall(r"Li(\d+)E", self.form)[-1])
            wanted = items * self.in_flight_of_stitched
            found = self.of_a_thread
            return f"a thread has {found} bytes in flight of the {wanted} that it holds" * (found < wanted)
        if not sass.widest_load(self.code) or "_finish" in self.form:
            return ""  # The first kernel only writes; the last one reads the little that blocks have left.
        found, wanted = self.flying(MULTIPROCESSORS[arch]), least(self, arch)
        return f"{found} bytes in flight of {wanted}, {self.figures}" * (found < wanted)

    def lacks(self, arch: str) -> list[str]:
        """What the SASS lacks, or should not have."""
        faults = []
        if self.vectors and max(sass.widest_load(self.code), sass.copied_at_once(self.code)) < 16:
            faults.append("no 16-byte load")
        known = next((spills for pattern, (spills, _) in SPILLS.items() if re.search(pattern, self.name)), {})
        is_local = sass.has(self.code, "LDL", "STL") or self.figures.stack or self.figures.spills
        if is_local and not 0 < self.figures.spills <= known.get(arch, 0):
            faults.append("local memory")
        if self.exchanges and not sass.has(self.code, "SHFL", "REDUX", "CREDUX"):
            faults.append("no exchange between lanes")
        return faults

    @property
    def exchanges(self) -> bool:
        """Whether lanes hand values to each other; wide columns are combined in shared memory, and atomics need no
        exchange."""
        if self.kernel.shape is Shape.INDIRECT:
            return "_ordered" in self.form or "_buckets" in self.form
        is_across = self.kernel.name[:6] == "across"
        return self.kernel.shape in (Shape.ALL, Shape.ROW, Shape.STITCHED, Shape.COMPOSED) and not is_across


# What has less in flight than an SM wants, in KB of the type that has least on each architecture, with the reason; a
# function that is not named here for an architecture has all of it.  The file is the one for sm_90 on all of them.
SHORT: dict[str, tuple[dict[str, int], str]] = {
    "row_struct16_row0_short": ({"sm_100": 36}, "four accumulators of 16 bytes and the loads: over 64 registers"),
    "row_struct16_row0_(blocks|warps)": ({"sm_100": 48}, "the same"),
    "parallel_int8": ({"sm_90": 16, "sm_100": 16}, "plain kernels load element by element; nvcc unrolls four times"),
    "parallel_bfloat16": ({"sm_90": 32, "sm_100": 32}, "the same"),
    "parallel_half": (
        {"sm_80": 8, "sm_90": 8, "sm_100": 32},
        "the same, and not always unrolled: CUDA's conversion is inline assembler",
    ),
    "composed": (
        {"sm_90": 32, "sm_100": 32},
        "what every row needs again takes registers: nvcc fits two blocks of a multiprocessor",
    ),
    "(stitched|whole)_.*_long": ({"sm_100": 48}, "as many as sm_90 wants"),
    "across_.*_long": (
        {"sm_80": 4, "sm_90": 4, "sm_100": 2},
        "rows fill the shared memory, one block of a multiprocessor: element by element, since they lie side by side",
    ),
    "_ordered": (
        {"sm_90": 16, "sm_100": 16},
        "one chunk at a time: whole warps put values in order, which is more work than loading them",
    ),
    "_pairs": ({"sm_100": 32}, "one chunk at a time; as many bytes are written as read"),
    "_buckets": ({"sm_80": 8, "sm_90": 10, "sm_100": 10}, "a warp at a time has neighbouring pairs of one bucket"),
}  # fmt: skip


# What nvcc keeps in local memory, in bytes stored and loaded by a thread, with the reason.
SPILLS: dict[str, tuple[dict[str, int], str]] = {
    "row_struct16_row0_blocks": (
        {"sm_100": 8},
        "how often a thread goes through what the blocks have left: stored once in front of all rows, loaded by the "
        "last block of a row alone; with more than 80 registers two blocks of a multiprocessor fit in place of three",
    ),
}


def least(seen: Seen, arch: str) -> int:
    """What the function must have in flight at least."""
    known = (kb[arch] for pattern, (kb, _) in SHORT.items() if arch in kb and re.search(pattern, seen.name))
    return min((MULTIPROCESSORS[arch].bytes_wanted, *(1024 * kb for kb in known)))


ALIGNED = "return (size_t)pointer % 16 == 0;"


def look(
    template: str, types: tuple[Type, ...], arch: str, nvcc: str, nvdisasm: Path, folder: Path, aligned: bool = False
) -> list[Seen]:
    """The functions of a template for some types, compiled; `aligned`: for pointers that are known to be."""
    done = compile_source(source(template, types), CompileOptions())
    cuda, cubin = folder / f"{template}.cu", folder / f"{template}.cubin"
    assert ALIGNED in done.cuda or not aligned
    cuda.write_text(done.cuda.replace(ALIGNED, "return true;") if aligned else done.cuda)
    result = run(nvcc, f"-arch={arch}", "-cubin", "-Xptxas", "-v", cuda, "-o", cubin)
    assert result.returncode == 0, result.stderr
    shown = run(nvdisasm, "-c", cubin)
    assert shown.returncode == 0, shown.stderr
    code, found = sass.functions(shown.stdout), evidence.figures(result.stderr)
    in_flight_of_stitched = {
        s.kernel.name: sum(slot.size * s.width for slot in s.promoted if slot.loaded == 0 and not slot.of_row)
        for program in done.programs for s in program.stitched()
    }  # fmt: skip
    seen = []
    for kernel in (k for program in done.programs for k in program.tunable()):
        # What stands behind a stitched kernel has a template of its own.
        if (kernel.shape is Shape.STITCHED) != (template in ("stitched", "across", "whole")):
            continue
        if (kernel.shape is Shape.COMPOSED) != (template == "composed"):
            continue
        names = [name for name in code if re.search(rf"\d{kernel.name}(_|I|i|P)", name)]
        assert names, kernel.name
        for name in names:
            _, threads = threads_of(done.cuda, name)
            seen.append(Seen(name, kernel, threads, found[name], code[name], in_flight_of_stitched.get(kernel.name, 0)))
    return seen


SOME = tuple(kind for kind in TYPES if kind.name in ("int8", "float", "struct12"))
# Every template once in `make test`, on one architecture each; all types and architectures in `make test-full`.
SELECTED = {"all": "sm_100", "row": "sm_90", "column": "sm_80", "parallel": "sm_90", "indirect": "sm_100",
            "stitched": "sm_90", "across": "sm_80", "whole": "sm_100", "composed": "sm_90"}  # fmt: skip
CASES = [
    *(
        pytest.param(
            template,
            arch,
            SOME,
            id=f"{template}-{arch}-some",
            marks=pytest.mark.full if template in ("composed", "stitched") else (),
        )
        for template, arch in SELECTED.items()
    ),
    *(
        pytest.param(template, arch, TYPES, id=f"{template}-{arch}", marks=pytest.mark.full)
        for template in SELECTED
        for arch in MULTIPROCESSORS
    ),
]


@pytest.mark.parametrize(("template", "arch", "types"), CASES)
def test_loads_exchanges_registers_and_bytes_in_flight(
    template: str, arch: str, types: tuple[Type, ...], nvcc: str, nvdisasm: Path, tmp_path: Path
) -> None:
    faults = []
    seen = look(template, types, arch, nvcc, nvdisasm, tmp_path)
    assert seen
    for one in seen:
        faults += [f"{one.name}: {said}" for said in (*one.lacks(arch), one.is_short(arch)) if said]
    assert not faults, "\n".join(faults)


# How often each value of a picture occurs, and each label of a list.
HISTOGRAMS = """#include <pencil.h>
static void zero(int *count) {{ *count = 0; }}
static int add(int a, int b) {{ return a + b; }}
void histogram(int n, int bins, const {t} a[static const restrict n], int count[static const restrict bins]) {{
    for (int b = 0; b < bins; b++) __pencil_reduction_var_init(&count[b], zero);
    for (int i = 0; i < n; i++) __pencil_reduction(&count[a[i]], 1, add);
}}
"""


# Instructions of a thread beside those of its points: bytes have 16 in a chunk that is left over, labels four.
OF_BINS = 750


@pytest.mark.parametrize("arch", ["sm_90", pytest.param("sm_80", marks=pytest.mark.full)])
@pytest.mark.parametrize("element", ["unsigned char", "int"])
def test_instructions_of_a_point_of_a_histogram(
    element: str, arch: str, nvcc: str, nvdisasm: Path, tmp_path: Path
) -> None:
    """Those of one time round the loop over full sets of chunks, by its points, each of which has a bin of its own."""
    cuda, cubin = tmp_path / "bins.cu", tmp_path / "bins.cubin"
    cuda.write_text(compile_source(SourceFile("bins.c", HISTOGRAMS.format(t=element)), CompileOptions()).cuda)
    result = run(nvcc, f"-arch={arch}", "-cubin", "-Xptxas", "-v", cuda, "-o", cubin)
    assert result.returncode == 0, result.stderr
    code = sass.functions(run(nvdisasm, "-c", cubin).stdout)
    (name,) = (name for name in code if "_shared" in name)
    points = 4 * (16 if element == "unsigned char" else 4)
    of_a_round = sass.of_a_round(code[name], "ATOMS")
    assert 0 < of_a_round <= 7 * points
    # Beside it: where the run is, what is left over, copies of bins that are cleared and added up.
    assert 0 < sass.on_the_way(code[name]) - of_a_round <= OF_BINS
    found = evidence.figures(result.stderr)[name]
    assert not found.spills and MULTIPROCESSORS[arch].resident_blocks(512, found.registers, found.shared) >= 2


# Sums of a run: instructions of an element, at most, by the name of the kernel.
OF_AN_ELEMENT = {
    "all_int8": 0.75, "all_half": 3, "all_bfloat16": 3, "all_float": 2.6, "all_int32": 2.6, "dot": 1, "wide": 0.9,
}  # fmt: skip
OF_A_RUN = 400  # instructions on the way of a thread beside those of one time round that loop
OF_BYTES = """static void lzero(long long *v) { *v = 0; }
static long long ladd(long long a, long long b) { return a + b; }
long long wide(int n, const unsigned char a[static const restrict n]) {
    long long s;
    __pencil_reduction_var_init(&s, lzero);
    for (int i = 0; i < n; i++) __pencil_reduction(&s, a[i], ladd);
    return s;
}
int dot(int n, const signed char a[static const restrict n], const signed char b[static const restrict n]) {
    int s = 0;
#pragma scop
    for (int i = 0; i < n; i++) s += a[i] * b[i];
#pragma endscop
    return s;
}
"""


@pytest.mark.full
@pytest.mark.parametrize("arch", ["sm_90", "sm_80"])
def test_instructions_of_an_element_of_a_run(arch: str, nvcc: str, nvdisasm: Path, tmp_path: Path) -> None:
    """Those of one time round the loop over full sets of chunks, by its elements: four chunks of 16 bytes."""
    types = tuple(kind for kind in TYPES if f"all_{kind.name}" in OF_AN_ELEMENT)
    file = source("all", types)
    done = compile_source(SourceFile(file.path, file.text + OF_BYTES), CompileOptions())
    cuda, cubin = tmp_path / "sums.cu", tmp_path / "sums.cubin"
    cuda.write_text(done.cuda)
    result = run(nvcc, f"-arch={arch}", "-cubin", cuda, "-o", cubin)
    assert result.returncode == 0, result.stderr
    code = sass.functions(run(nvdisasm, "-c", cubin).stdout)
    width = {kind.name: k.loads.width for kind in types for p in done.programs for k in p.tunable()
             if k.name == f"all_{kind.name}_all0"}  # fmt: skip
    for name, most in OF_AN_ELEMENT.items():
        (function,) = (f for mangled, f in code.items() if f"{name}_all0" in mangled)
        elements = 4 * width.get(name.removeprefix("all_"), 16)
        assert 0 < sass.of_a_round(function) <= most * elements, (name, sass.of_a_round(function) / elements)
        assert sass.has(function, "IDP") == (elements == 64), name  # __dp4a
        # Beside the loop: where the run is, what is left over, what threads and blocks combine.
        assert 0 < sass.on_the_way(function) - sass.of_a_round(function) <= OF_A_RUN, name


# Loads of a block that wait for one another, with every loop gone through once: those of the loop that all chunks but
# the last go through, of what is left over, the ticket, and what the other blocks have left.
WAITS = 4


@pytest.mark.parametrize("template", ["all", "row", "column"])
@pytest.mark.parametrize("arch", ["sm_90", pytest.param("sm_80", marks=pytest.mark.full)])
def test_loads_that_wait_for_one_another(template: str, arch: str, nvcc: str, nvdisasm: Path, tmp_path: Path) -> None:
    """What is left over is one wait, and no loop; so is what the blocks have left, up to a few for each thread."""
    types = TYPES if arch == "sm_80" else tuple(kind for kind in TYPES if kind.name in ("int8", "float", "struct8"))
    for one in look(template, types, arch, nvcc, nvdisasm, tmp_path, aligned=True):
        if template == "row" and "_blocks" not in one.form:
            continue
        assert sass.waits(one.code) <= WAITS, one.name
        # The ticket is one atomic that releases and acquires, not one between two fences of all accesses.
        fences = [each.opcode for each in one.code.instructions if each.name == "MEMBAR"]
        assert fences == ["MEMBAR.ALL.GPU"], (one.name, fences)
        # The loop over full sets of chunks and that over blocks; one around both where there are rows, and one for
        # columns that fill no chunk.
        most = 2 if template == "all" else 3
        assert sass.loops_that_load(one.code) <= most, one.name


# Of the first version, counted by hand from its templates: the loads that wait for one another on the whole way of a
# block, or of the last block's part of it, by template and sizes; beside what share of it is allowed now.  As many rows
# as multiprocessors are 132 at sm_90 and 108 at sm_80.
EACH_SM = 0
LONGEST = [
    ("row", {"r": EACH_SM, "n": 100_000}, 26, 0.4),
    ("row", {"r": 132, "n": 100_000}, 26, 0.4),
    ("row", {"r": 1, "n": 1_000_000}, 978, 0.4),
    ("row", {"r": 32, "n": 100_000}, 26, 0.4),
    ("row", {"r": 64, "n": 65_536}, 16, 0.4),
    ("row", {"r": 64, "n": 131_071}, 33, 0.4),
    ("column", {"r": 1_048_576, "n": 16}, 36, 1 / 3),
    ("column", {"r": 4096, "n": 4096}, 12, 1 / 3),
]


@pytest.mark.full
@pytest.mark.parametrize("arch", ["sm_90", "sm_80"])
def test_waits_on_the_longest_way_of_a_block(arch: str) -> None:
    """By the grids that the entry points launch, on the executor told to be that GPU; one round of a loop is one wait,
    as `test_loads_that_wait_for_one_another` finds it in the SASS.
    """
    (floats,) = (kind for kind in TYPES if kind.name == "float")
    for template in ("row", "column"):
        done = compile_source(source(template, (floats,)), CompileOptions(target=target_of(arch)))
        (kernel,) = (k for p in done.programs for k in p.kernels() if k.name.startswith(template))
        for _, given, before, share in (each for each in LONGEST if each[0] == template):
            sizes = {name: value or target_of(arch).multiprocessors for name, value in given.items()}
            ((call,),) = launched_calls(done, {name: (value,) for name, value in sizes.items()}).values()
            (launched,) = call.kernels
            of_way = _way_of_row if template == "row" else _finish_of_columns
            waits = of_way(kernel, launched.threads.most, sizes["r"], sizes["n"], done)
            assert 0 < waits <= share * before, (sizes, waits)


def _way_of_row(kernel: Kernel, threads: int, rows: int, length: int, done: Compilation) -> int:
    """The loop over full sets of chunks, what is left over, the ticket and what the blocks of the row have left."""
    blocks, rest = divmod(threads // kernel.block, rows)
    assert rest == 0 and blocks <= 2 * kernel.block
    sets, chunks = divmod(-(-(length // kernel.loads.width) // (blocks * kernel.block)), kernel.loads.in_flight)
    left_over = chunks > 0 or length % kernel.loads.width > 0
    return sets + left_over + (1 + -(-blocks // kernel.block) if blocks > 1 else 0)


def _finish_of_columns(kernel: Kernel, threads: int, rows: int, columns: int, done: Compilation) -> int:
    """What blocks have left, by the last one of a tile of columns: several of them are under way together."""
    assert done.kernels is not None
    (left,) = (n for f in done.kernels.kernels for n in blocks_in(f.body) if isinstance(n, LeftByBlocks))
    across = min(WARP, columns // kernel.loads.width)
    tiles = columns // (across * kernel.loads.width)
    of_thread = -(-(threads // kernel.block // tiles) // (kernel.block // across))
    return -(-of_thread // left.ahead)


# Rows that stay in registers: the instructions of an element, at most, and the blocks of a multiprocessor, at least.
ROWS = """#include <math.h>
#include <pencil.h>
static void zero(float *v) {{ *v = 0.0f; }}
static void lowest(float *v) {{ *v = -INFINITY; }}
static float add(float a, float b) {{ return a + b; }}
static float larger(float a, float b) {{ return a > b ? a : b; }}
void softmax(int rows, int n, const {t} x[static const restrict rows][n], {t} y[static const restrict rows][n]) {{
    for (int i = 0; i < rows; i++) {{
        float max, sum;
        __pencil_reduction_var_init(&max, lowest);
        for (int j = 0; j < n; j++) __pencil_reduction(&max, {of}(x[i][j]), larger);
        __pencil_reduction_var_init(&sum, zero);
        for (int j = 0; j < n; j++) __pencil_reduction(&sum, expf({of}(x[i][j]) - max), add);
        for (int j = 0; j < n; j++) y[i][j] = {to}(expf({of}(x[i][j]) - max) / sum);
    }}
}}
void in_place(int rows, int n, const {t} x[static const restrict rows][n], float y[static const restrict rows][n]) {{
    for (int i = 0; i < rows; i++) {{
        float max, sum;
        __pencil_reduction_var_init(&max, lowest);
        for (int j = 0; j < n; j++) __pencil_reduction(&max, {of}(x[i][j]), larger);
        __pencil_reduction_var_init(&sum, zero);
        for (int j = 0; j < n; j++) {{
            y[i][j] = expf({of}(x[i][j]) - max);
            __pencil_reduction(&sum, y[i][j], add);
        }}
        for (int j = 0; j < n; j++) y[i][j] /= sum;
    }}
}}
void norm(int rows, int n, const {t} x[static const restrict rows][n], const {t} gain[static const restrict n],
          const {t} bias[static const restrict n], {t} y[static const restrict rows][n]) {{
    for (int i = 0; i < rows; i++) {{
        float sum, squares;
        __pencil_reduction_var_init(&sum, zero);
        for (int j = 0; j < n; j++) __pencil_reduction(&sum, {of}(x[i][j]), add);
        float mean = sum / n;
        __pencil_reduction_var_init(&squares, zero);
        for (int j = 0; j < n; j++)
            __pencil_reduction(&squares, ({of}(x[i][j]) - mean) * ({of}(x[i][j]) - mean), add);
        float scale = 1.0f / sqrtf(squares / n + 1e-5f);
        for (int j = 0; j < n; j++)
            y[i][j] = {to}(({of}(x[i][j]) - mean) * scale * {of}(gain[j]) + {of}(bias[j]));
    }}
}}
"""


# Instructions of a row on the way of a thread, beside those of its elements.  The form with half as many chunks, which
# stands for half a row here, finds the number of lanes that have a row when it runs, and takes 40 to 90 more.
OF_A_ROW = 380


@pytest.mark.parametrize("arch", ["sm_90", pytest.param("sm_80", marks=pytest.mark.full)])
@pytest.mark.parametrize(
    ("element", "most"),
    [
        ("float", {"softmax": 26, "in_place": 26, "norm": 20}),
        ("bfloat16", {"softmax": 30, "in_place": 30, "norm": 20}),
    ],
    ids=["float", "bfloat16"],
)
def test_instructions_of_an_element_of_a_row(
    element: str, most: dict[str, float], arch: str, nvcc: str, nvdisasm: Path, tmp_path: Path
) -> None:
    """Those on the way of a row of 8192 less those of 4096, by the elements that a thread has more."""
    small = element != "float"
    text = ROWS.format(
        t=f"pencil_{element}" if small else element,
        of=f"pencil_{element}_to_float" if small else "",
        to=f"pencil_float_to_{element}" if small else "",
    )
    cuda, cubin = tmp_path / "rows.cu", tmp_path / "rows.cubin"
    cuda.write_text(compile_source(SourceFile("rows.c", text), CompileOptions()).cuda)
    result = run(nvcc, f"-arch={arch}", "-cubin", "-Xptxas", "-v", cuda, "-o", cubin)
    assert result.returncode == 0, result.stderr
    code = sass.functions(run(nvdisasm, "-c", cubin).stdout)
    figures, sm = evidence.figures(result.stderr), MULTIPROCESSORS[arch]
    chunks = 4 if small else 8  # of 16 bytes, that each of 256 threads has of 8192 elements
    for name, limit in most.items():
        of_row = {
            items: next(f for f in code if f"{name}_stitched0ILi{items}E" in f) for items in (chunks, chunks // 2)
        }  # fmt: skip
        longer, shorter = (sass.on_the_way(code[f]) for f in of_row.values())
        assert (longer - shorter) / 16 <= limit, name
        # Of a row of no elements: where it is, what its threads exchange, what is computed once.
        assert 0 < longer - 2 * (longer - shorter) <= OF_A_ROW, name
        known = figures[of_row[chunks]]
        assert sm.resident_blocks(256, known.registers, known.shared) >= 2, (name, known)
        # Few rows: 1024 threads hold up to 16384 floats, in the 64 registers that each has.
        few = figures[of_row[chunks // 2]]
        # At sm_80 and sm_90 the form of norms for half a row keeps one pointer of three arrays in memory.
        assert few.registers <= 64 and few.spills <= 24 and few.stack <= 8, few


# ---- the oracle itself -----------------------------------------------------------------------------


def test_occupancy() -> None:
    sm = MULTIPROCESSORS["sm_90"]
    assert sm.resident_blocks(512, 32, 0) == 4  # threads
    assert sm.resident_blocks(512, 64, 0) == 2  # registers
    assert sm.resident_blocks(512, 65, 0) == 1  # 72 a thread: given out by 256 for a warp
    assert sm.resident_blocks(64, 16, 0) == 32  # blocks
    assert sm.resident_blocks(128, 16, 99 * 1024) == 2  # shared memory, 1 KiB of it reserved
    assert bytes_in_flight(sm, 512, 2, 64, Figures(32, 0, 0, 0)) == 65536
    assert bytes_in_flight(sm, 512, 8, 64, Figures(128, 0, 0, 0)) == 32768


def test_a_kernel_with_too_many_registers_is_noticed() -> None:
    sm: Multiprocessor = MULTIPROCESSORS["sm_100"]
    assert bytes_in_flight(sm, 512, 2, 64, Figures(65, 0, 0, 0)) < sm.bytes_wanted


SAID = """ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function '_Z1fv' for 'sm_90'
ptxas info    : Function properties for _Z1fv
    24 bytes stack frame, 8 bytes spill stores, 4 bytes spill loads
ptxas info    : Used 40 registers, used 1 barriers, 24 bytes cumulative stack size, 129 bytes smem
ptxas info    : Compiling entry function '_Z1gv' for 'sm_90'
ptxas info    : Function properties for _Z1gv
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 8 registers, used 0 barriers
"""


SASS = """
	.section	.text._Z1fv,"ax",@progbits
.text._Z1fv:
        /*0000*/                   LDC R1, c[0x0][0x37c] ;
        /*0010*/              @!P0 LDG.E.128.CONSTANT R4, desc[UR4][R2.64] ;
        /*0020*/               @P0 BRA `(.L_x_1) ;
        /*0030*/                   LDG.E.128 R8, desc[UR4][R2.64+0x10] ;
        /*0040*/                   LDG.E.U16 R12, desc[UR4][R2.64+0x20] ;
        /*0050*/                   BRA `(.L_x_2) ;
.L_x_1:
        /*0060*/                   FADD R0, R6, R6 ;
        /*0070*/                   LDG.E R8, desc[UR4][R2.64] ;
.L_x_2:
        /*0080*/                   LDG.E.64 R14, desc[UR4][R2.64] ;
        /*0090*/                   FADD R0, R4, R9 ;
        /*00a0*/                   SHFL.BFLY PT, R2, R0, 0x1, 0x1f ;
        /*00b0*/                   EXIT ;
.text._Z1gv:
        /*0000*/                   LDG.E.128 R4, desc[UR4][R2.64] ;
        /*0010*/                   IMAD.MOV.U32 R16, RZ, RZ, R5 ;
        /*0020*/                   LDG.E.128 R4, desc[UR4][R2.64+0x10] ;
        /*0030*/                   STL [R1], R4 ;
        /*0040*/                   EXIT ;
"""


def test_loads_before_a_use_are_found_on_a_path() -> None:
    found = sass.functions(SASS)
    assert list(found) == ["_Z1fv", "_Z1gv"] and [len(f.instructions) for f in found.values()] == [12, 5]
    first, second = found.values()
    # Not the load behind the other branch; 16 + 16 + 2 + 8 on the way that falls through.
    assert sass.bytes_before_use(first) == 42 and sass.bytes_before_use(first, 16) == 32
    assert sass.bytes_before_use(second) == 16, "the copy of the first chunk waits for it"
    assert sass.has(first, "SHFL", "REDUX") and not sass.has(first, "LDL", "STL")
    assert sass.has(second, "LDL", "STL") and not sass.has(second, "SHFL")
    assert (sass.widest_load(first), sass.loaded(first.instructions[4])) == (16, 2)


WAITING = """
.text._Z1hv:
        /*0000*/                   LDG.E.128 R4, desc[UR4][R2.64] ;
        /*0010*/                   LDG.E.128 R8, desc[UR4][R2.64+0x10] ;
        /*0020*/                   FADD R0, R4, R5 ;
        /*0030*/                   FADD R0, R0, R8 ;
.L_x_1:
        /*0040*/                   LDG.E R12, desc[UR4][R2.64] ;
        /*0050*/                   FADD R0, R0, R12 ;
        /*0060*/               @P0 BRA `(.L_x_1) ;
        /*0070*/                   ATOMG.E.INC.STRONG.GPU PT, R16, desc[UR4][R2.64], R0 ;
        /*0080*/                   ISETP.NE.AND P1, PT, R16, R0, PT ;
        /*0090*/               @P1 EXIT ;
        /*00a0*/                   LDG.E R20, desc[UR4][R2.64] ;
        /*00b0*/                   EXIT ;
"""


ROUND = """
.text._Z1rv:
        /*0000*/                   LDG.E.128 R4, desc[UR4][R2.64] ;
.L_x_1:
        /*0010*/                   LDG.E.128 R4, desc[UR4][R2.64] ;
        /*0020*/               @P0 BRA `(.L_x_2) ;
        /*0030*/                   ATOMS.ADD RZ, [R5], R4 ;
        /*0040*/                   ATOMS.ADD RZ, [R6], R4 ;
        /*0050*/               @P1 BRA `(.L_x_3) ;
        /*0060*/                   FADD R0, R4, R5 ;
        /*0070*/                   BRA `(.L_x_3) ;
.L_x_2:
        /*0080*/                   ATOMS.ADD RZ, [R5], R4 ;
.L_x_3:
        /*0090*/               @P0 BRA `(.L_x_1) ;
        /*00a0*/                   EXIT ;
"""


def test_a_round_is_counted() -> None:
    (found,) = sass.functions(ROUND).values()
    # The way with both atomics, past what need not be computed there: the load, three branches and the atomics.
    assert sass.of_a_round(found, "ATOMS") == 6 and sass.of_a_round(found, "FADD") == 8
    assert sass.of_a_round(sass.functions(SASS)["_Z1gv"], "ATOMS") == 0, "there is no loop"


COPYING = """
.text._Z1cv:
.L_x_1:
        /*0000*/                   LDGSTS.E.BYPASS.128 [R5], desc[UR4][R2.64] ;
        /*0010*/               @P0 LDGSTS.E.64 [R5+0x10], desc[UR4][R2.64+0x10] ;
        /*0020*/               @P0 BRA `(.L_x_1) ;
        /*0030*/                   LDGDEPBAR ;
        /*0040*/                   EXIT ;
.text._Z1wv:
.L_x_2:
        /*0000*/                   LDGSTS.E.BYPASS.128 [R5], desc[UR4][R2.64] ;
        /*0010*/                   LDGDEPBAR ;
        /*0020*/                   DEPBAR.LE SB0, 0x0 ;
        /*0030*/               @P0 BRA `(.L_x_2) ;
.L_x_3:
        /*0040*/                   LDGSTS.E [R5], desc[UR4][R2.64] ;
        /*0050*/               @P0 BRA `(.L_x_3) ;
        /*0060*/                   EXIT ;
"""


def test_copies_that_a_loop_does_not_wait_for_are_found() -> None:
    copying, waiting = sass.functions(COPYING).values()
    assert (sass.copied_at_once(copying), sass.copied_at_once(waiting)) == (16, 4)
    assert sass.copied_at_once(sass.functions(ROUND)["_Z1rv"]) == 0


def test_waits_are_counted() -> None:
    (found,) = sass.functions(WAITING).values()
    # Both of the first loads at once, one time round, and the ticket; nothing names what is loaded last.
    assert sass.waits(found) == 3 and sass.loops_that_load(found) == 1
    assert sass.waits(sass.functions(SASS)["_Z1fv"]) == 1, "what is loaded on the way that is not waited for is no wait"


def test_figures_are_read() -> None:
    assert evidence.figures(SAID) == {"_Z1fv": Figures(40, 129, 24, 12), "_Z1gv": Figures(8, 0, 0, 0)}
