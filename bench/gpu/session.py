"""Run cases: fill the buffers, check every contender's result, then time those that are right side by side."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Protocol

from bench.gpu.records import At, Buffer, Call, Case, Contender, Float, Int, Long, OnHost, Verdict
from pencilc.tune.device import Device, DeviceError
from pencilc.tune.measure import Plan, Rival, Timing, interleaved

FLOOR, CEILING = "empty kernel", "read only"


@dataclass(frozen=True, slots=True)
class Result:
    """One contender on one case: `status` is `ok`, `wrong`, or why it was not run; `bytes` are what it has to move."""

    case: Case
    contender: str
    status: str
    verdict: Verdict | None = None
    timing: Timing | None = None
    bytes: int = 0

    @property
    def bandwidth(self) -> float:
        """Bytes per second by the median; 0 where nothing was timed."""
        return self.bytes / self.timing.median if self.timing and self.timing.median else 0.0


class Torch(Protocol):
    """What `torch_peers.TorchPeers` offers."""

    def bind(self, case: Case, contender: Contender, addresses: Mapping[str, int]) -> Callable[[], None]:
        """A function that queues the contender's work."""

    def graph(self, run: Callable[[], None]) -> Callable[[], None]:
        """A function that replays it as a graph."""

    def forget(self) -> None:
        """Give back what the case took."""


@dataclass(frozen=True, slots=True)
class Libraries:
    """The built libraries by name, and why others are missing."""

    built: Mapping[str, ctypes.CDLL]
    missing: Mapping[str, str]


class Unavailable(Exception):
    """A contender cannot be run here; the message says why."""


class Session:
    """Cases on one device; `libraries.built["fill"]` fills memory."""

    def __init__(self, device: Device, libraries: Libraries, torch: Torch | None, why_no_torch: str = "") -> None:
        self.device, self.libraries, self.torch = device, libraries, torch
        self.why_no_torch = why_no_torch

    def run(self, case: Case, plan: Plan | None) -> list[Result]:
        """Check all contenders and, with a plan, time those that are right."""
        with ExitStack() as stack:
            work = _Work(self, case, stack)
            work.fill()
            results, rivals = [], dict[str, Rival]()
            for contender in case.contenders:
                result, rival = self._checked(work, contender)
                results.append(result)
                if rival is not None:
                    rivals[contender.name] = rival
                    rivals |= self._graphs(work, contender, rival) if case.graph else {}
            if self.torch is not None:
                stack.callback(self.torch.forget)
            return self._timed(work, results, rivals, plan) if plan is not None else results

    def _checked(self, work: _Work, contender: Contender) -> tuple[Result, Rival | None]:
        """The contender's result against the reference, and the rival if it is right."""
        try:
            run = work.bind(contender)
            work.fresh()
            run()
            self.device.synchronize()
        except (Unavailable, DeviceError) as error:
            return Result(work.case, contender.name, str(error)), None
        except Exception as error:  # What PyTorch raises is told and costs this contender alone.
            if not contender.torch:
                raise
            return Result(work.case, contender.name, f"{type(error).__name__}: {error}".splitlines()[0]), None
        verdict = work.case.check(work.download)
        if not verdict.ok:
            return Result(work.case, contender.name, "wrong", verdict), None
        before = work.restore if work.restored else None
        return Result(work.case, contender.name, "ok", verdict), Rival(run, contender.synchronous, before)

    def _graphs(self, work: _Work, contender: Contender, rival: Rival) -> dict[str, Rival]:
        """The same work replayed as a graph, where it can be captured."""
        if contender.synchronous:
            return {}
        if contender.torch:
            assert self.torch is not None
            return {f"{contender.name}, graph": Rival(self.torch.graph(rival.run))}
        graph = self.device.graph_of(rival.run)
        work.stack.callback(self.device.forget, graph)
        return {f"{contender.name}, graph": Rival(lambda: self.device.replay(graph))}

    def _timed(self, work: _Work, results: Sequence[Result], rivals: Mapping[str, Rival], plan: Plan) -> list[Result]:
        case, first = work.case, work.case.buffers[0]
        base = work.addresses[first.name] - first.shift_bytes
        beside = {
            FLOOR: Rival(self.device.empty),
            CEILING: Rival(lambda: self.device.read(base, first.bytes)),
        }
        timings = interleaved(self.device, {**rivals, **beside}, plan)
        done = []
        for result in results:
            names = [n for n in timings if n in (result.contender, f"{result.contender}, graph")]
            done += [Result(case, n, "ok", result.verdict, timings[n], case.traffic) for n in names] or [result]
        done.append(Result(case, FLOOR, "ok", None, timings[FLOOR]))
        done.append(Result(case, CEILING, "ok", None, timings[CEILING], first.bytes))
        return done


