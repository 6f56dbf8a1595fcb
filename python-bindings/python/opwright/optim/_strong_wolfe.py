"""Line search for the strong Wolfe conditions, by cubic interpolation.

A step has to lessen the loss by a share of what the slope promises, and to flatten the slope:
Nocedal and Wright, "Numerical Optimization" (2006), algorithms 3.5 and 3.6. How far an interpolated
step may go, and when it counts as no progress, is as in Schmidt's `minFunc` and in PyTorch.
"""

from __future__ import annotations

from math import isnan, nan, sqrt
from typing import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from opwright import Tensor

# What share of the promised decrease is enough, and what share of the slope may be left.
_DECREASE = 1e-4
_CURVATURE = 0.9
# As many steps are tried at most, beside the first.
_MOST = 25


class Point(NamedTuple):
    """A step along the direction: the loss there, its gradient, and its slope in the direction."""

    step: float
    loss: float
    gradient: Tensor
    slope: float


class LineSearch:
    """A search along one direction, whose greatest element is `longest`.

    `evaluate` returns what is at a step; `evaluations` counts its calls. `start` is at step 0, and
    falls. Brackets that are shorter than `tolerance` are not searched.
    """

    def __init__(
        self,
        evaluate: Callable[[float], Point],
        start: Point,
        longest: float,
        tolerance: float = 1e-9,
    ) -> None:
        self._evaluate = evaluate
        self._start = start
        self._longest = longest
        self._tolerance = tolerance
        self.evaluations = 0

    def run(self, step: float) -> Point:
        """The point that fulfils the conditions, or the lowest that was found."""
        bracket = self._bracket(step)
        return bracket[0] if len(bracket) == 1 else self._zoom(bracket)

    def _at(self, step: float) -> Point:
        self.evaluations += 1
        return self._evaluate(step)

    def _is_too_high(self, point: Point) -> bool:
        start = self._start
        return point.loss > start.loss + _DECREASE * point.step * start.slope

    def _is_flat(self, point: Point) -> bool:
        return abs(point.slope) <= -_CURVATURE * self._start.slope

    def _bracket(self, step: float) -> list[Point]:
        """Two points with one that fulfils the conditions between them, or that one alone."""
        before, point = self._start, self._at(step)
        for tried in range(_MOST):
            if self._is_too_high(point) or (tried > 1 and point.loss >= before.loss):
                return [before, point]
            if self._is_flat(point):
                return [point]
            if point.slope >= 0:
                return [before, point]
            least = point.step + 0.01 * (point.step - before.step)
            step = _lowest(before, point, least, 10 * point.step)
            before, point = point, self._at(step)
        return [self._start, point]

    def _zoom(self, bracket: list[Point]) -> Point:
        """The lowest point, after a bracket was narrowed."""
        is_stuck = False
        low = _lower(bracket)
        while self.evaluations <= _MOST:
            first, second = bracket
            width = abs(second.step - first.step)
            if width == 0 or width * self._longest < self._tolerance:
                break
            step, is_stuck = _inside(bracket, is_stuck)
            point, high = self._at(step), 1 - low
            if self._is_too_high(point) or point.loss >= bracket[low].loss:
                bracket[high] = point
                low = _lower(bracket)
                continue
            if self._is_flat(point):
                return point
            if point.slope * (bracket[high].step - bracket[low].step) >= 0:
                bracket[high] = bracket[low]
            bracket[low] = point
        return bracket[low]


def _lower(bracket: list[Point]) -> int:
    return 0 if bracket[0].loss <= bracket[1].loss else 1


def _inside(bracket: list[Point], is_stuck: bool) -> tuple[float, bool]:
    """A step in a bracket, and whether it is so near to an end that the next must not be."""
    ends = sorted(it.step for it in bracket)
    least, greatest = ends
    step = _lowest(bracket[0], bracket[1], least, greatest)
    margin = 0.1 * (greatest - least)
    if min(greatest - step, step - least) >= margin:
        return step, False
    if not is_stuck and least < step < greatest:
        return step, True
    is_near_the_greatest = abs(step - greatest) < abs(step - least)
    return (greatest - margin if is_near_the_greatest else least + margin), False


def _lowest(one: Point, other: Point, least: float, greatest: float) -> float:
    """Where the cubic through two points with their slopes is lowest, between two steps.

    Equation 3.59 of Nocedal and Wright; the middle where the cubic has no such place.
    """
    first, second = (one, other) if one.step <= other.step else (other, one)
    distance = second.step - first.step
    if distance:
        mean = first.slope + second.slope - 3 * (first.loss - second.loss) / -distance
        square = mean * mean - first.slope * second.slope
        # What is not a number compares false.
        if square >= 0:
            root = sqrt(square)
            divisor = second.slope - first.slope + 2 * root
            share = (second.slope + root - mean) / divisor if divisor else nan
            if not isnan(share):
                return min(max(second.step - distance * share, least), greatest)
    return (least + greatest) / 2
