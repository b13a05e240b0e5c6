"""The child process: load one library and make calls into it.

`python -m pencilc.verify.runner JOB FIRST PARENT LEFT_OUT`

Generated code may crash, hang or overwrite memory, so it never runs in the compiler's own process.
The child notes each call's start and end in the progress file, and leaves a pickled `Outcome` for it.
Every array stands between guard bytes, so that a copy-out that is too long shows; in a library with gcc's address
sanitizer nobody may touch what stands around it.
"""

from __future__ import annotations

import ctypes
import os
import pickle
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pencilc.verify.abi import by_value
from pencilc.verify.cases import GUARD, PLACED, UNUSABLE, Argument, Case, ChildCall, Job, Outcome
from pencilc.verify.leash import end_with

_GUARD = 256
_GUARD_BYTE = b"\xa5"
_TO_DEVICE, _TO_HOST = 1, 2


class _HostArray:
    """An array in host memory, between guards, at an address that is a multiple of 256 plus `shift`."""

    def __init__(self, data: bytes, shift: int) -> None:
        self.size = len(data)
        self._block = ctypes.create_string_buffer(_GUARD_BYTE * (len(data) + 3 * _GUARD + shift))
        start = ctypes.addressof(self._block)
        self.address = (start + 2 * _GUARD - 1) // _GUARD * _GUARD + shift
        ctypes.memmove(self.address, data, len(data))

    def read(self) -> bytes:
        """The present contents."""
        return ctypes.string_at(self.address, self.size)

    def guards_intact(self) -> bool:
        """Whether nothing before or after the array was written."""
        whole = self._block.raw
        first = self.address - ctypes.addressof(self._block)
        rest = whole[:first] + whole[first + self.size : -1]
        return rest.count(_GUARD_BYTE) == len(rest)


class _WatchedArray:
    """An array in host memory, around which the address sanitizer stops every access."""

    def __init__(self, data: bytes) -> None:
        self.size = len(data)
        self._sanitizer = ctypes.CDLL(None)
        self._sanitizer.malloc.restype = ctypes.c_void_p
        self._block = int(self._sanitizer.malloc(ctypes.c_size_t(self.size + 2 * GUARD)))
        self.address = self._block + GUARD
        ctypes.memmove(self.address, data, self.size)
        self._guards("poison")

    def read(self) -> bytes:
        """The present contents."""
        return ctypes.string_at(self.address, self.size)

    def guards_intact(self) -> bool:
        """True: the sanitizer ends the process otherwise. The memory is given back."""
        self._guards("unpoison")
        self._sanitizer.free(ctypes.c_void_p(self._block))
        return True

    def _guards(self, what: str) -> None:
        call = getattr(self._sanitizer, f"__asan_{what}_memory_region")
        for start in (self._block, self.address + self.size):
            call(ctypes.c_void_p(start), ctypes.c_size_t(GUARD))


class _Device:
    """The CUDA runtime that the library is linked with (or the executor's own)."""

    def __init__(self, library: ctypes.CDLL) -> None:
        self._library = library
        self._blocks: list[Any] = []
        self.stream = ctypes.c_void_p()
        self._check("cudaStreamCreate", ctypes.byref(self.stream))

    def _check(self, name: str, *arguments: Any) -> None:
        code = int(getattr(self._library, name)(*arguments))
        if code:
            raise RuntimeError(f"{name} returned {code}")

    def upload(self, data: bytes, shift: int) -> int:
        """Device memory with `data`, `shift` bytes into its block; 0 for an empty array."""
        if not data:
            return 0
        block = ctypes.c_void_p()
        self._check("cudaMalloc", ctypes.byref(block), ctypes.c_size_t(len(data) + shift))
        self._blocks.append(block)
        address = int(block.value or 0) + shift
        size = ctypes.c_size_t(len(data))
        self._check("cudaMemcpy", ctypes.c_void_p(address), ctypes.c_char_p(data), size, ctypes.c_int(_TO_DEVICE))
        return address

    def download(self, address: int, size: int) -> bytes:
        """The bytes at `address`."""
        if not size:
            return b""
        into = ctypes.create_string_buffer(size)
        self._check("cudaMemcpy", into, ctypes.c_void_p(address), ctypes.c_size_t(size), ctypes.c_int(_TO_HOST))
        return into.raw

    def synchronize(self) -> None:
        """Wait for the stream."""
        self._check("cudaStreamSynchronize", self.stream)

    def close(self) -> None:
        """Free everything."""
        for block in self._blocks:
            self._check("cudaFree", block)
        self._check("cudaStreamDestroy", self.stream)


