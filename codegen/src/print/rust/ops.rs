//! Prints the Rust side: a module per base name, a marker per overload with
//! its kernel table and its entry point.
//!
//! ```text
//! /// Overloads of `add`.
//! pub mod add {
//!     /// `add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor`
//!     ///
//!     /// native_functions.yaml:12
//!     pub enum Tensor {}
//!     impl crate::ops::__runtime::Op for Tensor {
//!         type Kernel = fn(&Tensor, &Tensor, Scalar) -> Result<Tensor>;
//!         const NAME: &'static str = "add.Tensor";
//!         const SCHEMA: &'static str = "add.Tensor(Tensor self, ...) -> Tensor";
//!         fn kernels() -> &'static KernelTable<Self::Kernel> {
//!             static TABLE: __Table = __Table::new("add.Tensor").with(DispatchKey::Cpu, cpu);
//!             &TABLE
//!         }
//!     }
//!     impl Tensor {
//!         /// Calls `add.Tensor`.
//!         pub fn call(self_: &Tensor, other: &Tensor, alpha: Scalar) -> Result<Tensor> { .. }
//!     }
//! }
//! ```

use std::collections::BTreeMap;

use opwright_schema::dispatch_key::{Fills, ROWS, Row};
use opwright_schema::model::{BaseType, DispatchKey, OpSet, Origin, Overload, Param, Role, Type};
use opwright_schema::names;
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};

use crate::kernels::{FnPath, Kernel, Kernels, Rule};
use crate::print::rust::{methods, structured};
use crate::types::{ident, parameter, result, returned, runtime};

/// Everything of `generated.rs` that belongs in `crate::ops`.
///
/// `runtime` is the path under which the crate knows the runtime.
pub fn print(ops: &OpSet, kernels: &[Kernels], runtime: &TokenStream) -> TokenStream {
    let modules = by_base_name(ops).into_iter().map(|(name, members)| {
        let printer = Printer { ops, kernels };
        printer.module(&name, &members)
    });
    let methods = methods::print(ops);
    quote! {
        #[doc(hidden)]
        pub use #runtime as __runtime;
        #(#modules)*
        #methods
    }
}

/// Indices of overloads by their base name, `add_` apart from `add`.
pub fn by_base_name(ops: &OpSet) -> BTreeMap<String, Vec<usize>> {
    let mut modules: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (idx, overload) in ops.overloads.iter().enumerate() {
        modules.entry(overload.schema.name.base.to_string()).or_default().push(idx);
    }
    modules
}

