"""Cut the schedule tree into kernels and host loops.

    [iter s]{ [i,j R]{S3,S4}; M0; S5; [i,j P]{S8} }
        -> for iter { ALL{S3,S4; post M0,S5}  PARALLEL{S8} }

A parallel row around several parts is distributed over them: no dependence crosses it, so each part may run all its
instances before the next starts.  A sequential row becomes a host loop only where a parallel or a reduction row lies
below it, and inside parallel rows only where that is worth it (gpu/rounds.py).  What stands right behind a reduction,
merge nodes first, is its `post`.
"""

from __future__ import annotations

from collections.abc import Sequence as Seq
from dataclasses import dataclass, replace

from pencilc import islx
from pencilc.gpu.rounds import Rounds
from pencilc.ir.schedule import Band, Leaf, Row, Sequence, Tree, statements_of
from pencilc.ir.scop import Access, AccessKind, Scop, StatementKind


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """A kernel in the making: rows by role and statements, before a shape is chosen."""

    host: tuple[Row, ...]
    kept: tuple[Row, ...]
    reduced: tuple[Row, ...]
    body: Tree | None
    prologue: tuple[str, ...] = ()
    post: tuple[str, ...] = ()
    indirect: tuple[str, ...] = ()  # reductions that the part updates in place (gpu/indirect.py)


@dataclass(frozen=True, slots=True, eq=False)
class Loop:
    """A host loop in the making."""

    row: Row
    items: tuple[Part | Loop, ...]


def cut(scop: Scop, tree: Tree, rounds: Rounds) -> tuple[Part | Loop, ...]:
    """The parts of a whole schedule tree, in order; `rounds` decides about sequential loops inside parallel rows."""
    return _Cutter(scop, rounds).items(tree, ())


class _Cutter:
    """One walk over the tree; `host` and `kept` are the rows around the current node."""

    def __init__(self, scop: Scop, rounds: Rounds) -> None:
        self.scop, self.rounds = scop, rounds

    def items(self, tree: Tree, host: tuple[Row, ...]) -> tuple[Part | Loop, ...]:
        if isinstance(tree, Band):
            first, rest = tree.rows[0], _below(tree, 1)
            if first.flag == "s":
                if _has_parallelism(rest):
                    return (Loop(first, self.items(rest, (*host, first))),)
                return (Part(host, (), (), tree),)
        return self.kept(tree, host, ())

    def kept(self, tree: Tree, host: tuple[Row, ...], kept: tuple[Row, ...]) -> tuple[Part | Loop, ...]:
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
                rest = _below(tree, 1)
                if kept and _has_parallelism(rest) and self.rounds.are_worth_it(kept, rows[0], rest):
                    return (Loop(rows[0], self.kept(rest, (*host, rows[0]), kept)),)
                if kept or not _has_parallelism(tree):
                    return (Part(host, kept, (), tree),)
                return self.items(tree, host)

    def _reduced(self, band: Band, count: int, host: tuple[Row, ...], kept: tuple[Row, ...]) -> tuple[Part | Loop, ...]:
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
        return first if any(_has_parallelism(c) for c in children[:first]) else 0

    def _sequence(self, tree: Sequence, host: tuple[Row, ...], kept: tuple[Row, ...]) -> tuple[Part | Loop, ...]:
        found: list[Part | Loop] = []
        waiting: list[Tree] = []
        for child in tree.children:
            if isinstance(child, Leaf) or (kept and not _has_parallelism(child)):
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

    def _behind(self, found: Seq[Part | Loop], waiting: Seq[Tree], statement: str, kept: tuple[Row, ...]) -> int | None:
        """The reduction that the scalar statement follows, if nothing stands between them that it has to do with.

        [i R]{S2}; M0; [j R]{S4}; M1; S5 after M0 -> S5 is done by the first kernel, and the second need not wait.
        """
        if any(self._meet(statement, statements_of(tree)) for tree in waiting):
            return None
        last = len(found) - 1
        met = (k for k in range(last, -1, -1) if self._meet(statement, _inside(found[k])))
        position = next(met, None if waiting or not found else last)
        part = found[position] if position is not None else None
        return position if isinstance(part, Part) and part.reduced and part.kept == kept else None

    def _meet(self, statement: str, others: Seq[str]) -> bool:
        return meet(self.scop, (statement,), others)

    @staticmethod
    def _flush(waiting: list[Tree], host: tuple[Row, ...], kept: tuple[Row, ...]) -> list[Part | Loop]:
        if not waiting:
            return []
        body = waiting[0] if len(waiting) == 1 else Sequence(tuple(waiting))
        return [Part(host, kept, (), body)]


