//! Members of tensors that are no operator, for variables: one table says what becomes of each.
//!
//! What depends on the dtype and the rank alone is asked of a stand-in, a tensor without elements;
//! a conversion is made of one to see what comes out.

use opwright_graph::{Built, Variable};
use opwright_runtime::types::{Plain, TensorType};
use opwright_runtime::{DType, Device, Tensor};
use pyo3::exceptions::{PyAttributeError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use super::failure::raised;
use super::{build, call_site, method_proxy, variable};
use crate::args::{Call, Gathered};
use crate::call::hooks::Again;
use crate::object::failure::raise;
use crate::object::{self, Failure, classes};

/// What becomes of an attribute or a method of tensors.
#[derive(Clone, Copy)]
enum Way {
    /// An operator of this name.
    Row(&'static str),
    /// All dimensions in reverse order.
    Reversed,
    /// The last two dimensions exchanged.
    Swapped,
    /// The extents.
    Shape,
    /// The product of the extents.
    Count,
    /// What the stand-in says.
    Known,
    /// What depends on the dtype: a conversion.
    Convert,
}

/// Attributes.
const ATTRIBUTES: &[(&str, Way)] = &[
    ("T", Way::Reversed),
    ("mT", Way::Swapped),
    ("H", Way::Row("matrix_H")),
    ("mH", Way::Row("adjoint")),
    ("real", Way::Row("real")),
    ("imag", Way::Row("imag")),
    ("shape", Way::Shape),
    ("itemsize", Way::Known),
    ("device", Way::Known),
    ("layout", Way::Known),
    ("is_cpu", Way::Known),
    ("is_cuda", Way::Known),
    ("is_meta", Way::Known),
    ("is_sparse", Way::Known),
    ("requires_grad", Way::Known),
];

/// Methods; those that have parameters get here when they are called.
const METHODS: &[(&str, Way)] = &[
    ("size", Way::Shape),
    ("numel", Way::Count),
    ("nelement", Way::Count),
    ("dim", Way::Known),
    ("ndimension", Way::Known),
    ("element_size", Way::Known),
    ("is_floating_point", Way::Known),
    ("is_complex", Way::Known),
    ("is_signed", Way::Known),
    ("to", Way::Convert),
    ("type_as", Way::Convert),
    ("contiguous", Way::Convert),
    ("cpu", Way::Convert),
    ("bool", Way::Convert),
    ("byte", Way::Convert),
    ("char", Way::Convert),
    ("short", Way::Convert),
    ("int", Way::Convert),
    ("long", Way::Convert),
    ("half", Way::Convert),
    ("bfloat16", Way::Convert),
    ("float", Way::Convert),
    ("double", Way::Convert),
    ("cfloat", Way::Convert),
    ("cdouble", Way::Convert),
];

fn way(table: &[(&str, Way)], name: &str) -> Option<Way> {
    table.iter().find(|(it, _)| *it == name).map(|(_, way)| *way)
}

/// The attribute of a variable that tensors have under this name, if it is no method with
/// parameters.
///
/// # Errors
///
/// What the operator behind it raises; `TypeError` for what only values have.
pub(super) fn attribute<'py>(
    object: &Bound<'py, PyAny>,
    name: &str,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    let Some(known) = variable::of(object) else { return Ok(None) };
    if let Some(way) = way(ATTRIBUTES, name) {
        return reached(object, &known, way, name).map(Some);
    }
    if way(METHODS, name).is_some_and(|it| !matches!(it, Way::Convert)) {
        let method = WrittenMethod { variable: object.clone().unbind(), name: name.to_owned() };
        return Ok(Some(Bound::new(object.py(), method)?.into_any()));
    }
    Ok(None)
}

/// What only values have: a method that says so, or the exception.
///
/// # Errors
///
/// `TypeError`; `AttributeError` for what tensors do not have either.
pub(super) fn of_values<'py>(
    object: &Bound<'py, PyAny>,
    name: &str,
) -> PyResult<Bound<'py, PyAny>> {
    let py = object.py();
    let Some(found) = classes::TENSOR.bind(py).getattr_opt(name)? else {
        return Err(PyAttributeError::new_err(format!(
            "a variable has no attribute or method '{name}'"
        )));
    };
    if !found.is_callable() {
        let known = variable::of(object);
        return Err(known.map_or_else(
            || PyAttributeError::new_err(name.to_owned()),
            |it| variable::no_value(&it, &format!("'{name}'")),
        ));
    }
    let method = WrittenMethod { variable: object.clone().unbind(), name: name.to_owned() };
    Ok(Bound::new(py, method)?.into_any())
}

