"""Gives a native module that stands alone what the package `opwright` has."""

import sys

from . import _C, _functions, _storage, autograd, return_types  # noqa: F401
from ._default_dtype import default_dtype
from ._explain import explain
from ._overloads import get_overloads
from ._repr import set_printoptions
from ._size import Size
from ._tensor import Tensor
from .autograd import enable_grad, grad_mode, inference_mode, no_grad, set_grad_enabled

_PACKAGE = __name__.rpartition(".")[0]
_LATER = {f"{_PACKAGE}.{name}": text for name, text in _C._later_parts.items()}
del _C._later_parts


class _Later:
    """Finds and makes the modules of the package that few programs need."""

    @staticmethod
    def find_spec(name, path=None, target=None):
        if name not in _LATER:
            return None
        # Not in front of the question: this import asks it as well.
        from importlib.machinery import ModuleSpec

        has_others = any(it.startswith(f"{name}.") for it in _LATER)
        return ModuleSpec(name, _Later, is_package=has_others)

    @staticmethod
    def create_module(spec):
        return None

    @staticmethod
    def exec_module(module):
        exec(compile(_LATER[module.__name__], f"<{module.__name__}>", "exec"), vars(module))


def _publish(native_name):
    """Binds the module by which people find the functions of a native submodule."""
    name = native_name.removeprefix("_")
    module = type(_C)(f"{_PACKAGE}.{name}")
    module.__all__ = _functions.publish(vars(module), native_name, prefix=f"{name}_")
    sys.modules[module.__name__] = module
    sys.modules[f"{_PACKAGE}._C.{native_name}"] = getattr(_C, native_name)
    return name, module


# In front of folders, of which a wheel has some with nothing but stubs.
sys.meta_path.insert(0, _Later)
# What a wheel puts around the native module, if anything.
_package = sys.modules.get(_PACKAGE, _C)
# Modules below it can be imported then.
_package.__dict__.setdefault("__path__", [])
# As an import of the module would.
autograd.grad_mode = grad_mode
_functions.publish({"__name__": _PACKAGE})
for _name, _function in vars(_C).items():
    if _name.startswith("_") and isinstance(_function, type(len)):
        # `import *` leaves these out, so `pickle` has to find them here.
        _function.__module__ = f"{_PACKAGE}._C"
_C._set_classes(Tensor, Size)
sys.modules[f"{_PACKAGE}._C._graph"] = _C._graph
_submodules = [
    name
    for name, it in vars(_C).items()
    # What `_graph` has, the late module `graph` has.
    if name.startswith("_") and isinstance(it, type(_C)) and it is not _C and name != "_graph"
]
_members = {
    "Size": Size,
    "Tensor": Tensor,
    "autograd": autograd,
    "default_dtype": default_dtype,
    "enable_grad": enable_grad,
    "explain": explain,
    "get_overloads": get_overloads,
    "inference_mode": inference_mode,
    "no_grad": no_grad,
    "return_types": return_types,
    "set_grad_enabled": set_grad_enabled,
    "set_printoptions": set_printoptions,
    **dict(map(_publish, _submodules)),
}
for _name, _member in _members.items():
    # An operator of the same name comes first.
    if not hasattr(_C, _name):
        setattr(_C, _name, _member)


# Modules, and names of one.
_LATE = {
    **dict.fromkeys(("c", "graph", "interop", "types")),
    **dict.fromkeys(("Constant", "Variable", "dprint", "specify_shape"), "graph"),
    **dict.fromkeys(("TensorType", "Type", "typeof"), "types"),
    **dict.fromkeys(("In", "Mode", "Out", "function", "shared"), "graph._functions"),
    "set_progress": "_progress",
}


def _late(name):
    """What few programs need."""
    from importlib import import_module

    if name in _typed:
        return _typed[name]
    derived = vars(_C).get(name.removesuffix("_t")) if name.endswith("_t") else None
    known = _C._graph.native_struct_type(derived) if isinstance(derived, type) else None
    if known is not None:
        return known
    if name not in _LATE:
        raise AttributeError(f"module {_PACKAGE!r} has no attribute {name!r}")
    home = _LATE[name]
    module = import_module(f"{_PACKAGE}.{home or name}")
    return getattr(module, name) if home else module


_C.__getattr__ = _package.__getattr__ = _late
_C._initExtension()
for _class in vars(_C).values():
    if isinstance(_class, type) and _class.__module__ == "opwright":
        _class.__module__ = _PACKAGE
        # The interpreter's own messages show what was set last, without `opwright.` in front.
        _class.__name__ = _class.__name__
# The module `typed` has those of each dtype; the names that people know lead to them, too.
_typed = {
    f"{title}{kind}": vars(_C).pop(f"{title}{kind}")
    for title in _C._titles
    for kind in ("Storage", "Tensor")
}
for _name in _typed:
    vars(_package).pop(_name, None)
_C.typed = sys.modules[f"{_PACKAGE}.typed"] = type(_C)(f"{_PACKAGE}.typed")
_C.typed.__doc__ = "The classes that are there for one dtype each: storages, and types of tensors."
vars(_C.typed).update(_typed)
_C._keep_modules()
