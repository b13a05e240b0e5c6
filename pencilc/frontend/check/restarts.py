"""Reductions that a loop begins again in each of its iterations, though only the last one is looked at (PC0212).

for (i…) { init(&s); update(&s, a[i]); } out[0] = s;          the init belongs before the loop
for (i…) { init(&s); for (j…) update(&s, a[i][j]); b[i] = s; }    one for each row
"""

from __future__ import annotations

from collections.abc import Iterator

from pencilc.diagnostics import fixes
from pencilc.frontend.context import FileContext
from pencilc.ir.queries import declared_in, names_in, root, subscripts_in
from pencilc.ir.rewrite import written_names
from pencilc.ir.source import (
    Block,
    For,
    If,
    Name,
    ReductionInit,
    ReductionUpdate,
    Stmt,
    TranslationUnit,
    While,
    children,
    walk,
)
from pencilc.ir.source_printer import print_expr, spelled


def check_restarts(context: FileContext, unit: TranslationUnit) -> None:
    """Report the initialisations of variables that a loop repeats around nothing but updates of its own iterations."""
    for region in unit.regions:
        for loop in walk(region.body):
            if isinstance(loop, For):
                for init in _repeated(loop):
                    name = spelled(init.variable)
                    code = f"__pencil_reduction_var_init(&{name}, {init.function});"
                    file = context.file_of(init.span)
                    edits = [
                        fixes.statement_before(file, loop.span, code),
                        fixes.statement_removed(file, init.span, "__pencil_reduction_var_init"),
                    ]
                    text = f"put `{code}` before the loop"
                    remedy = fixes.fix(text, edits)
                    context.warn(
                        "PC0212",
                        f"each iteration of the loop over `{loop.iterator.spelling}` begins `{name}` again",
                        init.span,
                        "only what the last one adds is left",
                        helps=() if remedy is not None else (text,),
                        remedies=(remedy,),
                    )


def _repeated(loop: For) -> Iterator[ReductionInit]:
    items = loop.body.items if isinstance(loop.body, Block) else (loop.body,)
    declared = declared_in(loop.body) | {loop.iterator.name}
    written = declared | written_names(loop.body)
    for init in items:
        variable = root(init.variable) if isinstance(init, ReductionInit) else None
        if not isinstance(init, ReductionInit) or variable is None:
            continue
        name = variable.symbol.name
        if name in declared or written & names_in(*subscripts_in(init.variable)):
            continue  # It is another one in each iteration.
        element = print_expr(init.variable)
        own = [
            s for s in _of_this_loop(loop.body)
            if isinstance(s, ReductionUpdate) and print_expr(s.variable) == element
        ]  # fmt: skip
        uses = sum(isinstance(node, Name) and node.symbol.name == name for node in walk(loop.body))
        # Nothing else names the variable: it stands in the init, and once in each update.
        if own and uses == 1 + len(own):
            yield init


def _of_this_loop(stmt: Stmt) -> Iterator[Stmt]:
    """The statements of a loop body, without those of loops inside of it."""
    yield stmt
    if isinstance(stmt, Block | If):
        for part in children(stmt):
            if isinstance(part, Stmt) and not isinstance(part, For | While):
                yield from _of_this_loop(part)
