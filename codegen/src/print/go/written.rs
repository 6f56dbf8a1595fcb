//! Files of the package for Go that people wrote: names that operators therefore cannot have, and
//! the files, which packages over other libraries get copies of.

use std::collections::BTreeSet;

use opwright_schema::model::OpSet;

use super::package::{File, HEADER, Package};
use crate::print::c;

/// Names of the package that are no operators, and methods of its tensors.
const TABLE: &str = include_str!("written.txt");

macro_rules! source {
    ($name:expr) => {
        include_str!(concat!(env!("OPWRIGHT_GO_SOURCES"), "/", $name))
    };
}

macro_rules! files {
    ($($name:literal)*) => {
        [$(($name, source!(concat!($name, ".go")))),*]
    };
}

/// The packages that the files need and nobody else sees: folders, names and ends of files.
const INTERNAL: [(&str, &str, &str); 4] = [
    ("goroutine/known", ".go", source!("internal/goroutine/known.go")),
    ("goroutine/known", "_amd64.s", source!("internal/goroutine/known_amd64.s")),
    ("goroutine/known", "_arm64.s", source!("internal/goroutine/known_arm64.s")),
    ("goroutine/unknown", ".go", source!("internal/goroutine/unknown.go")),
];

/// The files without tests, and without the one that describes the package.
const FILES: [(&str, &str); 22] = files![
    "argument" "autograd" "cgo" "convert" "dtype" "element" "error" "file" "generator" "gob"
    "handle" "index" "json" "library" "linked" "load" "pressure" "scalar" "scope" "slice" "tensor" "text"
];

/// How such a file takes in the header.
const INCLUDE: &str = "#include <opwright.h>";

/// Functions, types and constants.
pub fn names() -> impl Iterator<Item = &'static str> {
    section("package")
}

/// Methods and fields of `Tensor`.
pub fn methods() -> impl Iterator<Item = &'static str> {
    section("Tensor")
}

/// The names of the files that packages get copies of.
pub fn files() -> impl Iterator<Item = &'static str> {
    FILES.iter().map(|(name, _)| *name)
}

fn section(name: &'static str) -> impl Iterator<Item = &'static str> {
    let lines = TABLE.lines().filter(|it| !it.starts_with('#'));
    let own = lines.filter_map(move |it| it.strip_prefix(name)?.strip_prefix(':'));
    own.flat_map(str::split_whitespace)
}

/// Copies of the files for a library, but for those that call what it does not have.
pub(super) fn copies(package: &Package<'_>, ops: &OpSet) -> Vec<File> {
    let fixed =
        c::fixed::prototypes().into_iter().map(|it| format!("{}_{}", package.prefix, it.name));
    let operators = c::model::functions(package.prefix, ops).into_iter().map(|it| it.name);
    let functions: BTreeSet<String> = fixed.chain(operators).collect();
    let texts = FILES.iter().map(|(name, text)| (name, renamed(package, text)));
    let complete = texts.filter(|(_, text)| called(text).all(|it| functions.contains(it)));
    let file = |(name, text): (&&str, String)| File {
        path: format!("{}/{name}_gen.go", package.name),
        text: format!("{HEADER}\n{text}"),
    };
    let internal = INTERNAL.iter().map(|(name, end, text)| File {
        path: format!("{}/internal/{name}_gen{end}", package.name),
        text: format!("{HEADER}\n{text}"),
    });
    complete.map(file).chain(internal).collect()
}

/// The functions of the library that a file says it calls.
fn called(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter_map(|it| it.strip_prefix("#cgo noescape "))
}

/// The text over the library of a package.
fn renamed(package: &Package<'_>, text: &str) -> String {
    let own = Package::REFERENCE.module;
    let text = &text.replace(&format!("\"{own}/"), &format!("\"{}/", package.module));
    let (lower, upper) =
        (format!("{}_", package.prefix), format!("{}_", package.prefix.to_uppercase()));
    let variable = package.name.to_uppercase();
    // What a word begins with, what then follows, and what that becomes.
    let names = [
        ("", "opwright", package.name),
        ("l", "opwright", package.name),
        ("lib", "opwright", package.name),
        ("", "OPWRIGHT", variable.as_str()),
        ("", "ow_", lower.as_str()),
        ("sizeof_", "ow_", lower.as_str()),
        ("", "OW_", upper.as_str()),
        ("D", "OW_", upper.as_str()),
    ];
    let word = |word: &str| {
        let found = names.iter().find_map(|(start, own, theirs)| {
            let rest = word.strip_prefix(start)?.strip_prefix(own)?;
            Some(format!("{start}{theirs}{rest}"))
        });
        found.unwrap_or_else(|| word.to_owned())
    };
    let words = |text: &str| -> String {
        let is_part = |it: char| it == '_' || it.is_ascii_alphanumeric();
        let pieces = text.split_inclusive(|it| !is_part(it));
        let renamed = pieces.map(|piece| {
            let own = piece.trim_end_matches(|it| !is_part(it));
            word(own) + &piece[own.len()..]
        });
        renamed.collect()
    };
    let parts: Vec<String> = text.split(INCLUDE).map(words).collect();
    parts.join(&format!("#include <{}>", package.header))
}

#[cfg(test)]
mod tests {
    use super::*;

    const OWN: Package<'_> =
        Package { module: "example.org/go", name: "my_ops", prefix: "mo", header: "mo.h" };

    #[test]
    fn names_of_the_library_are_replaced() {
        for (text, expected) in [
            ("package opwright", "package my_ops"),
            ("// #include <opwright.h>", "// #include <mo.h>"),
            ("#cgo noescape ow_tensor_free", "#cgo noescape mo_tensor_free"),
            ("C.sizeof_ow_scalar, C.OW_SCALAR_INT", "C.sizeof_mo_scalar, C.MO_SCALAR_INT"),
            (
                "opwright_local LDFLAGS: -lopwright -DOW_STATIC",
                "my_ops_local LDFLAGS: -lmy_ops -DMO_STATIC",
            ),
            ("lib/libopwright.a", "lib/libmy_ops.a"),
            ("OPWRIGHT_LIBRARY", "MY_OPS_LIBRARY"),
            ("below_all follow_up window_", "below_all follow_up window_"),
            (
                "\"github.com/opwright/opwright/go/opwright/internal/goroutine\"",
                "\"example.org/go/my_ops/internal/goroutine\"",
            ),
        ] {
            assert_eq!(renamed(&OWN, text), expected);
        }
    }

    #[test]
    fn copies_know_no_other_library() {
        for (name, text) in FILES {
            let text = renamed(&OWN, text).to_lowercase();
            for other in ["opwright", "c.ow_", " ow_", "_ow_", "dow_"] {
                assert!(!text.contains(other), "{name}: {other}");
            }
        }
    }

    /// As `gofmt` leaves them, whatever the prefix: it breaks functions of one line that are long.
    #[test]
    fn names_of_the_library_stand_in_lines_of_their_own() {
        for (name, text) in FILES {
            let mut functions = text.lines().filter(|it| it.starts_with("func "));
            let short = functions.find(|it| it.ends_with('}') && it.contains("C."));
            assert_eq!(short, None, "{name}");
        }
    }

    #[test]
    fn files_that_call_operators_need_them() {
        let files = copies(&OWN, &OpSet::default());
        let left_out = ["convert", "index"].map(|it| format!("my_ops/{it}_gen.go"));
        assert_eq!(files.len(), FILES.len() + INTERNAL.len() - left_out.len());
        assert!(files.iter().all(|it| !left_out.contains(&it.path)));
    }
}
