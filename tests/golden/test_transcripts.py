"""Commands in the documents: each is run, and prints what stands below it, the lines of progress aside.

    <!-- file: sum.c -->        the fenced block below becomes that file, at this point of the document
    <!-- more: sum.c -->        the fenced block below is written behind what that file has
    <!-- run -->                the block below is a session in a terminal: a line that begins with `$ ` is a command,
                                the lines below it are what it prints, on both outputs
    <!-- not run: REASON -->    what no test can run, and why

Every fenced block has one of these above it, or the mark of an excerpt (`test_excerpts.py`); commands stand in no other
place than a fenced block or a line of prose.

All blocks of a document are one session of bash, in a folder that has nothing but a link to `samples`: files, variables
and `$?` of one are there for the next.  A command that fails is followed by `$ echo $?`.  `make update-golden` rewrites
what is printed.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.conftest import ROOT

PAGES = (
    ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")), *sorted((ROOT / "bench").glob("*.md")),
    ROOT / "tests" / "README.md",
)  # fmt: skip
_BLOCK = re.compile(
    r"^<!-- (?:(?P<how>file|more): (?P<file>\S+)|(?P<run>run)) -->\n```(?P<language>\w*)\n(?P<text>.*?)^```\n",
    re.DOTALL | re.MULTILINE,
)
_MARK = re.compile(r"^<!-- (?:(?:file|more): \S+|run) -->$", re.MULTILINE)
_FENCE = re.compile(r"^(?P<above>[^\n]*)\n```\w*\n(?P<text>.*?)^```$", re.DOTALL | re.MULTILINE)
_MARKED = re.compile(r"<!-- (?:run|(?:file|more|excerpt|not run): \S.*) -->")
# Commands in a block that is told by its indentation, which has no mark.
_INDENTED = re.compile(r"^ {4,}(?:\$ |(?:pencilc|make|python|pip|nvcc|cmake|ninja) ).*", re.MULTILINE)
# How far long work is, which a machine that is busy says and another does not.
_PROGRESS = re.compile(r"^.+ \(\d+ s\)\n", re.MULTILINE)
_END = "[[end of command {} with {}]]"
# Sessions that take more than a few seconds, most of them because something is verified.
LONG = {
    "README.md", "builds.md", "comparison.md", "page.md", "porting.md", "python.md", "regions.md", "schedules.md",
    "tuning.md", "tutorial.md",
}  # fmt: skip


@dataclass(frozen=True)
class Command:
    """A command of a session and what the document says that it prints."""

    text: str
    shown: str


def documents() -> list[Path]:
    """The documents that have sessions or files."""
    return [path for path in PAGES if _MARK.search(path.read_text())]


def commands(session: str) -> Iterator[Command]:
    """The commands of a block; raises AssertionError if it begins with none."""
    assert session.startswith("$ "), f"no command in the first line: {session}"
    for piece in re.split(r"^\$ ", session, flags=re.MULTILINE)[1:]:
        text, _, shown = piece.partition("\n")
        yield Command(text, shown)


def script(blocks: list[re.Match[str]]) -> str:
    """What bash is given: the files and the commands of a document in their order, a mark behind each command."""
    lines = []
    number = 0
    for block in blocks:
        if block.group("file"):
            arrow = ">" if block.group("how") == "file" else ">>"
            lines += [f"cat {arrow} {block.group('file')} <<'END OF FILE'", f"{block.group('text')}END OF FILE"]
            continue
        for command in commands(block.group("text")):
            mark = _END.format(number, "%d")
            lines += [command.text, f"status=$?; printf '\\n{mark}\\n' $status; (exit $status)"]
            number += 1
    return "\n".join(lines) + "\n"


def printed(blocks: list[re.Match[str]], folder: Path) -> list[tuple[str, int]]:
    """What each command of a document prints, and its exit status."""
    environment = {
        **os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}", "LC_ALL": "C", "COLUMNS": "100",
    }  # fmt: skip
    done = subprocess.run(
        ["bash"], input=script(blocks), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=folder,
        env=environment, timeout=500, check=False,
    )  # fmt: skip
    found, rest = [], _PROGRESS.sub("", done.stdout)
    for number in range(sum(len(list(commands(b.group("text")))) for b in blocks if b.group("run"))):
        text, mark, rest = rest.partition(f"\n[[end of command {number} with ")
        assert mark, f"the session ends in command {number}: {text}"
        status, _, rest = rest.partition("]]\n")
        found.append((text if text.endswith("\n") or not text else text + "\n", int(status)))
    return found


def as_it_is(text: str, blocks: list[re.Match[str]], found: list[tuple[str, int]]) -> str:
    """The document with what its commands print."""
    said = iter(found)
    pieces, end = [], 0
    for block in blocks:
        if block.group("run"):
            session = "".join(f"$ {command.text}\n{next(said)[0]}" for command in commands(block.group("text")))
            pieces += [text[end : block.start("text")], session]
            end = block.end("text")
    return "".join((*pieces, text[end:]))


def untold_failures(blocks: list[re.Match[str]], found: list[tuple[str, int]]) -> list[str]:
    """Commands that fail without a word of the document about it."""
    texts = [command.text for block in blocks if block.group("run") for command in commands(block.group("text"))]
    followed = [*texts[1:], ""]
    return [
        text
        for text, after, (_, status) in zip(texts, followed, found, strict=True)
        if status and after != "echo $?" and text != "echo $?"
    ]


def _cases() -> list[object]:
    return [
        pytest.param(path, id=path.name, marks=[pytest.mark.full] if path.name in LONG else []) for path in documents()
    ]


@pytest.mark.parametrize("path", _cases())
def test_commands_print_what_is_shown(path: Path, nvcc: str, request: pytest.FixtureRequest) -> None:
    text = path.read_text()
    blocks = list(_BLOCK.finditer(text))
    assert len(blocks) == len(_MARK.findall(text)), "a comment that is followed by no fenced block"
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "samples").symlink_to(ROOT / "samples")
        found = printed(blocks, Path(folder))
    assert not untold_failures(blocks, found), "commands that fail; show `$ echo $?` below them"
    wanted = as_it_is(text, blocks, found)
    if wanted != text and request.config.getoption("--update-golden"):
        path.write_text(wanted)
        pytest.fail(f"{path.name} rewritten: review it")
    assert text == wanted, f"{path.name}: `make update-golden` rewrites what its commands print"


def without_a_mark(text: str) -> list[str]:
    """The first lines of the fenced blocks without a mark, and commands in blocks that cannot have one."""
    fenced = [found for found in _FENCE.finditer("\n" + text) if not _MARKED.fullmatch(found["above"])]
    prose = _FENCE.sub("", "\n" + text)
    return [*(found["text"].split("\n")[0] for found in fenced), *(line.strip() for line in _INDENTED.findall(prose))]


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.relative_to(ROOT).as_posix().replace("/", "-"))
def test_every_block_is_run_or_says_why_not(path: Path) -> None:
    found = without_a_mark(path.read_text())
    assert not found, f"put `<!-- run -->` or another mark of this file's head above: {found}"


def test_what_is_stale_or_fails_is_seen(tmp_path: Path) -> None:
    text = (
        "<!-- file: a.txt -->\n```\none\nhalf (3 s)\ntwo\n```\n"
        "<!-- run -->\n```console\n$ x=3\n$ cat a.txt\none\ntwo\n$ false\n$ true\n$ echo $? $x\n0 3\n```\n"
    )
    blocks = list(_BLOCK.finditer(text))
    found = printed(blocks, tmp_path)
    assert found == [("", 0), ("one\ntwo\n", 0), ("", 1), ("", 0), ("0 3\n", 0)]
    assert as_it_is(text, blocks, found) == text
    stale = text.replace("0 3\n", "1 4\n")
    assert as_it_is(stale, list(_BLOCK.finditer(stale)), found) == text
    assert untold_failures(blocks, found) == ["false"]


def test_a_block_without_a_mark_is_seen() -> None:
    assert without_a_mark("text\n\n```console\n$ true\n```\n") == ["$ true"]
    assert without_a_mark("```python\nimport pencilc\n```\n") == ["import pencilc"]
    assert without_a_mark("text\n\n    pencilc check sum.c\n") == ["pencilc check sum.c"]
    assert without_a_mark("<!-- run -->\n\n```\n$ true\n```\n") == ["$ true"]
    marked = "<!-- not run: needs a GPU -->\n```console\n$ true\n    make x\n```\n<!-- run -->\n```\n$ true\n```\n"
    assert not without_a_mark(marked)
