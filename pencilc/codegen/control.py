"""What the rules for nodes of the tree share: what is declared in a function, and who comes to a node."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable
from collections.abc import Sequence as Seq
from dataclasses import replace
from typing import NoReturn

from pencilc.codegen.expression_rules import check_expression
from pencilc.codegen.kernel_types import FileScope, Known, NameScope
from pencilc.codegen.names import OF_LANGUAGE
from pencilc.diagnostics.diagnostic import CompilerBug
from pencilc.ir.accumulators import Accumulator
from pencilc.ir.geometry import Geometry
from pencilc.ir.nodes import Node
from pencilc.ir.source import SCALARS, VOID, CType, Expr
from pencilc.records import dataclass


def fault(where: str, what: str) -> NoReturn:
    """A rule that the tree of `where` breaks."""
    raise CompilerBug(f"`{where}`: {what}")


@dataclass(frozen=True, slots=True)
class Control:
    """Where a node stands: below what loops and conditions.

    `varying`: names that differ among the threads of a block.  `is_uniform`: all of them come here; `in_warps`: if any
    thread of a warp does, all of them do; `in_rows`: the same of the threads that have a row together; `in_grid`: if
    any block comes here, all of them do.  `dealt`: the directions of threads and blocks along which a loop around is
    dealt out, or one thread is left.  `level`: who has a row, where rows are dealt out; `begun`: the accumulators that
    have begun, of those that are combined here, and `folded` those of which a thread has one value.  `alone`: threads
    come by their own number.  `copied`: the shared memory that threads have written since the last barrier, and `read`:
    what they have read of it.  `shown`: what has been waited for, of what other blocks leave or is on its way.
    """

    varying: frozenset[str] = frozenset()
    is_uniform: bool = True
    in_warps: bool = True
    in_rows: bool = True
    in_grid: bool = True
    dealt: frozenset[str] = frozenset()
    level: str = ""
    begun: frozenset[str] = frozenset()
    folded: frozenset[str] = frozenset()
    alone: bool = False
    copied: frozenset[str] = frozenset()
    read: frozenset[str] = frozenset()
    ahead: frozenset[str] = frozenset()
    shown: frozenset[str] = frozenset()

    def comes(self, scope: str) -> bool:
        """Whether all threads of a scope come here, if none of them has left before."""
        match scope:
            case "launch":
                return self.is_uniform and self.in_grid
            case "block":
                return self.is_uniform
            case "warp":
                return self.in_warps
        return self.in_rows

    @property
    def of_some(self) -> Control:
        """Where only some threads come, each with work of its own."""
        return replace(self.divided, dealt=frozenset("xyz"))

    @property
    def divided(self) -> Control:
        """Where some threads come and others do not."""
        return replace(self, is_uniform=False, in_warps=False, in_rows=False)


class Rules(ABC):
    """Rules for the nodes of one function, with what they are asked with."""

    def __init__(
        self, file: FileScope, name: str, axes: frozenset[str] = frozenset(), at: Geometry | None = None,
        index: str = "long long", brought: frozenset[tuple[str, str]] = frozenset(), numbers: Seq[str] = (),
    ) -> None:  # fmt: skip
        self.file, self.name, self.axes, self.brought = file, name, axes, brought
        self.numbers = frozenset(numbers)  # that the function is made for
        self.index = SCALARS[index]
        self.returns: CType = VOID
        # Variables that were given values which differ among threads: among those of a warp, or among warps alone.
        self.differs: dict[str, bool] = {}
        # The scopes of which some threads have left, by a jump out of each loop around; by a return, the first.
        self.left: list[set[str]] = [set()]
        self.met = 0  # how often threads have to come together
        # How often each direction of the grid has begun to be dealt out; the runs of points that stand here.
        self.begun: Counter[str] = Counter()
        self.runs: set[str] = set()
        at = at or Geometry("", 1)
        self.at = at
        # What says where a thread stands in each direction; one block has its threads alone.
        self.threads = {axis: getattr(at.thread, axis) for axis in "xyz"}
        self.blocks = {axis: {getattr(at.block, axis)} - {"0"} for axis in "xyz"}
        if at.is_block:
            self.blocks = {key: set() for key in "xyz"}

    def declare(self, scope: NameScope, name: str, known: Known) -> None:
        """One more name of a scope."""
        if not scope.declare(name, known):
            fault(self.name, f"`{name}` is declared twice")
        if name in OF_LANGUAGE:
            fault(self.name, f"`{name}` is a name of C++ or CUDA")
        if not (name.startswith("@") or name.isidentifier()):
            fault(self.name, f"`{name}` is no name")

    def nodes(self, nodes: Iterable[Node], scope: NameScope, control: Control) -> Control:
        """The nodes of one pair of braces, in order."""
        for node in nodes:
            control = self.node(node, scope, control)
        return control

    @abstractmethod
    def node(self, node: Node, scope: NameScope, control: Control) -> Control:
        """One node; what it declares is added to `scope`, and whether that differs among threads to the control."""

    def expressions(self, values: Iterable[Expr | None], scope: NameScope) -> None:
        """Names and calls of expressions are such as the scope has them."""
        for value in values:
            if value is not None:
                check_expression(self.name, value, scope)

    def needs(self, macro: str, name: str) -> None:
        """A function for the accumulator stands in the file by here."""
        if (macro, name) not in self.brought:
            fault(self.name, f"nothing brings what combines `{name}` by {macro}")

    def needs_lanes(self, found: Accumulator) -> None:
        """What the lanes of a warp call to combine their values stands in the file by here."""
        self.needs("accumulator", found.name)
        if not found.is_shuffled:
            self.needs("warp", found.name)

    def needs_block(self, found: Accumulator) -> None:
        """The same of the threads of a block."""
        self.needs_lanes(found)
        if found.butterflies:
            self.needs("block", found.name)

    def dealt(self, node: Node, control: Control) -> None:
        """A store of a PARALLEL kernel is done by one thread, or dealt out, along every direction of its grid."""
        if not self.axes <= control.dealt:
            missing = ", ".join(sorted(self.axes - control.dealt))
            fault(self.name, f"what each thread does alike along {missing} is not dealt out there")

    def meet(self, scope: str, control: Control) -> None:
        """All threads of a scope have to come here."""
        if not self.comes(scope, control):
            fault(self.name, "a barrier stands where not all threads come")

    def comes(self, scope: str, control: Control) -> bool:
        """Whether all threads of a scope come here, where they have to."""
        self.met += 1
        return control.comes(scope) and not any(scope in each for each in self.left)

    def shown(self, place: str, control: Control) -> None:
        """A barrier stands between who has written to shared memory and who reads it."""
        if place in control.copied:
            fault(self.name, f"no barrier stands between what writes `{place}` and who reads it")
