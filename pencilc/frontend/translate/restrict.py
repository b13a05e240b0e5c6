"""PC0402: arrays that are handed in are taken not to overlap, which `restrict` says in C (C99 6.7.3.1)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pencilc.diagnostics import fixes
from pencilc.diagnostics.diagnostic import Fix
from pencilc.diagnostics.source import Span
from pencilc.frontend.context import FileContext
from pencilc.ir.source import ArrayType, Symbol


def warn_restrict(context: FileContext, params: Sequence[Symbol]) -> None:
    """Report the first of several arrays among `params` that does not say so, if something may be written to one."""
    arrays = [(p, p.type) for p in params if isinstance(p.type, ArrayType)]
    if len(arrays) < 2 or all(t.is_const for _, t in arrays):
        return
    loose = [p for p, t in arrays if not t.is_restrict]
    if loose:
        context.warn(
            "PC0402",
            f"array parameter `{loose[0].spelling}` is not `restrict`",
            loose[0].span,
            notes=("arrays are taken not to overlap; the host entry point checks it at run time",),
            remedies=(_with_restrict(context, loose[0].span, loose[0].spelling),),
        )


def _with_restrict(context: FileContext, span: Span, name: str) -> Fix | None:
    """The fix that writes the qualifiers into the outermost extent of the array `name` at `span`."""
    file = context.file_of(span)
    qualified = rf"{re.escape(name)}\[(?:(?:static|const|restrict)\s+)*([^\[\]]+)\]"
    found = re.match(qualified, file.line(span.line)[span.column - 1 :])
    if found is None:
        return None
    new = f"{name}[static const restrict {found.group(1)}]"
    return fixes.fix(f"write `{new}`", [fixes.replaced(file, span, found.group(), new)])
