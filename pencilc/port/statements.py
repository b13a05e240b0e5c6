"""Statements that PENCIL does not have, as others.

memset(h, 0, 256 * sizeof(int));     for (int k = 0; k < 256; k++)
                                         h[k] = 0;
return *state = x;                   *state = x;
                                     return *state;
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import field
from typing import Any

from pencilc.frontend.syntax.nodes import nodes_below
from pencilc.frontend.translate.remedies import generated
from pencilc.ir.rewrite import fresh_name
from pencilc.port.find import FunctionText, counter_type, named_numbers
from pencilc.port.globals import Handed
from pencilc.port.pointers import Flattened
from pencilc.port.records import CannotPort, PortChanges, Replacement, Step
from pencilc.port.text import Parsed
from pencilc.port.tree import is_pointer, kind, resolved, with_parents
from pencilc.records import dataclass

_FILLING = ("memset", "memcpy", "memmove")
_SIZE = r"sizeof\s*(?P<what>\([^()]*\)|[\w\[\]*]+)"
_TIMES_SIZE = re.compile(rf"(?P<count>.*\S)\s*\*\s*{_SIZE}", re.S)
_SIZE_TIMES = re.compile(rf"{_SIZE}\s*\*\s*(?P<count>\S.*)", re.S)
_BYTES = ("char", "unsigned char", "signed char", "uint8_t", "int8_t")
_PLAIN = re.compile(r"[\w.]+(?:\s*\*\s*[\w.]+)*|\([^()]*\)")


def with_plain_statements(
    parsed: Parsed, function: FunctionText, members: Sequence[Flattened] = (), handed: Sequence[Handed] = ()
) -> PortChanges:
    """The pass over one function; raises CannotPort.

    `members` of structs and `handed` globals will be parameters.
    """
    types = {name: member.type for each in members for member, name in each.members}
    types |= {each.name: each.type for each in handed}
    return _Statements(parsed, function, types, named_numbers(parsed, function)).rewritten()


@dataclass(frozen=True, slots=True)
class _Shape:
    """What an array is made of: the type of an element, and the extents of a row where its elements are rows."""

    element: str
    rows: tuple[str, ...]
    is_struct: bool


@dataclass(slots=True)
class _Statements:
    parsed: Parsed
    function: FunctionText
    types: dict[str, Any]  # of what will be parameters
    numbers: dict[int, str]  # the names of numbers
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
        shape = self._shape(node.args.exprs[0])
        if target is None or (name != "memset" and source is None) or shape is None:
            raise CannotPort(f"`{name}` fills what is no named array; write a loop", where)
        is_bytes = shape.element in _BYTES
        if name == "memset" and value != "0" and not is_bytes:
            raise CannotPort(f"`memset` sets bytes to `{value}`; write a loop that sets the elements", where)
        if source is not None and (name == "memmove" or _base(source) == _base(target)):
            raise CannotPort(f"what `{name}` copies may overlap; write a loop", where)
        if source is not None and not _is_same(shape, self._shape(node.args.exprs[1])):
            raise CannotPort(f"`{name}` copies between arrays of different types; write a loop", where)
        if any(kind(each) == "FuncCall" or _changes(each) for each in nodes_below(node.args.exprs[2])):
            raise CannotPort(f"the size that `{name}` gets is computed with effects; write a loop", where)
        counts = self._counts(node.args.exprs[0], self.parsed.slice(*places[2]), shape, _base(target), is_bytes)
        if not counts:
            raise CannotPort(f"how many elements `{name}` fills is not clear; write a loop", where)
        value = f"({shape.element}){{0}}" if shape.is_struct else value
        loop = self._loop(at, counts, target, value if source is None else source)
        end = closing + 1 if self.parsed.tokens[closing + 1].text == ";" else closing
        self.edits.append(Replacement(self.parsed.tokens[at].start, self.parsed.tokens[end].end, loop))
        self.steps.append(Step(where.line, f"`{name}` has no body that a GPU thread could run", "a loop"))

    def _loop(self, at: int, counts: Sequence[str], target: str, source: str) -> str:
        """The loops over as many elements in each dimension, for the call that begins with token `at`."""
        taken = {*self.types, *re.findall(r"\w+", self.parsed.slice(self.function.opening, self.function.end))}
        indent = self.parsed.indent_at(self.parsed.tokens[at].start)
        unit = "\t" if indent.startswith("\t") else "    "
        text, is_copied = "", False
        for dimension, count in enumerate(counts):
            counter = fresh_name("k", taken)
            taken.add(counter)
            indent += unit
            bound = count if _PLAIN.fullmatch(count) else f"({count})"
            ctype = counter_type(self.function, bound)
            text += f"for ({ctype} {counter} = 0; {counter} < {bound}; {counter}++)\n{indent}"
            is_copied = "@" in source if dimension == 0 else is_copied
            target = target.replace("@", counter) if dimension == 0 else f"{target}[{counter}]"
            source = f"{source}[{counter}]" if dimension and is_copied else source.replace("@", counter)
        return f"{text}{target} = {source};"

    def _array(self, node: Any, place: tuple[int, int]) -> str | None:
        """The element number `@` of an argument `a`, `a[i]`, `&a[e]` or `a + e`; None if it is none of them."""
        first, last = place
        text = self.parsed.slice(first, last)
        if kind(node) == "ID" or (kind(node) == "ArrayRef" and text.endswith("]")):
            return f"{text}[@]"
        if kind(node) == "UnaryOp" and node.op == "&" and kind(node.expr) == "ArrayRef" and text.endswith("]"):
            opening = last
            while self.parsed.closing(opening) != last if self.parsed.tokens[opening].text == "[" else True:
                opening -= 1
            base = self.parsed.slice(first + 1, opening - 1)
            offset = self.parsed.slice(opening + 1, last - 1)
            return f"{base}[@]" if offset == "0" else f"{base}[{offset} + @]"
        return None

    def _shape(self, node: Any) -> _Shape | None:
        """What the array is made of that an argument names."""
        name = next((n.name for n in nodes_below(node) if kind(n) == "ID"), "")
        declared = (d for d in nodes_below(self.function.node) if kind(d) == "Decl" and d.name == name)
        ctype: Any = self.types.get(name) or next((decl.type for decl in declared), None)
        extents: list[Any] = []
        while ctype is not None and is_pointer(self.parsed, ctype):
            array = resolved(self.parsed, ctype)
            extents.append(getattr(array, "dim", None))
            ctype = array.type
        depth = -1 if kind(node) == "UnaryOp" else 0
        inner = node.expr if kind(node) == "UnaryOp" else node
        while kind(inner) == "ArrayRef":
            inner, depth = inner.name, depth + 1
        if depth >= len(extents):
            return None
        rows = tuple(generated(each) for each in extents[depth + 1 :] if each is not None)
        element = ctype.type if kind(ctype) == "TypeDecl" else ctype
        is_struct = kind(resolved(self.parsed, ctype)) == "Struct"
        if kind(element) == "IdentifierType":
            return _Shape(" ".join(element.names), rows, is_struct)
        return _Shape(f"struct {element.name}", rows, True) if kind(element) == "Struct" and element.name else None

    def _counts(self, node: Any, size: str, shape: _Shape, array: str, is_bytes: bool) -> list[str]:
        """How many elements so many bytes are in each dimension, as text; empty where that is not clear."""
        whole = self._whole(node, size)
        rows = [self._spelled(each) for each in shape.rows]
        if whole is not None:
            return [whole, *rows]
        if rows:
            match = _TIMES_SIZE.fullmatch(size) or _SIZE_TIMES.fullmatch(size)
            what = "" if match is None else match.group("what").strip("() ")
            return [match.group("count"), *rows] if match is not None and what in (f"*{array}", f"{array}[0]") else []
        count = self._count(size, shape.element, array, is_bytes)
        return [] if count is None else [count]

    def _spelled(self, count: str) -> str:
        """An extent by the name that the function has for it."""
        return self.numbers.get(int(count), count) if count.isdigit() else count

    def _whole(self, node: Any, size: str) -> str | None:
        """The first extent of an array where `size` is that of all of it, as `sizeof a` of a local one; None else."""
        name = getattr(node, "name", "")
        match = re.fullmatch(r"sizeof\s*\(\s*(\w+)\s*\)|sizeof\s+(\w+)", size)
        if kind(node) != "ID" or match is None:
            return None
        measured = match.group(1) or match.group(2)
        if measured == name and name in self.types:
            array = resolved(self.parsed, self.types[name])
            is_sized = kind(array) == "ArrayDecl" and array.dim is not None
            return self._spelled(generated(array.dim)) if is_sized else None
        for decl in nodes_below(self.function.node):
            if kind(decl) != "Decl" or decl.name != name:
                continue
            array = resolved(self.parsed, decl.type)
            words = getattr(getattr(decl.type, "type", None), "names", None)
            is_local = measured == name and decl not in [each.node for each in self.function.parameters]
            if kind(array) != "ArrayDecl" or array.dim is None or not (is_local or words == [measured]):
                return None
            if kind(decl.type) == "ArrayDecl":
                opening = self.parsed.name_of(decl) + 1
                return self.parsed.slice(opening + 1, self.parsed.closing(opening) - 1)
            return self._spelled(generated(array.dim))
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


def _is_same(one: _Shape, other: _Shape | None) -> bool:
    """Whether elements of one array may be assigned to those of another with no change of their bytes."""
    if other is None or one.rows != other.rows:
        return False
    return {one.element, other.element} <= {*_BYTES} or _words(one.element) == _words(other.element)


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
