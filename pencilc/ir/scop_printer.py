"""The text form of a `Scop`, for `--dump-ir` and the golden tests; isl objects read back."""

from __future__ import annotations

from pencilc import islx
from pencilc.ir.scop import Array, Reduction, Scop, Statement


def dump_scop(scop: Scop) -> str:
    """Parameters, context, arrays, statements with their accesses, reductions, source order."""
    lines = [
        f"scop {scop.name}",
        f"params: {', '.join(islx.mangle(p.name) for p in scop.params)}".rstrip(),
        f"context: {scop.context}",
        "arrays:",
        *(_array(a) for a in scop.arrays),
        "statements:",
        *(line for s in scop.statements for line in _statement(s)),
        "reductions:",
        *(line for r in scop.reductions for line in _reduction(r)),
        f"source order: {_source_order(scop)}",
    ]
    return "\n".join(lines) + "\n"


def _array(array: Array) -> str:
    element = getattr(array.element, "name", "?")
    expanded = f" expanded by {', '.join(array.scope_iterators)}" if array.scope_iterators else ""
    return f"  {array.scope.value} {element} {array.name}{expanded}: {array.extent}"


def _statement(statement: Statement) -> list[str]:
    place = f"line {statement.span.line}"
    guards = f", {len(statement.guards)} guard{'s' * (len(statement.guards) > 1)}" if statement.guards else ""
    lines = [f"  {statement.name} {statement.kind.value} ({place}{guards}): {statement.domain}"]
    for access in statement.accesses:
        path = "." + ".".join(access.member_path) if access.member_path else ""
        approximate = "" if access.exact else " (over-approximated)"
        lines.append(f"    {access.kind.value}{approximate}{path}: {access.relation}")
    return lines


def _reduction(reduction: Reduction) -> list[str]:
    known = reduction.operator.recognised
    operator = f"`{reduction.operator.function}`" + (f" = {known.value}" if known is not None else "")
    return [
        f"  {reduction.name}: operator {operator}, initialised by {reduction.init} with `{reduction.init_function}`",
        f"    updates: {', '.join(reduction.updates)}",
        f"    merge node: {reduction.merge}",
        f"    reduction domain: {islx.set_text(reduction.domain)}",
        f"    init to updates: {islx.relation_text(reduction.i2r)}",
        f"    reduction isolation dependences: {islx.relation_text(reduction.r2m)}",
    ]


def _source_order(scop: Scop) -> str:
    """The source schedule as a relation from instances to time, sorted."""
    return islx.relation_text(scop.schedule.get_map())
