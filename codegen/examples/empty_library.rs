//! Writes the sources of a module with as many operators as one likes, whose
//! kernels are empty: what is left is the cost of what is generated.
//!
//! ```text
//! cargo run --package opwright-codegen --example empty_library FILE COUNT DIR
//! ```
//!
//! The first `COUNT` entries of `FILE` that kernels can be written for become
//! `DIR/native_functions.yaml` and `DIR/src/lib.rs`, of a module with the name
//! of the directory.

use std::collections::BTreeSet;
use std::error::Error;
use std::fmt::Write;
use std::path::Path;
use std::{env, fs};

use opwright_codegen::{file, signature, types};
use opwright_diagnostics::diag::{Diagnostic, Diagnostics};
use opwright_diagnostics::{Sources, render};
use opwright_schema::model::{DispatchKey, Group, Overload, Schema, Span, Structured, Type};
use opwright_schema::{Input, OpSet, load, names};
use proc_macro2::TokenStream;
use quote::{format_ident, quote};

/// Keys that say where kernels are.
const DROPPED: [&str; 5] =
    ["dispatch:", "structured", "manual_kernel", "precomputed:", "ufunc_inner_loop:"];

/// Methods that tensors of every module have beside operators.
const TAKEN: [&str; 5] = ["item", "mT", "set", "to", "type_as"];

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = env::args().skip(1).collect();
    let [path, count, folder] = args.as_slice() else {
        return Err("expected FILE COUNT DIR".into());
    };
    let (count, folder) = (count.parse()?, Path::new(folder));
    let text = fs::read_to_string(path)?;
    let mut sources = Sources::new();
    let input = Input::yaml(sources.add(path.clone(), text.clone()));
    let ops =
        load(&sources, &input).map_err(|errors: Vec<Diagnostic>| render(&sources, &errors))?;
    let odd = odd(&ops);
    let fits = |it: &&Overload| {
        // What is bound by hand is so here as well.
        let is_free = !it.manual_binding && !TAKEN.contains(&it.schema.name.base.root.as_str());
        has_kernel(it) && is_free && !odd.iter().any(|at| it.span.range.contains(&at.range.start))
    };
    let mut entries: Vec<&Overload> = ops.overloads.iter().filter(fits).collect();
    // Companions of an entry stand at its line.
    entries.dedup_by_key(|it| it.line);
    entries.truncate(count);
    // Variants of one operator are there all or none.
    let lines: BTreeSet<usize> = entries.iter().map(|it| it.line).collect();
    let is_there = |at: usize| lines.contains(&ops.overloads[at].line);
    let is_whole = |group: &Group| {
        let members = [group.functional, group.inplace, group.out, group.mutable, group.scratch];
        members.into_iter().flatten().all(is_there)
    };
    let whole: BTreeSet<usize> = ops
        .groups
        .iter()
        .filter(|it| is_whole(it))
        .flat_map(|it| [it.functional, it.inplace, it.out, it.mutable, it.scratch])
        .flatten()
        .map(|it| ops.overloads[it].line)
        .collect();
    entries.retain(|it| whole.contains(&it.line));
    let name = folder.file_name().ok_or("the directory has no name")?.to_string_lossy();
    fs::create_dir_all(folder.join("src"))?;
    fs::write(folder.join("native_functions.yaml"), yaml(&text, &entries))?;
    fs::write(folder.join("src/lib.rs"), file::rust(library(&name, &entries)))?;
    println!("{}", entries.len());
    Ok(())
}

/// The places of what Python cannot reach, which would end a build.
fn odd(ops: &OpSet) -> Vec<Span> {
    let mut cx = Diagnostics::new();
    signature::functions(&mut cx, ops);
    let findings = cx.finish().err().into_iter().flatten();
    findings.filter_map(|it| it.span).collect()
}

/// Whether all types of a schema have values, so that there can be a kernel.
fn has_kernel(overload: &Overload) -> bool {
    let Schema { params, returns, .. } = &overload.schema;
    let types = params.iter().map(|it| &it.ty.value).chain(returns.iter().map(|it| &it.ty.value));
    types.map(Type::base).all(|it| it.has_values() && !it.is_empty())
}

/// The texts of the entries, with kernels of ours in place of theirs.
fn yaml(text: &str, entries: &[&Overload]) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let mut out = String::new();
    for (at, entry) in entries.iter().enumerate() {
        let (first, rest) = lines[entry.line - 1..].split_first().expect("the line of an entry");
        let _ = writeln!(out, "{first}");
        let mut is_dropped = false;
        for line in rest.iter().take_while(|it| !it.starts_with("- ")) {
            if line.trim_start_matches("  ").starts_with(char::is_alphabetic)
                && !line.starts_with("   ")
            {
                is_dropped = DROPPED.iter().any(|key| line.trim_start().starts_with(key));
            }
            if !is_dropped {
                let _ = writeln!(out, "{line}");
            }
        }
        if !is_composite(entry) {
            let _ = writeln!(out, "  dispatch:\n    CPU: kernel_{at}");
        }
        out.push('\n');
    }
    out
}

/// Whether one kernel made of other operators serves all devices.
fn is_composite(entry: &Overload) -> bool {
    let is_implicit =
        entry.dispatch.iter().any(|it| it.key.value == DispatchKey::CompositeImplicit);
    matches!(entry.structured, Structured::No) && (!entry.has_dispatch || is_implicit)
}

fn library(name: &str, entries: &[&Overload]) -> TokenStream {
    let name = format_ident!("{name}");
    let kernels = entries.iter().enumerate().map(|(at, entry)| kernel(at, &entry.schema));
    quote! {
        use opwright::{Error, Result, native_op};

        opwright::module!(#name);

        use crate::ops::__runtime as rt;

        fn nothing<T>() -> Result<T> {
            Err(Error::runtime(format_args!("an empty kernel")))
        }

        #(#kernels)*
    }
}

fn kernel(at: usize, schema: &Schema) -> TokenStream {
    let name = format_ident!("kernel_{at}");
    let op: TokenStream = schema.name.to_string().parse().expect("a name is tokens");
    let params = schema.params.iter().map(|param| {
        let name = types::ident(&names::param(&param.name.value));
        let ty = types::parameter(param);
        quote!(#name: #ty)
    });
    let returned = types::returned(schema);
    quote! {
        #[native_op(#op)]
        #[allow(clippy::too_many_arguments, unused_variables)]
        fn #name(#(#params),*) -> Result<#returned> {
            nothing()
        }
    }
}
