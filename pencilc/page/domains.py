"""Iteration domains at small sizes: the instances of a statement as points, dependences between them as arrows.

Two loops are drawn, the innermost ones; those around them have their first value.  Points that may run at once have
the same number, that of their step among the sequential rows of the schedule.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from collections.abc import Sequence as Seq

import islpy as isl
from markupsafe import Markup

from pencilc import islx, quotas
from pencilc.ir.schedule import Band, Leaf, Row, ScheduledScop, Tree
from pencilc.ir.scop import Dependences, Scop, Statement, StatementKind
from pencilc.ir.scop_printer import statement_as_written
from pencilc.page.svg import RADIUS, Drawing, DrawnBox, DrawnLink, dots, graph, label, picture
from pencilc.records import dataclass

_SIZES = (5, 7, 6, 8, 4, 3, 2, 1, 0, 9, 10, 12, 16, 24, 32, 64)
_HIGH, _WIDE = 7, 9  # values of the two loops that are drawn
_MOST_ARROWS = 80
_MOST_COUNTED = 60  # statements whose points are counted
_MOST_PICTURES = 12
_MOST_LINKED = 24
_STEP = 34.0
_LEFT, _TOP = 46.0, 50.0
_KINDS = (
    ("flow", "leads to what reads the value"),
    ("anti", "leads to what overwrites a value that was read"),
    ("output", "leads to what overwrites a value"),
)


@dataclass(frozen=True, slots=True)
class ShownStatement:
    """A statement with its code and its place."""

    name: str
    kind: str
    text: str
    line: int
    path: str


@dataclass(frozen=True, slots=True)
class DomainPicture:
    """The domain of some statements that look alike; `notes` say what is not drawn and which values are fixed."""

    statements: tuple[ShownStatement, ...]
    drawing: Markup
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DomainPanel:
    """The domains of a region at the sizes `sizes`, what statements leave for each other, and what is left out.

    `kinds`: those of the dependences that are drawn.
    """

    sizes: str
    kinds: tuple[str, ...]
    pictures: tuple[DomainPicture, ...]
    between: Markup
    left_out: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Slice:
    """What is drawn of a domain: its points, which two dimensions go down and across (-1: none), and in words what of
    the rest is not.
    """

    points: isl.Set
    down: int
    across: int
    notes: tuple[str, ...]


def domain_panel(scheduled: ScheduledScop, where: Mapping[str, str]) -> DomainPanel:
    """The panel of a region; `where`: the launch of each statement, of which those that run have one."""
    scop, dependences = scheduled.scop, scheduled.dependences
    left_out: list[str] = []
    shown = [s for s in scop.statements if s.name in where and s.kind is not StatementKind.KILL]
    nested = [s for s in shown if islx.dimensions(s.domain) and s.kind is not StatementKind.MERGE]
    drawn: dict[tuple[Markup, tuple[str, ...]], list[Statement]] = {}
    widths: dict[Markup, Drawing] = {}
    sizes: dict[str, int] = {}
    try:
        with quotas.operation_quota(quotas.QUOTA):
            sizes = _small_sizes(scop, nested)
            rows = _rows_above(scheduled.tree)
            for statement in nested[:_MOST_COUNTED]:
                drawing, notes = _drawn(scop, statement, dependences, rows.get(statement.name, ()), sizes)
                widths[drawing.text] = drawing
                drawn.setdefault((drawing.text, notes), []).append(statement)
    except quotas.OperationQuotaExceeded:
        left_out.append("isl takes too long to count the points of the rest")
    if len(nested) > _MOST_COUNTED:
        left_out.append(f"the domains of {len(nested) - _MOST_COUNTED} more statements")
    if len(drawn) > _MOST_PICTURES:
        left_out.append(f"{len(drawn) - _MOST_PICTURES} more domains, which look otherwise")
    pictures = [
        _pictured(scop, statements, widths[text], notes)
        for (text, notes), statements in list(drawn.items())[:_MOST_PICTURES]
    ]
    if dependences.unknown:
        left_out.append(f"the dependences are not known: {dependences.unknown}")
    told = ", ".join(f"{scop.spellings.get(islx.unmangle(name), name)} = {value}" for name, value in sizes.items())
    between = Markup("")
    if len(shown) > _MOST_LINKED:
        left_out.append(f"{len(shown)} statements are too many for a picture of what they leave for each other")
    elif len(shown) > 1:
        between = _between(scop, dependences, shown)
    every = Markup("").join((*(each.drawing for each in pictures), between))
    kinds = tuple(kind for kind in (*(kind for kind, _ in _KINDS), "relaxed") if f' {kind}"' in every)
    return DomainPanel(told, kinds, tuple(pictures), between, tuple(left_out))


def _small_sizes(scop: Scop, statements: Seq[Statement]) -> dict[str, int]:
    """A small value for each parameter that the context allows, unlike ones for neighbours, so that most domains have
    points.
    """
    best: dict[str, int] = {}
    most = -1
    for shift in (0, 3, 10):
        sizes = _allowed(scop, shift)
        filled = sum(not _fixed(s.domain.intersect_params(scop.context), sizes).is_empty() for s in statements)
        if filled > most:
            best, most = sizes, filled
    return best


def _allowed(scop: Scop, shift: int) -> dict[str, int]:
    context = scop.context
    sizes: dict[str, int] = {}
    for position in range(context.dim(isl.dim_type.param)):
        name = str(context.get_dim_name(isl.dim_type.param, position))
        start = (shift + len(sizes) % 3) % len(_SIZES)
        for value in (*_SIZES[start:], *_SIZES[:start]):
            fixed = context.fix_val(isl.dim_type.param, position, isl.Val(value))
            if not fixed.is_empty():
                sizes[name], context = value, fixed
                break
        else:
            point = context.sample_point()
            sizes[name] = int(point.get_coordinate_val(isl.dim_type.param, position).to_python())
            context = context.fix_val(isl.dim_type.param, position, isl.Val(sizes[name]))
    return sizes


def _fixed(points: isl.Set, sizes: Mapping[str, int]) -> isl.Set:
    """`points` at these sizes, without parameters; one that has no size is 5."""
    for position in range(points.dim(isl.dim_type.param)):
        name = str(points.get_dim_name(isl.dim_type.param, position))
        points = points.fix_val(isl.dim_type.param, position, isl.Val(sizes.get(name, _SIZES[0])))
    return points.project_out(isl.dim_type.param, 0, points.dim(isl.dim_type.param))


def _rows_above(tree: Tree, above: tuple[Row, ...] = ()) -> dict[str, tuple[Row, ...]]:
    """The rows above each statement, outermost first."""
    if isinstance(tree, Leaf):
        return {tree.statement: above}
    if isinstance(tree, Band):
        return _rows_above(tree.child, (*above, *tree.rows))
    found: dict[str, tuple[Row, ...]] = {}
    for child in tree.children:
        found |= _rows_above(child, above)
    return found


# ---- one statement -------------------------------------------------------------------------------------


def _pictured(scop: Scop, statements: Seq[Statement], drawing: Drawing, notes: tuple[str, ...]) -> DomainPicture:
    """The picture of statements that look alike."""
    shown: list[ShownStatement] = []
    for s in statements:
        text = statement_as_written(scop, s.name)
        shown.append(ShownStatement(s.name, s.kind.value, text, s.span.line, s.span.path))
    name = f"domain-{scop.name}-{statements[0].name}"
    title = f"the domain of {', '.join(s.name for s in statements)}"
    return DomainPicture(tuple(shown), picture(drawing, name, title) if drawing.text else Markup(""), notes)


def _drawn(
    scop: Scop, statement: Statement, dependences: Dependences, rows: Seq[Row], sizes: Mapping[str, int]
) -> tuple[Drawing, tuple[str, ...]]:
    """The points and arrows of a statement, and what is to be said of them."""
    domain = _fixed(statement.domain.intersect_params(scop.context), sizes)
    if domain.is_empty():
        return Drawing(Markup(""), 0, 0), ("no instance at these sizes",)
    names = [iterator.spelling for iterator in statement.iterators]
    part = _sliced(domain, names)
    points = islx.points_of(part.points)
    steps = _steps(statement.name, part.points, points, rows, sizes)
    arrows, notes = _arrows(statement, dependences, part, sizes)
    kinds = {point: f"step{steps.get(point, 0) % 8}" for point in points}
    is_timed = len(set(steps.values())) > 1

    def at(point: tuple[int, ...]) -> tuple[float, float]:
        x = _LEFT + (point[part.across] - points_low[1]) * _STEP
        return x, _TOP + ((point[part.down] - points_low[0]) * _STEP if part.down >= 0 else 0.0)

    low_down = min(p[part.down] for p in points) if part.down >= 0 else 0
    points_low = (low_down, min(p[part.across] for p in points))
    drawn = dots(
        [(*at(p), str(steps[p] + 1) if is_timed else "", kinds[p] if is_timed else "") for p in points],
        [(*at(one), *at(other), kind) for one, other, kind in arrows],
    )
    high = max(at(p)[1] for p in points)
    wide = max(at(p)[0] for p in points)
    axes = _axes(part, names, points, at)
    drawing = Drawing(Markup("\n").join((axes, drawn)), wide + RADIUS + 22, high + RADIUS + 14)
    said = [*part.notes, *notes]
    if is_timed:
        said.append(f"the numbers are steps: what has the same number runs at once, {max(steps.values()) + 1} in all")
    return drawing, tuple(said)


def _sliced(domain: isl.Set, names: Seq[str]) -> _Slice:
    """The two innermost dimensions, those around them at their first value, no more values than can be drawn."""
    count = islx.dimensions(domain)
    across, down = count - 1, count - 2
    notes: list[str] = []
    for position in range(count):
        low = _first(domain, position)
        if position < down:
            domain = domain.fix_val(isl.dim_type.set, position, isl.Val(low))
            notes.append(f"{names[position]} = {low}")
            continue
        most = _WIDE if position == across else _HIGH
        inside = domain.lower_bound_val(isl.dim_type.set, position, isl.Val(low))
        inside = inside.upper_bound_val(isl.dim_type.set, position, isl.Val(low + most - 1))
        if not domain.is_subset(inside):
            notes.append(f"the first {most} values of {names[position]}")
        domain = inside
    return _Slice(domain, down, across, tuple(notes))


def _first(domain: isl.Set, position: int) -> int:
    """The least value of a dimension; where there is none, 0 or what a point has."""
    low = domain.dim_min_val(position)
    if low.is_int():
        return int(low.to_python())
    if not domain.fix_val(isl.dim_type.set, position, isl.Val(0)).is_empty():
        return 0
    return int(domain.sample_point().get_coordinate_val(isl.dim_type.set, position).to_python())


def _steps(
    statement: str, part: isl.Set, points: Seq[tuple[int, ...]], rows: Seq[Row], sizes: Mapping[str, int]
) -> dict[tuple[int, ...], int]:
    """The place of each point in the order of the values of the sequential rows above the statement."""
    times: dict[tuple[int, ...], tuple[int, ...]] = dict.fromkeys(points, ())
    for row in rows:
        function = islx.pw_affs_of(row.function).get(statement)
        if row.flag != "s" or function is None:
            continue
        known = _fixed(isl.Map.from_pw_aff(function).wrap(), sizes)
        pairs = known.unwrap().intersect_domain(part).wrap().flatten()
        for *point, value in islx.points_of(pairs):
            times[tuple(point)] = (*times[tuple(point)], value)
    order = {time: k for k, time in enumerate(sorted(set(times.values())))}
    return {point: order[time] for point, time in times.items()}


def _arrows(
    statement: Statement, dependences: Dependences, part: _Slice, sizes: Mapping[str, int]
) -> tuple[list[tuple[tuple[int, ...], tuple[int, ...], str]], list[str]]:
    """Pairs of points with the kind of their dependence, the shortest ones where they are many; what is not drawn."""
    found: list[tuple[tuple[int, ...], tuple[int, ...], str]] = []
    notes: list[str] = []
    drawn: set[tuple[int, ...]] = set()
    count = islx.dimensions(part.points)
    for kind, told in _KINDS:
        own = [m for a, b, m in islx.named_maps(getattr(dependences, kind)) if a == b == statement.name]
        pairs: set[tuple[int, ...]] = set()
        elsewhere = False
        for relation in own:
            here = _fixed(relation.wrap(), sizes).unwrap()
            inside = here.intersect_domain(part.points).intersect_range(part.points)
            pairs |= {tuple(pair) for pair in islx.points_of(inside.wrap().flatten())}
            elsewhere |= count > 2 and not here.intersect_domain(part.points).is_subset(inside)
        some = _shortest(pairs, count)
        if pairs:
            again = ", also where another kind is drawn" if drawn & set(some) else ""
            fewer = f"; the {len(some)} shortest of {len(pairs)} are drawn" if len(some) < len(pairs) else ""
            notes.append(f"{kind}: an arrow {told}{again}{fewer}")
        if elsewhere:
            notes.append(f"{kind}: {'also ' if pairs else ''}to instances that are not drawn")
        found += [(pair[:count], pair[count:], kind) for pair in some if pair not in drawn]
        drawn |= set(some)
    relaxed = [m for a, b, m in islx.named_maps(dependences.relaxed) if a == b == statement.name]
    for relation in relaxed:
        here = _fixed(relation.wrap(), sizes).unwrap()
        inside = here.intersect_domain(part.points).intersect_range(part.points)
        ahead = inside.intersect(isl.Map.lex_lt(inside.get_space().domain()))
        every = islx.points_of(ahead.lexmin().wrap().flatten())
        if every:
            notes.append("reduction: all points, or those that are joined, may be combined in any order")
        # From the end of a row to the beginning of the next one a line would only cross the others.
        next_ones = [pair for pair in every if _distance(pair, count) == 1]
        found += [(pair[:count], pair[count:], "relaxed") for pair in next_ones[: _HIGH * _WIDE]]
    return found, notes


def _shortest(pairs: Iterable[tuple[int, ...]], count: int) -> list[tuple[int, ...]]:
    """Those of the shortest distances, all of one distance or none, so that what is drawn has no holes; at least one
    distance.
    """
    by_distance: dict[tuple[int, ...], list[tuple[int, ...]]] = {}
    for pair in sorted(pairs):
        vector = tuple(b - a for a, b in zip(pair[:count], pair[count:], strict=True))
        by_distance.setdefault(vector, []).append(pair)
    found: list[tuple[int, ...]] = []
    for _, same in sorted(by_distance.items(), key=lambda item: (sum(map(abs, item[0])), item[0])):
        if found and len(found) + len(same) > _MOST_ARROWS:
            break
        found += same
    return found


def _distance(pair: tuple[int, ...], count: int) -> int:
    return sum(abs(a - b) for a, b in zip(pair[:count], pair[count:], strict=True))


def _axes(part: _Slice, names: Seq[str], points: Seq[tuple[int, ...]], at: object) -> Markup:
    """The names of the two loops with their values."""
    assert callable(at)
    lines: list[Markup] = []
    for value in sorted({p[part.across] for p in points}):
        x = next(at(p)[0] for p in points if p[part.across] == value)
        lines.append(label(x, _TOP - 18, str(value), "tick"))
    lines.append(label(_LEFT - 8, 12, f"{names[part.across]} →", "axis start"))
    if part.down >= 0:
        for value in sorted({p[part.down] for p in points}):
            y = next(at(p)[1] for p in points if p[part.down] == value)
            lines.append(label(_LEFT - 24, y + 4, str(value), "tick"))
        lines.append(label(2, 12, f"{names[part.down]} ↓", "axis start"))
    return Markup("\n").join(lines)


# ---- between statements --------------------------------------------------------------------------------


def _between(scop: Scop, dependences: Dependences, shown: Seq[Statement]) -> Markup:
    """Statements in the order of the region, merge nodes behind their updates, and what they leave for each other."""
    ordered = _in_order(scop, shown)
    position = {s.name: k for k, s in enumerate(ordered)}
    kinds: dict[tuple[str, str], dict[str, None]] = {}
    relations = [(kind, getattr(dependences, kind)) for kind, _ in _KINDS] + [("isolation", dependences.isolation)]
    for kind, relation in relations:
        for source, target, _ in islx.named_maps(relation):
            if source in position and target in position and position[source] < position[target]:
                kinds.setdefault((source, target), {})[kind] = None
    if not kinds:
        return Markup("")
    boxes = []
    for s in ordered:
        lines = (f"{s.name}  line {s.span.line}", statement_as_written(scop, s.name))
        boxes.append(DrawnBox(s.name, lines, "merge" if s.kind is StatementKind.MERGE else "statement"))
    links = []
    for (source, target), found in kinds.items():
        through = _variables(scop, source, target)
        words = ["reduction" if kind == "isolation" else kind for kind in found]
        kind = "relaxed" if "isolation" in found else next(iter(found))
        links.append(DrawnLink(source, target, f"{', '.join(words)}: {', '.join(through)}", kind))
    title = f"what the statements of {scop.name} leave for each other"
    return picture(graph(boxes, links), f"between-{scop.name}", title)


def _in_order(scop: Scop, shown: Seq[Statement]) -> list[Statement]:
    """The statements as they follow each other in the text, a merge node right behind the last of its updates."""
    merged = {reduction.merge: reduction for reduction in scop.reductions}
    behind: dict[str, list[Statement]] = {}
    inside = {s.name for s in shown}
    for s in shown:
        updates = [u for u in merged[s.name].updates if u in inside] if s.name in merged else []
        if updates:
            behind.setdefault(updates[-1], []).append(s)
    ordered: list[Statement] = []
    follows = {s.name for found in behind.values() for s in found}
    for s in shown:
        if s.name not in follows:
            ordered += [s, *behind.get(s.name, ())]
    return ordered


def _variables(scop: Scop, source: str, target: str) -> list[str]:
    """The variables that both touch and the first or the second writes."""
    other = {a.array for a in scop.statement(target).accesses}
    writes = {a.array for name in (source, target) for a in scop.statement(name).accesses if a.kind.writes}
    found = dict.fromkeys(scop.spelling(a.array) for a in scop.statement(source).accesses if a.array in other & writes)
    return list(found)
