"""The scripts of `samples/python`: NumPy's runs, the others are read against what they call."""

from __future__ import annotations

import ast
import ctypes
import inspect
import re
import runpy
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy
import pytest

import pencilc
from pencilc.diagnostics.source import SourceFile
from pencilc.driver import compile_source
from pencilc.options import CompileOptions
from pencilc.python.entries import entries_of
from tests.conftest import ROOT
from tests.unit.python.conftest import DeviceArray, Gpu, Stream, kept_of_the_run

FOLDER = ROOT / "samples" / "python"
SCRIPTS = sorted(FOLDER.glob("*.py"))


def test_the_script_for_numpy(capsys: pytest.CaptureFixture[str]) -> None:
    from samples.python import numpy_example

    with kept_of_the_run():
        numpy_example.main()
    printed = capsys.readouterr().out.splitlines()
    assert printed[1] == "standardize: the largest difference to NumPy is below 1e-4: True"
    assert re.fullmatch(r"largest: \d+\.\d+ in row \d+, column \d+", printed[2]) and printed[3] == "as NumPy says: True"
    assert printed[4] == "float64: `x`: it holds float64, where C expects float32 ('float')"


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.stem)
def test_scripts_use_what_is_there(path: Path) -> None:
    """What they say of pencilc exists: names of the package, functions of `rows.c`, the words of `compile`."""
    tree = ast.parse(path.read_text())
    compile(tree, str(path), "exec")
    source = FOLDER / "rows.c"
    done = compile_source(SourceFile("rows.c", source.read_text()), CompileOptions(), "kernels")
    functions = {entry.name for entry in entries_of(done)}
    offered = {*functions, "device", "dtype", "struct"}
    calls = 0
    for node in ast.walk(tree):
        if not isinstance(node, ast.Attribute) or not isinstance(node.value, ast.Name):
            continue
        if node.value.id == "pencilc":
            assert node.attr in pencilc.__all__, node.attr
        if node.value.id.lower() == "module":
            assert node.attr in offered, node.attr
            calls += node.attr in functions
    assert calls
    for node in ast.walk(tree):
        is_compile = isinstance(node, ast.Call) and ast.unparse(node.func) == "pencilc.compile"
        if is_compile:
            assert isinstance(node, ast.Call)
            words = {word.arg for word in node.keywords}
            assert words <= set(inspect.signature(pencilc.compile).parameters)


def test_there_is_one_for_each_library() -> None:
    assert [path.stem for path in SCRIPTS] == ["cupy_example", "numpy_example", "torch_example"]


class CupyArray(DeviceArray):
    """As much of CuPy's array as the script asks of it; what is computed with it is an array of NumPy."""

    __module__ = "cupy"

    def mean(self, axis: int, keepdims: bool) -> Any:
        return self.get().mean(axis, keepdims=keepdims)

    def std(self, axis: int, keepdims: bool) -> Any:
        return self.get().std(axis, keepdims=keepdims)

    def __sub__(self, other: Any) -> Any:
        return self.get() - other


def made_up_cupy(gpu: Gpu) -> ModuleType:
    """A module with what the script takes from CuPy: its arrays lie in the memory of the executor's device."""
    made, runtime = ModuleType("cupy"), gpu.runtime

    def array(values: Any) -> CupyArray:
        gpu.arrays.append(CupyArray(runtime, values))
        return gpu.arrays[-1]  # type: ignore[return-value]

    class CupyStream(Stream):
        """A stream of the device, or the default one."""

        def __init__(self, non_blocking: bool = False) -> None:
            handle = ctypes.c_void_p()
            assert not non_blocking or runtime.cudaStreamCreate(ctypes.byref(handle)) == 0
            super().__init__(handle.value or 0)

        def record(self) -> int:
            return self.handle

        def wait_event(self, event: int) -> None:
            assert event == 0 and runtime.cudaDeviceSynchronize() == 0

        def synchronize(self) -> None:
            assert runtime.cudaStreamSynchronize(ctypes.c_void_p(self.handle)) == 0

    def normal(mean: float, deviation: float, shape: tuple[int, int], dtype: Any) -> CupyArray:
        assert shape == (4000, 3000)  # as many are for a GPU
        return array(numpy.random.default_rng(1).normal(mean, deviation, (40, 300)).astype(dtype))

    default = CupyStream()
    made.float32, made.uint8 = numpy.float32, numpy.uint8  # type: ignore[attr-defined]
    made.random = SimpleNamespace(normal=normal)  # type: ignore[attr-defined]
    made.empty_like = lambda x: array(numpy.empty_like(x.host))  # type: ignore[attr-defined]
    made.empty = lambda shape, dtype: array(numpy.empty(shape, dtype))  # type: ignore[attr-defined]
    made.cuda = SimpleNamespace(Stream=CupyStream, get_current_stream=lambda device_id=-1: default)  # type: ignore[attr-defined]
    return made


@pytest.mark.full
def test_the_script_for_cupy_with_what_stands_for_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its calls of pencilc are run: arrays, streams and a workspace, on the executor whose runtime has CUDA's calls."""
    with kept_of_the_run():
        module = pencilc.compile(FOLDER / "rows.c", device="cpu")
    gpu = Gpu(module, monkeypatch)

    class OnGpu(SimpleNamespace):
        """The module as one for a GPU."""

        dtype = staticmethod(module.dtype)

    monkeypatch.setitem(sys.modules, "cupy", made_up_cupy(gpu))
    monkeypatch.setattr(pencilc, "compile", lambda path, device: OnGpu(**gpu.functions))
    try:
        runpy.run_path(str(FOLDER / "cupy_example.py"), run_name="__main__")
    finally:
        gpu.close()
    first, second, third = capsys.readouterr().out.splitlines()
    assert float(first.removeprefix("standardize: the largest difference to CuPy is ")) < 1e-4
    told = re.fullmatch(r"largest: (\d+\.\d+) in row (\d+), column (\d+)", second)
    assert told is not None
    value, row, column = re.findall(r"[\d.]+", third.partition(":")[2])
    assert (f"{float(value):.4f}", row, column) == told.groups()
