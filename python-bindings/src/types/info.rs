//! `finfo` and `iinfo`: the limits of element types.

use half::{bf16, f16};
use opwright_runtime::{DType, default_dtype};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use super::dtype::PyDType;

/// The limits of a floating-point type; those of its parts for a complex one.
#[pyclass(frozen, name = "finfo", module = "opwright")]
pub struct PyFloatInfo {
    shown: DType,
    limits: Limits,
}

/// In the manner of the constants of `f64`.
struct Limits {
    largest: f64,
    epsilon: f64,
    smallest_normal: f64,
    /// Decimal digits that survive.
    digits: i32,
}

fn limits(dtype: DType) -> Limits {
    let new = |largest, epsilon, smallest_normal, digits| Limits {
        largest,
        epsilon,
        smallest_normal,
        digits,
    };
    match dtype {
        DType::Float16 => {
            new(f16::MAX.to_f64(), f16::EPSILON.to_f64(), f16::MIN_POSITIVE.to_f64(), 3)
        }
        DType::BFloat16 => {
            new(bf16::MAX.to_f64(), bf16::EPSILON.to_f64(), bf16::MIN_POSITIVE.to_f64(), 2)
        }
        DType::Float32 | DType::Complex64 => {
            new(f32::MAX.into(), f32::EPSILON.into(), f32::MIN_POSITIVE.into(), 6)
        }
        _ => new(f64::MAX, f64::EPSILON, f64::MIN_POSITIVE, 15),
    }
}

#[pymethods]
impl PyFloatInfo {
    /// The limits of `dtype`, or of the default one.
    #[new]
    #[pyo3(signature = (dtype = None))]
    fn new(dtype: Option<&Bound<'_, PyAny>>) -> PyResult<PyFloatInfo> {
        let dtype = dtype.map_or_else(|| Ok(default_dtype()), PyDType::read)?;
        if !dtype.is_floating() && !dtype.is_complex_number() {
            return Err(PyTypeError::new_err(format!(
                "finfo() requires a floating-point dtype, not {dtype}; use iinfo()"
            )));
        }
        Ok(PyFloatInfo { shown: dtype.to_real(), limits: limits(dtype.to_real()) })
    }

    /// The number of bits of a value.
    #[getter]
    fn bits(&self) -> usize {
        self.shown.size() * 8
    }

    /// The distance from 1 to the next greater value.
    #[getter]
    fn eps(&self) -> f64 {
        self.limits.epsilon
    }

    /// The largest finite value.
    #[getter]
    fn max(&self) -> f64 {
        self.limits.largest
    }

    /// The most negative finite value.
    #[getter]
    fn min(&self) -> f64 {
        -self.limits.largest
    }

    /// The smallest positive value of full precision.
    #[getter]
    fn smallest_normal(&self) -> f64 {
        self.limits.smallest_normal
    }

    /// The same as `smallest_normal`.
    #[getter]
    fn tiny(&self) -> f64 {
        self.limits.smallest_normal
    }

    /// The weight of the last decimal digit that a value near 1 has.
    #[getter]
    fn resolution(&self) -> f64 {
        10_f64.powi(-self.limits.digits)
    }

    /// The name of the type.
    #[getter]
    fn dtype(&self) -> &'static str {
        self.shown.name()
    }

    fn __repr__(&self) -> String {
        let Limits { largest, epsilon, smallest_normal, .. } = self.limits;
        format!(
            "finfo(resolution={:?}, min={:?}, max={largest:?}, eps={epsilon:?}, \
             smallest_normal={smallest_normal:?}, dtype={})",
            self.resolution(),
            -largest,
            self.shown
        )
    }
}

/// The limits of an integer type.
#[pyclass(frozen, name = "iinfo", module = "opwright")]
pub struct PyIntInfo {
    shown: DType,
    least: i64,
    greatest: u64,
}

#[pymethods]
impl PyIntInfo {
    /// The limits of `dtype`.
    #[new]
    fn new(dtype: &Bound<'_, PyAny>) -> PyResult<PyIntInfo> {
        let dtype = PyDType::read(dtype)?;
        let Some((least, greatest)) = dtype.integer_range() else {
            return Err(PyTypeError::new_err(format!(
                "iinfo() requires an integer dtype, not {dtype}"
            )));
        };
        Ok(PyIntInfo { shown: dtype, least, greatest })
    }

    /// The number of bits of a value.
    #[getter]
    fn bits(&self) -> usize {
        self.shown.size() * 8
    }

    /// The largest value.
    #[getter]
    fn max(&self) -> u64 {
        self.greatest
    }

    /// The least value.
    #[getter]
    fn min(&self) -> i64 {
        self.least
    }

    /// The name of the type.
    #[getter]
    fn dtype(&self) -> &'static str {
        self.shown.name()
    }

    fn __repr__(&self) -> String {
        format!("iinfo(min={}, max={}, dtype={})", self.min(), self.max(), self.shown)
    }
}
