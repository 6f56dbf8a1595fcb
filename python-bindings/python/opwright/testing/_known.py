"""What is known not to hold of operators, as a file says it."""

from __future__ import annotations

import tomllib
from collections.abc import Collection
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any

from opwright.testing._report import Problem


@dataclass
class Known:
    """What a file says.

    Attributes:
        words: What is tried where a text is asked for that has no default.
        reasons: Why a check of an operator does not hold.
    """

    words: list[str] = field(default_factory=list)
    reasons: dict[tuple[str, str], str] = field(default_factory=dict)

    def reason(self, problem: Problem) -> str | None:
        """Why something does not hold, if that is known."""
        return self.reasons.get((problem.operator, problem.check))


def beside(module: ModuleType) -> Path | None:
    """The file of a package, if it has one."""
    place = getattr(module, "__file__", None)
    path = Path(place).with_name("opcheck.toml") if place else None
    return path if path is not None and path.is_file() else None


def read(path: Path, checks: Collection[str]) -> Known:
    """Reads `words`, and the tables of all lists of tables.

    Raises:
        OSError: There is no such file.
        ValueError: It is not written as it should be, or names none of these checks.
    """
    known = Known()
    for name, value in tomllib.loads(path.read_text(encoding="utf-8")).items():
        if name == "words" and _are(str, value):
            known.words = value
        elif name != "words" and _are(dict, value):
            for it in value:
                known.reasons.update([_entry(f"{path}: [[{name}]]", it, checks)])
        else:
            raise ValueError(f"{path}: {name!r} is neither a list of `words` nor one of tables")
    return known


def _are(kind: type, value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(it, kind) for it in value)


def _entry(place: str, entry: dict[str, Any], checks: Collection[str]) -> tuple[Any, str]:
    if set(entry) != {"operator", "check", "reason"} or not _are(str, list(entry.values())):
        raise ValueError(f"{place} says `operator`, `check` and `reason`, not {entry}")
    if entry["check"] not in checks:
        raise ValueError(f"{place}: there is no check {entry['check']!r}")
    return (entry["operator"], entry["check"]), entry["reason"]
