"""Fewer walks over the elements (gpu/variants/join.py) in kernels that stand for stitched ones, and in others.

A fused program is mapped once more as if nothing was fused, with the joined walks in the place of what they do: that
gives the joined kernels, and tells where variables live in them.  The stitched kernels stay what they are.
"""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Sequence as Seq
from dataclasses import dataclass, replace

from pencilc import islx
from pencilc.analysis.box import Domains
from pencilc.gpu.fusion.families import named_pairs
from pencilc.gpu.shapes.launch import launched
from pencilc.gpu.shapes.shape import Shaper
from pencilc.gpu.storage.placement import place_all
from pencilc.gpu.variants.join import Joined, joined, with_functions
from pencilc.ir.mapping import Composed, Fusion, HostItem, HostLoop, Kernel, MappedProgram, Place, Stitched
from pencilc.options import Target, Tuning
from pencilc.parts.part import Part, Unmappable


@dataclass(frozen=True, slots=True, eq=False)
class Unfused:
    """The region before kernels were fused: its items, the part of each kernel by name, the statements' domains."""

    items: tuple[HostItem, ...]
    parts: Mapping[str, Part]
    domains: Domains
    uniform: Mapping[str, str]


def with_joined_walks(program: MappedProgram, unfused: Unfused, target: Target, tuning: Tuning) -> MappedProgram:
    """The program, whose stitched kernels have the joined kernels behind them where those are fewer.

    Nothing is joined where it would take too long to find out what can be.
    """
    try:
        with islx.operation_quota():
            return _joined(program, _Joiner(program, unfused, target, tuning), unfused)
    except islx.OperationQuotaExceeded:
        return program


def _joined(program: MappedProgram, joiner: _Joiner, unfused: Unfused) -> MappedProgram:
    items = joiner.level(program.items)
    if not joiner.instead:
        return program
    scop = joiner.scop
    names = {old: new for new, old in scop.shifted.items()}
    items = tuple(_with_names(item, names) for item in items)
    plain = tuple(k for item in unfused.items for k in _without(_with_names(item, names), joiner.instead))
    storage = place_all(scop, plain, joiner.domains, unfused.uniform)
    shared = _in_memory(program)
    storage = tuple(old if old.array in shared else new for old, new in zip(program.storage, storage, strict=True))
    scheduled = replace(program.scheduled, scop=scop)
    return replace(
        program, scheduled=scheduled, items=items, storage=storage, dropped=tuple(joiner.dropped),
        fusions=(*program.fusions, *joiner.fusions),
    )  # fmt: skip


