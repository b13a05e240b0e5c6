"""Variables of compiled code that nothing reads, as `gcc -Wall` tells them (PC0311).

int last;                                   never used
float t[10]; t[0] = a[i];                   set and never used
int n = 0; n++; int m; f(&m); (void)k;      used
"""

from __future__ import annotations

import re
from dataclasses import field
from typing import Any

from pencilc.frontend.context import FileContext
from pencilc.frontend.regions.outline import Outlined
from pencilc.frontend.syntax.nodes import nodes_below
from pencilc.ir.source import TranslationUnit
from pencilc.records import dataclass

_UNUSED = re.compile(r"\b(?:__)?unused(?:__)?\b")


def check_unused(context: FileContext, unit: TranslationUnit, outlined: list[Outlined]) -> None:
    """Report the unused variables of all functions and regions that are compiled."""
    silenced = {a.line for a in context.preprocessed.attributes if _UNUSED.search(a.body)}
    entries = {region.function for region in unit.regions if not region.outlined}
    for name in sorted(entries | {function.name for function in unit.functions}):
        node = context.definitions.get(name)
        if node is not None and not context.path_of(node).startswith("<pencilc>/"):
            uses = _Uses()
            uses.visit(node.body)
            _report(context, uses, silenced)
    for each in outlined:
        items = each.place.compound.block_items
        uses = _Uses([{}])
        for item in items[each.place.first : each.place.last]:
            uses.visit(item)
        for item in items[each.place.last :]:
            uses.read_all(item)
        _report(context, uses, silenced)


def _report(context: FileContext, uses: _Uses, silenced: set[int]) -> None:
    for variable in uses.found:
        if variable.is_read or variable.node.coord.line in silenced:
            continue
        how = "set and never used" if variable.is_set else "never used"
        context.warn("PC0311", f"variable `{variable.node.name}` is {how}", variable.node)


@dataclass(slots=True)
class _Variable:
    """A local variable: `is_set` tells of assignments, not of the value that it is declared with."""

    node: Any
    is_set: bool = False
    is_read: bool = False


@dataclass(slots=True)
class _Uses:
    """One walk over a function: the variables of each scope around, and all that were found."""

    scopes: list[dict[str, _Variable]] = field(default_factory=list)
    found: list[_Variable] = field(default_factory=list)

    def visit(self, node: Any) -> None:
        """Note what `node`, a statement or an expression whose value is asked for, does to variables."""
        kind = type(node).__name__
        if kind in ("Compound", "For"):
            self.scopes.append({})
            self._visit_children(node)
            self.scopes.pop()
        elif kind == "Decl":
            self._declare(node)
        elif kind == "Assignment" and node.op == "=":
            self._assign(node.lvalue)
            self.visit(node.rvalue)
        elif kind == "ID":
            self._read(node.name)
        elif kind == "Pragma":
            for name in re.findall(r"[A-Za-z_]\w*", node.string or ""):
                self._read(name)
        elif kind not in ("Typedef", "Struct", "Union", "Enum"):
            self._visit_children(node)

    def read_all(self, node: Any) -> None:
        """Count every name below `node` as read."""
        for each in nodes_below(node):
            if type(each).__name__ == "ID":
                self._read(each.name)

    def _visit_children(self, node: Any) -> None:
        for _, child in node.children():
            self.visit(child)

    def _declare(self, node: Any) -> None:
        for _, child in node.children():
            self.visit(child)  # the extents and the first value
        is_variable = node.name and type(node.type).__name__ != "FuncDecl" and "extern" not in node.storage
        if is_variable and self.scopes:
            self.scopes[-1][node.name] = _Variable(node)
            self.found.append(self.scopes[-1][node.name])

    def _assign(self, target: Any) -> None:
        """The target of an assignment: `x`, `x[i]` and `x.m` set `x` and read `i`."""
        kind = type(target).__name__
        if kind == "ID":
            if (variable := self._variable(target.name)) is not None:
                variable.is_set = True
        elif kind == "ArrayRef":
            self._assign(target.name)
            self.visit(target.subscript)
        elif kind == "StructRef" and target.type == ".":
            self._assign(target.name)
        else:
            self.visit(target)

    def _read(self, name: str) -> None:
        if (variable := self._variable(name)) is not None:
            variable.is_read = True

    def _variable(self, name: str) -> _Variable | None:
        return next((scope[name] for scope in reversed(self.scopes) if name in scope), None)
