//! Prints what overloads of one signature share: what looks up the kernel for the arguments and
//! calls it, what the gradient layer does, and what follows from a rule and a kernel.
//!
//! ```text
//! mod __calls {
//!     use crate::ops::__runtime as rt;
//!     /// For `add.Tensor` and those like it.
//!     pub(super) fn call0(
//!         self_: &Tensor,
//!         arg1: &Tensor,
//!         arg2: Scalar,
//!         __kernels: &rt::KernelTable<fn(&Tensor, &Tensor, Scalar) -> Result<Tensor>>,
//!     ) -> Result<Tensor> {
//!         let __kernel = __kernels.get(KeySet::EMPTY.with_tensor(self_).with_tensor(arg1))?;
//!         __kernel(self_, arg1, arg2).map_err(|__error| __error.in_overload(__kernels.name()))
//!     }
//!     /// For `add.out` and those like it.
//!     pub(super) fn refused0(.., __kernels: &rt::KernelTable<..>) -> Result<()> { .. }
//!     /// For `argsort` and those like it.
//!     pub(super) fn recorded0(.., __kernels: &rt::KernelTable<..>, __rule: &'static Rule) -> .. { .. }
//! }
//! ```
//!
//! What follows from a rule and a kernel is said where that is printed, in `structured`.
//!
//! One that writes to an argument asks `autograd::check_writable` before; one that makes several views
//! says so of them.

use std::collections::BTreeMap;

use opwright_schema::model::{Kind, OpSet, Overload, Param, Type};
use proc_macro2::{Ident, TokenStream};
use quote::quote;

use crate::formula::Gradient;
use crate::kernels::{Kernels, is_transparent};
use crate::print::alike::Alike;
use crate::print::rust::call::{count, key_set, lend, refuse, shared_signature};
use crate::print::rust::gradient;
use crate::print::rust::path::param_name;
use crate::print::rust::structured::{self, HandedOn, What};
use crate::types::use_runtime;

/// The functions, and which of them are an overload's.
pub(super) struct Calls {
    functions: Alike,
    calls: Vec<usize>,
    layers: BTreeMap<usize, usize>,
    backwards: BTreeMap<usize, usize>,
    derived: BTreeMap<usize, Vec<ForwardingKernel>>,
}

/// A kernel of an overload that hands on to a function, and what it passes besides its arguments.
struct ForwardingKernel {
    what: What,
    number: usize,
    passed: Vec<TokenStream>,
}

impl Calls {
    pub(super) fn new(ops: &OpSet, kernels: &[Kernels], gradients: &[Option<Gradient>]) -> Calls {
        let mut calls = Calls {
            functions: Alike::default(),
            calls: Vec::new(),
            layers: BTreeMap::new(),
            backwards: BTreeMap::new(),
            derived: BTreeMap::new(),
        };
        for (idx, overload) in ops.overloads.iter().enumerate() {
            let is_transparent = is_transparent(ops, kernels, idx);
            let alike = &alike(overload);
            let number = calls.functions.number(overload, "call", call(alike, is_transparent));
            calls.calls.push(number);
            let is_out = matches!(overload.schema.kind(), Kind::Out | Kind::Scratch);
            let is_refused = is_out && !is_transparent && runs(overload, &kernels[idx]);
            let gradient = gradients.get(idx).and_then(Option::as_ref);
            let layer = match gradient {
                Some(it) => Some(("recorded", gradient::shared(alike, it))),
                None if is_refused => Some(("refused", gradient::refused(alike))),
                None => None,
            };
            if let Some((name, rest)) = layer {
                let number = calls.functions.number(overload, name, rest);
                calls.layers.insert(idx, number);
            }
            if let Some(rest) = gradient.and_then(|it| gradient::backward(overload, it)) {
                let number = calls.functions.number(overload, "backward", rest);
                calls.backwards.insert(idx, number);
            }
            for what in What::ALL {
                if let Some((rest, passed)) = structured::shared(ops, kernels, idx, what) {
                    let number = calls.functions.number(overload, what.name(), rest);
                    calls.derived.entry(idx).or_default().push(ForwardingKernel {
                        what,
                        number,
                        passed,
                    });
                }
            }
        }
        calls
    }

