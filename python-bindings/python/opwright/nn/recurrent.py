"""Recurrent layers over sequences: the state of one step goes into the next."""

from __future__ import annotations

from math import sqrt

from opwright import _C
from opwright.nn import init
from opwright.nn._arguments import size
from opwright.nn.module import Module
from opwright.nn.parameter import Parameter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, ClassVar

    from opwright import Tensor

__all__ = ["GRU", "LSTM", "RNN", "RNNBase"]


class RNNBase(Module):
    """What recurrent layers have in common: their parameters, and how they are called.

    `mode` is `"LSTM"`, `"GRU"`, `"RNN_TANH"` or `"RNN_RELU"`. There are `num_layers` layers of
    `hidden_size` numbers, or of `proj_size` after a projection, which an LSTM alone can have;
    `bidirectional` ones also go through sequences from their ends. Elements between layers are left
    out with the probability `dropout` while training. Layer `k` has the parameters `weight_ih_lk`,
    `weight_hh_lk`, `bias_ih_lk`, `bias_hh_lk` if `bias`, and `weight_hr_lk` of a projection; those
    of the other direction end in `_reverse`. They start evenly distributed, up to
    `1 / sqrt(hidden_size)` from zero.
    """

    __constants__ = [  # noqa: RUF012
        "mode",
        "input_size",
        "hidden_size",
        "num_layers",
        "bias",
        "batch_first",
        "dropout",
        "bidirectional",
        "proj_size",
    ]
    _GATES: ClassVar[dict[str, int]] = {"LSTM": 4, "GRU": 3, "RNN_TANH": 1, "RNN_RELU": 1}

    def __init__(
        self,
        mode: str,
        input_size: int,
        hidden_size: int,
        num_layers: int = 1,
        bias: bool = True,
        batch_first: bool = False,
        dropout: float = 0.0,
        bidirectional: bool = False,
        proj_size: int = 0,
        device: Any = None,
        dtype: _C._DType | None = None,
    ) -> None:
        super().__init__()
        name = type(self).__name__
        if mode not in self._GATES:
            raise ValueError(
                f"{name}(): argument 'mode' must be one of {[*self._GATES]}, not {mode!r}"
            )
        self.mode = mode
        self.input_size = size(name, "input_size", input_size)
        self.hidden_size = size(name, "hidden_size", hidden_size)
        self.num_layers = size(name, "num_layers", num_layers)
        self.proj_size = size(name, "proj_size", proj_size)
        self.bias = bias
        self.batch_first = batch_first
        self.dropout = float(dropout)
        self.bidirectional = bidirectional
        for given, value in (("hidden_size", hidden_size), ("num_layers", num_layers)):
            if value == 0:
                raise ValueError(f"{name}(): argument '{given}' must be greater than zero")
        if isinstance(dropout, bool) or not 0 <= dropout <= 1:
            raise ValueError(
                f"{name}(): argument 'dropout' must be a number between 0 and 1, the probability "
                f"of an element to be zeroed, but is {dropout}"
            )
        if dropout > 0 and num_layers == 1:
            from warnings import warn

            warn(
                f"{name}(): argument 'dropout' is for all layers but the last, and there is one: "
                f"dropout={dropout} and num_layers=1",
                stacklevel=3,
            )
        if proj_size and mode != "LSTM":
            raise ValueError(f"{name}(): argument 'proj_size' is for LSTM alone")
        if proj_size >= hidden_size:
            raise ValueError(
                f"{name}(): argument 'proj_size' must be smaller than hidden_size={hidden_size}, "
                f"but is {proj_size}"
            )
        rows = self._GATES[mode] * hidden_size
        width = proj_size or hidden_size
        self._names: list[str] = []
        for layer in range(num_layers):
            features = width * self._directions if layer else input_size
            shapes: dict[str, tuple[int, ...]] = {
                "weight_ih": (rows, features),
                "weight_hh": (rows, width),
            }
            if bias:
                shapes |= {"bias_ih": (rows,), "bias_hh": (rows,)}
            if proj_size:
                shapes["weight_hr"] = (proj_size, hidden_size)
            for suffix in ("", "_reverse")[: self._directions]:
                for kind, shape in shapes.items():
                    parameter = Parameter(_C.empty(shape, device=device, dtype=dtype))
                    self._names.append(f"{kind}_l{layer}{suffix}")
                    self.register_parameter(self._names[-1], parameter)
        self.reset_parameters()

    @property
    def _directions(self) -> int:
        return 2 if self.bidirectional else 1

    @property
    def all_weights(self) -> list[list[Parameter]]:
        """The parameters of each layer and direction."""
        parameters = [getattr(self, name) for name in self._names]
        each = len(parameters) // (self.num_layers * self._directions)
        return [parameters[at : at + each] for at in range(0, len(parameters), each)]

    def flatten_parameters(self) -> None:
        """Nothing: parameters need not lie in one piece of memory here."""

    def reset_parameters(self) -> None:
        """Draws all parameters anew."""
        bound = 1 / sqrt(self.hidden_size)
        for parameter in self.parameters():
            init.uniform_(parameter, -bound, bound)

    def extra_repr(self) -> str:
        """The sizes, and what is not the default."""
        shown = [f"{self.input_size}", f"{self.hidden_size}"]
        usual: dict[str, Any] = {
            "proj_size": 0,
            "num_layers": 1,
            "bias": True,
            "batch_first": False,
        }
        usual |= {"dropout": 0.0, "bidirectional": False}
        for name, default in usual.items():
            value = getattr(self, name)
            if value != default:
                shown.append(f"{name}={value}")
        return ", ".join(shown)

    def _states(self, batch: int, like: Tensor) -> list[Tensor]:
        """Zeros, which sequences start with."""
        count = self.num_layers * self._directions
        widths = [self.proj_size or self.hidden_size]
        if self.mode == "LSTM":
            widths.append(self.hidden_size)
        return [
            _C.zeros(count, batch, width, dtype=like.dtype, device=like.device) for width in widths
        ]

    def _run(self, input: Any, hx: Any) -> tuple[Any, list[Tensor]]:
        """The states of the last layer, and the last states of all."""
        from opwright.nn.utils.rnn import PackedSequence

        is_packed = isinstance(input, PackedSequence)
        data = input.data if is_packed else input
        name = type(self).__name__
        is_single = not is_packed and data.ndim == 2
        if not is_packed and data.ndim not in (2, 3):
            raise ValueError(f"{name}: Expected input to be 2D or 3D, got {data.ndim}D instead")
        if data.shape[-1] != self.input_size:
            raise RuntimeError(
                f"{name}: input.size(-1) must be equal to input_size. Expected {self.input_size}, "
                f"got {data.shape[-1]}"
            )
        if is_single:
            data = data.unsqueeze(0 if self.batch_first else 1)
        dim = 0 if self.batch_first else 1
        batch = int(input.batch_sizes[0]) if is_packed else data.shape[dim]
        states = self._states(batch, data) if hx is None else self._given(hx, is_single)
        if is_packed and hx is not None and input.sorted_indices is not None:
            states = [it.index_select(1, input.sorted_indices) for it in states]
        operator = getattr(_C, self.mode.lower())
        params = [getattr(self, name) for name in self._names]
        options = (self.bias, self.num_layers, self.dropout, self.training, self.bidirectional)
        start: Any = states if self.mode == "LSTM" else states[0]
        if is_packed:
            result, *last = operator(data, input.batch_sizes, start, params, *options)
            if input.unsorted_indices is not None:
                last = [it.index_select(1, input.unsorted_indices) for it in last]
            packed = (input.batch_sizes, input.sorted_indices, input.unsorted_indices)
            return PackedSequence(result, *packed), last
        result, *last = operator(data, start, params, *options, self.batch_first)
        if is_single:
            result = result.squeeze(0 if self.batch_first else 1)
            last = [it.squeeze(1) for it in last]
        return result, last

    def _given(self, hx: Any, is_single: bool) -> list[Tensor]:
        """The states that a caller passed, with a dimension for sequences."""
        states = [*hx] if self.mode == "LSTM" else [hx]
        wanted = 2 if is_single else 3
        for state in states:
            if state.ndim != wanted:
                raise RuntimeError(
                    f"For {'unbatched 2-D' if is_single else 'batched 3-D'} input, hx should also "
                    f"be {wanted}-D but got {state.ndim}-D tensor"
                )
        return [it.unsqueeze(1) for it in states] if is_single else states


