"""Schedules of learning rates: closed forms, states, compositions, and what they refuse."""

from __future__ import annotations

import copy
import math
import pickle
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
import opwright
import pytest
from opwright import optim
from opwright.optim import lr_scheduler as lr

Make = Callable[..., Any]


def optimizer(kind: str = "SGD", *rates: float) -> optim.Optimizer:
    """An optimizer with a group for each rate."""
    made: optim.Optimizer = getattr(optim, kind)(
        [{"params": [opwright.ones(1, requires_grad=True)], "lr": it} for it in rates or (1.0,)]
    )
    return made


def step(schedule: Any, *args: Any) -> None:
    schedule.optimizer.step()
    schedule.step(*args)


def rates(schedule: Any, epochs: int) -> list[float]:
    """The rates of the first group, of the epoch that is now and those after it."""
    found = []
    for _ in range(epochs):
        found.append(schedule.optimizer.param_groups[0]["lr"])
        assert schedule.get_last_lr() == [it["lr"] for it in schedule.optimizer.param_groups]
        step(schedule)
    return found


def one_cycle(total: int, peak: float) -> Callable[[int], float]:
    """A rise and a fall along cosines, as `OneCycleLR` has them by default."""

    def between(first: float, last: float, share: float) -> float:
        return last + (first - last) * (1 + math.cos(math.pi * share)) / 2

    start, top = peak / 25, 0.3 * total - 1

    def rate(at: int) -> float:
        if at <= top:
            return between(start, peak, at / top)
        return between(peak, start / 1e4, (at - top) / (total - 1 - top))

    return rate


