//! Properties: what is accepted is printed back, and nothing ever panics.

mod shared;

use opwright_diagnostics::diag::{Diagnostic, Diagnostics};
use opwright_diagnostics::{Sources, render};
use opwright_schema::model::{SourceId, Span};
use opwright_schema::parse::parse_schema;
use opwright_schema::types::Natives;
use opwright_schema::{Input, load, parse_one};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;

const BASES: [&str; 21] = [
    "Tensor",
    "int",
    "SymInt",
    "bool",
    "SymBool",
    "float",
    "Scalar",
    "str",
    "ScalarType",
    "Layout",
    "Device",
    "DeviceIndex",
    "MemoryFormat",
    "Generator",
    "Dimname",
    "DimVector",
    "QScheme",
    "Storage",
    "Stream",
    "GraphModule",
    "__torch__.torch.classes.a.B",
];

fn name() -> impl Strategy<Value = String> {
    "[a-z][a-z0-9]{0,6}"
}

fn op_name() -> impl Strategy<Value = String> {
    let base = prop_oneof![
        name(),
        name().prop_map(|it| format!("{it}_")),
        name().prop_map(|it| format!("{it}_functional")),
        "[a-hj-z]{1,6}".prop_map(|it| format!("__{it}__")),
        Just("__iand__".to_owned()),
    ];
    let overload = option::of("[A-Za-z_][A-Za-z0-9_]{0,6}(\\.[a-z]{1,3})?");
    let namespace = option::of(name());
    (namespace, base, overload).prop_map(|(namespace, base, overload)| {
        let namespace = namespace.map(|it| format!("{it}::")).unwrap_or_default();
        let overload = overload.map(|it| format!(".{it}")).unwrap_or_default();
        format!("{namespace}{base}{overload}")
    })
}

fn plain_type() -> impl Strategy<Value = String> {
    let suffix = select(vec!["", "?", "[]", "[3]", "[]?", "[2]?", "?[]", "[2]?[]", "[][10]"]);
    (select(BASES.to_vec()), suffix).prop_map(|(base, suffix)| format!("{base}{suffix}"))
}

fn annotated_type() -> impl Strategy<Value = String> {
    let annotation = prop_oneof![
        "[a-z]!?",
        "[a-z]\\|[a-z]",
        "[a-z]!? -> \\*",
        "[a-z]\\|[a-z] -> [a-z]",
        "[a-z]! -> [a-z]\\|[a-z]",
    ];
    let suffix = select(vec!["", "?", "[]"]);
    (annotation, suffix).prop_map(|(annotation, suffix)| format!("Tensor({annotation}){suffix}"))
}

fn any_type() -> impl Strategy<Value = String> {
    prop_oneof![4 => plain_type(), 1 => annotated_type()]
}

fn default() -> impl Strategy<Value = String> {
    prop_oneof![
        select(vec!["None", "True", "False", "Mean", "long", "[]", "''", "\"a\\\"b'\""])
            .prop_map(str::to_owned),
        any::<i64>().prop_map(|it| it.to_string()),
        "-?(0|[1-9][0-9]{0,3})\\.[0-9]{1,4}",
        "[1-9](\\.[0-9])?e-?[0-9]{1,2}",
        vec(-9..9_i64, 1..4).prop_map(|it| format!("{it:?}").replace(' ', "")),
        "'[a-z .()]{0,5}'",
    ]
}

fn param() -> impl Strategy<Value = String> {
    (any_type(), name(), option::of(default())).prop_map(|(ty, name, default)| match default {
        Some(default) => format!("{ty} {name}={default}"),
        None => format!("{ty} {name}"),
    })
}

fn params() -> impl Strategy<Value = String> {
    let keyword = (plain_type(), name()).prop_map(|(ty, name)| format!("{ty} {name}"));
    let out = name().prop_map(|it| format!("Tensor(a!) {it}"));
    (vec(param(), 0..5), vec(keyword, 0..4), vec(out, 0..3)).prop_map(
        |(mut all, keywords, outs)| {
            if !keywords.is_empty() || !outs.is_empty() {
                all.push("*".to_owned());
            }
            all.extend(keywords.into_iter().chain(outs));
            all.join(", ")
        },
    )
}

fn returns() -> impl Strategy<Value = String> {
    let single = (any_type(), option::of(name())).prop_map(|(ty, name)| match name {
        Some(name) => format!("{ty} {name}"),
        None => ty,
    });
    vec(single, 0..4).prop_map(|all| match all.as_slice() {
        [single] => single.clone(),
        all => format!("({})", all.join(", ")),
    })
}

fn schema() -> impl Strategy<Value = String> {
    (op_name(), params(), returns())
        .prop_map(|(name, params, returns)| format!("{name}({params}) -> {returns}"))
}

/// Texts that look like schemas for long enough to reach every rule.
fn almost_schema() -> impl Strategy<Value = String> {
    let token = select(vec![
        "foo",
        "foo_",
        "__iadd__",
        "Tensor",
        "int",
        "self",
        "out",
        "(",
        ")",
        "(a!)",
        "(a",
        "!",
        "|",
        "[",
        "]",
        "[]",
        "[2]",
        "?",
        ", ",
        ",",
        "*",
        "=",
        "1",
        "-",
        "->",
        " -> ",
        " ",
        "'",
        "\"",
        "\\",
        ".",
        "::",
        "None",
        "1e",
        "\u{e9}",
        "\u{1f600}",
        "\n",
        "()",
        "-1",
        "0.5",
    ]);
    vec(token, 0..30).prop_map(|tokens| tokens.concat())
}

