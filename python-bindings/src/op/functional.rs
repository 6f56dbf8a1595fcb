//! Functions of `nn.functional`: calls of an operator's function under other parameters.
//!
//! A call that has none but the operator's own goes straight to its function. Any other is bound by
//! places and names alone, and its arguments are handed on in the operator's order: its function asks
//! them who takes the call over, and looks at their types. If it takes none of them, the message shows
//! the parameters of the function that was called.

use opwright_runtime::op::Constant;
use opwright_runtime::resolve::{Parameter, Signature};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::ffi::{Py_ssize_t, PyObject};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyFloat, PyInt, PyString, PyTuple};
use smallvec::{SmallVec, smallvec};

use super::values;
use crate::args::{Arrays, Call, Vectorcall, mismatch_text};
use crate::call::shim::{self, Target};
use crate::object;
use crate::object::failure::{Failure, renamed, throw};
use crate::raw::{self, Names, NewReference};
use crate::types::reduction;

/// A function, and what it calls.
pub struct Functional {
    /// What it is to those who ask for its signature, of which it has one.
    pub target: &'static Target,
    /// The function that it calls.
    pub plain: &'static Target,
    /// What does the same in place, if it has the parameter `inplace`.
    pub in_place: Option<&'static Target>,
    /// What becomes of each argument but that for `out`.
    pub params: &'static [Forwards],
    /// With how many of the leading parameters alone a call is one of the other function.
    pub direct: usize,
    /// Whether it is still with others by name, but for those that are handled here.
    pub same_names: bool,
}

/// What becomes of an argument.
pub enum Forwards {
    /// It is passed on.
    Passed {
        /// The parameter's name in the other function.
        name: &'static str,
        /// Its place there, if it may be passed by position.
        place: Option<usize>,
        /// What is passed if there is none: a default that the other function does not have, or a
        /// `None` that holds its place.
        default: Option<Constant>,
        /// Between which numbers it has to be.
        range: Option<[f64; 2]>,
    },
    /// It is passed on as `reduction`, and has to be its word.
    Reduction {
        /// Its place in the other function, if it may be passed by position.
        place: Option<usize>,
        /// The word that is passed if there is none, and the other function has no default.
        default: Option<&'static str>,
    },
    /// Whether what does the same in place is called.
    Inplace,
    /// An older form of the reduction.
    SizeAverage,
    /// Another one.
    Reduce,
}

/// For each parameter its argument, by its place among those of the call.
type Slots = SmallVec<[Option<usize>; 12]>;

/// Calls the function.
///
/// # Safety
///
/// As [`shim::run`].
#[inline(never)]
pub unsafe fn run(
    functional: &'static Functional,
    _: *mut PyObject,
    args: *const *mut PyObject,
    count: Py_ssize_t,
    names: *mut PyObject,
) -> *mut PyObject {
    // SAFETY: the interpreter calls with the GIL held, and keeps what it passes until the call
    // returns.
    let (py, (args, names)) = unsafe {
        let py = Python::assume_attached();
        (py, raw::arguments(py, args, count, names))
    };
    let passed = &Vectorcall { receiver: None, args, positional: count as usize, names };
    if !functional.is_plain(passed) {
        return NewReference::or_null(functional.forwarded(py, passed));
    }
    let result = shim::run_or(py, functional.plain, passed, || functional.forwarded(py, passed));
    if result.is_none() && functional.target.function.name != functional.plain.function.name {
        throw(|_| functional.explained(py, PyErr::fetch(py), functional.plain, passed));
    }
    NewReference::or_null(result)
}

/// The body of the target, whose call is bound.
///
/// # Errors
///
/// What the other function raises.
pub fn body(functional: &Functional, call: &Call<'_, '_>) -> Result<NewReference, Failure> {
    Ok(functional.forward(call.py(), call.passed())?.into())
}

