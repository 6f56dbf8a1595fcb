//! Selection of the back end of compiled functions: as `jit` or the environment says, else the
//! fastest that there is.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use opwright_jit::ir::Program;
use opwright_jit::tier::Tiered;
use opwright_jit::{Backend, Executable};
use pyo3::exceptions::{PyRuntimeWarning, PyUserWarning, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;

use super::errors;

/// The variable that says it for everyone.
const VARIABLE: &str = "OPWRIGHT_JIT";

/// The back ends that can be asked for.
#[derive(Clone, Copy)]
pub(super) enum Wanted {
    /// All in turn, the slower to compile later.
    Tiered,
    /// This one.
    Only(Backend),
}

impl Wanted {
    fn of_name(name: &str) -> Option<Wanted> {
        Some(match name {
            "tiered" => Wanted::Tiered,
            "vm" => Wanted::Only(Backend::Vm),
            "cranelift" => Wanted::Only(Backend::Cranelift),
            "cc" => Wanted::Only(Backend::Cc),
            _ => return None,
        })
    }

    /// The back end of a name that `jit` was given.
    pub(super) fn named(name: &str) -> PyResult<Wanted> {
        let unknown =
            || format!("backend={name:?} is not there: it is one of vm, cranelift, cc, tiered");
        Wanted::of_name(name).ok_or_else(|| PyValueError::new_err(unknown()))
    }

    /// One back end; none for all in turn.
    fn only(self) -> Option<Backend> {
        match self {
            Wanted::Tiered => None,
            Wanted::Only(backend) => Some(backend),
        }
    }
}

/// A program for the back end that a function asks for, else the environment.
pub(super) fn tiered(
    py: Python<'_>,
    program: Program,
    asked: Option<Wanted>,
) -> PyResult<Arc<Tiered>> {
    let wanted = match asked {
        Some(wanted) => wanted,
        None => from_environment(py)?,
    };
    let made = if let (Wanted::Tiered, true) = (wanted, IS_FORBIDDEN.load(Ordering::Relaxed)) {
        Tiered::new(program, Some(Backend::Vm))
    } else {
        Tiered::new(program, wanted.only())
    };
    let made = made.map_err(|reason| errors::unsupported(py, &reason))?;
    warn_if_forbidden(py, wanted, &made)?;
    Ok(made)
}

/// A program for the back end that the environment asks for, for good.
pub(super) fn executable(py: Python<'_>, program: Program) -> PyResult<Executable> {
    let made = match from_environment(py)? {
        Wanted::Only(Backend::Cc) => {
            Executable::at_most(Backend::Cc, program).map(|(executable, _)| executable)
        }
        wanted => Executable::new(program, wanted.only()),
    };
    made.map_err(|reason| errors::unsupported(py, &reason))
}

/// What the environment asks for; it is read once.
fn from_environment(py: Python<'_>) -> PyResult<Wanted> {
    static FROM_ENVIRONMENT: PyOnceLock<Wanted> = PyOnceLock::new();
    FROM_ENVIRONMENT.get_or_try_init(py, || read(py)).copied()
}

fn read(py: Python<'_>) -> PyResult<Wanted> {
    let Ok(text) = std::env::var(VARIABLE) else { return Ok(Wanted::Tiered) };
    if text.is_empty() {
        return Ok(Wanted::Tiered);
    }
    if let Some(wanted) = Wanted::of_name(&text) {
        return Ok(wanted);
    }
    let text = format!("{VARIABLE} is ignored: {text:?} is none of vm, cranelift, cc, tiered");
    warn(py, &py.get_type::<PyUserWarning>(), text)?;
    Ok(Wanted::Tiered)
}

/// Whether this system does not let memory be executed that this process wrote.
static IS_FORBIDDEN: AtomicBool = AtomicBool::new(false);

/// Warns once if there is machine code for this processor, but the system does not let it run.
fn warn_if_forbidden(py: Python<'_>, wanted: Wanted, made: &Tiered) -> PyResult<()> {
    let is_slow = matches!(wanted, Wanted::Tiered) && made.backend() == Backend::Vm;
    let Some(reason) = is_slow.then(forbidden).flatten() else { return Ok(()) };
    if IS_FORBIDDEN.swap(true, Ordering::Relaxed) {
        return Ok(());
    }
    let text = format!(
        "compiled functions run by the vm, which is slower: this system runs no machine code that a \
         process makes ({reason}); {VARIABLE}=vm asks for that, without this warning"
    );
    warn(py, &py.get_type::<PyRuntimeWarning>(), text)
}

/// Why no machine code can be run that this process makes.
fn forbidden() -> Option<String> {
    #[cfg(feature = "cranelift")]
    return opwright_jit::cranelift::forbidden();
    #[cfg(not(feature = "cranelift"))]
    None
}

#[cold]
fn warn(py: Python<'_>, class: &Bound<'_, PyAny>, text: String) -> PyResult<()> {
    let text = std::ffi::CString::new(text).unwrap_or_default();
    PyErr::warn(py, class, &text, 1)
}
