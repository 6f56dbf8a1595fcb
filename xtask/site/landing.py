"""The first page of the site, from its template.

Its code stands in `docs/landing.md`, a block below a heading, and is run as the guide's is; its
numbers come from the files of measurements, its graphs from what the code makes.
"""

from __future__ import annotations

import contextlib
import doctest
import io
import json
import re
import shutil
import tomllib
from collections.abc import Callable
from html import escape
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import measurements
import plots
from measurements import ROOT, Kernels
from opwright import graph
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name

TEMPLATE = Path(__file__).parent / "landing"
CODE = ROOT / "docs/landing.md"

# Functions of the plot of the first page; the guide's has all.
ELEMENTARY = (
    *("exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "sin", "cos", "tan", "sinh", "cosh"),
    *("tanh", "asin", "acos", "atan", "asinh", "acosh", "atanh", "atan2", "hypot", "pow"),
)
BLOCK = re.compile(r"^## (\w+)\n\n```(\w+).*?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
NEEDED = re.compile(r"\{\{([^}]+)\}\}")
Blocks = dict[str, tuple[str, str]]


def blocks() -> Blocks:
    """Language and text of the code, by heading."""
    found = BLOCK.findall(CODE.read_text(encoding="utf-8"))
    return {name: (language, text) for name, language, text in found}


def highlighted(language: str, text: str) -> str:
    """Code as HTML, in which what stands out is marked."""
    lexer = {"python": "pycon", "sh": "bash"}.get(language, language)
    made: str = highlight(text, get_lexer_by_name(lexer), HtmlFormatter(nowrap=True))
    return made.rstrip("\n")


def outcome(name: str, text: str) -> Any:
    """What a variable is after a block has run."""
    names: dict[str, Any] = {}
    for example in doctest.DocTestParser().get_examples(text):
        with contextlib.redirect_stdout(io.StringIO()):
            exec(compile(example.source, "landing.md", "single"), names)
    return names[name]


def numbers(functions: int) -> dict[str, str]:
    """What is said in numbers, each by its file."""
    calls, kernels = measurements.calls(), measurements.kernels()
    costs = calls["calls"][0]["nanoseconds"]
    level = measurements.accuracy()["levels"][0]
    distances = [
        max(it["float32"]["ulp"], it["float64"]["ulp"])
        for it in level["functions"]
        if it["name"] in ELEMENTARY
    ]
    threads = kernels["threads"]
    return {
        "functions": f"{functions:,}",
        "call": str(costs["opwright"]),
        "numpy": str(costs["numpy"]),
        "mean": f"{kernels['all']['mean']:.2f}",
        "faster": f"{100 * (1 - kernels['all']['mean']):.0f}",
        "repository": repository(),
        "workloads": str(kernels["all"]["of"]),
        "peers": peers(kernels),
        "within": str(sum(it <= 1 for it in distances)),
        "elementary": str(len(distances)),
        "calls_machine": capitalized(calls["machine"]),
        "kernels_machine": kernels["machine"],
        "threads": f"{'One' if threads == 1 else threads} thread{'s' * (threads != 1)}",
    }


def repository() -> str:
    """Where the project lies, as its manifest says."""
    return manifest()["repository"]


def manifest() -> dict[str, str]:
    """What the manifest says of all packages."""
    text = (ROOT / "Cargo.toml").read_text(encoding="utf-8")
    found: dict[str, str] = tomllib.loads(text)["workspace"]["package"]
    return found


def peers(kernels: Kernels) -> str:
    """The other libraries, as a list."""
    *first, last = kernels["peers"]
    return f"{', '.join(first)} and {last}" if first else last


def capitalized(text: str) -> str:
    """With a capital first letter."""
    return text[:1].upper() + text[1:]


def plot(name: str) -> str:
    """A plot, to stand within the page."""
    level = measurements.accuracy()["levels"][0]
    made: dict[str, Callable[[], str]] = {
        "calls": lambda: plots.plot_calls(measurements.calls()),
        "kernels": lambda: plots.plot_kernels(measurements.kernels()),
        "accuracy": lambda: plots.plot_accuracy(level, ELEMENTARY),
    }
    return made[name]()


def drawn(name: str, code: str) -> str:
    """The graph of a variable of the code, to stand within the page."""
    picture = graph.to_svg(outcome(name, code))
    # Nobody reads it out node by node.
    picture = picture.replace("<svg ", f'<svg role="img" aria-label="The graph of {name}" ', 1)
    # Two pictures of a page may not share an identifier.
    return picture.replace('id="tip"', f'id="tip-{name}"').replace("url(#tip)", f"url(#tip-{name})")


def page(functions: int, has_examples: bool) -> str:
    """The page, with all that it needs.

    Raises:
        KeyError: The template asks for what is not there.
    """
    code, said = blocks(), numbers(functions)
    link = '<a href="examples/index.html">Examples</a>'
    made: dict[str, Callable[[str], str]] = {
        "code": lambda name: highlighted(*code[name]),
        "shell": lambda text: highlighted("sh", text),
        "plot": plot,
        "graph": lambda name: drawn(name, code["graph"][1]),
    }

    def filled(needed: re.Match[str]) -> str:
        kind, _, name = needed[1].partition(":")
        if name:
            return made[kind](name)
        return (link if has_examples else "") if kind == "examples" else escape(said[kind])

    return NEEDED.sub(filled, (TEMPLATE / "index.html").read_text(encoding="utf-8"))


def lost_page() -> str:
    """The page that a server shows in place of one that there is not, at whatever address."""
    text = (TEMPLATE / "404.html").read_text(encoding="utf-8")
    return text.replace("{{base}}", json.dumps(urlsplit(manifest()["homepage"]).path))


def write(site: Path, functions: int, has_examples: bool) -> None:
    """Writes the page, and what belongs to it."""
    (site / "index.html").write_text(page(functions, has_examples), encoding="utf-8")
    (site / "404.html").write_text(lost_page(), encoding="utf-8")
    for name in ("style.css", "icon.svg"):
        shutil.copy(TEMPLATE / name, site / name)
