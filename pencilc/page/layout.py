"""A layered layout of boxes and the links between them: what waits for something stands below it.

    a -> b, a -> c, b -> d, c -> d               a
                                               b   c
                                                 d

Layers, an order within each, places (Sugiyama, Tagawa, Toda 1981), all in pixels.  Each label has a line of its own
between two layers, so that no two of them meet.
"""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Sequence as Seq
from itertools import pairwise

from pencilc.records import dataclass

_BESIDE = 28.0  # between boxes of a layer
_BETWEEN = 34.0  # between layers, where no label stands
_LABEL = 19.0  # a line for a label
_THREAD = 18.0  # the room that a link has where it passes a layer
_SWEEPS = 4
_EDGE = 12.0  # around everything


@dataclass(frozen=True, slots=True)
class GraphBox:
    """A box to be placed: `key` is what links call it, sizes are in pixels."""

    key: str
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class GraphLink:
    """A link from one box to another that stands below it; `label_width` is 0 where there is no label."""

    source: str
    target: str
    label_width: float = 0.0


@dataclass(frozen=True, slots=True)
class PlacedLink:
    """The points that a link passes, from its source down to its target, and where the middle of its label is."""

    points: tuple[tuple[float, float], ...]
    label: tuple[float, float]


@dataclass(frozen=True, slots=True)
class GraphLayout:
    """The corner at the top left of each box, the links in their order, the size of all."""

    corners: Mapping[str, tuple[float, float]]
    links: tuple[PlacedLink, ...]
    width: float
    height: float


@dataclass(slots=True)
class _Node:
    """A box, or the place where a link passes a layer (`box` is None)."""

    layer: int
    order: int
    width: float
    box: GraphBox | None
    x: float = 0.0


def laid_out(boxes: Seq[GraphBox], links: Seq[GraphLink]) -> GraphLayout:
    """Places for boxes whose links lead from earlier ones to later ones.

    Raises ValueError for a link that leads to its own source or to an earlier box.
    """
    layers = _layers(boxes, links)
    nodes = [_Node(layers[box.key], k, box.width, box) for k, box in enumerate(boxes)]
    number = {box.key: k for k, box in enumerate(boxes)}
    chains: list[list[int]] = []
    for link in links:
        first, last = number[link.source], number[link.target]
        chain = [first]
        for layer in range(nodes[first].layer + 1, nodes[last].layer):
            chain.append(len(nodes))
            nodes.append(_Node(layer, first, _THREAD, None))
        chains.append([*chain, last])
    rows = _rows(nodes, chains)
    _place_along(nodes, rows, chains)
    return _finished(nodes, rows, links, chains)


def _layers(boxes: Seq[GraphBox], links: Seq[GraphLink]) -> dict[str, int]:
    """The number of links of the longest way to each box."""
    position = {box.key: k for k, box in enumerate(boxes)}
    found: dict[str, int] = dict.fromkeys(position, 0)
    for box in boxes:
        for link in links:
            if link.source == box.key:
                if position[link.target] <= position[link.source]:
                    raise ValueError(f"the link from {link.source} to {link.target} leads backwards")
                found[link.target] = max(found[link.target], found[link.source] + 1)
    return found


def _rows(nodes: Seq[_Node], chains: Seq[Seq[int]]) -> list[list[int]]:
    """The nodes of each layer from left to right: each near the middle of its neighbours, in a few sweeps."""
    rows: list[list[int]] = [[] for _ in range(1 + max(node.layer for node in nodes))]
    for k, node in enumerate(nodes):
        rows[node.layer].append(k)
    above, below = _neighbours(len(nodes), chains)
    for row in rows:
        row.sort(key=lambda k: (nodes[k].order, k))
    for sweep in range(_SWEEPS):
        downwards = sweep % 2 == 0
        beside = above if downwards else below
        for row in rows if downwards else reversed(rows):
            place = {k: float(at) for line in rows for at, k in enumerate(line)}
            middle = {k: _mean([place[n] for n in beside[k]], place[k]) for k in row}
            row.sort(key=lambda k: (middle[k], nodes[k].order, k))
    return rows


def _neighbours(count: int, chains: Seq[Seq[int]]) -> tuple[list[list[int]], list[list[int]]]:
    above: list[list[int]] = [[] for _ in range(count)]
    below: list[list[int]] = [[] for _ in range(count)]
    for chain in chains:
        for upper, lower in pairwise(chain):
            above[lower].append(upper)
            below[upper].append(lower)
    return above, below


def _mean(values: Seq[float], otherwise: float) -> float:
    return sum(values) / len(values) if values else otherwise


def _place_along(nodes: Seq[_Node], rows: Seq[Seq[int]], chains: Seq[Seq[int]]) -> None:
    """The middle of each node along x: below each other where the order of the rows allows it."""
    above, below = _neighbours(len(nodes), chains)
    for row in rows:
        _spread(nodes, row, [0.0] * len(row))
    for sweep in range(_SWEEPS):
        beside = above if sweep % 2 == 0 else below
        for row in rows if sweep % 2 == 0 else reversed(rows):
            _spread(nodes, row, [_mean([nodes[n].x for n in beside[k]], nodes[k].x) for k in row])


