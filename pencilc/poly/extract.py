"""From the typed AST of a region to its polyhedral model (PACT'16 section 4.1; the words are pet's)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace

import islpy as isl

from pencilc import islx, quotas
from pencilc.diagnostics.diagnostic import CompilerLimitation, Diagnostic, Severity, SourceErrors
from pencilc.diagnostics.source import Span
from pencilc.ir.queries import counters_in, declared_in, names_in, names_of_file, names_of_region
from pencilc.ir.rewrite import with_statements
from pencilc.ir.scop import AccessKind, Candidate, ProductOfParams, Reduction, Scop, Statement, StatementKind
from pencilc.ir.source import (
    AnyElement,
    Binary,
    Declare,
    Expr,
    For,
    IntLiteral,
    Region,
    Scalar,
    Symbol,
    TranslationUnit,
    walk,
)
from pencilc.poly.dependences.inits import without_undone_inits
from pencilc.poly.dependences.unused import without_unused_reductions
from pencilc.poly.detect.best_places import with_values
from pencilc.poly.detect.choices_apart import with_choices_apart
from pencilc.poly.detect.inner_totals import with_inner_totals
from pencilc.poly.detect.plain import plain_updates
from pencilc.poly.detect.selections import Selected, with_selections
from pencilc.poly.detect.struct_values import with_struct_values
from pencilc.poly.detect.unmarked import detect
from pencilc.poly.diagnosis.irregular import with_ways_to_reorder
from pencilc.poly.diagnosis.laws import check_laws
from pencilc.poly.diagnosis.warnings import find_warnings
from pencilc.poly.model.accesses import Effects, Touch, touches
from pencilc.poly.model.arrays import ArrayTable
from pencilc.poly.model.blocked_loops import means_the_same, with_own_ends, without_blocks
from pencilc.poly.model.bounds_of_values import with_bounds_of_values
from pencilc.poly.model.context import Surroundings, assumed_context
from pencilc.poly.model.extents import check_called, sized_by_parameters
from pencilc.poly.model.flat_arrays import leaving, shaped
from pencilc.poly.model.flat_loops import with_split_loops
from pencilc.poly.model.kept_conditions import with_kept_conditions
from pencilc.poly.model.places import with_own_places
from pencilc.poly.model.products import products_of
from pencilc.poly.model.rounds import MOST_ROUNDS, HostedLoops, with_rounds
from pencilc.poly.model.single_loops import without_single_loops
from pencilc.poly.model.sizes_apart import with_named_quotients, with_sizes_apart
from pencilc.poly.model.source_tree import source_schedule
from pencilc.poly.model.spaces import split_spaces
from pencilc.poly.model.statements import Extractor, result_touch
from pencilc.poly.reductions.by_flow import OverlappingInits, SharedUpdate, find_reductions
from pencilc.poly.reductions.mixed_accumulators import with_accumulators_apart
from pencilc.poly.small_arrays import with_scalar_elements
from pencilc.poly.table_places import with_places_of_tables

# Of a region with more updates that turn out to be no reductions in the model, none is one.
_MOST_REFUSED = 4


def extract_detected(
    unit: TranslationUnit, position: int, associative: bool, operations: int, rounds: HostedLoops = HostedLoops.ALL
) -> tuple[TranslationUnit, Scop, tuple[Candidate, ...], tuple[Diagnostic, ...]]:
    """`unit` with the plain reductions of region `position` marked, its model, its candidates, and the warnings.

    `rounds`: which loops around loops that data end are loops of the model, where nothing of it stands against that.
    A region whose plain reductions turn out to be none in the model stays as it is.  One whose marked reductions share
    elements is taken as what it would be without these marks, and one whose divisions are too hard for isl, or that
    takes it more than so many `operations`, as if these were data.  Flattened arrays, and the loops over all of their
    elements, get their dimensions, where no access leaves them.  Raises as `extract` does.
    """
    unit = _with_region(unit, position, with_scalar_elements(unit, unit.regions[position]))
    unit = _with_region(unit, position, with_places_of_tables(unit, unit.regions[position]))
    unit = _with_region(unit, position, _with_whole_loops(unit, position))
    unit = _with_region(unit, position, with_choices_apart(with_struct_values(unit.regions[position])))
    written = unit.regions[position]
    unit = _with_region(unit, position, with_inner_totals(unit, written, associative))
    own = declared_in(unit.regions[position].body) - declared_in(written.body)
    unit, scop, candidates, diagnostics = _extracted_somehow(unit, position, associative, operations, rounds)
    return unit, scop, tuple(each for each in candidates if each.variable not in own), diagnostics


def _extracted_somehow(
    unit: TranslationUnit, position: int, associative: bool, operations: int, rounds: HostedLoops
) -> tuple[TranslationUnit, Scop, tuple[Candidate, ...], tuple[Diagnostic, ...]]:
    """What `extract_detected` says, with loops around loops that data end in the model, or else without."""
    plain = unit.regions[position]
    hosted = with_rounds(plain, names_of_file(unit) | names_of_region(plain), rounds)
    if hosted is not None:
        try:
            found = _extracted_with_rounds(unit, position, hosted, associative, operations)
            if found is not None:
                return found
        except (SourceErrors, CompilerLimitation, quotas.OperationQuotaExceeded):
            pass  # what is wrong is told of the program as it is written
    return _extracted(unit, position, associative, operations)


def _with_whole_loops(unit: TranslationUnit, position: int) -> Region:
    """Region `position`, the loops that it takes in blocks as loops over all of their values where that is the same."""
    region = unit.regions[position]
    blocks = with_own_ends(region)
    whole = without_blocks(blocks)
    if whole is blocks:
        return region
    try:
        with quotas.operation_quota(quotas.QUOTA // 2):
            models = [_as_it_is(unit, position, each) for each in (blocks, whole)]
            return whole if means_the_same(*models) else region
    except (SourceErrors, CompilerLimitation, quotas.OperationQuotaExceeded):
        return region


def _as_it_is(unit: TranslationUnit, position: int, region: Region) -> Scop:
    """The model of `region` in the place of the one at `position`, with no reductions but those that it marks."""
    made = shaped(with_split_loops(without_single_loops(region)))
    scop, _ = extract(_with_region(unit, position, made.region), made.region)
    if leaving(scop, made).are_any:
        raise CompilerLimitation("an access leaves its row", region.span)
    return scop


def _extracted_with_rounds(
    unit: TranslationUnit, position: int, hosted: Region, associative: bool, operations: int
) -> tuple[TranslationUnit, Scop, tuple[Candidate, ...], tuple[Diagnostic, ...]] | None:
    """What `extract_detected` says of a region whose loops that data end are loops of the model.

    Marked reductions that begin in a round and go on where it may have been left are what they would be without their
    marks.  None where the model lacks one of the loops, or such a reduction has no mark.
    """
    in_any_order = frozenset[Span]()
    while True:
        found = _extracted(_with_region(unit, position, hosted), position, associative, operations, in_any_order)
        scop = found[1]
        leaves = [s for s in scop.statements if s.kind is StatementKind.LEAVE]
        if len(leaves) != len(scop.region.left):
            return None  # some loop around them is no loop of the model
        cut = next((reduction for reduction in scop.reductions if _is_cut(scop, reduction, leaves)), None)
        if cut is None:
            return found
        hosted, updates = plain_updates(hosted, scop.array(cut.array).symbol.name)
        if not updates:
            return None
        in_any_order |= updates


def _is_cut(scop: Scop, reduction: Reduction, leaves: Sequence[Statement]) -> bool:
    """Whether a reduction begins in a round and ends where that may have been left, or in another one.

    Its result is there when its merge node has run, which it would not where the loop is left before.
    """
    order = {statement.name: k for k, statement in enumerate(scop.statements)}
    init = scop.statement(reduction.init)
    updates = [scop.statement(name) for name in reduction.updates]
    for depth, loop in enumerate(init.loops):
        if not loop.left:
            continue
        if any(len(s.loops) <= depth or s.loops[depth].index != loop.index for s in updates):
            return True
        last = max(order[s.name] for s in updates)
        if any(order[init.name] < order[s.name] < last for s in leaves if s.loops[-1].index == loop.index):
            return True
        for pairs in islx.maps_of(reduction.i2r):
            if not pairs.is_subset(pairs.equate(isl.dim_type.in_, depth, isl.dim_type.out, depth)):
                return True
    return False


def _extracted(
    unit: TranslationUnit,
    position: int,
    associative: bool,
    operations: int,
    in_any_order: frozenset[Span] = frozenset(),
) -> tuple[TranslationUnit, Scop, tuple[Candidate, ...], tuple[Diagnostic, ...]]:
    """What `extract_detected` says, of one form of the region; `in_any_order`: places of updates that say so."""
    flat, divisions = without_single_loops(with_sizes_apart(unit.regions[position])), True
    stay_flat: frozenset[str] = frozenset()
    anywhere: tuple[AnyElement, ...] = ()
    tried: set[str] = set()
    while True:
        made = shaped(with_split_loops(flat, stay_flat), stay_flat)
        region, shapes = replace(made.region, anywhere=anywhere), made.names
        try:
            wider = _with_region(unit, position, region)
            with quotas.operation_quota(operations):
                found = _extract_detected(wider, position, associative, in_any_order, divisions)
                outside = leaving(found[1], made)
            if not outside.are_any:
                return found
            # What is known of the others may be more where one of them is flat.
            anywhere = () if outside.flat else (*anywhere, *outside.places)
            stay_flat |= outside.flat
        except quotas.OperationQuotaExceeded:
            if divisions and divides(region):
                divisions = False
            elif shapes:
                stay_flat, anywhere = stay_flat | shapes, ()
            else:
                raise
        except SharedUpdate as shared:
            if shared.variable in tried:
                raise
            tried.add(shared.variable)
            flat, updates = plain_updates(flat, shared.variable)
            in_any_order |= updates
        except (SourceErrors, CompilerLimitation):
            # What is wrong is told of the program as it is written.
            if not shapes:
                raise
            stay_flat, anywhere = stay_flat | shapes, ()


def extract_without_divisions(unit: TranslationUnit, position: int) -> Scop | None:
    """The model of region `position`, marked as `extract_detected` leaves it, with its divisions as data.

    None where there is no such model.
    """
    try:
        with quotas.operation_quota():
            return extract(unit, unit.regions[position], divisions=False)[0]
    except (SourceErrors, CompilerLimitation, quotas.OperationQuotaExceeded):
        return None


def extract_instead(unit: TranslationUnit, position: int, region: Region) -> tuple[TranslationUnit, Scop] | None:
    """`unit` with `region`, which means the same, in the place of the one at `position`, and its model.

    None where there is no such model.
    """
    wider = _with_region(unit, position, region)
    try:
        return wider, extract(wider, region)[0]
    except (SourceErrors, CompilerLimitation):
        return None


def divides(region: Region) -> bool:
    """Whether anything is divided in the region."""
    return any(isinstance(node, Binary) and node.op in ("/", "%") for node in walk(region.body))


def _extract_detected(
    unit: TranslationUnit, position: int, associative: bool, in_any_order: frozenset[Span], divisions: bool
) -> tuple[TranslationUnit, Scop, tuple[Candidate, ...], tuple[Diagnostic, ...]]:
    """As above; `in_any_order`: where updates stand that may be done in any order, whatever they are."""
    selected = _selected(unit, unit.regions[position], associative)
    if selected.candidates:
        made = replace(
            unit, structs=(*unit.structs, *selected.structs), functions=(*unit.functions, *selected.functions)
        )
        made = _with_region(made, position, selected.region)
        with suppress(SourceErrors, CompilerLimitation):
            wider, scop, found, told = _extract_marked(made, position, associative, in_any_order, divisions)
            if scop.reductions:
                # What takes the result of a selection looks like an update that stays.
                known = {each.span for each in selected.candidates}
                others = (each for each in found if not each.refused or each.span not in known)
                return wider, scop, (*selected.candidates, *others), told
    return _extract_marked(unit, position, associative, in_any_order, divisions)


def _selected(unit: TranslationUnit, region: Region, associative: bool) -> Selected:
    """The selections of `region`, those that keep nothing but a place too, if all of these are ones."""
    found = with_values(region)
    if found.places:
        selected = with_selections(unit, found.region, associative)
        if found.places.keys() <= {each.span for each in selected.candidates}:
            named = (replace(each, variable=found.places.get(each.span, each.variable)) for each in selected.candidates)
            return replace(selected, candidates=tuple(named))
    return with_selections(unit, region, associative)


def _extract_marked(
    unit: TranslationUnit, position: int, associative: bool, in_any_order: frozenset[Span], divisions: bool
) -> tuple[TranslationUnit, Scop, tuple[Candidate, ...], tuple[Diagnostic, ...]]:
    """The same without looking for selections."""
    region = unit.regions[position]
    before, after = unit.regions[:position], unit.regions[position + 1 :]
    overlapping: frozenset[Span] = frozenset()
    refused: dict[Span, str] = {}
    while True:
        marked, functions, found = detect(unit, region, associative, overlapping, in_any_order, refused)
        wider = replace(unit, functions=(*unit.functions, *functions), regions=(*before, marked, *after))
        try:
            scop, diagnostics = extract(wider, marked, divisions)
            return wider, scop, found, tuple(with_ways_to_reorder(diagnostics, found))
        except (SourceErrors, CompilerLimitation) as reason:
            if marked is region or isinstance(reason, SharedUpdate):
                raise
            if isinstance(reason, OverlappingInits) and reason.span and reason.span not in overlapping:
                overlapping |= {reason.span}
                continue
            places = _places_told(reason)
            wrong = [each.span for each in found if not each.refused and _begin(each.span) in places]
            if wrong and len(refused) < _MOST_REFUSED:
                # The others may be reductions without it.
                refused |= dict.fromkeys(wrong, _why(reason))
                continue
            found = tuple(c if c.refused else replace(c, refused=_why(reason)) for c in found)
            break
    scop, diagnostics = extract(unit, region, divisions)
    return unit, scop, found, diagnostics


def _places_told(reason: SourceErrors | CompilerLimitation) -> set[tuple[str, int, int]]:
    """Where what the reason tells of begins: a statement, and what it writes, begin at the same place."""
    if isinstance(reason, CompilerLimitation):
        return set() if reason.span is None else {_begin(reason.span)}
    first = reason.diagnostics[0]
    return {_begin(span) for span in (first.span, *(label.span for label in first.secondary)) if span is not None}


def _begin(span: Span) -> tuple[str, int, int]:
    return span.path, span.line, span.column


def _with_region(unit: TranslationUnit, position: int, region: Region) -> TranslationUnit:
    regions = (*unit.regions[:position], region, *unit.regions[position + 1 :])
    return unit if region is unit.regions[position] else replace(unit, regions=regions)


def _why(reason: SourceErrors | CompilerLimitation) -> str:
    return reason.diagnostics[0].message if isinstance(reason, SourceErrors) else str(reason)


def extract(unit: TranslationUnit, region: Region, divisions: bool = True) -> tuple[Scop, tuple[Diagnostic, ...]]:
    """The model of `region` with its reductions; raises SourceErrors and CompilerLimitation.

    Without `divisions` those of values of the iterators are taken as data.  The warnings found on the way are returned
    beside it.
    """
    region = with_accumulators_apart(unit, region)
    region = with_bounds_of_values(region)
    functions = {f.name: f for f in unit.functions}
    effects = Effects(functions, dict(unit.summaries))
    kept = with_kept_conditions(region, effects, names_of_file(unit) | names_of_region(region))
    region = replace(region, body=with_own_places(kept))
    touched = tuple(touches(region.body, effects))
    surroundings = _surroundings(unit, region, touched, divisions)
    sized = with_named_quotients(region, surroundings)
    sized = sized_by_parameters(sized, surroundings.params, surroundings.values)
    if sized is not region:
        region, touched = sized, tuple(touches(sized.body, effects))
    check_called(region.body, functions)
    context = assumed_context(region, surroundings)
    table = ArrayTable(_returned(region, touched), region.places_anywhere)
    extractor = Extractor(surroundings, table, effects, context, region)
    tree = extractor.run()
    statements = tuple(extractor.statements)
    if extractor.plainer:
        # What one thread runs if all else fails are the statements of the model (live_source.py).
        region = replace(region, body=with_statements(region.body, extractor.plainer))
    _no_counter_escapes(region, touched)
    schedule = source_schedule(tree, {s.name: s.domain for s in statements})
    scop = Scop(
        name=region.name,
        region=region,
        params=tuple(surroundings.params.values()),
        products=surroundings.products,
        context=context,
        statements=statements,
        arrays=table.arrays(extractor.outermost),
        schedule=schedule,
        reductions=(),
        span=region.span,
        functions=unit.functions,
        is_plain=all(islx.is_plain((s.domain, *(a.relation for a in s.accesses))) for s in statements),
    )
    scop = without_undone_inits(split_spaces(scop))
    scop, diagnostics = find_reductions(scop, functions)
    diagnostics += (*check_laws(unit, scop), *find_warnings(scop, surroundings, unit.file))
    if any(d.severity is Severity.ERROR for d in diagnostics):
        raise SourceErrors(diagnostics)
    return without_unused_reductions(scop), diagnostics


def _surroundings(unit: TranslationUnit, region: Region, touched: tuple[Touch, ...], divisions: bool) -> Surroundings:
    """The parameters, the scalars that stand for affine values, and the helpers."""
    written = {touch.lvalue.symbol.name for touch in touched if touch.kind.writes} | set(region.written_scalars)
    for node in walk(region.body):
        if isinstance(node, For) and not node.declares:
            written.add(node.iterator.name)
    params: dict[str, Symbol] = {}
    for param in region.params:
        if _is_integer(param) and param.name not in written:
            params[param.name] = param
    values: dict[str, Expr] = {}
    for declaration in (*unit.globals, *_single_assignments(region, touched)):
        if declaration.init is not None and _is_integer(declaration.symbol):
            values[declaration.symbol.name] = declaration.init
    lasting = _lasting(values, {*params, *counters_in(region.body)})
    products = products_of(region, params, lasting, names_of_file(unit) | names_of_region(region))
    if region.rounds is not None:
        most = IntLiteral(MOST_ROUNDS, region.rounds.type, region.span)
        products = (*products, ProductOfParams(region.rounds, (), most))
    params |= {product.symbol.name: product.symbol for product in products}
    return Surroundings(params, lasting, {f.name: f for f in unit.functions}, divisions, products)


def _lasting(values: dict[str, Expr], fixed: set[str]) -> dict[str, Expr]:
    """The values that depend on nothing but `fixed` and each other; the rest holds only for a while."""
    while True:
        known = {*fixed, *values}
        kept = {name: value for name, value in values.items() if names_in(value) <= known}
        if len(kept) == len(values):
            return values
        values = kept


def _single_assignments(region: Region, touched: tuple[Touch, ...]) -> list[Declare]:
    """Declarations of locals that are never written again."""
    writes = Counter(touch.lvalue.symbol.name for touch in touched if touch.kind.writes)
    counters = counters_in(region.body)
    found: list[Declare] = []
    for node in walk(region.body):
        if not isinstance(node, Declare) or node.init is None or node.symbol.name in counters:
            continue
        if writes[node.symbol.name] == 1:
            found.append(node)
    return found


def _is_integer(symbol: Symbol) -> bool:
    return isinstance(symbol.type, Scalar) and symbol.type.is_integer


def _returned(region: Region, touched: tuple[Touch, ...]) -> tuple[Touch, ...]:
    """All accesses, the one of the return value included."""
    result = result_touch(region)
    return touched if result is None else (*touched, result)


def _no_counter_escapes(region: Region, touched: tuple[Touch, ...]) -> None:
    """A counter declared outside its loop has no value of its own in the model."""
    outside = [n for n in walk(region.body) if isinstance(n, For) and not n.declares]
    names = {n.iterator.name for n in outside}
    if not names:
        return
    inside: dict[str, int] = {}
    effects = Effects({})
    for loop in _outermost(outside):
        for part in (loop.bound, loop.body):
            for touch in touches(part, effects):
                if touch.lvalue.symbol.name == loop.iterator.name:
                    inside[loop.iterator.name] = inside.get(loop.iterator.name, 0) + 1
    for touch in touched:
        name = touch.lvalue.symbol.name
        if name in names and touch.kind is AccessKind.READ:
            inside[name] = inside.get(name, 0) - 1
            if inside[name] < 0:
                text = f"the value of the counter `{touch.lvalue.symbol.spelling}` is used outside of its loop"
                raise CompilerLimitation(text, touch.lvalue.span)


def _outermost(loops: list[For]) -> list[For]:
    """The loops of the list that no loop of the list with the same counter contains."""
    inner = {
        id(node) for loop in loops for node in walk(loop.body)
        if isinstance(node, For) and node.iterator.name == loop.iterator.name
    }  # fmt: skip
    return [loop for loop in loops if id(loop) not in inner]
