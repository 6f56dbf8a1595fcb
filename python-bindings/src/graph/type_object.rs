//! Types as objects.

use std::sync::Arc;

use opwright_runtime::DType;
use opwright_runtime::lock::Lock;
use opwright_runtime::op::Value;
use opwright_runtime::types::{
    Coerce, Extents, Field, ListType, NativeStruct, Plain, StructField, StructType, TensorType,
    Tolerance, TypeRef, ValueLayout,
};
use pyo3::exceptions::{PyAttributeError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBool, PyDict, PyInt, PyModule, PyString, PyTuple, PyType};

use super::failure::{ShapeClash, ShapeMismatch, raised};
use super::host_struct::HostStruct;
use super::read::{self, ObjectReader};
use super::{boxing, call_site, hook, interned_types, memory, variable};
use crate::object::failure::{exception, is_plain};
use crate::object::{Convert, native, package};
use crate::types::PyDType;

/// A type that this library knows, as an object; equal types are one object.
#[pyclass(frozen, subclass, weakref, name = "NativeType", module = "opwright._C")]
pub(super) struct PyTypeObject(TypeRef);

/// A field in C: where it begins, its type, and its name.
type Placed = (usize, &'static str, String);

/// Hands a type to the constructor, which nobody else can call.
#[pyclass(frozen)]
struct TypeHandover(Lock<Option<TypeRef>>);

/// What the package derives from the native class, and `Type` itself.
struct Classes {
    base: Py<PyAny>,
    tensor: Py<PyType>,
    /// By the names of types; those of others have `other`.
    plain: Py<PyDict>,
    other: Py<PyType>,
    list: Py<PyType>,
    native: Py<PyType>,
}

impl Classes {
    /// The class of a type of plain values.
    fn of_plain<'py>(&self, py: Python<'py>, ty: &TypeRef) -> PyResult<Bound<'py, PyType>> {
        let name = ty.downcast::<Plain>().map(|it| it.name());
        let known = name.map(|it| self.plain.bind(py).get_item(it)).transpose()?.flatten();
        known.map_or_else(|| Ok(self.other.bind(py).clone()), |it| Ok(it.cast_into::<PyType>()?))
    }
}

static CLASSES: PyOnceLock<Classes> = PyOnceLock::new();

pub(super) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    module.add_class::<PyTypeObject>()?;
    module.add("ShapeClash", py.get_type::<ShapeClash>())?;
    module.add("ShapeMismatch", py.get_type::<ShapeMismatch>())?;
    module.add_function(wrap_pyfunction!(set_classes, module)?)?;
    module.add_function(wrap_pyfunction!(tensor_type, module)?)?;
    module.add_function(wrap_pyfunction!(named_dtype, module)?)?;
    module.add_function(wrap_pyfunction!(plain_type, module)?)?;
    module.add_function(wrap_pyfunction!(list_type, module)?)?;
    module.add_function(wrap_pyfunction!(struct_type, module)?)?;
    module.add_function(wrap_pyfunction!(native_struct_type, module)?)?;
    module.add_function(wrap_pyfunction!(typed, module)?)?;
    module.add_function(wrap_pyfunction!(constant, module)?)?;
    module.add_function(wrap_pyfunction!(specified, module)?)?;
    module.add_function(wrap_pyfunction!(memory::may_be_shared, module)?)
}

/// Says which classes the package derives.
#[pyfunction]
fn set_classes(
    py: Python<'_>,
    base: Py<PyAny>,
    tensor: Py<PyType>,
    plain: Py<PyDict>,
    other: Py<PyType>,
    list: Py<PyType>,
    native: Py<PyType>,
) {
    CLASSES.get_or_init(py, || Classes { base, tensor, plain, other, list, native });
}

fn classes(py: Python<'_>) -> PyResult<&Classes> {
    if CLASSES.get(py).is_none() {
        package::load(py, "_types.native")?;
    }
    CLASSES.get(py).ok_or_else(|| PyTypeError::new_err("the package has no types yet"))
}

