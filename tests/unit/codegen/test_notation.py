"""`@count` in templates."""

from __future__ import annotations

from pathlib import Path

import jinja2
import pytest

from pencilc.codegen.local_names import LocalNames
from pencilc.codegen.notation import BytecodeCache, TemplateEnvironment


def shown(text: str, *taken: str, **given: object) -> str:
    """What a template prints in a function that has the names `taken` already."""
    environment = TemplateEnvironment(extensions=["jinja2.ext.do"], undefined=jinja2.StrictUndefined)
    environment.globals["scope"] = LocalNames(taken)
    return environment.from_string(text).render(**given)


def test_names_stand_in_the_text_and_in_comments_of_it() -> None:
    assert shown("for (@x = 0; @x < @count; @x++) a[@x]; // `@count` of them", "count") == (
        "for (x = 0; x < count_; x++) a[x]; // `count_` of them"
    )
    assert shown("@a,@b", "a") == "a_,b" and shown("@a@b", "a") == "a_b"


def test_text_without_names_stays_as_it_is() -> None:
    assert shown("f(n);  {{ '' }}{{ 3 }}{{ 'x' ~ 'y' }}") == "f(n);  3xy"


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("{{ '@acc[@l]' }}", "acc_[l]"),
        ("{{ f('@l', '@acc') }}", "<l acc_>"),
        ("{{ '@acc' if n else '@own' }}", "acc_"),
        ("{% macro m(at='@acc') %}{{ at }}{% endmacro %}{{ m() }}", "acc_"),
        ("{% set t = '@acc + ' ~ n %}{{ t }}", "acc_ + 3"),
        ("{% set t %}@acc{% endset %}{{ t | trim }}", "acc_"),
        ("{{ ['@acc', n] | join(', ') }}", "acc_, 3"),
        ("{{ '@acc' == '@acc' }}", "True"),
    ],
)
def test_names_stand_in_strings_of_expressions(text: str, printed: str) -> None:
    assert shown(text, "acc", n=3, f=lambda *words: f"<{' '.join(words)}>") == printed


@pytest.mark.parametrize(
    "text", ["@end{{ n }} + 1", "@{{ word }}{{ n }} + 1", "@e{{ 'nd' }}{{ n }} + 1", "{{ '@end' ~ n ~ ' + 1' }}",
             "{{ '@end' ~ (n - 0) }} + 1", "{{ ('@end' ~ n if n) ~ ' + 1' }}", "{{ '@' ~ word ~ n }} + 1"],
)  # fmt: skip
def test_a_name_goes_on_in_what_adjoins_it(text: str) -> None:
    assert shown(text, "end3", n=3, word="end") == "end3_ + 1"


def test_a_name_goes_on_behind_an_expression() -> None:
    assert shown("@{{ name }}_range.clip(@{{ name }}_range)", "a_range", name="a") == "a_range_.clip(a_range_)"
    assert shown("{{ '@' ~ name ~ '_bins + ' ~ n }}", "h_bins", name="h", n=1) == "h_bins_ + 1"


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("@at{{ ' * ' ~ n if n > 1 }};", "at_ * 3;"),
        ("@at{{ ' * ' ~ n if n > 3 }};", "at_;"),
        ("@at{{ '[@row]' if n else '[0]' }};", "at_[row];"),
        ("{{ '@at' ~ ' + 1' }}", "at_ + 1"),
    ],
)
def test_a_name_ends_where_what_adjoins_it_begins_with_no_letter(text: str, printed: str) -> None:
    assert shown(text, "at", n=3) == printed


def test_imported_templates_ask_the_same_table(tmp_path: Path) -> None:
    loader = jinja2.DictLoader({"a": "{% import 'b' as b %}{{ b.m() }} @x", "b": "{% macro m() %}@x{% endmacro %}"})
    for taken, printed in (("x", "x_ x_"), ("y", "x x")):
        environment = TemplateEnvironment(loader=loader, bytecode_cache=BytecodeCache(str(tmp_path)))
        environment.globals["scope"] = LocalNames([taken])
        assert environment.get_template("a").render() == printed
    assert len([*tmp_path.iterdir()]) == 2


def test_templates_that_were_compiled_without_names_are_compiled_anew(tmp_path: Path) -> None:
    loader = jinja2.DictLoader({"a": "@x"})
    plain = jinja2.Environment(loader=loader, bytecode_cache=jinja2.FileSystemBytecodeCache(str(tmp_path)))
    assert plain.get_template("a").render() == "@x"
    environment = TemplateEnvironment(loader=loader, bytecode_cache=BytecodeCache(str(tmp_path)))
    environment.globals["scope"] = LocalNames()
    assert environment.get_template("a").render() == "x"
