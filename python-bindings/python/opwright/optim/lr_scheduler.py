"""Schedules of learning rates."""

from __future__ import annotations

from math import cos, pi

from opwright._kinds import kind
from opwright.optim.optimizer import Optimizer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

__all__ = ["CosineAnnealingLR", "LRScheduler", "LambdaLR", "StepLR"]


class LRScheduler:
    """Sets the learning rates of all groups of an optimizer, from epoch to epoch.

    The first rates are set when it is made, further ones by `step`, after the steps of the
    optimizer. `last_epoch` is the epoch after which to go on, for an optimizer that was trained
    before. Subclasses say in `get_lr` which rates come next.
    """

    def __init__(self, optimizer: Optimizer, last_epoch: int = -1) -> None:
        if not isinstance(optimizer, Optimizer):
            raise TypeError(f"a schedule is for an Optimizer, not for {kind(optimizer)}")
        self.optimizer = optimizer
        for at, group in enumerate(optimizer.param_groups):
            if last_epoch == -1:
                group["initial_lr"] = group["lr"]
            elif "initial_lr" not in group:
                raise KeyError(
                    f"group {at} of the optimizer has no 'initial_lr', with which the schedule "
                    f"began; without last_epoch, it begins anew"
                )
        self.base_lrs: list[float] = [it["initial_lr"] for it in optimizer.param_groups]
        self.last_epoch = last_epoch
        self.step()

    def get_lr(self) -> list[float]:
        """The rates of the epoch `last_epoch`, from those of the epoch before."""
        raise NotImplementedError(f"{type(self).__name__} does not say which rates come next")

    def get_last_lr(self) -> list[float]:
        """The rates that were set last."""
        return self._last_lr

    def step(self) -> None:
        """Set the rates of the next epoch."""
        self.last_epoch += 1
        rates = self.get_lr()
        for group, rate in zip(self.optimizer.param_groups, rates, strict=True):
            group["lr"] = rate
        self._last_lr = rates

    def _rates(self) -> list[float]:
        """The rates as they are."""
        return [it["lr"] for it in self.optimizer.param_groups]

    def state_dict(self) -> dict[str, Any]:
        """Where the schedule stands, without the optimizer."""
        return {name: value for name, value in vars(self).items() if name != "optimizer"}

    def load_state_dict(self, state_dict: Mapping[str, Any]) -> None:
        """Go on where another schedule stands."""
        vars(self).update(state_dict)


class StepLR(LRScheduler):
    """Rates that are multiplied by `gamma` every `step_size` epochs."""

    def __init__(
        self, optimizer: Optimizer, step_size: int, gamma: float = 0.1, last_epoch: int = -1
    ) -> None:
        self.step_size = step_size
        self.gamma = gamma
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[float]:
        """The rates, multiplied by `gamma` if the epoch is one of those."""
        if self.last_epoch == 0 or self.last_epoch % self.step_size:
            return self._rates()
        return [it * self.gamma for it in self._rates()]


class CosineAnnealingLR(LRScheduler):
    """Rates that fall to `eta_min` in `T_max` epochs, along half a period of the cosine.

    They rise again in as many.
    """

    def __init__(
        self,
        optimizer: Optimizer,
        T_max: int,  # noqa: N803
        eta_min: float = 0.0,
        last_epoch: int = -1,
    ) -> None:
        self.T_max = T_max
        self.eta_min = eta_min
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[float]:
        """The rates, moved as the cosine moves; other schedules may change them, too."""
        if self.last_epoch == 0:
            return self._rates()
        before, now = self._height(self.last_epoch - 1), self._height(self.last_epoch)
        if (self.last_epoch - 1 - self.T_max) % (2 * self.T_max) == 0:
            # From the lowest point, where nothing is left to be scaled.
            pairs = zip(self._rates(), self.base_lrs, strict=True)
            return [rate + (base - self.eta_min) * now / 2 for rate, base in pairs]
        return [self.eta_min + (it - self.eta_min) * now / before for it in self._rates()]

    def _height(self, epoch: int) -> float:
        return 1 + cos(pi * epoch / self.T_max)


class LambdaLR(LRScheduler):
    """The first rates, multiplied by what a function of the epoch returns.

    There may be a function for each group.
    """

    def __init__(
        self,
        optimizer: Optimizer,
        lr_lambda: Callable[[int], float] | Sequence[Callable[[int], float]],
        last_epoch: int = -1,
    ) -> None:
        count = len(optimizer.param_groups)
        self.lr_lambdas = [lr_lambda] * count if callable(lr_lambda) else [*lr_lambda]
        if len(self.lr_lambdas) != count:
            raise ValueError(
                f"LambdaLR(): argument 'lr_lambda' has {len(self.lr_lambdas)} functions for "
                f"{count} groups"
            )
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[float]:
        """The rates of the epoch."""
        pairs = zip(self.base_lrs, self.lr_lambdas, strict=True)
        return [base * function(self.last_epoch) for base, function in pairs]

    def state_dict(self) -> dict[str, Any]:
        """Where the schedule stands, without the optimizer and the functions."""
        state = super().state_dict()
        del state["lr_lambdas"]
        return state
