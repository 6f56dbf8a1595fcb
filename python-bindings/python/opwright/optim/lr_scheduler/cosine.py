"""Rates that fall along half a period of the cosine.

From Loshchilov and Hutter, "SGDR: Stochastic Gradient Descent with Warm Restarts" (2017).
"""

from __future__ import annotations

from math import cos, floor, log, pi

from opwright.optim.lr_scheduler.schedule import LRScheduler

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opwright.optim.optimizer import Optimizer


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
        if self._is_initial:
            return self._rates()
        before, now = self._height(self.last_epoch - 1), self._height(self.last_epoch)
        if (self.last_epoch - 1 - self.T_max) % (2 * self.T_max) == 0:
            # From the lowest point, where nothing is left to be scaled.
            pairs = zip(self._rates(), self.base_lrs, strict=True)
            return [rate + (base - self.eta_min) * now / 2 for rate, base in pairs]
        return [self.eta_min + (it - self.eta_min) * now / before for it in self._rates()]

    def _get_closed_form_lr(self) -> list[float]:
        height = self._height(self.last_epoch)
        return [self.eta_min + (it - self.eta_min) * height / 2 for it in self.base_lrs]

    def _height(self, epoch: int) -> float:
        return 1 + cos(pi * epoch / self.T_max)


class CosineAnnealingWarmRestarts(LRScheduler):
    """Rates that fall to `eta_min` in `T_0` epochs, and begin anew, each time `T_mult` as long.

    `step` takes fractions of epochs: with `step(epoch + batch / batches)` after every batch, rates
    change within an epoch.

    Raises:
        ValueError: `T_0` or `T_mult` is no positive int, `eta_min` no number, or an epoch negative.
    """

    def __init__(
        self,
        optimizer: Optimizer,
        T_0: int,  # noqa: N803
        T_mult: int = 1,  # noqa: N803
        eta_min: float = 0.0,
        last_epoch: int = -1,
    ) -> None:
        for name, count in (("T_0", T_0), ("T_mult", T_mult)):
            if not isinstance(count, int) or count < 1:
                raise ValueError(f"argument {name!r} must be a positive int, but is {count}")
        if not isinstance(eta_min, float | int):
            raise ValueError(f"argument 'eta_min' must be a number, but is {eta_min!r}")
        self.T_0 = T_0
        self.T_i = T_0
        self.T_mult = T_mult
        self.eta_min = eta_min
        self.T_cur: float = last_epoch
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[float]:
        """The rates, which follow from the epochs since the last beginning."""
        height = 1 + cos(pi * self.T_cur / self.T_i)
        return [self.eta_min + (it - self.eta_min) * height / 2 for it in self.base_lrs]

    def step(self, epoch: float | None = None) -> None:
        """Set the rates of the next epoch, or of a given one, which may be a fraction."""
        if epoch is None and self.last_epoch < 0:
            epoch = 0
        if epoch is None:
            epoch = self.last_epoch + 1
            self.T_cur += 1
            if self.T_cur >= self.T_i:
                self.T_cur %= self.T_i
                self.T_i *= self.T_mult
        elif epoch >= 0:
            self._seek(epoch)
        else:
            raise ValueError(f"argument 'epoch' must not be negative, but is {epoch}")
        self.last_epoch = floor(epoch)
        self._set(self.get_lr())

    def _seek(self, epoch: float) -> None:
        """Find in which run an epoch lies, of those that are each `T_mult` as long as the last."""
        runs = 0
        if epoch >= self.T_0 and self.T_mult > 1:
            runs = int(log(epoch / self.T_0 * (self.T_mult - 1) + 1, self.T_mult))
            epoch -= self.T_0 * (self.T_mult**runs - 1) / (self.T_mult - 1)
        self.T_cur = epoch % self.T_0 if self.T_mult == 1 else epoch
        self.T_i = self.T_0 * self.T_mult**runs
