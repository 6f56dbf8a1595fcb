//! Native structs: objects whose members lie in them as C lays them out.
//!
//! Behind the head of an object stand what it is a part of, if it is one, and the address of the
//! members there; else the members follow. So a member that is a mutable struct is an object of its
//! class that looks into the one around it.

use std::ffi::{CString, c_int, c_void};
use std::ptr;

use opwright_jit::entry::{Frame, Owner, argument_owner};
use opwright_jit::types::{Array, Form, Kind, Layout, Ty, User};
use opwright_jit::{Frozen, member_layout, offset_of};
use opwright_runtime::lock::Lock;
use pyo3::exceptions::{PyAttributeError, PyTypeError};
use pyo3::ffi::{self, PyGetSetDef, PyObject};
use pyo3::prelude::*;
use pyo3::types::{PyModule, PyTuple, PyType};

use super::arrays::{self, Arguments};
use super::border::{self, Border, Words};
use super::{objects, types};
use crate::failure::throw;
use crate::raw::Spec;

/// What every object of a struct begins with.
#[repr(C)]
struct Head {
    object: PyObject,
    /// The object that this is a part of; null if it is none.
    around: *mut PyObject,
    /// Where the members are, if it is.
    place: *mut u8,
}

/// Where the members of an object begin that is no part of another.
const HEAD: usize = size_of::<Head>();

pub(super) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(struct_class, module)?)?;
    module.add_function(wrap_pyfunction!(struct_set, module)?)?;
    module.add_function(wrap_pyfunction!(struct_get, module)?)
}

