"""The verifier of entry points: parameters that their functions have in common, and what the host copies.

void f(int n, const float *x, float *y)                          takes what C calls it with: copies, then calls
cudaError_t f_device(int n, const float *x, float *y, stream)    with the copies
cudaError_t f_workspace(…), f_device_in(…)                       where it reserves memory
"""

from __future__ import annotations

from itertools import zip_longest

from pencilc.codegen.cexpr import parameter, type_text
from pencilc.codegen.control import fault
from pencilc.ir.host import Entry, HostArray
from pencilc.ir.nodes import Parameter, names_of
from pencilc.ir.source import VOID, PointerType


def verify_copies(entry: Entry) -> None:
    """Raise CompilerBug where what C calls and what it calls do not fit each other, or what is copied between them."""
    _verify_parameters(entry)
    _verify_arrays(entry)
    _verify_result(entry)


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


def verify_given(entry: Entry) -> None:
    """Raise CompilerBug where the function on device pointers is given another thing than the copies."""
    copied = {each.name for each in entry.arrays} | ({"return"} if entry.result else set())
    for argument, declared in zip(entry.arguments, entry.device_parameters, strict=True):
        if declared.name in copied and names_of(argument) != {f"@{declared.name}_copy"}:
            fault(entry.symbol, f"the device is given `{declared.name}` as the host has it")
