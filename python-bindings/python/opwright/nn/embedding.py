"""Embeddings: layers that look up rows of a learnt matrix, one by one or in bags."""

from __future__ import annotations

from opwright import _C
from opwright.nn import functional, init
from opwright.nn._arguments import integer, size
from opwright.nn.module import Module
from opwright.nn.parameter import Parameter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Self

    from opwright import Tensor

__all__ = ["Embedding", "EmbeddingBag"]


class _Rows(Module):
    """A matrix of rows that are looked up."""

    weight: Parameter
    num_embeddings: int
    embedding_dim: int
    padding_idx: int | None

    def _make(
        self,
        num_embeddings: int,
        embedding_dim: int,
        padding_idx: int | None,
        weight: Tensor | None,
        requires_grad: bool,
        device: Any,
        dtype: _C._DType | None,
    ) -> None:
        name = type(self).__name__
        self.num_embeddings = count = size(name, "num_embeddings", num_embeddings)
        self.embedding_dim = size(name, "embedding_dim", embedding_dim)
        if padding_idx is not None:
            padding_idx = integer(name, "padding_idx", padding_idx)
            if not -count <= padding_idx < count:
                raise ValueError(
                    f"{name}(): argument 'padding_idx' must be the number of one of {count} rows, "
                    f"but is {padding_idx}"
                )
            padding_idx %= count
        self.padding_idx = padding_idx
        shape = (count, self.embedding_dim)
        if weight is None:
            made = _C.empty(shape, device=device, dtype=dtype)
            self.weight = Parameter(made, requires_grad)
            self.reset_parameters()
            return
        if tuple(weight.shape) != shape:
            raise ValueError(
                f"{name}(): argument '_weight' must have the shape {list(shape)}, but has "
                f"{list(weight.shape)}"
            )
        self.weight = Parameter(weight, requires_grad)

    def reset_parameters(self) -> None:
        """Draw the rows again."""
        init.normal_(self.weight)
        if self.padding_idx is not None:
            init.zeros_(self.weight.detach()[self.padding_idx])

    def _repr_of(self, options: dict[str, Any]) -> str:
        """The sizes, and options that are not as they are by default."""
        values = {name: getattr(self, name) for name in options}
        shown = [f"{it}={value!r}" for it, value in values.items() if value != options[it]]
        return ", ".join([f"{self.num_embeddings}, {self.embedding_dim}", *shown])


def _check_matrix(embeddings: Tensor) -> None:
    if embeddings.ndim != 2:
        raise ValueError(
            f"from_pretrained(): argument 'embeddings' must have 2 dimensions, not "
            f"{embeddings.ndim}"
        )


class Embedding(_Rows):
    """The rows of a matrix with the numbers in the input; they start normally distributed.

    The row `padding_idx` starts at zero and is not learnt. With `max_norm`, rows whose
    `norm_type`-norm is greater are scaled down when they are used. With `scale_grad_by_freq`,
    gradients are divided by how often a row was used. `sparse` changes nothing: gradients are
    dense.

        >>> opwright.nn.Embedding(10, 3)(opwright.tensor([[1, 2], [4, 5]])).shape
        opwright.Size([2, 2, 3])
    """

    __constants__ = [  # noqa: RUF012
        "num_embeddings",
        "embedding_dim",
        "padding_idx",
        "max_norm",
        "norm_type",
        "scale_grad_by_freq",
        "sparse",
    ]

    def __init__(
        self,
        num_embeddings: int,
        embedding_dim: int,
        padding_idx: int | None = None,
        max_norm: float | None = None,
        norm_type: float = 2.0,
        scale_grad_by_freq: bool = False,
        sparse: bool = False,
        _weight: Tensor | None = None,
        _freeze: bool = False,
        device: Any = None,
        dtype: _C._DType | None = None,
    ) -> None:
        super().__init__()
        self.max_norm = max_norm
        self.norm_type = norm_type
        self.scale_grad_by_freq = scale_grad_by_freq
        self.sparse = sparse
        self._make(num_embeddings, embedding_dim, padding_idx, _weight, not _freeze, device, dtype)

    @classmethod
    def from_pretrained(
        cls,
        embeddings: Tensor,
        freeze: bool = True,
        padding_idx: int | None = None,
        max_norm: float | None = None,
        norm_type: float = 2.0,
        scale_grad_by_freq: bool = False,
        sparse: bool = False,
    ) -> Self:
        """A layer whose rows are those of a matrix, which are learnt unless `freeze` is true."""
        _check_matrix(embeddings)
        return cls(
            embeddings.shape[0],
            embeddings.shape[1],
            padding_idx=padding_idx,
            max_norm=max_norm,
            norm_type=norm_type,
            scale_grad_by_freq=scale_grad_by_freq,
            sparse=sparse,
            _weight=embeddings,
            _freeze=freeze,
        )

    def forward(self, input: Tensor) -> Tensor:
        """The rows, in a dimension behind those of the input."""
        return functional.embedding(
            input,
            self.weight,
            self.padding_idx,
            self.max_norm,
            self.norm_type,
            self.scale_grad_by_freq,
            self.sparse,
        )

    def extra_repr(self) -> str:
        """The sizes, and what is not as it is by default."""
        return self._repr_of(
            {
                "padding_idx": None,
                "max_norm": None,
                "norm_type": 2.0,
                "scale_grad_by_freq": False,
                "sparse": False,
            }
        )


