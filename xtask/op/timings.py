"""Times of calls of one operator, on a small input and on a large one, beside numpy and scipy.

Inputs are the samples of `opcheck`, made from the schema; large ones are the workloads of
`cargo xtask bench kernels` that call the operator, or else samples that are stretched.
"""

from __future__ import annotations

import contextlib
import math
import time
import warnings
from collections.abc import Callable, Iterator
from operator import attrgetter
from types import SimpleNamespace
from typing import Any

import kernels
import numpy as np
import opwright
from operators import Target, public_name
from opwright.testing import _WORDS, _checks
from opwright.testing._operator import Operator, Overload
from select_cases import calls_of
from workload import Workload

# Arguments by the names of the schema, and calls by the names of libraries.
Given = dict[str, Any]
Works = dict[str, Callable[[], Any]]

# Numbers of elements that are tried for a large input, and seconds that a call of it may take.
ELEMENTS, LONG = tuple(1 << it for it in range(10, 21, 2)), 0.02
# Seconds for all rows `[[benchmark]]` together.
BUDGET = 3.0
# Bytes of the whole process: a result may be far larger than what it is made of.
MEMORY = 4 << 30

# What numpy calls parameters, and what it and scipy call functions that have another name there.
PARAMETERS = {"dim": "axis", "dims": "axis", "keepdim": "keepdims"}
OF_NUMPY = {
    "asin": "np.arcsin",
    "acos": "np.arccos",
    "atan": "np.arctan",
    "asinh": "np.arcsinh",
    "atan2": "np.arctan2",
    "cat": "np.concatenate",
    "clamp": "np.clip",
    "div": "np.divide",
    "eq": "np.equal",
    "ge": "np.greater_equal",
    "gt": "np.greater",
    "le": "np.less_equal",
    "lt": "np.less",
    "mul": "np.multiply",
    "ne": "np.not_equal",
    "neg": "np.negative",
    "pow": "np.power",
    "sigmoid": "special.expit",
    "sub": "np.subtract",
}


def table(target: Target) -> Iterator[tuple[str, str]]:
    """Prints a row for each input; yields its name, and why there is no row if there is none."""
    opwright.set_num_threads(1)
    limit_memory()
    print(f"{'µs, 1 thread':<72}{'opwright':>12}{'numpy':>12}{'ratio':>8}")
    # They do not say which overload they call.
    workloads = [] if target.overload else list(workloads_of(target))
    with warnings.catch_warnings():
        # Samples are of all shapes, also of those that operators warn of.
        warnings.simplefilter("ignore")
        for operator, overload in overloads_of(target):
            yield from sample_rows(operator, overload, with_large=not workloads)
    start = time.perf_counter()
    for at, workload in enumerate(workloads):
        if time.perf_counter() - start > BUDGET:
            yield f"{len(workloads) - at} rows", "`cargo xtask bench kernels` measures them"
            return
        yield row(f"{workload.family}: {workload.name}", kernels.runners(workload)), ""


def limit_memory() -> None:
    """Lets a call that asks for too much raise an error, where the system can."""
    try:
        import resource
    except ImportError:
        return
    most = resource.getrlimit(resource.RLIMIT_AS)[1]
    # A system may refuse, or allow less already.
    with contextlib.suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, most))


def workloads_of(target: Target) -> Iterator[Workload]:
    """What `kernels.py` measures of the operator."""
    calls = calls_of(target)
    yield from (it for it in kernels.workloads() if calls.search(it.expressions["opwright"]))


def overloads_of(target: Target) -> Iterator[tuple[Operator, Overload]]:
    """Each overload once, as a function if there is one; what writes only if all others do."""
    found: dict[str, tuple[Operator, Overload]] = {}
    for operator in sorted(target.operators, key=lambda it: it.is_method):
        for overload in operator.overloads:
            names = [it.name for it in (overload.base, overload.out) if it is not None]
            if overload.base is not None and any(map(target.has, names)):
                found.setdefault(overload.base.name, (operator, overload))
    pure = [it for it in found.values() if not _writes(it[1])]
    yield from pure or found.values()


def _writes(overload: Overload) -> bool:
    return overload.base is not None and any(it.writes for it in overload.base.params)


def sample_rows(
    operator: Operator, overload: Overload, with_large: bool
) -> Iterator[tuple[str, str]]:
    """Rows of the largest sample, and of the same call with larger tensors."""
    assert overload.base is not None
    name = overload.base.name
    settings = {"skip": [], "seeds": 3, "words": _WORDS}
    samples = [make() for make in operator.native._calls(name, settings)]
    if not samples:
        yield name, "no call found"
        return
    small = max(samples, key=elements)
    numpys = peer(operator, small, call(operator, overload, small)())
    inputs = [small]
    if with_large:
        large = stretched(operator, overload, small)
        if large is None:
            yield name, "no large input found"
        else:
            inputs.append(large)
    for given in inputs:
        works = {"opwright": call(operator, overload, given)}
        if numpys is not None:
            works["numpy"] = bound(numpys, given)
        yield row(f"{name}({shown(given)})", works), ""


