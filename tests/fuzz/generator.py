"""A seeded generator of small PENCIL functions: nests, bounds, subscripts, operators, several reductions.

Every access is in bounds and every variable set before it is read, so that whatever differs from the
sequential program is a fault of pencilc.  The same seed gives the same text.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

PRELUDE = """#include <pencil.h>
static int icut(int x, int n) { return x < 0 ? 0 : x >= n ? n - 1 : x; }
static void izero(int *v) { *v = 0; }
static void ione(int *v) { *v = 1; }
static void iall(int *v) { *v = -1; }
static void ilow(int *v) { *v = -2147483647 - 1; }
static void ihigh(int *v) { *v = 2147483647; }
static void dzero(double *v) { *v = 0; }
static void dlow(double *v) { *v = -1e300; }
static void dhigh(double *v) { *v = 1e300; }
static int iadd(int a, int b) { return a + b; }
static int imul(int a, int b) { return a * b; }
static int imaximum(int a, int b) { return a > b ? a : b; }
static int iminimum(int a, int b) { return b < a ? b : a; }
static int iand(int a, int b) { return a & b; }
static int ior(int a, int b) { return a | b; }
static int ixor(int a, int b) { return a ^ b; }
static double dadd(double a, double b) { return a + b; }
static double dmaximum(double a, double b) { return a > b ? a : b; }
static double dminimum(double a, double b) { return a < b ? a : b; }
static int igcd(int a, int b) { while (b != 0) { int t = a % b; a = b; b = t; } return a < 0 ? -a : a; }
typedef struct { int low, high, count; } Range;
static void nothing(Range *r) { r->low = 2147483647; r->high = -2147483647 - 1; r->count = 0; }
static Range join(Range a, Range b)
{
    Range r = { a.low < b.low ? a.low : b.low, a.high > b.high ? a.high : b.high, a.count + b.count };
    return r;
}
static Range only(int x) { Range r = { x, x, 1 }; return r; }
"""
INT_OPERATORS = (
    ("iadd", "izero"), ("imul", "ione"), ("imaximum", "ilow"), ("iminimum", "ihigh"), ("iand", "iall"),
    ("ior", "izero"), ("ixor", "izero"), ("igcd", "izero"),
)  # fmt: skip
DOUBLE_OPERATORS = (("dadd", "dzero"), ("dmaximum", "dlow"), ("dminimum", "dhigh"))


@dataclass(frozen=True)
class Loop:
    """A loop header and the counter's range: `0 <= counter < extent` holds in its body."""

    counter: str
    header: str
    extent: str


