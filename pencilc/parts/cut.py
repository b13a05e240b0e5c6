"""Cut the schedule tree into parts and sequential loops around them.

    [iter s]{ [i,j R]{S3,S4}; M0; S5; [i,j P]{S8} }
        -> for iter { ALL{S3,S4; post M0,S5}  PARALLEL{S8} }

A parallel row around several parts is distributed over them: no dependence crosses it, so each part may run all its
instances before the next starts.  A sequential row becomes a host loop only where a parallel or a reduction row lies
below it, or data end it, and inside parallel rows only where the back end finds that worth it; one whose iterations add
to variables that others end is one thread's.  What stands right behind a reduction, merge nodes first, is its `post`.
"""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Sequence as Seq
from dataclasses import replace
from math import prod
from typing import TypeAlias

from pencilc import islx
from pencilc.analysis.iterators import iterator_of
from pencilc.analysis.sums import are_at_one_place
from pencilc.ir.schedule import Band, Leaf, Row, Sequence, Tree, has_parallelism, statements_of
from pencilc.ir.scop import Scop
from pencilc.parts.part import Part, SequentialLoop, ends_elsewhere, leaves_loop, meet, part_statements

# Points that a thread does one after the other rather than leave them to others.
_SHORT = 8
# Whether a sequential loop, (rows around it, its row, what is inside), becomes a loop around those parallel rows.
GoesOut: TypeAlias = Callable[[Seq[Row], Row, Tree], bool]


def cut(scop: Scop, tree: Tree, goes_out: GoesOut) -> tuple[Part | SequentialLoop, ...]:
    """The parts of a whole schedule tree, in order."""
    return _Cutter(scop, goes_out).items(tree, ())


