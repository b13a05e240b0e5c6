"""The source and the CUDA file as lines that know each other, in pieces that fold.

Which line of the CUDA file does the work of which of the source is what the printer says (codegen/marks.py).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from collections.abc import Sequence as Seq
from dataclasses import replace
from pathlib import PurePath
from typing import TypeAlias

from markupsafe import Markup, escape

from pencilc.codegen.marks import Piece, PlacedText
from pencilc.diagnostics.source import SourceFile
from pencilc.driver import Compilation
from pencilc.ir.mapping import leaves, name_of
from pencilc.records import dataclass
from pencilc.report.text import lines_text

TONES = 8
_FOLDED = 6  # a run of more lines without a link is folded
_UNFOLDED = 12  # functions of the CUDA file that are not
_NEAR = 2  # lines around a link that are not
_Place: TypeAlias = tuple[str, int]  # a line of the source: its file and number


@dataclass(frozen=True, slots=True)
class ShownLine:
    """A line with its number; `anchor` names it in the page, `partner` is that of a line on the other side.

    `source` is the anchor of the line of the source that both stand for, `tone` the colour that they share.
    """

    number: int
    text: Markup
    anchor: str
    partner: str = ""
    source: str = ""
    tone: str = ""


@dataclass(frozen=True, slots=True)
class ShownBlock:
    """Lines under a title that folds them; `anchor` names it in the page."""

    title: str
    note: str
    is_open: bool
    lines: tuple[ShownLine, ...]
    anchor: str = ""


@dataclass(frozen=True, slots=True)
class ShownFile:
    """A file of the source."""

    name: str
    blocks: tuple[ShownBlock, ...]


@dataclass(frozen=True, slots=True)
class Listing:
    """Both sides; `left_out`: files of the source that could not be read again."""

    sources: tuple[ShownFile, ...]
    cuda: tuple[ShownBlock, ...]
    left_out: tuple[str, ...]


class Anchors:
    """What lines are called in the page: `f0-27` is line 27 of the first file, `c342` line 342 of the CUDA file."""

    def __init__(self, paths: Iterable[str]) -> None:
        self.files = {path: k for k, path in enumerate(dict.fromkeys(paths))}

    def source(self, path: str, line: int) -> str:
        """The anchor of a line of the source; empty where its file is not shown."""
        return f"f{self.files[path]}-{line}" if line and path in self.files else ""


def listing(done: Compilation, placed: PlacedText, files: Mapping[str, SourceFile], anchors: Anchors) -> Listing:
    """Both sides; `files` are those of the source that are shown, by their paths."""
    launched, standing_in = _first_lines(done, placed)
    by_source = {**standing_in, **launched}
    ordered = sorted(by_source, key=lambda place: (anchors.files.get(place[0], -1), place[1]))
    tones = {place: f"tone{k % TONES}" for k, place in enumerate(ordered)}
    partners = _partners(done, by_source, launched)
    by_source |= {place: by_source[partner] for place, partner in partners.items()}
    tones |= {place: tones[partner] for place, partner in partners.items()}
    open_lines = _open_lines(done)
    sources = []
    for path, file in files.items():
        targets = {line: cuda for (where, line), cuda in by_source.items() if where == path}
        shown = _source_lines(path, file, targets, tones, partners, anchors)
        sources.append(ShownFile(PurePath(path).name, tuple(_folded(shown, open_lines.get(path, set())))))
    missing = {path for path, _ in by_source} - files.keys()
    left_out = tuple(PurePath(path).name for path in sorted(missing))
    return Listing(tuple(sources), tuple(_cuda_blocks(done, placed, tones, anchors)), left_out)


def _first_lines(done: Compilation, placed: PlacedText) -> tuple[dict[_Place, int], dict[_Place, int]]:
    """The first line of the CUDA file for each of the source, of what is launched, and of what stands in for it."""
    launched = [piece for piece in placed.pieces if _is_launched(done, piece.name)]
    found: dict[_Place, int] = {}
    others: dict[_Place, int] = {}
    for origin in placed.origins:
        is_first = any(piece.first <= origin.line <= piece.last for piece in launched)
        (found if is_first else others).setdefault((origin.path, origin.source_line), origin.line)
    return found, others


def _partners(done: Compilation, known: Mapping[_Place, int], launched: Mapping[_Place, int]) -> dict[_Place, _Place]:
    """For the lines of regions whose kernels do the same as those of another one: the line of the other.

    `known` are the lines with a line of the CUDA file of their own, `launched` those that have it in what is launched.
    """
    assert done.kernels is not None
    found: dict[_Place, _Place] = {}
    for function in done.kernels.kernels:
        for mine, its in function.also_from:
            place, partner = (its.path, its.line), (mine.path, mine.line)
            if (place not in known and partner in known) or (place not in launched and partner in launched):
                found.setdefault(place, partner)
    return found


def _is_launched(done: Compilation, name: str) -> bool:
    """Whether a function of the CUDA file is one of a kernel that is launched if it fits."""
    assert done.kernels is not None
    launched = {name_of(item) for program in done.programs for item in leaves(program.launched())}
    return any(
        function.name == name and not launched.isdisjoint((function.kernel, *function.also))
        for function in done.kernels.kernels
    )


# ---- the source ----------------------------------------------------------------------------------------


def _source_lines(
    path: str, file: SourceFile, targets: Mapping[int, int], tones: Mapping[_Place, str],
    partners: Mapping[_Place, _Place], anchors: Anchors,
) -> list[ShownLine]:  # fmt: skip
    found: list[ShownLine] = []
    for number, text in enumerate(highlighted(lines_of(file.text)), 1):
        anchor = anchors.source(path, number)
        if number in targets:
            source = anchors.source(*partners.get((path, number), (path, number)))
            found.append(ShownLine(number, text, anchor, f"c{targets[number]}", source, tones[path, number]))
        else:
            found.append(ShownLine(number, text, anchor))
    return found


def _open_lines(done: Compilation) -> dict[str, set[int]]:
    """The lines of regions, by file: from where each begins to the line behind its last statement."""
    found: dict[str, set[int]] = {}
    for program in done.programs:
        scop = program.scop
        for path in dict.fromkeys(s.span.path for s in scop.statements if s.span.line):
            lines = [s.span.line for s in scop.statements if s.span.path == path and s.span.line]
            first = min([*lines, scop.span.line] if scop.span.path == path else lines)
            found.setdefault(path, set()).update(range(first - _NEAR, max(lines) + _NEAR + 1))
    return found


def _folded(lines: Seq[ShownLine], wanted: set[int]) -> Iterable[ShownBlock]:
    """Blocks of lines, those closed that no link leads to; short ones of these stay with what is before them."""
    wanted = wanted | {line.number for line in lines if line.partner}
    run: list[ShownLine] = []
    rest: list[ShownLine] = []
    for line in lines:
        if line.number in wanted:
            if len(rest) > _FOLDED:
                yield from _block(run, is_open=True)
                yield from _block(rest, is_open=False)
                run = []
            else:
                run += rest
            rest = []
            run.append(line)
        else:
            rest.append(line)
    if len(rest) <= _FOLDED:
        run, rest = [*run, *rest], []
    yield from _block(run, is_open=True)
    yield from _block(rest, is_open=False)


def _block(lines: Seq[ShownLine], is_open: bool) -> Iterable[ShownBlock]:
    if lines:
        yield ShownBlock(f"lines {lines[0].number} to {lines[-1].number}", "", is_open, tuple(lines))


# ---- the CUDA file ---------------------------------------------------------------------------------------


def _cuda_blocks(
    done: Compilation, placed: PlacedText, tones: Mapping[_Place, str], anchors: Anchors
) -> Iterable[ShownBlock]:
    origins = {origin.line: (origin.path, origin.source_line) for origin in placed.origins}
    lines: list[ShownLine] = []
    for number, text in enumerate(highlighted(lines_of(placed.text)), 1):
        place = origins.get(number)
        source = anchors.source(*place) if place is not None else ""
        tone = tones[place] if place is not None and source else ""
        lines.append(ShownLine(number, text, f"c{number}", source, source, tone))
    at, unfolded = 0, 0
    before = ""
    for piece in placed.pieces:
        yield from _between(lines[at : piece.first - 1], _before(done, before, piece.name))
        at, before = piece.last, piece.name
        while at < len(lines) and not str(lines[at].text):
            at += 1
        block = _of_piece(done, piece, tuple(lines[piece.first - 1 : at]), origins)
        unfolded += block.is_open
        yield block if unfolded <= _UNFOLDED else replace(block, is_open=False)
    yield from _between(lines[at:], "end of the file")


def _between(lines: Seq[ShownLine], title: str) -> Iterable[ShownBlock]:
    if any(str(line.text) for line in lines):
        yield ShownBlock(title, f"lines {lines[0].number} to {lines[-1].number}", False, tuple(lines))


def _before(done: Compilation, before: str, name: str) -> str:
    """What stands in front of the piece called `name`, behind the one called `before`."""
    assert done.kernels is not None
    kernels = {function.name for function in done.kernels.kernels}
    if name in kernels:
        return f"functions that {name} brings" if before in kernels else "building blocks on the device"
    if name in {entry.name for entry in done.kernels.entries}:
        return "building blocks on the host"
    return "head of the file"


def _of_piece(
    done: Compilation, piece: Piece, lines: tuple[ShownLine, ...], origins: Mapping[int, _Place]
) -> ShownBlock:
    assert done.kernels is not None
    function = next((f for f in done.kernels.kernels if f.name == piece.name), None)
    anchor = f"cuda-{piece.name}"
    if function is not None:
        found = [origins[line.number] for line in lines if line.number in origins]
        # Of several files the one that comes first: what was inlined from another has lines there.
        places = sorted({line for path, line in found if path == found[0][0]})
        note = f"does the work of {lines_text(places)}" if places else ""
        return ShownBlock(piece.name, note, _is_launched(done, piece.name), lines, anchor)
    if piece.name in {entry.name for entry in done.kernels.entries}:
        return ShownBlock(f"{piece.name}: entry points and launches", "", False, lines, f"entry-{piece.name}")
    return ShownBlock(piece.name, "a function of the source", False, lines, f"function-{piece.name}")


# ---- how code looks --------------------------------------------------------------------------------------

_KEYWORDS = frozenset(
    [
        "auto",
        "bool",
        "break",
        "case",
        "char",
        "const",
        "constexpr",
        "continue",
        "default",
        "do",
        "double",
        "else",
        "enum",
        "extern",
        "false",
        "float",
        "for",
        "goto",
        "if",
        "inline",
        "int",
        "long",
        "nullptr",
        "register",
        "restrict",
        "return",
        "short",
        "signed",
        "sizeof",
        "static",
        "struct",
        "switch",
        "template",
        "true",
        "typedef",
        "typename",
        "union",
        "unsigned",
        "using",
        "void",
        "volatile",
        "while",
        "__global__",
        "__device__",
        "__host__",
        "__shared__",
        "__forceinline__",
        "__restrict__",
        "__launch_bounds__",
    ]
)
_TOKEN = re.compile(
    r"""(?P<comment>//.*|/\*.*?(?:\*/|$))|(?P<string>"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')|(?P<word>[A-Za-z_]\w*)"""
)
_CONTROL = {code: "\ufffd" for code in range(32) if code != 9}


