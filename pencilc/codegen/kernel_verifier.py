"""The verifier of the stage `kernels`: what nvcc would refuse, or would take and run wrongly, is found in the tree.

Every name is declared once and before its use, with a type that C++ accepts where it stands; what is only read stays
const; no array has an extent that is computed; barriers stand where all threads of their scope come; shared memory
fits; accumulators begin before they are combined, by functions that are there; rows are given to one level, and every
store of a loop that is dealt out is dealt out along each direction of the grid once.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from pencilc.codegen.cexpr import type_text
from pencilc.codegen.kernel_types import FileScope, Known, NameScope, element_text
from pencilc.codegen.kernel_walk import Control, Walk, fault
from pencilc.codegen.shared_memory import static_shared
from pencilc.ir.accumulators import Accumulator
from pencilc.ir.definitions import DeviceFunction
from pencilc.ir.host import Entry, Fallback, HostFor, HostIf, HostLet, HostNode, KernelFile
from pencilc.ir.kernel import KernelFunction, accumulators_in, variables_of
from pencilc.ir.launches import KernelLaunch, LaunchBins, LaunchComposed, LaunchPacked, StepOfBins
from pencilc.ir.source import INT, LLONG, ArrayType
from pencilc.target import STATIC_SHARED


def verify_kernels(file: KernelFile) -> None:
    """Raise CompilerBug where the tree of `file` breaks a rule."""
    scope = FileScope(file)
    for helper in file.helpers:
        if isinstance(helper, DeviceFunction):
            for body in (helper.body, helper.on_host):
                Walk(scope, helper.name).function(helper, body)
    brought: set[tuple[str, str]] = set()
    for function in file.kernels:
        brought |= {(helper.macro, name) for helper in function.helpers for name in helper.names}
        _verify_kernel(function, scope, frozenset(brought))
    for entry in file.entries:
        _verify_entry(entry, scope)


# ---- kernels -----------------------------------------------------------------------------------------


def _verify_kernel(function: KernelFunction, file: FileScope, brought: frozenset[tuple[str, str]]) -> None:
    scope = file.inner()
    walk = Walk(file, function.name, _axes(function), function.at, function.index, brought)
    for declared in function.parameters:
        if isinstance(declared.type, ArrayType):
            fault(function.name, f"`{declared.name}` is an array, of which it is given no pointer")
        walk.declare(scope, declared.name, Known(declared.type, reads_only=declared.is_const))
    for number in function.numbers:
        walk.declare(scope, number, Known(INT))
    for found in accumulators_in(function.body):
        _verify_accumulator(function.name, found, file)
    walk.nodes(function.body, scope.inner(), Control())
    used = static_shared(function)
    if used > STATIC_SHARED:
        fault(
            function.name, f"{used} bytes of shared memory are more than the {STATIC_SHARED} that a kernel may declare"
        )


def _axes(function: KernelFunction) -> frozenset[str]:
    """The directions of the grid along which a PARALLEL kernel deals out rows."""
    return frozenset("xyz"[: len(function.dealt) or 1]) if function.shape == "parallel" else frozenset()


def _verify_accumulator(where: str, found: Accumulator, file: FileScope) -> None:
    """What a thread carries becomes what threads combine, and the operator takes that."""
    for member in found.members:
        wanted = type_text(member.type)
        if member.cascade is not None and element_text(member.cascade) != wanted:
            fault(where, f"`{member.name}` is carried as a {type_text(member.cascade)} and combined as a {wanted}")
        operator = file.functions.get(member.operator)
        if operator is not None and any(type_text(each.type) != wanted for each in operator.parameters):
            fault(where, f"`{member.operator}` does not combine values of type {wanted}")


# ---- the host ----------------------------------------------------------------------------------------


def _verify_entry(entry: Entry, file: FileScope) -> None:
    """Launches name parameters, iterators of loops around, and what the entry point has computed."""
    scope = file.inner()
    walk = Walk(file, entry.symbol)
    for declared in entry.device_parameters:
        walk.declare(scope, declared.name, Known(declared.type, reads_only=declared.is_const))
    for array in entry.arrays:
        for part in array.parts:
            _known_names(entry.symbol, (part.condition, part.first, part.last, array.count), scope)
    scope.provide(("@call", "@multiprocessors"), LLONG)
    inside = scope.inner()
    walk.nodes(entry.workspace, inside, Control())
    _verify_items(entry, entry.items, inside, walk)


def _verify_items(entry: Entry, items: Iterable[HostNode], scope: NameScope, walk: Walk) -> None:
    for item in items:
        inside = scope.inner()
        match item:
            case KernelLaunch():
                _verify_launch(entry, item, inside, walk)
                continue
            case HostFor() | HostLet():
                _known_names(entry.symbol, (item.lower,), scope)
                walk.declare(inside, item.name, Known(item.type))
                if isinstance(item, HostFor):
                    _known_names(entry.symbol, (item.upper,), inside)
            case HostIf():
                _known_names(entry.symbol, (item.condition,), scope)
            case Fallback():
                walk.nodes(item.workspace, inside, Control())
        _verify_items(entry, item.inner, inside, walk)


def _verify_launch(entry: Entry, launch: KernelLaunch, scope: NameScope, walk: Walk) -> None:
    """What a launch computes names what the entry point has."""
    if isinstance(launch, LaunchComposed):
        # What a row keeps in shared memory is placed right before the launch.
        walk.nodes(launch.regions, scope, Control())
        launch = replace(launch, regions=())
    parts = launch.parts if isinstance(launch, LaunchPacked) else ()
    for each in (launch, *(part.work for part in parts), *(part.overflow for part in parts)):
        if isinstance(each, LaunchBins):
            _verify_steps(entry.symbol, each.steps)
    _known_names(entry.symbol, (launch,), scope)


def _verify_steps(where: str, steps: Iterable[StepOfBins]) -> None:
    """What a step declares is read behind it, and what it reads is declared before."""
    unread: set[str] = set()
    known: set[str] = set()
    for step in steps:
        for name in step.reads:
            if name not in known:
                fault(where, f"`{name}` is not declared where a launch needs it")
        unread -= set(step.reads)
        for name in step.declares:
            if name in known:
                fault(where, f"`{name}` is declared twice")
            known.add(name)
            unread.add(name)
    if unread:
        fault(where, f"a launch declares `{min(unread)}`, which nothing uses")


def _known_names(where: str, values: Iterable[object], scope: NameScope) -> None:
    """Names of the source that a launch has; what templates compute begins with `@`."""
    for value in values:
        for name in variables_of(value):
            if not name.startswith("@") and not scope.knows(name):
                fault(where, f"`{name}` is not declared where a launch needs it")
