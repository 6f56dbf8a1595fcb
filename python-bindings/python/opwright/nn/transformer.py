"""Transformers: layers of attention and of two linear maps, and encoders and decoders of them."""

from __future__ import annotations

from copy import deepcopy
from math import inf

from opwright import _C
from opwright.nn import functional, init
from opwright.nn._arguments import size
from opwright.nn._attention import additive_mask
from opwright.nn._dropout import check_probability
from opwright.nn.attention import MultiheadAttention
from opwright.nn.containers import ModuleList
from opwright.nn.dropout import Dropout
from opwright.nn.linear import Linear
from opwright.nn.module import Module
from opwright.nn.normalization import LayerNorm

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from opwright import Tensor

    _Activation = str | Callable[[Tensor], Tensor]

__all__ = [
    "Transformer",
    "TransformerDecoder",
    "TransformerDecoderLayer",
    "TransformerEncoder",
    "TransformerEncoderLayer",
]

_ACTIVATIONS: dict[str, Callable[[Tensor], Tensor]] = {
    "relu": functional.relu,
    "gelu": functional.gelu,
}


def _activation(given: _Activation) -> Callable[[Tensor], Tensor]:
    if not isinstance(given, str):
        return given
    if given not in _ACTIVATIONS:
        raise RuntimeError(f"argument 'activation' must be 'relu' or 'gelu', but is {given!r}")
    return _ACTIVATIONS[given]


def _check_sizes(name: str, d_model: int, nhead: int, dim_feedforward: int, dropout: float) -> None:
    """Refuses what one of the parts would refuse by another name."""
    size(name, "dim_feedforward", dim_feedforward)
    check_probability(name, dropout, "dropout")
    heads = size(name, "nhead", nhead)
    if size(name, "d_model", d_model) and heads and not d_model % heads:
        return
    raise ValueError(
        f"{name}(): argument 'd_model' must be positive and divisible by nhead={nhead}, but is "
        f"{d_model}"
    )


# --- layers -----------------------------------------------------------------------------


class _Blocks(Module):
    """Blocks, each of whose results is added to what it was made of, and normalized.

    With `norm_first`, what goes into a block is normalized, and not the sum.
    """

    __constants__ = ["norm_first"]  # noqa: RUF012

    norm_first: bool
    activation: Callable[[Tensor], Tensor]
    dropout: Dropout
    linear1: Linear
    linear2: Linear

    def _with(self, x: Tensor, block: Callable[[Tensor], Tensor], norm: LayerNorm) -> Tensor:
        """What a block adds."""
        added: Tensor = x + block(norm(x)) if self.norm_first else norm(x + block(x))
        return added

    def _feed_forward(self, x: Tensor) -> Tensor:
        made: Tensor = self.linear2(self.dropout(self.activation(self.linear1(x))))
        return made


class TransformerEncoderLayer(_Blocks):
    """Attention of a sequence to itself, then two linear maps of each element with an activation.

    Sequences have `d_model` features, of which the first map makes `dim_feedforward`. `activation`
    is `"relu"`, `"gelu"` or a function. Other options are those of `MultiheadAttention`; with
    `norm_first`, sequences are normalized before each block instead of after it.

        >>> layer = opwright.nn.TransformerEncoderLayer(4, 2, 8)
        >>> layer(opwright.ones(5, 3, 4)).shape
        opwright.Size([5, 3, 4])
    """

    def __init__(
        self,
        d_model: int,
        nhead: int,
        dim_feedforward: int = 2048,
        dropout: float = 0.1,
        activation: _Activation = functional.relu,
        layer_norm_eps: float = 1e-5,
        batch_first: bool = False,
        norm_first: bool = False,
        bias: bool = True,
        device: Any = None,
        dtype: _C._DType | None = None,
    ) -> None:
        super().__init__()
        _check_sizes(type(self).__name__, d_model, nhead, dim_feedforward, dropout)
        options: dict[str, Any] = {"bias": bias, "device": device, "dtype": dtype}
        self.self_attn = MultiheadAttention(
            d_model, nhead, dropout=dropout, batch_first=batch_first, **options
        )
        self.linear1 = Linear(d_model, dim_feedforward, **options)
        self.dropout = Dropout(dropout)
        self.linear2 = Linear(dim_feedforward, d_model, **options)
        self.norm_first = norm_first
        self.norm1 = LayerNorm(d_model, eps=layer_norm_eps, **options)
        self.norm2 = LayerNorm(d_model, eps=layer_norm_eps, **options)
        self.dropout1 = Dropout(dropout)
        self.dropout2 = Dropout(dropout)
        self.activation = _activation(activation)

    def forward(
        self,
        src: Tensor,
        src_mask: Tensor | None = None,
        src_key_padding_mask: Tensor | None = None,
        is_causal: bool = False,
    ) -> Tensor:
        """A sequence like `src`; masks are those of `MultiheadAttention`."""

        def attended(x: Tensor) -> Tensor:
            found = self.self_attn(
                x,
                x,
                x,
                key_padding_mask=src_key_padding_mask,
                need_weights=False,
                attn_mask=src_mask,
                is_causal=is_causal,
            )
            made: Tensor = self.dropout1(found[0])
            return made

        x = self._with(src, attended, self.norm1)
        return self._with(x, lambda it: self.dropout2(self._feed_forward(it)), self.norm2)


