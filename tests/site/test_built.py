"""The site that was built: nothing is broken, also on a narrow screen, and search finds."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from html import unescape
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from browser import Browser

PAGES = (
    "index.html",
    "guide/introduction.html",
    "guide/first.html",
    "guide/speed.html",
    "guide/accuracy.html",
    "guide/graphs.html",
    "guide/codes/E0104.html",
    "reference/index.html",
    "reference/family/linear-algebra.html",
    "reference/opwright/add.html",
)
WIDE, NARROW = (1280, 800), (390, 844)

# What of a page is wider than the screen, but for what scrolls by itself.
TOO_WIDE = "return document.documentElement.scrollWidth - window.innerWidth"
# Text with less contrast to what is behind it than guidelines for accessible content ask for.
TOO_FAINT = """
const numbers = (text) => text.match(/[\\d.]+/g).map(Number);
const linear = (it) => it <= 0.04045 ? it / 12.92 : ((it + 0.055) / 1.055) ** 2.4;
const luminance = (colour) => {
  const [r, g, b] = colour.map((it) => linear(it / 255));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const behind = (element) => {
  for (let it = element; it; it = it.parentElement) {
    const colour = numbers(getComputedStyle(it).backgroundColor);
    if (colour.length === 3) return colour;
  }
  return [255, 255, 255];
};
const contrast = (element) => {
  const colours = [numbers(getComputedStyle(element).color), behind(element)];
  const [dark, light] = colours.map(luminance).sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
};
const found = new Set();
const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
while (texts.nextNode()) {
  const element = texts.currentNode.parentElement;
  const isShown = texts.currentNode.data.trim() && element.offsetParent && !element.closest('svg');
  if (isShown && contrast(element) < 4.5) found.add(`${element.tagName}.${element.className}`);
}
return [...found];
"""
FOUND = """
const found = [...document.querySelectorAll('#mdbook-searchresults a')];
return found.length && found.map((it) => it.getAttribute('href'));
"""


@dataclass(frozen=True)
class Links:
    """What a page links to, and what in it can be linked to."""

    links: frozenset[str]
    anchors: frozenset[str]


@cache
def read(page: Path) -> Links:
    """The links of a page; in text its quotes are escaped."""
    text = page.read_text(encoding="utf-8")
    links = re.findall(r'\s(?:href|src|action)="([^"]+)"', text)
    anchors = re.findall(r'\s(?:id|name)="([^"]+)"', text)
    return Links(frozenset(map(unescape, links)), frozenset(map(unescape, anchors)))


def leads_somewhere(site: Path, page: Path, link: str) -> bool:
    """Whether a link within the site has a target."""
    parts = urlsplit(link)
    if parts.scheme or parts.netloc:
        return True
    target = (page.parent / unquote(parts.path)).resolve() if parts.path else page
    if target.is_dir():
        target /= "index.html"
    if not target.is_file() or not target.is_relative_to(site.resolve()):
        return False
    fragment = unquote(parts.fragment)
    return not fragment or target.suffix != ".html" or fragment in read(target).anchors


def test_no_link_is_broken(site: Path) -> None:
    lost = []
    pages = [*site.rglob("*.html")]
    for page in pages:
        broken = [it for it in read(page).links if not leads_somewhere(site, page, it)]
        lost += [f"{page.relative_to(site)}: {it}" for it in sorted(broken)]
    assert len(pages) > 600
    assert not lost


def test_nothing_is_fetched_from_elsewhere(site: Path) -> None:
    fetched = re.compile(r"<(?:script|img|iframe)[^>]* src=\"https?:|<link[^>]* href=\"https?:")
    pages = [site / it for it in PAGES]
    assert not [it for it in pages if fetched.search(it.read_text(encoding="utf-8"))]


# Those of a site with executed notebooks.
EXAMPLES = ("examples/index.html", "examples/throw.html")


@pytest.mark.parametrize("page", [*PAGES, *EXAMPLES])
@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_page_is_shown(
    window: Browser, site: Path, address: str, page: str, size: tuple[int, int], scheme: str
) -> None:
    if page in EXAMPLES and not (site / page).exists():
        pytest.skip("the site has no examples; `cargo xtask site` runs them")
    window.emulate(*size, scheme)
    window.open(f"{address}/{page}")
    assert window.complaints() == []
    assert window.run(TOO_WIDE) <= 0
    broken = "return [...document.images].filter((it) => !it.naturalWidth).map((it) => it.src)"
    assert window.run(broken) == []


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_can_be_read(window: Browser, address: str, page: str, scheme: str) -> None:
    window.emulate(*WIDE, scheme)
    window.open(f"{address}/{page}")
    assert window.run(TOO_FAINT) == []


@pytest.mark.parametrize("width", [320, 600, 700, 768, 1000, 1920])
def test_first_page_fits_any_window(window: Browser, address: str, width: int) -> None:
    window.emulate(width, WIDE[1])
    window.open(f"{address}/index.html")
    assert window.run(TOO_WIDE) <= 0


def test_pictures_of_the_first_page_have_names(window: Browser, address: str) -> None:
    window.open(f"{address}/index.html")
    nameless = """
    const named = (it) => it.ariaLabel || it.querySelector(':scope > title');
    return [...document.querySelectorAll('svg')].filter((it) => !named(it)).length;
    """
    assert window.run(nameless) == 0


def test_chapters_are_printed_without_what_surrounds_them(window: Browser, address: str) -> None:
    window.emulate(*WIDE)
    window.command("Emulation.setEmulatedMedia", media="print")
    window.open(f"{address}/guide/speed.html")
    printed = "return [...document.querySelectorAll('nav')].filter((it) => it.offsetHeight).length"
    place = """
    const { left, top } = document.querySelector('main h1').getBoundingClientRect();
    return [left, top];
    """
    try:
        assert window.run(printed) == 0
        left, top = window.run(place)
        assert left < WIDE[0] / 4 and top >= 0
    finally:
        window.command("Emulation.setEmulatedMedia", media="")


@pytest.mark.parametrize("path", ["none.html", "guide/codes/none.html", "reference/none"])
def test_a_lost_page_leads_back(window: Browser, site: Path, address: str, path: str) -> None:
    window.emulate(*WIDE)
    window.open(f"{address}/{path}")
    (complaint,) = window.complaints()
    assert path in complaint
    links: list[str] = window.run("return [...document.querySelectorAll('a')].map((it) => it.href)")
    lost = [it for it in links if not (site / it.removeprefix(f"{address}/")).is_file()]
    assert links and not lost
    assert window.wait("return document.styleSheets.length") == 1


def test_pages_are_described_and_have_the_icon_of_the_site(site: Path) -> None:
    described = re.compile(r'<meta name="description" content="[^"]{10,}"')
    icon = (site / "icon.svg").read_bytes()
    for path in PAGES:
        page = site / path
        text = page.read_text(encoding="utf-8")
        assert described.search(text), path
        (linked,) = re.findall(r'<link rel="icon" href="([^"]+)"', text)
        assert (page.parent / linked).read_bytes() == icon, path


def test_bar_links_to_examples_that_are_there(site: Path) -> None:
    has_examples = (site / "examples/index.html").is_file()
    for path in PAGES:
        text = (site / path).read_text(encoding="utf-8")
        assert ("examples/index.html" in text) == has_examples, path


def searched(window: Browser, address: str, words: str, book: str) -> list[str]:
    """What the search of a book finds, the first first."""
    window.emulate(*WIDE)
    window.open(f"{address}/{book}?search={words}")
    links: list[str] = window.wait(FOUND)
    assert window.complaints() == []
    return [urlsplit(it).path.removeprefix("../").removeprefix("./") for it in links]


@pytest.mark.parametrize(
    ("words", "first"),
    [
        ("gradients", "gradients.html"),
        ("overloads", "overloads.html"),
        ("schema", "schemas.html"),
        ("kernel", "kernels.html"),
        ("out%3D", "writing.html"),
        ("numba", "from-numba.html"),
    ],
)
def test_search_finds_chapters_before_codes(
    window: Browser, address: str, words: str, first: str
) -> None:
    found = searched(window, address, words, "guide/introduction.html")
    assert found[0].endswith(first), found
    is_code = [it.startswith("codes/") for it in found]
    assert is_code == sorted(is_code)


def test_search_finds_words_of_the_text(window: Browser, address: str) -> None:
    found = searched(window, address, "OpenBLAS", "guide/introduction.html")
    assert "speed.html" in found


def test_search_finds_a_code(window: Browser, address: str) -> None:
    found = searched(window, address, "E0104", "guide/introduction.html")
    assert found[0].endswith("codes/E0104.html")


@pytest.mark.parametrize(
    ("words", "name"),
    [
        *((it, it) for it in ("add", "topk", "softmax", "where", "exp")),
        ("Tensor.add", "add"),
        ("opwright.softmax(x)", "softmax"),
        ("linalg.solve", "linalg_solve"),
        ("random_", "random_"),
        ("add_", "add"),
    ],
)
def test_search_finds_operators(window: Browser, address: str, words: str, name: str) -> None:
    found = searched(window, address, words, "reference/index.html")
    assert found[0].endswith(f"/{name}.html"), found


def test_codes_and_families_are_folded(window: Browser, address: str) -> None:
    window.emulate(*WIDE)
    shown = """
    const links = [...document.querySelectorAll('#mdbook-sidebar a[href]')];
    return links.filter((it) => it.offsetParent && it.href.includes(arguments[0])).length;
    """
    window.open(f"{address}/guide/introduction.html")
    assert window.run(shown, "first.html") > 0
    assert window.run(shown, "codes/") == 0
    window.open(f"{address}/reference/index.html")
    assert window.run(shown, "family/") > 30
    assert window.run(shown, "opwright/") == 0


def test_first_page_searches_the_guide(window: Browser, address: str) -> None:
    window.emulate(*WIDE)
    window.open(f"{address}/index.html")
    window.run(
        "const form = document.forms[0]; form.elements.search.value = 'dtypes'; form.submit()"
    )
    links = window.wait(FOUND)
    assert any("dtypes.html" in it for it in links)


def test_first_page_says_how_to_begin_at_once(window: Browser, address: str) -> None:
    window.emulate(*WIDE)
    window.open(f"{address}/index.html")
    bottom = "return document.querySelector(arguments[0]).getBoundingClientRect().bottom"
    for what in ("h1", ".button.first", ".hero .shell", ".pair"):
        assert window.run(bottom, what) <= WIDE[1], what
