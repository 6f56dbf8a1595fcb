"""What a call costs through PyTorch and JAX, whichever is installed.

In PyTorch, on four elements that require no gradient, beside an operator that is registered in the
same way and does nothing: processor time. In JAX, a compiled program that calls `softplus` through
`jax.ffi`, beside one that calls it through `jax.pure_callback`, and XLA's own. Everything is timed
in alternation; numbers are medians of rounds.
"""

from __future__ import annotations

import importlib.util
import statistics
import time
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import opwright

ROUNDS = 15
SIZES = (4, 1_000, 1_000_000)


def medians(
    rows: Mapping[str, Callable[[], Any]], repeats: int, clock: Callable[[], int]
) -> dict[str, float]:
    """Microseconds of each call."""
    for call in rows.values():
        for _ in range(3):
            call()
    times: dict[str, list[float]] = {name: [] for name in rows}
    for _ in range(ROUNDS):
        for name, call in rows.items():
            start = clock()
            for _ in range(repeats):
                call()
            times[name].append((clock() - start) / repeats / 1e3)
    return {name: statistics.median(them) for name, them in times.items()}


def in_pytorch() -> None:
    """Prints what operators take in PyTorch beyond an empty one."""
    import torch
    from opwright.interop.torch import register

    register()
    torch.set_num_threads(1)
    library = torch.library.Library("empty_ops", "DEF")
    x, y = torch.rand(4), torch.rand(4)
    library.define("binary(Tensor self, Tensor other) -> Tensor")
    library.impl("binary", lambda self, other: x, "CPU")
    library.define("unary(Tensor self) -> Tensor")
    library.impl("unary", lambda self: x, "CPU")
    ours, empty = torch.ops.opwright, torch.ops.empty_ops
    operators = {
        "add": (ours.add.Tensor, empty.binary, (x, y)),
        "mul": (ours.mul.Tensor, empty.binary, (x, y)),
        "relu": (ours.relu.default, empty.unary, (x,)),
    }
    print(f"us per call in torch {torch.__version__}   operator  empty one  beyond it")
    for name, (operator, nothing, args) in operators.items():
        rows = {"operator": partial(operator, *args), "empty": partial(nothing, *args)}
        it = medians(rows, 4000, time.process_time_ns)
        beyond = it["operator"] - it["empty"]
        print(f"{name:32} {it['operator']:9.2f} {it['empty']:10.2f} {beyond:10.2f}")


def in_jax() -> None:
    """Prints what `softplus` takes in compiled programs of JAX."""
    import jax
    import jax.numpy as jnp
    import numpy
    from opwright.interop.jax import wrap

    operator = opwright.ops.softplus.default

    def called(x: Any) -> Any:
        return operator(opwright.from_numpy(numpy.array(x))).numpy()

    def finished(program: Any, x: Any) -> Any:
        return program(x).block_until_ready()

    def by_callback(x: Any) -> Any:
        return jax.pure_callback(called, jax.ShapeDtypeStruct(x.shape, x.dtype), x)

    programs = {
        "jax.ffi": jax.jit(wrap(operator)),
        "pure_callback": jax.jit(by_callback),
        "XLA's own": jax.jit(jax.nn.softplus),
    }
    heads = "".join(f"{it:>15}" for it in [*programs, "kernel alone"])
    print(f"us per call in jax {jax.__version__:10} {heads}")
    for size in SIZES:
        x = jnp.linspace(-3, 3, size)
        tensor = opwright.from_numpy(numpy.array(x))
        rows = {name: partial(finished, program, x) for name, program in programs.items()}
        rows["kernel"] = partial(operator, tensor)
        it = medians(rows, max(5, 1000 // (size // 1000 + 1)), time.perf_counter_ns)
        print(f"{size:<30,}" + "".join(f"{time:15.1f}" for time in it.values()))


def main() -> None:
    """Measures where the framework is installed."""
    for name, measure in {"torch": in_pytorch, "jax": in_jax}.items():
        if importlib.util.find_spec(name) is None:
            print(f"left out, not installed: {name}")
        else:
            measure()
            print()


main()
