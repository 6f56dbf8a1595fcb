//! Upstream's tables of type promotion. There is no complex type of half
//! precision here; where upstream has one, the next wider takes its place.

use opwright_runtime::promote::{ResultType, can_cast, promote_types, promoted, result_type};
use opwright_runtime::{DType, Device, Scalar, Tensor};

const ORDER: [&str; 12] =
    ["bool", "u8", "i8", "i16", "i32", "i64", "f16", "bf16", "f32", "f64", "c64", "c128"];

fn named(name: &str) -> DType {
    DType::ALL.into_iter().find(|it| it.short_name() == name).unwrap()
}

fn tensor(dtype: DType, shape: &[i64]) -> Tensor {
    Tensor::allocate(shape, dtype, Device::Cpu).unwrap()
}

fn number(scalar: Scalar) -> Tensor {
    Tensor::wrapped_number(scalar).unwrap()
}

fn numbers() -> [Scalar; 4] {
    [
        Scalar::Bool(true),
        Scalar::Int(1),
        Scalar::Float(1.5),
        Scalar::Complex(opwright_runtime::Complex::new(0.0, 1.0)),
    ]
}

#[test]
fn the_order_is_that_of_the_enumeration() {
    let names = DType::ALL.map(DType::short_name);
    let (upstream, later) = names.split_at(ORDER.len());
    assert_eq!((upstream, later), (&ORDER[..], &["u16", "u32", "u64"][..]));
}

#[test]
fn promoted_pairs() {
    #[rustfmt::skip]
    let table = [
        ["bool", "u8",   "i8",   "i16",  "i32",  "i64",  "f16",  "bf16", "f32",  "f64",  "c64",  "c128"],
        ["u8",   "u8",   "i16",  "i16",  "i32",  "i64",  "f16",  "bf16", "f32",  "f64",  "c64",  "c128"],
        ["i8",   "i16",  "i8",   "i16",  "i32",  "i64",  "f16",  "bf16", "f32",  "f64",  "c64",  "c128"],
        ["i16",  "i16",  "i16",  "i16",  "i32",  "i64",  "f16",  "bf16", "f32",  "f64",  "c64",  "c128"],
        ["i32",  "i32",  "i32",  "i32",  "i32",  "i64",  "f16",  "bf16", "f32",  "f64",  "c64",  "c128"],
        ["i64",  "i64",  "i64",  "i64",  "i64",  "i64",  "f16",  "bf16", "f32",  "f64",  "c64",  "c128"],
        ["f16",  "f16",  "f16",  "f16",  "f16",  "f16",  "f16",  "f32",  "f32",  "f64",  "c64",  "c128"],
        ["bf16", "bf16", "bf16", "bf16", "bf16", "bf16", "f32",  "bf16", "f32",  "f64",  "c64",  "c128"],
        ["f32",  "f32",  "f32",  "f32",  "f32",  "f32",  "f32",  "f32",  "f32",  "f64",  "c64",  "c128"],
        ["f64",  "f64",  "f64",  "f64",  "f64",  "f64",  "f64",  "f64",  "f64",  "f64",  "c128", "c128"],
        ["c64",  "c64",  "c64",  "c64",  "c64",  "c64",  "c64",  "c64",  "c64",  "c128", "c64",  "c128"],
        ["c128", "c128", "c128", "c128", "c128", "c128", "c128", "c128", "c128", "c128", "c128", "c128"],
    ];
    for (a, row) in ORDER.iter().zip(table) {
        for (b, expected) in ORDER.iter().zip(row) {
            assert_eq!(promote_types(named(a), named(b)), named(expected), "{a} and {b}");
        }
    }
}

#[test]
fn integers_promote_as_in_the_array_api() {
    #[rustfmt::skip]
    let table = [
        //       u8     u16    u32    i8     i16    i32    i64
        ["u8",  "u8",  "u16", "u32", "i16", "i16", "i32", "i64"],
        ["u16", "u16", "u16", "u32", "i32", "i32", "i32", "i64"],
        ["u32", "u32", "u32", "u32", "i64", "i64", "i64", "i64"],
        ["i8",  "i16", "i32", "i64", "i8",  "i16", "i32", "i64"],
        ["i16", "i16", "i32", "i64", "i16", "i16", "i32", "i64"],
        ["i32", "i32", "i32", "i64", "i32", "i32", "i32", "i64"],
        ["i64", "i64", "i64", "i64", "i64", "i64", "i64", "i64"],
    ];
    let order = table.map(|row| row[0]);
    for [a, row @ ..] in table {
        for (b, expected) in order.into_iter().zip(row) {
            assert_eq!(promote_types(named(a), named(b)), named(expected), "{a} and {b}");
        }
    }
}

#[test]
fn no_integers_hold_uint64_and_negative_ones() {
    for signed in ["i8", "i16", "i32", "i64"].map(named) {
        for (a, b) in [(DType::UInt64, signed), (signed, DType::UInt64)] {
            assert!(promoted(a, b).unwrap_err().message().starts_with("attempted to promote"));
            let operands = [a, b].map(|it| tensor(it, &[1]));
            assert!(result_type(&[&operands[0], &operands[1]]).is_err());
        }
    }
    assert_eq!(promoted(DType::UInt64, DType::UInt32).unwrap(), DType::UInt64);
    assert_eq!(promoted(DType::Bool, DType::UInt64).unwrap(), DType::UInt64);
}

#[test]
fn every_dtype_promotes_alike_from_both_sides_and_in_any_order() {
    let all = DType::ALL;
    for (a, b) in all.into_iter().flat_map(|a| all.map(|b| (a, b))) {
        assert_eq!(promote_types(a, b), promote_types(b, a));
        for c in all {
            let (left, right) = (promote_types(a, b), promote_types(b, c));
            assert_eq!(promote_types(left, c), promote_types(a, right), "{a}, {b} and {c}");
        }
    }
}

