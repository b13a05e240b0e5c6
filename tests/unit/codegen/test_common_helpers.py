"""Functions that two kernels would bring alike stand once in a file."""

from __future__ import annotations

from dataclasses import replace

from pencilc.codegen.common_helpers import with_common_helpers
from pencilc.ir.accumulators import Accumulator
from pencilc.ir.build import generated_type
from pencilc.ir.kernel import HelperCall, KernelFunction
from pencilc.ir.nodes import Parameter
from pencilc.ir.source import FLOAT, PointerType
from tests.unit.codegen.programs import functions
from tests.unit.records import ROW_SUMS


def summing(name: str, threads: int = 256, *, is_struct: bool = False) -> tuple[Accumulator, KernelFunction]:
    """A kernel that sums, with the functions of its accumulator."""
    made = next(iter(functions(ROW_SUMS).values()))
    called = next(each for each in made.helpers if each.macro == "accumulator")
    first = called.arguments[0]
    assert isinstance(first, Accumulator)
    kind = generated_type(f"{name}_accumulator") if is_struct else FLOAT
    found = replace(first, name=name, is_struct=is_struct, type=kind, carried=kind)
    partials = Parameter("@partials", PointerType(kind))
    helpers = (HelperCall("accumulator", (found,)), HelperCall("block", (found, threads)))
    return found, replace(made, name=name, body=(), parameters=(partials,), accumulator=found, helpers=helpers)


def test_the_second_kernel_brings_nothing_and_calls_the_first_ones() -> None:
    first, second = summing("f_row0"), summing("g_row0")
    (one, other), entries = with_common_helpers((first[1], second[1]), ())
    assert one == first[1] and other.helpers == () and entries == ()
    assert other.accumulator == first[0] and other.name == "g_row0"


def test_types_go_with_their_names() -> None:
    first, second = summing("f_row0", is_struct=True), summing("g_row0", is_struct=True)
    (_, other), _ = with_common_helpers((first[1], second[1]), ())
    assert other.parameters[0].type == PointerType(first[0].type)


def test_what_differs_stays_apart() -> None:
    first, second, third = summing("f_row0"), summing("g_row0", 512), summing("h_row0", is_struct=True)
    kernels = (first[1], second[1], third[1])
    assert with_common_helpers(kernels, ())[0] == kernels


def test_the_first_one_has_what_any_of_them_calls() -> None:
    found, made = summing("f_row0", 512)
    second, other = summing("g_row0", 512)
    combining = replace(other, helpers=(HelperCall("accumulator", (second,)), HelperCall("warp", (second, 512))))
    (one, two), _ = with_common_helpers((made, combining), ())
    assert one == made and two.helpers == (HelperCall("warp", (found, 512)),)
