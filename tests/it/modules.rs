//! Strongly connected components of the modules of each crate: files that use each other, be it
//! by way of others, can be read together alone. `circles.toml` lists those that there are, with
//! the reason of each; `OPWRIGHT_BLESS=1` writes it again and keeps the reasons. The folders of the
//! Python side are layers, of which each uses those before it alone.
//!
//! A file is a module, whose root holds nothing but declarations; what stands in inline modules,
//! such as tests, and in tokens of macros is not looked at.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::{env, fs};

use opwright_codegen::build::rust_files;
use serde::Deserialize;
use syn::visit::{self, Visit};
use syn::{ItemMod, ItemUse, UseTree, Visibility};

/// `["form", "arrays"]`; the root has none.
type Module = Vec<String>;

/// The text of each module of a crate.
type Files = BTreeMap<Module, String>;

/// The most files of a circle that stays.
const MOST: usize = 4;

/// What `circles.toml` lists.
#[derive(Deserialize)]
struct Listed {
    #[serde(default)]
    circle: Vec<Circle>,
}

/// Files that use each other, each by way of the others.
#[derive(Deserialize)]
struct Circle {
    #[serde(rename = "crate")]
    package: String,
    files: Vec<String>,
    reason: String,
}

impl Circle {
    /// What it is compared by.
    fn key(&self) -> (&str, &[String]) {
        (&self.package, &self.files)
    }

    /// How many files another one has in common with it.
    fn shared(&self, other: &Circle) -> usize {
        let is_same = self.package == other.package;
        other.files.iter().filter(|it| is_same && self.files.contains(it)).count()
    }
}

#[test]
fn circles_of_modules_are_listed() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("it/circles.toml");
    let text = fs::read_to_string(&path).expect("the list of circles");
    let listed = toml::from_str::<Listed>(&text).expect("a list of circles").circle;
    let found: Vec<Circle> = packages().iter().flat_map(|it| circles(it, &files(it))).collect();
    if env::var_os("OPWRIGHT_BLESS").is_some() {
        fs::write(&path, printed(&found, &listed)).expect("a file that can be written");
        return;
    }
    for it in &listed {
        let Circle { package, files, reason } = it;
        let is_known = found.iter().any(|other| other.key() == it.key());
        assert!(is_known, "no circle of {package} any more, or other files: {files:?}; bless");
        assert!(!reason.is_empty(), "say in circles.toml why there is a circle of {files:?}");
        assert!(files.len() <= MOST, "a circle of {} files in {package}: {files:?}", files.len());
    }
    for it in &found {
        let is_listed = listed.iter().any(|other| other.key() == it.key());
        assert!(is_listed, "files of {} use each other: {:?}", it.package, it.files);
    }
}

/// The file that lists circles, with the reasons that were known of them.
fn printed(found: &[Circle], listed: &[Circle]) -> String {
    let mut text = "# Files that use each other, and why: `modules.rs` compares.\n".to_owned();
    for it in found {
        let known = listed.iter().max_by_key(|other| it.shared(other));
        let reason = known.filter(|other| it.shared(other) > 0).map_or("", |it| &it.reason);
        let files: String = it.files.iter().map(|it| format!("    {it:?},\n")).collect();
        text += &format!(
            "\n[[circle]]\ncrate = {:?}\nreason = {reason:?}\nfiles = [\n{files}]\n",
            it.package,
        );
    }
    text
}

/// The folders of the workspace that have sources.
fn packages() -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let manifest = fs::read_to_string(root.join("Cargo.toml")).expect("the workspace");
    let manifest: toml::Table = manifest.parse().expect("a manifest");
    let members = manifest["workspace"]["members"].as_array().expect("members").iter();
    let members = members.map(|it| it.as_str().expect("a folder").to_owned());
    members.filter(|it| root.join(it).join("src").is_dir()).collect()
}

/// The folders of the Python side in layers; `lib` declares them.
const LAYERS: &[&[&str]] = &[
    &["raw"],
    &["object"],
    &["interop"],
    &["types"],
    &["args"],
    &["call"],
    &["op"],
    &["autograd"],
    &["construct"],
    &["storage"],
    &["tensor"],
    &["graph", "jit"],
    &["xla"],
    &["module"],
];

#[test]
fn layers_of_the_python_side_use_those_before_them() {
    let files = files("python-bindings");
    let layer = |module: &Module| LAYERS.iter().position(|it| it.contains(&module[0].as_str()));
    for (module, text) in files.iter().filter(|(module, _)| !module.is_empty()) {
        let own = layer(module).unwrap_or_else(|| panic!("{module:?} is in no layer"));
        for other in used(&files, module, text) {
            assert!(layer(&other) <= Some(own), "{module:?} uses {other:?}, which is above it");
        }
    }
}

/// The text of each module of a package.
fn files(package: &str) -> Files {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(package).join("src");
    let files = rust_files(&source).into_iter().map(|file| {
        let text = fs::read_to_string(&file).expect("a file that can be read");
        let below = file.strip_prefix(&source).expect("a file below the root");
        (module(&below.with_extension("")), text)
    });
    let files: Files = files.collect();
    assert!(!files.is_empty(), "{package} has no files");
    files
}

