"""Schedules as people change them by hand: loops interchanged, distributed, fused, turned round, shifted, skewed.

python -m tests.fuzz.schedules samples/softmax.c --count 20      compiles, and executes what is accepted
"""

from __future__ import annotations

import random
import re
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import click
import islpy as isl

from pencilc import islx
from pencilc.diagnostics.diagnostic import CompilerBug, CompilerLimitation, SourceErrors
from pencilc.diagnostics.source import SourceFile
from pencilc.driver import Compilation, compile_source
from pencilc.frontend import read_source
from pencilc.ir.schedule import Band, Leaf, Row, ScheduledScop, Sequence, Tree, statements_of
from pencilc.ir.schedule_printer import saved_schedules
from pencilc.options import CompileOptions

_MARK = re.compile(r"^( *)[PRs] (\S+: .*->)", re.MULTILINE)


def changed(scheduled: ScheduledScop, seed: int) -> str:
    """The schedule file of a region whose tree is changed in one to three places, without marks."""
    chance = random.Random(seed)
    tree = scheduled.tree
    for _ in range(chance.randint(1, 3)):
        tree = _Changed(chance, chance.randrange(max(_nodes(tree), 1))).of(tree)
    text = saved_schedules([replace(scheduled, tree=tree)])
    return _MARK.sub(r"\1\2", text) if chance.random() < 0.8 else text


def _nodes(tree: Tree) -> int:
    match tree:
        case Leaf():
            return 0
        case Sequence():
            return 1 + sum(_nodes(child) for child in tree.children)
        case Band():
            return 1 + _nodes(tree.child)


class _Changed:
    """The tree with its node number `left`, a band or a sequence, changed in one of the ways that fit it."""

    def __init__(self, chance: random.Random, left: int) -> None:
        self.chance, self.left = chance, left

    def of(self, tree: Tree) -> Tree:
        if isinstance(tree, Leaf):
            return tree
        self.left -= 1
        if self.left == -1:
            ways = self._of_band(tree) if isinstance(tree, Band) else self._of_sequence(tree)
            return self.chance.choice(ways)()
        if isinstance(tree, Band):
            return Band(tree.rows, self.of(tree.child))
        return Sequence(tuple(self.of(child) for child in tree.children))

    def _of_band(self, band: Band) -> list[Callable[[], Tree]]:
        row = self.chance.randrange(len(band.rows))
        ways: list[Callable[[], Tree]] = [
            lambda: self._with_row(band, row, -1, 0),
            lambda: self._with_row(band, row, 1, self.chance.choice((-1, 1, 3))),
            lambda: self._with_row(band, row, 2, 1),
            lambda: self._one_shifted(band, row),
            lambda: Band(tuple(Row("s", r.function) for r in band.rows), band.child),
        ]
        inner = band.child
        if len(band.rows) > 1:
            ways.append(lambda: Band(tuple(self.chance.sample(band.rows, len(band.rows))), band.child))
            ways.append(lambda: Band(band.rows[:1], Band(band.rows[1:], band.child)))
            ways.append(lambda: self._skewed(band))
        if isinstance(inner, Band):
            ways.append(lambda: Band(inner.rows, Band(band.rows, inner.child)))
            ways.append(lambda: Band((*band.rows, *inner.rows), inner.child))
        if isinstance(inner, Sequence):
            cut = self.chance.randrange(1, len(inner.children))
            ways += [lambda: _distributed(band, inner, cut)] * 3
        return ways

    def _of_sequence(self, sequence: Sequence) -> list[Callable[[], Tree]]:
        children = sequence.children
        at = self.chance.randrange(len(children) - 1)
        one, other = children[at], children[at + 1]
        swapped = (*children[:at], other, one, *children[at + 2 :])
        ways: list[Callable[[], Tree]] = [lambda: Sequence(swapped)]
        if isinstance(one, Band) and isinstance(other, Band):
            fused = _fused(one, other)
            rest = (*children[:at], fused, *children[at + 2 :])
            ways += [lambda: rest[0] if len(rest) == 1 else Sequence(rest)] * 2
        return ways

    def _with_row(self, band: Band, position: int, factor: int, more: int) -> Band:
        parts = [_times(f, factor, more) for f in islx.pw_affs_of(band.rows[position].function).values()]
        return _replaced(band, position, islx.union_pw_aff(parts))

    def _one_shifted(self, band: Band, position: int) -> Band:
        functions = islx.pw_affs_of(band.rows[position].function)
        moved = self.chance.choice(list(functions))
        return _replaced(
            band, position, islx.union_pw_aff(_times(f, 1, int(name == moved)) for name, f in functions.items())
        )

    def _skewed(self, band: Band) -> Band:
        first, second = (islx.pw_affs_of(row.function) for row in band.rows[:2])
        return _replaced(band, 0, islx.union_pw_aff(first[name].add(second[name]) for name in first))


