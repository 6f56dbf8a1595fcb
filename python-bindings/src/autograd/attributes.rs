//! Attributes of tensors that are about gradients.

use std::ffi::{CStr, c_int, c_void};
use std::ptr;

use opwright_runtime::Tensor;
use pyo3::exceptions::{PyRuntimeError, PyTypeError, PyUserWarning};
use pyo3::ffi::{PyGetSetDef, getter, setter};
use pyo3::prelude::*;

use super::{hooks, node, pass};
use crate::object::trampoline::{ask, trampoline};
use crate::object::{self, Failure, Object, operators, type_name};
use crate::raw::{Lent, New, Optional, Plain, entry};

/// How many there are.
pub(crate) const COUNT: usize = 10;

const fn attribute(
    name: &'static CStr,
    doc: &'static CStr,
    get: getter,
    set: Option<setter>,
) -> PyGetSetDef {
    PyGetSetDef {
        name: name.as_ptr(),
        get: Some(get),
        set,
        doc: doc.as_ptr(),
        closure: ptr::null_mut(),
    }
}

pub(crate) const REQUIRES_GRAD: PyGetSetDef = attribute(
    c"requires_grad",
    c"Whether calls with the tensor are recorded, for gradients.",
    requires_grad,
    Some(set_requires_grad),
);
pub(crate) const GRAD: PyGetSetDef =
    attribute(c"grad", c"The gradient that passes left here, or None.", grad, Some(set_grad));
pub(crate) const GRAD_FN: PyGetSetDef =
    attribute(c"grad_fn", c"The recorded call that made the tensor, or None.", grad_fn, None);
pub(crate) const IS_LEAF: PyGetSetDef =
    attribute(c"is_leaf", c"Whether no recorded call made the tensor.", is_leaf, None);
pub(crate) const OUTPUT_NR: PyGetSetDef =
    attribute(c"output_nr", c"Which output of the recorded call the tensor is.", output_nr, None);
pub(crate) const VERSION: PyGetSetDef =
    attribute(c"_version", c"How often operators have written to the memory.", version, None);
pub(crate) const BASE: PyGetSetDef =
    attribute(c"_base", c"The tensor that this one is a view of, or None.", base, None);
pub(crate) const RETAINS_GRAD: PyGetSetDef = attribute(
    c"retains_grad",
    c"Whether passes leave a gradient here although the tensor is a result.",
    retains_grad,
    None,
);
pub(crate) const BACKWARD_HOOKS: PyGetSetDef = attribute(
    c"_backward_hooks",
    c"The hooks of the gradient by their numbers, or None if there never were any.",
    backward_hooks,
    None,
);
pub(crate) const DATA: PyGetSetDef = attribute(
    c"data",
    c"The same memory behind a tensor that is not recorded.",
    data,
    Some(set_data),
);

