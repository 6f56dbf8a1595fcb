"""Operators in PyTorch: `opwright.interop.torch`."""

from __future__ import annotations

import copy
import math
import random
import sys
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

it = opwright.interop.torch
registered = it.register()
o = torch.ops.opwright

DTYPES = [torch.float64, torch.float32, torch.bfloat16, torch.complex64, torch.int64, torch.bool]
TENSOR: Any = torch.Tensor
MODULE: Any = torch.nn.Module
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


def refusal(call: Any, *args: Any, **kwargs: Any) -> str:
    """The message of the error that a call is."""
    with pytest.raises((TypeError, RuntimeError, ValueError)) as caught:
        call(*args, **kwargs)
    return str(caught.value)


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


ELEMENTS = torch.tensor([[0.3, 0.6, 0.2], [0.9, 0.1, 0.4]], dtype=torch.float64)


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


def test_gradients_that_are_not_there() -> None:
    x = ELEMENTS.clone().requires_grad_()
    (first,) = torch.autograd.grad(o.sin(x).sum(), x, create_graph=True)
    (second,) = torch.autograd.grad(first.sum(), x, create_graph=True)
    torch.testing.assert_close(second, -x.sin())
    (third,) = torch.autograd.grad(second.sum(), x, create_graph=True)
    torch.testing.assert_close(third, -x.cos())
    assert "no further" in refusal(third.sum().backward)
    assert "draws random numbers" in refusal(o.dropout(x, 0.5, True).sum().backward)
    assert "leave `out` out" in refusal(o.add.out, x, x, out=torch.empty(2, 3))
    assert "leaf" in refusal(o.mul_.Scalar, x, 2)
    assert not o.eq.Scalar(x, 0.3).requires_grad
    with torch.no_grad():
        o.mul_.Scalar(x, 2)
    torch.testing.assert_close(x.detach(), ELEMENTS * 2)


QUICK = ("test_schema", "test_autograd_registration", "test_faketensor")


def is_known(row: Any) -> bool:
    """Whether its schema and its Meta kernel say all."""
    tags = {"nondeterministic_seeded", "dynamic_output_shape", "data_dependent_output"}
    return not {*row.tags} & {*tags, "maybe_aliasing_or_mutating"}