/// `opwright.Type`.
///
/// # Errors
///
/// What its import raises.
pub(super) fn base_class(py: Python<'_>) -> PyResult<&Bound<'_, PyAny>> {
    Ok(classes(py)?.base.bind(py))
}

/// The object of a type that is not written in Python.
///
/// # Errors
///
/// `MemoryError`.
pub(super) fn object<'py>(py: Python<'py>, ty: &TypeRef) -> PyResult<Bound<'py, PyAny>> {
    interned_types::object(py, ty, || {
        let classes = classes(py)?;
        let class = if ty.downcast::<TensorType>().is_some() {
            classes.tensor.bind(py).clone()
        } else if ty.downcast::<ListType>().is_some() {
            classes.list.bind(py).clone()
        } else if ty.downcast::<NativeStruct>().is_some() {
            classes.native.bind(py).clone()
        } else if let Some(it) = ty.downcast::<HostStruct>() {
            it.of(py).clone()
        } else {
            classes.of_plain(py, ty)?
        };
        let handover = Bound::new(py, TypeHandover(Lock::new(Some(ty.clone()))))?;
        py.get_type::<PyTypeObject>().getattr("__new__")?.call1((class, handover))
    })
}

/// The type of the tensors of a dtype and of a shape.
#[pyfunction]
fn tensor_type<'py>(
    dtype: &Bound<'py, PyAny>,
    shape: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    let dtype = dtype_of(dtype)?;
    let ty = TensorType::checked(dtype, extents(shape)?).map_err(|it| exception(&it))?;
    object(shape.py(), &ty.shared())
}

/// A dtype by its object, by one that stands for it, or by a name.
#[pyfunction]
fn named_dtype<'py>(dtype: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    Ok(dtype_of(dtype)?.object(dtype.py())?)
}

/// The same for us.
fn dtype_of(object: &Bound<'_, PyAny>) -> PyResult<DType> {
    let Ok(name) = object.cast::<PyString>() else { return PyDType::read(object) };
    let name = name.to_string_lossy();
    let short = || DType::ALL.into_iter().find(|it| it.short_name() == name);
    // What numpy has is read as it reads it, as everywhere else.
    let named = PyDType::read(object).ok().or_else(|| DType::from_name(&name));
    let dtype = named.or_else(short);
    dtype.ok_or_else(|| PyTypeError::new_err(format!("Invalid dtype: {name}")))
}

/// What is known of the extents: an iterable of them, or one alone.
fn extents(shape: &Bound<'_, PyAny>) -> PyResult<Extents> {
    let wrong = |it: &Bound<'_, PyAny>| {
        let text = it.repr().map_or_else(|_| crate::object::type_name(it), |it| it.to_string());
        PyValueError::new_err(format!("an extent is an int or None, not {text}"))
    };
    let extent = |it: &Bound<'_, PyAny>| -> PyResult<Option<i64>> {
        if it.is_none() {
            return Ok(None);
        }
        if let Ok(is_one) = it.cast::<PyBool>() {
            return Ok(is_one.is_true().then_some(1));
        }
        let index = crate::raw::index(it).map_err(|_| wrong(it))?;
        crate::raw::to_i64(&index).map(Some).ok_or_else(|| wrong(it))
    };
    if shape.is_instance_of::<PyInt>() {
        return Ok(Extents::from_iter([extent(shape)?]));
    }
    let is_text = shape.is_instance_of::<PyString>();
    let items = shape.try_iter().ok().filter(|_| !is_text).ok_or_else(|| wrong(shape))?;
    items.map(|it| extent(&it?)).collect()
}

/// The type of the plain values of a name.
#[pyfunction]
fn plain_type<'py>(py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
    let ty = Plain::ALL.iter().find(|it| it.name() == name);
    let ty = ty.ok_or_else(|| PyTypeError::new_err(format!("no type is called '{name}'")))?;
    object(py, &(Arc::new(*ty) as TypeRef))
}

