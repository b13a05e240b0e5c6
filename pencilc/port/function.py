"""One function through all passes, each of which makes a text of the whole file from another one."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, replace
from functools import partial

from pencilc.diagnostics.diagnostic import Diagnostic
from pencilc.frontend.regions.classify import called_below
from pencilc.frontend.syntax.nodes import nodes_below
from pencilc.ir.scop import Candidate
from pencilc.options import CompileOptions
from pencilc.port.allocated import without_allocations
from pencilc.port.clauses import with_plain_clauses
from pencilc.port.compiled import Judged, judge
from pencilc.port.computed_sizes import whole_quotients, without_computed_sizes
from pencilc.port.find import definition, helpers_of, is_marked, text_of, with_loops
from pencilc.port.globals import Handed, without_globals
from pencilc.port.guards import without_guards
from pencilc.port.inlined import with_inlined_helpers
from pencilc.port.library import with_own_functions
from pencilc.port.macros import without_macro_around, without_macros
from pencilc.port.marks import Sum, in_tree, sums_of, with_clauses, with_region
from pencilc.port.old_heads import without_old_head
from pencilc.port.optional import OptionalValues, without_optional_values
from pencilc.port.parameters import Around, NewHead, small_sizes, starts_of_loops, with_sized_arrays
from pencilc.port.parts import with_parts
from pencilc.port.pointers import Flattened, without_pointers
from pencilc.port.records import ALLOCATED, CannotPort, HiddenByMacro, PortChanges, PortedFunction, Replacement, Step
from pencilc.port.reduced import Reduced, reduced_updates, with_reductions
from pencilc.port.rows_apart import with_rows_apart
from pencilc.port.searches import with_one_return
from pencilc.port.single_values import single_values
from pencilc.port.statements import with_plain_statements
from pencilc.port.strings import Strings, without_measuring
from pencilc.port.swaps import without_swaps
from pencilc.port.text import Parsed
from pencilc.port.tree import is_allocation
from pencilc.port.walking import without_walking
from pencilc.port.whiles import with_for_loops
from pencilc.port.wide import with_wide_sizes
from pencilc.records import dataclass


@dataclass(frozen=True, slots=True)
class Attempt:
    """The text with one more function ported, and what was done; `head` is that of the function that is compiled.

    `is_slow`: one GPU thread runs all of it; `copied` are helpers that it calls copies of;
    `asked` has of each pointer that may be NULL the parameter that says whether it is there.
    """

    parsed: Parsed
    function: PortedFunction
    head: NewHead
    flattened: tuple[Flattened, ...] = ()
    handed: tuple[Handed, ...] = ()
    is_slow: bool = False
    copied: tuple[str, ...] = ()
    asked: Mapping[str, str] = field(default_factory=dict)
    strings: Mapping[str, str] = field(default_factory=dict)


@dataclass(slots=True)
class _Work:
    """The text between passes, and what is told: with lines of the user's file."""

    parsed: Parsed
    steps: list[Step] = field(default_factory=list)
    promises: list[str] = field(default_factory=list)

    def copy(self) -> _Work:
        """The same, to be changed apart from this one."""
        return _Work(self.parsed, list(self.steps), list(self.promises))

    def take(self, made: PortChanges) -> None:
        for step in made.steps:
            self.steps.append(replace(step, line=self.parsed.users_line(step.line)))
        self.promises += [promise for promise in made.promises if promise not in self.promises]
        if made.edits:
            self.parsed = self.parsed.with_edits(made.edits)


def port_function(
    parsed: Parsed, name: str, options: CompileOptions, heads: Mapping[str, NewHead], is_helper: bool,
    positive: Sequence[str] = (), in_rows: bool = True,
) -> Attempt:  # fmt: skip
    """Port the function `name` of a text; raises CannotPort with a place in the user's file.

    `heads` are the new functions by the names of those that call them now.  A helper is not marked: it is compiled with
    the functions that call it.  `positive` are sizes that are promised to be at least 1; `in_rows`: that rows of arrays
    do not overlap may be promised, and that their parts fill them.
    """
    try:
        return _attempted(_Work(parsed), name, options, heads, is_helper, positive, in_rows)
    except HiddenByMacro:
        written = without_macros(parsed, text_of(parsed, definition(parsed, name)))
        if not written.edits:
            raise
        work = _Work(parsed)
        work.take(written)
        return _attempted(work, name, options, heads, is_helper, positive, in_rows)


