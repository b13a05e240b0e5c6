"""How long a schedule takes at nominal sizes: the longest chain of steps that wait for one another.

    [i s]{[j s]{[k s]{S0}; S1}}                       one thread: 2048 * 2048 * (2048 + 1)
    [k s]{[i P]{S1}; [i P, j P]{S0}}                  2048 * 2 launches

What the steps themselves take, and how many threads there are for parallel rows, does not matter here: a schedule whose
chain is shorter by a loop is better on any device.
"""

from __future__ import annotations

from math import prod

from pencilc import islx
from pencilc.analysis.box import Domains
from pencilc.analysis.nominal import at_nominal_sizes, likely, points
from pencilc.ir.schedule import Band, Leaf, Row, Sequence, Tree, has_parallelism, statements_of
from pencilc.schedule.problem import SchedulingProblem

LAUNCH = 32  # the steps of one thread that a launch takes as long as, about: each waits for memory


def nominal_domains(problem: SchedulingProblem) -> Domains:
    """The domains { S[i] } of the statements, every parameter at its nominal size, or near it where none has points."""
    context = likely(problem.context, problem.sizes)
    for statement in problem.statements.values():
        there = context.intersect(statement.domain.params())
        context = context if there.is_empty() else there
    return {
        name: at_nominal_sizes(statement.domain.intersect_params(context), context)
        for name, statement in problem.statements.items()
    }


def chain(tree: Tree, domains: Domains) -> int:
    """The steps of `tree` that wait for one another; those of a launch count LAUNCH more."""
    match tree:
        case Leaf():
            return 1
        case Sequence():
            return sum(chain(child, domains) for child in tree.children)
        case Band() if not has_parallelism(tree):
            return _in_one_thread(tree, domains)
        case Band(rows=(Row(flag="s") as first, *rest)):
            return _values(first, tree, domains) * chain(_below(tree, rest), domains)
        case Band():
            return LAUNCH + _in_one_thread(tree, domains)


def is_sequential(tree: Tree) -> bool:
    """Whether a row of `tree` is not dealt out to threads, but for what a thread takes together."""
    match tree:
        case Leaf():
            return False
        case Sequence():
            return any(is_sequential(child) for child in tree.children)
        case Band() if takes_together(tree):
            return False
        case Band():
            return any(row.flag == "s" for row in tree.rows) or is_sequential(tree.child)


def takes_together(band: Band) -> bool:
    """Whether a thread takes several iterations together, which are the sequential rows below: [i/2 P]{ [i s]{S0} }."""
    return any(islx.is_quotient(function) for row in band.rows for function in islx.pw_affs_of(row.function).values())


def _in_one_thread(tree: Tree, domains: Domains) -> int:
    """The steps of one thread, where the parallel rows in `tree` are dealt out to others."""
    match tree:
        case Leaf():
            return 1
        case Sequence():
            return sum(_in_one_thread(child, domains) for child in tree.children)
        case Band():
            steps = _in_one_thread(tree.child, domains)
            for row in tree.rows:
                steps *= _values(row, tree, domains) if row.flag == "s" else 1
            threads = prod(_values(row, tree, domains) for row in tree.rows) if takes_together(tree) else 1
            return -(-steps // threads)


def _values(row: Row, tree: Tree, domains: Domains) -> int:
    """The number of values of a row: at least as many as one of its statements has."""
    return max(points(domains, (row,), (name,)) for name in statements_of(tree))


def _below(band: Band, rows: list[Row]) -> Tree:
    return Band(tuple(rows), band.child) if rows else band.child
