//! Generates the Rust and the Python side of the function.

fn main() {
    opwright_codegen::build::Build::new().through_facade().module();
}
