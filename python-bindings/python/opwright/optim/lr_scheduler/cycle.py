"""Rates that rise and fall, with momenta that do the opposite."""

from __future__ import annotations

from math import cos, floor, pi

from opwright.optim.lr_scheduler.schedule import LRScheduler, _for_groups, _optimizer, _state_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, Literal

    from opwright.optim.optimizer import Optimizer


class _Cycle(LRScheduler):
    """Schedules that may change `momentum`, or the first of `betas`, too."""

    cycle_momentum: bool

    def _begin_momentum(
        self,
        base_momentum: float | list[float],
        max_momentum: float | list[float],
        last_epoch: int,
    ) -> tuple[list[float], list[float]]:
        """Set the greatest momenta, and return the least and the greatest of the groups."""
        optimizer = self.optimizer
        if "momentum" not in optimizer.defaults and "betas" not in optimizer.defaults:
            raise ValueError(
                f"argument 'cycle_momentum' is for optimizers with 'momentum' or 'betas', which "
                f"{type(optimizer).__name__} has not; make it false"
            )
        self.use_beta1 = "betas" in optimizer.defaults
        least = _for_groups("base_momentum", base_momentum, optimizer)
        greatest = _for_groups("max_momentum", max_momentum, optimizer)
        if last_epoch == -1:
            for group, low, high in zip(optimizer.param_groups, least, greatest, strict=True):
                self._set_momentum(group, high)
                group["max_momentum"] = high
                group["base_momentum"] = low
        return least, greatest

    def _set_momentum(self, group: dict[str, Any], momentum: float) -> None:
        if self.use_beta1:
            group["betas"] = (momentum, *group["betas"][1:])
        else:
            group["momentum"] = momentum


