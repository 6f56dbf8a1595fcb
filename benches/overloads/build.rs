//! Generates the Rust and the Python side of the function.

use opwright_codegen::build::Build;

fn main() {
    let build = Build::new().through_facade();
    build.library();
    build.python();
}
