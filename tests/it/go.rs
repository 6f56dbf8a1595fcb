//! The package for Go: names of operators, and what people wrote beside what is printed.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use opwright_codegen::print::go::{self, written};

use crate::reference::operators;

#[test]
fn operators_have_the_names_that_are_told() {
    let names = go::names(&operators().ops);
    let told = [
        "MM",
        "BMM",
        "TopK",
        "TopKOut",
        "RandN",
        "AddMM",
        "AddMV",
        "AllClose",
        "MatMul",
        "Argmax",
        "Add",
        "AddI",
        "AddScalar",
        "AddScalarI",
        "Max",
        "MaxDim",
        "MaxDimOut",
        "MaxOther",
        "SumDims",
        "MeanDims",
        "Pow",
        "PowScalar",
        "Split",
        "Transpose",
        "Softmax",
        "LogSoftmax",
        "Where",
        "WhereScalarSelf",
        "WhereDefault",
        "DivTensorMode",
        "Clamp",
        "ClampTensor",
        "Squeeze",
        "SqueezeDim",
        "InternalSoftmax",
        "DunderAnd",
        "LinalgDet",
        "MMOut",
        "FFTRFFT",
        "RMSNorm",
        "IsNaN",
        "NLLLoss",
        "LinalgLU",
        "RandNLike",
    ];
    for name in told {
        assert!(names.iter().any(|it| it == name), "{name}");
    }
    let once: BTreeSet<&String> = names.iter().collect();
    assert_eq!(once.len(), names.len());
}

/// What people write is copied for other libraries, but for the description of the package.
#[test]
fn what_is_written_is_copied() {
    let written: BTreeSet<String> = written_files().iter().map(|it| name(it).to_owned()).collect();
    let copied = written::files().map(|it| format!("{it}.go")).chain(["doc.go".to_owned()]);
    assert_eq!(written, copied.collect());
}

/// What people write is known to the printer, which gives it to no operator.
#[test]
fn what_is_written_is_known() {
    let (mut names, mut methods) = (BTreeSet::new(), BTreeSet::new());
    for path in written_files() {
        let text = fs::read_to_string(path).expect("a source");
        declared(&text, &mut names, &mut methods);
    }
    let unknown = |found: &BTreeSet<String>, known: BTreeSet<&str>| -> Vec<String> {
        found.iter().filter(|it| !known.contains(it.as_str())).cloned().collect()
    };
    assert_eq!(unknown(&names, written::names().collect()), Vec::<String>::new());
    assert_eq!(unknown(&methods, written::methods().collect()), Vec::<String>::new());
}

/// The files of the package that people wrote, without tests.
fn written_files() -> Vec<PathBuf> {
    let entries = fs::read_dir(root().join("opwright")).expect("the package");
    let paths = entries.map(|it| it.expect("an entry").path());
    let is_written =
        |name: &str| name.ends_with(".go") && !name.contains("_gen") && !name.ends_with("_test.go");
    paths.filter(|it| is_written(name(it))).collect()
}

/// The exported names of a file, and the methods of tensors.
fn declared(text: &str, names: &mut BTreeSet<String>, methods: &mut BTreeSet<String>) {
    let mut in_block = false;
    for line in text.lines() {
        let word = |it: &str| {
            it.split(|it: char| !it.is_alphanumeric() && it != '_')
                .next()
                .unwrap_or_default()
                .to_owned()
        };
        let exported = |it: &String| it.starts_with(|it: char| it.is_ascii_uppercase());
        if let Some(method) = line.strip_prefix("func (") {
            let of_tensor =
                method.split_once(" Tensor) ").or_else(|| method.split_once(" *Tensor) "));
            methods.extend(of_tensor.map(|(_, it)| word(it)).filter(exported));
        } else if let Some(rest) =
            ["func ", "type ", "var ", "const "].iter().find_map(|it| line.strip_prefix(it))
        {
            in_block = rest == "(";
            names.extend(Some(word(rest)).filter(exported));
        } else if let Some(rest) = line.strip_prefix('\t').filter(|_| in_block) {
            let listed = rest.split(['=', ' ']).next().unwrap_or_default();
            names.extend(listed.split(',').map(word).filter(exported));
        } else if line == ")" {
            in_block = false;
        }
    }
}

fn name(path: &Path) -> &str {
    path.file_name().and_then(|it| it.to_str()).unwrap_or_default()
}

/// The folder of the Go module.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../go")
}