def _attempted(
    work: _Work, name: str, options: CompileOptions, heads: Mapping[str, NewHead], is_helper: bool,
    positive: Sequence[str], in_rows: bool,
) -> Attempt:  # fmt: skip
    try:
        return _ported(work, name, options, heads, is_helper, positive, in_rows)
    except HiddenByMacro as reason:
        raise HiddenByMacro(reason.reason, work.parsed.users_span(reason.span)) from reason
    except CannotPort as reason:
        raise CannotPort(reason.reason, work.parsed.users_span(reason.span), reason.helps) from reason


def _ported(
    work: _Work, name: str, options: CompileOptions, heads: Mapping[str, NewHead], is_helper: bool,
    positive: Sequence[str], in_rows: bool,
) -> Attempt:  # fmt: skip
    marked = tuple(node.decl.name for node in with_loops(work.parsed) if is_marked(node))
    work.take(with_calls(work.parsed, name, heads))
    node = definition(work.parsed, name)
    span = work.parsed.users_span(work.parsed.span(node.decl))
    assert span is not None
    if name in called_below(node.body):
        raise CannotPort("it calls itself", work.parsed.span(node.decl))
    work.take(without_macro_around(work.parsed, name))
    node = definition(work.parsed, name)
    was_marked = is_marked(node)
    work.take(without_old_head(work.parsed, node))
    while (inlined := with_inlined_helpers(work.parsed, text_of(work.parsed, definition(work.parsed, name)))).edits:
        work.take(inlined)
    node = definition(work.parsed, name)
    globals_ = without_globals(work.parsed, text_of(work.parsed, node))
    work.take(globals_.changes)
    node = definition(work.parsed, name)
    guards = without_guards(work.parsed, text_of(work.parsed, node), is_helper)
    work.take(guards.changes)
    optional = OptionalValues(PortChanges(()))
    strings = Strings(PortChanges(()))
    if not is_helper:
        strings = without_measuring(work.parsed, text_of(work.parsed, definition(work.parsed, name)))
        work.take(strings.changes)
        optional = without_optional_values(work.parsed, text_of(work.parsed, definition(work.parsed, name)))
    work.take(optional.changes)
    allocated = without_allocations(work.parsed, text_of(work.parsed, definition(work.parsed, name)))
    work.take(allocated.changes)
    work.take(with_one_return(work.parsed, text_of(work.parsed, definition(work.parsed, name))))
    work.take(with_own_functions(work.parsed, name))
    work.take(with_plain_clauses(work.parsed, text_of(work.parsed, definition(work.parsed, name))))
    work.take(without_swaps(work.parsed, text_of(work.parsed, definition(work.parsed, name))))
    work.take(without_walking(work.parsed, text_of(work.parsed, definition(work.parsed, name))))
    work.take(with_for_loops(work.parsed, text_of(work.parsed, definition(work.parsed, name))))
    kept = single_values(work.parsed, name) if is_helper else frozenset()
    body = without_pointers(work.parsed, text_of(work.parsed, definition(work.parsed, name)), kept)
    work.take(body.changes)
    copied: list[str] = []
    waiting = [name]
    while waiting:
        parts = with_parts(work.parsed, text_of(work.parsed, definition(work.parsed, waiting.pop())))
        work.take(parts.changes)
        copied += parts.copied
        waiting += parts.made
    for helper in (name, *helpers_of(work.parsed, name)):
        place = text_of(work.parsed, definition(work.parsed, helper))
        own = helper == name
        flattened, handed = (body.flattened, globals_.handed) if own else ((), ())
        work.take(with_plain_statements(work.parsed, place, flattened, handed))
    divided = without_computed_sizes(work.parsed, text_of(work.parsed, definition(work.parsed, name)))
    work.take(divided.changes)
    place = text_of(work.parsed, definition(work.parsed, name))
    lines = "\n".join(filter(None, (guards.text, strings.before, optional.before, allocated.before)))
    on_host = "allocates memory" if allocated.head else "asks for NULL" if optional.head else ""
    on_host = on_host or ("measures strings" if strings.head else "")
    absent = {array: optional.asked[array] for array in optional.arrays}
    old_head = strings.head or optional.head or allocated.head
    around = Around(lines, allocated.behind, old_head, allocated.counts, on_host, absent, strings.lengths)
    sized = partial(
        with_sized_arrays,
        work.parsed,
        place,
        body.flattened,
        around,
        positive,
        globals_.handed,
        kept=kept,
        in_rows=in_rows,
    )
    bare = work.copy()
    head = sized(divided.sizes)
    work.take(head.changes)
    if is_helper:
        function = PortedFunction(name, span, "helper", "", head.name, tuple(work.steps), tuple(work.promises))
        return Attempt(work.parsed, function, head, body.flattened, globals_.handed, copied=tuple(copied))
    starts, small = starts_of_loops(place), small_sizes(place)
    whole = whole_quotients(divided.sizes) if in_rows else []
    assumed: list[_Work] = []
    for conditions in [starts] * bool(starts) + [[*starts, *small]] * bool(small) + [[*starts, *whole]] * bool(whole):
        assumed.append(bare.copy())
        assumed[-1].take(sized(divided.sizes, conditions).changes)
    compiled = partial(_compiled, name=head.name, marked=marked, options=options, was_marked=was_marked)
    work, judged = _with_promises(work, head, compiled, assumed)
    if judged.error is not None:
        raise CannotPort(judged.error.message, judged.error.span, judged.error.remedies)
    place = text_of(work.parsed, definition(work.parsed, head.name))
    if not was_marked and "#pragma scop" in work.parsed.slice(place.start, place.end):
        line = work.parsed.users_line(place.span.line)
        work.steps.append(Step(line, "nothing says that it is compiled", "`#pragma scop` around its loops"))
    _comment(work, head.name)
    remarks = [_slow(each) for each in judged.slow]
    if not judged.is_entry:
        host = "its loops are compiled, and what stands around them stays on the host"
        remarks.append(f"{host}: `pencilc verify` compares it through a `main` that calls it")
    order = sorted(work.steps, key=lambda step: step.line)
    function = PortedFunction(
        name, span, "ported", "", head.name, tuple(order), tuple(work.promises), tuple(dict.fromkeys(remarks))
    )
    is_slow = 0 < len(judged.kernels) <= len(judged.slow)
    return Attempt(work.parsed, function, head, body.flattened, globals_.handed, is_slow, tuple(copied), optional.asked,
                   strings.lengths)  # fmt: skip


