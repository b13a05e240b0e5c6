"""Reductions whose kept points share what they read, which are done in tiles.

    for (i…) for (j…) for (k…) c[i][j] = op(c[i][j], f(a[i][k], b[k][j]))

Each point of a row of `c` reads the same row of `a`, each point of a column the same column of `b`.  A block takes a
tile of `c` and fetches what its points need once for all of them: a tile of s x s points reads 2 * s elements for each
k, where its points alone would read 2 * s * s.  Operator, element and types are whatever they are: nothing is assumed
of them, and for a point the values come in the order of k.

Two kept rows are the sides of the tile; others are layers of it.  A read that moves with one side and a reduced row is
an **operand**, and there is one at least of each side.  What moves with neither side is taken with those that go down.
"""

from __future__ import annotations

from collections.abc import Sequence as Seq
from dataclasses import dataclass, replace
from typing import Literal

from pencilc import islx
from pencilc.analysis.affinity import is_contiguous
from pencilc.analysis.box import Domains, fixed, image, is_box_within
from pencilc.gpu.shapes.shape import LARGEST_ELEMENT, Reads, Shaper, is_dense
from pencilc.gpu.shapes.tiles import CHUNK
from pencilc.ir.queries import mentions_any
from pencilc.ir.schedule import Band, Sequence, Tree, statements_of
from pencilc.ir.shapes import Contraction, Kernel, Operand, ReducingKernel
from pencilc.parts.part import Part


@dataclass(frozen=True, slots=True)
class _Read:
    """A read of the body that moves with `reduced` of the reduced rows, and with the kept rows at these positions."""

    read: Reads
    kept: frozenset[int]
    reduced: int


def with_contraction(shaper: Shaper, part: Part, kernel: Kernel) -> Kernel:
    """`kernel`, which has no launch parameters yet, with what its points share, if they share anything."""
    if not isinstance(kernel, ReducingKernel) or not kernel.accumulated or kernel.bins or len(kernel.kept) < 2:
        return kernel
    is_plain = not kernel.prologue and kernel.ragged is None and not _has_loops(kernel.body)
    if not is_plain or kernel.kept_box is None or kernel.reduced_box is None:
        return kernel
    found = _Search(shaper, part, kernel).contraction()
    return kernel if found is None else replace(kernel, contraction=found)


def _has_loops(tree: Tree | None) -> bool:
    """Whether an element is more than statements."""
    if isinstance(tree, Sequence):
        return any(_has_loops(child) for child in tree.children)
    return isinstance(tree, Band)


class _Search:
    """Looks for the two sides of a tile and for the operands."""

    def __init__(self, shaper: Shaper, part: Part, kernel: ReducingKernel) -> None:
        self.shaper, self.part, self.kernel, self.scop = shaper, part, kernel, shaper.scop
        self.body = statements_of(kernel.body)
        inside = {name: shaper.domains[name] for name in self.body}
        self.domains: Domains = fixed(inside, part.host, kernel.host)

    def contraction(self) -> Contraction | None:
        """The sides with the most bytes of operands on the smaller one, and their operands."""
        rows = (*self.kernel.kept, *self.kernel.reduced)
        if any(self.shaper.iterator(row, name) is None for row in rows for name in self.body):
            return None  # What moves with a row is told by the iterator that it is.
        accumulated = {r.array for r in self.scop.reductions_of(self.kernel.reductions)}
        reads = [self._with_rows(read) for read in self.shaper.reads(self.part, self.body, accumulated)]
        moving = [read for read in reads if read is not None]
        best: tuple[int, int, int] | None = None
        for across in reversed(range(len(self.kernel.kept))):
            for down in reversed(range(len(self.kernel.kept))):
                score = self._score(down, across, moving)
                # The contiguous row, which is the last one, goes across where that is as good.
                if score > 0 and (best is None or score > best[0]):
                    best = (score, down, across)
        if best is None:
            return None
        _, down, across = best
        operands: list[Operand] = []
        for each in moving:
            operand = self._operand(each, down, across)
            if operand is None:
                return None
            operands.append(operand)
        return Contraction(down, across, tuple(operands))

    def _with_rows(self, read: Reads) -> _Read | None:
        """The read, if it is another one for each reduced point."""
        kept, reduced = (
            [mentions_any(read.index, self.shaper.iterator(row, read.statement)) for row in rows]
            for rows in (self.kernel.kept, self.kernel.reduced)
        )
        if not any(reduced):
            return None
        return _Read(read, frozenset(position for position, moves in enumerate(kept) if moves), sum(reduced))

    def _score(self, down: int, across: int, reads: Seq[_Read]) -> int:
        """Bytes of a point that the side with fewer of them has; none where a read belongs to both."""
        if down == across or any({down, across} <= each.kept for each in reads):
            return 0
        sides = [sum(each.read.size for each in reads if side in each.kept) for side in (down, across)]
        return min(sides)

    def _operand(self, each: _Read, down: int, across: int) -> Operand | None:
        """The read as an operand of a tile; None where it cannot be fetched for all points of the tile's side."""
        read, goes_across = each.read, across in each.kept
        if read.inner or read.size > LARGEST_ELEMENT or not self._is_safe(each, across if goes_across else down):
            return None
        side = self.kernel.kept[across if goes_across else down]
        last = self.kernel.reduced[-1]
        along: Literal["side", "depth", ""] = ""
        if is_contiguous(read.index, self.shaper.iterator(side, read.statement) or ""):
            along = "side"
        elif is_contiguous(read.index, self.shaper.iterator(last, read.statement) or ""):
            along = "depth"
        # Several reduced rows are walked as one, whose neighbours may lie in different rows.
        is_run = along == "side" or (along == "depth" and len(self.kernel.reduced) == 1)
        width = CHUNK // read.size if is_run and CHUNK % read.size == 0 else 1
        moves = len(each.kept) + each.reduced
        return Operand(read.statement, read.index, not goes_across, along, width, moves)

    def _is_safe(self, each: _Read, side: int) -> bool:
        """Whether the source reads the element, or one of its array, for all points of the boxes that it is fetched for."""
        read = each.read
        if not read.certain and not self.shaper.in_bounds(read, self.domains):
            return False
        positions = sorted({side, *each.kept})
        rows = (*(self.kernel.kept[k] for k in positions), *self.kernel.reduced)
        whole = image(self.domains, (*self.kernel.kept, *self.kernel.reduced), self.body)
        if not all(is_dense(whole, position) for position in range(islx.dimensions(whole))):
            return False
        assert self.kernel.kept_box is not None and self.kernel.reduced_box is not None
        box = (*(self.kernel.kept_box[k] for k in positions), *self.kernel.reduced_box)
        launched = islx.as_parameters(self.kernel.domain, self.kernel.host).intersect(self.scop.context)
        return is_box_within(image(self.domains, rows, (read.statement,)), box, launched)