    /// What calls each overload.
    pub(super) fn paths(&self) -> Vec<TokenStream> {
        self.calls.iter().map(|it| self.path(*it)).collect()
    }

    /// What calls an overload.
    pub(super) fn call(&self, idx: usize) -> TokenStream {
        self.path(self.calls[idx])
    }

    /// What the gradient layer does with calls of an overload that has no formula.
    pub(super) fn layer(&self, idx: usize) -> Option<TokenStream> {
        self.layers.get(&idx).map(|it| self.path(*it))
    }

    /// What gives the gradients of calls of an overload that has formulas.
    pub(super) fn backward(&self, idx: usize) -> Option<TokenStream> {
        self.backwards.get(&idx).map(|it| self.path(*it))
    }

    /// The kernels of an overload that hand on to a function.
    pub(super) fn handed_on(&self, idx: usize) -> Vec<HandedOn> {
        let derived = self.derived.get(&idx).into_iter().flatten();
        let handed_on = derived.map(|ForwardingKernel { what, number, passed }| HandedOn {
            what: *what,
            to: self.path(*number),
            passed: passed.clone(),
        });
        handed_on.collect()
    }

    fn path(&self, number: usize) -> TokenStream {
        let name = self.functions.name(number);
        quote!(crate::ops::__calls::#name)
    }

    /// All of them; nothing if there are none.
    pub(super) fn module(&self) -> Option<TokenStream> {
        // One copy for all who call it, however many shims and kernels do.
        let functions = self.functions.print(&quote!(#[inline(never)]));
        let (runtime, lints) = (use_runtime(), gradient::formula_lints());
        functions.map(|functions| {
            quote! {
                #lints
                #[allow(
                    clippy::too_many_arguments,
                    clippy::type_complexity,
                    reason = "as many arguments, and such kernels, as schemas say"
                )]
                mod __calls {
                    #runtime
                    #functions
                }
            }
        })
    }
}

/// Whether calls of an overload come to a kernel, or to another overload.
pub(super) fn runs(overload: &Overload, kernels: &Kernels) -> bool {
    !kernels.by_key.is_empty() || overload.forward.is_some()
}

/// The overload with parameters that are called alike in all overloads.
fn alike(overload: &Overload) -> Overload {
    let mut alike = overload.clone();
    let others = alike.schema.params.iter_mut().enumerate();
    for (at, param) in others.filter(|(_, it)| it.name.value != "self") {
        param.name.value = format!("arg{at}");
    }
    alike
}

/// What looks up the kernel and calls it. One that is nothing but what its parts are leaves it to
/// these to count what they write to.
fn call(overload: &Overload, is_transparent: bool) -> TokenStream {
    let params = &overload.schema.params;
    let written = params.iter().filter(|_| !is_transparent);
    let of = |what: fn(&Param, &Ident) -> Option<TokenStream>| -> Vec<TokenStream> {
        written.clone().filter_map(|it| what(it, &param_name(it))).collect()
    };
    let (refused, counted) = (of(refuse), of(count));
    let (signature, keys) = (shared_signature(overload, &TokenStream::new()), key_set(params));
    let looked_up = match refused.is_empty() {
        true => quote!(let __kernel = rt::ok(__kernels.get(#keys));),
        false => quote! {
            let __keys = #keys;
            #(#refused)*
            let __kernel = rt::ok(__kernels.get(__keys));
        },
    };
    let lent = params.iter().map(lend);
    let returns = &overload.schema.returns;
    let is_list = returns.iter().any(|it| matches!(it.ty.value, Type::List(..)));
    let makes_many = overload.schema.returns_views() && is_list && !is_transparent;
    let noted = makes_many.then(|| quote!(rt::autograd::one_of_many(&__made);));
    // Not by methods of `Result`, of which there would be others for each type and each function.
    quote! {
        #signature {
            #looked_up
            match __kernel(#(#lent),*) {
                ::core::result::Result::Ok(__made) => {
                    #(#counted)*
                    #noted
                    ::core::result::Result::Ok(__made)
                }
                ::core::result::Result::Err(__error) => {
                    ::core::result::Result::Err(__error.in_overload(__kernels.name()))
                }
            }
        }
    }
}