# The rate of an epoch, for an optimizer whose rate is 1.
CLOSED: list[tuple[str, Make, Callable[[int], float]]] = [
    ("step", lambda it: lr.StepLR(it, 3, 0.5), lambda at: 0.5 ** (at // 3)),
    (
        "milestones",
        lambda it: lr.MultiStepLR(it, [8, 2, 5, 5], 0.5),
        lambda at: 0.5 ** ((at >= 2) + 2 * (at >= 5) + (at >= 8)),
    ),
    ("exponential", lambda it: lr.ExponentialLR(it, 0.9), lambda at: 0.9**at),
    ("constant", lambda it: lr.ConstantLR(it, 0.25, 4), lambda at: 0.25 if at < 4 else 1),
    ("zero", lambda it: lr.ConstantLR(it, 0, 4), lambda at: float(at >= 4)),
    (
        "linear",
        lambda it: lr.LinearLR(it, 0.2, 0.8, 6),
        lambda at: 0.2 + 0.6 * min(at, 6) / 6,
    ),
    ("polynomial", lambda it: lr.PolynomialLR(it, 7, 2.0), lambda at: max(0, 1 - at / 7) ** 2),
    (
        "cosine",
        lambda it: lr.CosineAnnealingLR(it, 5, 0.1),
        lambda at: 0.1 + 0.9 * (1 + math.cos(math.pi * at / 5)) / 2,
    ),
    (
        "restarts",
        lambda it: lr.CosineAnnealingWarmRestarts(it, 4, eta_min=0.1),
        lambda at: 0.1 + 0.9 * (1 + math.cos(math.pi * (at % 4) / 4)) / 2,
    ),
    ("function", lambda it: lr.LambdaLR(it, lambda at: 1 / (1 + at)), lambda at: 1 / (1 + at)),
    (
        "factors",
        lambda it: lr.MultiplicativeLR(it, lambda at: 1 / at),
        lambda at: 1 / math.factorial(at),
    ),
    (
        "triangle",
        lambda it: lr.CyclicLR(it, 0.1, 0.9, 4, 2),
        lambda at: float(np.interp(at % 6, [0, 4, 6], [0.1, 0.9, 0.1])),
    ),
    (
        "halved triangles",
        lambda it: lr.CyclicLR(it, 0.1, 0.9, 3, mode="triangular2"),
        lambda at: 0.1 + 0.8 * float(np.interp(at % 6, [0, 3, 6], [0, 1, 0])) / 2 ** (at // 6),
    ),
    (
        "shrinking triangles",
        lambda it: lr.CyclicLR(it, 0.1, 0.9, 3, mode="exp_range", gamma=0.9),
        lambda at: 0.1 + 0.8 * float(np.interp(at % 6, [0, 3, 6], [0, 1, 0])) * 0.9**at,
    ),
    (
        "own triangles",
        lambda it: lr.CyclicLR(it, 0.1, 0.9, 3, scale_fn=lambda cycle: 1 / cycle),
        lambda at: 0.1 + 0.8 * float(np.interp(at % 6, [0, 3, 6], [0, 1, 0])) / (at // 6 + 1),
    ),
    ("one cycle", lambda it: lr.OneCycleLR(it, 2.0, 20), one_cycle(20, 2.0)),
    (
        "three phases",
        lambda it: lr.OneCycleLR(
            it, 2.5, epochs=5, steps_per_epoch=4, three_phase=True, anneal_strategy="linear"
        ),
        lambda at: float(np.interp(at, [0, 5, 10, 19], [0.1, 2.5, 0.1, 1e-5])),
    ),
]
IDS = [it[0] for it in CLOSED]


@pytest.mark.parametrize(("_name", "make", "expected"), CLOSED, ids=IDS)
def test_rates_are_those_of_the_closed_form(
    _name: str, make: Make, expected: Callable[[int], float]
) -> None:
    found = rates(make(optimizer()), 18)
    assert found == pytest.approx([expected(at) for at in range(18)], rel=1e-9, abs=1e-12)


@pytest.mark.parametrize(("_name", "make", "expected"), CLOSED, ids=IDS)
def test_a_state_goes_on_in_another_schedule(
    _name: str, make: Make, expected: Callable[[int], float]
) -> None:
    first, second = make(optimizer()), make(optimizer())
    rates(first, 5)
    state = pickle.loads(pickle.dumps(first.state_dict()))
    assert "optimizer" not in state
    second.load_state_dict(state)
    second.optimizer.load_state_dict(copy.deepcopy(first.optimizer.state_dict()))
    assert rates(first, 10) == rates(second, 10)


@pytest.mark.parametrize(("_name", "make", "expected"), CLOSED, ids=IDS)
def test_certain_epochs_are_deprecated(
    _name: str, make: Make, expected: Callable[[int], float]
) -> None:
    schedule = make(optimizer())
    for epoch in (7, 2):
        if isinstance(schedule, lr.CosineAnnealingWarmRestarts):
            step(schedule, epoch)
        else:
            with pytest.warns(UserWarning, match="counts epochs by itself"):
                step(schedule, epoch)
        if not isinstance(schedule, lr.MultiplicativeLR):
            assert schedule.get_last_lr() == pytest.approx([expected(epoch)])


def test_groups_have_rates_of_their_own() -> None:
    schedule: Any = lr.ExponentialLR(optimizer("SGD", 1.0, 3.0), 0.5)
    step(schedule)
    assert schedule.get_last_lr() == [0.5, 1.5] and schedule.base_lrs == [1.0, 3.0]
    schedule = lr.CyclicLR(optimizer("SGD", 1.0, 3.0), [0.1, 0.2], [1.0, 2.0], 1)
    assert schedule.get_last_lr() == [0.1, 0.2]
    step(schedule)
    assert schedule.get_last_lr() == [1.0, 2.0]
    schedule = lr.LambdaLR(optimizer("SGD", 1.0, 3.0), [lambda _: 0.5, lambda _: 2.0])
    assert schedule.get_last_lr() == [0.5, 6.0]


@pytest.mark.parametrize(
    "make",
    [
        lambda it: lr.ExponentialLR(it, 0.5, last_epoch=3),
        lambda it: lr.CosineAnnealingLR(it, 5, last_epoch=3),
        lambda it: lr.PolynomialLR(it, 9, last_epoch=3),
        lambda it: lr.LinearLR(it, total_iters=9, last_epoch=3),
        lambda it: lr.MultiplicativeLR(it, lambda _: 0.5, last_epoch=3),
    ],
)
def test_schedules_that_go_on_leave_the_rates(make: Make) -> None:
    resumed = optimizer("SGD", 0.25)
    with pytest.raises(KeyError, match="'initial_lr'"):
        make(resumed)
    resumed.param_groups[0]["initial_lr"] = 1.0
    schedule = make(resumed)
    assert schedule.get_last_lr() == [0.25]
    assert schedule.last_epoch == 4 and schedule.base_lrs == [1.0]


# --- restarts --------------------------------------------------------------------------------


def test_runs_grow_longer() -> None:
    schedule = lr.CosineAnnealingWarmRestarts(optimizer(), 2, T_mult=3)
    found = rates(schedule, 12)
    assert [at for at, it in enumerate(found) if it == 1] == [0, 2, 8]


@pytest.mark.parametrize("growth", [1, 2, 3])
def test_epochs_may_be_fractions(growth: int) -> None:
    by_step = lr.CosineAnnealingWarmRestarts(optimizer(), 3, growth)
    by_epoch = lr.CosineAnnealingWarmRestarts(optimizer(), 3, growth)
    for epoch in range(1, 30):
        step(by_step)
        step(by_epoch, epoch + 0.0)
        assert by_step.get_last_lr() == pytest.approx(by_epoch.get_last_lr())
    by_epoch.step(1.5)
    assert by_epoch.get_last_lr() == pytest.approx([0.5]) and by_epoch.last_epoch == 1
    with pytest.raises(ValueError, match="'epoch' must not be negative"):
        by_epoch.step(-1)


# --- momenta ---------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["SGD", "Adam"])
@pytest.mark.parametrize(
    ("make", "high", "low"),
    [
        (lambda it: lr.CyclicLR(it, 0.1, 1.0, 4), 0.9, 0.8),
        (lambda it: lr.OneCycleLR(it, 1.0, 20, pct_start=0.25), 0.95, 0.85),
    ],
)
def test_momenta_go_the_other_way(kind: str, make: Make, high: float, low: float) -> None:
    schedule = make(optimizer(kind))
    group = schedule.optimizer.param_groups[0]

    def momentum() -> float:
        found: float = group["betas"][0] if kind == "Adam" else group["momentum"]
        return found

    found = []
    for _ in range(8):
        found.append(momentum())
        step(schedule)
    assert found[0] == high and found[4] == pytest.approx(low)
    assert found[:5] == sorted(found[:5], reverse=True) and found[5] > found[4]
    if kind == "Adam":
        assert group["betas"][1] == 0.999


def test_momenta_may_stay() -> None:
    given = optim.SGD([opwright.ones(1, requires_grad=True)], lr=1.0, momentum=0.5)
    step(lr.CyclicLR(given, 0.1, 1.0, 4, cycle_momentum=False))
    assert given.param_groups[0]["momentum"] == 0.5
    for make in (lr.CyclicLR, lr.OneCycleLR):
        with pytest.raises(ValueError, match="'cycle_momentum' is for optimizers with 'momentum'"):
            make(optimizer("Adagrad"), 0.1, 5)


def test_a_cycle_ends() -> None:
    schedule = lr.OneCycleLR(optimizer(), 1.0, 3)
    rates(schedule, 3)
    with pytest.raises(ValueError, match="has 3 steps, and this would be step 4"):
        schedule.step()


def test_a_cycle_may_begin_at_its_top() -> None:
    assert lr.OneCycleLR(optimizer(), 1.0, 10, pct_start=0.1).get_last_lr() == [1.0]


# --- plateaus --------------------------------------------------------------------------------


def after(schedule: Any, measures: Iterable[Any]) -> list[float]:
    found = []
    for measure in measures:
        step(schedule, measure)
        found += schedule.get_last_lr()
    return found


def test_rates_fall_when_nothing_gets_better() -> None:
    schedule = lr.ReduceLROnPlateau(optimizer(), factor=0.5, patience=1)
    measures = [3.0, 2.0, 2.0, 2.0, 1.0, 1.5, opwright.tensor(1.5), np.float64(1.5)]
    assert after(schedule, measures) == [1, 1, 1, 0.5, 0.5, 0.5, 0.25, 0.25]
    assert schedule.best == 1.0 and schedule.last_epoch == 8


@pytest.mark.parametrize(
    ("mode", "threshold_mode", "better", "worse"),
    [
        ("min", "rel", 8.9, 9.1),
        ("min", "abs", 9.8, 9.95),
        ("max", "rel", 11.1, 10.9),
        ("max", "abs", 10.2, 10.05),
    ],
)
def test_better_is_better_by_a_threshold(
    mode: Any, threshold_mode: Any, better: float, worse: float
) -> None:
    for measure, expected in ((better, 1.0), (worse, 0.1), (math.nan, 0.1)):
        schedule = lr.ReduceLROnPlateau(
            optimizer(), mode, patience=0, threshold=0.1, threshold_mode=threshold_mode
        )
        assert after(schedule, [10.0, measure]) == [1.0, expected]


def test_rates_rest_after_they_fell() -> None:
    schedule = lr.ReduceLROnPlateau(optimizer(), factor=0.5, patience=0, cooldown=2)
    assert after(schedule, [1.0, 2.0, 2.0]) == [1, 0.5, 0.5] and schedule.in_cooldown
    assert after(schedule, [2.0, 2.0, 2.0]) == [0.5, 0.25, 0.25]


def test_rates_fall_no_further() -> None:
    given = optimizer("SGD", 1.0, 1.0)
    schedule = lr.ReduceLROnPlateau(given, patience=0, min_lr=[0.5, 0.0], eps=0.02)
    after(schedule, [1.0, 1.0])
    assert schedule.get_last_lr() == [0.5, 0.1]
    after(schedule, [1.0])
    assert schedule.get_last_lr() == pytest.approx([0.5, 0.01])
    after(schedule, [1.0])
    assert schedule.get_last_lr() == pytest.approx([0.5, 0.01])
    given.add_param_group({"params": [opwright.ones(1, requires_grad=True)]})
    with pytest.raises(RuntimeError, match="'min_lrs' has 2 values for 3 groups"):
        schedule.step(1.0)


def test_groups_that_are_added_fall_too() -> None:
    given = optimizer()
    schedule = lr.ReduceLROnPlateau(given, patience=0)
    given.add_param_group({"params": [opwright.ones(1, requires_grad=True)], "lr": 2.0})
    after(schedule, [1.0, 1.0])
    assert schedule.get_last_lr() == [0.1, 0.2]


def test_a_plateau_goes_on_from_a_state() -> None:
    measures = [1.0, 0.5, 0.6, 0.7, 0.4, 0.4, 0.4, 0.4]
    first = lr.ReduceLROnPlateau(optimizer(), "max", 0.5, patience=1)
    second = lr.ReduceLROnPlateau(optimizer())
    after(first, measures[:3])
    second.load_state_dict(pickle.loads(pickle.dumps(first.state_dict())))
    second.optimizer.load_state_dict(first.optimizer.state_dict())
    assert after(first, measures[3:]) == after(second, measures[3:])


# --- compositions ----------------------------------------------------------------------------


def test_one_schedule_after_the_other() -> None:
    given = optimizer()
    parts = [lr.ConstantLR(given, 0.1, 2), lr.ExponentialLR(given, 0.5), lr.StepLR(given, 1, 0.1)]
    schedule = lr.SequentialLR(given, parts, [3, 6])
    expected = [0.1, 0.1, 1, 1, 0.5, 0.25, 1, 0.1, 0.01]
    assert rates(schedule, 9) == pytest.approx(expected)


def test_all_schedules_at_once() -> None:
    given = optimizer()
    parts = [lr.ConstantLR(given, 0.1, 2), lr.ExponentialLR(given, 0.5)]
    for schedule in (lr.ChainedScheduler(parts), lr.ChainedScheduler(parts, given)):
        assert schedule.optimizer is given
    assert rates(schedule, 4) == pytest.approx([0.1, 0.05, 0.25, 0.125])


def nested(given: optim.Optimizer) -> lr.SequentialLR:
    warm = lr.ChainedScheduler([lr.LinearLR(given, 0.5, 1, 2), lr.StepLR(given, 2, 0.5)])
    cold = lr.ChainedScheduler([lr.StepLR(given, 2, 0.1), lr.LambdaLR(given, lambda _: 1.0)])
    late = lr.SequentialLR(given, [lr.ExponentialLR(given, 0.1), lr.StepLR(given, 1, 0.5)], [2])
    return lr.SequentialLR(given, [warm, cold, late], [3, 5])


def test_compositions_of_compositions() -> None:
    found = rates(nested(optimizer()), 9)
    assert found == pytest.approx([0.5, 0.75, 0.5, 1, 1, 1, 0.1, 1, 0.5])


@pytest.mark.parametrize("epochs", [1, 4, 6])
def test_compositions_go_on_from_a_state(epochs: int) -> None:
    first, second = nested(optimizer()), nested(optimizer())
    rates(first, epochs)
    second.load_state_dict(pickle.loads(pickle.dumps(first.state_dict())))
    second.optimizer.load_state_dict(first.optimizer.state_dict())
    assert rates(first, 6) == rates(second, 6)


class Factor:
    """A function with a state."""

    def __init__(self, value: float) -> None:
        self.value = value

    def __call__(self, at: float) -> float:
        """The same at every step."""
        return self.value


@pytest.mark.parametrize(
    "make",
    [
        lambda it, value: lr.LambdaLR(it, Factor(value)),
        lambda it, value: lr.MultiplicativeLR(it, Factor(value)),
        lambda it, value: lr.CyclicLR(it, 0.1, 1.0, 3, scale_fn=Factor(value)),
    ],
)
def test_objects_that_are_called_are_saved(make: Make) -> None:
    first, second = make(optimizer(), 0.5), make(optimizer(), 0.25)
    second.load_state_dict(pickle.loads(pickle.dumps(first.state_dict())))
    second.optimizer.load_state_dict(first.optimizer.state_dict())
    assert rates(first, 5) == rates(second, 5)


# --- what is refused ---------------------------------------------------------------------------

REFUSED: list[tuple[Make, type[Exception], str]] = [
    (lambda it: lr.ConstantLR(it, 1.5), ValueError, "'factor' must be from 0 to 1, but is 1.5"),
    (lambda it: lr.ConstantLR(it, math.nan), ValueError, "'factor'"),
    (lambda it: lr.LinearLR(it, 0.0), ValueError, "'start_factor' must be above 0"),
    (lambda it: lr.LinearLR(it, 0.5, 1.5), ValueError, "'end_factor' must be from 0 to 1"),
    (lambda it: lr.CosineAnnealingWarmRestarts(it, 0), ValueError, "'T_0' must be a positive int"),
    (lambda it: lr.CosineAnnealingWarmRestarts(it, 1.5), ValueError, "'T_0'"),  # type: ignore[arg-type]
    (lambda it: lr.CosineAnnealingWarmRestarts(it, 1, 0), ValueError, "'T_mult'"),
    (lambda it: lr.CosineAnnealingWarmRestarts(it, 1, 1, None), ValueError, "'eta_min' must be"),  # type: ignore[arg-type]
    (lambda it: lr.LambdaLR(it, []), ValueError, "'lr_lambda' has 0 functions for 1 groups"),
    (lambda it: lr.LambdaLR(it, [1]), TypeError, "'lr_lambda' must have functions.* type int"),  # type: ignore[list-item]
    (lambda it: lr.CyclicLR(it, [0.1, 0.2], 1.0), ValueError, "'base_lr' has 2 values for 1"),
    (lambda it: lr.CyclicLR(it, 0.1, 1.0, mode="no"), ValueError, "'mode' must be one of"),  # type: ignore[arg-type]
    (lambda it: lr.OneCycleLR(it, 1.0), ValueError, "needs 'total_steps', or 'epochs' and"),
    (lambda it: lr.OneCycleLR(it, 1.0, epochs=3), ValueError, "needs 'total_steps'"),
    (lambda it: lr.OneCycleLR(it, 1.0, 0), ValueError, "'total_steps' must be a positive int"),
    (lambda it: lr.OneCycleLR(it, 1.0, None, 3, -1), ValueError, "'steps_per_epoch' must be"),
    (lambda it: lr.OneCycleLR(it, 1.0, 9, pct_start=1.5), ValueError, "'pct_start' must be from"),
    (
        lambda it: lr.OneCycleLR(it, 1.0, 9, anneal_strategy="no"),  # type: ignore[arg-type]
        ValueError,
        "'anneal_strategy' must be 'cos' or 'linear'",
    ),
    (lambda it: lr.ReduceLROnPlateau(it, factor=1.0), ValueError, "'factor' must be below 1"),
    (lambda it: lr.ReduceLROnPlateau(it, "no"), ValueError, "'mode' must be 'min' or 'max'"),  # type: ignore[arg-type]
    (
        lambda it: lr.ReduceLROnPlateau(it, threshold_mode="no"),  # type: ignore[arg-type]
        ValueError,
        "'threshold_mode' must be 'rel' or 'abs'",
    ),
    (lambda it: lr.ReduceLROnPlateau(it, min_lr=[]), ValueError, "'min_lr' has 0 values for 1"),
    (lambda it: lr.SequentialLR(it, [], []), ValueError, "SequentialLR needs schedules"),
    (lambda it: lr.ChainedScheduler([]), ValueError, "ChainedScheduler needs schedules"),
    (lambda it: lr.SequentialLR(it, [lr.StepLR(it, 1)], [1]), ValueError, "must have 0 epochs"),
    (lambda it: lr.ChainedScheduler([5]), TypeError, "number 0 is an object of type int"),  # type: ignore[list-item]
    (lambda it: lr.ChainedScheduler([lr.ReduceLROnPlateau(it)]), ValueError, "ReduceLROnPlateau"),
    (
        lambda it: lr.SequentialLR(it, [lr.StepLR(optimizer(), 1)], []),
        ValueError,
        "schedule 0 is for another",
    ),
    (
        lambda it: lr.ChainedScheduler([lr.StepLR(it, 1), lr.StepLR(optimizer(), 1)]),
        ValueError,
        "schedule 1 is for another",
    ),
]


@pytest.mark.parametrize(("make", "error", "message"), REFUSED)
def test_what_makes_no_schedule_is_refused(
    make: Make, error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        make(optimizer())


@pytest.mark.parametrize(
    "make",
    [
        lambda: lr.StepLR(5, 2),  # type: ignore[arg-type]
        lambda: lr.CyclicLR(5, 0.1, 0.2),  # type: ignore[arg-type]
        lambda: lr.OneCycleLR(5, 0.1, 2),  # type: ignore[arg-type]
        lambda: lr.ReduceLROnPlateau(5),  # type: ignore[arg-type]
    ],
)
def test_schedules_are_for_optimizers(make: Make) -> None:
    with pytest.raises(TypeError, match="a schedule is for an Optimizer, not for int"):
        make()
