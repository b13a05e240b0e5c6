"""What long commands say while they work, and at their end."""

from __future__ import annotations

import io
import time
from pathlib import Path

import pytest
from click.testing import CliRunner

from pencilc.cli import main
from pencilc.diagnostics.source import SourceFile
from pencilc.options import CompileOptions
from pencilc.progress import ProgressLine
from pencilc.tune import command as tune
from pencilc.tune.file import KernelResult, TuningFile
from pencilc.verify.command import VerifySettings, verify
from pencilc.verify.program import ProgramRun
from pencilc.verify.report import ReportRow, Status, VerifyReport
from samples.demo import verdict
from tests.unit.python.test_build import SMALL


class Screen(io.StringIO):
    """Text, and whether anything has come."""

    def wait_for(self, text: str) -> None:
        end = time.monotonic() + 10
        while text not in self.getvalue():
            assert time.monotonic() < end, self.getvalue()
            time.sleep(0.005)


def test_a_line_on_a_terminal_is_written_over_and_taken_away() -> None:
    screen = Screen()
    with ProgressLine(screen, is_terminal=True, pace=(0.01, 0.01)) as progress:
        progress.tell("the first")
        screen.wait_for("\r\x1b[Kthe first (0 s)")
        progress.tell("x" * 500)
        screen.wait_for("x" * 20)
        progress.write("result\n")
        screen.wait_for("\x1b[Kresult\n")
        progress.tell("the last")
        screen.wait_for("the last")
    assert screen.getvalue().endswith("\r\x1b[K")
    longest = max(len(line) for line in screen.getvalue().replace("\n", "\r").split("\r"))
    assert longest < 500, "a line that wraps could not be written over"


def test_in_a_log_lines_stay() -> None:
    screen, product = Screen(), io.StringIO()
    with ProgressLine(screen, is_terminal=False, pace=(0.01, 0.01)) as progress:
        progress.tell("half")
        screen.wait_for("half (0 s)\n")
        progress.write("result\n", product)
    assert product.getvalue() == "result\n" and "\r" not in screen.getvalue()


@pytest.mark.parametrize("is_silent", [True, False])
def test_short_work_says_nothing(is_silent: bool) -> None:
    screen = Screen()
    pace = (0.0, 0.0) if is_silent else None
    with ProgressLine(screen, True, is_silent, pace) as progress:
        progress.tell("short")
        time.sleep(0.01)
    assert screen.getvalue() == ""


def test_the_place_is_cleared_when_the_work_fails() -> None:
    screen = Screen()
    with pytest.raises(ValueError, match="fails"), ProgressLine(screen, True, pace=(0.01, 0.01)) as progress:
        progress.tell("work")
        screen.wait_for("work")
        raise ValueError("fails")
    assert screen.getvalue().endswith("\r\x1b[K")


def test_a_verification_tells_what_it_does() -> None:
    told: list[str] = []
    settings = VerifySettings(sizes={"n": (0, 5)}, orders=("fwd",), mode="plain")
    report = verify(SourceFile("small.c", SMALL), CompileOptions(), settings, told.append)
    assert report.ok, report.table()
    kinds = list(dict.fromkeys(text.partition(":")[0] for text in told))
    assert kinds == ["building the sequential program and the generated one", "the sequential program",
                     "building the generated program", "the generated program, threads in order fwd",
                     "comparing the results of order fwd"]  # fmt: skip
    counts = [text for text in told if text.startswith("the generated program")]
    assert all(text.endswith(" of 12 calls") for text in counts)


# ---- what to do next --------------------------------------------------------------------------------


def row(status: Status, order: str = "rev") -> ReportRow:
    return ReportRow("f", (("n", 31), ("m", 3)), "reals", "host", order, status, messages=("said",))


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ((row("ok"),), "`pencilc 'my file.c'` writes the CUDA file"),
        ((row("ok"), row("differs")), "verify --sizes n=31 --sizes m=3 --order=rev 'my file.c'` runs the first"),
        ((row("error", "gpu"),), "--sizes m=3 --on=gpu 'my file.c'`"),
        ((row("fault"), row("ok")), "mend the program where that is told"),
        ((row("skipped"),), "--max-elements"),
    ],
)  # fmt: skip
def test_behind_a_verification(rows: tuple[ReportRow, ...], expected: str) -> None:
    assert expected in VerifyReport(rows).next_step("'my file.c'")


@pytest.mark.parametrize("quiet", [[], ["-q"], ["--json"], ["--error-format=json"]])
def test_the_last_line_is_for_people(quiet: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def found(*_: object) -> VerifyReport:
        return VerifyReport((row("ok"),))

    monkeypatch.setattr("pencilc.verify.command.verify", found)
    (tmp_path / "f.c").write_text(SMALL)
    result = CliRunner().invoke(main, ["verify", str(tmp_path / "f.c"), *quiet])
    assert result.exit_code == 0
    assert result.stderr.startswith("next: `pencilc ") if not quiet else result.stderr == ""
    assert "next:" not in result.stdout


def test_behind_a_search(tmp_path: Path) -> None:
    found = KernelResult("f_all0", (("threads", 128),), (2.0,), (1.0,), (0.1,))
    file = TuningFile("0", "f.c", (), (), (found,))
    beside, other = tmp_path / "f.tuning.json", tmp_path / "other.json"
    path = str(tmp_path / "f.c")
    done = tune.Tuned(file, "", False)
    assert tune.next_step(done, path, beside, True).startswith(f"`pencilc {path}` takes what was found; keep {beside}")
    assert tune.next_step(done, path, other, False).startswith(f"`pencilc {path} --tuning {other}` takes")
    nothing = tune.Tuned(TuningFile("0", "f.c", (), (), ()), "", False)
    assert "a larger --budget" in tune.next_step(nothing, path, beside, True)
    assert "goes on where it stopped" in tune.next_step(tune.Tuned(file, "", True), path, beside, True)


def test_options_that_decide_what_is_compiled_are_said_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def found(*_: object) -> VerifyReport:
        return VerifyReport((row("ok"),))

    monkeypatch.setattr("pencilc.verify.command.verify", found)
    source = tmp_path / "my f.c"
    source.write_text(SMALL)
    given = ["-Iinc", "-isystem", "a b", "-DN=3", "-std=c11", "--fuse=none", "-fassociative-math", "--seed=3"]
    result = CliRunner().invoke(main, ["verify", *given, str(source)])
    again = f"-Iinc -isystem 'a b' -DN=3 -std=c11 -fassociative-math --fuse=none '{source}'"
    assert result.stderr.startswith(f"next: `pencilc {again}` writes the CUDA file, `pencilc report {again}` tells")


def test_the_demo_says_what_it_means() -> None:
    assert verdict(ProgramRun("x 1.5", "x 1.5", ()), 1e-5) == "same"
    assert verdict(ProgramRun("x 4977.843", "x 4977.85", ()), 1e-5) == "within tolerance (1e-05)"
    assert verdict(ProgramRun("x 1", "x 2", ("line 1",)), 1e-5) == "DIFFERENT"
