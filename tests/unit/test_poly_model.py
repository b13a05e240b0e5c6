"""From source to model: affine expressions, domains, accesses, struct members, opaque constructs."""

from __future__ import annotations

import islpy as isl
import pytest

from pencilc import islx
from pencilc.diagnostics.source import SourceFile
from pencilc.frontend import FrontendOptions, parse_file
from pencilc.ir.schedule_printer import dump_dependences
from pencilc.ir.scop import AccessKind, OperatorKind, Scop, Statement, StatementKind
from pencilc.ir.scop_printer import dump_scop
from pencilc.poly import compute_dependences, extract
from pencilc.poly.reductions.operators import recognise
from tests.unit.test_schedule_programs import PRELUDE


def model(body: str) -> Scop:
    unit, _ = parse_file(SourceFile("test.c", PRELUDE + body), FrontendOptions())
    return extract(unit, unit.regions[0])[0]


def in_scop(body: str, params: str = "int n, float a[static restrict n]") -> Scop:
    return model(f"void f({params}) {{\n#pragma scop\n{body}\n#pragma endscop\n}}")


def only(scop: Scop, kind: StatementKind = StatementKind.ORDINARY) -> Statement:
    found = [s for s in scop.statements if s.kind is kind]
    assert len(found) == 1, [s.name for s in found]
    return found[0]


def assert_domain(statement: Statement, expected: str) -> None:
    actual = isl.Set(str(statement.domain)).set_tuple_name("S")
    assert actual.is_equal(isl.Set(expected)), f"{actual} is not {expected}"


@pytest.mark.parametrize(
    ("loop", "domain"),
    [
        ("for (int i = 0; i < n; i++)", "[n] -> { S[i] : 0 <= i < n }"),
        ("for (int i = n - 1; i >= 0; i--)", "[n] -> { S[i] : 0 <= i < n }"),
        ("for (int i = n - 1; i > 0; i -= 2)", "[n] -> { S[i] : 0 < i < n and (n - 1 - i) mod 2 = 0 }"),
        ("for (int i = 3; i <= n; i += 4)", "[n] -> { S[i] : 3 <= i <= n and (i - 3) mod 4 = 0 }"),
        ("for (int i = 0; i != n; i++)", "[n] -> { S[i] : 0 <= i < n }"),
        ("for (int i = 0; i < n; i++) if (i % 3 == 1 && i != 4)",
         "[n] -> { S[i] : 0 <= i < n and i mod 3 = 1 and i != 4 }"),
        ("for (int i = 0; i < min(n, 7); i++)", "[n] -> { S[i] : 0 <= i < n and i < 7 }"),
        ("for (int i = 0; i < (n > 5 ? 5 : n); i++)", "[n] -> { S[i] : 0 <= i < n and i < 5 }"),
    ],
)  # fmt: skip
def test_domains(loop: str, domain: str) -> None:
    assert_domain(only(in_scop(f"{loop} a[i] = 0;")), domain)


@pytest.mark.parametrize(
    ("subscript", "exact"),
    [
        ("i / 8 % 4", True), ("i % 32 / 4", True), ("(i / 8 % 4) * 8 + i % 8", True), ("3 * i / 2", True),
        ("i * 7 % 40", True), ("(i * 640 + 5) % 1000", True),
        ("i % 64 * 7 % 40", False), ("(i % 9 + i / 3) * 2 % 7", False), ("i * 977 % 40000", False),
        ("(i & 0xffff) * 977 % 4000", False), ("(n * 65537 + i) % 1000", False),
    ],
)  # fmt: skip
def test_a_hash_is_data(subscript: str, exact: bool) -> None:
    params = "int n, float a[static restrict n], float b[static restrict 40000]"
    (read,) = [
        access
        for access in only(in_scop(f"for (int i = 0; i < n; i++) a[i] = b[{subscript}];", params)).accesses
        if access.kind is AccessKind.READ
    ]
    assert read.exact == exact


