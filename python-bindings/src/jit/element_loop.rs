//! Compiled functions of numbers as loops over elements, for chains of graphs.

use opwright_graph::Elementwise;
use opwright_jit::InferOptions;
use opwright_jit::elementwise::{ElementFunction, LOOP};
use opwright_jit::types::Ty;
use pyo3::prelude::*;

use super::host::PyHost;
use super::{backend, freeze};
use crate::op::elementwise::PyElementwise;

/// The loop of a function that is compiled for arrays of these types, the first of which it writes
/// to; none if it calls anything, or takes what loops over elements do not.
#[pyfunction]
pub(super) fn element_loop(
    function: &Bound<'_, PyAny>,
    tys: &Bound<'_, PyAny>,
) -> PyResult<Option<PyElementwise>> {
    let py = function.py();
    let tys: Vec<Ty> =
        tys.try_iter()?.map(|it| freeze::from_python(&it?)).collect::<PyResult<_>>()?;
    let host = PyHost::new(py);
    let program = host.compile(function, &tys, None, InferOptions::default())?;
    let code = backend::executable(py, program)?;
    Ok(ElementFunction::new(code).map(|function| {
        let dtype = function.dtype();
        PyElementwise(Elementwise { of: &LOOP, dtype, others: vec![function.into_value()] })
    }))
}
