//! Lists the pages of error codes, which the command takes in.

use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() {
    let folder = folder();
    println!("cargo::rerun-if-changed={}", folder.display());
    let entries = fs::read_dir(&folder).expect("the pages can be listed");
    let mut pages: Vec<PathBuf> = entries.map(|it| it.expect("an entry").path()).collect();
    pages.sort();
    let page = |path: &PathBuf| {
        let code = path.file_stem().expect("a name").display();
        format!("({:?}, include_str!({:?})),\n", code.to_string(), path.display().to_string())
    };
    let list: String = pages.iter().map(page).collect();
    let out = Path::new(&env::var_os("OUT_DIR").expect("cargo sets it")).join("pages.rs");
    fs::write(out, format!("&[\n{list}]")).expect("the list can be written");
}

/// In a package, which has nothing above it, the pages lie beside the manifest: see
/// `xtask/packages/carried.txt`.
fn folder() -> PathBuf {
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it"));
    let packed = root.join("codes");
    if packed.is_dir() { packed } else { root.join("../docs/src/codes") }
}
