//! The native base class: what is written by hand here, and what a generator
//! made of operators, put into one type.
//!
//! Where both have a method or a slot, the operator's is taken: the operator
//! set says what a tensor can do, and what is here fills the gaps.

use std::collections::HashSet;
use std::ffi::{CStr, CString, c_int, c_uint, c_void};
use std::ptr;
use std::sync::OnceLock;

use opwright_runtime::Tensor;
use pyo3::ffi::{self, PyMemberDef, PyMethodDef, PyObject, PyType_Slot, PyType_Spec, PyTypeObject};
use pyo3::prelude::*;
use pyo3::types::{PyModule, PyType};

use super::guard::guard;
use super::{
    attributes, convert, index, iterate, list, methods, numbers, object, pickle, questions,
};
use crate::interop::export;
use crate::tables::{MethodTable, Slot, Tables};

const DOC: &CStr = c"The native base of `opwright.Tensor`.";

/// Makes the class.
///
/// # Errors
///
/// Whatever the interpreter raises.
pub(super) fn make<'py>(
    module: &Bound<'py, PyModule>,
    tables: &Tables,
) -> PyResult<Bound<'py, PyType>> {
    let py = module.py();
    let name = CString::new(format!("{}.TensorBase", module.name()?))?;
    let mut slots = slots(tables);
    let mut spec = spec(name, &mut slots);
    // SAFETY: the slots are functions of the types that the interpreter
    // expects, ended by an empty one, and what they point to is never freed.
    let class = unsafe {
        let class = ffi::PyType_FromModuleAndSpec(module.as_ptr(), &raw mut spec, ptr::null_mut());
        Bound::from_owned_ptr_or_err(py, class)?
    };
    Ok(class.cast_into::<PyType>()?)
}

/// What describes a class of tensors to the interpreter, which borrows the slots.
pub(super) fn spec(name: CString, slots: &mut [PyType_Slot]) -> PyType_Spec {
    PyType_Spec {
        // Older interpreters keep the pointer.
        name: Box::leak(name.into_boxed_c_str()).as_ptr(),
        basicsize: object::SIZE,
        itemsize: 0,
        flags: (ffi::Py_TPFLAGS_DEFAULT | ffi::Py_TPFLAGS_BASETYPE) as c_uint,
        slots: slots.as_mut_ptr(),
    }
}

fn slots(tables: &Tables) -> Vec<PyType_Slot> {
    let by_hand = [
        slot(ffi::Py_tp_dealloc, object::dealloc as *const c_void),
        slot(ffi::Py_tp_new, new as *const c_void),
        slot(ffi::Py_tp_hash, hash as *const c_void),
        slot(ffi::Py_tp_doc, DOC.as_ptr().cast()),
        slot(ffi::Py_tp_getset, attributes::TABLE.0.as_ptr().cast()),
        slot(ffi::Py_tp_members, leak(members()).cast()),
        slot(ffi::Py_tp_methods, methods_of(tables).cast_const().cast()),
    ];
    let protocols = numbers::SLOTS.iter().chain(&iterate::SLOTS).chain(&index::SLOTS);
    let protocols = protocols.chain(&export::SLOTS).map(|it| slot(it.id, it.function));
    let operators = tables.slots.iter().map(|Slot { id, function }| slot(*id, *function));

    let mut taken = HashSet::new();
    let mut slots: Vec<PyType_Slot> =
        operators.chain(by_hand).chain(protocols).filter(|it| taken.insert(it.slot)).collect();
    slots.push(slot(0, ptr::null()));
    slots
}

fn slot(id: c_int, function: *const c_void) -> PyType_Slot {
    PyType_Slot { slot: id, pfunc: function.cast_mut() }
}

/// Keeps a table for the rest of the process, as the class does.
fn leak<T>(table: Vec<T>) -> *const T {
    table.leak().as_ptr()
}

/// The member by which the interpreter finds an instance's weak references.
fn members() -> Vec<PyMemberDef> {
    let weak_references = PyMemberDef {
        name: c"__weaklistoffset__".as_ptr(),
        type_code: ffi::Py_T_PYSSIZET,
        offset: object::WEAK_OFFSET as ffi::Py_ssize_t,
        flags: ffi::Py_READONLY,
        doc: ptr::null(),
    };
    vec![weak_references, PyMemberDef::default()]
}

/// The methods of tensors, which are put together once.
pub(super) fn methods_of(tables: &Tables) -> *mut PyMethodDef {
    static METHODS: OnceLock<MethodTable> = OnceLock::new();
    METHODS.get_or_init(|| MethodTable(leak(all_methods(tables)).cast_mut())).0
}

fn all_methods(tables: &Tables) -> Vec<PyMethodDef> {
    let mut methods = entries(tables);
    // SAFETY: names of entries are static.
    let name = |it: &PyMethodDef| unsafe { CStr::from_ptr(it.ml_name) };
    let taken: HashSet<&CStr> = methods.iter().map(name).collect();
    let by_hand = [
        &questions::ENTRIES.0[..],
        &convert::ENTRIES.0,
        &methods::ENTRIES.0,
        &iterate::ENTRIES.0,
        &list::ENTRIES.0,
        &pickle::ENTRIES.0,
    ];
    methods.extend(by_hand.into_iter().flatten().filter(|it| !taken.contains(name(it))));
    methods.push(PyMethodDef::zeroed());
    methods
}

/// The generated methods.
fn entries(tables: &Tables) -> Vec<PyMethodDef> {
    let mut entries = Vec::new();
    let mut next = tables.methods.0;
    // SAFETY: generated tables are ended by an entry without a name.
    unsafe {
        while !(*next).ml_name.is_null() {
            entries.push(*next);
            next = next.add(1);
        }
    }
    entries
}

/// `Tensor(data, *, dtype=None, device=None)`, also of subclasses.
unsafe extern "C" fn new(
    class: *mut PyTypeObject,
    args: *mut PyObject,
    kwargs: *mut PyObject,
) -> *mut PyObject {
    // SAFETY: called by the interpreter, with a class derived from this one, a
    // tuple, and null or a dictionary.
    unsafe {
        guard("Tensor", ptr::null_mut(), |py| {
            let tensor: Tensor = super::construct::from_call(py, args, kwargs)?;
            let object = object::new_of(class, tensor);
            Ok(Bound::from_owned_ptr_or_err(py, object)?.into_ptr())
        })
    }
}

/// By identity: tensors change, and `==` compares elements.
unsafe extern "C" fn hash(object: *mut PyObject) -> ffi::Py_hash_t {
    // Objects are aligned, so the lowest bits say nothing.
    let hash = object.addr().rotate_right(4) as ffi::Py_hash_t;
    if hash == -1 { -2 } else { hash }
}
