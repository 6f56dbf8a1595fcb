"""Batching rules: how a call of one sample becomes a call of all of them.

Most rules follow from what is declared of an operator: its tags, and the names and types of its
parameters. Batches come first among the dimensions, so that dimensions counted from the end stay
where they are.

    pointwise  ranks are aligned behind the batches, and the rest is broadcasting
    dimension  a dimension from the start is counted from the end
    size       a size gets the samples in front
    leading    what comes first is a batch to the operator itself
    product    matrices are multiplied as batches of them
    folded     samples and the operator's own batch become one dimension
    loop       one call for each sample, and the results are stacked

A rule that does not know the arguments of a call leaves it to the loop.
"""

from __future__ import annotations

import itertools
import re
from functools import cache

from opwright import _C
from opwright._overloads import native_names

from . import _batched
from ._batched import BatchedTensor, aligned, expanded, levels_of, physical, union, wrapped
from ._batched_call import DIMENSIONS, BatchedCall, BoundCall, mapped_results
from ._products import PARTS, PRODUCTS, by_parts, einsum, product
from ._pytree import flatten

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    _Rule = Callable[["BatchedCall"], Any]


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


# What people ask of a tensor, which its shape and dtype answer.
_QUESTIONS = _names(
    """
    can_cast dim element_size is_complex is_conj is_contiguous is_floating_point is_inference
    is_neg is_same_size is_signed is_storage is_tensor ndimension nelement numel result_type
    size stride storage_offset
    """
)

# Operators to which whatever comes before their own dimensions is a batch, if their other tensors
# are of one sample.
_LEADING = _names(
    """
    _to_copy adjoint alias cholesky cholesky_inverse clone constant_pad_nd contiguous cpu det
    detach empty_like fill frobenius_norm full_like geqrf inverse layer_norm linalg_cholesky
    linalg_cholesky_ex linalg_cond linalg_det linalg_eig linalg_eigh linalg_eigvals
    linalg_eigvalsh linalg_inv linalg_inv_ex linalg_ldl_factor linalg_ldl_factor_ex linalg_lu
    linalg_lu_factor linalg_lu_factor_ex linalg_matrix_exp linalg_matrix_power
    linalg_matrix_rank linalg_pinv linalg_qr linalg_slogdet linalg_svd linalg_svdvals
    linalg_vander logdet matrix_exp matrix_power native_layer_norm ones_like pinverse
    qr resolve_conj resolve_neg rms_norm slogdet svd to tril triu type_as view_as_complex zero
    zeros_like
    """
)

# Operators of images and the like, whose first dimension is a batch if there are two more than
# their name says.
_FOLDED = re.compile(
    r"(conv|conv_transpose|max_pool|avg_pool|adaptive_avg_pool|adaptive_max_pool|lp_pool"
    r"|reflection_pad|replication_pad)([123])d"
)

# Parameters that are sizes of results.
_SIZES = frozenset({"size", "shape"})

# Operators whose dimensions are those of a result that has one more.
_ADDS_DIMENSION = frozenset({"unsqueeze", "stack", "expand_dims", "diag_embed"})

# Operators with a size that is not that of the result, or dimensions that are more than named.
_OTHERWISE = _names(
    """
    as_strided unfold fold im2col col2im interpolate bincount histc narrow_copy tensordot roll
    rot90 repeat_interleave nonzero cov corrcoef index_put renorm linalg_norm norm linalg_cross
    unique unique_consecutive unique_dim trapz trapezoid cumulative_trapezoid gradient stft
    istft fft_rfftn fft_irfftn fft_fftn fft_ifftn fft_hfftn fft_ihfftn fft_fftshift
    fft_ifftshift squeeze sum_to_size nonzero_static unsafe_split_with_sizes count_nonzero
    new_empty_strided empty_strided segment_reduce
    """
)

