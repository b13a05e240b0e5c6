"""What launches leave for each other, with its bytes; the picture of them."""

from __future__ import annotations

import pytest

from pencilc.driver import compile_source
from pencilc.frontend import read_source
from pencilc.ir.mapping import leaves, name_of
from pencilc.options import CompileOptions
from pencilc.page.kernels import KernelTable
from pencilc.page.launches import handed_on, launch_picture
from pencilc.page.svg import shortened
from pencilc.page.traffic import NominalTraffic
from pencilc.report.text import bytes_text, three_digits
from tests.conftest import ROOT
from tests.unit.page.pages import mapped

ROW = 2048 * 4  # bytes of an array of one dimension at nominal sizes
UNFUSED = CompileOptions(fuse="none")


def links(body: str, options: CompileOptions = UNFUSED) -> list[tuple[str, str, tuple[tuple[str, int | None], ...]]]:
    program = mapped(body, options)
    return [(each.source, each.target, each.variables) for each in handed_on(program, NominalTraffic(program))]


def test_a_sum_and_what_uses_it() -> None:
    body = "INIT(&b[0], zero); FOR(i, n) UPDATE(&b[0], a[i], add); FOR(i, n) c[i] = a[i] * b[0];"
    assert links(body) == [
        ("caller-in", "f_all0", (("a", ROW),)),
        ("caller-in", "f_parallel1", (("a", ROW),)),
        ("f_all0", "f_parallel1", (("b", 4),)),
        ("f_all0", "caller-out", (("b", 4),)),
        ("f_parallel1", "caller-out", (("c", ROW),)),
    ]


def test_bins_begin_with_their_initialisation() -> None:
    body = "FOR(k, 40) INIT(&h[k], izero); FOR(i, n) UPDATE(&h[p[i]], 1, iadd);"
    found = links(body)
    assert ("f_parallel0", "f_indirect1", (("h", 160),)) in found
    assert ("f_indirect1", "caller-out", (("h", 160),)) in found
    assert not any(target == "caller-out" and source == "f_parallel0" for source, target, _ in found)


def test_what_only_must_wait() -> None:
    body = "INIT(&b[0], zero); FOR(i, n) UPDATE(&b[0], a[i], add); FOR(i, n) a[i] = 1;"
    assert ("f_all0", "f_parallel1", ()) in links(body)


def test_a_sum_for_any_shift_reads_no_exponentials() -> None:
    """The first launch finds the maximum and the sum, so that it needs nothing of the second one, which stores them."""
    source = read_source(str(ROOT / "samples" / "softmax.c"))
    done = compile_source(source, CompileOptions(determinism="fixed-tree"))
    program = next(each for each in done.programs if each.scop.name == "softmax_loops")
    assert program.scop.stands_for, "a sum for any shift"
    found = {(each.source, each.target): each.variables for each in handed_on(program, NominalTraffic(program))}
    first, second = (name_of(item) for item in leaves(program.items))
    assert [name for name, _ in found[first, second]] == ["max", "sum"]
    assert (second, first) not in found
    assert launch_picture(program, NominalTraffic(program)).drawing


def test_a_loop_on_the_host() -> None:
    body = "FOR(t, m) { INIT(&b[0], zero); FOR(i, n) UPDATE(&b[0], a[i], add); FOR(i, n) a[i] += b[0]; }"
    program = mapped(body, UNFUSED)
    shown = launch_picture(program, NominalTraffic(program))
    assert "on the host" in shown.drawing and "#kernel-f_all0" in shown.drawing
    assert [word.split(":")[0] for word in shown.words] == ["1. f_all0", "2. f_parallel1"]
    assert "needs b (4 B) of f_all0" in shown.words[1] and "leaves a (8.19 kB) for the caller" in shown.words[1]


def test_a_loop_that_may_be_one_launch() -> None:
    """The box of the loop leads to the row of the kernel that stands for all that is in it."""
    body = "FOR(t, m) { for (int i = 1; i < n; i++) b[i] = a[i - 1]; for (int i = 1; i < n; i++) a[i] = b[i]; }"
    program = mapped(body)
    traffic = NominalTraffic(program)
    shown = launch_picture(program, traffic)
    assert 'href="#kernel-f_loop0"' in shown.drawing and "or f_loop0: one launch" in shown.drawing
    rows = KernelTable(program, (), traffic, None).rows()
    assert [(row.name, row.depth, bool(row.instead)) for row in rows] == [
        ("f_parallel0", 0, False), ("f_parallel1", 0, False), ("f_loop0", 1, True)
    ]  # fmt: skip
    assert rows[-1].moved is None and "one behind each iteration of t" in rows[-1].limit
    assert "else launches of up to 8 iterations each, in tiles of 2048 elements" in rows[-1].limit
    assert [each.variable for each in rows[-1].touched] == ["a", "b"] and rows[-1].lines == rows[0].lines


def test_more_launches_than_a_picture_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    """They are told in words."""
    monkeypatch.setattr("pencilc.page.launches._MOST", 1)
    body = "INIT(&b[0], zero); FOR(i, n) UPDATE(&b[0], a[i], add); FOR(i, n) c[i] = a[i] * b[0];"
    program = mapped(body, UNFUSED)
    shown = launch_picture(program, NominalTraffic(program))
    assert not shown.drawing and len(shown.words) == 2
    assert shown.left_out == "2 launches are too many for a picture; the list below has all of them."
    assert launch_picture(mapped(""), NominalTraffic(mapped(""))).left_out == "Nothing is launched."


def test_bytes() -> None:
    numbers = (0, 999, 1000, 16_777_216, 999_499, 999_500, 5 * 10**12, None)
    expected = ("0 B", "999 B", "1 kB", "16.8 MB", "999 kB", "1 MB", "5 TB", "unknown")
    assert tuple(map(bytes_text, numbers)) == expected


def test_figures_of_estimates_have_no_exponents() -> None:
    values = (0.0, 0.0082, 0.2812, 16.24, 999.4, 999.6, 1481.2, 2.5e6)
    assert [three_digits(value) for value in values] == [
        "0", "0.0082", "0.281", "16.2", "999", "1,000", "1,480", "2,500,000",
    ]  # fmt: skip


def test_long_texts_are_shortened_between_words() -> None:
    told = "or f_loop0: one launch of all iterations, where each of them has as few points as that"
    assert shortened(told, 40) == "or f_loop0: one launch of … as that"
    assert shortened(told, len(told)) == told
    assert shortened("a_kernel_with_a_very_long_name_all0", 20) == "a_kernel_with…_all0"
