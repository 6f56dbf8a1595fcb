"""Gradients of what was computed.

>>> x = opwright.tensor([1.0, 2.0], requires_grad=True)
>>> (x * x).sum().backward()
>>> x.grad
tensor([2., 4.], dtype=float32, shape=(2,))
"""

from __future__ import annotations

from .. import _C
from .grad_mode import _checked
from .grad_mode import _unsafe_preserve_version_counter as _unsafe_preserve_version_counter
from .grad_mode import enable_grad as enable_grad
from .grad_mode import inference_mode as inference_mode
from .grad_mode import no_grad as no_grad
from .grad_mode import set_grad_enabled as set_grad_enabled

TYPE_CHECKING = False
# What is made of operators is not there in a module that stands alone, which may lack these.
_IN_PACKAGE = _C.__name__.endswith("._C")
if TYPE_CHECKING or _IN_PACKAGE:
    from .gradcheck import gradcheck as gradcheck
    from .gradcheck import gradgradcheck as gradgradcheck
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from .._tensor import Tensor
    from . import anomaly_mode as anomaly_mode
    from . import forward_ad as forward_ad
    from . import function as function
    from . import functional as functional
    from . import graph as graph
    from .anomaly_mode import detect_anomaly as detect_anomaly
    from .anomaly_mode import set_detect_anomaly as set_detect_anomaly
    from .function import Function as Function
    from .graph import GradientEdge


def _late(name: str) -> Any:
    """What few programs need, and those that do import when they ask for it."""
    is_composed = _IN_PACKAGE and name in {"forward_ad", "functional"}
    if is_composed or name in {"anomaly_mode", "function", "graph"}:
        from importlib import import_module

        return import_module(f"{__name__}.{name}")
    if name == "Function":
        from .function import Function

        return Function
    if name in {"detect_anomaly", "set_detect_anomaly"}:
        from . import anomaly_mode

        return getattr(anomaly_mode, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


if not TYPE_CHECKING:
    # Type checkers read the names themselves, and miss those that are not there.
    __getattr__ = _late


def backward(
    tensors: Tensor | Sequence[Tensor],
    grad_tensors: Tensor | Sequence[Tensor | None] | None = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    inputs: Tensor | GradientEdge | Sequence[Tensor | GradientEdge] | None = None,
) -> None:
    """Add the gradients of `tensors` to `grad` of the leaves that they were made of.

    `grad_tensors` are gradients with respect to `tensors`, of their shapes; scalars need none.
    With `inputs`, gradients come to these alone. A pass frees what was saved for it unless
    `retain_graph` is true, which it is by default if `create_graph` asks for a pass that is
    recorded itself.
    """
    _C._backward(tensors, grad_tensors, retain_graph, create_graph, inputs)


def grad(
    outputs: Tensor | Sequence[Tensor],
    inputs: Tensor | GradientEdge | Sequence[Tensor | GradientEdge],
    grad_outputs: Tensor | Sequence[Tensor | None] | None = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    only_inputs: bool = True,
    allow_unused: bool | None = None,
    is_grads_batched: bool = False,
    materialize_grads: bool = False,
) -> tuple[Any, ...]:
    """Return the sum of the gradients of `outputs` with respect to each of `inputs`.

    Leaves keep their `grad`. An input that the outputs do not depend on is an error, unless
    `allow_unused` asks for None or `materialize_grads` for zeros. With `is_grads_batched`, the
    first dimension of `grad_outputs` are gradients of several passes, and results have it, too.
    """
    if materialize_grads and allow_unused is False:
        raise ValueError("materialize_grads=True gives zeros, so allow_unused cannot be False")
    allow_unused = materialize_grads if allow_unused is None else allow_unused
    seeds = _batch(grad_outputs) if is_grads_batched else []
    if is_grads_batched:
        keeps = create_graph if retain_graph is None else retain_graph
        rows = [
            _C._grad(outputs, inputs, one, keeps or at < len(seeds), create_graph, allow_unused)
            for at, one in enumerate(seeds, 1)
        ]
        found = tuple(
            None if it[0] is None else _C.stack(list(it)) for it in zip(*rows, strict=True)
        )
    else:
        found = _C._grad(outputs, inputs, grad_outputs, retain_graph, create_graph, allow_unused)
    if not materialize_grads:
        return found
    given = [inputs] if isinstance(inputs, _C.TensorBase) else list(inputs)
    count = (len(seeds),) if is_grads_batched else ()
    pairs = zip(found, given, strict=True)
    return tuple(_zeros(one, count) if it is None else it for it, one in pairs)


def _batch(grad_outputs: Any) -> list[Any]:
    """The gradients of each pass of several."""
    is_one = isinstance(grad_outputs, _C.TensorBase)
    batches = [grad_outputs] if is_one else list(grad_outputs or ())
    sizes = {len(it) for it in batches if it is not None and it.dim() > 0}
    if len(sizes) != 1 or any(it is not None and it.dim() == 0 for it in batches):
        raise RuntimeError(
            "grad(): is_grads_batched=True takes grad_outputs whose first dimension is that of the "
            "passes, as many in each"
        )
    if sizes == {0}:
        raise RuntimeError("grad(): is_grads_batched=True takes gradients of one pass at least")
    passes = range(*sizes)
    return [[None if it is None else it[at] for it in batches] for at in passes]


def _zeros(given: Any, count: tuple[int, ...]) -> Tensor:
    """Zeros of the shape of a tensor, for so many passes."""
    from .._size import Size
    from .._tensor import Tensor

    if not isinstance(given, Tensor):
        raise ValueError("an edge that nothing leads to has no shape for zeros; pass the tensor")
    zeros = given.new(Size((*count, *given.shape)))
    zeros.untyped_storage().fill_(0)
    return zeros


def Variable(data: Tensor, requires_grad: bool = False) -> Tensor:  # noqa: N802
    """Return the tensor, whose gradients are recorded if `requires_grad` is true."""
    if _checked("Variable", "requires_grad", requires_grad):
        data.requires_grad_(True)
    return data
