//! The grammar of `#[native_op(...)]`, read by the macro and by the scan.
//!
//! ```text
//! attribute = [ target { "," option } [ "," ] ]
//! target    = name { "." name }          the kernel of an entry: add.Tensor, where.self
//!           | string                     a schema: "hypot(Tensor x, Tensor y) -> Tensor"
//!           | "signature" [ "=" "(" item { "," item } ")" ]
//!                                        the schema is in the function's signature
//! item      = name [ "=" default ] | "*"
//! option    = flag | name "=" value
//! value     = string | word { "|" word } | "[" word { "," word } "]"
//! ```
//!
//! Nothing at all is `signature`.
//!
//! One grammar for both readers: what the scan finds and what the macro
//! expands cannot be two different things.

mod style;

use proc_macro2::{Span, TokenStream};
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::token::Bracket;
use syn::{Error, Ident, LitStr, Result, Token, bracketed};

use opwright_schema::diag::nearest;
use opwright_schema::dispatch_key;
use opwright_schema::model::DispatchKey;

pub use self::style::Style;

use self::style::STYLE_OPTIONS;
use crate::codes;
use crate::items::Items;
use crate::mistake::mistake;

/// What an attribute says.
#[derive(Clone, Debug)]
pub struct NativeOp {
    /// Which operator the function belongs to.
    pub target: Target,
    /// What the function is to it.
    pub part: Part,
    /// How the function is written.
    pub style: Style,
    /// Further options, as they are written: names and values of the entry's keys.
    pub options: Vec<Setting>,
}

/// Which operator a function belongs to.
#[derive(Clone, Debug)]
pub enum Target {
    /// An entry of the YAML file, or an operator annotated elsewhere.
    Entry {
        /// `add.Tensor`.
        name: String,
        /// The words of the name, for their places.
        words: Vec<Ident>,
    },
    /// The operator of this schema.
    Inline {
        /// The string literal.
        literal: LitStr,
        /// How many bytes stand between the start of the literal and that of its text.
        prefix: usize,
    },
    /// The operator of the schema that the function's signature says.
    Signature(Items),
}

/// What a function is to its operator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// Its kernel: for the keys that the entry gives to the function's name.
    Kernel,
    /// Its kernel for these keys.
    KernelFor(Vec<DispatchKey>),
    /// The rule from argument shapes and dtypes to those of the results.
    Rule,
}

/// An option of the attribute that the entry of a YAML file would have as a key.
#[derive(Clone, Debug)]
pub struct Setting {
    /// The key.
    pub name: Ident,
    /// Its value, and where it stands; a flag's value is empty.
    pub value: String,
    /// Where the value stands.
    pub span: Span,
}

const DERIVED: &str = "this function is the kernel for CPU, and that for Meta follows from it: \
                       leave this out";

/// Options that say what the function is.
const PART_OPTIONS: [&str; 4] = ["rule", "key", "composite", "explicit"];

/// Options with the meaning of an entry's key, and whether they take a value.
const SETTINGS: [(&str, bool); 10] = [
    ("method", false),
    ("variants", true),
    ("python_module", true),
    ("python", true),
    ("tags", true),
    ("gil", true),
    ("since", true),
    ("deprecated", true),
    ("category_override", true),
    ("device_check", true),
];

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
        let target = parse_target(input)?;
        input.parse::<TokenStream>()?;
        Ok(target)
    };
    match lenient.parse2(args).ok()? {
        Target::Entry { name, .. } => Some(name),
        Target::Inline { .. } | Target::Signature(_) => None,
    }
}

fn parse_native_op(input: ParseStream<'_>) -> Result<NativeOp> {
    if input.is_empty() {
        return assemble(Target::Signature(Items::all(input.span())), Vec::new());
    }
    let target = parse_target(input)?;
    let mut options = Vec::new();
    while !input.is_empty() {
        input.parse::<Token![,]>()?;
        if input.is_empty() {
            break;
        }
        options.push(input.parse::<RawOption>()?);
    }
    assemble(target, options)
}

fn parse_target(input: ParseStream<'_>) -> Result<Target> {
    if input.peek(LitStr) {
        let literal: LitStr = input.parse()?;
        let prefix = text_offset(&literal)?;
        return Ok(Target::Inline { literal, prefix });
    }
    if let Some(items) = Items::parse(input)? {
        return Ok(Target::Signature(items));
    }
    let mut words = vec![input.call(Ident::parse_any)?];
    while input.peek(Token![.]) {
        input.parse::<Token![.]>()?;
        words.push(input.call(Ident::parse_any)?);
    }
    let name = words.iter().map(Ident::to_string).collect::<Vec<_>>().join(".");
    Ok(Target::Entry { name, words })
}

