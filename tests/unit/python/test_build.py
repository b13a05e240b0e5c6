"""Libraries: which nvcc builds them, what is kept, what is said where a tool is missing."""

from __future__ import annotations

import os
import shutil
import stat
from pathlib import Path
from typing import Any

import numpy
import pytest

import pencilc
from pencilc.python import build, gpu
from pencilc.python import module as api
from tests.conftest import have_gpu, run

SMALL = """#include <pencil.h>
void twice(int n, const float a[static const restrict n], float b[static const restrict n]) {
#pragma scop
    for (int i = 0; i < n; i++) b[i] = 2 * a[i];
#pragma endscop
}
"""


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache."""
    monkeypatch.setattr(build, "cache_directory", lambda: tmp_path / "cache")
    return tmp_path / "cache" / "modules"


def script(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(path.stat().st_mode | stat.S_IEXEC)
    return path


def fake_nvcc(path: Path, release: str, log: Path) -> Path:
    """A script that says it is a version of nvcc, notes how it is called, and makes its output."""
    return script(path, f"""
case "$1" in --version) echo "Cuda compilation tools, release {release}, V{release}.1"; exit;; esac
echo "$@" >> {log}
while [ "$1" != -o ]; do shift; done
echo made > "$2"
""")  # fmt: skip


# ---- nvcc ------------------------------------------------------------------------------------------


@pytest.mark.full
def test_nvcc_builds_a_library(nvcc: str, kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a GPU its calls fail with an exception; the library's own failure handler does not end the process."""
    monkeypatch.setenv("PATH", f"{Path(nvcc).parent}{os.pathsep}{os.environ['PATH']}")
    module = pencilc.compile(SMALL, device="gpu", arch="sm_90")
    assert module.device == "gpu" and module.library.parent.parent == kept
    listed = run("nm", "-D", "--defined-only", module.library).stdout.split()
    assert {"twice", "twice_device", "pencilc_fail", "pencilc_python_failure"} <= set(listed)
    a, b = numpy.ones(3, numpy.float32), numpy.zeros(3, numpy.float32)
    if have_gpu():
        module.twice(a, b)
        assert b.tolist() == [2, 2, 2]
        return
    with pytest.raises(pencilc.DeviceMissing, match=r"CUDA driver .*: device='cpu' runs the same code"):
        module.twice(a, b)
    monkeypatch.setattr(gpu, "no_gpu", lambda: "")
    with pytest.raises(pencilc.CallFailed, match=r"twice failed: .*cudaError(InsufficientDriver|NoDevice)") as failed:
        module.twice(a, b)
    assert failed.value.code in (35, 100)


