"""Two generated files in one program: with a runtime in each of them, and with one that both include."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner

from pencilc.cli import main
from pencilc.codegen.render import RUNTIME_HEADER, runtime_header
from pencilc.verify.cudacpu.build import BuildError, compile_object, link
from tests.conftest import ROOT, run

# Both have a `struct item`, of unlike sizes: what the runtime does with one is not to be taken for the other's.
SUMS = """#include <pencil.h>
struct item { float value; };
float total(int n, const struct item a[static const restrict n]) {
    float s = 0;
    #pragma pencil independent reduction(+: s)
    for (int i = 0; i < n; i++) s += a[i].value;
    return s;
}
"""
ROWS = """#include <pencil.h>
struct item { float value, rest; };
void rows(int n, int m, const struct item a[static const restrict n][m], float sum[static const restrict n]) {
    #pragma pencil independent
    for (int i = 0; i < n; i++) {
        float s = 0;
        #pragma pencil independent reduction(+: s)
        for (int j = 0; j < m; j++) s += a[i][j].value;
        sum[i] = s;
    }
}
"""
# The second file is called first, so that it can rely on nothing that the first one has set up.
MAIN = """
#include <thread>
#include <vector>

extern "C" float total(int n, const void *a);
extern "C" cudaError_t total_device(int n, const void *a, float *result, cudaStream_t stream);
extern "C" void rows(int n, int m, const void *a, float *sum);
extern "C" cudaError_t rows_device(int n, int m, const void *a, float *sum, cudaStream_t stream);

static const int N = 2, M = 70001;

static void queue(const void *a, float *sums, float *whole)
{
    cudaStream_t stream;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    for (int k = 0; k < 2; k++) {
        if (rows_device(N, M, a, sums, stream) != cudaSuccess) abort();
        if (total_device(N * M, a, whole, stream) != cudaSuccess) abort();
    }
    cudaStreamSynchronize(stream);
}

int main()
{
    std::vector<float> a(2 * N * M, 1.0f);
    float sums[N];
    rows(N, M, a.data(), sums);
    printf("%g %g %g\\n", sums[0], sums[1], total(N * M, a.data()));
    float *data, *results;
    cudaMalloc((void **)&data, sizeof(float) * 2 * N * M);
    cudaMalloc((void **)&results, sizeof(float) * 6);
    cudaMemcpy(data, a.data(), sizeof(float) * 2 * N * M, cudaMemcpyHostToDevice);
    std::thread one(queue, data, results, results + 2), two(queue, data, results + 3, results + 5);
    one.join();
    two.join();
    float found[6];
    cudaMemcpy(found, results, sizeof(found), cudaMemcpyDeviceToHost);
    for (float each : found) printf("%g ", each);
    printf("\\n%d sets\\n", sets());
    cudaFree(data);
    cudaFree(results);
    return 0;
}
"""
# With a header, both files have the scratch memory of a stream in common: there is a set for each of the streams.
SETS = {
    "inline": "static int sets() { return 0; }\n",
    "header": """#include "pencilc_runtime.h"
static int sets()
{
    int count = 0;
    for (pencilc_scratch *each = pencilc_scratches; each != nullptr; each = each->next) count++;
    return count;
}
""",
}


def compiled(folder: Path, runtime: str) -> list[Path]:
    """The generated files of both sources and of a main program, in a folder whose path has blanks."""
    made = folder / "made of two"
    made.mkdir()
    found = []
    for name, text in (("sums", SUMS), ("rows", ROWS)):
        (folder / f"{name}.c").write_text(text)
        found.append(made / f"{name}.cu")
        words = [str(folder / f"{name}.c"), f"--runtime={runtime}", "-o", str(found[-1])]
        assert CliRunner().invoke(main, words).exit_code == 0
    head = "#include <cuda_runtime.h>\n#include <stdio.h>\n#include <stdlib.h>\n"
    (made / "main.cu").write_text(head + SETS[runtime] + MAIN)
    assert (made / RUNTIME_HEADER).exists() == (runtime == "header")
    return [*found, made / "main.cu"]


@pytest.mark.parametrize("runtime", [pytest.param("inline", marks=pytest.mark.full), "header"])
def test_two_files_in_a_program(runtime: str, tmp_path: Path) -> None:
    objects = []
    for source in compiled(tmp_path, runtime):
        objects.append(source.with_suffix(".o"))
        compile_object(source, objects[-1], mode="check")
    link(objects, tmp_path / "program", mode="check")
    done = run(tmp_path / "program")
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [
        "70001 70001 140002", "70001 70001 140002 70001 70001 140002 ", f"{3 if runtime == 'header' else 0} sets",
    ]  # fmt: skip
    for each in objects[:2]:
        symbols = subprocess.run(["nm", "-C", each], capture_output=True, text=True, check=True).stdout
        shared = re.findall(r"^\S* [A-TV-Zu] (.*pencilc_.*)$", symbols, re.MULTILINE)
        assert [name for name in shared if name != "pencilc_fail" and "pencilc_runtime_" not in name] == []


def test_a_file_refuses_the_header_of_another_version(tmp_path: Path) -> None:
    source = compiled(tmp_path, "header")[0]
    header = source.with_name(RUNTIME_HEADER)
    stamp = f"PENCILC_{runtime_header().stamp}"
    assert stamp in source.read_text()
    header.write_text(header.read_text().replace(stamp, "PENCILC_RUNTIME_9_0"))
    with pytest.raises(BuildError) as refused:
        compile_object(source, tmp_path / "sums.o")
    assert "let the same pencilc compile all sources" in refused.value.stderr


@pytest.mark.full
@pytest.mark.parametrize("name", ["softmax", "gemm_tensor", "sum_bfloat16", "histogram", "csr", "hog"])
def test_nvcc_takes_the_header_without_a_warning(name: str, nvcc: str, tmp_path: Path) -> None:
    """It has building blocks that a file does not use."""
    source = ROOT / "samples" / f"{name}.c"
    words = [str(source), "--runtime=header", "-o", str(tmp_path / "made.cu")]
    assert CliRunner().invoke(main, words).exit_code == 0
    for arch in (75, 90):
        command = [nvcc, f"-arch=sm_{arch}", "-Werror", "all-warnings", "-c", str(tmp_path / "made.cu")]
        done = subprocess.run([*command, "-o", str(tmp_path / "made.o")], capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.full
@pytest.mark.parametrize("runtime", ["inline", "header"])
def test_nvcc_links_two_files(runtime: str, nvcc: str, tmp_path: Path) -> None:
    command = [nvcc, "-arch=sm_90", "-Werror", "all-warnings", *map(str, compiled(tmp_path, runtime))]
    done = subprocess.run([*command, "-o", str(tmp_path / "program")], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