/// A member as its descriptor knows it.
struct Member {
    name: String,
    ty: Ty,
    offset: usize,
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
        if let Some(why) = refusal(tys[at], is_frozen) {
            return Err(PyTypeError::new_err(format!("the member {name} is a {}: {why}", tys[at])));
        }
        let member =
            Member { name: name.clone(), ty: tys[at], offset: offset_of(&tys, at) as usize };
        list.push(PyGetSetDef {
            // The interpreter keeps the name, and the member.
            name: CString::new(name.as_str())?.into_raw(),
            get: Some(get),
            set: if is_frozen { None } else { Some(set) },
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
    let list: &'static [PyGetSetDef] = Box::leak(list.into_boxed_slice());
    let spec = Spec {
        name: CString::new(name)?,
        size: HEAD + offset_of(&tys, tys.len()) as usize,
        flags: 0,
        slots: vec![
            Spec::slot(ffi::Py_tp_getset, list.as_ptr().cast()),
            Spec::slot(ffi::Py_tp_dealloc, (dealloc as *const ()).cast()),
        ],
    };
    // SAFETY: the descriptors end with an empty one and are never freed; the interpreter fills new
    // objects with zeros, which is an object of its own with members that are zero.
    unsafe { spec.make(py, None, None) }
}

/// Why a member cannot be of a type, if it cannot.
fn refusal(ty: Ty, is_frozen: bool) -> Option<&'static str> {
    match &*ty {
        Kind::Bool | Kind::Int(_) | Kind::Float(32 | 64) | Kind::Complex(_) | Kind::Array(_) => {
            None
        }
        Kind::Tuple(items) => items.iter().find_map(|it| refusal(*it, is_frozen)),
        Kind::User(user) => match user.form {
            Form::Reference if is_frozen => {
                Some("a frozen struct has frozen members: it is copied, and so is what is in it")
            }
            Form::Frozen | Form::Reference => None,
            Form::Value | Form::Unknown => Some(
                "members are numbers, bools, arrays, other native structs, and tuples of these",
            ),
        },
        _ => Some("members are numbers, bools, arrays, other native structs, and tuples of these"),
    }
}

/// Where the members of an object of a struct are.
#[inline]
pub(super) fn start(object: &Bound<'_, PyAny>) -> *mut u8 {
    let head = object.as_ptr().cast::<Head>();
    // SAFETY: callers have an object of a class of structs, which begins with a head.
    let place = unsafe { (*head).place };
    if place.is_null() { object.as_ptr().cast::<u8>().wrapping_add(HEAD) } else { place }
}

unsafe extern "C" fn get(object: *mut PyObject, closure: *mut c_void) -> *mut PyObject {
    Python::attach(|py| {
        // SAFETY: the interpreter passes an object of the class that the descriptor belongs to, and
        // the member that was put beside it, which is never freed.
        let (object, member) = unsafe {
            (Bound::from_borrowed_ptr(py, object), &*closure.cast::<Member>().cast_const())
        };
        let place = start(&object).wrapping_add(member.offset);
        // SAFETY: the member of this type lies at the place, within the object.
        match unsafe { to_object(&object, place, member.ty) } {
            Ok(found) => found.into_ptr(),
            Err(error) => {
                throw(|_| error);
                ptr::null_mut()
            }
        }
    })
}

unsafe extern "C" fn set(
    object: *mut PyObject,
    value: *mut PyObject,
    closure: *mut c_void,
) -> c_int {
    Python::attach(|py| {
        // SAFETY: as for `get`.
        let (object, member) = unsafe {
            (Bound::from_borrowed_ptr(py, object), &*closure.cast::<Member>().cast_const())
        };
        // SAFETY: the value is an object that lives as long as the call, or null.
        let value = unsafe { Bound::from_borrowed_ptr_or_opt(py, value) };
        let place = start(&object).wrapping_add(member.offset);
        let done = match value {
            // The class is known once something is set, which freeing an object asks for.
            Some(value) => type_of(&object).and_then(|_| {
                // SAFETY: the member of this type lies at the place, within the object.
                unsafe { from_object(&value, place, member.ty) }
            }),
            None => Err(PyAttributeError::new_err(format!("{} cannot be deleted", member.name))),
        };
        match done {
            Ok(()) => 0,
            Err(error) => {
                throw(|_| error);
                -1
            }
        }
    })
}

/// Frees an object: what it holds, or what it is a part of.
unsafe extern "C" fn dealloc(object: *mut PyObject) {
    // SAFETY: the interpreter passes an object of a class of structs that nobody refers to any more;
    // its class lives as long as it does, and is released last, as that of a heap type is.
    unsafe {
        let class = ffi::Py_TYPE(object);
        let head = object.cast::<Head>();
        if (*head).around.is_null() {
            // The last objects are freed when the interpreter ends, and nobody attaches any more.
            if let Some(ty) = known_type(class.addr()) {
                release(object.cast::<u8>().add(HEAD), ty);
            }
        } else {
            ffi::Py_DECREF((*head).around);
        }
        let free = ffi::PyType_GetSlot(class, ffi::Py_tp_free);
        let free: ffi::freefunc = std::mem::transmute(free);
        free(object.cast());
        ffi::Py_DECREF(class.cast());
    }
}

/// The types of what a value in memory consists of, with their places; none if it is one by itself.
fn parts(ty: Ty) -> Option<Vec<(usize, Ty)>> {
    let types: Vec<Ty> = match &*ty {
        Kind::Tuple(items) => items.to_vec(),
        Kind::User(user) => user.members.iter().map(|(_, it)| *it).collect(),
        _ => return None,
    };
    let places = (0..types.len()).map(|at| offset_of(&types, at) as usize);
    Some(places.zip(types.iter().copied()).collect())
}

/// Gives back the arrays that a value in memory refers to.
///
/// # Safety
///
/// There is a value of this type at the place, which nobody uses any more.
unsafe fn release(place: *mut u8, ty: Ty) {
    if matches!(*ty, Kind::Array(_)) {
        // SAFETY: the caller says that a reference is there, or null.
        unsafe { ffi::Py_XDECREF(place.cast::<*mut PyObject>().read_unaligned()) };
    }
    for (offset, ty) in parts(ty).unwrap_or_default() {
        // SAFETY: the part lies within the value.
        unsafe { release(place.add(offset), ty) };
    }
}

/// Copies a value in memory, with a reference of its own to each array, over another.
///
/// # Safety
///
/// There are values of this type at both places.
unsafe fn copy(from: *const u8, to: *mut u8, ty: Ty) {
    if from == to.cast_const() {
        return;
    }
    if let Kind::Array(_) = *ty {
        // SAFETY: the caller says that references are there, or null.
        unsafe {
            let new = from.cast::<*mut PyObject>().read_unaligned();
            let old = to.cast::<*mut PyObject>().read_unaligned();
            ffi::Py_XINCREF(new);
            to.cast::<*mut PyObject>().write_unaligned(new);
            ffi::Py_XDECREF(old);
        }
        return;
    }
    match parts(ty) {
        // SAFETY: each part lies within the values.
        Some(parts) => parts
            .into_iter()
            .for_each(|(offset, ty)| unsafe { copy(from.add(offset), to.add(offset), ty) }),
        // SAFETY: the caller says that there are as many bytes at both places.
        None => unsafe { ptr::copy(from, to, member_layout(ty).0 as usize) },
    }
}

/// The object of a member: a number, an array, a tuple, or a struct that is a part of the one around.
///
/// # Safety
///
/// There is a value of this type at the place, within the object.
unsafe fn to_object<'py>(
    around: &Bound<'py, PyAny>,
    place: *mut u8,
    ty: Ty,
) -> PyResult<Bound<'py, PyAny>> {
    let py = around.py();
    match &*ty {
        Kind::Array(_) => {
            // SAFETY: the caller says that a reference is there, or null.
            let array = unsafe {
                let array = place.cast::<*mut PyObject>().read_unaligned();
                Bound::from_borrowed_ptr_or_opt(py, array)
            };
            array.ok_or_else(|| PyAttributeError::new_err("the array was not set"))
        }
        Kind::Tuple(_) => {
            let mut items = Vec::new();
            for (offset, ty) in parts(ty).unwrap_or_default() {
                // SAFETY: the item lies within the tuple.
                items.push(unsafe { to_object(around, place.add(offset), ty) }?);
            }
            Ok(PyTuple::new(py, items)?.into_any())
        }
        Kind::User(user) => {
            let made = new_object(py, user)?;
            if user.form == Form::Reference {
                look_into(&made, around, place);
            } else {
                // SAFETY: a new object of the class of the member's type.
                unsafe { copy(place, start(&made), ty) };
            }
            Ok(made)
        }
        _ => {
            let mut words = Words::new();
            // SAFETY: the caller says that a number is there.
            unsafe { read_number(place, ty, &mut words) };
            let frame = Frame::new();
            let arguments = Arguments::default();
            let border = Border { frame: &frame, arguments: &arguments, held: &[] };
            border::boxed(py, ty, &mut &words[..], &border)
        }
    }
}

