//! A type of the crate's own, which its schemas name.

use opwright::runtime::dtype::Float;
use opwright::runtime::{Result, Tensor, ensure};
use opwright::{native_op, native_type};

/// How real numbers are counted in steps: `steps` of the size `scale`, on both sides of zero.
#[native_type]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quantizer {
    scale: f64,
    steps: i64,
}

impl Quantizer {
    /// One with steps of this size.
    ///
    /// # Errors
    ///
    /// `Value` unless `scale` is greater than zero.
    pub fn new(scale: f64, steps: i64) -> Result<Quantizer> {
        ensure!(scale > 0.0, Value, "a step is greater than zero, not {scale}");
        Ok(Quantizer { scale, steps })
    }

    fn round<T: Float>(self, x: T) -> T {
        let (scale, most) = (T::constant(self.scale), T::constant(self.steps as f64));
        (x / scale).round().max(-most).min(most) * scale
    }
}

/// The elements, rounded to whole steps; as they are without a quantizer.
#[native_op("quantize(Tensor x, Quantizer? by=None) -> Tensor", elementwise, dtypes = floating)]
fn quantize<T: Float>(x: T, by: Option<&Quantizer>) -> T {
    match by {
        Some(by) => by.round(x),
        None => x,
    }
}

/// The tensor, rounded by one quantizer after the other.
#[native_op(signature = (x, all))]
fn quantize_by_all(x: &Tensor, all: &[&Quantizer]) -> Result<Tensor> {
    let mut x = x.copy()?;
    for by in all {
        x = crate::ops::quantize::Default_::call(&x, Some(by))?;
    }
    Ok(x)
}

/// The quantizer whose outermost steps are the largest element and its opposite.
#[native_op("quantizer_of(Tensor x, int steps=127) -> Quantizer")]
fn quantizer_of(x: &Tensor, steps: i64) -> Result<Quantizer> {
    ensure!(steps > 0, Value, "there is at least one step, not {steps}");
    let largest = x.to_vec::<f64>()?.into_iter().fold(0.0, |most: f64, it| most.max(it.abs()));
    Quantizer::new(largest / steps as f64, steps)
}

/// The elements from -1 to 1 in so many bits.
#[native_op("in_bits(Tensor x, int bits) -> Tensor", ranges = "bits=9..=12")]
fn in_bits(x: &Tensor, bits: i64) -> Result<Tensor> {
    ensure!((9..=12).contains(&bits), Value, "there are 9 to 12 bits, not {bits}");
    let steps = 1 << (bits - 1);
    let by = Quantizer::new(1.0 / steps as f64, steps)?;
    crate::ops::quantize::Default_::call(x, Some(&by))
}

/// What Python sees of it. Tests in Rust need no Python.
#[cfg(not(test))]
mod python {
    use opwright::python::pyo3::prelude::*;
    use opwright::python::pyo3::types::PyType;
    use opwright::python::{Convert, Failure, Native, Reading};

    use super::Quantizer;

    /// How real numbers are counted in steps.
    #[pyclass(name = "Quantizer", module = "my_ops", frozen, crate = "opwright::python::pyo3")]
    struct PyQuantizer(Quantizer);

    #[pymethods]
    #[pyo3(crate = "opwright::python::pyo3")]
    impl PyQuantizer {
        #[new]
        #[pyo3(signature = (scale, steps = 127))]
        fn new(scale: f64, steps: i64) -> Result<PyQuantizer, Failure> {
            Ok(PyQuantizer(Quantizer::new(scale, steps)?))
        }

        /// The size of a step.
        #[getter]
        fn scale(&self) -> f64 {
            self.0.scale
        }

        /// How many there are on each side of zero.
        #[getter]
        fn steps(&self) -> i64 {
            self.0.steps
        }
    }

    impl Convert for Quantizer {
        fn unpack(object: &Bound<'_, PyAny>, _: Reading) -> Result<Self, Failure> {
            Ok(object.cast::<PyQuantizer>()?.get().0)
        }

        fn object(self, py: Python<'_>) -> Result<Bound<'_, PyAny>, Failure> {
            Ok(Bound::new(py, PyQuantizer(self))?.into_any())
        }
    }

    impl Native for Quantizer {
        fn accepts(object: &Bound<'_, PyAny>) -> bool {
            object.is_exact_instance_of::<PyQuantizer>()
        }

        fn class(py: Python<'_>) -> Option<Bound<'_, PyType>> {
            Some(py.get_type::<PyQuantizer>())
        }
    }
}