def lines_of(text: str) -> list[str]:
    """The lines of a file as a page can show them: without what is no character."""
    shown = text.encode("utf-8", "surrogateescape").decode("utf-8", "replace").removesuffix("\n")
    return [line.rstrip("\r").translate(_CONTROL).expandtabs(4) for line in shown.split("\n")]


def highlighted(lines: Iterable[str]) -> Iterable[Markup]:
    """Each line of C or CUDA with its comments, strings, keywords and directives marked."""
    in_comment = False
    for line in lines:
        found: list[Markup] = []
        at = 0
        if in_comment:
            end = line.find("*/")
            at = len(line) if end < 0 else end + 2
            in_comment = end < 0
            found.append(_marked("comment", line[:at]))
        if not at and line.lstrip().startswith("#"):
            yield _marked("directive", line)
            continue
        for token in _TOKEN.finditer(line, at):
            found.append(escape(line[at : token.start()]))
            text = token.group()
            kind = str(token.lastgroup)
            if kind == "word":
                found.append(_marked("keyword", text) if text in _KEYWORDS else escape(text))
            else:
                found.append(_marked(kind, text))
            in_comment = text.startswith("/*") and not (text.endswith("*/") and len(text) > 3)
            at = token.end()
        found.append(escape(line[at:]))
        yield Markup("").join(found)


def _marked(kind: str, text: str) -> Markup:
    return Markup('<i class="{}">{}</i>').format(kind, text) if text else Markup("")
