//! Input files of a library: those of a crate.

use std::io;
use std::path::{Component, Path, PathBuf};

use proc_macro2::{TokenStream, TokenTree};
use syn::LitStr;

use crate::cfg::Config;

/// Reads a file; those who read a library touch none.
pub type ReadFile<'a> = dyn Fn(&Path) -> io::Result<String> + 'a;

/// Where a library is read from. Places are shown with these paths.
#[derive(Clone, Debug, Default)]
pub struct LibrarySource {
    /// Files of entries.
    pub yaml: Vec<PathBuf>,
    /// The file of gradients, if there is one.
    pub derivatives: Option<PathBuf>,
    /// The file of rewrites, if there is one.
    pub rewrites: Option<PathBuf>,
    /// The root file of the crate with the annotated functions.
    pub crate_root: PathBuf,
    /// What that crate is compiled with.
    pub config: Config,
    /// All files of Rust below its root, so that those of no module are found.
    pub files: Vec<PathBuf>,
    /// The crate is a Python module, as its root has to say.
    pub is_module: bool,
    /// Where the operators are described that the crate can take in.
    pub theirs: Theirs,
}

/// Where the operators of `opwright-ops` are described, for a crate that takes some of them in.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Theirs {
    /// In this file, which the build of that crate has written.
    File(PathBuf),
    /// In no file yet: nobody has built that crate.
    #[default]
    Unbuilt,
    /// Nowhere: the crate does not depend on that one.
    Absent,
}

impl LibrarySource {
    /// A crate in a directory: its root file, and the files of entries that
    /// its build script names. Without a manifest it is none that could be built.
    pub fn of_crate(directory: &Path, read: &ReadFile<'_>) -> Self {
        let script = read(&directory.join("build.rs")).unwrap_or_default();
        let mut yaml = Vec::new();
        yaml_files(script.parse().unwrap_or_default(), &mut yaml);
        let there = |it: &Path| read(it).is_ok();
        let yaml: Vec<PathBuf> =
            yaml.iter().map(|it| of_package(directory, Path::new(it), there)).collect();
        let found =
            |name: &str| beside(&yaml, directory, name).into_iter().find(|it| read(it).is_ok());
        LibrarySource {
            derivatives: found("derivatives.yaml"),
            rewrites: found("rewrites.yaml"),
            yaml,
            crate_root: plain(&directory.join("src/lib.rs")),
            config: Config::of_host(),
            files: Vec::new(),
            theirs: Theirs::Unbuilt,
            is_module: calls(script.parse().unwrap_or_default(), "module")
                && read(&directory.join("Cargo.toml")).is_ok(),
        }
    }
}

/// Where a file about the operators of a crate may lie: beside its entries, or in its directory, as
/// a crate may have annotations alone.
pub(crate) fn beside(yaml: &[PathBuf], directory: &Path, name: &str) -> Vec<PathBuf> {
    yaml.iter().map(|it| it.with_file_name(name)).chain([directory.join(name)]).collect()
}

/// Where a file of a crate lies, which is relative to its manifest. A package has nothing above it:
/// what stands there in the project lies beside its manifest.
pub(crate) fn of_package(
    directory: &Path,
    path: &Path,
    is_there: impl Fn(&Path) -> bool,
) -> PathBuf {
    let file = plain(&directory.join(path));
    let packed = path.file_name().map(|it| directory.join(it));
    match packed.filter(|it| path.starts_with("..") && !is_there(&file) && is_there(it)) {
        Some(packed) => packed,
        None => file,
    }
}

/// Whether a function of this name is called.
fn calls(tokens: TokenStream, name: &str) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Group(group) => calls(group.stream(), name),
        TokenTree::Ident(ident) => ident == name,
        TokenTree::Punct(_) | TokenTree::Literal(_) => false,
    })
}

/// The string literals that name YAML files.
fn yaml_files(tokens: TokenStream, found: &mut Vec<String>) {
    for token in tokens {
        match token {
            TokenTree::Group(group) => yaml_files(group.stream(), found),
            TokenTree::Literal(_) => {
                let text = syn::parse2(token.into()).map(|it: LitStr| it.value());
                found.extend(text.ok().filter(|it| it.ends_with(".yaml")));
            }
            TokenTree::Ident(_) | TokenTree::Punct(_) => {}
        }
    }
}

/// The same path without `..` behind the name of a directory.
pub(crate) fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        let is_below = matches!(plain.components().next_back(), Some(Component::Normal(_)));
        match part {
            Component::ParentDir if is_below => {
                plain.pop();
            }
            Component::CurDir => {}
            part => plain.push(part),
        }
    }
    plain
}

#[test]
fn packages_have_files_from_above_beside_their_manifest() {
    let found = |there: &str| {
        let is_there = |it: &Path| it == Path::new(there);
        of_package(Path::new("project/ops"), Path::new("../ops.yaml"), is_there)
    };
    assert_eq!(found("project/ops.yaml"), Path::new("project/ops.yaml"));
    assert_eq!(found("project/ops/ops.yaml"), Path::new("project/ops/ops.yaml"));
    assert_eq!(found(""), Path::new("project/ops.yaml"));
}
