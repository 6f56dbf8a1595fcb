//! For tests: calls of printed functions with values of one type.

use std::any::Any;
use std::ffi::{CStr, CString, c_char};
use std::ptr;

use opwright_runtime as rt;
use opwright_runtime::op::Value as Anything;
use opwright_runtime::{Error, ErrorKind, Result};

use crate::error::{self, Status};
use crate::handle::{self, Handle, Owned, Tensor};
use crate::list::{self, IntList, TensorList};
use crate::value::{Bool, CValue, EnumConstant, NONE};

/// Calls a function with a value for each parameter of the schema, to which it writes back what it
/// has changed.
pub type TestCall = fn(&mut [Anything]) -> Result<Vec<Anything>>;

/// What arguments of a call point to.
#[derive(Default)]
pub struct ArgumentStorage {
    values: Vec<Box<dyn Any>>,
    objects: Vec<Box<dyn FnOnce()>>,
    written: Vec<(usize, WriteBack)>,
}

enum WriteBack {
    One(*mut Tensor),
    All(Vec<*mut Tensor>),
}

impl Drop for ArgumentStorage {
    fn drop(&mut self) {
        self.objects.drain(..).for_each(|free| free());
    }
}

/// A value that C has by a handle.
pub trait Object: Clone + 'static {
    /// The value among those of one type.
    fn of(value: &Anything) -> Result<&Self>;

    /// The value as one of those.
    fn anything(self) -> Anything;
}

macro_rules! objects {
    ($($ty:ident $read:ident)*) => {$(
        impl Object for rt::$ty {
            fn of(value: &Anything) -> Result<&rt::$ty> {
                value.$read()
            }

            fn anything(self) -> Anything {
                Anything::$ty(self)
            }
        }
    )*};
}

objects! { Tensor tensor Generator generator Storage storage }

/// A value that C has as it is.
pub trait Plain: CValue + Clone + 'static {
    /// The value among those of one type.
    fn of(value: &Anything) -> Result<Self>;

    /// The value as one of those.
    fn anything(self) -> Anything;
}

macro_rules! plain {
    ($($ty:ty: $read:ident $make:expr;)*) => {$(
        impl Plain for $ty {
            fn of(value: &Anything) -> Result<$ty> {
                value.$read()
            }

            fn anything(self) -> Anything {
                $make(self)
            }
        }
    )*};
}

plain! {
    i64: int Anything::Int;
    f64: float Anything::Float;
    bool: boolean Anything::Bool;
    rt::Scalar: scalar Anything::from;
    rt::DType: dtype Anything::DType;
    rt::Layout: layout Anything::Layout;
    rt::Device: device Anything::Device;
    rt::MemoryFormat: memory_format Anything::MemoryFormat;
    rt::Reduction: reduction Anything::from;
}

impl ArgumentStorage {
    fn keep<T: Any>(&mut self, value: T) -> *const T {
        let value = Box::new(value);
        let at = ptr::from_ref(&*value);
        self.values.push(value);
        at
    }

    fn handle<T: Object>(&mut self, value: &Anything) -> Result<*mut Handle<T>> {
        let handle = Owned::new(T::of(value)?.clone())?.hand_out();
        // SAFETY: nobody uses it after the call.
        self.objects.push(Box::new(move || unsafe { handle::free(handle) }));
        Ok(handle)
    }

    /// A handle, or NULL.
    pub fn object<T: Object>(&mut self, value: &Anything) -> Result<*mut Handle<T>> {
        match value {
            Anything::None => Ok(ptr::null_mut()),
            value => self.handle(value),
        }
    }

    /// A list of handles, some of which may be NULL.
    pub fn objects<T: Object>(
        &mut self,
        value: &Anything,
    ) -> Result<(*const *const Handle<T>, usize)> {
        let Some(items) = items(value) else { return Ok((ptr::null(), 0)) };
        let all = items.iter().map(|it| self.object::<T>(it).map(<*mut _>::cast_const));
        let all: Vec<_> = all.collect::<Result<_>>()?;
        let len = all.len();
        // SAFETY: what is kept stays where it is.
        Ok((unsafe { (*self.keep(all)).as_ptr() }, len))
    }

    /// A handle to write to, or NULL.
    pub fn written(&mut self, at: usize, value: &Anything) -> Result<*mut Tensor> {
        if matches!(value, Anything::None) {
            return Ok(ptr::null_mut());
        }
        let handle = self.handle(value)?;
        self.written.push((at, WriteBack::One(handle)));
        Ok(handle)
    }

