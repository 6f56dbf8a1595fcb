"""Casts that lose imaginary parts warn wherever a caller can ask for one, once per place.

`OPWRIGHT_EVERY=1` asks all operators with a `dtype`, otherwise a sample is asked.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import opwright as ow
import pytest
from bound_operators import operators, right_call

EVERY = 1 if os.environ.get("OPWRIGHT_EVERY") else 6
MESSAGE = "Casting complex values to real discards the imaginary part"
# Where complex numbers are not asked for, and what has no part that is lost.
REFUSALS = (TypeError, ValueError, RuntimeError, NotImplementedError)
REAL = (ow.float16, ow.bfloat16, ow.float32, ow.float64, ow.int8, ow.uint8, ow.int32, ow.int64)


def z() -> Any:
    return ow.tensor([1 + 2j, 3 - 1j])


def x() -> Any:
    return ow.zeros(2)


def written(key: Any, value: Any) -> Any:
    target = x()
    target[key] = value
    return target


CASTS: dict[str, Callable[[], Any]] = {
    "to": lambda: z().to(ow.float32),
    "to a dtype and device": lambda: z().to("cpu", ow.float32),
    "to another": lambda: z().to(x()),
    "float": lambda: z().float(),
    "half": lambda: z().half(),
    "int": lambda: z().int(),
    "type": lambda: z().type(ow.float32),
    "type of a name": lambda: z().type("opwright.FloatTensor"),
    "type_as": lambda: z().type_as(x()),
    "copy_": lambda: x().copy_(z()),
    "copy": lambda: ow.copy(x(), z()),
    "a slice": lambda: written(slice(None), z()),
    "everything": lambda: written(..., z()),
    "an element": lambda: written(0, z()[0]),
    "a mask": lambda: written(x() == 0, z()),
    "indices": lambda: written([0, 1], z()),
    "an array": lambda: written(slice(None), np.array([1j, 2j])),
    "fill_": lambda: x().fill_(z()[0]),
    "fill": lambda: ow.fill(x(), z()[0]),
    "index_fill": lambda: x().index_fill(0, ow.tensor([0]), z()[0]),
    "index_fill_": lambda: x().index_fill_(0, ow.tensor([0]), z()[0]),
    "masked_fill": lambda: x().masked_fill(x() == 0, z()[0]),
    "masked_fill_": lambda: x().masked_fill_(x() == 0, z()[0]),
    "tensor": lambda: ow.tensor(z(), dtype=ow.float32),
    "tensor of an array": lambda: ow.tensor(np.array([1j]), dtype=ow.float32),
    "as_tensor": lambda: ow.as_tensor(z(), dtype=ow.float32),
    "asarray": lambda: ow.asarray(z(), dtype=ow.float32),
    "new_tensor": lambda: x().new_tensor(z()),
    "the real part": lambda: setattr(x(), "real", z()),
    "a module": lambda: ow.nn.Linear(2, 2).to(ow.complex64).to(ow.float32),
    "a storage": lambda: z().storage().float(),
    "a storage of another": lambda: ow.FloatStorage(z().storage()),
    "a storage of an array": lambda: ow.FloatStorage(np.array([1j])),
    "copy_ of a storage": lambda: x().storage().copy_(z().storage()),
    "sum": lambda: z().sum(dtype=ow.float32),
    "sum along": lambda: z().sum(0, dtype=ow.float32),
    "mean": lambda: z().mean(dtype=ow.float32),
    "prod": lambda: z().prod(dtype=ow.float32),
    "prod along": lambda: z().prod(0, dtype=ow.float32),
    "cumsum": lambda: z().cumsum(0, dtype=ow.float32),
    "cumprod": lambda: z().cumprod(0, dtype=ow.float32),
    "softmax": lambda: z().softmax(0, dtype=ow.float32),
    "log_softmax": lambda: z().log_softmax(0, dtype=ow.float32),
    "a graph": lambda: (lambda v: ow.function([v], v.to(ow.float32)))(
        ow.TensorType(ow.complex64, [None])()
    )(z()),
}


@pytest.mark.parametrize("name", CASTS)
def test_lost_parts_are_warned_of(name: str) -> None:
    with pytest.warns(UserWarning, match=MESSAGE) as caught:
        CASTS[name]()
    ours = [it for it in caught if MESSAGE in str(it.message)]
    assert {it.filename for it in ours} == {__file__}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(UserWarning, match=MESSAGE):
            CASTS[name]()


def test_nothing_is_written_where_the_warning_is_an_error() -> None:
    target = x()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(UserWarning):
            target.copy_(z())
        with pytest.raises(UserWarning):
            target[:] = z()
    assert target.tolist() == [0.0, 0.0]


def test_once_per_place() -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("default")
        for _ in range(3):
            z().float()
        z().float()
    assert len(caught) == 2


def test_nothing_is_lost() -> None:
    """Truth values, wider numbers, real parts that are asked for, and gradients of real inputs."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        z().bool()
        z().to(ow.complex128)
        z().sum(dtype=ow.complex128)
        assert z().real.tolist() == [1.0, 3.0]
        assert (z().any(), z().all(), z().count_nonzero()) == (True, True, 2)
        z().abs().sum()
        z().to("meta").float()
        a = ow.ones(2, requires_grad=True)
        (a.to(ow.complex64) * z()).abs().sum().backward()
        (a * z()).real.sum().backward()
        b = z().requires_grad_()
        (b.real * a).sum().backward()
        ow.where(a > 0, a, z()).abs().sum().backward()
        ow.stack([a.to(ow.complex64), z()]).abs().sum().backward()
        (a ** z()).abs().sum().backward()


