"""Statements that PENCIL does not have, as others.

memset(h, 0, 256 * sizeof(int));     for (int k = 0; k < 256; k++)
                                         h[k] = 0;
return *state = x;                   *state = x;
                                     return *state;
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from pencilc.frontend.syntax.nodes import nodes_below
from pencilc.ir.rewrite import fresh_name
from pencilc.port.find import FunctionText, counter_type
from pencilc.port.pointers import Flattened
from pencilc.port.records import CannotPort, PortChanges, Replacement, Step
from pencilc.port.text import Parsed
from pencilc.port.tree import is_pointer, kind, resolved, with_parents

_FILLING = ("memset", "memcpy", "memmove")
_SIZE = r"sizeof\s*(?P<what>\([^()]*\)|[\w\[\]*]+)"
_TIMES_SIZE = re.compile(rf"(?P<count>.*\S)\s*\*\s*{_SIZE}", re.S)
_SIZE_TIMES = re.compile(rf"{_SIZE}\s*\*\s*(?P<count>\S.*)", re.S)
_PLAIN = re.compile(r"[\w.]+(?:\s*\*\s*[\w.]+)*|\([^()]*\)")


def with_plain_statements(parsed: Parsed, function: FunctionText, members: Sequence[Flattened] = ()) -> PortChanges:
    """The pass over one function; raises CannotPort.  `members` are those of structs that will be parameters."""
    types = {name: member.type for each in members for member, name in each.members}
    return _Statements(parsed, function, types).rewritten()


@dataclass(slots=True)
class _Statements:
    parsed: Parsed
    function: FunctionText
    types: dict[str, Any]  # of what will be parameters
    edits: list[Replacement] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)

    def rewritten(self) -> PortChanges:
        for node, around in with_parents(self.function.node.body):
            if kind(node) == "FuncCall" and getattr(node.name, "name", "") in _FILLING:
                self._filling(node, around)
            elif kind(node) == "Return" and kind(node.expr) == "Assignment":
                self._returned(node, around)
        return PortChanges(tuple(self.edits), tuple(self.steps))

    # ---- memset ----------------------------------------------------------------------------------------------

    def _filling(self, node: Any, around: tuple[Any, ...]) -> None:
        """A loop in place of a call that fills or copies an array."""
        name, where = node.name.name, self.parsed.span(node)
        at = self.parsed.token_of(node.name, name)
        parent = around[0]
        is_statement = kind(parent) == "Compound" or node in (
            getattr(parent, part, None) for part in ("stmt", "iftrue", "iffalse")
        )
        if not is_statement or len(node.args.exprs) != 3:
            raise CannotPort(f"the result of `{name}` is used", where)
        closing = self.parsed.closing(at + 1)
        places = self.parsed.parts(at + 1, closing)
        target = self._array(node.args.exprs[0], places[0])
        source = None if name == "memset" else self._array(node.args.exprs[1], places[1])
        value = self.parsed.slice(*places[1])
        element = self._element(node.args.exprs[0])
        if target is None or (name != "memset" and source is None) or element is None:
            raise CannotPort(f"`{name}` fills what is no named array; write a loop", where)
        is_bytes = element in ("char", "unsigned char", "signed char", "uint8_t", "int8_t")
        if name == "memset" and value != "0" and not is_bytes:
            raise CannotPort(f"`memset` sets bytes to `{value}`; write a loop that sets the elements", where)
        if element.startswith("struct"):
            raise CannotPort(f"`{name}` fills structs; write a loop that sets the members", where)
        if source is not None and (name == "memmove" or _base(source) == _base(target)):
            raise CannotPort(f"what `{name}` copies may overlap; write a loop", where)
        if any(kind(each) == "FuncCall" or _changes(each) for each in nodes_below(node.args.exprs[2])):
            raise CannotPort(f"the size that `{name}` gets is computed with effects; write a loop", where)
        size = self.parsed.slice(*places[2])
        count = self._whole(node.args.exprs[0], size) or self._count(size, element, _base(target), is_bytes)
        if count is None:
            raise CannotPort(f"how many elements `{name}` fills is not clear; write a loop", where)
        count = count if _PLAIN.fullmatch(count) else f"({count})"
        whole = self.parsed.slice(self.function.opening, self.function.end)
        counter = fresh_name("k", {*self.types, *re.findall(r"\w+", whole)})
        right = value if source is None else source.replace("@", counter)
        left = target.replace("@", counter)
        ctype = counter_type(self.function, count)
        indent = self.parsed.indent_at(self.parsed.tokens[at].start)
        unit = "\t" if indent.startswith("\t") else "    "
        loop = f"for ({ctype} {counter} = 0; {counter} < {count}; {counter}++)\n{indent}{unit}{left} = {right};"
        end = closing + 1 if self.parsed.tokens[closing + 1].text == ";" else closing
        self.edits.append(Replacement(self.parsed.tokens[at].start, self.parsed.tokens[end].end, loop))
        self.steps.append(Step(where.line, f"`{name}` has no body that a GPU thread could run", "a loop"))

    def _array(self, node: Any, place: tuple[int, int]) -> str | None:
        """The element number `@` of an argument `a`, `&a[e]` or `a + e`; None if it is neither."""
        first, last = place
        text = self.parsed.slice(first, last)
        if kind(node) == "ID":
            return f"{text}[@]"
        if kind(node) == "UnaryOp" and node.op == "&" and kind(node.expr) == "ArrayRef" and text.endswith("]"):
            opening = last
            while self.parsed.closing(opening) != last if self.parsed.tokens[opening].text == "[" else True:
                opening -= 1
            base = self.parsed.slice(first + 1, opening - 1)
            offset = self.parsed.slice(opening + 1, last - 1)
            return f"{base}[@]" if offset == "0" else f"{base}[{offset} + @]"
        return None

    def _element(self, node: Any) -> str | None:
        """The element type of the array that an argument names, as text."""
        name = next((n.name for n in nodes_below(node) if kind(n) == "ID"), "")
        declared = (d for d in nodes_below(self.function.node) if kind(d) == "Decl" and d.name == name)
        ctype = self.types.get(name) or next((decl.type for decl in declared), None)
        if ctype is None or not is_pointer(self.parsed, ctype):
            return None
        inner = resolved(self.parsed, ctype).type
        element = inner.type if kind(inner) == "TypeDecl" else inner
        if kind(element) == "IdentifierType":
            return " ".join(element.names)
        return f"struct {element.name}" if kind(element) == "Struct" else None

    def _whole(self, node: Any, size: str) -> str | None:
        """How many elements `sizeof a` has of a local array `a` of one dimension, as text; None for another size."""
        name = getattr(node, "name", "")
        if kind(node) != "ID" or re.fullmatch(rf"sizeof\s*(\(\s*{name}\s*\)|\s{name})", size) is None:
            return None
        for decl in nodes_below(self.function.node.body):
            if kind(decl) == "Decl" and decl.name == name and kind(decl.type) == "ArrayDecl":
                is_flat = decl.type.dim is not None and kind(decl.type.type) == "TypeDecl"
                opening = self.parsed.name_of(decl) + 1
                return self.parsed.slice(opening + 1, self.parsed.closing(opening) - 1) if is_flat else None
        return None

    @staticmethod
    def _count(size: str, element: str, array: str, is_bytes: bool) -> str | None:
        """How many elements so many bytes are, as text; None where that is not clear."""
        match = _TIMES_SIZE.fullmatch(size) or _SIZE_TIMES.fullmatch(size)
        if match is not None:
            what = match.group("what").strip("() ")
            is_element = what in (f"*{array}", f"{array}[0]") or _words(what) == _words(element)
            return match.group("count") if is_element else None
        return size if is_bytes and "sizeof" not in size else None

    # ---- return ----------------------------------------------------------------------------------------------

    def _returned(self, node: Any, around: tuple[Any, ...]) -> None:
        """`return x = e;` is two statements."""
        if any(kind(each) == "FuncCall" or _changes(each) for each in nodes_below(node.expr.lvalue)):
            raise CannotPort("an assignment inside of a `return`", self.parsed.span(node))
        at = self.parsed.token_of(node, "return")
        operator = at + 1
        while self.parsed.tokens[operator].text != "=":
            operator += 1
        # The lexer splits `+=` into two tokens.
        last = operator - len(node.expr.op)
        target = self.parsed.slice(at + 1, last)
        end = self.parsed.semicolon(operator)
        whole = self.parsed.slice(at + 1, end)
        indent = self.parsed.indent_at(self.parsed.tokens[at].start)
        two = f"{whole}\n{indent}return {target};"
        if kind(around[0]) != "Compound":
            two = f"{{ {whole} return {target}; }}"
        self.edits.append(Replacement(self.parsed.tokens[at].start, self.parsed.tokens[end].end, two))
        self.steps.append(Step(self.parsed.span(node).line, "an assignment inside of a `return`", "two statements"))


def _changes(node: Any) -> bool:
    """Whether a node changes a variable."""
    return kind(node) == "Assignment" or (kind(node) == "UnaryOp" and node.op.strip("p") in ("++", "--"))


def _base(element: str) -> str:
    """The array of the text of an element."""
    return element.partition("[")[0]


def _words(ctype: str) -> list[str]:
    """The words of a basic type, without those that say nothing."""
    words = [word for word in re.findall(r"\w+", ctype) if word not in ("const", "signed", "volatile")]
    return sorted(word for word in words if word != "int" or len(words) == 1)
