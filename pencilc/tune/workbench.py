"""Where candidates are built and measured: a GPU, or the CPU executor, on which only the machinery can be tried."""

from __future__ import annotations

import ctypes
import hashlib
import itertools
import os
import pickle
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Protocol

import pencilc
from pencilc.progress import Tell, silent
from pencilc.tune.device import SOURCE, Device, capability, no_gpu
from pencilc.tune.measure import Plan
from pencilc.tune.worker import Measured, Work
from pencilc.verify import cudacpu
from pencilc.verify.cases import Case
from pencilc.verify.errors import BuildFailed, ToolMissing
from pencilc.verify.sequential import run_tool


class Workbench(Protocol):
    """Builds texts and measures the libraries; raises ToolMissing and BuildFailed."""

    def build(self, text: str) -> Path:
        """The shared library of a generated text; the same text is built once.  Raises BuildFailed."""

    def measure(self, libraries: Sequence[Path], samples: int) -> list[Measured]:
        """The first library has the start values."""

    def gpu(self) -> Mapping[str, object]:
        """What the tuning file says of the machine."""


class _Folder:
    """What both workbenches share: files in a temporary folder and the child process."""

    def __init__(self, folder: Path, cases: Sequence[Case], seed: int) -> None:
        self.folder, self.seed = folder, seed
        self.cases = []
        for number, case in enumerate(cases):
            path = folder / f"case-{number}"
            path.write_bytes(pickle.dumps(case))
            self.cases.append(path)

    def names(self, text: str) -> tuple[Path, Path]:
        """The source and the library of a text."""
        key = hashlib.sha256(text.encode()).hexdigest()[:16]
        return self.folder / f"k{key}.cu", self.folder / f"k{key}.so"

    def run(self, work: Work) -> list[Measured]:
        """Let a child measure; Ctrl-C ends it too.  Raises BuildFailed if it dies."""
        job = self.folder / "job"
        job.write_bytes(pickle.dumps(work))
        root = str(Path(pencilc.__file__).resolve().parent.parent)
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join((root, os.environ.get("PYTHONPATH", "")))}
        child = subprocess.Popen(
            [sys.executable, "-m", "pencilc.tune.worker", str(job)], env=environment, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True,
        )  # fmt: skip
        try:
            said, _ = child.communicate()
        except BaseException:
            child.kill()
            child.wait()
            raise
        if child.returncode:
            raise BuildFailed("the measuring process failed", said)
        answer: list[Measured] = pickle.loads(work.answer.read_bytes())
        return answer


class GpuWorkbench(_Folder):
    """A GPU through nvcc."""

    def __init__(self, folder: Path, cases: Sequence[Case], seed: int) -> None:
        super().__init__(folder, cases, seed)
        self.nvcc = need_gpu()
        self.arch = f"sm_{capability()}"
        self.device = folder / "device.so"
        self._compile(SOURCE, self.device)

    def _compile(self, source: Path, output: Path) -> None:
        flags = ["-O3", f"-arch={self.arch}", "-shared", "-Xcompiler", "-fPIC"]
        run_tool([self.nvcc, *flags, str(source), "-o", str(output)])

    def build(self, text: str) -> Path:
        """See `Workbench`."""
        source, library = self.names(text)
        if not library.exists():
            source.write_text(text)
            self._compile(source, library)
        return library

    def measure(self, libraries: Sequence[Path], samples: int) -> list[Measured]:
        """See `Workbench`."""
        plan = Plan(samples=samples, seed=self.seed)
        return self.run(Work(self.device, tuple(libraries), tuple(self.cases), plan, self.folder / "answer"))

    def gpu(self) -> Mapping[str, object]:
        """See `Workbench`."""
        device = Device(ctypes.CDLL(str(self.device)), flush=False)
        info = device.info
        device.close()
        return {"name": info.name, "capability": info.capability, "multiprocessors": info.multiprocessors,
                "driver": info.driver}  # fmt: skip


class CpuWorkbench(_Folder):
    """The CPU executor: its times mean nothing, but everything around them is the same."""

    def build(self, text: str) -> Path:
        """See `Workbench`; each library holds a device of its own."""
        source, library = self.names(text)
        if not library.exists():
            source.write_text(text + SOURCE.read_text())
            try:
                cudacpu.build(source, library, shared=True)
            except cudacpu.BuildError as error:
                raise BuildFailed("the candidate does not compile for the CPU", str(error)) from error
        return library

    def measure(self, libraries: Sequence[Path], samples: int) -> list[Measured]:
        """See `Workbench`."""
        plan = Plan(samples=samples, warmups=0, seed=self.seed, queued=False)
        return self.run(Work(None, tuple(libraries), tuple(self.cases), plan, self.folder / "answer"))

    def gpu(self) -> Mapping[str, object]:
        """See `Workbench`."""
        return {"name": "CPU executor", "capability": 0, "multiprocessors": 0, "driver": ""}


def need_gpu() -> str:
    """The command of nvcc; raises ToolMissing where nothing can be measured."""
    if reason := no_gpu():
        raise ToolMissing(f"{reason}; `pencilc tune` measures on a GPU (--plan shows what it would search)")
    nvcc = shutil.which(os.environ.get("NVCC") or "nvcc")
    if nvcc is None:
        raise ToolMissing("'nvcc' is not installed; `pencilc tune` builds what it measures")
    return nvcc


def build_all(workbench: Workbench, texts: Sequence[str], tell: Tell = silent) -> list[Path | str]:
    """The library of each text, or why it cannot be built; several compilers run at once."""
    finished = itertools.count(1)

    def one(text: str) -> Path | str:
        try:
            return workbench.build(text)
        except BuildFailed as error:
            lines = error.output.strip().splitlines()
            return lines[0] if lines else str(error)
        finally:
            tell(f"built {next(finished)} of {len(distinct)} candidates")

    distinct = list(dict.fromkeys(texts))
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        built = dict(zip(distinct, pool.map(one, distinct), strict=True))
    return [built[text] for text in texts]
