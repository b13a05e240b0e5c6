"""`pencilc tune` from the source to the file, with a workbench whose times are a formula and with the CPU executor."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from pencilc.diagnostics.diagnostic import SourceErrors
from pencilc.diagnostics.source import SourceFile
from pencilc.driver import compile_source, with_tuning
from pencilc.options import AllLaunch, CompileOptions, Tuning
from pencilc.tune import command, workbench
from pencilc.tune.command import TuneSettings
from pencilc.tune.file import Problem, parse_tuning, read_tuning
from pencilc.tune.measure import Timing
from pencilc.tune.problems import case_of, problems_of
from pencilc.tune.search import BATCH, Sample, SearchLimits
from pencilc.tune.space import VALUES
from pencilc.tune.state import State
from pencilc.tune.workbench import CpuWorkbench
from pencilc.tune.worker import Measured
from pencilc.verify.cases import Case
from pencilc.verify.errors import BuildFailed, InputsError, ToolMissing
from tests.conftest import ROOT, run

SUM = SourceFile("sum.c", (ROOT / "samples" / "sum.c").read_text())
OPTIONS = CompileOptions()


class FakePlace:
    """Blocks of 256 threads with two for each multiprocessor are twice as fast; 1024 threads do not compile."""

    def __init__(self, folder: Path, cases: Sequence[Case], seed: int) -> None:
        self.folder, self.cases = folder, cases
        self.texts: dict[Path, str] = {}
        self.measured = 0

    def build(self, text: str) -> Path:
        path = self.folder / f"{len(self.texts)}.so"
        if "__launch_bounds__(1024" in text:
            raise BuildFailed("nvcc failed", "error: too many registers")
        self.texts[path] = text
        return path

    def seconds(self, text: str) -> float:
        good = re.search(r"__launch_bounds__\(256, \d\) \w+_all0", text) and "2ll * multiprocessors" in text
        return 1e-3 if good else 2e-3

    def measure(self, libraries: Sequence[Path], samples: int) -> list[Measured]:
        self.measured += len(libraries)
        return [
            Measured((Timing((self.seconds(self.texts[path]),) * samples),) * len(self.cases)) for path in libraries
        ]

    def gpu(self) -> Mapping[str, object]:
        return {"name": "Fake", "capability": 90, "multiprocessors": 4, "driver": "13.0"}


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """A space of 24 candidates instead of 128."""
    values = {"threads": (128, 256, 512, 1024), "blocks_per_sm": (1, 2), "in_flight": (1, 2, 4)}
    monkeypatch.setitem(VALUES, AllLaunch, values)


def settings(folder: Path, **more: object) -> TuneSettings:
    return TuneSettings(sizes={"n": (1009,)}, state=folder / "state", plain=True, **more)  # type: ignore[arg-type]


def test_the_best_is_found_and_compile_picks_it_up(tmp_path: Path, small: None) -> None:
    said: list[str] = []
    told: list[str] = []
    tuned = command.tune(SUM, OPTIONS, settings(tmp_path), said.append, FakePlace, told.append)
    assert "sum_all0: built 12 of 12 candidates" in told
    assert any(re.fullmatch(r"sum_all0: measuring \d+ candidates", text) for text in told)
    assert told[-1] == "comparing the best with the start values once more"
    record = json.loads(tuned.file.text())
    assert record["kernels"]["sum_all0"]["parameters"] == {"threads": 256}
    assert record["kernels"]["sum_all0"]["start_us"] == [2000.0]
    assert record["problems"] == [{"function": "sum", "sizes": {"n": 1009}}]
    assert record["gpu"]["name"] == "Fake" and record["version"] == 1
    assert "2000.00 us [2000.00, 2000.00] became 1000.00 us" in tuned.summary
    assert not (tmp_path / "state").exists() and not tuned.interrupted
    assert any("sum_all0: exhaustive, 24 of 24" in line for line in said)
    tuning = parse_tuning(SourceFile("sum.tuning.json", tuned.file.text()))
    cuda = compile_source(SUM, CompileOptions(tuning=tuning)).cuda
    assert "__launch_bounds__(256, 4) sum_all0" in cuda


def test_the_same_results_give_the_same_bytes(tmp_path: Path, small: None) -> None:
    texts = [command.tune(SUM, OPTIONS, settings(tmp_path), lambda _: None, FakePlace).file.text() for _ in range(2)]
    assert texts[0] == texts[1]


def test_ctrl_c_keeps_the_best_and_the_next_run_goes_on(tmp_path: Path, small: None) -> None:
    class Stopping(FakePlace):
        """Ctrl-C comes once, in the second batch; the comparison at the end runs."""

        stopped = False

        def measure(self, libraries: Sequence[Path], samples: int) -> list[Measured]:
            if self.measured and not self.stopped:
                self.stopped = True
                raise KeyboardInterrupt
            return super().measure(libraries, samples)

    said: list[str] = []
    state = tmp_path / "state"
    tuned = command.tune(SUM, OPTIONS, settings(tmp_path), said.append, Stopping)
    assert tuned.interrupted and "interrupted at sum_all0" in "".join(said)
    kept = len(state.read_text().splitlines()) - 1
    assert kept == BATCH
    again = command.tune(SUM, OPTIONS, settings(tmp_path), said.append, FakePlace)
    assert f"resuming: {kept} measurements are known\n" in said
    assert not again.interrupted and not state.exists()
    assert again.file.text() == command.tune(SUM, OPTIONS, settings(tmp_path), said.append, FakePlace).file.text()


def test_a_gain_within_the_noise_is_given_up(tmp_path: Path, small: None) -> None:
    class Noisy(FakePlace):
        def seconds(self, text: str) -> float:
            return 1e-3 if "__launch_bounds__(256" in text else 1.004e-3

    tuned = command.tune(SUM, OPTIONS, settings(tmp_path), lambda _: None, Noisy)
    assert json.loads(tuned.file.text())["kernels"] == {}
    assert tuned.summary == "nothing is faster than the start values\n"


@pytest.mark.full
def test_several_kernels_are_searched_one_after_the_other(tmp_path: Path, small: None) -> None:
    file = SourceFile("srad.c", (ROOT / "samples" / "srad.c").read_text())
    limits = SearchLimits(budget=12, samples=10)
    sizes = {"nr": (16,), "nc": (24,), "niter": (1,)}
    chosen = TuneSettings(sizes=sizes, limits=limits, state=tmp_path / "state", plain=True)
    tuned = command.tune(file, OPTIONS, chosen, lambda _: None, FakePlace)
    assert set(json.loads(tuned.file.text())["kernels"]) == {"srad_all0"}
    tuning = parse_tuning(SourceFile("t", tuned.file.text()))
    assert "__launch_bounds__(256, 4) srad_all0" in compile_source(file, CompileOptions(tuning=tuning)).cuda


def test_on_the_cpu_executor(tmp_path: Path, small: None) -> None:
    """Everything but the GPU: builds, the child process, results compared with those of the start values."""
    limits = SearchLimits(budget=2, samples=2, exhaustive=1)
    tuned = command.tune(SUM, OPTIONS, settings(tmp_path, limits=limits), lambda _: None, CpuWorkbench)
    assert tuned.file.problems == (Problem("sum", (("n", 1009),)),)


def test_a_candidate_that_computes_something_else_is_out(tmp_path: Path) -> None:
    done = compile_source(SUM, OPTIONS)
    (problem,) = problems_of(done.parsed, {"n": (1009,)})
    here = CpuWorkbench(tmp_path, [case_of(done.parsed, problem, {}, 0)], 0)
    broken = done.cuda.replace("*result = total;", "*result = total + 1;")
    assert broken != done.cuda
    start, same, wrong = here.measure([here.build(done.cuda), here.build(done.cuda), here.build(broken)], 2)
    assert not same.reason and len(start.timings[0].seconds) == 2
    assert re.match(r"computes something else: return value: expected .*, got", wrong.reason)


def test_a_child_that_dies_is_told(tmp_path: Path) -> None:
    here = CpuWorkbench(tmp_path, [], 0)
    with pytest.raises(BuildFailed, match="the measuring process failed"):
        here.measure([tmp_path / "missing.so"], 1)


# ---- without a GPU, plans, problems ----------------------------------------------------------------


def test_without_a_gpu(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(workbench, "no_gpu", lambda: "the CUDA driver finds no device")
    with pytest.raises(ToolMissing, match=r"the CUDA driver finds no device; `pencilc tune` measures on a GPU"):
        command.tune(SUM, OPTIONS, settings(tmp_path), lambda _: None)


def test_plan() -> None:
    text = command.plan(SUM, OPTIONS, TuneSettings(plain=True))
    assert text == (
        "problems\n"
        "  sum n=16777216\n"
        "sum_all0 (all): 128 candidates, all of them\n"
        "  threads              128 256 [512] 1024\n"
        "  blocks_per_sm        1 [2] 3 4 8\n"
        "  in_flight            1 2 [4] 8\n"
        "  chunk_bytes          [16] 32\n"
        "[n] is the start value\n"
    )


@pytest.mark.parametrize("name", ["row_sums", "column_sums", "srad", "slambench", "matmul", "triangular", "histogram"])
def test_every_shape_has_a_plan(name: str) -> None:
    file = SourceFile(f"{name}.c", (ROOT / "samples" / f"{name}.c").read_text())
    assert " candidates, " in command.plan(file, OPTIONS, TuneSettings())


@pytest.mark.full
def test_the_plan_of_stitched_kernels() -> None:
    """Both forms have a space; the kernels that stand behind them are searched too, and no figure is fixed."""
    text = command.plan(SourceFile("rows.c", ROWS), OPTIONS, TuneSettings(plain=True))
    assert re.search(r"f_stitched0 \(stitched\): \d+ candidates", text) and "f_row0 (row)" in text
    space = text.split("f_stitched0", 1)[1].split("f_row0")[0]
    assert "warp_lanes           8 [16] 32" in space and "blocks_per_sm        8 [16] 32" in space
    assert "narrow_across" not in space
    columns = SourceFile("columns.c", ROWS.replace("[r][n]", "[n][r]").replace("[k][i]", "[i][k]"))
    text = command.plan(columns, OPTIONS, TuneSettings(plain=True))
    assert "threads              128 256 [512]" in text and "narrow_across        4 [8] 16" in text


ROWS = """#include <pencil.h>
static void zero(float *v) { *v = 0; }
static float add(float a, float b) { return a + b; }
void f(int r, int n, const float a[static const restrict r][n], float y[static const restrict r][n]) {
    for (int k = 0; k < r; k++) {
        float s;
        __pencil_reduction_var_init(&s, zero);
        for (int i = 0; i < n; i++) __pencil_reduction(&s, a[k][i], add);
        for (int i = 0; i < n; i++) y[k][i] = a[k][i] - s;
    }
}
"""


def test_problems() -> None:
    unit = compile_source(SUM, OPTIONS, "source").parsed
    assert problems_of(unit, {"n": (1, 2)}) == (Problem("sum", (("n", 1),)), Problem("sum", (("n", 2),)))
    with pytest.raises(InputsError, match="names 'm'"):
        problems_of(unit, {"m": (1,)})
    with pytest.raises(InputsError, match="9 combinations"):
        problems_of(unit, {"n": tuple(range(1, 10))})


def test_long_inputs_repeat() -> None:
    unit = compile_source(SUM, OPTIONS, "source").parsed
    (problem,) = problems_of(unit, {"n": (200_001,)})
    case = case_of(unit, problem, {}, 0)
    (data,) = [a.data for a in case.arguments if a.is_array]
    assert len(data) == 4 * 200_001
    assert data[: 4 * 2**16] == data[4 * 2**16 : 8 * 2**16] and data[:4096] != data[4096:8192]


# ---- what is kept ----------------------------------------------------------------------------------


def test_state_survives_a_cut_line_and_belongs_to_one_search(tmp_path: Path) -> None:
    path = tmp_path / "state"
    candidate, bad = (("threads", 256),), (("threads", 1024),)
    state = State.open(path, "a")
    state.keep("k", candidate, 21, Sample(0.5, 0.01))
    state.keep("k", bad, 21, Sample(float("inf"), 0.0, "does not compile"))
    with path.open("a") as stream:
        stream.write('{"kernel": "k", "para')
    again = State.open(path, "a")
    failed = Sample(float("inf"), 0.0, "does not compile")
    assert again.known == {"k": {(candidate, 21): Sample(0.5, 0.01), (bad, 21): failed}}
    again.keep("k", candidate, 5, Sample(0.7))
    assert State.open(path, "a").size == 3
    assert State.open(path, "b").size == 0, "another search"
    assert State.open(path, "a").size == 0, "its samples are gone"
    State.open(path, "a").keep("k", candidate, 5, Sample(0.7))
    assert State.open(path, "a", restart=True).size == 0


# ---- the tuning file -------------------------------------------------------------------------------

GOOD = '{"format": "pencilc-tuning", "version": 1, "kernels": {"sum_all0": {"parameters": {"threads": 256}}}}'


def test_a_tuning_file_is_read() -> None:
    assert parse_tuning(SourceFile("t.json", GOOD)) == Tuning((("sum_all0", (("threads", 256),)),))


@pytest.mark.parametrize(
    ("text", "place_", "message"),
    [
        ("{", "t.json:1:2", "the tuning file is no JSON: expecting property name enclosed in double quotes"),
        ("[]", "t.json:1:1", 'the file is no tuning file: it lacks `"format": "pencilc-tuning"`'),
        (GOOD.replace("1,", "2,"), "t.json:1:30", "the tuning file has version 2, but this pencilc reads version 1"),
        (GOOD.replace(': 1, "k', ': 1,\n"k').replace("256", "100"), "t.json:2:41", "`threads` is 100, but must be one"),
        (GOOD.replace("threads", "thread"), "t.json:1:84", "unknown launch parameter `thread`"),
        (GOOD.replace("256", '"a"'), "t.json:1:84", "`threads` must be a whole number"),
        (GOOD.replace("256", "true"), "t.json:1:84", "`threads` must be a whole number"),
        (GOOD.replace('"threads": 256', '"in_flight": 0'), "t.json:1:84", "`in_flight` is 0, but must lie between"),
        (GOOD.replace("parameters", "parameter"), "t.json:1:56", "kernel `sum_all0` has no object `parameters`"),
        (GOOD.replace("kernels", "kernel"), "t.json:1:1", "`kernels` must be an object"),
        ("[" * 100_000, "t.json:1:1", "the tuning file is no JSON: nested too deeply"),
    ],
)  # fmt: skip
def test_a_broken_tuning_file_is_an_error_with_its_place(text: str, place_: str, message: str) -> None:
    with pytest.raises(SourceErrors) as raised:
        parse_tuning(SourceFile("t.json", text))
    (found,) = raised.value.diagnostics
    assert found.code == "PC0801" and found.message.startswith(message)
    assert str(found.span) == place_


def test_every_fault_of_a_tuning_file_is_told() -> None:
    text = GOOD.replace('"threads": 256', '"threads": 1, "acros": 2')
    with pytest.raises(SourceErrors) as raised:
        parse_tuning(SourceFile("t.json", text))
    assert [d.helps for d in raised.value.diagnostics] == [(), ("did you mean `across`?",)]


def test_a_tuning_file_that_is_missing(tmp_path: Path) -> None:
    with pytest.raises(SourceErrors, match="cannot read the tuning file: No such file"):
        read_tuning(str(tmp_path / "no.json"))


@pytest.mark.parametrize(
    "kernel", ["sum_all0", "row_sums_row0", "column_sums_column0", "variance_stitched0", "histogram_indirect1"]
)
def test_the_largest_values_of_everything_compile(kernel: str, nvcc: str, tmp_path: Path) -> None:
    name = kernel.rsplit("_", 1)[0]
    file = SourceFile(f"{name}.c", (ROOT / "samples" / f"{name}.c").read_text())
    plain = compile_source(file, CompileOptions())
    launch = next(k.launch for program in plain.programs for k in program.tunable() if k.name == kernel)
    changes = tuple((parameter, values[-1]) for parameter, values in VALUES[type(launch)].items())
    path = tmp_path / f"{name}.cu"
    path.write_text(compile_source(file, CompileOptions(tuning=Tuning(((kernel, changes),)))).cuda)
    flags = ("-arch=sm_90", "-Werror", "all-warnings", "-c", "-o", tmp_path / "out.o")
    result = run(nvcc, *flags, path)
    assert result.returncode == 0, result.stderr


def test_a_parameter_changes_no_other() -> None:
    """A candidate is what it says: fewer threads leave the number of blocks as it was."""
    done = compile_source(SUM, OPTIONS)
    text = with_tuning(done, Tuning((("sum_all0", (("threads", 128),)),)))
    assert "__launch_bounds__(128, 8) sum_all0" in text and "2ll * multiprocessors" in text
