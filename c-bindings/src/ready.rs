//! Results on their way to C: everything that can fail happens before anything is written.

use std::ffi::c_char;
use std::ptr;

use opwright_runtime as rt;
use opwright_runtime::Result;

use crate::handle::{Handle, Owned, Pointee};
use crate::list::{
    self, IntList, ListBlock, NamedTensorList, NamedTensors, TensorList, Tensors, Text,
};
use crate::structure::{ByValue, Struct};
use crate::value::{Bool, CValue, Device, Dtype, Layout, MemoryFormat, Scalar};

/// A result that goes to such a place.
pub trait Outcome<Out> {
    /// The result as it is kept until all of them are ready.
    type Kept;

    /// Makes it ready, unless nobody asks for it.
    ///
    /// # Errors
    ///
    /// `Memory` if there is none for a handle or a list.
    fn keep(self, out: &Out) -> Result<Option<Self::Kept>>;

    /// Writes it.
    ///
    /// # Safety
    ///
    /// The place is one that `keep` has kept something for, and can be written to.
    unsafe fn write(kept: Self::Kept, out: Out);
}

/// A result and its place.
#[must_use = "nothing is written before `write`"]
pub struct Ready<Out, T: Outcome<Out>> {
    out: Out,
    kept: Option<T::Kept>,
}

/// Makes a result ready.
///
/// # Errors
///
/// `Memory` if there is none for a handle or a list.
///
/// # Safety
///
/// The place is NULL or can be written to.
pub unsafe fn ready<Out, T: Outcome<Out>>(out: Out, value: T) -> Result<Ready<Out, T>> {
    let kept = value.keep(&out)?;
    Ok(Ready { out, kept })
}

impl<Out, T: Outcome<Out>> Ready<Out, T> {
    /// Writes it to its place.
    pub fn write(self) {
        if let Some(kept) = self.kept {
            // SAFETY: who called `ready` vouches for the place, for which something was kept.
            unsafe { T::write(kept, self.out) };
        }
    }
}

macro_rules! values {
    ($([$($generic:tt)*] $ty:ty => $c:ty;)*) => {$(
        impl<$($generic)*> Outcome<*mut $c> for $ty {
            type Kept = $c;

            fn keep(self, out: &*mut $c) -> Result<Option<$c>> {
                Ok((!out.is_null()).then(|| self.to_c()))
            }

            unsafe fn write(kept: $c, out: *mut $c) {
                // SAFETY: the caller vouches for the place.
                unsafe { out.write(kept) };
            }
        }

        impl<$($generic)*> Outcome<(*mut $c, *mut Bool)> for Option<$ty> {
            type Kept = Option<$c>;

            fn keep(self, _: &(*mut $c, *mut Bool)) -> Result<Option<Option<$c>>> {
                Ok(Some(self.map(|it| it.to_c())))
            }

            unsafe fn write(kept: Option<$c>, (out, is_given): (*mut $c, *mut Bool)) {
                // SAFETY: the caller vouches for the places.
                unsafe {
                    if let Some(kept) = kept.filter(|_| !out.is_null()) {
                        out.write(kept);
                    }
                    if !is_given.is_null() {
                        is_given.write(kept.is_some().into());
                    }
                }
            }
        }
    )*};
}

values! {
    [] i64 => i64;
    [] f64 => f64;
    [] bool => Bool;
    [] rt::Scalar => Scalar;
    [] rt::DType => Dtype;
    [] rt::Layout => Layout;
    [] rt::Device => Device;
    [] rt::MemoryFormat => MemoryFormat;
    [] rt::Reduction => i64;
    [T: ByValue] T => Struct<T>;
}

impl<T: Pointee> Outcome<*mut *mut Handle<T>> for T {
    type Kept = Owned<T>;

    fn keep(self, out: &*mut *mut Handle<T>) -> Result<Option<Owned<T>>> {
        if out.is_null() {
            return Ok(None);
        }
        self.settle();
        Owned::new(self).map(Some)
    }

