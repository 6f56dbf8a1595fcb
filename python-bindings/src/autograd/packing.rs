//! Saved-tensor hooks, which keep saved tensors in another form.

use std::sync::Arc;

use opwright_runtime::autograd::{self, Node, Packed, Packing, Recorded, Saved, SavedTensor};
use opwright_runtime::{Result, Tensor};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use super::function::node::saved;
use super::hooks::{callable, called};
use crate::object::failure::exception;
use crate::object::trampoline::unwound;
use crate::object::{self, callbacks, type_name};

/// Two functions of Python.
struct HookPair {
    pack: Py<PyAny>,
    unpack: Py<PyAny>,
}

impl HookPair {
    fn new(pack: &Bound<'_, PyAny>, unpack: &Bound<'_, PyAny>) -> PyResult<HookPair> {
        Ok(HookPair { pack: callable(pack)?, unpack: callable(unpack)? })
    }
}

/// What the first function made of a tensor.
struct Made {
    value: Py<PyAny>,
    unpack: Py<PyAny>,
}

impl Packing for HookPair {
    fn pack(&self, tensor: &Tensor) -> Result<Arc<dyn Packed>> {
        let made = callbacks::run(|| {
            called(|py| {
                let value = self.pack.call1(py, (object::wrap(py, tensor.clone())?,))?;
                Ok(Made { value, unpack: self.unpack.clone_ref(py) })
            })
        });
        Ok(Arc::new(made))
    }
}

impl Packed for Made {
    fn unpack(&self) -> Result<Tensor> {
        Ok(called(|py| {
            let given = self.unpack.bind(py).call1((&self.value,))?;
            object::tensor_of(&given).cloned().ok_or_else(|| {
                let text = format!("an unpack hook returns a Tensor, not {}", type_name(&given));
                PyTypeError::new_err(text)
            })
        }))
    }
}

/// From now on the tensors that this thread saves go through the hooks.
#[pyfunction(name = "_push_saved_tensors_hooks")]
pub(super) fn push(pack: &Bound<'_, PyAny>, unpack: &Bound<'_, PyAny>) -> PyResult<()> {
    let pair = Arc::new(HookPair::new(pack, unpack)?);
    autograd::push_packing(pair).map_err(|it| exception(&it))?;
    callbacks::begin(pack.py());
    Ok(())
}

/// Ends what was pushed last.
#[pyfunction(name = "_pop_saved_tensors_hooks")]
pub(super) fn pop(py: Python<'_>) {
    autograd::pop_packing();
    callbacks::end(py);
}

/// Forbids hooks on this thread for a reason, or allows them; returns the reason before.
#[pyfunction(name = "_refuse_saved_tensors_hooks")]
pub(super) fn refuse(reason: Option<&str>) -> PyResult<Option<String>> {
    let before = autograd::refuse_packing(reason.map(Into::into)).map_err(|it| exception(&it))?;
    Ok(before.map(|it| it.to_string()))
}

/// A tensor that a node saved, in a list if it has a place there.
fn saved_at(node: &Arc<dyn Node>, slot: usize, place: Option<usize>) -> Option<&SavedTensor> {
    if let Some(tensor) = saved(node, slot) {
        return Some(tensor);
    }
    match (Recorded::of(node)?.saved().nth(slot)?, place) {
        (Saved::Tensor(it), None) => Some(it),
        (Saved::Tensors(all), Some(place)) => all.get(place),
        _ => None,
    }
}

/// A tensor that a node saved, as it is kept.
#[pyclass(frozen, name = "SavedTensor", module = "opwright.autograd.graph")]
pub(super) struct PySaved {
    pub(super) node: Arc<dyn Node>,
    pub(super) slot: usize,
    /// Its place in a list.
    pub(super) place: Option<usize>,
}

#[pymethods]
impl PySaved {
    /// Keeps what `pack_hook` makes of the tensor, of which `unpack_hook` makes it again.
    fn register_hooks(
        &self,
        py: Python<'_>,
        pack_hook: &Bound<'_, PyAny>,
        unpack_hook: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        let pair = HookPair::new(pack_hook, unpack_hook)?;
        callbacks::begin(py);
        let run = || match saved_at(&self.node, self.slot, self.place) {
            Some(saved) => SavedTensor::pack(saved, &pair, &self.node),
            None => Ok(()),
        };
        let packed = std::panic::catch_unwind(std::panic::AssertUnwindSafe(run));
        callbacks::end(py);
        match packed {
            Ok(packed) => packed.map_err(|it| exception(&it)),
            Err(payload) => Err(unwound("register_hooks", payload)),
        }
    }
}
