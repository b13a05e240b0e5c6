"""Why a function of a sample moves more than 5% above the least possible; a reason that no longer applies fails."""

from __future__ import annotations

# (sample, function): what is moved more than once, and why.
REASONS: dict[tuple[str, str], str] = {
    ("matmul", "matmul"): "every element of C reads its row of A and its column of B; tiles are left to the caches",
    ("srad", "srad"): "each iteration is three kernels that depend on each other, and a pixel reads its neighbours",
    ("variance", "variance"): "two passes, because the second needs the mean; every thread of the second reads it",
}
