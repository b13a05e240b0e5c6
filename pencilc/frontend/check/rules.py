"""The PENCIL rules that concern whole functions: reductions, purity, recursion, early returns.

The flow-sensitive rules (which init reaches which update, PC0205, PC0206) are the polyhedral stage's;
here stands what can be seen without a domain.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate
from typing import Any

from pencilc.diagnostics import fixes
from pencilc.diagnostics.diagnostic import Edit, Fix
from pencilc.diagnostics.source import Span
from pencilc.frontend.check.clauses import check_clauses
from pencilc.frontend.check.early_returns import check_returns
from pencilc.frontend.check.nothing import check_something_to_do
from pencilc.frontend.context import FileContext, Refused, Scope
from pencilc.frontend.limits import ALL_STATEMENTS, INNER_LOOPS, REGIONS, STATEMENTS, more_than
from pencilc.frontend.options import FrontendOptions
from pencilc.frontend.rewrite.inline import MAX_LOOPS
from pencilc.frontend.translate import calls as library
from pencilc.frontend.translate import remedies
from pencilc.frontend.translate.expressions import ExpressionTranslator
from pencilc.frontend.translate.replacements import own_function
from pencilc.frontend.translate.translators import FunctionState
from pencilc.frontend.translate.types import TypeResolver, spell
from pencilc.ir.snippets import init_in
from pencilc.ir.source import (
    ArrayType,
    Assign,
    Call,
    CallStmt,
    Declare,
    Expr,
    For,
    Function,
    Index,
    MemberOf,
    Name,
    Node,
    ReductionInit,
    ReductionUpdate,
    Region,
    Stmt,
    StringLiteral,
    TranslationUnit,
    children,
    walk,
)  # fmt: skip
from pencilc.ir.source_printer import print_expr, spelled

_MAX_DEPTH = 300


def check_unit(
    context: FileContext, types: TypeResolver, unit: TranslationUnit, calls: dict[str, dict[str, Any]],
    options: FrontendOptions,
) -> None:  # fmt: skip
    """Report everything that the translated unit gets wrong as a whole."""
    _check_summaries(context, types)
    sizes: list[int] = []
    for region in unit.regions:
        check_depth(context, region)
        _check_loop_depth(context, region.body)
        sizes.append(_check_size(context, region))
        _check_reductions(context, region)
        if not region.outlined:
            check_returns(context, region)
    _check_all_sizes(context, unit.regions, sizes)
    _check_inner_loops(context, unit.regions)
    for function in unit.functions:
        check_depth(context, function)
    _check_callees(context, unit)
    _check_recursion(context, calls)
    check_something_to_do(context, unit, options)


def check_depth(context: FileContext, where: Region | Function) -> None:
    """Later stages walk the tree recursively: refuse what would exhaust them."""
    stack: list[tuple[Node, int]] = [(where.body, 0)]
    while stack:
        node, depth = stack.pop()
        if depth > _MAX_DEPTH:
            context.error("PC0004", f"the nesting is too deep (more than {_MAX_DEPTH} levels)", node.span)
            return
        stack += [(child, depth + 1) for child in children(node)]


_DIVIDE = "divide the file"


def _check_size(context: FileContext, region: Region) -> int:
    """The statements of the region, every pair of which may depend on each other."""
    kinds = (Assign, CallStmt, ReductionInit, ReductionUpdate)
    statements = [
        node
        for node in walk(region.body)
        if isinstance(node, kinds) or (isinstance(node, Declare) and node.init is not None)
    ]
    if len(statements) > STATEMENTS:
        message = more_than(STATEMENTS, "statements in one region")
        context.error("PC0006", message, statements[STATEMENTS].span, helps=("divide the region",))
    return len(statements)


def _check_all_sizes(context: FileContext, regions: Sequence[Region], sizes: Sequence[int]) -> None:
    """Each region and each statement takes its time."""
    if len(regions) > REGIONS:
        context.error("PC0006", more_than(REGIONS, "regions in one file"), regions[REGIONS].span, helps=(_DIVIDE,))
        return
    for region, total in zip(regions, accumulate(sizes), strict=True):
        if total > ALL_STATEMENTS:
            message = more_than(ALL_STATEMENTS, "statements in the regions of one file")
            context.error("PC0006", message, region.span, helps=(_DIVIDE,))
            return


def _check_inner_loops(context: FileContext, regions: Sequence[Region]) -> None:
    """Most of them become kernels, each of which takes its time."""
    inner = [loop for region in regions for loop in _innermost(region.body)]
    if len(inner) > INNER_LOOPS:
        message = more_than(INNER_LOOPS, "innermost loops inside of others in the regions of one file")
        context.error("PC0006", message, inner[INNER_LOOPS].span, helps=(_DIVIDE,))


def _innermost(body: Stmt) -> Iterator[For]:
    """The loops inside of other loops that have none themselves, in text order."""
    pending: list[tuple[Node, bool]] = [(body, False)]
    while pending:
        node, is_inside = pending.pop()
        if isinstance(node, For):
            if is_inside and not any(isinstance(below, For) for below in walk(node.body)):
                yield node
            is_inside = True
        pending += [(child, is_inside) for child in reversed(list(children(node)))]


def _check_loop_depth(context: FileContext, body: Stmt) -> None:
    """Polyhedral operations are exponential in the number of loops around a statement."""
    pending: list[tuple[Node, int]] = [(body, 0)]
    while pending:
        node, depth = pending.pop()
        if isinstance(node, For):
            depth += 1
            if depth > MAX_LOOPS:
                message = f"more than {MAX_LOOPS} loops are nested in each other"
                context.error("PC0004", message, node.span, helps=("move the inner loops into a helper function",))
                return
        pending += [(child, depth) for child in children(node) if not hasattr(child, "type")]


# ---- reductions ------------------------------------------------------------------------------------


def _path(expr: Expr) -> tuple[str, str]:
    """The root variable of an access, and the access with subscripts left out: `a[].lo`."""
    parts: list[str] = []
    while not isinstance(expr, Name):
        if isinstance(expr, MemberOf):
            parts.append("." + expr.member)
            expr = expr.base
        elif isinstance(expr, Index):
            parts.append("[]")
            expr = expr.base
        else:
            return "", ""
    return expr.symbol.name, expr.symbol.name + "".join(reversed(parts))


def _check_reductions(context: FileContext, region: Region) -> None:
    inits = [n for n in walk(region.body) if isinstance(n, ReductionInit)]
    updates = [n for n in walk(region.body) if isinstance(n, ReductionUpdate)]
    by_spelling = _by_spelling(inits)
    done = {_path(n.variable)[1] for n in inits}
    for update in updates:
        root, path = _path(update.variable)
        if done.isdisjoint(_parts_of(path)) and not _is_lost(context, update):
            done.add(path)
            _report_no_init(context, region, by_spelling, update, root)
    _check_one_operator(context, region)
    for loop in walk(region.body):
        if isinstance(loop, For):
            check_clauses(context, loop)


def _is_lost(context: FileContext, update: ReductionUpdate) -> bool:
    """Whether an initialisation of the variable is in error itself."""
    if "__pencil_reduction_var_init" in context.misspelt_builtins:
        return True
    return any(isinstance(node, Name) and node.symbol.span in context.lost_inits for node in walk(update.variable))


def _parts_of(path: str) -> Iterator[str]:
    """The access, and those that it is a part of: `a[].lo`, `a[]`, `a`."""
    yield path
    while (end := max(path.rfind("."), path.rfind("["))) > 0:
        path = path[:end]
        yield path


def _by_spelling(inits: Sequence[ReductionInit]) -> dict[str, ReductionInit]:
    """The first initialisation for each name that stands in one."""
    found: dict[str, ReductionInit] = {}
    for init in inits:
        for node in walk(init.variable):
            if isinstance(node, Name):
                found.setdefault(node.symbol.spelling, init)
    return found


def _report_no_init(
    context: FileContext, region: Region, inits: Mapping[str, ReductionInit], update: ReductionUpdate, root: str
) -> None:
    text = spelled(update.variable)
    secondary: list[tuple[Span, str]] = []
    for node in walk(update.variable):
        if isinstance(node, Name) and node.symbol.name == root and node.symbol.span != update.variable.span:
            secondary.append((node.symbol.span, "declared here"))
            break
    hidden = _hidden(inits, update, root)
    notes: tuple[str, ...] = ()
    if hidden is not None:
        notes = (f"this declaration hides the `{text}` that is initialised at line {hidden.span.line}",)
        remedy = _without_declaration(context, secondary[0][0] if secondary else update.span, text)
    else:
        remedy = _with_init(context, region, update, text)
    helps = (remedy,) if isinstance(remedy, str) else ()
    context.error(
        "PC0201",
        f"reduction variable `{text}` is never initialised with `__pencil_reduction_var_init`",
        update.variable.span,
        "first used here",
        secondary=secondary,
        notes=notes,
        helps=helps,
        remedies=() if isinstance(remedy, str) else (remedy,),
    )


def _without_declaration(context: FileContext, declared: Span, text: str) -> Fix | str:
    """Take the declaration of a variable out that hides another one."""
    file = context.file_of(declared)
    said = f"remove the declaration of `{text}` inside the loop"
    place = remedies.declaration_at(file, declared)
    return said if place is None else Fix(said, (Edit(place, ""),))


def _with_init(context: FileContext, region: Region, update: ReductionUpdate, text: str) -> Fix | str:
    """Begin the reduction in front of the outermost loop around its first update."""
    ctype = spell(update.variable.type)
    name = remedies.init_function(context, ctype)
    loop = next((n for n in region.body.items if isinstance(n, For) and any(u is update for u in walk(n))), None)
    file = context.file_of(update.span)
    definition = ""
    if name == "init":
        value = _identity_by_name(context, update.operator)
        helper = init_in(file.text, value, ctype) if value else None
        name, definition = (helper.name, helper.definition) if helper is not None else (name, "")
    code = f"__pencil_reduction_var_init(&{text}, {name});"
    said = f"add `{code}` before the loop"
    if name == "init":
        return f"{said}, where `void init({ctype} *v)` writes the identity of the operator"
    if loop is None or "[" in text:
        return said
    edits = [fixes.statement_before(file, loop.span, code)]
    if definition:
        said += f", and `{definition}` before the function"
        edits.append(context.before_function(update.span, definition))
    return fixes.fix(said, edits) or said


def _identity_by_name(context: FileContext, operator: str) -> str:
    """The identity of an operator of the file that returns `a + b` or `a * b`; empty for any other."""
    definition = context.definitions.get(operator)
    items = definition.body.block_items if definition is not None else None
    value: Any = items[0].expr if items and len(items) == 1 and type(items[0]).__name__ == "Return" else None
    return {"+": "0", "*": "1"}.get(value.op, "") if type(value).__name__ == "BinaryOp" else ""


def _hidden(inits: Mapping[str, ReductionInit], update: ReductionUpdate, root: str) -> ReductionInit | None:
    """The initialisation of a variable with the same spelling, which the one that is updated hides."""
    for node in walk(update.variable):
        if isinstance(node, Name) and node.symbol.name == root:
            return inits.get(node.symbol.spelling)
    return None


def _check_one_operator(context: FileContext, region: Region) -> None:
    first: dict[str, ReductionUpdate] = {}
    for update in walk(region.body):
        if isinstance(update, ReductionInit):
            first.pop(print_expr(update.variable), None)
        if not isinstance(update, ReductionUpdate):
            continue
        key = print_expr(update.variable)
        known = first.setdefault(key, update)
        if known.operator != update.operator:
            context.error(
                "PC0207",
                f"reduction variable `{spelled(update.variable)}` is updated with two operators",
                update.span,
                f"with `{update.operator}` here",
                secondary=((known.span, f"with `{known.operator}` here"),),
                helps=("use two variables, or start the second with `__pencil_reduction_var_init`",),
            )


# ---- functions -------------------------------------------------------------------------------------


def _check_callees(context: FileContext, unit: TranslationUnit) -> None:
    """Every function that is called must have a body that can become device code."""
    for function in unit.functions:
        if function.name in context.operators or function.name in context.inits:
            _check_pure(context, function)
    described = _only_described(context, unit)
    callers: tuple[Region | Function, ...] = (*unit.regions, *unit.functions)
    for caller in callers:
        for node in walk(caller.body):
            if not isinstance(node, Call) or _has_body(context, node.function):
                continue
            if isinstance(caller, Function) and caller.name in described:
                _warn_no_summary(context, node)
            else:
                _report_no_body(context, node.function, node.span, caller)
    for name, span in (*context.operators.items(), *context.inits.items()):
        if not _has_body(context, name):
            _report_no_body(context, name, span, None)


def _only_described(context: FileContext, unit: TranslationUnit) -> set[str]:
    """The summary functions that nothing executes: what they call needs no body."""
    summaries = set(context.summaries.values())
    code: tuple[Region | Function, ...] = (*unit.regions, *(f for f in unit.functions if f.name not in summaries))
    called = {n.function for caller in code for n in walk(caller.body) if isinstance(n, Call)}
    return summaries - called


def _has_body(context: FileContext, name: str) -> bool:
    if name in context.definitions or name.startswith("__pencil_"):
        return True
    decl = context.prototypes.get(name)
    return decl is None or library.is_library(context, name, decl)


def _report_no_body(context: FileContext, name: str, span: Span, caller: Region | Function | None) -> None:
    if isinstance(caller, Function) and caller.name in context.operators:
        return  # reported as an impure operator
    if name in context.syntax.broken:
        return  # its faults have been told
    if name in context.syntax.opaque:
        opaque = context.syntax.opaque[name]
        context.error(
            opaque.code,
            opaque.message,
            opaque.span,
            secondary=((span, f"a region calls `{name}`"),),
            notes=("what a region calls must be C99; functions of the host may be GNU C",),
            helps=opaque.helps,
        )
        return
    decl = context.prototypes[name]
    in_header = context.path_of(decl).startswith("<pencilc>")
    own = own_function(context, name, span) if in_header else None
    context.error(
        "PC0505",
        f"`{name}` has no body that the device could run",
        span,
        secondary=() if in_header else ((decl, "only declared here"),),
        helps=(remedies.no_body_help(name),) if own is None else (),
        remedies=(own,),
    )


def _warn_no_summary(context: FileContext, call: Call) -> None:
    """PC0503: what a call touches is not known where it has neither body nor summary."""
    arrays = [a for a in call.arguments if isinstance(a.type, ArrayType) and not isinstance(a, StringLiteral)]
    if arrays and call.function not in context.summaries:
        names = ", ".join(f"`{spelled(a)}`" for a in arrays)
        context.warn(
            "PC0503",
            f"`{call.function}` has neither a body nor a summary",
            call.span,
            notes=(f"every element of {names} is taken to be read and written, so loops around it are sequential",),
            helps=(f"declare it with `__attribute__((pencil_access(summary_of_{call.function})))`",),
        )


def _check_pure(context: FileContext, function: Function) -> None:
    what = "operator" if function.name in context.operators else "init function"
    used = context.operators.get(function.name) or context.inits[function.name]
    for node in walk(function.body):
        if isinstance(node, Call) and not _has_body(context, node.function):
            context.error(
                "PC0204",
                f"{what} `{function.name}` is not pure: it calls `{node.function}`",
                node.span,
                "unknown code",
                secondary=((used, "used in a reduction here"),),
                notes=("an operator may run in any order and any number of times",),
            )
        elif isinstance(node, Declare) and node.symbol.kind == "global":
            context.error("PC0204", f"{what} `{function.name}` is not pure", node.span)


def _check_summaries(context: FileContext, types: TypeResolver) -> None:
    tr = ExpressionTranslator(context, types, FunctionState("", Scope(context.scope)))

    def parameters(decl: Any) -> list[str]:
        func = decl.decl.type if type(decl).__name__ == "FuncDef" else decl.type
        params = func.args.params if func.args is not None else ()
        return [spell(library.parameter_type(tr, p)).replace("const ", "") for p in params]

    for name, summary in context.summaries.items():
        decl = context.definitions.get(name) or context.prototypes.get(name)
        if decl is None or summary not in context.definitions:
            continue
        try:
            fits = parameters(decl) == parameters(context.definitions[summary])
        except Refused:
            continue
        if not fits:
            where = decl.decl if type(decl).__name__ == "FuncDef" else decl
            context.error(
                "PC0502",
                f"`{name}` and its summary `{summary}` have other parameters",
                where,
                secondary=((context.definitions[summary].decl, "the summary"),),
            )


def _check_recursion(context: FileContext, calls: dict[str, dict[str, Any]]) -> None:
    told: set[str] = set()
    for name in calls:
        for callee, where in calls[name].items():
            if name in _reachable(calls, callee) and name not in told:
                told |= {callee, name} if callee != name else {name}
                context.error(
                    "PC0504",
                    f"`{name}` is recursive",
                    where,
                    "calls itself" if callee == name else f"`{callee}` leads back to `{name}`",
                    helps=("write it as a loop",),
                )


def _reachable(calls: dict[str, dict[str, Any]], start: str) -> set[str]:
    found: set[str] = set()
    pending = [start]
    while pending:
        name = pending.pop()
        if name not in found:
            found.add(name)
            pending += calls.get(name, {})
    return found
