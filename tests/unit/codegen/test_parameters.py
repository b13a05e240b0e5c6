"""Parameters and arguments of kernel functions."""

from __future__ import annotations

from pencilc.codegen.parameters import exchanged, with_parameters
from pencilc.ir.build import UNSIGNED
from pencilc.ir.nodes import Parameter
from pencilc.ir.source import FLOAT, INT, LLONG, PointerType
from pencilc.options import CompileOptions
from tests.unit.codegen.programs import UNFUSED, functions, kernel, program, told
from tests.unit.records import DEFAULT, ROW_SUMS, SUM

FLOATS = PointerType(FLOAT)
HOST = "for (int k = 1; k < m; k++) { FOR(i, n) a[i] = b[i] + k; FOR(i, n) b[i] = a[i] + a[n - 1 - i]; }"
LOCAL = """FOR(i, n) FOR(j, m) {
    float s, t;
    INIT(&s, zero); FOR(k, 64) UPDATE(&s, x[i][k] * x[j][k], add);
    INIT(&t, lowest); FOR(k, 64) UPDATE(&t, x[i][k] * s, larger);
    y[i][j] = t; }"""


def parameters(body: str, name: str, options: CompileOptions = DEFAULT) -> dict[str, Parameter]:
    """The parameters of a function by their names."""
    return {each.name: each for each in functions(body, options)[name].parameters}


def test_a_function_is_given_what_it_names_in_the_order_of_the_region() -> None:
    found = parameters("FOR(i, n) a[i] = b[i];", "f_parallel0")
    assert list(found.values()) == [
        Parameter("n", INT), Parameter("a", FLOATS, restrict=True),
        Parameter("b", FLOATS, is_const=True, restrict=True),
    ]  # fmt: skip


def test_arguments_are_what_the_entry_point_calls_them() -> None:
    made = functions("FOR(i, n) a[i] = b[i];")["f_parallel0"]
    assert told(*made.arguments) == [each.name for each in made.parameters]


def test_blocks_that_combine_share_memory_and_warps_do_not() -> None:
    blocks, warps = parameters(ROW_SUMS, "f_row0_blocks"), parameters(ROW_SUMS, "f_row0_warps")
    assert blocks["@partials"] == Parameter("@partials", FLOATS)
    assert blocks["@tickets"] == Parameter("@tickets", PointerType(UNSIGNED))
    assert set(blocks) - set(warps) == {"@partials", "@tickets"}


def test_a_fixed_tree_is_told_its_workers_and_teams_find_their_size() -> None:
    assert "@workers" in parameters(SUM, "f_all0", CompileOptions(determinism="fixed-tree"))
    triangle = "float s; INIT(&s, zero); FOR(i, n) for (int j = i; j < m; j++) UPDATE(&s, x[i][j], add); b[0] = s;"
    # A run is as long as one row of `x` at most.
    assert "m" in parameters(triangle, "f_all0")
    assert not {"@workers", "@team"} & {*parameters(triangle, "f_all0"), *parameters(SUM, "f_all0")}


def test_a_kernel_in_a_host_loop_is_given_the_iterator_that_it_uses() -> None:
    assert parameters(HOST, "f_parallel0")["k"] == Parameter("k", INT)
    assert "k" not in parameters(HOST, "f_parallel1")


def test_variables_between_kernels_come_with_the_sizes_of_their_expansion() -> None:
    first, second = (parameters(LOCAL, f"f_row{k}_short", UNFUSED) for k in (0, 1))
    assert first["s"] == Parameter("s", FLOATS, restrict=True)
    assert second["s"] == Parameter("s", FLOATS, is_const=True, restrict=True)
    assert first["s_size1"] == second["s_size1"] == Parameter("s_size1", LLONG) and "s_size0" not in first


def test_data_that_stages_exchange_are_not_restricted() -> None:
    made, only = kernel("FOR(i, n) a[i] = b[i];")
    (function,) = functions("FOR(i, n) a[i] = b[i];").values()
    plain = with_parameters(made, function, only).parameters
    shared = with_parameters(made, function, only, frozenset({"b"})).parameters
    assert [p.restrict for p in plain] == [False, True, True] and [p.restrict for p in shared] == [False, True, False]


def test_constants_are_not_restricted_where_what_is_written_is_read() -> None:
    read_back = parameters(
        "FOR(i, n) { a[i] = 0; for (int j = 0; j < m; j++) a[i] = a[i] > b[j] ? a[i] : b[j]; }", "f_parallel0"
    )
    assert read_back["a"].restrict and read_back["b"].is_const and not read_back["b"].restrict
    written = parameters("FOR(i, n) a[i] = c[i] > 0 ? c[i] : b[i];", "f_parallel0")
    assert written["b"].restrict and written["c"].restrict


def test_constants_are_not_restricted_where_another_function_writes_what_is_read() -> None:
    made, only = kernel("FOR(i, n) a[i] = c[i] > 0 ? c[i] : b[i];")
    (function,) = functions("FOR(i, n) a[i] = c[i] > 0 ? c[i] : b[i];").values()
    shared = with_parameters(made, function, only, frozenset({"c"})).parameters
    assert {p.name: p.restrict for p in shared} == {"n": False, "a": True, "b": False, "c": False}


def test_what_is_exchanged_is_written_by_one_and_accessed_by_another() -> None:
    made = program("FOR(i, n) a[i] = b[i]; FOR(i, n) c[i] = a[i] + a[n - 1 - i] + b[i];", UNFUSED)
    assert exchanged(made, made.kernels()) == {"a"}
    assert exchanged(made, made.kernels()[:1]) == frozenset()
