//! Our tree of a YAML file says what serde_yaml reads from it.

mod shared;

use opwright_diagnostics::Sources;
use opwright_diagnostics::diag::Diagnostics;
use opwright_schema::yaml::{YamlNode, YamlValue, entries};
use serde_yaml::Value as Expected;

#[track_caller]
fn check(name: &str, text: &str) {
    let mut sources = Sources::new();
    let id = sources.add(name, text);
    let mut cx = Diagnostics::new();
    let nodes = entries(&mut cx, &sources, id);
    assert_eq!(cx.finish(), Ok(Vec::new()));
    let expected: Expected = serde_yaml::from_str(text).expect("valid YAML");
    let expected = expected.as_sequence().expect("a list");
    assert_eq!(nodes.len(), expected.len());
    for (node, expected) in nodes.iter().zip(expected) {
        compare(&sources, node, expected);
    }
}

fn compare(sources: &Sources, node: &YamlNode<'_>, expected: &Expected) {
    let place = || sources.text(&node.span).to_owned();
    match (&node.value, expected) {
        (YamlValue::Scalar { .. }, Expected::Null) => assert!(node.is_null(), "{}", place()),
        (YamlValue::Scalar { .. }, Expected::Bool(value)) => {
            assert_eq!(node.bool(), Some(*value), "{}", place());
        }
        (YamlValue::Scalar { text, .. }, Expected::Number(number)) => {
            assert_eq!(text.parse().ok(), number.as_f64(), "{}", place());
        }
        (YamlValue::Scalar { text, .. }, Expected::String(expected)) => {
            assert_eq!(text, expected);
            let exact = node.text_span();
            if exact.range.len() == text.len() {
                assert_eq!(sources.text(&exact), text);
            }
        }
        (YamlValue::Sequence(items), Expected::Sequence(expected)) => {
            assert_eq!(items.len(), expected.len(), "{}", place());
            items.iter().zip(expected).for_each(|(it, expected)| compare(sources, it, expected));
        }
        (YamlValue::Mapping(pairs), Expected::Mapping(expected)) => {
            assert_eq!(pairs.len(), expected.len(), "{}", place());
            for ((key, value), (expected_key, expected)) in pairs.iter().zip(expected) {
                compare(sources, key, expected_key);
                compare(sources, value, expected);
            }
        }
        _ => panic!("{} is not {expected:?}", place()),
    }
}

#[test]
fn agrees_on_every_file() {
    for name in ["native_functions.yaml", "derivatives.yaml", "deprecated.yaml", "tags.yaml"] {
        let Some(text) = shared::read(&format!("upstream/{name}")) else { return };
        check(name, &text);
    }
}

#[test]
fn agrees_on_forms_of_values() {
    check(
        "forms.yaml",
        r#"
- plain text: value # comment
  'quoted': "with \"escapes\" and \u00e9"
  empty:
  list: [a, 'b, c', {d: e}]
  "block": |
    first

    second
  folded: >-
    one
    two
  folded without a sign: one
    two
  numbers: [1, -2, 0.5, 1e3]
  truth: [true, False]
  nothing: [null, ~]
- - nested
  - list
"#,
    );
}
