"""Anomaly detection: where calls were made whose gradients fail."""

import sys
import threading
import warnings
from collections.abc import Iterator

import opwright
import pytest

autograd = opwright.autograd


@pytest.fixture(autouse=True)
def off_afterwards() -> Iterator[None]:
    yield
    assert not opwright.is_anomaly_enabled()


def detect(check_nan: bool = True) -> autograd.detect_anomaly:
    with pytest.warns(UserWarning, match="anomaly"):
        return autograd.detect_anomaly(check_nan)


def failing(x: opwright.Tensor) -> opwright.Tensor:
    y = x * 2
    hook = y.grad_fn.register_hook

    def fail(*_: object) -> None:
        raise KeyError("mine")

    hook(fail)
    return y.sum()


def test_modes_nest() -> None:
    with detect():
        assert opwright.is_anomaly_enabled() and opwright.is_anomaly_check_nan_enabled()
        with autograd.set_detect_anomaly(False):
            assert not opwright.is_anomaly_enabled()
        with detect(check_nan=False):
            assert not opwright.is_anomaly_check_nan_enabled()
        assert opwright.is_anomaly_enabled() and opwright.is_anomaly_check_nan_enabled()
    autograd.set_detect_anomaly(True, check_nan=False)
    assert opwright.is_anomaly_enabled() and not opwright.is_anomaly_check_nan_enabled()
    autograd.set_detect_anomaly(False)


def test_not_a_number_is_refused_where_it_comes_up() -> None:
    x = opwright.zeros(1, requires_grad=True)
    with detect():
        y = (x.sqrt() * 0).sum()
        warned = pytest.warns(UserWarning, match="test_not_a_number_is_refused")
        with warned, pytest.raises(RuntimeError, match=r"SqrtBackward0.*nan.*input 0"):
            y.backward()
    with detect(check_nan=False):
        (x.sqrt() * 0).sum().backward()
    assert x.grad.isnan().all()


def test_an_exception_comes_with_the_place_of_the_call() -> None:
    x = opwright.ones(1, requires_grad=True)
    with detect():
        y = failing(x)
        place = r"MulBackward0(.|\n)*test_anomaly.py(.|\n)*in failing"
        with pytest.warns(UserWarning, match=place), pytest.raises(KeyError, match="mine"):
            y.backward()
    y = failing(x)
    with detect(), pytest.warns(UserWarning, match="nobody noted"), pytest.raises(KeyError):
        y.backward()


def test_calls_of_a_pass_tell_whose_gradient_they_were() -> None:
    x = opwright.ones(1, requires_grad=True)
    with detect():
        y = x.exp()
        (g,) = autograd.grad(y.sum(), x, create_graph=True)
        g.grad_fn.register_prehook(lambda *_: 1 / 0)
        with pytest.warns(UserWarning) as seen, pytest.raises(ZeroDivisionError):
            g.sum().backward()
    texts = [str(it.message) for it in seen]
    assert len(texts) == 2
    assert "MulBackward0" in texts[0] and "ExpBackward0" in texts[0]
    assert "ExpBackward0" in texts[1]


def test_warnings_that_are_errors_do_not_hide_the_exception(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    unraisable: list[object] = []
    monkeypatch.setattr(sys, "unraisablehook", lambda it: unraisable.append(it.exc_type))
    x = opwright.ones(1, requires_grad=True)
    with detect():
        y = failing(x)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            with pytest.raises(KeyError):
                y.backward()
    assert unraisable == [UserWarning]


def test_without_detection_nothing_is_said() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(KeyError):
            failing(opwright.ones(1, requires_grad=True)).backward()


def test_all_threads_are_watched() -> None:
    x = opwright.ones(1, requires_grad=True)
    seen: list[str] = []

    def work() -> None:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            with pytest.raises(KeyError):
                failing(x).backward()
        seen.extend(str(it.message) for it in caught)

    with detect():
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
    assert len(seen) == 1 and "in failing" in seen[0]