def _slow(told: Diagnostic) -> str:
    """What one thread runs and why, with what can be done about it where that is known."""
    reason = told.message.partition("(")[2].rpartition(")")[0] or (*told.notes, told.message)[0]
    known = ("running sum", "-fassociative-math")
    ways = [re.sub("^or,? ", "", each) for each in told.helps if any(word in each for word in known)]
    return "; ".join([f"one GPU thread runs a part of it: {reason}", *ways])


def _with_promises(
    work: _Work, head: NewHead, compiled: Callable[[_Work], Judged], assumed: Sequence[_Work]
) -> tuple[_Work, Judged]:
    """Compile the function; what one thread would run is tried with more promises, which stay where they help.

    `assumed` are the texts in which more is promised about sizes.
    """
    before = work.copy()
    judged = compiled(work)
    for text in assumed:
        trial = text.copy()
        if judged.slow and (reached := compiled(trial)).is_better(judged):
            before, work, judged = text, trial, reached
    for change in (with_wide_sizes, with_rows_apart):
        made = change(before.parsed, text_of(before.parsed, definition(before.parsed, head.name)))
        if not judged.slow or not head.wrapper or not made.edits:
            continue
        changed = before.copy()
        changed.take(made)
        trial = changed.copy()
        if (reached := compiled(trial)).is_better(judged):
            before, work, judged = changed, trial, reached
    return work, judged


