"""Calls that several stages of a stitched kernel make with the same values: computed once, kept in a register.

    sum += expf(x[i][j] - max);  y[i][j] = expf(x[i][j] - max) / sum;        // the second one is not computed

A call counts as the same if it is spelled alike in terms of the rows and nothing that it reads is written between
the two.  Arguments are plain values, so the functions cannot have effects.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence, Set
from dataclasses import fields, replace

from pencilc import islx
from pencilc.analysis.affinity import evaluated
from pencilc.analysis.iterators import iterator_symbol
from pencilc.gpu.fusion.register_promotion import RegisterPromoter, StageStatement
from pencilc.ir.mapping import RegisterPromotion
from pencilc.ir.queries import names_in
from pencilc.ir.source import Binary, Call, Expr, Name, Node, Scalar, Ternary, children, walk

Found = list[tuple[StageStatement, Call]]
# A node where it stands: the statement, and the node with its place in the source.
Occurrence = tuple[str, Node]


def with_calls(finder: RegisterPromoter, promotions: tuple[RegisterPromotion, ...]) -> tuple[RegisterPromotion, ...]:
    """`promotions` with one for each call that is made in several stages; elements read by it alone live shorter."""
    groups: dict[Hashable, Found] = {}
    for step in finder.steps:
        for call in _calls(finder, step):
            groups.setdefault(_key(call, _iterators(finder, step)), []).append((step, call))
    taken: list[Found] = []
    inside: set[Occurrence] = set()  # what stands in the calls that are taken
    for found in sorted(groups.values(), key=_nodes_of_call, reverse=True):
        if len(_stages(found)) > 1 and _occurrence(found[0]) not in inside and _is_steady(finder, found):
            taken.append(found)
            inside |= {(step.statement, node) for step, call in found for node in walk(call)}
    taken = [left for found in taken if len(_stages(left := _needed(finder, found, taken))) > 1]
    made = {_occurrence(found[0]) for found in taken}
    not_made = {_occurrence(each) for found in taken for each in found[1:]} - made
    kept = tuple(_shortened(finder, promotion, not_made) for promotion in promotions)
    return (*kept, *(_promotion(found) for found in taken))


def _stages(found: Found) -> set[int]:
    return {step.stage for step, _ in found}


def _needed(finder: RegisterPromoter, found: Found, taken: Sequence[Found]) -> Found:
    """The occurrences of a call but for those inside of others that are not made again.

    max of f(x);  sum of expf(f(x) - max);  y = expf(f(x) - max) / sum;       f(x) is needed for the first two
    """
    again = {_occurrence(each) for other in taken if other is not found for each in other[1:]}
    return [(step, call) for step, call in found if _is_needed(finder, (step.statement, call), again)]


def _occurrence(found: tuple[StageStatement, Call]) -> Occurrence:
    step, call = found
    return step.statement, call


def _nodes_of_call(found: Found) -> int:
    return sum(1 for _ in walk(found[0][1]))


def _promotion(found: Found) -> RegisterPromotion:
    stages = [step.stage for step, _ in found]
    accesses = tuple((step.statement, call) for step, call in found)
    call = found[0][1]
    return RegisterPromotion(
        call.function, False, accesses, call.type.size, -1, -1, min(stages), max(stages), computed=True
    )


def _shortened(finder: RegisterPromoter, promotion: RegisterPromotion, not_made: Set[Occurrence]) -> RegisterPromotion:
    """A promotion that is only read, without the occurrences inside calls that are not made again."""
    if promotion.of_row or promotion.stored >= 0 or promotion.loaded < 0:
        return promotion
    left = tuple(access for access in promotion.accesses if _is_needed(finder, access, not_made))
    stage_of = {step.statement: step.stage for step in finder.steps}
    stages = [stage_of[statement] for statement, _ in left]
    if not stages or min(stages) != promotion.first:
        return promotion
    return replace(promotion, accesses=left, last=max(stages))


def _is_needed(finder: RegisterPromoter, access: tuple[str, Expr], not_made: Set[Occurrence]) -> bool:
    """Whether the statement needs the value outside of calls that are not made again, or has no such call."""
    name, expr = access
    calls = {call for statement, call in not_made if statement == name}
    if not any(node == expr for call in calls for node in walk(call)):
        return True
    roots = finder.scop.statement(name).roots
    return any(node == expr for root in roots for node in _outside(root, calls))


def _outside(root: Node, calls: Set[Node]) -> Iterator[Node]:
    """`root` and the nodes below it that are not inside of `calls`."""
    if root not in calls:
        yield root
        for child in children(root):
            yield from _outside(child, calls)


def _calls(finder: RegisterPromoter, step: StageStatement) -> Iterator[Call]:
    """The calls that every element makes, in a statement of the elements."""
    record = finder.scop.statement(step.statement)
    if step.of_row or record.guards or len(record.iterators) > len(finder.rows.around) or not finder.is_full(step):
        return
    for root in evaluated(record.body):
        for node in _certain(root):
            if isinstance(node, Call) and all(isinstance(a.type, Scalar) for a in (node, *node.arguments)):
                yield node


def _certain(root: Node) -> Iterator[Node]:
    """The nodes below `root` that are evaluated whenever it is."""
    yield root
    if isinstance(root, Ternary):
        yield from _certain(root.condition)
    elif isinstance(root, Binary) and root.op in ("&&", "||"):
        yield from _certain(root.left)
    else:
        for child in children(root):
            yield from _certain(child)


def _iterators(finder: RegisterPromoter, step: StageStatement) -> dict[str, int]:
    """Numbers of the rows that iterators of the statement are."""
    found: dict[str, int] = {}
    record = finder.scop.statement(step.statement)
    for number, row in enumerate((*finder.rows.kept, *finder.rows.element)):
        symbol = iterator_symbol(finder.scop, row, step.statement)
        if symbol is None:
            continue
        position = next(k for k, it in enumerate(record.iterators) if it.name == symbol.name)
        function = finder.functions[number][step.statement]
        own = islx.row_function(record.domain, position)
        if islx.constant_value(function.sub(own)) == 0:
            found[symbol.name] = number
    return found


def _key(node: object, iterators: Mapping[str, int]) -> Hashable:
    """The structure of an expression without places, iterators by the number of their row."""
    if isinstance(node, Name):
        return ("name", iterators.get(node.symbol.name, node.symbol.name))
    if isinstance(node, tuple):
        return tuple(_key(item, iterators) for item in node)
    if isinstance(node, Expr):
        parts = ((f.name, getattr(node, f.name)) for f in fields(node) if f.name != "span")
        return (type(node).__name__, *((name, _key(value, iterators)) for name, value in parts))
    return str(node)


def _is_steady(finder: RegisterPromoter, found: Found) -> bool:
    """Whether nothing that the calls read is written from the first of them on."""
    symbols = names_in(found[0][1])
    start = finder.steps.index(found[0][0])
    return all(finder.last_writes.get(symbol, -1) < start for symbol in symbols)
