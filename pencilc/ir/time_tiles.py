"""Several iterations of a loop on the host in one launch, a tile of elements for each block.  Stage: gpu.

    for (t…) { for (i…) b[i] = f(a[i - 1], a[i], a[i + 1]);  for (i…) a[i] = b[i]; }

A block fetches its tile of `a` and what several iterations reach around it, does these iterations on the chip, each
where what it reads around is right, and stores its tile to another array than others still read.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from collections.abc import Sequence as Seq
from dataclasses import field
from typing import Literal

import islpy as isl

from pencilc.ir.schedule import Tree
from pencilc.ir.shapes import BoxDimension
from pencilc.ir.source import Index
from pencilc.options import TimeLaunch
from pencilc.records import dataclass

# A plane goes from launch to launch, or is written before it is read in each iteration, only read, or not accessed.
Plane = Literal["handed on", "made", "read", "unused"]
# How far something lies around the elements of a tile, below and above, in each dimension: no negative numbers.
Reach = tuple[tuple[int, int], ...]


def added(reaches: Seq[Reach], count: int) -> Reach:
    """What is reached in `count` dimensions by one after the other."""
    return tuple((sum(r[d][0] for r in reaches), sum(r[d][1] for r in reaches)) for d in range(count))


def scaled(reach: Reach, factor: int) -> Reach:
    """What is reached by so many times the same."""
    return tuple((low * factor, high * factor) for low, high in reach)


def widest(reaches: Seq[Reach]) -> Reach:
    """What is reached by all of them together."""
    return tuple((max(r[0] for r in sides), max(r[1] for r in sides)) for sides in zip(*reaches, strict=True))


@dataclass(frozen=True, slots=True, eq=False)
class StepOfTile:
    """The work of a kernel in an iteration, or a part of it: `body`.

    A point writes the element whose subscripts are the kept rows at `rows` and `shifts`; where there is no row, the
    only value of `box`.  Rows that no subscript is have one value each, `single`.

    `box`: where these elements lie, in the order of the subscripts.  `writes`: the arrays that have them.  `reads`: for
    each array that the loop writes, by name, how far from its element a point reads it.  `inward`: how far more where
    all of its elements lie on a border of what the loop writes (`a[0][j] = a[1][j]`), from there inwards: a tile with
    one of them has what is read, or ends beside it.  `chip_bytes`: what a point reads and writes of these, on the chip.
    `turn`: which of the iterations of a round does it.
    """

    kernel: str
    body: Tree
    rows: tuple[int | None, ...]
    shifts: tuple[int, ...]
    box: tuple[BoxDimension, ...]
    writes: tuple[str, ...]
    reads: Mapping[str, Reach]
    inward: Reach
    chip_bytes: int
    turn: int
    single: Mapping[int, isl.PwAff]

    @property
    def reach(self) -> Reach:
        """How far a point reads any of these arrays."""
        return widest([self.nothing, *self.reads.values()])

    @property
    def nothing(self) -> Reach:
        """The element itself."""
        return ((0, 0),) * len(self.rows)

    def touched(self, symbol: str) -> Reach | None:
        """How far a point reads or writes an array; None where it does neither."""
        own = [self.nothing] if symbol in self.writes else []
        found = [*own, *([self.reads[symbol]] if symbol in self.reads else [])]
        return widest(found) if found else None


@dataclass(frozen=True, slots=True, eq=False)
class HeldArray:
    """An array that the loop writes, of which a block holds a part.

    `carried`: an iteration finds what the one before it has left, so that it goes from launch to launch; else the last
    iteration alone is stored.  `written` { [x] }: the elements that the loop may write.  `fetched` { [x] }: those that
    are fetched, which are all that are read or handed on; of an array that is not carried, but those that are written.
    None: nothing is.  `box`: the box that `fetched` is, if it is one.  `index`: one of its accesses.

    `planes`: what each of a few planes is, one of which the first subscript always says: number c, or `in_turns` number
    (t + c) modulo how many there are in iteration t.  A tile has no side along it, and a block a part of each plane;
    the sets are without it.
    """

    symbol: str
    carried: bool
    written: isl.Set
    fetched: isl.Set | None
    box: tuple[BoxDimension, ...] | None
    index: Index
    planes: tuple[Plane, ...] = ()
    in_turns: bool = False

    @property
    def copies(self) -> int:
        """How many parts a block holds: one, or one of each plane."""
        return max(1, len(self.planes))

    @property
    def handed_on(self) -> int:
        """How many of them go from launch to launch."""
        return self.planes.count("handed on") if self.planes else int(self.carried)

    @property
    def taken(self) -> int:
        """How many of them a launch fetches."""
        return self.handed_on + self.planes.count("read")


@dataclass(frozen=True, slots=True, eq=False)
class TimeTiling:
    """A loop on the host whose launches do several iterations each, in tiles.

    `steps`: the work of an iteration, kernel by kernel.  `box`: bounds around where any of them writes.  The loop goes
    from `first` to `last` where the parameters are `inhabited`.  `global_bytes`: what a point of each step reads of
    other arrays.  `sides`: elements of a tile; `count`: iterations of a launch, at most; no sides until they are
    chosen.

    `period`: where iterations take turns (`t += 2`, or `if (t % 2 == 0) … else …`), so many values of the iterator are
    a round, which is what is said above of an iteration.  Round q of them begins at `first + q * period`; the last one
    may end early.
    """

    steps: tuple[StepOfTile, ...]
    arrays: tuple[HeldArray, ...]
    box: tuple[BoxDimension, ...]
    first: isl.PwAff
    last: isl.PwAff
    inhabited: isl.Set
    global_bytes: tuple[int, ...]
    period: int = 1
    sides: tuple[int, ...] = ()
    count: int = 0
    launch: TimeLaunch = field(default_factory=TimeLaunch)

    @property
    def iterations(self) -> int:
        """Of the loop, in a launch, at most."""
        return self.count * self.period

    @property
    def reach(self) -> Reach:
        """What an iteration reaches around."""
        return added([step.reach for step in self.steps], len(self.box))

    def behind(self, number: int) -> Reach:
        """What the steps of an iteration behind this one reach, together, and what any reads from a border inwards.

        Those are not added up: once a block does what lies beside its tile, it has what such a step reads.
        """
        inward = widest([step.inward for step in self.steps])
        return added([*(step.reach for step in self.steps[number + 1 :]), inward], len(self.box))

    def margin(self, array: HeldArray) -> Reach:
        """How far around its tile a block holds an array: what the first iteration, the widest, touches."""
        before = scaled(self.reach, self.count - 1)
        touched: list[Reach] = []
        for number, step in enumerate(self.steps):
            around = step.touched(array.symbol)
            if around is not None:
                touched.append(added([before, self.behind(number), around], len(self.box)))
        return widest(touched)

    def extents(self, array: HeldArray) -> tuple[int, ...]:
        """How many elements a block holds of an array in each dimension."""
        margins = self.margin(array)
        return tuple(low + side + high for side, (low, high) in zip(self.sides, margins, strict=True))

    def carried(self) -> Iterator[HeldArray]:
        """The arrays that go from launch to launch."""
        return (array for array in self.arrays if array.carried)
