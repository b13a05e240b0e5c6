"""Which rows of a kernel are ragged loops, and whether their bounds can be evaluated where the loops are generated."""

from __future__ import annotations

from collections.abc import Sequence as Seq
from fractions import Fraction

import islpy as isl

from pencilc import islx
from pencilc.analysis.affinity import outermost_indices, subscripts
from pencilc.analysis.box import Domains, image
from pencilc.ir.queries import mentions_any, names_in, plain_name
from pencilc.ir.ragged_loops import bounds_key, ragged_depths, used_depths
from pencilc.ir.schedule import Band, Leaf, Row, Sequence, Tree, statements_of
from pencilc.ir.scop import ArrayKind, Loop, Scop, Statement
from pencilc.ir.source import Expr, Name, extents
from pencilc.records import dataclass


@dataclass(frozen=True, slots=True)
class RaggedRow:
    """A row that is the ragged loop at position `depth` around `statement`, and around all others below the row."""

    statement: str
    depth: int


def ragged_row(scop: Scop, row: Row, statements: Seq[str]) -> RaggedRow | None:
    """Which ragged loop `row` is on `statements`; None if it is none."""
    for name in statements:
        record = scop.statement(name)
        for depth in ragged_depths(record):
            if factor(row, record, depth):
                return RaggedRow(name, depth)
    return None


def factor(row: Row, statement: Statement, depth: int) -> int:
    """The factor of the iterator at `depth` of `statement` in `row`; 0 where the row is not on the statement."""
    function = islx.pw_affs_of(row.function).get(statement.name)
    factors = islx.coefficients(function) if function is not None else None
    return factors[depth] if factors is not None else 0


def shift(row: Row, statement: Statement, depth: int) -> int | None:
    """The constant c if `row` is the iterator at `depth` plus c on `statement`; None otherwise."""
    found = signed_shift(row, statement, depth)
    return found[1] if found is not None and found[0] == 1 else None


def signed_shift(row: Row, statement: Statement, depth: int) -> tuple[int, int] | None:
    """The sign s and the constant c if `row` is s times the iterator at `depth` plus c on `statement`: a loop that goes
    downwards is the row -i.  None otherwise.
    """
    function = islx.pw_affs_of(row.function).get(statement.name)
    factors = islx.coefficients(function) if function is not None else None
    if function is None or factors is None or abs(factors[depth]) != 1:
        return None
    if any(factor for position, factor in enumerate(factors) if position != depth):
        return None
    aff: isl.Aff = islx.pieces(function)[0][1]
    constant = aff.get_constant_val()
    if not constant.is_int() or any(
        not aff.get_coefficient_val(isl.dim_type.param, k).is_zero() for k in range(aff.dim(isl.dim_type.param))
    ):
        return None
    return int(factors[depth]), int(constant.to_python())


def unavailable(scop: Scop, host: Seq[Row], kept: Seq[Row], reduced: Seq[Row], body: Tree | None) -> str:
    """Why a ragged loop of the kernel with these rows cannot be generated; empty if all can."""
    if body is None:
        return ""
    names = statements_of(body)
    if not any(ragged_depths(scop.statement(name)) for name in names):
        return ""
    if any(ragged_row(scop, row, names) for row in (*host, *kept)):
        return "rows of data-dependent length would be dealt out by the host"
    # A scalar that is computed in front of the loop, and a value of the region's own, is its bound on purpose.
    written = {
        scop.array(a.array).symbol.name
        for n in names
        for a in scop.statement(n).accesses
        if a.kind.writes and (scop.statement(n).is_ragged or not _is_scalar(scop, a.array))
    }
    bounds = [e for name in names for loop in scop.statement(name).loops for e in loop.evaluated]
    if any(mentions_any(bound, *written) for bound in bounds):
        return "the loops change the bounds of their rows"
    return _walk(scop, (*host, *kept), Band(tuple(reduced), body))


def _is_scalar(scop: Scop, name: str) -> bool:
    array = scop.array(name)
    return array.kind is ArrayKind.LOCAL and not array.extents


def _walk(scop: Scop, around: tuple[Row, ...], tree: Tree) -> str:
    match tree:
        case Leaf():
            return ""
        case Sequence():
            return next((why for child in tree.children if (why := _walk(scop, around, child))), "")
        case Band():
            names = statements_of(tree)
            for position, row in enumerate(tree.rows):
                if why := _row(scop, (*around, *tree.rows[:position]), row, names):
                    return why
            return _walk(scop, (*around, *tree.rows), tree.child)


