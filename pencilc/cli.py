"""The command line: the only module that prints or exits.

Exit status: 0 done; 1 the source is at fault; 2 wrong usage; 3 a known limit or an internal fault;
4 verification found a difference; 5 an outside tool is missing.
"""

from __future__ import annotations

import re
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pencilc import __version__

if TYPE_CHECKING:
    from pencilc.diagnostics.diagnostic import Diagnostic
    from pencilc.diagnostics.source import SourceFile
    from pencilc.driver import Compilation
    from pencilc.options import CompileOptions

STAGE_NAMES = ("source", "scop", "dependences", "schedule", "mapping", "cuda")


class _DefaultCommand(click.Group):
    """A group whose command `compile` is meant when the first word names none."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if args and args[0] not in self.commands and args[0] not in ("--help", "--version", "--print-include-dir"):
            args = ["compile", *args]
        return super().parse_args(ctx, args)

    def format_usage(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        formatter.write_usage("pencilc", "[OPTIONS] FILE.c | check FILE.c | verify FILE.c")

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        compile_command.format_options(click.Context(compile_command), formatter)
        super().format_commands(ctx, formatter)


def _print_include_dir(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted and not ctx.resilient_parsing:
        from pencilc.frontend import include_dir

        click.echo(str(include_dir()))
        ctx.exit()


@click.group(cls=_DefaultCommand, context_settings={"help_option_names": ["--help"]})
@click.version_option(__version__, prog_name="pencilc")
@click.option("--print-include-dir", is_flag=True, is_eager=True, expose_value=False, callback=_print_include_dir,
              help="Print the folder that holds pencil.h.")  # fmt: skip
def main() -> None:
    """Compile C with declared reductions (PENCIL) to CUDA."""


def _preprocessor_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """-I -D -U -std, as gcc has them."""
    options = (
        click.option("-I", "include_dirs", multiple=True, metavar="DIR", help="Look for headers in DIR."),
        click.option("-D", "defines", multiple=True, metavar="NAME[=VALUE]", help="Define a macro."),
        click.option("-U", "undefines", multiple=True, metavar="NAME", help="Undefine a macro."),
        click.option("-std", "std", default="c99", metavar="STD", help="The language; c99 is what pencilc reads."),
        click.option("-v", "verbose", is_flag=True, help="Show the traceback of an internal fault."),
        click.option("-q", "quiet", is_flag=True, help="No warnings."),
    )
    for option in reversed(options):
        function = option(function)
    return function


def _options(
    include_dirs: tuple[str, ...], defines: tuple[str, ...], undefines: tuple[str, ...], std: str, arch: str = "sm_90"
) -> CompileOptions:
    from pencilc.options import CompileOptions, Target

    if std not in ("c99", "gnu99", "iso9899:1999"):
        raise click.UsageError(f"-std={std}: pencilc reads c99")
    digits = arch.removeprefix("sm_").rstrip("af")
    if not arch.startswith("sm_") or not digits.isdigit():
        raise click.UsageError(f"--arch {arch}: give a target such as sm_90")
    if int(digits) < 75:
        raise click.UsageError(f"--arch {arch}: sm_75 is the least")
    return CompileOptions(include_dirs, defines, undefines, std, target=Target(arch=arch))


@main.command("compile", hidden=True)
@click.argument("file", metavar="FILE.c")
@click.option("-o", "output", metavar="OUT.cu", help="Output file, `-` for standard output; default <stem>.cu here.")
@click.option("--host-output", metavar="FILE", help="Where the host C goes; default <OUT stem>_host.c beside OUT.")
@click.option("-E", "only_preprocess", is_flag=True, help="Stop after preprocessing.")
@click.option("-fsyntax-only", "syntax_only", is_flag=True, help="Stop after checking.")
@click.option("--arch", default="sm_90", show_default=True, help="The GPU to choose for.")
@click.option("--dump-ir", "dump_ir", type=click.Choice(STAGE_NAMES), multiple=True, help="Print what a stage made.")
@click.option("--stop-after", type=click.Choice(STAGE_NAMES), help="Stop after a stage; nothing is written.")
@click.option("--time-stages", is_flag=True, help="Print the time of each stage.")
@click.option(
    "--report",
    is_flag=False,
    flag_value="text",
    type=click.Choice(["text"]),
    help="Tell what was done, kernel by kernel.",
)
@_preprocessor_options
def compile_command(file: str, output: str | None, host_output: str | None, only_preprocess: bool, syntax_only: bool,
                    arch: str, dump_ir: tuple[str, ...], stop_after: str | None, time_stages: bool, report: str | None,
                    include_dirs: tuple[str, ...], defines: tuple[str, ...], undefines: tuple[str, ...], std: str,
                    verbose: bool, quiet: bool) -> None:  # fmt: skip
    """Compile FILE.c to CUDA."""
    options = _options(include_dirs, defines, undefines, std, arch)
    with _Reporting(verbose, quiet) as reporting:
        source = _read(file)
        if only_preprocess:
            _preprocess(source, options, output)
            return
        from pencilc.driver import compile_source, dump

        last = "mapping" if syntax_only else _last_stage(stop_after, dump_ir)
        done = compile_source(source, options, last)
        reporting.show(done.diagnostics)
        for name in dump_ir:
            click.echo(dump(done, name), nl=False)
        if time_stages:
            for name, seconds in done.times:
                click.echo(f"{name:12} {1e3 * seconds:8.1f} ms", err=True)
        if report:
            from pencilc.report.text import report_text

            click.echo(report_text(done), err=True, nl=False)
        if last == "cuda" and not dump_ir and not stop_after:
            _write_outputs(done, output, host_output)


def _last_stage(stop_after: str | None, dump_ir: tuple[str, ...]) -> str:
    if stop_after:
        return stop_after
    if dump_ir:
        return max(dump_ir, key=STAGE_NAMES.index)
    return STAGE_NAMES[-1]


@main.command()
@click.argument("file", metavar="FILE.c")
@_preprocessor_options
def check(file: str, include_dirs: tuple[str, ...], defines: tuple[str, ...], undefines: tuple[str, ...], std: str,
          verbose: bool, quiet: bool) -> None:  # fmt: skip
    """Parse and check FILE.c: diagnostics, no output."""
    options = _options(include_dirs, defines, undefines, std)
    with _Reporting(verbose, quiet) as reporting:
        from pencilc.driver import compile_source

        reporting.show(compile_source(_read(file), options, "mapping").diagnostics)


@main.command()
@click.argument("file", metavar="FILE.c")
@click.option("--sizes", multiple=True, metavar="n=0,1,31", help="Values of an integer parameter; may be repeated.")
@click.option("--on", "where", type=click.Choice(["cpu", "gpu"]), default="cpu", show_default=True)
@click.option("--order", default="fwd,rev,rand:7", show_default=True, help="Thread orders of the CPU executor.")
@click.option("--seed", default=0, show_default=True, help="Seed of the inputs.")
@click.option("--inputs", type=click.Path(exists=True, dir_okay=False, path_type=Path), help="Python file with inputs.")
@click.option("--tolerance", type=float, help="Relative tolerance of floating results.")
@click.option("--no-check", is_flag=True, help="Run without the race and memory detector (faster).")
@_preprocessor_options
def verify(file: str, sizes: tuple[str, ...], where: str, order: str, seed: int, inputs: Path | None,
           tolerance: float | None, no_check: bool, include_dirs: tuple[str, ...], defines: tuple[str, ...],
           undefines: tuple[str, ...], std: str, verbose: bool, quiet: bool) -> None:  # fmt: skip
    """Run the generated CUDA against the sequential C and compare."""
    options = _options(include_dirs, defines, undefines, std)
    with _Reporting(verbose, quiet):
        from pencilc.verify import command

        if any(not re.fullmatch(r"fwd|rev|rand:\d+", word) for word in order.split(",")):
            raise click.UsageError(f"--order={order}: give fwd, rev or rand:N, separated by commas")
        settings = command.VerifySettings(
            sizes=_sizes(sizes), on="gpu" if where == "gpu" else "cpu", orders=tuple(order.split(",")), seed=seed,
            inputs=inputs, mode="plain" if no_check else "check", tolerance=tolerance,
        )  # fmt: skip
        report = command.verify(_read(file), options, settings)
        click.echo(report.table(), nl=False)
        if not report.ok:
            sys.exit(4)


def _sizes(texts: tuple[str, ...]) -> dict[str, tuple[int, ...]]:
    found: dict[str, tuple[int, ...]] = {}
    for text in texts:
        name, sign, values = text.partition("=")
        try:
            found[name] = tuple(int(v) for v in values.split(","))
        except ValueError:
            sign = ""
        if not sign:
            raise click.UsageError(f"--sizes {text}: give NAME=VALUE,VALUE,...")
    return found


# ---- files ---------------------------------------------------------------------------------------


def _read(path: str) -> SourceFile:
    from pencilc.frontend import read_source

    if path == "-":
        return read_source("<stdin>", sys.stdin.buffer.read())
    return read_source(path)


def _preprocess(source: SourceFile, options: CompileOptions, output: str | None) -> None:
    from pencilc.frontend import FrontendOptions, preprocess

    text = preprocess(source, FrontendOptions(options.include_dirs, options.defines, options.undefines, options.std))
    _write({output or "-": text})


def _write_outputs(done: Compilation, output: str | None, host_output: str | None) -> None:
    stem = "stdin" if done.file.path == "<stdin>" else Path(done.file.path).stem
    target = output or f"{stem}.cu"
    files = {target: done.cuda}
    if done.host is not None:
        if host_output is None and target == "-":
            raise click.UsageError("`-o -` needs --host-output, because the input holds host code")
        path = host_output or str(Path(target).with_name(f"{Path(target).stem}_host.c"))
        if path != "-" and _same_file(path, done.file.path):
            raise click.UsageError(f"{path}: the host file would overwrite the input")
        files[path] = done.host
        if path != "-" and _same_file(path, target):
            raise click.UsageError(f"{path}: the host file and the CUDA file would be one")
    if target != "-" and _same_file(target, done.file.path):
        raise click.UsageError(f"{target}: the output would overwrite the input")
    _write(files)


def _same_file(one: str, other: str) -> bool:
    """Whether two names mean one file, there already or not."""
    return Path(one).resolve() == Path(other).resolve()


def _write(files: dict[str, str]) -> None:
    """Write all files whole or none; a file whose bytes stay the same keeps its time stamp."""
    import os
    import tempfile

    staged: list[tuple[str, Path]] = []
    try:
        for name, text in files.items():
            path = Path(name)
            if name == "-" or (path.is_file() and path.read_bytes() == text.encode()):
                continue
            handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
            with os.fdopen(handle, "w", encoding="utf-8", newline="") as stream:
                stream.write(text)
            umask = os.umask(0)
            os.umask(umask)
            Path(temporary).chmod(0o666 & ~umask)
            staged.append((temporary, path))
        for temporary, path in staged:
            Path(temporary).replace(path)
    except OSError as error:
        for temporary, _ in staged:
            Path(temporary).unlink(missing_ok=True)
        names = ", ".join(files)
        raise click.UsageError(f"cannot write {names}: {error.strerror}") from error
    for name, text in files.items():
        if name == "-":
            try:
                click.echo(text, nl=False)
                sys.stdout.flush()
            except OSError as error:
                raise click.UsageError(f"cannot write to standard output: {error.strerror}") from error


# ---- failures ------------------------------------------------------------------------------------


class _Reporting:
    """Turns failures into messages and exit statuses; no traceback without -v."""

    def __init__(self, verbose: bool, quiet: bool) -> None:
        self.verbose, self.quiet = verbose, quiet

    def __enter__(self) -> _Reporting:
        return self

    def show(self, diagnostics: tuple[Diagnostic, ...]) -> None:
        """Print diagnostics on standard error."""
        from pencilc.diagnostics.diagnostic import Severity
        from pencilc.diagnostics.render import render_text

        shown = [d for d in diagnostics if not self.quiet or d.severity is Severity.ERROR]
        if shown:
            click.echo(render_text(shown, colour=sys.stderr.isatty() and not _no_color()), err=True, nl=False)

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        if error is None or isinstance(
            error, click.ClickException | click.exceptions.Exit | SystemExit | KeyboardInterrupt
        ):
            return
        from pencilc.diagnostics.diagnostic import CompilerLimitation, SourceErrors
        from pencilc.verify.errors import BuildFailed, InputsError, ToolMissing

        if self.verbose:
            traceback.print_exception(error)
        if isinstance(error, SourceErrors):
            self.show(error.diagnostics)
            sys.exit(1)
        if isinstance(error, CompilerLimitation):
            where = f"{error.span}: " if error.span else ""
            click.echo(f"{where}pencilc cannot compile this yet: {error.message}", err=True)
            sys.exit(3)
        if isinstance(error, InputsError):
            click.echo(f"pencilc: {error}", err=True)
            sys.exit(2)
        if isinstance(error, ToolMissing):
            click.echo(f"pencilc: {error}", err=True)
            sys.exit(5)
        if isinstance(error, BuildFailed):
            click.echo(f"pencilc: {error}", err=True)
            sys.exit(3)
        click.echo(
            f"pencilc: internal fault: {type(error).__name__}: {error}\nrun it again with -v for the traceback",
            err=True,
        )
        sys.exit(3)


def _no_color() -> bool:
    import os

    return bool(os.environ.get("NO_COLOR"))


if __name__ == "__main__":
    main()
