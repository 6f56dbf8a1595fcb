"""Rates that reach others within some epochs, and stay."""

from __future__ import annotations

from opwright.optim.lr_scheduler.schedule import LRScheduler, _optimizer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opwright.optim.optimizer import Optimizer


class ConstantLR(LRScheduler):
    """Rates that are multiplied by `factor` for the first `total_iters` epochs.

    Raises:
        ValueError: `factor` is not from 0 to 1.
    """

    def __init__(
        self,
        optimizer: Optimizer,
        factor: float = 1.0 / 3,
        total_iters: int = 5,
        last_epoch: int = -1,
    ) -> None:
        _optimizer(optimizer)
        if not 0 <= factor <= 1:
            raise ValueError(f"argument 'factor' must be from 0 to 1, but is {factor}")
        self.factor = factor
        self.total_iters = total_iters
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[float]:
        """The rates, multiplied at first, and divided after `total_iters` epochs."""
        if self.last_epoch == 0:
            return self._scaled(self.factor)
        if self.last_epoch != self.total_iters:
            return self._rates()
        # What was multiplied by zero is not found again by a division.
        return self._scaled(1 / self.factor) if self.factor else [*self.base_lrs]

    def _get_closed_form_lr(self) -> list[float]:
        factor = 1 if self.last_epoch >= self.total_iters else self.factor
        return [it * factor for it in self.base_lrs]


class LinearLR(LRScheduler):
    """Rates whose factor goes from `start_factor` to `end_factor` in `total_iters` equal steps.

    Raises:
        ValueError: `start_factor` is not above 0 and at most 1, or `end_factor` not from 0 to 1.
    """

    def __init__(
        self,
        optimizer: Optimizer,
        start_factor: float = 1.0 / 3,
        end_factor: float = 1.0,
        total_iters: int = 5,
        last_epoch: int = -1,
    ) -> None:
        _optimizer(optimizer)
        if not 0 < start_factor <= 1:
            raise ValueError(
                f"argument 'start_factor' must be above 0 and at most 1, but is {start_factor}"
            )
        if not 0 <= end_factor <= 1:
            raise ValueError(f"argument 'end_factor' must be from 0 to 1, but is {end_factor}")
        self.start_factor = start_factor
        self.end_factor = end_factor
        self.total_iters = total_iters
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[float]:
        """The rates, multiplied by the quotient of two factors that follow each other."""
        if self.last_epoch == 0:
            return self._scaled(self.start_factor)
        if self._is_initial or self.last_epoch > self.total_iters:
            return self._rates()
        rise = self.end_factor - self.start_factor
        before = self.total_iters * self.start_factor + (self.last_epoch - 1) * rise
        return self._scaled(1 + rise / before)

    def _get_closed_form_lr(self) -> list[float]:
        share = min(self.total_iters, self.last_epoch) / self.total_iters
        factor = self.start_factor + (self.end_factor - self.start_factor) * share
        return [it * factor for it in self.base_lrs]


class PolynomialLR(LRScheduler):
    """Rates that fall to zero in `total_iters` epochs, as `(1 - epoch / total_iters) ** power`."""

    def __init__(
        self,
        optimizer: Optimizer,
        total_iters: int = 5,
        power: float = 1.0,
        last_epoch: int = -1,
    ) -> None:
        self.total_iters = total_iters
        self.power = power
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[float]:
        """The rates, multiplied by the quotient of two factors that follow each other."""
        if self._is_initial or self.last_epoch > self.total_iters:
            return self._rates()
        now = 1 - self.last_epoch / self.total_iters
        before = 1 - (self.last_epoch - 1) / self.total_iters
        return self._scaled((now / before) ** self.power)

    def _get_closed_form_lr(self) -> list[float]:
        left = 1 - min(self.total_iters, self.last_epoch) / self.total_iters
        return [it * left**self.power for it in self.base_lrs]
