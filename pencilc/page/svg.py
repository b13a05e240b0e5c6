"""Boxes, links and dots as SVG that stands in the page and takes its colours from there."""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Sequence as Seq
from itertools import pairwise

from markupsafe import Markup, escape

from pencilc.page.layout import GraphBox, GraphLayout, GraphLink, laid_out
from pencilc.records import dataclass

# Widths of characters in pixels: what fonts with fixed and with free widths have at the size of the pictures, at most.
_FIXED, _FREE = 7.4, 7.0
_LINE = 17.0
_PAD = 12.0
_HEAD = 34.0
_LONGEST = 44


@dataclass(frozen=True, slots=True)
class DrawnBox:
    """A box with its lines of text, the first of them its title; `href`: where it leads; `kind`: its class in the page.

    `inner`: what is drawn inside of it, below the text.
    """

    key: str
    lines: tuple[str, ...]
    kind: str
    href: str = ""
    inner: Drawing | None = None


@dataclass(frozen=True, slots=True)
class DrawnLink:
    """A link with its label; `kind`: its class in the page."""

    source: str
    target: str
    label: str
    kind: str


@dataclass(frozen=True, slots=True)
class Drawing:
    """Boxes in their places as text, without the element `svg` around them."""

    text: Markup
    width: float
    height: float


def graph(boxes: Seq[DrawnBox], links: Seq[DrawnLink]) -> Drawing:
    """The boxes below each other as the links say."""
    layout = laid_out(
        [GraphBox(box.key, *_size(box)) for box in boxes],
        [GraphLink(link.source, link.target, len(link.label) * _FREE if link.label else 0.0) for link in links],
    )
    lines = [*_links(layout, links)]
    for box in boxes:
        lines.append(_box(box, *layout.corners[box.key]))
    # Labels come last: they stand in front of links.
    for link, place in zip(links, layout.links, strict=True):
        if link.label:
            x, y = place.label
            lines.append(_plated(link, x, y))
    return Drawing(Markup("\n").join(lines), layout.width, layout.height)


def _plated(link: DrawnLink, x: float, y: float) -> Markup:
    """The label of a link on a plate that hides the link behind it."""
    width = len(link.label) * _FREE
    plate = Markup('<rect class="plate" x="{}" y="{}" width="{}" height="16"/>').format(
        _number(x - width / 2), _number(y - 8), _number(width)
    )
    return plate + label(x, y + 4, link.label, f"label {link.kind}")


def picture(drawing: Drawing, name: str, title: str) -> Markup:
    """The element `svg`; `name` tells it from the others of the page, `title` says what it shows to who cannot see."""
    width, height = _number(drawing.width), _number(drawing.height)
    return Markup(
        '<svg role="img" aria-labelledby="{name}-title" viewBox="0 0 {w} {h}" width="{w}" height="{h}">\n'
        '<title id="{name}-title">{title}</title>\n{text}\n</svg>'
    ).format(name=name, title=title, w=width, h=height, text=drawing.text)


