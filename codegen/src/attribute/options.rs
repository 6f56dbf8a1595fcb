//! The options of an attribute: the one table by which they are read, checked
//! and listed.
//!
//! Those with the meaning of an entry's key are rows of the schema crate,
//! which reads their values.

use opwright_diagnostics::diag::nearest;
use opwright_schema::annotated::{self, OptionOfEntry};
use opwright_schema::dispatch_key;
use opwright_schema::model::DispatchKey;
use proc_macro2::{Ident, Span};
use syn::{Error, LitStr, Result};

use super::derivative::Derivative;
use super::said::{AttributeOptions, CoreOption, FunctionRole, Setting};
use super::subject::{Subject, text_offset};
use super::written::{OptionValue, Written};
use crate::codes;
use crate::core_dims::{CoreDims, Misread};
use crate::dtypes::{self, Dtypes};
use crate::mistake::mistake;
use crate::promote::Promote;
use crate::rules;

/// An option of the attribute alone.
struct OptionRow {
    name: &'static str,
    place: Allowed,
    takes: Takes,
    /// Takes in what it says.
    read: fn(&mut AttributeOptions, &Ident, &OptionValue) -> Result<()>,
}

/// In the order in which messages list them.
const OPTIONS: [OptionRow; 16] = [
    row("rule", Allowed::Entry, Takes::Nothing, |said, name, _| {
        said.part(name, FunctionRole::Rule)
    }),
    row("check", Allowed::Entry, Takes::Nothing, |said, name, _| {
        said.part(name, FunctionRole::Check)
    }),
    row("key", Allowed::Anywhere, Takes::Keys, |said, name, value| {
        said.part(name, FunctionRole::KernelFor(dispatch_keys(value)?))
    }),
    row("composite", Allowed::Anywhere, Takes::Nothing, |said, name, _| {
        said.part(name, FunctionRole::KernelFor(vec![DispatchKey::CompositeImplicit]))
    }),
    row("explicit", Allowed::Anywhere, Takes::Nothing, |said, name, _| {
        said.part(name, FunctionRole::KernelFor(vec![DispatchKey::CompositeExplicit]))
    }),
    row("elementwise", Allowed::Anywhere, Takes::Nothing, |said, name, _| {
        said.style.elementwise = Some(name.span());
        Ok(())
    }),
    row("core", Allowed::Inline, Takes::Core, |said, _, value| {
        said.style.core = value.literal.as_ref().map(core_dims).transpose()?;
        Ok(())
    }),
    row("structured", Allowed::OwnSchema, Takes::Rule, |said, _, value| {
        said.style.structured = Some(rules::read(&value.words[0])?);
        Ok(())
    }),
    row("out", Allowed::OwnSchema, Takes::Nothing, |said, name, _| {
        said.style.out = Some(name.span());
        Ok(())
    }),
    row("wide", Allowed::Anywhere, Takes::Nothing, |said, name, _| {
        said.style.wide = Some(name.span());
        Ok(())
    }),
    row("numbers", Allowed::Entry, Takes::Names, |said, _, value| {
        said.style.numbers = value.words.clone();
        Ok(())
    }),
    row("dtypes", Allowed::Anywhere, Takes::Dtypes, |said, _, value| {
        said.style.dtypes = Some(Dtypes::read(&value.words, value.listed, value.span)?);
        Ok(())
    }),
    row("promote", Allowed::Anywhere, Takes::Rule, |said, _, value| {
        let word = &value.words[0];
        said.style.promote = Some((Promote::read(word)?, word.span()));
        Ok(())
    }),
    row("derivative", Allowed::Anywhere, Takes::Gradients, |said, name, value| {
        let derivative = match &value.gradients {
            Some(gradients) => Derivative::Said(gradients.clone()),
            None => Derivative::Refused,
        };
        said.style.derivative = Some((derivative, name.span()));
        Ok(())
    }),
    row("name", Allowed::Signature, Takes::Text, |said, _, value| {
        said.style.name = Some((value.text.clone(), value.span));
        Ok(())
    }),
    row("names", Allowed::NoSignature, Takes::Any, |said, _, _| {
        said.style.any_names = true;
        Ok(())
    }),
];

