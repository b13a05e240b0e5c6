"""What the layers of tests share: the samples, the outside tools and the options of the run."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from pencilc.verify.cudacpu.build import KEPT_OBJECTS, UNUSED_IS_ERROR
from tests.long_tests import long_tests

ROOT = Path(__file__).resolve().parent.parent
PENCILC = (sys.executable, "-m", "pencilc")


@dataclass(frozen=True)
class Sample:
    """One program of `samples/`; `path` is relative to the root, as the dumps and the CUDA comments show it."""

    name: str
    path: str
    text: str = field(repr=False)


def samples() -> list[Sample]:
    """Every sample, by name."""
    paths = sorted(path for path in (ROOT / "samples").glob("*.c") if not path.stem.endswith("_host"))
    return [Sample(path.stem, f"samples/{path.name}", path.read_text()) for path in paths]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-golden", action="store_true", help="rewrite the expected files; the run still fails")


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("--update-golden") and os.environ.get("CI"):
        raise pytest.UsageError("--update-golden is refused in CI: expected files are reviewed by a person")
    if not hasattr(config, "workerinput"):
        # What one test builds for the CPU executor is there for the others, in the workers of xdist too.
        folder = tempfile.TemporaryDirectory(prefix="pencilc-objects-")
        os.environ[KEPT_OBJECTS] = folder.name
        os.environ[UNUSED_IS_ERROR] = "1"
        # Hundreds of tests start pencilc as a process.  Without bytecode of its modules, which an environment may have
        # forbidden to leave beside them, each would compile them again.
        os.environ["PYTHONPYCACHEPREFIX"] = str(Path(folder.name) / "bytecode")
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
        config.add_cleanup(folder.cleanup)


# One or two samples for each shape, which are kept stage by stage in `tests/golden`.
LADDER = frozenset((
    "argmin", "attention", "batch_norm", "column_sums", "csr", "gemm_tensor", "histogram", "kmeans", "matmul",
    "minmax_int", "row_sums", "slambench", "softmax", "srad", "sum",
))  # fmt: skip
# The samples that `make test` takes through everything; of the others it runs one order, one architecture, real data.
CORE = frozenset((
    "argmin", "column_sums", "correlation", "histogram", "plain", "row_sums", "slambench", "srad", "stats", "sum",
    "sum_char", "sum_half", "sum_struct",
))  # fmt: skip
# What is left to `make test-full` for samples outside of CORE, and what for all but the sum.
_OTHER_SAMPLES = ("test_verify[", "-integer]", "integer-")
_OTHER_ARCHITECTURES = ("sm_80", "sm_100")
# Those that nvcc takes for the architecture of its own choice too, and of which bytes are counted and dumps read.
_PLAIN = ("sum", "histogram", "slambench")
_COUNTED = LADDER - {"gemm_tensor", "kmeans", "softmax"} | {"variance"}
# Samples of the core that are run in one order alone, for the time that it takes.
_LONG_IN_ORDERS = frozenset(("column_sums", "correlation", "histogram", "plain", "row_sums", "slambench"))
# Those whose many kernels take g++ longest; the programs of `diff/programs` have the same shapes.
_LONG_IN_GCC = frozenset(("hog", "stitching", "subgraphs"))
# Samples whose many kernels take nvcc longest.
_LONG_IN_NVCC = ("apollo", "attention", "batch_norm", "norms", "plain", "softmax", "srad", "stitching", "variance")


# Programs that once failed, and whose dependences take isl long.
_LONG_CASES = ("begun_again_with_divisions", "two_initialisations_in_turn")
# Products of variants of which `make test` runs those that end so, and `make test-full` all.
_SELECTED = {
    "test_every_number_of_bins[": ("histogram-257]", "centroids-2]"),
    "test_samples_under_every_mode[": ("stats-fixed-tree-kahan]", "stats-run-pairwise]"),
    "test_two_runs_agree_whatever_the_order[": ("fixed-tree-plain]", "run-kahan]"),
    "test_every_mode[": ("accuracy-run-pairwise]",),
    "test_other_promises[": (),
    "test_every_mode_is_right[": ("max-1]",),
    "test_fusion.py::test_launches[": ("[datamining]",),
    "test_accumulators.py::test_nvcc[": (),
    "test_a_fixed_tree_is_the_same_everywhere[": ("[plain]",),
    "test_every_shape_has_a_plan[": ("sums]", "matmul]", "triangular]"),
    "test_mutated[": ("[0]",),
    "test_truncated[": ("[argmin]", "[attention]"),
    "test_kept_case[": tuple(
        f"[{path.stem}]" for path in (ROOT / "tests" / "fuzz" / "cases").glob("*.c") if path.stem not in _LONG_CASES
    ),
    "test_pencilc_is_right_and_a_wrong_result_is_noticed[": ("/sums.c]", "/softmax.c]"),
    "test_accuracy.py::test_errors[": ("[plain-run]", "[kahan-fixed-tree]"),
    "test_verified[": ("[1000]",),
    "test_compiled[": ("[0]",),
    "test_loads_exchanges_registers_and_bytes_in_flight[": (
        "[all-sm_100-some]",
        "[row-sm_90-some]",
        "[column-sm_80-some]",
        "[across-sm_80-some]",
    ),
    "test_the_largest_values_of_everything_compile[": ("sum_all0]", "row_sums_row0]", "column_sums_column0]"),
    "test_ragged.py::test_verify_forms": (),
    "test_ragged.py::test_nvcc": (),
    "test_bench_nvcc.py::": ("sums.c-sm_90]", "rows.c-sm_90]", "test_device_library[sm_90]"),
}


def _is_left_to_full(item: pytest.Item) -> bool:
    """Whether `make test` leaves the test out of the product of samples and variants."""
    for part, kept in _SELECTED.items():
        if part in item.nodeid:
            return not item.nodeid.endswith(kept)
    callspec = getattr(item, "callspec", None)
    sample = callspec.params.get("sample") if callspec else None
    if callspec is None or not isinstance(sample, Sample):
        return False
    if "test_traffic[" in item.nodeid or "test_dumps_read_back[" in item.nodeid:
        return sample.name not in _COUNTED or ("test_traffic[" in item.nodeid and sample.name in _LONG_IN_NVCC)
    if "tests/diff/" not in item.nodeid:
        return False
    if "test_plain[" in item.nodeid and sample.name not in _PLAIN:
        return True
    if "test_strict[" in item.nodeid and sample.name not in CORE | _COUNTED:
        return True
    if "test_verify_in_one_order[" in item.nodeid:
        return sample.name in CORE - _LONG_IN_ORDERS | _LONG_IN_GCC
    if "test_verify[" in item.nodeid and sample.name in _LONG_IN_ORDERS:
        return True
    if sample.name not in ("sum", "slambench") and callspec.params.get("arch") in _OTHER_ARCHITECTURES:
        return True
    if sample.name in _LONG_IN_NVCC and "test_strict[" in item.nodeid:
        return True
    return sample.name not in CORE and any(part in item.nodeid for part in _OTHER_SAMPLES)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """A test that takes `sample` runs once for each sample."""
    if "sample" in metafunc.fixturenames:
        metafunc.parametrize("sample", samples(), ids=lambda sample: sample.name)


@pytest.fixture
def root(monkeypatch: pytest.MonkeyPatch) -> Path:
    """The root of the project, made the current directory so that paths in outputs are the same everywhere."""
    monkeypatch.chdir(ROOT)
    return ROOT


@pytest.fixture(scope="session")
def nvcc() -> str:
    """The command of nvcc: $NVCC, which the Makefile sets, or the one of the PATH."""
    command = shutil.which(os.environ.get("NVCC") or "nvcc")
    if command is None:
        reason = "nvcc not found: run through `make test`, or set NVCC"
        if os.environ.get("CI"):
            pytest.fail(reason)
        pytest.skip(reason)
    return command


@pytest.fixture(scope="session", autouse=True)
def _no_color() -> Iterator[None]:
    """Messages are compared as plain text, whatever the terminal."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NO_COLOR", "1")
        yield


def run(*command: str | Path, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run a command and return what it printed; the caller looks at the status."""
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False, cwd=cwd)


def have_gpu() -> bool:
    """Whether a CUDA device answers."""
    return shutil.which("nvidia-smi") is not None and run("nvidia-smi", "-L").returncode == 0


@pytest.hookimpl(tryfirst=True)  # Before pytest picks the tests by their marks.
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what is left to `make test-full`; without a GPU the tests that need one are skipped, and told."""
    long = long_tests()
    for item in items:
        if item.nodeid in long or _is_left_to_full(item):
            item.add_marker(pytest.mark.full)
    if any(item.get_closest_marker("gpu") for item in items) and not have_gpu():
        for item in items:
            if item.get_closest_marker("gpu"):
                item.add_marker(pytest.mark.skip(reason="no CUDA device"))
