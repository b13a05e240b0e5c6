"""Rendering of diagnostics, and the registry of codes."""

from __future__ import annotations

import json
import re
from dataclasses import replace

from pencilc.diagnostics import fixes
from pencilc.diagnostics.codes import BY_NAME, REGISTRY
from pencilc.diagnostics.diagnostic import Diagnostic, Edit, Fix, Label, Severity
from pencilc.diagnostics.explain import explanation
from pencilc.diagnostics.render import render_json, render_text, summary
from pencilc.diagnostics.source import SourceFile, Span

TEXT = "int f(int n)\n{\n\tint\tx = n;\n\treturn y;\n}\n"
FILES = {"t.c": SourceFile("t.c", TEXT)}
ERROR = Diagnostic(
    Severity.ERROR,
    "PC0010",
    "`y` is not declared",
    Span("t.c", 4, 9, 10),
    "not found",
    (Label(Span("t.c", 3, 6, 7), "did you mean `x`"),),
    ("a note",),
    ("a help",),
)


def test_text_with_tabs_and_labels() -> None:
    assert render_text([ERROR], FILES) == (
        "error[PC0010]: `y` is not declared\n"
        "  --> t.c:4:9\n"
        "   |\n"
        " 3 |     int x = n;\n"
        "   |         - did you mean `x`\n"
        " 4 |     return y;\n"
        "   |            ^ not found\n"
        "   = note: a note\n"
        "   = help: a help\n"
    )


def test_a_long_line_is_cut_around_what_is_marked() -> None:
    line = "int a[] = {" + ", ".join(str(k) for k in range(100_000)) + "};"
    for at in (0, 5, 300_000, len(line) - 3):
        told = Diagnostic(
            Severity.ERROR, "PC0001", "m", Span("t.c", 1, at + 1, at + 3), "here", (Label(Span("t.c", 1, 2, 4), "too"),)
        )
        shown = render_text([told], {"t.c": SourceFile("t.c", line)}).splitlines()
        assert max(map(len, shown)) < 200
        text, caret = shown[3], shown[4]
        assert caret.endswith("^^ here") and text[caret.index("^") :][:2] == line[at : at + 2]
        assert shown[5].endswith("- too")
        assert ("..." in text[:9]) == (at > 5) and text.endswith("...") == (at < len(line) - 3)


def test_a_long_message_loses_its_middle() -> None:
    told = Diagnostic(Severity.ERROR, "PC0001", "x" * 100_000, Span("t.c", 1, 1, 2), "", (), ("y" * 100_000,))
    assert len(render_text([told], FILES)) < 2000


def test_text_without_source() -> None:
    diagnostic = Diagnostic(Severity.WARNING, "PC0002", "gone", Span("nowhere.c", 3, 1, 2))
    assert render_text([diagnostic]) == "warning[PC0002]: gone [-Winclude]\n  --> nowhere.c:3:1\n"


def test_colour_only_adds_escapes() -> None:
    coloured = render_text([ERROR], FILES, colour=True)
    assert "\033[" in coloured
    assert re.sub(r"\033\[[0-9;]*m", "", coloured) == render_text([ERROR], FILES)


def test_secondary_in_another_file() -> None:
    other = {**FILES, "h.h": SourceFile("h.h", "extern int z;\n")}
    diagnostic = Diagnostic(
        Severity.ERROR, "PC0010", "m", Span("t.c", 4, 9, 10), secondary=(Label(Span("h.h", 1, 12, 13), "there"),)
    )
    text = render_text([diagnostic], other)
    assert "  ::: h.h:1:12\n   |\n 1 | extern int z;\n   |            - there\n" in text


def test_control_characters_do_not_reach_the_terminal() -> None:
    file = SourceFile("t.c", "int \033[31m\udcff x;\n")
    text = render_text([Diagnostic(Severity.ERROR, "PC0001", "m", Span("t.c", 1, 1, 4))], {"t.c": file})
    assert "\033" not in text
    text.encode("utf-8")


def test_json_is_one_line_each() -> None:
    lines = render_json([ERROR, ERROR]).splitlines()
    assert len(lines) == 2
    read = json.loads(lines[0])
    assert (read["code"], read["line"], read["column"], read["secondary"][0]["line"]) == ("PC0010", 4, 9, 3)


def test_fixes_are_help_lines_and_json_objects() -> None:
    made = Fix("did you mean `x`?", (Edit(Span("t.c", 4, 9, 10), "x"),))
    told = replace(ERROR, fixes=(made,))
    assert render_text([told], FILES).endswith("   = help: did you mean `x`?\n   = help: a help\n")
    read = json.loads(render_json([told]))
    assert read["helps"] == ["did you mean `x`?", "a help"] and read["name"] == "undeclared"
    edit = {"file": "t.c", "line": 4, "column": 9, "end_column": 10, "text": "x"}
    assert read["fixes"] == [{"help": "did you mean `x`?", "edits": [edit]}]


def test_edits_are_made_of_what_stands_there() -> None:
    file = SourceFile("t.c", '#include <a.h>\nif (x)\n    f("(;", y); // z\n')
    call = Span("t.c", 3, 5, 6)
    assert fixes.replaced(file, call, "f", "g") == Edit(call, "g")
    assert fixes.replaced(file, call, "g", "f") is None and fixes.replaced(file, call, "f(", "g(") is not None
    assert fixes.replaced(file, Span("u.c", 3, 5, 6), "f", "g") is None
    assert fixes.statement_replaced(file, call, "f", "g();") == Edit(Span("t.c", 3, 5, 16), "g();")
    assert fixes.statement_before(file, call, "h();") is None  # It would take the place of the one behind `if`.
    assert fixes.line_before(file, call, "h();") == Edit(Span("t.c", 3, 1, 1), "    h();\n")
    assert fixes.line_behind(file, call, "h();") == Edit(Span("t.c", 3, 21, 21), "\n    h();")
    assert fixes.header_included(file, "b.h") == Edit(Span("t.c", 1, 1, 1), "#include <b.h>\n")
    assert fixes.fix("all", [None, Edit(call, "")]) is None and fixes.fix("none", []) is None


def test_summary() -> None:
    warning = Diagnostic(Severity.WARNING, "PC0002", "gone", Span("t.c", 3, 1, 2))
    assert summary([ERROR, ERROR, warning]) == "2 errors and 1 warning"
    assert summary([]) == ""


def test_registry_is_sound() -> None:
    assert len(BY_NAME) == len(REGISTRY)
    assert list(REGISTRY) == sorted(REGISTRY)
    for code in REGISTRY.values():
        assert re.fullmatch(r"PC\d{4}", code.code) and re.fullmatch(r"[a-z-]+", code.name)
        assert code.text.endswith((".", "`.")) and code.title[0] == code.title[0].lower()


def test_explain_takes_any_form_of_a_code() -> None:
    forms = ("PC0201", "0201", "pc0201", "reduction-uninitialised")
    assert len({explanation(form) for form in forms}) == 1
    assert explanation("PC9999") is None
