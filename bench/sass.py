"""SASS as nvdisasm prints it: the instructions of each function, and how many bytes a thread loads before it uses any.

What a thread has in flight is found on the paths of the control flow graph: a load is in flight from where it is issued
to the first instruction that names one of its registers.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, files
from pathlib import Path


@dataclass(frozen=True)
class Instruction:
    """One instruction; `guarded`: under a predicate, so that what follows it is always reached too."""

    opcode: str
    operands: str
    guarded: bool

    @property
    def name(self) -> str:
        """The opcode without its modifiers."""
        return self.opcode.split(".")[0]

    def registers(self) -> frozenset[int]:
        """The registers that are named, pairs in full."""
        found = set()
        for number, wide in re.findall(r"\bR(\d+)(\.64)?\b", self.operands):
            found |= {int(number), int(number) + 1} if wide else {int(number)}
        return frozenset(found)

    def target(self) -> str:
        """The label that it names, if any."""
        match = re.search(r"`\((\S+?)\)", self.operands)
        return match[1] if match else ""


@dataclass
class Function:
    """The instructions of a function in order, and the positions that labels stand for."""

    instructions: list[Instruction] = field(default_factory=list)
    labels: dict[str, int] = field(default_factory=dict)

    def successors(self, position: int) -> Iterator[int]:
        """Where the instruction at `position` leads; calls and convergence points lead to the next one."""
        instruction = self.instructions[position]
        jumps = instruction.name in ("BRA", "BRX", "JMP")
        if jumps and instruction.target() in self.labels:
            yield self.labels[instruction.target()]
        divergent = instruction.guarded or "DIV" in instruction.opcode or re.match(r"!?U?P\d", instruction.operands)
        falls = divergent or (not jumps and instruction.name not in ("EXIT", "RET"))
        if falls and position + 1 < len(self.instructions):
            yield position + 1


_LINE = re.compile(r"^\s*/\*[0-9a-f]{4,}\*/\s+(@!?U?P\w+\s+)?([A-Z][\w.]*)\s*(.*?)\s*;")
_LABEL = re.compile(r"^\s*(\.L\w+):")


def disassembler() -> Path | None:
    """The nvdisasm of the PyPI package, if it is installed."""
    try:
        packed = files("nvidia-cuda-nvdisasm") or []
    except PackageNotFoundError:
        return None
    return next((Path(str(file.locate())) for file in packed if file.name == "nvdisasm"), None)


def functions(text: str) -> dict[str, Function]:
    """The functions of a disassembled cubin by their mangled names."""
    found: dict[str, Function] = {}
    current = Function()
    for line in text.splitlines():
        if head := re.match(r"^\.text\.(\S+):", line):
            current = found.setdefault(head[1], Function())
        elif label := _LABEL.match(line):
            current.labels[label[1]] = len(current.instructions)
        elif code := _LINE.match(line):
            current.instructions.append(Instruction(code[2], code[3], bool(code[1])))
    return found


_BYTES = {"U8": 1, "S8": 1, "U16": 2, "S16": 2, "64": 8, "128": 16, "256": 32}


def loaded(instruction: Instruction) -> int:
    """The bytes of a load from global memory; 0 for anything else."""
    if instruction.name not in ("LDG", "LD"):
        return 0
    return next((_BYTES[part] for part in instruction.opcode.split(".") if part in _BYTES), 4)


def _destination(instruction: Instruction) -> frozenset[int]:
    match = re.match(r"(?:U?PT, )?R(\d+)\b", instruction.operands)
    count = max(1, -(-loaded(instruction) // 4))
    return frozenset(range(int(match[1]), int(match[1]) + count)) if match else frozenset()


def bytes_before_use(function: Function, least: int = 1) -> int:
    """What some path has in flight in a thread at one time, by loads of at least `least` bytes each.

    Of the paths to one place the one with the most is followed, so what is found is reached, if perhaps not the most.
    """
    code = function.instructions
    sizes = [size if size >= least else 0 for size in map(loaded, code)]
    destinations = {at: _destination(code[at]) for at, size in enumerate(sizes) if size}
    named = [instruction.registers() for instruction in code]
    best: dict[int, int] = {}
    work: deque[tuple[int, frozenset[int]]] = deque([(0, frozenset())] if code else [])
    while work:
        position, flying = work.popleft()
        flying = frozenset(load for load in flying if not destinations[load] & named[position])
        if sizes[position]:
            flying |= {position}
        total = sum(sizes[load] for load in flying)
        for following in function.successors(position):
            if total > best.get(following, -1):
                best[following] = total
                work.append((following, flying))
    return max(best.values(), default=0)


def on_the_way(function: Function) -> int:
    """The instructions on the way of a row that is full: most wide accesses, then fewest others, calls and divisions.

    Every loop is gone through once, to where it begins again or the function ends.  Of two ways that are alike in this
    the longer one is counted, so that it is never less than what a thread executes.
    """
    code = function.instructions
    best: dict[int, tuple[int, int, int]] = {0: (0, 0, 0)}
    for position, instruction in enumerate(code):
        if position not in best:
            continue
        memory = instruction.name in ("LDG", "STG", "LD", "ST")
        wide = memory and "128" in instruction.opcode
        rare = instruction.name in ("CALL", "FCHK") or (memory and not wide)
        wides, usual, steps = best[position]
        here = best[position] = (wides + wide, usual - rare, steps + 1)
        for following in function.successors(position):
            if following > position:
                best[following] = max(here, best.get(following, here))
    ends = [at for at in best if code[at].name == "EXIT" or any(to <= at for to in function.successors(at))]
    return max(best[at] for at in ends)[2]


def waits(function: Function) -> int:
    """How many loads from global memory, atomics included, wait for one another on the way where most do.

    Time goes on where a register is named that is still loaded: to when that load is there, one step after it was
    issued.  Every loop is gone through at most once.  Of the ways to a place that are alike in time the one with the
    most in flight is followed.
    """
    code = function.instructions
    returned = {at: _destination(i) for at, i in enumerate(code) if loaded(i) or i.name in ("ATOM", "ATOMG")}
    named = [instruction.registers() for instruction in code]
    best: dict[int, tuple[int, dict[int, int]]] = {0: (0, {})}  # the time, and when the loads in flight are there
    for position in _forward(function):
        time, flying = best[position]
        used = {at for at in flying if returned[at] & named[position]}
        time = max((time, *(flying[at] for at in used)))
        flying = {at: there for at, there in flying.items() if at not in used and there > time}
        if position in returned:
            flying[position] = time + 1
        best[position] = (time, flying)
        for following in function.successors(position):
            known = best.get(following, (-1, {}))
            best[following] = max(known, (time, flying), key=lambda way: (way[0], len(way[1])))
    return max(time for time, _ in best.values())


def loops_that_load(function: Function) -> int:
    """How many loops have a load from global memory in them; loops around loops count as well."""
    return sum(any(loaded(function.instructions[at]) for at in inside) for inside in _loops(function))


def copied_at_once(function: Function) -> int:
    """The bytes of the widest copy to shared memory in the background that stands in a loop which does not wait for it:
    whatever the loop copies is in flight together.  0 if there is none.
    """
    found = 0
    for inside in _loops(function):
        code = [function.instructions[at] for at in inside]
        if any(each.name in ("LDGDEPBAR", "DEPBAR") for each in code):
            continue
        copies = (each.opcode.split(".") for each in code if each.name == "LDGSTS")
        found = max((found, *(next((_BYTES[part] for part in parts if part in _BYTES), 4) for parts in copies)))
    return found


def _loops(function: Function) -> list[set[int]]:
    """The positions of all that is in each loop."""
    leading: dict[int, list[int]] = {}
    order = {position: number for number, position in enumerate(_forward(function))}
    for position in order:
        for following in function.successors(position):
            leading.setdefault(following, []).append(position)
    heads: dict[int, set[int]] = {}  # where a loop begins, and all that is in it
    for head, before in leading.items():
        pending = [position for position in before if order[position] >= order[head]]
        inside = heads.setdefault(head, {head})
        while pending:
            position = pending.pop()
            if position not in inside:
                inside.add(position)
                pending += leading.get(position, [])
        if len(inside) == 1:
            del heads[head]
    return list(heads.values())


def _forward(function: Function) -> list[int]:
    """The positions that are reached, each behind all that lead to it, those at the end of a loop aside."""
    done: list[int] = []
    open_, seen = [(0, function.successors(0))], {0}
    while open_:
        position, following = open_[-1]
        new = next((f for f in following if f not in seen), None)
        if new is None:
            done.append(position)
            open_.pop()
        else:
            seen.add(new)
            open_.append((new, function.successors(new)))
    return done[::-1]


def of_a_round(function: Function, *names: str) -> int:
    """The instructions of one time round the loop that loads most by 16 bytes, on the shortest way that has most of the
    opcodes `names`; 0 if there is no such loop.
    """
    code = function.instructions
    rounds = []
    for end, instruction in enumerate(code):
        head = function.labels.get(instruction.target(), end + 1) if instruction.name == "BRA" else end + 1
        if head > end:
            continue
        best: dict[int, tuple[int, int, int]] = {head: (0, 0, 0)}
        for position in range(head, end + 1):
            if position not in best:
                continue
            wides, named, steps = best[position]
            found = code[position].name in names
            wide = loaded(code[position]) == 16
            here = best[position] = (wides + wide, named + found, steps - 1)
            for following in function.successors(position):
                if position < following <= end:
                    best[following] = max(here, best.get(following, here))
        rounds.append(best.get(end, (0, 0, 0)))
    return -max(rounds)[2] if rounds else 0


def has(function: Function, *names: str) -> bool:
    """Whether some instruction has one of these opcodes, modifiers aside."""
    return any(i.name in names for i in function.instructions)


def widest_load(function: Function) -> int:
    """The bytes of the widest load from global memory."""
    return max(map(loaded, function.instructions), default=0)


def shortest_round(function: Function, of: str, copies: int) -> list[Instruction]:
    """The shortest way once through the loop with the most instructions `of`, with so many asynchronous copies.

    Copies are those of 16 bytes.  Empty where no way through the loop has as many.
    """
    code = function.instructions
    loops = [
        (function.labels[each.target()], end)
        for end, each in enumerate(code)
        if each.name == "BRA" and function.labels.get(each.target(), end + 1) <= end
    ]
    counts = {each: sum(code[k].name == of for k in range(each[0], each[1] + 1)) for each in loops}
    first, end = max(loops, key=lambda each: (counts[each], each[0] - each[1]))
    came: dict[tuple[int, int], tuple[int, int] | None] = {(first, 0): None}
    work = deque(came)
    while work:
        position, found = place = work.popleft()
        if position == end and found == copies:
            break
        found = min(copies, found + (code[position].name == "LDGSTS" and code[position].opcode.endswith(".128")))
        for following in function.successors(position):
            if first <= following <= end and position != end and (following, found) not in came:
                came[following, found] = place
                work.append((following, found))
    else:
        return []
    way: list[Instruction] = []
    step: tuple[int, int] | None = place
    while step is not None:
        way.append(code[step[0]])
        step = came[step]
    return way[::-1]
