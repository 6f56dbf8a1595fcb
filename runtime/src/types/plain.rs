//! The types of the host's plain values: numbers, texts, dtypes and the like.

use std::fmt;

use super::describe::Came;
use super::{Clash, Coerce, Refusal, Type, TypeRef, number};
use crate::op::Value;
use crate::resolve::{Accepts, Kind};
use crate::{DType, Result, Scalar};

macro_rules! plain {
    (
        $($(#[$doc:meta])*
        $variant:ident $name:literal $wants:literal [$($kind:ident),*] $values:pat,)*
    ) => {
        /// A set of values of one type of the host's language.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Plain {
            $($(#[$doc])* $variant,)*
        }

        impl Plain {
            /// All of them.
            pub const ALL: &'static [Plain] = &[$(Plain::$variant),*];

            /// What it is called.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Plain::$variant => $name,)*
                }
            }

            /// One of its values, for messages.
            const fn wanted(self) -> &'static str {
                match self {
                    $(Plain::$variant => $wants,)*
                }
            }

            const fn kinds(self) -> Accepts {
                match self {
                    $(Plain::$variant => Accepts::of(&[$(Kind::$kind,)* Kind::Object]),)*
                }
            }

            /// Whether it is one of its values.
            pub fn of_value(self, value: &Value) -> bool {
                match (self, value) {
                    $((Plain::$variant, $values) => true,)*
                    _ => false,
                }
            }
        }
    };
}

plain! {
    /// Real numbers
    Double "float64" "a float" [Float, Scalar, TensorOrNumber] Value::Float(_),
    /// Integers
    Int64 "int64" "an int" [Int, SymInt, IntListOrInt, Float, Scalar, TensorOrNumber] Value::Int(_),
    /// `True` and `False`
    Boolean "bool" "a bool" [Bool, Float, Scalar, TensorOrNumber] Value::Bool(_),
    /// Complex numbers
    Complex128 "complex128" "a complex" [Scalar, TensorOrNumber] Value::Complex(_),
    /// Texts
    Text "unicode_type" "a str" [Str] Value::Str(_),
    /// Nothing
    Nothing "none" "None" [] Value::None,
    /// Dtypes
    DType "dtype" "a dtype" [DType] Value::DType(_),
    /// Devices
    Device "device" "a device" [Device] Value::Device(_),
    /// Layouts
    Layout "layout" "a layout" [Layout] Value::Layout(_),
    /// Orders of elements in memory
    MemoryFormat "memory_format" "a memory_format" [MemoryFormat] Value::MemoryFormat(_),
    /// Sources of random numbers
    Generator "generator" "a Generator" [Generator] Value::Generator(_),
}

impl Plain {
    /// The type of the numbers that an element of this dtype is.
    pub const fn of_dtype(dtype: DType) -> Plain {
        if dtype.is_boolean() {
            Plain::Boolean
        } else if dtype.is_integral() {
            Plain::Int64
        } else if dtype.is_complex_number() {
            Plain::Complex128
        } else {
            Plain::Double
        }
    }

    /// Whether its values are numbers.
    pub const fn is_number(self) -> bool {
        matches!(self, Plain::Double | Plain::Int64 | Plain::Boolean | Plain::Complex128)
    }
}

impl Plain {
    /// Another number as one of its own, if `how` allows what is lost.
    fn convert(self, number: Scalar, how: Coerce) -> Option<Value> {
        let own = match self {
            Plain::Double => Scalar::Float(number.wrap()),
            Plain::Int64 => Scalar::Int(number.to_i64().ok()?),
            Plain::Boolean => Scalar::Bool(number.to_bool()),
            Plain::Complex128 => Scalar::Complex(number.to_complex()),
            _ => return None,
        };
        (how == Coerce::Any || number::is_exact(number, own)).then(|| own.into())
    }
}

/// A number, or the only element of a tensor without dimensions.
fn number_of(value: &Value) -> Option<Scalar> {
    match value {
        Value::Tensor(it) if it.ndim() == 0 => it.to_scalar().ok(),
        other => other.scalar().ok(),
    }
}

impl fmt::Display for Plain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Type for Plain {
    fn equals(&self, other: &dyn Type) -> bool {
        other.downcast::<Plain>() == Some(self)
    }

    fn hash_code(&self) -> u64 {
        *self as u64
    }

    fn meet(&self, other: &TypeRef) -> Result<TypeRef, Clash> {
        if self.equals(&**other) {
            return Ok(other.clone());
        }
        Err(Clash::new(format_args!("{self} and {other} have no value in common")))
    }

    fn accepts(&self) -> Accepts {
        let nothing = if *self == Plain::Nothing { Accepts::NONE } else { Accepts::NOTHING };
        self.kinds().or(nothing)
    }

