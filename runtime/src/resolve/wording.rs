//! Wording of the resolver's reasons.

use std::fmt::Write;

use super::bind::Keywords;
use super::kind::Kind;
use super::mismatch::Mismatch;
use super::mismatch::Seen;
use super::signature::{Parameter, Signature};
use super::suggest::nearest;

/// What a message says of the arguments, in the caller's terms.
pub trait Describe {
    /// Appends the argument's type, with the detail that helps:
    /// `int (3)`, `Tensor (float32, shape [2, 3])`.
    fn argument(&self, arg: usize, text: &mut String);
    /// Appends the argument's type alone.
    fn type_name(&self, arg: usize, text: &mut String);
    /// A keyword's text.
    fn keyword(&self, keyword: usize) -> &str;
    /// Appends why an argument that looks right is not, for instance the
    /// element of a list that is of another type, or what to write instead.
    fn detail(&self, arg: usize, param: &Parameter, text: &mut String);
    /// Whether the argument is of the same sort as what a parameter takes,
    /// such as a number of another type.
    fn resembles(&self, arg: usize, kind: Kind) -> bool;
}

/// Says why one signature does not fit a call.
pub(super) struct Wording<'a, K> {
    pub(super) seen: Seen<'a, K>,
    pub(super) describe: &'a dyn Describe,
}

impl<'a, K: Keywords> Wording<'a, K> {
    /// The first reason why a signature does not fit; `None` if it does.
    pub(super) fn mismatch(&self, signature: &Signature) -> Option<Mismatch> {
        self.seen.mismatch(signature, &|it| self.describe.keyword(it))
    }

    /// How much would have to change for a signature to fit.
    pub(super) fn distance(&self, signature: &Signature) -> usize {
        let keywords = (0..self.seen.keywords.len()).map(|at| {
            match self.seen.keyword(signature, at, self.describe.keyword(at)) {
                Some(Mismatch::UnknownKeyword(_)) if self.suggestion(signature, at).is_some() => 5,
                Some(Mismatch::UnknownKeyword(_)) => 12,
                Some(_) => 6,
                None => 0,
            }
        });
        let types = self.seen.wrong_types(signature).map(|(param, arg)| {
            4 - usize::from(self.describe.resembles(arg, signature.params[param].kind))
        });
        6 * self.seen.surplus(signature)
            + 4 * self.seen.missing(signature).count()
            + keywords.sum::<usize>()
            + types.sum::<usize>()
    }

    /// Appends what follows `name()` where there is room.
    pub(super) fn reason(&self, signature: &Signature, reason: &Mismatch, text: &mut String) {
        match reason {
            Mismatch::TooManyPositional => self.too_many(signature, text),
            Mismatch::Missing(params) => {
                let plural = plural(params.len());
                write(text, format_args!(" missing {} required argument{plural}: ", params.len()));
                names(signature, params, text);
            }
            Mismatch::WrongType { param, arg } => {
                text.push_str(": ");
                self.wrong_type(signature, *param, *arg, text);
            }
            Mismatch::WrongPart(arg) => {
                let name = signature.params[0].name;
                let position = arg + 1;
                write(text, format_args!(": argument '{name}' must be "));
                text.push_str("ints or a tuple of ints, but position ");
                write(text, format_args!("{position} is "));
                self.describe.argument(*arg, text);
            }
            Mismatch::Repeated { param, keyword } => {
                self.repeated(signature, *param, *keyword, text);
            }
            Mismatch::UnknownKeyword(keyword) => self.unknown_keyword(signature, *keyword, text),
        }
    }

    /// Appends the reason in a few words.
    pub(super) fn brief(&self, signature: &Signature, reason: &Mismatch, text: &mut String) {
        match reason {
            Mismatch::TooManyPositional => {
                let given = self.seen.positional;
                write(text, format_args!("takes {}, not {given}", takes(signature)));
            }
            Mismatch::Missing(params) => {
                text.push_str("missing ");
                names(signature, params, text);
            }
            Mismatch::WrongType { param, arg } => {
                write(text, format_args!("'{}' must be ", signature.params[*param].name));
                expected(signature, *param, text);
                text.push_str(", not ");
                self.describe.type_name(*arg, text);
            }
            Mismatch::WrongPart(arg) => {
                write(text, format_args!("'{}' must be ints, not ", signature.params[0].name));
                self.describe.type_name(*arg, text);
            }
            Mismatch::Repeated { param, .. } => {
                write(text, format_args!("'{}' is given twice", signature.params[*param].name));
            }
            Mismatch::UnknownKeyword(keyword) => {
                text.push_str("has no '");
                keyword_name(self.describe.keyword(*keyword), text);
                text.push('\'');
            }
        }
    }

