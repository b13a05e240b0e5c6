"""The command line: exit statuses, what is written where, and that nothing is lost."""

from __future__ import annotations

import json
import os
import pty
import re
import select
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from pencilc import driver
from pencilc.cli import PASS_NAMES, STAGE_NAMES, main
from pencilc.diagnostics.codes import REGISTRY
from pencilc.diagnostics.diagnostic import CompilerBug
from pencilc.gpu import passes

SUM = """#include <pencil.h>
static void zero(float *v) { *v = 0; }
static float add(float a, float b) { return a + b; }
float f(int n, const float a[static const restrict n]) {
    float s;
    __pencil_reduction_var_init(&s, zero);
    for (int i = 0; i < n; i++) __pencil_reduction(&s, a[i], add);
    return s;
}
"""
WITH_MAIN = SUM + "int main(void) { float x[2] = {1, 2}; return (int)f(2, x); }\n"


def pencilc(folder: Path, *words: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    """Run the command in `folder`."""
    command = [sys.executable, "-m", "pencilc", *words]
    return subprocess.run(command, cwd=folder, input=stdin, capture_output=True, text=True, check=False)


Command = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def called(folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    """The same in this process, which is much quicker: for what many words do."""

    def call(*words: str) -> subprocess.CompletedProcess[str]:
        monkeypatch.chdir(folder)
        status: object = 0
        try:
            main(list(words), "pencilc")
        except SystemExit as end:
            status = end.code
        said = capsys.readouterr()
        assert isinstance(status, int)
        return subprocess.CompletedProcess(words, status, said.out, said.err)

    return call


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "s.c").write_text(SUM)
    (tmp_path / "m.c").write_text(WITH_MAIN)
    return tmp_path


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def test_default_output_stands_in_the_current_directory(folder: Path) -> None:
    result = pencilc(folder, "s.c")
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")
    assert names(folder) == {"s.c", "m.c", "s.cu"}


def test_a_build_system_gets_a_host_file_always(folder: Path) -> None:
    assert pencilc(folder, "s.c", "-o", "out.cu", "--always-host", "-MD").returncode == 0
    assert names(folder) == {"s.c", "m.c", "out.cu", "out_host.c", "out.d"}
    assert (folder / "out.d").read_text().startswith("out.cu out_host.c:")
    strict = ("-std=c99", "-Wall", "-Wextra", "-pedantic", "-Werror", "-fsyntax-only")
    assert subprocess.run(["gcc", *strict, folder / "out_host.c"], check=False).returncode == 0
    refused = pencilc(folder, "s.c", "-o", "-", "--always-host")
    assert refused.returncode == 2 and "needs --host-output, because of --always-host" in refused.stderr
    assert pencilc(folder, "m.c", "-o", "out.cu", "--always-host").returncode == 0
    assert "int main(void)" in (folder / "out_host.c").read_text()


def test_host_file_only_when_there_is_host_code(folder: Path) -> None:
    assert pencilc(folder, "m.c", "-o", "out.cu").returncode == 0
    assert names(folder) == {"s.c", "m.c", "out.cu", "out_host.c"}
    assert "int main(void)" in (folder / "out_host.c").read_text()


def test_same_bytes_keep_the_time_stamp(folder: Path) -> None:
    pencilc(folder, "s.c")
    before = (folder / "s.cu").stat().st_mtime_ns
    pencilc(folder, "s.c")
    assert (folder / "s.cu").stat().st_mtime_ns == before


def test_standard_input_and_output(folder: Path) -> None:
    result = pencilc(folder, "-", "-o", "-", stdin=SUM)
    assert result.returncode == 0
    assert 'extern "C" float f(int n, const float *a)' in result.stdout
    assert names(folder) == {"s.c", "m.c"}


def test_files_share_the_header_of_the_runtime(folder: Path) -> None:
    words = ("--runtime=header", "-o", "out dir/x.cu", "-MD", "-MF", "x.d", "--manifest", "x.json", "--header", "x.h")
    (folder / "out dir").mkdir()
    assert pencilc(folder, "s.c", *words).returncode == 0
    assert names(folder / "out dir") == {"x.cu", "pencilc_runtime.h"}
    header = folder / "out dir" / "pencilc_runtime.h"
    assert '#include "pencilc_runtime.h"\n' in (folder / "out dir" / "x.cu").read_text()
    # Every source would be a rule for it, and make would take it for one that is older than some source.
    assert "pencilc_runtime" not in (folder / "x.d").read_text()
    manifest = json.loads((folder / "x.json").read_text())
    assert (manifest["cuda"], manifest["runtime"]) == ("x.cu", "pencilc_runtime.h")
    before = header.stat().st_mtime_ns
    assert pencilc(folder, "m.c", "--runtime=header", "-o", "out dir/y.cu").returncode == 0
    assert header.stat().st_mtime_ns == before
    text = header.read_text()
    header.write_text(text.replace("pencilc 0", "pencilc 9"))
    assert pencilc(folder, "s.c", *words).returncode == 0 and header.read_text() == text
    header.write_text("mine")
    refused = pencilc(folder, "s.c", *words)
    assert refused.returncode == 2 and "would overwrite a file that is not pencilc's" in refused.stderr
    assert header.read_text() == "mine"


@pytest.mark.parametrize(
    "words",
    [
        ("s.c", "--runtime=header", "-o", "-"),
        ("s.c", "--runtime=header", "--header", "pencilc_runtime.h"),
        ("s.c", "--runtime=shared"),
        ("verify", "s.c", "--runtime=header"),
        ("s.c", "-o", "s.c"),
        ("m.c", "-o", "y.cu", "--host-output", "y.cu"),
        ("m.c", "-o", "y.cu", "--host-output", "./m.c"),
        ("m.c", "-o", "-"),
        ("s.c", "-o", "absent/x.cu"),
        ("s.c", "--arch", "sm_60"),
        ("s.c", "-std=c89"),
        ("-c", "s.c", "-o", "s.o"),
        ("s.c", "-fassociative-maths"),
        ("s.c", "-Wno-pencil-name"),
        ("s.c", "-Wno-syntax"),
        ("s.c", "-MF", "s.d"),
        ("s.c", "-o", "-", "-MD"),
        ("s.c", "--header", "s.cu"),
        ("s.c", "-o", "x.cu", "-MD", "-MF", "s.c"),
        ("explain", "PC9999"),
        ("s.c", "--nonsense"),
        ("verify", "s.c", "--order=zig"),
        ("verify", "s.c", "--sizes", "n"),
    ],
    ids=" ".join,
)
def test_wrong_usage_is_2_and_changes_nothing(folder: Path, called: Command, words: tuple[str, ...]) -> None:
    result = called(*words)
    assert result.returncode == 2, result.stderr
    assert "Traceback" not in result.stderr
    assert names(folder) == {"s.c", "m.c"}
    assert (folder / "s.c").read_text() == SUM
    assert (folder / "m.c").read_text() == WITH_MAIN


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (SUM.replace("i < n", "i <"), "PC0001"),
        (SUM.replace("#include <pencil.h>", '#include "absent.h"'), "PC0002"),
        (SUM.replace("__pencil_reduction_var_init(&s, zero);", ""), "PC0201"),
        (SUM.replace("a[i], add", "a[i], sub"), "PC0202"),
        ("int x;\n", "PC0106"),
        ("", "PC0003"),
    ],
)
def test_faults_of_the_source_are_1_located_and_write_nothing(
    folder: Path, called: Command, text: str, code: str
) -> None:
    (folder / "bad.c").write_text(text)
    result = called("bad.c", "-o", "bad.cu")
    assert result.returncode == 1
    assert f"error[{code}]" in result.stderr
    assert "bad.c" in result.stderr
    assert "Traceback" not in result.stderr
    assert result.stdout == ""
    assert not (folder / "bad.cu").exists()


