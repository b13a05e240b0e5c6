"""One generated program through everything: compiler, executor in three thread orders, nvcc without a warning."""

from __future__ import annotations

import random
import subprocess
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from pencilc.diagnostics.diagnostic import CompilerLimitation, SourceErrors
from pencilc.diagnostics.source import SourceFile
from pencilc.driver import Compilation, compile_source
from pencilc.options import CompileOptions
from pencilc.verify.command import Generated, VerifySettings, executor_for, verify_generated
from pencilc.verify.errors import BuildFailed
from tests.fuzz.generator import Generator, options, whole

KINDS = tuple(Generator(0).nests())
ORDERS = ("fwd", "rev", "rand:3")
OTHER_OPTIONS = {
    "softmax": (CompileOptions(sums="kahan"),), "mixed": (CompileOptions(sums="pairwise"),),
    "bins": (CompileOptions(determinism="none"),),
}  # fmt: skip
# The functions of a kind that are compiled beside those that run; of some kinds those that show a defect of
# tests/mutation.
COMPILED = (2, 3)
SHOWING = {"repeated": (2, 4), "scan": (2, 5)}
# Spills are no fault of a generated program: nobody chose its kernels for their registers.
NVCC_FLAGS = ("-arch=sm_90", "-Werror", "all-warnings", "-cubin")


@dataclass(frozen=True)
class Failure:
    """What went wrong with a program: `kind` is the same for programs with the same kind of fault."""

    kind: str
    text: str


def sizes_of(seed: int) -> dict[str, tuple[int, ...]]:
    """The sizes that a seed is run at; those that a function does not have are left out by the caller."""
    draw = random.Random(seed + 17)
    return {
        "n": tuple(sorted(draw.sample((0, 1, 2, 5, 31, 33, 70), 2))),
        "m": tuple(sorted(draw.sample((0, 1, 3, 32, 40), 2))),
        "q": (draw.choice((0, 7, 50)),),
        "z": (50,),
    }


def program_of_kind(kind: str, numbers: Iterable[int]) -> str:
    """Functions of one kind of nest each."""
    return whole({f"f{k}": Generator(KINDS.index(kind) * 1000 + k, (kind,)) for k in numbers})


def check_kind(kind: str, nvcc: str | None) -> Failure | None:
    """The first thing that goes wrong with a kind: two functions are run, two more are compiled.

    nvcc takes the two of one kind in five.  Kinds that say most with other options are run with those as well.
    """
    position = KINDS.index(kind)
    done = compiled(program_of_kind(kind, SHOWING.get(kind, COMPILED)), position, CompileOptions())
    if isinstance(done, Failure):
        return done
    chosen = nvcc if position % 5 == 0 or kind == "bins" else None
    for others in (CompileOptions(), *OTHER_OPTIONS.get(kind, ())):
        failure = check(program_of_kind(kind, range(2)), position, others, chosen, ("rand:3",))
        if failure is not None:
            return failure
    return None


def named_options(text: str) -> tuple[int, CompileOptions]:
    """The seed that a kept program names in its first line, `// seed N`, and the options of that seed."""
    seed = int(text.split()[2]) if text.startswith("// seed ") else 0
    return seed, options(seed) if seed else CompileOptions()


def check(
    text: str, seed: int, options: CompileOptions, nvcc: str | None = None, orders: tuple[str, ...] = ORDERS
) -> Failure | None:
    """The first thing that goes wrong; None if nothing does.  `nvcc`: where it is, None to leave it out."""
    done = compiled(text, seed, options)
    if isinstance(done, Failure):
        return done
    if nvcc is not None:
        refused = _nvcc(nvcc, done.cuda)
        if refused:
            return Failure("nvcc", refused)
    return _verified(Generated(done.parsed, done.cuda, done.host), seed, options, orders)


def compiled(text: str, seed: int, options: CompileOptions) -> Compilation | Failure:
    """What pencilc makes of a program, or how it fails; `seed` names the file."""
    try:
        return compile_source(SourceFile(f"seed{seed}.c", text), options)
    except (SourceErrors, CompilerLimitation) as refusal:
        return Failure("refused", str(refusal))
    except Exception as fault:  # noqa: BLE001  (whatever it is, it is what is looked for)
        return Failure(f"internal {type(fault).__name__}", str(fault))


def _verified(generated: Generated, seed: int, options: CompileOptions, orders: tuple[str, ...]) -> Failure | None:
    parameters = {p.name for region in generated.unit.regions if not region.outlined for p in region.params}
    sizes = {name: values for name, values in sizes_of(seed).items() if name in parameters}
    settings = VerifySettings(sizes=sizes, orders=orders, seed=seed)
    try:
        report = verify_generated(generated, options, settings, executor_for(settings))
    except BuildFailed as refusal:
        return Failure("build", str(refusal))
    if not report.ok:
        bad = next((row.status for row in report.rows if row.status not in ("ok", "skipped")), "nothing compared")
        return Failure(f"verify {bad}", report.table())
    return None


def _nvcc(nvcc: str, cuda: str) -> str:
    """What nvcc says against the file; empty if nothing."""
    with tempfile.TemporaryDirectory(prefix="pencilc-fuzz-") as folder:
        source = Path(folder) / "fuzz.cu"
        source.write_text(cuda)
        command = [nvcc, *NVCC_FLAGS, str(source), "-o", str(Path(folder) / "fuzz.cubin")]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stderr if done.returncode else ""
