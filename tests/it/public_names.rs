//! Public names of the runtime and of the facade, which crates of others use: none goes without a
//! word. `public_names.txt` lists them; one that is gone stands in CHANGELOG.md with what to write
//! instead.
//!
//! Methods are listed with their type or trait, all else by name alone, so that a file may move. What
//! is hidden from documentation belongs to printed code.

use std::collections::BTreeSet;
use std::fmt::Debug;
use std::path::Path;
use std::{env, fs};

use opwright_codegen::build::rust_files;
use opwright_runtime::tables::enumeration::ScalarKind;
use opwright_runtime::{Device, DispatchKey, ErrorKind, Layout, MemoryFormat, Reduction};
use syn::{Attribute, ImplItem, Item, ItemImpl, TraitItem, Type, Visibility};

/// The runtime hands on the enumerations and the sets of instructions.
const SOURCES: [&str; 4] =
    ["../runtime/src", "../tables/src", "../vecmath/src/isa", "../opwright/src"];

type Names = BTreeSet<String>;

#[test]
fn no_public_name_goes_without_a_word() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let file = root.join("it/public_names.txt");
    let listed: Names =
        fs::read_to_string(&file).unwrap_or_default().lines().map(str::to_owned).collect();
    let changelog = fs::read_to_string(root.join("../CHANGELOG.md")).expect("the changelog");
    let declared = declared(root);
    let gone: Vec<_> = listed.difference(&declared).filter(|it| !names(&changelog, it)).collect();
    assert!(gone.is_empty(), "say in CHANGELOG.md what to write instead of {gone:?}");
    if env::var_os("OPWRIGHT_BLESS").is_some() {
        let text: String = declared.iter().map(|it| format!("{it}\n")).collect();
        fs::write(&file, text).expect("a file that can be written");
        return;
    }
    let new: Vec<_> = declared.difference(&listed).collect();
    assert!(new.is_empty(), "OPWRIGHT_BLESS=1 lists {new:?}");
}

#[test]
fn what_is_public_is_found() {
    let text = "
        pub struct Seen; struct Unseen; #[doc(hidden)] pub struct Hidden;
        pub mod inner { pub fn below() {} }
        mod tests { pub fn test() {} }
        impl Seen { pub fn method(&self) {} fn private(&self) {} pub const LIMIT: u8 = 1; }
        impl<T> Seen for Vec<T> { fn of_a_trait(&self) {} }
        pub trait Read { fn read(&self); }
        pub enum Kind { One, Two }
        #[macro_export] macro_rules! each { () => {} }
        macro_rules! within { () => {} }
    ";
    let mut found = Names::new();
    collect(&syn::parse_file(text).expect("Rust").items, &mut found);
    let expected = [
        "Kind",
        "Kind::One",
        "Kind::Two",
        "Read",
        "Read::read",
        "Seen",
        "Seen::LIMIT",
        "Seen::method",
        "below",
        "each!",
    ];
    assert_eq!(found, expected.map(str::to_owned).into());
}

#[test]
fn the_changelog_names_what_is_gone() {
    assert!(names("- `view::select(x, 0)` stands for `x.at_index(0)`", "Tensor::at_index"));
    assert!(names("- `structured::Donation` is gone", "Donation"));
    assert!(!names("- the donation is gone", "Donation"));
    assert!(!names("- `at_index_of` is gone", "Tensor::at_index"));
}

/// Whether a text in backticks has the last word of a name.
fn names(changelog: &str, name: &str) -> bool {
    let word = name.trim_end_matches('!').rsplit("::").next().unwrap_or(name);
    let quoted = changelog.split('`').skip(1).step_by(2);
    let is_part = |it: char| it.is_alphanumeric() || it == '_';
    quoted.into_iter().any(|text| text.split(|it| !is_part(it)).any(|it| it == word))
}

fn declared(root: &Path) -> Names {
    let mut found = Names::new();
    for source in SOURCES {
        for file in rust_files(&root.join(source)) {
            let text = fs::read_to_string(&file).expect("a file that can be read");
            let parsed = syn::parse_file(&text).expect("a file of Rust");
            collect(&parsed.items, &mut found);
        }
    }
    found.extend(enumerations());
    assert!(found.len() > 500, "only {} names", found.len());
    found
}

