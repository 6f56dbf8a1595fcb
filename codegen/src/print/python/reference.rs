//! The stubs of the reference module, beside the sources in Python that people wrote.
//!
//! Those sources are typed themselves, and have no stubs: what is printed are the native module, the
//! modules that publish native functions by the names that people know, and classes that follow from
//! tables.

use opwright_schema::model::OpSet;

use crate::file;
use crate::print::python::package::{self, OPS, TENSOR_MEMBERS};
use crate::print::python::stub::{self, Package, Published, Stub};
use crate::signature::PythonFunction;

/// Where the package has the functions of its native submodules.
const PUBLISHED: [Published<'_>; 4] = [
    published("fft", "fft.pyi", "fft_"),
    published("linalg", "linalg.pyi", "linalg_"),
    published("nn", "nn/functional.pyi", ""),
    published("special", "special.pyi", "special_"),
];

const fn published<'a>(module: &'a str, path: &'a str, prefix: &'a str) -> Published<'a> {
    Published { module, path, prefix, members: "", is_functional: false }
}

/// All printed stubs; `functional` is the source of what `nn.functional` has beside native functions.
pub fn stubs(ops: &OpSet, functions: &[PythonFunction], functional: &str) -> Vec<Stub> {
    let members = package::module_members();
    let package = Package {
        name: "opwright",
        members: &members,
        tensor_members: TENSOR_MEMBERS,
        arrays: false,
    };
    let by_hand = definitions(functional);
    let public = PUBLISHED.iter().map(|it| {
        let is_functional = it.module == "nn";
        let members = if is_functional { by_hand.as_str() } else { it.members };
        stub::published(ops, functions, &package, &Published { members, is_functional, ..*it })
    });
    let operators = Stub { path: "ops.pyi".to_owned(), text: file::python(OPS) };
    let graph = package::graph(package.name, functions);
    let others = [package::typed(package.name), graph, operators];
    stub::print(ops, functions, &package).into_iter().chain(public).chain(others).collect()
}

const QUOTES: &str = "\"\"\"";

/// The functions of a module of Python without their bodies, but with their
/// documentation. What they name has to be known in stubs.
fn definitions(source: &str) -> String {
    let mut text = String::new();
    let mut lines = source.lines();
    while let Some(line) = lines.next() {
        let name = line.strip_prefix("def ").and_then(|it| it.split('(').next());
        if name.is_none_or(|it| it.starts_with('_') && !it.starts_with("__")) {
            continue;
        }
        let mut line = line;
        // A signature ends in a line that ends in a colon, the others end in a comma or a bracket.
        text.push_str(line);
        while !line.ends_with(':') {
            line = lines.next().expect("a signature ends");
            text.push_str(&format!("\n{line}"));
        }
        match lines.next() {
            Some(first) if first.trim_start().starts_with(QUOTES) => {
                text.push_str(&format!("\n{first}\n"));
                let is_whole = first.trim().len() > QUOTES.len() && first.ends_with(QUOTES);
                let rest = lines.by_ref().take(if is_whole { 0 } else { usize::MAX });
                for line in rest {
                    text.push_str(&format!("{line}\n"));
                    if line.ends_with(QUOTES) {
                        break;
                    }
                }
            }
            _ => text.push_str(" ...\n"),
        }
    }
    text
}
