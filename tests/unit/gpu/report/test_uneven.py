"""What is counted for tiles of triangles, against a count of every point in Python."""

from __future__ import annotations

import json
from functools import cache

import pytest

from pencilc.diagnostics.source import SourceFile
from pencilc.driver import Compilation, compile_source
from pencilc.gpu.report.contractions import Contraction, contractions
from pencilc.gpu.report.uneven import LOOKED_AT, UnevenTiles
from pencilc.options import CompileOptions
from pencilc.report.json import report_json
from pencilc.report.text import report_text

HEAD = """#include <pencil.h>
static void zero(float *v) { *v = 0; }
static float add(float a, float b) { return a + b; }
"""
TEXT = """void f(int n, int m, const float a[static const restrict 2 * n][2 * m],
       const float b[static const restrict 2 * m][2 * n], float c[static const restrict n][n])
{{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = {first}; j <= {last}; j++) {{
            __pencil_reduction_var_init(&c[i][j], zero);
            for (int k = {low}; k <= {high}; k++)
                __pencil_reduction(&c[i][j], {element}, add);
        }}
#pragma endscop
}}
"""
BATCH = """void f(int h, int n, const float a[static const restrict h][n][n],
       const float b[static const restrict h][n][n], float c[static const restrict h][n][n])
{{
#pragma scop
    for (int x = 0; x < {layers}; x++)
        for (int i = {first}; i < n; i++)
            for (int j = 0; j < n; j++) {{
                __pencil_reduction_var_init(&c[x][i][j], zero);
                for (int k = 0; k <= i; k++)
                    __pencil_reduction(&c[x][i][j], a[x][i][k] * b[x][k][j], add);
            }}
#pragma endscop
}}
"""
# Of i, of j and of k, as the source has them.
RANGES = {
    "points": ("0", "i", "0", "m - 1"),
    "points above": ("i + 1", "n - 1", "0", "m - 1"),
    "reduced": ("0", "n - 1", "0", "i"),
    "reduced behind": ("0", "n - 1", "i + 1", "n - 1"),
    "by columns": ("0", "n - 1", "0", "j"),
    "both": ("0", "i", "j", "i"),
    "results alone": ("0", "n - 1", "j", "i"),
}


@cache
def compiled(text: str, **sizes: int) -> Compilation:
    return compile_source(SourceFile("f.c", HEAD + text), CompileOptions(sizes=tuple(sizes.items())), "mapping")


def found(text: str, **sizes: int) -> Contraction:
    (contraction,) = contractions(compiled(text, **sizes).programs[0])
    return contraction


def source(shape: str, element: str = "a[i][k] * b[k][j]") -> str:
    first, last, low, high = RANGES[shape]
    return TEXT.format(first=first, last=last, low=low, high=high, element=element)


def _is_between(first: str, last: str, i: int, j: int, names: dict[str, int]) -> bool:
    return bool(eval(first, {**names, "i": i}) <= j <= eval(last, {**names, "i": i}))


