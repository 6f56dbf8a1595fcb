//! Prints the functions and the header of the reference library, and the package for Go over it.

fn main() {
    #[cfg(feature = "library")]
    {
        use opwright_codegen::build::{self, Header};
        build::c("opwright_ops", &Header { prefix: "ow", library: "opwright" });
        build::reference_go("opwright_ops");
    }
}
