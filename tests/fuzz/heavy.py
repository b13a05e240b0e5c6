"""Nests that are much at once: structs wider than registers like, kernels too full for one, conditions without end."""

from __future__ import annotations

from dataclasses import dataclass

from tests.fuzz.draft import Draft, Loop

# Programs of earlier seeds stay what they were when their seed was checked.
FIRST_SEED = 1_140_000


@dataclass(frozen=True)
class Combined:
    """A type that is reduced: its operator and its neutral value, the element of an `int`, an `int` of the result."""

    type: str
    operator: str
    init: str
    element: str
    result: str


_WIDE = Combined("Wide", "wide_join", "wide_nothing", "wide_of({0})", "(int)({0}.sum % 1000) + {0}.count")
_HIGH = Combined("Wide", "wide_join", "wide_nothing", "wide_of({0})", "({0}.count > 0 ? (int){0}.high[{1} % 6] : 3)")
_BULK = Combined("Bulk", "bulk_add", "bulk_zero", "bulk_of({0}, {1})", "{0}.part[{1} % 30] % 1000")
_RANGE = Combined("Range", "join", "nothing", "only({0})", "{0}.low % 100 + {0}.high % 100 + {0}.count")
_NUMBER = Combined("int", "iadd", "izero", "{0}", "{0} % 1000")
_WHOLE = Combined("long long", "ladd", "lzero", "{0} * 3", "(int)({0} % 1000)")


