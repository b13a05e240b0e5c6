"""What all parts of the translation of one file share: scopes, spans, and the diagnostics so far."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import field, replace
from typing import Any, TypeAlias

from pencilc.diagnostics import fixes
from pencilc.diagnostics.diagnostic import Diagnostic, Edit, Fix, Label, Severity
from pencilc.diagnostics.source import UNKNOWN_SPAN, SourceFile, Span
from pencilc.frontend.preprocess.run import Preprocessed
from pencilc.frontend.syntax.lexing import Chunk
from pencilc.frontend.syntax.nodes import declared_values
from pencilc.frontend.syntax.tree import Syntax
from pencilc.ir.source import CType, Struct, Symbol
from pencilc.records import dataclass


class Refused(Exception):
    """The construct at hand is in error and has been reported; go on with the next statement."""


@dataclass(frozen=True, slots=True)
class TypeName:
    """A typedef: resolved when first used, so that host-only types need not be ours."""

    node: Any


@dataclass(frozen=True, slots=True)
class EnumConstant:
    """An enumeration constant."""

    value: int


@dataclass(frozen=True, slots=True)
class OuterVariable:
    """A variable of a host function, seen from a region in it; a symbol is made when it is first used.

    `function` is the host function if the variable is a parameter of it.
    """

    node: Any
    only_counter: bool
    function: Any = None


@dataclass(frozen=True, slots=True)
class Poisoned:
    """A variable whose declaration was refused: its uses draw no further errors."""


Entry: TypeAlias = Symbol | TypeName | EnumConstant | OuterVariable | Poisoned


@dataclass(slots=True)
class Scope:
    """Names (variables, typedefs, enumeration constants) and tags visible at a point."""

    parent: Scope | None = None
    names: dict[str, Entry] = field(default_factory=dict)
    tags: dict[str, Any] = field(default_factory=dict)

    def lookup(self, name: str) -> Entry | None:
        """The innermost meaning of `name`."""
        scope: Scope | None = self
        while scope is not None:
            if name in scope.names:
                return scope.names[name]
            scope = scope.parent
        return None

    def chain(self) -> Iterator[Scope]:
        """This scope and those around it, the innermost first."""
        scope: Scope | None = self
        while scope is not None:
            yield scope
            scope = scope.parent

    def lookup_tag(self, tag: str) -> Any:
        """The innermost definition of a struct, union or enum tag, or None."""
        scope: Scope | None = self
        while scope is not None:
            if tag in scope.tags:
                return scope.tags[tag]
            scope = scope.parent
        return None


# What translating a piece of a function may change in the context of the file.
_CHANGED = (
    "diagnostics", "structs", "used_globals", "types", "typedef_names", "operators", "inits", "lost_inits",
    "_reported", "_undeclared", "late", "mistyped",
)  # fmt: skip


@dataclass(slots=True)
class FileContext:
    """The file being translated; the one mutable object of the front end."""

    preprocessed: Preprocessed
    syntax: Syntax
    scope: Scope = field(default_factory=Scope)
    diagnostics: list[Diagnostic] = field(default_factory=list)
    definitions: dict[str, Any] = field(default_factory=dict)  # FuncDef by name
    prototypes: dict[str, Any] = field(default_factory=dict)  # Decl of FuncDecl type by name
    globals: dict[str, Any] = field(default_factory=dict)  # Decl by name
    structs: dict[int, Struct] = field(default_factory=dict)  # by id of the pycparser node
    used_globals: dict[str, Symbol] = field(default_factory=dict)
    types: dict[int, CType] = field(default_factory=dict)  # by id of a typedef's node
    summaries: dict[str, str] = field(default_factory=dict)
    pure: set[str] = field(default_factory=set)  # functions whose attribute says that they only return a value
    packed: dict[tuple[int, int], str] = field(default_factory=dict)  # lines in which something changes layouts
    typedef_names: dict[int, str] = field(default_factory=dict)  # by id of the struct that a typedef defines
    operators: dict[str, Span] = field(default_factory=dict)  # where each reduction operator is first used
    inits: dict[str, Span] = field(default_factory=dict)  # where each init function is first used
    lost_inits: set[Span] = field(default_factory=set)  # declarations of variables whose initialisations are in error
    late: set[tuple[str, str]] = field(default_factory=set)  # functions, and what they use before its declaration
    mistyped: dict[Span, int] = field(default_factory=dict)  # which diagnostic tells that init is of another type
    misspelt_builtins: set[str] = field(default_factory=set)  # those that were meant
    identifiers: frozenset[str] = frozenset()
    _function_lines: dict[tuple[str, int], Chunk] = field(default_factory=dict)  # by path and line
    _initialized: dict[int, int] = field(default_factory=dict)  # elements that initialisers give, by id of their nodes
    _elements: int = 0  # of all of them
    _reported: set[tuple[str, Span, str]] = field(default_factory=set)
    _undeclared: dict[tuple[str, str], int] = field(default_factory=dict)  # which of the diagnostics tells of it
    _values: frozenset[str] | None = None

    def __post_init__(self) -> None:
        self.identifiers = frozenset(re.findall(r"[A-Za-z_]\w*", self.preprocessed.text))

    def names_of_values(self) -> frozenset[str]:
        """The names of all functions, variables, parameters and enumeration constants of the file."""
        if self._values is None:
            self._values = frozenset(declared_values(self.syntax.tree))
        return self._values

    @contextmanager
    def trial(self) -> Iterator[Callable[[], list[Diagnostic]]]:
        """Translate something on trial: afterwards everything is as before; yields what has been reported so far."""
        kept = {name: getattr(self, name) for name in _CHANGED}
        for name, value in kept.items():
            setattr(self, name, value.copy())
        count = len(self.diagnostics)
        try:
            yield lambda: self.diagnostics[count:]
        finally:
            for name, value in kept.items():
                setattr(self, name, value)

    def count_initialized(self, node: Any, elements: int) -> int:
        """How many elements the initialisers of the file give, with those of `node`, which may be translated again."""
        self._elements += elements - self._initialized.get(id(node), 0)
        self._initialized[id(node)] = elements
        return self._elements

    def span(self, node: Any) -> Span:
        """Where a pycparser node begins; its first child's place if it has none itself."""
        coord = getattr(node, "coord", node)
        if coord is None or not hasattr(coord, "line"):
            for _, child in node.children() if hasattr(node, "children") else ():
                if (found := self.span(child)) != UNKNOWN_SPAN:
                    return found
            return UNKNOWN_SPAN
        return self.preprocessed.map.span(coord.line, coord.column or 1)

    def offset(self, node: Any) -> int:
        """The offset in the preprocessed text at which a node begins."""
        lines = self.preprocessed.map.output_lines
        coord = node.coord
        return sum(len(x) + 1 for x in lines[: coord.line - 1]) + (coord.column or 1) - 1

    def path_of(self, node: Any) -> str:
        """The file a pycparser node stands in."""
        return self.preprocessed.map.path_of(node.coord.line)

    def report(
        self,
        severity: Severity,
        code: str,
        message: str,
        where: Any,
        label: str = "",
        secondary: Iterable[tuple[Any, str]] = (),
        notes: Iterable[str] = (),
        helps: Iterable[str] = (),
        remedies: Iterable[Fix | None] = (),
    ) -> None:
        """Keep a diagnostic; the same one at the same place is kept once.

        `remedies` may hold None for what cannot be told as edits.
        """
        span = where if isinstance(where, Span) else self.span(where)
        secondary = (*secondary, *self._macro_at(span))
        if (code, span, message) in self._reported:
            return
        self._reported.add((code, span, message))
        labels = tuple(Label(w if isinstance(w, Span) else self.span(w), text) for w, text in secondary)
        known = tuple(fix for fix in remedies if fix is not None)
        told = Diagnostic(severity, code, message, span, label, labels, tuple(notes), tuple(helps), known)
        self.diagnostics.append(told)

    def error(self, code: str, message: str, where: Any, label: str = "", **more: Any) -> None:
        """Report an error and go on."""
        self.report(Severity.ERROR, code, message, where, label, **more)

    def warn(self, code: str, message: str, where: Any, label: str = "", **more: Any) -> None:
        """Report a warning."""
        self.report(Severity.WARNING, code, message, where, label, **more)

    def refuse(self, code: str, message: str, where: Any, label: str = "", **more: Any) -> Refused:
        """Report an error and return the exception that leaves the construct."""
        self.error(code, message, where, label, **more)
        return Refused()

    def undeclared(self, name: str, function: str, where: Any, **more: Any) -> Refused:
        """Report an undeclared name, once for each function."""
        key, count = (function, name), len(self.diagnostics)
        if key in self._undeclared:
            self._also_renamed(self._undeclared[key], name, where)
            return Refused()
        self.error("PC0010", f"`{name}` is not declared", where, **more)
        if len(self.diagnostics) > count:
            self._undeclared[key] = count
        return Refused()

    def _also_renamed(self, index: int, name: str, where: Any) -> None:
        """Let the fix that renames `name`, where the diagnostic has one, reach another of its uses."""
        told, span = self.diagnostics[index], where if isinstance(where, Span) else self.span(where)
        if not told.fixes or told.fixes[0].edits[0].span.column == told.fixes[0].edits[0].span.end_column:
            return
        first, *others = told.fixes
        edit = fixes.replaced(self.file_of(span), span, name, first.edits[0].text)
        if edit is not None and edit not in first.edits:
            longer = replace(first, edits=(*first.edits, edit))
            self.diagnostics[index] = replace(told, fixes=(longer, *others))

    def _macro_at(self, span: Span) -> tuple[tuple[Span, str], ...]:
        """The definition of the macro that stands at `span`, out of which comes what is told."""
        line = self.file_of(span).line(span.line)
        word = line[span.column - 1 : span.end_column - 1]
        macro = self.preprocessed.macros.get(word) if word else None
        if macro is None or macro.span.line == span.line:
            return ()
        return ((macro.span, f"`{word}` is this macro"),)

    def function_at(self, span: Span) -> Chunk | None:
        """The function in whose text `span` stands."""
        if not self._function_lines:
            self._find_function_lines()
        return self._function_lines.get((span.path, span.line))

    def _find_function_lines(self) -> None:
        """Which function each line of the files is a part of; the first one where two share a line."""
        text, origins = self.preprocessed.text, self.preprocessed.map.origins
        line, at = 0, 0
        for chunk in self.syntax.chunks:
            first = line + text.count("\n", at, chunk.start)
            line, at = first + text.count("\n", chunk.start, chunk.end), chunk.end
            for origin in origins[first : line + 1] if chunk.body >= 0 else ():
                self._function_lines.setdefault((origin.path, origin.line), chunk)

    def end_of_function(self, span: Span) -> Span | None:
        """The place of the `}` that ends the function that holds `span`."""
        chunk = self.function_at(span)
        if chunk is None:
            return None
        return self.place(chunk.end - 1)

    def place(self, offset: int) -> Span:
        """Where an offset of the preprocessed text stands in the files."""
        text = self.preprocessed.text
        return self.preprocessed.map.span(text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset))

    def before_function(self, span: Span, text: str) -> Edit | None:
        """`text` as a line in front of the function that holds `span`."""
        chunk = self.function_at(span)
        if chunk is None:
            return None
        start = self.place(chunk.start)
        file = self.file_of(start)
        if "__attribute" in file.line(start.line - 1):
            return None
        return fixes.line_before(file, start, text, indented=False)

    def renamed(self, where: Any, old: str, new: str, text: str = "") -> Fix | None:
        """The fix that writes `new` for `old`, which stands at `where`."""
        span = where if isinstance(where, Span) else self.span(where)
        return fixes.fix(text or f"did you mean `{new}`?", [fixes.replaced(self.file_of(span), span, old, new)])

    def including(self, where: Any, header: str) -> Fix | None:
        """The fix that includes `header` in the file of `where`."""
        span = where if isinstance(where, Span) else self.span(where)
        return fixes.fix(f"add `#include <{header}>`", [fixes.header_included(self.file_of(span), header)])

    def file_of(self, span: Span) -> SourceFile:
        """The file that `span` points into, as it was read; an empty one if it was none."""
        return SourceFile(span.path, self.preprocessed.map.files.get(span.path, ""))
