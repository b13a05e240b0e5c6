"""Records for the tests of single passes: what the stages and passes before one make of a few lines of C.

    placed("FOR(i, n) a[i] = b[i];")        what the pass `fusion` is given of that loop

Statements are numbered in the order of the text, initialisations and kills among them; merge nodes are M0, M1, …
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from pencilc.analysis.box import live_domains
from pencilc.diagnostics.source import SourceFile
from pencilc.frontend import FrontendOptions, parse_file
from pencilc.gpu import passes
from pencilc.gpu.records import (
    Chosen,
    Fused,
    Joined,
    Looped,
    MappingSettings,
    Parted,
    Placed,
    ScheduledRegion,
    Shaped,
    Timed,
)
from pencilc.ir.schedule import Row, ScheduledScop, statements_of
from pencilc.ir.scop import Dependences, Scop
from pencilc.options import CompileOptions
from pencilc.parts.cut import cut
from pencilc.parts.part import Items, Part, SequentialLoop, part_statements, parts_of
from pencilc.poly import compute_dependences, extract
from pencilc.schedule import schedule

HEAD = """#include <math.h>
#include <pencil.h>
#define INIT __pencil_reduction_var_init
#define UPDATE __pencil_reduction
#define FOR(i, n) for (int i = 0; i < (n); i++)
static void zero(float *v) { *v = 0; }
static void lowest(float *v) { *v = -INFINITY; }
static float add(float a, float b) { return a + b; }
static float larger(float a, float b) { return a > b ? a : b; }
static void izero(int *v) { *v = 0; }
static int iadd(int a, int b) { return a + b; }
void f(int n, int m, float a[static const restrict n], float b[static const restrict n],
       float c[static const restrict n], float x[static const restrict n][m], float y[static const restrict n][m],
       float z[static const restrict m], int p[static const restrict n], int q[static const restrict m],
       int h[static const restrict 40], short words[static const restrict n][m])
{
#pragma scop
"""
TAIL = """
#pragma endscop
}
"""
DEFAULT = CompileOptions()

SUM = "float s; INIT(&s, zero); FOR(i, n) UPDATE(&s, a[i], add); b[0] = s;"
ROW_SUMS = "FOR(i, n) { INIT(&a[i], zero); FOR(j, m) UPDATE(&a[i], x[i][j], add); }"
COLUMN_SUMS = "FOR(j, m) { INIT(&z[j], zero); FOR(i, n) UPDATE(&z[j], x[i][j], add); }"
BINS = "FOR(k, 40) INIT(&h[k], izero); FOR(i, n) UPDATE(&h[p[i]], 1, iadd);"
SOFTMAX = """FOR(i, n) {
    float max, sum;
    INIT(&max, lowest);
    FOR(j, m) UPDATE(&max, x[i][j], larger);
    INIT(&sum, zero);
    FOR(j, m) UPDATE(&sum, expf(x[i][j] - max), add);
    FOR(j, m) y[i][j] = expf(x[i][j] - max) / sum;
}"""


@cache
def modelled(body: str) -> Scop:
    """The model of a region with the parameters of HEAD."""
    unit, _ = parse_file(SourceFile("test.c", HEAD + body + TAIL), FrontendOptions())
    scop, _ = extract(unit, unit.regions[0])
    return scop


@cache
def dependences(body: str) -> Dependences:
    """The dependences of the region."""
    return compute_dependences(modelled(body))


@cache
def scheduled(body: str) -> ScheduledScop:
    """The region with its schedule."""
    return schedule(modelled(body), dependences(body))


@cache
def region(body: str, options: CompileOptions = DEFAULT) -> ScheduledRegion:
    """What the first pass of the mapping is given."""
    done = scheduled(body)
    return ScheduledRegion(done, MappingSettings.of(options), live_domains(done.scop))


@cache
def parted(body: str, options: CompileOptions = DEFAULT) -> Parted:
    """What the pass `sweeps` is given; each pass is verified by its own verifier, as in the pipeline."""
    return _after(passes.PARTS, region(body, options))


@cache
def joined(body: str, options: CompileOptions = DEFAULT) -> Joined:
    """What the pass `shapes` is given."""
    return _after(passes.SWEEPS, parted(body, options))


@cache
def shaped(body: str, options: CompileOptions = DEFAULT) -> Shaped:
    """What the pass `storage` is given."""
    return _after(passes.SHAPES, joined(body, options))


@cache
def placed(body: str, options: CompileOptions = DEFAULT) -> Placed:
    """What the pass `fusion` is given."""
    return _after(passes.STORAGE, shaped(body, options))


@cache
def fused(body: str, options: CompileOptions = DEFAULT) -> Fused:
    """What the pass `variants` is given."""
    return _after(passes.FUSION, placed(body, options))


@cache
def chosen(body: str, options: CompileOptions = DEFAULT) -> Chosen:
    """What the pass `loops` is given."""
    return _after(passes.VARIANTS, fused(body, options))


@cache
def looped(body: str, options: CompileOptions = DEFAULT) -> Looped:
    """What the pass `time` is given."""
    return _after(passes.LOOPS, chosen(body, options))


@cache
def timed(body: str, options: CompileOptions = DEFAULT) -> Timed:
    """What the pass `copies` is given."""
    return _after(passes.TIME, looped(body, options))


def _after(each: passes.Pass[passes.Before, passes.After], record: passes.Before) -> passes.After:
    made = each.run(record)
    each.verify(made)
    return made


def parts(body: str) -> tuple[Part, ...]:
    """The parts of a region, as the pass `parts` makes them."""
    return tuple(parts_of(parted(body).items))


def part_of(body: str, statement: str) -> Part:
    """The part that has the statement."""
    return next(part for part in parts(body) if statement in part_statements(part))


def cut_items(body: str) -> Items:
    """The parts of a region as its schedule tree has them, before anything is rewritten."""
    done = scheduled(body)
    return cut(done.scop, done.tree, lambda rows, row, tree: False)


def cut_part(body: str, statement: str) -> Part:
    """The part that has the statement, of those before anything is rewritten."""
    return next(part for part in parts_of(cut_items(body)) if statement in part_statements(part))


def told(items: Items) -> list[str]:
    """`P|R: (S1) S2; M0 S3` for each part: its kept and reduced rows, (prologue), body and what comes behind it.

    `for {…}` for sequential loops.
    """
    found = []
    for item in items:
        if isinstance(item, SequentialLoop):
            found.append(f"for {{{' / '.join(told(item.items))}}}")
            continue
        first = f"({' '.join(item.prologue)}) " if item.prologue else ""
        last = f"; {' '.join(item.post)}" if item.post else ""
        around = f"{flags(item.kept)}|{flags(item.reduced)}"
        found.append(f"{around}: {first}{' '.join(statements_of(item.body))}{last}")
    return found


def flags(found: Iterable[Row]) -> str:
    """The flags of rows."""
    return "".join(row.flag for row in found)
