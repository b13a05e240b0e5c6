"""The reference of the commands, from what click knows of them: tables for `docs/cli.md`, and the man page.

Nothing of it is written by hand, so that it cannot go stale: `tests/golden/test_reference.py` compares both with the
commands, and `make update-golden` rewrites them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import click

from pencilc import __version__
from pencilc.cli import main

ROOT = Path(__file__).resolve().parent.parent.parent
PAGE = ROOT / "docs" / "cli.md"
MAN_PAGE = ROOT / "pencilc" / "share" / "man" / "pencilc.1"

# Sections that all commands with a source have alike; they stand once.
SHARED = ("Preprocessor", "What is compiled, and how", "Messages")
EXIT_STATUS = (
    ("0", "done"),
    ("1", "the source is at fault; a diagnostic says where and why"),
    ("2", "wrong usage"),
    ("3", "a limit of pencilc, or an internal fault; it says which. Of `verify` also: nothing was compared, and why"),
    ("4", "verification found a difference"),
    ("5", "an outside tool (a compiler, a GPU) is missing"),
)
_DESCRIPTION = (
    "pencilc compiles C99 in which reductions are declared (PENCIL) to CUDA source that nvcc takes without a header or "
    "library of pencilc's. FILE.c becomes OUT.cu and, where it holds other code than PENCIL functions, OUT_host.c. "
    "The sequential C program is what the input means; `verify` compares."
)
_BLOCK = re.compile(r"(<!-- generated: (?P<what>[^>]+) -->\n)(?P<shown>.*?)(<!-- end -->\n)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Section:
    """Options of a command that belong together: how each is written, and what it does."""

    title: str
    options: tuple[tuple[str, str], ...]


def commands() -> dict[str, click.Command]:
    """The commands by name, as help lists them; `compile`, which needs no name, comes first."""
    assert isinstance(main, click.Group)
    shown = {name: command for name, command in sorted(main.commands.items()) if not command.hidden}
    return {"compile": main.commands["compile"], **shown}


def sections(command: click.Command) -> tuple[Section, ...]:
    """The options of a command by the sections of its help, without those that show help."""
    found: dict[str, list[tuple[str, str]]] = {}
    for option in command.params:
        record = option.get_help_record(click.Context(command)) if isinstance(option, click.Option) else None
        if record is not None:
            found.setdefault(getattr(option, "section", "") or "Options", []).append(record)
    return tuple(Section(title, tuple(records)) for title, records in found.items())


def shared_sections() -> tuple[Section, ...]:
    """The sections that all commands with a source have; raises AssertionError if two commands differ there."""
    wanted = tuple(each for each in sections(commands()["compile"]) if each.title in SHARED)
    for command in commands().values():
        held = tuple(each for each in sections(command) if each.title in SHARED)
        assert held in ((), wanted), f"{command.name} has other shared options"
    return wanted


def own_sections(command: click.Command) -> tuple[Section, ...]:
    """The sections that the command alone has."""
    return tuple(each for each in sections(command) if each.title not in SHARED)


def usage(name: str) -> str:
    """How the command is called."""
    command = commands()[name]
    arguments = [param.make_metavar(click.Context(command)) for param in command.params if _is_argument(param)]
    named = [] if name == "compile" else [name]
    options = ["[OPTIONS]"] if sections(command) else []
    return " ".join(("pencilc", *named, *options, *arguments))


def _is_argument(param: click.Parameter) -> bool:
    return isinstance(param, click.Argument)


def _told(command: click.Command) -> str:
    return re.sub(r"(?<=\S)\n(?=\S)", " ", (command.help or "").strip())


# ---- docs/cli.md ---------------------------------------------------------------------------------


def page(text: str) -> str:
    """The text of `docs/cli.md` with its generated blocks as they should be.

    <!-- generated: compile -->    the usage, the description and the own options of the command without a name
    <!-- generated: commands -->   the same of all others, each with a heading
    <!-- generated: shared -->     the options that all commands have
    <!-- generated: pencilc -->    the options without a command
    <!-- generated: exit -->       the exit statuses
    """
    return _BLOCK.sub(lambda found: found.group(1) + _block(found.group("what")) + found.group(4), text)


def _block(what: str) -> str:
    if what == "exit":
        return _table(("exit status", "meaning"), EXIT_STATUS)
    if what == "shared":
        return "\n".join(_option_table(each) for each in shared_sections())
    if what == "pencilc":
        return _option_table(Section("", sections(main)[0].options))
    if what == "commands":
        named = [name for name in commands() if name != "compile"]
        return "\n".join(f"## {name}\n\n{_command(name)}" for name in named)
    assert what == "compile", f"there is nothing to generate for `{what}`"
    return _command(what)


def _command(name: str) -> str:
    command = commands()[name]
    return "\n".join((f"`{usage(name)}`\n", _told(command) + "\n", *map(_option_table, own_sections(command))))


def _option_table(section: Section) -> str:
    title = section.title or "option"
    return _table((title.lower() if title == "Options" else title, ""), [(f"`{w}`", t) for w, t in section.options])


def _table(head: tuple[str, str], rows: tuple[tuple[str, str], ...] | list[tuple[str, str]]) -> str:
    lines = [f"| {head[0]} | {head[1]} |", "|---|---|"]
    lines += [f"| {_cell(first)} | {_cell(second)} |" for first, second in rows]
    return "\n".join(lines) + "\n"


def _cell(text: str) -> str:
    """The text in a table of Markdown, where a bar ends the cell and angles may be HTML."""
    return text.replace("|", "\\|") if "`" in text[:1] else text.replace("|", "\\|").replace("<", "&lt;")


# ---- the man page --------------------------------------------------------------------------------


def man_page() -> str:
    """The man page, in the macros of man(7)."""
    return "\n".join(_man_lines()) + "\n"


def _man_lines() -> Iterator[str]:
    yield r".\" Generated by docs/tools/reference.py from the commands; `make update-golden` rewrites it."
    yield f'.TH PENCILC 1 "" "pencilc {__version__}" "User Commands"'
    yield from (".SH NAME", rf"pencilc \- {_roff(_summary(main))}", ".SH SYNOPSIS")
    for name in commands():
        yield from (".P" if name == "compile" else ".br", rf"\fB{_roff(usage(name))}\fR")
    yield from (".SH DESCRIPTION", _roff(_DESCRIPTION), ".SH COMMANDS")
    for name, command in commands().items():
        if name != "compile":
            yield from (".TP", rf"\fB{_roff(name)}\fR", _roff(_told(command).replace("\n\n", " ")))
    yield ".SH OPTIONS"
    for section in (*own_sections(commands()["compile"]), *shared_sections()):
        yield from _man_section(section.title, section)
    for name, command in commands().items():
        if name == "compile":
            continue
        for section in own_sections(command):
            yield from _man_section(f"pencilc {name}", section)
    yield from _man_section("Without a command", Section("", sections(main)[0].options))
    yield ".SH EXIT STATUS"
    for status, meaning in EXIT_STATUS:
        yield from (".TP", rf"\fB{status}\fR", _roff(meaning))
    yield from (".SH SEE ALSO", r"\fBnvcc\fR(1), \fBgcc\fR(1), \fBmake\fR(1)")


def _man_section(title: str, section: Section) -> Iterator[str]:
    yield f".SS {_roff(title)}"
    for written, told in section.options:
        yield from (".TP", rf"\fB{_roff(written)}\fR", _roff(told) or r"\&")


def _summary(command: click.Command) -> str:
    return _told(command).split("\n")[0].rstrip(".")


def _roff(text: str) -> str:
    """The text for roff, in which a backslash, a hyphen and a first dot or quote mean something."""
    escaped = text.replace("\\", "\\e").replace("-", "\\-").replace("`", "\\(ga").replace("'", "\\(aq")
    return re.sub(r"^\.", r"\\&.", re.sub(r"\s+", " ", escaped))


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text()))
    MAN_PAGE.write_text(man_page())