    /// Handles to write to.
    pub fn all_written(
        &mut self,
        at: usize,
        value: &Anything,
    ) -> Result<(*const *mut Tensor, usize)> {
        let items = items(value).unwrap_or_default();
        let all: Vec<_> = items.iter().map(|it| self.handle(it)).collect::<Result<_>>()?;
        self.written.push((at, WriteBack::All(all.clone())));
        let len = all.len();
        // SAFETY: what is kept stays where it is.
        Ok((unsafe { (*self.keep(all)).as_ptr() }, len))
    }

    /// A text, or NULL.
    pub fn text(&mut self, value: &Anything) -> Result<*const c_char> {
        if matches!(value, Anything::None) {
            return Ok(ptr::null());
        }
        let text = CString::new(value.text()?).map_err(|_| Error::value("a NUL in a text"))?;
        // SAFETY: what is kept stays where it is.
        Ok(unsafe { (*self.keep(text)).as_ptr() })
    }

    /// A list of texts.
    pub fn texts(&mut self, value: &Anything) -> Result<(*const *const c_char, usize)> {
        let Some(items) = items(value) else { return Ok((ptr::null(), 0)) };
        let all: Vec<_> = items.iter().map(|it| self.text(it)).collect::<Result<_>>()?;
        let len = all.len();
        // SAFETY: what is kept stays where it is.
        Ok((unsafe { (*self.keep(all)).as_ptr() }, len))
    }

    /// A pointer to a number, or NULL.
    pub fn given<T: Plain>(&mut self, value: &Anything) -> Result<*const T::C>
    where
        T::C: 'static,
    {
        match value {
            Anything::None => Ok(ptr::null()),
            value => Ok(self.keep(<T as Plain>::of(value)?.to_c())),
        }
    }

    /// A list of values, or NULL; one alone is a list of one.
    pub fn list<T: Plain>(&mut self, value: &Anything) -> Result<(*const T::C, usize)>
    where
        T::C: 'static,
    {
        let Some(items) = items(value) else { return Ok((ptr::null(), 0)) };
        let all = items.iter().map(|it| Ok(<T as Plain>::of(it)?.to_c()));
        let all: Vec<T::C> = all.collect::<Result<_>>()?;
        let len = all.len();
        // SAFETY: what is kept stays where it is.
        Ok((unsafe { (*self.keep(all)).as_ptr() }, len))
    }

    /// Puts what was written to in the place of the arguments.
    pub fn give_back(&mut self, values: &mut [Anything]) -> Result<()> {
        for (at, written) in self.written.drain(..) {
            // SAFETY: the handles are not freed yet.
            let tensor = |it: *mut Tensor| Anything::Tensor(unsafe { (*it).0.clone() });
            values[at] = match written {
                WriteBack::One(it) => tensor(it),
                WriteBack::All(all) => Anything::List(all.into_iter().map(tensor).collect()),
            };
        }
        Ok(())
    }
}

/// The elements of a list, or the one that stands for it.
fn items(value: &Anything) -> Option<&[Anything]> {
    match value {
        Anything::None => None,
        Anything::List(items) => Some(items),
        one => Some(std::slice::from_ref(one)),
    }
}

/// A number or a constant.
pub fn value<T: Plain>(value: &Anything) -> Result<T::C> {
    Ok(<T as Plain>::of(value)?.to_c())
}

/// A constant, or that for none.
pub fn named<T: Plain + EnumConstant>(value: &Anything) -> Result<i32> {
    match value {
        Anything::None => Ok(NONE),
        value => Ok(<T as Plain>::of(value)?.to_c()),
    }
}

/// The error of a call, if there is one; it is freed.
///
/// # Safety
///
/// It was returned by a function, and nobody uses it after this.
pub unsafe fn status(status: Status) -> Result<()> {
    // SAFETY: it is NULL or an error.
    let Some(error) = (unsafe { status.as_ref() }) else { return Ok(()) };
    // SAFETY: it is not freed yet, and nobody uses it after this.
    let (kind, _, message) = unsafe { error.parts() };
    // SAFETY: nobody uses it any more.
    unsafe { error::free(status) };
    let kind = ErrorKind::from_number(kind.into());
    Err(Error::new(kind.unwrap_or_else(|| panic!("{message}")), message))
}

/// A value that a single place receives.
pub trait Received: Sized {
    /// What is in the place.
    type Slot;

    /// Before the call.
    fn empty() -> Self::Slot;

    /// After it.
    ///
    /// # Safety
    ///
    /// A function has written to it, or nobody has.
    unsafe fn received(slot: Self::Slot) -> Anything;
}

macro_rules! received {
    ($($ty:ty),*) => {$(
        impl Received for $ty {
            type Slot = <$ty as CValue>::C;

            fn empty() -> Self::Slot {
                // SAFETY: numbers may be zero.
                unsafe { std::mem::zeroed() }
            }

            unsafe fn received(slot: Self::Slot) -> Anything {
                match <$ty as CValue>::of(slot) {
                    Ok(value) => Plain::anything(value),
                    Err(wrong) => panic!("{wrong:?}"),
                }
            }
        }
    )*};
}

