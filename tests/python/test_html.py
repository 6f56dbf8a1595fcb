"""What notebooks show of tensors, modules and functions of graphs."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from html.parser import HTMLParser
from typing import Any

import hypothesis.strategies as st
import opwright
import pytest
from dtypes import DTYPES
from hypothesis import given
from opwright import nn

OPTIONS: dict[str, Any] = {"threshold": 1000, "edgeitems": 3, "linewidth": 80, "precision": 4}
MOST_BYTES, MOST_CELLS = 32_768, 600
GAP = "\N{HORIZONTAL ELLIPSIS}"
TAGS = {"b", "code", "details", "div", "pre", "span", "summary", "table", "td", "th", "tr"}
# What needs no end.
DRAWN = {"svg", "defs", "marker", "path", "line", "text", "rect", "ellipse"}


class Page(HTMLParser):
    """The tags, cells and text of a piece of HTML, which is checked to be well-formed and inert."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.cells: list[str] = []
        self.text = ""
        self.feed(text)
        self.close()
        assert not self.open, f"{self.open} are not closed"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Checks a tag and what it has."""
        assert tag in TAGS | DRAWN
        if tag in TAGS:
            assert {name for name, _ in attrs} <= {"style", "open"}
        assert not any(name.startswith("on") or "href" in name for name, _ in attrs)
        self.tags.append(tag)
        self.open.append(tag)
        if tag == "td":
            self.cells.append("")

    def handle_endtag(self, tag: str) -> None:
        """Ends the tag that began last."""
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        """Keeps the text."""
        self.text += data
        if "td" in self.open:
            self.cells[-1] += data


def page(shown: Any) -> Page:
    """What a notebook gets, which is small."""
    text = shown._repr_html_()
    assert isinstance(text, str)
    assert len(text.encode()) <= MOST_BYTES
    found = Page(text)
    assert len(found.cells) <= MOST_CELLS
    return found


@pytest.fixture(autouse=True)
def _default_options() -> Iterator[None]:
    yield
    opwright.set_printoptions(profile="default")


# --- tensors ------------------------------------------------------------------------------


@given(st.lists(st.integers(0, 12), max_size=4), st.sampled_from(DTYPES))
def test_elements_are_shown_in_their_order(shape: list[int], dtype: str) -> None:
    count = math.prod(shape)
    x = opwright.arange(count).reshape(shape).to(getattr(opwright, dtype))
    found = page(x)
    assert f"{dtype} \N{MIDDLE DOT} shape {tuple(shape)}" in found.text
    cells = [it for it in found.cells if it != GAP]
    kind: Callable[[str], Any] = bool if dtype == "bool" else complex
    places = shown_places(shape)
    expected = [x[it].item() for it in places] if count else []
    values = [it == "True" if kind is bool else complex(it.replace(".j", "j")) for it in cells]
    assert len(values) == len(expected)
    assert all(
        math.isclose(abs(a - b), 0, abs_tol=1e-3 * (1 + abs(b)))
        for a, b in zip(values, expected, strict=True)
    )


def shown_places(shape: list[int]) -> list[tuple[int, ...]]:
    """The indices of what is shown: two matrices and five indices at each end."""
    places: list[tuple[int, ...]] = [()]
    for size in shape[:-2]:
        places = [(*at, it) for at in places for it in range(size)]
    places = places if len(places) <= 4 else places[:2] + places[-2:]
    for size in shape[-2:]:
        shown = [*range(size)] if size <= 10 else [*range(5), *range(size - 5, size)]
        places = [(*at, it) for at in places for it in shown]
    return places


def test_cells_have_the_digits_of_repr() -> None:
    x = opwright.tensor([[1.0, -2.25], [math.nan, 1e3]])
    shown = repr(x).partition("[[")[2].partition("]]")[0]
    texts = [it.strip(" []\n") for it in shown.split(",")]
    assert page(x).cells == texts
    # However many lines of text they are.
    cells = page(opwright.linspace(0, 1, 9).repeat(6, 1)).cells
    assert {len(it) for it in cells} == {5}
    opwright.set_printoptions(threshold=0, edgeitems=1, precision=1)
    assert page(opwright.tensor([0.25, 1.0, 7.0])).cells == ["0.2", "1.", "7."]


@pytest.mark.parametrize(
    ("shape", "cells"),
    [([10**12], 11), ([10**6, 10**6], 121), ([2] * 20, 16), ([1] * 63, 1), ([50] * 6, 484)],
)
def test_huge_tensors_are_small(shape: list[int], cells: int) -> None:
    assert len(page(opwright.zeros(1).expand(shape)).cells) == cells


def test_digits_without_end_are_cut() -> None:
    opwright.set_printoptions(precision=1000, sci_mode=False)
    assert max(map(len, page(opwright.rand(60, 60, dtype=opwright.float64).exp()).cells)) < 50


@pytest.mark.parametrize("device", ["cpu", "meta"])
@pytest.mark.parametrize("shape", [(0,), (3, 0), (0, 5, 2)])
def test_tensors_without_elements_have_no_table(shape: tuple[int, ...], device: str) -> None:
    found = page(opwright.empty(shape, device=device))
    assert "table" not in found.tags
    assert ("meta" in found.text) == (device == "meta")
    assert not page(opwright.empty((2, 2), device="meta")).cells


def test_gradients_are_mentioned_and_not_recorded() -> None:
    x = opwright.rand(3, requires_grad=True)
    assert "requires_grad" in page(x).text
    assert "grad_fn SumBackward0" in page(x.sum()).text
    assert "grad" not in page(x.detach()).text
    x.sum().backward()
    assert x.grad is not None and x.grad.tolist() == [1.0, 1.0, 1.0]
    assert page(nn.Parameter([1.0])).text.startswith("Parameter")


def test_samples_of_vmap_are_shown_as_text() -> None:
    seen: list[Page] = []

    def note(x: opwright.Tensor) -> opwright.Tensor:
        seen.append(page(x))
        return x

    opwright.vmap(note)(opwright.ones(2, 3))
    opwright.func.grad(lambda x: note(x).sum())(opwright.ones(2))
    assert "BatchedTensor(" in seen[0].text
    assert seen[1].cells == ["1.", "1."]


HOSTILE = "<script>alert('&')</script>\" onload=\"alert(1)"


def test_names_are_escaped() -> None:
    shown = type(HOSTILE, (opwright.Tensor,), {})([1.0])
    text = shown._repr_html_()
    assert "<script" not in text and page(shown).text.startswith("<script>")


def test_overrides_and_classes_cannot_make_it_fail() -> None:
    class Refuses(opwright.Tensor):
        @classmethod
        def __opwright_function__(cls, *args: Any, **kwargs: Any) -> Any:
            raise AssertionError("a picture is no call")

    class Shown(opwright.Tensor):
        def __repr__(self) -> str:
            return HOSTILE * 1000

    class Fails(opwright.Tensor):
        def __repr__(self) -> str:
            raise ValueError("no text")

    assert page(Refuses([1.0, 2.0])).cells == ["1.", "2."]
    assert page(Shown([1.0])).text.startswith("<script>")
    assert page(Fails([1.0])).text == "<Fails>"


def test_nothing_of_a_tensor_is_changed() -> None:
    x = opwright.rand(20, 20)
    with opwright.inference_mode():
        y = opwright.rand(20, 20)
        page(y)
    copy, version = x.clone(), x._version
    page(x)
    page(y)
    assert opwright.equal(x, copy) and x._version == version


# --- modules ------------------------------------------------------------------------------


def test_a_module_is_a_tree_with_counts() -> None:
    model = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Sequential(nn.Linear(4, 2, bias=False)))
    model[0].bias.requires_grad_(False)
    found = page(model)
    assert found.tags.count("details") == 4
    assert "Sequential \N{MIDDLE DOT} 24 parameters, 96 bytes, 4 of them frozen" in found.text
    assert "1: ReLU \N{MIDDLE DOT} no parameters" in found.text
    assert "weight: float32, shape (4, 3)" in found.text
    assert "bias: float32, shape (4,), frozen" in found.text
    assert "running_mean: buffer, float32" in page(nn.BatchNorm1d(2)).text


def test_shared_parameters_count_once() -> None:
    layer = nn.Linear(2, 2)
    assert "Sequential \N{MIDDLE DOT} 6 parameters" in page(nn.Sequential(layer, layer)).text


def test_large_modules_are_small() -> None:
    wide = nn.ModuleList([nn.Linear(1, 1) for _ in range(1000)])
    assert "and 976 more" in page(wide).text
    deep: nn.Module = nn.Linear(1, 1)
    for _ in range(50):
        deep = nn.Sequential(deep)
    assert page(deep).text.count("Sequential") <= 20
    tree: nn.Module = nn.Linear(1, 1)
    for _ in range(5):
        tree = nn.ModuleList([tree] * 20)
    # Each module is there many times.
    assert len(tree._repr_html_()) < 200_000


def test_modules_cannot_make_it_fail() -> None:
    class Strange(nn.Module):
        def extra_repr(self) -> str:
            raise ValueError("no settings")

    class Hostile(nn.Module):
        def extra_repr(self) -> str:
            return HOSTILE

    assert page(Strange()).text == "<Strange>"
    assert HOSTILE.split()[0] in page(Hostile()).text
    ring = nn.Sequential(nn.ReLU())
    ring.add_module("again", ring)
    assert "contains itself" in page(ring).text
    holey = nn.Module()
    holey.register_parameter("weight", None)
    holey.register_module("inner", None)
    assert "weight: None" in page(holey).text and "inner: None" in page(holey).text


# --- functions ----------------------------------------------------------------------------


def test_functions_draw_themselves_on_white() -> None:
    x = opwright.TensorType("float64", (None,))("x")
    total = opwright.shared([0.0], name="total", type=x.type)
    add = opwright.function([x], x.sum(), updates={total: total + x}, name="add")
    for shown in (add, add.graph):
        found = page(shown)
        assert "background:#fff" in shown._repr_html_()
        assert ">total<" in shown._repr_svg_() and shown._repr_svg_() in shown._repr_html_()
        assert "of x" in found.text and "nodes" in found.text
    assert page(add).text.startswith("add")


def test_large_graphs_are_not_drawn() -> None:
    x = opwright.TensorType("float64", (None,))("x")
    y = x
    for at in range(400):
        y = opwright.sin(y) if at % 2 else y.sort().values
    many = opwright.function([x], y)
    assert many._repr_svg_() is None
    assert re.search(r"4\d\d nodes .* too many to draw", page(many).text)


def test_variables_draw_themselves_on_white() -> None:
    x = opwright.TensorType("float64", (None,))("x")
    y = opwright.sin(x)
    assert "TensorType(float64, (?,))" in page(y).text and "of x" in page(y).text
    assert y._repr_svg_() in y._repr_html_() and "1 node" in page(y).text
    for _ in range(300):
        y = opwright.sin(y)
    assert y._repr_svg_() is None
    assert "301 nodes" in page(y).text and "too many to draw" in page(y).text


def test_names_of_functions_are_escaped() -> None:
    x = opwright.TensorType("float64", (None,))(HOSTILE)
    found = opwright.function([x], x + 1, name=HOSTILE)
    assert "<script" not in found._repr_html_()
    assert page(found).text.startswith("<script>")


# --- in a notebook ------------------------------------------------------------------------


def test_notebooks_find_what_is_shown() -> None:
    formatters = pytest.importorskip("IPython.core.formatters", reason="needs IPython")
    shown = formatters.DisplayFormatter().format
    x = opwright.TensorType("float64", (None,))("x")
    function = opwright.function([x], x + 1)
    for it in (opwright.ones(2), nn.Linear(1, 1), function, function.graph):
        data, _ = shown(it)
        assert data["text/html"] == it._repr_html_() and "text/plain" in data
    assert "image/svg+xml" in shown(function)[0] and "image/svg+xml" in shown(x + 1)[0]
