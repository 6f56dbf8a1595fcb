//! What people wrote in the package for Go, and what operators therefore cannot be called.

/// Names of the package that are no operators, and methods of its tensors.
const TABLE: &str = include_str!("written.txt");

/// Functions, types and constants.
pub fn names() -> impl Iterator<Item = &'static str> {
    section("package")
}

/// Methods and fields of `Tensor`.
pub fn methods() -> impl Iterator<Item = &'static str> {
    section("Tensor")
}

fn section(name: &'static str) -> impl Iterator<Item = &'static str> {
    let lines = TABLE.lines().filter(|it| !it.starts_with('#'));
    let own = lines.filter_map(move |it| it.strip_prefix(name)?.strip_prefix(':'));
    own.flat_map(str::split_whitespace)
}
