"""Layer 7: every defect put into the generated text must be found; a mutant that survives shows a blind spot.

The mutants are listed from the expected files of `tests/golden`, which are what the compiler makes. `make test` tries
one of each kind that matters most; the rest is marked `full`.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from pencilc import driver
from pencilc.diagnostics.source import SourceFile
from pencilc.options import CompileOptions
from pencilc.verify import children
from pencilc.verify.command import Generated, VerifySettings, verify_generated
from pencilc.verify.executors import CpuExecutor
from tests.conftest import ROOT, run
from tests.diff import test_concurrency as concurrency
from tests.mutation.equivalent import EQUIVALENT
from tests.mutation.mutants import HOST_MUTATIONS, KERNEL_MUTATIONS, SHARING_MUTATIONS, Mutant, Mutation, mutants

SIZES: dict[str, dict[str, tuple[int, ...]]] = {
    "sum": {"n": (33, 20011, 49555)},
    "column_sums": {"rows": (1009, 6), "columns": (31, 32)},
    "row_sums": {"rows": (3, 320), "columns": (35, 503, 2103, 140003)},
    "minmax_int": {"n": (1, 3, 7, 20011, 49555)},
    # Blocks have several rows: the last stage of one meets the first stage of the next.
    "attention": {"heads": (70,), "keys": (77,), "depth": (3, 131)},
    # Tiles that one block has, and tiles that several share.
    "matmul": {"m": (20, 40), "n": (40,), "p": (21, 600)},
    # Tiles that one block has, and that several share, of points in two fetches and in one.
    "kmeans": {"points": (17, 41), "centres": (41, 601), "dimensions": (3, 19)},
    # A stage that is computed while another one is fetched, chunks that are not whole, tiles that several blocks share.
    "gemm_tensor": {"m": (20, 64), "n": (40, 64), "p": (11, 75, 600)},
    # Rows that are too long for the shared memory of all blocks, and too few for that of one.
    "softmax": {"rows": (1,), "columns": (250007,)},
    "batch_norm": {"n": (2,), "channels": (1,), "points": (125003,)},
}
# Of a sample with more kernels: the functions that are changed.
FUNCTIONS = {
    "attention": r"attention_composed0(_row0\w*|_column4\w*|)",
    "matmul": "matmul_column0_tiles|pencilc_take",
    # Stages that are not whole are fetched element by element in a product; these are fetched in runs.
    "kmeans": r"assign_row0_tiles|pencilc_operand",
    "gemm_tensor": r"gemm_\w+_tiles|pencilc_tensor_operand|pencilc_(halves|float_sums|multiply_half)",
    "softmax": "pencilc_exp_sum",
    "batch_norm": "pencilc_square_sum",
}
HARNESSES = (
    concurrency.ONE_STREAM,
    concurrency.STREAMS,
    concurrency.GRAPHS,
    concurrency.MANY_STREAMS,
    concurrency.HANDLES,
    concurrency.WHILE_CAPTURING,
)
# What `make test` tries.
CHOSEN = {
    ("sum", "barrier:1"), ("sum", "relaxed-ticket:0"), ("sum", "ticket-not-put-back:0"), ("sum", "synchronisation:0"),
    ("row_sums", "row-beyond-the-last:0"), ("sum", "scratch-lock:0"), ("batch_norm", "moved-sum:0"),
    ("matmul", "one-set-of-operands:0"), ("matmul", "barrier:4"), ("matmul", "left-by-too-few:0"),
}  # fmt: skip


def listed() -> list[tuple[str, str]]:
    """All (sample, mutant) pairs."""
    found = []
    for sample in SIZES:
        text = (ROOT / "tests" / "golden" / sample / "50-cuda.cu").read_text()
        host = HOST_MUTATIONS if sample in ("sum", "column_sums") else ()
        if sample == "sum":
            found += [(sample, mutant.name) for each in SHARING_MUTATIONS for mutant in mutants(sharing_text(), each)]
        for mutation in (*KERNEL_MUTATIONS, *host):
            inside = FUNCTIONS.get(sample, ".*")
            changed = (m for m in mutants(text, mutation) if re.fullmatch(inside, _function(text, m.line)))
            older = _for_older(text) if sample == "gemm_tensor" else frozenset[int]()
            found += [(sample, mutant.name) for mutant in changed if mutant.line not in older]
    return found


def _for_older(text: str) -> frozenset[int]:
    """The lines that a GPU with tensor cores does not see, which the executor is."""
    found, inside = set[int](), False
    for number, line in enumerate(text.splitlines(), 1):
        inside = line.strip() == "#else" or (inside and line.strip() != "#endif")
        if inside:
            found.add(number)
    return frozenset(found)


def _function(text: str, line: int) -> str:
    """The function or the building block around a line of a CUDA text."""
    before = text.splitlines()[:line]
    heads = (
        re.match(r"(?:static|extern) .*?(\w+)\(|struct (pencilc_\w+) \{", head.replace("__launch_bounds__(", ""))
        for head in reversed(before)
    )
    return next((head.group(1) or head.group(2) for head in heads if head), "")


@cache
def compilation(sample: str) -> driver.Compilation:
    path = f"samples/{sample}.c"
    return driver.compile_source(SourceFile(path, Path(path).read_text()), CompileOptions())


@cache
def sharing_text() -> str:
    """What the programs call that make calls at the same time: a sum, and a function that waits for the device."""
    text = (ROOT / "samples" / "sum.c").read_text() + concurrency.WAITING
    return driver.compile_source(SourceFile("samples/sum.c", text), CompileOptions()).cuda


def the_mutant(sample: str, name: str) -> tuple[Mutation, Mutant]:
    for mutation in (*KERNEL_MUTATIONS, *HOST_MUTATIONS, *SHARING_MUTATIONS):
        if mutation.name == name.partition(":")[0]:
            text = sharing_text() if mutation in SHARING_MUTATIONS else compilation(sample).cuda
            found = {mutant.name: mutant for mutant in mutants(text, mutation)}
            assert name in found, "the expected file of tests/golden is not what the compiler makes"
            return mutation, found[name]
    raise KeyError(name)


def verification_fails(sample: str, text: str) -> str:
    """What the verification of the changed text says, or an empty string if it finds nothing wrong."""
    done, options = compilation(sample), CompileOptions()
    for order in ("fwd", "rand:7"):
        settings = VerifySettings(sizes=SIZES[sample], orders=(order,), timeout_s=20)
        executor = CpuExecutor(settings.orders, "check")
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(children, "MAX_RESTARTS", 0)  # one failure is enough
            report = verify_generated(Generated(done.parsed, text, None), options, settings, executor)
        if not report.ok:
            return report.table()
    return ""


def programs_fail(text: str, folder: Path) -> str:
    """What the programs that make calls at the same time say about the changed text."""
    said = ""
    for number, harness in enumerate(HARNESSES):
        source, program = folder / f"{number}.cu", folder / str(number)
        source.write_text(text + concurrency.PRELUDE + harness)
        CpuExecutor(("fwd",), "check").build(source, program, shared=False)
        done = run(program)
        if done.returncode or "error" in done.stderr or "WRONG" in done.stdout:
            said += done.stdout + done.stderr + f"status {done.returncode}"
            break
    return said


def marks(pair: tuple[str, str]) -> tuple[pytest.MarkDecorator, ...]:
    return () if pair in CHOSEN else (pytest.mark.full,)


@pytest.mark.parametrize(
    ("program", "name"), [pytest.param(*pair, id="-".join(pair), marks=marks(pair)) for pair in listed()]
)
def test_mutant_is_found(program: str, name: str, root: Path, tmp_path: Path) -> None:
    mutation, mutant = the_mutant(program, name)
    sharing = mutation in SHARING_MUTATIONS
    said = programs_fail(mutant.text, tmp_path) if sharing else verification_fails(program, mutant.text)
    if (program, name) in EQUIVALENT:
        assert not said, f"line {mutant.line} is found now; take it off the list:\n{said}"
    else:
        assert said, f"nothing notices the change in line {mutant.line} of {program}'s CUDA"


@pytest.mark.full
@pytest.mark.parametrize("program", SIZES)
def test_the_unchanged_text_passes(program: str, root: Path) -> None:
    """Else every mutant would be found, for the wrong reason."""
    assert verification_fails(program, compilation(program).cuda) == ""


@pytest.mark.full
def test_the_unchanged_programs_pass(root: Path, tmp_path: Path) -> None:
    assert programs_fail(sharing_text(), tmp_path) == ""


def test_every_mutation_applies_somewhere() -> None:
    applied = {name.partition(":")[0] for _, name in listed()}
    assert applied == {mutation.name for mutation in (*KERNEL_MUTATIONS, *HOST_MUTATIONS, *SHARING_MUTATIONS)}
    assert set(listed()) >= CHOSEN | EQUIVALENT.keys(), "a listed mutant is gone: adapt the list"
