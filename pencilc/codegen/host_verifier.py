"""The verifier of the host side: what entry points and launches name is declared, and functions take what they get."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from pencilc.codegen.choice_rules import verify_choices, work_of
from pencilc.codegen.control import fault
from pencilc.codegen.entry_rules import verify_copies, verify_given
from pencilc.codegen.entry_walk import EntryWalk
from pencilc.codegen.hostloops import launches_in
from pencilc.codegen.kernel_types import FileScope
from pencilc.codegen.launch_nodes import fits
from pencilc.codegen.shared_memory import SharedMemory
from pencilc.codegen.shared_rules import verify_shared
from pencilc.ir.host import Entry, Fallback, HostNode
from pencilc.ir.kernel import KernelFunction
from pencilc.ir.launches import KernelLaunch


def verify_entry(
    entry: Entry, file: FileScope, functions: Mapping[str, KernelFunction], memory: SharedMemory
) -> frozenset[str]:
    """The functions that `entry` starts; raises CompilerBug where a launch does not fit these, or what is around."""
    verify_copies(entry)
    walk = EntryWalk(file, entry.symbol, functions)
    asked = _asked(entry.items)
    for launch in launches_in(entry.items):
        if not launch.body:
            fault(walk.name, f"nothing says how `{launch.name}` is launched")
    for function in entry.functions:
        walk.entry_function(function)
    verify_given(entry)
    for launch in launches_in(entry.items):
        walk.computed(launch.body)
        flag = fits(launch.name).symbol.name if launch.name in asked else ""
        verify_choices(walk.name, launch.body, flag, work_of(launch))
        verify_shared(walk.name, launch.body, memory)
    return frozenset(walk.found)


def _asked(items: Iterable[HostNode]) -> frozenset[str]:
    """The fused kernels for which others stand, where they do not run."""
    found: set[str] = set()
    for item in items:
        if not isinstance(item, KernelLaunch):
            found |= _asked(item.inner) | ({item.name} if isinstance(item, Fallback) else set())
    return frozenset(found)
