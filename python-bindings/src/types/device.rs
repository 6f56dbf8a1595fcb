//! `device`: where tensors are.

use opwright_runtime::{Device, Error};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBool, PyInt, PyString};

use crate::object::failure::raise;
use crate::object::text::text;
use crate::object::{Convert, Failure, Reading, as_int, is_numpy_scalar, type_name};

/// Where a tensor's memory is: `device("cpu")` or `device("meta")`.
///
/// Tensors on the meta device have a shape and a dtype, and no elements.
#[pyclass(frozen, name = "device", module = "opwright")]
pub struct PyDevice(pub Device);

static OBJECTS: PyOnceLock<[Py<PyDevice>; 2]> = PyOnceLock::new();

impl PyDevice {
    /// The object of a device, the same each time.
    ///
    /// # Errors
    ///
    /// `MemoryError`.
    pub fn object(py: Python<'_>, device: Device) -> PyResult<Bound<'_, PyDevice>> {
        let make = || {
            let new = |device| Py::new(py, PyDevice(device));
            Ok::<_, PyErr>([new(Device::Cpu)?, new(Device::Meta)?])
        };
        let [cpu, meta] = OBJECTS.get_or_try_init(py, make)?;
        Ok(match device {
            Device::Cpu => cpu.bind(py).clone(),
            Device::Meta => meta.bind(py).clone(),
        })
    }
}

/// How many devices there are of a kind: `"cpu"`.
#[pyfunction(name = "_device_count")]
pub(super) fn device_count(r#type: &str) -> usize {
    Device::ALL.into_iter().filter(|it| it.name() == r#type).count()
}

/// The device of an object: of the class, or its name.
///
/// # Errors
///
/// `RuntimeError` for a name or a number that is no device, `TypeError` for
/// other types.
pub fn read_device(object: &Bound<'_, PyAny>) -> Result<Device, Failure> {
    if let Ok(device) = object.cast::<PyDevice>() {
        return Ok(device.get().0);
    }
    if object.is_instance_of::<PyString>() {
        return Ok(text(object)?.parse()?);
    }
    let number = object.is_instance_of::<PyInt>() || is_numpy_scalar(object);
    if number && !object.is_instance_of::<PyBool>() {
        let index = as_int(object)?;
        return Err(Error::runtime(format_args!(
            "{index} would be the index of an accelerator, and there is none; the devices are \
             cpu and meta"
        ))
        .into());
    }
    Err(PyTypeError::new_err(format!("expected a device, not {}", type_name(object))).into())
}

#[diagnostic::do_not_recommend]
impl Convert for Device {
    fn unpack(object: &Bound<'_, PyAny>, _: Reading) -> Result<Self, Failure> {
        read_device(object)
    }

    fn object(self, py: Python<'_>) -> Result<Bound<'_, PyAny>, Failure> {
        Ok(PyDevice::object(py, self)?.into_any())
    }
}

#[pymethods]
impl PyDevice {
    /// What an instance is to other modules of operators.
    #[classattr]
    #[pyo3(name = "_opwright_kind")]
    const KIND: &'static str = "device";

    /// `device("cpu")`, `device("cpu", 0)`, `device("cpu:0")`.
    #[new]
    #[pyo3(signature = (r#type, index = None))]
    fn new(r#type: &Bound<'_, PyAny>, index: Option<i64>) -> PyResult<Py<PyDevice>> {
        let py = r#type.py();
        let device = read_device(r#type)?;
        match index {
            None | Some(0) => Ok(PyDevice::object(py, device)?.unbind()),
            Some(index) => Err(raise(Error::runtime(format_args!(
                "there is no device {device}:{index}; the only index is 0"
            )))),
        }
    }

    /// The kind of device: `"cpu"` or `"meta"`.
    #[getter]
    fn r#type(&self) -> &'static str {
        self.0.name()
    }

    /// Always `None`: there is one device of each kind.
    #[getter]
    fn index(&self) -> Option<i64> {
        None
    }

    fn __repr__(&self) -> String {
        format!("device(type='{}')", self.0)
    }

    fn __str__(&self) -> &'static str {
        self.0.name()
    }

    fn __reduce__<'py>(
        slf: &Bound<'py, PyDevice>,
    ) -> (Bound<'py, pyo3::types::PyType>, (&'static str,)) {
        (slf.get_type(), (slf.get().0.name(),))
    }
}
