"""Random last and first places that a condition lets, and best ones with what belongs to them, structs among them."""

from __future__ import annotations

from collections.abc import Sequence

from tests.fuzz.draft import Loop
from tests.fuzz.flags import FlagNests

KINDS = ("places", "places_of_rows")
# Programs of earlier seeds stay what they were.
FIRST_SEED = 1_331_000


class PlaceNests(FlagNests):
    """Nests that search for something, and keep where it is."""

    def _places(self) -> None:
        """One or two searches of all points, whose places go on to be used."""
        loops = self._loops()
        found: list[str] = []
        lines: list[str] = []
        for _ in range(self.random.choice((1, 1, 2))):
            names = [self._fresh("h") for _ in range(3)]
            for name in names:
                self._emit(f"int {name} = {self.random.choice(('0', '-1', '-1', 'q', '3'))};")
            lines += self._searched(names, loops)
            found += names
        self._nest(loops, lines)
        self.locals += [(name, "int") for name in found]

    def _places_of_rows(self) -> None:
        """A place for each row, begun in its loop or somewhere before, with a variable of the row beside it."""
        outer = self._loop("n")
        inner = self._loop("m", [outer])
        target, other, flag = f"B[{outer.counter}]", self._fresh("h"), self._fresh("h")
        begin = [f"{target} = {self.random.choice(('-1', '0', '5'))};"] if self.random.random() < 0.6 else []
        begin += [f"int {other} = -1;", f"int {flag} = 0;"]
        inside = self._guarded(self._searched([target, other, flag], [outer, inner]), [outer, inner])
        end = f"{target} += {other} * 3 + {flag};"
        self._nest([outer], [*begin, inner.header + " {", *(f"    {line}" for line in inside), "}", end])

    def _searched(self, names: Sequence[str], loops: Sequence[Loop]) -> list[str]:
        """Statements that may set three variables: a place, what belongs to it, and a number that is compared."""
        at, other, best = names
        compared = f"{self.random.choice(('==', '>', '<', '!='))} {self.random.randint(-3, 4)}"
        condition = f"({self._int(list(loops))}) % 7 {compared}"
        counter = loops[-1].counter
        place = self.random.choice((counter, counter, f"2 * {counter} + 1", f"{counter} - {loops[0].counter}"))
        value = f"({self._int(list(loops))}) % 9"
        element = f"({self._int(list(loops))}) % 50"
        unset = self.random.choice(
            (f"{at} < 0", f"{at} == -1", f"-1 >= {at}", f"{at} < 2", f"{best} == 0", f"!{best}", f"1 > {best}")
        )
        first = self.random.choice((f"{unset} && {condition}", f"{condition} && {unset}"))
        better = f"{element} {self.random.choice(('<', '>', '<=', '>='))} {best}"
        better = self.random.choice((better, f"{better} && {condition}", f"{condition} && {better}"))
        forms = [
            [f"if ({condition})", f"    {at} = {place};"],
            [f"{at} = {condition} ? {place} : {at};"],
            [f"if ({condition}) {{", f"    {at} = {place};", f"    {other} = {value};", "}"],
            [f"if ({condition}) {{", f"    {best} += 3;", f"    {at} = {place};", "}"],
            [f"if ({condition}) {{", f"    {other} = {at};", f"    {at} = {place};", "}"],
            *[[f"if ({first}) {{", f"    {best} = 1;", f"    {at} = {counter};", f"    {other} = {value};", "}"]] * 3,
            [
                f"if ({condition}) {{",
                f"    if ({unset}) {{",
                f"        {best} = 2;",
                f"        {at} = {counter};",
                "    }",
                "}",
            ],
            [f"if ({better}) {{", f"    {best} = {element};", f"    {at} = {place};", f"    {other} = {value};", "}"],
            [f"if ({better}) {{", f"    int v = {element};", f"    {at} = {counter};", f"    {best} = v;", "}"],
        ]
        return self.random.choice(forms)
