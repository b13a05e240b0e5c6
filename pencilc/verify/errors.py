"""The ways a verification can fail to take place at all."""

from __future__ import annotations


class ToolMissing(Exception):
    """An outside tool or device is missing (exit status 5)."""


class BuildFailed(Exception):
    """gcc, g++ or nvcc rejected a file; `output` is what the tool said."""

    def __init__(self, message: str, output: str) -> None:
        self.output = output
        super().__init__(f"{message}\n{output}".rstrip())

    @property
    def first_error(self) -> str:
        """The first line that says what is wrong."""
        return next((line for line in self.output.splitlines() if "error:" in line), "gcc refuses it")


class InputsError(Exception):
    """The user's inputs or sizes cannot be used (exit status 2)."""
