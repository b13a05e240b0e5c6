"""What porting finds out, function by function."""

from __future__ import annotations

from typing import Literal

from pencilc.diagnostics.source import Span
from pencilc.records import dataclass

Status = Literal["ported", "left", "ready", "helper"]
# Why a function that makes an array for itself is left.
ALLOCATED = "memory is allocated here; hand the array over as a parameter"


class CannotPort(Exception):
    """A function is left as it is: why, where in the file that stands, and what can be written instead."""

    def __init__(self, reason: str, span: Span | None = None, helps: tuple[str, ...] = ()) -> None:
        self.reason = reason
        self.span = span
        self.helps = helps
        super().__init__(reason)


class HiddenByMacro(CannotPort):
    """What would have to be changed is made by a macro."""


@dataclass(frozen=True, slots=True)
class Replacement:
    """`new` in place of the text from offset `start` to `end`."""

    start: int
    end: int
    new: str


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that stands in the way, at a line of the file as it was, and what is written instead."""

    line: int
    obstacle: str
    change: str


@dataclass(frozen=True, slots=True)
class PortChanges:
    """The changes to the file that a pass makes, with what they are for and what they take for granted."""

    edits: tuple[Replacement, ...]
    steps: tuple[Step, ...] = ()
    promises: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PortedFunction:
    """What becomes of one function that holds loops.

    `ported`: its text changes, `new_name` is what is compiled and `parallel` says whether threads share its work;
    `ready`: it is compiled as it stands; `left`: it stays, for the reason given, at `span`, and `helps` say what can be
    written there.
    """

    name: str
    span: Span
    status: Status
    reason: str = ""
    new_name: str = ""
    steps: tuple[Step, ...] = ()
    promises: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    helps: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Ported:
    """The file before and after, and its functions in order; `checked` tells what running both has shown.

    `wrappers` are the texts of new functions with old heads, which the patch shows as such.
    """

    path: str
    before: str
    after: str
    functions: tuple[PortedFunction, ...]
    checked: tuple[str, ...] = ()
    wrappers: tuple[str, ...] = ()

    @property
    def is_incomplete(self) -> bool:
        """Whether a function with loops, other than the program itself, is left as it was."""
        return any(function.status == "left" and function.name != "main" for function in self.functions)
