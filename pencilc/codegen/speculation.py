"""What of an element may be computed for elements beyond the row too, so that no branch stands around each element.

    if (k < left) { e[k] = expf(x[k]); sum = add(sum, e[k]); }      a branch: four exponentials one after the other
    e[k] = expf(x[k]);  if (k < left) sum = add(sum, e[k]);         no branch: they overlap, the sum has a predicate

Registers beyond the row hold zeros where they are loaded.  Only floating-point arithmetic is computed ahead: whatever
it is given it ends, traps nowhere and reads nothing but registers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field, replace
from functools import partial, reduce

from pencilc.codegen.bodies import set_to
from pencilc.ir.build import binary, call, declare, element, generated_type, member, variable
from pencilc.ir.nodes import Node, names_of, variables_of
from pencilc.ir.source import (
    BOOL,
    FLOAT,
    Assign,
    Binary,
    Block,
    Call,
    Cast,
    CType,
    Declare,
    Expr,
    FloatLiteral,
    Function,
    If,
    Index,
    IntLiteral,
    Name,
    PointerType,
    Return,
    Scalar,
    Ternary,
    Unary,
    is_floating,
    walk,
)
from pencilc.ir.source import Node as Tree
from pencilc.records import dataclass

_COMPARISONS = frozenset(("<", ">", "<=", ">=", "==", "!=", "&&", "||"))
_ARITHMETIC = frozenset(("+", "-", "*", "/"))


@dataclass(frozen=True, slots=True)
class Quotients:
    """What a stage computes ahead, by way of reciprocals of what the whole row is divided by.

    `divisors` declares those; `exact` tells whether all of them serve; `element` is the attempt, which says in `@exact`
    whether it has the bits of the divisions, and `divided` these.  What is written in place (`y[k] = y[k] / sum`) must
    outlast the attempt: the quotients are in registers `apart`, each with the assignment that brings it home.
    """

    divisors: tuple[Node, ...]
    exact: Expr
    element: tuple[Node, ...]
    divided: tuple[Node, ...]
    apart: tuple[tuple[Name, Assign], ...]


@dataclass(frozen=True, slots=True)
class Split:
    """The nodes of an element: what is computed for every register, and what only where the row has an element."""

    ahead: tuple[Node, ...]
    body: tuple[Node, ...]
    quotients: Quotients | None = None


@dataclass
class Speculation:
    """`registers`: the names of arrays in registers; `iterators`: names that only elements of the row have.

    `functions`: those of the file, by name.
    """

    registers: frozenset[str]
    iterators: frozenset[str]
    functions: Mapping[str, Function]
    _local: set[str] = field(default_factory=set)
    _written: set[str] = field(default_factory=set)  # by what stays in the body, so far
    _read: set[str] = field(default_factory=set)
    _elements: int = 0

    def split(self, nodes: tuple[Node, ...]) -> Split:
        """The nodes in their order, those first that may be computed ahead."""
        ahead: list[Node] = []
        body: list[Node] = []
        for node in nodes:
            if self._goes_ahead(node):
                ahead.append(node)
                continue
            computed, rest = self._operands(node)
            ahead += computed
            body.append(rest)
            self._note(rest)
        # Where sums follow, a second attempt would have to come between them and the first.
        return Split(tuple(ahead), tuple(body), None if body else self.quotients(tuple(ahead)))

    # ---- whole statements --------------------------------------------------------------------------

    def _goes_ahead(self, node: Node) -> bool:
        match node:
            case Declare(symbol=declared, init=init):
                found = is_small_float(declared.type) and (init is None or self._is_safe(init))
                if found:
                    self._local.add(declared.name)
                return found
            case Assign(target=target, value=value):
                return self._is_own(target) and self._is_safe(value) and not self._is_touched(target)
        return False

    def _is_own(self, target: Expr) -> bool:
        """Whether nobody sees the variable for elements beyond the row: a register of them, or a local variable."""
        if isinstance(target, Name):
            return target.symbol.name in self._local
        return isinstance(target, Index) and self._is_register(target) and is_small_float(target.type)

    def _is_touched(self, target: Expr) -> bool:
        return not _roots(target).isdisjoint(self._written | self._read)

    def _note(self, node: Node) -> None:
        """Remember what a node that stays behind reads and writes; of what is no assignment, everything."""
        if isinstance(node, Assign):
            self._written |= _roots(node.target)
            self._read |= names_of(node.value) | names_of(node.target)
            return
        names = names_of(node)
        if isinstance(node, Declare):
            names.add(node.symbol.name)
        self._written |= names
        self._read |= names

    # ---- operands of what stays --------------------------------------------------------------------

    def _operands(self, node: Node) -> tuple[list[Node], Node]:
        """Calls and divisions among the operands of an assignment, as constants computed ahead.

        Products stay where they are, so that nvcc still contracts them with the sum that they go into.
        """
        if not isinstance(node, Assign) or not isinstance(node.value, Call | Binary):
            return [], node
        found: list[Node] = []
        value = node.value
        if isinstance(value, Call):
            value = replace(value, arguments=tuple(self._outlined(a, found) for a in value.arguments))
        else:
            value = replace(value, left=self._outlined(value.left, found), right=self._outlined(value.right, found))
        return found, replace(node, value=value)

    def _outlined(self, expr: Expr, found: list[Node]) -> Expr:
        """The expression with constants for what is computed ahead."""
        is_costly = isinstance(expr, Call) or (isinstance(expr, Binary) and expr.op == "/")
        if is_costly and self._is_safe(expr):
            name = f"@element{self._elements or ''}"
            self._elements += 1
            found.append(declare(name, expr.type, expr, is_const=True))
            return variable(name, expr.type)
        match expr:
            case Binary(left=left, right=right):
                return replace(expr, left=self._outlined(left, found), right=self._outlined(right, found))
            case Unary(operand=operand) | Cast(operand=operand):
                return replace(expr, operand=self._outlined(operand, found))
        return expr

    # ---- quotients ---------------------------------------------------------------------------------

    def quotients(self, ahead: tuple[Node, ...]) -> Quotients | None:
        """The nodes with quotients by what the whole row has by way of reciprocals, if there are any.

        Where some quotient is not exact the nodes are computed again, from what they were computed from before.
        """
        ahead = tuple(map(_expanded, ahead))
        divisors: dict[Expr, Name] = {}
        attempt = tuple(self._by_reciprocals(node, divisors) for node in ahead)
        apart = self._in_place(ahead)
        if not divisors or apart is None:
            return None
        element, divided = (tuple(_instead(node, apart) for node in nodes) for nodes in (attempt, ahead))
        declared = tuple(
            declare(by.symbol.name, by.type, call("pencilc_divide_by", value, returns=by.type), is_const=True)
            for value, by in divisors.items()
        )
        exact: list[Expr] = [member(by, "exact", BOOL) for by in divisors.values()]
        registers = tuple((name, set_to(target, element_of(name, target.type))) for target, name in apart.items())
        return Quotients(declared, reduce(partial(binary, "&&"), exact), element, divided, registers)

    def _in_place(self, ahead: tuple[Node, ...]) -> dict[Expr, Name] | None:
        """Registers of their own for what is read and then assigned; None if what is assigned is read behind that."""
        found: dict[Expr, Name] = {}
        read: set[str] = set()
        written: set[str] = set()
        for node in ahead:
            used = names_of(node.value if isinstance(node, Assign) and not node.compound else node)
            if used & written:
                return None
            read |= used
            if isinstance(node, Assign) and not _roots(node.target) <= self._local:
                if node.target in found:
                    return None
                if _roots(node.target) & read:
                    if node.compound:
                        return None
                    name = f"@quotient{len(found) or ''}"
                    found[node.target] = variable(name, PointerType(node.target.type))
                written |= _roots(node.target)
        return found

    def _by_reciprocals(self, node: Node, divisors: dict[Expr, Name]) -> Node:
        match node:
            case Assign(value=value):
                return replace(node, value=self._multiplied(value, divisors))
            case Declare(init=init) if init is not None:
                return replace(node, init=self._multiplied(init, divisors))
        return node

    def _multiplied(self, expr: Expr, divisors: dict[Expr, Name]) -> Expr:
        match expr:
            case Binary(op="/", left=left, right=right, type=ctype) if ctype == FLOAT and self._is_of_row(right):
                name = f"@by{len(divisors) or ''}"
                by = divisors.setdefault(right, variable(name, generated_type("pencilc_divisor")))
                value = self._multiplied(left, divisors)
                return call("pencilc_quotient", value, by, variable("@exact", BOOL), returns=FLOAT)
            case Binary(left=left, right=right):
                left, right = self._multiplied(left, divisors), self._multiplied(right, divisors)
                return replace(expr, left=left, right=right)
            case Unary(operand=operand) | Cast(operand=operand):
                return replace(expr, operand=self._multiplied(operand, divisors))
            case Call(arguments=arguments):
                return replace(expr, arguments=tuple(self._multiplied(a, divisors) for a in arguments))
        return expr

    def _is_of_row(self, expr: Expr) -> bool:
        """Whether all elements of the row have the same value of it, which is no constant."""
        names = variables_of(expr)
        return expr.type == FLOAT and bool(names) and names.isdisjoint(self.registers | self._local)

    # ---- expressions -------------------------------------------------------------------------------

    def _is_safe(self, expr: Expr) -> bool:
        """Whether it can be evaluated with any value in its registers."""
        if not is_small_float(expr.type) or not names_of(expr).isdisjoint(self._written):
            return False
        return all(self._is_safe_step(step) for step in self._steps(expr))

    def _steps(self, expr: Expr) -> Iterator[Expr]:
        """The expression and those below it; what is a register is not looked into."""
        yield expr
        if isinstance(expr, Index) and self._is_register(expr):
            return
        for inner in _operands_of(expr):
            yield from self._steps(inner)

    def _is_safe_step(self, expr: Expr) -> bool:
        match expr:
            case Name(symbol=used, type=ctype):
                return isinstance(ctype, Scalar) and used.name not in self.iterators
            case Index():
                return self._is_register(expr)
            case Call():
                return self._is_safe_call(expr.function)
        return is_safe_operation(expr)

    def _is_safe_call(self, name: str) -> bool:
        """A function of the library, or one of the file that has no loops and no memory."""
        function = self.functions.get(name)
        return function is None or is_safe_function(function, self.functions)

    def _is_register(self, expr: Index) -> bool:
        base: Expr = expr
        while isinstance(base, Index):
            base = base.base
        return isinstance(base, Name) and base.symbol.name in self.registers


def _expanded(node: Node) -> Node:
    """`a /= b` as `a = a / b`, where both are floats."""
    if isinstance(node, Assign) and node.compound and node.target.type == node.value.type == FLOAT:
        return replace(node, value=binary(node.compound, node.target, node.value), compound="")
    return node


def _instead(node: Node, apart: Mapping[Expr, Name]) -> Node:
    """The node, whose result goes to the registers that stand for those it would go to."""
    if isinstance(node, Assign) and node.target in apart:
        return replace(node, target=element_of(apart[node.target], node.target.type))
    return node


def element_of(registers: Name, ctype: CType) -> Index:
    """The register of the element of a chunk that is worked on."""
    return element(registers, variable("@k"), ctype)


def is_small_float(ctype: CType) -> bool:
    """Whether it is a floating type of one register or less.

    Functions of doubles take so many registers that a row of them, all computed at once, is spilled.
    """
    return is_floating(ctype) and ctype.size <= FLOAT.size


def is_safe_operation(expr: Tree) -> bool:
    """Whether the operation, its operands aside, neither traps nor depends on integers that may be anything."""
    match expr:
        case FloatLiteral() | IntLiteral():
            return True
        case Unary(op=op, type=ctype):
            return op == "!" or (op in ("+", "-") and is_small_float(ctype))
        case Binary(op=op, type=ctype):
            return op in _COMPARISONS or (op in _ARITHMETIC and is_small_float(ctype))
        case Ternary():
            return True
        case Cast(type=ctype):
            return is_small_float(ctype)
    return False


def is_safe_function(
    function: Function, functions: Mapping[str, Function], around: frozenset[str] = frozenset()
) -> bool:
    """Whether a function of the file computes its result from its arguments alone, without a loop."""
    if function.name in around:
        return False
    steps = list(walk(function.body))
    declared = [*function.params, *(step.symbol for step in steps if isinstance(step, Declare))]
    if not all(is_small_float(ctype) for ctype in (function.returns, *(s.type for s in declared))):
        return False
    own = frozenset(s.name for s in declared)
    return all(_is_safe_inside(step, own, functions, around | {function.name}) for step in steps)


def _is_safe_inside(step: Tree, own: frozenset[str], functions: Mapping[str, Function], around: frozenset[str]) -> bool:
    """Whether a function whose variables are `own` stays safe with this step."""
    match step:
        case Assign(target=target):
            return isinstance(target, Name)
        case Name(symbol=used):
            return used.name in own
        case Call(function=name, type=ctype):
            called = functions.get(name)
            return is_small_float(ctype) and (called is None or is_safe_function(called, functions, around))
        case Block() | If() | Return() | Declare():
            return True
    return is_safe_operation(step)


def _operands_of(expr: Expr) -> tuple[Expr, ...]:
    match expr:
        case Binary(left=left, right=right):
            return (left, right)
        case Unary(operand=operand) | Cast(operand=operand):
            return (operand,)
        case Ternary(condition=condition, then=then, otherwise=otherwise):
            return (condition, then, otherwise)
        case Call(arguments=arguments):
            return arguments
    return ()


def _roots(target: Expr) -> frozenset[str]:
    """The variable that an assignment changes."""
    names = [step.symbol.name for step in walk(target) if isinstance(step, Name)]
    return frozenset(names[:1])
