"""The patch: a unified diff that `patch` and `git apply` take."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Sequence
from pathlib import Path

_CONTEXT = 3
_MARK = b"\xef\xbb\xbf"


def as_stored(path: str, text: str) -> str:
    """A text with the line ends, and the byte order mark, of the file that it was read from."""
    data = b"" if path == "-" else Path(path).read_bytes()
    text = text.replace("\n", "\r\n") if b"\r\n" in data else text
    return f"\ufeff{text}" if data.startswith(_MARK) else text


def unified(path: str, before: str, after: str, wrappers: Sequence[str] = ()) -> str:
    """The diff, empty where nothing changes.

    `wrappers` are pieces of `after` that are new as a whole, though they begin as what stands in `before` does: without
    that a function with a new head would be shown as another one in front of it.
    """
    if before == after:
        return ""
    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    matched = list(new)
    for wrapper in wrappers:
        at = after.find(wrapper)
        first = after.count("\n", 0, at)
        for k in range(first + 1, first + 1 + wrapper.rstrip("\n").count("\n")) if at >= 0 else ():
            matched[k] = f"{k}\0{new[k]}"
    shown = path.lstrip("/")
    out = [f"--- a/{shown}\n", f"+++ b/{shown}\n"]
    for group in difflib.SequenceMatcher(None, old, matched, autojunk=False).get_grouped_opcodes(_CONTEXT):
        (_, old_first, _, new_first, _), (_, _, old_last, _, new_last) = group[0], group[-1]
        out.append(f"@@ -{_range(old_first, old_last)} +{_range(new_first, new_last)} @@\n")
        for kind, i1, i2, j1, j2 in group:
            if kind == "equal":
                out += _marked(" ", old[i1:i2])
            else:
                out += _marked("-", old[i1:i2])
                out += _marked("+", new[j1:j2])
    return "".join(out)


def _range(start: int, end: int) -> str:
    length = end - start
    first = start + 1 if length else start
    return str(first) if length == 1 else f"{first},{length}"


def _marked(sign: str, lines: Sequence[str]) -> Iterator[str]:
    for line in lines:
        yield f"{sign}{line}" if line.endswith("\n") else f"{sign}{line}\n\\ No newline at end of file\n"
