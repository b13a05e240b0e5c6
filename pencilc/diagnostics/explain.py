"""`pencilc explain`: the long text of a diagnostic with an example, and the index of all."""

from __future__ import annotations

import difflib
import re
from functools import cache
from pathlib import Path

from pencilc.diagnostics.codes import BY_NAME, REGISTRY, Code

_EXAMPLES = Path(__file__).with_name("examples.md")
_SECTION = re.compile(r"^## (PC\d{4})\n(.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)


def find(code: str) -> Code | None:
    """The entry of `PC0201`, `0201` or a name such as `reduction-read`."""
    key = code.upper()
    return REGISTRY.get(key if key.startswith("PC") else f"PC{key}") or BY_NAME.get(code.lower())


def explanation(code: str) -> str | None:
    """The long text of a code with an example, or None if there is no such code."""
    found = find(code)
    if found is None:
        return None
    flag = f", -W{found.name}" if found.may_warn else ""
    kinds = " or ".join(s.value for s in found.severities)
    example = examples().get(found.code, "")
    return f"{found.code} {found.name} ({kinds}{flag})\n{found.title}\n\n{found.text}\n" + (
        f"\n{example}\n" if example else ""
    )


def index() -> str:
    """One line for each code."""
    width = max(len(name) for name in BY_NAME)
    return "".join(
        f"{c.code}  {'/'.join(s.value[0].upper() for s in c.severities):3}  {c.name:{width}}  {c.title}\n"
        for c in REGISTRY.values()
    )


def meant(code: str) -> str:
    """The code or name that was probably meant, or the empty string."""
    close = difflib.get_close_matches(code.lower(), list(BY_NAME), 1) or difflib.get_close_matches(
        code.upper() if code.upper().startswith("PC") else f"PC{code}", list(REGISTRY), 1, 0.8
    )
    return close[0] if close else ""


@cache
def examples() -> dict[str, str]:
    """The example of each code, as Markdown: a wrong program, then a right one, each with a remark."""
    text = _EXAMPLES.read_text(encoding="utf-8")
    return {match.group(1): match.group(2).strip() for match in _SECTION.finditer(text)}
