//! Blocks of C in functions.

mod block;
mod host;
mod options;
mod tensor;
mod verified;

use std::ffi::CString;
use std::sync::Arc;

use opwright_graph::cc::{self, Block, BlockError};
use opwright_graph::rewrite::Rewriter;
use opwright_graph::{Custom, Function, FunctionSpec, GraphError, Instrument, Op, Variable};
use pyo3::exceptions::{PyOSError, PyTypeError, PyUserWarning, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyModule;

use self::block::CBlock;
use self::host::PythonHost;
use self::options::BlockOptions;
use super::apply::PyApply;
use super::failure::{CompileError, host as failed, raised};

pub(super) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(c_source, module)?)?;
    module.add_function(wrap_pyfunction!(c_clean, module)?)
}

/// A function whose nodes become blocks of C where they can, as a mode says; in debug mode they are
/// compared with these.
pub(super) fn function(
    mut spec: FunctionSpec,
    rewriter: &Rewriter,
    mode: &Bound<'_, PyAny>,
) -> Result<Function, GraphError> {
    let reuse = std::mem::take(&mut spec.mode.reuse);
    let options = BlockOptions::of(mode, reuse).map_err(failed)?;
    let debug = spec.mode.instrument == Instrument::Debug;
    let options = if debug { options.verifying() } else { options };
    let mut back_end = |inputs: &[Variable], outputs: &[Variable]| {
        let made = match debug {
            true => block_of(mode.py(), outputs, &options),
            false => with_blocks(mode.py(), inputs, outputs, &options),
        };
        made.map_err(failed)
    };
    Function::with_back_end(spec, rewriter, Some(&mut back_end))
}

impl BlockOptions<'_> {
    /// What runs a block.
    fn made(&self, py: Python<'_>, block: Block) -> Result<Arc<dyn Custom>, GraphError> {
        let made: Arc<dyn Custom> = Arc::new(CBlock::new(py, block, self).map_err(failed)?);
        Ok(made)
    }
}

/// What stands for the outputs of a graph whose nodes with C code became blocks.
///
/// # Errors
///
/// What hooks raise; `ValueError` for a text that is refused; `CompileError`.
fn with_blocks(
    py: Python<'_>,
    inputs: &[Variable],
    outputs: &[Variable],
    options: &BlockOptions<'_>,
) -> PyResult<Vec<Variable>> {
    let mut made = |block| options.made(py, block);
    let host = PythonHost::new(py)?;
    let blocks = cc::blocks(inputs, outputs, &host, &options.settings(), &mut made);
    // An interrupt ends compilers, too.
    py.check_signals()?;
    warn_of_cache(py)?;
    blocks.map_err(|wrong| exception(py, wrong))
}

/// What stands for the results of a node in a block of its own: they themselves if it has no code.
/// Without a compiler there is nothing to compare with.
///
/// # Errors
///
/// As [`with_blocks`].
fn block_of(
    py: Python<'_>,
    results: &[Variable],
    options: &BlockOptions<'_>,
) -> PyResult<Vec<Variable>> {
    let alone = results.to_vec();
    let Some((node, _)) = results.first().and_then(Variable::owner) else { return Ok(alone) };
    if matches!(node.op(), Op::Row(_)) {
        return Ok(alone);
    }
    let mut made = |block| options.made(py, block);
    let found = cc::block_of(node, &PythonHost::new(py)?, &options.settings(), &mut made);
    py.check_signals()?;
    warn_of_cache(py)?;
    match found {
        Ok(found) => Ok(found.unwrap_or(alone)),
        Err(BlockError::Compile(cc::CompileError::NoCompiler(text))) if node.op().performs() => {
            let text = CString::new(format!("the C code of {node} is not looked at: {text}"))?;
            PyErr::warn(py, &py.get_type::<PyUserWarning>(), &text, 1)?;
            Ok(alone)
        }
        Err(wrong) => Err(exception(py, wrong)),
    }
}

/// Warns of what is kept and was not used.
fn warn_of_cache(py: Python<'_>) -> PyResult<()> {
    for text in cc::take_notes() {
        PyErr::warn(py, &py.get_type::<PyUserWarning>(), &CString::new(text)?, 1)?;
    }
    Ok(())
}

#[cold]
fn exception(py: Python<'_>, wrong: BlockError) -> PyErr {
    match wrong {
        BlockError::Graph(failure) => raised(failure),
        BlockError::Refused(text) => PyValueError::new_err(text),
        BlockError::NoCode(node) => PyTypeError::new_err(format!("{node} has no C code")),
        BlockError::Compile(cc::CompileError::NoCompiler(text)) => {
            compile_error(py, text, String::new())
        }
        BlockError::Compile(cc::CompileError::Failed { message, log }) => {
            compile_error(py, message, log)
        }
    }
}

fn compile_error(py: Python<'_>, message: String, log: String) -> PyErr {
    let error = CompileError::new_err(message);
    match error.value(py).setattr("log", log) {
        Ok(()) => error,
        Err(other) => other,
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
