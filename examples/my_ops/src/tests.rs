//! What the operators do, seen from Rust.

use opwright::testing::Opcheck;

use crate::ops;
use crate::quantizer::Quantizer;

#[test]
fn operators_do_what_they_declare() {
    let by = Quantizer::new(0.25, 4).unwrap();
    Opcheck::new(ops::OPERATORS).native(by).run().unwrap();
}