const fn row(
    name: &'static str,
    place: Allowed,
    takes: Takes,
    read: fn(&mut AttributeOptions, &Ident, &OptionValue) -> Result<()>,
) -> OptionRow {
    OptionRow { name, place, takes, read }
}

/// What all options are called.
pub fn names() -> impl Iterator<Item = &'static str> {
    OPTIONS.iter().map(|it| it.name).chain(annotated::OPTIONS.iter().map(|it| it.name))
}

/// Reads options; all that is wrong with them stands in the list.
pub(super) fn read(subject: &Subject, options: &[Written]) -> (AttributeOptions, Vec<Error>) {
    let mut said = AttributeOptions::default();
    let mut errors = Vec::new();
    for (at, option) in options.iter().enumerate() {
        let is_first = options[..at].iter().all(|it| it.name != option.name);
        errors.extend(one(&mut said, subject, option, is_first).err());
    }
    (said, errors)
}

fn one(
    said: &mut AttributeOptions,
    subject: &Subject,
    option: &Written,
    is_first: bool,
) -> Result<()> {
    let name = option.name.to_string();
    let row = OPTIONS.iter().find(|it| it.name == name);
    let key = annotated::OPTIONS.iter().find(|it| it.name == name);
    let (place, takes) = match (row, key) {
        (Some(row), _) => (row.place, row.takes),
        (None, Some(OptionOfEntry { takes: annotated::Takes::Nothing { .. }, .. })) => {
            (Allowed::OwnSchema, Takes::Nothing)
        }
        (None, Some(_)) => (Allowed::OwnSchema, Takes::Text),
        (None, None) => {
            return Err(mistake(codes::UNKNOWN_OPTION, option.name.span(), unknown(&name)));
        }
    };
    place.check(subject, &option.name)?;
    if !is_first {
        let message = format_args!("`{name}` is said twice: leave one out");
        return Err(mistake(codes::OPTION_TWICE, option.name.span(), message));
    }
    takes.check(option)?;
    let nothing = OptionValue::nothing(option.name.span());
    let value = option.value.as_ref().unwrap_or(&nothing);
    match row {
        Some(row) => (row.read)(said, &option.name, value),
        None => {
            let (name, value, span) = (option.name.clone(), value.text.clone(), value.span);
            said.settings.push(Setting { name, value, span });
            Ok(())
        }
    }
}

fn unknown(name: &str) -> String {
    match nearest(name, names()) {
        Some(near) => format!("unknown option `{name}`; did you mean `{near}`?"),
        None => {
            let known: Vec<&str> = names().collect();
            format!("unknown option `{name}`; expected one of `{}`", known.join("`, `"))
        }
    }
}

/// Where an option may be said.
#[derive(Clone, Copy)]
enum Allowed {
    Anywhere,
    /// At the kernel of an entry.
    Entry,
    /// At a function that carries its schema, in whatever form.
    OwnSchema,
    /// At a function whose attribute has the schema.
    Inline,
    /// Where the schema is read from the signature.
    Signature,
    /// Where it is not.
    NoSignature,
}

impl Allowed {
    fn check(self, subject: &Subject, option: &Ident) -> Result<()> {
        let message = match (self, subject) {
            (Allowed::Anywhere, _)
            | (Allowed::Entry, Subject::Entry { .. })
            | (Allowed::OwnSchema, Subject::Inline { .. } | Subject::Signature(_))
            | (Allowed::Inline, Subject::Inline { .. })
            | (Allowed::Signature, Subject::Signature(_))
            | (Allowed::NoSignature, Subject::Entry { .. } | Subject::Inline { .. }) => {
                return Ok(());
            }
            (Allowed::Entry, Subject::Inline { .. } | Subject::Signature(_)) => {
                format!(
                    "a {option} belongs to a structured entry of the YAML file; name that entry \
                     instead"
                )
            }
            (Allowed::OwnSchema, Subject::Entry { name, .. }) => {
                format!("`{option}` of `{name}` is said in its entry, not at its kernel")
            }
            (Allowed::Inline, Subject::Entry { .. } | Subject::Signature(_)) => format!(
                "`{option}` goes with a schema, as in `#[native_op(\"f(Tensor x) -> Tensor\", \
                 {option} = ...)]`"
            ),
            (Allowed::Signature, Subject::Entry { .. } | Subject::Inline { .. }) => format!(
                "`{option} = \"...\"` goes with `signature`; elsewhere the schema or the entry \
                 says the operator's name"
            ),
            (Allowed::NoSignature, Subject::Signature(_)) => {
                format!("the schema has the names of the function: leave `{option}` out")
            }
        };
        Err(mistake(codes::OPTION_PLACE, option.span(), message))
    }
}

