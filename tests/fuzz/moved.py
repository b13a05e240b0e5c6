"""Random scalars that move: bounds and extents that are given another value, parameters that helpers set, rows of
registers, conditions that their own statement changes, values that several results take, counters under conditions."""

from __future__ import annotations

from tests.fuzz.draft import Loop
from tests.fuzz.places import PlaceNests

KINDS = (
    "moved_bounds", "moved_extents", "moved_parameters", "registers", "kept_conditions", "shared_values", "counted",
)  # fmt: skip
# Programs of earlier seeds stay what they were.
FIRST_SEED = 1_332_000


class MovedNests(PlaceNests):
    """Nests around scalars, small arrays and conditions that change on the way."""

    def _bound(self, extent: str) -> str:
        """A value from 0 to the extent."""
        return self.random.choice(
            (extent, extent, f"{extent} / 2", f"min({extent}, {self.random.randint(1, 9)})", "min(n, m)")
        )

    def _less(self, name: str) -> str:
        """A statement that makes a number that is not negative smaller, or leaves it."""
        return self.random.choice((
            f"{name} /= 2;", f"{name} = {name} / 3;", f"{name} = max({name} - 1, 0);", f"{name} -= {name} > 0;",
            f"{name} = min({name}, {self.random.randint(0, 8)});", f"{name} >>= 1;",
        ))  # fmt: skip

    def _moved_bounds(self) -> None:
        """A scalar that ends loops and that changes between them, or inside of them."""
        extent, array = self.random.choice((("n", "B"), ("m", "C")))
        h, c, k, s = (self._fresh(x) for x in "hiks")
        kind = self.random.choice(("int", "int", "long", "long long"))
        self._emit(f"{kind} {h} = {self._bound(extent)};")
        head = self.random.choice((f"for (int {c} = 0; {c} < {h}; {c}++)", f"for (int {c} = {h} - 1; {c} >= 0; {c}--)"))
        store = f"{array}[{c}] = {array}[{c}] % 50 + {self.random.choice((c, f'(int){h}', '3'))};"
        way = self.random.randint(0, 5)
        if way == 0:
            self._emit(f"{head} {store}", self._less(h), f"for (int {k} = 0; {k} < {h}; {k}++)",
                       f"    {array}[{k}] = {array}[{k}] % 20 - {k} % 5;")  # fmt: skip
        elif way == 1:
            condition = self.random.choice((f"{array}[{c}] % 5 == 2", f"{c} == {self.random.randint(0, 5)}"))
            self._emit(f"for (int {c} = 0; {c} < {h}; {c}++) {{", f"    {store}", f"    if ({condition})",
                       f"        {self._less(h)}", "}")  # fmt: skip
        elif way == 2:
            self._emit(f"int {s} = 0;", f"while ({h} > 0) {{", f"    for (int {c} = 0; {c} < {h}; {c}++) {{",
                       f"        {store}", f"        {s} += {array}[{c}] % 30;", "    }",
                       f"    {self.random.choice((f'{h}--;', f'{h} /= 2;', f'{h} -= 1;'))}", "}")  # fmt: skip
            self.locals.append((s, "int"))
        elif way == 3:
            t = self._fresh("t")
            self._emit(f"for (int {t} = 0; {t} < 3; {t}++) {{", f"    for (int {c} = 0; {c} < {h}; {c}++)",
                       f"        {store}", f"    {self._less(h)}", "}")  # fmt: skip
        elif way == 4:
            self._emit(f"int {s} = 0;", f"for (int {k} = 0; {k} < n; {k}++) {{", f"    int {h}_r = {h} + {k} % 3;",
                       f"    if ({h}_r > {extent})", f"        {h}_r = {extent};",
                       f"    for (int {c} = 0; {c} < {h}_r; {c}++)", f"        {s} += {array}[{c}] % 30;", "}"
                       )  # fmt: skip
            self.locals.append((s, "int"))
        else:
            self._emit(f"if (n % {self.random.randint(2, 3)} == 1)", f"    {self._less(h)}", head, f"    {store}")
        self._emit("if (n > 0)", f"    B[0] = B[0] % 100 + (int){h};")

    def _moved_extents(self) -> None:
        """A local array whose extent is a scalar that changes behind it, in one dimension or as a row's length."""
        t, h, c, j, k = (self._fresh(x) for x in "thijk")
        bound = self._bound("m")
        self._emit(f"int {h} = {bound} + {self.random.randint(1, 3)};")
        if self.random.random() < 0.5:
            self._emit(f"int {t}[n][{h}];", f"for (int {c} = 0; {c} < n; {c}++)",
                       f"    for (int {j} = 0; {j} < {h}; {j}++)",
                       f"        {t}[{c}][{j}] = B[{c}] % 50 + {j};", self._less(h),
                       f"for (int {c} = 0; {c} < n; {c}++)",
                       f"    for (int {k} = 0; {k} < {h}; {k}++)",
                       f"        B[{c}] = B[{c}] % 50 + {t}[n - 1 - {c}][{k}];")  # fmt: skip
            return
        size = self.random.choice((h, f"{h} + 1", f"2 * {h}"))
        self._emit(f"for (int {c} = 0; {c} < n; {c}++) {{", f"    int {t}[{size}];",
                   f"    for (int {j} = 0; {j} < {size}; {j}++)", f"        {t}[{j}] = B[{c}] % 20 * {j};",
                   f"    for (int {k} = 0; {k} < {h}; {k}++)", f"        B[{c}] = B[{c}] % 50 + {t}[{k}];", "}",
                   self._less(h), f"G[0] = {h};")  # fmt: skip

    def _moved_parameters(self) -> None:
        """Helpers that set their own parameters; parameters of the entry that get another value."""
        way = self.random.randint(0, 3)
        c, j = self._fresh("i"), self._fresh("j")
        if way == 0:
            self._nest([self._plain_loop(c)], [f"E[{c}] = folded(n, B, {self.random.choice((c, 'n', 'n / 2'))});"])
        elif way == 1:
            self._nest([self._plain_loop(c)], [f"E[{c}] = steps(B[{c}] & 127) + E[{c}] * 0.5;"])
        elif way == 2:
            self._nest([self._plain_loop(c)], [f"B[{c}] = narrowed(n, m, A, {c}) % 1000;"])
        else:
            name = self.random.choice(("n", "m", "m"))
            self._emit(self._less(name), f"for (int {c} = 0; {c} < n; {c}++)",
                       f"    for (int {j} = 0; {j} < m; {j}++)", f"        A[{c}][{j}] = A[{c}][{j}] % 50 + {j};"
                       )  # fmt: skip

    def _plain_loop(self, counter: str) -> Loop:
        return Loop(counter, f"for (int {counter} = 0; {counter} < n; {counter}++)", "n")

    def _registers(self) -> None:
        """A few elements that each point has for itself: differences, a sorted window, a small matrix, states."""
        w, c, k, x, j = (self._fresh(s) for s in "wikxj")
        count = self.random.randint(2, 5)
        kind = self.random.choice(("int", "int", "double", "short"))
        each = f"for (int {k} = 0; {k} < {count}; {k}++)"
        value = self.random.choice((f"P[{c}].v[{k} & 3] % 50", f"B[{c}] % 20 * {k}", f"B[min({c} + {k}, n - 1)] % 30"))
        lines = [f"{kind} {w}[{count}];", each, f"    {w}[{k}] = {value};"]
        way = self.random.randint(0, 5)
        if way == 0:
            lines += [f"for (int {j} = 1; {j} < {count}; {j}++)",
                      f"    for (int {k} = {j}; {k} > 0; {k}--)", f"        if ({w}[{k} - 1] > {w}[{k}]) {{",
                      f"            {kind} {x} = {w}[{k}];", f"            {w}[{k}] = {w}[{k} - 1];",
                      f"            {w}[{k} - 1] = {x};", "        }", f"E[{c}] = {w}[{count // 2}];"]  # fmt: skip
        elif way == 1:
            lines += [f"int {x} = 0;", each, f"    {x} += (int){w}[{k}] * {k};", f"E[{c}] = {x};"]
        elif way == 2:
            lines += [f"{w}[B[{c}] & 1] = 7;", f"E[{c}] = {w}[0] * 3 + {w}[{count - 1}];"]
        elif way == 3:
            lines += [f"for (int {j} = 0; {j} < m; {j}++)", f"    {w}[{j} % {count}] += A[{c}][{j}] % 10 > 4;",
                      each, f"    E[{c}] = E[{c}] * 0.5 + {w}[{k}];"]  # fmt: skip
        elif way == 4:
            lines += [f"for (int {j} = 0; {j} < m; {j}++) {{", f"    {kind} {x} = {w}[0];",
                      f"    for (int {k} = 0; {k} + 1 < {count}; {k}++)", f"        {w}[{k}] = {w}[{k} + 1];",
                      f"    {w}[{count - 1}] = ({kind})(((int){x} + A[{c}][{j}]) % 40);", "}",
                      f"E[{c}] = {w}[0] + {w}[{count - 1}];"]  # fmt: skip
        else:
            lines += [f"for (int {j} = 0; {j} < m; {j}++)", f"    {each}",
                      f"        if (A[{c}][{j}] % 7 == {k})", f"            {w}[{k}]++;",
                      each, f"    E[{c}] += {w}[{k}];"]  # fmt: skip
        self._emit(f"for (int {c} = 0; {c} < n; {c}++) {{", *(f"    {line}" for line in lines), "}")

    def _kept_conditions(self) -> None:
        """An element that is changed where it is not so yet, and how many were; what is counted under conditions."""
        s, i, j = (self._fresh(x) for x in "sij")
        way = self.random.randint(0, 3)
        self._emit(f"int {s} = {self.random.randint(0, 3)};")
        if way == 0:
            value = self.random.choice(("3", f"{i} % 5", f"P[{i}].v[0] % 9"))
            body = [f"B[{i}] = {value};", f"{s}++;"]
            if self.random.random() < 0.5:
                body.reverse()
            self._emit(f"for (int {i} = 0; {i} < n; {i}++)", f"    if (B[{i}] != {value}) {{",
                       *(f"        {line}" for line in body), "    }")  # fmt: skip
        elif way == 1:
            self._emit(f"for (int {i} = 0; {i} < n; {i}++) {{", f"    int {j} = B[{i}] % 20;",
                       f"    if ({j} > 10)", f"        {j} = 10;", f"    if ({j} != B[{i}]) {{",
                       f"        B[{i}] = {j};", f"        {s} += {self.random.choice(('1', j, '2'))};", "    }",
                       "}")  # fmt: skip
        elif way == 2:
            self._emit(f"for (int {i} = 0; {i} < n; {i}++)", f"    for (int {j} = 0; {j} < m; {j}++)",
                       f"        if (A[{i}][{j}] > {self.random.randint(-2, 3)}) {{",
                       f"            A[{i}][{j}] = {self.random.choice((f'A[{i}][{j}] % 3', '0', j))};",
                       f"            {self.random.choice((f'{s}++;', f'C[{j}] = C[{j}] % 100 + 1;', f'B[{i}]++;'))}",
                       "        }")  # fmt: skip
        else:
            self._emit(f"for (int {i} = 1; {i} < n; {i}++)", f"    if (B[{i}] < B[{i} - 1]) {{",
                       f"        int {j} = B[{i}];", f"        B[{i}] = B[{i} - 1];", f"        B[{i} - 1] = {j};",
                       f"        {s}++;", "    }")  # fmt: skip
        self.locals.append((s, "int"))

    def _shared_values(self) -> None:
        """A value that the total, its row and its column take, or one that is counted and added."""
        i, j, s, x, k = (self._fresh(c) for c in "ijsxk")
        self._emit(f"int {s} = 0;", f"for (int {k} = 0; {k} < m; {k}++)", f"    C[{k}] = 0;")
        takes = [f"{s} += {x};", f"C[{j}] += {x};", f"B[{i}] += {x} % 7;", f"if ({x} > 2)\n            {s}++;",
                 f"D[{i}][{j}] += {x};"]  # fmt: skip
        chosen = self.random.sample(takes, self.random.randint(2, 4))
        value = self.random.choice((f"A[{i}][{j}] % 20", f"P[{i}].v[{j} & 3] % 10", f"(A[{i}][{j}] & 3) * {j} % 11"))
        heads = [f"for (int {i} = 0; {i} < n; {i}++)", f"for (int {j} = 0; {j} < m; {j}++)"]
        if self.random.random() < 0.3:
            heads.reverse()
        begin = [f"    B[{i}] = 0;"] if heads[0].startswith(f"for (int {i}") and self.random.random() < 0.5 else []
        if not begin:
            self._emit(f"for (int {k} = 0; {k} < n; {k}++)", f"    B[{k}] %= 100;")
        self._emit(f"{heads[0]} {{", *begin, f"    {heads[1]} {{", f"        int {x} = {value};",
                   *(f"        {line}" for line in chosen), "    }", "}")  # fmt: skip
        self.locals.append((s, "int"))

    def _counted(self) -> None:
        """A counter that goes on under a condition and says where something is stored or what is."""
        t, k, i = (self._fresh(x) for x in "tki")
        condition = self.random.choice((f"B[{i}] > 1", f"B[{i}] % 3 == 0", f"{i} % 2 == 0", f"P[{i}].v[1] < B[{i}]"))
        way = self.random.randint(0, 3)
        self._emit(f"int {k} = 0;", f"int {t}[n + 1];", f"for (int {i} = 0; {i} <= n; {i}++)", f"    {t}[{i}] = -1;")
        if way == 0:
            body = [f"    if ({condition}) {{", f"        {t}[{k}] = {i};", f"        {k}++;", "    }"]
        elif way == 1:
            body = [f"    {t}[{i}] = {k};", f"    if ({condition})", f"        {k} += {self.random.randint(1, 3)};"]
        elif way == 2:
            body = [f"    if ({condition}) {{", f"        {k}++;", f"        {t}[{i}] = {k} + B[{i}] % 5;", "    }"]
        else:
            body = [
                f"    {k} = {condition} ? {k} + 1 : {self.random.choice(('0', f'{k} / 2'))};",
                f"    {t}[{i}] = {k};",
            ]
        self._emit(f"for (int {i} = 0; {i} < n; {i}++) {{", *body, "}",
                   f"for (int {i} = 0; {i} < n; {i}++)", f"    E[{i}] = {t}[n - {i}] * 0.5;")  # fmt: skip
        self.locals.append((k, "int"))
