//! Types as objects.

use std::sync::Arc;

use opwright_graph::Variable;
use opwright_runtime::DType;
use opwright_runtime::types::{Plain, TensorType, TypeRef};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyModule, PyTuple};

use super::variable;
use crate::convert::{Convert, Reading};

/// A type, as an object.
#[pyclass(frozen, subclass, name = "NativeType")]
pub(super) struct PyTypeObject(pub(super) TypeRef);

pub(super) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<PyTypeObject>()?;
    let plain = PyDict::new(module.py());
    for it in Plain::ALL {
        plain.set_item(it.name(), PyTypeObject(Arc::new(*it)))?;
    }
    module.add("plain", plain)?;
    module.add_function(wrap_pyfunction!(tensor_type, module)?)
}

#[pyfunction]
fn tensor_type(dtype: &Bound<'_, PyAny>, shape: Vec<Option<i64>>) -> PyResult<PyTypeObject> {
    let dtype = DType::unpack(dtype, Reading::default())?;
    Ok(PyTypeObject(TensorType::new(dtype, shape).shared()))
}

#[pymethods]
impl PyTypeObject {
    #[pyo3(signature = (name = None))]
    fn __call__<'py>(&self, py: Python<'py>, name: Option<&str>) -> PyResult<Bound<'py, PyAny>> {
        variable::object(py, Variable::new(self.0.clone(), name))
    }

    fn __repr__(&self) -> String {
        self.0.to_string()
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<PyTypeObject>().is_ok_and(|it| it.get().0.equals(&*self.0))
    }

    fn __hash__(&self) -> u64 {
        self.0.hash_code()
    }

    #[getter]
    fn shape<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyTuple>>> {
        let shape = self.0.downcast::<TensorType>().map(|it| PyTuple::new(py, it.shape()));
        shape.transpose()
    }

    #[getter]
    fn ndim(&self) -> Option<usize> {
        self.0.downcast::<TensorType>().map(TensorType::ndim)
    }

    #[getter]
    fn dtype<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let dtype = self.0.element().map(|it| it.object(py));
        Ok(dtype.transpose()?)
    }
}
