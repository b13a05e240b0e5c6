"""Functions of entry points that are broken by hand: names, calls, ends."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

import pytest

from pencilc.codegen.kernel_verifier import verify_kernels
from pencilc.codegen.launch_nodes import values
from pencilc.diagnostics.diagnostic import CompilerBug
from pencilc.ir.build import ZERO, binary, declare, variable
from pencilc.ir.entry_nodes import (
    AskMultiprocessors,
    BeginCall,
    BeginCounting,
    CallDevice,
    CallQueue,
    CopyIn,
    CopyOut,
    EachRound,
    OpenThread,
    PlaceResult,
    RefuseSizes,
    ReturnResult,
    Succeed,
    TouchedElements,
)
from pencilc.ir.host import KernelFile
from pencilc.ir.nodes import Braces, Node
from pencilc.ir.source import INT
from tests.unit.codegen.broken import everywhere, tree
from tests.unit.codegen.test_entry_rules import TEXT


def with_function(node: str, change: Callable[[tuple[Node, ...]], tuple[Node, ...]]) -> KernelFile:
    """The file with another body of one of the functions."""
    made = tree(TEXT)
    (entry,) = made.entries
    functions = tuple(replace(each, body=change(each.body)) if each.node == node else each for each in entry.functions)
    return replace(made, entries=(replace(entry, functions=functions),))


def without(kind: type) -> Callable[[tuple[Node, ...]], tuple[Node, ...]]:
    """The nodes but those of a class."""
    return lambda body: everywhere(lambda each: () if isinstance(each, kind) else (each,), body)


def refused(why: str, broken: KernelFile) -> None:
    with pytest.raises(CompilerBug, match=re.escape(why)):
        verify_kernels(broken)


@pytest.mark.parametrize(
    ("node", "kind", "name"),
    [
        ("queue", AskMultiprocessors, "@device"),
        ("device", BeginCall, "@call"),
        ("workspace", BeginCounting, "@counted"),
        ("host", TouchedElements, "@a_range"),
        ("host", OpenThread, "@stream"),
        ("host", CopyIn, "@a_copy"),
        ("host", PlaceResult, "@return_copy"),
    ],
)
def test_what_blocks_name_is_declared_above(node: str, kind: type, name: str) -> None:
    refused(f"`{name}` is not declared", with_function(node, without(kind)))


def test_names_are_declared_once() -> None:
    refused("`@stream` is declared twice", with_function("host", lambda body: (OpenThread(" {}"), *body)))
    refused("`@call` is declared twice", with_function("device", lambda body: (body[0], *body)))


def test_functions_call_those_above() -> None:
    made = tree(TEXT)
    (entry,) = made.entries
    turned = replace(entry, functions=(*entry.functions[1:], entry.functions[0]))
    refused("`pencilc_queue_total` is called, and is no function above", replace(made, entries=(turned,)))
    fewer = with_function(
        "host",
        lambda body: tuple(
            replace(each, arguments=each.arguments[1:]) if isinstance(each, CallDevice) else each for each in body
        ),
    )
    refused("another number of arguments", fewer)
    other = with_function(
        "workspace",
        lambda body: tuple(replace(each, symbol="sum") if isinstance(each, CallQueue) else each for each in body),
    )
    refused("`pencilc_queue_sum` is called, and is no function above", other)


def test_functions_end_as_they_return() -> None:
    ends = "ends without a value, or with one that nobody expects"
    refused(ends, with_function("queue", without(Succeed)))
    refused(ends, with_function("host", without(ReturnResult)))
    verify_kernels(with_function("workspace", lambda body: (*body[:-1], RefuseSizes())))


def test_a_variable_of_the_host_is_not_its_own_value() -> None:
    more = binary("+", variable("n", INT), variable("k", INT))
    for own in (declare("k", INT, more, is_const=True), values(INT, (variable("k", INT), more))):
        broken = with_function("queue", lambda body, own=own: (Braces((own,)), *body))  # type: ignore[misc]
        refused("`k` is declared by its own value", broken)
    loop = EachRound(INT, "k", variable("k", INT), ZERO, 1, ())
    known = declare("k", INT, ZERO, is_const=True)
    refused("`k` is declared by its own value", with_function("queue", lambda body: (known, Braces((loop,)), *body)))


def test_what_comes_back_is_there() -> None:
    elsewhere = with_function(
        "host",
        lambda body: tuple(replace(each, name="z") if isinstance(each, CopyOut) else each for each in body),
    )
    refused("`z` is not declared", elsewhere)