entry! {
    fn requires_grad(_py, tensor: Lent<Object>, _closure: Plain<*mut c_void>) -> New {
        ask("requires_grad", tensor, |it| Ok(it.requires_grad()))
    }

    fn set_requires_grad(
        _py,
        tensor: Lent<Object>,
        value: Optional<PyAny>,
        _closure: Plain<*mut c_void>
    ) -> c_int {
        trampoline("requires_grad", -1, || {
            let Some(value) = value else { return Err(no_deletion("requires_grad")) };
            let Ok(flag) = value.extract::<bool>() else {
                let text = format!("requires_grad is a bool, not {}", type_name(&value));
                return Err(PyTypeError::new_err(text).into());
            };
            object::peek(tensor).set_requires_grad(flag)?;
            object::stand(tensor);
            Ok(0)
        })
    }

    fn grad(py, tensor: Lent<Object>, _closure: Plain<*mut c_void>) -> New {
        trampoline("grad", None, || {
            let own = object::peek(tensor).clone();
            let found = own.grad();
            if found.is_none() && !own.is_leaf() && !own.retains_grad() {
                PyErr::warn(py, &py.get_type::<PyUserWarning>(), NO_GRADIENT, 1)?;
            }
            match found {
                Some(grad) => Ok(Some(object::same(py, grad)?)),
                None => Ok(Some(py.None().into_bound(py))),
            }
        })
    }

    fn set_grad(
        _py,
        tensor: Lent<Object>,
        value: Optional<PyAny>,
        _closure: Plain<*mut c_void>
    ) -> c_int {
        trampoline("grad", -1, || {
            let own = object::peek(tensor).clone();
            let Some(value) = value.filter(|it| !it.is_none()) else {
                own.set_grad(None)?;
                return Ok(0);
            };
            let Some(value) = object::known(value) else {
                let text = format!("a gradient is a Tensor or None, not {}", type_name(&value));
                return Err(PyTypeError::new_err(text).into());
            };
            own.set_grad(Some(object::peek(value).clone()))?;
            object::stand(value);
            Ok(0)
        })
    }

    fn grad_fn(py, tensor: Lent<Object>, _closure: Plain<*mut c_void>) -> New {
        trampoline("grad_fn", None, || {
            match object::peek(tensor).grad_fn() {
                Some(edge) => {
                    // What the node is given may lead back here.
                    object::track(tensor);
                    Ok(Some(node::object(py, edge.node)?))
                }
                None => Ok(Some(py.None().into_bound(py))),
            }
        })
    }

    fn is_leaf(_py, tensor: Lent<Object>, _closure: Plain<*mut c_void>) -> New {
        ask("is_leaf", tensor, |it| Ok(it.is_leaf()))
    }

    fn output_nr(_py, tensor: Lent<Object>, _closure: Plain<*mut c_void>) -> New {
        ask("output_nr", tensor, |it| Ok(it.grad_fn().map_or(0, |it| it.output as i64)))
    }

    fn version(_py, tensor: Lent<Object>, _closure: Plain<*mut c_void>) -> New {
        ask("_version", tensor, |it| {
            pass::check_counted(it)?;
            Ok(i64::from(it.version()))
        })
    }

    fn base(py, tensor: Lent<Object>, _closure: Plain<*mut c_void>) -> New {
        trampoline("_base", None, || {
            // In inference mode nobody asks what is a view.
            let own = object::peek(tensor).clone();
            match own.base().filter(|_| !own.is_inference()).cloned() {
                Some(base) => Ok(Some(object::same(py, base)?)),
                None => Ok(Some(py.None().into_bound(py))),
            }
        })
    }

    fn retains_grad(_py, tensor: Lent<Object>, _closure: Plain<*mut c_void>) -> New {
        ask("retains_grad", tensor, |it| Ok(it.retains_grad()))
    }

    fn backward_hooks(py, tensor: Lent<Object>, _closure: Plain<*mut c_void>) -> New {
        trampoline("_backward_hooks", None, || {
            let Some(hooks) = object::peek(tensor).known_gradient_hooks() else {
                return Ok(Some(py.None().into_bound(py)));
            };
            Ok(Some(hooks::by_number(py, &hooks)?.into_any()))
        })
    }

    fn data(_py, tensor: Lent<Object>, _closure: Plain<*mut c_void>) -> New {
        ask("data", tensor, |it| Ok(operators::counted_apart(it, 0)?))
    }

    fn set_data(
        _py,
        tensor: Lent<Object>,
        value: Optional<PyAny>,
        _closure: Plain<*mut c_void>
    ) -> c_int {
        trampoline("data", -1, || {
            let Some(value) = value else { return Err(no_deletion("data")) };
            let Some(value) = object::known(value) else {
                let text = format!("data is a Tensor, not {}", type_name(&value));
                return Err(PyTypeError::new_err(text).into());
            };
            let made = with_data(object::peek(tensor), object::peek(value))?;
            // SAFETY: nothing that was lent of the object is used any more.
            unsafe { object::replace(tensor, made) };
            Ok(0)
        })
    }
}

/// The tensor with the memory and the geometry of another one, and what is known of its own.
fn with_data(tensor: &Tensor, other: &Tensor) -> std::result::Result<Tensor, Failure> {
    if tensor.dtype() != other.dtype() && tensor.requires_grad() {
        let text = format!(
            "the data of a {} tensor that requires gradients cannot be {}",
            tensor.dtype(),
            other.dtype()
        );
        return Err(PyRuntimeError::new_err(text).into());
    }
    let mut made = tensor.clone();
    made.replace(operators::counted_apart(other, tensor.version())?)?;
    Ok(made)
}

/// What is said of the gradient of a result.
const NO_GRADIENT: &CStr =
    c"the grad of a tensor that is no leaf is asked for, where passes leave \
    none; call retain_grad() on it, or ask a leaf";

#[cold]
fn no_deletion(name: &str) -> Failure {
    PyRuntimeError::new_err(format!("{name} cannot be deleted")).into()
}
