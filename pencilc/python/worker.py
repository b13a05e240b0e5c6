"""The process in which the CPU executor runs (`python -m pencilc.python.worker LIBRARY SOCKET MEMORY PARENT`).

Generated code may crash, hang or end its process, and the executor does so where it finds no way to go on: Python's own
process is none of that.  Requests come through a socket, arrays lie in memory that both processes map.
"""

from __future__ import annotations

import ctypes
import mmap
import os
import pickle
import sys
import threading
import time
from collections.abc import Sequence

from pencilc.python.exchange import LENGTH, WorkReply, WorkRequest, failure_of, message
from pencilc.verify.abi import by_value
from pencilc.verify.runner import counter, parameters, value_bytes


class _Memory:
    """The memory of the calls, mapped anew when it has grown."""

    def __init__(self, file: int) -> None:
        self._file = file
        self._map: mmap.mmap | None = None
        self._start: ctypes.c_char | None = None

    def address(self, size: int) -> int:
        """Where it begins, once it holds `size` bytes."""
        if self._map is None or len(self._map) < size:
            self._start = None
            if self._map is not None:
                self._map.close()
            self._map = mmap.mmap(self._file, 0)
            self._start = ctypes.c_char.from_buffer(self._map)
        assert self._start is not None
        return ctypes.addressof(self._start)


def _answer(library: ctypes.CDLL, memory: _Memory, request: WorkRequest) -> WorkReply:
    start = memory.address(request.size)
    addresses = [start + offset for offset in request.offsets]
    types, values = parameters(request.arguments, addresses)
    restype = by_value(request.returns)
    before = counter(library, "cudacpu_error_count") or 0
    result = ctypes.CFUNCTYPE(restype, *types)((request.symbol, library))(*values)
    code, failed = failure_of(library)
    faults = (counter(library, "cudacpu_error_count") or 0) - before
    return WorkReply(b"" if restype is None else value_bytes(restype, result), code, failed, faults)


def _received(socket: int, count: int) -> bytes:
    """So many bytes; fewer where the other end was closed."""
    data = b""
    while len(data) < count and (more := os.read(socket, count - len(data))):
        data += more
    return data


def _end_with(parent: int) -> None:
    """End when `parent` has ended, whatever the generated code does at that time.

    The kernel's own signal for that would come with the end of the thread that started this process.
    """
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(1)


def main(words: Sequence[str]) -> int:
    """Serve calls until the other end of the socket is closed."""
    library, socket, memory = ctypes.CDLL(words[0]), int(words[1]), _Memory(int(words[2]))
    threading.Thread(target=_end_with, args=(int(words[3]),), daemon=True).start()
    while len(head := _received(socket, LENGTH.size)) == LENGTH.size:
        request: WorkRequest = pickle.loads(_received(socket, *LENGTH.unpack(head)))
        reply = message(_answer(library, memory, request))
        while reply:
            reply = reply[os.write(socket, reply) :]
    # The end of the process is no end of a program, at which the executor would look for what was left behind.
    os._exit(0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
