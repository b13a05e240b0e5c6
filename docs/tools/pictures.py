"""The pictures of `docs/kernels.md`: `python -m docs.tools.pictures` writes them to `docs/pictures/`.

A picture is a card with a ground of its own, light or dark as the reader's system has it, so that it can be read on any
page.  `tests/unit/test_site.py` holds that the files are what this module makes, and that the colours differ enough.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET
from pathlib import Path

FOLDER = Path(__file__).resolve().parent.parent / "pictures"

# For each class: what is painted on what, in the light and in the dark.  `ground` is the card.
PALETTE = {
    "ground": ("#ffffff", "#1f2328"),
    "text": ("#1f2328", "#e6edf3"),
    "line": ("#57606a", "#9da7b1"),
    "memory": ("#ddf4ff", "#0b3a5c"),
    "thread": ("#dafbe1", "#0f4a24"),
    "result": ("#fff1c2", "#5c4300"),
    "other": ("#f0f1f3", "#343b44"),
}
# What boxes are filled with; text stands on each of them.
FILLS = ("memory", "thread", "result", "other")
_HEIGHT = 26


def _style() -> str:
    def rules(mode: int) -> str:
        of = {name: colours[mode] for name, colours in PALETTE.items()}
        fills = " ".join(f".{name} {{ fill: {of[name]}; stroke: {of['line']}; }}" for name in FILLS)
        return (
            f".ground {{ fill: {of['ground']}; stroke: {of['line']}; }} text {{ fill: {of['text']}; }} "
            f".line {{ stroke: {of['line']}; fill: none; }} .head {{ fill: {of['line']}; }} {fills}"
        )

    dark = f"@media (prefers-color-scheme: dark) {{ {rules(1)} }}"
    return f"text {{ font: 13px ui-sans-serif, sans-serif; }} {rules(0)} {dark}"


class Picture:
    """A drawing of boxes, words and arrows; all places are in pixels from the upper left corner."""

    def __init__(self, width: int, height: int, title: str) -> None:
        self.root = ET.Element(
            "svg", xmlns="http://www.w3.org/2000/svg", viewBox=f"0 0 {width} {height}", width=str(width),
            height=str(height), role="img",
        )  # fmt: skip
        ET.SubElement(self.root, "title").text = title
        ET.SubElement(self.root, "style").text = _style()
        marker = ET.SubElement(
            ET.SubElement(self.root, "defs"), "marker", id="head", viewBox="0 0 8 8", refX="7", refY="4",
            markerWidth="7", markerHeight="7", orient="auto",
        )  # fmt: skip
        ET.SubElement(marker, "path", d="M0 0 L8 4 L0 8 z").set("class", "head")
        self._rectangle(0.5, 0.5, width - 1, height - 1, "ground", 8)

    def _rectangle(self, x: float, y: float, width: float, height: float, kind: str, round_: int = 3) -> None:
        box = ET.SubElement(self.root, "rect", x=str(x), y=str(y), width=str(width), height=str(height), rx=str(round_))
        box.set("class", kind)

    def box(self, x: float, y: float, width: float, kind: str, text: str = "", height: float = _HEIGHT) -> None:
        """A box with a word in its middle."""
        self._rectangle(x, y, width, height, kind)
        if text:
            self.text(x + width / 2, y + height / 2 + 4.5, text, "middle")

    def row(self, x: float, y: float, width: float, kinds: list[str], texts: list[str] | None = None) -> None:
        """Boxes side by side, one for each kind."""
        for k, kind in enumerate(kinds):
            self.box(x + k * width, y, width, kind, texts[k] if texts else "")

    def text(self, x: float, y: float, text: str, anchor: str = "start") -> None:
        """A line of text that begins, ends or has its middle at x."""
        element = ET.SubElement(self.root, "text", x=str(x), y=str(y))
        element.set("text-anchor", anchor)
        element.text = text

    def arrow(self, x: float, y: float, to_x: float, to_y: float) -> None:
        """An arrow from one place to another."""
        line = ET.SubElement(self.root, "line", x1=str(x), y1=str(y), x2=str(to_x), y2=str(to_y))
        line.set("class", "line")
        line.set("marker-end", "url(#head)")

    def svg(self) -> str:
        """The file."""
        ET.indent(self.root)
        return ET.tostring(self.root, encoding="unicode") + "\n"


def merge() -> Picture:
    """What a reduction is to the compiler: updates that wait for their init alone, and a merge node behind them."""
    picture = Picture(640, 210, "The updates of a reduction, its initialisation and its merge node")
    picture.box(20, 90, 90, "result", "zero(&s)")
    for k, name in enumerate(("a[0]", "a[1]", "a[2]", "…", "a[n-1]")):
        y = 20 + 36 * k
        picture.box(200, y, 120, "thread", f"s += {name}" if name != "…" else "…")
        picture.arrow(112, 103, 196, y + 13)
        picture.arrow(322, y + 13, 416, 103)
    picture.box(420, 90, 90, "result", "s complete")
    picture.arrow(512, 103, 546, 103)
    picture.box(550, 90, 72, "other", "use of s")
    picture.text(420, 140, "merge node: who uses s")
    picture.text(420, 157, "waits for this, and")
    picture.text(420, 174, "sees no partial sum")
    return picture


def grid() -> Picture:
    """How one result comes out of a whole grid."""
    picture = Picture(720, 400, "From elements in memory to one result: threads, warps, blocks, the last block")
    picture.text(20, 30, "memory: each box is a chunk of 16 bytes, four floats")
    picture.row(20, 40, 42, ["memory"] * 16, [f"t{k % 8}" for k in range(16)])
    picture.text(
        20, 88, "tk: thread k loads it; neighbouring threads load neighbouring chunks, several before the first is used"
    )
    picture.text(20, 122, "threads: accumulators in registers")
    picture.row(20, 132, 84, ["thread"] * 8, [f"t{k}" for k in range(8)])
    for first in (0, 4):
        for k in range(4):
            picture.arrow(62 + 84 * (first + k), 160, 188 + 84 * first, 198)
    picture.text(20, 192, "shuffles")
    picture.box(104, 202, 168, "thread", "a warp: 32 lanes")
    picture.box(440, 202, 168, "thread", "a warp: 32 lanes")
    picture.arrow(188, 230, 290, 262)
    picture.arrow(524, 230, 422, 262)
    picture.text(20, 262, "shared memory")
    picture.box(240, 266, 232, "other", "a block: one value")
    picture.arrow(356, 294, 356, 320)
    picture.text(20, 330, "memory: a value")
    picture.text(20, 346, "for each block")
    picture.row(188, 324, 84, ["memory"] * 4, ["block 0", "block 1", "…", "last"])
    picture.arrow(526, 337, 566, 337)
    picture.box(570, 324, 130, "result", "result")
    picture.text(
        188, 376, "the block that arrives last combines them, in the order of the blocks, and adds init's value"
    )
    return picture


def shapes() -> Picture:
    """Which threads take which elements of a matrix, by what is reduced."""
    picture = Picture(720, 260, "The shapes ALL, ROW and COLUMN on a matrix")

    def matrix(x: int, kinds: list[list[str]]) -> None:
        for i, row in enumerate(kinds):
            for j, kind in enumerate(row):
                picture.box(x + 26 * j, 40 + 26 * i, 26, kind)

    picture.text(20, 28, "ALL: one result")
    matrix(20, [["thread"] * 6] * 4)
    picture.arrow(180, 92, 206, 92)
    picture.box(210, 79, 26, "result")
    picture.text(20, 172, "all threads take chunks of the whole,")
    picture.text(20, 190, "as if it were one row")

    picture.text(270, 28, "ROW: a result for each row")
    matrix(270, [["thread"] * 6, ["memory"] * 6, ["thread"] * 6, ["memory"] * 6])
    for i in range(4):
        picture.arrow(430, 53 + 26 * i, 446, 53 + 26 * i)
        picture.box(450, 40 + 26 * i, 26, "result")
    picture.text(270, 172, "a row goes to some lanes,")
    picture.text(270, 190, "a warp, a block or several blocks,")
    picture.text(270, 208, "by its length and the number of rows")

    picture.text(510, 28, "COLUMN: for each column")
    matrix(510, [["thread", "thread", "memory", "memory", "thread", "thread"]] * 4)
    for j in range(6):
        picture.arrow(523 + 26 * j, 146, 523 + 26 * j, 160)
        picture.box(510 + 26 * j, 164, 26, "result")
    picture.text(510, 212, "threads side by side own columns")
    picture.text(510, 230, "and walk down; others take rows")
    return picture


def bins() -> Picture:
    """How a histogram of integers is filled."""
    picture = Picture(720, 250, "A histogram: private copies of the bins in shared memory, then one flush")
    picture.text(20, 30, "pixels in memory")
    picture.row(20, 40, 34, ["memory"] * 20, list("33310002221130002231"))
    for x, name in ((20, "block 0"), (380, "block 1")):
        picture.arrow(x + 160, 68, x + 160, 96)
        picture.text(x, 92, name)
        picture.box(x, 102, 320, "other", "", 62)
        picture.text(x + 10, 120, "bins of a warp, in shared memory")
        picture.row(x + 10, 128, 72, ["thread"] * 4, ["0", "1", "2", "3"])
        picture.arrow(x + 160, 166, 360, 206)
    picture.text(20, 200, "one flush by atomics")
    picture.row(216, 210, 72, ["result"] * 4, ["0", "1", "2", "3"])
    picture.text(520, 228, "bins in memory")
    return picture


def stitched() -> Picture:
    """Softmax of a row: three kernels, and the one that they are stitched to."""
    picture = Picture(720, 290, "Softmax of a row, as three kernels and as one")
    picture.text(20, 28, "one by one: three launches, x is read three times")
    for k, (name, made) in enumerate(
        (("largest x", "max"), ("sum of exp(x - max)", "sum"), ("exp(x - max) / sum", "y"))
    ):
        x = 20 + 236 * k
        picture.box(x, 40, 208, "memory", "x in memory")
        picture.arrow(x + 104, 68, x + 104, 84)
        picture.box(x, 88, 208, "thread", name)
        picture.arrow(x + 104, 116, x + 104, 132)
        picture.box(x, 136, 208, "memory", f"{made} in memory")
    picture.text(20, 192, "stitched: one launch, x is read once, max and sum never leave the chip")
    picture.box(20, 204, 92, "memory", "x in memory")
    picture.arrow(114, 217, 134, 217)
    picture.box(138, 204, 464, "other", "", 66)
    for k, name in enumerate(("largest x", "sum of exp", "quotients")):
        picture.box(152 + 150 * k, 212, 136, "thread", name)
        if k:
            picture.arrow(140 + 150 * k, 225, 150 + 150 * k, 225)
    picture.text(152, 260, "x and exp(x - max) stay in registers of their threads")
    picture.arrow(604, 217, 620, 217)
    picture.box(624, 204, 80, "memory", "y")
    return picture


PICTURES = {"merge": merge, "grid": grid, "shapes": shapes, "bins": bins, "stitched": stitched}

if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name, drawn in PICTURES.items():
        (FOLDER / f"{name}.svg").write_text(drawn().svg())
