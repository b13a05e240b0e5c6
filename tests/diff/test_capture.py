"""Every sample under stream capture: what does not wait for the device is captured and replayed, the rest refused.

The entry points on host pointers are changed for that: where they call the one on device pointers they capture it,
with scratch memory of the graph and once more in a workspace, and launch each graph twice.  Before that two graphs of
the function run at once, on two streams, the second with results of its own: they share no scratch memory.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pencilc.diagnostics.source import SourceFile
from pencilc.driver import compile_source
from pencilc.options import CompileOptions
from pencilc.verify.command import Generated, VerifySettings, verify_generated
from pencilc.verify.executors import CpuExecutor
from pencilc.verify.sizes import SizeLimits
from tests.conftest import samples

# Functions that sort the points of ragged rows, whose number is data, where bins do not fit into shared memory.
WAIT = {"csr": {"csr_transposed"}}
# Of too many numbers that cancel a sum in bfloat16 tells nothing.
SIZES: dict[str, dict[str, tuple[int, ...]]] = {
    "csr": {"rows": (3,), "columns": (5, 30011), "elements": (33,)},
    "sum_bfloat16": {"n": (0, 1, 33, 9001)},
}
QUICK = ("sum", "attention")

HELPERS = """
// Copies an input in again that a replay has changed.
template <typename T>
static cudaError_t again(pencilc_copy<T> &copy, const T *host)
{
    const long long first = copy.range.first, end = copy.range.end;
    if (first == end) return cudaSuccess;
    const size_t bytes = (end - first) * sizeof(T);
    return cudaMemcpyAsync(copy.device + first, host + first, bytes, cudaMemcpyHostToDevice, copy.stream);
}

static void note(const char *function)
{
    FILE *const file = fopen("NOTES", "a");
    fprintf(file, "%s\\n", function);
    fclose(file);
}

