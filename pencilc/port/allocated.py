"""Memory that a function takes for itself is a parameter of the new function; the one with the old head allocates it.

float *row = malloc(n * sizeof *row);       float *row = malloc(n * sizeof *row);
if (!row) return -1;                        if (!row) return -1;
for (…) row[i] = …                          int result = f_sized(n, …, row);
free(row);                                  free(row);
return k;                                   return result;
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any

from pencilc.frontend.syntax.nodes import may_change, nodes_below
from pencilc.frontend.translate.remedies import generated
from pencilc.port.find import FunctionText, holds_loop
from pencilc.port.marks import beginning, end_of_statement
from pencilc.port.records import PortChanges, Replacement, Step
from pencilc.port.text import Parsed
from pencilc.port.tree import (
    assigns,
    declared_names,
    has_effects,
    is_allocation,
    kind,
    names_below,
    resolved,
    with_parents,
)
from pencilc.records import dataclass


@dataclass(frozen=True, slots=True)
class Allocated:
    """The change that makes arrays of a body parameters, and what the function with the old head does.

    `head` is its text, `before` and `behind` are the lines around its call; `counts` has how many elements are
    allocated, where that is seen.
    """

    changes: PortChanges
    head: str = ""
    before: str = ""
    behind: tuple[str, ...] = ()
    counts: Mapping[str, str] = field(default_factory=dict)


def without_allocations(parsed: Parsed, function: FunctionText) -> Allocated:
    """The pass; nothing is done where memory outlives the function, changes places, or is as large as data say."""
    found = _Allocations(parsed, function)
    items = list(function.node.body.block_items or ())
    for item in items:
        if holds_loop(item):
            break
        found.statement(item)
    if not found.arrays or not found.are_temporary(items) or not found.with_declarations():
        return Allocated(PortChanges(()))
    for item in items:
        if _freed(item) in found.arrays:
            found.take(item, found.behind)
    return found.made()


@dataclass(slots=True)
class _Allocations:
    """The allocations at the beginning of one function."""

    parsed: Parsed
    function: FunctionText
    arrays: dict[str, str] = field(default_factory=dict)  # the text of each as a parameter
    counts: dict[str, str] = field(default_factory=dict)
    kept: dict[str, Any] = field(default_factory=dict)  # numbers that are declared in front of allocations
    edits: list[Replacement] = field(default_factory=list)
    before: list[str] = field(default_factory=list)
    behind: list[str] = field(default_factory=list)
    moved: list[str] = field(default_factory=list)  # those that the old head has
    declared: dict[str, Any] = field(default_factory=dict)  # pointers without a value
    allocating: list[Any] = field(default_factory=list)  # the statements that allocate
    line: int = 0

    def statement(self, item: Any) -> None:
        """Look at a statement in front of the loops."""
        body = self.function.node.body
        fixed = {p.name for p in self.function.parameters if not may_change(body, p.name)}
        if kind(item) == "Decl" and item.init is not None and is_allocation(item.init) and self._is_alone(item):
            sizes = self._sizes_in(item.init, fixed)
            if sizes is not None and kind(resolved(self.parsed, item.type)) == "PtrDecl":
                for size in sizes:
                    self._keep(size, item.init)
                first, name_at = beginning(self.parsed, item), self.parsed.name_of(item)
                sign = next(k for k in range(name_at, len(self.parsed.tokens)) if self.parsed.tokens[k].text == "=")
                self._allocate(item, item.name, item.init, self.parsed.slice(first, sign - 1))
        elif kind(item) == "Decl" and item.init is None and kind(resolved(self.parsed, item.type)) == "PtrDecl":
            self.declared[item.name] = item
        elif _is_allocated_later(item) and (name := item.lvalue.name) in self.declared:
            sizes = self._sizes_in(item.rvalue, fixed)
            if sizes is not None:
                for size in sizes:
                    self._keep(size, item.rvalue)
                self._allocate(item, name, item.rvalue, self._declarator(self.declared[name]))
        elif kind(item) == "Decl" and item.init is not None and not has_effects(item.init):
            if not may_change(body, item.name) and kind(item.type) == "TypeDecl":
                self.kept.setdefault(item.name, item)
        elif kind(item) == "If" and self._is_check(item, fixed):
            self.take(item, self.before)

    def _allocate(self, item: Any, name: str, value: Any, parameter: str) -> None:
        """Move a statement that allocates an array; `parameter` is the text of that as one."""
        self.arrays[name], self.counts[name] = parameter, _count_of(value)
        self.line = self.line or self.parsed.span(item).line
        self.allocating.append(item)
        self.take(item, self.before)

    def _declarator(self, declaration: Any) -> str:
        """The text of a variable that is declared among others as a parameter: `float *b` of `float *a, *b;`."""
        first, at = beginning(self.parsed, declaration), self.parsed.name_of(declaration)
        parts = self.parsed.parts(first - 1, self.parsed.semicolon(first))
        start, end = next(part for part in parts if part[0] <= at <= part[1])
        star = next(k for k in range(first, at) if self.parsed.tokens[k].text in ("*", "("))
        base = "" if start == first else f"{self.parsed.slice(first, star - 1)} "
        return base + self.parsed.slice(start, end)

    def with_declarations(self) -> bool:
        """Move the declarations of what is allocated later; whether these declare nothing else."""
        groups: dict[int, list[str]] = {}
        for name, node in self.declared.items():
            groups.setdefault(beginning(self.parsed, node), []).append(name)
        later = [each.lvalue.name for each in self.allocating if kind(each) == "Assignment"]
        for first, names in groups.items():
            if not set(names) & set(later):
                continue
            if len(self.parsed.parts(first - 1, self.parsed.semicolon(first))) != len(set(names) & set(later)):
                return False
            texts: list[str] = []
            self.take(self.declared[names[0]], texts)
            self.before[:0] = texts
        return True

    def _sizes_in(self, init: Any, fixed: set[str]) -> list[str] | None:
        """The numbers in the arguments of an allocation that are declared before it; None where it takes others."""
        if _is_data(init.expr.args if kind(init) == "Cast" else init.args):
            return None
        found: list[str] = []
        call = init.expr if kind(init) == "Cast" else init
        for name in sorted(names_below(call.args)):
            if name in fixed or name == getattr(init, "name", ""):
                continue
            if name not in self.kept:
                if name in declared_names(self.function.node.body) and not _is_measured(call.args, name):
                    return None
                continue
            inner = self._sizes_in_number(self.kept[name].init, fixed)
            if inner is None:
                return None
            found += [*inner, name]
        return list(dict.fromkeys(found))

    def _sizes_in_number(self, value: Any, fixed: set[str]) -> list[str] | None:
        if _is_data(value):
            return None
        found: list[str] = []
        for name in sorted(names_below(value) - fixed):
            if name not in self.kept:
                return None
            inner = self._sizes_in_number(self.kept[name].init, fixed)
            if inner is None:
                return None
            found += [*inner, name]
        return found

    def _keep(self, name: str, init: Any) -> None:
        """Declare a number in front of the allocation too, and there alone where nothing else names it."""
        node = self.kept[name]
        if name in self.moved:
            return
        self.moved.append(name)
        uses = [each for each in nodes_below(self.function.node.body) if kind(each) == "ID" and each.name == name]
        here = sum(kind(each) == "ID" and each.name == name for each in nodes_below(init))
        if len(uses) == here and self._is_alone(node):
            self.take(node, self.before)
            return
        words = " ".join(getattr(node.type.type, "names", ()))
        at = self.parsed.name_of(node) + 1
        value = self.parsed.slice(*self.parsed.parts(at, self.parsed.semicolon(at))[0])
        self.before.append(f"{self.parsed.indent_at(self.parsed.tokens[at].start)}{words} {name} = {value};")

    def _is_alone(self, declaration: Any) -> bool:
        """Whether a declaration declares nothing else."""
        first = beginning(self.parsed, declaration)
        return len(self.parsed.parts(first - 1, self.parsed.semicolon(first))) == 1

    def _is_check(self, item: Any, fixed: set[str]) -> bool:
        """Whether a statement only ends the function where there was no memory."""
        asked = names_below(item.cond) - {"NULL"}
        if item.iffalse is not None or not asked & self.arrays.keys() or not asked <= fixed | self.arrays.keys():
            return False
        inner = list(item.iftrue.block_items or ()) if kind(item.iftrue) == "Compound" else [item.iftrue]
        is_end = (bool(inner) and kind(inner[-1]) == "Return") or _is_exit(inner[-1:])
        calls = inner[:-1] if is_end else inner
        return is_end and all(kind(each) == "FuncCall" for each in calls) and not assigns(item)

    def are_temporary(self, items: list[Any]) -> bool:
        """Whether the memory is named by nothing else, and is given back at the end or never."""
        body = self.function.node.body
        freed = {id(item.args.exprs[0]): _freed(item) for item in items if _freed(item)}
        checked = {id(each) for item in self.allocating for each in nodes_below(item)} | {
            id(each) for item in items if kind(item) == "If" and self._is_taken(item) for each in nodes_below(item)
        }
        for node, around in with_parents(body):
            if kind(node) != "ID" or node.name not in self.arrays or id(node) in freed or id(node) in checked:
                continue
            outer = around[0]
            if kind(outer) == "Return" or (kind(outer) == "Decl" and outer.name not in self.arrays):
                return False
            if kind(outer) in ("Assignment", "Cast", "ExprList") and _hands_on(node, around):
                return False
            if kind(outer) == "UnaryOp" and outer.op in ("&", "++", "--", "p++", "p--"):
                return False
        returns = [each for each in nodes_below(body) if kind(each) == "Return"]
        return all(each is items[-1] or id(each) in checked for each in returns)

    def _is_taken(self, item: Any) -> bool:
        at = self.parsed.tokens[self.parsed.token_of(item, "if")].start
        return any(edit.start <= at < edit.end for edit in self.edits)

    def take(self, item: Any, into: list[str]) -> None:
        """Move a statement out of the body."""
        parsed = self.parsed
        if kind(item) == "Decl":
            first = beginning(parsed, item)
            last = parsed.semicolon(first)
        elif kind(item) == "If":
            first, last = parsed.token_of(item, "if"), end_of_statement(parsed, item, self.function.end)
        else:
            named = item.lvalue if kind(item) == "Assignment" else item.name
            first = parsed.token_of(named, named.name)
            last = parsed.semicolon(first)
        start, end = parsed.tokens[first].start, parsed.tokens[last].end
        text = parsed.text[start:end]
        line, stop = parsed.line_start(start), parsed.text.find("\n", end) + 1
        if stop and not parsed.text[line:start].strip() and not parsed.text[end:stop].strip():
            self.edits.append(Replacement(line, stop, ""))
        else:
            self.edits.append(Replacement(start, parsed.after_space(end), ""))
        into.append(f"{parsed.indent_at(start)}{text}")

    def made(self) -> Allocated:
        """The record of it."""
        names = ", ".join(f"`{name}`" for name in self.arrays)
        step = Step(self.line, f"memory is allocated: {names}", f"`{self.function.name}` allocates, and hands over")
        function, tokens = self.function, self.parsed.tokens
        texts = [self.parsed.slice(p.first, p.last) for p in function.parameters]
        parameters = Replacement(
            tokens[function.opening].end, tokens[function.closing].start, ", ".join([*texts, *self.arrays.values()])
        )
        head = self.parsed.slice(function.start, function.closing)
        changes = PortChanges((parameters, *self.edits), (step,))
        return Allocated(changes, head, "\n".join(self.before), tuple(self.behind), self.counts)


def _freed(item: Any) -> str:
    """What a statement gives back: `v` of `free(v);`."""
    is_free = kind(item) == "FuncCall" and getattr(item.name, "name", "") == "free" and item.args is not None
    return str(getattr(item.args.exprs[0], "name", "")) if is_free and kind(item.args.exprs[0]) == "ID" else ""


def _count_of(init: Any) -> str:
    """How many elements an allocation has, by way of `sizeof`; empty where that is not seen."""
    call = init.expr if kind(init) == "Cast" else init
    name, arguments = call.name.name, list(call.args.exprs)
    if name == "calloc" and len(arguments) == 2:
        return generated(next((each for each in arguments if not _is_size(each)), arguments[0]))
    if name != "malloc" or len(arguments) != 1:
        return ""
    factors = [arguments[0]]
    while kind(factors[0]) == "BinaryOp" and factors[0].op == "*":
        factors[:1] = [factors[0].left, factors[0].right]
    counts = [generated(each) if kind(each) in ("ID", "Constant") else f"({generated(each)})"
              for each in factors if not _is_size(each)]  # fmt: skip
    return " * ".join(counts) if len(counts) == len(factors) - 1 else ""


def _is_allocated_later(item: Any) -> bool:
    """Whether a statement is `v = malloc(…);`."""
    is_plain = kind(item) == "Assignment" and item.op == "=" and kind(item.lvalue) == "ID"
    return is_plain and is_allocation(item.rvalue)


def _is_size(node: Any) -> bool:
    return kind(node) == "UnaryOp" and node.op == "sizeof"


def _is_data(node: Any) -> bool:
    """Whether elements of arrays or calls decide a value."""
    return any(kind(each) in ("ArrayRef", "FuncCall") for each in nodes_below(node))


def _is_exit(items: list[Any]) -> bool:
    """Whether a statement ends the program."""
    return any(kind(each) == "FuncCall" and getattr(each.name, "name", "") in ("exit", "abort") for each in items)


def _is_measured(node: Any, name: str) -> bool:
    """Whether a variable stands in `sizeof` alone: `malloc(n * sizeof *v)`."""
    measured = [each for each in nodes_below(node) if kind(each) == "UnaryOp" and each.op == "sizeof"]
    inside = {id(found) for each in measured for found in nodes_below(each)}
    return all(id(each) in inside for each in nodes_below(node) if kind(each) == "ID" and each.name == name)


def _hands_on(node: Any, around: tuple[Any, ...]) -> bool:
    """Whether a pointer itself is kept elsewhere, or takes another value; an argument of a call is not kept."""
    outer = around[0]
    if kind(outer) == "Cast":
        return _hands_on(outer, around[1:])
    if kind(outer) == "Assignment":
        return outer.lvalue is node or outer.rvalue is node
    return kind(outer) == "Return"
