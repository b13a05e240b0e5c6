"""The planner finds the cheapest legal set of fusions: against brute force, on random graphs and random programs."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from graphlib import CycleError, TopologicalSorter

import pytest

from pencilc.diagnostics.source import SourceFile
from pencilc.driver import compile_source
from pencilc.gpu.fusion import plan
from pencilc.gpu.fusion.cost import NOTHING, Cost, value
from pencilc.gpu.fusion.exact import LaunchGroup, Value, cheapest
from pencilc.gpu.fusion.families import aligned, families
from pencilc.gpu.fusion.graph import Graph, members
from pencilc.gpu.fusion.not_fused import NotFused
from pencilc.gpu.fusion.plan import Planner
from pencilc.ir.mapping import Fusion, HostItem, MappedProgram, Packed, Stitched
from pencilc.ir.shapes import AllKernel, Kernel, ParallelKernel
from pencilc.options import CompileOptions, Fuse
from pencilc.parts.part import Part, SequentialLoop

HEAD = """#include <pencil.h>
static void zero(float *v) { *v = 0; }
static float add(float a, float b) { return a + b; }
"""


def partitions(items: Sequence[int]) -> Iterator[list[int]]:
    """All ways to put items into groups, each group as bits."""
    if not items:
        yield []
        return
    for rest in partitions(items[1:]):
        yield [1 << items[0], *rest]
        for position in range(len(rest)):
            yield [*rest[:position], rest[position] | 1 << items[0], *rest[position + 1 :]]


def is_legal(direct: Sequence[int], groups: Sequence[int]) -> bool:
    """Whether the graph of the groups has no cycle."""
    home = {item: group for group in groups for item in members(group)}
    edges: dict[int, set[int]] = {group: set() for group in groups}
    for item, before in enumerate(direct):
        edges[home[item]] |= {home[other] for other in members(before)} - {home[item]}
    try:
        TopologicalSorter(edges).prepare()
    except CycleError:
        return False
    return True


def test_a_group_with_something_between_is_a_cycle() -> None:
    graph = Graph.of([0b000, 0b001, 0b010])
    assert graph.between(0b101) == 0b010
    assert graph.in_order([0b101, 0b010]) is None
    assert graph.in_order([0b001, 0b110]) == (0b001, 0b110)


def test_two_groups_that_wait_for_each_other_are_a_cycle() -> None:
    graph = Graph.of([0, 0, 0b0001, 0b0010])  # 0 -> 2, 1 -> 3
    assert graph.between(0b1001) == graph.between(0b0110) == 0
    assert graph.in_order([0b1001, 0b0110]) is None
    assert graph.in_order([0b0011, 0b1100]) == (0b0011, 0b1100)


@pytest.mark.parametrize("seed", range(150))
def test_the_cheapest_plan_of_a_random_graph(seed: int) -> None:
    rng = random.Random(seed)
    count = rng.randint(1, 6)
    direct = [sum(1 << k for k in range(n) if rng.random() < 0.35) for n in range(count)]
    alone = {1 << k: (float(rng.randint(1, 9)), 1.0) for k in range(count)}
    real: dict[int, Value | None] = {}
    groups = [LaunchGroup(items, "alone", cost, True) for items, cost in alone.items()]
    for items in range(1, 1 << count):
        if items.bit_count() > 1 and rng.random() < 0.6:
            real[items] = (float(rng.randint(1, 4 * items.bit_count())), 1.0) if rng.random() < 0.7 else None
            known = real[items] or (float(rng.randint(1, 9)), 1.0)
            groups.append(LaunchGroup(items, "stitched", (known[0] - rng.randint(0, 3), 1.0), False))
    asked: list[int] = []

    def measure(group: LaunchGroup) -> Value | None:
        asked.append(group.items)
        return real[group.items]

    found = cheapest(Graph.of(direct), groups, measure, 1000)
    assert found is not None
    assert len(asked) == len(set(asked))
    costs = {**alone, **{items: cost for items, cost in real.items() if cost is not None}}
    legal = [p for p in partitions(range(count)) if is_legal(direct, p) and all(group in costs for group in p)]
    least = min(tuple(map(sum, zip(*(costs[g] for g in p), strict=True))) for p in legal)
    assert is_legal(direct, [group.items for group in found])
    assert tuple(map(sum, zip(*(group.value for group in found), strict=True))) == least


def test_too_many_trials_are_told() -> None:
    groups = [
        LaunchGroup(1, "alone", (2.0,), True),
        LaunchGroup(2, "alone", (2.0,), True),
        LaunchGroup(3, "stitched", (1.0,), False),
    ]
    assert cheapest(Graph.of([0, 1]), groups, lambda group: None, 0) is None


# ---- programs ------------------------------------------------------------------------------------------------------


def program(seed: int) -> str:
    """Loops that make arrays, sums of rows and sums of everything out of each other."""
    rng = random.Random(seed)
    arrays, rows, sums = ["x", "y"], ["r"], ["q[0]"]
    lines = []
    for k in range(rng.randint(4, 7)):
        element = f"{rng.choice(arrays)}[i][j]"
        kind = rng.choice(("array", "array", "row", "sum"))
        if kind == "array":
            other = rng.choice([f"{rng.choice(rows)}[i]", rng.choice(sums), "2"])
            lines.append(f"for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) a{k}[i][j] = {element} * {other};")
            arrays.append(f"a{k}")
        elif kind == "row":
            lines.append(f"for (int i = 0; i < n; i++) {{ __pencil_reduction_var_init(&s{k}[i], zero);")
            lines.append(f"for (int j = 0; j < m; j++) __pencil_reduction(&s{k}[i], {element}, add); }}")
            rows.append(f"s{k}")
        else:
            row = f"{rng.choice(rows)}[i]"
            lines.append(f"float t{k}; __pencil_reduction_var_init(&t{k}, zero);")
            lines.append(f"for (int i = 0; i < n; i++) __pencil_reduction(&t{k}, {row}, add);")
            sums.append(f"t{k}")
    parameters = [f"float {name}[static const restrict n][m]" for name in ("x", "y", *sorted({*arrays} - {"x", "y"}))]
    parameters += [f"float {name}[static const restrict n]" for name in rows]
    return (
        HEAD
        + f"void f(int n, int m, {', '.join(parameters)}, const float q[static const restrict 1]) {{\n"
        + "#pragma scop\n"
        + "\n".join(lines)
        + "\n#pragma endscop\n}"
    )


@pytest.mark.parametrize("mode", ["model", "max"])
@pytest.mark.parametrize("seed", [9, 12, 15, 17, 25, 34, 36, 37])
def test_the_plan_of_a_random_program(seed: int, mode: Fuse, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[tuple[Planner, Sequence[Part | SequentialLoop], tuple[HostItem, ...]]] = []

    class Spy(Planner):
        def plan(
            self, parts: Sequence[Part | SequentialLoop], items: tuple[HostItem, ...]
        ) -> tuple[tuple[HostItem, ...], tuple[Fusion, ...]]:
            seen.append((self, parts, items))
            return super().plan(parts, items)

    monkeypatch.setattr(plan, "Planner", Spy)
    done = compile_source(SourceFile("f.c", program(seed)), CompileOptions(fuse=mode), "mapping")
    ((planner, parts, items),) = seen
    parts = aligned(parts, planner.pairs)
    costs = (
        planner.packer.cost(item.kernels) if isinstance(item, Packed) else planner.model.items((item,))
        for item in done.programs[0].items
    )
    found = value(sum(costs, NOTHING), mode)
    assert found == pytest.approx(best(planner, parts, items, mode), rel=1e-12)


def best(
    planner: Planner, parts: Sequence[Part | SequentialLoop], items: tuple[HostItem, ...], mode: str
) -> tuple[float, ...]:
    """What the cheapest plan takes: every partition is built."""
    before = planner.packer.graph(items).before
    costs = {g: cost for g in range(1, 1 << len(items)) if (cost := cheapest_way(planner, parts, items, g, mode))}
    legal = [p for p in partitions(range(len(items))) if is_legal(before, p) and all(group in costs for group in p)]
    return min(value(sum((costs[g] for g in p), NOTHING), mode) for p in legal)


def cheapest_way(
    planner: Planner, parts: Sequence[Part | SequentialLoop], items: tuple[HostItem, ...], group: int, mode: str
) -> Cost | None:
    """What a group takes in the better way; None if it cannot be one launch."""
    numbers = list(members(group))
    kernels = [item for k in numbers if isinstance(item := items[k], Kernel)]
    if len(numbers) == 1:
        return planner.model.kernel(kernels[0])
    found = []
    if planner.packer.graph(items).is_independent(group) and planner.packer.together(kernels):
        found.append(planner.packer.cost(kernels))
    family = next((f for f in families(parts) if not group & ~f.items and group & f.reducing), None)
    if family is not None and not planner.packer.graph(items).between(group):
        pairs = [(part, items[k]) for k in numbers if isinstance(part := parts[k], Part)]
        try:
            stitched = planner.stitcher.stitch(family, [(p, k) for p, k in pairs if isinstance(k, Kernel)])
            found.append(planner.model.stitched(stitched))
            assert value(planner.model.least(kernels), mode) <= value(found[-1], mode)
        except NotFused:
            pass
    return min(found, key=lambda cost: value(cost, mode), default=None)


APART = """void f(int n, int m, int l, const float x[static const restrict n][m],
       const float y[static const restrict l], float z[static const restrict n][m]) {
    float s[n], total;
    for (int i = 0; i < n; i++) {
        __pencil_reduction_var_init(&s[i], zero);
        for (int j = 0; j < m; j++) __pencil_reduction(&s[i], x[i][j], add);
    }
    __pencil_reduction_var_init(&total, zero);
    for (int k = 0; k < l; k++) __pencil_reduction(&total, SUMMED, add);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) z[i][j] = x[i][j] / s[i] * total;
}"""


def mapped(function: str, fuse: Fuse = "model") -> MappedProgram:
    done = compile_source(SourceFile("test.c", HEAD + function), CompileOptions(fuse=fuse), "mapping")
    return done.programs[0]


def test_what_stands_between_two_kernels_moves_out_of_the_way() -> None:
    first, second = mapped(APART.replace("SUMMED", "y[k]")).items
    assert isinstance(first, Kernel) and first.name == "f_all1"
    assert isinstance(second, Stitched) and [k.name for k in second.fallback.kernels] == ["f_row0", "f_parallel2"]


@pytest.mark.parametrize("mode", ["model", "max"])
def test_what_needs_one_and_is_needed_by_the_other_keeps_them_apart(mode: Fuse) -> None:
    program = mapped(APART.replace("SUMMED", "k < n ? s[k] : 0"), mode)
    assert len(program.items) == 3
    (told,) = [f for f in program.fusions if f.kernels == ("f_row0", "f_parallel2")]
    assert told.reason == "f_all1 needs the one and is needed by the other"


def test_a_large_level_is_planned_greedily(monkeypatch: pytest.MonkeyPatch) -> None:
    exact = mapped(APART.replace("SUMMED", "y[k]"))
    monkeypatch.setattr(plan, "EXACT", 2)
    greedy = mapped(APART.replace("SUMMED", "y[k]"))
    assert [type(item) for item in exact.items] == [AllKernel, Stitched]
    assert [type(item) for item in greedy.items] == [Packed, ParallelKernel]
