"""The verifier of the host side: what entry points and launches name is declared, and functions take what they get."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from pencilc.codegen.control import Control, fault
from pencilc.codegen.entry_rules import declare_parameters, verify_functions
from pencilc.codegen.expression_rules import check_expression, check_given
from pencilc.codegen.kernel_types import FileScope, Known, NameScope, known_parameter
from pencilc.codegen.kernel_walk import Walk
from pencilc.codegen.launch_walk import LaunchWalk
from pencilc.ir.host import Entry, Fallback, HostFor, HostIf, HostLet, HostNode
from pencilc.ir.kernel import KernelFunction
from pencilc.ir.launches import (
    KernelLaunch,
    LaunchBins,
    LaunchComposed,
    LaunchLoop,
    LaunchPacked,
    LaunchStitched,
    PackedPart,
    Started,
    StepOfBins,
)
from pencilc.ir.nodes import Parameter, expressions_in, names_of
from pencilc.ir.source import BOOL, LLONG, Expr


def verify_entry(entry: Entry, file: FileScope, functions: Mapping[str, KernelFunction]) -> frozenset[str]:
    """The functions that `entry` starts; raises CompilerBug where a launch does not fit these, or what is around."""
    verify_functions(entry, file)
    scope = file.inner()
    walk = Walk(file, entry.symbol)
    declare_parameters(walk, scope, entry.device_parameters)
    scope.provide(("@call", "@multiprocessors"), LLONG)
    inside = scope.inner()
    _known_names(entry.symbol, (entry.refused,), inside)
    walk.nodes((*entry.products, *entry.workspace), inside, Control())
    launches = _Launches(entry.symbol, walk, functions)
    launches.items(entry.items, inside)
    return frozenset(launches.found)


class _Launches:
    """The launches of one entry point."""

    def __init__(self, where: str, walk: Walk, functions: Mapping[str, KernelFunction]) -> None:
        self.where, self.walk, self.functions = where, walk, functions
        self.found: set[str] = set()

    def items(self, items: Iterable[HostNode], scope: NameScope) -> None:
        """Loops, conditions and launches between two braces."""
        for item in items:
            inside = scope.inner()
            match item:
                case KernelLaunch():
                    self.launch(item, inside)
                    continue
                case HostFor() | HostLet():
                    _known_names(self.where, (item.lower,), scope)
                    if item.name in names_of(item.lower):
                        fault(self.where, f"`{item.name}` is declared by its own value")
                    self.walk.declare(inside, item.name, Known(item.type))
                    if isinstance(item, HostFor):
                        _known_names(self.where, (item.upper,), inside)
                case HostIf():
                    _known_names(self.where, (item.condition,), scope)
                case Fallback():
                    self.walk.nodes(item.workspace, inside, Control())
            self.items(item.inner, inside)

    def launch(self, launch: KernelLaunch, scope: NameScope) -> None:
        """What a launch computes names what the entry point has; the functions that it starts take what they get."""
        if launch.body:
            walk = LaunchWalk(self.walk.file, self.where, self.functions)
            if isinstance(launch, LaunchStitched | LaunchComposed | LaunchLoop) and launch.is_declared:
                walk.declare(scope, f"@{launch.name}_fits", Known(BOOL))
            walk.nodes(launch.body, scope, Control())
            self.found |= walk.found
            return
        match launch:
            case LaunchComposed():
                # What a row keeps in shared memory is placed right before the launch.
                self.walk.nodes(launch.regions, scope, Control())
                launch = replace(launch, regions=())
            case LaunchPacked():
                for part in launch.parts:
                    self._part(part, scope)
            case LaunchBins():
                _verify_steps(self.where, launch.steps)
        if not isinstance(launch, LaunchPacked):
            self._computed(launch, launch.starts, self._with(launch.computes, scope))
        for each in launch.starts:
            self._started(each, scope)

    def _part(self, part: PackedPart, scope: NameScope) -> None:
        """What decides about the blocks of a part; what the part itself is given is the packed function's to take."""
        names = tuple(replace(each, name=f"{each.name}{part.number}") for each in part.work.computes)
        inside = self._with((*names, *part.work.computes), scope)
        self._computed((part.condition, part.work), part.work.starts, inside)
        if part.overflow is not None:
            self.launch(part.overflow, scope.inner())

    def _computed(self, record: object, starts: Iterable[Started], scope: NameScope) -> None:
        """What a record computes names what `scope` has; the arguments of what it starts are looked at there."""
        started = [each for function, _ in starts for each in function.arguments]
        _known_names(self.where, [each for each in expressions_in(record) if each not in started], scope)

    def _with(self, names: Iterable[Parameter], scope: NameScope) -> NameScope:
        """The scope behind what the text of a launch declares."""
        inside = scope.inner()
        for each in names:
            self.walk.declare(inside, each.name, known_parameter(each))
        return inside

    def _started(self, started: Started, scope: NameScope) -> None:
        """The arguments are those that the parameters take, in type and number."""
        called, given = started
        self.found.add(called.name)
        inside = self._with(given, scope)
        _known_names(self.where, called.arguments, inside)
        function = self.functions.get(called.name)
        if function is None:
            fault(self.where, f"`{called.name}` is launched, and is no kernel")
        if len(called.arguments) != len(function.parameters):
            fault(self.where, f"`{called.name}` is launched with another number of arguments than it has parameters")
        for argument, declared in zip(called.arguments, function.parameters, strict=True):
            check_given(self.where, f"`{called.name}`", argument, declared, inside)


def _verify_steps(where: str, steps: Iterable[StepOfBins]) -> None:
    """What a step declares is read behind it, and what it reads is declared before."""
    unread: set[str] = set()
    known: set[str] = set()
    for step in steps:
        for name in step.reads:
            if name not in known:
                fault(where, f"`{name}` is not declared where a launch needs it")
        unread -= set(step.reads)
        for declared in step.declares:
            if declared.name in known:
                fault(where, f"`{declared.name}` is declared twice")
            known.add(declared.name)
            unread.add(declared.name)
    if unread:
        fault(where, f"a launch declares `{min(unread)}`, which nothing uses")


def _known_names(where: str, values: Iterable[Expr | None], scope: NameScope) -> None:
    """Every name that the host's expressions have is declared there."""
    for value in values:
        if value is not None:
            check_expression(where, value, scope)
