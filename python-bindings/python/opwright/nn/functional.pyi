# @generated from native_functions.yaml by opwright-codegen. Do not edit.

from builtins import bool as _bool
from builtins import complex as _complex
from builtins import float as _float
from builtins import int as _int
from builtins import list as _list
from builtins import object as _object
from builtins import slice as _slice
from builtins import str as _str
from builtins import tuple as _tuple
from builtins import type as _type
from typing import Any as _Any
from typing import Protocol as _Protocol
from typing import Self as _Self
from typing import SupportsIndex as _SupportsIndex
from typing import TypeAlias as _TypeAlias
from typing import final as _final
from typing import overload as _overload

import opwright.return_types
from opwright import Tensor
from opwright._C import Generator
from opwright._C import Storage
from opwright._C import device as _device
from opwright._C import dtype as _dtype
from opwright._C import layout as _layout
from opwright._C import memory_format as _memory_format

_Number: _TypeAlias = _bool | _int | _float | _complex
_TensorList: _TypeAlias = _tuple[Tensor, ...] | _list[Tensor]
_IntList: _TypeAlias = _tuple[_SupportsIndex, ...] | _list[_int] | _list[_SupportsIndex]
class _NumpyDType(_Protocol):
    @property
    def char(self) -> _str: ...
    @property
    def num(self) -> _int: ...

class _NumpyScalar(_Protocol):
    @property
    def dtype(self) -> _Any: ...
    def tobytes(self) -> _Any: ...

_DType: _TypeAlias = (
    _dtype | _type[_float] | _type[_complex] | _NumpyDType | _type[_NumpyScalar]
)

__all__ = ["adaptive_avg_pool2d", "avg_pool2d", "binary_cross_entropy", "binary_cross_entropy_with_logits", "celu", "cross_entropy", "cross_entropy_loss", "dropout", "elu", "elu_", "embedding", "gelu", "gelu_", "hardsigmoid", "hardsigmoid_", "hardswish", "hardswish_", "hardtanh", "hardtanh_", "huber_loss", "l1_loss", "leaky_relu", "leaky_relu_", "linear", "mish", "mish_", "mse_loss", "nll_loss", "nll_loss2d", "nll_loss_nd", "one_hot", "pad", "relu", "relu6", "relu6_", "selu", "silu", "silu_", "smooth_l1_loss", "softplus", "softshrink", "threshold"]

def relu(input: Tensor, inplace: bool = False) -> Tensor:
    """`x` where it is positive, and 0 elsewhere.

    >>> opwright.nn.functional.relu(opwright.tensor([-1.0, 2.0]), inplace=True)
    tensor([0., 2.], dtype=float32, shape=(2,))
    """
def relu6(input: Tensor, inplace: bool = False) -> Tensor:
    """`x` between 0 and 6, what is outside drawn to the nearest of these.

    >>> opwright.nn.functional.relu6(opwright.tensor([-1.0, 3.0, 9.0]))
    tensor([0., 3., 6.], dtype=float32, shape=(3,))
    """
