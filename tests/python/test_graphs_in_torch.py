"""Operators in graphs of PyTorch: compiled, exported, with sizes that are symbols."""

from __future__ import annotations

import math
from typing import Any

import opwright
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

torch = pytest.importorskip("torch", reason="torch is not installed")
pytestmark = pytest.mark.filterwarnings("ignore:.*:UserWarning")

from torch_calls import ELEMENTS, refusal  # noqa: E402

it = opwright.interop.torch
it.register()
o = torch.ops.opwright
MODULE: Any = torch.nn.Module


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