/// Has a new object be a part of another.
fn look_into(made: &Bound<'_, PyAny>, around: &Bound<'_, PyAny>, place: *mut u8) {
    let head = made.as_ptr().cast::<Head>();
    // SAFETY: a new object of a class of structs; it holds the one around from here on.
    unsafe {
        (*head).around = around.clone().into_ptr();
        (*head).place = place;
    }
}

/// Writes an object to a member.
///
/// # Safety
///
/// There is a value of this type at the place.
unsafe fn from_object(value: &Bound<'_, PyAny>, place: *mut u8, ty: Ty) -> PyResult<()> {
    match &*ty {
        Kind::Array(array) => {
            check_array(value, ty, array)?;
            let new = value.as_ptr();
            // SAFETY: the caller says that a reference is there, or null; it is written before the old
            // one is given back, as that may run anything.
            unsafe { copy(ptr::from_ref(&new).cast(), place, ty) };
            Ok(())
        }
        Kind::Tuple(items) => {
            let given = value.cast::<PyTuple>().map_err(PyErr::from)?;
            if given.len() != items.len() {
                return Err(PyTypeError::new_err(format!("expected a tuple of {}", items.len())));
            }
            for (item, (offset, ty)) in given.iter().zip(parts(ty).unwrap_or_default()) {
                // SAFETY: the item lies within the tuple.
                unsafe { from_object(&item, place.add(offset), ty) }?;
            }
            Ok(())
        }
        Kind::User(user) => {
            check_class(value, user)?;
            // SAFETY: an object of the class of the member's type.
            unsafe { copy(start(value), place, ty) };
            Ok(())
        }
        _ => {
            let mut words = Words::new();
            border::unbox(value, ty, &mut words, &mut Arguments::default())?;
            // SAFETY: the caller says that a number of this type is there.
            unsafe { write_number(place, ty, &words) };
            Ok(())
        }
    }
}

