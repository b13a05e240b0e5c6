"""The pass `sweeps`: one sweep over the elements where the program has two."""

from __future__ import annotations

import pytest

from pencilc.gpu.variants.join import join, with_functions
from pencilc.gpu.variants.sweeps import JoinedSweep
from pencilc.ir.schedule import statements_of
from pencilc.options import CompileOptions
from pencilc.parts.part import part_statements
from tests.unit.gpu.variants.pairs import VARIANCE
from tests.unit.records import DEFAULT, ROW_SUMS, SOFTMAX, part_of, parted


def sweeps(body: str, options: CompileOptions = DEFAULT) -> tuple[JoinedSweep, ...]:
    """What could be done in fewer sweeps."""
    return join(parted(body, options)).sweeps


def test_softmax_reads_twice_not_three_times() -> None:
    (found,) = sweeps(SOFTMAX)
    assert found.instead.keys() == {0, 1} and found.instead[1] is None
    part = found.instead[0]
    assert part is not None and statements_of(part.body) == ("S3", "S5_shifted")
    assert part.post == ("M0", "M1_shifted")


def test_what_only_the_sum_needs_is_gone() -> None:
    body = VARIANCE.replace(
        "FOR(j, m) UPDATE(&v, (x[i][j] - mean) * (x[i][j] - mean), add);",
        "FOR(j, m) { float d = x[i][j] - mean; UPDATE(&v, d * d, add); }",
    )
    (found,) = sweeps(body)
    part = found.instead[0]
    assert part is not None and len(statements_of(part.body)) == 2


def test_what_later_elements_need_moves_to_them() -> None:
    body = """FOR(i, n) {
        float max, sum; INIT(&max, lowest); INIT(&sum, zero);
        FOR(j, m) UPDATE(&max, x[i][j], larger);
        FOR(j, m) { y[i][j] = expf(x[i][j] - max); UPDATE(&sum, y[i][j], add); }
        FOR(j, m) y[i][j] = y[i][j] / sum;
    }"""
    (found,) = sweeps(body)
    first, second, third = (found.instead[number] for number in (0, 1, 2))
    assert first is not None and second is None and third is not None
    assert len(part_statements(third)) == 2


def test_rows_hold_for_the_new_statements() -> None:
    (found,) = sweeps(SOFTMAX)
    part = found.instead[0]
    assert part is not None
    text = str(part.kept[0].function)
    assert all(name in text for name in ("S3", "S5_shifted", "M1_shifted"))
    row = part_of(SOFTMAX, "S3").kept[0]
    assert str(with_functions(row, row, {"S3": "T"}).function).count("T[") == 1


@pytest.mark.parametrize(
    "body",
    [
        ROW_SUMS,
        "FOR(i, n) a[i] = 1;",
        SOFTMAX.replace("expf(x[i][j] - max), add", "x[i][j] * max, add"),
        SOFTMAX.replace("FOR(j, m) UPDATE(&sum", "FOR(j, m - 1) UPDATE(&sum"),
        "int k;",
    ],
    ids=["one sweep", "no sweep", "no shift", "other elements", "nothing"],
)
def test_what_stays_as_it_is(body: str) -> None:
    assert sweeps(body) == ()


def test_only_where_it_is_asked_for() -> None:
    assert sweeps(SOFTMAX, CompileOptions(shifted_sums="as-written")) == ()
    assert sweeps(SOFTMAX, CompileOptions(sums="kahan")) == ()
    assert sweeps(SOFTMAX, CompileOptions(fuse="none")) == ()
