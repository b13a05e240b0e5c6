"""One file of functions, compiled once for all tests and all their processes."""

from __future__ import annotations

import ctypes
import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy
import pytest

import pencilc
from pencilc.python import build
from pencilc.python.gpu import GpuLibrary
from pencilc.verify.cudacpu.build import KEPT_OBJECTS

FUNCTIONS = Path(__file__).resolve().parent / "functions.c"
_TO_DEVICE, _TO_HOST = 1, 2


@contextmanager
def kept_of_the_run() -> Iterator[None]:
    """Inside, libraries are kept for the whole run: what one process of it has built is there for the others."""
    folder = Path(os.environ[KEPT_OBJECTS]) / "python"
    folder.mkdir(exist_ok=True)
    with pytest.MonkeyPatch.context() as patch, (folder / "lock").open("w") as lock:
        patch.setattr(build, "cache_directory", lambda: folder)
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


@pytest.fixture(scope="session")
def module() -> Any:
    """The functions of `functions.c` on the CPU executor."""
    with kept_of_the_run():
        return pencilc.compile(FUNCTIONS, device="cpu")


class DeviceArray:
    """An array in the memory of a library's device, as CuPy would show it."""

    def __init__(self, library: ctypes.CDLL, array: Any) -> None:
        self.library, self.host = library, array.copy()
        self.address = ctypes.c_void_p()
        self.check(library.cudaMalloc(ctypes.byref(self.address), ctypes.c_size_t(max(array.nbytes, 1))))
        self.check(library.cudaMemcpy(self.address, self._there(), ctypes.c_size_t(array.nbytes), _TO_DEVICE))

    @staticmethod
    def check(code: int) -> None:
        assert code == 0

    def _there(self) -> ctypes.c_void_p:
        return ctypes.c_void_p(self.host.ctypes.data)

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        """Version 3 of the protocol."""
        told: dict[str, Any] = self.host.__array_interface__
        return {**told, "data": (self.address.value, False), "version": 3, "stream": None}

    def get(self) -> Any:
        """The present contents, once all work is done."""
        self.check(self.library.cudaDeviceSynchronize())
        self.check(self.library.cudaMemcpy(self._there(), self.address, ctypes.c_size_t(self.host.nbytes), _TO_HOST))
        return self.host

    def free(self) -> None:
        """Give it back."""
        self.check(self.library.cudaFree(self.address))


class Gpu:
    """What stands for a GPU: the functions of the module as they are called on one, and arrays and streams there.

    The library is that of the CPU executor, loaded as one for a GPU would be: the calls of CUDA's runtime are the same.
    """

    def __init__(self, module: Any, monkeypatch: pytest.MonkeyPatch) -> None:
        self.library = GpuLibrary(module.library)
        monkeypatch.setattr(self.library, "need_device", lambda: None)
        self.functions = {
            name: pencilc.PythonFunction(function._entry, function._helpers, self.library)
            for name, function in module.functions.items()
        }
        self.arrays: list[DeviceArray] = []

    @property
    def runtime(self) -> ctypes.CDLL:
        """The calls of the CUDA runtime."""
        return self.library._library

    def array(self, values: Any, dtype: Any = None) -> DeviceArray:
        """An array on the device."""
        self.arrays.append(DeviceArray(self.runtime, numpy.asarray(values, dtype)))
        return self.arrays[-1]

    def close(self) -> None:
        """Give all memory back, once nothing uses it; what went wrong concerns no other test."""
        self.runtime.cudaDeviceSynchronize()
        self.runtime.cudacpu_reset()
        for array in self.arrays:
            array.free()


@pytest.fixture
def gpu(module: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[Gpu]:
    made = Gpu(module, monkeypatch)
    yield made
    made.close()


class Stream:
    """A stream that speaks the protocol of cuda.core."""

    def __init__(self, handle: int, version: int = 0) -> None:
        self.handle, self.version = handle, version

    def __cuda_stream__(self) -> tuple[int, int]:
        return (self.version, self.handle)
