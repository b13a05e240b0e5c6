"""The schedule tree, the table of kernels, what was not done, and the two listings."""

from __future__ import annotations

import pytest

from pencilc.codegen.render import render_with_places
from pencilc.diagnostics.source import SourceFile
from pencilc.options import CompileOptions
from pencilc.page.counted import CountedRegisters, plain_name, registers_told
from pencilc.page.kernels import KernelTable, RegionTraffic
from pencilc.page.listing import Anchors, highlighted, lines_of, listing
from pencilc.page.traffic import NominalTraffic
from pencilc.page.tree import ShownNode, shown_tree, size_of_tree
from pencilc.page.undone import left_to_host, not_done, warned
from tests.unit.page.pages import compiled, mapped
from tests.unit.records import HEAD, ROW_SUMS

SUM = "INIT(&b[0], zero); FOR(i, n) UPDATE(&b[0], a[i], add);"
SCALED = SUM + " FOR(i, n) c[i] = a[i] * b[0];"


def table(body: str, counted: dict[str, CountedRegisters] | None = None, **options: str) -> KernelTable:
    done = compiled(body, CompileOptions(**options))  # type: ignore[arg-type]
    assert done.kernels is not None
    (program,) = done.programs
    return KernelTable(program, done.kernels.kernels, NominalTraffic(program), counted)


def leaves_of(node: ShownNode) -> list[ShownNode]:
    return [node] if node.kind == "statement" else [leaf for child in node.children for leaf in leaves_of(child)]


def test_the_tree() -> None:
    tree = shown_tree(mapped(ROW_SUMS))
    assert tree.kind == "band" and [(row.flag, row.name) for row in tree.rows] == [("P", "i")]
    update, merge = leaves_of(tree)
    first = HEAD.count("\n") + 1
    assert (update.line, update.launch) == (first, "f_row0")
    assert update.text == "__pencil_reduction(&a[i], x[i][j], add);"
    assert merge.text == "a is complete"
    assert size_of_tree(tree) == 5


def test_a_row_of_the_table() -> None:
    (row,) = table(SUM).rows()
    assert (row.name, row.depth, row.threads, row.registers_told) == ("f_all0", 0, "512", "estimated")
    assert row.registers.startswith("about ")
    assert row.moved == row.least == 2048 * 4 + 4
    assert row.limit.startswith("the launch: 2.5 µs of ")
    assert [(each.variable, each.read, each.written) for each in row.touched] == [("b", 0, 4), ("a", 8192, 0)]


def test_what_runs_in_its_place() -> None:
    rows = table("FOR(i, n) { float s; INIT(&s, zero); FOR(j, m) UPDATE(&s, x[i][j], add);"
                 " FOR(j, m) y[i][j] = x[i][j] / s; }").rows()  # fmt: skip
    assert [(row.name, row.depth) for row in rows] == [("f_stitched0", 0), ("f_row0", 1), ("f_parallel1", 1)]
    assert rows[0].moved == rows[0].least == 2 * 2048 * 2048 * 4
    assert rows[0].limit.startswith("the bandwidth of memory")
    assert rows[0].registers == "no estimate"


def test_temporaries_are_above_the_least() -> None:
    of_region = table(SCALED, fuse="none")
    found = of_region.total(of_region.rows())
    assert (found.moved, found.least) == (3 * 8192 + 8, 2 * 8192 + 4)
    assert found.text == "24.6 kB moved, 50.0% above the least possible (16.4 kB)"
    assert round(found.share) == 67


@pytest.mark.parametrize(
    ("traffic", "text", "share"),
    [
        (RegionTraffic(0, 0), "nothing is moved at nominal sizes", 100),
        (RegionTraffic(None, 5), "isl takes too long to count the bytes of this region", 100),
        (RegionTraffic(1000, 1000), "1 kB moved, which is the least possible (1 kB)", 100),
        (RegionTraffic(10, 0), "10 B moved, above the least possible (0 B)", 0),
    ],
)
def test_totals(traffic: RegionTraffic, text: str, share: float) -> None:
    assert (traffic.share, traffic.text) == (share, text)


def test_one_thread() -> None:
    rows = table("FOR(i, n) a[i] = i > 0 ? a[i - 1] * b[i] + c[i] : 0;").rows()
    assert any(row.limit.startswith("one thread") for row in rows)


