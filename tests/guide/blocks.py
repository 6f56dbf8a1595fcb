"""The blocks of code of the guide, page by page."""

import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "docs/src"
# Pages that are compared with what runs by other tests, and by which.
CHECKED_ELSEWHERE = {
    "codes/": "cli/tests/explain.rs",
    "errors.md": "tests/python/test_wrong_calls.py",
}

# What registries show of packages; the other READMEs are printed when crates are packed.
READMES = ["README.md", "cli/README.md", "opwright/README.md", "python-bindings/python/README.md"]

# The code of the site's first page.
FIRST_PAGE = "docs/landing.md"

LANGUAGES = {"c", "cmake", "cpp", "go", "python", "rust", "sh", "text", "toml", "yaml"}

# Options of a block that have a value.
WITH_VALUE = ("file", "add", "needs")

FENCE = re.compile(r"^( *)```+(.*)$")


@dataclass(frozen=True)
class Page:
    """A page of the guide, a README, or the code of the site's first page."""

    path: Path
    text: str

    @property
    def name(self) -> str:
        """The path from the root of the project."""
        return self.path.relative_to(ROOT).as_posix()

    @property
    def module(self) -> str:
        """The name of what is made of the page: a Rust module, a folder."""
        inside = self.path.relative_to(SOURCE if self.path.is_relative_to(SOURCE) else ROOT)
        return "page_" + re.sub(r"\W", "_", inside.with_suffix("").as_posix()).lower()

    def blocks(self) -> list["Block"]:
        """The blocks in their order.

        Raises:
            ValueError: One is not closed, or says something unknown of itself.
        """
        blocks = []
        lines = self.text.splitlines()
        opened: tuple[int, re.Match[str]] | None = None
        for number, line in enumerate(lines, 1):
            fence = FENCE.match(line)
            if fence is None:
                continue
            if opened is None:
                opened = number, fence
                continue
            start, first = opened
            indent = len(first[1])
            text = "".join(f"{it[indent:]}\n" for it in lines[start : number - 1])
            blocks.append(Block.labelled(self, start, first[2].strip(), text))
            opened = None
        if opened is not None:
            raise ValueError(f"{self.name}:{opened[0]}: this block does not end")
        return blocks


@dataclass(frozen=True)
class Block:
    """A block of code, and what its label says of it."""

    page: Page
    # Of the opening fence, counted from one.
    line: int
    language: str
    text: str
    # A path whose text the block is, or is part of.
    file: str | None = None
    # A path that the block is appended to.
    add: str | None = None
    # A Rust module of its own, beside that of the page.
    alone: bool = False
    # A package without which it is not run.
    needs: str | None = None
    untested: bool = False

    @classmethod
    def labelled(cls, page: Page, line: int, label: str, text: str) -> "Block":
        """The block with this label, `rust,add=src/lib.rs`."""
        language, *rest = label.split(",")
        if language not in LANGUAGES:
            shown = f"of {language}" if language else "without a language"
            known = ", ".join(sorted(LANGUAGES))
            raise ValueError(f"{page.name}:{line}: a block {shown}, which is none of {known}")
        options: dict[str, str | bool] = {}
        for option in rest:
            name, _, value = option.partition("=")
            wants_value = name in WITH_VALUE
            if name not in (*WITH_VALUE, "alone", "untested") or wants_value != bool(value):
                raise ValueError(f"{page.name}:{line}: unknown option {option!r} of a block")
            options[name] = value or True
        return cls(page, line, language, text, **options)  # type: ignore[arg-type]

    @property
    def place(self) -> str:
        """The page and the line, as compilers say it."""
        return f"{self.page.name}:{self.line}"

    @property
    def in_crate(self) -> bool:
        """Whether it is part of the crate that the guide describes."""
        return self.language in ("rust", "yaml") and not self.file and not self.untested


def pages() -> list[Page]:
    """The pages in the order of SUMMARY.md, then the READMEs and the site's first page."""
    summary = (SOURCE / "SUMMARY.md").read_text(encoding="utf-8")
    names = re.findall(r"\]\(([^)]*\.md)\)", summary)
    paths = [SOURCE / it for it in names if not it.startswith(tuple(CHECKED_ELSEWHERE))]
    paths += [ROOT / it for it in [*READMES, FIRST_PAGE]]
    return [Page(it, it.read_text(encoding="utf-8")) for it in paths]


def in_order(blocks: list[Block]) -> list[Block]:
    """The blocks of the crate, without those that an earlier page has, too."""
    seen = set()
    kept = []
    for block in blocks:
        if not block.in_crate or (block.language, block.text) in seen:
            continue
        # What a page imports is its own.
        if block.language == "yaml" or "#[native_op" in block.text:
            seen.add((block.language, block.text))
        kept.append(block)
    return kept
