"""Which results are views, and what becomes of gradients where somebody writes to them."""

import copy
import gc
import pickle
import weakref
from collections.abc import Callable

import numpy as np
import opwright
import pytest
from opwright import Tensor

Body = Callable[[Tensor], Tensor]

# Calls whose results share no memory with the argument, though kernels look at it in another order.
MADE: dict[str, Body] = {
    "clone": lambda x: x.t().clone(),
    "exp": lambda x: x.t().exp(),
    "times": lambda x: x.t() * 2,
    "where": lambda x: opwright.where(x.t() > 0, x.t(), 0.0),
    "relu": lambda x: x.t().relu(),
    "lerp": lambda x: opwright.lerp(x.t(), x.t() * 2, 0.5),
    "matrix times vector": lambda x: x @ opwright.ones(3),
    "mv": lambda x: x.mv(opwright.ones(3)),
    "dot": lambda x: opwright.dot(x[0], x[1]),
    "vdot": lambda x: opwright.vdot(x[0], x[1]),
    "repeat": lambda x: x.repeat(2, 1),
    "tile": lambda x: x.tile(2),
    "roll": lambda x: x.roll(1),
    "rot90": lambda x: opwright.rot90(x),
    "round": lambda x: x.round(decimals=1),
    "layer_norm": lambda x: opwright.layer_norm(x, (3,)),
    "loss": lambda x: opwright.nn.functional.mse_loss(
        x.t(), opwright.zeros(3, 2), reduction="none"
    ),
    "product, twice transposed": lambda x: (opwright.ones(4, 2) @ x).t() * 1.0,
}


def leaf() -> Tensor:
    return opwright.tensor([[0.5, -1.0, 2.0], [1.5, 0.25, -0.75]], requires_grad=True)


@pytest.mark.parametrize("body", MADE.values(), ids=MADE)
def test_what_a_kernel_made_is_no_view(body: Body) -> None:
    for x in leaf(), leaf().detach():
        assert not body(x)._is_view()


@pytest.mark.parametrize("body", MADE.values(), ids=MADE)
def test_a_write_to_a_result_keeps_its_history(body: Body) -> None:
    plain, written = leaf(), leaf()
    (body(plain) * 3).sum().backward()
    result = body(written) + 0 if body is MADE["exp"] or body is MADE["relu"] else body(written)
    result.mul_(3)
    result.sum().backward()
    assert written.grad is not None
    np.testing.assert_allclose(written.grad.numpy(), plain.grad.numpy(), rtol=1e-6)


def test_a_write_to_what_a_gradient_needs_is_noticed() -> None:
    y = leaf().t().exp()
    y.add_(1)
    with pytest.raises(RuntimeError, match="ExpBackward0 needs for its gradient"):
        y.sum().backward()


def test_copies_of_tensors_are_no_views() -> None:
    x = opwright.ones(2)
    for copied in copy.deepcopy(x), pickle.loads(pickle.dumps(x)):
        assert not copied._is_view()
        w = opwright.ones(2, requires_grad=True)
        copied.add_(w)
        copied.sum().backward()
        assert w.grad.tolist() == [1.0, 1.0]


def complex_leaf() -> Tensor:
    return opwright.ones(2, dtype=opwright.complex64, requires_grad=True)


def test_a_part_follows_writes_to_the_complex_numbers() -> None:
    x = complex_leaf()
    z = x * 1
    part = z.real
    z.mul_(2)
    part.sum().backward()
    assert x.grad.tolist() == [2, 2]


def test_a_write_to_a_part_is_recorded() -> None:
    x = complex_leaf()
    z = x * 1
    z.real.mul_(2)
    (z * (1 + 2j)).real.sum().backward()
    # Of 2 a - 2 b, where a + b i are the numbers.
    assert x.grad.tolist() == [2 - 2j, 2 - 2j]


def test_gradients_of_gradients_go_through_parts() -> None:
    def written(x: Tensor) -> Tensor:
        z = x * x
        z.imag.mul_(3)
        return z

    x = opwright.tensor([1 + 2j, 0.5 - 1j], dtype=opwright.complex128, requires_grad=True)
    assert opwright.autograd.gradcheck(written, (x,))
    assert opwright.autograd.gradgradcheck(written, (x,))


@pytest.mark.parametrize("shape", [(2, 2), (2, 3)])
def test_a_view_that_moves_has_the_history_of_its_base(shape: tuple[int, int]) -> None:
    weights = opwright.arange(float(shape[0] * shape[1])).reshape(shape[1], shape[0])
    base = opwright.ones(1, *shape, requires_grad=True)
    y = (base * 1)[0]
    y.t_()
    (y * weights).sum().backward()
    np.testing.assert_array_equal(base.grad[0].numpy(), weights.numpy().T)


