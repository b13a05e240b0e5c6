"""Layer 5 for the measurements: nvcc takes every source of bench/gpu and the tuner's, and pencilc's kernels of both."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bench.gpu import build
from tests.conftest import run
from tests.diff.test_nvcc import STRICT

ARCHITECTURES = ("sm_80", "sm_90", "sm_100")
KERNELS = [source for source in build.SOURCES if source.startswith("bench/")]


@pytest.fixture(scope="module")
def generated() -> build.Generated:
    return build.generate(KERNELS)


@pytest.mark.parametrize("arch", ARCHITECTURES)
def test_device_library(arch: str, nvcc: str, tmp_path: Path) -> None:
    source = tmp_path / "device.cu"
    source.write_text(build.unity())
    result = run(nvcc, f"-arch={arch}", *STRICT, "-c", source, "-o", tmp_path / "out.o")
    assert result.returncode == 0, result.stderr


@pytest.mark.parametrize(
    ("source", "arch"),
    [
        pytest.param(source, arch, marks=() if arch == "sm_90" else pytest.mark.full)
        for source in KERNELS
        for arch in ARCHITECTURES
    ],
)
def test_kernels(source: str, arch: str, generated: build.Generated, nvcc: str, tmp_path: Path) -> None:
    if source not in generated.texts:
        pytest.skip(generated.reasons[source])
    file = tmp_path / "kernel.cu"
    file.write_text(generated.texts[source])
    result = run(nvcc, f"-arch={arch}", *STRICT, "-c", file, "-o", tmp_path / "out.o")
    assert result.returncode == 0, result.stderr
    assert not re.search(r"[1-9]\d* bytes spill", result.stderr), result.stderr


@pytest.mark.parametrize("peer", build.PEERS)
def test_peers_are_well_formed(peer: str, nvcc: str, tmp_path: Path) -> None:
    """Only the front end: CUB takes the compiler a while."""
    flags = ("-std=c++17", "-arch=sm_90", "--fdevice-syntax-only", "-c", "-o", tmp_path / "out.o")
    result = run(nvcc, *flags, build.NATIVE / f"{peer}.cu")
    assert result.returncode == 0, result.stderr


@pytest.mark.full
@pytest.mark.parametrize("arch", ARCHITECTURES)
@pytest.mark.parametrize("peer", build.PEERS)
def test_peers(peer: str, arch: str, nvcc: str, tmp_path: Path) -> None:
    output = tmp_path / "out.so"
    result = run(nvcc, *build.NVCC_FLAGS, f"-arch={arch}", build.NATIVE / f"{peer}.cu", "-o", output)
    assert result.returncode == 0, result.stderr