impl Functional {
    fn signature(&self) -> &'static Signature {
        &self.target.function.signatures[0]
    }

    /// Whether the other function takes these arguments as they are, if it takes them.
    #[inline]
    fn is_plain(&self, passed: &Vectorcall<'_, '_>) -> bool {
        let Vectorcall { args, positional, names, .. } = passed;
        let is_own = |at: usize| {
            let name = names.text(at);
            let found = self.signature().params.iter().position(|it| it.name == name);
            found.is_some_and(|it| match self.params.get(it) {
                None | Some(Forwards::Passed { .. }) => true,
                // Numbers are for operators.
                Some(Forwards::Reduction { .. }) => {
                    args[positional + at].is_instance_of::<PyString>()
                }
                Some(_) => false,
            })
        };
        let by_name = || self.same_names && (0..names.count()).all(is_own);
        *positional <= self.direct && (names.count() == 0 || by_name())
    }

    #[inline(never)]
    fn forwarded<'py>(
        &self,
        py: Python<'py>,
        passed: &Vectorcall<'_, 'py>,
    ) -> Option<NewReference> {
        match self.forward(py, passed) {
            Ok(result) => Some(result.into()),
            Err(error) => {
                throw(|_| error);
                None
            }
        }
    }

    fn forward<'py>(
        &self,
        py: Python<'py>,
        passed: &Vectorcall<'_, 'py>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let Some(slots) = self.bind(passed) else { return Err(self.refused(passed)?) };
        let given = FunctionalCall { functional: self, passed, slots };
        let reduction = given.reduction(py)?;
        given.check_ranges()?;
        let in_place = if given.is_in_place()? { self.in_place } else { None };
        let called = in_place.unwrap_or(self.plain);
        let forwarded = given.forwarded(py, reduction, in_place.is_some())?;
        let names = match forwarded.names.as_slice() {
            [] => None,
            names => Some(PyTuple::new(py, names)?),
        };
        let names = names.as_ref().map_or(Names::NONE, |it| Names::new(it.as_borrowed()));
        let args = &forwarded.args;
        let handed = &Vectorcall { receiver: None, args, positional: forwarded.positional, names };
        shim::call(py, called, handed).map_err(|it| self.explained(py, it, called, passed))
    }

    /// The argument of each parameter; nothing if the call has too many, too few, unknown ones, or two
    /// for one.
    fn bind(&self, passed: &Vectorcall<'_, '_>) -> Option<Slots> {
        let Signature { params, positional, .. } = self.signature();
        if passed.positional > usize::from(*positional) {
            return None;
        }
        let mut slots: Slots = smallvec![None; params.len()];
        for (at, slot) in slots.iter_mut().enumerate().take(passed.positional) {
            *slot = Some(at);
        }
        for at in 0..passed.names.count() {
            let name = passed.names.text(at);
            let by_name = params.iter().position(|it| it.name == name);
            let by_alias = || params.iter().position(|it| it.aliases.contains(&name));
            let param = by_name.or_else(by_alias)?;
            if slots[param].replace(passed.positional + at).is_some() {
                return None;
            }
        }
        let is_bound =
            |(param, slot): (&Parameter, &Option<usize>)| slot.is_some() || !param.required;
        params.iter().zip(&slots).all(is_bound).then_some(slots)
    }

    /// The exception of a call whose arguments have no place, or of which one is of a wrong type.
    #[cold]
    fn refused(&self, passed: &Vectorcall<'_, '_>) -> PyResult<PyErr> {
        Ok(PyTypeError::new_err(self.mismatch(passed)?))
    }

    #[cold]
    fn mismatch(&self, passed: &Vectorcall<'_, '_>) -> PyResult<String> {
        let (function, given) = (self.target.function, passed.args);
        let arrays = Arrays::convert(function.name, given, passed.positional, &passed.names);
        let arrays = arrays.map_err(|it| it.raised(function.name))?;
        let passed = Vectorcall { args: arrays.as_ref().map_or(given, Arrays::args), ..*passed };
        Ok(mismatch_text(function, &passed, given))
    }

    /// The exception of a call that was handed on, with the names of this function.
    #[cold]
    fn explained(
        &self,
        py: Python<'_>,
        error: PyErr,
        called: &Target,
        passed: &Vectorcall<'_, '_>,
    ) -> PyErr {
        let text = error.value(py).to_string();
        let Some((prefix, _)) = text.split_once('(').filter(|(it, _)| is_name(it)) else {
            return error;
        };
        let is_refusal = prefix == called.function.name && error.is_instance_of::<PyTypeError>(py);
        if is_refusal && !self.fits(py, passed) {
            if let Ok(text) = self.mismatch(passed) {
                // The exception stays, with what was noted.
                let _ = error.value(py).setattr("args", (text,));
            }
            return error;
        }
        let error = renamed(py, error, prefix, self.target.function.name);
        self.with_names(py, &error, passed);
        error
    }

    /// Whether the function takes arguments of these types.
    fn fits(&self, py: Python<'_>, passed: &Vectorcall<'_, '_>) -> bool {
        let Vectorcall { args, positional, names, .. } = *passed;
        let function = self.target.function;
        let Ok(arrays) = Arrays::convert(function.name, args, positional, &names) else {
            return true;
        };
        let passed = Vectorcall { args: arrays.as_ref().map_or(args, Arrays::args), ..*passed };
        Call::new(py, function, &passed).bind().is_ok()
    }

    /// Says of arguments what they are called here, and what their places are.
    fn with_names(&self, py: Python<'_>, error: &PyErr, passed: &Vectorcall<'_, '_>) {
        let slots = self.bind(passed).unwrap_or_default();
        let mut text = error.value(py).to_string();
        for (at, (forwards, param)) in self.params.iter().zip(self.signature().params).enumerate() {
            let (name, place) = match forwards {
                Forwards::Passed { name, place, .. } => (*name, *place),
                Forwards::Reduction { place, .. } => (param.name, *place),
                Forwards::Inplace | Forwards::SizeAverage | Forwards::Reduce => continue,
            };
            let quoted = format!("argument '{name}'");
            if !text.contains(&quoted) {
                continue;
            }
            let by_position = slots.get(at).copied().flatten().filter(|it| *it < passed.positional);
            let shown =
                by_position.map_or_else(String::new, |it| format!(" (position {})", it + 1));
            let placed = place.map(|it| format!("{quoted} (position {})", it + 1));
            if let Some(placed) = placed {
                text = text.replace(&placed, &format!("{quoted}{shown}"));
            }
            text = text.replace(&quoted, &format!("argument '{}'", param.name));
            let _ = error.value(py).setattr("args", (&text,));
        }
    }
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|it| it.is_alphanumeric() || it == '_')
}

