//! `opwright new`: a crate of one's own, from the files in `new/template`.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use opwright_codegen::print::go;
use opwright_schema::{entry, names};

use crate::ExitStatus;
use crate::args::New;
use crate::output::OutputFile;

/// The files by their paths in the crate; what is between two `@` is filled in.
const FILES: [(&str, &str); 12] = [
    ("Cargo.toml", include_str!("new/template/Cargo.toml.in")),
    ("build.rs", include_str!("new/template/build.rs.in")),
    ("native_functions.yaml", include_str!("new/template/native_functions.yaml.in")),
    ("native_functions.schema.json", entry::JSON_SCHEMA),
    ("pyproject.toml", include_str!("new/template/pyproject.toml.in")),
    ("src/lib.rs", include_str!("new/template/src/lib.rs.in")),
    ("src/tests.rs", include_str!("new/template/src/tests.rs.in")),
    ("tests/test_module.py", include_str!("new/template/tests/test_module.py.in")),
    ("README.md", include_str!("new/template/README.md.in")),
    (".cargo/config.toml", include_str!("new/template/cargo/config.toml.in")),
    (".cargo/pyo3.txt", include_str!("new/template/cargo/pyo3.txt.in")),
    (".gitignore", include_str!("new/template/gitignore.in")),
];

/// What a crate can be besides.
struct Addition {
    /// More files, which may take the place of others.
    files: &'static [(&'static str, &'static str)],
    /// What other files then say at their marks, and otherwise do not.
    parts: &'static [(&'static str, &'static str)],
}

/// A library for C.
const C: Addition = Addition {
    files: &[
        ("build.rs", include_str!("new/template/c/build.rs.in")),
        ("Makefile", include_str!("new/template/c/Makefile.in")),
        ("@MODULE@.pc", include_str!("new/template/c/library.pc.in")),
        ("tests/program.c", include_str!("new/template/c/program.c.in")),
    ],
    parts: &[
        (
            "@FEATURES@",
            "[features]\n# A library for C instead of a Python module.\nc = [\"opwright/c\"]\n\n",
        ),
        ("@C_LIBRARY@", "#[cfg(feature = \"c\")]\nopwright::c_library!(@MODULE@);\n"),
        ("@BUILT@", "/include\n/tests/program\n"),
        ("@C_SETTINGS@", include_str!("new/template/c/config.toml.in")),
        ("@ABOUT_C@", include_str!("new/template/c/README.md.in")),
    ],
};

/// A package for Go over that library.
const GO: Addition = Addition {
    files: &[
        ("go/go.mod", include_str!("new/template/go/go.mod.in")),
        ("go/@MODULE@/doc.go", include_str!("new/template/go/doc.go.in")),
        ("go/@MODULE@/operators_test.go", include_str!("new/template/go/operators_test.go.in")),
    ],
    parts: &[
        ("@GO_BUILD@", "    #[cfg(feature = \"c\")]\n    build.go();\n"),
        (
            "@GO_FOLDER@",
            "# The module for Go, whose package the build prints.\nOPWRIGHT_GO = \"go\"\n",
        ),
        ("@GO_TARGETS@", " test-go"),
        ("@GO_TEST@", " test-go"),
        ("@GO_RULES@", include_str!("new/template/go/Makefile.in")),
        ("@ABOUT_GO@", include_str!("new/template/go/README.md.in")),
    ],
};

/// Workflows that test it and publish its packages.
const CI: Addition = Addition {
    files: &[
        (".github/workflows/ci.yml", include_str!("new/template/ci/ci.yml.in")),
        (".github/workflows/release.yml", include_str!("new/template/ci/release.yml.in")),
    ],
    parts: &[("@ABOUT_CI@", include_str!("new/template/ci/README.md.in"))],
};

/// What they do for a library for C.
const CI_C: Addition = Addition {
    files: &[],
    parts: &[
        ("@CI_C_TESTS@\n", include_str!("new/template/ci/ci_c.yml.in")),
        ("@CI_C_ARCHIVES@\n", include_str!("new/template/ci/release_c.yml.in")),
    ],
};

/// What they do for a package for Go.
const CI_GO: Addition = Addition {
    files: &[],
    parts: &[("@CI_GO_TAG@\n", include_str!("new/template/ci/release_go.yml.in"))],
};

/// Names that the crate itself, or one that it depends on, has.
const RESERVED: [&str; 7] = ["alloc", "core", "numpy", "ops", "opwright", "proc_macro", "std"];