def row(name: str, works: Works) -> str:
    """Prints the times of opwright and numpy, and returns the name."""
    both: Works = {it: works[it] for it in ("opwright", "numpy") if it in works}
    times = {it: took * 1e3 for it, took in kernels.milliseconds(both, 1).items()}
    cells = "".join(f"{took:>12,.2f}" for took in times.values())
    ratio = f"{times['opwright'] / times['numpy']:>8.2f}" if "numpy" in times else ""
    print(f"{name:<72}{cells}{ratio}", flush=True)
    return name


# --- calls --------------------------------------------------------------------------------


def call(operator: Operator, overload: Overload, given: Given) -> Callable[[], Any]:
    """The call of the operator from Python."""
    found = _checks.bound(overload, given)
    assert found is not None, "`opcheck` says where it has no place for an argument"
    args, kwargs = found
    return lambda: operator.function(*args, **kwargs)


def bound(function: Callable[..., Any], given: Given) -> Callable[[], Any]:
    """The call in numpy's words."""
    args = [arrays(it) for name, it in given.items() if name not in PARAMETERS]
    kwargs = {PARAMETERS[name]: it for name, it in given.items() if name in PARAMETERS}
    return lambda: function(*args, **kwargs)


def arrays(value: Any) -> Any:
    """An argument as numpy takes it."""
    if isinstance(value, (list, tuple)):
        return [arrays(it) for it in value]
    return value.numpy() if isinstance(value, opwright.Tensor) else value


def peer(operator: Operator, given: Given, result: Any) -> Callable[..., Any] | None:
    """The function of numpy or scipy that has the name and gives the same result."""
    path = public_name(operator).removeprefix("Tensor.").removeprefix("nn.functional.")
    name = path.rpartition(".")[2]
    known = OF_NUMPY.get(name, f"np.{name}")
    libraries = SimpleNamespace(np=np, special=kernels.SPECIAL)
    for candidate in (f"np.{path}", path, known, f"special.{name}"):
        try:
            function: Callable[..., Any] = attrgetter(candidate)(libraries)
            if agree(result, bound(function, given)()):
                return function
        except Exception:
            # It has no such function, or one with other parameters.
            continue
    return None


def agree(result: Any, other: Any) -> bool:
    """Whether results are alike but for rounding."""
    if isinstance(result, (list, tuple)):
        same = isinstance(other, (list, tuple)) and len(result) == len(other)
        return same and all(map(agree, result, other))
    one, other = np.asarray(arrays(result)), np.asarray(other)
    return one.shape == other.shape and np.allclose(one, other, 1e-4, 1e-6, equal_nan=True)


def shown(given: Given) -> str:
    """Arguments as text: `float32[2, 2], dim=0`."""

    def text(value: Any) -> str:
        if isinstance(value, opwright.Tensor):
            return f"{str(value.dtype).rpartition('.')[2]}{list(value.shape)}"
        if isinstance(value, (list, tuple)):
            return f"[{', '.join(map(text, value))}]"
        return repr(value)

    tensors = (opwright.Tensor, list, tuple)
    return ", ".join(
        text(it) if isinstance(it, tensors) else f"{name}={text(it)}" for name, it in given.items()
    )


# --- inputs -------------------------------------------------------------------------------


def elements(given: Given) -> int:
    """How many numbers all tensors have together."""
    return sum(it.numel() for it in _checks.tensors(list(given.values())))


def stretched(operator: Operator, overload: Overload, given: Given) -> Given | None:
    """The call with tensors that are as large as it takes in a short time; nothing if none are."""
    large = None
    for count in ELEMENTS:
        took = math.inf
        for with_sizes in (True, False):
            candidate = longer(given, count, with_sizes)
            if shown(candidate) == shown(given):
                continue
            try:
                work = call(operator, overload, candidate)
                start = time.perf_counter()
                work()
            except (ValueError, RuntimeError, IndexError, MemoryError, OverflowError):
                continue
            took = time.perf_counter() - start
            if large is None or took <= LONG:
                large = candidate
            break
        if took > LONG:
            break
    return large


def longer(given: Given, count: int, with_sizes: bool) -> Given:
    """The call with so many elements in its largest tensor, roughly.

    All dimensions of more than one element grow alike, so that they still fit each other, and so do
    numbers in lists, if these may be sizes.
    """
    shapes = [tuple(it.shape) for it in _checks.tensors(list(given.values()))]
    shapes = shapes or [it for it in given.values() if is_shape(it)]
    shape = max(shapes, key=math.prod, default=())
    dims = sum(it > 1 for it in shape)
    by = round((count / math.prod(shape)) ** (1 / dims)) if dims else 1

    def grown(value: Any) -> Any:
        if isinstance(value, opwright.Tensor):
            return value.repeat([by if it > 1 else 1 for it in value.shape])
        if is_shape(value):
            return type(value)(it * by if with_sizes and it > 1 else it for it in value)
        return type(value)(map(grown, value)) if isinstance(value, (list, tuple)) else value

    return {name: grown(it) for name, it in given.items()}


def is_shape(value: Any) -> bool:
    """Whether it is a list of integers above zero."""
    return isinstance(value, (list, tuple)) and all(type(it) is int and it > 0 for it in value)
