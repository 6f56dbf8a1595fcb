//! Prints the page of one name.
//!
//! ```text
//! # `opwright.hypot`      the description
//! ## Python               signatures, of the function, the method, in place
//! ## Rust                 hypot::Default_::call(self_: &Tensor, other: &Tensor) -> Result<Tensor>
//! ## C                    ow_error *ow_hypot(const ow_tensor *self, ..), for a library for C
//! ## Go                   func Hypot(t, other Tensor) Tensor, for the reference module
//! ## Examples             >>> opwright.hypot(...), from the description
//! ## Gradient             the formulas, or why there are none
//! ## Dtypes, ## Shapes    what was observed
//! ## Schemas              with their places
//! ```
//!
//! A section without text is left out.

use std::collections::BTreeMap;

use opwright_schema::model::{OpSet, Origin, Overload, PythonModule};

use super::table::table;
use super::{gradient, signature};
use crate::formula::Differentiability;
use crate::markdown;
use crate::observed::Observed;
use crate::print::c::{self, REFERENCE};
use crate::print::go;
use crate::print::python::stub::{self, Package};
use crate::print::rust::methods;
use crate::signature::{Home, PythonFunction, Signature};

/// Prints pages; knows all that they are printed from.
pub(super) struct Pages<'a> {
    ops: &'a OpSet,
    package: &'a Package<'a>,
    observed: &'a Observed,
    /// By the overload's index, as far as it is known.
    gradients: &'a [Differentiability],
    /// What names in C begin with.
    c: Option<&'a str>,
    /// How functions are declared in Go, by the overload's index; none if there is no package.
    go: BTreeMap<usize, String>,
    /// By the overload's index.
    methods: BTreeMap<usize, String>,
}

impl<'a> Pages<'a> {
    pub(super) fn new(
        ops: &'a OpSet,
        package: &'a Package<'a>,
        observed: &'a Observed,
        gradients: &'a [Differentiability],
        c: Option<&'a str>,
    ) -> Self {
        let methods = methods::signatures(ops);
        let methods = methods.into_iter().map(|(idx, it)| (idx, signature::method(it))).collect();
        // There is a package of the reference library alone.
        let go = c.filter(|it| *it == REFERENCE).map(|_| go::signatures(ops)).unwrap_or_default();
        Pages { ops, package, observed, gradients, c, go, methods }
    }

    /// The text of a page; `flavours` are the functions and methods on it.
    pub(super) fn page(&self, name: &str, flavours: &[&PythonFunction]) -> String {
        let title = flavours.iter().find_map(|it| self.observed.public(it)).unwrap_or(name);
        let docs = distinct(self.overloads(flavours).map(|(_, it)| it.doc.trim()));
        let prose: Vec<String> = docs.iter().map(|it| markdown::prose(it)).collect();
        let has_function = flavours.iter().any(|it| it.home != Home::Method);
        let prose = match has_function {
            true => prose.iter().map(|it| markdown::with_input(it)).collect(),
            false => prose,
        };
        // Several descriptions stand beside the signatures that they are of.
        let prose = if self.described(flavours).is_some() { Vec::new() } else { prose };
        let examples: Vec<String> = docs.iter().map(|it| markdown::examples(it)).collect();
        let sections = [
            ("Python", self.python(flavours)),
            ("Rust", self.rust(flavours)),
            ("C", self.c(flavours)),
            ("Go", self.go(flavours)),
            ("Examples", fenced("python", &joined(&examples, "\n"))),
            ("Gradient", self.gradient(flavours)),
            ("Dtypes", self.dtypes(flavours)),
            ("Shapes", self.shapes(flavours)),
            ("Schemas", self.schemas(flavours)),
        ];
        let mut text = format!("# `{title}`\n\n{}", joined(&prose, "\n\n"));
        text.truncate(text.trim_end().len());
        text.push('\n');
        for (title, section) in sections.iter().filter(|(_, it)| !it.is_empty()) {
            text.push_str(&format!("\n## {title}\n\n{}\n", section.trim_end()));
        }
        text
    }

