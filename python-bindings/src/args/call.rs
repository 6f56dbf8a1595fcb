//! Argument binding: one call, its arguments bound to the parameters of an overload.

use opwright_runtime::fast_path::FastPath;
use opwright_runtime::resolve::{
    ABSENT, Accepts, Binding, Kind, OverloadSet, Parameter, Signature, VARIADIC,
};
use opwright_runtime::{Error, Tensor};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyFloat, PyTuple};

use super::classify::classify;
use super::held::HeldTensors;
use super::mutated::TensorMut;
use super::vectorcall::Vectorcall;
use crate::object::failure::{is_plain, placed, shown_name};
use crate::object::{
    self, Convert, Failure, Ints, Object, Reading, as_int, beyond_i64, classes, is_sequence,
    overrides, signals,
};
use crate::raw::NewReference;
use crate::raw::Sequence;
use crate::types::PyDType;

/// Up to so many arguments are looked at without memory from the allocator.
const FEW: usize = 16;

/// The arguments of a call and where they belong.
// What is far from the start takes longer instructions, and `held` is large.
#[repr(C)]
pub struct Call<'a, 'py> {
    pub(super) py: Python<'py>,
    pub(super) function: &'static OverloadSet,
    pub(super) passed: &'a Vectorcall<'a, 'py>,
    pub(super) binding: Binding,
    pub(super) work: usize,
    pub(super) foreign: bool,
    pub(super) released: bool,
    pub(super) overridden: bool,
    /// Whether all arguments are tensors of the usual class, bound in order, of which the call uses
    /// the handles of their objects.
    pub(super) lends_all: bool,
    pub(super) held: HeldTensors,
}

impl<'a, 'py> Call<'a, 'py> {
    /// A call of `function` that is not bound yet.
    #[inline(always)]
    pub fn new(
        py: Python<'py>,
        function: &'static OverloadSet,
        passed: &'a Vectorcall<'a, 'py>,
    ) -> Call<'a, 'py> {
        Call {
            py,
            function,
            passed,
            binding: Binding::EMPTY,
            work: 0,
            foreign: false,
            released: false,
            overridden: false,
            lends_all: false,
            held: HeldTensors::new(),
        }
    }

    /// Binds the arguments to the parameters of the first overload that fits.
    ///
    /// # Errors
    ///
    /// [`Failure::Mismatch`] if none does.
    #[inline(always)]
    pub fn bind(&mut self) -> Result<(), Failure> {
        let count = self.passed.args.len();
        if count > FEW {
            return self.bind_many(count);
        }
        self.bind_with(&mut [Accepts::NOTHING; FEW][..count])
    }

    /// The fast path of few arguments that are all tensors, of the usual class and with more or less
    /// than one element: no look at each parameter of each overload. Whether they are bound, to an
    /// overload that is not deprecated, and none overrides the function; if not, [`bind`](Call::bind)
    /// knows more.
    #[inline(always)]
    pub fn bind_tensors(&mut self) -> bool {
        let is_bound = self.bind_in_order();
        #[cfg(debug_assertions)]
        if is_bound {
            self.check_fast_path();
        }
        is_bound
    }

    #[inline(always)]
    fn bind_in_order(&mut self) -> bool {
        let Vectorcall { receiver, args, names, .. } = self.passed;
        let Some(overload) = self.function.of_tensors(args.len()) else { return false };
        if !FastPath::BindTensors.is_on() {
            return false;
        }
        if names.count() != 0 || receiver.is_some_and(|it| !classes::TENSOR.is_exact(it.as_any())) {
            return false;
        }
        let mut work = receiver.map_or(0, |it| object::peek(it).numel());
        for (at, (arg, slot)) in args.iter().zip(&mut self.binding.slots).enumerate() {
            let Some(tensor) = object::exact(arg.as_borrowed()).map(object::peek) else {
                return false;
            };
            if tensor.numel() == 1 {
                return false;
            }
            work = work.saturating_add(tensor.numel());
            *slot = at as u8;
        }
        FastPath::BindTensors.taken();
        self.work = work;
        self.binding.overload = overload;
        self.lends_all = true;
        true
    }

