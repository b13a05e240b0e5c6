"""What the functions of an entry point do around launches: calls of each other, scratch memory, copies, loops.

A macro of `templates/entry.cu.j2` prints each building block; which of them stands where, codegen/entry_bodies.py says.
Stage: kernels.
"""

from __future__ import annotations

from typing import ClassVar

from pencilc.ir.nodes import BuildingBlock, Node
from pencilc.ir.source import CType, Expr, Factor
from pencilc.records import dataclass

# ---- memory of a call --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class BeginCall(BuildingBlock):
    """`@call`: the scratch memory of a call on `@stream`."""

    node: ClassVar[str] = "begin_call"


@dataclass(frozen=True, slots=True)
class BeginCounting(BuildingBlock):
    """`@counted`: a call that only counts how much memory it takes."""

    node: ClassVar[str] = "begin_counting"


@dataclass(frozen=True, slots=True)
class OpenCall(BuildingBlock):
    """`@call` finds out whether its stream is captured."""

    node: ClassVar[str] = "open_call"


@dataclass(frozen=True, slots=True)
class OpenCallIn(BuildingBlock):
    """`@call` has its memory in the `@workspace` of the caller, of as many `@bytes` as were `@counted`."""

    node: ClassVar[str] = "open_call_in"


@dataclass(frozen=True, slots=True)
class AskCapture(BuildingBlock):
    """`@status`: whether the stream is captured."""

    node: ClassVar[str] = "ask_capture"


@dataclass(frozen=True, slots=True)
class TellBytes(BuildingBlock):
    """The caller is told how many bytes were `@counted`."""

    node: ClassVar[str] = "tell_bytes"


# ---- functions of an entry point that call each other, and their ends --------------------------------


@dataclass(frozen=True, slots=True)
class CallQueue(BuildingBlock):
    """The function that queues is called; where it fails, this one ends with its error."""

    node: ClassVar[str] = "call_queue"

    symbol: str
    arguments: tuple[Expr, ...]

    @property
    def function(self) -> str:
        """Its name."""
        return f"pencilc_queue_{self.symbol}"


@dataclass(frozen=True, slots=True)
class ReturnQueue(CallQueue):
    """The end of a function: what the one that queues returns."""

    node: ClassVar[str] = "return_queue"


@dataclass(frozen=True, slots=True)
class Succeed(BuildingBlock):
    """The end of a function on device pointers: all is queued."""

    node: ClassVar[str] = "succeed"


@dataclass(frozen=True, slots=True)
class RefuseSizes(BuildingBlock):
    """An end for sizes that the function does not take."""

    node: ClassVar[str] = "refuse_sizes"
    is_line: ClassVar[bool] = True


@dataclass(frozen=True, slots=True)
class RefuseCapture(BuildingBlock):
    """An end where the host would wait for a stream that is captured."""

    node: ClassVar[str] = "refuse_capture"
    is_line: ClassVar[bool] = True


# ---- around launches ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class AskMultiprocessors(BuildingBlock):
    """`@multiprocessors` of the `@device`."""

    node: ClassVar[str] = "ask_multiprocessors"


@dataclass(frozen=True, slots=True)
class TellDevice(BuildingBlock):
    """`@call` is told the `@device`."""

    node: ClassVar[str] = "tell_device"


@dataclass(frozen=True, slots=True)
class EachRound(BuildingBlock):
    """`for (type name = lower; name < upper; name += step)` around launches; `factor`: as of the loop of the entry."""

    node: ClassVar[str] = "each_round"

    type: CType
    name: str
    lower: Expr
    upper: Expr
    step: int
    body: tuple[Node, ...]
    factor: Factor | None = None


@dataclass(frozen=True, slots=True)
class CountOneRound(BuildingBlock):
    """The end of a round: where memory is only counted there is no other, for all take the same."""

    node: ClassVar[str] = "count_one_round"


