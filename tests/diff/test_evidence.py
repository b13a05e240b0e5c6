"""What can be shown without a GPU: for each template and type 16-byte loads, exchanges between lanes, no local memory,
and enough bytes in flight on an A100, an H200 and a B200 by nvcc's own registers and shared memory.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from pencilc.diagnostics.source import SourceFile
from pencilc.driver import compile_source
from pencilc.ir.ctypes import element_type
from pencilc.ir.mapping import Kernel, Shape
from pencilc.options import CompileOptions
from tests.conftest import run
from tests.diff import evidence
from tests.diff.evidence import MULTIPROCESSORS, Figures, Multiprocessor, bytes_in_flight


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


def source(template: str) -> SourceFile:
    """One function for each type."""
    text = ["#include <pencil.h>\n"]
    for kind in TYPES:
        element = kind.convert.format("a[k][i]" if template != "all" else "a[i]")
        text.append(kind.definitions)
        text.append(BODIES[template].format(n=kind.name, t=kind.element, acc=kind.accumulator, e=element))
    return SourceFile(f"{template}.c", "".join(text) + (STATS if template == "all" else ""))


def functions(kernel: Kernel, ptx: dict[str, str]) -> list[str]:
    """The mangled names of a kernel's functions."""
    return [name for name in ptx if re.search(rf"\d{kernel.name}(_|I|i|P)", name)]


def grid_per_sm(kernel: Kernel, function: str) -> int:
    """The most blocks of a multiprocessor that the entry point launches."""
    if "_blocks" in function:
        return min(kernel.launch.split_blocks_per_sm, kernel.launch.blocks_per_sm)
    return kernel.launch.warp_blocks_per_sm if kernel.shape is Shape.ROW else kernel.launch.blocks_per_sm


def of_a_thread(kernel: Kernel) -> int:
    """The bytes of one array that a thread loads before it uses the first."""
    return kernel.in_flight * kernel.width * max(element_type(v.index.type).size for v in kernel.vectors)


# What cannot have 64 KB in flight without spilling: four accumulators of 16 bytes beside the loads of a row.
SHORT_OF_B200 = re.compile(r"row_struct16_row0_|row_struct12_row0_short")


@pytest.mark.parametrize("arch", list(MULTIPROCESSORS))
@pytest.mark.parametrize("template", list(BODIES))
def test_loads_exchanges_registers_and_bytes_in_flight(template: str, arch: str, nvcc: str, tmp_path: Path) -> None:
    done = compile_source(source(template), CompileOptions())
    cuda, output = tmp_path / f"{template}.cu", tmp_path / "out"
    cuda.write_text(done.cuda)
    result = run(nvcc, f"-arch={arch}", "-cubin", "-Xptxas", "-v", "-keep", "-keep-dir", tmp_path, cuda, "-o", output)
    assert result.returncode == 0, result.stderr
    ptx = evidence.entries((tmp_path / f"{template}.ptx").read_text())
    found, sm = evidence.figures(result.stderr), MULTIPROCESSORS[arch]
    kernels = [k for program in done.programs for k in program.kernels()]
    assert len(kernels) == len(TYPES) + (template == "all")
    faults: list[str] = []
    for kernel in kernels:
        names = functions(kernel, ptx)
        # Six numbers of lanes, warps and blocks; what carries much has three numbers of lanes instead, and blocks.
        wanted_names = {8, 4} if template == "row" else {1}
        assert len(names) in wanted_names, (kernel.name, names)
        for name in names:
            faults += [f"{name}: {said}" for said in seen_in(ptx[name], kernel, name)]
            faults += [f"{name}: {found[name]}"] * bool(found[name].spills or found[name].stack)
            flying = bytes_in_flight(sm, kernel.block, grid_per_sm(kernel, name), of_a_thread(kernel), found[name])
            wanted = sm.bytes_wanted * 3 // 4 if SHORT_OF_B200.search(name) and arch == "sm_100" else sm.bytes_wanted
            faults += [f"{name}: {flying} bytes in flight of {wanted}, {found[name]}"] * (flying < wanted)
    assert not faults, "\n".join(faults)


def seen_in(ptx: str, kernel: Kernel, name: str) -> list[str]:
    """What a function's PTX lacks, or should not have."""
    faults = []
    if not evidence.WIDE_LOAD.search(ptx):
        faults.append("no 16-byte load")
    if evidence.LOCAL.search(ptx):
        faults.append("local memory")
    # Columns are combined in shared memory; a row that one lane reads needs no exchange.
    if kernel.shape is not Shape.COLUMN and "_shortILi1E" not in name and not evidence.EXCHANGE.search(ptx):
        faults.append("no exchange between lanes")
    return faults


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


def test_figures_are_read() -> None:
    assert evidence.figures(SAID) == {"_Z1fv": Figures(40, 129, 24, 12), "_Z1gv": Figures(8, 0, 0, 0)}


def test_marks_in_ptx() -> None:
    for line in ("ld.global.nc.v4.f32 {%f1}", "ld.global.v2.b64 {%rd1}", "ld.global.nc.L1::no_allocate.v4.u32 {%r1}"):
        assert evidence.WIDE_LOAD.search(line)
    for line in ("ld.global.nc.f32 %f1", "ld.shared.v4.f32 {%f1}", "ld.global.v2.f32 {%f1}"):
        assert not evidence.WIDE_LOAD.search(line)
    assert evidence.EXCHANGE.search("shfl.sync.bfly.b32 %r1") and evidence.EXCHANGE.search("redux.sync.add.s32 %r1")
    assert evidence.LOCAL.search("ld.local.u32 %r1") and evidence.LOCAL.search(
        ".local .align 16 .b8 __local_depot0[64];"
    )
    assert not evidence.LOCAL.search("ld.global.u32 %r1")
    assert list(evidence.entries(".visible .entry _Z1fv(\n.param .u64 p\n)\n{\n ret;\n}\n")) == ["_Z1fv"]
