"""The options of the command line that several commands share, and the `CompileOptions` they make."""

from __future__ import annotations

import difflib
import re
import shlex
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import click
from click.shell_completion import CompletionItem

if TYPE_CHECKING:
    from pencilc.options import CompileOptions, TileChoice
    from pencilc.outputs import Dependencies


# Names of files and folders, `-` among them, which shells complete; whether they are there is seen when they are read.
FILE = click.Path(allow_dash=True)


class SectionOption(click.Option):
    """An option with the section of the help that it stands in."""

    def __init__(self, *declared: Any, section: str = "", **more: Any) -> None:
        super().__init__(*declared, **more)
        self.section = section


def option_of(section: str) -> Callable[..., Callable[[Callable[..., Any]], Callable[..., Any]]]:
    """`click.option` for the options of one section."""
    return partial(click.option, cls=SectionOption, section=section)


# How much alike two names of options are, from 0 to 1, if one may be meant by the other.
_LIKE = 0.7


class SectionedCommand(click.Command):
    """A command whose help shows its options by section, in the order in which the sections begin."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the words; of an option that there is not, only what is much like it is named: dashes do not count.

        Of -D and -U for one macro the last one holds, as with other compilers.
        """
        words = list(args)
        try:
            left = super().parse_args(ctx, args)
            if ctx.params.get("defines") and ctx.params.get("undefines"):
                _, _, order = self.make_parser(ctx).parse_args(words)
                ctx.params |= _last_of_each([each.name for each in order], ctx.params)
            return left
        except click.NoSuchOption as error:
            names = {name.lstrip("-"): name for param in self.params for name in param.opts if name.startswith("--")}
            near = difflib.get_close_matches(error.option_name.lstrip("-"), list(names), 3, _LIKE)
            meant = [names[name] for name in near]
            raise click.NoSuchOption(error.option_name, possibilities=meant, ctx=error.ctx) from None

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """What an option may be: also one of the letters that its value stands behind, `-Wno-not-parallel`."""
        found = super().shell_complete(ctx, incomplete)
        for option in self.params:
            for name in option.opts:
                if len(name) == 2 and incomplete.startswith(name) and getattr(option, "multiple", False):
                    values = option.shell_complete(ctx, incomplete[2:])
                    found += [CompletionItem(f"{name}{item.value}") for item in values if item.type == "plain"]
        return found

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options."""
        sections: dict[str, list[tuple[str, str]]] = {}
        for param in self.get_params(ctx):
            record = param.get_help_record(ctx) if isinstance(param, click.Option) else None
            if record is not None:
                sections.setdefault(getattr(param, "section", "") or "Options", []).append(record)
        for title, records in sections.items():
            with formatter.section(title):
                formatter.write_dl(records)


def _last_of_each(order: Sequence[str | None], given: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
    """Of the macros that are defined and undefined in that order, those that are in the end."""
    defines, undefines = iter(given["defines"]), iter(given["undefines"])
    found: dict[str, tuple[str, ...]] = {"defines": (), "undefines": ()}
    for option in order:
        if option in found:
            text = next(defines if option == "defines" else undefines)
            name = re.split(r"[=(]", text, maxsplit=1)[0]
            for kind, before in found.items():
                found[kind] = tuple(each for each in before if re.split(r"[=(]", each, maxsplit=1)[0] != name)
            found[option] = (*found[option], text)
    return found


def _names_of_warnings(_: click.Context, __: click.Parameter, incomplete: str) -> list[str]:
    from pencilc.diagnostics.codes import REGISTRY

    names = [code.name for code in REGISTRY.values() if code.may_warn]
    found = [f"{prefix}{name}" for prefix in ("", "no-", "error=", "no-error=") for name in names]
    return [word for word in (*found, "error") if word.startswith(incomplete)]


_DECISIVE = ("Preprocessor", "What is compiled, and how")
_preprocessor, _meaning = map(option_of, _DECISIVE)
_message = option_of("Messages")
_dependency = option_of("Dependency files")

_PREPROCESSOR = (
    _preprocessor("-I", "include_dirs", type=FILE, multiple=True, metavar="DIR", help="Look for headers in DIR."),
    _preprocessor(
        "-iquote",
        "quote_dirs",
        type=FILE,
        multiple=True,
        metavar="DIR",
        help="As -I, before it, for #include with quotes only.",
    ),
    _preprocessor(
        "-isystem",
        "system_dirs",
        type=FILE,
        multiple=True,
        metavar="DIR",
        help="As -I, after it, without warnings.",
    ),
    _preprocessor(
        "-idirafter",
        "after_dirs",
        type=FILE,
        multiple=True,
        metavar="DIR",
        help="As -isystem, after the headers of C.",
    ),
    _preprocessor(
        "-include", "includes", type=FILE, multiple=True, metavar="FILE", help="Read FILE before the source."
    ),
    _preprocessor("-D", "defines", multiple=True, metavar="NAME[=VALUE]", help="Define a macro."),
    _preprocessor("-U", "undefines", multiple=True, metavar="NAME", help="Undefine a macro."),
    _preprocessor("-std", "std", default="c99", metavar="STD", help="c99, c11, c17 or a gnu dialect; default c99."),
)
_MEANING = (
    _meaning("--autodetect", is_flag=True, help="Also compile loops of plain C that obey the rules."),
    _meaning("--on-unsupported", type=click.Choice(["error", "warn", "keep"]), default="error",
                 show_default=True, help="What a function that cannot be compiled is; `warn` and `keep` leave it "
                 "to the host."),
    _meaning("-fassociative-math", "associative_math", is_flag=True,
                 help="Plain floating `+=` and `*=` may be done in any order too."),
    _meaning("--tuning", type=FILE, metavar="FILE",
             help="Use the launch parameters in FILE; default <stem>.tuning.json beside the source, if it is there."),
    _meaning("--tile", "tiles", multiple=True, metavar="KERNEL:tile=DOWN,ACROSS",
             help="Tiles of so many points for a kernel; of three dimensions with planes: PLANES,DOWN,ACROSS."),
    _meaning("--load-schedule", type=FILE, metavar="FILE",
             help="Order the loops of the regions in FILE as it says, if no dependence is broken."),
    _meaning("--determinism", type=click.Choice(["run", "fixed-tree", "none"]), default="run", show_default=True,
                 help="The same bits on every run, on every device too (fixed-tree), or not necessarily (none)."),
    _meaning("--sum", "sums", type=click.Choice(["plain", "pairwise", "kahan"]), default="plain", show_default=True,
                 help="How floating values are summed: one by one, cascaded, or with what rounding took from them."),
    _meaning("--allow-tf32", "allow_tf32", is_flag=True,
                 help="Tensor cores may do sums of products of floats, whose factors are rounded to 11 bits."),
    _meaning("--fuse", type=click.Choice(["none", "pairwise", "model", "max"]), default="model", show_default=True,
                 help="Which loops and kernels share a launch: what saves time by the model, or all that may."),
    _meaning("--shifted-sums", type=click.Choice(["joined", "as-written"]), default="joined", show_default=True,
                 help="Where rows that the chip does not hold sum exp(x - m) or squares of x - m: in the sweep that "
                 "finds m, for any m, or in one behind it."),
)  # fmt: skip
_MESSAGES = (
    _message("-W", "warnings", multiple=True, metavar="NAME", shell_complete=_names_of_warnings,
             help="-Wname, -Wno-name, -Werror[=name]."),
    _message("-w", "no_warnings", is_flag=True, help="No warnings."),
    _message("--error-format", type=click.Choice(["text", "json", "sarif"]), default="text", show_default=True,
                 help="How messages are written on standard error."),
    _message("--color", type=click.Choice(["auto", "always", "never"]), default="auto", show_default=True,
                 help="Colours in messages; auto: on a terminal."),
    _message("-v", "verbose", is_flag=True, help="Show the traceback of an internal fault."),
    _message("-q", "quiet", is_flag=True, help="No warnings, no notes."),
)  # fmt: skip
_DEPENDENCIES = (
    _dependency("-MD", "deps_all", is_flag=True, help="Write a dependency file for make, as gcc."),
    _dependency("-MMD", "deps_user", is_flag=True, help="As -MD, without system headers."),
    _dependency("-MF", "deps_file", type=FILE, metavar="FILE", help="Its name; default OUT with the suffix .d."),
    _dependency("-MT", "deps_targets", multiple=True, metavar="TARGET", help="Its target; default the outputs."),
    _dependency("-MQ", "deps_quoted", multiple=True, metavar="TARGET", help="As -MT, quoted for make."),
    _dependency("-MP", "deps_phony", is_flag=True, help="A rule without commands for each header."),
)


def _decorated(options: tuple[Callable[..., Any], ...]) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    def apply(function: Callable[..., Any]) -> Callable[..., Any]:
        for option in reversed(options):
            function = option(function)
        return function

    return apply


source_options = _decorated((*_PREPROCESSOR, *_MEANING, *_MESSAGES))
dependency_options = _decorated(_DEPENDENCIES)


def to_repeat(ctx: click.Context, file: str) -> str:
    """What a shell is given for `file` behind another command that is to compile it in the same way: the options that
    decide what is compiled, as this command line has them, and the name.
    """
    found: list[str] = []
    for option in ctx.command.params:
        given = ctx.get_parameter_source(str(option.name)) is click.core.ParameterSource.COMMANDLINE
        if not given or not isinstance(option, SectionOption) or option.section not in _DECISIVE:
            continue
        name, value = option.opts[0], ctx.params[str(option.name)]
        if option.is_flag:
            found.append(name)
            continue
        for each in value if option.multiple else (value,):
            between = "" if len(name) == 2 else "=" if name.startswith(("--", "-std")) else " "
            found.append(f"{name}{between}{shlex.quote(str(each))}")
    return " ".join((*found, shlex.quote(file)))


def compile_options(words: dict[str, Any]) -> CompileOptions:
    """The options of the compiler; `words` are click's parameters.  Raises click.UsageError."""
    from pencilc.diagnostics.policy import NotAWarning, warning_policy
    from pencilc.options import STANDARDS, CompileOptions
    from pencilc.target import UnknownTarget, target_of

    std, arch = words["std"], words.get("arch", "sm_90")
    if std not in STANDARDS:
        raise click.UsageError(f"-std={std}: pencilc reads c99, c11, c17 and their gnu dialects")
    try:
        target = target_of(arch)
    except UnknownTarget as error:
        raise click.UsageError(f"--arch {arch}: {error}") from error
    quiet_dirs = (*words["system_dirs"], *words["after_dirs"])
    try:
        policy = warning_policy(words["warnings"], words["no_warnings"] or words["quiet"], quiet_dirs)
    except NotAWarning as error:
        raise click.UsageError(str(error)) from error
    for text in () if policy.none else policy.unknown:
        click.echo(f"pencilc: {text}", err=True)
    return CompileOptions(
        include_dirs=words["include_dirs"],
        defines=words["defines"],
        undefines=words["undefines"],
        std=std,
        associative_math=words["associative_math"],
        target=target,
        determinism=words["determinism"],
        sums=words["sums"],
        allow_tf32=words["allow_tf32"],
        fuse=words["fuse"],
        shifted_sums=words["shifted_sums"],
        runtime=words.get("runtime", "inline"),
        system_dirs=words["system_dirs"],
        quote_dirs=words["quote_dirs"],
        after_dirs=words["after_dirs"],
        includes=words["includes"],
        tiles=_tile_choices(words["tiles"]),
        warnings=policy,
        autodetect=words["autodetect"],
        on_unsupported=words["on_unsupported"],
    )


