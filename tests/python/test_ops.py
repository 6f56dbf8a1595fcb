"""`opwright.ops`: operators as objects, and each of their overloads."""

import copy
import importlib
import inspect
import pickle

import opwright
import pytest
from opwright import ops

A = opwright.tensor([1.0, 2.0])
B = opwright.tensor([10.0, 20.0])


def overloads() -> list[ops.Overload]:
    """Every overload of every operator."""
    operators = [getattr(ops, it) for it in dir(ops)]
    found = [it for it in operators if isinstance(it, ops.Operator)]
    return [getattr(operator, it) for operator in found for it in operator.overloads]


def test_an_overload_says_what_it_is() -> None:
    add = ops.add.Tensor
    assert (add.name, add.overload) == ("add.Tensor", "Tensor")
    assert add.schema == "add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor"
    assert not add.is_view and not add.mutates
    assert "pointwise" in add.tags
    assert repr(add) == f"<overload {add.schema}>"
    assert add.__name__ == "add.Tensor"
    assert ops.relu.default.name == "relu" and ops.relu.default.overload == "default"
    assert ops.relu.default.__name__ == "relu.default"
    assert ops.Overload.__module__ == ops.relu.default.__module__ == "opwright.ops"
    assert ops.add_.Tensor.mutates and ops.add.out.mutates
    gradients = [ops.add.Tensor, ops.linalg_inv.default, ops.floor_divide.default, ops.add.out]
    assert [it.gradient for it in gradients] == ["formula", "composed", "not implemented", "none"]
    assert ops.eq.Tensor.gradient == ops.logical_and.default.gradient == "none"
    assert ops.select.int.is_view and not ops.add_.Tensor.is_view


def test_parameters_have_the_names_of_the_schema() -> None:
    assert ops.add.Tensor(self=A, other=B, alpha=2).tolist() == [21.0, 42.0]
    assert ops.add.Tensor(A, B).tolist() == [11.0, 22.0]
    text = str(inspect.signature(ops.sum.dim_IntList))
    assert text.startswith("(self: 'Tensor', dim: 'int[1]?', keepdim: 'bool' = False, *, dtype")
    assert ops.sum.dim_IntList(opwright.ones(2, 3), 1).tolist() == [3.0, 3.0]


def test_exactly_this_overload_is_called() -> None:
    with pytest.raises(TypeError, match=r"^sum\.dim_IntList\(\): argument 'keepdim' must be bool"):
        ops.sum.dim_IntList(A, keepdim="x")
    with pytest.raises(TypeError, match=r"(?s)unexpected keyword argument 'input'.*mean\s+'self'"):
        ops.relu.default(input=A)
    with pytest.raises(TypeError, match="missing"):
        ops.add.Tensor(A)


def test_an_operator_knows_its_overloads() -> None:
    assert ops.add.overloads == ("Tensor", "out", "Scalar")
    assert {"Tensor", "Scalar", "out"} <= set(dir(ops.add))
    assert ops.add.name == "add" and repr(ops.add).startswith("<operator add: Tensor, out, Scalar>")
    assert ops.add(A, 1.0, alpha=3).tolist() == [4.0, 5.0]
    with pytest.raises(
        AttributeError, match="'add' has no overload 'tensor'; did you mean 'Tensor'"
    ):
        _ = ops.add.tensor
    with pytest.raises(
        AttributeError, match=r"opwright\.ops has no operator 'ad'; did you mean 'a"
    ):
        _ = ops.ad


def test_names_can_be_completed() -> None:
    assert {"add", "add_", "relu", "__and__"} <= set(dir(ops))
    assert importlib.import_module("opwright.ops") is ops is opwright.ops


def test_there_is_one_object_for_each() -> None:
    assert ops.add is ops.add and ops.add.Tensor is ops.add.Tensor
    for it in (ops.add, ops.add.Tensor, ops.relu.default):
        assert copy.deepcopy(it) is it
        for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
            assert pickle.loads(pickle.dumps(it, protocol)) is it


def test_what_is_written_to_is_returned() -> None:
    x = A.clone()
    assert ops.add_.Tensor(x, B) is x
    assert x.tolist() == [11.0, 22.0]
    out = opwright.empty(0)
    assert ops.add.out(A, B, out=out) is out
    assert out.tolist() == [11.0, 22.0]
    values, indices = opwright.empty(0), opwright.empty(0, dtype=opwright.int64)
    result = ops.max.dim_max(opwright.ones(2, 3), 0, max=values, max_values=indices)
    assert type(result) is tuple and result[0] is values and result[1] is indices
    assert values.shape == (3,)
    xs = [A.clone(), B.clone()]
    assert ops._foreach_add_.Scalar(xs, 1.0) is None
    assert [it.tolist() for it in xs] == [[2.0, 3.0], [11.0, 21.0]]


def test_values_of_all_kinds_pass() -> None:
    assert ops.zeros.default([2, 3], dtype=opwright.int32).dtype is opwright.int32
    assert ops.is_nonzero.default(opwright.tensor(1.0)) is True
    assert ops.cat.default([A, B], 0).tolist() == [1.0, 2.0, 10.0, 20.0]
    assert ops.index.Tensor(opwright.ones(2, 3), [None, opwright.tensor([0])]).shape == (2, 1)
    assert [it.tolist() for it in ops.split.Tensor(A, 1)] == [[1.0], [2.0]]
    assert ops.einsum.default("i,i->", [A, B]).item() == 50.0
    generator = opwright.Generator()
    generator.manual_seed(1)
    assert ops.rand.generator([2], generator=generator).shape == (2,)
    assert ops.add.Tensor(A, 1).tolist() == [2.0, 3.0]
    assert ops.clamp.default(A, max=1.5).tolist() == [1.0, 1.5]


def test_views_share_memory() -> None:
    x = A.clone()
    ops.select.int(x, 0, 1).fill_(5.0)
    assert x.tolist() == [1.0, 5.0]


def test_overrides_see_the_overload() -> None:
    class Spy:
        @classmethod
        def __opwright_function__(cls, function, types, args=(), kwargs=None):  # type: ignore[no-untyped-def]
            return function, args, kwargs

    spy = Spy()
    assert ops.add.Tensor(spy, A, alpha=2) == (ops.add.Tensor, (spy, A), {"alpha": 2})

    class Kind(opwright.Tensor):
        pass

    assert type(ops.add.Tensor(Kind([1.0]), 1)) is Kind


def test_every_row_fits_its_schema() -> None:
    found = overloads()
    assert len(found) > 1000
    assert len({it.name for it in found}) == len(found)
    for it in found:
        assert it.schema.startswith(f"{it.name}(")
        inspect.signature(it)
        assert it.mutates == ("!" in it.schema)
        with pytest.raises(TypeError):
            it(*[object()] * 40)