def test_unreadable_inputs(folder: Path) -> None:
    (folder / "binary.c").write_bytes(bytes(range(256)))
    for name in ("absent.c", ".", "binary.c"):
        result = pencilc(folder, name)
        assert result.returncode == 1, name
        assert "Traceback" not in result.stderr
    assert names(folder) == {"s.c", "m.c", "binary.c"}


def test_macros_and_preprocessing(folder: Path) -> None:
    (folder / "d.c").write_text(SUM.replace("a[i], add", "a[i] * SCALE, add"))
    result = pencilc(folder, "-E", "-DSCALE=3", "d.c")
    assert result.returncode == 0
    assert "a[i] * 3" in result.stdout
    assert pencilc(folder, "d.c").returncode == 1
    assert "a_element * 3" in pencilc(folder, "d.c", "-DSCALE=3", "-o", "-").stdout


def test_the_last_word_on_a_macro_holds(folder: Path) -> None:
    (folder / "d.c").write_text("#ifndef X\n#define X 1\n#endif\nint x = X, y = Y(2);\n")

    def expanded(*words: str) -> str:
        return pencilc(folder, "-E", "-DY(a)=a", *words, "d.c").stdout.rpartition("int ")[2].strip()

    assert expanded("-UX", "-DX=2") == expanded("-DX=3", "-U", "X", "-D", "X=2") == "x = 2, y = 2;"
    assert expanded("-DX=3", "-UX") == expanded("-UX", "-DZ=4") == "x = 1, y = 2;"
    assert expanded("-UY", "-DY(a)=a+a") == "x = 1, y = 2+2;"


def test_check_and_syntax_only_write_nothing(folder: Path) -> None:
    for words in (("check", "s.c"), ("-fsyntax-only", "s.c"), ("--stop-after=schedule", "s.c")):
        result = pencilc(folder, *words)
        assert (result.returncode, result.stdout) == (0, "")
    assert names(folder) == {"s.c", "m.c"}


