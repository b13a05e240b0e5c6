"""The scheduling stage: from dependences to a verified schedule tree."""

from __future__ import annotations

from pencilc import islx
from pencilc.diagnostics.diagnostic import CompilerLimitation
from pencilc.ir.schedule import ScheduledScop, Sequence, Tree
from pencilc.ir.scop import Dependences, Scop
from pencilc.schedule.fallback import source_tree
from pencilc.schedule.legality import verify
from pencilc.schedule.problem import NoSchedule, Problem, problem_of
from pencilc.schedule.solve import solve

QUOTA = 20_000_000  # isl operations; SRAD takes less than 100 000


def schedule(scop: Scop, dependences: Dependences, quota: int = QUOTA, fuses: bool = True) -> ScheduledScop:
    """Schedule `scop`; the source order is kept, and `fallback` says why, where no strategy succeeds.

    `fuses`: whether loops without dependences between their iterations are fused.
    """
    problem = problem_of(scop, dependences, fuses)
    tree, reason = _search(problem, scop, quota)
    scheduled = ScheduledScop(scop, dependences, tree, reason)
    verify(scheduled)
    return scheduled


def _search(problem: Problem, scop: Scop, quota: int) -> tuple[Tree, str]:
    if not problem.statements:
        return Sequence(()), ""
    try:
        with islx.operation_quota(quota):
            return solve(problem), ""
    except islx.OperationQuotaExceeded:
        reason = "scheduling took too long"
    except NoSchedule as error:
        reason = str(error)
    try:
        return source_tree(problem), reason
    except NoSchedule as error:
        raise CompilerLimitation(f"no schedule found: {error}", scop.span) from None