def main(arguments: Sequence[str]) -> int:
    """Make the calls of the job from number `FIRST` on but for those of `LEFT_OUT`; end with the process `PARENT`."""
    end_with(int(arguments[2]))
    job: Job = pickle.loads(Path(arguments[0]).read_bytes())
    left_out = {int(number) for number in arguments[3].split(",") if number}
    library = ctypes.CDLL(str(job.library), mode=os.RTLD_LOCAL)
    with job.progress.open("a", buffering=1) as progress:
        for number in range(int(arguments[1]), len(job.calls)):
            if number in left_out:
                continue
            progress.write(f"start {number}\n")
            call = job.calls[number]
            if job.most_launches and hasattr(library, "cudacpu_limit_launches"):
                library.cudacpu_limit_launches(ctypes.c_ulonglong(job.most_launches))
            outcome = _guarded(library, call, job.watched)
            call.outcome.write_bytes(pickle.dumps(outcome))
            progress.write(f"done {number}\n")
            if outcome.problems:
                return UNUSABLE
    return 0


def _guarded(library: ctypes.CDLL, call: ChildCall, watched: bool) -> Outcome:
    """Make one call with standard error going to its own file; a fault of the call becomes a problem."""
    case: Case = pickle.loads(call.case.read_bytes())
    target = os.open(call.messages, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    saved = os.dup(2)
    os.dup2(target, 2)
    os.close(target)
    before = counter(library, "cudacpu_error_count"), counter(library, "cudacpu_launch_count")
    try:
        buffers, returned, problems = _make(library, call, case, watched)
    except (AttributeError, RuntimeError, ValueError, ctypes.ArgumentError) as error:
        buffers, returned, problems = (), b"", (str(error),)
    finally:
        os.dup2(saved, 2)
        os.close(saved)
    errors, launches = counter(library, "cudacpu_error_count"), counter(library, "cudacpu_launch_count")
    if errors is not None and before[0] is not None and errors > before[0]:
        said = _detector_lines(call.messages)
        problems = (*(said or (f"the executor counted {errors - before[0]} errors",)), *problems)
    made = None if launches is None or before[1] is None else launches - before[1]
    return Outcome(buffers, returned, made, problems, _traffic(library) if call.traffic else "")


def _count_traffic(library: ctypes.CDLL, call: ChildCall, on: bool) -> None:
    if call.traffic:
        library.cudacpu_count_traffic(int(on))


def _traffic(library: ctypes.CDLL) -> str:
    """What the executor counted during the last call."""
    text = library.cudacpu_traffic
    text.restype = ctypes.c_char_p
    return str(text().decode())


def counter(library: ctypes.CDLL, name: str) -> int | None:
    """A counter of the executor; None on a GPU."""
    try:
        return int(getattr(library, name)())
    except AttributeError:
        return None


def _detector_lines(messages: Path) -> tuple[str, ...]:
    lines = messages.read_text(errors="replace").splitlines()
    return tuple(line for line in lines if line.lower().startswith("cudacpu: error"))[:10]


def _make(
    library: ctypes.CDLL, call: ChildCall, case: Case, watched: bool
) -> tuple[tuple[bytes | None, ...], bytes, tuple[str, ...]]:
    if call.entry == "device":
        return _call_device(library, call, case)
    arrays = [_host_array(a, call, watched) if a.is_array else None for a in case.arguments]
    addresses = [0 if array is None else array.address for array in arrays]
    for number, array in enumerate(arrays):
        if watched and array is not None:
            os.write(2, f"{PLACED} {number} {array.address:#x}\n".encode())
    restype = by_value(case.returns)
    types, values = parameters(case.arguments, addresses)
    _count_traffic(library, call, True)
    result = _function(library, call, restype, types)(*values)
    _count_traffic(library, call, False)
    buffers = tuple(None if array is None else array.read() for array in arrays)
    problems = _left_behind(library) + tuple(
        f"memory outside of '{argument.name}' was written"
        for argument, array in zip(case.arguments, arrays, strict=True)
        if array is not None and not array.guards_intact()
    )
    returned = b"" if restype is None else value_bytes(restype, result)
    return buffers, returned, problems


def _host_array(argument: Argument, call: ChildCall, watched: bool) -> _HostArray | _WatchedArray:
    return _WatchedArray(argument.data) if watched else _HostArray(argument.data, argument.type.size * call.shift)


def _left_behind(library: ctypes.CDLL) -> tuple[str, ...]:
    """What a finished call owes, on the executor: copies that nobody waited for, memory that nobody will free.

    The queued work is run now, while the arrays of the call are still there.
    """
    pending = counter(library, "cudacpu_pending_copies")
    if pending is None:
        return ()
    library.cudaDeviceSynchronize()
    library.cudacpu_leaks()  # counts what it finds as errors
    return (f"the call returned before {pending} of its copies were made",) if pending else ()


def _call_device(
    library: ctypes.CDLL, call: ChildCall, case: Case
) -> tuple[tuple[bytes | None, ...], bytes, tuple[str, ...]]:
    device = _Device(library)
    shift = call.shift
    addresses = [device.upload(a.data, a.type.size * shift) if a.is_array else 0 for a in case.arguments]
    types, values = parameters(case.arguments, addresses)
    size = case.returns.size
    result = device.upload(b"\xff" * size, 0)
    if size:
        types, values = [*types, ctypes.c_void_p], [*values, result]
    function = _function(library, call, ctypes.c_int, [*types, ctypes.c_void_p])
    if call.traffic:
        names = [*(argument.name for argument in case.arguments), "return value"]
        for name, address in zip(names, [*addresses, result], strict=True):
            library.cudacpu_name(ctypes.c_void_p(address), name.encode())
    _count_traffic(library, call, True)
    code = int(function(*values, device.stream))
    device.synchronize()
    _count_traffic(library, call, False)
    buffers = tuple(
        device.download(address, len(a.data)) if a.is_array else None
        for a, address in zip(case.arguments, addresses, strict=True)
    )
    returned = device.download(result, size)
    device.close()
    problems = (f"{call.symbol} returned cudaError_t {code}",) if code else ()
    return buffers, returned, problems + _left_behind(library)


def parameters(arguments: Sequence[Argument], addresses: Sequence[int]) -> tuple[list[Any], list[Any]]:
    """The ctypes classes and the values of a call's arguments: `addresses` are those of the arrays."""
    types: list[Any] = []
    values: list[Any] = []
    for argument, address in zip(arguments, addresses, strict=True):
        kind = ctypes.c_void_p if argument.is_array else by_value(argument.type)
        types.append(kind)
        values.append(address if argument.is_array else kind.from_buffer_copy(argument.data))
    return types, values


def _function(library: ctypes.CDLL, call: ChildCall, restype: Any, types: list[Any]) -> Any:
    prototype = ctypes.CFUNCTYPE(restype, *types)
    if call.is_pointer:
        try:
            return prototype(ctypes.c_void_p.in_dll(library, call.symbol).value or 0)
        except ValueError as error:
            raise AttributeError(f"undefined symbol: {call.symbol}") from error
    return prototype((call.symbol, library))


def value_bytes(restype: Any, result: Any) -> bytes:
    """A simple type comes back as a Python number, a struct as itself."""
    return bytes(result if isinstance(result, ctypes.Structure) else restype(result))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
