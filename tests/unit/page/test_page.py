"""The whole page: its bytes, that it needs nothing from outside, how it is asked for."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path

import pytest
from click.testing import CliRunner

from pencilc.cli import main
from pencilc.diagnostics.source import SourceFile
from pencilc.driver import compile_source
from pencilc.options import CompileOptions
from pencilc.page.page import coded
from tests.conftest import ROOT
from tests.unit.page.pages import compiled, page_of
from tests.unit.records import ROW_SUMS

_VOID = {"meta", "link", "br", "input", "img", "hr"}
_ROWS = ROOT / "samples" / "row_sums.c"


class _Balanced(HTMLParser):
    """Notes elements that are closed by others, ids and links."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.faults: list[str] = []
        self.ids: Counter[str] = Counter()
        self.links: set[str] = set()
        self.outside: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in _VOID:
            self.open.append(tag)
        for name, value in attrs:
            if name == "id" and value:
                self.ids[value] += 1
            elif name == "href" and value and value.startswith("#"):
                self.links.add(value[1:])
            elif name in ("href", "src", "srcset", "data", "action", "poster") and value != "data:,":
                self.outside.append(f"{tag} {name}={value}")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in _VOID:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.faults.append(f"</{tag}> at {self.getpos()}")


def parsed(page: str) -> _Balanced:
    found = _Balanced()
    found.feed(page)
    found.close()
    return found


@pytest.mark.parametrize(
    "body",
    [
        ROW_SUMS,
        "FOR(t, m) { INIT(&b[0], zero); FOR(i, n) UPDATE(&b[0], a[i], add); FOR(i, n) a[i] += b[0]; }",
        "FOR(k, 40) INIT(&h[k], izero); FOR(i, n) UPDATE(&h[p[i]], 1, iadd);",
        "FOR(i, n) b[0] += a[i]; /* </script><b> & */",
        "if (n > 3) b[0] = 1;",
        "FOR(i, n) { int k = 0; while (k < p[i]) k += 2; q[i % 7] = k; }",
        "",
    ],
)
def test_the_page_is_whole(body: str) -> None:
    page = page_of(compiled(body))
    found = parsed(page)
    assert not found.faults and not found.open and not found.outside
    assert not found.links - set(found.ids)
    assert [name for name, count in found.ids.items() if count > 1] == []
    assert page == page_of(compiled(body))
    assert "url(" not in page and "@import" not in page and not re.search(r"https?://", page)
    assert page.isprintable() or set(page) - {"\n"} <= {c for c in page if c.isprintable()}


def test_text_of_the_source_is_text() -> None:
    page = page_of(compiled("FOR(i, n) b[0] += a[i]; /* </script><b> & */"))
    assert "&lt;/script&gt;&lt;b&gt; &amp;" in page and page.count("</script>") == 1


def test_options_are_told_and_paths_are_not() -> None:
    page = page_of(compiled(ROW_SUMS, CompileOptions(fuse="none", include_dirs=("/some/where",))))
    assert "fuse: none" in page and "/some/where" not in page and "folder/" not in page


def test_options_are_told_as_the_command_line_has_them(tmp_path: Path) -> None:
    schedule = SourceFile(str(tmp_path / "hand.schedule"), "schedule of f\n  source order\n")
    text = "FOR(i, n) b[i] = a[i];"
    page = page_of(compiled(text, CompileOptions(sizes=(("n", 100), ("m", 3)), autodetect=True)))
    assert "sizes: n=100, m=3" in page and "autodetect: yes" in page
    page = page_of(compiled(text, CompileOptions(schedule=schedule)))
    assert "schedule: hand.schedule" in page and "source order" not in page and str(tmp_path) not in page


def test_tiles_are_told_as_the_command_line_has_them(tmp_path: Path) -> None:
    target = tmp_path / "page.html"
    gemm = ROOT / "samples" / "polybench" / "gemm.c"
    assert report(gemm, "--html", target, "--tile", "gemm_parallel0:tile=32,32") == (0, "")
    assert "tiles: gemm_parallel0:tile=32,32" in target.read_text()


def test_lines_of_two_regions_with_one_kernel_lead_to_it() -> None:
    one = "static void zero(float *s) { *s = 0; }\nstatic float add(float a, float b) { return a + b; }\n"
    for name in ("first", "second"):
        one += (
            f"float {name}(int n, const float {name}_x[static const restrict n]) {{\n  float sum;\n"
            "  __pencil_reduction_var_init(&sum, zero);\n  for (int i = 0; i < n; i++)\n"
            f"    __pencil_reduction(&sum, {name}_x[i], add);\n  return sum;\n}}\n"
        )
    page = page_of(compile_source(SourceFile("f.c", "#include <pencil.h>\n" + one), CompileOptions()))
    targets = re.findall(r'data-s="f0-\d+"><a class="n" href="#(c\d+)"', page)
    lit = dict(re.findall(r'id="f0-(\d+)" data-s="f0-(\d+)"', page))
    assert lit == {"6": "6", "8": "8", "9": "9", "13": "6", "15": "8", "16": "9"}
    assert len(targets) >= 6 and targets[:3] == targets[3:6], "both lead to the lines of the one kernel"


