"""Checks of gradients: those of passes are compared with differences.

>>> x = opwright.tensor([0.5, 1.0], dtype=opwright.float64, requires_grad=True)
>>> opwright.autograd.gradcheck(lambda x: x.sin() * x, x)
True
"""

from __future__ import annotations

from opwright import _C

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from opwright import Tensor

    from ._jacobians import Trial

__all__ = ["GradcheckError", "gradcheck", "gradgradcheck"]


class GradcheckError(RuntimeError):
    """Gradients are not what they should be."""


class _Options:
    """How closely numbers are compared, and what else is looked at."""

    __slots__ = (
        "atol",
        "check_backward_ad",
        "check_batched_forward_grad",
        "check_batched_grad",
        "check_forward_ad",
        "check_grad_dtypes",
        "check_undefined_grad",
        "eps",
        "fast_mode",
        "nondet_tol",
        "rtol",
    )

    def __init__(self, **given: Any) -> None:
        for name in self.__slots__:
            setattr(self, name, given[name])

    atol: float
    check_backward_ad: bool
    check_batched_forward_grad: bool
    check_batched_grad: bool
    check_forward_ad: bool
    check_grad_dtypes: bool
    check_undefined_grad: bool
    eps: float
    fast_mode: bool
    nondet_tol: float
    rtol: float


def gradcheck(
    func: Callable[..., Any],
    inputs: Any,
    *,
    eps: float = 1e-6,
    atol: float = 1e-5,
    rtol: float = 1e-3,
    raise_exception: bool = True,
    nondet_tol: float = 0.0,
    check_undefined_grad: bool = True,
    check_grad_dtypes: bool = False,
    check_batched_grad: bool = False,
    check_batched_forward_grad: bool = False,
    check_forward_ad: bool = False,
    check_backward_ad: bool = True,
    fast_mode: bool = False,
    masked: bool | None = None,
) -> bool:
    """Whether the gradients of a function are its derivatives.

    All entries of its Jacobian, as passes give them, are compared with differences of results, for
    each output that has gradients and each input that requires them. The function is called with
    copies of the inputs.

    Args:
        func: What is checked; it takes the inputs and returns a tensor or a tuple of tensors.
        inputs: A tensor or a tuple; tensors that require gradients should have double precision.
        eps: How far inputs are moved.
        atol: By how much entries may differ.
        rtol: By what part of an entry they may differ in addition.
        raise_exception: Whether a difference is an error, rather than the result `False`.
        nondet_tol: By how much gradients may differ between two passes.
        check_undefined_grad: Whether a missing gradient of an output must count as zero.
        check_grad_dtypes: Whether gradients must have the dtypes of their inputs.
        check_batched_grad: Whether passes for several gradients of an output at once must give
            what they give one by one.
        check_batched_forward_grad: Whether tangents for several directions at once must be those
            of one by one; it takes `check_forward_ad`.
        check_forward_ad: Whether forward mode is checked.
        check_backward_ad: Whether passes are checked.
        fast_mode: Whether a random combination of the entries of each matrix stands for all.
        masked: Not available.

    Raises:
        GradcheckError: The gradients are wrong.
        ValueError: No input requires gradients.
    """
    _refuse("gradcheck", {"masked": masked})
    if not (check_backward_ad or check_forward_ad):
        raise ValueError(
            "gradcheck(): with check_backward_ad=False and check_forward_ad=False nothing is left "
            "to check"
        )
    if check_batched_grad and not check_backward_ad:
        raise ValueError("gradcheck(): check_batched_grad=True takes check_backward_ad=True")
    if check_batched_forward_grad and not check_forward_ad:
        raise ValueError("gradcheck(): check_batched_forward_grad=True takes check_forward_ad=True")
    options = _Options(
        check_backward_ad=check_backward_ad,
        check_batched_forward_grad=check_batched_forward_grad,
        check_batched_grad=check_batched_grad,
        check_forward_ad=check_forward_ad,
        eps=eps,
        atol=atol,
        rtol=rtol,
        nondet_tol=nondet_tol,
        check_undefined_grad=check_undefined_grad,
        check_grad_dtypes=check_grad_dtypes,
        fast_mode=fast_mode,
    )
    given = _tuple(inputs)
    _check_inputs("gradcheck", given)
    return _holds(func, given, options, raise_exception)


