"""Points in rows whose length is data, which go to bins."""

from __future__ import annotations

from pencilc.ir.bins import RunLengths, Runs
from pencilc.ir.kernel import KernelFunction
from pencilc.ir.nodes import If
from pencilc.ir.source import LLONG, Assign, Declare
from tests.unit.codegen.programs import functions, node, nodes, told

LOOP = "for (int j = p[i]; j < p[i + 1]; j++)"
ROWS = "FOR(k, 40) INIT(&h[k], izero); FOR(i, n - 1) " + LOOP + " UPDATE(&h[q[j]], 1, iadd);"
GUARDED = ROWS.replace("for (int j = p", "if (a[i] > 0) for (int j = p").replace("j++", "j += 2")
INSIDE = ROWS.replace("UPDATE(&h[q[j]]", "FOR(l, 4) UPDATE(&h[q[j] + l]")


def of(body: str, name: str) -> KernelFunction:
    """A function of the kernel that fills the bins."""
    return functions(body)[f"f_indirect1_{name}"]


def constants(made: KernelFunction) -> dict[str, str]:
    """The constants that the body declares."""
    return {e.symbol.name: told(e.init)[0] for e in nodes(made, Declare) if e.init is not None}


def runs(body: str) -> Runs:
    """The rows."""
    made = of(body, "shared").scatter
    assert made is not None and made.runs is not None
    return made.runs


def test_a_kernel_before_counts_the_points_of_each_row() -> None:
    made = of(ROWS, "lengths")
    assert (made.shape, made.helpers) == ("indirect_lengths", ()) and told(node(made, RunLengths).runs) == ["n - 1"]
    assert constants(made) == {"i": "(int)@run", "@count": "(long long)p[i + 1] - p[i]"}


def test_a_row_that_may_not_be_read_has_no_points() -> None:
    count, guard = node(of(GUARDED, "lengths"), RunLengths).body[-2:]
    assert isinstance(count, Declare) and count.init is not None and told(count.init) == ["0"]
    assert count.symbol.type == LLONG and isinstance(guard, If) and told(guard.condition) == ["a[i] > 0"]


def test_steps_are_rounded_up() -> None:
    guard = node(of(GUARDED, "lengths"), RunLengths).body[-1]
    assert isinstance(guard, If)
    (count,) = guard.then
    assert isinstance(count, Assign) and told(count.value) == ["((long long)p[i + 1] - p[i] + 1) / 2"]
    assert constants(of(GUARDED, "shared"))["j"] == "(int)(p[i] + @x * 2)"


def test_a_point_finds_its_row_and_its_place_in_it() -> None:
    assert constants(of(ROWS, "shared")) == {"i": "(int)@outer", "j": "(int)(p[i] + @x)"}
    assert (runs(ROWS).inner, told(runs(ROWS).count), runs(ROWS).starts) == (None, ["n - 1"], "@f_indirect1_starts")


def test_affine_rows_number_the_runs() -> None:
    found = constants(of(INSIDE, "shared"))
    assert (found["i"], found["l"], found["j"]) == ("(int)(@outer / 4)", "(int)(@outer % 4)", "(int)(p[i] + @x)")
    assert told(runs(INSIDE).count) == ["(long long)(n - 1) * 4"] and runs(INSIDE).inner is None
    assert constants(of(INSIDE, "lengths"))["i"] == "(int)(@run / 4)"


def test_where_rows_begin_is_told_as_const() -> None:
    lengths, shared = (
        next(p for p in of(ROWS, name).parameters if p.name == "@starts") for name in ("lengths", "shared")
    )
    assert (lengths.is_const, shared.is_const) == (False, True)


def test_affine_rows_have_no_lengths() -> None:
    plain = ROWS.replace(LOOP, "FOR(j, m)")
    assert not any(each.shape == "indirect_lengths" for each in functions(plain).values())
