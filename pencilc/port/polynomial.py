"""Polynomials with whole coefficients over names: what extents are computed in.

`i * d + j` with `i` at most `n - 1` and `j` at most `d - 1` is at most `n * d - 1`.  The names of sizes stand for
numbers that are not negative.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from pencilc.records import dataclass

Term = tuple[str, ...]
# The sides of grids with ghost cells have a few of them.
_LARGEST_PRODUCT = 1000


@dataclass(frozen=True, slots=True, eq=False)
class Polynomial:
    """A sum of products; `terms` maps the sorted names of each to its coefficient and the names as first written."""

    terms: Mapping[Term, tuple[int, Term]]

    @staticmethod
    def of(pairs: Iterable[tuple[int, Term]]) -> Polynomial:
        """The sum of products, those that cancel left out."""
        found: dict[Term, tuple[int, Term]] = {}
        for coefficient, names in pairs:
            key = tuple(sorted(names))
            before, spelled = found.get(key, (0, names))
            found[key] = (before + coefficient, spelled)
        return Polynomial({key: value for key, value in found.items() if value[0]})

    @staticmethod
    def number(value: int) -> Polynomial:
        """A constant."""
        return Polynomial.of([(value, ())])

    @staticmethod
    def name(name: str) -> Polynomial:
        """A name alone."""
        return Polynomial.of([(1, (name,))])

    def __add__(self, other: Polynomial) -> Polynomial:
        return Polynomial.of([*self.terms.values(), *other.terms.values()])

    def __sub__(self, other: Polynomial) -> Polynomial:
        return self + Polynomial.number(-1) * other

    def __mul__(self, other: Polynomial) -> Polynomial:
        return Polynomial.of(
            (a * b, (*left, *right)) for a, left in self.terms.values() for b, right in other.terms.values()
        )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Polynomial) and self.coefficients() == other.coefficients()

    def __hash__(self) -> int:
        return hash(frozenset(self.coefficients().items()))

    def coefficients(self) -> dict[Term, int]:
        """The coefficient of each product."""
        return {key: value for key, (value, _) in self.terms.items()}

    def names(self) -> frozenset[str]:
        """All names."""
        return frozenset(name for key in self.terms for name in key)

    def constant(self) -> int | None:
        """The value, if there are no names in it."""
        return None if self.names() else sum(self.coefficients().values())

    def is_never_negative(self) -> bool:
        """Whether no coefficient is negative: then the value is not either."""
        return all(value >= 0 for value in self.coefficients().values())

    def is_never_positive(self) -> bool:
        """Whether no coefficient is positive."""
        return all(value <= 0 for value in self.coefficients().values())

    def split(self, name: str) -> tuple[Polynomial, Polynomial] | None:
        """`(A, B)` with the polynomial being `A * name + B`; None if it has a power of `name`."""
        with_name: list[tuple[int, Term]] = []
        without: list[tuple[int, Term]] = []
        for key, (value, spelled) in self.terms.items():
            if key.count(name) > 1:
                return None
            if name in key:
                at = spelled.index(name)
                with_name.append((value, (*spelled[:at], *spelled[at + 1 :])))
            else:
                without.append((value, spelled))
        return Polynomial.of(with_name), Polynomial.of(without)

    def by_powers(self, name: str) -> list[Polynomial]:
        """`[A, B, C]` with the polynomial being `A + B * name + C * name * name`, and so on."""
        found: list[list[tuple[int, Term]]] = [[]]
        for key, (value, spelled_) in self.terms.items():
            power = key.count(name)
            found += [[] for _ in range(power + 1 - len(found))]
            found[power].append((value, tuple(each for each in spelled_ if each != name)))
        return [Polynomial.of(pairs) for pairs in found]

    def divided_by_sum(self, name: str, more: int) -> tuple[Polynomial, Polynomial]:
        """`(Q, R)` with the polynomial being `Q * (name + more) + R`, and no `name` in `R`."""
        powers, step = self.by_powers(name), Polynomial.number(-more)
        rest, quotient = Polynomial.number(0), Polynomial.number(0)
        for position in range(len(powers) - 1, -1, -1):
            quotient = quotient * Polynomial.name(name) + rest
            rest = rest * step + powers[position]
        return quotient, rest

    def quotient(self, by: Polynomial) -> Polynomial | None:
        """How often a number, or a product of names, goes into all products; None where it does not."""
        if len(by.terms) != 1:
            return None
        ((factor, names),) = by.terms.values()
        left = self
        for name in names:
            parts = left.split(name)
            if parts is None or parts[1].terms:
                return None
            left = parts[0]
        if any(coefficient % factor for coefficient in left.coefficients().values()):
            return None
        return Polynomial.of((coefficient // factor, each) for coefficient, each in left.terms.values())

    def divided_down(self, by: int) -> Polynomial | None:
        """The quotient by a number, rounded down; None where a factor of a name is no multiple of it."""
        if any(key and value % by for key, value in self.coefficients().items()):
            return None
        return Polynomial.of((value // by, names) for value, names in self.terms.values())

    def with_value(self, name: str, value: Polynomial) -> Polynomial | None:
        """With `value` in place of `name`, standing where that stood in each product; None if it has a power of it."""
        found: list[tuple[int, Term]] = []
        for key, (coefficient, spelled) in self.terms.items():
            if key.count(name) > 1:
                return None
            if name not in key:
                found.append((coefficient, spelled))
                continue
            at = spelled.index(name)
            found += [
                (coefficient * factor, (*spelled[:at], *names, *spelled[at + 1 :]))
                for factor, names in value.terms.values()
            ]
        return Polynomial.of(found)


def larger(one: Polynomial, other: Polynomial) -> Polynomial | None:
    """The one that is never less than the other; None if neither is."""
    difference = one - other
    if difference.is_never_negative():
        return one
    return other if difference.is_never_positive() else None


def spelled(value: Polynomial, constants: Mapping[int, str] | None = None) -> str:
    """C text; `constants` has names for some numbers."""
    named = constants or {}
    sums = _sums(value)
    if sums:
        return " * ".join(f"({name} {'+' if more > 0 else '-'} {_number(abs(more), named)})" for name, more in sums)
    for name in sorted(value.names()):
        parts = value.split(name)
        factor = None if parts is None else _shift(*parts)
        if parts is not None and factor and len(parts[0].terms) >= 1 and len(value.terms) > 2:
            inner = _rows(parts[0], named)
            sign = "+" if factor > 0 else "-"
            return f"({name} {sign} {_number(abs(factor), named)}) * {inner}"
    ordered = sorted(value.terms.values(), key=lambda term: (-len(term[1]), term[0] < 0))
    text = ""
    for coefficient, names in ordered:
        size = abs(coefficient)
        factors = [*names] if size == 1 and names else [_number(size, named), *names]
        product = " * ".join(factors)
        if not text:
            text = product if coefficient > 0 else f"-{product}"
        else:
            text += f" + {product}" if coefficient > 0 else f" - {product}"
    return text or "0"


def _sums(value: Polynomial) -> list[tuple[str, int]]:
    """`[(n, 2), (n, 2)]` of `n * n + 4 * n + 4`, which is `(n + 2) * (n + 2)`; nothing of others."""
    if len(value.names()) != 1 or len(value.terms) < 3:
        return []
    (name,) = value.names()
    found: list[tuple[str, int]] = []
    while value.names():
        least = value.by_powers(name)[0].constant() or 0
        shifts = (each for size in range(1, abs(least) + 1) if least % size == 0 for each in (size, -size))
        more = next((each for each in shifts if not value.divided_by_sum(name, each)[1].terms), None)
        if more is None or abs(least) > _LARGEST_PRODUCT:
            return []
        found.append((name, more))
        value = value.divided_by_sum(name, more)[0]
    return found if value.constant() == 1 else []


def _rows(value: Polynomial, named: Mapping[int, str]) -> str:
    """C text of a factor: `c * ((w - 3) / 2 + 1)` where that is a product too, so that rows are seen as such."""
    if len(value.terms) < 2:
        return spelled(value, named)
    for name in sorted(value.names()):
        parts = value.split(name)
        factor = None if parts is None else _shift(*parts)
        if parts is not None and factor and parts[0].names():
            sign = "+" if factor > 0 else "-"
            return f"{_rows(parts[0], named)} * ({name} {sign} {_number(abs(factor), named)})"
    return f"({spelled(value, named)})"


def _shift(factor: Polynomial, rest: Polynomial) -> int:
    """`c` with `rest == c * factor`, 0 if there is none."""
    ours, theirs = factor.coefficients(), rest.coefficients()
    if ours.keys() != theirs.keys() or not ours:
        return 0
    key = next(iter(ours))
    if theirs[key] % ours[key]:
        return 0
    found = theirs[key] // ours[key]
    return found if all(theirs[k] == found * ours[k] for k in ours) else 0


def _number(value: int, named: Mapping[int, str]) -> str:
    return named.get(value, str(value))
