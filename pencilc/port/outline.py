"""Loops of `main` become functions of their own, which are ported as any others.

    double dot = 0;                             double dot = 0;
    for (int i = 0; i < n; i++)                 dot = main_loop1(n, x, y, dot);
        dot += x[i] * y[i];

Neighbouring loops go together, with what stands between them.  Where something cannot stand in a function that is
compiled, such as output, what is inside of it is looked at by itself.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Mapping, Sequence
from typing import Any

from pencilc.frontend.syntax.nodes import LOOPS, nodes_below
from pencilc.frontend.translate.remedies import generated
from pencilc.ir.rewrite import fresh_name
from pencilc.port.counting import breaks, goes_on, parts_of, targets
from pencilc.port.find import FunctionText, definition, holds_loop, text_of
from pencilc.port.marks import above_pragmas, end_of_statement, token_before
from pencilc.port.records import CannotPort, Replacement
from pencilc.port.text import Parsed
from pencilc.port.tree import is_field, is_pointer, kind, names_in, resolved, with_parents
from pencilc.records import dataclass

# What the C library has and a kernel too, beside the functions of math.h.
_CALLED = ("memset", "memcpy", "memmove", "abs", "labs", "llabs")
_JUMPS = {
    "Return": "`main` returns from inside of it", "Goto": "it is left by `goto`", "Label": "a label stands in it",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class LoopFunction:
    """A function made of loops of `main`: its name, the line of the first loop, and the offsets of what it is made of.

    Offsets are those of the text as it was.  `is_repeated`: a loop that stays in `main` calls it.
    """

    name: str
    line: int
    place: tuple[int, int]
    is_repeated: bool


@dataclass(frozen=True, slots=True)
class WithFunctions:
    """The text with the new functions, and the loops that stay in `main`: the line of each, and why."""

    parsed: Parsed
    functions: tuple[LoopFunction, ...]
    staying: tuple[tuple[int, str], ...]


def with_functions_for_loops(parsed: Parsed, refused: Mapping[tuple[int, int], str]) -> WithFunctions:
    """The pass over `main`; what stands at the places `refused` is not made a function as a whole, for these reasons.

    Raises CannotPort where directives or macros hide the parts of `main`.
    """
    return _Main(parsed, text_of(parsed, definition(parsed, "main")), refused).rewritten()


@dataclass(frozen=True, slots=True)
class _HandedOver:
    """The variables of `main` that a function of its loops names, by name: their declarations; those that are `given`,
    of these the `arrays`; those that are `written`, of these the `results`, which are used afterwards.
    """

    declared: Mapping[str, Any]
    given: Sequence[str]
    arrays: Sequence[str]
    written: Sequence[str]
    results: Sequence[str]

    @property
    def is_returned(self) -> bool:
        """Whether the function returns its result: the only one."""
        return len(self.results) == 1


class _Main:
    """The function `main`, and what has been found in it."""

    def __init__(self, parsed: Parsed, function: FunctionText, refused: Mapping[tuple[int, int], str]) -> None:
        self.parsed = parsed
        self.function = function
        self.refused = refused
        self.around = {id(node): around for node, around in with_parents(function.node)}
        self.taken = set(re.findall(r"\w+", parsed.preprocessed.text)) | set(re.findall(r"\w+", parsed.text))
        self.found: list[LoopFunction] = []
        self.staying: dict[int, str] = {}
        self.edits: list[Replacement] = []
        self.texts: list[str] = []
        self.bodies: dict[str, str] = {}

    def rewritten(self) -> WithFunctions:
        """Go through the body."""
        body = self.function.node.body
        self._statements(list(body.block_items or ()))
        if not self.found:
            return WithFunctions(self.parsed, (), tuple(self.staying.items()))
        at = _before_comment(self.parsed, self.parsed.tokens[self.function.start].start)
        self.edits.append(Replacement(at, at, "".join(f"{text}\n\n" for text in self.texts)))
        return WithFunctions(self._with_lines(), tuple(self.found), tuple(self.staying.items()))

    def _with_lines(self) -> Parsed:
        """The new text, in which the lines of the new functions come from those of their loops."""
        made = self.parsed.with_edits(self.edits)
        came_from = list(made.came_from)
        for function, text in zip(self.found, self.texts, strict=True):
            first = made.line_at(made.text.index(text)) - 1
            body = text.index(self.bodies[function.name])
            ahead = text.count("\n", 0, body)
            last = function.line + self.bodies[function.name].count("\n")
            for k in range(text.count("\n") + 1):
                came_from[first + k] = min(max(function.line, function.line + k - ahead), last)
        return Parsed(made.file, made.options, came_from)

    # ---- what goes together ----------------------------------------------------------------------------------

    def _statements(self, items: Sequence[Any]) -> None:
        """Make functions of the loops among statements that follow each other."""
        run: list[Any] = []
        for position, item in enumerate(items):
            why = self._obstacle(item)
            if not why:
                run.append(item)
                continue
            self._run(run, items[position:])
            run = []
            self._inside(item, why)
        self._run(run, ())

    def _inside(self, item: Any, why: str) -> None:
        """Look for loops below a statement that cannot go as a whole."""
        if kind(item) in LOOPS:
            self.staying.setdefault(self.parsed.span(item).line, why)
        if kind(item) == "Compound":
            self._statements(list(item.block_items or ()))
        elif kind(item) in ("If", *LOOPS, "Switch", "Case", "Default", "Label"):
            inner = [item.iftrue, item.iffalse] if kind(item) == "If" else getattr(item, "stmts", None) or [item.stmt]
            for each in inner:
                if each is not None and holds_loop(each):
                    self._inside(each, why) if kind(each) == "Compound" else self._statements([each])

    def _run(self, run: Sequence[Any], behind: Sequence[Any]) -> None:
        """Make a function of statements that follow each other, from the first loop to the last; `behind` follows."""
        looping = [k for k, item in enumerate(run) if holds_loop(item)]
        if not looping:
            return
        behind = [*run[looping[-1] + 1 :], *behind]
        run = run[looping[0] : looping[-1] + 1]
        for position, item in enumerate(run):
            if kind(item) == "Decl" and any(names_in(each, item.name) for each in behind):
                self._run(run[:position], (*run[position:], *behind))
                self._run(run[position + 1 :], behind)
                return
        try:
            place = self._place(run)
            why = self.refused.get(place, "")
            made = None if why else self._function(run, place)
        except CannotPort as reason:
            made, why = None, reason.reason
        if made is not None:
            self.found.append(made)
        elif len(looping) > 1:
            for item in run:
                self._run([item], [each for each in (*run, *behind) if each is not item])
        else:
            self._inside(run[0], why)

    def _obstacle(self, item: Any) -> str:
        """Why a statement cannot be a part of a function that is compiled; empty if it may be."""
        own = {each.name for each in nodes_below(item) if kind(each) == "Decl"}
        for each in nodes_below(item):
            if kind(each) in _JUMPS:
                return _JUMPS[kind(each)]
            if kind(each) == "FuncCall" and not self._may_be_called(each):
                return f"`{getattr(each.name, 'name', 'a function')}` is called in it"
            if kind(each) == "UnaryOp" and each.op == "&" and kind(each.expr) == "ID" and each.expr.name not in own:
                return f"the address of `{each.expr.name}` is taken in it"
        if kind(item) not in (*LOOPS, "Switch") and (breaks(item) or goes_on(item)):
            return "a `break` or `continue` in it ends a loop around it"
        for _, name in targets(item, elements=False):
            declared = None if name in own else self._declaration(item, name)
            if declared is not None and is_pointer(self.parsed, declared.type):
                return f"`{name}` is made to point elsewhere in it"
        return ""

    def _may_be_called(self, call: Any) -> bool:
        name = getattr(call.name, "name", "")
        if kind(call.name) != "ID" or name in _CALLED or definition(self.parsed, name) is not None:
            return kind(call.name) == "ID"
        return any(
            kind(each) == "Decl" and each.name == name and self.parsed.span(each).path.endswith("/math.h")
            for each in self.parsed.tree.ext
        )

    def _declaration(self, node: Any, name: str) -> Any:
        """The declaration in `main` that `name` means at a statement; None if it is none's."""
        for block in self.around[id(node)]:
            inner = list(getattr(block, "block_items", None) or ())
            inner += parts_of(block.init) if kind(block) == "For" and block.init is not None else []
            inner += self.function.node.decl.type.args.params if kind(block) == "FuncDef" and self._has_args() else []
            for each in inner:
                if kind(each) == "Decl" and each.name == name:
                    return each
        return None

    def _has_args(self) -> bool:
        return self.function.node.decl.type.args is not None

    # ---- the function ----------------------------------------------------------------------------------------

    def _place(self, run: Sequence[Any]) -> tuple[int, int]:
        first = above_pragmas(self.parsed, token_before(self.parsed, run[0]))
        last = end_of_statement(self.parsed, run[-1], self.function.end)
        return self.parsed.tokens[first].start, self.parsed.tokens[last].end

    def _function(self, run: Sequence[Any], place: tuple[int, int]) -> LoopFunction:
        """Write the function of a run, and its call; raises CannotPort where a variable cannot be handed over."""
        over = self._handed_over(run)
        name = fresh_name(f"main_loop{len(self.found) + 1}", self.taken)
        pointers = {} if over.is_returned else {each: fresh_name(f"{each}_after", self.taken) for each in over.results}
        by_value = [each for each in over.given if each not in over.arrays and each not in pointers]
        declared = over.declared
        parameters = [self._declared(declared[each], each) for each in (*by_value, *over.arrays)]
        parameters += [self._declared(declared[each], f"*{new}") for each, new in pointers.items()]
        head = f"static {self._returned(over)} {name}({', '.join(parameters) or 'void'})"
        body = self.bodies[name] = self._body(place)
        self.texts.append(f"{head}\n{{\n{self._begun(over, pointers)}{body}\n{self._ended(over, pointers)}}}")
        arguments = [*by_value, *over.arrays, *(f"&{each}" for each in pointers)]
        result = f"{over.results[0]} = " if over.is_returned else ""
        self.edits.append(Replacement(place[0], place[1], f"{result}{name}({', '.join(arguments)});"))
        is_repeated = any(kind(each) in LOOPS for each in self.around[id(run[0])])
        return LoopFunction(name, self.parsed.line_at(place[0]), place, is_repeated)

    def _handed_over(self, run: Sequence[Any]) -> _HandedOver:
        """What goes to the function of a run, and what comes back."""
        variables = self._variables(run)
        changed = {name for item in run for _, name in targets(item, elements=False)}
        # A struct goes by value, its members with it; arrays go by pointer.
        members = {name for item in run for _, name in targets(item)}
        changed |= {name for name in members & variables.keys() if not is_pointer(self.parsed, variables[name].type)}
        written = [name for name in variables if name in changed]
        results = [name for name in written if self._is_used_behind(run, name)]
        given: list[str] = []
        for name in variables:
            is_result = name in results
            is_wanted = name not in written or is_result or _reads_first(run, name)
            if is_wanted and not (is_result and _is_set_first(run, name)):
                given.append(name)
        arrays = [name for name in given if is_pointer(self.parsed, variables[name].type)]
        return _HandedOver(variables, given, arrays, written, results)

    def _returned(self, over: _HandedOver) -> str:
        """The type of what the function returns."""
        return self._declared(over.declared[over.results[0]], "").strip() if over.is_returned else "void"

    def _begun(self, over: _HandedOver, pointers: Mapping[str, str]) -> str:
        """The variables of the function that are no parameters: what it writes, with the value that it is given."""
        found = ""
        for name in over.written:
            if name in pointers or name not in over.given:
                value = f" = *{pointers[name]}" if name in pointers and name in over.given else ""
                found += f"{self._unit}{self._declared(over.declared[name], name)}{value};\n"
        return found

    def _ended(self, over: _HandedOver, pointers: Mapping[str, str]) -> str:
        """What hands the results back."""
        if over.is_returned:
            return f"{self._unit}return {over.results[0]};\n"
        return "".join(f"{self._unit}*{new} = {name};\n" for name, new in pointers.items())

    def _body(self, place: tuple[int, int]) -> str:
        """The text at a place as it stands in the function."""
        start = self.parsed.line_start(place[0])
        indent = self.parsed.indent_at(place[0])
        first = place[0] if self.parsed.text[start : place[0]].strip() else start
        body = textwrap.dedent(f"{indent if first != start else ''}{self.parsed.text[first : place[1]]}")
        return textwrap.indent(body, self._unit)

    @property
    def _unit(self) -> str:
        """What lines of the file are indented by."""
        return "\t" if "\n\t" in self.parsed.text else "    "

    def _variables(self, run: Sequence[Any]) -> dict[str, Any]:
        """The variables that a run names and that are declared around it, with their declarations, integers first."""
        own = {each.name for item in run for each in nodes_below(item) if kind(each) == "Decl"}
        found: dict[str, Any] = {}
        pending = [
            each.name for item in run for each, around in with_parents(item)
            if kind(each) == "ID" and each.name not in own and not is_field(each, around)
        ]  # fmt: skip
        for name in pending:
            declared = self._declaration(run[0], name)
            if declared is None or name in found:
                continue
            found[name] = declared
            # What an extent names is needed too.
            pending += [each.name for each in nodes_below(declared.type) if kind(each) == "ID"]
        return dict(sorted(found.items(), key=lambda pair: not self._is_integer(pair[1])))

    def _is_integer(self, declared: Any) -> bool:
        inner = resolved(self.parsed, declared.type)
        return kind(inner) == "IdentifierType" and not {"float", "double"} & {*inner.names}

    def _declared(self, declared: Any, name: str) -> str:
        """C text of the declaration of a variable or a parameter, without the value and `static`."""
        node = declared.type
        if kind(resolved(self.parsed, node)) in ("Struct", "Union") and name.startswith("*"):
            raise CannotPort(f"`{declared.name}` is a struct that it changes")
        if kind(node) == "ArrayDecl":
            at = self.parsed.name_of(declared) + 1
            dimensions, inner = "", node
            while self.parsed.tokens[at].text == "[":
                closing = self.parsed.closing(at)
                dimensions += self.parsed.slice(at, closing)
                at, inner = closing + 1, inner.type
            if kind(inner) != "TypeDecl":
                raise CannotPort(f"`{declared.name}` is an array of pointers")
            if dimensions.startswith("[]"):
                dimensions = f"[{generated(node.dim) if node.dim is not None else ''}]{dimensions[2:]}"
            return f"{_words(inner)} {name}{dimensions}"
        if kind(node) == "PtrDecl":
            stars, inner = "", node
            while kind(inner) == "PtrDecl":
                stars, inner = f"{stars}*", inner.type
            if kind(inner) == "ArrayDecl" and stars == "*":
                return f"{_words(inner.type)} (*{name})[{generated(inner.dim)}]"
            if stars != "*" or kind(inner) != "TypeDecl":
                raise CannotPort(f"the rows of `{declared.name}` are reached through pointers; use one array")
            return f"{_words(inner)} *{name}"
        return f"{_words(node)} {name}"

    def _is_used_behind(self, run: Sequence[Any], name: str) -> bool:
        """Whether a value that a variable gets in a run may be read behind it, or when it is run again."""
        if any(kind(each) == "Goto" for each in nodes_below(self.function.node.body)):
            return True
        behind: list[Any] = []  # what is gone through next, in this order
        last = run[-1]
        for parent in self.around[id(last)]:
            if kind(parent) == "Compound":
                items = list(parent.block_items or ())
                behind += items[next(k for k, each in enumerate(items) if each is last) + 1 :]
            elif kind(parent) in LOOPS:
                if breaks(parent.stmt) or goes_on(parent.stmt):
                    if _reads_first(behind, name):
                        return True
                    behind = []  # What stands there may be skipped.
                behind += [*parts_of(getattr(parent, "next", None)), parent.cond] if parent.cond is not None else []
                if _reads_first([*behind, parent.stmt], name):
                    return True
            last = parent
        return _reads_first(behind, name)


