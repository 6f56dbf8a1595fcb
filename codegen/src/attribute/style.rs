//! Options that say how a function is written.

use opwright_schema::diag::nearest;
use proc_macro2::{Ident, Span};
use syn::Result;

use super::{RawOption, Target, Value, in_its_entry, said_twice, takes_no_value};
use crate::codes;
use crate::dtypes::{self, Dtypes};
use crate::kernels::RULES;
use crate::mistake::mistake;
use crate::promote::Promote;

/// How a function is written, as far as the attribute says it.
#[derive(Clone, Debug, Default)]
pub struct Style {
    /// It takes and returns single elements.
    pub elementwise: Option<Span>,
    /// It fills a result of which this rule of the runtime says what it looks like.
    pub structured: Option<Ident>,
    /// The dtypes that a generic function is compiled for.
    pub dtypes: Option<Dtypes>,
    /// What dtypes are brought to.
    pub promote: Option<(Promote, Span)>,
    /// The function's parameters are called otherwise than the schema's.
    pub any_names: bool,
    /// The operator's name, if it is not the function's.
    pub name: Option<(String, Span)>,
}

/// Options that say how the function is written.
pub(super) const STYLE_OPTIONS: [&str; 6] =
    ["elementwise", "structured", "dtypes", "promote", "name", "names"];

impl Style {
    /// Reads an option.
    ///
    /// # Errors
    ///
    /// What is wrong with it, at its place.
    pub(super) fn read(&mut self, target: &Target, option: &RawOption) -> Result<()> {
        let name = option.name.to_string();
        let fresh = match name.as_str() {
            "elementwise" => self.elementwise.is_none(),
            "structured" => self.structured.is_none(),
            "dtypes" => self.dtypes.is_none(),
            "promote" => self.promote.is_none(),
            "names" => !self.any_names,
            _ => self.name.is_none(),
        };
        if !fresh {
            return Err(said_twice(&option.name));
        }
        match (name.as_str(), &option.value) {
            ("elementwise", None) => self.elementwise = Some(option.name.span()),
            ("elementwise", Some(value)) => {
                return Err(takes_no_value(&name, value));
            }
            ("dtypes", Some(value)) if !value.words.is_empty() || value.listed => {
                self.dtypes = Some(Dtypes::read(&value.words, value.listed, value.span)?);
            }
            ("dtypes", _) => {
                let message = format!("expected dtypes, as in {}", dtypes::examples());
                return Err(mistake(codes::OPTION_VALUE, option.name.span(), message));
            }
            ("promote", Some(Value { words, .. })) if words.len() == 1 => {
                self.promote = Some((Promote::read(&words[0])?, words[0].span()));
            }
            ("structured", Some(Value { words, .. })) if words.len() == 1 => {
                in_its_entry(target, &option.name)?;
                self.structured = Some(rule(&words[0])?);
            }
            ("promote" | "structured", _) => {
                let message = format!("expected the name of a rule, as in `{name} = ...`");
                return Err(mistake(codes::OPTION_VALUE, option.name.span(), message));
            }
            ("names", _) if matches!(target, Target::Signature(_)) => {
                let message = "the schema has the names of the function: leave `names` out";
                return Err(mistake(codes::OPTION_PLACE, option.name.span(), message));
            }
            ("names", Some(Value { words, .. })) if words.len() == 1 && words[0] == "any" => {
                self.any_names = true;
            }
            ("names", _) => return Err(mistake(codes::OPTION_VALUE, option.name.span(), NAMES)),
            (_, Some(value)) if matches!(target, Target::Signature(_)) => {
                self.name = Some((value.text.clone(), value.span));
            }
            _ => return Err(mistake(codes::OPTION_PLACE, option.name.span(), NAME)),
        }
        Ok(())
    }
}

/// A rule of the runtime.
fn rule(word: &Ident) -> Result<Ident> {
    let name = word.to_string();
    if RULES.contains(&name.as_str()) {
        return Ok(word.clone());
    }
    let message = match nearest(&name, RULES) {
        Some(near) => format!("there is no rule `{name}`; did you mean `{near}`?"),
        None => format!("there is no rule `{name}`; there are `{}`", RULES.join("`, `")),
    };
    Err(mistake(codes::UNKNOWN_RULE, word.span(), message))
}

const NAME: &str = "`name = \"...\"` goes with `signature`; elsewhere the schema or the entry \
                    says the operator's name";

const NAMES: &str = "expected `names = any`, which says that the function's parameters are called \
                     otherwise than the schema's, though they are the same";
