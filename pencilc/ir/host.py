"""The host side of a region: launches in their loops and conditions, what is copied, and the functions of its entry
point, which become trees of nodes (codegen/entry_bodies.py).  Stage: kernels.
"""

from __future__ import annotations

from dataclasses import field
from typing import TypeAlias

from pencilc.ir.build import generated_type
from pencilc.ir.definitions import Definition
from pencilc.ir.kernel import KernelFunction
from pencilc.ir.launches import KernelLaunch
from pencilc.ir.nodes import Node, Parameter
from pencilc.ir.source import CType, Declare, Expr, Factor
from pencilc.records import dataclass


@dataclass(frozen=True, slots=True)
class HostFor:
    """`for (type name = lower; name < upper; name += step)` around launches; `counts_once`: whether one iteration tells
    how much memory all of them take.  `factor`: what leads to the next value in place of `step`.
    """

    type: CType
    name: str
    lower: Expr
    upper: Expr
    step: int
    inner: tuple[HostNode, ...]
    counts_once: bool = False
    factor: Factor | None = None
    kind: str = field(default="for", init=False)


@dataclass(frozen=True, slots=True)
class HostIf:
    """`if (condition)` around launches."""

    condition: Expr
    inner: tuple[HostNode, ...]
    kind: str = field(default="if", init=False)


@dataclass(frozen=True, slots=True)
class HostLet:
    """`const type name = lower;` in front of launches."""

    type: CType
    name: str
    lower: Expr
    inner: tuple[HostNode, ...]
    kind: str = field(default="let", init=False)


@dataclass(frozen=True, slots=True)
class Fallback:
    """Launches for which the fused kernel `name` stands, where it did not run; `workspace` reserves what they need."""

    name: str
    inner: tuple[HostNode, ...]
    workspace: tuple[Node, ...] = ()
    kind: str = field(default="unless", init=False)


@dataclass(frozen=True, slots=True)
class PointsOfLaunch:
    """How many independent points the next launch of `function`, for `kernel`, has.

    Unless it `begins`, the larger number of this and those told before counts.
    """

    kernel: str
    function: str
    points: Expr
    begins: bool


@dataclass(frozen=True, slots=True)
class CountedLaunch:
    """A launch with the points of the functions that it may start, which the CPU executor is told ahead of it.

    Only what is run to record launches has such nodes (codegen/recorded.py).
    """

    points: tuple[PointsOfLaunch, ...]
    inner: tuple[HostNode, ...]
    kind: str = field(default="counted", init=False)


HostNode: TypeAlias = HostFor | HostIf | HostLet | Fallback | CountedLaunch | KernelLaunch


@dataclass(frozen=True, slots=True)
class RangePart:
    """A piece of the touched range: elements `first`..`last` when `condition` holds (None: always)."""

    condition: Expr | None
    first: Expr
    last: Expr


@dataclass(frozen=True, slots=True)
class HostArray:
    """An array parameter of the host entry."""

    name: str
    type: CType
    count: Expr
    parts: tuple[RangePart, ...]
    copy_in: bool
    copy_out: bool
    is_written: bool
    cleared: bool = False


# What functions on device pointers return.
ERROR = generated_type("cudaError_t")


@dataclass(frozen=True, slots=True)
class EntryFunction:
    """One of the functions of an entry point.

    `node`: what it is, "queue", "device", "workspace", "device_in" or "host"; or "link_name", which is a declaration.
    `symbol`: the name of the region.  All but the one on host pointers return an error of CUDA.
    """

    node: str
    symbol: str
    name: str
    parameters: tuple[Parameter, ...]
    body: tuple[Node, ...]
    returns: CType = ERROR


@dataclass(frozen=True, slots=True)
class Entry:
    """Both entry points of a region: what they are made of, and the `functions` which that becomes."""

    name: str
    symbol: str  # the name for the linker and for C; `name` is what C++ allows
    returns: CType
    result: bool
    zero: str
    device_parameters: tuple[Parameter, ...]
    in_parameters: tuple[Parameter, ...]
    workspace_parameters: tuple[Parameter, ...]
    queue_parameters: tuple[Parameter, ...]  # of the function that all of these call, if there is scratch memory
    queue_arguments: tuple[Expr, ...]
    counting_arguments: tuple[Expr, ...]
    host_parameters: tuple[Parameter, ...]
    arguments: tuple[Expr, ...]
    arrays: tuple[HostArray, ...]
    compared: tuple[HostArray, ...]  # the arrays among which those that are written may share memory with no other
    refused: Expr | None  # where the sizes are none that the function takes
    products: tuple[Declare, ...]  # products of parameters that the launches name
    copied_products: tuple[Declare, ...]  # those that what is copied depends on
    workspace: tuple[Node, ...]
    flags: tuple[str, ...]  # fused kernels for which whether they fit is asked in other braces as well
    items: tuple[HostNode, ...]
    uses_multiprocessors: bool
    uses_scratch: bool
    waits: bool  # for data on which the launches depend, perhaps
    functions: tuple[EntryFunction, ...] = ()

    @property
    def is_renamed(self) -> bool:
        """Whether C++ allows another name than the linker is to see."""
        return self.symbol != self.name


@dataclass(frozen=True, slots=True)
class KernelFile:
    """All that a file consists of, before it is text: what it takes over from `source`, kernels, entry points.

    `named` are the names that stand in it, which tell what else it needs.
    """

    source: str
    types: tuple[Definition, ...]
    helpers: tuple[Definition, ...]
    kernels: tuple[KernelFunction, ...]
    entries: tuple[Entry, ...]
    named: frozenset[str]
