"""What nests of generated programs are made of: loops, guards, subscripts in bounds, values that do not overflow."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field

from tests.fuzz.prelude import COUNTERS, DOUBLE_OPERATORS, INT_OPERATORS, UNSIGNED_OPERATORS


@dataclass(frozen=True)
class Loop:
    """A loop header and the counter's range: `0 <= counter < extent` holds in its body."""

    counter: str
    header: str
    extent: str
    is_signed: bool = True


@dataclass
class Draft:
    """The text of one function as it grows."""

    seed: int
    random: random.Random = field(init=False)
    lines: list[str] = field(default_factory=list, init=False)
    counter: int = field(default=0, init=False)
    depth: int = field(default=1, init=False)
    # Name and type of scalars that hold a value.
    locals: list[tuple[str, str]] = field(default_factory=list, init=False)
    # The array that is being reduced into, and may not be read.
    reduced: str = field(default="", init=False)
    # Host code in front of the region, and behind it, which an entry function cannot have.
    before: list[str] = field(default_factory=list, init=False)
    behind: list[str] = field(default_factory=list, init=False)

    def __post_init__(self) -> None:
        self.random = random.Random(self.seed)

    # ---- loops -----------------------------------------------------------------------------------

    def _loops(self) -> list[Loop]:
        loops: list[Loop] = []
        for _ in range(self.random.choice((1, 1, 2, 2, 3))):
            loops.append(self._loop(self.random.choice(("n", "m")), loops))
        return loops

    def _loop(self, extent: str, outer: list[Loop] | None = None) -> Loop:
        c, drawn = self._fresh("i"), self.random.random()
        if drawn < 0.1:
            return self._loop_of_few(c, extent)
        if drawn < 0.3:
            return self._typed_loop(c, extent)
        headers = [
            f"for (int {c} = 0; {c} < {extent}; {c}++)", f"for (int {c} = 0; {c} < {extent}; {c}++)",
            f"for (int {c} = 1; {c} < {extent} - 1; {c}++)", f"for (int {c} = {extent} - 1; {c} >= 0; {c}--)",
            f"for (int {c} = 0; {c} < {extent}; {c} += {self.random.randint(2, 5)})",
            f"for (int {c} = {extent} - 1; {c} > 0; {c} -= 2)", f"for (int {c} = 0; {c} <= {extent} - 1; {c}++)",
            f"for (int {c} = 0; {c} < min(n, m); {c}++)", f"for (int {c} = 3; {c} < {extent}; {c}++)",
            f"for (int {c} = 0; {c} < {extent} / 2; {c}++)",
        ]  # fmt: skip
        for each in outer or ():
            if each.extent == extent and each.is_signed:
                headers += [f"for (int {c} = {each.counter}; {c} < {extent}; {c}++)",
                            f"for (int {c} = 0; {c} <= {each.counter}; {c}++)"] * 2  # fmt: skip
        return Loop(c, self.random.choice(headers), extent)

    def _loop_of_few(self, c: str, extent: str) -> Loop:
        """A loop of one value or of none."""
        headers = (
            f"for (int {c} = 0; {c} < min(1, {extent}); {c}++)",
            f"for (int {c} = {extent} - 1; {c} >= {extent}; {c}--)",
            f"for (int {c} = 0; {c} < {extent}; {c} += 100000)",
            f"for (int {c} = {extent} - 1; {c} >= 0; {c} -= 70000)",
            f"for (int {c} = {extent} / 2; {c} < min({extent} / 2 + 1, {extent}); {c}++)",
        )
        return Loop(c, self.random.choice(headers), extent)

    def _typed_loop(self, c: str, extent: str) -> Loop:
        """A counter of another type than its bound."""
        kind = self.random.choice(COUNTERS)
        bound = extent
        if kind in ("short", "unsigned char"):
            bound = f"min({extent}, 100)"
        elif self.random.random() < 0.5:
            bound = self.random.choice((f"(long long){extent}", f"(unsigned){extent}", f"min(q, {extent})"))
        is_signed = not kind.startswith("unsigned")
        step = self.random.choice(("++", "++", " += 3"))
        return Loop(c, f"for ({kind} {c} = 0; {c} < {bound}; {c}{step})", extent, is_signed)

    def _nest(self, loops: list[Loop], body: list[str], guard: bool = True) -> None:
        order = list(loops)
        for depth, loop in enumerate(order):
            self._emit("    " * depth + loop.header + (" {" if depth == len(order) - 1 else ""))
        inside = self._guarded(body, loops) if guard else body
        self._emit(*(f"{'    ' * len(order)}{line}" for line in inside))
        self._emit("    " * (len(order) - 1) + "}")

    def _guarded(self, body: list[str], loops: list[Loop]) -> list[str]:
        if self.random.random() < 0.7:
            return body if len(body) == 1 else ["{", *body, "}"]
        loop = self.random.choice(loops)
        c = loop.counter
        condition = self.random.choice((
            f"{c} % 3 == 1", f"{c} > 2", f"{c} != {self.random.randint(0, 4)}", f"{c} < 5 || {c} > 9",
            f"{self._read_int(loops, plain=True)} > 0", f"n > m && {c} >= 1", f"{c} == {self.random.randint(0, 3)}",
        ))  # fmt: skip
        return [f"if ({condition}) {{", *(f"    {line}" for line in body), "}"]

    def _initialise(self, array: str, extent: str, init: str) -> None:
        c = self._fresh("k")
        self._emit(f"for (int {c} = 0; {c} < {extent}; {c}++)",
                   f"    __pencil_reduction_var_init(&{array}[{c}], {init});")  # fmt: skip

    # ---- expressions -----------------------------------------------------------------------------

    def _target(self, loops: list[Loop]) -> tuple[str, str]:
        choices = [(f"B[{x.counter}]", "int") for x in loops if x.extent == "n"]
        choices += [(f"E[{x.counter}]", "double") for x in loops if x.extent == "n"]
        choices += [(f"C[{x.counter}]", "int") for x in loops if x.extent == "m"]
        choices += [(f"P[{x.counter}].w", "double") for x in loops if x.extent == "n"]
        for x in loops:
            for y in loops:
                if x.extent == "n" and y.extent == "m":
                    choices += [(f"A[{x.counter}][{y.counter}]", "int"), (f"D[{x.counter}][{y.counter}]", "double")] * 3
        return self.random.choice(choices)

    def _value(self, kind: str, loops: list[Loop]) -> str:
        return self._double(loops) if kind == "double" else self._int(loops)

    def _element(self, kind: str, loops: list[Loop]) -> str:
        if kind == "Range":
            return f"only({self._int(loops)})"
        extents = {loop.extent for loop in loops}
        if kind == "unsigned" and extents >= {"n", "m"}:
            return f"U[{self._subscript(loops, 'n')}][{self._subscript(loops, 'm')}] | 1u"
        if kind == "unsigned":
            return f"(unsigned)({self._int(loops)}) | 1u"
        if kind == "long long" and "m" in extents:
            return f"L[{self._subscript(loops, 'm')}] % 1000"
        return self._value(kind, loops)

    def _int(self, loops: list[Loop]) -> str:
        parts = [f"{self._read_int(loops)} % {self.random.randint(3, 50)}" for _ in range(self.random.randint(1, 2))]
        parts += [self._small(loops)] * self.random.randint(0, 1)
        if self.random.random() < 0.15:
            parts.append(f"min({self._small(loops)}, {self._read_int(loops)} < 3)")
        return self.random.choice((" + ", " - ")).join(parts)

    def _double(self, loops: list[Loop]) -> str:
        places = [f"E[{self._subscript(loops, 'n')}]", f"P[{self._subscript(loops, 'n')}].w",
                  f"D[{self._subscript(loops, 'n')}][{self._subscript(loops, 'm')}]"]  # fmt: skip
        extents = {loop.extent for loop in loops}
        if extents == {"n"}:
            places = places[:2]  # there may be no column
        elif extents == {"m"}:
            places = ["L[0]"] if self.reduced == "H" else ["H[7]", "L[0]"]
        return f"{self.random.choice(places)} * 0.5 + {self._small(loops)}"

    def _small(self, loops: list[Loop]) -> str:
        loop = self.random.choice(loops)
        c = loop.counter if loop.is_signed else f"(int){loop.counter}"
        choices = [c, f"({c} % 7)", str(self.random.randint(-4, 4)), f"({c} > 2 ? 1 : -1)", f"({c} & 3)"]
        choices += [f"{name} % 10" for name, kind in self.locals if kind == "int"]
        return self.random.choice(choices)

    def _read_int(self, loops: list[Loop], plain: bool = False) -> str:
        places = [f"B[{self._subscript(loops, 'n', plain)}]", f"C[{self._subscript(loops, 'm', plain)}]",
                  f"A[{self._subscript(loops, 'n', plain)}][{self._subscript(loops, 'm', plain)}]",
                  f"P[{self._subscript(loops, 'n', plain)}].v[{self.random.randint(0, 3)}]"]  # fmt: skip
        extents = {loop.extent for loop in loops}
        if extents == {"n"}:
            places = [places[0], places[3]]  # there may be no column
        elif extents == {"m"}:
            places = places[1:2]
        return self.random.choice([p for p in places if not p.startswith(f"{self.reduced}[")] or ["n"])

    def _plain_read(self, subscript: str) -> str:
        """A small value of a row `subscript`, whatever the columns."""
        return self.random.choice((f"B[{subscript}] % 50", f"P[{subscript}].v[2] % 50", f"(int)(P[{subscript}].k % 9)"))

    def _subscript(self, loops: list[Loop], extent: str, plain: bool = False) -> str:
        """A subscript in bounds wherever the loops have an iteration and the array an element."""
        own = [x for x in loops if x.extent == extent]
        if own and (plain or self.random.random() < 0.6):
            loop = self.random.choice(own)
            c = loop.counter
            if len(own) > 1 and self.random.random() < 0.4:
                return f"min({own[0].counter}, {own[1].counter})"
            return self.random.choice((c, c, c, f"{extent} - 1 - {c}", f"{c} / 2"))
        signed = [x for x in loops if x.is_signed]
        if not signed:
            return f"icut(1, {extent})"
        c = self.random.choice(signed).counter
        shifted = f"{c} + {self.random.randint(-2, 2)}".replace("+ -", "- ")
        return self.random.choice(
            (f"clamp({shifted}, 0, {extent} - 1)", f"icut({c} * 2, {extent})", f"icut(0, {extent})")
        )

    # ---- text ------------------------------------------------------------------------------------

    def _variable(self) -> tuple[str, str, str, str]:
        kind = self.random.choice(("int", "int", "int", "double", "Range", "unsigned", "long long"))
        if kind == "Range":
            return self._fresh("g"), kind, "join", "nothing"
        operators = {
            "int": INT_OPERATORS, "double": DOUBLE_OPERATORS, "unsigned": UNSIGNED_OPERATORS,
            "long long": (("ladd", "lzero"),),
        }  # fmt: skip
        operator, init = self.random.choice(operators[kind])
        return self._fresh("s"), kind, operator, init

    def _keep(self, name: str, kind: str) -> None:
        """The result of a reduction goes on to be used."""
        if kind == "Range":
            whole = self._fresh("w")
            self._emit(f"int {whole} = {name}.low % 1000 + {name}.high % 1000 + {name}.count;")
            self.locals.append((whole, "int"))
        else:
            self.locals.append((name, kind))

    def _block(self, head: str, inside: Callable[[], None]) -> None:
        before = len(self.locals)
        self._emit(f"{head} {{")
        self.depth += 1
        inside()
        self.depth -= 1
        self._emit("}")
        del self.locals[before:]

    def _fresh(self, stem: str) -> str:
        self.counter += 1
        return f"{stem}{self.counter}"

    def _emit(self, *lines: str) -> None:
        self.lines += [line if line.startswith("#") else f"{'    ' * self.depth}{line}" for line in lines]