    /// The function or method whose signatures stand beside their descriptions, if these differ.
    fn described<'b>(&self, flavours: &[&'b PythonFunction]) -> Option<&'b PythonFunction> {
        self.shown(flavours).into_iter().find(|it| it.described().len() > 1)
    }

    /// The functions that people find; where there are none, those of the native module.
    fn shown<'b>(&self, flavours: &[&'b PythonFunction]) -> Vec<&'b PythonFunction> {
        let found: Vec<_> = flavours.iter().copied().filter(|it| !self.is_hidden(it)).collect();
        if found.is_empty() { flavours.to_vec() } else { found }
    }

    fn python(&self, flavours: &[&PythonFunction]) -> String {
        let described = self.described(flavours);
        let mut text = String::new();
        for function in self.shown(flavours) {
            let public = self.public(function);
            let further = function.aliases.iter().chain(&function.operators);
            let owner = self.owner(function);
            let mut names = vec![format!("`{public}`")];
            names.extend(further.map(|it| format!("`{owner}.{it}`")));
            let name = public.rsplit('.').next().unwrap_or(&public).to_owned();
            let renamed = PythonFunction { name, ..PythonFunction::clone(function) };
            text.push_str(&format!("{}\n\n", names.join(", ")));
            if let Some(written) = self.observed.written(function) {
                text.push_str(&format!("{}\n", fenced("python", written)));
                continue;
            }
            let groups = renamed.described();
            let is_described = described.is_some_and(|it| std::ptr::eq(it, function));
            let groups: Vec<(Vec<&Signature>, String)> = match is_described {
                true => {
                    groups.into_iter().map(|it| (it.signatures, markdown::prose(it.doc))).collect()
                }
                false => vec![(renamed.shown().collect(), String::new())],
            };
            for (signatures, prose) in groups {
                let lines = signatures.iter().map(|it| stub::line(&renamed, it, self.package.name));
                let lines: String = lines.collect();
                text.push_str(&format!("{}\n", fenced("python", &lines)));
                if !prose.trim().is_empty() {
                    text.push_str(&format!("{}\n\n", prose.trim()));
                }
            }
        }
        text
    }

    /// People do not find it: Python reaches it as an operator of the language, or finds another
    /// function by its name.
    fn is_hidden(&self, function: &PythonFunction) -> bool {
        let in_module = function.home != Home::Method;
        in_module && self.observed.of(function).is_some_and(|it| it.public.is_empty())
    }

    /// Where people find a function.
    fn public(&self, function: &PythonFunction) -> String {
        let (package, name) = (self.package.name, &function.name);
        match (&function.home, self.observed.public(function)) {
            (_, Some(known)) => known.to_owned(),
            (Home::Module(PythonModule::Sub(module)), None) if self.is_hidden(function) => {
                format!("{package}._C._{module}.{name}")
            }
            (Home::Module(PythonModule::Root), None) if self.is_hidden(function) => {
                format!("{package}._C.{name}")
            }
            _ => format!("{}.{name}", self.owner(function)),
        }
    }

    fn owner(&self, function: &PythonFunction) -> String {
        let package = self.package.name;
        match &function.home {
            Home::Module(PythonModule::Root) => package.to_owned(),
            Home::Module(PythonModule::Sub(module)) => format!("{package}.{module}"),
            Home::Method => format!("{package}.Tensor"),
        }
    }

    fn rust(&self, flavours: &[&PythonFunction]) -> String {
        let mut lines = Vec::new();
        for (idx, overload) in self.overloads(flavours) {
            let params = &overload.schema.params;
            if params.iter().any(|it| it.ty.value.base().is_empty()) {
                continue;
            }
            lines.push(signature::entry_point(overload));
            lines.extend(self.methods.get(&idx).cloned());
        }
        fenced("rust", &lines.join("\n"))
    }

    fn c(&self, flavours: &[&PythonFunction]) -> String {
        let Some(prefix) = self.c else { return String::new() };
        let functions = self.overloads(flavours);
        let functions = functions.filter_map(|(_, it)| c::model::CFunction::new(prefix, it));
        fenced("c", &functions.map(|it| c::header::signature(prefix, &it)).collect::<String>())
    }

    fn go(&self, flavours: &[&PythonFunction]) -> String {
        let lines = self.overloads(flavours).filter_map(|(idx, _)| self.go.get(&idx));
        fenced("go", &lines.map(String::as_str).collect::<Vec<_>>().join("\n"))
    }

    fn gradient(&self, flavours: &[&PythonFunction]) -> String {
        let overloads: Vec<_> = self.overloads(flavours).collect();
        gradient::section(self.ops, self.gradients, &overloads)
    }

    fn dtypes(&self, flavours: &[&PythonFunction]) -> String {
        let calls = flavours.iter().filter_map(|it| self.observed.of(it));
        let rows = calls.map(|it| &it.dtypes).find(|it| !it.is_empty());
        rows.map_or(String::new(), |it| table(["arguments", "result"], it))
    }

    fn shapes(&self, flavours: &[&PythonFunction]) -> String {
        let calls = flavours.iter().filter_map(|it| self.observed.of(it));
        let rows = calls.map(|it| &it.shapes).find(|it| !it.is_empty());
        rows.map_or(String::new(), |it| table(["call, with shapes for tensors", "result"], it))
    }

    fn schemas(&self, flavours: &[&PythonFunction]) -> String {
        let rows: Vec<[String; 2]> = self.overloads(flavours).map(|(_, it)| row(it)).collect();
        table(["schema", "place"], &rows)
    }

    /// The overloads that these functions call, in the order of their entries.
    fn overloads(
        &self,
        flavours: &[&PythonFunction],
    ) -> impl Iterator<Item = (usize, &'a Overload)> {
        let signatures = flavours.iter().flat_map(|it| &it.signatures);
        let calls = signatures.flat_map(|it: &Signature| it.base.iter().chain(&it.out));
        let mut indices: Vec<usize> = calls.map(|it| it.overload).collect();
        indices.sort_unstable();
        indices.dedup();
        let ops = self.ops;
        indices.into_iter().map(|idx| (idx, &ops.overloads[idx]))
    }
}

fn distinct<'a>(docs: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut kept = Vec::new();
    for doc in docs {
        if !doc.is_empty() && !kept.contains(&doc) {
            kept.push(doc);
        }
    }
    kept
}

/// Those that are not empty.
fn joined(texts: &[String], between: &str) -> String {
    let texts: Vec<&str> = texts.iter().map(String::as_str).filter(|it| !it.is_empty()).collect();
    texts.join(between)
}

/// A block of code, if there is any.
fn fenced(language: &str, code: &str) -> String {
    match code.trim_end() {
        "" => String::new(),
        code => format!("```{language}\n{code}\n```\n"),
    }
}

fn row(overload: &Overload) -> [String; 2] {
    let file = match &overload.origin {
        Origin::Yaml { file, .. } | Origin::Annotation { file } => file,
    };
    let since = overload.since.as_ref().map_or(String::new(), |it| format!(", since {it}"));
    [format!("`{}`", overload.schema), format!("{file}:{}{since}", overload.line)]
}
