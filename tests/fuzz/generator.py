"""A seeded generator of small PENCIL functions that do what programs do, and what nobody thinks of.

Every access is in bounds, every variable set before it is read and no signed arithmetic overflows, so that whatever
differs from the sequential program is a fault of pencilc.  The same seed gives the same text.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from pencilc.options import CompileOptions
from pencilc.target import TARGETS
from tests.fuzz.boxes import FIRST_SEED as FIRST_SEED_OF_BOXES
from tests.fuzz.boxes import KINDS as BOXES
from tests.fuzz.draft import Loop
from tests.fuzz.flags import FIRST_SEED as FIRST_SEED_OF_FLAGS
from tests.fuzz.flags import KINDS as FLAGS
from tests.fuzz.flatten import flattened
from tests.fuzz.fronts import FIRST_SEED as FIRST_SEED_OF_FRONTS
from tests.fuzz.fronts import KINDS as FRONTS
from tests.fuzz.heavy import FIRST_SEED as FIRST_HEAVY_SEED
from tests.fuzz.moved import FIRST_SEED as FIRST_SEED_OF_MOVED
from tests.fuzz.moved import KINDS as MOVED
from tests.fuzz.moved import MovedNests
from tests.fuzz.places import FIRST_SEED as FIRST_SEED_OF_PLACES
from tests.fuzz.places import KINDS as PLACES
from tests.fuzz.prelude import DOUBLE_OPERATORS, INT_OPERATORS, PARAMETERS, PRELUDE, with_main

# The first seed with kinds of nests that were added later: programs of earlier seeds stay what they were.
_ADDED = (
    (FIRST_HEAVY_SEED, ("wide", "split", "comparisons")),
    (FIRST_SEED_OF_FRONTS, FRONTS), (FIRST_SEED_OF_BOXES, BOXES), (FIRST_SEED_OF_FLAGS, FLAGS),
    (FIRST_SEED_OF_PLACES, PLACES), (FIRST_SEED_OF_MOVED, MOVED),
)  # fmt: skip


@dataclass
class Generator(MovedNests):
    """Generates one function; `kinds` limits it to some kinds of nests."""

    seed: int
    kinds: Sequence[str] = ()

    def function(self, name: str) -> str:
        """The text of a function of a few nests over the arrays of `PARAMETERS`."""
        nests = self.nests()
        names = [k for k in nests if k in self.kinds]
        if not self.kinds:
            later = {kind for first, kinds in _ADDED if self.seed < first for kind in kinds}
            names = [k for k in nests if k not in later]
        for _ in range(self.random.randint(1, 4)):
            self._chosen(nests[self.random.choice(names)])
        tail = [f"B[0] = B[0] % 1000 + {n} % 1000;" for n, t in self.locals if t in ("int", "unsigned", "long long")]
        tail += [f"E[0] = E[0] + {n};" for n, t in self.locals if t in ("double", "float")]
        if tail:
            self._emit("if (n > 0) {", *[f"    {line}" for line in tail], "}")
        body = "\n".join(self.lines)
        # What is clamped into an array without elements lies outside of it.
        for extent in ("n", "m"):
            if re.search(rf"icut\([^()]*, {extent}\)|clamp\([^()]*, 0, {extent} - 1\)", body):
                body = f"    __pencil_assume({extent} > 0);\n{body}"
        region = "\n".join((*self.before, "#pragma scop", body, "#pragma endscop", *self.behind))
        return f"void {name}({', '.join(PARAMETERS)})\n{{\n{region}\n}}\n"

    def nests(self) -> dict[str, Callable[[], None]]:
        """What makes each kind of nest."""
        return {
            "map": self._map, "reduce": self._reduce, "rows": self._rows, "columns": self._columns,
            "plain": self._plain, "scan": self._scan, "kill": self._kill, "reused": self._reused,
            "dead": self._dead, "blocked": self._blocked, "peeled": self._peeled, "outside": self._outside,
            "accumulators": self._accumulators, "several": self._several, "repeated": self._repeated,
            "members": self._members, "conditional": self._conditional, "helpers": self._helpers,
            "scatters": self._scatters, "tail": self._tail, "chain": self._chain, "histogram": self._histogram,
            "opaque": self._opaque, "host": self._host, "softmax": self._softmax, "counters": self._counters,
            "mixed": self._mixed, "bins": self._bins, "bounds": self._bounds, "chained": self._chained,
            "outlined": self._outlined, "wide": self._wide, "split": self._split, "comparisons": self._comparisons,
            "front": self._front, "factors": self._factors, "pinned": self._pinned, "diagonal": self._diagonal,
            "box": self._box, "product": self._product, "window": self._window, "turned": self._turned,
            "flags": self._flags, "flags_of_rows": self._flags_of_rows, "places": self._places,
            "places_of_rows": self._places_of_rows, "moved_bounds": self._moved_bounds,
            "moved_extents": self._moved_extents, "moved_parameters": self._moved_parameters,
            "registers": self._registers, "kept_conditions": self._kept_conditions,
            "shared_values": self._shared_values, "counted": self._counted,
        }  # fmt: skip

    def _chosen(self, nest: Callable[[], None]) -> None:
        """A nest, sometimes below a loop on the host or a condition on sizes."""
        drawn = self.random.random()
        if drawn < 0.08:
            self._block(f"if ({self.random.choice(('n > m', 'n % 2 == 0', 'm > 2', 'q > 3'))})", nest)
        else:
            nest()

    # ---- nests of one kind -----------------------------------------------------------------------

    def _map(self) -> None:
        loops = self._loops()
        target, kind = self._target(loops)
        self._nest(loops, [f"{target} = {self._value(kind, loops)};"])

    def _plain(self) -> None:
        """An update of a scalar or element in plain C."""
        loops = self._loops()
        if self.random.random() < 0.5:
            name = self._fresh("p")
            self._emit(f"int {name} = {self.random.randint(-3, 3)};")
            self._nest(loops, [f"{name} {self.random.choice(('^=', '|=', '+='))} {self._int(loops)};"])
            self.locals.append((name, "int"))
        else:
            target, kind = self._target(loops[:1])
            value = self._value(kind, loops)
            self._nest(
                loops, [f"{target} = ({target} % 1000) + {value};" if kind == "int" else f"{target} += {value};"]
            )

    def _scan(self) -> None:
        """A loop that carries a value."""
        c = self._fresh("i")
        if self.random.random() < 0.5:
            loop = Loop(c, f"for (int {c} = 1; {c} < n; {c}++)", "n")
            self._nest([loop], [f"B[{c}] = B[{c}] % 100 + B[{c} - 1] % 100 + {self._small([loop])};"])
            return
        row = self._fresh("i")
        rows = self.random.choice(("n", "min(n, 1)", "min(n, 1)", "min(n, 2)"))
        outer = Loop(row, f"for (int {row} = 0; {row} < {rows}; {row}++)", "n")
        loop = Loop(c, f"for (int {c} = 1; {c} < m; {c}++)", "m")
        value = f"A[{row}][{c}] % 100 + A[{row}][{c} - 1] % 100 + {self._small([outer, loop])}"
        self._nest([outer, loop], [f"A[{row}][{c}] = {value};"])

    def _reduce(self) -> None:
        """A reduction of everything to one scalar, or two at once."""
        loops = self._loops()
        updates, after = [], []
        for _ in range(self.random.choice((1, 1, 2))):
            name, kind, operator, init = self._variable()
            self._emit(f"{kind} {name};", f"__pencil_reduction_var_init(&{name}, {init});")
            updates.append(f"__pencil_reduction(&{name}, {self._element(kind, loops)}, {operator});")
            after.append((name, kind))
        self._nest(loops, updates)
        for name, kind in after:
            self._keep(name, kind)

    def _rows(self) -> None:
        """A reduction for each row."""
        outer = self._loop("n")
        inner = self._loop("m", [outer])
        operator, init = self.random.choice(INT_OPERATORS)
        name = self._fresh("r")
        update = f"__pencil_reduction(&{name}, {self._int([outer, inner])}, {operator});"
        body = [f"int {name};", f"__pencil_reduction_var_init(&{name}, {init});", inner.header + " {",
                *(f"    {line}" for line in self._guarded([update], [outer, inner])), "}",
                f"B[{outer.counter}] = {name} % 1000 + {self._small([outer])};"]  # fmt: skip
        self._nest([outer], body)

    def _columns(self) -> None:
        """Column results: the initialisation in a nest of its own."""
        operator, init = self.random.choice(INT_OPERATORS)
        self._initialise("C", "m", init)
        row, column = self._loop("n"), self._loop("m")
        loops = [row, column] if self.random.random() < 0.5 else [column, row]
        element = f"A[{row.counter}][{column.counter}] % 100 + {self._small(loops)}"
        self.reduced = "C"
        self._nest(loops, [f"__pencil_reduction(&C[{column.counter}], {element}, {operator});"])
        self.reduced = ""

    def _histogram(self) -> None:
        """Bins chosen by data, of whole numbers, floating values, or a struct's members."""
        bins, kind, (operator, init) = self.random.choice((
            ("G", "int", ("iadd", "izero")), ("G", "int", ("imaximum", "ilow")), ("H", "double", ("dadd", "dzero")),
            ("H", "double", ("dmaximum", "dlow")),
        ))  # fmt: skip
        self._initialise(bins, "40", init)
        loops = self._loops()
        where = f"{self._read_int(loops)} & {self.random.choice((7, 15, 31))}"
        self.reduced = bins
        update = f"__pencil_reduction(&{bins}[{where}], {self._value(kind, loops)}, {operator});"
        self.reduced = ""
        if self.random.random() < 0.7:
            self._nest(loops, [update])
            return
        # The element goes on computing, with what the update has read.
        c = self._fresh("i")
        self._emit(f"for (int {c} = 0; {c} < n; {c}++) {{",
                   f"    __pencil_reduction(&{bins}[B[{c}] & 31], {self._plain_read(c)}, {operator});",
                   f"    B[{c}] = B[{c} / 2] % 50 + {c};", "}")  # fmt: skip

    def _opaque(self) -> None:
        """A loop whose end is data, below a parallel one."""
        loop = self._loop("n")
        name, c = self._fresh("w"), loop.counter
        body = [f"int {name} = {self._read_int([loop])} & 31;", f"while ({name} > {self.random.randint(1, 5)})",
                f"    {name} = {name} / 2;", f"B[{c}] = {name} + {self._small([loop])};"]  # fmt: skip
        self._nest([loop], body)

    def _counters(self) -> None:
        """Counters of unlike types over one extent, which take each other's place in what is done for one point."""
        i, j, k = self._fresh("i"), self._fresh("j"), self._fresh("k")
        wide = self.random.choice(("long long", "long", "unsigned"))
        place = self.random.choice((f"min({j}, {i})", f"max({i}, {j})"))
        # Targets of their own leave the nests apart, so that the scheduler looks at each.
        target, kind = self.random.choice((("U", "unsigned"), ("D", "double"), ("F", "float")))
        body = [f"{target}[{j}][{k}] = ({kind})A[{j}][{k}];", f"{target}[{i}][{k}] = ({kind})A[{place}][{k}];"]
        if self.random.random() < 0.1:
            body.reverse()
        self._emit(f"for ({wide} {i} = 0; {i} < n; {i}++) for (int {k} = 0; {k} < m; {k}++)",
                   f"    for (int {j} = 0; {j} < n; {j}++) {{", *(f"        {line}" for line in body),
                   "    }")  # fmt: skip

    def _host(self) -> None:
        """Nests that are repeated: a sequential loop around parallel ones."""
        c = self._fresh("t")
        bound = self.random.choice(("3", "2", "min(n, 3)", "1"))
        kinds = [self._map, self._rows, self._reused, self._columns, self._scan]

        def both() -> None:
            for nest in self.random.sample(kinds, self.random.randint(1, 2)):
                before = len(self.locals)
                nest()
                del self.locals[before:]  # they end with the block

        self._block(f"for (int {c} = 0; {c} < {bound}; {c}++)", both)

    # ---- what people write ------------------------------------------------------------------------

    def _mixed(self) -> None:
        """Sums whose elements have another type than they."""
        c, j, s, e = (self._fresh(x) for x in "ijse")
        kind, init, operator, element, value = self.random.choice((
            ("double", "dzero", "dadd", "float", f"F[{c}][{j}] * 2.0f"),
            ("double", "dzero", "dadd", "int", f"A[{c}][{j}] % 50"),
            ("float", "fzero", "fadd", "int", f"A[{c}][{j}] % 50"),
            ("float", "fzero", "fadd", "short", f"(short)(A[{c}][{j}] % 9)"),
            ("long long", "lzero", "ladd", "int", f"A[{c}][{j}] % 1000"),
        ))  # fmt: skip
        self._emit(f"{kind} {s};", f"__pencil_reduction_var_init(&{s}, {init});",
                   f"for (int {c} = 0; {c} < n; {c}++) for (int {j} = 0; {j} < m; {j}++) {{",
                   f"    {element} {e} = {value};", f"    __pencil_reduction(&{s}, {e}, {operator});",
                   "}")  # fmt: skip
        self.locals.append((s, kind))

    def _bins(self) -> None:
        """More bins than shared memory holds."""
        w, c, operator = self._fresh("w"), self._fresh("i"), self.random.choice(("dadd", "dmaximum"))
        size = self.random.choice((30_000, 40_000))
        self._emit(f"double {w}[{size}];")
        self._initialise(w, str(size), "dzero")
        where = f"{w}[{c} * 977 % {size}]"
        self._emit(f"for (int {c} = 0; {c} < n; {c}++)",
                   f"    __pencil_reduction(&{where}, {self._plain_read(c)} * 0.5, {operator});",
                   f"for (int {c} = 0; {c} < n; {c}++) E[{c}] = {where};")  # fmt: skip

    def _bounds(self) -> None:
        """Loops that end with any affine condition, and bounds of a wide type."""
        c = self._fresh("i")
        way = self.random.randint(0, 5)
        if way < 3:
            header, target = (
                (f"for (int {c} = 0; 4 * {c} + 3 < n; {c}++)", f"B[4 * {c}]"),
                (f"for (int {c} = 0; n - {c} > 2; {c}++)", f"B[{c}]"),
                (f"for (int {c} = 0; {c} <= (int)min(q, (long long)m) - 1; {c}++)", f"C[{c}]"),
            )[way]
            self._emit(f"{header} {target} = {c} * {self.random.randint(2, 9)} - 3;")
        elif way < 5:
            r, x = self._fresh("i"), self._fresh("j")
            self._emit(f"for (long long {x} = 0; {x} < (long long)m; {x}++)",
                       f"    __pencil_reduction_var_init(&C[{x}], izero);", f"for (int {r} = 0; {r} < n; {r}++)",
                       f"    for (int {c} = 0; {c} <= (int)(long long)m - 1; {c}++)",
                       f"        __pencil_reduction(&C[{c}], A[{r}][{c}] % 50, iadd);")  # fmt: skip
        else:
            s, r = self._fresh("s"), self._fresh("i")
            self._emit(f"int {s};", f"__pencil_reduction_var_init(&{s}, izero);",
                       f"for (int {c} = q - 1; {c} >= 0; {c}--) for (int {r} = 0; {r} < n; {r}++)",
                       f"    __pencil_reduction(&{s}, B[{r}] % 50 + {c}, iadd);")  # fmt: skip
            self.locals.append((s, "int"))

    def _chained(self) -> None:
        """Assignments in a row, `switch`, and `*a` for the first element."""
        x, y, c = self._fresh("x"), self._fresh("y"), self._fresh("i")
        loop = Loop(c, f"for (int {c} = 0; {c} < n; {c}++)", "n")
        way = self.random.randint(0, 3)
        if way == 0:
            self._emit(f"int {x}, {y};", f"{x} = {y} = {self.random.randint(2, 9)};")
            self._nest([loop], [f"B[{c}] = {x} + {y} + {self._small([loop])};"])
        elif way == 1:
            self._nest([loop], [f"int {x};", f"E[{c}] = B[{c}] = {x} = {self._int([loop])};",
                                f"P[{c}].w = {x};"])  # fmt: skip
        elif way == 2:
            self._emit("if (n > 0) {", f"    *B = *B % 50 + {self.random.randint(1, 5)};", "    *E = *B;", "}")
        else:
            self._nest([loop], [f"switch ({self._plain_read(c)} & 3) {{", f"case 0: B[{c}] = {c}; break;",
                                f"case 1: case 2: E[{c}] = {self._small([loop])}; break;",
                                f"default: B[{c}] = -1;", "}"])  # fmt: skip

    def _outlined(self) -> None:
        """Counters and results that host code uses behind the region, and a helper that the host calls as well."""
        i, k, s, t, x = (self._fresh(c) for c in "ikstx")
        self.before += [f"    int {i} = 0, {s} = 0;", f"    double {t} = 0;"]
        self._emit(f"for ({i} = 0; {i} < n; ++{i}) B[{i}] = tripled({self._plain_read(i)});",
                   f"for (int {k} = 0; {k} < n; {k}++) {s} += B[{k}] % 50;",
                   f"for (int {x} = 0; {x} < n; {x}++) {t} += E[{x}] * 0.5;", f"{t} /= n + 1;",
                   f"for (int {x} = 0; {x} < n; {x}++) E[{x}] = E[{x}] - {t};")  # fmt: skip
        place = self.random.randint(0, 30)
        self.behind += [f"    *(G + {place}) = {i} + tripled({s});", f"    *(H + {place}) = {t} / 2;"]

    # ---- storage that is used again --------------------------------------------------------------

    def _kill(self) -> None:
        """An array, an element or a reduction's results are killed between two uses."""
        if self.random.random() < 0.3:
            self._columns()
            column = self._fresh("i")
            self._emit("__pencil_kill(C);", f"for (int {column} = 0; {column} < m; {column}++)",
                       f"    C[m - 1 - {column}] = {column} % 7;")  # fmt: skip
            return
        name, c = self._fresh("t"), [self._fresh("i") for _ in range(4)]
        loops = [f"for (int {x} = 0; {x} < n; {x}++)" for x in c]
        killed = self.random.choice((name, f"{name}[{c[2]}]", "B", "B", ""))
        array = "B" if killed == "B" else name
        if array == name:
            self._emit(f"int {name}[n];")
        self._emit(f"{loops[0]} {array}[{c[0]}] = {self._plain_read(c[0])};")
        if array != "B" or self.random.random() < 0.5:  # else two stores in a row
            self._emit(f"{loops[1]} E[{c[1]}] = {array}[n - 1 - {c[1]}] % 50;")
        if killed in (name, "B"):
            self._emit(f"__pencil_kill({killed});")
        inner = f"__pencil_kill({killed}); " if "[" in killed else ""
        self._emit(f"{loops[2]} {{ {inner}{array}[{c[2]}] = {self._plain_read('n - 1 - ' + c[2])} * 2; }}")
        self._emit(f"{loops[3]} E[{c[3]}] = E[{c[3]}] + {array}[n - 1 - {c[3]}] % 50;")

    def _reused(self) -> None:
        """An array that serves twice, with a store in between that nobody reads."""
        name = self._fresh("t")
        self._emit(f"int {name}[n];")
        for target in self.random.sample(["B", "E", "G"], 2):
            a, b, dead = (self._fresh("i") for _ in range(3))
            self._emit(f"for (int {a} = 0; {a} < n; {a}++) {name}[{a}] = {self._plain_read(a)};")
            place = f"{target}[{b}]" if target != "G" else f"G[{b} % 40]"
            self._emit(f"for (int {b} = 0; {b} < n; {b}++) {place} = {name}[n - 1 - {b}] % 77;")
            if self.random.random() < 0.6:
                self._emit(f"for (int {dead} = 0; {dead} < n; {dead}++) {name}[{dead}] = {dead};")

    def _dead(self) -> None:
        """Scalars and arrays that are overwritten before anybody reads them, and code that is never executed."""
        x, c, d = self._fresh("x"), self._fresh("i"), self._fresh("i")
        self._emit(f"int {x} = 3;", f"for (int {c} = 0; {c} < n; {c}++) B[{c}] = {x} + {self._plain_read(c)};")
        self._emit(f"{x} = 5;", f"{x} = {self.random.randint(6, 9)};")
        never = self.random.choice((f"{d} > n", f"{d} == n", f"{d} < 0"))
        self._emit(f"for (int {d} = 0; {d} < n; {d}++) {{", f"    if ({never}) {{", f"        int {x}_n = B[{d}];",
                   f"        E[{d}] = {x}_n;", f"        L[{d}] = 1;", "    }", f"    E[{d}] = {x} + {d};",
                   "}")  # fmt: skip
        self.locals.append((x, "int"))
        if self.random.random() < 0.4:
            self._nested_ragged_rows()

    def _nested_ragged_rows(self) -> None:
        """Values in order inside rows of data-dependent length in other such rows: one thread runs the region."""
        c, j, k = self._fresh("i"), self._fresh("j"), self._fresh("k")
        self._initialise("H", "40", "dzero")
        self._emit(f"for (int {c} = 0; {c} < n; {c}++) for (int {j} = start[{c}]; {j} < start[{c} + 1]; {j}++)",
                   f"    for (int {k} = 0; {k} < (col[{j}] & 3); {k}++)",
                   f"        __pencil_reduction(&H[col[{j}] & 31], {k} * 0.5, dadd);")  # fmt: skip

    def _outside(self) -> None:
        """Scalars that are declared in front of the loops that use them."""
        loops = self._loops()
        t = self._fresh("t")
        target, kind = self._target(loops)
        self._emit(f"{kind} {t};")
        self._nest(loops, [f"{t} = {self._value(kind, loops)};", f"{target} = {t} + {t};"])

    def _repeated(self) -> None:
        """Initialisations that are undone by others, wholly or in part."""
        operator, init = self.random.choice(INT_OPERATORS)
        a, b = self._fresh("i"), self._fresh("j")
        again = self.random.choice(("", f"if ({b} > 3)", f"if ({b} % 2 == 0)"))
        self._initialise("C", "m", init)
        times = self.random.choice(("n", "2", "0"))
        self._emit(f"for (int {a} = 0; {a} < {times}; {a}++) for (int {b} = 0; {b} < m; {b}++) {again}",
                   f"    __pencil_reduction_var_init(&C[{b}], {init});")  # fmt: skip
        row, column = self._loop("n"), self._loop("m")
        self.reduced = "C"
        value = self._int([row, column])
        self._nest([row, column], [f"__pencil_reduction(&C[{column.counter}], {value}, {operator});"])
        self.reduced = ""

    # ---- loops of odd shapes ---------------------------------------------------------------------

    def _blocked(self) -> None:
        """A loop in blocks, as one writes it by hand."""
        b, c, extent = self._fresh("b"), self._fresh("i"), "n"
        size = self.random.choice((4, 8, 32))
        loop = Loop(c, f"for (int {c} = {b}; {c} < min({b} + {size}, {extent}); {c}++)", extent)
        outer = f"for (int {b} = 0; {b} < {extent}; {b} += {size})"
        if self.random.random() < 0.5:
            self._emit(outer, f"    {loop.header}", f"        B[{c}] = {self._int([loop])};")
        else:
            name = self._fresh("s")
            self._emit(f"int {name};", f"__pencil_reduction_var_init(&{name}, izero);", outer, f"    {loop.header}",
                       f"        __pencil_reduction(&{name}, {self._int([loop])}, iadd);")  # fmt: skip
            self.locals.append((name, "int"))

    def _peeled(self) -> None:
        """An iteration apart: in front of the loop, behind it, or inside under a condition."""
        c = self._fresh("i")
        loop = Loop(c, f"for (int {c} = 1; {c} < n - 1; {c}++)", "n")
        way = self.random.randint(0, 2)
        if way == 0:
            self._emit("if (n > 0) E[0] = 1;")
            self._nest([loop], [f"E[{c}] = {self._double([loop])};"])
            self._emit("if (n > 1) E[n - 1] = 2;")
        elif way == 1:
            self._emit(f"for (int {c} = 0; {c} < n; {c}++) {{", f"    if ({c} != {self.random.randint(0, 2)})")
            self._emit(f"        B[{c}] = {self._int([loop])};", "    else", f"        B[{c}] = -{c};", "}")
        else:
            j = self._fresh("j")
            self._emit(f"for (int {c} = 0; {c} < n; {c}++) {{", f"    if ({c} != 1)",
                       f"        B[{c}] = (m > 0 ? C[0] % 50 : 0) + {c};", f"    for (int {j} = 0; {j} < m; {j}++)",
                       f"        C[{j}] = C[{j}] % 50 * 3 + B[{c}] % 50;", "}")  # fmt: skip

    # ---- accumulators ----------------------------------------------------------------------------

    def _accumulators(self) -> None:
        """A few sums in one array, updated one by one and in loops, under conditions."""
        s, k, x, i = (self._fresh(c) for c in "skxi")
        count = self.random.randint(3, 6)
        local = self.random.random() < 0.5
        array = s if local else "G"
        self._emit(*([f"int {s}[{count}];"] if local else []))
        self._emit(f"for (int {k} = 0; {k} < {count}; {k}++) __pencil_reduction_var_init(&{array}[{k}], izero);")
        condition = self.random.choice(("", f"if (B[{x}] > 0) ", f"if ({x} % 3 != 1) "))
        body = [f"__pencil_reduction(&{array}[0], {self._plain_read(x)}, iadd);",
                f"{condition}for (int {i} = 1; {i} < {count}; {i}++)",
                f"    __pencil_reduction(&{array}[{i}], P[{x}].v[{i} & 3] % 10 + {i}, iadd);"]  # fmt: skip
        if self.random.random() < 0.4:
            body.reverse()
            body = [body[1], body[0], body[2]]
        self._emit(f"for (int {x} = 0; {x} < n; {x}++) {{", *(f"    {line}" for line in body), "}")
        if local:
            out = self._fresh("k")
            self._emit(f"for (int {out} = 0; {out} < {count}; {out}++) G[{out}] = {s}[{out}] % 1000;")

    def _several(self) -> None:
        """Several updates of one variable, in one loop and in two, or amid a loop that goes on computing."""
        name, (operator, init) = self._fresh("s"), self.random.choice(INT_OPERATORS)
        self._emit(f"int {name};", f"__pencil_reduction_var_init(&{name}, {init});")
        if self.random.random() < 0.3:
            a, b = self._fresh("j"), self._fresh("i")
            self._emit(f"for (int {a} = 0; {a} < m; {a}++) for (int {b} = m - 1; {b} >= 0; {b}--) {{",
                       f"    C[{a}] = {a} % 7;", f"    __pencil_reduction(&{name}, {b} % 5 + 1, {operator});",
                       f"    C[{b}] = {b} - 3;", "}")  # fmt: skip
            self.locals.append((name, "int"))
            return
        for _ in range(self.random.randint(1, 2)):
            loops = self._loops()
            updates = [
                f"__pencil_reduction(&{name}, {self._int(loops)}, {operator});"
                for _ in range(self.random.randint(1, 3))
            ]
            self._nest(loops, updates)
        self.locals.append((name, "int"))

    def _members(self) -> None:
        """Members of structs that are arrays, subscripted by loops and data."""
        c, k = self._fresh("i"), self._fresh("k")
        loop = Loop(c, f"for (int {c} = 0; {c} < n; {c}++)", "n")
        if self.random.random() < 0.5:
            self._emit(f"{loop.header} for (int {k} = 0; {k} < 4; {k}++)",
                       f"    P[{c}].v[{k}] = P[{c}].v[{k}] % 20 + {self._small([loop])};")  # fmt: skip
        else:
            j, x = self._fresh("k"), self._fresh("j")
            self._emit(f"for (int {k} = 0; {k} < 4; {k}++) __pencil_reduction_var_init(&G[{k}], izero);")
            one = [f"{loop.header} for (int {j} = 0; {j} < 4; {j}++)",
                   f"    __pencil_reduction(&G[{j}], P[{c}].v[{j}] % 30, iadd);"]  # fmt: skip
            two = [f"{loop.header} for (int {x} = 0; {x} < m; {x}++) for (int {j} = 0; {j} < 4; {j}++)",
                   f"    __pencil_reduction(&G[{j}], Q[{c}][{x}].v[{j}] % 30, iadd);"]  # fmt: skip
            self._emit(*self.random.choice((one, two)))

    # ---- conditions, helpers, data-dependent rows ------------------------------------------------

    def _conditional(self) -> None:
        """Local arrays, of fixed and of run-time size, below a condition that is data."""
        c, w, k = self._fresh("i"), self._fresh("w"), self._fresh("k")
        loop = Loop(c, "", "n")
        size = self.random.choice(("4", "4", "m"))
        body = [f"int {w}[{size}];", f"for (int {k} = 0; {k} < {size}; {k}++) {w}[{k}] = B[{c}] % 9 + {k};",
                f"E[{c}] = {f'm > 0 ? {w}[m / 2] : 1' if size == 'm' else f'{w}[{c} & 3]'};"]  # fmt: skip
        text = [f"if ({self._read_int([loop])} > 0) {{", *(f"    {line}" for line in body), "}"]
        self._nest([Loop(c, f"for (int {c} = 0; {c} < n; {c}++)", "n")], text, guard=False)

    def _helpers(self) -> None:
        """Helpers with and without const, with early returns, that take structs and write."""
        loop = self._loop("n")
        c = loop.counter
        choices = (
            f"E[{c}] = element(n, B, {self._subscript([loop], 'n')}) % 40;",
            f"E[{c}] = first(n, B) + sign({self._read_int([loop])});",
            f"D[{c}][m / 2] = weight(&P[{c}]);" if self.random.random() < 0.5 else f"E[{c}] = weight(&P[{c}]);",
            f"B[{c}] = of_point(P[{c}], {c});",
            f"put(n, B, {c}, {self._small([loop])});",
        )
        line = self.random.choice(choices)
        if line.startswith("D["):
            line = f"if (m > 0) {line}"
        pragma = "#pragma pencil independent" if line.startswith("put") else ""
        self._emit(*([pragma] if pragma else []))
        self._nest([loop], [line], guard=not pragma)

    def _scatters(self) -> None:
        """Rows whose ends are data: sums of rows, and two scatters over them."""
        way = self.random.randint(0, 2)
        if way == 0:
            c, j, s = self._fresh("i"), self._fresh("j"), self._fresh("s")
            self._emit(f"for (int {c} = 0; {c} < n; {c}++) {{", f"    int {s};",
                       f"    __pencil_reduction_var_init(&{s}, izero);",
                       f"    for (int {j} = start[{c}]; {j} < start[{c} + 1]; {j}++)",
                       f"        __pencil_reduction(&{s}, col[{j}] % 50 + {c}, iadd);", f"    B[{c}] = {s} % 1000;",
                       "}")  # fmt: skip
            return
        targets = [("G", "izero", "iadd"), ("H", "dzero", "dadd")][: way + 1]
        for bins, init, _ in targets:
            self._initialise(bins, "40", init)
        for bins, _, operator in targets:
            c, j = self._fresh("i"), self._fresh("j")
            value = self.random.choice((j, c, f"{c} % 5 + 1"))
            self._emit(f"for (int {c} = 0; {c} < n; {c}++)",
                       f"    for (int {j} = start[{c}]; {j} < start[{c} + 1]; {j}++)",
                       f"        __pencil_reduction(&{bins}[col[{j}] & 31], {value}, {operator});")  # fmt: skip

    def _tail(self) -> None:
        """Rows that are changed and reduced, and what follows reads the row again."""
        c, j, s = self._fresh("i"), self._fresh("j"), self._fresh("s")
        array, kind, (operator, init) = self.random.choice((
            ("A", "int", ("iadd", "izero")), ("F", "float", ("fadd", "fzero")), ("D", "double", ("dmaximum", "dlow")),
        ))  # fmt: skip
        small = f"{array}[{c}][{j}] % 50" if kind == "int" else f"{array}[{c}][{j}] * 0.5f"
        out = "B" if kind == "int" else "E"
        end = f"{s} % 1000" if kind == "int" else s
        self._emit(f"for (int {c} = 0; {c} < n; {c}++) {{", f"    {kind} {s};",
                   f"    __pencil_reduction_var_init(&{s}, {init});", f"    for (int {j} = 0; {j} < m; {j}++) {{",
                   f"        {array}[{c}][{j}] = {small} + {j};",
                   f"        __pencil_reduction(&{s}, {array}[{c}][{j}], {operator});", "    }",
                   f"    {out}[{c}] = {end} + (m > 0 ? {array}[{c}][m / 2] : 0);", "}")  # fmt: skip

    def _chain(self) -> None:
        """Producers, reductions and consumers one behind the other, values used again."""
        t, s, i, j, k = (self._fresh(c) for c in "tsijk")
        self._emit(
            f"double {t}[n], {s};", f"for (int {i} = 0; {i} < n; {i}++) {t}[{i}] = {self._plain_read(i)} * 0.25;"
        )
        operator, init = self.random.choice(DOUBLE_OPERATORS)
        self._emit(f"__pencil_reduction_var_init(&{s}, {init});",
                   f"for (int {j} = 0; {j} < n; {j}++) __pencil_reduction(&{s}, {t}[{j}], {operator});")  # fmt: skip
        uses = (f"E[{k}] = {t}[{k}] + {s};", f"E[{k}] = {t}[n - 1 - {k}] - {s};", f"{t}[{k}] = {s}; E[{k}] = {t}[{k}];")
        self._emit(f"for (int {k} = 0; {k} < n; {k}++) {{ {self.random.choice(uses)} }}")
        if self.random.random() < 0.5:
            r, x = self._fresh("s"), self._fresh("i")
            self._emit(f"double {r};", f"__pencil_reduction_var_init(&{r}, dzero);")
            self._emit(f"for (int {x} = 0; {x} < n; {x}++) __pencil_reduction(&{r}, E[{x}] * 0.125, dadd);")
            self.locals.append((r, "double"))

    def _softmax(self) -> None:
        """A row's largest value, the sum of what is shifted by it, and the elements."""
        c, a, b, d, high, total = (self._fresh(x) for x in ("i", "j", "j", "j", "h", "s"))
        shifted = self.random.choice(("exp2(D[{0}][{1}] - {2})", "(D[{0}][{1}] - {2}) * (D[{0}][{1}] - {2})"))
        self._emit(f"for (int {c} = 0; {c} < n; {c}++) {{", f"    double {high}, {total};",
                   f"    __pencil_reduction_var_init(&{high}, dlow);",
                   f"    for (int {a} = 0; {a} < m; {a}++) __pencil_reduction(&{high}, D[{c}][{a}], dmaximum);",
                   f"    __pencil_reduction_var_init(&{total}, dzero);", f"    for (int {b} = 0; {b} < m; {b}++)",
                   f"        __pencil_reduction(&{total}, {shifted.format(c, b, high)}, dadd);")  # fmt: skip
        if self.random.random() < 0.6:
            self._emit(f"    for (int {d} = 0; {d} < m; {d}++) D[{c}][{d}] = D[{c}][{d}] - {high} + {total} * 0.001;")
        self._emit(f"    E[{c}] = m > 0 ? {high} + {total} : 0;", "}")


