"""Calls one operator of each form that a kernel can have."""

import importlib
import pickle

import my_ops
import pytest
from my_ops import tensor
from opwright.testing import opcheck

FORMS = [
    my_ops.between,
    my_ops.weighted_sum,
    my_ops.reset_,
    my_ops.norm2,
    my_ops.shrink,
    my_ops.shrink_,
    my_ops.multiply_add,
    my_ops.haversine,
    my_ops.near,
    my_ops.ordered,
    my_ops.direction,
    my_ops.choose,
    my_ops.magnitude_squared,
    my_ops.row_norms,
    my_ops.weighted_mean,
    my_ops.cross3,
    my_ops.smooth,
    my_ops.smooth_weights,
    my_ops.extremes,
    my_ops.nearest_point,
    my_ops.grown,
    my_ops.shrunken_norm,
    my_ops.shrunken_twice,
    my_ops.unit_rows,
]


def test_each_overload_is_an_object():
    overload = importlib.import_module("my_ops.ops").hypotenuse.default
    assert overload is my_ops.ops.hypotenuse.default
    assert overload.schema == "hypotenuse(Tensor x, Tensor y) -> Tensor"
    assert overload(y=tensor([4.0]), x=tensor([3.0])).tolist() == [5.0]
    assert "pointwise" in overload.tags and overload.__module__ == "my_ops.ops"
    assert repr(type(overload)) == "<class 'my_ops.ops.Overload'>"
    assert pickle.loads(pickle.dumps(overload)) is overload
    assert {"between", "shrink_"} <= set(dir(my_ops.ops)) and not hasattr(my_ops.ops, "add")


def test_the_schema_is_read_from_the_signature():
    assert my_ops.between(tensor([0.0, 2.0]), tensor([4.0, 6.0])).tolist() == [2.0, 4.0]
    assert my_ops.between(tensor([0.0]), end=tensor([4.0]), weight=0.25).tolist() == [1.0]
    with pytest.raises(TypeError, match="positional"):
        my_ops.between(tensor([0.0]), tensor([4.0]), 0.25)


def test_lists_tuples_and_missing_arguments():
    x, y = tensor([1, 2]), tensor([10.0, 20.0])
    total, count = my_ops.weighted_sum([x, y])
    assert (total.tolist(), count) == ([11.0, 22.0], 2)
    assert my_ops.weighted_sum([x, y], weights=[2.0, 0.5])[0].tolist() == [7.0, 14.0]
    with pytest.raises(ValueError, match="tensor 1 has no weight"):
        my_ops.weighted_sum([x, y], weights=[1.0])


def test_what_is_written_to_is_returned():
    x = tensor([1.0, 2.0])
    assert x.reset_() is x
    assert my_ops.reset_(x, 3).tolist() == [3.0, 3.0]


def test_elements_of_four_tensors():
    berlin, paris = (52.52, 13.405), (48.8566, 2.3522)
    latitudes = tensor([berlin[0], paris[0]], dtype=my_ops.float64)
    longitudes = tensor([[berlin[1]], [paris[1]]], dtype=my_ops.float64)
    there = [tensor(it, dtype=my_ops.float64) for it in paris]
    distances = my_ops.haversine(latitudes, longitudes, *there)
    assert distances.shape == (2, 2)
    assert distances.dtype == my_ops.float64
    assert distances[0][0].item() == pytest.approx(877.5, abs=0.5)
    assert distances[1][1].item() == 0.0
    out = tensor([[0.0, 0.0], [0.0, 0.0]])
    assert my_ops.haversine(latitudes, longitudes, *there, out=out) is out
    assert out[0].tolist()[0] == pytest.approx(877.5, abs=0.5)
    assert my_ops.haversine(*[tensor([1, 2])] * 4).dtype == my_ops.float32
    meta = my_ops.haversine(*[tensor([1.0, 2.0], device="meta")] * 4)
    assert (meta.shape, meta.device.type) == ((2,), "meta")


