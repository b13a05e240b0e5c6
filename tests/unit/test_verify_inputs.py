"""Inputs make sense: sizes, subscripts, positions, assumes, patterns; and they are the same every time."""

from __future__ import annotations

import math
import random
import struct
import sys
from pathlib import Path

import pytest

from pencilc.diagnostics.source import SourceFile
from pencilc.frontend import FrontendOptions, parse_file
from pencilc.ir.source import SMALL_FLOATS, Scalar, TranslationUnit
from pencilc.verify import extremes
from pencilc.verify.cases import (
    Argument,
    Case,
    DataKind,
    Value,
    decode,
    encode,
    format_of,
    leaves,
    pack_column,
    packed,
    unpack_column,
    unpacked,
)
from pencilc.verify.draws import picked
from pencilc.verify.errors import InputsError
from pencilc.verify.facts import Facts, gather
from pencilc.verify.inputs import NoInputs, doubts, load_makers, make_case
from pencilc.verify.sizes import DEFAULT_SIZES, Choice, choices, combinations

Sizes = dict[str, tuple[int, ...]]


def parsed(text: str) -> TranslationUnit:
    return parse_file(SourceFile("test.c", "#include <pencil.h>\n" + text), FrontendOptions())[0]


def planned(text: str, sizes: Sizes | None = None) -> tuple[TranslationUnit, Facts, list[Choice]]:
    unit = parsed(text)
    functions = {f.name: f for f in unit.functions}
    facts = gather(unit.regions[0], functions)
    return unit, facts, list(choices(unit.regions[0], functions, facts, sizes or {}))


def cases(text: str, sizes: Sizes | None = None, kind: DataKind = "integers", seed: int = 0) -> list[Case]:
    unit, facts, chosen = planned(text, sizes)
    functions = {f.name: f for f in unit.functions}
    return [make_case(unit.regions[0], functions, facts, c, kind, seed) for c in chosen if not c.skip]


def values(case: Case, name: str, member: str = "") -> list[float]:
    argument: Argument = next(a for a in case.arguments if a.name == name)
    leaf = next(part for part in leaves(argument.type) if part[0] == member)
    return unpack_column(argument.data, leaf, argument.type.size)


SUM = """
float sum(int n, const float a[n]) {
    float s;
    __pencil_reduction_var_init(&s, zero);
    for (int i = 0; i < n; i++) __pencil_reduction(&s, a[i], add);
    return s;
}"""
OPERATOR = "static void zero(float *v) { *v = 0.0f; }\nstatic float add(float a, float b) { return a + b; }\n"


def test_default_sizes_and_length() -> None:
    made = cases(OPERATOR + SUM)
    assert [dict(case.sizes)["n"] for case in made] == list(DEFAULT_SIZES)
    assert [case.length for case in made] == [max(size, 1) for size in DEFAULT_SIZES]
    assert all(case.exact for case in made)
    assert all(value == int(value) != 0 for value in values(made[5], "a"))