fn check_array(value: &Bound<'_, PyAny>, ty: Ty, wanted: &Array) -> PyResult<()> {
    let found = arrays::type_of(value)?;
    let fits = found.and_then(|it| it.as_array()).is_some_and(|it| {
        it.dtype == wanted.dtype
            && it.ndim == wanted.ndim
            && (wanted.layout == Layout::Any || it.layout == wanted.layout)
            && (wanted.is_readonly || !it.is_readonly)
    });
    if fits {
        return Ok(());
    }
    let found = found.map_or_else(|| crate::args::type_name(value), |it| it.to_string());
    Err(PyTypeError::new_err(format!("expected a {ty}, not a {found}")))
}

fn user_of(class: &Bound<'_, PyType>) -> PyResult<Ty> {
    types::from_python(&class.getattr("_opwright_type_")?)
}

fn check_class(value: &Bound<'_, PyAny>, user: &User) -> PyResult<()> {
    match type_of(value)?.as_deref() {
        Some(Kind::User(own)) if own.object == user.object => Ok(()),
        _ => Err(PyTypeError::new_err(format!(
            "expected a {}, not a {}",
            user.name,
            crate::args::type_name(value)
        ))),
    }
}

/// Sets a member of a struct, by its number, whether it is frozen or not.
#[pyfunction]
fn struct_set(object: &Bound<'_, PyAny>, at: usize, value: &Bound<'_, PyAny>) -> PyResult<()> {
    let Some(ty) = type_of(object)? else { return Err(PyTypeError::new_err("no struct")) };
    let Some((offset, ty)) = parts(ty).unwrap_or_default().get(at).copied() else {
        return Err(PyAttributeError::new_err("no such member"));
    };
    // SAFETY: an object of a class that was made for these members, the GIL being held.
    unsafe { from_object(value, start(object).wrapping_add(offset), ty) }
}

/// The bytes of a struct's members, as an address.
#[pyfunction]
fn struct_get(object: &Bound<'_, PyAny>) -> PyResult<usize> {
    match type_of(object)? {
        Some(_) => Ok(start(object).addr()),
        None => Err(PyTypeError::new_err("no struct")),
    }
}

/// Writes a number.
///
/// # Safety
///
/// There is one of this type at the place.
unsafe fn write_number(place: *mut u8, ty: Ty, words: &[u64]) {
    let size = ty.real_type().itemsize() as usize;
    for (number, word) in words.iter().enumerate() {
        // SAFETY: the caller says that so many bytes are there for each word.
        unsafe {
            let place = place.add(number * size);
            ptr::copy_nonoverlapping(word.to_le_bytes().as_ptr(), place, size);
        }
    }
}

/// The types of classes of structs, which live as long as the process.
static TYPES: Lock<Vec<(usize, Ty)>> = Lock::new(Vec::new());

fn known_type(class: usize) -> Option<Ty> {
    let known = TYPES.lock();
    known.iter().find(|(it, _)| *it == class).map(|(_, ty)| *ty)
}

/// The type of an object of a class of structs; none for others.
pub(super) fn type_of(object: &Bound<'_, PyAny>) -> PyResult<Option<Ty>> {
    if let Some(ty) = known_type(object.get_type_ptr().addr()) {
        return Ok(Some(ty));
    }
    let class = object.get_type();
    if class.getattr("_opwright_defaults_").is_err() {
        return Ok(None);
    }
    let ty = user_of(&class)?;
    // The class is kept, so that no other gets its address.
    objects::number(class.as_any());
    let mut known = TYPES.lock();
    known.push((class.as_ptr().addr(), ty));
    Ok(Some(ty))
}

