"""The command line: the only module that prints or exits.

Exit status: 0 done; 1 the source is at fault; 2 wrong usage; 3 a known limit or an internal fault;
4 verification found a difference; 5 an outside tool is missing.
"""

from __future__ import annotations

import gc
import os
import re
import sys
import traceback
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.shell_completion import CompletionItem

from pencilc import __version__
from pencilc.cli_options import (
    FILE,
    SectionedCommand,
    compile_options,
    dependency_options,
    option_of,
    source_options,
    to_repeat,
    with_read_files,
    with_sizes,
)
from pencilc.cli_words import WRITES_SOURCE, with_command

if TYPE_CHECKING:
    from pencilc.diagnostics.diagnostic import Diagnostic
    from pencilc.diagnostics.source import SourceFile
    from pencilc.driver import Compilation
    from pencilc.options import CompileOptions
    from pencilc.progress import ProgressLine

STAGE_NAMES = ("source", "scop", "dependences", "schedule", "mapping", "kernels", "cuda")
# What can be dumped besides: the passes of the stage `mapping`.
PASS_NAMES = tuple(
    f"mapping/{name}"
    for name in ("parts", "sweeps", "shapes", "storage", "fusion", "variants", "loops", "time", "copies")
)
_CHECKED = "scop"  # the last stage that judges the program
# Files for build systems by the option that tells where they are: what of the package's folder, and the help.
_PLACES = {
    "--print-include-dir": ("include", "Print the folder that holds pencil.h."),
    "--print-mk": ("share/pencilc.mk", "Print the file that a Makefile includes."),
    "--print-cmake-dir": ("share/cmake", "Print the folder of the CMake package, for pencilc_DIR."),
    "--print-pkgconfig-dir": ("share/pkgconfig", "Print the folder of pencilc.pc, for PKG_CONFIG_PATH."),
}
_OF_LINKERS = (".o", ".obj", ".a", ".so")  # suffixes of what is no source
_ALONE = ("-h", "--help", "--version", *_PLACES)
_output = option_of("Output")
_inside = option_of("Looking inside")


