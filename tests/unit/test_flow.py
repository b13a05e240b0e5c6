"""What isl's flow analysis is given."""

from __future__ import annotations

from pencilc import islx
from pencilc.diagnostics.source import SourceFile
from pencilc.driver import compile_source
from pencilc.options import CompileOptions
from pencilc.poly.dependences.flow import flow_model


def pieces_read(neighbours: str) -> int:
    """Of how many pieces the relation of what a statement reads of `a` is made."""
    text = f"""void f(int n, const float a[static const restrict n + 6][n + 6], float b[static const restrict n][n]) {{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) b[i][j] = {neighbours};
#pragma endscop
}}
"""
    scop = compile_source(SourceFile("f.c", text), CompileOptions(), "scop").scops[0]
    (read,) = islx.maps_of(flow_model(scop).reads)
    return int(read.n_basic_map())


def test_many_neighbours_are_one_relation() -> None:
    """Few are compared with the writes one by one, which asks less of isl."""
    window = [f"a[i + {y}][j + {x}]" for y in range(5) for x in range(5)]
    assert pieces_read(" + ".join(window)) == 1
    assert pieces_read(" + ".join(window[:3])) == 3
