//! Native structs: objects whose members lie in them as C lays them out.

use std::ffi::{CString, c_int};
use std::sync::{Mutex, PoisonError};

use opwright_jit::entry::{Owner, argument_owner};
use opwright_jit::types::{Form, Kind, Ty, User};
use pyo3::exceptions::{PyAttributeError, PyTypeError};
use pyo3::ffi::{self, PyMemberDef};
use pyo3::prelude::*;
use pyo3::types::{PyModule, PyType};

use super::arrays::Arguments;
use super::border::Border;
use super::{objects, types};
use crate::raw::Spec;

/// Where the members of an object begin.
const HEAD: usize = size_of::<ffi::PyObject>();

pub(super) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(struct_class, module)?)?;
    module.add_function(wrap_pyfunction!(struct_set, module)?)?;
    module.add_function(wrap_pyfunction!(struct_get, module)?)
}

/// Makes the class of a struct; its members are attributes that nobody can write to if it is frozen.
#[pyfunction]
fn struct_class<'py>(
    py: Python<'py>,
    name: &str,
    members: Vec<(String, Bound<'py, PyAny>)>,
    is_frozen: bool,
) -> PyResult<Bound<'py, PyType>> {
    let tys: PyResult<Vec<Ty>> = members.iter().map(|(_, it)| types::from_python(it)).collect();
    let tys = tys?;
    let mut list = Vec::with_capacity(members.len() + 1);
    for (at, (name, _)) in members.iter().enumerate() {
        let Some(type_code) = code(tys[at]) else {
            return Err(PyTypeError::new_err(format!(
                "the member {name} is a {}: members are numbers and bools",
                tys[at]
            )));
        };
        let offset = HEAD as ffi::Py_ssize_t + opwright_jit::offset_of(&tys, at) as ffi::Py_ssize_t;
        list.push(PyMemberDef {
            // The interpreter keeps the name.
            name: CString::new(name.as_str())?.into_raw(),
            type_code,
            offset,
            flags: if is_frozen { ffi::Py_READONLY } else { 0 },
            doc: std::ptr::null(),
        });
    }
    list.push(PyMemberDef {
        name: std::ptr::null(),
        type_code: 0,
        offset: 0,
        flags: 0,
        doc: std::ptr::null(),
    });
    let list: &'static [PyMemberDef] = Box::leak(list.into_boxed_slice());
    let spec = Spec {
        name: CString::new(name)?,
        size: HEAD + opwright_jit::offset_of(&tys, tys.len()) as usize,
        flags: 0,
        slots: vec![Spec::slot(ffi::Py_tp_members, list.as_ptr().cast())],
    };
    // SAFETY: the members end with an empty one and are never freed; each lies within the object, as
    // its code says, and the interpreter fills new objects with zeros.
    unsafe { spec.make(py, None, None) }
}

/// The code by which the interpreter reads a member of a type.
fn code(ty: Ty) -> Option<c_int> {
    Some(match &*ty {
        Kind::Bool => ffi::Py_T_BOOL,
        Kind::Int(int) => match (int.bits, int.is_signed) {
            (8, true) => ffi::Py_T_BYTE,
            (16, true) => ffi::Py_T_SHORT,
            (32, true) => ffi::Py_T_INT,
            (64, true) => ffi::Py_T_LONGLONG,
            (8, false) => ffi::Py_T_UBYTE,
            (16, false) => ffi::Py_T_USHORT,
            (32, false) => ffi::Py_T_UINT,
            _ => ffi::Py_T_ULONGLONG,
        },
        Kind::Float(32) => ffi::Py_T_FLOAT,
        Kind::Float(64) => ffi::Py_T_DOUBLE,
        _ => return None,
    })
}

fn user_of(class: &Bound<'_, PyType>) -> PyResult<Ty> {
    types::from_python(&class.getattr("_opwright_type_")?)
}

/// Sets a member of a struct, by its number, whether it is frozen or not.
#[pyfunction]
fn struct_set(object: &Bound<'_, PyAny>, at: usize, value: &Bound<'_, PyAny>) -> PyResult<()> {
    let ty = user_of(&object.get_type())?;
    let Kind::User(user) = &*ty else { return Err(PyTypeError::new_err("no struct")) };
    let tys: Vec<Ty> = user.members.iter().map(|(_, it)| *it).collect();
    let Some(ty) = tys.get(at) else { return Err(PyAttributeError::new_err("no such member")) };
    let mut words = super::border::Words::new();
    super::border::unbox(value, *ty, &mut words, &mut Arguments::default())?;
    // SAFETY: an object of a class that was made for these members, the GIL being held.
    unsafe { write(object.as_ptr().cast::<u8>().add(HEAD), &tys, at, &words) };
    Ok(())
}

/// The bytes of a struct's members, as an address.
#[pyfunction]
fn struct_get(object: &Bound<'_, PyAny>) -> usize {
    object.as_ptr().addr() + HEAD
}

