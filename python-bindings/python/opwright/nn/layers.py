"""Layers and losses: modules that are one operator each."""

from __future__ import annotations

from math import sqrt
from types import FunctionType

from opwright import _C
from opwright.nn import functional, init
from opwright.nn._arguments import integer, number, size, sizes
from opwright.nn.module import Module
from opwright.nn.parameter import Parameter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, Literal, Self, TypeVar

    from opwright import Tensor

    _Class = TypeVar("_Class", bound=type[Module])


def _with_own_init(class_: _Class) -> _Class:
    """Has wrong calls of a class name it, not the one that its `__init__` is inherited from."""
    init: Any = class_.__init__
    own = FunctionType(
        init.__code__, init.__globals__, init.__name__, init.__defaults__, init.__closure__
    )
    own.__annotations__, own.__kwdefaults__ = init.__annotations__, init.__kwdefaults__
    own.__doc__, own.__module__ = init.__doc__, init.__module__
    own.__qualname__ = f"{class_.__qualname__}.__init__"
    class_.__init__ = own  # type: ignore[method-assign]
    return class_


# --- layers with parameters -------------------------------------------------------


class Linear(Module):
    """`x @ weight.T + bias`, along the last dimension.

    `weight` and `bias` start evenly distributed, up to `1 / sqrt(in_features)` from zero.

        >>> opwright.nn.Linear(3, 2)(opwright.ones(4, 3)).shape
        opwright.Size([4, 2])
    """

    weight: Parameter
    bias: Parameter | None

    def __init__(
        self,
        in_features: int,
        out_features: int,
        bias: bool = True,
        device: Any = None,
        dtype: _C._DType | None = None,
    ) -> None:
        super().__init__()
        in_features = size("Linear", "in_features", in_features)
        out_features = size("Linear", "out_features", out_features)
        self.in_features = in_features
        self.out_features = out_features
        shape = (out_features, in_features)
        self.weight = Parameter(_C.empty(shape, device=device, dtype=dtype))
        if bias:
            self.bias = Parameter(_C.empty(out_features, device=device, dtype=dtype))
        else:
            self.register_parameter("bias", None)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw the parameters again."""
        bound = 1 / sqrt(self.in_features) if self.in_features else 0.0
        init.uniform_(self.weight, -bound, bound)
        if self.bias is not None:
            init.uniform_(self.bias, -bound, bound)

    def forward(self, input: Tensor) -> Tensor:
        """The sums of products along the last dimension of the input."""
        return functional.linear(input, self.weight, self.bias)

    def extra_repr(self) -> str:
        """The sizes."""
        return (
            f"in_features={self.in_features}, out_features={self.out_features}, "
            f"bias={self.bias is not None}"
        )


class Embedding(Module):
    """The rows of a matrix with the numbers in the input; they start normally distributed.

    The row `padding_idx` starts at zero and is not learnt. With `max_norm`, rows whose
    `norm_type`-norm is greater are scaled down when they are used. With `scale_grad_by_freq`,
    gradients are divided by how often a row was used.

        >>> opwright.nn.Embedding(10, 3)(opwright.tensor([[1, 2], [4, 5]])).shape
        opwright.Size([2, 2, 3])
    """

    weight: Parameter

    def __init__(
        self,
        num_embeddings: int,
        embedding_dim: int,
        padding_idx: int | None = None,
        max_norm: float | None = None,
        norm_type: float = 2.0,
        scale_grad_by_freq: bool = False,
        device: Any = None,
        dtype: _C._DType | None = None,
    ) -> None:
        super().__init__()
        num_embeddings = size("Embedding", "num_embeddings", num_embeddings)
        embedding_dim = size("Embedding", "embedding_dim", embedding_dim)
        if padding_idx is not None:
            padding_idx = integer("Embedding", "padding_idx", padding_idx)
        if padding_idx is not None and not -num_embeddings <= padding_idx < num_embeddings:
            raise ValueError(
                f"Embedding(): argument 'padding_idx' must be the number of one of "
                f"{num_embeddings} rows, but is {padding_idx}"
            )
        self.num_embeddings = num_embeddings
        self.embedding_dim = embedding_dim
        self.padding_idx = None if padding_idx is None else padding_idx % num_embeddings
        self.max_norm = max_norm
        self.norm_type = norm_type
        self.scale_grad_by_freq = scale_grad_by_freq
        shape = (num_embeddings, embedding_dim)
        self.weight = Parameter(_C.empty(shape, device=device, dtype=dtype))
        self.reset_parameters()

    @classmethod
    def from_pretrained(cls, embeddings: Tensor, freeze: bool = True, **options: Any) -> Self:
        """A layer whose rows are those of a matrix, which are learnt unless `freeze` is true."""
        if embeddings.ndim != 2:
            raise ValueError(
                f"from_pretrained(): argument 'embeddings' must have 2 dimensions, not "
                f"{embeddings.ndim}"
            )
        made = cls(*embeddings.shape, **options)
        made.weight = Parameter(embeddings, requires_grad=not freeze)
        return made

    def reset_parameters(self) -> None:
        """Draw the rows again."""
        init.normal_(self.weight)
        if self.padding_idx is not None:
            init.zeros_(self.weight.detach()[self.padding_idx])

    def forward(self, input: Tensor) -> Tensor:
        """The rows, in a dimension behind those of the input."""
        return functional.embedding(
            input,
            self.weight,
            self.padding_idx,
            self.max_norm,
            self.norm_type,
            self.scale_grad_by_freq,
        )

    def extra_repr(self) -> str:
        """The sizes, and what is not as it is by default."""
        options = {"padding_idx": None, "max_norm": None, "scale_grad_by_freq": False}
        others = {name: getattr(self, name) for name in options}
        shown = [f"{it}={value}" for it, value in others.items() if value != options[it]]
        return ", ".join([f"{self.num_embeddings}, {self.embedding_dim}", *shown])


class LayerNorm(Module):
    """Elements in terms of the mean and the deviation over the last dimensions.

    These have the sizes `normalized_shape`. With `elementwise_affine`, the result is multiplied by
    `weight`, which starts at one, and `bias` is added, which starts at zero.

        >>> opwright.nn.LayerNorm(2)(opwright.tensor([[1.0, 3.0]])).tolist()[0][1] > 0.99
        True
    """

    weight: Parameter | None
    bias: Parameter | None

    def __init__(
        self,
        normalized_shape: int | Sequence[int],
        eps: float = 1e-5,
        elementwise_affine: bool = True,
        bias: bool = True,
        device: Any = None,
        dtype: _C._DType | None = None,
    ) -> None:
        super().__init__()
        self.normalized_shape = sizes("LayerNorm", "normalized_shape", normalized_shape)
        self.eps = eps
        self.elementwise_affine = elementwise_affine
        wanted = {"weight": elementwise_affine, "bias": elementwise_affine and bias}
        for name, is_there in wanted.items():
            value = _C.empty(self.normalized_shape, device=device, dtype=dtype)
            self.register_parameter(name, Parameter(value) if is_there else None)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Set `weight` to one and `bias` to zero."""
        if self.weight is not None:
            init.ones_(self.weight)
        if self.bias is not None:
            init.zeros_(self.bias)

    def forward(self, input: Tensor) -> Tensor:
        """The input with mean 0 and variance 1, scaled and moved."""
        return _C.layer_norm(input, self.normalized_shape, self.weight, self.bias, self.eps)

    def extra_repr(self) -> str:
        """The sizes."""
        return (
            f"{self.normalized_shape}, eps={self.eps}, elementwise_affine={self.elementwise_affine}"
        )