def shortened(text: str, most: int = _LONGEST) -> str:
    """`text` without its middle where it is long; of a sentence whole words are left."""
    if len(text) <= most:
        return text
    head, tail = text[: most * 2 // 3], text[len(text) - most // 3 + 1 :]
    if " " in head and " " in tail:
        head, tail = head[: head.rindex(" ") + 1], tail[tail.index(" ") :]
    return f"{head}…{tail}"


def _size(box: DrawnBox) -> tuple[float, float]:
    widths = [len(shortened(line)) * (_FIXED if k == 0 else _FREE) for k, line in enumerate(box.lines)]
    width, height = max(widths) + 2 * _PAD, len(box.lines) * _LINE + 2 * _PAD - 6
    if box.inner is not None:
        width, height = max(width, box.inner.width + 2 * _PAD), height + box.inner.height
    return max(width, 96.0), height


def _box(box: DrawnBox, x: float, y: float) -> Markup:
    width, height = _size(box)
    middle = x + width / 2
    parts = [
        Markup('<rect x="{}" y="{}" width="{}" height="{}" rx="{}"/>').format(
            _number(x), _number(y), _number(width), _number(height), 16 if box.kind == "caller" else 7
        )
    ]
    for k, line in enumerate(box.lines):
        parts.append(
            Markup('<text class="{}" x="{}" y="{}">{}</text>').format(
                "name" if k == 0 else "told", _number(middle), _number(y + _PAD + 10 + k * _LINE), shortened(line)
            )
        )
    if any(shortened(line) != line for line in box.lines):
        parts.insert(0, Markup("<title>{}</title>").format("; ".join(box.lines)))
    text = Markup("").join(parts)
    if box.href:
        text = Markup('<a href="{}">{}</a>').format(box.href, text)
    inner = Markup("")
    if box.inner is not None:
        left = x + (width - box.inner.width) / 2
        top = y + height - box.inner.height
        inner = Markup('<g transform="translate({} {})">{}</g>').format(_number(left), _number(top), box.inner.text)
    return Markup('<g class="box {}">{}{}</g>').format(box.kind, text, inner)


def _links(layout: GraphLayout, links: Seq[DrawnLink]) -> Iterable[Markup]:
    for link, place in zip(links, layout.links, strict=True):
        points = place.points
        path = [f"M{_number(points[0][0])} {_number(points[0][1])}"]
        for (x0, y0), (x1, y1) in pairwise(points):
            middle = _number((y0 + y1) / 2)
            path.append(f"C{_number(x0)} {middle} {_number(x1)} {middle} {_number(x1)} {_number(y1)}")
        x, y = points[-1]
        yield Markup('<path class="link {}" d="{}"/>').format(link.kind, " ".join(path))
        yield Markup('<path class="head {}" d="M{} {}l-4.5 -9h9z"/>').format(link.kind, _number(x), _number(y))


def dots(
    points: Iterable[tuple[float, float, str, str]], arrows: Iterable[tuple[float, float, float, float, str]]
) -> Markup:
    """Points as (x, y, text inside, class), arrows between their middles as (x, y, x, y, class)."""
    lines: list[Markup] = []
    for x0, y0, x1, y1, kind in arrows:
        lines.append(_arrow(x0, y0, x1, y1, kind))
    for x, y, text, kind in points:
        lines.append(
            Markup('<circle class="point {}" cx="{}" cy="{}" r="{}"/>').format(kind, _number(x), _number(y), RADIUS)
        )
        if text:
            lines.append(
                Markup('<text class="when {}" x="{}" y="{}">{}</text>').format(kind, _number(x), _number(y + 3.5), text)
            )
    return Markup("\n").join(lines)


RADIUS = 9


def _arrow(x0: float, y0: float, x1: float, y1: float, kind: str) -> Markup:
    """From the edge of one point to that of another; a long one is bent, so that it passes those between."""
    dx, dy = x1 - x0, y1 - y0
    length = max(1.0, (dx * dx + dy * dy) ** 0.5)
    ux, uy = dx / length, dy / length
    ax, ay, bx, by = x0 + ux * RADIUS, y0 + uy * RADIUS, x1 - ux * (RADIUS + 7), y1 - uy * (RADIUS + 7)
    if kind == "relaxed":
        return Markup('<path class="dep relaxed" d="M{} {}L{} {}"/>').format(
            *map(_number, (ax, ay, x1 - ux * RADIUS, y1 - uy * RADIUS))
        )
    bend = 0.0 if length < 60 else 14.0
    cx, cy = (ax + bx) / 2 - uy * bend, (ay + by) / 2 + ux * bend
    return Markup('<path class="dep {}" d="M{} {}Q{} {} {} {}"/><path class="tip {}" d="M{} {}L{} {}L{} {}z"/>').format(
        kind, *map(_number, (ax, ay, cx, cy, bx, by)), kind,
        *map(_number, (bx + ux * 7, by + uy * 7, bx - uy * 3.5, by + ux * 3.5, bx + uy * 3.5, by - ux * 3.5)),
    )  # fmt: skip


def label(x: float, y: float, text: str, kind: str) -> Markup:
    """A piece of text whose place is its middle."""
    return Markup('<text class="{}" x="{}" y="{}">{}</text>').format(kind, _number(x), _number(y), escape(text))


def _number(value: float) -> str:
    """A coordinate without digits that nobody sees: the same on every machine."""
    text = f"{value:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text
