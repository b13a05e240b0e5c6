"""Rules for what the entry point does to launch kernels: names and types, memory, and what functions are given."""

from __future__ import annotations

from collections.abc import Mapping

from pencilc.codegen.control import Control, fault
from pencilc.codegen.expression_rules import check_assigned, check_given
from pencilc.codegen.kernel_types import FileScope, Known, NameScope
from pencilc.codegen.kernel_walk import Walk
from pencilc.ir.build import UNSIGNED, declare, generated_type, variable
from pencilc.ir.kernel import KernelFunction
from pencilc.ir.launching import (
    AllowShared,
    AskHeld,
    AskResident,
    AskShared,
    BlockSides,
    ChooseTiles,
    Configure,
    CopyBack,
    EachLaunch,
    GridSides,
    HeldForms,
    HostValues,
    Remark,
    ReserveBarrier,
    ReserveBytes,
    ReserveForParts,
    ReserveLeft,
    ReserveParts,
    SortInBuckets,
    StartClusters,
    StartedFunction,
    StartHeld,
    StartKernel,
    StartLong,
    StartOneOf,
    TwoPlaces,
)
from pencilc.ir.nodes import Braces, BuildingBlock, Node, blocks_in, names_of
from pencilc.ir.shapes import TileSize
from pencilc.ir.source import CHAR, INT, LLONG, Call, IntLiteral, PointerType
from pencilc.target import MAX_WIDE

_CONFIG = generated_type("cudaLaunchConfig_t")
_SIZE = variable("@size", INT)
# What the text of building blocks takes of what is computed before them.
_TAKEN: dict[type, tuple[str, ...]] = {
    SortInBuckets: ("@items", "@all_bins"),
    EachLaunch: ("@launches",),
    ReserveForParts: ("@partial_bytes", "@ticket_count"),
}


def _taken(node: Node) -> tuple[str, ...]:
    """What the text of a node takes besides what its expressions name."""
    parts = node.parts if isinstance(node, ReserveForParts) else ()
    placed = (f"@{what}_at{part.number}" for part in parts for what in ("partials", "tickets"))
    return (*_TAKEN.get(type(node), ()), *placed)


