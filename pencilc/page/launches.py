"""The launches of a region as a picture: a box for each, what it needs from others above it, with the bytes between."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Sequence as Seq
from dataclasses import replace

from markupsafe import Markup

from pencilc import islx
from pencilc.ir.mapping import Composed, HostItem, HostLoop, Launched, MappedProgram, Packed, Stitched, leaves, name_of
from pencilc.ir.scop import AccessKind, ArrayKind, Scop
from pencilc.ir.shapes import Kernel
from pencilc.page.svg import DrawnBox, DrawnLink, graph, picture
from pencilc.page.traffic import NominalTraffic, added, statements_in
from pencilc.records import dataclass
from pencilc.report.text import bytes_text

_MOST = 40  # boxes of a picture
_NAMED = 3  # variables that a label names
_IN, _OUT = "caller-in", "caller-out"


@dataclass(frozen=True, slots=True)
class HandedOn:
    """What one launch leaves for another: {variable: bytes at nominal sizes}; nothing where it only has to be first."""

    source: str
    target: str
    variables: tuple[tuple[str, int | None], ...]

    @property
    def text(self) -> str:
        """`max, sum 16.4 kB`, for a label."""
        if not self.variables:
            return "must be first"
        names = [name for name, _ in self.variables]
        told = ", ".join(names[:_NAMED]) + (f" and {len(names) - _NAMED} more" if len(names) > _NAMED else "")
        total = added(size for _, size in self.variables)
        return told if total is None else f"{told}: {bytes_text(total)}"


@dataclass(frozen=True, slots=True)
class LaunchPicture:
    """The drawing, the same in words, and what was left out of it."""

    drawing: Markup
    words: tuple[str, ...]
    left_out: str


class _Order:
    """What waits for what among all launches of a region: those that run `own`, the statements by the launch.

    `flow`: the variables that one leaves for another; `waits`: what else must be first.
    """

    def __init__(self, own: Mapping[str, Seq[str]], stands_for: Mapping[str, str]) -> None:
        self._runs = {old: new for new, old in stands_for.items()}
        self.position = {key: k for k, key in enumerate(own)}
        self.flow: dict[tuple[str, str], dict[str, None]] = {}
        self.waits: dict[tuple[str, str], None] = {}
        self._keys: dict[str, str] = {}
        for key, statements in own.items():
            for name in statements:
                self._keys.setdefault(name, key)

    def hand_on(self, scop: Scop, source: str, target: str) -> None:
        """A statement leaves something for another one."""
        ends = self._ends(source, target)
        if ends is not None:
            # A sum that is accumulated before its shift is known does not read what the one reads that it stands for.
            running = scop.statement(self._runs.get(target, target))
            read = {scop.array(a.array).symbol.name for a in running.accesses if _looks(a.kind)}
            written = (scop.array(a.array).symbol.name for a in scop.statement(source).accesses if a.kind.writes)
            if found := dict.fromkeys(name for name in written if name in read):
                self.flow.setdefault(ends, {}).update(found)

    def wait(self, source: str, target: str) -> None:
        """A statement must run before another one."""
        ends = self._ends(source, target)
        if ends is not None and self.position[ends[0]] < self.position[ends[1]]:
            self.waits[ends] = None

    def _ends(self, source: str, target: str) -> tuple[str, str] | None:
        """Their launches, if these are two."""
        first, second = self._keys.get(source), self._keys.get(target)
        return (first, second) if first is not None and second is not None and first != second else None


def key_of(item: HostItem) -> str:
    """What tells a launch, or a loop around some, from others."""
    if isinstance(item, HostLoop):
        return f"loop-{item.iterator}-{name_of(next(leaves((item,))))}"
    return name_of(item)


def launch_picture(program: MappedProgram, traffic: NominalTraffic) -> LaunchPicture:
    """The picture of a region."""
    links = spelled_links(handed_on(program, traffic), program)
    listed = list(leaves(program.launched()))
    words = tuple(_words(number, item, links) for number, item in enumerate(listed, 1))
    if not listed:
        return LaunchPicture(Markup(""), (), "Nothing is launched.")
    if len(listed) > _MOST:
        told = f"{len(listed)} launches are too many for a picture; the list below has all of them."
        return LaunchPicture(Markup(""), words, told)
    numbers = {key_of(item): k for k, item in enumerate(listed, 1)}
    boxes = [_boxed(item, numbers, links) for item in program.launched()]
    inputs = [DrawnBox(_IN, ("from the caller",), "caller")] if any(each.source == _IN for each in links) else []
    outputs = [DrawnBox(_OUT, ("to the caller",), "caller")] if any(each.target == _OUT for each in links) else []
    members = {key: key_of(item) for item in program.launched() for key in _keys(item)}
    members |= {_IN: _IN, _OUT: _OUT}
    every = [*inputs, *boxes, *outputs]
    drawn = graph(every, _drawn(links, members, every))
    name = f"launches-{program.scop.name}"
    return LaunchPicture(picture(drawn, name, f"the launches of {program.scop.name}"), words, "")


def _keys(item: HostItem) -> tuple[str, ...]:
    return tuple(key_of(each) for each in leaves((item,)))


def _boxed(item: HostItem, numbers: dict[str, int], links: Seq[HandedOn]) -> DrawnBox:
    if not isinstance(item, HostLoop):
        return _box(item, numbers[key_of(item)])
    inner = [_boxed(each, numbers, links) for each in item.items]
    members = {key: key_of(each) for each in item.items for key in _keys(each)}
    lines = [f"for {item.iterator} on the host", "one iteration after the other"]
    link = ""
    if item.kernel is not None:
        lines.append(f"or {item.kernel.name}: one launch, where each has few points")
        link = f"#kernel-{item.kernel.name}"
    return DrawnBox(key_of(item), tuple(lines), "loop", link, inner=graph(inner, _drawn(links, members, inner)))


def _drawn(links: Iterable[HandedOn], members: dict[str, str], boxes: Seq[DrawnBox]) -> list[DrawnLink]:
    """The links between the boxes of one level, those with the same ends as one; what is left for the next iteration of
    a loop is not drawn.
    """
    order = {box.key: k for k, box in enumerate(boxes)}
    together: dict[tuple[str, str], dict[str, int | None]] = {}
    for link in links:
        if link.source not in members or link.target not in members:
            continue
        ends = members[link.source], members[link.target]
        if order[ends[0]] < order[ends[1]]:
            known = together.setdefault(ends, {})
            for name, size in link.variables:
                known[name] = added((known[name], size)) if name in known and ends[0] != _IN else size
    found: list[DrawnLink] = []
    for (source, target), variables in together.items():
        text = HandedOn(source, target, tuple(variables.items())).text
        found.append(DrawnLink(source, target, text, "data" if variables else "order"))
    return found


def _box(item: Launched, number: int) -> DrawnBox:
    name = name_of(item)
    lines = [f"{number}  {name}", shape_text(item)]
    kind = "launch" if isinstance(item, Packed) or _kernel(item).is_parallel else "launch slow"
    return DrawnBox(key_of(item), tuple(lines), kind, f"#kernel-{name}")


def _kernel(item: Kernel | Stitched | Composed) -> Kernel:
    return item if isinstance(item, Kernel) else item.kernel


def shape_text(item: Launched) -> str:
    """The shape of a launch in a few words."""
    match item:
        case Packed():
            return f"{len(item.kernels)} kernels in one launch"
        case Stitched():
            return f"{len(item.stages)} stages stitched, rows stay on the chip"
        case Composed():
            return f"{len(item.stages)} stages in a block for each row"
    return f"{item.shape.value}: {item.block} threads a block" if item.is_parallel else "one thread"


def _words(number: int, item: Launched, links: Iterable[HandedOn]) -> str:
    """`2. b_row1 needs x (4 kB) of b_all0`: the same for who reads and does not look."""
    told: list[str] = []
    key = key_of(item)
    for link in links:
        names = ", ".join(f"{name} ({bytes_text(size)})" for name, size in link.variables)
        if link.target == key and link.source == _IN:
            told.append(f"reads {names} of the caller")
        elif link.target == key:
            told.append(f"needs {names} of {link.source}" if names else f"must wait for {link.source}")
        elif link.source == key and link.target == _OUT:
            told.append(f"leaves {names} for the caller")
    return f"{number}. {name_of(item)}: {shape_text(item)}" + "".join(f"; {each}" for each in told)


# ---- what is handed on ---------------------------------------------------------------------------------


def handed_on(program: MappedProgram, traffic: NominalTraffic) -> tuple[HandedOn, ...]:
    """What the launches of a region leave for each other, what they have of the caller and leave for it.

    A launch in a loop may leave something for an earlier one of the next iteration: such links lead backwards.
    """
    scop = program.scop
    listed = list(leaves(program.launched()))
    own = {key_of(item): statements_in(item, scop) for item in listed}
    writers: dict[str, dict[str, None]] = {}  # by variable, in order
    for key, statements in own.items():
        for name in statements:
            for access in scop.statement(name).accesses:
                if access.kind.writes:
                    writers.setdefault(scop.array(access.array).symbol.name, {})[key] = None
    links = [*_from_caller(program, traffic, own, writers), *_between(program, traffic, own)]
    return (*links, *_to_caller(program, traffic, own, writers))


def _between(program: MappedProgram, traffic: NominalTraffic, own: dict[str, tuple[str, ...]]) -> list[HandedOn]:
    """Flow between launches with its variables; what else makes one wait for another has none."""
    scop, dependences, order = program.scop, program.scheduled.dependences, _Order(own, program.scop.stands_for)
    in_place = {r.merge: r for r in program.in_place()}

    def runs(source: str, target: str) -> Iterator[tuple[str, str]]:
        """What accumulates in place has no merge node: it begins with its initialisation and ends with its updates."""
        for first in in_place[source].updates if source in in_place else (source,):
            yield first, in_place[target].init if target in in_place else target

    for source, target, _ in islx.named_maps(dependences.flow):
        for pair in runs(source, target):
            order.hand_on(scop, *pair)
    for reduction in scop.reductions:
        for update in reduction.updates:
            if reduction.merge in in_place:
                order.hand_on(scop, reduction.init, update)
            else:
                order.hand_on(scop, update, reduction.merge)
    for relation in (dependences.anti, dependences.output):
        for source, target, _ in islx.named_maps(relation):
            for pair in runs(source, target):
                order.wait(*pair)
    found: list[HandedOn] = []
    position = order.position
    for pair in sorted({*order.flow, *order.waits}, key=lambda ends: (position[ends[0]], position[ends[1]])):
        sizes = tuple((name, traffic.handed_on(own[pair[0]], own[pair[1]], name)) for name in order.flow.get(pair, ()))
        found.append(HandedOn(*pair, sizes))
    return found


def _looks(kind: AccessKind) -> bool:
    """Whether an access may see what was there before; a merge node sees what its updates have made."""
    return kind is not AccessKind.KILL


def _from_caller(
    program: MappedProgram, traffic: NominalTraffic, own: dict[str, tuple[str, ...]],
    writers: dict[str, dict[str, None]],
) -> list[HandedOn]:  # fmt: skip
    """What each launch reads of the caller's arrays that no launch before it writes."""
    copied_in = {transfer.array for transfer in program.transfers if transfer.copy_in}
    position = {key: k for k, key in enumerate(own)}
    found: list[HandedOn] = []
    for key, statements in own.items():
        read: list[tuple[str, int | None]] = []
        for each in traffic.touched(statements):
            earlier = [k for k in writers.get(each.variable, ()) if position[k] < position[key]]
            if each.variable in copied_in and each.read != 0 and not earlier:
                read.append((each.variable, each.read))
        if read:
            found.append(HandedOn(_IN, key, tuple(read)))
    return found


def _to_caller(
    program: MappedProgram, traffic: NominalTraffic, own: dict[str, tuple[str, ...]],
    writers: dict[str, dict[str, None]],
) -> list[HandedOn]:  # fmt: skip
    """What the last launch that writes an array of the caller leaves for it."""
    scop = program.scop
    outer = {a.symbol.name for a in scop.arrays if a.kind in (ArrayKind.PARAM, ArrayKind.RESULT)}
    found: dict[str, list[tuple[str, int | None]]] = {}
    for variable, keys in writers.items():
        if variable in outer:
            last = list(keys)[-1]
            size = next((t.written for t in traffic.touched(own[last]) if t.variable == variable), None)
            found.setdefault(last, []).append((variable, size))
    return [HandedOn(key, _OUT, tuple(found[key])) for key in own if key in found]


def spelled_links(links: Iterable[HandedOn], program: MappedProgram) -> tuple[HandedOn, ...]:
    """The links with variables as the source writes them."""
    spelling = {a.symbol.name: a.symbol.spelling for a in program.scop.arrays}
    return tuple(
        replace(link, variables=tuple((spelling.get(name, name), size) for name, size in link.variables))
        for link in links
    )
