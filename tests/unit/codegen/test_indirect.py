"""Values that go to bins which the data choose."""

from __future__ import annotations

from pencilc.codegen.hostloops import launches_in
from pencilc.codegen.indirect import launch_of_bins, scatter_of
from pencilc.ir.bins import OfElement, OneRun, PointElement, PutInBin, Scatter
from pencilc.ir.kernel import KernelFunction
from pencilc.ir.launches import (
    ChoiceOfBins,
    LaunchBins,
    OrderedBins,
    PointsOfBins,
    PrivateBins,
    RoomOfBins,
    SortedBins,
    WholeBins,
)
from pencilc.ir.nodes import Parameter
from pencilc.ir.shapes import IndirectKernel
from pencilc.ir.source import INT, PointerType
from pencilc.options import CompileOptions
from tests.unit.codegen.programs import N, entry, functions, node, nodes, program, told
from tests.unit.records import BINS

ATOMIC = CompileOptions(determinism="none")
# More than shared memory holds.
MANY = "float t[262144]; FOR(k, 262144) INIT(&t[k], zero); FOR(i, n) UPDATE(&t[i % 262144], a[i], add); b[0] = t[1];"

ORDERED = "FOR(k, n) INIT(&b[k], zero); FOR(i, n) UPDATE(&b[p[i]], a[i], add);"
ROWS = "FOR(i, n) FOR(k, m) INIT(&y[i][k], zero); FOR(i, n) FOR(j, m) UPDATE(&y[i][q[j]], x[i][j], add);"
LARGE = "FOR(k, n) INIT(&p[k], izero); FOR(j, m) UPDATE(&p[q[j]], 1, iadd);"


def made(body: str) -> dict[str, KernelFunction]:
    """The functions of the kernel that fills bins, by their shapes."""
    return {each.shape: each for each in functions(body).values() if each.shape.startswith("indirect")}


def scatter(body: str, shape: str) -> Scatter:
    """What a function of this shape is made of."""
    return scatter_of(made(body)[shape])


def put(body: str, shape: str) -> str:
    """What is done for a point."""
    last = node(made(body)[shape], PointElement).body[-1]
    assert isinstance(last, PutInBin)
    return f"{last.to}({', '.join(told(last.bin, last.value))})"


def test_few_bins_have_private_copies_alone() -> None:
    assert list(made(BINS)) == ["indirect_shared"] and put(BINS, "indirect_shared") == "h(@p_element, 1)"
    (found,) = scatter(BINS, "indirect_shared").results
    assert (found.bins.atomic, found.bins.type) == ("atomicAdd", INT)
    assert told(found.count, found.at) == ["40", "h[@bin]"]
    assert scatter(BINS, "indirect_shared").inner == N and scatter(BINS, "indirect_shared").outers is None


def test_bins_of_run_time_number_have_a_form_in_memory_too() -> None:
    assert list(made(LARGE)) == ["indirect_shared", "indirect_global"]
    assert made(LARGE)["indirect_global"].helpers == () and made(LARGE)["indirect_shared"].helpers != ()


def test_floating_values_are_put_in_order() -> None:
    assert list(made(ORDERED)) == ["indirect_ordered", "indirect_finish", "indirect_pairs", "indirect_buckets"]
    assert [site.name for site in scatter(ORDERED, "indirect_ordered").sites] == ["b"]
    (found,) = scatter(ORDERED, "indirect_ordered").results
    assert found.bins.atomic == "" and found.home is not None and told(found.home.value) == ["add(b[@bin], @total)"]


def test_each_form_is_given_what_it_works_on() -> None:
    names = {shape: {p.name for p in each.parameters} for shape, each in made(ORDERED).items()}
    assert {"@b_bins", "@b_partials"} <= names["indirect_ordered"] and "@splits" in names["indirect_finish"]
    assert {"@first", "@end", "@begin", "@range", "@keys", "@values"} <= names["indirect_pairs"]
    assert "@starts" in names["indirect_buckets"] and "@first" not in names["indirect_buckets"]
    partials = next(p for p in made(ORDERED)["indirect_finish"].parameters if p.name == "@b_partials")
    assert partials.is_const and isinstance(partials.type, PointerType)
    assert Parameter("@copies", INT) in made(BINS)["indirect_shared"].parameters


def test_bins_of_a_row_are_numbered_in_it_and_in_the_whole_array_where_they_are_sorted() -> None:
    assert put(ROWS, "indirect_ordered").startswith("y(@q_element,")
    assert put(ROWS, "indirect_pairs").startswith("y((long long)i * m + ")
    private, whole = (scatter(ROWS, shape).results[0] for shape in ("indirect_ordered", "indirect_pairs"))
    assert told(private.at, whole.at) == ["y[(long long)i * m + @bin]", "y[@bin]"]
    assert told(private.count, whole.count) == ["pencilc_count(m)", "(long long)pencilc_count(n) * pencilc_count(m)"]


def test_updates_of_one_set_have_names_of_their_own() -> None:
    twice = "FOR(k, n) INIT(&b[k], zero); FOR(i, n) { UPDATE(&b[p[i]], a[i], add); UPDATE(&b[p[i]], c[i], add); }"
    assert [site.name for site in scatter(twice, "indirect_ordered").sites] == ["b", "b1"]


def test_chunks_begin_where_the_place_in_the_run_is() -> None:
    found = node(made(BINS)["indirect_shared"], OneRun)
    assert [told(load.first)[0] for load in found.loads] == ["&p[@x]"] and found.width == 4
    assert (found.uses_point, found.address) == (False, ())
    whole, last = nodes(found.whole, OfElement), nodes(found.last, OfElement)
    assert [told(*each.arguments) for each in (*whole, *last)] == [["@p_elements[@l][@k]"], ["@p_element_tail"]]


def test_the_launch_knows_when_private_copies_fit() -> None:
    for body, private, whole, fits in (
        (LARGE, PrivateBins, WholeBins, "@bytes <= @limit && @points >= @bins"),
        (ORDERED, OrderedBins, SortedBins, "2 * @bytes <= @limit"),
    ):
        (kernel,) = (each for each in program(body).kernels() if isinstance(each, IndirectKernel))
        launch = launch_of_bins(kernel, tuple(made(body).values()))
        points, room, choice = launch.steps
        assert isinstance(points, PointsOfBins) and isinstance(room, RoomOfBins) and launch.lengths is None
        assert isinstance(choice, ChoiceOfBins) and told(choice.fits) == [fits]
        assert (type(choice.private), type(choice.whole), launch.form) == (private, whole, choice.private)


def test_points_and_room_are_computed_for_copies_alone() -> None:
    (few,) = (each for each in launches_in(entry(BINS).items) if isinstance(each, LaunchBins))
    assert [type(step) for step in few.steps] == [PointsOfBins, RoomOfBins, PrivateBins]
    (many,) = (each for each in launches_in(entry(MANY, ATOMIC).items) if isinstance(each, LaunchBins))
    assert [type(step) for step in many.steps] == [WholeBins]
