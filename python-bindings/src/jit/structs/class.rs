//! The classes of structs, and the types that they stand for.

use std::ffi::CString;
use std::ptr;

use opwright_jit::offset_of;
use opwright_jit::types::{Representation, Ty, TyKind};
use pyo3::exceptions::PyTypeError;
use pyo3::ffi::{self, PyGetSetDef};
use pyo3::prelude::*;
use pyo3::types::PyType;

use super::member::{self, Member};
use super::object;
use crate::jit::freeze;
use crate::raw::Spec;

/// Makes the class of a struct; its members are attributes that nobody can write to if it is frozen.
#[pyfunction]
pub(super) fn struct_class<'py>(
    py: Python<'py>,
    name: &str,
    members: Vec<(String, Bound<'py, PyAny>)>,
    is_frozen: bool,
) -> PyResult<Bound<'py, PyType>> {
    let tys: PyResult<Vec<Ty>> = members.iter().map(|(_, it)| freeze::from_python(it)).collect();
    let tys = tys?;
    let mut list = Vec::with_capacity(members.len() + 1);
    for (at, (name, _)) in members.iter().enumerate() {
        if let Some(why) = refusal(tys[at], is_frozen) {
            return Err(PyTypeError::new_err(format!("the member {name} is a {}: {why}", tys[at])));
        }
        let member =
            Member { name: name.clone(), ty: tys[at], offset: offset_of(&tys, at) as usize };
        list.push(PyGetSetDef {
            // The interpreter keeps the name, and the member.
            name: CString::new(name.as_str())?.into_raw(),
            get: Some(member::get),
            set: if is_frozen { None } else { Some(member::set) },
            doc: ptr::null(),
            closure: Box::into_raw(Box::new(member)).cast(),
        });
    }
    list.push(PyGetSetDef {
        name: ptr::null(),
        get: None,
        set: None,
        doc: ptr::null(),
        closure: ptr::null_mut(),
    });
    let free = match tys.iter().all(|it| it.referred().is_empty()) {
        true => (object::free_numbers as *const ()).cast(),
        false => (object::free_arrays as *const ()).cast(),
    };
    let list: &'static [PyGetSetDef] = Box::leak(list.into_boxed_slice());
    let spec = Spec {
        name: CString::new(name)?,
        size: object::HEAD + offset_of(&tys, tys.len()) as usize,
        flags: 0,
        slots: vec![
            Spec::slot(ffi::Py_tp_getset, list.as_ptr().cast()),
            Spec::slot(ffi::Py_tp_dealloc, free),
        ],
    };
    // SAFETY: the descriptors end with an empty one and are never freed; the interpreter fills new
    // objects with zeros, which is an object of its own with members that are zero.
    unsafe { spec.make(py, None, None) }
}

/// Why a member cannot be of a type, if it cannot.
fn refusal(ty: Ty, is_frozen: bool) -> Option<&'static str> {
    match &*ty {
        TyKind::Bool
        | TyKind::Int(_)
        | TyKind::Float(32 | 64)
        | TyKind::Complex(_)
        | TyKind::Array(_) => None,
        TyKind::Tuple(items) => items.iter().find_map(|it| refusal(*it, is_frozen)),
        TyKind::User(user) => match user.form {
            Representation::Reference if is_frozen => {
                Some("a frozen struct has frozen members: it is copied, and so is what is in it")
            }
            Representation::Frozen | Representation::Reference => None,
            Representation::Value | Representation::Unknown => Some(
                "members are numbers, bools, arrays, other native structs, and tuples of these",
            ),
        },
        _ => Some("members are numbers, bools, arrays, other native structs, and tuples of these"),
    }
}
