"""What has to hold of each call that an operator takes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from opwright.testing import _samples
from opwright.testing._elements import Elements
from opwright.testing._operator import named
from opwright.testing._samples import REFUSALS
from opwright.testing._schema import Slot
from opwright.testing._trial import State, Trial, state, tensors

Check = Callable[[Trial], Iterator[str]]

_KINDS: dict[str, type | tuple[type, ...]] = {
    "int": int,
    "SymInt": int,
    "bool": bool,
    "float": float,
    "str": str,
    "Scalar": (int, float, complex),
}


def results(trial: Trial) -> Iterator[str]:
    """As many results as the schema says, each of its type."""
    declared = trial.schema.results
    if not declared and trial.result is not None:
        yield f"returns {type(trial.result).__name__}, declared is nothing"
    if len(declared) > 1 and len(trial.result) != len(declared):
        yield f"returns {len(trial.result)} values, declared are {len(declared)}"
        return
    fields = [it.name for it in declared]
    if len(declared) > 1 and all(fields) and list(trial.result._fields) != fields:
        yield f"returns the fields {trial.result._fields}, declared are {fields}"
    for slot, value in zip(declared, trial.results, strict=True):
        if not _fits(trial, slot, value):
            yield f"returns {type(value).__name__}, declared is {slot.type}"


def _fits(trial: Trial, slot: Slot, value: Any) -> bool:
    if slot.type == "Tensor":
        return isinstance(value, trial.operator.native.TensorBase)
    if slot.type.startswith("Tensor["):
        return isinstance(value, (list, tuple)) and len(tensors(value)) == len(value)
    kind = _KINDS.get(slot.type)
    return kind is None or isinstance(value, kind)


def mutation(trial: Trial) -> Iterator[str]:
    """Only what is declared as written to changes, and it is what is returned."""
    for slot in trial.schema.params:
        passed = trial.tensors(slot)
        if not slot.writes:
            for tensor, before in zip(passed, trial.before.get(slot.name, []), strict=True):
                if trial.state(tensor) != before:
                    yield f"writes to '{slot.name}', which is declared as '{slot.type}'"
    for slot, value in zip(trial.schema.results, trial.results, strict=True):
        if slot.writes:
            written = [
                it
                for param in trial.schema.params
                if param.sets & slot.sets and param.writes
                for it in trial.tensors(param)
            ]
            if not all(any(it is other for other in written) for it in tensors(value)):
                yield "returns another tensor than the one it writes to"


def aliasing(trial: Trial) -> Iterator[str]:
    """Results share memory with those arguments only that their alias sets name."""
    for slot, value in zip(trial.schema.results, trial.results, strict=True):
        for tensor in tensors(value):
            for param in trial.schema.params:
                shared = any(_shares(tensor, it) for it in trial.tensors(param))
                if shared and not _may_share(slot, param):
                    yield f"returns memory of '{param.name}', which no alias set declares"


def _may_share(result: Slot, param: Slot) -> bool:
    return bool(result.sets & param.sets) or ("*" in param.sets and bool(result.sets))


def _shares(one: Any, other: Any) -> bool:
    if 0 in one.shape or 0 in other.shape:
        return False
    return bool(one.untyped_storage().data_ptr() == other.untyped_storage().data_ptr())


def strides(trial: Trial) -> Iterator[str]:
    """The result does not depend on how the arguments lie in memory."""
    elements = trial.sample.elements()
    if all(it.layout == "contiguous" for it in elements):
        return
    expected = trial.again(trial.sample.changed("", lambda it: it.laid_out("contiguous")))
    yield from _different(trial, expected, trial.result, "with contiguous tensors")


def out(trial: Trial) -> Iterator[str]:
    """`out=` receives what is returned without it, and is returned."""
    if trial.sample.overload.out is None:
        return
    native = trial.operator.native
    expected = [trial.state(it) for it in tensors(trial.result)]
    for sizes in (lambda it: it.shape, lambda it: (0,)):
        targets = [_empty(native, sizes(it), it.dtype) for it in expected]
        given = targets[0] if len(targets) == 1 else tuple(targets)
        got = trial.again(out=given)
        if any(one is not other for one, other in zip(tensors(got), targets, strict=True)):
            yield "does not return the tensors of 'out'"
        if [trial.state(it) for it in targets] != expected:
            yield "'out' receives something else than what is returned without it"


def _empty(native: Any, shape: Any, dtype: Any) -> Any:
    return native.tensor(np.zeros(shape), dtype=dtype)


def in_place(trial: Trial) -> Iterator[str]:
    """The in-place form writes what the functional form returns."""
    operator, native = trial.operator, trial.operator.native
    name = operator.name.removeprefix("Tensor.") + "_"
    variant = next((it for it in (f"Tensor.{name}", name) if native._signatures(it)), None)
    first = trial.sample.args[0] if trial.sample.args else None
    if variant is None or not isinstance(first, Elements) or trial.schema.results[0].writes:
        return
    args, kwargs = _samples.arguments(operator, trial.sample)
    before, expected = state(operator, args[0]), trial.state(trial.result)
    try:
        got = named(native, variant).function(*args, **kwargs)
    except REFUSALS as error:
        if (before.shape, before.dtype) == (expected.shape, expected.dtype) and not isinstance(
            error, TypeError
        ):
            yield f"in place it raises {type(error).__name__}: {error}"
        return
    if got is not args[0]:
        yield "in place it does not return its tensor"
    if before.dtype == expected.dtype and trial.state(got) != expected:
        yield "in place it writes something else than it returns otherwise"


def meta(trial: Trial) -> Iterator[str]:
    """Tensors without elements give the shapes and dtypes that the computation gives."""
    args, kwargs = _samples.arguments(trial.operator, trial.sample)
    if not tensors([*args, *kwargs.values()]):
        return
    try:
        got = trial.operator.function(
            *(_to_meta(it) for it in args), **{name: _to_meta(it) for name, it in kwargs.items()}
        )
    except NotImplementedError:
        return
    for one, other in zip(tensors(got), tensors(trial.result), strict=True):
        if (tuple(one.shape), one.dtype) != (tuple(other.shape), other.dtype):
            yield (
                f"on meta the result is {one.dtype}, shape {list(one.shape)}; "
                f"on cpu it is {other.dtype}, shape {list(other.shape)}"
            )


def _to_meta(value: Any) -> Any:
    if isinstance(value, (list, tuple)):
        return type(value)(_to_meta(it) for it in value)
    return value.to("meta") if tensors(value) else value


def threads(trial: Trial) -> Iterator[str]:
    """The result does not depend on the number of threads."""
    if trial.sample.kind != "large":
        return
    native = trial.operator.native
    count = native.get_num_threads()
    try:
        native.set_num_threads(1)
        expected = trial.again()
        native.set_num_threads(max(count, 3))
        yield from _different(trial, expected, trial.again(), "with one thread")
    finally:
        native.set_num_threads(count)


def _different(trial: Trial, expected: Any, got: Any, when: str) -> Iterator[str]:
    for one, other in zip(tensors(expected), tensors(got), strict=True):
        if not _close(trial.state(one), trial.state(other)):
            yield f"returns something else than {when}"


def _close(one: State, other: State) -> bool:
    """Whether two results agree but for the order in which sums are added up."""
    if one == other:
        return True
    if (one.shape, one.dtype) != (other.shape, other.dtype) or one.values.dtype.kind not in "fc":
        return False
    coarse = str(one.dtype).endswith("float16")
    tolerance = 1e-2 if coarse else 1e-4 if one.values.dtype.itemsize in (4, 8) else 1e-10
    return np.allclose(one.values, other.values, rtol=tolerance, atol=tolerance, equal_nan=True)


CHECKS: dict[str, Check] = {
    "results": results,
    "mutation": mutation,
    "aliasing": aliasing,
    "strides": strides,
    "out=": out,
    "in-place": in_place,
    "meta": meta,
    "threads": threads,
}
