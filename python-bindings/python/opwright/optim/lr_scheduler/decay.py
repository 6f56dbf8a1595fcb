"""Rates that are multiplied by a factor, at every epoch or at some."""

from __future__ import annotations

from opwright.optim.lr_scheduler.schedule import LRScheduler

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from opwright.optim.optimizer import Optimizer


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
        return self._scaled(self.gamma)

    def _get_closed_form_lr(self) -> list[float]:
        factor = self.gamma ** (self.last_epoch // self.step_size)
        return [it * factor for it in self.base_lrs]


class MultiStepLR(LRScheduler):
    """Rates that are multiplied by `gamma` at each of the epochs `milestones`.

    One that is there twice multiplies twice. They may come in any order.
    """

    def __init__(
        self,
        optimizer: Optimizer,
        milestones: Iterable[int],
        gamma: float = 0.1,
        last_epoch: int = -1,
    ) -> None:
        from collections import Counter

        self.milestones = Counter(milestones)
        self.gamma = gamma
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[float]:
        """The rates, multiplied by `gamma` if the epoch is one of those."""
        if self.last_epoch not in self.milestones:
            return self._rates()
        return self._scaled(self.gamma ** self.milestones[self.last_epoch])

    def _get_closed_form_lr(self) -> list[float]:
        passed = sum(count for at, count in self.milestones.items() if at <= self.last_epoch)
        return [it * self.gamma**passed for it in self.base_lrs]


class ExponentialLR(LRScheduler):
    """Rates that are multiplied by `gamma` at every epoch."""

    def __init__(self, optimizer: Optimizer, gamma: float, last_epoch: int = -1) -> None:
        self.gamma = gamma
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[float]:
        """The rates, multiplied by `gamma` but for the first."""
        return self._rates() if self._is_initial else self._scaled(self.gamma)

    def _get_closed_form_lr(self) -> list[float]:
        return [it * self.gamma**self.last_epoch for it in self.base_lrs]