/// What the enumerations of the tables have, which are made by macros.
fn enumerations() -> Names {
    const CONSTANTS: [&str; 9] = [
        "ALL",
        "CONSTANTS",
        "WORDS",
        "c_name",
        "from_name",
        "from_number",
        "from_variant",
        "name",
        "number",
    ];
    let mut found = Names::new();
    let mut note = |of: &str, all: &[&dyn Debug], names: &[&str]| {
        found.insert(of.to_owned());
        found.extend(all.iter().map(|it| format!("{of}::{it:?}")));
        found.extend(names.iter().map(|it| format!("{of}::{it}")));
    };
    macro_rules! note {
        ($($of:ident $names:expr;)*) => {$(
            note(stringify!($of), &$of::ALL.each_ref().map(|it| it as &dyn Debug), $names);
        )*};
    }
    note! {
        Device &CONSTANTS;
        ErrorKind &CONSTANTS;
        Layout &CONSTANTS;
        MemoryFormat &CONSTANTS;
        Reduction &CONSTANTS;
        ScalarKind &CONSTANTS;
    }
    let keys: Vec<&dyn Debug> = DispatchKey::ALL.iter().map(|it| it as &dyn Debug).collect();
    note("DispatchKey", &keys, &["ALL", "is_layer", "name"]);
    found
}

fn collect(items: &[Item], found: &mut Names) {
    for item in items {
        match item {
            Item::Const(it) => add(&it.vis, &it.attrs, it.ident.to_string(), found),
            Item::Fn(it) => add(&it.vis, &it.attrs, it.sig.ident.to_string(), found),
            Item::Static(it) => add(&it.vis, &it.attrs, it.ident.to_string(), found),
            Item::Struct(it) => add(&it.vis, &it.attrs, it.ident.to_string(), found),
            Item::Type(it) => add(&it.vis, &it.attrs, it.ident.to_string(), found),
            Item::Union(it) => add(&it.vis, &it.attrs, it.ident.to_string(), found),
            Item::Enum(it) => {
                add(&it.vis, &it.attrs, it.ident.to_string(), found);
                for variant in &it.variants {
                    let name = format!("{}::{}", it.ident, variant.ident);
                    add(&it.vis, &it.attrs, name, found);
                }
            }
            Item::Trait(it) => {
                add(&it.vis, &it.attrs, it.ident.to_string(), found);
                for name in it.items.iter().filter_map(name_in_trait) {
                    add(&it.vis, &it.attrs, format!("{}::{name}", it.ident), found);
                }
            }
            Item::Impl(it) if it.trait_.is_none() && !is_hidden(&it.attrs) => {
                collect_methods(it, found)
            }
            Item::Macro(it) if has(&it.attrs, "macro_export") && !is_hidden(&it.attrs) => {
                found.extend(it.ident.as_ref().map(|name| format!("{name}!")));
            }
            Item::Mod(it) if it.ident != "tests" && !is_hidden(&it.attrs) => {
                collect(it.content.as_ref().map_or(&[], |(_, items)| items), found);
            }
            _ => {}
        }
    }
}

fn collect_methods(block: &ItemImpl, found: &mut Names) {
    let Type::Path(path) = &*block.self_ty else { return };
    let Some(last) = path.path.segments.last() else { return };
    for item in &block.items {
        let (vis, attrs, name) = match item {
            ImplItem::Const(it) => (&it.vis, &it.attrs, &it.ident),
            ImplItem::Fn(it) => (&it.vis, &it.attrs, &it.sig.ident),
            _ => continue,
        };
        add(vis, attrs, format!("{}::{name}", last.ident), found);
    }
}

fn name_in_trait(item: &TraitItem) -> Option<String> {
    match item {
        TraitItem::Const(it) => Some(it.ident.to_string()),
        TraitItem::Fn(it) => Some(it.sig.ident.to_string()),
        TraitItem::Type(it) => Some(it.ident.to_string()),
        _ => None,
    }
}

fn add(vis: &Visibility, attrs: &[Attribute], name: String, found: &mut Names) {
    if matches!(vis, Visibility::Public(_)) && !is_hidden(attrs) {
        found.insert(name);
    }
}

fn has(attrs: &[Attribute], name: &str) -> bool {
    attrs.iter().any(|it| it.path().is_ident(name))
}

/// Whether `#[doc(hidden)]` stands before an item.
fn is_hidden(attrs: &[Attribute]) -> bool {
    let mut docs = attrs.iter().filter(|it| it.path().is_ident("doc"));
    docs.any(|it| it.parse_args::<syn::Ident>().is_ok_and(|word| word == "hidden"))
}
