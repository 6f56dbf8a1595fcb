//! Arguments of calls, bound to the parameters of a function.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use smallvec::SmallVec;

use super::package_function::PackageFunction;
use crate::raw::{Names, Visitor};

static BIND: PackageFunction = PackageFunction::new("bind", "bind");

/// Flags of code objects of functions that take any number of arguments.
const VARIADIC: u32 = 0x4 | 0x8;

/// One argument for each parameter.
pub(super) type Bindings<'py> = SmallVec<[Bound<'py, PyAny>; 8]>;

/// The parameters of a function.
pub(super) struct PythonSignature {
    params: Vec<PythonParam>,
    /// How many may be passed by place.
    places: usize,
    /// Whether there are `*args` or `**keywords`, whom Python binds.
    is_variadic: bool,
}

struct PythonParam {
    name: String,
    /// Whether it may be passed by keyword.
    is_named: bool,
    default: Option<Py<PyAny>>,
}

impl PythonSignature {
    /// The parameters of a function, with the defaults that it has now.
    pub(super) fn of(function: &Bound<'_, PyAny>) -> PyResult<PythonSignature> {
        let code = function.getattr("__code__")?;
        let number = |name: &str| code.getattr(name)?.extract::<usize>();
        let places = number("co_argcount")?;
        let unnamed = number("co_posonlyargcount")?;
        let total = places + number("co_kwonlyargcount")?;
        let is_variadic = code.getattr("co_flags")?.extract::<u32>()? & VARIADIC != 0;
        let names: Vec<String> = code.getattr("co_varnames")?.extract()?;
        let mut params: Vec<PythonParam> = names
            .into_iter()
            .take(total)
            .enumerate()
            .map(|(at, name)| PythonParam { name, is_named: at >= unnamed, default: None })
            .collect();
        if let Ok(defaults) = function.getattr("__defaults__")?.cast::<PyTuple>() {
            let first = places.saturating_sub(defaults.len());
            for (param, value) in params[first..places].iter_mut().zip(defaults.iter()) {
                param.default = Some(value.unbind());
            }
        }
        if let Ok(defaults) = function.getattr("__kwdefaults__")?.cast::<PyDict>() {
            for param in &mut params[places..] {
                param.default = defaults.get_item(&param.name)?.map(Bound::unbind);
            }
        }
        Ok(PythonSignature { params, places, is_variadic })
    }

    /// Tells the garbage collector of the defaults.
    pub(super) fn traverse(&self, visitor: &mut Visitor) {
        for default in self.params.iter().filter_map(|it| it.default.as_ref()) {
            // SAFETY: a reference of the signature's own, to an object that lives.
            unsafe { visitor.see(default.as_ptr()) };
        }
    }

    /// Whether so many arguments by place are one for each parameter.
    #[inline]
    pub(super) fn is_complete(&self, count: usize) -> bool {
        count == self.params.len() && count == self.places && !self.is_variadic
    }

    /// The arguments in the order of the parameters, with defaults.
    ///
    /// # Errors
    ///
    /// `TypeError` in Python's words, if they do not fit.
    pub(super) fn bind<'py>(
        &self,
        function: &Bound<'py, PyAny>,
        positional: &[Bound<'py, PyAny>],
        keywords: &[Bound<'py, PyAny>],
        names: Names<'_, 'py>,
    ) -> PyResult<Bindings<'py>> {
        match self.fitting(function.py(), positional, keywords, names) {
            Some(bound) => Ok(bound),
            None => by_python(function, positional, keywords, names),
        }
    }

    /// The same, if they fit.
    fn fitting<'py>(
        &self,
        py: Python<'py>,
        positional: &[Bound<'py, PyAny>],
        keywords: &[Bound<'py, PyAny>],
        names: Names<'_, 'py>,
    ) -> Option<Bindings<'py>> {
        if self.is_variadic || positional.len() > self.places {
            return None;
        }
        let mut bound: Bindings<'py> = positional.iter().cloned().collect();
        let mut used = 0;
        for param in &self.params[positional.len()..] {
            let keyword = if param.is_named { names.position(&param.name) } else { None };
            bound.push(match (keyword, &param.default) {
                (Some(at), _) => {
                    used += 1;
                    keywords[at].clone()
                }
                (None, Some(default)) => default.bind(py).clone(),
                (None, None) => return None,
            });
        }
        // Others are unknown, or of parameters that have their argument.
        (used == keywords.len()).then_some(bound)
    }
}

/// The arguments of a function that takes any number of them; what does not fit is refused in
/// Python's words.
#[cold]
fn by_python<'py>(
    function: &Bound<'py, PyAny>,
    positional: &[Bound<'py, PyAny>],
    keywords: &[Bound<'py, PyAny>],
    names: Names<'_, 'py>,
) -> PyResult<Bindings<'py>> {
    let py = function.py();
    let given = PyDict::new(py);
    for (at, value) in keywords.iter().enumerate() {
        given.set_item(names.text(at), value)?;
    }
    let args = PyTuple::new(py, positional)?;
    let bound = BIND.get(py)?.call1((function, args, given))?;
    bound.try_iter()?.collect()
}
