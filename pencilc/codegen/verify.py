"""The verifier of the CUDA text: every placeholder is named and every bracket closed."""

from __future__ import annotations

import re

from pencilc.diagnostics.diagnostic import CompilerBug

_PAIRS = {")": "(", "]": "[", "}": "{"}


def verify_cuda(text: str) -> None:
    """Raise CompilerBug if a name of a template was left open, or brackets do not match."""
    code = re.sub(r'//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'', "", text)
    left = re.search(r"@\w+", code)
    if left:
        raise CompilerBug(f"`{left.group()}` was not given a name in the CUDA text")
    open_brackets: list[str] = []
    for character in re.findall(r"[()\[\]{}]", code):
        if character in "([{":
            open_brackets.append(character)
        elif not open_brackets or open_brackets.pop() != _PAIRS[character]:
            raise CompilerBug(f"unmatched `{character}` in the CUDA text")
    if open_brackets:
        raise CompilerBug(f"unclosed `{open_brackets[-1]}` in the CUDA text")