_TILE = re.compile(r"(?P<kernel>[A-Za-z_]\w*):tile=(?P<points>\d{1,9}(,\d{1,9}){1,2})", re.ASCII)


def _tile_choices(texts: tuple[str, ...]) -> tuple[TileChoice, ...]:
    """The tiles that are asked for.  Raises click.UsageError."""
    from pencilc.options import TileChoice

    found: dict[str, TileChoice] = {}
    for text in texts:
        match = _TILE.fullmatch(text)
        if match is None:
            why = "; a block of tiles has 256 threads" if ":block=" in text else ""
            raise click.UsageError(f"--tile {text}: give KERNEL:tile=DOWN,ACROSS, as in product_row0:tile=64,64{why}")
        points = tuple(map(int, match["points"].split(",")))
        if 0 in points:
            raise click.UsageError(f"--tile {text}: a tile has points in every direction")
        if match["kernel"] in found:
            raise click.UsageError(f"--tile {text}: `{match['kernel']}` has its tiles already")
        found[match["kernel"]] = TileChoice(match["kernel"], points)
    return tuple(found.values())


def with_read_files(options: CompileOptions, words: dict[str, Any], file: str) -> CompileOptions:
    """The options with the schedules of a file that was named, and with the tuning data that was named or stands beside
    the source; raises SourceErrors.
    """
    from dataclasses import replace

    from pencilc.tune.file import beside, read_tuning

    if words["load_schedule"]:
        from pencilc.schedule.text import read_schedule_file

        options = replace(options, schedule=read_schedule_file(words["load_schedule"]))
    path = words["tuning"] or beside(file)
    return replace(options, tuning=read_tuning(path), tuning_file=path) if path else options


def with_sizes(options: CompileOptions, sizes: dict[str, tuple[int, ...]]) -> CompileOptions:
    """The options with the sizes that are given weighing; of a parameter with several values none is the one."""
    from dataclasses import replace

    return replace(options, sizes=tuple((name, values[0]) for name, values in sizes.items() if len(values) == 1))


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
