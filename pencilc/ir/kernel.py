"""The tree of a kernel: typed statements and expressions, and the building blocks that templates print.

Simple statements and expressions are those of `ir/source.py`, read as C++ (see `ir/build.py`).  Stage: codegen.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Literal, TypeAlias

from pencilc.diagnostics.source import Span
from pencilc.ir.build import ONE
from pencilc.ir.geometry import Geometry
from pencilc.ir.source import (
    EXPRESSIONS,
    ArrayType,
    Assign,
    Call,
    CallStmt,
    CType,
    Declare,
    Expr,
    IntLiteral,
    Jump,
    Name,
    PointerType,
    Return,
    Scalar,
    Struct,
    Symbol,
    walk,
)

SimpleStatement: TypeAlias = Declare | Assign | CallStmt | Jump | Return


@dataclass(frozen=True, slots=True)
class For:
    """`for (iterator = lower; iterator relation bound; iterator += step) body`; `declares` its iterator or not."""

    iterator: Symbol
    lower: Expr
    bound: Expr
    body: tuple[Node, ...]
    step: Expr = ONE
    relation: str = "<"
    declares: bool = True


@dataclass(frozen=True, slots=True)
class WhileLoop:
    """`while (condition) body`; `do_first` for do-while."""

    condition: Expr
    body: tuple[Node, ...]
    do_first: bool


@dataclass(frozen=True, slots=True)
class If:
    """`if (condition) then else otherwise`."""

    condition: Expr
    then: tuple[Node, ...]
    otherwise: tuple[Node, ...] = ()


@dataclass(frozen=True, slots=True)
class Switch:
    """`switch (value)`: the call for each case, and the one for any other value."""

    value: Expr
    cases: tuple[tuple[int, CallStmt], ...]
    default: CallStmt


@dataclass(frozen=True, slots=True)
class SharedDecl:
    """An array in the shared memory of a block: `count` elements, or what the launch provides where that is None."""

    name: str
    type: CType
    count: int | None


@dataclass(frozen=True, slots=True)
class Sync:
    """All threads of the scope meet, and see what each of them has written."""

    scope: Literal["block"]


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a function of the output; of a pointer, `is_const` and `restrict` are those of its elements."""

    name: str
    type: CType
    is_const: bool = False
    restrict: bool = False
    reference: bool = False


@dataclass(frozen=True, slots=True)
class LoadVector:
    """A run of contiguous elements that chunks are loaded from: `first` is the address of the first element.

    `register` is one element, `registers` are chunks of them.
    """

    register: str
    type: CType
    first: Expr
    run: str
    wide: str
    registers: str


@dataclass(frozen=True, slots=True)
class Segment:
    """A run of `count` points, dealt out to `size` threads of which this one is number `rank`.

    Each thread takes chunks of `width` points, `in_flight` of them before the first is used; `element` is what
    happens to one point.  `point` is the value of the iterator at run index `x` (None if it is not used).
    """

    element: str
    parameters: tuple[Parameter, ...]
    body: tuple[Node, ...]
    rank: Expr
    size: Expr
    count: Expr
    point: Expr | None
    loads: tuple[LoadVector, ...]
    width: int
    in_flight: int
    sets: int
    uses_point: bool = False
    uses_row: bool = False
    node: str = field(default="segment", init=False)


Node: TypeAlias = SimpleStatement | For | WhileLoop | If | Switch | SharedDecl | Sync | Segment


# ---- what the output takes over from the source ------------------------------------------------------


@dataclass(frozen=True, slots=True)
class StructDefinition:
    """A struct of the source."""

    struct: Struct
    always = True

    @property
    def name(self) -> str:
        """The name of the source."""
        return self.struct.name


@dataclass(frozen=True, slots=True)
class NamedConstant:
    """An enumeration constant; printed where it is named."""

    name: str
    value: int
    always = False


@dataclass(frozen=True, slots=True)
class Table:
    """A constant global; `kind` says in which memory it is."""

    kind: str
    name: str
    type: CType
    init: Expr
    always = True


@dataclass(frozen=True, slots=True)
class DeviceFunction:
    """A helper, operator or init function of the source; printed where it is named, or where others may call it.

    `for_host`: the host runs it too, with the body `on_host` where that differs; `always`: other files call it, as
    `link_name` where that is not its name.
    """

    name: str
    returns: CType
    parameters: tuple[Parameter, ...]
    body: tuple[Node, ...]
    for_host: bool = False
    on_host: tuple[Node, ...] = ()
    always: bool = False
    link_name: str = ""


