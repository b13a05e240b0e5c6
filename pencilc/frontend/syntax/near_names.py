"""Names that look like one that is not known: `did you mean …?`."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


def nearest(name: str, known: Iterable[str], cutoff: float = 0.75) -> str:
    """The closest of the known names; empty if none is close."""
    folded = {each.lower(): each for each in known}
    letters = sorted(name.lower())
    for each, spelling in folded.items():
        if sorted(each) == letters:
            return spelling  # Two letters have changed places.
    close = difflib.get_close_matches(name.lower(), list(folded), 1, cutoff)
    return folded[close[0]] if close else ""