def test_elements_are_stretched_and_promoted():
    x, y = tensor([[3], [5]]), tensor([4, 12])
    result = my_ops.norm2(x, y)
    assert result.dtype == my_ops.float32
    assert result.shape == (2, 2)
    assert result[0].tolist()[0] == 5.0
    assert my_ops.norm2(x.double(), y).dtype == my_ops.float64
    assert my_ops.norm2(x.half(), y).dtype == my_ops.float16


def test_an_out_argument_and_a_change_in_place_follow():
    x = tensor([-2.0, 0.25, 2.0])
    out = tensor([])
    assert my_ops.norm2(x, x, out=out) is out
    assert out.shape == (3,)
    assert x.shrink(1).tolist() == [-1.0, 0.0, 1.0]
    assert x.shrink_() is x
    assert x.tolist() == [-1.5, 0.0, 1.5]
    wrong = tensor([1])
    with pytest.raises(RuntimeError, match="can't be cast"):
        my_ops.norm2(x, x, out=wrong)


def test_dtypes_outside_of_the_group_are_refused():
    with pytest.raises(NotImplementedError, match="\"shrink\" not implemented for 'Long'"):
        tensor([1, 2]).shrink()
    with pytest.raises(NotImplementedError, match="not implemented for 'Bool'"):
        my_ops.multiply_add(tensor([True]), tensor([True]), tensor([True]))


def test_three_tensors():
    result = my_ops.multiply_add(tensor([2, 3]), tensor([10]), tensor(0.5))
    assert result.tolist() == [20.5, 30.5]


def test_a_result_of_another_type():
    result = my_ops.near(tensor([1, 2, 3]), tensor(2.5), radius=0.5)
    assert result.dtype == my_ops.bool
    assert result.tolist() == [False, True, True]


def test_two_results():
    result = my_ops.ordered(tensor([1, 5]), tensor([4, 2]))
    assert (result.low.tolist(), result.high.tolist()) == ([1, 2], [4, 5])
    low, high = tensor([0, 0]), tensor([0, 0])
    my_ops.ordered(tensor([1, 5]), tensor([4, 2]), out=(low, high))
    assert (low.tolist(), high.tolist()) == ([1, 2], [4, 5])


def test_parts_of_complex_numbers():
    result = my_ops.magnitude_squared(tensor([3 + 4j]))
    assert result.dtype == my_ops.float32
    assert result.tolist() == [25.0]
    assert my_ops.magnitude_squared(tensor([3.0])).tolist() == [9.0]


def test_several_kernels_for_other_dtypes():
    assert my_ops.direction(tensor([-2, 0, 3])).tolist() == [-1, 0, 1]
    assert my_ops.direction(tensor([3 + 4j, 0j])).tolist() == [
        pytest.approx(0.6 + 0.8j),
        0j,
    ]
    out = tensor([0j])
    assert my_ops.direction(tensor([2j]), out=out).tolist() == [1j]
    assert my_ops.direction(tensor([2j], device="meta")).shape == (1,)
    for device in ("cpu", "meta"):
        with pytest.raises(NotImplementedError, match=r"direction.*'Bool'"):
            my_ops.direction(tensor([True], device=device))
    assert my_ops.row_norms(tensor([[3.0, 4.0]])).tolist() == [5.0]
    norms = my_ops.row_norms(tensor([[3j, 4.0]]))
    assert (norms.dtype, norms.tolist()) == (my_ops.float32, [5.0])
    with pytest.raises(NotImplementedError, match=r"row_norms.*'Long'"):
        my_ops.row_norms(tensor([[1, 2]]))


def test_a_tensor_of_a_type_of_its_own():
    mask = tensor([True, False])
    assert my_ops.choose(mask, tensor([1, 2]), tensor(7.5)).tolist() == [1.0, 7.5]
    with pytest.raises(RuntimeError, match="`mask` must be a tensor of bool, but is one of int64"):
        my_ops.choose(tensor([1, 0]), tensor([1, 2]), tensor([3, 4]))


