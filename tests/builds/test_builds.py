"""The projects of `samples/builds`: each is built, touched and built again, and what ran is exactly what had to.

pencilc, nvcc and cc are run through scripts that write down what they compile, so that it is seen what a build did,
whatever it prints.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.conftest import ROOT, have_gpu, run

PROJECTS = ROOT / "samples" / "builds"
BIN = Path(sys.executable).parent
_SCRIPT = """#!/bin/sh
for word in "$@"; do case $word in *{suffix}) echo {name} "${{word##*/}}" >> {log} ;; esac; done
exec {real} "$@"
"""
# The tools, and how the files end that they compile; the sequential program is none of the products that are counted.
_TOOLS = {"pencilc": ".c", "nvcc": ".cu", "cc": "_host.c"}
NOTHING: dict[str, set[str]] = {}


@dataclass(frozen=True)
class Builder:
    """How a build system builds its project; `prepare` comes once, `reconfigured` gives the command that
    sets an option of pencilc's, and builds where that is one command."""

    name: str
    folder: str
    tools: tuple[str, ...]
    prepare: tuple[str, ...]
    build: tuple[str, ...]
    reconfigured: Callable[[Path, str], tuple[str, ...]]
    # Whether it sees that pencilc has left a file as it was; then nothing behind that file is done again.
    sees_same_bytes: bool = True
    # The sources whose host files it compiles, with code in them or without.
    hosts: tuple[str, ...] = ("range", "program")
    program: str = "build/program"


def _by_variable(build: tuple[str, ...]) -> Callable[[Path, str], tuple[str, ...]]:
    return lambda _, option: (*build, f"PENCILCFLAGS={option}")


def _by_definition(_: Path, option: str) -> tuple[str, ...]:
    return ("cmake", f"-DPENCILC_OPTIONS={option}", "build")


def _by_setting(_: Path, option: str) -> tuple[str, ...]:
    return ("meson", "configure", "build", f"-Dpencilc_options={option}")


def _by_hand(folder: Path, option: str) -> tuple[str, ...]:
    path = folder / "build.ninja"
    path.write_text(path.read_text().replace("pencilc_options =\n", f"pencilc_options = {option}\n"))
    return ("true",)


def _cmake(name: str, generator: str, sees_same_bytes: bool) -> Builder:
    prepare = ("sh", "-c", f'cmake -G "{generator}" -S . -B build -Dpencilc_DIR="$(pencilc --print-cmake-dir)"')
    build = ("cmake", "--build", "build")
    return Builder(name, "cmake", ("cmake",), prepare, build, _by_definition, sees_same_bytes)


MAKE = Builder("make", "make", ("make",), ("true",), ("make",), _by_variable(("make",)))
NINJA = Builder("ninja", "ninja", ("ninja",), ("true",), ("ninja",), _by_hand, hosts=("program",))
# The rules of this one are made for makes that do not look at bytes, and know nothing of options.
PLAIN = Builder("pkgconfig", "pkgconfig", ("make", "pkg-config"), ("true",), ("make",),
                _by_variable(("make", "-B")), sees_same_bytes=False, hosts=("program",))  # fmt: skip
BUILDERS = (
    MAKE, NINJA, PLAIN,
    _cmake("cmake-ninja", "Ninja", True), _cmake("cmake-make", "Unix Makefiles", False),
    Builder("meson", "meson", ("meson",), ("meson", "setup", "build"), ("meson", "compile", "-C", "build"),
            _by_setting),
)  # fmt: skip


class Project:
    """A copy of a project, and what its builds run."""

    def __init__(self, builder: Builder, folder: Path, nvcc: str) -> None:
        for tool in builder.tools:
            if shutil.which(tool, path=f"{BIN}:{os.environ['PATH']}") is None:
                missing = f"{tool} not found"
                pytest.fail(missing) if os.environ.get("CI") else pytest.skip(missing)
        self.builder = builder
        self.folder = folder / "project"
        self.log = folder / "log"
        shutil.copytree(PROJECTS / builder.folder, self.folder)
        scripts = folder / "bin"
        scripts.mkdir()
        for name, real in (("pencilc", BIN / "pencilc"), ("nvcc", nvcc), ("cc", shutil.which("gcc"))):
            (scripts / name).write_text(_SCRIPT.format(name=name, suffix=_TOOLS[name], log=self.log, real=real))
            (scripts / name).chmod(0o755)
        self.environment = {
            **os.environ,
            "PATH": f"{scripts}:{BIN}:{os.environ['PATH']}",
            "NVCC": "nvcc",
            "PKG_CONFIG_PATH": run(BIN / "pencilc", "--print-pkgconfig-dir").stdout.strip(),
        }
        # What the outer make of `make test` hands on is not for these.
        for name in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL", "CFLAGS", "CPPFLAGS"):
            self.environment.pop(name, None)
        self.command(*builder.prepare)

    def run(self, *words: str) -> subprocess.CompletedProcess[str]:
        """Run a command in the project."""
        return subprocess.run(words, cwd=self.folder, env=self.environment, capture_output=True, text=True, check=False)

    def command(self, *words: str) -> str:
        """What a command prints, which must succeed."""
        result = self.run(*words)
        assert result.returncode == 0, result.stdout + result.stderr
        return result.stdout

    def build(self, *words: str) -> dict[str, set[str]]:
        """Build; the files that each of pencilc, nvcc and cc has compiled."""
        self.log.write_text("")
        self.command(*(words or self.builder.build))
        found: dict[str, set[str]] = {}
        for line in self.log.read_text().splitlines():
            name, _, file = line.partition(" ")
            if file.startswith(("range", "program")):  # Not what a build system tries its compilers on.
                found.setdefault(name, set()).add(file)
        return found

    def touch(self, name: str) -> None:
        """Make a file newer than all products, and no newer than now, by the clock of file systems too."""
        time.sleep(0.05)
        (self.folder / name).touch()
        time.sleep(0.05)


