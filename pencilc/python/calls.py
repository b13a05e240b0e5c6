"""What both kinds of libraries are asked: a call with checked arguments, and what came of it."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

from pencilc.python.arguments import GivenCall
from pencilc.python.entries import EntryPoint
from pencilc.records import dataclass
from pencilc.verify.cases import Argument


@dataclass(frozen=True, slots=True)
class HostResult:
    """What a call on host pointers left behind: the bytes that it returned, and by name those of written scalars."""

    returned: bytes
    scalars: dict[str, bytes]


class HostCaller(Protocol):
    """A library that can be called with arrays in host memory; `path` is its file."""

    path: Path

    def run_host(self, entry: EntryPoint, call: GivenCall) -> HostResult:
        """Call the entry on host pointers and wait for it; arrays are written in place.  Raises CallFailed."""


def passed(call: GivenCall) -> tuple[Argument, ...]:
    """The arguments as the call is made with them: what goes by pointer counts as an array."""
    return tuple(
        Argument(
            given.expected.name,
            given.expected.type,
            given.array is not None or given.expected.goes_by_pointer,
            given.expected.is_written,
            given.array.shape if given.array is not None else (),
            given.data,
        )
        for given in call.arguments
    )
