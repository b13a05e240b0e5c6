"""Small random loop nests for the oracle of schedules: steps of both signs, triangles, shifts, scalars set early.

All subscripts are within the arrays, which are two elements larger on each side than the loops go; every local is set
before it is read.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field

HEAD = """#include <pencil.h>
void f(int n, int a[static const restrict n + 6][n + 6], int b[static const restrict n + 6][n + 6],
       int c[static const restrict n + 6], int d[static const restrict 2 * n + 12])
{
#pragma scop
"""
TAIL = "#pragma endscop\n}\n"


def program(seed: int) -> str:
    """The text of a function with one region; the same seed gives the same text."""
    return HEAD + "\n".join(_Draft(random.Random(seed)).text()) + "\n" + TAIL


@dataclass
class _Draft:
    chance: random.Random
    lines: list[str] = field(default_factory=list)
    depth: int = 1
    scalars: list[str] = field(default_factory=list)  # that have a value here
    count: int = 0

    def text(self) -> list[str]:
        self._emit("int s = 1, t = 2, u;", "int w[n + 6];", "for (int q = 0; q < n + 6; q++)", "    w[q] = q;")
        self.scalars = ["s", "t"]
        for _ in range(self.chance.choice((1, 1, 2))):
            self._nest([], self.chance.choice((1, 2, 2, 2, 2, 2, 3)))
        if self.chance.random() < 0.7:
            self._emit("c[0] = c[0] + s + t + w[n / 2];")
        return self.lines

    def _nest(self, around: list[str], loops: int) -> None:
        """A loop, inside of it statements, and a loop fewer."""
        name = f"i{self.count}"
        self.count += 1
        self._emit(self._head(name, around))
        self.depth += 1
        inside = [*around, name]
        known = list(self.scalars)
        if self.chance.random() < 0.3:
            self._emit(f"u = {self._value(inside)};")
            self.scalars.append("u")
        parts = self.chance.choice((("s",), ("n",), ("s", "n"), ("n", "s"), ("n", "n"), ("s", "s")))
        for part in parts if loops > 1 else ("s",) * self.chance.randint(1, 3):
            if part == "n":
                self._nest(inside, loops - 1)
            else:
                self._statement(inside)
        self.scalars = known
        self.depth -= 1
        self._emit("}")

    def _head(self, name: str, around: list[str]) -> str:
        low, high = self.chance.choice(("0", "0", "1", "2")), self.chance.choice(("n", "n", "n - 1", "n - 2"))
        if around and self.chance.random() < 0.3:
            other = self.chance.choice(around)
            low, high = self.chance.choice(((other, high), (low, other), (low, f"{other} + 1")))
        kind = self.chance.random()
        if kind < 0.65:
            return f"for (int {name} = {low}; {name} < {high}; {name}++) {{"
        if kind < 0.9:
            return f"for (int {name} = {high} - 1; {name} >= {low}; {name}--) {{"
        return f"for (int {name} = {low}; {name} < {high}; {name} += 2) {{"

    def _statement(self, inside: list[str]) -> None:
        head = ""
        if self.chance.random() < 0.15:
            head = f"if ({self._linear(inside)} {self.chance.choice(('>', '==', '<='))} {self._linear(inside)}) "
        kind = self.chance.random()
        if kind < 0.12 and not head:
            name = self.chance.choice(("s", "t"))
            self._emit(f"{name} = {self._value(inside)};")
        elif kind < 0.3:
            self._emit(f"{head}{self._target(inside)} += {self._value(inside)};")
        else:
            self._emit(f"{head}{self._target(inside)} = {self._value(inside)};")

    def _target(self, inside: list[str]) -> str:
        if self.chance.random() < 0.1:
            return "s"
        return self._element(inside)

    def _value(self, inside: list[str]) -> str:
        terms = [self._element(inside) for _ in range(self.chance.randint(1, 2))]
        if self.chance.random() < 0.4:
            terms.append(self.chance.choice(self.scalars))
        if self.chance.random() < 0.3:
            terms.append(self._linear(inside))
        return f" {self.chance.choice('+-')} ".join(terms)

    def _element(self, inside: list[str]) -> str:
        kind = self.chance.random()
        if kind < 0.5:
            first, second = self.chance.choice(inside), self.chance.choice(inside)
            if len(inside) > 1 and self.chance.random() < 0.8:
                first, second = self.chance.sample(inside, 2)
            return f"{self.chance.choice('aab')}[{self._near(first)}][{self._near(second)}]"
        if kind < 0.7:
            return f"{self.chance.choice('cccw')}[{self._near(self.chance.choice(inside))}]"
        first, second = self.chance.choice(inside), self.chance.choice(inside)
        sign = self.chance.choice("+-")
        base = "n + 4 " if sign == "-" else "2 "
        return f"d[{base}+ {first} {sign} {second} + {self.chance.randint(-1, 1)}]"

    def _near(self, name: str) -> str:
        if self.chance.random() < 0.08:
            return str(self.chance.randint(0, 3))
        return f"{name} + {self.chance.choice((1, 2, 2, 2, 3))}"

    def _linear(self, inside: list[str]) -> str:
        return f"{self.chance.choice(inside)} {self.chance.choice('+-')} {self.chance.choice(('1', '2', *inside))}"

    def _emit(self, *lines: str) -> None:
        self.lines += ["    " * self.depth + line for line in lines]
