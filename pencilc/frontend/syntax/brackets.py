"""What is opened and never closed: comments, strings, characters, parentheses, brackets and braces.

Each is told where it opens.  Text that does not balance is looked at with its layout in mind: a `}` at the start of a
line ends a function, and a `}` that stands further left than the line of its `{` closes another one.
"""

from __future__ import annotations

import re
from itertools import pairwise

from pencilc.frontend.syntax.lexing import HEADED, OPENING, Token, tokens
from pencilc.records import dataclass

_QUOTED = r"\"(?:\\.|\\\n|[^\"\\\n])*\"?|'(?:\\.|\\\n|[^'\\\n])*'?"
_PIECES = re.compile(rf"//(?:\\\n|[^\n])*|/\*.*?\*/|{_QUOTED}|(?P<open>/\*)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Unclosed:
    """What is wrong and where, as an offset in the text."""

    offset: int
    message: str


def unclosed_comment(text: str) -> int | None:
    """The offset of a `/*` without `*/`, or None."""
    return next((m.start() for m in _PIECES.finditer(text) if m.group("open")), None)


def unclosed_quotes(text: str) -> list[Unclosed]:
    """Strings and characters that do not end on their line."""
    found = []
    for token in tokens(text):
        if token.kind == "string":
            quoted = token.text.removeprefix("L")
            if len(quoted) < 2 or quoted[-1] != quoted[0] or re.search(r"(?<!\\)(?:\\\\)*\\.\Z", quoted, re.DOTALL):
                what = "string" if quoted[0] == '"' else "character constant"
                found.append(Unclosed(token.start, f"this {what} is never closed"))
    return found


def unbalanced(text: str) -> tuple[list[Unclosed], str]:
    """The brackets without partner, and the text without the declarations that they stand in."""
    search = _Search(text)
    for token in tokens(text):
        if token.kind != "pragma":
            search.take(token)
    search.end()
    for start, end in search.bad:
        text = text[:start] + re.sub(r"[^\n]", " ", text[start:end]) + text[end:]
    return search.found, text


class _Search:
    """One walk over the tokens of a text that does not balance."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.found: list[Unclosed] = []
        self.bad: list[tuple[int, int]] = []  # the declarations and statements with faults, as offsets
        self.open: list[Token] = []
        self.suspect: Token | None = None  # a `{` that another one's `}` seems to have closed
        self.early: Token | None = None  # a `}` that closed a function but is indented
        self.start = -1  # of the declaration at hand
        self.statement = -1  # where the statement at hand begins
        self.lost = False  # a parenthesis is missing in it
        self.faulty = False  # a brace is missing: what comes behind it in the same declaration may follow from that
        self.semicolons = 0
        self.previous: Token | None = None

    def take(self, token: Token) -> None:
        """Go on by one token."""
        self.start = token.start if self.start < 0 else self.start
        self.statement = token.start if self.statement < 0 else self.statement
        if token.kind != "op":
            self.previous = token
            return
        if token.text in OPENING:
            self._open(token)
        elif token.text in (")", "]"):
            self._close(token)
        elif token.text == "}":
            self._close_brace(token)
        elif token.text == ";":
            self._semicolon(token)
        self.previous = token
        if token.text in "{};" and (not self.open or self.open[-1].text == "{"):
            if self.lost and token.text == "{" and len(self.open) == 1:
                self.faulty = True  # There is no function around the body without its head.
            elif self.lost:
                self.bad.append((self.statement, token.start))
            self.statement, self.lost = -1, False
        if token.text in (";", "}") and not self.open:
            self._declaration_ends(token.end)

    def end(self) -> None:
        """The text is over."""
        if self.open:
            opener = self.suspect or self.open[-1]
            self._tell(opener.start, f"this `{opener.text}` is never closed")
            self._declaration_ends(len(self.text))

    def _open(self, token: Token) -> None:
        inside = self.open and self.open[-1].text == "("
        before = "" if self.previous is None else self.previous.text
        if token.text == "{" and inside and before not in (")", "(", "=", ",", "{", "]"):
            self._unclosed_before(token)
        self.open.append(token)
        self.semicolons = 0

    def _close(self, token: Token) -> None:
        if not self.open or self.open[-1].text == "{":
            missing = self._unopened(token) if token.text == ")" else None
            if missing is not None:
                self._tell(missing.start, f"expected `(` before `{missing.text}`", in_statement=True)
            else:
                self._tell(token.start, f"`{token.text}` closes nothing", in_statement=True)
            return
        opener = self.open.pop()
        if OPENING[opener.text] == token.text:
            return
        if self.open and OPENING[self.open[-1].text] == token.text:
            self.open.pop()
        self._tell(opener.start, f"this `{opener.text}` is not closed before `{token.text}`", in_statement=True)

    def _unopened(self, closing: Token) -> Token | None:
        """What stands where the `(` of an `if` or a loop is missing that `closing` ends, in the statement at hand."""
        stream = [t for t in tokens(self.text[: closing.start], self.statement) if t.kind != "pragma"]
        for before, behind in pairwise(stream):
            if before.text in HEADED and behind.text != "(":
                return behind
        return None

    def _close_brace(self, token: Token) -> None:
        if self.open and self.open[-1].text != "{":
            self._unclosed_before(token)
        if not self.open:
            culprit = self.early or token
            self._tell(culprit.start, "`}` closes nothing" if culprit is token else "this `}` is one too many")
            self.early = None
            return
        ends_function = self._begins_line(token) and self._indent(token) == 0
        if ends_function and len(self.open) > 1 and self._indent(self.open[-1]) > 0:
            opener = self.suspect or self.open[-1]
            self._tell(opener.start, "this `{` is never closed")
            self.open = []
            return
        opener = self.open.pop()
        if self._begins_line(token):
            if self._indent(token) < self._indent(opener):
                self.suspect = self.suspect or opener
            elif self._indent(token) > self._indent(opener) and not self.open:
                self.early = token

    def _semicolon(self, token: Token) -> None:
        if not self.open or self.open[-1].text == "{":
            return
        self.semicolons += 1
        before = self.text[: self.open[0].start if self.open[-1].text != "(" else self.open[-1].start].rstrip()
        if self.open[-1].text != "(" or not re.search(r"\bfor$", before) or self.semicolons > 2:
            self._unclosed_before(token)

    def _unclosed_before(self, token: Token) -> None:
        """The parentheses and brackets that are open when a token comes that cannot stand in them."""
        opener = self.open[-1]
        while self.open and self.open[-1].text != "{":
            opener = self.open.pop()
        self._tell(opener.start, f"this `{opener.text}` is not closed before `{token.text}`", in_statement=True)

    def _tell(self, offset: int, message: str, in_statement: bool = False) -> None:
        """Keep the first fault of a statement; a brace that is missing takes all of its declaration with it."""
        if not (self.faulty or self.lost):
            self.found.append(Unclosed(offset, message))
        self.lost = in_statement
        self.faulty = self.faulty or not in_statement

    def _declaration_ends(self, end: int) -> None:
        if self.faulty:
            self.bad.append((max(self.start, 0), end))
        self.start, self.statement, self.suspect, self.open = -1, -1, None, []
        self.faulty = self.lost = False
        self.previous = None

    def _line(self, token: Token) -> str:
        return self.text[self.text.rfind("\n", 0, token.start) + 1 : token.start]

    def _begins_line(self, token: Token) -> bool:
        return not self._line(token).strip()

    def _indent(self, token: Token) -> int:
        line = self._line(token).expandtabs(8) + token.text
        return len(line) - len(line.lstrip())
