//! Tells the crate how far it is optimized.

fn main() {
    let level = std::env::var("OPT_LEVEL").expect("cargo says how it builds");
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-env=OPWRIGHT_OPT_LEVEL={level}");
}
