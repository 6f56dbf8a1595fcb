//! The classes of structs with `#[derive(NativeType)]`.

use std::ffi::{CString, c_int, c_void};
use std::sync::OnceLock;

use opwright_runtime::lock::Lock;
use opwright_runtime::op::{self, Native};
use opwright_runtime::resolve::Kind;
use opwright_runtime::types::{Coerce, StructField, Structure};
use opwright_runtime::{Error, reserve};
use pyo3::basic::CompareOp;
use pyo3::exceptions::{PyAttributeError, PyTypeError};
use pyo3::ffi::{self, PyGetSetDef};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyModule, PyTuple, PyType};

use super::arguments::{self, Attribute};
use crate::object::describe::type_name;
use crate::object::failure::Failure;
use crate::object::hooks;
use crate::object::trampoline::trampoline;
use crate::raw::method::{self, Methods};
use crate::raw::{
    self, Class, ClassOf, Instance, InstanceValue, Lent, New, Optional, Plain, Spec, Unused, entry,
};

/// The classes, in the order of the kinds of the resolver; those of types that are not derived stay
/// unset.
static CLASSES: [Class; Kind::NATIVES as usize] = [const { Class::new() }; Kind::NATIVES as usize];

/// What is known of each.
static KNOWN: [OnceLock<StructClass>; Kind::NATIVES as usize] =
    [const { OnceLock::new() }; Kind::NATIVES as usize];

/// A struct and its class.
struct StructClass {
    class: ClassOf<NativeCell>,
    structure: &'static Structure,
    attributes: &'static [Attribute],
}

/// What an instance holds: a value that others may hold, too, so that another one takes its place
/// when a field is set.
pub(super) struct NativeCell(Lock<Native>);

impl NativeCell {
    fn get(&self) -> Native {
        self.0.lock().clone()
    }

    fn set(&self, value: Native) {
        let mut held = self.0.lock();
        let old = std::mem::replace(&mut *held, value);
        drop(held);
        // Not while others wait.
        drop(old);
    }
}

impl InstanceValue for NativeCell {
    fn release(self, _py: Python<'_>) {}
}

/// Which type of the crate an object is an instance of, if its class is one of these.
#[inline]
pub(crate) fn number(object: Borrowed<'_, '_, PyAny>) -> Option<u8> {
    let class = object.get_type_ptr();
    CLASSES.iter().zip(0..).find(|(it, _)| it.get() == class).map(|(_, number)| number)
}

/// The value of an instance of one of these classes.
#[inline]
pub(crate) fn held(object: &Bound<'_, PyAny>) -> Option<Native> {
    let number = number(object.as_borrowed())?;
    let object = KNOWN[number as usize].get()?.class.cast(object)?;
    Some(Instance::value(object.as_borrowed()).get())
}

/// The struct whose class this is.
pub(crate) fn structure(class: &Bound<'_, PyType>) -> Option<&'static Structure> {
    known(class).map(|it| it.structure)
}

fn known(class: &Bound<'_, PyType>) -> Option<&'static StructClass> {
    let at = CLASSES.iter().position(|it| it.get() == class.as_type_ptr())?;
    KNOWN[at].get()
}

/// The class of a struct.
pub(crate) fn of<'py>(py: Python<'py>, structure: &Structure) -> Option<Bound<'py, PyType>> {
    class_of(structure).map(|it| it.class(py).clone())
}

fn class_of(structure: &Structure) -> Option<&'static ClassOf<NativeCell>> {
    let mut known = KNOWN.iter().filter_map(OnceLock::get);
    known.find(|it| (it.structure.id)() == (structure.id)()).map(|it| &it.class)
}

