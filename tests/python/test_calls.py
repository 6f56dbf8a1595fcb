"""How calls are understood: kinds of arguments, large numbers, older signatures."""

import inspect
import sys
import warnings
from pathlib import Path

import numpy as np
import opwright
import pytest

LARGE = 2**63


class Index:
    """Counts as an integer, and is none."""

    def __index__(self) -> int:
        return 1


def test_a_large_integer_is_a_number_among_floats() -> None:
    ones = opwright.ones(2)
    assert (ones * LARGE).tolist() == [float(LARGE)] * 2
    assert opwright.add(ones, LARGE).dtype == opwright.float32
    assert opwright.full((1,), LARGE, dtype=opwright.float64).item() == float(LARGE)
    assert opwright._foreach_add([ones], LARGE)[0].tolist() == [float(LARGE)] * 2


@pytest.mark.parametrize(
    "call",
    [
        lambda t: t + LARGE,
        lambda t: opwright.clamp(t, max=LARGE),
        lambda t: opwright.full((1,), LARGE),
    ],
)
def test_a_large_integer_does_not_wrap_around(call) -> None:
    with pytest.raises(RuntimeError, match="without overflow"):
        call(opwright.arange(3))


def test_an_integer_without_bounds_is_an_overflow() -> None:
    with pytest.raises(OverflowError, match="other"):
        opwright.add(opwright.ones(2), 2**64)
    with pytest.raises(OverflowError, match=r"\bp\b"):
        opwright.dropout(opwright.ones(2), 10**400, False)


def test_a_real_parameter_takes_large_integers() -> None:
    assert opwright.ones(1).clone().fill_(float(LARGE)).item() == float(LARGE)
    with pytest.raises(RuntimeError, match="probability"):
        opwright.dropout(opwright.ones(2), LARGE, False)


def test_the_index_of_a_device_can_be_any_integer() -> None:
    for index in (1, np.int64(1), np.uint8(1)):
        with pytest.raises(RuntimeError, match="accelerator"):
            opwright.ones(1, device=index)
    with pytest.raises(ValueError, match="64-bit"):
        opwright.ones(1, device=2**63)


@pytest.mark.parametrize("bad", ["a", None, 1j, b"a", [0.0], opwright.ones(2)])
@pytest.mark.parametrize("place", [0, 1])
def test_every_element_of_a_list_of_floats_is_looked_at(bad: object, place: int) -> None:
    bounds: list[object] = [0.0, 1.0]
    bounds[place] = bad
    with pytest.raises(TypeError, match="range"):
        opwright.histogram(opwright.ones(2), 3, range=bounds)


@pytest.mark.parametrize("bad", ["a", 1.5, None, 1j])
@pytest.mark.parametrize("place", [0, 1, 2])
def test_every_element_of_a_list_of_integers_is_looked_at(bad: object, place: int) -> None:
    dims: list[object] = [0, 1, 2]
    dims[place] = bad
    with pytest.raises(TypeError, match="dims"):
        opwright.flip(opwright.ones(1, 2, 3), dims)


def test_a_bad_element_does_not_end_the_search_for_an_overload() -> None:
    """A list of numbers is no list of tensors, and is tried as what it is."""
    ones = opwright.ones(2)
    (sums,) = opwright._foreach_add([ones], [np.float32(1.5)])
    assert sums.tolist() == [2.5, 2.5]
    with pytest.raises(TypeError, match="_foreach_add"):
        opwright._foreach_add([ones], [ones, "a"])


def test_lists_of_tensors_are_written_to() -> None:
    first, second = opwright.ones(2), opwright.zeros(3)
    both = [first, second]
    assert opwright._foreach_add_(both, [1, 2.0]) is both
    assert first.tolist() == [2.0, 2.0]
    assert second.tolist() == [2.0, 2.0, 2.0]
    opwright._foreach_add_(both, opwright.tensor(1.0), alpha=3)
    assert first.tolist() == [5.0, 5.0]


def test_older_signatures_warn_at_the_line_of_the_call() -> None:
    ones = opwright.ones(2)
    with pytest.warns(UserWarning, match="deprecated") as caught:
        assert opwright.add(ones, 2, ones).tolist() == [3.0, 3.0]
        line = inspect.currentframe().f_lineno - 1
        assert ones.sub(2, ones).tolist() == [-1.0, -1.0]
    assert [Path(it.filename) for it in caught] == [Path(__file__)] * 2
    assert [it.lineno for it in caught] == [line, line + 2]


def test_older_signatures_warn_once_for_a_place() -> None:
    ones = opwright.ones(2)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("default")
        for _ in range(3):
            opwright.addcmul(ones, 2, ones, ones)
        opwright.addcmul(ones, 2, ones, ones)
    assert len(caught) == 2


def test_older_signatures_are_not_offered() -> None:
    with pytest.raises(TypeError) as caught:
        opwright.add(opwright.ones(2), "a", opwright.ones(2))
    assert "Number alpha, " not in str(caught.value)
    assert list(inspect.signature(opwright.add).parameters) == ["input", "other", "alpha", "out"]
    assert len(opwright.get_overloads(opwright.add)) == 1


