"""Which scalars of loop bodies a schedule expands (scalar expansion): a value for each iteration.

Of `most` in S1, S2 and S3 there are n * n values in `[i,j P]{ S1; [k s]{S2} }; [i s]{ [j s]{S3} }`, and n values in
`[i s]{ [j P]{ S1; [k s]{S2} }; [j s]{S3} }`: what the host does in order takes those of one iteration.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet

from pencilc import islx
from pencilc.analysis.iterators import iterator_of
from pencilc.analysis.vectors import independent, unit
from pencilc.ir.schedule import Band, ExpandedScalar, Leaf, Row, ScheduledScop, Tree, statements_of
from pencilc.ir.scop import ArrayKind, Scop
from pencilc.schedule.elide import has_one_value


def expanded_scalars(scheduled: ScheduledScop) -> Iterator[ExpandedScalar]:
    """The scalars of which iterations have a value each, as the schedule has it."""
    scop, present = scheduled.scop, {*statements_of(scheduled.tree)}
    scalars = (a for a in scop.arrays if a.kind is ArrayKind.LOCAL and a.scope_iterators and not a.extents)
    touching = {a.symbol.name: present.intersection(scop.accesses_to(a.symbol.name)) for a in scalars}
    free: dict[tuple[str, tuple[Row, ...]], tuple[int, ...]] = {}
    for name, rows in _where_apart(scheduled.tree, touching, ()):
        names = touching[name]
        for each in names:
            if (each, rows) not in free:
                free[each, rows] = _free_loops(scop, rows, each)
        scope = range(len(scop.arrays_of(name)[0].scope_iterators))
        undetermined = (d for d in scope if any(d in free[each, rows] for each in names))
        if all(_has_one_value(scop, names, depth) for depth in undetermined):
            continue
        shared = _in_order_on_host(rows)
        done = [d for d in scope if any(all(_is_loop(scop, row, each, d) for each in names) for row in shared)]
        done += [depth for depth in scope if depth not in done and _has_one_value(scop, names, depth)]
        yield ExpandedScalar(name, tuple(depth for depth in scope if depth not in done))


def _where_apart(
    tree: Tree, touching: Mapping[str, AbstractSet[str]], around: tuple[Row, ...]
) -> Iterator[tuple[str, tuple[Row, ...]]]:
    """The scalars of which several children of a sequence have statements, with the rows around it."""
    while isinstance(tree, Band):
        around = (*around, *tree.rows)
        tree = tree.child
    if isinstance(tree, Leaf) or not touching:
        return
    children = [(child, {*statements_of(child)}) for child in tree.children]
    for name, names in touching.items():
        if sum(not names.isdisjoint(own) for _, own in children) > 1:
            yield name, around
    for child, own in children:
        yield from _where_apart(child, {name: names for name, names in touching.items() if names <= own}, around)


def _has_one_value(scop: Scop, names: AbstractSet[str], depth: int) -> bool:
    """Whether the loop at `depth` around the statements has one iteration, whose row the schedule leaves out."""
    return has_one_value(scop, {name: islx.row_function(scop.statement(name).domain, depth) for name in names})


def _free_loops(scop: Scop, rows: tuple[Row, ...], name: str) -> tuple[int, ...]:
    """The loops around a statement whose iteration the rows do not tell."""
    functions = (islx.pw_affs_of(row.function)[name] for row in rows)
    known = [factors for each in functions if (factors := islx.coefficients(each)) is not None]
    count = len(scop.statement(name).iterators)
    return tuple(depth for depth in range(count) if independent(unit(depth, count), known))


def _in_order_on_host(rows: tuple[Row, ...]) -> tuple[Row, ...]:
    """The sequential rows that no parallel one goes around."""
    first = next((position for position, row in enumerate(rows) if row.flag != "s"), len(rows))
    return rows[:first]


def _is_loop(scop: Scop, row: Row, statement: str, depth: int) -> bool:
    """Whether a row is the loop at `depth` around a statement."""
    return iterator_of(scop, row, statement) == scop.statement(statement).iterators[depth].name
