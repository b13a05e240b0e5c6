"""The little lexical knowledge of C that positions in text need: top-level chunks and statement ends."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from pencilc.records import dataclass

_TOKEN = re.compile(
    r"(?P<pragma>^[ \t]*\#[^\n]*)|(?P<comment>//(?:\\\n|[^\n])*|/\*.*?(?:\*/|\Z))"
    r"|(?P<string>L?\"(?:\\.|[^\"\\\n])*\"?|L?'(?:\\.|[^'\\\n])*'?)|(?P<name>[A-Za-z_]\w*)"
    r"|(?P<number>\.?\d(?:[eEpP][+-]|[\w.])*)|(?P<op>->|\S)",
    re.DOTALL | re.MULTILINE,
)
OPENING = {"(": ")", "[": "]", "{": "}"}
# The words behind which a parenthesis stands that another statement follows.
HEADED = ("for", "while", "if", "switch")


@dataclass(frozen=True, slots=True)
class Token:
    """A token: its kind, text, and offset in the text."""

    kind: str
    text: str
    start: int

    @property
    def end(self) -> int:
        """The offset after the token."""
        return self.start + len(self.text)


@dataclass(frozen=True, slots=True)
class Chunk:
    """A declaration at file scope, as offsets; `body` is the offset of `{` of a function body, or -1."""

    start: int
    end: int
    body: int
    name: str


class Unbalanced(Exception):
    """A bracket without partner: the offset of the bracket, and what is missing."""

    def __init__(self, offset: int, message: str) -> None:
        self.offset = offset
        super().__init__(message)


def tokens(text: str, start: int = 0) -> list[Token]:
    """All tokens of `text` from offset `start`, comments left out; a pragma line is one token."""
    return list(_tokens(text, start))


def _tokens(text: str, start: int) -> Iterator[Token]:
    for match in _TOKEN.finditer(text, start):
        if match.lastgroup != "comment":
            yield Token(match.lastgroup or "op", match.group(), match.start())


class _Ahead:
    """The tokens from an offset on, found as they are asked for: a statement is short, what follows it may be long."""

    def __init__(self, text: str, start: int) -> None:
        self._more = _tokens(text, start)
        self._found: list[Token] = []

    def has(self, at: int) -> bool:
        """Whether there is a token number `at`."""
        while len(self._found) <= at:
            token = next(self._more, None)
            if token is None:
                return False
            self._found.append(token)
        return True

    def __getitem__(self, at: int) -> Token:
        if not self.has(at):
            raise IndexError(at)
        return self._found[at]


def split_chunks(text: str) -> list[Chunk]:
    """The declarations and definitions at file scope, in order; raises Unbalanced."""
    chunks: list[Chunk] = []
    open_brackets: list[Token] = []
    current: list[Token] = []  # the tokens at depth 0 of this chunk, and names that parentheses have for themselves
    inside: list[Token] = []  # those between the last brackets
    body = -1
    for token in tokens(text):
        if token.kind == "pragma":
            continue
        if token.text in OPENING and token.kind == "op":
            if not open_brackets and token.text == "{" and current and current[-1].text == ")":
                body = token.start
            open_brackets.append(token)
            if len(open_brackets) == 1:
                current.append(token)
                inside = []
            else:
                inside.append(token)
        elif token.text in ")]}" and token.kind == "op":
            _close(open_brackets, token)
            if not open_brackets:
                is_name = token.text == ")" and [each.kind for each in inside] == ["name"]
                current += [*(inside if is_name else ()), token]
        elif open_brackets:
            inside.append(token)
        else:
            current.append(token)
        if not open_brackets and current and (token.text == ";" or (body >= 0 and token.text == "}")):
            chunks.append(Chunk(current[0].start, token.end, body, _declared_name(current)))
            current, body = [], -1
    if open_brackets:
        raise Unbalanced(open_brackets[-1].start, f"`{open_brackets[-1].text}` is never closed")
    if current:
        chunks.append(Chunk(current[0].start, current[-1].end, body, _declared_name(current)))
    return chunks


def _close(open_brackets: list[Token], token: Token) -> None:
    if not open_brackets:
        raise Unbalanced(token.start, f"`{token.text}` closes nothing")
    if OPENING[open_brackets[-1].text] != token.text:
        opener = open_brackets[-1]
        # The bracket that the eye should go to: a missing `)` is found at the `}` after it.
        raise Unbalanced(opener.start, f"`{opener.text}` is not closed before `{token.text}`")
    open_brackets.pop()


def _declared_name(current: Sequence[Token]) -> str:
    """The name before the first parenthesis, or in it before another, or the last name of the declaration."""
    last = ""
    texts = [token.text for token in current]
    for at, token in enumerate(current):
        if token.text == "(" and last:
            return texts[at + 1] if texts[at + 2 : at + 4] == [")", "("] else last
        if token.text in ("=", "["):
            return last
        if token.kind == "name":
            last = token.text
    return last


def statement_end(text: str, start: int) -> int:
    """The offset after the statement that begins at `start`; a pragma is one if nothing but the block's end follows."""
    stream = _Ahead(text, start)
    behind = 0
    while stream.has(behind) and stream[behind].kind == "pragma":
        behind += 1
    if behind and (not stream.has(behind) or stream[behind].text == "}"):
        return stream[behind - 1].end
    return stream[_skip_statement(stream, 0) - 1].end


def _skip_statement(stream: _Ahead, at: int) -> int:
    while stream[at].kind == "pragma":
        at += 1
    word = stream[at].text
    if word == "{":
        return _skip_brackets(stream, at)
    if word in ("for", "while", "if", "switch"):
        at = _skip_statement(stream, _skip_brackets(stream, at + 1))
        if word == "if" and stream.has(at) and stream[at].text == "else":
            at = _skip_statement(stream, at + 1)
        return at
    if word == "do":
        at = _skip_statement(stream, at + 1)
    while stream[at].text != ";":
        at = _skip_brackets(stream, at) if stream[at].text in OPENING else at + 1
    return at + 1


def _skip_brackets(stream: _Ahead, at: int) -> int:
    depth = 0
    while True:
        if stream[at].text in OPENING:
            depth += 1
        elif stream[at].text in (")", "]", "}"):
            depth -= 1
        at += 1
        if depth <= 0:
            return at
