//! Values of operators as callers in C have them: `ow_value`.

use std::ffi::{CStr, c_char};
use std::slice;

use opwright_runtime::op::{Type, Value};
use opwright_runtime::tensor::dlpack::{Export, Taken, Versioned};
use opwright_runtime::{Complex, Error, Result, Tensor, ensure};

/// `ow_value`: what it is, and how many items it has if it is a list.
#[derive(Clone, Copy)]
#[repr(C)]
pub(crate) struct CValue {
    kind: i32,
    len: usize,
    content: Content,
}

#[derive(Clone, Copy)]
#[repr(C)]
union Content {
    truth: bool,
    integer: i64,
    /// A real number, or a complex one.
    real: [f64; 2],
    text: *const c_char,
    tensor: *mut Versioned,
    items: *const CValue,
}

/// What a value is, as its `kind` says it.
const NONE: i32 = 0;
const BOOL: i32 = 1;
const INT: i32 = 2;
const FLOAT: i32 = 3;
const COMPLEX: i32 = 4;
const TEXT: i32 = 5;
const TENSOR: i32 = 6;
const LIST: i32 = 7;

/// Lists within lists are no deeper than schemas have them.
const DEEPEST: usize = 2;

impl CValue {
    /// No value.
    pub(super) const NONE: CValue = CValue { kind: NONE, len: 0, content: Content { integer: 0 } };

    /// The value of an argument. A tensor is taken over, also if something else is wrong.
    ///
    /// # Errors
    ///
    /// `Type` for what is no value.
    ///
    /// # Safety
    ///
    /// The content is what the kind says: a text ends with a NUL, a tensor is a structure of DLPack that
    /// nobody else uses, and of a list there are as many items as its length says.
    pub(super) unsafe fn read(&self) -> Result<Value> {
        // SAFETY: the caller says so.
        unsafe { self.read_within(0) }
    }

    unsafe fn read_within(&self, depth: usize) -> Result<Value> {
        // SAFETY: the caller says that the content is what the kind says.
        unsafe {
            Ok(match self.kind {
                NONE => Value::None,
                BOOL => Value::Bool(*(&raw const self.content).cast::<u8>() != 0),
                INT => Value::Int(self.content.integer),
                FLOAT => Value::Float(self.content.real[0]),
                COMPLEX => {
                    let [re, im] = self.content.real;
                    Value::Complex(Complex::new(re, im))
                }
                TEXT => Value::Str(text(self.content.text)?.to_owned()),
                TENSOR => Value::Tensor(tensor(self.content.tensor)?),
                LIST if depth < DEEPEST => Value::List(self.items(depth)?),
                LIST => return Err(Error::wrong_type("lists are nested too deeply")),
                kind => {
                    let text = format_args!("{kind} is no kind of a value; they are 0 to {LIST}");
                    return Err(Error::wrong_type(text));
                }
            })
        }
    }

    /// The items of a list, of which all are read.
    unsafe fn items(&self, depth: usize) -> Result<Vec<Value>> {
        if self.len == 0 {
            return Ok(Vec::new());
        }
        // SAFETY: the caller says that it is a list.
        let items = unsafe { self.content.items };
        ensure!(!items.is_null(), Type, "a list of {} items is NULL", self.len);
        // SAFETY: the caller says that there are so many.
        let items = unsafe { slice::from_raw_parts(items, self.len) };
        // SAFETY: the caller says it of every item.
        let read: Vec<_> = items.iter().map(|it| unsafe { it.read_within(depth + 1) }).collect();
        read.into_iter().collect()
    }

