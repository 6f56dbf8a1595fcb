//! The generator knows the runtime's rules by name, though it does not know
//! the runtime; editors and readers are told what it knows.

use std::fs;
use std::path::Path;

use opwright_codegen::attribute::option_names;
use opwright_codegen::rules::RULES;
use opwright_schema::entry;
use serde_json::Value;
use syn::{Item, Visibility};

#[test]
fn the_generator_knows_all_rules_of_the_runtime() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../runtime/src/structured/rule.rs");
    let text = fs::read_to_string(path).expect("the runtime's rules");
    let file = syn::parse_file(&text).expect("a source file that parses");
    let public = file.items.iter().filter_map(|it| match it {
        Item::Fn(func) if matches!(func.vis, Visibility::Public(_)) => {
            Some(func.sig.ident.to_string())
        }
        _ => None,
    });
    let mut rules: Vec<String> = public.collect();
    rules.sort();
    assert_eq!(rules, RULES);
}

#[test]
fn editors_complete_the_same_rules() {
    let schema: Value = serde_json::from_str(entry::JSON_SCHEMA).expect("JSON");
    let place = "/definitions/entry/properties/structured/anyOf/1/enum";
    let listed = schema.pointer(place).and_then(Value::as_array).expect("a list of rules");
    let mut listed: Vec<&str> = listed.iter().filter_map(Value::as_str).collect();
    listed.sort_unstable();
    assert_eq!(listed, RULES);
}

#[test]
fn the_macro_documents_all_options() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../macros/src/lib.rs");
    let text = fs::read_to_string(path).expect("the macro");
    let rows: Vec<&str> = text.lines().filter(|it| it.starts_with("/// | `")).collect();
    for name in option_names() {
        let [alone, with_value] = [format!("`{name}`"), format!("`{name} = ")];
        let is_listed = rows.iter().any(|it| it.contains(&alone) || it.contains(&with_value));
        assert!(is_listed, "`{name}` is missing from the table of `native_op`");
    }
}
