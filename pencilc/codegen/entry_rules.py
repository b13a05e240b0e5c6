"""The verifier of entry points: their parameters, what the host copies, and how one of their functions calls another.

void f(int n, const float *x, float *y)                          takes what C calls it with: copies, then calls
cudaError_t f_device(int n, const float *x, float *y, stream)    with the copies
cudaError_t f_workspace(…), f_device_in(…)                       where it reserves memory
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import zip_longest

from pencilc.codegen.cexpr import parameter, type_text
from pencilc.codegen.control import Control, fault
from pencilc.codegen.expression_rules import check_expression, check_given
from pencilc.codegen.kernel_types import FileScope, Known, NameScope, known_parameter
from pencilc.codegen.kernel_walk import Walk
from pencilc.codegen.names import OF_LANGUAGE
from pencilc.ir.build import STREAM, generated_type
from pencilc.ir.host import Entry, HostArray
from pencilc.ir.nodes import Parameter, names_of
from pencilc.ir.source import VOID, Expr, PointerType


def verify_functions(entry: Entry, file: FileScope) -> None:
    """Raise CompilerBug where the functions of `entry` do not fit each other, or what is copied between them."""
    _verify_parameters(entry)
    _verify_arrays(entry)
    _verify_result(entry)
    _verify_host(entry, file)
    if entry.uses_scratch:
        _verify_queue(entry, file)


def declare_parameters(walk: Walk, scope: NameScope, parameters: Iterable[Parameter]) -> None:
    """The parameters of a function, each of which it has once."""
    for each in parameters:
        if each.name in OF_LANGUAGE:
            fault(walk.name, f"`{each.name}` is a name of C++ or CUDA")
        walk.declare(scope, each.name, known_parameter(each))


def _verify_parameters(entry: Entry) -> None:
    """What the host gives the device function is what itself is given; const, too."""
    for own, given in zip_longest(entry.host_parameters, entry.device_parameters[: len(entry.host_parameters)]):
        if own is None or given is None or parameter(own) != parameter(given):
            texts = " and ".join(f"`{parameter(each)}`" if each is not None else "nothing" for each in (own, given))
            fault(entry.symbol, f"one of its functions takes {texts} for the other")


def _verify_arrays(entry: Entry) -> None:
    """Arrays are pointers that the host is given, and what is written comes back."""
    pointers = {each.name: each for each in entry.host_parameters if isinstance(each.type, PointerType)}
    seen: set[str] = set()
    for array in entry.arrays:
        given = pointers.get(array.name)
        if given is None:
            fault(entry.symbol, f"`{array.name}` is copied, and is no pointer that the host is given")
        if array.name in seen:
            fault(entry.symbol, f"`{array.name}` is copied twice")
        seen.add(array.name)
        if not isinstance(given.type, PointerType) or type_text(given.type.target) != type_text(array.type):
            fault(entry.symbol, f"`{array.name}` has elements of {type_text(array.type)}, and is `{parameter(given)}`")
        _verify_copied(entry.symbol, array, given)
    left = sorted(name for name, each in pointers.items() if name not in seen and not each.is_const)
    if left:
        fault(entry.symbol, f"`{left[0]}` is not const, and nothing copies it")
    if len(entry.arrays) > 1 and any(each.is_written for each in entry.arrays) and entry.compared != entry.arrays:
        fault(entry.symbol, "arrays that are written are not compared with all others")


def _verify_copied(where: str, array: HostArray, given: Parameter) -> None:
    if given.is_const and (array.copy_out or array.is_written):
        fault(where, f"`{array.name}` is const, and is {'copied back' if array.copy_out else 'written'}")
    if not given.is_const and not array.is_written:
        fault(where, f"`{array.name}` is not const, and is not written")
    if array.copy_out and not array.is_written:
        fault(where, f"`{array.name}` is copied back, and is not written")


def _verify_result(entry: Entry) -> None:
    """A value is returned by all ways, or by none."""
    if entry.result != (entry.returns != VOID) or bool(entry.zero) != entry.result:
        fault(entry.symbol, f"what returns `{type_text(entry.returns)}` has a result that is of another type")


def _verify_host(entry: Entry, file: FileScope) -> None:
    """The host function has what it copies by, and gives the device function the copies."""
    walk, scope = Walk(file, entry.symbol), file.inner()
    declare_parameters(walk, scope, entry.host_parameters)
    inside = scope.inner()
    walk.nodes(entry.copied_products, inside, Control())
    for array in entry.arrays:
        for part in array.parts:
            walk.expressions((part.condition, part.first, part.last), inside)
        walk.expressions((array.count,), inside)
    copied = {each.name: each.type for each in entry.arrays} | ({"return": entry.returns} if entry.result else {})
    for name, ctype in copied.items():
        walk.declare(inside, f"@{name}_copy", Known(generated_type("pencilc_copy", ctype)))
    walk.declare(inside, "@stream", Known(STREAM))
    _verify_call(f"{entry.symbol}_device", entry.arguments, entry.device_parameters, inside)
    for argument, declared in zip(entry.arguments, entry.device_parameters, strict=True):
        if declared.name in copied and names_of(argument) != {f"@{declared.name}_copy"}:
            fault(entry.symbol, f"the device is given `{declared.name}` as the host has it")


def _verify_queue(entry: Entry, file: FileScope) -> None:
    """What all functions on device pointers call takes what each of them gives it."""
    queue, call = f"pencilc_queue_{entry.symbol}", generated_type("pencilc_call")
    walk = Walk(file, entry.symbol)
    declare_parameters(walk, file.inner(), entry.queue_parameters)
    for own, is_queued in (
        (entry.device_parameters, True), (entry.in_parameters, True), (entry.workspace_parameters, False),
    ):  # fmt: skip
        scope = file.inner()
        declare_parameters(walk, scope, own)
        scope.provide(("@call", "@counted"), call)
        _verify_call(queue, entry.counting_arguments, entry.queue_parameters, scope)
        if is_queued:
            _verify_call(queue, entry.queue_arguments, entry.queue_parameters, scope)


def _verify_call(
    function: str, arguments: tuple[Expr, ...], parameters: tuple[Parameter, ...], scope: NameScope
) -> None:
    """The arguments are those that the parameters take, in type and number."""
    if len(arguments) != len(parameters):
        fault(function, "it is called with another number of arguments than it has parameters")
    for argument, declared in zip(arguments, parameters, strict=True):
        check_expression(function, argument, scope)
        check_given(function, f"`{function}`", argument, declared, scope)
