"""The documents as one site: MkDocs builds it strictly, every link leads somewhere, all that it loads is its own."""

from __future__ import annotations

import re
import sys
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlparse

import pytest

from docs.tools import pictures
from docs.tools.site import anchor
from tests.conftest import ROOT, run
from tests.unit.test_docs import anchors, prose

# What a style sheet would load from another host.
_ELSEWHERE = re.compile(r"(?:url\(|@import)\s*['\"]?(?:https?:)?//")
_SVG = "{http://www.w3.org/2000/svg}"


class _Links(HTMLParser):
    """The anchors of a page, what it links to and what it loads."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.anchors: set[str] = {""}
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value for name, value in attrs if value is not None}
        self.anchors |= {given[name] for name in ("id", "name") if name in given}
        if tag == "a" and "href" in given:
            self.links.append(given["href"])
        elif tag in ("img", "script", "link", "iframe") and ("src" in given or "href" in given):
            self.loaded.append(given.get("src") or given["href"])


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built anew; what is no document is not in it."""
    folder = tmp_path_factory.mktemp("site")
    result = run(sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", folder, cwd=ROOT)
    assert result.returncode == 0, result.stdout + result.stderr
    return folder


def pages(site: Path) -> dict[Path, _Links]:
    """Every page of the site but the one for addresses that are not there, whose links begin at the root."""
    return {path: _Links(path.read_text()) for path in sorted(site.rglob("*.html")) if path.name != "404.html"}


def dead_links(found: dict[Path, _Links]) -> Iterator[str]:
    """Links to files and anchors that are not there."""
    for page, links in found.items():
        for link in (*links.links, *links.loaded):
            address = urlparse(link)
            if address.scheme or address.netloc:
                continue
            path = (page.parent / unquote(address.path)).resolve() if address.path else page
            if path.is_dir():
                path = path / "index.html"
            if not path.is_file():
                yield f"{page.name}: {link}: no such file"
            elif path in found and unquote(address.fragment) not in found[path].anchors:
                yield f"{page.name}: {link}: no such anchor"


def test_every_link_leads_somewhere_and_nothing_is_loaded_from_elsewhere(site: Path) -> None:
    found = pages(site)
    documents = {f"{path.stem}.html" for path in (ROOT / "docs").glob("*.md")}
    assert documents <= {path.name for path in found}
    assert not list(dead_links(found))
    assert not [link for links in found.values() for link in links.loaded if urlparse(link).netloc]
    assert not [path for path in site.rglob("*.css") if _ELSEWHERE.search(path.read_text())]
    assert not (site / "tools").exists()


def test_a_dead_link_is_seen(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    text = '<h1 id="one"></h1><a href="#one"></a><a href="#two"></a><img src="none.svg"><a href="page.html#one">'
    page.write_text(text)
    assert [each.split(": ", 1)[1] for each in dead_links(pages(tmp_path))] == [
        "#two: no such anchor", "none.svg: no such file",
    ]  # fmt: skip


def test_headings_have_the_anchors_of_the_files() -> None:
    """The site and the test of the files as such agree about what a link to a heading is."""
    for path in (ROOT / "docs").glob("*.md"):
        heads = re.findall(r"^#+ (.*)$", prose(path.read_text()), flags=re.MULTILINE)
        assert {anchor(head) for head in heads} == anchors(path.read_text()), path.name


def _luminance(colour: str) -> float:
    parts = [int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def _contrast(one: str, other: str) -> float:
    lighter, darker = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


@pytest.mark.parametrize("mode", [0, 1], ids=["light", "dark"])
def test_pictures_can_be_read(mode: int) -> None:
    """The contrast that WCAG asks of text on every ground, and of lines on the card."""
    colours = {name: pair[mode] for name, pair in pictures.PALETTE.items()}
    assert all(_contrast(colours["text"], colours[name]) >= 4.5 for name in (*pictures.FILLS, "ground"))
    assert _contrast(colours["line"], colours["ground"]) >= 3


@pytest.mark.parametrize("name", pictures.PICTURES)
def test_pictures_are_what_their_script_makes(name: str) -> None:
    text = (pictures.FOLDER / f"{name}.svg").read_text()
    assert text == pictures.PICTURES[name]().svg(), "run python -m docs.tools.pictures"
    root = ET.fromstring(text)
    width, height = float(root.get("width", "0")), float(root.get("height", "0"))
    assert root.find(f"{_SVG}title") is not None
    for box in root.findall(f"{_SVG}rect"):
        x, y, w, h = (float(box.get(key, "-1")) for key in ("x", "y", "width", "height"))
        assert 0 <= x <= x + w <= width
        assert 0 <= y <= y + h <= height


def test_every_picture_is_shown() -> None:
    texts = [path.read_text() for path in (ROOT / "docs").glob("*.md")]
    shown = {name for text in texts for name in re.findall(r"\(pictures/(\w+)\.svg\)", text)}
    assert shown == set(pictures.PICTURES) == {path.stem for path in pictures.FOLDER.glob("*")}
