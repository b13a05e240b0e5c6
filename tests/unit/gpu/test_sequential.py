"""A region that runs whole in one thread."""

from __future__ import annotations

from pencilc.gpu.sequential import LARGEST_LOCAL, sequential
from pencilc.ir.mapping import MappedProgram
from pencilc.ir.shapes import SingleKernel
from pencilc.ir.storage import Register, Workspace
from tests.unit.records import SUM, region


def alone(body: str) -> MappedProgram:
    """The region in one thread."""
    return sequential(region(body), "for a reason")


def test_one_kernel_has_everything_and_says_why() -> None:
    program = alone(SUM)
    (kernel,) = program.kernels()
    assert isinstance(kernel, SingleKernel) and kernel.body is None
    assert program.sequential == kernel.reason == "for a reason"


def test_scalars_and_small_arrays_are_the_threads_own() -> None:
    program = alone("float s = a[0]; float t[8]; FOR(i, 8) t[i] = s; FOR(i, 8) b[i] = t[7 - i];")
    assert {s.array: type(s.residence) for s in program.storage if s.is_in_register} == {"s": Register, "t": Register}


def test_arrays_of_run_time_size_and_large_ones_live_in_the_workspace() -> None:
    count = LARGEST_LOCAL // 4
    for size, residence in (("n", Workspace), (str(count), Register), (str(count + 1), Workspace)):
        program = alone(f"float t[{size}]; FOR(i, 1) t[i] = a[i]; FOR(i, 1) b[i] = t[i];")
        assert type(program.storage_of("t").residence) is residence


def test_what_is_copied() -> None:
    by_name = {t.array: (t.copy_in, t.copy_out) for t in alone("FOR(i, n) a[i] = b[i];").transfers}
    assert (by_name["a"], by_name["b"]) == ((False, True), (True, False))


def test_what_the_thread_looks_at_is_there_as_a_whole() -> None:
    """Also where no statement has an instance: in conditions, and for results of which nothing comes."""

    def ends(body: str) -> list[str]:
        """From where to where `a` is copied, whatever must hold of the parameters."""
        (copied,) = [t for t in alone(body).transfers if t.array == "a"]
        bounds = [end for touched in copied.ranges if touched for end in (*touched.first, *touched.last)]
        return [str(bound).split(" : ")[0] for bound in bounds]

    whole = ends("FOR(i, n) b[i] = a[i];")
    assert ends("FOR(i, n) if (i > 3) b[i] = a[i];") != whole
    for body in (
        "FOR(i, n) if (a[i] > 0 && i < n - 1) b[i] = 0;",
        "FOR(i, n) if (a[i] > 0) if (i < n - 1) b[i] = 0;",
        "if (a[0] > 0) FOR(i, n - 1) b[i] = 0;",
        "FOR(i, n) b[i] = a[i] > 0 && i < n - 1;",
        "FOR(i, n) b[i] = i < n - 1 && a[i] > 0 ? 1 : 2;",
        "FOR(i, n) for (int k = a[i]; k < i - 1; k++) b[i] = k;",
        "FOR(i, n) { int k = n; while (a[i] < k) { if (i > 4) b[i] = k; k--; } }",
        "float s; INIT(&s, zero); FOR(i, n) UPDATE(&s, a[i], add); b[0] = 1;",
    ):
        assert ends(body) == whole, body


def test_a_region_without_statements() -> None:
    assert alone("int k;").kernels()[0].is_parallel is False
