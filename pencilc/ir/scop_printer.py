"""The text form of a `Scop`, for `--dump-ir` and the golden tests.

The parameters stand at the head; every set and relation below is over them and reads back with `[parameters] ->` put
in front.  Relations stand one on a line; those of accesses hold within the domain of their statement, above them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from pencilc import islx
from pencilc.ir.rewrite import Renaming
from pencilc.ir.scop import Access, AccessKind, Array, Reduction, Scop, Statement, StatementKind
from pencilc.ir.source import Declare, For, Name, Stmt, Symbol, walk
from pencilc.ir.source_printer import print_expr, print_stmt

_SHORT = 100  # characters of a construct of several lines that is shown whole


def dump_scop(scop: Scop) -> str:
    """Parameters, context, arrays, statements with their source text and accesses, reductions, source order."""
    lines = [f"scop {scop.name}", parameters_line(scop)]
    lines += [
        f"{islx.mangle(product.symbol.name)}: {' * '.join(product.factors) or 'any number'}"
        for product in scop.products
    ]
    lines.append(f"context: {islx.text_over(scop.context, names_of(scop))}")
    lines.append("arrays")
    for array in scop.arrays:
        lines.append(_array(scop, array))
    lines.append("statements")
    for statement in scop.statements:
        lines += _statement(scop, statement)
    lines.append("reductions")
    for reduction in scop.reductions:
        lines += _reduction(scop, reduction)
    lines.append("source order")
    lines += relation_lines(scop, islx.maps_of(scop.schedule.get_map()), 1)
    return "\n".join(lines) + "\n"


def names_of(scop: Scop) -> tuple[str, ...]:
    """The parameters as isl has them."""
    return tuple(islx.mangle(param.name) for param in scop.params)


def parameters_line(scop: Scop) -> str:
    """What stands at the head of a dump."""
    return f"parameters: {', '.join(names_of(scop)) or 'none'}"


def relation_lines(scop: Scop, relations: Sequence[islx.SetLike], depth: int) -> list[str]:
    """Sets or relations, one on a line, sorted as text."""
    params = names_of(scop)
    return sorted(f"{'  ' * depth}{islx.text_over(relation, params)}" for relation in relations)


def plain_value(text: str) -> str | None:
    """`1 + n` for `{ [(1 + n)] }` and `{ S0[i] -> [(1 + n)] }`; None where isl has several pieces or conditions."""
    found = _PLAIN.fullmatch(text)
    return found.group(1) if found is not None else None


_PLAIN = re.compile(r"\{ (?:\w+(?:\[[^\[\]]*\])? -> )?\[\((.*)\)\] \}")


def statement_text(scop: Scop, name: str) -> str:
    """What the source says, on one line; for what stands in no source what it is there for."""
    statement = scop.statement(name)
    if statement.kind is StatementKind.MERGE:
        return f"// {_variables(statement)} is complete"
    if statement.kind is StatementKind.KILL:
        return f"// the old value of {_variables(statement)} ends"
    if statement.body is None:
        return "//"
    return _on_one_line(statement.body)


def statement_as_written(scop: Scop, name: str) -> str:
    """The same with the names that the source has for variables, for readers who do not know those of the model."""
    statement = scop.statement(name)
    if statement.body is None:
        variables = dict.fromkeys(scop.spelling(a.array) for a in statement.accesses if a.kind is not AccessKind.READ)
        return f"{', '.join(variables)} is complete"
    symbols: dict[str, Symbol] = {}
    for node in walk(statement.body):
        symbol = node.symbol if isinstance(node, Name | Declare) else node.iterator if isinstance(node, For) else None
        if symbol is not None:
            symbols[symbol.name] = replace(symbol, name=symbol.spelling)
    return _on_one_line(Renaming(symbols, {}).node(statement.body))


def _on_one_line(body: Stmt) -> str:
    lines = print_stmt(body).splitlines()
    inside = " ".join(line.strip() for line in lines)
    return inside if len(inside) <= _SHORT or len(lines) == 1 else f"{lines[0].strip()} ..."


def _variables(statement: Statement) -> str:
    return ", ".join(access.array for access in statement.accesses if access.kind.value != "read")


def _array(scop: Scop, array: Array) -> str:
    element = getattr(array.element, "name", "?")
    expanded = f", one for each {', '.join(array.scope_iterators)}" if array.scope_iterators else ""
    extent = islx.text_over(array.extent, names_of(scop))
    return f"  {array.kind.value} {element} {array.name}{expanded}: {extent}"


def _statement(scop: Scop, statement: Statement) -> list[str]:
    head = f"  {statement.name} {statement.kind.value}, line {statement.span.line}"
    lines = [f"{head}: {statement_text(scop, statement.name)}"]
    lines.append(f"    for {islx.text_over(statement.domain, names_of(scop))}")
    for guard in statement.guards:
        lines.append(f"    if ({print_expr(guard)})")
    for access in statement.accesses:
        lines.append(f"    {_access(scop, statement, access)}")
    return lines


def _access(scop: Scop, statement: Statement, access: Access) -> str:
    path = "." + ".".join(access.member_path) if access.member_path else ""
    approximate = "" if access.exact else " (over-approximated)"
    relation = access.relation.gist_domain(statement.domain)
    return f"{access.kind.value}{approximate}{path} {islx.text_over(relation, names_of(scop))}"


def _reduction(scop: Scop, reduction: Reduction) -> list[str]:
    known = reduction.operator.recognised
    operator = f"`{reduction.operator.function}`" + (f" = {known.value}" if known is not None else "")
    return [
        f"  {reduction.name}: operator {operator}, initialised by {reduction.init} with `{reduction.init_function}`",
        f"    updates {', '.join(reduction.updates)}, complete with {reduction.merge}",
        "    domain",
        *relation_lines(scop, islx.sets_of(reduction.domain), 3),
        "    from the initialisation to its updates",
        *relation_lines(scop, islx.maps_of(reduction.i2r), 3),
        "    from the updates to the merge node (isolation)",
        *relation_lines(scop, islx.maps_of(reduction.r2m), 3),
    ]