def test_a_parameter_is_a_tensor_of_its_own_class() -> None:
    data = opwright.ones(2)
    parameter = opwright.nn.Parameter(data)
    assert isinstance(parameter, opwright.Tensor)
    assert type(parameter + 1) is opwright.Tensor
    data[0] = 3
    assert parameter.tolist() == [3.0, 1.0]
    assert repr(parameter).startswith("Parameter([3., 1.]")
    assert parameter.requires_grad
    assert not data.requires_grad
    assert not opwright.nn.Parameter(data, requires_grad=False).requires_grad


@pytest.mark.parametrize("bins", [1, 3, 7])
@pytest.mark.parametrize("bounds", [None, (-1.0, 1.0), (0.25, 0.25)])
@pytest.mark.parametrize("density", [False, True])
def test_histograms_are_those_of_numpy(
    rng: np.random.Generator, bins: int, bounds: tuple[float, float] | None, density: bool
) -> None:
    values, weights = rng.normal(size=(2, 50)).round(1)
    tensor, weight = opwright.from_numpy(values), opwright.from_numpy(abs(weights))
    if density and bounds == (0.25, 0.25):
        bounds = (0.0, 0.5)
    wanted, edges = np.histogram(values, bins, range=bounds, weights=abs(weights), density=density)
    got = opwright.histogram(tensor, bins, range=bounds, weight=weight, density=density)
    np.testing.assert_allclose(got.hist, wanted)
    np.testing.assert_allclose(got.bin_edges, edges)
    wanted, _ = np.histogram(values, edges, weights=abs(weights), density=density)
    got = tensor.histogram(opwright.from_numpy(edges), weight=weight, density=density)
    np.testing.assert_allclose(got.hist, wanted)


def test_histc_counts_what_lies_between_the_ends() -> None:
    tensor = opwright.tensor([0.0, 1.0, 2.0, 3.0, 9.0, float("nan")])
    assert opwright.histc(tensor, 3, max=3).tolist() == [1.0, 1.0, 2.0]
    assert opwright.histc(tensor[:4], 2).tolist() == [2.0, 2.0]
    assert opwright.histc(opwright.ones(3), 4).tolist() == [0.0, 0.0, 3.0, 0.0]
    out = opwright.empty(0)
    assert opwright.histc(tensor, 1, 1, 2, out=out) is out
    assert out.tolist() == [2.0]
    with pytest.raises(RuntimeError, match="bins"):
        opwright.histc(tensor, 0, 0, 1)
    with pytest.raises(RuntimeError, match="finite"):
        opwright.histc(tensor, 3)
    with pytest.raises(RuntimeError, match="max must"):
        opwright.histc(tensor, 3, 2, 1)


def test_a_keyword_of_numpy_and_its_own_name_are_the_same() -> None:
    tensor = opwright.arange(6.0).reshape(2, 3)
    assert tensor.sum(axis=0).tolist() == tensor.sum(dim=0).tolist()
    assert opwright.sum(x=tensor, axis=Index(), keepdims=True).shape == (2, 1)
    with pytest.raises(TypeError, match="dim"):
        tensor.sum(dim=0, axis=0)


def test_resizing_an_output_warns_at_the_line_of_the_call() -> None:
    x, out = opwright.ones(2, 2), opwright.zeros(3)
    with pytest.warns(UserWarning, match=r"add\(\): .*\[3\] and was resized to \[2, 2\]") as seen:
        assert opwright.add(x, x, out=out) is out
    assert seen[0].filename == __file__
    assert out.tolist() == [[2.0, 2.0]] * 2
    # Neither what fits nor what has no elements is worth a word, nor what changes its own shape.
    opwright.add(x, x, out=out)
    opwright.add(x, x, out=opwright.empty(0, 7))
    opwright.zeros(3).resize_(5)
    values, indices = opwright.empty(0), opwright.zeros(3, dtype=opwright.int64)
    with pytest.warns(UserWarning, match=r"max\(\): .*\[3\] and was resized to \[2\]"):
        opwright.max(x, 0, out=(values, indices))


def test_a_warning_of_resizing_may_be_an_error() -> None:
    out = opwright.zeros(3)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for _ in range(100):
            with pytest.raises(UserWarning, match="was resized"):
                opwright.add(opwright.ones(2), 1, out=out.resize_(3))
    assert sys.getrefcount(out) == 2


def test_integers_too_large_are_named_with_their_place() -> None:
    with pytest.raises(ValueError, match=r"topk\(\): argument 'k' \(position 2\): 1180591620717"):
        opwright.topk(opwright.ones(4), 2**70)
    with pytest.raises(ValueError, match=r"topk\(\): argument 'k': 1180591620717"):
        opwright.topk(opwright.ones(4), k=2**70)


def test_several_integers_where_a_tuple_is_wanted() -> None:
    with pytest.raises(TypeError) as error:
        opwright.reshape(opwright.ones(6), 3, "a")
    text = " ".join(str(error.value).split())
    assert "takes 2 positional arguments but 3 were given" in text
    assert "argument 'shape' (position 2) must be tuple of ints, not int" in text