/// A method that is bound to a variable, and that no operator is behind.
#[pyclass(frozen, name = "WrittenMethod")]
struct WrittenMethod {
    variable: Py<PyAny>,
    name: String,
}

#[pymethods]
impl WrittenMethod {
    #[pyo3(signature = (*args, **kwargs))]
    fn __call__<'py>(
        &self,
        py: Python<'py>,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let object = self.variable.bind(py);
        let Some(known) = variable::of(object) else { return Ok(py.None().into_bound(py)) };
        match way(METHODS, &self.name) {
            Some(Way::Shape) => size(object, &known, args, kwargs),
            Some(way @ Way::Count) => reached(object, &known, way, &self.name),
            Some(_) => {
                let stand_in = stand_in(py, &known)?;
                stand_in.getattr(self.name.as_str())?.call(args, kwargs)
            }
            None => Err(variable::no_value(&known, &format!("{}()", self.name))),
        }
    }

    #[getter]
    fn __name__(&self) -> &str {
        &self.name
    }
}

fn reached<'py>(
    object: &Bound<'py, PyAny>,
    known: &Variable,
    way: Way,
    name: &str,
) -> PyResult<Bound<'py, PyAny>> {
    let py = object.py();
    match way {
        Way::Row(row) => build::row(py, row, std::slice::from_ref(object)),
        Way::Reversed => {
            let order: Vec<usize> = (0..variable::rank(known)?).rev().collect();
            build::row(py, "permute", &[object.clone(), order.into_pyobject(py)?])
        }
        Way::Swapped if variable::rank(known)? >= 2 => {
            let dims = [-2_i64, -1].map(|it| it.into_pyobject(py));
            let [a, b] = dims;
            build::row(py, "transpose.int", &[object.clone(), a?.into_any(), b?.into_any()])
        }
        Way::Shape => {
            let made = opwright_graph::shape(known, call_site::current(py)).map_err(raised)?;
            variable::object(py, made)
        }
        Way::Count => count(py, known),
        Way::Known | Way::Swapped => stand_in(py, known)?.getattr(name),
        // Only methods are conversions.
        Way::Convert => Err(variable::no_value(known, name)),
    }
}

/// `size()` and `size(dim)`.
fn size<'py>(
    object: &Bound<'py, PyAny>,
    known: &Variable,
    args: &Bound<'py, PyTuple>,
    kwargs: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = object.py();
    // What is no dimension is refused as by a tensor.
    stand_in(py, known)?.getattr("size")?.call(args, kwargs)?;
    let named = kwargs.map(|it| it.get_item("dim")).transpose()?.flatten();
    let dim = args.iter().next().or(named).filter(|it| !it.is_none());
    match dim {
        None => reached(object, known, Way::Shape, "shape"),
        Some(dim) => {
            let place = call_site::current(py);
            let made = opwright_graph::extent(known, dim.extract()?, place).map_err(raised)?;
            variable::object(py, made)
        }
    }
}

/// The number of elements: an integer if all extents are known, else their product.
fn count<'py>(py: Python<'py>, known: &Variable) -> PyResult<Bound<'py, PyAny>> {
    let dims = 0..variable::rank(known)?;
    let ty = known.ty().downcast::<TensorType>();
    let extents = ty.and_then(|it| it.shape().iter().copied().collect::<Option<Vec<i64>>>());
    if let Some(extents) = extents {
        return Ok(extents.iter().product::<i64>().into_pyobject(py)?.into_any());
    }
    let mut product: Option<Bound<'py, PyAny>> = None;
    for dim in dims {
        let extent = opwright_graph::extent(known, dim as i64, call_site::current(py));
        let extent = variable::object(py, extent.map_err(raised)?)?;
        product = Some(match product {
            None => extent,
            Some(so_far) => build::row(py, "mul.Tensor", &[so_far, extent])?,
        });
    }
    product.map_or_else(|| Ok(1_i64.into_pyobject(py)?.into_any()), Ok)
}

