"""Pages, plots and the first page say what measurements say."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("opwright", reason="the module is not installed")

import gallery
import landing
import measurements
import pages
import plots
import reference
import search_index
from measurements import ROOT

WRITTEN = pages.written()
INDEX = """\
# Operators

## Arithmetic

- [`linalg.mul`](linalg/mul.md): The product.
- [`_sum`](opwright/_sum.md)
- [`add`](opwright/add.md): The sum.

## `opwright.more`

- [`odd`](more/odd.md)
"""


@pytest.mark.parametrize("path", WRITTEN, ids=lambda it: it.relative_to(ROOT).as_posix())
def test_pages_say_what_was_measured(path: Path) -> None:
    if os.environ.get("OPWRIGHT_BLESS"):
        path.write_text(WRITTEN[path], encoding="utf-8")
    stale = f"{path.name} is stale; `cargo xtask bless`"
    assert path.read_text(encoding="utf-8") == WRITTEN[path], stale


@pytest.mark.parametrize("name", ["calls", "kernels", "accuracy"])
def test_files_of_measurements_are_written_as_they_are_read(name: str) -> None:
    measured = measurements.read(name)
    text = measurements.text(measured)
    assert json.loads(text) == measured
    assert (measurements.DATA / f"{name}.json").read_text(encoding="utf-8") == text + "\n"


def test_families_add_up() -> None:
    measured = measurements.kernels()
    families = measured["families"]
    for key in ("as_fast", "of"):
        assert sum(it[key] for it in families) == measured["all"][key]
    assert max(it["worst"] for it in families) == measured["all"]["worst"]


def test_first_page_has_what_its_template_asks_for() -> None:
    page = landing.page(649, has_examples=False)
    assert "{{" not in page
    assert "examples/" not in page
    assert 'href="examples/index.html"' in landing.page(649, has_examples=True)
    assert "http://" not in page.replace("http://www.w3.org/", "")


def test_examples_are_listed(tmp_path: Path) -> None:
    notebooks = tmp_path / "notebooks"
    notebooks.mkdir()
    listed = {"name": "a", "title": "A < B", "notebook": "a.ipynb", "page": "a.html"}
    (notebooks / "notebooks.json").write_text(json.dumps([listed]), encoding="utf-8")
    cell = {"cell_type": "markdown", "source": "# A < B\n\nOf `c`\n& d.\n\nMore."}
    (notebooks / "a.ipynb").write_text(json.dumps({"cells": [cell]}), encoding="utf-8")
    (notebooks / "a.html").write_text("<head></head><body>\n<p>c</p></body>", encoding="utf-8")
    gallery.write(notebooks, tmp_path / "examples")
    page = (tmp_path / "examples/index.html").read_text(encoding="utf-8")
    assert '<a href="a.html">A &lt; B</a>' in page
    assert "<p>Of <code>c</code> &amp; d.</p>" in page
    assert f'href="{landing.repository()}/blob/main/examples/a.py"' in page
    assert 'href="../index.html"' in (tmp_path / "examples/a.html").read_text()


def test_a_page_without_a_place_for_the_bar_is_refused(tmp_path: Path) -> None:
    (tmp_path / "from").mkdir()
    listed = {"name": "a", "title": "A", "notebook": "a.ipynb", "page": "a.html"}
    (tmp_path / "from/notebooks.json").write_text(json.dumps([listed]), encoding="utf-8")
    (tmp_path / "from/a.html").write_text("<body class='a'></body>", encoding="utf-8")
    with pytest.raises(ValueError, match=r"no place for the bar of the site in a\.html"):
        gallery.write(tmp_path / "from", tmp_path / "to")


def test_every_block_of_the_first_page_is_shown() -> None:
    template = (landing.TEMPLATE / "index.html").read_text(encoding="utf-8")
    assert all(f"{{{{code:{name}}}}}" in template for name in landing.blocks())


def test_first_page_has_about_ten_lines_for_each_of_its_users() -> None:
    shown = landing.blocks()
    for user in ("rust", "entry", "python", "torch", "jax", "dask", "c", "go"):
        assert len(shown[user][1].splitlines()) <= 12, user


def test_plots_are_bounded() -> None:
    level = measurements.accuracy()["levels"][0]
    names = {it["name"] for it in level["functions"]}
    assert names.issuperset(landing.ELEMENTARY)
    assert plots.plot_accuracy(level, landing.ELEMENTARY).count("<circle") == 2 * (1 + 22)


def luminance(colour: str) -> float:
    """How bright a colour is, as the guidelines for accessible content say it."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [it / 12.92 if it <= 0.04045 else ((it + 0.055) / 1.055) ** 2.4 for it in parts]
    return sum(weight * it for weight, it in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(one: str, other: str) -> float:
    """The ratio of two colours."""
    dark, light = sorted(map(luminance, (one, other)))
    return (light + 0.05) / (dark + 0.05)


def colours_of_plots(scheme: str) -> dict[str, str]:
    """The colours of plots in the first page, in its scheme of this number."""
    css = (landing.TEMPLATE / "style.css").read_text(encoding="utf-8")
    light, dark = re.findall(r":root \{(.*?)\}", css, re.DOTALL)
    named = dict(re.findall(r"--([\w-]+): (#\w+);", dark if scheme == "dark" else light))
    used = dict(re.findall(r"--plot-([\w-]+): var\(--([\w-]+)\)", css))
    return {name: named[it] for name, it in used.items()} | {"paper": named["paper"]}


@pytest.mark.parametrize("scheme", ["image", "light", "dark"])
def test_plots_can_be_read(scheme: str) -> None:
    colours = colours_of_plots(scheme)
    if scheme == "image":
        made = (plots.INK, plots.FAINT, plots.OURS, plots.ON_OURS, plots.OTHERS, plots.PAPER)
        colours = dict(re.findall(r"--plot-([\w-]+), (#\w+)", " ".join(made)))
    for text, behind in (("ink", "paper"), ("faint", "paper"), ("on-ours", "ours")):
        assert contrast(colours[text], colours[behind]) >= 4.5, (text, behind)
    assert contrast(colours["ink"], colours["others"]) >= 4.5


def test_labels_on_grey_bars_are_dark() -> None:
    measured = measurements.kernels()
    slower = next(it["mean"] for it in measured["families"] if it["mean"] > 1)
    (label,) = re.findall(rf"<text[^>]*>{slower:.2f}</text>", plots.plot_kernels(measured))
    assert plots.INK in label


def test_index_of_search_keeps_what_is_found_and_shown(tmp_path: Path) -> None:
    fields = {"title": {"boost": 4}, "body": {"boost": 1}, "breadcrumbs": {"boost": 1}}
    shown = {"0": {"body": 'it\\\'s "quoted" é \\\\', "title": "A"}}
    words = {"fields": ["title", "body", "breadcrumbs"], "documentStore": {"docs": shown}}
    index: dict[str, Any] = {"search_options": {"fields": fields}}
    index["index"] = words | {"index": dict(fields)}
    text = json.dumps(index, ensure_ascii=False).replace("\\", "\\\\").replace("'", "\\'")
    path = tmp_path / "searchindex-1.js"
    path.write_text(f"window.search = f(JSON.parse('{text}'));\n", encoding="utf-8")
    search_index.slim(tmp_path)
    search_index.leave_out(index)
    start, made, end = re.split(r"'(?=[{)])", path.read_text(encoding="utf-8"))
    assert (start, end) == ("window.search = f(JSON.parse(", "));\n")
    assert json.loads(re.sub(r"\\(.)", r"\1", made)) == index
    assert [*index["search_options"]["fields"]] == ["title", "breadcrumbs"]


def test_families_of_the_reference() -> None:
    made = reference.parts(reference.families(INDEX))
    assert [it.title for it in made["Element by element"]] == ["Arithmetic"]
    assert [it.path for it in made[reference.OTHERS]] == ["family/opwright-more.md"]
    summary = reference.summary(made)
    assert "- [Arithmetic](family/arithmetic.md)\n  - [add](opwright/add.md)\n" in summary
    page = made["Element by element"][0].page()
    assert "3 functions and methods: `add`, `linalg.mul`, `_sum`." in page
    assert "- [`add`](../opwright/add.md): The sum.\n- [`linalg.mul`]" in page
    assert "4 functions" in reference.index_page(made)


def test_families_are_sections_of_the_operator_file() -> None:
    text = (ROOT / "native_functions.yaml").read_text(encoding="utf-8").lower()
    titles = [it for found in reference.PARTS.values() for it in found]
    assert len(titles) == len(set(titles))
    lost = [it for it in titles if f"# --- {it.lower()}\n" not in text]
    assert not lost
