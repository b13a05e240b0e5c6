"""The C host file: the input's own text with entry functions and regions taken out.

Before: `float dot(int n, …) { … }  int main(void) { …  #pragma scop … #pragma endscop … }`
After:  `float dot(int n, …);  void main_scop0(…);  int main(void) { … { main_scop0(…); } … }`

Everything else stays as the user wrote it.  Where a region stands in an included file there is no
such text; the host file is then the preprocessed text of the user's files, with `#line`.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from functools import cached_property
from typing import Any

from pencilc.frontend.context import FileContext
from pencilc.frontend.regions.classify import Classified
from pencilc.frontend.regions.outline import Outlined
from pencilc.frontend.syntax.lexing import Chunk, tokens
from pencilc.ir.source import Region, TranslationUnit
from pencilc.records import dataclass

_MACRO = re.compile(r"[ \t]*#[ \t]*define\b")
_NAME = re.compile(r"[A-Za-z_]\w*")
_WORD = re.compile(r"\w+|[^\w\s]")


@dataclass(frozen=True, slots=True)
class _Edit:
    """Replace offsets `start:end` of the preprocessed text by `text`; a `region` may stand inside a line."""

    start: int
    end: int
    text: str
    region: bool = False


def with_host_text(
    context: FileContext, unit: TranslationUnit, classified: list[Classified], outlined: list[Outlined]
) -> TranslationUnit:
    """`unit` with its host text, if the input holds more than entry functions, types and helpers."""
    maker = _HostText(context, unit, classified, outlined)
    has_main = "main" in maker.defining
    return replace(unit, host_text=maker.text(), has_main=has_main) if maker.is_needed() else unit


class _HostText:
    def __init__(
        self, context: FileContext, unit: TranslationUnit, classified: list[Classified], outlined: list[Outlined]
    ) -> None:
        self.context = context
        self.unit = unit
        self.outlined = outlined
        self.main_path = unit.file.path
        self.line_starts = _line_starts(unit.file.text)
        self.output_starts = _line_starts(context.preprocessed.text)
        self.entries: dict[str, Region] = {r.function: r for r in unit.regions if not r.outlined}
        self.reached = {f.name: f for f in unit.functions if f.name not in self.entries}
        self.chunks = [c for c in context.syntax.chunks if not self._path(c.start).startswith("<pencilc>/")]
        self.named: dict[str, list[Chunk]] = {}
        for chunk in self.chunks:
            self.named.setdefault(chunk.name, []).append(chunk)
        self.defining = {c.name: c for c in reversed(context.syntax.chunks) if c.body >= 0}

    # ---- is there anything for the host? ---------------------------------------------------------

    def is_needed(self) -> bool:
        """Whether the input holds more than entry functions, types, constants and helpers."""
        opaque = (self.defining[name] for name in self.context.syntax.opaque)
        if self.outlined or any(self._path(chunk.start) == self.main_path for chunk in opaque):
            return True
        summaries = {summary for _, summary in self.unit.summaries}
        for name, node in self.context.definitions.items():
            reached = self.reached.get(name)
            kept = reached is not None and not (reached.is_static or reached.is_exported or name in summaries)
            if kept:
                return True
            if name in self.entries or reached is not None or not self._is_of_user(node.decl):
                continue
            is_local = "static" in node.decl.storage or "inline" in node.decl.funcspec
            if not is_local or (self.context.path_of(node.decl) == self.main_path and self._used_by_host(name)):
                return True
        return any(self._is_host_global(node) for node in self.context.globals.values())

    def _used_by_host(self, name: str) -> bool:
        return self.counts[name] > self._count_in(name, self.defining[name])

    @cached_property
    def counts(self) -> Counter[str]:
        """How often each name stands in the preprocessed text."""
        return _name_counts(self.context.preprocessed.text)

    def _count_in(self, name: str, chunk: Chunk) -> int:
        return _name_counts(self.context.preprocessed.text[chunk.start : chunk.end])[name]

    def _is_of_user(self, node: Any) -> bool:
        """Whether a declaration stands in the file or in one that it includes, as opposed to pencilc's own headers."""
        return not self.context.path_of(node).startswith("<pencilc>/")

    def _is_host_global(self, node: Any) -> bool:
        if not self._is_of_user(node) or "extern" in node.storage:
            return False
        if self.context.path_of(node) != self.main_path and "static" in node.storage:
            return False
        inner = node.type
        while type(inner).__name__ == "ArrayDecl":
            inner = inner.type
        return "const" not in (node.quals or ()) and "const" not in (getattr(inner, "quals", None) or ())

    # ---- the edits -------------------------------------------------------------------------------

    def text(self) -> str:
        """The host file."""
        edits = [*self._entry_edits(), *self._region_edits(), *self._helper_edits()]
        result = self._apply(edits)
        # A static helper that only regions used would be an unused function there.
        statics = {n for n in self.reached if "static" in self.context.definitions[n].decl.storage}
        while unused := self._unused(statics, result, self._is_all_literal(edits)):
            statics -= unused
            edits += [edit for name in unused for edit in self._removals(name)]
            result = self._apply(edits)
        return self._rename(result)

    def _entry_edits(self) -> Iterable[_Edit]:
        for chunk in self.chunks:
            region = self.entries.get(chunk.name)
            if region is None or not _is_function(self, chunk):
                continue
            if region.is_static:
                text = region.prototype.of(region.name) + ";" if chunk.body >= 0 else ""
                yield _Edit(chunk.start, chunk.end, text)
            elif chunk.body >= 0:
                yield self._to_prototype(chunk)

    def _helper_edits(self) -> Iterable[_Edit]:
        """The CUDA file defines the helpers that it exports."""
        for chunk in self.chunks:
            reached = self.reached.get(chunk.name)
            if chunk.body >= 0 and reached is not None and reached.is_exported:
                yield self._to_prototype(chunk)

    def _to_prototype(self, chunk: Chunk) -> _Edit:
        text = self.context.preprocessed.text
        end = chunk.body
        while text[end - 1].isspace():
            end -= 1
        return _Edit(end, chunk.end, ";")

    def _region_edits(self) -> Iterable[_Edit]:
        text = self.context.preprocessed.text
        for each in self.outlined:
            place, chunk = each.place, self.defining[each.region.function]
            yield _Edit(chunk.start, chunk.start, each.region.prototype.of(each.region.name) + ";\n")
            pad = ""
            if place.start == text.rfind("\n", 0, place.start) + 1 and place.first < place.last:
                first = place.compound.block_items[place.first]
                line = self.context.preprocessed.map.output_lines[first.coord.line - 1]
                pad = line[: len(line) - len(line.lstrip())]
            yield _Edit(place.start, place.end, pad + each.call, region=True)

    def _unused(self, names: set[str], text: str, is_literal: bool) -> set[str]:
        """Those of some functions that nothing in the host text names but what is cut out of it with them.

        `is_literal`: it is made of the file itself, from which what a macro made cannot be cut out.
        """
        counts = _name_counts(text)
        found: set[str] = set()
        pending = list(names)
        while pending:
            name = pending.pop()
            if name in found or counts[name] > self.own_counts[name]:
                continue
            found.add(name)
            for edit in self._removals(name):
                inside = _name_counts(self._cut_out(edit, is_literal))
                counts.subtract(inside)
                pending += names & inside.keys()
        return found

    def _removals(self, name: str) -> list[_Edit]:
        """What takes a function out of the main file; those of headers stay where they are."""
        return [
            _Edit(chunk.start, chunk.end, "")
            for chunk in self.named.get(name, ())
            if _is_function(self, chunk) and self._path(chunk.start) == self.main_path
        ]

    def _cut_out(self, edit: _Edit, is_literal: bool) -> str:
        if not is_literal:
            return self.context.preprocessed.text[edit.start : edit.end]
        if not self._is_literal(edit):
            return ""
        return self.unit.file.text[self._original(edit.start) : self._original_end(edit)]

    @cached_property
    def own_counts(self) -> Counter[str]:
        """How often each function names itself."""
        own: Counter[str] = Counter()
        for chunk in self.chunks:
            if _is_function(self, chunk):
                own[chunk.name] += self._count_in(chunk.name, chunk)
        return own

    # ---- applying them ---------------------------------------------------------------------------

    def _apply(self, edits: list[_Edit]) -> str:
        ordered = sorted(set(edits), key=lambda e: (e.start, e.end, e.text))
        if self._is_all_literal(ordered):
            original = self.unit.file.text
            moved = [_Edit(self._original(e.start), self._original_end(e), e.text) for e in ordered]
            return _replace_all(original, moved)
        return self._preprocessed_text(ordered)

    def _is_all_literal(self, edits: list[_Edit]) -> bool:
        """Whether all edits can be made in the main file itself."""
        return all(self._path(e.start) == self.main_path and self._is_literal(e) for e in edits)

    def _is_literal(self, edit: _Edit) -> bool:
        """Whether both ends of an edit stand in the file as they are; what a macro made cannot be cut out of it."""
        ends = [edit.start] if edit.start == edit.end else [edit.start, edit.end - 1]
        for offset in ends:
            word = _WORD.match(self.context.preprocessed.text, offset)
            if word is None:
                continue  # White space; the token before it counts.
            here = self._original(offset)
            if not self.unit.file.text.startswith(word.group(), here):
                return False
            if edit.region and offset == edit.start and not self._same_before(offset, here):
                return False
        return True

    def _same_before(self, offset: int, here: int) -> bool:
        """Whether the same tokens stand before an offset and before its place in the file, on their lines."""
        text, original = self.context.preprocessed.text, self.unit.file.text
        left = text[text.rfind("\n", 0, offset) + 1 : offset]
        right = original[original.rfind("\n", 0, here) + 1 : here]
        return [t.text for t in tokens(left)] == [t.text for t in tokens(right)]

    def _path(self, offset: int) -> str:
        return self.context.preprocessed.map.path_of(self._line(offset))

    def _line(self, offset: int) -> int:
        """The line of the preprocessed text, from 1, in which an offset stands."""
        return bisect_right(self.output_starts, offset)

    def _original(self, offset: int) -> int:
        """The offset in the main file of a token at `offset` of the preprocessed text."""
        source_map = self.context.preprocessed.map
        text = source_map.text
        start = text.rfind("\n", 0, offset) + 1
        line = self._line(offset)
        if offset == start or text[offset : offset + 1] in ("\n", ""):
            origin = source_map.origins[min(line, len(source_map.origins)) - 1]
            first = self.line_starts[origin.line - 1]
            return first if offset == start else first + len(source_map.original_line(origin))
        if text[offset].isspace() and text[offset - 1] == ")":
            # White space is no token and cannot be looked up; a prototype ends behind the bracket before it.
            return self._original(offset - 1) + 1
        span = source_map.span(line, offset - start + 1)
        return self.line_starts[span.line - 1] + span.column - 1

    def _original_end(self, edit: _Edit) -> int:
        if edit.end == edit.start:
            return self._original(edit.start)
        text = self.context.preprocessed.text
        if text[edit.end : edit.end + 1] == "\n" and text[edit.end - 1] not in ";}":
            return self._original(edit.end)
        return self._original(edit.end - 1) + 1

    def _preprocessed_text(self, edits: list[_Edit]) -> str:
        source_map = self.context.preprocessed.map
        marked = _replace_all(
            source_map.text, [replace(e, text=e.text.replace("\n", " ")) for e in edits], keep_lines=True
        )
        out: list[str] = []
        expected: tuple[str, int] | None = None
        for text, origin in zip(marked.split("\n"), source_map.origins, strict=False):
            if origin.path.startswith("<pencilc>/"):
                name = origin.path.removeprefix("<pencilc>/").removeprefix("libc/")
                if f"#include <{name}>" not in out:
                    out.append(f"#include <{name}>")
                expected = None
            elif text.strip():
                if expected != (origin.path, origin.line):
                    out.append(f'#line {origin.line} "{origin.path}"')
                out.append(text.rstrip())
                expected = (origin.path, origin.line + 1)
        return "\n".join(out) + "\n"

    def _rename(self, text: str) -> str:
        """Static entry functions got a name of their own, under which the host calls them."""
        names = {r.function: r.name for r in self.entries.values() if r.is_static}
        if not names:
            return text
        parts, position, previous = [], 0, ""
        for token in tokens(text):
            if token.kind == "name" and token.text in names and previous not in (".", "->"):
                parts += [text[position : token.start], names[token.text]]
                position = token.end
            previous = token.text
        return "".join(parts) + text[position:]


def _is_function(maker: _HostText, chunk: Chunk) -> bool:
    """Whether a chunk defines or declares the function it is named after."""
    return chunk.body >= 0 or chunk.name in maker.context.prototypes


def _line_starts(text: str) -> list[int]:
    return [0, *(match.end() for match in re.finditer("\n", text))]


def _name_counts(text: str) -> Counter[str]:
    """How often each name stands in a text, what its macros are made of included."""
    counts: Counter[str] = Counter()
    for token in tokens(text):
        if token.kind == "name":
            counts[token.text] += 1
        elif token.kind == "pragma" and _MACRO.match(token.text):
            counts.update(_NAME.findall(token.text))
    return counts


def _replace_all(text: str, edits: list[_Edit], keep_lines: bool = False) -> str:
    parts, position = [], 0
    for edit in edits:
        parts += [text[position : edit.start], edit.text]
        if keep_lines:
            parts.append("\n" * text.count("\n", edit.start, edit.end))
        position = max(position, edit.end)
    return "".join(parts) + text[position:]
