"""Where generated CUDA can run: the CPU executor, or a GPU through nvcc."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import tempfile
import weakref
from collections.abc import Mapping, Sequence
from pathlib import Path
from threading import Lock
from typing import Literal, Protocol

from pencilc.target import DEFAULT, Target
from pencilc.verify import cudacpu
from pencilc.verify.errors import BuildFailed, ToolMissing
from pencilc.verify.sequential import run_tool

Mode = Literal["check", "plain"]


class Executor(Protocol):
    """Builds a `.cu` and says how to run it; a fake one makes tests quick."""

    orders: tuple[str, ...]

    def build(self, source: Path, output: Path, *, shared: bool, objects: Sequence[Path] = ()) -> None:
        """Build `source`, linked with `objects`, as a shared library or a program."""

    def environment(self, order: str, timeout_s: float, most_launches: int | None = None) -> Mapping[str, str]:
        """The environment variables of a run with this thread order, ended behind so many launches on the CPU."""


class CpuExecutor:
    """CUDA on the CPU, one fiber for each thread, with the detector in mode `check`.

    A text is compiled once, however often it is linked: as the library of its functions and into a whole program.
    `target`: the GPU whose form of the code runs, where the text has several.
    """

    def __init__(self, orders: tuple[str, ...], mode: Mode, target: Target = DEFAULT) -> None:
        self.orders = orders
        self.target = target
        self.mode: Mode = mode
        self._folder = Path(tempfile.mkdtemp(prefix="pencilc-objects-"))
        weakref.finalize(self, shutil.rmtree, self._folder, ignore_errors=True)
        self._objects: dict[str, Path] = {}
        # Two threads that ask for one text would write one file; those that ask for others need not wait.
        self._being_built: dict[str, Lock] = {}

    def build(self, source: Path, output: Path, *, shared: bool, objects: Sequence[Path] = ()) -> None:
        """See `Executor`."""
        try:
            cudacpu.link([self._object(source), *objects], output, mode=self.mode, shared=shared)
        except cudacpu.CompilerMissing as error:
            raise ToolMissing(str(error)) from error
        except (cudacpu.BuildError, cudacpu.RewriteError) as error:
            raise BuildFailed("the generated file does not compile for the CPU", str(error)) from error

    def _object(self, source: Path) -> Path:
        """The compiled text of `source`; its messages name the file under which the text was first seen."""
        text = source.read_text(encoding="utf-8")
        with self._being_built.setdefault(text, Lock()):
            if text not in self._objects:
                # A name that no other text has, which another thread may build at the same time.
                compiled = self._folder / f"{hashlib.sha256(text.encode()).hexdigest()[:16]}.o"
                cudacpu.compile_object(source, compiled, mode=self.mode, arch=self.target.arch_macro)
                self._objects[text] = compiled
            return self._objects[text]

    def environment(self, order: str, timeout_s: float, most_launches: int | None = None) -> Mapping[str, str]:
        """See `Executor`."""
        return dict(cudacpu.environment(order=order, timeout_s=timeout_s, most_launches=most_launches))


class GpuExecutor:
    """A real GPU; the hardware chooses the order."""

    orders: tuple[str, ...] = ("gpu",)

    def __init__(self) -> None:
        if shutil.which("nvcc") is None:
            raise ToolMissing("'nvcc' is not installed; --on=gpu needs it")
        if not _has_gpu():
            raise ToolMissing("no GPU was found; --on=gpu needs one")

    def build(self, source: Path, output: Path, *, shared: bool, objects: Sequence[Path] = ()) -> None:
        """The runtime is linked as a shared library, so that the runner finds its functions by name."""
        kind = ["-shared", "-Xcompiler", "-fPIC"] if shared else []
        command = ["nvcc", "-O2", "-arch=native", "-cudart", "shared", *kind]
        run_tool([*command, str(source), *map(str, objects), "-o", str(output), "-lm"])

    def environment(self, order: str, timeout_s: float, most_launches: int | None = None) -> Mapping[str, str]:
        """Nothing to set."""
        return {}


def _has_gpu() -> bool:
    if shutil.which("nvidia-smi") is None:
        return False
    listed = subprocess.run(["nvidia-smi", "-L"], capture_output=True, text=True, check=False)
    return listed.returncode == 0 and "GPU" in listed.stdout
