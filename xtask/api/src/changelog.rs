//! The changelog, by the names that its first release calls changed.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::Path;

/// The sections in which an item that is gone may stand.
const SECTIONS: [&str; 3] = ["Changed", "Deprecated", "Removed"];

/// Words in backticks of the sections about what changed.
pub(crate) struct Changelog {
    words: BTreeSet<String>,
}

impl Changelog {
    /// Reads the release that comes next.
    ///
    /// # Errors
    ///
    /// If there is no such file.
    pub(crate) fn read(path: &Path) -> io::Result<Self> {
        Ok(Self::of(&fs::read_to_string(path)?))
    }

    fn of(text: &str) -> Self {
        let release = text.split("\n## ").nth(1).unwrap_or_default();
        let sections = release.split("\n### ").skip(1);
        let changed = sections.filter(|it| SECTIONS.iter().any(|name| it.starts_with(name)));
        let quoted = changed.flat_map(|it| it.split('`').skip(1).step_by(2));
        Self { words: quoted.flat_map(words).map(str::to_owned).collect() }
    }

    /// Whether it has the name of an item.
    pub(crate) fn has(&self, item: &str) -> bool {
        name(item).is_some_and(|it| self.words.contains(it))
    }
}

/// The last word of the path of an item: of `pub fn a::B::c(&self) -> D` it is `c`; of an
/// implementation, the type.
fn name(item: &str) -> Option<&str> {
    let is_implementation = item.starts_with("impl") || item.starts_with("unsafe impl");
    let path = match item.split_once(" for ") {
        Some((_, implementor)) if is_implementation => implementor,
        _ if is_implementation => item.rsplit(' ').next()?,
        _ => item.split_once(": ").map_or(item, |(path, _)| path),
    };
    let ends = ['(', '<', '=', '!'];
    words(path.split(ends).next()?).last()
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|it: char| !it.is_alphanumeric() && it != '_').filter(|it| !it.is_empty())
}

#[test]
fn items_have_the_last_word_of_their_path() {
    for (item, expected) in [
        ("pub fn a::B::c<T: D>(&self, e::F) -> g::H", "c"),
        ("pub struct a::B<T>", "B"),
        ("pub a::B::c: alloc::vec::Vec<d::E>", "c"),
        ("pub const a::B::C: usize", "C"),
        ("pub type a::B::C = d::E", "C"),
        ("impl<T: a::B> a::C for d::E<T>", "E"),
        ("impl a::C", "C"),
        ("pub macro a::b!", "b"),
        ("pub use a::b", "b"),
    ] {
        assert_eq!(name(item), Some(expected), "{item}");
    }
}

#[test]
fn only_what_changed_counts() {
    let text = "# Changelog\n\n## [Unreleased]\n\n### Added\n\n- `a::new`\n\n### Changed\n\n\
                - `a::old` is `a::other`\n\n## [0.1.0]\n\n### Removed\n\n- `older`\n";
    let changelog = Changelog::of(text);
    assert!(changelog.has("pub fn a::old()") && changelog.has("pub fn a::other()"));
    assert!(!changelog.has("pub fn a::new()") && !changelog.has("pub fn a::older()"));
}
