"""The schedule tree of a region, with the launch that each statement runs in."""

from __future__ import annotations

from collections.abc import Mapping

from pencilc.ir.mapping import MappedProgram, leaves, name_of
from pencilc.ir.schedule import Band, Flag, Leaf, ScheduledScop, Tree
from pencilc.ir.schedule_printer import row_name, row_text
from pencilc.ir.scop_printer import statement_as_written
from pencilc.page.traffic import statements_in
from pencilc.records import dataclass

# What the flag of a row says of it.
FLAGS: Mapping[Flag, str] = {"P": "parallel", "R": "parallel as a reduction", "s": "sequential"}


@dataclass(frozen=True, slots=True)
class ShownRow:
    """A row of a band: its flag, what it is called, its value for each statement."""

    flag: Flag
    name: str
    text: str


@dataclass(frozen=True, slots=True)
class ShownNode:
    """A node of the tree: a band with `rows`, a sequence, or a statement with its place and launch."""

    kind: str
    rows: tuple[ShownRow, ...] = ()
    name: str = ""
    text: str = ""
    line: int = 0
    path: str = ""
    launch: str = ""
    children: tuple[ShownNode, ...] = ()


def shown_tree(program: MappedProgram) -> ShownNode:
    """The tree of a region."""
    launches: dict[str, str] = {}
    for item in leaves(program.launched()):
        for name in statements_in(item, program.scop):
            launches.setdefault(name, name_of(item))
    return _shown(program.scheduled.tree, program.scheduled, launches)


def _shown(tree: Tree, scheduled: ScheduledScop, launches: Mapping[str, str]) -> ShownNode:
    if isinstance(tree, Leaf):
        span = scheduled.scop.statement(tree.statement).span
        text = statement_as_written(scheduled.scop, tree.statement)
        launch = launches.get(tree.statement, "")
        return ShownNode("statement", (), tree.statement, text, span.line, span.path, launch)
    if isinstance(tree, Band):
        rows = tuple(ShownRow(row.flag, row_name(row, scheduled), row_text(scheduled, row)) for row in tree.rows)
        return ShownNode("band", rows, children=(_shown(tree.child, scheduled, launches),))
    return ShownNode("sequence", children=tuple(_shown(child, scheduled, launches) for child in tree.children))


def size_of_tree(node: ShownNode) -> int:
    """The number of nodes."""
    return 1 + sum(size_of_tree(child) for child in node.children)
