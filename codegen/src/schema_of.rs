//! The schema that a function's signature says.
//!
//! ```text
//! #[native_op(signature = (x, *, factor = 1.0))]
//! fn scale(x: &Tensor, factor: f64) -> Result<Tensor>
//!
//! scale(Tensor x, *, float factor=1.0) -> Tensor
//! ```
//!
//! What is written to is returned: `self_: &mut Tensor`, and a `&mut Tensor`
//! behind the `*`, which is an `out=` argument.

use opwright_schema::parse_one;
use proc_macro2::{Ident, Span};
use syn::{Error, Expr, ExprLit, FnArg, ItemFn, Lit, Pat, Result, Type, UnOp};

use crate::attribute::Style;
use crate::codes;
use crate::form::{Form, syntax};
use crate::items::{Item, Items};
use crate::mistake::{mistake, mistake_in};
use crate::types;

/// The text of the schema.
///
/// # Errors
///
/// Types that are none of a schema, names that are no parameters, defaults
/// that do not fit: each at its place.
pub fn schema_of(items: &Items, style: &Style, form: &Form, func: &ItemFn) -> Result<String> {
    let function = Function { form, params: params(func)? };
    let listed = function.listed(items)?;
    let mut errors: Option<Error> = None;
    let mut texts = Vec::new();
    for entry in &listed {
        match function.text(entry) {
            Ok(text) => texts.push(text),
            Err(error) => match &mut errors {
                Some(errors) => errors.combine(error),
                None => errors = Some(error),
            },
        }
    }
    let returns = match function.returns(func, &listed) {
        Ok(returns) => returns,
        Err(error) => {
            errors = Some(errors.map_or(error.clone(), |mut all| {
                all.combine(error);
                all
            }));
            String::new()
        }
    };
    if let Some(errors) = errors {
        return Err(errors);
    }
    let own = func.sig.ident.to_string();
    let name = style.name.as_ref().map_or(own.trim_start_matches("r#"), |(name, _)| name);
    let schema = format!("{name}({}) -> {returns}", texts.join(", "));
    check(&schema, style.name.as_ref().map_or(func.sig.ident.span(), |(_, span)| *span))?;
    Ok(schema)
}

/// A parameter of the function.
struct Param<'a> {
    /// As the schema has it.
    name: String,
    ty: &'a Type,
    span: Span,
}

/// What stands in the schema's list of parameters.
enum Listed<'a> {
    Star,
    Param { param: &'a Param<'a>, default: Option<&'a Expr>, keyword: bool },
}

fn params(func: &ItemFn) -> Result<Vec<Param<'_>>> {
    let mut params = Vec::new();
    for arg in &func.sig.inputs {
        let FnArg::Typed(arg) = arg else { continue };
        let Pat::Ident(pat) = &*arg.pat else {
            let message = "a parameter of an operator has a name";
            return Err(mistake_in(codes::NO_PARAMETER_NAME, &arg.pat, message));
        };
        params.push(Param { name: plain(&pat.ident), ty: &arg.ty, span: pat.ident.span() });
    }
    Ok(params)
}

/// `self_` and `r#where` are `self` and `where`; `_unused` is `unused`.
fn plain(name: &Ident) -> String {
    let name = name.to_string();
    let name = name.strip_prefix("r#").unwrap_or(&name);
    let known = ["self_", "super_", "crate_", "Self_"].contains(&name);
    let name = if known { &name[..name.len() - 1] } else { name };
    name.trim_start_matches('_').to_owned()
}

struct Function<'a> {
    form: &'a Form,
    params: Vec<Param<'a>>,
}

