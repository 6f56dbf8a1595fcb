//! The types of the host's plain values: numbers, texts, dtypes and the like.

use std::fmt;
use std::sync::Arc;

use super::clash::Clash;
use super::coerce::Coerce;
use super::describe::Came;
use super::layout::{Layout, ValueLayout};
use super::number;
use super::refusal::Refusal;
use super::ty::{Type, TypeRef};
use crate::op::value::Value;
use crate::resolve::{Accepts, Kind};
use crate::{Complex, DType, Element, Result, Scalar, f16};

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

            /// Whether it is a value of the type that the host has for its values.
            fn is_hosted(self, value: &Value) -> bool {
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
    Int64 "int64" "an int" [Int, SymInt, Reduction, IntListOrInt, Float, Scalar, TensorOrNumber] Value::Int(_),
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
    /// Integers of 8 bits
    Int8 "int8" "an int" [Int, SymInt, Reduction, IntListOrInt, Float, Scalar, TensorOrNumber] Value::Int(_),
    /// Integers of 16 bits
    Int16 "int16" "an int" [Int, SymInt, Reduction, IntListOrInt, Float, Scalar, TensorOrNumber] Value::Int(_),
    /// Integers of 32 bits
    Int32 "int32" "an int" [Int, SymInt, Reduction, IntListOrInt, Float, Scalar, TensorOrNumber] Value::Int(_),
    /// Integers of 8 bits from zero
    UInt8 "uint8" "an int" [Int, SymInt, Reduction, IntListOrInt, Float, Scalar, TensorOrNumber] Value::Int(_),
    /// Integers of 16 bits from zero
    UInt16 "uint16" "an int" [Int, SymInt, Reduction, IntListOrInt, Float, Scalar, TensorOrNumber] Value::Int(_),
    /// Integers of 32 bits from zero
    UInt32 "uint32" "an int" [Int, SymInt, Reduction, IntListOrInt, Float, Scalar, TensorOrNumber] Value::Int(_),
    /// Integers of 64 bits from zero, of which graphs compute with those of 63
    UInt64 "uint64" "an int" [Int, SymInt, Reduction, IntListOrInt, Float, Scalar, TensorOrNumber] Value::Int(_),
    /// Real numbers of 16 bits
    Float16 "float16" "a float" [Float, Scalar, TensorOrNumber] Value::Float(_),
    /// Real numbers of 32 bits
    Float32 "float32" "a float" [Float, Scalar, TensorOrNumber] Value::Float(_),
    /// Complex numbers of 64 bits
    Complex64 "complex64" "a complex" [Scalar, TensorOrNumber] Value::Complex(_),
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

    /// The type of the host's language that has its values, with which operators compute.
    pub const fn host(self) -> Plain {
        match self {
            Plain::Int8
            | Plain::Int16
            | Plain::Int32
            | Plain::UInt8
            | Plain::UInt16
            | Plain::UInt32
            | Plain::UInt64 => Plain::Int64,
            Plain::Float16 | Plain::Float32 => Plain::Double,
            Plain::Complex64 => Plain::Complex128,
            host => host,
        }
    }

    /// Whether its values are numbers.
    pub const fn is_number(self) -> bool {
        matches!(self.host(), Plain::Double | Plain::Int64 | Plain::Boolean | Plain::Complex128)
    }

    /// Whether it is one of its values.
    pub fn of_value(self, value: &Value) -> bool {
        let holds = |number| number::is_exact(number, self.narrowed(number));
        self.is_hosted(value) && (self == self.host() || value.scalar().is_ok_and(holds))
    }
}

