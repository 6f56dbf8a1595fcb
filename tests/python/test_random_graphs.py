"""Random graphs of numbers and tensors: all modes compute what calls do.

`OPWRIGHT_EVERY=1` makes thousands, otherwise some dozens are made.
"""

import itertools
import os
import pickle
import random
import warnings

import numpy as np
import opwright as ow
import pytest

COUNT = 4000 if os.environ.get("OPWRIGHT_EVERY") else 60
GROUP = 20
REFUSALS = (TypeError, ValueError, IndexError, RuntimeError, OverflowError, NotImplementedError,
            ZeroDivisionError)  # fmt: skip
DTYPES = ["bool", "uint8", "int8", "int16", "int32", "int64", "float16", "bfloat16", "float32",
          "float64", "complex64", "complex128"]  # fmt: skip
SHAPES = [(), (1,), (3,), (2, 3), (2, 1), (0,), (2, 3, 2)]
NUMBERS = [True, 0, 1, 2, -3, 0.0, -0.0, 0.5, 1.5, 1j, complex(1, -2)]
UNARY = ["neg", "abs", "exp", "sin", "sqrt", "square", "sign", "logical_not", "reciprocal", "floor",
         "isfinite", "conj", "sum", "mean", "cumsum0", "max0", "sort0", "chunk", "amax", "numbers",
         "t", "flatten", "astype"]  # fmt: skip
BINARY = ["add", "sub", "mul", "true_divide", "pow", "maximum", "minimum", "eq", "lt", "ge",
          "atan2", "fmod", "remainder", "bitwise_and", "where"]  # fmt: skip


def unary(name, x, dtype):
    """One call, of a tensor or a variable."""
    special = {
        "cumsum0": lambda: ow.cumsum(x, 0),
        "max0": lambda: ow.max(x, 0)[0],
        "sort0": lambda: ow.sort(x, 0)[1],
        "chunk": lambda: ow.chunk(x, 2)[-1],
        "numbers": lambda: x * 2 + 1,
        "flatten": lambda: ow.flatten(x),
        "astype": lambda: x.to(dtype),
    }
    return special[name]() if name in special else getattr(ow, name)(x)


def binary(name, x, y, swapped):
    if swapped:
        x, y = y, x
    if name == "where":
        return ow.where(x > y, x, y)
    symbols = {
        "add": lambda: x + y,
        "sub": lambda: x - y,
        "mul": lambda: x * y,
        "true_divide": lambda: x / y,
        "pow": lambda: x**y,
        "eq": lambda: x == y if isinstance(x, ow.Tensor) else ow.eq(x, y),
        "lt": lambda: x < y,
        "ge": lambda: x >= y,
    }
    return symbols[name]() if name in symbols else getattr(ow, name)(x, y)


def tensor(coin):
    dtype, shape = coin.choice(DTYPES), coin.choice(SHAPES)
    values = np.array([coin.choice([0.0, -0.0, 1.0, 2.0, 3.0, 0.25, 5.0])
                       for _ in range(int(np.prod(shape)))]).reshape(shape)  # fmt: skip
    made = ow.tensor(values).to(getattr(ow, dtype))
    layout = coin.random()
    if layout < 0.7 or made.ndim == 0:
        return made
    # Elements in another order, or each of them several times.
    return made.transpose(0, -1) if layout < 0.9 else made.unsqueeze(0).expand(3, *shape)


# ruff: noqa: D102
class Program:
    """Calls that were possible, to be made again of other things."""

    def __init__(self, seed):
        coin = random.Random(seed)
        self.inputs = [tensor(coin) for _ in range(coin.randint(1, 3))]
        self.steps = []
        values = list(self.inputs)
        for _ in range(coin.randint(1, 7)):
            step = self.step(coin, len(values))
            try:
                values.append(self.made(step, values))
            except REFUSALS:
                continue
            self.steps.append(step)

    def step(self, coin, count):
        x = coin.randrange(count)
        if coin.random() < 0.4:
            return "unary", coin.choice(UNARY), x, getattr(ow, coin.choice(DTYPES)), False
        other = coin.choice(NUMBERS) if coin.random() < 0.4 else None
        return "binary", coin.choice(BINARY), x, (other, coin.randrange(count)), coin.random() < 0.5

    def made(self, step, values):
        kind, name, x, other, swapped = step
        if kind == "unary":
            return unary(name, values[x], other)
        number, at = other
        return binary(name, values[x], values[at] if number is None else number, swapped)

    def run(self, inputs):
        values = list(inputs)
        for step in self.steps:
            values.append(self.made(step, values))
        return values[len(inputs) :]


def image(value):
    if not isinstance(value, ow.Tensor):
        return type(value).__name__, repr(value)
    kept = value.to(ow.float32) if value.dtype == ow.bfloat16 else value
    array = kept.contiguous().numpy().reshape(-1)
    if array.dtype.kind == "c":
        array = np.stack([array.real, array.imag])
    if array.dtype.kind == "f":
        array = np.where(np.isnan(array), np.array(np.nan, array.dtype), array)
    return str(value.dtype), tuple(value.shape), order(value), array.tobytes()


def order(value):
    """How elements lie in memory, but for gaps: a result that is a view of an input is a copy."""
    lie = zip(value.shape, value.clone().stride(), strict=True)
    return tuple(stride if size > 1 else 0 for size, stride in lie) if value.numel() > 0 else ()


def check(seed):
    """What is wrong with the graph of a number."""
    program = Program(seed)
    if not program.steps:
        return
    expected = [image(it) for it in program.run(program.inputs)]
    coin = random.Random(seed)
    variables = [
        ow.TensorType(it.dtype, [None if coin.random() < 0.5 else n for n in it.shape])()
        for it in program.inputs
    ]
    try:
        outputs = program.run(variables)
    except REFUSALS:
        return
    # Debug mode computes with copies, in which each element has a place of its own.
    is_stretched = any(0 in it.stride() for it in program.inputs)
    names = ("block", "per_op", "debug", "profile", "c")
    for name, optimizer in itertools.product(names, ("none", "safe", "full")):
        mode = ow.Mode(name, optimizer=optimizer)
        made = ow.function(variables, outputs, on_unused_input="ignore", mode=mode)
        found = [image(it) for it in made(*program.inputs)]
        # The full one may round otherwise, but not promote otherwise.
        seen = {0, 1, 2} if optimizer == "full" else {0, 1, 2, 3}
        if name == "debug" and is_stretched:
            seen.discard(2)
        for one, other in zip(found, expected, strict=True):
            parts = [[it[at] for at in seen if at < len(it)] for it in (one, other)]
            assert parts[0] == parts[1], (seed, program.steps, str(mode))
        again = pickle.loads(pickle.dumps(made))
        assert [image(it) for it in again(*program.inputs)] == found, seed


@pytest.mark.parametrize("group", range(COUNT // GROUP))
def test_random_graphs(group):
    """No mode refuses what calls compute, or gives other bits, dtypes or shapes."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for seed in range(group * GROUP, (group + 1) * GROUP):
            check(seed)
