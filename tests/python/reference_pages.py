"""Looks at the pages of the operator reference.

`python reference_pages.py FOLDER` wants a page for each operator of `FOLDER/observed.json`, with
all sections, and runs the examples.
"""

import doctest
import json
import re
import sys
from pathlib import Path

import opwright

SECTIONS = ["Python", "Rust", "C", "Examples", "Dtypes", "Shapes", "Schemas"]


def main(folder: Path) -> None:
    """Raises for what is missing."""
    pages = list(folder.glob("src/*/*.md"))
    named: set[str] = set()
    examples = 0
    for page in pages:
        sections = read(page)
        missing = [it for it in SECTIONS if not sections.get(it)]
        assert not missing, f"{page}: no {', '.join(missing)}"
        named.update(re.findall(r"`([\w.]+)`", sections["Python"]))
        examples += run(page, sections["Examples"])
    missing = sorted(expected(folder) - named)
    assert not missing, f"no page of {', '.join(missing)}"
    index = (folder / "src/index.md").read_text(encoding="utf-8")
    assert len(re.findall(r"^- \[", index, flags=re.MULTILINE)) == len(pages)
    print(f"{len(pages)} pages of {len(named)} names, {examples} examples")


def read(page: Path) -> dict[str, str]:
    """The text of each section, without fences and the heads of tables."""
    parts = re.split(r"^## (\w+)$", page.read_text(encoding="utf-8"), flags=re.MULTILINE)
    noise = re.compile(r"^(```.*|\|.*\|\n\|---.*)$", flags=re.MULTILINE)
    return {
        title: noise.sub("", text).strip()
        for title, text in zip(parts[1::2], parts[2::2], strict=True)
    }


def expected(folder: Path) -> set[str]:
    """What the pages should name; what the language alone reaches is named as a method."""
    operators = json.loads((folder / "observed.json").read_text(encoding="utf-8"))["operators"]
    methods = {f"opwright.{it}" for it in operators if it.startswith("Tensor.")}
    return methods | {it["public"] for it in operators.values() if it["public"]}


def run(page: Path, text: str) -> int:
    """Runs the examples of a page, and returns how many they are."""
    test = doctest.DocTestParser().get_doctest(text, {"opwright": opwright}, page.stem, None, 0)
    result = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test)
    assert result.attempted and not result.failed, f"{page}: an example fails"
    return result.attempted


if __name__ == "__main__":
    main(Path(sys.argv[1]))