/// A call whose arguments have their places.
struct FunctionalCall<'a, 'py> {
    functional: &'a Functional,
    passed: &'a Vectorcall<'a, 'py>,
    slots: Slots,
}

/// What has a place among those of the other function, with its name there.
type Placed<'py> = Option<(&'static str, Bound<'py, PyAny>)>;

/// Arguments as the other function takes them.
#[derive(Default)]
struct Forwarded<'py> {
    args: SmallVec<[Bound<'py, PyAny>; 8]>,
    positional: usize,
    names: SmallVec<[&'static str; 8]>,
}

impl<'py> FunctionalCall<'_, 'py> {
    /// The argument of a parameter, if there is one.
    fn of(&self, param: usize) -> Option<&Bound<'py, PyAny>> {
        self.slots[param].map(|it| &self.passed.args[it])
    }

    /// The argument of the parameter of a kind.
    fn find(&self, kind: impl Fn(&Forwards) -> bool) -> Option<&Bound<'py, PyAny>> {
        self.functional.params.iter().position(kind).and_then(|it| self.of(it))
    }

    /// The reduction to pass on, if there is one.
    fn reduction(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let size_average = self.find(|it| matches!(it, Forwards::SizeAverage));
        let reduce = self.find(|it| matches!(it, Forwards::Reduce));
        if let Some(older) = reduction::older(py, size_average, reduce, 1)? {
            return Ok(Some(older));
        }
        match self.find(|it| matches!(it, Forwards::Reduction { .. })) {
            Some(given) => reduction::checked(given).map(Some),
            None => Ok(self.default_reduction().map(|it| PyString::new(py, it).into_any())),
        }
    }

    fn default_reduction(&self) -> Option<&'static str> {
        self.functional.params.iter().find_map(|it| match it {
            Forwards::Reduction { default, .. } => *default,
            _ => None,
        })
    }

    /// Numbers that are out of range are refused here: the operator calls its parameters otherwise.
    fn check_ranges(&self) -> PyResult<()> {
        for (at, forwards) in self.functional.params.iter().enumerate() {
            let Forwards::Passed { range: Some([low, high]), .. } = forwards else { continue };
            let Some(given) = self.of(at) else { continue };
            if !given.is_instance_of::<PyFloat>() && !given.is_instance_of::<PyInt>() {
                continue;
            }
            if given.extract::<f64>().is_ok_and(|it| (*low..=*high).contains(&it)) {
                continue;
            }
            let (name, param) = self.names(at);
            return Err(PyValueError::new_err(format!(
                "{name}(): argument '{param}' must be between {low} and {high}, but is {given}"
            )));
        }
        Ok(())
    }

    /// What messages call the function and a parameter of it.
    fn names(&self, param: usize) -> (&'static str, &'static str) {
        (self.functional.target.function.name, self.functional.signature().params[param].name)
    }

    /// The place of `out`, of which there is one at most.
    fn out(&self) -> Option<&Bound<'py, PyAny>> {
        let out = self.functional.params.len();
        (out < self.slots.len()).then(|| self.of(out)).flatten()
    }

    /// Whether the input is to be written to.
    fn is_in_place(&self) -> PyResult<bool> {
        let name = self.functional.target.function.name;
        let Some(flag) = self.find(|it| matches!(it, Forwards::Inplace)) else { return Ok(false) };
        let is_bool = flag.is_exact_instance_of::<PyBool>();
        if !is_bool && (object::is_tensor(flag) || !flag.hasattr("__bool__")?) {
            let kind = flag.get_type().name()?;
            let text = format!("{name}(): argument 'inplace' must be bool, not {kind}");
            return Err(PyTypeError::new_err(text));
        }
        let is_in_place = flag.is_truthy()?;
        if is_in_place && self.out().is_some_and(|it| !it.is_none()) {
            return Err(PyTypeError::new_err(format!(
                "{name}(): 'inplace' does not go with 'out': the result is written to the input"
            )));
        }
        Ok(is_in_place)
    }

    /// The arguments in the other function's order: by position up to the first that there is none for,
    /// the others by their names there.
    fn forwarded(
        &self,
        py: Python<'py>,
        mut reduction: Option<Bound<'py, PyAny>>,
        in_place: bool,
    ) -> PyResult<Forwarded<'py>> {
        let mut placed: SmallVec<[Placed<'py>; 8]> = SmallVec::new();
        let mut named: SmallVec<[(&'static str, Bound<'py, PyAny>); 2]> = SmallVec::new();
        for (at, forwards) in self.functional.params.iter().enumerate() {
            let (name, place, object) = match forwards {
                Forwards::Passed { name, place, default, .. } => {
                    (*name, *place, passed(py, self.of(at), *default)?)
                }
                Forwards::Reduction { place, .. } => (self.names(at).1, *place, reduction.take()),
                Forwards::Inplace | Forwards::SizeAverage | Forwards::Reduce => continue,
            };
            let Some(object) = object else { continue };
            match place {
                Some(place) => {
                    let count = placed.len().max(place + 1);
                    placed.resize_with(count, || None);
                    placed[place] = Some((name, object));
                }
                None => named.push((name, object)),
            }
        }
        if let (Some(out), false) = (self.out(), in_place) {
            named.push((self.names(self.functional.params.len()).1, out.clone()));
        }
        let positional = placed.iter().take_while(|it| it.is_some()).count();
        let mut made = Forwarded { positional, ..Forwarded::default() };
        for (name, object) in placed.into_iter().flatten().chain(named) {
            if made.args.len() >= made.positional {
                made.names.push(name);
            }
            made.args.push(object);
        }
        Ok(made)
    }
}

/// What is passed on for a parameter: the argument, or a default that the other function has not.
fn passed<'py>(
    py: Python<'py>,
    given: Option<&Bound<'py, PyAny>>,
    default: Option<Constant>,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    match (given, default) {
        (Some(given), _) => Ok(Some(given.clone())),
        (None, Some(default)) => {
            let object = values::object(py, default.value());
            object.map(Some).map_err(|it| it.raised("functional"))
        }
        (None, None) => Ok(None),
    }
}