class CyclicLR(_Cycle):
    """Rates between `base_lr` and `max_lr`: up in `step_size_up` steps, down in `step_size_down`.

    It steps after every batch. Steps down are as many as up if they are None. How far up a cycle
    goes depends on `mode`: always to `max_lr` in `"triangular"`, half as far each time in
    `"triangular2"`, and `gamma ** step` as far in `"exp_range"`. A `scale_fn` says that instead: it
    takes the number of the cycle, from 1, or of the step, if `scale_mode` is `"iterations"`. With
    `cycle_momentum`, momenta go from `max_momentum` down to `base_momentum` and back.

    From Smith, "Cyclical Learning Rates for Training Neural Networks" (2017).

    Raises:
        ValueError: `mode` is another word and there is no `scale_fn`, the optimizer has no momentum
            to cycle, or a list has more or fewer entries than there are groups.
    """

    def __init__(
        self,
        optimizer: Optimizer,
        base_lr: float | list[float],
        max_lr: float | list[float],
        step_size_up: int = 2000,
        step_size_down: int | None = None,
        mode: Literal["triangular", "triangular2", "exp_range"] = "triangular",
        gamma: float = 1.0,
        scale_fn: Callable[[float], float] | None = None,
        scale_mode: Literal["cycle", "iterations"] = "cycle",
        cycle_momentum: bool = True,
        base_momentum: float | list[float] = 0.8,
        max_momentum: float | list[float] = 0.9,
        last_epoch: int = -1,
    ) -> None:
        self.optimizer = _optimizer(optimizer)
        base_lrs = _for_groups("base_lr", base_lr, optimizer)
        self.max_lrs: list[float] = _for_groups("max_lr", max_lr, optimizer)
        if mode not in _MODES and scale_fn is None:
            raise ValueError(
                f"argument 'mode' must be one of {', '.join(map(repr, _MODES))}, or there must be "
                f"a 'scale_fn', but it is {mode!r}"
            )
        down = step_size_up if step_size_down is None else step_size_down
        self.total_size = float(step_size_up + down)
        self.step_ratio = step_size_up / self.total_size
        self.mode = mode
        self.gamma = gamma
        self._scale_fn_custom = scale_fn
        self.scale_mode = scale_mode if scale_fn is not None else _MODES[mode]
        if last_epoch == -1:
            for group, rate in zip(optimizer.param_groups, base_lrs, strict=True):
                group["lr"] = rate
        self.cycle_momentum = cycle_momentum
        if cycle_momentum:
            found = self._begin_momentum(base_momentum, max_momentum, last_epoch)
            self.base_momentums, self.max_momentums = found
        super().__init__(optimizer, last_epoch)
        self.base_lrs = base_lrs

    def scale_fn(self, x: float) -> float:
        """How far up a cycle goes, of the whole way, by its number or that of the step."""
        if self._scale_fn_custom is not None:
            return self._scale_fn_custom(x)
        if self.mode == "triangular":
            return 1.0
        return float(0.5 ** (x - 1) if self.mode == "triangular2" else self.gamma**x)

    def get_lr(self) -> list[float]:
        """The rates of the step; momenta are set."""
        cycle = floor(1 + self.last_epoch / self.total_size)
        place = 1 + self.last_epoch / self.total_size - cycle
        is_rising = place <= self.step_ratio
        height = place / self.step_ratio if is_rising else (place - 1) / (self.step_ratio - 1)
        height *= self.scale_fn(cycle if self.scale_mode == "cycle" else self.last_epoch)
        if self.cycle_momentum:
            pairs = zip(self.base_momentums, self.max_momentums, strict=True)
            for group, (low, high) in zip(self.optimizer.param_groups, pairs, strict=True):
                self._set_momentum(group, high - (high - low) * height)
        limits = zip(self.base_lrs, self.max_lrs, strict=True)
        return [low + (high - low) * height for low, high in limits]

    def state_dict(self) -> dict[str, Any]:
        """Where the schedule stands, without the optimizer and a function with a name."""
        function = self._scale_fn_custom
        saved = None if function is None else _state_of(function)
        return {**super().state_dict(), "_scale_fn_custom": saved}

    def load_state_dict(self, state_dict: Mapping[str, Any]) -> None:
        """Go on where another schedule stands; a function stays what it is."""
        own = self._scale_fn_custom
        super().load_state_dict({**state_dict, "_scale_fn_custom": own})
        saved = state_dict.get("_scale_fn_custom")
        if own is not None and saved is not None:
            vars(own).update(saved)


# What the height of a cycle depends on in each mode.
_MODES: dict[str, Literal["cycle", "iterations"]] = {
    "triangular": "cycle",
    "triangular2": "cycle",
    "exp_range": "iterations",
}


