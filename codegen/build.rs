//! Tells the crate where the sources lie of which printed packages get copies.

use std::env;
use std::path::PathBuf;

/// What the crate calls a folder, and where it is in the project and in a package, which has nothing
/// above it: see `xtask/packages/carried.txt`.
const FOLDERS: [(&str, &str, &str); 2] = [
    ("OPWRIGHT_GO_SOURCES", "../go/opwright", "written/go"),
    ("OPWRIGHT_PYTHON_SOURCES", "../python-bindings/python/opwright", "written/python"),
];

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it"));
    for (variable, project, package) in FOLDERS {
        let packed = root.join(package);
        let folder = if packed.is_dir() { packed } else { root.join(project) };
        println!("cargo::rustc-env={variable}={}", folder.display());
    }
}
