"""The reference of the commands and the man page are what the commands say."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import click
import pytest

from docs.tools import reference
from pencilc.cli import main
from tests.conftest import run


def _compare(path: Path, wanted: str, request: pytest.FixtureRequest) -> None:
    if path.read_text() != wanted and request.config.getoption("--update-golden"):
        path.write_text(wanted)
        pytest.fail(f"{path.name} rewritten: review it")
    assert path.read_text() == wanted, f"{path.name}: `make update-golden` rewrites it from the commands"


def test_reference(request: pytest.FixtureRequest) -> None:
    _compare(reference.PAGE, reference.page(reference.PAGE.read_text()), request)


def test_man_page(request: pytest.FixtureRequest) -> None:
    _compare(reference.MAN_PAGE, reference.man_page(), request)


def test_both_have_every_option_of_every_command() -> None:
    assert isinstance(main, click.Group)
    page = reference.PAGE.read_text()
    man = reference.MAN_PAGE.read_text().replace("\\-", "-")
    for command in (main, *main.commands.values()):
        options = [param for param in command.params if isinstance(param, click.Option) and not param.hidden]
        missing = [option.opts[0] for option in options if not re.search(rf"`{option.opts[0]}\b", page)]
        missing += [option.opts[0] for option in options if not re.search(rf"fB{option.opts[0]}\b", man)]
        assert not missing, command.name


def test_the_man_page_is_without_warnings() -> None:
    """`groff` names what it does not know."""
    groff = shutil.which("groff")
    if groff is None:
        pytest.skip("groff not found")
    result = run(groff, "-man", "-Tascii", "-ww", "-z", reference.MAN_PAGE)
    assert (result.returncode, result.stderr) == (0, "")
    shown = run(groff, "-man", "-Tascii", "-P-cbou", reference.MAN_PAGE).stdout
    assert "--determinism [run|fixed-tree|none]" in shown and "EXIT STATUS" in shown


def test_the_table_of_exit_statuses_of_the_readme() -> None:
    table = "".join(f"| {status} | {meaning} |\n" for status, meaning in reference.EXIT_STATUS)
    assert table in (reference.ROOT / "README.md").read_text()
