"""Diagnostics as one SARIF 2.1.0 document (OASIS standard), for editors and code-scanning services."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import PurePath
from urllib.parse import quote

from pencilc.diagnostics.codes import REGISTRY, Code
from pencilc.diagnostics.diagnostic import Diagnostic, Fix
from pencilc.diagnostics.source import Span

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"


def render_sarif(diagnostics: Iterable[Diagnostic], version: str) -> str:
    """The SARIF log of one run of pencilc; `version` is pencilc's."""
    listed = list(diagnostics)
    used = sorted({d.code for d in listed})
    driver = {
        "name": "pencilc",
        "version": version,
        "rules": [_rule(REGISTRY[code]) for code in used],
    }
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "results": [_result(d, used.index(d.code)) for d in listed],
    }
    return json.dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2, sort_keys=True) + "\n"


def _rule(code: Code) -> dict[str, object]:
    return {
        "id": code.code,
        "name": "".join(part.capitalize() for part in code.name.split("-")),
        "shortDescription": {"text": code.title},
        "fullDescription": {"text": " ".join(code.text.split())},
        "help": {"text": f"pencilc explain {code.code}"},
        "defaultConfiguration": {"level": code.severity.value},
    }


def _result(diagnostic: Diagnostic, rule: int) -> dict[str, object]:
    text = ". ".join((diagnostic.message, *diagnostic.notes, *(f"help: {h}" for h in diagnostic.remedies)))
    result: dict[str, object] = {
        "ruleId": diagnostic.code,
        "ruleIndex": rule,
        "level": diagnostic.severity.value,
        "message": {"text": text},
        "locations": [_location(diagnostic.span, diagnostic.label)],
    }
    if diagnostic.secondary:
        result["relatedLocations"] = [
            {"id": k, **_location(label.span, label.text)} for k, label in enumerate(diagnostic.secondary)
        ]
    if diagnostic.fixes:
        result["fixes"] = [_fix(fix) for fix in diagnostic.fixes]
    return result


def _fix(fix: Fix) -> dict[str, object]:
    """The edits of a fix, file by file."""
    changes: dict[str, list[dict[str, object]]] = {}
    for edit in fix.edits:
        # The region of an insertion is empty: its end is its start, unlike that of a place that is shown.
        deleted = {"startLine": edit.span.line, "startColumn": edit.span.column, "endColumn": edit.span.end_column}
        replacement = {"deletedRegion": deleted, "insertedContent": {"text": edit.text}}
        changes.setdefault(edit.span.path, []).append(replacement)
    return {
        "description": {"text": fix.help},
        "artifactChanges": [
            {"artifactLocation": {"uri": _uri(path)}, "replacements": replacements}
            for path, replacements in changes.items()
        ],
    }


def _location(span: Span, text: str) -> dict[str, object]:
    place: dict[str, object] = {"artifactLocation": {"uri": _uri(span.path)}}
    if span.line > 0:
        place["region"] = {
            "startLine": span.line,
            "startColumn": max(span.column, 1),
            "endColumn": max(span.end_column, span.column, 1),
        }
    location: dict[str, object] = {"physicalLocation": place}
    if text:
        location["message"] = {"text": text}
    return location


def _uri(path: str) -> str:
    """A relative reference for a relative path, a `file:` URI for an absolute one."""
    if PurePath(path).is_absolute():
        return PurePath(path).as_uri()
    return quote(path, safe="/")