def test_counted_registers_say_so() -> None:
    (row,) = table(SUM, {"f_all0": CountedRegisters(40, 40, 8)}).rows()
    assert (row.registers, row.registers_told) == ("40, 8 bytes spilled", "counted by nvcc")
    (row,) = table(SUM, {"f_all0": CountedRegisters(255, 255, 0)}).rows()
    assert "registers limit it" in row.resident
    (row,) = table(SUM, {}).rows()
    assert (row.registers, row.registers_told) == ("no function of its own", "")


def test_what_ptxas_says() -> None:
    text = """ptxas info    : Compiling entry function '_Z9f_row0_xyILi32ELi1EEvii' for 'sm_90'
ptxas info    : Function properties for _Z9f_row0_xyILi32ELi1EEvii
    0 bytes stack frame, 12 bytes spill stores, 8 bytes spill loads
ptxas info    : Used 40 registers, used 1 barriers
ptxas info    : Compiling entry function '_Z9f_row0_xyILi32ELi8EEvii' for 'sm_90'
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 71 registers
ptxas info    : Compiling entry function '_Z5otherv' for 'sm_90'
ptxas info    : Used 8 registers
"""
    assert registers_told(text, ["f_row0_xy", "f_row0"]) == {"f_row0_xy": CountedRegisters(40, 71, 12)}
    assert plain_name("_ZN39_GLOBAL__N__x2f12Ei", {"f1"}) == "f1"
    assert plain_name("_Z3f12v", {"f12"}) == "f12" and plain_name("_Z3f12v", {"f1"}) == ""


def test_not_done() -> None:
    done = compiled(SCALED, CompileOptions(sums="kahan"))
    (program,) = done.programs
    found = not_done(program, done.candidates[0])
    assert [each.what for each in found] == ["no kernels are fused"]
    done = compiled("FOR(i, n) b[0] += a[i];")
    (program,) = done.programs
    told = {each.what: each for each in not_done(program, done.candidates[0])}
    refused = told["the update of b[0] is no reduction"]
    assert "float" in refused.why or "round" in refused.why
    assert any("-fassociative-math" in way for way in refused.helps)
    assert refused.line == HEAD.count("\n") + 1
    (warning,) = warned(done.diagnostics)
    assert warning.code == "PC0701"
    assert left_to_host(("g",))[0].what == "g is left to the host"


def test_lines_know_each_other() -> None:
    done = compiled(ROW_SUMS)
    assert done.kernels is not None
    placed = render_with_places(done.kernels)
    path = done.file.path
    shown = listing(done, placed, {path: done.file}, Anchors([path]))
    first = HEAD.count("\n") + 1
    source = {line.number: line for block in shown.sources[0].blocks for line in block.lines}
    assert sorted(source) == list(range(1, done.file.text.count("\n") + 1))
    cuda = [line for block in shown.cuda for line in block.lines]
    assert [line.number for line in cuda] == list(range(1, done.cuda.count("\n") + 1))
    linked = [line for line in cuda if line.source]
    assert linked and {line.source for line in linked} == {f"f0-{first}"}
    assert source[first].partner in {line.anchor for line in linked}
    assert {line.tone for line in linked} == {source[first].tone}
    titles = [block.title for block in shown.cuda]
    assert "f_row0_blocks" in titles and "f: entry points and launches" in titles
    assert next(block for block in shown.cuda if block.title == "f_row0_blocks").is_open


def test_what_is_no_character_is_none_in_the_page() -> None:
    assert lines_of("a\tb\r\n\x01\udcff\n") == ["a   b", "\ufffd\ufffd"]


def test_highlighting_escapes_and_goes_over_lines() -> None:
    text = ["#include <a.h>", "int x = a<b; // <i>", "/* a", 'int */ "/*" char', "x /* y */ z"]
    assert list(highlighted(text)) == [
        '<i class="directive">#include &lt;a.h&gt;</i>',
        '<i class="keyword">int</i> x = a&lt;b; <i class="comment">// &lt;i&gt;</i>',
        '<i class="comment">/* a</i>',
        '<i class="comment">int */</i> <i class="string">&#34;/*&#34;</i> <i class="keyword">char</i>',
        'x <i class="comment">/* y */</i> z',
    ]


def test_a_file_that_cannot_be_shown_is_named() -> None:
    done = compiled(ROW_SUMS)
    assert done.kernels is not None
    other = SourceFile("other.c", "int x;\n")
    shown = listing(done, render_with_places(done.kernels), {"other.c": other}, Anchors(["other.c"]))
    assert shown.left_out == ("f.c",)
