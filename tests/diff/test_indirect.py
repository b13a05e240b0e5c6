"""Results that the data choose: every number of bins, every promise about bits, every accumulator."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from pencilc import driver
from pencilc.diagnostics.source import SourceFile
from pencilc.options import CompileOptions, Determinism, Tuning
from pencilc.verify.command import VerifySettings, verify
from pencilc.verify.cudacpu.build import environment
from pencilc.verify.executors import CpuExecutor

ORDERS = ("fwd", "rev", "rand:7")
BINS = {"histogram": "bins", "centroids": "clusters", "joint_histogram": "bins"}


def sample(name: str) -> SourceFile:
    """The text of a sample."""
    path = Path("samples", f"{name}.c")
    return SourceFile(str(path), path.read_text())


@pytest.mark.parametrize("bins", [1, 2, 255, 256, 257, 100_000])
@pytest.mark.parametrize("name", BINS)
def test_every_number_of_bins(name: str, bins: int, root: Path) -> None:
    """From one bin, where all threads meet, to more than shared memory holds."""
    sizes = {"n": (1009,), BINS[name]: (bins,)} | ({"rows": (3,), "columns": (70,)} if name == "histogram" else {})
    report = verify(sample(name), CompileOptions(), VerifySettings(sizes=sizes, orders=ORDERS))
    assert report.ok, report.table()
    assert any(row.status == "ok" and dict(row.sizes).get(BINS[name]) == bins for row in report.rows)


@pytest.mark.parametrize("determinism", ["fixed-tree", "none"])
@pytest.mark.parametrize("program", ["indirect_places", "indirect_types"])
def test_other_promises(program: str, determinism: Determinism, root: Path) -> None:
    """The programs of `programs/` with the forms that the default does not choose."""
    path = Path("tests/diff/programs", f"{program}.c")
    sizes = {"n": (33, 2003), "m": (5, 257)} | ({"f": (3,)} if program == "indirect_places" else {})
    options = CompileOptions(determinism=determinism)
    report = verify(SourceFile(str(path), path.read_text()), options, VerifySettings(sizes=sizes, orders=("rand:3",)))
    assert report.ok, report.table()


def test_full_sets_of_chunks(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One block of few threads, so that some thousand points fill all chunks in flight several times."""
    for name, value in environment(sm_count=1).items():
        monkeypatch.setenv(name, value)
    path = Path("tests/diff/programs/indirect_chunks.c")
    file = SourceFile(str(path), path.read_text())
    kernels = {k.name for p in driver.compile_source(file, CompileOptions()).programs for k in p.tunable()}
    tuning = Tuning(tuple((name, (("threads", 32), ("blocks_per_sm", 1))) for name in sorted(kernels)))
    sizes = {"n": (2049, 4700), "m": (1,), "pitch": (3,)}
    report = verify(file, CompileOptions(tuning=tuning), VerifySettings(sizes=sizes, orders=("rand:3",)))
    assert report.ok, report.table()


HARNESS = """
#include <cstdio>
#include <vector>

int main(int, char **argv) {
    const int n = 70001, bins = atoi(argv[1]);
    std::vector<unsigned short> a(n);
    std::vector<float> weight(n), sum(bins);
    unsigned seed = 20;
    for (int i = 0; i < n; i++) {
        seed = seed * 1664525u + 1013904223u;
        a[i] = (unsigned short)((seed >> 9) % (bins < 60000 ? bins : 60000));
        weight[i] = (float)(seed >> 8) / 16777216.0f;
    }
    unsigned short *device_a;
    float *device_weight, *device_sum;
    cudaMalloc((void **)&device_a, n * sizeof(a[0]));
    cudaMalloc((void **)&device_weight, n * sizeof(float));
    cudaMalloc((void **)&device_sum, bins * sizeof(float));
    cudaMemcpy(device_a, a.data(), n * sizeof(a[0]), cudaMemcpyHostToDevice);
    cudaMemcpy(device_weight, weight.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    if (weighted_histogram_device(n, bins, device_a, device_weight, device_sum, 0) != cudaSuccess) return 1;
    cudaMemcpy(sum.data(), device_sum, bins * sizeof(float), cudaMemcpyDeviceToHost);
    unsigned long long hash = 1469598103934665603ull;
    for (float value : sum) {
        unsigned bits;
        memcpy(&bits, &value, sizeof(bits));
        hash = (hash ^ bits) * 1099511628211ull;
    }
    printf("%016llx\\n", hash);
    return 0;
}
"""


def built(determinism: Determinism, folder: Path) -> Path:
    """A program that prints a digest of the bits of weighted sums; its argument is the number of bins."""
    source, program = folder / f"{determinism}.cu", folder / determinism
    options = CompileOptions(determinism=determinism)
    source.write_text(driver.compile_source(sample("joint_histogram"), options).cuda + HARNESS)
    CpuExecutor(("fwd",), "plain").build(source, program, shared=False)
    return program


def bits(program: Path, bins: int, runs: list[dict[str, str]]) -> list[str]:
    """What the program prints in each of the environments `runs`."""
    found = []
    for run in runs:
        variables = {**os.environ, **run}
        done = subprocess.run([program, str(bins)], capture_output=True, text=True, check=False, env=variables)
        assert done.returncode == 0, done.stderr
        found.append(done.stdout.strip())
    return found


# One bin, few, as many as shared memory just holds, and more.
SOME_BINS = (1, 37, 4001, 70_001)


def test_same_bits_on_every_run(tmp_path: Path, root: Path) -> None:
    program = built("run", tmp_path)
    for bins in SOME_BINS:
        found = bits(program, bins, [environment(order=order) for order in (*ORDERS, "rand:8")])
        assert len(set(found)) == 1, (bins, found)
    # What `fixed-tree` promises is not for nothing: here the number of multiprocessors shows.
    assert len(set(bits(program, 37, [environment(sm_count=count) for count in (1, 4, 132)]))) > 1


def test_same_bits_on_every_device(tmp_path: Path, root: Path) -> None:
    program = built("fixed-tree", tmp_path)
    for bins in SOME_BINS:
        found = bits(program, bins, [environment(order="rev", sm_count=count) for count in (1, 4, 132)])
        assert len(set(found)) == 1, (bins, found)
