"""The operator reference as a book: families that fold, with a page each.

What `opwright reference` prints lists operators by the sections of the operator file, in one long
list. Here sections are families below a few parts, so that people look for what they need by what
it is for.
"""

from __future__ import annotations

import re
import shutil
from dataclasses import dataclass
from pathlib import Path

# The parts of the book, and the sections in each; others come last.
PARTS = {
    "Element by element": (
        "Arithmetic",
        "Division",
        "Powers",
        "Signs",
        "Exponentials",
        "Trigonometry",
        "Rounding",
        "Extremes",
        "Clamping",
        "Combinations",
        "Comparison",
        "Classification",
        "Logic",
        "Bits",
        "Integers",
        "Complex numbers",
        "Special functions",
        "Parts of floating numbers",
    ),
    "Whole tensors": (
        "Creation",
        "Ranges",
        "Like",
        "Random",
        "Filling",
        "Views",
        "Joining and repeating",
        "Indexing",
        "Reductions",
        "Order",
    ),
    "Linear algebra and transforms": ("Matrices", "Linear algebra", "Fourier transforms"),
    "Neural networks": (
        "Layers",
        "Activations",
        "Softmax",
        "Losses",
        "Convolution",
        "Padding and pooling",
        "Attention",
        "Recurrent layers",
        "Resampling",
        "Rearranged channels, and products and distances of rows",
        "Optimizers",
        "Lists of tensors",
    ),
}
OTHERS = "Others"

BOOK = """\
[book]
title = "Operators of opwright"
language = "en"
src = "src"

[output.html]
no-section-label = true

[output.html.fold]
enable = true
level = 0

[output.html.search]
boost-title = 4
limit-results = 20
heading-split-level = 1

[output.html.playground]
runnable = false

[output.html.print]
enable = false
"""


@dataclass(frozen=True)
class Operator:
    """A page of an operator, as the printed index lists it."""

    name: str
    path: str
    rest: str

    @property
    def place(self) -> tuple[bool, str]:
        """What the operators of a family are sorted by: those for internal use come last."""
        name = self.name.rpartition(".")[2]
        return name.startswith("_"), name


@dataclass(frozen=True)
class Family:
    """A section of the operator file, and its pages."""

    title: str
    operators: list[Operator]

    @property
    def path(self) -> str:
        """Where its page stands in the book."""
        return f"family/{re.sub(r'[^a-z0-9]+', '-', self.title.lower()).strip('-')}.md"

    def page(self) -> str:
        """What its operators do."""
        about = f"{counted(len(self.operators))}: {self.names()}."
        lines = [f"- [`{it.name}`](../{it.path}){it.rest}" for it in self.operators]
        return "\n".join([f"# {self.title}", "", about.replace(" ….", " …"), "", *lines, ""])

    def names(self) -> str:
        """The first of its operators."""
        few = [f"`{it.name}`" for it in self.operators[:6]]
        return ", ".join(few) + (", …" if len(self.operators) > len(few) else "")


def counted(functions: int) -> str:
    """A number of functions, in words."""
    return "1 function or method" if functions == 1 else f"{functions:,} functions and methods"


def families(index: str) -> list[Family]:
    """What the printed index lists."""
    _, *sections = re.split(r"^## (.+)$", index, flags=re.MULTILINE)
    item = re.compile(r"^- \[`(.+?)`\]\((\S+?)\)(.*)$", re.MULTILINE)
    return [
        Family(title.replace("`", ""), sorted_operators(item.findall(text)))
        for title, text in zip(sections[::2], sections[1::2], strict=True)
    ]


def sorted_operators(rows: list[tuple[str, str, str]]) -> list[Operator]:
    """Operators by their names, whatever module they are in."""
    return sorted((Operator(*it) for it in rows), key=lambda it: it.place)


def parts(found: list[Family]) -> dict[str, list[Family]]:
    """Families by the part that they belong to."""
    by_title = {it.title: it for it in found}
    made = {
        part: [by_title.pop(it) for it in titles if it in by_title]
        for part, titles in PARTS.items()
    }
    return made | ({OTHERS: [*by_title.values()]} if by_title else {})


def index_page(made: dict[str, list[Family]]) -> str:
    """The first page: families, and what is in them."""
    count = sum(len(family.operators) for found in made.values() for family in found)
    lines = ["# Operators", "", f"{counted(count)}, by what they are for.", ""]
    for part, found in made.items():
        rows = [f"| [{it.title}]({it.path}) | {it.names()} |" for it in found]
        lines += [f"## {part}", "", "| family | operators |", "|---|---|", *rows, ""]
    return "\n".join(lines)


def summary(made: dict[str, list[Family]]) -> str:
    """The table of contents, in which families fold."""
    lines = ["# Summary", "", "[Operators](index.md)", ""]
    for part, found in made.items():
        lines += [f"# {part}", ""]
        for family in found:
            lines.append(f"- [{family.title}]({family.path})")
            lines += [f"  - [{it.name}]({it.path})" for it in family.operators]
        lines.append("")
    return "\n".join(lines)


def make_book(printed: Path, book: Path) -> int:
    """Makes a book of the pages that `opwright reference` printed; returns how many there are."""
    shutil.rmtree(book, ignore_errors=True)
    shutil.copytree(printed, book / "src")
    found = families((printed / "index.md").read_text(encoding="utf-8"))
    made = parts(found)
    (book / "book.toml").write_text(BOOK, encoding="utf-8")
    (book / "src/index.md").write_text(index_page(made), encoding="utf-8")
    (book / "src/SUMMARY.md").write_text(summary(made), encoding="utf-8")
    (book / "src/family").mkdir()
    for family in found:
        (book / "src" / family.path).write_text(family.page(), encoding="utf-8")
    return sum(len(it.operators) for it in found)