def _words(node: Any) -> str:
    """The type of a variable, with its qualifiers."""
    return " ".join([*(node.quals or ()), generated(node.type).strip()])


def _begins_with(loop: Any, name: str) -> bool:
    """Whether the head of a `for` gives a variable its value."""
    return any(
        kind(each) == "Assignment" and each.op == "=" and getattr(each.lvalue, "name", "") == name
        and not names_in(each.rvalue, name)
        for each in parts_of(loop.init)
    )  # fmt: skip


def _is_set_first(run: Sequence[Any], name: str) -> bool:
    """Whether the first of the statements that name a variable gives it a value, whatever else happens."""
    first = next(item for item in run if names_in(item, name))
    if kind(first) == "For":
        return _begins_with(first, name)
    is_assigned = kind(first) == "Assignment" and first.op == "=" and getattr(first.lvalue, "name", "") == name
    return is_assigned and not names_in(first.rvalue, name)


def _reads_first(run: Sequence[Any], name: str) -> bool:
    """Whether a run may read a variable before it has given it a value."""
    for item in run:
        if not names_in(item, name):
            continue
        inner = list(item.block_items or ()) if kind(item) == "Compound" else [item]
        if any(names_in(each, name) and _is_set_first([each], name) for each in inner):
            return kind(item) == "Compound" and _reads_first(inner, name)
        if kind(item) == "Compound":
            if _reads_first(inner, name):
                return True
            continue
        if kind(item) == "For" and not any(names_in(e, name) for e in (item.init, item.cond, item.next) if e):
            # With no iteration nothing is read.
            if _reads_first([item.stmt], name):
                return True
            continue
        return True
    return False


def _before_comment(parsed: Parsed, offset: int) -> int:
    """The offset of the comment that stands right in front of a function, or of the function itself."""
    start = parsed.line_start(offset)
    text = parsed.text[:start]
    while text:
        line = text.rstrip("\n").rpartition("\n")[2]
        if text.endswith("*/\n"):
            text = text[: text.rfind("/*")]
        elif line.lstrip().startswith("//") and not text.endswith("\n\n"):
            text = text[: len(text.rstrip("\n")) - len(line)]
        else:
            break
    return parsed.line_start(len(text)) if len(text) < start else start
