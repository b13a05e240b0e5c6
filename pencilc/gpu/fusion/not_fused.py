"""What is raised where kernels cannot be fused."""

from __future__ import annotations


class NotFused(Exception):
    """These kernels cannot be stitched; the message says why, for the report."""
