"""Links between pages lead somewhere."""

import re
from pathlib import Path

import pytest
from blocks import READMES, ROOT, SOURCE

WRITTEN = {*SOURCE.rglob("*.md"), *ROOT.glob("*.md"), *(ROOT / it for it in READMES)}
PAGES = sorted(WRITTEN | {ROOT / "docs/errors.md"})
LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)")
CODE = re.compile(r"^```.*?^```|`[^`\n]*`", re.DOTALL | re.MULTILINE)


def anchors(text: str) -> set[str]:
    """What the headings of a page can be called by."""
    headings = re.findall(r"^#+ (.*)$", re.sub(r"^```.*?^```", "", text, flags=re.S | re.M), re.M)
    return {re.sub(r"[^\w\- ]", "", it).strip().lower().replace(" ", "-") for it in headings}


def leads_somewhere(page: Path, link: str) -> bool:
    """Whether what a page links to is there, and has the heading."""
    path, _, anchor = link.partition("#")
    target = (page.parent / path).resolve() if path else page
    if page.is_relative_to(SOURCE) and not target.is_relative_to(SOURCE):
        return False  # It is not part of the book.
    if not anchor or not target.exists():
        return target.exists()
    return anchor in anchors(target.read_text(encoding="utf-8"))


@pytest.mark.parametrize("page", PAGES, ids=lambda it: it.relative_to(ROOT).as_posix())
def test_links(page: Path) -> None:
    links = LINK.findall(CODE.sub("`code`", page.read_text(encoding="utf-8")))
    inside = [it for it in links if not re.match(r"[a-z]+:", it)]
    lost = [it for it in inside if not leads_somewhere(page, it)]
    assert not lost, f"{page.relative_to(ROOT)} links to nothing: {lost}"


def test_every_page_is_in_the_summary() -> None:
    summary = (SOURCE / "SUMMARY.md").read_text(encoding="utf-8")
    named = {SOURCE / it for it in re.findall(r"\]\(([^)]*)\)", summary)}
    assert named == {it for it in SOURCE.rglob("*.md") if it.name != "SUMMARY.md"}
