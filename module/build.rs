//! Generates the reference module's tables and stubs.

use opwright_codegen::build;

/// What `nn.functional` has beside native functions.
const FUNCTIONAL: &str = "../python-bindings/python/opwright/nn/functional.py";

fn main() {
    build::python("opwright_ops");
    build::reference_stubs("opwright_ops", FUNCTIONAL);
}
