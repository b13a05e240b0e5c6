"""Where an array lies and what it holds, asked through the protocols that libraries share.

Host memory: `__array_interface__` (NumPy), DLPack (PyTorch), buffers (`array.array`, `bytearray`, ctypes).  Device
memory: DLPack, `__cuda_array_interface__` (CuPy, PyTorch, Numba, cuda.core).  None of these libraries is imported.
"""

from __future__ import annotations

import ctypes
import math
from collections.abc import Sequence
from dataclasses import field, replace
from typing import Any, Literal

from pencilc.ir.source import BFLOAT16, ArrayType, CType, Scalar, Struct
from pencilc.python.errors import ArgumentTypeError
from pencilc.records import dataclass

Memory = Literal["host", "device"]
ElementKind = Literal["bool", "int", "uint", "float", "bfloat", "complex", "bytes", "record", "other"]

# ---- layouts of elements ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class FieldLayout:
    """A field of a record at byte `offset`: `shape` is that of an array inside it, () for one value."""

    name: str
    offset: int
    layout: ElementLayout
    shape: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class ElementLayout:
    """What an element of an array is, `size` in bytes; `is_swapped` tells that its bytes are in the other order."""

    kind: ElementKind
    size: int
    fields: tuple[FieldLayout, ...] = ()
    is_swapped: bool = False

    def __str__(self) -> str:
        if self.kind == "record":
            return f"a record of {', '.join(f'{f.name}: {f.layout}' for f in self.fields)} ({self.size} bytes)"
        if self.kind in ("bytes", "other"):
            return f"{self.size} bytes of no number type"
        name = "bool" if self.kind == "bool" else f"{self.kind}{8 * self.size}"
        return f"{name} with swapped bytes" if self.is_swapped else name


def spelled_layout(ctype: CType) -> str:
    """What an element has to be to serve as a `ctype`, in the words of `ElementLayout`."""
    if isinstance(ctype, Struct):
        return f"struct '{ctype.name}' ({', '.join(member.name for member in ctype.members)}; {ctype.size} bytes)"
    assert isinstance(ctype, Scalar)
    kind = _kind_of(ctype)
    return f"{'bool' if kind == 'bool' else f'{kind}{8 * ctype.size}'} ('{ctype.name}')"


def _kind_of(ctype: Scalar) -> str:
    return "bfloat" if ctype == BFLOAT16 else ctype.kind


def mismatch(ctype: CType, layout: ElementLayout) -> str:
    """Why an element with `layout` cannot serve as a `ctype`; empty if it can.

    Bytes without a type serve as a struct, or as a bfloat16, of their size.
    """
    is_untyped = isinstance(ctype, Struct) or ctype == BFLOAT16
    if layout.kind == "bytes" and is_untyped and layout.size == ctype.size:
        return ""
    if isinstance(ctype, Struct) and layout.kind == "record":
        return _record_mismatch(ctype, layout)
    is_same_size = layout.size == ctype.size and not layout.is_swapped
    if isinstance(ctype, Scalar) and layout.kind == _kind_of(ctype) and is_same_size:
        return ""
    return f"it holds {layout}, where C expects {spelled_layout(ctype)}"


def _record_mismatch(ctype: Struct, layout: ElementLayout) -> str:
    if layout.size != ctype.size:
        return f"it holds records of {layout.size} bytes, where a '{ctype.name}' has {ctype.size}"
    expected = [(member.name, member.offset) for member in ctype.members]
    found = [(each.name, each.offset) for each in layout.fields]
    if found != expected:
        places = ", ".join(f"{name} at byte {offset}" for name, offset in expected)
        return f"its fields are {', '.join(f'{n} at byte {o}' for n, o in found)}, where a '{ctype.name}' has {places}"
    for member, each in zip(ctype.members, layout.fields, strict=True):
        shape, inner = _shape_inside(member.type)
        if shape != each.shape:
            return f"its field {each.name} has shape {each.shape}, where C has {shape}"
        if fault := mismatch(inner, each.layout):
            return f"field {each.name}: {fault}"
    return ""