/// Names of modules that are there already, those of Python's library in front of those of packages.
const PYTHON_NAMES: &str = include_str!("new/python_names.txt");

/// What a module of this name would be mistaken for.
fn taken_by(module: &str) -> Option<&'static str> {
    let mut sections = PYTHON_NAMES.split("# Packages that many have installed:");
    let mut has = || {
        let lines = sections.next().unwrap_or_default().lines();
        let mut words = lines.filter(|it| !it.starts_with('#')).flat_map(str::split_whitespace);
        words.any(|it| it == module)
    };
    match (has(), has()) {
        (true, _) => Some("a module of Python's standard library"),
        (_, true) => Some("a package that many have installed"),
        _ => None,
    }
}

/// Where the crate gets opwright from.
#[derive(Debug, PartialEq, Eq)]
enum Opwright {
    /// A checkout.
    Path(PathBuf),
    /// A git repository.
    Git(String),
    /// The registry.
    Version(&'static str),
}

/// Writes the crate, and says how to go on.
pub(crate) fn run(new: &New, output: &mut OutputFile) -> ExitStatus {
    match write(new) {
        Ok(module) => {
            let directory = new.directory.display();
            output.line(&format!(
                "created the crate `{module}` in `{directory}`; its README.md says how to build it"
            ));
            ExitStatus::Fine
        }
        Err(message) => {
            output.error(&format!("error: {message}"));
            ExitStatus::Wrong
        }
    }
}

/// Writes the files and gives the name of the module.
fn write(new: &New) -> Result<String, String> {
    let (package, module) = package_and_module(&new.directory)?;
    if let Some(problem) = go::name_problem(&module).filter(|_| new.go) {
        return Err(format!("{problem}\nhelp: choose another name"));
    }
    let opwright = Opwright::chosen(new)?;
    if new.ci && matches!(opwright, Opwright::Path(_)) {
        let message = "`--ci` needs an opwright that other machines find, and this is a checkout";
        return Err(format!("{message}\nhelp: add `--git URL`"));
    }
    let directory = &new.directory;
    let is_free = match fs::read_dir(directory) {
        Ok(mut entries) => entries.next().is_none(),
        Err(error) => error.kind() == io::ErrorKind::NotFound,
    };
    if !is_free {
        let shown = directory.display();
        return Err(format!("`{shown}` is there already\nhelp: give a directory that is not"));
    }
    let has_c = new.c || new.go;
    let additions = [
        (C, has_c),
        (GO, new.go),
        (CI, new.ci),
        (CI_C, new.ci && has_c),
        (CI_GO, new.ci && new.go),
    ];
    let mut files = BTreeMap::from(FILES);
    let mut parts = BTreeMap::new();
    for (addition, is_wanted) in &additions {
        let said = |text| if *is_wanted { text } else { "" };
        parts.extend(addition.parts.iter().map(|&(mark, text)| (mark, said(text))));
        files.extend(addition.files.iter().copied().filter(|_| *is_wanted));
    }
    let go_module = new.go_module.as_deref().unwrap_or(&module);
    for (path, template) in files {
        let text = parts
            .iter()
            .fold(template.to_owned(), |text, (mark, part)| text.replace(mark, part))
            .replace("@GO_MODULE@", go_module)
            .replace("@UPPER@", &module.to_uppercase())
            .replace("@PACKAGE@", &package)
            .replace("@TAKEN@", &taken(&new.operators)?)
            .replace("@MODULE@", &module)
            .replace("@OPWRIGHT@", &opwright.dependency("opwright"))
            .replace("@CODEGEN@", &opwright.dependency("codegen"));
        write_file(&directory.join(path.replace("@MODULE@", &module)), &text)?;
    }
    if let Some(versions) = opwright.lock_file() {
        write_file(&directory.join("Cargo.lock"), &versions)?;
    }
    Ok(module)
}

/// What `opwright::module!` says of the operators that are taken in.
fn taken(operators: &[String]) -> Result<String, String> {
    if let Some(odd) = operators.iter().find(|it| !is_word(it)) {
        return Err(format!("`{odd}` is not the name of an operator\nhelp: write `add,mul`"));
    }
    Ok(match operators {
        [] => String::new(),
        some => format!(", operators = [{}]", some.join(", ")),
    })
}

fn is_word(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|it| it == b'_' || it.is_ascii_alphanumeric())
}

fn write_file(path: &Path, text: &str) -> Result<(), String> {
    let directory = path.parent().unwrap_or(path);
    fs::create_dir_all(directory)
        .and_then(|()| fs::write(path, text))
        .map_err(|error| format!("cannot write `{}`: {error}", path.display()))
}