def test_arrays():
    x = tensor([[3.0, 4.0], [5.0, 12.0]])
    assert my_ops.row_norms(x).tolist() == [5.0, 13.0]
    out = tensor([0.0, 0.0])
    assert my_ops.row_norms(x, out=out) is out
    assert out.tolist() == [5.0, 13.0]
    assert my_ops.row_norms(x.double()).dtype == my_ops.float64
    with pytest.raises(RuntimeError, match=r"`x` must have 2 dimensions, but has shape \[2\]"):
        my_ops.row_norms(out)
    with pytest.raises(NotImplementedError, match="Long"):
        my_ops.row_norms(tensor([[1, 2]]))


def test_arrays_that_may_be_missing():
    x = tensor([1.0, 3.0])
    assert my_ops.weighted_mean(x).item() == 2.0
    assert my_ops.weighted_mean(x, tensor([3.0, 1.0])).item() == 1.5
    with pytest.raises(ValueError, match="weights have shape"):
        my_ops.weighted_mean(x, tensor([1.0]))
    with pytest.raises(NotImplementedError, match="Half"):
        my_ops.weighted_mean(x.half())


def test_a_kernel_that_fills():
    x = tensor([0, 0])
    result = my_ops.grown(x)
    assert (result.dtype, result.tolist()) == (my_ops.float32, [0.0, 0.0])
    assert my_ops.grown(x, out=result) is result


def test_without_data():
    x = tensor([[1.0, 2.0, 3.0]] * 2, device="meta")
    assert my_ops.norm2(x, x).shape == (2, 3)
    assert my_ops.shrunken_norm(x, x).is_meta
    assert [it.shape for it in my_ops.shrunken_twice(x)] == [(2, 3)] * 2
    assert my_ops.unit_rows(x).dtype == my_ops.float64
    with pytest.raises(NotImplementedError, match="row_norms"):
        my_ops.row_norms(x)


@pytest.mark.parametrize("operator", FORMS, ids=lambda it: it.__name__)
def test_operators_do_what_they_declare(operator):
    opcheck(operator)


def test_documentation_and_signature():
    assert my_ops.between.__doc__.startswith("between(")
    assert "weight of the way" not in my_ops.norm2.__doc__
    assert "out=None" in my_ops.norm2.__doc__.replace("Tensor? out", "out")


def test_classes_of_single_dtypes_are_behind_one_name():
    """A module shows its operators among what every module has, and little else."""
    kept = {"Storage", "Tensor", "TypedStorage", "UntypedStorage"}
    shown = {it for it in dir(my_ops) if not it.startswith("_")}
    assert {it for it in shown if it.endswith(("Storage", "Tensor"))} == kept
    operators = {*dir(my_ops.ops)}
    assert "typed" in shown and len(shown - operators) < 100
    typed = {it for it in dir(my_ops.typed) if not it.startswith("_")}
    titles = {it.removesuffix("Tensor") for it in typed if it.endswith("Tensor")}
    assert typed == {f"{it}{kind}" for it in titles for kind in ("Storage", "Tensor")}
    assert {"Float", "Long", "BFloat16", "ComplexDouble"} <= titles
    # People look for them where other modules have them.
    for name in typed:
        found = getattr(my_ops, name)
        assert found is getattr(my_ops.typed, name)
        assert pickle.loads(pickle.dumps(found)) is found
        assert (found.__module__, found.__name__) == ("my_ops", name)
    assert isinstance(my_ops.tensor([1.0]), my_ops.FloatTensor)
    assert my_ops.tensor([1.0]).type() == "my_ops.FloatTensor"
    assert type(my_ops.tensor([1]).storage()) is my_ops.typed.LongStorage


def test_tensors_show_themselves_in_notebooks():
    x = tensor([[1.0, -2.25], [3.0, 4.0]])
    html = x._repr_html_()
    assert html.count("<td>") == 4 and "shape (2, 2)" in html and "<pre>" not in html
    assert f"{x[0]:.1f}" == "tensor([ 1.0, -2.2], dtype=float32, shape=(2,))"
    my_ops.set_progress(None)
