"""Scratch and tickets: two threads, two streams, and two replayed graphs at once are right.

The executor runs launches one after the other but keeps track of what orders them, so that two launches which
could overlap on a GPU and share a ticket or a partial result are reported as a race. It does the same for what host
threads read and write.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from pencilc import driver
from pencilc.diagnostics.source import SourceFile
from pencilc.options import CompileOptions
from pencilc.verify.executors import CpuExecutor
from tests.conftest import run

PRELUDE = """
#include <cstdio>
#include <thread>
#include <vector>

static const int N = 70001;
static float *input(float value)
{
    std::vector<float> host(N, value);
    float *data;
    cudaMalloc((void **)&data, N * sizeof(float));
    cudaMemcpy(data, host.data(), N * sizeof(float), cudaMemcpyHostToDevice);
    return data;
}
static float *output()
{
    float *data;
    cudaMalloc((void **)&data, sizeof(float));
    return data;
}
static void expect(const char *what, float *device, float value)
{
    float host;
    cudaMemcpy(&host, device, sizeof(host), cudaMemcpyDeviceToHost);
    printf("%s %s\\n", what, host == value * N ? "right" : "WRONG");
}
static void release(std::vector<float *> pointers)
{
    for (float *p : pointers) cudaFree(p);
}
"""

STREAMS = """
int main()
{
    cudaStream_t one, two;
    cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&two, cudaStreamNonBlocking);
    float *a = input(1), *b = input(2), *x = output(), *y = output();
    for (int k = 0; k < 3; k++) {
        if (sum_device(N, a, x, one) != cudaSuccess) return 1;
        if (sum_device(N, b, y, two) != cudaSuccess) return 1;
    }
    cudaDeviceSynchronize();
    expect("one", x, 1);
    expect("two", y, 2);
    release({a, b, x, y});
    return 0;
}
"""

GRAPHS = """
static cudaGraphExec_t record(cudaStream_t stream, const float *a, float *x)
{
    cudaGraph_t graph;
    cudaGraphExec_t made;
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    if (sum_device(N, a, x, stream) != cudaSuccess) printf("capture WRONG\\n");
    cudaStreamEndCapture(stream, &graph);
    if (cudaGraphInstantiate(&made, graph, 0) != cudaSuccess) printf("instantiate WRONG\\n");
    cudaGraphDestroy(graph);
    return made;
}
int main()
{
    cudaStream_t one, two;
    cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&two, cudaStreamNonBlocking);
    float *a = input(1), *b = input(2), *x = output(), *y = output();
    // Both are captured on one stream, and so have its number when the library looks for its scratch.
    cudaGraphExec_t first = record(one, a, x), second = record(one, b, y);
    for (int k = 0; k < 3; k++) {
        if (cudaGraphLaunch(first, one) != cudaSuccess || cudaGraphLaunch(second, two) != cudaSuccess) return 1;
    }
    cudaDeviceSynchronize();
    expect("one", x, 1);
    expect("two", y, 2);
    release({a, b, x, y});
    return 0;
}
"""

THREADS = """
int main()
{
    std::vector<float> a(N, 1), b(N, 2);
    float x[3], y[3];
    std::thread one([&] { for (float &v : x) v = sum(N, a.data()); });
    std::thread two([&] { for (float &v : y) v = sum(N, b.data()); });
    one.join();
    two.join();
    for (int k = 0; k < 3; k++) printf("call %s\\n", x[k] == N && y[k] == 2.0f * N ? "right" : "WRONG");
    return 0;
}
"""

ONE_STREAM = """
int main()
{
    cudaStream_t stream;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    float *a = input(1), *b = input(2);
    std::vector<float *> x, y;
    for (int k = 0; k < 4; k++) x.push_back(output()), y.push_back(output());
    std::thread one([&] { for (float *p : x) sum_device(N, a, p, stream); });
    std::thread two([&] { for (float *p : y) sum_device(N, b, p, stream); });
    one.join();
    two.join();
    cudaStreamSynchronize(stream);
    for (float *p : x) expect("one", p, 1);
    for (float *p : y) expect("two", p, 2);
    release(x), release(y), release({a, b});
    return 0;
}
"""

MANY_STREAMS = """
int main()
{
    float *a = input(1), *x = output();
    for (int k = 0; k < 200; k++) {
        cudaStream_t stream;
        cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
        if (sum_device(N, a, x, stream) != cudaSuccess) return 1;
        cudaStreamSynchronize(stream);
        cudaStreamDestroy(stream);
    }
    expect("last", x, 1);
    release({a, x});
    return 0;
}
"""


# Another thread captures in global mode, which forbids what a first call does unless that is told apart.
WAITING = """
/* The host asks in each round whether another one follows. */
void settled(int n, float x[static const restrict n], int rounds[static const restrict 1])
{
#pragma scop
    int more = 1;
    rounds[0] = 0;
    while (more) {
        more = 0;
        for (int i = 0; i < n; i++) {
            if (x[i] > 0) {
                x[i] -= 1;
                if (x[i] > 0)
                    more = 1;
            }
        }
        rounds[0]++;
    }
#pragma endscop
}
"""

WHILE_CAPTURING = """
int main()
{
    cudaStream_t captured;
    cudaStreamCreateWithFlags(&captured, cudaStreamNonBlocking);
    float *a = input(1), *b = input(2), *c = input(5), *x = output(), z = 0;
    int *count = (int *)output();
    std::vector<float> host(N, 3);
    int rounds = 0;
    std::vector<float *> y;
    for (int k = 0; k < 70; k++) y.push_back(output());
    cudaStreamBeginCapture(captured, cudaStreamCaptureModeGlobal);
    if (sum_device(N, a, x, captured) != cudaSuccess) printf("capture WRONG\\n");
    std::thread other([&] {
        // The first call of all, the 65th stream and beyond, where old sets are given up, and the other entry.
        for (int k = 0; k < 70; k++) {
            cudaStream_t stream;
            cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
            if (sum_device(N, b, y[k], stream) != cudaSuccess) printf("stream %d WRONG\\n", k);
            cudaStreamDestroy(stream);
        }
        z = sum(N, host.data());
        // An entry that waits for the device, which says how often a loop runs.
        cudaStream_t stream;
        cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
        if (settled_device(N, c, count, stream) != cudaSuccess) printf("waiting WRONG\\n");
        cudaStreamDestroy(stream);
        settled(N, host.data(), &rounds);
        cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal;
        cudaThreadExchangeStreamCaptureMode(&mode);
        if (mode != cudaStreamCaptureModeGlobal) printf("mode WRONG\\n");
    });
    other.join();
    cudaGraph_t graph;
    cudaGraphExec_t made;
    if (cudaStreamEndCapture(captured, &graph) != cudaSuccess) printf("end of capture WRONG\\n");
    if (cudaGraphInstantiate(&made, graph, 0) != cudaSuccess) return 1;
    if (cudaGraphLaunch(made, captured) != cudaSuccess) return 1;
    cudaDeviceSynchronize();
    expect("one", x, 1);
    for (float *p : y) expect("two", p, 2);
    printf("host %s\\n", z == 3.0f * N ? "right" : "WRONG");
    int steps;
    cudaMemcpy(&steps, count, sizeof(int), cudaMemcpyDeviceToHost);
    printf("steps %s\\n", steps == 5 && rounds == 3 ? "right" : "WRONG");
    cudaGraphExecDestroy(made), cudaGraphDestroy(graph);
    release(y), release({a, b, c, x, (float *)count});
    return 0;
}
"""

# Memory of the caller, full of anything: no allocation, so that a graph is instantiated as often as one likes.
WORKSPACE = """
int main()
{
    cudaStream_t stream;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    float *a = input(1), *b = input(2), *x = output(), *y = output();
    size_t bytes = 0, few = 1;
    void *workspace;
    if (sum_workspace(N, a, &bytes) != cudaSuccess || sum_workspace(5, a, &few) != cudaSuccess) return 1;
    printf("size %s\\n", bytes > 0 && few == 0 ? "right" : "WRONG");
    cudaMalloc(&workspace, bytes + 256);
    cudaMemset(workspace, 0xff, bytes + 256);
    cudaDeviceSynchronize();
    const unsigned long long before = cudacpu_launch_count();
    const cudaError_t small = sum_device_in(N, a, x, workspace, bytes - 1, stream);
    const cudaError_t crooked = sum_device_in(N, a, x, (char *)workspace + 16, bytes, stream);
    cudaStreamSynchronize(stream);
    const bool refused = small == cudaErrorInvalidValue && crooked == cudaErrorInvalidValue;
    printf("refusal %s\\n", refused && cudacpu_launch_count() == before ? "right" : "WRONG");

    cudaGraph_t graphs[3];
    size_t nodes[3];
    for (int k = 0; k < 3; k++) {
        cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
        const cudaError_t error = k == 0 ? sum_device_in(N, a, x, workspace, bytes, stream)
                                : k == 1 ? sum_device_in(5, b, y, nullptr, 0, stream) : sum_device(5, b, y, stream);
        if (error != cudaSuccess || cudaStreamEndCapture(stream, &graphs[k]) != cudaSuccess) return 1;
        cudaGraphGetNodes(graphs[k], nullptr, &nodes[k]);
    }
    // Tickets are cleared first; one block needs nothing.
    printf("nodes %s\\n", nodes[0] == 2 && nodes[1] == 1 && nodes[2] == 1 ? "right" : "WRONG");
    for (int k = 0; k < 2; k++) {
        cudaGraphExec_t made;
        if (cudaGraphInstantiate(&made, graphs[0], 0) != cudaSuccess) return 1;
        for (int l = 0; l < 2; l++)
            if (cudaGraphLaunch(made, stream) != cudaSuccess) return 1;
        cudaStreamSynchronize(stream);
        expect("graph", x, 1);
        cudaGraphExecDestroy(made);
        cudaMemset(workspace, 0x5a, bytes);
        cudaDeviceSynchronize();
    }
    for (int k = 0; k < 2; k++)
        if (sum_device_in(N, b, y, workspace, bytes, stream) != cudaSuccess) return 1;
    cudaStreamSynchronize(stream);
    expect("call", y, 2);
    for (cudaGraph_t graph : graphs) cudaGraphDestroy(graph);
    cudaFree(workspace);
    release({a, b, x, y});
    return 0;
}
"""

# The second stream has the handle of the first, whose work need not be done; default streams have one in all threads.
HANDLES = """
int main()
{
    float *a = input(1), *b = input(2);
    std::vector<float *> x;
    for (int k = 0; k < 6; k++) x.push_back(output());
    for (int k = 0; k < 2; k++) {
        cudaStream_t stream;
        cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
        if (sum_device(N, k ? b : a, x[k], stream) != cudaSuccess) return 1;
        cudaStreamDestroy(stream);
    }
    auto work = [&](int k) {
        if (sum_device(N, k % 2 ? b : a, x[k], cudaStreamPerThread) != cudaSuccess) printf("call WRONG\\n");
    };
    // Of two threads one is gone when the other begins; two are there at once.
    std::thread(work, 2).join();
    std::thread(work, 3).join();
    std::thread one(work, 4), two(work, 5);
    one.join();
    two.join();
    cudaDeviceSynchronize();
    for (int k = 0; k < 6; k++) expect("stream", x[k], 1 + k % 2);
    release(x), release({a, b});
    return 0;
}
"""


@pytest.mark.parametrize(
    "harness", [STREAMS, GRAPHS, THREADS, ONE_STREAM, MANY_STREAMS, WHILE_CAPTURING, HANDLES, WORKSPACE],
    ids=["streams", "graphs", "threads", "one_stream", "many_streams", "while_capturing", "handles", "workspace"],
)  # fmt: skip
def test_calls_at_once(harness: str, tmp_path: Path, root: Path) -> None:
    text = Path("samples", "sum.c").read_text() + (WAITING if harness is WHILE_CAPTURING else "")
    cuda = driver.compile_source(SourceFile("sum.c", text), CompileOptions()).cuda
    source, program = tmp_path / "program.cu", tmp_path / "program"
    source.write_text(cuda + PRELUDE + harness)
    CpuExecutor(("fwd",), "check").build(source, program, shared=False)
    result = run(program)
    assert result.returncode == 0, result.stderr
    assert "error" not in result.stderr
    assert "right" in result.stdout
    assert "WRONG" not in result.stdout
