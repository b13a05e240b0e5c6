"""`pencilc.compile`: sources, options, what it raises and warns of; `--manifest` and its schema."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from click.testing import CliRunner

import pencilc
from pencilc.cli import main
from pencilc.diagnostics.diagnostic import CompilerLimitation
from pencilc.diagnostics.source import SourceFile
from pencilc.driver import Compilation, compile_source
from pencilc.options import CompileOptions
from pencilc.python import module as api
from pencilc.python.manifest import manifest_of, manifest_text
from pencilc.tune.file import FORMAT, VERSION
from tests.conftest import ROOT, Sample, samples
from tests.unit.python.conftest import FUNCTIONS
from tests.unit.python.test_build import SMALL

# The samples whose manifests `make test` looks at: a struct, arrays of several kinds, launches that stand for others.
FEW = ("argmin", "csr", "histogram", "row_sums", "sum_half")
SCHEMA = json.loads((ROOT / "pencilc" / "python" / "manifest.schema.json").read_text())
WRONG = SMALL.replace("2 * a[i]", "2 * a[i] + missing")


@pytest.fixture
def compilations(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[Compilation]:
    """The compilations whose libraries would be built: nothing is."""
    found: list[Compilation] = []

    class Library:
        path = tmp_path / "none.so"

    def kept(done: Compilation, library: Any) -> Compilation:
        found.append(done)
        return done

    monkeypatch.setattr(api, "cpu_library", lambda *_: Library.path)
    monkeypatch.setattr(api, "Module", kept)
    return found


# ---- sources ---------------------------------------------------------------------------------------


def test_a_source_is_text_or_the_name_of_a_file(tmp_path: Path, compilations: list[Compilation]) -> None:
    path = tmp_path / "small.c"
    path.write_text(SMALL)
    for source in (SMALL, str(path), path):
        pencilc.compile(source, device="cpu")
    assert [done.file.path for done in compilations] == ["source.c", str(path), str(path)]
    assert len({done.parsed.regions[0].name for done in compilations}) == 1


def test_errors_carry_the_diagnostics(tmp_path: Path) -> None:
    with pytest.raises(pencilc.CompileError) as raised:
        pencilc.compile(WRONG, filename="wrong.c", device="cpu")
    (diagnostic,) = raised.value.diagnostics
    assert (diagnostic.span.path, diagnostic.span.line) == ("wrong.c", 4) and diagnostic.code.startswith("PC")
    assert raised.value.text.startswith(f"error[{diagnostic.code}]: ") and "2 * a[i] + missing" in raised.value.text
    assert raised.value.text.rstrip() in str(raised.value)
    with pytest.raises(pencilc.CompileError, match="cannot be read: No such file"):
        pencilc.compile(tmp_path / "none.c", device="cpu")
    with pytest.raises(pencilc.CompileError, match="nothing to compile in this file"):
        pencilc.compile("int f(void) { return 1; }", device="cpu")


def test_a_limit_is_an_error_too(monkeypatch: pytest.MonkeyPatch) -> None:
    def limited(*_: object) -> Compilation:
        raise CompilerLimitation("of a kind that is none")

    monkeypatch.setattr(api, "compile_source", limited)
    with pytest.raises(pencilc.CompileError, match=r"error\[PC0901\]: pencilc cannot compile this yet: of a kind"):
        pencilc.compile(SMALL, device="cpu")


def test_warnings_are_warnings(compilations: list[Compilation]) -> None:
    slow = SMALL.replace("b[i] = 2 * a[i]", "b[i] = i > 0 ? b[i - 1] * a[i] : 1")
    with pytest.warns(pencilc.CompileWarning, match=r"warning\[PC0701\]: nothing is parallel here") as told:
        pencilc.compile(slow, device="cpu")
    assert told[0].filename == __file__
    pencilc.compile(slow, device="cpu", warning_options=["no-not-parallel"])
    with pytest.raises(pencilc.CompileError, match=r"error\[PC0701\]"):
        pencilc.compile(slow, device="cpu", warning_options=["error"])


def test_options_are_those_of_the_command_line(tmp_path: Path, compilations: list[Compilation]) -> None:
    (tmp_path / "header.h").write_text("#define FACTOR 3\n")
    source = '#include "header.h"\n' + SMALL.replace("2 *", "FACTOR * K *")
    pencilc.compile(
        source, device="cpu", include_dirs=[tmp_path], defines={"K": 5, "FLAG": None}, determinism="fixed-tree",
        sum="kahan", fuse="none", shifted_sums="as-written", associative_math=True, arch="sm_80",
        allow_tf32=True,
    )  # fmt: skip
    (done,) = compilations
    options = done.options
    assert options.defines == ("K=5", "FLAG") and options.include_dirs == (str(tmp_path),) and "3 * 5" in done.cuda
    assert (options.determinism, options.sums, options.fuse, options.shifted_sums, options.associative_math,
            options.target.arch, options.allow_tf32) == (
                "fixed-tree", "kahan", "none", "as-written", True, "sm_80", True)  # fmt: skip


def test_tuning_data_beside_the_file(tmp_path: Path, compilations: list[Compilation]) -> None:
    path = tmp_path / "small.c"
    path.write_text(SMALL)
    kernels = {"twice_parallel0": {"parameters": {"threads": 128}}}
    tuning = {"format": FORMAT, "version": VERSION, "kernels": kernels}
    path.with_name("small.tuning.json").write_text(json.dumps(tuning))
    pencilc.compile(path, device="cpu")
    pencilc.compile(SMALL, device="cpu", tuning=path.with_name("small.tuning.json"))
    assert [done.options.tuning.of("twice_parallel0") for done in compilations] == [{"threads": 128}] * 2


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"device": "cuda"}, ValueError, "device='cuda': give 'auto' or 'gpu' or 'cpu'"),
        ({"sum": "exact"}, ValueError, "sum='exact': give 'plain' or"),
        ({"determinism": "yes"}, ValueError, "determinism='yes'"),
        ({"fuse": "all"}, ValueError, "fuse='all'"),
        ({"shifted_sums": ""}, ValueError, "shifted_sums=''"),
        ({"on_unsupported": 1}, ValueError, "on_unsupported=1"),
        ({"arch": "sm_50"}, ValueError, "arch='sm_50': sm_75 is the least"),
        ({"warning_options": ["no-parallel"]}, ValueError, "-Wno-parallel names no warning"),
        ({"warning_options": "error"}, TypeError, "give a list of strings"),
        ({"defines": [("N", 1)]}, TypeError, "give a list of strings"),
        ({"source": SMALL.encode()}, TypeError, "the source is of type 'bytes'"),
        ({"defines": "N=1"}, TypeError, "defines='N=1': give a list of strings"),
        ({"std": "c++17"}, ValueError, "std='c\\+\\+17': pencilc reads c99"),
    ],
)
def test_wrong_options(options: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        pencilc.compile(**{"source": SMALL, "device": "cpu", **options})


def test_the_package_offers_its_names() -> None:
    assert set(pencilc.__all__) <= set(dir(pencilc))
    for name in pencilc.__all__:
        assert getattr(pencilc, name) is not None
    with pytest.raises(AttributeError, match="module 'pencilc' has no attribute 'compiler'"):
        _ = pencilc.compiler


def test_the_package_is_quick_to_import() -> None:
    """The compiler is loaded by the first use, NumPy by none."""
    code = (
        "import sys, pencilc; assert 'pencilc.driver' not in sys.modules;"
        "pencilc.compile; assert 'pencilc.driver' in sys.modules and 'numpy' not in sys.modules"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.returncode == 0, done.stderr


# ---- manifests -------------------------------------------------------------------------------------


def test_the_manifest_of_functions() -> None:
    done = compile_source(SourceFile("functions.c", FUNCTIONS.read_text()), CompileOptions())
    manifest: Any = json.loads(manifest_text(done, "out/functions.cu"))
    assert manifest == manifest_of(done, "functions.cu")
    jsonschema.Draft202012Validator(SCHEMA).validate(manifest)
    functions = {function["name"]: function for function in manifest["functions"]}
    argmin, scale, blur, region = (functions[name] for name in ("argmin", "scale", "blur", "main_scop0"))
    assert argmin["returns"]["members"][1] == {
        "name": "index", "offset": 4, "type": {"kind": "int", "name": "int", "size": 4, "align": 4},
    }  # fmt: skip
    assert argmin["entries"]["device_in"] == {
        "symbol": "argmin_device_in", "then": ["result", "workspace", "bytes", "stream"],
    }  # fmt: skip
    assert scale["entries"]["host"]["symbol"] != "scale" and scale["prototype"].startswith("void scale(")
    assert "workspace" not in scale["entries"] and scale["returns"] is None
    assert [(a["name"], a["passed"], a.get("read"), a.get("written")) for a in scale["arguments"]] == [
        ("rows", "value", None, None), ("columns", "value", None, None), ("factor", "value", None, None),
        ("x", "array", True, False), ("y", "array", False, True),
    ]  # fmt: skip
    assert blur["arguments"][2]["extents"] == ["n + 1", "2 * settings.radius", "3"]
    assert functions["widen"]["arguments"][2]["type"]["kind"] == "bfloat"
    assert region["arguments"][-1]["passed"] == "pointer"
    assert scale["launches"] == [
        {"kernel": f"{scale['entries']['host']['symbol']}_parallel0", "shape": "parallel", "loops": [], "unless": None,
         "functions": [{"name": f"{scale['entries']['host']['symbol']}_parallel0", "block": 256}]}
    ]  # fmt: skip


def test_symbols_of_the_manifest_are_those_of_the_header(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two independent accounts of the same entry points."""
    words = [str(FUNCTIONS), "-o", "out.cu", "--header", "out.h", "--manifest", "out.json", "-MD"]
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(main, words)
    assert result.exit_code == 0, result.output
    header, manifest = Path("out.h").read_text(), json.loads(Path("out.json").read_text())
    assert "out.json" in Path("out.d").read_text().partition(":")[0], "it is a product for make too"
    assert manifest["cuda"] == "out.cu"
    for function in manifest["functions"]:
        for entry in function["entries"].values():
            assert f" {entry['symbol']}(" in header
            if entry["then"]:
                declared = header.partition(f" {entry['symbol']}(")[2].partition(")")[0]
                assert len(declared.split(",")) == len(function["arguments"]) + len(entry["then"])
    assert header.count("cudaError_t ") == sum(len(f["entries"]) - 1 for f in manifest["functions"])


