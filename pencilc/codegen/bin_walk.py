"""Rules for bins: which copies a block has, what is added to them, where points are, what blocks and sorts leave."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TypeAlias

from pencilc.codegen.control import Control, Rules, fault
from pencilc.codegen.expression_rules import check_passed
from pencilc.codegen.kernel_types import Known, NameScope
from pencilc.ir.bins import (
    AddInOrder,
    Atomic,
    BinCopies,
    BinSet,
    BinsOfBucket,
    BinsOfWarps,
    BlocksOfThread,
    BucketCopies,
    ChunkOrPoints,
    ClearCopies,
    CountOfPoints,
    EachBin,
    EachBucket,
    EachItemOfGrid,
    EndRun,
    HotBins,
    HotTotals,
    ItemPlace,
    ItemsInTurn,
    KeepOfChunk,
    KeepPair,
    KeptValue,
    LeavePart,
    LoadPart,
    OfElement,
    OneRun,
    PairsOfWarp,
    PointElement,
    PointPlace,
    PointsOfRuns,
    PointsThere,
    PutAtOnce,
    PutChunk,
    PutHot,
    PutInBin,
    RunLengths,
    TotalOfBlocks,
    TotalOfCopies,
    TotalOfGroups,
    ValueRun,
)
from pencilc.ir.build import variable
from pencilc.ir.nodes import Node, Parameter, blocks_in, names_of
from pencilc.ir.source import BOOL, INT, LLONG, UINT, ULLONG, CType, Expr, PointerType

_Bins: TypeAlias = (
    Atomic | AddInOrder | BinCopies | ClearCopies | EachBin | TotalOfCopies | BlocksOfThread | BinsOfWarps
    | TotalOfBlocks | LeavePart | TotalOfGroups | BucketCopies | EachBucket | PairsOfWarp | BinsOfBucket | HotBins
    | PutHot | HotTotals
)  # fmt: skip
_Values: TypeAlias = PutInBin | PutAtOnce | ValueRun | EndRun | KeptValue | KeepOfChunk | PutChunk | KeepPair
_Points: TypeAlias = (
    PointElement | OfElement | CountOfPoints | ItemsInTurn | EachItemOfGrid | ItemPlace | PointPlace | PointsThere
    | LoadPart | ChunkOrPoints | OneRun | PointsOfRuns | RunLengths
)  # fmt: skip


class BinRules(Rules):
    """The rules for these nodes; `told`: the parameters of the element."""

    told: tuple[Parameter, ...] = ()

    # ---- bins --------------------------------------------------------------------------------------

    def bins(self, node: _Bins, scope: NameScope, control: Control) -> Control:  # noqa: C901  (one case a kind)
        """Copies of bins, and what is added to them and brings them home."""
        inside = scope.inner()
        match node:
            case Atomic():
                self._atomic(node, scope, control)
            case AddInOrder():
                self._add_in_order(node, scope, control)
            case BinCopies():
                self._copies(node, scope)
            case ClearCopies():
                return self._clear(node, scope, control)
            case EachBin():
                self._all_threads(control, f"the bins of `{node.bins.name}`")
                self.expressions((variable(f"@{node.bins.name}_bins"),), scope)
                inside.provide(("@bin",), INT)
                self.nodes(node.body, inside, control.of_some)
                # Copies that are read here are not begun anew before all threads meet.
                return replace(control, read=control.read | self._copies_read(node.body))
            case TotalOfCopies():
                self._needs_bins(node.bins)
                self.expressions(map(variable, ("@bin", "@copies", _copies(node.bins), _bins(node.bins))), scope)
                for written in (_copies(node.bins), _mine(node.bins)):
                    self.shown(written, control)
                self.declare(scope, "@total", Known(node.bins.type))
            case BlocksOfThread():
                self.expressions((variable("@splits"),), scope)
                names = ("@begin", "@end", "@share") if node.shares_blocks else ("@begin", "@end")
                for name in names:
                    self.declare(scope, name, Known(INT, is_const=True))
                if node.shares_blocks:
                    self.declare(scope, "@parts", Known(PointerType(PointerType(node.bins.type))))
                return replace(control, varying=control.varying.union(names))
            case BinsOfWarps():
                self.expressions((variable(_bins(node.bins)),), scope)
                inside.declare("@first", Known(INT))
                inside.declare("@bin", Known(INT, is_const=True))
                below = replace(control, varying=control.varying | {"@bin"}, in_grid=False)
                left = self.nodes(node.body, inside, below)
                if left.read:
                    fault(self.name, f"`{min(left.read)}` is used again, and no barrier stands between")
            case TotalOfBlocks():
                self._needs_bins(node.bins)
                self.expressions(map(variable, ("@bin", "@begin", "@end", _bins(node.bins))), scope)
                inside.provide(("@split",), INT)
                self._passed(f"what blocks left of `{node.bins.name}`", node.left, node.bins.type, inside)
                self.declare(scope, "@total", Known(node.bins.type))
                return replace(control, varying=control.varying | {"@total"})
            case LeavePart():
                self.expressions(map(variable, ("@parts", "@total")), scope)
                return replace(control, copied=control.copied | {"@parts"})
            case TotalOfGroups():
                self.expressions(map(variable, ("@parts", "@total")), scope)
                self.shown("@parts", control)
                return replace(control, read=control.read | {"@parts"})
            case BucketCopies():
                self._needs_bins(node.bins)
                self.expressions((variable("@range"),), scope)
                self.declare(scope, "@copies", Known(PointerType(PointerType(node.bins.type))))
                for name in ("WARPS", "BINS"):
                    self.declare(scope, name, Known(INT, is_const=True))
                for name in ("@lane", "@warp", "@buckets"):
                    self.declare(scope, name, Known(UINT, is_const=True))
                return replace(control, varying=control.varying | {"@lane", "@warp"})
            case EachBucket():
                self._each_bucket(node, scope, control)
            case PairsOfWarp():
                return self._pairs_of_warp(node, scope, control)
            case BinsOfBucket():
                self._all_threads(control, f"the bins of `{node.bins.name}`")
                self.expressions(map(variable, ("@copies", "@active", "@bucket", "@begin", "@range", "BINS")), scope)
                self.shown("@copies", control)
                inside.declare("@bin", Known(LLONG, is_const=True))
                inside.declare("@total", Known(node.bins.type))
                self.nodes(node.body, inside, control.of_some)
                return replace(control, read=control.read | {"@copies"})
            case HotBins():
                self._needs_bins(node.bins)
                self._all_threads(control, f"the table of `{node.bins.name}`")
                self.declare(scope, _tags(node.bins), Known(PointerType(ULLONG)))
                self.declare(scope, _totals(node.bins), Known(PointerType(node.bins.type)))
                return replace(control, copied=control.copied | {_tags(node.bins)})
            case PutHot():
                self.expressions(map(variable, (_tags(node.bins), _totals(node.bins))), scope)
                self.shown(_tags(node.bins), control)
                self._passed(f"an update of `{node.bins.name}`", node.value, node.bins.type, scope)
                self._passed(f"an update of `{node.bins.name}`", node.to, PointerType(node.bins.type), scope)
                self.nodes(node.away, scope.inner(), control)
            case HotTotals():
                self._all_threads(control, f"the table of `{node.bins.name}`")
                self.expressions(map(variable, (_tags(node.bins), _totals(node.bins))), scope)
                self.shown(_tags(node.bins), control)
                inside.declare("@bin", Known(PointerType(node.bins.type), is_const=True))
                inside.declare("@total", Known(node.bins.type, is_const=True))
                self.nodes(node.body, inside, control.of_some)
        return control

    def _atomic(self, node: Atomic, scope: NameScope, control: Control) -> None:
        name = node.bins.name
        self._needs_bins(node.bins)
        if not node.bins.atomic:
            fault(self.name, f"values of `{name}` are put in order, and nothing combines them atomically")
        if control.is_uniform:
            fault(self.name, f"each thread puts the same value into a bin of `{name}`")
        self._passed(f"an atomic update of `{name}`", node.value, node.bins.type, scope)
        self._passed(f"an atomic update of `{name}`", node.to, PointerType(node.bins.type), scope)
        for named in sorted(names_of(node.to)):
            self.shown(_copies(node.bins) if named == _mine(node.bins) else named, control)

    def _add_in_order(self, node: AddInOrder, scope: NameScope, control: Control) -> None:
        self._needs_bins(node.bins)
        # Lanes that have no value come too, for they hand others on.
        self.meet("warp", control)
        update = f"an update of `{node.bins.name}`"
        self._passed(update, node.copy, PointerType(node.bins.type), scope)
        self._passed(update, node.bin, INT, scope)
        self._passed(update, node.value, node.bins.type, scope)
        if _mine(node.bins) in names_of(node.copy):
            self.shown(_copies(node.bins), control)

    def _copies(self, node: BinCopies, scope: NameScope) -> None:
        self.expressions((variable("@shared"),), scope)
        if node.among == "warp":
            self.declare(scope, "@copies", Known(INT, is_const=True))
        self.expressions((variable("@copies"),), scope)
        for bins in node.bins:
            self.expressions((variable(_bins(bins)),), scope)
            for name in (_copies(bins), _mine(bins)):
                self.declare(scope, name, Known(PointerType(bins.type), is_const=True))

    def _clear(self, node: ClearCopies, scope: NameScope, control: Control) -> Control:
        names = frozenset(map(_copies, node.bins))
        for bins in node.bins:
            self._needs_bins(bins)
            self._all_threads(control, f"the copies of `{bins.name}`")
            self.expressions(map(variable, ("@copies", _bins(bins), _copies(bins))), scope)
        used = sorted(names & control.read)
        if used:
            fault(self.name, f"`{used[0]}` is used again, and no barrier stands between")
        return replace(control, copied=control.copied | names)

    def _each_bucket(self, node: EachBucket, scope: NameScope, control: Control) -> None:
        self.expressions(map(variable, ("@buckets", "@starts", "WARPS")), scope)
        inside = scope.inner()
        for name in ("@bucket", "@low", "@high", "@active", "@share"):
            inside.declare(name, Known(UINT, is_const=name != "@bucket"))
        left = self.nodes(node.body, inside, replace(control, in_grid=False, level="bucket"))
        if left.read:
            fault(self.name, f"`{min(left.read)}` is used again, and no barrier stands between")

    def _pairs_of_warp(self, node: PairsOfWarp, scope: NameScope, control: Control) -> Control:
        if control.level != "bucket":
            fault(self.name, "a warp has pairs of no bucket")
        self._needs_bins(node.bins)
        needed = ["@warp", "@lane", "@active", "@low", "@high", "@share", "@bucket", "@keys", "@values", "@range"]
        needed += ["@places"] if node.bins.is_indexed else []
        self.expressions(map(variable, (*needed, "@copies", "BINS")), scope)
        inside = scope.inner()
        inside.declare("@bin", Known(INT))
        inside.declare("@value", Known(node.bins.type))
        # Some warps come, and all lanes of these.
        self.nodes(node.add, inside, replace(control.of_some, in_warps=True))
        return replace(control, copied=control.copied | {"@copies"})

    def again(self, control: Control, body: Iterable[Node]) -> None:
        """In the next row the copies are begun anew, which other threads may still read."""
        cleared = {_copies(bins) for node in body if isinstance(node, ClearCopies) for bins in node.bins}
        used = sorted(cleared & control.read)
        if used:
            fault(self.name, f"`{used[0]}` is used again in the next row, and no barrier stands between")

    def _copies_read(self, body: tuple[Node, ...]) -> frozenset[str]:
        return frozenset(_copies(each.bins) for each in blocks_in(body) if isinstance(each, TotalOfCopies))

    # ---- values ------------------------------------------------------------------------------------

    def values(self, node: _Values, scope: NameScope, control: Control) -> Control:
        """What values of a point go to."""
        match node:
            case PutInBin():
                self._put(node, scope, control)
            case PutAtOnce():
                inside = scope.inner()
                inside.declare("@bin", Known(LLONG))
                inside.declare("@value", Known(node.bins.type))
                self.nodes(node.put, inside, control.of_some)
                self.declare(scope, f"@to_{node.bins.name}", Known(node.bins.type))
                return replace(control, copied=control.copied | self._put_to(node.put))
            case ValueRun():
                self._needs_bins(node.bins)
                self.declare(scope, f"@{node.name}_last", Known(INT))
                self.declare(scope, f"@{node.name}_run", Known(node.bins.type))
                self.nodes(node.put, scope.inner(), control.of_some)
                if node.put:
                    self.declare(scope, f"@to_{node.name}", Known(node.bins.type))
            case EndRun():
                self.expressions((variable(f"@{node.name}_last"),), scope)
                self.nodes(node.put, scope.inner(), control.of_some)
                return replace(control, copied=control.copied | self._put_to(node.put))
            case KeptValue(update=update):
                self._needs_bins(update.bins)
                name = update.name
                if node.waits == "chunk":
                    self.declare(scope, f"@{name}_has", Known(BOOL))
                self.declare(scope, f"@{name}_bin", Known(LLONG if node.waits == "sort" else INT))
                self.declare(scope, f"@{name}_value", Known(update.bins.type))
                self.declare(scope, f"@to_{name}", Known(update.bins.type))
            case KeepOfChunk(update=update):
                kept = ("all", "has", "bins_of", "bin", "values", "value")
                self.expressions(map(variable, ("@k", *(f"@{update.name}_{part}" for part in kept))), scope)
            case PutChunk(update=update):
                self._needs_bins(update.bins)
                parts = ("all", "bins_of", "values", "last", "run")
                self.expressions(map(variable, (_mine(update.bins), *(f"@{update.name}_{p}" for p in parts))), scope)
                self.shown(_copies(update.bins), control)
            case KeepPair(update=update):
                needed = ["@begin", "@range", "@keys", "@values", f"@{update.name}_bin", f"@{update.name}_value"]
                needed += ["@places"] if update.bins.is_indexed else []
                self.expressions((node.place, *map(variable, needed)), scope)
                held = scope.find("@values")
                if held is None or held.type != PointerType(update.bins.type) or held.reads_only:
                    fault(self.name, f"`@values` is no place for values of `{update.name}`")
        return control

    def _put(self, node: PutInBin, scope: NameScope, control: Control) -> None:
        """Bins take values of their type, each of a point that one thread has."""
        self.expressions((node.bin, node.value), scope)
        bins = scope.find(f"@to_{node.to}")
        if bins is None:
            fault(self.name, f"there are no bins called `{node.to}`")
        for value, declared in ((node.bin, Parameter("bin", LLONG)), (node.value, Parameter("value", bins.type))):
            check_passed(self.name, f"an update of `{node.to}`", value, declared, scope)
        if control.is_uniform:
            fault(self.name, f"each thread puts the same value into a bin of `{node.to}`")

    # ---- points ------------------------------------------------------------------------------------

    def points(self, node: _Points, scope: NameScope, control: Control) -> Control:  # noqa: C901  (one case a kind)
        """How threads go through points, and what happens to each."""
        inside = scope.inner()
        match node:
            case PointElement():
                for declared in node.parameters:
                    inside.declare(declared.name, Known(declared.type, is_const=declared.is_const))
                self.nodes(node.body, inside, control.of_some)
                self.declare(scope, "@element", Known(INT))
                self.told = node.parameters
            case OfElement():
                self._of_element(node, scope, control)
            case CountOfPoints():
                self._count(node, scope)
            case ItemsInTurn():
                if control.level not in ("", "block"):
                    fault(self.name, f"points are given to {control.level}, and dealt out again")
                self.expressions((node.first, node.end, variable("@step")), scope)
                inside.declare("@at", Known(self.index))
                # All threads of a block go through the loop together, as far as blocks alone decide it.
                below = replace(control, level="grid", in_grid=False, varying=control.varying | {"@left"})
                self.nodes(node.body, inside, below)
                return replace(control, copied=control.copied | self._put_to(node.body))
            case EachItemOfGrid():
                self.expressions(map(variable, ("@items", "@step")), scope)
                inside.declare("@item", Known(self.index))
                self.nodes(node.body, inside, control.of_some)
            case ItemPlace():
                needed = ("@at", "@l", "@step") if node.in_flight else ("@at",)
                self.expressions(map(variable, needed), scope)
                self.declare(scope, "@item", Known(self.index, is_const=True))
                return replace(control, varying=control.varying | {"@item"})
            case PointPlace():
                found_from = ("@item", "@chunks" if node.in_chunks else "@inner")
                self.expressions(map(variable, found_from if node.in_runs else found_from[:1]), scope)
                own = (*(("@outer",) if node.in_runs else ()), *(("@x",) if node.has_point else ()))
                for name in own:
                    self.declare(scope, name, Known(self.index, is_const=True))
                return replace(control, varying=control.varying.union(own))
            case PointsThere():
                needed = ("@item", "@inner", "@x") if node.in_chunks else ("@item",)
                self.expressions((node.left, node.end, *map(variable, needed)), scope)
            case LoadPart():
                self.expressions((node.chunk, node.first, node.left), scope)
                self._passed("a chunk", node.first, node.chunk.type, scope, is_const=True)
            case ChunkOrPoints():
                self.expressions((node.left,), scope)
                self.nodes(node.whole, scope.inner(), control.of_some)
                inside.declare("@k", Known(INT))
                self.nodes(node.each, inside, control.of_some)
            case OneRun():
                self._one_run(node, scope, control)
                return replace(control, copied=control.copied | self._put_to((*node.whole, *node.last)))
            case PointsOfRuns():
                self._of_runs(node, scope, control)
                return replace(control, copied=control.copied | self._put_to((*node.body, *node.after)))
            case RunLengths():
                self.expressions((node.runs,), scope)
                inside.provide(("@run",), self.index)
                self.nodes(node.body, inside, control.of_some)
                if not inside.binds("@count"):
                    fault(self.name, "no length of a run is computed")
        return control

    def _of_element(self, node: OfElement, scope: NameScope, control: Control) -> None:
        self.expressions((variable("@element"),), scope)
        if control.is_uniform:
            fault(self.name, "each thread has the same point")
        if len(node.arguments) != len(self.told):
            fault(self.name, "an element is told another number of values than it takes")
        for argument, declared in zip(node.arguments, self.told, strict=True):
            self._passed("an element", argument, declared.type, scope, is_const=declared.is_const)

    def _count(self, node: CountOfPoints, scope: NameScope) -> None:
        self.expressions((node.inner, node.outers if node.has_items else None), scope)
        if node.inner is None and (node.has_chunks or node.has_items):
            fault(self.name, "chunks of no points are counted")
        named = {"@inner": node.inner is not None, "@chunks": node.has_chunks, "@items": node.has_items, "@step": True}
        for name, is_there in named.items():
            if is_there:
                self.declare(scope, name, Known(self.index, is_const=True))

    def _one_run(self, node: OneRun, scope: NameScope, control: Control) -> None:
        self.expressions((node.inner,), scope)
        around = scope.inner()
        around.provide(("@x",), self.index)
        self.nodes(node.address, around, control.of_some)
        self.expressions((load.first for load in node.loads), around)
        inside = scope.inner()
        inside.provide(("@at", "@step", "@inner"), self.index)
        chunk, last = inside.inner(), inside.inner()
        chunk.provide(("@l",), INT)
        if node.uses_point:
            chunk.provide(("@x",), self.index)
        for load in node.loads:
            chunk.declare(load.registers, Known(PointerType(PointerType(load.type))))
            last.declare(load.tail, Known(load.type))
        last.provide(("@tail",), self.index)
        self.nodes(node.whole, chunk, control.of_some)
        self.nodes(node.last, last, control.of_some)

    def _of_runs(self, node: PointsOfRuns, scope: NameScope, control: Control) -> None:
        self.expressions((node.runs, node.inner, node.first, variable("@starts")), scope)
        inside = scope.inner()
        inside.provide(("@runs", "@step", "@share", "@from", "@to", "@run", "@at"), self.index)
        if node.inner is not None:
            inside.provide(("@inner",), self.index)
        if node.counts:
            inside.provide(("@items",), self.index)
        self.expressions((node.end,), inside)
        inside.declare("@item", Known(self.index, is_const=True))
        below = replace(control, in_grid=False, varying=control.varying | {"@item", "@run"})
        self.nodes(node.before, inside, below)
        self.nodes(node.body, inside.inner(), below.of_some)
        self.nodes(node.after, inside, below)

    # ---- what they share ---------------------------------------------------------------------------

    def _needs_bins(self, bins: BinSet) -> None:
        self.needs("bins", bins.stem)

    def _all_threads(self, control: Control, what: str) -> None:
        """All threads of a block share the work on `what`."""
        if not self.comes("block", control):
            fault(self.name, f"not all threads come to {what}")

    def _passed(self, what: str, value: Expr, ctype: CType, scope: NameScope, is_const: bool = False) -> None:
        """`value` is of that type; a pointer leads to what may be written unless it `is_const`."""
        self.expressions((value,), scope)
        check_passed(self.name, what, value, Parameter("value", ctype, is_const), scope)

    def _put_to(self, nodes: tuple[Node, ...]) -> frozenset[str]:
        """The copies to which nodes add, of values that they put in bins too."""
        found: set[str] = set()
        for node in blocks_in(nodes):
            match node:
                case Atomic() | AddInOrder():
                    found |= {_mine(node.bins)}
                case PutHot():
                    found |= {_tags(node.bins)}
                case PutChunk():
                    found |= {_mine(node.update.bins)}
        return frozenset(found)


def _bins(bins: BinSet) -> str:
    """How many bins there are."""
    return f"@{bins.name}_bins"


def _copies(bins: BinSet) -> str:
    """All copies of a block."""
    return f"@{bins.name}_copies"


def _tags(bins: BinSet) -> str:
    """Which bins have a slot of the table of those that a block meets often."""
    return f"@{bins.name}_tags"


def _totals(bins: BinSet) -> str:
    """What came for them."""
    return f"@{bins.name}_totals"


def _mine(bins: BinSet) -> str:
    """The copy of a warp, whose updates need no barrier between them."""
    return f"@{bins.name}_mine"
