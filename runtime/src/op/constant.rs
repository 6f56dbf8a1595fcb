//! Default values of parameters, as constants of the table of operators.

use super::value::Value;
use crate::{Complex, DType, Device, Layout, MemoryFormat, Reduction};

/// A value that a schema can write down.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Constant {
    /// Nothing.
    None,
    /// A truth value.
    Bool(bool),
    /// An integer.
    Int(i64),
    /// A real number.
    Float(f64),
    /// A complex number: its real and its imaginary part.
    Complex(f64, f64),
    /// Integers.
    Ints(&'static [i64]),
    /// A text.
    Str(&'static str),
    /// A dtype.
    DType(DType),
    /// A layout.
    Layout(Layout),
    /// An order of elements in memory.
    MemoryFormat(MemoryFormat),
    /// What becomes of the losses of elements.
    Reduction(Reduction),
    /// A device.
    Device(Device),
    /// Several.
    List(&'static [Constant]),
}

impl Constant {
    /// As an argument of a call.
    ///
    /// ```
    /// use opwright_runtime::op::{Constant, Value};
    ///
    /// let Value::List(sizes) = Constant::Ints(&[2, 3]).value() else { panic!("a list") };
    /// assert_eq!(sizes[1].int()?, 3);
    /// # Ok::<(), opwright_runtime::Error>(())
    /// ```
    pub fn value(self) -> Value {
        match self {
            Constant::None => Value::None,
            Constant::Bool(it) => Value::Bool(it),
            Constant::Int(it) => Value::Int(it),
            Constant::Float(it) => Value::Float(it),
            Constant::Complex(re, im) => Value::Complex(Complex::new(re, im)),
            Constant::Ints(items) => Value::List(items.iter().copied().map(Value::Int).collect()),
            Constant::Str(it) => Value::Str(it.to_owned()),
            Constant::DType(it) => Value::DType(it),
            Constant::Layout(it) => Value::Layout(it),
            Constant::MemoryFormat(it) => Value::MemoryFormat(it),
            Constant::Reduction(it) => it.into(),
            Constant::Device(it) => Value::Device(it),
            Constant::List(items) => Value::List(items.iter().map(|it| it.value()).collect()),
        }
    }
}
