"""What was not mapped to many threads is told, and tuning data that fits nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from collections.abc import Sequence as Seq
from dataclasses import replace

import islpy as isl

from pencilc import islx, quotas
from pencilc.diagnostics.causes import NOT_AFFINE, NOT_PARALLEL, OUT_OF_BOUNDS, told_at
from pencilc.diagnostics.diagnostic import Diagnostic, Label, Severity
from pencilc.diagnostics.source import Span
from pencilc.gpu.report.sums import plain_sums
from pencilc.ir.mapping import NOTHING_PARALLEL, TOO_LONG, HostLoop, MappedProgram, kernels_of, loops_of
from pencilc.ir.queries import ends_by_data, holds_while_around_loops, root
from pencilc.ir.schedule import Band, Sequence, Tree, statements_of
from pencilc.ir.scop import FROM_OTHERS, READ_ON_THE_WAY, Candidate, Loop, OperatorKind, Scop, StatementKind
from pencilc.ir.shapes import Kernel
from pencilc.ir.source import Assign, Call, Declare, For, Function, Index, Name, Node, While, walk
from pencilc.ir.source_printer import print_expr
from pencilc.options import CompileOptions
from pencilc.parts.part import leaves_loop
from pencilc.records import dataclass

# Warnings that say already that a loop is kept sequential, and why.
_SAYS_SO = ("PC0302", "PC0306")
_ONE_THREAD = "nothing is parallel here: one GPU thread runs it"
# Iterations, and sizes, of which a promise is worth it.
_MANY = 64
_SELECTIONS = (OperatorKind.MIN.value, OperatorKind.MAX.value)


def sequential_warnings(
    program: MappedProgram, functions: tuple[Function, ...], before: Seq[Diagnostic], candidates: Seq[Candidate]
) -> Iterator[Diagnostic]:
    """PC0701 for every kernel in which one thread runs loops, those inside statements and helpers included.

    `before`: what has been said; a loop that is spoken of there is not told again.  `candidates`: the plain updates
    of the region; where one of them is only kept in order for its rounding, how to allow another order is told.
    """
    told = frozenset((d.span.path, d.span.line) for d in before if d.code in _SAYS_SO)
    looping = _looping(functions)
    for kernel in program.kernels():
        if kernel.is_parallel or _is_private_form(program.scop, kernel):
            continue
        inner = "" if kernel.body is None else _inner_loop(program.scop, kernel.body, looping, told)
        if kernel.body is None or inner or _has_loop(kernel.body):
            warning = _not_parallel(program, kernel, inner, before, candidates)
            if warning is not None:
                yield warning


def _is_private_form(scop: Scop, kernel: Kernel) -> bool:
    """Whether the loops of the kernel run only where arrays of all iterations would take too much memory.

    The report tells that.
    """
    loops = {each.iterator.name for each in scop.region.private if each.most}
    names = () if kernel.body is None else statements_of(kernel.body)
    others = [name for name in names if not any(loop.iterator.name in loops for loop in scop.statement(name).loops)]
    return len(others) < len(names) and not any(scop.statement(name).loops for name in others)


def _not_parallel(
    program: MappedProgram, kernel: Kernel, inner: str, before: Seq[Diagnostic], candidates: Seq[Candidate]
) -> Diagnostic | None:
    """PC0701 for a kernel in which one thread runs loops; None where all has been said `before`.

    `inner`: why the first loop inside of one of its statements is not in the model.
    """
    scop = program.scop
    reason = kernel.reason or inner or "each iteration needs the one before it"
    names = statements_of(kernel.body) if kernel.body is not None else tuple(s.name for s in scop.statements)
    span = scop.region.span if kernel.body is None else min(scop.statement(n).span for n in names)
    holding = _holding(program, names)
    ordered = _ordered_sums(scop, names, candidates, holding)
    changed = _rounded(ordered)
    other = _holding(program, names, frozenset(map(_root_of, ordered))) if ordered else None
    if other is not None and other.is_certain and other.is_exact:
        # Sums in another order would not help.
        holding, ordered = other, []
    if ordered and kernel.reason in ("", NOTHING_PARALLEL):
        reason = _changed_by_order(changed)
        if holding is not None and holding.name not in {_root_of(c) for c in changed}:
            holding, span = None, changed[0].span  # What is told stands in the way as well.
    elif kernel.reason == NOTHING_PARALLEL:
        reason = "no loop has iterations that do not need each other"
    cause = None
    if holding is not None and not holding.is_exact:
        if told_at(before, OUT_OF_BOUNDS, holding.label.span):
            return None  # It is told there which subscript is meant.
        cause = told_at(before, NOT_AFFINE, holding.label.span)
    if cause is not None and kernel.reason in ("", NOTHING_PARALLEL) and not ordered:
        reason = cause.message
    note = "the results are right, but it will be slow"
    helps = tuple(dict.fromkeys(way for c in ordered for way in c.ways)) or _ways_out(scop, names, holding, candidates)
    if holding is not None and not ordered and (promise := _promise(program, names, holding.loop)):
        promised = (
            f"if sizes keep its iterations apart, promise that in front of the loops: `__pencil_assume({promise});`"
        )
        helps = (promised, *(f"or, {_without_or(each)}" for each in helps))
    if kernel.reason == TOO_LONG:
        helps = ("put its loops into several functions that the host calls one after the other: each is a region then",)
    return Diagnostic(
        Severity.WARNING,
        NOT_PARALLEL,
        f"{_ONE_THREAD} ({reason})",
        span if holding is None else holding.label.span,
        "" if holding is None else holding.label.text,
        secondary=() if cause is None else cause.secondary,
        notes=(note,) if holding is None else (holding.note, note),
        helps=helps if cause is None else _with_helps_of(cause, helps),
        fixes=tuple(dict.fromkeys(made for c in ordered for made in c.fixes)),
    )


def _with_helps_of(cause: Diagnostic, helps: tuple[str, ...]) -> tuple[str, ...]:
    """`helps`, and behind the first what would help with the one access that is the cause, and is not said there."""
    known = {_without_or(each) for each in helps}
    others = (_without_or(each) for each in cause.helps)
    return (*helps[:1], *(f"or, {each}" for each in others if each not in known), *helps[1:])


def _without_or(text: str) -> str:
    """What can be done, where it is not the first thing that is told."""
    return text.removeprefix("or, ").removeprefix("or ")


def better_on_host(program: MappedProgram, told: Seq[Diagnostic]) -> tuple[Diagnostic, ...]:
    """Why no kernel of a region that nobody has marked is worth its launch, as errors; none where one is parallel.

    `told`: what `sequential_warnings` says of the region.
    """
    if any(kernel.is_parallel for kernel in program.kernels()):
        return ()
    would = _ONE_THREAD.replace("runs", "would run")
    return tuple(
        replace(d, severity=Severity.ERROR, message=d.message.replace(_ONE_THREAD, would))
        for d in told
        if d.code == NOT_PARALLEL
    )


def in_each_round(program: MappedProgram, functions: tuple[Function, ...]) -> tuple[Diagnostic, ...]:
    """Loops that one thread would run in each round of a loop that data end, or with all its rounds, as errors."""
    scop, looping = program.scop, _looping(functions)
    rounds = (loop for loop in loops_of(program.items) if _is_left(scop, loop))
    in_rounds = {kernel.name for loop in rounds for kernel in kernels_of(loop.items)}
    found: list[Diagnostic] = []
    for kernel in program.kernels():
        if kernel.is_parallel:
            continue
        names = statements_of(kernel.body) if kernel.body is not None else tuple(s.name for s in scop.statements)
        bodies = [body for name in names if (body := scop.statement(name).body) is not None]
        is_slow = any(map(holds_while_around_loops, bodies))
        if kernel.name in in_rounds and kernel.body is not None:
            inner = _inner_loop(scop, kernel.body, looping, frozenset())
            is_slow = is_slow or bool(inner) or _has_loop(kernel.body)
        if is_slow:
            span = min(scop.statement(name).span for name in names)
            found.append(Diagnostic(Severity.ERROR, NOT_PARALLEL, "one GPU thread would run this in each round", span))
    return tuple(found)


def _is_left(scop: Scop, loop: HostLoop) -> bool:
    """Whether data end the loop on the host."""
    bodies = [kernel.body for kernel in kernels_of(loop.items)]
    return leaves_loop(scop, (name for body in bodies if body is not None for name in statements_of(body)))


def _ways_out(
    scop: Scop, names: tuple[str, ...], holding: _Holding | None, candidates: Seq[Candidate]
) -> tuple[str, ...]:
    """What can be done about a dependence that is no sum, between the statements `names`."""
    if holding is None:
        return ()
    name, loop = holding.name, holding.loop
    counter = loop.iterator.spelling
    independent = (
        "if no two iterations touch the same element, write `#pragma pencil independent` before the loop over "
        f"`{counter}`"
    )
    marked = _marked_inside(scop, names)
    if marked is not None:
        inner, condition = marked.iterator.spelling, _in_its_range(marked)
        independent = (
            f"`independent` before the loop over `{inner}` has no effect, because data decide its bounds: let it go "
            f"through all values that `{inner}` may have, and ask `if ({condition})` in it"
        )
    others = f"if the values of before the loop will do, let it read `{name}` and write another array"
    if not holding.is_array:
        others = f"if `{name}` can be computed from `{counter}` alone, do so in each iteration"
    accumulates = (
        f"if `{name}` only accumulates, use `__pencil_reduction`, or write the pragma with `reduction(op: {name})`"
    )
    if any(c.refused in (READ_ON_THE_WAY, FROM_OTHERS) and _root_of(c) == name for c in candidates):
        accumulates = (
            "if it is a running sum: of few elements each can add up those before it, in a loop of its own; of many, "
            "call `thrust::inclusive_scan` between two regions"
        )
    elif _is_updated_until_data_end_it(scop, names, name):
        accumulates = (
            f"if `{name}` only accumulates, let the loop around its updates be a `for` with the most rounds there "
            "may be, and what is in it stand under the condition: then they are a reduction"
        )
    return (others if holding.is_certain else independent, f"or, {accumulates}",
            "or, if it is to be so, run it on the host, or keep the warning away with `-Wno-not-parallel`")  # fmt: skip


def _marked_inside(scop: Scop, statements: tuple[str, ...]) -> For | None:
    """The outermost loop that is marked `independent`, and inside of a statement because data decide its bounds."""
    for name in statements:
        body = scop.statement(name).body
        if isinstance(body, For) and body.independent and body.step == 1 and body.relation in ("<", "<="):
            return body if any(map(_is_data, (*walk(body.lower), *walk(body.bound)))) else None
    return None


def _is_data(node: Node) -> bool:
    """Whether part of a bound is an element, or a variable of the region."""
    return isinstance(node, Index) or (isinstance(node, Name) and node.symbol.kind == "local")


def _in_its_range(loop: For) -> str:
    """`cp[c] <= r && r < cp[c + 1]`: what holds of the values of a counter."""
    counter, lower, bound = loop.iterator.spelling, print_expr(loop.lower), print_expr(loop.bound)
    return f"{lower} <= {counter} && {counter} {loop.relation} {bound}"


def _is_updated_until_data_end_it(scop: Scop, statements: tuple[str, ...], name: str) -> bool:
    """Whether one of the statements has a loop that data end, in which a variable is updated (`h[b]++`)."""
    bodies = (scop.statement(each).body for each in statements)
    for body in bodies:
        for loop in walk(body) if body is not None else ():
            if not ends_by_data(loop):
                continue
            updates = (node for node in walk(loop) if isinstance(node, Assign) and node.compound)
            if any((changed := root(update.target)) and changed.symbol.spelling == name for update in updates):
                return True
    return False


def _rounded(ordered: Seq[Candidate]) -> Seq[Candidate]:
    """The sums and products among the updates; if there are none, all of them."""
    return [c for c in ordered if c.operator not in _SELECTIONS] or ordered


def _root_of(candidate: Candidate) -> str:
    """The variable that an update changes, without subscripts and members."""
    return re.split(r"\W", candidate.variable)[0]


def _changed_by_order(changed: Seq[Candidate]) -> str:
    what = " and ".join(dict.fromkeys(f"`{c.variable}`" for c in changed))
    if any(c.operator not in _SELECTIONS for c in changed):
        return f"another order would change the rounding of {what}"
    return f"another order would change {what} where an element is not a number"


def _ordered_sums(
    scop: Scop, names: tuple[str, ...], candidates: Seq[Candidate], holding: _Holding | None
) -> list[Candidate]:  # fmt: skip
    """The floating sums and products among the statements `names` that stay in order only for their rounding.

    Those of variables that the loop which is held declares itself do not hold it, and are not told.
    """
    lines = {(scop.statement(name).span.path, scop.statement(name).span.line) for name in names}
    ordered = [c for c in candidates if c.ways and (c.span.path, c.span.line) in lines]
    if holding is None:
        return ordered
    loops = [n for n in walk(scop.region.body) if isinstance(n, For) and n.iterator == holding.loop.iterator]
    own = {n.symbol.spelling for loop in loops for n in walk(loop.body) if isinstance(n, Declare)}
    return [c for c in ordered if _root_of(c) not in own]


def sum_warnings(program: MappedProgram) -> Iterator[Diagnostic]:
    """PC0702 for every sum that stays plain although `--sum` asks for more."""
    scop = program.scop
    for reduction in plain_sums(program):
        yield Diagnostic(
            Severity.WARNING,
            "PC0702",
            f"`{scop.spelling(reduction.array)}` is summed one value after the other: `--sum={program.sums}` does not "
            "reach it",
            scop.statement(reduction.updates[0]).span,
        )


def waiting_warnings(program: MappedProgram) -> Iterator[Diagnostic]:
    """PC0703 for every loop on the host that data end."""
    told: set[int] = set()
    for kernel in program.kernels():
        for name in kernel.statements:
            statement = program.scop.statement(name)
            if statement.kind is not StatementKind.LEAVE or statement.never_leaves or statement.loops[-1].index in told:
                continue
            told.add(statement.loops[-1].index)
            yield Diagnostic(
                Severity.WARNING,
                "PC0703",
                "the host waits for the device in each round of this loop, to know whether it ends",
                statement.span,
                "this is read back",
                notes=("`_device` is not asynchronous here, and a stream that is captured refuses it",),
                helps=("a `for` loop with a bound that is known before it, and without `break`, needs no answer",),
            )


def tuning_warnings(programs: Seq[MappedProgram], options: CompileOptions) -> Iterator[Diagnostic]:
    """PC0802 for every kernel that the tuning data speaks of and no region has."""
    known = {kernel.name for program in programs for kernel in program.tunable()}
    for name, _ in options.tuning.kernels:
        if name not in known:
            yield Diagnostic(
                Severity.WARNING,
                "PC0802",
                f"the tuning data speaks of a kernel `{name}`, which this source does not give",
                Span(options.tuning_file, 1, 1, 2),
                helps=("run `pencilc tune` again",),
            )


def _looping(functions: tuple[Function, ...]) -> frozenset[str]:
    """The helpers that hold loops, or call one that does."""
    found: set[str] = set()
    while more := {
        f.name for f in functions if f.name not in found
        and any(isinstance(n, For | While) or (isinstance(n, Call) and n.function in found) for n in walk(f.body))
    }:  # fmt: skip
        found |= more
    return frozenset(found)


def _inner_loop(scop: Scop, tree: Tree, looping: frozenset[str], told: frozenset[tuple[str, int]]) -> str:
    """Why the first loop inside a statement of `tree` is not in the model; empty where there is none."""
    for name in statements_of(tree):
        record = scop.statement(name)
        for node in () if record.body is None else walk(record.body):
            if isinstance(node, For | While) and (node.span.path, node.span.line) in told:
                break
            if isinstance(node, For | While):
                return record.opaque or "its control flow depends on data"
            if isinstance(node, Call) and node.function in looping:
                return f"the loops are inside of `{node.function}`"
    return ""


@dataclass(frozen=True, slots=True)
class _Holding:
    """A dependence that keeps a loop sequential: its place and a pair of iterations, and the variable it goes through.

    `is_certain`: it is known to be there, not only possible.  `is_exact`: the subscript at the place is affine.
    """

    label: Label
    note: str
    name: str
    loop: Loop
    is_array: bool
    is_certain: bool
    is_exact: bool


def _holding(
    program: MappedProgram, names: tuple[str, ...], beside: frozenset[str] = frozenset()
) -> _Holding | None:  # fmt: skip
    """The dependence that keeps the outermost loop sequential, if one is found quickly: its source and a pair.

    Through none of the variables `beside`.
    """
    dependences = program.scheduled.dependences
    kinds = (
        (dependences.flow, "needs what", "writes"), (dependences.anti, "overwrites what", "reads"),
        (dependences.output, "overwrites what", "writes"),
    )  # fmt: skip
    try:
        with quotas.operation_quota(quotas.QUOTA // 10):
            for relation, later, earlier in kinds:
                for part in islx.maps_of(relation):
                    if {islx.in_name(part), islx.out_name(part)} <= set(names):
                        found = _pair(program.scop, part, later, earlier, beside)
                        if found is not None:
                            return found
    except quotas.OperationQuotaExceeded:
        pass
    return None


def _pair(
    scop: Scop, relation: isl.Map, later: str, earlier: str, beside: frozenset[str]
) -> _Holding | None:  # fmt: skip
    source, target = scop.statement(islx.in_name(relation)), scop.statement(islx.out_name(relation))
    shared = source.loops and target.loops and source.loops[0].index == target.loops[0].index
    if not shared or StatementKind.MERGE in (source.kind, target.kind):
        return None
    carried = relation.subtract(relation.equate(isl.dim_type.in_, 0, isl.dim_type.out, 0))
    if carried.is_empty():
        return None
    point = islx.small_point(carried.wrap()).unwrap()
    first = point.domain().sample_point().get_coordinate_val(isl.dim_type.set, 0)
    second = point.range().sample_point().get_coordinate_val(isl.dim_type.set, 0)
    places = [
        a for a in source.accesses for b in target.accesses
        if a.array == b.array and (a.kind.writes or b.kind.writes)
        and scop.array(a.array).symbol.spelling not in beside
        and not point.intersect(a.relation.apply_range(b.relation.reverse())).is_empty()
    ]  # fmt: skip
    if not places:
        return None
    counter = source.loops[0].iterator.spelling
    array = scop.array(places[0].array)
    name = array.symbol.spelling
    note = f"iteration {counter} = {second} {later} iteration {counter} = {first} {earlier}, through `{name}`"
    writes = [a for a in places if a.kind.writes] if earlier == "writes" else places
    place = (writes or places)[0]
    label = Label(place.span, f"iteration {counter} = {first} {earlier} `{name}` here")
    certain = all(a.exact for a in (*source.accesses, *target.accesses) if a.array == place.array)
    return _Holding(label, note, name, source.loops[0], bool(array.extents), certain, place.exact)


def _promise(program: MappedProgram, names: tuple[str, ...], loop: Loop) -> str:
    """What of the parameters would keep all iterations of `loop` from needing each other; "" where nothing would.

        for (i = 0; i < m; i++) x[i + n] += x[i];               `n >= m`

    Not that there are none, or few: of what is told there may be many iterations, of large sizes.
    """
    scop, dependences = program.scop, program.scheduled.dependences
    held = scop.context.subtract(scop.context)
    try:
        with quotas.operation_quota(quotas.QUOTA // 10):
            for relation in (dependences.flow, dependences.anti, dependences.output):
                for part in islx.maps_of(relation):
                    ends = [scop.statement(name) for name in (islx.in_name(part), islx.out_name(part))]
                    if all(s.name in names and s.loops and s.loops[0].index == loop.index for s in ends):
                        own = part.equate(isl.dim_type.in_, 0, isl.dim_type.out, 0)
                        held = held.union(part.subtract(own).params())
            free = scop.context.subtract(held).coalesce()
            many = _has_many(scop, names, loop).intersect(_large(scop.context))
            for basic in free.get_basic_sets():
                found = isl.Set.from_basic_set(basic)
                if not found.intersect(many).is_empty():
                    asked = found.gist(scop.context).coalesce()
                    return str(isl.AstBuild.from_context(scop.context).expr_from_set(asked).to_C_str())
    except quotas.OperationQuotaExceeded:
        pass
    return ""


def _has_many(scop: Scop, names: tuple[str, ...], loop: Loop) -> isl.Set:
    """The parameters of which the loop has many iterations."""
    found = scop.context.subtract(scop.context)
    for name in names:
        statement = scop.statement(name)
        if not statement.loops or statement.loops[0].index != loop.index:
            continue
        values = statement.domain.project_out(isl.dim_type.set, 1, islx.dimensions(statement.domain) - 1)
        values = values.reset_tuple_id()
        pairs = isl.Map.from_domain_and_range(values, values).wrap().flatten()
        apart = islx.variable(pairs, 1).sub(islx.variable(pairs, 0))
        found = found.union(apart.ge_set(islx.constant(pairs, _MANY)).intersect(pairs).params())
    return found


def _large(context: isl.Set) -> isl.Set:
    """The parameters where all of them are large."""
    for position in range(context.dim(isl.dim_type.param)):
        context = context.lower_bound_val(isl.dim_type.param, position, isl.Val(_MANY))
    return context


def _has_loop(tree: Tree) -> bool:
    match tree:
        case Band():
            return True
        case Sequence():
            return any(_has_loop(child) for child in tree.children)
    return False
