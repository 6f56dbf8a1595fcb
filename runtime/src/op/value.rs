//! Boxed values: arguments and results of any type of the schema language.

use super::native::{Native, NativeType};
use crate::{
    Complex, DType, Device, Error, Generator, Layout, MemoryFormat, Reduction, Result, Scalar,
    Storage, Tensor, fail,
};

/// An argument or a result of any operator.
///
/// ```
/// use opwright_runtime::op::Value;
///
/// let sizes = Value::List(vec![Value::Int(2), Value::Int(3)]);
/// assert_eq!(sizes.list(1, Value::int)?, [2, 3]);
/// // A single value stands for a list of as many as the schema says.
/// assert_eq!(Value::Int(2).list(3, Value::int)?, [2, 2, 2]);
/// assert_eq!(sizes.int().unwrap_err().message(), "expected an integer, not List([Int(2), Int(3)])");
/// # Ok::<(), opwright_runtime::Error>(())
/// ```
#[derive(Clone, Debug)]
pub enum Value {
    /// Nothing, where that is an answer.
    None,
    /// A truth value.
    Bool(bool),
    /// An integer.
    Int(i64),
    /// A real number.
    Float(f64),
    /// A complex number.
    Complex(Complex<f64>),
    /// A text.
    Str(String),
    /// A dtype.
    DType(DType),
    /// A layout.
    Layout(Layout),
    /// A device.
    Device(Device),
    /// An order of elements in memory.
    MemoryFormat(MemoryFormat),
    /// A source of random numbers.
    Generator(Generator),
    /// The memory of a tensor.
    Storage(Storage),
    /// Several values.
    List(Vec<Value>),
    /// A tensor.
    Tensor(Tensor),
    /// A value of a type of the crate.
    Native(Native),
}

/// Each of these fails with an `Error` of kind `Type` if the value is of another type.
#[expect(clippy::missing_errors_doc, reason = "it is said once, above")]
impl Value {
    /// A tensor.
    pub fn tensor(&self) -> Result<&Tensor> {
        if let Value::Tensor(it) = self { Ok(it) } else { Err(self.wrong("a tensor")) }
    }

    /// A tensor to write to.
    pub fn tensor_mut(&mut self) -> Result<&mut Tensor> {
        if let Value::Tensor(it) = self { Ok(it) } else { Err(self.wrong("a tensor")) }
    }

    /// Tensors to write to.
    pub fn tensors_mut(&mut self) -> Result<Vec<&mut Tensor>> {
        match self {
            Value::List(items) => items.iter_mut().map(Value::tensor_mut).collect(),
            other => Err(other.wrong("a list of tensors")),
        }
    }

    /// An integer.
    pub fn int(&self) -> Result<i64> {
        if let Value::Int(it) = self { Ok(*it) } else { Err(self.wrong("an integer")) }
    }

    /// A truth value.
    pub fn boolean(&self) -> Result<bool> {
        if let Value::Bool(it) = self { Ok(*it) } else { Err(self.wrong("a boolean")) }
    }

    /// A real number; an integer is one.
    pub fn float(&self) -> Result<f64> {
        match self {
            Value::Float(it) => Ok(*it),
            Value::Int(it) => Ok(*it as f64),
            other => Err(other.wrong("a real number")),
        }
    }

    /// A number of any kind.
    pub fn scalar(&self) -> Result<Scalar> {
        match self {
            Value::Bool(it) => Ok(Scalar::Bool(*it)),
            Value::Int(it) => Ok(Scalar::Int(*it)),
            Value::Float(it) => Ok(Scalar::Float(*it)),
            Value::Complex(it) => Ok(Scalar::Complex(*it)),
            other => Err(other.wrong("a number")),
        }
    }

    /// A text.
    pub fn text(&self) -> Result<&str> {
        if let Value::Str(it) = self { Ok(it) } else { Err(self.wrong("a string")) }
    }

    /// A dtype.
    pub fn dtype(&self) -> Result<DType> {
        if let Value::DType(it) = self { Ok(*it) } else { Err(self.wrong("a dtype")) }
    }

    /// A layout.
    pub fn layout(&self) -> Result<Layout> {
        if let Value::Layout(it) = self { Ok(*it) } else { Err(self.wrong("a layout")) }
    }

    /// A device.
    pub fn device(&self) -> Result<Device> {
        if let Value::Device(it) = self { Ok(*it) } else { Err(self.wrong("a device")) }
    }

    /// An order of elements in memory.
    pub fn memory_format(&self) -> Result<MemoryFormat> {
        if let Value::MemoryFormat(it) = self {
            Ok(*it)
        } else {
            Err(self.wrong("a memory format"))
        }
    }

    /// What becomes of the losses of elements, of its number.
    ///
    /// # Errors
    ///
    /// `Type` for what is no integer, `Value` for a number that no constant has.
    pub fn reduction(&self) -> Result<Reduction> {
        let number = self.int()?;
        match Reduction::from_number(number) {
            Some(reduction) => Ok(reduction),
            None => fail!(Value, "{number} is not a valid value for reduction"),
        }
    }

    /// A source of random numbers.
    pub fn generator(&self) -> Result<&Generator> {
        if let Value::Generator(it) = self { Ok(it) } else { Err(self.wrong("a generator")) }
    }

    /// The memory of a tensor.
    pub fn storage(&self) -> Result<&Storage> {
        if let Value::Storage(it) = self { Ok(it) } else { Err(self.wrong("a storage")) }
    }

    /// A value of a type of the crate.
    pub fn native<T: NativeType>(&self) -> Result<&T> {
        let value = if let Value::Native(it) = self { it.get() } else { None };
        value.ok_or_else(|| self.wrong(T::NAME))
    }

    /// A value of a type without values.
    pub(crate) fn nothing<T>(&self) -> Result<T> {
        Err(self.wrong("a value of a type that has none"))
    }

    /// What `read` makes of each element; a value alone is repeated to `size` elements.
    pub fn list<'a, T>(
        &'a self,
        size: usize,
        read: impl Fn(&'a Value) -> Result<T>,
    ) -> Result<Vec<T>> {
        match self {
            Value::List(items) => items.iter().map(read).collect(),
            one => (0..size).map(|_| read(one)).collect(),
        }
    }

    #[cold]
    fn wrong(&self, expected: &str) -> Error {
        Error::wrong_type(format_args!("expected {expected}, not {self:?}"))
    }
}

/// Its number: nodes of graphs and callers in other languages have numbers.
impl From<Reduction> for Value {
    fn from(reduction: Reduction) -> Value {
        Value::Int(reduction.number().into())
    }
}

impl From<Scalar> for Value {
    fn from(number: Scalar) -> Value {
        match number {
            Scalar::Bool(it) => Value::Bool(it),
            Scalar::Int(it) => Value::Int(it),
            Scalar::Float(it) => Value::Float(it),
            Scalar::Complex(it) => Value::Complex(it),
        }
    }
}

impl Value {
    /// The tensors in it.
    pub fn tensors(&self) -> Vec<&Tensor> {
        match self {
            Value::Tensor(it) => vec![it],
            Value::List(items) => items.iter().flat_map(Value::tensors).collect(),
            _ => Vec::new(),
        }
    }
}
