"""The forms of reductions: what a kernel does, composed of building blocks, and the functions that these call.

A form begins the accumulators of its threads, goes through their points, and combines what they have step by step;
what follows the reduction is done by one thread.
"""

from __future__ import annotations

from typing import Literal

from pencilc.ir.accumulators import Accumulator
from pencilc.ir.build import ZERO, variable
from pencilc.ir.combining import (
    Arrive,
    ByOne,
    Combine,
    CombineGrid,
    EachRow,
    OfRow,
    RowBound,
    Start,
    Teams,
    ValuesOfRow,
    Workers,
)
from pencilc.ir.geometry import Geometry
from pencilc.ir.kernel import HelperCall
from pencilc.ir.nodes import Node, SharedDecl, Sync
from pencilc.ir.source import Expr, PointerType
from pencilc.records import dataclass


@dataclass(frozen=True, slots=True)
class ReductionParts:
    """The parts of a kernel that reduces: `body` has the loops over reduced rows, `rows` is the number of results.

    `kept` finds the kept iterators of `@row`.  `runs`: how many runs the body deals out to teams of threads, and the
    chunks of one; None where it has one run.
    `writes`: elements write memory.  `waits`: `post` waits for their accesses.  `workers`: of a fixed tree, at most,
    else 0.
    """

    accumulator: Accumulator
    sets: int
    at: Geometry
    prologue: tuple[Node, ...]
    kept: tuple[Node, ...]
    body: tuple[Node, ...]
    post: tuple[Node, ...]
    rows: Expr
    runs: tuple[Expr, Expr] | None
    writes: bool
    waits: bool
    workers: int

    @property
    def of_thread(self) -> tuple[Node, ...]:
        """A thread brings together what it has, if it has several accumulators."""
        return (self.combine("thread"),) if self.sets > 1 else ()

    def combine(self, scope: Literal["thread", "lanes", "warp", "block"]) -> Combine:
        """The accumulators of the threads of a scope become one value."""
        return Combine(self.accumulator, scope, self.sets, at=self.at if scope == "block" else None)

    def teams(self, scope: Literal["lanes", "block", "grid", "worker"]) -> tuple[Teams, ...]:
        """The threads of a scope in teams, if there are several runs."""
        return (Teams(scope, self.at, *self.runs),) if self.runs is not None else ()

    def values(self, name: str) -> Expr:
        """The values that workers leave."""
        return variable(name, PointerType(self.accumulator.type))


# ---- what a kernel does ------------------------------------------------------------------------------


def whole(parts: ReductionParts) -> tuple[Node, ...]:
    """ALL: threads, a block, all blocks; of a fixed tree its workers, which the last block brings together."""
    behind = ByOne("block", parts.post)
    if parts.workers:
        values = parts.values("@partials")
        arrive = Arrive(parts.accumulator, parts.at, ZERO, "return")
        finish = Combine(parts.accumulator, "workers", values=values)
        return (*parts.prologue, _workers(parts, values), arrive, finish, behind)
    in_block = parts.at.is_block
    teams = parts.teams("block" if in_block else "grid")
    grid = () if in_block else (CombineGrid(parts.accumulator, parts.at, ZERO, False, "return"),)
    return (*teams, *parts.prologue, *_thread(parts), parts.combine("block"), *grid, behind)


def rows_of_lanes(
    parts: ReductionParts, bounds: tuple[RowBound, ...] = (), of_bounds: tuple[Node, ...] = ()
) -> tuple[Node, ...]:
    """ROW: as many lanes of a warp as LANES says for each row; `bounds` of the next one are loaded ahead."""
    body = (OfRow(parts.body),) if parts.writes else parts.body
    row = (
        *parts.kept, *parts.prologue, Start(parts.accumulator, parts.sets), *body, parts.combine("thread"),
        parts.combine("lanes"), *_waiting(parts), ByOne("lanes", parts.post),
    )  # fmt: skip
    names_row = bool(parts.kept or of_bounds)
    rows = EachRow("lanes", parts.rows, parts.at, row, names_row, bounds, of_bounds)
    return (*parts.teams("lanes"), rows)


def rows_of_warps(parts: ReductionParts) -> tuple[Node, ...]:
    """ROW: a warp for each row."""
    row = (*parts.kept, *_thread(parts), parts.combine("warp"), *_waiting(parts), ByOne("warp", parts.post))
    return (EachRow("warp", parts.rows, parts.at, row),)


def rows_of_blocks(parts: ReductionParts) -> tuple[Node, ...]:
    """ROW: a block for each row, or several of which the last to arrive finishes; of a fixed tree its workers."""
    accumulator, at, number = parts.accumulator, parts.at, variable("@row")
    behind = ByOne("block", parts.post)
    if parts.workers:
        values = parts.values("@values")
        row: tuple[Node, ...] = (
            ValuesOfRow(accumulator, at), *parts.kept, *parts.prologue, _workers(parts, values),
            Arrive(accumulator, at, number, "continue"), Combine(accumulator, "workers", values=values), behind,
        )  # fmt: skip
        slots = SharedDecl("@slots", accumulator.type, parts.workers)
        return (slots, EachRow("block", parts.rows, at, row))
    grid = CombineGrid(accumulator, at, number, True, "continue")
    row = (*parts.kept, *parts.prologue, *_thread(parts), parts.combine("block"), grid, behind)
    return (*parts.teams("grid"), EachRow("block", parts.rows, at, row))


def _thread(parts: ReductionParts) -> tuple[Node, ...]:
    """What a thread reduces on its own."""
    return (Start(parts.accumulator, parts.sets), *parts.body, *parts.of_thread)


def _workers(parts: ReductionParts, values: Expr) -> Workers:
    """Each worker of a fixed tree leaves a value."""
    leave = Combine(parts.accumulator, "worker", parts.sets, values)
    return Workers(parts.at, (*parts.teams("worker"), *_thread(parts), leave))


def _waiting(parts: ReductionParts) -> tuple[Node, ...]:
    return (Sync("warp"),) if parts.waits else ()


# ---- the functions that building blocks call ---------------------------------------------------------


def shared_helpers(accumulator: Accumulator, block: int) -> tuple[HelperCall, ...]:
    """What all functions of a kernel need of their accumulator, that of lanes in blocks of so many threads."""
    lanes = () if accumulator.is_shuffled else (HelperCall("warp", (accumulator, block)),)
    cascade = (HelperCall("cascade", (accumulator,)),) if accumulator.is_cascade else ()
    return (HelperCall("accumulator", (accumulator,)), *lanes, *cascade)


def lanes_helpers(accumulator: Accumulator) -> tuple[HelperCall, ...]:
    """What combines some lanes, as many as the kernel finds out, where shuffles alone do not."""
    return () if accumulator.is_shuffled else (HelperCall("lanes", (accumulator,)),)


def block_helpers(parts: ReductionParts) -> tuple[HelperCall, ...]:
    """What combines the threads of a block, where members are combined together."""
    if parts.workers or not parts.accumulator.butterflies:
        return ()
    return (HelperCall("block", (parts.accumulator, parts.at.size)),)