def gradgradcheck(
    func: Callable[..., Any],
    inputs: Any,
    grad_outputs: Any = None,
    *,
    eps: float = 1e-6,
    atol: float = 1e-5,
    rtol: float = 1e-3,
    gen_non_contig_grad_outputs: bool = False,
    raise_exception: bool = True,
    nondet_tol: float = 0.0,
    check_undefined_grad: bool = True,
    check_grad_dtypes: bool = False,
    check_batched_grad: bool = False,
    check_fwd_over_rev: bool = False,
    check_rev_over_rev: bool = True,
    fast_mode: bool = False,
    masked: bool = False,
) -> bool:
    """Whether the gradients of the gradients of a function are their derivatives.

    This is `gradcheck` of the function's gradients, which depend on the inputs and on the gradients
    of the outputs. These are `grad_outputs`, random by default; with `gen_non_contig_grad_outputs`
    their elements are not side by side in memory. `check_rev_over_rev` says whether passes through
    passes are checked, and `check_fwd_over_rev` whether tangents of gradients are; the other
    parameters are those of `gradcheck`.
    """
    _refuse("gradgradcheck", {"masked": masked})
    if not (check_rev_over_rev or check_fwd_over_rev):
        raise ValueError(
            "gradgradcheck(): with check_rev_over_rev=False and check_fwd_over_rev=False nothing "
            "is left to check"
        )
    options = _Options(
        check_backward_ad=check_rev_over_rev,
        check_batched_forward_grad=False,
        check_batched_grad=check_batched_grad and check_rev_over_rev,
        check_forward_ad=check_fwd_over_rev,
        eps=eps,
        atol=atol,
        rtol=rtol,
        nondet_tol=nondet_tol,
        check_undefined_grad=check_undefined_grad,
        check_grad_dtypes=check_grad_dtypes,
        fast_mode=fast_mode,
    )
    given = _tuple(inputs)
    _check_inputs("gradgradcheck", given)
    if grad_outputs is None:
        seeds = _random_seeds(func, given, gen_non_contig_grad_outputs)
    else:
        seeds = _tuple(grad_outputs)
    return _holds(_slopes_of(func, len(given)), (*given, *seeds), options, raise_exception)


def _holds(
    func: Callable[..., Any], inputs: tuple[Any, ...], options: _Options, raise_exception: bool
) -> bool:
    try:
        _check(func, inputs, options)
    except GradcheckError:
        if raise_exception:
            raise
        return False
    return True


def _refuse(name: str, options: dict[str, Any]) -> None:
    """Some options are known, but not available."""
    for option, value in options.items():
        if value:
            raise NotImplementedError(f"{name}(): {option}=True is not available; leave it out")


# --- what is given ------------------------------------------------------------------


def _tuple(given: Any) -> tuple[Any, ...]:
    return tuple(given) if isinstance(given, tuple | list) else (given,)


def _check_inputs(name: str, inputs: tuple[Any, ...]) -> None:
    learnt = [it for it in enumerate(inputs) if _is_learnt(it[1])]
    if not learnt:
        raise ValueError(
            f"{name}(): no input requires gradients; set requires_grad of those that are to be "
            f"checked"
        )
    for at, tensor in learnt:
        for size, stride in zip(tensor.shape, tensor.stride(), strict=True):
            if stride == 0 and size > 1:
                raise RuntimeError(
                    f"{name}(): input {at} has a dimension of stride 0: elements that share "
                    f"memory cannot be moved one by one; pass a clone"
                )
        if tensor.dtype not in (_C.float64, _C.complex128):
            from warnings import warn

            warn(
                f"input {at} requires gradients and is not of double precision, so differences "
                f"are inexact and the check is likely to fail",
                UserWarning,
                stacklevel=3,
            )


def _is_learnt(value: Any) -> bool:
    return isinstance(value, _C.TensorBase) and value.requires_grad


def _random_seeds(
    func: Callable[..., Any], inputs: tuple[Any, ...], apart: bool
) -> tuple[Tensor, ...]:
    """Gradients for all outputs that have some."""
    from ._jacobians import Directions, Trial

    trial, directions = Trial(func, inputs), Directions()
    seeds = []
    for output in trial.recorded(trial.differentiable()):
        # Of a size at which wrong factors are seen.
        seed = directions.like(output.detach()) * output.numel() ** 0.5
        if apart:
            seed = _C.stack([seed, seed], -1)[..., 0]
        seeds.append(seed.requires_grad_())
    return tuple(seeds)


def _slopes_of(func: Callable[..., Any], count: int) -> Callable[..., tuple[Tensor, ...]]:
    """The gradients of a function, of its inputs and of gradients of its outputs."""
    from opwright.autograd import grad

    def slopes(*given: Any) -> tuple[Tensor, ...]:
        inputs, seeds = given[:count], given[count:]
        outputs = [it for it in _tuple(func(*inputs)) if _is_learnt(it)]
        if not outputs:
            return ()
        learnt = [it for it in inputs if _is_learnt(it)]
        found = grad(outputs, learnt, seeds, create_graph=True, allow_unused=True)
        return tuple(it for it in found if it is not None)

    return slopes


# --- what is checked --------------------------------------------------------------------


