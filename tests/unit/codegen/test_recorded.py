"""What the CPU executor is told in front of each launch, wherever it stands on the host: launches written by hand."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from pencilc.codegen import recorded
from pencilc.codegen.cexpr import expression
from pencilc.codegen.launch_bodies import with_body
from pencilc.codegen.render import render
from pencilc.ir.build import ZERO, variable
from pencilc.ir.host import CountedLaunch, Fallback, HostFor, HostIf, HostLet, HostNode, KernelFile
from pencilc.ir.launches import KernelLaunch, LaunchParallel, LaunchSingle
from pencilc.ir.launching import StartedFunction
from pencilc.ir.source import INT, Expr
from pencilc.options import ParallelLaunch
from pencilc.records import dataclass
from tests.unit.codegen.programs import file

N, M = variable("n"), variable("m")
ONE_THREAD = with_body(LaunchSingle(name="f_single0", block=1))
PARALLEL = with_body(LaunchParallel(name="f_parallel1", block=256, extents=(N, M), launch=ParallelLaunch()))


@dataclass(frozen=True, kw_only=True)
class Launch(KernelLaunch):
    """One that may start several functions, and has several numbers of points."""

    functions: tuple[str, ...] = ("rows", "blocks", "rows")

    @property
    def independent(self) -> tuple[Expr, ...]:
        """Two of them."""
        return (N, M)

    @property
    def starts(self) -> Any:
        """One of them twice, with other arguments."""
        return tuple(StartedFunction(name, 256, ()) for name in self.functions)


@dataclass(frozen=True)
class Items:
    """Of an entry, what is on the host."""

    items: tuple[HostNode, ...]


def counted(monkeypatch: pytest.MonkeyPatch, *items: HostNode) -> tuple[HostNode, ...]:
    """What is printed in the place of these."""
    monkeypatch.setattr(recorded, "render", lambda made: made)
    monkeypatch.setattr(recorded, "with_functions", lambda made: made)
    entry: Any = Items(items)
    made: Any = recorded.render_recorded(KernelFile("f.cu", (), (), (), (entry,), frozenset()))
    (only,) = made.entries
    return only.items  # type: ignore[no-any-return]


def told(node: HostNode) -> list[tuple[str, str, str, bool]]:
    """Kernel, function, points, and whether they begin."""
    assert isinstance(node, CountedLaunch)
    return [(each.kernel, each.function, expression(each.points), each.begins) for each in node.points]


def test_a_launch_is_kept_and_has_its_points_in_front(monkeypatch: pytest.MonkeyPatch) -> None:
    single, parallel = counted(monkeypatch, ONE_THREAD, PARALLEL)
    assert isinstance(single, CountedLaunch) and single.inner == (ONE_THREAD,)
    assert told(single) == [("f_single0", "f_single0", "(long long)1", True)]
    assert told(parallel) == [("f_parallel1", "f_parallel1", "(long long)(n > 0 ? (long long)n * m : 0)", True)]


def test_the_first_number_begins_for_each_function(monkeypatch: pytest.MonkeyPatch) -> None:
    (made,) = counted(monkeypatch, Launch(name="f_row0", block=256))
    assert [(function, points, begins) for _, function, points, begins in told(made)] == [
        ("rows", "(long long)n", True), ("rows", "(long long)m", False),
        ("blocks", "(long long)n", True), ("blocks", "(long long)m", False),
    ]  # fmt: skip


def test_the_kernel_is_the_one_whose_work_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    (made,) = counted(monkeypatch, replace(ONE_THREAD, kernel="g_single3"))
    assert told(made) == [("g_single3", "f_single0", "(long long)1", True)]


def test_launches_are_found_below_loops_conditions_and_fallbacks(monkeypatch: pytest.MonkeyPatch) -> None:
    around: tuple[HostNode, ...] = (
        HostFor(INT, "i", ZERO, N, 1, (ONE_THREAD,)),
        HostIf(N, (ONE_THREAD, PARALLEL)),
        HostLet(INT, "k", N, (HostFor(INT, "i", ZERO, N, 1, (PARALLEL,)),)),
        Fallback("f_stitched0", (ONE_THREAD,)),
    )
    made: Any = counted(monkeypatch, *around)
    assert [type(each) for each in made] == [HostFor, HostIf, HostLet, Fallback]
    assert [type(each) for each in made[1].inner] == [CountedLaunch, CountedLaunch]
    for node in (made[0].inner[0], made[1].inner[0], made[2].inner[0].inner[0], made[3].inner[0]):
        assert isinstance(node, CountedLaunch), node
    assert replace(made[0], inner=around[0].inner) == around[0]  # type: ignore[union-attr]


def test_the_text_is_what_is_emitted_with_a_line_more() -> None:
    copy = file("FOR(i, n) a[i] = b[i];")
    with_points, without = recorded.render_recorded(copy).splitlines(), render(copy).splitlines()
    (at,) = (k for k, line in enumerate(with_points) if "cudacpu_points(" in line)
    assert with_points[at].strip() == 'cudacpu_points("f_parallel0", "f_parallel0", (long long)n, 1);'
    assert [*with_points[:at], *with_points[at + 1 :]] == without
