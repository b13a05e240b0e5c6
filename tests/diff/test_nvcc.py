"""Layer 5: nvcc takes every generated file without a warning and without spilling, and loads 16 bytes at a time."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pencilc import driver
from pencilc.diagnostics.source import SourceFile
from pencilc.options import CompileOptions
from tests.conftest import ROOT, Sample, run, samples

STRICT = ("-Xptxas", "-v,-warn-spills", "-Werror", "all-warnings")
FIGURES = ROOT / "build" / "nvcc-figures"

# A load of 16 bytes from global memory, through the read-only cache or not.
WIDE_LOAD = re.compile(r"\bld\.global(?:\.[\w:]+)*?\.(?:v4\.[usbf]32|v2\.[usbf]64|b128)\s")


def cuda_file(sample: Sample, folder: Path) -> Path:
    """The generated CUDA of `sample` as a file."""
    path = folder / f"{sample.name}.cu"
    path.write_text(driver.compile_source(SourceFile(sample.path, sample.text), CompileOptions()).cuda)
    return path


def test_plain(sample: Sample, nvcc: str, tmp_path: Path, root: Path) -> None:
    result = run(nvcc, "-c", cuda_file(sample, tmp_path), "-o", tmp_path / "out.o")
    assert (result.returncode, result.stderr) == (0, "")


@pytest.mark.parametrize("arch", ["sm_80", "sm_90", "sm_100"])
def test_strict(sample: Sample, arch: str, nvcc: str, tmp_path: Path, root: Path) -> None:
    result = run(nvcc, f"-arch={arch}", *STRICT, "-c", cuda_file(sample, tmp_path), "-o", tmp_path / "out.o")
    assert result.returncode == 0, result.stderr
    assert not re.search(r"[1-9]\d* bytes spill", result.stderr), result.stderr
    FIGURES.mkdir(parents=True, exist_ok=True)
    (FIGURES / f"{sample.name}-{arch}.txt").write_text(result.stderr)


def loops(ptx: str) -> list[str]:
    """The text of every loop: from a label to a later branch back to it."""
    found = []
    for label in re.finditer(r"^(\$L\w+):", ptx, re.MULTILINE):
        name = re.escape(label.group(1))
        back = re.search(rf"\bbra(?:\.uni)?\s+{name};", ptx[label.end() : _end_of_function(ptx, label.end())])
        if back:
            found.append(ptx[label.end() : label.end() + back.end()])
    return found


def _end_of_function(ptx: str, start: int) -> int:
    end = ptx.find("\n}", start)
    return end if end >= 0 else len(ptx)


@pytest.mark.parametrize("name", ["sum", "sum_double", "sum_char", "sum_struct", "sum_half", "sum_bfloat16"])
def test_wide_loads(name: str, nvcc: str, tmp_path: Path, root: Path) -> None:
    (sample,) = [sample for sample in samples() if sample.name == name]
    output = tmp_path / "out.ptx"
    result = run(nvcc, "-arch=sm_90", "-ptx", cuda_file(sample, tmp_path), "-o", output)
    assert result.returncode == 0, result.stderr
    wide = [loop for loop in loops(output.read_text()) if WIDE_LOAD.search(loop)]
    assert wide, "no loop holds a 16-byte global load"


def test_wide_loads_are_recognised() -> None:
    head = "$L__BB0_2:\n ld.global.{} {{%r1, %r2}}, [%rd1];\n @%p1 bra $L__BB0_2;\n}}\n"
    for kind in ("nc.v4.f32", "v2.f64", "nc.L1::no_allocate.v4.u32", "v2.b64"):
        assert WIDE_LOAD.search(loops(head.format(kind))[0]), kind
    for kind in ("nc.f32", "v2.f32", "v4.u8"):
        assert not WIDE_LOAD.search(loops(head.format(kind))[0]), kind
    assert not loops("$L__BB0_2:\n ld.global.v4.f32 {%r1}, [%rd1];\n bra $L__BB0_3;\n}\n")


MODES = [
    CompileOptions(determinism="fixed-tree"),
    CompileOptions(determinism="fixed-tree", sums="kahan"),
    CompileOptions(determinism="fixed-tree", sums="pairwise"),
    CompileOptions(sums="kahan"),
    CompileOptions(sums="pairwise"),
]


@pytest.mark.parametrize("options", MODES, ids=lambda options: f"{options.determinism}-{options.sums}")
@pytest.mark.parametrize("name", ["orders", "accuracy"])
def test_every_mode(name: str, options: CompileOptions, nvcc: str, tmp_path: Path, root: Path) -> None:
    path, source = Path("tests/diff/orders", f"{name}.c"), tmp_path / "program.cu"
    source.write_text(driver.compile_source(SourceFile(path.name, path.read_text()), options).cuda)
    archs = [f"-gencode=arch=compute_{arch},code=sm_{arch}" for arch in (80, 90, 100)]
    result = run(nvcc, *archs, *STRICT, "-c", source, "-o", tmp_path / "out.o")
    assert result.returncode == 0, result.stderr
    assert not re.search(r"[1-9]\d* bytes spill", result.stderr), result.stderr


def test_products_of_a_fixed_tree_are_not_contracted(nvcc: str, tmp_path: Path, root: Path) -> None:
    path, source, output = Path("samples", "dot.c"), tmp_path / "dot.cu", tmp_path / "dot.ptx"
    found = {}
    for options in (CompileOptions(), CompileOptions(determinism="fixed-tree")):
        source.write_text(driver.compile_source(SourceFile(str(path), path.read_text()), options).cuda)
        result = run(nvcc, "-arch=sm_90", "-ptx", source, "-o", output)
        assert result.returncode == 0, result.stderr
        found[options.determinism] = set(re.findall(r"\b(?:mul|fma)(?:\.rn)?\.f32", output.read_text()))
    assert found == {"run": {"fma.rn.f32"}, "fixed-tree": {"mul.rn.f32"}}