def _shape_inside(ctype: CType) -> tuple[tuple[int, ...], CType]:
    """The extents of an array inside a struct, and its elements' type."""
    shape: tuple[int, ...] = ()
    while isinstance(ctype, ArrayType):
        shape = (*shape, ctype.size // ctype.element.size)
        ctype = ctype.element
    return shape, ctype


# ---- views -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ArrayView:
    """An array as its owner describes it: `strides` in bytes, None for C order.

    `device` is the number of a device, -1 if it has to be asked for; `ready_on` is the stream behind which the contents
    are there, if the owner names one.  `is_memory`: bytes that may hold any elements, in any shape.  `owner` keeps the
    memory alive.
    """

    memory: Memory
    address: int
    shape: tuple[int, ...]
    layout: ElementLayout
    strides: tuple[int, ...] | None
    is_writable: bool
    owner: Any = field(repr=False, compare=False)
    device: int = -1
    ready_on: int | None = None
    is_memory: bool = False

    @property
    def count(self) -> int:
        """The number of elements."""
        return math.prod(self.shape)

    @property
    def size(self) -> int:
        """Bytes from the first to the last element of a contiguous array."""
        return self.count * self.layout.size

    @property
    def is_contiguous(self) -> bool:
        """Whether the elements follow each other in C order; strides of dimensions with one element say nothing."""
        if self.strides is None or self.count == 0:
            return True
        expected = self.layout.size
        for extent, stride in zip(reversed(self.shape), reversed(self.strides), strict=True):
            if extent != 1 and stride != expected:
                return False
            expected *= extent
        return True


def view_of(value: Any, name: str, stream: int | None) -> ArrayView:
    """What `value` says of itself, wherever it lies; `name` is what messages call it.

    `stream` is the one that will use a device array, which its owner is told.  Raises ArgumentTypeError.
    """
    if _is_negated(value):
        raise ArgumentTypeError(f"`{name}` has the negatives of what its memory holds: give its .resolve_neg()")
    where = _dlpack_device(value, name)
    if _is_memory(value):
        return replace(_dlpack_view(value, name, stream), layout=ElementLayout("bytes", 1), is_memory=True)
    if where is not None and where[0] in _ON_DEVICE:
        return _device_view(value, name, stream)
    if where is None and _cuda_interface(value, name) is not None:
        return _device_view(value, name, stream)
    return host_view(value, name)


def _is_negated(value: Any) -> bool:
    """Whether it is a tensor of PyTorch with the bit for negation, of which no protocol knows: `z.conj().imag`."""
    asked = getattr(value, "is_neg", None)
    return callable(asked) and asked() is True


def _is_memory(value: Any) -> bool:
    """Whether it is a `Buffer` of cuda.core, which DLPack can only call an array of bytes."""
    kind = type(value)
    return kind.__name__ == "Buffer" and kind.__module__.startswith("cuda.core")


def host_view(value: Any, name: str) -> ArrayView:
    """An array in host memory.  Raises ArgumentTypeError."""
    interface = getattr(value, "__array_interface__", None)
    if isinstance(interface, dict) and isinstance(interface.get("data"), tuple):
        address, is_only_read = interface["data"]
        layout = _layout_of_interface(interface)
        return ArrayView(
            "host", int(address or 0), tuple(interface["shape"]), layout, _strides(interface), not is_only_read, value
        )
    if _is_capsule(value) or hasattr(value, "__dlpack__"):
        view = _dlpack_view(value, name, None)
        # Libraries whose arrays never change say so in their buffers, not all of them in DLPack too.
        buffer = _buffer(value)
        is_writable = view.is_writable and (buffer is None or not buffer.readonly)
        return replace(view, is_writable=is_writable)
    buffer = _buffer(value)
    if buffer is None:
        raise _no_array(value, name)
    return _buffer_view(buffer, name)


def _no_array(value: Any, name: str) -> ArgumentTypeError:
    return ArgumentTypeError(
        f"`{name}` is of type '{type(value).__name__}', where C expects an array: give one of NumPy, CuPy or PyTorch, "
        "or anything else with a buffer, DLPack or an array interface"
    )


def _device_view(value: Any, name: str, stream: int | None) -> ArrayView:
    """An array in device memory.  Raises ArgumentTypeError."""
    try:
        view = _dlpack_view(value, name, stream)
        if view.layout.kind != "other":
            return view
    except ArgumentTypeError:
        # Records are nothing that DLPack can tell of.
        if _cuda_interface(value, name) is None:
            raise
    interface = _cuda_interface(value, name)
    if interface is None:
        raise ArgumentTypeError(f"`{name}` holds elements of a kind that DLPack has no name for")
    address, is_only_read = interface["data"]
    ready_on = interface.get("stream")
    return ArrayView(
        "device", int(address or 0), tuple(interface["shape"]), _layout_of_interface(interface), _strides(interface),
        not is_only_read, value, ready_on=ready_on,
    )  # fmt: skip


def _strides(interface: dict[str, Any]) -> tuple[int, ...] | None:
    strides = interface.get("strides")
    return None if strides is None else tuple(strides)


def _cuda_interface(value: Any, name: str) -> dict[str, Any] | None:
    try:
        found = getattr(value, "__cuda_array_interface__", None)
    except RuntimeError as error:
        raise ArgumentTypeError(f"`{name}` gives no access to its memory: {error}") from error
    return found if isinstance(found, dict) else None


# ---- __array_interface__ and __cuda_array_interface__ ----------------------------------------------

_KINDS: dict[str, ElementKind] = {
    "b": "bool", "i": "int", "u": "uint", "f": "float", "c": "complex", "V": "bytes",
}  # fmt: skip


def _layout_of_interface(interface: dict[str, Any]) -> ElementLayout:
    descr = interface.get("descr")
    typestr = interface["typestr"]
    if typestr[1:2] == "V" and descr and not (len(descr) == 1 and descr[0][0] == ""):
        return _record_layout(descr)
    return _plain_layout(typestr)


def _plain_layout(typestr: str) -> ElementLayout:
    """`<f4`: the order of bytes, the kind, the size."""
    order, kind, size = typestr[0], typestr[1], int(typestr[2:])
    return ElementLayout(_KINDS.get(kind, "other"), size, is_swapped=order == ">" and size > 1)


def _record_layout(descr: Sequence[Any]) -> ElementLayout:
    """A record of numpy's `descr`: fields without a name are padding."""
    fields: list[FieldLayout] = []
    offset = 0
    for name, kind, *rest in descr:
        layout = _plain_layout(kind) if isinstance(kind, str) else _record_layout(kind)
        shape = tuple(rest[0]) if rest else ()
        # A field with a title has a pair for a name.
        plain_name = name[1] if isinstance(name, tuple) else name
        if plain_name:
            fields.append(FieldLayout(plain_name, offset, layout, shape))
        offset += layout.size * math.prod(shape)
    return ElementLayout("record", offset, tuple(fields))


def layout_of_ctypes(kind: type[ctypes.Structure]) -> ElementLayout:
    """The layout of a ctypes structure."""
    fields = []
    for name, member, *_ in kind._fields_:
        shape: tuple[int, ...] = ()
        inner: Any = member
        while issubclass(inner, ctypes.Array):
            shape, inner = (*shape, inner._length_), inner._type_
        if issubclass(inner, ctypes.Structure):
            layout = layout_of_ctypes(inner)
        else:
            layout = _layout_of_buffer(memoryview(inner()))
        fields.append(FieldLayout(name, getattr(kind, name).offset, layout, shape))
    return ElementLayout("record", ctypes.sizeof(kind), tuple(fields))


# ---- buffers ---------------------------------------------------------------------------------------

_BUFFER_KINDS: dict[str, ElementKind] = {
    "?": "bool", "e": "float", "f": "float", "d": "float",
    **dict.fromkeys("bhilqn", "int"), **dict.fromkeys("BHILQN", "uint"),
}  # fmt: skip


def _buffer(value: Any) -> memoryview | None:
    try:
        return memoryview(value)
    except (TypeError, BufferError, ValueError):
        return None


def _layout_of_buffer(buffer: memoryview) -> ElementLayout:
    order, letter = buffer.format[:-1], buffer.format[-1:]
    if order not in ("", "@", "=", "<", ">", "!"):
        return ElementLayout("other", buffer.itemsize)
    is_swapped = order in (">", "!") and buffer.itemsize > 1
    return ElementLayout(_BUFFER_KINDS.get(letter, "other"), buffer.itemsize, is_swapped=is_swapped)


def _buffer_view(buffer: memoryview, name: str) -> ArrayView:
    layout = _layout_of_buffer(buffer)
    if not buffer.c_contiguous:
        raise ArgumentTypeError(f"`{name}` is a buffer whose elements do not follow each other")
    address = _address_of(buffer)
    return ArrayView("host", address, tuple(buffer.shape or ()), layout, None, not buffer.readonly, buffer)


class _PyBuffer(ctypes.Structure):
    """`Py_buffer`: it tells where a buffer that cannot be written lies, which ctypes alone does not."""

    _fields_ = (
        ("buf", ctypes.c_void_p), ("obj", ctypes.c_void_p), ("len", ctypes.c_ssize_t), ("itemsize", ctypes.c_ssize_t),
        ("readonly", ctypes.c_int), ("ndim", ctypes.c_int), ("format", ctypes.c_char_p), ("shape", ctypes.c_void_p),
        ("strides", ctypes.c_void_p), ("suboffsets", ctypes.c_void_p), ("internal", ctypes.c_void_p),
    )  # fmt: skip


_get_buffer = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.py_object, ctypes.POINTER(_PyBuffer), ctypes.c_int)(
    ("PyObject_GetBuffer", ctypes.pythonapi)
)
_release_buffer = ctypes.PYFUNCTYPE(None, ctypes.POINTER(_PyBuffer))(("PyBuffer_Release", ctypes.pythonapi))


