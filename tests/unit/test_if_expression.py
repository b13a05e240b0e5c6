"""The expressions of `#if` have the values that gcc gives them."""

from __future__ import annotations

import random
import re
import subprocess

import pytest

from pencilc.frontend.preprocess.if_expression import Malformed, value_of

LEAVES = ("0", "1", "2", "7", "64", "010", "0x7fffffffffffffff", "5u", "18446744073709551615u", "1000000007", "'a'",
          "'\\n'", "UNKNOWN", "-1", "3L", "4ull", "9223372036854775808")  # fmt: skip
OPERATORS = ["+", "-", "*", "/", "%", "<<", ">>", "<", ">", "<=", ">=", "==", "!=", "&", "|", "^", "&&", "||"]


def expression(choose: random.Random, depth: int) -> str:
    """A random expression."""
    kind = choose.random()
    if depth == 0 or kind < 0.15:
        return choose.choice(LEAVES)
    if kind < 0.25:
        return f"{choose.choice('-+~!')} {expression(choose, depth - 1)}"
    if kind < 0.35:
        return " ".join(f"{expression(choose, depth - 1)} {mark}" for mark in "?:") + expression(choose, depth - 1)
    if kind < 0.5:
        return f"({expression(choose, depth - 1)})"
    return f"{expression(choose, depth - 1)} {choose.choice(OPERATORS)} {expression(choose, depth - 1)}"


def gcc_takes(expressions: list[str]) -> list[bool | None]:
    """Whether gcc finds each expression true; None where it refuses it."""
    text = "".join(f"#if {each}\nyes_{k}\n#endif\n" for k, each in enumerate(expressions))
    done = subprocess.run(["gcc", "-E", "-P", "-"], input=text, capture_output=True, text=True, check=False)
    true = {int(number) for number in re.findall(r"yes_(\d+)", done.stdout)}
    refused = {(int(line) - 1) // 3 for line in re.findall(r":(\d+):\d+: error", done.stderr)}
    return [None if k in refused else k in true for k in range(len(expressions))]


def taken(text: str) -> bool | None:
    try:
        return value_of(text) != 0
    except Malformed:
        return None


def test_random_expressions() -> None:
    choose = random.Random(5)
    expressions = [expression(choose, 4) for _ in range(1500)]
    expected = gcc_takes(expressions)
    assert [e for e, value in zip(expressions, expected, strict=True) if taken(e) != value] == []
    assert {None, True, False} == set(expected)


@pytest.mark.parametrize(
    "text",
    ["", "1 +", "(1", "1)", "1 2", "1.5", "09", "1 ? 2", "''", "0x", "1 = 1", '"x"', "sizeof(int)", "F(1)", "1 / 0",
     "99999999999999999999", "(" * 200 + "1" + ")" * 200, "- " * 200 + "1", "1 ? 0 : " * 200 + "1"],
)  # fmt: skip
def test_malformed(text: str) -> None:
    with pytest.raises(Malformed):
        value_of(text)


@pytest.mark.parametrize(
    ("text", "value"),
    [("1 ? 0 : 0 ? 7 : 1", 0), ("1 << 1000000000", 0), ("-1 >> 1000000000", -1), ("8 >> -1", 16), ("0 && 1 / 0", 0),
     ("-7 / 2", -3), ("-7 % 2", -1), ("1, 2", 2), ("0 && __has_attribute(packed)", 0), ("-1 > 0u", 1)],
)  # fmt: skip
def test_values(text: str, value: int) -> None:
    assert value_of(text) == value