/// The names of the package and of the module: `my-ops` and `my_ops`.
fn package_and_module(directory: &Path) -> Result<(String, String), String> {
    let named = std::path::absolute(directory).ok();
    let name = named.as_deref().and_then(Path::file_name).and_then(|it| it.to_str());
    let name = name.ok_or_else(|| format!("`{}` names no crate", directory.display()))?;
    let module = name.replace('-', "_");
    let starts_with_letter = name.starts_with(|it: char| it.is_ascii_lowercase());
    let is_word = module.bytes().all(|it| matches!(it, b'a'..=b'z' | b'0'..=b'9' | b'_'));
    if !starts_with_letter || !is_word {
        return Err(format!(
            "`{name}` cannot be the name of a crate and of a Python module\n\
             help: begin with a letter, and use lower case letters, digits and `_`"
        ));
    }
    if names::ident(&module) != module || names::is_python_keyword(&module) {
        return Err(format!("`{module}` is a keyword\nhelp: choose another name"));
    }
    if RESERVED.contains(&module.as_str()) {
        return Err(format!("`{module}` has a meaning of its own\nhelp: choose another name"));
    }
    if let Some(taken) = taken_by(&module) {
        let message = format!("`{module}` is the name of {taken}, which would hide this module");
        return Err(format!("{message}\nhelp: choose another name, such as `{module}_ops`"));
    }
    Ok((name.to_owned(), module))
}

impl Opwright {
    /// What the command line says; without an answer the checkout that this
    /// command was built from, and if there is none, the version of the command.
    fn chosen(new: &New) -> Result<Self, String> {
        if let Some(url) = &new.git {
            return Ok(Opwright::Git(url.clone()));
        }
        let own = Path::new(env!("CARGO_MANIFEST_DIR")).parent();
        match (&new.path, own) {
            (Some(path), _) => match checkout(path) {
                Some(path) => Ok(Opwright::Path(path)),
                None => Err(format!(
                    "`{0}` is no checkout of opwright: there is no `{0}/opwright/Cargo.toml`",
                    path.display()
                )),
            },
            (None, own) => Ok(match own.and_then(checkout) {
                Some(path) => Opwright::Path(path),
                None => Opwright::Version(env!("CARGO_PKG_VERSION")),
            }),
        }
    }

    /// What `Cargo.toml` says of the crate in a folder of the project.
    fn dependency(&self, folder: &str) -> String {
        let place = match self {
            Opwright::Path(root) => {
                format!("path = {}", quoted(&root.join(folder).to_string_lossy()))
            }
            Opwright::Git(url) => format!("git = {}", quoted(url)),
            Opwright::Version(version) => format!("version = {}", quoted(version)),
        };
        format!("{{ {place} }}")
    }

    /// The versions of other crates that a checkout was tested with.
    fn lock_file(&self) -> Option<String> {
        match self {
            Opwright::Path(root) => fs::read_to_string(root.join("Cargo.lock")).ok(),
            Opwright::Git(_) | Opwright::Version(_) => None,
        }
    }
}

/// The full path of a directory that has the crates of opwright.
fn checkout(path: &Path) -> Option<PathBuf> {
    let root = path.canonicalize().ok()?;
    let is_complete =
        ["opwright", "codegen"].iter().all(|it| root.join(it).join("Cargo.toml").exists());
    is_complete.then_some(root)
}

/// A string of TOML, which has the escapes of JSON.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_crates_and_modules() {
        let names = |path: &str| package_and_module(Path::new(path));
        let good = |package: &str, module: &str| Ok((package.to_owned(), module.to_owned()));
        assert_eq!(names("a/my-ops"), good("my-ops", "my_ops"));
        assert_eq!(names("./ops2/"), good("ops2", "ops2"));
        for bad in ["a/pandas", "a/test", "a/random", "a/torch"] {
            assert!(names(bad).expect_err(bad).contains("which would hide this module"), "{bad}");
        }
        for bad in ["a/2ops", "a/My", "a/a.b", "a/type", "a/lambda", "a/opwright", "a/ops", "/"] {
            assert!(names(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn dependencies_are_quoted() {
        let git = Opwright::Git("https://example.org/\"a\"".to_owned());
        assert_eq!(git.dependency("codegen"), r#"{ git = "https://example.org/\"a\"" }"#);
        let version = Opwright::Version("0.1.0").dependency("opwright");
        assert_eq!(version, r#"{ version = "0.1.0" }"#);
    }
}
