//! What bodies of shims share: functions that read arguments of the same kinds, run an overload and
//! wrap its result.
//!
//! ```text
//! mod __steps {
//!     /// For `add.Tensor` and those like it.
//!     pub(super) fn steps0(
//!         call: &mut Call<'_, '_>,
//!         __overload: fn(&Tensor, &Tensor, Scalar) -> Result<Tensor>,
//!     ) -> Result<NewReference, Failure> {
//!         call.gil(Gil::Auto);
//!         let __arg0 = call.tensor(0)?;
//!         let __arg1 = call.tensor(1)?;
//!         let __arg2 = call.or::<Scalar>(2, Scalar::Int(1))?;
//!         let __result = call.run(|| __overload(__arg0, __arg1, __arg2))?;
//!         Convert::wrap(__result, call.py())
//!     }
//! }
//! ```

use std::collections::BTreeMap;

use opwright_schema::model::Overload;
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use crate::print::rust::doc::doc;
use crate::print::rust::path::marker_path;
use crate::types::fn_pointer;

/// The functions, by their text.
#[derive(Default)]
pub(super) struct Steps {
    numbers: BTreeMap<String, usize>,
    functions: Vec<TokenStream>,
}

impl Steps {
    /// What runs an overload by these steps, which call it `__overload`.
    pub(super) fn run(&mut self, overload: &Overload, steps: &TokenStream) -> TokenStream {
        let pointer = fn_pointer(&overload.schema);
        let rest = quote! {
            (
                call: &mut __bindings::args::Call<'_, '_>,
                __overload: #pointer,
            ) -> ::core::result::Result<__bindings::NewReference, __bindings::Failure> {
                #steps
            }
        };
        let functions = &mut self.functions;
        let number = *self.numbers.entry(rest.to_string()).or_insert_with(|| {
            let about = doc(&format!("For `{}` and those like it.", overload.schema.name));
            let name = name(functions.len());
            functions.push(quote!(#about pub(super) fn #name #rest));
            functions.len() - 1
        });
        let (name, marker) = (name(number), marker_path(overload));
        quote!(super::__steps::#name(call, #marker::call))
    }

    /// All of them; nothing if there are none.
    pub(super) fn module(&self) -> Option<TokenStream> {
        let functions = &self.functions;
        (!functions.is_empty()).then(|| {
            quote! {
                #[allow(
                    clippy::type_complexity,
                    unused_imports,
                    reason = "as many arguments as schemas say, and not each uses every path"
                )]
                mod __steps {
                    use super::{__bindings, rt};
                    #(#functions)*
                }
            }
        })
    }
}

fn name(number: usize) -> Ident {
    format_ident!("steps{number}")
}
