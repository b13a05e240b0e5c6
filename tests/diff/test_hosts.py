"""Regions anywhere in host code: the host file linked with the CUDA prints what the sequential program prints."""

from __future__ import annotations

from pathlib import Path

import pytest

from pencilc.driver import compile_source
from pencilc.frontend import read_source
from pencilc.options import CompileOptions
from pencilc.verify.command import VerifySettings, executor_for
from pencilc.verify.program import compare_programs
from tests.conftest import run

PROGRAMS = sorted((Path(__file__).parent / "hosts").glob("*.c"))
REGIONS = {
    "behind": 5, "branches": 4, "counters": 2, "escaping": 4, "external": 1, "gnu": 1, "included": 1, "loops": 2,
    "macros": 2,
    "one_line": 1, "pictures": 2, "pragma_operator": 3, "shadows": 3, "static_entries": 2, "structs": 3, "system": 1,
    "types": 3,
    "whole_include": 1, "whole_macros": 3,
}  # fmt: skip
ALWAYS = (
    "system",
    "behind",
    "branches",
    "counters",
    "escaping",
    "external",
    "included",
    "macros",
    "pragma_operator",
    "static_entries",
    "whole_include",
)
MARKED = [path if path.stem in ALWAYS else pytest.param(path, marks=pytest.mark.full) for path in PROGRAMS]


@pytest.mark.parametrize("path", MARKED, ids=lambda path: path.stem)
def test_program(path: Path, root: Path, tmp_path: Path) -> None:
    file = read_source(path.relative_to(root).as_posix())
    options = CompileOptions()
    done = compile_source(file, options)
    assert len(done.parsed.regions) == REGIONS[path.stem]
    assert done.host is not None
    executor = executor_for(VerifySettings(orders=("fwd", "rev")))
    for result in compare_programs(file, done.cuda, done.host, options, executor, orders=("fwd", "rev")):
        assert result.same, result.messages
        assert result.generated


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_host_file_is_clean_c99(path: Path, root: Path, tmp_path: Path) -> None:
    if path.stem in ("gnu", "system"):
        pytest.skip("the program itself is GNU C")
    done = compile_source(read_source(path.relative_to(root).as_posix()), CompileOptions())
    (tmp_path / "host.c").write_text(done.host or "")
    warnings = (
        "-Wall",
        "-Wextra",
        "-Werror",
        "-Wno-unknown-pragmas",
        "-Wno-unused-const-variable",
        "-Wno-implicit-fallthrough",
    )
    include = ("-I", "pencilc/include", "-iquote", path.parent)
    result = run("gcc", "-std=c99", "-pedantic", *warnings, *include, "-c", tmp_path / "host.c", "-o", "/dev/null")
    assert result.returncode == 0, result.stderr


def test_functions_of_included_files_are_kept(tmp_path: Path) -> None:
    """The file itself holds nothing but an `#include`."""
    (tmp_path / "inner.h").write_text((Path(__file__).parent / "hosts" / "whole.h").read_text())
    (tmp_path / "only.c").write_text('#include <stdlib.h>\n#include <string.h>\n#include "inner.h"\n')
    done = compile_source(read_source(str(tmp_path / "only.c")), CompileOptions())
    (tmp_path / "only_host.c").write_text(done.host or "")
    built = run("gcc", "-std=c99", "-c", tmp_path / "only_host.c", "-o", tmp_path / "only_host.o")
    assert built.returncode == 0, built.stderr
    assert "wrap" in run("nm", "-g", "--defined-only", tmp_path / "only_host.o").stdout.split()


def test_nvcc_takes_helpers_that_the_host_calls(nvcc: str, tmp_path: Path) -> None:
    (tmp_path / "external.cu").write_text(_cuda("external", CompileOptions()))
    (tmp_path / "pinned.cu").write_text(_cuda("external", CompileOptions(determinism="fixed-tree")))
    for name in ("external", "pinned"):
        command = (nvcc, "-arch=sm_90", "-c", "-Werror", "all-warnings", tmp_path / f"{name}.cu")
        result = run(*command, "-o", tmp_path / f"{name}.o")
        assert result.returncode == 0, result.stderr
        symbols = run("nm", "-g", "--defined-only", tmp_path / f"{name}.o").stdout.split()
        assert {"add", "saturate", "scaled", "moved", "fill"} <= set(symbols)
        assert not {"zero", "half_of", "lookup"} & set(symbols)


def _cuda(name: str, options: CompileOptions) -> str:
    return compile_source(read_source(f"tests/diff/hosts/{name}.c"), options).cuda
