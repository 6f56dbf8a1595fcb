"""What Python's syntax does with tensors goes through operators, where layers see it.

A layer is put on a tensor, and the operators that are called with it are noted. Their results are
without the layer, so of several operators in a row the first is seen.
"""

import functools
from collections.abc import Callable

import opwright
import pytest
from opwright import _C, Tensor


def matrix() -> Tensor:
    return opwright.arange(12.0).reshape(3, 4)


def number() -> Tensor:
    return opwright.tensor(1.5)


def complex_vector() -> Tensor:
    return opwright.tensor([1 + 2j, 3j])


def assigned(key: object, value: object) -> Callable[[Tensor], object]:
    return lambda x: x.__setitem__(key, value)


rows = opwright.tensor([0, 2])
mask = opwright.ones(3, 4, dtype=opwright.bool)

CASES: dict[str, tuple[Callable[[], Tensor], Callable[[Tensor], object], list[str]]] = {
    "x[0]": (matrix, lambda x: x[0], ["select.int"]),
    "x[1:3]": (matrix, lambda x: x[1:3], ["slice.Tensor"]),
    "x[:]": (matrix, lambda x: x[:], ["slice.Tensor"]),
    "x[0, 1]": (matrix, lambda x: x[0, 1], ["select.int"]),
    "x[:, 1]": (matrix, lambda x: x[:, 1], ["select.int"]),
    "x[..., ::2]": (matrix, lambda x: x[..., ::2], ["slice.Tensor"]),
    "x[None]": (matrix, lambda x: x[None], ["unsqueeze"]),
    "x[...]": (matrix, lambda x: x[...], ["alias"]),
    "x[True]": (matrix, lambda x: x[True], ["unsqueeze"]),
    "x[rows]": (matrix, lambda x: x[rows], ["index.Tensor"]),
    "x[mask]": (matrix, lambda x: x[mask], ["index.Tensor"]),
    "x[0, rows]": (matrix, lambda x: x[0, rows], ["select.int"]),
    "y[x]": (lambda: opwright.tensor([0, 2]), lambda x: matrix()[x], ["index.Tensor"]),
    "y[x], a number": (lambda: opwright.tensor(1), lambda x: matrix()[x], ["_local_scalar_dense"]),
    "x[0] = 1.0": (matrix, assigned(0, 1.0), ["select.int"]),
    "x[0, 1] = 1.0": (matrix, assigned((0, 1), 1.0), ["select.int"]),
    "x[...] = 1.0": (matrix, assigned(..., 1.0), ["alias"]),
    "x[1:] = y": (matrix, assigned(slice(1, None), opwright.ones(4)), ["slice.Tensor"]),
    "x[mask] = 1.0": (matrix, assigned(mask, 1.0), ["alias"]),
    "y[0] = x": (number, lambda x: opwright.ones(2).__setitem__(0, x), ["copy_"]),
    "y[mask] = x": (
        number,
        lambda x: matrix().__setitem__(mask, x),
        ["index_put_"],
    ),
    "x.T": (matrix, lambda x: x.T, ["permute"]),
    "x.mT": (matrix, lambda x: x.mT, ["transpose.int"]),
    "x.real": (complex_vector, lambda x: x.real, ["real"]),
    "x.imag": (complex_vector, lambda x: x.imag, ["imag"]),
    "x.to(dtype)": (matrix, lambda x: x.to(opwright.float64), ["_to_copy"]),
    "x.to(copy=True)": (matrix, lambda x: x.to(copy=True), ["clone"]),
    "x.to(device)": (matrix, lambda x: x.to("meta"), ["_to_copy"]),
    "x.to() of the same": (matrix, lambda x: x.to(opwright.float32), []),
    "x.double()": (matrix, lambda x: x.double(), ["_to_copy"]),
    "x.type_as(y)": (matrix, lambda x: x.type_as(mask), ["_to_copy"]),
    "x.contiguous()": (lambda: matrix().T, lambda x: x.contiguous(), ["clone"]),
    "float(x)": (number, float, ["_local_scalar_dense"]),
    "int(x)": (number, int, ["_local_scalar_dense"]),
    "bool(x)": (number, bool, ["_local_scalar_dense"]),
    "complex(x)": (number, complex, ["_local_scalar_dense"]),
    "x.item()": (number, lambda x: x.item(), ["_local_scalar_dense"]),
    "range(x)": (lambda: opwright.tensor(2), range, ["_local_scalar_dense"]),
    "y.reshape(x)": (
        lambda: opwright.tensor(2),
        lambda x: opwright.ones(2, 1).reshape(1, x),
        ["_local_scalar_dense"],
    ),
    "list(x)": (matrix, list, ["unbind.int"]),
    "reversed(x)": (matrix, lambda x: list(reversed(x)), ["unbind.int"]),
    "x.tolist()": (matrix, lambda x: x.tolist(), ["detach"]),
    "bytes(x)": (lambda: matrix().T, bytes, ["clone"]),
    "tensor(x)": (matrix, opwright.tensor, ["detach"]),
    "tensor([x])": (number, lambda x: opwright.tensor([x]), ["detach"]),
    "as_tensor(x, dtype)": (
        matrix,
        lambda x: opwright.as_tensor(x, dtype=opwright.float64),
        ["_to_copy"],
    ),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_layers_see_what_syntax_does(
    case: tuple[Callable[[], Tensor], Callable[[Tensor], object], list[str]],
) -> None:
    make, use, expected = case
    tensor = make()
    assert _C._operators_seen(tensor, lambda: use(tensor)) == expected


def test_questions_call_nothing() -> None:
    tensor = matrix()
    asked = ["shape", "dtype", "device", "ndim", "nbytes", "is_cpu"]
    for name in asked:
        assert _C._operators_seen(tensor, functools.partial(getattr, tensor, name)) == []
    assert _C._operators_seen(tensor, lambda: (len(tensor), tensor.stride())) == []


def test_a_failure_leaves_no_layer() -> None:
    tensor = matrix()
    with pytest.raises(IndexError):
        _C._operators_seen(tensor, lambda: tensor[7])
    assert _C._operators_seen(matrix(), lambda: tensor[0]) == []
