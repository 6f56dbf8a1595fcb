//! Enumerations: `layout` and `memory_format` with one object for each value, reductions by words.

use opwright_runtime::op::Value;
use opwright_runtime::{Error, Layout, MemoryFormat, Reduction};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyModule, PyString};

use crate::object::{Convert, Failure, Reading, package};

/// How a tensor finds its elements; there is only `opwright.strided`.
#[pyclass(frozen, name = "layout", module = "opwright")]
pub struct PyLayout(pub Layout);

/// The order of dimensions in memory: `opwright.contiguous_format` and others.
#[pyclass(frozen, name = "memory_format", module = "opwright")]
pub struct PyMemoryFormat(pub MemoryFormat);

static FORMATS: [PyOnceLock<Py<PyMemoryFormat>>; MemoryFormat::ALL.len()] =
    [const { PyOnceLock::new() }; MemoryFormat::ALL.len()];
static STRIDED: PyOnceLock<Py<PyLayout>> = PyOnceLock::new();

impl PyLayout {
    /// The object of a layout, the same each time.
    ///
    /// # Errors
    ///
    /// `MemoryError`.
    pub fn object(py: Python<'_>, layout: Layout) -> PyResult<Bound<'_, PyLayout>> {
        let Layout::Strided = layout;
        Ok(STRIDED.get_or_try_init(py, || Py::new(py, PyLayout(layout)))?.bind(py).clone())
    }
}

#[pymethods]
impl PyLayout {
    /// What an instance is to other modules of operators.
    #[classattr]
    #[pyo3(name = "_opwright_kind")]
    const KIND: &'static str = "layout";

    fn __repr__(&self) -> String {
        format!("{}.{}", package::name(), self.0)
    }

    /// Pickled and copied by name, so that there is one object.
    fn __reduce__(&self) -> String {
        self.0.to_string()
    }
}

impl PyMemoryFormat {
    /// The object of a memory format, the same each time.
    ///
    /// # Errors
    ///
    /// `MemoryError`.
    pub fn object(py: Python<'_>, format: MemoryFormat) -> PyResult<Bound<'_, PyMemoryFormat>> {
        let made = FORMATS[format as usize].get_or_try_init(py, || Py::new(py, Self(format)))?;
        Ok(made.bind(py).clone())
    }
}

#[pymethods]
impl PyMemoryFormat {
    /// What an instance is to other modules of operators.
    #[classattr]
    #[pyo3(name = "_opwright_kind")]
    const KIND: &'static str = "memory_format";

    fn __repr__(&self) -> String {
        format!("{}.{}", package::name(), self.0)
    }

    /// Pickled and copied by name, so that there is one object each.
    fn __reduce__(&self) -> &'static str {
        self.0.name()
    }
}

#[diagnostic::do_not_recommend]
impl Convert for Layout {
    fn unpack(object: &Bound<'_, PyAny>, _: Reading) -> Result<Self, Failure> {
        Ok(object.cast::<PyLayout>()?.get().0)
    }

    fn object(self, py: Python<'_>) -> Result<Bound<'_, PyAny>, Failure> {
        Ok(PyLayout::object(py, self)?.into_any())
    }
}

#[diagnostic::do_not_recommend]
impl Convert for MemoryFormat {
    fn unpack(object: &Bound<'_, PyAny>, _: Reading) -> Result<Self, Failure> {
        Ok(object.cast::<PyMemoryFormat>()?.get().0)
    }

    fn object(self, py: Python<'_>) -> Result<Bound<'_, PyAny>, Failure> {
        Ok(PyMemoryFormat::object(py, self)?.into_any())
    }
}

/// Its word or its number; as a result the number, as nodes of graphs have it.
#[diagnostic::do_not_recommend]
impl Convert for Reduction {
    fn unpack(object: &Bound<'_, PyAny>, reading: Reading) -> Result<Self, Failure> {
        if let Ok(word) = object.cast::<PyString>() {
            let known = Reduction::from_name(&word.to_string_lossy());
            return known.ok_or_else(|| Error::value(no_reduction(word)).into());
        }
        Ok(Value::Int(i64::unpack(object, reading)?).reduction()?)
    }

    fn object(self, py: Python<'_>) -> Result<Bound<'_, PyAny>, Failure> {
        i64::from(self.number()).object(py)
    }
}

/// Says which words there are.
#[cold]
pub(super) fn no_reduction(word: &Bound<'_, PyAny>) -> String {
    let names = Reduction::ALL.map(|it| format!("'{it}'"));
    let [others @ .., last] = &names;
    let shown = word.repr().map_or_else(|_| word.to_string(), |it| it.to_string());
    format!("{shown} is not a valid value for reduction: it is {} or {last}", others.join(", "))
}

/// `strided`, `contiguous_format` and so on.
pub(super) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    module.add(Layout::Strided.to_string(), PyLayout::object(py, Layout::Strided)?)?;
    for format in MemoryFormat::ALL {
        module.add(format.name(), PyMemoryFormat::object(py, format)?)?;
    }
    Ok(())
}