/// Errors inside the schema are shown at their place in the literal, which
/// needs its text to be the very bytes of the file.
fn text_offset(literal: &LitStr) -> Result<usize> {
    let text = literal.token().to_string();
    let prefix = text.find('"').map_or(0, |quote| quote + 1);
    let rest = text[prefix..].strip_prefix(&literal.value());
    if rest.is_some_and(|rest| rest.starts_with('"')) {
        return Ok(prefix);
    }
    let message = "a schema is written without escapes; use a raw string, `r#\"...\"#`";
    Err(mistake(codes::ESCAPES, literal.span(), message))
}

/// An option before its name is known to mean something.
struct RawOption {
    name: Ident,
    value: Option<Value>,
}

/// What stands behind the `=` of an option.
struct Value {
    /// The text of a string, or the words with commas between them.
    text: String,
    span: Span,
    words: Vec<Ident>,
    /// The words stand in brackets.
    listed: bool,
}

impl Parse for RawOption {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let name = input.call(Ident::parse_any)?;
        if !input.peek(Token![=]) {
            return Ok(RawOption { name, value: None });
        }
        input.parse::<Token![=]>()?;
        Ok(RawOption { name, value: Some(input.parse()?) })
    }
}

impl Parse for Value {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        if input.peek(LitStr) {
            let literal: LitStr = input.parse()?;
            let (text, span) = (literal.value(), literal.span());
            return Ok(Value { text, span, words: Vec::new(), listed: false });
        }
        if input.peek(Bracket) {
            let inside;
            let bracket = bracketed!(inside in input);
            let words =
                Punctuated::<Ident, Token![,]>::parse_terminated_with(&inside, Ident::parse_any)?;
            return Ok(Value::of(words.into_iter().collect(), bracket.span.join(), true));
        }
        let words =
            Punctuated::<Ident, Token![|]>::parse_separated_nonempty_with(input, Ident::parse_any)?;
        let span = words.first().map_or_else(|| input.span(), Ident::span);
        Ok(Value::of(words.into_iter().collect(), span, false))
    }
}

impl Value {
    fn of(words: Vec<Ident>, span: Span, listed: bool) -> Self {
        let text = words.iter().map(Ident::to_string).collect::<Vec<_>>().join(", ");
        Value { text, span, words, listed }
    }
}

fn assemble(target: Target, options: Vec<RawOption>) -> Result<NativeOp> {
    let mut errors = Vec::new();
    let mut parts = Vec::new();
    let mut style = Style::default();
    let mut settings: Vec<Setting> = Vec::new();
    for option in options {
        let name = option.name.to_string();
        let outcome = if PART_OPTIONS.contains(&name.as_str()) {
            part(&target, &option).map(|part| parts.push((option.name.clone(), part)))
        } else if STYLE_OPTIONS.contains(&name.as_str()) {
            style.read(&target, &option)
        } else {
            setting(&target, option, &settings).map(|setting| settings.push(setting))
        };
        errors.extend(outcome.err());
    }
    for (name, _) in parts.iter().skip(1) {
        let message = format!("`{name}` and `{}` exclude each other", parts[0].0);
        errors.push(mistake(codes::OPTIONS_CLASH, name.span(), message));
    }
    let default = match target {
        Target::Entry { .. } => Part::Kernel,
        Target::Inline { .. } | Target::Signature(_) => Part::KernelFor(vec![DispatchKey::Cpu]),
    };
    let derives = style.elementwise.or_else(|| style.structured.as_ref().map(Ident::span));
    if let (Some(_), Some((name, part))) = (derives, parts.first())
        && *part != Part::KernelFor(vec![DispatchKey::Cpu])
    {
        errors.push(mistake(codes::OPTIONS_CLASH, name.span(), DERIVED));
    }
    let part = parts.into_iter().next().map_or(default, |(_, part)| part);
    match combine(errors) {
        Some(error) => Err(error),
        None => Ok(NativeOp { target, part, style, options: settings }),
    }
}

fn combine(errors: Vec<Error>) -> Option<Error> {
    errors.into_iter().reduce(|mut all, error| {
        all.combine(error);
        all
    })
}

fn part(target: &Target, option: &RawOption) -> Result<Part> {
    let name = option.name.to_string();
    match (name.as_str(), &option.value) {
        ("key", Some(value)) => dispatch_keys(&value.text, value.span).map(Part::KernelFor),
        ("key", None) => {
            let message = "expected dispatch keys, as in `key = CPU | Meta`";
            Err(mistake(codes::OPTION_VALUE, option.name.span(), message))
        }
        (_, Some(value)) => Err(takes_no_value(&name, value)),
        ("composite", None) => Ok(Part::KernelFor(vec![DispatchKey::CompositeImplicit])),
        ("explicit", None) => Ok(Part::KernelFor(vec![DispatchKey::CompositeExplicit])),
        (_, None) => match target {
            Target::Entry { .. } => Ok(Part::Rule),
            Target::Inline { .. } | Target::Signature(_) => Err(mistake(
                codes::OPTION_PLACE,
                option.name.span(),
                "a rule belongs to a structured entry of the YAML file; name that entry instead",
            )),
        },
    }
}

