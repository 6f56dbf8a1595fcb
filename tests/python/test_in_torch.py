"""Operators in PyTorch: `opwright.interop.torch`."""

from __future__ import annotations

import copy
import sys
import threading
from typing import Any

import opwright
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

torch = pytest.importorskip("torch", reason="torch is not installed")
# Samples are tried until one is taken, and some of them are questionable.
pytestmark = pytest.mark.filterwarnings("ignore:.*:UserWarning")

import torch_calls  # noqa: E402
from torch.utils.flop_counter import FlopCounterMode  # noqa: E402
from torch_calls import ELEMENTS, refusal  # noqa: E402

it = opwright.interop.torch
registered = it.register()
o = torch.ops.opwright

DTYPES = [torch.float64, torch.float32, torch.bfloat16, torch.complex64, torch.int64, torch.bool]
TENSOR: Any = torch.Tensor
HAS_GRADIENT = {"formula", "composed"}


def of_one(row: Any) -> bool:
    """Whether it is a function of each element, which PyTorch has, too."""
    name, _, rest = row.schema.partition("(")
    return (
        rest == "Tensor self) -> Tensor"
        and "." not in name
        and "pointwise" in row.tags
        and hasattr(torch.ops.aten, name)
        and hasattr(getattr(torch.ops.aten, name), "default")
    )


OF_ONE = [
    row.name for name in dir(opwright.ops) for row in it._library.overloads(name) if of_one(row)
]


@st.composite
def tensors(draw: st.DrawFn, dtype: Any = None) -> Any:
    """Tensors of few dimensions, some of them views."""
    shape = draw(st.lists(st.integers(0, 3), max_size=3))
    generator = torch.Generator().manual_seed(draw(st.integers(0, 99)))
    whole = (torch.rand(shape, generator=generator) * 4 - 2).to(
        dtype or draw(st.sampled_from(DTYPES))
    )
    is_turned, is_cut = draw(st.booleans()), draw(st.booleans())
    if shape and is_turned:
        whole = whole.transpose(0, -1)
    if shape and is_cut:
        whole = whole[1:]
    return whole


def test_all_that_can_be_are_there() -> None:
    every = [row.name for name in it._library.names() for row in it._library.overloads(name)]
    assert {*registered.operators} | {*registered.skipped} == {*every}
    assert not {*registered.operators} & {*registered.skipped}
    assert all("no values of type" in why for why in registered.skipped.values())
    assert it.register() == registered
    for name, backward in registered.backward.items():
        assert name in registered.operators or name.startswith("_copying_")
        assert torch_calls.overload("opwright", backward)


def test_schemas_go_over_as_they_stand() -> None:
    same = 0
    for name in registered.operators:
        base, _, of = name.partition(".")
        row = getattr(getattr(opwright.ops, base), of or "default")
        theirs = torch_calls.overload("opwright", name)._schema
        assert theirs.is_mutable == row.mutates, name
        # Those that are keywords of Python end in an underscore there.
        names = [it.removesuffix("_") for it in row.__signature__.parameters]
        assert [it.name.removesuffix("_") for it in theirs.arguments] == names, name
        same += str(theirs).removeprefix("opwright::") == row.schema
    # PyTorch prints some defaults and types otherwise than it reads them.
    assert same > 500


@given(st.data())
@settings(deadline=None, max_examples=150)
def test_values_are_those_of_torch(data: st.DataObject) -> None:
    name, x = data.draw(st.sampled_from(OF_ONE)), data.draw(tensors())
    try:
        expected = getattr(torch.ops.aten, name).default(x)
        found = getattr(o, name).default(x)
    except (RuntimeError, TypeError, NotImplementedError):
        # Not of all dtypes.
        return
    assert found.dtype == expected.dtype
    close = {"rtol": 2e-2, "atol": 2e-2} if x.dtype == torch.bfloat16 else {}
    torch.testing.assert_close(found, expected, equal_nan=True, **close)


@given(tensors(), st.data())
@settings(deadline=None, max_examples=60)
def test_memory_is_shared_both_ways(x: Any, data: st.DataObject) -> None:
    ours = it._values.take(x)
    assert (tuple(ours.shape), ours.is_contiguous()) == (tuple(x.shape), x.is_contiguous())
    back = it._values.give(ours)
    torch.testing.assert_close(back, x)
    assert back.dtype == x.dtype
    if x.numel():
        assert back.data_ptr() == x.data_ptr() == ours.data_ptr()


