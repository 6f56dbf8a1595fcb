"""Random numbers: reproducible, and distributed as they should be."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import opwright
import pytest

N = 20_000


def seeded(seed: int = 0) -> Any:
    return opwright.Generator().manual_seed(seed)


MAKERS: dict[str, Callable[[Any], Any]] = {
    "rand": lambda g: opwright.rand(10, generator=g),
    "randn": lambda g: opwright.randn(10, generator=g),
    "randint": lambda g: opwright.randint(-5, 1000, (10,), generator=g),
    "randperm": lambda g: opwright.randperm(10, generator=g),
    "normal": lambda g: opwright.normal(opwright.zeros(10), 2.0, generator=g),
    "bernoulli": lambda g: opwright.bernoulli(opwright.full((40,), 0.5), generator=g),
    "uniform_": lambda g: opwright.empty(10).uniform_(2, 3, generator=g),
    "normal_": lambda g: opwright.empty(10).normal_(2, 3, generator=g),
    "exponential_": lambda g: opwright.empty(10).exponential_(3, generator=g),
    "random_": lambda g: opwright.empty(10, dtype=opwright.int64).random_(generator=g),
}


@pytest.mark.parametrize("name", MAKERS)
def test_a_seed_decides(name: str) -> None:
    make = MAKERS[name]
    generator = seeded(3)
    first, second = make(generator), make(generator)
    assert not opwright.equal(first, second)
    assert opwright.equal(make(seeded(3)), first)
    assert not opwright.equal(make(seeded(4)), first)
    opwright.manual_seed(3)
    assert opwright.equal(make(None), first)


def test_threads_do_not_matter() -> None:
    alone = opwright.randn(300_000, generator=seeded())
    before = opwright.get_num_threads()
    try:
        opwright.set_num_threads(1)
        assert opwright.equal(opwright.randn(300_000, generator=seeded()), alone)
    finally:
        opwright.set_num_threads(before)


def test_the_layout_does_not_matter() -> None:
    t = opwright.empty(30, 20).t()
    assert opwright.equal(t.uniform_(generator=seeded()), opwright.rand(20, 30, generator=seeded()))


def blocks(seed: int, count: int) -> Any:
    """The words of the first blocks of Philox4x32-10, from its definition."""
    words = np.zeros((4, count), np.uint64)
    words[0] = np.arange(count)
    key = [np.uint64(seed & 0xFFFFFFFF), np.uint64(seed >> 32)]
    mask, half = np.uint64(0xFFFFFFFF), np.uint64(32)
    for _ in range(10):
        a, b = words[0] * np.uint64(0xD2511F53), words[2] * np.uint64(0xCD9E8D57)
        words = np.array(
            [b >> half ^ words[1] ^ key[0], b & mask, a >> half ^ words[3] ^ key[1], a]
        )
        words &= mask
        key = [key[0] + np.uint64(0x9E3779B9) & mask, key[1] + np.uint64(0xBB67AE85) & mask]
    return words.T.reshape(-1)


@pytest.mark.parametrize("count", [1, 5, 127, 128, 129, 1000])
def test_numbers_are_those_of_philox(count: int) -> None:
    seed = 2**40 + 7
    words = blocks(seed, count)
    single = opwright.rand(count, generator=seeded(seed)).numpy()
    np.testing.assert_array_equal(single, (words[:count] >> np.uint64(8)) * 2.0**-24)
    bits = words[::2] | words[1::2] << np.uint64(32)
    double = opwright.rand(count, generator=seeded(seed), dtype=opwright.float64).numpy()
    np.testing.assert_array_equal(double, (bits[:count] >> np.uint64(11)) * 2.0**-53)
    for low, high in [(0, 100), (-5, 2**31), (0, 2**32 - 1), (-(2**62), 2**62)]:
        found = opwright.randint(low, high, (count,), generator=seeded(seed)).tolist()
        assert found == [low + (int(it) * (high - low) >> 64) for it in bits[:count]]
    events = opwright.empty(count).bernoulli_(0.3, generator=seeded(seed)).tolist()
    assert events == [float(int(it) < 0.3 * 2**64) for it in bits[:count]]
    a, b = ((words[i : 2 * count : 2] >> np.uint64(0)).astype(np.float64) for i in (0, 1))
    radius = np.sqrt(-2 * np.log((a + 1) / 2**32))
    normal = opwright.randn(2 * count, generator=seeded(seed)).numpy()
    for part, function in [(normal[::2], np.cos), (normal[1::2], np.sin)]:
        expected = radius * function(2 * np.pi * (b // 256) / 2**24)
        np.testing.assert_allclose(part, expected, rtol=1e-5, atol=1e-5)
    a, b = ((it >> np.uint64(11)).astype(np.float64) for it in (bits[::2], bits[1::2]))
    radius = np.sqrt(-2 * np.log((a + 1) / 2**53))
    normal = opwright.randn(2 * count, generator=seeded(seed), dtype=opwright.float64).numpy()
    for part, function in [(normal[::2], np.cos), (normal[1::2], np.sin)]:
        np.testing.assert_allclose(part, radius * function(2 * np.pi * b / 2**53), atol=1e-14)


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "float64"])
def test_uniform(dtype: str) -> None:
    t = opwright.rand(N, generator=seeded(), dtype=getattr(opwright, dtype))
    values = t.double().numpy()
    assert values.min() >= 0 and values.max() < 1
    assert abs(values.mean() - 0.5) < 0.01
    assert abs(values.std() - 12**-0.5) < 0.01


def test_normal() -> None:
    values = opwright.randn(N, generator=seeded()).numpy()
    assert abs(values.mean()) < 0.03 and abs(values.std() - 1) < 0.02
    values = opwright.empty(N).normal_(5, 0.1, generator=seeded()).numpy()
    assert abs(values.mean() - 5) < 0.01 and abs(values.std() - 0.1) < 0.01
    z = opwright.randn(N, generator=seeded(), dtype=opwright.complex64).numpy()
    assert abs(z.std() - 1) < 0.02
    mean, std = opwright.tensor([[0.0], [100.0]]), opwright.tensor([1.0, 0.0])
    drawn = opwright.normal(mean, std)
    assert tuple(drawn.shape) == (2, 2)
    assert drawn[:, 1].tolist() == [0.0, 100.0]
    assert tuple(opwright.normal(0.0, std).shape) == (2,)
    assert tuple(opwright.normal(0.0, 1.0, (3, 2)).shape) == (3, 2)


def test_integers() -> None:
    t = opwright.randint(3, 7, (N,), generator=seeded())
    assert t.dtype == opwright.int64
    counts = np.bincount(t.numpy(), minlength=8)
    assert counts[:3].sum() + counts[7:].sum() == 0
    assert np.all(np.abs(counts[3:7] - N / 4) < 6 * (N * 3 / 16) ** 0.5)
    assert opwright.randint(2, (3, 4)).shape == (3, 4)
    assert opwright.randint(5, (4,), dtype=opwright.float32).dtype == opwright.float32
    like = opwright.randint_like(opwright.ones(4), 2, 9)
    assert like.dtype == opwright.float32 and like.numpy().min() >= 2 and like.numpy().max() < 9
    small = opwright.empty(N, dtype=opwright.uint8).random_(generator=seeded())
    assert (small.numpy().min(), small.numpy().max()) == (0, 255)
    wide = opwright.empty(N, dtype=opwright.int64).random_(-(2**63), None, generator=seeded())
    assert abs((wide < 0).double().numpy().mean() - 0.5) < 0.02


def test_permutations() -> None:
    for n in [0, 1, 2, 50]:
        assert sorted(opwright.randperm(n).tolist()) == list(range(n))
    firsts = [opwright.randperm(3, generator=seeded(it))[0].item() for it in range(600)]
    assert all(150 < firsts.count(it) < 250 for it in range(3))
    assert opwright.randperm(5, dtype=opwright.int16).dtype == opwright.int16


def test_events() -> None:
    t = opwright.empty(N).bernoulli_(0.3, generator=seeded())
    assert set(np.unique(t.numpy())) == {0.0, 1.0}
    assert abs(t.numpy().mean() - 0.3) < 0.02
    p = opwright.tensor([0.0, 1.0]).expand(50, 2)
    assert opwright.bernoulli(p).tolist() == [[0.0, 1.0]] * 50
    assert opwright.empty(50, 2, dtype=opwright.bool).bernoulli_(p).tolist() == [[False, True]] * 50
    assert opwright.bernoulli(opwright.ones(3, dtype=opwright.int32), 1.0).tolist() == [1, 1, 1]


def test_exponential() -> None:
    values = opwright.empty(N).exponential_(4, generator=seeded()).numpy()
    assert values.min() >= 0 and abs(values.mean() - 0.25) < 0.01


def test_what_is_refused() -> None:
    t, whole = opwright.zeros(3), opwright.zeros(3, dtype=opwright.int32)
    calls: list[Callable[[], Any]] = [
        lambda: t.uniform_(2, 1),
        lambda: t.normal_(0, -1),
        lambda: t.exponential_(0),
        lambda: t.bernoulli_(1.5),
        lambda: t.bernoulli_(opwright.tensor([0.5, 2.0, 0.5])),
        lambda: t.random_(5, 5),
        lambda: whole.random_(0, 2**40),
        lambda: opwright.randint(0, (2,)),
        lambda: opwright.randperm(-1),
        lambda: opwright.randperm(300, dtype=opwright.uint8),
        lambda: opwright.normal(t, -1.0),
        lambda: opwright.normal(t, opwright.tensor([1.0, -1.0, 1.0])),
        lambda: opwright.bernoulli(whole),
    ]
    for call in calls:
        with pytest.raises(RuntimeError):
            call()
    calls = [whole.uniform_, whole.normal_, lambda: opwright.rand(2, dtype=opwright.int64)]
    for call in calls:
        with pytest.raises(NotImplementedError):
            call()


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "float64"])
def test_parameters_that_the_dtype_does_not_hold(dtype: str) -> None:
    t = opwright.zeros(3, dtype=getattr(opwright, dtype))
    greatest = opwright.finfo(t.dtype).max
    calls: list[Callable[[], Any]] = [
        lambda: t.uniform_(-0.9 * greatest, 0.9 * greatest),
        lambda: t.uniform_(0, float("inf")),
        lambda: t.exponential_(5e-324),
    ]
    if dtype != "float64":
        calls += [
            lambda: t.uniform_(0, 2 * greatest),
            lambda: t.uniform_(-2 * greatest, 0),
            lambda: t.normal_(2 * greatest, 1),
            lambda: t.normal_(0, 2 * greatest),
        ]
    if dtype == "float16":
        calls += [lambda: t.random_(0, 100_000), lambda: t.random_(-100_000, 0)]
    for call in calls:
        with pytest.raises(RuntimeError):
            call()
    assert t.tolist() == [0, 0, 0]
    assert 0 <= t.uniform_(0, greatest).max().item() <= greatest
    assert t.random_(0, 60_000).max().item() <= greatest


def test_meta() -> None:
    t = opwright.empty(3, device="meta")
    for made in [
        opwright.rand(3, device="meta"),
        opwright.randint(4, (3,), device="meta"),
        opwright.randperm(3, device="meta"),
        opwright.randn_like(t),
        opwright.bernoulli(t),
        opwright.normal(t, 1.0),
        t.uniform_(),
        t.bernoulli_(t),
        t.random_(3),
    ]:
        assert (tuple(made.shape), made.device.type) == ((3,), "meta")


def test_out() -> None:
    out = opwright.empty(0)
    assert opwright.rand(2, 3, out=out) is out
    assert tuple(out.shape) == (2, 3)
    with pytest.warns(UserWarning, match=r"randn\(\): the output had shape \[2, 3\]"):
        opwright.randn(4, generator=seeded(), out=out)
    assert opwright.equal(out, opwright.randn(4, generator=seeded()))
    whole = opwright.empty(0, dtype=opwright.int32)
    opwright.randint(2, 3, (5,), out=whole)
    assert whole.tolist() == [2] * 5
    whole.resize_(4)
    assert sorted(opwright.randperm(4, out=whole).tolist()) == [0, 1, 2, 3]
    assert sorted(opwright.randperm(0, out=whole.resize_(0)).tolist()) == []