@dataclass(frozen=True, slots=True)
class PencilFunction:
    """A function of pencil.h; printed where it is named.  `on_host`: as the host has it, if the host calls it."""

    name: str
    lines: tuple[str, ...]
    on_host: tuple[str, ...] = ()
    always = False


Definition: TypeAlias = StructDefinition | NamedConstant | Table | DeviceFunction | PencilFunction


# ---- what nodes name -------------------------------------------------------------------------------


def names_of(*values: object) -> set[str]:
    """The variables, functions and constants that nodes, expressions and records of them name, without members."""
    found: set[str] = set()
    for expr in expressions_in(values):
        for node in walk(expr):
            if isinstance(node, Name):
                found.add(node.symbol.name)
            elif isinstance(node, Call):
                found.add(called_name(node))
            elif isinstance(node, IntLiteral) and node.name:
                found.add(node.name)
    return found


def variables_of(*values: object) -> set[str]:
    """The variables that nodes, expressions and records of them name."""
    return {n.symbol.name for expr in expressions_in(values) for n in walk(expr) if isinstance(n, Name)}


def uses(nodes: object, name: str) -> bool:
    """Whether `name` occurs in `nodes`."""
    return name in names_of(nodes)


def called_name(call: Call) -> str:
    """The function that is called, without the template arguments that its name may end with."""
    return call.function.partition("<")[0]


def expressions_in(value: object) -> Iterator[Expr]:
    """The outermost expressions in a node or record, in order."""
    kind = type(value)
    if kind in EXPRESSIONS:
        yield value  # type: ignore[misc]
    elif kind is tuple or kind is list:
        for item in value:  # type: ignore[attr-defined]
            yield from expressions_in(item)
    elif kind is dict:
        for item in value.values():  # type: ignore[attr-defined]
            yield from expressions_in(item)
    else:
        for name in _fields_of(kind):  # type: ignore[arg-type]
            yield from expressions_in(getattr(value, name))


@cache
def _fields_of(kind: type) -> tuple[str, ...]:
    """The fields that may hold expressions; types hold those of extents, which are numbers in generated code."""
    if issubclass(kind, Symbol | Scalar | Struct | ArrayType | PointerType | Span):
        return ()
    names = getattr(kind, "__dataclass_fields__", {})
    return tuple(name for name in names if name not in ("type", "span", "returns"))


@dataclass(frozen=True, slots=True)
class AccumulatorMember:
    """One reduction of a kernel inside its accumulator: `suffix` selects it (`.sum`, or nothing if alone)."""

    suffix: str
    name: str
    type: CType
    operator: str
    init_function: str
    identity: Expr | None  # the operator's own identity, None: what the init function says
    warp_instruction: str | None  # `__reduce_add_sync` and its kind, for 32-bit integers
    direct: bool  # a shuffle takes the type as it is
    size: int = 0  # bytes
    by_memory: bool = False  # lanes hand it on through shared memory, because it is too large for shuffles
    cascade: CType | None = None  # the type in which a thread carries it, where that is not `type`


@dataclass(frozen=True, slots=True)
class Butterfly:
    """Members of one type with one operator that a warp combines together: lanes end with different members.

    `slots`: how many members each of 32 lanes ends with.
    """

    name: str
    type: CType
    operator: str
    members: tuple[AccumulatorMember, ...]
    slots: int


@dataclass(frozen=True, slots=True)
class Accumulator:
    """The values that threads of a kernel combine, one member for each reduction.

    `carried` is the type in which a thread carries them: `type` itself, unless a sum is cascaded.
    """

    name: str
    type: CType
    is_struct: bool
    members: tuple[AccumulatorMember, ...]
    carried: CType
    butterflies: tuple[Butterfly, ...] = ()

    @property
    def is_cascade(self) -> bool:
        """Whether what a thread carries must become one value first."""
        return self.carried != self.type

    @property
    def single(self) -> tuple[AccumulatorMember, ...]:
        """The members that are combined one by one."""
        together = {m.name for b in self.butterflies for m in b.members}
        return tuple(m for m in self.members if m.name not in together)

    @property
    def by_memory(self) -> bool:
        """Whether a member is handed on through shared memory."""
        return any(m.by_memory for m in self.members)


