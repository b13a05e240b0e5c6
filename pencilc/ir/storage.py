"""Where the variables of a region live on the device: one residence for each.  Stage: gpu."""

from __future__ import annotations

from typing import TypeAlias

import islpy as isl

from pencilc.records import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class Expanded:
    """A dimension that an iterator of a variable's scope needs: its greatest and its least value as functions of the
    parameters, `[n] -> { [(n - 1)] }`; the least is None where the iterator is never below zero and counts from there.
    """

    iterator: str
    largest: isl.PwAff
    least: isl.PwAff | None = None


# Of all iterators of a scope those that need one (parts/expansion.py); the others are loops on the host.
Expansion: TypeAlias = tuple[Expanded, ...]


@dataclass(frozen=True, slots=True)
class Home:
    """A part of a kernel that has a register of its own for a variable.

    `part` is prologue, body or post.  Of a stitched kernel it is that of a `stage`, or the `row` that all stages share.
    """

    kernel: str
    part: str
    stage: int | None = None

    def __str__(self) -> str:
        return f"{self.kernel} {self.part}" if self.stage is None else f"{self.kernel} stage {self.stage} {self.part}"


@dataclass(frozen=True, slots=True)
class Pointer:
    """An array parameter, or a scalar one that is written."""

    label = "pointer"


@dataclass(frozen=True, slots=True)
class Value:
    """A scalar parameter that is never written."""

    label = "value"


@dataclass(frozen=True, slots=True)
class Constant:
    """A constant global."""

    label = "constant"


@dataclass(frozen=True, slots=True)
class Result:
    """The return value."""

    label = "result"


@dataclass(frozen=True, slots=True)
class Uniform:
    """A local that `statement` computes from parameters alone: every kernel computes it for itself."""

    statement: str
    label = "uniform"


@dataclass(frozen=True, slots=True)
class Register:
    """A local of one thread; where several parts have one each, every one of them computes it for itself."""

    homes: tuple[Home, ...]
    label = "register"


@dataclass(frozen=True, slots=True)
class Element:
    """A local array of which every thread needs the element of its own point: a register of the parts `homes`."""

    homes: tuple[Home, ...]
    label = "element"


@dataclass(frozen=True, slots=True, eq=False)
class Workspace:
    """Device memory of the call.

    `interleaved`: the dimensions that iterators of the scope need stand behind the variable's own, so that threads that
    have an iteration each find their elements side by side.
    """

    expanded: Expansion = ()
    interleaved: bool = False
    label = "workspace"


@dataclass(frozen=True, slots=True, eq=False)
class InBlock:
    """Shared memory of a composed kernel, where a block has a row.

    `fixed`: leading subscripts that the row determines, which the copy of a row has not.  `memory`: where the variable
    is besides, from where it comes or where it goes; None where it lives in shared memory only.
    """

    expanded: Expansion
    fixed: int
    memory: Pointer | Workspace | None = None
    label = "shared"


Residence: TypeAlias = Pointer | Value | Constant | Result | Uniform | Register | Element | Workspace | InBlock


@dataclass(frozen=True, slots=True, eq=False)
class Storage:
    """Where the variable `array`, by the name of its symbol, lives."""

    array: str
    residence: Residence

    @property
    def is_in_memory(self) -> bool:
        """Whether kernels reach it through a pointer to device memory."""
        return isinstance(self.residence, Pointer | Workspace)

    @property
    def is_in_register(self) -> bool:
        """Whether a thread has it in a register."""
        return isinstance(self.residence, Register | Element)

    @property
    def homes(self) -> tuple[Home, ...]:
        """The parts of kernels that have a register of their own for the variable."""
        return self.residence.homes if isinstance(self.residence, Register | Element) else ()

    @property
    def is_interleaved(self) -> bool:
        """Whether elements of neighbouring iterations stand side by side."""
        return isinstance(self.residence, Workspace) and self.residence.interleaved

    @property
    def expanded(self) -> Expansion:
        """The dimensions that iterators of its scope need."""
        return self.residence.expanded if isinstance(self.residence, Workspace | InBlock) else ()
