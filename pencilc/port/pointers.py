"""The body of a function without pointers: elements of arrays are named by the array and a subscript.

    const float *row = img + y * stride;          (removed)
    s += row[x];                                  s += img[y * stride + x];
    *out = s;                                     out[0] = s;
    for (i = 0; i < *n; i++)                      for (i = 0; i < n; i++)
    A->val[k]                                     val[k], where `A` points to a struct that holds pointers

Each use of a pointer is classified in the tree and changed in the text.  A pointer that is used in any other way (it
walks, is compared, is kept) leaves the function as it is.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import field
from typing import Any

from pycparser import c_ast

from pencilc.frontend.syntax.nodes import LOOPS, nodes_below
from pencilc.ir.rewrite import fresh_name
from pencilc.port.elements import Elements, Place, in_sum, sum_text
from pencilc.port.find import FunctionText, ParameterText, holds_loop
from pencilc.port.numbers import is_always_read, is_number
from pencilc.port.records import ALLOCATED, CannotPort, PortChanges, Step
from pencilc.port.text import Parsed
from pencilc.port.tree import (
    declared_names,
    is_allocation,
    is_field,
    is_pointer,
    kind,
    names_in,
    resolved,
    struct_members,
    with_parents,
)
from pencilc.records import dataclass


@dataclass(frozen=True, slots=True)
class Flattened:
    """A struct parameter whose members are handed over one by one: each member used, and the name it gets.

    Or a pointer to a number, `is_number`, in place of which that is handed over under the same name; `is_there` where
    the function reads it whenever it is called.
    """

    parameter: str
    by_pointer: bool
    members: tuple[tuple[Any, str], ...]
    is_number: bool = False
    is_there: bool = False

    def argument(self, member: Any) -> str:
        """How the function with the old head names a member, or the number."""
        if self.is_number:
            return f"*{self.parameter}" if self.is_there else f"{self.parameter} ? *{self.parameter} : 0"
        return f"{self.parameter}{'->' if self.by_pointer else '.'}{member.name}"


@dataclass(slots=True)
class _StructUses:
    """What a function does with a struct parameter: the members it names, and the first use of the struct as a whole.

    `decide_a_size`: a member says how often a loop runs or how large something is.
    """

    members: set[str] = field(default_factory=set)
    whole: Any = None
    decide_a_size: bool = False


@dataclass(frozen=True, slots=True)
class Rewritten:
    """The new body, and the structs that the head has to be changed for."""

    changes: PortChanges
    flattened: tuple[Flattened, ...]


def without_pointers(parsed: Parsed, function: FunctionText, kept: Collection[str] = ()) -> Rewritten:
    """The pass; raises CannotPort.  `kept` are parameters that point to one value and stay as they are."""
    return _Body(parsed, function, kept=kept).rewritten()


@dataclass(slots=True)
class _Body(Elements):
    """One function while its body is rewritten."""

    kept: Collection[str] = ()
    places: dict[str, Place] = field(default_factory=dict)
    flattened: dict[str, dict[str, str]] = field(default_factory=dict)  # parameter -> member -> new name
    records: list[Flattened] = field(default_factory=list)

    def rewritten(self) -> Rewritten:
        """Go through the pointers of the function."""
        body = self.function.node.body
        self._parameters()
        locals_ = [
            (node, around) for node, around in with_parents(body)
            if kind(node) == "Decl" and node.name and kind(resolved(self.parsed, node.type)) == "PtrDecl"
        ]  # fmt: skip
        declared = declared_names(self.function.node)
        for name in {*self.places, *(node.name for node, _ in locals_)}:
            if name in self.places and declared.count(name) > 1:
                raise CannotPort(f"several variables are called `{name}`", self.function.span)
        self._scalars_of_structs(body)
        for parameter in self.function.parameters:
            for use in self.uses(body, parameter.name) if parameter.name in self.places else ():
                self.rewrite(use, self.places[parameter.name])
        for name, members in self.flattened.items():
            for member, new in members.items():
                for use in self.uses(body, f"{name}->{member}") if f"{name}->{member}" in self.places else ():
                    self.rewrite(use, Place(new))
        # What is declared first may be the base of what follows.
        for node, around in sorted(locals_, key=lambda pair: self.parsed.name_of(pair[0])):
            self._local(node, around)
        steps = tuple(sorted(self.steps, key=lambda step: step.line))
        return Rewritten(PortChanges(tuple(self.edits), steps), tuple(self.records))

    def _parameters(self) -> None:
        """Find out what each parameter points to, but for those that are kept."""
        for parameter in self.function.parameters:
            is_in_loops = parameter.name not in self.kept or holds_loop(self.function.node.body)
            if is_in_loops and is_number(self.parsed, self.function, parameter):
                self._number(parameter)
                continue
            if parameter.name in self.kept:
                continue
            if self._is_struct(parameter.node.type):
                self._struct(parameter.name, parameter.node)
            self._no_function(parameter.name, parameter.node.type)
            if parameter.name not in self.flattened and is_pointer(self.parsed, parameter.node.type):
                self.places[parameter.name] = Place(parameter.name)

    def _no_function(self, name: str, node: Any) -> None:
        """Raises CannotPort for a pointer to a function that is used: which one it is is known only when it runs."""
        target = resolved(self.parsed, node)
        pointed = resolved(self.parsed, target.type) if kind(target) == "PtrDecl" else target
        is_function = kind(pointed) == "FuncDecl"
        if is_function and names_in(self.function.node.body, name):
            new = f"{self.function.name}_with"
            raise CannotPort(
                f"`{name}` is a pointer to a function", self.parsed.span(self.function.node.decl),
                (f"write one function for each that is handed over, as `{new}_g` in which `{name}(…)` is `g(…)`",),
            )  # fmt: skip

    def _number(self, parameter: ParameterText) -> None:
        """Hand over the number that a parameter points to, in place of the pointer."""
        name, pointed = parameter.name, parameter.node.type.type
        plain = c_ast.TypeDecl(name, [], None, pointed.type)
        member = c_ast.Decl(name, [], [], [], [], plain, None, None)
        is_there = is_always_read(self.function, name)
        self.records.append(Flattened(name, True, ((member, name),), is_number=True, is_there=is_there))
        self.places[name] = Place(name, is_number=True)

    # ---- structs that hold pointers --------------------------------------------------------------------------

    def _is_struct(self, node: Any) -> bool:
        target = resolved(self.parsed, node)
        inner = resolved(self.parsed, target.type) if kind(target) == "PtrDecl" else target
        return kind(inner) == "Struct"

    def _struct(self, name: str, node: Any) -> None:
        """Decide whether the members of a struct parameter are handed over one by one."""
        target = resolved(self.parsed, node.type)
        by_pointer = kind(target) == "PtrDecl"
        members = struct_members(self.parsed, target.type if by_pointer else target)
        uses = self._uses_of_struct(name)
        if members is None or not uses.members:
            return
        pointers: set[str] = set()
        for member in members:
            is_array = is_pointer(self.parsed, member.type) and not _is_sized(member.type)
            if is_array and member.name in uses.members:
                pointers.add(member.name)
        if not pointers:
            # Without pointers a struct may stay, unless it is reached through one and says how often a loop runs.
            has_sizes = by_pointer and uses.decide_a_size
            if not has_sizes or uses.whole is not None:
                return
        if uses.whole is not None:
            reason = f"`{name}` points to a struct that holds pointers, and is used as a whole here"
            raise CannotPort(reason, self.parsed.span(uses.whole))
        handed_over = [member for member in members if member.name in uses.members or self._is_size(member)]
        chosen = self._names_of_members(name, handed_over)
        self.flattened[name] = chosen
        self.records.append(Flattened(name, by_pointer, tuple((m, chosen[m.name]) for m in handed_over)))
        for member_name in pointers:
            self.places[f"{name}->{member_name}"] = Place(chosen[member_name])
        what = "points to" if by_pointer else "is"
        self.tell(
            self.function.node.decl,
            f"`{name}` {what} a struct with pointers or sizes in it",
            "its members are handed over",
        )

    def _uses_of_struct(self, name: str) -> _StructUses:
        """What the function does with a struct parameter."""
        uses = _StructUses()
        for each, around in with_parents(self.function.node.body):
            if kind(each) == "StructRef" and kind(each.name) == "ID" and each.name.name == name:
                uses.members.add(each.field.name)
                uses.decide_a_size = uses.decide_a_size or _decides_a_size(each, around)
            elif kind(each) == "ID" and each.name == name and not is_field(each, around):
                is_base = kind(around[0]) == "StructRef" and around[0].name is each
                if not is_base and uses.whole is None:
                    uses.whole = each
        return uses

    def _names_of_members(self, struct: str, members: Sequence[Any]) -> dict[str, str]:
        """The names of the parameters for members: their own where these are free."""
        taken = {*declared_names(self.function.node)}
        for each, around in with_parents(self.function.node.body):
            if kind(each) == "ID" and not is_field(each, around):
                taken.add(each.name)
        for others in self.flattened.values():
            taken |= set(others.values())
        chosen: dict[str, str] = {}
        for member in members:
            is_free = member.name not in taken
            chosen[member.name] = member.name if is_free else fresh_name(f"{struct}_{member.name}", taken)
        return chosen

    def _is_size(self, member: Any) -> bool:
        """Whether a member is an integer, which may say how large an array is."""
        inner = resolved(self.parsed, member.type)
        return kind(inner) == "IdentifierType" and not {"float", "double", "char", "_Bool"} & {*inner.names}

    def _scalars_of_structs(self, body: Any) -> None:
        """`A->rows` becomes `rows`; one that is written leaves the function as it is."""
        for each, around in with_parents(body):
            if kind(each) != "StructRef" or kind(each.name) != "ID" or each.name.name not in self.flattened:
                continue
            name, member = each.name.name, each.field.name
            if f"{name}->{member}" in self.places:
                continue
            if _is_written(each, around):
                raise CannotPort(f"`{name}{each.type}{member}` is written", self.parsed.span(each))
            at = self.parsed.token_of(each.name, name)
            self.expect(at + 2, member, each)
            self.edit(at, at + 2, self.flattened[name][member])

    # ---- local pointers --------------------------------------------------------------------------------------

    def _local(self, node: Any, around: tuple[Any, ...]) -> None:
        """A pointer that is declared with what it points to, and stays there, goes."""
        if node.init is None:
            raise CannotPort(f"the pointer `{node.name}` is set behind its declaration", self.parsed.span(node))
        if any(kind(each) == "For" and each.init is around[0] for each in around):
            raise CannotPort(f"`{node.name}` walks through an array: use a counter and `[]`", self.parsed.span(node))
        at = self.parsed.name_of(node)
        self.expect(at + 1, "=", node)
        compound = next(each for each in around if kind(each) == "Compound")
        first, last = self.declaration(at)
        end = next(last_of for first_of, last_of in self.declarators(first, last) if first_of <= at <= last_of)
        place = self._place(node.init, at + 2, end)
        scope_end = self.parsed.closing(self.parsed.token_of(compound, "{"))
        self._constant(node, compound, at + 2, end, scope_end)
        self.remove(first, last, self._pointers_of(first, last, compound))
        for use in self.uses(compound, node.name):
            if use.first > at and use.first < scope_end:
                self.rewrite(use, place)
        shown = self.parsed.slice(at + 2, end)
        self.steps.append(
            Step(self.line(at), f"`{node.name}` points to `{shown}`", f"its elements are named: `{place.element('k')}`")
        )
        self.places[node.name] = place

    def _place(self, node: Any, first: int, last: int) -> Place:
        """What the expression of the tokens `first` to `last` points to."""
        tokens = self.parsed.tokens
        if kind(node) == "ID" and node.name in self.places and first == last:
            return self.places[node.name]
        if kind(node) == "StructRef" and (key := self.member_name(node)) in self.places and last == first + 2:
            return self.places[key]
        if kind(node) == "UnaryOp" and node.op == "&" and kind(node.expr) == "ArrayRef" and tokens[first].text == "&":
            inner = self._named(node.expr.name, first + 1)
            if inner is not None and tokens[inner[1] + 1].text == "[" and self.parsed.closing(inner[1] + 1) == last:
                subscript = self.text(inner[1] + 2, last - 1)
                return Place(inner[0].base, sum_text(inner[0].offset, in_sum(node.expr.subscript, subscript)))
        if kind(node) == "BinaryOp" and node.op in ("+", "-"):
            leaf = node
            while kind(leaf) == "BinaryOp" and leaf.op in ("+", "-"):
                leaf = leaf.left
            inner = self._named(leaf, first)
            if inner is not None and tokens[inner[1] + 1].text in ("+", "-"):
                sign = "-" if tokens[inner[1] + 1].text == "-" else ""
                return Place(inner[0].base, sum_text(inner[0].offset, sign + self.text(inner[1] + 2, last)))
        if kind(node) in ("ArrayRef", "StructRef"):
            return Place(self.text(first, last))
        if is_allocation(node):
            raise CannotPort(ALLOCATED, self.parsed.span(node))
        raise CannotPort("a pointer is computed in a way that is not seen through", self.parsed.span(node))

    def _pointers_of(self, first: int, last: int, compound: Any) -> set[str]:
        """The pointers among the variables of a declaration."""
        return {
            each.name for each in compound.block_items or ()
            if kind(each) == "Decl" and first < self.parsed.name_of(each) < last
            and kind(resolved(self.parsed, each.type)) == "PtrDecl"
        }  # fmt: skip

    def _named(self, node: Any, first: int) -> tuple[Place, int] | None:
        """What a pointer named at token `first` points to, and its last token."""
        if kind(node) == "ID" and node.name in self.places and self.parsed.tokens[first].text == node.name:
            return self.places[node.name], first
        if kind(node) == "StructRef" and (key := self.member_name(node)) in self.places:
            return self.places[key], first + 2
        return None

    def _constant(self, node: Any, compound: Any, first: int, last: int, scope_end: int) -> None:
        """What a pointer is computed from must mean the same wherever it is used."""
        if any(kind(each) == "FuncCall" for each in nodes_below(node.init)):
            raise CannotPort(f"a function is called for where `{node.name}` points to", self.parsed.span(node))
        names = {t.text for t in self.parsed.tokens[first : last + 1] if t.kind == "name"}
        begin = self.parsed.name_of(node)
        if declared_names(compound).count(node.name) > 1:
            raise CannotPort(f"several variables are called `{node.name}`", self.parsed.span(node))
        read = _elements_read(node.init, self.flattened)
        own = {id(each) for each in nodes_below(node.init)}  # whose `&` is that of the pointer itself
        for each in nodes_below(compound):
            target: Any = None
            if id(each) in own:
                continue
            if kind(each) == "Assignment":
                target = each.lvalue
            elif kind(each) == "UnaryOp" and each.op in ("++", "--", "p++", "p--", "&"):
                target = each.expr
            elif kind(each) == "Decl" and each.name in names and each is not node:
                target = each
            root = target
            while kind(root) in ("ArrayRef", "StructRef") or (kind(root) == "UnaryOp" and root.op == "*"):
                root = root.name if hasattr(root, "name") else root.expr
            if kind(root) == "ID" and (read if root is not target else set()) & {root.name, "*"}:
                raise CannotPort(
                    f"`{root.name}`, which `{node.name}` is computed from, may change", self.parsed.span(root)
                )
            if kind(target) not in ("ID", "Decl") or target.name not in names:
                continue
            at = self.parsed.name_of(target) if kind(target) == "Decl" else self.parsed.token_of(target, target.name)
            if begin < at < scope_end and not (kind(target) == "Decl" and target.name == node.name):
                raise CannotPort(
                    f"`{target.name}`, which `{node.name}` is computed from, changes", self.parsed.span(target)
                )


def _elements_read(node: Any, flattened: Collection[str]) -> set[str]:
    """The variables of which an element or a member decides where `base + e` or `&base[e]` points to.

    `*` stands for all, where a pointer is followed.  The members of `flattened` structs become parameters, which
    nothing writes.
    """
    found: set[str] = set()
    inner = node.expr if kind(node) == "UnaryOp" and node.op == "&" and kind(node.expr) == "ArrayRef" else node
    for each in nodes_below(inner.subscript if inner is not node else node):
        if kind(each) == "StructRef" and kind(each.name) == "ID" and each.name.name in flattened:
            continue
        root = each
        while kind(root) in ("ArrayRef", "StructRef"):
            root = root.name
        if root is not each and kind(root) == "ID":
            found.add(root.name)
        elif root is not each or (kind(each) == "UnaryOp" and each.op == "*"):
            found.add("*")
    # A row of an array is no element of it: `a[i]` stays where it is whatever is written to it.
    if kind(node) in ("ArrayRef", "StructRef"):
        root = node
        while kind(root) in ("ArrayRef", "StructRef"):
            root = root.name
        found -= {getattr(root, "name", "")}
    return found


def _is_written(node: Any, around: tuple[Any, ...]) -> bool:
    parent = around[0]
    if kind(parent) == "Assignment":
        return parent.lvalue is node
    return kind(parent) == "UnaryOp" and parent.op in ("++", "--", "p++", "p--", "&")


def _decides_a_size(node: Any, around: tuple[Any, ...]) -> bool:
    """Whether a member is part of the condition of a loop or of a subscript."""
    inner = node
    for each in around:
        if kind(each) in LOOPS:
            return inner is each.cond
        if kind(each) == "ArrayRef":
            return inner is each.subscript
        if kind(each) in ("Compound", "FuncCall"):
            return False
        inner = each
    return False


def _is_sized(node: Any) -> bool:
    return kind(node) == "ArrayDecl" and node.dim is not None