def counted(shape: str, n: int, m: int, down: int, across: int, depth: int, deepest: int) -> UnevenTiles:
    """What `UnevenTiles` says, point by point; operands are elements of four bytes."""
    first, last, low, high = RANGES[shape]

    def of(i: int, j: int) -> range:
        return range(eval(low, names | {"i": i, "j": j}), eval(high, names | {"i": i, "j": j}) + 1)

    names = {"n": n, "m": m}
    every = {(i, j): of(i, j) for i in range(n) for j in range(n) if _is_between(first, last, i, j, names)}
    some = {point: range_ for point, range_ in every.items() if range_}
    place = min(i for i, _ in every), min(j for _, j in every)
    behind = max(i for i, _ in every) + 1, max(j for _, j in every) + 1
    start, end = min(r.start for r in some.values()), max(r.stop for r in some.values())
    read_down, read_across = ({(p[side], k) for p, r in some.items() for k in r} for side in (0, 1))
    has_same = len(set(some.values())) == 1
    tiles = inhabited = working = fetched = places = asked = 0
    for top in range(place[0], behind[0], down):
        for left in range(place[1], behind[1], across):
            tiles += 1
            inside = {p: r for p, r in every.items() if 0 <= p[0] - top < down and 0 <= p[1] - left < across}
            if not inside:
                continue
            inhabited += 1
            if not any(inside.values()):
                continue
            working += 1
            begin = min(r.start for r in inside.values() if r)
            begin -= (begin - start) % deepest
            reached = range(begin, max(r.stop for r in inside.values() if r))
            rows, columns = range(top, min(top + down, behind[0])), range(left, min(left + across, behind[1]))
            for lines, read in ((rows, read_down), (columns, read_across)):
                fetched += 4 * sum(has_same or (line, k) in read for line in lines for k in reached)
            places += down * across * len(reached)
            if has_same:
                continue
            for at in reached[::depth]:
                ks = range(at, at + depth)
                whole = ks.stop <= end and all(k in r for r in inside.values() for k in ks)
                whole &= all((i, k) in read_down for i in rows for k in ks)
                whole &= all((j, k) in read_across for j in columns for k in ks)
                asked += 0 if whole else down * across * len([k for k in ks if k in reached])
    return UnevenTiles(tiles, inhabited, working, fetched, places, asked)


@pytest.mark.parametrize("shape", RANGES)
@pytest.mark.parametrize("n", [64, 75])
def test_tiles_against_every_point(shape: str, n: int) -> None:
    m = 40
    contraction = found(source(shape), n=n, m=n if "k" in shape else m)
    deepest = max(size.depth for size in contraction.sizes)
    for size in contraction.sizes:
        assert size.uneven == counted(shape, n, m, size.down, size.across, size.depth, deepest), (size.down, n)


