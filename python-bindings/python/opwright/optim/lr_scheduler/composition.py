"""Schedules made of schedules."""

from __future__ import annotations

from bisect import bisect_right

from opwright._kinds import kind
from opwright.optim.lr_scheduler.plateau import ReduceLROnPlateau
from opwright.optim.lr_scheduler.schedule import LRScheduler

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from opwright.optim.optimizer import Optimizer


class _Composition(LRScheduler):
    """Several schedules of one optimizer, which are saved together."""

    _schedulers: list[LRScheduler]

    def _hold(self, schedulers: Sequence[LRScheduler], optimizer: Optimizer | None) -> None:
        """Take schedules, which have to be of the same optimizer."""
        name = type(self).__name__
        given = [*schedulers]
        if not given:
            raise ValueError(f"{name} needs schedules, and the list of them is empty")
        for at, each in enumerate(given):
            if not hasattr(each, "optimizer"):
                raise TypeError(
                    f"{name} is made of schedules, but number {at} is an object of type "
                    f"{kind(each)}"
                )
            if isinstance(each, ReduceLROnPlateau):
                raise ValueError(
                    f"{name} has nothing to tell a ReduceLROnPlateau, which is number {at}; call "
                    f"the `step` of that by itself"
                )
            optimizer = each.optimizer if optimizer is None else optimizer
            if each.optimizer is not optimizer:
                raise ValueError(f"{name} is for one optimizer, and schedule {at} is for another")
        self._schedulers = given
        self.optimizer = given[0].optimizer

    def _undo(self) -> None:
        for each in self._schedulers:
            each._undo()

    def state_dict(self) -> dict[str, Any]:
        """Where the schedules stand, without the optimizer."""
        return {**super().state_dict(), "_schedulers": [it.state_dict() for it in self._schedulers]}

    def load_state_dict(self, state_dict: Mapping[str, Any]) -> None:
        """Go on where others stand."""
        own = self._schedulers
        super().load_state_dict({**state_dict, "_schedulers": own})
        for each, state in zip(own, state_dict["_schedulers"], strict=True):
            each.load_state_dict(state)


class SequentialLR(_Composition):
    """One schedule after the other: the next begins at each of the epochs `milestones`.

    The first rates are those that the optimizer had before there were schedules.

    Raises:
        ValueError: there is no schedule, `milestones` has not one entry less than there are
            schedules, one is a `ReduceLROnPlateau`, or one is for another optimizer.
        TypeError: one is no schedule.
    """

    def __init__(
        self,
        optimizer: Optimizer,
        schedulers: Sequence[LRScheduler],
        milestones: list[int],
        last_epoch: int = -1,
    ) -> None:
        self._hold(schedulers, optimizer)
        count = len(self._schedulers)
        if len(milestones) != count - 1:
            raise ValueError(
                f"argument 'milestones' must have {count - 1} epochs for {count} schedules, but "
                f"has {len(milestones)}"
            )
        self._milestones = milestones
        self.last_epoch = last_epoch + 1
        # Each has set its first rates when it was made.
        for group in optimizer.param_groups:
            group["lr"] = group["initial_lr"]
        self._undo()
        self._schedulers[0]._initial_step()
        self._last_lr = self._schedulers[0].get_last_lr()

    def step(self) -> None:  # type: ignore[override]
        """Set the next rates of the schedule whose turn it is."""
        self.last_epoch += 1
        at = bisect_right(self._milestones, self.last_epoch)
        turn = self._schedulers[at]
        if at > 0 and self._milestones[at - 1] == self.last_epoch:
            turn._restart()
        else:
            turn.step()
        self._last_lr = turn.get_last_lr()

    def _restart(self) -> None:
        self.last_epoch = 0
        self._schedulers[0]._restart()
        self._last_lr = self._schedulers[0].get_last_lr()


class ChainedScheduler(_Composition):
    """Schedules that all change the rates, one after the other, at every epoch.

    They begin with `schedulers`, so that what each does at first is done already.

    Raises:
        ValueError: there is no schedule, one is a `ReduceLROnPlateau`, or one is for another
            optimizer.
        TypeError: one is no schedule.
    """

    def __init__(
        self, schedulers: Sequence[LRScheduler], optimizer: Optimizer | None = None
    ) -> None:
        self._hold(schedulers, optimizer)
        self._last_lr = self._rates()

    def step(self) -> None:  # type: ignore[override]
        """Set the next rates by each schedule."""
        for each in self._schedulers:
            each.step()
        self._last_lr = self._rates()

    def _restart(self) -> None:
        for each in self._schedulers:
            each._restart()
        self._last_lr = self._rates()
