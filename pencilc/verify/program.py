"""Compare whole programs: the sequential one, and the host file linked with the generated CUDA."""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

from pencilc.diagnostics.source import SourceFile
from pencilc.driver import compile_source
from pencilc.options import CompileOptions
from pencilc.records import dataclass
from pencilc.verify import sanitizers
from pencilc.verify.cases import TOO_MANY_LAUNCHES
from pencilc.verify.children import TOO_MANY
from pencilc.verify.errors import BuildFailed, InputsError
from pencilc.verify.executors import Executor
from pencilc.verify.leash import on_leash
from pencilc.verify.sequential import build_program, c_flags, run_tool

# What a program prints has few digits; a sum of floats in another order keeps about this many.
PRINTED_TOLERANCE = 1e-4

_NUMBER = re.compile(r"[-+]?(?:\d+\.\d*|\.\d+|\d+)(?:[eE][-+]?\d+)?")


@dataclass(frozen=True, slots=True)
class ProgramRun:
    """What both programs printed and returned, and `messages` about every difference.

    `at_fault` tells that the sequential program itself does what C does not define; the generated one is not run then.
    `is_left_out`: the generated one makes too many launches to be run on the CPU.
    """

    sequential: str
    generated: str
    messages: tuple[str, ...]
    at_fault: bool = False
    is_left_out: bool = False

    @property
    def same(self) -> bool:
        """Whether the programs agree and the executor found no fault."""
        return not self.messages


def run_program(
    file: SourceFile,
    options: CompileOptions,
    executor: Executor,
    *,
    arguments: Sequence[str] = (),
    order: str | None = None,
    timeout_s: float = 60.0,
    tolerance: float | None = None,
) -> ProgramRun:
    """Compile `file`, build both programs, run both."""
    done = compile_source(file, options)
    if done.host is None:
        raise InputsError(f"'{file.path}' has no program to run: it holds nothing but PENCIL functions")
    (run,) = compare_programs(
        file, done.cuda, done.host, options, executor,
        arguments=arguments, orders=(order or executor.orders[0],), timeout_s=timeout_s, tolerance=tolerance,
    )  # fmt: skip
    return run


def compare_programs(
    file: SourceFile,
    cuda: str,
    host: str,
    options: CompileOptions,
    executor: Executor,
    *,
    arguments: Sequence[str] = (),
    orders: Sequence[str],
    timeout_s: float = 60.0,
    tolerance: float | None = None,
    most_launches: int | None = None,
) -> tuple[ProgramRun, ...]:
    """Build both programs from the generated texts; run the generated one in each thread order.

    On the CPU a program of more than `most_launches` is not run to its end.
    """
    with tempfile.TemporaryDirectory(prefix="pencilc-program-") as name:
        folder = Path(name)
        try:
            sequential = build_program(file, options, folder)
            generated = _build_generated(file, cuda, host, options, executor, folder)
        except BuildFailed as error:
            return (ProgramRun("", "", (str(error),)),) * len(orders)
        first = _run([str(sequential), *arguments], sanitizers.settings(), timeout_s)
        fault = sanitizers.fault(first.errors)
        if fault:
            return (ProgramRun(first.text, "", (fault,), at_fault=True),) * len(orders)
        runs: list[ProgramRun] = []
        for order in orders:
            environment = dict(executor.environment(order, timeout_s, most_launches))
            second = _run([str(generated), *arguments], environment, timeout_s)
            if most_launches is not None and second.status == _ended(TOO_MANY_LAUNCHES) != first.status:
                told = (f"{TOO_MANY} {most_launches} (--max-launches)",)
                runs += [ProgramRun(first.text, "", told, is_left_out=True)] * (len(orders) - len(runs))
                break
            runs.append(ProgramRun(first.text, second.text, _differences(first, second, tolerance)))
    return tuple(runs)


def _build_generated(
    file: SourceFile, cuda: str, host: str, options: CompileOptions, executor: Executor, folder: Path
) -> Path:
    """The host file stays C99 and is compiled as such; only the `.cu` goes through the executor."""
    host_file, host_object = folder / "program_host.c", folder / "program_host.o"
    host_file.write_text(host)
    run_tool(["gcc", *c_flags(file, options), "-c", str(host_file), "-o", str(host_object)])
    source, program = folder / "generated.cu", folder / "program"
    source.write_text(cuda)
    executor.build(source, program, shared=False, objects=(host_object,))
    return program


@dataclass(frozen=True, slots=True)
class _Finished:
    text: str
    errors: str
    status: str


def _run(command: list[str], environment: dict[str, str], timeout_s: float) -> _Finished:

    try:
        done = subprocess.run(
            on_leash(command), capture_output=True, text=True, errors="replace", env={**os.environ, **environment},
            timeout=timeout_s, check=False, stdin=subprocess.DEVNULL,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return _Finished("", "", f"is stopped after {timeout_s:g} s")
    return _Finished(done.stdout, done.stderr, _ended(done.returncode))


def _ended(status: int) -> str:
    return f"ends with status {status}"


def _differences(first: _Finished, second: _Finished, tolerance: float | None) -> tuple[str, ...]:
    messages = [line for line in second.errors.splitlines() if line.lower().startswith("cudacpu: error")]
    if first.status != second.status:
        said = second.errors.strip().splitlines()[-1:]
        messages.append(f"the sequential program {first.status}, the generated one {second.status} {''.join(said)}")
    difference = first_difference(first.text, second.text, PRINTED_TOLERANCE if tolerance is None else tolerance)
    if difference:
        messages.append(difference)
    return tuple(messages)


def first_difference(expected: str, got: str, tolerance: float) -> str:
    """The first line that differs, numbers with a fraction within `tolerance`; empty if none does."""
    left, right = expected.splitlines(), got.splitlines()
    for number, (want, have) in enumerate(zip(left, right, strict=False), start=1):
        if not _same_line(want, have, tolerance):
            return f"line {number} of the output: expected {want!r}, got {have!r}"
    return f"expected {len(left)} lines of output, got {len(right)}" if len(left) != len(right) else ""


def _same_line(want: str, have: str, tolerance: float) -> bool:
    if want == have:
        return True
    if _NUMBER.sub("#", want) != _NUMBER.sub("#", have):
        return False
    return all(_same_number(a, b, tolerance) for a, b in zip(_NUMBER.findall(want), _NUMBER.findall(have), strict=True))


def _same_number(want: str, have: str, tolerance: float) -> bool:
    """Whole numbers are equal or wrong; a number with a point or exponent is floating."""
    if want == have:
        return True
    if not any(mark in want + have for mark in ".eE"):
        return False
    a, b = float(want), float(have)
    return abs(a - b) <= tolerance * max(abs(a), abs(b), 1e-30)