class TransformerDecoderLayer(_Blocks):
    """`TransformerEncoderLayer` with attention to another sequence in between, the memory.

    >>> layer = opwright.nn.TransformerDecoderLayer(4, 2, 8)
    >>> layer(opwright.ones(5, 3, 4), opwright.ones(7, 3, 4)).shape
    opwright.Size([5, 3, 4])
    """

    def __init__(
        self,
        d_model: int,
        nhead: int,
        dim_feedforward: int = 2048,
        dropout: float = 0.1,
        activation: _Activation = functional.relu,
        layer_norm_eps: float = 1e-5,
        batch_first: bool = False,
        norm_first: bool = False,
        bias: bool = True,
        device: Any = None,
        dtype: _C._DType | None = None,
    ) -> None:
        super().__init__()
        _check_sizes(type(self).__name__, d_model, nhead, dim_feedforward, dropout)
        options: dict[str, Any] = {"bias": bias, "device": device, "dtype": dtype}
        attention: dict[str, Any] = {"dropout": dropout, "batch_first": batch_first, **options}
        self.self_attn = MultiheadAttention(d_model, nhead, **attention)
        self.multihead_attn = MultiheadAttention(d_model, nhead, **attention)
        self.linear1 = Linear(d_model, dim_feedforward, **options)
        self.dropout = Dropout(dropout)
        self.linear2 = Linear(dim_feedforward, d_model, **options)
        self.norm_first = norm_first
        self.norm1 = LayerNorm(d_model, eps=layer_norm_eps, **options)
        self.norm2 = LayerNorm(d_model, eps=layer_norm_eps, **options)
        self.norm3 = LayerNorm(d_model, eps=layer_norm_eps, **options)
        self.dropout1 = Dropout(dropout)
        self.dropout2 = Dropout(dropout)
        self.dropout3 = Dropout(dropout)
        self.activation = _activation(activation)

    def forward(
        self,
        tgt: Tensor,
        memory: Tensor,
        tgt_mask: Tensor | None = None,
        memory_mask: Tensor | None = None,
        tgt_key_padding_mask: Tensor | None = None,
        memory_key_padding_mask: Tensor | None = None,
        tgt_is_causal: bool = False,
        memory_is_causal: bool = False,
    ) -> Tensor:
        """A sequence like `tgt`; masks are those of `MultiheadAttention`."""

        def attended(x: Tensor) -> Tensor:
            found = self.self_attn(
                x,
                x,
                x,
                key_padding_mask=tgt_key_padding_mask,
                need_weights=False,
                attn_mask=tgt_mask,
                is_causal=tgt_is_causal,
            )
            made: Tensor = self.dropout1(found[0])
            return made

        def remembered(x: Tensor) -> Tensor:
            found = self.multihead_attn(
                x,
                memory,
                memory,
                key_padding_mask=memory_key_padding_mask,
                need_weights=False,
                attn_mask=memory_mask,
                is_causal=memory_is_causal,
            )
            made: Tensor = self.dropout2(found[0])
            return made

        x = self._with(tgt, attended, self.norm1)
        x = self._with(x, remembered, self.norm2)
        return self._with(x, lambda it: self.dropout3(self._feed_forward(it)), self.norm3)


