"""What the parts of the translation ask of each other: expressions hold expressions, statements hold statements.

`expressions.py` and `statements.py` have the two translators; calls, subscripts, initialisers, loops, switches and
the like have files of their own, which know no more of them than what stands here.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import field
from typing import Any

from pencilc.diagnostics.source import Span
from pencilc.frontend.context import FileContext, Scope
from pencilc.frontend.translate.types import TypeResolver
from pencilc.ir.source import VOID, Block, CType, Declare, Expr, Stmt, Symbol, SymbolKind
from pencilc.records import dataclass


@dataclass(slots=True)
class FunctionState:
    """What is known while one function is translated."""

    name: str
    scope: Scope
    kind: str = "region"  # or "helper", "operator", "summary"
    returns: CType = VOID
    used_names: set[str] = field(default_factory=set)
    symbols: dict[str, Symbol] = field(default_factory=dict)  # by unique name, in order of declaration
    called: dict[str, Any] = field(default_factory=dict)  # functions called, with the first place
    outer_counters: set[str] = field(default_factory=set)  # counters declared outside that live only in loops
    statement: Any = None  # the one that is being translated
    parameters: tuple[str, ...] = ()  # spellings, while the parameters themselves are read


class Expressions(ABC):
    """Translates pycparser's expressions in one function; every method raises Refused after an error."""

    def __init__(self, context: FileContext, types: TypeResolver, state: FunctionState) -> None:
        self.context = context
        self.types = types
        self.state = state

    @abstractmethod
    def outside(self, name: str) -> Expressions:
        """A translator for what stands at file scope, as in the initialiser of `name`."""

    @abstractmethod
    def translate(self, node: Any) -> Expr:
        """The typed expression for `node`."""

    @abstractmethod
    def value(self, node: Any) -> Expr:
        """`node` as a value: not an array, not void."""

    @abstractmethod
    def arithmetic(self, node: Any) -> Expr:
        """`node` as an arithmetic value."""

    @abstractmethod
    def converted(self, node: Any, target: CType, what: str) -> Expr:
        """The value of `node` converted to `target`, as by assignment; `what` names it in messages."""

    @abstractmethod
    def convert(self, expr: Expr, target: CType, where: Any, what: str) -> Expr:
        """`expr` converted to `target`, as by assignment; errors stand at `where`."""

    @abstractmethod
    def binary(self, op: str, left: Expr, right: Expr, node: Any) -> Expr:
        """`left op right` after the conversions that C makes."""

    @abstractmethod
    def lvalue(self, node: Any, verb: str = "assigned") -> Expr:
        """`node` as something that can be written; `verb` says in messages what is done to it."""

    @abstractmethod
    def extent(self, node: Any) -> Expr:
        """The extent of an array in this function; constants are folded."""

    @abstractmethod
    def declare(self, spelling: str, ctype: CType, kind: SymbolKind, span: Span, is_const: bool = False) -> Symbol:
        """A new variable in the current scope, under a name unique in the function."""


class Statements(ABC):
    """Translates the statements of one function; `tr` translates its expressions."""

    def __init__(self, tr: Expressions) -> None:
        self.context = tr.context
        self.types = tr.types
        self.state = tr.state
        self.tr = tr

    @abstractmethod
    def statement(self, node: Any) -> tuple[Stmt, ...]:
        """The statement(s) for one node of pycparser; raises Refused."""

    @abstractmethod
    def items(self, nodes: list[Any]) -> tuple[Stmt, ...]:
        """The statements of a block; a statement in error is left out."""

    @abstractmethod
    def block(self, node: Any) -> Block:
        """A compound statement, in a scope of its own."""

    @abstractmethod
    def body(self, node: Any) -> Stmt:
        """The body of a loop or branch, in a scope of its own."""

    @abstractmethod
    def declaration(self, node: Any) -> Declare:
        """A local variable; raises Refused."""
