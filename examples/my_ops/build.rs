//! Generates the Rust and the Python side of the operators, and the side of C where that is wanted.

use opwright_codegen::build::Build;

fn main() {
    let build = Build::new().yaml("native_functions.yaml").through_facade();
    build.module();
    #[cfg(feature = "c")]
    build.c();
}