def _address_of(buffer: memoryview) -> int:
    found = _PyBuffer()
    _get_buffer(buffer, ctypes.byref(found), 0)
    address = int(found.buf or 0)
    # The view of `buffer` itself keeps the memory where it is.
    _release_buffer(ctypes.byref(found))
    return address


# ---- DLPack ----------------------------------------------------------------------------------------

_CPU, _CUDA, _CUDA_HOST, _CUDA_MANAGED = 1, 2, 3, 13
_ON_DEVICE = (_CUDA, _CUDA_MANAGED)
_ON_HOST = (_CPU, _CUDA_HOST)
_DEVICE_NAMES = {_CPU: "kDLCPU", _CUDA: "kDLCUDA", _CUDA_HOST: "kDLCUDAHost", _CUDA_MANAGED: "kDLCUDAManaged"}
_DLPACK_KINDS: dict[int, ElementKind] = {0: "int", 1: "uint", 2: "float", 4: "bfloat", 5: "complex", 6: "bool"}
_READ_ONLY = 1
# What owners raise where they give no access.
_REFUSALS = (BufferError, RuntimeError, TypeError, ValueError)


class _DLTensor(ctypes.Structure):
    """`DLTensor` of dlpack.h."""

    _fields_ = (
        ("data", ctypes.c_void_p), ("device_type", ctypes.c_int32), ("device_id", ctypes.c_int32),
        ("ndim", ctypes.c_int32), ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)), ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    )  # fmt: skip


