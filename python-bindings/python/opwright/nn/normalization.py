"""Normalization layers: elements in terms of means and deviations, learnt scales and moves."""

from __future__ import annotations

from opwright import _C
from opwright.nn import functional, init
from opwright.nn._arguments import size, sizes
from opwright.nn._functional_layer import FunctionalLayer, with_own_init
from opwright.nn.module import Module
from opwright.nn.parameter import Parameter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from opwright import Tensor

__all__ = [
    "BatchNorm1d",
    "BatchNorm2d",
    "BatchNorm3d",
    "CrossMapLRN2d",
    "GroupNorm",
    "InstanceNorm1d",
    "InstanceNorm2d",
    "InstanceNorm3d",
    "LayerNorm",
    "LocalResponseNorm",
    "RMSNorm",
]


class _Affine(Module):
    """What may have a learnt scale, which starts at one, and a move, which starts at zero."""

    weight: Parameter | None
    bias: Parameter | None

    def _make(
        self,
        shape: int | tuple[int, ...],
        weight: bool,
        bias: bool,
        device: Any,
        dtype: _C._DType | None,
    ) -> None:
        for name, is_there in (("weight", weight), ("bias", bias)):
            made = Parameter(_C.empty(shape, device=device, dtype=dtype)) if is_there else None
            self.register_parameter(name, made)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Set `weight` to one and `bias` to zero."""
        if self.weight is not None:
            init.ones_(self.weight)
        if self.bias is not None:
            init.zeros_(self.bias)


# --- of channels --------------------------------------------------------------------------


class _OfChannels(_Affine):
    """Channels brought to mean 0 and variance 1, by statistics of the input or running ones.

    `weight` and `bias` are learnt if `affine`. With `track_running_stats`, `running_mean` and
    `running_var` follow the statistics by `momentum` while training, and are used otherwise.
    """

    _version = 2
    __constants__ = [  # noqa: RUF012
        "track_running_stats",
        "momentum",
        "eps",
        "num_features",
        "affine",
    ]

    running_mean: Tensor | None
    running_var: Tensor | None
    num_batches_tracked: Tensor | None
    momentum: float | None
    _dims: tuple[int, ...]

    def _start(
        self,
        num_features: int,
        eps: float,
        momentum: float | None,
        affine: bool,
        track_running_stats: bool,
        device: Any,
        dtype: _C._DType | None,
    ) -> None:
        self.num_features = size(type(self).__name__, "num_features", num_features)
        self.eps = eps
        self.momentum = momentum
        self.affine = affine
        self.track_running_stats = track_running_stats
        for name in ("running_mean", "running_var", "num_batches_tracked"):
            self.register_buffer(name, None)
        if track_running_stats:
            count = self.num_features
            self.running_mean = _C.zeros(count, device=device, dtype=dtype)
            self.running_var = _C.ones(count, device=device, dtype=dtype)
            self.num_batches_tracked = _C.zeros((), device=device, dtype=_C.int64)
        self._make(self.num_features, affine, affine, device, dtype)

    def reset_running_stats(self) -> None:
        """Forget the statistics: mean 0 and variance 1 of no batch."""
        if self.running_mean is not None:
            self.running_mean.zero_()
        if self.running_var is not None:
            self.running_var.fill_(1)
        if self.num_batches_tracked is not None:
            self.num_batches_tracked.zero_()

    def reset_parameters(self) -> None:
        """Set `weight` to one and `bias` to zero, and forget the statistics."""
        self.reset_running_stats()
        super().reset_parameters()

    def _check_input_dim(self, input: Tensor) -> None:
        if input.ndim not in self._dims:
            wanted = " or ".join(f"{it}D" for it in self._dims)
            raise ValueError(f"expected {wanted} input (got {input.ndim}D input)")

    def extra_repr(self) -> str:
        """The number of channels, and how statistics are made."""
        return (
            f"{self.num_features}, eps={self.eps}, momentum={self.momentum}, "
            f"affine={self.affine}, track_running_stats={self.track_running_stats}"
        )


class _BatchNorm(_OfChannels):
    def __init__(
        self,
        num_features: int,
        eps: float = 1e-5,
        momentum: float | None = 0.1,
        affine: bool = True,
        track_running_stats: bool = True,
        device: Any = None,
        dtype: _C._DType | None = None,
    ) -> None:
        super().__init__()
        self._start(num_features, eps, momentum, affine, track_running_stats, device, dtype)

    def forward(self, input: Tensor) -> Tensor:
        """What `functional.batch_norm` returns; while training, running statistics follow."""
        self._check_input_dim(input)
        mean, var = self.running_mean, self.running_var
        momentum = 0.0 if self.momentum is None else self.momentum
        if self.training:
            if not self.track_running_stats:
                mean = var = None
            elif self.num_batches_tracked is not None:
                self.num_batches_tracked.add_(1)
                if self.momentum is None:
                    momentum = 1 / float(self.num_batches_tracked)
        of_batch = self.training or (mean is None and var is None)
        result: Tensor = functional.batch_norm(
            input, mean, var, self.weight, self.bias, of_batch, momentum, self.eps
        )
        return result

    def _load_from_state_dict(
        self,
        state_dict: dict[str, Any],
        prefix: str,
        local_metadata: dict[str, Any],
        *others: Any,
    ) -> None:
        # Before version 2 batches were not counted.
        counter = self.num_batches_tracked
        if local_metadata.get("version", 0) < 2 and counter is not None:
            state_dict.setdefault(f"{prefix}num_batches_tracked", counter.detach().clone())
        super()._load_from_state_dict(state_dict, prefix, local_metadata, *others)


@with_own_init
class BatchNorm1d(_BatchNorm):
    """Each channel of `(N, C)` or `(N, C, L)` brought to mean 0 and variance 1 over the batch.

    `weight` and `bias` are learnt if `affine`. With `track_running_stats`, running statistics
    follow by `momentum` while training, or as means of all batches if it is None; they are used
    when the layer is not being trained.

        >>> norm = opwright.nn.BatchNorm1d(1, eps=0.0)
        >>> norm(opwright.tensor([[1.0], [3.0]])).tolist(), norm.running_mean.tolist()
        ([[-1.0], [1.0]], [0.20000000298023224])
    """

    _dims = (2, 3)


@with_own_init
class BatchNorm2d(_BatchNorm):
    """`BatchNorm1d` for images `(N, C, H, W)`."""

    _dims = (4,)


@with_own_init
class BatchNorm3d(_BatchNorm):
    """`BatchNorm1d` for volumes `(N, C, D, H, W)`."""

    _dims = (5,)


class _InstanceNorm(_OfChannels):
    def __init__(
        self,
        num_features: int,
        eps: float = 1e-5,
        momentum: float = 0.1,
        affine: bool = False,
        track_running_stats: bool = False,
        device: Any = None,
        dtype: _C._DType | None = None,
    ) -> None:
        super().__init__()
        self._start(num_features, eps, momentum, affine, track_running_stats, device, dtype)

    def forward(self, input: Tensor) -> Tensor:
        """What `functional.instance_norm` returns; while training, running statistics follow."""
        self._check_input_dim(input)
        alone = input.ndim == self._dims[0]
        channels = input.shape[0 if alone else 1]
        if channels != self.num_features:
            self._complain_of(channels)
        result: Tensor = functional.instance_norm(
            input.unsqueeze(0) if alone else input,
            self.running_mean,
            self.running_var,
            self.weight,
            self.bias,
            self.training or not self.track_running_stats,
            0.0 if self.momentum is None else self.momentum,
            self.eps,
        )
        return result.squeeze(0) if alone else result

    def _complain_of(self, channels: int) -> None:
        name = type(self).__name__
        message = f"{name}: the input has {channels} channels, and the layer {self.num_features}"
        if self.affine:
            raise ValueError(message)
        from warnings import warn

        warn(f"{message}, of which it makes no use", UserWarning, stacklevel=4)


@with_own_init
class InstanceNorm1d(_InstanceNorm):
    """Each channel of each sample, `(N, C, L)` or `(C, L)`, brought to mean 0 and variance 1.

    `weight` and `bias` are learnt if `affine`. With `track_running_stats` there are running
    statistics as those of `BatchNorm1d`.

        >>> opwright.nn.InstanceNorm1d(1, eps=0.0)(opwright.tensor([[[1.0, 3.0]]]))
        tensor([[[-1.,  1.]]], dtype=float32, shape=(1, 1, 2))
    """

    _dims = (2, 3)


@with_own_init
class InstanceNorm2d(_InstanceNorm):
    """`InstanceNorm1d` for images `(N, C, H, W)` or `(C, H, W)`."""

    _dims = (3, 4)


@with_own_init
class InstanceNorm3d(_InstanceNorm):
    """`InstanceNorm1d` for volumes `(N, C, D, H, W)` or `(C, D, H, W)`."""

    _dims = (4, 5)


class GroupNorm(_Affine):
    """The channels of each sample in groups, each of which is brought to mean 0 and variance 1.

    With `affine`, each channel is multiplied by its number of `weight`, which starts at one, and
    that of `bias` is added, which starts at zero.

        >>> opwright.nn.GroupNorm(2, 4, eps=0.0)(opwright.tensor([[1.0, 3.0, 2.0, 6.0]])).tolist()
        [[-1.0, 1.0, -1.0, 1.0]]
    """

    __constants__ = ["num_groups", "num_channels", "eps", "affine"]  # noqa: RUF012

    def __init__(
        self,
        num_groups: int,
        num_channels: int,
        eps: float = 1e-5,
        affine: bool = True,
        device: Any = None,
        dtype: _C._DType | None = None,
    ) -> None:
        super().__init__()
        self.num_groups = size("GroupNorm", "num_groups", num_groups)
        self.num_channels = size("GroupNorm", "num_channels", num_channels)
        if not self.num_groups or self.num_channels % self.num_groups:
            raise ValueError(
                f"GroupNorm(): argument 'num_channels' must be divisible by "
                f"num_groups={num_groups}, but is {num_channels}"
            )
        self.eps = eps
        self.affine = affine
        self._make(self.num_channels, affine, affine, device, dtype)

    def forward(self, input: Tensor) -> Tensor:
        """What `functional.group_norm` returns."""
        result: Tensor = functional.group_norm(
            input, self.num_groups, self.weight, self.bias, self.eps
        )
        return result

    def extra_repr(self) -> str:
        """The numbers of groups and channels."""
        return f"{self.num_groups}, {self.num_channels}, eps={self.eps}, affine={self.affine}"


# --- of the last dimensions ---------------------------------------------------------------


class LayerNorm(_Affine):
    """Elements in terms of the mean and the deviation over the last dimensions.

    These have the sizes `normalized_shape`. With `elementwise_affine`, the result is multiplied by
    `weight`, which starts at one, and `bias` is added, which starts at zero.

        >>> opwright.nn.LayerNorm(2)(opwright.tensor([[1.0, 3.0]])).tolist()[0][1] > 0.99
        True
    """

    __constants__ = ["normalized_shape", "eps", "elementwise_affine"]  # noqa: RUF012

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
        affine = elementwise_affine
        self._make(self.normalized_shape, affine, affine and bias, device, dtype)

    def forward(self, input: Tensor) -> Tensor:
        """The input with mean 0 and variance 1, scaled and moved."""
        return _C.layer_norm(input, self.normalized_shape, self.weight, self.bias, self.eps)

    def extra_repr(self) -> str:
        """The sizes."""
        return (
            f"{self.normalized_shape}, eps={self.eps}, elementwise_affine={self.elementwise_affine}"
        )


class RMSNorm(Module):
    """Elements over the root of the mean of squares over the last dimensions.

    These have the sizes `normalized_shape`. `eps` is added to the mean; None is the least that
    makes a difference to one. With `elementwise_affine` the result is multiplied by `weight`,
    which starts at one.

        >>> opwright.nn.RMSNorm(2, 0.0, False)(opwright.tensor([[1.0, 7.0]]))
        tensor([[0.2, 1.4]], dtype=float32, shape=(1, 2))
    """

    __constants__ = ["normalized_shape", "eps", "elementwise_affine"]  # noqa: RUF012

    weight: Parameter | None

    def __init__(
        self,
        normalized_shape: int | Sequence[int],
        eps: float | None = None,
        elementwise_affine: bool = True,
        device: Any = None,
        dtype: _C._DType | None = None,
    ) -> None:
        super().__init__()
        self.normalized_shape = sizes("RMSNorm", "normalized_shape", normalized_shape)
        self.eps = eps
        self.elementwise_affine = elementwise_affine
        weight = None
        if elementwise_affine:
            weight = Parameter(_C.empty(self.normalized_shape, device=device, dtype=dtype))
        self.register_parameter("weight", weight)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Set `weight` to one."""
        if self.weight is not None:
            init.ones_(self.weight)

    def forward(self, input: Tensor) -> Tensor:
        """What `functional.rms_norm` returns."""
        return _C.rms_norm(input, self.normalized_shape, self.weight, self.eps)

    def extra_repr(self) -> str:
        """The sizes."""
        return (
            f"{self.normalized_shape}, eps={self.eps}, elementwise_affine={self.elementwise_affine}"
        )