fn dispatch_keys(value: &str, span: Span) -> Result<Vec<DispatchKey>> {
    value.split(',').map(str::trim).map(|word| known_key(word, span)).collect()
}

fn known_key(word: &str, span: Span) -> Result<DispatchKey> {
    DispatchKey::read(word).ok_or_else(|| {
        let known = dispatch_key::listed("or");
        let message = format!("unknown dispatch key `{word}`; expected {known}");
        mistake(opwright_schema::codes::UNKNOWN_DISPATCH_KEY, span, message)
    })
}

fn setting(target: &Target, option: RawOption, earlier: &[Setting]) -> Result<Setting> {
    let name = option.name.to_string();
    let Some((_, takes_value)) = SETTINGS.iter().find(|(known, _)| *known == name) else {
        return Err(mistake(codes::UNKNOWN_OPTION, option.name.span(), unknown_option(&name)));
    };
    in_its_entry(target, &option.name)?;
    if earlier.iter().any(|it| it.name == option.name) {
        return Err(said_twice(&option.name));
    }
    match (takes_value, option.value) {
        (true, Some(value)) => {
            Ok(Setting { name: option.name, value: value.text, span: value.span })
        }
        (false, None) => {
            let span = option.name.span();
            Ok(Setting { name: option.name, value: String::new(), span })
        }
        (true, None) => {
            let message = format!("expected a value, as in `{name} = \"...\"`");
            Err(mistake(codes::OPTION_VALUE, option.name.span(), message))
        }
        (false, Some(value)) => Err(takes_no_value(&name, &value)),
    }
}

fn takes_no_value(name: &str, value: &Value) -> Error {
    mistake(codes::OPTION_VALUE, value.span, format_args!("`{name}` takes no value"))
}

fn said_twice(name: &Ident) -> Error {
    let message = format_args!("`{name}` is said twice: leave one out");
    mistake(codes::OPTION_TWICE, name.span(), message)
}

fn in_its_entry(target: &Target, option: &Ident) -> Result<()> {
    match target {
        Target::Entry { name, .. } => {
            let message = format!("`{option}` of `{name}` is said in its entry, not at its kernel");
            Err(mistake(codes::OPTION_PLACE, option.span(), message))
        }
        Target::Inline { .. } | Target::Signature(_) => Ok(()),
    }
}

fn unknown_option(name: &str) -> String {
    let known: Vec<&str> = PART_OPTIONS
        .into_iter()
        .chain(STYLE_OPTIONS)
        .chain(SETTINGS.iter().map(|(name, _)| *name))
        .collect();
    match nearest(name, known.iter().copied()) {
        Some(near) => format!("unknown option `{name}`; did you mean `{near}`?"),
        None => format!("unknown option `{name}`; expected one of `{}`", known.join("`, `")),
    }
}

#[cfg(test)]
mod tests {
    use super::{NativeOp, Part, Target, parse};
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
        assert!(matches!(attribute.target, Target::Entry { name, .. } if name == "where.self"));
        assert_eq!(attribute.part, Part::Kernel);
    }

    #[test]
    fn an_inline_kernel_is_for_cpu_unless_it_says_otherwise() {
        let part = |text| accepts(text).part;
        assert_eq!(part(r#""f(Tensor x) -> Tensor""#), Part::KernelFor(vec![DispatchKey::Cpu]));
        let both = Part::KernelFor(vec![DispatchKey::Cpu, DispatchKey::Meta]);
        assert_eq!(part(r#""f(Tensor x) -> Tensor", key = CPU | Meta"#), both);
        assert_eq!(part(r#""f(Tensor x) -> Tensor", key = "CPU, Meta","#), both);
        let implicit = Part::KernelFor(vec![DispatchKey::CompositeImplicit]);
        assert_eq!(part(r#""f(Tensor x) -> Tensor", composite"#), implicit);
    }

    #[test]
    fn the_text_of_a_literal_is_found() {
        for (text, expected) in [(r#""f() -> ()""#, 1), (r##"r#"f() -> ()"#"##, 3)] {
            let Target::Inline { prefix, .. } = accepts(text).target else { panic!("{text}") };
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
    fn an_entry_says_its_own_settings() {
        refuses("add.Tensor, method", &["is said in its entry"]);
        refuses("add.Tensor, rule, composite", &["exclude each other"]);
        refuses(r#""f() -> ()", rule"#, &["structured entry"]);
    }
}
