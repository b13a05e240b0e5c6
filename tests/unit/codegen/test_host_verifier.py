"""Launches that are broken by hand: the verifier refuses each; what records say that their text has stands there."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

import pytest

from pencilc.codegen.hostloops import launches_in
from pencilc.codegen.kernel_verifier import verify_kernels
from pencilc.codegen.launch_bodies import with_body
from pencilc.diagnostics.diagnostic import CompilerBug
from pencilc.ir.build import ZERO, variable
from pencilc.ir.host import Fallback, HostIf, HostLet, HostNode, KernelFile
from pencilc.ir.kernel import KernelFunction
from pencilc.ir.launches import (
    ChoiceOfBins,
    KernelLaunch,
    LaunchAll,
    LaunchBins,
    LaunchPacked,
    LaunchRow,
    LaunchStitched,
    PackedPart,
    StepOfBins,
)
from pencilc.ir.launching import AllowShared, ReserveLeft, StartKernel
from pencilc.ir.nodes import Braces, If, Node, blocks_in
from pencilc.ir.source import DOUBLE, INT
from pencilc.options import CompileOptions
from tests.unit.codegen.broken import remade
from tests.unit.codegen.programs import file
from tests.unit.codegen.test_compose import INNER
from tests.unit.records import BINS, COLUMN_SUMS, ROW_SUMS, SOFTMAX, SUM

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
    """The same loops and conditions around other launches, and what the entry point does for these."""
    return tuple(
        with_body(change(each)) if isinstance(each, KernelLaunch) else replace(each, inner=changed(each.inner, change))
        for each in items
    )


def edited_bodies(items: tuple[HostNode, ...], keeps: Callable[[Node], bool]) -> tuple[HostNode, ...]:
    """The same launches, whose bodies have the nodes alone that are kept."""
    return tuple(
        replace(each, body=kept(each.body, keeps))
        if isinstance(each, KernelLaunch)
        else replace(each, inner=edited_bodies(each.inner, keeps))
        for each in items
    )


def kept(body: tuple[Node, ...], keeps: Callable[[Node], bool]) -> tuple[Node, ...]:
    """The nodes of a body that are kept, those inside of others too."""
    found: list[Node] = []
    for node in body:
        match node:
            case Braces():
                found.append(replace(node, body=kept(node.body, keeps)))
            case If():
                sides = (kept(node.then, keeps), kept(node.otherwise, keeps))
                found.append(If(node.condition, *sides))
            case _ if keeps(node):
                found.append(node)
    return tuple(found)


def with_launch(body: str, change: Callable[[KernelLaunch], KernelLaunch]) -> KernelFile:
    """The file of one region with each launch changed."""
    made = file(body)
    (entry,) = made.entries
    return replace(made, entries=(remade(entry, items=changed(entry.items, change)),))


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
    verify_kernels(replace(broken, entries=(remade(entry, items=(HostLet(INT, "k", ZERO, entry.items),)),)))


def test_the_text_of_a_launch_has_what_functions_are_given() -> None:
    for body in (SUM, COLUMN_SUMS):
        made = file(body)
        (entry,) = made.entries
        bare = edited_bodies(entry.items, lambda node: not isinstance(node, ReserveLeft))
        refused(replace(made, entries=(remade(entry, items=bare),)), "`@partials` is not declared")

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
    parts = [(pack.name, part) for pack in packs for part in pack.parts[:-1]]
    assert {part.work.launched_by for _, part in parts} >= {"row", "column", "indirect"}
    for name, lost in parts:

        def without(launch: KernelLaunch, name: str = name, lost: PackedPart = lost) -> KernelLaunch:
            if not isinstance(launch, LaunchPacked) or launch.name != name:
                return launch
            return replace(launch, parts=tuple(part for part in launch.parts if part.number != lost.number))

        refused(with_launch(SEVERAL, without), f"{lost.number}` is not declared")


def test_launches_of_bins_have_what_they_are_made_of() -> None:
    (launch,) = (each for each in launches(file(LARGE)) if isinstance(each, LaunchBins))
    points, room, choice = launch.steps
    assert isinstance(choice, ChoiceOfBins)
    refused(with_steps(points, choice.private), "`@bytes` is not declared")
    refused(with_steps(room, choice.private), "`@rows` is not declared")
    refused(with_steps(points, points, room, choice), "`@rows` is declared twice")
    alone = with_steps(choice.whole)
    verify_kernels(_with_what_is_started(alone))
    refused(alone, "nothing starts `f_indirect1_")
    # Without the choice there may be more bins than a block has room for.
    refused(_with_what_is_started(with_steps(points, room, choice.private)), "nothing says that the shared memory")


def _with_what_is_started(made: KernelFile) -> KernelFile:
    """The file without the functions that nothing starts."""
    started = {called.name for each in launches(made) for called in each.starts}
    first, *others = (each for each in made.kernels if each.name in started)
    first = replace(first, helpers=tuple(helper for each in made.kernels for helper in each.helpers))
    return replace(made, kernels=(first, *(replace(each, helpers=()) for each in others)))


def test_bins_that_do_not_fit_into_a_pack_have_a_launch() -> None:
    made = file(f"{COLUMN_SUMS} {LARGE}")
    verify_kernels(made)
    (pack,) = (each for each in launches(made) if isinstance(each, LaunchPacked))
    (apart,) = pack.body
    assert isinstance(apart, Braces)
    *others, left = apart.body
    assert isinstance(left, If)
    copies = "nothing of `f_indirect2_shared` or `f_indirect2_global`"
    refused(with_pack(made, *others), copies)
    refused(with_pack(made, *others, left, left), "launches `f_indirect2_shared` twice")
    started = next(each for each in blocks_in(tuple(others)) if isinstance(each, StartKernel))
    refused(with_pack(made, *(_twice(each, started) for each in others), left), f"launches `{pack.whole.name}` twice")
    refused(with_pack(made, *others, *left.then), "where other launches do the work")


def test_shared_memory_of_launches_fits() -> None:
    made = file(INNER)
    verify_kernels(made)
    (entry,) = made.entries
    silent = edited_bodies(entry.items, lambda node: not isinstance(node, AllowShared))
    refused(replace(made, entries=(remade(entry, items=silent),)), "nothing lets `f_composed0` have more than")


def with_pack(made: KernelFile, *body: Node) -> KernelFile:
    """The file whose packed launch does something else."""
    (entry,) = made.entries

    def items(of: tuple[HostNode, ...]) -> tuple[HostNode, ...]:
        return tuple(
            (replace(each, body=(Braces(body),)) if isinstance(each, LaunchPacked) else each)
            if isinstance(each, KernelLaunch)
            else replace(each, inner=items(each.inner))
            for each in of
        )

    return replace(made, entries=(remade(entry, items=items(entry.items)),))


def _twice(node: Node, started: Node) -> Node:
    """The node with a launch inside of it twice."""
    match node:
        case Braces(body=body) if started in body:
            return replace(node, body=(*body, started))
        case If(then=then) if started in then:
            return replace(node, then=(*then, started))
    return node


def with_steps(*steps: StepOfBins) -> KernelFile:
    """The file with other steps of the launch that puts values in bins."""

    def change(launch: KernelLaunch) -> KernelLaunch:
        return replace(launch, steps=steps) if isinstance(launch, LaunchBins) else launch

    return with_launch(LARGE, change)


def test_a_launch_without_a_body_is_refused() -> None:
    made = file(SUM)
    (entry,) = made.entries
    bare = tuple(replace(each, body=()) if isinstance(each, KernelLaunch) else each for each in entry.items)
    refused(replace(made, entries=(remade(entry, items=bare),)), "nothing says how `f_all0` is launched")


def test_what_stands_for_others_says_whether_it_ran() -> None:
    made = file(SOFTMAX)
    (entry,) = made.entries
    (around,) = entry.items
    assert isinstance(around, HostIf)
    alone = replace(around, inner=tuple(each for each in around.inner if isinstance(each, Fallback)))
    assert alone.inner
    refused(replace(made, entries=(remade(entry, items=(alone,)),)), "_fits` is not declared")
    # It is asked in other braces as well; there it has to be declared ahead.
    (launch,) = (each for each in launches(made) if isinstance(each, LaunchStitched))
    assert not launch.is_declared and not entry.flags
    ahead = remade(entry, flags=(launch.name,))
    verify_kernels(replace(made, entries=(remade(ahead, items=changed(entry.items, _declared)),)))
    refused(with_launch(SOFTMAX, _declared), "_fits` is not declared")


def _declared(launch: KernelLaunch) -> KernelLaunch:
    return replace(launch, is_declared=True) if isinstance(launch, LaunchStitched) else launch
