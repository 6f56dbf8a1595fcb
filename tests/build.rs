//! Prints the table through which the tests call every overload by its name.

use opwright_codegen::build::Build;

fn main() {
    Build::new().boxed("opwright_ops");
}