@given(tensors(torch.float64))
@settings(deadline=None, max_examples=30)
def test_what_is_written_lands_in_torch(x: Any) -> None:
    expected = x + 2
    assert o.add_.Scalar(x, 2) is x
    torch.testing.assert_close(x, expected)
    out = torch.empty_like(x)
    assert o.mul.out(x, x, out=out) is out
    torch.testing.assert_close(out, expected * expected)
    torch.testing.assert_close(o.mul.out(x, x, out=x.new_empty(0)), out)


def test_writes_are_counted() -> None:
    x = torch.ones(2)
    before = x._version
    o.add_.Scalar(x, 1)
    assert x._version > before
    leaf = torch.ones(2, requires_grad=True)
    squared = leaf.exp()
    o.zero_(squared.detach())
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        squared.sum().backward()
    running = torch.zeros(2)
    o.batch_norm(torch.rand(3, 2), None, None, running, torch.ones(2), True, 0.5, 1e-5, False)
    assert running._version > 0
    assert running.abs().sum() > 0


def test_views() -> None:
    x = torch.arange(6.0).reshape(2, 3)
    turned = o.transpose(x, 0, 1)
    assert (turned.data_ptr(), turned.stride()) == (x.data_ptr(), (1, 3))
    turned[0, 0] = 9
    assert x[0, 0] == 9
    rows = o.unbind(x)
    assert [it.data_ptr() - x.data_ptr() for it in rows] == [0, 12]
    assert o.reshape(x, [6]).data_ptr() == x.data_ptr()
    copied = o.reshape(x.t(), [6])
    assert copied.data_ptr() != x.data_ptr()
    torch.testing.assert_close(copied, x.t().reshape(6))
    z = torch.tensor([1 + 2j])
    assert o.imag(z).data_ptr() == z.data_ptr() + 4
    assert o.narrow.Tensor(x, 1, torch.tensor(1), 2).tolist() == [[1, 2], [4, 5]]
    with FlopCounterMode(display=False):
        assert o.narrow.Tensor(x, 1, torch.tensor(1), 2).tolist() == [[1, 2], [4, 5]]
    assert o.select.int(x[1:], 1, 2).tolist() == [5]
    assert o.reshape(x[:, 1:], [4]).tolist() == [1, 2, 4, 5]
    leaf = torch.ones(2, 3, requires_grad=True)
    o.transpose(leaf, 0, 1)[0].sum().backward()
    assert leaf.grad.tolist() == [[1, 0, 0], [1, 0, 0]]
    y = torch.ones(2, 3)
    assert o.unsqueeze_(y, 0) is y
    assert y.shape == (1, 2, 3)


@pytest.mark.parametrize(
    "function",
    [
        lambda x: o.mul.Tensor(x, x[0]),
        lambda x: o.softplus(x),
        lambda x: o.cat([x, x * 2], 1),
        lambda x: o.layer_norm(x, [3], x[0], None),
        lambda x: o.logsumexp(x, [1]),
        lambda x: o.topk(x, 2)[0],
        lambda x: o.mul_.Tensor(x.clone(), x),
        lambda x: o.mul_.Scalar(x * 1, 3.0),
        lambda x: o.diagonal(x),
        lambda x: o.reshape(o.t(x), [6]),
        lambda x: o.where.self(x > 0.35, x, x * x),
        lambda x: o._foreach_add.List([x, x[0]], [x * x, x[1]])[1],
        lambda x: o.view_as_complex(o.stack([x, x], -1)).abs(),
    ],
)
def test_gradients(function: Any) -> None:
    x = ELEMENTS.clone().requires_grad_()
    assert torch.autograd.gradcheck(function, x)
    assert torch.autograd.gradgradcheck(function, x)


