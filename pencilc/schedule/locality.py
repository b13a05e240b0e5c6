"""Which of several schedules takes the fewest lines of memory, as `analysis/lines.py` counts them (Reddy, section 5.5).

    for (i...) for (j...) a[j][i] = a[j - 1][i - 1] + a[j - 2][i - 1];

Either loop may be in order, and the other one is dealt out to threads: with i in order these go down a column, with j
along a row.  Two loops that are one have their threads along one row, which suits both or it does not.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from collections.abc import Sequence as Seq
from fractions import Fraction
from operator import mul

from pencilc.analysis.lines import LineCounter
from pencilc.ir.schedule import (
    Band,
    KeptApart,
    Leaf,
    Row,
    RowInOrder,
    Sequence,
    Tree,
    statements_of,
    statements_with_rows,
)
from pencilc.ir.scop import Scop
from pencilc.records import dataclass
from pencilc.target import DEFAULT, LINE, WARP

# The lines that memory moves in the time of a launch.
_LAUNCH = int(DEFAULT.launch_seconds * DEFAULT.bandwidth / LINE)


@dataclass(frozen=True, slots=True)
class ParallelNest:
    """Parallel `rows`, and the loops that a thread does at a point of them: `inner`, by statement."""

    rows: tuple[Row, ...]
    inner: Mapping[str, tuple[Row, ...]]


class Locality:
    """Counts lines of memory for schedules of a region, and keeps what that decided."""

    def __init__(self, scop: Scop) -> None:
        self._scop = scop
        self._counter = LineCounter(scop, {statement.name: statement.domain for statement in scop.statements})
        self._in_order: list[RowInOrder] = []
        self._apart: list[tuple[tuple[Row, ...], KeptApart]] = []

    def lines(self, around: Seq[Row], tree: Tree) -> Fraction | None:
        """The lines of 32 instances of the statements of `tree`, below rows `around` it, where each kernel has its
        threads along the best of its rows; None where one thread does them, or the rows do not tell.
        """
        found: dict[tuple[Row, ...], list[tuple[str, tuple[Fraction, ...]]]] = {}
        for statement, path in statements_with_rows(tree, tuple(around)):
            outside = next((k for k, row in enumerate(path) if row.flag != "s"), len(path))
            rows = tuple(row for row in path[outside:] if row.flag != "s")
            inner = [row for row in path[outside:] if row.flag == "s"]
            lines = self._counter.of_instances(statement, rows, path[:outside], inner) if rows else None
            if lines is None:
                return None
            found.setdefault(rows, []).append((statement, lines))
        total, instances = Fraction(0), 0
        for parts in found.values():
            weights = [self._counter.instances(statement) for statement, _ in parts]
            instances += sum(weights)
            along = zip(*(lines for _, lines in parts), strict=True)
            total += min(sum(map(mul, weights, each), Fraction(0)) for each in along)
        return total / instances if instances else None

    def nearest(self, around: Seq[Row], bands: Seq[Band]) -> int:
        """The position of the band of one sequential row with the fewest lines, the first one of several, or where the
        lines of one are not known.
        """
        lines = [self.lines(around, band) for band in bands]
        known = [each for each in lines if each is not None]
        if len(known) < len(lines) or min(known) == max(known):
            return 0
        best = known.index(min(known))
        rows = [band.rows[0] for band in bands]
        others = tuple(each for k, each in enumerate(zip(rows, known, strict=True)) if k != best)
        self._in_order.append(
            RowInOrder(rows[best], known[best], others, self._counter.deciding(statements_of(bands[0])))
        )
        return best

    def are_better_apart(
        self, around: tuple[Row, ...], first: ParallelNest, second: ParallelNest, both: ParallelNest
    ) -> bool:
        """Whether two launches of loops are faster than one of `both`, whose threads lie along one row."""
        (alone, points), (other, others), (together, all_points) = (
            self._counter.fetched(around, nest.rows, _inside(nest.inner)) for nest in (first, second, both)
        )
        if not all_points or together * all_points <= alone * points + other * others + _LAUNCH * WARP:
            return False
        names = (tuple(first.inner), tuple(second.inner))
        apart = (alone * points + other * others) / all_points
        self._apart.append((around, KeptApart(*names, apart, together, self._counter.deciding((*names[0], *names[1])))))
        return True

    def share_variables(self, first: Collection[str], second: Collection[str]) -> bool:
        """Whether statements `first` touch a variable, or members of it, that those `second` touch."""
        one, other = (
            {
                self._scop.array(access.array).symbol.name
                for name in names
                for access in self._scop.statement(name).accesses
            }
            for names in (first, second)
        )
        return not one.isdisjoint(other)

    def share_lines(self, around: tuple[Row, ...], both: ParallelNest, first: Collection[str]) -> bool:
        """Whether statements `first` and the others of a nest touch the same lines of memory at a point of its rows."""
        one, other = (
            _inside({name: inner for name, inner in both.inner.items() if (name in first) == is_first})
            for is_first in (True, False)
        )
        return self._counter.share_lines(around, both.rows, one, other)

    def decided(self, tree: Tree) -> tuple[tuple[RowInOrder, ...], tuple[KeptApart, ...]]:
        """What lines decided about `tree`, and not about another one that was looked at."""
        rows = {row for _, around in statements_with_rows(tree) for row in around}
        in_order = tuple(each for each in self._in_order if each.row in rows)
        return in_order, tuple(each for around, each in self._apart if rows.issuperset(around))


def _inside(inner: Mapping[str, tuple[Row, ...]]) -> Tree:
    """What a point does: statements with the loops around them."""
    return Sequence(tuple(Band(rows, Leaf(name)) if rows else Leaf(name) for name, rows in inner.items()))