def meet(scop: Scop, statements: Seq[str], others: Seq[str]) -> bool:
    """Whether one of `statements` and one of `others` may touch one element, and not both only read it."""
    mine, theirs = ([a for s in names for a in _touched(scop, s)] for names in (statements, others))
    return any(_meet(a, b) for a in mine for b in theirs)


def _touched(scop: Scop, statement: str) -> list[Access]:
    return [a for a in scop.statement(statement).accesses if a.kind is not AccessKind.KILL]


def _meet(first: Access, second: Access) -> bool:
    if first.array != second.array or first.kind is second.kind is AccessKind.READ:
        return False
    places = [(a.array, islx.fixed_values(a.relation)) for a in (first, second)]
    return islx.may_meet(places[0], places[1])


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


def _has_parallelism(tree: Tree) -> bool:
    match tree:
        case Leaf():
            return False
        case Sequence():
            return any(_has_parallelism(child) for child in tree.children)
        case Band():
            return any(row.flag != "s" for row in tree.rows) or _has_parallelism(tree.child)


def fold_prologues(scop: Scop, items: tuple[Part | Loop, ...]) -> tuple[Part | Loop, ...]:
    """Turn a scalar part before a reduction into its prologue, where every thread may compute it for itself.

    That is so when it writes nothing but local scalars that only the two parts use, and reads nothing that
    they write.  A scalar part that the reduction has nothing to do with is done behind it.
    """
    found: list[Part | Loop] = []
    for position, item in enumerate(items):
        if isinstance(item, Loop):
            item = replace(item, items=fold_prologues(scop, item.items))
        last = found[-1] if found else None
        if isinstance(last, Part) and isinstance(item, Part) and _is_prologue(scop, last, item, items[position + 1 :]):
            found[-1] = replace(item, prologue=statements_of(last.body))
        elif isinstance(last, Part) and isinstance(item, Part) and _may_follow(scop, last, item):
            found[-1] = replace(item, post=(*item.post, *statements_of(last.body)))
        else:
            found.append(item)
    return tuple(found)


def _may_follow(scop: Scop, first: Part, second: Part) -> bool:
    """Whether the scalar part `first` may be done behind the reduction `second`, once for each of its kept points."""
    if first.reduced or first.prologue or first.post or not second.reduced or first.body is None:
        return False
    if first.kept != second.kept or first.host != second.host or not _is_scalar(first.body):
        return False
    return not meet(scop, statements_of(first.body), part_statements(second))


def _is_scalar(tree: Tree) -> bool:
    return isinstance(tree, Leaf) or (isinstance(tree, Sequence) and all(map(_is_scalar, tree.children)))


def _is_prologue(scop: Scop, first: Part, second: Part, rest: Seq[Part | Loop]) -> bool:
    if first.reduced or not second.reduced or first.body is None or second.prologue:
        return False
    if first.kept != second.kept or first.host != second.host or isinstance(first.body, Band):
        return False
    names = statements_of(first.body)
    written = {a.array for n in names for a in scop.statement(n).accesses if a.kind.writes}
    if any(scop.statement(n).kind is not StatementKind.ORDINARY for n in names):
        return False
    inside = {*names, *part_statements(second)}
    for array in written:
        record = scop.array(array)
        users = {s.name for s in scop.statements for a in s.accesses if a.array == array and s.kind.value != "kill"}
        if record.scope.value != "local" or record.extents or not users <= inside:
            return False
    read = {a.array for n in names for a in scop.statement(n).accesses if a.kind.value == "read"} - written
    overwritten = {a.array for n in part_statements(second) for a in scop.statement(n).accesses if a.kind.writes}
    merged = {r.array for r in scop.reductions if r.merge in second.post}
    return not (read & (overwritten | merged)) and not (written & overwritten)


def _inside(item: Part | Loop) -> tuple[str, ...]:
    if isinstance(item, Part):
        return part_statements(item)
    return tuple(statement for inner in item.items for statement in _inside(inner))


def part_statements(part: Part) -> tuple[str, ...]:
    """Every statement of a part, in order."""
    return (*part.prologue, *statements_of(part.body), *part.post)
