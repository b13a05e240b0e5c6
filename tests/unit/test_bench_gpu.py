"""bench/gpu without a GPU: the references, the checks on the CPU executor, the tables, and the end without a device."""

from __future__ import annotations

import csv
import ctypes
import importlib.util
import io
import itertools
import math
import re
import struct
import sys
import time
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from bench.gpu import __main__ as command
from bench.gpu import build, cases, plots, report
from bench.gpu.records import At, Call, Case, Contender, Download, Int, Verdict
from bench.gpu.reference import Reference
from bench.gpu.session import CEILING, FLOOR, Libraries, Result, Session
from pencilc.tune.device import Device, DeviceInfo
from pencilc.tune.measure import Plan, Rival, Timing, interleaved
from tests.conftest import ROOT, run

CPU_PLAN = Plan(samples=10, warmups=0, queued=False)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("bench")


@pytest.fixture(scope="module")
def reference(folder: Path) -> Reference:
    return Reference.load(build.build_reference(folder))


@pytest.fixture(scope="module")
def generated() -> build.Generated:
    return build.generate()


_SESSIONS: dict[str, Session] = {}


def session(case: Case, generated: build.Generated, folder: Path) -> Session:
    """The session of the case's source, made once: its libraries live as long as the process."""
    if case.source not in generated.texts:
        pytest.skip(generated.reasons[case.source])
    if case.source not in _SESSIONS:
        _SESSIONS[case.source] = command.cpu_session(case.source, generated.texts[case.source], folder)
    return _SESSIONS[case.source]


def some_cases(reference: Reference | None) -> list[Case]:
    """One small case of every kind; the check is not called where `reference` is None."""
    made = reference or Reference(ctypes.CDLL(None))
    return [*cases.checks(made), cases.sum_case(cases.BY_NAME["float"], 64, 0, made, "latency")]


@pytest.mark.parametrize("source", sorted({case.source for case in some_cases(None)}))
def test_pencilc_is_right_and_a_wrong_result_is_noticed(
    source: str, reference: Reference, generated: build.Generated, folder: Path
) -> None:
    """Every case of the source; then again with one bit of the result flipped before it is checked."""
    for case in some_cases(reference):
        if case.source != source:
            continue
        (ours,) = [r for r in session(case, generated, folder).run(case, None) if r.contender == "pencilc"]
        assert ours.status == "ok", ours
        (ours,) = [r for r in session(case, generated, folder).run(spoiled(case), None) if r.contender == "pencilc"]
        assert ours.status == "wrong", ours


def spoiled(case: Case) -> Case:
    """The case with the result changed behind the contender's back."""

    def check(download: Download) -> Verdict:
        def other(name: str) -> bytes:
            data = bytearray(download(name))
            data[3] ^= 0x40  # of the first value: an exponent bit of a float, a high bit of an int
            return bytes(data)

        return case.check(other)

    return replace(case, check=check)


@pytest.mark.full
def test_stencils_are_right(tmp_path: Path) -> None:
    """In a process of its own: glibc keeps no more room for variables of threads than the other libraries take."""
    code = f"""from pathlib import Path
from bench.gpu import __main__ as command, build, cases
from bench.gpu.reference import Reference
folder = Path({str(tmp_path)!r})
reference = Reference.load(build.build_reference(folder))
source = "bench/gpu/kernels/stencils.c"
session = command.cpu_session(source, build.generate([source]).texts[source], folder)
for what, steps, n in (("jacobi", 3, 37), ("heat", 2, 19), ("jacobi", 0, 5)):
    case = cases.stencil_case(what, steps, n, reference)
    print(*(r.status for r in session.run(case, None) if r.contender == "pencilc"))
"""
    done = run(sys.executable, "-c", code, cwd=ROOT)
    assert done.stdout.split() == ["ok"] * 3, done.stdout + done.stderr


