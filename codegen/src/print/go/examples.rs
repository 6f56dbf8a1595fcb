//! Prints what documentations show in Go, as examples that `go test` runs.

use std::fmt::Write;

use super::model::GoFunction;
use super::package::{File, HEADER, Package};

/// A file of tests, if anything is shown. What does not name the package shows another one: operators
/// that are taken in come with the examples of theirs.
pub(super) fn print(package: &Package<'_>, functions: &[GoFunction<'_>]) -> Option<File> {
    let names_package = format!("{}.", package.name);
    let mut examples = String::new();
    for function in functions {
        let own = function.overload.go_examples.iter().filter(|it| it.contains(&names_package));
        for (at, code) in own.enumerate() {
            // What follows the first underscore begins with a small letter.
            let number = if at == 0 { String::new() } else { format!("_n{}", at + 1) };
            let _ = writeln!(examples, "\nfunc Example{}{number}() {{", function.name);
            for line in code.lines() {
                let _ = writeln!(examples, "{}", format!("\t{line}").trim_end());
            }
            examples += "}\n";
        }
    }
    if examples.is_empty() {
        return None;
    }
    let Package { module, name, .. } = package;
    let own = format!("\t\"{module}/{name}\"\n");
    let standard = if examples.contains("fmt.") { "\t\"fmt\"\n\n" } else { "" };
    let imports = format!("import (\n{standard}{own})\n");
    let text = format!("{HEADER}\npackage {name}_test\n\n{imports}{examples}");
    Some(File { path: format!("{name}/examples_gen_test.go"), text })
}
