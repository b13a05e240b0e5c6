"""`pencilc verify --json`: the rows of the table as one JSON document, for programs."""

from __future__ import annotations

import json
import math
from dataclasses import asdict

from pencilc import __version__
from pencilc.verify.report import ReportRow, VerifyReport

_VERDICTS = {0: "ok", 1: "source at fault", 3: "nothing compared", 4: "differs"}


def report_json(file: str, report: VerifyReport) -> str:
    """The report of a file; NaN and infinities are the strings that Python prints for them."""
    document = {
        "pencilc": __version__,
        "file": file,
        "verdict": _VERDICTS[report.exit_status],
        "reason": report.why_nothing or None,
        "rows": [_row(row) for row in report.rows],
        "notes": [*report.notes, *report.remarks],
        "traffic": [asdict(call) for call in report.traffic],
    }
    return json.dumps(_finite(document), indent=2, sort_keys=True, allow_nan=False) + "\n"


def _row(row: ReportRow) -> dict[str, object]:
    return {
        "function": row.function,
        "sizes": dict(row.sizes),
        "data": row.kind,
        "entry": row.entry,
        "order": row.order,
        "loops": row.form or None,
        "status": row.status,
        "launches": row.launches,
        "wrong": row.wrong,
        "messages": list(row.messages),
        "differences": [asdict(difference) for difference in row.differences],
        "outputs": [asdict(output) for output in row.outputs],
    }


def _finite(value: object) -> object:
    """The value with strings in the place of numbers that JSON does not have."""
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_finite(item) for item in value]
    return value
