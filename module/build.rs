//! Generates the reference module's tables.

fn main() {
    opwright_codegen::build::python("opwright_ops");
}
