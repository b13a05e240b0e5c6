"""The bytes that every sample moves, against `<sample>/traffic.txt`, and why any are more than the least possible.

What a kernel loads is a fact of the generated text, which no machine's speed blurs: a lost fusion, a column that is
read twice or a load that is too wide shows here.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pencilc import driver
from pencilc.diagnostics.source import SourceFile
from pencilc.options import CompileOptions
from pencilc.verify.command import Generated, VerifySettings, executor_for, measure_traffic
from pencilc.verify.traffic import Copies, Counted, Instructions, Moved, Requests, Touched, Traffic, parse
from tests.conftest import Sample
from tests.golden.traffic_reasons import REASONS

HERE = Path(__file__).resolve().parent
# One size for each parameter; large enough that what a block adds of its own is little, and no multiple of anything.
SIZES = {
    **{"n": 20011, "rows": 129, "columns": 517, "pitch": 520, "nr": 65, "nc": 131, "niter": 2, "M": 129, "N": 517},
    **{"step": 133, "cols": 131, "src_step": 397, "dst_step": 133, "from_rows": 65, "from_cols": 131, "to_rows": 67},
    **{"to_cols": 129, "src_rows": 65, "src_cols": 131, "size": 5, "taps": 5, "height": 3, "width": 3, "side": 8},
    **{"anchor_row": 1, "anchor_col": 1, "frames": 9, "heads": 9, "keys": 129, "depth": 33, "points": 65},
    **{"clusters": 17, "bins": 65, "channels": 33, "m": 65, "elements": 4099, "a": 33, "b": 17, "c": 131},
    **{"steps": 2, "nx": 65, "ny": 131},
}
SIZES_OF = {
    "attention": {"rows": 33},
    "batch_norm": {"n": 65},
    "centroids": {"n": 5003},
    "channels": {"n": 2, "from": 3, "to": 18, "h": 20, "w": 21},
    "datamining": {"n": 257},
    "gemm": {"m": 33, "n": 35, "p": 37},
    "gemm_tensor": {"m": 33, "n": 35, "p": 37},
    "gradients": {"rows": 65, "columns": 131},
    "jacobi": {"steps": 3, "n": 40},
    "kmeans": {"points": 129, "centres": 67, "dimensions": 9},
    "knn": {"queries": 67, "points": 129, "dimensions": 9},
    "matmul": {"m": 33, "n": 35, "p": 37},
    "self_attention": {"queries": 21, "keys": 67, "depth": 33},
    "semirings": {"m": 33, "n": 35, "p": 37},
    "slambench": {"rows": 65},
    "apollo": {"n": 4099},
    "transpose": {"rows": 33, "columns": 67},
    "triangular": {"n": 257},
    "triangular_rows": {"n": 257},
    "warp": {"rows": 67, "cols": 129},
}
EXCESS = 0.05


def counted(sample: Sample) -> tuple[Traffic, ...]:
    options = CompileOptions()
    done = driver.compile_source(SourceFile(sample.path, sample.text), options)
    parameters = {parameter.name for region in done.parsed.regions for parameter in region.params}
    sizes = {**SIZES, **SIZES_OF.get(sample.name, {})}
    given = {name: (value,) for name, value in sizes.items() if name in parameters}
    beside = Path(sample.path).with_suffix(".inputs.py")
    inputs = beside if beside.is_file() else None
    settings = VerifySettings(sizes=given, orders=("fwd",), traffic=True, inputs=inputs)
    calls = measure_traffic(Generated(done.parsed, done.cuda, None), options, settings, executor_for(settings))
    regions = [region.name for region in done.parsed.regions if not region.outlined]
    assert [call.function for call in calls] == regions, "one call of each function"
    return calls


def test_traffic(sample: Sample, root: Path, request: pytest.FixtureRequest) -> None:
    calls = counted(sample)
    actual = "\n".join(call.table() for call in calls)
    path = HERE / sample.name / "traffic.txt"
    expected = path.read_text() if path.exists() else None
    if request.config.getoption("--update-golden") and expected != actual:
        path.write_text(actual)
        pytest.fail(f"{path.relative_to(root)} rewritten: review it")
    assert expected == actual
    conflicts = [row for call in calls for row in call.device.requests if _in_conflict(row)]
    assert not conflicts, "tiles whose accesses of shared memory take more wavefronts than the least for their width"
    too_much = {call.function for call in calls if call.excess > EXCESS}
    explained = {function for name, function in REASONS if name == sample.name}
    assert too_much == explained, (
        f"more than {EXCESS:.0%} above the bound, and not in traffic_reasons.py (or no longer)"
    )


def _in_conflict(row: Requests) -> bool:
    """Tiles of several steps are left out: these get narrower, and a warp that goes from row to row meets itself."""
    is_tile = row.kernel.endswith("_tiles") and not re.search(r"_loop\d+_tiles$", row.kernel)
    return row.shared and is_tile and row.moved > row.least


def test_parse_and_totals() -> None:
    text = "kernel\tk\t2\nmoved\tk\ta\t100\t0\t80\t0\nmoved\tk\t(own)\t8\t8\t8\t8\n"
    text += "touched\ta\t50\t0\ntouched\t(own)\t0\t8\ncopy\tto the host\t1\t4\n"
    text += "asked\tk\tglobal\ta\tload\t4\t2\t9\t8\ninstructions\tk\tbarrier\t3\n"
    found = parse(text)
    moved = (Moved("k", "a", 100, 0, 80, 0), Moved("k", "(own)", 8, 8, 8, 8))
    touched = (Touched("a", 50, 0), Touched("(own)", 0, 8))
    requests, instructions = (Requests("k", False, "a", "load", 4, 2, 9, 8),), (Instructions("k", "barrier", 3),)
    assert found == Counted((("k", 2),), moved, touched, (Copies("to the host", 1, 4),), requests, instructions)
    assert found.of_kernel("k") == {"load 4 global": 2, "barrier": 3}
    call = Traffic("f", "n=1", found, found)
    assert (call.moved, call.bound, call.excess) == (116, 50, 1.32)
    with pytest.raises(ValueError, match="not a line"):
        parse("nonsense\n")
