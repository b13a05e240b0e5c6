"""Rules for the functions of an entry point: names and types, and that each calls the others as they are."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from pencilc.codegen.control import Control, fault
from pencilc.codegen.expression_rules import check_expression, check_given
from pencilc.codegen.kernel_types import FileScope, Known, NameScope, known_parameter
from pencilc.codegen.launch_walk import LaunchWalk
from pencilc.codegen.names import OF_LANGUAGE
from pencilc.ir.build import STREAM, generated_type
from pencilc.ir.entry_nodes import (
    AskCapture,
    AskMultiprocessors,
    BeginCall,
    BeginCounting,
    CallDevice,
    CallQueue,
    ClearCopy,
    Clip,
    CompareArrays,
    CopyIn,
    CopyOut,
    CopyResult,
    CountOneRound,
    Cover,
    EachRound,
    OpenCall,
    OpenCallIn,
    OpenThread,
    PlaceResult,
    RefuseCapture,
    RefuseSizes,
    ReturnQueue,
    ReturnResult,
    Succeed,
    TellBytes,
    TellDevice,
    TellPoints,
    TouchedElements,
    WaitForStream,
)
from pencilc.ir.host import EntryFunction
from pencilc.ir.kernel import KernelFunction
from pencilc.ir.launching import HostValues
from pencilc.ir.nodes import BuildingBlock, Node, Parameter, names_of
from pencilc.ir.source import INT, VOID, Declare, Expr

_CALL, _RANGE = generated_type("pencilc_call"), generated_type("pencilc_range")
# What the text of building blocks names.
_NAMED: dict[type, tuple[str, ...]] = {
    BeginCall: ("@stream",),
    OpenCall: ("@call",),
    OpenCallIn: ("@call", "@counted", "@workspace", "@bytes"),
    AskCapture: ("@stream",),
    TellBytes: ("@bytes", "@counted"),
    TellDevice: ("@call", "@device"),
    CountOneRound: ("@stream",),
    CallDevice: ("@stream",),
    CopyIn: ("@stream",),
    ClearCopy: ("@stream",),
    CopyOut: ("@stream",),
    WaitForStream: ("@stream",),
    PlaceResult: ("@stream",),
    CopyResult: ("@stream", "@return_copy", "@result"),
    ReturnResult: ("@result",),
}
_ENDS = (ReturnQueue, Succeed, RefuseSizes, RefuseCapture, ReturnResult)


def declare_parameters(walk: LaunchWalk, scope: NameScope, parameters: Iterable[Parameter]) -> None:
    """The parameters of a function, each of which it has once."""
    for each in parameters:
        if each.name in OF_LANGUAGE:
            fault(walk.name, f"`{each.name}` is a name of C++ or CUDA")
        walk.declare(scope, each.name, known_parameter(each))


class EntryWalk(LaunchWalk):
    """Walks through the functions of one entry point, in order; each may call those before it."""

    def __init__(self, file: FileScope, name: str, functions: Mapping[str, KernelFunction]) -> None:
        super().__init__(file, name, functions)
        self.before: dict[str, EntryFunction] = {}

    def entry_function(self, function: EntryFunction) -> None:
        """One of the functions, all of whose ways end."""
        scope = self.file.inner()
        declare_parameters(self, scope, function.parameters)
        if function.node == "link_name":
            return
        self.nodes(function.body, scope.inner(), Control())
        is_ended = bool(function.body) and isinstance(function.body[-1], _ENDS)
        if is_ended != (function.returns != VOID):
            fault(self.name, f"`{function.name}` ends without a value, or with one that nobody expects")
        self.before[function.name] = function

    def block(self, node: BuildingBlock, scope: NameScope, control: Control) -> Control:  # noqa: C901  (one case a kind)
        """One building block around launches; the others are those of launches."""
        self._knows(_NAMED.get(type(node), ()), scope)
        match node:
            case OpenCall() | OpenCallIn() | TellBytes() | TellDevice() | CountOneRound() | WaitForStream():
                pass
            case Succeed() | RefuseSizes() | RefuseCapture() | CopyResult() | ReturnResult():
                pass
            case BeginCall() | BeginCounting():
                self.declare(scope, "@call" if isinstance(node, BeginCall) else "@counted", Known(_CALL))
            case AskCapture():
                # Numbers of an enumeration.
                self.declare(scope, "@status", Known(INT))
                scope.provide(("cudaStreamCaptureStatusNone",), INT)
            case CallQueue() | CallDevice():
                self._calls(node.function, node.arguments, scope)
            case AskMultiprocessors():
                for name in ("@multiprocessors", "@device"):
                    self.declare(scope, name, Known(INT))
            case EachRound():
                self._rounds(node, scope)
            case TellPoints():
                self.expressions((node.points,), scope)
            case TouchedElements():
                self.declare(scope, node.range, Known(_RANGE))
            case Cover():
                self._knows((node.range,), scope)
                self.expressions((node.first, node.last), scope)
            case Clip():
                self._knows((node.range,), scope)
                self.expressions((node.count,), scope)
            case CompareArrays():
                self._knows((name for each in node.arrays for name in (each.name, f"@{each.name}_range")), scope)
            case OpenThread():
                self.declare(scope, "@stream", Known(STREAM))
            case CopyIn():
                self._knows((node.name, node.range), scope)
                self.declare(scope, node.copy, Known(generated_type("pencilc_copy", node.type)))
            case PlaceResult():
                self.declare(scope, "@return_copy", Known(generated_type("pencilc_copy", node.type)))
                self.declare(scope, "@result", Known(node.type))
            case CopyOut() | ClearCopy():
                self._knows((node.name, node.copy), scope)
            case _:
                return super().block(node, scope, control)
        return control

    def _knows(self, names: Iterable[str], scope: NameScope) -> None:
        """What the text of a block names is declared."""
        for name in names:
            if scope.find(name) is None:
                fault(self.name, f"`{name}` is not declared")

    def _declaration(self, node: Declare, scope: NameScope, control: Control) -> Control:
        if node.init is not None and node.symbol.name in names_of(node.init):
            fault(self.name, f"`{node.symbol.name}` is declared by its own value")
        return super()._declaration(node, scope, control)

    def host_values(self, node: HostValues, scope: NameScope) -> None:
        """Values, none of which names itself."""
        for each in node.values:
            if each.name in names_of(each.value):
                fault(self.name, f"`{each.name}` is declared by its own value")
        super().host_values(node, scope)

    def _rounds(self, node: EachRound, scope: NameScope) -> None:
        self.expressions((node.lower,), scope)
        if node.name in names_of(node.lower):
            fault(self.name, f"`{node.name}` is declared by its own value")
        inside = scope.inner()
        self.declare(inside, node.name, Known(node.type))
        self.expressions((node.upper,), inside)
        self.rounds(lambda: self._round_of(node.body, inside.copy()))

    def _round_of(self, body: tuple[Node, ...], inside: NameScope) -> None:
        self.nodes(body, inside, Control())

    def _calls(self, called: str, arguments: tuple[Expr, ...], scope: NameScope) -> None:
        """The arguments are those that the parameters take, in type and number, of a function above."""
        function = self.before.get(called)
        if function is None:
            fault(self.name, f"`{called}` is called, and is no function above")
        if len(arguments) != len(function.parameters):
            fault(called, "it is called with another number of arguments than it has parameters")
        for argument, declared in zip(arguments, function.parameters, strict=True):
            check_expression(called, argument, scope)
            check_given(called, f"`{called}`", argument, declared, scope)
