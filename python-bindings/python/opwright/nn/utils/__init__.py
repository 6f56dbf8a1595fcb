"""What is done with the gradients, the values and the forms of parameters of a model."""

from __future__ import annotations

from opwright.nn.utils.clip_grad import clear_gradient as clear_gradient
from opwright.nn.utils.clip_grad import (
    clip_grad_norm_,
    clip_grad_value_,
    clip_grads_with_norm_,
    get_total_norm,
)
from opwright.nn.utils.convert_parameters import parameters_to_vector, vector_to_parameters

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from opwright.nn.utils import fusion as fusion
    from opwright.nn.utils import init as init
    from opwright.nn.utils import parametrizations as parametrizations
    from opwright.nn.utils import parametrize as parametrize
    from opwright.nn.utils import rnn as rnn
    from opwright.nn.utils.fusion import fuse_conv_bn_eval as fuse_conv_bn_eval
    from opwright.nn.utils.fusion import fuse_conv_bn_weights as fuse_conv_bn_weights
    from opwright.nn.utils.fusion import fuse_linear_bn_eval as fuse_linear_bn_eval
    from opwright.nn.utils.fusion import fuse_linear_bn_weights as fuse_linear_bn_weights
    from opwright.nn.utils.init import skip_init as skip_init

__all__ = [
    "clip_grad_norm_",
    "clip_grad_value_",
    "clip_grads_with_norm_",
    "fuse_conv_bn_eval",
    "fuse_conv_bn_weights",
    "fuse_linear_bn_eval",
    "fuse_linear_bn_weights",
    "get_total_norm",
    "parameters_to_vector",
    "parametrizations",
    "parametrize",
    "rnn",
    "skip_init",
    "vector_to_parameters",
]

_SUBMODULES = {"fusion", "init", "parametrizations", "parametrize", "rnn"}


def _late(name: str) -> Any:
    """What is imported when it is asked for: optimizers need little of this."""
    from importlib import import_module

    if name in _SUBMODULES:
        return import_module(f"{__name__}.{name}")
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    home = import_module(f"{__name__}.{'init' if name == 'skip_init' else 'fusion'}")
    found = globals()[name] = getattr(home, name)
    return found


if not TYPE_CHECKING:
    # Type checkers read the names themselves, and miss those that are not there.
    __getattr__ = _late


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
