"""The table, the CSV, and what is said of the machine."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TextIO

from bench.gpu.session import CEILING, FLOOR, Result
from pencilc.tune.device import DeviceInfo

COLUMNS = (
    "group", "case", "type", "problem", "contender", "status", "median_us", "p10_us", "p90_us", "samples", "late",
    "bytes", "GB_per_s", "of_ceiling", "error", "tolerance",
)  # fmt: skip


def row(result: Result, ceiling: float) -> dict[str, object]:
    """One line of the CSV; `ceiling`: bytes per second of the read-only kernel on the same case."""
    case, timing, verdict = result.case, result.timing, result.verdict
    shown: dict[str, object] = dict.fromkeys(COLUMNS, "")
    problem = " ".join(f"{name}={value}" for name, value in case.problem.items())
    shown |= {"group": case.group, "case": case.name, "type": case.type, "problem": problem}
    shown |= {"contender": result.contender, "status": result.status}
    if timing is not None:
        shown |= {f"{name}_us": f"{1e6 * getattr(timing, name):.3f}" for name in ("median", "p10", "p90")}
        shown |= {"samples": len(timing.seconds), "late": int(timing.late)}
        if result.bytes:
            shown |= {"bytes": result.bytes, "GB_per_s": f"{result.bandwidth / 1e9:.2f}"}
            shown["of_ceiling"] = f"{result.bandwidth / ceiling:.4f}" if ceiling else ""
    if verdict is not None:
        shown |= {"error": f"{verdict.error:.3e}", "tolerance": f"{verdict.tolerance:.3e}"}
    return shown


def ceiling_of(results: Iterable[Result]) -> float:
    """The bandwidth of the read-only kernel among the results of one case; 0 if it was not timed."""
    return next((r.bandwidth for r in results if r.contender == CEILING), 0.0)


def table(results: Sequence[Result]) -> str:
    """The results of one case as text."""
    ceiling = ceiling_of(results)
    lines = [results[0].case.label] if results else []
    for result in results:
        timing = result.timing
        if timing is None:
            said = result.status
            if result.verdict is not None:
                said += f" (error {result.verdict.error:.2e}, allowed {result.verdict.tolerance:.2e})"
            lines.append(f"  {result.contender:22} {said}")
            continue
        text = f"  {result.contender:22} {1e6 * timing.median:11.2f} us"
        text += f"  [{1e6 * timing.p10:.2f}, {1e6 * timing.p90:.2f}]"
        if result.bytes:
            share = f" {100 * result.bandwidth / ceiling:6.1f}% of read only" if ceiling else ""
            text += f"  {result.bandwidth / 1e9:9.1f} GB/s{share}"
        lines.append(text + ("  (the host was late)" if timing.late else ""))
    return "".join(f"{line}\n" for line in lines)


def best_parameters(results: Sequence[Result]) -> str:
    """The best threads and blocks for each multiprocessor of every case that was searched (Table 1 of the paper)."""
    best: dict[str, Result] = {}
    for result in results:
        if result.timing is None or not result.contender.startswith("pencilc "):
            continue
        known = best.get(result.case.label)
        if known is None or known.timing is None or result.timing.median < known.timing.median:
            best[result.case.label] = result
    lines = ["best threads x blocks for each multiprocessor"] if best else []
    for label, result in best.items():
        assert result.timing is not None
        words = result.contender.removeprefix("pencilc ")
        lines.append(
            f"  {label:42} {words:>8} {1e6 * result.timing.median:10.2f} us {result.bandwidth / 1e9:9.1f} GB/s"
        )
    return "".join(f"{line}\n" for line in lines)


class Output:
    """Writes results as they come, so that an interrupted run keeps what it has."""

    def __init__(self, folder: Path, console: TextIO, append: bool = False) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        mode = "a" if append else "w"
        self._csv = (folder / "results.csv").open(mode, newline="")
        self._text = (folder / "table.txt").open(mode)
        self._console = console
        self._writer = csv.DictWriter(self._csv, COLUMNS)
        if not append:
            self._writer.writeheader()

    def say(self, text: str) -> None:
        """Into the table and on the console."""
        for stream in (self._text, self._console):
            stream.write(text)
            stream.flush()

    def add(self, results: Sequence[Result]) -> None:
        """The results of one case."""
        self.say(table(results))
        ceiling = ceiling_of(results)
        self._writer.writerows(row(result, ceiling) for result in results)
        self._csv.flush()

    def close(self) -> None:
        """Close the files."""
        self._csv.close()
        self._text.close()


def measured(folder: Path) -> frozenset[str]:
    """The cases that `results.csv` holds times of: group and label."""
    path = folder / "results.csv"
    if not path.is_file():
        return frozenset()
    with path.open(newline="") as stream:
        rows = [row for row in csv.DictReader(stream) if row["median_us"]]
    return frozenset(f"{row['group']} {row['case']} {row['type']} {row['problem']}" for row in rows)


def machine(info: DeviceInfo, peers: dict[str, str]) -> str:
    """The head of the table."""
    shown = ", ".join(f"{name} {version}" for name, version in peers.items())
    return (
        f"{info.name}, sm_{info.capability}, {info.multiprocessors} SM, L2 {info.l2_bytes / 2**20:.0f} MiB, "
        f"driver for CUDA {info.driver}, runtime {info.runtime}\n{shown}\n"
        "times: median [p10, p90]; cold L2; interleaved in random order; GB/s counts the least that must be moved\n\n"
    )


def save_machine(folder: Path, info: DeviceInfo, peers: dict[str, str]) -> None:
    """The same as JSON beside the results."""
    record = {name: getattr(info, name) for name in info.__slots__} | {"peers": peers}
    (folder / "machine.json").write_text(json.dumps(record, indent=2) + "\n")


def wrong(results: Iterable[Result]) -> list[Result]:
    """Those whose result differs from the reference."""
    return [r for r in results if r.status == "wrong"]


__all__ = ["CEILING", "FLOOR", "Output", "ceiling_of", "machine", "measured", "row", "save_machine", "table", "wrong"]