@pytest.mark.parametrize("stage", [*STAGE_NAMES, *PASS_NAMES])
def test_every_stage_can_be_dumped(folder: Path, called: Command, stage: str) -> None:
    result = called("s.c", f"--dump-ir={stage}")
    assert result.returncode == 0
    assert result.stdout
    assert names(folder) == {"s.c", "m.c"}


def test_what_was_made_is_dumped_where_a_verifier_refuses_it(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(done: driver.Compilation) -> None:
        raise CompilerBug("the tree is broken")

    stages = (replace(each, verify=refuse) if each.name == "kernels" else each for each in driver.PIPELINE)
    monkeypatch.setattr(driver, "PIPELINE", tuple(stages))
    monkeypatch.chdir(folder)
    words = [f"--dump-ir={stage}" for stage in ("scop", "mapping/parts", "mapping", "kernels", "cuda")]
    result = CliRunner().invoke(main, ["s.c", *words])
    assert result.exit_code == 3 and "the tree is broken" in result.output
    for heading in ("scop f", "mapping of ", ": kernel, ", "\nentry "):
        assert heading in result.output
    assert "__global__" not in result.output


def test_the_command_knows_the_stages_and_passes() -> None:
    assert STAGE_NAMES == driver.STAGES
    assert tuple(f"mapping/{each.name}" for each in passes.PASSES) == PASS_NAMES


def test_a_pass_of_a_region_in_one_thread_is_told(folder: Path) -> None:
    (folder / "q.c").write_text("""#include <pencil.h>
void q(int n, float a[static const restrict n]) {
#pragma scop
    for (int i = 2; i < n; i++) a[i] = a[i - 1] + a[i - 2];
    for (int i = 2; i < n; i++) a[i] = a[i - 1] * a[i - 2];
#pragma endscop
}
""")
    assert "S1" in pencilc(folder, "q.c", "--dump-ir=mapping/parts").stdout
    assert "nothing in the region is parallel" in pencilc(folder, "q.c", "--dump-ir=mapping/fusion").stdout


def test_time_and_report_go_to_standard_error(folder: Path) -> None:
    result = pencilc(folder, "s.c", "--time-stages", "--report=text", "-o", "-")
    assert "schedule" in result.stderr
    assert all(name in result.stderr for name in PASS_NAMES)
    assert "f_all0" in result.stderr
    assert " ms" not in result.stdout


def test_version_and_places(folder: Path) -> None:
    assert "pencilc" in pencilc(folder, "--version").stdout
    for option, file in (
        ("--print-include-dir", "pencil.h"),
        ("--print-mk", ""),
        ("--print-cmake-dir", "pencilcConfig.cmake"),
        ("--print-pkgconfig-dir", "pencilc.pc"),
    ):
        assert (Path(pencilc(folder, option).stdout.strip()) / file).is_file()


def test_sequential_code_is_told(folder: Path) -> None:
    (folder / "q.c").write_text("""#include <pencil.h>
void q(int n, float a[static const restrict n]) {
#pragma scop
    for (int i = 1; i < n; i++) a[i] = a[i] + a[i - 1];
#pragma endscop
}
""")
    result = pencilc(folder, "q.c")
    assert result.returncode == 0
    assert "warning[PC0701]" in result.stderr
    assert pencilc(folder, "q.c", "-q").stderr == ""


SCAN = """#include <pencil.h>
void q(int n, float a[static const restrict n]) {
#pragma scop
    for (int i = 1; i < n; i++) a[i] = a[i] + a[i - 1];
#pragma endscop
}
"""


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        ((), 0, "warning[PC0701]"),
        (("-Wno-not-parallel",), 0, ""),
        (("-Wno-PC0701",), 0, ""),
        (("-w",), 0, ""),
        (("-Wno-not-parallel", "-Wnot-parallel"), 0, "warning[PC0701]"),
        (("-Werror",), 1, "error[PC0701]"),
        (("-Werror=not-parallel",), 1, "error[PC0701]"),
        (("-Werror", "-Wno-error=not-parallel"), 0, "warning[PC0701]"),
        (("-Werror=not-parallel", "-Wno-error=not-parallel"), 0, "warning[PC0701]"),
        (("-Werror", "-Wno-not-parallel"), 0, ""),
        (("-Wall", "-Wextra"), 0, "warning[PC0701]"),
    ],
)
def test_warnings_have_names(folder: Path, called: Command, words: tuple[str, ...], status: int, said: str) -> None:
    (folder / "q.c").write_text(SCAN)
    result = called("q.c", *words)
    assert result.returncode == status
    assert said in result.stderr
    assert bool(said) == bool(result.stderr)
    assert ("q.cu" in names(folder)) == (status == 0)


