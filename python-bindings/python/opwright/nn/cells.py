"""Cells of recurrent networks: layers that make the next state of the last one and an input."""

from __future__ import annotations

from math import sqrt

from opwright import _C
from opwright.nn import init
from opwright.nn._arguments import size
from opwright.nn.module import Module
from opwright.nn.parameter import Parameter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from opwright import Tensor

__all__ = ["GRUCell", "LSTMCell", "RNNCell", "RNNCellBase"]


class RNNCellBase(Module):
    """What cells have in common: weights and biases, whose rows are those of `num_chunks` gates.

    They start evenly distributed, up to `1 / sqrt(hidden_size)` from zero.
    """

    __constants__ = ["input_size", "hidden_size", "bias"]  # noqa: RUF012

    weight_ih: Parameter
    weight_hh: Parameter
    bias_ih: Parameter | None
    bias_hh: Parameter | None

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        bias: bool,
        num_chunks: int,
        device: Any = None,
        dtype: _C._DType | None = None,
    ) -> None:
        super().__init__()
        name = type(self).__name__
        self.input_size = size(name, "input_size", input_size)
        self.hidden_size = size(name, "hidden_size", hidden_size)
        self.bias = bias
        rows = size(name, "num_chunks", num_chunks) * self.hidden_size
        shapes = {"weight_ih": (rows, self.input_size), "weight_hh": (rows, self.hidden_size)}
        for part, shape in shapes.items():
            made = Parameter(_C.empty(shape, device=device, dtype=dtype))
            self.register_parameter(part, made)
        for part in ("bias_ih", "bias_hh"):
            move = Parameter(_C.empty(rows, device=device, dtype=dtype)) if bias else None
            self.register_parameter(part, move)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw the parameters again."""
        bound = 1 / sqrt(self.hidden_size) if self.hidden_size else 0.0
        for parameter in self.parameters():
            init.uniform_(parameter, -bound, bound)

    def _next(self, cell: Any, input: Tensor, *states: Tensor | None) -> list[Tensor]:
        """The states that an operator makes of these, or of zeros, of a batch or a single input."""
        name = type(self).__name__
        if input.ndim not in (1, 2):
            raise ValueError(f"{name}: expected input to be 1D or 2D, got {input.ndim}D instead")
        for state in states:
            if state is not None and state.ndim not in (1, 2):
                raise ValueError(f"{name}: expected hx to be 1D or 2D, got {state.ndim}D instead")
        is_batched = input.ndim == 2
        batch = input if is_batched else input.unsqueeze(0)
        zeros = batch.new_zeros((batch.shape[0], self.hidden_size))
        first = [zeros if it is None else it if is_batched else it.unsqueeze(0) for it in states]
        weights = (self.weight_ih, self.weight_hh, self.bias_ih, self.bias_hh)
        made = cell(batch, first[0] if len(first) == 1 else first, *weights)
        results = [made] if len(first) == 1 else [*made]
        return results if is_batched else [it.squeeze(0) for it in results]

    def extra_repr(self) -> str:
        """The sizes, and what is not as it is by default."""
        shown = [f"{self.input_size}, {self.hidden_size}"]
        if self.bias is not True:
            shown.append(f"bias={self.bias}")
        if getattr(self, "nonlinearity", "tanh") != "tanh":
            shown.append(f"nonlinearity={self.nonlinearity}")
        return ", ".join(shown)


class RNNCell(RNNCellBase):
    """`tanh(weight_ih @ x + bias_ih + weight_hh @ h + bias_hh)`, or `relu` of that.

    The input `x` is `(N, input_size)` or `(input_size)`, and the state `h` `(N, hidden_size)` or
    `(hidden_size)`, zero if there is none.
    """

    __constants__ = ["input_size", "hidden_size", "bias", "nonlinearity"]  # noqa: RUF012

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        bias: bool = True,
        nonlinearity: str = "tanh",
        device: Any = None,
        dtype: _C._DType | None = None,
    ) -> None:
        super().__init__(input_size, hidden_size, bias, 1, device, dtype)
        self.nonlinearity = nonlinearity

    def forward(self, input: Tensor, hx: Tensor | None = None) -> Tensor:
        """The next state."""
        if self.nonlinearity not in ("tanh", "relu"):
            raise RuntimeError(
                f"RNNCell: the nonlinearity must be 'tanh' or 'relu', but is {self.nonlinearity!r}"
            )
        cell = _C.rnn_tanh_cell if self.nonlinearity == "tanh" else _C.rnn_relu_cell
        return self._next(cell, input, hx)[0]


class LSTMCell(RNNCellBase):
    """A cell with long short-term memory, `c' = f * c + i * g` and `h' = o * tanh(c')`.

    The gates `i`, `f` and `o` are sigmoids and `g` is a hyperbolic tangent of what `RNNCell` has;
    their rows of weights follow each other as `i`, `f`, `g`, `o`. Shapes are those of `RNNCell`;
    the state is the pair of `h` and `c`.
    """

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        bias: bool = True,
        device: Any = None,
        dtype: _C._DType | None = None,
    ) -> None:
        super().__init__(input_size, hidden_size, bias, 4, device, dtype)

    def forward(
        self, input: Tensor, hx: tuple[Tensor, Tensor] | None = None
    ) -> tuple[Tensor, Tensor]:
        """The next state, a pair."""
        h, c = self._next(_C.lstm_cell, input, *((None, None) if hx is None else hx))
        return h, c


class GRUCell(RNNCellBase):
    """A gated recurrent unit, `h' = (1 - z) * n + z * h`.

    The gates `r` and `z` are sigmoids of what `RNNCell` has, and `n` is the hyperbolic tangent
    `tanh(weight_ih @ x + bias_ih + r * (weight_hh @ h + bias_hh))`; their rows of weights follow
    each other as `r`, `z`, `n`. Shapes are those of `RNNCell`.
    """

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        bias: bool = True,
        device: Any = None,
        dtype: _C._DType | None = None,
    ) -> None:
        super().__init__(input_size, hidden_size, bias, 3, device, dtype)

    def forward(self, input: Tensor, hx: Tensor | None = None) -> Tensor:
        """The next state."""
        return self._next(_C.gru_cell, input, hx)[0]
