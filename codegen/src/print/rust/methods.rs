//! Prints the method traits: what a Rust caller writes as `a.add(&b)`.
//!
//! ```text
//! mod __methods {
//!     pub trait TensorOps {
//!         /// `add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor`
//!         fn add(&self, other: &Tensor) -> Result<Tensor>;
//!     }
//!     impl TensorOps for Tensor {
//!         fn add(&self, other: &Tensor) -> Result<Tensor> {
//!             crate::ops::add::Tensor::call(self, other, Scalar::Int(1))
//!         }
//!     }
//! }
//! pub use self::__methods::TensorOps;
//! ```
//!
//! They stand in a module of their own because `crate::ops` has modules that
//! are named by authors, one of them maybe `rt`.
//!
//! A method has no parameter that has a default; whoever wants another value
//! calls the overload's marker.

use std::collections::BTreeMap;

use opwright_schema::model::{OpSet, Overload, Param, Role};
use opwright_schema::names;
use proc_macro2::TokenStream;
use quote::quote;

use crate::literal;
use crate::print::rust::doc::{description, doc};
use crate::print::rust::lint::{many_arguments, schema_names};
use crate::print::rust::path::{by_base_name, marker_path, param_name};
use crate::types::{ident, parameter, result, returned, runtime, use_runtime};

/// The trait and its implementation, if any overload is a method.
pub fn print(ops: &OpSet) -> Option<TokenStream> {
    let methods = methods(ops);
    if methods.is_empty() {
        return None;
    }
    let declared = methods.iter().map(Method::declaration);
    let defined = methods.iter().map(Method::definition);
    let tensor = runtime("Tensor");
    let (naming, runtime) = (schema_names(), use_runtime());
    Some(quote! {
        #naming
        mod __methods {
            #runtime
            /// The operators as methods of a tensor, with every default taken.
            pub trait TensorOps {
                #(#declared)*
            }
            impl TensorOps for #tensor {
                #(#defined)*
            }
        }
        #[allow(unused_imports, reason = "a crate may call no method")]
        pub use self::__methods::TensorOps;
    })
}

/// The signature of each overload's method, by the overload's index:
/// `fn add(&self, other: &Tensor) -> Result<Tensor>`.
pub fn signatures(ops: &OpSet) -> BTreeMap<usize, TokenStream> {
    methods(ops).iter().map(|it| (it.idx, it.signature())).collect()
}

struct Method<'a> {
    idx: usize,
    name: String,
    overload: &'a Overload,
}

/// A method that a trait of the prelude has already would be ambiguous in
/// every call; its overload is left to its marker.
const TAKEN: [&str; 4] = ["clone", "into", "to_owned", "try_into"];

fn methods(ops: &OpSet) -> Vec<Method<'_>> {
    let names = names::methods(ops);
    let mut methods = Vec::new();
    for idx in by_base_name(ops).into_values().flatten() {
        let overload = &ops.overloads[idx];
        let Some(name) = &names[idx] else { continue };
        if overload.schema.params.iter().any(is_receiver) && !TAKEN.contains(&name.as_str()) {
            methods.push(Method { idx, name: name.clone(), overload });
        }
    }
    methods
}

fn is_receiver(param: &Param) -> bool {
    param.name.value == "self" && param.role == Role::Positional && param.ty.value.is_tensor()
}

impl Method<'_> {
    fn signature(&self) -> TokenStream {
        let schema = &self.overload.schema;
        let name = ident(&self.name);
        let mutable = schema.params.iter().any(|it| is_receiver(it) && it.writes());
        let receiver = if mutable { quote!(&mut self) } else { quote!(&self) };
        let params = schema.params.iter().filter(|it| self.spelled(it)).map(|it| {
            let (name, ty) = (param_name(it), parameter(it));
            quote!(#name: #ty)
        });
        let ok = result(&returned(schema));
        quote!(fn #name(#receiver #(, #params)*) -> #ok)
    }

    fn declaration(&self) -> TokenStream {
        let name = &self.overload.schema.name;
        let about = description(self.overload);
        let about = doc(&format!("{about}\n\n# Errors\n\nThose of `{name}`."));
        let signature = self.signature();
        let spelled = self.overload.schema.params.iter().filter(|it| self.spelled(it));
        let many = many_arguments(spelled.count() + 1);
        quote!(#about #many #signature;)
    }

    fn definition(&self) -> TokenStream {
        let signature = self.signature();
        let marker = marker_path(self.overload);
        let arguments = self.overload.schema.params.iter().map(|it| self.argument(it));
        quote!(#signature { #marker::call(#(#arguments),*) })
    }

    fn spelled(&self, param: &Param) -> bool {
        !is_receiver(param) && self.default(param).is_none()
    }

    fn argument(&self, param: &Param) -> TokenStream {
        if is_receiver(param) {
            return quote!(self);
        }
        self.default(param).unwrap_or_else(|| {
            let name = param_name(param);
            quote!(#name)
        })
    }

    fn default(&self, param: &Param) -> Option<TokenStream> {
        if self.overload.no_default.iter().any(|it| it.value == param.name.value) {
            return None;
        }
        literal::rust(&param.default.as_ref()?.value, &param.ty.value)
    }
}
