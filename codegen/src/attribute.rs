//! The grammar of `#[native_op(...)]`, read by the macro and by the scan.
//!
//! ```text
//! attribute = [ subject { "," option } [ "," ] ]
//! subject   = name { "." name }          the kernel of an entry: add.Tensor, where.self
//!           | string                     a schema: "hypot(Tensor x, Tensor y) -> Tensor"
//!           | "signature" [ "=" "(" item { "," item } ")" ]
//!                                        the schema is in the function's signature
//! item      = name [ "=" default ] | "*"
//! option    = flag | name "=" value | "derivative" "(" gradient { "," gradient } ")"
//! value     = string | word { "|" word } | "[" word { "," word } "]"
//! ```
//! gradient  = ( name | "(" name { "," name } ")" ) "=" ( string | path | "none" )
//!           | "output_differentiability" "=" "[" bool { "," bool } "]"
//!
//! Nothing at all is `signature`.
//!
//! One grammar for both readers: what the scan finds and what the macro
//! expands cannot be two different things.

pub mod derivative;
mod options;
mod said;
mod subject;
mod written;

use opwright_schema::model::DispatchKey;
use proc_macro2::{Ident, TokenStream};
use syn::parse::{ParseStream, Parser};
use syn::{Error, Meta, Result, Token};

pub use self::options::names as option_names;
pub use self::said::{CoreOption, FunctionRole, Setting, Style};
pub use self::subject::Subject;

use self::written::Written;
use crate::codes;
use crate::items::Items;
use crate::mistake::{combined, mistake};

/// What an attribute says.
#[derive(Clone, Debug)]
pub struct NativeOp {
    /// Which operator the function belongs to.
    pub subject: Subject,
    /// What the function is to it.
    pub part: FunctionRole,
    /// How the function is written.
    pub style: Style,
    /// Further options, as they are written: names and values of the entry's keys.
    pub options: Vec<Setting>,
}

const DERIVED: &str = "this function is the kernel for CPU, and that for Meta follows from it: \
                       leave this out";

/// Parses the arguments of an attribute.
///
/// # Errors
///
/// All that is wrong with them, combined.
pub fn parse(args: TokenStream) -> Result<NativeOp> {
    parse_native_op.parse2(args)
}

/// The operator that an attribute names, whatever is wrong behind the name.
pub fn entry_name(args: TokenStream) -> Option<String> {
    let lenient = |input: ParseStream<'_>| {
        let subject: Subject = input.parse()?;
        input.parse::<TokenStream>()?;
        Ok(subject)
    };
    match lenient.parse2(args).ok()? {
        Subject::Entry { name, .. } => Some(name),
        Subject::Inline { .. } | Subject::Signature(_) => None,
    }
}

fn parse_native_op(input: ParseStream<'_>) -> Result<NativeOp> {
    if input.is_empty() {
        return assemble(Subject::Signature(Items::all(input.span())), &[]);
    }
    let subject = input.parse()?;
    let mut options = Vec::new();
    while !input.is_empty() {
        input.parse::<Token![,]>()?;
        if input.is_empty() {
            break;
        }
        options.push(input.parse::<Written>()?);
    }
    assemble(subject, &options)
}

/// Whether the path of an attribute is this one, wherever it leads from.
pub fn is_native_op(meta: &Meta) -> bool {
    ends_in(meta, "native_op")
}

/// Whether the path of an attribute ends in this word.
pub(crate) fn ends_in(meta: &Meta, word: &str) -> bool {
    meta.path().segments.last().is_some_and(|it| it.ident == word)
}

fn assemble(subject: Subject, options: &[Written]) -> Result<NativeOp> {
    let (said, mut errors) = options::read(&subject, options);
    for (name, _) in said.parts.iter().skip(1) {
        let message = format!("`{name}` and `{}` exclude each other", said.parts[0].0);
        errors.push(mistake(codes::OPTIONS_CLASH, name.span(), message));
    }
    let default = match subject {
        Subject::Entry { .. } => FunctionRole::Kernel,
        Subject::Inline { .. } | Subject::Signature(_) => {
            FunctionRole::KernelFor(vec![DispatchKey::Cpu])
        }
    };
    let style = said.style;
    let derives = style.elementwise.is_some() || style.structured.is_some() || style.core.is_some();
    if let (true, Some((name, part))) = (derives, said.parts.first())
        && *part != FunctionRole::KernelFor(vec![DispatchKey::Cpu])
    {
        errors.push(mistake(codes::OPTIONS_CLASH, name.span(), DERIVED));
    }
    errors.extend(recorded_elsewhere(&said.parts, &style));
    combined(errors)?;
    let part = said.parts.into_iter().next().map_or(default, |(_, part)| part);
    Ok(NativeOp { subject, part, style, options: said.settings })
}

