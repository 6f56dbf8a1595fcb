//! Descriptions of values and shapes in refusals.

use std::fmt;

use crate::op::value::Value;

/// What came: `float64 array`, `number 0.1`, `str`.
pub(super) struct Came<'a>(pub(super) &'a Value);

impl fmt::Display for Came<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Value::None => f.write_str("None"),
            Value::Bool(true) => f.write_str("bool (True)"),
            Value::Bool(false) => f.write_str("bool (False)"),
            Value::Int(it) => write!(f, "int ({it})"),
            Value::Float(it) => write!(f, "float ({it:?})"),
            Value::Complex(it) => write!(f, "complex ({it})"),
            Value::Str(_) => f.write_str("str"),
            Value::DType(_) => f.write_str("dtype"),
            Value::Layout(_) => f.write_str("layout"),
            Value::Device(_) => f.write_str("device"),
            Value::MemoryFormat(_) => f.write_str("memory_format"),
            Value::Generator(_) => f.write_str("Generator"),
            Value::Storage(_) => f.write_str("Storage"),
            Value::List(_) => f.write_str("list"),
            Value::Tensor(it) => write!(f, "{} array", it.dtype()),
            Value::Native(it) => f.write_str(it.name()),
        }
    }
}

/// A shape as a tuple of Python: `(2, 3)`, `(3,)`.
pub(super) struct ShapeTuple<'a>(pub(super) &'a [i64]);

impl fmt::Display for ShapeTuple<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("(")?;
        for (at, extent) in self.0.iter().enumerate() {
            write!(f, "{}{extent}", if at > 0 { ", " } else { "" })?;
        }
        f.write_str(if self.0.len() == 1 { ",)" } else { ")" })
    }
}
