"""Long lines of dumps."""

from __future__ import annotations

import re

from pencilc.ir.folding import WIDTH, folded


def test_what_is_short_stays() -> None:
    text = "kernel f\n  launch: threads 256\n\n"
    assert folded(text) == text


def test_pieces_of_a_relation_stand_below_each_other() -> None:
    piece = "S1[i, j] -> S2[i' = i, j'] : 0 <= i < n and 0 <= j < m and 0 <= j' < m"
    lines = folded(f"  {{ {piece}; {piece}; {piece} }}").split("\n")
    assert lines == [f"  {{ {piece};", f"      {piece};", f"      {piece} }}"]
    assert folded(f"  {{ {piece} }}") == f"  {{ {piece} }}"


def test_ends_of_a_range_stand_below_each_other() -> None:
    ends = ", ".join(["{ [(0)] : a >= 0; [(-a)] : a < 0 }"] * 2)
    text = f"  [{ends}] to [{ends}] for {{ : a > 0 }}"
    assert folded(text).split("\n") == [f"  [{ends}]", f"      to [{ends}]", "      for { : a > 0 }"]
    assert folded("  [0] to [n] for { : n > 0 }") == "  [0] to [n] for { : n > 0 }"


def test_lists_and_conditions_are_filled() -> None:
    lines = folded("    forms " + ", ".join(f"f_stitched0<256, {k}>" for k in range(20))).split("\n")
    assert len(lines) == 4 and all(len(line) <= WIDTH for line in lines)
    assert lines[0].startswith("    forms f") and all(line.startswith("        f") for line in lines[1:])
    condition = "{ S[i] : " + " and ".join(f"p{k} <= i < q{k}" for k in range(12)) + " }"
    first, second = folded(condition).split("\n")
    assert second.startswith("    and p")
    assert f"{first} {second.strip()}" == condition


def test_only_white_space_changes() -> None:
    text = "x if a or b for c, " * 40 + '\nsay "a, b, c' + ", d" * 60 + '"\n' + "w" * 200 + "\n"
    assert re.sub(r"\s+", " ", folded(text)) == re.sub(r"\s+", " ", text)
    assert '"a, b, c' + ", d" * 60 + '"' in folded(text) and "w" * 200 in folded(text).split("\n")
