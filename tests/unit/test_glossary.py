"""The glossary has the words: those that documents set in bold, shapes, kinds, residences, marks, headings of dumps."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import get_args

import pytest

from pencilc.gpu.passes import PASS_NAMES
from pencilc.ir import bins, columns, combining, entry_nodes, halo, launching, on_chip, segments, tiles, time_nodes
from pencilc.ir.nodes import BuildingBlock, Node
from pencilc.ir.schedule import Flag, Tree
from pencilc.ir.scop import AccessKind, ArrayKind, StatementKind
from pencilc.ir.shapes import ReductionPlan, Shape
from pencilc.ir.storage import Residence
from tests.conftest import LADDER, ROOT

GLOSSARY = (ROOT / "docs" / "glossary.md").read_text()
# Bold there is a term; elsewhere it may be emphasis.
DEFINING = ("tour.md", "mapping.md", "fusion.md", "journeys.md", "recipes.md")
EMPHASIS = {"exactly", "greedily", "planned", "none was measured here", "What it does to the result."}
# With what lines of the dumps begin.
HEADINGS = {
    "10-scop.txt": (
        "context", "parameters", "arrays", "statements", "kill", "update", "reductions", "domain", "source order",
    ),
    "20-dependences.txt": ("flow", "anti", "output", "relaxed", "proximity"),
    "30-schedule.txt": ("band", "sequence"),
    "40-mapping.txt": (
        "kernel", "body", "reductions", "post", "rows", "kept", "reduced", "chunks", "block", "launch", "stage",
        "register", "shared", "storage", "copies",
    ),
    "45-kernels.txt": ("accumulator", "parameter", "segment", "stage", "launch", "combine", "exchange", "entry"),
}  # fmt: skip


# Where the building blocks are.
FAMILIES = (bins, columns, combining, entry_nodes, halo, launching, on_chip, segments, tiles, time_nodes)


def lines() -> list[tuple[str, str, str]]:
    """Word, meaning and source of each line."""
    rows = [line for line in GLOSSARY.partition("\n## ")[0].split("\n") if line.startswith("| ")]
    cells = [tuple(cell.strip() for cell in row.strip("|").split("|")) for row in rows[1:]]
    return [(word, meaning, source) for word, meaning, source in cells]


@cache
def terms() -> frozenset[str]:
    """The words of the glossary, in lower case; a line may have several, as `may write, must write`."""
    return frozenset(word.strip().lower() for line, _, _ in lines() for word in (line, *line.split(",")))


def is_there(word: str) -> bool:
    """Whether the glossary has the word, in the singular or the plural."""
    word = word.lower()
    return bool({word, word.removesuffix("s"), word + "s"} & terms())


def missing(words: Iterator[str] | list[str] | set[str]) -> list[str]:
    return sorted(word for word in words if not is_there(word))


def test_the_lines_are_in_order_and_have_their_source() -> None:
    words = [word for word, _, _ in lines()]
    assert words == sorted(words, key=lambda word: (word.lower(), word)) and len(set(words)) == len(words)
    known = set(re.findall(r"^\| (\[\w\]) \|", GLOSSARY.partition("## Sources")[2], flags=re.MULTILINE))
    cited = {key for _, _, source in lines() for key in re.findall(r"\[\w\]", source)}
    assert cited == known


@pytest.mark.parametrize("name", DEFINING)
def test_words_in_bold(name: str) -> None:
    text = (ROOT / "docs" / name).read_text()
    bold = {" ".join(found.split()) for found in re.findall(r"\*\*([^*]+)\*\*", text)}
    passes = {f"`{each}`" for each in PASS_NAMES}
    sentences = {found for found in bold if found.endswith(".")}
    assert not missing(bold - EMPHASIS - passes - sentences)


def test_words_of_the_model_and_of_the_schedule() -> None:
    kinds = [kind.value.replace("_", " ") for each in (AccessKind, ArrayKind, StatementKind) for kind in each]
    kinds = [kind for kind in kinds if kind not in ("read", "ordinary", "param", "local", "global", "merge")]
    nodes = [node.__name__ for node in get_args(Tree)]
    assert not missing([*kinds, *nodes, *get_args(Flag)])
    assert all(kind.value in GLOSSARY for kind in (*AccessKind, *ArrayKind))


def test_words_of_the_mapping() -> None:
    residences = [each.label for each in get_args(Residence)]
    assert all(re.search(rf"where a variable lives on the device: .*\b{label}\b", GLOSSARY) for label in residences)
    shapes = [shape.name for shape in Shape if shape not in (Shape.STITCHED, Shape.COMPOSED, Shape.LOOP)]
    assert not missing([*shapes, "stitched", "composed", "packed", "loop kernel"])
    assert {plan.__name__ for plan in get_args(ReductionPlan)} == {"Accumulated", "InThread", "Bins"}
    assert not missing(["accumulator", "in place", "bins"])


def test_nodes_of_the_kernel_tree() -> None:
    """All but the statements of the source, and no others; nodes that are a special case of one stand with it."""
    control_flow = {node for node in get_args(Node) if node.__module__ == BuildingBlock.__module__} - {BuildingBlock}
    blocks = set(BuildingBlock.__subclasses__())
    assert {node.__module__ for node in blocks} == {BuildingBlock.__module__, *(family.__name__ for family in FAMILIES)}
    nodes = {node.__name__ for node in control_flow | blocks}
    table = GLOSSARY.partition("## Nodes of the kernel tree")[2].partition("## Sources")[0]
    found = re.findall(r"^\| (`.+?) \|", table, flags=re.MULTILINE)
    assert {name for line in found for name in re.findall(r"`(\w+)`", line)} == nodes


def test_headings_of_dumps() -> None:
    for file, headings in HEADINGS.items():
        for name in sorted(LADDER):
            text = (ROOT / "tests" / "golden" / name / file).read_text()
            used = [heading for heading in headings if re.search(rf"^ *{heading}\b", text, flags=re.MULTILINE)]
            headings = tuple(heading for heading in headings if heading not in used)
        assert not headings, f"no dump has {headings}"
        told = HEADINGS[file]
        assert not [each for each in told if not (is_there(each) or is_there(f"{each} dependence"))]