/// A struct as a constant, which lives as long as what is compiled; none if it is no struct.
pub(super) fn frozen(object: &Bound<'_, PyAny>) -> PyResult<Option<Frozen>> {
    let Some(ty) = type_of(object)? else { return Ok(None) };
    let Kind::User(user) = &*ty else { return Ok(None) };
    if !ty.referred().is_empty() {
        return Ok(None);
    }
    let mut words = Words::new();
    unbox(object, ty, user, &mut words, &mut Arguments::default())?;
    Ok(Some(Frozen::Object(ty, objects::number(object), words[1..].to_vec())))
}

/// Appends the words of a struct: its owner, and its members or its address.
pub(super) fn unbox<'py>(
    object: &Bound<'py, PyAny>,
    ty: Ty,
    user: &User,
    words: &mut Words,
    arguments: &mut Arguments<'py>,
) -> PyResult<()> {
    check_class(object, user)?;
    words.push(argument_owner(arguments.list.len()));
    let place = start(object);
    arguments.list.push((object.clone(), smallvec::smallvec![place.expose_provenance() as u64]));
    if user.form == Form::Reference {
        words.push(place.expose_provenance() as u64);
        // SAFETY: an object of the class that was made for these members.
        return unsafe { read_referred(object.py(), place, ty, words, arguments) };
    }
    for (offset, ty) in parts(ty).unwrap_or_default() {
        // SAFETY: an object of the class that was made for these members.
        unsafe { read(object.py(), place.wrapping_add(offset), ty, words, arguments) }?;
    }
    Ok(())
}

/// Appends the words of the arrays that a value in memory refers to.
///
/// # Safety
///
/// There is a value of this type at the place.
unsafe fn read_referred<'py>(
    py: Python<'py>,
    place: *mut u8,
    ty: Ty,
    words: &mut Words,
    arguments: &mut Arguments<'py>,
) -> PyResult<()> {
    if ty.referred().is_empty() {
        return Ok(());
    }
    if let Kind::Array(_) = *ty {
        // SAFETY: the caller says that a reference is there, or null.
        return unsafe { read(py, place, ty, words, arguments) };
    }
    for (offset, ty) in parts(ty).unwrap_or_default() {
        // SAFETY: the part lies within the value.
        unsafe { read_referred(py, place.add(offset), ty, words, arguments) }?;
    }
    Ok(())
}

/// Appends the words of a member of a struct that is copied.
///
/// # Safety
///
/// There is a value of this type at the place.
unsafe fn read<'py>(
    py: Python<'py>,
    place: *mut u8,
    ty: Ty,
    words: &mut Words,
    arguments: &mut Arguments<'py>,
) -> PyResult<()> {
    match &*ty {
        Kind::Array(_) => {
            // SAFETY: the caller says that a reference is there, or null.
            let array = unsafe {
                let array = place.cast::<*mut PyObject>().read_unaligned();
                Bound::from_borrowed_ptr_or_opt(py, array)
            };
            let array = array.ok_or_else(|| PyTypeError::new_err("an array was not set"))?;
            return arrays::unbox(&array, words, arguments);
        }
        Kind::User(_) => words.push(0),
        Kind::Tuple(_) => {}
        _ => {
            // SAFETY: the caller says that a number is there.
            unsafe { read_number(place, ty, words) };
            return Ok(());
        }
    }
    for (offset, ty) in parts(ty).unwrap_or_default() {
        // SAFETY: the part lies within the value.
        unsafe { read(py, place.add(offset), ty, words, arguments) }?;
    }
    Ok(())
}

