"""The command line with schedule files."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.unit.test_cli import names, pencilc

PROGRAM = """#include <pencil.h>
void f(int n, float a[static const restrict n], float b[static const restrict n][n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = i;
    for (int i = 1; i < n; i++)
        for (int j = 0; j < n; j++)
            b[i][j] = b[i - 1][j] + a[j];
#pragma endscop
}
"""
SAVED = """schedule of f
  # [i P]{ S0; [i s]{S1} }
  band
    P i: S0 -> i; S1 -> j
    sequence
      S0[i]: a[i] = i;
      band
        s i: S1 -> i_1
        S1[i_1, j]: b[i_1][j] = b[i_1 - 1][j] + a[j];
"""
BROKEN = """error[PC0812]: the schedule breaks a dependence: `S1[1, 0]` runs before `S0[0]`, but it needs the \
value of that
  --> s.txt:6:5
   |
 6 |     S1
   |     ^^
  ::: s.c:6:9
   |
 6 |         a[i] = i;
   |         - S0
  ::: s.c:9:13
   |
 9 |             b[i][j] = b[i - 1][j] + a[j];
   |             - S1
   = note: this is so with n = 2
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "s.c").write_text(PROGRAM)
    return tmp_path


def test_what_is_saved_gives_the_same_bytes(folder: Path) -> None:
    result = pencilc(folder, "s.c", "--save-schedule", "s.txt")
    assert (result.returncode, result.stderr) == (0, "")
    text = (folder / "s.txt").read_text()
    assert text.partition("\n\n")[2] == SAVED
    first = (folder / "s.cu").read_text()
    (folder / "s.cu").unlink()
    result = pencilc(folder, "s.c", "--load-schedule", "s.txt", "-MD")
    assert (result.returncode, result.stderr) == (0, "")
    assert (folder / "s.cu").read_text() == first
    assert " s.txt" in (folder / "s.d").read_text()


def test_a_dependence_that_is_broken_is_told_and_nothing_is_written(folder: Path) -> None:
    (folder / "s.txt").write_text("schedule of f\n band\n  i: S0 -> i; S1 -> j\n  band\n    S1 -> i_1\n    S1\n  S0\n")
    result = pencilc(folder, "s.c", "--load-schedule", "s.txt")
    assert (result.returncode, result.stdout) == (1, "")
    assert result.stderr == BROKEN
    assert names(folder) == {"s.c", "s.txt"}


@pytest.mark.parametrize("command", ["report", "verify"])
def test_other_commands_take_it(folder: Path, command: str) -> None:
    (folder / "s.txt").write_text("schedule of g\n  S0\n")
    result = pencilc(folder, command, "s.c", "--load-schedule", "s.txt")
    assert (result.returncode, result.stdout) == (1, "")
    assert "error[PC0811]: the program has no region `g`" in result.stderr


def test_where_it_is_written(folder: Path) -> None:
    result = pencilc(folder, "s.c", "--save-schedule", "-", "--stop-after=schedule")
    assert result.returncode == 0 and result.stdout.endswith(SAVED)
    assert names(folder) == {"s.c"}
    result = pencilc(folder, "s.c", "--save-schedule", "s.txt", "--dump-ir=schedule")
    assert result.returncode == 0 and names(folder) == {"s.c", "s.txt"}


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--save-schedule", "s.c"], "s.c: the output would overwrite the input"),
        (["--save-schedule", "s.cu"], "s.cu: the schedule and another output would be one"),
        (["--save-schedule", "x", "--stop-after=scop"], "--save-schedule needs the stage 'schedule'"),
        (["--save-schedule", "s.txt", "--load-schedule", "s.txt"], "s.txt: the output would overwrite `s.txt`"),
    ],
)
def test_wrong_usage(folder: Path, words: list[str], message: str) -> None:
    (folder / "s.txt").write_text(SAVED)
    result = pencilc(folder, "s.c", *words)
    assert result.returncode == 2 and message in result.stderr
    assert (folder / "s.txt").read_text() == SAVED and not (folder / "s.cu").exists()


def test_a_file_that_is_not_there(folder: Path) -> None:
    result = pencilc(folder, "s.c", "--load-schedule", "no.txt")
    assert result.returncode == 1
    assert "error[PC0811]: cannot read the schedule file: No such file or directory" in result.stderr