    unsafe fn write(kept: Owned<T>, out: *mut *mut Handle<T>) {
        // SAFETY: the caller vouches for the place.
        unsafe { out.write(kept.hand_out()) };
    }
}

impl<T: Pointee> Outcome<*mut *mut Handle<T>> for Option<T> {
    type Kept = Option<Owned<T>>;

    fn keep(self, out: &*mut *mut Handle<T>) -> Result<Option<Option<Owned<T>>>> {
        if out.is_null() {
            return Ok(None);
        }
        self.inspect(Pointee::settle).map(Owned::new).transpose().map(Some)
    }

    unsafe fn write(kept: Option<Owned<T>>, out: *mut *mut Handle<T>) {
        let handle = kept.map_or(ptr::null_mut(), Owned::hand_out);
        // SAFETY: the caller vouches for the place.
        unsafe { out.write(handle) };
    }
}

impl Outcome<*mut *mut c_char> for String {
    type Kept = Text;

    fn keep(self, out: &*mut *mut c_char) -> Result<Option<Text>> {
        if out.is_null() { Ok(None) } else { list::text(&self).map(Some) }
    }

    unsafe fn write(kept: Text, out: *mut *mut c_char) {
        // SAFETY: the caller vouches for the place.
        unsafe { out.write(kept.hand_out()) };
    }
}

macro_rules! str_enums {
    ({} $(
        $(#[$doc:meta])* $enum:ident $name:literal $kind:ident $message:literal { $($variants:tt)* }
    )*) => {$(
        impl Outcome<*mut *mut c_char> for rt::$enum {
            type Kept = Text;

            fn keep(self, out: &*mut *mut c_char) -> Result<Option<Text>> {
                if out.is_null() { Ok(None) } else { list::text(self.word()).map(Some) }
            }

            unsafe fn write(kept: Text, out: *mut *mut c_char) {
                // SAFETY: the caller vouches for the place.
                unsafe { out.write(kept.hand_out()) };
            }
        }
    )*};
}

rt::tables::str_enum_rows! { str_enums {} }

impl Outcome<*mut TensorList> for Vec<rt::Tensor> {
    type Kept = Tensors;

    fn keep(self, out: &*mut TensorList) -> Result<Option<Tensors>> {
        let all = self.into_iter().map(Some);
        if out.is_null() { Ok(None) } else { list::tensors(all).map(Some) }
    }

    unsafe fn write(kept: Tensors, out: *mut TensorList) {
        // SAFETY: the caller vouches for the place.
        unsafe { out.write(kept.list()) };
    }
}

impl Outcome<*mut TensorList> for Vec<Option<rt::Tensor>> {
    type Kept = Tensors;

    fn keep(self, out: &*mut TensorList) -> Result<Option<Tensors>> {
        let all = self.into_iter();
        if out.is_null() { Ok(None) } else { list::tensors(all).map(Some) }
    }

    unsafe fn write(kept: Tensors, out: *mut TensorList) {
        // SAFETY: the caller vouches for the place.
        unsafe { out.write(kept.list()) };
    }
}

impl Outcome<*mut IntList> for Vec<i64> {
    type Kept = ListBlock<i64>;

    fn keep(self, out: &*mut IntList) -> Result<Option<ListBlock<i64>>> {
        if out.is_null() { Ok(None) } else { list::ints(&self).map(Some) }
    }

    unsafe fn write(kept: ListBlock<i64>, out: *mut IntList) {
        // SAFETY: the caller vouches for the place.
        unsafe { out.write(kept.list()) };
    }
}

impl Outcome<*mut NamedTensorList> for Vec<(String, rt::Tensor)> {
    type Kept = NamedTensors;

    fn keep(self, out: &*mut NamedTensorList) -> Result<Option<NamedTensors>> {
        if out.is_null() { Ok(None) } else { list::named(self).map(Some) }
    }

    unsafe fn write(kept: NamedTensors, out: *mut NamedTensorList) {
        // SAFETY: the caller vouches for the place.
        unsafe { out.write(kept.list()) };
    }
}