@pytest.mark.parametrize("most", [1, 20, 64, None])
def test_no_size_that_was_asked_for_is_left_out(most: int | None) -> None:
    """There were none beyond the first 64 choices, without a word."""
    source = OPERATOR + SUM.replace("int n, ", "int g, int c, int n, float b[const restrict static g][c], ")
    unit, _ = parse_file(SourceFile("f.c", source), FrontendOptions())
    facts = gather(unit.regions[0], {})
    given = {"g": (1, 2, 3, 4, 0), "c": (5, 1, 2, 0)}
    made = combinations(facts, given, most)
    assert {(each["g"], each["c"]) for each in made} == {(g, c) for g in given["g"] for c in given["c"]}
    assert {each["n"] for each in made} == set(DEFAULT_SIZES)
    assert len(made) == (140 if most is None else max(20, 20 * (most // 20)))


def test_a_flag_is_true_and_false() -> None:
    text = (
        "void f(int n, _Bool up, int k, int b[static const restrict n]) {\n#pragma scop\n"
        "    for (int i = 0; i < n; i++) b[i] = up ? i : k;\n#pragma endscop\n}\n"
    )
    _, _, made = planned(text)
    assert {each.values["up"] for each in made} == {0, 1}
    assert not any(each.skip for each in made)


def test_same_seed_same_bytes() -> None:
    first, second = cases(OPERATOR + SUM, {"n": (33,)}), cases(OPERATOR + SUM, {"n": (33,)})
    assert first == second
    assert first != cases(OPERATOR + SUM, {"n": (33,)}, seed=1)


MIXED = """void f(int n, const char c[n], const unsigned short s[n], const int i[n], const unsigned long u[n],
                 const float x[n], const double y[n], float out[n]) {
#pragma scop
    for (int k = 0; k < n; k++) out[k] = c[k] > s[k] && i[k] > u[k] && x[k] > y[k] ? x[k] : 0;
#pragma endscop
}"""


def test_extremes_reach_the_ends_of_each_type() -> None:
    found: dict[str, set[float]] = {}
    for seed in range(40):
        for case in cases(MIXED, {"n": (33,)}, "extremes", seed):
            for argument in case.arguments[1:]:
                found.setdefault(argument.name, set()).update(values(case, argument.name))
    assert {-128, -127, -1, 0, 1, 63, 64, 126, 127} <= found["c"]
    assert {0, 1, 2**15 - 1, 2**15, 2**16 - 2, 2**16 - 1} <= found["s"] and min(found["s"]) >= 0
    assert {-(2**31), 1 - 2**31, -1, 0, 1, 2**31 - 2, 2**31 - 1} <= found["i"]
    assert {0, 1, 2**63 - 1, 2**63, 2**64 - 2, 2**64 - 1} <= found["u"]
    assert {math.inf, -math.inf, 2.0**-149, 2.0**128 - 2.0**104, 2.0**104 - 2.0**128} <= found["x"]
    assert {math.inf, -math.inf, 2.0**-1074, sys.float_info.max, -sys.float_info.max} <= found["y"]
    assert any(math.isnan(value) for value in found["x"]) and any(0 < value < 1 for value in found["x"])
    # Many integers are at no end, and have some size or other.
    assert all(any(2**k <= value < 2 ** (k + 1) for value in found["i"]) for k in range(31))


@pytest.mark.parametrize("scalar", SMALL_FLOATS, ids=lambda scalar: scalar.name)
def test_extremes_of_small_floats(scalar: Scalar) -> None:
    for value in (extremes.largest_of(scalar), extremes.smallest_of(scalar)):
        raw = struct.pack("<" + format_of(scalar), encode(scalar, value))
        assert decode(scalar, struct.unpack("<" + format_of(scalar), raw)[0]) == value
        up = int.from_bytes(raw, "little") + 1
        beside = decode(scalar, struct.unpack("<" + format_of(scalar), up.to_bytes(2, "little"))[0])
        assert beside == (math.inf if value > 1 else 2 * value)


COLUMNS: list[tuple[Scalar, list[Value]]] = [
    (Scalar("signed char", "int", 1), [0, -128, 127, 200, -129, 3.0]),
    (Scalar("unsigned short", "uint", 2), [0, 65535, 65536, -1]),
    (Scalar("int", "int", 4), [2**31 - 1, -(2**31), 2**31, 5.0]),
    (Scalar("unsigned long long", "uint", 8), [2**64 - 1, -1, 2**64]),
    (Scalar("_Bool", "bool", 1), [0, 1, 2, 0.5]),
    (Scalar("float", "float", 4), [0, 0.1, math.inf, -0.0, 2.0**-149]),
    (Scalar("double", "float", 8), [0.1, 3, sys.float_info.max]),
    (Scalar("long double", "float", 16), [0.1, -math.inf, 7]),
    *((scalar, [1.0, 0.1, -math.inf, extremes.smallest_of(scalar)]) for scalar in SMALL_FLOATS),
]


@pytest.mark.parametrize(("scalar", "column"), COLUMNS, ids=[scalar.name for scalar, _ in COLUMNS])
def test_a_column_is_packed_as_its_values_are_one_by_one(scalar: Scalar, column: list[Value]) -> None:
    letter = "<" + format_of(scalar)
    one_by_one = [struct.pack(letter, encode(scalar, value)) for value in column]
    data = packed(scalar, column)
    assert data == b"".join(one_by_one)
    assert unpacked(scalar, data) == [decode(scalar, *struct.unpack(letter, raw)) for raw in one_by_one]
    # As a member: three bytes in front of it, one behind it.
    stride = scalar.size + 4
    buffer = bytearray(b"\xa5" * (stride * len(column)))
    pack_column(buffer, column, ("", 3, scalar), stride)
    assert buffer == b"".join(b"\xa5" * 3 + raw + b"\xa5" for raw in one_by_one)
    assert unpack_column(bytes(buffer) + b"\xa5", ("", 3, scalar), stride) == unpacked(scalar, data)


@pytest.mark.parametrize("known", [1, 2, 3, 17, 201, 256, 257, 1000])
def test_what_is_picked_is_about_as_often_each(known: int) -> None:
    count = 500 * known
    found = picked(random.Random(0), range(known), count)
    assert len(found) == count and set(found) == set(range(known))
    assert all(300 < found.count(item) < 1100 for item in range(0, known, 50))
    assert found == picked(random.Random(0), range(known), count)
    assert picked(random.Random(0), range(known), 0) == []


def test_sums_get_no_largest_numbers() -> None:
    """A sum that passes the largest number of its type depends on its order."""
    drawn = [values(case, "a") for seed in range(20) for case in cases(OPERATOR + SUM, {"n": (33,)}, "extremes", seed)]
    assert all(abs(value) < 2 or math.isinf(value) or math.isnan(value) for column in drawn for value in column)
    assert any(math.isinf(value) for column in drawn for value in column)


@pytest.mark.parametrize(
    ("operator", "has_nan"),
    [("a < b ? a : b", False), ("b < a ? b : a", True), ("fminf(a, b)", True), ("a + b", True)],
)
def test_no_nan_where_the_order_decides_what_it_does(operator: str, has_nan: bool) -> None:
    text = OPERATOR.replace("a + b", operator) + SUM
    drawn = [values(case, "a") for seed in range(20) for case in cases(text, {"n": (33,)}, "extremes", seed)]
    assert any(math.isnan(value) for column in drawn for value in column) is has_nan


def test_extremes_stay_in_bounds_and_let_loops_end() -> None:
    text = """void f(int n, const int pick[n], const int count[n], const int value[n], const int w[n], int out[n]) {
#pragma scop
    __pencil_assume(w[0] > 0);
    for (int i = 0; i < n; i++) {
        int last = count[i] + 1;
        for (int k = 0; k < last; k++)
            out[i] += value[pick[i]] + w[i];
    }
#pragma endscop
}"""
    (case,) = cases(text, {"n": (1009,)}, "extremes")
    assert min(values(case, "pick")) >= 0 and max(values(case, "pick")) <= 1008
    assert all(abs(value) < 200 for name in ("count", "w") for value in values(case, name))
    assert max(values(case, "value")) > 2**15


@pytest.mark.parametrize(
    ("loop", "why"),
    [
        ("int k = a[i]; while (k < 9) k = k + 1;", "the loop of line 6 runs until data end it"),
        (
            "int k = a[i]; if (k > 9) k = 9; for (int j = 0; j < k; j++) out[i] += j;",
            "how often the loop of line 6",
        ),
    ],
)
def test_endless_loops_are_found(loop: str, why: str) -> None:
    text = f"""
void f(int n, const int a[n], int out[n]) {{
#pragma scop
    for (int i = 0; i < n; i++) {{
        {loop}
    }}
#pragma endscop
}}"""
    _, _, (choice,) = planned(text, {"n": (33,)})
    assert choice.ranges.endless.startswith(why)


def test_reals_are_fractions() -> None:
    (case,) = cases(OPERATOR + SUM, {"n": (1009,)}, "reals")
    assert not case.exact
    assert all(-1.0 <= value <= 1.0 for value in values(case, "a"))


def test_index_array_stays_in_bounds() -> None:
    text = """void hist(int n, int bins, const int pix[n], int h[bins]) {
#pragma scop
    for (int i = 0; i < n; i++) h[pix[i] + 1] += 1;
#pragma endscop
}"""
    (case,) = cases(text, {"n": (1009,), "bins": (31,)})
    assert min(values(case, "pix")) >= -1
    assert max(values(case, "pix")) == 29


def test_index_through_local_and_member() -> None:
    text = """typedef struct { float weight; int to; } Edge;
void degrees(int n, int m, const Edge e[n], int d[m]) {
#pragma scop
    for (int i = 0; i < n; i++) {
        int target = e[i].to;
        d[target] += 1;
    }
#pragma endscop
}"""
    (case,) = cases(text, {"n": (1009,), "m": (7,)})
    assert set(values(case, "e", ".to")) == set(range(7))


def test_positions_grow() -> None:
    text = """void spmv(int n, int m, int nnz, const int row[n + 1], const int col[nnz], const float v[nnz],
          const float x[m], float y[n]) {
#pragma scop
    for (int i = 0; i < n; i++) {
        y[i] = 0.0f;
        for (int j = row[i]; j < row[i + 1]; j++) y[i] += v[j] * x[col[j]];
    }
#pragma endscop
}"""
    (case,) = cases(text, {"n": (31,), "m": (33,), "nnz": (100,)})
    row = values(case, "row")
    assert row == sorted(row)
    assert (row[0], row[-1]) == (0, 100)
    assert set(values(case, "col")) <= set(range(33))


def test_scatter_gets_a_permutation() -> None:
    text = """void scatter(int n, const int to[n], const float a[n], float out[n]) {
#pragma scop
#pragma pencil independent
    for (int i = 0; i < n; i++) out[to[i]] = a[i];
#pragma endscop
}"""
    (case,) = cases(text, {"n": (33,)})
    assert sorted(values(case, "to")) == list(range(33))


def test_assume_is_obeyed_or_skipped() -> None:
    text = """void copy(int n, int m, const float a[m], float b[n]) {
#pragma scop
    __pencil_assume(m >= n);
    for (int i = 0; i < n; i++) b[i] = a[i];
#pragma endscop
}"""
    for case in cases(text):
        sizes = dict(case.sizes)
        assert sizes["m"] >= sizes["n"]
    _, _, chosen = planned(text, {"n": (5,), "m": (4,)})
    assert "assume" in chosen[0].skip


def test_columns_fit_into_the_pitch() -> None:
    text = """void fill(int rows, int pitch, int columns, float a[rows][pitch]) {
#pragma scop
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++) a[i][j] = 1.0f;
#pragma endscop
}"""
    made = [dict(case.sizes) for case in cases(text)]
    assert all(sizes["columns"] <= sizes["pitch"] for sizes in made if sizes["rows"] > 0)
    assert any(sizes["columns"] < sizes["pitch"] for sizes in made)


def test_output_only_arrays_hold_a_pattern() -> None:
    text = """void twice(int n, const float a[n], float out[n], float both[n]) {
#pragma scop
    for (int i = 0; i < n; i++) {
        out[i] = a[i];
        both[i] = both[i] + a[i];
    }
#pragma endscop
}"""
    (case,) = cases(text, {"n": (5,)})
    assert all(math.isnan(value) for value in values(case, "out"))
    assert not any(math.isnan(value) for value in values(case, "both"))


def test_certain_access_outside_is_noted() -> None:
    text = """void first(int n, const float a[n], float out[1]) {
#pragma scop
    out[0] = a[0];
#pragma endscop
}"""
    _, _, chosen = planned(text)
    assert [choice.ranges.impossible != "" for choice in chosen] == [size == 0 for size in DEFAULT_SIZES]
    assert not any(choice.skip for choice in chosen)


def test_no_value_for_an_empty_target() -> None:
    text = """void hist(int n, int bins, const int pix[n], int h[bins]) {
#pragma scop
    for (int i = 0; i < n; i++) h[pix[i]] += 1;
#pragma endscop
}"""
    with pytest.raises(NoInputs, match="pix"):
        cases(text, {"n": (3,), "bins": (0,)})


def test_own_inputs(tmp_path: Path) -> None:
    path = tmp_path / "own.py"
    path.write_text("def inputs_sum(sizes, rng):\n    return {'a': [float(k) for k in range(sizes['n'])]}\n")
    maker = load_makers(path)["sum"]
    unit, facts, chosen = planned(OPERATOR + SUM, {"n": (3,)})
    case = make_case(unit.regions[0], {}, facts, chosen[0], "given", 0, maker)
    assert case.arguments[1].data == struct.pack("<3f", 0.0, 1.0, 2.0)
    with pytest.raises(InputsError, match="2 elements, not 3"):
        make_case(unit.regions[0], {}, facts, chosen[0], "given", 0, lambda sizes, rng: {"a": [1.0, 2.0]})


OWN = """
void own(int n, const int a[n], const unsigned char b[n][2], const float c[n], int o[n]) {
#pragma scop
    for (int i = 0; i < n; i++) o[i] = a[i] + b[i][1] + (int)c[i];
#pragma endscop
}"""


@pytest.mark.parametrize(
    ("name", "given", "said"),
    [
        ("a", [1, math.nan, 2], r"'a\[1\]' hold nan, which is no value of type 'int'"),
        ("a", [1, 2, math.inf], r"'a\[2\]' hold inf, which is no value of type 'int'"),
        ("a", [2**31, 0, 0], r"'a\[0\]' hold 2147483648, which is no value of type 'int'"),
        ("a", [0, 0.5, 0], r"'a\[1\]' hold 0.5, which is no value of type 'int'"),
        ("b", [[1, 2], [3, 256], [4, 5]], r"'b\[1\]\[1\]' hold 256, which is no value of type 'unsigned char'"),
        ("b", [[1, 2], [3, 4], [-1, 5]], r"'b\[2\]\[0\]' hold -1, which is no value of type 'unsigned char'"),
        ("c", [1.0, 2.0, 1e39], r"'c\[2\]' hold 1e\+39, too large for type 'float'"),
    ],
)
def test_own_values_that_the_type_does_not_have(name: str, given: object, said: str) -> None:
    unit, facts, chosen = planned(OWN, {"n": (3,)})
    with pytest.raises(InputsError, match=said):
        make_case(unit.regions[0], {}, facts, chosen[0], "given", 0, lambda sizes, rng: {name: given})


def test_own_values_of_an_array_in_a_struct() -> None:
    text = """struct three { int v[3]; };
void own(int n, const struct three a[n], int o[n]) {
#pragma scop
    for (int i = 0; i < n; i++) o[i] = a[i].v[2];
#pragma endscop
}"""
    unit, facts, chosen = planned(text, {"n": (1,)})
    with pytest.raises(InputsError, match=r"'a\[0\].v' have 2 elements, not 3"):
        make_case(unit.regions[0], {}, facts, chosen[0], "given", 0, lambda sizes, rng: {"a": [{"v": [1, 2]}]})
    with pytest.raises(InputsError, match=r"'a\[0\].v\[1\]' hold 0.5, which is no value of type 'int'"):
        make_case(unit.regions[0], {}, facts, chosen[0], "given", 0, lambda sizes, rng: {"a": [{"v": [1, 0.5, 2]}]})


def test_own_values_at_the_ends_of_the_type() -> None:
    unit, facts, chosen = planned(OWN, {"n": (3,)})
    given = {"a": [2**31 - 1, -(2**31), 3.0], "b": [[0, 255], [1, True], [2, 3]], "c": [math.nan, math.inf, 2]}
    case = make_case(unit.regions[0], {}, facts, chosen[0], "given", 0, lambda sizes, rng: given)
    assert values(case, "a") == [2**31 - 1, -(2**31), 3]
    assert values(case, "b") == [0, 255, 1, 1, 2, 3]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("x = 1\nimport no_such_module", "fails in line 2: ModuleNotFoundError: No module named 'no_such_module'"),
        ("def half(n): return n / 0\n\nhalf(3)", "fails in line 1: ZeroDivisionError: division by zero"),
        ("import sys\nsys.exit(0)", "fails in line 2: SystemExit: 0"),
        ("open('no such file')", r"fails in line 1: FileNotFoundError"),
        ("def f(:", "cannot read "),
        ("inputs_own = 3", "defines 'inputs_own', which is no function"),
    ],
)
def test_inputs_files_that_fail(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "own.inputs.py"
    path.write_text(text)
    with pytest.raises(InputsError, match=said) as raised:
        load_makers(path)
    assert str(path) in str(raised.value)


def test_inputs_functions_that_leave_are_errors() -> None:
    unit, facts, chosen = planned(OWN, {"n": (3,)})

    def leave(sizes: dict[str, int], rng: object) -> dict[str, object]:
        raise SystemExit

    with pytest.raises(InputsError, match=r"inputs_own fails: SystemExit$"):
        make_case(unit.regions[0], {}, facts, chosen[0], "given", 0, leave)


VOTES = """void votes(int n, int classes, const int label[n], int best[n]) {
#pragma scop
    for (int t = 0; t < n; t++) {
        int near[2];
        near[0] = near[1] = 0;
        int l = label[t];
        for (int k = 0; k < 2; k++) {
            int old = near[k];
            near[k] = l;
            l = old;
        }
        int count[16];
        for (int c = 0; c < classes; c++) count[c] = 0;
        for (int k = 0; k < 2; k++) count[near[k]]++;
        best[t] = count[classes - 1];
    }
#pragma endscop
}"""


def test_data_that_locals_hand_on_pick_what_has_been_set() -> None:
    (case,) = cases(VOTES, {"n": (33,), "classes": (3,)})
    assert set(values(case, "label")) == {0, 1, 2}
    with pytest.raises(NoInputs, match="label"):
        cases(VOTES.replace("best[t] = count[classes - 1];", ""), {"n": (33,), "classes": (0,)})


def test_a_local_array_that_is_set_as_a_whole_has_all_elements() -> None:
    text = VOTES.replace("int count[16];", "int count[16] = {0};")
    (case,) = cases(text, {"n": (99,), "classes": (3,)})
    assert set(values(case, "label")) == set(range(16))


def test_what_data_that_are_given_may_pick_wrongly_is_named() -> None:
    unit, facts, (choice,) = planned(VOTES, {"n": (3,), "classes": (2,)})
    functions = {f.name: f for f in unit.functions}
    case = make_case(unit.regions[0], functions, facts, choice, "given", 0, lambda sizes, rng: {"label": [0, 7, 1]})
    (said,) = doubts(case, choice.ranges)
    assert said == (
        "`label[1]` is 7 in the given data; the subscript of `count` at line 15 is sure to be right for 0 to 1"
    )