def test_inputs_are_what_the_formulas_say(reference: Reference, generated: build.Generated, folder: Path) -> None:
    """The sum of what the device was given, taken in Python, is what the reference says."""
    for name, letter in (("float", "f"), ("double", "d"), ("int64", "q"), ("int8", "b")):
        case = cases.sum_case(cases.BY_NAME[name], 1009, 0, reference)
        here = session(case, generated, folder)
        seen: list[float] = []

        def look(download: Download, letter: str = letter, seen: list[float] = seen) -> Verdict:
            seen.extend(struct.unpack(f"<1009{letter}", download("a")))
            return Verdict(0.0, 0.0)

        here.run(replace(case, check=look, contenders=case.contenders[:1]), None)
        real, whole = ctypes.c_double(), ctypes.c_longlong()
        reference.library.reference_sums(
            int(cases.BY_NAME[name].kind), ctypes.c_longlong(1009), 1, 0, ctypes.byref(real), ctypes.byref(whole)
        )
        assert math.fsum(seen) == pytest.approx(real.value, rel=1e-14)
        assert len(set(seen)) > 50


def test_a_wrong_contender_is_not_timed(reference: Reference, generated: build.Generated, folder: Path) -> None:
    case = cases.sum_case(cases.BY_NAME["float"], 1009, 0, reference, "latency")
    source = case.source
    short = Contender("too short", (Call(source, "sum_float_device", (Int(1000), At("a"), At("out"))),))
    found = session(case, generated, folder).run(replace(case, contenders=(*case.contenders, short)), CPU_PLAN)
    by_name = {result.contender: result for result in found}
    assert by_name["too short"].status == "wrong" and by_name["too short"].timing is None
    assert by_name["CUB"].status == "not built"
    assert by_name["torch"].status == "not on the CPU"
    for name in ("pencilc", "pencilc, graph", FLOOR, CEILING):
        timing = by_name[name].timing
        assert timing is not None and len(timing.seconds) == 10
    assert by_name["pencilc"].bytes == 4036
    text = report.table(found)
    assert "too short              wrong (error" in text and "pencilc, graph" in text
    assert report.wrong(found) == [by_name["too short"]]


# ---- tables and plots ------------------------------------------------------------------------------


def results(reference: Reference) -> list[Result]:
    case = cases.sum_case(cases.BY_NAME["float"], 2**20, 0, reference)
    fast, slow = Timing((1e-3,) * 10), Timing((2e-3,) * 10)
    return [
        Result(case, "pencilc", "ok", Verdict(1e-8, 1e-7), slow, 2**22),
        Result(case, "CUB", "not built"),
        Result(case, CEILING, "ok", None, fast, 2**22),
    ]


