"""What threads of a kernel combine: one value for each of its reductions.  Stage: codegen."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from pencilc.ir.source import CType, Expr
from pencilc.records import dataclass


@dataclass(frozen=True, slots=True)
class AccumulatorMember:
    """One reduction of a kernel inside its accumulator: `suffix` selects it (`.sum`, or nothing if alone).

    `array`: many that are alike are elements of one array, which is called so.  `count`: of a line that stands for all
    of these, how many there are; its suffix selects the array.
    """

    suffix: str
    name: str
    type: CType
    operator: str
    init_function: str
    identity: Expr | None  # the operator's own identity, None: what the init function says
    warp_instruction: str | None  # `__reduce_add_sync` and its kind, for 32-bit integers
    direct: bool  # a shuffle takes the type as it is
    size: int = 0  # bytes
    by_memory: bool = False  # lanes hand it on through shared memory, because it is too large for shuffles
    cascade: CType | None = None  # the type in which a thread carries it, where that is not `type`
    array: str = ""
    count: int = 0


def lines_of(members: Iterable[AccumulatorMember]) -> tuple[AccumulatorMember, ...]:
    """The members as text tells them: one for each array, in the place of its first element."""
    found: dict[str, AccumulatorMember] = {}
    for member in members:
        known = found.get(member.array)
        if not member.array:
            found[member.suffix or member.name] = member
        elif known is None:
            found[member.array] = replace(member, name=member.array, suffix=f".{member.array}", count=1)
        else:
            found[member.array] = replace(known, count=known.count + 1)
    return tuple(found.values())


@dataclass(frozen=True, slots=True)
class Butterfly:
    """Members of one type with one operator that a warp combines together: lanes end with different members.

    `slots`: how many members each of 32 lanes ends with.
    """

    name: str
    type: CType
    operator: str
    members: tuple[AccumulatorMember, ...]
    slots: int

    @property
    def lines(self) -> tuple[AccumulatorMember, ...]:
        """The members as text tells them."""
        return lines_of(self.members)

    @property
    def place(self) -> str:
        """What selects the array that holds the members; empty where they lie in several, or in none."""
        arrays = {member.array for member in self.members}
        return f".{arrays.pop()}" if len(arrays) == 1 and self.members[0].array else ""


@dataclass(frozen=True, slots=True)
class Accumulator:
    """The values that threads of a kernel combine, one member for each reduction.

    `carried` is the type in which a thread carries them: `type` itself, unless a sum is cascaded.
    """

    name: str
    type: CType
    is_struct: bool
    members: tuple[AccumulatorMember, ...]
    carried: CType
    butterflies: tuple[Butterfly, ...] = ()

    @property
    def lines(self) -> tuple[AccumulatorMember, ...]:
        """The members as text tells them."""
        return lines_of(self.members)

    @property
    def operator(self) -> str:
        """The type of CUDA with `identity` and `combine`, for which threads call what combines their values."""
        return f"{self.name}_operator"

    @property
    def is_shuffled(self) -> bool:
        """Whether the lanes of a warp have all members from each other by shuffles, one after the other."""
        return not self.butterflies and not any(m.by_memory or m.warp_instruction for m in self.members)

    @property
    def is_cascade(self) -> bool:
        """Whether what a thread carries must become one value first."""
        return self.carried != self.type

    @property
    def single(self) -> tuple[AccumulatorMember, ...]:
        """The members that are combined one by one."""
        together = {m.name for b in self.butterflies for m in b.members}
        return lines_of(m for m in self.members if m.name not in together)

    @property
    def by_memory(self) -> bool:
        """Whether a member is handed on through shared memory."""
        return any(m.by_memory for m in self.members)
