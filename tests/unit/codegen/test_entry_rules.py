"""Entry points that are broken by hand: parameters, copies and calls that C++ or the host would refuse, or mislead."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from pencilc.codegen.kernel_verifier import verify_kernels
from pencilc.diagnostics.diagnostic import CompilerBug
from pencilc.ir.build import variable
from pencilc.ir.host import Entry
from pencilc.ir.nodes import Parameter
from pencilc.ir.source import DOUBLE, FLOAT, INT, VOID, PointerType
from tests.unit.codegen.broken import remade, tree

TEXT = """#include <pencil.h>
static void zero(float *x) { *x = 0; }
static float add(float a, float b) { return a + b; }
float total(int n, const float a[static const restrict n], float b[static const restrict n])
{
    float s;
    __pencil_reduction_var_init(&s, zero);
    for (int i = 0; i < n; i++) __pencil_reduction(&s, a[i], add);
    for (int i = 0; i < n; i++) b[i] = 2 * a[i];
    return s;
}
"""


def refused(message: str, change: Callable[[Entry], dict[str, Any]]) -> None:
    """The verifier says so of the file with other fields of its entry point."""
    made = tree(TEXT)
    (entry,) = made.entries
    with pytest.raises(CompilerBug, match=re.escape(message)):
        verify_kernels(replace(made, entries=(remade(entry, **change(entry)),)))


def changed(which: str, **fields: Any) -> Callable[[Entry], dict[str, Any]]:
    """Other fields of one parameter of the function on host pointers."""
    return lambda entry: {
        "host_parameters": tuple(replace(p, **fields) if p.name == which else p for p in entry.host_parameters)
    }


def of_array(which: str, **fields: Any) -> Callable[[Entry], dict[str, Any]]:
    """Other fields of what is copied of one array."""

    def change(entry: Entry) -> dict[str, Any]:
        arrays = tuple(replace(a, **fields) if a.name == which else a for a in entry.arrays)
        return {"arrays": arrays, "compared": arrays}

    return change


def test_what_the_compiler_makes_is_taken() -> None:
    verify_kernels(tree(TEXT))


def test_parameters_are_those_of_both_functions() -> None:
    for name, fields in (
        ("b", {"is_const": True}), ("a", {"is_const": False}), ("a", {"type": PointerType(DOUBLE)}),
        ("n", {"type": FLOAT}), ("n", {"name": "m"}),
    ):  # fmt: skip
        refused("for the other", changed(name, **fields))
    refused("for the other", lambda entry: {"host_parameters": entry.host_parameters[::-1]})
    refused("takes `int n` and nothing for the other", lambda entry: {"device_parameters": ()})


@pytest.mark.parametrize("function", ["host", "device", "in", "workspace", "queue"])
def test_parameters_stand_once(function: str) -> None:
    field = f"{function}_parameters"

    def twice(entry: Entry) -> dict[str, Any]:
        own = getattr(entry, field)
        both = {field: (own[0], *own)}
        if function in ("host", "device"):  # which have them in common
            both = {
                f"{each}_parameters": (own[0], *getattr(entry, f"{each}_parameters")) for each in ("host", "device")
            }
        return both

    refused("`n` is declared twice", twice)


def test_parameters_have_no_name_of_the_language() -> None:
    def named(entry: Entry) -> dict[str, Any]:
        own = replace(entry.host_parameters[0], name="class")
        return {
            "host_parameters": (own, *entry.host_parameters[1:]),
            "device_parameters": (own, *entry.device_parameters[1:]),
        }

    refused("`class` is a name of C++ or CUDA", named)


def test_arrays_are_pointers_that_are_given() -> None:
    refused("`c` is copied, and is no pointer", of_array("a", name="c"))
    refused("`n` is copied, and is no pointer", of_array("a", name="n"))
    refused("`a` has elements of double", of_array("a", type=DOUBLE))
    refused("`a` is copied twice", lambda entry: {"arrays": (entry.arrays[0], *entry.arrays)})
    refused("`nobody` is not declared", of_array("a", count=variable("nobody")))


def test_what_is_written_comes_back() -> None:
    refused("`b` is not const, and is not written", of_array("b", copy_out=False, is_written=False))
    refused("`a` is const, and is copied back", of_array("a", copy_out=True))
    refused("`b` is not const, and nothing copies it", lambda entry: {"arrays": entry.arrays[:1], "compared": ()})


def test_arrays_that_are_written_lie_apart() -> None:
    refused("are not compared with all others", lambda entry: {"compared": ()})
    refused("are not compared with all others", lambda entry: {"compared": entry.compared[1:]})


def test_a_value_is_returned_by_all_ways() -> None:
    for fields in ({"returns": VOID}, {"result": False}, {"zero": ""}):
        refused("has a result that is of another type", lambda entry, fields=fields: fields)  # type: ignore[misc]
    refused("a double * as float * `@result`", lambda entry: {
        "device_parameters": tuple(
            replace(p, type=PointerType(DOUBLE)) if p.name == "@result" else p for p in entry.device_parameters
        )
    })  # fmt: skip


def test_the_device_is_given_copies() -> None:
    refused("it is called with another number of arguments", lambda entry: {"arguments": entry.arguments[1:]})
    refused("`nobody` is not declared", lambda entry: {"arguments": (variable("nobody"), *entry.arguments[1:])})

    def as_it_is(entry: Entry) -> dict[str, Any]:
        first, _, *others = entry.arguments
        return {"arguments": (first, variable("a", PointerType(FLOAT)), *others)}

    refused("the device is given `a` as the host has it", as_it_is)

    def crossed(entry: Entry) -> dict[str, Any]:
        first, a, b, *others = entry.arguments
        return {"arguments": (first, b, a, *others)}

    refused("the device is given `a` as the host has it", crossed)


def test_what_is_queued_takes_what_it_is_given() -> None:
    number = "it is called with another number of arguments"
    for field in ("queue_arguments", "counting_arguments"):
        refused(number, lambda entry, field=field: {field: getattr(entry, field)[1:]})  # type: ignore[misc]
    for field in ("in_parameters", "workspace_parameters"):
        refused("`n` is not declared", lambda entry, field=field: {field: getattr(entry, field)[1:]})  # type: ignore[misc]
    other = Parameter("n", PointerType(INT))
    refused("`n` is declared as int * and used as int", lambda entry: {
        "queue_parameters": (other, *entry.queue_parameters[1:]),
        "queue_arguments": (variable("n", PointerType(INT)), *entry.queue_arguments[1:]),
    })  # fmt: skip


def test_every_kernel_is_started() -> None:
    refused("nothing starts `total_", lambda entry: {"items": ()})
