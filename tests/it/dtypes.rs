//! Dtypes have a row in the runtime, which has tensors of them, and one in the schema crate, which
//! has words for them.

use std::any::type_name;

use opwright_runtime::promote::promote_types;
use opwright_runtime::{DType, dispatch};
use opwright_schema::dtypes::{ROWS, Row, Rust};

fn of(row: &Row) -> DType {
    let found = DType::ALL.into_iter().find(|it| format!("{it:?}") == row.variant);
    found.unwrap_or_else(|| panic!("the runtime has no `{}`", row.variant))
}

#[test]
fn every_dtype_has_both_rows() {
    assert_eq!(ROWS.len(), DType::COUNT);
    for row in &ROWS {
        let dtype = of(row);
        assert_eq!(dtype.name(), row.name);
        assert_eq!(dtype.title(), row.title);
        assert_eq!(dtype.alias(), row.alias);
        assert_eq!(format!("{:?}", dtype.category()), format!("{:?}", row.category));
    }
}

#[test]
fn both_rows_have_the_same_rust_type() {
    for row in &ROWS {
        let ty = dispatch!(of(row), "name", all, |T| Ok(type_name::<T>())).unwrap();
        let expected = match row.rust {
            Rust::Primitive => row.word.to_owned(),
            Rust::Half => type_of_half_precision(row.word).to_owned(),
            Rust::Complex(part) => format!("num_complex::Complex<{part}>"),
        };
        assert_eq!(ty, expected);
    }
}

fn type_of_half_precision(word: &str) -> &'static str {
    match word {
        "f16" => type_name::<opwright_runtime::f16>(),
        _ => type_name::<opwright_runtime::bf16>(),
    }
}

#[test]
fn rows_are_in_the_order_of_promotion() {
    let dtypes = ROWS.each_ref().map(of);
    let place = |dtype| dtypes.iter().position(|it| *it == dtype);
    for (a, b) in dtypes.iter().flat_map(|a| dtypes.iter().map(move |b| (*a, *b))) {
        assert!(place(promote_types(a, b)) >= place(a).max(place(b)), "{a} and {b}");
    }
}

#[test]
fn no_two_dtypes_have_a_name_in_common() {
    let mut names: Vec<&str> = ROWS.iter().flat_map(Row::names).collect();
    let count = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), count);
}
