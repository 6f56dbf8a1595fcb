"""Builds the site: a first page, the guide, the reference, and examples where they are.

Usage: site_builder.py --reference FOLDER --out FOLDER [--mdbook PROGRAM] [--examples FOLDER]

`--reference` is what `opwright reference` printed; `--examples` what
`xtask/notebooks/notebooks.py` wrote.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
from pathlib import Path

import gallery
import landing
import reference
from measurements import ROOT

THEME = Path(__file__).parent / "theme"


def build_book(mdbook: str, book: Path, out: Path) -> None:
    """Builds a book with the bar of the site."""
    environment = {**os.environ, "MDBOOK_OUTPUT__HTML__THEME": str(THEME.resolve())}
    subprocess.run([mdbook, "build", book, "--dest-dir", out], check=True, env=environment)


def build(mdbook: str, printed: Path, notebooks: Path | None, out: Path) -> None:
    """Builds everything into a folder, which is emptied before."""
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    out = out.resolve()
    build_book(mdbook, ROOT / "docs", out / "guide")
    book = out.parent / "site-reference"
    functions = reference.make_book(printed, book)
    build_book(mdbook, book, out / "reference")
    if notebooks is not None:
        gallery.write(notebooks, out / "examples")
    landing.write(out, functions, notebooks is not None)


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
