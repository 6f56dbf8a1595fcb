//! The verdicts that were recorded of upstream's own parser and loader.
//!
//! We agree with all of them, but for those where upstream lets something
//! through that cannot work. These are listed here, with the reason.

mod shared;

use opwright_diagnostics::{Sources, render};
use opwright_schema::group::signature;
use opwright_schema::model::{Role, Schema};
use opwright_schema::{Input, load, parse_one};
use serde_json::Value;

/// What upstream accepts and we do not: the schema, or the name of the
/// document; the code of our error; and why.
const STRICTER: [(&str, &str, &str); 11] = [
    ("foo(Tensor self, int self) -> Tensor", "E0201", "two parameters have one name"),
    ("foo(Tensor x, Tensor x) -> Tensor", "E0201", "two parameters have one name"),
    ("1foo(Tensor self) -> Tensor", "E0101", "no name in Rust or Python starts with a digit"),
    ("foo (Tensor self) -> Tensor", "E0103", "the blank would be part of the name"),
    ("foo(int?? x) -> Tensor", "E0105", "nothing is optional twice"),
    ("foo(Tensor(a) self) -> Tensor(b)", "E0214", "the return aliases no parameter"),
    ("foo(Tensor self) -> (Tensor a, Tensor)", "E0216", "a named tuple needs all names"),
    ("foo.functional(Tensor(a!) self) -> Tensor(a!)", "E0215", "an in-place operator in disguise"),
    ("foo(Tensor(a!) self, Tensor b) -> Tensor(a!)", "E0215", "an in-place operator in disguise"),
    ("method no self", "E0315", "a method needs a receiver"),
    ("module unknown", "E0304", "upstream would silently bind the function nowhere"),
];

#[track_caller]
fn cases(name: &str) -> Option<Vec<Value>> {
    let text = shared::read(&format!("cases/{name}"))?;
    Some(serde_json::from_str(&text).expect("the recorded cases are JSON"))
}

fn text<'v>(case: &'v Value, key: &str) -> &'v str {
    case[key].as_str().expect("a text")
}

fn names(case: &Value, key: &str) -> Vec<String> {
    let list = case[key].as_array().expect("a list");
    list.iter().map(|it| it.as_str().expect("a name").to_owned()).collect()
}

/// The code that we are expected to reject with, if any.
fn stricter(name: &str) -> Option<&'static str> {
    STRICTER.iter().find(|(case, ..)| *case == name).map(|(_, code, _)| *code)
}

#[test]
fn schemas_get_the_recorded_verdict() {
    let Some(cases) = cases("schema_cases.json") else { return };
    for case in cases {
        let schema = text(&case, "schema");
        let result = parse_one(schema);
        match (result, stricter(schema)) {
            (Err(errors), Some(code)) => {
                assert_eq!(errors[0].code, code, "{schema}\n{errors:#?}");
            }
            (Ok(_), Some(_)) => panic!("accepted, but listed as stricter: {schema}"),
            (Ok(parsed), None) => {
                assert_eq!(case["ok"], true, "accepted, but recorded as rejected: {schema}");
                compare(&case, &parsed);
            }
            (Err(errors), None) => {
                assert_eq!(case["ok"], false, "recorded as accepted: {schema}\n{errors:#?}");
            }
        }
    }
}

#[track_caller]
fn compare(case: &Value, schema: &Schema) {
    let of_roles = |roles: &[Role]| -> Vec<String> {
        let params = schema.params.iter().filter(|it| roles.contains(&it.role));
        params.map(|it| it.name.value.clone()).collect()
    };
    let base = &schema.name.base;
    assert_eq!(schema.to_string(), text(case, "schema"));
    assert_eq!(schema.kind().to_string(), text(case, "kind"));
    assert_eq!(base.root, text(case, "base"));
    assert_eq!(base.inplace, case["inplace"]);
    assert_eq!(base.dunder, case["dunder"]);
    assert_eq!(schema.name.overload, text(case, "overload"));
    assert_eq!(of_roles(&[Role::Positional]), names(case, "positional"));
    assert_eq!(of_roles(&[Role::Keyword, Role::Option]), names(case, "kwonly"));
    assert_eq!(of_roles(&[Role::Out]), names(case, "out"));
    assert_eq!(schema.has_options(), case["tensor_options"]);
    assert_eq!(schema.receiver().is_some(), case["has_self"]);
    assert_eq!(signature(schema).to_string(), text(case, "signature"));
}

#[test]
fn documents_get_the_recorded_verdict() {
    let Some(cases) = cases("yaml_cases.json") else { return };
    for case in cases {
        let name = text(&case, "case");
        let mut sources = Sources::new();
        let file = sources.add("case.yaml", text(&case, "yaml"));
        let result = load(&sources, &Input::yaml(file));
        let shown = |errors: &[_]| format!("{name}\n{}", render(&sources, errors));
        match (result, stricter(name)) {
            (Err(errors), Some(code)) => assert_eq!(errors[0].code, code, "{}", shown(&errors)),
            (Ok(_), Some(_)) => panic!("accepted, but listed as stricter: {name}"),
            (Ok(_), None) => assert_eq!(case["ok"], true, "recorded as rejected: {name}"),
            (Err(errors), None) => assert_eq!(case["ok"], false, "{}", shown(&errors)),
        }
    }
}

#[test]
fn each_stricter_verdict_is_about_a_recorded_case() {
    let Some(schemas) = cases("schema_cases.json") else { return };
    let Some(documents) = cases("yaml_cases.json") else { return };
    let is_recorded = |name: &str| {
        schemas.iter().any(|it| text(it, "schema") == name)
            || documents.iter().any(|it| text(it, "case") == name)
    };
    assert!(STRICTER.iter().all(|(it, ..)| is_recorded(it)));
}
