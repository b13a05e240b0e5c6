"""Nests that are sequential from outside: neighbours in place, factorisations, pinned rows; sums along diagonals."""

from __future__ import annotations

from dataclasses import dataclass

from tests.fuzz.heavy import HeavyNests

# Programs of earlier seeds stay what they were when their seed was checked.
FIRST_SEED = 1_210_000
KINDS = ("front", "factors", "pinned", "diagonal")
_SQUARE = "min(n, m)"


@dataclass
class FrontNests(HeavyNests):
    """The nests of this module."""

    def _front(self) -> None:
        """Elements that follow from neighbours of the same array, some of them done before, some not."""
        draw = self.random
        t, i, j, x = (self._fresh(stem) for stem in "tijx")
        step = draw.choice((1, 1, 1, 2))
        places = [(-step, 0), (0, -step), (step, 0), (0, step), (-step, -step), (-step, step), (step, -step)]
        read = draw.sample(places, draw.randint(2, 4))
        array, rows, columns = draw.choice((("A", "n", "m"), ("A", "n", "m"), ("U", "n", "m")))
        value = " + ".join(f"{array}[{_at(i, di)}][{_at(j, dj)}] % 100" for di, dj in read)
        inner = f"{j} = {step}; {j} < {columns} - {step}; {j} += {step}"
        if draw.random() < 0.25:
            inner = f"{j} = {step}; {j} < {columns} - {step} && {j} <= {i}; {j}++"
        elif draw.random() < 0.25:
            inner = f"{j} = {columns} - {step} - 1; {j} >= {step}; {j}--"
        outer = f"{i} = {step}; {i} < {rows} - {step}; {i}++"
        if draw.random() < 0.3:
            outer = f"{i} = {rows} - {step} - 1; {i} >= {step}; {i}--"
        lines = [f"{array}[{i}][{j}] = {value} + {draw.randint(0, 5)};"]
        way = draw.random()
        if way < 0.2:
            lines = [f"int {x} = {value};", f"if ({x} % 3 == 1)", f"    {x} = {x} / 2;", f"{array}[{i}][{j}] = {x};"]
        elif way < 0.4:
            lines = [f"if ({i} {draw.choice(('!=', '>', '<'))} {j})", f"    {lines[0]}"]
            lines += ["else", f"    {array}[{i}][{j}] = {array}[{i}][{j}] % 50;"] if draw.random() < 0.5 else []
        heads = [f"for (int {outer})", f"for (int {inner})"]
        if draw.random() < 0.4:
            heads.insert(
                draw.choice((0, 0, 1)), f"for (int {t} = 0; {t} < {draw.choice(('2', '3', 'min(n, 4)'))}; {t}++)"
            )
        self._emit(*nested(heads, lines))

    def _factors(self) -> None:
        """What a factorisation or a triangular solve does, with numbers that wrap."""
        draw = self.random
        i, j, k, r, s = (self._fresh(stem) for stem in "ijkrs")
        way = draw.randint(0, 4)
        square = draw.choice((_SQUARE, _SQUARE, "min(m, n)"))
        if way == 0:
            self._emit(f"for (int {i} = 0; {i} < {square}; {i}++) {{",
                       f"    for (int {j} = 0; {j} < {i}; {j}++) {{",
                       f"        for (int {k} = 0; {k} < {j}; {k}++)",
                       f"            U[{i}][{j}] -= U[{i}][{k}] * U[{draw.choice((k, j))}][{draw.choice((j, k))}];",
                       f"        U[{i}][{j}] *= U[{j}][{j}] | 1;", "    }",
                       f"    for (int {j} = {i}; {j} < {square}; {j}++)",
                       f"        for (int {k} = 0; {k} < {i}; {k}++)",
                       f"            U[{i}][{j}] -= U[{i}][{k}] * U[{k}][{j}];", "}")  # fmt: skip
        elif way == 1:
            self._emit(f"for (int {k} = 0; {k} < {square}; {k}++) {{",
                       f"    for (int {i} = {k} + 1; {i} < n; {i}++)",
                       f"        U[{i}][{k}] *= U[{k}][{k}] | 1;",
                       f"    for (int {i} = {k} + 1; {i} < n; {i}++)",
                       f"        for (int {j} = {k} + 1; {j} < m; {j}++)",
                       f"            U[{i}][{j}] -= U[{i}][{k}] * U[{k}][{j}];", "}")  # fmt: skip
        elif way == 2:
            down = draw.random() < 0.5
            head = f"{i} = {square} - 1; {i} >= 0; {i}--" if down else f"{i} = 0; {i} < {square}; {i}++"
            inner = f"{j} = {i} + 1; {j} < {square}; {j}++" if down else f"{j} = 0; {j} < {i}; {j}++"
            self._emit(f"for (int {head}) {{", f"    for (int {inner})",
                       f"        L[{i}] = L[{i}] % 1000 - U[{i}][{j}] % 10 * (L[{j}] % 10);",
                       f"    L[{i}] = L[{i}] % 1000 + U[{i}][{i}] % 7;", "}")  # fmt: skip
        elif way == 3:
            self._emit(f"for (int {i} = 0; {i} < n; {i}++)",
                       f"    for (int {j} = 0; {j} < m; {j}++) {{", f"        unsigned {s};",
                       f"        __pencil_reduction_var_init(&{s}, uzero);",
                       f"        for (int {k} = 0; {k} < min({i}, {j}); {k}++)",
                       f"            __pencil_reduction(&{s}, U[{i}][{k}] * U[{k}][{j}], uadd);",
                       f"        U[{i}][{j}] = U[{i}][{j}] - {s};", "    }")  # fmt: skip
        else:
            self._emit(f"for (int {i} = 0; {i} < n; {i}++)",
                       f"    for (int {r} = 0; {r} < m; {r}++) {{", f"        unsigned {s} = U[{i}][{r}];",
                       f"        for (int {k} = 0; {k} < min({i}, {draw.choice(('m', r))}); {k}++)",
                       f"            {s} -= U[{i}][{k}] * U[{k}][{r}];",
                       f"        U[{i}][{r}] = {s};", "    }")  # fmt: skip

    def _pinned(self) -> None:
        """Elements that follow from those of one row, one column, or both."""
        draw = self.random
        i, j, k = (self._fresh(stem) for stem in "ijk")
        row = draw.choice((k, k, "0", "n - 1", "n / 2"))
        column = draw.choice((k, k, "0", "m - 1"))
        terms = draw.choice(((f"A[{row}][{j}]",), (f"A[{i}][{column}]",), (f"A[{i}][{column}]", f"A[{row}][{j}]")))
        value = " + ".join(f"{term} % 50" for term in terms)
        lines = [f"A[{i}][{j}] = A[{i}][{j}] % 50 + {value};"]
        if draw.random() < 0.3:
            lines = [f"if ({value} < A[{i}][{j}] % 100)", f"    A[{i}][{j}] = {value};"]
        heads = [f"for (int {k} = 0; {k} < {_SQUARE}; {k}++)"] if k in (row, column) else []
        order = [f"for (int {i} = 0; {i} < n; {i}++)", f"for (int {j} = 0; {j} < m; {j}++)"]
        if draw.random() < 0.3:
            order.reverse()
        self._emit(*nested([*heads, *order], lines))

    def _diagonal(self) -> None:
        """Sums along combinations of loops, in a local array or plain in a parameter."""
        draw = self.random
        i, j, k, t = (self._fresh(stem) for stem in "ijkt")
        place, extent = draw.choice((
            (f"{i} + {j}", "n + m"), (f"{i} - {j} + m - 1", "n + m"), (f"{j} - {i} + n - 1", "n + m"),
            (f"{i} + 2 * {j}", "n + 2 * m"), (f"2 * {i} + {j} + 1", "2 * n + m + 1"), (f"n - 1 - {i} + {j}", "n + m"),
        ))  # fmt: skip
        heads = [f"for (int {i} = 0; {i} < n; {i}++)", f"for (int {j} = 0; {j} < m; {j}++)"]
        if draw.random() < 0.3:
            heads[1] = f"for (int {j} = 0; {j} <= {i} && {j} < m; {j}++)"
        value = draw.choice((f"A[{i}][{j}] % 50", f"B[{i}] % 10 * (C[{j}] % 10)", "1"))
        self._emit(f"int {t}[{extent}];")
        if draw.random() < 0.7:
            self._initialise(t, extent, "izero")
            lines = [f"__pencil_reduction(&{t}[{place}], {value}, iadd);"]
        else:
            self._emit(f"for (int {k} = 0; {k} < {extent}; {k}++)", f"    {t}[{k}] = 0;")
            lines = [f"{t}[{place}] += {value};"]
        self._emit(*nested(heads, lines))
        self._emit(
            f"for (int {k} = 0; {k} < m; {k}++)", f"    C[{k}] = C[{k}] % 100 + {t}[{k}] % 1000 + {t}[n + {k}] % 7;"
        )


def _at(counter: str, offset: int) -> str:
    return f"{counter} {'+' if offset > 0 else '-'} {abs(offset)}" if offset else counter


def nested(heads: list[str], lines: list[str]) -> list[str]:
    """Loops around lines, with braces where there are several; the lines alone where there is no loop."""
    if not heads:
        return lines
    found: list[str] = []
    for depth, head in enumerate(heads):
        last = depth + 1 == len(heads)
        found.append("    " * depth + head + (" {" if last and len(lines) > 1 else ""))
    found += ["    " * len(heads) + line for line in lines]
    return [*found, "    " * (len(heads) - 1) + "}"] if len(lines) > 1 else found
