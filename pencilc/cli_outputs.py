"""The files of one compilation by name, and whether their names clash."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import click

from pencilc.cli_options import dependencies
from pencilc.codegen.header import header
from pencilc.codegen.render import HEADER_BEGIN, RUNTIME_HEADER
from pencilc.driver import Compilation
from pencilc.ir.schedule_printer import saved_schedules
from pencilc.outputs import same_file, template_files
from pencilc.python.manifest import manifest_text

# What --always-host writes for a source without host code; a file of C has one declaration at least.
_NO_HOST_CODE = "/* The source has no host code. */\ntypedef int pencilc_no_host_code;\n"


def outputs(done: Compilation, words: dict[str, Any]) -> dict[str, str]:
    """The texts to write by file name; raises click.UsageError where names clash."""
    stem = "stdin" if done.file.path == "<stdin>" else Path(done.file.path).stem
    target = words["output"] or f"{stem}.cu"
    files = {target: done.cuda}
    runtime = None
    if done.runtime is not None:
        runtime = _runtime_path(target)
        _add(files, runtime, done.runtime.text, "the header of the runtime")
    host = done.host if done.host is not None or not words["always_host"] else _NO_HOST_CODE
    if host is not None:
        if words["host_output"] is None and target == "-":
            why = "the input holds host code" if done.host is not None else "of --always-host"
            raise click.UsageError(f"`-o -` needs --host-output, because {why}")
        path = words["host_output"] or str(Path(target).with_name(f"{Path(target).stem}_host.c"))
        _add(files, path, host, "the host file")
    if words["header"]:
        assert done.kernels is not None
        text = header(done.parsed, done.programs, done.kernels.entries, words["header"])
        _add(files, words["header"], text, "the header")
    if words["manifest"]:
        _add(files, words["manifest"], manifest_text(done, target, RUNTIME_HEADER if runtime else None), "the manifest")
    for path, text in schedule_output(done, words).items():
        _add(files, path, text, "the schedule")
    if rule := dependencies(words, target):
        headers = done.parsed.system_headers if rule.system else ()
        tuning = [done.options.tuning_file] if done.options.tuning_file else []
        schedule = [done.options.schedule.path] if done.options.schedule is not None else []
        needed = [*done.parsed.headers, *headers, *tuning, *schedule, *template_files()]
        # Whatever includes the header of the runtime finds it newer when it has changed: no rule makes it.
        products = [name for name in files if name not in ("-", runtime)]
        _add(files, rule.file, rule.text(products, done.file.path, needed), "the dependency file")
    check_inputs_stay(done, files)
    return files


def _runtime_path(target: str) -> str:
    """Where the header of the runtime goes; raises click.UsageError where it cannot."""
    if target == "-":
        raise click.UsageError("`-o -` with --runtime=header: the header stands beside OUT.cu, so name it")
    path = Path(target).with_name(RUNTIME_HEADER)
    if path.exists() and not (path.is_file() and path.read_bytes().startswith(HEADER_BEGIN.encode())):
        raise click.UsageError(f"{path}: the header of the runtime would overwrite a file that is not pencilc's")
    return str(path)


def schedule_output(done: Compilation, words: dict[str, Any]) -> dict[str, str]:
    """The file that --save-schedule asks for, with its text; none without it.

    Raises click.UsageError where the file is an input.
    """
    if not words["save_schedule"]:
        return {}
    files = {words["save_schedule"]: saved_schedules(done.scheduled)}
    check_inputs_stay(done, files)
    return files


def _add(files: dict[str, str], path: str, text: str, what: str) -> None:
    if any(path == name or ("-" not in (path, name) and same_file(path, name)) for name in files):
        raise click.UsageError(f"{path}: {what} and another output would be one")
    files[path] = text


def check_inputs_stay(done: Compilation, names: Iterable[str]) -> None:
    """Raise click.UsageError if a file with one of `names` is one that the compilation reads."""
    schedule = done.options.schedule.path if done.options.schedule is not None else ""
    for name in names:
        for source in (done.file.path, *done.parsed.headers, done.options.tuning_file, schedule):
            if source and name != "-" and same_file(name, source):
                what = "the input" if source == done.file.path else f"`{source}`, which the compilation reads"
                raise click.UsageError(f"{name}: the output would overwrite {what}")
