"""What is compiled: which functions are entry functions, which parts of host functions are regions.

A function with a PENCIL construct whose other code is simple is an entry function; `main`, and every
function that does other things, is host code whose `#pragma scop` parts are outlined.  A host function
without the pragma gets one region: the shortest run of statements that holds all its constructs.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pencilc.diagnostics import fixes
from pencilc.frontend.context import FileContext
from pencilc.frontend.syntax.lexing import statement_end
from pencilc.frontend.syntax.nodes import LOOPS, nodes_below
from pencilc.frontend.translate.calls import BUILTIN_STATEMENTS, is_library
from pencilc.frontend.translate.pragmas import is_construct, misspelt_pragmas, pragma_kind
from pencilc.records import dataclass

_REGION_BUILTINS = BUILTIN_STATEMENTS - {"__pencil_use", "__pencil_def"}


@dataclass(frozen=True, slots=True)
class RegionSpan:
    """A region inside a host function: items `first:last` of `compound`, and its offsets in the text."""

    compound: Any
    first: int
    last: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Classified:
    """What a function with a body is."""

    node: Any
    is_entry: bool
    places: tuple[RegionSpan, ...]


def has_construct(node: Any) -> bool:
    """Whether a pycparser node holds a PENCIL construct."""
    for each in nodes_below(node):
        kind = type(each).__name__
        if kind == "Pragma" and is_construct(each.string):
            return True
        if kind == "FuncCall" and getattr(each.name, "name", None) in _REGION_BUILTINS:
            return True
    return False


def called_below(node: Any) -> Iterator[str]:
    """The names of the functions called below a pycparser node, once for each call."""
    for each in nodes_below(node):
        if type(each).__name__ == "FuncCall" and type(each.name).__name__ == "ID":
            yield each.name.name


def _has_loop(place: RegionSpan) -> bool:
    """Whether a region holds a loop."""
    items = place.compound.block_items[place.first : place.last]
    return any(type(n).__name__ in LOOPS for item in items for n in nodes_below(item))


def has_loop_outside(function: Any, place: RegionSpan) -> bool:
    """Whether a function holds a loop outside of the region `place`."""
    items = place.compound.block_items[place.first : place.last]
    inside = {id(n) for item in items for n in nodes_below(item)}
    return any(type(n).__name__ in LOOPS and id(n) not in inside for n in nodes_below(function.body))


def _is_beyond_pencil(node: Any) -> bool:
    """Whether a node is what C has and PENCIL has not: a pointer, an address, a string, a jump."""
    kind = type(node).__name__
    if kind == "UnaryOp":
        return node.op in ("*", "&")
    return kind in ("PtrDecl", "Goto", "Label") or (kind == "Constant" and node.type == "string")


def region_nodes(function: Classified) -> list[Any]:
    """What of a function is compiled."""
    if function.is_entry:
        return [function.node.body]
    return [item for p in function.places for item in p.compound.block_items[p.first : p.last]]


class Classifier:
    """Decides for each function of the file what it is."""

    def __init__(self, context: FileContext, left: tuple[str, ...] = ()) -> None:
        """`left` are functions that stay on the host whatever they hold."""
        self.context = context
        self.left = left
        self._impure: dict[str, bool] = {}

    def classify(self) -> list[Classified]:
        """All functions with a PENCIL construct, in the order of the file."""
        result = []
        for name, node in self.context.definitions.items():
            if name not in self.left and has_construct(node.body):
                result.append(self._classify_one(name, node))
        return self._without_helpers(result)

    def _without_helpers(self, found: list[Classified]) -> list[Classified]:
        """A `static` function that only regions call is a helper: it needs no entry point."""
        inside: dict[str, int] = {}
        for each in found:
            for region in region_nodes(each):
                for name in called_below(region):
                    inside[name] = inside.get(name, 0) + 1
        everywhere: dict[str, int] = {}
        for node in self.context.syntax.tree.ext:
            for name in called_below(node):
                everywhere[name] = everywhere.get(name, 0) + 1
        return [
            each for each in found
            if not (each.is_entry and "static" in each.node.decl.storage and (name := each.node.decl.name) in inside
                    and inside[name] == everywhere[name])
        ]  # fmt: skip

    def as_host(self, entry: Classified) -> Classified | None:
        """An entry function as a host function with regions, where its other code may be more than PENCIL."""
        node = entry.node
        if not any(map(_is_beyond_pencil, nodes_below(node))):
            return None
        places = self._marked_places(node)
        if not places:
            places = self._unmarked_places(node)
            if any(not _has_loop(place) or has_loop_outside(node, place) for place in places):
                return None  # A loop would stay on the host without a word.
        outside: list[Any] = [node.decl, node.body]
        inside = {id(item) for p in places for item in p.compound.block_items[p.first : p.last]}
        while outside:
            each = outside.pop()
            if _is_beyond_pencil(each):
                return Classified(node, False, tuple(places)) if places else None
            outside += [child for _, child in each.children() if id(child) not in inside]
        return None

    def _classify_one(self, name: str, node: Any) -> Classified:
        places = self._marked_places(node)
        marked = any(type(n).__name__ == "Pragma" and pragma_kind(n.string) == "scop" for n in nodes_below(node.body))
        if name != "main":
            if marked and self._simple_outside(node.body, places):
                return Classified(node, True, ())
            if not marked and self.host_call(node.body) is None:
                return Classified(node, True, ())
        if not marked:
            places = self._unmarked_places(node)
        else:
            self._refuse_constructs_outside(node, places)
        return Classified(node, False, tuple(places))

    # ---- calls that only a host can make ---------------------------------------------------------

    def host_call(self, node: Any) -> Any:
        """The first call below `node` that only the host can make, or None."""
        for each in nodes_below(node):
            name = each.name.name if type(each).__name__ == "FuncCall" and type(each.name).__name__ == "ID" else ""
            if name and self._is_host_function(name):
                return each
        return None

    def _is_host_function(self, name: str) -> bool:
        if name in self._impure:
            return self._impure[name]
        self._impure[name] = False  # for recursive functions
        context = self.context
        if name in context.syntax.opaque or name == "main":
            self._impure[name] = True
        elif name in context.definitions:
            self._impure[name] = self.host_call(context.definitions[name].body) is not None
        elif name in context.prototypes:
            decl = context.prototypes[name]
            self._impure[name] = context.path_of(decl).startswith("<pencilc>/libc/") and not is_library(
                context, name, decl
            )
        return self._impure[name]

    # ---- `#pragma scop` --------------------------------------------------------------------------

    def _marked_places(self, function: Any) -> list[RegionSpan]:
        places: list[RegionSpan] = []
        for compound in nodes_below(function.body):
            if type(compound).__name__ == "Compound":
                self._scan(compound, places)
        self._check_nesting(function)
        return sorted(places, key=lambda p: p.start)

    def _scan(self, compound: Any, places: list[RegionSpan]) -> None:
        begin = None
        for k, item in enumerate(compound.block_items or ()):
            kind = pragma_kind(item.string) if type(item).__name__ == "Pragma" else "other"
            if kind == "scop" and begin is None:
                begin = k
            elif kind == "endscop" and begin is not None:
                start = self._line_offset(compound.block_items[begin].coord.line)
                end = self._line_offset(item.coord.line + 1) - 1
                places.append(RegionSpan(compound, begin + 1, k, start, end))
                begin = None

    def _check_nesting(self, function: Any) -> None:
        """Each `scop` needs an `endscop` behind it in the same block, and none inside."""
        block = {
            id(item): compound
            for compound in nodes_below(function.body)
            if type(compound).__name__ == "Compound"
            for item in compound.block_items or ()
        }
        begun = None
        for node in nodes_below(function.body):
            kind = pragma_kind(node.string) if type(node).__name__ == "Pragma" else "other"
            if kind == "scop" and begun is not None:
                self.context.error(
                    "PC0105",
                    "`#pragma scop` inside another one",
                    node,
                    secondary=((begun, "the outer one begins here"),),
                )
            elif kind == "scop":
                begun = node
            elif kind == "endscop":
                self._check_end(
                    node, begun, begun is None or block.get(id(node)) is block.get(id(begun)), block.get(id(node))
                )
                begun = None
        if begun is not None:
            self._never_ended(function, begun, block.get(id(begun)))

    def _never_ended(self, function: Any, begun: Any, compound: Any) -> None:
        """PC0104 for a `scop` without `endscop`: a misspelt one is told as its cause, another is to be added."""
        context = self.context
        message, where = "`#pragma scop` without `#pragma endscop`", f"never ended in `{function.decl.name}`"
        chunk = context.function_at(context.span(function.decl))
        first = context.preprocessed.text.count("\n", 0, chunk.start) + 1 if chunk is not None else 1
        last = context.preprocessed.text.count("\n", 0, chunk.end) + 1 if chunk is not None else 0
        for span, word, meant in misspelt_pragmas(context, first, last):
            if meant == "endscop":
                remedy = context.renamed(span, word, meant, f"did you mean `#pragma {meant}`?")
                labels = ((span, "this pragma is ignored"),)
                context.error("PC0104", message, begun, where, secondary=labels, remedies=(remedy,))
                return
        helps = ("write `#pragma endscop` behind the last loop that is to be compiled",)
        remedy = None
        if compound is function.body and chunk is not None:
            at = context.place(chunk.end - 1)
            item = compound.block_items[-1]
            at = context.span(item) if type(item).__name__ == "Return" else at
            edit = fixes.line_before(context.file_of(at), at, "#pragma endscop", indented=False)
            remedy = fixes.fix(helps[0], [edit])
        context.error("PC0104", message, begun, where, helps=() if remedy else helps, remedies=(remedy,))

    def _never_begun(self, node: Any, compound: Any) -> None:
        """PC0104 for an `endscop` without `scop`, which belongs before the first loop of the block."""
        message, context = "`#pragma endscop` without `#pragma scop`", self.context
        items = list(compound.block_items) if compound is not None else []
        before = items[: next((k for k, item in enumerate(items) if item is node), 0)]
        loop = next((item for item in before if type(item).__name__ in LOOPS), None)
        if loop is None:
            context.error("PC0104", message, node)
            return
        span = context.span(loop)
        edit = fixes.line_before(context.file_of(span), span, "#pragma scop", indented=False)
        remedy = fixes.fix(f"write `#pragma scop` before the loop at line {span.line}", [edit])
        context.error("PC0104", message, node, remedies=(remedy,))

    def _check_end(self, node: Any, begun: Any, same_block: bool, compound: Any) -> None:
        if begun is None:
            self._never_begun(node, compound)
        elif not same_block:
            self.context.error(
                "PC0104",
                "`#pragma endscop` stands in another block than its `#pragma scop`",
                node,
                secondary=((begun, "begun here"),),
                helps=("put both into one pair of braces; without braces an `if` or a loop holds one statement",),
            )

    def _line_offset(self, line: int) -> int:
        lines = self.context.preprocessed.map.output_lines
        return sum(len(x) + 1 for x in lines[: line - 1])

    def _simple_outside(self, body: Any, places: list[RegionSpan]) -> bool:
        if any(p.compound is not body for p in places):
            return False
        items = list(body.block_items or ())
        for k, item in enumerate(items):
            if any(p.first <= k < p.last for p in places):
                continue
            if not self._is_simple(item, k == len(items) - 1):
                return False
        return True

    def _is_simple(self, item: Any, last: bool) -> bool:
        kind = type(item).__name__
        if kind == "Return":
            return last and self.host_call(item) is None
        if kind == "FuncCall":
            return getattr(item.name, "name", "") in BUILTIN_STATEMENTS
        if kind == "Decl" and type(item.type).__name__ == "PtrDecl":
            return False
        if kind in ("Decl", "Assignment", "UnaryOp", "Cast"):
            return self.host_call(item) is None
        return kind in ("EmptyStatement", "Pragma", "Typedef", "DeclList")

    def _refuse_constructs_outside(self, function: Any, places: list[RegionSpan]) -> None:
        """In host code a reduction outside the marked regions would stay on the host without a word."""
        inside = {id(n) for p in places for item in p.compound.block_items[p.first : p.last] for n in nodes_below(item)}
        for node in nodes_below(function.body):
            name = getattr(getattr(node, "name", None), "name", None) if type(node).__name__ == "FuncCall" else None
            if name in ("__pencil_reduction", "__pencil_reduction_var_init") and id(node) not in inside:
                self.context.error(
                    "PC0107",
                    f"`{name}` stands outside the regions of `{function.decl.name}`",
                    node,
                    helps=("put it between `#pragma scop` and `#pragma endscop`",),
                )
                return

    # ---- without the pragma ----------------------------------------------------------------------

    def _unmarked_places(self, function: Any) -> list[RegionSpan]:
        compound = function.body
        while True:
            items = list(compound.block_items or ())
            holding = [k for k, item in enumerate(items) if has_construct(item)]
            first, last = holding[0], holding[-1] + 1
            inside = [c for c in nodes_below(items[first]) if type(c).__name__ == "Compound" and has_construct(c)]
            if len(holding) > 1 or self.host_call(items[first]) is None or not inside:
                break
            compound = inside[0]
        for item in items[first:last]:
            call = self.host_call(item)
            if call is not None:
                message = f"`{call.name.name}` stands between the PENCIL constructs of `{function.decl.name}`"
                self.context.error(
                    "PC0107",
                    message,
                    call,
                    "only the host can do this",
                    secondary=((items[first], "the region would begin here"),),
                    helps=("put `#pragma scop` and `#pragma endscop` around each part that is to be compiled",),
                )
                return []
        text = self.context.preprocessed.text
        start = self._item_offset(items[first])
        last_start = self._item_offset(items[last - 1])
        return [RegionSpan(compound, first, last, start, statement_end(text, last_start))]

    def _item_offset(self, item: Any) -> int:
        if type(item).__name__ == "Pragma":
            return self._line_offset(item.coord.line)
        offset = self.context.offset(item)
        if type(item).__name__ in ("Decl", "Typedef"):
            text = self.context.preprocessed.text
            offset = max(text.rfind(c, 0, offset) for c in ";{}") + 1
        return offset


__all__ = ["Classified", "Classifier", "RegionSpan", "has_construct"]