class _Cutter:
    """One walk over the tree; `host` and `kept` are the rows around the current node."""

    def __init__(self, scop: Scop, goes_out: GoesOut) -> None:
        self.scop, self.goes_out = scop, goes_out
        self.reducing = {name for each in scop.reductions for name in (*each.updates, each.merge)}

    def items(self, tree: Tree, host: tuple[Row, ...]) -> tuple[Part | SequentialLoop, ...]:
        if isinstance(tree, Band):
            first, rest = tree.rows[0], _below(tree, 1)
            if first.flag == "s":
                if self._leaves(rest) or (has_parallelism(rest) and self._ends_inside(first, rest)):
                    return (SequentialLoop(first, self.items(rest, (*host, first))),)
                return (Part(host, (), (), tree),)
        return self.kept(tree, host, ())

    def kept(self, tree: Tree, host: tuple[Row, ...], kept: tuple[Row, ...]) -> tuple[Part | SequentialLoop, ...]:
        match tree:
            case Leaf():
                return (Part(host, kept, (), tree),)
            case Sequence():
                return self._sequence(tree, host, kept)
            case Band():
                rows = _parallel_first(tree.rows)
                count = _leading(rows, "P")
                if count:
                    return self.kept(_below(Band(rows, tree.child), count), host, (*kept, *rows[:count]))
                count = _leading(rows, "R")
                if count:
                    return self._reduced(Band(rows, tree.child), count, host, kept)
                if self._leaves(tree):
                    return self.items(tree, host)
                rest = _below(tree, 1)
                goes_out = has_parallelism(rest) and self._ends_inside(rows[0], rest)
                if kept and goes_out and self.goes_out(kept, rows[0], rest):
                    return (SequentialLoop(rows[0], self.kept(rest, (*host, rows[0]), kept)),)
                if kept or not has_parallelism(tree):
                    return (Part(host, kept, (), tree),)
                return self.items(tree, host)

    def _reduced(
        self, band: Band, count: int, host: tuple[Row, ...], kept: tuple[Row, ...]
    ) -> tuple[Part | SequentialLoop, ...]:
        """A reduction; whole reductions inside its element run before it, in a kernel with rows of their own.

        [i R]{ [j R]{S4}; M1; S5 } -> [i P]{ [j R]{S4}; M1 }  [i R]{S5}: no validity pair crosses the row i, and of
        what is left in the first part no relaxed pair does.
        """
        rows, body = band.rows[:count], _below(band, count)
        first = self._inner_reductions(body)
        if not first or not isinstance(body, Sequence):
            return (Part(host, kept, rows, body),)
        before = Band(tuple(replace(row, flag="P") for row in rows), Sequence(body.children[:first]))
        rest = body.children[first:]
        after = Band(rows, rest[0] if len(rest) == 1 else Sequence(rest))
        return (*self.kept(before, host, kept), *self.kept(after, host, kept))

    def _inner_reductions(self, body: Tree) -> int:
        """How many children of an element come before the first update of the reduction around them, if they reduce."""
        if not isinstance(body, Sequence):
            return 0
        inside = set(statements_of(body))
        outer = {u for r in self.scop.reductions if r.merge not in inside for u in r.updates}
        children = body.children
        first = next((k for k, c in enumerate(children) if outer & set(statements_of(c))), 0)
        return first if any(has_parallelism(c) for c in children[:first]) else 0

    def _sequence(
        self, tree: Sequence, host: tuple[Row, ...], kept: tuple[Row, ...]
    ) -> tuple[Part | SequentialLoop, ...]:
        if kept and self._is_one_threads(tree):
            return (Part(host, kept, (), tree),)
        found: list[Part | SequentialLoop] = []
        waiting: list[Tree] = []
        for child in tree.children:
            if isinstance(child, Leaf) and self._leaves(child):
                found += (*self._flush(waiting, host, kept), Part(host, kept, (), child))
                waiting = []
                continue
            in_thread = not has_parallelism(child) or self._fills_own_array(child, tree)
            if isinstance(child, Leaf) or (kept and in_thread):
                position = self._behind(found, waiting, child.statement, kept) if isinstance(child, Leaf) else None
                if isinstance(child, Leaf) and position is not None:
                    part = found[position]
                    assert isinstance(part, Part)
                    found[position] = replace(part, post=(*part.post, child.statement))
                else:
                    waiting.append(child)
                continue
            parts = self.kept(child, host, kept)
            found += self._flush(waiting, host, kept)
            waiting = []
            found += parts
        found += self._flush(waiting, host, kept)
        return tuple(found)

    def _is_one_threads(self, tree: Tree) -> bool:
        """Whether loops of few iterations, whatever the sizes are, are all that is parallel below a point, and
        nothing is reduced: threads for these as well would need kernels of their own.

            for (i…) { if (alive[i]) for (k < 3) p[i][k] += v[i][k];  alive[i] = p[i][1] > 0; }
        """
        is_reduced = not self.reducing.isdisjoint(statements_of(tree))
        return not is_reduced and not self._leaves(tree) and self._has_short_rows(tree)

    def _has_short_rows(self, tree: Tree) -> bool:
        match tree:
            case Sequence():
                return all(map(self._has_short_rows, tree.children))
            case Band() if has_parallelism(tree):
                names = statements_of(tree)
                counts = [self._most_values(row, names) if row.flag == "P" else None for row in tree.rows]
                is_short = None not in counts and prod(count or 1 for count in counts) <= _SHORT
                return is_short and self._has_short_rows(tree.child)
        return True

    def _most_values(self, row: Row, names: Seq[str]) -> int | None:
        """How many values a row has at most, if a number tells it."""
        most = 0
        for name in names:
            statement, iterator = self.scop.statement(name), iterator_of(self.scop, row, name)
            own = [depth for depth, each in enumerate(statement.iterators) if each.name == iterator]
            count = islx.most_values(statement.domain, own[0]) if own else None
            if count is None:
                return None
            most = max(most, count)
        return most

    def _fills_own_array(self, child: Tree, sequence: Sequence) -> bool:
        """Whether loops do nothing but set elements of small arrays, each point's own, of which a thread has the rest.

            for (y…) for (x…) { uchar v[9];  for (j < 3) for (i < 3) v[3 * j + i] = …;  (sorted)  out[y][x] = v[4]; }

        A thread for each element would have to hand them on in memory.
        """
        inside = statements_of(child)
        written = self.scop.written(inside)
        if not written or not all(self.scop.array(name).is_small_and_own for name in written):
            return False
        if not self.reducing.isdisjoint(inside):
            return False
        others = [each for each in sequence.children if each is not child]
        using = [
            each for each in others if any(a.array in written for a in self.scop.accesses(statements_of(each)))
        ]  # fmt: skip
        return bool(using) and not any(has_parallelism(each) for each in using)

    def _behind(
        self, found: Seq[Part | SequentialLoop], waiting: Seq[Tree], statement: str, kept: tuple[Row, ...]
    ) -> int | None:
        """The reduction that the scalar statement follows, if nothing stands between them that it has to do with.

        [i R]{S2}; M0; [j R]{S4}; M1; S5 after M0 -> S5 is done by the first kernel, and the second need not wait.
        """
        if not found or any(self._meet(statement, statements_of(tree)) for tree in waiting):
            return None
        position = self._last_met(found, statement)
        if position is None and found and not waiting:
            position = len(found) - 1
        if position is None:
            return None
        part = found[position]
        if not isinstance(part, Part) or not part.reduced or part.kept != kept:
            return None
        return None if ends_elsewhere(self.scop, (statement,), part) else position

    def _last_met(self, found: Seq[Part | SequentialLoop], statement: str) -> int | None:
        """The position of the last item that the statement has to do with; where a loop may be left is one."""
        for position in range(len(found) - 1, -1, -1):
            item = found[position]
            if isinstance(item, Part) and item.body is not None and self._leaves(item.body):
                return position
            if self._meet(statement, _inside(found[position])):
                return position
        return None

    def _leaves(self, tree: Tree) -> bool:
        """Whether a loop on the host may be left inside of `tree`."""
        return leaves_loop(self.scop, statements_of(tree))

    def _ends_inside(self, row: Row, tree: Tree) -> bool:
        """Whether each iteration of a loop around `tree` has all values of the reductions that end in it.

        What comes of the values of one iteration is no variable that another one ends.
        """
        inside = set(statements_of(tree))
        return all(are_at_one_place((row,), each) for each in self.scop.reductions if each.merge in inside)

    def _meet(self, statement: str, others: Seq[str]) -> bool:
        return meet(self.scop, (statement,), others)

    @staticmethod
    def _flush(waiting: list[Tree], host: tuple[Row, ...], kept: tuple[Row, ...]) -> list[Part | SequentialLoop]:
        if not waiting:
            return []
        body = waiting[0] if len(waiting) == 1 else Sequence(tuple(waiting))
        return [Part(host, kept, (), body)]


def _below(band: Band, count: int) -> Tree:
    return Band(band.rows[count:], band.child) if count < len(band.rows) else band.child


def _leading(rows: Seq[Row], flag: str) -> int:
    count = 0
    while count < len(rows) and rows[count].flag == flag:
        count += 1
    return count


def _parallel_first(rows: tuple[Row, ...]) -> tuple[Row, ...]:
    """The leading P and R rows with the P ones outside; they may be permuted."""
    count = 0
    while count < len(rows) and rows[count].flag != "s":
        count += 1
    return (*sorted(rows[:count], key=lambda r: r.flag == "R"), *rows[count:])


def _inside(item: Part | SequentialLoop) -> tuple[str, ...]:
    if isinstance(item, Part):
        return part_statements(item)
    return tuple(statement for inner in item.items for statement in _inside(inner))
