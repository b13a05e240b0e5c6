"""Where pencil.h and the stubs of the C library's headers are."""

from pathlib import Path

_INCLUDE_DIR = Path(__file__).resolve().parent.parent / "include"


def include_dir() -> Path:
    """The folder that holds pencil.h; the stubs of C's own headers are in `libc` below it."""
    return _INCLUDE_DIR