def test_rows_of_the_csv(reference: Reference, tmp_path: Path) -> None:
    console = io.StringIO()
    output = report.Output(tmp_path, console)
    output.add(results(reference))
    output.close()
    with (tmp_path / "results.csv").open(newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert tuple(rows[0]) == report.COLUMNS
    assert rows[0]["median_us"] == "2000.000" and rows[0]["of_ceiling"] == "0.5000"
    assert rows[1]["status"] == "not built" and rows[1]["median_us"] == ""
    assert (tmp_path / "table.txt").read_text() == console.getvalue()
    assert plots.curves(rows)["sum sum float"] == {"pencilc": [(2**22, 2.1)], CEILING: [(2**22, 4.19)]}


def test_best_parameters(reference: Reference) -> None:
    case = next(cases.paper(reference))
    assert len(case.contenders) > 40
    times = {"pencilc 256x2": 1e-5, "pencilc 512x1": 2e-5, "pencilc": 0.5e-5, "CUB": 0.1e-5}
    found = [Result(case, name, "ok", None, Timing((t,) * 10), 2**24) for name, t in times.items()]
    text = report.best_parameters(found)
    assert re.search(r"sum int32 n=4194304 members=1 +256x2 +10\.00 us +1677\.7 GB/s", text)
    assert report.best_parameters([]) == ""


def test_variants_of_the_search_differ_in_their_launch(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cases, "SEARCHED", ((64, 3), (1024, 2)))
    monkeypatch.setattr(cases, "SEARCHED_SOURCES", ("bench/gpu/kernels/two.c",))
    texts = build._variants()
    assert [build.file_of(name) for name in texts] == ["two_64x3.cu", "two_1024x2.cu"]
    small, large = texts.values()
    assert small.count("__launch_bounds__(64, ") == 3 and "3ll * multiprocessors" in small
    assert large.count("__launch_bounds__(1024, ") == 3 and "2ll * multiprocessors" in large


def test_long_rows_are_measured_as_written_too(reference: Reference, generated: build.Generated) -> None:
    (name,) = (n for n in generated.texts if n.endswith("softmax.c@as-written"))
    assert build.file_of(name) == "softmax_as-written.cu"
    assert "pencilc_exp_sum" in generated.texts["bench/gpu/kernels/softmax.c"]
    assert "pencilc_exp_sum" not in generated.texts[name]
    contenders = [c.name for c in cases.norm_case("softmax", 64, 262144, reference).contenders]
    assert contenders[:2] == ["pencilc", "pencilc as written"]
    assert "pencilc as written" not in [c.name for c in cases.norm_case("softmax", 64, 1024, reference).contenders]


def test_every_case_is_well_formed(reference: Reference) -> None:
    """Sources exist, arguments name buffers, and every pencilc call names an entry point of its source."""
    for group in cases.GROUPS.values():
        for case in group(reference):
            names = {buffer.name for buffer in case.buffers}
            text = (ROOT / case.source).read_text()
            for contender in case.contenders:
                for call in contender.calls:
                    assert {a.buffer for a in call.arguments if isinstance(a, At)} <= names, case.label
                    if contender.name.startswith("pencilc"):
                        assert f"{call.symbol.removesuffix('_device')}(" in text
                    else:
                        assert call.library in build.PEERS
                        assert _defines((build.NATIVE / f"{call.library}.cu").read_text(), call.symbol), call.symbol


def _defines(text: str, symbol: str) -> bool:
    """Whether a peer's source defines the symbol, perhaps through a macro that appends the type."""
    words = symbol.split("_")
    stems = ["_".join(words[:k]) for k in range(len(words), 1, -1)]
    return any(f"{stem}(" in text or f"{stem}_##name(" in text or "cub_sum_struct##size(" in text for stem in stems)


def test_problems_are_not_repeated(reference: Reference) -> None:
    for group in cases.GROUPS.values():
        labels = [case.label for case in group(reference)]
        assert len(labels) == len(set(labels))


def test_sizes_of_the_contract(reference: Reference) -> None:
    sizes = {case.problem["n"] for case in cases.sums(reference) if case.type == "float"}
    assert {2**k for k in range(10, 31, 2)} <= sizes
    bins = {case.problem["bins"] for case in cases.histograms(reference)}
    assert (min(bins), max(bins)) == (16, 2**20)


# ---- the command -----------------------------------------------------------------------------------


def test_without_a_gpu(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(command, "no_gpu", lambda: "the CUDA driver finds no device")
    assert command.main([]) == 5
    said = capsys.readouterr()
    assert "the CUDA driver finds no device; nothing was measured" in said.err and said.out == ""


def test_without_nvcc(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(command, "no_gpu", lambda: "")
    monkeypatch.setattr("shutil.which", lambda name: None if "nvcc" in name else f"/usr/bin/{name}")
    assert command.main([]) == 5
    assert "nvcc is not installed" in capsys.readouterr().err


@pytest.mark.parametrize("words", [["--groups", "sum,nothing"], ["--samples", "9"]])
def test_wrong_usage(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        command.main(words)
    assert end.value.code == 2
    assert words[0] in capsys.readouterr().err


def test_a_peer_that_does_not_compile_costs_only_itself(tmp_path: Path) -> None:
    good, bad = tmp_path / "good.cu", tmp_path / "bad.cu"
    for source in (good, bad):
        source.write_text("")
    compiler = tmp_path / "nvcc"
    compiler.write_text(
        '#!/bin/sh\ncase "$*" in *bad*) echo "bad.cu(1): error: no" >&2; exit 1;; esac\n'
        'for word; do last=$word; done\n: > "$last"\n'
    )
    compiler.chmod(0o755)
    built = build.compile_each(str(compiler), "sm_90", {"good": good, "bad": bad}, tmp_path)
    assert built["bad"] == "nvcc failed on bad.cu: bad.cu(1): error: no"
    assert isinstance(built["good"], Path) and built["good"].is_file()
    compiler.write_text("#!/bin/sh\nexit 1\n")  # What was built is not built again; what has changed is.
    assert build.compile_each(str(compiler), "sm_90", {"good": good}, tmp_path) == {"good": built["good"]}
    good.write_text("other")
    assert isinstance(build.compile_each(str(compiler), "sm_90", {"good": good}, tmp_path)["good"], str)


def test_carried_files_are_read_where_pencilc_cannot_run(
    generated: build.Generated, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(build, "can_generate", lambda: False)
    monkeypatch.setattr(build, "GENERATED", tmp_path / "carried")
    with pytest.raises(build.ToolMissing, match="bench-gpu-pack"):
        build.generate()
    build.carry(generated, tmp_path / "carried")
    assert build.generate() == generated


def test_the_package_needs_nothing_but_python(tmp_path: Path) -> None:
    """The files of `make bench-gpu-pack` run without site-packages: they import neither pencilc's stages nor islpy."""
    words = (ROOT / "Makefile").read_text().split("tar czf", 1)[1].split("\n")[1].split()
    assert words == ["bench/gpu", "pencilc/__init__.py", "pencilc/records.py", "pencilc/tune"]
    assert run("tar", "cf", tmp_path / "pack.tar", *words, cwd=ROOT).returncode == 0
    assert run("tar", "xf", "pack.tar", cwd=tmp_path).returncode == 0
    listed = run(sys.executable, "-S", "-m", "bench.gpu", "--list", "--groups", "paper", cwd=tmp_path)
    assert listed.returncode == 0, listed.stderr
    assert listed.stdout.startswith("sum int32 n=4194304 members=1: pencilc, CUB, Thrust, torch")


# ---- the whole command with a device whose times are made up ---------------------------------------


class MadeUp:
    """A session in which pencilc takes the time of its bytes and everybody else twice as long; nothing is run."""

    def __init__(self, device: Device, libraries: object, torch: object, why_no_torch: str) -> None:
        self.device = device
        self.seen: list[tuple[str, bool]] = []
        MadeUp.last = self

    last: MadeUp

    def run(self, case: Case, plan: Plan | None) -> list[Result]:
        self.seen.append((f"{case.group} {case.label}", plan is not None))
        if plan is None:
            return [Result(case, c.name, "ok", Verdict(0.0, 1.0)) for c in case.contenders]
        timer = ClockedTimer(case.traffic / 1e12)
        rivals = {c.name: Rival(timer.work if c.name == "pencilc" else timer.slowly) for c in case.contenders}
        timings = interleaved(timer, {**rivals, CEILING: Rival(timer.work), FLOOR: Rival(timer.nothing)}, plan)
        moved = {FLOOR: 0}
        return [Result(case, n, "ok", None, t, moved.get(n, case.traffic)) for n, t in timings.items()]


class ClockedTimer:
    """A timer on which the queued work takes the seconds that it says."""

    def __init__(self, seconds: float) -> None:
        self.seconds, self.queued = seconds, 0.0

    def prepare(self, spin_s: float) -> None:
        self.queued = 0.0

    def begin(self) -> None:
        self.queued = 0.0

    def end(self) -> None:
        pass

    def is_queued(self) -> bool:
        return True

    def finish(self) -> float:
        return self.queued

    def work(self) -> None:
        self.queued += self.seconds

    def slowly(self) -> None:
        self.queued += 2 * self.seconds

    def nothing(self) -> None:
        self.queued += 2e-6


@pytest.fixture
def on_a_made_up_gpu(monkeypatch: pytest.MonkeyPatch, reference: Reference) -> None:
    """The command finds a GPU, nvcc and everything built."""
    info = DeviceInfo("Made up", 90, 4, 2**20, 1e9, "13.0", "13.0", 2**37)
    monkeypatch.setattr(command, "no_gpu", lambda: "")
    monkeypatch.setattr(command, "capability", lambda: 90)
    monkeypatch.setattr(build, "find_nvcc", lambda: "nvcc")
    monkeypatch.setattr(build, "build_reference", lambda folder: folder)
    monkeypatch.setattr(Reference, "load", lambda path: reference)
    monkeypatch.setattr(build, "generate", lambda searched: build.Generated({}, {}))
    monkeypatch.setattr(build, "build_all", lambda *args: Libraries({"fill": ctypes.CDLL(None)}, {"CUB": "no headers"}))
    monkeypatch.setattr(command, "Device", lambda library: SimpleNamespace(info=info))
    monkeypatch.setattr(command, "Session", MadeUp)


def rows_of(folder: Path) -> list[dict[str, str]]:
    with (folder / "results.csv").open(newline="") as stream:
        return list(csv.DictReader(stream))


def test_quick_checks_everything_first_and_goes_on_where_it_stopped(
    on_a_made_up_gpu: None, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ["--quick", "--no-torch", "--out", str(tmp_path), "--samples", "10"]
    clock = itertools.count()
    monkeypatch.setattr(time, "monotonic", lambda: float(next(clock)))
    assert command.main([*words, "--minutes", "1"]) == 0
    first = MadeUp.last.seen
    kinds = [timed for _, timed in first]
    assert kinds == sorted(kinds) and kinds.count(False) == len(list(cases.checks(Reference(ctypes.CDLL(None)))))
    assert "the time is over: " in capsys.readouterr().out
    assert command.main([*words, "--resume"]) == 0
    second = [label for label, timed in MadeUp.last.seen if timed]
    timed = [label for label, timed in first if timed]
    assert timed and second and not set(timed) & set(second)
    measured = {f"{r['group']} {r['case']} {r['type']} {r['problem']}" for r in rows_of(tmp_path) if r["median_us"]}
    assert measured == {*timed, *second}
    assert {label.split()[0] for label in measured} == set(cases.HEADLINES)
    assert command.main([*words, "--resume"]) == 0 and not MadeUp.last.seen


def test_table_csv_and_plots_of_a_whole_run(
    on_a_made_up_gpu: None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--groups", "latency,histogram", "--out", str(tmp_path), "--samples", "10", "--no-torch"]
    assert command.main(words) == 0
    said = capsys.readouterr()
    assert said.out.startswith("Made up, sm_90, 4 SM") and "CUB missing: no headers" in said.out
    rows = [row for row in rows_of(tmp_path) if row["contender"] == "pencilc"]
    assert rows and all(row["of_ceiling"] == "1.0000" and row["samples"] == "10" for row in rows)
    assert all(row["GB_per_s"] == "1000.00" for row in rows)
    names = {path.name for path in tmp_path.glob("*.png")}
    if importlib.util.find_spec("matplotlib"):
        assert "histogram_histogram_uniform.png" in names
    else:
        assert not names and "matplotlib is not installed" in said.err


def test_plots_draw_the_ceiling(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, reference: Reference) -> None:
    """With a stand-in for matplotlib: one picture for each figure, the ceiling dashed, the floor left out."""
    drawn: list[tuple[str, dict[str, object]]] = []
    axes = SimpleNamespace(
        plot=lambda xs, ys, label, **style: drawn.append((label, style)), set=lambda **named: None,
        grid=lambda *words, **named: None, legend=lambda: None,
    )  # fmt: skip
    figure = SimpleNamespace(savefig=lambda path, **named: Path(path).write_bytes(b"png"))
    pyplot = SimpleNamespace(subplots=lambda figsize: (figure, axes), close=lambda figure: None)
    monkeypatch.setitem(sys.modules, "matplotlib", SimpleNamespace(use=lambda name: None, pyplot=pyplot))
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", pyplot)
    output = report.Output(tmp_path, io.StringIO())
    output.add(results(reference))
    output.close()
    assert [path.name for path in plots.draw(tmp_path)] == ["sum_sum_float.png"]
    assert [label for label, _ in drawn] == ["pencilc", CEILING] and drawn[1][1]["linestyle"] == "--"


def test_build_alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`--build` needs nvcc but no GPU; what fails is named."""
    compiler = tmp_path / "nvcc"
    compiler.write_text(
        '#!/bin/sh\ncase "$*" in *cub_rows*) echo "no cub/cub.cuh" >&2; exit 1;; esac\n'
        'for word; do last=$word; done\n: > "$last"\n'
    )
    compiler.chmod(0o755)
    monkeypatch.setenv("NVCC", str(compiler))
    monkeypatch.setattr(build, "generate", lambda searched: build.Generated({"a.c": "text"}, {}))
    assert command.main(["--build", "sm_90", "--out", str(tmp_path)]) == 5
    said = capsys.readouterr()
    assert "cub_rows: nvcc failed on cub_rows.cu: no cub/cub.cuh" in said.err
    assert said.out.startswith(f"{len(build.PEERS) + 1} libraries for sm_90 in ")
