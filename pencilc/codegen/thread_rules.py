"""Which threads come to a node: what values differ among them, conditions and loops that part them, who has left."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from pencilc.codegen.control import Control, Rules, fault
from pencilc.ir.nodes import names_of
from pencilc.ir.queries import root
from pencilc.ir.segments import Segment
from pencilc.ir.source import AddressOf, Assign, Expr, Jump, PointerType, Return, walk

# What tells blocks apart, and the threads of a block.
_BLOCKS = frozenset(f"blockIdx.{axis}" for axis in "xyz")
_THREADS = frozenset(f"{place}.{axis}" for place in ("threadIdx", "@thread_of_part") for axis in "xyz")


class ThreadRules(Rules):
    """Rules for what only some threads do."""

    # ---- values ------------------------------------------------------------------------------------

    def varies(self, value: Expr, control: Control) -> bool:
        """Whether threads of a block may have different values."""
        names = names_of(value)
        return not (names.isdisjoint(_THREADS) and names.isdisjoint(control.varying) and names.isdisjoint(self.differs))

    def stored(self, node: Assign, control: Control) -> None:
        """What a variable has been given: it differs where the value does, or where only some threads come."""
        target = root(node.target)
        if target is not None and not isinstance(target.type, PointerType):
            self._given(target.symbol.name, (node.target, node.value), control)
        self.written_by((node.value,), control)

    def written_by(self, values: Iterable[Expr], control: Control) -> None:
        """The variables whose addresses calls take may have got any value of the threads that come."""
        for value in values:
            for each in walk(value):
                if isinstance(each, AddressOf) and (found := root(each.operand)) is not None:
                    self._given(found.symbol.name, (value,), control)

    def _given(self, name: str, values: Iterable[Expr], control: Control) -> None:
        if not control.is_uniform or any(self.varies(each, control) for each in values):
            among_lanes = not control.in_warps or any(self.varies(each, control) for each in values)
            self.differs[name] = self.differs.get(name, False) or among_lanes

    def alone(self, node: Assign, control: Control) -> None:
        """One thread, or each with its own element, stores to the memory of the device: those of a row do not alike."""
        target = root(node.target)
        if self.axes or self.at.size == 1 or target is None or not isinstance(target.type, PointerType):
            return
        if control.in_rows and not control.dealt >= frozenset("xyz") and not target.symbol.name.startswith("@"):
            fault(self.name, f"all threads of a row store to `{target.symbol.name}` alike")

    def dealt_to_threads(self, node: Segment, control: Control) -> None:
        """A run is gone through once, by threads of which each has its own rank among those that share it."""
        if node.element in self.runs:
            fault(self.name, f"the run of `{node.element}` is gone through twice")
        self.runs.add(node.element)
        names = names_of(node.rank)
        shared_by_blocks = control.level in ("", "block") and bool(self.blocks["x"])
        own = {self.threads["x"], *(self.blocks["x"] if shared_by_blocks else ())}
        if not own <= names and "@thread" not in names:
            fault(self.name, f"threads have the same points of the run of `{node.element}`")

    # ---- conditions and loops ----------------------------------------------------------------------

    def below(self, condition: Expr, control: Control) -> Control:
        """Where threads for which a condition holds come."""
        along = self.directions(condition)
        self.begun.update(along - control.dealt)
        alone = control.alone or not _THREADS.isdisjoint(names_of(condition))
        below = replace(control, dealt=control.dealt | along, alone=alone)
        below = replace(below, in_grid=below.in_grid and not names_block(condition))
        return below.divided if self.varies(condition, control) else below

    def directions(self, value: Expr) -> frozenset[str]:
        """The directions of the grid that the number of a thread in `value` covers."""
        names = names_of(value)
        return frozenset(axis for axis in "xyz" if {self.threads[axis], *self.blocks[axis]} <= names)

    def rounds(self, once: Callable[[], None]) -> None:
        """A loop, `once` for each round: who has left in one, and what was stored, is so in the next."""
        self.left.append(set())
        before = self.met
        known: tuple[int, int] | None = None
        while known is None or (self.met > before and known != self._state()):
            known = self._state()
            once()
        self.left.pop()

    def _state(self) -> tuple[int, int]:
        """What only grows: who has left, and which variables differ."""
        return len(self.left[-1]), len(self.differs) + sum(self.differs.values())

    def leaves(self, node: Jump | Return, control: Control) -> None:
        """The threads that come here are missed behind, up to the end of the loop or the function."""
        if isinstance(node, Jump) and len(self.left) == 1:
            fault(self.name, f"`{node.keyword}` stands in no loop")
        behind = self.left[-1 if isinstance(node, Jump) else 0]
        behind |= {scope for scope in ("launch", "block", "warp", "row") if not control.comes(scope)}


def names_block(*values: Expr) -> bool:
    """Whether blocks may have different values."""
    return not _BLOCKS.isdisjoint(names_of(*values))
