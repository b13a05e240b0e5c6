"""PyTorch on the same buffers and the same stream, eager and through torch.compile; used where it can be imported."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Mapping
from typing import Any

from bench.gpu.records import TORCH, Buffer, Case, Contender


def is_available() -> bool:
    """Whether PyTorch is installed; whether it works with this GPU shows when it is used."""
    return importlib.util.find_spec("torch") is not None


class _Memory:
    """Device memory as PyTorch takes it: the CUDA array interface."""

    def __init__(self, address: int, size: int) -> None:
        self.__cuda_array_interface__ = {"shape": (size,), "typestr": "|u1", "data": (address, False), "version": 3}


class TorchPeers:
    """Binds contenders to tensors over given device memory; `stream` is a cudaStream_t."""

    def __init__(self, stream: int) -> None:
        import torch

        self.torch: Any = torch
        self.version: str = torch.__version__
        self.stream = torch.cuda.ExternalStream(stream)
        self._graphs: list[Any] = []

    def bind(self, case: Case, contender: Contender, addresses: Mapping[str, int]) -> Callable[[], None]:
        """A function that queues the work; the first call of a compiled one compiles it."""
        tensors = {b.name: self._tensor(b, addresses[b.name]) for b in case.buffers}
        function = FUNCTIONS[contender.torch]
        if contender.compiled:
            self.torch._dynamo.reset()
            function = self.torch.compile(function, dynamic=False)
        problem = dict(case.problem)

        def run() -> None:
            with self.torch.cuda.stream(self.stream), self.torch.no_grad():
                function(self.torch, tensors, problem)

        return run

    def graph(self, run: Callable[[], None]) -> Callable[[], None]:
        """A function that replays `run` as a graph."""
        graph = self.torch.cuda.CUDAGraph()
        with self.torch.cuda.graph(graph, stream=self.stream):
            run()
        self._graphs.append(graph)

        def replay() -> None:
            with self.torch.cuda.stream(self.stream):
                graph.replay()

        return replay

    def forget(self) -> None:
        """Give back graphs and cached memory."""
        self._graphs.clear()
        self.torch.cuda.synchronize()
        self.torch.cuda.empty_cache()

    def _tensor(self, buffer: Buffer, address: int) -> Any:
        raw = self.torch.as_tensor(_Memory(address, max(buffer.bytes, 1)), device="cuda")
        name = "uint8" if buffer.kind is None else TORCH.get(buffer.kind, "float32")
        return raw[: buffer.bytes].view(getattr(self.torch, name))


def _out(torch: Any, tensors: Mapping[str, Any], kind: str, count: int) -> Any:
    """The first `count` values of the output as a tensor of the type."""
    dtype = getattr(torch, kind)
    return tensors["out"][: count * dtype.itemsize].view(dtype)


_ACCUMULATORS = {"int8": "int32", "float16": "float32", "bfloat16": "float32"}


def _accumulator(tensor: Any) -> str:
    name = str(tensor.dtype).removeprefix("torch.")
    return _ACCUMULATORS.get(name, name)


def _sum(torch: Any, t: Mapping[str, Any], problem: Mapping[str, int]) -> None:
    kind = _accumulator(t["a"])
    torch.sum(t["a"], 0, dtype=getattr(torch, kind), out=_out(torch, t, kind, 1)[0])


def _sum_struct(torch: Any, t: Mapping[str, Any], problem: Mapping[str, int]) -> None:
    members = problem["members"]
    torch.sum(t["a"].view(-1, members), 0, out=_out(torch, t, "float32", members))


def _two(torch: Any, t: Mapping[str, Any], problem: Mapping[str, int]) -> None:
    kind = _accumulator(t["a"])
    out = _out(torch, t, kind, 2)
    torch.sum(t["a"], 0, dtype=out.dtype, out=out[0])
    torch.sum(t["a"] * t["a"], 0, dtype=out.dtype, out=out[1])


def _stats(torch: Any, t: Mapping[str, Any], problem: Mapping[str, int]) -> None:
    a, out = t["a"], _out(torch, t, "float32", 4)
    torch.amin(a, 0, out=out[0])
    torch.amax(a, 0, out=out[1])
    torch.sum(a, 0, out=out[2])
    torch.sum(a * a, 0, out=out[3])


def _argmin(torch: Any, t: Mapping[str, Any], problem: Mapping[str, int]) -> None:
    index = torch.argmin(t["a"])
    t["out"][4:8].view(torch.int32).copy_(index.view(1))
    t["out"][:4].view(torch.float32).copy_(t["a"].gather(0, index.view(1)))


def _matrix(tensor: Any, problem: Mapping[str, int]) -> Any:
    return tensor.view(problem["rows"], problem["columns"])


def _row_sums(torch: Any, t: Mapping[str, Any], problem: Mapping[str, int]) -> None:
    torch.sum(_matrix(t["a"], problem), 1, out=_out(torch, t, "float32", problem["rows"]))


def _column_sums(torch: Any, t: Mapping[str, Any], problem: Mapping[str, int]) -> None:
    torch.sum(_matrix(t["a"], problem), 0, out=_out(torch, t, "float32", problem["columns"]))


def _result(torch: Any, t: Mapping[str, Any], problem: Mapping[str, int]) -> Any:
    return _matrix(t["y"].view(torch.float32), problem)


def _softmax(torch: Any, t: Mapping[str, Any], problem: Mapping[str, int]) -> None:
    torch.softmax(_matrix(t["x"], problem), 1, out=_result(torch, t, problem))


def _layer_norm(torch: Any, t: Mapping[str, Any], problem: Mapping[str, int]) -> None:
    shape = (problem["columns"],)
    made = torch.nn.functional.layer_norm(_matrix(t["x"], problem), shape, t["gamma"], t["beta"], 1e-5)
    _result(torch, t, problem).copy_(made)


def _rms_norm(torch: Any, t: Mapping[str, Any], problem: Mapping[str, int]) -> None:
    shape = (problem["columns"],)
    made = torch.nn.functional.rms_norm(_matrix(t["x"], problem), shape, t["gamma"], 1e-5)
    _result(torch, t, problem).copy_(made)


def _histogram(torch: Any, t: Mapping[str, Any], problem: Mapping[str, int]) -> None:
    counts = torch.bincount(t["a"], minlength=problem["bins"])
    _out(torch, t, "int32", problem["bins"]).copy_(counts)


def _srad(torch: Any, t: Mapping[str, Any], problem: Mapping[str, int]) -> None:
    image = _matrix(t["image"], problem)
    iN, iS, jW, jE = (t[name].long() for name in ("iN", "iS", "jW", "jE"))
    for _ in range(problem["steps"]):
        mean = image.mean()
        q0 = ((image * image).mean() - mean * mean) / (mean * mean)
        north, south = image[iN] - image, image[iS] - image
        west, east = image[:, jW] - image, image[:, jE] - image
        g2 = (north * north + south * south + west * west + east * east) / (image * image)
        slope = (north + south + west + east) / image
        den = 1.0 + 0.25 * slope
        q = (0.5 * g2 - slope * slope / 16.0) / (den * den)
        c = (1.0 / (1.0 + (q - q0) / (q0 * (1.0 + q0)))).clamp(0.0, 1.0)
        image.add_(0.125 * (c * north + c[iS] * south + c * west + c[:, jE] * east))


def _product(torch: Any, t: Mapping[str, Any], problem: Mapping[str, int]) -> None:
    m, n, p = (problem[name] for name in ("m", "n", "p"))
    kind = str(t["a"].dtype).removeprefix("torch.")
    torch.mm(t["a"].view(m, p), t["b"].view(p, n), out=_out(torch, t, kind, m * n).view(m, n))


def _nearest(torch: Any, t: Mapping[str, Any], problem: Mapping[str, int]) -> None:
    x = t["x"].view(problem["points"], problem["dimensions"])
    c = t["c"].view(problem["centres"], problem["dimensions"])
    # The square of the point is the same for all centres.
    distances = torch.addmm((c * c).sum(1), x, c.T, alpha=-2.0)
    _out(torch, t, "int32", problem["points"]).copy_(distances.argmin(1))


# What each function computes is checked like everything else; they write the buffers `out`, `y` or `image`.
FUNCTIONS: dict[str, Callable[[Any, Mapping[str, Any], Mapping[str, int]], None]] = {
    "sum": _sum,
    "sum_struct": _sum_struct,
    "two": _two,
    "stats": _stats,
    "argmin": _argmin,
    "row_sums": _row_sums,
    "column_sums": _column_sums,
    "softmax": _softmax,
    "layer_norm": _layer_norm,
    "rms_norm": _rms_norm,
    "histogram": _histogram,
    "srad": _srad,
    "product": _product,
    "nearest": _nearest,
}

__all__ = ["FUNCTIONS", "TorchPeers", "is_available"]
