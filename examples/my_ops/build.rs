//! Generates the Rust and the Python side of the operators.

fn main() {
    opwright_codegen::build::module("native_functions.yaml");
}