@dataclass(frozen=True, slots=True)
class BinSet:
    """The bins of one reduction of an INDIRECT kernel: `count` of them for a kept point, `at` is bin `@bin`.

    `home` adds `@total` to it, if anything does; `type` is that of partial results.

    `atomic` applies the operator atomically: a function of CUDA on the type `word`, or `swap`, a loop; it is empty
    where values are put in order.  `filled` lists the (offset, size) of the bytes of the type that are no padding.
    For a sort: `is_indexed` where the places of values are sorted and not they themselves, a bucket is 1 << `shift`
    bins with a copy for each of `warps` warps, and at most `pairs` are sorted at once.
    """

    name: str
    stem: str
    type: CType
    size: int
    operator: str
    init_function: str
    identity: Expr | None
    count: Expr
    constant: int | None
    at: Expr
    home: Assign | None
    atomic: str
    word: str
    filled: tuple[tuple[int, int], ...]
    is_indexed: bool
    warps: int
    shift: int
    pairs: int


@dataclass(frozen=True, slots=True)
class OrderedUpdate:
    """One update of an element where values are put in order: the name of its function and the bins it updates."""

    name: str
    bins: BinSet


@dataclass(frozen=True, slots=True)
class Runs:
    """Points in rows whose length is data: `count` runs, of which `starts` tells where the points of each begin.

    `inner` points lie in each place of a run.  `points` is what the host takes for the number of all points;
    `starts` is the name of the array on the host.
    """

    count: Expr
    inner: Expr
    points: Expr
    starts: str


@dataclass(frozen=True, slots=True)
class Scatter:
    """What the functions of an INDIRECT kernel are made of.

    The points of a kept point are `outers` runs of `inner` contiguous ones; chunks of `width` points are dealt out.
    `kept` recovers the kept iterators from `@row`; `address` those that the loads need and `recover` those that the
    element needs, both from the number of the run, `@outer`, and the place in it, `@x`.  Where rows have lengths that
    are data, `runs` says what takes the place of `outers` and `inner`.
    """

    bins: tuple[BinSet, ...]
    sites: tuple[OrderedUpdate, ...]
    rows: Expr
    outers: Expr
    inner: Expr | None
    kept: tuple[Node, ...]
    address: tuple[Node, ...]
    recover: tuple[Node, ...]
    parameters: tuple[Parameter, ...]
    uses_outer: bool
    uses_point: bool
    loads: tuple[LoadVector, ...]
    width: int
    in_flight: int
    fixed_tree: bool
    runs: Runs | None = None


@dataclass(frozen=True, slots=True)
class RowAccess:
    """Elements of a row in registers: `register` is declared, `chunk` is the part of it for chunk `c`.

    `first` is the address of the row's first element, `run` and `wide` are names for it and for its alignment;
    `registers` are several chunks.
    """

    register: str
    chunk: Expr
    type: CType
    first: Expr | None
    run: str
    wide: str
    registers: str


@dataclass(frozen=True, slots=True)
class SharedValue:
    """Elements of a row in shared memory: a chunk of them is in `register` while it is worked on.

    They begin at `name`, behind `offset` bytes for each element of the row; each takes the place of `factor` of them.
    """

    register: str
    type: CType
    name: str
    offset: int
    factor: int


@dataclass(frozen=True, slots=True)
class StageCode:
    """A stage of a stitched kernel: a loop over the elements of this thread, an exchange, what follows.

    `loads` fetch the whole row before the loop; `chunks` live in the loop, `fetches` and `stores` move them.
    `point` recovers the iterators of element `x`.  `part` is the shared memory of the exchange.  `by_one_thread` is
    done by one thread of the row.  Where elements are scattered, `gathers` are the loads of element `x`.
    `defines`: no kernel of its own brings the functions of the accumulator.
    Of a row in shared memory, `recalls` are read from there before a chunk is worked on, and `keeps` written behind it.
    """

    comment: str
    has_elements: bool
    accumulator: Accumulator | None
    part: str
    number: int  # among the exchanges
    loads: tuple[RowAccess, ...]
    gathers: tuple[Node, ...]
    chunks: tuple[RowAccess, ...]
    fetches: tuple[RowAccess, ...]
    point: tuple[Node, ...]
    body: tuple[Node, ...]
    stores: tuple[RowAccess, ...]
    post: tuple[Node, ...]
    by_one_thread: tuple[Node, ...]
    defines: bool = False
    recalls: tuple[SharedValue, ...] = ()
    keeps: tuple[SharedValue, ...] = ()


