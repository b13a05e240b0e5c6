"""From a source file to the typed and checked translation unit: the front end as one sequence."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from pencilc.diagnostics.diagnostic import Diagnostic, Severity, SourceErrors
from pencilc.diagnostics.source import SourceFile, Span
from pencilc.frontend.check.host_calls import check_host_calls
from pencilc.frontend.check.paths import check_paths
from pencilc.frontend.check.restarts import check_restarts
from pencilc.frontend.check.rows import check_rows
from pencilc.frontend.check.rules import check_unit
from pencilc.frontend.check.unused import check_unused
from pencilc.frontend.context import FileContext
from pencilc.frontend.limits import beyond
from pencilc.frontend.options import FrontendOptions
from pencilc.frontend.preprocess.run import Preprocessed, all_read, headers, run_preprocessor
from pencilc.frontend.recursion import deep_recursion
from pencilc.frontend.regions.autodetect import detect
from pencilc.frontend.regions.classify import Classified, Classifier, has_construct
from pencilc.frontend.regions.entry_names import check_entry_names
from pencilc.frontend.regions.external import with_exports
from pencilc.frontend.regions.hosttext import with_host_text
from pencilc.frontend.regions.naming import with_free_names
from pencilc.frontend.regions.outline import Outlined, outline
from pencilc.frontend.rewrite.continues import without_continues
from pencilc.frontend.rewrite.counters import with_final_values
from pencilc.frontend.rewrite.inline import inline_helpers
from pencilc.frontend.rewrite.places import with_places_for_names
from pencilc.frontend.rewrite.places_inside import with_places_inside
from pencilc.frontend.rewrite.private import with_private_scalars
from pencilc.frontend.rewrite.shared_values import with_values_inside
from pencilc.frontend.rewrite.symmetric import Symmetric, symmetric_functions, with_symmetry
from pencilc.frontend.rewrite.tables import with_tables_outside
from pencilc.frontend.rewrite.toggles import with_toggles
from pencilc.frontend.rewrite.versions import with_versions
from pencilc.frontend.rewrite.windows import with_windows
from pencilc.frontend.syntax.nodes import nodes_below
from pencilc.frontend.syntax.tree import parse_syntax
from pencilc.frontend.translate.collect import collect
from pencilc.frontend.translate.expressions import ExpressionTranslator, constant_extent
from pencilc.frontend.translate.functions import FunctionTranslator, pencil_hash
from pencilc.frontend.translate.globals import declarations
from pencilc.frontend.translate.translators import FunctionState
from pencilc.frontend.translate.types import TypeResolver
from pencilc.ir.source import Function, Region, TranslationUnit


def parse(file: SourceFile, options: FrontendOptions) -> tuple[TranslationUnit, tuple[Diagnostic, ...]]:
    """The translation unit of `file` and its warnings; raises SourceErrors with every error found."""
    with deep_recursion(file.path):
        return _parse(file, options)


def _parse(file: SourceFile, options: FrontendOptions) -> tuple[TranslationUnit, tuple[Diagnostic, ...]]:
    preprocessed = run_preprocessor(file, options)
    if any(d.severity is Severity.ERROR for d in preprocessed.diagnostics):
        raise SourceErrors(preprocessed.diagnostics)
    if limit := beyond(preprocessed.text):
        raise SourceErrors([Diagnostic(Severity.ERROR, limit.code, limit.message, _span(preprocessed, limit.offset))])
    try:
        syntax = parse_syntax(preprocessed.map, all_read(preprocessed))
    except SourceErrors as refused:
        # What is unknown may be what a header would have said that was not found.
        missing = [d for d in preprocessed.diagnostics if d.code == "PC0002"]
        raise SourceErrors((*missing, *refused.diagnostics)) from None
    context = FileContext(preprocessed, syntax)
    context.diagnostics += (*preprocessed.diagnostics, *context.syntax.errors)
    types = TypeResolver(context, constant_extent)
    collect(context, types)
    functions = FunctionTranslator(context, types, pencil_hash(preprocessed.text))
    classifier = Classifier(context, options.left_to_host)
    classified = classifier.classify()
    classified = [_with_host_code(context, types, functions, classifier, each) for each in classified]
    regions, outlined = _regions(context, types, functions, classified)
    if options.autodetect:
        known = {each.node.decl.name for each in classified} | set(_reached(context, functions, outlined, regions))
        left = known | set(options.left_to_host)
        found = detect(
            context, types, functions, classifier, left, set(options.whiles_on_host), options.associative_math
        )
        more, made = _regions(context, types, functions, found)
        regions += [replace(region, detected=True) for region in more]
        outlined += made
        classified += found
        order = list(context.definitions)
        regions.sort(key=lambda region: order.index(region.function))
    reached = _reached(context, functions, outlined, regions)
    at_file_scope = ExpressionTranslator(context, types, FunctionState("", context.scope))
    unit = TranslationUnit(
        file, tuple(context.structs.values()), declarations(at_file_scope), tuple(reached.values()),
        tuple(regions), None, tuple(sorted(context.summaries.items())), *headers(preprocessed, file, options),
    )  # fmt: skip
    check_entry_names(context, unit)
    check_unit(context, types, unit, functions.calls, options)
    errors = [d for d in context.diagnostics if d.severity is Severity.ERROR]
    check_paths(context, unit, {_function_at(context, d.span) for d in errors})
    if not errors:
        check_unused(context, unit, outlined)
        check_host_calls(context, unit)
        check_restarts(context, unit)
        check_rows(context, unit)
    diagnostics = tuple(sorted(context.diagnostics, key=lambda d: (d.span, d.code)))
    if any(d.severity is Severity.ERROR for d in diagnostics):
        raise _errors(context, functions, outlined, unit, diagnostics)
    unit = with_exports(_finished(context, unit))
    unit = with_host_text(context, unit, classified, outlined)
    return with_free_names(unit, context.identifiers), diagnostics


def _span(preprocessed: Preprocessed, offset: int) -> Span:
    """Where an offset of the preprocessed text stands in the file."""
    text = preprocessed.text
    return preprocessed.map.span(text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset))


def _normalised(
    region: Region, identifiers: frozenset[str], functions: Symmetric, bodies: Mapping[str, Function]
) -> Region:
    """The region with jumps, counters and scalars in the form that the model wants."""
    region = with_symmetry(with_toggles(without_continues(region, identifiers)), identifiers, functions)
    region = with_private_scalars(with_windows(with_final_values(region, identifiers), bodies), identifiers)
    region = with_places_for_names(with_versions(region, identifiers))
    return with_values_inside(with_places_inside(region, identifiers))


def _with_host_code(
    context: FileContext, types: TypeResolver, functions: FunctionTranslator, classifier: Classifier, each: Classified
) -> Classified:
    """An entry function as a host function with regions, if nothing but its code around them is more than PENCIL."""
    name = each.node.decl.name
    if not each.is_entry or name == "main":
        return each
    with context.trial() as reported:
        host = classifier.as_host(each)
        if host is None or reported():
            return each
        functions.entry(each.node)
        functions.calls.pop(name, None)
        if not any(d.severity is Severity.ERROR for d in reported()):
            return each
    with context.trial() as reported:
        for place in host.places:
            outline(context, types, each.node, place, name)
        is_sound = not any(d.severity is Severity.ERROR for d in reported())
    # Pointers that only the code around the regions has are no fault: those of the regions alone are told then.
    return host if is_sound or _has_pointers_outside(host) else each


def _has_pointers_outside(host: Classified) -> bool:
    """Whether a host function has pointer parameters that no region of it names."""
    args = host.node.decl.type.args
    pointers = {p.name for p in (args.params if args is not None else ()) if type(p.type).__name__ == "PtrDecl"}
    if any(type(node).__name__ == "PtrDecl" for node in nodes_below(host.node.body)):
        return False  # A local pointer may be another name for one of them.
    for place in host.places:
        for item in place.compound.block_items[place.first : place.last]:
            pointers -= {node.name for node in nodes_below(item) if type(node).__name__ == "ID"}
    return bool(pointers)


def _regions(
    context: FileContext, types: TypeResolver, functions: FunctionTranslator, classified: list[Classified]
) -> tuple[list[Region], list[Outlined]]:
    """The regions of the file in order, and those of them that are outlined."""
    regions: list[Region] = []
    outlined: list[Outlined] = []
    for each in classified:
        if each.is_entry:
            region = functions.entry(each.node)
            regions += [region] if region is not None else []
            continue
        for k, place in enumerate(each.places):
            name = f"{each.node.decl.name}_scop{k}"
            if "static" in each.node.decl.storage:
                name += f"_{functions.file_hash}"
            made = outline(context, types, each.node, place, name)
            if made is not None:
                outlined.append(made)
                regions.append(made.region)
    return regions, outlined


def _reached(
    context: FileContext, functions: FunctionTranslator, outlined: list[Outlined], regions: list[Region]
) -> dict[str, Function]:
    """All functions with a body that regions reach, in the order of the file."""
    pending: list[str] = []
    for region in regions:
        pending += functions.calls.get(region.function, {})
    for each in outlined:
        pending += each.called
    summaries = frozenset(context.summaries.values())
    pending += sorted(summaries) if regions else []
    found: dict[str, Function | None] = {}
    while pending:
        name = pending.pop()
        if name in found or name not in context.definitions:
            continue
        kind = "operator" if name in context.operators else "summary" if name in summaries else "helper"
        found[name] = functions.helper(context.definitions[name], kind)
        pending += functions.calls.get(name, {})
    return {n: f for n in context.definitions if (f := found.get(n)) is not None}


def _finished(context: FileContext, unit: TranslationUnit) -> TranslationUnit:
    """`unit` as the later stages want it: helpers with loops inlined, scalars with a variable for each value."""
    unit = inline_helpers(with_tables_outside(unit, context.identifiers), context.identifiers)
    functions, bodies = symmetric_functions(unit.functions), {each.name: each for each in unit.functions}
    return replace(unit, regions=tuple(_normalised(r, context.identifiers, functions, bodies) for r in unit.regions))


def _errors(
    context: FileContext, functions: FunctionTranslator, outlined: list[Outlined], unit: TranslationUnit,
    diagnostics: tuple[Diagnostic, ...],
) -> SourceErrors:  # fmt: skip
    """What to raise: with the regions that no error touches, and the functions whose regions are at fault."""
    bad = {_function_at(context, d.span) for d in diagnostics if d.severity is Severity.ERROR}
    if "" in bad:
        return SourceErrors(diagnostics)
    calls = {name: set(called) for name, called in functions.calls.items()}
    calls |= {each.region.name: set(each.called) for each in outlined}

    def reaches(region: Region) -> set[str]:
        found: set[str] = set()
        pending = [region.function, region.name]
        while pending:
            name = pending.pop()
            if name not in found:
                found.add(name)
                pending += calls.get(name, ())
        return found

    faulty = [region for region in unit.regions if reaches(region) & bad]
    sound = tuple(region for region in unit.regions if region not in faulty)
    # A body that cannot be read is no definition, and holds no region.
    read = {name: context.definitions[name].body for name in bad if name in context.definitions}
    blamed = {region.function for region in faulty} | {name for name, body in read.items() if has_construct(body)}
    detected = {region.function for region in faulty if region.detected}
    left = _finished(context, replace(unit, regions=sound)) if sound else None
    return SourceErrors(diagnostics, left, sorted(blamed), sorted(detected))


def _function_at(context: FileContext, span: Span) -> str:
    """The name of the function in whose text a diagnostic stands; empty if in none."""
    chunk = context.function_at(span)
    return chunk.name if chunk is not None else ""
