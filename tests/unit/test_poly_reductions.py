"""Reductions by flow: domains, merge nodes, dependences, and what is refused."""

from __future__ import annotations

import islpy as isl
import pytest

from pencilc.diagnostics.diagnostic import Diagnostic, Severity, SourceErrors
from pencilc.diagnostics.source import SourceFile
from pencilc.frontend import FrontendOptions, parse_file
from pencilc.ir.scop import Scop, StatementKind
from pencilc.poly import compute_dependences, extract
from tests.unit.test_schedule_programs import PRELUDE, PROGRAMS

VECTOR = "int n, const float a[static const restrict n], float o[static const restrict n]"


def extracted(body: str) -> tuple[Scop, tuple[Diagnostic, ...]]:
    unit, _ = parse_file(SourceFile("test.c", PRELUDE + body), FrontendOptions())
    return extract(unit, unit.regions[0])


def codes(body: str, params: str = VECTOR) -> list[str]:
    with pytest.raises(SourceErrors) as caught:
        extracted(f"void f({params}) {{ {body} }}")
    return [d.code for d in caught.value.diagnostics if d.severity is Severity.ERROR]


def test_domain_and_merge_of_column_sums() -> None:
    scop, _ = extracted(PROGRAMS["colsum_ij"][0])
    (reduction,) = scop.reductions
    assert reduction.r2m.intersect_params(scop.context).is_equal(
        isl.UnionMap("[n, m] -> { S1[i, j] -> M0[j] : 0 <= i < n and 0 <= j < m }")
    )
    assert reduction.domain.is_equal(reduction.i2r.range())
    assert scop.statement("M0").kind is StatementKind.MERGE
    assert scop.statement("M0").domain.set_tuple_name("S0").is_equal(scop.statement("S0").domain)


def test_init_appears_in_no_dependence() -> None:
    for name in ("sum", "colsum_ij", "srad", "guardrow", "hist"):
        scop, _ = extracted(PROGRAMS[name][0])
        dependences = compute_dependences(scop)
        hidden = {s.name for s in scop.statements if s.kind in (StatementKind.INIT, StatementKind.KILL)}
        everything = dependences.validity.union(dependences.relaxed)
        names: set[str] = set()
        everything.domain().union(everything.range()).foreach_set(lambda s, n=names: n.add(s.get_tuple_name()))  # type: ignore[misc]
        assert not names & hidden


def test_relaxed_runs_in_both_directions() -> None:
    scop, _ = extracted(PROGRAMS["sum"][0])
    relaxed = compute_dependences(scop).relaxed
    assert relaxed.is_equal(relaxed.reverse())
    assert relaxed.is_equal(isl.UnionMap("[n] -> { S2[i] -> S2[j] : 0 <= i < n and 0 <= j < n and i != j }"))


def test_histogram_is_many_to_many_but_uses_stay_elementwise() -> None:
    scop, warnings = extracted(PROGRAMS["hist"][0])
    assert not scop.reductions[0].r2m.is_single_valued()
    flow = compute_dependences(scop).flow
    assert flow.is_subset(isl.UnionMap("{ M0[k] -> S2[k] }"))
    assert warnings == ()


def test_init_without_update_is_an_ordinary_statement() -> None:
    scop, _ = extracted(f"void f({VECTOR}) {{ INIT(&o[0], zero); }}")
    assert [s.kind for s in scop.statements] == [StatementKind.ORDINARY]


def test_two_reductions_on_one_variable() -> None:
    body = "float s; " + "INIT(&s, zero); for (int i = 0; i < n; i++) UPDATE(&s, a[i], add); o[{0}] = s; "
    source = f"void f({VECTOR}) {{ {body.replace('{0}', '0')} {body.replace('{0}', '1').replace('float s;', '')} }}"
    scop, _ = extracted(source)
    assert [r.name for r in scop.reductions] == ["s", "s_1"]
    dependences = compute_dependences(scop)
    assert not dependences.output.is_empty() and not dependences.anti.is_empty()


def test_missing_init() -> None:
    assert codes("float s; for (int i = 0; i < n; i++) UPDATE(&s, a[i], add); o[0] = s;") == ["PC0201"]


def test_partly_missing_init_gives_a_point() -> None:
    with pytest.raises(SourceErrors) as caught:
        extracted(
            f"void f({VECTOR}) {{ for (int j = 1; j < n; j++) INIT(&o[j], zero);"
            " for (int i = 0; i < n; i++) UPDATE(&o[i], a[i], add); }"
        )
    (found,) = caught.value.diagnostics
    assert found.code == "PC0201" and any("i = 0" in note for note in found.notes)


