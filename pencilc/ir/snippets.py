"""Functions that a remedy calls: one that the text of the file has already, or one to be added to it."""

from __future__ import annotations

import re

from pencilc.ir.rewrite import fresh_name
from pencilc.records import dataclass

# How an operator is called where it has to be added, by its sign.
_NAMES = {
    "+": "add", "*": "multiply", "min": "smaller", "max": "larger", "&": "both", "|": "either", "^": "differing",
    "&&": "all", "||": "any",
}  # fmt: skip
_BODIES = {"min": "a < b ? a : b", "max": "a > b ? a : b"}
SIGNS = tuple(_NAMES)
_NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?[fFlLuU]*"


@dataclass(frozen=True, slots=True)
class Helper:
    """A function to call: its name, and its definition where the file has none."""

    name: str
    definition: str

    @property
    def added(self) -> str:
        """`, and … before the function`, or nothing."""
        return f", and `{self.definition}` before the function" if self.definition else ""


def operator_in(text: str, sign: str, ctype: str) -> Helper:
    """A function of the file `text` that does `sign` (`+`, `min`, …) to two values of type `ctype`, or one to add."""
    spelling, result = re.escape(ctype), _BODIES.get(sign, f"a {sign} b")
    same = rf"\b{spelling}\s+(\w+)\s*\(\s*{spelling}\s+(\w+)\s*,\s*{spelling}\s+(\w+)\s*\)"
    escaped = re.escape(sign)
    body = rf"\s*\{{\s*return\s+(?:\2\s*{escaped}\s*\3|\3\s*{escaped}\s*\2)\s*;\s*\}}"
    if sign in _BODIES:
        relation = "<" if sign == "min" else ">"
        body = rf"\s*\{{\s*return\s+(?:\2\s*{relation}=?\s*\3\s*\?\s*\2\s*:\s*\3)\s*;\s*\}}"
    if found := re.search(same + body, text):
        return Helper(found.group(1), "")
    name = fresh_name(_NAMES[sign], set(re.findall(r"\w+", text)))
    return Helper(name, f"static {ctype} {name}({ctype} a, {ctype} b) {{ return {result}; }}")


def init_in(text: str, value: str, ctype: str, called: str = "init") -> Helper:
    """A function of the file `text` that writes the number `value` to a variable of `ctype`, or one to be added.

    `called` is its name then, where the value is neither 0 nor 1.
    """
    spelling = re.escape(ctype)
    pattern = rf"\bvoid\s+(\w+)\s*\(\s*{spelling}\s*\*\s*(\w+)\s*\)\s*\{{\s*\*\s*\2\s*=\s*({_NUMBER})\s*;\s*\}}"
    wanted = number_in(value)
    for found in re.finditer(pattern, text):
        if wanted is not None and number_in(found.group(3)) == wanted:
            return Helper(found.group(1), "")
    named = {0.0: "zero", 1.0: "one"}.get(-1.0 if wanted is None else wanted, called)
    name = fresh_name(named, set(re.findall(r"\w+", text)))
    return Helper(name, f"static void {name}({ctype} *v) {{ *v = {value}; }}")


def number_in(text: str) -> float | None:
    """The value of a decimal constant of C; None for anything else."""
    return float(text.rstrip("fFlLuU")) if re.fullmatch(_NUMBER, text) else None
