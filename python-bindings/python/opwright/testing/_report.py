"""What a check of operators found, as text."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Problem:
    """Something that does not hold."""

    operator: str
    check: str
    text: str
    # The call in which it showed, if it did in one.
    call: str = ""

    def __str__(self) -> str:
        place = f"\n    {self.call}" if self.call else ""
        return f"{self.operator}: {self.check}: {self.text}{place}"


@dataclass
class Report:
    """What `opcheck` found; it is shown as text.

    Attributes:
        operators: How many operators were looked at.
        calls: How many calls of them, for each kind of sample.
        uncalled: Overloads for which no call was found, by their schemas.
        left: Calls that took too much time or memory and were interrupted, with the reason.
        unchecked: What nobody looked at, with the reason.
        known: What is known not to hold, with the reason.
        problems: What does not hold.
    """

    operators: int = 0
    calls: dict[str, int] = field(default_factory=dict)
    uncalled: list[str] = field(default_factory=list)
    left: list[str] = field(default_factory=list)
    unchecked: list[str] = field(default_factory=list)
    known: list[str] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        """Whether everything holds."""
        return not self.problems

    def set_aside(self, reason: Callable[[Problem], str | None]) -> None:
        """Counts problems as known for which there is a reason."""
        reasons = [reason(it) for it in self.problems]
        pairs = list(zip(self.problems, reasons, strict=True))
        known = (f"{it.operator}: {it.check}: {why}" for it, why in pairs if why is not None)
        self.known = list(dict.fromkeys(known))
        self.problems = [it for it, why in pairs if why is None]

    def __str__(self) -> str:
        kinds = ", ".join(f"{count} {kind}" for kind, count in self.calls.items())
        lines = [f"{self.operators} operators, {sum(self.calls.values())} calls ({kinds})"]
        lines += [f"no call found: {it}" for it in self.uncalled]
        lines += [f"interrupted: {it}" for it in self.left]
        lines += [f"not looked at: {it}" for it in self.unchecked]
        lines += [f"known: {it}" for it in self.known]
        alike: dict[tuple[str, str, str], list[Problem]] = {}
        for problem in self.problems:
            alike.setdefault((problem.operator, problem.check, problem.text), []).append(problem)
        for first, *others in alike.values():
            lines.append(f"{first}, and {len(others)} more calls" if others else str(first))
        lines.append(f"{len(alike)} problems" if alike else "everything holds")
        return "\n".join(lines)

    __repr__ = __str__


class OpcheckError(AssertionError):
    """An operator is not what its descriptions say.

    Attributes:
        report: What was found.
    """

    def __init__(self, report: Report) -> None:
        super().__init__(str(report))
        self.report = report
