//! Gradients, as Python sees them: attributes of tensors, nodes of the graph, passes and modes.

mod anomaly;
pub(crate) mod attributes;
mod function;
mod gc_traverse;
mod grad_mode;
mod hooks;
mod mode;
mod multi;
mod node;
mod packing;
mod pass;

use pyo3::prelude::*;
use pyo3::types::PyModule;

/// Adds classes and functions to the module.
///
/// # Errors
///
/// Whatever making a class raises.
pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    grad_mode::add(module)?;
    // Whether gradients of gradients can be added.
    module.add("_adds_by_operators", cfg!(feature = "ops"))?;
    module.add("_Mode", module.py().get_type::<mode::PyMode>())?;
    module.add("_Node", module.py().get_type::<node::PyNode>())?;
    module.add("_FunctionBase", module.py().get_type::<function::base::FunctionBase>())?;
    module.add("RemovableHandle", module.py().get_type::<hooks::Handle>())?;
    module.add_function(wrap_pyfunction!(anomaly::set_call_site_recorder, module)?)?;
    module.add_function(wrap_pyfunction!(anomaly::set_anomaly_enabled, module)?)?;
    module.add_function(wrap_pyfunction!(anomaly::is_anomaly_enabled, module)?)?;
    module.add_function(wrap_pyfunction!(anomaly::is_anomaly_check_nan_enabled, module)?)?;
    module.add_function(wrap_pyfunction!(hooks::register_hook, module)?)?;
    module.add_function(wrap_pyfunction!(hooks::register_leaf_hook, module)?)?;
    module.add_function(wrap_pyfunction!(hooks::retain_grad, module)?)?;
    module.add_function(wrap_pyfunction!(mode::is_grad_enabled, module)?)?;
    module.add_function(wrap_pyfunction!(mode::set_recording, module)?)?;
    module.add_function(wrap_pyfunction!(mode::is_inference_mode_enabled, module)?)?;
    module.add_function(wrap_pyfunction!(mode::is_inference, module)?)?;
    module.add_function(wrap_pyfunction!(mode::enter_inference_mode, module)?)?;
    module.add_function(wrap_pyfunction!(multi::register, module)?)?;
    module.add_function(wrap_pyfunction!(packing::push, module)?)?;
    module.add_function(wrap_pyfunction!(packing::pop, module)?)?;
    module.add_function(wrap_pyfunction!(packing::refuse, module)?)?;
    module.add_function(wrap_pyfunction!(pass::backward, module)?)?;
    module.add_function(wrap_pyfunction!(pass::grad, module)?)?;
    module.add_function(wrap_pyfunction!(pass::gradient_edge, module)?)?;
    module.add_function(wrap_pyfunction!(pass::increment_version, module)?)?;
    module.add_function(wrap_pyfunction!(pass::set_version, module)?)
}
