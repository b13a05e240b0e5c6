"""What has been measured so far, kept line by line so that a search can be interrupted and resumed.

The first line says which search it is; another source, machine or setting starts afresh.  A last line that was cut off
is ignored.
"""

from __future__ import annotations

import json
import math
from dataclasses import field
from pathlib import Path

from pencilc.records import dataclass
from pencilc.tune.search import Sample
from pencilc.tune.space import Candidate

SUFFIX = ".tuning.partial"


@dataclass(slots=True)
class State:
    """The file and the samples that it holds, by kernel."""

    path: Path
    identity: str
    known: dict[str, dict[tuple[Candidate, int], Sample]] = field(default_factory=dict)

    @staticmethod
    def open(path: Path, identity: str, restart: bool = False) -> State:
        """Read what an earlier run with the same identity has kept, or begin."""
        state = State(path, identity)
        lines = [] if restart or not path.is_file() else path.read_text(encoding="utf-8").splitlines()
        if not lines or _parsed(lines[0]) != {"search": identity}:
            path.write_text(json.dumps({"search": identity}) + "\n", encoding="utf-8")
            return state
        for line in lines[1:]:
            record = _parsed(line)
            if isinstance(record, dict):
                state._remember(record)
        # A line that was cut off must not swallow the next one.
        path.write_text("".join(f"{line}\n" for line in lines if _parsed(line) is not None), encoding="utf-8")
        return state

    @property
    def size(self) -> int:
        """How many samples are known."""
        return sum(len(samples) for samples in self.known.values())

    def _remember(self, record: dict[str, object]) -> None:
        parameters = record["parameters"]
        assert isinstance(parameters, dict)
        cost = record["cost"]
        sample = Sample(
            math.inf if cost is None else float(cost),  # type: ignore[arg-type]
            float(record["spread"]),  # type: ignore[arg-type]
            str(record["reason"]),
        )
        key = tuple(parameters.items()), int(record["samples"])  # type: ignore[call-overload]
        self.known.setdefault(str(record["kernel"]), {})[key] = sample

    def keep(self, kernel: str, candidate: Candidate, samples: int, sample: Sample) -> None:
        """Append one sample."""
        cost = sample.cost if math.isfinite(sample.cost) else None
        record = {"kernel": kernel, "parameters": dict(candidate), "samples": samples, "cost": cost,
                  "spread": sample.spread, "reason": sample.reason}  # fmt: skip
        with self.path.open("a", encoding="utf-8") as stream:
            stream.write(json.dumps(record) + "\n")

    def forget(self) -> None:
        """The search is done."""
        self.path.unlink(missing_ok=True)


def _parsed(line: str) -> object:
    try:
        return json.loads(line)
    except json.JSONDecodeError:
        return None
