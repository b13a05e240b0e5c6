"""The wheel holds all that an installed pencilc needs, and `setup.cfg` lists every package."""

from __future__ import annotations

import configparser
import shutil
import sys
import tarfile
import zipfile
from pathlib import Path

import jinja2
import pytest

from pencilc import __version__
from tests.conftest import ROOT, run


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> zipfile.ZipFile:
    """The wheel, built from a copy, so that the build leaves nothing in the checkout."""
    copy = tmp_path_factory.mktemp("source")
    for name in ("setup.cfg", "pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, copy)
    for name in ("pencilc", "templates"):
        shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
    command = ("pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "--wheel-dir", "dist", ".")
    result = run(sys.executable, "-m", *command, cwd=copy)
    assert result.returncode == 0, result.stderr
    (path,) = (copy / "dist").glob("*.whl")
    return zipfile.ZipFile(path)


def shipped(folder: str, package: str, suffixes: tuple[str, ...]) -> set[str]:
    """The files under `folder` with one of `suffixes`, as the wheel should name them."""
    paths = (ROOT / folder).rglob("*")
    return {f"{package}/{path.relative_to(ROOT / folder).as_posix()}" for path in paths if path.suffix in suffixes}


@pytest.mark.parametrize(
    ("folder", "package", "suffixes"),
    [
        ("pencilc", "pencilc", (".py",)),
        ("pencilc/include", "pencilc/include", (".h",)),
        ("pencilc/share", "pencilc/share", (".mk", ".cmake", ".pc", ".1")),
        ("pencilc", "pencilc", (".typed",)),
        ("pencilc/python", "pencilc/python", (".json", ".cu")),
        ("pencilc/page", "pencilc/page", (".j2", ".css", ".js")),
        ("pencilc/tune/native", "pencilc/tune/native", (".cu",)),
        ("pencilc/verify/cudacpu", "pencilc/verify/cudacpu", (".h", ".inc", ".cpp", ".cc")),
        ("pencilc/verify/variant_headers", "pencilc/verify/variant_headers", (".h",)),
        ("templates", "pencilc_templates", (".j2",)),
    ],
)
def test_wheel_holds(folder: str, package: str, suffixes: tuple[str, ...], wheel: zipfile.ZipFile) -> None:
    expected = shipped(folder, package, suffixes)
    assert expected, f"nothing under {folder}"
    assert expected <= set(wheel.namelist())


def test_the_wheel_has_the_licence(wheel: zipfile.ZipFile) -> None:
    (licence,) = (name for name in wheel.namelist() if name.endswith("/LICENSE"))
    assert b"MIT License" in wheel.read(licence)
    (metadata,) = (name for name in wheel.namelist() if name.endswith("/METADATA"))
    assert b"License-File: LICENSE" in wheel.read(metadata)


def test_the_wheel_puts_files_where_cmake_and_man_look(wheel: zipfile.ZipFile) -> None:
    folder = f"pencilc-{__version__}.data/data/share"
    for place, name in (("cmake/pencilc", "cmake/pencilcConfig.cmake"), ("man/man1", "man/pencilc.1"),
                        ("cmake/pencilc", "cmake/pencilcConfigVersion.cmake")):  # fmt: skip
        held = wheel.read(f"{folder}/{place}/{Path(name).name}")
        assert held == (ROOT / "pencilc" / "share" / name).read_bytes()


def test_every_file_tells_the_same_version() -> None:
    share = ROOT / "pencilc" / "share"
    assert f"\nVersion: {__version__}\n" in (share / "pkgconfig" / "pencilc.pc").read_text()
    assert f'set(PACKAGE_VERSION "{__version__}")' in (share / "cmake" / "pencilcConfigVersion.cmake").read_text()


def test_the_source_distribution_holds_what_its_makefile_needs(tmp_path: Path) -> None:
    """A few files stand for each folder: what is copied is what the rules of `MANIFEST.in` are tried on."""
    described = ("setup.cfg", "pyproject.toml", "README.md", "LICENSE", "MANIFEST.in", "CHANGELOG.md")
    for name in (*described, "Makefile", "mkdocs.yml"):
        shutil.copy(ROOT / name, tmp_path)
    for name in ("pencilc", "templates", "samples", "docs", "bench", ".ci"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__", "generated"))
    shutil.copytree(ROOT / "tests" / "errors", tmp_path / "tests" / "errors")
    build = "from setuptools import build_meta; print(build_meta.build_sdist('dist'))"
    result = run(sys.executable, "-c", build, cwd=tmp_path)
    assert result.returncode == 0, result.stderr
    (path,) = (tmp_path / "dist").glob("*.tar.gz")
    with tarfile.open(path) as archive:
        held = {name.partition("/")[2] for name in archive.getnames()}
    assert {"LICENSE", "Makefile", "CHANGELOG.md", ".ci/run", "docs/language.md", "samples/sum_int.c"} <= held
    assert {"mkdocs.yml", "docs/pictures/grid.svg", "docs/tools/site.py", "samples/builds/cmake/range.c"} <= held
    assert {"templates/macros.j2", "tests/errors/redefinitions.c", "tests/errors/test_errors.py"} <= held
    assert any(name.startswith("bench/") for name in held)
    assert not any("__pycache__" in name for name in held)


def test_every_package_is_listed() -> None:
    config = configparser.ConfigParser()
    config.read(ROOT / "setup.cfg")
    listed = config["options"]["packages"].split()
    found = {".".join(path.parent.relative_to(ROOT).parts) for path in (ROOT / "pencilc").rglob("__init__.py")}
    assert sorted(listed) == sorted(found | {"pencilc_templates"})


def test_templates_load_by_package_name() -> None:
    names = jinja2.PackageLoader("pencilc_templates", "").list_templates()
    assert {name for name in names if name.endswith(".j2")} == {
        path.relative_to(ROOT / "templates").as_posix() for path in Path(ROOT / "templates").rglob("*.j2")
    }
