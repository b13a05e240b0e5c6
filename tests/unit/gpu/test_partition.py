"""The pass `parts`: what of the parts the GPU decides."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pencilc.gpu.partition import partition
from pencilc.ir.schedule import Sequence
from pencilc.options import CompileOptions
from pencilc.parts.part import Unmappable
from tests.unit.records import BINS, DEFAULT, ROW_SUMS, SOFTMAX, region, told


def parts(body: str, options: CompileOptions = DEFAULT) -> list[str]:
    """The parts that the pass makes."""
    return told(partition(region(body, options)).items)


def test_parts_of_rows() -> None:
    assert parts(ROW_SUMS) == ["P|R: S1; M0"]
    assert parts(SOFTMAX) == ["P|R: S3; M0", "P|R: S5; M1", "PP|: S6"]


def test_scalars_of_parameters_are_no_part() -> None:
    made = partition(region("float s = (float)n; FOR(i, n) a[i] = s;"))
    assert told(made.items) == ["P|: S2"] and dict(made.uniform) == {"s": "S1"}


def test_prologues_are_folded() -> None:
    body = "FOR(i, n) { float s = b[i]; INIT(&a[i], zero); FOR(j, m) UPDATE(&a[i], x[i][j] * s, add); }"
    assert parts(body) == ["P|R: (S1) S3; M0"]


def test_bins_are_filled_in_place() -> None:
    made = partition(region(BINS))
    assert made.in_place == ("h",) and told(made.items) == ["P|: S0", "|R: S1"]
    assert partition(region(ROW_SUMS)).in_place == ()


def test_only_values_that_are_put_in_order_come_one_from_each_point() -> None:
    """Sums of float come out the same in any order only if nobody minds: then a loop inside stays one."""
    body = """FOR(k, n) INIT(&a[k], zero);
    FOR(i, n) { int s = p[i]; FOR(j, m) UPDATE(&a[s], z[j], add); }"""
    assert parts(body) == ["P|: S0", "|RR: S2 S3"]
    assert parts(body, CompileOptions(determinism="none")) == ["P|: S0", "|R: S2 S3"]


def test_more_accumulators_than_fit_are_several_parts() -> None:
    count = 34
    body = "".join(f"float s{k}; INIT(&s{k}, zero); " for k in range(count))
    body += f"FOR(i, n) {{ {' '.join(f'UPDATE(&s{k}, a[i], add);' for k in range(count))} }}"
    body += " ".join(f"b[{k}] = s{k};" for k in range(count))
    assert len(parts(f"__pencil_assume(n > {count}); {body}")) == 1
    assert len(parts(f"__pencil_assume(n > {count}); {body}", CompileOptions(sums="pairwise"))) == 2


def test_an_old_value_that_is_wanted_later_is_refused() -> None:
    before = region("FOR(i, n) a[i] = h[p[i] % 40]; " + BINS)
    tree = before.scheduled.tree
    assert isinstance(tree, Sequence) and partition(before).in_place == ("h",)
    order = Sequence((*tree.children[1:], tree.children[0]))
    with pytest.raises(Unmappable, match="old value of `h`"):
        partition(replace(before, scheduled=replace(before.scheduled, tree=order)))


def test_nothing_to_do() -> None:
    assert partition(region("int k;")).items == ()