class RNN(RNNBase):
    """Layers whose state is `tanh(W_ih @ x + b_ih + W_hh @ h + b_hh)`, or that with `relu`.

    Called with sequences of the shape `(L, N, input_size)`, `(N, L, input_size)` if `batch_first`,
    `(L, input_size)` for a single one, or packed ones, and with the first states, by default zeros.
    Returns the states of the last layer at all steps, and the last states of all layers and
    directions, `(num_layers * directions, N, hidden_size)`.

        >>> rnn = opwright.nn.RNN(3, 4, num_layers=2)
        >>> states, last = rnn(opwright.ones(5, 2, 3))
        >>> states.shape, last.shape
        (opwright.Size([5, 2, 4]), opwright.Size([2, 2, 4]))
    """

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        num_layers: int = 1,
        nonlinearity: str = "tanh",
        bias: bool = True,
        batch_first: bool = False,
        dropout: float = 0.0,
        bidirectional: bool = False,
        device: Any = None,
        dtype: _C._DType | None = None,
    ) -> None:
        if nonlinearity not in ("tanh", "relu"):
            raise ValueError(
                f"RNN(): argument 'nonlinearity' must be 'tanh' or 'relu', not {nonlinearity!r}"
            )
        super().__init__(
            f"RNN_{nonlinearity.upper()}",
            input_size,
            hidden_size,
            num_layers,
            bias,
            batch_first,
            dropout,
            bidirectional,
            device=device,
            dtype=dtype,
        )
        self.nonlinearity = nonlinearity

    def forward(self, input: Any, hx: Tensor | None = None) -> tuple[Any, Tensor]:
        """The states of the last layer, and the last states of all."""
        result, (last,) = self._run(input, hx)
        return result, last


