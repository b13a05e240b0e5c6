"""The command line: exit statuses, what is written where, and that nothing is lost."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

SUM = """#include <pencil.h>
static void zero(float *v) { *v = 0; }
static float add(float a, float b) { return a + b; }
float f(int n, const float a[static const restrict n]) {
    float s;
    __pencil_reduction_var_init(&s, zero);
    for (int i = 0; i < n; i++) __pencil_reduction(&s, a[i], add);
    return s;
}
"""
WITH_MAIN = SUM + "int main(void) { float x[2] = {1, 2}; return (int)f(2, x); }\n"


def pencilc(folder: Path, *words: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    """Run the command in `folder`."""
    command = [sys.executable, "-m", "pencilc.cli", *words]
    return subprocess.run(command, cwd=folder, input=stdin, capture_output=True, text=True, check=False)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "s.c").write_text(SUM)
    (tmp_path / "m.c").write_text(WITH_MAIN)
    return tmp_path


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def test_default_output_stands_in_the_current_directory(folder: Path) -> None:
    result = pencilc(folder, "s.c")
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")
    assert names(folder) == {"s.c", "m.c", "s.cu"}


def test_host_file_only_when_there_is_host_code(folder: Path) -> None:
    assert pencilc(folder, "m.c", "-o", "out.cu").returncode == 0
    assert names(folder) == {"s.c", "m.c", "out.cu", "out_host.c"}
    assert "int main(void)" in (folder / "out_host.c").read_text()


def test_same_bytes_keep_the_time_stamp(folder: Path) -> None:
    pencilc(folder, "s.c")
    before = (folder / "s.cu").stat().st_mtime_ns
    pencilc(folder, "s.c")
    assert (folder / "s.cu").stat().st_mtime_ns == before


def test_standard_input_and_output(folder: Path) -> None:
    result = pencilc(folder, "-", "-o", "-", stdin=SUM)
    assert result.returncode == 0
    assert 'extern "C" float f(int n, const float *a)' in result.stdout
    assert names(folder) == {"s.c", "m.c"}


@pytest.mark.parametrize(
    "words",
    [
        ("s.c", "-o", "s.c"),
        ("m.c", "-o", "y.cu", "--host-output", "y.cu"),
        ("m.c", "-o", "y.cu", "--host-output", "./m.c"),
        ("m.c", "-o", "-"),
        ("s.c", "-o", "absent/x.cu"),
        ("s.c", "--arch", "sm_60"),
        ("s.c", "-std=c11"),
        ("s.c", "--nonsense"),
        ("verify", "s.c", "--order=zig"),
        ("verify", "s.c", "--sizes", "n"),
    ],
    ids=" ".join,
)
def test_wrong_usage_is_2_and_changes_nothing(folder: Path, words: tuple[str, ...]) -> None:
    result = pencilc(folder, *words)
    assert result.returncode == 2, result.stderr
    assert "Traceback" not in result.stderr
    assert names(folder) == {"s.c", "m.c"}
    assert (folder / "s.c").read_text() == SUM
    assert (folder / "m.c").read_text() == WITH_MAIN


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (SUM.replace("i < n", "i <"), "PC0001"),
        (SUM.replace("#include <pencil.h>", '#include "absent.h"'), "PC0002"),
        (SUM.replace("__pencil_reduction_var_init(&s, zero);", ""), "PC0201"),
        (SUM.replace("a[i], add", "a[i], sub"), "PC0202"),
        ("int x;\n", "PC0106"),
        ("", "PC0003"),
    ],
)
def test_faults_of_the_source_are_1_located_and_write_nothing(folder: Path, text: str, code: str) -> None:
    (folder / "bad.c").write_text(text)
    result = pencilc(folder, "bad.c", "-o", "bad.cu")
    assert result.returncode == 1
    assert f"error[{code}]" in result.stderr
    assert "bad.c" in result.stderr
    assert "Traceback" not in result.stderr
    assert result.stdout == ""
    assert not (folder / "bad.cu").exists()


def test_unreadable_inputs(folder: Path) -> None:
    (folder / "binary.c").write_bytes(bytes(range(256)))
    for name in ("absent.c", ".", "binary.c"):
        result = pencilc(folder, name)
        assert result.returncode == 1, name
        assert "Traceback" not in result.stderr
    assert names(folder) == {"s.c", "m.c", "binary.c"}


def test_macros_and_preprocessing(folder: Path) -> None:
    (folder / "d.c").write_text(SUM.replace("a[i], add", "a[i] * SCALE, add"))
    result = pencilc(folder, "-E", "-DSCALE=3", "d.c")
    assert result.returncode == 0
    assert "a[i] * 3" in result.stdout
    assert pencilc(folder, "d.c").returncode == 1
    assert "a_element * 3" in pencilc(folder, "d.c", "-DSCALE=3", "-o", "-").stdout


def test_check_and_syntax_only_write_nothing(folder: Path) -> None:
    for words in (("check", "s.c"), ("-fsyntax-only", "s.c"), ("--stop-after=schedule", "s.c")):
        result = pencilc(folder, *words)
        assert (result.returncode, result.stdout) == (0, "")
    assert names(folder) == {"s.c", "m.c"}


@pytest.mark.parametrize("stage", ["source", "scop", "dependences", "schedule", "mapping", "cuda"])
def test_every_stage_can_be_dumped(folder: Path, stage: str) -> None:
    result = pencilc(folder, "s.c", f"--dump-ir={stage}")
    assert result.returncode == 0
    assert result.stdout
    assert names(folder) == {"s.c", "m.c"}


def test_time_and_report_go_to_standard_error(folder: Path) -> None:
    result = pencilc(folder, "s.c", "--time-stages", "--report=text", "-o", "-")
    assert "schedule" in result.stderr
    assert "f_all0" in result.stderr
    assert " ms" not in result.stdout


def test_version_and_include_folder(folder: Path) -> None:
    assert "pencilc" in pencilc(folder, "--version").stdout
    shown = pencilc(folder, "--print-include-dir").stdout.strip()
    assert (Path(shown) / "pencil.h").is_file()


def test_sequential_code_is_told(folder: Path) -> None:
    (folder / "q.c").write_text("""#include <pencil.h>
void q(int n, float a[static const restrict n]) {
#pragma scop
    for (int i = 1; i < n; i++) a[i] = a[i] + a[i - 1];
#pragma endscop
}
""")
    result = pencilc(folder, "q.c")
    assert result.returncode == 0
    assert "warning[PC0701]" in result.stderr
    assert pencilc(folder, "q.c", "-q").stderr == ""
