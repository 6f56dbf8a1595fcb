"""Slices with a negative step: views, to read and to write, with gradients, in graphs."""

import itertools

import numpy as np
import opwright
import pytest
from opwright import function, graph

BOUNDS = (None, -9, -3, -1, 0, 1, 3, 9)
STEPS = (-1, -2, -3, -9)


def keys() -> list[slice]:
    return [slice(*it) for it in itertools.product(BOUNDS, BOUNDS, STEPS)]


@pytest.mark.parametrize("size", [0, 1, 2, 5])
def test_all_slices_are_as_of_numpy(size: int) -> None:
    array = np.arange(float(size * 3), dtype=np.float32).reshape(size, 3)
    x = opwright.tensor(array)
    for key in keys():
        assert x[key].tolist() == array[key].tolist(), key
        assert x[..., key].tolist() == array[..., key].tolist(), key
        assert x[key, None, ::-1].tolist() == array[key, None, ::-1].tolist(), key
        assert x[key, [0, 2]].tolist() == array[key, [0, 2]].tolist(), key


def test_they_are_views() -> None:
    x = opwright.arange(6.0)
    y = x[::-1]
    assert y.stride() == (-1,)
    assert y._base is x
    y[0] = 9.0
    assert x[5] == 9.0
    x[1] = 7.0
    assert y[4] == 7.0
    assert y[::-1].stride() == (1,)
    assert y.numpy().tolist() == y.tolist()
    assert y.contiguous().stride() == (1,)


@pytest.mark.parametrize("size", [1, 2, 5])
def test_writing(size: int) -> None:
    for key in keys():
        array = np.arange(float(size), dtype=np.float32)
        x = opwright.tensor(array)
        count = len(array[key])
        array[key] = np.arange(float(count)) * 10
        x[key] = opwright.arange(float(count)) * 10
        assert x.tolist() == array.tolist(), key
        array[key] = 3.0
        x[key] = 3.0
        assert x.tolist() == array.tolist(), key
        array[key] = array[key][::-1]
        x[key] = x[key][::-1]
        assert x.tolist() == array.tolist(), key


def test_writing_to_oneself_backwards() -> None:
    for size in (2, 3, 100, 5000):
        x = opwright.arange(float(size))
        x[:] = x[::-1]
        assert x.tolist() == [*range(size)][::-1]
        with pytest.raises(RuntimeError, match="single memory location"):
            x += x[::-1]


def test_a_step_of_zero_is_refused() -> None:
    with pytest.raises(ValueError, match="slice step cannot be zero"):
        _ = opwright.ones(2)[::0]


@pytest.mark.parametrize("step", STEPS)
def test_gradients(step: int) -> None:
    weights = opwright.arange(1.0, 13.0, dtype=opwright.float64).reshape(4, 3)

    def read(x: opwright.Tensor) -> opwright.Tensor:
        part = x[::step, ::-1]
        return part * part * weights[: part.shape[0]]

    def write(x: opwright.Tensor) -> opwright.Tensor:
        y = x * 2
        y[::step] = (x * x)[::step]
        y[:, ::-1] *= x
        return y

    x = opwright.rand(4, 3, dtype=opwright.float64, requires_grad=True)
    for f in (read, write):
        assert opwright.autograd.gradcheck(f, (x,))
        assert opwright.autograd.gradgradcheck(f, (x,))


def test_a_view_after_a_write_to_its_base() -> None:
    x = opwright.ones(3, requires_grad=True)
    y = x * 1
    z = y[::-1]
    y.mul_(opwright.tensor([1.0, 2.0, 3.0]))
    (z * opwright.tensor([10.0, 20.0, 30.0])).sum().backward()
    assert x.grad is not None
    assert x.grad.tolist() == [30.0, 40.0, 30.0]


@pytest.mark.parametrize("key", [np.s_[::-1], np.s_[3:0:-2], np.s_[:, ::-1], np.s_[-2::-1, ::-2]])
def test_graphs(key: object) -> None:
    x = opwright.TensorType(opwright.float64, (None, None))("x")
    value = opwright.arange(12.0, dtype=opwright.float64).reshape(4, 3)
    for mode in (None, "debug"):
        f = function([x], x[key] * 2, mode=mode)
        assert f(value).tolist() == (value.numpy()[key] * 2).tolist()
        g = function([x], graph.grad((x[key] ** 2).sum(), x), mode=mode)
        leaf = value.clone().requires_grad_()
        (leaf[key] ** 2).sum().backward()
        assert leaf.grad is not None
        assert g(value).tolist() == leaf.grad.tolist()
        written = value.clone()
        written[key] = 5.0
        put = function([x], graph.set_item(x, key, 5.0), mode=mode)
        assert put(value).tolist() == written.tolist()


def test_meta_and_wide_steps() -> None:
    x = opwright.empty(5, 4, device="meta")
    assert x[::-2, 2:0:-1].shape == (3, 2)
    y = opwright.arange(4)
    assert y[:: -(2**62)].tolist() == [3]
    assert y[:: -(2**63)].tolist() == [3]
