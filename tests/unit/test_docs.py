"""What the documents name is there: links, files, functions, commands, options; and no file cites what is not there."""

from __future__ import annotations

import importlib.util
import os
import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path

import click
import pytest

from pencilc.cli import PASS_NAMES, STAGE_NAMES, main
from pencilc.diagnostics.codes import REGISTRY
from tests.conftest import ROOT

DOCUMENTS = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("tests/*.md"), *ROOT.glob("bench/*.md")])
# CHANGELOG.md tells of what was, too.
PRESENT = [path for path in DOCUMENTS if path.name != "CHANGELOG.md"]
_NOT_OURS = {".git", "build", "dist", "__pycache__", "pencilc_templates"}
_SUFFIXES = ("py", "md", "c", "h", "cu", "j2", "txt", "cfg", "toml", "json", "cpp", "hpp", "yml", "ninja")
_PATH = re.compile(rf"[\w.-]*/[\w./-]*|[\w-]+(?:\.\w+)*\.(?:{'|'.join(_SUFFIXES)})")
_CITED = re.compile(r"(?<![\w./*-])(?:\w[\w./-]*\.(?:md|pdf|rst|docx?)|(?:\w+/)+\w+\.(?:py|j2))\b")
# A line of `git diff --stat` in a recipe, of what was thrown away.
_STAT = re.compile(r" \S+ +\| +\d+ [+-]+$")
# A name of a file, and a file and names behind it: they are defined there.
_DEFINED_IN = re.compile(r"`(\w+)`\s(?:of|in|to)\s`([\w/.]+\.(?:py|j2))`")
_DEFINED = re.compile(r"`([\w/.]+\.(?:py|j2))`: ((?:`[\w.]+`(?:, )?)+)")
# What --dump-ir takes, and what a document may say instead of a name.
DUMPS = {*STAGE_NAMES, *PASS_NAMES, "STAGE", "mapping/PASS"}
# What commands make, passes of a stage, and any source and what becomes of it.
_MADE = ("build/", ".venv/", ".venv-cuda/", "mapping/", "argmin_host.c", "./program", "x.c", "x_host.c",
         "pencilc_runtime.h")  # fmt: skip
# What is written in the place of a name, and names of others: nvcc's options, a wheel's folders, libraries.
_ELSEWHERE = {
    "STAGE", "PASS", "SHAPE", "NAME", "WNAME", "argmin_host", "DINTEGER_DATA", "use_fast_math", "cu13",
    "COMPILE_LANGUAGE", "CMakePackageConfigHelpers", "BlockReduce", "reduce_by_key",
}  # fmt: skip


@cache
def files() -> dict[str, Path]:
    """All files of the repository by their paths; what is built or installed is left out."""
    found: dict[str, Path] = {}
    for folder, inside, names in os.walk(ROOT):
        inside[:] = [
            name
            for name in inside
            if name not in _NOT_OURS
            and not name.startswith((".venv", ".pytest", ".m"))
            and not name.endswith(".egg-info")
        ]
        for name in names:
            path = Path(folder, name)
            found[path.relative_to(ROOT).as_posix()] = path
    return found


@cache
def endings() -> frozenset[str]:
    """The paths of all files and folders from the root, and from every folder above them."""
    known = {"/".join(parts) for name in files() for parts in _beginnings(Path(name).parts)}
    return frozenset("/".join(each.split("/")[first:]) for each in known for first in range(each.count("/") + 1))