class LaunchWalk(Walk):
    """Walks through the bodies of launches; `found` are the functions that they start."""

    def __init__(self, file: FileScope, name: str, functions: Mapping[str, KernelFunction]) -> None:
        super().__init__(file, name)
        self.functions = functions
        self.found: set[str] = set()
        self.grid: GridSides | None = None
        self.held: tuple[int, ...] = ()  # chunks of a thread in the forms to choose from
        self.sizes: tuple[TileSize, ...] = ()  # of tiles, to choose from

    def launch(self, body: tuple[Node, ...], scope: NameScope) -> None:
        """The body of a launch."""
        self.nodes(body, scope, Control())
        self.computed(body)

    def computed(self, body: tuple[Node, ...]) -> None:
        """What a launch computes, something in it takes."""
        values = (each for each in blocks_in(body) if isinstance(each, HostValues))
        declared = {named.name for each in values for named in each.values}
        taken = names_of(*(each for each in blocks_in(body)))
        taken |= {name for each in blocks_in(body) for name in _taken(each)}
        idle = declared - taken
        if idle:
            fault(self.name, f"a launch declares `{min(idle)}`, which nothing uses")

    def block(self, node: BuildingBlock, scope: NameScope, control: Control) -> Control:  # noqa: C901  (one case a kind)
        """One building block of the host; the others are those of kernels."""
        match node:
            case Remark():
                pass
            case Braces():
                self.nodes(node.body, scope.inner(), control)
            case HostValues():
                self.host_values(node, scope)
            case BlockSides() | GridSides():
                self.expressions(node.sides, scope)
                self.grid = node if isinstance(node, GridSides) else self.grid
                name = "@block" if isinstance(node, BlockSides) else "@grid"
                self.declare(scope, name, Known(generated_type("dim3"), is_const=True))
            case AskShared() | AskHeld() | AskResident() | AllowShared():
                self._of_device(node, scope)
            case ChooseTiles():
                self._chosen(node, scope)
            case ReserveLeft() | ReserveParts() | ReserveBarrier() | ReserveBytes() | ReserveForParts() | TwoPlaces():
                self._reserved(node, scope)
            case Configure():
                self.expressions((node.grid, node.block, node.shared, node.together), scope)
                self.declare(scope, "@config", Known(_CONFIG))
            case StartKernel():
                self._configured(scope)
                self._started_with(node.function, node.numbers, scope)
            case StartOneOf():
                self._one_of(node, scope)
            case HeldForms():
                if not node.forms:
                    fault(self.name, "a launch has no forms to choose from")
                self.declare(scope, "@forms", Known(generated_type("pencilc_form")))
                self.held = tuple(each.chunks for each in node.forms)
            case StartHeld():
                if node.shared and node.shared not in self.held:
                    fault(self.name, f"several rows of a warp want {node.shared} chunks of a lane, which no form has")
                self.expressions((variable("@forms"), node.threads, node.rows, node.chunks, node.most), scope)
                self._arguments_of(node.function, scope)
            case StartClusters():
                self.expressions((node.rows, node.most, node.rounds, node.static, variable(node.fits)), scope)
                self._arguments_of(node.function, scope)
            case StartLong():
                self.expressions((node.blocks, node.bytes, node.static, variable(node.fits)), scope)
                self._arguments_of(node.function, scope)
            case CopyBack():
                self.expressions((node.source, variable(node.name)), scope)
            case SortInBuckets():
                self._sort(node, scope)
            case EachLaunch():
                self.expressions((variable("@launches", LLONG),), scope)
                inside = scope.inner()
                inside.provide(("@launch",), LLONG)
                self.nodes(node.body, inside, control)
            case _:
                fault(self.name, f"a {type(node).__name__} stands where the host launches kernels")
        return control

    def host_values(self, node: HostValues, scope: NameScope) -> None:
        """Values, each of which those behind it may name."""
        for each in node.values:
            self.expressions((each.value,), scope)
            check_assigned(self.name, declare(each.name, node.type, each.value), scope)
            self.declare(scope, each.name, Known(node.type, is_const=not node.varies))

    def _of_device(self, node: AskShared | AskHeld | AskResident | AllowShared, scope: NameScope) -> None:
        match node:
            case AskShared():
                for name in (node.of_block, node.of_multiprocessor):
                    self.declare(scope, name, Known(INT))
            case AskHeld():
                self._function_of(node.function)
                self.declare(scope, "@held", Known(LLONG))
            case AskResident():
                self.expressions((node.shared,), scope)
                self._function_of(node.function)
                self.declare(scope, "@resident", Known(INT))
            case AllowShared():
                self.expressions((node.limit,), scope)
                self._function_of(node.function)

    def _chosen(self, node: ChooseTiles, scope: NameScope) -> None:
        """A size of tiles, whose kernel is started as the place of it says."""
        inside = scope.inner()
        inside.provide(("@down", "@across"), INT)
        self.expressions((node.tiles, node.rounds), inside)
        self.expressions((node.points, node.shares, node.splits), scope)
        self.sizes = tuple(cost.size for cost in node.costs)
        for name in ("@size", "@down", "@across"):
            self.declare(scope, name, Known(INT, is_const=True))
        if node.shares is not None:
            self.declare(scope, "@splits", Known(UNSIGNED, is_const=True))

    def _reserved(
        self,
        node: ReserveLeft | ReserveParts | ReserveBarrier | ReserveBytes | ReserveForParts | TwoPlaces,
        scope: NameScope,
    ) -> None:
        """What is reserved is there for what is launched behind it."""
        match node:
            case ReserveLeft():
                self.expressions((node.values, node.tickets, node.when), scope)
                self.declare(scope, "@partials", Known(PointerType(node.type)))
                self.declare(scope, "@tickets", Known(PointerType(UNSIGNED)))
            case ReserveParts():
                self.expressions((node.values,), scope)
                self.declare(scope, "@partials", Known(PointerType(node.type)))
            case ReserveBarrier():
                self.expressions((node.bytes,), scope)
                self.declare(scope, "@barrier", Known(PointerType(UNSIGNED)))
            case ReserveBytes():
                self.expressions((node.bytes, node.when), scope)
                self.declare(scope, node.name, Known(PointerType(CHAR)))
            case ReserveForParts():
                self.expressions((variable("@partial_bytes"), variable("@ticket_count")), scope)
                for part in node.parts:
                    n = part.number
                    self.expressions((variable(f"@partials_at{n}"), variable(f"@tickets_at{n}")), scope)
                    self.declare(scope, f"@partials{n}", Known(PointerType(part.type)))
                    self.declare(scope, f"@tickets{n}", Known(PointerType(UNSIGNED)))
            case TwoPlaces():
                pointer = PointerType(node.type)
                self.expressions((variable(node.array, pointer), node.other), scope)
                for name in (node.taken, node.left):
                    self.declare(scope, name, Known(pointer))

    def _sort(self, node: SortInBuckets, scope: NameScope) -> None:
        """Each pass is told which bins it takes, and has the two halves of what is sorted."""
        sort, inside = node.sort, scope.inner()
        self.expressions((variable("@items", LLONG), variable("@all_bins", LLONG)), scope)
        kept = PointerType(sort.bins.type)
        inside.provide(("@begin", "@first", "@end"), LLONG)
        inside.provide(("@range",), UNSIGNED)
        inside.provide(("@keys",), PointerType(PointerType(UNSIGNED)))
        inside.provide(("@payloads",), PointerType(PointerType(UNSIGNED) if sort.bins.is_indexed else kept))
        inside.provide(("@values",) if sort.bins.is_indexed else (), kept)
        pairs, buckets = inside.inner(), inside.inner()
        self._arguments_of(sort.pairs, pairs)
        buckets.provide(("@starts",), PointerType(UNSIGNED))
        buckets.provide(("@side",), INT)
        self._arguments_of(sort.buckets, buckets)

    # ---- launches ----------------------------------------------------------------------------------

    def _configured(self, scope: NameScope) -> None:
        if scope.find("@config") is None:
            fault(self.name, "a kernel is started, and nothing says with how many blocks")

    def _one_of(self, node: StartOneOf, scope: NameScope) -> None:
        self.expressions((node.value,), scope)
        numbers = [case.number for case in node.cases]
        if len(set(numbers)) < len(numbers):
            fault(self.name, f"one of the cases {', '.join(map(str, numbers))} stands twice")
        for case in node.cases:
            made_for = case.start.numbers
            if node.value == _SIZE:
                is_right = case.number < len(self.sizes) and self.sizes[case.number].numbers == made_for
            else:
                is_right = case.number in made_for
            if not is_right:
                fault(self.name, f"`{case.start.instance}` is started for {case.number}")
            self.nodes((case.start,), scope, Control())

    def _started_with(self, called: StartedFunction, numbers: tuple[int, ...], scope: NameScope) -> None:
        """The arguments are those that the parameters take, in type and number; so are the numbers of a template."""
        function = self._arguments_of(called, scope)
        if function.covers and not self._has_all_blocks():
            fault(self.name, f"`{called.name}` has a point for each thread along x, and is launched with fewer of them")
        if len(numbers) != len(function.numbers):
            fault(self.name, f"`{called.name}` is launched for {len(numbers)} numbers and has {len(function.numbers)}")

    def _has_all_blocks(self) -> bool:
        """Whether the grid has as many blocks along x as the points need, whatever their number is."""
        match self.grid:
            case GridSides(sides=(Call(function="pencilc_blocks", arguments=(_, _, IntLiteral(value=most))), *_)):
                return most == MAX_WIDE
        return False

    def _arguments_of(self, called: StartedFunction, scope: NameScope) -> KernelFunction:
        function = self._function_of(called)
        self.expressions(called.arguments, scope)
        if len(called.arguments) != len(function.parameters):
            fault(self.name, f"`{called.name}` is launched with another number of arguments than it has parameters")
        for argument, declared in zip(called.arguments, function.parameters, strict=True):
            check_given(self.name, f"`{called.name}`", argument, declared, scope)
        return function

    def _function_of(self, called: StartedFunction) -> KernelFunction:
        self.found.add(called.name)
        function = self.functions.get(called.name)
        if function is None:
            fault(self.name, f"`{called.name}` is launched, and is no kernel")
        return function
