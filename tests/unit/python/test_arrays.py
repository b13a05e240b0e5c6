"""Where arrays lie and what they hold, by the protocols of libraries that are not there: small fakes speak them."""

from __future__ import annotations

import ctypes
import sys
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy
import pytest

import pencilc
from pencilc.ir.source import BFLOAT16, FLOAT, HALF, INT
from pencilc.python.arrays import ArrayView, mismatch, view_of
from pencilc.python.streams import current_stream, handle_of
from tests.unit.python.conftest import Stream


class CudaArray:
    """What CuPy and Numba show of an array."""

    def __init__(self, typestr: str = "<f4", shape: tuple[int, ...] = (2, 3), **more: Any) -> None:
        self.told = {"typestr": typestr, "shape": shape, "data": (0x7000, False), "version": 3, **more}

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        return self.told


class Managed(ctypes.Structure):
    """`DLManagedTensor`, as far as consumers read it."""

    _fields_ = (
        ("data", ctypes.c_void_p), ("device_type", ctypes.c_int32), ("device_id", ctypes.c_int32),
        ("ndim", ctypes.c_int32), ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)), ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64), ("context", ctypes.c_void_p), ("deleter", ctypes.c_void_p),
    )  # fmt: skip


new_capsule = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)(
    ("PyCapsule_New", ctypes.pythonapi)
)


class Tensor:
    """What PyTorch shows of a tensor on a GPU; it notes the stream that it was told."""

    def __init__(self, code: int = 2, bits: int = 32, kind: int = 2, strides: tuple[int, ...] | None = None) -> None:
        self.kind, self.told = kind, -1
        self.shape = (ctypes.c_int64 * 2)(2, 3)
        self.strides = (ctypes.c_int64 * 2)(*strides) if strides else None
        self.managed = Managed(0x9000, kind, 1, 2, code, bits, 1, self.shape, self.strides or None, 16, None, None)

    def __dlpack_device__(self) -> tuple[int, int]:
        return (self.kind, 1)

    def __dlpack__(self, stream: Any = None) -> Any:
        self.told = stream
        return new_capsule(ctypes.addressof(self.managed), b"dltensor", None)


def test_cuda_array_interface() -> None:
    view = view_of(CudaArray(strides=(12, 4), stream=5), "x", 0)
    assert (view.memory, view.address, view.shape, view.ready_on) == ("device", 0x7000, (2, 3), 5)
    assert str(view.layout) == "float32" and view.is_contiguous and view.is_writable and view.size == 24
    assert not view_of(CudaArray(strides=(4, 8)), "x", 0).is_contiguous
    assert not view_of(CudaArray(data=(0x7000, True)), "x", 0).is_writable


def test_a_record_of_the_cuda_array_interface() -> None:
    view = view_of(CudaArray("|V8", (3,), descr=[("value", "<f4"), ("", "|V2"), ("index", "<i2")]), "x", 0)
    fields = [(each.name, each.offset, str(each.layout)) for each in view.layout.fields]
    assert fields == [("value", 0, "float32"), ("index", 6, "int16")] and view.layout.size == 8


def test_dlpack_on_a_device() -> None:
    tensor = Tensor()
    view = view_of(tensor, "x", 0x55)
    assert (view.memory, view.device, view.address, view.shape) == ("device", 1, 0x9010, (2, 3))
    assert view.is_contiguous and tensor.told == 0x55, "the owner is told the stream"
    view_of(tensor, "x", 0)
    assert tensor.told == 1, "DLPack's name of the legacy default stream"
    assert not view_of(Tensor(strides=(1, 2)), "x", 0).is_contiguous
    assert view_of(Tensor(kind=13), "x", 0).memory == "device", "managed memory"


@pytest.mark.parametrize(("code", "bits", "ctype"), [(2, 16, HALF), (4, 16, BFLOAT16), (2, 32, FLOAT), (0, 32, INT)])
def test_element_types_of_dlpack(code: int, bits: int, ctype: Any) -> None:
    found = view_of(Tensor(code, bits), "x", 0).layout
    matching = [each for each in (HALF, BFLOAT16, FLOAT, INT) if not mismatch(each, found)]
    assert matching == [ctype]


def test_a_device_that_cuda_does_not_reach() -> None:
    with pytest.raises(pencilc.ArgumentTypeError, match="`x` lies on a device of DLPack's kind 10"):
        view_of(Tensor(kind=10), "x", 0)


def test_an_owner_that_refuses() -> None:
    class Refusing(Tensor):
        def __dlpack__(self, stream: Any = None) -> Any:
            raise BufferError("Can't export tensors that require gradient, use tensor.detach()")

    with pytest.raises(pencilc.ArgumentTypeError, match=r"`x` gives no access to its memory: .*detach"):
        view_of(Refusing(), "x", 0)

    class Nowhere(Tensor):
        def __dlpack_device__(self) -> tuple[int, int]:
            raise ValueError("Unknown device type meta for Dlpack")

    with pytest.raises(
        pencilc.ArgumentTypeError, match="`x` lies where DLPack cannot say it: Unknown device type meta"
    ):
        view_of(Nowhere(), "x", 0)


