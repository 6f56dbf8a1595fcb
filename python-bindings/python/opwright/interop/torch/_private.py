"""What of PyTorch is used that its documentation does not name, and which version has it."""

from __future__ import annotations

import inspect
import re
from functools import cache
from types import CodeType
from typing import Any

# The first that has `torch.library.register_fake` and `torch.library.opcheck`.
_OLDEST = (2, 4)

try:
    import torch
except ImportError as error:
    raise ImportError(
        "operators in PyTorch need the package `torch`, which is not installed; "
        "install it with `pip install torch`"
    ) from error

_found = re.match(r"(\d+)\.(\d+)", str(torch.__version__))
if _found is None or (int(_found[1]), int(_found[2])) < _OLDEST:
    raise ImportError(
        f"operators in PyTorch need `torch` {_OLDEST[0]}.{_OLDEST[1]} or newer, "
        f"and {torch.__version__} is installed; update it with `pip install -U torch`"
    )

_native: Any = torch._C

# Capsules in the form that has no versions, which is the cheaper one to make and to take.
to_dlpack = _native._to_dlpack
from_dlpack = _native._from_dlpack

transforms_are_active = _native._are_functorch_transforms_active
# A function of autograd that `torch.func` leaves alone, which then has to be allowed.
SingleLevelFunction: Any = torch.autograd.function._SingleLevelFunction
is_single_level_allowed = _native._functorch.get_single_level_autograd_function_allowed
allow_single_level = _native._functorch.set_single_level_autograd_function_allowed
add_batch_dim = _native._functorch._add_batch_dim
unwrap_batched = _native._functorch._unwrap_batched
is_wrapped = _native._functorch.is_functorch_wrapped_tensor
batched_interpreter: Any = torch._functorch.pyfunctorch.retrieve_current_functorch_interpreter

any_requires_grad = _native._any_requires_grad
# `_current_level` is negative where no tensor has a tangent.
forward_ad: Any = torch.autograd.forward_ad
below_autograd = _native._AutoDispatchBelowAutograd
after_autograd = _native._after_autograd_keyset
below_views = _native._AutoDispatchBelowADInplaceOrView
after_views = _native._after_ADInplaceOrView_keyset


def below_batching() -> Any:
    """A context in which calls go on below the innermost `torch.vmap`."""
    return _native._ExcludeDispatchKeyGuard(_BATCHED)


def hide_from_compiler(functions: Any) -> None:
    """Has PyTorch's compiler run these functions, and what they call, as they are.

    It looks at each function of Python that is called while a compiled one runs, kernels included.
    """
    frames = _native._dynamo.eval_frame
    for code in _codes([it.__code__ for it in functions]):
        if hasattr(frames, "set_code_exec_strategy"):
            skip = frames._FrameAction.SKIP
            frames.set_code_exec_strategy(code, frames._FrameExecStrategy(skip, skip))
        elif hasattr(frames, "skip_code"):
            frames.skip_code(code)


def _codes(found: list[CodeType]) -> list[CodeType]:
    """Codes, with those of the functions inside of them."""
    inner = [[it for it in code.co_consts if isinstance(it, CodeType)] for code in found]
    return found + [code for each in inner for code in _codes(each)]


def _keys(*names: str) -> Any:
    keys = _native.DispatchKeySet(getattr(_native.DispatchKey, names[0]))
    for name in names[1:]:
        keys = keys | _native.DispatchKeySet(getattr(_native.DispatchKey, name))
    return keys


# Older versions register them otherwise.
_HOLDER: Any = getattr(torch._library.fake_impl, "FakeImplHolder", None)
_HAS_HOLDERS = _HOLDER is not None and "lib" in inspect.signature(_HOLDER.register).parameters
# Those that keep replaced kernels can have ours replaced.
_HAS_STACKS = _HAS_HOLDERS and isinstance(getattr(_HOLDER, "kernel", None), property)


def register_fake(library: Any, name: str, kernel: Any) -> None:
    """What `torch.library.register_fake` does, which looks for the caller's source each time."""
    if not _HAS_HOLDERS:
        torch.library.register_fake(name, kernel, lib=library)
        return
    entry = torch._library.simple_registry.singleton.find(name)
    if _HAS_STACKS and not entry.fake_impl.kernels:
        entry.fake_impl = _holder()(name)
    handle = entry.fake_impl.register(kernel, __name__, lib=library)
    library._registration_handles.append(handle)


@cache
def _holder() -> Any:
    """The class that keeps fake kernels of an operator, and has ours give way to a user's."""

    class Holder(_HOLDER):  # type: ignore[misc]
        def register(self, func: Any, source: str, lib: Any, **options: Any) -> Any:
            if self.kernel is None or self.kernel.source != __name__:
                return super().register(func, source, lib, **options)
            # What is registered for meta tensors calls the last one.
            kernel = torch._library.utils.Kernel(func, source)
            self.kernels.append(kernel)
            return torch._library.utils.RegistrationHandle(lambda: self.kernels.remove(kernel))

    return Holder


_BATCHED = _keys("FuncTorchBatched")

# The keys of a call on plain tensors with nothing around it: no mode, no transform, no subclass.
PLAIN = _keys("CPU", "AutogradCPU").raw_repr()
