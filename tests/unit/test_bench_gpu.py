"""bench/gpu without a GPU: the references, the checks on the CPU executor, the tables, and the end without a device."""

from __future__ import annotations

import csv
import ctypes
import io
import math
import re
import struct
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from bench.gpu import __main__ as command
from bench.gpu import build, cases, plots, report
from bench.gpu.records import At, Call, Case, Contender, Download, Int, Verdict
from bench.gpu.reference import Reference
from bench.gpu.session import CEILING, FLOOR, Result, Session
from pencilc.tune.measure import Plan, Timing
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
    assert words == ["bench/gpu", "pencilc/__init__.py", "pencilc/tune"]
    assert run("tar", "cf", tmp_path / "pack.tar", *words, cwd=ROOT).returncode == 0
    assert run("tar", "xf", "pack.tar", cwd=tmp_path).returncode == 0
    listed = run(sys.executable, "-S", "-m", "bench.gpu", "--list", "--groups", "paper", cwd=tmp_path)
    assert listed.returncode == 0, listed.stderr
    assert listed.stdout.startswith("sum int32 n=4194304 members=1: pencilc, CUB, Thrust, torch")
