"""What of an element is computed for elements beyond the row too."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pytest

from pencilc.codegen.bodies import set_to
from pencilc.codegen.speculation import Speculation
from pencilc.ir.build import call, element, variable
from pencilc.ir.nodes import If, Node
from pencilc.ir.on_chip import EachItem, StageOfRow, Unrolled
from pencilc.ir.source import FLOAT, Assign, Declare, PointerType
from tests.unit.codegen.programs import functions, nodes
from tests.unit.records import SOFTMAX


@dataclass(frozen=True)
class Work:
    """What a stage does with an element of a chunk."""

    ahead: tuple[Node, ...]
    body: tuple[Node, ...]


def work(stage: StageOfRow) -> Work:
    """What is done for every register of a chunk, and what where the row has an element."""
    elements = [each for each in nodes((stage,), Unrolled) if each.over == "chunk"]
    loop = elements[-1] if elements else nodes((stage,), EachItem)[-1]  # a chunk may be one element
    ahead = tuple(each for each in loop.body if isinstance(each, Assign | Declare))
    there = [each for each in loop.body if isinstance(each, If)]
    return Work(ahead, there[0].then if there else ())


def stages(body: str) -> tuple[Work, ...]:
    """The stages of the stitched kernel."""
    (made, *_) = [each for each in functions(body).values() if each.shape == "stitched"]
    return tuple(map(work, nodes(made, StageOfRow)))


def rows(element: str, before: str = "") -> tuple[Work, ...]:
    """Rows with their sum, which is used behind it."""
    return stages(
        f"FOR(i, n) {{ float s; INIT(&s, zero); FOR(j, m) {{ {before} UPDATE(&s, {element}, add); }} "
        "FOR(j, m) y[i][j] = x[i][j] * s; }"
    )


def test_calls_and_quotients_go_ahead_and_sums_stay() -> None:
    _, second, third = stages(SOFTMAX)
    assert len(second.ahead) == len(second.body) == 1 and third.body == ()


@pytest.mark.parametrize("element", ["x[i][j]", "x[i][j] * x[i][j]", "x[i][j] * 2.0f + 1.0f"])
def test_products_stay_with_the_sum_that_they_go_into(element: str) -> None:
    assert rows(element)[0].ahead == ()


@pytest.mark.parametrize("element", ["expf(x[i][j])", "sqrtf(x[i][j])", "x[i][j] / 3.0f", "2.0f * expf(x[i][j])"])
def test_costly_operands_of_a_sum_are_computed_ahead(element: str) -> None:
    first = rows(element)[0]
    assert len(first.ahead) == 1 and len(first.body) == 1


def test_variables_of_the_element_go_ahead() -> None:
    first = rows("d * d", "float d = x[i][j] - 1.0f;")[0]
    assert len(first.ahead) == 1 and len(first.body) == 1


@pytest.mark.parametrize(
    "element",
    [
        "(float)((int)x[i][j] / p[i])",  # a divisor may be zero
        "expf((float)j)",  # there is no such iterator
        "x[i][j] > 0.0f ? c[j] : 0.0f",  # nor such an element
        "sqrtf(c[p[i]])",
        "(float)exp((double)x[i][j])",  # more registers than there are
    ],
)
def test_what_may_trap_or_reads_memory_stays(element: str) -> None:
    assert rows(element)[0].ahead == ()


def test_what_stays_is_not_overtaken() -> None:
    register = element(variable("@r", PointerType(FLOAT)), variable("@k"), FLOAT)
    once = set_to(variable("s", FLOAT), register)  # of the row, so that only its elements may set it
    uses = set_to(register, replace(call("expf", variable("s", FLOAT)), type=FLOAT))
    split = Speculation(frozenset(("@r",)), frozenset(), {}).split((once, uses))
    assert split.ahead == () and split.body == (once, uses)
    assert Speculation(frozenset(("@r",)), frozenset(), {}).split((uses,)).ahead == (uses,)


def test_what_reads_a_variable_that_stays_behind_stays_too() -> None:
    stage = rows("expf((float)k)", "int k = x[i][j] * 10.5f;")[0]
    assert stage.ahead == ()
