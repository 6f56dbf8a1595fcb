//! `opcheck` of the reference module's operators, with the calls of their cases.

use opwright_ops::OPERATORS;
use opwright_runtime::testing::Opcheck;
use serde::Deserialize;

use crate::cases::calls;

/// What is tried with operators, in Python, too.
#[derive(Deserialize)]
struct TriedTexts {
    words: Vec<String>,
}

/// All operators, with texts that they may take and the calls of cases.
///
/// # Panics
///
/// There is no memory for the tensors of a case.
pub fn opcheck() -> Opcheck<'static> {
    let words: TriedTexts =
        toml::from_str(include_str!("../../module/opcheck.toml")).expect("a list of words");
    let words: Vec<&str> = words.words.iter().map(String::as_str).collect();
    calls().into_iter().fold(Opcheck::new(OPERATORS).words(&words), |opcheck, (name, values)| {
        opcheck.call(&name, &values).expect("tensors with memory")
    })
}