def test_threads_register_gradients_once() -> None:
    names = ["sin", "cos", "exp", "tanh", "sigmoid", "erf", "log1p", "atan", "sinh", "cosh"]
    few = it.register("threads", operators=names).namespace
    failures: list[Exception] = []
    together = threading.Barrier(4)

    def work() -> None:
        try:
            for name in names:
                x = ELEMENTS.clone().requires_grad_()
                y = getattr(getattr(torch.ops, few), name)(x).sum()
                (first,) = torch.autograd.grad(y, x, create_graph=True)
                together.wait(30)
                first.sum().backward()
        except Exception as error:
            failures.append(error)
            together.abort()

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    threads = [threading.Thread(target=work) for _ in range(4)]
    try:
        for each in threads:
            each.start()
        for each in threads:
            each.join()
    finally:
        sys.setswitchinterval(interval)
    assert not failures


def test_gradients_that_are_not_there() -> None:
    x = ELEMENTS.clone().requires_grad_()
    (first,) = torch.autograd.grad(o.sin(x).sum(), x, create_graph=True)
    (second,) = torch.autograd.grad(first.sum(), x, create_graph=True)
    torch.testing.assert_close(second, -x.sin())
    (third,) = torch.autograd.grad(second.sum(), x, create_graph=True)
    torch.testing.assert_close(third, -x.cos())
    assert "no further" in refusal(third.sum().backward)
    assert "draws random numbers" in refusal(o.dropout(x, 0.5, True).sum().backward)
    assert "pass `.detach()`" in refusal(o.heaviside(x, x).sum().backward)
    assert "leave `out` out" in refusal(o.add.out, x, x, out=torch.empty(2, 3))
    assert "leaf" in refusal(o.mul_.Scalar, x, 2)
    assert not o.eq.Scalar(x, 0.3).requires_grad
    with torch.no_grad():
        o.mul_.Scalar(x, 2)
    torch.testing.assert_close(x.detach(), ELEMENTS * 2)


QUICK = ("test_schema", "test_autograd_registration", "test_faketensor")


def test_opcheck() -> None:
    assert len(torch_calls.sampled()) > 200
    wrong = {}
    for call in torch_calls.sampled():
        if call.row.gradient in HAS_GRADIENT and not call.row.mutates:
            call = call.differentiable()
        results = torch.library.opcheck(
            call.op, call.args, call.kwargs, test_utils=QUICK, raise_exception=False
        )
        for check, result in results.items():
            if result != "SUCCESS" and "no Meta kernel" not in str(result):
                wrong[call.row.name, check] = str(result)
    assert not wrong


def test_rows_return_the_same() -> None:
    for call in torch_calls.sampled():
        schema = it._schema.of(call.row)
        if not {*call.kwargs} <= {each.name for each in schema.keywords}:
            continue
        theirs = copy.deepcopy((call.args, call.kwargs))
        args, kwargs = it._kernels.arguments(schema)(*theirs)
        expected = call.row(*args, **kwargs)
        result = call.op(*copy.deepcopy(call.args), **copy.deepcopy(call.kwargs))
        ours = [each for each in it._gradients.flat(expected) if isinstance(each, opwright.Tensor)]
        gained = [each for each in it._gradients.flat(result) if isinstance(each, torch.Tensor)]
        if ours:
            ours = [it._values.give(each) for each in ours]
            torch.testing.assert_close(gained, ours, equal_nan=True)


@pytest.mark.parametrize(
    "name, args",
    [
        ("mul.Tensor", (ELEMENTS, ELEMENTS[0])),
        ("softplus", (ELEMENTS,)),
        ("cat", ([ELEMENTS, ELEMENTS],)),
        ("var_mean.dim", (ELEMENTS, [1])),
        ("mul_.Tensor", (ELEMENTS.clone(), ELEMENTS)),
        ("transpose.int", (ELEMENTS, 0, 1)),
        ("mul_backward.Tensor", ([ELEMENTS], [True, True], ELEMENTS, ELEMENTS[0])),
        ("_foreach_add.List", ([ELEMENTS], [ELEMENTS])),
        ("zeros", ([2, 3],)),
    ],
)
def test_opcheck_of_compiled_calls(name: str, args: tuple[Any, ...]) -> None:
    op = torch_calls.overload("opwright", name)
    if name.partition(".")[0] not in {"mul_", "mul_backward", "zeros"}:
        args = tuple(map(torch_calls._leaf, args))
    torch.library.opcheck(op, args)


class Subclass(TENSOR):  # type: ignore[misc]
    """A class of which nothing else is known."""


