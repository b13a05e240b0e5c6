"""The scheduling stage: from dependences to a verified schedule tree."""

from __future__ import annotations

from dataclasses import replace

from pencilc import quotas
from pencilc.diagnostics.diagnostic import CompilerLimitation
from pencilc.ir.schedule import ScheduledScop, Sequence, Tree
from pencilc.ir.scop import Dependences, Scop
from pencilc.schedule.elide import without_single_values
from pencilc.schedule.fallback import source_tree
from pencilc.schedule.given import given_schedule
from pencilc.schedule.legality import verify
from pencilc.schedule.problem import NoSchedule, SchedulingProblem, problem_of
from pencilc.schedule.solve import solve
from pencilc.schedule.text import GivenSchedule, fault

QUOTA = quotas.QUOTA  # isl operations; SRAD takes less than 100 000
_CHECKS = 2 * quotas.QUOTA  # The search may have succeeded just below its quota.


def schedule(scop: Scop, dependences: Dependences, quota: int = QUOTA, fuses: bool = True) -> ScheduledScop:
    """Schedule `scop`; the source order is kept, and `fallback` says why, where no strategy succeeds.

    `fuses`: whether loops without dependences between their iterations are fused.
    """
    if dependences.unknown:
        return ScheduledScop(scop, dependences, Sequence(()), sequential=dependences.unknown)
    try:
        problem = problem_of(scop, dependences, fuses)
        tree, reason = _search(problem, scop, quota)
        tree = without_single_values(scop, tree)
        in_order, apart = problem.locality.decided(tree) if problem.locality else ((), ())
        scheduled = ScheduledScop(scop, dependences, tree, reason, in_order=in_order, apart=apart)
        with quotas.operation_quota(_CHECKS):
            verify(scheduled)
    except quotas.OperationQuotaExceeded:
        return ScheduledScop(scop, dependences, Sequence(()), sequential="scheduling takes too long")
    return scheduled


def schedule_as_given(scop: Scop, dependences: Dependences, given: GivenSchedule) -> ScheduledScop:
    """The schedule that a file gives for `scop`; raises SourceErrors where it is none, or breaks a dependence."""
    try:
        with quotas.operation_quota(_CHECKS):
            scheduled = given_schedule(scop, dependences, given)
            scheduled = replace(scheduled, tree=without_single_values(scop, scheduled.tree))
            verify(scheduled)
    except quotas.OperationQuotaExceeded:
        raise fault(f"isl takes too long to check the schedule of `{scop.name}`", given.span) from None
    return scheduled


def _search(problem: SchedulingProblem, scop: Scop, quota: int) -> tuple[Tree, str]:
    if not problem.statements:
        return Sequence(()), ""
    try:
        with quotas.operation_quota(quota):
            return solve(problem), ""
    except quotas.OperationQuotaExceeded:
        reason = "scheduling took too long"
    except NoSchedule as error:
        reason = str(error)
    try:
        with quotas.operation_quota(_CHECKS):
            return source_tree(problem), reason
    except NoSchedule as error:
        raise CompilerLimitation(f"no schedule found: {error}", scop.span) from None
