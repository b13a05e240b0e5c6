"""Calls with arrays on a device: what reaches the entry points of the library, and what comes back."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy
import pytest

import pencilc
from tests.unit.python.conftest import DeviceArray, Gpu, Stream
from tests.unit.python.test_arrays import Managed, new_capsule


@pytest.fixture
def stream(gpu: Gpu) -> Any:
    handle = ctypes.c_void_p()
    assert gpu.runtime.cudaStreamCreate(ctypes.byref(handle)) == 0
    yield Stream(handle.value or 0)
    assert gpu.runtime.cudaStreamDestroy(handle) == 0


def test_a_call_is_queued_on_the_stream(gpu: Gpu, stream: Stream) -> None:
    x, y = gpu.array([[1.0, 2], [3, 4]]), gpu.array(numpy.zeros((2, 2)))
    assert gpu.functions["scale"](3.0, x, y, stream=stream) is None
    assert y.get().tolist() == [[3, 6], [9, 12]]


def test_a_value_comes_back_or_goes_to_an_array(gpu: Gpu, stream: Stream, module: Any) -> None:
    argmin, a = gpu.functions["argmin"], gpu.array([3, 1, 2], numpy.float32)
    assert argmin(a, stream=stream) == (1.0, 1)
    result = gpu.array(numpy.zeros(1, module.dtype("Best")))
    assert argmin(a, stream=stream, result=result) is None
    assert result.get().tolist() == [(1.0, 1)]
    raw = gpu.array(numpy.zeros(8, numpy.uint8))
    argmin(a, stream=stream, result=raw)
    assert raw.get().view(module.dtype("Best")).tolist() == [(1.0, 1)]


def test_a_workspace(gpu: Gpu, stream: Stream) -> None:
    argmin, values = gpu.functions["argmin"], numpy.ones(70_000, numpy.float32)
    values[65_432] = 0
    a = gpu.array(values)
    size = argmin.workspace_bytes(a, stream=stream)
    assert size > 0 and gpu.functions["gather"].workspace_bytes(
        gpu.array([0], numpy.int32), a, gpu.array([0], numpy.float32), stream=stream
    ) == 0  # fmt: skip
    room = gpu.array(numpy.zeros(size, numpy.uint8))
    assert argmin(a, stream=stream, workspace=room) == (0.0, 65_432)
    with pytest.raises(
        pencilc.CallFailed, match="argmin_device_in with a workspace of 16 bytes failed: cudaErrorInvalidValue"
    ) as failed:
        argmin(a, stream=stream, workspace=gpu.array(numpy.zeros(16, numpy.uint8)))
    assert failed.value.code == 1


def test_scalars_of_a_region_are_arrays_of_one_element(gpu: Gpu, stream: Stream) -> None:
    a, last = gpu.array(numpy.zeros(10, numpy.float32)), gpu.array([0], numpy.float32)
    gpu.functions["main_scop0"](10, a, last, stream=stream)
    assert last.get().tolist() == [18] and a.get()[9] == 18


class Buffer:
    """Memory of cuda.core: bytes, whatever they are for."""

    def __init__(self, array: DeviceArray) -> None:
        self.shape = (ctypes.c_int64 * 1)(array.host.nbytes)
        self.managed = Managed(array.address.value, 2, 0, 1, 0, 8, 1, self.shape, None, 0, None, None)

    def __dlpack_device__(self) -> tuple[int, int]:
        return (2, 0)

    def __dlpack__(self, *, stream: Any = None, max_version: Any = None) -> Any:
        return new_capsule(ctypes.addressof(self.managed), b"dltensor", None)


def test_memory_without_a_type(gpu: Gpu, stream: Stream, monkeypatch: pytest.MonkeyPatch) -> None:
    x, y = gpu.array([[1.0, 2]]), gpu.array(numpy.zeros((1, 4)))
    scale = gpu.functions["scale"]
    with pytest.raises(pencilc.ArgumentValueError, match=r"`x` has 1 dimension"):
        scale(1, 2, 3.0, Buffer(x), Buffer(y), stream=stream)
    monkeypatch.setattr(Buffer, "__module__", "cuda.core._memory._buffer")
    scale(1, 2, 3.0, Buffer(x), Buffer(y), stream=stream)
    assert y.get().tolist() == [[3, 6, 0, 0]]
    message = r"`x` has 16 bytes, where C expects \(1, 3\) \(rows, columns\) of float64 \('double'\), which are 24"
    with pytest.raises(pencilc.ArgumentValueError, match=message):
        scale(1, 3, 3.0, Buffer(x), Buffer(y), stream=stream)
    with pytest.raises(pencilc.ArgumentTypeError, match="`rows` was left out, and no array tells it"):
        scale(3.0, Buffer(x), Buffer(y), stream=stream)
    result = gpu.array([0.0, 0])
    gpu.functions["argmin"](1, gpu.array([7], numpy.float32), stream=stream, result=Buffer(result))
    assert result.get().view(numpy.float32)[0] == 7


def test_what_another_stream_makes_is_waited_for(gpu: Gpu, stream: Stream, monkeypatch: pytest.MonkeyPatch) -> None:
    followed: list[tuple[str, Any]] = []
    asked = gpu.library._code_of

    def noted(name: str, *rest: Any) -> int:
        followed.append((name, rest))
        return asked(name, *rest)

    monkeypatch.setattr(gpu.library, "_code_of", noted)
    x, y = gpu.array([[1.0]]), gpu.array([[0.0]])

    class Made:
        __cuda_array_interface__ = {**x.__cuda_array_interface__, "stream": 1}  # noqa: RUF012

    gpu.functions["scale"](2.0, Made(), y, stream=stream)
    waited = [rest for name, rest in followed if name == "pencilc_python_follow"]
    assert [(first.value, second.value) for first, second in waited] == [(stream.handle, 1)]
    assert y.get().tolist() == [[2]]
    followed.clear()
    gpu.functions["scale"](2.0, Made(), y, stream=0)
    assert not [rest for name, rest in followed if name == "pencilc_python_follow"], "the legacy stream is called 1 too"


def test_arrays_of_the_host_are_copied(gpu: Gpu) -> None:
    assert gpu.functions["argmin"](numpy.array([3, 1], numpy.float32)) == (1.0, 1)
    a = numpy.zeros(10, numpy.float32)
    assert gpu.functions["main_scop0"](10, a, 0.0).last == 18 and a[9] == 18


def test_a_capsule_of_the_host_is_refused_for_a_stream(gpu: Gpu, stream: Stream) -> None:
    a = numpy.array([3, 1], numpy.float32)
    message = "`stream` goes with arrays on a device, and `a` of this call lie in host memory"
    for given in (a, a.__dlpack__()):
        with pytest.raises(pencilc.ArgumentTypeError, match=message):
            gpu.functions["argmin"](given, stream=stream)


def test_faults_of_calls(gpu: Gpu, stream: Stream, module: Any) -> None:
    a, x = gpu.array([3, 1], numpy.float32), gpu.array([[1.0]])
    argmin, scale = gpu.functions["argmin"], gpu.functions["scale"]
    with pytest.raises(pencilc.ArgumentTypeError, match="`stream` has to be given"):
        argmin(a)
    with pytest.raises(pencilc.ArgumentTypeError, match="`y` lies in host memory and `x` on a device"):
        scale(1.0, x, numpy.zeros((1, 1)), stream=stream)
    with pytest.raises(pencilc.ArgumentValueError, match="`x` and `y` share memory"):
        scale(1.0, x, x, stream=stream)
    with pytest.raises(pencilc.ArgumentTypeError, match="`result`: it holds float32, where C expects struct 'Best'"):
        argmin(a, stream=stream, result=gpu.array([0], numpy.float32))
    with pytest.raises(pencilc.ArgumentTypeError, match="returns nothing that could go to `result`"):
        scale(1.0, x, gpu.array([[1.0]]), stream=stream, result=x)
    with pytest.raises(pencilc.ArgumentTypeError, match="`result` lies in host memory"):
        argmin(a, stream=stream, result=numpy.zeros(8, numpy.uint8))
    with pytest.raises(pencilc.ArgumentValueError, match=r"`result` has shape \(2,\), where one element is expected"):
        argmin(a, stream=stream, result=gpu.array(numpy.zeros(2, module.dtype("Best"))))

    class Middle:
        __cuda_array_interface__ = {**a.__cuda_array_interface__, "data": ((a.address.value or 0) + 4, False)}  # noqa: RUF012

    with pytest.raises(pencilc.ArgumentValueError, match=r"`workspace` begins at .* no multiple of 256 bytes"):
        argmin(a, stream=stream, workspace=Middle())

    class Shifted:
        __cuda_array_interface__ = {**a.__cuda_array_interface__, "data": (a.address.value + 2, False), "shape": (1,)}  # type: ignore[operator] # noqa: RUF012

    with pytest.raises(pencilc.ArgumentValueError, match=r"`a` begins at .* no multiple of the 4 bytes"):
        argmin(Shifted(), stream=stream)


def test_memory_that_is_none_of_the_device(gpu: Gpu, stream: Stream) -> None:
    a = numpy.zeros(4, numpy.float32)

    class Lying:
        __cuda_array_interface__ = {**a.__array_interface__, "version": 3}  # noqa: RUF012

    with pytest.raises(pencilc.ArgumentValueError, match=r"`a` begins at .*, where no memory of a GPU is"):
        gpu.functions["argmin"](Lying(), stream=stream)


def test_a_module_on_the_cpu_refuses_arrays_on_a_device(gpu: Gpu, module: Any) -> None:
    with pytest.raises(pencilc.ArgumentTypeError, match=r"the module runs on the CPU, .* device='gpu'"):
        module.argmin(gpu.array([1], numpy.float32))
