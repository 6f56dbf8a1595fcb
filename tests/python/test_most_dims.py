"""Operators make as many dimensions as a tensor can have, and refuse more with one message.

`OPWRIGHT_EVERY=1` looks at all operators for those that make dimensions, otherwise at a sample.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from typing import Any

import opwright as ow
import pytest
from bound_operators import operators, right_call

EVERY = 1 if os.environ.get("OPWRIGHT_EVERY") else 8
MOST = 128
F = ow.nn.functional
V = ow.arange(2.0)


def ones(ndim: int, **options: Any) -> Any:
    return ow.ones([1] * ndim, **options)


def places(ndim: int) -> Any:
    return ow.zeros([1] * ndim, dtype=ow.int64)


def letters(count: int) -> str:
    return "".join(chr(ord("a") + at) for at in range(count))


def written(ndim: int) -> Any:
    target = ones(ndim - 1)
    target[None] = 2
    return ones(ndim)


# By the names of operators, or what else is tried: a result with so many dimensions.
MAKING: dict[str, Callable[[int], Any]] = {
    "unsqueeze": lambda n: ones(n - 1).unsqueeze(0),
    "unsqueeze_": lambda n: ones(n - 1).unsqueeze_(-1),
    "expand": lambda n: V.expand([1] * (n - 1) + [2]),
    "expand_as": lambda n: ow.ones(1).expand_as(ones(n)),
    "broadcast_to": lambda n: ow.broadcast_to(V, [1] * (n - 1) + [2]),
    "repeat": lambda n: V.repeat([1] * (n - 2) + [3, 2]),
    "repeat of many": lambda n: ones(n - 1).repeat([2] * 20 + [1] * (n - 20)),
    "tile": lambda n: V.tile([1] * (n - 1) + [2]),
    "reshape": lambda n: V.reshape([1] * (n - 1) + [2]),
    "reshape with an open size": lambda n: V.reshape([1] * (n - 1) + [-1]),
    "reshape of none": lambda n: ow.ones(0).reshape([1] * (n - 1) + [0]),
    "view": lambda n: V.view([1] * (n - 1) + [2]),
    "view with an open size": lambda n: V.view([1] * (n - 1) + [-1]),
    "view_as": lambda n: ow.ones(1).view_as(ones(n)),
    "reshape_as": lambda n: ow.ones(1).reshape_as(ones(n)),
    "unflatten": lambda n: V.unflatten(0, [1] * (n - 1) + [2]),
    "unflatten with an open size": lambda n: V.unflatten(0, [1] * (n - 1) + [-1]),
    "unflatten of many": lambda n: ones(n - 1).unflatten(3, [1, -1]),
    "stack": lambda n: ow.stack([ones(n - 1)] * 2),
    "meshgrid": lambda n: ow.meshgrid(*[ow.ones(1)] * n)[0],
    "as_strided": lambda n: V.as_strided([1] * n, [1] * n),
    "as_strided_": lambda n: V.clone().as_strided_([1] * n, [1] * n),
    "resize_": lambda n: V.clone().resize_([1] * (n - 1) + [2]),
    "unfold": lambda n: ones(n - 1).unfold(0, 1, 1),
    "tensordot": lambda n: ow.tensordot(ones(n - 50), ones(50), 0),
    "kron": lambda n: ow.kron(ones(n - 1)[None] if n > MOST else ones(n), V),
    "outer": lambda n: ow.outer(V, V).reshape([2] + [1] * (n - 2) + [2]),
    "einsum": lambda n: ow.einsum(
        f"{letters(26)}...,{letters(26).upper()}->{letters(26)}{letters(26).upper()}...",
        [ones(n - 26), ones(26)],
    ),
    "one_hot": lambda n: F.one_hot(places(n - 1), 2),
    "embedding": lambda n: F.embedding(places(n - 1), ow.ones(2, 2)),
    "None": lambda n: ones(n - 2)[None, ..., None],
    "None many times": lambda n: V[(None,) * (n - 1)],
    "None beside indices": lambda n: ones(n - 1)[None, ow.tensor([0])],
    "indices of many dimensions": lambda n: ones(n - 49)[:, places(50)],
    "None and a value": written,
    "index_select": lambda n: ones(n).index_select(0, ow.tensor([0])),
    "take": lambda n: V.take(places(n)),
    "a result of both": lambda n: ones(n) + V[:1],
    "zeros": lambda n: ow.zeros([1] * n),
    "ones": ones,
    "full": lambda n: ow.full([1] * n, 2.0),
    "empty": lambda n: ow.empty([1] * n),
    "empty_strided": lambda n: ow.empty_strided([1] * n, [1] * n),
    "rand": lambda n: ow.rand([1] * n),
    "randn": lambda n: ow.randn([1] * n),
    "randint": lambda n: ow.randint(3, [1] * n),
    "new_zeros": lambda n: V.new_zeros([1] * n),
    "new_empty": lambda n: V.new_empty([1] * n),
    "new_full": lambda n: V.new_full([1] * n, 1.0),
    "cdist": lambda n: ow.cdist(ones(n), ones(n)),
    "linalg_pinv": lambda n: ow.linalg.pinv(ow.eye(2), atol=ones(n - 2)),
    "linalg_vander": lambda n: ow.linalg.vander(V.reshape([1] * (n - 2) + [2])),
    "diag_embed": lambda n: ow.diag_embed(ones(n - 1)),
    "view_as_real": lambda n: ow.view_as_real(ones(n - 1, dtype=ow.complex64)),
    "view_as_real_copy": lambda n: ow.view_as_real_copy(ones(n - 1, dtype=ow.complex64)),
    "unsqueeze_copy": lambda n: ow.unsqueeze_copy(ones(n - 1), 0),
    "unfold_copy": lambda n: ow.unfold_copy(ones(n - 1), 0, 1, 1),
    "as_strided_copy": lambda n: ow.as_strided_copy(V, [1] * n, [1] * n),
    "bucketize": lambda n: ow.bucketize(ones(n), V),
}


@pytest.mark.parametrize("name", MAKING)
def test_as_many_as_there_can_be(name: str) -> None:
    assert MAKING[name](MOST).ndim == MOST
    # Half of them: where another one is needed for each.
    assert MAKING[name](MOST // 2 + 5).ndim == MOST // 2 + 5


@pytest.mark.parametrize("name", MAKING)
def test_one_more_is_refused_in_the_same_words(name: str) -> None:
    message = rf"tensors have at most {MOST} dimensions, not {MOST + 1}"
    with pytest.raises((RuntimeError, ValueError), match=re.escape(message) + "$"):
        MAKING[name](MOST + 1)


def test_values_and_gradients_of_copies() -> None:
    x = ow.arange(6.0).reshape([2] + [1] * 98 + [3]).requires_grad_()
    times = [1, 2] + [1] * 97 + [3]
    result = x.repeat(times) if len(times) == x.ndim else None
    assert result is not None and result.ndim == 100
    plain = x.detach().reshape(2, 1, 3).repeat(1, 2, 3)
    assert result.reshape(2, 2, 9).equal(plain)
    result.square().sum().backward()
    assert x.grad.reshape(-1).equal(2 * 6 * x.detach().reshape(-1))
    a, b = ow.arange(4.0).reshape([2] + [1] * 98 + [2]), ow.arange(2.0)
    small = ow.kron(a.reshape(2, 1, 2), b)
    assert ow.kron(a, b).reshape(small.shape).equal(small)


@pytest.mark.parametrize("device", ["cpu", "meta"])
def test_on_every_device(device: str) -> None:
    x = ow.ones(2, device=device)
    for make in (x.repeat, x.tile):
        assert make([1] * (MOST - 1) + [2]).shape[-1] == 4
        with pytest.raises(RuntimeError, match=f"at most {MOST} dimensions, not {MOST + 1}"):
            make([1] * MOST + [2])


# What they make has five dimensions at most, or as many as the tensors; `None` is tried above.
OTHERS = {
    "addr",
    "affine_grid_generator",
    "atleast_2d",
    "atleast_3d",
    "col2im",
    "combinations",
    "diagflat",
    "logspace",
    "nonzero_static",
    "row_stack",
    "stft",
    "vander",
    "nonzero",
    "argwhere",
    "column_stack",
    "dstack",
    "ger",
    "linspace",
    "ravel",
    "__getitem__",
}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("operator", list(operators())[::EVERY], ids=lambda it: it.name)
def test_all_that_make_dimensions_are_above(operator: Any) -> None:
    """An operator whose result has more dimensions than everything that went in is among them."""
    name = operator.name.rpartition(".")[2]
    for overload in operator.overloads:
        call = right_call(operator, overload, count=100)
        if call is None or name in MAKING or name in OTHERS:
            continue
        tensors = [it for it in (*call[0], *call[1].values()) if isinstance(it, ow.Tensor)]
        lists = [it for it in (*call[0], *call[1].values()) if isinstance(it, (list, tuple))]
        tensors += [part for it in lists for part in it if isinstance(part, ow.Tensor)]
        if not tensors:
            continue
        result = operator.function(*call[0], **call[1])
        if isinstance(result, ow.Tensor):
            assert result.ndim <= max(it.ndim for it in tensors), f"{operator.name}{call}"
