//! Shared steps of shims: functions that read arguments of the same kinds, run an overload and
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

use opwright_schema::model::Overload;
use proc_macro2::TokenStream;
use quote::quote;

use crate::print::alike::Alike;
use crate::print::rust::path::marker_path;
use crate::types::fn_pointer;

/// The functions.
#[derive(Default)]
pub(super) struct Steps(Alike);

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
        let number = self.0.number(overload, "steps", rest);
        let (name, marker) = (self.0.name(number), marker_path(overload));
        quote!(super::__steps::#name(call, #marker::call))
    }

    /// All of them; nothing if there are none.
    pub(super) fn module(&self) -> Option<TokenStream> {
        self.0.print(&TokenStream::new()).map(|functions| {
            quote! {
                #[allow(
                    clippy::type_complexity,
                    unused_imports,
                    reason = "as many arguments as schemas say, and not each uses every path"
                )]
                mod __steps {
                    use super::{__bindings, rt};
                    #functions
                }
            }
        })
    }
}
