"""The tree of a kernel: statements, and what nodes name.

Simple statements and expressions are those of `ir/source.py`, read as C++ (see `ir/build.py`).  Stage: codegen.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from functools import cache
from typing import ClassVar, Literal, TypeAlias, cast

from pencilc.diagnostics.source import Span
from pencilc.ir.accumulators import Accumulator
from pencilc.ir.build import ONE, UNSIGNED
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
from pencilc.records import dataclass

SimpleStatement: TypeAlias = Declare | Assign | CallStmt | Jump | Return


class BuildingBlock:
    """A building block: printed by a macro of its own, told by `node` (templates/macros.j2).

    The others are told by their class.  What a block is given at the launch, besides what its expressions name, it says
    itself (`given`).  `is_line`: its text is one statement.  `is_dealt`: it deals out work to threads, which all have
    to come to it.
    """

    __slots__ = ()

    is_line: ClassVar[bool] = False
    is_dealt: ClassVar[bool] = False


@dataclass(frozen=True, slots=True)
class For:
    """`for (iterator = lower; iterator relation bound; iterator += step) body`; `declares` its iterator or not.

    `is_rare`: it is seldom done more than once, and nvcc is told not to unroll it.  `is_covered`: it is done once at
    most, for there are as many threads as iterations, and it is written as an `if`.  `is_unrolled`: nvcc is told to
    unroll it.
    """

    iterator: Symbol
    lower: Expr
    bound: Expr
    body: tuple[Node, ...]
    step: Expr = ONE
    relation: str = "<"
    declares: bool = True
    is_rare: bool = False
    is_covered: bool = False
    is_unrolled: bool = False


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


Node: TypeAlias = SimpleStatement | For | WhileLoop | If | Switch | SharedDecl | BuildingBlock


@dataclass(frozen=True, slots=True)
class Sync(BuildingBlock):
    """All threads of the scope meet, and see what each of them has written.

    "launch": all blocks, which are resident together; or those of the only one.  `why`, for the reader.
    """

    node: ClassVar[str] = "sync"

    scope: Literal["launch", "block", "warp"]
    why: str = ""

    @property
    def given(self) -> tuple[Parameter, ...]:
        """The barrier of the launch."""
        return (BARRIER,) if self.scope == "launch" else ()


@dataclass(frozen=True, slots=True)
class Braces(BuildingBlock):
    """Nodes between braces of their own: what they declare is there for them alone."""

    node: ClassVar[str] = "braces"

    body: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a function of the output; of a pointer, `is_const` and `restrict` are those of its elements.

    `default`: what it is where a call gives nothing.
    """

    name: str
    type: CType
    is_const: bool = False
    restrict: bool = False
    reference: bool = False
    default: str = ""


# What the blocks of a grid that are resident together meet at.
BARRIER = Parameter("@barrier", PointerType(UNSIGNED))


def names_of(*values: object) -> set[str]:
    """The variables, functions and constants that nodes, expressions and records of them name, without members."""
    found: set[str] = set()
    for expr in expressions_in(values):
        for node in walk(expr):
            if isinstance(node, Name):
                found.add(node.symbol.name)
            elif isinstance(node, Call):
                found.add(node.function)
            elif isinstance(node, IntLiteral) and node.name:
                found.add(node.name)
    return found


def variables_of(*values: object) -> set[str]:
    """The variables that nodes, expressions and records of them name."""
    return {n.symbol.name for expr in expressions_in(values) for n in walk(expr) if isinstance(n, Name)}


def values_taken(body: tuple[Node, ...], by_assignment: Callable[[Assign], set[str]]) -> set[str]:
    """The variables whose values nodes take; of an assignment those that `by_assignment` tells."""
    found: set[str] = set()
    pending: list[object] = [body]
    while pending:
        record = pending.pop()
        kind: type = type(record)
        if isinstance(record, Assign):
            found |= by_assignment(record)
        elif kind in EXPRESSIONS:
            found |= variables_of(record)
        elif isinstance(record, tuple):
            pending += record
        else:
            if isinstance(record, For):
                found.add(record.iterator.name)
            pending += (getattr(record, name) for name in fields_with_expressions(kind))
    return found


def uses(nodes: object, name: str) -> bool:
    """Whether `name` occurs in `nodes`."""
    return name in names_of(nodes)


def expressions_in(value: object) -> Iterator[Expr]:
    """The outermost expressions in a node or record, in order."""
    pending = [value]
    while pending:
        record = pending.pop()
        kind: type = type(record)
        if kind in EXPRESSIONS:
            yield record  # type: ignore[misc]
        elif kind is tuple or kind is list:
            pending += record[::-1]  # type: ignore[index]
        else:
            pending += [getattr(record, name) for name in _fields_backwards(kind)]


@cache
def fields_with_expressions(kind: type) -> tuple[str, ...]:
    """The fields of a record that may hold expressions or nodes; extents in types are numbers in generated code."""
    if issubclass(kind, Symbol | Scalar | Struct | ArrayType | PointerType | Span):
        return ()
    if not is_dataclass(kind):
        return ()
    return tuple(each.name for each in fields(kind) if each.name not in ("type", "span", "returns"))


def blocks_in(value: object) -> Iterator[Node]:
    """All building blocks and statements in nodes, those inside of others behind these."""
    for record in _records_in(value):
        kind: type = type(record)
        if _is_node(kind):
            yield cast(Node, record)


def accumulators_in(nodes: tuple[Node, ...]) -> tuple[Accumulator, ...]:
    """What the building blocks of a function combine."""
    return tuple({record.name: record for record in _records_in(nodes) if isinstance(record, Accumulator)}.values())


def _records_in(value: object) -> Iterator[object]:
    """Nodes and the records that they have, those inside of others behind these; without expressions and types."""
    pending = [value]
    while pending:
        record = pending.pop()
        kind: type = type(record)
        if kind is tuple:
            pending += record[::-1]  # type: ignore[index]
        elif kind not in _WITHOUT_RECORDS:
            yield record
            pending += [getattr(record, name) for name in _fields_backwards(kind)]


_WITHOUT_RECORDS = EXPRESSIONS | frozenset((str, int, bool, float, type(None)))


@cache
def _is_node(kind: type) -> bool:
    """Whether a class is one of nodes: asked once for each, as there are many records."""
    return issubclass(kind, Node)


@cache
def _fields_backwards(kind: type) -> tuple[str, ...]:
    return fields_with_expressions(kind)[::-1]


def left_for_blocks(ctype: CType, suffix: str = "") -> tuple[Parameter, ...]:
    """Where blocks leave for each other what they have, and the tickets that tell who is the last."""
    partials = Parameter(f"@partials{suffix}", PointerType(ctype))
    return partials, Parameter(f"@tickets{suffix}", PointerType(UNSIGNED))
