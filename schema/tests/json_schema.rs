//! The JSON Schema of operator files: it has the words of the model, accepts
//! what the model accepts, and refuses what it can see to be wrong.

mod shared;

use std::fs;
use std::path::{Path, PathBuf};

use boon::{Compiler, SchemaIndex, Schemas};
use opwright_schema::{entry, tags};
use serde_json::Value;

/// What editors can tell without reading schemas or comparing entries.
const SEEN: [&str; 8] = ["E0003", "E0004", "E0102", "E0301", "E0302", "E0303", "E0304", "E0309"];

struct Validator {
    schemas: Schemas,
    index: SchemaIndex,
}

impl Validator {
    fn new() -> Self {
        let mut compiler = Compiler::new();
        compiler.add_resource("operators.json", document()).expect("a resource");
        let mut schemas = Schemas::new();
        let index = compiler.compile("operators.json", &mut schemas).expect("a JSON Schema");
        Validator { schemas, index }
    }

    /// What is wrong with a file, if anything.
    fn refusal(&self, yaml: &str) -> Option<String> {
        let value: Value = serde_yaml::from_str(yaml).expect("YAML");
        self.schemas.validate(&value, self.index).err().map(|it| it.to_string())
    }
}

fn document() -> Value {
    serde_json::from_str(entry::JSON_SCHEMA).expect("JSON")
}

fn project(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path)
}

fn read(path: &str) -> String {
    fs::read_to_string(project(path)).expect("the file is there")
}

/// The first block of YAML in a section of the page of an error code.
fn example(page: &str, section: &str) -> Option<String> {
    let (_, text) = page.split_once(&format!("\n## {section}\n"))?;
    let text = text.split("\n## ").next()?;
    let (_, text) = text.split_once("```yaml\n")?;
    Some(text.split_once("```")?.0.to_owned())
}

#[track_caller]
fn same_words(place: &str, expected: &[&str]) {
    let document = document();
    let found = document.pointer(place).unwrap_or_else(|| panic!("nothing at {place}"));
    let mut found: Vec<&str> = match found {
        Value::Object(properties) => properties.keys().map(String::as_str).collect(),
        other => other.as_array().expect("a list").iter().filter_map(Value::as_str).collect(),
    };
    let mut expected = expected.to_vec();
    found.sort_unstable();
    expected.sort_unstable();
    assert_eq!(found, expected, "{place}");
}

#[test]
fn it_has_the_words_of_the_model() {
    same_words("/definitions/entry/properties", &entry::KEYS);
    same_words("/definitions/entry/properties/python_module/enum", &entry::MODULES);
    same_words("/definitions/python/anyOf/1/properties", &entry::PYTHON_KEYS);
    same_words("/definitions/c/anyOf/1/properties", &entry::C_KEYS);
    same_words("/definitions/go/anyOf/1/properties", &entry::GO_KEYS);
    same_words("/definitions/tag/anyOf/0/enum", &tags::BUILT_IN);
}

#[test]
fn it_accepts_sound_files() {
    let validator = Validator::new();
    for path in ["native_functions.yaml", "examples/my_ops/native_functions.yaml"] {
        assert_eq!(validator.refusal(&read(path)), None, "{path}");
    }
}

#[test]
fn it_accepts_upstreams_file() {
    let Some(upstream) = shared::read("upstream/native_functions.yaml") else { return };
    assert_eq!(Validator::new().refusal(&upstream), None);
}

#[test]
fn it_refuses_what_it_can_see() {
    let validator = Validator::new();
    for code in SEEN {
        let page = read(&format!("docs/src/codes/{code}.md"));
        let mistake = example(&page, "Mistake").expect("a mistake");
        assert!(validator.refusal(&mistake).is_some(), "{code}:\n{mistake}");
    }
}

#[test]
fn it_accepts_every_mend() {
    let validator = Validator::new();
    for entry in fs::read_dir(project("docs/src/codes")).expect("the folder is there") {
        let path = entry.expect("an entry").path();
        let page = fs::read_to_string(&path).expect("a page");
        if let Some(mend) = example(&page, "Mend") {
            assert_eq!(validator.refusal(&mend), None, "{}:\n{mend}", path.display());
        }
    }
}
