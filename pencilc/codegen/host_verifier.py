"""The verifier of the host side: what entry points and launches name is declared, and functions take what they get."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set

from pencilc.codegen.choice_rules import verify_choices, work_of
from pencilc.codegen.control import Control, fault
from pencilc.codegen.entry_rules import declare_parameters, verify_functions
from pencilc.codegen.hostloops import launches_in
from pencilc.codegen.kernel_types import FileScope, Known, NameScope
from pencilc.codegen.launch_nodes import fits
from pencilc.codegen.launch_walk import LaunchWalk
from pencilc.codegen.shared_memory import SharedMemory
from pencilc.codegen.shared_rules import verify_shared
from pencilc.ir.host import Entry, Fallback, HostFor, HostIf, HostLet, HostNode
from pencilc.ir.kernel import KernelFunction
from pencilc.ir.launches import KernelLaunch
from pencilc.ir.nodes import names_of
from pencilc.ir.source import BOOL, LLONG


def verify_entry(
    entry: Entry, file: FileScope, functions: Mapping[str, KernelFunction], memory: SharedMemory
) -> frozenset[str]:
    """The functions that `entry` starts; raises CompilerBug where a launch does not fit these, or what is around."""
    verify_functions(entry, file)
    scope = file.inner()
    walk = LaunchWalk(file, entry.symbol, functions)
    declare_parameters(walk, scope, entry.device_parameters)
    scope.provide(("@call", "@multiprocessors"), LLONG)
    inside = scope.inner()
    walk.expressions((entry.refused,), inside)
    walk.nodes((*entry.products, *entry.workspace), inside, Control())
    for name in entry.flags:
        walk.declare(inside, fits(name).symbol.name, Known(BOOL))
    _items(walk, entry.items, inside, _asked(entry.items))
    for launch in launches_in(entry.items):
        verify_shared(walk.name, launch.body, memory)
    return frozenset(walk.found)


def _items(walk: LaunchWalk, items: Iterable[HostNode], scope: NameScope, asked: Set[str]) -> None:
    """Loops, conditions and launches between two braces; of which kernels others are `asked` whether they ran."""
    for item in items:
        inside = scope.inner()
        match item:
            case KernelLaunch():
                if not item.body:
                    fault(walk.name, f"nothing says how `{item.name}` is launched")
                walk.launch(item.body, scope)
                flag = fits(item.name).symbol.name if item.name in asked else ""
                verify_choices(walk.name, item.body, flag, work_of(item))
                continue
            case HostFor():
                _loop(walk, item, scope, inside, asked)
                continue
            case HostLet():
                walk.expressions((item.lower,), scope)
                _declare(walk, item, inside)
            case HostIf():
                walk.expressions((item.condition,), scope)
            case Fallback():
                walk.expressions((fits(item.name),), scope)
                walk.nodes(item.workspace, inside, Control())
        _items(walk, item.inner, inside, asked)


def _loop(walk: LaunchWalk, item: HostFor, scope: NameScope, inside: NameScope, asked: Set[str]) -> None:
    walk.expressions((item.lower,), scope)
    _declare(walk, item, inside)
    walk.expressions((item.upper,), inside)
    walk.rounds(lambda: _items(walk, item.inner, inside.copy(), asked))


def _declare(walk: LaunchWalk, item: HostFor | HostLet, inside: NameScope) -> None:
    """A variable of the host, which its own value does not name."""
    if item.name in names_of(item.lower):
        fault(walk.name, f"`{item.name}` is declared by its own value")
    walk.declare(inside, item.name, Known(item.type))


def _asked(items: Iterable[HostNode]) -> frozenset[str]:
    """The fused kernels for which others stand, where they do not run."""
    found: set[str] = set()
    for item in items:
        if not isinstance(item, KernelLaunch):
            found |= _asked(item.inner) | ({item.name} if isinstance(item, Fallback) else set())
    return frozenset(found)