impl Function<'_> {
    /// The parameters as the attribute lists them, which is all, in order.
    fn listed<'a>(&'a self, items: &'a Items) -> Result<Vec<Listed<'a>>> {
        let Some(items_) = &items.items else {
            let all = self.params.iter();
            return Ok(all
                .map(|param| Listed::Param { param, default: None, keyword: false })
                .collect());
        };
        let mut listed = Vec::new();
        let mut keyword = false;
        let mut rest = self.params.iter();
        for item in items_ {
            let (name, default) = match item {
                Item::Star(_) => {
                    keyword = true;
                    listed.push(Listed::Star);
                    continue;
                }
                Item::Param { name, default } => (name, default.as_deref()),
            };
            match rest.next() {
                Some(param) if param.name == plain(name) => {
                    listed.push(Listed::Param { param, default, keyword });
                }
                expected => return Err(self.out_of_place(name, expected)),
            }
        }
        match rest.next() {
            Some(missing) => {
                let message = format!(
                    "`signature` leaves out the parameter `{}`: list all, or write `signature` alone",
                    missing.name
                );
                Err(mistake(codes::LISTED, missing.span, message))
            }
            None => Ok(listed),
        }
    }

    fn out_of_place(&self, name: &Ident, expected: Option<&Param<'_>>) -> Error {
        let known = self.params.iter().any(|it| it.name == plain(name));
        let message = match (known, expected) {
            (true, Some(expected)) => format!(
                "the function's parameters have another order: expected `{}` here",
                expected.name
            ),
            (true, None) => format!("`{name}` is listed twice"),
            (false, _) => {
                let names = self.params.iter().map(|it| it.name.as_str());
                match opwright_schema::diag::nearest(&plain(name), names) {
                    Some(near) => {
                        format!("the function has no parameter `{name}`; did you mean `{near}`?")
                    }
                    None => format!("the function has no parameter `{name}`"),
                }
            }
        };
        mistake(codes::LISTED, name.span(), message)
    }

    fn text(&self, listed: &Listed<'_>) -> Result<String> {
        let Listed::Param { param, default, .. } = listed else { return Ok("*".to_owned()) };
        let ty = self.parameter(param.ty)?;
        let ty = if mutable(param.ty) { ty.replacen("Tensor", "Tensor(a!)", 1) } else { ty };
        let text = format!("{ty} {}", param.name);
        let Some(default) = default else { return Ok(text) };
        let value = literal(default)?;
        let whole = format!("{text}={value}");
        check(&format!("f({whole}) -> ()"), span_of(default)).map_err(|error| {
            // A literal that is none of this type.
            Error::new_spanned(default, error.to_string())
        })?;
        Ok(whole)
    }

    fn parameter(&self, ty: &Type) -> Result<String> {
        let known = match self.form {
            Form::Elementwise(it) if it.elements.is(ty) => Some("Tensor".to_owned()),
            Form::Arrays(_) => match syntax::argument_of(ty, "Option") {
                Some(inner) => syntax::view_elements(inner).map(|_| "Tensor?".to_owned()),
                None => syntax::view_elements(ty).map(|_| "Tensor".to_owned()),
            },
            Form::Plain | Form::Filling | Form::Elementwise(_) => None,
        };
        let known = known.or_else(|| borrowed(ty));
        known.ok_or_else(|| mistake_in(codes::NO_SCHEMA_TYPE, ty, no_parameter(ty)))
    }

    fn returns(&self, func: &ItemFn, listed: &[Listed<'_>]) -> Result<String> {
        let written: Vec<&str> = listed.iter().filter_map(returned_param).collect();
        let Some(ty) = syntax::return_type(func) else {
            let message = "a kernel returns a `Result`";
            return Err(mistake(codes::NO_RESULT, func.sig.paren_token.span.close(), message));
        };
        if let Form::Elementwise(it) = self.form {
            return Ok(tuple(vec!["Tensor".to_owned(); it.results.len()]));
        }
        let ok = syntax::argument_of(ty, "Result").unwrap_or(ty);
        let parts = syntax::parts(ok);
        let fresh: Vec<String> = parts
            .iter()
            .map(|part| {
                self.owned(part).ok_or_else(|| mistake_in(codes::NO_RESULT, part, NO_RESULT))
            })
            .collect::<Result<_>>()?;
        if fresh.is_empty() && !written.is_empty() {
            return Ok(tuple(written.iter().map(|_| "Tensor(a!)".to_owned()).collect()));
        }
        Ok(tuple(fresh))
    }

    fn owned(&self, ty: &Type) -> Option<String> {
        if syntax::is_array(ty) {
            return Some("Tensor".to_owned());
        }
        if let (Form::Arrays(it), Type::Path(_)) = (self.form, ty)
            && it.elements.is(ty)
            && owned(ty).is_none()
        {
            return Some("Tensor".to_owned());
        }
        owned(ty)
    }
}

/// A parameter that the operator writes to and returns.
fn returned_param<'a>(listed: &Listed<'a>) -> Option<&'a str> {
    match listed {
        Listed::Param { param, keyword, .. } if mutable(param.ty) => {
            (*keyword || param.name == "self").then_some(param.name.as_str())
        }
        Listed::Param { .. } | Listed::Star => None,
    }
}

