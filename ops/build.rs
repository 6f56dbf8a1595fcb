//! Generates the operators' Rust side.

fn main() {
    opwright_codegen::build::library("../native_functions.yaml");
}
