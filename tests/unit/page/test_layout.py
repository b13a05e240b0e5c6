"""Places of boxes and links: layers, order, nothing over anything else."""

from __future__ import annotations

from itertools import combinations, pairwise

import pytest

from pencilc.page.layout import GraphBox, GraphLayout, GraphLink, laid_out


def box(key: str, width: float = 100, height: float = 40) -> GraphBox:
    return GraphBox(key, width, height)


def boxes_apart(layout: GraphLayout, boxes: list[GraphBox]) -> bool:
    for one, other in combinations(boxes, 2):
        (x0, y0), (x1, y1) = layout.corners[one.key], layout.corners[other.key]
        beside = x0 + one.width <= x1 or x1 + other.width <= x0
        below = y0 + one.height <= y1 or y1 + other.height <= y0
        if not (beside or below):
            return False
    return True


def test_a_diamond() -> None:
    boxes = [box("a"), box("b"), box("c"), box("d")]
    links = [GraphLink("a", "b"), GraphLink("a", "c"), GraphLink("b", "d"), GraphLink("c", "d")]
    layout = laid_out(boxes, links)
    y = {key: corner[1] for key, corner in layout.corners.items()}
    assert y["a"] < y["b"] == y["c"] < y["d"]
    middle = {key: corner[0] + 50 for key, corner in layout.corners.items()}
    assert middle["a"] == pytest.approx(middle["d"]) == pytest.approx((middle["b"] + middle["c"]) / 2)
    assert boxes_apart(layout, boxes)
    for link, place in zip(links, layout.links, strict=True):
        assert place.points[0][1] == y[link.source] + 40 and place.points[-1][1] == y[link.target]


def test_a_long_link_passes_beside_what_is_between() -> None:
    boxes = [box("a"), box("b", 300), box("c")]
    layout = laid_out(boxes, [GraphLink("a", "b"), GraphLink("b", "c"), GraphLink("a", "c")])
    left, top = layout.corners["b"]
    passing = [x for x, y in layout.links[2].points if top <= y <= top + 40]
    assert len(passing) == 2 and all(x < left or x > left + 300 for x in passing)


def test_labels_have_lines_of_their_own() -> None:
    boxes = [box("a"), *(box(f"b{k}") for k in range(4))]
    layout = laid_out(boxes, [GraphLink("a", f"b{k}", 80) for k in range(4)])
    heights = sorted(place.label[1] for place in layout.links)
    assert all(second - first >= 15 for first, second in pairwise(heights))
    assert all(40 < y < layout.corners["b0"][1] for y in heights)
    assert all(40 <= place.label[0] <= layout.width - 40 for place in layout.links)


def test_nothing_leaves_the_picture() -> None:
    boxes = [box(str(k), 60 + 17 * k % 90) for k in range(12)]
    links = [GraphLink(str(a), str(b), 50) for a, b in combinations(range(12), 2) if (a * 7 + b) % 3 == 0]
    layout = laid_out(boxes, links)
    assert boxes_apart(layout, boxes)
    for each in boxes:
        x, y = layout.corners[each.key]
        assert x >= 0 and y >= 0 and x + each.width <= layout.width and y + each.height <= layout.height
    assert layout == laid_out(boxes, links)


def test_one_box() -> None:
    layout = laid_out([box("a")], [])
    assert (layout.width, layout.height) == (124, 64)


@pytest.mark.parametrize("link", [GraphLink("b", "a"), GraphLink("a", "a")])
def test_a_link_backwards(link: GraphLink) -> None:
    with pytest.raises(ValueError, match="leads backwards"):
        laid_out([box("a"), box("b")], [link])