def test_of_many_rows_one_stands_for_several() -> None:
    """What is counted of a triangle of 2048 rows is off by less than a hundredth."""
    (size,) = (each for each in found(source("both"), n=2048).sizes if (each.down, each.across) == (128, 128))
    assert size.uneven is not None and LOOKED_AT < 2048
    edge, tiles = 128, 16
    inhabited = tiles * (tiles + 1) // 2
    assert (size.uneven.tiles, size.uneven.inhabited) == (tiles**2, inhabited)
    # The tiles of a diagonal have as many reduced tiles, of which those at both ends are read in part.
    deep = sum((tiles - away) * (away + 1) for away in range(tiles))
    assert size.uneven.places == deep * edge**3
    read = 2 * (deep * edge**2 - inhabited * edge * (edge - 1) // 2)
    assert size.uneven.fetched == pytest.approx(4 * read, rel=0.01)


def test_elements_and_bytes_make_the_intensity() -> None:
    contraction = found(source("reduced"), n=1024, m=1024)
    assert contraction.uneven is not None and contraction.not_counted == ""
    assert contraction.uneven.elements == pytest.approx(1024 * 1024 * 1025 / 2, rel=0.01)
    for size in contraction.sizes:
        assert size.uneven is not None and size.share is not None
        assert size.intensity == contraction.uneven.elements / size.uneven.fetched
        # Of whole tiles it would be more.
        assert size.intensity < size.down * size.across / 4 / (size.down + size.across)


def test_the_share_falls_by_what_is_no_element() -> None:
    largest, large, *_ = found(source("both"), n=2048).sizes
    whole, *_ = found(source("points"), n=2048, m=2048).sizes
    assert largest.share is not None and large.share is not None and whole.share is not None
    assert largest.share < large.share < whole.share < 1
    assert largest.limit == "conditions of single elements"
    assert whole.limit == "elements that the source has not"


def test_tiles_with_results_alone() -> None:
    """Where the condition is inside of the loop, points without elements have results all the same."""
    text = source("points").replace("j <= i", "j < n").replace("m - 1; k++)", "m - 1; k++) if (j <= i)")
    for size, other in zip(found(text, n=512, m=64).sizes, found(source("points"), n=512, m=64).sizes, strict=True):
        assert size.uneven is not None and other.uneven is not None
        assert size.uneven.inhabited == size.uneven.tiles > size.uneven.with_elements == other.uneven.inhabited
        assert (size.uneven.fetched, size.uneven.places) == (other.uneven.fetched, other.uneven.places)
    assert "of 16 tiles 38% have results alone, and fetch nothing; the others" in report_text(
        compiled(text, n=512, m=64)
    )


def test_boxes_are_told_as_before() -> None:
    """A sum that may have no terms is a box all the same."""
    contraction = found(source("points").replace("j <= i", "j < n"))
    assert (contraction.uneven, contraction.not_counted) == (None, "")
    assert all(size.uneven is None for size in contraction.sizes)


def test_layers() -> None:
    """Layers that are alike count as often as there are; others are not counted, and the report says so."""
    alike = found(BATCH.format(layers="h", first="0"), h=3, n=70)
    alone = found(source("reduced"), n=70, m=70)
    for size, other in zip(alike.sizes, alone.sizes, strict=True):
        assert size.uneven is not None and other.uneven is not None
        assert (size.uneven.tiles, size.uneven.fetched) == (3 * other.uneven.tiles, 3 * other.uneven.fetched)
    text = BATCH.format(layers="n", first="x")
    differing = found(text, h=3, n=70)
    assert differing.uneven is None and all(size.uneven is None for size in differing.sizes)
    assert "tiles are told as if all were whole: layers have different points" in report_text(compiled(text, h=3, n=70))


def test_the_report_has_them() -> None:
    done = compiled(source("points"), n=2048, m=64)
    text = report_text(done)
    assert "no box: 2,098,176 of 4,194,304 points of the box have elements; 50% of its places are elements" in text
    assert "(n = 2048 given, m = 64 given)" in text
    assert "of 256 tiles 47% have no point, and their blocks end at once; the others fetch 8.91 MB" in text
    (region,) = json.loads(report_json(done))["regions"]
    (contraction,) = region["contractions"]
    assert contraction["uneven"]["points"] == 2098176
    size = next(each for each in contraction["sizes"] if each["down"] == 128)
    assert size["uneven"]["inhabited"] == 136 and size["uneven"]["fetched"] == 136 * 2 * 128 * 64 * 4


def test_launches_of_a_loop_on_the_host() -> None:
    """The one in the middle is told; here points of a tile are below a line that moves with the loop."""
    text = """void f(int n, int m, float a[static const restrict n][n], float b[static const restrict n][m])
{
#pragma scop
    for (int t = 0; t < n; t++) {
        for (int i = t; i < n; i++)
            for (int j = t; j <= i; j++)
                for (int k = 0; k < m; k++)
                    a[i][j] += b[i][k] * b[j][k];
        for (int i = 0; i < n; i++)
            for (int k = 0; k < m; k++)
                b[i][k] = 0.5f * b[i][k] + a[n - 1][n - 1];
    }
#pragma endscop
}
"""
    contraction = found(text, n=129, m=40)
    assert contraction.uneven is not None and contraction.uneven.host == ("t",)
    assert contraction.uneven.points == 65 * 66 // 2


@pytest.mark.parametrize(
    ("low", "high", "why"),
    [
        ("i", "i + 3", "no point has the reduced points of all others, as the longest row of a triangle has"),
        ("2 * i", "(2 * i + 3 < n ? 2 * i + 3 : n - 1)", "the ends of their loops are no one expression of the sizes"),
    ],
    ids=["a band", "a band that is cut off"],
)
def test_why_a_kernel_has_no_tiles(low: str, high: str, why: str) -> None:
    text = f"""void f(int n, int m, const float a[static const restrict n][n + 3],
       const float b[static const restrict n + 3][n], float c[static const restrict n][n])
{{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = {low}; k <= {high}; k++)
                c[i][j] += a[i][k] * b[k][j];
#pragma endscop
}}
"""
    done = compiled(text)
    assert not list(contractions(done.programs[0]))
    assert f"no tiles of points that share what they read: {why}" in report_text(done)
