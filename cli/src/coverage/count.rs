//! Counts of operators, by kind.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt;

use opwright_schema::OpSet;
use opwright_schema::model::{self, BaseName, BaseType, OpName, Overload, PythonModule, Type};
use opwright_schema::tables::Reduction;
use opwright_schema::types::Values;
use serde::Serialize;

/// What a library has of an overload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CoverageState {
    /// The same schema.
    There,
    /// An overload of this name with another schema.
    Different,
    /// Nothing.
    Missing,
}

/// An overload of the other library, and what there is of it.
pub(super) struct Compared<'o> {
    pub(super) overload: &'o Overload,
    pub(super) state: CoverageState,
}

/// The overloads with something in common.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub(super) struct CoverageRow {
    pub(super) name: String,
    pub(super) operators: usize,
    pub(super) there: usize,
    pub(super) different: usize,
}

/// Each overload of the other library.
pub(super) fn compare<'o>(upstream: &'o OpSet, library: &OpSet) -> Vec<Compared<'o>> {
    let own = signatures(library);
    let state = |overload: &Overload| match own.get(&overload.schema.name.to_string()) {
        Some(signature) if *signature == signature_of(overload) => CoverageState::There,
        Some(_) => CoverageState::Different,
        None => CoverageState::Missing,
    };
    upstream.overloads.iter().map(|it| Compared { overload: it, state: state(it) }).collect()
}

/// The signature of each overload, under its name and under the aliases that
/// Python has for all overloads of its function.
fn signatures(library: &OpSet) -> HashMap<String, String> {
    let mut aliases: HashMap<&BaseName, BTreeSet<&str>> = HashMap::new();
    for overload in &library.overloads {
        let names = overload.python.aliases.iter().map(|it| it.value.as_str());
        aliases.entry(&overload.schema.name.base).or_default().extend(names);
    }
    let mut signatures = HashMap::new();
    for overload in &library.overloads {
        let OpName { base, overload: suffix, .. } = &overload.schema.name;
        for alias in aliases.get(base).into_iter().flatten() {
            let dot = if suffix.is_empty() { "" } else { "." };
            signatures.insert(format!("{alias}{dot}{suffix}"), signature_of(overload));
        }
    }
    // An operator counts more than another one's alias.
    let names = library.overloads.iter().map(|it| (it.schema.name.to_string(), signature_of(it)));
    signatures.extend(names);
    signatures
}

/// The schema without its name; enumerations are the texts and numbers that PyTorch has for them.
fn signature_of(overload: &Overload) -> String {
    let mut schema = overload.schema.clone();
    for param in &mut schema.params {
        if let Some(model::Default::Name(word)) = param.default.as_mut().map(|it| &mut it.value)
            && let Some(reduction) = Reduction::from_name(word)
        {
            *word = format!("{reduction:?}");
        }
        param.ty.value = without_enumerations(&param.ty.value);
    }
    let (schema, name) = (schema.to_string(), schema.name.to_string());
    schema.strip_prefix(&name).unwrap_or(&schema).to_owned()
}

fn without_enumerations(ty: &Type) -> Type {
    match ty {
        Type::Base(base) => Type::Base(match base.row().values {
            Values::StrEnum(_) => BaseType::Str,
            Values::Numbered => BaseType::Int,
            _ => base.clone(),
        }),
        Type::Optional(inner) => Type::Optional(Box::new(without_enumerations(inner))),
        Type::List(element, size) => Type::List(Box::new(without_enumerations(element)), *size),
    }
}

/// A row for each submodule of Python.
pub(super) fn by_module(compared: &[Compared<'_>]) -> Vec<CoverageRow> {
    rows(compared, |it| match &it.python_module {
        PythonModule::Root => vec!["(none)"],
        PythonModule::Sub(name) => vec![name],
    })
}

/// A row for each tag; an overload counts for each that it has.
pub(super) fn by_tag(compared: &[Compared<'_>]) -> Vec<CoverageRow> {
    rows(compared, |it| match it.tags.as_slice() {
        [] => vec!["(none)"],
        tags => tags.iter().map(|it| it.value.as_str()).collect(),
    })
}

fn rows<'o>(
    compared: &[Compared<'o>],
    names: impl Fn(&'o Overload) -> Vec<&'o str>,
) -> Vec<CoverageRow> {
    let mut rows: BTreeMap<&str, CoverageRow> = BTreeMap::new();
    for item in compared {
        for name in names(item.overload) {
            rows.entry(name).or_insert_with(|| CoverageRow::new(name)).add(item.state);
        }
    }
    rows.into_values().collect()
}

impl CoverageRow {
    pub(super) fn new(name: &str) -> Self {
        CoverageRow { name: name.to_owned(), ..CoverageRow::default() }
    }

    /// All overloads.
    pub(super) fn total(compared: &[Compared<'_>]) -> Self {
        let mut row = CoverageRow::new("overloads");
        compared.iter().for_each(|it| row.add(it.state));
        row
    }

    pub(super) fn add(&mut self, state: CoverageState) {
        self.operators += 1;
        match state {
            CoverageState::There => self.there += 1,
            CoverageState::Different => self.different += 1,
            CoverageState::Missing => {}
        }
    }

    /// How many of a hundred are there.
    pub(super) fn share(&self) -> f64 {
        100.0 * self.there as f64 / self.operators.max(1) as f64
    }
}

impl fmt::Display for CoverageRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let CoverageRow { name, operators, there, different } = self;
        write!(f, "{name:<28} {operators:>9} {there:>6} {different:>9} {:>5.1}%", self.share())
    }
}
