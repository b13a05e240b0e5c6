"""PyTorch's tensors in host memory, where PyTorch is installed; its build for the CPU will do."""

from __future__ import annotations

from typing import Any

import numpy
import pytest

import pencilc
from tests.unit.python.conftest import kept_of_the_run

torch = pytest.importorskip("torch", reason="PyTorch is not installed")


def test_the_script_for_pytorch(capsys: pytest.CaptureFixture[str]) -> None:
    with kept_of_the_run():
        from samples.python import torch_example

        torch_example.main()
    printed = capsys.readouterr().out
    assert printed.startswith("the largest difference of the gradients is ")
    assert float(printed.split()[-1]) < 1e-5


def test_tensors_are_taken_without_a_copy(module: Any) -> None:
    x, y = torch.arange(12, dtype=torch.float64).reshape(3, 4), torch.zeros(3, 4, dtype=torch.float64)
    module.scale(2.0, x, y)
    assert torch.equal(y, 2 * x)
    module.scale(3.0, x[1:].numpy(), y[1:])
    assert torch.equal(y[1:], 3 * x[1:]) and torch.equal(y[0], 2 * x[0])
    assert module.argmin(torch.tensor([3.0, 1.0, 2.0])) == (1.0, 1)
    with torch.inference_mode():
        module.scale(1.0, x * 1, y)


def test_tensors_that_are_refused(module: Any) -> None:
    x, y = torch.ones(3, 3, dtype=torch.float64), torch.zeros(3, 3, dtype=torch.float64)
    negated = torch.complex(x, x).conj().imag
    wrong = {
        "do not follow each other in C order": x.t(),
        "it holds float32, where C expects float64": x.float(),
        r"use tensor\.detach": x.clone().requires_grad_(),
        "negatives of what its memory holds": negated,
        "lies where DLPack cannot say it": torch.empty(3, 3, dtype=torch.float64, device="meta"),
        "gives no access to its memory": x.to_sparse(),
    }
    for message, given in wrong.items():
        with pytest.raises((pencilc.ArgumentTypeError, pencilc.ArgumentValueError), match=message):
            module.scale(1.0, given, y)
    with pytest.raises(pencilc.ArgumentValueError, match="share memory"):
        module.scale(1.0, x[:2], x[1:])
    assert numpy.array_equal(y.numpy(), numpy.zeros((3, 3)))
