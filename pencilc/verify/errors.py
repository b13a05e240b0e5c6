"""The ways a verification can fail to take place at all."""

from __future__ import annotations


class ToolMissing(Exception):
    """An outside tool or device is missing (exit status 5)."""


class BuildFailed(Exception):
    """gcc, g++ or nvcc rejected a file; `output` is what the tool said."""

    def __init__(self, message: str, output: str) -> None:
        self.output = output
        super().__init__(f"{message}\n{output}".rstrip())


class InputsError(Exception):
    """The user's inputs or sizes cannot be used (exit status 2)."""