class EmbeddingBag(_Rows):
    """The sums, means or maxima of bags of rows of a matrix, by their numbers in the input.

    `mode` is `"sum"`, `"mean"` or `"max"`. Bags are the rows of an input of two dimensions, or
    what lies between `offsets` in a vector, up to the last of them with `include_last_offset`.
    The row `padding_idx` does not count. Other options are those of `Embedding`.

        >>> opwright.nn.EmbeddingBag(10, 3)(opwright.tensor([[1, 2], [4, 5]])).shape
        opwright.Size([2, 3])
    """

    __constants__ = [  # noqa: RUF012
        "num_embeddings",
        "embedding_dim",
        "max_norm",
        "norm_type",
        "scale_grad_by_freq",
        "mode",
        "sparse",
        "include_last_offset",
        "padding_idx",
    ]

    def __init__(
        self,
        num_embeddings: int,
        embedding_dim: int,
        max_norm: float | None = None,
        norm_type: float = 2.0,
        scale_grad_by_freq: bool = False,
        mode: str = "mean",
        sparse: bool = False,
        _weight: Tensor | None = None,
        include_last_offset: bool = False,
        padding_idx: int | None = None,
        device: Any = None,
        dtype: _C._DType | None = None,
    ) -> None:
        super().__init__()
        self.max_norm = max_norm
        self.norm_type = norm_type
        self.scale_grad_by_freq = scale_grad_by_freq
        self.mode = mode
        self.sparse = sparse
        self.include_last_offset = include_last_offset
        self._make(num_embeddings, embedding_dim, padding_idx, _weight, True, device, dtype)

    @classmethod
    def from_pretrained(
        cls,
        embeddings: Tensor,
        freeze: bool = True,
        max_norm: float | None = None,
        norm_type: float = 2.0,
        scale_grad_by_freq: bool = False,
        mode: str = "mean",
        sparse: bool = False,
        include_last_offset: bool = False,
        padding_idx: int | None = None,
    ) -> Self:
        """A layer whose rows are those of a matrix, which are learnt unless `freeze` is true."""
        _check_matrix(embeddings)
        made = cls(
            embeddings.shape[0],
            embeddings.shape[1],
            max_norm=max_norm,
            norm_type=norm_type,
            scale_grad_by_freq=scale_grad_by_freq,
            mode=mode,
            sparse=sparse,
            _weight=embeddings,
            include_last_offset=include_last_offset,
            padding_idx=padding_idx,
        )
        made.weight.requires_grad = not freeze
        return made

    def forward(
        self,
        input: Tensor,
        offsets: Tensor | None = None,
        per_sample_weights: Tensor | None = None,
    ) -> Tensor:
        """A row for each bag; in sums, rows count `per_sample_weights` times."""
        return functional.embedding_bag(
            input,
            self.weight,
            offsets,
            self.max_norm,
            self.norm_type,
            self.scale_grad_by_freq,
            self.mode,
            self.sparse,
            per_sample_weights,
            self.include_last_offset,
            self.padding_idx,
        )

    def extra_repr(self) -> str:
        """The sizes, the mode, and what is not as it is by default."""
        return self._repr_of(
            {
                "max_norm": None,
                "norm_type": 2.0,
                "scale_grad_by_freq": False,
                "mode": None,
                "padding_idx": None,
            }
        )