class _DLVersioned(ctypes.Structure):
    """`DLManagedTensorVersioned` of dlpack.h."""

    _fields_ = (
        ("major", ctypes.c_uint32), ("minor", ctypes.c_uint32), ("context", ctypes.c_void_p),
        ("deleter", ctypes.c_void_p), ("flags", ctypes.c_uint64), ("tensor", _DLTensor),
    )  # fmt: skip


_pointer_in = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)(
    ("PyCapsule_GetPointer", ctypes.pythonapi)
)
_is_valid = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.py_object, ctypes.c_char_p)(("PyCapsule_IsValid", ctypes.pythonapi))


def _is_capsule(value: Any) -> bool:
    return type(value).__name__ == "PyCapsule"


def _dlpack_device(value: Any, name: str) -> tuple[int, int] | None:
    """The kind and the number of the device on which an array lies; None for what does not speak DLPack."""
    if _is_capsule(value):
        tensor, _ = _tensor_in(value)
        return (tensor.device_type, tensor.device_id)
    asked = getattr(value, "__dlpack_device__", None)
    if asked is None:
        return None
    try:
        kind, number = asked()
    except _REFUSALS as error:
        raise ArgumentTypeError(f"`{name}` lies where DLPack cannot say it: {error}") from error
    return (int(kind), int(number))


