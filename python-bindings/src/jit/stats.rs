//! Statistics of dispatchers and their entries.

use std::sync::atomic::Ordering;

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};

use super::dispatcher::Dispatcher;
use super::entry::Entry;
use super::{errors, types};

/// What an entry runs as, as text.
pub(super) fn assembly(py: Python<'_>, entry: &Entry) -> PyResult<String> {
    // A compiler may be asked, which takes a while.
    py.detach(|| entry.code.assembly()).map_err(|reason| errors::unsupported(py, &reason))
}

/// The numbers of a dispatcher, and of what is compiled for each signature, the oldest first.
pub(super) fn measured<'py>(
    py: Python<'py>,
    dispatcher: &Dispatcher,
) -> PyResult<Bound<'py, PyDict>> {
    let mut rows = Vec::new();
    let past = dispatcher.entries.past();
    let [mut compilations, mut calls, mut microseconds] =
        [&past.compilations, &past.calls, &past.microseconds].map(|it| it.load(Ordering::Relaxed));
    for entry in dispatcher.entries.read(py).list() {
        compilations += 1;
        calls += entry.code.calls();
        microseconds += entry.microseconds;
        rows.push(row(py, entry)?);
    }
    rows.reverse();
    let out = PyDict::new(py);
    out.set_item("compilations", compilations)?;
    out.set_item("hits", calls.saturating_sub(dispatcher.misses.load(Ordering::Relaxed)))?;
    out.set_item("microseconds", microseconds)?;
    out.set_item("signatures", PyList::new(py, rows)?)?;
    Ok(out)
}

fn row<'py>(py: Python<'py>, entry: &Entry) -> PyResult<Bound<'py, PyDict>> {
    let tys: PyResult<Vec<_>> = entry.types.iter().map(|it| types::to_python(py, *it)).collect();
    let out = PyDict::new(py);
    out.set_item("args", PyTuple::new(py, tys?)?)?;
    out.set_item("tier", entry.code.backend().to_string())?;
    out.set_item("calls", entry.code.calls())?;
    out.set_item("microseconds", entry.microseconds)?;
    let passes = PyDict::new(py);
    for (name, count) in entry.code.program().stats.rows() {
        passes.set_item(name, count)?;
    }
    out.set_item("passes", passes)?;
    let refused = PyDict::new(py);
    for refusal in entry.code.refusals() {
        refused.set_item(refusal.backend.to_string(), refusal.reason)?;
    }
    out.set_item("refused", refused)?;
    Ok(out)
}
