"""Reductions of one thread: init statements stand where their merge nodes had been taken."""

from __future__ import annotations

from pencilc.analysis.sums import within_one_thread
from pencilc.codegen.sequential import with_inits
from pencilc.ir.schedule import Leaf, Sequence, statements_of
from tests.unit.records import ROW_SUMS, SUM, modelled, scheduled


def order(body: str, others: tuple[str, ...] = ()) -> list[str]:
    """What of its only reduction comes in which order."""
    made = scheduled(body)
    (reduction,) = made.scop.reductions
    roles = {reduction.init: "init", reduction.merge: "merge", **dict.fromkeys(reduction.updates, "update")}
    return [roles[name] for name in statements_of(with_inits(made.scop, made.tree, others)) if name in roles]


def test_a_sum_begins_where_it_is_updated_first() -> None:
    for body in (SUM, ROW_SUMS):
        found = order(body)
        assert found[0] == "init" and set(found) >= {"init", "update"}, body


def test_what_others_reduce_stays_as_it_is() -> None:
    scop = modelled(SUM)
    (reduction,) = scop.reductions
    assert "init" not in order(SUM, (reduction.name,))


def test_a_tree_without_the_updates_is_left_alone() -> None:
    scop = modelled(SUM)
    (reduction,) = scop.reductions
    for tree in (Leaf(reduction.merge), Sequence((Leaf(reduction.merge),))):
        assert with_inits(scop, tree, ()) == tree


ELSEWHERE = """
    for (int i = 0; i < n; i++) {
        __pencil_reduction_var_init(&c[i], zero);
        for (int k = 0; k < n; k++)
            __pencil_reduction(&c[0], a[k], add);
    }
"""


def test_variables_that_other_iterations_end_begin_in_front_of_the_loops() -> None:
    """M0 stands behind all updates; so would the init in its place."""
    made = scheduled(ELSEWHERE)
    (reduction,) = made.scop.reductions
    found = with_inits(made.scop, made.tree, ())
    assert isinstance(found, Sequence)
    begin, rest = found.children
    assert statements_of(begin) == (reduction.init,) and rest == made.tree
    assert not within_one_thread(made.tree, reduction)
