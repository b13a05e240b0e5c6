"""Flattened arrays whose rows are counted with the wrong length: `a[i * rows + j]` of `a[rows * cols]` (PC0405).

Told only where the loops leave no doubt: `i` goes up to `rows`, `j` up to `cols`, and the array has `rows * cols`
elements, so that `i * cols + j` was meant.
"""

from __future__ import annotations

from collections.abc import Mapping

from pencilc.diagnostics import fixes
from pencilc.frontend.context import FileContext
from pencilc.ir.queries import plain_name, without_conversions
from pencilc.ir.source import ArrayType, Binary, Expr, For, Index, Name, Node, TranslationUnit, children
from pencilc.ir.source_printer import spelled


def check_rows(context: FileContext, unit: TranslationUnit) -> None:
    """Report such subscripts of all regions."""
    for region in unit.regions:
        _visit(context, region.body, {})


def _visit(context: FileContext, node: Node, bounds: Mapping[str, str]) -> None:
    """`bounds`: how far the counters of the loops around `node` go."""
    if isinstance(node, For) and node.relation == "<" and node.step == 1:
        bounds = {**bounds, node.iterator.name: spelled(without_conversions(node.bound))}
    if isinstance(node, Index) and isinstance(node.base, Name) and isinstance(node.base.type, ArrayType):
        _check(context, node, node.base, node.base.type, bounds)
    for child in children(node):
        _visit(context, child, bounds)


def _check(context: FileContext, access: Index, array: Name, ctype: ArrayType, bounds: Mapping[str, str]) -> None:
    extent = None if ctype.extent is None else _product(ctype.extent)
    index = without_conversions(access.index)
    if extent is None or not isinstance(index, Binary) or index.op != "+":
        return
    row = _product(index.left)
    column = plain_name(without_conversions(index.right))
    if row is None or column is None:
        return
    counter, length = (plain_name(each) for each in row)
    sizes = [spelled(each) for each in extent]
    if counter is None or length is None or counter not in bounds or column not in bounds:
        return
    rows, columns, used = bounds[counter], bounds[column], spelled(row[1])
    if rows == columns or sorted((rows, columns)) != sorted(sizes) or used != rows:
        return
    name = array.symbol.spelling
    declared = " * ".join(sizes)
    wrong = f"{name}[{spelled(index)}]"
    meant = wrong.replace(f"* {used} +", f"* {columns} +")
    file, text = context.file_of(access.span), f"did you mean `{meant}`?"
    edit = fixes.replaced(file, access.span, wrong, meant)
    remedy = fixes.fix(text, [edit])
    context.warn(
        "PC0405",
        f"access out of bounds: `{wrong}` of `{name}[{declared}]` where `{rows}` is larger than `{columns}`",
        access.span,
        f"a row has `{columns}` elements",
        helps=() if remedy is not None else (text,),
        remedies=(remedy,),
    )


def _product(expr: Expr) -> tuple[Expr, Expr] | None:
    """The factors of `a * b`."""
    plain = without_conversions(expr)
    if not isinstance(plain, Binary) or plain.op != "*":
        return None
    return without_conversions(plain.left), without_conversions(plain.right)
