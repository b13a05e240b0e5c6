"""The words of a command line as people write them, flags of a C build among them, as the commands have them.

pencilc -O2 -g -fPIC -DN=3 verify a.c        pencilc verify -DN=3 a.c
pencilc -x c -Wp,-DN=3 -isysteminc a.c       pencilc compile -DN=3 -isystem inc a.c
pencilc -c a.c -o a.o                        wrong usage: nvcc makes objects
pencilc help verify                          pencilc verify --help
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Sequence as Seq
from pathlib import Path

import click

# Flags of gcc's that say how machine code is made and linked, of which there is none here.
_OF_MACHINE_CODE = re.compile(
    r"-O\w*|-g\w*|-m[\w=,.+-]+|-f[A-Za-z][\w=.,-]*|-pipe|-pthread|-pedantic(?:-errors)?|-ansi|-s|-static|-shared|-rdynamic"
    r"|-no-pie|-pie|-save-temps(?:=\w+)?|-W[al],.+|-[lL].+"
)
# Those of them whose value is the next word.
_WITH_VALUE = ("-Xlinker", "-Xassembler", "--param", "-L", "-l")
# Ours whose value gcc takes in the same word too.
_JOINED = ("-isystem", "-include", "-iquote", "-idirafter")
# What `-x` calls the languages that are read; `none` leaves it to the name of the file.
_LANGUAGES = ("c", "none")
# Those that we have too, and what looks like a misspelt one of them.
_OURS = re.compile(r"-fsyn|-fass")
# What of them lets floating operations be done in another order, and what takes it back.
_REORDERING = re.compile(r"-f(no-)?(associative-math|fast-math|unsafe-math-optimizations)|-O(fast)")
# What is told whoever asks for machine code.
WRITES_SOURCE = "pencilc writes CUDA source: compile it with `nvcc -c OUT.cu -o OUT.o`"


def with_command(args: Seq[str], commands: Mapping[str, click.Command], default: str) -> list[str]:
    """`args` with a command as the first word, `default` where they name none.

    Raises click.UsageError for what asks for an object file or names another language, and for a command that there is
    not.
    """
    words, rest = _split_at_end(args)
    words = _in_our_words(words)
    if words[:1] == ["help"]:
        return [*words[1:2], "--help"]
    at = _first_word(words, commands)
    if at is None:
        return [default, *words, *rest]
    if words[at] in commands:
        # Options may stand in front of the command.
        return [words[at], *words[:at], *words[at + 1 :], *rest]
    _refuse_misspelt(words[at], [*words[at + 1 :], *rest[1:]], commands)
    return [default, *words, *rest]


def _refuse_misspelt(word: str, others: Seq[str], commands: Iterable[str]) -> None:
    """Raise click.UsageError for what looks like the name of a command in front of a file, and is no file itself."""
    is_followed = any(not other.startswith("-") for other in others)
    if "." in word or not is_followed or Path(word).exists():
        return
    near = difflib.get_close_matches(word, list(commands), 1)
    if near:
        raise click.UsageError(f"there is no command '{word}'. Did you mean '{near[0]}'?")


def _split_at_end(args: Seq[str]) -> tuple[list[str], list[str]]:
    """The words in front of `--`, and those from there on, in which nothing is an option."""
    end = args.index("--") if "--" in args else len(args)
    return list(args[:end]), list(args[end:])


def _first_word(words: Seq[str], commands: Mapping[str, click.Command]) -> int | None:
    """The position of the first word that is no option and no value of one."""
    with_value = _with_value(commands.values())
    k = 0
    while k < len(words) and words[k].startswith("-") and words[k] != "-":
        k += 2 if words[k] in with_value else 1
    return k if k < len(words) else None


def _with_value(commands: Iterable[click.Command]) -> frozenset[str]:
    """The options whose value is the next word."""
    found = (p for command in commands for p in command.params if isinstance(p, click.Option) and not p.is_flag)
    return frozenset(name for option in found for name in option.opts) - {"--report"}


def _in_our_words(words: Seq[str]) -> list[str]:
    """The words without flags that say nothing here, and with ours in place of those that gcc has other names for.

    Raises click.UsageError for what asks for an object file, and for another language than C.
    """
    kept: list[str] = []
    reordered: bool | None = None
    left = iter(words)
    for word in left:
        if word in ("-c", "-S"):
            raise click.UsageError(f"{word}: {WRITES_SOURCE}")
        if found := _REORDERING.fullmatch(word):
            reordered = found.group(1) is None
        elif word == "--report":
            kept.append("--report=text")  # Only `=` brings a value: the next word is the file.
        elif word.startswith("-x"):
            _refuse_language(word[2:] or _value(word, left))
        elif word.startswith("-Wp,"):
            kept += _of_the_preprocessor(word.split(",")[1:])
        elif word == "-Xpreprocessor":
            kept.append(_value(word, left))
        elif word in _WITH_VALUE:
            _value(word, left)
        elif joined := next((name for name in _JOINED if word.startswith(name) and word != name), None):
            kept += [joined, word.removeprefix(joined)]
        elif _OURS.match(word) or not _OF_MACHINE_CODE.fullmatch(word):
            kept.append(word)
    return [*kept, "-fassociative-math"] if reordered else kept


def _value(option: str, left: Iterator[str]) -> str:
    """The word behind `option`.  Raises click.UsageError where there is none."""
    value = next(left, None)
    if value is None:
        raise click.UsageError(f"Option '{option}' requires an argument.")
    return value


def _refuse_language(name: str) -> None:
    if name not in _LANGUAGES:
        raise click.UsageError(f"-x {name}: pencilc reads C")


def _of_the_preprocessor(words: Seq[str]) -> list[str]:
    """What stands behind `-Wp,`: gcc's preprocessor takes the dependency file as the value of `-MD`."""
    kept: list[str] = []
    for word in words:
        kept += ["-MF", word] if kept[-1:] in (["-MD"], ["-MMD"]) else [word]
    return kept