/// A call of a function that is written by hand, with a variable among its arguments.
///
/// # Errors
///
/// `TypeError` for what wants values; what the function itself raises.
#[cold]
pub(super) fn call<'py>(
    call: &Call<'_, 'py>,
    again: Again<'_, 'py>,
) -> Result<Bound<'py, PyAny>, Failure> {
    let py = call.py();
    let name = call.name();
    let of_receiver = call.receiver_if_any().and_then(|it| method_proxy::variable(&it));
    if !matches!(way(METHODS, name), Some(Way::Convert)) {
        let known = of_receiver.and_then(|it| variable::of(&it));
        return Err(match known {
            Some(known) => variable::no_value(&known, &format!("{name}()")).into(),
            None => PyTypeError::new_err(format!("{name}() takes no variables")).into(),
        });
    }
    let (args, kwargs) = call.as_python()?;
    let swap = |it: Bound<'py, PyAny>| match variable::of(&it) {
        Some(known) => stand_in(py, &known),
        None => Ok(it),
    };
    let has_receiver = call.receiver_if_any().is_some();
    let passed = args.iter().skip(usize::from(has_receiver)).map(swap);
    let passed = PyTuple::new(py, passed.collect::<PyResult<Vec<_>>>()?)?;
    let named = kwargs.map(|it| -> PyResult<_> {
        let named = PyDict::new(py);
        for (name, value) in it {
            named.set_item(name, swap(value)?)?;
        }
        Ok(named)
    });
    let named = named.transpose()?;
    let Some(object) = of_receiver else {
        let receiver = call.receiver_if_any();
        let known = receiver.as_ref().and_then(|it| object::known(it.as_borrowed()));
        return Ok(again(&Gathered::new(&passed, named.as_ref()).passed(known))?);
    };
    let Some(known) = variable::of(&object) else { return Ok(object) };
    let receiver = stand_in(py, &known)?;
    let gathered = Gathered::new(&passed, named.as_ref());
    let made = again(&gathered.passed(object::known(receiver.as_borrowed())))?;
    converted(&object, &known, &receiver, made)
}

/// What a conversion makes of the variable, given what it made of the stand-in.
fn converted<'py>(
    object: &Bound<'py, PyAny>,
    known: &Variable,
    stand_in: &Bound<'py, PyAny>,
    made: Bound<'py, PyAny>,
) -> Result<Bound<'py, PyAny>, Failure> {
    let py = object.py();
    if made.is(stand_in) {
        return Ok(object.clone());
    }
    let Some(tensor) = object::tensor_of(&made) else { return Ok(made) };
    if tensor.device().is_meta() {
        return Err(PyTypeError::new_err(
            "a variable is of values, which the device meta has none of",
        )
        .into());
    }
    let dtype = tensor.dtype();
    if known.ty().element() == Some(dtype) {
        return Ok(build::row(py, "clone", std::slice::from_ref(object))?);
    }
    let Built { node, .. } = build::cast(known, dtype, call_site::current(py))?;
    Ok(variable::object(py, Variable::output(node, 0))?)
}

/// A tensor without elements, of the dtype and the rank of a variable.
fn stand_in<'py>(py: Python<'py>, known: &Variable) -> PyResult<Bound<'py, PyAny>> {
    let (dtype, ndim) = match known.ty().downcast::<TensorType>() {
        Some(ty) => (ty.dtype(), ty.ndim()),
        None => (number_dtype(known)?, 0),
    };
    let tensor = Tensor::allocate(&vec![0; ndim], dtype, Device::Cpu).map_err(raise)?;
    object::wrap(py, tensor)
}

fn number_dtype(known: &Variable) -> PyResult<DType> {
    let is_number = known.ty().downcast::<Plain>().is_some_and(|it| it.is_number());
    let dtype = known.ty().element().filter(|_| is_number);
    dtype.ok_or_else(|| {
        PyAttributeError::new_err(format!("values of {} are no tensors", known.ty()))
    })
}
