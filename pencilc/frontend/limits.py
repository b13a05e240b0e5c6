"""How large an input may be, so that any input ends with an answer within seconds.

The limits are far beyond what people write; they are counts and not times, so that the answer is the same everywhere.
"""

from __future__ import annotations

import re

from pencilc.records import dataclass

CHARACTERS = 2_000_000  # of all files that are read, and of what macros make
EXPANSION = 100_000  # tokens of macros in macros
ARGUMENTS = 1_000_000  # tokens of the arguments of macros in arguments of others, each as often as it is read
FILES = 2_000  # that are included, each as often as it is
DEPTH = 200  # of files that include each other
CONDITIONS = 5_000  # of `#if` and `#elif`
CONDITION_TOKENS = 1_000  # in one of them
TOKENS = 300_000  # of the preprocessed text
TOKEN = 100_000  # characters of one of them
BRACKETS = 256  # that are open at one point
STATEMENTS = 1_500  # of a region
ALL_STATEMENTS = 2_000  # of all regions of a file
INNER_LOOPS = 400  # of all regions of a file, those inside of others
REGIONS = 500  # of a file
MEMBERS = 2_000  # of a struct, those of its members included
ELEMENTS = 300_000  # of the arrays of a file that are initialised, those that the initialiser leaves out included
RUN = 5_000  # tokens of one expression or declarator

_TOKEN = re.compile(
    r"^[ \t]*\#[^\n]*|(?P<long>\"(?:\\.|[^\"\\\n])*\"?|'(?:\\.|[^'\\\n])*'?|\w+)|(?P<open>[(\[{])|(?P<close>[)\]}])"
    r"|(?P<stop>[;,])|[^\s\w]",
    re.MULTILINE,
)


class TooLarge(Exception):
    """A limit of the preprocessor is met; the message names it."""


@dataclass(frozen=True, slots=True)
class Beyond:
    """The limit that a text exceeds, and where, as an offset."""

    offset: int
    code: str
    message: str


def more_than(count: int, what: str) -> str:
    """The message about a limit."""
    return f"more than {count:,} {what}: pencilc reads no further"


def beyond(text: str) -> Beyond | None:
    """The first limit that the preprocessed text exceeds, or None."""
    run = depth = 0
    for count, match in enumerate(_TOKEN.finditer(text)):
        run += 1
        kind = match.lastgroup
        if kind == "open":
            depth += 1
            run = 0 if match.group() == "{" else run
        elif kind == "close":
            depth -= 1
            run = 0 if match.group() == "}" else run
        elif kind == "stop":
            run = 0
        elif kind == "long" and match.end() - match.start() > TOKEN:
            return Beyond(match.start(), "PC0006", more_than(TOKEN, "characters in one token"))
        if count >= TOKENS:
            return Beyond(match.start(), "PC0006", more_than(TOKENS, "tokens"))
        if depth > BRACKETS:
            return Beyond(match.start(), "PC0004", more_than(BRACKETS, "brackets are open in each other"))
        if run > RUN:
            return Beyond(match.start(), "PC0004", more_than(RUN, "tokens in one expression or declarator"))
    return None