def test_an_unknown_warning_is_told_what_it_may_mean(folder: Path) -> None:
    done = pencilc(folder, "s.c", "-Wno-not-paralel")
    assert done.returncode == 0
    assert done.stderr == "pencilc: -Wno-not-paralel names no warning of pencilc's; did you mean `not-parallel`?\n"
    assert pencilc(folder, "s.c", "-Wshadow", "-w").stderr == ""


def test_flags_of_a_c_build_are_taken(folder: Path) -> None:
    flags = ("-O2", "-g", "-ggdb3", "-fPIC", "-march=native", "-pipe", "-pthread", "-Wall", "-Wextra", "-pedantic")
    linker = ("-shared", "-rdynamic", "-L/usr/lib", "-lm", "-Wl,-O1", "-save-temps")
    done = pencilc(folder, *flags, *linker, "-fno-strict-aliasing", "s.c", "-Werror")
    assert (done.returncode, done.stderr) == (0, "")
    assert names(folder) == {"s.c", "m.c", "s.cu"}


def test_flags_whose_value_is_a_word_of_its_own_are_taken_too(folder: Path) -> None:
    flags = ("-x", "c", "-L", "/usr/lib", "-l", "m", "-Xlinker", "-O1", "--param", "inline-unit-growth=9")
    assert pencilc(folder, *flags, "check", "s.c").returncode == 0
    assert pencilc(folder, "-xc", "s.c").returncode == 0
    done = pencilc(folder, "-x", "c++", "s.c")
    assert done.returncode == 2 and "-x c++: pencilc reads C" in done.stderr
    assert "'-x' requires an argument" in pencilc(folder, "s.c", "-x").stderr


def test_words_for_the_preprocessor(folder: Path) -> None:
    (folder / "d.c").write_text(SUM.replace("a[i], add", "a[i] * SCALE, add"))
    done = pencilc(folder, "-Wp,-MMD,d.dep,-DSCALE=3", "d.c", "-Xpreprocessor", "-DOTHER")
    assert (done.returncode, done.stderr) == (0, "")
    assert "a_element * 3" in (folder / "d.cu").read_text()
    assert (folder / "d.dep").read_text().startswith("d.cu: d.c")


def test_an_object_is_what_nvcc_makes(folder: Path) -> None:
    for words in (("-O2", "-c", "s.c", "-o", "s.o"), ("s.c", "-o", "s.o")):
        done = pencilc(folder, *words)
        assert done.returncode == 2 and "nvcc -c OUT.cu -o OUT.o" in done.stderr


@pytest.mark.parametrize(
    ("flags", "parallel"),
    [
        ((), False),
        (("-ffast-math",), True),
        (("-Ofast",), True),
        (("-ffast-math", "-fno-associative-math"), False),
        (("-fno-fast-math", "-fassociative-math"), True),
    ],
)
def test_flags_that_let_sums_be_done_in_any_order(folder: Path, flags: tuple[str, ...], parallel: bool) -> None:
    (folder / "p.c").write_text(SUM.replace("__pencil_reduction_var_init(&s, zero);", "s = 0;").replace(
        "for (int i = 0; i < n; i++) __pencil_reduction(&s, a[i], add);",
        "\n#pragma scop\nfor (int i = 0; i < n; i++) s += a[i];\n#pragma endscop\n",
    ))  # fmt: skip
    done = pencilc(folder, *flags, "p.c")
    assert done.returncode == 0
    assert ("PC0701" not in done.stderr) == parallel


def test_what_is_the_users_has_no_traceback(folder: Path) -> None:
    (folder / "d.c").write_text(SUM.replace("a[i], add", "a[i], addd"))
    told = pencilc(folder, "-v", "d.c").stderr
    assert told == pencilc(folder, "d.c").stderr and told.startswith("error[")


def test_options_stand_in_front_of_a_command_too(folder: Path) -> None:
    (folder / "d.c").write_text(SUM.replace("a[i], add", "a[i] * SCALE, add"))
    assert pencilc(folder, "check", "d.c").returncode == 1
    assert pencilc(folder, "-D", "SCALE=3", "-q", "check", "d.c").returncode == 0
    assert names(folder) == {"s.c", "m.c", "d.c"}