    /// A result for the caller, who owns a tensor.
    ///
    /// # Errors
    ///
    /// `NotImplemented` for what C has no value of; `Memory`.
    pub(super) fn of(value: Value) -> Result<CValue> {
        let (kind, content) = match value {
            Value::None => (NONE, Content { integer: 0 }),
            Value::Bool(it) => (BOOL, Content { truth: it }),
            Value::Int(it) => (INT, Content { integer: it }),
            Value::Float(it) => (FLOAT, Content { real: [it, 0.0] }),
            Value::Complex(it) => (COMPLEX, Content { real: [it.re, it.im] }),
            Value::Tensor(it) => {
                let is_recorded = it.requires_grad();
                ensure!(!is_recorded, Runtime, "others cannot record gradients: detach the result");
                (TENSOR, Content { tensor: Export::<Versioned>::of(it)?.into_seen() })
            }
            _ => return Err(Error::not_implemented("a result is nothing that C has a value of")),
        };
        Ok(CValue { kind, len: 0, content })
    }

    /// Gives a tensor back that nobody gets.
    pub(super) fn drop_tensor(&mut self) {
        if self.kind == TENSOR {
            // SAFETY: `of` has put a tensor there, which nobody else has seen.
            drop(Taken::Versioned(unsafe { self.content.tensor }));
        }
        *self = CValue::NONE;
    }
}

/// Whether C has values of a type of results.
pub(super) fn is_returned(ty: &Type) -> bool {
    match ty {
        Type::Tensor
        | Type::Int
        | Type::SymInt
        | Type::DeviceIndex
        | Type::Reduction
        | Type::Bool
        | Type::SymBool
        | Type::Float
        | Type::Scalar => true,
        Type::Optional(inner) => is_returned(inner),
        Type::Str
        | Type::StrEnum(_)
        | Type::ScalarType
        | Type::Layout
        | Type::Device
        | Type::MemoryFormat
        | Type::Generator
        | Type::Storage
        | Type::Dimname
        | Type::Stream
        | Type::Native(..)
        | Type::List(..) => false,
    }
}

/// A value as one of a type, if it is one.
pub(super) fn fitted(value: Value, ty: &Type) -> Option<Value> {
    Some(match (ty, value) {
        (Type::Optional(_), Value::None) => Value::None,
        (Type::Optional(inner), value) => fitted(value, inner)?,
        (Type::Float, Value::Int(it)) => Value::Float(it as f64),
        (Type::Scalar, value @ (Value::Bool(_) | Value::Int(_) | Value::Float(_))) => value,
        (Type::Tensor, value @ Value::Tensor(_))
        | (Type::Int | Type::SymInt | Type::DeviceIndex | Type::Reduction, value @ Value::Int(_))
        | (Type::Bool | Type::SymBool, value @ Value::Bool(_))
        | (Type::Float, value @ Value::Float(_))
        | (Type::Scalar, value @ Value::Complex(_))
        | (Type::Str | Type::StrEnum(_), value @ Value::Str(_)) => value,
        (Type::List(element, size), Value::List(items)) => {
            if size.is_some_and(|it| it as usize != items.len() && items.len() != 1) {
                return None;
            }
            Value::List(items.into_iter().map(|it| fitted(it, element)).collect::<Option<_>>()?)
        }
        _ => return None,
    })
}

/// # Safety
///
/// It is NULL, or ends with a NUL and outlives what is returned.
pub(super) unsafe fn text<'a>(text: *const c_char) -> Result<&'a str> {
    ensure!(!text.is_null(), Type, "a text is NULL");
    // SAFETY: the caller says so.
    let text = unsafe { CStr::from_ptr(text) };
    text.to_str().map_err(|_| Error::wrong_type("a text is no UTF-8"))
}

/// # Safety
///
/// It is NULL, or a structure of DLPack that nobody else uses.
unsafe fn tensor(managed: *mut Versioned) -> Result<Tensor> {
    ensure!(!managed.is_null(), Type, "a tensor is NULL");
    // SAFETY: the caller says so. What is refused is given back when it is dropped.
    let made = unsafe { Taken::Versioned(managed).tensor() };
    made.map(|(tensor, _)| tensor).map_err(|(error, _)| error)
}
