"""Kernels that do the same for two regions stand once in a file."""

from __future__ import annotations

from collections.abc import Iterable

from pencilc.diagnostics.source import SourceFile
from pencilc.driver import compile_source
from pencilc.ir.host import Entry
from pencilc.ir.launches import KernelLaunch
from pencilc.options import CompileOptions

HEAD = "#include <pencil.h>\n"


def region(name: str, element: str = "2.0f * a[i]", *, array: str = "a", size: str = "n", kind: str = "float") -> str:
    """A function with one loop over its points."""
    element = element.replace("a[", f"{array}[")
    return f"""
void {name}(int {size}, const float {array}[static const restrict {size}], {kind} y[static const restrict {size}]) {{
#pragma scop
    for (int i = 0; i < {size}; i++)
        y[i] = {element};
#pragma endscop
}}
"""


def kernels_of(*regions: str) -> tuple[list[str], list[str]]:
    """The kernels of a file, and what its entry points launch."""
    file = compile_source(SourceFile("f.c", HEAD + "".join(regions)), CompileOptions()).kernels
    assert file is not None
    return [function.name for function in file.kernels], [launched(entry) for entry in file.entries]


def launched(entry: Entry) -> str:
    """The kernel that an entry point launches."""
    (item,) = flat(entry.items)
    return item.name


def flat(items: Iterable[object]) -> list[KernelLaunch]:
    """The launches in loops and conditions."""
    found: list[KernelLaunch] = []
    for item in items:
        found += [item] if isinstance(item, KernelLaunch) else flat(getattr(item, "inner", ()))
    return found


def test_what_differs_in_names_alone_stands_once() -> None:
    assert kernels_of(region("f"), region("g", array="b", size="m")) == (["f_parallel0"], ["f_parallel0"] * 2)


def test_what_does_something_else_stands_for_itself() -> None:
    others = region("g", "3.0f * a[i]"), region("h", kind="double"), region("k", "2.0f * a[n - 1 - i]")
    for other in others:
        assert len(kernels_of(region("f"), other)[0]) == 2
    assert len(kernels_of(region("f", "a[i] * (i + 2)"), region("g", "a[i] * (i + 3)"))[0]) == 2


PACKED = """
void {name}(int n, int m, const float a[static const restrict n], float y[static const restrict n],
            float z[static const restrict m]) {{
#pragma scop
    for (int i = 0; i < n; i++)
        y[i] = 2.0f * a[i];
    for (int j = 0; j < m; j++)
        z[j] = {element};
#pragma endscop
}}
"""


def test_a_packed_kernel_calls_what_stands_for_its_parts() -> None:
    text = HEAD + PACKED.format(name="f", element="1.0f") + PACKED.format(name="g", element="3.0f * j")
    done = compile_source(SourceFile("f.c", text), CompileOptions())
    assert done.kernels is not None
    assert any(function.name.startswith("g_packed") for function in done.kernels.kernels)
    assert "g_parallel0(" not in done.cuda
