"""How many kernels a call launches: what belongs together shares one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from pencilc.diagnostics.source import SourceFile
from pencilc.options import CompileOptions
from pencilc.verify.command import VerifySettings, verify

# The largest number of launches for given sizes.
LAUNCHES: dict[str, Callable[[Mapping[str, int]], int]] = {
    "sum": lambda sizes: 1,
    "stats": lambda sizes: 1,
    "minmax_int": lambda sizes: 1,
    "argmin": lambda sizes: 1,
    "slambench": lambda sizes: 1,
    # The two sums with what follows from them and the coefficients; the update.
    "srad": lambda sizes: 2 * sizes["niter"],
}
SIZES: dict[str, tuple[int, ...]] = {
    "n": (1, 1009, 70001),
    "rows": (33,),
    "columns": (65,),
    "pitch": (67,),
    "nr": (33,),
    "nc": (65,),
    "niter": (1, 5),
}


@pytest.mark.parametrize("name", LAUNCHES)
def test_launches(name: str, root: Path) -> None:
    path = Path("samples", f"{name}.c")
    file = SourceFile(str(path), path.read_text())
    sizes = {"srad": ("nr", "nc", "niter"), "slambench": ("rows", "columns", "pitch")}.get(name, ("n",))
    settings = VerifySettings(sizes={size: SIZES[size] for size in sizes}, orders=("fwd",))
    report = verify(file, CompileOptions(), settings)
    assert report.ok, report.table()
    counted = [row for row in report.rows if row.launches is not None and row.sizes]
    assert counted
    for row in counted:
        assert 1 <= (row.launches or 0) <= LAUNCHES[name](dict(row.sizes)), report.table()