class GRU(RNNBase):
    """Layers of gated recurrent units; called as `RNN` is.

    The gates lie one below the other in parameters, in the order reset, update, new. The reset gate
    comes after the product with the state.

        >>> states, last = opwright.nn.GRU(3, 4, bidirectional=True)(opwright.ones(5, 2, 3))
        >>> states.shape, last.shape
        (opwright.Size([5, 2, 8]), opwright.Size([2, 2, 4]))
    """

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        num_layers: int = 1,
        bias: bool = True,
        batch_first: bool = False,
        dropout: float = 0.0,
        bidirectional: bool = False,
        device: Any = None,
        dtype: _C._DType | None = None,
    ) -> None:
        super().__init__(
            "GRU",
            input_size,
            hidden_size,
            num_layers,
            bias,
            batch_first,
            dropout,
            bidirectional,
            device=device,
            dtype=dtype,
        )

    def forward(self, input: Any, hx: Tensor | None = None) -> tuple[Any, Tensor]:
        """The states of the last layer, and the last states of all."""
        result, (last,) = self._run(input, hx)
        return result, last


class LSTM(RNNBase):
    """Layers of long short-term memory; called as `RNN` is, with a pair of first states.

    The gates lie one below the other in parameters, in the order input, forget, cell, output. The
    pair are hidden states, of `proj_size` numbers if that is given, and cells.

        >>> states, (hidden, cell) = opwright.nn.LSTM(3, 4, proj_size=2)(opwright.ones(5, 2, 3))
        >>> states.shape, hidden.shape, cell.shape
        (opwright.Size([5, 2, 2]), opwright.Size([1, 2, 2]), opwright.Size([1, 2, 4]))
    """

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        num_layers: int = 1,
        bias: bool = True,
        batch_first: bool = False,
        dropout: float = 0.0,
        bidirectional: bool = False,
        proj_size: int = 0,
        device: Any = None,
        dtype: _C._DType | None = None,
    ) -> None:
        super().__init__(
            "LSTM",
            input_size,
            hidden_size,
            num_layers,
            bias,
            batch_first,
            dropout,
            bidirectional,
            proj_size,
            device=device,
            dtype=dtype,
        )

    def forward(
        self, input: Any, hx: tuple[Tensor, Tensor] | None = None
    ) -> tuple[Any, tuple[Tensor, Tensor]]:
        """The states of the last layer, and the last hidden states and cells of all."""
        result, (hidden, cell) = self._run(input, hx)
        return result, (hidden, cell)
