"""The first two sweeps of a few lines of C."""

from __future__ import annotations

from pencilc.gpu.variants.sweeps import Sweeps
from pencilc.parts.part import Part
from tests.unit.records import parts, region

VARIANCE = """FOR(i, n) {
    float s, v; INIT(&s, zero); INIT(&v, zero);
    FOR(j, m) UPDATE(&s, x[i][j], add);
    float mean = s / m;
    FOR(j, m) UPDATE(&v, (x[i][j] - mean) * (x[i][j] - mean), add);
    a[i] = v;
}"""


def sweeps(body: str) -> Sweeps:
    """The first two parts of the region that reduce."""
    done = region(body)
    first, second, *_ = (part for part in parts(body) if isinstance(part, Part) and part.reduced)
    return Sweeps(done.scop, done.domains, first, second)
