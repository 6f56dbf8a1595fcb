//! The two overloads bound with nothing but PyO3, which has no overloads: the
//! second parameter is an enum.

use opwright_bench_kernel as kernel;
use opwright_runtime::Error;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

/// A tensor.
#[pyclass(frozen)]
struct Tensor(opwright_runtime::Tensor);

/// What may be added to a tensor.
#[derive(FromPyObject)]
enum Other<'py> {
    Tensor(PyRef<'py, Tensor>),
    Number(f64),
}

fn failed(error: Error) -> PyErr {
    PyRuntimeError::new_err(error.to_string())
}

fn sum(a: &opwright_runtime::Tensor, b: &Other<'_>, alpha: f64) -> PyResult<Tensor> {
    let result = match b {
        Other::Tensor(b) => kernel::add(a, &b.0, alpha),
        Other::Number(b) => kernel::add_scalar(a, *b, alpha),
    };
    result.map(Tensor).map_err(failed)
}

#[pymethods]
impl Tensor {
    #[pyo3(signature = (other, *, alpha = 1.0))]
    fn add(&self, other: Other<'_>, alpha: f64) -> PyResult<Tensor> {
        sum(&self.0, &other, alpha)
    }

    fn __add__(&self, other: Other<'_>) -> PyResult<Tensor> {
        sum(&self.0, &other, 1.0)
    }

    fn dim(&self) -> i64 {
        self.0.ndim() as i64
    }
}

/// The module.
#[pymodule]
mod bench_pyo3 {
    use super::{Other, PyResult, Tensor, failed, kernel, pyfunction, sum};
    use pyo3::prelude::*;

    #[pyfunction]
    #[pyo3(signature = (input, other, *, alpha = 1.0, out = None))]
    fn add<'py>(
        py: Python<'py>,
        input: &Bound<'py, Tensor>,
        other: Other<'py>,
        alpha: f64,
        out: Option<Bound<'py, Tensor>>,
    ) -> PyResult<Bound<'py, Tensor>> {
        let Some(out) = out else {
            return Bound::new(py, sum(&input.get().0, &other, alpha)?);
        };
        let Other::Tensor(other) = other else {
            return Err(pyo3::exceptions::PyTypeError::new_err("a number has no out"));
        };
        let mut handle = out.get().0.clone();
        kernel::add_out(&input.get().0, &other.0, alpha, &mut handle).map_err(failed)?;
        Ok(out)
    }

    #[pyfunction]
    fn tensor(values: Vec<f32>) -> PyResult<Tensor> {
        kernel::from_floats(&values).map(Tensor).map_err(failed)
    }
}
