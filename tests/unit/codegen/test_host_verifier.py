"""Launches that are broken by hand: the verifier refuses each; what records say that their text has stands there."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

import pytest

from pencilc.codegen.hostloops import launches_in
from pencilc.codegen.kernel_verifier import verify_kernels
from pencilc.codegen.render import render
from pencilc.diagnostics.diagnostic import CompilerBug
from pencilc.ir.build import ZERO, variable
from pencilc.ir.host import HostLet, HostNode, KernelFile
from pencilc.ir.kernel import KernelFunction
from pencilc.ir.launches import (
    ChoiceOfBins,
    KernelLaunch,
    LaunchAll,
    LaunchBins,
    LaunchColumn,
    LaunchPacked,
    LaunchParallel,
    LaunchRow,
    LaunchStitched,
    LaunchStitchedWhole,
    PackedPart,
    StepOfBins,
)
from pencilc.ir.source import DOUBLE, INT, PointerType
from pencilc.options import CompileOptions
from tests.unit.codegen.programs import file
from tests.unit.records import BINS, COLUMN_SUMS, DEFAULT, ROW_SUMS, SOFTMAX, SUM

FIXED = CompileOptions(determinism="fixed-tree")
COPY = "FOR(i, n) FOR(j, m) y[i][j] = x[i][j];"
LARGE = "FOR(k, n) INIT(&p[k], izero); FOR(j, m) UPDATE(&p[q[j]], 1, iadd);"
ORDERED = "FOR(k, n) INIT(&b[k], zero); FOR(i, n) UPDATE(&b[p[i]], a[i], add);"
SEVERAL = f"{ROW_SUMS} {COLUMN_SUMS} {BINS} FOR(i, n) FOR(j, m) y[i][j] = 1; FOR(i, n) b[i] = 2;"
TEAMS = "float s; INIT(&s, zero); FOR(i, n) for (int j = 1; j < m - 1; j++) UPDATE(&s, x[i][j], add); b[0] = s;"
WHOLE = """float s; INIT(&s, zero); FOR(i, n) UPDATE(&s, a[i], add);
float t; INIT(&t, zero); FOR(i, n) UPDATE(&t, a[i] * s, add); FOR(i, n) b[i] = a[i] * t;"""


def launches(made: KernelFile) -> list[KernelLaunch]:
    """All launches of a file, in order."""
    return [launch for entry in made.entries for launch in launches_in(entry.items)]


def changed(items: tuple[HostNode, ...], change: Callable[[KernelLaunch], KernelLaunch]) -> tuple[HostNode, ...]:
    """The same loops and conditions around other launches."""
    return tuple(
        change(each) if isinstance(each, KernelLaunch) else replace(each, inner=changed(each.inner, change))
        for each in items
    )


def with_launch(body: str, change: Callable[[KernelLaunch], KernelLaunch]) -> KernelFile:
    """The file of one region with each launch changed."""
    made = file(body)
    (entry,) = made.entries
    return replace(made, entries=(replace(entry, items=changed(entry.items, change)),))


def refused(broken: KernelFile, why: str) -> None:
    """The verifier finds the fault and names it."""
    with pytest.raises(CompilerBug, match=re.escape(why)):
        verify_kernels(broken)


def test_launches_know_what_they_name() -> None:
    def asking(launch: KernelLaunch) -> KernelLaunch:
        assert isinstance(launch, LaunchAll)
        return replace(launch, length=variable("k"))

    broken = with_launch(SUM, asking)
    refused(broken, "`k` is not declared")
    (entry,) = broken.entries
    verify_kernels(replace(broken, entries=(replace(entry, items=(HostLet(INT, "k", ZERO, entry.items),)),)))


def test_the_text_of_a_launch_has_what_functions_are_given() -> None:
    refused(with_launch(SUM, lambda launch: replace(launch, accumulator=None)), "`@partials` is not declared")
    refused(with_launch(ROW_SUMS, lambda launch: replace(launch, accumulator=None)), "`@partials` is not declared")

    def alone(launch: KernelLaunch) -> KernelLaunch:
        # The function of several blocks where each row has a warp, which leaves nothing for others.
        assert isinstance(launch, LaunchRow) and launch.warps is not None and launch.blocks is not None
        return replace(launch, warps=replace(launch.warps, arguments=launch.blocks.arguments))

    refused(with_launch(ROW_SUMS, alone), "`@partials` is not declared")


def test_functions_take_what_they_are_given() -> None:
    of_wrong_type = with_launch(SUM, lambda launch: replace(launch, accumulator=DOUBLE))
    refused(of_wrong_type, "a double * as float * `@partials`")
    refused(with_launch(COPY, lambda launch: replace(launch, arguments=launch.arguments[1:])), "number of arguments")
    refused(with_launch(COPY, lambda launch: replace(launch, name="copy")), "`copy` is launched, and is no kernel")


def test_const_is_kept_at_a_launch() -> None:
    def writing(function: KernelFunction) -> KernelFunction:
        return replace(function, parameters=tuple(replace(p, is_const=False) for p in function.parameters))

    made = file(COPY)
    refused(replace(made, kernels=tuple(map(writing, made.kernels))), "`x` is not const, and the argument is")


def test_parts_have_what_is_numbered_for_them() -> None:
    packs = [each for each in launches(file(SEVERAL)) if isinstance(each, LaunchPacked)]
    parts = [(pack.name, part) for pack in packs for part in pack.parts if part.work.given_to_part(part.number)]
    assert {part.work.launched_by for _, part in parts} >= {"row", "column", "indirect", "parallel"}
    for name, lost in parts:

        def without(launch: KernelLaunch, name: str = name, lost: PackedPart = lost) -> KernelLaunch:
            if not isinstance(launch, LaunchPacked) or launch.name != name:
                return launch
            return replace(launch, parts=tuple(part for part in launch.parts if part.number != lost.number))

        refused(with_launch(SEVERAL, without), f"{lost.number}` is not declared")


def test_launches_of_bins_use_what_they_declare() -> None:
    # As it once was printed: the numbers of points and bins for copies of the bins that there are not.
    (launch,) = (each for each in launches(file(LARGE)) if isinstance(each, LaunchBins))
    points, room, choice = launch.steps
    assert isinstance(choice, ChoiceOfBins)
    refused(with_steps(points, room, choice.whole), "a launch declares `@bins`, which nothing uses")
    refused(with_steps(points, choice.whole), "a launch declares `@points`, which nothing uses")
    refused(with_steps(points, choice.private), "`@bytes` is not declared where a launch needs it")
    refused(with_steps(points, points, room, choice), "`@rows` is declared twice")
    for made in (with_steps(points, room, choice.private), with_steps(choice.whole)):
        started = {called.name for each in launches(made) for called, _ in each.starts}
        first, *others = (each for each in made.kernels if each.name in started)
        first = replace(first, helpers=tuple(helper for each in made.kernels for helper in each.helpers))
        bare = (replace(each, helpers=()) for each in others)
        verify_kernels(replace(made, kernels=(first, *bare)))
        refused(made, "nothing starts `f_indirect1_")


def with_steps(*steps: StepOfBins) -> KernelFile:
    """The file with other steps of the launch that puts values in bins."""

    def change(launch: KernelLaunch) -> KernelLaunch:
        return replace(launch, steps=steps) if isinstance(launch, LaunchBins) else launch

    return with_launch(LARGE, change)


@pytest.mark.parametrize(
    ("kind", "body", "options"),
    [
        (LaunchAll, SUM, DEFAULT), (LaunchAll, SUM, FIXED), (LaunchAll, TEAMS, DEFAULT), (LaunchAll, TEAMS, FIXED),
        (LaunchRow, ROW_SUMS, DEFAULT), (LaunchRow, ROW_SUMS, FIXED), (LaunchColumn, COLUMN_SUMS, DEFAULT),
        (LaunchColumn, COLUMN_SUMS, FIXED), (LaunchParallel, COPY, DEFAULT), (LaunchBins, LARGE, DEFAULT),
        (LaunchBins, ORDERED, DEFAULT), (LaunchBins, ORDERED, FIXED), (LaunchStitched, SOFTMAX, DEFAULT),
        (LaunchStitchedWhole, WHOLE, DEFAULT), (LaunchPacked, SEVERAL, DEFAULT),
    ],
)  # fmt: skip
def test_what_a_launch_says_that_its_text_has_stands_there(
    kind: type[KernelLaunch], body: str, options: CompileOptions
) -> None:
    made = file(body, options)
    found = [each for each in launches(made) if isinstance(each, kind)]
    assert found
    entries = render(made).partition("// ---- entry points")[2]
    for launch in found:
        given = [each for _, names in launch.starts for each in names]
        for each in {*given, *launch.computes}:
            # `const unsigned blocks = …`, `*const keys[2] = …`, `rows0 = …, length0 = …`, `int limit, whole;`
            name = re.escape(each.name.removeprefix("@"))
            assert re.search(rf"[\w>,] \*?(?:const )?{name}(?:\[2\])?(?: = |[;,])", entries), each.name
            if isinstance(each.type, PointerType):
                assert re.search(rf"\*(?:const )?{name}\b", entries), each.name
