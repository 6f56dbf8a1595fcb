//! Anomaly detection: who notes in Python where calls are made.

use opwright_runtime::autograd::{self, CallSite, CallSiteRecorder, Node};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;

use crate::object::callbacks;

/// The functions of Python that note a place and report it.
static FUNCTIONS: PyOnceLock<(Py<PyAny>, Py<PyAny>)> = PyOnceLock::new();

struct InPython;

static RECORDER: InPython = InPython;

impl CallSiteRecorder for InPython {
    fn call_site(&self) -> Option<CallSite> {
        callbacks::run(|| {
            Python::attach(|py| {
                let (place, _) = FUNCTIONS.get(py)?;
                match place.call0(py) {
                    Ok(place) => Some(Box::new(place) as CallSite),
                    Err(error) => {
                        error.write_unraisable(py, None);
                        None
                    }
                }
            })
        })
    }

    fn report(&self, node: &dyn Node, call_site: Option<&CallSite>, made_by: Option<&dyn Node>) {
        Python::attach(|py| {
            let Some((_, report)) = FUNCTIONS.get(py) else { return };
            let place = call_site.and_then(|it| it.downcast_ref::<Py<PyAny>>());
            let made_by = made_by.map(|it| it.name().into_owned());
            // The exception that is on its way matters more.
            if let Err(error) = report.call1(py, (&*node.name(), place, made_by)) {
                error.write_unraisable(py, None);
            }
        });
    }
}

/// Says which functions note a place and report it; the first ones stay.
#[pyfunction(name = "_set_anomaly_witness")]
pub(super) fn set_call_site_recorder(py: Python<'_>, place: Py<PyAny>, report: Py<PyAny>) {
    // Others were first.
    let _ = FUNCTIONS.set(py, (place, report));
    autograd::set_call_site_recorder(&RECORDER);
}

/// Says whether anomalies are looked for from now on, and whether not-a-number is one.
#[pyfunction(name = "_set_anomaly_enabled")]
pub(super) fn set_anomaly_enabled(py: Python<'_>, mode: bool, check_nan: bool) {
    let (was_enabled, _) = autograd::set_anomaly_detection(mode, check_nan);
    match (was_enabled, mode) {
        (false, true) => callbacks::begin(py),
        (true, false) => callbacks::end(py),
        _ => {}
    }
}

/// Whether anomalies are looked for.
#[pyfunction]
pub(super) fn is_anomaly_enabled() -> bool {
    autograd::anomaly_detection().0
}

/// Whether not-a-number in a gradient is an anomaly.
#[pyfunction]
pub(super) fn is_anomaly_check_nan_enabled() -> bool {
    autograd::anomaly_detection().1
}