def _beginnings(parts: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    yield from (parts[:count] for count in range(1, len(parts) + 1))


@cache
def words() -> frozenset[str]:
    """Every word of every file that is no document."""
    found: set[str] = set()
    for name, path in files().items():
        found.add(path.stem)
        if not name.endswith(".md") and path != Path(__file__):
            found |= set(re.findall(r"\w+", path.read_text(errors="replace")))
    return frozenset(found)


def is_there(name: str, document: Path) -> bool:
    """Whether a file or a folder of the repository has the path, from the root, from the document or as an ending."""
    beside = (document.parent / name).resolve()
    return name.rstrip("/") in endings() or (beside.is_relative_to(ROOT) and beside.exists())


def prose(text: str) -> str:
    """The text without its fenced blocks, whose lines are left empty."""
    return re.sub(r"^```.*?^```$", lambda block: "\n" * block.group().count("\n"), text, flags=re.DOTALL | re.MULTILINE)


def spans(text: str) -> Iterator[tuple[int, str]]:
    """The code spans of the prose with their lines."""
    for number, line in enumerate(prose(text).split("\n"), 1):
        for found in re.finditer(r"(`+)(.+?)\1", line):
            yield number, found.group(2)


def anchors(text: str) -> set[str]:
    """The anchors that the headings of a document have, as GitHub makes them."""
    heads = re.findall(r"^#+ (.*)$", prose(text), flags=re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}


def commands(text: str) -> Iterator[str]:
    """The command lines of a document: code spans, and lines of fenced blocks without a language."""
    yield from (span for _, span in spans(text))
    for block in re.findall(r"^```(?:sh)?\n(.*?)^```$", text, flags=re.DOTALL | re.MULTILINE):
        yield from (line.split("  #")[0].strip() for line in block.split("\n"))


def wrong_links(document: Path) -> Iterator[str]:
    """Links to files and headings that are not there."""
    for target in re.findall(r"\]\(([^)\s]+)\)", prose(document.read_text())):
        if target.startswith(("http://", "https://")):
            continue
        name, _, anchor = target.partition("#")
        path = (document.parent / name).resolve() if name else document
        if not path.exists():
            yield f"{target}: no such file"
        elif anchor and anchor not in anchors(path.read_text()):
            yield f"{target}: no such heading"


def wrong_files(document: Path) -> Iterator[str]:
    """Paths in code spans, and in what pytest is given there, that are not there."""
    for number, span in spans(document.read_text()):
        for word in span.split() if re.search(r"\bpytest ", span) else [span]:
            is_named = _PATH.fullmatch(word) and not word.startswith(_MADE) and "NAME" not in word
            if is_named and not is_there(word, document):
                yield f"{number}: {word}"


def wrong_names(document: Path) -> Iterator[str]:
    """Words in code spans that are no word of any other file: what was renamed or removed."""
    for number, span in spans(document.read_text()):
        for word in re.findall(r"[^\W\d]\w\w+", span):
            if word not in words() | _ELSEWHERE:
                yield f"{number}: {word} of `{span}`"


def wrong_functions(document: Path) -> Iterator[str]:
    """Functions, classes and macros that are said to stand in a file and do not.

    `file.py`: `name`, `name`; `name` of `file.py`; `module.name`.
    """
    text = prose(document.read_text())
    said = [(file, f"`{name}`") for name, file in _DEFINED_IN.findall(text)]
    for file, names in (*_DEFINED.findall(text), *said):
        paths = [path for name, path in files().items() if f"/{name}".endswith("/" + file)]
        for name in re.findall(r"`([\w.]+)`", names):
            if not any(name in definitions(path) for path in paths):
                yield f"{file} does not define {name}"
    for number, span in spans(document.read_text()):
        module, _, name = span.partition(".")
        paths = [path for path in files().values() if path.name == f"{module}.py" and name.isidentifier()]
        if paths and name not in _SUFFIXES and not any(name in definitions(path) for path in paths):
            yield f"{number}: {span} is not defined"


def wrong_commands(document: Path) -> Iterator[str]:
    """Options of pencilc, stages, targets of make and modules of Python in command lines that are not there."""
    targets = set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(), flags=re.MULTILINE))
    for line in commands(document.read_text()):
        options = [word.split("=") for word in line.split() if word.startswith("--")]
        if line.startswith("pencilc "):
            yield from (f"{line}: no option {name}" for name, *_ in options if name not in options_of(line))
        elif re.match(r"--\w", line):
            yield from (f"{line}: no option {name}" for name, *_ in options[:1] if name not in all_options())
        stages = [value[0] for name, *value in options if name == "--dump-ir" and value]
        yield from (f"{line}: no stage {stage}" for stage in stages if stage not in DUMPS)
        if line.startswith("make "):
            yield from (f"{line}: no target" for word in line.split()[1:2] if word not in targets and "=" not in word)
        module = re.match(r"(?:\S*/)?python3? -m ([\w.]+)", line)
        if module and importlib.util.find_spec(module.group(1)) is None:
            yield f"{line}: no module"


CHECKS = (wrong_links, wrong_files, wrong_names, wrong_functions, wrong_commands)


