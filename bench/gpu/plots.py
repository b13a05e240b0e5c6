"""Plots of `results.csv`: bandwidth over size with the streaming ceiling (`python -m bench.gpu.plots FOLDER`)."""

from __future__ import annotations

import csv
import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from bench.gpu.session import CEILING, FLOOR

Curves = dict[str, list[tuple[int, float]]]


def curves(rows: Iterable[Mapping[str, str]]) -> dict[str, Curves]:
    """For each figure (group, case and type) the points (bytes, GB/s) of each contender, by size."""
    found: dict[str, Curves] = defaultdict(lambda: defaultdict(list))
    for row in rows:
        if row["GB_per_s"] and "shift=" not in row["problem"]:
            figure = f"{row['group']} {row['case']} {row['type']}"
            found[figure][row["contender"]].append((int(row["bytes"]), float(row["GB_per_s"])))
    return {name: {c: sorted(points) for c, points in lines.items()} for name, lines in found.items()}


def draw(folder: Path) -> list[Path]:
    """One picture for each figure; raises ModuleNotFoundError without matplotlib."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    with (folder / "results.csv").open(newline="") as stream:
        figures = curves(csv.DictReader(stream))
    made = []
    for name, lines in figures.items():
        figure, axes = pyplot.subplots(figsize=(8, 5))
        for contender in sorted(lines, key=lambda c: (c == CEILING, c != "pencilc", c)):
            _line(axes, contender, lines[contender])
        axes.set(xscale="log", xlabel="bytes", ylabel="GB/s", title=name)
        axes.grid(True, which="both", alpha=0.3)
        axes.legend()
        path = folder / f"{name.replace(' ', '_')}.png"
        figure.savefig(path, dpi=120, bbox_inches="tight")
        pyplot.close(figure)
        made.append(path)
    return made


def _line(axes: Any, contender: str, points: list[tuple[int, float]]) -> None:
    if contender == FLOOR:
        return
    style: dict[str, Any] = {"color": "black", "linestyle": "--"} if contender == CEILING else {"marker": "o"}
    if contender == "pencilc":
        style |= {"linewidth": 2.5}
    axes.plot([x for x, _ in points], [y for _, y in points], label=contender, **style)


if __name__ == "__main__":
    for picture in draw(Path(sys.argv[1])):
        print(picture)
