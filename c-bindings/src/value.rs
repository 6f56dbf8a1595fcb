//! Numbers and constants as C passes them.

use std::ffi::c_void;

use num_complex::Complex;
use opwright_runtime as rt;
use opwright_runtime::Result;
use opwright_runtime::tables::enumeration::ScalarKind as Kind;

/// C's `bool`: any byte but 0 is true, whoever the caller is.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub struct Bool(u8);

impl From<bool> for Bool {
    fn from(value: bool) -> Bool {
        Bool(u8::from(value))
    }
}

impl From<Bool> for bool {
    fn from(value: Bool) -> bool {
        value.0 != 0
    }
}

/// `ow_dtype`
pub type Dtype = i32;
/// `ow_layout`
pub type Layout = i32;
/// `ow_device`
pub type Device = i32;
/// `ow_memory_format`
pub type MemoryFormat = i32;
/// `ow_scalar_kind`
pub type ScalarKind = i32;
/// `ow_deleter`
pub type Deleter = Option<unsafe extern "C" fn(*mut c_void)>;

/// `ow_scalar`
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Scalar {
    kind: ScalarKind,
    i: i64,
    re: f64,
    im: f64,
}

/// A value that C passes as it is.
pub trait CValue: Sized {
    /// How.
    type C: Copy;

    /// Whether that is the same bytes, whatever they are.
    const IS_C: bool = false;

    /// The value.
    ///
    /// # Errors
    ///
    /// What the number is instead of one of this type, for a sentence that names the argument.
    fn of(c: Self::C) -> Result<Self, Wrong>;

    /// How C sees it.
    fn to_c(&self) -> Self::C;
}

/// A number that is no value of its type.
#[derive(Clone, Copy, Debug)]
pub struct Wrong {
    pub(crate) number: i64,
    pub(crate) expected: &'static str,
}

/// A value that C passes as one of a list of constants.
pub trait EnumConstant: CValue<C = i32> {}

/// The constant that stands for none.
pub(crate) const NONE: i32 = -1;

macro_rules! plain {
    ($($ty:ty),*) => {$(
        impl CValue for $ty {
            type C = $ty;
            const IS_C: bool = true;

            fn of(c: $ty) -> Result<$ty, Wrong> {
                Ok(c)
            }

            fn to_c(&self) -> $ty {
                *self
            }
        }
    )*};
}

plain!(i64, f64);

impl CValue for bool {
    type C = Bool;

    fn of(c: Bool) -> Result<bool, Wrong> {
        Ok(c.into())
    }

    fn to_c(&self) -> Bool {
        (*self).into()
    }
}

impl CValue for rt::Scalar {
    type C = Scalar;

    fn of(c: Scalar) -> Result<rt::Scalar, Wrong> {
        match Kind::from_number(c.kind.into()) {
            Some(Kind::Bool) => Ok(rt::Scalar::Bool(c.i != 0)),
            Some(Kind::Int) => Ok(rt::Scalar::Int(c.i)),
            Some(Kind::Float) => Ok(rt::Scalar::Float(c.re)),
            Some(Kind::Complex) => Ok(rt::Scalar::Complex(Complex::new(c.re, c.im))),
            None => Err(Wrong { number: c.kind.into(), expected: "kind of scalar" }),
        }
    }

    fn to_c(&self) -> Scalar {
        let scalar = |kind: Kind| Scalar { kind: kind.number(), i: 0, re: 0.0, im: 0.0 };
        match *self {
            rt::Scalar::Bool(it) => Scalar { i: i64::from(it), ..scalar(Kind::Bool) },
            rt::Scalar::Int(it) => Scalar { i: it, ..scalar(Kind::Int) },
            rt::Scalar::Float(it) => Scalar { re: it, ..scalar(Kind::Float) },
            rt::Scalar::Complex(it) => Scalar { re: it.re, im: it.im, ..scalar(Kind::Complex) },
        }
    }
}

macro_rules! named {
    ($($ty:ident $expected:literal)*) => {$(
        impl CValue for rt::$ty {
            type C = i32;

            fn of(number: i32) -> Result<rt::$ty, Wrong> {
                let number = number.into();
                rt::$ty::from_number(number).ok_or(Wrong { number, expected: $expected })
            }

            fn to_c(&self) -> i32 {
                self.number()
            }
        }

        impl EnumConstant for rt::$ty {}
    )*};
}

named! {
    Layout "layout"
    Device "device"
    MemoryFormat "memory format"
}

impl CValue for rt::Reduction {
    type C = i64;

    fn of(number: i64) -> Result<rt::Reduction, Wrong> {
        rt::Reduction::from_number(number).ok_or(Wrong { number, expected: "reduction" })
    }

    fn to_c(&self) -> i64 {
        self.number().into()
    }
}

impl CValue for rt::DType {
    type C = i32;

    fn of(number: i32) -> Result<rt::DType, Wrong> {
        let at = usize::try_from(number).ok().and_then(|it| rt::DType::ALL.get(it));
        at.copied().ok_or(Wrong { number: number.into(), expected: "dtype" })
    }

    fn to_c(&self) -> i32 {
        *self as i32
    }
}

impl EnumConstant for rt::DType {}