def test_dlpack_in_host_memory() -> None:
    a = numpy.arange(6, dtype=numpy.float32).reshape(2, 3)

    class HostTensor:
        def __dlpack_device__(self) -> tuple[int, int]:
            device: tuple[int, int] = a.__dlpack_device__()
            return device

        def __dlpack__(self, **words: Any) -> Any:
            return a.__dlpack__(**words)

    for given in (HostTensor(), a.__dlpack__(), a.__dlpack__(max_version=(1, 0))):
        view = view_of(given, "a", 0)
        assert (view.memory, view.address, view.shape) == ("host", a.ctypes.data, (2, 3)) and view.is_writable
    a.flags.writeable = False
    assert not view_of(HostTensor(), "a", 0).is_writable, "told by the flags of a versioned capsule"


def test_a_capsule_that_was_taken() -> None:
    capsule = numpy.zeros(2).__dlpack__()
    numpy.from_dlpack(SimpleNamespace(__dlpack__=lambda **_: capsule, __dlpack_device__=lambda: (1, 0)))
    with pytest.raises(pencilc.ArgumentTypeError, match="a capsule that holds no tensor, or one that was taken"):
        view_of(capsule, "a", 0)


def test_buffers() -> None:
    data = bytearray(8)
    view = view_of(memoryview(data).cast("h"), "a", 0)
    start = ctypes.addressof(ctypes.c_char.from_buffer(data))
    assert (view.address, view.shape, str(view.layout), view.is_writable) == (start, (4,), "int16", True)
    assert not view_of(bytes(8), "a", 0).is_writable


@pytest.mark.parametrize(
    "value", [3, "text", [1.0], None, object(), SimpleNamespace(__array_interface__={"data": b""})]
)
def test_no_array(value: Any) -> None:
    with pytest.raises(pencilc.ArgumentTypeError, match=r"`a` is of type '.*', where C expects an array"):
        view_of(value, "a", 0)


def test_contiguity_does_not_ask_for_strides_of_one_element() -> None:
    layout = view_of(numpy.zeros(1, numpy.float32), "a", 0).layout
    for shape, strides, expected in [((1, 3), (999, 4), True), ((3, 1), (4, 999), True), ((0, 3), (1, 1), True),
                                     ((2, 3), (16, 4), False), ((2, 3), (12, 4), True)]:  # fmt: skip
        assert ArrayView("host", 0, shape, layout, strides, True, None).is_contiguous == expected


# ---- streams ---------------------------------------------------------------------------------------


def test_handles_of_streams() -> None:
    assert handle_of(Stream(0x1234)) == 0x1234
    assert handle_of(SimpleNamespace(__cuda_stream__=(0, 7))) == 7, "a property in the first cuda.core"
    assert handle_of(SimpleNamespace(cuda_stream=8)) == 8, "PyTorch"
    assert handle_of(SimpleNamespace(ptr=9)) == 9, "CuPy"
    assert handle_of(10) == 10 and handle_of(0) == 0
    for wrong in ("x", 1.5, True, object()):
        with pytest.raises(pencilc.ArgumentTypeError, match="`stream` is of type"):
            handle_of(wrong)
    with pytest.raises(pencilc.ArgumentTypeError, match="`stream` has version 1 of __cuda_stream__"):
        handle_of(Stream(5, version=1))


def _class_of(library: str, **members: Any) -> Any:
    return type("ndarray", (), {"__module__": f"{library}._core", **members})()


def test_the_current_stream_is_that_of_the_arrays(monkeypatch: pytest.MonkeyPatch) -> None:
    torch, cupy = ModuleType("torch"), ModuleType("cupy")
    streams = {"cuda:0": Stream(20), "cuda:1": Stream(21)}
    monkeypatch.setattr(torch, "cuda", SimpleNamespace(current_stream=streams.get), raising=False)
    of_cupy = SimpleNamespace(get_current_stream=lambda device_id=-1: Stream(22))
    monkeypatch.setattr(cupy, "cuda", of_cupy, raising=False)
    monkeypatch.setitem(sys.modules, "torch", torch)
    monkeypatch.setitem(sys.modules, "cupy", cupy)
    tensor = _class_of("torch", is_cuda=True, device="cuda:1")
    assert current_stream([4, tensor, 1.0]) == 21
    assert current_stream([_class_of("cupy"), _class_of("cupy")]) == 22
    assert current_stream([_class_of("torch", is_cuda=False)]) is None, "a tensor of the host"
    assert current_stream([tensor, _class_of("cupy")]) is None, "no stream in common"
    assert current_stream([numpy.zeros(2)]) is None


def test_a_negated_view_of_pytorch_is_refused() -> None:
    """Its memory holds the negatives of its elements, and DLPack does not tell."""

    class Negated(CudaArray):
        def is_neg(self) -> bool:
            return True

    with pytest.raises(pencilc.ArgumentTypeError, match=r"`x` has the negatives .* give its \.resolve_neg\(\)"):
        view_of(Negated(), "x", None)
