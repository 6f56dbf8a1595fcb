//! Functions that annotations name as gradients: `derivative(x = path::to::function)`.

use opwright_diagnostics::diag::Diagnostics;
use opwright_schema::types::Natives;
use proc_macro2::Ident;
use syn::spanned::Spanned;
use syn::{FnArg, ItemFn, Pat, Path};

use super::helpers::{param, result};
use super::home::Home;
use crate::codes;
use crate::fn_path::FnPath;
use crate::form::syntax;
use crate::helper::{GradientFunction, Helper};
use crate::schema_of::plain;

/// All functions of the crate, without their bodies.
pub(super) type Functions = Vec<(ItemFn, Home)>;

/// The function that the annotation of a kernel names as its gradient of this number. One that is
/// not found, or takes or returns what no formula has, is reported.
pub(super) fn function(
    cx: &mut Diagnostics,
    natives: Natives<'_>,
    all: &Functions,
    (kernel, home): (&[String], &Home),
    (number, path): (usize, &Path),
) -> Option<GradientFunction> {
    let (func, theirs) = find(cx, all, home, path)?;
    let mut names = Vec::new();
    let mut params = Vec::new();
    for arg in &func.sig.inputs {
        let FnArg::Typed(arg) = arg else { return None };
        let (Pat::Ident(pat), Some(ty)) = (&*arg.pat, param(&arg.ty, natives)) else {
            let message = "no value that a formula has is of this type";
            cx.error(codes::GRADIENT, &theirs.place(arg.span()), message)
                .help("see the table of types in the guide's chapter on gradients");
            return None;
        };
        names.push((plain(&pat.ident), theirs.place(pat.ident.span())));
        params.push(ty);
    }
    let returned = syntax::return_type(func);
    let inner = returned.and_then(|it| syntax::argument_of(it, "Result"));
    let Some(returns) = inner.and_then(|it| result(it, natives)) else {
        let place = returned.map_or(func.sig.ident.span(), Spanned::span);
        let message = "a function of gradients returns a `Result` of a tensor, or of several";
        cx.error(codes::GRADIENT, &theirs.place(place), message)
            .help("write `Result<Tensor>`, `Result<Option<Tensor>>`, or a tuple of these");
        return None;
    };
    let constant = kernel.iter().cloned().chain([constant(number)]).collect();
    let helper = Helper { path: FnPath(constant), params, returns };
    let place = theirs.place(returned.map_or(func.sig.ident.span(), Spanned::span));
    Some(GradientFunction { name: plain(&func.sig.ident), names, returns: place, helper })
}

/// The constant beside a kernel that is its function of gradients of this number.
pub(crate) fn constant(number: usize) -> String {
    format!("DERIVATIVE{number}")
}

/// The function behind a path in the annotation of a kernel.
fn find<'a>(
    cx: &mut Diagnostics,
    all: &'a Functions,
    home: &Home,
    path: &Path,
) -> Option<&'a (ItemFn, Home)> {
    let last = &path.segments.last()?.ident;
    let named: Vec<_> = all.iter().filter(|(func, _)| func.sig.ident == *last).collect();
    let wanted = module(home, path);
    let exact = named.iter().find(|(_, it)| Some(&it.module) == wanted.as_ref());
    // A path may begin with what `use` has brought in.
    let ends = |it: &Home| path.segments.len() > 1 && it.module.ends_with(&tail(path));
    let mut near = named.iter().filter(|(_, it)| ends(it));
    let only = || if let [only] = named.as_slice() { Some(only) } else { None };
    let found = exact.or_else(|| near.next()).or_else(only).copied();
    if found.is_none() {
        missing(cx, all, home, (path, last), named.len());
    }
    found
}

fn missing(
    cx: &mut Diagnostics,
    all: &Functions,
    home: &Home,
    (path, last): (&Path, &Ident),
    count: usize,
) {
    let place = home.place(path.span());
    let name = last.to_string();
    if count > 1 {
        let message = format_args!("the crate has {count} functions `{name}`");
        cx.error(codes::GRADIENT, &place, message)
            .help(format_args!("write the whole path, `crate::...::{name}`"));
        return;
    }
    let known: Vec<String> = all.iter().map(|(func, _)| func.sig.ident.to_string()).collect();
    cx.error(codes::GRADIENT, &place, format_args!("the crate has no function `{name}`"))
        .suggest(&name, known.iter().map(String::as_str))
        .help("a gradient is a function of this crate, which may call those of others");
}

/// The module that a path names, as far as it names one by its own words.
fn module(home: &Home, path: &Path) -> Option<Vec<String>> {
    let mut module = home.module.clone();
    let before = path.segments.iter().take(path.segments.len().saturating_sub(1));
    for (at, segment) in before.enumerate() {
        match segment.ident.to_string().as_str() {
            "crate" if at == 0 => module.clear(),
            "self" if at == 0 => {}
            "super" => drop(module.pop()?),
            name => module.push(name.to_owned()),
        }
    }
    Some(module)
}

/// The modules at the end of a path.
fn tail(path: &Path) -> Vec<String> {
    let words = path.segments.iter().map(|it| it.ident.to_string());
    let words = words.take(path.segments.len().saturating_sub(1));
    words.filter(|it| !["crate", "self", "super"].contains(&it.as_str())).collect()
}
