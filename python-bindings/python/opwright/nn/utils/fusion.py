"""Layers with the normalization that follows them, as one layer.

In evaluation, a batch normalization is a multiplication and an addition for each channel, which the
layer before it can do by other weights and another bias: Jacob and others, "Quantization and
Training of Neural Networks for Efficient Integer-Arithmetic-Only Inference" (2018), section 3.2.
"""

from __future__ import annotations

from functools import partial

from opwright import _C
from opwright.nn.parameter import Parameter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeVar

    from opwright import Tensor
    from opwright.nn.module import Module

    _Layer = TypeVar("_Layer", bound=Module)


def fuse_conv_bn_eval(conv: _Layer, bn: Module, transpose: bool = False) -> _Layer:
    """A copy of a convolution that does what a batch normalization after it does, too.

    Both are in evaluation, and `transpose` says that the convolution is a transposed one.

    Raises:
        AssertionError: one of both is being trained, or the normalization has no statistics.
    """
    return _fused(conv, bn, partial(fuse_conv_bn_weights, transpose=transpose))


def fuse_linear_bn_eval(linear: _Layer, bn: Module) -> _Layer:
    """A copy of a linear layer that does what a batch normalization after it does, too.

    Both are in evaluation.

    Raises:
        AssertionError: one of both is being trained, the normalization has no statistics, or it is
            for another number of features.
    """
    layer: Any = linear
    norm: Any = bn
    if norm.num_features not in (1, layer.out_features):
        raise AssertionError(
            f"fuse_linear_bn_eval(): the layer has {layer.out_features} features, and the "
            f"normalization is for {norm.num_features}"
        )
    return _fused(linear, bn, fuse_linear_bn_weights)


def _fused(layer: _Layer, bn: Module, weights: Any) -> _Layer:
    from copy import deepcopy

    if layer.training or bn.training:
        raise AssertionError("layers are fused for evaluation, but are being trained; call eval()")
    if bn.running_mean is None or bn.running_var is None:
        raise AssertionError(
            "the normalization has no statistics of its own, so it is not the same for all batches"
        )
    fused: Any = deepcopy(layer)
    fused.weight, fused.bias = weights(
        fused.weight, fused.bias, bn.running_mean, bn.running_var, bn.eps, bn.weight, bn.bias
    )
    made: _Layer = fused
    return made


def fuse_conv_bn_weights(
    conv_w: Tensor,
    conv_b: Tensor | None,
    bn_rm: Tensor,
    bn_rv: Tensor,
    bn_eps: float,
    bn_w: Tensor | None,
    bn_b: Tensor | None,
    transpose: bool = False,
) -> tuple[Parameter, Parameter]:
    """The weight and the bias of a convolution that does what a normalization does, too.

    They come from those of both, the running mean and variance, and what is added to that.
    """
    shape = [1] * conv_w.dim()
    shape[1 if transpose else 0] = -1
    return _weights(conv_w, conv_b, bn_rm, bn_rv, bn_eps, bn_w, bn_b, shape)


def fuse_linear_bn_weights(
    linear_w: Tensor,
    linear_b: Tensor | None,
    bn_rm: Tensor,
    bn_rv: Tensor,
    bn_eps: float,
    bn_w: Tensor | None,
    bn_b: Tensor | None,
) -> tuple[Parameter, Parameter]:
    """The weight and the bias of a linear layer that does what a normalization does, too.

    They come from those of both, the running mean and variance, and what is added to that.
    """
    return _weights(linear_w, linear_b, bn_rm, bn_rv, bn_eps, bn_w, bn_b, [-1, 1])


def _weights(
    weight: Tensor,
    bias: Tensor | None,
    mean: Tensor,
    variance: Tensor,
    eps: float,
    scale: Tensor | None,
    shift: Tensor | None,
    shape: list[int],
) -> tuple[Parameter, Parameter]:
    """What both forms have in common, but for the shape of a factor for each channel."""
    factor = _C.rsqrt(variance + eps)
    if scale is not None:
        factor = factor * scale
    moved = (-mean if bias is None else bias - mean) * factor
    if shift is not None:
        moved = moved + shift
    fused = (weight * factor.reshape(shape)).to(weight.dtype)
    moved = moved.to(weight.dtype if bias is None else bias.dtype)
    learns = bias is not None and bias.requires_grad
    return Parameter(fused, weight.requires_grad), Parameter(moved, learns)
