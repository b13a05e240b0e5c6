"""Random flags: constants that data decide about, as conditions, choices and truths give them; extremes of some."""

from __future__ import annotations

from collections.abc import Sequence

from tests.fuzz.boxes import BoxNests
from tests.fuzz.draft import Loop

KINDS = ("flags", "flags_of_rows")
# Programs of earlier seeds stay what they were.
FIRST_SEED = 1_330_000


class FlagNests(BoxNests):
    """Nests that find out whether something is there."""

    def _flags(self) -> None:
        """One or two flags of all points, which go on to be used."""
        loops = self._loops()
        found: list[str] = []
        lines: list[str] = []
        for _ in range(self.random.choice((1, 1, 2))):
            name, kind = self._fresh("g"), self.random.choice(("int", "int", "_Bool", "char", "double"))
            self._emit(f"{kind} {name} = {self._constant(kind)};")
            lines += self._given(name, kind, loops)
            found.append(name)
        self._nest(loops, lines)
        for name in found:
            whole = self._fresh("w")
            self._emit(f"int {whole} = (int){name};")
            self.locals.append((whole, "int"))

    def _flags_of_rows(self) -> None:
        """A flag for each row, begun in its loop or somewhere before."""
        outer = self._loop("n")
        inner = self._loop("m", [outer])
        target = f"B[{outer.counter}]"
        begin = [f"{target} = {self._constant('int')};"] if self.random.random() < 0.6 else []
        inside = self._guarded(self._given(target, "int", [outer, inner]), [outer, inner])
        self._nest([outer], [*begin, inner.header + " {", *(f"    {line}" for line in inside), "}"])

    def _constant(self, kind: str) -> str:
        if kind == "_Bool":
            return self.random.choice(("0", "1"))
        return self.random.choice(("0", "0", "1", "1", "-1", "5", "0.5" if kind == "double" else "-7"))

    def _given(self, target: str, kind: str, loops: Sequence[Loop]) -> list[str]:
        """Statements that may give the flag a constant."""
        compared = f"{self.random.choice(('==', '>', '<', '!='))} {self.random.randint(-3, 4)}"
        condition = f"({self._int(list(loops))}) % 7 {compared}"
        give = f"{target} = {self._constant(kind)};"
        constant = self._constant(kind)
        forms = [
            [f"if ({condition})", f"    {give}"],
            [f"if ({condition})", f"    {give}"],
            [f"if ({condition}) {{", f"    {give}", "} else if (q > 3) {", f"    {give}", "}"],
            [f"{target} = {condition} ? {constant} : {target};"],
            [f"{target} = {condition} ? {target} : {constant};"],
        ]
        if kind in ("int", "_Bool", "char"):
            operator = self.random.choice(("&&", "||"))
            forms.append([f"{target} = {target} {operator} {condition};"])
            forms.append([f"{target} = {condition} {operator} {target};"])
            forms.append([f"{target} {self.random.choice(('&=', '|='))} {condition};"])
        if kind == "int":
            element = f"({self._int(list(loops))}) % 9"
            better = f"{element} {self.random.choice('<>')} {target}"
            both = self.random.choice((f"{condition} && {better}", f"{better} && {condition}"))
            forms += [[f"if ({both})", f"    {target} = {element};"]] * 2
        return self.random.choice(forms)