@pytest.mark.parametrize(
    ("subscript", "wanted"),
    [
        ("(i + 1) % n", "(i + 1 < n and j = i + 1) or (i + 1 >= n and j = i + 1 - n)"),
        ("(i - 1 + n) % n", "(i > 0 and j = i - 1) or (i = 0 and j = n - 1)"),
        ("(2 * i + n) % n", "j = 2 * i and 2 * i < n or j = 2 * i - n and n <= 2 * i"),
        ("(i + n) / n", "j = 1"),
        ("(2 * i + 1) / n", "j = 0 and 2 * i + 1 < n or j = 1 and n <= 2 * i + 1 < 2 * n"),
        # Negative values stay as they are; they are no elements, but C says so.
        ("n + (i - n + 1) % n", "j = i + 1 and i + 1 < n or j = n and i + 1 = n"),
        ("(i + n - 1) / n", "j = 0 and i = 0 or j = 1 and i > 0"),
        # As often as that, and without a bound.
        ("(4 * i) % n", ""),
        ("(i * 7) % n", ""),
        ("(i + m) % n", ""),
        ("i % m", ""),
    ],
)
def test_a_remainder_of_a_size_goes_round(subscript: str, wanted: str) -> None:
    params = "int n, int m, float a[static restrict n], float b[static restrict 2 * n]"
    (read,) = [
        access
        for access in only(in_scop(f"for (int i = 0; i < n; i++) a[i] = b[{subscript}];", params)).accesses
        if access.kind is AccessKind.READ
    ]
    assert read.exact == bool(wanted)
    if wanted:
        assert read.relation.is_equal(isl.Map(f"[n, m] -> {{ S0[i] -> b[j] : 0 <= i < n and ({wanted}) }}"))


def test_division_truncates() -> None:
    """C's -1 / 2 is 0; isl's floor would be -1."""
    statement = only(in_scop("for (int i = -4; i < 4; i++) a[i / 2 + 2] = 0;", "float a[static restrict 8]"))
    write = statement.accesses[0].relation
    assert write.is_subset(isl.Map("{ S0[i] -> a[j] : 0 <= j <= 3 }"))
    assert not write.intersect(isl.Map("{ S0[-1] -> a[2] }")).is_empty()


@pytest.mark.parametrize(("ctype", "size", "exact"), [
    ("unsigned long", "char a[n]", True), ("unsigned long", "double a[n]", True),
    ("unsigned long", "char a[2 * n]", True), ("unsigned long", "char a[n * 2 * 3 + 1]", True),
    ("unsigned", "char a[n]", False), ("unsigned", "char a[2 * n]", False), ("unsigned long", "char a[m * n]", False),
])  # fmt: skip
def test_multiples_of_the_size_of_an_array_do_not_wrap_at_64_bits(ctype: str, size: str, exact: bool) -> None:
    """An array has at most PTRDIFF_MAX bytes.  Where `2 * n` wraps, C would go through 2^63 iterations and more."""
    scop = in_scop(f"for ({ctype} i = 0; i < n; i++) b[2 * i] = 0;", f"{ctype} n, {ctype} m, {size}, char b[m]")
    assert [access.exact for access in only(scop).accesses] == [exact]


def test_unsigned_arithmetic_that_may_wrap_is_not_affine() -> None:
    wraps = only(in_scop("for (unsigned i = 0; i < n - 1; i++) a[i] = 0;", "unsigned n, float a[static restrict n]"))
    assert wraps.loops == ()
    safe = only(in_scop("for (unsigned i = 0; i < n; i++) a[i] = 0;", "unsigned n, float a[static restrict n]"))
    assert_domain(safe, "[n] -> { S[i] : 0 <= i < n }")
    inside = only(in_scop("for (unsigned i = 1; i < n; i++) a[i - 1] = 0;", "unsigned n, float a[static restrict n]"))
    assert inside.accesses[0].exact


# What wraps inside of a sum or a product of one type comes back; a quotient, a minimum or a wider type sees it.
WRAPPING = {
    "unsigned": {
        "i + j - 3": True, "i + (j - 2) - 1": True, "2 * (i - 3) + 2": True, "i - 3": False, "(i - 3) / 2 + 2": False,
        "min(i - 3, 4)": False, "(i - 4 < 3) + 1": False, "(unsigned long)(i - 3) + 1": False,
    },
    "unsigned long": {"i + j - 3": True, "i + (j - 3)": True, "i - 3": False, "(unsigned)(i - 3) + 1": False},
}  # fmt: skip


@pytest.mark.parametrize(("ctype", "subscript"), [(t, s) for t, several in WRAPPING.items() for s in several])
def test_what_wraps_inside_of_a_sum_comes_back(ctype: str, subscript: str) -> None:
    body = f"for ({ctype} i = 2; i < 50; i++) for (int j = 1; j < 3; j++) a[{subscript}] = 0;"
    (write,) = (a for a in only(in_scop(body, "float a[static restrict 100]")).accesses if a.kind.writes)
    assert write.exact == WRAPPING[ctype][subscript]


