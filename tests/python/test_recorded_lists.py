"""Gradients of operators on lists of tensors, and of views that one call made together."""

from collections.abc import Callable
from typing import Any

import opwright
import pytest
from functions import leaf
from opwright.autograd import gradcheck, gradgradcheck


@pytest.mark.parametrize(
    "second", [2, [2, 3], opwright.tensor(2.0, dtype=opwright.float64), leaf(1.0)[0]]
)
def test_each_tensor_of_a_list_has_a_gradient(second: Any) -> None:
    def sums(*tensors: Any) -> Any:
        return opwright._foreach_add(tensors, second)

    assert gradcheck(sums, (leaf(1.0, 2.0), leaf(3.0)))
    found = opwright._foreach_add([leaf(1.0), leaf(2.0)], second)
    # The overload for numbers has formulas of its own, behind those for tensors.
    number = int(not isinstance(second, opwright.Tensor))
    assert [it.grad_fn.name() for it in found] == [f"AddBackward{number}"] * 2


def test_both_lists_have_gradients() -> None:
    def sums(a: Any, b: Any, c: Any, d: Any) -> Any:
        return opwright._foreach_add([a, b], [c, d], alpha=3)

    inputs = (leaf(1.0), leaf(2.0), leaf(3.0), leaf(4.0))
    assert gradcheck(sums, inputs) and gradgradcheck(sums, inputs)


def test_writes_to_lists_are_recorded() -> None:
    x, a, base = leaf(2.0), opwright.zeros(1, dtype=opwright.float64), opwright.zeros(2, 1).double()
    row = base[1]
    opwright._foreach_add_([a, row], [x, x * x])
    assert (a._version, a.grad_fn.name(), base.grad_fn.name()) == (1, "AddBackward0", "CopySlices")
    (a.sum() + base.sum()).backward()
    assert x.grad.tolist() == [5.0]


SGD = {"weight_decay": 0, "momentum": 0, "dampening": 0, "nesterov": False}
ADAM = {"lr": 0.1, "beta1": 0.9, "beta2": 0.999, "weight_decay": 0, "eps": 1e-8}


def sgd(parameters: Any, gradients: Any, lr: Any = 0.5) -> None:
    opwright._fused_sgd_(
        parameters, gradients, [], lr=lr, maximize=False, is_first_step=True, **SGD
    )


def adam(parameters: Any, gradients: Any) -> None:
    zeros = [[opwright.zeros_like(it) for it in gradients] for _ in range(2)]
    steps = [opwright.tensor(1.0) for _ in gradients]
    opwright._fused_adam_(
        parameters, gradients, *zeros, [], steps, amsgrad=False, maximize=False, **ADAM
    )


def add(parameters: Any, gradients: Any) -> None:
    opwright._foreach_add_(parameters, gradients)


WRITERS = [add, sgd, adam]


@pytest.mark.parametrize("write", WRITERS)
def test_leaves_are_refused_before_anything_is_written(write: Callable[..., None]) -> None:
    plain, x = opwright.zeros(2, dtype=opwright.float64), leaf(1.0, 2.0)
    ones = [opwright.ones(2, dtype=opwright.float64) for _ in range(2)]
    with pytest.raises(RuntimeError, match=r"`self\[1\]`: `_\w+_` writes to a leaf"):
        write([plain, x], ones)
    with pytest.raises(RuntimeError, match=r"`self\[0\]`: `_\w+_` writes to a view of a leaf"):
        write([x[:], plain], ones)
    assert (plain.tolist(), plain._version, x._version) == ([0.0, 0.0], 0, 0)
    with opwright.no_grad():
        write([plain, x], ones)
    assert x.is_leaf and x.requires_grad and x._version == 1
    assert x.tolist() != [1.0, 2.0]


@pytest.mark.parametrize("write", [sgd, adam])
def test_steps_are_not_recorded(write: Callable[..., None]) -> None:
    result, x = leaf(1.0) * 2, opwright.zeros(1, dtype=opwright.float64)
    for arguments in ([result], [x.clone()]), ([x], [result]):
        with pytest.raises(RuntimeError, match=r"what `_fused_\w+` writes is not recorded"):
            write(*arguments)
    assert x.tolist() == [0.0]


def test_rates_of_steps_are_read_of_tensors() -> None:
    x = opwright.zeros(1, dtype=opwright.float64)
    sgd([x], [opwright.ones(1, dtype=opwright.float64)], lr=opwright.tensor([0.25]))
    assert x.tolist() == [-0.25]
    with pytest.raises(RuntimeError, match="`lr` must have one element"):
        sgd([x], [x], lr=opwright.ones(2))


def views_of(base: Any) -> list[Any]:
    pairs = [base.unbind(), base.split(1), base.split([1, 1]), base.chunk(2), tuple(base)]
    return [it[1] for it in pairs]


@pytest.mark.parametrize("kind", range(5))
def test_views_that_one_call_made_are_not_written_to_while_that_is_recorded(kind: int) -> None:
    x = leaf(2.0)

    def view() -> tuple[Any, Any]:
        base = opwright.zeros(2, 1, dtype=opwright.float64)
        return base, views_of(base)[kind]

    base, part = view()
    part.add_(1)
    assert base.sum().item() == 1
    with pytest.raises(RuntimeError, match="one of several views"):
        part.mul_(x)
    assert base.sum().item() == 1 and not base.requires_grad
    # A base that requires gradients later.
    base.mul_(x)
    assert part.requires_grad
    with pytest.raises(RuntimeError, match="one of several views"):
        part.add_(1)
    base, part = view()
    base.requires_grad_()
    with pytest.raises(RuntimeError, match="a view of a leaf"):
        part.add_(1)
    with opwright.no_grad():
        part.add_(1)
    assert base.sum().item() == 1


def test_views_of_slices_are_written_to() -> None:
    x, base = leaf(2.0), opwright.zeros(2, 1, dtype=opwright.float64)
    base.tensor_split(2)[1].add_(x)
    base[0].add_(x)
    base.sum().backward()
    assert x.grad.tolist() == [2.0]
