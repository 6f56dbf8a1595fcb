//! Passes on where the operators of `opwright-ops` are described, to crates that take some in:
//! cargo tells it to those alone that depend on that crate themselves.

use std::env;

fn main() {
    // It is not set without the feature `ops`.
    if let Ok(path) = env::var("DEP_OPWRIGHT_OPS_OPERATORS") {
        println!("cargo::metadata=operators={path}");
    }
    println!("cargo::rerun-if-changed=build.rs");
}