WIDE = {
    "for (unsigned long i = 1; i < n - 1; i++)": "1 <= i < n - 1",
    "for (unsigned long i = 0; i <= n - 2; i++)": "0 <= i <= n - 2",
    "for (unsigned long i = 0; i < n - k + 1; i++)": "0 <= i <= n - k",
    "for (unsigned long i = 0; i < 2 * n - 6; i++)": "0 <= i < 2n - 6",
    "for (unsigned long i = 0; i < p; i++)": "0 <= i < p",
    "for (unsigned long i = 0; i < (n - 1) / 2; i++)": None,
    "for (unsigned long i = n - 1; i > k; i--)": None,
    "for (unsigned i = 0; i < n - 1; i++)": None,
    "for (unsigned long i = 0; i != n - 1; i++)": None,
    "for (unsigned long i = 0; i < n - 1; i += 2)": None,
}


@pytest.mark.parametrize("loop", WIDE)
def test_no_loop_gets_to_a_bound_of_64_bits_that_wraps(loop: str) -> None:
    statement = only(
        in_scop(f"{loop} a[0] = 0;", "unsigned long n, unsigned long k, int p, float a[static restrict 100]")
    )
    if WIDE[loop] is None:
        assert statement.loops == ()
    else:
        assert_domain(statement, f"[n, k, p] -> {{ S[i] : {WIDE[loop]} }}")


def test_a_loop_that_is_left_early_sees_how_large_its_bound_is() -> None:
    body = "for (unsigned long i = 0; i < n - 1; i++) { if (a[0] > 3) break; a[0] += 1; }"
    assert all(not s.loops for s in in_scop(body, "unsigned long n, float a[static restrict 100]").statements)


@pytest.mark.parametrize(
    ("loop", "domain"),
    [
        ("for (unsigned i = 0; i < min(q, n); i += 3)", "0 <= i < n and i < q and i mod 3 = 0"),
        ("for (unsigned i = 2; i <= q; i++)", "2 <= i <= q"),
        ("for (unsigned i = 9; i > q; i--)", None),  # goes on behind zero where q is negative
        ("for (unsigned long i = 0; i < q; i++)", "0 <= i < q"),  # a negative q is so large that no loop gets there
        ("for (unsigned long i = 0; i < q; i += 3)", None),
        ("for (unsigned long i = 0; i != q; i++)", None),
        ("for (unsigned i = 0; i < n; i++)", None),
        ("for (unsigned char i = 0; i < q; i++)", None),
    ],
)
def test_bounds_of_a_wider_signed_type(loop: str, domain: str | None) -> None:
    statement = only(in_scop(f"{loop} a[i] = 0;", "int n, long long q, float a[static restrict 100]"))
    if domain is None:
        assert statement.loops == ()
    else:
        assert_domain(statement, f"[n, q] -> {{ S[i] : {domain} }}")


def test_narrow_conversion_that_may_change_the_value_is_not_affine() -> None:
    statement = only(in_scop("for (int i = 0; i < n; i++) a[(unsigned char)i] = 0;"))
    assert not statement.accesses[0].exact
    statement = only(in_scop("for (int i = 0; i < 200; i++) a[(unsigned char)i] = 0;"))
    assert statement.accesses[0].exact


def test_reserved_names_are_mangled() -> None:
    scop = in_scop("for (int mod = 0; mod < max; mod++) floor[mod] = 0;", "int max, float floor[static restrict max]")
    assert isl.Set(str(only(scop).domain)).is_equal(only(scop).domain)
    assert islx.unmangle(islx.mangle("mod")) == "mod" and islx.mangle("mod_v") != islx.mangle("mod")
    assert scop.arrays[0].name == "floor_v"


def test_helper_with_one_expression_is_affine() -> None:
    source = """
static int at(int i, int n) { return i < n ? i : n - 1; }
void f(int n, const float a[static restrict n], float b[static restrict n]) {
#pragma scop
    for (int i = 0; i < n; i++) b[i] = a[at(i + 1, n)];
#pragma endscop
}"""
    assert all(a.exact for a in only(model(source)).accesses)


def test_single_assignment_scalars_are_substituted() -> None:
    scop = in_scop("const int h = n / 2;\nfor (int i = 0; i < h; i++) { int k = i + h; a[k] = 0; }")
    last = scop.statements[-1]
    assert_domain(last, "[n] -> { S[i] : 0 <= i < floor(n / 2) }")
    assert last.accesses[-1].exact


