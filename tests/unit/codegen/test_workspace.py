"""Device memory of a call."""

from __future__ import annotations

import pytest

from pencilc.codegen.workspace import needs_scratch
from pencilc.ir.build import SIZE
from pencilc.ir.host import Fallback
from pencilc.ir.nodes import Node
from pencilc.ir.source import Assign, CallStmt, Declare
from tests.unit.codegen.programs import UNFUSED, entry, program, told
from tests.unit.records import BINS, ROW_SUMS, SOFTMAX

RAGGED = "FOR(k, 40) INIT(&h[k], izero); FOR(i, n - 1) for (int j = p[i]; j < p[i + 1]; j++) UPDATE(&h[q[j]], 1, iadd);"
LOCAL = "float t[n]; FOR(i, n) t[i] = a[i]; FOR(i, n) b[i] = t[i] + t[n - 1 - i];"


def lines(nodes: tuple[Node, ...]) -> list[str]:
    """Nodes as text."""
    found = []
    for node in nodes:
        if isinstance(node, Declare) and node.init is not None:
            found.append(f"{node.symbol.name} = {told(node.init)[0]}")
        elif isinstance(node, Assign):
            found.append(f"{told(node.target)[0]} {node.compound}= {told(node.value)[0]}")
        elif isinstance(node, CallStmt):
            found += told(node.call)
    return found


@pytest.mark.parametrize(
    ("body", "needs"),
    [(ROW_SUMS, True), (SOFTMAX, True), (LOCAL, True), (RAGGED, True), (BINS, False), ("int k;", False)],
)
def test_which_regions_need_memory(body: str, needs: bool) -> None:
    assert needs_scratch(program(body)) is needs and entry(body).uses_scratch is needs


def test_a_local_between_kernels_has_its_place_and_its_size() -> None:
    assert lines(entry(LOCAL).workspace) == [
        "@bytes = 0", "@t_at = pencilc_place(&@bytes, sizeof(float) * pencilc_count(n))",
        "PENCILC_RETURN(@call.reserve(&pencilc_scratch::workspace, @bytes, false))",
        "t = (float *)(@call.workspace() + @t_at)",
    ]  # fmt: skip


def test_numbers_of_bytes_have_the_type_of_sizes() -> None:
    first, at, *_ = entry(LOCAL).workspace
    assert isinstance(first, Declare) and isinstance(at, Declare) and first.symbol.type == at.symbol.type == SIZE
    assert at.symbol.is_const and not first.symbol.is_const


def test_a_scalar_in_a_loop_has_one_for_each_iteration_and_none_for_an_empty_loop() -> None:
    found = lines(entry(SOFTMAX, UNFUSED).workspace)
    first, second = (f"@{name}_at = pencilc_place(&@bytes, sizeof(float) * {name}_size0)" for name in ("max_", "sum"))
    assert "max__size0 = n >= 1 ? n : 0" in found and found.index(first) < found.index(second)


def test_rows_of_unknown_length_have_room_for_a_scan() -> None:
    found = lines(entry(RAGGED).workspace)
    starts = "pencilc_place(&@bytes, sizeof(long long) * (pencilc_count(n - 1) + 1025))"
    assert f"@f_indirect1_at = {starts}" in found
    assert found[-1] == "@f_indirect1_starts = (long long *)(@call.workspace() + @f_indirect1_at)"


def test_what_a_fused_kernel_has_on_the_chip_is_reserved_where_it_does_not_run() -> None:
    assert entry(SOFTMAX).workspace == ()
    found = [item for item in fallbacks(SOFTMAX) if item.workspace]
    assert any("pencilc_scratch::fallback" in line for line in lines(found[0].workspace))


def fallbacks(body: str) -> list[Fallback]:
    """The launches for which a fused kernel stands."""
    pending = list(entry(body).items)
    found = []
    while pending:
        item = pending.pop(0)
        if isinstance(item, Fallback):
            found.append(item)
        pending += getattr(item, "inner", ())
    return found


def test_nothing_is_reserved_for_nothing() -> None:
    assert entry("FOR(i, n) a[i] = b[i];").workspace == ()
