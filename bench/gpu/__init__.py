"""Measurements on a GPU: pencilc's kernels beside CUB, Thrust, PyTorch and code written by hand, in one process."""
