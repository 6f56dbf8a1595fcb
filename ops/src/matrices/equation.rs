//! Equations of sums of products: `"ij,jk->ik"`.

use std::fmt;

use opwright_runtime::{Result, buffer, ensure, fail};

/// What stands for a dimension.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Label {
    /// One of those that `...` stands for, counted from the end.
    Further(usize),
    Letter(char),
}

impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Label::Further(_) => f.write_str("..."),
            Label::Letter(letter) => write!(f, "{letter}"),
        }
    }
}

/// The labels of the dimensions of all tensors.
#[derive(Debug)]
pub(super) struct Equation {
    pub(super) inputs: Vec<Vec<Label>>,
    pub(super) output: Vec<Label>,
}

impl Equation {
    /// For tensors of so many dimensions.
    ///
    /// # Errors
    ///
    /// `Runtime` if the equation is malformed or does not go with the tensors.
    pub(super) fn parse(text: &str, ranks: &[usize]) -> Result<Equation> {
        let (left, right) = match text.split_once("->") {
            Some((left, right)) => (left, Some(right)),
            None => (text, None),
        };
        let terms = buffer::collected(left.split(','))?;
        ensure!(!ranks.is_empty(), Value, "must provide at least one operand");
        ensure!(
            terms.len() == ranks.len(),
            Runtime,
            "{} operands were provided than specified in the equation",
            if terms.len() < ranks.len() { "more" } else { "fewer" }
        );
        let mut inputs = buffer::with_capacity(ranks.len())?;
        for (place, (term, &rank)) in terms.iter().zip(ranks).enumerate() {
            inputs.push(input_labels(term, rank, place)?);
        }
        let output = match right {
            Some(right) => output_labels(right, &inputs)?,
            None => implied(&inputs)?,
        };
        Ok(Equation { inputs, output })
    }
}

/// Letters before and behind `...`, if there is one.
struct Term {
    before: Vec<Label>,
    behind: Option<Vec<Label>>,
}

fn parse_term(text: &str) -> Result<Term> {
    let letters = |part: &str| {
        let mut labels = Vec::new();
        for letter in part.chars().filter(|it| !it.is_whitespace()) {
            ensure!(
                letter.is_ascii_alphabetic(),
                Runtime,
                "invalid subscript given at '{letter}' in '{text}': subscripts must be in [a-zA-Z]"
            );
            buffer::push(&mut labels, Label::Letter(letter))?;
        }
        Ok(labels)
    };
    match text.split_once("...") {
        None => Ok(Term { before: letters(text)?, behind: None }),
        Some((before, behind)) => {
            Ok(Term { before: letters(before)?, behind: Some(letters(behind)?) })
        }
    }
}

fn input_labels(text: &str, rank: usize, place: usize) -> Result<Vec<Label>> {
    let Term { before, behind } = parse_term(text)?;
    let named = before.len() + behind.as_ref().map_or(0, Vec::len);
    let Some(behind) = behind else {
        ensure!(
            named == rank,
            Runtime,
            "the number of subscripts in the equation ({named}) does not match the number of \
             dimensions ({rank}) for operand {place} and no ellipsis was given"
        );
        return Ok(before);
    };
    ensure!(
        named <= rank,
        Runtime,
        "the number of subscripts in the equation ({named}) is more than the number of \
         dimensions ({rank}) for operand {place}"
    );
    let further = (0..rank - named).rev().map(Label::Further);
    buffer::collected(before.into_iter().chain(further).chain(behind))
}

/// Those that `...` stands for in any tensor.
fn further_labels(inputs: &[Vec<Label>]) -> Vec<Label> {
    let is_further = |it: &&Label| matches!(it, Label::Further(_));
    let count = inputs.iter().map(|labels| labels.iter().filter(is_further).count()).max();
    (0..count.unwrap_or(0)).rev().map(Label::Further).collect()
}

fn output_labels(text: &str, inputs: &[Vec<Label>]) -> Result<Vec<Label>> {
    let Term { before, behind } = parse_term(text)?;
    let further = if behind.is_some() { further_labels(inputs) } else { Vec::new() };
    let labels = before.into_iter().chain(further).chain(behind.unwrap_or_default());
    let labels = buffer::collected(labels)?;
    for (place, label) in labels.iter().enumerate() {
        if labels[..place].contains(label) {
            fail!(Runtime, "output subscript {label} appears more than once in the output");
        }
        ensure!(
            inputs.iter().any(|it| it.contains(label)),
            Runtime,
            "output subscript {label} does not appear in the equation for any input operand"
        );
    }
    Ok(labels)
}

/// Without `->`: what `...` stands for, and the letters that occur once.
fn implied(inputs: &[Vec<Label>]) -> Result<Vec<Label>> {
    let letters = inputs.iter().flatten().filter(|it| matches!(it, Label::Letter(_)));
    let letters = buffer::collected(letters.copied())?;
    let is_single = |label: &&Label| letters.iter().filter(|it| it == label).count() == 1;
    let mut once = buffer::collected(letters.iter().filter(is_single).copied())?;
    once.sort_unstable();
    buffer::collected(further_labels(inputs).into_iter().chain(once))
}
