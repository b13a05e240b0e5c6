"""`bench/kernel_changes.py`: what it calls the same, what other words are, and which reasons it finds."""

from __future__ import annotations

import pytest

from bench.kernel_changes import Compared, compared, kernels_of, shown

HEAD = "static __global__ void __launch_bounds__(256, 1) f(int n, const float *a, float *__restrict__ o)\n"
BODY = "    for (int i = threadIdx.x; i < n; i += 256) o[i] = a[i];  // a comment\n"


def kernel(body: str, head: str = HEAD) -> str:
    (text,) = kernels_of(f"// ---- kernels\n\n{head}{{\n{body.rstrip()}\n}}\n").values()
    return text


def test_kernels_are_found_by_their_names() -> None:
    text = f"template <int ITEMS>\n{HEAD}{{\n{BODY}}}\n\nstatic __global__ void pencilc_sort(int n)\n{{\n}}\n"
    assert list(kernels_of(text)) == ["f"]


def test_names_and_comments_make_no_difference() -> None:
    renamed = kernel("    for (int k = threadIdx.x;\n        k < n; k += 256) /* another */ o[k] = a[k];\n")
    assert compared("f", kernel(BODY), renamed) == Compared("f", "same")


@pytest.mark.parametrize("body", [BODY.replace("256", "128"), BODY.replace("a[i]", "o[i]"), BODY.replace("<", "<=")])
def test_what_differs_is_changed(body: str) -> None:
    assert compared("f", kernel(BODY), kernel(body)) == Compared("f", "changed")
    assert any(line.startswith("-for") or line.startswith("-i") for line in shown(kernel(BODY), kernel(body)))


def test_a_kernel_may_be_gone() -> None:
    assert compared("f", kernel(BODY), None) == Compared("f", "gone")


@pytest.mark.parametrize(
    ("then", "now"),
    [
        ("float t = f_identity();", "float t = f_operator::identity();"),
        ("float t = f_block(acc[0]);", "float t = pencilc_block(f_operator(), acc[0]);"),
        (
            "pencilc_load_rest(b, a + at, step, count - at, a_wide);",
            "pencilc_load<true>(b, a + at, step, a_wide, count - at);",
        ),
        ("o[1] = 2; if (n > 0) { o[0] = 1; }", "o[1] = 2; if (n > 0) o[0] = 1;"),
        (
            "{ unsigned *const ticket = tickets + blockIdx.x; __threadfence(); "
            "last = atomicInc(ticket, gridDim.y - 1) == gridDim.y - 1; __threadfence(); }",
            "last = pencilc_is_last(&tickets[blockIdx.x], gridDim.y);",
        ),
    ],
)
def test_the_same_in_other_words(then: str, now: str) -> None:
    assert compared("f", kernel(then), kernel(now)) == Compared("f", "words")
    assert compared("f", kernel(then), kernel(now + " o[n] = 2;")) == Compared("f", "changed")


def test_reasons_are_those_of_what_differs() -> None:
    then = "for (int j = blockIdx.x * blockDim.x + threadIdx.x; j < n; j += gridDim.x * blockDim.x) { o[j] = a[j]; }"
    now = "if (const int j = blockIdx.x * blockDim.x + threadIdx.x; j < n) { o[j] = a[j]; }"
    assert compared("f", kernel(then), kernel(now)) == Compared("f", "changed", ("covered",))
    fewer = HEAD.replace("const float *a, ", "")
    assert compared("f", kernel("o[n] = 1;"), kernel("o[n] = 1;", fewer)).reasons == ("unread",)
    teams = "const unsigned team = pencilc_team(threads, n, 4);"
    assert compared("f", kernel(BODY), kernel(teams + BODY)).reasons == ("teams",)
