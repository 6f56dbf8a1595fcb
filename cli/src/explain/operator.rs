//! Gradients of an operator, explained: the entry that is used, what is saved, and the
//! Rust that is printed for it.

use std::fmt::Write;

use opwright_codegen::file;
use opwright_codegen::formula::{Differentiability, Gradient, shown};
use opwright_codegen::library::Library;
use opwright_codegen::print::c::{self, REFERENCE};
use opwright_codegen::print::go;
use opwright_codegen::print::rust::gradient;
use opwright_diagnostics::Sources;
use opwright_schema::model::{Origin, Overload};

/// What is said of the overloads of this name: all of an operator, `add`, or one, `add.Tensor`;
/// nothing if there are none. The Rust is shown if it is that of a single overload. `c` is what names
/// in C begin with, if there is a library for C.
pub(super) fn explained(
    library: &Library,
    sources: &Sources,
    name: &str,
    c: Option<&str>,
) -> Option<String> {
    let overloads = &library.ops.overloads;
    let exact = overloads.iter().position(|it| it.schema.name.to_string() == name);
    let of_base = |it: &Overload| it.schema.name.base.to_string() == name;
    let meant: Vec<usize> = (0..overloads.len()).filter(|it| of_base(&overloads[*it])).collect();
    let meant = match (meant.as_slice(), exact) {
        ([], Some(exact)) => vec![exact],
        ([], None) => return None,
        _ => meant,
    };
    let known = library.differentiability();
    let explain = |idx: &usize| Explained { library, sources, c, known: known[*idx], idx: *idx };
    let explained: Vec<Explained<'_>> = meant.iter().map(explain).collect();
    let mut text: Vec<String> = explained.iter().map(Explained::text).collect();
    match explained.as_slice() {
        [only] => text.extend(only.rust()),
        [first, ..] => {
            let name = first.overload().schema.name.to_string();
            text.push(format!("`opwright explain {name}` shows the Rust of one of them\n"));
        }
        [] => {}
    }
    Some(text.join("\n"))
}

struct Explained<'a> {
    library: &'a Library,
    sources: &'a Sources,
    c: Option<&'a str>,
    known: Differentiability,
    idx: usize,
}

impl Explained<'_> {
    fn overload(&self) -> &Overload {
        &self.library.ops.overloads[self.idx]
    }

    fn gradient(&self) -> Option<&Gradient> {
        self.library.gradients[self.idx].as_ref()
    }

    fn text(&self) -> String {
        let overload = self.overload();
        let file = match &overload.origin {
            Origin::Yaml { file, .. } | Origin::Annotation { file } => file,
        };
        let mut text = format!("{}\n  {file}:{}\n", overload.schema, overload.line);
        text.push_str(&self.c());
        let _ = writeln!(text, "gradient: {}", self.known.words());
        if let Differentiability::Formulas(entry) = self.known {
            text.push_str(&self.entry(entry));
        }
        if let Some(gradient) = self.gradient() {
            text.push_str(&self.node(gradient));
        }
        text
    }

    fn c(&self) -> String {
        let Some(prefix) = self.c else { return String::new() };
        let mut text = match c::model::CFunction::new(prefix, self.overload()) {
            Some(function) => format!("C: {}", c::header::signature(prefix, &function)),
            None => "C: no function\n".to_owned(),
        };
        // There is a package for Go of the reference library alone.
        if prefix == REFERENCE {
            let all = go::signatures(&self.library.ops);
            text.extend(all.get(&self.idx).map(|it| format!("Go: {it}\n")));
        }
        text
    }

    fn entry(&self, number: usize) -> String {
        let entry = &self.library.ops.derivatives[number];
        let (place, file) =
            (self.sources.position(&entry.span), self.sources.file(entry.span.source));
        let mut text = format!("  {}:{}", file.name(), place.line);
        if entry.operator != self.idx {
            let of = &self.library.ops.overloads[entry.operator].schema.name;
            let _ = write!(text, ", that of `{of}`");
        }
        text.push('\n');
        for formula in shown(entry, self.overload()) {
            let _ = writeln!(text, "  {}: {}", formula.inputs, formula.formula);
        }
        text
    }

    /// What a recorded call leaves behind.
    fn node(&self, gradient: &Gradient) -> String {
        let params = &self.overload().schema.params;
        let name = |it: &usize| params[gradient.inputs[*it].param].name.value.as_str();
        let mut text = format!("node: {}\n", gradient.node);
        for slot in &gradient.slots {
            let inputs: Vec<&str> = slot.inputs.iter().map(name).collect();
            let _ = writeln!(text, "saved: {}, for {}", slot.name, inputs.join(", "));
        }
        text
    }

    fn rust(&self) -> Option<String> {
        let printed = file::rust(gradient::print(self.overload(), self.gradient()?));
        let (_, items) = printed.split_once("\n\n")?;
        Some(items.to_owned())
    }
}