# Reductions that reduce everything if no dimension is named, by what reduces one.
_REDUCES_ALL = {
    **{
        it: it
        for it in _names("all amax amin any argmax argmin mean nanmean nansum prod std std_mean")
        | _names("sum var var_mean")
    },
    "linalg_vector_norm": "linalg_vector_norm",
    "max": "amax",
    "min": "amin",
}


# --- the rules ------------------------------------------------------------------------


def call(function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Calls a function for all samples."""
    name = _name(function)
    batched = BatchedCall(function, name, args, kwargs)
    if name in _QUESTIONS:
        return batched.sample()
    _check(batched)
    rule = _RULES[rule_of(name)]
    found = rule(batched)
    return _loop(batched) if found is NotImplemented else found


@cache
def _name(function: Any) -> str:
    """The name of the operator behind a function, a method or an overload."""
    if type(function).__module__.endswith(".ops"):
        return str(function.__name__).partition(".")[0]
    for name in native_names(function):
        return name.rpartition(".")[2]
    return str(getattr(function, "__name__", function))


@cache
def _tags(name: str) -> frozenset[str]:
    """What is said of overloads of an operator; that it is pointwise, of all of them."""
    operator = getattr(_C.ops, name, None)
    if operator is None:
        return frozenset()
    each = [set(getattr(operator, it).tags) for it in operator.overloads]
    found = set().union(*each)
    if not all("pointwise" in it for it in each):
        found.discard("pointwise")
    return frozenset(found)


@cache
def rule_of(name: str) -> str:
    """The name of the rule of an operator."""
    tags = _tags(name)
    base = _base(name)
    if "nondeterministic_seeded" in tags:
        return "random"
    if name in _SPECIAL:
        return name
    if "pointwise" in tags or "pointwise" in _tags(base) or {name, base} & _POINTWISE:
        return "pointwise"
    if name in PRODUCTS:
        return "product"
    if base in _LEADING:
        return "leading"
    if _FOLDED.fullmatch(base):
        return "folded"
    if base in _OTHERWISE:
        return "loop"
    names = _parameter_names(name)
    if names & DIMENSIONS or base in _REDUCES_ALL:
        return "dimension"
    return "size" if names & _SIZES else "loop"


def _base(name: str) -> str:
    """The name without what says that it writes in place, or that it copies a view."""
    base = name[:-1] if name.endswith("_") and not name.endswith("__") else name
    return base.removesuffix("_copy") if base != "_to_copy" else base


def _parameter_names(name: str) -> set[str]:
    operator = getattr(_C.ops, name, None)
    if operator is None:
        return set()
    schemas = [getattr(operator, it).schema for it in operator.overloads]
    return {it for schema in schemas for it in re.findall(r"(\w+)(?:=[^,()]*)?[,)]", schema)}


def _check(call: BatchedCall) -> None:
    """Refuses what has no meaning for a batch."""
    tags = _tags(call.name)
    is_dynamic = bool(tags & {"data_dependent_output", "dynamic_output_shape"})
    if is_dynamic or (call.name == "where" and len(call.leaves) == 1):
        raise RuntimeError(
            f"vmap: {call.name}() gives results whose shape or value depends on the elements of "
            "one sample, which differ in a batch"
        )
    if call.kwargs.get("out") is not None:
        raise RuntimeError(
            f"vmap: {call.name}(): argument 'out' cannot be a tensor that each sample is written "
            "to; use what is returned"
        )
    if "inplace_view" in tags and call.is_in_place():
        raise RuntimeError(
            f"vmap: {call.name}() changes the shape of one sample in place; use "
            f"{call.name.removesuffix('_')}()"
        )
    if call.is_in_place():
        _check_written(call, call.args[0] if call.args else call.leaves[0])


def _check_written(call: BatchedCall, target: Any) -> None:
    if levels_of(target) != call.levels:
        raise RuntimeError(
            f"vmap: {call.name}(self, *extra_args) is not possible because there exists a Tensor "
            f"`other` in extra_args that has more elements than `self`: `self` is not batched, and "
            f"a call without the underscore makes a tensor for each sample"
        )


def _pointwise(call: BatchedCall) -> Any:
    ranks = [it.dim() for it in call.tensors]
    rank = max(ranks)
    if len({it.dtype for it in call.tensors}) > 1 and 0 in ranks:
        # Tensors without dimensions decide less about the dtype.
        return NotImplemented
    if call.is_in_place() and call.tensors[0].dim() < rank:
        return NotImplemented
    returned = call.again(
        aligned(it, call.levels, rank) if levels_of(it) else it for it in call.leaves
    )
    return call.tensors[0] if call.is_in_place() else call.outcome(returned)


def _along_dimension(call: BatchedCall) -> Any:
    bound = call.bound()
    if bound is None:
        return NotImplemented
    first = bound.first()
    own = first if isinstance(first, list | tuple) else [first]
    if not own or not all(isinstance(it, _C.TensorBase) for it in own):
        return NotImplemented
    rank = own[0].dim()
    base = _base(call.name)
    dimensions = [name for name in bound.values if name in DIMENSIONS]
    if base in _REDUCES_ALL and all(bound.values[it] in (None, (), []) for it in dimensions):
        return _reduce_all(call, bound, own[0], rank)
    if (rank == 0 and base not in _ADDS_DIMENSION) or not dimensions:
        return NotImplemented
    for name in dimensions:
        counted = _from_end(bound.values[name], rank + (base in _ADDS_DIMENSION))
        if counted is None:
            return NotImplemented
        if base == "permute" or (base == "permute_dims"):
            counted = (*range(len(call.levels)), *counted)
        bound.values[name] = counted
    if not _spread_tensors(call, bound, first, rank):
        return NotImplemented
    returned = bound.run()
    return call.tensors[0] if call.is_in_place() else call.outcome(returned)


def _from_end(value: Any, rank: int) -> Any:
    """Dimensions counted from the end; None if some are none of `rank`."""
    if isinstance(value, tuple | list):
        counted = [_from_end(it, rank) for it in value]
        return None if None in counted or not counted else tuple(counted)
    if not isinstance(value, int) or isinstance(value, bool) or not -rank <= value < rank:
        return None
    return value - rank if value >= 0 else value


def _spread_tensors(call: BatchedCall, bound: BoundCall, first: Any, rank: int) -> bool:
    """Takes all tensors of a call to the whole batch, if they have the rank of the first."""
    for name, value in bound.values.items():
        if value is first and not bound.receiver:
            continue
        if isinstance(value, _C.TensorBase):
            if call.name.startswith("index_") and name == "index":
                if levels_of(value):
                    return False
                continue
            if value.dim() != rank:
                return False
            bound.values[name] = expanded(value, call.levels)
        elif any(levels_of(it) for it in flatten(value)[0]):
            return False
    if isinstance(first, list | tuple):
        if call.name != "cat" and len({it.dim() for it in first}) > 1:
            return False
        bound.with_first([expanded(it, call.levels) for it in first])
    elif call.is_in_place():
        bound.with_first(physical(first))
    else:
        bound.with_first(expanded(first, call.levels))
    return True


def _reduce_all(call: BatchedCall, bound: BoundCall, tensor: Any, rank: int) -> Any:
    """A reduction of all dimensions of a sample as that of one."""
    values = {name: it for name, it in bound.values.items() if name not in DIMENSIONS}
    if values.pop("keepdim", False) or len(call.tensors) != 1:
        return NotImplemented
    if not bound.receiver:
        values.pop(next(iter(values)))
    batch = physical(tensor)
    batch = batch.flatten(-rank) if rank else batch.unsqueeze(-1)
    other = _REDUCES_ALL[call.name]
    function = getattr(_C, other, None) or getattr(_C._linalg, other)
    return call.outcome(function(batch, dim=-1, **values))


def _sized(call: BatchedCall) -> Any:
    bound = call.bound()
    if bound is None or not isinstance(bound.first(), _C.TensorBase):
        return NotImplemented
    first = bound.first()
    if len(call.tensors) != 1:
        return NotImplemented
    names = [name for name in bound.values if name in _SIZES]
    if len(names) != 1:
        return NotImplemented
    size = bound.values[names[0]]
    size = (size,) if isinstance(size, int) else tuple(size)
    grows = _base(call.name) in ("expand", "broadcast_to")
    bound.values[names[0]] = _batched.sizes_of(call.levels) + size
    bound.with_first(expanded(first, call.levels, len(size) if grows else None))
    return call.outcome(bound.run())


def _leading(call: BatchedCall) -> Any:
    first = call.leaves[0]
    if not isinstance(first, BatchedTensor) or union(call.tensors[1:]):
        return NotImplemented
    if len(call.tensors) > 1 and (call.name.startswith("linalg_") or call.is_in_place()):
        return NotImplemented
    returned = call.again(physical(it) for it in call.leaves)
    if call.is_in_place():
        return first
    sizes = _batched.sizes_of(call.levels)
    tensors = [it for it in flatten(returned)[0] if isinstance(it, _C.TensorBase)]
    # Results that are not asked for are empty.
    is_whole = all(tuple(it.shape[: len(sizes)]) == sizes for it in tensors)
    return call.outcome(returned) if is_whole else NotImplemented


def _folded(call: BatchedCall) -> Any:
    first = call.leaves[0]
    if not isinstance(first, BatchedTensor) or union(call.tensors[1:]):
        return NotImplemented
    count = len(call.levels)
    found = _FOLDED.fullmatch(call.name)
    spatial = int(found[2]) if found else first.dim() - 2
    own = first.dim() - spatial - 1
    if own not in (0, 1):
        return NotImplemented
    batch = physical(first)
    front = tuple(batch.shape[: count + own])
    if 0 in front:
        return NotImplemented
    leaves = [batch.flatten(0, count + own - 1), *call.leaves[1:]]
    returned = call.again(leaves)
    return call.outcome(mapped_results(lambda it: it.unflatten(0, front), returned))


def _squeeze(call: BatchedCall) -> Any:
    """Without a dimension, all those of size 1 but the samples."""
    tensor = call.leaves[0]
    if len(call.leaves) > 1 or call.is_in_place():
        return NotImplemented if tensor.dim() == 0 else _along_dimension(call)
    ones = tuple(at - tensor.dim() for at, size in enumerate(tensor.shape) if size == 1)
    batch = physical(tensor)
    return call.outcome(batch.squeeze(ones) if ones else batch.view_as(batch))


def _get(call: BatchedCall) -> Any:
    """`x[key]`: slices and integers behind the batches; one index that has samples of its own."""
    tensor, key = call.args
    if any(levels_of(it) and _is_mask(it) for it in (key if isinstance(key, tuple) else (key,))):
        raise RuntimeError(
            "vmap: a mask picks as many elements as it has true ones, which differ in a batch; "
            "opwright.where keeps the shape"
        )
    if not isinstance(tensor, BatchedTensor):
        if isinstance(key, BatchedTensor) and not levels_of(tensor) and key.dtype != _C.bool:
            return call.outcome(tensor[physical(key)])
        return NotImplemented
    parts = key if isinstance(key, tuple) else (key,)
    if not all(it is None or it is ... or isinstance(it, int | slice) for it in parts):
        is_one = len(parts) == 1 and isinstance(parts[0], _C.TensorBase | list)
        if not is_one or union(flatten(list(parts))[0]) or _is_mask(parts[0]):
            return NotImplemented
    before = (slice(None),) * len(call.levels)
    return call.outcome(physical(tensor)[before + parts])


def _is_mask(index: Any) -> bool:
    if isinstance(index, _C.TensorBase):
        return index.dtype in (_C.bool, _C.uint8)
    return any(isinstance(it, bool) for it in flatten(index)[0])


def _set(call: BatchedCall) -> Any:
    """`x[key] = value`: what is picked is a view, to which the value is copied."""
    tensor, key, value = call.args
    _check_written(call, tensor)
    parts = key if isinstance(key, tuple) else (key,)
    if all(it is None or it is ... or isinstance(it, int | slice) for it in parts):
        view = tensor[key]
        if isinstance(value, _C.TensorBase):
            view.copy_(value)
        else:
            physical(view).fill_(value)
        return None
    _each(call)
    return None


def _random(call: BatchedCall) -> Any:
    behaviour = _batched.randomness()
    if behaviour == "error":
        raise RuntimeError(
            f"vmap: called random operation {call.name}() while in randomness error mode; pass "
            f"randomness='different' or 'same' to vmap"
        )
    return NotImplemented


def _repeat(call: BatchedCall) -> Any:
    """Copies beside each other: one of the samples."""
    bound = call.bound()
    if bound is None or len(call.tensors) != 1:
        return NotImplemented
    first, (name, repeats) = bound.first(), list(bound.values.items())[-1]
    if not isinstance(repeats, tuple | list):
        return NotImplemented
    rank = max(len(repeats), first.dim())
    repeats = (1,) * (len(call.levels) + rank - len(repeats)) + tuple(repeats)
    bound.values[name] = repeats
    bound.with_first(aligned(first, call.levels, rank))
    return call.outcome(bound.run())


def _loss(call: BatchedCall) -> Any:
    """A loss of elements, reduced for each sample."""
    bound = call.bound()
    if bound is None or "reduction" not in {name for name, _, _ in bound.parameters}:
        return NotImplemented
    reduction = _REDUCTIONS.get(bound.values.get("reduction", "mean"))
    if reduction is None or bound.receiver:
        return NotImplemented
    values = {name: _repeated(it, call.levels) for name, it in bound.values.items()}
    elements = BatchedCall(call.function, call.name, (), values | {"reduction": "none"})
    found = _pointwise(elements)
    if found is NotImplemented or reduction == "none":
        return found
    return found.mean() if reduction == "mean" else found.sum()


def _repeated(value: Any, levels: tuple[int, ...]) -> Any:
    """A tensor with samples of all levels, those that it lacks without a copy; others unchanged."""
    if not isinstance(value, _C.TensorBase) or levels_of(value) == levels:
        return value
    return wrapped(expanded(value, levels), levels)


# Words and numbers of reductions.
_REDUCTIONS = {word: word for word in ("none", "mean", "sum")} | {0: "none", 1: "mean", 2: "sum"}


def _cross_entropy(call: BatchedCall) -> Any:
    """The cross entropy with classes, by its parts."""
    bound = call.bound()
    if bound is None or bound.receiver or len(call.tensors) != 2:
        return NotImplemented
    x, target = call.tensors
    values = bound.values
    reduction = _REDUCTIONS.get(values.get("reduction", "mean"))
    is_plain = not values.get("label_smoothing") and not target.is_floating_point()
    if reduction is None or not is_plain or x.dim() not in (1, 2) or target.dim() != x.dim() - 1:
        return NotImplemented
    is_counted = target != values.get("ignore_index", -100)
    at = _C.where(is_counted, target, 0).unsqueeze(-1)
    found = -_C.log_softmax(x, -1).gather(-1, at).squeeze(-1)
    found = _C.where(is_counted, found, 0.0)
    if reduction == "mean":
        return found.sum() / is_counted.sum()
    return found.sum() if reduction == "sum" else found


_LOSSES = _names(
    """
    mse_loss l1_loss smooth_l1_loss huber_loss soft_margin_loss binary_cross_entropy
    binary_cross_entropy_with_logits kl_div poisson_nll_loss
    """
)

# Element-wise operators that are not tagged as such: most stand for another one.
_POINTWISE = _names(
    """
    bitwise_invert complex conj conj_physical copy_ floor_divide hardswish hardsigmoid hardtanh
    imag isclose isreal leaky_relu logsigmoid log_sigmoid mish polar real relu6 rsub selu silu
    softplus softshrink softsign special_bessel_j0 special_bessel_j1 special_digamma special_erf
    special_erfc special_erfinv special_exp2 special_expit special_expm1 special_gammainc
    special_gammaincc special_gammaln special_i0 special_log1p special_logit special_ndtr
    special_psi special_round special_sinc special_xlogy square tanhshrink threshold
    true_divide masked_fill
    where
    """
)

_SPECIAL: dict[str, _Rule] = {
    **dict.fromkeys(PARTS, by_parts),
    **dict.fromkeys(_LOSSES, _loss),
    "cross_entropy_loss": _cross_entropy,
    "repeat": _repeat,
    "tile": _repeat,
    "einsum": einsum,
    "squeeze": _squeeze,
    "__getitem__": _get,
    "__setitem__": _set,
}


# --- the loop ----------------------------------------------------------------------------


def _loop(call: BatchedCall) -> Any:
    """One call for each sample."""
    found = _each(call)
    if call.is_in_place():
        return call.leaves[0]
    sizes = _batched.sizes_of(call.levels)
    if not found:
        return call.outcome(mapped_results(lambda it: _empty(it, sizes), call.sample()))
    return _stacked(call, found, sizes)


def _each(call: BatchedCall) -> list[Any]:
    sizes = _batched.sizes_of(call.levels)
    batches = [expanded(it, call.levels) if levels_of(it) else it for it in call.leaves]
    batches = [
        physical(leaf) if levels_of(leaf) == call.levels else batch
        for leaf, batch in zip(call.leaves, batches, strict=True)
    ]
    state = _C.default_generator.get_state() if rule_of(call.name) == "random" else None
    found = []
    for place in itertools.product(*map(range, sizes)):
        if state is not None:
            _C.default_generator.set_state(state)
        leaves = [
            batch[place] if levels_of(leaf) else leaf
            for leaf, batch in zip(call.leaves, batches, strict=True)
        ]
        found.append(call.again(leaves))
    return found


def _empty(value: Any, sizes: tuple[int, ...]) -> Any:
    if not isinstance(value, _C.TensorBase):
        return value
    return _C.empty(sizes + tuple(value.shape), dtype=value.dtype)


def _stacked(call: BatchedCall, found: list[Any], sizes: tuple[int, ...]) -> Any:
    first = found[0]
    if isinstance(first, tuple | list) and not isinstance(first, _C._SizeBase):
        if len({len(it) for it in found}) > 1:
            raise RuntimeError(
                f"vmap: {call.name}() gives more results for one sample than another"
            )
        parts = [_stacked(call, list(it), sizes) for it in zip(*found, strict=True)]
        make = getattr(type(first), "_make", None)
        return make(parts) if make is not None else type(first)(parts)
    if not isinstance(first, _C.TensorBase):
        if isinstance(first, bool | int | float | complex):
            raise RuntimeError(
                f"vmap: {call.name}() gives a number of Python, which cannot be another one for "
                "each sample"
            )
        return first
    if len({tuple(it.shape) for it in found}) > 1:
        raise RuntimeError(
            f"vmap: {call.name}() gives results whose shape depends on the elements of one sample, "
            f"which differ in a batch"
        )
    return wrapped(_C.stack(found).reshape(sizes + tuple(first.shape)), call.levels)


_RULES: dict[str, _Rule] = {
    "pointwise": _pointwise,
    "dimension": _along_dimension,
    "size": _sized,
    "leading": _leading,
    "folded": _folded,
    "product": product,
    "random": _random,
    "loop": _loop,
    **_SPECIAL,
}
