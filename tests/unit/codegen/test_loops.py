"""Kernels that do all iterations of a loop on the host."""

from __future__ import annotations

from pencilc.ir.nodes import For, Sync
from pencilc.ir.source import CallStmt
from tests.unit.codegen.programs import functions, nodes, told

FRONTS = "for (int i = 1; i < n; i++) for (int j = 1; j < m; j++) x[i][j] = x[i - 1][j] + x[i][j - 1];"
ROUNDS = "for (int k = 1; k < m; k++) { FOR(i, k) a[i] = b[i] + k; FOR(i, n) b[i] = a[n - 1 - i]; }"


def test_the_threads_meet_behind_each_kernel() -> None:
    made = functions(ROUNDS)["f_loop0"]
    (loop,) = nodes(made, For)
    calls = [each.call.function for each in nodes(made, CallStmt)]
    assert (
        calls == ["f_loop0_parallel0", "f_loop0_parallel1"]
        and [each.scope for each in nodes(made, Sync)] == ["launch"] * 2
    )
    assert loop.iterator.name == "k" or loop.iterator.name.startswith("t")


def test_stages_have_all_blocks_of_the_launch() -> None:
    stage = functions(ROUNDS)["f_loop0_parallel0"]
    assert stage.layout == "line" and stage.helpers == ()
    (first, _) = nodes(functions(ROUNDS)["f_loop0"], CallStmt)
    assert told(*first.call.arguments)[-2:] == ["blockIdx.x", "gridDim.x"]


def test_what_is_written_is_no_constant_of_any_stage() -> None:
    for name in ("f_loop0_parallel0", "f_loop0_parallel1"):
        arrays = {each.name: each for each in functions(ROUNDS)[name].parameters}
        assert not any(each.restrict for each in arrays.values() if each.name in ("a", "b"))


def test_a_front_is_one_launch() -> None:
    (loop,) = nodes(functions(FRONTS)["f_loop0"], For)
    assert len(nodes(loop.body, Sync)) == 1
