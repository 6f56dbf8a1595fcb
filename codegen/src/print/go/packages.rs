//! Prints the packages of submodules: functions under their short names, which call those of the
//! package of tensors.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use super::doc;
use super::functions::{parameters, results_from, returns};
use super::methods::arguments;
use super::model::GoFunction;
use super::package::{File, HEADER, Package};

/// A file for each submodule.
pub(super) fn print(package: &Package<'_>, functions: &[GoFunction<'_>]) -> Vec<File> {
    let mut modules: BTreeMap<&str, Vec<&GoFunction<'_>>> = BTreeMap::new();
    for function in functions.iter().filter(|it| !it.submodule().is_empty()) {
        modules.entry(function.submodule()).or_default().push(function);
    }
    modules.into_iter().map(|(module, members)| file(package, module, &members)).collect()
}

/// Where the functions of a submodule are: those for networks stand beside the networks.
fn place(module: &str) -> (String, &str) {
    match module {
        "nn" => ("nn/functional".to_owned(), "functional"),
        other => (other.to_owned(), other),
    }
}

fn file(package: &Package<'_>, module: &str, members: &[&GoFunction<'_>]) -> File {
    let (folder, name) = place(module);
    let Package { module: path, name: tensors, .. } = package;
    let mut text = format!(
        "{HEADER}\n// Package {name} has the functions of {tensors} for `{module}` under short names.\n\
         package {name}\n\nimport \"{path}/{tensors}\"\n"
    );
    let shorts = shorts(module, members);
    for (function, short) in members.iter().zip(&shorts) {
        text += &forward(tensors, function, short);
    }
    File { path: format!("{tensors}/{folder}/{name}_gen.go"), text }
}

/// The names without that of the submodule, where they are different without it.
fn shorts(module: &str, members: &[&GoFunction<'_>]) -> Vec<String> {
    let long = opwright_schema::names::go_field(module);
    let short = |it: &&GoFunction<'_>| {
        let rest = it
            .name
            .strip_prefix(&long)
            .filter(|it| it.starts_with(|letter: char| letter.is_ascii_uppercase()));
        rest.unwrap_or(&it.name).to_owned()
    };
    let mut taken = BTreeSet::new();
    let whole: BTreeSet<&str> = members.iter().map(|it| it.name.as_str()).collect();
    members
        .iter()
        .map(|it| {
            let short = short(it);
            let is_free = short == it.name || !whole.contains(short.as_str());
            match is_free && taken.insert(short.clone()) {
                true => short,
                false => it.name.clone(),
            }
        })
        .collect()
}

fn forward(tensors: &str, function: &GoFunction<'_>, short: &str) -> String {
    let mut out = String::new();
    let results = results_from(function, Some(tensors));
    let returned = if returns(function) { "return " } else { "" };
    let called = format!("{tensors}.{}", function.name);
    let (mut taken, passed) = (parameters(function, Some(tensors)), arguments(function));
    if let Some(options) = function.options() {
        let own = format!("{short}Opts");
        let _ = write!(
            out,
            "\n// {own} are the options of [{short}].\ntype {own} = {tensors}.{options}\n"
        );
        taken += &format!("{}opts ...{own}", if taken.is_empty() { "" } else { ", " });
    }
    let _ = write!(
        out,
        "\n{}func {short}({taken}){results} {{\n\t{returned}{called}({})\n}}\n",
        doc::forward(function, short, tensors),
        passed.join(", "),
    );
    out
}