def compiled(pencilc: set[str], nvcc: set[str], cc: set[str]) -> dict[str, set[str]]:
    """What the tools compile, from the names of the sources; a tool that compiles nothing does not run."""
    stems = {"pencilc": pencilc, "nvcc": nvcc, "cc": cc}
    return {name: {f"{stem}{_TOOLS[name]}" for stem in found} for name, found in stems.items() if found}


def everything(builder: Builder) -> dict[str, set[str]]:
    """What is compiled the first time."""
    return compiled({"range", "program"}, {"range", "program"}, set(builder.hosts))


def after_a_touch(builder: Builder, stems: set[str]) -> dict[str, set[str]]:
    """What is done where a header of these sources is newer, but no byte of what pencilc writes differs.

    The host file of the program includes the headers itself.
    """
    if builder.sees_same_bytes:
        return compiled(stems, set(), {"program"})
    return compiled(stems, stems, stems & set(builder.hosts))


def check_touches(project: Project) -> None:
    assert project.build() == everything(project.builder)
    assert (project.folder / project.builder.program).is_file()
    assert project.build() == NOTHING
    project.touch("settings.h")
    assert project.build() == after_a_touch(project.builder, {"program"})
    project.touch("range.h")
    assert project.build() == after_a_touch(project.builder, {"range", "program"})
    assert project.build() == NOTHING


def test_what_is_touched_is_rebuilt(nvcc: str, tmp_path: Path) -> None:
    check_touches(Project(MAKE, tmp_path, nvcc))


@pytest.mark.full
@pytest.mark.parametrize("builder", BUILDERS, ids=lambda builder: builder.name)
def test_build(builder: Builder, nvcc: str, tmp_path: Path) -> None:
    project = Project(builder, tmp_path, nvcc)
    check_touches(project)

    settings = project.folder / "settings.h"
    settings.write_text(settings.read_text().replace("1000", "2000"))
    project.touch("settings.h")
    assert project.build() == compiled({"program"}, {"program"}, {"program"})

    # What pencilc writes for another GPU differs, what it leaves to the host does not.
    again = builder.reconfigured(project.folder, "--arch=sm_80")
    found = project.build(*again)
    if not found:
        found = project.build()
    hosts = set(builder.hosts) if not builder.sees_same_bytes else set()
    assert found == compiled({"range", "program"}, {"range", "program"}, hosts)
    assert project.build(*(again if builder is MAKE else ())) == NOTHING


@pytest.mark.full
def test_what_is_gone_is_made_again_and_a_tuning_file_that_came_is_read(nvcc: str, tmp_path: Path) -> None:
    project = Project(MAKE, tmp_path, nvcc)
    project.build()
    (project.folder / "build" / "range.cu").unlink()
    found = project.build()
    assert (found["pencilc"], found["nvcc"]) == ({"range.c"}, {"range.cu"})
    shared = ("make", "PENCILCFLAGS=--runtime=header")
    assert project.build(*shared)["nvcc"] == {"range.cu", "program.cu"}
    assert project.build(*shared) == NOTHING
    (project.folder / "build" / "pencilc_runtime.h").unlink()
    assert "nvcc" not in project.build(*shared)
    assert (project.folder / "build" / "pencilc_runtime.h").is_file()
    (project.folder / "range.tuning.json").write_text("{}")
    refused = project.run("make")
    assert refused.returncode != 0 and "PC0801" in refused.stderr


@pytest.mark.full
def test_without_pencilc_make_says_so(nvcc: str, tmp_path: Path) -> None:
    project = Project(MAKE, tmp_path, nvcc)
    refused = project.run("make", "PENCILC=no-such-pencilc")
    assert refused.returncode != 0 and "no-such-pencilc is not on the PATH" in refused.stderr


@pytest.mark.full
def test_cmake_says_what_is_missing(nvcc: str, tmp_path: Path) -> None:
    project = Project(BUILDERS[3], tmp_path, nvcc)
    lists = project.folder / "CMakeLists.txt"
    text = lists.read_text()
    for wrong, told in (
        (text.replace("C CUDA", "C"), "must enable C and CUDA"),
        (text.replace("range.c program.c", "range.cu"), "a PENCIL source ends with .c"),
        (text.replace("sources(program", "sources(programme"), "there is no target programme"),
        (text.replace("find_package(pencilc", "find_package(pencilc 9.0"), "compatible with requested version"),
    ):
        lists.write_text(wrong)
        refused = project.run("cmake", "build")
        assert refused.returncode != 0 and told in " ".join(refused.stderr.split()), refused.stderr


@pytest.mark.gpu
@pytest.mark.parametrize("builder", (MAKE, NINJA), ids=lambda builder: builder.name)
def test_the_program_runs(builder: Builder, nvcc: str, tmp_path: Path) -> None:
    assert have_gpu()
    project = Project(builder, tmp_path, nvcc)
    project.build()
    assert project.command(f"./{builder.program}") == "from -5 to 7, squares 15014\n"
