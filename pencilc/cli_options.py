"""The options of the command line that several commands share, and the `CompileOptions` they make."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from pencilc.options import CompileOptions
    from pencilc.outputs import Dependencies

# What pencilc reads is C99; the later standards only add to it, and the GNU dialects only in host code.
_STANDARDS = ("c99", "gnu99", "iso9899:1999", "c11", "gnu11", "iso9899:2011", "c17", "gnu17", "c18", "gnu18",
              "iso9899:2017", "iso9899:2018")  # fmt: skip

_PREPROCESSOR = (
    click.option("-I", "include_dirs", multiple=True, metavar="DIR", help="Look for headers in DIR."),
    click.option("-isystem", "system_dirs", multiple=True, metavar="DIR", help="As -I, after it, without warnings."),
    click.option("-include", "includes", multiple=True, metavar="FILE", help="Read FILE before the source."),
    click.option("-D", "defines", multiple=True, metavar="NAME[=VALUE]", help="Define a macro."),
    click.option("-U", "undefines", multiple=True, metavar="NAME", help="Undefine a macro."),
    click.option("-std", "std", default="c99", metavar="STD", help="c99, c11, c17 or a gnu dialect; default c99."),
)
_MEANING = (
    click.option("--autodetect", is_flag=True, help="Also compile loops of plain C that obey the rules."),
    click.option("--on-unsupported", type=click.Choice(["error", "warn", "keep"]), default="error",
                 show_default=True, help="What a function that cannot be compiled is; `warn` and `keep` leave it "
                 "to the host."),
    click.option("-fassociative-math", "associative_math", is_flag=True,
                 help="Plain floating `+=` and `*=` may be done in any order too."),
    click.option("--tuning", metavar="FILE", help="Use the launch parameters in FILE; default <stem>.tuning.json "
                 "beside the source, if it is there."),
    click.option("--determinism", type=click.Choice(["run", "fixed-tree", "none"]), default="run", show_default=True,
                 help="The same bits on every run, on every device too (fixed-tree), or not necessarily (none)."),
    click.option("--sum", "sums", type=click.Choice(["plain", "pairwise", "kahan"]), default="plain", show_default=True,
                 help="How floating values are summed: one by one, cascaded, or with what rounding took from them."),
    click.option("--fuse", type=click.Choice(["none", "pairwise", "model", "max"]), default="model", show_default=True,
                 help="Which loops and kernels share a launch: what saves time by the model, or all that may."),
    click.option("--shifted-sums", type=click.Choice(["joined", "as-written"]), default="joined", show_default=True,
                 help="Where rows that the chip does not hold sum exp(x - m) or squares of x - m: in the sweep that "
                 "finds m, for any m, or in one behind it."),
)  # fmt: skip
_MESSAGES = (
    click.option("-W", "warnings", multiple=True, metavar="NAME", help="-Wname, -Wno-name, -Werror[=name]."),
    click.option("-w", "no_warnings", is_flag=True, help="No warnings."),
    click.option("--error-format", type=click.Choice(["text", "json", "sarif"]), default="text", show_default=True,
                 help="How messages are written on standard error."),
    click.option("--color", type=click.Choice(["auto", "always", "never"]), default="auto", show_default=True,
                 help="Colours in messages; auto: on a terminal."),
    click.option("-v", "verbose", is_flag=True, help="Show the traceback of an internal fault."),
    click.option("-q", "quiet", is_flag=True, help="No warnings, no notes."),
)  # fmt: skip
_DEPENDENCIES = (
    click.option("-MD", "deps_all", is_flag=True, help="Write a dependency file for make, as gcc."),
    click.option("-MMD", "deps_user", is_flag=True, help="As -MD, without system headers."),
    click.option("-MF", "deps_file", metavar="FILE", help="Its name; default OUT with the suffix .d."),
    click.option("-MT", "deps_targets", multiple=True, metavar="TARGET", help="Its target; default the outputs."),
    click.option("-MQ", "deps_quoted", multiple=True, metavar="TARGET", help="As -MT, quoted for make."),
    click.option("-MP", "deps_phony", is_flag=True, help="A rule without commands for each header."),
)


def _decorated(options: tuple[Callable[..., Any], ...]) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    def apply(function: Callable[..., Any]) -> Callable[..., Any]:
        for option in reversed(options):
            function = option(function)
        return function

    return apply


source_options = _decorated((*_PREPROCESSOR, *_MEANING, *_MESSAGES))
dependency_options = _decorated(_DEPENDENCIES)


def compile_options(words: dict[str, Any]) -> CompileOptions:
    """The options of the compiler; `words` are click's parameters.  Raises click.UsageError."""
    from pencilc.diagnostics.policy import UnknownWarning, warning_policy
    from pencilc.options import CompileOptions
    from pencilc.target import UnknownTarget, target_of

    std, arch = words["std"], words.get("arch", "sm_90")
    if std not in _STANDARDS:
        raise click.UsageError(f"-std={std}: pencilc reads c99, c11, c17 and their gnu dialects")
    try:
        target = target_of(arch)
    except UnknownTarget as error:
        raise click.UsageError(f"--arch {arch}: {error}") from error
    try:
        policy = warning_policy(words["warnings"], words["no_warnings"] or words["quiet"], words["system_dirs"])
    except UnknownWarning as error:
        raise click.UsageError(str(error)) from error
    return CompileOptions(
        include_dirs=words["include_dirs"],
        defines=words["defines"],
        undefines=words["undefines"],
        std=std,
        associative_math=words["associative_math"],
        target=target,
        determinism=words["determinism"],
        sums=words["sums"],
        fuse=words["fuse"],
        shifted_sums=words["shifted_sums"],
        system_dirs=words["system_dirs"],
        includes=words["includes"],
        warnings=policy,
        autodetect=words["autodetect"],
        on_unsupported=words["on_unsupported"],
    )


def with_tuning_data(options: CompileOptions, words: dict[str, Any], file: str) -> CompileOptions:
    """The options with the tuning data that was named or stands beside the source; raises SourceErrors."""
    from dataclasses import replace

    from pencilc.tune.file import beside, read_tuning

    path = words["tuning"] or beside(file)
    return replace(options, tuning=read_tuning(path), tuning_file=path) if path else options


def dependencies(words: dict[str, Any], output: str) -> Dependencies | None:
    """What the `-M` options ask for, if anything.  Raises click.UsageError."""
    from pathlib import Path

    from pencilc.outputs import Dependencies, quoted

    if not (words["deps_all"] or words["deps_user"]):
        given = [name for name in ("deps_file", "deps_targets", "deps_quoted", "deps_phony") if words[name]]
        if given:
            raise click.UsageError("-MF, -MT, -MQ and -MP need -MD or -MMD")
        return None
    file = words["deps_file"]
    if not file:
        if output == "-":
            raise click.UsageError("`-o -` with -MD needs -MF, because the dependency file has no name")
        file = str(Path(output).with_suffix(".d"))
    targets = (*words["deps_targets"], *(quoted(t) for t in words["deps_quoted"]))
    if output == "-" and not targets:
        raise click.UsageError("`-o -` with -MD needs -MT or -MQ, because the rule has no target")
    return Dependencies(file, targets, words["deps_all"], words["deps_phony"])
