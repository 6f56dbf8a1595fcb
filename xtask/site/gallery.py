"""Executed notebooks as part of the site: a list of them, and a way back.

`xtask/notebooks/notebooks.py` writes a page for each, and lists them in `notebooks.json`.
"""

from __future__ import annotations

import json
import shutil
from html import escape
from pathlib import Path
from typing import TypedDict

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
<ul class="list">
{items}
</ul>
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


def item(notebook: Notebook) -> str:
    """A line of the list."""
    page, file = escape(notebook["page"]), escape(notebook["notebook"])
    title = escape(notebook["title"])
    return (
        f'<li><a href="{page}">{title}</a> <a class="file" href="{file}" download>{file}</a></li>'
    )


def write(notebooks: Path, folder: Path) -> None:
    """Copies the notebooks into a folder of the site, with a list of them."""
    shutil.copytree(notebooks, folder)
    listed: list[Notebook] = json.loads((folder / "notebooks.json").read_text(encoding="utf-8"))
    for notebook in listed:
        path = folder / notebook["page"]
        page = path.read_text(encoding="utf-8").replace("</head>", f"{ICON}</head>", 1)
        path.write_text(page.replace("<body>\n", f"<body>\n{BAR}", 1), encoding="utf-8")
    items = "\n".join(map(item, listed))
    (folder / "index.html").write_text(PAGE.replace("{items}", items), encoding="utf-8")
