"""What goes wrong when pencilc is used from Python: one exception for each way, all of them `PencilcError`s."""

from __future__ import annotations

from pencilc.diagnostics.diagnostic import Diagnostic
from pencilc.diagnostics.render import render_text
from pencilc.diagnostics.source import SourceFile


class PencilcError(Exception):
    """Any failure that `pencilc.compile`, or a call of what it returned, tells of."""


class CompileError(PencilcError):
    """The source cannot be compiled: `diagnostics` are the records, warnings included, `text` is how they are shown."""

    def __init__(self, diagnostics: tuple[Diagnostic, ...], file: SourceFile) -> None:
        self.diagnostics = diagnostics
        self.text = render_text(diagnostics, {file.path: file})
        super().__init__(f"'{file.path}' cannot be compiled\n{self.text}".rstrip())


class CompileWarning(UserWarning):
    """A warning of the compiler, given with `warnings.warn`; the text is as on the command line."""


class NvccMissing(PencilcError):
    """A library for a GPU was asked for, and no nvcc of a version that can build it was found."""


class HostCompilerMissing(PencilcError):
    """A library for the CPU executor needs g++ and binutils, and one of them was not found."""


class LibraryError(PencilcError):
    """The compiler of the generated file refused it, or its library cannot be kept or loaded; `output` is what the
    tool said.
    """

    def __init__(self, message: str, output: str = "") -> None:
        self.output = output
        super().__init__(f"{message}\n{output}".rstrip())


class DeviceMissing(PencilcError):
    """A call needs a GPU, and none can be used here."""


class ArgumentTypeError(PencilcError, TypeError):
    """An argument is of the wrong kind: too many or too few of them, another element type, no array at all."""


class ArgumentValueError(PencilcError, ValueError):
    """An argument is of the right kind and cannot be used: its shape, its range, where it lies in memory."""


class CallFailed(PencilcError):
    """A call did not do its work; arrays on the host are as they were before it, if it ran on the CPU executor.

    `code` is CUDA's error number, 0 where the CPU executor found a fault that is no error of CUDA's or its process
    ended; `faults` are the lines in which the executor tells what it found.
    """

    def __init__(self, message: str, code: int = 0, faults: tuple[str, ...] = ()) -> None:
        self.code = code
        self.faults = faults
        super().__init__("\n  ".join((message, *faults)))
