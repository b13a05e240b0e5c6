"""The search with a cost that is a formula: it finds the best, keeps it on Ctrl-C, and goes on where it stopped."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import islpy as isl
import pytest

from pencilc.ir.shapes import AllKernel, Kernel, ParallelKernel, StitchedKernel
from pencilc.target import DEFAULT, TARGETS
from pencilc.tune.search import BATCH, Sample, Search, SearchLimits, _rounds
from pencilc.tune.space import HALO_VALUES, TILE_VALUES, TIME_VALUES, VALUES, Candidate, Space, space_of
from tests.unit.gpu.kernels import by_hand

SMALL = Space("k_all0", "all", (("threads", 256), ("in_flight", 4)),
              (("threads", (128, 256, 512)), ("in_flight", (1, 2, 4, 8))))  # fmt: skip
LARGE = Space("k_row0", "row", tuple((f"p{k}", 4) for k in range(6)),
              tuple((f"p{k}", (1, 2, 4, 8, 16)) for k in range(6)))  # fmt: skip


@dataclass
class Bowl:
    """A cost with one minimum, where every parameter is what `best` says; `stop_after` measurements of Ctrl-C."""

    best: dict[str, int]
    stop_after: int = 10**9
    broken: frozenset[tuple[str, int]] = frozenset()
    calls: list[tuple[Candidate, int]] = field(default_factory=list)

    def __call__(self, candidates: Sequence[Candidate], samples: int) -> list[Sample]:
        found = []
        for candidate in candidates:
            if len(self.calls) >= self.stop_after:
                raise KeyboardInterrupt
            self.calls.append((candidate, samples))
            bad = self.broken & set(candidate)
            found.append(Sample(math.inf, 0.0, "does not compile") if bad else Sample(self.cost(candidate)))
        return found

    def cost(self, candidate: Candidate) -> float:
        return 1.0 + sum((math.log2(v) - math.log2(self.best.get(n, v))) ** 2 for n, v in candidate)


@dataclass
class Additive:
    """A model without scikit-learn: the mean cost of the known candidates that share a value, over all parameters."""

    known: Sequence[tuple[Candidate, float]] = ()

    def fit(self, known: Sequence[tuple[Candidate, float]]) -> None:
        self.known = known

    def guess(self, candidates: Sequence[Candidate]) -> list[float]:
        seen: dict[tuple[str, int], list[float]] = {}
        for candidate, cost in self.known:
            for item in candidate:
                seen.setdefault(item, []).append(cost)
        means = {item: sum(costs) / len(costs) for item, costs in seen.items()}
        return [sum(means.get(item, 0.0) for item in candidate) for candidate in candidates]


def test_a_small_space_is_searched_exhaustively() -> None:
    bowl = Bowl({"threads": 512, "in_flight": 1})
    search = Search(SMALL, bowl, SearchLimits())
    assert (search.strategy, search.planned) == ("exhaustive", 12)
    assert search.run() == (("threads", 512), ("in_flight", 1))
    assert sorted(candidate for candidate, _ in bowl.calls) == sorted(SMALL.candidates())
    assert search.best()[1] == 1.0 and not search.interrupted


def test_the_start_values_win_a_tie() -> None:
    assert Search(SMALL, Bowl({}), SearchLimits()).run() == SMALL.start


def test_what_cannot_be_built_is_never_chosen() -> None:
    bowl = Bowl({"threads": 512, "in_flight": 1}, broken=frozenset({("threads", 512)}))
    assert Search(SMALL, bowl, SearchLimits()).run() == (("threads", 256), ("in_flight", 1))
    everything = frozenset(("threads", t) for t in (128, 256, 512))
    search = Search(SMALL, Bowl({}, broken=everything), SearchLimits())
    assert search.run() == SMALL.start and search.best()[1] == math.inf


def test_what_makes_no_difference_goes_back_to_its_start_value() -> None:
    best = {"p0": 16, "p1": 1}  # the others do not matter
    for model in (Additive(), None):
        search = Search(LARGE, Bowl(best), SearchLimits(budget=200), model)
        assert dict(LARGE.changed(search.run())).keys() <= best.keys()


@pytest.mark.parametrize("seed", range(5))
def test_a_model_finds_more_than_chance_within_its_budget(seed: int) -> None:
    best = {f"p{k}": (1, 16, 2, 8, 4, 1)[k] for k in range(6)}
    bowl = Bowl(best)
    search = Search(LARGE, bowl, SearchLimits(budget=150, seed=seed), Additive())
    assert search.strategy == "model"
    search.run()
    cost = search.best()[1]
    ranks = sum(bowl.cost(c) < cost for c in LARGE.candidates())
    assert ranks < LARGE.size // 150, "no better than the best of as many random candidates"
    assert len(bowl.calls) <= 150 + len(LARGE.values)


@pytest.mark.parametrize("seed", range(5))
def test_halving_finds_a_good_one_and_spends_the_budget(seed: int) -> None:
    best = {f"p{k}": (1, 16, 2, 8, 4, 1)[k] for k in range(6)}
    bowl = Bowl(best)
    search = Search(LARGE, bowl, SearchLimits(budget=150, seed=seed))
    assert search.strategy == "halving"
    search.run()
    cost = search.best()[1]
    assert sum(bowl.cost(c) < cost for c in LARGE.candidates()) < LARGE.size // 100
    spent = sum(samples for _, samples in bowl.calls)
    assert spent <= 1.1 * 150 * 21 + len(LARGE.values) * 21


def test_rounds_of_a_halving() -> None:
    assert _rounds(SearchLimits(budget=100, samples=21)) == [(170, 5), (57, 15), (19, 21)]
    assert _rounds(SearchLimits(budget=10, samples=5)) == [(10, 5)]


def test_halving_keeps_the_start_values_to_the_end() -> None:
    bowl = Bowl({f"p{k}": 1 for k in range(6)})
    Search(LARGE, bowl, SearchLimits(budget=100)).run()
    assert (LARGE.start, 21) in bowl.calls


@pytest.mark.parametrize("model", [Additive(), None])
@pytest.mark.parametrize("stop_after", [0, 5, 30, 80])
def test_ctrl_c_keeps_the_best_and_the_search_goes_on_where_it_stopped(stop_after: int, model: Additive | None) -> None:
    best = {f"p{k}": (1, 16, 2, 8, 4, 1)[k] for k in range(6)}
    limits = SearchLimits(budget=120, seed=3)
    whole_bowl = Bowl(best)
    whole = Search(LARGE, whole_bowl, limits, model).run()

    kept: dict[tuple[Candidate, int], Sample] = {}
    first_bowl = Bowl(best, stop_after)
    first = Search(LARGE, first_bowl, limits, model,
                   keep=lambda candidate, samples, sample: kept.update({(candidate, samples): sample}))  # fmt: skip
    chosen = first.run()
    assert first.interrupted
    most = max((samples for _, samples in kept), default=0)
    done = [c for c, samples in kept if samples == most] or [LARGE.start]
    assert first_bowl.cost(chosen) == min(first_bowl.cost(c) for c in done)

    second_bowl = Bowl(best)
    second = Search(LARGE, second_bowl, limits, model, known=dict(kept))
    assert second.run() == whole and not second.interrupted
    assert not set(second_bowl.calls) & set(kept), "nothing is measured twice"
    assert len(second_bowl.calls) + len(kept) == len(whole_bowl.calls)


def test_progress_is_told_after_every_batch() -> None:
    told: list[tuple[int, int, float]] = []
    search = Search(LARGE, Bowl({"p0": 1}), SearchLimits(budget=60), Additive(),
                    progress=lambda s: told.append((s.asked, s.planned, s.best()[1])))  # fmt: skip
    search.run()
    assert [asked for asked, _, _ in told][:2] == [BATCH, 2 * BATCH]
    costs = [cost for _, _, cost in told]
    assert costs == sorted(costs, reverse=True)


def test_the_forest_where_it_is_installed() -> None:
    pytest.importorskip("sklearn")
    from pencilc.tune.model import forest

    model = forest(0)
    assert model is not None
    bowl = Bowl({f"p{k}": (1, 16, 2, 8, 4, 1)[k] for k in range(6)})
    search = Search(LARGE, bowl, SearchLimits(budget=150), model)
    search.run()
    assert sum(bowl.cost(c) < search.best()[1] for c in LARGE.candidates()) < LARGE.size // 150


# ---- spaces ----------------------------------------------------------------------------------------


def test_only_parameters_that_change_the_text_are_searched() -> None:
    def text_with(changes: Candidate) -> str:
        return str(dict(changes).get("threads", 256))

    kernel = ParallelKernel(name="f_parallel0", host=(), body=None, index="int", domain=isl.Set("{ [] }"))
    space = space_of(kernel, DEFAULT, text_with)
    assert space.values == (("threads", (128, 256, 512, 1024)),)
    assert space.start == (("threads", 256),)
    assert space.changed((("threads", 128),)) == (("threads", 128),)
    assert next(space.candidates()) == space.start and space.size == 4


def everything(kernel: type[Kernel], arch: str) -> Space:
    """The space of a kernel all of whose parameters matter."""
    return space_of(by_hand(kernel), TARGETS[arch], str)


def test_more_blocks_than_the_target_holds_are_not_tried() -> None:
    """The file would start as many as it holds: the same launch, measured again."""
    for arch, threads in (("sm_75", 1024), ("sm_86", 1536), ("sm_90", 2048)):
        space = everything(AllKernel, arch)
        found = [dict(candidate) for candidate in space.candidates()]
        assert space.size == len(found) and {each["threads"] for each in found} == {128, 256, 512, 1024}
        wanted = [each["threads"] * each["blocks_per_sm"] for each in found if tuple(each.items()) != space.start]
        assert max(wanted) <= threads and {each["blocks_per_sm"] for each in found} == {1, 2, 3, 4, 8}
    assert everything(AllKernel, "sm_75").size < everything(AllKernel, "sm_90").size


def test_the_start_values_are_tried_whatever_the_target_holds() -> None:
    space = everything(AllKernel, "sm_75")
    few = replace(space, start=(("threads", 1024), ("blocks_per_sm", 8), *space.start[2:]))
    assert next(few.candidates()) == few.start
    assert sum(dict(each)["threads"] * dict(each)["blocks_per_sm"] > 1024 for each in few.candidates()) == 1


def test_where_blocks_need_not_be_there_together_all_are_tried() -> None:
    for arch in ("sm_75", "sm_90"):
        space = everything(ParallelKernel, arch)
        assert space.residence is None and space.size == math.prod(len(values) for _, values in space.values)


def test_rows_that_no_block_of_the_target_holds_are_not_tried() -> None:
    tried = {arch: dict(everything(StitchedKernel, arch).values)["row_bytes"] for arch in ("sm_75", "sm_86", "sm_90")}
    assert tried == {"sm_75": (49152, 98304), "sm_86": (49152, 98304), "sm_90": (49152, 98304, 196608)}, (
        "98304 is first"
    )


def test_every_value_that_is_tried_is_allowed() -> None:
    from pencilc.tune.limits import fault

    for values in [*VALUES.values(), TILE_VALUES, HALO_VALUES, TIME_VALUES]:
        for name, tried in values.items():
            assert [fault(name, value) for value in tried] == [""] * len(tried)
