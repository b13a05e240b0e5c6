"""How many lines of memory a warp touches, by the row that its threads lie along: what decides about that row.

    for (i…) for (j…) a[j][i] = b[j][i] + c[i][j];        threads along i: 1 + 1 + 8 lines, along j: 8 + 8 + 1

A warp has 32 points, of the row along its threads and, where that is shorter, of the one before.  Each access of a
point is a request of the warp.  It takes a line of 128 bytes at least; where its elements lie in more than four sectors
of 32 bytes, which is what memory moves, each of these counts as a quarter of one.  An access counts once for each
iteration of the loops of one thread that it moves with: where it stays, it is in a register.  What rank and
multiplicity of accesses are meant to tell (Reddy's thesis, section 5.5) comes of adding: an access that moves with
fewer rows takes a line in either direction, and each of several to one array counts, but the same one twice.

Four sectors count alike wherever they lie: a warp with eight floats of each of four rows takes a line, as one with 32
of a row does.  Of such the one whose sectors are spread over fewer lines is better, as rows of other lengths begin in
the middle of a sector.

Sizes weigh twice: a row of three points does not fill a warp, and elements of `x[n][3]` lie 12 bytes apart along n.
They are those that the program has, those that the user gives, or nominal ones within what the program assumes.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from collections.abc import Sequence as Seq
from fractions import Fraction
from functools import cached_property, lru_cache
from math import lcm, prod

import islpy as isl

from pencilc import islx
from pencilc.analysis.box import Domains, image
from pencilc.analysis.iterators import row_name
from pencilc.analysis.nominal import NOMINAL, at_nominal_sizes, likely, volume
from pencilc.analysis.vectors import directions, dot
from pencilc.ir.schedule import Band, Leaf, Row, Tree, statements_of, statements_with_rows
from pencilc.ir.scop import Access, AccessKind, Array, Scop, Statement
from pencilc.ir.source import CType, Struct, element_type, extents
from pencilc.ir.thread_rows import RowLines, SizeOf, Source, ThreadRow
from pencilc.records import dataclass
from pencilc.target import LINE, SECTOR, WARP

_FAR = Fraction(4096)  # bytes between elements of which data tell where they are


@dataclass(frozen=True, slots=True)
class WarpAccess:
    """An access of the points of a warp: `strides` in bytes along each row that its threads may lie along; `size` bytes
    of an element; `times` it happens for each point; whether it `stays` at one element in the loops of a point.
    """

    strides: tuple[Fraction, ...]
    size: int
    times: int
    stays: bool = True

    def lines(self, order: Seq[int], sides: Seq[int]) -> Fraction:
        """The lines that the requests take: rows by position in `order`, the one along the threads last, with `sides`
        points each.
        """
        return self.lines_and_spread(order, sides)[0]

    def lines_and_spread(self, order: Seq[int], sides: Seq[int]) -> tuple[Fraction, Fraction]:
        """The lines that the requests take, and over how many the sectors are spread of which these are made."""
        scale = lcm(*(stride.denominator for stride in self.strides))  # whole numbers are much faster than fractions
        strides = [int(stride * scale) for stride in self.strides]
        places = [sum(at * strides[row] for row, at in point) for point in _lanes(tuple(order), tuple(sides))]
        least = min(places)
        touched: set[int] = set()
        for place in set(places):
            first = (place - least) // scale
            touched.update(range(first // SECTOR, (first + self.size - 1) // SECTOR + 1))
        spread = len({sector * SECTOR // LINE for sector in touched})
        return self.times * max(Fraction(1), Fraction(len(touched) * SECTOR, LINE)), Fraction(self.times * spread)

    def is_shared(self, row: int) -> bool:
        """Whether neighbours along the row may lie in one line."""
        return 0 < abs(self.strides[row]) < LINE


@dataclass(frozen=True, slots=True)
class _Key:
    """What tells accesses apart that touch other elements; `array` may be one for a member of the `variable`."""

    array: str
    variable: str
    writes: bool
    strides: tuple[Fraction, ...]
    offset: int  # bytes from the begin of the variable where all iterators are zero

    @property
    def place(self) -> tuple[str, tuple[Fraction, ...], int]:
        """The elements, whether they are read or written."""
        return self.array, self.strides, self.offset

    def shares_lines(self, other: _Key, rows: int | None = None) -> bool:
        """Whether both lie less than a line apart, for all values of the first so many rows, or of all."""
        strides, others = self.strides[:rows], other.strides[:rows]
        return self.variable == other.variable and strides == others and abs(self.offset - other.offset) < LINE


# What the accesses of a statement are found by: its name, how many of its rows are those of a point and how many lie
# inside of it, and the factors of all of them.
_Asked = tuple[str, int, int, tuple[tuple[int, ...] | None, ...]]


@dataclass(frozen=True, slots=True)
class _Found:
    """The accesses of a statement, and how many there are besides whose subscripts are data."""

    accesses: tuple[tuple[_Key, WarpAccess], ...]
    uncounted: int


@dataclass(frozen=True, slots=True)
class Directions:
    """What threads along each of `rows` take: `orders` has the positions of those that fill a warp, it last; `shared`:
    whether any of its lines holds what several threads want; `is_decided`: by accesses that decide, and not by all.
    """

    rows: tuple[Row, ...]
    orders: tuple[tuple[int, ...], ...]
    candidates: tuple[RowLines, ...]
    shared: tuple[bool, ...]
    sizes: tuple[SizeOf, ...]
    uncounted: int
    is_decided: bool

    def best(self, positions: Seq[int]) -> int:
        """That of some rows with the fewest lines; of several the one with the least spread; of those the last one."""
        return min(reversed(positions), key=lambda position: self.candidates[position].cost)

    def last(self, best: int, positions: Seq[int]) -> tuple[Row, ...]:
        """The rows at some positions in order, but for the one at `best` last, those that fill its warp before it."""
        filled = [position for position in self.orders[best] if position in positions]
        return tuple(self.rows[k] for k in (*(k for k in positions if k not in filled), *filled))

    def told(self, best: int) -> ThreadRow:
        """What is told of the choice."""
        return ThreadRow(self.candidates[best].row, self.candidates, self.sizes, self.uncounted)


class LineCounter:
    """Counts lines for statements of a region at nominal sizes; `domains` are theirs."""

    def __init__(self, scop: Scop, domains: Domains) -> None:
        self.scop, self._symbolic = scop, domains
        # Found once, and only if some kernel has rows to choose from.
        self._domains: dict[str, isl.Set] = {}
        self._strides: dict[str, tuple[int, ...]] = {}
        # Nests that grow statement by statement ask for the same ones again and again.
        self._found: dict[_Asked, _Found] = {}
        self.uncounted = 0

    @cached_property
    def _context(self) -> isl.Set:
        return likely(self.scop.context, self.scop.sizes)

    @cached_property
    def _sizes(self) -> tuple[SizeOf, ...]:
        return tuple(sizes_of(self.scop, self._context))

    def _domain(self, statement: str) -> isl.Set:
        """The instances at the sizes that weigh."""
        if statement not in self._domains:
            live = self._symbolic[statement].intersect_params(self._context)
            self._domains[statement] = at_nominal_sizes(live, self._context)
        return self._domains[statement]

    def along(
        self, rows: Seq[Row], around: Seq[Row], inside: Tree | None, without: Collection[str] = (),
        deciding: Callable[[WarpAccess], bool] = lambda _: True,
    ) -> Directions:  # fmt: skip
        """What threads along each of `rows` would take for what is done at their points, below rows `around` them.

        Accesses to arrays `without` are not counted, nor those that are not `deciding` where some are.
        """
        uncounted = self.uncounted
        every = self.requests(around, rows, inside, without)
        decisive = [each for each in every if deciding(each)]
        requests = decisive or every
        statements = statements_of(inside)
        sides = self._sides_of(rows, statements)
        orders = tuple(_filled((position,), requests, sides) for position in range(len(rows)))
        lines = [_lines_and_spread(order, requests, sides) for order in orders]
        shared = tuple(any(each.is_shared(position) for each in requests) for position in range(len(rows)))
        taken: list[str] = []
        for row in rows:
            taken.append(row_name(self.scop, row, statements, taken))
        candidates = tuple(RowLines(row, *each, points) for row, each, points in zip(taken, lines, sides, strict=True))
        return Directions(
            tuple(rows), orders, candidates, shared, self.deciding(statements), self.uncounted - uncounted,
            bool(decisive),
        )  # fmt: skip

    def of_instances(
        self, statement: str, rows: Seq[Row], around: Seq[Row], inner: Seq[Row]
    ) -> tuple[Fraction, ...] | None:
        """The lines of 32 instances of a statement, for threads along each of `rows`, which do those of rows `inner`.

        None where a row is no linear function of the statement's iterators.
        """
        if any(_vector(row, statement) is None for row in (*rows, *around, *inner)):
            return None
        inside = Band(tuple(inner), Leaf(statement)) if inner else Leaf(statement)
        times = prod(max(1, self._points(row, (statement,))) for row in inner)
        return tuple(each.lines / times for each in self.along(rows, around, inside).candidates)

    def instances(self, statement: str) -> int:
        """The points of the box around the instances of a statement at the sizes that weigh."""
        return volume(self._domain(statement))

    def of_results(self, rows: Seq[Row], around: Seq[Row], inside: Tree | None) -> tuple[Fraction, ...]:
        """The lines of what stays at one element in the loops of a point, for threads along each of `rows`.

        That is what is left where a block fetches for all of its points what moves.
        """
        requests = [each for each in self.requests(around, rows, inside) if each.stays]
        sides = self._sides_of(rows, statements_of(inside))
        filled = [_filled((position,), requests, sides) for position in range(len(rows))]
        return tuple(_lines_and_spread(order, requests, sides)[0] for order in filled)

    def _sides_of(self, rows: Seq[Row], statements: Seq[str]) -> list[int]:
        return [max(1, self._points(row, statements)) for row in rows]

    def deciding(self, statements: Seq[str]) -> tuple[SizeOf, ...]:
        """The sizes that the loops of statements and the arrays that these touch depend on."""
        arrays = {access.array for name in statements for access in self.scop.statement(name).accesses}
        sets = [*(self._symbolic[name] for name in statements), *(self.scop.array(name).extent for name in arrays)]
        return tuple(size for size in self._sizes if any(_depends(each, size.name) for each in sets))

    def requests(
        self, around: Seq[Row], rows: Seq[Row], inside: Tree | None, without: Collection[str] = ()
    ) -> list[WarpAccess]:
        """The accesses of the statements `inside`, but for those to arrays `without`, by the points of `rows`; `around`
        are the rows of loops outside.
        """
        return list(self._keyed(around, rows, inside, without).values())

    def share_lines(self, around: Seq[Row], rows: Seq[Row], first: Tree, second: Tree) -> bool:
        """Whether a line that a point of `rows` needs for what is done `first` has what it needs for the `second`.

        o[2 * i] = x[i];  o[2 * i + 1] = y[i];        x[i].re = 0;  x[i].im = 0;        a[i] = x[i];  b[i] = x[i + 1];
        """
        one, other = (
            {key for key, access in self._keyed(around, rows, inside).items() if access.stays and any(access.strides)}
            for inside in (first, second)
        )
        return any(a.shares_lines(b, len(rows)) for a in one for b in other)

    def fetched(self, around: Seq[Row], rows: Seq[Row], inside: Tree) -> tuple[Fraction, int]:
        """The fewest lines that memory moves for 32 points of `rows`, whichever their threads lie along, and how many
        points there are: what several accesses of a point find in one line comes once.
        """
        moved: dict[_Key, WarpAccess] = {}
        for key, access in self._keyed(around, rows, inside).items():
            if not any(key.writes == each.writes and key.shares_lines(each) for each in moved):
                moved[key] = access
        requests, sides = list(moved.values()), self._sides_of(rows, statements_of(inside))
        orders = [_filled((position,), requests, sides) for position in range(len(rows))]
        return min(_lines_and_spread(order, requests, sides)[0] for order in orders), prod(sides)

    def _keyed(
        self, around: Seq[Row], rows: Seq[Row], inside: Tree | None, without: Collection[str] = ()
    ) -> dict[_Key, WarpAccess]:
        """The accesses of `requests`, by what tells them apart."""
        found: dict[_Key, WarpAccess] = {}
        below = dict(statements_with_rows(inside))
        written: set[tuple[str, tuple[Fraction, ...], int]] = set()
        for name in below:
            new: dict[_Key, WarpAccess] = {}
            for key, request in self._of_statement(self.scop.statement(name), around, rows, below[name]):
                if key in found or key.array in without:
                    continue
                if key.writes or not request.stays or key.place not in written:
                    new.setdefault(key, request)
            found.update(new)
            # What the thread has written before at the same point is in a register.
            written |= {key.place for key, request in new.items() if key.writes and request.stays}
        return found

    def _of_statement(
        self, statement: Statement, around: Seq[Row], rows: Seq[Row], inner: Seq[Row]
    ) -> Seq[tuple[_Key, WarpAccess]]:
        """The accesses of a statement with what tells those apart that touch other elements."""
        known = tuple(_vector(row, statement.name) for row in (*rows, *around, *inner))
        asked = (statement.name, len(rows), len(inner), known)
        if asked not in self._found:
            self._found[asked] = self._count(statement, known, len(rows), inner)
        self.uncounted += self._found[asked].uncounted
        return self._found[asked].accesses

    def _count(self, statement: Statement, known: Seq[tuple[int, ...] | None], number: int, inner: Seq[Row]) -> _Found:
        """What `_of_statement` says of the factors of its rows, of which the first `number` are those of a point."""
        if any(vector is None for vector in known[:number]):
            return _Found((), 0)
        moved = directions([vector for vector in known if vector is not None], len(statement.iterators))
        of_inner = known[len(known) - len(inner) :]
        sequential = [row for row, vector in zip(inner, of_inner, strict=True) if vector is not None]
        found: list[tuple[_Key, WarpAccess]] = []
        uncounted = 0
        for access in statement.accesses:
            array = self.scop.array(access.array)
            if access.kind is AccessKind.KILL or len(array.extents) == 0:
                continue
            address = self._address(access, array)
            if address is None:
                uncounted += 1
                continue
            moves, offset, is_data = address
            strides = tuple(dot(moves, direction) or (_FAR if is_data else Fraction(0)) for direction in moved)
            inside = zip(sequential, strides[len(moved) - len(sequential) :], strict=True)
            moving = [row for row, stride in inside if stride]
            times = prod(max(1, self._points(row, (statement.name,))) for row in moving)
            offset += _offset_of(array.symbol.type, array.member_path)
            key = _Key(access.array, array.symbol.name, access.kind.writes, strides, offset)
            found.append((key, WarpAccess(strides[:number], array.element.size, times, not moving)))
        return _Found(tuple(found), uncounted)

    def _points(self, row: Row, statements: Seq[str]) -> int:
        inside = [name for name in statements if name in islx.pw_affs_of(row.function)]
        return max((volume(image({name: self._domain(name)}, (row,), (name,))) for name in inside), default=1)

    def _address(self, access: Access, array: Array) -> tuple[tuple[int, ...], int, bool] | None:
        """How many bytes the element moves by with each iterator of the statement, where it lies for zeros, and whether
        data have a part in that: `x[col[j]][k]` moves by an element with k, and nobody knows how far with j.

        None where no linear function tells of any subscript.
        """
        total, offset, is_data = [0] * access.relation.dim(isl.dim_type.in_), 0, False
        for position, stride in enumerate(self._strides_of(array)):
            subscript = _subscript(access, position)
            factors = islx.coefficients(subscript) if subscript is not None else None
            if subscript is None or factors is None:
                is_data = True
                continue
            total = [sum_ + factor * stride for sum_, factor in zip(total, factors, strict=True)]
            offset += stride * self._constant(islx.pieces(subscript)[0][1])
        return None if is_data and not any(total) else (tuple(total), offset, is_data)

    def _constant(self, subscript: isl.Aff) -> int:
        """What a subscript is where all iterators are zero, at the sizes that weigh."""
        values = {each.name: each.value for each in self._sizes}
        total = int(subscript.get_constant_val().to_python())
        return total + sum(factor * values.get(name, NOMINAL) for name, factor in islx.parameter_factors(subscript))

    def _strides_of(self, array: Array) -> tuple[int, ...]:
        """Bytes from one element to the next along each subscript, those of the scope of a local among them."""
        if array.name in self._strides:
            return self._strides[array.name]
        elements = at_nominal_sizes(array.extent.intersect_params(self._context), self._context)
        own = len(array.scope_iterators) + len(extents(array.symbol.type))  # the others lie inside of an element
        found: list[int] = []
        stride = array.element.size
        for position in reversed(range(islx.dimensions(elements))):
            if position == own - 1:
                stride = element_type(array.symbol.type).size
            found.insert(0, stride)
            high = elements.dim_max_val(position) if not elements.is_empty() else isl.Val(0)
            stride *= max(1, int(high.to_python()) + 1) if high.is_int() else 1
        self._strides[array.name] = tuple(found)
        return self._strides[array.name]


def _subscript(access: Access, position: int) -> isl.PwAff | None:
    """{ S[i, j] -> [f(i, j)] }: the subscript at a position; None where the model has no function for it."""
    relation = access.relation
    behind = relation.dim(isl.dim_type.out) - position - 1
    alone = relation.project_out(isl.dim_type.out, position + 1, behind).project_out(isl.dim_type.out, 0, position)
    return alone.as_pw_multi_aff().get_pw_aff(0) if alone.is_single_valued() else None


def _offset_of(whole: CType, member_path: Seq[str]) -> int:
    """Bytes from the begin of an element of a type to a member of it."""
    total = 0
    for name in member_path:
        struct = element_type(whole)
        assert isinstance(struct, Struct)
        total, whole = total + struct.member(name).offset, struct.member(name).type
    return total


def _depends(points: isl.Set, parameter: str) -> bool:
    position = points.find_dim_by_name(isl.dim_type.param, parameter)
    return position >= 0 and bool(points.involves_dims(isl.dim_type.param, position, 1))


def _filled(last: tuple[int, ...], requests: Seq[WarpAccess], sides: Seq[int]) -> tuple[int, ...]:
    """The rows `last` along the threads, and before them those that fill a warp with the fewest lines."""
    left = [position for position in range(len(sides)) if position not in last]
    if not left or prod(sides[position] for position in last) >= WARP:
        return last
    orders = [_filled((position, *last), requests, sides) for position in reversed(left)]
    return min(orders, key=lambda order: _lines_and_spread(order, requests, sides))


@lru_cache(maxsize=64)
def _lanes(order: tuple[int, ...], sides: tuple[int, ...]) -> list[list[tuple[int, int]]]:
    """The points of a warp, each as the values of the rows in `order`, of which the last one counts first."""
    points = []
    for lane in range(min(WARP, prod(sides[row] for row in order))):
        point: list[tuple[int, int]] = []
        for row in reversed(order):
            lane, at = divmod(lane, sides[row])
            point.append((row, at))
        points.append(point)
    return points


def _lines_and_spread(order: Seq[int], requests: Seq[WarpAccess], sides: Seq[int]) -> tuple[Fraction, Fraction]:
    """The lines of WARP points, and those that their sectors are spread over, the rows in `order` along the threads."""
    points = min(WARP, prod(sides[row] for row in order))
    taken = [each.lines_and_spread(order, sides) for each in requests]
    lines, spread = (sum((each[k] for each in taken), Fraction(0)) * WARP / points for k in (0, 1))
    return lines, spread


def sizes_of(scop: Scop, context: isl.Set) -> Iterator[SizeOf]:
    """The values of the parameters that the context has, and where each is from."""
    given = dict(scop.sizes)
    for parameter in scop.params:
        if context.find_dim_by_name(isl.dim_type.param, parameter.name) < 0:
            continue
        at = at_nominal_sizes(isl.Set(f"[{parameter.name}] -> {{ [{parameter.name}] }}"), context)
        value = int(at.dim_max_val(0).to_python())
        source: Source = "assumed"
        if value == given.get(parameter.name):
            source = "given"
        elif value == NOMINAL:
            source = "nominal"
        yield SizeOf(parameter.name, value, source)


def _vector(row: Row, statement: str) -> tuple[int, ...] | None:
    """The factors of a row on a statement; None where it has none, or several."""
    function = islx.pw_affs_of(row.function).get(statement)
    return None if function is None else islx.coefficients(function)
