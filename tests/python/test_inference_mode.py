"""Inference mode: as context manager and decorator, and what its tensors refuse."""

import threading
from collections.abc import Callable, Generator

import opwright
import pytest


def made() -> opwright.Tensor:
    with opwright.inference_mode():
        return opwright.ones(3) * 2


def state() -> tuple[bool, bool]:
    return opwright.is_inference_mode_enabled(), opwright.is_grad_enabled()


def test_the_mode_nests_and_ends() -> None:
    mode = opwright.inference_mode()
    with mode:
        assert state() == (True, False)
        with opwright.inference_mode(False):
            assert state() == (False, True)
        with mode, opwright.enable_grad():
            assert state() == (True, True)
            x = opwright.ones(1, requires_grad=True)
            assert not (x * 2).requires_grad
        assert state() == (True, False)
    assert state() == (False, True)
    with pytest.raises(KeyError), opwright.inference_mode():
        raise KeyError
    with opwright.no_grad():
        with opwright.inference_mode():
            pass
        assert state() == (False, False)


@pytest.mark.parametrize("decorate", [opwright.inference_mode, opwright.inference_mode()])
def test_functions_run_inside(decorate: Callable[..., Callable[[], object]]) -> None:
    @decorate
    def inside() -> object:
        """Some words."""
        return state()

    assert inside() == (True, False)
    assert (inside.__name__, inside.__doc__) == ("inside", "Some words.")
    assert state() == (False, True)


def test_generators_run_inside_step_by_step() -> None:
    @opwright.inference_mode
    def steps() -> Generator[object, object, str]:
        given = yield state()
        try:
            yield (given, state())
        except KeyError:
            yield state()
        return "end"

    generator = steps()
    assert next(generator) == (True, False) and state() == (False, True)
    assert generator.send(7) == (7, (True, False))
    assert generator.throw(KeyError()) == (True, False) and state() == (False, True)
    with pytest.raises(StopIteration, match="end"):
        next(generator)


def test_tensors_of_the_mode_are_known() -> None:
    y = made()
    assert y.is_inference() and opwright.is_inference(y)
    assert not y.requires_grad and y.is_leaf
    assert y[0].is_inference() and y.detach().is_inference() and y.view(3, 1).is_inference()
    assert not y[0]._is_view() and y[0]._base is None
    assert not y.clone().is_inference() and not (y + 1).is_inference()
    x = opwright.ones(3)
    with opwright.inference_mode():
        assert not x.is_inference() and not x[0].is_inference() and x.clone().is_inference()
        x.add_(1)
    assert x._version == 1


@pytest.mark.parametrize("size", [0, 1, 3, 1000, 100_000])
def test_all_sizes_are_marked_and_not_the_next_ones(size: int) -> None:
    with opwright.inference_mode():
        tensors = [opwright.ones(size), opwright.zeros(size), opwright.tensor([1.0] * min(size, 9))]
        tensors += [it + 1 for it in tensors]
    assert all(it.is_inference() for it in tensors)
    del tensors
    assert not any((opwright.ones(size) + 1).is_inference() for _ in range(100))


@pytest.mark.parametrize(
    "write",
    [
        lambda y: y.add_(1),
        lambda y: y.__iadd__(1),
        lambda y: y.__setitem__(0, 1),
        lambda y: y.__setitem__(slice(None), opwright.zeros(3)),
        lambda y: y[1:].fill_(0),
        lambda y: y.zero_(),
        lambda y: y.copy_(opwright.zeros(3)),
        lambda y: opwright.add(opwright.ones(3), 1, out=y),
        lambda y: y.t_(),
        lambda y: y.requires_grad_(),
        lambda y: setattr(y, "requires_grad", True),
        lambda y: y._version,
        opwright.autograd.graph.increment_version,
    ],
)
def test_outside_they_refuse(write: Callable[[opwright.Tensor], object]) -> None:
    y = made()
    with pytest.raises(RuntimeError, match="inference"):
        write(y)
    assert y.tolist() == [2.0] * 3


def test_inside_they_are_written_to() -> None:
    y = made()
    with opwright.inference_mode():
        y.add_(1)
        y[0] = 0
        opwright.add(y, 1, out=y)
        y.requires_grad_()
    assert y.tolist() == [1.0, 4.0, 4.0] and y.requires_grad


def test_no_gradient_needs_one() -> None:
    x, y = opwright.ones(3, requires_grad=True), made()
    (x + y).sum().backward()
    assert x.grad.tolist() == [1.0] * 3
    with pytest.raises(RuntimeError, match="inference"):
        x * y
    (x * y.clone()).sum().backward()
    assert x.grad.tolist() == [3.0] * 3


def test_a_view_of_the_mode_is_not_written_to_while_recording() -> None:
    x = opwright.ones(3, requires_grad=True) * 1
    with opwright.inference_mode():
        view = x[:2]
    with pytest.raises(RuntimeError, match="inference"):
        view.add_(1)


def test_passes_run_outside_of_the_mode() -> None:
    x = opwright.ones(3, requires_grad=True)
    y = (x * 2).sum()
    with opwright.inference_mode():
        y.backward()
    assert not x.grad.is_inference()
    x.grad.zero_()


def test_other_threads_are_not_in_the_mode() -> None:
    seen = []
    with opwright.inference_mode():
        thread = threading.Thread(target=lambda: seen.append((state(), opwright.ones(1))))
        thread.start()
        thread.join()
    assert seen[0][0] == (False, True) and not seen[0][1].is_inference()


def test_meta_tensors_are_marked_too() -> None:
    with opwright.inference_mode():
        y = opwright.ones(3, device="meta")
    assert y.is_inference() and not opwright.ones(3, device="meta").is_inference()
    with pytest.raises(RuntimeError, match="inference"):
        y.add_(1)
