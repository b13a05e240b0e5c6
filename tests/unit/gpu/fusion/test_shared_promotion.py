"""Which variables of a composed kernel live in shared memory."""

from __future__ import annotations

from pencilc import islx
from pencilc.gpu.fusion.shared_promotion import fixed_subscripts, is_dynamic
from pencilc.ir.mapping import SharedPromotion
from pencilc.ir.storage import InBlock, Pointer, Storage, Workspace
from tests.unit.gpu.fusion.members import composer, items, members
from tests.unit.records import modelled

INNER = """FOR(i, n) {
    float score[m];
    FOR(j, m) { INIT(&score[j], zero); FOR(k, 64) UPDATE(&score[j], y[j][k] * x[i][k], add); }
    INIT(&a[i], zero); FOR(j, m) UPDATE(&a[i], score[j] * z[j], add);
}"""


def shared(body: str) -> dict[str, SharedPromotion]:
    """The variables in shared memory."""
    pairs = members(body)
    done = composer(body).compose(pairs, [kernel for _, kernel in pairs])
    return {promotion.storage.array: promotion for promotion in done.shared}


def test_what_a_stage_makes_for_another_is_nowhere_else() -> None:
    found = shared(INNER)["score"]
    residence = found.storage.residence
    assert isinstance(residence, InBlock) and residence.memory is None and found.copied is None
    assert (found.first, found.last) == (0, 1)


def test_a_vector_that_every_point_of_the_row_reads_again_is_fetched_once() -> None:
    found = shared("__pencil_assume(m >= 64); " + INNER)["x"]
    assert found.copied is not None and found.copied.iterator.startswith("k") and found.first == 0
    residence = found.storage.residence
    assert isinstance(residence, InBlock) and isinstance(residence.memory, Pointer) and residence.fixed == 1


def test_what_no_row_determines_stays_in_memory() -> None:
    """y[j][k] is the same for every row."""
    assert "y" not in shared(INNER) and "z" not in shared(INNER)


def test_variables_that_do_not_meet_take_turns() -> None:
    body = """FOR(i, n) {
        float s[m], t[m], u[m];
        FOR(j, m) { INIT(&s[j], zero); FOR(k, 64) UPDATE(&s[j], y[j][k], add); }
        FOR(j, m) { INIT(&t[j], zero); FOR(k, m) UPDATE(&t[j], s[k] * j, add); }
        FOR(j, m) { INIT(&u[j], zero); FOR(k, m) UPDATE(&u[j], t[k] * j, add); }
        INIT(&a[i], zero); FOR(j, m) UPDATE(&a[i], u[j], add);
    }"""
    found = shared(body)
    regions = [found[name].region for name in "stu"]
    assert regions[0] != regions[1] != regions[2] and regions[0] == regions[2]


def test_what_the_row_leaves_to_be_told_apart() -> None:
    scop = modelled(INNER)
    array = next(a.symbol.name for a in scop.arrays if a.symbol.spelling == "x")
    assert fixed_subscripts(Storage(array, InBlock((), 1))) == 1 and is_dynamic(scop, Storage(array, InBlock((), 1)))
    assert fixed_subscripts(Storage(array, Workspace())) == 0
    assert not is_dynamic(scop, Storage(array, InBlock((), 2)))


def shared_in_rounds(body: str) -> dict[str, SharedPromotion]:
    """The variables in shared memory where loops go into the kernel."""
    pairs = items(body)
    done = composer(body).compose(pairs, [item for _, item in pairs])
    return {promotion.storage.array: promotion for promotion in done.shared}


ROUNDS = """FOR(i, n) {
    FOR(t, 9) {
        for (int j = 1; j < m - 1; j++) y[i][j] = x[i][j - 1] + x[i][j + 1];
        for (int j = 1; j < m - 1; j++) x[i][j] = y[i][j];
    }
}"""


def test_what_rounds_change_in_place_is_fetched_and_left_once() -> None:
    found = shared_in_rounds(ROUNDS)
    x, y = found["x"], found["y"]
    assert x.fetched is not None and x.left_behind is not None and (x.first, x.last) == (0, 1)
    assert [len(part.box) for part in (x.fetched, x.left_behind)] == [1, 1] and x.fetched.points is None
    # What is made in each round before it is read need not be fetched.
    assert y.fetched is None and y.left_behind is not None
    assert isinstance(x.storage.residence, InBlock) and x.storage.residence.memory is not None


def test_what_is_perhaps_written_is_fetched_too() -> None:
    body = """FOR(i, n) {
        float v[m], w[m];
        FOR(j, m) v[j] = z[j];
        FOR(t, 9) {
            for (int j = 1; j < m - 1; j++) w[j] = v[j - 1] + v[j + 1];
            for (int j = 1; j < m - 1; j++) v[j] = w[j];
            for (int j = 1; j < m - 1; j++) if (z[j] > t) x[i][j] = x[i][m - 1] + w[j];
        }
    }"""
    found = shared_in_rounds(body)["x"]
    assert found.fetched is not None and found.left_behind is not None
    (fetched,), (left,) = found.fetched.box, found.left_behind.box
    assert islx.constant_value(fetched.lower) == islx.constant_value(left.lower) == 1
    assert "x" not in shared_in_rounds(body.replace("x[i][m - 1] + ", ""))  # nobody reads it


def test_what_only_a_later_round_makes_comes_from_elsewhere() -> None:
    """`v` is read in the first round before any of it is written: it is no variable of the row alone."""
    body = """FOR(i, n) {
        float v[m], w[m];
        FOR(j, m) w[j] = z[j];
        FOR(t, 9) {
            if (t > 0) FOR(j, m) v[j] = w[m - 1 - j];
            for (int j = 1; j < m - 1; j++) w[j] = v[j - 1] + v[j + 1];
        }
        a[i] = w[m / 2];
    }"""
    found = shared_in_rounds(body)
    assert "v" not in found and "w" in found
