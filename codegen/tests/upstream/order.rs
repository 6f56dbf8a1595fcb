//! Signatures and their try order, beside those that upstream's generator
//! makes of the same file.

use std::collections::BTreeMap;

use opwright_codegen::order::{self, spelling};
use opwright_codegen::signature::{Home, PythonFunction, Signature};
use opwright_schema::OpSet;
use opwright_schema::model::{BaseType, PythonModule};
use serde::Deserialize;

use crate::{functions, operators, shared};

/// What was recorded for a name: the texts of its signatures.
#[derive(Deserialize)]
struct Recorded {
    signatures: Vec<String>,
}

/// Names whose order differs, and why ours is the better one.
///
/// Upstream compares only signatures with equally many parameters, so that a
/// zero-dimensional tensor goes to the overload for `Scalar` here, and to the
/// one for `Tensor` everywhere else.
const BETTER_ORDER: [&str; 2] = ["_foreach_add", "_foreach_add_"];

/// Names that take numbers for tensors by a list in upstream's parser, which
/// therefore leaves out their overloads for `Scalar`. Here an entry says so
/// with `python: {numbers: true}`; upstream's file has no such key.
const NUMBERS_BY_LIST: [&str; 8] = ["add", "add_", "div", "div_", "mul", "mul_", "sub", "sub_"];

#[test]
fn signatures_are_those_that_were_recorded() {
    let Some((ops, recorded)) = read() else { return };
    let (functions, _) = functions(&ops);
    let mut wrong = Vec::new();
    for (function, recorded) in pairs(&functions, &recorded) {
        let (ours, theirs) = (texts(function), in_try_order(recorded));
        for text in ours.iter().filter(|it| !theirs.contains(it)) {
            if !NUMBERS_BY_LIST.contains(&function.name.as_str()) && !is_extended(&theirs, text) {
                wrong.push(format!("only here: {text}"));
            }
        }
        for text in theirs.iter().filter(|it| !ours.contains(it)) {
            // Upstream makes `out=` variants of its own for some overloads.
            if !ours.iter().any(|it| is_extended(std::slice::from_ref(text), it)) {
                wrong.push(format!("only there: {text}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_recorded_name_is_bound() {
    let Some((ops, recorded)) = read() else { return };
    let (functions, findings) = functions(&ops);
    let missing =
        recorded.keys().filter(|key| !functions.iter().any(|it| home_and_name(it) == **key));
    assert_eq!(missing.collect::<Vec<_>>(), Vec::<&(String, String)>::new());
    // Two entries have no base, which upstream's list of unbound names hides.
    let orphans = findings.iter().filter(|it| it.code == "E0621").count();
    assert_eq!(orphans, findings.len(), "{findings:?}");
    assert_eq!(orphans, 2);
}

#[test]
fn order_is_the_recorded_one_wherever_it_matters() {
    let Some((ops, recorded)) = read() else { return };
    let (functions, _) = functions(&ops);
    let mut wrong = Vec::new();
    for (function, recorded) in pairs(&functions, &recorded) {
        if BETTER_ORDER.contains(&function.name.as_str()) {
            continue;
        }
        let theirs = in_try_order(recorded);
        let place = |it: &Signature| theirs.iter().position(|text| *text == text_of(function, it));
        for (at, early) in function.signatures.iter().enumerate() {
            for late in &function.signatures[at + 1..] {
                let swapped = place(early).zip(place(late)).is_some_and(|(a, b)| a > b);
                if swapped && !(is_named(early) && is_named(late)) && order::compete(early, late) {
                    let (early, late) = (text_of(function, early), text_of(function, late));
                    wrong.push(format!("{early}\n  comes before {late}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_signature_can_be_reached() {
    let Some(ops) = operators() else { return };
    let (functions, _) = functions(&ops);
    for function in &functions {
        assert_eq!(order::unreachable(&function.signatures), [], "{}", function.name);
    }
}

type Names = BTreeMap<(String, String), Recorded>;

fn read() -> Option<(OpSet, Names)> {
    let ops = operators()?;
    let text = shared::read("cases/signatures.json")?;
    let by_home: BTreeMap<String, BTreeMap<String, Recorded>> =
        serde_json::from_str(&text).expect("recorded signatures");
    let flat = by_home.into_iter().flat_map(|(home, names)| {
        names.into_iter().map(move |(name, recorded)| ((home.clone(), name), recorded))
    });
    Some((ops, flat.collect()))
}

fn pairs<'a>(
    functions: &'a [PythonFunction],
    recorded: &'a Names,
) -> impl Iterator<Item = (&'a PythonFunction, &'a Recorded)> {
    functions.iter().filter_map(|it| Some((it, recorded.get(&home_and_name(it))?)))
}

fn home_and_name(function: &PythonFunction) -> (String, String) {
    let home = match &function.home {
        Home::Method => "Tensor",
        Home::Module(PythonModule::Root) => "torch",
        Home::Module(PythonModule::Sub(name)) => name,
    };
    (home.to_owned(), function.name.clone())
}

/// Deprecated signatures are moved to the end when upstream's parser starts.
fn in_try_order(recorded: &Recorded) -> Vec<String> {
    let mut texts = recorded.signatures.clone();
    texts.sort_by_key(|it| it.ends_with("|deprecated"));
    texts
}

fn texts(function: &PythonFunction) -> Vec<String> {
    function.signatures.iter().map(|it| text_of(function, it)).collect()
}

fn text_of(function: &PythonFunction, signature: &Signature) -> String {
    let mark = if signature.deprecated { "|deprecated" } else { "" };
    format!("{}{}{mark}", function.name, spelling::parameters(signature))
}

/// Whether one of these texts is that of the signature with `out` at its end.
fn is_extended(texts: &[String], text: &str) -> bool {
    let inputs = text.trim_end_matches(')');
    let extended = |out: &str| format!("{inputs}, {out}Tensor out=None)");
    texts.contains(&extended("*, ")) || texts.contains(&extended(""))
}

/// Dimensions have no names here, so a call that fits such a signature cannot be made.
fn is_named(signature: &Signature) -> bool {
    signature.params.iter().any(|it| *it.ty.base() == BaseType::Dimname)
}