def _spread(nodes: Seq[_Node], row: Seq[int], wanted: Seq[float]) -> None:
    """Put the nodes of a row as near to what is wanted as their widths allow, without a side that is preferred."""
    right: list[float] = []
    for k, x in zip(row, wanted, strict=True):
        right.append(max(x, right[-1] + _apart(nodes, row[len(right) - 1], k)) if right else x)
    left: list[float] = []
    for k, x in zip(reversed(row), reversed(wanted), strict=True):
        behind = row[len(row) - len(left)] if left else k
        left.append(min(x, left[-1] - _apart(nodes, k, behind)) if left else x)
    for k, low, high in zip(row, reversed(left), right, strict=True):
        nodes[k].x = (low + high) / 2


def _apart(nodes: Seq[_Node], one: int, other: int) -> float:
    return (nodes[one].width + nodes[other].width) / 2 + _BESIDE


def _finished(nodes: Seq[_Node], rows: Seq[Seq[int]], links: Seq[GraphLink], chains: Seq[Seq[int]]) -> GraphLayout:
    """Lines for labels between the layers, and with them the places along y."""
    labels: list[list[int]] = [[] for _ in rows]
    for k, (link, chain) in enumerate(zip(links, chains, strict=True)):
        if link.label_width:
            labels[nodes[chain[0]].layer].append(k)
    tops: list[float] = []
    y = 0.0
    heights = [max((nodes[k].box.height if nodes[k].box else 0.0 for k in row), default=0.0) for row in rows]  # type: ignore[union-attr]
    for height, below in zip(heights, labels, strict=True):
        tops.append(y)
        y += height + _BETWEEN + _LABEL * len(below)
    exits, entries = _ports(nodes, chains)
    placed: list[PlacedLink] = []
    for k, chain in enumerate(chains):
        points: list[tuple[float, float]] = []
        for at, node in enumerate(chain):
            layer = nodes[node].layer
            if at == 0:
                points.append((exits[k], tops[layer] + _height(nodes[node])))
            elif at + 1 == len(chain):
                points.append((entries[k], tops[layer]))
            else:
                points += [(nodes[node].x, tops[layer]), (nodes[node].x, tops[layer] + heights[layer])]
        layer = nodes[chain[0]].layer
        line = labels[layer].index(k) if k in labels[layer] else 0
        label = tops[layer] + heights[layer] + _BETWEEN / 2 + _LABEL * (line + 0.5)
        placed.append(PlacedLink(tuple(points), (_x_at(points[0], points[1], label), label)))
    return _moved(nodes, tops, placed, links)


def _height(node: _Node) -> float:
    return node.box.height if node.box is not None else 0.0


def _ports(nodes: Seq[_Node], chains: Seq[Seq[int]]) -> tuple[list[float], list[float]]:
    """Where along x each link leaves its source and reaches its target: in the order of where they come from."""
    exits, entries = [0.0] * len(chains), [0.0] * len(chains)
    for places, end, towards in ((exits, 0, 1), (entries, -1, -2)):
        of_node: dict[int, list[int]] = {}
        for k, chain in enumerate(chains):
            of_node.setdefault(chain[end], []).append(k)
        for node, found in of_node.items():
            found.sort(key=lambda k: (nodes[chains[k][towards]].x, k))
            step = min(26.0, nodes[node].width * 0.7 / len(found))
            for at, k in enumerate(found):
                places[k] = nodes[node].x + (at - (len(found) - 1) / 2) * step
    return exits, entries


def _x_at(first: tuple[float, float], second: tuple[float, float], y: float) -> float:
    """Where the curve between two points, which leaves both along y, is at `y`."""
    low, high = 0.0, 1.0
    for _ in range(30):
        t = (low + high) / 2
        middle = (first[1] + second[1]) / 2
        at = first[1] * (1 - t) ** 3 + 3 * middle * t * (1 - t) + second[1] * t**3
        low, high = (t, high) if at < y else (low, t)
    return first[0] + (second[0] - first[0]) * (3 * low * low - 2 * low**3)


def _moved(nodes: Seq[_Node], tops: Seq[float], placed: Seq[PlacedLink], links: Seq[GraphLink]) -> GraphLayout:
    """Everything moved so that it begins at the edge."""
    left = min(node.x - node.width / 2 for node in nodes)
    right = max(node.x + node.width / 2 for node in nodes)
    bottom = max(tops[node.layer] + _height(node) for node in nodes)
    for link, place in zip(links, placed, strict=True):
        if link.label_width:
            left = min(left, place.label[0] - link.label_width / 2)
            right = max(right, place.label[0] + link.label_width / 2)
    dx, dy = _EDGE - left, _EDGE
    corners: dict[str, tuple[float, float]] = {}
    for node in nodes:
        if node.box is not None:
            corners[node.box.key] = (node.x - node.width / 2 + dx, tops[node.layer] + dy)
    moved = tuple(
        PlacedLink(tuple((x + dx, y + dy) for x, y in each.points), (each.label[0] + dx, each.label[1] + dy))
        for each in placed
    )
    return GraphLayout(corners, moved, right - left + 2 * _EDGE, bottom + 2 * _EDGE)