def test_a_leaf_may_be_a_view() -> None:
    x = opwright.ones(2, 3).reshape(3, 2).requires_grad_()
    assert x.is_leaf and x._is_view()
    for written, what in (x, "a leaf"), (x.t(), "a view of a leaf"):
        with pytest.raises(RuntimeError, match=f"writes to {what} that requires gradients"):
            written.mul_(2)


def test_a_pass_goes_twice_through_a_write_to_a_view() -> None:
    x = opwright.tensor([[0.5, 1.0], [2.0, 0.25]], dtype=opwright.float64, requires_grad=True)

    def written(x: Tensor) -> Tensor:
        y = x * 1
        y[0].exp_()
        return y * y

    assert opwright.autograd.gradgradcheck(written, (x,))
    (first,) = opwright.autograd.grad(written(x).sum(), x, create_graph=True)
    (second,) = opwright.autograd.grad(first.sum(), x)
    expected = x.detach().numpy().copy()
    expected[0], expected[1] = 4 * np.exp(2 * expected[0]), 2
    np.testing.assert_allclose(second.numpy(), expected)


@pytest.mark.parametrize("name", ["view", "base"])
def test_a_gradient_is_retained_where_a_view_moves_on(name: str) -> None:
    x = opwright.ones(3, requires_grad=True)
    base = x * 2
    view = base[:2]
    view.retain_grad()
    {"view": view, "base": base}[name].mul_(5)
    view.sum().backward()
    assert view.grad.tolist() == [1.0, 1.0]
    assert x.grad.tolist() == [10.0, 10.0, 0.0]


@pytest.mark.parametrize(
    "change", [lambda y: y.resize_(5), lambda y: y.set_(opwright.ones(1)), lambda y: y.set_()]
)
def test_what_requires_gradients_gets_no_other_elements(change: Callable[[Tensor], Tensor]) -> None:
    y = opwright.ones(2, requires_grad=True) * 1
    with pytest.raises(RuntimeError, match="gives other elements to a tensor that requires grad"):
        change(y)
    assert y.shape == (2,)


def test_the_sign_of_a_complex_determinant_turns() -> None:
    matrix = [[1 + 1j, 0.3], [0.1, 1 - 0.5j]]
    a = opwright.tensor(matrix, dtype=opwright.complex128, requires_grad=True)
    for at in range(2):
        assert opwright.autograd.gradcheck(lambda a, at=at: opwright.linalg.slogdet(a)[at], (a,))
    assert opwright.autograd.gradgradcheck(lambda a: opwright.linalg.slogdet(a)[0], (a,))


@pytest.mark.parametrize(
    "make", [lambda: leaf() * 2, leaf, lambda: opwright.ones(2, 3), lambda: leaf().detach()]
)
def test_the_base_of_a_view_is_the_object_it_was_made_of(make: Callable[[], Tensor]) -> None:
    x = make()
    views = [x[0], x.t(), x.view(-1)[1:], *x.unbind(), x[1].expand(2, 3)]
    assert all(it._base is x for it in views)
    assert x.contiguous() is x and x.to(x.dtype) is x
    del x
    assert views[0]._base is views[1]._base
    assert views[0]._base.shape == (2, 3)


@pytest.mark.parametrize(
    "look",
    [
        lambda x: x.squeeze(),
        lambda x: x.squeeze(0),
        lambda x: x.expand(-1),
        lambda x: x.expand_as(x),
        lambda x: x.t(),
        lambda x: x.view(-1),
        lambda x: x.sum().transpose(0, 0),
    ],
)
def test_views_that_change_nothing_are_tensors_of_their_own(look: Body) -> None:
    x = opwright.ones(2)
    view = look(x)
    assert view is not x and view._is_view()
    assert view._base is x or view.ndim == 0
    view.unsqueeze_(0)
    view = look(x).requires_grad_()
    assert x.shape == (2,) and not x.requires_grad and view.requires_grad


def test_the_base_stays_where_its_geometry_changes() -> None:
    x = leaf() * 2
    view = x[0]
    x.retain_grad()
    view.mul_(2)
    assert view._base is x
    small = opwright.ones(2)
    other = opwright.empty(0)
    opwright.add(small, small, out=other)
    assert other[1:]._base is other


def test_an_object_that_is_just_freed_is_nobody_s_base() -> None:
    class Own(Tensor):
        pass

    class Witness:
        def __del__(self) -> None:
            found.append(view._base)

    found: list[Tensor] = []
    x = opwright.ones(3).as_subclass(Own)
    view = x[1:]
    x.witness = Witness()
    weak = weakref.ref(x, lambda _: found.append(view._base))
    del x
    gc.collect()
    assert weak() is None and len(found) == 2
    assert all(it.tolist() == [1, 1, 1] for it in found)
    assert view._base is found[0]
