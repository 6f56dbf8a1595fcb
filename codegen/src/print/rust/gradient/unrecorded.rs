//! The layer of gradients where calls are not recorded.

use opwright_schema::model::{Overload, Type};
use opwright_schema::names;
use proc_macro2::TokenStream;
use quote::quote;

use super::edges::{edge, edges};
use crate::print::rust::call::{key_set, lend, lending, shared_signature};
use crate::print::rust::lint::many_arguments;
use crate::print::rust::path::param_name;
use crate::types::{ident, result, returned};

// Expands to:
//
//     (self_: &Tensor, arg1: &mut Tensor, __kernels: &KernelTable<..>) -> Result<()> {
//         rt::autograd::check_out(__kernels.name(), &Edges::to_each(&[Some(self_), Some(&*arg1)]))?;
//         let __exclude = ExcludeKeys::new(DispatchKey::Autograd);
//         __kernels.get(..)?(self_, arg1)
//     }
//
/// The layer of an `out` overload, whose calls cannot be recorded, from the parameters on.
pub(in crate::print::rust) fn refused(overload: &Overload) -> TokenStream {
    let params = &overload.schema.params;
    let signature = shared_signature(overload, &TokenStream::new());
    let edges = edges(params.iter().filter(|it| it.ty.value.is_tensor_like()));
    let (keys, lent) = (key_set(params), params.iter().map(lend));
    quote! {
        #signature {
            rt::ok(rt::autograd::check_out(__kernels.name(), &#edges));
            let __exclude = rt::dispatch::ExcludeKeys::new(rt::DispatchKey::Autograd);
            rt::ok(__kernels.get(#keys.below(rt::DispatchKey::Autograd)))(#(#lent),*)
        }
    }
}

// Expands to:
//
//     fn autograd(self_: &mut [&mut Tensor], grads: &[&Tensor], lr: f64) -> Result<()> {
//         rt::autograd::check_all_in_place(self_, false, "step_", "self")?;
//         rt::autograd::check_unrecorded("step_", &Edges::new().to_all_mut(self_).to_all(grads))?;
//         let __exclude = ExcludeKeys::new(DispatchKey::Autograd);
//         <step_ as Op>::kernels().get(..)?(self_, grads, lr)
//     }
//
/// The kernel `autograd` of an overload that writes to arguments and has no formulas; one of which
/// an entry says that nothing is to be recorded `is_said` to be so.
pub(in crate::print::rust) fn unrecorded(overload: &Overload, is_said: bool) -> TokenStream {
    let schema = &overload.schema;
    let params = schema.params.iter().map(lending);
    let (many, ok) = (many_arguments(schema.params.len()), result(&returned(schema)));
    let (operator, marker) = (schema.name.base.to_string(), ident(&names::marker(&schema.name)));
    let (keys, lent) = (key_set(&schema.params), schema.params.iter().map(lend));
    let tensors = || schema.params.iter().filter(|it| it.ty.value.is_tensor_like());
    let written = tensors().filter(|it| it.writes()).map(|it| {
        let (name, shown) = (param_name(it), &it.name.value);
        match &it.ty.value {
            Type::List(..) => quote! {
                rt::ok(rt::autograd::check_all_in_place(#name, false, #operator, #shown));
            },
            Type::Optional(_) => quote! {
                if let ::core::option::Option::Some(__it) = &#name {
                    rt::ok(rt::autograd::check_in_place(__it, false, #operator));
                }
            },
            Type::Base(_) => {
                quote!(rt::ok(rt::autograd::check_in_place(#name, false, #operator));)
            }
        }
    });
    let edges = tensors().map(edge);
    let recorded = (!is_said).then(|| {
        let edges = quote!(&(rt::autograd::Edges::new() #(#edges)*));
        quote!(rt::ok(rt::autograd::check_unrecorded(#operator, #edges));)
    });
    quote! {
        #many
        fn autograd(#(#params),*) -> #ok {
            #(#written)*
            #recorded
            let __exclude = rt::dispatch::ExcludeKeys::new(rt::DispatchKey::Autograd);
            rt::ok(<#marker as rt::Op>::kernels().get(#keys.below(rt::DispatchKey::Autograd)))(#(#lent),*)
        }
    }
}