    /// The long way ends at the same place.
    #[cfg(debug_assertions)]
    fn check_fast_path(&mut self) {
        let (short, work) = (self.binding, self.work);
        self.binding = Binding::EMPTY;
        let count = self.passed.args.len();
        let fits = self.bind_with(&mut [Accepts::NOTHING; FEW][..count]).is_ok();
        assert!(fits && (self.binding, self.work) == (short, work), "{}", self.name());
        assert!(
            !self.foreign && !self.overridden && !self.signature().deprecated,
            "{}",
            self.name()
        );
    }

    #[cold]
    fn bind_many(&mut self, count: usize) -> Result<(), Failure> {
        self.bind_with(&mut vec![Accepts::NOTHING; count])
    }

    #[inline(always)]
    fn bind_with(&mut self, accepts: &mut [Accepts]) -> Result<(), Failure> {
        self.classify(accepts);
        let Vectorcall { positional, names, .. } = self.passed;
        let fits = self.binding.resolve(self.function.signatures, *positional, accepts, names);
        if fits { Ok(()) } else { Err(Failure::Mismatch) }
    }

    /// Looks at every argument once.
    #[inline(always)]
    fn classify(&mut self, accepts: &mut [Accepts]) {
        // What is seen stays in registers until the end.
        let (mut seen, mut work) = (Accepts::NOTHING, 0_usize);
        for (arg, accepts) in self.passed.args.iter().zip(accepts) {
            let arg = arg.as_borrowed();
            let one = classify(arg);
            *accepts = one;
            seen = seen.or(one);
            if !one.has(Accepts::OVERRIDE) {
                work = work.saturating_add(work_of(arg, one));
            }
        }
        self.work = work;
        self.foreign = seen.has(Accepts::FOREIGN);
        self.overridden = seen.has(Accepts::OVERRIDE);
        if let Some(receiver) = self.passed.receiver {
            self.work = self.work.saturating_add(object::peek(receiver).numel());
            if !classes::TENSOR.is_exact(receiver.as_any()) {
                self.overridden |= overrides::overrides(receiver.as_any());
            }
        }
    }

