//! What an author sees: each file of `tests/ui` is full of mistakes, and what
//! is said about them stands beside it.
//!
//! `OPWRIGHT_BLESS=1` rewrites what stands there.

use std::fs;
use std::path::{Path, PathBuf};

use opwright_diagnostics::diag::{Diagnostic, Diagnostics};
use opwright_diagnostics::{Sources, render};
use opwright_schema::model::{Dispatch, DispatchKey, Span, Spanned};
use opwright_schema::parse::parse_schema;
use opwright_schema::types::Natives;
use opwright_schema::{Annotated, Derives, Input, codes, load, load_into};

/// Operators for the files that are about operators of others.
const SOUND: &str = "sound.yaml";

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ui")
}

fn files() -> Vec<String> {
    let entries = fs::read_dir(folder()).expect("the folder is there");
    let names = entries.map(|it| it.expect("an entry").file_name().into_string().expect("UTF-8"));
    let mut names: Vec<_> = names.filter(|it| it.ends_with(".yaml") && it != SOUND).collect();
    names.sort();
    names
}

/// Everything that is wrong with a file.
fn findings(sources: &mut Sources, name: &str) -> Vec<Diagnostic> {
    let mut add = |name: &str| {
        let text = fs::read_to_string(folder().join(name)).expect("the file is there");
        sources.add(name, text)
    };
    let mut input = Input::default();
    let file = add(name);
    match name {
        "tags.yaml" => input.tags = Some(file),
        "deprecated.yaml" => input.deprecated = Some(file),
        "derivatives.yaml" => input.derivatives = Some(file),
        "rewrites.yaml" => input.rewrites = Some(file),
        _ => input.yaml.push(file),
    }
    if input.yaml.is_empty() {
        input.yaml.push(add(SOUND));
    }
    load(sources, &input).expect_err("the file is full of mistakes")
}

#[track_caller]
fn check(name: &str, actual: &str) {
    let path = folder().join(name);
    if std::env::var_os("OPWRIGHT_BLESS").is_some() {
        fs::write(&path, actual).expect("the file can be written");
    }
    let expected = fs::read_to_string(&path).unwrap_or_default();
    assert!(actual == expected, "{name} is stale; OPWRIGHT_BLESS=1 updates it. Got:\n{actual}");
}

#[test]
fn mistakes_are_shown_as_expected() {
    for name in files() {
        let mut sources = Sources::new();
        let findings = findings(&mut sources, &name);
        check(&name.replace(".yaml", ".stderr"), &render(&sources, &findings));
    }
}

#[test]
fn mistakes_of_annotations_are_shown_as_expected() {
    let text = "#[native_op(\"foo(Tensr self) -> Tensor\", metod, tags = \"core, poitwise\")]\n\
                #[native_op(\"bar(Tensor self) -> Tensor\", method, python_module = \"nn\")]\n";
    let mut sources = Sources::new();
    let id = sources.add("src/kernels.rs", text);
    let place = |part: &str| {
        let start = text.find(part).expect("it is there");
        Spanned::new(part.to_owned(), Span::new(id, start..start + part.len()))
    };
    let mut cx = Diagnostics::new();
    let mut annotated = |schema: &str, line, options| Annotated {
        schema: Spanned::new(
            parse_schema(&mut cx, Natives::NONE, schema, &place(schema).span),
            place(schema).span,
        ),
        line,
        file: "src/kernels.rs".to_owned(),
        options,
        doc: String::new(),
        dispatch: vec![Dispatch {
            key: Spanned::new(DispatchKey::Cpu, place(schema).span),
            kernel: place(schema),
        }],
        derives: Derives::default(),
    };
    let flag = |name: &str| (place(name), Spanned::new(String::new(), place(name).span));
    let first = vec![flag("metod"), (place("tags"), place("core, poitwise"))];
    let second = vec![flag("method"), (place("python_module"), place("nn"))];
    let annotated = vec![
        annotated("foo(Tensr self) -> Tensor", 1, first),
        annotated("bar(Tensor self) -> Tensor", 2, second),
    ];
    load_into(&mut cx, &sources, &Input { annotated, ..Input::default() });
    let findings = cx.finish().expect_err("mistakes");
    check("annotations.stderr", &render(&sources, &findings));
}

#[test]
fn every_code_is_shown() {
    let mut shown: Vec<&str> = Vec::new();
    for name in files() {
        shown.extend(findings(&mut Sources::new(), &name).iter().map(|it| it.code));
    }
    // These come from elsewhere: the command, the generator.
    let elsewhere = [codes::UNREADABLE];
    for (code, title) in codes::TABLE {
        let known = shown.contains(code) || elsewhere.contains(code) || code.starts_with("E06");
        assert!(known, "nothing shows {code}: {title}");
    }
}
