"""Linear layers, and the one that does nothing."""

from __future__ import annotations

from math import sqrt

from opwright import _C
from opwright.nn import functional, init
from opwright.nn._arguments import size
from opwright.nn.module import Module
from opwright.nn.parameter import Parameter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from opwright import Tensor

__all__ = ["Bilinear", "Identity", "Linear"]


class Identity(Module):
    """The input; whatever it is made with is ignored."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__()

    def forward(self, input: Any) -> Any:
        """The input."""
        return input


class Linear(Module):
    """`x @ weight.T + bias`, along the last dimension.

    `weight` and `bias` start evenly distributed, up to `1 / sqrt(in_features)` from zero.

        >>> opwright.nn.Linear(3, 2)(opwright.ones(4, 3)).shape
        opwright.Size([4, 2])
    """

    __constants__ = ["in_features", "out_features"]  # noqa: RUF012

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


class Bilinear(Module):
    """`x1 @ weight[k] @ x2 + bias[k]` for each `k`, along the last dimensions.

    `weight` and `bias` start evenly distributed, up to `1 / sqrt(in1_features)` from zero.

        >>> opwright.nn.Bilinear(3, 2, 5)(opwright.ones(4, 3), opwright.ones(4, 2)).shape
        opwright.Size([4, 5])
    """

    __constants__ = ["in1_features", "in2_features", "out_features"]  # noqa: RUF012

    weight: Parameter
    bias: Parameter | None

    def __init__(
        self,
        in1_features: int,
        in2_features: int,
        out_features: int,
        bias: bool = True,
        device: Any = None,
        dtype: _C._DType | None = None,
    ) -> None:
        super().__init__()
        self.in1_features = size("Bilinear", "in1_features", in1_features)
        self.in2_features = size("Bilinear", "in2_features", in2_features)
        self.out_features = size("Bilinear", "out_features", out_features)
        if not self.in1_features:
            raise ValueError("Bilinear(): argument 'in1_features' must be positive, but is 0")
        shape = (self.out_features, self.in1_features, self.in2_features)
        self.weight = Parameter(_C.empty(shape, device=device, dtype=dtype))
        if bias:
            self.bias = Parameter(_C.empty(self.out_features, device=device, dtype=dtype))
        else:
            self.register_parameter("bias", None)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw the parameters again."""
        bound = 1 / sqrt(self.in1_features)
        init.uniform_(self.weight, -bound, bound)
        if self.bias is not None:
            init.uniform_(self.bias, -bound, bound)

    def forward(self, input1: Tensor, input2: Tensor) -> Tensor:
        """What `functional.bilinear` returns."""
        return _C.bilinear(input1, input2, self.weight, self.bias)

    def extra_repr(self) -> str:
        """The sizes."""
        return (
            f"in1_features={self.in1_features}, in2_features={self.in2_features}, "
            f"out_features={self.out_features}, bias={self.bias is not None}"
        )
