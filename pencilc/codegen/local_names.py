"""What a function of the output calls the variables of its building blocks, which tree and templates write `@count`.

A name is chosen once for each function: `count`, or `count_` where the source has something of that name in it.  What a
function has of the source is read from its tree.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields, is_dataclass
from functools import cache

from pencilc.codegen.cexpr import type_text
from pencilc.diagnostics.diagnostic import CompilerBug
from pencilc.diagnostics.source import Span
from pencilc.ir.accumulators import Accumulator, AccumulatorMember
from pencilc.ir.bins import BinSet, BroughtBins, Runs
from pencilc.ir.definitions import DeviceFunction, FunctionDeclaration
from pencilc.ir.halo import CopyTile, LoadPlane, PlanePlaces, StorePlane
from pencilc.ir.host import HostArray, HostFor, HostLet
from pencilc.ir.kernel import KernelFunction
from pencilc.ir.launches import KernelLaunch
from pencilc.ir.launching import StartedFunction
from pencilc.ir.nodes import Parameter, SharedDecl
from pencilc.ir.on_chip import Local, Run
from pencilc.ir.segments import LoadVector
from pencilc.ir.source import EXPRESSIONS, ArrayType, Call, Cast, Initializer, IntLiteral, PointerType, Scalar, Struct
from pencilc.ir.source import Symbol as Variable
from pencilc.ir.tiles import OperandTile


class LocalNames(dict[str, str]):
    """The names of one function, by what is wished for: `names["count"]` is `count` or `count_`.

    `taken`: what else is named in the function.  `index`: its type of indices, for which `@index` stands.
    """

    def __init__(self, taken: Iterable[str] = (), index: str = "") -> None:
        super().__init__({"index": index} if index else {})
        self._taken = set(taken)

    def __missing__(self, wish: str) -> str:
        of, dot, member = wish.partition(".")
        if dot:
            self[wish] = name = f"{self[of]}.{member}"
            return name
        if not wish.isidentifier():
            raise CompilerBug(f"`@{wish}` is no name for a variable of a building block")
        name = wish
        while name in self._taken:
            name = f"{name}_"
        self._taken.add(name)
        self[wish] = name
        return name

    def spell(self, name: str) -> str:
        """What the function calls a name of the tree; `@thread_of_part.x` is a member of the variable."""
        return self[name[1:]] if name.startswith("@") else name


# ---- what a function has of the source -----------------------------------------------------------------

# Where records have names of the output.
_NAMES: dict[type, tuple[str, ...]] = {
    Variable: ("name",),
    IntLiteral: ("name",),
    Parameter: ("name",),
    SharedDecl: ("name",),
    LoadVector: ("register", "run", "wide", "registers"),
    OperandTile: ("register", "fetch", "part", "tiles", "registers"),
    Local: ("name",),
    Run: ("name", "wide"),
    CopyTile: ("tile",),
    PlanePlaces: ("places", "ahead"),
    LoadPlane: ("places", "ahead"),
    StorePlane: ("tile", "places", "ahead"),
    AccumulatorMember: ("operator", "init_function"),
    BinSet: ("operator", "init_function"),
    Runs: ("starts",),
    KernelFunction: ("name",),
    DeviceFunction: ("name",),
    FunctionDeclaration: ("name",),
    KernelLaunch: ("name",),
    StartedFunction: ("name",),
    HostFor: ("name",),
    HostLet: ("name",),
    HostArray: ("name",),
}
_WITHOUT_NAMES = frozenset((str, int, bool, float, type(None), Scalar, Span))
# The expressions whose type is printed.
_TYPED = (Cast, Initializer)


def names_printed(*records: object) -> set[str]:
    """The names that the text of records has: variables, functions, constants, types; no members."""
    found: set[str] = set()
    _collect(records, found)
    return found - {""}


def names_in_helpers(function: KernelFunction) -> set[str]:
    """The names of the source that the functions have which a kernel brings: operators, inits, constants, types."""
    found: set[str] = set()
    for helper in function.helpers:
        match helper.arguments[0]:
            case Accumulator() as accumulator:
                _collect(accumulator, found)
            case BroughtBins(bins=several):
                for bins in several:
                    _collect((bins.type, bins.identity), found)
                    found |= {bins.operator, bins.init_function}
    return found - {""}


def _collect(record: object, found: set[str]) -> None:
    kind: type = type(record)
    if kind in _WITHOUT_NAMES:
        return
    if kind is tuple:
        for item in record:  # type: ignore[attr-defined]
            _collect(item, found)
    elif isinstance(record, Struct):
        found.add(type_text(record))
    elif isinstance(record, Call):
        found.add(record.function)
        _collect((record.made_for, record.arguments), found)
    else:
        names, others = _fields_of(kind)
        for name in names:
            found.add(getattr(record, name))
        for name in others:
            _collect(getattr(record, name), found)


@cache
def _fields_of(kind: type) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The fields of a record that are names, and those that may hold further records."""
    if not is_dataclass(kind):
        return (), ()
    if kind in (ArrayType, PointerType):
        return (), ("element",) if kind is ArrayType else ("target",)
    names = next((found for of, found in _NAMES.items() if issubclass(kind, of)), ())
    silent = {*names, "span"} if kind not in EXPRESSIONS or kind in _TYPED else {*names, "span", "type"}
    return names, tuple(each.name for each in fields(kind) if each.name not in silent)