def _times(function: isl.PwAff, factor: int, more: int) -> isl.PwAff:
    return function.scale_val(isl.Val(factor)).add(islx.constant(function.domain(), more).intersect_domain(
        function.domain())) if more else function.scale_val(isl.Val(factor))  # fmt: skip


def _replaced(band: Band, position: int, function: isl.UnionPwAff) -> Band:
    rows = list(band.rows)
    rows[position] = Row(rows[position].flag, function)
    return Band(tuple(rows), band.child)


def _distributed(band: Band, inner: Sequence, cut: int) -> Tree:
    """A loop around a sequence as two loops."""
    halves = [inner.children[:cut], inner.children[cut:]]
    return Sequence(tuple(_on(band, half[0] if len(half) == 1 else Sequence(half)) for half in halves))


def _on(band: Band, child: Tree) -> Band:
    """The rows of a band around some of its statements."""
    names = statements_of(child)
    rows = [
        Row(row.flag, islx.union_pw_aff(f for name, f in islx.pw_affs_of(row.function).items() if name in names))
        for row in band.rows
    ]
    return Band(tuple(rows), child)


def _fused(one: Band, other: Band) -> Band:
    """Two loops as one, as many rows as both have."""
    count = min(len(one.rows), len(other.rows))
    rows = [
        Row("s", islx.union_pw_aff([*islx.pw_affs_of(a.function).values(), *islx.pw_affs_of(b.function).values()]))
        for a, b in zip(one.rows[:count], other.rows[:count], strict=True)
    ]
    inner = [Band(band.rows[count:], band.child) if len(band.rows) > count else band.child for band in (one, other)]
    return Band(tuple(rows), Sequence(tuple(inner)))


def compiled(done: Compilation, seed: int) -> Compilation | None:
    """The program by schedules that are changed, of each region that can be; None where they are refused for a reason.

    What is raised beside SourceErrors is a fault of pencilc.
    """
    regions = [s for s in done.scheduled if not s.sequential and statements_of(s.tree)]
    text = "\n".join(changed(scheduled, seed + number) for number, scheduled in enumerate(regions))
    options = replace(done.options, schedule=SourceFile("given.schedule", text))
    try:
        return compile_source(done.file, options)
    except SourceErrors as errors:
        codes = {diagnostic.code for diagnostic in errors.diagnostics}
        assert codes & {"PC0811", "PC0812"}, errors
        return None


@click.command()
@click.argument("files", nargs=-1)
@click.option("--count", default=20)
@click.option("--first", default=0)
@click.option("--run", "runs", is_flag=True)
def main(files: tuple[str, ...], count: int, first: int, runs: bool) -> None:
    """Change the schedules of FILES and compile them; with --run, execute what is accepted."""
    from pencilc.verify import command

    failed = accepted = refused = 0
    for name in files:
        done = compile_source(read_source(name), CompileOptions(), "schedule")
        for seed in range(first, first + count):
            try:
                result = compiled(done, 1000 * seed)
            except (CompilerBug, CompilerLimitation, AssertionError, isl.Error) as error:
                failed += 1
                click.echo(f"{name} {seed}: {type(error).__name__}: {str(error)[:300]}")
                continue
            refused += result is None
            accepted += result is not None
            if runs and result is not None:
                inputs = Path(name).with_suffix(".inputs.py")
                settings = command.VerifySettings(inputs=inputs if inputs.exists() else None)
                report = command.verify(done.file, result.options, settings)
                if not report.ok:
                    failed += 1
                    click.echo(f"{name} {seed}: differs\n{report.table()}")
        click.echo(f"{name}: {accepted} accepted, {refused} refused, {failed} failed so far")
    sys.exit(int(failed > 0))


if __name__ == "__main__":
    main()
