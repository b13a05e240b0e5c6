"""Loops over reduced rows down to runs of points."""

from __future__ import annotations

import pytest

from pencilc.codegen.astgen import AstFor, AstInstance
from pencilc.codegen.instances import Instances
from pencilc.codegen.segments import Segments, run_address, strided
from pencilc.diagnostics.diagnostic import CompilerBug
from pencilc.ir.build import ZERO, address, binary, cast, element, number, plus, times, variable
from pencilc.ir.nodes import For, If, Node, Parameter
from pencilc.ir.segments import Segment
from pencilc.ir.source import FLOAT, INT, LLONG, UINT, Declare
from tests.unit.codegen.programs import ITER, A, N, frame, functions, node, told
from tests.unit.records import COLUMN_SUMS, ROW_SUMS, SUM

MATRIX = "float s; INIT(&s, zero); FOR(i, n) FOR(j, m) UPDATE(&s, x[i][j], add); b[0] = s;"
STRIDED = "float s; INIT(&s, zero); for (unsigned i = 2; i < 100; i += 3) UPDATE(&s, a[i], add); b[0] = s;"
TRIANGLE = "float s; INIT(&s, zero); FOR(i, n) for (int j = i; j < m; j++) UPDATE(&s, x[i][j], add); b[0] = s;"


def nodes(body: str) -> tuple[Node, ...]:
    """The loops of the only kernel, dealt out to threads of which this one is number `rank` of `size`."""
    shared = frame(body)
    writer = Instances(shared.program, shared.kernel, shared.types)
    return Segments(shared, writer, variable("rank"), variable("size")).nodes()


def segment(body: str) -> Segment:
    """The only run."""
    (found,) = nodes(body)
    assert isinstance(found, Segment)
    return found


def test_a_row_is_one_run_of_chunks() -> None:
    made = segment(SUM)
    assert (made.count, made.width, made.point, made.uses_point) == (N, 4, None, False)
    assert told(made.rank, made.size) == ["rank", "size"]
    (load,) = made.loads
    assert told(load.first) == ["a"] and load.type == FLOAT
    assert [each.name for each in made.parameters] == ["@a_element", "@acc"] and made.parameters[1].reference


def test_rows_of_the_same_length_are_walked_as_one() -> None:
    made = segment(MATRIX)
    assert told(made.count) == ["n > 0 ? (long long)n * m : 0"] and told(made.loads[0].first) == ["x"]


def test_a_run_that_is_no_run_in_memory_is_not_loaded_in_chunks() -> None:
    made = segment(STRIDED)
    assert made.loads == () and made.width == 1
    assert told(made.count) == ["(int)100 / 3"]
    assert made.parameters[0] == Parameter("i", UINT, is_const=True)
    assert made.point is not None and told(made.point) == ["(unsigned int)(2 + 3 * @x)"]


def test_loops_around_runs_are_dealt_out_to_teams() -> None:
    (guard,) = nodes(TRIANGLE)
    assert isinstance(guard, If) and told(guard.condition) == ["@thread / @team < @teams"]
    (loop,) = guard.then
    assert isinstance(loop, For) and told(loop.lower, loop.step) == [
        "(long long)(@thread / @team)",
        "(long long)@teams",
    ]
    run = loop.body[-1]
    assert isinstance(run, Segment) and told(run.rank, run.size, run.count) == [
        "@thread % @team",
        "@team",
        "(long long)m - i",
    ]


def test_a_column_says_where_it_lies_and_what_it_uses() -> None:
    made = node(functions(COLUMN_SUMS)["f_column0"], Segment)
    assert made is not None and told(made.count, made.loads[0].first) == ["@columns", "&x[(long long)i * m + @column]"]
    assert not made.uses_point and not made.uses_row
    deep = functions(
        "FOR(i, n) { float s; INIT(&s, zero); FOR(j, 4) UPDATE(&s, y[j][i] + x[j][0] + i, add); a[i] = s; }"
    )
    both = node(deep["f_column0"], Segment)
    assert both is not None and both.uses_point and both.uses_row
    assert [each.name for each in both.parameters] == ["@row", "i", "@y_element", "@acc"]


# ---- loops that are dealt out -------------------------------------------------------------------------


def dealt(body: str, ast: AstFor, inside: tuple[Node, ...] = ()) -> For:
    """A loop of a kernel, dealt out to `size` threads."""
    return strided(frame(body), ast, variable("rank"), variable("size"), inside)


CALL = AstInstance("S", ())


def test_a_loop_counts_in_the_type_of_the_kernel() -> None:
    uses: tuple[Node, ...] = (Declare(ITER.symbol, ITER, ITER.span),)
    made = dealt(ROW_SUMS, AstFor("i", ZERO, N, 1, False, CALL), uses)
    assert made.iterator.name == "@i_at" and made.iterator.type == LLONG
    assert told(made.lower, made.bound, made.step) == ["(long long)rank", "n", "(long long)size"]
    assert isinstance(made.body[0], Declare) and made.body[0].symbol.type == INT
    assert dealt(ROW_SUMS, AstFor("i", ZERO, N, 1, False, CALL)).body == ()


def test_a_counter_of_that_type_is_its_own() -> None:
    made = dealt("FOR(k, 40) h[k] = 0;", AstFor("k", number(2), number(40), 3, False, CALL))
    assert made.iterator.name == "k" and made.iterator.type == INT
    assert told(made.lower, made.step) == ["2 + rank * 3", "(int)size * 3"]


def test_a_loop_over_no_row_is_never_dealt_out() -> None:
    with pytest.raises(CompilerBug, match="deals out the loop over `t`"):
        dealt(ROW_SUMS, AstFor("t", ZERO, N, 1, False, CALL))


# ---- addresses ----------------------------------------------------------------------------------------


def at(index: object) -> str:
    """The address of the first element of `a[index]`, `i` beginning at zero."""
    return told(run_address(element(A, index, FLOAT), {"i": ZERO}))[0]  # type: ignore[arg-type]


def test_what_is_zero_does_not_stand_in_an_address() -> None:
    assert at(ITER) == "a" and at(plus(N, ITER)) == "&a[n]" and at(plus(times(cast(LLONG, ITER), N), ITER)) == "a"
    assert at(binary("-", N, ITER)) == "&a[n]" and at(binary("-", ITER, N)) == "&a[0 - n]"
    assert at(plus(times(cast(LLONG, N), variable("m")), ITER)) == "&a[(long long)n * m]"


def test_what_is_no_array_has_an_address_too() -> None:
    assert run_address(A, {}) == address(A)
