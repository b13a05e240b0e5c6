"""The kernel AST: what the templates print, one macro for each node.

Texts are finished C++; the templates add loops, names and braces and decide nothing.  Stage: codegen.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Line:
    """One line of C++."""

    text: str
    node: str = field(default="line", init=False)


@dataclass(frozen=True, slots=True)
class For:
    """`for (init; condition; step) body`."""

    init: str
    condition: str
    step: str
    body: tuple[Node, ...]
    node: str = field(default="for", init=False)


@dataclass(frozen=True, slots=True)
class If:
    """`if (condition) then else otherwise`."""

    condition: str
    then: tuple[Node, ...]
    otherwise: tuple[Node, ...] = ()
    node: str = field(default="if", init=False)


@dataclass(frozen=True, slots=True)
class LoadVector:
    """A run of contiguous elements that chunks are loaded from: `first` is the address of the first element."""

    register: str
    type: str
    first: str
    run: str
    wide: str


@dataclass(frozen=True, slots=True)
class Segment:
    """A run of `count` points, dealt out to `size` threads of which this one is number `rank`.

    Each thread takes chunks of `width` points, `in_flight` of them before the first is used; `element` is what
    happens to one point.  `point` is the value of the iterator at run index `x` (None if it is not used).
    """

    element: str
    parameters: tuple[str, ...]
    body: tuple[Node, ...]
    rank: str
    size: str
    count: str
    point: str | None
    loads: tuple[LoadVector, ...]
    width: int
    in_flight: int
    sets: int
    uses_point: bool = False
    uses_row: bool = False
    node: str = field(default="segment", init=False)


Node: TypeAlias = Line | For | If | Segment


@dataclass(frozen=True, slots=True)
class AccumulatorMember:
    """One reduction of a kernel inside its accumulator: `suffix` selects it (`.sum`, or nothing if alone)."""

    suffix: str
    name: str
    type: str
    operator: str
    init_function: str
    identity: str | None  # the operator's own identity, None: what the init function says
    warp_instruction: str | None  # `__reduce_add_sync` and its kind, for 32-bit integers
    direct: bool  # a shuffle takes the type as it is


@dataclass(frozen=True, slots=True)
class Accumulator:
    """The values that a thread of a kernel carries: one member for each reduction."""

    name: str
    type: str
    is_struct: bool
    members: tuple[AccumulatorMember, ...]


@dataclass(frozen=True, slots=True)
class KernelFunction:
    """One `__global__` function; `shape` picks the template that composes its parts."""

    name: str
    shape: str
    comment: tuple[str, ...]
    parameters: tuple[str, ...]
    arguments: tuple[str, ...]
    block: int
    accumulator: Accumulator | None
    prologue: tuple[Node, ...]
    kept: tuple[str, ...]  # lines that recover the kept iterators from `row` (or column)
    body: tuple[Node, ...]
    post: tuple[Node, ...]
    segment: Segment | None = None
    index: str = "long long"  # C type of flat indices
    first: bool = True  # whether it is the first function of its kernel, which brings what they share
    uniform: tuple[str, ...] = ()  # lines that compute scalars from parameters, first of all
    launch: dict[str, object] = field(default_factory=dict)
