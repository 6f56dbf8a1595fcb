//! The small classes beside tensors: what parameters other than tensors and
//! numbers are made of.

mod device;
mod dtype;
pub(crate) mod foreign;
mod generator;
mod info;
mod layout;
pub(crate) mod reduction;
pub(crate) mod spelling;
mod str_enum;

use pyo3::prelude::*;
use pyo3::types::PyModule;

pub use device::{PyDevice, read_device};
pub use dtype::PyDType;
pub use generator::PyGenerator;
pub use info::{PyFloatInfo, PyIntInfo};
pub use layout::{PyLayout, PyMemoryFormat};

use crate::object::{classes, size};

/// Adds the classes and their instances to the module.
///
/// # Errors
///
/// Whatever making a class raises.
pub fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    module.add_class::<PyDType>()?;
    module.add_class::<PyDevice>()?;
    module.add_class::<PyLayout>()?;
    module.add_class::<PyMemoryFormat>()?;
    module.add_class::<PyGenerator>()?;
    module.add_class::<PyFloatInfo>()?;
    module.add_class::<PyIntInfo>()?;

    classes::DTYPE.set(&py.get_type::<PyDType>());
    classes::DEVICE.set(&py.get_type::<PyDevice>());
    classes::LAYOUT.set(&py.get_type::<PyLayout>());
    classes::MEMORY_FORMAT.set(&py.get_type::<PyMemoryFormat>());
    classes::GENERATOR.set(&py.get_type::<PyGenerator>());
    // Until the package has a class of its own.
    classes::SIZE.set(&py.get_type::<pyo3::types::PyTuple>());

    module.add_function(wrap_pyfunction!(device::device_count, module)?)?;
    size::add(module)?;
    dtype::add(module)?;
    layout::add(module)?;
    module.add_function(wrap_pyfunction!(reduction::word, module)?)?;
    str_enum::add(module)?;
    generator::add(module)
}