/// The type of the lists of values of a type.
#[pyfunction]
#[pyo3(signature = (element, len = None))]
fn list_type<'py>(element: &Bound<'py, PyAny>, len: Option<usize>) -> PyResult<Bound<'py, PyAny>> {
    let ty: TypeRef = Arc::new(ListType::new(boxing::type_ref(element)?, len));
    object(element.py(), &ty)
}

/// The type, an instance of `of`, of the instances of a class that have these attributes.
#[pyfunction]
fn struct_type<'py>(
    of: &Bound<'py, PyType>,
    name: String,
    fields: Vec<(String, Bound<'py, PyAny>)>,
    class: Py<PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    let fields =
        fields.into_iter().map(|(name, ty)| Ok(Field { name, ty: boxing::type_ref(&ty)? }));
    let parts = StructType::new(name, fields.collect::<PyResult<Vec<_>>>()?);
    let ty: TypeRef = Arc::new(HostStruct::new(parts, class, of.clone().unbind()));
    object(of.py(), &ty)
}

/// The type of the instances of a class that is derived of a struct of Rust; nothing for others.
#[pyfunction]
fn native_struct_type<'py>(class: &Bound<'py, PyType>) -> PyResult<Option<Bound<'py, PyAny>>> {
    let structure = native::structure(class);
    let ty = structure.map(|it| Arc::new(NativeStruct::new(it)) as TypeRef);
    ty.map(|it| object(class.py(), &it)).transpose()
}

/// The type of an object that no code of Python need look at: of tensors and arrays, numbers and
/// texts; nothing for others.
#[pyfunction]
fn typed<'py>(value: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyAny>>> {
    let ty = read::typed(value)?;
    ty.map(|(ty, _)| boxing::type_object(value.py(), &ty)).transpose()
}

/// A variable that never changes. What a tensor shows of its type is known of the variable.
#[pyfunction]
#[pyo3(signature = (ty, value, name = None))]
fn constant<'py>(
    ty: &Bound<'py, PyAny>,
    value: &Bound<'py, PyAny>,
    name: Option<&str>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = value.py();
    let ty = boxing::type_ref(ty)?;
    let value = boxing::accept(&ty, value, Coerce::Natural)?;
    let ty = match &value {
        Value::Tensor(it) => TensorType::of(it).shared(),
        _ => ty,
    };
    variable::object(py, boxing::constant(ty, value, name)?)
}

/// A variable that is found to be of a type: itself, or a node that looks.
#[pyfunction]
fn specified<'py>(
    given: &Bound<'py, PyAny>,
    ty: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = given.py();
    let variable = variable::of(given);
    let variable = variable.ok_or_else(|| PyTypeError::new_err("expected a variable"))?;
    let ty = boxing::type_ref(ty)?;
    let made = opwright_graph::specified(&variable, &ty, call_site::current(py)).map_err(raised)?;
    variable::object(py, made)
}

impl PyTypeObject {
    pub(super) fn ty(&self) -> &TypeRef {
        &self.0
    }

    fn tensor(&self, what: &str) -> PyResult<&TensorType> {
        let tensor = self.0.downcast::<TensorType>();
        tensor.ok_or_else(|| PyAttributeError::new_err(format!("{} has no {what}", self.0)))
    }

