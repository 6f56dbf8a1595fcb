//! Prints the library for C as a package for Go sees it that looks for it when a program starts: the header, and a function in C
//! for each that it declares, which calls the library's.
//!
//! ```text
//! static ow_error *(*p_ow_mm)(const ow_tensor *self, const ow_tensor *mat2, ow_tensor **result);
//! ow_error *ow_mm(const ow_tensor *self, const ow_tensor *mat2, ow_tensor **result) { return p_ow_mm(self, mat2, result); }
//! ```
//!
//! They are read from the header's text, so that they cannot differ from it.

use std::fmt::Write;

use opwright_schema::model::OpSet;

use super::package::{File, HEADER, Package};
use crate::print::c::header::{self, Header};

/// A function that a header declares.
struct HeaderFunction<'a> {
    /// What it returns, with a space if the name needs one.
    result: &'a str,
    name: &'a str,
    parameters: &'a str,
}

/// The header, and the functions.
pub(super) fn print(package: &Package<'_>, ops: &OpSet) -> [File; 2] {
    let text = header::print(&Header { prefix: package.prefix, library: package.name }, ops);
    // Declarations that were broken into lines are one line here.
    let joined = text.replace(",\n    ", ", ").replace("(\n    ", "(");
    let functions = functions(package, &declared(package.prefix, &joined));
    let folder = package.name;
    [
        File { path: format!("{folder}/library_gen.c"), text: functions },
        File { path: format!("{folder}/{}", package.header), text: format!("{HEADER}\n{text}") },
    ]
}

fn declared<'a>(prefix: &str, header: &'a str) -> Vec<HeaderFunction<'a>> {
    let mark = format!("{}_API ", prefix.to_uppercase());
    let of = |line: &'a str| {
        let (head, parameters) = line.strip_prefix(&mark)?.strip_suffix(");")?.split_once('(')?;
        let at = head.rfind([' ', '*'])? + 1;
        Some(HeaderFunction { result: &head[..at], name: &head[at..], parameters })
    };
    header.lines().filter_map(of).collect()
}

fn functions(package: &Package<'_>, declared: &[HeaderFunction<'_>]) -> String {
    let Package { prefix, name, header, .. } = package;
    let mut out = format!(
        "{HEADER}\n//go:build {}\n\n#include \"{header}\"\n#include <dlfcn.h>\n#include <string.h>\n\n",
        CONDITION.replace("opwright", name)
    );
    for HeaderFunction { result, name, parameters } in declared {
        let returned = if result.trim() == "void" { "" } else { "return " };
        let _ = write!(
            out,
            "static {result}(*p_{name})({parameters});\n\
             {result}{name}({parameters}) {{ {returned}p_{name}({}); }}\n",
            arguments(parameters)
        );
    }
    out += "\nstatic const struct {\n  const char *name;\n  void *at;\n} functions[] = {\n";
    for HeaderFunction { name, .. } in declared {
        let _ = writeln!(out, "  {{\"{name}\", &p_{name}}},");
    }
    out + &format!(
        "\
}};

/* Takes the functions from a library that was opened. Returns the name of one that is missing, or NULL. */
const char *{prefix}_go_fill(void *library);
const char *{prefix}_go_fill(void *library) {{
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {{
    void *symbol = dlsym(library, functions[i].name);
    if (!symbol) return functions[i].name;
    memcpy(functions[i].at, &symbol, sizeof symbol);
  }}
  return NULL;
}}
"
    )
}

/// When the library is looked for at the start, and not by the linker.
const CONDITION: &str = "!opwright_pkgconfig && !opwright_local && !opwright_static && !windows";

/// The names of parameters.
fn arguments(parameters: &str) -> String {
    let name = |it: &str| it.rsplit([' ', '*']).next().unwrap_or_default().to_owned();
    match parameters {
        "void" => String::new(),
        list => list.split(", ").map(name).collect::<Vec<_>>().join(", "),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OWN: Package<'_> =
        Package { module: "example.org/go", name: "my_ops", prefix: "mo", header: "mo.h" };

    #[test]
    fn functions_call_those_of_the_library() {
        let header = "MO_API void mo_free(mo_tensor *self);\nMO_API mo_error *mo_mm(const mo_tensor *self, double by);\n\
                      MO_API int64_t mo_count(void);\n";
        let text = functions(&OWN, &declared("mo", header));
        for expected in [
            "//go:build !my_ops_pkgconfig && !my_ops_local && !my_ops_static && !windows",
            "static void (*p_mo_free)(mo_tensor *self);\nvoid mo_free(mo_tensor *self) { p_mo_free(self); }",
            "mo_error *mo_mm(const mo_tensor *self, double by) { return p_mo_mm(self, by); }",
            "int64_t mo_count(void) { return p_mo_count(); }",
            "{\"mo_mm\", &p_mo_mm},",
        ] {
            assert!(text.contains(expected), "{text}");
        }
    }

    #[test]
    fn every_fixed_function_is_there() {
        let [functions, header] = print(&OWN, &OpSet::default());
        let declared = header.text.lines().filter(|it| it.starts_with("MO_API ")).count();
        let count = |text: &str, of: &str| text.matches(of).count();
        assert_eq!(count(&functions.text, "{\"mo_"), declared);
        assert!(declared > 50);
    }
}