def options_of(command: str) -> set[str]:
    """The options that a command line of pencilc may have."""
    assert isinstance(main, click.Group)
    found = main.commands.get(command.split()[1]) or main.commands["compile"]
    return {name for parameter in found.params for name in parameter.opts} | {"--help", "--version"}


@cache
def all_options() -> frozenset[str]:
    """The options of all commands of the project."""
    assert isinstance(main, click.Group)
    known = {name for command in main.commands.values() for parameter in command.params for name in parameter.opts}
    for path in files().values():
        if path.suffix == ".py" and path != Path(__file__):
            known |= set(re.findall(r'"(--[\w-]+)', path.read_text()))
    return frozenset(known)


def definitions(path: Path) -> set[str]:
    """What a file of Python or a template defines, methods and members of classes too."""
    text = path.read_text()
    kind = r"(?:def|class)" if path.suffix == ".py" else r"\{%-? ?macro"
    plain = r"|^(\w+)(?:: [^=]*)? = " if path.suffix == ".py" else r"|^\{%-? ?set (\w+)"
    return {"".join(found) for found in re.findall(rf"^ *{kind} (\w+){plain}", text, flags=re.MULTILINE)}


@pytest.mark.parametrize("document", PRESENT, ids=lambda path: path.relative_to(ROOT).as_posix())
@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__.removeprefix("wrong_"))
def test_what_is_named_is_there(check: Callable[[Path], Iterable[str]], document: Path) -> None:
    wrong = [f"{document.relative_to(ROOT)}: {message}" for message in check(document)]
    assert not wrong, "\n".join(wrong)


def test_what_is_not_there_is_seen(tmp_path: Path) -> None:
    document = tmp_path / "page.md"
    document.write_text(
        "# A page\n[here](#a-page) [there](other.md) [nowhere](#other)\n"
        "`gpu/passes.py`: `map_region`, `map_continent`\n"
        "`gpu/nothing.py` `pencilc_nonesuch` `passes.FUSE` `passes.FUSION` `GREEDY` of `gpu/passes.py`\n"
        "`pencilc tune x.c --nonesuch` `make nonesuch` `--dump-ir=nonesuch` `python -m bench.nonesuch`\n"
        "```\npencilc --dump-ir=mapping/nonesuch x.c  # some text\n```\n"
    )
    found = {check: list(check(document)) for check in CHECKS}
    assert found[wrong_links] == ["other.md: no such file", "#other: no such heading"]
    assert found[wrong_files] == ["4: gpu/nothing.py"]
    assert "4: pencilc_nonesuch of `pencilc_nonesuch`" in found[wrong_names]
    assert found[wrong_functions] == [
        "gpu/passes.py does not define map_continent", "gpu/passes.py does not define GREEDY",
        "4: passes.FUSE is not defined",
    ]  # fmt: skip
    assert [message.rpartition(": ")[2] for message in found[wrong_commands]] == [
        "no option --nonesuch", "no target", "no stage nonesuch", "no module", "no stage mapping/nonesuch",
    ]  # fmt: skip


def test_the_journeys_name_functions() -> None:
    """Each row of a journey says which function or record of its file decides."""
    rows = [line for line in (ROOT / "docs" / "journeys.md").read_text().split("\n") if line.startswith("| `")]
    assert rows and not [row for row in rows if not _DEFINED.match(row.removeprefix("| "))]


def test_no_file_cites_a_document_that_is_not_there() -> None:
    """Documents by their names, and files of the compiler and its tests by paths; MkDocs looks at its own list."""
    wrong = []
    for name, path in files().items():
        if path.suffix.lstrip(".") not in (*_SUFFIXES, "") or path == Path(__file__) or name == "mkdocs.yml":
            continue
        for number, line in enumerate(path.read_text(errors="replace").split("\n"), 1):
            cited = [word for word in _CITED.findall(line) if not is_there(word, path) and not _STAT.match(line)]
            wrong += [f"{name}:{number}: {word}" for word in cited]
    assert not wrong, "\n".join(wrong)


def test_the_table_of_codes() -> None:
    text = (ROOT / "docs" / "diagnostics.md").read_text()
    assert dict(re.findall(r"^\| (PC\d+) \| `([\w-]+)` \|", text, flags=re.MULTILINE)) == {
        code: known.name for code, known in REGISTRY.items()
    }
