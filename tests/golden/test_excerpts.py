"""Excerpts in the documents: what each shows is what the compiler prints now.

An excerpt is a block of a document behind a comment that says where it comes from:

    <!-- excerpt: schedule samples/softmax.c from "band" to "M1" -->

It begins with the first line of the text that begins so, white space aside, and goes to the next one that begins as is
said behind `to` (a brace: with the indentation of the first line).  What all lines are indented by is taken off.  The
text is what a stage or a pass prints (`--dump-ir`), or `text`, the file itself, or `report` or `verify`, what these
commands print.  The file may be a document: then it is the first C program in that.  `make update-golden` rewrites the
blocks in place.
"""

from __future__ import annotations

import re
import tempfile
import textwrap
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest
from click.testing import CliRunner

from pencilc import driver
from pencilc.cli import main
from pencilc.diagnostics.source import SourceFile
from pencilc.options import CompileOptions
from pencilc.report.text import report_text
from tests.conftest import ROOT
from tests.golden import meaning

_EXCERPT = re.compile(
    r'<!-- excerpt: (?P<stage>\S+) (?P<file>\S+) from "(?P<first>[^"]+)" to "(?P<last>[^"]+)" -->\n'
    r"```(?P<language>\w*)\n(?P<shown>.*?)```\n",
    re.DOTALL,
)
_PROGRAM = re.compile(r"^`(?P<name>\w+\.c)`.*?^```c\n(?P<text>.*?)^```\n", re.DOTALL | re.MULTILINE)
# Text of these is compared word by word, that of other stages by the meaning of sets and relations.
_NO_SETS = ("text", "report", "verify", "source", "kernels", "cuda")


def documents() -> list[Path]:
    """The documents that have excerpts."""
    return [path for path in (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))) if _marks(path.read_text())]


def _marks(text: str) -> int:
    return len(re.findall(r"^<!-- excerpt:", text, flags=re.MULTILINE))


@dataclass(frozen=True)
class Excerpt:
    """A block, and what should stand in it; `head` is the line with the parameters of the sets in it."""

    where: str
    shown: str
    wanted: str
    head: str

    def difference(self) -> str | None:
        """What is wrong with the block; None if nothing is."""
        if self.shown == self.wanted:
            return None
        if self.head:
            return meaning.difference(self.head + self.shown, self.head + self.wanted)
        return f"the document has:\n{self.shown}\nthe compiler prints:\n{self.wanted}"


@cache
def _compiled(file: str) -> driver.Compilation:
    name, text = _program(file)
    return driver.compile_source(SourceFile(name, text), CompileOptions())


def _program(file: str) -> tuple[str, str]:
    """The name and the text of a C program: of the file, or of the first one in a document."""
    text = (ROOT / file).read_text()
    if not file.endswith(".md"):
        return file, text
    found = _PROGRAM.search(text)
    assert found is not None, f"{file} has no C program with a name"
    return found.group("name"), found.group("text")


def _printed(stage: str, file: str) -> str:
    """What a stage prints of a file."""
    if stage == "text":
        return _program(file)[1]
    if stage == "verify":
        name, text = _program(file)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, name)
            path.write_text(text)
            return CliRunner().invoke(main, ["verify", str(path)]).output
    if stage == "report":
        return report_text(_compiled(file))
    return driver.dump(_compiled(file), stage)


def _excerpt(found: re.Match[str]) -> Excerpt:
    """The block of a document with what should stand in it."""
    stage, file, first, last = found.group("stage", "file", "first", "last")
    where = f'{stage} of {file} from "{first}" to "{last}"'
    lines = _printed(stage, file).splitlines()
    begin = next((i for i, line in enumerate(lines) if line.strip().startswith(first)), None)
    assert begin is not None, f"{where}: no line begins so; choose another one in the comment above the block"
    end = next((i for i in range(begin, len(lines)) if _ends(lines[begin], lines[i], last)), None)
    assert end is not None, f"{where}: the excerpt does not end; choose another line in the comment above the block"
    wanted = textwrap.dedent("\n".join(lines[begin : end + 1])) + "\n"
    heads = [] if stage in _NO_SETS else [line.strip() for line in lines[: begin + 1] if "parameters: " in line]
    return Excerpt(where, found.group("shown"), wanted, heads[-1] + "\n" if heads else "")


def _ends(first: str, line: str, last: str) -> bool:
    """Whether the line begins with `last`; a brace is the one that closes what the first line stands in."""
    text = line.strip()
    return text.startswith(last) and (last[0] != "}" or len(line) - len(text) == len(first) - len(first.strip()))


@pytest.mark.parametrize("path", documents(), ids=lambda path: path.relative_to(ROOT).as_posix())
def test_excerpts(path: Path, root: Path, request: pytest.FixtureRequest) -> None:
    text = path.read_text()
    found = list(_EXCERPT.finditer(text))
    assert len(found) == _marks(text), "a comment that is no excerpt: it has a form that the head of this file tells"
    excerpts = [_excerpt(each) for each in found]
    name = path.relative_to(root).as_posix()
    if request.config.getoption("--update-golden"):
        for match, excerpt in reversed(list(zip(found, excerpts, strict=True))):
            text = text[: match.start("shown")] + excerpt.wanted + text[match.end("shown") :]
        if text != path.read_text():
            path.write_text(text)
            pytest.fail(f"{name} rewritten: review it")
    wrong = [f"{each.where}: {difference}" for each in excerpts if (difference := each.difference()) is not None]
    if wrong:
        remedy = f"{name} shows what is printed no more; `make update-golden` rewrites it, read `git diff` then"
        pytest.fail("\n\n".join((remedy, *wrong)), pytrace=False)


def test_an_excerpt_that_is_stale_is_told() -> None:
    def block(shown: str) -> Excerpt:
        mark = '<!-- excerpt: dependences samples/softmax.c from "{ M1[i]" to "{ M1[i]" -->'
        found = _EXCERPT.search(f"{mark}\n```\n{shown}\n```\n")
        assert found is not None
        return _excerpt(found)

    right = "{ M1[i] -> S6[i' = i, j_2] : 0 <= i < rows and 0 <= j_2 < columns }"
    assert block(right).difference() is None
    assert block(right.replace("0 <= i < rows", "i >= 0 and i <= rows - 1")).difference() is None
    assert "no longer there" in (block(right.replace("0 <= i", "-1 <= i")).difference() or "")
    assert block("{ M1[i] }").difference()
