"""What no clause says of a loop: its updates as the builtins of `pencil.h`, with the functions that these need, or
without the `break` that ends it.

    acc = add(acc, mul(x[i], y[i]));        __pencil_reduction(&acc, mul(x[i], y[i]), add);
    ok = ok && a[i] > 0;                    __pencil_reduction(&all, (a[i] > 0) != 0, both);     ok = ok && all;
    if (a[i] == x) found = 1;               if (a[i] == x) __pencil_reduction(&any, 1, either);  if (any) found = 1;
    if (a[i] > best) {                      if (a[i] > best)
        best = a[i];                            __pencil_reduction(&found, place_of(a[i], i), better_place);
        where = i;                          if (found.i != INT_MAX) { best = found.best; where = found.i; }
    }
    if (a[i] == key) {                      if (!found && (a[i] == key)) {
        at = i;                                 found = 1;
        break;                                  at = i;
    }                                       }

Each of these is one `Reduced`: edits of the text in which it was found, and what they take for granted.  Executed in
the order of the source they do what the function did.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from pencilc.frontend.syntax.nodes import LOOPS, nodes_below
from pencilc.frontend.translate.remedies import generated
from pencilc.ir.rewrite import fresh_name
from pencilc.port.find import FunctionText, definition, helpers_of, holds_loop, text_of
from pencilc.port.marks import end_of_statement
from pencilc.port.records import CannotPort, PortChanges, Replacement, Step
from pencilc.port.text import Parsed
from pencilc.port.tree import (
    declared_names,
    has_effects,
    kind,
    names_in,
    root_name,
    with_parents,
)
from pencilc.records import dataclass

# The largest values of counters, by their types; what is no counter's type is not here.
LARGEST = {
    "int": "2147483647", "long": "9223372036854775807L", "unsigned": "4294967295u", "unsigned int": "4294967295u",
    "size_t": "(size_t)-1", "int64_t": "9223372036854775807", "int32_t": "2147483647",
}  # fmt: skip
_SMALLEST = {"int": "-2147483647 - 1", "int32_t": "-2147483647 - 1", "long": "-9223372036854775807L - 1"}
# What a search for the largest or for the smallest value starts from: (of the largest, of the smallest).
_ENDS = {
    "float": ("-INFINITY", "INFINITY"), "double": ("-INFINITY", "INFINITY"),
    "int": ("-2147483647 - 1", "2147483647"), "int32_t": ("-2147483647 - 1", "2147483647"),
    "unsigned": ("0", "4294967295u"), "unsigned int": ("0", "4294967295u"), "uint32_t": ("0", "4294967295u"),
    "unsigned char": ("0", "255"), "uint8_t": ("0", "255"),
    "long": ("-9223372036854775807L - 1", "9223372036854775807L"),
}  # fmt: skip
_NARROW = frozenset((
    "char", "signed char", "unsigned char", "short", "unsigned short", "int", "int8_t", "uint8_t", "int16_t",
    "uint16_t", "int32_t",
))  # fmt: skip
_UNSIGNED = frozenset(("unsigned", "unsigned int", "uint32_t"))
_LONG = frozenset(("long", "int64_t"))
# Of what types the operands of a value may be, so that it is compared and added in the type that it is kept in.
_KEPT_EXACTLY = {
    "int": _NARROW, "int32_t": _NARROW, "unsigned": _NARROW | _UNSIGNED, "unsigned int": _NARROW | _UNSIGNED,
    "uint32_t": _NARROW | _UNSIGNED, "long": _NARROW | _LONG, "float": _NARROW | _UNSIGNED | _LONG | {"float"},
    "double": _NARROW | _UNSIGNED | _LONG | {"float", "double"},
}  # fmt: skip
_INCLUDE = "#include <pencil.h>\n"


@dataclass(frozen=True, slots=True)
class Reduced:
    """One update, or several of one search, as builtins: the functions needed in front, edits, words about them."""

    functions: str
    edits: tuple[Replacement, ...]
    step: Step
    promise: str


def reduced_updates(parsed: Parsed, name: str) -> list[Reduced]:
    """Everything in the function `name` that the builtins can say."""
    function = text_of(parsed, definition(parsed, name))
    return list(_Updates(parsed, function).found())


def with_reductions(parsed: Parsed, name: str, chosen: Sequence[Reduced]) -> PortChanges:
    """The change that writes those; what two of them need alike is written once."""
    function = text_of(parsed, definition(parsed, name))
    needed = "".join(dict.fromkeys(each.functions for each in chosen))
    at = _above_comments(parsed, parsed.line_start(parsed.tokens[function.start].start))
    edits = [Replacement(at, at, needed), *(edit for each in chosen for edit in each.edits)]
    is_builtin = any("__pencil" in edit.new for edit in edits)
    if is_builtin and not re.search(r"#[ \t]*include[ \t]*[<\"]pencil\.h[>\"]", parsed.text):
        first = re.search(r"^[ \t]*#[ \t]*include\b", parsed.text[:at], re.M)
        top = _above_comments(parsed, parsed.line_start(parsed.tokens[0].start))
        place = top if first is None else first.start()
        if place == at:
            edits[0] = Replacement(at, at, f"{_INCLUDE}\n{needed}")
        else:
            edits.append(Replacement(place, place, _INCLUDE if first is not None else f"{_INCLUDE}\n"))
    promises = tuple(dict.fromkeys(each.promise for each in chosen if each.promise))
    return PortChanges(tuple(edits), tuple(each.step for each in chosen), promises)


@dataclass(frozen=True, slots=True)
class _Search:
    """`if (V < best) { best = V; where = i; }`: the nodes, the loops around with their counters, outermost first."""

    statement: Any
    value: Any
    best: str
    others: tuple[tuple[str, str], ...]  # what else is set, and the counter that it is set to
    loops: tuple[Any, ...]
    counters: tuple[tuple[str, str], ...]  # name and type
    is_largest: bool
    is_last: bool  # of equal ones the last one wins


class _Updates:
    """The updates of one function."""

    def __init__(self, parsed: Parsed, function: FunctionText) -> None:
        self.parsed = parsed
        self.function = function
        self.body = function.node.body
        self.declared = declared_names(function.node)
        self.taken = set(re.findall(r"\w+", parsed.text)) | set(re.findall(r"\w+", parsed.preprocessed.text))
        self.shared: dict[str, str] = {}  # the names of functions that two updates need alike, by their texts

    def found(self) -> Iterator[Reduced]:
        """Each update that one of the forms fits; what comes from a macro is left."""
        for node, around in with_parents(self.body):
            try:
                made = self._update(node, around)
            except CannotPort:
                continue
            if made is not None:
                yield made

    def _update(self, node: Any, around: tuple[Any, ...]) -> Reduced | None:
        if kind(node) == "If":
            return self._flag(node, around) or self._first(node, around) or self._best(node, around)
        if kind(node) != "Assignment" or kind(around[0]) not in ("Compound", "For", "If"):
            return None
        if node.op == "=" and kind(node.rvalue) == "FuncCall":
            return self._operator(node, around)
        if node.op == "=" and kind(node.rvalue) == "BinaryOp" and node.rvalue.op in ("&&", "||"):
            return self._logical(node, around)
        return None

    # ---- one form after the other ----------------------------------------------------------------------------

    def _operator(self, node: Any, around: tuple[Any, ...]) -> Reduced | None:
        """`s = f(s, e)`, where `s` starts from a constant, which has to be the identity."""
        called = getattr(node.rvalue.name, "name", "")
        operator = definition(self.parsed, called)
        arguments = [] if node.rvalue.args is None else list(node.rvalue.args.exprs)
        if kind(node.lvalue) != "ID" or operator is None or len(arguments) != 2:
            return None
        if any(holds_loop(definition(self.parsed, each).body) for each in (called, *helpers_of(self.parsed, called))):
            return None  # Whether it keeps the contract is not seen from values.
        name = node.lvalue.name
        sides = [k for k, each in enumerate(arguments) if kind(each) == "ID" and each.name == name]
        if len(sides) != 1 or names_in(arguments[1 - sides[0]], name):
            return None
        declared = self._declaration(name)
        loop = self._outermost(around, [node], {name})
        if declared is None or loop is None or (start := self._start(declared, loop)) is None:
            return None
        ctype = type_text(declared.type)
        opening = self.parsed.token_of(node.rvalue.name, called) + 1
        place = self.parsed.parts(opening, self.parsed.closing(opening))[1 - sides[0]]
        text = f"static void @({ctype} *result)\n{{\n    {ctype} start = {start};\n    *result = start;\n}}\n"
        init, functions = self._shared(f"{called}_nothing", text)
        call = f"__pencil_reduction(&{name}, {self.parsed.slice(*place)}, {called})"
        return Reduced(
            _together(functions),
            (self._in_front(loop, f"__pencil_reduction_var_init(&{name}, {init});"), self._instead(node, call)),
            self._step(node, f"`{name}` depends on the order in which `{called}` is called", "`__pencil_reduction`"),
            f"`{called}` may combine its operands in any order and grouping",
        )

    def _logical(self, node: Any, around: tuple[Any, ...]) -> Reduced | None:
        """`ok = ok && e` and `any = any || e`."""
        value = node.rvalue
        if kind(node.lvalue) != "ID" or kind(value.left) != "ID" or value.left.name != node.lvalue.name:
            return None
        name = node.lvalue.name
        loop = self._outermost(around, [node], {name})
        if names_in(value.right, name) or loop is None or has_effects(value.right):
            return None
        declared = self._declaration(name)
        if declared is None or self._start(declared, loop) not in ("0", "1"):
            return None  # Where there is no iteration, another value would stay as it is.
        is_all = value.op == "&&"
        result, init, both, functions = self._flag_of(is_all)
        at, last = self._tokens(node, name)
        if [token.text for token in self.parsed.tokens[at + 1 : at + 5]] != ["=", name, *value.op]:
            return None
        text = f"({self.parsed.slice(at + 5, last)}) != 0"
        return Reduced(
            functions,
            (
                self._in_front(loop, f"int {result};\n__pencil_reduction_var_init(&{result}, {init});"),
                self._instead(node, f"__pencil_reduction(&{result}, {text}, {both})"),
                self._behind(loop, f"{name} = {name} {value.op} {result};"),
            ),
            self._step(node, f"`{name}` decides what is looked at next", "all are looked at, by `__pencil_reduction`"),
            f"what `{name}` is computed from may be looked at in every iteration",
        )

    def _flag(self, node: Any, around: tuple[Any, ...]) -> Reduced | None:
        """`if (c) found = 1;`, where that is all that a loop does; a `break` behind it goes."""
        items = items_of(node.iftrue)
        if node.iffalse is not None or not items or kind(items[0]) != "Assignment" or items[0].op != "=":
            return None
        first = items[0]
        ends = len(items) == 2 and kind(items[1]) == "Break"
        if kind(first.lvalue) != "ID" or kind(first.rvalue) != "Constant" or (len(items) > 1 and not ends):
            return None
        name = first.lvalue.name
        if names_in(node.cond, name) or has_effects(node.cond):
            return None
        loop = self._outermost(around, [first], {name})
        innermost: Any = next((each for each in around if kind(each) in LOOPS), None)
        if loop is None or (ends and (loop is not innermost or items_of(innermost.stmt) != [node])):
            return None
        result, init, either, functions = self._flag_of(is_all=False)
        cond, indent = self._condition(node)
        call = f"if {cond}\n{indent}    __pencil_reduction(&{result}, 1, {either});"
        promise = f"what `{name}` is computed from may be looked at in every iteration" if ends else ""
        return Reduced(
            functions,
            (
                self._in_front(loop, f"int {result};\n__pencil_reduction_var_init(&{result}, {init});"),
                self._instead_of_if(node, call),
                self._behind(loop, f"if ({result})\n    {name} = {first.rvalue.value};"),
            ),
            self._step(node, f"`{name}` is set in one of the iterations", "`__pencil_reduction`"),
            promise,
        )

    def _first(self, node: Any, around: tuple[Any, ...]) -> Reduced | None:
        """`if (c) { at = i; …; break; }`, and that is all that a loop does: the first one of all."""
        items = items_of(node.iftrue)
        if node.iffalse is not None or len(items) < 2 or kind(items[-1]) != "Break" or has_effects(node.cond):
            return None
        items = items[:-1]
        if not _set_variables(items) or any(has_effects(each.rvalue) for each in items):
            return None
        loop: Any = next((each for each in around if kind(each) in LOOPS), None)
        # A counter that is declared in front of the loop may be looked at behind it.
        if kind(loop) != "For" or kind(loop.init) != "DeclList" or items_of(loop.stmt) != [node]:
            return None
        steers = [part for part in (loop.cond, loop.next) if part is not None]
        if any(names_in(part, each.lvalue.name) for part in steers for each in items):
            return None  # The loop would go on with it.
        found = fresh_name("found", self.taken)
        cond, indent = self._condition(node)
        places = [self._tokens(each, each.lvalue.name) for each in items]
        lines = [f"{found} = 1;", *(f"{self.parsed.slice(*place)};" for place in places)]
        body = "".join(f"{indent}    {line}\n" for line in lines)
        first = items[0].lvalue.name
        return Reduced(
            "",
            (
                self._in_front(loop, f"int {found} = 0;"),
                self._instead_of_if(node, f"if (!{found} && {cond}) {{\n{body}{indent}}}"),
            ),
            self._step(node, "a `break` ends the loop", f"`{found}`: `{first}` is that of the first one"),
            "what comes behind the first one that is found may be looked at too",
        )  # fmt: skip

    def _best(self, node: Any, around: tuple[Any, ...]) -> Reduced | None:
        """The smallest or largest value together with where it stands."""
        search = self._search(node, around)
        if search is None:
            return None
        declared = self._declaration(search.best)
        ctype = "" if declared is None else type_text(declared.type)
        if not self._is_kept(search.value, ctype):
            return None
        at_types = [each for _, each in search.counters]
        ends_of_counters = _SMALLEST if search.is_last else LARGEST
        if ctype not in _ENDS or any(each not in ends_of_counters for each in at_types):
            return None
        found = fresh_name(f"{search.best}_found", self.taken)
        stem = self.function.name.removesuffix("_sized")
        struct, nothing, make, better = (
            fresh_name(f"{stem}_{each}", self.taken) for each in ("place", "nowhere", "place_at", "better")
        )
        names = [name for name, _ in search.counters]
        members = "".join(f"    {each} {name};\n" for name, each in search.counters)
        parameters = ", ".join(f"{each} {name}" for name, each in search.counters)
        sets = "".join(f"    place.{name} = {name};\n" for name in names)
        none = "".join(f"    place->{name} = {ends_of_counters[each]};\n" for name, each in search.counters)
        end = _ENDS[ctype][0 if search.is_largest else 1]
        sign, order = (">" if search.is_largest else "<"), (">" if search.is_last else "<")
        tie = _first_of(names, order)
        functions = (
            f"struct {struct} {{\n    {ctype} value;\n{members}}};\n\n"
            f"static void {nothing}(struct {struct} *place)\n{{\n    place->value = {end};\n{none}}}\n\n"
            f"static struct {struct} {make}({ctype} value, {parameters})\n{{\n    struct {struct} place;\n"
            f"    place.value = value;\n{sets}    return place;\n}}\n\n"
            f"static struct {struct} {better}(struct {struct} a, struct {struct} b)\n{{\n"
            f"    return b.value {sign} a.value || (b.value == a.value && {tie}) ? b : a;\n}}\n\n"
        )
        cond, indent = self._condition(node)
        value = generated(search.value)
        call = f"if {cond}\n{indent}    __pencil_reduction(&{found}, {make}({value}, {', '.join(names)}), {better});"
        loop = search.loops[0]
        last_counter = f"{found}.{names[-1]} != {ends_of_counters[at_types[-1]]}"
        taken = f"    {search.best} = {found}.value;\n"
        taken += "".join(f"    {name} = {found}.{counter};\n" for name, counter in search.others)
        what = "largest" if search.is_largest else "smallest"
        return Reduced(
            functions,
            (
                self._in_front(loop, f"struct {struct} {found};\n__pencil_reduction_var_init(&{found}, {nothing});"),
                self._instead_of_if(node, call),
                self._behind(loop, f"if ({last_counter}) {{\n{taken}}}"),
            ),
            self._step(
                node, f"`{search.best}` and what belongs to it are set together",
                f"`__pencil_reduction` looks for the {what} value and its place",
            ),
            "",
        )  # fmt: skip

    def _search(self, node: Any, around: tuple[Any, ...]) -> _Search | None:
        """The parts of a search; None if a statement is none."""
        cond, items = node.cond, items_of(node.iftrue)
        if node.iffalse is not None or kind(cond) != "BinaryOp" or cond.op not in ("<", ">", "<=", ">="):
            return None
        if len(items) < 2 or not _set_variables(items):
            return None
        set_to = {item.lvalue.name: item.rvalue for item in items}
        sides = [(cond.left, cond.right, cond.op in (">", ">=")), (cond.right, cond.left, cond.op in ("<", "<="))]
        for value, best, is_largest in sides:
            if kind(best) != "ID" or best.name not in set_to or has_effects(value):
                continue
            if generated(set_to[best.name]) != generated(value) or names_in(value, best.name):
                continue
            own = [*items, cond]
            loop = self._outermost(around, own, set(set_to))
            if loop is None:
                return None
            loops = tuple(reversed([each for each in around[: around.index(loop) + 1] if kind(each) == "For"]))
            counters = [counter_of(each, self.function.node) for each in loops]
            known = [each for each in counters if each is not None]
            others = tuple((name, getattr(e, "name", "")) for name, e in set_to.items() if name != best.name)
            if len(known) != len(counters) or any(other not in dict(known) for _, other in others):
                return None
            is_last = cond.op in ("<=", ">=")
            return _Search(node, value, best.name, others, loops, tuple(known), is_largest, is_last)
        return None

    # ---- what the forms share --------------------------------------------------------------------------------

    def _flag_of(self, is_all: bool) -> tuple[str, str, str, str]:
        """The names of a new flag, of its init function and operator, and the texts of these."""
        first, second, sign = ("yes", "both", "&&") if is_all else ("no", "either", "||")
        init, start = self._shared(first, f"static void @(int *flag) {{ *flag = {int(is_all)}; }}\n")
        operator, text = self._shared(second, f"static int @(int a, int b) {{ return a {sign} b; }}\n")
        flag = fresh_name("all" if is_all else "any", self.taken)
        return flag, init, operator, _together(start, text)

    def _shared(self, wanted: str, text: str) -> tuple[str, str]:
        """The name of a function that several updates need alike, and its text, empty where the file has it already.

        `@` stands for the name in the text.
        """
        if text.replace("@", wanted) in self.parsed.text:
            return wanted, ""
        if text not in self.shared:
            self.shared[text] = fresh_name(wanted, self.taken)
        name = self.shared[text]
        return name, text.replace("@", name)

    def _declaration(self, name: str) -> Any:
        """The declaration of a local variable that is the only one of its name; None if there is none."""
        if self.declared.count(name) != 1:
            return None
        for each in nodes_below(self.body):
            if kind(each) == "Decl" and each.name == name and kind(each.type) == "TypeDecl":
                return each
        return None

    def _is_kept(self, node: Any, ctype: str) -> bool:
        """Whether an expression has the type `ctype` wherever it is compared or added to a variable of that type."""
        if kind(node) in ("ArrayRef", "ID", "StructRef"):
            found = self._types_of(node)
            if ctype in ("unsigned char", "uint8_t"):
                return found == {ctype}
            return bool(found) and found <= _KEPT_EXACTLY.get(ctype, frozenset())
        if kind(node) == "Constant" and ctype in _KEPT_EXACTLY:
            return ctype == "double" or node.type == "int" or (ctype == "float" and node.value[-1:] in "fF")
        if kind(node) == "BinaryOp" and node.op in ("+", "-", "*", "/"):
            return ctype in _KEPT_EXACTLY and self._is_kept(node.left, ctype) and self._is_kept(node.right, ctype)
        if kind(node) == "UnaryOp" and node.op in ("-", "+"):
            return ctype in _KEPT_EXACTLY and self._is_kept(node.expr, ctype)
        return False

    def _types_of(self, node: Any) -> set[str]:
        """The types that a variable, an element or a member may have; members go by their names."""
        inner = node
        while kind(inner) == "ArrayRef":
            inner = inner.name
        is_member = kind(inner) == "StructRef"
        name = inner.field.name if is_member else getattr(inner, "name", "")
        found: set[str] = set()
        for each in nodes_below(self.parsed.tree if is_member else self.function.node):
            if kind(each) == "Decl" and each.name == name:
                ctype = each.type
                while kind(ctype) in ("ArrayDecl", "PtrDecl"):
                    ctype = ctype.type
                found.add(type_text(ctype))
        return found

    def _start(self, declared: Any, loop: Any) -> str | None:
        """The constant that a variable has when a loop begins, as text; None if it has none."""
        start: str | None = None
        for node, around in with_parents(self.body):
            if node is loop:
                return start
            if node is declared:
                start = None if node.init is None or not is_constant(node.init) else _value(node.init)
            elif kind(node) == "Assignment" and root_name(node.lvalue) == declared.name:
                is_whole = kind(node.lvalue) == "ID" and node.op == "=" and kind(around[0]) == "Compound"
                start = _value(node.rvalue) if is_whole and is_constant(node.rvalue) else None
            elif kind(node) == "UnaryOp" and node.op in ("++", "--", "p++", "p--", "&"):
                start = None if root_name(node.expr) == declared.name else start
        return None

    def _outermost(self, around: tuple[Any, ...], own: Sequence[Any], names: set[str]) -> Any:
        """The outermost loop in which nothing but `own` names the variables; None if there is none."""
        allowed = {id(each) for node in own for each in nodes_below(node)}
        if any(self.declared.count(name) > 1 for name in names):
            return None
        chosen: Any = None
        for each in around:
            if kind(each) == "Compound":
                if any(kind(i) == "Decl" and i.name in names for i in each.block_items or ()):
                    break
            elif kind(each) == "For":
                if any(id(n) not in allowed for name in names for n in names_in(each, name)):
                    break
                chosen = each
            elif kind(each) in LOOPS:
                break
        return chosen

    # ---- text ------------------------------------------------------------------------------------------------

    def _tokens(self, node: Any, name: str) -> tuple[int, int]:
        """The tokens of an assignment that is a statement, without its `;`."""
        target: Any = node.lvalue
        while kind(target) == "StructRef":
            target = target.name
        at = self.parsed.token_of(target, name)
        return at, self.parsed.semicolon(at) - 1

    def _instead(self, node: Any, call: str) -> Replacement:
        at, last = self._tokens(node, root_name(node.lvalue))
        return Replacement(self.parsed.tokens[at].start, self.parsed.tokens[last].end, call)

    def _condition(self, node: Any) -> tuple[str, str]:
        """The condition of an `if` with its parentheses, and what its line is indented by."""
        at = self.parsed.token_of(node, "if")
        cond = self.parsed.slice(at + 1, self.parsed.closing(at + 1))
        return cond, self.parsed.indent_at(self.parsed.tokens[at].start)

    def _instead_of_if(self, node: Any, text: str) -> Replacement:
        """Text in the place of a whole `if`."""
        at = self.parsed.token_of(node, "if")
        last = end_of_statement(self.parsed, node, self.function.end)
        return Replacement(self.parsed.tokens[at].start, self.parsed.tokens[last].end, text)

    def _in_front(self, loop: Any, text: str) -> Replacement:
        """Statements in front of a loop, which has to stand in a block."""
        at = self.parsed.tokens[self._first_token(loop)].start
        indent = self.parsed.indent_at(at)
        lines = "".join(f"{line}\n{indent}" for line in text.split("\n"))
        return Replacement(at, at, lines)

    def _behind(self, loop: Any, text: str) -> Replacement:
        at = self.parsed.tokens[self._first_token(loop)].start
        indent = self.parsed.indent_at(at)
        end = self.parsed.tokens[end_of_statement(self.parsed, loop, self.function.end)].end
        lines = "".join(f"\n{indent}{line}" for line in text.split("\n"))
        return Replacement(end, end, lines)

    def _first_token(self, loop: Any) -> int:
        """The token of a loop that stands in a block, without a pragma of its own; raises CannotPort."""
        in_block = any(kind(n) == "Compound" and loop in (n.block_items or ()) for n in nodes_below(self.body))
        at = self.parsed.token_of(loop, "for")
        before = self.parsed.tokens[at - 1]
        if not in_block or (before.kind == "pragma" and "pencil" in before.text):
            raise CannotPort("the loop does not stand in a block of its own")
        return at

    def _step(self, node: Any, obstacle: str, change: str) -> Step:
        return Step(self.parsed.span(node).line, obstacle, change)


def counter_of(loop: Any, function: Any) -> tuple[str, str] | None:
    """The counter of a loop that goes up by one, and its type; None for another loop."""
    step = loop.next
    if kind(step) != "UnaryOp" or step.op.strip("p") != "++" or kind(step.expr) != "ID":
        return None
    name = step.expr.name
    for each in nodes_below(function):
        if kind(each) == "Decl" and each.name == name and kind(each.type) == "TypeDecl":
            return name, type_text(each.type)
    return None


def type_text(node: Any) -> str:
    """A type as C text, without qualifiers."""
    return " ".join(generated(node.type).split())


def items_of(node: Any) -> list[Any]:
    """The statements of a block, or the one that stands without braces."""
    return list(node.block_items or ()) if kind(node) == "Compound" else [node]


def _set_variables(items: Sequence[Any]) -> bool:
    """Whether each of some statements is `x = e;`."""
    return all(kind(i) == "Assignment" and i.op == "=" and kind(i.lvalue) == "ID" for i in items)


def _together(*texts: str) -> str:
    """Functions with an empty line behind them."""
    whole = "".join(texts)
    return f"{whole}\n" if whole else ""


def _value(node: Any) -> str:
    """What a variable starts from, as text."""
    return f"{{{generated(node)}}}" if kind(node) == "InitList" else generated(node)


def is_constant(node: Any) -> bool:
    """Whether an expression is made of constants alone."""
    allowed = ("Constant", "UnaryOp", "InitList", "NamedInitializer")
    if kind(node) == "NamedInitializer":
        return is_constant(node.expr)
    if kind(node) == "InitList":
        return all(is_constant(each) for each in node.exprs)
    return all(kind(each) in allowed for each in nodes_below(node))


def _first_of(names: Sequence[str], order: str) -> str:
    """Whether `b` comes before `a` in the order of the iterations: the outermost counter decides first."""
    name = names[0]
    if len(names) == 1:
        return f"b.{name} {order} a.{name}"
    return f"(b.{name} {order} a.{name} || (b.{name} == a.{name} && {_first_of(names[1:], order)}))"


def _above_comments(parsed: Parsed, offset: int) -> int:
    """The beginning of the comments that stand directly in front of what begins at an offset."""
    while True:
        before = parsed.text[:offset].rstrip()
        if parsed.text[len(before) : offset].count("\n") > 1:
            return offset
        line = before.rpartition("\n")[2]
        if before.endswith("*/") and (start := before.rfind("/*")) >= 0:
            offset = parsed.line_start(start)
        elif line.lstrip().startswith("//"):
            offset = len(before) - len(line)
        else:
            return offset
