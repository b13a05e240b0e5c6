"""Text forms of dependences and schedules, for `--dump-ir`, the golden tests and `--save-schedule`.

Deterministic; every isl relation reads back with `[parameters] ->` put in front, as in ir/scop_printer.py; a schedule,
dumped or saved, reads back with `--load-schedule` (schedule/text.py).
"""

from __future__ import annotations

import re
from collections.abc import Iterable

import islpy as isl

from pencilc import islx
from pencilc.ir.schedule import Band, Leaf, Row, ScheduledScop, Tree
from pencilc.ir.scop import Dependences, Scop
from pencilc.ir.scop_printer import names_of, parameters_line, plain_value, relation_lines, statement_text


def dump_dependences(scop: Scop, dependences: Dependences) -> str:
    """The relations of each kind, in the words of the paper, one on a line."""
    parts = (
        ("flow", dependences.flow),
        ("anti", dependences.anti),
        ("output", dependences.output),
        ("reduction isolation dependences", dependences.isolation),
        ("relaxed", dependences.relaxed),
        ("proximity", dependences.proximity),
    )
    lines = [f"dependences of {scop.name}", parameters_line(scop)]
    for name, relation in parts:
        found = relation_lines(scop, islx.maps_of(relation), 1)
        lines += [name, *found] if found else [f"{name}: none"]
    return "\n".join(lines) + "\n"


def dump_schedule(scheduled: ScheduledScop) -> str:
    """The one-line form, then the tree with its row functions."""
    lines = [f"schedule of {scheduled.scop.name}: {schedule_line(scheduled)}", parameters_line(scheduled.scop)]
    if scheduled.fallback:
        lines.append(f"source order kept: {scheduled.fallback}")
    lines.extend(_lines(scheduled, scheduled.tree, 0))
    return "\n".join(lines) + "\n"


_SAVED = """\
# A schedule of pencilc: change it, and `pencilc --load-schedule` compiles by it or says which dependence it breaks.
# A band has rows, outermost first, with their mark (P parallel, R a reduction, s sequential; none: what it may have)
# and their value for each statement; what stands below them runs for each of these values.
"""


def saved_schedules(regions: Iterable[ScheduledScop]) -> str:
    """What `--save-schedule` writes: the schedules of all regions, each statement with its iterators."""
    texts = [_SAVED]
    for scheduled in regions:
        lines = [f"schedule of {scheduled.scop.name}"]
        if scheduled.sequential:
            lines += ["  source order", f"  # in one thread: {scheduled.sequential}"]
        else:
            lines += [f"  # {schedule_line(scheduled)}", *_lines(scheduled, scheduled.tree, 1, iterators=True)]
        texts.append("\n".join(lines) + "\n")
    return "\n".join(texts)


def schedule_line(scheduled: ScheduledScop) -> str:
    """`[iter s]{ [i,j R]{S3,S4}; M0; S5 }`: bands by their iterators and flags, leaves by name."""
    return _line(scheduled.tree, scheduled)


def _line(tree: Tree, scheduled: ScheduledScop) -> str:
    if isinstance(tree, Leaf):
        return tree.statement
    if isinstance(tree, Band):
        return f"[{_head(tree, scheduled)}]{{{_body(tree.child, scheduled)}}}"
    return "; ".join(_line(child, scheduled) for child in tree.children)


def _body(tree: Tree, scheduled: ScheduledScop) -> str:
    if isinstance(tree, Leaf):
        return tree.statement
    if isinstance(tree, Band):
        return f" {_line(tree, scheduled)} "
    if all(isinstance(child, Leaf) for child in tree.children):
        return ",".join(_line(child, scheduled) for child in tree.children)
    return f" {_line(tree, scheduled)} "


def _head(band: Band, scheduled: ScheduledScop) -> str:
    """`i,j R`: neighbouring rows with one flag share it."""
    parts: list[str] = []
    for position, row in enumerate(band.rows):
        last = position + 1 == len(band.rows) or band.rows[position + 1].flag != row.flag
        parts.append(row_name(row, scheduled) + (f" {row.flag}" if last else ""))
    return ",".join(parts)


_FLOOR = re.compile(r"floor\((\([^()]+\))/(\d+)\)")
_IN_BRACKETS = re.compile(r"\((\w+)\)/")


def row_name(row: Row, scheduled: ScheduledScop) -> str:
    """The iterator that a row is for its first statement, or the function itself."""
    name, function = next(iter(_textual(row, scheduled)))
    text = str(function).rsplit(" -> ", 1)[-1].split(" : ")[0].strip("{} []").removeprefix("(").removesuffix(")")
    text = _IN_BRACKETS.sub(r"\1/", _FLOOR.sub(r"\1/\2", text)).replace(" ", "")
    statement = scheduled.scop.statement(name)
    vector = islx.coefficients(function)
    if vector is not None and sum(map(abs, vector)) == 1:
        position = next(k for k, c in enumerate(vector) if c)
        return ("-" if vector[position] < 0 else "") + statement.iterators[position].spelling
    return text


def _textual(row: Row, scheduled: ScheduledScop) -> list[tuple[str, isl.PwAff]]:
    found = islx.pw_affs_of(row.function)
    names = [s.name for s in scheduled.scop.statements if s.name in found]
    return [(name, found[name]) for name in names]


def _lines(scheduled: ScheduledScop, tree: Tree, depth: int, iterators: bool = False) -> list[str]:
    """The tree, a row or a statement on a line; `iterators`: each statement with those that its rows are about."""
    indent = "  " * depth
    if isinstance(tree, Leaf):
        domain = scheduled.scop.statement(tree.statement).domain
        names = [islx.dimension_name(domain, k) for k in range(islx.dimensions(domain))] if iterators else []
        label = f"{tree.statement}[{', '.join(names)}]" if names else tree.statement
        return [f"{indent}{label}: {statement_text(scheduled.scop, tree.statement)}"]
    if isinstance(tree, Band):
        lines = [f"{indent}band"]
        for row in tree.rows:
            lines.append(f"{indent}  {row.flag} {row_name(row, scheduled)}: {row_text(scheduled, row)}")
        return [*lines, *_lines(scheduled, tree.child, depth + 1, iterators)]
    lines = [f"{indent}sequence"]
    for child in tree.children:
        lines += _lines(scheduled, child, depth + 1, iterators)
    return lines


def row_text(scheduled: ScheduledScop, row: Row) -> str:
    """`S6, S7 -> i; M0 -> 0`: the value of a row for each statement; as isl has it where it is no plain expression."""
    params = names_of(scheduled.scop)
    names: dict[str, list[str]] = {}
    others: list[str] = []
    for name, function in _textual(row, scheduled):
        text = islx.text_over(function, params)
        value = plain_value(text)
        if value is None:
            others.append(text)
        else:
            names.setdefault(value, []).append(name)
    return "; ".join([*(f"{', '.join(found)} -> {value}" for value, found in names.items()), *others])
