"""A sum over the second of two sweeps as one over the first."""

from __future__ import annotations

import pytest

from pencilc.gpu.variants.shifted_sum import shifted_sum
from pencilc.gpu.variants.sweeps import NotJoined, SumOfOneSweep
from pencilc.ir.scop import ShiftedSum
from pencilc.ir.source import Call, ReductionUpdate
from pencilc.ir.source_printer import print_expr
from tests.unit.gpu.variants.pairs import VARIANCE, sweeps
from tests.unit.records import SOFTMAX


def summed(body: str, name: str = "v") -> SumOfOneSweep:
    """The sum called `name`."""
    found = sweeps(body)
    return shifted_sum(found, next(r for r in found.scop.reductions if r.name == name))


def element(made: SumOfOneSweep) -> str:
    """What an update accumulates."""
    body = made.update.body
    assert isinstance(body, ReductionUpdate) and isinstance(body.element, Call)
    return print_expr(body.element)


def test_softmax() -> None:
    made = summed(SOFTMAX, "sum")
    assert dict(made.names) == {"S5": "S5_shifted", "M1": "M1_shifted"}
    assert isinstance(made.reduction, ShiftedSum) and made.reduction.function == "exp"
    assert print_expr(made.reduction.shift) == "max" and made.reduction.instead_of.name == "sum"
    assert element(made).startswith("exp(x[i][")


def test_the_update_no_longer_reads_the_shift_and_the_merge_node_does() -> None:
    made = summed(SOFTMAX, "sum")
    assert "max_v" not in {a.array for a in made.update.accesses}
    assert "max_v" in {a.array for a in made.merge.accesses}


def test_the_relations_have_the_new_names() -> None:
    made = summed(SOFTMAX, "sum")
    assert made.update.domain.get_tuple_name() == "S5_shifted"
    assert "S5_shifted" in str(made.reduction.i2r) and "M1_shifted" in str(made.reduction.r2m)


def test_a_variance_is_a_sum_of_squares_whose_shift_is_the_mean() -> None:
    made = summed(VARIANCE)
    assert isinstance(made.reduction, ShiftedSum)
    assert (made.reduction.function, print_expr(made.reduction.shift)) == ("square", "mean")


def test_what_the_sweep_computes_on_the_way_is_inlined() -> None:
    body = VARIANCE.replace(
        "FOR(j, m) UPDATE(&v, (x[i][j] - mean) * (x[i][j] - mean), add);",
        "FOR(j, m) { float d = x[i][j] - mean; UPDATE(&v, d * d, add); }",
    )
    assert element(summed(body)).startswith("square(x[i][")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("(x[i][j] - mean) * (x[i][j] - mean)", "x[i][j] * mean"),
        ("(x[i][j] - mean) * (x[i][j] - mean), add", "x[i][j] - mean, larger"),
        ("(x[i][j] - mean) * (x[i][j] - mean)", "(x[i][j] - mean * j) * (x[i][j] - mean * j)"),
        ("FOR(j, m) UPDATE(&v,", "FOR(j, m) if (x[i][j] > mean) UPDATE(&v,"),
    ],
    ids=["no shift", "no sum", "a shift of the element", "a condition that is known late"],
)
def test_what_cannot_be_summed_without_the_shift(old: str, new: str) -> None:
    assert summed(VARIANCE)
    with pytest.raises(NotJoined):
        summed(VARIANCE.replace(old, new))