def hardtanh(
    input: Tensor,
    min_val: float = -1.0,
    max_val: float = 1.0,
    inplace: bool = False,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """`x` between `min_val` and `max_val`, what is outside drawn to the nearest of these.

    >>> opwright.nn.functional.hardtanh(opwright.tensor([-2.0, 0.5, 2.0]))
    tensor([-1.0,  0.5,  1.0], dtype=float32, shape=(3,))
    """
def leaky_relu(
    input: Tensor,
    negative_slope: float = 0.01,
    inplace: bool = False,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """`x` where it is positive, and `negative_slope * x` elsewhere.

    >>> opwright.nn.functional.leaky_relu(opwright.tensor([-1.0, 2.0]))
    tensor([-0.01,  2.00], dtype=float32, shape=(2,))
    """
def elu(
    input: Tensor, alpha: float = 1.0, inplace: bool = False, *, out: Tensor | None = None
) -> Tensor:
    """`x` where it is positive, and `alpha * (exp(x) - 1)` elsewhere.

    >>> opwright.nn.functional.elu(opwright.tensor([-1.0, 0.0, 2.0]))
    tensor([-0.6321,  0.0000,  2.0000], dtype=float32, shape=(3,))
    """
def celu(input: Tensor, alpha: float = 1.0, inplace: bool = False) -> Tensor:
    """`x` where it is positive, and `alpha * (exp(x / alpha) - 1)` elsewhere.

    >>> opwright.nn.functional.celu(opwright.tensor([-2.0, 3.0]), alpha=2.0)
    tensor([-1.2642,  3.0000], dtype=float32, shape=(2,))
    """
def selu(input: Tensor, inplace: bool = False) -> Tensor:
    """`elu`, scaled so that means and variances stay near 0 and 1 from layer to layer.

    >>> opwright.nn.functional.selu(opwright.tensor([0.0, 1.0]))
    tensor([0.0000, 1.0507], dtype=float32, shape=(2,))
    """
def threshold(
    input: Tensor,
    threshold: float,
    value: float,
    inplace: bool = False,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """`x` where it is greater than `threshold`, and `value` elsewhere.

    >>> opwright.nn.functional.threshold(opwright.tensor([1.0, 3.0]), 2.0, -1.0)
    tensor([-1.,  3.], dtype=float32, shape=(2,))
    """
def silu(input: Tensor, inplace: bool = False, *, out: Tensor | None = None) -> Tensor:
    """`x * sigmoid(x)`.

    >>> opwright.nn.functional.silu(opwright.tensor([-1.0, 0.0, 1.0]))
    tensor([-0.2689,  0.0000,  0.7311], dtype=float32, shape=(3,))
    """
def mish(input: Tensor, inplace: bool = False, *, out: Tensor | None = None) -> Tensor:
    """`x * tanh(softplus(x))`.

    >>> opwright.nn.functional.mish(opwright.tensor([0.0, 1.0]))
    tensor([0.0000, 0.8651], dtype=float32, shape=(2,))
    """
def hardswish(input: Tensor, inplace: bool = False, *, out: Tensor | None = None) -> Tensor:
    """`x * hardsigmoid(x)`.

    >>> opwright.nn.functional.hardswish(opwright.tensor([-1.0, 0.0, 3.0]))
    tensor([-0.3333,  0.0000,  3.0000], dtype=float32, shape=(3,))
    """
def hardsigmoid(input: Tensor, inplace: bool = False, *, out: Tensor | None = None) -> Tensor:
    """`x / 6 + 1 / 2`, but not below 0 nor above 1.

    >>> opwright.nn.functional.hardsigmoid(opwright.tensor([-4.0, 0.0, 1.5]))
    tensor([0.00, 0.50, 0.75], dtype=float32, shape=(3,))
    """
def dropout(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Tensor:
    """Zeros with probability `p`, and the other elements scaled up by `1 / (1 - p)`.

    When not `training`, the input.

        >>> opwright.nn.functional.dropout(opwright.tensor([1.0, 2.0]), training=False)
        tensor([1., 2.], dtype=float32, shape=(2,))
    """
def embedding(
    input: Tensor,
    weight: Tensor,
    padding_idx: int | None = None,
    max_norm: float | None = None,
    norm_type: float = 2.0,
    scale_grad_by_freq: bool = False,
    sparse: bool = False,
) -> Tensor:
    """The rows of `weight` with the numbers in `input`.

    With `max_norm`, those of them whose `norm_type`-norm is greater are scaled down first, in
    `weight` itself.

        >>> weight = opwright.tensor([[1.0, 2.0], [3.0, 4.0]])
        >>> opwright.nn.functional.embedding(opwright.tensor([1, 0]), weight)
        tensor([[3., 4.],
                [1., 2.]], dtype=float32, shape=(2, 2))
    """
def adaptive_avg_pool2d(
    input: Tensor, output_size: int | tuple[int | None, ...] | list[int | None] | None
) -> Tensor:
    """The means of so many windows of about the same size that cover the last two dimensions.

    A dimension of which `None` is wanted stays as it is.

        >>> image = opwright.arange(16.0).reshape(1, 4, 4)
        >>> opwright.nn.functional.adaptive_avg_pool2d(image, (None, 1)).tolist()
        [[[1.5], [5.5], [9.5], [13.5]]]
    """
def mse_loss(
    input: Tensor,
    target: Tensor,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
    weight: Tensor | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The squares of the differences, of which the mean, the sum or each (`"none"`) is returned.

    >>> opwright.nn.functional.mse_loss(opwright.tensor([1.0, 2.0]), opwright.tensor([2.0, 4.0]))
    tensor(2.5, dtype=float32, shape=())
    """
def l1_loss(
    input: Tensor,
    target: Tensor,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
    weight: Tensor | None = None,
) -> Tensor:
    """The distances `|input - target|`, of which the mean, the sum or each (`"none"`) is returned.

    >>> opwright.nn.functional.l1_loss(opwright.tensor([1.0, 2.0]), opwright.tensor([2.0, 4.0]))
    tensor(1.5, dtype=float32, shape=())
    """
def smooth_l1_loss(
    input: Tensor,
    target: Tensor,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
    beta: float = 1.0,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """`d**2 / (2 * beta)` for distances `d` below `beta`, and `d - beta / 2` for others.

    The mean, the sum or each (`"none"`) is returned.

        >>> opwright.nn.functional.smooth_l1_loss(opwright.tensor([1.0]), opwright.tensor([3.0]))
        tensor(1.5, dtype=float32, shape=())
    """
def huber_loss(
    input: Tensor,
    target: Tensor,
    reduction: str = "mean",
    delta: float = 1.0,
    weight: Tensor | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """`d**2 / 2` for distances `d` up to `delta`, and `delta * (d - delta / 2)` for others.

    The mean, the sum or each (`"none"`) is returned.

        >>> opwright.nn.functional.huber_loss(opwright.tensor([1.0]), opwright.tensor([3.0]))
        tensor(1.5, dtype=float32, shape=())
    """
def binary_cross_entropy(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
    *,
    out: Tensor | None = None,
) -> Tensor:
    """`-(target * log(input) + (1 - target) * log(1 - input)) * weight` for probabilities `input`.

    Logarithms count as -100 at least. The mean, the sum or each (`"none"`) is returned.

        >>> opwright.nn.functional.binary_cross_entropy(
        ...     opwright.tensor([0.5, 0.5]), opwright.tensor([1.0, 0.0])
        ... )
        tensor(0.6931, dtype=float32, shape=())
    """
def nll_loss(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    size_average: bool | None = None,
    ignore_index: int = -100,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Tensor:
    """How unlikely the right classes were held to be, given logarithms of probabilities.

    `input` has the classes in its only dimension or in the second. Classes count as often as
    `weight` says; those that are `ignore_index` do not. The mean, the sum or each (`"none"`) is
    returned.

        >>> logs = opwright.tensor([[0.5, 0.5], [0.25, 0.75]]).log()
        >>> opwright.nn.functional.nll_loss(logs, opwright.tensor([0, 1]), reduction="none")
        tensor([0.6931, 0.2877], dtype=float32, shape=(2,))
    """
def cross_entropy(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    size_average: bool | None = None,
    ignore_index: int = -100,
    reduce: bool | None = None,
    reduction: str = "mean",
    label_smoothing: float = 0.0,
) -> Tensor:
    """`nll_loss` of `log_softmax` along the dimension of the classes, the second of several.

    A target of the shape of the input says how likely each class is. `label_smoothing` is the part
    of the target that is spread evenly over all classes.

        >>> opwright.nn.functional.cross_entropy(
        ...     opwright.tensor([[0.0, 0.0], [3.0, 3.0]]), opwright.tensor([0, 1])
        ... )
        tensor(0.6931, dtype=float32, shape=())
    """
def binary_cross_entropy_with_logits(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
    pos_weight: Tensor | None = None,
) -> Tensor:
    """`binary_cross_entropy` of `sigmoid(input)`, without loss of digits.

    Targets count `pos_weight` times where they are 1. The mean, the sum or each (`"none"`) is
    returned.

        >>> opwright.nn.functional.binary_cross_entropy_with_logits(
        ...     opwright.tensor([0.0, 100.0]), opwright.tensor([1.0, 0.0]), reduction="none"
        ... )
        tensor([  0.6931, 100.0000], dtype=float32, shape=(2,))
    """
def __getattr__(name: str) -> _Any: ...
def avg_pool2d(input: Tensor, kernel_size: _int | _IntList, stride: _int | _IntList | None = (), padding: _int | _IntList = 0, ceil_mode: _bool = False, count_include_pad: _bool = True, divisor_override: _int | None = None, *, out: Tensor | None = None) -> Tensor:
    """The means of windows of the last two dimensions. The windows are as far apart as they are large,
    unless `stride` says otherwise; `padding` is a border of zeros.

    ```python
    >>> opwright.nn.functional.avg_pool2d(opwright.arange(16.0).reshape(1, 4, 4), 2)
    tensor([[[ 2.5,  4.5],
             [10.5, 12.5]]], dtype=float32, shape=(1, 2, 2))
    ```
    """
def cross_entropy_loss(input: Tensor, target: Tensor, weight: Tensor | None = None, reduction: _int = 1, ignore_index: _SupportsIndex = -100, label_smoothing: _float = 0.0) -> Tensor:
    """`nll_loss` of `log_softmax` along the dimension of the classes, the second of several. A target
    of the shape of the input says how likely each class is. `label_smoothing` is the part of the
    target that is spread evenly over all classes.

    ```python
    >>> opwright.nn.functional.cross_entropy_loss(
    ...     opwright.tensor([[0.0, 0.0], [3.0, 3.0]]), opwright.tensor([0, 1])
    ... )
    tensor(0.6931, dtype=float32, shape=())
    ```
    """
def elu_(input: Tensor, alpha: _Number = 1, scale: _Number = 1, input_scale: _Number = 1) -> Tensor: ...
def gelu(input: Tensor, *, approximate: _str = 'none', out: Tensor | None = None) -> Tensor:
    """`x * p(x)`, where `p` is the distribution function of the normal distribution. With
    `approximate="tanh"` it is a formula with a hyperbolic tangent (D. Hendrycks and K. Gimpel,
    "Gaussian error linear units", 2016).

    ```python
    >>> opwright.nn.functional.gelu(opwright.tensor([-1.0, 0.0, 1.0]))
    tensor([-0.1587,  0.0000,  0.8413], dtype=float32, shape=(3,))
    ```
    """
def gelu_(input: Tensor, *, approximate: _str = 'none') -> Tensor: ...
def hardsigmoid_(input: Tensor) -> Tensor: ...
def hardswish_(input: Tensor) -> Tensor: ...
def hardtanh_(input: Tensor, min_val: _Number = -1, max_val: _Number = 1) -> Tensor: ...
def leaky_relu_(input: Tensor, negative_slope: _Number = 0.01) -> Tensor: ...
def linear(input: Tensor, weight: Tensor, bias: Tensor | None = None, *, out: Tensor | None = None) -> Tensor:
    """`input @ weight.T + bias`: the rows of `input`, its last dimension, mapped by a matrix or a
    vector.

    ```python
    >>> opwright.nn.functional.linear(
    ...     opwright.tensor([1.0, 2.0]), opwright.tensor([[1.0, 1.0], [0.0, 3.0]]), opwright.tensor([0.5, 0.5])
    ... )
    tensor([3.5, 6.5], dtype=float32, shape=(2,))
    ```
    """
def mish_(input: Tensor) -> Tensor: ...
def nll_loss2d(input: Tensor, target: Tensor, weight: Tensor | None = None, reduction: _int = 1, ignore_index: _SupportsIndex = -100, *, out: Tensor | None = None) -> Tensor:
    """As `nll_loss`, for images of classes: a target for each of the last two dimensions.

    ```python
    >>> opwright.nn.functional.nll_loss2d(
    ...     opwright.full((1, 2, 2, 2), -0.5), opwright.zeros(1, 2, 2, dtype=opwright.int64)
    ... )
    tensor(0.5, dtype=float32, shape=())
    ```
    """
def nll_loss_nd(input: Tensor, target: Tensor, weight: Tensor | None = None, reduction: _int = 1, ignore_index: _SupportsIndex = -100) -> Tensor:
    """As `nll_loss`, with any number of dimensions after that of the classes, which the target has too.

    ```python
    >>> opwright.nn.functional.nll_loss_nd(
    ...     opwright.tensor([[-0.5, -1.0], [-2.0, -0.25]]), opwright.tensor([0, 1]), reduction=0
    ... )
    tensor([0.50, 0.25], dtype=float32, shape=(2,))
    ```
    """
def one_hot(input: Tensor, num_classes: _int = -1) -> Tensor:
    """For each class number a vector of length `num_classes` that is 1 there and 0
    elsewhere. With -1, the length is one more than the greatest class.

    Raises `RuntimeError` for a class that is negative or too large.

    ```python
    >>> opwright.nn.functional.one_hot(opwright.tensor([0, 2]), 3)
    tensor([[1, 0, 0],
            [0, 0, 1]], dtype=int64, shape=(2, 3))
    ```
    """
def pad(input: Tensor, pad: _IntList, mode: _str = "constant", value: _float | None = None) -> Tensor:
    """A border around the tensor: `mode` is `"constant"`, `"reflect"`, `"replicate"` or `"circular"`.
    `pad` is as for `constant_pad_nd`.

    ```python
    >>> opwright.nn.functional.pad(opwright.tensor([[1, 2]]), (1, 1))
    tensor([[0, 1, 2, 0]], dtype=int64, shape=(1, 4))
    >>> opwright.nn.functional.pad(opwright.tensor([[1.0, 2.0, 3.0]]), (2, 0), mode="reflect")
    tensor([[3., 2., 1., 2., 3.]], dtype=float32, shape=(1, 5))
    ```
    """
def relu6_(input: Tensor) -> Tensor:
    """As `relu6`, in place."""
def silu_(input: Tensor) -> Tensor: ...
def softplus(input: Tensor, beta: _Number = 1, threshold: _Number = 20, *, out: Tensor | None = None) -> Tensor:
    """`log(1 + exp(beta * x)) / beta`, and `x` itself where `beta * x` is above `threshold`.

    ```python
    >>> opwright.nn.functional.softplus(opwright.tensor([-1.0, 0.0, 1.0]))
    tensor([0.3133, 0.6931, 1.3133], dtype=float32, shape=(3,))
    ```
    """
def softshrink(input: Tensor, lambd: _Number = 0.5, *, out: Tensor | None = None) -> Tensor:
    """`x` drawn towards 0 by `lambd`, and 0 where it is nearer than that.

    ```python
    >>> opwright.nn.functional.softshrink(opwright.tensor([-1.0, 0.25, 1.0]))
    tensor([-0.5,  0.0,  0.5], dtype=float32, shape=(3,))
    ```
    """
