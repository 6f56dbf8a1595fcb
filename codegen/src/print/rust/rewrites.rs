//! Prints what graphs of the operators can be replaced by.
//!
//! ```text
//! pub static REWRITES: &[__runtime::op::Rewrite] = &[
//!     __runtime::op::Rewrite {
//!         name: "twice", pattern: "add(x, x)", with: "mul.Tensor(x, 2)", when: &[],
//!         approximate: false,
//!     },
//! ];
//! ```

use opwright_schema::rewrites::Rewrite;
use proc_macro2::TokenStream;
use quote::quote;

/// The table `REWRITES`, which is there on a condition, if any.
pub(super) fn table(rewrites: &[Rewrite], condition: Option<&TokenStream>) -> TokenStream {
    let printed = list(rewrites, &quote!(__runtime));
    quote! {
        /// What graphs of these operators can be replaced by.
        #condition
        #[allow(unreachable_pub, reason = "it is as public as the module around it")]
        pub static REWRITES: &[__runtime::op::Rewrite] = #printed;
    }
}

/// The rewrites, with a path to the runtime.
pub(super) fn list(rewrites: &[Rewrite], runtime: &TokenStream) -> TokenStream {
    let printed = rewrites.iter().map(|it| {
        let (name, approximate) = (&it.name.value, it.approximate);
        let (pattern, with) = (it.pattern.to_string(), it.with.to_string());
        let when = it.when.iter().map(ToString::to_string);
        quote! {
            #runtime::op::Rewrite {
                name: #name,
                pattern: #pattern,
                with: #with,
                when: &[#(#when),*],
                approximate: #approximate,
            }
        }
    });
    quote!(&[#(#printed),*])
}