    /// A value to compare, whatever its shape; nothing if it is none that can be compared.
    fn compared(&self, value: &Bound<'_, PyAny>) -> PyResult<Option<Value>> {
        let is_read =
            self.0.downcast::<TensorType>().is_some() || self.0.downcast::<Plain>().is_some();
        if is_read {
            return Ok(ObjectReader { ty: &*self.0, how: Coerce::Any }.read(value).ok());
        }
        match boxing::accept(&self.0, value, Coerce::Natural) {
            Ok(value) => Ok(Some(value)),
            Err(error) if is_plain(value.py(), &error) => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn are(
        &self,
        a: &Bound<'_, PyAny>,
        b: &Bound<'_, PyAny>,
        how: impl FnOnce(&Value, &Value) -> bool,
    ) -> PyResult<bool> {
        match (self.compared(a)?, self.compared(b)?) {
            (Some(a), Some(b)) => hook::heard(|| Ok(how(&a, &b))),
            _ => Ok(false),
        }
    }
}

#[pymethods]
impl PyTypeObject {
    #[new]
    #[pyo3(signature = (*args, **_kwargs))]
    fn new(args: &Bound<'_, PyTuple>, _kwargs: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let handover = args.get_item(0).ok();
        let handover = handover.as_ref().and_then(|it| it.cast::<TypeHandover>().ok());
        let taken = |it: &Bound<'_, TypeHandover>| it.get().0.lock().take();
        let ty = handover.and_then(taken);
        ty.map(PyTypeObject).ok_or_else(|| PyTypeError::new_err("types are made by their classes"))
    }

    /// The value itself if it is of this type, or one that is made of it.
    #[pyo3(signature = (value, strict = false, allow_downcast = None))]
    fn filter<'py>(
        &self,
        value: &Bound<'py, PyAny>,
        strict: bool,
        allow_downcast: Option<bool>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let how = Coerce::of(strict, allow_downcast);
        match boxing::accept(&self.0, value, Coerce::Strict) {
            Ok(_) => return Ok(value.clone()),
            Err(refused) if how == Coerce::Strict => return Err(refused),
            Err(_) => {}
        }
        let accepted = boxing::accept(&self.0, value, how)?;
        boxing::emit(value.py(), &self.0, accepted)
    }

    /// Whether both have one dtype, one shape and equal elements; not a number equals itself.
    fn values_eq(&self, a: &Bound<'_, PyAny>, b: &Bound<'_, PyAny>) -> PyResult<bool> {
        self.are(a, b, |a, b| self.0.same(a, b))
    }

    /// The same, but elements may differ by `atol + rtol * |b|`.
    #[pyo3(signature = (a, b, allow_remove_inf = false, allow_remove_nan = false, rtol = None, atol = None))]
    fn values_eq_approx(
        &self,
        a: &Bound<'_, PyAny>,
        b: &Bound<'_, PyAny>,
        allow_remove_inf: bool,
        allow_remove_nan: bool,
        rtol: Option<f64>,
        atol: Option<f64>,
    ) -> PyResult<bool> {
        let tolerance = Tolerance { rtol, atol, allow_remove_inf, allow_remove_nan };
        self.are(a, b, |a, b| match self.0.downcast::<TensorType>() {
            Some(_) => tolerance.is_met(a, b),
            None => self.0.close(a, b),
        })
    }

    /// Whether both differ in nothing that rules look at.
    fn in_same_class(&self, other: &Bound<'_, PyAny>) -> PyResult<bool> {
        let other = boxing::type_if_any(other)?;
        hook::heard(|| Ok(other.is_some_and(|it| self.0.in_same_class(&*it))))
    }

    /// Whether every value of the other type is one of this type.
    fn is_super(&self, other: &Bound<'_, PyAny>) -> PyResult<bool> {
        let other = boxing::type_if_any(other)?;
        hook::heard(|| Ok(other.is_some_and(|it| self.0.is_super(&*it))))
    }

    /// The type of the values that are of both.
    fn meet<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let other_ty = boxing::type_ref(other)?;
        let met = hook::heard(|| {
            self.0.meet(&other_ty).map_err(|it| ShapeClash::new_err(it.to_string()))
        })?;
        boxing::type_object(other.py(), &met)
    }

