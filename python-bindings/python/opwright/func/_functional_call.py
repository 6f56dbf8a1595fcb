"""Modules as functions of their parameters, which transforms differentiate and batch."""

from __future__ import annotations

from opwright import _C

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any

    from opwright import Tensor
    from opwright.nn import Module

    # Where a member of a module is kept, and under which name.
    _Place = tuple[dict[str, Any], str]


def functional_call(
    module: Module,
    parameter_and_buffer_dicts: Mapping[str, Tensor] | Sequence[Mapping[str, Tensor]],
    args: Any = None,
    kwargs: Mapping[str, Any] | None = None,
    *,
    tie_weights: bool = True,
    strict: bool = False,
) -> Any:
    """What `module` returns of `args` with other tensors as its parameters and buffers.

    `parameter_and_buffer_dicts` has the tensors by the names of `named_parameters` and
    `named_buffers`, in one dictionary or several. `args` is a tuple, or the only argument. With
    `tie_weights`, a tensor that the module has under several names is replaced under all of them.
    With `strict`, all members have to be there, and nothing else; other names change nothing
    otherwise. The module is afterwards as it was before; what it writes to its buffers meanwhile
    goes to the tensors that stood for them.

        >>> layer = opwright.nn.Linear(2, 1)
        >>> tensors = {"weight": opwright.ones(1, 2), "bias": opwright.zeros(1)}
        >>> opwright.func.functional_call(layer, tensors, opwright.tensor([1.0, 2.0]))
        tensor([3.], dtype=float32, shape=(1,))
    """
    given = _merged(parameter_and_buffer_dicts)
    places = dict(_places(module, ""))
    _check(given, places, strict)
    given = {name: it for name, it in given.items() if name in places}
    replaced = _tied(given, places) if tie_weights else given
    before = {name: places[name][0][places[name][1]] for name in replaced}
    positional = () if args is None else args if isinstance(args, tuple) else (args,)
    try:
        for name, tensor in replaced.items():
            home, own = places[name]
            home[own] = tensor
        return module(*positional, **(kwargs or {}))
    finally:
        for name, tensor in before.items():
            home, own = places[name]
            home[own] = tensor


def _merged(dicts: Any) -> dict[str, Tensor]:
    """All tensors by name; one that is there twice is an error."""
    if hasattr(dicts, "keys"):
        return dict(dicts)
    if not isinstance(dicts, list | tuple) or not all(hasattr(it, "keys") for it in dicts):
        raise ValueError(
            f"Expected parameter_and_buffer_dicts to be a dict, or a list/tuple of dicts, but got "
            f"{type(dicts)}"
        )
    merged: dict[str, Tensor] = {}
    for one in dicts:
        twice = merged.keys() & one.keys()
        if twice:
            raise ValueError(
                f"{sorted(twice)} appeared in multiple dictionaries; behavior of functional call "
                "is ambiguous"
            )
        merged.update(one)
    return merged


def _places(module: Module, prefix: str) -> Iterator[tuple[str, _Place]]:
    for members in (module._parameters, module._buffers):
        for name in members:
            yield prefix + name, (members, name)
    for name, child in module._modules.items():
        if child is not None:
            yield from _places(child, f"{prefix}{name}.")


def _check(given: Mapping[str, Any], places: Mapping[str, _Place], strict: bool) -> None:
    unknown = [name for name in given if name not in places]
    missing = [name for name in places if name not in given]
    for what, names in (("Unexpected", unknown), ("Missing", missing)):
        if names and strict:
            raise RuntimeError(
                f"functional_call(): {what} key(s): {', '.join(names)}; the names are those of "
                f"named_parameters() and named_buffers()"
            )


def _tied(given: Mapping[str, Tensor], places: Mapping[str, _Place]) -> dict[str, Tensor]:
    """What is given, and the same for other names of the same tensors."""
    by_tensor = {id(places[name][0][places[name][1]]): it for name, it in given.items()}
    replaced = dict(given)
    for name, (home, own) in places.items():
        member = home[own]
        if name not in replaced and member is not None and id(member) in by_tensor:
            replaced[name] = by_tensor[id(member)]
    return replaced


def stack_module_state(
    models: Sequence[Module],
) -> tuple[dict[str, Tensor], dict[str, Tensor]]:
    """The parameters and the buffers of modules that are alike, stacked by their names.

    The modules are along a new first dimension. `vmap` over `functional_call` runs them as an
    ensemble:

        >>> models = [opwright.nn.Linear(2, 1) for _ in range(3)]
        >>> parameters, buffers = opwright.func.stack_module_state(models)
        >>> def run(parameters, x):
        ...     return opwright.func.functional_call(models[0], parameters, x)
        >>> opwright.func.vmap(run, in_dims=(0, None))(parameters, opwright.ones(2)).shape
        opwright.Size([3, 1])
    """
    if not models:
        raise RuntimeError("stack_module_state: Expected at least one model, got 0.")
    if len({it.training for it in models}) > 1:
        raise RuntimeError(
            "stack_module_state: Expected all models to have the same training/eval mode."
        )
    if any(type(it) is not type(models[0]) for it in models):
        raise RuntimeError("stack_module_state: Expected all models to be of the same class.")
    parameters = _stacked([dict(it.named_parameters()) for it in models])
    return parameters, _stacked([dict(it.named_buffers()) for it in models])


def replace_all_batch_norm_modules_(root: Module) -> Module:
    """Take running statistics out of the batch normalizations in `root`, and return it.

    `vmap` cannot write to them for each sample; they normalize by the batch afterwards.
    """
    for module in root.modules():
        if "running_mean" in module._buffers:
            for name in ("running_mean", "running_var", "num_batches_tracked"):
                module._buffers[name] = None
            module.__dict__["track_running_stats"] = False
    return root


def _stacked(members: Sequence[Mapping[str, Any]]) -> dict[str, Tensor]:
    found = {}
    for name, first in members[0].items():
        stacked = _C.stack([it[name].detach() for it in members])
        found[name] = stacked.requires_grad_() if first.requires_grad else stacked
    return found