    fn element(&self) -> Option<DType> {
        match self {
            Plain::Double => Some(DType::Float64),
            Plain::Int64 => Some(DType::Int64),
            Plain::Boolean => Some(DType::Bool),
            Plain::Complex128 => Some(DType::Complex128),
            _ => None,
        }
    }

    fn has(&self, value: &Value) -> bool {
        self.of_value(value)
    }

    fn wants(&self) -> String {
        self.wanted().to_owned()
    }

    fn accept(&self, value: Value, how: Coerce) -> Result<Value, Refusal> {
        if self.of_value(&value) {
            return Ok(value);
        }
        let refusal = |text| Refusal::Type(format!("expected {}, got {text}", self.wanted()));
        let Some(number) = number_of(&value).filter(|_| self.is_number()) else {
            return Err(refusal(Came(&value).to_string()));
        };
        if how == Coerce::Strict {
            return Err(refusal(format!("{}, which strict=True takes for no such", Came(&value))));
        }
        self.convert(number, how).ok_or_else(|| {
            Refusal::Range(format!(
                "{self} does not hold {number} without loss; pass another number, or \
                 allow_input_downcast=True"
            ))
        })
    }

    fn same(&self, a: &Value, b: &Value) -> bool {
        match (a, b) {
            (Value::Float(a), Value::Float(b)) => a == b || (a.is_nan() && b.is_nan()),
            (Value::Complex(a), Value::Complex(b)) => {
                number::is_same(Scalar::Complex(*a), Scalar::Complex(*b))
            }
            (Value::Int(a), Value::Int(b)) => a == b,
            (Value::Bool(a), Value::Bool(b)) => a == b,
            (Value::Str(a), Value::Str(b)) => a == b,
            (Value::DType(a), Value::DType(b)) => a == b,
            (Value::None, Value::None) => true,
            _ => false,
        }
    }

    fn deep_copy(&self, value: &Value) -> Result<Value> {
        Ok(value.clone())
    }

    fn bytes(&self, value: &Value) -> Option<usize> {
        match value {
            Value::Str(text) => Some(text.len()),
            _ => self.element().map(DType::size),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Complex, Tensor};

    #[track_caller]
    fn check(ty: Plain, value: Value, expected: [Option<&str>; 4]) {
        let all = [Coerce::Strict, Coerce::Lossless, Coerce::Natural, Coerce::Any];
        for (how, expected) in all.into_iter().zip(expected) {
            let got = ty.accept(value.clone(), how).ok().map(|it| format!("{it:?}"));
            assert_eq!(got.as_deref(), expected, "{ty} {value:?} {how:?}");
        }
    }

    #[test]
    fn numbers_become_others_where_nothing_is_lost() {
        let all = |it| [Some(it); 4];
        let loose = |it| [None, Some(it), Some(it), Some(it)];
        let any = |it| [None, None, None, Some(it)];
        check(Plain::Double, Value::Float(0.1), all("Float(0.1)"));
        check(Plain::Double, Value::Int(3), loose("Float(3.0)"));
        check(Plain::Double, Value::Int((1 << 53) + 1), any("Float(9007199254740992.0)"));
        check(Plain::Double, Value::Str("3".to_owned()), [None; 4]);
        check(Plain::Int64, Value::Float(2.0), loose("Int(2)"));
        check(Plain::Int64, Value::Float(2.5), any("Int(2)"));
        check(Plain::Int64, Value::Float(f64::NAN), [None; 4]);
        check(Plain::Int64, Value::Bool(true), loose("Int(1)"));
        check(Plain::Boolean, Value::Int(1), loose("Bool(true)"));
        check(Plain::Boolean, Value::Int(2), any("Bool(true)"));
        check(Plain::Double, Value::Complex(Complex::new(1.0, 2.0)), any("Float(1.0)"));
        let one = Tensor::from_slice(&[], &[1.5_f32]).unwrap();
        check(Plain::Double, Value::Tensor(one), loose("Float(1.5)"));
        check(Plain::Text, Value::Str("a".to_owned()), all("Str(\"a\")"));
        check(Plain::Text, Value::Int(1), [None; 4]);
        check(Plain::Nothing, Value::None, all("None"));
    }

    #[test]
    fn a_refusal_says_what_is_wanted() {
        let refusal = |ty: Plain, value, how| ty.accept(value, how).unwrap_err().to_string();
        let text = refusal(Plain::Double, Value::Str(String::new()), Coerce::Any);
        assert_eq!(text, "expected a float, got str");
        let text = refusal(Plain::Double, Value::Int(3), Coerce::Strict);
        assert_eq!(text, "expected a float, got int (3), which strict=True takes for no such");
        let text = refusal(Plain::Int64, Value::Float(2.5), Coerce::Natural);
        assert!(text.starts_with("int64 does not hold 2.5 without loss"), "{text}");
    }
}
