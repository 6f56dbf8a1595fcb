//! Generates the reference module's tables.

fn main() {
    #[cfg(feature = "module")]
    opwright_codegen::build::python("opwright_ops");
}
