"""Throwing a ball through the wind into a basket: a simulation, compiled, and its gradient.

A vector of the plane is a type of one's own, with operators. The flight is a loop over vectors;
compiled, it has no objects, and where the ball lands is a function of numbers, which is
differentiated although nobody wrote down a derivative. So Newton's method finds out how to throw.

The picture of all throws is written to the file that is named, or to `throw.svg`.
"""

from __future__ import annotations

import math
import operator
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import opwright
from opwright import jit, types, vectorize
from opwright.extending import native_struct, overload, typeof

BASKET = 25.0
STEP = 1e-3
THROWS = 25


@native_struct(frozen=True)
class Vector:
    """A vector of the plane, which lies in memory as a struct of C does."""

    x: float
    y: float

    def __add__(self, other: Vector) -> Vector:
        return Vector(self.x + other.x, self.y + other.y)

    def __mul__(self, factor: float) -> Vector:
        return Vector(self.x * factor, self.y * factor)


VECTOR = typeof(Vector(0.0, 0.0))


@overload(operator.add)
def add(self: Any, other: Any) -> Any:
    """What `a + b` is in compiled functions, if both are vectors: the method."""
    return Vector.__add__ if self == other == VECTOR else None


@overload(operator.mul)
def scale(self: Any, factor: Any) -> Any:
    """What `a * b` is, if that is a vector by a number."""
    return Vector.__mul__ if self == VECTOR and isinstance(factor, types.Number) else None


@jit
def force(velocity: Vector) -> Vector:
    """What gravity and the air, which moves against the throw, do to the ball."""
    against = Vector(velocity.x + 3.0, velocity.y)
    speed = math.sqrt(against.x * against.x + against.y * against.y)
    return against * (-0.01 * speed) + Vector(0.0, -9.81)


@jit
def fly(angle: float, speed: float) -> float:
    """How far the ball flies that is thrown from the ground, and lands within a minute."""
    position = Vector(0.0, 0.0)
    velocity = Vector(speed * math.cos(angle), speed * math.sin(angle))
    for _ in range(60_000):
        after = position + velocity * STEP
        if after.y < 0.0:
            # Between the two steps it is a straight line.
            return position.x + (after.x - position.x) * position.y / (position.y - after.y)
        velocity = velocity + force(velocity) * STEP
        position = after
    return math.nan


@jit
def trace(angle: float, speed: float, points: Any) -> int:
    """Writes where the ball is every twentieth of a second, and returns how often that was."""
    position = Vector(0.0, 0.0)
    velocity = Vector(speed * math.cos(angle), speed * math.sin(angle))
    count = 0
    for step in range(points.shape[0] * 50):
        if step % 50 == 0:
            points[count, 0] = position.x
            points[count, 1] = position.y
            count += 1
        position = position + velocity * STEP
        velocity = velocity + force(velocity) * STEP
        if position.y < 0.0:
            break
    return count


distance = vectorize(fly)


def throws() -> Iterator[tuple[float, float, float]]:
    """Angle, speed and distance of each throw, until the ball is in the basket."""
    throw = opwright.tensor([0.6, 18.0], dtype=opwright.float64, requires_grad=True)
    for _ in range(THROWS):
        landed = distance(throw[0], throw[1])
        miss = landed - BASKET
        yield throw[0].item(), throw[1].item(), landed.item()
        if abs(miss.item()) < 1e-6:
            return
        (slope,) = opwright.autograd.grad(miss, [throw])
        # Newton's step along the gradient.
        with opwright.no_grad():
            throw -= slope * (miss / (slope * slope).sum())


def picture(found: list[tuple[float, float, float]]) -> str:
    """All flights as SVG, the last one in red."""
    basket = 20 * BASKET + 20
    shapes = [
        '<path d="M0,380 L720,380" stroke="black" />',
        f'<path d="M{basket - 8},372 l3,8 h10 l3,-8" fill="none" stroke="black" />',
    ]
    for number, (angle, speed, _) in enumerate(found):
        points = np.zeros((200, 2))
        count = trace(angle, speed, points)
        path = " ".join(f"{20 * x + 20:.1f},{380 - 20 * y:.1f}" for x, y in points[:count])
        colour = "crimson" if number == len(found) - 1 else "silver"
        shapes.append(f'<polyline points="{path}" fill="none" stroke="{colour}" />')
    head = '<svg xmlns="http://www.w3.org/2000/svg" width="720" height="400">'
    return "\n".join([head, *shapes, "</svg>\n"])


def quickest(function: Callable[[float, float], float], angle: float, speed: float) -> float:
    """How long a throw takes that lands in the basket, in seconds."""
    rounds = []
    # Of one round, half may be another program's.
    for _ in range(5):
        start = time.perf_counter()
        landed = function(angle, speed)
        rounds.append(time.perf_counter() - start)
        assert abs(landed - BASKET) < 1e-6
    return min(rounds)


def main() -> None:
    """Prints the throws and how long one takes; writes the picture."""
    found = list(throws())
    for number, (angle, speed, landed) in enumerate(found, 1):
        thrown = f"{math.degrees(angle):5.2f}° at {speed:6.3f} m/s"
        print(f"throw {number}: {thrown} lands at {landed:9.6f} m")
    assert abs(found[-1][2] - BASKET) < 1e-6
    fly(*found[-1][:2])
    times = [quickest(it, *found[-1][:2]) for it in (fly.py_func, fly)]
    print(f"one throw: {times[0] * 1e3:.1f} ms in Python, {times[1] * 1e6:.0f} µs compiled")
    path = Path(sys.argv[1] if len(sys.argv) > 1 else "throw.svg")
    path.write_text(picture(found), encoding="utf-8")
    print(f"the picture is in {path}")


if __name__ == "__main__":
    main()
