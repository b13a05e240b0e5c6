"""The functions of an entry point as the pass makes them: which there are, and what each does in which order."""

from __future__ import annotations

from pencilc.codegen.cexpr import expression
from pencilc.codegen.entry_bodies import with_functions
from pencilc.ir.build import ZERO, binary, variable
from pencilc.ir.entry_nodes import (
    AskCapture,
    AskMultiprocessors,
    CallDevice,
    CallQueue,
    CompareArrays,
    CopyIn,
    CopyOut,
    CountOneRound,
    Cover,
    EachRound,
    OpenCall,
    RefuseCapture,
    RefuseSizes,
    ReturnQueue,
    Succeed,
    TellDevice,
    TellPoints,
)
from pencilc.ir.host import CountedLaunch, Entry, EntryFunction, Fallback, HostFor, HostLet, PointsOfLaunch
from pencilc.ir.launching import HostValues, StartClusters
from pencilc.ir.nodes import Braces, If, Node, blocks_in
from pencilc.ir.source import FLOAT, INT
from tests.unit.codegen.broken import remade
from tests.unit.codegen.programs import file
from tests.unit.records import ROW_SUMS, SOFTMAX, SUM

COPY = "FOR(i, n) b[i] = a[i];"


def entry(body: str, **changes: object) -> Entry:
    """The entry point of a region, with other fields."""
    (found,) = file(body).entries
    return remade(found, **changes)


def functions(found: Entry) -> dict[str, EntryFunction]:
    """Its functions by what they are."""
    return {each.node: each for each in found.functions}


def kinds(nodes: tuple[Node, ...]) -> list[str]:
    """The classes of nodes."""
    return [type(each).__name__ for each in nodes]


def test_functions_stand_before_those_that_call_them() -> None:
    assert [each.node for each in entry(COPY).functions] == ["device", "host"]
    assert [each.node for each in entry(SUM).functions] == ["queue", "device", "workspace", "device_in", "host"]
    (first, *_) = entry(COPY, name="max_", symbol="max").functions
    assert (first.node, first.name, first.symbol, first.body) == ("link_name", "max_", "max", ())


def test_all_of_them_call_what_is_queued() -> None:
    found = functions(entry(SUM))
    queue = found["queue"]
    assert queue.name == "pencilc_queue_f" and isinstance(queue.body[-1], Succeed)
    for name in ("device", "device_in"):
        assert isinstance(found[name].body[-1], ReturnQueue)
    for name in ("device", "workspace", "device_in"):
        assert {each.function for each in found[name].body if isinstance(each, CallQueue)} == {queue.name}
    assert not any(isinstance(each, OpenCall | AskCapture) for each in found["device"].body + found["device_in"].body)


def test_capture_is_refused_where_the_host_waits() -> None:
    found = functions(entry(SUM, waits=True))
    opened, asked = found["device"].body[1:3]
    assert isinstance(opened, OpenCall) and isinstance(asked, If) and expression(asked.condition) == "@call.capturing"
    assert kinds(asked.then) == ["BeginCounting", "CallQueue", "If"]
    (last,) = (each for each in found["device_in"].body if isinstance(each, If))
    assert expression(last.condition) == "@counted.waits && @status != cudaStreamCaptureStatusNone"
    assert last.then == (RefuseCapture(),)


def test_what_is_queued_begins_with_what_launches_have_in_common() -> None:
    refused = binary("<", variable("n"), ZERO)
    queue = functions(entry(SUM, refused=refused, uses_multiprocessors=True, flags=("k",)))["queue"].body
    first = queue[0]
    assert first == If(refused, (RefuseSizes(),))
    assert kinds(queue[1:3]) == ["AskMultiprocessors", "TellDevice"]
    flags = [each.values[0].name for each in queue if isinstance(each, HostValues) and each.varies]
    assert flags == ["@k_fits"]
    bare = functions(entry(COPY, uses_multiprocessors=True))["device"].body
    assert any(isinstance(each, AskMultiprocessors) for each in bare) and not any(
        isinstance(each, TellDevice) for each in bare
    )


def test_launches_stand_in_their_loops_and_conditions() -> None:
    (launch, *_) = (made := entry(COPY)).items
    loop = HostFor(INT, "t", ZERO, variable("n"), 2, (launch,), counts_once=True)
    (round_, _) = functions(remade(made, uses_multiprocessors=False, items=(loop,)))["device"].body
    assert isinstance(round_, EachRound) and round_.step == 2 and isinstance(round_.body[-1], CountOneRound)
    plain = HostFor(INT, "t", ZERO, variable("n"), 2, (launch,))
    (round_, _) = functions(remade(made, uses_multiprocessors=False, items=(plain,)))["device"].body
    assert isinstance(round_, EachRound) and not isinstance(round_.body[-1], CountOneRound)
    let = HostLet(INT, "t", ZERO, (launch,))
    points = CountedLaunch((PointsOfLaunch("k", "k", variable("n"), True),), (Fallback("k", (let,)),))
    counted, unless, _ = functions(remade(made, uses_multiprocessors=False, items=(points,)))["device"].body
    assert counted == TellPoints("k", "k", variable("n"), True)
    assert isinstance(unless, If) and expression(unless.condition) == "!@k_fits"
    (braces,) = unless.then
    assert isinstance(braces, Braces) and isinstance(braces.body[0], HostValues) and not braces.body[0].varies


def test_fused_kernels_reserve_before_what_stands_behind_them() -> None:
    (made,) = file(SOFTMAX).entries
    in_clusters, unless = (
        each
        for each in blocks_in(functions(made)["queue"].body)
        if isinstance(each, If) and expression(each.condition) == "!@f_stitched0_fits"
    )
    assert any(isinstance(each, StartClusters) for each in in_clusters.then)
    assert not any(isinstance(each, StartClusters) for each in blocks_in(unless.then)) and unless.then


def test_the_host_copies_around_its_call() -> None:
    host = functions(entry(ROW_SUMS))["host"].body
    (called,) = (each for each in host if isinstance(each, CallDevice))
    at = host.index(called)
    copies = [(type(each), host.index(each) < at) for each in host if isinstance(each, CopyIn | CopyOut)]
    assert set(copies) == {(CopyIn, True), (CopyOut, False)}
    (compared,) = (each for each in host if isinstance(each, CompareArrays))
    assert host.index(compared) < at and any(each.is_written for each in compared.arrays)
    assert any(isinstance(each, If) and isinstance(each.then[0], Cover) for each in host)


def test_a_result_comes_back_last() -> None:
    made = entry(SUM, returns=FLOAT, result=True, zero=" {}")
    host = functions(made)["host"]
    assert host.returns == FLOAT and kinds(host.body[-3:]) == ["CopyResult", "WaitForStream", "ReturnResult"]
    assert all(getattr(each, "zero", " {}") == " {}" for each in host.body)
    assert with_functions(made).functions == made.functions
