"""The functions of `rows.c` with tensors of PyTorch: an operator with its derivative, and a CUDA graph.

pip install . torch 'cuda-toolkit[nvcc,cudart]==13.0.*'
python samples/python/torch_example.py
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import torch

import pencilc

MODULE = pencilc.compile(Path(__file__).with_name("rows.c"), device="gpu" if torch.cuda.is_available() else "cpu")


class Standardize(torch.autograd.Function):  # type: ignore[misc]
    """`standardize` as a function that PyTorch can differentiate."""

    @staticmethod
    def forward(context: Any, x: Any) -> Any:
        """Runs on the current stream; on the CPU executor with a tensor of the host."""
        y = torch.empty_like(x)
        MODULE.standardize(x.detach().contiguous(), y)
        context.save_for_backward(y, x.std(1, keepdim=True, correction=0))
        return y

    @staticmethod
    def backward(context: Any, *gradients: Any) -> Any:
        """The derivative of (x - mean) / deviation."""
        (gradient,) = gradients
        y, deviation = context.saved_tensors
        along = (gradient * y).mean(1, keepdim=True)
        return (gradient - gradient.mean(1, keepdim=True) - y * along) / deviation


def main() -> None:
    """Differentiate it, then capture it in a graph."""
    device = "cuda" if MODULE.device == "gpu" else "cpu"
    x = torch.randn(40, 300, device=device, requires_grad=True)
    weights = torch.randn_like(x)
    (Standardize.apply(x) * weights).sum().backward()
    ours, x.grad = x.grad, None
    mean, deviation = x.mean(1, keepdim=True), x.std(1, keepdim=True, correction=0)
    ((x - mean) / deviation * weights).sum().backward()
    print(f"the largest difference of the gradients is {float((ours - x.grad).abs().max()):.2g}")

    if device == "cuda":
        still, result = x.detach().clone(), torch.empty(40, 300, device=device)
        MODULE.standardize(still, result)  # once before: what a first call has to set up is not captured
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            MODULE.standardize(still, result)
        still.copy_(torch.randn(40, 300))
        graph.replay()
        torch.cuda.synchronize()
        expected = (still - still.mean(1, keepdim=True)) / still.std(1, keepdim=True, correction=0)
        print(f"the replayed graph differs by {float((result - expected).abs().max()):.2g}")


if __name__ == "__main__":
    main()