@dataclass(frozen=True, slots=True)
class StitchCode:
    """What a stitched kernel has besides its head: `declares` are registers that live across stages.

    `warps` is the number of warps that have a row, at most.  `shared_values` are the values of a row in shared memory,
    of which `in_flight` chunks are loaded before the first is kept.
    """

    width: int
    items: tuple[int, ...]
    scattered: bool
    across: bool
    whole: bool  # there is only one row, which the whole grid may share
    count: Expr
    declares: tuple[RowAccess, ...]
    row_lines: tuple[Node, ...]
    stages: tuple[StageCode, ...]
    warps: int
    shared_values: tuple[SharedValue, ...] = ()
    in_flight: int = 1


@dataclass(frozen=True, slots=True)
class HelperCall:
    """A device function beside a kernel: the macro that prints it, as `shapes.cuh.j2` calls it, and its arguments."""

    macro: str
    arguments: tuple[object, ...]


@dataclass(frozen=True, slots=True)
class KernelFunction:
    """One `__global__` function; `shape` picks the template that composes its parts."""

    name: str
    shape: str
    comment: tuple[str, ...]
    parameters: tuple[Parameter, ...]
    arguments: tuple[Expr, ...]
    block: int
    accumulator: Accumulator | None
    prologue: tuple[Node, ...]
    kept: tuple[Node, ...]  # what recovers the kept iterators from `row` (or column)
    body: tuple[Node, ...]
    post: tuple[Node, ...]
    segment: Segment | None = None
    index: str = "long long"  # C type of flat indices
    workers: int = 0  # of a fixed tree: as in `Kernel`
    layout: str = ""  # as in `Geometry`
    first: bool = True  # whether it is the first function of its kernel, which brings what they share
    scatter: Scatter | None = None  # of an INDIRECT kernel
    only: str = ""  # of an INDIRECT kernel: the bins that the function is for, if not for all
    extra: tuple[tuple[Parameter, Expr], ...] = ()  # further parameters with the arguments at the launch
    uniform: tuple[Node, ...] = ()  # what computes scalars from parameters, first of all
    resident: int = 1  # blocks that must fit on an SM together, which limits the registers
    launch: dict[str, object] = field(default_factory=dict)
    stitch: StitchCode | None = None
    sets: int = 1  # accumulators of a thread

    @property
    def at(self) -> Geometry:
        """How the place of a thread is spelled."""
        return Geometry(self.layout, self.block)

    @property
    def composed_by(self) -> str:
        """The macro that composes the parts, by the name that `shapes.cuh.j2` has for it."""
        if self.workers and self.shape in ("all", "row_blocks"):
            return f"{self.shape}_fixed"
        if self.shape == "column" and self.at.is_block:
            return "column_in_block"
        return self.shape

    @property
    def helpers(self) -> tuple[HelperCall, ...]:
        """The device functions that this one brings: what all functions of the kernel share, and its own."""
        found = []
        if self.scatter is not None and self.first:
            # Atomics on the bins themselves, the only form then, leave no partial results.
            found.append(HelperCall("bins", (self.scatter, self.shape != "indirect_global")))
        value, is_column = self.accumulator, self.shape == "column"
        if value is None:
            return tuple(found)
        if self.first:
            # Lanes combine with the operator itself, and so does a block.
            by_lanes = self.shape in ("row_lanes", "all") and self.at.is_block and self.sets == 1
            found.append(HelperCall("accumulator", (value, self.shape != "row_in_block" and not by_lanes)))
            found += [] if is_column else [HelperCall("warp", (value, self.block))]
            found += [HelperCall("cascade", (value,))] if value.is_cascade else []
        if self.shape == "row_in_block":
            found.append(HelperCall("lanes", (value,)))
        if is_column:
            assert self.segment is not None
            width, lanes = self.segment.width, self.launch["lanes"]
            fixed = HelperCall("fixed_columns", (value, width, lanes))
            found.append(fixed if self.workers else HelperCall("columns", (value, width, self.block, self.at)))
        elif self.shape in ("all", "row_blocks"):
            block = HelperCall("block", (value, self.block, self.at.is_block))
            found.append(HelperCall("finish", (value,)) if self.workers else block)
        return tuple(found)