class OneCycleLR(_Cycle):
    """Rates that rise from `max_lr / div_factor` to `max_lr`, and fall far below where they began.

    It steps after every batch, `total_steps` times, or `epochs * steps_per_epoch` times. The share
    `pct_start` of them rises; the last rate is `final_div_factor` below the first. With
    `three_phase` it falls to the first in as many steps as it rose, and then further. The way is
    half a period of the cosine, or a line with `anneal_strategy="linear"`. With `cycle_momentum`,
    momenta go from `max_momentum` down to `base_momentum` and back.

    From Smith and Topin, "Super-Convergence: Very Fast Training of Neural Networks Using Large
    Learning Rates" (2019).

    Raises:
        ValueError: a number of steps is missing or no positive int, `pct_start` is not from 0 to 1,
            `anneal_strategy` is another word, the optimizer has no momentum to cycle, a list has
            more or fewer entries than there are groups, or there are more steps than those.
    """

    def __init__(
        self,
        optimizer: Optimizer,
        max_lr: float | list[float],
        total_steps: int | None = None,
        epochs: int | None = None,
        steps_per_epoch: int | None = None,
        pct_start: float = 0.3,
        anneal_strategy: Literal["cos", "linear"] = "cos",
        cycle_momentum: bool = True,
        base_momentum: float | list[float] = 0.85,
        max_momentum: float | list[float] = 0.95,
        div_factor: float = 25.0,
        final_div_factor: float = 1e4,
        three_phase: bool = False,
        last_epoch: int = -1,
    ) -> None:
        self.optimizer = _optimizer(optimizer)
        self.total_steps = _total(total_steps, epochs, steps_per_epoch)
        if not 0 <= pct_start <= 1:
            raise ValueError(f"argument 'pct_start' must be from 0 to 1, but is {pct_start}")
        if anneal_strategy not in ("cos", "linear"):
            raise ValueError(
                f"argument 'anneal_strategy' must be 'cos' or 'linear', but is {anneal_strategy!r}"
            )
        self._anneal_func_type = anneal_strategy
        self._schedule_phases = _phases(pct_start * self.total_steps, self.total_steps, three_phase)
        max_lrs = _for_groups("max_lr", max_lr, optimizer)
        if last_epoch == -1:
            for group, greatest in zip(optimizer.param_groups, max_lrs, strict=True):
                group["initial_lr"] = greatest / div_factor
                group["max_lr"] = greatest
                group["min_lr"] = group["initial_lr"] / final_div_factor
        self.cycle_momentum = cycle_momentum
        if cycle_momentum:
            self._begin_momentum(base_momentum, max_momentum, last_epoch)
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[float]:
        """The rates of the step; momenta are set."""
        if self.last_epoch > self.total_steps:
            raise ValueError(
                f"the schedule has {self.total_steps} steps, and this would be step "
                f"{self.last_epoch}"
            )
        start, phase = self._phase()
        length = phase["end_step"] - start
        share = (self.last_epoch - start) / length if length else 1.0
        if self._anneal_func_type == "cos":
            share = (1 - cos(pi * share)) / 2
        rates = []
        for group in self.optimizer.param_groups:
            rates.append(_between(group, phase["start_lr"], phase["end_lr"], share))
            if self.cycle_momentum:
                first, last = phase["start_momentum"], phase["end_momentum"]
                self._set_momentum(group, _between(group, first, last, share))
        return rates

    def _phase(self) -> tuple[float, dict[str, Any]]:
        """The phase of the step, and where it begins."""
        start = 0.0
        for phase in self._schedule_phases[:-1]:
            if self.last_epoch <= phase["end_step"]:
                return start, phase
            start = phase["end_step"]
        return start, self._schedule_phases[-1]


def _total(total_steps: int | None, epochs: int | None, steps_per_epoch: int | None) -> int:
    if total_steps is not None:
        given = {"total_steps": total_steps}
    elif epochs is not None and steps_per_epoch is not None:
        given = {"epochs": epochs, "steps_per_epoch": steps_per_epoch}
    else:
        raise ValueError("OneCycleLR needs 'total_steps', or 'epochs' and 'steps_per_epoch'")
    total = 1
    for name, count in given.items():
        if not isinstance(count, int) or count < 1:
            raise ValueError(f"argument {name!r} must be a positive int, but is {count}")
        total *= count
    return total


def _phases(rising: float, total: int, is_threefold: bool) -> list[dict[str, Any]]:
    """Where phases end, and between which options of a group rates and momenta go."""
    falls = [(2 * rising - 2, "initial_lr")] if is_threefold else []
    ends = [(rising - 1, "max_lr"), *falls, (total - 1, "min_lr")]
    before, momentum, phases = "initial_lr", "max_momentum", []
    for end, rate in ends:
        reached = "base_momentum" if rate == "max_lr" else "max_momentum"
        phases.append(
            {
                "end_step": end,
                "start_lr": before,
                "end_lr": rate,
                "start_momentum": momentum,
                "end_momentum": reached,
            }
        )
        before, momentum = rate, reached
    return phases


def _between(group: dict[str, Any], first: str, last: str, share: float) -> float:
    found: float = group[first] + (group[last] - group[first]) * share
    return found
