"""Rules for the choices of a launch: whatever the sizes are, its work is launched, and once.

All paths through the body of a launch are taken (launch_paths.py).  What has forms of which one does the work, or a
launch of its own where the others leave something, says so (`WorkOfLaunch`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pencilc.codegen.control import fault
from pencilc.codegen.launch_nodes import SPLITS, above, both
from pencilc.codegen.launch_packed import fits_in_pack
from pencilc.codegen.launch_paths import STARTS, Path, paths
from pencilc.ir.build import negation
from pencilc.ir.launches import (
    ChoiceOfBins,
    KernelLaunch,
    LaunchBins,
    LaunchPacked,
    OrderedBins,
    PrivateBins,
    SortedBins,
    StepOfBins,
    WholeBins,
)
from pencilc.ir.launching import Configure, ReserveBytes, ReserveLeft, StartOneOf
from pencilc.ir.nodes import Braces, If, Node, blocks_in, variables_of
from pencilc.ir.source import Expr, walk
from pencilc.records import dataclass


@dataclass(frozen=True, slots=True)
class WorkOfLaunch:
    """What one of `forms` does, each of which is some functions: where `condition` holds, if there is one.

    `behind`: a function without which there is none of this work.
    """

    forms: tuple[frozenset[str], ...]
    condition: Expr | None = None
    behind: str = ""


def work_of(launch: KernelLaunch) -> tuple[WorkOfLaunch, ...]:
    """The work of a launch that has several functions started; none where all are forms of one."""
    match launch:
        case LaunchBins():
            return tuple(_work_of_bins(launch, None))
        case LaunchPacked():
            found = [WorkOfLaunch((frozenset((launch.whole.name,)),))]
            for part in launch.parts:
                if part.overflow is not None:
                    found += _work_of_bins(part.overflow, both(negation(fits_in_pack(part)), part.condition))
            return tuple(found)
    return ()


def _work_of_bins(launch: LaunchBins, condition: Expr | None) -> Iterator[WorkOfLaunch]:
    """The lengths of rows; copies or the whole array, or a sort for each reduction; what brings copies together."""
    if launch.lengths is not None:
        yield WorkOfLaunch((frozenset((launch.lengths.name,)),), condition)
    steps = [inner for each in launch.steps for inner in _forms_in(each)]
    yield WorkOfLaunch(tuple(frozenset(_started_by(each)) for each in steps), condition)
    for step in steps:
        if isinstance(step, OrderedBins):
            for each in step.finishing:
                yield WorkOfLaunch((frozenset((each.function.name,)),), above(SPLITS, 1), step.function.name)


def _forms_in(step: StepOfBins) -> tuple[PrivateBins | WholeBins | SortedBins, ...]:
    match step:
        case ChoiceOfBins():
            return (*_forms_in(step.private), *_forms_in(step.whole))
        case PrivateBins() | WholeBins() | SortedBins():
            return (step,)
    return ()


def _started_by(form: PrivateBins | WholeBins | SortedBins) -> Iterator[str]:
    if isinstance(form, SortedBins):
        for sort in form.sorts:
            yield from (sort.pairs.name, sort.buckets.name)
    else:
        yield form.function.name


def verify_choices(where: str, body: tuple[Node, ...], flag: str, work: Sequence[WorkOfLaunch] = ()) -> None:
    """Raise CompilerBug where a path through `body` launches nothing though there is work, or some of it twice.

    `flag`: the variable that tells those behind whether the work is done; empty where none does it otherwise.
    """
    reached: set[int] = set()
    for path in paths(body):
        path.take(body)
        reached |= path.reached
        _verify_path(where, path, flag, work)
    starts = [each for each in blocks_in(body) if isinstance(each, STARTS) and not _is_case(each, body)]
    if any(id(each) not in reached for each in starts):
        # A form that no size takes, because of the launch parameters, is none that nobody ever could take.
        for path in paths(body, free=True):
            path.take(body)
            reached |= path.reached
    if any(id(each) not in reached for each in starts):
        fault(where, "a launch is reached on no path")
    _verify_memory(where, body)


def _verify_path(where: str, path: Path, flag: str, work: Sequence[WorkOfLaunch]) -> None:
    told = path.values.get(flag, True)
    if not work and path.started > 1:
        fault(where, "a path launches the same work twice")
    if flag and not told and path.started:
        fault(where, f"`{flag}` does not hold where the kernel is launched")
    if told and not path.started and not path.is_idle:
        fault(where, f"`{flag}` holds where nothing is launched" if flag else "a path launches nothing")
    started = path.functions
    twice = sorted(name for name, count in started.items() if count > 1)
    if twice:
        fault(where, f"a path launches `{twice[0]}` twice")
    for each in work:
        done = [form for form in each.forms if form <= started.keys()]
        begun = sorted(name for form in each.forms if form not in done for name in form & started.keys())
        is_there = (each.condition is None or path.holds(each.condition)) and (
            not each.behind or each.behind in started
        )
        names = " or ".join(f"`{min(form)}`" for form in each.forms)
        if begun or len(done) > 1 or (done and not is_there):
            fault(where, f"a path launches {names} where other launches do the work")
        if is_there and not done and (each.condition is not None or not path.is_idle):
            fault(where, f"a path launches nothing of {names}")


def _is_case(node: Node, body: tuple[Node, ...]) -> bool:
    """Whether a launch is one of the cases of another."""
    cases = (case.start for each in blocks_in(body) if isinstance(each, StartOneOf) for case in each.cases)
    return any(node is each for each in cases)


# ---- memory ------------------------------------------------------------------------------------------


def _verify_memory(where: str, body: tuple[Node, ...]) -> None:
    """What blocks leave for each other has memory where a launch has several of them, by the same condition."""
    for position, node in enumerate(body):
        match node:
            case ReserveLeft() | ReserveBytes() if node.when is not None:
                if isinstance(node, ReserveLeft) and not any(each == node.when for each in walk(node.tickets)):
                    fault(where, "tickets are reserved by another condition than what blocks leave for each other")
                asked = variables_of(node.when)
                grids = [each.grid for each in blocks_in(body[position + 1 :]) if isinstance(each, Configure)]
                if not any(asked <= variables_of(grid) for grid in grids):
                    names = ", ".join(sorted(asked))
                    fault(where, f"memory is reserved by `{names}`, and no grid behind it has so many blocks")
            case Braces():
                _verify_memory(where, node.body)
            case If():
                _verify_memory(where, node.then)
                _verify_memory(where, node.otherwise)
