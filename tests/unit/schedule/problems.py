"""Scheduling problems written by hand, for the tests of the scheduler's modules.

    problem([statement("{ S[i] : 0 <= i < 10 }", 0)], validity="{ S[i] -> S[i + 1] : 0 <= i < 9 }")

The second argument of `statement` is the number of the source loop around it: equal numbers are one loop.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import islpy as isl

from pencilc import islx
from pencilc.diagnostics.source import Span
from pencilc.ir.schedule import Band, Leaf, Row, Tree
from pencilc.ir.scop import Loop, Statement, StatementKind
from pencilc.ir.source import INT, Symbol
from pencilc.schedule.problem import Functions, SchedulingProblem, by_pair
from pencilc.schedule.rows import BandGroup

NOWHERE = Span("test.c", 1, 1, 1)


def statement(domain: str, *loops: int, step: int = 1, kind: StatementKind = StatementKind.ORDINARY) -> Statement:
    """A statement without a body below source loops with these numbers."""
    points = isl.Set(domain)
    names = [f"i{depth}" for depth in range(islx.dimensions(points))]
    iterators = tuple(Symbol(name, name, INT, "iterator", NOWHERE) for name in names)
    around = tuple(Loop(number, it, step, False) for number, it in zip(loops, iterators, strict=True))
    return Statement(str(points.get_tuple_name()), kind, iterators, points, None, (), (), NOWHERE, around)


def problem(
    statements: Sequence[Statement],
    validity: str = "{ }",
    relaxed: str = "{ }",
    proximity: str = "{ }",
    together: Sequence[tuple[int, str]] = (),
    context: str = "{ : }",
    fuses: bool = True,
) -> SchedulingProblem:
    """The problem of statements in textual order; `together`: how many rows statements must share, "S T"."""
    return SchedulingProblem(
        statements={s.name: s for s in statements},
        order={s.name: (position, 0) for position, s in enumerate(statements)},
        validity=by_pair(isl.UnionMap(validity)),
        relaxed=by_pair(isl.UnionMap(relaxed)),
        proximity=by_pair(isl.UnionMap(proximity)),
        fixed={s.name: () for s in statements},
        together=tuple((depth, frozenset(names.split())) for depth, names in together),
        context=isl.Set(context),
        fuses=fuses,
    )


def functions(*texts: str) -> Functions:
    """One row from the functions { S[i] -> [(f(i))] } of its statements."""
    found = [isl.PwAff(text) for text in texts]
    return {islx.set_name(f.domain()): f for f in found}


def group(flag: str, *rows: Functions) -> BandGroup:
    """A group of the statements that the rows are on."""
    assert flag in ("P", "R", "s")
    return BandGroup(tuple(rows[0]), flag, rows)  # type: ignore[arg-type]


def band(flag: str, function: str, child: Tree) -> Band:
    """A band of one row around `child`."""
    assert flag in ("P", "R", "s")
    return Band((Row(flag, isl.UnionPwAff(function)),), child)  # type: ignore[arg-type]


def factors(row: Row | Functions) -> dict[str, tuple[int, ...] | None]:
    """The factors of the iterators in a row, for each statement."""
    by_name = islx.pw_affs_of(row.function) if isinstance(row, Row) else row
    return {name: islx.coefficients(by_name[name]) for name in sorted(by_name)}


def text(tree: Tree) -> str:
    """`[P]{ [R]{S}; M }`: the flags of the rows, and the statements."""
    if isinstance(tree, Leaf):
        return tree.statement
    if isinstance(tree, Band):
        return f"[{''.join(row.flag for row in tree.rows)}]{{ {text(tree.child)} }}"
    return "; ".join(text(child) for child in tree.children)


def summaries(groups: Iterable[BandGroup]) -> list[str]:
    """`P S T` for each group: the flag of its rows, once for each, and its statements."""
    return [" ".join(((found.flag or "-") * max(1, len(found.rows)), *found.names)) for found in groups]
