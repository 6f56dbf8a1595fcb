//! No module of the generator or of the macros uses one that uses it, be it by
//! way of others: each can be read with what is below it alone. What the Python
//! side does for eager calls reaches layers above by its table of hooks alone.
//!
//! A file is a module; what stands in inline modules, such as tests, and in
//! tokens of macros is not looked at.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use opwright_codegen::build::rust_files;
use syn::visit::{self, Visit};
use syn::{ItemMod, ItemUse, UseTree, Visibility};

/// `["form", "arrays"]`; the root has none.
type Module = Vec<String>;

#[test]
fn no_modules_use_each_other() {
    for package in ["codegen", "macros"] {
        let files = files(package);
        let circle = circle(&files);
        assert!(circle.is_none(), "a circle of modules in {package}: {circle:?}");
    }
}

#[test]
fn hooks_are_the_only_way_up_to_graphs() {
    let files = files("python-bindings");
    let above = ["graph", "hooks", "module"];
    let eager = files
        .iter()
        .filter(|(module, _)| module.first().is_some_and(|it| !above.contains(&it.as_str())));
    for (module, text) in eager {
        let used = used(&files, module, text);
        let graph = used.iter().find(|it| it.first().is_some_and(|it| it == "graph"));
        assert!(graph.is_none(), "{module:?} uses {graph:?}, and not the table of hooks");
    }
}

/// The text of each module of a package.
fn files(package: &str) -> BTreeMap<Module, String> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(package).join("src");
    let files = rust_files(&source).into_iter().map(|file| {
        let text = fs::read_to_string(&file).expect("a file that can be read");
        let below = file.strip_prefix(&source).expect("a file below the root");
        (module(&below.with_extension("")), text)
    });
    let files: BTreeMap<Module, String> = files.collect();
    assert!(files.len() > 4, "{package} has only {} files", files.len());
    files
}

#[test]
fn a_circle_is_found() {
    let files = |texts: &[(&str, &str)]| -> BTreeMap<Module, String> {
        let files = texts.iter().map(|(path, text)| (module(Path::new(path)), (*text).to_owned()));
        files.collect()
    };
    let straight = [
        ("lib", "mod a; mod b;"),
        ("a", "mod c; use self::c::C; use crate::b; fn f() { c::g() }"),
        ("a/c", "pub(super) struct C; mod tests { use super::super::d; }"),
        ("b", "use std::fmt::{self, Display};"),
    ];
    assert_eq!(circle(&files(&straight)), None);
    let through_a_third = [("b", "use crate::a::{c, D};"), ("a/c", "fn f() { crate::b::g() }")];
    let by_the_parent = [("a/c", "use super::{A, B};")];
    let by_a_glob = [("b", "pub use super::a::*;")];
    for wrong in [&through_a_third[..], &by_the_parent, &by_a_glob] {
        let all: Vec<_> = straight.iter().chain(wrong).copied().collect();
        assert!(circle(&files(&all)).is_some(), "{wrong:?}");
    }
}

/// The module of a file without its extension.
fn module(path: &Path) -> Module {
    let mut words: Module = path.iter().map(|it| it.to_string_lossy().into_owned()).collect();
    words.pop_if(|it| ["lib", "mod"].contains(&it.as_str()));
    words
}

/// Modules of which each uses the next, and the last one the first.
fn circle(files: &BTreeMap<Module, String>) -> Option<Vec<Module>> {
    let uses: BTreeMap<&Module, BTreeSet<Module>> =
        files.iter().map(|(module, text)| (module, used(files, module, text))).collect();
    let mut sound = BTreeSet::new();
    uses.keys().find_map(|module| back(&uses, module, &mut Vec::new(), &mut sound))
}

/// The way from a module back to one that led to it.
fn back(
    uses: &BTreeMap<&Module, BTreeSet<Module>>,
    module: &Module,
    way: &mut Vec<Module>,
    sound: &mut BTreeSet<Module>,
) -> Option<Vec<Module>> {
    if let Some(at) = way.iter().position(|it| it == module) {
        return Some(way[at..].to_vec());
    }
    if sound.contains(module) {
        return None;
    }
    way.push(module.clone());
    let found = uses[module].iter().find_map(|it| back(uses, it, way, sound));
    way.pop();
    sound.insert(module.clone());
    found
}

/// The modules of the same package that a file names.
fn used(files: &BTreeMap<Module, String>, module: &Module, text: &str) -> BTreeSet<Module> {
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
fn target(files: &BTreeMap<Module, String>, module: &Module, path: &[String]) -> Option<Module> {
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