// Captures `call` and launches the graph twice; what is refused leaves an empty graph, and is called without capture.
template <typename CALL, typename RESET>
static cudaError_t captured(const char *function, cudaStream_t stream, CALL call, RESET reset)
{
    cudaGraph_t graph;
    cudaGraphExec_t made;
    size_t nodes;
    PENCILC_RETURN(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    const cudaError_t error = call();
    PENCILC_RETURN(cudaStreamEndCapture(stream, &graph));
    PENCILC_RETURN(cudaGraphGetNodes(graph, nullptr, &nodes));
    if (error == cudaErrorStreamCaptureUnsupported && nodes == 0) {
        note(function);
        PENCILC_RETURN(reset());
        PENCILC_RETURN(cudaGraphDestroy(graph));
        return call();
    }
    PENCILC_RETURN(error);
    PENCILC_RETURN(cudaGraphInstantiate(&made, graph, 0));
    for (int k = 0; k < 2; k++) {
        PENCILC_RETURN(reset());
        PENCILC_RETURN(cudaGraphLaunch(made, stream));
    }
    PENCILC_RETURN(cudaStreamSynchronize(stream));
    PENCILC_RETURN(cudaGraphExecDestroy(made));
    return cudaGraphDestroy(graph);
}

// Captures `call` and `second`, which have results of their own, and launches both graphs at once, twice; nothing where
// capture is refused.
template <typename CALL, typename SECOND>
static cudaError_t captured_at_once(cudaStream_t stream, CALL call, SECOND second)
{
    cudaStream_t streams[2] = {stream};
    cudaGraph_t graphs[2];
    cudaGraphExec_t made[2];
    PENCILC_RETURN(cudaStreamCreateWithFlags(&streams[1], cudaStreamNonBlocking));
    PENCILC_RETURN(cudaStreamSynchronize(stream));
    bool is_refused = false;
    for (int k = 0; k < 2; k++) {
        PENCILC_RETURN(cudaStreamBeginCapture(streams[k], cudaStreamCaptureModeGlobal));
        const cudaError_t error = k == 0 ? call(streams[k]) : second(streams[k]);
        PENCILC_RETURN(cudaStreamEndCapture(streams[k], &graphs[k]));
        is_refused = error == cudaErrorStreamCaptureUnsupported;
        if (is_refused) break;
        PENCILC_RETURN(error);
        PENCILC_RETURN(cudaGraphInstantiate(&made[k], graphs[k], 0));
    }
    if (!is_refused) {
        for (int k = 0; k < 4; k++) PENCILC_RETURN(cudaGraphLaunch(made[k % 2], streams[k % 2]));
        for (int k = 0; k < 2; k++) PENCILC_RETURN(cudaStreamSynchronize(streams[k]));
        for (int k = 0; k < 2; k++) PENCILC_RETURN(cudaGraphExecDestroy(made[k]));
        PENCILC_RETURN(cudaGraphDestroy(graphs[1]));
    }
    PENCILC_RETURN(cudaGraphDestroy(graphs[0]));
    return cudaStreamDestroy(streams[1]);
}

"""


def _with_capture(cuda: str, notes: Path) -> str:
    """The same file, whose entry points on host pointers capture what they launch."""
    mark = "// ---- copies for the entry points"
    start = cuda.index("\n// ", cuda.index("struct pencilc_copy"))
    assert mark in cuda
    cuda = cuda[:start] + HELPERS.replace("NOTES", str(notes)) + cuda[start:]
    return re.sub(r'extern "C" [^;{]*\)\n\{\n(?:(?!\n\}\n).)*\n\}\n', _entry, cuda, flags=re.DOTALL)


def _entry(match: re.Match[str]) -> str:
    text = match.group(0)
    call = re.search(r"PENCILC_CHECK\((\w+)_device\((.*), (\w+)\), \w+,.*;", text)
    if call is None:
        return text
    function, arguments, stream = call.groups()
    inputs = dict(re.findall(r"PENCILC_CHECK\((\w+)\.in\((\w+), \w+, true", text))
    outputs = re.findall(r"PENCILC_CHECK\((\w+)\.out\(", text)
    resets = "".join(f"PENCILC_RETURN(again({copy}, {inputs[copy]})); " for copy in outputs if copy in inputs)
    lines = _at_once(text, function, arguments, outputs)
    lines += [
        *(f"PENCILC_CHECK(again({copy}, {inputs[copy]}), {stream}, ZERO);" for copy in outputs if copy in inputs),
        f"const auto reset_ = [&] {{ {resets}return cudaSuccess; }};",
        f"const auto plain_ = [&] {{ return {function}_device({arguments}, {stream}); }};",
    ]
    plain = f'PENCILC_CHECK(captured("{function}", {stream}, plain_, reset_), {stream}, ZERO);'
    if f"{function}_workspace(" in match.string:
        parameters = [a for a in arguments.split(", ") if a != "return_copy.device"]
        lines += [
            "size_t bytes_ = 0;",
            "void *workspace_;",
            f"PENCILC_CHECK({function}_workspace({', '.join([*parameters, '&bytes_'])}), {stream}, ZERO);",
            f"PENCILC_CHECK(cudaMallocAsync(&workspace_, bytes_ + 256, {stream}), {stream}, ZERO);",
            f"PENCILC_CHECK(cudaMemsetAsync(workspace_, 0xa5, bytes_ + 256, {stream}), {stream}, ZERO);",
            f"const auto within_ = [&] {{ return {function}_device_in({arguments}, workspace_, bytes_, {stream}); }};",
            # What stands in the arrays in the end comes from either of them by turns.
            "static int calls_;",
            "const bool early_ = calls_++ % 2;",
            f"if (early_) {plain}",
            f'PENCILC_CHECK(captured("{function}", {stream}, within_, reset_), {stream}, ZERO);',
            f"if (!early_) {plain}",
            f"PENCILC_CHECK(cudaFreeAsync(workspace_, {stream}), {stream}, ZERO);",
        ]
    else:
        lines.append(plain)
    zero = "{}" if "return_copy" in text else ""
    made = "\n    ".join(lines).replace("ZERO", zero)
    return text.replace(call.group(0), made)


def _at_once(text: str, function: str, arguments: str, outputs: list[str]) -> list[str]:
    """What runs two graphs of the function at once, the second with copies of its own of all that it writes."""
    lines, others = [], arguments
    for copy in outputs:
        kind = re.search(rf"pencilc_copy<(.*)> {copy};", text)
        taken = re.search(rf"{copy}\.in\((.*), (?:true|false), (\w+)\)", text)
        assert kind and taken
        lines.append(f"pencilc_copy<{kind[1]}> second_{copy};")
        lines.append(f"PENCILC_CHECK(second_{copy}.in({taken[1]}, true, {taken[2]}), {taken[2]}, ZERO);")
        others = others.replace(f"{copy}.device", f"second_{copy}.device")
    (stream,) = {found[2] for found in re.finditer(r"(\w+)\.in\(.*, (\w+)\), ", text)}
    assert others != arguments
    return [
        *lines,
        f"const auto first_ = [&](cudaStream_t on_) {{ return {function}_device({arguments}, on_); }};",
        f"const auto second_ = [&](cudaStream_t on_) {{ return {function}_device({others}, on_); }};",
        f"PENCILC_CHECK(captured_at_once({stream}, first_, second_), {stream}, ZERO);",
    ]


@pytest.mark.parametrize(
    "name", [pytest.param(s.name, marks=() if s.name in QUICK else pytest.mark.full) for s in samples()]
)
def test_captured_and_replayed(name: str, root: Path, tmp_path: Path) -> None:
    path, notes = Path("samples", f"{name}.c"), tmp_path / "notes"
    notes.touch()
    done = compile_source(SourceFile(str(path), path.read_text()), CompileOptions())
    changed = _with_capture(done.cuda, notes)
    assert changed.count('captured("') >= 1
    settings = VerifySettings(sizes=SIZES.get(name, {}), orders=("rand:7",), limits=SizeLimits(elements=2**17))
    generated = Generated(done.parsed, changed, None)
    report = verify_generated(generated, CompileOptions(), settings, CpuExecutor(settings.orders, "check"))
    assert report.ok, report.table()
    assert set(notes.read_text().split()) == WAIT.get(name, set())


ROUNDS = """
#include <pencil.h>
void settle(int n, int goal, int a[static const restrict n], int count[static const restrict 1])
{
    int sum = 100, it = 0;
#pragma scop
    while (sum > (goal & 15) && it < 40) {
        sum = 0;
        for (int i = 0; i < n; i++)
            sum += a[i] & 7;
        for (int i = 0; i < n; i++)
            a[i] = a[i] / 2;
        it++;
    }
    count[0] = it;
#pragma endscop
}
"""


def test_a_loop_that_data_end_is_refused_before_anything_is_queued(tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    notes.touch()
    done = compile_source(SourceFile("settle.c", ROUNDS), CompileOptions())
    settings = VerifySettings(sizes={"n": (0, 21)}, orders=("rand:7",))
    generated = Generated(done.parsed, _with_capture(done.cuda, notes), None)
    report = verify_generated(generated, CompileOptions(), settings, CpuExecutor(settings.orders, "check"))
    assert report.ok, report.table()
    assert set(notes.read_text().split()) == {"settle"}
