"""Loops on the host whose iterations go in tiles, for tests of what makes, sizes and checks these."""

from __future__ import annotations

from functools import cache

from pencilc.ir.mapping import HostLoop, loops_of
from pencilc.ir.time_tiles import HeldArray, TimeTiling
from pencilc.options import CompileOptions
from tests.unit.records import DEFAULT, timed

INSIDE = "for (int i = 1; i < n - 1; i++) for (int j = 1; j < m - 1; j++)"
NEAR = "y[i][j] = x[i - 1][j] + x[i + 1][j] + x[i][j - 1] + x[i][j + 1];"
COPIED = f"FOR(t, 9) {{ {INSIDE} {NEAR} {INSIDE} x[i][j] = y[i][j]; }}"
BOTH = f"FOR(t, 9) {{ {INSIDE} {NEAR} {INSIDE} x[i][j] = y[i - 1][j] + y[i][j + 1]; }}"
ENDS = "FOR(j, m) { x[0][j] = x[1][j]; x[n - 1][j] = z[j]; }"
BORDERS = f"FOR(t, 9) {{ {INSIDE} {NEAR} {INSIDE} x[i][j] = y[i][j]; {ENDS} }}"
ALL_EDGES = f"""FOR(t, 9) {{
    {INSIDE} {NEAR}
    for (int i = 1; i < n - 1; i++) {{ y[i][0] = y[i][1]; y[i][m - 1] = y[i][m - 2]; }}
    FOR(j, m) {{ y[0][j] = y[1][j]; y[n - 1][j] = y[n - 2][j]; }}
    FOR(i, n) FOR(j, m) x[i][j] = y[i][j];
}}"""
IN_PLACE = """FOR(t, 9) {
    for (int i = 1; i < n; i++) FOR(j, m) x[i][j] = x[i][j] - y[i][j] + y[i - 1][j];
    for (int i = 0; i < n - 1; i++) FOR(j, m) y[i][j] = y[i][j] - x[i + 1][j] + x[i][j];
}"""
BEGUN = "float u[3][n][m]; FOR(k, 3) FOR(i, n) FOR(j, m) u[k][i][j] = k + x[i][j];"
IN_TURNS = f"""{BEGUN} FOR(t, 9) {{
    {INSIDE} u[(t + 1) % 3][i][j] = u[t % 3][i - 1][j] + u[(t + 2) % 3][i][j + 1];
}} y[0][0] = u[0][1][1];"""
BY_NUMBER = f"""{BEGUN} FOR(t, 9) {{
    {INSIDE} u[1][i][j] = u[0][i - 1][j] + u[2][i][j];
    {INSIDE} u[0][i][j] = u[1][i][j];
}} y[0][0] = u[0][1][1];"""
TURNS = (
    f"FOR(t, 9) {{ if (t % 2 == 0) {{ {INSIDE} {NEAR} }} else {{ {INSIDE} x[i][j] = y[i - 1][j] + y[i][j + 1]; }} }}"
)
ON_LINE = "for (int i = 1; i < n - 1; i++)"
LINE = f"FOR(t, 9) {{ {ON_LINE} b[i] = a[i - 1] + a[i + 1]; {ON_LINE} a[i] = b[i]; }}"


@cache
def loop(body: str, options: CompileOptions = DEFAULT) -> HostLoop:
    """The only loop on the host."""
    (found,) = loops_of(timed(body, options).items)
    return found


def tiling(body: str, options: CompileOptions = DEFAULT) -> TimeTiling:
    """The tiles of that loop."""
    found = loop(body, options).tiling
    assert found is not None, loop(body, options).not_tiled
    return found


def held(made: TimeTiling) -> dict[str, HeldArray]:
    """What tiles hold, by the array."""
    return {each.symbol: each for each in made.arrays}