/// What stands behind the `=` of an option.
#[derive(Clone, Copy)]
enum Takes {
    /// There is no `=`.
    Nothing,
    /// Dispatch keys, as words or in a string.
    Keys,
    /// Groups of dtypes, or a list of single ones.
    Dtypes,
    /// One word.
    Rule,
    /// Words, or a list of them.
    Names,
    /// The word `any`.
    Any,
    /// Gradients in parentheses, or the word `none`.
    Gradients,
    /// Core dimensions, in a string.
    Core,
    /// Whatever it is, as text.
    Text,
}

impl Takes {
    fn check(self, option: &Written) -> Result<()> {
        let name = &option.name;
        if let (Takes::Nothing, Some(value)) = (self, &option.value) {
            let message = format_args!("`{name}` takes no value");
            return Err(mistake(codes::OPTION_VALUE, value.span, message));
        }
        match option.value.as_ref().is_some_and(|it| self.fits(it))
            || matches!(self, Takes::Nothing)
        {
            true => Ok(()),
            false => Err(mistake(codes::OPTION_VALUE, name.span(), self.expected(name))),
        }
    }

    fn fits(self, value: &OptionValue) -> bool {
        match self {
            Takes::Nothing => false,
            Takes::Keys | Takes::Text => true,
            Takes::Dtypes => !value.words.is_empty() || value.listed,
            Takes::Core => value.literal.is_some(),
            Takes::Names => !value.words.is_empty(),
            Takes::Rule => value.words.len() == 1,
            Takes::Any => value.words.len() == 1 && value.words[0] == "any",
            Takes::Gradients => {
                value.gradients.is_some() || (value.words.len() == 1 && value.words[0] == "none")
            }
        }
    }

    fn expected(self, name: &Ident) -> String {
        match self {
            Takes::Nothing => format!("expected `{name}` alone"),
            Takes::Keys => format!("expected dispatch keys, as in `{name} = CPU | Meta`"),
            Takes::Dtypes => format!("expected dtypes, as in {}", dtypes::examples()),
            Takes::Names => {
                format!("expected names of parameters, as in `{name} = [low, high]`")
            }
            Takes::Rule => format!("expected the name of a rule, as in `{name} = ...`"),
            Takes::Any => format!(
                "expected `{name} = any`, which says that the function's parameters are called \
                 otherwise than the schema's, though they are the same"
            ),
            Takes::Gradients => format!(
                "expected gradients of inputs, as in `{name}(x = \"grad * y\")`, or \
                 `{name} = none`"
            ),
            Takes::Core => {
                format!("expected core dimensions, as in `{name} = \"(n),(k)->(n)\"`")
            }
            Takes::Text => format!("expected a value, as in `{name} = \"...\"`"),
        }
    }
}

/// The core dimensions in a string; a mistake is told at its place there, where places within strings
/// are known.
fn core_dims(literal: &LitStr) -> Result<CoreOption> {
    let prefix = text_offset(literal, "signature of core dimensions")?;
    match CoreDims::read(&literal.value()) {
        Ok(dims) => Ok(CoreOption { dims, span: literal.span() }),
        Err(Misread { message, range }) => {
            // What is missing at the end is told there.
            let range = range.start + prefix..range.end.max(range.start + 1) + prefix;
            let place = literal.token().subspan(range).unwrap_or_else(|| literal.span());
            Err(mistake(codes::CORE_DIMS, place, message))
        }
    }
}

fn dispatch_keys(value: &OptionValue) -> Result<Vec<DispatchKey>> {
    value.text.split(',').map(str::trim).map(|word| known_key(word, value.span)).collect()
}

fn known_key(word: &str, span: Span) -> Result<DispatchKey> {
    DispatchKey::read(word).ok_or_else(|| {
        let known = dispatch_key::listed("or");
        let message = format!("unknown dispatch key `{word}`; expected {known}");
        mistake(opwright_schema::codes::UNKNOWN_DISPATCH_KEY, span, message)
    })
}
