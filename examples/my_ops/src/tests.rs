//! What the operators do, seen from Rust.

use opwright::testing::opcheck;

use crate::ops;

#[test]
fn operators_do_what_they_declare() {
    opcheck(ops::OPERATORS).unwrap();
}