received!(i64, f64, bool, rt::Scalar, rt::DType, rt::Layout, rt::Device, rt::MemoryFormat);
received!(rt::Reduction);

macro_rules! received_objects {
    ($($ty:ty),*) => {$(
        impl Received for $ty {
            type Slot = *mut Handle<$ty>;

            fn empty() -> Self::Slot {
                ptr::null_mut()
            }

            unsafe fn received(slot: Self::Slot) -> Anything {
                // SAFETY: it is NULL or a handle that was handed out.
                let Some(handle) = (unsafe { slot.as_ref() }) else { return Anything::None };
                let value = handle.0.clone();
                // SAFETY: nobody uses it any more.
                unsafe { handle::free(slot) };
                Object::anything(value)
            }
        }
    )*};
}

received_objects!(rt::Tensor, rt::Generator, rt::Storage);

impl Received for String {
    type Slot = *mut c_char;

    fn empty() -> *mut c_char {
        ptr::null_mut()
    }

    unsafe fn received(slot: *mut c_char) -> Anything {
        // SAFETY: it is a text that was handed out.
        let text = unsafe { CStr::from_ptr(slot) }.to_string_lossy().into_owned();
        // SAFETY: nobody uses it any more.
        unsafe { list::free_text(slot) };
        Anything::Str(text)
    }
}

macro_rules! received_words {
    ({} $(
        $(#[$doc:meta])* $enum:ident $name:literal $kind:ident $message:literal { $($variants:tt)* }
    )*) => {$(
        impl Received for rt::$enum {
            type Slot = *mut c_char;

            fn empty() -> *mut c_char {
                ptr::null_mut()
            }

            unsafe fn received(slot: *mut c_char) -> Anything {
                // SAFETY: the caller's.
                unsafe { String::received(slot) }
            }
        }
    )*};
}

rt::tables::str_enum_rows! { received_words {} }

/// A place for a result.
pub fn slot<T: Received>() -> T::Slot {
    T::empty()
}

/// What a place received.
///
/// # Safety
///
/// A function has written to it, or nobody has.
pub unsafe fn taken<T: Received>(slot: T::Slot) -> Anything {
    // SAFETY: the caller's.
    unsafe { T::received(slot) }
}

/// A place for a number that may be missing.
pub fn optional<T: Received>() -> (T::Slot, Bool) {
    (T::empty(), false.into())
}

/// What it received.
///
/// # Safety
///
/// As for [`taken`].
pub unsafe fn taken_optional<T: Received>((slot, is_given): (T::Slot, Bool)) -> Anything {
    // SAFETY: the caller's.
    if is_given.into() { unsafe { T::received(slot) } } else { Anything::None }
}

/// A value that lists are made of.
pub trait ListElement {
    /// The list.
    type List;

    /// Before the call.
    fn empty() -> Self::List;

    /// After it; the list is freed.
    ///
    /// # Safety
    ///
    /// A function has written to it, or nobody has.
    unsafe fn received(list: Self::List) -> Anything;
}

impl ListElement for rt::Tensor {
    type List = TensorList;

    fn empty() -> TensorList {
        TensorList { data: ptr::null_mut(), len: 0 }
    }

    unsafe fn received(mut list: TensorList) -> Anything {
        let tensors = (0..list.len).map(|at| {
            // SAFETY: there are so many, each NULL or a handle.
            let tensor = unsafe { (*list.data.add(at)).as_ref() };
            tensor.map_or(Anything::None, |it| Anything::Tensor(it.0.clone()))
        });
        let all = Anything::List(tensors.collect());
        // SAFETY: nobody uses it any more.
        unsafe { list::free_tensors(&mut list) };
        all
    }
}

impl ListElement for i64 {
    type List = IntList;

    fn empty() -> IntList {
        IntList { data: ptr::null_mut(), len: 0 }
    }

    unsafe fn received(mut list: IntList) -> Anything {
        // SAFETY: there are so many.
        let ints = (0..list.len).map(|at| Anything::Int(unsafe { *list.data.add(at) }));
        let all = Anything::List(ints.collect());
        // SAFETY: nobody uses it any more.
        unsafe { list::free_ints(&mut list) };
        all
    }
}

/// A place for a list.
pub fn list<T: ListElement>() -> T::List {
    T::empty()
}

/// What it received.
///
/// # Safety
///
/// As for [`taken`].
pub unsafe fn taken_list<T: ListElement>(list: T::List) -> Anything {
    // SAFETY: the caller's.
    unsafe { T::received(list) }
}
