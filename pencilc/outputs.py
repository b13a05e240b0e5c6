"""The files a compilation writes: whole or not at all, dependency files as gcc's, nothing over an input."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Mapping
from importlib import resources
from pathlib import Path

from pencilc.records import dataclass

_WIDTH = 78


class CannotWrite(Exception):
    """A file that cannot be written, or must not be; the text says which and why."""


def write_all(files: Mapping[str, str]) -> None:
    """Write all files whole or none; a file whose bytes stay the same keeps its time stamp.

    Raises CannotWrite.
    """
    staged: list[tuple[str, Path]] = []
    try:
        for name, text in files.items():
            path, data = Path(name), text.encode("utf-8", "surrogateescape")
            if path.is_file() and path.read_bytes() == data:
                continue
            if path.exists() and not path.is_file():
                path.write_bytes(data)  # A device or a pipe is written to, not replaced.
                continue
            target = path.resolve() if path.is_symlink() else path
            staged.append((_stage(target, data), target))
        for temporary, path in staged:
            Path(temporary).replace(path)
    except OSError as error:
        for temporary, _ in staged:
            Path(temporary).unlink(missing_ok=True)
        names = ", ".join(files)
        raise CannotWrite(f"cannot write {names}: {error.strerror}") from error


def _stage(path: Path, data: bytes) -> str:
    """A temporary file beside `path` with `data`, with the mode that a new file gets."""
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    with os.fdopen(handle, "wb") as stream:
        stream.write(data)
    umask = os.umask(0)
    os.umask(umask)
    Path(temporary).chmod(0o666 & ~umask)
    return temporary


def same_file(one: str, other: str) -> bool:
    """Whether two names mean one file, there already or not."""
    return Path(one).resolve() == Path(other).resolve()


# ---- dependency files ----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Dependencies:
    """What `-MD -MMD -MF -MT -MQ -MP` ask for; `targets` are already quoted, empty for the outputs."""

    file: str
    targets: tuple[str, ...]
    system: bool
    phony: bool

    def text(self, outputs: Iterable[str], source: str, headers: Iterable[str]) -> str:
        """The make rule: every output needs the source, its headers and our templates."""
        targets = self.targets or tuple(quoted(name) for name in outputs)
        needed = [source, *(h for h in headers if h != source)]
        lines = _folded(f"{' '.join(targets)}:", [quoted(name) for name in needed])
        if self.phony:
            lines += [f"{quoted(name)}:" for name in needed[1:]]
        return "\n".join(lines) + "\n"


def quoted(name: str) -> str:
    """A file name as make reads it."""
    text = name.replace("$", "$$").replace("#", "\\#")
    return "".join(f"\\{c}" if c in " \t" else c for c in text)


def _folded(head: str, words: list[str]) -> list[str]:
    lines = [head]
    for word in words:
        if len(lines[-1]) + len(word) + 3 > _WIDTH and lines[-1].strip():
            lines[-1] += " \\"
            lines.append("")
        lines[-1] += f" {word}"
    return lines


def template_files() -> list[str]:
    """The templates that make the CUDA text."""
    folder = Path(str(resources.files("pencilc_templates")))
    return sorted(str(path) for path in folder.rglob("*.j2"))