def _dlpack_view(value: Any, name: str, stream: int | None) -> ArrayView:
    capsule = value if _is_capsule(value) else _exported(value, name, stream)
    # The capsule is only looked at: as long as nobody renames it, its own end gives the memory back.
    tensor, is_only_read = _tensor_in(capsule)
    kind = tensor.device_type
    if kind not in (*_ON_DEVICE, *_ON_HOST):
        raise ArgumentTypeError(f"`{name}` lies on a device of DLPack's kind {kind}, which CUDA cannot reach")
    layout = ElementLayout(_DLPACK_KINDS.get(tensor.code, "other"), tensor.bits * tensor.lanes // 8)
    if tensor.lanes != 1 or tensor.bits % 8:
        layout = ElementLayout("other", layout.size)
    shape = tuple(tensor.shape[k] for k in range(tensor.ndim))
    strides = tuple(tensor.strides[k] * layout.size for k in range(tensor.ndim)) if tensor.strides else None
    address = int(tensor.data or 0) + tensor.byte_offset
    memory: Memory = "device" if kind in _ON_DEVICE else "host"
    return ArrayView(memory, address, shape, layout, strides, not is_only_read, (value, capsule), tensor.device_id)


def _exported(value: Any, name: str, stream: int | None) -> Any:
    """The capsule that the owner of an array makes; it is told the stream, which is to wait for the contents."""
    if not hasattr(value, "__dlpack__"):
        raise _no_array(value, name)
    where = _dlpack_device(value, name)
    is_on_device = where is not None and where[0] in _ON_DEVICE
    # DLPack calls the legacy default stream 1, which to CUDA is the same as 0.
    told = {"stream": stream or 1} if is_on_device else {}
    try:
        try:
            return value.__dlpack__(**told, max_version=(1, 0))
        except TypeError:
            return value.__dlpack__(**told)
    except _REFUSALS as error:
        raise ArgumentTypeError(f"`{name}` gives no access to its memory: {error}") from error


def _tensor_in(capsule: Any) -> tuple[_DLTensor, bool]:
    """The tensor of a capsule, and whether it must not be written."""
    if _is_valid(capsule, b"dltensor_versioned"):
        versioned = _DLVersioned.from_address(_pointer_in(capsule, b"dltensor_versioned"))
        return versioned.tensor, bool(versioned.flags & _READ_ONLY)
    if _is_valid(capsule, b"dltensor"):
        return _DLTensor.from_address(_pointer_in(capsule, b"dltensor")), False
    raise ArgumentTypeError("a capsule that holds no tensor, or one that was taken by somebody else")
