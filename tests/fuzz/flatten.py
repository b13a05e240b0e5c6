"""Arrays of two dimensions as many write them: one, with `A[(i) * m + (j)]` in the place of `A[i][j]`."""

from __future__ import annotations

import random
import re

FIRST_SEED = 1_193_000  # programs of older seeds are what they were
_ARRAYS = ("A", "D", "U", "F", "Q")
_SHARE = 0.2  # of programs
FIRST_WHOLE_SEED = 1_200_000  # from here on some flattened arrays are also walked as what they are
_WHOLE = {
    "A": "A[p] = A[{at}] % 1000 + {more}",
    "U": "U[p] = U[{at}] / 2 + {more}",
    "D": "D[p] = D[{at}] * 0.5 + {more}",
    "F": "F[p] = F[{at}] * 0.5f + {more}",
}


def flattened(function: str, seed: int, always: bool = False) -> str:
    """`function` with some of its arrays flattened, in one program of five; those that are handed on as rows stay."""
    drawn = random.Random(f"flat {seed}")
    if not always and (seed < FIRST_SEED or drawn.random() >= _SHARE):
        return function
    head, brace, body = function.partition("{\n")
    for name in _ARRAYS:
        product = drawn.choice(("n * m", "m * n"))
        made = _body(body, name) if always or drawn.random() < 0.7 else None
        if made is not None:
            parameter = f"{name}[static const restrict "
            head = head.replace(f" {parameter}n][m]", f" {parameter}{product}]")
            body = made
            if name in _WHOLE and seed >= FIRST_WHOLE_SEED and drawn.random() < 0.5:
                body = _walked_whole(body, name, drawn)
    return head + brace + body


def _walked_whole(body: str, name: str, drawn: random.Random) -> str:
    """`body` with a loop over all elements of a flattened array behind it."""
    bound = drawn.choice(("n * m", "m * n", "n * (m + 1) - n", "total"))
    more = drawn.choice(("1", "p % 3", "(p < n * m - m)"))
    at = drawn.choice(("p", "p", "n * m - 1 - p"))
    lines = ["    {", "        const int total = m * n;"] if bound == "total" else ["    {"]
    lines += [
        f"        for (int p = 0; p < {bound}; p++)",
        f"            {_WHOLE[name].format(at=at, more=more)};",
        "    }",
    ]
    return body.replace("#pragma endscop", "\n".join([*lines, "#pragma endscop"]), 1)


def _body(text: str, name: str) -> str | None:
    """`text` with the elements of the array written flat; None where it is used in another way."""
    found, at = [], 0
    for match in re.finditer(rf"\b{name}\b", text):
        if match.start() < at:
            return None  # inside of a subscript of its own
        if text[: match.start()].endswith("__pencil_kill("):
            continue
        row = _subscript(text, match.end())
        column = None if row is None else _subscript(text, row[1])
        if row is None or column is None or re.search(rf"\b{name}\b", row[0] + column[0]):
            return None
        found.append(f"{text[at : match.end()]}[({row[0]}) * m + ({column[0]})]")
        at = column[1]
    return "".join(found) + text[at:]


def _subscript(text: str, at: int) -> tuple[str, int] | None:
    """What stands in the brackets at a place, and where they end."""
    if text[at : at + 1] != "[":
        return None
    depth = 0
    for end in range(at, len(text)):
        depth += {"[": 1, "]": -1}.get(text[end], 0)
        if depth == 0:
            return text[at + 1 : end], end + 1
    return None