@dataclass
class HeavyNests(Draft):
    """The nests of this module."""

    def _wide(self) -> None:
        """A reduction of a struct of 64 or 120 bytes: of everything, of rows, of columns, into bins."""
        of = self.random.choice((_WIDE, _HIGH, _BULK))
        ways = (self._wide_whole, self._wide_rows, self._wide_rows, self._wide_columns, self._wide_bins)
        self.random.choice(ways)(of)

    def _wide_whole(self, of: Combined) -> None:
        loops = self._loops()
        name, whole = self._fresh("s"), self._fresh("w")
        self._emit(f"{of.type} {name};", f"__pencil_reduction_var_init(&{name}, {of.init});")
        self._nest(loops, self._updated(name, of, self._int(loops), loops[-1].counter))
        self._emit(f"int {whole} = {of.result.format(name, self.random.randint(0, 29))};")
        self.locals.append((whole, "int"))

    def _wide_rows(self, of: Combined) -> None:
        """With the results alone, or with elements that follow from them."""
        c, j, k, s = (self._fresh(x) for x in "ijks")
        self._emit(f"for (int {c} = 0; {c} < n; {c}++) {{", f"    {of.type} {s};",
                   f"    __pencil_reduction_var_init(&{s}, {of.init});", f"    for (int {j} = 0; {j} < m; {j}++) {{",
                   *(f"        {line}" for line in self._updated(s, of, f"A[{c}][{j}] % 50", j)), "    }")  # fmt: skip
        drawn = self.random.random()
        if drawn < 0.6:
            result = of.result.format(s, k)
            self._emit(f"    for (int {k} = 0; {k} < m; {k}++)", f"        A[{c}][{k}] = A[{c}][{k}] % 10 + {result};")
        if drawn > 0.4:
            self._emit(f"    B[{c}] = {of.result.format(s, 7)};")
        self._emit("}")

    def _wide_columns(self, of: Combined) -> None:
        c, j, k, t = (self._fresh(x) for x in "ijkt")
        self._emit(f"{of.type} {t}[m];")
        self._initialise(t, "m", of.init)
        self._emit(f"for (int {c} = 0; {c} < n; {c}++) for (int {j} = 0; {j} < m; {j}++) {{",
                   *(f"    {line}" for line in self._updated(f"{t}[{j}]", of, f"A[{c}][{j}] % 50", c)), "}",
                   f"for (int {k} = 0; {k} < m; {k}++)", f"    C[{k}] = {of.result.format(f'{t}[{k}]', 3)};"
                   )  # fmt: skip

    def _wide_bins(self, of: Combined) -> None:
        c, k, t = (self._fresh(x) for x in "ikt")
        self._emit(f"{of.type} {t}[16];")
        self._initialise(t, "16", of.init)
        where = self.random.choice((f"{c} & 15", f"B[{c}] & 15", f"B[{c}] & 7"))
        self._emit(f"for (int {c} = 0; {c} < n; {c}++) {{",
                   *(f"    {line}" for line in self._updated(f"{t}[{where}]", of, self._plain_read(c), c)), "}",
                   f"for (int {k} = 0; {k} < 16; {k}++)", f"    G[{k}] = {of.result.format(f'{t}[{k}]', k)};"
                   )  # fmt: skip

    def _updated(self, target: str, of: Combined, value: str, number: str) -> list[str]:
        """The update of `target` by an element of `value`, in one of the ways in which it is written."""
        element = of.element.format(value, f"(int){number}")
        if self.random.random() < 0.5:
            return [f"__pencil_reduction(&{target}, {element}, {of.operator});"]
        name = self._fresh("e")
        return [f"{of.type} {name} = {element};", f"__pencil_reduction(&{target}, {name}, {of.operator});"]

    def _split(self) -> None:
        """Several reductions in one loop, more than one kernel holds, over scalars that all of them need."""
        kinds = [self.random.choice((_WIDE, _BULK, _BULK, _RANGE, _NUMBER, _WHOLE)) for _ in range(5)]
        kinds = kinds[: self.random.randint(2, 5)]
        names = [self._fresh("s") for _ in kinds]
        c, j, k, x, w = (self._fresh(stem) for stem in "ijkxw")
        is_rows = self.random.random() < 0.5
        begun = [line for of, name in zip(kinds, names, strict=True) for line in (
            f"{of.type} {name};", f"__pencil_reduction_var_init(&{name}, {of.init});")]  # fmt: skip
        value = f"A[{c}][{j}] % 20 + {self._plain_read(c)}"
        updates = [f"int {x} = {value};"]
        for of, name in zip(kinds, names, strict=True):
            updates += self._updated(name, of, f"({x} + {self.random.randint(0, 3)})", j)
        results = " + ".join(of.result.format(name, 5) for of, name in zip(kinds, names, strict=True))
        if not is_rows:
            self._emit(*begun, f"for (int {c} = 0; {c} < n; {c}++) for (int {j} = 0; {j} < m; {j}++) {{",
                       *(f"    {line}" for line in updates), "}", f"int {w} = {results};")  # fmt: skip
            self.locals.append((w, "int"))
            return
        shared = self._fresh("y")
        self._emit(f"for (int {c} = 0; {c} < n; {c}++) {{", f"    int {shared} = {self._plain_read(c)};",
                   *(f"    {line}" for line in begun), f"    for (int {j} = 0; {j} < m; {j}++) {{",
                   *(f"        {line}" for line in updates), "    }",
                   f"    int {w} = {results} + {shared};")  # fmt: skip
        if self.random.random() < 0.5:
            self._emit(f"    for (int {k} = 0; {k} < m; {k}++)", f"        A[{c}][{k}] = A[{c}][{k}] % 10 + {w} % 100;")
        self._emit(f"    B[{c}] = {w} % 1000 + {shared};", "}")

    def _comparisons(self) -> None:
        """Conditions of many comparisons, and sums of many remainders."""
        loops = self._loops()
        terms = [self._comparison(loops) for _ in range(self.random.randint(8, 18))]
        condition = terms[0]
        for term in terms[1:]:
            condition = f"({condition} {self.random.choice(('&&', '||'))} {term})"
        loop = loops[-1]
        counter = loop.counter if loop.is_signed else f"(int){loop.counter}"
        remainders = " + ".join(f"({counter} + {k}) % {k + 2}" for k in range(self.random.randint(3, 10)))
        way = self.random.randint(0, 2)
        if way == 0:
            name = self._fresh("s")
            self._emit(f"int {name};", f"__pencil_reduction_var_init(&{name}, izero);")
            update = f"__pencil_reduction(&{name}, {self._int(loops)} + ({remainders}), iadd);"
            self._nest(loops, [f"if {condition}", f"    {update}"], guard=False)
            self.locals.append((name, "int"))
        elif way == 1:
            target, kind = self._target(loops)
            self._nest(loops, [f"if {condition}", f"    {target} = {self._value(kind, loops)} + ({remainders});",
                               "else", f"    {target} = {counter};"], guard=False)  # fmt: skip
        else:
            c = self._fresh("i")
            where = f"icut({remainders.replace(counter, c)}, n)"
            self._emit(f"for (int {c} = 0; {c} < n; {c}++)", f"    E[{c}] = P[{where}].w + P[{where}].v[1] % 9;")

    def _comparison(self, loops: list[Loop]) -> str:
        loop = self.random.choice(loops)
        counter = loop.counter if loop.is_signed else f"(int){loop.counter}"
        number = self.random.randint(-2, 40)
        return self.random.choice((
            f"{counter} > {number}", f"{counter} < {number}", f"{counter} != {number}", f"{counter} == {number}",
            f"{counter} % {self.random.randint(2, 7)} == 1", f"n > {number}", f"m <= {counter} + {number}",
            f"{self._read_int(loops, plain=True)} > {number}", f"2 * {counter} >= n - {number}",
        ))  # fmt: skip
