"""Libraries that run on a GPU, called in Python's own process: on arrays of the host, or of the device on a stream."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pencilc.ir.source import VOID
from pencilc.python.arguments import GivenCall
from pencilc.python.arrays import ArrayView
from pencilc.python.calls import HostResult, passed
from pencilc.python.entries import EntryPoint
from pencilc.python.errors import ArgumentValueError, CallFailed, DeviceMissing, LibraryError
from pencilc.python.exchange import failure_of
from pencilc.tune.device import no_gpu
from pencilc.verify.abi import by_value
from pencilc.verify.runner import parameters, value_bytes


class GpuLibrary:
    """One library.  Any number of threads may call it at once: the generated code is made for that."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            self._library = ctypes.CDLL(str(path), mode=os.RTLD_LOCAL)
        except OSError as error:
            raise LibraryError(f"the library {path} cannot be loaded", str(error)) from error
        self._has_device = False

    def need_device(self) -> None:
        """Raises DeviceMissing where no GPU answers."""
        if not self._has_device:
            why = no_gpu()
            if why:
                raise DeviceMissing(f"{why}: device='cpu' runs the same code on the CPU executor")
            self._has_device = True

    # ---- arrays on the host

    def run_host(self, entry: EntryPoint, call: GivenCall) -> HostResult:
        """See `HostCaller`."""
        self.need_device()
        scalars = {
            given.expected.name: ctypes.create_string_buffer(given.data, len(given.data))
            for given in call.arguments
            if given.expected.goes_by_pointer
        }
        addresses = []
        for given in call.arguments:
            scalar = scalars.get(given.expected.name)
            own = ctypes.addressof(scalar) if scalar is not None else 0
            addresses.append(given.array.address if given.array is not None else own)
        types, values = parameters(passed(call), addresses)
        restype = by_value(entry.returns)
        result = ctypes.CFUNCTYPE(restype, *types)((entry.symbol, self._library))(*values)
        code, failed = failure_of(self._library)
        if code:
            raise CallFailed(f"{entry.name} failed: {failed}", code)
        returned = b"" if restype is None else value_bytes(restype, result)
        return HostResult(returned, {name: scalar.raw for name, scalar in scalars.items()})

    # ---- arrays on the device

    def run_device(
        self, entry: EntryPoint, call: GivenCall, stream: int, result: ArrayView | None, workspace: ArrayView | None
    ) -> bytes:
        """Queue the entry on device pointers on `stream`; returns the bytes of the returned value, if any.

        Where a value is returned and there is no `result` for it, the call waits for it.  With a `workspace` nothing is
        allocated.  Raises CallFailed and DeviceMissing.
        """
        self.need_device()
        types, values = parameters(passed(call), [0 if g.array is None else g.array.address for g in call.arguments])
        with self._on_device_of(call, result):
            self._follow(call, stream)
            if entry.returns == VOID:
                self._queue(entry, types, values, stream, workspace)
                return b""
            if result is not None:
                self._queue(entry, [*types, ctypes.c_void_p], [*values, result.address], stream, workspace)
                return b""
            size = entry.returns.size
            place = ctypes.c_void_p()
            self._asked("pencilc_python_reserve", ctypes.byref(place), ctypes.c_size_t(size), ctypes.c_void_p(stream))
            returned = ctypes.create_string_buffer(size)
            try:
                self._queue(entry, [*types, ctypes.c_void_p], [*values, place.value], stream, workspace)
            finally:
                fetched = self._code_of(
                    "pencilc_python_fetch", returned, place, ctypes.c_size_t(size), ctypes.c_void_p(stream)
                )
            self._check(f"{entry.symbol}_device", fetched)
            return returned.raw

    def _queue(
        self, entry: EntryPoint, types: list[Any], values: list[Any], stream: int, workspace: ArrayView | None
    ) -> None:
        name = f"{entry.symbol}_device"
        if workspace is not None and entry.has_workspace:
            name = f"{entry.symbol}_device_in"
            types = [*types, ctypes.c_void_p, ctypes.c_size_t]
            values = [*values, workspace.address, workspace.size]
        prototype = ctypes.CFUNCTYPE(ctypes.c_int, *types, ctypes.c_void_p)
        said = name if workspace is None else f"{name} with a workspace of {workspace.size} bytes"
        self._check(said, int(prototype((name, self._library))(*values, stream)))

    def workspace_bytes(self, entry: EntryPoint, call: GivenCall) -> int:
        """The bytes of a workspace for a call with these arguments; raises CallFailed and DeviceMissing."""
        if not entry.has_workspace:
            return 0
        self.need_device()
        types, values = parameters(passed(call), [0 if g.array is None else g.array.address for g in call.arguments])
        found = ctypes.c_size_t()
        name = f"{entry.symbol}_workspace"
        prototype = ctypes.CFUNCTYPE(ctypes.c_int, *types, ctypes.c_void_p)
        with self._on_device_of(call, None):
            self._check(name, int(prototype((name, self._library))(*values, ctypes.addressof(found))))
        return found.value

    @contextmanager
    def _on_device_of(self, call: GivenCall, result: ArrayView | None) -> Iterator[None]:
        """Inside, the device of the arrays is the current one; without arrays it stays what it is."""
        views = {argument.name: view for argument, view in call.arrays if view.size}
        if result is not None:
            views["result"] = result
        if not views:
            yield
            return
        name, view = next(iter(views.items()))
        previous, is_reached = ctypes.c_int(), ctypes.c_int()
        self._asked(
            "pencilc_python_enter", ctypes.c_void_p(view.address), ctypes.byref(previous), ctypes.byref(is_reached)
        )
        try:
            if not is_reached:
                raise ArgumentValueError(f"`{name}` begins at {view.address:#x}, where no memory of a GPU is")
            yield
        finally:
            self._library.pencilc_python_leave(previous)

    def _follow(self, call: GivenCall, stream: int) -> None:
        """Wait, on the stream, for the contents of arrays that are made on another one."""
        others = {view.ready_on for _, view in call.arrays if view.ready_on is not None}
        for other in sorted(others - {stream or 1}):
            self._asked("pencilc_python_follow", ctypes.c_void_p(stream), ctypes.c_void_p(other))

    def _asked(self, name: str, *arguments: Any) -> None:
        self._check(name, self._code_of(name, *arguments))

    def _code_of(self, name: str, *arguments: Any) -> int:
        return int(getattr(self._library, name)(*arguments))

    def _check(self, what: str, code: int) -> None:
        if code:
            text = ctypes.create_string_buffer(1024)
            self._library.pencilc_python_error(ctypes.c_int(code), text, ctypes.c_size_t(len(text)))
            raise CallFailed(f"{what} failed: {text.value.decode(errors='replace')}", code)
