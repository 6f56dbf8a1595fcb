"""Chains of element-wise operators give what the operators give one by one."""

import random
from typing import Any

import numpy as np
import opwright as ow
import pytest

APART = ow.Mode(fuse=False)
DTYPES = ["float64", "float32", "int64", "int32", "uint8", "bool"]
SHAPES = [(), (0,), (1,), (3000,), (40, 50), (1, 50), (40, 1), (7, 30, 11)]


def values(rng: random.Random, dtype: str, shape: tuple[int, ...]) -> Any:
    """A tensor that lies somehow."""
    wide = shape if rng.random() < 0.5 else (*shape[:-1], *(2 * it for it in shape[-1:]))
    seed = np.random.default_rng(rng.randrange(1 << 30))
    array = np.asarray(seed.random(wide) * 9 - 2).astype(dtype)
    if wide != shape:
        array = array[..., ::2]
    elif array.ndim > 1 and rng.random() < 0.5:
        array = np.asfortranarray(array)
    return ow.from_numpy(np.asarray(array))


def grown(rng: random.Random, inputs: list[Any]) -> list[Any]:
    """Variables that are computed of these, the last of them of others."""
    one = [ow.neg, ow.sin, ow.square, ow.abs, ow.sigmoid]
    two = [ow.add, ow.mul, ow.sub, ow.maximum, ow.lt, ow.div]
    found = list(inputs)
    for _ in range(rng.randrange(3, 14)):
        x, y = rng.choice(found[-3:]), rng.choice(found)
        try:
            match rng.randrange(4):
                case 0:
                    found.append(rng.choice(one)(x))
                case 1:
                    found.append(ow.where(x > 1, x, y))
                case 2:
                    number: Any = rng.choice([2, 0.5, True])
                    found.append(rng.choice(two[:3])(x, number))
                case _:
                    found.append(rng.choice(two)(x, y))
        except (RuntimeError, TypeError):
            # Truth values have neither signs nor differences.
            continue
    return found[len(inputs) :]


@pytest.mark.parametrize("seed", range(120))
def test_graphs_give_the_same_with_chains_and_without(seed: int) -> None:
    rng = random.Random(seed)
    shape = rng.choice(SHAPES)
    inputs, given = [], []
    for name in "xyz":
        mine = tuple(1 if rng.random() < 0.15 else it for it in shape)[rng.choice([0, 0, 0, 1]) :]
        dtype = rng.choice(DTYPES)
        inputs.append(ow.TensorType(dtype, (None,) * len(mine))(name))
        given.append(values(rng, dtype, mine))
    found = grown(rng, inputs)
    outputs = [found[-1], *rng.sample(found, min(len(found), rng.randrange(3)))]
    chains = ow.function(inputs, outputs, on_unused_input="ignore")
    apart = ow.function(inputs, outputs, mode=APART, on_unused_input="ignore")
    try:
        expected = apart(*given)
    except RuntimeError as error:
        with pytest.raises(type(error)):
            chains(*given)
        return
    for one, other in zip(chains(*given), expected, strict=True):
        assert (one.dtype, one.shape, one.stride()) == (other.dtype, other.shape, other.stride())
        np.testing.assert_array_equal(one.numpy(), other.numpy())


def test_what_others_want_is_written_by_the_chain() -> None:
    x = ow.TensorType("float64", (None,))("x")
    y = ow.sin(x) + 1.0
    z = ow.exp(y * y)
    f = ow.function([x], [y, z])
    assert [str(node.op) for node in f.graph.toposort()] == [
        "fused{sin, add.Tensor, mul.Tensor, exp}"
    ]
    given = ow.rand(5000, dtype=ow.float64)
    expected = ow.sin(given) + 1.0
    for one, other in zip(f(given), [expected, ow.exp(expected * expected)], strict=True):
        assert ow.equal(one, other)


def reduced(rng: random.Random, x: Any) -> Any:
    """What a reduction makes of a variable; some have none of its dtype or its shape."""
    ndim = len(x.type.shape)
    first = rng.randrange(ndim + 1)
    dims = [rng.choice([it, it - ndim]) for it in range(first, ndim)]
    if rng.random() < 0.15:
        dims = dims[:1]
    keepdim = rng.random() < 0.5
    match rng.randrange(8):
        case 0:
            return rng.choice([ow.sum, ow.mean, ow.max, ow.min, ow.all, ow.any])(x)
        case 1:
            return ow.mean(x, dims, keepdim)
        case 2:
            return rng.choice([ow.amax, ow.amin])(x, dims, keepdim)
        case 3:
            return rng.choice([ow.all, ow.any])(x, dims, keepdim)
        case 4:
            return ow.prod(x, -1, keepdim)
        case 5:
            return ow.norm(x, rng.choice([2, 1, 3.5]), dims, keepdim)
        case 6:
            dtype = rng.choice([ow.float64, ow.float32, ow.int64])
            return ow.sum(x, dims, keepdim, dtype=dtype)
        case _:
            return ow.sum(x, dims, keepdim)