def _row(scop: Scop, around: tuple[Row, ...], row: Row, names: Seq[str]) -> str:
    """Why `row` below the rows `around` cannot be generated."""
    found = ragged_row(scop, row, names)
    if found is None:
        return ""
    first = scop.statement(found.statement)
    key = bounds_key(first, found.depth)
    for name in (n for n in names if n in islx.pw_affs_of(row.function)):
        record = scop.statement(name)
        own = [depth for depth in ragged_depths(record) if shift(row, record, depth) == 0]
        if len(own) != 1 or bounds_key(record, own[0]) != key:
            return "loops with different data-dependent bounds share a row"
        loop = record.loops[own[0]]
        for depth in sorted({*used_depths(record, loop), *_scope_depths(scop, record, loop)}):
            if not any(signed_shift(outer, record, depth) is not None for outer in around):
                return "a data-dependent bound needs an iterator that is no loop around it"
    return ""


@dataclass(frozen=True, slots=True, eq=False)
class RaggedPoints:
    """The rows of points in ragged rows: `outer` rows number the runs, `row` is ragged, `inner` rows lie in its points.

    Rows `below` are left as loops of one point: they are ragged themselves, or have bounds that vary inside a run.
    """

    outer: tuple[Row, ...]
    row: Row
    inner: tuple[Row, ...]
    below: tuple[Row, ...]


def _scope_depths(scop: Scop, record: Statement, loop: Loop) -> set[int]:
    """The positions of the iterators of which each has scalars of its own that the bounds of `loop` read."""
    names = names_in(*loop.evaluated)
    around = {each for array in scop.arrays if array.symbol.name in names for each in array.scope_iterators}
    return {depth for depth, iterator in enumerate(record.iterators) if iterator.name in around}


def ragged_points(
    scop: Scop, rows: Seq[Row], statements: Seq[str], domains: Domains, lines: Seq[Fraction]
) -> RaggedPoints:
    """The roles of `rows`, outermost first, around `statements`; `lines` of memory that threads along each take."""
    at = next(k for k, row in enumerate(rows) if ragged_row(scop, row, statements))
    found = ragged_row(scop, rows[at], statements)
    assert found is not None
    record = scop.statement(found.statement)
    needed = used_depths(record, record.loops[found.depth])
    outer: list[Row] = []
    below: list[Row] = []
    free: dict[int, Row] = {}
    for position, row in enumerate(rows):
        if position == at:
            continue
        is_bound = any(signed_shift(row, record, depth) is not None for depth in needed)
        if not is_bound and (ragged_row(scop, row, statements) or not _has_range(domains, row, statements)):
            below.append(row)
            continue
        outer.append(row)
        if not is_bound:
            free[position] = row
    # The direction with the fewest lines lies innermost; what else is free multiplies the runs.
    best = min(free, key=lambda position: lines[position], default=at)
    if lines[best] >= lines[at]:
        return RaggedPoints(tuple(outer), rows[at], (), tuple(below))
    outer.remove(free[best])
    return RaggedPoints(tuple(outer), rows[at], (free[best],), tuple(below))


def _has_range(domains: Domains, row: Row, statements: Seq[str]) -> bool:
    """Whether the row has a least and a greatest value that depend on nothing but parameters."""
    points = image(domains, (row,), [s for s in statements if s in islx.pw_affs_of(row.function)])
    return islx.is_bounded(points, 0)


def points_of(scop: Scop, row: Row, statements: Seq[str]) -> Expr | None:
    """The extent of an array that the ragged row alone subscripts: all rows of the kernel lie in it, side by side."""
    for name in statements:
        record = scop.statement(name)
        names = {loop.iterator.name for depth, loop in enumerate(record.loops) if shift(row, record, depth) == 0}
        for index in outermost_indices(record.body):
            base, parts = subscripts(index)
            extent = extents(base.type)[0] if len(parts) == 1 and isinstance(base, Name) else None
            if extent is not None and plain_name(parts[0]) in names and _is_fixed(scop, extent):
                return extent
    return None


def _is_fixed(scop: Scop, extent: Expr) -> bool:
    """Whether the host knows the value: parameters of the region alone."""
    return names_in(extent) <= {p.name for p in scop.params}
