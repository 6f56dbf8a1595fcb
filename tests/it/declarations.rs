//! Module declarations of `ops/src`: each file has a `mod` line, in order.
//!
//! `cargo xtask develop`, `op` and `bless` write those that are missing.

use std::fs;
use std::path::Path;

use opwright_codegen::build::rust_files;
use syn::Item;

#[test]
fn every_file_of_operators_is_declared() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../ops/src");
    let files = rust_files(&root);
    assert!(files.len() > 100, "only {} files were found", files.len());
    let mut wrong = Vec::new();
    for file in &files {
        let is_folder = file.ends_with("mod.rs");
        let module = if is_folder { file.parent().expect("a folder") } else { file };
        let folder = module.parent().expect("a folder");
        if module == root.join("lib.rs") {
            continue;
        }
        let declaring = [folder.join("lib.rs"), folder.join("mod.rs"), folder.with_extension("rs")];
        let declaring = declaring.iter().find(|it| it.exists()).expect("a file that declares");
        let name = module.file_stem().expect("a name").to_string_lossy();
        if !declared(declaring).iter().any(|it| *it == name) {
            wrong.push(format!("{} has no `mod {name};`", declaring.display()));
        }
    }
    assert!(wrong.is_empty(), "`cargo xtask develop` declares files:\n{}", wrong.join("\n"));
    for file in &files {
        let names = declared(file);
        assert!(names.is_sorted(), "`mod` lines of {} are not sorted: {names:?}", file.display());
    }
}

/// The modules that a file declares without their text.
fn declared(file: &Path) -> Vec<String> {
    let text = fs::read_to_string(file).expect("a source file");
    let items = syn::parse_file(&text).expect("a file of Rust").items;
    let modules = items.into_iter().filter_map(|it| match it {
        Item::Mod(it) if it.content.is_none() => Some(it.ident.to_string()),
        _ => None,
    });
    modules.collect()
}
