"""Builds the site: a first page, the guide, the reference, and examples where they are.

Usage: site_builder.py --reference FOLDER --out FOLDER [--mdbook PROGRAM] [--examples FOLDER]

`--reference` is what `opwright reference` printed; `--examples` what
`xtask/notebooks/notebooks.py` wrote.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import tempfile
import textwrap
from html import escape, unescape
from pathlib import Path

import gallery
import landing
import reference
import search_index
from measurements import ROOT

THEME = Path(__file__).parent / "theme"

# The link to what a site may have or not, in place of a comment of the theme.
EXAMPLES = '<a href="{{ path_to_root }}../examples/index.html">Examples</a>'
EXAMPLES_HERE = "{{! examples }}"

FIRST_PARAGRAPH = re.compile(r"<main>.*?<p>(.*?)</p>", re.DOTALL)
TAG = re.compile(r"<[^>]+>")
NO_DESCRIPTION = '<meta name="description" content="">'
# Letters of a description that a search engine shows.
SHOWN = 155


def make_theme(folder: Path, has_examples: bool) -> None:
    """Writes the bar and the icon of the site, for both books."""
    shutil.copytree(THEME, folder)
    shutil.copy(landing.TEMPLATE / "icon.svg", folder / "favicon.svg")
    header = folder / "header.hbs"
    text = header.read_text(encoding="utf-8")
    link = EXAMPLES if has_examples else ""
    header.write_text(text.replace(EXAMPLES_HERE, link), encoding="utf-8")


def build_book(mdbook: str, theme: Path, book: Path, out: Path, edited: str = "") -> None:
    """Builds a book with the bar of the site; `edited` is where its pages lie in the project."""
    repository = landing.repository()
    # One page of the whole site says that there is none; that of a book knows no other place.
    html = {"THEME": str(theme), "GIT_REPOSITORY_URL": repository, "INPUT_404": ""}
    if edited:
        html["EDIT_URL_TEMPLATE"] = f"{repository}/edit/main/{edited}/{{path}}"
    environment = os.environ | {f"MDBOOK_OUTPUT__HTML__{it}": html[it] for it in html}
    subprocess.run([mdbook, "build", book, "--dest-dir", out], check=True, env=environment)
    search_index.slim(out)
    for page in out.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        page.write_text(with_description(text), encoding="utf-8")


def with_description(page: str) -> str:
    """A page whose description, for search engines, is its first paragraph."""
    found = FIRST_PARAGRAPH.search(page)
    if found is None:
        return page
    text = " ".join(unescape(TAG.sub("", found[1])).split())
    shown = textwrap.shorten(text, SHOWN, placeholder=" …")
    return page.replace(NO_DESCRIPTION, f'<meta name="description" content="{escape(shown)}">', 1)


def build(mdbook: str, printed: Path, notebooks: Path | None, out: Path) -> None:
    """Builds everything into a folder, which is emptied before."""
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    out = out.resolve()
    has_examples = notebooks is not None
    with tempfile.TemporaryDirectory() as folder:
        theme = Path(folder) / "theme"
        make_theme(theme, has_examples)
        build_book(mdbook, theme, ROOT / "docs", out / "guide", "docs")
        book = out.parent / "site-reference"
        functions = reference.make_book(printed, book)
        build_book(mdbook, theme, book, out / "reference")
    if notebooks is not None:
        gallery.write(notebooks, out / "examples")
    landing.write(out, functions, has_examples)


def main() -> None:
    """Reads the arguments, and builds."""
    parser = argparse.ArgumentParser(description="Builds the site.")
    parser.add_argument("--mdbook", default="mdbook")
    parser.add_argument("--reference", type=Path, required=True)
    parser.add_argument("--examples", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()
    build(args.mdbook, args.reference, args.examples, args.out)


if __name__ == "__main__":
    main()
