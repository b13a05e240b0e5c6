"""The stream of a call: that which is given, or the current one of the library that the arrays are of."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Any

from pencilc.python.errors import ArgumentTypeError


def handle_of(stream: Any) -> int:
    """The `cudaStream_t` of a stream, as a number.

    Speaks the protocol `__cuda_stream__` (cuda.core, newer CuPy and PyTorch), and takes older streams of CuPy and
    PyTorch and plain numbers.  Raises ArgumentTypeError.
    """
    told = getattr(stream, "__cuda_stream__", None)
    if told is not None:
        version, handle = told() if callable(told) else told
        if version != 0:
            raise ArgumentTypeError(f"`stream` has version {version} of __cuda_stream__, and pencilc knows version 0")
        return int(handle)
    for attribute in ("cuda_stream", "ptr"):
        handle = getattr(stream, attribute, None)
        if isinstance(handle, int):
            return handle
    if hasattr(stream, "__int__") and not isinstance(stream, bool | float | str):
        return int(stream)
    raise ArgumentTypeError(
        f"`stream` is of type '{type(stream).__name__}': give a stream of cuda.core, CuPy or PyTorch, or its number"
    )


def current_stream(arrays: Iterable[Any]) -> int | None:
    """The stream on which the library of the arrays works at present; None where it cannot be told.

    Known are CuPy and PyTorch.  Arrays of several libraries have no stream in common.
    """
    found = {stream for each in arrays if (stream := _current_of(each)) is not None}
    return found.pop() if len(found) == 1 else None


def _current_of(array: Any) -> int | None:
    library = type(array).__module__.partition(".")[0]
    loaded = sys.modules.get(library)
    if library == "torch" and loaded is not None and getattr(array, "is_cuda", False):
        return handle_of(loaded.cuda.current_stream(array.device))
    if library == "cupy" and loaded is not None:
        # Each device has a current stream; -1 is the device that is current itself.
        device = getattr(getattr(array, "device", None), "id", -1)
        return handle_of(loaded.cuda.get_current_stream(device))
    return None