@pytest.mark.full
def test_lines_lead_to_what_is_launched_and_not_to_what_stands_in_for_it() -> None:
    """The elements of `softmax_loops` are done by the kernels of `softmax`; only where these do not fit by its own."""
    path = ROOT / "samples" / "softmax.c"
    text = path.read_text()
    page = page_of(compile_source(SourceFile("softmax.c", text), CompileOptions()))
    lines = text.split("\n")
    own = {line.strip(): number for number, line in enumerate(lines[51:72], 52)}
    lit = dict(re.findall(r'id="f0-(\d+)" data-s="f0-(\d+)"', page))
    for elements in ("e[i][j] = expf(x[i][j] - max[i]);", "y[i][j] = e[i][j] / sum[i];"):
        assert int(lit[str(own[elements])]) < 52, elements


def test_messages_with_code() -> None:
    assert coded("`a < b` & c") == "<code>a &lt; b</code> &amp; c"
    assert coded("one ` quote") == "one ` quote"


def report(*words: str | Path) -> tuple[int, str]:
    result = CliRunner().invoke(main, ["report", *map(str, words)])
    return result.exit_code, result.output


def test_the_command(tmp_path: Path) -> None:
    target = tmp_path / "page.html"
    assert report(_ROWS, "--html", target) == (0, "")
    page = target.read_text()
    assert page.startswith("<!DOCTYPE html>") and str(ROOT) not in page and str(tmp_path) not in page
    before = target.stat().st_mtime_ns
    assert report(f"--html={target}", _ROWS)[0] == 0
    assert target.stat().st_mtime_ns == before, "the bytes are the same, so the file is not written again"
    assert "for sm_80, as A100" in report(_ROWS, "--html", "-", "--arch", "sm_80")[1]


def test_the_same_bytes_for_every_hash_seed() -> None:
    """Another process, another seed, another way to name the file."""
    command = [sys.executable, "-m", "pencilc", "report", "samples/row_sums.c", "--html", "-"]
    environment = {**os.environ, "PYTHONHASHSEED": "1"}
    result = subprocess.run(command, capture_output=True, check=True, cwd=ROOT, env=environment)
    assert report(_ROWS, "--html", "-") == (0, result.stdout.decode())


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--json", "--html", "x.html"), "give one of them"),
        (("--nvcc",), "--nvcc needs --html"),
        (("--traffic",), "--traffic needs --html"),
        (("--html", "x.html", "--sizes", "n=3"), "needs --traffic"),
        (("--html", str(_ROWS)), "would overwrite the input"),
        (("--html", "no/such/folder/x.html"), "cannot write"),
        (("--html", "x.html", "--arch", "sm_1"), "is the least"),
    ],
)
def test_wrong_usage(words: tuple[str, ...], said: str) -> None:
    before = _ROWS.read_bytes()
    status, output = report(_ROWS, *words)
    assert status == 2 and said in output
    assert _ROWS.read_bytes() == before and not Path("x.html").exists()


def test_faults_of_the_source_leave_no_page(tmp_path: Path) -> None:
    source, target = tmp_path / "f.c", tmp_path / "f.html"
    source.write_text("void f(float a[static const restrict 3]) {\n#pragma scop\n  a[0] = x;\n#pragma endscop\n}\n")
    status, _ = report(source, "--html", target)
    assert status == 1 and not target.exists()


def test_nvcc_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NVCC", "no-such-nvcc")
    status, output = report(_ROWS, "--html", tmp_path / "f.html", "--nvcc")
    assert status == 5 and "'no-such-nvcc' is not installed" in output
    assert not (tmp_path / "f.html").exists()


@pytest.mark.full
def test_nvcc_counts(tmp_path: Path, nvcc: str) -> None:
    target = tmp_path / "f.html"
    assert report(_ROWS, "--html", target, "--nvcc")[0] == 0
    page = target.read_text()
    assert "counted by nvcc" in page and "no function of its own" not in page


@pytest.mark.full
def test_traffic_is_counted(tmp_path: Path) -> None:
    target = tmp_path / "f.html"
    assert report(ROOT / "samples" / "sum.c", "--html", target, "--traffic", "--sizes", "n=1000")[0] == 0
    page = target.read_text()
    assert "Traffic as counted" in page and "n=1000: 1 launch" in page
    status, output = report(ROOT / "samples" / "sum.c", "--html", target, "--traffic", "--sizes", "nn=1")
    assert status == 2 and "no integer parameter" in output
