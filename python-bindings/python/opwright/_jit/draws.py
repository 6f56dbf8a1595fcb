# Bodies are typed by the compiler.
# mypy: disallow-untyped-defs=False, disallow-untyped-decorators=False, disallow-untyped-calls=False
"""Random numbers of `random` and `numpy.random`, from the default generator.

`opwright.manual_seed` seeds them. A loop that draws numbers one at a time gets those that a tensor
of `float64` would be filled with; an array is filled by the operator that fills tensors.
"""

from __future__ import annotations

import random
from typing import Any

from .. import types
from .errors import TypingError
from .overloads import builtin
from .standing import below, fill_integers, fill_normal, fill_uniform, normal, seed, unit


def _is_left_out(ty: Any) -> bool:
    return ty is None or ty is types.none or isinstance(ty, types.Omitted)


def between(low, high):
    """Return an integer from `low` to before `high`."""
    if low >= high:
        raise ValueError("low >= high")
    return low + below(high - low)


@builtin(random.random)
def _random() -> Any:
    return lambda: unit()


@builtin(random.uniform)
def _uniform(a: Any, b: Any) -> Any:
    return lambda a, b: a + (b - a) * unit()


@builtin(random.gauss)
def _gauss(mu: Any = 0.0, sigma: Any = 1.0) -> Any:
    return lambda mu=0.0, sigma=1.0: mu + sigma * normal()


@builtin(random.normalvariate)
def _normalvariate(mu: Any = 0.0, sigma: Any = 1.0) -> Any:
    return lambda mu=0.0, sigma=1.0: mu + sigma * normal()


@builtin(random.randrange)
def _randrange(start: Any, stop: Any = None, step: Any = 1) -> Any:
    if _is_left_out(stop):

        def up_to(start, stop=None, step=1):
            if start <= 0:
                raise ValueError("empty range for randrange()")
            return below(start)

        return up_to

    def randrange(start, stop=None, step=1):
        if step == 0:
            raise ValueError("zero step for randrange()")
        count = len(range(start, stop, step))
        if count <= 0:
            raise ValueError("empty range for randrange()")
        return start + step * below(count)

    return randrange


@builtin(random.randint)
def _randint(a: Any, b: Any) -> Any:
    def randint(a, b):
        if b < a:
            raise ValueError("empty range for randrange()")
        return a + below(b - a + 1)

    return randint


@builtin(random.seed)
def _seed(a: Any) -> Any:
    def reseed(a):
        seed(a)

    return reseed if isinstance(a, types.Integer) else None


def with_numpy() -> None:
    """Register the functions of `numpy.random`, once numpy is imported."""
    import numpy as np

    def uniform(low, high, size):
        out = np.empty(size)
        fill_uniform(out, low, high)
        return out

    def gaussian(mean, deviation, size):
        if deviation < 0:
            raise ValueError("scale < 0")
        out = np.empty(size)
        fill_normal(out, mean, deviation)
        return out

    def _of_size(function: Any) -> None:
        @builtin(function)
        def _(size: Any = None) -> Any:
            if _is_left_out(size):
                return lambda size=None: unit()
            return lambda size=None: uniform(0.0, 1.0, size)

    for function in (np.random.random, np.random.random_sample, np.random.ranf, np.random.sample):
        _of_size(function)

    @builtin(np.random.rand)
    def _(*shape: Any) -> Any:
        if not shape:
            return lambda *shape: unit()
        return lambda *shape: uniform(0.0, 1.0, shape)

    @builtin(np.random.randn)
    def _(*shape: Any) -> Any:
        if not shape:
            return lambda *shape: normal()
        return lambda *shape: gaussian(0.0, 1.0, shape)

    @builtin(np.random.standard_normal)
    def _(size: Any = None) -> Any:
        if _is_left_out(size):
            return lambda size=None: normal()
        return lambda size=None: gaussian(0.0, 1.0, size)

    @builtin(np.random.uniform)
    def _(low: Any = 0.0, high: Any = 1.0, size: Any = None) -> Any:
        if _is_left_out(size):
            return lambda low=0.0, high=1.0, size=None: low + (high - low) * unit()
        return lambda low=0.0, high=1.0, size=None: uniform(low, high, size)

    @builtin(np.random.normal)
    def _(loc: Any = 0.0, scale: Any = 1.0, size: Any = None) -> Any:
        if not _is_left_out(size):
            return lambda loc=0.0, scale=1.0, size=None: gaussian(loc, scale, size)

        def one(loc=0.0, scale=1.0, size=None):
            if scale < 0:
                raise ValueError("scale < 0")
            return loc + scale * normal()

        return one

    @builtin(np.random.randint)
    def _(low: Any, high: Any = None, size: Any = None) -> Any:
        if not isinstance(low, types.Integer):
            raise TypingError(f"randint() takes integers, not {low}")
        up_to = _is_left_out(high)
        if _is_left_out(size):
            if up_to:
                return lambda low, high=None, size=None: between(0, low)
            return lambda low, high=None, size=None: between(low, high)

        def integers(low, high=None, size=None):
            first, last = (0, low) if up_to else (low, high)
            if first >= last:
                raise ValueError("low >= high")
            out = np.empty(size, np.int64)
            fill_integers(out, first, last)
            return out

        return integers

    @builtin(np.random.seed)
    def _(seed: Any) -> Any:
        return _seed_of_numpy() if isinstance(seed, types.Integer) else None


def _seed_of_numpy() -> Any:
    start = globals()["seed"]

    def reseed(seed):
        start(seed)

    return reseed