/// Appends the words of a number.
///
/// # Safety
///
/// There is one of this type at the place.
unsafe fn read_number(place: *const u8, ty: Ty, words: &mut Words) {
    let size = ty.real_type().itemsize() as usize;
    for number in 0..ty.width() {
        let mut bytes = [0; 8];
        // SAFETY: the caller says that so many bytes are there for each word.
        unsafe {
            let place = place.add(number * size);
            ptr::copy_nonoverlapping(place, bytes.as_mut_ptr(), size);
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

/// A new object of a class of structs, whose members are zero.
fn new_object<'py>(py: Python<'py>, user: &User) -> PyResult<Bound<'py, PyAny>> {
    let class = objects::object(py, user.object).getattr("python_class")?;
    let made = class.getattr("__new__")?.call1((&class,))?;
    // Its class is known from here on, which freeing it asks for.
    type_of(&made)?;
    Ok(made)
}

/// The object of a struct: the one that was passed, a part of it, or a new one.
pub(super) fn boxed<'py>(
    py: Python<'py>,
    ty: Ty,
    user: &User,
    words: &mut &[u64],
    border: &Border<'_, 'py>,
) -> PyResult<Bound<'py, PyAny>> {
    let (own, rest) = words.split_at(ty.width());
    *words = rest;
    let known = match Owner::of(own[0]) {
        Owner::Argument(at) => Some(border.arguments.list[at].0.clone()),
        Owner::Constant(at) => Some(objects::object(py, border.held[at])),
        Owner::Made(_) | Owner::None => None,
    };
    if user.form != Form::Reference {
        let Some(known) = known else {
            let made = new_object(py, user)?;
            let mut rest = &own[1..];
            // SAFETY: a new object of the class that was made for these members.
            unsafe { write_members(py, start(&made), ty, &mut rest, border) }?;
            return Ok(made);
        };
        return Ok(known);
    }
    let place = ptr::with_exposed_provenance_mut::<u8>(own[1] as usize);
    let mut referred = &own[2..];
    if let Some(known) = known {
        if start(&known) == place && check_class(&known, user).is_ok() {
            return Ok(known);
        }
        let made = new_object(py, user)?;
        look_into(&made, &known, place);
        return Ok(made);
    }
    let made = new_object(py, user)?;
    // SAFETY: the program made memory of this size for the struct, which the frame keeps; the new
    // object has as much behind its head, and arrays are taken from the words.
    unsafe { copy_made(py, place, start(&made), ty, &mut referred, border) }?;
    Ok(made)
}

/// Writes a value that a program made in memory to a new object, with arrays from their words.
///
/// # Safety
///
/// There are values of this type at both places; references of the first are none.
unsafe fn copy_made<'py>(
    py: Python<'py>,
    from: *const u8,
    to: *mut u8,
    ty: Ty,
    referred: &mut &[u64],
    border: &Border<'_, 'py>,
) -> PyResult<()> {
    if let Kind::Array(_) = *ty {
        let array = border::boxed(py, ty, referred, border)?;
        // SAFETY: a new object, whose reference is null.
        return unsafe { from_object(&array, to, ty) };
    }
    let Some(parts) = parts(ty) else {
        // SAFETY: the caller says that there is a number at both places.
        unsafe { copy(from, to, ty) };
        return Ok(());
    };
    for (offset, ty) in parts {
        // SAFETY: the part lies within the values.
        unsafe { copy_made(py, from.add(offset), to.add(offset), ty, referred, border) }?;
    }
    Ok(())
}

/// Writes a value of these words to a new object.
///
/// # Safety
///
/// There is a value of this type at the place.
unsafe fn write_members<'py>(
    py: Python<'py>,
    place: *mut u8,
    ty: Ty,
    words: &mut &[u64],
    border: &Border<'_, 'py>,
) -> PyResult<()> {
    for (offset, ty) in parts(ty).unwrap_or_default() {
        let place = place.wrapping_add(offset);
        match &*ty {
            Kind::Array(_) => {
                let array = border::boxed(py, ty, words, border)?;
                // SAFETY: a new object, whose reference is null.
                unsafe { from_object(&array, place, ty) }?;
            }
            Kind::Tuple(_) | Kind::User(_) => {
                let owners = usize::from(matches!(*ty, Kind::User(_)));
                *words = &words[owners..];
                // SAFETY: the part lies within the value.
                unsafe { write_members(py, place, ty, words, border) }?;
            }
            _ => {
                let (own, rest) = words.split_at(ty.width());
                *words = rest;
                // SAFETY: the part lies within the value.
                unsafe { write_number(place, ty, own) };
            }
        }
    }
    Ok(())
}