impl Plain {
    /// A number of the host's type as the nearest one, or the one that is left of it.
    fn narrowed(self, number: Scalar) -> Scalar {
        fn as_element<T: Element>(number: Scalar) -> Scalar {
            number.wrap::<T>().into_scalar()
        }
        match self {
            Plain::Int8 => as_element::<i8>(number),
            Plain::Int16 => as_element::<i16>(number),
            Plain::Int32 => as_element::<i32>(number),
            Plain::UInt8 => as_element::<u8>(number),
            Plain::UInt16 => as_element::<u16>(number),
            Plain::UInt32 => as_element::<u32>(number),
            // What is left of 64 bits is an integer that values do not hold if the first is set.
            Plain::UInt64 => match number {
                Scalar::Int(it) => Scalar::Int(it & i64::MAX),
                other => other,
            },
            Plain::Float16 => as_element::<f16>(number),
            Plain::Float32 => as_element::<f32>(number),
            Plain::Complex64 => as_element::<Complex<f32>>(number),
            _ => number,
        }
    }

    /// Whether a number may be rounded to one of its own: so are real numbers to `Float32`, but
    /// not beyond its largest one.
    fn may_round(self, number: Scalar, own: Scalar) -> bool {
        let is_finite = |it: Scalar| {
            let it = it.to_complex();
            it.re.is_finite() && it.im.is_finite()
        };
        let rounds = matches!(self, Plain::Float16 | Plain::Float32 | Plain::Complex64);
        let is_whole = matches!(number, Scalar::Int(_) | Scalar::Bool(_));
        let keeps_parts = self == Plain::Complex64 || !matches!(number, Scalar::Complex(_));
        rounds && !is_whole && keeps_parts && is_finite(number) == is_finite(own)
    }

    /// Another number as one of its own, if `how` allows what is lost.
    fn convert(self, number: Scalar, how: Coerce) -> Option<Value> {
        let hosted = match self.host() {
            Plain::Double => Scalar::Float(number.wrap()),
            Plain::Int64 => Scalar::Int(number.to_i64().ok()?),
            Plain::Boolean => Scalar::Bool(number.to_bool()),
            Plain::Complex128 => Scalar::Complex(number.to_complex()),
            _ => return None,
        };
        let own = self.narrowed(hosted);
        let allowed = match how {
            Coerce::Any => true,
            Coerce::Natural if self.may_round(number, own) => true,
            _ => number::is_exact(number, own),
        };
        allowed.then(|| own.into())
    }

    /// Whether it has all numbers of another type that the host has the same type for.
    fn spans(self, other: Plain) -> bool {
        match (self.dtype_bits(), other.dtype_bits()) {
            (Some((own, signed)), Some((bits, is_signed))) if self.host() == other.host() => {
                own - u32::from(signed) >= bits - u32::from(is_signed) && (signed || !is_signed)
            }
            _ => self == other,
        }
    }

