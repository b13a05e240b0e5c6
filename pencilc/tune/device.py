"""The device through `native/device.cu`, by ctypes; it needs nothing but Python and the built library."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from pathlib import Path

from pencilc.records import dataclass

SOURCE = Path(__file__).resolve().parent / "native" / "device.cu"

# The cache is flushed by reading this many times its size, at least the second figure in bytes.
FLUSH_TIMES, FLUSH_LEAST = 3, 128 * 2**20


class DeviceError(Exception):
    """A CUDA call failed; the message names it."""


class _Info(ctypes.Structure):
    _fields_ = (
        ("name", ctypes.c_char * 256),
        *((field, ctypes.c_int) for field in ("major", "minor", "multiprocessors", "l2_bytes", "clock_khz")),
        ("driver", ctypes.c_int),
        ("runtime", ctypes.c_int),
        ("memory_bytes", ctypes.c_ulonglong),
    )


@dataclass(frozen=True, slots=True)
class DeviceInfo:
    """What a result has to say of the machine that it was taken on."""

    name: str
    capability: int  # 90 for sm_90
    multiprocessors: int
    l2_bytes: int
    clock_hz: float
    driver: str  # the newest CUDA version that the driver knows
    runtime: str
    memory_bytes: int


def _version(number: int) -> str:
    return f"{number // 1000}.{number % 1000 // 10}"


class Device:
    """A stream with everything that `measure` asks for; also memory and graphs.  Raises DeviceError."""

    def __init__(self, library: ctypes.CDLL, flush: bool = True) -> None:
        self._library = library
        library.measure_error.restype = ctypes.c_char_p
        library.measure_stream.restype = ctypes.c_void_p
        self.info = self._info()
        flush_bytes = max(FLUSH_TIMES * self.info.l2_bytes, FLUSH_LEAST) if flush else 0
        self._state = ctypes.c_void_p()
        self._call("measure_open", ctypes.byref(self._state), ctypes.c_size_t(flush_bytes))
        self.stream = int(library.measure_stream(self._state) or 0)

    def _call(self, name: str, *arguments: object) -> None:
        self.check(int(getattr(self._library, name)(*arguments)), name)

    def check(self, code: int, what: str) -> None:
        """Raise DeviceError unless `code` is cudaSuccess."""
        if code:
            raise DeviceError(f"{what}: {self._library.measure_error(code).decode()}")

    def _info(self) -> DeviceInfo:
        found = _Info()
        self._call("measure_info_of", ctypes.byref(found))
        return DeviceInfo(
            found.name.decode(), 10 * found.major + found.minor, found.multiprocessors, found.l2_bytes,
            1e3 * found.clock_khz, _version(found.driver), _version(found.runtime), found.memory_bytes,
        )  # fmt: skip

    def close(self) -> None:
        """Give back the stream, the events and the buffer for the flush."""
        self._call("measure_close", self._state)

    # ---- timing

    def prepare(self, spin_s: float) -> None:
        """See `measure.Timer`."""
        self._call("measure_prepare", self._state, ctypes.c_longlong(int(spin_s * self.info.clock_hz)))

    def begin(self) -> None:
        """See `measure.Timer`."""
        self._call("measure_begin", self._state)

    def end(self) -> None:
        """See `measure.Timer`."""
        self._call("measure_end", self._state)

    def is_queued(self) -> bool:
        """See `measure.Timer`."""
        queued = ctypes.c_int()
        self._call("measure_is_queued", self._state, ctypes.byref(queued))
        return bool(queued.value)

    def finish(self) -> float:
        """See `measure.Timer`."""
        milliseconds = ctypes.c_float()
        self._call("measure_finish", self._state, ctypes.byref(milliseconds))
        return milliseconds.value / 1e3

    def synchronize(self) -> None:
        """Wait for the stream."""
        self._call("measure_synchronize", self._state)

    # ---- what every table shows beside the results

    def empty(self) -> None:
        """Queue an empty kernel: the floor of any launch."""
        self._call("measure_empty", self._state)

    def read(self, address: int, size: int) -> None:
        """Queue a kernel that reads `size` bytes from an address that is a multiple of 16, and nothing else."""
        self._call("measure_read", self._state, ctypes.c_void_p(address), ctypes.c_size_t(size))

    # ---- memory

    def allocate(self, size: int) -> int:
        """Device memory of `size` bytes, at an address that is a multiple of 256."""
        pointer = ctypes.c_void_p()
        self._call("measure_malloc", ctypes.byref(pointer), ctypes.c_size_t(max(size, 1)))
        return int(pointer.value or 0)

    def free(self, address: int) -> None:
        """Give it back."""
        self._call("measure_free", ctypes.c_void_p(address))

    def set(self, address: int, value: int, size: int) -> None:
        """Fill with a byte, in stream order."""
        self._call("measure_set", self._state, ctypes.c_void_p(address), ctypes.c_int(value), ctypes.c_size_t(size))

    def copy(self, to: int, address: int, size: int) -> None:
        """Copy on the device, in stream order."""
        self._call("measure_copy", self._state, ctypes.c_void_p(to), ctypes.c_void_p(address), ctypes.c_size_t(size))

    def upload(self, address: int, data: bytes) -> None:
        """Copy to the device and wait."""
        self._call("measure_upload", self._state, ctypes.c_void_p(address), data, ctypes.c_size_t(len(data)))

    def download(self, address: int, size: int) -> bytes:
        """Copy from the device and wait."""
        into = ctypes.create_string_buffer(size)
        self._call("measure_download", self._state, into, ctypes.c_void_p(address), ctypes.c_size_t(size))
        return into.raw[:size]

    # ---- graphs

    def graph_of(self, run: Callable[[], None]) -> int:
        """A graph of what `run` queues."""
        made = ctypes.c_void_p()
        self._call("measure_capture", self._state)
        try:
            run()
        finally:
            self._call("measure_captured", self._state, ctypes.byref(made))
        return int(made.value or 0)

    def replay(self, graph: int) -> None:
        """Queue a graph."""
        self._call("measure_replay", self._state, ctypes.c_void_p(graph))

    def forget(self, graph: int) -> None:
        """Give a graph back."""
        self._call("measure_forget", ctypes.c_void_p(graph))


def no_gpu() -> str:
    """Why no CUDA device can be used here; empty if one can."""
    try:
        driver = ctypes.CDLL("libcuda.so.1")
    except OSError:
        return "no CUDA driver is installed (libcuda.so.1)"
    count = ctypes.c_int()
    code = driver.cuInit(0) or driver.cuDeviceGetCount(ctypes.byref(count))
    if code:
        return f"the CUDA driver finds no device (error {code})"
    return "" if count.value else "the CUDA driver finds no device"


def capability() -> int:
    """The compute capability of the first device, 90 for sm_90; only where `no_gpu` is empty."""
    driver = ctypes.CDLL("libcuda.so.1")
    device, major, minor = ctypes.c_int(), ctypes.c_int(), ctypes.c_int()
    driver.cuInit(0)
    driver.cuDeviceGet(ctypes.byref(device), 0)
    driver.cuDeviceGetAttribute(ctypes.byref(major), 75, device)
    driver.cuDeviceGetAttribute(ctypes.byref(minor), 76, device)
    return 10 * major.value + minor.value
