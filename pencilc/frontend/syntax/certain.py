"""Whether text that the parser cannot read is no C for any compiler.

Host code may be GNU C, and may use macros and types of headers that pencilc does not read: what it cannot read is left
to the host's compiler.  A statement is certainly at fault if it holds nothing that could be one of these: each of its
names is declared or a keyword of C99, and none of its punctuation is an extension.

    f(3, a) return 0;        certain: a `;` is missing
    retrun 0;                certain: no type and no macro is called that
    TAILQ_FOREACH(x, y) {    left alone: the name may be a macro
    int m = ({ a; });        left alone: GNU C
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise

from pencilc.frontend.syntax.lexing import Token
from pencilc.frontend.syntax.near_names import nearest
from pencilc.records import dataclass

_TYPES = ("void", "char", "short", "int", "long", "float", "double", "signed", "unsigned", "_Bool", "const", "volatile")
_KEYWORDS = frozenset((
    "break", "case", "continue", "default", "do", "else", "enum", "for", "goto", "if", "return", "sizeof", "struct",
    "switch", "typedef", "union", "while", *_TYPES,
))  # fmt: skip
# Words of other dialects; what stands before a name alone in old C; types that the stubs of headers leave out.
_DOUBTFUL = frozenset((
    "asm", "typeof", "nullptr", "constexpr", "auto", "register", "static", "extern", "inline", "float_t", "double_t",
    "max_align_t",
))  # fmt: skip
_NUMBER = re.compile(
    r"(?:0[xX][\da-fA-F]+|\d+)[uUlL]*|(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?[fFlL]?"
    r"|0[xX][\da-fA-F]*\.?[\da-fA-F]*[pP][-+]?\d+[fFlL]?"
)
_OPERANDS = ("name", "number", "string")


@dataclass(frozen=True, slots=True)
class Names:
    """The names that are declared where the parser stopped, and whether each is a type.

    `all_read` says that no other name can have a meaning: every header has been read as gcc reads it.
    """

    declared: Mapping[str, bool]
    all_read: bool = False


def is_certain(stream: Sequence[Token], offset: int, names: Names) -> bool:
    """Whether the statement of a function body, of which `stream` are the tokens, is at fault for every compiler."""
    at = next((k for k, token in enumerate(stream) if token.start >= offset), None)
    if at is None or stream[at].text == "{" or _in_struct(stream, at):
        return False
    start, end = at, at
    while start and stream[start - 1].text not in ("{", "}", ";"):
        start -= 1
    while end < len(stream) - 1 and stream[end].text not in ("{", "}", ";"):
        end += 1
    statement = stream[start : end + 1]
    if not all(_is_known(statement, k, names) for k in range(len(statement))):
        return False
    before = stream[max(start - 1, 0) : start]
    return not _has_extension([*before, *statement], names) and not _is_function(statement, at - start, names)


def _is_known(statement: Sequence[Token], k: int, names: Names) -> bool:
    """Whether a token has the meaning that it seems to have."""
    token = statement[k]
    if token.kind == "op":
        return token.text not in "@$`\\#"
    if token.kind == "number":
        return _NUMBER.fullmatch(token.text) is not None
    if token.kind != "name":
        return True
    before = statement[k - 1].text if k else ""
    if token.text in names.declared or token.text in _KEYWORDS:
        return not (before == "goto" and names.declared.get(token.text))
    if token.text in _DOUBTFUL or re.match(r"_[_A-Z]", token.text):
        return False
    if _is_type(statement[0], names) and (before in ("*", ",") or _is_type(statement[k - 1], names)):
        behind = statement[k + 1].text if k + 1 < len(statement) else ";"
        return names.all_read or behind in ("=", ",", ";", "[")  # It is declared here.
    if before in (".", "->", "struct", "union", "enum", "goto"):
        return True
    return names.all_read or (k == 0 and _is_misspelt_return(statement))


def _is_misspelt_return(statement: Sequence[Token]) -> bool:
    """Whether it is `retrun x;` or the like, which nobody's type or macro would look like."""
    word, behind = statement[0], statement[1:2]
    is_before_operand = bool(behind) and behind[0].kind in _OPERANDS
    return is_before_operand and word.text.isalpha() and word.text.islower() and bool(nearest(word.text, ("return",)))


def _has_extension(statement: Sequence[Token], names: Names) -> bool:
    """Whether the punctuation of a statement may be GNU C or a later C."""
    texts = [token.text for token in statement]
    for k, (left, right) in enumerate(pairwise(texts)):
        behind_operand = statement[k].kind in _OPERANDS or left in (")", "]")
        if (left, right) in ((".", "."), ("?", ":"), ("[", "["), ("goto", "*"), ("{", "}")):
            return True
        if (left, right) == ("&", "&") and not (k and (statement[k - 1].kind in _OPERANDS or texts[k - 1] in ")]")):
            return True  # The address of a label.
        if right == ":" and k and texts[k - 1] in ("{", ",") and statement[k].kind == "name":
            return True  # A member's initialiser in old GNU C.
        if left == "]" and right != "=" and texts[0] in ("{", ",") and "[" in texts[1:2]:
            return True  # An element's.
        if right == ":" and behind_operand and names.declared.get(left):
            return True  # A label with the name of a type.
    return False


def _is_function(statement: Sequence[Token], at: int, names: Names) -> bool:
    """Whether a function in the function may begin here, with the declarations of its parameters behind them."""
    if not at or statement[at - 1].text != ")":
        return False
    return all(_is_type(token, names) for token in (statement[0], statement[at]))


def _is_type(token: Token, names: Names) -> bool:
    return token.text in (*_TYPES, "struct", "union", "enum") or names.declared.get(token.text, False)


def _in_struct(stream: Sequence[Token], at: int) -> bool:
    """Whether a token stands among the members of a struct, where gcc does without the last `;`."""
    depth = 0
    for k in range(at - 1, -1, -1):
        depth += {"}": 1, "{": -1}.get(stream[k].text, 0)
        if depth < 0:
            return any(token.text in ("struct", "union", "enum") for token in stream[max(k - 2, 0) : k])
    return False
