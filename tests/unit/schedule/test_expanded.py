"""Which scalars a schedule has a value of for each iteration, and of which loops."""

from __future__ import annotations

import pytest

from pencilc.diagnostics.source import SourceFile
from pencilc.driver import compile_source
from pencilc.ir.schedule import Band, ScheduledScop, Sequence, Tree
from pencilc.options import CompileOptions
from pencilc.schedule.expanded import expanded_scalars

IN_ORDER = "total[0] = total[0] / 2 + most;"
LOOPS = f"""for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) {{
    float most = 0;
    for (int k = 0; k < m; k++) most = fmaxf(most, x[i] * x[j] + z[k]);
    {IN_ORDER}
}}"""


def scheduled(body: str, most: int = 2**28) -> ScheduledScop:
    head = "void f(int n, int m, float x[restrict n], float z[restrict m], float total[restrict n])"
    text = f"#include <math.h>\n{head} {{\n#pragma scop\n{body}\n#pragma endscop\n}}\n"
    return compile_source(SourceFile("scalars.c", text), CompileOptions(private_bytes=most), "schedule").scheduled[0]


def found(body: str, most: int = 2**28) -> list[tuple[str, tuple[int, ...]]]:
    return [(each.name, each.depths) for each in expanded_scalars(scheduled(body, most))]


SMALL = "__pencil_assume(n <= 100);"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (SMALL + LOOPS, [("most", (0, 1))]),
        # A thread has one value.
        (LOOPS.replace("for (int j = 0; j < n; j++)", "").replace("x[j]", "m").replace("total[0] = total[0] / 2 +",
                                                                                      "total[i] ="), []),
        # Below a loop on the host, which takes a step at a time: values of one step.
        (f"{SMALL} for (int s = 0; s < n; s++) {{ {LOOPS} total[1] = total[0]; }}".replace("x[j]", "total[1]"),
         [("most", (1, 2))]),
        # A loop of one iteration needs none.
        (SMALL + LOOPS.replace("i < n", "i < 1"), [("most", (1,))]),
        # An update that may be done in any order goes with what it adds.
        (SMALL + LOOPS.replace(IN_ORDER, "total[0] = fmaxf(total[0], most);"), []),
    ],
)  # fmt: skip
def test_of_which_loops(body: str, expected: list[tuple[str, tuple[int, ...]]]) -> None:
    assert found(body) == expected


def test_a_region_without_a_schedule_has_none() -> None:
    done = scheduled(SMALL + LOOPS)
    assert not list(expanded_scalars(ScheduledScop(done.scop, done.dependences, Sequence(()), sequential="too long")))


def test_rows_that_threads_take_together_need_a_value_each() -> None:
    """The loop in order inside of a parallel one is no loop of the host: its values are those of all threads."""
    done = scheduled(LOOPS, most=0)
    assert [(each.name, each.depths) for each in expanded_scalars(done)] == [("most", (1,))]
    tree = done.tree
    assert isinstance(tree, Band) and tree.rows[0].flag == "s"
    parallel: Tree = Band((type(tree.rows[0])("P", tree.rows[0].function),), tree.child)
    dealt_out = ScheduledScop(done.scop, done.dependences, parallel)
    assert [(each.name, each.depths) for each in expanded_scalars(dealt_out)] == [("most", (0, 1))]
