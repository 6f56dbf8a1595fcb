"""Tables and plots of the pages, from the files of measurements.

`python xtask/site/pages.py` writes them into README.md and `docs/src`, as `cargo xtask bless` does;
a test compares.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import measurements
import plots
from measurements import ROOT, Accuracy, Calls, Distance, Family, Kernels, Level

GUIDE = ROOT / "docs/src"

# Columns of the table of calls, and their heads.
LIBRARIES = {
    "opwright": "opwright",
    "C": "by hand in C",
    "nanobind": "nanobind",
    "PyO3": "PyO3",
    "numpy": "numpy",
}


def written() -> dict[Path, str]:
    """What the pages and plots should be, as far as measurements say it."""
    calls, kernels = measurements.calls(), measurements.kernels()
    accuracy = measurements.accuracy()
    return {
        ROOT / "README.md": with_tables(ROOT / "README.md", [table_of_calls(calls)]),
        GUIDE / "speed.md": with_tables(GUIDE / "speed.md", [table_of_kernels(kernels)]),
        GUIDE / "accuracy.md": with_tables(GUIDE / "accuracy.md", [*tables_of_levels(accuracy)]),
        GUIDE / "plots/kernels.svg": plots.plot_kernels(kernels),
        GUIDE / "plots/accuracy.svg": plots.plot_accuracy(accuracy["levels"][0]),
    }


def with_tables(page: Path, tables: list[str]) -> str:
    """The page with these tables in the places of those that begin with the same line.

    Raises:
        ValueError: The page has not as many.
    """
    lines = page.read_text(encoding="utf-8").splitlines()
    made: list[str] = []
    left = list(tables)
    at = 0
    while at < len(lines):
        if left and lines[at] == left[0].partition("\n")[0]:
            made += left.pop(0).splitlines()
            while at < len(lines) and lines[at].startswith("|"):
                at += 1
        else:
            made.append(lines[at])
            at += 1
    if left:
        raise ValueError(f"{page.name}: there is no table that begins `{left[0].splitlines()[0]}`")
    return "\n".join(made) + "\n"


def table(*rows: list[str]) -> str:
    """A table of Markdown; the first row is its head."""
    head, *rest = (f"| {' | '.join(it)} |".replace("|  |", "| |") for it in rows)
    return "\n".join([head, "|" + "---|" * len(rows[0]), *rest])


def table_of_calls(measured: Calls) -> str:
    """What a call costs in each library."""

    def cells(times: dict[str, int]) -> Iterator[str]:
        return (f"{times[it]:,}" if it in times else "" for it in LIBRARIES)

    rows = [[it["call"], *cells(it["nanoseconds"])] for it in measured["calls"]]
    return table(["call", *LIBRARIES.values()], *rows).replace("|  |", "| |")


def table_of_kernels(measured: Kernels) -> str:
    """How fast each family is."""

    def row(family: Family) -> list[str]:
        worst = f"{family['worst']:.1f}, `{family['workload']}`"
        fast = f"{family['as_fast']} of {family['of']}"
        return [family["name"], fast, f"{family['mean']:.2f}", worst]

    rows = [row(it) for it in (*measured["families"], measured["all"])]
    return table(["family", "as fast", "mean", "worst"], *rows)


def tables_of_levels(measured: Accuracy) -> Iterator[str]:
    """How exact functions are, a table for each set of instructions."""
    return map(table_of_level, measured["levels"])


def table_of_level(level: Level) -> str:
    """How exact functions are with a set of instructions."""

    def cells(distance: Distance) -> list[str]:
        return [f"{distance['ulp']:.2f}", distance["where"]]

    head = ["function", "`float32`", "where", "`float64`", "where"]
    rows = [
        [f"`{it['name']}`", *cells(it["float32"]), *cells(it["float64"])]
        for it in level["functions"]
    ]
    return table(head, *rows)


def main() -> None:
    """Writes what differs."""
    for path, text in written().items():
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
            print(f"wrote {path.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