def test_local_is_expanded_by_its_scope() -> None:
    scop = in_scop("for (int i = 0; i < n; i++) { float t = a[i]; a[i] = t + t; }")
    assert scop.array("t").scope_iterators == (scop.statements[0].iterators[0].name,)
    kinds = [s.kind for s in scop.statements]
    assert kinds == [StatementKind.KILL, StatementKind.ORDINARY, StatementKind.ORDINARY]


def test_data_dependent_condition_is_one_statement() -> None:
    statement = only(in_scop("for (int i = 0; i < n; i++) if (a[i] > 0) a[i] = 0; else a[i] = 1;"))
    assert [a.kind for a in statement.accesses if a.kind is not AccessKind.READ] == [AccessKind.MUST_WRITE] * 2
    statement = only(in_scop("for (int i = 0; i < n; i++) if (a[i] > 0) a[i] = 0; else a[0] = 1;"))
    assert [a.kind for a in statement.accesses if a.kind is not AccessKind.READ] == [AccessKind.MAY_WRITE] * 2


def test_break_makes_the_loop_one_statement() -> None:
    scop = in_scop("for (int i = 0; i < n; i++) { for (int j = 0; j < n; j++) { if (a[j] > 0) break; a[j] = 1; } }")
    assert len(only(scop).loops) == 1


def test_struct_members_are_arrays_of_their_own() -> None:
    params = "int n, struct cplx z[static restrict n], float b[static restrict n]"
    scop = in_scop("for (int i = 0; i < n; i++) { z[i].re = b[i]; b[i] = z[i].im; }", params)
    assert {a.name for a in scop.arrays} == {"z_re", "z_im", "b"}
    mixed = in_scop("for (int i = 0; i < n; i++) { z[i].re = b[i]; z[0] = z[i]; }", params)
    assert {a.name for a in mixed.arrays} == {"z", "b"}
    first = [a for a in mixed.statements[0].accesses if a.array == "z"]
    assert [a.kind for a in first] == [AccessKind.MAY_WRITE]


def test_reduction_members_split_a_struct_that_is_read_whole() -> None:
    scop = model("""
void f(int n, const float a[static const restrict n], struct cplx out[static const restrict 1]) {
    struct cplx p;
    INIT(&p.re, zero);
    INIT(&p.im, small);
    for (int i = 0; i < n; i++) { UPDATE(&p.re, a[i], add); UPDATE(&p.im, a[i], mx); }
    out[0] = p;
}""")
    assert [r.array for r in scop.reductions] == ["p_re", "p_im"]
    flow = str(compute_dependences(scop).flow)
    assert "M0" in flow and "M1" in flow


def test_helper_that_writes_its_array() -> None:
    scop = model("""
static void clear(int n, float row[n]) { for (int k = 0; k < n; k++) row[k] = 0; }
static float first(int n, const float row[n]) { return row[0]; }
void f(int n, float a[static restrict n][n], float b[static restrict n]) {
#pragma scop
    for (int i = 0; i < n; i++) { clear(n, a[i]); b[i] = first(n, a[i]); }
#pragma endscop
}""")
    clear, first = scop.statements
    assert len(clear.loops) == 2, "a helper with a loop is inlined"
    assert [a.kind for a in clear.accesses if a.array == "a"] == [AccessKind.MUST_WRITE]
    (read,) = [a for a in first.accesses if a.array == "a"]
    assert read.kind is AccessKind.READ
    assert read.relation.range().is_equal(isl.Set("[n] -> { a[i, 0] : 0 <= i < n }"))


SUMMARY = """
static void touch_summary(int n, float x[static restrict n], int i) {
    __pencil_use(x[i]);
    if (i > 0) __pencil_def(x[i - 1]);
    for (int k = 2; k < 4; k++)
        if (__pencil_maybe()) x[i + k] = 0;
}
static void touch(int n, float x[static restrict n], int i) __attribute__((pencil_access(touch_summary)));
static void touch(int n, float x[static restrict n], int i) { while (x[i] > 1) x[i] = x[i] / 2; }
"""


