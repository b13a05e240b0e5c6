"""Reductions that a loop begins again in each of its iterations, though only the last one is looked at (PC0212).

for (i…) { init(&s); update(&s, a[i]); } out[0] = s;          the init belongs before the loop
for (i…) { init(&s); for (j…) update(&s, a[i][j]); b[i] = s; }    one for each row
"""

from __future__ import annotations

from collections.abc import Iterator

from pencilc.frontend.context import FileContext
from pencilc.ir.queries import declared_in
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


def check_restarts(context: FileContext, unit: TranslationUnit) -> None:
    """Report the initialisations of scalars that a loop repeats around nothing but updates of its own iterations."""
    for region in unit.regions:
        for loop in walk(region.body):
            if isinstance(loop, For):
                for init in _repeated(loop):
                    assert isinstance(init.variable, Name)
                    name = init.variable.symbol.spelling
                    context.warn(
                        "PC0212",
                        f"each iteration of the loop over `{loop.iterator.spelling}` begins `{name}` again",
                        init.span,
                        "only what the last one adds is left",
                        helps=(f"put `__pencil_reduction_var_init(&{name}, {init.function});` before the loop",),
                    )


def _repeated(loop: For) -> Iterator[ReductionInit]:
    items = loop.body.items if isinstance(loop.body, Block) else (loop.body,)
    declared = declared_in(loop.body)
    for init in items:
        if not isinstance(init, ReductionInit) or not isinstance(init.variable, Name):
            continue
        name = init.variable.symbol.name
        if name in declared:
            continue
        own = [s for s in _of_this_loop(loop.body) if isinstance(s, ReductionUpdate) and _updates(s, name)]
        uses = sum(isinstance(node, Name) and node.symbol.name == name for node in walk(loop.body))
        # Nothing else names the variable: it stands in the init, and once in each update.
        if own and uses == 1 + len(own):
            yield init


def _updates(update: ReductionUpdate, name: str) -> bool:
    return isinstance(update.variable, Name) and update.variable.symbol.name == name


def _of_this_loop(stmt: Stmt) -> Iterator[Stmt]:
    """The statements of a loop body, without those of loops inside of it."""
    yield stmt
    if isinstance(stmt, Block | If):
        for part in children(stmt):
            if isinstance(part, Stmt) and not isinstance(part, For | While):
                yield from _of_this_loop(part)