/// Every place lies in its text, and showing the findings works.
fn check_places(sources: &Sources, items: &[Diagnostic]) {
    for item in items {
        for span in item.span.iter().chain(item.secondary.iter().map(|(span, _)| span)) {
            let text = sources.file(span.source).text();
            assert!(text.get(span.range.clone()).is_some(), "{span:?} of {text:?}: {item:?}");
        }
        assert!(item.message.chars().next().is_some_and(|it| !it.is_uppercase()), "{item:?}");
    }
    assert_eq!(render(sources, items).is_empty(), items.is_empty());
}

fn check_schema(text: &str) {
    let mut sources = Sources::new();
    sources.add("text", text);
    match parse_one(text) {
        Ok(schema) => assert_eq!(schema.to_string(), text),
        Err(errors) => check_places(&sources, &errors),
    }
}

fn check_document(text: &str) {
    for kind in 0..4 {
        let mut sources = Sources::new();
        let id = sources.add("text.yaml", text);
        let mut input = Input::default();
        match kind {
            0 => input.yaml.push(id),
            1 => input.tags = Some(id),
            2 => input.deprecated = Some(id),
            _ => input.derivatives = Some(id),
        }
        if let Err(errors) = load(&sources, &input) {
            check_places(&sources, &errors);
        }
    }
}

const DOCUMENT: &str = "\
# Every key of an entry.
- func: add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor
  variants: function, method
  structured_delegate: add.out
  doc: |
    Adds.

    Twice.
  python:
    name: plus
    operators: [__add__, __radd__]
    keyword_aliases: {other: [x2]}
  deprecated:
  - add(Tensor self, Scalar alpha, Tensor other) -> Tensor
- func: add.out(Tensor self, Tensor other, *, Scalar alpha=1, Tensor(a!) out) -> Tensor(a!)
  structured: elementwise
  dispatch:
    CPU, CUDA: native::add_out
- func: rand(SymInt[] size, *, Generator? generator=None) -> Tensor
  tags: [nondeterministic_seeded]
  dispatch: {CPU: rand}
  autogen: rand.out
- tag: core
  desc: \"text\"
- name: add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor
  self, other: f(grad, result)
  output_differentiability: [True]
  result: auto_linear
- name: add(Tensor self, Scalar alpha, Tensor other) -> Tensor
  aten: add(self, other, alpha)
";

/// The document with a few pieces replaced.
fn mutated_document() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        ".{0,3}",
        select(vec!["", " ", "\n", "- ", ": ", "'", "\"", "[", "}", "{", "*a", "&a ", "#", "\t"])
            .prop_map(str::to_owned),
        select(vec!["---\n", "- func: ", "dispatch", "\u{feff}", "!!int ", "? ", "<<: ", "\r\n"])
            .prop_map(str::to_owned),
    ];
    let edit = (any::<prop::sample::Index>(), 0..6_usize, piece);
    vec(edit, 1..5).prop_map(|edits| {
        let mut chars: Vec<char> = DOCUMENT.chars().collect();
        for (at, len, piece) in edits {
            let at = at.index(chars.len());
            let end = (at + len).min(chars.len());
            chars.splice(at..end, piece.chars());
        }
        chars.into_iter().collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, ..ProptestConfig::default() })]

    #[test]
    fn prints_what_it_parsed(text in schema()) {
        let mut cx = Diagnostics::new();
        let span = Span::new(SourceId(0), 0..text.len());
        let parsed = parse_schema(&mut cx, Natives::NONE, &text, &span);
        // Some of these are refused, for instance for an in-place overload of a dunder.
        match cx.finish() {
            Ok(_) => prop_assert_eq!(parsed.sound().expect("no errors").to_string(), text),
            Err(errors) => prop_assert!(false, "{text}: {errors:#?}"),
        }
    }

    #[test]
    fn schemas_never_panic(text in almost_schema()) {
        check_schema(&text);
    }

    #[test]
    fn texts_never_panic(text in any::<String>()) {
        check_schema(&text);
        check_document(&text);
    }

    #[test]
    fn documents_never_panic(text in mutated_document()) {
        check_document(&text);
    }
}

#[test]
fn deep_nesting_is_an_error() {
    check_schema(&format!("f(int{} x) -> Tensor", "[]".repeat(100_000)));
    check_schema(&format!("f({}", "(".repeat(100_000)));
    check_schema(&"f(".repeat(100_000));
    check_document(&"[".repeat(100_000));
    check_document(&"- ".repeat(100_000));
    check_document(&format!("- func: {}", "{a: ".repeat(10_000)));
}

#[test]
fn truncated_files_never_panic() {
    let Some(text) = shared::read("upstream/native_functions.yaml") else { return };
    for at in (0..20_000).step_by(499) {
        check_document(&text[..at]);
    }
}