    /// How many bits a number has, and whether there are numbers below zero.
    const fn dtype_bits(self) -> Option<(u32, bool)> {
        Some(match self {
            Plain::UInt8 => (8, false),
            Plain::UInt16 => (16, false),
            Plain::UInt32 => (32, false),
            Plain::UInt64 => (64, false),
            Plain::Int8 => (8, true),
            Plain::Int16 | Plain::Float16 => (16, true),
            Plain::Int32 | Plain::Float32 => (32, true),
            Plain::Int64 | Plain::Double | Plain::Complex64 => (64, true),
            Plain::Complex128 => (128, true),
            _ => return None,
        })
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

    fn is_super(&self, other: &dyn Type) -> bool {
        other.downcast::<Plain>().is_some_and(|it| self.spans(*it))
    }

    fn meet(&self, other: &TypeRef) -> Result<TypeRef, Clash> {
        if self.is_super(&**other) {
            return Ok(other.clone());
        }
        if other.is_super(self) {
            return Ok(Arc::new(*self));
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
            Plain::Int8 => Some(DType::Int8),
            Plain::Int16 => Some(DType::Int16),
            Plain::Int32 => Some(DType::Int32),
            Plain::UInt8 => Some(DType::UInt8),
            Plain::UInt16 => Some(DType::UInt16),
            Plain::UInt32 => Some(DType::UInt32),
            Plain::UInt64 => Some(DType::UInt64),
            Plain::Float16 => Some(DType::Float16),
            Plain::Float32 => Some(DType::Float32),
            Plain::Complex64 => Some(DType::Complex64),
            _ => None,
        }
    }

    fn layout(&self) -> Option<ValueLayout> {
        Layout::of_plain(*self).map(ValueLayout::plain)
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

impl Layout {
    /// That of a plain value, if C has such values.
    pub const fn of_plain(plain: Plain) -> Option<Layout> {
        Some(match plain {
            Plain::Double => Layout::of("double", 8, 8),
            Plain::Int64 => Layout::of("int64_t", 8, 8),
            Plain::Boolean => Layout::of("bool", 1, 1),
            Plain::Complex128 => Layout::of("double complex", 16, 8),
            Plain::Int8 => Layout::of("int8_t", 1, 1),
            Plain::Int16 => Layout::of("int16_t", 2, 2),
            Plain::Int32 => Layout::of("int32_t", 4, 4),
            Plain::UInt8 => Layout::of("uint8_t", 1, 1),
            Plain::UInt16 => Layout::of("uint16_t", 2, 2),
            Plain::UInt32 => Layout::of("uint32_t", 4, 4),
            Plain::UInt64 => Layout::of("uint64_t", 8, 8),
            Plain::Float32 => Layout::of("float", 4, 4),
            Plain::Complex64 => Layout::of("float complex", 8, 4),
            Plain::Text
            | Plain::Nothing
            | Plain::DType
            | Plain::Device
            | Plain::Layout
            | Plain::MemoryFormat
            | Plain::Generator
            | Plain::Float16 => return None,
        })
    }

    /// That of a field with a plain value: the value, or something elsewhere.
    pub(super) const fn of_plain_field(plain: Plain) -> Layout {
        match Layout::of_plain(plain) {
            Some(it) => it,
            None => Layout::POINTER,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Tensor;

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
    fn numbers_of_fewer_bits_are_those_that_are_left() {
        let check = |ty, number: Scalar, expected| check(ty, number.into(), expected);
        let any = |it| [None, None, None, Some(it)];
        check(Plain::Int8, Scalar::Int(-128), [Some("Int(-128)"); 4]);
        check(Plain::Int8, Scalar::Int(300), any("Int(44)"));
        check(Plain::UInt8, Scalar::Int(-1), any("Int(255)"));
        check(Plain::UInt64, Scalar::Int(-1), any("Int(9223372036854775807)"));
        check(Plain::Float32, Scalar::Float(0.5), [Some("Float(0.5)"); 4]);
        let rounded = Some("Float(0.10000000149011612)");
        check(Plain::Float32, Scalar::Float(0.1), [None, None, rounded, rounded]);
        check(Plain::Float32, Scalar::Float(1e300), any("Float(inf)"));
        check(Plain::Float32, Scalar::Int((1 << 24) + 1), any("Float(16777216.0)"));
        check(Plain::Float32, Scalar::Float(f64::INFINITY), [Some("Float(inf)"); 4]);
        check(Plain::Float16, Scalar::Float(f64::NAN), [Some("Float(NaN)"); 4]);
    }

    #[test]
    fn numbers_of_fewer_bits_are_within_those_of_more() {
        let is_super = |a: Plain, b: Plain| a.is_super(&b);
        assert!(is_super(Plain::Int64, Plain::UInt32) && !is_super(Plain::Int64, Plain::UInt64));
        assert!(is_super(Plain::UInt64, Plain::UInt8) && !is_super(Plain::UInt64, Plain::Int8));
        assert!(is_super(Plain::Double, Plain::Float16) && !is_super(Plain::Double, Plain::Int8));
        assert!(is_super(Plain::Complex128, Plain::Complex64));
        for a in Plain::ALL {
            assert!(a.is_super(a));
            for b in Plain::ALL.iter().filter(|it| a.is_super(*it)) {
                let met = a.meet(&(Arc::new(*b) as TypeRef)).unwrap();
                let turned = b.meet(&(Arc::new(*a) as TypeRef)).unwrap();
                assert!(met.equals(b) && turned.equals(b), "{a} {b}");
            }
        }
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
