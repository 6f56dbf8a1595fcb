//! Prints the lists of all pages: by the sections of the operator file, and by modules what stands
//! in none.

use opwright_schema::model::{OpSet, Origin};

use super::place::{Page, PageNames, path};
use crate::file;
use crate::observed::Observed;
use crate::print::python::stub::Package;
use crate::signature::PythonFunction;

/// Prints the lists of these pages.
pub(super) struct Lists<'a> {
    pub(super) ops: &'a OpSet,
    pub(super) names: &'a PageNames<'a>,
    pub(super) package: &'a Package<'a>,
    pub(super) observed: &'a Observed,
}

/// A page in a list.
struct ListedPage {
    /// The section's place among all, and its title; what is in none comes last.
    section: (usize, String),
    name: String,
    path: String,
    summary: Option<String>,
}

impl Lists<'_> {
    /// What each operator does.
    pub(super) fn index(&self) -> Page {
        let text = self.list(
            "# Operators\n",
            |title| format!("## {title}"),
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
            |title| format!("# {}", title.replace('`', "")),
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
        let mut current = None;
        for entry in self.entries() {
            if current.as_ref() != Some(&entry.section) {
                text.push_str(&format!("\n{}\n\n", heading(&entry.section.1)));
                current = Some(entry.section.clone());
            }
            text.push_str(&line(&entry));
        }
        text
    }

    fn entries(&self) -> Vec<ListedPage> {
        let sections = self.sections();
        let listed = |((folder, page), functions): (&(String, String), &Vec<&PythonFunction>)| {
            let (module, shown) = self.place(folder, page, functions);
            let title = functions.iter().find_map(|it| self.section(it));
            let place = title.and_then(|title| sections.iter().position(|it| *it == title));
            let (section, name) = match (place, title) {
                (Some(place), Some(title)) => {
                    ((place, capitalized(title)), self.below_package(&module, &shown))
                }
                _ => ((sections.len(), format!("`{module}`")), shown),
            };
            let summary = functions.iter().find_map(|it| first_sentence(&it.doc));
            ListedPage { section, name, path: path(folder, page), summary }
        };
        let mut pages: Vec<ListedPage> = self.names.iter().map(listed).collect();
        pages.sort_by(|a, b| a.section.cmp(&b.section));
        pages
    }

    /// What a name of a module is called in the package: `nn.functional.relu`.
    fn below_package(&self, module: &str, name: &str) -> String {
        let inner = module.strip_prefix(self.package.name).and_then(|it| it.strip_prefix('.'));
        inner.map_or_else(|| name.to_owned(), |inner| format!("{inner}.{name}"))
    }

    /// The titles of sections, in the order of the file.
    fn sections(&self) -> Vec<&str> {
        let mut titles: Vec<&str> = Vec::new();
        for title in self.ops.overloads.iter().filter_map(|it| title(&it.origin)) {
            if !titles.contains(&title) {
                titles.push(title);
            }
        }
        titles
    }

    fn section(&self, function: &PythonFunction) -> Option<&str> {
        let calls =
            function.signatures.iter().filter_map(|it| it.base.as_ref().or(it.out.as_ref()));
        calls.map(|it| &self.ops.overloads[it.overload].origin).find_map(title)
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

fn title(origin: &Origin) -> Option<&str> {
    match origin {
        Origin::Yaml { section, .. } => section.as_deref(),
        Origin::Annotation { .. } => None,
    }
}

fn capitalized(title: &str) -> String {
    let mut rest = title.chars();
    rest.next().map_or(String::new(), |it| it.to_uppercase().chain(rest).collect())
}

/// Of the first paragraph, on one line.
fn first_sentence(doc: &str) -> Option<String> {
    let paragraph = doc.split("\n\n").next()?.replace('\n', " ");
    let sentence = paragraph.split_inclusive(". ").next()?.trim_end();
    Some(sentence.to_owned()).filter(|it| !it.is_empty())
}
