"""What optimizers have in common."""

from __future__ import annotations

from collections import defaultdict

from opwright import _C
from opwright._kinds import kind
from opwright.autograd.grad_mode import enable_grad, no_grad
from opwright.nn.utils.clip_grad import clear_gradient

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from typing import Any

    from opwright import Tensor

    _Group = dict[str, Any]


# What is remembered in a dtype of its own, and not in the parameter's.
_SCALARS = {"step", "eta", "mu", "mu_product"}


class Optimizer:
    """Changes parameters, in groups that have options of their own.

    `param_groups` are dictionaries: the parameters are under `"params"`, and options under their
    names. `state` has for each parameter what is remembered of earlier steps. Subclasses say in
    `_update` what a step does to a parameter, and may have in `_update_all` one call for many.
    """

    def __init__(
        self, params: Iterable[Tensor] | Iterable[_Group], defaults: dict[str, Any]
    ) -> None:
        self.defaults = defaults
        self.state: defaultdict[Tensor, dict[str, Any]] = defaultdict(dict)
        self.param_groups: list[_Group] = []
        if isinstance(params, _C.TensorBase):
            raise TypeError("an optimizer takes a list of parameters; put the tensor into one")
        _check_order(params)
        given: list[Any] = list(params)
        if not given:
            raise ValueError("an optimizer needs parameters, and the list of them is empty")
        groups = given if isinstance(given[0], dict) else [{"params": given}]
        for group in groups:
            self.add_param_group(group)

    def add_param_group(self, param_group: _Group) -> None:
        """Add parameters, with options that differ from those of the optimizer."""
        if not isinstance(param_group, dict):
            raise TypeError(f"a group must be a dict, not {kind(param_group)}")
        group = {**self.defaults, **param_group, "params": _parameters(param_group)}
        known = {id(it) for other in self.param_groups for it in other["params"]}
        if any(id(it) in known for it in group["params"]):
            raise ValueError("a parameter is in more than one group")
        if len({id(it) for it in group["params"]}) < len(group["params"]):
            import warnings

            warnings.warn(
                "a parameter is twice in a group of an optimizer, which changes it twice in each "
                "step",
                UserWarning,
                stacklevel=3,
            )
        _check_options(group)
        self._check(group)
        self.param_groups.append(group)

    def _check(self, group: _Group) -> None:
        """Options that make no sense are an error."""
        _not_negative(group, "lr", "weight_decay")

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Forget the gradients of all parameters, or set them to zero."""
        for group in self.param_groups:
            for parameter in group["params"]:
                clear_gradient(parameter, set_to_none)

    def step(self, closure: Callable[[], Any] | None = None) -> Any:
        """Change all parameters that have gradients.

        `closure` computes the loss and the gradients anew; what it returns is returned.
        """
        loss = None
        if closure is not None:
            with enable_grad():
                loss = closure()
        with no_grad():
            for group in self.param_groups:
                self._step(group)
        return loss

    def _step(self, group: _Group) -> None:
        """Change those parameters of a group that have gradients; nothing is recorded."""
        parameters: list[Tensor] = []
        gradients: list[Tensor] = []
        for parameter in group["params"]:
            gradient = parameter.grad
            if gradient is not None:
                parameters.append(parameter)
                gradients.append(gradient)
        if parameters:
            self._update_all(parameters, gradients, group)

    def _update_all(self, parameters: list[Tensor], gradients: list[Tensor], group: _Group) -> None:
        """Change parameters; nothing is recorded."""
        for parameter, gradient in zip(parameters, gradients, strict=True):
            self._update(parameter, gradient, group)

    def _update(self, parameter: Tensor, gradient: Tensor, group: _Group) -> None:
        """Change a parameter; nothing is recorded."""
        raise NotImplementedError(f"{type(self).__name__} does not say what a step does")

    def _remembered(self, parameter: Tensor, *names: str) -> dict[str, Any]:
        """What is remembered of a parameter: its `step`, and tensors that are zero at first."""
        state = self.state[parameter]
        if not state:
            state["step"] = _scalar(0.0)
        for name in names:
            if name not in state:
                state[name] = _C.zeros_like(parameter)
        return state

    def state_dict(self) -> dict[str, Any]:
        """The state and the options, with numbers in the place of parameters."""
        numbers = {id(it): at for at, it in enumerate(self._all())}
        groups = [
            {**group, "params": [numbers[id(it)] for it in group["params"]]}
            for group in self.param_groups
        ]
        known = [it for it in self.state if id(it) in numbers]
        state = {numbers[id(it)]: dict(self.state[it]) for it in known}
        return {"state": state, "param_groups": groups}

    def load_state_dict(self, state_dict: Mapping[str, Any]) -> None:
        """Copy a state and options, which belong to parameters in the same order."""
        from copy import deepcopy

        groups = state_dict["param_groups"]
        _check_sizes([len(it["params"]) for it in groups], self.param_groups)
        numbers = (number for group in groups for number in group["params"])
        by_number = dict(zip(numbers, self._all(), strict=True))
        self.state = defaultdict(dict)
        for number, values in state_dict["state"].items():
            if number not in by_number:
                raise ValueError(f"the state has an entry {number!r}, which no group mentions")
            parameter = by_number[number]
            self.state[parameter] = {
                name: _copied(name, value, parameter) for name, value in values.items()
            }
        for own, group in zip(self.param_groups, groups, strict=True):
            options = {name: value for name, value in group.items() if name != "params"}
            own.update(deepcopy(options))

    def _all(self) -> Iterator[Tensor]:
        return (it for group in self.param_groups for it in group["params"])

    def __repr__(self) -> str:
        lines = []
        for at, group in enumerate(self.param_groups):
            lines.append(f"Parameter Group {at}")
            options = sorted(it for it in group if it != "params")
            lines.extend(f"    {it}: {group[it]}" for it in options)
        return "\n".join([f"{type(self).__name__} (", *lines, ")"])


def _check_order(params: object) -> None:
    if isinstance(params, set):
        raise TypeError("parameters must have an order, which those of a set have not; use a list")


def _parameters(group: _Group) -> list[Tensor]:
    """The parameters of a group, which have to be leaves."""
    if "params" not in group:
        raise ValueError("a group must have its parameters under 'params'")
    params = group["params"]
    _check_order(params)
    found: list[Any] = [params] if isinstance(params, _C.TensorBase) else list(params)
    for parameter in found:
        if not isinstance(parameter, _C.TensorBase):
            raise TypeError(f"an optimizer takes tensors, not {kind(parameter)}")
        if not parameter.is_leaf:
            raise ValueError(
                "only leaves can be optimized, and a tensor was computed from others; optimize "
                "these, or a detached copy"
            )
    return found


def _is_fused(group: _Group, parameters: list[Tensor], gradients: list[Tensor]) -> bool:
    """Whether a step is one call for all of these parameters.

    That is for real dtypes, and gradients that nobody differentiates: the call counts as one that
    writes to them.
    """
    fused: bool | None = group.get("fused")
    if fused is False:
        return False
    for parameter, gradient in zip(parameters, gradients, strict=True):
        if gradient.requires_grad or not parameter.is_floating_point():
            break
    else:
        return True
    if fused:
        raise RuntimeError(
            "option 'fused' is for floating parameters, and for gradients that do not require "
            "gradients; leave it out to change such parameters one by one"
        )
    return False


def _regularized(parameter: Tensor, gradient: Tensor, group: _Group) -> Tensor:
    """The gradient with what `maximize` and `weight_decay` make of it.

    A decay that is decoupled shrinks the parameter instead.
    """
    if group["maximize"]:
        gradient = -gradient
    decay = group["weight_decay"]
    if not decay:
        return gradient
    if group.get("decoupled_weight_decay"):
        parameter.mul_(1 - float(group["lr"]) * decay)
        return gradient
    return gradient.add(parameter, alpha=decay)


def _real(tensor: Tensor) -> Tensor:
    """A view in which the parts of complex numbers are numbers of their own."""
    return _C.view_as_real(tensor) if tensor.is_complex() else tensor


def _scalar(value: float) -> Tensor:
    """A number that is remembered: half precision would stop to count at 2048."""
    is_double = _C.get_default_dtype() == _C.float64
    return _C.tensor(value, dtype=_C.float64 if is_double else _C.float32)


def _check_options(group: _Group) -> None:
    rate = group.get("lr")
    if isinstance(rate, _C.TensorBase) and rate.numel() != 1:
        raise ValueError(
            f"option 'lr' must be a number, or a tensor of one element, but has the shape "
            f"{list(rate.shape)}"
        )
    if group.get("differentiable"):
        raise NotImplementedError(
            "option 'differentiable' must be false: gradients are not taken through a step"
        )


def _not_negative(group: _Group, *names: str) -> None:
    for name in names:
        # What is not a number compares false.
        if not group[name] >= 0:
            raise ValueError(f"option {name!r} must not be negative, but is {group[name]}")


def _check_betas(group: _Group) -> None:
    for beta in group["betas"]:
        if not 0 <= beta < 1:
            raise ValueError(f"option 'betas' must be at least 0 and below 1, but has {beta}")


def _check_sizes(given: list[int], groups: list[_Group]) -> None:
    sizes = [len(it["params"]) for it in groups]
    if given != sizes:
        raise ValueError(
            f"the state is that of another optimizer: its groups have {given} parameters, and "
            f"those of this one {sizes}"
        )


def _copied(name: str, value: Any, parameter: Tensor) -> Any:
    """A copy of what is remembered of a parameter, in its dtype, which may have changed."""
    if isinstance(value, list):
        return [_copied(name, it, parameter) for it in value]
    if not isinstance(value, _C.TensorBase):
        from copy import deepcopy

        return deepcopy(value)
    if name in _SCALARS or not parameter.is_floating_point():
        return value.detach().clone()
    return value.detach().to(parameter.device, parameter.dtype, copy=True)
