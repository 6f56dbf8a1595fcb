//! Graphs made simpler, also by rules that people write in Python.

use std::sync::Arc;

use opwright_graph::rewrite::{
    Bindings, Level, Pattern, Replace, Replacement, RewriteRule, Rewriter, add_rule, parsed,
    remove_rule, takes,
};
use opwright_graph::{GraphError, Variable};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyModule};

use super::failure::host;
use super::{rows, variable};
use crate::call::tables::of_module;
use crate::object::failure::raise;
use crate::object::type_name;

/// The rules of the module's own operators.
static OWN: PyOnceLock<Vec<Arc<RewriteRule>>> = PyOnceLock::new();

pub(super) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<PyRewrite>()
}

/// What makes graphs simpler as far as `optimizer` says.
///
/// # Errors
///
/// `ValueError` for a word that says nothing.
pub(super) fn rewriter(py: Python<'_>, optimizer: &str) -> PyResult<Rewriter> {
    let level = match optimizer {
        "none" => Level::None,
        "safe" => Level::Safe,
        "full" => Level::Full,
        other => {
            return Err(PyValueError::new_err(format!(
                "optimizer is 'none', 'safe' or 'full', not {other:?}"
            )));
        }
    };
    Ok(Rewriter::new(rows::all(), own(py)?, level))
}

/// The rules of the module.
///
/// # Errors
///
/// `ValueError` for a pattern that is none.
pub(super) fn own(py: Python<'_>) -> PyResult<&'static [Arc<RewriteRule>]> {
    let made = OWN.get_or_try_init(py, || {
        let rewrites = of_module().map_or(&[][..], |it| it.operators.rewrites());
        rewrites
            .iter()
            .map(|it| RewriteRule::of(it).map(Arc::new).map_err(raise))
            .collect::<PyResult<_>>()
    })?;
    Ok(made)
}

/// A rule that was added; `remove` takes it away again.
#[pyclass(frozen, name = "Rewrite")]
struct PyRewrite(Arc<RewriteRule>);

#[pymethods]
impl PyRewrite {
    /// `replace` gets the variables by their names in the pattern, and returns what takes the place
    /// of what was found, or `None`; `when` says before whether it is asked.
    #[new]
    #[pyo3(signature = (pattern, replace, approx = false, when = None))]
    fn new(
        pattern: &str,
        replace: Bound<'_, PyAny>,
        approx: bool,
        when: Option<Bound<'_, PyAny>>,
    ) -> PyResult<PyRewrite> {
        let pattern = parsed(pattern).map_err(raise)?;
        check(&pattern)?;
        for (what, given) in [("the replacement", Some(&replace)), ("when", when.as_ref())] {
            if let Some(given) = given.filter(|it| !it.is_callable()) {
                return Err(PyTypeError::new_err(format!(
                    "{what} of a rewrite is a function, not {}",
                    type_name(given)
                )));
            }
        }
        let name: String = match replace.getattr_opt("__name__")? {
            Some(name) => name.extract()?,
            None => "rewrite".to_owned(),
        };
        let host = RewriteFunctions { replace: replace.unbind(), when: when.map(Bound::unbind) };
        let rule =
            Arc::new(RewriteRule::new(name, pattern, Replacement::Host(Arc::new(host)), approx));
        add_rule(rule.clone());
        Ok(PyRewrite(rule))
    }

    /// Takes it away: functions that are made from now on are not asked.
    fn remove(&self) {
        remove_rule(&self.0);
    }

    fn __repr__(&self) -> String {
        format!("<rewrite {} of {}>", self.0.name(), self.0.pattern())
    }
}

/// Every call is one of an operator that takes so many arguments of these names.
fn check(pattern: &Pattern) -> PyResult<()> {
    let mut wrong = None;
    pattern.walk(&mut |it| {
        let Pattern::Call(name, _, args) = it else { return };
        // What every variable of tensors has.
        if name == Pattern::SHAPE && args.len() == 1 {
            return;
        }
        if !rows::all().has(name) {
            wrong.get_or_insert(format!("there is no operator '{name}'"));
        } else if !rows::all().named(name).any(|it| takes(it, args)) {
            wrong.get_or_insert(format!("no overload of '{name}' takes the arguments of {it}"));
        }
    });
    wrong.map_or(Ok(()), |it| Err(PyValueError::new_err(it)))
}

/// Functions of Python that make replacements.
struct RewriteFunctions {
    replace: Py<PyAny>,
    when: Option<Py<PyAny>>,
}

impl RewriteFunctions {
    fn replaced(&self, py: Python<'_>, bound: &Bindings) -> PyResult<Option<Variable>> {
        let named = PyDict::new(py);
        for (name, found) in bound {
            named.set_item(name, variable::object(py, found.clone())?)?;
        }
        if let Some(when) = &self.when
            && !when.bind(py).call((), Some(&named))?.is_truthy()?
        {
            return Ok(None);
        }
        let new = self.replace.bind(py).call((), Some(&named))?;
        if new.is_none() {
            return Ok(None);
        }
        let found = variable::of(&new).ok_or_else(|| {
            PyTypeError::new_err("a rewrite returns a variable, or None if nothing is replaced")
        });
        found.map(Some)
    }
}

impl Replace for RewriteFunctions {
    fn replace(&self, bound: &Bindings) -> Result<Option<Variable>, GraphError> {
        Python::attach(|py| self.replaced(py, bound)).map_err(host)
    }
}