def _check(func: Callable[..., Any], inputs: tuple[Any, ...], options: _Options) -> None:
    from ._jacobians import Trial

    trial = Trial(func, inputs)
    places = trial.differentiable()
    if not places:
        _check_constant(trial, options)
        return
    if options.check_backward_ad:
        if options.fast_mode:
            _check_directions(trial, places, options)
        else:
            _check_entries(trial, places, options)
        if options.check_undefined_grad:
            _check_undefined(trial, places, options)
        if options.check_batched_grad:
            _check_batched(trial, places, options)
    if options.check_forward_ad:
        _check_forward(trial, places, options)


def _check_constant(trial: Trial, options: _Options) -> None:
    """A function without gradients must not depend on its inputs."""
    from ._jacobians import by_differences

    places = trial.continuous()
    for at, given in zip(trial.places, trial.learnt, strict=True):
        for place, matrix in zip(
            places, by_differences(trial, given, places, options.eps), strict=True
        ):
            if not bool((matrix == 0).all()):
                raise GradcheckError(
                    f"output {place} has no gradients, but changes with input {at}: the "
                    f"differences should be zero, and are\n{matrix}"
                )


def _check_entries(trial: Trial, places: list[int], options: _Options) -> None:
    from ._jacobians import by_differences

    expected = [by_differences(trial, it, places, options.eps) for it in trial.learnt]
    for k, output in enumerate(trial.recorded(places)):
        found = _repeated(trial, places[k], output, options)
        for at, matrix, column in zip(trial.places, found, expected, strict=True):
            if not _is_close(matrix, column[k], options.atol, options.rtol):
                raise GradcheckError(
                    f"the gradients of output {places[k]} with respect to input {at} differ from "
                    f"the differences\nby differences:\n{column[k]}\nby passes:\n{matrix}"
                )


def _repeated(trial: Trial, place: int, output: Tensor, options: _Options) -> list[Tensor]:
    """Matrices of gradients, which another round of passes must give again."""
    from ._jacobians import by_passes

    _check_gradients(trial, place, output, options)
    first, second = by_passes(trial, output), by_passes(trial, output)
    for at, one, other in zip(trial.places, first, second, strict=True):
        _check_same(one, other, place, at, options)
    return first


def _check_same(one: Tensor, other: Tensor, place: int, at: int, options: _Options) -> None:
    is_same = ((one - other).abs() <= options.nondet_tol) | ((one != one) & (other != other))
    if not bool(is_same.all()):
        raise GradcheckError(
            f"backward is not reentrant: two passes give different gradients of output {place} "
            f"with respect to input {at}; nondet_tol={options.nondet_tol} is how much they may "
            f"differ\nfirst:\n{one}\nsecond:\n{other}"
        )


def _check_gradients(trial: Trial, place: int, output: Tensor, options: _Options) -> None:
    """Gradients must look like their inputs."""
    from ._jacobians import gradients

    found = gradients([output], trial.learnt, [_C.zeros_like(output.detach())])
    for at, given, gradient in zip(trial.places, trial.learnt, found, strict=True):
        if gradient is None:
            continue
        where = f"the gradient of output {place} with respect to input {at}"
        if gradient.shape != given.shape:
            raise GradcheckError(
                f"{where} has the shape {list(gradient.shape)}, and the input {list(given.shape)}"
            )
        if options.check_grad_dtypes and gradient.dtype != given.dtype:
            raise GradcheckError(
                f"{where} has the dtype {gradient.dtype}, and the input {given.dtype}"
            )


def _is_close(found: Tensor, expected: Tensor, atol: float, rtol: float) -> bool:
    return bool(((found - expected).abs() <= atol + rtol * expected.abs()).all())


# --- forward mode, and several at once ------------------------------------------------------


def _check_forward(trial: Trial, places: list[int], options: _Options) -> None:
    from ._jacobians import (
        Directions,
        by_differences,
        by_tangents,
        slope_by_differences,
        slope_by_tangents,
    )

    directions = Directions()
    for at, given in zip(trial.places, trial.learnt, strict=True):
        if options.fast_mode:
            direction = directions.like(given.detach())
            expected = slope_by_differences(trial, given, direction, places, options.eps)
            found = slope_by_tangents(trial, given, direction, places)
        else:
            expected = by_differences(trial, given, places, options.eps)
            found = by_tangents(trial, given, places)
        for place, one, other in zip(places, found, expected, strict=True):
            if not _is_close(one, other, options.atol, options.rtol):
                raise GradcheckError(
                    f"the tangents of output {place} with respect to input {at} differ from the "
                    f"differences\nby differences:\n{other}\nin forward mode:\n{one}"
                )
        if options.check_batched_forward_grad:
            _check_batched_forward(trial, at, given, places, options)