    /// The smallest type that has the values of both.
    fn join<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let other_ty = boxing::type_ref(other)?;
        let pair = (self.0.downcast::<TensorType>(), other_ty.downcast::<TensorType>());
        let joined = match pair {
            (Some(a), Some(b)) => a.join(b).map(TensorType::shared),
            _ => self.0.equals(&*other_ty).then(|| self.0.clone()),
        };
        let joined = joined.ok_or_else(|| {
            ShapeClash::new_err(format!("no type has the values of {} and {other_ty}", self.0))
        })?;
        boxing::type_object(other.py(), &joined)
    }

    /// A value that shares nothing with this one.
    fn deep_copy<'py>(&self, value: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        hook::heard(|| {
            let accepted = boxing::accept(&self.0, value, Coerce::Natural)?;
            let copy = self.0.deep_copy(&accepted).map_err(|it| exception(&it))?;
            boxing::emit(value.py(), &self.0, copy)
        })
    }

    /// The short name of what its elements are: `f64`.
    fn element_type(&self) -> Option<&'static str> {
        self.0.element().map(DType::short_name)
    }

    /// What C calls its elements: `double`.
    fn c_element_type(&self) -> Option<String> {
        Some(match self.0.element()? {
            DType::Bool => "bool".to_owned(),
            DType::Float32 => "float".to_owned(),
            DType::Float64 => "double".to_owned(),
            DType::Complex64 => "float complex".to_owned(),
            DType::Complex128 => "double complex".to_owned(),
            dtype if dtype.is_integral() => format!("{dtype}_t"),
            _ => return None,
        })
    }

    /// The dtype.
    #[getter]
    fn dtype<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(self.tensor("dtype")?.dtype().object(py)?)
    }

    /// What is known of the extents.
    #[getter]
    fn shape<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.tensor("shape")?.shape())
    }

    /// How many dimensions there are.
    #[getter]
    fn ndim(&self) -> PyResult<usize> {
        Ok(self.tensor("ndim")?.ndim())
    }

    /// For each dimension whether it is known to have one element.
    #[getter]
    fn broadcastable<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let shape = self.tensor("broadcastable")?.shape();
        PyTuple::new(py, shape.iter().map(|it| *it == Some(1)))
    }

    /// The type of the elements of a list, and how many there are.
    #[getter]
    fn _list<'py>(&self, py: Python<'py>) -> PyResult<Option<(Bound<'py, PyAny>, Option<usize>)>> {
        let Some(list) = self.0.downcast::<ListType>() else { return Ok(None) };
        Ok(Some((boxing::type_object(py, list.of())?, list.len())))
    }

    /// Names and types of the fields of a structure.
    #[getter]
    fn _fields<'py>(&self, py: Python<'py>) -> PyResult<Vec<(String, Bound<'py, PyAny>)>> {
        if let Some(it) = self.0.downcast::<NativeStruct>() {
            let parts = it.structure().parts.iter();
            let part =
                |it: &StructField| Ok((it.name.to_owned(), boxing::type_object(py, &(it.ty)())?));
            return parts.map(part).collect();
        }
        let Some(it) = self.0.downcast::<HostStruct>() else { return Ok(Vec::new()) };
        let fields = it.parts().fields().iter();
        fields.map(|it| Ok((it.name.clone(), boxing::type_object(py, &it.ty)?))).collect()
    }

    /// The class of the values of a struct of Rust.
    #[getter]
    fn _class<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyType>> {
        native::class_of(py, self.0.downcast::<NativeStruct>()?.structure())
    }

    /// What C calls its values, how many bytes they have, and of each field where it begins, its type
    /// and its name; nothing if C sees an object.
    #[getter]
    fn _layout(&self) -> Option<(&'static str, usize, Vec<Placed>)> {
        let ValueLayout { layout, fields } = self.0.layout()?;
        let fields = fields.into_iter().map(|(at, name, field)| (at, field.name, name));
        Some((layout.name, layout.size, fields.collect()))
    }

    fn __eq__<'py>(&self, other: &Bound<'py, PyAny>) -> Bound<'py, PyAny> {
        match other.cast::<PyTypeObject>() {
            Ok(it) => {
                let is_equal = self.0.equals(&*it.get().0);
                PyBool::new(other.py(), is_equal).to_owned().into_any()
            }
            Err(_) => other.py().NotImplemented().into_bound(other.py()),
        }
    }

    fn __hash__(&self) -> u64 {
        self.0.hash_code()
    }

    fn __repr__(&self) -> String {
        self.0.to_string()
    }
}
