//! Structs that are types, among names that mean something else.

#![no_implicit_prelude]

#[path = "../fixture/ops.rs"]
#[allow(dead_code)]
mod ops;

use ::opwright_macros::NativeType;
use ::opwright_runtime::{Complex, DType, Tensor};
use ::std::prelude::rust_2024::derive;

#[allow(dead_code)]
struct Option;
#[allow(dead_code)]
struct Some;
#[allow(dead_code)]
mod rt {}
#[allow(dead_code)]
mod core {}

/// The real numbers between two.
#[derive(NativeType, ::std::clone::Clone, ::std::cmp::PartialEq)]
#[native(c = "interval", close = 1e-3)]
struct Interval {
    /// The least.
    lo: f64,
    #[field(set, default = 1.0)]
    hi: f64,
}

/// One of everything. It is not `PartialEq`, since tensors are not.
#[derive(NativeType, ::std::clone::Clone)]
#[native(frozen, c = "all", doc = "Much.")]
struct All {
    within: Interval,
    count: i64,
    is_open: bool,
    phase: Complex<f64>,
    #[field(hide_c)]
    label: ::std::string::String,
    #[field(name = "in_")]
    r#in: ::std::option::Option<Interval>,
    several: ::std::vec::Vec<i64>,
    weights: Tensor,
    #[field(default = DType::Float32)]
    dtype: DType,
    #[field(skip, default = Looks(7))]
    looks: Looks,
}

#[derive(::std::clone::Clone)]
struct Looks(u64);

impl ::opwright_runtime::op::NativeType for Interval {
    const NAME: &'static str = "Interval";
}

impl ::opwright_runtime::op::NativeType for All {
    const NAME: &'static str = "All";
}

fn main() {
    checks::all_is_known();
}

mod checks {
    use ::opwright_runtime::op::{Native, Value};
    use ::opwright_runtime::types::{Coerce, Derived, Layout, NativeStruct, Type};
    use ::opwright_runtime::{Complex, DType, Tensor};
    use ::std::prelude::rust_2024::*;
    use ::std::{assert, assert_eq, matches, panic, vec};

    use super::{All, Interval};

    fn all(weight: f64) -> Value {
        let interval = Value::Native(Native::new(Interval { lo: 0.0, hi: 2.0 }));
        let weights = Tensor::from_slice(&[1], &[weight]).expect("there is memory");
        let values = vec![
            interval.clone(),
            Value::Int(3),
            Value::Bool(true),
            Value::Complex(Complex::new(0.0, 1.0)),
            Value::Str(String::from("a")),
            Value::None,
            Value::List(vec![Value::Int(1)]),
            Value::Tensor(weights),
            Value::DType(DType::Int8),
        ];
        Value::Native((All::DERIVED.make)(values).expect("the right values"))
    }

    pub(super) fn all_is_known() {
        let interval = Interval::DERIVED;
        assert_eq!((interval.name, interval.doc), ("Interval", "The real numbers between two."));
        assert_eq!(interval.parts[0].doc, "The least.");
        assert!(!interval.parts[0].is_settable && interval.parts[1].is_settable);
        assert_eq!(interval.parts[1].c.map(|it| (it.name, it.size)), Some(("double", 8)));
        let default = interval.parts[1].default.expect("it has a default");
        assert!(matches!(default(), Value::Float(1.0)));

        let ty = NativeStruct::of::<All>();
        assert_eq!(All::DERIVED.doc, "Much.");
        let names: Vec<&str> = All::DERIVED.parts.iter().map(|it| it.name).collect();
        assert_eq!(names[..6], ["within", "count", "is_open", "phase", "label", "in_"]);
        assert_eq!(names[6..], ["several", "weights", "dtype"]);
        let within = All::DERIVED.parts[0].c.map(|it| (it.name, it.size, it.step));
        assert_eq!(within, Some(("struct interval", 16, 8)));
        assert_eq!(All::DERIVED.parts[4].c, None);
        assert_eq!(All::DERIVED.parts[7].c, Some(Layout::POINTER));
        let (one, same, other) = (all(1.0), all(1.0), all(2.0));
        assert!(ty.has(&one) && ty.same(&one, &same) && !ty.same(&one, &other));
        let (Value::Native(a), Value::Native(b)) = (&one, &same) else { panic!("no struct") };
        assert!((All::DERIVED.equal)(a, b));
        assert_eq!(a.get::<All>().map(|it| it.looks.0), Some(7));
        assert!(ty.aliases(&one, &one) && !ty.aliases(&one, &ty.deep_copy(&one).expect("a copy")));
        assert!(ty.accept(Value::Int(1), Coerce::Any).is_err());
    }
}
