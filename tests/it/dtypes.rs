//! The table of dtypes tells build scripts the Rust types that the runtime has, and the order in which
//! it promotes.

use std::any::type_name;

use opwright_runtime::promote::promote_types;
use opwright_runtime::{DType, dispatch};
use opwright_schema::dtypes::{ROWS, Row, Rust};

fn of(row: &Row) -> DType {
    let found = DType::ALL.into_iter().find(|it| format!("{it:?}") == row.variant);
    found.unwrap_or_else(|| panic!("the runtime has no `{}`", row.variant))
}

#[test]
fn rows_name_the_rust_types_of_the_runtime() {
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
