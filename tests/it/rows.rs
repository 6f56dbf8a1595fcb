//! Rows of operators stand beside the kernels.

use opwright_codegen::kernels::Kernel;
use opwright_codegen::library::Library;
use opwright_schema::model::OpName;
use opwright_tests::rows::files;
use toml::{Table, Value};

use crate::composites::library;

/// The tables that a file may have, in their order.
const TABLES: [&str; 4] = ["case", "accuracy", "opcheck", "benchmark"];

/// An operator's files are its entry, the Rust file and the rows beside that.
#[test]
fn rows_stand_beside_the_kernel() {
    let library = library();
    let mut wrong = Vec::new();
    for (file, tables) in files() {
        let unknown = tables.keys().filter(|it| !TABLES.contains(&it.as_str()));
        wrong.extend(unknown.map(|it| format!("{file}.toml: there is no table `{it}`")));
        for table in TABLES {
            let mut last = String::new();
            for operator in operators(&tables, table) {
                match homes(&library, &operator) {
                    homes if homes.contains(&file) => {}
                    homes if homes.is_empty() => wrong.push(format!(
                        "{file}.toml: no function of `ops/src` has to do with `{operator}`"
                    )),
                    homes => wrong.push(format!(
                        "{file}.toml: rows of `{operator}` belong in {}.toml",
                        homes.join(".toml or ")
                    )),
                }
                if order(&operator) < order(&last) {
                    wrong.push(format!("{file}.toml: `{operator}` belongs in front of `{last}`"));
                }
                last = operator;
            }
        }
    }
    wrong.dedup();
    assert!(wrong.is_empty(), "{} rows:\n{}", wrong.len(), wrong.join("\n"));
}

/// The operators of the rows of a table.
fn operators(tables: &Table, table: &str) -> Vec<String> {
    let rows = tables.get(table).and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let name = |row: &Value| row.get("op").and_then(Value::as_str).unwrap_or_default().to_owned();
    rows.iter().map(name).collect()
}

/// An in-place operator stands with the others, and overloads beside each other.
fn order(name: &str) -> (&str, &str) {
    let base = name.split_once('.').map_or(name, |(base, _)| base);
    (if base.ends_with("__") { base } else { base.trim_end_matches('_') }, name)
}

/// The files with kernels of an overload, or of all of a name: their own, or those that they follow from.
fn homes(library: &Library, name: &str) -> Vec<String> {
    let overloads = &library.ops.overloads;
    let of = |is: &dyn Fn(&OpName) -> bool| -> Vec<usize> {
        (0..overloads.len()).filter(|idx| is(&overloads[*idx].schema.name)).collect()
    };
    let mut left = of(&|it| it.to_string() == name);
    if left.is_empty() {
        left = of(&|it| name == it.to_string().split('.').next().unwrap_or_default());
    }
    let mut seen = left.clone();
    let mut homes = Vec::new();
    while let Some(idx) = left.pop() {
        for kernel in library.kernels[idx].by_key.values() {
            match kernel {
                Kernel::Function(path) => {
                    let modules = &path.0[..path.0.len() - 1];
                    homes.push(modules.join("/"));
                }
                Kernel::Derived { from } if !seen.contains(from) => {
                    seen.push(*from);
                    left.push(*from);
                }
                Kernel::Derived { .. } => {}
            }
        }
    }
    homes.sort();
    homes.dedup();
    homes
}
