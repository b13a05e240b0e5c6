"""What goes between Python and the process of the CPU executor, and what both kinds of libraries keep of a failure."""

from __future__ import annotations

import ctypes
import pickle
import struct

from pencilc.ir.source import CType
from pencilc.records import dataclass
from pencilc.verify.cases import Argument

LENGTH = struct.Struct("<Q")
ALIGNMENT = 256


@dataclass(frozen=True, slots=True)
class WorkRequest:
    """One call: what goes by pointer lies at `offsets` in the memory, of which `size` bytes are used."""

    symbol: str
    returns: CType
    arguments: tuple[Argument, ...]
    offsets: tuple[int, ...]
    size: int


@dataclass(frozen=True, slots=True)
class WorkReply:
    """What came of a call: the bytes that it returned, CUDA's error with what failed, how many faults were reported."""

    returned: bytes
    code: int
    failed: str
    faults: int


def message(record: WorkRequest | WorkReply) -> bytes:
    """A record as it goes through the socket."""
    data = pickle.dumps(record)
    return LENGTH.pack(len(data)) + data


def failure_of(library: ctypes.CDLL) -> tuple[int, str]:
    """What the failure handler kept for this thread since it was last asked: CUDA's error, and what failed."""
    call, text = ctypes.create_string_buffer(1024), ctypes.create_string_buffer(1024)
    code = int(library.pencilc_python_failure(call, ctypes.c_size_t(len(call))))
    if not code:
        return 0, ""
    library.pencilc_python_error(ctypes.c_int(code), text, ctypes.c_size_t(len(text)))
    return code, f"{call.value.decode(errors='replace')}: {text.value.decode(errors='replace')}"
