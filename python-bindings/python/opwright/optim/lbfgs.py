"""A quasi-Newton method with limited memory."""

from __future__ import annotations

from opwright import _C
from opwright.autograd.grad_mode import enable_grad, no_grad
from opwright.optim._strong_wolfe import LineSearch, Point
from opwright.optim.optimizer import Optimizer, _not_negative, _real

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from opwright import Tensor


class LBFGS(Optimizer):
    """Iterations along `-H g`, with an approximation `H` of the inverse of the second derivatives.

    `H` is made of the last `history_size` changes of the parameters and of the gradient. A step is
    up to `max_iter` iterations, and up to `max_eval` evaluations, which is five quarters of
    `max_iter` if it is None. It ends earlier when no element of the gradient is greater than
    `tolerance_grad`, or when the parameters or the loss change by less than `tolerance_change`.

    An iteration goes `lr` far, and the very first `lr / sum(abs(g))` if that is less. With
    `line_search_fn="strong_wolfe"`, that is where a search for the strong Wolfe conditions begins.
    `step` takes a function that sets the gradients to zero, computes the loss and the gradients,
    and returns the loss. All parameters are in one group; the first has the state of all.

        >>> x = opwright.tensor([3.0, -1.0], requires_grad=True)
        >>> optimizer = opwright.optim.LBFGS([x], line_search_fn="strong_wolfe")
        >>> def loss():
        ...     optimizer.zero_grad()
        ...     value = ((x - 1) ** 4).sum()
        ...     value.backward()
        ...     return value
        >>> optimizer.step(loss).item()
        32.0
        >>> loss().item() < 1e-6
        True

    From Nocedal, "Updating Quasi-Newton Matrices with Limited Storage" (1980); the direction is
    that of algorithm 7.4 in Nocedal and Wright, "Numerical Optimization" (2006).

    Raises:
        ValueError: `lr` is negative, `history_size` is below 1, or there is more than one group.
        RuntimeError: `line_search_fn` is another word.
    """

    def __init__(
        self,
        params: Iterable[Any],
        lr: float | Tensor = 1,
        max_iter: int = 20,
        max_eval: int | None = None,
        tolerance_grad: float = 1e-7,
        tolerance_change: float = 1e-9,
        history_size: int = 100,
        line_search_fn: str | None = None,
    ) -> None:
        defaults = {
            "lr": lr,
            "max_iter": max_iter,
            "max_eval": max_iter * 5 // 4 if max_eval is None else max_eval,
            "tolerance_grad": tolerance_grad,
            "tolerance_change": tolerance_change,
            "history_size": history_size,
            "line_search_fn": line_search_fn,
        }
        super().__init__(params, defaults)

    def add_param_group(self, param_group: dict[str, Any]) -> None:
        """Add the parameters, all at once: there is one group."""
        if self.param_groups:
            raise ValueError("LBFGS takes all parameters in one group, with the same options")
        super().add_param_group(param_group)

    def _check(self, group: dict[str, Any]) -> None:
        _not_negative(group, "lr")
        if group["history_size"] < 1:
            raise ValueError(
                f"option 'history_size' must be at least 1, but is {group['history_size']}"
            )
        if group["line_search_fn"] not in (None, "strong_wolfe"):
            raise RuntimeError(
                f"option 'line_search_fn' must be 'strong_wolfe' or None, but is "
                f"{group['line_search_fn']!r}"
            )

    def step(self, closure: Callable[[], Any] | None = None) -> Any:
        """Iterate, and return the loss that there was before.

        `closure` computes the loss and the gradients anew, and is called for each evaluation.
        """
        if closure is None:
            raise TypeError(
                "LBFGS.step() needs a function, which computes the loss and the gradients anew"
            )
        with no_grad():
            return self._iterate(closure)

    def _iterate(self, closure: Callable[[], Any]) -> Any:
        """Iterations of a step, until one says that it was the last."""
        (group,) = self.param_groups
        state = self.state[group["params"][0]]
        state.setdefault("func_evals", 0)
        state.setdefault("n_iter", 0)
        with enable_grad():
            first = closure()
        state["func_evals"] += 1
        point = Point(0.0, float(first), self._gradient(), 0.0)
        if _greatest(point.gradient) <= group["tolerance_grad"]:
            return first
        left = group["max_eval"] - 1
        for iteration in range(1, group["max_iter"] + 1):
            state["n_iter"] += 1
            point = self._aimed(point, state)
            if point.slope > -group["tolerance_change"]:
                break
            reached, evaluations = self._moved(point, closure, iteration == group["max_iter"])
            state["func_evals"] += evaluations
            left -= evaluations
            if left <= 0 or self._is_done(point, reached):
                break
            point = reached
        return first

    def _aimed(self, point: Point, state: dict[str, Any]) -> Point:
        """The point with its slope in the next direction, which the state then has as `d`."""
        gradient, rate = point.gradient, float(self.param_groups[0]["lr"])
        if state["n_iter"] == 1:
            state.update(d=-gradient, old_dirs=[], old_stps=[], ro=[], H_diag=1.0)
            state["t"] = min(1.0, 1.0 / gradient.abs().sum().item()) * rate
        else:
            self._remember(gradient, state)
            state["d"] = _direction(gradient, state)
            state["t"] = rate
        state["prev_flat_grad"] = gradient
        state["prev_loss"] = point.loss
        return point._replace(step=0.0, slope=gradient.dot(state["d"]).item())

    def _remember(self, gradient: Tensor, state: dict[str, Any]) -> None:
        """Add the change of the last iteration to the history, unless it curves down."""
        difference = gradient - state["prev_flat_grad"]
        change = state["d"] * state["t"]
        curvature = difference.dot(change).item()
        if curvature <= 1e-10:
            return
        if len(state["old_dirs"]) == self.param_groups[0]["history_size"]:
            for name in ("old_dirs", "old_stps", "ro"):
                state[name].pop(0)
        state["old_dirs"].append(difference)
        state["old_stps"].append(change)
        state["ro"].append(1 / curvature)
        state["H_diag"] = curvature / difference.dot(difference).item()

    def _moved(self, start: Point, closure: Callable[[], Any], is_last: bool) -> tuple[Point, int]:
        """What is where the parameters went, and how many evaluations that took.

        Without a line search, the loss after the last iteration is of no use.
        """
        (group,) = self.param_groups
        state = self.state[group["params"][0]]
        direction = state["d"]
        if group["line_search_fn"] is None:
            self._move(state["t"], direction)
            if is_last:
                return start, 0
            return self._evaluated(state["t"], closure, direction), 1
        origin = [it.clone() for it in group["params"]]

        def evaluate(step: float) -> Point:
            self._move(step, direction)
            found = self._evaluated(step, closure, direction)
            for parameter, value in zip(group["params"], origin, strict=True):
                parameter.copy_(value)
            return found

        search = LineSearch(evaluate, start, _greatest(direction))
        reached = search.run(state["t"])
        state["t"] = reached.step
        self._move(reached.step, direction)
        return reached, search.evaluations

    def _evaluated(self, step: float, closure: Callable[[], Any], direction: Tensor) -> Point:
        with enable_grad():
            loss = float(closure())
        gradient = self._gradient()
        return Point(step, loss, gradient, gradient.dot(direction).item())

    def _is_done(self, before: Point, reached: Point) -> bool:
        (group,) = self.param_groups
        state, tolerance = self.state[group["params"][0]], group["tolerance_change"]
        return bool(
            _greatest(reached.gradient) <= group["tolerance_grad"]
            or _greatest(state["d"]) * state["t"] <= tolerance
            or abs(reached.loss - before.loss) < tolerance
        )

    def _gradient(self) -> Tensor:
        """The gradients of all parameters, one after the other; zero where there is none."""
        parts = []
        for parameter in self.param_groups[0]["params"]:
            gradient = parameter.grad
            if gradient is None:
                gradient = _C.zeros_like(parameter, requires_grad=False)
            parts.append(_real(gradient).reshape(-1))
        return _C.cat(parts)

    def _move(self, step: float, direction: Tensor) -> None:
        """Change all parameters along a direction."""
        at = 0
        for parameter in map(_real, self.param_groups[0]["params"]):
            count = parameter.numel()
            part = direction[at : at + count].reshape(parameter.shape)
            parameter.add_(part, alpha=step)
            at += count


def _direction(gradient: Tensor, state: dict[str, Any]) -> Tensor:
    """`-H g`, by the recursion over the history, from the last to the first and back."""
    history = [*zip(state["old_dirs"], state["old_stps"], state["ro"], strict=True)]
    direction, shares = -gradient, []
    for difference, change, inverse in reversed(history):
        share = change.dot(direction).item() * float(inverse)
        direction.add_(difference, alpha=-share)
        shares.append(share)
    direction.mul_(float(state["H_diag"]))
    for (difference, change, inverse), share in zip(history, reversed(shares), strict=True):
        back = difference.dot(direction).item() * float(inverse)
        direction.add_(change, alpha=share - back)
    return direction


def _greatest(tensor: Tensor) -> float:
    return float(tensor.abs().max())
