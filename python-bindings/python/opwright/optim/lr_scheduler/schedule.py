"""What schedules of learning rates have in common."""

from __future__ import annotations

from opwright._kinds import kind
from opwright.optim.optimizer import Optimizer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any


class LRScheduler:
    """Sets the learning rates of all groups of an optimizer, from epoch to epoch.

    The first rates are set when it is made, further ones by `step`, after the steps of the
    optimizer. `last_epoch` is the epoch after which to go on, for an optimizer that was trained
    before. Subclasses say in `get_lr` which rates come next.

    The rates with which the first schedule of an optimizer began are in its groups, as
    `"initial_lr"`; `base_lrs` are those.
    """

    # Whether the first rates are being set: those of a schedule that goes on are there.
    _is_initial = False

    def __init__(self, optimizer: Optimizer, last_epoch: int = -1) -> None:
        self.optimizer = _optimizer(optimizer)
        for at, group in enumerate(optimizer.param_groups):
            if last_epoch == -1:
                group.setdefault("initial_lr", group["lr"])
            elif "initial_lr" not in group:
                raise KeyError(
                    f"group {at} of the optimizer has no 'initial_lr', with which the schedule "
                    f"began; without last_epoch, it begins anew"
                )
        self.base_lrs: list[float] = [it["initial_lr"] for it in optimizer.param_groups]
        self.last_epoch = last_epoch
        self._initial_step()

    def _initial_step(self) -> None:
        self._is_initial = True
        try:
            self.step()
        finally:
            self._is_initial = False

    def get_lr(self) -> list[float]:
        """The rates of the epoch `last_epoch`, from those of the epoch before."""
        raise NotImplementedError(f"{type(self).__name__} does not say which rates come next")

    def _get_closed_form_lr(self) -> list[float]:
        """The rates of the epoch `last_epoch`, whatever they were before."""
        return self.get_lr()

    def get_last_lr(self) -> list[float]:
        """The rates that were set last."""
        return self._last_lr

    def step(self, epoch: int | None = None) -> None:
        """Set the rates of the next epoch.

        Those of a certain `epoch` are set with a warning: they forget what other schedules did.
        """
        if epoch is not None:
            _warn_of_epochs()
        self._update(epoch)

    def _update(self, epoch: int | None) -> None:
        if epoch is None:
            self.last_epoch += 1
            rates = self.get_lr()
        else:
            self.last_epoch = epoch
            rates = self._get_closed_form_lr()
        self._set(rates)

    def _set(self, rates: list[float]) -> None:
        for group, rate in zip(self.optimizer.param_groups, rates, strict=True):
            group["lr"] = rate
        self._last_lr = rates

    def _restart(self) -> None:
        """Set the rates of the first epoch again."""
        self._update(0)

    def _undo(self) -> None:
        """Go back by an epoch, and leave the rates."""
        self.last_epoch -= 1

    def _rates(self) -> list[float]:
        """The rates as they are."""
        return [it["lr"] for it in self.optimizer.param_groups]

    def _scaled(self, factor: float) -> list[float]:
        """The rates as they are, multiplied by a factor."""
        return [it * factor for it in self._rates()]

    def state_dict(self) -> dict[str, Any]:
        """Where the schedule stands, without the optimizer."""
        return {name: value for name, value in vars(self).items() if name != "optimizer"}

    def load_state_dict(self, state_dict: Mapping[str, Any]) -> None:
        """Go on where another schedule stands."""
        vars(self).update(state_dict)


def _optimizer(given: object) -> Optimizer:
    if not isinstance(given, Optimizer):
        raise TypeError(f"a schedule is for an Optimizer, not for {kind(given)}")
    return given


def _warn_of_epochs() -> None:
    import warnings

    warnings.warn(
        "a schedule counts epochs by itself, and 'epoch' will not be taken any more; leave it out",
        UserWarning,
        stacklevel=3,
    )


def _for_groups(name: str, value: Any, optimizer: Optimizer) -> list[Any]:
    """A value for each group of an optimizer, of which one may be given for all."""
    count = len(optimizer.param_groups)
    if not isinstance(value, list | tuple):
        return [value] * count
    if len(value) != count:
        raise ValueError(f"argument {name!r} has {len(value)} values for {count} groups")
    return [*value]


def _state_of(function: Any) -> dict[str, Any] | None:
    """What is saved of a function: the attributes of an object, nothing of one with a name."""
    from types import FunctionType

    return None if isinstance(function, FunctionType) else vars(function).copy()