def _check_batched_forward(
    trial: Trial, at: int, given: Tensor, places: list[int], options: _Options
) -> None:
    """Tangents that are pushed through one recorded call are those of a call for each."""
    from opwright.func._forward import Pushforward

    from ._jacobians import Directions

    directions = Directions()
    outputs = trial.recorded(places)
    derivative = Pushforward(outputs, [given])
    for _ in range(2):
        direction = directions.like(given.detach())
        found = derivative([direction], create_graph=False, keep=True)
        expected = trial.tangents(given, direction, places)
        for place, one, other in zip(places, found, expected, strict=True):
            if not _is_alike(one, other, options):
                raise GradcheckError(
                    f"the tangents of output {place} with respect to input {at} are others for "
                    f"several directions at once\nof one:\n{other}\nof several:\n{one}"
                )


def _check_batched(trial: Trial, places: list[int], options: _Options) -> None:
    from opwright.autograd import grad

    from ._jacobians import Directions, gradients

    directions = Directions()
    for place, output in zip(places, trial.recorded(places), strict=True):
        seeds = [directions.like(output.detach()) for _ in range(2)]
        each = [gradients([output], trial.learnt, [it]) for it in seeds]
        found = grad(
            [output],
            trial.learnt,
            [_C.stack(seeds)],
            retain_graph=True,
            allow_unused=True,
            is_grads_batched=True,
        )
        for at, one, others in zip(trial.places, found, zip(*each, strict=True), strict=True):
            expected = None if others[0] is None else _C.stack(list(others))
            if not _is_alike(one, expected, options):
                raise GradcheckError(
                    f"the gradients of output {place} with respect to input {at} are others for "
                    f"several passes at once\none by one:\n{expected}\nat once:\n{one}"
                )


# --- along random directions --------------------------------------------------------------


def _check_directions(trial: Trial, places: list[int], options: _Options) -> None:
    """For each output and input one number stands for the matrix."""
    from ._jacobians import Directions, along, gradients, slope_by_differences, slope_by_pass

    directions = Directions()
    inward = [directions.like(it.detach()) for it in trial.learnt]
    expected = [
        slope_by_differences(trial, given, direction, places, options.eps)
        for given, direction in zip(trial.learnt, inward, strict=True)
    ]
    for k, output in enumerate(trial.recorded(places)):
        _check_gradients(trial, places[k], output, options)
        outward = directions.like(output.detach())
        found, again = (gradients([output], trial.learnt, [outward]) for _ in range(2))
        for n, at in enumerate(trial.places):
            first, second = slope_by_pass(found[n], inward[n]), slope_by_pass(again[n], inward[n])
            _check_same(_C.tensor(first), _C.tensor(second), places[k], at, options)
            wanted = along(expected[n][k], outward)
            # As if the differences of all entries were in one direction.
            atol = options.atol * _weight(inward[n]) * _weight(outward)
            if not abs(first - wanted) <= atol + options.rtol * abs(wanted):
                raise GradcheckError(
                    f"the gradients of output {places[k]} with respect to input {at} differ from "
                    f"the differences: along random directions, passes give {first} and "
                    f"differences {wanted}; without fast_mode, all entries are shown"
                )


def _weight(direction: Tensor) -> float:
    return float(direction.abs().sum().item())


# --- missing gradients ----------------------------------------------------------------------


def _check_undefined(trial: Trial, places: list[int], options: _Options) -> None:
    """An output that gets no gradient must count as one whose gradient is zero."""
    from ._jacobians import Directions, gradients

    outputs, directions = trial.recorded(places), Directions()
    seeds = [directions.like(it.detach()) for it in outputs]
    for left_out in range(len(outputs) if len(outputs) > 1 else 0):
        kept = [k for k in range(len(outputs)) if k != left_out]
        zeros = [it * 0 if k == left_out else it for k, it in enumerate(seeds)]
        expected = gradients(outputs, trial.learnt, zeros)
        try:
            found = gradients([outputs[k] for k in kept], trial.learnt, [seeds[k] for k in kept])
        except Exception as error:
            raise GradcheckError(
                f"backward fails if output {places[left_out]} has no gradient: {error}"
            ) from error
        for at, one, other in zip(trial.places, found, expected, strict=True):
            if not _is_alike(one, other, options):
                raise GradcheckError(
                    f"without a gradient, output {places[left_out]} must count as if it were "
                    f"zero, but the gradients of input {at} are\n{one}\nand with zeros\n{other}"
                )


def _is_alike(one: Tensor | None, other: Tensor | None, options: _Options) -> bool:
    """Whether gradients are equal, if none is zero."""
    if one is None or other is None:
        some = one if other is None else other
        return some is None or bool((some == 0).all())
    near = (one - other).abs() <= options.atol + options.nondet_tol + options.rtol * other.abs()
    return bool((near | ((one != one) & (other != other))).all())
