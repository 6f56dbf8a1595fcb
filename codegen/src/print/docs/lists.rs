//! Prints the lists of all pages.

use super::place::{Page, PageNames, path};
use crate::file;
use crate::observed::Observed;
use crate::print::python::stub::Package;
use crate::signature::PythonFunction;

/// Prints the lists of these pages.
pub(super) struct Lists<'a> {
    pub(super) names: &'a PageNames<'a>,
    pub(super) package: &'a Package<'a>,
    pub(super) observed: &'a Observed,
}

/// A page in a list.
struct ListedPage {
    module: String,
    name: String,
    path: String,
    summary: Option<String>,
}

impl Lists<'_> {
    /// What each operator does, by module.
    pub(super) fn index(&self) -> Page {
        let text = self.list(
            "# Operators\n",
            |module| format!("## `{module}`"),
            |it| {
                let summary = it.summary.as_ref().map_or(String::new(), |it| format!(": {it}"));
                format!("- [`{}`]({}.md){summary}\n", it.name, it.path)
            },
        );
        Page { path: "index.md".to_owned(), text: file::markdown(&text) }
    }

    /// The table of contents that mdBook reads.
    pub(super) fn summary(&self) -> Page {
        let text = self.list(
            "# Summary\n\n[Operators](index.md)\n",
            |module| format!("# {module}"),
            |it| format!("- [{}]({}.md)\n", it.name, it.path),
        );
        Page { path: "SUMMARY.md".to_owned(), text: file::markdown(&text) }
    }

    fn list(
        &self,
        head: &str,
        heading: impl Fn(&str) -> String,
        line: impl Fn(&ListedPage) -> String,
    ) -> String {
        let mut text = head.to_owned();
        let mut current = String::new();
        for entry in self.entries() {
            if entry.module != current {
                text.push_str(&format!("\n{}\n\n", heading(&entry.module)));
                current.clone_from(&entry.module);
            }
            text.push_str(&line(&entry));
        }
        text
    }

    fn entries(&self) -> impl Iterator<Item = ListedPage> {
        self.names.iter().map(|((folder, name), flavours)| {
            let (module, shown) = self.place(folder, name, flavours);
            let summary = flavours.iter().find_map(|it| first_sentence(&it.doc));
            ListedPage { module, name: shown, path: path(folder, name), summary }
        })
    }

    /// Where people find it, as a module and a name.
    fn place(&self, folder: &str, name: &str, flavours: &[&PythonFunction]) -> (String, String) {
        let public = flavours.iter().find_map(|it| self.observed.public(it)?.rsplit_once('.'));
        if let Some((module, name)) = public {
            return (module.to_owned(), name.to_owned());
        }
        let module = match folder == self.package.name {
            true => folder.to_owned(),
            false => format!("{}.{folder}", self.package.name),
        };
        (module, name.to_owned())
    }
}

/// Of the first paragraph, on one line.
fn first_sentence(doc: &str) -> Option<String> {
    let paragraph = doc.split("\n\n").next()?.replace('\n', " ");
    let sentence = paragraph.split_inclusive(". ").next()?.trim_end();
    Some(sentence.to_owned()).filter(|it| !it.is_empty())
}