def test_over_approximated_miss_is_a_warning() -> None:
    _, warnings = extracted(
        "void f(int n, const int p[static const restrict n], int o[static const restrict n]) {"
        " for (int j = 1; j < n; j++) INIT(&o[j], izero); for (int i = 0; i < n; i++) UPDATE(&o[p[i]], 1, iadd); }"
    )
    assert [(w.code, w.severity) for w in warnings] == [("PC0201", Severity.WARNING)]


def test_read_inside() -> None:
    body = "float s; INIT(&s, zero); for (int i = 0; i < n; i++) { UPDATE(&s, a[i], add); o[i] = s; }"
    assert codes(body) == ["PC0205"]
    assert codes("float s; INIT(&s, zero); for (int i = 0; i < n; i++) UPDATE(&s, s * a[i], add); o[0] = s;") == [
        "PC0205"
    ]
    between = "float s; INIT(&s, zero); for (int i = 0; i < n; i++) UPDATE(&s, a[i], add); o[0] = s;"
    assert codes(between + " for (int i = 0; i < n; i++) UPDATE(&s, a[i], add); o[1] = s;") == ["PC0205"]


def test_write_inside() -> None:
    loop = "for (int i = 0; i < n; i++) { UPDATE(&s, a[i], add); if (i == 3) s = 0; }"
    assert codes(f"float s; INIT(&s, zero); {loop} o[0] = s;") == ["PC0206"]
    assert codes("float s; INIT(&s, zero); s = 1; for (int i = 0; i < n; i++) UPDATE(&s, a[i], add); o[0] = s;") == [
        "PC0206"
    ]


def test_two_operators() -> None:
    loop = "for (int i = 0; i < n; i++) { UPDATE(&s, a[i], add); UPDATE(&s, a[i], mx); }"
    assert codes(f"float s; INIT(&s, zero); {loop} o[0] = s;") == ["PC0207"]


def test_independent_removes_what_the_loop_carries() -> None:
    loop = "for (int i = 0; i < n; i++) a[p[i]] = a[p[i]] * 2;"
    params = "int n, const int p[static restrict n], float a[static restrict n]"
    plain, _ = extracted(f"void f({params}) {{\n#pragma scop\n{loop}\n#pragma endscop\n}}")
    assert not compute_dependences(plain).validity.is_empty()
    marked, _ = extracted(f"void f({params}) {{\n#pragma scop\n#pragma pencil independent\n{loop}\n#pragma endscop\n}}")
    assert compute_dependences(marked).validity.is_empty()


COLUMNS = "void f(int n, int g, const float x[static const restrict n][%d], float s[static const restrict %d]) { %s }"
IN_COLUMNS = "for (int c = 0; c < %d; c++) { INIT(&s[c], zero); for (int i = 0; i < n; i++) UPDATE(&s[c], %s, add); }"


def kept_points(width: int, columns: int, body: str) -> list[int]:
    """The dimensions of the results of each reduction."""
    text = (COLUMNS % (width, columns, body)).replace("INIT", "__pencil_reduction_var_init")
    scop, _ = extracted(text.replace("UPDATE", "__pencil_reduction"))
    return [scop.statement(r.merge).domain.dim(isl.dim_type.set) for r in scop.reductions]


def test_sums_of_a_few_columns_are_reductions_of_their_own() -> None:
    assert kept_points(3, 3, IN_COLUMNS % (3, "x[i][c]")) == [0, 0, 0]
    assert kept_points(4, 4, IN_COLUMNS % (4, "x[i][c] * x[i][0]")) == [0, 0, 0, 0]
    # The short loop inside of the long one, and inits in a loop of their own.
    apart = "for (int c = 0; c < 2; c++) INIT(&s[c], zero);"
    inside = "for (int i = 0; i < n; i++) for (int c = 0; c < 2; c++) UPDATE(&s[c], x[i][c], add);"
    assert kept_points(2, 2, apart + inside) == [0, 0]


@pytest.mark.parametrize(
    ("width", "columns", "element"),
    [
        (5, 5, "x[i][c]"),  # too many
        (3, 3, "x[c][i % 3]"),  # rows, not columns
        (3, 3, "x[i][0] * c"),  # the same for all
    ],
)
def test_other_sums_keep_their_loop(width: int, columns: int, element: str) -> None:
    assert kept_points(width, columns, IN_COLUMNS % (columns, element)) == [1]