    /// Python.
    pub fn py(&self) -> Python<'py> {
        self.py
    }

    /// The arguments as they were passed.
    pub(crate) fn passed(&self) -> &Vectorcall<'a, 'py> {
        self.passed
    }

    /// What messages call the function.
    pub(crate) fn name(&self) -> &'static str {
        self.function.name
    }

    /// The signature that was picked.
    pub(crate) fn signature(&self) -> &'static Signature {
        &self.function.signatures[self.binding.overload]
    }

    /// The argument of a parameter that was given; integers that were given one by one as a tuple.
    ///
    /// # Errors
    ///
    /// `MemoryError`.
    pub(crate) fn gathered(&self, param: usize) -> PyResult<Bound<'py, PyAny>> {
        if self.binding.slots[param] == VARIADIC {
            let given = &self.passed.args[..self.passed.positional];
            return Ok(PyTuple::new(self.py, given)?.into_any());
        }
        Ok(self.given(param))
    }

    /// The overload that was picked, an index into the function's signatures.
    #[inline(always)]
    pub fn overload(&self) -> usize {
        self.binding.overload
    }

    /// Runs the overload.
    #[inline(always)]
    pub fn run<T: Send>(&self, mut kernel: impl FnMut() -> T + Send) -> T {
        if self.released { signals::detached(self.py, kernel) } else { kernel() }
    }

    /// The receiver of a method.
    ///
    /// # Panics
    ///
    /// In a function.
    #[inline]
    pub fn receiver(&self) -> &Tensor {
        self.lent(self.known_receiver())
    }

    #[inline]
    fn known_receiver(&self) -> Borrowed<'a, 'py, Object> {
        self.passed.receiver.expect("a method has a receiver")
    }

    /// The tensor of a parameter, or a number in its place as a tensor.
    ///
    /// # Errors
    ///
    /// As for [`required`](Call::required).
    #[inline(always)]
    pub fn tensor(&self, param: usize) -> Result<&Tensor, Failure> {
        match self.passed.args.get(param) {
            Some(arg) if self.lends_all => {
                // SAFETY: the call was bound in order, and each argument is of the class that says
                // so.
                let known = unsafe { arg.as_borrowed().cast_unchecked() };
                Ok(object::peek(known))
            }
            _ => self.any_tensor(param),
        }
    }

    // Cold: kept out of line.
    #[inline(never)]
    fn any_tensor(&self, param: usize) -> Result<&Tensor, Failure> {
        match self.borrowed(param).and_then(object::known_at_once) {
            Some(known) if !self.counted() => Ok(object::peek(known)),
            known => self.held_tensor(param, known),
        }
    }

    /// A handle of its own: of a tensor that is known, or of what the argument is read as.
    #[cold]
    fn held_tensor(
        &self,
        param: usize,
        known: Option<Borrowed<'a, 'py, Object>>,
    ) -> Result<&Tensor, Failure> {
        match known {
            Some(known) => Ok(self.lent(known)),
            None => Ok(self.held.keep(self.read(param)?)),
        }
    }

    /// The tensor of a parameter, if it was given.
    ///
    /// # Errors
    ///
    /// As for [`required`](Call::required).
    #[inline]
    pub fn optional_tensor(&self, param: usize) -> Result<Option<&Tensor>, Failure> {
        if self.has(param) { self.tensor(param).map(Some) } else { Ok(None) }
    }

    /// The tensor of an argument: its own handle, or another one where that may be replaced.
    #[inline]
    fn lent(&self, object: Borrowed<'a, 'py, Object>) -> &Tensor {
        let tensor = object::peek(object);
        if self.counted() { self.held.keep(tensor.clone()) } else { tensor }
    }

    /// The receiver of a method that writes to it.
    pub fn receiver_mut(&self) -> Result<TensorMut, Failure> {
        TensorMut::unpack(self.known_receiver().as_any(), Reading::default())
    }

    /// Whether the parameter was given.
    #[inline]
    pub fn has(&self, param: usize) -> bool {
        self.binding.slots[param] != ABSENT
    }

    /// The value of a parameter that has no default.
    ///
    /// # Errors
    ///
    /// A value out of range, or an exception of the object's own code.
    // Cold: kept out of line.
    #[inline(never)]
    pub fn required<T: Convert>(&self, param: usize) -> Result<T, Failure> {
        self.read(param)
    }

    #[inline(always)]
    fn read<T: Convert>(&self, param: usize) -> Result<T, Failure> {
        self.read_with(param, &|object| T::unpack(object, self.reading::<T>(param)))
    }

    /// What `read` makes of an argument.
    ///
    /// # Errors
    ///
    /// As for [`required`](Call::required).
    #[inline(always)]
    pub(crate) fn read_with<T>(
        &self,
        param: usize,
        read: &dyn Fn(&Bound<'py, PyAny>) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        match self.borrowed(param) {
            Some(object) => {
                read(&object).or_else(|failure| self.beyond(param, &object, failure, read))
            }
            None => Err(self.absent(param)),
        }
    }

    /// The value of a parameter, or its default.
    ///
    /// # Errors
    ///
    /// As for [`required`](Call::required).
    #[inline]
    pub fn or<T: Convert>(&self, param: usize, default: T) -> Result<T, Failure> {
        if self.has(param) { self.required(param) } else { Ok(default) }
    }

    /// The value of a parameter, if it was given.
    ///
    /// # Errors
    ///
    /// As for [`required`](Call::required).
    #[inline]
    pub fn optional<T: Convert>(&self, param: usize) -> Result<Option<T>, Failure> {
        if self.has(param) { self.required(param).map(Some) } else { Ok(None) }
    }

    /// A list of integers, which may have been given as separate arguments.
    ///
    /// # Errors
    ///
    /// As for [`required`](Call::required).
    pub fn ints(&self, param: usize) -> Result<Ints, Failure> {
        if self.binding.slots[param] != VARIADIC {
            return self.read(param);
        }
        let mut ints = Ints::new();
        for arg in &self.passed.args[..self.passed.positional] {
            ints.push(as_int(arg).map_err(|it| self.at(param, it))?);
        }
        Ok(ints)
    }

    /// A list of integers, or its default.
    ///
    /// # Errors
    ///
    /// As for [`required`](Call::required).
    pub fn ints_or(&self, param: usize, default: &[i64]) -> Result<Ints, Failure> {
        if self.has(param) { self.ints(param) } else { Ok(Ints::from_slice(default)) }
    }

    /// A list of integers, if it was given.
    ///
    /// # Errors
    ///
    /// As for [`required`](Call::required).
    pub fn optional_ints(&self, param: usize) -> Result<Option<Ints>, Failure> {
        if self.has(param) { self.ints(param).map(Some) } else { Ok(None) }
    }

    /// One of the tensors of a parameter that takes several to write to.
    ///
    /// # Errors
    ///
    /// `TypeError` unless exactly `count` tensors were given.
    pub fn element(
        &self,
        param: usize,
        element: usize,
        count: usize,
    ) -> Result<TensorMut, Failure> {
        let tuple = self.argument(param).ok_or_else(|| self.absent(param))?;
        let sequence = Sequence::of(tuple.as_borrowed());
        let given = sequence.map_or(1, Sequence::len);
        let object = sequence.filter(|_| given == count).and_then(|it| it.get(element));
        let object = object.ok_or_else(|| {
            PyTypeError::new_err(format!(
                "{}(): argument '{}' must be a tuple of {count} tensors, not of {given}",
                shown_name(self.function.name),
                self.param(param).name
            ))
        })?;
        TensorMut::unpack(&object, self.reading::<TensorMut>(param))
    }

    /// The object that the method was called on.
    pub fn receiver_object(&self) -> Bound<'py, PyAny> {
        self.known_receiver().to_owned().into_any()
    }

    /// The argument itself, or Python's `None` if there is none.
    pub fn given(&self, param: usize) -> Bound<'py, PyAny> {
        self.argument(param).unwrap_or_else(|| self.py.None().into_bound(self.py))
    }

    /// The argument itself, a new reference; `None` if there is none.
    pub fn object(&self, param: usize) -> NewReference {
        match self.argument(param) {
            Some(object) => object.into(),
            None => self.py.None().into_bound(self.py).into(),
        }
    }

    fn argument(&self, param: usize) -> Option<Bound<'py, PyAny>> {
        self.borrowed(param).map(|it| it.to_owned())
    }

    /// An argument without a reference of its own: the caller holds one.
    #[inline]
    fn borrowed(&self, param: usize) -> Option<Borrowed<'a, 'py, PyAny>> {
        let slot = self.binding.slots[param] as usize;
        self.passed.args.get(slot).map(Bound::as_borrowed)
    }

    #[inline]
    fn reading<T: Convert>(&self, param: usize) -> Reading {
        Reading { size: if T::REPEATS { self.param(param).size.into() } else { 0 } }
    }

    /// Whether handles are counted: the GIL will be released, or Python code may run before the
    /// kernel does.
    #[inline]
    fn counted(&self) -> bool {
        self.released || self.foreign
    }

    /// Integers that no `i64` holds but a `u64` does: calculations with
    /// floating-point numbers take them, all others refuse them.
    #[cold]
    fn beyond<T>(
        &self,
        param: usize,
        object: &Bound<'py, PyAny>,
        failure: Failure,
        read: &dyn Fn(&Bound<'py, PyAny>) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let number = matches!(self.param(param).kind, Kind::Scalar | Kind::TensorOrNumber);
        let Some(value) = beyond_i64(object).filter(|_| number) else {
            return Err(self.at(param, failure));
        };
        if self.calculates_with_floats() {
            let value = PyFloat::new(self.py, value as f64);
            return read(value.as_any()).map_err(|it| self.at(param, it));
        }
        let text = format_args!("{value} cannot be converted to int64 without overflow");
        Err(self.at(param, Error::runtime(text).into()))
    }

    /// Whether a tensor among the arguments, or the dtype that was asked for,
    /// is floating-point or complex.
    fn calculates_with_floats(&self) -> bool {
        let decides = |it: &Bound<'_, PyAny>| {
            let dtype = object::tensor_of(it).map(|it| it.dtype());
            let dtype = dtype.or_else(|| it.cast::<PyDType>().ok().map(|it| it.get().0));
            dtype.is_some_and(|it| it.is_floating() || it.is_complex_number())
        };
        let first_decides = |it: &Bound<'_, PyAny>| it.get_item(0).is_ok_and(|it| decides(&it));
        let receiver = self.passed.receiver.as_ref().map(|it| it.as_any());
        self.passed.args.iter().chain(receiver).any(|it| {
            // Of a list of tensors, the first one stands for all.
            if is_sequence(it) { first_decides(it) } else { decides(it) }
        })
    }

    fn param(&self, param: usize) -> &'static Parameter {
        &self.function.signatures[self.binding.overload].params[param]
    }

    /// Says which argument was at hand when the code of an object raised
    /// something of its own.
    #[cold]
    pub(crate) fn raised_by(&self, param: usize, failure: Failure) -> Failure {
        match failure {
            Failure::Python(error) if !is_plain(self.py, &error) => {
                self.at(param, Failure::Python(error))
            }
            other => other,
        }
    }

    /// Says which argument a conversion failed for.
    #[cold]
    fn at(&self, param: usize, failure: Failure) -> Failure {
        let place = self.place(param);
        match failure {
            Failure::Mismatch => Failure::Mismatch,
            Failure::Op(error) => {
                let text = format_args!("{place}: {}", error.message());
                Failure::Op(Error::new(error.kind(), text))
            }
            Failure::Python(error) => {
                let what = format!("{}(): {place}", shown_name(self.function.name));
                placed(self.py, *error, &what).into()
            }
        }
    }

    /// `argument 'size' (position 2)`.
    #[cold]
    fn place(&self, param: usize) -> String {
        let mut place = format!("argument '{}'", self.param(param).name);
        let argument = self.binding.slots[param] as usize;
        if argument < self.passed.positional {
            place.push_str(&format!(" (position {})", argument + 1));
        }
        place
    }

    #[cold]
    fn absent(&self, param: usize) -> Failure {
        let text = format!(
            "{}() missing 1 required argument: \"{}\"",
            shown_name(self.function.name),
            self.param(param).name
        );
        PyTypeError::new_err(text).into()
    }
}

/// The elements of the tensors of an argument.
#[inline(always)]
fn work_of(arg: Borrowed<'_, '_, PyAny>, accepts: Accepts) -> usize {
    if accepts.kind(Kind::Tensor) {
        // SAFETY: `classify` finds this kind in objects of the classes of tensors, and in those that
        // take over calls, of which nobody asks for the work.
        return object::peek(unsafe { arg.cast_unchecked() }).numel();
    }
    if accepts.kind(Kind::Tensor.list()) { list_work(arg) } else { 0 }
}

fn list_work(arg: Borrowed<'_, '_, PyAny>) -> usize {
    let Some(elements) = Sequence::of(arg) else { return 0 };
    // SAFETY: to count the elements of a tensor runs no code of Python.
    let tensors = unsafe { elements.peek_each() }.filter_map(object::known);
    tensors.map(|it| object::peek(it).numel()).sum()
}
