"""How long strings are is measured by the function with the old head, and handed over.

int count(const char *s, char c)         int count_sized(int n, char c, const char s[n + 1])
{
    int n = strlen(s);                   int count(const char *s, char c)
    for (int i = 0; i < n; i++)          {
        …                                    int n = strlen(s);
                                             return count_sized(n, c, s);

The same for `i < strlen(s)` of strings that are only read, and for `s[i] != 0` and `*p` as the conditions of loops that
go through a string from its beginning, where nothing writes into what is still to be looked at: `p < s_end`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any

from pencilc.frontend.syntax.nodes import LOOPS, may_change, nodes_below
from pencilc.ir.rewrite import fresh_name
from pencilc.port.counting import STEPS, breaks, goes_on, is_zero, parts_of, step_of, targets
from pencilc.port.find import FunctionText
from pencilc.port.marks import beginning
from pencilc.port.records import PortChanges, Replacement, Step
from pencilc.port.text import Parsed
from pencilc.port.tree import declared_names, has_effects, kind, names_below, resolved, with_parents, without_cast
from pencilc.records import dataclass

_MEASURE = "strlen"


@dataclass(frozen=True, slots=True)
class Strings:
    """The change after which a body measures no string; `head` is the old head, `before` what stands below it.

    `lengths` has of each string the parameter that says how many characters stand in front of its end.
    """

    changes: PortChanges
    head: str = ""
    before: str = ""
    lengths: Mapping[str, str] = field(default_factory=dict)


def without_measuring(parsed: Parsed, function: FunctionText) -> Strings:
    """The pass over one function; strings that it walks through by the pointer itself stay as they are."""
    found = _Strings(parsed, function)
    found.declared_lengths()
    found.asked_lengths()
    if not found.added:
        return Strings(PortChanges(()))
    closing = parsed.tokens[function.closing].start
    head = parsed.slice(function.start, function.closing)
    edits = (*found.edits, Replacement(closing, closing, "".join(f", {each}" for each in found.added)))
    names = ", ".join(f"`{name}`" for name in found.lengths)
    what = f"how long {names} {'is' if len(found.lengths) == 1 else 'are'} has to be measured"
    step = Step(found.line, what, f"`{function.name}` measures, and hands over")
    return Strings(PortChanges(edits, (step,)), head, "\n".join(found.before), found.lengths)


@dataclass(slots=True)
class _Strings:
    """The strings of one function."""

    parsed: Parsed
    function: FunctionText
    added: list[str] = field(default_factory=list)  # the parameters that the lengths become
    before: list[str] = field(default_factory=list)
    edits: list[Replacement] = field(default_factory=list)
    lengths: dict[str, str] = field(default_factory=dict)
    line: int = 0

    def declared_lengths(self) -> None:
        """`int n = strlen(s), m = strlen(t);` in front of all that may write into them."""
        body = self.function.node.body
        groups: dict[int, list[Any]] = {}
        for item in body.block_items or ():
            if kind(item) != "Decl" or (self._measured(item.init) == "" and has_effects(item)):
                break
            groups.setdefault(beginning(self.parsed, item), []).append(item)
        for first, group in groups.items():
            if any(kind(item.type) != "TypeDecl" for item in group):
                continue
            taken: list[Any] = []
            for item in group:
                if self._is_length(item):
                    self._add(self._measured(item.init), item.name, " ".join(item.type.type.names), self._value(item))
                    taken.append(item)
            if not taken:
                continue
            self.line = self.line or self.parsed.span(group[0]).line
            self.edits.append(self._without(first, group, taken))

    def asked_lengths(self) -> None:
        """`strlen(s)` elsewhere and `s[i] != 0` of loops, of strings that are only read."""
        body = self.function.node.body
        written = self._written()
        done = {id(each) for edit in self.edits for each in nodes_below(body) if self._is_in(each, edit)}
        for node in nodes_below(body):
            if id(node) in done:
                continue
            name = self._measured(node) if kind(node) == "FuncCall" else ""
            if name and name not in written:
                first = self.parsed.token_of(node.name, _MEASURE)
                start, end = self.parsed.tokens[first].start, self.parsed.tokens[self.parsed.closing(first + 1)].end
                self._replace(start, end, name, "size_t", "{}", node)
            elif kind(node) in ("For", "While") and node.cond is not None:
                self._until_end(node, written)
                self._walk_to_end(node, written)

    def _until_end(self, loop: Any, written: set[str]) -> None:
        """`for (i = 0; s[i] != 0; i++)` is `for (i = 0; i < length; i++)`; the same as a `while`."""
        element = _asked(loop.cond)
        if kind(element) != "ArrayRef" or kind(element.name) != "ID" or kind(element.subscript) != "ID":
            return
        name, counter = element.name.name, element.subscript.name
        start, ctype = self._start_of(loop, counter), self._type_of(counter)
        if name not in self._strings() or start is None or not is_zero(start) or not self._steps_once(loop, counter):
            return
        if ctype and (name not in written or self._writes_behind(loop, name, counter)):
            self._replace(*self._condition(loop, element.name), name, ctype, f"{counter} < {{}}", loop)

    def _walk_to_end(self, loop: Any, written: set[str]) -> None:
        """`while (*p)` of a pointer that begins at a string is `while (p < end)`."""
        pointer = _asked(loop.cond)
        if kind(pointer) != "UnaryOp" or pointer.op != "*" or kind(pointer.expr) != "ID":
            return
        walker = pointer.expr.name
        start = without_cast(self._start_of(loop, walker))
        name = walker if walker in self._pointers() else getattr(start, "name", "") if kind(start) == "ID" else ""
        is_fixed = name == walker or name in self._strings()
        if name not in self._pointers() or not is_fixed or ({name, walker} & written and not self._fills(loop, walker)):
            return
        if not self._steps_once(loop, walker) or not self._is_left_alone(loop, walker):
            return
        names = {*declared_names(self.function.node), *self.lengths.values()}
        end = fresh_name(f"{name}_end", names)
        first = self.parsed.tokens[self.function.body + 1].start
        indent = self.parsed.indent_at(first)
        self._replace(*self._condition(loop, pointer), name, "size_t", f"{walker} < {end}", loop)
        text = f"const char *const {end} = {name} + {self.lengths[name]};\n{indent}"
        if (declaration := Replacement(first, first, text)) not in self.edits:
            self.edits.append(declaration)

    def _condition(self, loop: Any, first: Any) -> tuple[int, int]:
        """Where the condition of a loop stands that begins with a name, or with what is done to one."""
        parsed = self.parsed
        inner = first.expr if kind(first) == "UnaryOp" else first
        at = parsed.token_of(inner, inner.name) - (1 if inner is not first else 0)
        if kind(loop) == "For":
            last = parsed.semicolon(at) - 1
        else:
            last = parsed.closing(parsed.token_of(loop, "while") + 1) - 1
        return parsed.tokens[at].start, parsed.tokens[last].end

    def _start_of(self, loop: Any, name: str) -> Any:
        """What a variable is when a loop begins; None where that is not seen."""
        if kind(loop) == "For":
            for each in parts_of(loop.init):
                if getattr(each, "name", "") == name:
                    return each.init
                if getattr(getattr(each, "lvalue", None), "name", "") == name:
                    return each.rvalue
        for each in self.function.node.body.block_items or ():
            if kind(each) == "Decl" and each.name == name and not self._changes_before(loop, name):
                return each.init
        return None

    def _changes_before(self, loop: Any, name: str) -> bool:
        """Whether something else than a loop changes a variable."""
        inside = {id(each) for each in nodes_below(loop)}
        body = self.function.node.body
        return any(id(node) not in inside for node, root in targets(body, elements=False) if root == name)

    def _steps_once(self, loop: Any, name: str) -> bool:
        """Whether each iteration, of which none ends early, makes a variable larger by 1."""
        if breaks(loop.stmt) or any(kind(each) in ("Return", "Goto") for each in nodes_below(loop.stmt)):
            return False
        changes = [node for part in (loop.stmt, getattr(loop, "next", None), loop.cond)
                   for node, root in targets(part, elements=False) if root == name]  # fmt: skip
        if len(changes) != 1 or step_of(changes[0], name) != 1 or name in self._addressed():
            return False
        if any(each is changes[0] for each in parts_of(getattr(loop, "next", None))):
            return True
        return not goes_on(loop.stmt) and _is_sure(loop.stmt, changes[0])

    def _fills(self, loop: Any, walker: str) -> bool:
        """Whether all that is written goes where a pointer stands, which moves on behind the body of a loop."""
        if kind(loop) != "For" or not any(root == walker for each in parts_of(loop.next) for _, root in targets(each)):
            return False
        inside = {id(each) for each in nodes_below(loop.stmt)}
        written = [node for node in nodes_below(self.function.node.body)
                   if kind(node) == "Assignment" and kind(node.lvalue) != "ID"]  # fmt: skip
        return all(
            id(node) in inside and kind(node.lvalue) == "UnaryOp" and getattr(node.lvalue.expr, "name", "") == walker
            for node in written
        )

    def _is_left_alone(self, loop: Any, walker: str) -> bool:
        """Whether nothing but a loop moves a pointer that walks."""
        starts = [id(each) for each in parts_of(loop.init)] if kind(loop) == "For" else []
        inside = {id(each) for each in nodes_below(loop)} - set(starts)
        return all(
            id(node) in inside or id(node) in starts
            for node, root in targets(self.function.node.body, elements=False) if root == walker
        )  # fmt: skip

    def _addressed(self) -> set[str]:
        """The variables whose address is taken."""
        return {
            each.expr.name for each in nodes_below(self.function.node.body)
            if kind(each) == "UnaryOp" and each.op == "&" and kind(each.expr) == "ID"
        }  # fmt: skip

    def _written(self) -> set[str]:
        """The variables through which something is written, or that are handed to a function which may."""
        found: set[str] = set()
        for node in nodes_below(self.function.node.body):
            target: Any = None
            if kind(node) == "Assignment":
                target = node.lvalue
            elif kind(node) == "UnaryOp" and node.op in STEPS:
                target = node.expr
            elif kind(node) == "FuncCall" and node.args is not None and getattr(node.name, "name", "") != _MEASURE:
                found |= {each.name for each in map(without_cast, node.args.exprs) if kind(each) == "ID"}
            if kind(target) != "ID":
                while kind(target) in ("ArrayRef", "StructRef"):
                    target = target.name
                found |= names_below(target)
        return found

    def _writes_behind(self, loop: Any, name: str, counter: str) -> bool:
        """Whether a loop alone writes into a string, and only what its condition has looked at."""
        inside = {id(each) for each in nodes_below(loop.stmt)}
        for node, root in targets(self.function.node.body):
            if root != name:
                continue
            target: Any = node.lvalue if kind(node) == "Assignment" else node.expr
            if id(node) not in inside or kind(target) != "ArrayRef" or kind(target.name) != "ID":
                return False
            if getattr(target.subscript, "name", "") != counter:
                return False
        return True

    def _replace(self, start: int, end: int, name: str, ctype: str, text: str, node: Any) -> None:
        """Write the length of a string in place of what asks for it."""
        if name not in self.lengths:
            tokens = self.parsed.tokens[self.function.start : self.function.end]
            taken = {*declared_names(self.function.node), *(token.text for token in tokens)}
            length = fresh_name(f"{name}_length", taken)
            self._add(name, length, ctype, f"strlen({name})")
        self.line = self.line or self.parsed.span(node).line
        self.edits.append(Replacement(start, end, text.format(self.lengths[name])))

    def _add(self, name: str, length: str, ctype: str, value: str) -> None:
        """Make the length of a string a parameter."""
        indent = self.parsed.indent_at(self.parsed.tokens[self.function.body + 1].start) or "    "
        self.lengths.setdefault(name, length)
        self.added.append(f"{ctype} {length}")
        knows = any(kind(each) == "Decl" and each.name == _MEASURE for each in self.parsed.tree.ext)
        if knows:
            self.before.append(f"{indent}{ctype} {length} = {value};")
            return
        self.before += [f"{indent}{ctype} {length} = 0;", f"{indent}while ({name}[{length}] != 0)"]
        self.before.append(f"{indent}{indent}{length}++;")

    def _strings(self) -> set[str]:
        """The parameters that point to characters and always to the same ones."""
        return {name for name in self._pointers() if not may_change(self.function.node.body, name)}

    def _pointers(self) -> set[str]:
        """The parameters that point to characters."""
        found: set[str] = set()
        for parameter in self.function.parameters:
            pointer = resolved(self.parsed, parameter.node.type)
            pointed = resolved(self.parsed, pointer.type) if kind(pointer) in ("PtrDecl", "ArrayDecl") else None
            if "char" in (getattr(pointed, "names", None) or ()):
                found.add(parameter.name)
        return found

    def _measured(self, node: Any) -> str:
        """The string of which an expression is the length; empty for others."""
        node = without_cast(node)
        if kind(node) != "FuncCall" or getattr(node.name, "name", "") != _MEASURE or node.args is None:
            return ""
        argument = without_cast(node.args.exprs[0])
        name = argument.name if kind(argument) == "ID" else ""
        return name if name in self._strings() else ""

    def _is_length(self, item: Any) -> bool:
        """Whether a declaration holds the length of a string for good."""
        name = self._measured(item.init)
        is_plain = kind(item.type) == "TypeDecl" and kind(item.type.type) == "IdentifierType" and not item.storage
        is_whole = is_plain and not {"float", "double", "char", "short"} & {*item.type.type.names}
        is_one = declared_names(self.function.node).count(item.name) == 1
        is_fixed = is_one and not may_change(self.function.node.body, item.name)
        return bool(name) and name not in self.lengths and is_whole and is_fixed

    def _value(self, item: Any) -> str:
        at = self.parsed.name_of(item) + 1
        return self.parsed.slice(*self.parsed.parts(at, self.parsed.semicolon(at))[0])

    def _without(self, first: int, group: list[Any], taken: list[Any]) -> Replacement:
        """The declaration without what has become parameters; of whole lines where nothing is left."""
        parsed = self.parsed
        start, end = parsed.tokens[first].start, parsed.tokens[parsed.semicolon(first)].end
        kept = [item for item in group if item not in taken]
        if kept:
            parts = []
            for item in kept:
                name_at = parsed.name_of(item)
                last = name_at if item.init is None else parsed.parts(name_at + 1, parsed.semicolon(first))[0][1]
                parts.append(parsed.slice(name_at, last))
            words = parsed.slice(first, parsed.name_of(group[0]) - 1)
            return Replacement(start, end, f"{words} {', '.join(parts)};")
        line, stop = parsed.line_start(start), parsed.text.find("\n", end) + 1
        if stop and not parsed.text[line:start].strip() and not parsed.text[end:stop].strip():
            return Replacement(line, stop, "")
        return Replacement(start, parsed.after_space(end), "")

    def _is_in(self, node: Any, edit: Replacement) -> bool:
        """Whether a call stands in what is replaced."""
        if kind(node) != "FuncCall" or getattr(node.name, "name", "") != _MEASURE:
            return False
        return edit.start <= self.parsed.tokens[self.parsed.token_of(node.name, _MEASURE)].start < edit.end

    def _type_of(self, counter: str) -> str:
        """The type of a variable of the function; empty where that is no whole number."""
        for node in nodes_below(self.function.node.body):
            if kind(node) == "Decl" and node.name == counter and kind(node.type) == "TypeDecl":
                return " ".join(getattr(node.type.type, "names", None) or ())
        return ""


def _asked(cond: Any) -> Any:
    """What a condition asks not to be the end of a string: `s[i]` of `s[i] != 0`."""
    return cond.left if kind(cond) == "BinaryOp" and cond.op == "!=" and _is_end(cond.right) else cond


def _is_sure(body: Any, node: Any) -> bool:
    """Whether each execution of a body comes to a node: it stands in no branch and no inner loop."""
    for each, around in with_parents(body):
        if each is node:
            inner = (kind(outer) in ("If", "TernaryOp", "Switch", *LOOPS) or getattr(outer, "op", "") in ("&&", "||")
                     for outer in around)  # fmt: skip
            return not any(inner)
    return False


def _is_end(node: Any) -> bool:
    r"""Whether an expression is the end of a string: `0` or `'\0'`."""
    return kind(node) == "Constant" and node.value in ("0", r"'\0'")