@pytest.mark.parametrize("seed", range(240))
def test_reductions_give_the_same_behind_chains_and_in_them(seed: int) -> None:
    rng = random.Random(seed)
    shape = rng.choice([*SHAPES, (70_001,), (3, 1700), (500, 5), (2, 60, 1, 17)])
    dtypes = [*DTYPES, "float16"]
    inputs, given = [], []
    for name in "xyz":
        mine = tuple(1 if rng.random() < 0.1 else it for it in shape)[rng.choice([0, 0, 0, 1]) :]
        dtype = rng.choice(dtypes)
        inputs.append(ow.TensorType(dtype, (None,) * len(mine))(name))
        given.append(values(rng, dtype, mine))
    found = grown(rng, inputs)
    outputs = []
    for _ in range(rng.choice([1, 1, 2])):
        try:
            outputs.append(reduced(rng, found[-1]))
        except (RuntimeError, IndexError):
            continue
    if not outputs:
        return
    outputs += rng.sample(found, min(len(found), rng.choice([0, 0, 1, 2])))
    chains = ow.function(inputs, outputs, on_unused_input="ignore")
    apart = ow.function(inputs, outputs, mode=APART, on_unused_input="ignore")
    try:
        expected = apart(*given)
    except (RuntimeError, IndexError) as error:
        with pytest.raises(type(error)) as caught:
            chains(*given)
        assert str(caught.value).splitlines()[0] == str(error).splitlines()[0]
        return
    threads = ow.get_num_threads()
    for count in [threads, 1]:
        ow.set_num_threads(count)
        try:
            results = chains(*given)
        finally:
            ow.set_num_threads(threads)
        for one, other in zip(results, expected, strict=True):
            assert (one.dtype, one.shape, one.stride()) == (
                other.dtype,
                other.shape,
                other.stride(),
            )
            assert one.numpy().tobytes() == other.numpy().tobytes()


def ops_of(inputs: list[Any], outputs: Any) -> list[str]:
    return [str(node.op) for node in ow.function(inputs, outputs).graph.toposort()]


def test_reductions_over_the_last_dimensions_end_chains() -> None:
    x = ow.TensorType("float64", (None, None))("x")
    chain = ow.sin(x) + 1.0
    assert ops_of([x], ow.sum(chain)) == ["fused{sin, add.Tensor, sum}"]
    assert ops_of([x], ow.mean(chain, 1)) == ["fused{sin, add.Tensor, mean.dim}"]
    assert ops_of([x], ow.amax(chain, [-1], True)) == ["fused{sin, add.Tensor, amax}"]
    assert ops_of([x], ow.any(ow.sin(x) > x)) == ["fused{sin, gt.Tensor, any}"]
    # The elements of other dimensions lie apart.
    assert ops_of([x], ow.sum(chain, 0)) == ["fused{sin, add.Tensor}", "sum.dim_IntList"]
    row = ow.TensorType("float64", (None, 1))("row")
    assert ops_of([row], ow.sum(ow.sin(row), 0)) == ["fused{sin, sum.dim_IntList}"]


def test_what_is_reduced_may_be_wanted_as_well() -> None:
    x = ow.TensorType("float32", (None, None))("x")
    y = ow.exp(x - ow.amax(x, [1], True))
    f = ow.function([x], y / ow.sum(y, 1, True))
    assert "fused{sub.Tensor, exp, sum.dim_IntList}" in [str(it.op) for it in f.graph.toposort()]
    given = ow.rand(300, 70)
    shifted = ow.exp(given - ow.amax(given, [1], True))
    assert ow.equal(f(given), shifted / ow.sum(shifted, 1, True))


def test_patterns_name_parameters() -> None:
    x, y = (ow.TensorType("float64", (None,))(name) for name in "xy")

    def ops(variable: Any) -> list[str]:
        f = ow.function([x, y], variable, on_unused_input="ignore")
        return [str(node.op) for node in f.graph.toposort()]

    @ow.graph.rewrite("add.Tensor(a, b, alpha=3)")
    def threefold(a: Any, b: Any) -> Any:
        return ow.maximum(a, b)

    try:
        assert ops(ow.add(x, y, alpha=3)) == ["maximum"]
        assert ops(ow.add(x, y, alpha=2)) == ["add.Tensor"]
        assert ops(ow.add(x, y)) == ["add.Tensor"]
    finally:
        threefold.remove()
    with pytest.raises(ValueError, match=r"no overload of 'add' takes the arguments of add\("):
        ow.graph.rewrite("add(a, b, gamma=3)")(threefold)