class Generator:
    """Generates one function."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.lines: list[str] = []
        self.counter = 0
        self.locals: list[tuple[str, str]] = []  # name, type of scalars that hold a value

    def function(self, name: str) -> str:
        """The text of a function of a few nests over A[n][m], B[n], C[m] (int) and D[n][m], E[n] (double)."""
        params = (
            "int n, int m, int A[static const restrict n][m], int B[static const restrict n], "
            "int C[static const restrict m], double D[static const restrict n][m], double E[static const restrict n]"
        )
        nests = (self._map, self._map, self._reduce, self._reduce, self._rows, self._columns, self._plain, self._scan)
        for _ in range(self.random.randint(1, 4)):
            self.random.choice(nests)()
        tail = [f"B[0] = B[0] + {n};" for n, t in self.locals if t == "int"]
        tail += [f"E[0] = E[0] + {n};" for n, t in self.locals if t == "double"]
        if tail:
            self._emit(0, "if (n > 0) {", *[f"    {line}" for line in tail], "}")
        body = "\n".join(f"    {line}" for line in self.lines)
        return f"void {name}({params})\n{{\n#pragma scop\n{body}\n#pragma endscop\n}}\n"

    # ---- nests -----------------------------------------------------------------------------------

    def _map(self) -> None:
        loops = self._loops()
        target, kind = self._target(loops)
        self._nest(loops, [f"{target} = {self._value(kind, loops)};"])

    def _plain(self) -> None:
        """An update of a scalar or element in plain C."""
        loops = self._loops()
        if self.random.random() < 0.5:
            name = self._fresh("p")
            self._emit(0, f"int {name} = {self.random.randint(-3, 3)};")
            self._nest(loops, [f"{name} {self.random.choice(('+=', '^=', '|='))} {self._int(loops)};"])
            self.locals.append((name, "int"))
        else:
            target, kind = self._target(loops[:1])
            self._nest(loops, [f"{target} += {self._value(kind, loops)};"])

    def _scan(self) -> None:
        """A loop that carries a value."""
        loop = Loop(counter := self._fresh("i"), f"for (int {counter} = 1; {counter} < n; {counter}++)", "n")
        self._nest([loop], [f"B[{counter}] = B[{counter}] % 100 + B[{counter} - 1] % 100 + {self._small([loop])};"])

    def _reduce(self) -> None:
        """A reduction of everything to one scalar, or two at once."""
        loops = self._loops()
        updates, after = [], []
        for _ in range(self.random.choice((1, 1, 2))):
            name, kind, operator, init = self._variable()
            self._emit(0, f"{kind} {name};", f"__pencil_reduction_var_init(&{name}, {init});")
            updates.append(f"__pencil_reduction(&{name}, {self._element(kind, loops)}, {operator});")
            after.append((name, kind))
        self._nest(loops, updates)
        for name, kind in after:
            if kind == "Range":
                whole = self._fresh("w")
                self._emit(0, f"int {whole} = {name}.low % 1000 + {name}.high % 1000 + {name}.count;")
                self.locals.append((whole, "int"))
            else:
                self.locals.append((name, kind))

    def _rows(self) -> None:
        """A reduction for each row."""
        outer = self._loop("n")
        inner = self._loop("m", [outer])
        operator, init = self.random.choice(INT_OPERATORS)
        name = self._fresh("r")
        update = f"__pencil_reduction(&{name}, {self._int([outer, inner])}, {operator});"
        body = [f"int {name};", f"__pencil_reduction_var_init(&{name}, {init});", inner.header,
                *(f"    {line}" for line in self._guarded([update], [outer, inner])),
                f"B[{outer.counter}] = {name} + {self._small([outer])};"]  # fmt: skip
        self._nest([outer], body)

    def _columns(self) -> None:
        """Column results: the initialisation in a nest of its own."""
        operator, init = self.random.choice(INT_OPERATORS)
        first = self._fresh("j")
        self._emit(0, f"for (int {first} = 0; {first} < m; {first}++)",
                   f"    __pencil_reduction_var_init(&C[{first}], {init});")  # fmt: skip
        row, column = self._loop("n"), self._loop("m")
        loops = [row, column] if self.random.random() < 0.5 else [column, row]
        element = f"A[{row.counter}][{column.counter}] + {self._small(loops, no='C')}"
        self._nest(loops, [f"__pencil_reduction(&C[{column.counter}], {element}, {operator});"])

    # ---- loops -----------------------------------------------------------------------------------

    def _loops(self) -> list[Loop]:
        loops: list[Loop] = []
        for _ in range(self.random.choice((1, 1, 2, 2, 3))):
            loops.append(self._loop(self.random.choice(("n", "m")), loops))
        return loops

    def _loop(self, extent: str, outer: list[Loop] | None = None) -> Loop:
        c = self._fresh("i")
        headers = [
            f"for (int {c} = 0; {c} < {extent}; {c}++)", f"for (int {c} = 0; {c} < {extent}; {c}++)",
            f"for (int {c} = 1; {c} < {extent} - 1; {c}++)", f"for (int {c} = {extent} - 1; {c} >= 0; {c}--)",
            f"for (int {c} = 0; {c} < {extent}; {c} += {self.random.randint(2, 5)})",
            f"for (int {c} = {extent} - 1; {c} > 0; {c} -= 2)", f"for (int {c} = 0; {c} <= {extent} - 1; {c}++)",
            f"for (int {c} = 0; {c} < min(n, m); {c}++)", f"for (int {c} = 3; {c} < {extent}; {c}++)",
            f"for (int {c} = 0; {c} < {extent} / 2; {c}++)",
        ]  # fmt: skip
        for each in outer or ():
            if each.extent == extent:
                headers += [f"for (int {c} = {each.counter}; {c} < {extent}; {c}++)",
                            f"for (int {c} = 0; {c} <= {each.counter}; {c}++)"] * 2  # fmt: skip
        return Loop(c, self.random.choice(headers), extent)

    def _nest(self, loops: list[Loop], body: list[str]) -> None:
        for depth, loop in enumerate(loops):
            self._emit(depth, loop.header + (" {" if depth == len(loops) - 1 else ""))
        self._emit(len(loops), *self._guarded(body, loops))
        self._emit(len(loops) - 1, "}")

    def _guarded(self, body: list[str], loops: list[Loop]) -> list[str]:
        if self.random.random() < 0.7:
            return body if len(body) == 1 else ["{", *body, "}"]
        c = self.random.choice(loops).counter
        condition = self.random.choice((
            f"{c} % 3 == 1", f"{c} > 2", f"{c} != {self.random.randint(0, 4)}", f"{c} < 5 || {c} > 9",
            f"{self._read_int(loops, plain=True)} > 0", f"n > m && {c} >= 1",
        ))  # fmt: skip
        return [f"if ({condition}) {{", *(f"    {line}" for line in body), "}"]

    # ---- expressions -----------------------------------------------------------------------------

    def _target(self, loops: list[Loop]) -> tuple[str, str]:
        choices = [(f"B[{x.counter}]", "int") for x in loops if x.extent == "n"]
        choices += [(f"E[{x.counter}]", "double") for x in loops if x.extent == "n"]
        choices += [(f"C[{x.counter}]", "int") for x in loops if x.extent == "m"]
        for x in loops:
            for y in loops:
                if x.extent == "n" and y.extent == "m":
                    choices += [(f"A[{x.counter}][{y.counter}]", "int"), (f"D[{x.counter}][{y.counter}]", "double")] * 3
        return self.random.choice(choices)

    def _value(self, kind: str, loops: list[Loop]) -> str:
        return self._int(loops) if kind == "int" else self._double(loops)

    def _element(self, kind: str, loops: list[Loop]) -> str:
        return f"only({self._int(loops)})" if kind == "Range" else self._value(kind, loops)

    def _int(self, loops: list[Loop]) -> str:
        parts = [f"{self._read_int(loops)} % {self.random.randint(3, 50)}" for _ in range(self.random.randint(1, 2))]
        parts += [self._small(loops)] * self.random.randint(0, 1)
        return self.random.choice((" + ", " - ")).join(parts)

    def _double(self, loops: list[Loop]) -> str:
        places = [
            f"E[{self._subscript(loops, 'n')}]",
            f"D[{self._subscript(loops, 'n')}][{self._subscript(loops, 'm')}]",
        ]
        return f"{self.random.choice(places)} * 0.5 + {self._small(loops)}"

    def _small(self, loops: list[Loop], no: str = "") -> str:
        c = self.random.choice(loops).counter
        choices = [c, f"({c} % 7)", str(self.random.randint(-4, 4)), f"({c} > 2 ? 1 : -1)", f"({c} & 3)"]
        choices += [f"{name} % 10" for name, kind in self.locals if kind == "int" and name != no]
        return self.random.choice(choices)

    def _read_int(self, loops: list[Loop], plain: bool = False) -> str:
        places = [f"B[{self._subscript(loops, 'n', plain)}]", f"C[{self._subscript(loops, 'm', plain)}]",
                  f"A[{self._subscript(loops, 'n', plain)}][{self._subscript(loops, 'm', plain)}]"]  # fmt: skip
        return self.random.choice(places)

    def _subscript(self, loops: list[Loop], extent: str, plain: bool = False) -> str:
        """A subscript in bounds wherever the loops have an iteration."""
        own = [x.counter for x in loops if x.extent == extent]
        if own and (plain or self.random.random() < 0.6):
            c = self.random.choice(own)
            return self.random.choice((c, c, c, f"{extent} - 1 - {c}", f"{c} / 2"))
        c = self.random.choice(loops).counter
        shifted = f"{c} + {self.random.randint(-2, 2)}".replace("+ -", "- ")
        return self.random.choice(
            (f"clamp({shifted}, 0, {extent} - 1)", f"icut({c} * 2, {extent})", f"icut(0, {extent})")
        )

    # ---- text ------------------------------------------------------------------------------------

    def _variable(self) -> tuple[str, str, str, str]:
        kind = self.random.choice(("int", "int", "int", "double", "Range"))
        if kind == "Range":
            return self._fresh("g"), kind, "join", "nothing"
        operator, init = self.random.choice(INT_OPERATORS if kind == "int" else DOUBLE_OPERATORS)
        return self._fresh("s"), kind, operator, init

    def _fresh(self, stem: str) -> str:
        self.counter += 1
        return f"{stem}{self.counter}"

    def _emit(self, depth: int, *lines: str) -> None:
        self.lines += [f"{'    ' * depth}{line}" for line in lines]


def program(seeds: range) -> str:
    """A program with one function for each seed."""
    return PRELUDE + "\n".join(Generator(seed).function(f"f{seed}") for seed in seeds)