def program(seeds: range) -> str:
    """A program with one function for each seed."""
    return whole({f"f{seed}": Generator(seed) for seed in seeds})


def whole(generators: Mapping[str, Generator]) -> str:
    """A program with the function of each generator by name, and a `main` if one of them is host code."""
    texts = [generator.function(name) for name, generator in generators.items()]
    on_host = [name for name, generator in generators.items() if generator.behind]
    if on_host:
        return with_main("\n".join(texts), on_host)
    flat = (flattened(text, generator.seed) for text, generator in zip(texts, generators.values(), strict=True))
    return PRELUDE + "\n".join(flat)


def options(seed: int) -> CompileOptions:
    """The options that a seed is compiled with: all that change code, the defaults more often than others."""
    draw = random.Random(seed * 7919 + 1)
    if draw.random() < 0.3:
        return CompileOptions()
    return replace(
        CompileOptions(),
        determinism=draw.choice(("run", "run", "fixed-tree", "none")),
        sums=draw.choice(("plain", "plain", "pairwise", "kahan")),
        fuse=draw.choice(("model", "max", "none", "pairwise")),
        shifted_sums=draw.choice(("joined", "as-written")),
        associative_math=draw.random() < 0.3,
        target=TARGETS[draw.choice(("sm_75", "sm_90", "sm_100"))],
    )