def _compiled(work: _Work, name: str, marked: tuple[str, ...], options: CompileOptions, was_marked: bool) -> Judged:
    """Say what is compiled, and write sums as reductions where that helps."""
    judged = _marked(work, name, marked, options, was_marked)
    return _with_builtins(work, name, marked, options, judged)


# ---- pragmas -----------------------------------------------------------------------------------------------


def _marked(work: _Work, name: str, marked: tuple[str, ...], options: CompileOptions, was_marked: bool) -> Judged:
    """Mark the function, with the clauses that leave the least to one thread and to loops on the host."""
    plain = work.parsed
    whole = plain if was_marked else plain.with_edits(with_region(plain, text_of(plain, definition(plain, name))))
    others = tuple(each for each in marked if each != name)
    first = judge(whole.file, name, others, options)
    for ahead, behind in ((True, False), (False, True), (True, True)):
        if was_marked or first.error is not None or first.is_entry:
            break
        # What stands in front of the loops, or behind them, may be compiled too.
        wider = plain.with_edits(with_region(plain, text_of(plain, definition(plain, name)), ahead, behind))
        reached = judge(wider.file, name, others, options)
        if reached.error is None and reached.is_entry and reached.badness <= first.badness:
            whole, first = wider, reached
    work.parsed = whole
    if first.error is not None or not first.candidates:
        return first
    choices = _choices(whole, name, first.candidates)
    best: tuple[Parsed, Judged, tuple[Sum, ...]] = (whole, first, ())
    for sums in choices:
        for base in (plain, whole) if plain is not whole else (whole,):
            made = base.with_edits(with_clauses(base, in_tree(base, sums)))
            judged = judge(made.file, name, others, options)
            if judged.error is None:
                break
        if judged.error is not None or (best[2] and judged.badness >= best[1].badness):
            continue
        # Where nothing else is made of the function a clause is no use.
        is_used = judged.kernels != first.kernels or judged.badness != first.badness
        if is_used and judged.badness <= first.badness:
            best = (made, judged, tuple(sums))
        if best[1].badness == (0, 0):
            break
    work.parsed = best[0]
    _promise_sums(work, whole, best[2])
    return best[1]


def _with_builtins(work: _Work, name: str, marked: tuple[str, ...], options: CompileOptions, judged: Judged) -> Judged:
    """Write updates that no clause is for as builtins, where less is left to one thread and to loops on the host."""
    if judged.error is not None or judged.badness == (0, 0):
        return judged
    others = tuple(each for each in marked if each != name)
    updates = reduced_updates(work.parsed, name)
    alone = [[each] for each in updates] if len(updates) > 1 else []
    best: tuple[list[Reduced], Judged] | None = None
    for chosen in [updates, *alone] if updates else []:
        try:
            made = work.parsed.with_edits(with_reductions(work.parsed, name, chosen).edits)
        except CannotPort:
            continue
        reached = judge(made.file, name, others, options)
        so_far = judged.badness if best is None else best[1].badness
        if reached.error is None and not reached.is_doubtful and reached.badness < so_far:
            best = (chosen, reached)
    if best is None:
        return judged
    work.take(with_reductions(work.parsed, name, best[0]))
    return best[1]


def _choices(whole: Parsed, name: str, candidates: Sequence[Candidate]) -> list[list[Sum]]:
    """The sums to give a clause, in the order in which they are tried: all, those of no inner loop, the others."""
    sums = sums_of(whole, definition(whole, name), candidates, is_called=False)
    for helper in helpers_of(whole, name):
        if not is_marked(definition(whole, helper)):
            sums += sums_of(whole, definition(whole, helper), candidates, is_called=True)
    if not sums:
        return []
    outer = [each for each in sums if each.depth == 0]
    inner = [each for each in sums if each.depth > 0]
    return [sums, outer, inner] if outer and inner else [sums]