/// Gradients of what has none of its own: a rule, and what is made of other operators.
fn recorded_elsewhere(parts: &[(Ident, FunctionRole)], style: &Style) -> Option<Error> {
    let (_, span) = style.derivative.as_ref()?;
    let (_, part) = parts.first()?;
    let message = match part {
        FunctionRole::Rule | FunctionRole::Check => "a rule has no gradient: say it at the kernel",
        FunctionRole::KernelFor(keys) if keys.contains(&DispatchKey::CompositeImplicit) => {
            "an operator that is made of others is recorded by these: leave `derivative` out, or \
             say `explicit`"
        }
        FunctionRole::Kernel | FunctionRole::KernelFor(_) => return None,
    };
    Some(mistake(codes::OPTIONS_CLASH, *span, message))
}

#[cfg(test)]
mod tests {
    use super::derivative::Derivative;
    use super::{FunctionRole, NativeOp, Subject, parse};
    use opwright_schema::model::DispatchKey;

    #[track_caller]
    fn accepts(text: &str) -> NativeOp {
        parse(text.parse().unwrap()).unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    #[track_caller]
    fn refuses(text: &str, messages: &[&str]) {
        let error = parse(text.parse().unwrap()).expect_err(text);
        let found: Vec<String> = error.into_iter().map(|it| it.to_string()).collect();
        assert_eq!(found.len(), messages.len(), "{found:?}");
        for (found, message) in found.iter().zip(messages) {
            assert!(found.contains(message), "`{found}` does not contain `{message}`");
        }
    }

    #[test]
    fn names_may_be_keywords() {
        let attribute = accepts("where.self");
        assert!(matches!(attribute.subject, Subject::Entry { name, .. } if name == "where.self"));
        assert_eq!(attribute.part, FunctionRole::Kernel);
    }

    #[test]
    fn an_inline_kernel_is_for_cpu_unless_it_says_otherwise() {
        let part = |text| accepts(text).part;
        assert_eq!(
            part(r#""f(Tensor x) -> Tensor""#),
            FunctionRole::KernelFor(vec![DispatchKey::Cpu])
        );
        let both = FunctionRole::KernelFor(vec![DispatchKey::Cpu, DispatchKey::Meta]);
        assert_eq!(part(r#""f(Tensor x) -> Tensor", key = CPU | Meta"#), both);
        assert_eq!(part(r#""f(Tensor x) -> Tensor", key = "CPU, Meta","#), both);
        let implicit = FunctionRole::KernelFor(vec![DispatchKey::CompositeImplicit]);
        assert_eq!(part(r#""f(Tensor x) -> Tensor", composite"#), implicit);
    }

    #[test]
    fn the_text_of_a_literal_is_found() {
        for (text, expected) in [(r#""f() -> ()""#, 1), (r##"r#"f() -> ()"#"##, 3)] {
            let Subject::Inline { prefix, .. } = accepts(text).subject else { panic!("{text}") };
            assert_eq!(prefix, expected);
        }
        refuses(r#""f(str x=\"L\") -> ()""#, &["without escapes"]);
    }

    #[test]
    fn all_mistakes_are_reported() {
        refuses(
            r#""f() -> ()", key = GPU, methd, python_module, composite = yes"#,
            &[
                "unknown dispatch key `GPU`",
                "did you mean `method`?",
                "expected a value",
                "`composite` takes no value",
            ],
        );
    }

    #[test]
    fn gradients_are_formulas_or_functions() {
        let attribute = accepts(
            r#""f(Tensor x, Tensor y, Tensor z) -> Tensor",
               derivative((x, y) = a::backward, z = "grad", output_differentiability = [true])"#,
        );
        let Some((Derivative::Said(said), _)) = attribute.style.derivative else { panic!() };
        assert_eq!((said.inputs.len(), said.outputs.unwrap().0), (2, vec![true]));
        assert!(matches!(
            accepts("f, derivative = none").style.derivative,
            Some((Derivative::Refused, _))
        ));
        refuses("f, derivative = yes", &["expected gradients of inputs"]);
        refuses("f, derivative", &["expected gradients of inputs"]);
        refuses("f, derivative(x = 1)", &["expected a formula"]);
        refuses(r#"f, derivative(x = "\"")"#, &["a formula is written without escapes"]);
        refuses(r#"f, composite, derivative(x = "grad")"#, &["is recorded by these"]);
        refuses("f.out, rule, derivative = none", &["a rule has no gradient"]);
    }

    #[test]
    fn an_entry_says_its_own_settings() {
        refuses("add.Tensor, method", &["is said in its entry"]);
        refuses("add.Tensor, rule, composite", &["exclude each other"]);
        refuses(r#""f() -> ()", rule"#, &["structured entry"]);
    }
}
