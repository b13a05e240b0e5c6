"""From preprocessed text to pycparser's tree, with every syntax error of the file.

pycparser stops at the first error.  The statement that it cannot read is blanked and the function is parsed again, for
its other errors; then its whole body is blanked and the rest is parsed.  A body with errors that holds a PENCIL
construct is an error of the user, and so is one that is no C for any compiler; otherwise it is host code in a dialect
that we do not know (GNU C), which is carried as text.  C++ and CUDA are named wherever they stop the parser.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import field
from typing import Any

from pencilc.diagnostics import fixes
from pencilc.diagnostics.diagnostic import Diagnostic, Fix, Severity, SourceErrors
from pencilc.diagnostics.source import SourceFile, Span
from pencilc.frontend.preprocess.positions import SourceMap
from pencilc.frontend.syntax import brackets, foreign
from pencilc.frontend.syntax.certain import Names, is_certain
from pencilc.frontend.syntax.lexing import HEADED, OPENING, Chunk, Token, Unbalanced, split_chunks, tokens
from pencilc.frontend.syntax.parser import parse_text
from pencilc.ir.snippets import operator_in
from pencilc.records import dataclass

_CONSTRUCT = re.compile(
    r"__pencil_(?:reduction|assume|kill|assert)\w*|^[ \t]*#[ \t]*pragma[ \t]+(?:scop|pencil)\b", re.M
)
_ASSEMBLY = re.compile(r"(?:asm|__asm|__asm__)\b")
# An operator of C's where the name of a function belongs.
_CPP_CAST = re.compile(r"(?:static|const|reinterpret)_cast\s*<([^<>()]*)>\s*\(")
_OPERATOR_ALONE = re.compile(r"__pencil_reduction\s*\(\s*&?\s*(\w+)[^;]*,\s*(&&|\|\||[-+*/&|^<>])(=?)\s*\)\s*;")
_OF_ANY_NAME = "write the name of a function of two values there: `T f(T a, T b)`"
_TWO_TYPES = "two types in one declaration"
_MAX_ERRORS = 20


@dataclass(frozen=True, slots=True)
class Syntax:
    """The tree, the chunks of the text, and what could not be read.

    `opaque` are the functions whose bodies are carried as text, with what stands in the way; `broken` those of them
    whose faults are among `errors`.
    """

    tree: Any
    chunks: tuple[Chunk, ...]
    opaque: dict[str, Diagnostic]
    errors: tuple[Diagnostic, ...] = ()
    broken: frozenset[str] = frozenset()


def parse_syntax(source_map: SourceMap, all_read: bool = False) -> Syntax:
    """Parse the preprocessed text; raises SourceErrors where faults outside of function bodies leave no tree.

    `all_read` says that all headers have been read as gcc reads them, so that an unknown name means nothing.
    """
    reader = _Reader(source_map, all_read)
    return reader.read()


def parse_expression(text: str) -> Any:
    """The pycparser tree of one expression, or None if `text` is none."""
    tree, failure = _parse(f"void f(void) {{ ({text}); }}")
    return None if failure else tree.ext[0].body.block_items[0]


def _parse(text: str) -> tuple[Any, Any]:
    return parse_text(text)


@dataclass(slots=True)
class _Reader:
    """The text, from which what cannot be read is blanked bit by bit, and what has been told of it."""

    map: SourceMap
    all_read: bool
    text: str = ""
    chunks: list[Chunk] = field(default_factory=list)
    opaque: dict[str, Diagnostic] = field(default_factory=dict)
    errors: list[Diagnostic] = field(default_factory=list)
    broken: set[str] = field(default_factory=set)
    untyped: dict[str, Diagnostic] = field(default_factory=dict)  # functions with parameters of no known type
    fatal: bool = False  # a declaration is lost, so that what follows would be told wrongly

    def read(self) -> Syntax:
        """The tree of everything that can be read; raises SourceErrors."""
        self.text = self.map.text
        self._quotes()
        try:
            self.chunks = split_chunks(self.text)
        except Unbalanced:
            self._brackets()
        while len(self.errors) < _MAX_ERRORS:
            tree, failure = _parse(self.text)
            if failure is None:
                if self.fatal:
                    break
                if self._without_untyped():
                    continue
                told = tuple(sorted(set(self.errors), key=lambda d: d.span))
                return Syntax(tree, tuple(self.chunks), self.opaque, told, frozenset(self.broken))
            if not self._without(failure):
                break
        raise SourceErrors(sorted(set(self.errors), key=lambda d: d.span))

    # ---- what does not balance -------------------------------------------------------------------------------

    def _quotes(self) -> None:
        """Strings that are not closed end their statement."""
        for each in brackets.unclosed_quotes(self.text)[:_MAX_ERRORS]:
            self._tell(each.offset, each.message)
            self.fatal = True
            end = self.text.find("\n", each.offset)
            end = len(self.text) if end < 0 else end
            # What follows in the line is lost; `0` and the end of the statement in its place keep the rest readable.
            whole = f"0{_missing(self.text, each.offset)};"
            rest = (whole if len(whole) <= end - each.offset else "0").ljust(end - each.offset)
            self.text = self.text[: each.offset] + rest + self.text[end:]

    def _brackets(self) -> None:
        found, self.text = brackets.unbalanced(self.text)
        for each in found:
            self._tell(each.offset, each.message)
        self.fatal = True
        try:
            self.chunks = split_chunks(self.text)
        except Unbalanced as error:
            self._tell(error.offset, str(error))
            raise SourceErrors(sorted(set(self.errors), key=lambda d: d.span)) from None

    # ---- what cannot be parsed -------------------------------------------------------------------------------

    def _without(self, failure: Any) -> bool:
        """Tell a failure, and blank what it stands in; False if there is nothing left to blank."""
        offset = _offset(self.text, failure.at_line, failure.at_column)
        chunk = _chunk_at(self.chunks, offset)
        if chunk is None or not self.text[chunk.start : chunk.end].strip():
            self.errors.append(self._diagnostic(failure))
            return False
        if chunk.body < 0 and _ASSEMBLY.match(self.text, chunk.start):
            self._blank(chunk.start, chunk.end)  # GNU C between functions, which is the host's
            return True
        is_told = any(each.message == failure.message for each in self.errors)
        if chunk.body >= 0 and (offset <= chunk.body or is_told) and self._with_stand_in(failure, chunk):
            return True
        if chunk.body < 0 or offset <= chunk.body:
            self.errors.append(self._diagnostic(failure))
            self.fatal = True
            self._blank(chunk.start, chunk.end)
            return True
        body = self.text[chunk.body : chunk.end]
        if not body.strip("{} \n"):
            self.errors.append(self._diagnostic(failure))
            return False
        diagnostic = self._diagnostic(failure)
        if _CONSTRUCT.search(body):
            self.broken.add(chunk.name)
            self._all_of(chunk, failure)
        elif foreign.in_line(self.text, offset):
            self.broken.add(chunk.name)
            self.errors.append(diagnostic)
        elif self._is_certain(self.text, chunk, failure):
            self.broken.add(chunk.name)
            self._all_of(chunk, failure, only_certain=True)
        self.opaque[chunk.name] = diagnostic
        self._blank(chunk.body + 1, chunk.end - 1)
        return True

    def _with_stand_in(self, failure: Any, chunk: Chunk) -> bool:
        """Tell a name in the head of a function that is no type, and read on with a type in its place."""
        name, at = failure.name, _offset(self.text, failure.line, failure.column)
        if failure.message != f"`{name}` is no type" or self.text[at : at + len(name)] != name:
            return False
        is_known = bool(failure.header) or 0 < len(failure.meant) <= len(name)
        stand_in = failure.meant if is_known and failure.meant else "int"
        if len(stand_in) > len(name):
            return False
        told = self._diagnostic(failure)
        if all(each.message != told.message for each in self.errors):
            self.errors.append(told)
        self.text = self.text[:at] + stand_in.ljust(len(name)) + self.text[at + len(name) :]
        if not is_known:
            self.untyped[chunk.name] = told
        return True

    def _without_untyped(self) -> bool:
        """Blank the bodies of functions that have parameters of no known type; whether there are any."""
        found = [chunk for chunk in self.chunks if chunk.name in self.untyped and chunk.name not in self.opaque]
        for chunk in found:
            self.opaque[chunk.name] = self.untyped[chunk.name]
            self.broken.add(chunk.name)
            self._blank(chunk.body + 1, chunk.end - 1)
        return bool(found)

    def _blank(self, start: int, end: int) -> None:
        self.text = self.text[:start] + _blank(self.text[start:end]) + self.text[end:]

    def _is_certain(self, text: str, chunk: Chunk, failure: Any) -> bool:
        """Whether what stops the parser in the body of `chunk` is no C for any compiler."""
        if not failure.is_plain:
            return False
        stream = [t for t in tokens(text[: chunk.end], chunk.body) if t.kind != "pragma"]
        names = Names({chunk.name: False, **failure.declared}, self.all_read)
        return is_certain(stream, _offset(text, failure.at_line, failure.at_column), names)

    def _all_of(self, chunk: Chunk, failure: Any, only_certain: bool = False) -> None:
        """Tell all that is wrong with the body of `chunk`: statement by statement, with all other bodies empty.

        What `only_certain` leaves out may be GNU C, behind which the parser would stop for no reason of the user's.
        """
        text = self.text
        for other in self.chunks:
            if other.body >= 0 and other is not chunk:
                text = f"{text[: other.body]}{{{_blank(text[other.body + 1 : other.end - 1])}}}{text[other.end :]}"
        while failure is not None and len(self.errors) < _MAX_ERRORS:
            if only_certain and not self._is_certain(text, chunk, failure):
                return
            self.errors.append(self._diagnostic(failure))
            offset = _offset(text, failure.at_line, failure.at_column)
            if not chunk.body < offset < chunk.end:
                return
            shorter = _without_statement(text, chunk, offset)
            if shorter == text:
                return
            text = shorter
            failure = _parse(text)[1]

    def _diagnostic(self, failure: Any) -> Diagnostic:
        offset = _offset(self.text, failure.at_line, failure.at_column)
        if named := foreign.in_line(self.text, offset):
            place = self._span(named.offset)
            file = SourceFile(place.path, self.map.files.get(place.path, ""))
            cast = _CPP_CAST.match(file.line(place.line), place.column - 1)
            edits = [] if cast is None else [fixes.replaced(file, place, cast.group(), f"({cast.group(1)})(")]
            cure = fixes.fix(f"write `({cast.group(1)})(…)`", edits) if cast is not None else None
            helps = ("write its type, as in `int i`",) if named.message.startswith("`auto`") else ()
            cures = () if cure is None else (cure,)
            return Diagnostic(Severity.ERROR, "PC0001", named.message, place, helps=helps, fixes=cures)
        start = self.text.rfind("\n", 0, offset) + 1
        operator = _OPERATOR_ALONE.search(self.text, start, offset + 8)
        if operator is not None and operator.start(2) <= offset <= operator.end():
            return self._operator_alone(operator)
        span = self.map.span(failure.line, failure.column)
        if failure.message.startswith(_TWO_TYPES) and (end := _end_of_members(self.text, offset)) is not None:
            return self._with_missing("expected `;` behind `}`", self._span(end), ";")
        if failure.missing:
            return self._with_missing(failure.message, span, failure.missing)
        file = SourceFile(span.path, self.map.files.get(span.path, ""))
        made: Fix | None = None
        if failure.header:
            made = fixes.fix(f"add `#include <{failure.header}>`", [fixes.header_included(file, failure.header)])
        elif failure.meant:
            edit = fixes.replaced(file, span, failure.name, failure.meant)
            made = fixes.fix(f"did you mean `{failure.meant}`?", [edit])
        return Diagnostic(Severity.ERROR, "PC0001", failure.message, span, fixes=() if made is None else (made,))

    def _with_missing(self, message: str, span: Span, missing: str) -> Diagnostic:
        """What is missing behind the token at `span`, with the fix that writes it."""
        file = SourceFile(span.path, self.map.files.get(span.path, ""))
        made = fixes.fix(f"write `{missing}` there", [fixes.inserted(file, span, span.end_column, missing)])
        return Diagnostic(Severity.ERROR, "PC0001", message, span, fixes=() if made is None else (made,))

    def _operator_alone(self, found: re.Match[str]) -> Diagnostic:
        """`+` where the name of an operator belongs: the function to name, and to add where the file has none."""
        variable, sign = found.group(1), found.group(2)
        span = self._span(found.start(2))
        written = sign + found.group(3)
        message = f"`{written}` is no function: the operator of a reduction is the name of one"
        chunk = _chunk_at(self.chunks, found.start())
        ctype = _declared_type(self.map.text[chunk.start : found.start()], variable) if chunk is not None else ""
        if sign not in ("+", "*", "&", "|", "^", "&&", "||") or chunk is None or not ctype:
            return Diagnostic(Severity.ERROR, "PC0001", message, span, helps=(_OF_ANY_NAME,))
        file = SourceFile(span.path, self.map.files.get(span.path, ""))
        helper = operator_in(file.text, sign, ctype)
        edits = [fixes.replaced(file, span, written, helper.name)]
        if helper.definition:
            start = chunk.start + len(self.text[chunk.start :]) - len(self.text[chunk.start :].lstrip())
            edits.append(fixes.line_before(file, self._span(start), helper.definition, indented=False))
        made = fixes.fix(f"write `{helper.name}` instead{helper.added}", edits)
        return Diagnostic(Severity.ERROR, "PC0001", message, span, fixes=() if made is None else (made,))

    def _tell(self, offset: int, message: str) -> None:
        self.errors.append(Diagnostic(Severity.ERROR, "PC0001", message, self._span(offset)))

    def _span(self, offset: int) -> Span:
        text = self.map.text
        return self.map.span(text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset))


# ---- statements --------------------------------------------------------------------------------------------


def _without_statement(text: str, chunk: Chunk, offset: int) -> str:
    """`text` with the statement of the body of `chunk` that holds `offset` blanked."""
    stream = [t for t in tokens(text[: chunk.end], chunk.body + 1) if t.kind != "pragma"]
    start = _statement_start(stream, offset)
    if start is None:
        return text
    first = stream[start]
    if first.text in HEADED and start + 1 < len(stream) and stream[start + 1].text == "(":
        end = _closing(stream, start + 1)
        if end is not None and offset <= stream[end].end and stream[end].end - first.start >= 5:
            endless = "for(;;)" if first.text != "if" and stream[end].end - first.start >= 7 else "if(1)"
            return _replaced(text, first.start, stream[end].end, endless)
    braces = _initialisers(stream)
    depth = 0
    for k, token in enumerate(stream[start:], start):
        depth += _deeper(token, k in braces)
        if (token.text == ";" and depth <= 0 and token.end > offset) or (
            token.text in "{}" and k not in braces and token.start >= offset and token.start > first.start
        ):
            end_offset = token.end if token.text == ";" else token.start
            return _replaced(text, first.start, end_offset, ";")
    return text


def _end_of_members(text: str, offset: int) -> int | None:
    """The offset of the `}` of the struct, union or enum whose tag or `{` stands at `offset`."""
    opening = re.compile(r"\w*\s*\{").match(text, offset)
    depth = 0
    for token in tokens(text, opening.end() - 1) if opening else ():
        depth += {"{": 1, "}": -1}.get(token.text, 0)
        if depth == 0:
            return token.start
    return None


def _declared_type(text: str, name: str) -> str:
    """The built-in type of the variable `name` that the beginning of a function declares; empty if there is none."""
    words = r"(?:unsigned|signed|long|short|char|int|float|double)"
    others = r"(?:\w+(?:\s*\[[^\]]*\])?(?:\s*=[^,;]*)?\s*,\s*)*"
    found = re.findall(rf"\b({words}(?:\s+{words})*|\w+_t)\s+{others}{re.escape(name)}\s*[;,=\[)]", text)
    return str(found[-1]) if found else ""


def _missing(text: str, offset: int) -> str:
    """What closes the parentheses and brackets of a statement that are open at `offset`."""
    missing: list[str] = []
    for token in tokens(text[:offset]):
        if token.text in (";", "{", "}"):
            missing.clear()
        elif token.text in OPENING:
            missing.append(OPENING[token.text])
        elif missing and token.text == missing[-1]:
            missing.pop()
    return "".join(reversed(missing))


def _statement_start(stream: Sequence[Token], offset: int) -> int | None:
    """The token that begins the statement at `offset`: behind the last `;`, `{` or `}` outside of parentheses."""
    braces = _initialisers(stream)
    start, depth = 0, 0
    for k, token in enumerate(stream):
        if token.start >= offset:
            break
        depth += _deeper(token, k in braces)
        if (token.text in ("{", "}") and k not in braces) or (token.text == ";" and depth <= 0):
            start, depth = k + 1, 0
    return start if start < len(stream) and stream[start].start <= offset else None


def _initialisers(stream: Sequence[Token]) -> set[int]:
    """The positions of the braces around initial values, and of those inside of them."""
    found: set[int] = set()
    depth = 0
    for k, token in enumerate(stream):
        if token.text == "{" and (depth or (k and stream[k - 1].text == "=")):
            depth += 1
            found.add(k)
        elif token.text == "}" and depth:
            depth -= 1
            found.add(k)
    return found


def _deeper(token: Token, is_initialiser: bool) -> int:
    """By how much a token goes deeper into a statement."""
    if token.text in ("(", "["):
        return 1
    if token.text in (")", "]"):
        return -1
    return (1 if token.text == "{" else -1) if is_initialiser else 0


def _closing(stream: Sequence[Token], start: int) -> int | None:
    depth = 0
    for k in range(start, len(stream)):
        depth += {"(": 1, ")": -1}.get(stream[k].text, 0)
        if depth == 0:
            return k
    return None


def _replaced(text: str, start: int, end: int, new: str) -> str:
    """`text` with a piece replaced by `new` and white space of the same shape."""
    old = text[start:end]
    line = old.split("\n", 1)[0]
    if len(line) < len(new):
        return text
    return text[:start] + new + _blank(old[len(new) :]) + text[end:]


def _chunk_at(chunks: Sequence[Chunk], offset: int) -> Chunk | None:
    for chunk in chunks:
        if offset < chunk.end:
            return chunk
    return chunks[-1] if chunks else None


def _offset(text: str, line: int, column: int) -> int:
    position = 0
    for _ in range(line - 1):
        found = text.find("\n", position)
        if found < 0:
            return len(text)
        position = found + 1
    return position + column - 1


def _blank(text: str) -> str:
    return re.sub(r"[^\n]", " ", text)