def _promise_sums(work: _Work, whole: Parsed, sums: Sequence[Sum]) -> None:
    """Say what the clauses promise."""
    names = list(dict.fromkeys((each.what, each.operator) for each in sums))
    for variable, operator in names:
        what = {"+": "added up", "*": "multiplied"}.get(operator, "compared")
        work.promises.append(f"`{variable}` may be {what} in any order")
    for each in sums:
        line = whole.users_line(each.line)
        obstacle = f"another order of `{each.what}` changes its rounding"
        if all(step.obstacle != obstacle for step in work.steps):
            work.steps.append(Step(line, obstacle, f"`reduction({each.operator}: {each.name})`"))


def _comment(work: _Work, name: str) -> None:
    """Put the promises in front of the function."""
    if not work.promises:
        return
    function = text_of(work.parsed, definition(work.parsed, name))
    start = work.parsed.line_start(work.parsed.tokens[function.start].start)
    lines = [promise.replace("`", "") for promise in work.promises]
    if len(lines) == 1:
        comment = f"/* Promised to pencilc: {lines[0]}. */\n"
    else:
        comment = "/* Promised to pencilc:\n" + "".join(f" * - {line};\n" for line in lines[:-1])
        comment += f" * - {lines[-1]}. */\n"
    before = work.parsed.text[:start].rstrip(" \t")
    comment = comment if not before or before.endswith(("\n\n", "*/\n")) or _ends_comment(before) else f"\n{comment}"
    work.parsed = work.parsed.with_edits([Replacement(start, start, comment)])


def _ends_comment(text: str) -> bool:
    """Whether the last line of a text is a comment, which belongs to what follows."""
    return text.rstrip().rpartition("\n")[2].lstrip().startswith("//")


def _in_terms_of(given: Mapping[str, str], argument: str) -> str:
    """An argument, which is an expression of parameters, for a call with given arguments."""
    if argument.startswith("*") and given.get(argument[1:], "").startswith("&"):
        return given[argument[1:]][1:]  # `*&k`
    return re.sub(r"[A-Za-z_]\w*", lambda match: f"({given[match[0]]})" if match[0] in given else match[0], argument)


def with_calls(parsed: Parsed, name: str, heads: Mapping[str, NewHead]) -> PortChanges:
    """The text in which `name` calls new functions itself, not the wrappers around them."""
    node = definition(parsed, name)
    edits: list[Replacement] = []
    steps: list[Step] = []
    for each in nodes_below(node.body):
        called = getattr(each.name, "name", "") if type(each).__name__ == "FuncCall" else ""
        head = heads.get(called)
        if head is None or not head.arguments:
            continue
        if head.on_host:
            raise CannotPort(f"`{called}` {head.on_host}, which only the host can", parsed.span(each))
        at = parsed.token_of(each.name, called)
        closing = parsed.closing(at + 1)
        parameters = [p.name for p in text_of(parsed, definition(parsed, called)).parameters]
        given = {p: parsed.slice(*place) for p, place in zip(parameters, parsed.parts(at + 1, closing), strict=True)}
        if any(re.search(r"->|[.\[?]", argument) for argument in head.arguments):
            allocation = next(filter(is_allocation, nodes_below(node.body)), None)
            if allocation is not None:
                raise CannotPort(ALLOCATED, parsed.span(allocation))
            is_struct = any("->" in argument or "." in argument for argument in head.arguments)
            why = (
                "takes a struct that holds pointers" if is_struct else "finds out how large its arrays are, on the host"
            )
            raise CannotPort(f"`{called}` {why}", parsed.span(each))
        # What is no parameter is a global.
        arguments = ", ".join(given.get(argument) or _in_terms_of(given, argument) for argument in head.arguments)
        edits.append(Replacement(parsed.tokens[at].start, parsed.tokens[closing].end, f"{head.name}({arguments})"))
        steps.append(
            Step(parsed.span(each).line, f"`{called}` does not say how large its arrays are", f"`{head.name}`")
        )
    return PortChanges(tuple(edits), tuple(steps))