def test_what_nvcc_is_told(tmp_path: Path, kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log = tmp_path / "log"
    fake_nvcc(tmp_path / "bin" / "nvcc", "13.0", log)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:/usr/bin:/bin")
    first = build.gpu_library("text", "sums", "sm_90", ("-lineinfo",))
    assert "-arch=sm_90" in log.read_text() and "-lineinfo" in log.read_text()
    assert (first.parent / "sums.cu").read_text() == "text"
    assert build.gpu_library("text", "sums", "sm_90", ("-lineinfo",)) == first
    assert len(log.read_text().splitlines()) == 1, "what is kept is not built again"
    others = {
        build.gpu_library("other text", "sums", "sm_90", ("-lineinfo",)),
        build.gpu_library("text", "sums", "sm_80", ("-lineinfo",)),
        build.gpu_library("text", "sums", "sm_90", ()),
    }
    fake_nvcc(tmp_path / "bin" / "nvcc", "13.1", log)
    others.add(build.gpu_library("text", "sums", "sm_90", ("-lineinfo",)))
    assert len(others) == 4 and first not in others
    assert {path.name for folder in kept.iterdir() for path in folder.iterdir()} == {"sums.cu", "sums.so"}


def test_the_nvcc_of_the_wheels(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """On the PATH is one that is too old."""
    fake_nvcc(tmp_path / "bin" / "nvcc", "12.0", tmp_path / "log")
    wheel = fake_nvcc(tmp_path / "site" / "nvidia" / "cu13" / "bin" / "nvcc", "13.0", tmp_path / "log")
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:/usr/bin:/bin")
    monkeypatch.syspath_prepend(tmp_path / "site")
    found = build.find_nvcc()
    assert found.path == wheel and found.folders == (wheel.parent.parent / "lib",)
    shutil.rmtree(tmp_path / "site")
    with pytest.raises(pencilc.NvccMissing, match=r"neither on the PATH nor .* \(.*bin/nvcc is version 12.0\): `pip"):
        build.find_nvcc()


def test_without_nvcc(monkeypatch: pytest.MonkeyPatch, kept: Path) -> None:
    monkeypatch.setattr(build, "_candidates", lambda: iter(()))
    with pytest.raises(pencilc.NvccMissing, match=r"nvcc 12\.8 or later .* device='cpu' needs none"):
        pencilc.compile(SMALL, device="gpu")


def test_nvcc_refuses(tmp_path: Path, kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script(
        tmp_path / "bin" / "nvcc",
        'case "$1" in --version) echo release 13.0;; *) echo "no such arch" >&2; exit 1;; esac',
    )
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:/usr/bin:/bin")
    with pytest.raises(pencilc.LibraryError, match="nvcc does not build the generated file of 'sums'\nno such arch"):
        build.gpu_library("text", "sums", "sm_90", ())
    assert list(kept.iterdir()) == [], "nothing unfinished is left"


def test_a_library_that_cannot_be_loaded(tmp_path: Path) -> None:
    path = tmp_path / "no.so"
    path.write_text("no library")
    with pytest.raises(pencilc.LibraryError, match=r"no\.so cannot be loaded"):
        gpu.GpuLibrary(path)


# ---- the CPU executor, the cache --------------------------------------------------------------------


def test_without_gcc(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(pencilc.HostCompilerMissing, match=r"g\+\+ is needed to run the generated code on the CPU"):
        pencilc.compile(SMALL, device="cpu")


def test_what_gcc_refuses(kept: Path) -> None:
    with pytest.raises(
        pencilc.LibraryError, match=r"g\+\+ does not build the generated file of 'sums'\n.*error"
    ) as failed:
        build.cpu_library("no text of a program", "sums", "plain")
    assert "sums.cu" in failed.value.output


def test_a_cache_that_cannot_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setattr(build, "cache_directory", lambda: tmp_path / "file")
    with pytest.raises(pencilc.LibraryError, match=r"the library of 'sums' cannot be kept in .*: Not a directory"):
        build.cpu_library("text", "sums", "plain")


def test_two_processes_build_the_same(tmp_path: Path, kept: Path) -> None:
    """The other one is ready first."""
    folders: list[Path] = []

    def slow(source: Path, library: Path) -> None:
        library.write_text("mine")
        if not folders:
            folders.append(library)
            build._kept("text", "sums", ("key",), fast)

    def fast(source: Path, library: Path) -> None:
        library.write_text("the other's")

    assert build._kept("text", "sums", ("key",), slow).read_text() == "the other's"
    assert len(list(kept.iterdir())) == 1


def test_on_a_gpu_if_one_answers(kept: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`auto` builds for the GPU of the machine."""
    built: list[Any] = []

    def gpu_library(cuda: str, stem: str, arch: str, options: Any) -> Path:
        built.append((stem, arch, options))
        raise pencilc.NvccMissing("as far as that")

    monkeypatch.setattr(api, "no_gpu", lambda: "")
    monkeypatch.setattr(api, "capability", lambda: 89)
    monkeypatch.setattr(api, "gpu_library", gpu_library)
    with pytest.raises(pencilc.NvccMissing):
        pencilc.compile(SMALL, filename="folder/sums.c", nvcc_options=["-lineinfo"])
    assert built == [("sums", "sm_89", ("-lineinfo",))]
