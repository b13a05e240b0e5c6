"""The child process that measures (`python -m pencilc.tune.worker JOB`): a bad candidate must not end the search.

For each problem the library with the start values computes what is right; every candidate must compute the same
(within rounding: another block size is another tree) and is then timed, all in turns.
"""

from __future__ import annotations

import ctypes
import pickle
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from pencilc.records import dataclass
from pencilc.tune.device import Device, DeviceError
from pencilc.tune.measure import Plan, Rival, Timing, interleaved
from pencilc.verify.abi import by_value
from pencilc.verify.cases import Argument, Case, Outcome
from pencilc.verify.compare import compare

# Results are compared element by element in Python, so of long arrays only the beginning is.
COMPARED = 2**16
START = 0  # the number of the library with the start values


@dataclass(frozen=True, slots=True)
class Work:
    """What a child is to measure: `libraries[0]` has the start values.

    `device`: the library of `native/device.cu`; None where each candidate's library holds its own (the CPU executor).
    """

    device: Path | None
    libraries: tuple[Path, ...]
    cases: tuple[Path, ...]  # pickled `Case`s
    plan: Plan
    answer: Path


@dataclass(frozen=True, slots=True)
class Measured:
    """What was found for one library: the timing of each problem, or why there is none."""

    timings: tuple[Timing, ...] = ()
    reason: str = ""


class _Memory:
    """The arrays of one problem on a device; all candidates on it use the same."""

    def __init__(self, device: Device, case: Case) -> None:
        self.device, self.case = device, case
        self._blocks: list[int] = []
        self.arrays = [self._array(argument) for argument in case.arguments]
        self.result = self._allocate(case.returns.size) if case.returns.size else 0

    def _allocate(self, size: int) -> int:
        self._blocks.append(self.device.allocate(size))
        return self._blocks[-1]

    def _array(self, argument: Argument) -> tuple[int, int]:
        """The address of an array, and that of its first contents if the call changes them."""
        if not argument.is_array or not argument.data:
            return 0, 0
        addresses = [self._allocate(len(argument.data)) for _ in range(1 + argument.written)]
        for address in addresses:
            self.device.upload(address, argument.data)
        return addresses[0], addresses[1] if argument.written else 0

    def restore(self) -> None:
        """Bring back what a call overwrites."""
        for argument, (address, original) in zip(self.case.arguments, self.arrays, strict=True):
            if original:
                self.device.copy(address, original, len(argument.data))

    def outcome(self) -> Outcome:
        """What is there now."""
        buffers = tuple(
            self.device.download(address, len(a.data)) if a.is_array and a.data else b"" if a.is_array else None
            for a, (address, _) in zip(self.case.arguments, self.arrays, strict=True)
        )
        size = self.case.returns.size
        return Outcome(buffers, self.device.download(self.result, size) if size else b"")

    def close(self) -> None:
        """Give the memory back."""
        for address in self._blocks:
            self.device.free(address)


class _Bound:
    """One library called on the arrays of one problem."""

    def __init__(self, memory: _Memory, library: ctypes.CDLL) -> None:
        self.memory, self.device, self.case = memory, memory.device, memory.case
        self._function = getattr(library, f"{self.case.function}_device")
        self._values = [self._value(a, at) for a, (at, _) in zip(self.case.arguments, memory.arrays, strict=True)]
        self._values += [ctypes.c_void_p(memory.result)] if memory.result else []

    @staticmethod
    def _value(argument: Argument, address: int) -> Any:
        if argument.is_array:
            return ctypes.c_void_p(address)
        return by_value(argument.type).from_buffer_copy(argument.data)

    def run(self) -> None:
        """Queue one call."""
        code = int(self._function(*self._values, ctypes.c_void_p(self.device.stream)))
        self.device.check(code, f"{self.case.function}_device")

    def outcome(self) -> Outcome:
        """What one call leaves behind."""
        self.memory.restore()
        self.run()
        self.device.synchronize()
        return self.memory.outcome()

    def rival(self) -> Rival:
        """The call as the measuring loop takes it."""
        changes = any(original for _, original in self.memory.arrays)
        return Rival(self.run, before=self.memory.restore if changes else None)


def measure(work: Work) -> list[Measured]:
    """Check and time every library on every problem."""
    libraries = [ctypes.CDLL(str(path)) for path in work.libraries]
    if work.device is None:
        devices = [Device(library, flush=False) for library in libraries]
    else:
        devices = [Device(ctypes.CDLL(str(work.device)))]
    reasons = [""] * len(libraries)
    timings: list[list[Timing]] = [[] for _ in libraries]
    for path in work.cases:
        case: Case = pickle.loads(path.read_bytes())
        memories = [_Memory(device, case) for device in devices]
        bound = [_Bound(memories[n % len(memories)], library) for n, library in enumerate(libraries)]
        expected = bound[START].outcome()
        for number, one in enumerate(bound):
            reasons[number] = reasons[number] or (_judged(one, expected) if number else "")
        alive = [number for number, reason in enumerate(reasons) if not reason]
        for number, timing in _timed(bound, alive, work.plan, work.device is None).items():
            timings[number].append(timing)
        for memory in memories:
            memory.close()
    return [Measured((), reason) if reason else Measured(tuple(t)) for t, reason in zip(timings, reasons, strict=True)]


def _judged(bound: _Bound, expected: Outcome) -> str:
    """Why a candidate is out; empty if its results are right."""
    try:
        got = bound.outcome()
    except DeviceError as error:
        return str(error)
    if got.buffers == expected.buffers and got.returned == expected.returned:
        return ""
    case, want, have = _beginnings(bound.case, expected, got)
    found = compare(case, want, have)
    return f"computes something else: {found.first[0]}" if found.wrong else ""


def _beginnings(case: Case, *outcomes: Outcome) -> tuple[Case, Outcome, Outcome]:
    """The case and two outcomes with long arrays cut off."""
    arguments = []
    for argument in case.arguments:
        short = argument
        if argument.is_array and argument.count > COMPARED:
            short = replace(argument, shape=(COMPARED,), data=argument.data[: COMPARED * argument.type.size])
        arguments.append(short)
    first, second = (
        replace(o, buffers=tuple(b[: len(a.data)] if b else b for a, b in zip(arguments, o.buffers, strict=True)))
        for o in outcomes
    )
    return replace(case, arguments=tuple(arguments), exact=False), first, second


def _timed(bound: Sequence[_Bound], alive: Sequence[int], plan: Plan, has_own_device: bool) -> dict[int, Timing]:
    """All in turns on one device; one after the other where each has a device of its own."""
    if has_own_device:
        each = (interleaved(bound[n].device, {str(n): bound[n].rival()}, plan) for n in alive)
        return {int(name): timing for found in each for name, timing in found.items()}
    rivals = {str(n): bound[n].rival() for n in alive}
    return {int(name): timing for name, timing in interleaved(bound[START].device, rivals, plan).items()}


def main(words: Sequence[str]) -> int:
    """Read the job, write the answer."""
    work: Work = pickle.loads(Path(words[0]).read_bytes())
    work.answer.write_bytes(pickle.dumps(measure(work)))
    return 0


if __name__ == "__main__":
    # The records that are pickled must belong to the module, not to `__main__`.
    from pencilc.tune import worker

    sys.exit(worker.main(sys.argv[1:]))