class _Work:
    """The memory of one case while it is run."""

    def __init__(self, session: Session, case: Case, stack: ExitStack) -> None:
        self.session, self.case, self.stack = session, case, stack
        self.device = session.device
        self.addresses: dict[str, int] = {}
        self.host: dict[str, ctypes.Array[ctypes.c_char]] = {}
        self.from_host: set[str] = set()
        self.restored = [b for b in case.buffers if b.restored]
        for buffer in case.buffers:
            address = self._allocate(buffer.bytes + buffer.shift_bytes)
            self.addresses[buffer.name] = address + buffer.shift_bytes

    def _allocate(self, size: int) -> int:
        address = self.device.allocate(size)
        self.stack.callback(self.device.free, address)
        return address

    def fill(self) -> None:
        """Write the inputs."""
        for buffer in self.case.buffers:
            if buffer.kind is not None:
                self._fill(buffer)
        self.device.synchronize()

    def _fill(self, buffer: Buffer) -> None:
        assert buffer.kind is not None
        code = self.session.libraries.built["fill"].bench_fill(
            int(buffer.kind), ctypes.c_void_p(self.addresses[buffer.name]), ctypes.c_longlong(buffer.count),
            buffer.seed, ctypes.c_longlong(buffer.parameter), ctypes.c_void_p(self.device.stream),
        )  # fmt: skip
        self.device.check(code, "bench_fill")

    def restore(self) -> None:
        """Write again what the work overwrites."""
        for buffer in self.restored:
            self._fill(buffer)

    def fresh(self) -> None:
        """No result of an earlier contender is left: outputs are filled with ones (NaN in every floating type)."""
        self.restore()
        for buffer in self.case.buffers:
            if buffer.kind is None:
                self.device.set(self.addresses[buffer.name], 0xFF, buffer.bytes)
        for memory in self.host.values():
            ctypes.memset(memory, 0xFF, len(memory))
        self.device.synchronize()

    def download(self, name: str) -> bytes:
        """The bytes of a buffer, from where the last bound contender writes it."""
        if name in self.from_host:
            return self.host[name].raw
        (buffer,) = [b for b in self.case.buffers if b.name == name]
        return self.device.download(self.addresses[name], buffer.bytes)

    # ---- contenders

    def bind(self, contender: Contender) -> Callable[[], None]:
        """A function that queues the contender's work; raises Unavailable."""
        arguments = [a for call in contender.calls for a in call.arguments]
        self.from_host = {a.buffer for a in arguments if isinstance(a, OnHost)}
        if contender.torch:
            if self.session.torch is None:
                raise Unavailable(self.session.why_no_torch or "no PyTorch")
            return self.session.torch.bind(self.case, contender, self.addresses)
        runs = [self._bind(call) for call in contender.calls]

        def all_of_them() -> None:
            for run in runs:
                run()

        return runs[0] if len(runs) == 1 else all_of_them

    def _bind(self, call: Call) -> Callable[[], None]:
        library = self.session.libraries.built.get(call.library)
        if library is None:
            raise Unavailable(self.session.libraries.missing.get(call.library, "not built"))
        function = getattr(library, call.symbol)
        values = [self._value(a) for a in call.arguments]
        stream, check = ctypes.c_void_p(self.device.stream), self.device.check
        if call.temporary:
            size = ctypes.c_size_t()
            check(function(None, ctypes.byref(size), *values, stream), call.symbol)
            temporary = ctypes.c_void_p(self._allocate(size.value))
            values = [temporary, ctypes.byref(size), *values]
        return lambda: check(function(*values, stream), call.symbol)

    def _value(self, argument: object) -> object:
        match argument:
            case At(buffer, offset):
                return ctypes.c_void_p(self.addresses[buffer] + offset)
            case Int(value):
                return ctypes.c_int(value)
            case Long(value):
                return ctypes.c_longlong(value)
            case Float(value):
                return ctypes.c_float(value)
            case OnHost(name):
                (size,) = [b.bytes for b in self.case.buffers if b.name == name]
                return self.host.setdefault(name, ctypes.create_string_buffer(size))
        raise TypeError(argument)
