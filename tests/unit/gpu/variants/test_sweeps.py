"""Two sweeps over the same elements: what they write and read, and where."""

from __future__ import annotations

from pencilc.gpu.variants.shifted_sum import shifted_sum
from pencilc.gpu.variants.sweeps import JoinedSweep, extended, reads_of
from tests.unit.gpu.variants.pairs import VARIANCE, sweeps
from tests.unit.records import SOFTMAX, region

# The first sweep makes an element that the second one needs.
MADE = """FOR(i, n) {
    float s, v; INIT(&s, zero); INIT(&v, zero);
    FOR(j, m) { y[i][j] = x[i][j] * 2; UPDATE(&s, y[i][j], add); }
    FOR(j, m) UPDATE(&v, (y[i][j] - s) * (y[i][j] - s), add);
    a[i] = v;
}"""


def test_what_is_known_when_the_first_sweep_is_done() -> None:
    assert sweeps(SOFTMAX).late >= {"max"} and not sweeps(SOFTMAX).early
    assert sweeps(VARIANCE).late >= {"s", "mean"}


def test_what_the_first_sweep_makes_for_an_element_is_early() -> None:
    found = sweeps(MADE)
    assert found.early == {"y"}
    reader = found.scop.statement(found.inside[0])
    reads = reads_of(reader)
    late = {found.symbol(read) for read in reads if found.is_late(reader, read, reads)}
    assert late == {"s"}


def test_an_element_of_another_point_is_late() -> None:
    found = sweeps(MADE.replace("(y[i][j] - s) * (y[i][j] - s)", "y[i][j] * y[i][m - 1 - j] * s"))
    reader = found.scop.statement(found.inside[0])
    reads = reads_of(reader)
    assert {found.symbol(read) for read in reads if found.is_late(reader, read, reads)} == {"s", "y"}


def test_the_same_point_of_both() -> None:
    found = sweeps(MADE)
    first, second = found.scop.statement("S4"), found.scop.statement(found.inside[0])
    (read, *_) = (a for a in reads_of(second) if found.symbol(a) == "y")
    assert found.meets(first, second, read) and found.written(("S4",)) == {"y"}
    pairs = found.between(first, second)
    assert pairs.is_single_valued() and pairs.is_injective() and not pairs.is_empty()


def test_the_model_with_more_sums() -> None:
    done = region(SOFTMAX)
    found = sweeps(SOFTMAX)
    total = shifted_sum(found, next(r for r in done.scop.reductions if r.name == "sum"))
    scop, domains = extended(done.scop, done.domains, [total])
    assert {s.name for s in scop.statements} - {s.name for s in done.scop.statements} == set(total.names.values())
    assert domains.keys() - done.domains.keys() == set(total.names.values())
    assert scop.stands_for == {new: old for old, new in total.names.items()}
    assert JoinedSweep({}, (total,)).names == dict(total.names)
    same, _ = extended(done.scop, done.domains, [])
    assert same.statements == done.scop.statements
