"""The command line with tuning files, and `pencilc tune` where there is no GPU."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pencilc.tune.device import no_gpu
from tests.unit.test_cli import SUM, names, pencilc

TUNING = {"format": "pencilc-tuning", "version": 1, "kernels": {"f_all0": {"parameters": {"threads": 128}}}}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "s.c").write_text(SUM)
    return tmp_path


def write(path: Path, record: object) -> None:
    path.write_text(json.dumps(record))


def test_the_file_beside_the_source_is_used(folder: Path) -> None:
    pencilc(folder, "s.c")
    plain = (folder / "s.cu").read_text()
    assert "__launch_bounds__(512, 2)" in plain
    write(folder / "s.tuning.json", TUNING)
    result = pencilc(folder, "s.c")
    assert (result.returncode, result.stderr) == (0, "")
    tuned = (folder / "s.cu").read_text()
    # 64 KB are in flight on a multiprocessor with 2 blocks of 512 threads, or 8 of 128; the grid stays as it was.
    wanted = plain.replace("(512, 2)", "(128, 8)").replace("blockIdx.x * 512", "blockIdx.x * 128")
    assert tuned == wanted.replace("2048", "512").replace("dim3(512)", "dim3(128)")


def test_a_named_file_goes_before_the_one_beside(folder: Path) -> None:
    write(folder / "s.tuning.json", TUNING)
    write(folder / "other.json", {**TUNING, "kernels": {}})
    assert pencilc(folder, "s.c", "--tuning", "other.json").returncode == 0
    assert "__launch_bounds__(512, 2)" in (folder / "s.cu").read_text()


def test_the_dependency_file_lists_it(folder: Path) -> None:
    write(folder / "s.tuning.json", TUNING)
    assert pencilc(folder, "s.c", "-MD").returncode == 0
    assert "s.tuning.json" in (folder / "s.d").read_text()
    (folder / "s.tuning.json").unlink()
    pencilc(folder, "s.c", "-MD")
    assert "tuning" not in (folder / "s.d").read_text()


def test_a_broken_file_is_an_error_with_its_place(folder: Path) -> None:
    (folder / "s.tuning.json").write_text(json.dumps(TUNING, indent=2).replace("128", "100"))
    result = pencilc(folder, "s.c")
    assert result.returncode == 1 and result.stdout == ""
    assert result.stderr.splitlines()[:2] == [
        "error[PC0801]: `threads` is 100, but must be one of 32, 64, 128, 256, 512, 1024",
        "  --> s.tuning.json:7:9",
    ]
    assert names(folder) == {"s.c", "s.tuning.json"}


def test_another_version_and_a_missing_file(folder: Path) -> None:
    write(folder / "t.json", {**TUNING, "version": 2})
    result = pencilc(folder, "s.c", "--tuning", "t.json")
    assert result.returncode == 1
    assert "the tuning file has version 2, but this pencilc reads version 1" in result.stderr
    result = pencilc(folder, "s.c", "--tuning", "no.json")
    assert result.returncode == 1 and "cannot read the tuning file" in result.stderr


def test_data_for_a_kernel_that_is_gone_is_told(folder: Path) -> None:
    write(folder / "s.tuning.json", {**TUNING, "kernels": {"f_row0": {"parameters": {"threads": 128}}}})
    result = pencilc(folder, "s.c")
    assert result.returncode == 0
    assert result.stderr.startswith("warning[PC0802]: the tuning data speaks of a kernel `f_row0`")
    assert pencilc(folder, "s.c", "-Werror=tuning-stale").returncode == 1
    assert pencilc(folder, "s.c", "-Wno-tuning-stale").stderr == ""


def test_the_tuning_file_is_not_overwritten(folder: Path) -> None:
    write(folder / "s.tuning.json", TUNING)
    result = pencilc(folder, "s.c", "-o", "s.tuning.json")
    assert result.returncode == 2 and "overwrite" in result.stderr


def test_verify_runs_the_tuned_code(folder: Path) -> None:
    write(folder / "s.tuning.json", TUNING)
    result = pencilc(folder, "verify", "s.c", "--sizes", "n=0,33,1009", "--order", "fwd")
    assert result.returncode == 0, result.stdout + result.stderr


def test_plan_needs_no_gpu(folder: Path) -> None:
    result = pencilc(folder, "tune", "s.c", "--plan", "--sizes", "n=1000,2000", "--no-model")
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout.startswith("problems\n  f n=1000\n  f n=2000\nf_all0 (all): 128 candidates, all of them\n")
    assert names(folder) == {"s.c"}


@pytest.mark.skipif(no_gpu() == "", reason="there is a GPU")
def test_without_a_gpu_the_search_says_so(folder: Path) -> None:
    result = pencilc(folder, "tune", "s.c")
    assert result.returncode == 5 and result.stdout == ""
    assert "`pencilc tune` measures on a GPU (--plan shows what it would search)" in result.stderr
    assert names(folder) == {"s.c"}


@pytest.mark.parametrize(
    ("words", "said"),
    [(("-",), "tune needs a file"), (("s.c", "--sizes", "m=1", "--plan"), "names 'm'"),
     (("s.c", "--sizes", "n=x"), "give NAME=VALUE"), (("s.c", "--samples", "3"), "--samples")],
)  # fmt: skip
def test_wrong_usage(words: tuple[str, ...], said: str, folder: Path) -> None:
    result = pencilc(folder, "tune", *words)
    assert result.returncode == 2 and said in result.stderr
