"""Points and arrows of iteration domains at small sizes."""

from __future__ import annotations

import re

from pencilc.ir.mapping import leaves, name_of
from pencilc.page.domains import DomainPanel, domain_panel
from pencilc.page.traffic import statements_in
from tests.unit.page.pages import mapped


def panel(body: str) -> DomainPanel:
    program = mapped(body)
    where = {s: name_of(item) for item in leaves(program.items) for s in statements_in(item, program.scop)}
    return domain_panel(program.scheduled, where)


def steps(drawing: str) -> list[int]:
    """The numbers in the points, in the order of the text."""
    return [int(number) for number in re.findall(r'class="when [^>]*>(\d+)<', drawing)]


def test_a_triangle() -> None:
    found = panel("FOR(i, n) FOR(j, i + 1) if (j < m) x[i][j] = a[i];")
    (picture,) = found.pictures
    assert found.sizes == "n = 5, m = 7"
    assert picture.drawing.count("<circle") == 15 and 'class="dep' not in picture.drawing
    assert picture.statements[0].text.startswith("x[i][j] = a[i]")


def test_a_front_is_numbered_by_its_steps() -> None:
    """Each point needs those above and to the left: the numbers are those of the diagonals."""
    found = panel("FOR(i, n) FOR(j, m) if (i > 0 && j > 0) x[i][j] = x[i - 1][j] + x[i][j - 1];")
    picture = found.pictures[-1]
    rows, columns = 4, 6
    assert steps(picture.drawing) == [i + j + 1 for i in range(rows) for j in range(columns)]
    arrows = rows * (columns - 1) + (rows - 1) * columns
    assert picture.drawing.count('class="dep flow"') == arrows
    assert any(f"{rows + columns - 1} in all" in note for note in picture.notes)
    assert "flow" in found.kinds


def test_a_reduction_is_joined_along_its_rows() -> None:
    found = panel("FOR(i, n) { INIT(&a[i], zero); FOR(j, m) UPDATE(&a[i], x[i][j], add); }")
    (picture,) = [each for each in found.pictures if each.statements[0].kind == "update"]
    assert picture.drawing.count('class="dep relaxed"') == 5 * 6
    assert found.kinds[-1] == "relaxed"
    assert "reduction: a" in found.between


def test_statements_that_look_alike_share_a_picture() -> None:
    found = panel("FOR(i, n) { a[i] = b[i]; c[i] = 2; }")
    assert [len(each.statements) for each in found.pictures] == [2]


def test_what_is_too_large_is_cut_and_told() -> None:
    (picture,) = panel("FOR(k, 40) h[k] = k;").pictures
    assert picture.drawing.count("<circle") == 9
    assert "the first 9 values of k" in picture.notes


def test_two_of_three_loops() -> None:
    found = panel("FOR(i, 3) FOR(j, 4) FOR(k, 5) x[i * 20 + j][k] = 1;")
    assert found.pictures[0].drawing.count("<circle") == 20
    assert "i = 0" in found.pictures[0].notes
