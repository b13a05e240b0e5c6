"""The verifier of `TranslationUnit`: every name stands for one declared variable."""

from __future__ import annotations

from pencilc.diagnostics.diagnostic import CompilerBug
from pencilc.ir.source import Declare, For, Name, Region, Symbol, TranslationUnit, walk


def verify_unit(unit: TranslationUnit) -> None:
    """Raise CompilerBug if a region uses a variable that nothing declares, or one name for two variables."""
    constants = {declaration.symbol.name for declaration in unit.globals}
    for region in unit.regions:
        declared = _declared(region)
        for node in walk(region.body):
            if isinstance(node, Name) and node.symbol.name not in declared and node.symbol.name not in constants:
                raise CompilerBug(f"{node.span}: `{node.symbol.name}` is not declared in `{region.name}`")


def _declared(region: Region) -> set[str]:
    symbols: list[Symbol] = [*region.params]
    for node in walk(region.body):
        if isinstance(node, Declare):
            symbols.append(node.symbol)
        elif isinstance(node, For) and node.declares:
            symbols.append(node.iterator)
    names = [symbol.name for symbol in symbols]
    if len(names) != len(set(names)):
        twice = next(name for name in names if names.count(name) > 1)
        raise CompilerBug(f"`{region.name}` declares `{twice}` twice")
    return set(names)