def test_summary_says_what_a_call_touches() -> None:
    scop = model(
        SUMMARY
        + """
void f(int n, float a[static restrict n]) {
#pragma scop
    for (int i = 0; i < n - 4; i++) touch(n, a, i);
#pragma endscop
}"""
    )
    read, certain, possible = only(scop).accesses
    assert [a.kind for a in (read, certain, possible)] == [
        AccessKind.READ, AccessKind.MUST_WRITE, AccessKind.MAY_WRITE
    ]  # fmt: skip
    inside = "0 <= i < n - 4"
    assert read.relation.is_equal(isl.Map(f"[n] -> {{ S0[i] -> a[i] : {inside} }}"))
    assert certain.relation.is_equal(isl.Map(f"[n] -> {{ S0[i] -> a[i - 1] : {inside} and i > 0 }}"))
    assert possible.relation.is_equal(isl.Map(f"[n] -> {{ S0[i] -> a[k] : {inside} and i + 2 <= k < i + 4 }}"))


def test_body_says_what_a_call_touches() -> None:
    scop = model("""
static void put(float x[static restrict 4], int k, float v) {
    if (v < 0) return;
    x[k % 4] = v;
}
void f(int n, float a[static restrict n][4]) {
#pragma scop
    for (int i = 0; i < n; i++) put(a[i], i, 1);
#pragma endscop
}""")
    (write,) = only(scop).accesses
    assert write.kind is AccessKind.MAY_WRITE, "the function may have returned before"
    assert write.relation.is_equal(isl.Map("[n] -> { S0[i] -> a[i, i mod 4] : 0 <= i < n }"))


def test_values_of_scalars_follow_the_text() -> None:
    scop = in_scop("for (int i = 0; i < n; i++) { int k = i - 1; if (k < 0) k = 0; a[i] = k; k = k + 1; b[k] = 0; }",
                   "int n, float a[static restrict n], float b[static restrict n]")  # fmt: skip
    (write,) = [a for s in scop.statements for a in s.accesses if a.array == "b"]
    assert write.kind is AccessKind.MUST_WRITE
    assert write.relation.range().is_equal(isl.Set("[n] -> { b[k] : 1 <= k < n or (k = 1 and n = 1) }"))


def test_value_that_a_loop_changes_is_not_known() -> None:
    scop = in_scop("int k = 0; for (int i = 0; i < n; i++) { a[k] = 0; if (a[i] > 0) k = i; } a[k] = 1;")
    writes = [a for s in scop.statements for a in s.accesses if a.array == "a" and a.kind.writes]
    assert [a.kind for a in writes] == [AccessKind.MAY_WRITE] * 2


def test_counter_used_behind_its_loop_has_its_last_value() -> None:
    scop = in_scop("int i; for (i = 3; i < n; i += 4) a[i] = 0; a[i - 3] = 1;")
    last = [s for s in scop.statements if s.kind is StatementKind.ORDINARY][-1]
    (write,) = [a for a in last.accesses if a.array == "a" and a.kind.writes]
    assert write.kind is AccessKind.MUST_WRITE
    at = write.relation.range().intersect_params(isl.Set("[n] -> { : n = 9 }"))
    assert at.is_equal(isl.Set("[n] -> { a[8] : n = 9 }"))  # 3, 7, and 11 fails
    # Where only the run tells the last value, the counter is a variable and the loop one statement.
    found = in_scop("int i; for (i = 0; i < n; i++) { if (a[i] > 0) break; a[i] = 0; } a[0] = i;")
    assert not any(s.loops for s in found.statements)
    assert only(in_scop("int i; for (i = 0; i < n; i++) a[i] = 0;")).loops


def test_affine_assume_is_context() -> None:
    scop = in_scop("__pencil_assume(n >= 7 && n < 100); for (int i = 0; i < n; i++) a[i] = 0;")
    assert scop.context.is_equal(isl.Set("[n] -> { : 7 <= n < 100 }"))


def test_reduction_in_an_opaque_loop_is_one_statement_with_its_init() -> None:
    scop = model("""
void f(int n, const int p[static const restrict n], const float v[static const restrict n],
       float y[static const restrict n]) {
    for (int i = 0; i < n; i++) {
        float s;
        INIT(&s, zero);
        for (int k = 0; k < p[i]; k++) { if (v[k] > 9) break; UPDATE(&s, v[k], add); }
        y[i] = s;
    }
}""")
    assert scop.reductions == ()
    assert [s.kind.value for s in scop.statements] == ["kill", "ordinary", "ordinary"]


