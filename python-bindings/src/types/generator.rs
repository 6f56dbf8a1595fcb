//! `Generator`: sources of random numbers.

use opwright_runtime::{DType, Error, Generator, Tensor};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBytes, PyModule, PyType};

use super::device::{PyDevice, read_device};
use crate::interop::import;
use crate::object::failure::raise;
use crate::object::{self, Convert, Failure, Reading, package};
use crate::raw;

/// A source of random numbers.
///
/// Which numbers it gives depends on its seed and on the order of calls, not on
/// the number of threads.
#[pyclass(frozen, name = "Generator", module = "opwright")]
pub struct PyGenerator(pub Generator);

#[diagnostic::do_not_recommend]
impl Convert for Generator {
    fn unpack(object: &Bound<'_, PyAny>, _: Reading) -> Result<Self, Failure> {
        Ok(object.cast::<PyGenerator>()?.get().0.clone())
    }

    fn object(self, py: Python<'_>) -> Result<Bound<'_, PyAny>, Failure> {
        Ok(Bound::new(py, PyGenerator(self))?.into_any())
    }
}

static DEFAULT: PyOnceLock<Py<PyGenerator>> = PyOnceLock::new();

impl PyGenerator {
    /// The generator that a call uses if none is given.
    ///
    /// # Errors
    ///
    /// `MemoryError`.
    pub fn default_object(py: Python<'_>) -> PyResult<Bound<'_, PyGenerator>> {
        let make = || Py::new(py, PyGenerator(Generator::default_cpu().clone()));
        Ok(DEFAULT.get_or_try_init(py, make)?.bind(py).clone())
    }

    /// A seed from a Python integer, of which negative ones count from 2**64 down.
    ///
    /// # Errors
    ///
    /// `RuntimeError` if it has more than 64 bits.
    pub fn seed_of(seed: &Bound<'_, PyAny>) -> PyResult<u64> {
        let out_of_range = || {
            raise(Error::runtime(format_args!(
                "a seed must be from -2**63 to 2**64 - 1, not {seed}"
            )))
        };
        if !seed.is_instance_of::<pyo3::types::PyInt>() {
            return Err(PyTypeError::new_err(format!(
                "a seed must be an int, not {}",
                crate::object::type_name(seed)
            )));
        }
        if let Ok(negative) = seed.extract::<i64>() {
            return Ok(negative as u64);
        }
        seed.extract::<u64>().map_err(|_| out_of_range())
    }
}

#[pymethods]
impl PyGenerator {
    /// What an instance is to other modules of operators.
    #[classattr]
    #[pyo3(name = "_opwright_kind")]
    const KIND: &'static str = "Generator";

    /// A generator for a device, which can only be the CPU.
    #[new]
    #[pyo3(signature = (device = None))]
    fn new(device: Option<&Bound<'_, PyAny>>) -> PyResult<PyGenerator> {
        let device = device.map_or(Ok(opwright_runtime::Device::Cpu), read_device)?;
        if device.is_meta() {
            return Err(raise(Error::runtime("there are no generators for the meta device")));
        }
        Ok(PyGenerator(Generator::default()))
    }

    /// Where its numbers are used.
    #[getter]
    fn device(&self, py: Python<'_>) -> PyResult<Py<PyDevice>> {
        Ok(PyDevice::object(py, self.0.device())?.unbind())
    }

    /// Starts again from `seed`, and returns the generator.
    fn manual_seed<'py>(
        slf: Bound<'py, PyGenerator>,
        seed: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyGenerator>> {
        slf.get().0.manual_seed(PyGenerator::seed_of(seed)?);
        Ok(slf)
    }

    /// Starts again from an unknown seed, and returns it.
    fn seed(&self) -> u64 {
        self.0.seed_from_time()
    }

    /// The seed it started from.
    fn initial_seed(&self) -> u64 {
        self.0.initial_seed()
    }

    /// What `set_state` needs to continue from here, as a tensor of bytes.
    pub(crate) fn get_state<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let state = self.0.state();
        object::wrap(py, Tensor::from_slice(&[state.len() as i64], &state).map_err(raise)?)
    }

    /// Continues from a state that `get_state` returned, and returns the generator.
    pub(crate) fn set_state<'py>(
        slf: Bound<'py, PyGenerator>,
        state: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyGenerator>> {
        slf.get().0.set_state(&state_bytes(state)?).map_err(raise)?;
        Ok(slf)
    }

    /// A generator of its own that continues from the same place.
    fn clone_state(&self) -> PyGenerator {
        PyGenerator(self.0.fork())
    }

    /// Pickled and copied with its state.
    fn __reduce__<'py>(slf: &Bound<'py, PyGenerator>) -> ReducedGenerator<'py> {
        let this = &slf.get().0;
        (slf.get_type(), (this.device().name(),), PyBytes::new(slf.py(), &this.state()))
    }

    fn __setstate__(&self, state: &Bound<'_, PyAny>) -> PyResult<()> {
        self.0.set_state(&state_bytes(state)?).map_err(raise)
    }

    fn __repr__(&self) -> String {
        let (device, seed) = (self.0.device(), self.0.initial_seed());
        format!("<{}.Generator of {device} with seed {seed}>", package::name())
    }
}

/// What makes a generator again: its class, its device, its state.
type ReducedGenerator<'py> = (Bound<'py, PyType>, (&'static str,), Bound<'py, PyBytes>);

/// The bytes of a state: a tensor of `uint8`, also one of another module, or `bytes`.
fn state_bytes(state: &Bound<'_, PyAny>) -> PyResult<Vec<u8>> {
    let not_bytes = |what: &str| {
        PyTypeError::new_err(format!("the state of a generator is a tensor of uint8, not {what}"))
    };
    if !raw::is_buffer(state) {
        return Err(not_bytes(&crate::object::type_name(state)));
    }
    let (tensor, _) = import::view(state)?;
    if tensor.dtype() != DType::UInt8 {
        return Err(not_bytes(&format!("of {}", tensor.dtype())));
    }
    tensor.to_vec::<u8>().map_err(raise)
}

/// How often this thread has drawn, from whatever generators.
#[pyfunction(name = "_drawn")]
fn drawn() -> u64 {
    Generator::drawn()
}

/// The generator that a call uses if none is given, and how often calls drew.
pub(super) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(drawn, module)?)?;
    module.add("default_generator", PyGenerator::default_object(module.py())?)
}
