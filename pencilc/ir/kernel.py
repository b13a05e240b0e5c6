"""The functions of a kernel, with the tree of what they do (`ir/nodes.py`).  Stage: codegen."""

from __future__ import annotations

from pencilc.diagnostics.source import Span
from pencilc.ir.accumulators import Accumulator
from pencilc.ir.bins import BroughtBins, Scatter
from pencilc.ir.geometry import Geometry
from pencilc.ir.nodes import Node, Parameter
from pencilc.ir.on_chip import ExchangeParts
from pencilc.ir.source import Expr
from pencilc.records import dataclass

# How many rows a block has below each other, where the entry point says so, and where those of this one end.
BLOCK_ROWS, ROWS_END = "@block_rows", "@rows_end"


@dataclass(frozen=True, slots=True)
class HelperCall:
    """A device function beside a kernel: the macro that prints it, as `shapes.cuh.j2` calls it, and its arguments.

    The first of these is what it is for.
    """

    macro: str
    arguments: tuple[Accumulator | BroughtBins | ExchangeParts | Geometry | int | str, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """The accumulator that it is for, or the stems of bins, or the kernel whose rows stay on the chip."""
        match self.arguments:
            case (Accumulator(name=name), *_) | (ExchangeParts(name=name), *_):
                return (name,)
            case (BroughtBins(bins=bins), *_):
                return tuple(each.stem for each in bins)
        return ()


@dataclass(frozen=True, slots=True)
class RunCounts:
    """The runs of points of one result: `length` points each, on average where data says it, one for each value that
    the `loops` around them take together; at most so many where the rows are no box.
    """

    loops: tuple[Expr, ...]
    length: Expr


@dataclass(frozen=True, slots=True)
class Counts:
    """How many points a reduction has: `rows` kept ones, `columns` along the last row of them, `outers` in others.

    `reduced` is the number of points of each; None where data says it.
    """

    rows: Expr
    outers: Expr
    columns: Expr
    reduced: Expr | None


@dataclass(frozen=True, slots=True)
class KernelFunction:
    """One `__global__` function, or a device function that has a part of a launch: its head and what it does.

    `shape` is what launches know it by; `helpers` are the device functions that it brings, `numbers` its template
    parameters.  `extra` are parameters besides what nodes name, with the arguments at the launch.  For launches:
    `counts` of a reduction and the `runs` of one of its results, the numbers of `lanes` that it is made for, and for
    each loop that is `dealt` out the places of the kept rows that it goes through.  `widest`: threads of a
    block that is made for no more than `wide` ITEMS, at most, if that is more than `block`; else 0; `scatter`: what
    goes to bins; `covers`: a thread has one point at most along x, so that there have to be threads for all.
    """

    name: str
    shape: str
    comment: tuple[str, ...]
    parameters: tuple[Parameter, ...]
    arguments: tuple[Expr, ...]
    block: int
    body: tuple[Node, ...]
    accumulator: Accumulator | None = None
    helpers: tuple[HelperCall, ...] = ()
    numbers: tuple[str, ...] = ()
    index: str = "long long"  # C type of flat indices
    layout: str = ""  # as in `Geometry`
    resident: int = 1  # blocks that must fit on an SM together, which limits the registers
    resident_number: str = ""  # the one of `numbers` that says so instead, `resident` at most
    extra: tuple[tuple[Parameter, Expr], ...] = ()
    counts: Counts | None = None
    runs: RunCounts | None = None
    lanes: tuple[int, ...] = ()
    dealt: tuple[tuple[int, ...], ...] = ()
    scatter: Scatter | None = None
    kernel: str = ""  # the kernel of the mapping whose work it does, or a part of
    also: tuple[str, ...] = ()  # those of other regions that it does the same for
    also_from: tuple[tuple[Span, Span], ...] = ()  # places in the source that it comes from, with those of `also`
    widest: int = 0
    wide: int = 0
    covers: bool = False

    @property
    def at(self) -> Geometry:
        """How the place of a thread is spelled."""
        return Geometry(self.layout, self.block)

    @property
    def is_wider(self) -> bool:
        """Whether a block may have more threads, made for few ITEMS."""
        return self.widest > self.block

    @property
    def has_two_limits(self) -> bool:
        """Whether one block is enough for the wider ones, and several have to be resident of the others."""
        return self.is_wider and self.resident > 1