# --- layers one after the other -----------------------------------------------------------


def _copies(name: str, layer: Module, count: int) -> ModuleList:
    return ModuleList(deepcopy(layer) for _ in range(size(name, "num_layers", count)))


def _is_causal(mask: Tensor | None, is_causal: bool | None) -> bool:
    """Whether a mask is the causal one, if nobody says so."""
    if is_causal is not None or mask is None:
        return bool(is_causal)
    count = mask.shape[-1]
    if tuple(mask.shape) != (count, count):
        return False
    causal = _square_mask(count, mask.device, None)
    return bool((additive_mask("mask", mask, causal.dtype) == causal).all())


def _square_mask(count: int, device: Any, dtype: _C._DType | None) -> Tensor:
    return _C.full((count, count), -inf, device=device, dtype=dtype).triu(1)


class TransformerEncoder(Module):
    """Copies of a layer, one after the other, and a normalization of the result, if there is one.

    `enable_nested_tensor` and `mask_check` change nothing.
    """

    __constants__ = ["norm"]  # noqa: RUF012

    norm: Module | None

    def __init__(
        self,
        encoder_layer: TransformerEncoderLayer,
        num_layers: int,
        norm: Module | None = None,
        enable_nested_tensor: bool = True,
        mask_check: bool = True,
    ) -> None:
        super().__init__()
        self.layers = _copies("TransformerEncoder", encoder_layer, num_layers)
        self.num_layers = num_layers
        self.norm = norm
        self.enable_nested_tensor = enable_nested_tensor
        self.mask_check = mask_check

    def forward(
        self,
        src: Tensor,
        mask: Tensor | None = None,
        src_key_padding_mask: Tensor | None = None,
        is_causal: bool | None = None,
    ) -> Tensor:
        """A sequence like `src`; whether `mask` is the causal one is found out if need be."""
        is_causal = _is_causal(mask, is_causal)
        for layer in self.layers:
            src = layer(
                src,
                src_mask=mask,
                is_causal=is_causal,
                src_key_padding_mask=src_key_padding_mask,
            )
        return src if self.norm is None else self.norm(src)


class TransformerDecoder(Module):
    """Copies of a layer, one after the other, and a normalization of the result, if any."""

    __constants__ = ["norm"]  # noqa: RUF012

    norm: Module | None

    def __init__(
        self, decoder_layer: TransformerDecoderLayer, num_layers: int, norm: Module | None = None
    ) -> None:
        super().__init__()
        self.layers = _copies("TransformerDecoder", decoder_layer, num_layers)
        self.num_layers = num_layers
        self.norm = norm

    def forward(
        self,
        tgt: Tensor,
        memory: Tensor,
        tgt_mask: Tensor | None = None,
        memory_mask: Tensor | None = None,
        tgt_key_padding_mask: Tensor | None = None,
        memory_key_padding_mask: Tensor | None = None,
        tgt_is_causal: bool | None = None,
        memory_is_causal: bool = False,
    ) -> Tensor:
        """A sequence like `tgt`; whether `tgt_mask` is the causal one is found out if need be."""
        tgt_is_causal = _is_causal(tgt_mask, tgt_is_causal)
        for layer in self.layers:
            tgt = layer(
                tgt,
                memory,
                tgt_mask=tgt_mask,
                memory_mask=memory_mask,
                tgt_key_padding_mask=tgt_key_padding_mask,
                memory_key_padding_mask=memory_key_padding_mask,
                tgt_is_causal=tgt_is_causal,
                memory_is_causal=memory_is_causal,
            )
        return tgt if self.norm is None else self.norm(tgt)


