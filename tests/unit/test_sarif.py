"""SARIF output has the structure that the standard (OASIS SARIF 2.1.0) asks for.

The schema is not on PyPI; its rules for the properties that pencilc writes are restated here.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from pencilc.diagnostics.diagnostic import Diagnostic, Edit, Fix, Label, Severity
from pencilc.diagnostics.sarif import render_sarif
from pencilc.diagnostics.source import UNKNOWN_SPAN, Span
from tests.errors.test_errors import FILES, diagnostics_of

LEVELS = {"none", "note", "warning", "error"}

# For each object: the properties that must be there, and those that may.
OBJECTS: dict[str, tuple[set[str], set[str]]] = {
    "log": ({"version", "runs"}, {"$schema"}),
    "run": ({"tool", "results"}, {"columnKind"}),
    "tool": ({"driver"}, set()),
    "driver": ({"name"}, {"version", "rules"}),
    "rule": ({"id"}, {"name", "shortDescription", "fullDescription", "help", "defaultConfiguration"}),
    "text": ({"text"}, set()),
    "configuration": (set(), {"level"}),
    "result": ({"message"}, {"ruleId", "ruleIndex", "level", "locations", "relatedLocations", "fixes"}),
    "fix": ({"artifactChanges"}, {"description"}),
    "change": ({"artifactLocation", "replacements"}, set()),
    "replacement": ({"deletedRegion"}, {"insertedContent"}),
    "location": (set(), {"id", "physicalLocation", "message"}),
    "physical": ({"artifactLocation"}, {"region"}),
    "artifact": ({"uri"}, set()),
    "region": ({"startLine"}, {"startColumn", "endColumn"}),
}


def check(kind: str, value: Any) -> None:
    required, optional = OBJECTS[kind]
    assert isinstance(value, dict), kind
    assert required <= set(value) <= required | optional, (kind, set(value))
    if kind == "text":
        assert isinstance(value["text"], str) and value["text"]


def check_location(location: Any) -> None:
    check("location", location)
    physical = location["physicalLocation"]
    check("physical", physical)
    check("artifact", physical["artifactLocation"])
    uri = physical["artifactLocation"]["uri"]
    assert re.fullmatch(r"[A-Za-z0-9:/?#\[\]@!$&'()*+,;=._~%-]*", uri), uri  # RFC 3986
    if "region" in physical:
        region = physical["region"]
        check("region", region)
        assert region["startLine"] >= 1 and region["startColumn"] >= 1
        assert region["endColumn"] >= region["startColumn"]
    if "message" in location:
        check("text", location["message"])


def check_fix(fix: Any) -> None:
    check("fix", fix)
    check("text", fix["description"])
    assert fix["artifactChanges"]
    for change in fix["artifactChanges"]:
        check("change", change)
        check("artifact", change["artifactLocation"])
        assert change["replacements"]
        for replacement in change["replacements"]:
            check("replacement", replacement)
            region = replacement["deletedRegion"]
            check("region", region)
            assert 1 <= region["startColumn"] <= region["endColumn"]
            assert isinstance(replacement["insertedContent"]["text"], str)


def check_log(text: str) -> list[Any]:
    log = json.loads(text)
    check("log", log)
    assert log["version"] == "2.1.0"
    assert log["$schema"].endswith("sarif-schema-2.1.0.json")
    (run,) = log["runs"]
    check("run", run)
    assert run["columnKind"] in ("utf16CodeUnits", "unicodeCodePoints")
    check("tool", run["tool"])
    check("driver", run["tool"]["driver"])
    rules = run["tool"]["driver"]["rules"]
    assert len({rule["id"] for rule in rules}) == len(rules)
    for rule in rules:
        check("rule", rule)
        check("text", rule["shortDescription"])
        check("text", rule["fullDescription"])
        check("text", rule["help"])
        check("configuration", rule["defaultConfiguration"])
        assert rule["defaultConfiguration"]["level"] in LEVELS
    for result in run["results"]:
        check("result", result)
        check("text", result["message"])
        assert result["level"] in LEVELS
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        for location in (*result["locations"], *result.get("relatedLocations", ())):
            check_location(location)
        for fix in result.get("fixes", ()):
            check_fix(fix)
    return list(run["results"])


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.stem)
def test_diagnostics_of_the_error_tests(path: Path) -> None:
    diagnostics = diagnostics_of(path)
    results = check_log(render_sarif(diagnostics, "1.0"))
    assert [r["ruleId"] for r in results] == [d.code for d in diagnostics]


def test_fixes() -> None:
    place = Span("t.c", 3, 5, 5)
    made = Fix("write `;` there", (Edit(place, ";"), Edit(Span("h.h", 1, 2, 4), "")))
    diagnostic = Diagnostic(Severity.ERROR, "PC0001", "m", place, helps=("or not",), fixes=(made,))
    (result,) = check_log(render_sarif([diagnostic], "1.0"))
    assert result["message"]["text"] == "m. help: write `;` there. help: or not"
    assert result["fixes"] == [
        {
            "description": {"text": "write `;` there"},
            "artifactChanges": [
                {
                    "artifactLocation": {"uri": "t.c"},
                    "replacements": [
                        {
                            "deletedRegion": {"startLine": 3, "startColumn": 5, "endColumn": 5},
                            "insertedContent": {"text": ";"},
                        }
                    ],
                },
                {
                    "artifactLocation": {"uri": "h.h"},
                    "replacements": [
                        {
                            "deletedRegion": {"startLine": 1, "startColumn": 2, "endColumn": 4},
                            "insertedContent": {"text": ""},
                        }
                    ],
                },
            ],
        }
    ]


def test_odd_places() -> None:
    far = Span("/a folder/x#y.c", 3, 1, 1)
    diagnostics = [
        Diagnostic(Severity.ERROR, "PC0001", "m", far, secondary=(Label(Span("ä b.h", 1, 2, 5), "there"),)),
        Diagnostic(Severity.WARNING, "PC0002", "m", UNKNOWN_SPAN),
    ]
    first, _ = check_log(render_sarif(diagnostics, "1.0"))
    assert first["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "file:///a%20folder/x%23y.c"
    assert first["relatedLocations"][0]["message"]["text"] == "there"


def test_no_diagnostics() -> None:
    assert check_log(render_sarif([], "1.0")) == []
