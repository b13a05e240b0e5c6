"""Conditions of templates ask whether a node has a part; what is compared is a decision, and is made in Python."""

from __future__ import annotations

from pathlib import Path

import jinja2
import pytest
from jinja2 import nodes

from tests.conftest import ROOT

TEMPLATES = ROOT / "templates"
DECIDING = (nodes.Compare, nodes.Filter, nodes.Test, nodes.Call, nodes.BinExpr)
# `x / 1` and `1 * x` are written as `x`, wherever products and quotients are printed: nothing else follows from it.
COMPARING = {"arithmetic.j2": 3}


def decisions(text: str) -> list[int]:
    """The lines where a condition is more than parts that are there or not, or a value is that of a comparison."""
    tree = jinja2.Environment(extensions=["jinja2.ext.do"]).parse(text)
    conditions: list[nodes.Node] = [found.test for found in tree.find_all(nodes.If)]
    conditions += [found.test for found in tree.find_all(nodes.CondExpr)]
    conditions += [found.test for found in tree.find_all(nodes.For) if found.test is not None]
    # `and`, `or` are operators of two sides too, but compare nothing.
    joined = (nodes.And, nodes.Or)
    inside = [[each, *each.find_all(nodes.Node)] for each in conditions]
    found = {
        condition.lineno
        for condition, parts in zip(conditions, inside, strict=True)
        if any(isinstance(part, DECIDING) and not isinstance(part, joined) for part in parts)
    }
    return sorted(found | {compared.lineno for compared in tree.find_all(nodes.Compare)})


@pytest.mark.parametrize(
    "path", sorted(TEMPLATES.rglob("*.j2")), ids=lambda path: path.relative_to(TEMPLATES).as_posix()
)
def test_conditions_ask_for_parts(path: Path) -> None:
    name = path.relative_to(TEMPLATES).as_posix()
    found = decisions(path.read_text())
    assert len(found) == COMPARING.get(name, 0), f"{name}: lines {found} compare"


def test_what_compares_is_seen() -> None:
    assert decisions("{% if s.point and not (k.loops or k.row) %}{% endif %}") == []
    for condition in ("s.width > 1", "not (end == '@items')", "s.sites | length", "k.a and f(k)", "n + 1"):
        assert decisions(f"\n{{% if {condition} %}}{{% endif %}}") == [2]
        assert decisions(f"\n{{{{ 'a' if {condition} }}}}") == [2]
        assert decisions(f"\n{{% for each in k.all if {condition} %}}{{% endfor %}}") == [2]
    assert decisions("\n{% set is_wide = k.width > 1 %}") == [2]