#[test]
fn dimensioned_tensors_with_numbers_and_without_dimensions() {
    #[rustfmt::skip]
    let table = [
        // True, 1, 1.5, 1j, then tensors without dimensions in the order of dtypes.
        ["bool", "i64",  "f32",  "c64",  "bool", "u8",   "i8",   "i16",  "i32",  "i64",  "f16",  "bf16", "f32",  "f64",  "c64",  "c128"],
        ["u8",   "u8",   "f32",  "c64",  "u8",   "u8",   "u8",   "u8",   "u8",   "u8",   "f16",  "bf16", "f32",  "f64",  "c64",  "c128"],
        ["i8",   "i8",   "f32",  "c64",  "i8",   "i8",   "i8",   "i8",   "i8",   "i8",   "f16",  "bf16", "f32",  "f64",  "c64",  "c128"],
        ["i16",  "i16",  "f32",  "c64",  "i16",  "i16",  "i16",  "i16",  "i16",  "i16",  "f16",  "bf16", "f32",  "f64",  "c64",  "c128"],
        ["i32",  "i32",  "f32",  "c64",  "i32",  "i32",  "i32",  "i32",  "i32",  "i32",  "f16",  "bf16", "f32",  "f64",  "c64",  "c128"],
        ["i64",  "i64",  "f32",  "c64",  "i64",  "i64",  "i64",  "i64",  "i64",  "i64",  "f16",  "bf16", "f32",  "f64",  "c64",  "c128"],
        ["f16",  "f16",  "f16",  "c64",  "f16",  "f16",  "f16",  "f16",  "f16",  "f16",  "f16",  "f16",  "f16",  "f16",  "c64",  "c64"],
        ["bf16", "bf16", "bf16", "c64",  "bf16", "bf16", "bf16", "bf16", "bf16", "bf16", "bf16", "bf16", "bf16", "bf16", "c64",  "c64"],
        ["f32",  "f32",  "f32",  "c64",  "f32",  "f32",  "f32",  "f32",  "f32",  "f32",  "f32",  "f32",  "f32",  "f32",  "c64",  "c64"],
        ["f64",  "f64",  "f64",  "c128", "f64",  "f64",  "f64",  "f64",  "f64",  "f64",  "f64",  "f64",  "f64",  "f64",  "c128", "c128"],
        ["c64",  "c64",  "c64",  "c64",  "c64",  "c64",  "c64",  "c64",  "c64",  "c64",  "c64",  "c64",  "c64",  "c64",  "c64",  "c64"],
        ["c128", "c128", "c128", "c128", "c128", "c128", "c128", "c128", "c128", "c128", "c128", "c128", "c128", "c128", "c128", "c128"],
    ];
    for (name, row) in ORDER.iter().zip(table) {
        let wide = tensor(named(name), &[2]);
        let others = numbers().map(number).into_iter();
        let others = others.chain(ORDER.iter().map(|it| tensor(named(it), &[])));
        for (other, expected) in others.zip(row) {
            let actual = result_type(&[&wide, &other]).unwrap();
            assert_eq!(actual, named(expected), "{name} and {other:?}");
            assert_eq!(result_type(&[&other, &wide]).unwrap(), actual, "order matters");
        }
    }
}

#[test]
fn tensors_without_dimensions_with_numbers() {
    #[rustfmt::skip]
    let table = [
        ["bool", "i64",  "f32",  "c64"],
        ["u8",   "u8",   "f32",  "c64"],
        ["i8",   "i8",   "f32",  "c64"],
        ["i16",  "i16",  "f32",  "c64"],
        ["i32",  "i32",  "f32",  "c64"],
        ["i64",  "i64",  "f32",  "c64"],
        ["f16",  "f16",  "f16",  "c64"],
        ["bf16", "bf16", "bf16", "c64"],
        ["f32",  "f32",  "f32",  "c64"],
        ["f64",  "f64",  "f64",  "c128"],
        ["c64",  "c64",  "c64",  "c64"],
        ["c128", "c128", "c128", "c128"],
    ];
    for (name, row) in ORDER.iter().zip(table) {
        for (scalar, expected) in numbers().into_iter().zip(row) {
            let zero_dim = tensor(named(name), &[]);
            assert_eq!(result_type(&[&zero_dim, &number(scalar)]).unwrap(), named(expected));
            let direct = ResultType::EMPTY.with_tensor(&zero_dim).with_scalar(scalar).dtype();
            assert_eq!(direct, Some(named(expected)), "{name} and {scalar}");
        }
    }
}

#[test]
fn numbers_alone() {
    let expected = [
        ["bool", "i64", "f32", "c64"],
        ["i64", "i64", "f32", "c64"],
        ["f32", "f32", "f32", "c64"],
        ["c64", "c64", "c64", "c64"],
    ];
    for (a, row) in numbers().into_iter().zip(expected) {
        for (b, expected) in numbers().into_iter().zip(row) {
            assert_eq!(result_type(&[&number(a), &number(b)]).unwrap(), named(expected));
        }
    }
    assert_eq!(result_type(&[&number(Scalar::Float(1.0))]).unwrap(), DType::Float32);
    assert!(result_type(&[]).is_err());
}

#[test]
fn casts_never_fall_to_a_lower_category() {
    for from in DType::ALL {
        for to in DType::ALL {
            let forbidden = (from.is_complex_number() && !to.is_complex_number())
                || (from.is_floating() && (to.is_integral() || to.is_boolean()))
                || (from.is_integral() && to.is_boolean());
            assert_eq!(can_cast(from, to), !forbidden, "{from} to {to}");
        }
    }
}