class _DefaultCommand(click.Group):
    """A group whose command `compile` is meant when no word names another one."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if args and args[0] not in _ALONE:
            args = with_command(args, self.commands, "compile")
        return super().parse_args(ctx, args)

    def format_usage(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        formatter.write_usage("pencilc", "[OPTIONS] FILE.c | COMMAND [OPTIONS] FILE.c | explain CODE")

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        super().format_commands(ctx, formatter)
        compile_command.format_options(click.Context(compile_command), formatter)
        with formatter.section("About pencilc"):
            formatter.write_dl([r for p in self.get_params(ctx) if (r := p.get_help_record(ctx)) is not None])

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """What the first word may be: a command, an option of the command that is meant, or a file."""
        found = super().shell_complete(ctx, incomplete)
        if incomplete.startswith("-"):
            return [*found, *compile_command.shell_complete(click.Context(compile_command), incomplete)]
        if not found:
            return [CompletionItem(incomplete, type="file")]
        # bash takes words or names of files, not both: where a command may be meant, files are words.
        return [*found, *map(CompletionItem, sorted(map(str, Path().glob(f"{incomplete}*.c"))))]


class _WithoutName(click.Context):
    """The context of the command that is meant without its name."""

    @property
    def command_path(self) -> str:
        """What usage errors call it."""
        return self.parent.command_path if self.parent is not None else "pencilc"


class _CompileCommand(SectionedCommand):
    context_class = _WithoutName


def _print_place(ctx: click.Context, option: click.Parameter, wanted: bool) -> None:
    if wanted and not ctx.resilient_parsing:
        place, _ = _PLACES[option.opts[0]]
        click.echo(str(Path(__file__).resolve().parent / place))
        ctx.exit()


def _places(command: click.Group) -> click.Group:
    for name, (_, told) in _PLACES.items():
        option = click.option(name, is_flag=True, is_eager=True, expose_value=False, callback=_print_place, help=told)
        command = option(command)
    return command


@_places
@click.group(cls=_DefaultCommand, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="pencilc")
def main() -> None:
    """Compile C with declared reductions (PENCIL) to CUDA."""


def _targets(_: click.Context, __: click.Parameter, incomplete: str) -> list[str]:
    from pencilc.target import TARGETS

    return [name for name in TARGETS if name.startswith(incomplete)]


def _codes(_: click.Context, __: click.Parameter, incomplete: str) -> list[str]:
    from pencilc.diagnostics.codes import REGISTRY

    names = (name for code in REGISTRY.values() for name in (code.code, code.name))
    return [name for name in names if name.lower().startswith(incomplete.lower())]


@main.command("compile", cls=_CompileCommand, hidden=True)
@click.argument("file", metavar="FILE.c", type=FILE)
@_output(
    "-o",
    "output",
    type=FILE,
    metavar="OUT.cu",
    help="Output file, `-` for standard output; default <stem>.cu here.",
)
@_output(
    "--host-output",
    type=FILE,
    metavar="FILE",
    help="Where the host C goes; default <OUT stem>_host.c beside OUT.",
)
@_output("--always-host", is_flag=True, help="Write the host file without host code too, for build systems.")
@_output(
    "--runtime",
    type=click.Choice(["inline", "header"]),
    default="inline",
    show_default=True,
    help="Whether OUT.cu has the runtime in itself, or includes pencilc_runtime.h beside it.",
)
@_output("--header", type=FILE, metavar="FILE", help="Also write a C and C++ header that declares every entry point.")
@_output(
    "--manifest",
    type=FILE,
    metavar="FILE.json",
    help="Also write entry points, arguments with types and extents, and launches, for programs.",
)
@_output("--save-schedule", type=FILE, metavar="FILE",
         help="Write the schedules of all regions too, as --load-schedule reads them.")  # fmt: skip
@_output("--sizes", multiple=True, metavar="n=1000,m=3",
         help="Sizes that loops, their order and fusion are chosen for; all others are right too.")  # fmt: skip
@_output("-E", "only_preprocess", is_flag=True, help="Stop after preprocessing.")
@_output("-fsyntax-only", "syntax_only", is_flag=True, help="Stop after checking.")
@_output("--arch", default="sm_90", show_default=True, shell_complete=_targets, help="The GPU to choose for.")
@_inside("--dump-ir", "dump_ir", metavar="STAGE|mapping/PASS", type=click.Choice((*STAGE_NAMES, *PASS_NAMES)),
         multiple=True, help="Print what a stage made, or a pass of one.")  # fmt: skip
@_inside("--stop-after", type=click.Choice(STAGE_NAMES), help="Stop after a stage; nothing is written.")
@_inside("--time-stages", is_flag=True, help="Print the time of each stage.")
@_inside("--report", type=click.Choice(["text", "json"]), help="Tell what was done, kernel by kernel [=text].")
@dependency_options
@source_options
def compile_command(file: str, **words: Any) -> None:
    """Compile FILE.c to CUDA."""
    sizes = _sizes(words["sizes"])
    if several := [name for name, values in sizes.items() if len(values) > 1]:
        raise click.UsageError(f"--sizes {several[0]}: give one value to choose for")
    if Path(words["output"] or "").suffix in _OF_LINKERS:
        raise click.UsageError(f"-o {words['output']}: {WRITES_SOURCE}")
    options, last = with_sizes(compile_options(words), sizes), _last_stage(words)
    with _Reporting(words, file) as reporting:
        source = _read(file)
        if words["only_preprocess"]:
            _write({words["output"] or "-": _preprocessed(source, options)})
            return
        with _loading():
            from pencilc.cli_outputs import outputs, schedule_output
            from pencilc.diagnostics.diagnostic import CompilerBug
            from pencilc.driver import compile_source

        made: dict[str, Compilation] = {}
        try:
            done = compile_source(source, with_read_files(options, words, file), last, made.__setitem__)
        except CompilerBug:
            # What a verifier refuses, and what it comes from, is what has to be looked at.
            _show_dumps(words["dump_ir"], made)
            raise
        reporting.show(done.diagnostics)
        known = {parameter.name for scop in done.scops for parameter in scop.params}
        if done.scops and (strange := [name for name in sizes if name not in known]):
            raise click.UsageError(f"--sizes {strange[0]}: no region has an integer parameter of this name")
        _show_dumps(words["dump_ir"], dict.fromkeys(STAGE_NAMES, done))
        if words["time_stages"]:
            for name, seconds in done.times:
                click.echo(f"{name:16} {1e3 * seconds:8.1f} ms", err=True)
        if words["report"]:
            click.echo(_report(done, words["report"]), err=True, nl=False)
        if last == STAGE_NAMES[-1] and not words["dump_ir"] and not words["stop_after"]:
            _write(outputs(done, words))
        else:
            _write(schedule_output(done, words))


def _show_dumps(names: Sequence[str], made: Mapping[str, Compilation]) -> None:
    """What is asked for of the stages that have made something."""
    from pencilc.driver import dump

    for name in names:
        stage = name.partition("/")[0]
        if stage in made:
            click.echo(dump(made[stage], name), nl=False)


def _last_stage(words: dict[str, Any]) -> str:
    """The last stage that has to run; raises click.UsageError if something is asked for that it does not make."""
    asked = {f"--dump-ir={name}": name.partition("/")[0] for name in words["dump_ir"]}
    if words["report"]:
        asked["--report"] = "mapping"
    if words["save_schedule"]:
        asked["--save-schedule"] = "schedule"
    stopped = _CHECKED if words["syntax_only"] else words["stop_after"]
    for option, needed in asked.items():
        if stopped and STAGE_NAMES.index(stopped) < STAGE_NAMES.index(needed):
            stopping = "-fsyntax-only" if words["syntax_only"] else f"--stop-after={stopped}"
            raise click.UsageError(f"{option} needs the stage '{needed}', which {stopping} does not reach")
    if stopped:
        return str(stopped)
    return max(asked.values(), key=STAGE_NAMES.index) if words["dump_ir"] else STAGE_NAMES[-1]


def _report(done: Compilation, kind: str, sizes: dict[str, tuple[int, ...]] | None = None) -> str:
    """The report of a compilation; with `sizes`, of the launches of a call too."""
    calls = None
    if sizes is not None:
        from pencilc.verify.launched import launched_calls

        calls = launched_calls(done, sizes)
    if kind == "json":
        from pencilc.report.json import report_json

        return report_json(done, calls)
    from pencilc.report.text import report_text

    return report_text(done, calls)


@main.command(cls=SectionedCommand)
@click.argument("file", metavar="FILE.c", type=FILE)
@source_options
def check(file: str, **words: Any) -> None:
    """Parse and check FILE.c: diagnostics, no output.

    What only the later stages can tell (PC0701: nothing is parallel) is told when the file is compiled.
    """
    options = compile_options(words)
    with _Reporting(words, file) as reporting:
        with _loading():
            from pencilc.driver import compile_source

        reporting.show(compile_source(_read(file), options, _CHECKED).diagnostics)


@main.command(cls=SectionedCommand)
@click.argument("file", metavar="FILE.c", type=FILE)
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
@click.option("--html", "page", type=FILE, metavar="OUT.html",
              help="As a page to look at: source and CUDA side by side, pictures, a row for each kernel.")  # fmt: skip
@click.option("--nvcc", "asks_nvcc", is_flag=True, help="For --html: have nvcc count the registers of each kernel.")
@click.option("--traffic", is_flag=True, help="For --html: have the CPU executor count the bytes that a call moves.")
@click.option("--sizes", multiple=True, metavar="n=1000,m=2000",
              help="Tell for these values of all integer parameters how many points and threads the launches have; "
                   "for --traffic: sizes that are counted. One value of each: choose for these sizes too. "
                   "'' where no size is a parameter.")  # fmt: skip
@click.option("--inputs", type=click.Path(exists=True, dir_okay=False, path_type=Path),
              help="For --traffic: Python file with inputs.")  # fmt: skip
@click.option("--arch", default="sm_90", show_default=True, shell_complete=_targets, help="The GPU to choose for.")
@source_options
def report(file: str, as_json: bool, page: str | None, asks_nvcc: bool, traffic: bool, sizes: tuple[str, ...],
           inputs: Path | None, **words: Any) -> None:  # fmt: skip
    """Tell what is done with FILE.c, kernel by kernel, and why."""
    options = with_sizes(compile_options(words), _sizes(sizes))
    if as_json and page is not None:
        raise click.UsageError("--json and --html: give one of them")
    if (asks_nvcc or traffic) and page is None:
        raise click.UsageError(f"{'--nvcc' if asks_nvcc else '--traffic'} needs --html OUT.html")
    if inputs is not None and not traffic:
        raise click.UsageError("--inputs needs --traffic")
    if sizes and page is not None and not traffic:
        raise click.UsageError("--sizes with --html needs --traffic")
    with _Reporting(words, file) as reporting:
        with _loading():
            from pencilc.driver import compile_source

        last = "kernels" if page is not None or sizes else "mapping"
        done = compile_source(_read(file), with_read_files(options, words, file), last)
        reporting.show(done.diagnostics)
        if page is None:
            click.echo(_report(done, "json" if as_json else "text", _sizes(sizes) if sizes else None), nl=False)
            return
        from pencilc.cli_outputs import check_inputs_stay
        from pencilc.codegen.render import render_with_places
        from pencilc.page.counted import counted_registers
        from pencilc.page.measured import counted_calls
        from pencilc.page.page import report_page

        check_inputs_stay(done, (page,))
        assert done.kernels is not None
        placed = render_with_places(done.kernels)
        registers = counted_registers(done, placed.text) if asks_nvcc else None
        calls = counted_calls(done, placed.text, _sizes(sizes), inputs) if traffic else None
        _write({page: report_page(done, placed, registers, calls)})


@main.command(cls=SectionedCommand)
@click.argument("code", required=False, shell_complete=_codes)
def explain(code: str | None) -> None:
    """Print the long text of a diagnostic, for example PC0201; without CODE the index of all."""
    from pencilc.diagnostics.explain import explanation, index, meant

    text = index() if code is None else explanation(code)
    if text is None:
        close = meant(str(code))
        raise click.UsageError(f"no diagnostic `{code}`" + (f"; did you mean {close}?" if close else ""))
    click.echo(text, nl=False)


@main.command(cls=SectionedCommand)
@click.argument("file", metavar="FILE.c", type=FILE)
@click.option("--sizes", multiple=True, metavar="n=0,1,31", help="Values of an integer parameter; may be repeated.")
@click.option("--on", "where", type=click.Choice(["cpu", "gpu"]), default="cpu", show_default=True)
@click.option("--order", default="fwd,rev,rand:7", show_default=True, help="Thread orders of the CPU executor.")
@click.option("--arch", default="sm_90", show_default=True, shell_complete=_targets,
              help="The GPU to choose for, whose code the CPU executor runs.")  # fmt: skip
@click.option("--seed", default=0, show_default=True, help="Seed of the inputs.")
@click.option("--inputs", type=click.Path(exists=True, dir_okay=False, path_type=Path), help="Python file with inputs.")
@click.option("--tolerance", type=float, help="Relative tolerance of floating results.")
@click.option("--no-check", is_flag=True, help="Run without the race and memory detector (faster).")
@click.option("--traffic", is_flag=True, help="Count bytes, sectors, wavefronts, beside the least possible.")
@click.option("--max-elements", type=click.IntRange(1), default=2**21, show_default=True,
              help="Runs with more array elements are skipped.")  # fmt: skip
@click.option("--max-iterations", type=click.IntRange(1), default=2**22, show_default=True,
              help="Runs with more innermost iterations are skipped.")  # fmt: skip
@click.option("--max-launches", type=click.IntRange(1), default=2**13, show_default=True,
              help="Calls and programs with more launches are skipped on the CPU.")  # fmt: skip
@click.option("--timeout", type=click.FloatRange(min=0, min_open=True), default=60.0, show_default=True,
              metavar="SECONDS", help="A call that takes longer is stopped.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
@source_options
def verify(file: str, sizes: tuple[str, ...], where: str, order: str, seed: int, inputs: Path | None,
           tolerance: float | None, no_check: bool, traffic: bool, max_elements: int, max_iterations: int,
           max_launches: int, timeout: float, as_json: bool, **words: Any) -> None:  # fmt: skip
    """Run the generated CUDA against the sequential C and compare.

    Exit status: 0 all is the same; 1 the C program itself does what C does not define, such as an access outside of an
    array; 3 nothing was compared; 4 something differs.
    """
    options = compile_options(words)
    with _Reporting(words, file):
        with _loading():
            from pencilc.verify import command
            from pencilc.verify.report_json import report_json
            from pencilc.verify.sizes import SizeLimits

        if any(not re.fullmatch(r"fwd|rev|rand:\d+", word) for word in order.split(",")):
            raise click.UsageError(f"--order={order}: give fwd, rev or rand:N, separated by commas")
        if traffic and (where == "gpu" or no_check):
            raise click.UsageError(
                "--traffic is counted by the CPU executor with its detector: no --on=gpu, no --no-check"
            )
        settings = command.VerifySettings(
            sizes=_sizes(sizes), on="gpu" if where == "gpu" else "cpu", orders=tuple(order.split(",")), seed=seed,
            inputs=inputs, mode="plain" if no_check else "check", tolerance=tolerance,
            traffic=traffic, limits=SizeLimits(max_elements, max_iterations, max_launches), timeout_s=timeout,
        )  # fmt: skip
        source = _read(file)
        with _progress(words) as progress:
            found = command.verify(source, with_read_files(options, words, file), settings, progress.tell)
        click.echo(report_json(file, found) if as_json else found.table(), nl=False)
        if found.why_nothing:
            click.echo(f"pencilc: nothing was compared: {found.why_nothing}", err=True)
        if not as_json:
            _say_next(words, file, found.next_step(_to_repeat(file)))
        if not found.ok:
            sys.exit(found.exit_status)


@main.command(cls=SectionedCommand)
@click.argument("file", metavar="FILE.c", type=FILE)
@click.option("--diff", "as_diff", is_flag=True, help="Print the change as a patch.")
@click.option("--apply", "in_place", is_flag=True, help="Change the file.")
@click.option("--json", "as_json", is_flag=True, help="Print the report with the patch in it, as JSON.")
@click.option("--function", "functions", multiple=True, metavar="NAME", help="Only this one; may be repeated.")
@click.option("--sizes", multiple=True, metavar="n=0,1,32",
              help="Values of an integer parameter that both programs are run with; may be repeated.")  # fmt: skip
@source_options
def port(file: str, as_diff: bool, in_place: bool, as_json: bool, functions: tuple[str, ...], sizes: tuple[str, ...],
         **words: Any) -> None:  # fmt: skip
    """Tell what keeps the loops of FILE.c, plain C, from being compiled, and write the change.

    What was is compiled with gcc and run beside what is, and both have to leave the same bytes behind. Exit status: 0
    every function with loops is ported, or was before; 1 one is left as it is, with the reason.
    """
    options = compile_options(words)
    with _Reporting(words, file):
        with _loading():
            from pencilc.port import command
            from pencilc.port.patch import as_stored, unified
            from pencilc.port.report import report_json, report_text

        if as_diff and as_json:
            raise click.UsageError("--json holds the patch: give one of --diff and --json")
        if in_place and file == "-":
            raise click.UsageError("--apply needs a file; `pencilc port --diff -` prints the patch")
        try:
            found = command.port(_read(file), options, functions, _sizes(sizes))
        except command.NoSuchFunction as error:
            raise click.UsageError(str(error)) from error
        stored = [as_stored(file, text) for text in (found.before, found.after, *found.wrappers)]
        patch = unified(found.path, stored[0], stored[1], stored[2:])
        if as_json:
            click.echo(report_json(found, patch), nl=False)
        else:
            click.echo(report_text(found), err=as_diff, nl=False)
        if as_diff:
            _write({"-": patch})
        if in_place and found.after != found.before:
            mode = Path(file).stat().st_mode
            _write({file: as_stored(file, found.after)})
            Path(file).chmod(mode & 0o7777)
        if patch and file != "-" and not as_json:
            _say_next(words, file, _after_port(_to_repeat(file), sizes, as_diff, in_place))
        if found.is_incomplete:
            sys.exit(1)


def _after_port(words: str, sizes: tuple[str, ...], is_printed: bool, is_applied: bool) -> str:
    """What there is to do once the change is told, or made; `words` name the file and options."""
    run = " ".join([*(f"--sizes {each}" for each in sizes), words])
    if is_applied:
        return f"`pencilc verify {run}` compares the generated CUDA with it, `pencilc {words}` writes the CUDA file"
    apply = f"`pencilc port --apply {run}` makes the change"
    if is_printed:
        return f"`git apply` or `patch -p1` takes the patch, {apply}"
    return f"{apply}, `pencilc port --diff {run}` prints it as a patch"


@main.command(cls=SectionedCommand)
@click.argument("file", metavar="FILE.c", type=FILE)
@click.option("-o", "output", metavar="FILE", help="The tuning file; default <stem>.tuning.json beside the source.")
@click.option("--sizes", multiple=True, metavar="n=4096,65536", help="Values of an integer parameter; may be repeated.")
@click.option("--plan", "plan_only", is_flag=True, help="Print what would be searched and end; needs no GPU.")
@click.option("--budget", type=click.IntRange(2), default=200, show_default=True, help="Candidates of each kernel.")
@click.option("--samples", type=click.IntRange(10), default=21, show_default=True, help="Samples of each candidate.")
@click.option("--seed", default=0, show_default=True, help="Seed of the search, of the order and of the inputs.")
@click.option("--inputs", type=click.Path(exists=True, dir_okay=False, path_type=Path), help="Python file with inputs.")
@click.option("--restart", is_flag=True, help="Forget what an interrupted search has measured.")
@click.option("--no-model", "plain", is_flag=True, help="Do without scikit-learn, also where it is installed.")
@source_options
def tune(file: str, output: str | None, sizes: tuple[str, ...], plan_only: bool, budget: int, samples: int, seed: int,
         inputs: Path | None, restart: bool, plain: bool, **words: Any) -> None:  # fmt: skip
    """Search the launch parameters of FILE.c on this machine's GPU and write a tuning file.

    Ctrl-C keeps the best so far (status 130); the same command goes on where it stopped.
    """
    options = compile_options(words)
    if options.tiles:
        raise click.UsageError("--tile: `tune` searches the tiles; `pencilc --tile` compiles with what you choose")
    with _Reporting(words, file):
        with _loading():
            from pencilc.tune import command
            from pencilc.tune.file import SUFFIX
            from pencilc.tune.search import SearchLimits
            from pencilc.tune.state import SUFFIX as PARTIAL

        if file == "-":
            raise click.UsageError("tune needs a file: what it finds is written beside it")
        beside = Path(file).with_suffix(SUFFIX)
        target = Path(output) if output else beside
        settings = command.TuneSettings(
            sizes=_sizes(sizes), limits=SearchLimits(budget=budget, samples=samples, seed=seed), inputs=inputs,
            restart=restart, state=target.with_name(target.name.removesuffix(SUFFIX) + PARTIAL), plain=plain,
        )  # fmt: skip
        source = _read(file)
        if plan_only:
            click.echo(command.plan(source, options, settings), nl=False)
            return
        with _progress(words) as progress:
            tuned = command.tune(source, options, settings, progress.write, tell=progress.tell)
        click.echo(tuned.summary, err=True, nl=False)
        _write({str(target): tuned.file.text()})
        _say_next(words, file, command.next_step(tuned, _to_repeat(file), target, target == beside))
        if tuned.interrupted:
            sys.exit(130)


@main.command(cls=SectionedCommand)
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> None:
    """Print what makes SHELL complete options, values, files and codes: `eval "$(pencilc completion bash)"`."""
    from click.shell_completion import get_completion_class

    made = get_completion_class(shell)
    assert made is not None
    click.echo(made(main, {}, "pencilc", "_PENCILC_COMPLETE").source())


def _progress(words: dict[str, Any]) -> ProgressLine:
    """Where long work says how far it is: on standard error, but not among messages that programs read."""
    from pencilc.progress import ProgressLine

    is_silent = words["quiet"] or words["error_format"] != "text"
    return ProgressLine(sys.stderr, sys.stderr.isatty(), is_silent)


def _say_next(words: dict[str, Any], file: str, text: str) -> None:
    """What there is to do behind a command that has come to its end."""
    if file != "-" and not words["quiet"] and words["error_format"] == "text":
        click.echo(f"next: {text}", err=True)


def _to_repeat(file: str) -> str:
    """The file and the options of the command that runs, for the next one."""
    return to_repeat(click.get_current_context(), file)


def _sizes(texts: tuple[str, ...]) -> dict[str, tuple[int, ...]]:
    """`n=0,31`, or several in one word: `n=0,31,m=5`; '' is none.  What is said again about a name comes on top."""
    found: dict[str, tuple[int, ...]] = {}
    for text in filter(None, texts):
        name = ""
        for word in text.split(","):
            before, sign, value = word.rpartition("=")
            name = before.strip() if sign else name
            try:
                known = found.get(name, ()) if sign else found[name]
                found[name] = tuple(dict.fromkeys((*known, int(value))))
            except (ValueError, KeyError):
                name = ""
            if not name:
                raise click.UsageError(f"--sizes {text}: give NAME=VALUE,VALUE,...")
    return found


# ---- modules -------------------------------------------------------------------------------------


@contextmanager
def _loading() -> Iterator[None]:
    """What is imported inside stays until the process ends: garbage is looked for in what comes after it alone."""
    before = len(sys.modules)
    gc.disable()
    try:
        yield
    finally:
        if len(sys.modules) > before:
            gc.freeze()
        gc.enable()


# ---- files ---------------------------------------------------------------------------------------


def _read(path: str) -> SourceFile:
    with _loading():
        from pencilc.frontend import read_source

    if path == "-":
        return read_source("<stdin>", sys.stdin.buffer.read())
    return read_source(path)


def _preprocessed(source: SourceFile, options: CompileOptions) -> str:
    from pencilc.driver import frontend_options
    from pencilc.frontend import preprocess_file

    return preprocess_file(source, frontend_options(options))


def _write(files: dict[str, str]) -> None:
    """Write the files, then what goes to standard output."""
    from pencilc.outputs import CannotWrite, write_all

    try:
        write_all({name: text for name, text in files.items() if name != "-"})
    except CannotWrite as error:
        raise click.UsageError(str(error)) from error
    if "-" in files:
        try:
            sys.stdout.buffer.write(files["-"].encode("utf-8", "surrogateescape"))
            sys.stdout.flush()
        except OSError as error:
            raise click.UsageError(f"cannot write to standard output: {error.strerror}") from error


# ---- failures ------------------------------------------------------------------------------------


class _Reporting:
    """Turns failures into messages and exit statuses; no traceback without -v."""

    def __init__(self, words: dict[str, Any], file: str) -> None:
        self.verbose: bool = words["verbose"]
        self.format: str = words["error_format"]
        self.colour = _colour(words["color"])
        self.path = "<stdin>" if file == "-" else file
        self.shown: list[Diagnostic] = []

    def __enter__(self) -> _Reporting:
        return self

    def show(self, diagnostics: tuple[Diagnostic, ...]) -> None:
        """Print diagnostics on standard error; SARIF is one document and comes at the end."""
        from pencilc.diagnostics.render import render_json, render_text

        self.shown += diagnostics
        if self.format == "json":
            click.echo(render_json(diagnostics), err=True, nl=False)
        elif self.format == "text" and diagnostics:
            click.echo(render_text(diagnostics, colour=self.colour), err=True, nl=False, color=self.colour)

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        passed = click.ClickException | click.exceptions.Exit | SystemExit | KeyboardInterrupt
        status = 0 if error is None or isinstance(error, passed) else self._failed(error)
        if self.format == "sarif" and not isinstance(error, click.ClickException):
            from pencilc.diagnostics.sarif import render_sarif

            click.echo(render_sarif(self.shown, __version__), err=True, nl=False)
        if status:
            sys.exit(status)

    def _failed(self, error: BaseException) -> int:
        """Say what went wrong; the exit status."""
        from pencilc.diagnostics.diagnostic import CompilerLimitation, SourceErrors, limit_diagnostic
        from pencilc.gpu.tile_choices import TilesRefused
        from pencilc.verify.errors import BuildFailed, InputsError, ToolMissing

        if isinstance(error, SourceErrors):
            self.show(error.diagnostics)
            return 1
        if isinstance(error, TilesRefused):
            click.echo(f"pencilc: --tile: {error}", err=True)
            return 2
        if self.verbose:
            traceback.print_exception(error)
        if isinstance(error, InputsError | ToolMissing | BuildFailed):
            click.echo(f"pencilc: {error}", err=True)
            return 2 if isinstance(error, InputsError) else 5 if isinstance(error, ToolMissing) else 3
        limit = limit_diagnostic(error, self.path) if isinstance(error, CompilerLimitation) else None
        self.show((limit or self._fault(error),))
        return 3

    def _fault(self, error: BaseException) -> Diagnostic:
        from pencilc.diagnostics.diagnostic import Diagnostic, Severity
        from pencilc.diagnostics.source import Span

        said = str(error).strip().split("\n")[0]
        message = f"internal fault: {type(error).__name__}" + (f": {said}" if said else "")
        notes = (f"pencilc {__version__}; the command was `pencilc {' '.join(sys.argv[1:])}`",)
        helps = ("run it again with -v for the traceback, and report it with the output of -E",)
        return Diagnostic(Severity.ERROR, "PC0902", message, Span(self.path, 1, 1, 2), "", (), notes, helps)


def _colour(wanted: str) -> bool:
    if wanted == "auto":
        return sys.stderr.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    return wanted == "always"
