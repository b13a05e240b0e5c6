"""`pencilc port`: every function of a file, and the report about it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from pencilc.diagnostics.diagnostic import CompilerBug
from pencilc.diagnostics.source import SourceFile, Span
from pencilc.driver import frontend_options
from pencilc.frontend.regions.classify import called_below
from pencilc.frontend.syntax.nodes import nodes_below
from pencilc.options import CompileOptions
from pencilc.port.check import Checked, Verdict, run_both, run_programs
from pencilc.port.compiled import judge
from pencilc.port.find import definition, helpers_of, is_marked, small_helpers, text_of, with_loops
from pencilc.port.function import Attempt, port_function
from pencilc.port.outline import LoopFunction, WithFunctions, with_functions_for_loops
from pencilc.port.promises import broken_promise
from pencilc.port.records import CannotPort, Ported, PortedFunction, Replacement, Step
from pencilc.port.text import Parsed
from pencilc.verify.errors import BuildFailed
from pencilc.verify.inputs import meant

_MAIN = "it is the program itself, which stays on the host"


class NoSuchFunction(Exception):
    """A function was asked for that the file does not have, or that holds no loop."""


def port(
    file: SourceFile, options: CompileOptions, only: Sequence[str] = (),
    sizes: Mapping[str, tuple[int, ...]] | None = None,
) -> Ported:  # fmt: skip
    """Port the functions of `file` that hold loops, or those of them in `only`, and run both programs.

    They are run with `sizes` for the integer parameters called so, and with others of our own for the rest.
    A function that does not compute the same, or whose extents do not hold, is left as it was.  Raises SourceErrors
    where the file is no C, NoSuchFunction, ToolMissing without gcc.
    """
    parsed = Parsed(file, frontend_options(options))
    names = [node.decl.name for node in with_loops(parsed)]
    for name in only:
        if name not in names:
            raise NoSuchFunction(f"`{file.path}` has no function `{name}` with a loop{meant(name, names)}")
    left: dict[str, CannotPort] = {}
    positive: dict[str, tuple[str, ...]] = {}
    refused: dict[tuple[int, int], str] = {}
    alone: frozenset[str] = frozenset()
    without_rows: frozenset[str] = frozenset()
    while True:
        program = _with_program(parsed, names, only, refused)
        session = _Session(program, parsed, options, only, left, positive, alone, sizes or {}, without_rows)
        session.run()
        if kept := session.kept_loops():
            # The loops are looked at one by one then, and have other names.
            refused |= {each.place: reason for each, reason in kept}
            made = {each.name for each in program.functions}
            left = {name: reason for name, reason in left.items() if name not in made}
            positive = {name: zeros for name, zeros in positive.items() if name not in made}
            continue
        if useless := session.useless():
            alone |= useless
            left |= {name: reason for name, reason in session.reasons(useless).items() if name not in useless}
            continue
        verdicts = session.verdicts()
        # A function that goes wrong by itself where a size is 0 may not be called with that.
        needed = {each.name: each.zeros for each in verdicts if each.zeros and each.name not in positive}
        positive |= needed
        wrong = {each.name: _wrong(each) for each in verdicts if each.difference}
        # Rows that overlap are no rows: then the last one tells how large an array is.
        overlapping = {each.name for each in verdicts if each.breaks_promise} - without_rows
        without_rows |= overlapping
        left |= {name: reason for name, reason in wrong.items() if name not in needed and name not in overlapping}
        if not wrong:
            return session.ported(verdicts)


def _with_program(
    parsed: Parsed, names: Sequence[str], only: Sequence[str], refused: Mapping[tuple[int, int], str]
) -> WithFunctions:
    """The text in which the loops of `main` are functions, where it is to be ported."""
    if "main" not in names or (only and "main" not in only):
        return WithFunctions(parsed, (), ())
    try:
        return with_functions_for_loops(parsed, refused)
    except CannotPort as reason:
        line = 1 if reason.span is None else reason.span.line
        return WithFunctions(parsed, (), ((line, reason.reason),))


def _wrong(verdict: Verdict) -> CannotPort:
    """Why a function is left that does not run, or not the same."""
    helps = ("if it takes some sizes alone, as powers of two, say which: `--sizes n=1,2,64`",)
    return CannotPort(verdict.difference, None, helps if verdict.is_of_before else ())


def _left(name: str, reason: CannotPort, span: Span) -> PortedFunction:
    """A function that stays as it is."""
    return PortedFunction(name, reason.span or span, "left", reason.reason, helps=reason.helps)


class _Session:
    """The functions of a file one by one; `left` are not tried, `positive` has sizes that are at least 1.

    `alone` are `static` functions of which no caller is ported, so that they are kernels of their own; of those in
    `without_rows` the program hands over arrays whose rows overlap.
    """

    def __init__(
        self, program: WithFunctions, file: Parsed, options: CompileOptions, only: Sequence[str],
        left: Mapping[str, CannotPort], positive: Mapping[str, tuple[str, ...]], alone: frozenset[str],
        sizes: Mapping[str, tuple[int, ...]], without_rows: frozenset[str],
    ) -> None:  # fmt: skip
        self.program = program
        self.file = file
        before = program.parsed
        self.before = before
        self.options = options
        self.small = small_helpers(before)
        self.names = [node.decl.name for node in with_loops(before)]
        self.asked = frozenset(only)
        program_names = {"main", *(each.name for each in program.functions)} if program.functions else set()
        self.only = frozenset({*(only or self.names), *program_names})
        self.left = left
        self.positive = positive
        self.alone = alone
        self.sizes = sizes
        self.without_rows = without_rows
        self.now = before
        self.functions: list[PortedFunction] = []
        self.attempts: list[Attempt] = []
        self.failed: dict[str, CannotPort] = {}

    def run(self) -> None:
        """Port each function, callees before their callers where the file has them in this order."""
        for name in self._in_order():
            if name in self.small:
                self._small_helper(name)
            elif name in self.only and name != "main":
                self.functions.append(self._function(name))
        if "main" in self.only and (main := definition(self.before, "main")) is not None:
            self.functions.append(self._main(self.before.users_span(self.before.span(main.decl))))
        for name, diagnostic in self.before.syntax.opaque.items():
            if diagnostic.span.path == self.before.file.path and not self.asked:
                reason = f"its body is no C99: {diagnostic.message}"
                self.functions.append(PortedFunction(name, diagnostic.span, "left", reason))
        self._without_unused_wrappers()

    def _in_order(self) -> list[str]:
        """The functions that are looked at, in the order of the file."""
        wanted = {*self.names, *(name for name in self.small if name not in self.alone)}
        return [each.decl.name for each in self.before.tree.ext
                if type(each).__name__ == "FuncDef" and each.decl.name in wanted]  # fmt: skip

    def _small_helper(self, name: str) -> None:
        """Port a function without loops for those that call it; where that fails they say so."""
        if name in self.left:
            return
        try:
            attempt = port_function(self.now, name, self.options, {}, True)
        except CannotPort:
            return
        if attempt.parsed.text != self.now.text:
            self.now = attempt.parsed
            self.attempts.append(attempt)
            self.functions.append(attempt.function)

    def _function(self, name: str) -> PortedFunction:
        node = definition(self.before, name)
        span = self.before.span(node.decl)
        if name in self.left:
            return _left(name, self.left[name], span)
        new = next((each for each in called_below(node.body) if re.fullmatch(rf"{name}_sized\w*", each)), "")
        if new and (found := definition(self.before, new)) is not None and is_marked(found):
            return PortedFunction(name, span, "ready")  # the wrapper of an earlier port
        is_helper = self._is_helper(node)
        if is_marked(node):
            marked = tuple(each.decl.name for each in with_loops(self.now) if is_marked(each))
            if is_helper or judge(self.now.file, name, marked, self.options).error is None:
                return PortedFunction(name, span, "ready")
        heads = {each.function.name: each.head for each in self.attempts if each.head.wrapper}
        try:
            positive = self.positive.get(name, ())
            in_rows = name not in self.without_rows
            attempt = port_function(self.now, name, self.options, heads, is_helper, positive, in_rows)
        except CannotPort as reason:
            self.failed[name] = reason
            return _left(name, reason, span)
        if attempt.parsed.text == self.now.text:
            return replace(attempt.function, status="ready")
        self.now = attempt.parsed
        self.attempts.append(attempt)
        return attempt.function

    def _main(self, span: Span | None) -> PortedFunction:
        """What becomes of the program itself."""
        assert span is not None
        steps = tuple(
            Step(each.line, "it stands in `main`, which stays on the host", f"`{each.name}`, a function of its own")
            for each in self.program.functions
        )
        staying = [f"the loop at line {line} stays: {why}" for line, why in self.program.staying]
        if not steps:
            return PortedFunction("main", span, "left", "; ".join([_MAIN, *staying]))
        repeated = [
            f"a loop calls `{each.name}`, which copies arrays each time: `{each.name}_device` takes those of the GPU"
            for each in self.program.functions if each.is_repeated
        ]  # fmt: skip
        return PortedFunction("main", span, "ported", "", "main", steps, (), (*staying, *repeated))

    def kept_loops(self) -> list[tuple[LoopFunction, str]]:
        """The loops of `main` that are not compiled as a function, or would be slower for it, and why."""
        left = {each.name: each.reason for each in self.functions if each.status == "left"}
        left |= {each.function.name: "nothing in it can run at once" for each in self.attempts if each.is_slow}
        return [(each, left[each.name]) for each in self.program.functions if each.name in left]

    def _is_helper(self, node: Any) -> bool:
        """Whether a function is called by nobody but functions that are ported themselves."""
        name = node.decl.name
        if "static" not in node.decl.storage or name in self.alone:
            return False
        callers = [
            each.decl.name for each in self.before.tree.ext
            if type(each).__name__ == "FuncDef" and name in called_below(each.body)
        ]  # fmt: skip
        return bool(callers) and all(caller in self.names and caller not in ("main", name) for caller in callers)

    def useless(self) -> frozenset[str]:
        """The changed helpers that no ported function calls."""
        ported = [each.head.name for each in self.attempts if each.function.status == "ported"]
        called = {name for each in ported for name in helpers_of(self.now, each)}
        called |= {name for each in self.attempts for name in each.copied}
        return frozenset(
            each.function.name for each in self.attempts
            if each.function.status == "helper" and each.head.name not in called
        )  # fmt: skip

    def reasons(self, unchanged: frozenset[str]) -> dict[str, CannotPort]:
        """Why functions are left, with the old names of those that will be unchanged."""
        new_names = {each.head.name: each.function.name for each in self.attempts if each.function.name in unchanged}
        found: dict[str, CannotPort] = {}
        for name, reason in self.failed.items():
            text = reason.reason
            for new, old in new_names.items():
                text = text.replace(f"`{new}`", f"`{old}`")
            found[name] = CannotPort(text, reason.span, reason.helps)
        return found

    def _without_unused_wrappers(self) -> None:
        """A `static` function that nobody calls any more goes."""
        for attempt in self.attempts:
            name = attempt.function.name
            node = definition(self.now, name)
            if not attempt.head.wrapper or "static" not in node.decl.storage:
                continue
            uses = sum(type(n).__name__ == "ID" and n.name == name for n in nodes_below(self.now.tree))
            if not uses:
                start = self.now.text.find(attempt.head.wrapper)
                self.now = self.now.with_edits([Replacement(start, start + len(attempt.head.wrapper), "")])
                if attempt.function.status == "helper":
                    self._without(attempt.head.name)
        for node in list(self.before.tree.ext):
            is_static = type(node).__name__ == "FuncDef" and "static" in node.decl.storage
            if is_static and "inline" not in node.decl.funcspec and self.before.is_in_file(node.decl):
                self._without_unused(node.decl.name)

    def _without_unused(self, name: str) -> None:
        """Take out a function of which every call has become something else."""
        before, now = (
            sum(type(n).__name__ == "ID" and n.name == name for n in nodes_below(parsed.tree))
            for parsed in (self.before, self.now)
        )
        if before and not now:
            self._without(name)

    def _without(self, name: str) -> None:
        """Take out a function that nothing names."""
        node = definition(self.now, name)
        if node is None or any(type(n).__name__ == "ID" and n.name == name for n in nodes_below(self.now.tree)):
            return
        place = text_of(self.now, node)
        start, end = self.now.tokens[place.start].start, self.now.tokens[place.end].end
        self.now = self.now.with_edits([Replacement(start, self.now.after_space(end), "")])

    # ---- checks ----------------------------------------------------------------------------------------------

    def verdicts(self) -> list[Verdict]:
        """What running both programs shows."""
        if not self.attempts:
            return []
        functions = [
            Checked(each.function.name, each.head.name, each.flattened, each.handed, each.asked, each.strings)
            for each in self.attempts
            if each.function.status == "ported"
        ]
        try:
            verdicts = run_both(self.before, self.now, functions, self.options, self.sizes)
        except BuildFailed as error:
            return [self._blamed(error)]
        if not any(each.difference for each in verdicts):
            new_names = {each.head.name: each.function.name for each in self.attempts}
            broken = broken_promise(self.now, list(new_names), self.options)
            if broken is not None:
                told = f"the program calls it where this does not hold: `{broken.promise}`"
                verdicts.append(Verdict(new_names[broken.function], 0, told, breaks_promise=True))
        return verdicts

    def _blamed(self, error: BuildFailed) -> Verdict:
        """The function that gcc does not take any more; raises BuildFailed if it is none of the ported ones."""
        for said, line in re.findall(r"^(.*?:(\d+):\d+: error: .*)$", error.output, re.M):
            for attempt in self.attempts:
                for name in (attempt.head.name, attempt.function.name):
                    node = definition(self.now, name)
                    place = None if node is None else text_of(self.now, node)
                    if place is None:
                        continue
                    first, last = (self.now.line_at(self.now.tokens[k].start) for k in (place.start, place.end))
                    if first <= int(line) <= last:
                        message = said.partition("error: ")[2]
                        return Verdict(attempt.function.name, 0, f"the change is no C for gcc: {message}")
        raise error

    def ported(self, verdicts: Sequence[Verdict]) -> Ported:
        """The record of it all."""
        told = [f"`{each.name}`: {each.calls} calls leave the same bytes behind" for each in verdicts]
        if definition(self.before, "main") is not None and self.now.text != self.file.text:
            verdict = run_programs(self.file.file, self.now.file, self.options)
            if not verdict.is_same:
                raise CompilerBug(verdict.told)
            told.append(verdict.told)
        wrappers = tuple(each.head.wrapper for each in self.attempts if each.head.wrapper in self.now.text)
        return Ported(self.file.file.path, self.file.text, self.now.text, tuple(self.functions), tuple(told), wrappers)
