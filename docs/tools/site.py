"""What MkDocs calls while it makes the site (its hooks).

The documents are files of a repository first: their links lead to other files of it, and headings have the anchors that
GitHub gives them.  In the site, files outside of `docs/` that a document links to stand below `project/`.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page
from pygments.formatters import HtmlFormatter

ROOT = Path(__file__).resolve().parent.parent.parent
_PROJECT = "project/"
_LINK = re.compile(r"\[(?P<text>[^\[\]]*)\]\((?P<path>[^)\s#]+)(?P<anchor>#[^)\s]*)?\)")
_FENCED = re.compile(r"^```.*?^```$", re.DOTALL | re.MULTILINE)
_STYLES = {"light": "default", "dark": "github-dark"}


def anchor(heading: str, separator: str = "-") -> str:
    """The anchor of a heading, as GitHub makes it."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", separator)


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Headings get the anchors that the documents link to."""
    config.mdx_configs["toc"] = {"slugify": anchor}
    return config


def on_files(files: Files, *, config: MkDocsConfig) -> Files:
    """Add what documents link to outside of `docs/`, and the colours of code for light and dark pages."""
    waiting = [f"docs/{file.src_uri}" for file in files.documentation_pages()]
    met = set(waiting)
    while waiting:
        name = waiting.pop()
        if not name.startswith("docs/"):
            files.append(File.generated(config, _PROJECT + name, abs_src_path=str(ROOT / name)))
        if name.endswith(".md"):
            new = [path for path in linked(name, (ROOT / name).read_text()) if path not in met]
            waiting += new
            met.update(new)
    files.append(File.generated(config, "pygments.css", content="\n".join(_colours())))
    return files


def _colours() -> Iterator[str]:
    for mode, style in _STYLES.items():
        for line in HtmlFormatter(style=style).get_style_defs(f"[data-bs-theme={mode}] .codehilite").splitlines():
            if "codehilite" in line and ".codehilite {" not in line:
                yield line


def on_page_markdown(markdown: str, *, page: Page, **_: object) -> str:
    """Links to files outside of `docs/`, and those of such files, as they are in the site; folders are none there."""
    name = page.file.src_uri
    source = name.removeprefix(_PROJECT) if name.startswith(_PROJECT) else f"docs/{name}"

    def in_site(found: re.Match[str]) -> str:
        path = _target(source, found.group("path"))
        if path is None:
            return found.group()
        if not (ROOT / path).is_file():
            return found.group("text")
        address = posixpath.relpath(_address(path), posixpath.dirname(name) or ".")
        return f"[{found.group('text')}]({address}{found.group('anchor') or ''})"

    pieces = re.split(f"({_FENCED.pattern})", markdown, flags=_FENCED.flags)
    return "".join(piece if piece.startswith("```") else _LINK.sub(in_site, piece) for piece in pieces)


def linked(source: str, text: str) -> list[str]:
    """The files of the repository that a document links to, by their paths from its root, once each."""
    found = (_target(source, link.group("path")) for link in _LINK.finditer(_FENCED.sub("", text)))
    return list(dict.fromkeys(path for path in found if path is not None and (ROOT / path).is_file()))


def _target(source: str, link: str) -> str | None:
    """The path from the root of what a relative link leads to; None for what is neither file nor folder there."""
    if re.match(r"\w+:|/", link):
        return None
    path = posixpath.normpath(posixpath.join(posixpath.dirname(source), link))
    return path if (ROOT / path).exists() else None


def _address(path: str) -> str:
    """Where a file of the repository stands in the site."""
    return path.removeprefix("docs/") if path.startswith("docs/") else _PROJECT + path