/// One `#[doc]` per line: a longer one prints as a block comment.
///
/// An author's example is not Rust unless it says so, and rustdoc would run it.
pub fn doc(text: &str) -> TokenStream {
    let mut in_example = false;
    let lines = text.lines().map(|line| {
        let fence = line.trim_start().starts_with("```");
        let unmarked = fence && !in_example && line.trim() == "```";
        in_example ^= fence;
        let mark = if unmarked { "text" } else { "" };
        let line = if line.is_empty() { String::new() } else { format!(" {line}{mark}") };
        quote!(#[doc = #line])
    });
    quote!(#(#lines)*)
}

/// `crate::ops::add::Tensor`.
pub fn marker_path(overload: &Overload) -> TokenStream {
    let name = &overload.schema.name;
    let module = ident(&names::module(name));
    let marker = ident(&names::marker(name));
    quote!(crate::ops::#module::#marker)
}

struct Printer<'a> {
    ops: &'a OpSet,
    kernels: &'a [Kernels],
}

impl Printer<'_> {
    fn module(&self, base: &str, members: &[usize]) -> TokenStream {
        let name = ident(&names::ident(base));
        let about = doc(&format!("Overloads of `{base}`."));
        let markers = members.iter().map(|&idx| self.marker(idx));
        let naming = schema_names();
        quote! {
            #about
            #naming
            pub mod #name {
                #(#markers)*
            }
        }
    }

    fn marker(&self, idx: usize) -> TokenStream {
        let overload = &self.ops.overloads[idx];
        let marker = ident(&names::marker(&overload.schema.name));
        let about = doc(&description(overload));
        let op = self.op(idx);
        let rule = self.rule(idx);
        let call = call(overload);
        quote! {
            #about
            pub enum #marker {}
            #op
            #rule
            #call
        }
    }

    fn op(&self, idx: usize) -> TokenStream {
        let overload = &self.ops.overloads[idx];
        let marker = ident(&names::marker(&overload.schema.name));
        let (name, schema) = (overload.schema.name.to_string(), overload.schema.to_string());
        let kernel = fn_pointer(overload);
        let (trait_, table) = (runtime("Op"), runtime("KernelTable"));
        let kernels = &self.kernels[idx];
        let derived = structured::print(self.ops, self.kernels, idx);
        let slots = ROWS.iter().filter_map(|row| {
            let kernel = kernels.by_key.get(&row.key)?;
            Some(self.slot(idx, row, kernel))
        });
        quote! {
            impl #trait_ for #marker {
                type Kernel = #kernel;
                const NAME: &'static ::core::primitive::str = #name;
                const SCHEMA: &'static ::core::primitive::str = #schema;
                fn kernels() -> &'static #table<Self::Kernel> {
                    #derived
                    type __Table = #table<<#marker as #trait_>::Kernel>;
                    static TABLE: __Table = __Table::new(#name) #(#slots)*;
                    &TABLE
                }
            }
        }
    }

    /// A kernel on its way into the table: one for a key, or a composite, which
    /// fills the slots that are left. The out overload of a structured group
    /// owns the kernel that its derived one calls.
    fn slot(&self, idx: usize, row: &Row, kernel: &Kernel) -> TokenStream {
        let kernels = &self.kernels[idx];
        let is_asked = kernels.rule.is_some() || !kernels.further.is_empty();
        let path = match kernel {
            Kernel::Function(path) if row.key != DispatchKey::Cpu || !is_asked => {
                constant(path, "KERNEL")
            }
            Kernel::Function(_) | Kernel::Derived { .. } => {
                structured::function(row).to_token_stream()
            }
        };
        let (keys, key) = (runtime("DispatchKey"), ident(row.rust));
        match row.fills {
            Fills::Own => quote!(.with(#keys::#key, #path)),
            Fills::Backends => quote!(.explicit(#path)),
            Fills::All => quote!(.implicit(#path)),
        }
    }

    /// The type of a rule, for groups whose rule is a function.
    fn rule(&self, idx: usize) -> Option<TokenStream> {
        let Some(Rule::Function(_)) = self.kernels[idx].rule else { return None };
        let overload = &self.ops.overloads[idx];
        let marker = ident(&names::marker(&overload.schema.name));
        let inputs = overload.schema.params.iter().filter(|it| it.role != Role::Out);
        let types = inputs.map(parameter);
        let ok = result(&structured::specs(overload));
        let trait_ = runtime("StructuredOp");
        let dtype = runtime("DType");
        let dtypes: Vec<_> = self.kernels[idx].dtypes.iter().map(|it| it.path()).collect();
        let dtypes = (!dtypes.is_empty())
            .then(|| quote!(const DTYPES: &'static [#dtype] = &[#(#dtypes),*];));
        Some(quote! {
            impl #trait_ for #marker {
                type Rule = fn(#(#types),*) -> #ok;
                #dtypes
            }
        })
    }
}

/// `crate::kernels::binary::add_tensor::KERNEL`.
pub fn constant(path: &FnPath, name: &str) -> TokenStream {
    let segments = path.0.iter().map(|it| ident(it));
    let name = ident(name);
    quote!(crate::#(#segments::)*#name)
}

/// The schema, the documentation, the place.
pub fn description(overload: &Overload) -> String {
    let mut text = format!("`{}`\n", overload.schema);
    if !overload.doc.is_empty() {
        text = format!("{text}\n{}\n", overload.doc);
    }
    let file = match &overload.origin {
        Origin::Yaml(file) | Origin::Annotation { file } => file,
    };
    format!("{text}\n{file}:{}", overload.line)
}

fn fn_pointer(overload: &Overload) -> TokenStream {
    let types = overload.schema.params.iter().map(parameter);
    let ok = result(&returned(&overload.schema));
    quote!(fn(#(#types),*) -> #ok)
}

/// A parameter's name in Rust.
pub fn param_name(param: &Param) -> proc_macro2::Ident {
    ident(&names::param(&param.name.value))
}

fn call(overload: &Overload) -> TokenStream {
    let schema = &overload.schema;
    let marker = ident(&names::marker(&schema.name));
    let (name, base) = (schema.name.to_string(), schema.name.base.to_string());
    let about = doc(&format!(
        "Calls `{name}`.\n\n# Errors\n\nWhat its kernel reports, or that there is none for these arguments."
    ));
    let arguments: Vec<_> = schema.params.iter().map(param_name).collect();
    let signature = call_signature(overload);
    let keys = key_set(&schema.params);
    let op = runtime("Op");
    let many = many_arguments(arguments.len());
    quote! {
        impl #marker {
            #about
            #many
            pub #signature {
                let __kernel = <#marker as #op>::kernels().get(#keys)?;
                __kernel(#(#arguments),*).map_err(|__error| __error.in_op(#base))
            }
        }
    }
}

/// `fn call(self_: &Tensor, other: &Tensor) -> Result<Tensor>`.
pub fn call_signature(overload: &Overload) -> TokenStream {
    let params = overload.schema.params.iter().map(|it| {
        let (name, ty) = (param_name(it), parameter(it));
        quote!(#name: #ty)
    });
    let ok = result(&returned(&overload.schema));
    quote!(fn call(#(#params),*) -> #ok)
}

/// Names in generated code are those of schemas, whatever Rust prefers.
pub fn schema_names() -> TokenStream {
    quote! {
        #[allow(non_camel_case_types, non_snake_case, reason = "these are the schema's names")]
    }
}

/// Clippy objects to more than seven parameters.
pub fn many_arguments(count: usize) -> Option<TokenStream> {
    let reason = "as many as the schema says";
    (count > 7).then(|| quote!(#[allow(clippy::too_many_arguments, reason = #reason)]))
}

/// What the arguments say about where the call goes. A device option counts
/// only where no tensor says it: `zeros`, but not `zeros_like`.
fn key_set(params: &[Param]) -> TokenStream {
    let mut tensors: Vec<TokenStream> = params.iter().filter_map(tensor_key).collect();
    let no_inputs = params.iter().all(|it| it.role == Role::Out || tensor_key(it).is_none());
    if no_inputs && tensors.is_empty() {
        tensors.extend(params.iter().filter_map(device_key));
    }
    let keys = runtime("KeySet");
    quote!(#keys::EMPTY #(#tensors)*)
}

fn tensor_key(param: &Param) -> Option<TokenStream> {
    let name = param_name(param);
    match &param.ty.value {
        ty if ty.is_tensor() => Some(quote!(.with_tensor(#name))),
        Type::Optional(inner) if inner.is_tensor() && param.writes() => {
            Some(quote!(.with_optional(#name.as_deref())))
        }
        Type::Optional(inner) if inner.is_tensor() => Some(quote!(.with_optional(#name))),
        Type::List(element, _) if element.is_tensor() && param.writes() => {
            Some(quote!(.with_mut_tensors(#name)))
        }
        Type::List(element, _) if element.is_tensor() => Some(quote!(.with_tensors(#name))),
        Type::List(element, _) if matches!(&**element, Type::Optional(inner) if inner.is_tensor()) => {
            Some(quote!(.with_optional_tensors(#name)))
        }
        Type::Base(_) | Type::Optional(_) | Type::List(..) => None,
    }
}

fn device_key(param: &Param) -> Option<TokenStream> {
    let name = param_name(param);
    match &param.ty.value {
        Type::Base(BaseType::Device) => Some(quote!(.with_device(#name))),
        Type::Optional(inner) if **inner == Type::Base(BaseType::Device) => {
            Some(quote!(.with_optional_device(#name)))
        }
        Type::Base(_) | Type::Optional(_) | Type::List(..) => None,
    }
}
