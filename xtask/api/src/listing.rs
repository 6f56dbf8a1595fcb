//! Public items of one crate, a line each.

use std::collections::BTreeSet;
use std::error::Error;
use std::fs;
use std::path::Path;

/// The items of a crate, with their signatures, as Rust writes them.
pub(crate) struct Listing {
    /// The crate, as Rust spells it.
    pub(crate) name: String,
    pub(crate) items: BTreeSet<String>,
}

impl Listing {
    /// The listings of a folder.
    ///
    /// # Errors
    ///
    /// If one cannot be read, or there is none.
    pub(crate) fn all(folder: &Path) -> Result<Vec<Self>, Box<dyn Error>> {
        let mut found = Vec::new();
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            let Some(name) = path.file_stem().and_then(|it| it.to_str()) else { continue };
            let items = fs::read_to_string(&path)?.lines().map(str::to_owned).collect();
            found.push(Self { name: name.to_owned(), items });
        }
        found.sort_by(|one, other| one.name.cmp(&other.name));
        if found.is_empty() {
            return Err(format!("`{}` has no listing", folder.display()).into());
        }
        Ok(found)
    }

    /// What rustdoc wrote of a crate. Traits that the compiler implements by itself, and those that
    /// are derived, go without a line.
    ///
    /// # Errors
    ///
    /// If it wrote nothing, or in a format that is not read.
    pub(crate) fn of_json(folder: &Path, name: &str) -> Result<Self, Box<dyn Error>> {
        let path = folder.join(format!("{name}.json"));
        let api = public_api::Builder::from_rustdoc_json(&path)
            .omit_blanket_impls(true)
            .omit_auto_trait_impls(true)
            .omit_auto_derived_impls(true)
            .build()
            .map_err(|error| format!("`{}`: {error}", path.display()))?;
        let items = api.items().map(ToString::to_string).collect();
        Ok(Self { name: name.to_owned(), items })
    }

    /// The items that another listing does not have.
    pub(crate) fn without<'a>(&'a self, other: &'a Self) -> impl Iterator<Item = &'a String> {
        self.items.difference(&other.items)
    }

    /// Takes the place of the listing in a folder.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub(crate) fn write(&self, folder: &Path) -> Result<(), Box<dyn Error>> {
        let text: String = self.items.iter().map(|it| format!("{it}\n")).collect();
        Ok(fs::write(folder.join(format!("{}.txt", self.name)), text)?)
    }
}