/// Writes a member.
///
/// # Safety
///
/// There are members of these types at the address.
unsafe fn write(start: *mut u8, tys: &[Ty], at: usize, words: &[u64]) {
    let size = tys[at].real_type().itemsize() as usize;
    for (number, word) in words.iter().enumerate() {
        // SAFETY: the caller says that the member is there, of so many bytes for each word.
        unsafe {
            let place = start.add(opwright_jit::offset_of(tys, at) as usize + number * size);
            std::ptr::copy_nonoverlapping(word.to_le_bytes().as_ptr(), place, size);
        }
    }
}

/// The types of classes of structs, which live as long as the process.
static TYPES: Mutex<Vec<(usize, Ty)>> = Mutex::new(Vec::new());

/// The type of an object of a class of structs; none for others.
pub(super) fn type_of(object: &Bound<'_, PyAny>) -> PyResult<Option<Ty>> {
    let class = object.get_type_ptr().addr();
    let known = TYPES.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, ty)) = known.iter().find(|(it, _)| *it == class) {
        return Ok(Some(*ty));
    }
    drop(known);
    let class = object.get_type();
    if class.getattr("_opwright_defaults_").is_err() {
        return Ok(None);
    }
    let ty = user_of(&class)?;
    // The class is kept, so that no other gets its address.
    objects::number(class.as_any());
    let mut known = TYPES.lock().unwrap_or_else(PoisonError::into_inner);
    known.push((class.as_ptr().addr(), ty));
    Ok(Some(ty))
}

/// Appends the words of a struct: its owner, and its members or its address.
pub(super) fn unbox<'py>(
    object: &Bound<'py, PyAny>,
    user: &User,
    words: &mut super::border::Words,
    arguments: &mut Arguments<'py>,
) -> PyResult<()> {
    let is_one = match type_of(object)?.as_deref() {
        Some(Kind::User(own)) => own.object == user.object,
        _ => false,
    };
    if !is_one {
        return Err(PyTypeError::new_err(format!("expected a {}", user.name)));
    }
    words.push(argument_owner(arguments.list.len()));
    let start = object.as_ptr().cast::<u8>().wrapping_add(HEAD);
    arguments.list.push((object.clone(), smallvec::smallvec![start.expose_provenance() as u64]));
    if user.form == Form::Reference {
        words.push(start.expose_provenance() as u64);
        return Ok(());
    }
    let tys: Vec<Ty> = user.members.iter().map(|(_, it)| *it).collect();
    for at in 0..tys.len() {
        // SAFETY: an object of the class that was made for these members.
        unsafe { read(start, &tys, at, words) };
    }
    Ok(())
}

/// Appends the words of a member.
///
/// # Safety
///
/// There are members of these types at the address.
unsafe fn read(start: *const u8, tys: &[Ty], at: usize, words: &mut super::border::Words) {
    let ty = tys[at];
    let size = ty.real_type().itemsize() as usize;
    for number in 0..ty.width() {
        let mut bytes = [0; 8];
        // SAFETY: the caller says that the member is there, of so many bytes for each word.
        unsafe {
            let place = start.add(opwright_jit::offset_of(tys, at) as usize + number * size);
            std::ptr::copy_nonoverlapping(place, bytes.as_mut_ptr(), size);
        }
        let word = u64::from_le_bytes(bytes);
        words.push(match &*ty {
            Kind::Bool => u64::from(word != 0),
            Kind::Int(int) if int.is_signed => {
                let shift = 64 - u32::from(int.bits);
                ((word << shift).cast_signed() >> shift).cast_unsigned()
            }
            _ => word,
        });
    }
}

/// The object of a struct: the one that was passed, or a new one.
pub(super) fn boxed<'py>(
    py: Python<'py>,
    user: &User,
    words: &mut &[u64],
    border: &Border<'_, 'py>,
) -> PyResult<Bound<'py, PyAny>> {
    let tys: Vec<Ty> = user.members.iter().map(|(_, it)| *it).collect();
    let owner = Owner::of(words[0]);
    let width = match user.form {
        Form::Reference => 2,
        _ => 1 + tys.iter().map(Ty::width).sum::<usize>(),
    };
    let (own, rest) = words.split_at(width);
    *words = rest;
    if let Owner::Argument(at) = owner {
        return Ok(border.arguments.list[at].0.clone());
    }
    let class = objects::object(py, user.object).getattr("python_class")?;
    let made = class.getattr("__new__")?.call1((&class,))?;
    let target = made.as_ptr().cast::<u8>().wrapping_add(HEAD);
    if user.form == Form::Reference {
        let source = std::ptr::with_exposed_provenance::<u8>(own[1] as usize);
        let size = opwright_jit::offset_of(&tys, tys.len()) as usize;
        // SAFETY: the program made memory of this size for the struct, which the frame keeps; the new
        // object has as much behind its head.
        unsafe { std::ptr::copy_nonoverlapping(source, target, size) };
        return Ok(made);
    }
    let mut rest = &own[1..];
    for at in 0..tys.len() {
        let (member, after) = rest.split_at(tys[at].width());
        rest = after;
        // SAFETY: a new object of the class that was made for these members.
        unsafe { write(target, &tys, at, member) };
    }
    Ok(made)
}
