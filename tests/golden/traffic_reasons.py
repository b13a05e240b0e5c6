"""Why a function of a sample moves more than 5% above the least possible; a reason that no longer applies fails."""

from __future__ import annotations

# (sample, function): what is moved more than once, and why.
REASONS: dict[tuple[str, str], str] = {}
