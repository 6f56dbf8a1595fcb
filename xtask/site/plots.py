"""Plots of measurements as SVG.

Colours are variables of CSS with a default: as an image a plot stands on white paper, within a page
it takes the page's colours.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from html import escape

from measurements import Calls, Exactness, Kernels, Level

INK = "var(--plot-ink, #24292f)"
FAINT = "var(--plot-faint, #6a737d)"
GRID = "var(--plot-grid, #d8dee4)"
PAPER = "var(--plot-paper, #ffffff)"
OURS = "var(--plot-ours, #c2410c)"
OTHERS = "var(--plot-others, #94a3b8)"
ON_OURS = "var(--plot-on-ours, #ffffff)"
SECOND = "var(--plot-second, #2563eb)"

WIDTH = 640
FONT = "system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif"
# What libraries of the table of calls are named in a plot.
SHOWN = {"C": "by hand in C"}
# The calls that a plot shows; the table has the others.
PLOTTED_CALLS = ("`add(a, b)`", "`add(a, b, alpha=2)`", "`add(a, b, out=out)`")


class Canvas:
    """Shapes of a plot, from the top left."""

    def __init__(self, height: float, title: str) -> None:
        """Begins a plot; the title is for those who do not see it."""
        self.head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height:g}" '
            f'role="img" font-family="{FONT}" font-size="13">\n<title>{escape(title)}</title>\n'
            f'<rect width="{WIDTH}" height="{height:g}" rx="6" style="fill:{PAPER}"/>\n'
        )
        self.rows: list[str] = []
        self.shapes: list[str] = []

    def text(
        self,
        x: float,
        y: float,
        text: str,
        colour: str = INK,
        anchor: str = "start",
        size: int = 13,
    ) -> None:
        """A line of text by its baseline."""
        self.shapes.append(
            f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}" '
            f'style="fill:{colour}">{escape(text)}</text>'
        )

    def bar(self, x: float, y: float, width: float, height: float, colour: str) -> None:
        """A filled bar."""
        self.shapes.append(
            f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:g}" rx="2" '
            f'style="fill:{colour}"/>'
        )

    def line(self, x: float, y: float, to_x: float, to_y: float, colour: str = GRID) -> None:
        """A straight line."""
        self.shapes.append(
            f'<line x1="{x:.1f}" y1="{y:.1f}" x2="{to_x:.1f}" y2="{to_y:.1f}" '
            f'style="stroke:{colour}"/>'
        )

    def dot(self, x: float, y: float, colour: str) -> None:
        """A filled circle."""
        self.shapes.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" style="fill:{colour}"/>')

    def end_row(self) -> None:
        """Puts the shapes since the last row on a line of the file, so that changes can be read."""
        self.rows.append("".join(self.shapes))
        self.shapes = []

    def svg(self) -> str:
        """The whole picture."""
        self.end_row()
        return self.head + "\n".join(filter(None, self.rows)) + "\n</svg>\n"


def plain(text: str) -> str:
    """Without the marks of code that Markdown has."""
    return text.replace("`", "")


def plot_calls(measured: Calls) -> str:
    """What some calls cost: a group of bars for each, a bar for each library."""
    by_name = {it["call"]: it["nanoseconds"] for it in measured["calls"]}
    groups = [(it, by_name[it]) for it in PLOTTED_CALLS]
    left, row, gap = 130, 19, 38
    most = max(max(it.values()) for _, it in groups)
    height = 14 + sum(gap + row * len(times) for _, times in groups)
    canvas = Canvas(height, "Nanoseconds of a call, by library")
    y = 8.0
    for call, times in groups:
        canvas.text(16, y + 18, plain(call), size=14)
        y += 28
        for library, took in times.items():
            is_ours = library == "opwright"
            width = (WIDTH - left - 80) * took / most
            colour = INK if is_ours else FAINT
            canvas.text(left - 10, y + 12, SHOWN.get(library, library), colour, "end")
            canvas.bar(left, y, width, row - 5, OURS if is_ours else OTHERS)
            canvas.text(left + width + 8, y + 12, f"{took} ns", colour)
            canvas.end_row()
            y += row
        y += gap - 28
    return canvas.svg()


def plot_kernels(measured: Kernels) -> str:
    """The mean ratio of each family to the fastest other library; left of the line is faster."""
    left, right, row = 210, 120, 24
    families = [*measured["families"], measured["all"]]
    most = max(it["mean"] for it in families)
    scale = (WIDTH - left - right) / max(1.5, most)
    height = 62 + row * len(families)
    canvas = Canvas(height, "Time beside the fastest other library, by family of kernels")
    for tick in (0.5, 1.0, 1.5):
        x = left + tick * scale
        canvas.line(x, 34, x, height - 18, FAINT if tick == 1 else GRID)
        canvas.text(x, 26, f"{tick:g}", FAINT, "middle", 12)
    canvas.text(WIDTH - 16, 26, "as fast", FAINT, "end", 12)
    for at, family in enumerate(families):
        canvas.end_row()
        y = 40 + row * at + (6 if family is measured["all"] else 0)
        canvas.text(left - 10, y + 14, family["name"], anchor="end")
        is_faster = family["mean"] <= 1
        colour, label = (OURS, ON_OURS) if is_faster else (OTHERS, INK)
        canvas.bar(left, y + 3, family["mean"] * scale, row - 9, colour)
        inside = left + family["mean"] * scale - 6
        canvas.text(inside, y + 14, f"{family['mean']:.2f}", label, "end", 12)
        canvas.text(WIDTH - 16, y + 14, f"{family['as_fast']} of {family['of']}", FAINT, "end")
    return canvas.svg()


def plot_accuracy(level: Level, names: Sequence[str] = ()) -> str:
    """How far functions are off at most, in units of the last place; of these names, or all."""
    functions = [it for it in level["functions"] if not names or it["name"] in names]
    left, row = 270 if not names else 100, 18
    height = 62 + row * len(functions)
    canvas = Canvas(height, "Greatest error of functions in units of the last place")
    most = max(max(it["float32"]["ulp"], it["float64"]["ulp"]) for it in functions)
    ticks = [it for it in (0.5, 1, 2, 4, 8, 16, 32) if it <= max(2, 2 * most)]

    def place(ulp: float) -> float:
        span = math.log(ticks[-1] / ticks[0])
        return left + 10 + (WIDTH - left - 40) * math.log(max(ulp, ticks[0]) / ticks[0]) / span

    canvas.dot(20, 20, OURS)
    canvas.text(29, 24, "float32", size=12)
    canvas.dot(20, 38, SECOND)
    canvas.text(29, 42, "float64", size=12)
    for tick in ticks:
        x = place(tick)
        canvas.line(x, 50, x, height - 8, FAINT if tick == 1 else GRID)
        canvas.text(x, 42, f"{tick:g}", FAINT, "middle", 12)
    canvas.text(WIDTH - 16, 24, "units of the last place, greatest error found", FAINT, "end", 12)
    for at, function in enumerate(functions):
        dots(canvas, function, 54 + row * at, left, place)
    return canvas.svg()


def dots(
    canvas: Canvas, function: Exactness, y: float, left: float, place: Callable[[float], float]
) -> None:
    """The row of a function."""
    canvas.end_row()
    canvas.text(left - 10, y + 13, function["name"], anchor="end", size=12)
    canvas.dot(place(function["float64"]["ulp"]), y + 9, SECOND)
    canvas.dot(place(function["float32"]["ulp"]), y + 9, OURS)