/// One alone stands for itself.
fn tuple(mut items: Vec<String>) -> String {
    match items.len() {
        1 => items.remove(0),
        _ => format!("({})", items.join(", ")),
    }
}

fn mutable(ty: &Type) -> bool {
    matches!(ty, Type::Reference(it) if it.mutability.is_some())
}

/// The schema's type for the type of a parameter.
fn borrowed(ty: &Type) -> Option<String> {
    match ty {
        Type::Reference(reference) => match &*reference.elem {
            Type::Slice(slice) => Some(format!("{}[]", borrowed(&slice.elem)?)),
            inner => word(inner, false),
        },
        Type::Paren(it) => borrowed(&it.elem),
        _ => match syntax::argument_of(ty, "Option") {
            Some(inner) => Some(format!("{}?", borrowed(inner)?)),
            None => word(ty, true),
        },
    }
}

/// The schema's type for a part of a result.
fn owned(ty: &Type) -> Option<String> {
    if syntax::is_called(ty, "String") {
        return Some("str".to_owned());
    }
    match syntax::argument_of(ty, "Vec") {
        Some(inner) => Some(format!("{}[]", owned(inner)?)),
        None => word(ty, true).or_else(|| word(ty, false)).filter(|it| it != "str"),
    }
}

/// One word, of a type that is passed as it is or by reference.
fn word(ty: &Type, copied: bool) -> Option<String> {
    let (base, schema) = types::of_rust(&syntax::last_segment(ty)?.ident.to_string())?;
    (types::is_copied(base) == copied).then(|| schema.to_owned())
}

fn no_parameter(ty: &Type) -> String {
    let name = syntax::last_segment(ty).map(|it| it.ident.to_string()).unwrap_or_default();
    let instead = match name.as_str() {
        "Tensor" | "Generator" | "Storage" => format!("write `&{name}`"),
        "String" => "write `&str`".to_owned(),
        "Vec" => "write a slice, `&[...]`".to_owned(),
        "f32" => "write `f64`".to_owned(),
        "usize" | "isize" | "u8" | "u16" | "u32" | "u64" | "i8" | "i16" | "i32" => {
            "write `i64`".to_owned()
        }
        _ => format!(
            "there are `{}`, `Option` and slices of these, and `&mut Tensor`",
            types::parameters_in_rust()
        ),
    };
    format!("no type of a schema is this in Rust; {instead}")
}

const NO_RESULT: &str = "an operator cannot return this; there are `Tensor`, `i64`, `f64`, \
                         `bool`, `Scalar`, `String`, `DType`, `Vec` and tuples of these, and `()`";

/// A default in the words of a schema.
fn literal(value: &Expr) -> Result<String> {
    let text = match value {
        Expr::Lit(ExprLit { lit, .. }) => match lit {
            Lit::Int(it) => Some(it.base10_digits().to_owned()),
            Lit::Float(it) => Some(it.base10_digits().to_owned()),
            Lit::Bool(it) => Some(if it.value { "True" } else { "False" }.to_owned()),
            Lit::Str(it) if !it.value().contains(['\'', '\\', '\n']) => {
                Some(format!("'{}'", it.value()))
            }
            _ => None,
        },
        Expr::Unary(it) if matches!(it.op, UnOp::Neg(_)) => {
            Some(format!("-{}", literal(&it.expr)?))
        }
        Expr::Array(it) => {
            let items: Vec<String> = it.elems.iter().map(literal).collect::<Result<_>>()?;
            Some(format!("[{}]", items.join(",")))
        }
        Expr::Path(it) if it.path.is_ident("None") => Some("None".to_owned()),
        Expr::Path(it) if it.path.is_ident("True") => Some("True".to_owned()),
        Expr::Path(it) if it.path.is_ident("False") => Some("False".to_owned()),
        Expr::Group(it) => Some(literal(&it.expr)?),
        _ => None,
    };
    text.ok_or_else(|| {
        let message = "a default is a literal: a number, `true`, `\"text\"`, `[1, 2]` or `None`";
        mistake_in(codes::NO_LITERAL, value, message)
    })
}

fn span_of(value: &Expr) -> Span {
    syn::spanned::Spanned::span(value)
}

