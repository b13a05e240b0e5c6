"""Sequential loops inside parallel rows: loops on the host, or loops of one thread for each row.

    [i P]{ [t s]{ [j R]{S2}; M0; [j P]{S3} } }   ->   for t on the host { [i P]{ [j R]{S2}; M0; [j P]{S3} } }

No dependence crosses a parallel row, so the loop may go around it.  That is done where the rows do not fill the device
and an iteration has something for the threads of a warp, both at nominal sizes; otherwise a launch for each iteration
costs more than it brings.
"""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Sequence as Seq

from pencilc.analysis.box import Domains
from pencilc.analysis.nominal import at_nominal_sizes, likely, points
from pencilc.analysis.ragged_rows import ragged_row
from pencilc.ir.schedule import Band, Leaf, Row, Sequence, Tree, statements_of
from pencilc.ir.scop import Scop
from pencilc.target import WARP, Target

# Points of an iteration that are worth a launch: so many that a warp has one for each thread.
POINTS = WARP
# The same of loops in each other: a thread with less has it all in its registers, or in few lines of memory.
NESTED = 4 * WARP


class HostLoops:
    """Decides for one region; `domains` are those of the statements within the context."""

    def __init__(self, scop: Scop, domains: Domains, target: Target) -> None:
        self.scop, self.target = scop, target
        context = likely(scop.context, scop.sizes)
        self.domains = {name: at_nominal_sizes(domain, context) for name, domain in domains.items()}

    def goes_out(self, kept: Seq[Row], loop: Row, body: Tree) -> bool:
        """Whether `loop` around `body`, inside the rows `kept`, becomes a loop on the host around them."""
        statements = statements_of(body)
        if ragged_row(self.scop, loop, statements):
            return False  # its bounds are data that the host does not see
        rows = points(self.domains, kept, statements)
        return rows < self.target.multiprocessors * self.target.threads_per_sm and self._is_worth_it(body)

    def _is_worth_it(self, body: Tree) -> bool:
        """Whether an iteration has points enough in one loop nest, or with the loops inside of that."""
        for rows, inside in _parallel(body):
            if points(self.domains, rows, statements_of(inside)) >= POINTS:
                return True
        return any(points(self.domains, rows, statements_of(inside)) >= NESTED for rows, inside in _nested(body))


def _parallel(tree: Tree) -> Iterator[tuple[tuple[Row, ...], Band]]:
    """The outermost parallel rows below a tree, with what is inside."""
    match tree:
        case Leaf():
            return
        case Sequence():
            for child in tree.children:
                yield from _parallel(child)
        case Band():
            rows = tuple(row for row in tree.rows if row.flag != "s")
            if rows:
                yield rows, tree
            else:
                yield from _parallel(tree.child)


def _nested(tree: Tree) -> Iterator[tuple[tuple[Row, ...], Tree]]:
    """Parallel rows below a tree together with those inside of them."""
    for rows, band in _parallel(tree):
        for inner, below in (*_parallel(band.child), *_nested(band.child)):
            yield (*rows, *inner), below
