"""The model of a region without scalars that are names for values (`frontend/rewrite/named_values.py`).

    for (k…) for (i…) for (j…) { int d = path[i][k] + path[k][j];  path[i][j] = min(path[i][j], d); }

Two statements that hand a value to each other are not cut where a row or a column holds them up; one is.  Whether that
is worth it the schedule tells (`driver.py`).
"""

from __future__ import annotations

from pencilc.frontend.rewrite.named_values import with_values_for_names
from pencilc.ir.scop import Scop
from pencilc.ir.source import TranslationUnit
from pencilc.poly.extract import extract_instead


def without_names(unit: TranslationUnit, position: int) -> tuple[TranslationUnit, Scop] | None:
    """The region at `position` with values in the place of their names, and its model; None where there are none."""
    region = with_values_for_names(unit.regions[position])
    return None if region is None else extract_instead(unit, position, region)
