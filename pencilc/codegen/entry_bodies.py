"""The pass that settles what the functions of an entry point are, and what each does.

    f(n, x, y)         ->  queue: what f queues, with scratch memory; device, workspace, device_in call it
                           host: ranges, copies, a call of the function on device pointers, copies back

Launches in their loops and conditions become nodes as well, with what the entry point does for each.  The tree is that
of `ir/nodes.py` with the building blocks of `ir/entry_nodes.py` and `ir/launching.py`; templates print it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from pencilc.codegen.launch_nodes import FALSE, both, fits, values
from pencilc.ir.build import binary, generated_type, member, negation, variable
from pencilc.ir.entry_nodes import (
    AskCapture,
    AskMultiprocessors,
    BeginCall,
    BeginCounting,
    CallDevice,
    CallQueue,
    ClearCopy,
    Clip,
    CompareArrays,
    ComparedArray,
    CopyIn,
    CopyOut,
    CopyResult,
    CountOneRound,
    Cover,
    EachRound,
    OpenCall,
    OpenCallIn,
    OpenThread,
    PlaceResult,
    RefuseCapture,
    RefuseSizes,
    ReturnQueue,
    ReturnResult,
    Succeed,
    TellBytes,
    TellDevice,
    TellPoints,
    TouchedElements,
    WaitForStream,
)
from pencilc.ir.host import (
    CountedLaunch,
    Entry,
    EntryFunction,
    Fallback,
    HostArray,
    HostFor,
    HostIf,
    HostLet,
    HostNode,
)
from pencilc.ir.launches import KernelLaunch
from pencilc.ir.nodes import Braces, If, Node
from pencilc.ir.source import BOOL, INT

_CALL = generated_type("pencilc_call")
_WAITS = member(variable("@counted", _CALL), "waits", BOOL)


def with_functions(entry: Entry) -> Entry:
    """The entry point with its functions, those that others call first."""
    return replace(entry, functions=(*_link_name(entry), *_on_device_pointers(entry), _host(entry)))


def _link_name(entry: Entry) -> tuple[EntryFunction, ...]:
    """The declaration by which the linker has another name for a function than C++ allows."""
    if not entry.is_renamed:
        return ()
    return (EntryFunction("link_name", entry.symbol, entry.name, entry.host_parameters, (), entry.returns),)


# ---- on device pointers ------------------------------------------------------------------------------


def _on_device_pointers(entry: Entry) -> Iterator[EntryFunction]:
    if not entry.uses_scratch:
        yield EntryFunction("device", entry.symbol, f"{entry.symbol}_device", entry.device_parameters, _queued(entry))
        return
    counting = CallQueue(entry.symbol, entry.counting_arguments)
    queued = ReturnQueue(entry.symbol, entry.queue_arguments)
    yield EntryFunction("queue", entry.symbol, counting.function, entry.queue_parameters, _queued(entry))
    device = (BeginCall(), *_capture(entry, counting), queued)
    yield EntryFunction("device", entry.symbol, f"{entry.symbol}_device", entry.device_parameters, device)
    counted = (BeginCounting(), counting)
    workspace = (*counted, TellBytes(), Succeed())
    yield EntryFunction("workspace", entry.symbol, f"{entry.symbol}_workspace", entry.workspace_parameters, workspace)
    inside = (
        *counted, *_no_capture(entry), BeginCall(), OpenCallIn(), queued,
    )  # fmt: skip
    yield EntryFunction("device_in", entry.symbol, f"{entry.symbol}_device_in", entry.in_parameters, inside)


def _capture(entry: Entry, counting: CallQueue) -> tuple[Node, ...]:
    """A graph holds no launch for which the host waits: where the stream is captured, it is found out ahead."""
    if not entry.waits:
        return ()
    capturing = member(variable("@call", _CALL), "capturing", BOOL)
    asked = (BeginCounting(), counting, If(_WAITS, (RefuseCapture(),)))
    return OpenCall(), If(capturing, asked)


def _no_capture(entry: Entry) -> tuple[Node, ...]:
    """The same where memory has been counted already."""
    if not entry.waits:
        return ()
    captured = binary("!=", variable("@status", INT), variable("cudaStreamCaptureStatusNone", INT))
    return AskCapture(), If(both(_WAITS, captured), (RefuseCapture(),))


def _queued(entry: Entry) -> tuple[Node, ...]:
    """What the function queues: launches, with the values and the memory that they have in common."""
    found: list[Node] = []
    if entry.refused is not None:
        found.append(If(entry.refused, (RefuseSizes(),)))
    if entry.uses_multiprocessors:
        found.append(AskMultiprocessors())
    if entry.uses_multiprocessors and entry.uses_scratch:
        found.append(TellDevice())
    flags = (values(BOOL, (fits(name), FALSE), varies=True) for name in entry.flags)
    return (*found, *entry.products, *entry.workspace, *flags, *_items(entry.items), Succeed())


def _items(items: Iterable[HostNode]) -> tuple[Node, ...]:
    return tuple(node for item in items for node in _item(item))


def _item(item: HostNode) -> tuple[Node, ...]:
    match item:
        case KernelLaunch():
            return item.body
        case HostFor():
            last = (CountOneRound(),) if item.counts_once else ()
            body = (*_items(item.inner), *last)
            return (EachRound(item.type, item.name, item.lower, item.upper, item.step, body, item.factor),)
        case HostIf():
            return (If(item.condition, _items(item.inner)),)
        case HostLet():
            named = variable(item.name, item.type)
            return (Braces((values(item.type, (named, item.lower)), *_items(item.inner))),)
        case Fallback():
            return (If(negation(fits(item.name)), (*item.workspace, *_items(item.inner))),)
        case CountedLaunch():
            points = (TellPoints(each.kernel, each.function, each.points, each.begins) for each in item.points)
            return (*points, *_items(item.inner))


# ---- on host pointers --------------------------------------------------------------------------------


def _host(entry: Entry) -> EntryFunction:
    """What C calls: ranges, copies, the call, copies back."""
    zero = entry.zero
    body = (
        *entry.copied_products,
        *(node for each in entry.arrays for node in _touched(each)),
        *_apart(entry),
        OpenThread(zero),
        *(node for each in entry.arrays for node in _copied_in(each, zero)),
        *([PlaceResult(entry.returns, zero)] if entry.result else []),
        CallDevice(entry.symbol, entry.arguments, zero),
        *(CopyOut(each.name, zero) for each in entry.arrays if each.copy_out),
        *([CopyResult(zero)] if entry.result else []),
        WaitForStream(zero),
        *([ReturnResult()] if entry.result else []),
    )
    return EntryFunction("host", entry.symbol, entry.name, entry.host_parameters, body, entry.returns)


def _copied_in(array: HostArray, zero: str) -> Iterator[Node]:
    """What the device has of an array before the launches."""
    yield CopyIn(array.name, array.type, array.copy_in, zero)
    if array.cleared:
        yield ClearCopy(array.name, zero)


def _touched(array: HostArray) -> Iterator[Node]:
    """The elements of an array that the launches touch."""
    yield TouchedElements(array.name)
    for part in array.parts:
        cover = Cover(array.name, part.first, part.last)
        yield If(part.condition, (cover,)) if part.condition is not None else cover
    yield Clip(array.name, array.count)


def _apart(entry: Entry) -> tuple[Node, ...]:
    """What is written lies in no other array."""
    if not entry.compared:
        return ()
    arrays = tuple(ComparedArray(each.name, each.type, each.is_written) for each in entry.compared)
    return (CompareArrays(entry.name, arrays, entry.zero),)