@pytest.mark.parametrize(
    "make, message",
    [
        (lambda: torch.eye(2).to_sparse(), "sparse_coo"),
        (lambda: torch.quantize_per_tensor(torch.ones(2), 0.1, 0, torch.qint8), "qint8"),
        (lambda: torch.ones(2).as_subclass(Subclass), "Subclass"),
        (lambda: torch.ones(2).to(torch.float8_e4m3fn), "float8_e4m3fn"),
        (lambda: None, "got None"),
    ],
)
def test_tensors_that_are_refused(make: Any, message: str) -> None:
    assert message in refusal(o.abs, make())


def test_lazy_conjugates_are_made_before() -> None:
    z = torch.tensor([1 + 2j, 3 - 1j])
    torch.testing.assert_close(o.mul.Tensor(z.conj(), z), z.conj() * z)
    torch.testing.assert_close(o.neg(z.conj().imag), -z.conj().imag)
    expected = (z.conj() * 2).conj().resolve_conj()
    o.mul_.Scalar(z.conj(), 2)
    torch.testing.assert_close(z, expected)


def test_errors_are_ours() -> None:
    message = refusal(o.mm, torch.ones(2, 3), torch.ones(2, 3))
    ours = opwright.ones(2, 3)
    assert message == refusal(opwright.ops.mm.default, ours, ours)
    assert "cuda" in refusal(o.zeros, [2], device="cuda")
    assert "[3]" in refusal(o.add.out, torch.ones(3), torch.ones(3), out=torch.empty(2))


def test_other_arguments() -> None:
    assert o.zeros([2], dtype=torch.int16).dtype == torch.int16
    assert o.mse_loss(torch.ones(2), torch.zeros(2), 0).tolist() == [1, 1]
    assert o.fft_fft(torch.ones(2), norm="forward").tolist() == [1, 0]
    twice = [o.rand.generator([3], generator=torch.Generator().manual_seed(1)) for _ in "ab"]
    assert twice[0].tolist() == twice[1].tolist()
    last = o.contiguous(torch.rand(1, 2, 3, 4), memory_format=torch.channels_last)
    assert last.is_contiguous(memory_format=torch.channels_last)
    assert o.index.Tensor(torch.arange(4.0), [torch.tensor([1])]).tolist() == [1]
    with torch.inference_mode():
        assert o.add_.Scalar(torch.ones(1), 1).tolist() == [2]


@pytest.mark.skipif(not hasattr(torch.library, "register_autocast"), reason="torch is too old")
def test_autocast() -> None:
    it.register("casting", operators=["mm"])
    torch.library.register_autocast("casting::mm", "cpu", torch.bfloat16)
    w = torch.rand(3, 2, requires_grad=True)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        half = torch.mm(torch.rand(2, 3), w)
        product = torch.ops.casting.mm(half, torch.rand(2, 2))
        assert "bfloat16 != float32" in refusal(o.mm, half, torch.rand(2, 2))
    assert product.dtype == torch.bfloat16
    product.sum().backward()
    assert w.grad.dtype == torch.float32


def test_some_operators_in_another_namespace() -> None:
    some = it.register("few", operators=["add", opwright.ops.relu, opwright.ops.mul.Tensor])
    assert some.operators == ("add.Scalar", "add.Tensor", "add.out", "mul.Tensor", "relu")
    assert torch.ops.few.relu(torch.tensor([-1.0])).tolist() == [0]
    assert "few" in repr(some)
    more = it.register("few", operators=["mul_.Tensor"])
    assert {*more.operators} == {*some.operators, "mul_.Tensor"}
    assert "`nope`" in refusal(it.register, operators=["nope"])
    assert "`add.nope`" in refusal(it.register, operators=["add.nope"])
    assert "`a.b`" in refusal(it.register, "a.b")
    assert "neither" in refusal(it.register, operators=[3])


@pytest.mark.parametrize(
    "version, message", [(None, "pip install torch"), ("2.3.1", "2.4 or newer")]
)
def test_torch_absent_or_too_old(
    version: str | None, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = "opwright.interop.torch"
    for module in [it for it in sys.modules if it.startswith(name)]:
        monkeypatch.delitem(sys.modules, module)
    if version is None:
        monkeypatch.setitem(sys.modules, "torch", None)
    else:
        monkeypatch.setattr(torch, "__version__", version)
    with pytest.raises(ImportError, match=message):
        __import__(name)
