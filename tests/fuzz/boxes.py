"""Nests over parts of arrays of several dimensions: reductions of some of them, products, windows, transposes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tests.fuzz.fronts import FrontNests, nested
from tests.fuzz.prelude import INT_OPERATORS

# Programs of earlier seeds stay what they were when their seed was checked.
FIRST_SEED = 1_220_000
KINDS = ("box", "product", "window", "turned")


@dataclass
class BoxNests(FrontNests):
    """The nests of this module."""

    def _box(self) -> None:
        """Some dimensions of an array are reduced, some kept; loops in any order, over parts of them."""
        draw = self.random
        extents = [draw.choice(("n", "m", "m", "2", "3", "5")) for _ in range(draw.choice((2, 3, 3, 4)))]
        array, result = self._fresh("t"), self._fresh("r")
        self._filled(array, extents)
        kept = sorted(draw.sample(range(len(extents)), draw.randint(0, min(2, len(extents) - 1))))
        names = [self._fresh("x") for _ in extents]
        heads = [self._part(name, extent) for name, extent in zip(names, extents, strict=True)]
        whole = _over(names, extents)
        (operator, init), value = draw.choice(INT_OPERATORS), f"{array}{_subscripts(names)}"
        value = draw.choice((value, value, f"{value} % 50 + {names[0]} - 2 * {names[-1]}"))
        reduced = [k for k in range(len(extents)) if k not in kept]
        place = f"{result}{_subscripts([names[k] for k in kept])}"
        update = f"__pencil_reduction(&{place}, {value}, {operator});"
        if draw.random() < 0.2:
            update = f"if ({array}{_subscripts(names)} % 3 != 1) {update}"
        self._emit(f"int {result}{_subscripts([extents[k] for k in kept])};")
        apart = draw.random() < 0.4
        if apart:
            self._emit(*nested([whole[k] for k in kept], [f"__pencil_reduction_var_init(&{place}, {init});"]))
            order = list(range(len(extents)))
            draw.shuffle(order)
            self._emit(*nested([whole[k] if k in kept else heads[k] for k in order], [update]))
        else:
            draw.shuffle(reduced)
            inner = [f"__pencil_reduction_var_init(&{place}, {init});", *nested([heads[k] for k in reduced], [update])]
            self._emit(*nested([whole[k] for k in kept], inner))
        self._summed(result, [extents[k] for k in kept])

    def _product(self) -> None:
        """Points that share what they read, with results in a local array."""
        draw = self.random
        i, j, k, c = (self._fresh(stem) for stem in "ijkc")
        side, depth, left, right = draw.choice((
            ("n", "m", f"[{i}][{k}]", f"[{j}][{k}]"), ("m", "n", f"[{k}][{i}]", f"[{k}][{j}]"),
        ))  # fmt: skip
        kind, operator, init, value = draw.choice((
            ("unsigned", "uadd", "uzero", f"U{left} * U{right}"),
            ("int", "iadd", "izero", f"A{left} % 50 * (A{right} % 50)"),
            ("int", "iminimum", "ihigh", f"A{left} % 1000 + A{right} % 1000"),
            ("int", "imaximum", "ilow", f"(A{left} % 1000 ^ {i}) - {k} + A{right} % 7"),
        ))  # fmt: skip
        first = draw.choice(("0", "0", "1"))
        heads = [
            f"for (int {i} = 0; {i} < {side}; {i}++)",
            f"for (int {j} = {draw.choice(('0', '0', i))}; {j} < {side}; {j}++)",
        ]
        if draw.random() < 0.3:
            heads.reverse()
            heads = [head.replace(f"= {i};", "= 0;") for head in heads]
        inner = f"for (int {k} = {first}; {k} < {depth}; {k}++)"
        self._emit(f"{kind} {c}[{side}][{side}];")
        zero = [f"for (int {i} = 0; {i} < {side}; {i}++)", f"for (int {j} = 0; {j} < {side}; {j}++)"]
        place = f"{c}[{i}][{j}]"
        if operator == "uadd" and draw.random() < 0.5:
            self._emit(*nested(zero, [f"{place} = {i} + 3 * {j};"]))
            self._emit(*nested([*heads, inner], [f"{place} += {value};"]))
        else:
            self._emit(*nested(zero, [f"__pencil_reduction_var_init(&{place}, {init});"]))
            self._emit(*nested([*heads, inner], [f"__pencil_reduction(&{place}, {value}, {operator});"]))
        self._summed(c, [side, side])

    def _window(self) -> None:
        """Points that read what is around them, inside of the array or at its border."""
        draw = self.random
        i, j, out = (self._fresh(stem) for stem in ("i", "j", "o"))
        reach = draw.choice((1, 1, 2))
        array, kind = draw.choice((("A", "int"), ("A", "int"), ("U", "unsigned"), ("F", "float")))
        places = [(di, dj) for di in range(-reach, reach + 1) for dj in range(-reach, reach + 1)]
        chosen = draw.sample(places, draw.randint(3, min(9, len(places))))
        clamped = draw.random() < 0.4
        terms = []
        for di, dj in chosen:
            row, column = f"{i} + {di}", f"{j} + {dj}"
            if clamped:
                row, column = f"icut({row}, n)", f"icut({column}, m)"
            term = f"{array}[{row}][{column}]".replace("+ -", "- ").replace(" + 0", "")
            terms.append(f"{term} * {draw.randint(1, 4)}.0f" if kind == "float" else f"{term} % 50")
        value = " + ".join(terms)
        low = "0" if clamped else str(reach)
        high = "" if clamped else f" - {reach}"
        heads = [f"for (int {i} = {low}; {i} < n{high}; {i}++)", f"for (int {j} = {low}; {j} < m{high}; {j}++)"]
        if draw.random() < 0.2:
            heads.reverse()
        self._emit(f"{kind} {out}[n][m];")
        whole = [f"for (int {i} = 0; {i} < n; {i}++)", f"for (int {j} = 0; {j} < m; {j}++)"]
        self._emit(*nested(whole, [f"{out}[{i}][{j}] = 0;"]))
        self._emit(*nested(heads, [f"{out}[{i}][{j}] = {value};"]))
        cast = "(int)" if kind == "float" else ""
        self._emit(*nested(whole, [f"A[{i}][{j}] = A[{i}][{j}] % 1000 + {cast}({out}[{i}][{j}]) % 1000;"]))

    def _turned(self) -> None:
        """Rows become columns, of two or three dimensions."""
        draw = self.random
        i, j, k, out = (self._fresh(stem) for stem in ("i", "j", "k", "o"))
        if draw.random() < 0.5:
            self._emit(f"int {out}[m][n];")
            heads = [f"for (int {i} = 0; {i} < n; {i}++)", f"for (int {j} = 0; {j} < m; {j}++)"]
            draw.shuffle(heads)
            self._emit(*nested(heads, [f"{out}[{j}][{i}] = A[{i}][{j}] % 1000 + {draw.choice((i, j, '3'))};"]))
            self._summed(out, ["m", "n"])
            return
        extents = [draw.choice(("n", "m", "3")) for _ in range(3)]
        array = self._fresh("t")
        self._filled(array, extents)
        order = draw.choice(((0, 2, 1), (2, 1, 0), (1, 2, 0), (1, 0, 2)))
        names = (i, j, k)
        heads = _over(names, extents)
        turned = [extents[place] for place in order]
        self._emit(f"int {out}{_subscripts(turned)};")
        target = f"{out}{_subscripts([names[place] for place in order])}"
        self._emit(*nested(heads, [f"{target} = {array}{_subscripts(names)} - {draw.choice(names)};"]))
        self._summed(out, turned)

    def _filled(self, array: str, extents: list[str]) -> None:
        """A local array whose elements are all different, from what the function is given."""
        names = [self._fresh("f") for _ in extents]
        heads = _over(names, extents)
        places = [f"{extent} - 1 - {name}" for name, extent in zip(names, extents, strict=True)]
        places = places if self.random.random() < 0.6 else list(names)
        value = " + ".join(f"{number} * {name}" for number, name in zip((1, 7, 50, 350), names, strict=False))
        self._emit(f"int {array}{_subscripts(extents)};")
        self._emit(
            *nested(
                heads, [f"{array}{_subscripts(places)} = A[icut({names[0]}, n)][icut({names[-1]}, m)] % 50 + {value};"]
            )
        )

    def _part(self, name: str, extent: str) -> str:
        """A loop over a dimension, or a part of it."""
        first, last = self.random.choice(
            (("0", extent), ("0", extent), ("0", extent), ("1", extent), ("0", f"{extent} - 1"))
        )
        return f"for (int {name} = {first}; {name} < {last}; {name}++)"

    def _summed(self, array: str, extents: list[str]) -> None:
        """One number from all elements, in which each counts with its place."""
        total = self._fresh("s")
        names = [self._fresh("y") for _ in extents]
        heads = _over(names, extents)
        place = " + ".join(f"{number} * {name}" for number, name in zip((3, 11), names, strict=False)) or "1"
        value = f"{array}{_subscripts(names)} % 1000 ^ ({place})"
        self._emit(f"int {total};", f"__pencil_reduction_var_init(&{total}, izero);")
        self._emit(*nested(heads, [f"__pencil_reduction(&{total}, {value}, ixor);"]))
        self.locals.append((total, "int"))


def _over(names: Sequence[str], extents: Sequence[str]) -> list[str]:
    """Loops over all of the dimensions."""
    pairs = zip(names, extents, strict=True)
    return [f"for (int {name} = 0; {name} < {extent}; {name}++)" for name, extent in pairs]


def _subscripts(names: Sequence[str]) -> str:
    return "".join(f"[{name}]" for name in names)
