"""PC0704: a loop on the host that calls a helper of the file which is compiled, once for each of its iterations.

    static float dot(int n, …) { … __pencil_reduction(&s, a[i] * b[i], add); … }
    void matvec(int n, …) { for (int i = 0; i < n; i++) y[i] = dot(n, a[i], x); }

Nothing says that `matvec` is compiled, so each iteration copies a row to the device, launches and waits.  A function
that others may call is one of the program's, which knows when it calls it; a `static` one is meant for these loops.
"""

from __future__ import annotations

from typing import Any

from pencilc.frontend.context import FileContext
from pencilc.frontend.syntax.nodes import LOOPS, nodes_below
from pencilc.ir.source import TranslationUnit


def check_host_calls(context: FileContext, unit: TranslationUnit) -> None:
    """Report the first such call of each function without a region but `main`, which may measure."""
    entries = {region.function for region in unit.regions if not region.outlined}
    helpers = {name for name in entries if "static" in (context.definitions[name].decl.storage or ())}
    if not helpers:
        return
    known = {region.function for region in unit.regions} | {function.name for function in unit.functions} | {"main"}
    for name, node in context.definitions.items():
        if name in known:
            continue
        call = next((each for each in _calls_in_loops(node.body) if each.name.name in helpers), None)
        if call is not None:
            context.warn(
                "PC0704",
                f"`{name}` stays on the host and calls `{call.name.name}`, which is compiled, in a loop",
                call,
                helps=(f"put `#pragma scop` and `#pragma endscop` around the loops of `{name}`",),
            )


def _calls_in_loops(body: Any) -> list[Any]:
    loops = [node for node in nodes_below(body) if type(node).__name__ in LOOPS]
    inside = [node for loop in loops for node in nodes_below(loop.stmt)]
    return [node for node in inside if type(node).__name__ == "FuncCall" and type(node.name).__name__ == "ID"]