@pytest.fixture(scope="module")
def found() -> list[torch_calls.TorchCall]:
    """A call of every third operator."""
    names = [it for it in registered.operators if not it.startswith("_")]
    chosen = {*random.Random(7).sample(names, len(names) // 3)}
    return [*torch_calls.calls(lambda row: row.name in chosen and is_known(row))]


def test_opcheck(found: list[torch_calls.TorchCall]) -> None:
    assert len(found) > 200
    wrong = {}
    for call in found:
        if call.row.gradient in HAS_GRADIENT and not call.row.mutates:
            call = call.differentiable()
        results = torch.library.opcheck(
            call.op, call.args, call.kwargs, test_utils=QUICK, raise_exception=False
        )
        for check, result in results.items():
            if result != "SUCCESS" and "no Meta kernel" not in str(result):
                wrong[call.row.name, check] = str(result)
    assert not wrong


def test_rows_return_the_same(found: list[torch_calls.TorchCall]) -> None:
    for call in found:
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


def compiled(function: Any, **options: Any) -> Any:
    """Compiled to a graph, without what makes machine code of it, which takes long."""
    torch._dynamo.reset()
    return torch.compile(function, fullgraph=True, backend="aot_eager", **options)


def test_compile() -> None:
    def function(x: Any, w: Any) -> Any:
        y = o.softplus(o.mm(x, w))
        o.add_.Tensor(y, w[0])
        out = torch.empty(2, 2, dtype=torch.float64)
        o.mul.out(y.detach(), y.detach(), out=out)
        return o.transpose(y, 0, 1).sum() + o.sum.dim_IntList(y, [0]).sum() + out.sum()

    x, w = ELEMENTS.clone().requires_grad_(), ELEMENTS.t().clone().requires_grad_()
    expected = torch.autograd.grad(function(x, w), (x, w))
    torch.testing.assert_close(compiled(function)(x, w), function(x, w))
    torch.testing.assert_close(torch.autograd.grad(compiled(function)(x, w), (x, w)), expected)


def test_sizes_stay_symbols() -> None:
    def function(x: Any) -> Any:
        return o.softplus(o.mul.Tensor(x, x[:1]))

    count = torch._dynamo.testing.CompileCounterWithBackend("aot_eager")
    dynamic = torch.compile(function, fullgraph=True, dynamic=True, backend=count)
    for size in (3, 5, 8):
        x = torch.rand(size, 2)
        torch.testing.assert_close(dynamic(x), function(x))
    assert count.frame_count == 1


PROBED: dict[str, Any] = {
    "layer_norm": lambda x, y: o.layer_norm(x, [3], x[0, :3] * 0, None),
    "mm": lambda x, y: o.mm(x, o.transpose.int(y, 0, 1)),
    "cat": lambda x, y: o.cat([x, y, x], 0),
    "flatten": lambda x, y: o.flatten.using_ints(x, 0) * 2,
    "view": lambda x, y: o.view(x, [x.shape[0] * 3]) * 2,
    "kron": lambda x, y: o.kron(x, x),
    "pool": lambda x, y: o.avg_pool1d(o.t(x), [2], [2]),
    "zeros": lambda x, y: o.zeros([y.shape[0], 2]) + 1,
    "mean": lambda x, y: o.div.Scalar(o.sum.dim_IntList(x, [0]), x.shape[0]),
    "same": lambda x, y: o.addcmul(x, x * 1, y) + o.cross(x, y),
    "gather": lambda x, y: o.gather(x, 1, (y[:, :2] > 0).long()),
    "narrow": lambda x, y: o.narrow(x, 0, 1, 2) + o.slice.Tensor(x, 0, -2),
    "write": lambda x, y: o.add_.Tensor(x * 1, y),
}


@pytest.mark.parametrize("name", PROBED)
def test_sizes_are_probed(name: str) -> None:
    class Model(MODULE):  # type: ignore[misc]
        def forward(self, x: Any, y: Any) -> Any:
            return PROBED[name](x, y)

    rows = {0: torch.export.Dim.DYNAMIC}
    program = torch.export.export(
        Model(), (torch.rand(6, 3), torch.rand(6, 3)), dynamic_shapes=(rows, rows)
    )
    for size in (6, 4, 9, 40):
        x, y = torch.rand(size, 3), torch.rand(size, 3)
        torch.testing.assert_close(program.module()(x, y), PROBED[name](x, y))
    if name == "mm":
        assert program.module()(torch.rand(7, 3), torch.rand(4, 3)).shape == (7, 4)


def test_sizes_of_no_known_form_are_numbers() -> None:
    count = torch._dynamo.testing.CompileCounterWithBackend("aot_eager")

    def function(x: Any) -> Any:
        return o.slice.Tensor(x, 0, 0, 7) + 1

    torch._dynamo.reset()
    dynamic = torch.compile(function, fullgraph=True, dynamic=True, backend=count)
    for rows, columns in [(5, 2), (9, 2), (9, 4)]:
        x = torch.rand(rows, columns)
        torch.testing.assert_close(dynamic(x), function(x))
    # A graph for each number of rows, and one for all numbers of columns.
    assert count.frame_count == 2


@given(st.data())
@settings(deadline=None, max_examples=30)
def test_polynomials_are_found(data: st.DataObject) -> None:
    here = tuple(data.draw(st.lists(st.integers(2, 40), min_size=1, max_size=3)))
    powers = st.tuples(*(st.integers(0, 4 if len(here) == 1 else 2) for _ in here))
    terms = data.draw(st.dictionaries(powers, st.integers(-9, 9), max_size=4))

    def polynomial(values: Any) -> int:
        return sum(
            factor * math.prod(value**power for value, power in zip(values, each, strict=True))
            for each, factor in terms.items()
        )

    a, b = data.draw(st.integers(1, 9)), data.draw(st.integers(-9, 9))
    divisor = data.draw(st.sampled_from([1, 2, 3, 4, 6, 7, 16, 64]))
    for function in (polynomial, lambda values: (a * values[0] + b) // divisor):
        found = it._polynomials.fit(here, function)
        assert found is not None
        for _ in range(5):
            values = [data.draw(st.integers(2, 99)) for _ in here]
            assert found(values) == function(values)


def test_shapes_that_depend_on_elements() -> None:
    torch._dynamo.reset()
    x = torch.tensor([0, 3, 4])
    split = torch.compile(lambda x: o.nonzero(x + 0) * 2, backend="aot_eager")
    assert split(x).tolist() == [[2], [4]]
    with pytest.raises(Exception, match="nonzero"):
        compiled(lambda x: o.nonzero(x) * 2)(x)
    mode = torch._subclasses.FakeTensorMode()
    assert "depends on the elements" in refusal(o.nonzero, mode.from_tensor(x))


def test_operators_without_meta_kernels() -> None:
    it.register("fakeless", operators=["histc"])
    histc = torch.ops.fakeless.histc.default

    def function(x: Any) -> Any:
        return histc(x * 2, 4, 0.0, 2.0) + 1

    with pytest.raises(Exception, match=r'torch.library.register_fake\("fakeless::histc"\)'):
        compiled(function)(ELEMENTS)
    torch._dynamo.reset()
    split = torch.compile(function, backend="aot_eager")
    torch.testing.assert_close(split(ELEMENTS), function(ELEMENTS))

    @torch.library.register_fake("fakeless::histc")  # type: ignore[untyped-decorator]
    def of_bins(x: Any, bins: int = 100, low: float = 0, high: float = 0) -> Any:
        return x.new_empty(bins)

    torch.testing.assert_close(compiled(function)(ELEMENTS), function(ELEMENTS))
    assert histc(torch.ones(3, device="meta"), 5).shape == (5,)
    # It replaces ours, and not one that somebody has written.
    with pytest.raises(RuntimeError, match="already has"):
        torch.library.register_fake("fakeless::histc", of_bins)


def test_export() -> None:
    class Model(MODULE):  # type: ignore[misc]
        def forward(self, x: Any) -> Any:
            return o.softplus(x) + 1, o.topk(x, 2)[1]

    program = torch.export.export(Model(), (ELEMENTS,))
    targets = [str(it.target) for it in program.graph.nodes if it.op == "call_function"]
    assert "opwright.softplus.default" in targets
    torch.testing.assert_close(program.module()(ELEMENTS), Model()(ELEMENTS))


def test_fake_results_are_where_the_inputs_are() -> None:
    meta = torch.empty(2, 3, device="meta")
    assert o.add.Tensor(meta, meta[0]).device.type == "meta"
    mode = torch._subclasses.FakeTensorMode()
    x = mode.from_tensor(ELEMENTS.t())
    result = o.mul.Scalar(x, 2)
    assert (result.device.type, result.shape) == ("cpu", (3, 2))
    assert result.stride() == o.mul.Scalar(ELEMENTS.t(), 2).stride()
    with mode:
        assert o.zeros([2], dtype=torch.int16).device.type == "cpu"


class Subclass(TENSOR):  # type: ignore[misc]
    """A class of which nothing else is known."""


@pytest.mark.parametrize(
    "make, message",
    [
        (lambda: torch.eye(2).to_sparse(), "sparse_coo"),
        (lambda: torch.quantize_per_tensor(torch.ones(2), 0.1, 0, torch.qint8), "qint8"),
        (lambda: torch.ones(2).as_subclass(Subclass), "Subclass"),
        (lambda: torch.ones(2).to(torch.float8_e4m3fn), "float8_e4m3fn"),
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