# What they give is not set, or bytes as they are.
UNCAST = {"empty_like", "Tensor.new_empty", "Tensor.new_empty_strided", "frombuffer"}
CASTING = [
    (operator, overload)
    for operator in operators()
    for overload in operator.overloads
    if "dtype" in overload.parameters
]


@pytest.mark.parametrize(
    ("operator", "overload"), CASTING[::EVERY], ids=lambda it: getattr(it, "name", "")
)
def test_every_operator_with_a_dtype(operator: Any, overload: Any) -> None:
    """With complex tensors and a real dtype it warns, refuses, or gives no real numbers of them."""
    call = right_call(operator, overload, count=300)
    if call is None:
        return
    args, kwargs = call
    kwargs.pop("out", None)

    def of(value: Any) -> Any:
        if not isinstance(value, ow.Tensor) or not value.dtype.is_floating_point:
            return value
        return ow.complex(value.double(), value.double() + 1)

    args = [of(it) for it in args]
    if not any(isinstance(it, ow.Tensor) and it.dtype.is_complex for it in args):
        return
    kwargs = {name: of(it) for name, it in kwargs.items()}
    for dtype in REAL:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            try:
                result = operator.function(*args, **{**kwargs, "dtype": dtype})
            except REFUSALS:
                continue
        has_warned = any(MESSAGE in str(it.message) for it in caught)
        is_of_values = isinstance(result, ow.Tensor) and depends_on_values(
            operator, args, {**kwargs, "dtype": dtype}
        )
        assert has_warned or not is_of_values, f"{operator.name}{args}{kwargs} to {dtype}"


def depends_on_values(operator: Any, args: list[Any], kwargs: dict[str, Any]) -> bool:
    """Whether the result is another one of other numbers; that of `zeros_like` is not."""
    if operator.name in UNCAST:
        return False
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = []
        for by in (1, 3):
            ow.default_generator.manual_seed(1)
            moved = [it * by if isinstance(it, ow.Tensor) and it.dtype.is_complex else it
                     for it in args]  # fmt: skip
            found.append(operator.function(*moved, **kwargs))
    return found[0].shape != found[1].shape or found[0].tolist() != found[1].tolist()


# Whose results are real, and do not depend on all imaginary parts.
OF_REAL_PARTS = ("real", "fft_irfft", "fft_hfft")


def moved(value: Any, real: float, imag: float) -> Any:
    """A complex copy of a tensor, with imaginary parts of its own."""
    parts = (ow.arange(float(value.numel())).reshape(value.shape).double() + 1) * imag
    return ow.complex(value.double() * real, parts)


def outcomes(operator: Any, call: Any, place: int | str, real: float, imag: float) -> list[Any]:
    """What a call gives whose argument at a place is complex."""

    def own(at: int | str, value: Any) -> Any:
        if at == place:
            return moved(value, real, imag)
        return value.clone() if isinstance(value, ow.Tensor) else value

    ow.default_generator.manual_seed(1)
    args = [own(at, it) for at, it in enumerate(call[0])]
    kwargs = {name: own(name, it) for name, it in call[1].items()}
    made = operator.function(*args, **kwargs)
    made = made if isinstance(made, (list, tuple)) else [made]
    return [it for it in made if isinstance(it, ow.Tensor)]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("operator", list(operators())[::EVERY], ids=lambda it: it.name)
def test_no_operator_loses_parts_silently(operator: Any) -> None:
    """A real result that real parts change and imaginary ones do not comes with the warning."""
    name = operator.name.rpartition(".")[2]
    if name.startswith(OF_REAL_PARTS) or "empty" in name:
        return
    for overload in operator.overloads:
        call = right_call(operator, overload, count=200)
        if call is None:
            continue
        named = [*enumerate(call[0]), *call[1].items()]
        for place in [at for at, it in named if isinstance(it, ow.Tensor) and it.numel() > 0]:
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                try:
                    found = [
                        outcomes(operator, call, place, *by) for by in ((1, 1), (1, 2), (2, 1))
                    ]
                except (*REFUSALS, IndexError, AttributeError, OverflowError):
                    continue
            if any(MESSAGE in str(it.message) for it in caught):
                continue
            for first, turned, longer in zip(*found, strict=True):
                if first.dtype.is_complex or first.is_meta:
                    continue
                is_lost = same(first, turned) and not same(first, longer)
                assert not is_lost, f"{operator.name}{overload}, argument {place}"


def same(a: Any, b: Any) -> bool:
    return a.shape == b.shape and a.tolist() == b.tolist()