# --- layers without parameters ------------------------------------------------------


class Identity(Module):
    """The input; whatever it is made with is ignored."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__()

    def forward(self, input: Any) -> Any:
        """The input."""
        return input


class Flatten(Module):
    """Dimensions joined to one, by default all but the first."""

    def __init__(self, start_dim: int = 1, end_dim: int = -1) -> None:
        super().__init__()
        self.start_dim = start_dim
        self.end_dim = end_dim

    def forward(self, input: Tensor) -> Tensor:
        """The input with fewer dimensions."""
        return _C.flatten(input, self.start_dim, self.end_dim)

    def extra_repr(self) -> str:
        """The dimensions."""
        return f"start_dim={self.start_dim}, end_dim={self.end_dim}"


class ReLU(Module):
    """`x` where it is positive, and 0 elsewhere; written to the input if `inplace`."""

    def __init__(self, inplace: bool = False) -> None:
        super().__init__()
        self.inplace = inplace

    def forward(self, input: Tensor) -> Tensor:
        """What `functional.relu` returns."""
        return functional.relu(input, self.inplace)

    def extra_repr(self) -> str:
        """Whether it writes to the input."""
        return "inplace=True" if self.inplace else ""


class GELU(Module):
    """`x` times the probability that a normally distributed number is smaller.

    `approximate` is `"none"`, or `"tanh"` for a formula that is near to it.
    """

    def __init__(self, approximate: Literal["none", "tanh"] = "none") -> None:
        super().__init__()
        self.approximate = approximate

    def forward(self, input: Tensor) -> Tensor:
        """What `functional.gelu` returns."""
        return functional.gelu(input, approximate=self.approximate)

    def extra_repr(self) -> str:
        """How it is computed."""
        return f"approximate={self.approximate!r}"


@_with_own_init
class Tanh(Module):
    """The hyperbolic tangent."""

    def forward(self, input: Tensor) -> Tensor:
        """What `opwright.tanh` returns."""
        return _C.tanh(input)


@_with_own_init
class Sigmoid(Module):
    """`1 / (1 + exp(-x))`."""

    def forward(self, input: Tensor) -> Tensor:
        """What `opwright.sigmoid` returns."""
        return _C.sigmoid(input)


class _AlongDim(Module):
    def __init__(self, dim: int | None = None) -> None:
        super().__init__()
        self.dim = dim

    def _known_dim(self) -> int:
        if self.dim is None:
            raise TypeError(
                f"{type(self).__name__} was made without a dimension; pass one, such as "
                f"{type(self).__name__}(dim=-1)"
            )
        return self.dim

    def extra_repr(self) -> str:
        """The dimension."""
        return f"dim={self.dim}"


@_with_own_init
class Softmax(_AlongDim):
    """`exp(x)`, divided by its sum along a dimension."""

    def forward(self, input: Tensor) -> Tensor:
        """What `opwright.softmax` returns."""
        return _C.softmax(input, self._known_dim())


@_with_own_init
class LogSoftmax(_AlongDim):
    """The logarithm of `Softmax`."""

    def forward(self, input: Tensor) -> Tensor:
        """What `opwright.log_softmax` returns."""
        return _C.log_softmax(input, self._known_dim())


class Dropout(Module):
    """Zeros with probability `p`, and other elements scaled up; while training only."""

    def __init__(self, p: float = 0.5, inplace: bool = False) -> None:
        super().__init__()
        if not 0 <= number("Dropout", "p", p) <= 1:
            raise ValueError(f"Dropout(): argument 'p' must be between 0 and 1, but is {p}")
        self.p = p
        self.inplace = inplace

    def forward(self, input: Tensor) -> Tensor:
        """What `functional.dropout` returns."""
        return functional.dropout(input, self.p, self.training, self.inplace)

    def extra_repr(self) -> str:
        """The probability."""
        return f"p={self.p}, inplace={self.inplace}"


# --- losses --------------------------------------------------------------------------


class _Loss(Module):
    """A function of a prediction and a target, of which the mean, the sum or each is returned."""

    def __init__(
        self,
        size_average: bool | None = None,
        reduce: bool | None = None,
        reduction: str = "mean",
    ) -> None:
        super().__init__()
        if size_average is not None or reduce is not None:
            reduction = _C._reduction(reduction, size_average, reduce, 2)
        self.reduction = reduction


class _WeightedLoss(_Loss):
    weight: Tensor | None

    def __init__(
        self,
        weight: Tensor | None = None,
        size_average: bool | None = None,
        reduce: bool | None = None,
        reduction: str = "mean",
    ) -> None:
        super().__init__(size_average, reduce, reduction)
        self.register_buffer("weight", weight)


@_with_own_init
class MSELoss(_Loss):
    """The squares of the differences.

    >>> opwright.nn.MSELoss()(opwright.tensor([1.0, 2.0]), opwright.tensor([2.0, 4.0]))
    tensor(2.5, dtype=float32, shape=())
    """

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """What `functional.mse_loss` returns."""
        return functional.mse_loss(input, target, reduction=self.reduction)


@_with_own_init
class L1Loss(_Loss):
    """The distances."""

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """What `functional.l1_loss` returns."""
        return functional.l1_loss(input, target, reduction=self.reduction)


class SmoothL1Loss(_Loss):
    """The distances, and squares of those below `beta`."""

    def __init__(
        self,
        size_average: bool | None = None,
        reduce: bool | None = None,
        reduction: str = "mean",
        beta: float = 1.0,
    ) -> None:
        super().__init__(size_average, reduce, reduction)
        self.beta = beta

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """What `functional.smooth_l1_loss` returns."""
        return functional.smooth_l1_loss(input, target, reduction=self.reduction, beta=self.beta)


class HuberLoss(_Loss):
    """The squares of the differences, and distances for those above `delta`."""

    def __init__(self, reduction: str = "mean", delta: float = 1.0) -> None:
        super().__init__(reduction=reduction)
        self.delta = delta

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """What `functional.huber_loss` returns."""
        return functional.huber_loss(input, target, self.reduction, self.delta)


@_with_own_init
class BCELoss(_WeightedLoss):
    """How unlikely the targets, 0 or 1, were held to be, given probabilities of 1."""

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """What `functional.binary_cross_entropy` returns."""
        return functional.binary_cross_entropy(input, target, self.weight, reduction=self.reduction)


class BCEWithLogitsLoss(_WeightedLoss):
    """`BCELoss` of the sigmoid of the input, without loss of digits."""

    pos_weight: Tensor | None

    def __init__(
        self,
        weight: Tensor | None = None,
        size_average: bool | None = None,
        reduce: bool | None = None,
        reduction: str = "mean",
        pos_weight: Tensor | None = None,
    ) -> None:
        super().__init__(weight, size_average, reduce, reduction)
        self.register_buffer("pos_weight", pos_weight)

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """What `functional.binary_cross_entropy_with_logits` returns."""
        return functional.binary_cross_entropy_with_logits(
            input, target, self.weight, reduction=self.reduction, pos_weight=self.pos_weight
        )


class NLLLoss(_WeightedLoss):
    """How unlikely the right classes were held to be, given logarithms of probabilities."""

    def __init__(
        self,
        weight: Tensor | None = None,
        size_average: bool | None = None,
        ignore_index: int = -100,
        reduce: bool | None = None,
        reduction: str = "mean",
    ) -> None:
        super().__init__(weight, size_average, reduce, reduction)
        self.ignore_index = ignore_index

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """What `functional.nll_loss` returns."""
        return functional.nll_loss(
            input,
            target,
            self.weight,
            ignore_index=self.ignore_index,
            reduction=self.reduction,
        )


class CrossEntropyLoss(_WeightedLoss):
    """`NLLLoss` of the logarithm of the softmax along the dimension of the classes.

    >>> opwright.nn.CrossEntropyLoss()(opwright.zeros(2, 3), opwright.tensor([0, 1]))
    tensor(1.0986, dtype=float32, shape=())
    """

    def __init__(
        self,
        weight: Tensor | None = None,
        size_average: bool | None = None,
        ignore_index: int = -100,
        reduce: bool | None = None,
        reduction: str = "mean",
        label_smoothing: float = 0.0,
    ) -> None:
        super().__init__(weight, size_average, reduce, reduction)
        self.ignore_index = ignore_index
        self.label_smoothing = label_smoothing

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """What `functional.cross_entropy` returns."""
        return functional.cross_entropy(
            input,
            target,
            self.weight,
            ignore_index=self.ignore_index,
            reduction=self.reduction,
            label_smoothing=self.label_smoothing,
        )
