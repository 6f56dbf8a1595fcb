//! Layering of the crates: the edges between ours, and the libraries that each may not know.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

use serde_json::Value;

/// Each package, and those of ours that it may depend on (build dependencies included).
const ALLOWED: &[(&str, &[&str])] = &[
    ("opwright-formula", &[]),
    ("opwright-diagnostics", &[]),
    ("opwright-tables", &[]),
    ("opwright-schema", &["opwright-diagnostics", "opwright-formula", "opwright-tables"]),
    ("opwright-codegen", &["opwright-diagnostics", "opwright-formula", "opwright-schema"]),
    ("opwright-macros", &["opwright-diagnostics", "opwright-schema", "opwright-codegen"]),
    ("opwright-jit-macros", &[]),
    ("opwright-vecmath", &[]),
    ("opwright-runtime", &["opwright-tables", "opwright-vecmath"]),
    ("opwright-jit", &["opwright-diagnostics", "opwright-runtime", "opwright-vecmath"]),
    ("opwright-graph", &["opwright-runtime", "opwright-jit", "opwright-formula"]),
    ("opwright-fft", &["opwright-runtime"]),
    ("opwright-linalg", &["opwright-runtime"]),
    (
        "opwright-ops",
        &[
            "opwright-runtime",
            "opwright-vecmath",
            "opwright-fft",
            "opwright-linalg",
            "opwright-macros",
            "opwright-codegen",
        ],
    ),
    (
        "opwright-python-bindings",
        &[
            "opwright-diagnostics",
            "opwright-formula",
            "opwright-graph",
            "opwright-jit",
            "opwright-ops",
            "opwright-runtime",
            "opwright-schema",
        ],
    ),
    ("opwright-module", &["opwright-python-bindings", "opwright-ops", "opwright-codegen"]),
    ("opwright-c-bindings", &["opwright-runtime", "opwright-ops", "opwright-codegen"]),
    (
        "opwright",
        &[
            "opwright-runtime",
            "opwright-jit",
            "opwright-jit-macros",
            "opwright-ops",
            "opwright-macros",
            "opwright-python-bindings",
            "opwright-c-bindings",
        ],
    ),
    ("opwright-cli", &["opwright-diagnostics", "opwright-schema", "opwright-codegen"]),
    ("opwright-public-api", &[]),
    ("opwright-xtask", &[]),
];

/// Packages that must not know these libraries.
const FORBIDDEN: &[(&str, &[&str])] = &[
    ("opwright-diagnostics", &["syn", "quote", "proc-macro2", "pyo3"]),
    ("opwright-formula", &["syn", "quote", "proc-macro2", "pyo3"]),
    ("opwright-schema", &["syn", "quote", "proc-macro2", "pyo3"]),
    ("opwright-codegen", &["pyo3", "ndarray"]),
    ("opwright-macros", &["pyo3", "ndarray"]),
    ("opwright-tables", &["syn", "quote", "proc-macro2", "pyo3", "ndarray", "rayon"]),
    ("opwright-vecmath", &["syn", "quote", "proc-macro2", "pyo3", "ndarray", "rayon"]),
    ("opwright-runtime", &["syn", "quote", "proc-macro2", "pyo3", "serde-saphyr"]),
    ("opwright-jit", &["syn", "quote", "proc-macro2", "pyo3"]),
    ("opwright-graph", &["syn", "quote", "proc-macro2", "pyo3"]),
    ("opwright-fft", &["syn", "quote", "proc-macro2", "pyo3", "ndarray"]),
    ("opwright-linalg", &["syn", "quote", "proc-macro2", "pyo3", "ndarray"]),
    ("opwright-ops", &["pyo3", "faer", "rustfft"]),
    ("opwright-c-bindings", &["pyo3", "pyo3-ffi"]),
];

/// What each package of the workspace depends on, tests aside.
fn dependencies() -> BTreeMap<String, BTreeSet<String>> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version=1", "--no-deps", "--offline"])
        .output()
        .expect("cargo metadata runs");
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("cargo prints JSON");
    let packages = metadata["packages"].as_array().expect("a list of packages");
    packages.iter().map(|it| (text(&it["name"]), edges(&it["dependencies"]))).collect()
}

fn edges(dependencies: &Value) -> BTreeSet<String> {
    let all = dependencies.as_array().expect("a list of dependencies");
    all.iter().filter(|it| it["kind"] != "dev").map(|it| text(&it["name"])).collect()
}

fn text(value: &Value) -> String {
    value.as_str().expect("a string").to_owned()
}

#[test]
fn crates_use_only_those_below_them() {
    let dependencies = dependencies();
    for (package, allowed) in ALLOWED {
        let ours = dependencies[*package].iter().filter(|it| it.starts_with("opwright"));
        let unexpected: Vec<&String> = ours.filter(|it| !allowed.contains(&it.as_str())).collect();
        assert!(unexpected.is_empty(), "{package} must not use {unexpected:?}");
    }
}

#[test]
fn crates_do_not_know_what_is_none_of_their_business() {
    let dependencies = dependencies();
    for (package, forbidden) in FORBIDDEN {
        for library in *forbidden {
            assert!(!dependencies[*package].contains(*library), "{package} must not use {library}");
        }
    }
}

#[test]
fn every_package_is_in_the_table() {
    let known: BTreeSet<&str> = ALLOWED.iter().map(|it| it.0).chain(["opwright-tests"]).collect();
    for package in dependencies().keys() {
        assert!(known.contains(package.as_str()), "{package} is missing from the table");
    }
}
