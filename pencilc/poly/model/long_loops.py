"""Which loops may be worth a launch."""

from __future__ import annotations

from pencilc.ir.source import For, IntLiteral, Stmt, walk

# A loop with fewer iterations, known when it is compiled, is not worth a launch.
WORTH_A_LAUNCH = 32


def has_long_loop(stmt: Stmt) -> bool:
    """Whether a loop that may be worth a launch stands in `stmt`."""
    return any(isinstance(node, For) and not is_short(node) for node in walk(stmt))


def is_short(loop: For) -> bool:
    """Whether it is known that a loop has too few iterations for a launch."""
    if not isinstance(loop.lower, IntLiteral) or not isinstance(loop.bound, IntLiteral):
        return False
    return abs(loop.bound.value - loop.lower.value) < WORTH_A_LAUNCH * abs(loop.step)
