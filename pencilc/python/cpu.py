"""Libraries for the CPU executor, called in a process of their own (`worker.py`)."""

from __future__ import annotations

import contextlib
import ctypes
import mmap
import os
import pickle
import socket
import subprocess
import sys
import threading
import weakref
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pencilc.python.arguments import GivenArgument, GivenCall
from pencilc.python.arrays import ArrayView
from pencilc.python.calls import HostResult, passed
from pencilc.python.entries import EntryPoint
from pencilc.python.errors import CallFailed
from pencilc.python.exchange import ALIGNMENT, LENGTH, WorkReply, WorkRequest, message
from pencilc.verify.children import child_environment, how_it_ended

_FAULT = "cudacpu: error: "
_TIMED_OUT = 124
_TIMED_OUT_TEXT = "a kernel ran longer than the seconds that CUDACPU_TIMEOUT allows (120 where it is not set)"
_SHOWN_FAULTS = 10


class CpuLibrary:
    """One library with the process that runs it; calls of several threads take turns.

    The process is started by the first call, and anew after one that failed: an error of CUDA's stays with its process.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.Lock()
        self._process: _Process | None = None

    def run_host(self, entry: EntryPoint, call: GivenCall) -> HostResult:
        """See `HostCaller`."""
        offsets, total = _places([_bytes_by_pointer(given) for given in call.arguments])
        request = WorkRequest(entry.symbol, entry.returns, passed(call), offsets, total)
        with self._lock:
            process = self._running()
            try:
                process.memory.reserve(total)
                _copy_in(process.memory, call, offsets)
                reply = process.answer(entry.name, request)
                process.check(entry.name, reply)
            except BaseException:
                # What the process is in the middle of is of no use to the next call.
                self._process = None
                process.close()
                raise
            scalars = _copy_out(process.memory, call, offsets)
        return HostResult(reply.returned, scalars)

    def _running(self) -> _Process:
        if self._process is None or self._process.owner != os.getpid():
            # A fork of Python's process has no process of its own yet.
            self._process = _Process(self.path)
        return self._process


def _bytes_by_pointer(given: GivenArgument) -> int:
    if given.array is not None:
        return given.array.size
    return len(given.data) if given.expected.goes_by_pointer else 0


def _copy_in(memory: _SharedMemory, call: GivenCall, offsets: tuple[int, ...]) -> None:
    for given, offset in zip(call.arguments, offsets, strict=True):
        if given.array is not None:
            memory.copy_from(offset, given.array)
        elif given.expected.goes_by_pointer:
            memory.put(offset, given.data)


def _copy_out(memory: _SharedMemory, call: GivenCall, offsets: tuple[int, ...]) -> dict[str, bytes]:
    """Bring back what the call has written; the written scalars by name."""
    scalars = {}
    for given, offset in zip(call.arguments, offsets, strict=True):
        if given.array is not None and given.expected.is_written:
            memory.copy_to(offset, given.array)
        elif given.expected.goes_by_pointer:
            scalars[given.expected.name] = memory.get(offset, len(given.data))
    return scalars


def _places(sizes: Sequence[int]) -> tuple[tuple[int, ...], int]:
    """Where blocks of these sizes lie, aligned, and how many bytes they take together: at least one."""
    offsets, end = [], 0
    for size in sizes:
        offsets.append(end)
        end += -(-size // ALIGNMENT) * ALIGNMENT
    return tuple(offsets), max(end, 1)


class _SharedMemory:
    """Memory that the process maps too; it grows, and is given back with its owner."""

    def __init__(self) -> None:
        self.file = os.memfd_create("pencilc")
        self._map: mmap.mmap | None = None

    def reserve(self, size: int) -> None:
        """Have room for `size` bytes."""
        if self._map is not None and len(self._map) >= size:
            return
        if self._map is not None:
            self._map.close()
        os.ftruncate(self.file, size)
        self._map = mmap.mmap(self.file, size)

    def put(self, offset: int, data: Any) -> None:
        """Write bytes."""
        assert self._map is not None
        self._map[offset : offset + len(data)] = data

    def get(self, offset: int, size: int) -> bytes:
        """Read bytes."""
        assert self._map is not None
        return self._map[offset : offset + size]

    def copy_from(self, offset: int, view: ArrayView) -> None:
        """Take over the contents of an array."""
        if view.size:
            self.put(offset, (ctypes.c_char * view.size).from_address(view.address))

    def copy_to(self, offset: int, view: ArrayView) -> None:
        """Give an array the contents that are here."""
        assert self._map is not None
        if view.size:
            with memoryview(self._map) as whole:
                target = memoryview((ctypes.c_char * view.size).from_address(view.address)).cast("B")
                target[:] = whole[offset : offset + view.size]

    def close(self) -> None:
        """Give it back."""
        if self._map is not None:
            self._map.close()
        os.close(self.file)


class _Process:
    """The process of a library, the socket to it, the memory shared with it, and what it writes to standard error."""

    def __init__(self, library: Path) -> None:
        self.owner = os.getpid()
        self.memory = _SharedMemory()
        self._errors = os.memfd_create("pencilc-errors")
        self._socket, theirs = socket.socketpair()
        words = [str(library), str(theirs.fileno()), str(self.memory.file), str(os.getpid())]
        with theirs:
            self._child = subprocess.Popen(
                [sys.executable, "-m", "pencilc.python.worker", *words], env=child_environment({}),
                stdin=subprocess.DEVNULL, stderr=self._errors, pass_fds=(theirs.fileno(), self.memory.file),
                start_new_session=True,
            )  # fmt: skip
        self._finalizer = weakref.finalize(
            self, _end, self.owner, self._child, self._socket, self.memory, self._errors
        )  # fmt: skip

    def answer(self, name: str, request: WorkRequest) -> WorkReply:
        """Let it make a call to the function `name`.  Raises CallFailed where the process ends instead."""
        with contextlib.suppress(ConnectionError):
            self._socket.sendall(message(request))
            head = self._received(LENGTH.size)
            if len(head) == LENGTH.size:
                (length,) = LENGTH.unpack(head)
                data = self._received(length)
                if len(data) == length:
                    reply: WorkReply = pickle.loads(data)
                    return reply
        code = self._child.wait()
        how = _TIMED_OUT_TEXT if code == _TIMED_OUT else f"the process of the CPU executor {how_it_ended(code)}"
        raise CallFailed(f"{name} failed: {how}", 0, self._said())

    def _received(self, count: int) -> bytes:
        """So many bytes; fewer where the process has ended."""
        data = b""
        while len(data) < count and (more := self._socket.recv(count - len(data))):
            data += more
        return data

    def check(self, name: str, reply: WorkReply) -> None:
        """Raise CallFailed where a call failed or the executor found a fault."""
        if reply.code or reply.faults:
            what = reply.failed if reply.code else "the CPU executor found a fault"
            raise CallFailed(f"{name} failed: {what}", reply.code, self._said())

    def _said(self) -> tuple[str, ...]:
        """The faults that the executor told of; its last lines where there are none."""
        said = os.pread(self._errors, os.fstat(self._errors).st_size, 0)
        lines = said.decode(errors="replace").splitlines()
        faults = [line.removeprefix(_FAULT) for line in lines if line.startswith(_FAULT)]
        return tuple(faults[:_SHOWN_FAULTS] or [line for line in lines if line.strip()][-3:])

    def close(self) -> None:
        """End it."""
        self._finalizer()


def _end(owner: int, child: subprocess.Popen[bytes], ours: socket.socket, memory: _SharedMemory, errors: int) -> None:
    """End a process and give back what belongs to it; a fork of its owner gives back its own copies only."""
    if owner == os.getpid():
        child.kill()
        child.wait()
    ours.close()
    memory.close()
    os.close(errors)
