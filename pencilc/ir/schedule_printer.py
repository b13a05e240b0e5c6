"""Text forms of dependences and schedules, for `--dump-ir` and the golden tests.

Deterministic; every isl relation reads back as the same relation.
"""

from __future__ import annotations

import islpy as isl

from pencilc import islx
from pencilc.ir.schedule import Band, Leaf, Row, ScheduledScop, Tree
from pencilc.ir.scop import Dependences


def dump_dependences(dependences: Dependences) -> str:
    """One relation for each kind, in the words of the paper."""
    parts = (
        ("flow", dependences.flow),
        ("anti", dependences.anti),
        ("output", dependences.output),
        ("reduction isolation dependences", dependences.isolation),
        ("relaxed", dependences.relaxed),
        ("proximity", dependences.proximity),
    )
    return "".join(f"{name}: {islx.relation_text(relation)}\n" for name, relation in parts)


def dump_schedule(scheduled: ScheduledScop) -> str:
    """The one-line form, then the tree with its row functions."""
    lines = [f"schedule: {schedule_line(scheduled)}"]
    if scheduled.fallback:
        lines.append(f"source order kept: {scheduled.fallback}")
    lines.extend(_lines(scheduled.tree, 0))
    return "\n".join(lines) + "\n"


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
        parts.append(_row_name(row, scheduled) + (f" {row.flag}" if last else ""))
    return ",".join(parts)


def _row_name(row: Row, scheduled: ScheduledScop) -> str:
    """The iterator that a row is for its first statement, or the function itself."""
    name, function = next(iter(_textual(row, scheduled)))
    text = str(function).rsplit(" -> ", 1)[-1].split(" : ")[0].strip("{} []").strip("()").replace(" ", "")
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


def _lines(tree: Tree, depth: int) -> list[str]:
    indent = "  " * depth
    if isinstance(tree, Leaf):
        return [f"{indent}{tree.statement}"]
    if isinstance(tree, Band):
        rows = [f"{indent}band" if k == 0 else f"{indent}    " for k in range(len(tree.rows))]
        texts = [f"{head} {row.flag} {_row_text(row)}" for head, row in zip(rows, tree.rows, strict=True)]
        return [*texts, *_lines(tree.child, depth + 1)]
    return [f"{indent}sequence", *(line for child in tree.children for line in _lines(child, depth + 1))]


def _row_text(row: Row) -> str:
    return islx.join_union([str(f) for f in islx.pw_affs_of(row.function).values()])