class Transformer(Module):
    """An encoder of one sequence, and a decoder that makes another one of it.

    Options are those of their layers. `custom_encoder` and `custom_decoder` take the place of
    either. Matrices start as `init.xavier_uniform_` draws them.

        >>> model = opwright.nn.Transformer(4, 2, 1, 1, 8)
        >>> model(opwright.ones(7, 3, 4), opwright.ones(5, 3, 4)).shape
        opwright.Size([5, 3, 4])
    """

    def __init__(
        self,
        d_model: int = 512,
        nhead: int = 8,
        num_encoder_layers: int = 6,
        num_decoder_layers: int = 6,
        dim_feedforward: int = 2048,
        dropout: float = 0.1,
        activation: _Activation = functional.relu,
        custom_encoder: Any = None,
        custom_decoder: Any = None,
        layer_norm_eps: float = 1e-5,
        batch_first: bool = False,
        norm_first: bool = False,
        bias: bool = True,
        device: Any = None,
        dtype: _C._DType | None = None,
    ) -> None:
        super().__init__()
        _check_sizes(type(self).__name__, d_model, nhead, dim_feedforward, dropout)
        options: dict[str, Any] = {"bias": bias, "device": device, "dtype": dtype}
        of_layers: dict[str, Any] = {
            "dim_feedforward": dim_feedforward,
            "dropout": dropout,
            "activation": activation,
            "layer_norm_eps": layer_norm_eps,
            "batch_first": batch_first,
            "norm_first": norm_first,
            **options,
        }
        if custom_encoder is None:
            encoder_layer = TransformerEncoderLayer(d_model, nhead, **of_layers)
            encoder_norm = LayerNorm(d_model, eps=layer_norm_eps, **options)
            custom_encoder = TransformerEncoder(encoder_layer, num_encoder_layers, encoder_norm)
        self.encoder = custom_encoder
        if custom_decoder is None:
            decoder_layer = TransformerDecoderLayer(d_model, nhead, **of_layers)
            decoder_norm = LayerNorm(d_model, eps=layer_norm_eps, **options)
            custom_decoder = TransformerDecoder(decoder_layer, num_decoder_layers, decoder_norm)
        self.decoder = custom_decoder
        self._reset_parameters()
        self.d_model = d_model
        self.nhead = nhead
        self.batch_first = batch_first

    def _reset_parameters(self) -> None:
        for parameter in self.parameters():
            if parameter.ndim > 1:
                init.xavier_uniform_(parameter)

    @staticmethod
    def generate_square_subsequent_mask(
        sz: int, device: Any = None, dtype: _C._DType | None = None
    ) -> Tensor:
        """The causal mask: `-inf` for what comes later, and 0 elsewhere.

        >>> opwright.nn.Transformer.generate_square_subsequent_mask(2).tolist()
        [[0.0, -inf], [0.0, 0.0]]
        """
        return _square_mask(sz, device, dtype)

    def forward(
        self,
        src: Tensor,
        tgt: Tensor,
        src_mask: Tensor | None = None,
        tgt_mask: Tensor | None = None,
        memory_mask: Tensor | None = None,
        src_key_padding_mask: Tensor | None = None,
        tgt_key_padding_mask: Tensor | None = None,
        memory_key_padding_mask: Tensor | None = None,
        src_is_causal: bool | None = None,
        tgt_is_causal: bool | None = None,
        memory_is_causal: bool = False,
    ) -> Tensor:
        """A sequence like `tgt`; masks are those of encoder and decoder."""
        batch = 0 if self.batch_first else 1
        if src.ndim == 3 and src.shape[batch] != tgt.shape[batch]:
            raise RuntimeError(
                f"src and tgt must have batches of one size, but have shapes {list(src.shape)} and "
                f"{list(tgt.shape)}"
            )
        for name, it in (("src", src), ("tgt", tgt)):
            if it.shape[-1] != self.d_model:
                raise RuntimeError(
                    f"{name} must have {self.d_model} features, but has shape {list(it.shape)}"
                )
        memory = self.encoder(
            src,
            mask=src_mask,
            src_key_padding_mask=src_key_padding_mask,
            is_causal=src_is_causal,
        )
        made: Tensor = self.decoder(
            tgt,
            memory,
            tgt_mask=tgt_mask,
            memory_mask=memory_mask,
            tgt_key_padding_mask=tgt_key_padding_mask,
            memory_key_padding_mask=memory_key_padding_mask,
            tgt_is_causal=tgt_is_causal,
            memory_is_causal=memory_is_causal,
        )
        return made
