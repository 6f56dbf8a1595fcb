//! Blocks of C in functions.

mod block;
mod host;
mod tensor;

use std::sync::Arc;

use opwright_graph::cc::{self, Settings, Wrong};
use opwright_graph::{Custom, Op, Variable};
use pyo3::exceptions::{PyOSError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyModule;

use self::block::CBlock;
use self::host::Host;
use super::CompileError;
use super::apply::PyApply;
use super::failure::{host as failed, raised};

pub(super) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(c_source, module)?)?;
    module.add_function(wrap_pyfunction!(c_clean, module)?)
}

/// How blocks of a function are made, and who is told what happens in them.
pub(super) struct Wish<'py> {
    pub(super) per_op: bool,
    pub(super) check_input: bool,
    pub(super) reuse_outputs: bool,
    pub(super) compiler: Option<String>,
    pub(super) on_event: Option<Bound<'py, PyAny>>,
}

impl<'py> Wish<'py> {
    /// What a `Mode` says.
    ///
    /// # Errors
    ///
    /// What reading its attributes raises.
    pub(super) fn of(mode: &Bound<'py, PyAny>, reuse_outputs: bool) -> PyResult<Wish<'py>> {
        let on_event = mode.getattr("on_event")?;
        Ok(Wish {
            per_op: mode.getattr("blocks")?.eq("per_op")?,
            check_input: mode.getattr("check_input")?.is_truthy()?,
            reuse_outputs,
            compiler: mode.getattr("cc")?.extract()?,
            on_event: (!on_event.is_none()).then_some(on_event),
        })
    }
}

/// What stands for the outputs of a graph whose nodes with C code became blocks.
///
/// # Errors
///
/// What hooks raise; `ValueError` for a text that is refused; `CompileError`.
pub(super) fn with_blocks(
    py: Python<'_>,
    inputs: &[Variable],
    outputs: &[Variable],
    wish: &Wish<'_>,
) -> PyResult<Vec<Variable>> {
    let settings = Settings {
        per_op: wish.per_op,
        check_input: wish.check_input,
        observed: wish.on_event.is_some(),
        reuse_outputs: wish.reuse_outputs,
        compiler: wish.compiler.as_deref(),
    };
    let mut made = |block| {
        let made = CBlock::new(py, block, wish).map_err(failed)?;
        let made: Arc<dyn Custom> = Arc::new(made);
        Ok(made)
    };
    let host = Host::new(py)?;
    let blocks = cc::blocks(inputs, outputs, &host, &settings, &mut made);
    // An interrupt ends compilers, too.
    py.check_signals()?;
    blocks.map_err(|wrong| exception(py, wrong))
}

#[cold]
fn exception(py: Python<'_>, wrong: Wrong) -> PyErr {
    match wrong {
        Wrong::Failure(failure) => raised(failure),
        Wrong::Refused(text) => PyValueError::new_err(text),
        Wrong::NoCode(node) => PyTypeError::new_err(format!("{node} has no C code")),
        Wrong::Compile { message, log } => {
            let error = CompileError::new_err(message);
            match error.value(py).setattr("log", log) {
                Ok(()) => error,
                Err(other) => other,
            }
        }
    }
}

/// The text of the blocks among nodes.
#[pyfunction]
fn c_source(nodes: Vec<PyRef<'_, PyApply>>) -> String {
    let texts = nodes.iter().filter_map(|it| match it.0.op() {
        Op::Custom(it) => it.downcast::<CBlock>().map(CBlock::text),
        Op::Row(_) => None,
    });
    texts.collect::<Vec<_>>().join("\n")
}

/// Removes all compiled blocks, and returns how many there were.
#[pyfunction]
fn c_clean() -> PyResult<usize> {
    cc::clean().map_err(|it| PyOSError::new_err(it.to_string()))
}
