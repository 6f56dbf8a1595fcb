//! The field's language: standard terms in all files, and one thing per type name.
//!
//! `language.toml` lists phrases that have a standard term, words that no header begins with, and
//! type names that several crates may have.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use opwright_codegen::build::rust_files;
use serde::Deserialize;
use syn::visit::{self, Visit};
use syn::{Ident, ItemEnum, ItemStruct, ItemTrait, ItemType, ItemUnion};

#[derive(Deserialize)]
struct Rules {
    phrases: BTreeMap<String, String>,
    texts: Texts,
    headers: Headers,
    types: TypeNames,
}

/// Which files are read for phrases.
#[derive(Deserialize)]
struct Texts {
    extensions: Vec<String>,
    skipped: Vec<String>,
}

#[derive(Deserialize)]
struct Headers {
    /// Words of a question, which name nothing.
    no_first_words: Vec<String>,
}

#[derive(Deserialize)]
struct TypeNames {
    most: usize,
    /// With the reason.
    exempt: BTreeMap<String, String>,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn rules() -> Rules {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("it/language.toml");
    toml::from_str(&fs::read_to_string(file).expect("the list")).expect("rules")
}

#[test]
fn standard_terms_are_used() {
    let rules = rules();
    let mut texts = Vec::new();
    collect_texts(&root(), &root(), &rules.texts, &mut texts);
    assert!(texts.len() > 1000, "only {} files were found", texts.len());
    let mut found = Vec::new();
    for file in texts {
        let text = fs::read_to_string(root().join(&file)).unwrap_or_default();
        found.extend(phrases(&rules, &file.to_string_lossy(), &text));
    }
    assert!(found.is_empty(), "there are standard terms for these:\n{}", found.join("\n"));
}

/// Each place with a phrase that has a standard term.
fn phrases(rules: &Rules, file: &str, text: &str) -> Vec<String> {
    let lower = text.to_lowercase();
    let mut found = Vec::new();
    for (phrase, term) in &rules.phrases {
        for (at, _) in lower.match_indices(phrase.as_str()) {
            let line = lower[..at].matches('\n').count() + 1;
            found.push(format!("{file}:{line}: \"{phrase}\", write \"{term}\""));
        }
    }
    found
}

fn collect_texts(root: &Path, folder: &Path, rules: &Texts, texts: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        let below = path.strip_prefix(root).expect("a path below the root").to_path_buf();
        let name = entry.file_name().to_string_lossy().into_owned();
        let is_skipped = name.starts_with('.')
            || rules.skipped.iter().any(|it| Path::new(it) == below || *it == name);
        match entry.file_type() {
            _ if is_skipped => {}
            Ok(kind) if kind.is_dir() => collect_texts(root, &path, rules, texts),
            Ok(kind) if kind.is_file() => {
                let extension = path.extension().unwrap_or_default().to_string_lossy();
                if rules.extensions.iter().any(|it| *it == extension) {
                    texts.push(below);
                }
            }
            _ => {}
        }
    }
}

#[test]
fn headers_name_their_subject() {
    let rules = rules();
    let mut found = Vec::new();
    for file in sources() {
        let text = fs::read_to_string(&file).expect("a file that can be read");
        if let Some(mistake) = header_mistake(&rules.headers, &text) {
            found.push(format!("{}: {mistake}", file.display()));
        }
    }
    assert!(found.is_empty(), "{} headers:\n{}", found.len(), found.join("\n"));
}

/// What is wrong with the first line of a file, which names the file's subject.
fn header_mistake(rules: &Headers, text: &str) -> Option<String> {
    let Some(header) = text.lines().next().and_then(|it| it.strip_prefix("//! ")) else {
        return Some("the first line is no header".to_owned());
    };
    let first = header.split([' ', ':', ',']).next().unwrap_or_default();
    rules
        .no_first_words
        .iter()
        .any(|it| it == first)
        .then(|| format!("begins with \"{first}\", and not with its subject"))
}

#[test]
fn type_names_are_borne_by_few() {
    let rules = rules().types;
    let mut bearers: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for file in sources() {
        let text = fs::read_to_string(&file).expect("a file that can be read");
        for name in type_names(&text) {
            let short = file.strip_prefix(root()).expect("a path below the root");
            bearers.entry(name).or_default().push(short.display().to_string());
        }
    }
    assert!(bearers.len() > 500, "only {} types were found", bearers.len());
    let many: Vec<_> = bearers
        .iter()
        .filter(|(name, files)| files.len() > rules.most && !rules.exempt.contains_key(*name))
        .map(|(name, files)| format!("{} {name}: {}", files.len(), files.join(" ")))
        .collect();
    assert!(
        many.is_empty(),
        "{} names of more than {}:\n{}",
        many.len(),
        rules.most,
        many.join("\n")
    );
    let borne = |name: &str| bearers.get(name).map_or(0, Vec::len);
    for name in rules.exempt.keys() {
        assert!(borne(name) > rules.most, "{name} needs no exemption any more");
    }
}

/// The names of the types of a file; associated types belong to their traits.
fn type_names(text: &str) -> Vec<String> {
    let mut names = Names::default();
    names.visit_file(&syn::parse_file(text).expect("a file that parses"));
    names.0
}

#[derive(Default)]
struct Names(Vec<String>);

impl Names {
    fn add(&mut self, name: &Ident) {
        self.0.push(name.to_string());
    }
}

impl<'ast> Visit<'ast> for Names {
    fn visit_item_struct(&mut self, item: &'ast ItemStruct) {
        self.add(&item.ident);
        visit::visit_item_struct(self, item);
    }

    fn visit_item_enum(&mut self, item: &'ast ItemEnum) {
        self.add(&item.ident);
        visit::visit_item_enum(self, item);
    }

    fn visit_item_trait(&mut self, item: &'ast ItemTrait) {
        self.add(&item.ident);
        visit::visit_item_trait(self, item);
    }

    fn visit_item_union(&mut self, item: &'ast ItemUnion) {
        self.add(&item.ident);
        visit::visit_item_union(self, item);
    }

    fn visit_item_type(&mut self, item: &'ast ItemType) {
        self.add(&item.ident);
        visit::visit_item_type(self, item);
    }
}

/// The Rust files of all crates of the workspace.
fn sources() -> Vec<PathBuf> {
    let crates = fs::read_dir(root()).expect("the root").flatten().map(|it| it.path().join("src"));
    let mut files: Vec<_> = crates.flat_map(|source| rust_files(&source)).collect();
    files.sort();
    assert!(files.len() > 500, "only {} sources were found", files.len());
    files
}

#[test]
fn mistakes_are_found() {
    let rules = rules();
    let found = phrases(&rules, "x.rs", "//! A.\n// It Hangs on that.\n");
    assert_eq!(found, ["x.rs:2: \"hangs on\", write \"depends on\""]);
    assert_eq!(header_mistake(&rules.headers, "//! Common subexpression elimination.\n"), None);
    assert!(header_mistake(&rules.headers, "//! What is done.\n").is_some());
    assert!(header_mistake(&rules.headers, "use std::fs;\n").is_some());
    let text = "struct A; fn f() { struct B; } impl T for A { type C = u8; } mod m { enum D {} }";
    assert_eq!(type_names(text), ["A", "B", "D"]);
}
