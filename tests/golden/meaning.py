"""Comparison of dumps by meaning: isl objects as sets and relations, all other text word by word.

[n] -> { S[i] : 0 <= i < n }        equals        [n] -> { S[i] : i >= 0 and i <= -1 + n }
"""

from __future__ import annotations

import re
from itertools import zip_longest

import islpy as isl

# The parameters of all objects below, or an isl object as it is printed: braces never nest, parameters of its own may
# stand before them.
_PARAMETERS_OR_OBJECT = re.compile(r"^parameters: (?P<parameters>.*)$|(?:\[[^\[\]{}]*\] -> )?\{[^{}]*\}", re.M)


def difference(expected: str, actual: str) -> str | None:
    """What differs between two dumps, with a sample point where it can be given; None if nothing does."""
    for old, new in zip_longest(_pieces(expected), _pieces(actual), fillvalue=""):
        if old == new:
            continue
        message = _object_difference(old, new) if old.endswith("}") and new.endswith("}") else ""
        if message is not None:
            return f"expected: {old}\nactual:   {new}\n{message}".rstrip()
    return None


def _pieces(text: str) -> list[str]:
    """The text cut into isl objects and the words between them, white space made equal."""
    pieces: list[str] = []
    head = ""
    end = 0
    for found in _PARAMETERS_OR_OBJECT.finditer(text):
        pieces += text[end : found.start()].split()
        end = found.end()
        if found.group("parameters") is not None:
            head = f"[{found.group('parameters')}] -> "
            pieces += found.group().split()
        else:
            shown = " ".join(found.group().split())
            pieces.append(shown if shown.startswith("[") else head + shown)
    return pieces + text[end:].split()


def _object_difference(old: str, new: str) -> str | None:
    """The difference of two isl objects; None if they mean the same, '' if they cannot be compared."""
    expected, actual = _parse(old), _parse(new)
    if isinstance(expected, isl.UnionSet) and isinstance(actual, isl.UnionSet):
        return _set_difference(expected, actual)
    if isinstance(expected, isl.UnionMap) and isinstance(actual, isl.UnionMap):
        return _set_difference(expected.wrap(), actual.wrap())
    return ""


def _parse(text: str) -> isl.UnionSet | isl.UnionMap | None:
    """The object that `text` spells; None where isl does not know it, as the braces of C code."""
    try:
        return isl.UnionMap(text) if "->" in text[text.index("{") :] else isl.UnionSet(text)
    except isl.Error:
        return None


def _set_difference(expected: isl.UnionSet, actual: isl.UnionSet) -> str | None:
    lost, gained = expected.subtract(actual), actual.subtract(expected)
    lines = [
        f"{what}, for example {difference.sample_point()}"
        for what, difference in (("no longer there", lost), ("new", gained))
        if not difference.is_empty()
    ]
    return "\n".join(lines) if lines else None