def test_a_manifest_has_the_same_bytes_on_every_run(tmp_path: Path) -> None:
    texts = []
    for seed in ("1", "2"):
        words = [sys.executable, "-m", "pencilc", "-", "-o", str(tmp_path / "out.cu"), "--manifest", "-"]
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        done = subprocess.run(words, input=SMALL, capture_output=True, text=True, check=True, env=environment)
        texts.append(done.stdout)
    assert texts[0] == texts[1] and json.loads(texts[0])["format"] == "pencilc manifest"


def test_a_manifest_is_written_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("wrong.c").write_text(WRONG)
    Path("small.c").write_text(SMALL)

    def status(*words: str) -> tuple[int, str]:
        result = CliRunner().invoke(main, words)
        return result.exit_code, result.output

    assert status("wrong.c", "--manifest", "out.json")[0] == 1
    assert status("small.c", "--manifest", "no/out.json")[0] == 2
    code, said = status("small.c", "-o", "out.cu", "--manifest", "./out.cu")
    assert code == 2 and "the manifest and another output would be one" in said
    code, said = status("small.c", "-o", "out.cu", "--manifest", "small.c")
    assert code == 2 and "the output would overwrite the input" in said
    assert sorted(path.name for path in Path().iterdir()) == ["small.c", "wrong.c"]
    assert status("small.c", "-o", "-", "--manifest", "out.json")[0] == 0
    assert json.loads(Path("out.json").read_text())["cuda"] is None


@pytest.mark.parametrize(
    "each", [pytest.param(s, id=s.name, marks=() if s.name in FEW else pytest.mark.full) for s in samples()]
)
def test_manifests_of_samples_are_as_the_schema_says(each: Sample) -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    done = compile_source(SourceFile(each.path, each.text), CompileOptions())
    manifest = manifest_of(done, f"{each.name}.cu")
    jsonschema.Draft202012Validator(SCHEMA).validate(manifest)
    functions: Any = manifest["functions"]
    kernels = {name for f in functions for launch in f["launches"] for name in _kernels(launch)}
    assert kernels and all(f"{name}(" in done.cuda or f"{name}<" in done.cuda for name in kernels)
    broken: Any = json.loads(json.dumps(manifest))
    broken["functions"][0]["arguments"][0]["passed"] = "somehow"
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.Draft202012Validator(SCHEMA).validate(broken)


def _kernels(launch: Any) -> list[str]:
    return [function["name"] for function in launch["functions"]]