class _Joiner:
    """Joins the walks behind one stitched kernel after the other; the model grows with them.

    `instead`: by the name of a kernel the one that stands for it now, None where another does its work.
    """

    def __init__(self, program: MappedProgram, unfused: Unfused, target: Target, tuning: Tuning) -> None:
        self.program, self.unfused, self.target, self.tuning = program, unfused, target, tuning
        self.scop, self.domains = program.scheduled.scop, unfused.domains
        self.pairs = named_pairs(program.scheduled.dependences.validity)
        self.instead: dict[str, Kernel | None] = {}
        self.dropped: list[str] = []
        self.fusions: list[Fusion] = []
        self.numbers = iter(range(len(unfused.parts), 10**6))

    def level(self, items: Seq[HostItem]) -> tuple[HostItem, ...]:
        """The items of a level, neighbours among its kernels with fewer walks."""
        found: list[HostItem] = []
        run: list[Kernel] = []
        for item in items:
            if isinstance(item, Kernel) and _is_simple(item) and (not run or run[0].host == item.host):
                run.append(item)
                continue
            found += (*self._neighbours(run), self._item(item))
            run = []
        return (*found, *self._neighbours(run))

    def _neighbours(self, kernels: Seq[Kernel]) -> tuple[Kernel, ...]:
        new = self._fewer(kernels) if len(kernels) > 1 else None
        if new is None:
            return tuple(kernels)
        before, after = ([k.name for k in group if k not in other] for group, other in ((kernels, new), (new, kernels)))
        self.fusions.append(Fusion(tuple(before), "joined", True, reason=", ".join(after)))
        return new

    def _item(self, item: HostItem) -> HostItem:
        match item:
            case HostLoop():
                return replace(item, items=self.level(item.items))
            case Composed():
                return replace(item, apart=tuple(self._behind(inner) for inner in item.apart))
            case Stitched():
                return self._stitched(item)
        return item

    def _behind(self, item: Kernel | Stitched) -> Kernel | Stitched:
        return self._stitched(item) if isinstance(item, Stitched) else item

    def _stitched(self, stitched: Stitched) -> Stitched:
        new = self._fewer(stitched.members)
        return stitched if new is None else replace(stitched, apart=new)

    def _fewer(self, members: Seq[Kernel]) -> tuple[Kernel, ...] | None:
        """What does the work of `members`, which run one after the other, in fewer walks; None if nothing can be."""
        parts = tuple(self.unfused.parts[kernel.name] for kernel in members)
        done = joined(Joined(self.scop, self.domains, parts, tuple(range(len(parts)))), self.pairs)
        if len(done.parts) == len(parts):
            return None
        try:
            new = tuple(self._kernel(done, number, members, parts) for number in range(len(done.parts)))
        except Unmappable:
            return None
        self.scop, self.domains = done.scop, done.domains
        self.dropped += done.dropped
        chosen = dict(zip(done.numbers, new, strict=True))
        self.instead.update({kernel.name: chosen.get(number) for number, kernel in enumerate(members)})
        return new

    def _kernel(self, done: Joined, number: int, members: Seq[Kernel], parts: Seq[Part]) -> Kernel:
        """The kernel of a part, the old one if nothing joined it; raises Unmappable if it has lost its shape."""
        part, before = done.parts[number], done.numbers[number]
        old = members[before]
        if part is parts[before]:
            return old
        others = tuple(p for p in self.unfused.parts.values() if p not in parts)
        shaper = Shaper(
            done.scop, done.domains, self.target, (*others, *done.parts), self.program.scheduled.dependences
        )
        kernel = shaper.kernel(part, old.host, "")
        if kernel.shape is not old.shape or kernel.reason:
            raise Unmappable("the joined walk has another shape")
        name = f"{done.scop.name}_{kernel.shape.value}{next(self.numbers)}"
        return launched(replace(kernel, name=name), done.scop, self.tuning)


def _is_simple(kernel: Kernel) -> bool:
    """Whether the kernel begins and ends what it reduces, and uses no bins."""
    return not (kernel.bins or kernel.settled or kernel.begun or kernel.unfinished or kernel.reason)


def _with_names(item: HostItem, names: Mapping[str, str]) -> HostItem:
    """The item, whose loops on the host know the new statements."""
    if not isinstance(item, HostLoop):
        return item
    inner = tuple(_with_names(i, names) for i in item.items)
    return replace(item, row=with_functions(item.row, item.row, names), items=inner)


def _without(item: HostItem, instead: Mapping[str, Kernel | None]) -> tuple[HostItem, ...]:
    """The item with other kernels in the place of some."""
    if isinstance(item, Kernel):
        kernel = instead.get(item.name, item)
        return () if kernel is None else (kernel,)
    if isinstance(item, HostLoop):
        return (replace(item, items=tuple(k for inner in item.items for k in _without(inner, instead))),)
    return (item,)


def _in_memory(program: MappedProgram) -> set[str]:
    """The local variables that fused kernels look for in memory."""
    scop = program.scheduled.scop
    found: set[str] = set()
    kernels: list[Stitched | Composed] = [*program.stitched(), *program.composed()]
    for fused in kernels:
        arrays = (a.array for s in fused.kernel.statements for a in scop.statement(s).accesses)
        found |= {scop.array(array).symbol.name for array in arrays} - set(fused.gone)
    return {storage.array for storage in program.storage if storage.place is Place.WORKSPACE} & found