    fn wrong_type(&self, signature: &Signature, param: usize, arg: usize, text: &mut String) {
        write(text, format_args!("argument '{}'", signature.params[param].name));
        if arg < self.seen.positional {
            write(text, format_args!(" (position {})", arg + 1));
        }
        text.push_str(" must be ");
        expected(signature, param, text);
        text.push_str(", not ");
        self.describe.argument(arg, text);
        self.describe.detail(arg, &signature.params[param], text);
    }

    fn too_many(&self, signature: &Signature, text: &mut String) {
        let given = self.seen.positional;
        let were = if given == 1 { "was" } else { "were" };
        write(text, format_args!(" takes {} but {given} {were} given", takes(signature)));
        // Such as the first of several integers where a tuple of them is wanted.
        if let Some((param, arg)) = self.seen.wrong_types(signature).next() {
            text.push_str("; ");
            self.wrong_type(signature, param, arg, text);
        }
    }

    fn repeated(&self, signature: &Signature, param: usize, keyword: usize, text: &mut String) {
        let name = signature.params[param].name;
        write(text, format_args!(" got multiple values for argument '{name}': "));
        match self.seen.argument(signature, param) {
            Some(first) if first >= self.seen.positional => {
                text.push_str("keyword '");
                keyword_name(self.describe.keyword(first - self.seen.positional), text);
                text.push('\'');
            }
            Some(first) => write(text, format_args!("position {}", first + 1)),
            None => text.push_str("all positions"),
        }
        text.push_str(" and keyword '");
        keyword_name(self.describe.keyword(keyword), text);
        text.push('\'');
    }

    fn unknown_keyword(&self, signature: &Signature, keyword: usize, text: &mut String) {
        text.push_str(" got an unexpected keyword argument '");
        keyword_name(self.describe.keyword(keyword), text);
        text.push('\'');
        let missing: Vec<usize> = self.seen.missing(signature).collect();
        if let Some((param, near)) = self.suggestion(signature, keyword) {
            write(text, format_args!("; did you mean '{near}'"));
            if param.name != near {
                write(text, format_args!(", another name of '{}'", param.name));
            }
            text.push('?');
        } else if !missing.is_empty() {
            text.push_str(", and ");
            names(signature, &missing, text);
            text.push_str(if missing.len() == 1 { " is missing" } else { " are missing" });
        }
    }

    /// The parameter that an unknown keyword probably means, and the name that it is near to.
    fn suggestion(
        &self,
        signature: &Signature,
        keyword: usize,
    ) -> Option<(&'static Parameter, &'static str)> {
        let given = self.describe.keyword(keyword);
        let free = (0..signature.params.len()).filter(|&it| !self.seen.is_given(signature, it));
        let params = free.map(|it| &signature.params[it]);
        let called = params
            .clone()
            .flat_map(|it| std::iter::once(it.name).chain(it.aliases.iter().copied()));
        let near = nearest(given, called)?;
        let param = params.into_iter().find(|it| it.is_called(near))?;
        Some((param, near))
    }
}

/// How many positional arguments a signature takes.
fn takes(signature: &Signature) -> String {
    let most = signature.positional as usize;
    let least = signature.params[..most].iter().filter(|it| it.required).count();
    if least == most {
        format!("{most} positional argument{}", plural(most))
    } else {
        format!("from {least} to {most} positional arguments")
    }
}

/// Appends what a parameter takes. The elements of the first one may come one by one.
fn expected(signature: &Signature, param: usize, text: &mut String) {
    let is_variadic = signature.variadic && param == 0;
    let param = &signature.params[param];
    let kind = param.kind;
    match (is_variadic, param.nullable) {
        (true, _) => write(text, format_args!("ints or a {kind}")),
        (false, true) => write(text, format_args!("{kind} or None")),
        (false, false) => write(text, format_args!("{kind}")),
    }
}

/// Appends the names of parameters: `'a', 'b' and 'c'`.
fn names(signature: &Signature, params: &[usize], text: &mut String) {
    for (at, param) in params.iter().enumerate() {
        text.push_str(match at {
            0 => "",
            _ if at + 1 == params.len() => " and ",
            _ => ", ",
        });
        write(text, format_args!("'{}'", signature.params[*param].name));
    }
}

/// Appends a keyword as far as it is reasonable, without line breaks.
fn keyword_name(name: &str, text: &mut String) {
    const LONGEST: usize = 40;
    text.extend(name.chars().take(LONGEST).flat_map(char::escape_debug));
    if name.chars().nth(LONGEST).is_some() {
        text.push_str("...");
    }
}

fn plural(count: usize) -> &'static str {
    if count == 1 { "" } else { "s" }
}

/// Appends formatted text, which a string never refuses.
fn write(text: &mut String, args: std::fmt::Arguments<'_>) {
    text.write_fmt(args).expect("a string takes everything");
}
