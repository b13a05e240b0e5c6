"""What a thread of a plain kernel loads for several rows before it does the work of the first."""

from __future__ import annotations

import pytest

from pencilc.codegen.cexpr import expression
from pencilc.ir.nodes import For, Node, blocks_in
from pencilc.ir.source import ArrayType, Assign, Declare
from pencilc.options import CompileOptions, Tuning
from pencilc.target import target_of
from tests.unit.codegen.programs import functions
from tests.unit.records import DEFAULT


def rows(body: str, options: CompileOptions = DEFAULT) -> For:
    """The loop over the rows of a thread of the first kernel."""
    made = next(iter(functions(body, options).values()))
    return next(node for node in blocks_in(made.body) if isinstance(node, For) and node.is_rare)


def assigned(nodes: tuple[Node, ...]) -> list[str]:
    """The assignments in nodes, without subscripts of memory."""
    found = [node for node in blocks_in(nodes) if isinstance(node, Assign)]
    return [f"{expression(each.target)} = {expression(each.value)}" for each in found]


def names(loop: For) -> list[str]:
    """Where what is loaded waits."""
    return [
        each.symbol.name for each in loop.body if isinstance(each, Declare) and isinstance(each.symbol.type, ArrayType)
    ]


def test_loads_of_several_rows_come_first() -> None:
    loop = rows("FOR(i, n) FOR(j, m) y[i][j] = x[i][j] + a[i];")
    assert names(loop) == ["@x_ahead", "@a_ahead"] and expression(loop.step) == "4 * (long long)blockDim.y"
    load, use = (node for node in loop.body if isinstance(node, For))
    assert load.is_unrolled and use.is_unrolled and expression(load.bound) == "4"
    assert assigned(load.body) == ["@x_ahead[@k] = x[(long long)i * m + j]", "@a_ahead[@k] = a[i]"]
    assert assigned(use.body) == ["y[(long long)i * m + j] = @x_ahead[@k] + @a_ahead[@k]"]


@pytest.mark.parametrize(
    ("arch", "value", "together"),
    [
        ("sm_90", "x[i][j] + a[i]", 4),  # as many as a block gives it
        ("sm_90", "x[i][j] + y[i][j] * a[i] - b[i] + c[i]", 2),  # 40 bytes of a thread for an H200
        ("sm_80", "x[i][j] + a[i]", 2),  # 13 for an A100
        ("sm_80", "x[i][j] + y[i][j] * a[i] - b[i]", 1),
    ],
)
def test_as_many_rows_as_are_to_be_in_flight(arch: str, value: str, together: int) -> None:
    loop = rows(f"FOR(i, n) FOR(j, m) y[i][j] = {value};", CompileOptions(target=target_of(arch)))
    times = f"{together} * " if together > 1 else ""
    assert expression(loop.step) == f"{times}(long long)blockDim.y" and bool(names(loop)) == (together > 1)


def test_a_thread_has_no_more_rows_than_a_block_gives_it() -> None:
    body = "FOR(i, n) FOR(j, m) y[i][j] = x[i][j];"
    for most, step in ((1, "(long long)blockDim.y"), (2, "2 * (long long)blockDim.y")):
        options = CompileOptions(tuning=Tuning((("f_parallel0", (("rows", most),)),)))
        assert expression(rows(body, options).step) == step


@pytest.mark.parametrize(
    "statement",
    [
        "y[i][j] = i;",  # nothing is loaded
        "y[i][j] = b[j];",  # the same for all rows
        "y[i][j] = i > 1 ? x[i - 1][j] : 0;",  # only where it is asked for
        "if (a[i] > 0) y[i][j] = x[i][j];",
        "for (int k = 0; k < m; k++) y[i][j] = x[i][k] > 0 ? k : y[i][j];",
    ],
)
def test_nothing_comes_first(statement: str) -> None:
    assert not names(rows(f"FOR(i, n) FOR(j, m) {{ {statement} }}"))


def test_what_the_row_has_written_is_read_where_it_is() -> None:
    loop = rows("FOR(i, n) FOR(j, m) { y[i][j] = words[i][j]; x[i][j] = y[i][j] * words[i][j]; }")
    assert names(loop) == ["@words_ahead"]
    assert assigned(loop.body)[-1].endswith("= y[(long long)i * m + j] * @words_ahead[@k]")


@pytest.mark.parametrize(("value", "stays"), [("words[up][j] + b[j]", False), ("words[up][j] + up * b[j]", True)])
def test_what_only_subscripts_are_made_of_is_not_there_twice(value: str, stays: bool) -> None:
    loop = rows(f"FOR(i, n) FOR(j, m) {{ int up = i > 0 ? i - 1 : 0; y[i][j] = {value}; }}")
    load, use = (node for node in loop.body if isinstance(node, For))
    there = [
        "up" in {each.symbol.name for each in blocks_in(part.body) if isinstance(each, Declare)} for part in (load, use)
    ]
    assert there == [True, stays]