/// A new instance with this value.
///
/// # Errors
///
/// `TypeError` if it is none of these structs; `MemoryError`.
pub(super) fn object(py: Python<'_>, value: op::Native) -> Result<Bound<'_, PyAny>, Failure> {
    let class = value.structure().and_then(class_of);
    let class = class.ok_or_else(|| unknown(value.name()))?;
    Ok(class.instance(py, NativeCell(Lock::new(value)))?.into_any())
}

/// Makes the class of a struct, the `number`th type of the crate.
///
/// # Errors
///
/// Whatever the interpreter raises.
pub(super) fn make<'py>(
    module: &Bound<'py, PyModule>,
    number: usize,
    structure: &'static Structure,
) -> PyResult<Bound<'py, PyType>> {
    let py = module.py();
    let attributes = attributes(structure);
    let name = c_text(&format!("{}.{}", crate::object::package::name(), structure.name));
    let slots = vec![
        Spec::slot(ffi::Py_tp_new, new as *const c_void),
        Spec::slot(ffi::Py_tp_repr, repr as *const c_void),
        Spec::slot(ffi::Py_tp_richcompare, compare as *const c_void),
        Spec::slot(ffi::Py_tp_methods, (&raw const ENTRIES).cast()),
        Spec::slot(ffi::Py_tp_getset, table(attributes).cast()),
        Spec::slot(ffi::Py_tp_doc, c_text(&doc(attributes, structure)).into_raw().cast()),
        // What may be set has no hash that stays.
        Spec::slot(ffi::Py_tp_hash, ffi::PyObject_HashNotImplemented as *const c_void),
    ];
    // SAFETY: the functions are of the types that the ids say, for instances that hold `Held`, which
    // `object` makes; the tables and texts are never freed, and nobody derives from the class.
    let made = unsafe { ClassOf::new(py, name, 0, slots)? };
    let class = made.class(py).clone();
    let names = structure.parts.iter().map(|it| it.name);
    class.setattr("__match_args__", PyTuple::new(py, names)?)?;
    class.setattr("_opwright_struct_", described(py, attributes)?)?;
    CLASSES[number].set(&class);
    KNOWN[number].get_or_init(|| StructClass { class: made, structure, attributes });
    Ok(class)
}

/// For compiled functions, which may belong to another module: the name of each field, that of its type,
/// and whether it can be set.
fn described<'py>(py: Python<'py>, attributes: &[Attribute]) -> PyResult<Bound<'py, PyTuple>> {
    let row = |it: &Attribute| (it.part.name, it.ty.to_string(), it.part.is_settable);
    PyTuple::new(py, attributes.iter().map(row))
}

/// A text without null bytes, which no name has.
fn c_text(text: &str) -> CString {
    CString::new(text.replace('\0', "")).unwrap_or_default()
}

/// `Interval(lo, hi=1.0)`, as `inspect.signature` reads it, and what is said of it.
fn doc(attributes: &[Attribute], structure: &Structure) -> String {
    format!("{}\n--\n\n{}", arguments::signature(structure, attributes), structure.doc)
}

fn attributes(structure: &'static Structure) -> &'static [Attribute] {
    let of = |part: &'static StructField| Attribute { structure, part, ty: (part.ty)() };
    structure.parts.iter().map(of).collect::<Vec<_>>().leak()
}

/// The table of the attributes, which an empty entry ends.
fn table(attributes: &'static [Attribute]) -> *const PyGetSetDef {
    let entry = |it: &'static Attribute| PyGetSetDef {
        name: c_text(it.part.name).into_raw(),
        get: Some(get),
        set: it.part.is_settable.then_some(set as ffi::setter),
        doc: c_text(it.part.doc).into_raw(),
        closure: std::ptr::from_ref(it).cast_mut().cast(),
    };
    let entries = attributes.iter().map(entry).chain([PyGetSetDef::default()]);
    entries.collect::<Vec<_>>().leak().as_ptr()
}

/// What stands in an entry of the table.
fn attribute(closure: *mut c_void) -> &'static Attribute {
    // SAFETY: `table` put an attribute there, which is never freed, and nobody else has the entry.
    unsafe { &*closure.cast::<Attribute>() }
}

static ENTRIES: Methods<2> = Methods([
    method::alone(
        c"__reduce__",
        reduce,
        c"__reduce__($self, /)\n--\n\nThe class and the fields, of which pickles make it again.",
    ),
    Methods::<2>::END,
]);

/// The value of a field as an object.
fn field<'py>(
    py: Python<'py>,
    of: &Native,
    attribute: &Attribute,
) -> Result<Bound<'py, PyAny>, Failure> {
    let value = (attribute.part.get)(of).ok_or_else(|| unknown(of.name()))?;
    Ok(hooks::emit(py, &attribute.ty, value)?)
}

/// All fields as objects.
fn fields<'py>(
    py: Python<'py>,
    object: Borrowed<'_, 'py, Instance<NativeCell>>,
) -> Result<Vec<(&'static Attribute, Bound<'py, PyAny>)>, Failure> {
    let value = Instance::value(object).get();
    let attributes = known(&object.as_any().get_type()).map_or(&[][..], |it| it.attributes);
    let objects = attributes.iter().map(|it| Ok((it, field(py, &value, it)?)));
    objects.collect()
}

