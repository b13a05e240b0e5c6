"""x"""

from __future__ import annotations

from pencilc.ir.host import KernelFile


def verify_kernels(file: KernelFile) -> None:
    """x"""
