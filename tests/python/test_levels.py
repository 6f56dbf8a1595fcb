"""Loops for each set of instructions: which one is used, and that results are the same."""

import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

LEVELS = ("baseline", "avx2", "avx512")

CODE = """
    import hashlib, opwright as ow
    ow.manual_seed(7)
    sums = {}
    for dtype in (ow.float32, ow.float64, ow.int32, ow.int64, ow.uint8, ow.bfloat16):
        x = (ow.randn(4099) * 100).to(dtype)
        y = (ow.randn(4099) * 100).to(dtype)
        for name in ("add", "sub", "mul", "maximum", "lt", "eq", "where"):
            args = (x < y, x, y) if name == "where" else (x, y)
            for part in (slice(None), slice(None, None, 2), slice(3)):
                result = getattr(ow, name)(*(it[part] for it in args))
                sums[name, str(dtype), str(part)] = result.to(ow.float64)
        in_place = x.clone()
        in_place += y
        in_place *= 3
        sums["in place", str(dtype)] = in_place.to(ow.float64)
    x = ow.randn(4099, dtype=ow.float64)
    for name in ("sqrt", "abs", "neg", "floor", "reciprocal", "square"):
        sums[name] = getattr(ow, name)(x)
    sums["div"] = x / (x + 7)
    sums["sum"], sums["mean"] = x.sum(), x.mean()
    for dtype in (ow.float32, ow.float64, ow.int32):
        m = (ow.randn(70, 130) * 10).to(dtype)
        products = {"matrices": m @ m.t(), "rows": m @ m[0], "columns": m.t() @ m[:, 0].clone()}
        sums |= {(name, str(dtype)): it.to(ow.float64) for name, it in products.items()}
    for dtype in (ow.float32, ow.float64):
        drawn = [ow.rand(4099, dtype=dtype), ow.randn(4099, dtype=dtype)]
        drawn += [x.to(dtype).exponential_(2.5), ow.randint(-5, 1000, (4099,), dtype=dtype)]
        drawn += [x.to(dtype).bernoulli_(0.3), ow.randint(0, 2**40, (4099,))]
        drawn += [drawn[0].cumsum(0), drawn[0][:4000].reshape(-1, 250).cumsum(0)]
        for i, it in enumerate(drawn):
            sums["drawn", str(dtype), i] = it
    for dtype in (ow.float32, ow.float64, ow.int64, ow.float16):
        strange = (ow.randn(4100) * 3).to(dtype).reshape(50, 82)
        strange[1::3] = ow.randint(-2, 3, (82,)).to(dtype) * 0
        if dtype.is_floating_point:
            strange[2, ::2] *= -1.0
            strange[:, 80], strange[7, 3:] = 0.0, float("nan")
        for dim in (0, 1):
            folds = ("amax", "amin", "argmax", "argmin", "sum")
            folded = [getattr(strange, it)(dim) for it in folds]
            ordered = [strange.argsort(dim), *strange.sort(dim, descending=True), *strange.max(dim)]
            for i, it in enumerate([*folded, *ordered, strange.cumsum(dim)]):
                sums["ordered", str(dtype), dim, i] = it
        flat = strange.flatten()
        whole = [flat.msort(), flat[:4000].amax(), flat[1000:].amin(), flat[1000:].argmax()]
        whole += [strange.msort(), flat.count_nonzero(), flat.unique_consecutive()]
        whole += [ow.searchsorted(flat[2000:2100].msort(), flat), flat.argsort(), *flat.sort()]
        for i, it in enumerate(whole):
            sums["whole", str(dtype), i] = it
    for name, it in sums.items():
        print(name, hashlib.sha256(it.numpy().tobytes()).hexdigest())
    ow.show_config()
"""


def run(code: str, **variables: str) -> str:
    command = [sys.executable, "-P", "-c", textwrap.dedent(code)]
    environment = {**os.environ, **variables}
    result = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    return result.stdout


def test_arithmetic_gives_the_same_bits_at_each_level() -> None:
    results = [run(CODE, OPWRIGHT_CPU=it).splitlines() for it in LEVELS]
    shown = [next(it for it in lines if it.startswith("instructions: ")) for lines in results]
    if shown[0] == shown[1]:
        pytest.skip("the processor has one level")
    # Not every processor has the last.
    assert shown in ([f"instructions: {it}" for it in (*LEVELS[:2], last)] for last in LEVELS[1:])
    plain = [[it for it in lines if not it.startswith("instructions: ")] for lines in results]
    assert len(plain[0]) > 100
    assert plain[0] == plain[1] == plain[2]


@pytest.mark.parametrize("level", LEVELS)
def test_functions_are_exact_at_each_level(level: str) -> None:
    tests = Path(__file__).with_name("test_accuracy.py")
    command = [sys.executable, "-P", "-m", "pytest", "-q", "-p", "no:cacheprovider", str(tests)]
    command += ["-k", "functions_are_exact"]
    environment = {**os.environ, "OPWRIGHT_CPU": level}
    result = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout
    if "passed" not in result.stdout:
        pytest.skip(result.stdout)


def test_angles_may_be_large_at_each_level() -> None:
    code = """
        import numpy as np, opwright as ow
        x = np.linspace(-30, 30, 10007)
        large = np.concatenate([x, [1e6, -1e22, 1e300, np.inf, np.nan]])
        with np.errstate(invalid="ignore"):
            for name in ("sin", "cos", "tan"):
                found = getattr(ow, name)(ow.from_numpy(large)).numpy()
                np.testing.assert_allclose(found, getattr(np, name)(large), rtol=1e-13, atol=1e-15)
    """
    for level in LEVELS:
        run(code, OPWRIGHT_CPU=level)


@pytest.mark.parametrize(
    ("said", "is_known"), [("baseline", True), (" AVX2 ", True), ("sse9", False)]
)
def test_what_is_no_level_is_ignored(said: str, is_known: bool) -> None:
    code = """
        import warnings
        with warnings.catch_warnings(record=True) as seen:
            warnings.simplefilter("always")
            import opwright
        print(*(it.message for it in seen))
    """
    text = "" if is_known else 'OPWRIGHT_CPU is ignored: "sse9" is none of baseline, avx2, avx512'
    assert run(code, OPWRIGHT_CPU=said).strip() == text
