"""What `pencilc port` tells about a file, function by function."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict

from pencilc import __version__
from pencilc.port.records import Ported, PortedFunction


def report_text(ported: Ported) -> str:
    """What stands in the way, what is written instead, what is promised, and what running both has shown."""
    lines: list[str] = []
    for function in ported.functions:
        lines += _function(ported.path, function)
    if not ported.functions:
        lines.append(f"{ported.path}: no function holds a loop")
    if ported.before == ported.after:
        lines.append("nothing changes")
    lines += [f"checked: {told}" for told in ported.checked]
    return "".join(f"{line}\n" for line in lines)


def _function(path: str, function: PortedFunction) -> Iterator[str]:
    at = f"{path}:{function.span.line if function.span.path == path else 1}"
    if function.status == "ready":
        yield f"{at}: `{function.name}` is ready as it stands"
        return
    if function.status == "left":
        where = "" if function.span.path == path else f" ({function.span})"
        yield f"{at}: `{function.name}` is left as it is: {function.reason}{where}"
        yield from (f"  help: {each}" for each in function.helps)
        return
    if function.status == "helper":
        yield f"{at}: `{function.name}` is compiled with the functions that call it"
    else:
        yield f"{at}: `{function.name}` is ported"
    for step in function.steps:
        yield f"  {path}:{step.line}: {step.obstacle}: {step.change}"
    for promise in function.promises:
        yield f"  promised: {promise}"
    for remark in function.remarks:
        yield f"  note: {remark}"


def report_json(ported: Ported, patch: str) -> str:
    """The same as one JSON document, with the patch (null where nothing changes)."""
    document = {
        "pencilc": __version__,
        "file": ported.path,
        "complete": not ported.is_incomplete,
        "functions": [_as_record(function) for function in ported.functions],
        "checked": list(ported.checked),
        "patch": patch or None,
    }
    return json.dumps(document, indent=2, sort_keys=True) + "\n"


def _as_record(function: PortedFunction) -> dict[str, object]:
    """What becomes of a function: the fields of the record, its place as file and line, null for what there is not."""
    return {
        "name": function.name,
        "file": function.span.path,
        "line": function.span.line,
        "status": function.status,
        "reason": function.reason or None,
        "new_name": function.new_name or None,
        "steps": [asdict(step) for step in function.steps],
        "promises": list(function.promises),
        "remarks": list(function.remarks),
        "helps": list(function.helps),
    }