def test_help_in_every_way(folder: Path) -> None:
    whole = pencilc(folder, "--help").stdout
    sections = ("Output:", "Preprocessor:", "What is compiled, and how:", "Messages:", "Dependency files:", "Commands:")
    assert all(f"\n{title}" in whole for title in sections)
    assert "--version" in whole and "\n  compile " not in whole
    for words in (("-h",), ("help",)):
        assert pencilc(folder, *words).stdout == whole
    assert pencilc(folder, "help", "verify").stdout == pencilc(folder, "verify", "-h").stdout
    assert "Usage: pencilc [OPTIONS] FILE.c\n" in pencilc(folder, "s.c", "--nonsense").stderr


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        ("ver", {"verify", "verse.c"}),  # a file may begin like that too
        ("--fus", {"--fuse"}),
        ("s.c --determinism fix", {"fixed-tree"}),
        ("s.c --arch sm_9", {"sm_90"}),
        ("explain PC0205", {"PC0205"}),
        ("verify --tra", {"--traffic"}),
        ("s.c -W no-not-par", {"no-not-parallel"}),
        ("s.c -Wno-not-par", {"-Wno-not-parallel"}),
        ("samples/su", {"samples/su"}),
    ],
)
def test_shells_complete(folder: Path, words: str, wanted: set[str]) -> None:
    """`file,…` is what the shell completes by itself."""
    (folder / "verse.c").write_text("")
    environment = {**os.environ, "_PENCILC_COMPLETE": "bash_complete", "COMP_WORDS": f"pencilc {words}"}
    environment["COMP_CWORD"] = str(len(words.split()))
    done = subprocess.run(
        [sys.executable, "-m", "pencilc"], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    assert wanted == {line.partition(",")[2] for line in done.stdout.splitlines()}


@pytest.mark.parametrize(
    ("shell", "words", "at", "wanted"),
    [
        # Three lines for each: what it is, its text, its help or `_`.
        ("zsh", "pencilc s.c --determinism fix", "3", "plain\nfixed-tree\n_\n"),
        ("zsh", "pencilc explain PC0205", "2", "plain\nPC0205\n_\n"),
        # A line for each: what it is, its text, and its help behind a tab.
        ("fish", "pencilc s.c --determinism fix", "fix", "plain,fixed-tree\n"),
        ("fish", "pencilc explain PC0205", "PC0205", "plain,PC0205\n"),
    ],
)
def test_zsh_and_fish_are_answered(folder: Path, shell: str, words: str, at: str, wanted: str) -> None:
    """What the script of `completion` asks, and the answer in the form that Click documents for its shell."""
    script = pencilc(folder, "completion", shell).stdout
    asked = f"_PENCILC_COMPLETE={shell}_complete"
    assert asked in script and "COMP_WORDS=" in script and "COMP_CWORD=" in script
    assert ("#compdef pencilc" if shell == "zsh" else "complete --no-files --command pencilc") in script
    environment = {**os.environ, "_PENCILC_COMPLETE": f"{shell}_complete", "COMP_WORDS": words, "COMP_CWORD": at}
    done = subprocess.run(
        [sys.executable, "-m", "pencilc"], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    assert done.stdout == wanted


def test_bash_completes(folder: Path) -> None:
    """What the shell itself makes of the answer: it forgets words in front of a file."""
    (folder / "verse.c").write_text("")
    script = pencilc(folder, "completion", "bash").stdout.replace("$1", sys.executable + " -m pencilc")
    typed = "COMP_WORDS=(pencilc ver); COMP_CWORD=1; _pencilc_completion pencilc; echo ${COMPREPLY[*]}"
    text = f"compopt() {{ :; }}; complete() {{ :; }}\n{script}\n{typed}\n"
    done = subprocess.run(["bash", "-c", text], cwd=folder, capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("verify verse.c\n", "")


def shell_or_skip(name: str) -> str:
    """The path of a shell; CI has it."""
    path = shutil.which(name)
    if path is None:
        missing = f"no {name}: apt-get install {name}"
        if os.environ.get("CI"):
            pytest.fail(missing)
        pytest.skip(missing)
    return path


def shell_environment(folder: Path) -> dict[str, str]:
    """In which `pencilc` is this one, and no file of the user's is read."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return {**os.environ, "PATH": path, "HOME": str(folder), "TERM": "dumb", "XDG_CONFIG_HOME": str(folder)}


# What is typed in a shell, and what it is completed to; `verse.c` is a file beside.
TYPED = [
    ("pencilc veri", "verify"),
    ("pencilc s.c --determinism fix", "fixed-tree"),
    ("pencilc explain PC020", "PC0205"),
    ("pencilc verify --tra", "--traffic"),
    ("pencilc verify vers", "verse.c"),
]


@pytest.mark.parametrize(("typed", "wanted"), TYPED)
def test_fish_completes(folder: Path, typed: str, wanted: str) -> None:
    fish = shell_or_skip("fish")
    (folder / "verse.c").write_text("")
    (folder / "pencilc.fish").write_text(pencilc(folder, "completion", "fish").stdout)
    command = [fish, "--no-config", "-c", f"source pencilc.fish; complete --do-complete '{typed}'"]
    done = subprocess.run(
        command, cwd=folder, env=shell_environment(folder), capture_output=True, text=True, check=False, timeout=60
    )
    assert done.stderr == ""
    assert wanted in {line.split("\t")[0] for line in done.stdout.splitlines()}, done.stdout


@pytest.mark.parametrize(("typed", "wanted"), TYPED)
def test_zsh_completes(folder: Path, typed: str, wanted: str) -> None:
    """The tabulator is typed in a terminal: zsh completes nowhere else."""
    zsh = shell_or_skip("zsh")
    (folder / "verse.c").write_text("")
    (folder / "pencilc.zsh").write_text(pencilc(folder, "completion", "zsh").stdout)
    terminal, inside = pty.openpty()
    with subprocess.Popen(
        [zsh, "-f", "-i"], cwd=folder, env=shell_environment(folder), stdin=inside, stdout=inside, stderr=inside,
        start_new_session=True,
    ) as shell:  # fmt: skip
        try:
            os.write(terminal, b"PS1=; autoload -Uz compinit; compinit -u -D; source ./pencilc.zsh; echo rea''dy\n")
            seen = until(terminal, "ready")
            # Twice, for the second one lists what there is where that is several.
            os.write(terminal, f"{typed}\t\t".encode())
            assert wanted in until(terminal, wanted), seen
        finally:
            shell.kill()
            os.close(inside)
            os.close(terminal)


def until(terminal: int, text: str) -> str:
    """What a terminal shows until `text` stands there, or for half a minute."""
    seen, end = "", time.monotonic() + 30
    while text not in seen and time.monotonic() < end:
        if select.select([terminal], [], [], 0.2)[0]:
            seen += os.read(terminal, 4096).decode(errors="replace")
    return seen


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_scripts_for_shells(folder: Path, shell: str) -> None:
    assert "_PENCILC_COMPLETE" in pencilc(folder, "completion", shell).stdout


def test_messages_as_json(folder: Path) -> None:
    (folder / "bad.c").write_text(SUM.replace("a[i], add", "a[i], sub"))
    result = pencilc(folder, "bad.c", "--error-format=json")
    (line,) = result.stderr.splitlines()
    assert result.returncode == 1
    assert json.loads(line)["code"] == "PC0202"


def test_messages_as_sarif(folder: Path) -> None:
    (folder / "bad.c").write_text(SUM.replace("a[i], add", "a[i], sub"))
    result = pencilc(folder, "bad.c", "--error-format=sarif")
    (run,) = json.loads(result.stderr)["runs"]
    assert result.returncode == 1
    assert [r["ruleId"] for r in run["results"]] == ["PC0202"]
    clean = pencilc(folder, "s.c", "--error-format=sarif")
    assert clean.returncode == 0
    assert json.loads(clean.stderr)["runs"][0]["results"] == []


def test_colours_only_when_asked_for_or_on_a_terminal(folder: Path) -> None:
    (folder / "q.c").write_text(SCAN)
    assert "\033[" in pencilc(folder, "q.c", "--color=always").stderr
    assert "\033[" not in pencilc(folder, "q.c", "--color=never").stderr
    assert "\033[" not in pencilc(folder, "q.c").stderr


def test_terminals_get_colours_unless_no_color(folder: Path) -> None:
    (folder / "q.c").write_text(SCAN)
    for environment, wanted in (({}, True), ({"NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False)):
        assert (b"\033[" in on_a_terminal(folder, environment, "--stop-after=mapping", "q.c")) == wanted


def on_a_terminal(folder: Path, environment: dict[str, str], *words: str) -> bytes:
    """What the command says when standard error is a terminal."""
    known = {k: v for k, v in os.environ.items() if k != "NO_COLOR"} | {"TERM": "xterm"} | environment
    outer, inner = pty.openpty()
    command = [sys.executable, "-m", "pencilc", *words]
    done = subprocess.run(command, cwd=folder, stderr=inner, stdin=subprocess.DEVNULL, env=known, check=False)
    os.close(inner)
    assert done.returncode == 0
    text = os.read(outer, 1 << 16)
    os.close(outer)
    return text


def test_explain(folder: Path) -> None:
    assert "reduction-read" in pencilc(folder, "explain", "0205").stdout
    listed = pencilc(folder, "explain").stdout
    assert all(code in listed for code in REGISTRY)
    assert "did you mean reduction-read" in pencilc(folder, "explain", "reducton-read").stderr


@pytest.fixture
def with_headers(folder: Path) -> Path:
    (folder / "sub dir").mkdir()
    (folder / "sys").mkdir()
    (folder / "sub dir" / "own.h").write_text("#define SCALE 2\n")
    (folder / "sys" / "far.h").write_text("#define FAR 1\n")
    text = SUM.replace("#include <pencil.h>", '#include <pencil.h>\n#include "own.h"\n#include <far.h>')
    (folder / "h.c").write_text(text.replace("a[i], add", "a[i] * SCALE, add"))
    return folder


INCLUDES = ("-I", "sub dir", "-isystem", "sys")


def rule_of(path: Path) -> tuple[list[str], list[str]]:
    """Targets and needed files of the first rule of a dependency file."""
    text = path.read_text().replace("\\\n", " ").splitlines()[0].replace("\\ ", "\0")
    left, _, right = text.partition(":")
    return [[w.replace("\0", " ") for w in side.split()] for side in (left, right)]  # type: ignore[return-value]


def test_dependency_file(with_headers: Path) -> None:
    assert pencilc(with_headers, "h.c", *INCLUDES, "-MD").returncode == 0
    targets, needed = rule_of(with_headers / "h.d")
    assert targets == ["h.cu"]
    assert needed[:2] == ["h.c", "sub dir/own.h"]
    assert "sys/far.h" in needed
    assert any(name.endswith("/pencil.h") for name in needed)
    assert any(name.endswith("kernel.cu.j2") for name in needed)
    for name in needed:
        assert (with_headers / name).is_file()


def test_dependency_file_without_system_headers(with_headers: Path) -> None:
    words = ("-MMD", "-MF", "x.dep", "-MT", "a b", "-MQ", "c$d e", "-MP")
    assert pencilc(with_headers, "h.c", *INCLUDES, *words).returncode == 0
    text = (with_headers / "x.dep").read_text()
    assert text.startswith("a b c$$d\\ e: h.c sub\\ dir/own.h")
    assert "far.h" not in text and "pencil.h" not in text
    assert "\nsub\\ dir/own.h:\n" in text
    assert "\nh.c:" not in text


def test_make_reads_the_dependency_file(with_headers: Path) -> None:
    assert pencilc(with_headers, "h.c", *INCLUDES, "-MD", "-MP").returncode == 0
    (with_headers / "Makefile").write_text("h.cu: h.c\n\techo made\n-include h.d\n")
    make = ["make", "-s", "h.cu"]
    run = subprocess.run(make, cwd=with_headers, capture_output=True, text=True, check=False)
    assert (run.returncode, run.stdout) == (0, "")
    later = (with_headers / "h.cu").stat().st_mtime + 10
    os.utime(with_headers / "sub dir" / "own.h", (later, later))
    run = subprocess.run(make, cwd=with_headers, capture_output=True, text=True, check=False)
    assert run.stdout == "made\n"


def test_forced_include(with_headers: Path) -> None:
    text = (with_headers / "h.c").read_text().replace('#include "own.h"\n', "")
    (with_headers / "h.c").write_text(text.replace("SCALE,", "SCALE + missing,"))
    result = pencilc(with_headers, "check", "h.c", *INCLUDES, "-include", "own.h")
    assert "`missing` is not declared" in result.stderr
    assert "h.c:8:" in result.stderr
    assert "SCALE" not in result.stderr.splitlines()[0]


def test_folders_are_searched_in_gccs_order(folder: Path) -> None:
    headers = {
        "quoted": ("a.h", "b.h"),
        "own": ("a.h", "b.h"),
        "sys": ("a.h", "b.h", "c.h"),
        "after": ("c.h", "math.h"),
    }
    for name, files in headers.items():
        (folder / name).mkdir()
        for file in files:
            (folder / name / file).write_text(f"int {name}_{file[0]};\n")
    (folder / "o.c").write_text('#include "a.h"\n#include <b.h>\n#include <c.h>\n#include "b.h"\n#include <math.h>\n')
    words = ("-idirafterafter", "-isystemsys", "-Iown", "-iquote", "quoted", "-E", "o.c")
    done = subprocess.run(["gcc", *words], cwd=folder, capture_output=True, text=True, check=True)
    ours, theirs = (
        re.findall(r"^int \w+_[abcm];", text, re.MULTILINE) for text in (pencilc(folder, *words).stdout, done.stdout)
    )
    assert ours == theirs == ["int quoted_a;", "int own_b;", "int sys_c;", "int quoted_b;"]


def test_verify_gives_the_sequential_program_the_same_headers(with_headers: Path) -> None:
    (with_headers / "first").mkdir()
    (with_headers / "first" / "more.h").write_text("#define MORE 1\n")
    (with_headers / "sys" / "forced.h").write_text("#define FORCED 1\n")
    text = (with_headers / "h.c").read_text().replace("SCALE,", "SCALE * MORE * FORCED * FAR,")
    (with_headers / "h.c").write_text('#include "more.h"\n' + text)
    words = (*INCLUDES, "-iquote", "first", "-include", "sys/forced.h")
    done = pencilc(with_headers, "verify", "-q", "h.c", *words, "--sizes=n=3", "--order=fwd")
    assert done.returncode == 0, done.stderr + done.stdout


def test_system_headers_draw_no_warnings(folder: Path) -> None:
    (folder / "sys").mkdir()
    (folder / "sys" / "scan.h").write_text(SCAN)
    (folder / "i.c").write_text("#include <scan.h>\n")
    assert "PC0701" in pencilc(folder, "i.c", "--stop-after=mapping", "-I", "sys").stderr
    assert pencilc(folder, "i.c", "--stop-after=mapping", "-isystem", "sys").stderr == ""


@pytest.mark.parametrize("std", ["c99", "gnu99", "c11", "gnu11", "c17", "gnu17"])
def test_standards(folder: Path, std: str) -> None:
    (folder / "v.c").write_text(SUM + "long version = __STDC_VERSION__;\n")
    result = pencilc(folder, f"-std={std}", "-E", "v.c")
    assert result.returncode == 0
    assert {"99": "199901L", "11": "201112L", "17": "201710L"}[std[-2:]] in result.stdout


PICTURE = """#include <pencil.h>
typedef struct { float value; int index; } Best;
static void nothing(Best *b) { b->value = 0; b->index = 0; }
static Best larger(Best a, Best b) { return a.value < b.value ? b : a; }
Best best(int n, int m, const float a[static const restrict n][m]) {
    Best b;
    __pencil_reduction_var_init(&b, nothing);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            Best e = {a[i][j], j};
            __pencil_reduction(&b, e, larger);
        }
    return b;
}
"""

USE_IN_C = """#include "p.h"
#include "p.h"
int main(void) { const float a[2][3] = {{0}}; return best(2, 3, a).index; }
"""
USE_IN_CPP = """#include "p.h"
int main() { float a[6] = {}; Best b = best(2, 3, a); return b.index; }
"""


def test_header_serves_c_and_cpp(folder: Path) -> None:
    (folder / "p.c").write_text(PICTURE)
    assert pencilc(folder, "p.c", "--header", "p.h", "-w").returncode == 0
    (folder / "use.c").write_text(USE_IN_C)
    (folder / "use.cpp").write_text(USE_IN_CPP)
    for command in (["gcc", "-std=c99", "use.c"], ["gcc", "-std=c17", "use.c"], ["g++", "-std=c++17", "use.cpp"]):
        strict = ["-Wall", "-Wextra", "-pedantic", "-Werror", "-fsyntax-only"]
        done = subprocess.run([*command, *strict], cwd=folder, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr) == (0, "")


def test_a_bare_report_leaves_the_file_alone(folder: Path) -> None:
    result = pencilc(folder, "--report", "s.c", "-o", "-")
    assert result.returncode == 0 and "f_all0" in result.stderr and "__global__" in result.stdout


def test_a_report_needs_a_mapping(folder: Path) -> None:
    result = pencilc(folder, "s.c", "--report", "--dump-ir=schedule")
    assert result.returncode == 0 and "f_all0" in result.stderr and result.stdout
    for words in (
        ("--report", "--stop-after=scop"),
        ("--report", "-fsyntax-only"),
        ("--dump-ir=cuda", "-fsyntax-only"),
    ):
        result = pencilc(folder, *words, "s.c")
        assert result.returncode == 2 and "needs the stage" in result.stderr


def test_report_as_json(folder: Path) -> None:
    result = pencilc(folder, "s.c", "--report=json", "-o", "-")
    (region,) = json.loads(result.stderr)["regions"]
    assert region["items"][0]["kernel"] == "f_all0"
    assert json.loads(pencilc(folder, "report", "--json", "s.c").stdout)["regions"] == [region]
    assert "f_all0" in pencilc(folder, "report", "s.c").stdout


def test_a_link_stays_a_link(folder: Path) -> None:
    (folder / "real.cu").write_text("old\n")
    (folder / "link.cu").symlink_to("real.cu")
    assert pencilc(folder, "s.c", "-o", "link.cu").returncode == 0
    assert (folder / "link.cu").is_symlink()
    assert "extern" in (folder / "real.cu").read_text()


def test_device_files_are_written_to(folder: Path) -> None:
    assert pencilc(folder, "s.c", "-o", "/dev/null").returncode == 0
    assert Path("/dev/null").is_char_device()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--nosuch", "s.c"], "No such option '--nosuch'."),
        (["--hedaer", "x.h", "s.c"], "Did you mean '--header'?"),
        (["verify", "--szies", "n=1", "s.c"], "Did you mean '--sizes'?"),
        (["verfy", "s.c"], "there is no command 'verfy'. Did you mean 'verify'?"),
        (["-v", "explian", "PC0201"], "there is no command 'explian'. Did you mean 'explain'?"),
    ],
)
def test_what_is_misspelt_is_named_with_what_is_meant(words: list[str], said: str) -> None:
    result = CliRunner().invoke(main, words)
    assert result.exit_code == 2 and result.output.rstrip().endswith(said), result.output


def test_what_is_loaded_is_no_garbage(folder: Path) -> None:
    """The collector is on again behind it, and does not look at modules."""
    script = "import gc; from pencilc.cli import main; main(['s.c'], standalone_mode=False)"
    told = "print(gc.isenabled(), gc.get_freeze_count() > len(gc.get_objects()) / 2)"
    result = subprocess.run([sys.executable, "-c", f"{script}; {told}"], cwd=folder, capture_output=True, text=True)
    assert (result.returncode, result.stdout, result.stderr) == (0, "True True\n", "")
