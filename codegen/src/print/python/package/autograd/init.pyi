from collections.abc import Sequence as _Sequence
from typing import Any as _Any

from opwright import Tensor as _Tensor
from opwright.autograd import anomaly_mode as anomaly_mode
from opwright.autograd import function as function
from opwright.autograd import grad_mode as grad_mode
from opwright.autograd import graph as graph
from opwright.autograd.anomaly_mode import detect_anomaly as detect_anomaly
from opwright.autograd.anomaly_mode import set_detect_anomaly as set_detect_anomaly
from opwright.autograd.function import Function as Function
from opwright.autograd.grad_mode import (
    _unsafe_preserve_version_counter as _unsafe_preserve_version_counter,
)
from opwright.autograd.grad_mode import enable_grad as enable_grad
from opwright.autograd.grad_mode import inference_mode as inference_mode
from opwright.autograd.grad_mode import no_grad as no_grad
from opwright.autograd.grad_mode import set_grad_enabled as set_grad_enabled
from opwright.autograd.graph import GradientEdge as _GradientEdge

TYPE_CHECKING: bool

def backward(
    tensors: _Tensor | _Sequence[_Tensor],
    grad_tensors: _Tensor | _Sequence[_Tensor | None] | None = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    inputs: _Tensor | _GradientEdge | _Sequence[_Tensor | _GradientEdge] | None = None,
) -> None:
    """Add the gradients of `tensors` to `grad` of the leaves that they were made of."""

def grad(
    outputs: _Tensor | _Sequence[_Tensor],
    inputs: _Tensor | _GradientEdge | _Sequence[_Tensor | _GradientEdge],
    grad_outputs: _Tensor | _Sequence[_Tensor | None] | None = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    only_inputs: bool = True,
    allow_unused: bool | None = None,
    is_grads_batched: bool = False,
    materialize_grads: bool = False,
) -> tuple[_Any, ...]:
    """Return the sum of the gradients of `outputs` with respect to each of `inputs`."""

def Variable(data: _Tensor, requires_grad: bool = False) -> _Tensor:
    """Return the tensor, whose gradients are recorded if `requires_grad` is true."""