#[test]
fn a_circle_is_found() {
    let found = |texts: &[(&str, &str)]| {
        let files = texts.iter().map(|(path, text)| (module(Path::new(path)), (*text).to_owned()));
        let circles = circles("", &files.collect());
        circles.into_iter().map(|it| it.files.join(" ")).collect::<Vec<_>>()
    };
    let straight = [
        ("lib", "mod a; mod b;"),
        ("a", "mod c; use self::c::C; use crate::b; fn f() { c::g() }"),
        ("a/c", "pub(super) struct C; mod tests { use super::super::d; }"),
        ("b", "use std::fmt::{self, Display};"),
    ];
    assert!(found(&straight).is_empty());
    let through_a_third = [("b", "use crate::a::{c, D};"), ("a/c", "fn f() { crate::b::g() }")];
    let by_the_parent = [("a/c", "use super::{A, B};")];
    let by_a_glob = [("b", "pub use super::a::*;")];
    let wrong = [(&through_a_third[..], "a a/c b"), (&by_the_parent, "a a/c"), (&by_a_glob, "a b")];
    for (added, expected) in wrong {
        let all: Vec<_> = straight.iter().chain(added).copied().collect();
        assert_eq!(found(&all), [expected], "{added:?}");
    }
}

/// The module of a file without its extension.
fn module(path: &Path) -> Module {
    let mut words: Module = path.iter().map(|it| it.to_string_lossy().into_owned()).collect();
    words.pop_if(|it| ["lib", "mod"].contains(&it.as_str()));
    words
}

/// The strongly connected components of more than one module.
fn circles(package: &str, files: &Files) -> Vec<Circle> {
    let uses: BTreeMap<&Module, BTreeSet<Module>> =
        files.iter().map(|(module, text)| (module, used(files, module, text))).collect();
    let reached: BTreeMap<&Module, BTreeSet<&Module>> =
        files.keys().map(|module| (module, reached(&uses, module))).collect();
    let mut seen = BTreeSet::new();
    let mut circles = Vec::new();
    for (module, others) in &reached {
        let circle: Vec<_> = others.iter().filter(|it| reached[**it].contains(module)).collect();
        if !circle.is_empty() && seen.insert(*circle[0]) {
            let files = circle.iter().map(|it| it.join("/")).collect();
            circles.push(Circle { package: package.to_owned(), files, reason: String::new() });
        }
    }
    circles
}

/// The modules that one uses, be it by way of others: itself, if one of them uses it.
fn reached<'a>(
    uses: &'a BTreeMap<&Module, BTreeSet<Module>>,
    module: &Module,
) -> BTreeSet<&'a Module> {
    let mut reached = BTreeSet::new();
    let mut next: Vec<&Module> = uses[module].iter().collect();
    while let Some(module) = next.pop() {
        if reached.insert(module) {
            next.extend(&uses[module]);
        }
    }
    reached
}

/// The modules of the same package that a file names.
fn used(files: &Files, module: &Module, text: &str) -> BTreeSet<Module> {
    let file = syn::parse_file(text).expect("a file that parses");
    let mut names = Names::default();
    names.visit_file(&file);
    let mut used: BTreeSet<Module> =
        names.paths.iter().filter_map(|path| target(files, module, path)).collect();
    used.remove(module);
    // It holds nothing but declarations.
    used.remove(&Module::new());
    used
}

/// The module that a path leads into, if it is one of the package.
fn target(files: &Files, module: &Module, path: &[String]) -> Option<Module> {
    let (mut at, mut rest) = match path.first()?.as_str() {
        "crate" => (Module::new(), &path[1..]),
        "self" => (module.clone(), &path[1..]),
        _ => (module.clone(), path),
    };
    while let [first, behind @ ..] = rest
        && first == "super"
    {
        at.pop();
        rest = behind;
    }
    let start = at.clone();
    for word in rest {
        at.push(word.clone());
        if !files.contains_key(&at) {
            at.pop();
            break;
        }
    }
    // A path without a mark leads to a child, or out of the package.
    let is_marked = ["crate", "self", "super"].contains(&path[0].as_str());
    (is_marked || at != start).then_some(at)
}

/// All paths of a file.
#[derive(Default)]
struct Names {
    paths: Vec<Vec<String>>,
}

impl Names {
    fn tree(&mut self, tree: &UseTree, before: &[String]) {
        let with = |word: String| [before, &[word]].concat();
        match tree {
            UseTree::Path(it) => self.tree(&it.tree, &with(it.ident.to_string())),
            UseTree::Name(it) => self.paths.push(with(it.ident.to_string())),
            UseTree::Rename(it) => self.paths.push(with(it.ident.to_string())),
            UseTree::Glob(_) => self.paths.push(before.to_vec()),
            UseTree::Group(it) => it.items.iter().for_each(|it| self.tree(it, before)),
        }
    }
}

impl<'ast> Visit<'ast> for Names {
    fn visit_item_use(&mut self, item: &'ast ItemUse) {
        if item.leading_colon.is_none() {
            self.tree(&item.tree, &[]);
        }
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        if path.leading_colon.is_none() {
            self.paths.push(path.segments.iter().map(|it| it.ident.to_string()).collect());
        }
        visit::visit_path(self, path);
    }

    // `pub(super)` says who may look, not what is used.
    fn visit_visibility(&mut self, _: &'ast Visibility) {}

    // An inline module has paths of its own.
    fn visit_item_mod(&mut self, _: &'ast ItemMod) {}
}
