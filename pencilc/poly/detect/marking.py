"""Writing the builtins for detected reductions into the tree of a region, with the functions that they name."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from collections.abc import Sequence as Seq
from dataclasses import fields, replace
from itertools import takewhile
from typing import Any

from pencilc.ir.queries import (
    counters_in,
    declared_in,
    has_own_jump,
    names_in,
    names_of_file,
    root,
    same,
    without_conversions,
)
from pencilc.ir.scop import AccessKind, OperatorKind
from pencilc.ir.source import (
    VOID,
    Assign,
    Block,
    Cast,
    CType,
    Declare,
    Dereference,
    Expr,
    FloatLiteral,
    For,
    Function,
    If,
    IntLiteral,
    Name,
    PointerType,
    ReductionInit,
    ReductionUpdate,
    Return,
    Scalar,
    Stmt,
    Symbol,
    TranslationUnit,
    Unary,
    walk,
)  # fmt: skip
from pencilc.ir.source_printer import print_expr
from pencilc.poly.model.accesses import Effects, touches
from pencilc.poly.model.substitute import substitute
from pencilc.poly.reductions.updates import PlainUpdate, applied, converted

_NAMES = {
    OperatorKind.ADD: "add", OperatorKind.MUL: "mul", OperatorKind.MIN: "min", OperatorKind.MAX: "max",
    OperatorKind.BIT_AND: "bit_and", OperatorKind.BIT_OR: "bit_or", OperatorKind.BIT_XOR: "bit_xor",
    OperatorKind.AND: "logical_and", OperatorKind.OR: "logical_or", OperatorKind.SET: "set",
}  # fmt: skip


# Operators that leave a value as it is when it meets itself; `&&` makes a 1 of a 5.
_OF_ITSELF = (OperatorKind.MIN, OperatorKind.MAX, OperatorKind.BIT_AND, OperatorKind.BIT_OR)


class Marker:
    """The tree of one region, in which more and more reductions are marked; `made` are the functions for them."""

    def __init__(self, unit: TranslationUnit, body: Block) -> None:
        self.body = body
        self.functions: dict[str, Function] = {f.name: f for f in unit.functions}
        self.made: dict[str, Function] = {}
        self._effects = Effects(self.functions)
        self._taken = names_of_file(unit) | names_in(body) | declared_in(body) | counters_in(body)
        self._replaced: dict[int, tuple[Stmt, ...]] = {}  # by id of a statement of `body`, which keeps it alive
        self._before: dict[int, list[Stmt]] = {}  # by id of the loop
        self._lower: dict[int, Expr] = {}  # where a loop begins instead, by id
        self._places: dict[int, tuple[Block, int]] = {}  # of each statement by id: its block and where it stands there
        self._variables: dict[int, tuple[set[str], set[str]]] = {}  # by id of a statement

    def take(self, updates: Seq[tuple[Stmt, PlainUpdate]], loop: For, inits: Seq[Stmt]) -> None:
        """Mark a reduction: the statements become updates, and `inits` stand before `loop`."""
        for stmt, update in updates:
            operator = self._operator(update)
            marked: Stmt = ReductionUpdate(update.target, update.element, operator, update.span)
            if update.guard is not None:
                marked = If(update.guard, Block((marked,), update.span), None, update.span)
            self._replaced[id(stmt)] = (marked,)
        alike: dict[object, list[Stmt]] = {}  # by what equal trees have in common, for hundreds of updates
        different: list[Stmt] = []
        for init in inits:
            known = alike.setdefault(_outline(init), [])
            if not any(same(init, other) for other in known):
                known.append(init)
                different.append(init)
        if len(different) == 1:
            different = [self._with_constant(loop, different[0])]
        self._before.setdefault(id(loop), []).extend(different)
        if len(updates) == 1:
            self._begin_with_first(loop, *updates[0])

    def marked(self) -> Block:
        """The body with all that has been marked."""
        return self._rebuilt(self.body)  # type: ignore[no-any-return]

    # ---- initial values ----------------------------------------------------------------------------

    def _with_constant(self, loop: For, init: Stmt) -> Stmt:
        """`init` with the constant that the variable gets right before, with nothing in between that touches it."""
        leaf = _leaf(init)
        assert isinstance(leaf, ReductionInit)
        item = self._giver(loop, init)
        if item is None or id(item) in self._replaced or self._may_leave_behind(item, loop):
            return init
        return self._absorbed(item, init, leaf)

    def constant_before(self, loop: For, init: Stmt) -> Expr | None:
        """The constant that the elements which `init` begins get right before the loop; None if it is not known."""
        item = self._giver(loop, init)
        return None if item is None else _constant(item, init)

    def _giver(self, loop: For, init: Stmt) -> Stmt | None:
        """The last statement in front of the loop that touches what `init` begins, if that is the same there."""
        leaf = _leaf(init)
        assert isinstance(leaf, ReductionInit)
        variable, names = root(leaf.variable), names_in(init)
        if variable is None:
            return None
        for item in self._items_before(loop):
            touched, changed = self._touched(item)
            if variable.symbol.name in touched:
                return item
            if not names.isdisjoint(changed):
                return None  # The elements may be others here.
        return None

    def _may_leave_behind(self, item: Stmt, loop: For) -> bool:
        """Whether a loop around both may be left between them: then the constant is the last value that there is."""
        between = takewhile(lambda each: each is not item, self._items_before(loop))
        return any(has_own_jump(each) for each in between)

    def _items_before(self, loop: For) -> Iterator[Stmt]:
        """What stands before the loop in its block, the last one first."""
        if not self._places:
            for block in walk(self.body):
                if isinstance(block, Block):
                    self._places.update((id(item), (block, k)) for k, item in enumerate(block.items))
        if id(loop) in self._places:
            block, position = self._places[id(loop)]
            yield from (block.items[k] for k in range(position - 1, -1, -1))

    def _touched(self, item: Stmt) -> tuple[set[str], set[str]]:
        """The variables that a statement of the region touches, and those of them that it does more than read."""
        if id(item) not in self._variables:
            found = [(t.lvalue.symbol.name, t.kind) for t in touches(item, self._effects)]
            changed = {name for name, kind in found if kind is not AccessKind.READ}
            self._variables[id(item)] = {name for name, _ in found}, changed
        return self._variables[id(item)]

    def _absorbed(self, item: Stmt, init: Stmt, leaf: ReductionInit) -> Stmt:
        """`init` in the place of `item`, if that assigns a constant to the same elements."""
        constant = _constant(item, init)
        if constant is None:
            return init
        self._replaced[id(item)] = (Declare(item.symbol, None, item.span),) if isinstance(item, Declare) else ()
        return _with_leaf(init, replace(leaf, function=self._initial(constant, leaf.variable.type)))

    def _begin_with_first(self, loop: For, stmt: Stmt, update: PlainUpdate) -> None:
        """Let the loop go through the element too that the variable has been given before it.

            m = x[0];  for (j = 1; j < n; j++) m = max(m, x[j]);    ->    m = x[0];  for (j = 0; …) …

        Whatever else goes through the row then goes through the same elements, and can have them from this loop.
        """
        *values, last = loop.body.items if isinstance(loop.body, Block) else (loop.body,)
        counter = loop.iterator.type
        if update.kind not in _OF_ITSELF or update.guard is not None:
            return
        if last is not stmt or not isinstance(counter, Scalar):
            return
        element = update.element
        for value in reversed(values):
            if not isinstance(value, Declare) or value.init is None or value.symbol.name not in names_in(element):
                return
            element = substitute(element, {value.symbol.name: value.init})
        begin = without_conversions(loop.lower)
        if not isinstance(begin, IntLiteral) or loop.relation == "!=" or abs(loop.step) > begin.value:
            return
        first = replace(begin, value=begin.value - loop.step)
        # The source may have the number itself in its place, which has a type of its own.
        elements = [substitute(element, {loop.iterator.name: each}) for each in (first, replace(first, type=counter))]
        target, names = root(update.target), names_in(elements[0], update.target)
        assert target is not None
        for item in self._items_before(loop):
            touched, changed = self._touched(item)
            if target.symbol.name in touched:
                if any(_gives(item, update.target, each) for each in elements):
                    self._lower[id(loop)] = converted(first, counter)
                return
            if not names.isdisjoint(changed):
                return

    # ---- functions ---------------------------------------------------------------------------------

    def _operator(self, update: PlainUpdate) -> str:
        if update.call in self.functions:
            return update.call
        ctype = update.target.type
        assert isinstance(ctype, Scalar)
        span = update.span
        a, b = (Symbol(n, n, ctype, "param", span) for n in "ab")
        value = applied(update, Name(a, ctype, span), Name(b, ctype, span), ctype)
        stem = f"{update.call or _NAMES[update.kind]}_{ctype.name.replace(' ', '_')}"
        body = Block((Return(value, span),), span)
        return self._function(stem, lambda name: Function(name, ctype, (a, b), body, True, span))

    def _initial(self, value: Expr, ctype: CType) -> str:
        assert isinstance(ctype, Scalar)
        pointer = PointerType(ctype)
        p = Symbol("p", "p", pointer, "param", value.span)
        target = Dereference(Name(p, pointer, value.span), ctype, value.span)
        body = Block((Assign(target, value, value.span),), value.span)
        digits = "".join(c if c.isalnum() else "_" for c in print_expr(value).replace("-", "minus_"))
        stem = f"set_{digits}_{ctype.name.replace(' ', '_')}"
        return self._function(stem, lambda name: Function(name, VOID, (p,), body, True, value.span))

    def _function(self, stem: str, make: Callable[[str], Function]) -> str:
        """The name of a function that is made on first use, in this region or an earlier one.

        What has the same name may be another one: minima of floats differ in what they do with NaN.
        """
        name = stem
        while name in self._taken:
            known = self.made.get(name, self.functions.get(name))
            if known is not None and same(known, make(name)):
                return name
            name += "_"
        self.made[name] = make(name)
        self._taken.add(name)
        return name

    # ---- the tree ----------------------------------------------------------------------------------

    def _rebuilt(self, node: Any) -> Any:
        """The tree with replaced statements and with initialisations before their loops."""
        if id(node) in self._replaced:
            items = self._replaced[id(node)]
            return items[0] if len(items) == 1 else Block(items, node.span)
        changes: dict[str, Any] = {}
        if id(node) in self._lower:
            changes["lower"] = self._lower[id(node)]
        for field in fields(node):
            value = getattr(node, field.name)
            if isinstance(value, tuple) and isinstance(node, Block):
                changes[field.name] = tuple(i for item in value for i in self._items(item))
            elif isinstance(value, Block | For | If) or id(value) in self._replaced:
                changes[field.name] = self._rebuilt(value)
        rebuilt = replace(node, **changes) if changes else node
        inits = self._before.get(id(node), [])
        return Block((*inits, rebuilt), node.span) if inits else rebuilt

    def _items(self, item: Stmt) -> tuple[Stmt, ...]:
        if id(item) in self._replaced:
            return self._replaced[id(item)]
        rebuilt = self._rebuilt(item) if isinstance(item, Block | For | If) else item
        inits = self._before.get(id(item), [])
        return rebuilt.items if inits and isinstance(rebuilt, Block) else (rebuilt,)


def _outline(stmt: Stmt) -> tuple[object, ...]:
    """What equal trees have in common and most others do not: the kinds of their nodes, variables and integers."""
    return tuple(
        node.symbol.name if isinstance(node, Name) else node.value if isinstance(node, IntLiteral) else type(node)
        for node in walk(stmt)
    )


def _leaf(stmt: Stmt) -> Stmt:
    """The one statement inside of loops, conditions without `else`, and blocks of one statement."""
    while True:
        match stmt:
            case For():
                stmt = stmt.body
            case If(otherwise=None):
                stmt = stmt.then
            case Block(items=(item,)):
                stmt = item
            case _:
                return stmt


def _constant(item: Stmt, init: Stmt) -> Expr | None:
    """The constant that a statement assigns to the elements which `init` begins, if it does nothing else."""
    if isinstance(item, Declare) and item.init is not None:
        item = Assign(Name(item.symbol, item.symbol.type, item.span), item.init, item.span)
    store = _leaf(item)
    if not isinstance(store, Assign) or store.compound or not is_literal(store.value):
        return None
    return store.value if _same_elements(item, init, {}) else None


def _with_leaf(stmt: Stmt, leaf: Stmt) -> Stmt:
    return replace(stmt, body=_with_leaf(stmt.body, leaf)) if isinstance(stmt, For) else leaf


def _same_elements(store: Stmt, init: Stmt, names: dict[str, Expr]) -> bool:
    """Whether a nest that stores and one that initialises walk over the same elements, counters renamed by `names`."""
    if isinstance(store, Block) and len(store.items) == 1:
        return _same_elements(store.items[0], init, names)
    if isinstance(store, For) and isinstance(init, For):
        bounds = [(substitute(f.lower, names), substitute(f.bound, names)) for f in (store, init)]
        names = {**names, store.iterator.name: Name(init.iterator, init.iterator.type, store.span)}
        alike = (store.relation, store.step) == (init.relation, init.step) and same(bounds[0], bounds[1])
        return alike and _same_elements(store.body, init.body, names)
    if isinstance(store, Assign) and isinstance(init, ReductionInit):
        return same(substitute(store.target, names), init.variable)
    return False


def _gives(stmt: Stmt, target: Expr, value: Expr) -> bool:
    """Whether a statement does nothing but to give `target` the value."""
    match stmt:
        case Declare():
            return isinstance(target, Name) and target.symbol.name == stmt.symbol.name and same(stmt.init, value)
        case Assign(compound=""):
            return same(stmt.target, target) and same(stmt.value, value)
    return False


def is_literal(expr: Expr) -> bool:
    """Whether an expression is a constant that is written down."""
    return all(isinstance(n, IntLiteral | FloatLiteral | Cast | Unary) for n in walk(expr))