@dataclass(frozen=True, slots=True)
class TellPoints(BuildingBlock):
    """The CPU executor is told how many independent `points` the next launch of `function`, for `kernel`, has.

    Unless it `begins`, the larger number of this and those told before counts.
    """

    node: ClassVar[str] = "tell_points"

    kernel: str
    function: str
    points: Expr
    begins: bool


# ---- the function on host pointers -------------------------------------------------------------------

# Where something fails it returns `zero`, which is empty where it returns nothing.


@dataclass(frozen=True, slots=True)
class OfArray(BuildingBlock):
    """What is done for the array `name`: for `@name_range`, the elements that are copied, and `@name_copy`."""

    name: str

    @property
    def range(self) -> str:
        """The elements that are copied."""
        return f"@{self.name}_range"

    @property
    def copy(self) -> str:
        """The array on the device."""
        return f"@{self.name}_copy"


@dataclass(frozen=True, slots=True)
class TouchedElements(OfArray):
    """The range, of no elements so far."""

    node: ClassVar[str] = "touched_elements"


@dataclass(frozen=True, slots=True)
class Cover(OfArray):
    """The elements from `first` to `last` are in the range."""

    node: ClassVar[str] = "cover"
    is_line: ClassVar[bool] = True

    first: Expr
    last: Expr


@dataclass(frozen=True, slots=True)
class Clip(OfArray):
    """None from `count` on are."""

    node: ClassVar[str] = "clip"

    count: Expr


@dataclass(frozen=True, slots=True)
class CopyIn(OfArray):
    """The copy, as large as the range; `is_copied`: with what the host has there."""

    node: ClassVar[str] = "copy_in"

    type: CType
    is_copied: bool
    zero: str


@dataclass(frozen=True, slots=True)
class ClearCopy(OfArray):
    """The copy holds zeros, for what the launches leave as it is comes back too."""

    node: ClassVar[str] = "clear_copy"

    zero: str


@dataclass(frozen=True, slots=True)
class CopyOut(OfArray):
    """What the device has left in the copy goes back."""

    node: ClassVar[str] = "copy_out"

    zero: str


@dataclass(frozen=True, slots=True)
class ComparedArray:
    """An array that may share no element with one that is written."""

    name: str
    type: CType
    is_written: bool


@dataclass(frozen=True, slots=True)
class CompareArrays(BuildingBlock):
    """The function ends where arrays lie in each other."""

    node: ClassVar[str] = "compare_arrays"

    function: str
    arrays: tuple[ComparedArray, ...]
    zero: str


@dataclass(frozen=True, slots=True)
class OpenThread(BuildingBlock):
    """`@stream`: that of the thread which calls."""

    node: ClassVar[str] = "open_thread"

    zero: str


@dataclass(frozen=True, slots=True)
class PlaceResult(BuildingBlock):
    """`@result`, and `@return_copy`: where the device leaves it."""

    node: ClassVar[str] = "place_result"

    type: CType
    zero: str


@dataclass(frozen=True, slots=True)
class CallDevice(BuildingBlock):
    """The function on device pointers is called with the copies."""

    node: ClassVar[str] = "call_device"

    symbol: str
    arguments: tuple[Expr, ...]
    zero: str

    @property
    def function(self) -> str:
        """Its name."""
        return f"{self.symbol}_device"


@dataclass(frozen=True, slots=True)
class CopyResult(BuildingBlock):
    """What the device has left for `@result` goes there."""

    node: ClassVar[str] = "copy_result"

    zero: str


@dataclass(frozen=True, slots=True)
class WaitForStream(BuildingBlock):
    """All is done behind it."""

    node: ClassVar[str] = "wait_for_stream"

    zero: str


@dataclass(frozen=True, slots=True)
class ReturnResult(BuildingBlock):
    """The end of the function on host pointers, if it returns something."""

    node: ClassVar[str] = "return_result"
