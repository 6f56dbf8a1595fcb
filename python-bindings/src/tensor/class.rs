//! The native base class: what is written by hand here, and what a generator
//! made of operators, put into one type.
//!
//! Where both have a method or a slot, the operator's is taken: the operator
//! set says what a tensor can do, and what is here fills the gaps.

use std::collections::HashSet;
use std::ffi::{CStr, CString, c_void};
use std::ptr;
use std::sync::OnceLock;

use opwright_runtime::reserve;
use pyo3::ffi::{self, PyMemberDef, PyMethodDef, PyType_Slot};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyModule, PyTuple, PyType};

use super::{
    attributes, constructor, convert, index, iterate, methods, numbers, pickle, predicates, set,
};
use crate::call::tables::Tables;
use crate::interop::export;
use crate::object::trampoline::trampoline;
use crate::object::{self, Object};
use crate::raw::method::{MethodTable, Slot};
use crate::raw::{Lent, New, Optional, Spec, entry};

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
    // SAFETY: each slot of the tables stands beside the id that says its type, functions for objects
    // take instances of this class, whose size `spec` says, and tables are static or leaked.
    unsafe { spec(name, slots(tables)).make(py, Some(module), None) }
}

/// What describes a class of tensors to the interpreter.
pub(super) fn spec(name: CString, mut slots: Vec<PyType_Slot>) -> Spec {
    slots.push(Spec::slot(ffi::Py_tp_traverse, object::traverse as *const c_void));
    slots.push(Spec::slot(ffi::Py_tp_clear, object::clear as *const c_void));
    let flags = ffi::Py_TPFLAGS_BASETYPE | ffi::Py_TPFLAGS_HAVE_GC;
    Spec { name, size: object::SIZE, flags, slots }
}

fn slots(tables: &Tables) -> Vec<PyType_Slot> {
    let slot = Spec::slot;
    let by_hand = [
        slot(ffi::Py_tp_dealloc, object::dealloc as *const c_void),
        slot(ffi::Py_tp_new, new as *const c_void),
        slot(ffi::Py_tp_hash, hash as *const c_void),
        slot(ffi::Py_tp_setattro, object::set_attribute as *const c_void),
        slot(ffi::Py_tp_doc, DOC.as_ptr().cast()),
        slot(ffi::Py_tp_getset, attributes::TABLE.0.as_ptr().cast()),
        slot(ffi::Py_tp_members, leak(members()).cast()),
        slot(ffi::Py_tp_methods, methods_of(tables).cast_const().cast()),
    ];
    let protocols = numbers::SLOTS.iter().chain(&iterate::SLOTS).chain(&index::SLOTS);
    let protocols = protocols.chain(&export::SLOTS).map(|it| slot(it.id, it.function));
    let operators = tables.slots.iter().map(|Slot { id, function }| slot(*id, *function));

    let mut taken = HashSet::new();
    operators.chain(by_hand).chain(protocols).filter(|it| taken.insert(it.slot)).collect()
}

/// Keeps a table for the rest of the process, as the class does.
fn leak<T>(table: Vec<T>) -> *const T {
    table.leak().as_ptr()
}

/// The members by which the interpreter finds an instance's weak references and its attributes.
fn members() -> Vec<PyMemberDef> {
    let member = |name: &'static CStr, offset: usize| PyMemberDef {
        name: name.as_ptr(),
        type_code: ffi::Py_T_PYSSIZET,
        offset: offset as ffi::Py_ssize_t,
        flags: ffi::Py_READONLY,
        doc: ptr::null(),
    };
    vec![
        member(c"__weaklistoffset__", object::WEAK_OFFSET),
        member(c"__dictoffset__", object::ATTRIBUTES_OFFSET),
        PyMemberDef::default(),
    ]
}

/// The methods of tensors, which are put together once.
pub(super) fn methods_of(tables: &Tables) -> *mut PyMethodDef {
    static METHODS: OnceLock<MethodTable> = OnceLock::new();
    METHODS.get_or_init(|| MethodTable(leak(all_methods(tables)).cast_mut())).0
}

fn all_methods(tables: &Tables) -> Vec<PyMethodDef> {
    let (taken, mut methods): (HashSet<&CStr>, Vec<PyMethodDef>) =
        tables.methods.entries().map(|(name, entry)| (name, *entry)).unzip();
    // SAFETY: `method::alone` and `method::with_arguments` make entries, of static names.
    let is_taken = |it: &PyMethodDef| taken.contains(unsafe { CStr::from_ptr(it.ml_name) });
    let by_hand = [
        &predicates::ENTRIES.0[..],
        &convert::ENTRIES.0,
        &methods::ENTRIES.0,
        &iterate::ENTRIES.0,
        &pickle::ENTRIES.0,
        &set::ENTRIES.0,
    ];
    methods.extend(by_hand.into_iter().flatten().filter(|it| !is_taken(it)));
    methods.push(PyMethodDef::zeroed());
    methods
}

entry! {
    /// `Tensor(2, 3)` and `Tensor([1.0])`, also of subclasses.
    fn new(
        _py,
        class: Lent<PyType>,
        args: Lent<PyTuple>,
        kwargs: Optional<PyDict>
    ) -> New {
        trampoline("Tensor", None, || {
            reserve::check()?;
            constructor::instance(&class, &args, kwargs.as_deref()).map(Some)
        })
    }

    /// By identity: tensors change, and `==` compares elements.
    fn hash(_py, tensor: Lent<Object>) -> ffi::Py_hash_t {
        // Objects are aligned, so the lowest bits say nothing.
        let hash = tensor.as_ptr().addr().rotate_right(4) as ffi::Py_hash_t;
        if hash == -1 { -2 } else { hash }
    }
}