def test_while_is_one_statement_and_takes_its_reduction_along() -> None:
    scop = model("""
float f(int n, const float a[static const restrict n]) {
    float s;
    INIT(&s, zero);
    for (int i = 0; i < n; i++) {
        int j = i;
        while (j < n && a[j] > 0) { UPDATE(&s, a[j], add); j = j + 1; }
    }
    return s;
}""")
    assert [(s.kind.value, len(s.loops)) for s in scop.statements] == [("kill", 0), ("ordinary", 0), ("return", 0)]
    writes = {a.array for s in scop.statements for a in s.accesses if a.kind is AccessKind.MAY_WRITE}
    assert writes == {"s"}


def test_statements_that_are_never_executed_are_left_out() -> None:
    assert in_scop("for (int i = 5; i < 3; i++) a[i] = 0;").statements == ()


def test_guards_of_a_split_condition() -> None:
    scop = model("""
float f(int n, const float a[static const restrict n]) {
    float s;
    INIT(&s, zero);
    for (int i = 0; i < n; i++) { if (i > 2 && a[i] > 0) UPDATE(&s, a[i], add); else UPDATE(&s, 1.0f, add); }
    return s;
}""")
    updates = [s for s in scop.statements if s.kind is StatementKind.UPDATE]
    assert [len(s.guards) for s in updates] == [1, 1]


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ("float op(float a, float b) { return a + b; }", OperatorKind.ADD),
        ("float op(float a, float b) { float z; z = b * a; return z; }", OperatorKind.MUL),
        ("float op(float a, float b) { return a < b ? a : b; }", OperatorKind.MIN),
        ("float op(float a, float b) { return a >= b ? b : a; }", OperatorKind.MIN),
        ("float op(float a, float b) { if (a > b) return a; return b; }", OperatorKind.MAX),
        ("float op(float a, float b) { float z = a; if (b > z) z = b; return z; }", OperatorKind.MAX),
        ("float op(float a, float b) { return fmaxf(a, b); }", OperatorKind.MAX),
        ("double op(double a, double b) { return fmin(b, a); }", OperatorKind.MIN),
        ("unsigned char op(unsigned char a, unsigned char b) { return a + b; }", OperatorKind.ADD),
        ("int op(int a, int b) { return a & b; }", OperatorKind.BIT_AND),
        ("int op(int a, int b) { return a || b; }", OperatorKind.OR),
        ("int op(int a, int b) { return (char)a + b; }", None),
        ("int op(int a, int b) { return (unsigned)a < (unsigned)b ? a : b; }", None),
        ("float op(float a, float b) { return a - b; }", None),
        ("float op(float a, float b) { return a + a; }", None),
        ("float op(float a, float b) { return a + b + 1; }", None),
    ],
)
def test_operators(body: str, kind: OperatorKind | None) -> None:
    ctype = body.split()[0] if not body.startswith("unsigned") else "unsigned char"
    source = f"""
#include <math.h>
#include <pencil.h>
static {body}
static void one(double *p) {{ *p = 1; }}
static void init({ctype} *p) {{ *p = 0; }}
void f(int n, const {ctype} a[static const restrict n], {ctype} out[static const restrict 1]) {{
    __pencil_reduction_var_init(&out[0], init);
    for (int i = 0; i < n; i++) __pencil_reduction(&out[0], a[i], op);
}}"""
    unit, _ = parse_file(SourceFile("test.c", source), FrontendOptions())
    assert recognise("op", {f.name: f for f in unit.functions}).recognised is kind


def union_of(text: str) -> str:
    """The union of the sets or relations of the lines, which are over the parameter n."""
    bodies = [line[line.index("{") + 1 : line.rindex("}")] for line in text.splitlines() if "{" in line]
    return f"[n] -> {{ {'; '.join(bodies)} }}"


def test_dumps_read_back() -> None:
    scop = in_scop("for (int i = 0; i < n; i++) { float t = a[i]; a[n - 1 - i] = t; }")
    text = dump_scop(scop)
    assert "parameters: n\n" in text
    statements = text[text.index("statements\n") : text.index("reductions\n")]
    domains = "\n".join(line for line in statements.splitlines() if line.startswith("    for {"))
    assert isl.UnionSet(union_of(domains)).is_equal(islx.union_set(s.domain for s in scop.statements))
    order = text[text.index("source order\n") :]
    assert isl.UnionMap(union_of(order)).is_equal(scop.schedule.get_map())
    dependences = compute_dependences(scop)
    text = dump_dependences(scop, dependences)
    anti = text[text.index("anti\n") : text.index("output")]
    assert isl.UnionMap(union_of(anti)).is_equal(dependences.anti)