# --- of neighbouring channels -------------------------------------------------------------


class LocalResponseNorm(FunctionalLayer, function=functional.local_response_norm):
    """The input over `(k + alpha * m)**beta`, for the mean `m` of squares of `size` channels."""

    size: int
    alpha: float = 1e-4
    beta: float = 0.75
    k: float = 1.0

    def extra_repr(self) -> str:
        """The parameters."""
        return f"{self.size}, alpha={self.alpha}, beta={self.beta}, k={self.k}"


class CrossMapLRN2d(Module):
    """The input over `(k + alpha / size * s)**beta`, for the sum `s` of squares of near channels.

    Near are `(size - 1) // 2` channels on both sides, and for all channels after these also the
    first one, as in PyTorch, where it is kept as a layer of the past. The input is of shape
    `(N, C, H, W)`; of another number of dimensions it is refused with `ValueError`. See
    `LocalResponseNorm`.
    """

    def __init__(self, size: int, alpha: float = 1e-4, beta: float = 0.75, k: float = 1) -> None:
        super().__init__()
        self.size = size
        self.alpha = alpha
        self.beta = beta
        self.k = k

    def forward(self, input: Tensor) -> Tensor:
        """The normalized images, in the shape of the input."""
        if input.dim() != 4:
            raise ValueError(f"CrossMapLRN2d: Expected input to be 4D, got {input.dim()}D instead.")
        reach = (self.size - 1) // 2
        squares = input * input
        taps = (2 * reach + 1, 1, 1)
        means = functional.avg_pool3d(squares.unsqueeze(1), taps, 1, (reach, 0, 0))
        sums = means.squeeze(1) * taps[0]
        # The first channel is never taken off again.
        later = sums[:, reach + 1 :] + squares[:, :1]
        sums = _C.cat([sums[:, : reach + 1], later], 1)
        return input * (sums * (self.alpha / self.size) + self.k) ** -self.beta

    def extra_repr(self) -> str:
        """The parameters."""
        return f"{self.size}, alpha={self.alpha}, beta={self.beta}, k={self.k}"