/// Whether the schema crate takes a schema; what it says otherwise.
fn check(schema: &str, span: Span) -> Result<()> {
    match parse_one(schema) {
        Ok(_) => Ok(()),
        Err(findings) => {
            let first = findings.first().map_or((codes::SYNTAX, ""), |it| (it.code, &*it.message));
            Err(mistake(first.0, span, first.1))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::attribute;
    use crate::attribute::Target;

    fn text(attribute: &str, function: &str) -> Result<String> {
        let attribute = attribute::parse(attribute.parse().unwrap())?;
        let func: ItemFn = syn::parse_str(&format!("{function} {{}}")).unwrap();
        let form = Form::read(&attribute, &func)?;
        let Target::Signature(items) = &attribute.target else { panic!("{attribute:?}") };
        schema_of(items, &attribute.style, &form, &func)
    }

    #[track_caller]
    fn check(attribute: &str, function: &str, expected: &str) {
        assert_eq!(text(attribute, function).unwrap(), expected);
    }

    #[track_caller]
    fn refuses(attribute: &str, function: &str, expected: &str) {
        let error = text(attribute, function).expect_err(function);
        let messages: Vec<String> = error.into_iter().map(|it| it.to_string()).collect();
        assert_eq!(messages.len(), 1, "{messages:?}");
        assert!(messages[0].contains(expected), "{}", messages[0]);
    }

    #[test]
    fn types_become_those_of_the_schema() {
        check("", "fn f(x: &Tensor) -> Result<Tensor>", "f(Tensor x) -> Tensor");
        check(
            "signature",
            "fn f(x: Option<&Tensor>, at: &[i64], mode: &str, d: Option<DType>) -> Result<()>",
            "f(Tensor? x, int[] at, str mode, ScalarType? d) -> ()",
        );
        check(
            "signature",
            "fn f(all: &[&Tensor], a: Scalar, g: &Generator) -> Result<(Vec<Tensor>, f64)>",
            "f(Tensor[] all, Scalar a, Generator g) -> (Tensor[], float)",
        );
        check(
            "signature, name = \"f_\"",
            "fn f(self_: &mut Tensor, by: f64) -> Result<()>",
            "f_(Tensor(a!) self, float by) -> Tensor(a!)",
        );
        check(
            "signature = (x, *, out), name = \"f.out\"",
            "fn f(x: &Tensor, out: &mut Tensor) -> Result<()>",
            "f.out(Tensor x, *, Tensor(a!) out) -> Tensor(a!)",
        );
    }

    #[test]
    fn items_give_defaults_and_keywords() {
        check(
            "signature = (x, *, factor = 1.0, dims = [0, -1], mode = \"mean\", k = None)",
            "fn f(x: &Tensor, factor: f64, dims: &[i64], mode: &str, k: Option<i64>) -> Result<i64>",
            "f(Tensor x, *, float factor=1.0, int[] dims=[0,-1], str mode='mean', int? k=None) -> int",
        );
    }

    #[test]
    fn elements_and_views_are_tensors() {
        check(
            "signature, elementwise, dtypes = floating",
            "fn f<T: Float>(x: T, y: T, by: f64) -> (T, bool)",
            "f(Tensor x, Tensor y, float by) -> (Tensor, Tensor)",
        );
        check(
            "signature, dtypes = floating",
            "fn f<T: Float>(x: ArrayView2<'_, T>, w: Option<ArrayViewD<T>>) -> Array1<T>",
            "f(Tensor x, Tensor? w) -> Tensor",
        );
    }

    #[test]
    fn mistakes_are_named() {
        refuses("", "fn f(x: Tensor) -> Result<Tensor>", "write `&Tensor`");
        refuses("", "fn f(x: &Tensor, k: usize) -> Result<Tensor>", "write `i64`");
        refuses("", "fn f(x: &Tensor, k: Shape) -> Result<Tensor>", "there are `&Tensor`, `i64`");
        refuses("", "fn f(x: &Tensor) -> Result<Shape>", "cannot return this");
        refuses("signature = (y)", "fn f(x: &Tensor) -> Result<Tensor>", "no parameter `y`");
        refuses("signature = (x)", "fn f(x: &Tensor, k: i64) -> Result<Tensor>", "leaves out");
        refuses(
            "signature = (k, x)",
            "fn f(x: &Tensor, k: i64) -> Result<Tensor>",
            "another order: expected `x`",
        );
        refuses("signature = (x, k = 1.5)", "fn f(x: &Tensor, k: i64) -> Result<Tensor>", "1.5");
        refuses(
            "signature = (x, k = f())",
            "fn f(x: &Tensor, k: i64) -> Result<Tensor>",
            "a default is a literal",
        );
    }
}
