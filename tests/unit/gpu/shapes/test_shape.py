"""The shape of a kernel, the order of its rows, and what is loaded in chunks."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pencilc.gpu.shapes.shape import neighbours as neighbours_of
from pencilc.ir.shapes import AllKernel, ColumnKernel, Kernel, ParallelKernel, ReducingKernel, RowKernel, SingleKernel
from pencilc.ir.source import Index, ReductionUpdate
from pencilc.ir.source_printer import print_expr
from pencilc.parts.part import Part, Unmappable
from tests.unit.gpu.kernels import bounds, unlaunched
from tests.unit.records import COLUMN_SUMS, ROW_SUMS, SOFTMAX, SUM, part_of, shaped

KEPT_TWICE = "FOR(i, n) FOR(j, m) x[i][j] = y[i][j];"


@pytest.mark.parametrize(
    ("body", "statement", "shape"),
    [
        (SUM, "S2", AllKernel),
        (ROW_SUMS, "S1", RowKernel),
        (COLUMN_SUMS, "S1", ColumnKernel),
        ("FOR(i, n) a[i] = 1;", "S0", ParallelKernel),
        ("a[0] = 1;", "S0", SingleKernel),
        ("for (int i = 1; i < n; i++) a[i] = a[i - 1];", "S0", SingleKernel),
    ],
)
def test_the_rows_decide(body: str, statement: str, shape: type[Kernel]) -> None:
    assert type(unlaunched(body, statement)) is shape


def test_the_direction_with_more_contiguous_bytes_decides() -> None:
    """Of x[j][i] the kept row i moves by one, of y[i][j] the reduced row j; a tie goes to columns."""
    body = "__pencil_assume(n == m); FOR(i, n) { INIT(&a[i], zero); FOR(j, m) UPDATE(&a[i], x[j][i] * p[i], add); }"
    assert isinstance(unlaunched(body, "S1"), ColumnKernel)
    both = body.replace("p[i]", "y[i][j]")
    assert isinstance(unlaunched(both, "S1"), ColumnKernel)
    assert isinstance(unlaunched(body.replace("p[i]", "y[i][j] * x[i][j]"), "S1"), RowKernel)


@pytest.mark.parametrize(
    ("element", "shape"),
    [("b[j]", RowKernel), ("b[2 * j]", RowKernel), ("x[j][0]", RowKernel), ("x[j][i]", ParallelKernel)],
)
def test_rows_of_other_lengths_lie_elsewhere_each(element: str, shape: type[Kernel]) -> None:
    """A thread has a column alone only where columns lie side by side."""
    loops = f"for (int j = p[i]; j < p[i + 1]; j++) UPDATE(&a[i], {element}, add);"
    body = f"__pencil_assume(n == m); FOR(i, n - 1) {{ INIT(&a[i], zero); {loops} }}"
    assert isinstance(unlaunched(body, "S1"), shape)


def test_a_prologue_needs_one_kept_point_for_a_thread() -> None:
    body = "FOR(j, m) { float s = q[j]; INIT(&z[j], zero); FOR(i, n) UPDATE(&z[j], x[i][j] * s, add); }"
    part = part_of(body, "S3")
    assert part.prologue == ("S1",) and isinstance(unlaunched(body, "S3"), RowKernel)
    assert isinstance(shaped(body).shaper.kernel(replace(part, prologue=()), (), "k"), ColumnKernel)


def test_the_contiguous_row_is_the_last() -> None:
    body = "FOR(j, m) FOR(i, n) x[i][j] = y[i][j];"
    kept = part_of(body, "S0").kept
    assert unlaunched(body, "S0").kept == (kept[1], kept[0])
    assert unlaunched(KEPT_TWICE, "S0").kept == part_of(KEPT_TWICE, "S0").kept


def loaded(body: str) -> int:
    """How many reads are loaded in chunks."""
    return len(unlaunched(body, "S2").loads.vectors)


def test_elements_that_move_by_one_are_loaded_in_chunks() -> None:
    assert loaded(SUM) == 1
    assert loaded(SUM.replace("a[i]", "a[i] * c[i]")) == 2
    assert loaded(SUM.replace("a[i]", "a[n - 1 - i]")) == 0
    assert loaded(SUM.replace("a[i]", "a[p[i]]")) == 1  # p, not a
    assert loaded(SUM.replace("FOR(i, n)", "for (int i = 0; i < n; i += 2)")) == 0


def test_only_certain_reads_and_those_inside_of_the_array_are_loaded_ahead() -> None:
    """a[i + 1] is read where i + 1 < n alone; a[i] is there for every i."""
    assert loaded(SUM.replace("a[i]", "(i + 1 < n ? a[i + 1] : 0)")) == 0
    assert loaded(SUM.replace("a[i]", "(c[0] > 0 ? a[i] : 0)")) == 1


FEW = "float t[n][3]; FOR(i, n) FOR(k, 3) t[p[i]][k] = x[i][k]; float u, v, w;"
FEW += "INIT(&u, zero); INIT(&v, zero); INIT(&w, zero); FOR(i, n) { %s } b[0] = u + v + w;"
U, V, W = (f"UPDATE(&{'uvw'[k]}, t[i][{k}], add);" for k in range(3))


def neighbours(body: str) -> list[tuple[str, int]]:
    """The first elements of what points read side by side, as the source has them, and the numbers read."""
    found = []
    for vector in unlaunched(body, shaped(body).shaper.scop.reductions[0].updates[0]).loads.vectors:
        if vector.among:
            assert vector.count == 3 and vector.first is vector.among.first
            found.append((print_expr(vector.first), vector.among.place))
    return found


def test_neighbours_that_a_point_reads_are_loaded_as_one() -> None:
    expected = [("t[i_1][0]", number) for number in range(3)]
    assert neighbours(FEW % (U + V + W)) == expected
    assert neighbours(FEW % (W + U + V)) == [expected[2], *expected[:2]]
    twice = "UPDATE(&u, t[i][0] * t[i][1] + t[i][2], add);" + U + V + W
    assert sorted(neighbours(FEW % twice)) == sorted(expected * 2)


def test_nothing_is_loaded_that_nobody_reads() -> None:
    assert not neighbours(FEW % (U + V))
    assert not neighbours(FEW % (U + V + W.replace("t[i][2]", "t[n - 1 - i][2]")))
    assert not neighbours(FEW % (U + V + "if (p[i] > 0) " + W.replace("t[i]", "t[p[i]]")))


@pytest.mark.parametrize(
    ("index", "expected"),
    [
        ("3 * i", ("a[3 * i]", 3, 0)),
        ("3 * i + 2", ("a[3 * i]", 3, 2)),
        ("1 + 2 * i", ("a[2 * i]", 2, 1)),
        ("3 * (i + 1) + 1", ("a[3 * (i + 1)]", 3, 1)),
        ("i * 4 + 3", ("a[i * 4]", 4, 3)),
        ("3 * i + 3", None),  # in the next row
        ("3 * i - 1", ("a[3 * i - 1]", 3, 0)),
        ("5 * i", None),
        ("i + 1", None),
        ("-2 * i + 1", None),
        ("p[i] * 3", None),
    ],
)
def test_places_among_neighbours(index: str, expected: tuple[str, int, int] | None) -> None:
    body = f"float s; INIT(&s, zero); FOR(i, n) UPDATE(&s, a[{index}], add); b[0] = s;"
    update = shaped(body).shaper.scop.statement("S2").body
    assert isinstance(update, ReductionUpdate) and isinstance(update.element, Index)
    found = neighbours_of(update.element, "i")
    assert (found and (print_expr(found.first), found.count, found.place)) == expected


def test_boxes() -> None:
    row = unlaunched(ROW_SUMS, "S1")
    assert (bounds(row.kept_box), bounds(row.reduced_box)) == ([("0", "-1 + n")], [("0", "-1 + m")])
    triangle = "__pencil_assume(n == m); FOR(i, n) { INIT(&a[i], zero); FOR(j, i) UPDATE(&a[i], x[i][j], add); }"
    assert unlaunched(triangle, "S1").reduced_box is None


def test_reduced_rows_that_are_one_run_in_memory_are_one_index() -> None:
    whole = "float s; INIT(&s, zero); FOR(i, n) FOR(j, m) UPDATE(&s, x[i][j], add); b[0] = s;"
    part = whole.replace("FOR(j, m)", "FOR(j, m - 1)")
    assert unlaunched(whole, "S2").collapsed and not unlaunched(part, "S2").collapsed


def inside(loops: str) -> ReducingKernel:
    """The kernel of a sum over a part of an array of three dimensions."""
    fill = "float t[n][3][m]; FOR(i, n) FOR(k, 3) FOR(j, m) t[p[i]][k][j] = x[i][j];"
    body = f"{fill} float s; INIT(&s, zero); {loops} UPDATE(&s, t[i][k][j], add); b[0] = s;"
    return reducing(body)


def reducing(body: str) -> ReducingKernel:
    """The kernel of the only reduction."""
    (reduction,) = shaped(body).shaper.scop.reductions
    found = unlaunched(body, reduction.updates[0])
    assert isinstance(found, ReducingKernel)
    return found


def test_rows_are_runs_as_long_as_memory_has_them() -> None:
    """The reduced loops need not be all of the subscripts, nor stand in their order."""
    for loops in ("FOR(i, n) FOR(k, 3) FOR(j, m)", "FOR(k, 3) FOR(i, n) FOR(j, m)"):
        assert inside(loops).collapsed
    assert inside("FOR(i, n) FOR(k, 3) FOR(j, m - 1)").run_rows == 1
    assert inside("FOR(i, n) for (int k = 1; k < 3; k++) FOR(j, m)").run_rows == 2
    assert inside("FOR(i, n) FOR(k, 3) for (int j = i; j < m; j++)").run_rows == 0


def test_columns_are_as_many_as_lie_side_by_side() -> None:
    fill = "float t[n][4][3]; FOR(i, n) FOR(k, 4) FOR(j, 3) t[p[i]][k][j] = a[i];"
    sums = "FOR(k, 4) FOR(j, 3) { float s; INIT(&s, zero); FOR(i, n) UPDATE(&s, t[i][k][j], add); x[k][j] = s; }"
    assume = "__pencil_assume(n > 4 && m > 3);"
    assert reducing(f"{assume} {fill} {sums}").column_rows == 2
    assert reducing(f"{assume} {fill} {sums.replace('j, 3', 'j, 2')}").column_rows == 1


def test_what_has_no_form_for_its_reduction_is_done_by_a_thread_for_each_point() -> None:
    """The bound of the kept points needs a division."""
    body = "for (int i = 0; i < n / 3; i++) { INIT(&a[i], zero); FOR(j, m) UPDATE(&a[i], x[i][j], add); }"
    done = unlaunched(body, "S1")
    assert isinstance(done, ParallelKernel) and "bounds that are not affine" in done.reason


def test_a_reduced_row_without_a_reduction_is_refused() -> None:
    other = "FOR(i, n) a[i] = 1;"
    wrong = Part((), (), part_of(other, "S0").kept, part_of(other, "S0").body)
    with pytest.raises(Unmappable, match="a reduction row without a reduction"):
        shaped(other).shaper.kernel(wrong, (), "k")


def test_a_merge_node_behind_another_reduction_is_refused() -> None:
    part = part_of(SOFTMAX, "S3")
    whole = replace(part, post=(*part.post, "M1"))
    with pytest.raises(Unmappable, match="wrong reduction"):
        shaped(SOFTMAX).shaper.kernel(whole, (), "k")