entry! {
    fn new(py, class: Lent<PyType>, args: Lent<PyTuple>, kwargs: Optional<PyDict>) -> New {
        let known = known(&class);
        trampoline(known.map_or("__new__", |it| it.structure.name), None, || {
            reserve::check()?;
            let known = known.ok_or_else(|| unknown("NativeType"))?;
            let values = arguments::bound(known.structure, known.attributes, &args, kwargs.as_deref())?;
            let name = known.structure.name;
            let value = (known.structure.make)(values).ok_or_else(|| unknown(name))?;
            object(py, value).map(Some)
        })
    }

    fn get(py, object: Lent<Instance<NativeCell>>, closure: Plain<*mut c_void>) -> New {
        trampoline("__get__", None, || {
            field(py, &Instance::value(object).get(), attribute(closure)).map(Some)
        })
    }

    fn set(
        _py,
        object: Lent<Instance<NativeCell>>,
        value: Optional<PyAny>,
        closure: Plain<*mut c_void>
    ) -> c_int {
        trampoline("__set__", -1, || {
            let attribute = attribute(closure);
            let held = Instance::value(object);
            let Some(value) = value else {
                let text = format!("{} cannot be deleted", attribute.place());
                return Err(PyAttributeError::new_err(text).into());
            };
            let value = attribute.accept(&value, Coerce::Natural)?;
            let changed = (attribute.part.with)(&held.get(), value);
            held.set(changed.ok_or_else(|| unknown(attribute.structure.name))?);
            Ok(0)
        })
    }

    fn repr(py, object: Lent<Instance<NativeCell>>) -> New {
        trampoline("__repr__", None, || {
            let class = object.as_any().get_type();
            let name = class.name()?;
            let shown = fields(py, object)?.into_iter().map(|(attribute, it)| {
                Ok(format!("{}={}", attribute.part.name, it.repr()?))
            });
            let shown = shown.collect::<PyResult<Vec<_>>>()?.join(", ");
            let text = format!("{name}({shown})");
            Ok(Some(text.into_pyobject(py).map_err(PyErr::from)?.into_any()))
        })
    }

    fn compare(
        py,
        object: Lent<Instance<NativeCell>>,
        other: Lent<PyAny>,
        op: Plain<c_int>
    ) -> New {
        trampoline("__eq__", None, || {
            let op = CompareOp::from_raw(op);
            let other = held(&other);
            let (Some(op @ (CompareOp::Eq | CompareOp::Ne)), Some(other)) = (op, other) else {
                return Ok(Some(py.NotImplemented().into_bound(py)));
            };
            let own = Instance::value(object).get();
            let equal = own.structure().is_some_and(|it| (it.equal)(&own, &other));
            let answer = equal == matches!(op, CompareOp::Eq);
            Ok(Some(PyBool::new(py, answer).to_owned().into_any()))
        })
    }

    fn reduce(py, object: Lent<Instance<NativeCell>>, _none: Unused) -> New {
        trampoline("__reduce__", None, || {
            let fields = fields(py, object)?.into_iter().map(|(_, it)| it).collect::<Vec<_>>();
            let fields = raw::tuple(py, fields)?.into_any();
            let parts = vec![object.as_any().get_type().into_any(), fields];
            Ok(Some(raw::tuple(py, parts)?.into_any()))
        })
    }
}

/// An object that has the fields of a struct, as one: an instance itself, or attributes of any other
/// object.
///
/// # Errors
///
/// `TypeError` for what is no such object, or a field that its type refuses.
pub(crate) fn accept(
    structure: &'static Structure,
    given: &Bound<'_, PyAny>,
    how: Coerce,
) -> PyResult<op::Value> {
    if let Some(own) = held(given)
        && structure.has(&own)
    {
        return Ok(op::Value::Native(own));
    }
    let wrong = || {
        let text = match hooks::of(given) {
            Some(layer) => format!("a {}, not a value", layer.object),
            None => type_name(given),
        };
        PyTypeError::new_err(format!("expected {}, got {text}", structure.name))
    };
    let class = of(given.py(), structure);
    let known = class.as_ref().and_then(known).filter(|_| how != Coerce::Strict);
    let Some(known) = known.filter(|_| hooks::of(given).is_none()) else {
        return Err(wrong());
    };
    let mut values = Vec::with_capacity(known.attributes.len());
    for attribute in known.attributes {
        let value = given.getattr_opt(attribute.part.name)?.ok_or_else(wrong)?;
        values.push(attribute.accept(&value, how)?);
    }
    (structure.make)(values).map(op::Value::Native).ok_or_else(wrong)
}

#[cold]
pub(super) fn unknown(name: &str) -> Failure {
    Error::wrong_type(format_args!("this module has no type `{name}`")).into()
}
