"""Names that look like one that is not known: `did you mean …?`."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


def did_you_mean(name: str, known: Iterable[str]) -> tuple[str, ...]:
    """`did you mean …?` with the closest of the known names, if one is close."""
    folded = {each.lower(): each for each in known}
    close = difflib.get_close_matches(name.lower(), list(folded), 1, 0.75)
    return (f"did you mean `{folded[close[0]]}`?",) if close else ()
