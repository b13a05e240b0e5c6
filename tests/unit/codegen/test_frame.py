"""What all parts of one kernel share: names, types, ranges, contexts."""

from __future__ import annotations

from collections.abc import Iterator

from pencilc.codegen.astgen import AstBlock, AstFor, AstIf, AstNode
from pencilc.ir.build import cast, declare, variable
from pencilc.ir.schedule import Band
from pencilc.ir.source import INT, LLONG, UINT, Declare, Expr
from tests.unit.codegen.programs import N, frame, told
from tests.unit.records import COLUMN_SUMS, ROW_SUMS, SUM

MATRIX = "FOR(i, n) FOR(j, m) y[i][j] = x[i][j];"
# Two kept rows, the second of which does not begin at zero.
CELLS = "FOR(i, n) for (int j = 2; j < m; j++) { INIT(&y[i][j], zero); FOR(k, 64) UPDATE(&y[i][j], x[j][k], add); }"
IN_THREAD = """FOR(i, n) { INIT(&a[i], zero); for (int j = i; j < i + 4; j++) UPDATE(&a[i], x[j][i], add); }"""


def used(*names: str) -> list[Expr]:
    """Something that uses these variables."""
    return [variable(name) for name in names]


def test_rows_are_called_like_the_loops_they_come_from() -> None:
    rows, columns = frame(ROW_SUMS), frame(COLUMN_SUMS)
    assert (rows.kept_names, rows.reduced_names) == (("i",), ("j",))
    assert (columns.kept_names, columns.reduced_names) == (("j",), ("i",))
    assert rows.types == {"i": INT, "j": INT}


def test_a_name_that_something_else_has_is_numbered() -> None:
    assert frame("FOR(n_, n) a[n_] = 0;").kept_names == ("n_",)
    assert frame("for (int r = 0; r < n; r++) a[r] = 0;").kept_names == ("r",)
    assert frame("for (int p = 0; p < n; p++) a[p] = 0;").kept_names == ("p_1",)  # an array that nothing uses
    assert frame("FOR(i, n) { int k = 0; while (k < n) { int max = k; k = k + max + 1; } a[i] = k; }").kept_names == (
        "i",
    )
    assert frame("for (int max = 0; max < n; max++) a[max] = 0;").kept_names == ("max_",)


def test_the_type_of_an_unsigned_counter_is_kept_and_its_arithmetic_is_wide() -> None:
    made = frame("for (unsigned i = 0; i < 40; i++) h[i] = 0;")
    assert made.types == {"i": UINT} and made.affine.names["i"] == cast(LLONG, variable("i", UINT))


def test_loops_side_by_side_count_in_a_type_that_holds_the_values_of_all() -> None:
    backwards = "FOR(i, n) { for (int r = 9; r > 0; r--) a[i] = a[i] * 3 + r; "
    unsigned = "for (unsigned r = 0; r < 9; r++) a[i] = a[i] * 5 + (int)r; }"
    deeper = "for (unsigned r = 0; r < 9; r++) for (int k = 0; k < 3; k++) a[i] = a[i] * 5 + (int)r; }"
    assert frame(backwards + unsigned).types == {"i": INT, "t": LLONG}
    assert frame(backwards + deeper).types == {"i": INT, "r": LLONG, "k": INT}
    assert frame(backwards.replace("r = 9; r > 0; r--", "r = 0; r < 9; r++") + "}").types == {"i": INT, "r": INT}


def test_bounds_and_trips() -> None:
    made = frame(CELLS)
    assert made.kernel.kept_box is not None
    first, second = made.kernel.kept_box
    assert told(*made.bounds(first), made.trips(first)) == ["0", "n", "n"]
    assert told(*made.bounds(second), made.trips(second)) == ["2", "m", "m - 2"]


def test_iterators_are_recovered_from_a_number_where_they_are_used() -> None:
    made = frame(CELLS)
    boxes, row = made.kernel.kept_box or (), variable("@row", made.index)
    first, second = made.recover("@row", made.kept_names, boxes, used("i", "j"))
    assert isinstance(first, Declare) and isinstance(second, Declare) and first.init and second.init
    assert told(first.init, second.init) == ["(int)(@row / (m - 2))", "(int)(2 + @row % (m - 2))"]
    assert made.recover("@row", made.kept_names, boxes, used("j")) == (second,)
    assert made.recover("@row", made.kept_names, boxes, used("n")) == made.recover("@row", (), (), used("i")) == ()
    assert made.recover("@row", ("i",), boxes[:1], used("i")) == (declare("i", INT, cast(INT, row), is_const=True),)


def test_points_are_counted_in_the_type_of_the_kernel() -> None:
    small, large = frame("FOR(k, 40) h[k] = 0;"), frame(MATRIX)
    assert (small.index, large.index) == (INT, LLONG) and large.point("@x") == variable("@x", LLONG)


def test_what_is_known_of_fixed_rows_is_not_asked_again() -> None:
    made = frame(MATRIX)
    assert made.tree is not None
    inside = made.ast(made.tree, made.kept, made.kept_names, ())
    around = made.ast(Band(made.kept, made.tree), (), (), made.kept_names)
    assert not isinstance(inside, AstFor | AstBlock)
    assert isinstance(around, AstFor) and around.upper == N


def test_initialisations_of_one_thread_get_their_place_back() -> None:
    made = frame(IN_THREAD)
    assert "S0" not in made.kernel.statements and "S0" in made.all_statements()
    assert frame(SUM).all_statements() == frame(SUM).kernel.statements


def test_lines_of_the_source() -> None:
    made = frame("FOR(i, n)\n a[i] = 0;")
    assert made.where(made.all_statements()) == "Line 19" and made.where(()) == ""
    both = frame("FOR(i, n) {\n float s = b[i];\n a[i] = s; }")
    assert both.where(both.all_statements()) == "Lines 19-20"


CUT = """FOR(i, n) { INIT(&a[i], zero); for (int j = -1; j < 2; j++)
    if (i + j >= 0 && i + j < n) UPDATE(&a[i], x[i + j][i], add); }"""


def test_points_with_whole_windows_have_loops_without_conditions() -> None:
    made = frame(CUT)
    assert made.tree is not None
    ast = made.ast_by_interior(made.tree, made.kept, made.kept_names, made.inner_names)
    assert isinstance(ast, AstIf) and ast.otherwise is not None
    assert told(ast.condition) == ["i >= 1 && n >= (long long)i + 2"]
    inside, outside = (next(_loops(each)) for each in (ast.then, ast.otherwise))
    assert told(inside.lower, inside.upper) == ["-1", "2"]
    assert "i" in told(outside.lower)[0] and "n" in told(outside.upper)[0]


def test_windows_that_nothing_cuts_have_one_loop() -> None:
    made = frame(IN_THREAD)
    assert made.tree is not None
    ast = made.ast_by_interior(made.tree, made.kept, made.kept_names, made.inner_names)
    assert ast == made.ast(made.tree, made.kept, made.kept_names, made.inner_names)


def _loops(node: AstNode) -> Iterator[AstFor]:
    """The loops of a node, the outermost first."""
    match node:
        case AstFor():
            yield node
        case AstBlock():
            for item in node.items:
                yield from _loops(item)
