"""Executed notebooks as part of the site: a list of them, and a way back.

`xtask/notebooks/notebooks.py` writes a page for each, and lists them in `notebooks.json`.
"""

from __future__ import annotations

import json
import re
import shutil
from html import escape
from pathlib import Path
from typing import TypedDict

from landing import repository

BAR = """\
<nav aria-label="Site"><a href="../index.html">opwright</a> · \
<a href="../guide/introduction.html">Guide</a> · \
<a href="../reference/index.html">Operators</a> · <a href="index.html">Examples</a></nav>
"""

ICON = '<link rel="icon" href="../icon.svg" type="image/svg+xml">\n'

PAGE = """\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="Programs with opwright, as executed notebooks.">
<title>Examples of opwright</title>
<link rel="icon" href="../icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="../style.css">
</head>
<body>
<header class="bar">
  <a class="name" href="../index.html">opwright</a>
  <nav aria-label="Site">
    <a href="../guide/introduction.html">Guide</a>
    <a href="../reference/index.html">Operators</a>
    <a href="index.html">Examples</a>
  </nav>
</header>
<main>
<section>
<h1>Examples</h1>
<p class="lead">Programs of the project, run from beginning to end. Each page shows what was printed and drawn.</p>
<div class="cards">
{items}
</div>
</section>
</main>
</body>
</html>
"""  # noqa: E501


class Notebook(TypedDict):
    """An executed example, by the names of its files."""

    name: str
    title: str
    notebook: str
    page: str


def item(notebook: Notebook, folder: Path) -> str:
    """What the list says of an example."""
    page, file = escape(notebook["page"]), escape(notebook["notebook"])
    source = f"{repository()}/blob/main/examples/{notebook['name']}.py"
    return (
        f'<article><h2><a href="{page}">{escape(notebook["title"])}</a></h2>'
        f"<p>{about(folder / notebook['notebook'])}</p>"
        f'<p class="more"><a href="{file}" download>{file}</a> '
        f'<a href="{escape(source)}">Source</a></p></article>'
    )


def about(notebook: Path) -> str:
    """The first paragraph of an example, below its title."""
    first = json.loads(notebook.read_text(encoding="utf-8"))["cells"][0]["source"]
    _, *paragraphs = str(first).split("\n\n")
    text = escape(" ".join(paragraphs[0].split())) if paragraphs else ""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", text)


def write(notebooks: Path, folder: Path) -> None:
    """Copies the notebooks into a folder of the site, with a list of them.

    Raises:
        ValueError: A page has no place for the bar of the site.
    """
    shutil.copytree(notebooks, folder)
    listed: list[Notebook] = json.loads((folder / "notebooks.json").read_text(encoding="utf-8"))
    for notebook in listed:
        path = folder / notebook["page"]
        page = path.read_text(encoding="utf-8")
        if "</head>" not in page or "<body>\n" not in page:
            raise ValueError(f"there is no place for the bar of the site in {path.name}")
        page = page.replace("</head>", f"{ICON}</head>", 1)
        path.write_text(page.replace("<body>\n", f"<body>\n{BAR}", 1), encoding="utf-8")
    items = "\n".join(item(it, folder) for it in listed)
    (folder / "index.html").write_text(PAGE.replace("{items}", items), encoding="utf-8")
