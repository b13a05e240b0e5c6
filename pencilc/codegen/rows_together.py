"""What a thread of a plain kernel loads for several rows at once, before it does the work of the first of them.

A thread that has rows below each other, and stores what it makes of one before it loads what the next needs, has the
loads of a single row in flight: 16 KB of a multiprocessor for two arrays of floats, where an H200 wants 48.  No row
reads what another one writes, so that all loads may come first; nvcc does not know that, and does not move them over a
division or a store by itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from pencilc.codegen.cexpr import expression
from pencilc.codegen.unread import without_unread
from pencilc.gpu.shapes.element_code import element_code
from pencilc.gpu.shapes.launch import bytes_to_have_in_flight
from pencilc.ir.build import binary, cast, declare, element, number, plus, times, variable
from pencilc.ir.nodes import For, Node, names_of
from pencilc.ir.queries import may_write
from pencilc.ir.rewrite import replaced
from pencilc.ir.scop import Scop
from pencilc.ir.shapes import Kernel
from pencilc.ir.source import (
    INT,
    AddressOf,
    ArrayType,
    Assign,
    Binary,
    Call,
    Declare,
    Expr,
    Index,
    MemberOf,
    Name,
    PointerType,
    Scalar,
    Ternary,
    children,
    walk,
)
from pencilc.records import dataclass
from pencilc.target import Target

# Rows whose code is unrolled have no more than so many instructions, all together.
MOST_CODE = 160
_K = variable("@k")


def rows_together(kernel: Kernel, scop: Scop, target: Target, loop: For, most: int) -> For:
    """The `loop` over the rows of a thread with the loads of several rows ahead of what is done with them: of as many,
    a power of two and `most` at most, as a thread needs for its share of what is to be in flight.

    The loop itself where that is one row, or where nothing can be loaded ahead.
    """
    row = _row(loop)
    if row is None:
        return loop
    # As much as rows of reductions have in flight (gpu/shapes/policy.py).
    wanted = bytes_to_have_in_flight(target) * 5 / 4 / target.threads_per_sm
    code = element_code(kernel, scop)
    count = 1
    while count * row.bytes < wanted and 2 * count <= most and 2 * count * code <= MOST_CODE:
        count *= 2
    return _ahead(loop, row, count) if count > 1 else loop


@dataclass(frozen=True, slots=True)
class _Load:
    """An element that each row loads, and where it waits for the row: `name[k]` of the k-th of them."""

    name: str
    value: Index

    @property
    def here(self) -> Expr:
        """The element of the row that `@k` numbers."""
        return element(variable(self.name, ArrayType(self.value.type, None)), _K, self.value.type)


@dataclass(frozen=True, slots=True)
class _Row:
    """What a row loads, the names that its subscripts need, and the row with what was loaded."""

    loads: tuple[_Load, ...]
    before: tuple[Node, ...]
    body: tuple[Node, ...]

    @property
    def bytes(self) -> int:
        """Bytes of its loads."""
        return sum(load.value.type.size for load in self.loads)


def _row(loop: For) -> _Row | None:
    """None where a row is more than values and assignments to elements, or loads nothing that is its own."""
    nodes = tuple(_written_out(node) for node in loop.body)
    if not all(_is_plain(node) for node in nodes):
        return None
    parts = [each for node in nodes for each in walk(node)]  # type: ignore[arg-type]
    if any(isinstance(each, AddressOf) or (isinstance(each, Call) and may_write(each)) for each in parts):
        return None
    moving, known = {loop.iterator.name}, {loop.iterator.name}
    before: list[Declare] = []
    found: dict[str, _Load] = {}
    written: set[str] = set()
    body: list[Node] = []
    local = {node.symbol.name for node in nodes if isinstance(node, Declare)} | {loop.iterator.name}
    for node in nodes:
        for load in _sure_loads(node):
            names = names_of(load.index)
            is_own = bool(names & moving) and _array(load) not in written
            if is_own and names & local <= known and not _has(load.index, Index, Call):
                found.setdefault(expression(load), _Load(_name(_array(load), found), load))
        body.append(_with_loaded(node, found, written))
        match node:
            case Declare(init=init) if init is not None:
                if names_of(init) & moving:
                    moving.add(node.symbol.name)
                if names_of(init) & local <= known and not _has(init, Index, Call, MemberOf):
                    known.add(node.symbol.name)
                    before.append(node)
            case Assign(target=Index() as target):
                written.add(_array(target))
    loads = tuple(found.values())
    # What only the subscripts of loads were made of is not there twice.
    return _Row(loads, _needed(loads, before), without_unread(tuple(body))) if loads else None


def _has(value: Expr, *kinds: type) -> bool:
    """Whether some part of a value is of one of these kinds."""
    return any(isinstance(each, kinds) for each in walk(value))


def _name(array: str, found: dict[str, _Load]) -> str:
    """Where the next element of an array waits."""
    taken = {each.name for each in found.values()}
    wish = name = f"@{array.lstrip('@')}_ahead"
    number = 0
    while name in taken:
        number += 1
        name = f"{wish}{number}"
    return name


def _needed(loads: tuple[_Load, ...], before: list[Declare]) -> tuple[Node, ...]:
    """Of the names from before the loads those that their subscripts are made of."""
    needed = {name for load in loads for name in names_of(load.value.index)}
    for node in reversed(before):
        if node.symbol.name in needed:
            needed |= names_of(node.init)
    return tuple(node for node in before if node.symbol.name in needed)


def _written_out(node: Node) -> Node:
    """`a[i] op= v` as `a[i] = (T)(a[i] op v)`, where that is one operation of the machine."""
    if not (isinstance(node, Assign) and node.compound and isinstance(node.target, Index)):
        return node
    kind = node.target.type
    if not (isinstance(kind, Scalar) and kind.size >= INT.size):
        return node
    value: Expr = binary(node.compound, node.target, node.value)
    return replace(node, value=value if value.type == kind else cast(kind, value), compound="")


def _is_plain(node: Node) -> bool:
    match node:
        case Declare():
            return node.init is not None and isinstance(node.symbol.type, Scalar)
        case Assign(target=Index(base=Name())):
            return not node.compound
    return False


def _array(load: Index) -> str:
    assert isinstance(load.base, Name)
    return load.base.symbol.name


def _sure_loads(node: Node) -> Iterator[Index]:
    """The elements of arrays in memory that a row loads, whatever their values are."""
    match node:
        case Declare(init=init) if init is not None:
            pending: list[Expr] = [init]
        case Assign(target=Index() as target):
            pending = [node.value, target.index]
        case _:
            return
    while pending:
        match pending.pop():
            case Ternary() as each:
                pending.append(each.condition)
            case Binary(op="&&" | "||") as each:
                pending.append(each.left)
            case MemberOf():
                pass
            case Index(base=Name() as base) as each:
                if isinstance(base.type, PointerType):
                    yield each
                pending.append(each.index)
            case each:
                pending += reversed(children(each))  # type: ignore[arg-type]


def _with_loaded(node: Node, found: dict[str, _Load], written: set[str]) -> Node:
    """A node with what was loaded in place of elements, but for those of arrays that the row has written."""

    def change(part: object) -> Expr | None:
        if isinstance(part, Index) and isinstance(part.base, Name) and _array(part) not in written:
            load = found.get(expression(part))
            return load.here if load is not None else None
        return None

    if isinstance(node, Assign) and isinstance(node.target, Index):
        subscript = replaced(node.target.index, change)
        return replace(node, target=replace(node.target, index=subscript), value=replaced(node.value, change))
    return replaced(node, change)  # type: ignore[no-any-return]


def _ahead(loop: For, row: _Row, count: int) -> For:
    """The loop over `count` rows at a time: first what they load, then what is done with it."""
    kind = loop.iterator.type
    first = variable("@first_row", kind)
    of_row = replace(loop, lower=plus(first, times(_K, loop.step)), is_rare=False, is_covered=True)
    loads = tuple(Assign(load.here, load.value, load.value.span) for load in row.loads)
    parts = ((*row.before, *loads), row.body)
    each = tuple(
        For(_K.symbol, number(0), number(count), (replace(of_row, body=part),), is_unrolled=True) for part in parts
    )
    arrays = tuple(declare(load.name, ArrayType(load.value.type, number(count))) for load in row.loads)
    return replace(loop, iterator=first.symbol, body=(*arrays, *each), step=times(number(count), loop.step))
