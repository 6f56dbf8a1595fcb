"""Operators in PyTorch under the transforms of `torch.func`."""

from __future__ import annotations

from typing import Any

import opwright
import pytest

torch = pytest.importorskip("torch", reason="torch is not installed")
pytestmark = pytest.mark.filterwarnings("ignore:.*:UserWarning")

import torch_calls  # noqa: E402
from torch_calls import ELEMENTS, refusal  # noqa: E402

it = opwright.interop.torch
it.register()
o = torch.ops.opwright

# Of ours, and of PyTorch alone.
PAIRS: list[tuple[Any, Any]] = [
    (lambda x: o.sin(x), lambda x: x.sin()),
    (lambda x: o.mul.Tensor(o.exp(x), x[0] + x), lambda x: x.exp() * (x[0] + x)),
    (lambda x: o.var_mean.dim(x, [1])[0], lambda x: x.var(1)),
    (lambda x: o.mul_.Tensor(x.clone(), x), lambda x: x * x),
    (lambda x: o.reshape(o.transpose.int(x, 0, 1), [6]), lambda x: x.t().reshape(6)),
    (lambda x: o.cat([x, x.sin()], 1), lambda x: torch.cat([x, x.sin()], 1)),
]


@pytest.mark.parametrize("ours, theirs", PAIRS)
def test_transforms_of_functions(ours: Any, theirs: Any) -> None:
    f, x = torch.func, ELEMENTS
    tangent = torch.rand(x.shape, dtype=x.dtype)
    close = torch.testing.assert_close
    close(f.vjp(ours, x)[1](theirs(x)), f.vjp(theirs, x)[1](theirs(x)))
    close(f.jvp(ours, (x,), (tangent,)), f.jvp(theirs, (x,), (tangent,)))

    def second(function: Any) -> Any:
        gradient = f.grad(lambda y: (function(y) ** 2).sum())
        return f.grad(lambda y: (gradient(y) * tangent).sum())(x), f.jvp(gradient, (x,), (tangent,))

    close(second(ours), second(theirs))
    with torch.autograd.forward_ad.dual_level():
        dual = torch.autograd.forward_ad.make_dual(x, tangent)
        found, expected = (torch.autograd.forward_ad.unpack_dual(it(dual)) for it in (ours, theirs))
    close(found.tangent, expected.tangent)


BATCHED: list[tuple[Any, Any]] = [
    *PAIRS,
    (lambda x: o.mm(x, o.t(x)), lambda x: x @ x.t()),
    (lambda x: o.add.Tensor(x, ELEMENTS), lambda x: x + ELEMENTS),
    (lambda x: o.mul.Tensor(x, x[0, 0].float()), lambda x: x * x[0, 0].float()),
    (lambda x: o.unbind(x)[1], lambda x: x[1]),
    (lambda x: o.transpose.int(x, 0, 1), lambda x: x.t()),
    (lambda x: o.add.out(x, x, out=torch.empty_like(x)), lambda x: x + x),
    (lambda x: o.topk(x, 2)[1], lambda x: x.topk(2)[1]),
    (lambda x: o._foreach_add.List([x, x[0]], [x, x[1]])[1], lambda x: x[0] + x[1]),
]


@pytest.mark.parametrize("ours, theirs", BATCHED)
def test_samples_of_vmap(ours: Any, theirs: Any) -> None:
    vmap, close = torch.func.vmap, torch.testing.assert_close
    x = torch.rand(2, 4, 3, dtype=torch.float64)
    for dims in ({"in_dims": 1}, {"in_dims": 1, "out_dims": 1}):
        close(vmap(ours, **dims)(x[:, :2]), vmap(theirs, **dims)(x[:, :2]))
    pairs = torch.rand(2, 2, 2, 3, dtype=torch.float64)
    close(vmap(vmap(ours))(pairs), vmap(vmap(theirs))(pairs))
    found = theirs(ELEMENTS)
    if (ours, theirs) in PAIRS:
        close(torch.func.jacrev(ours)(ELEMENTS), torch.func.jacrev(theirs)(ELEMENTS))
        close(torch.func.jacfwd(ours)(ELEMENTS), torch.func.jacfwd(theirs)(ELEMENTS))
        sums = [lambda y, it=it: (it(y) * found).sum() for it in (ours, theirs)]
        close(*(torch.func.hessian(it)(ELEMENTS) for it in sums))


def test_vmap_of_every_kind_of_operator() -> None:
    count = 0
    for call in torch_calls.sampled():
        place = next((at for at, it in enumerate(call.args) if isinstance(it, torch.Tensor)), None)
        if place is None or call.row.mutates or any(map(_is_number, _results(call))):
            continue
        samples = torch.stack([call.args[place]] * 2)
        args = [samples if at == place else it for at, it in enumerate(call.args)]
        dims = tuple(0 if at == place else None for at in range(len(args)))
        result = torch.vmap(lambda *args, it=call: it.op(*args, **it.kwargs), dims)(*args)
        for many, one in zip(it._gradients.flat(result), _results(call), strict=True):
            torch.testing.assert_close(many, torch.stack([one] * 2), equal_nan=True)
        count += 1
    assert count > 100


def _results(call: torch_calls.TorchCall) -> list[Any]:
    results: list[Any] = it._gradients.flat(call.op(*call.args, **call.kwargs))
    return results


def _is_number(value: Any) -> bool:
    return not isinstance(value, torch.Tensor)


def test_views_and_writes_under_vmap() -> None:
    x = torch.zeros(3, 2, 2)

    def write(y: Any) -> Any:
        o.add_.Scalar(o.transpose.int(y, 0, 1)[0], 1)
        return y

    assert torch.vmap(write)(x)[:, :, 0].tolist() == [[1, 1]] * 3
    assert x[:, :, 0].tolist() == [[1, 1]] * 3
    whole = torch.zeros(2)
    assert "which has no samples" in refusal(torch.vmap(lambda y: o.add_.Tensor(whole, y)), x[0])
    assert whole.tolist() == [0, 0]


def test_what_vmap_refuses() -> None:
    x = torch.tensor([[0.0, 1.0], [1.0, 1.0]])
    assert "other shapes" in refusal(torch.vmap(o.nonzero.default), x)
    assert "other numbers" in refusal(torch.vmap(lambda y: o.equal(y, y.flip(0))), x)
    assert "no samples" in refusal(torch.vmap(o.cumsum.default, (0, None)), x[:0], 0)

    def drop(y: Any) -> Any:
        return o.dropout(y, 0.5, True)

    assert "randomness='different'" in refusal(torch.vmap(drop), x)
    assert torch.vmap(drop, randomness="different")(x).shape == (2, 2)


def test_tangents_that_are_not_there() -> None:
    def tangent_of(function: Any) -> Any:
        return torch.func.jvp(function, (ELEMENTS,), (ELEMENTS,))[1]

    assert "draws random numbers" in refusal(tangent_of, lambda x: o.dropout(x, 0.5, True))
    assert "not implemented" in refusal(tangent_of, lambda x: o.igamma(x, x))
    assert "`out`" in refusal(tangent_of, lambda x: o.add.out(x, x, out=torch.empty(2, 3)))
    assert not tangent_of(lambda x: o.gt.Scalar(x, 0.3)).any()
    u = torch.rand(3, requires_grad=True)
    # It depends on the gradient of the result alone.
    (found,) = o.sin_backward([u], [True], torch.zeros(3))
    assert torch.autograd.grad(found.sum(), u)[0].tolist() == [1, 1, 1]
