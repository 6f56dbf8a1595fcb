//! Gradients of kernels of single elements that follow from the kernels themselves, which are
//! called with duals.
//!
//! ```text
//! crate::ops::__derived! {
//!     hypot_0123456789abcdef
//!     /// The gradient of the input of this number.
//!     pub(crate) fn derivative(
//!         __taken: i64,
//!         __grads: [&Tensor; 1],
//!         __arg0: &Tensor,
//!         __arg1: &Tensor,
//!     ) -> Result<Tensor> {
//!         let __dtype = typed::common_dtype(&[__arg0, __arg1])?;
//!         let __spec = Spec::elementwise(&[__grads[0], __arg0, __arg1])?.with_dtype(__dtype);
//!         let mut __out0 = __spec.allocate()?;
//!         let (__takes0, __takes1) = (__taken == 0, __taken == 1);
//!         match __dtype {
//!             DType::Float64 => inner_loop::ternary(
//!                 move |__grad0: f64, __element0: f64, __element1: f64| {
//!                     let __result0 = super::hypot::<Dual<f64>>(
//!                         Dual::seed(__element0, __takes0),
//!                         Dual::seed(__element1, __takes1),
//!                     );
//!                     dual::along(__grad0, __result0.slope)
//!                 },
//!                 &mut |__loop| ..over_tensors([..], [&mut __out0]),
//!             ),
//!             ..
//!         }?;
//!         Ok(__out0)
//!     }
//!     pub(crate) fn second_derivative(..) { /* the same, with duals of duals */ }
//! }
//! ```
//!
//! The macro `__derived!` leaves them out if the gradient comes from elsewhere.

use opwright_codegen::dtypes::Dtype;
use opwright_codegen::form::{ElementParam, ElementResult, Elements, Elementwise};
use opwright_codegen::types::tuple;
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::ItemFn;

use crate::arguments::{arguments, handed, returned};
use crate::elementwise::{grouped, loop_name};
use crate::operator::{AnnotatedOperator, at};

/// Both functions, for the annotation with this mark; nothing if they cannot be.
pub(crate) fn functions(
    form: &Elementwise,
    operator: &AnnotatedOperator,
    func: &ItemFn,
    mark: &Ident,
) -> TokenStream {
    let Elements::Generic(_, dtypes) = &form.elements else { return TokenStream::new() };
    if !form.is_derivable {
        return TokenStream::new();
    }
    let floating = dtypes.all.iter().copied().filter(|it| it.is_floating()).collect();
    let printer = DerivedPrinter {
        form,
        func,
        what: format!("the gradient of {}", operator.base()),
        args: arguments(func),
        dtypes: floating,
        follows_result: operator.schema.is_none() && form.promote.is_none(),
    };
    let functions =
        [DerivativeOrder::First, DerivativeOrder::Second].map(|it| printer.function(it));
    quote!(crate::ops::__derived! { #mark #(#functions)* })
}

struct DerivedPrinter<'a> {
    form: &'a Elementwise,
    func: &'a ItemFn,
    what: String,
    args: Vec<Ident>,
    dtypes: Vec<Dtype>,
    /// The rule of an entry decides what elements are calculated in, which is what results have.
    follows_result: bool,
}

/// Which derivative.
#[derive(Clone, Copy, PartialEq, Eq)]
enum DerivativeOrder {
    First,
    Second,
}

impl DerivedPrinter<'_> {
    fn function(&self, order: DerivativeOrder) -> TokenStream {
        let name = format_ident!(
            "{}",
            match order {
                DerivativeOrder::First => "derivative",
                DerivativeOrder::Second => "second_derivative",
            }
        );
        let count = self.results().len();
        let by =
            (order == DerivativeOrder::Second).then(|| quote!(__by: i64, __grad: &rt::Tensor,));
        let params = self.form.params.iter().zip(&self.args).map(|(param, arg)| match param {
            ElementParam::Element(_) => quote!(#arg: &rt::Tensor),
            ElementParam::Number => {
                quote!(#arg: impl ::core::marker::Copy + ::core::convert::Into<rt::Scalar>)
            }
            ElementParam::Value(ty) => quote!(#arg: #ty),
        });
        let dtype = self.dtype();
        let tensors = self.tensors(order);
        let flags = self.flags(order);
        let matched = self.matched(order, &tensors);
        quote! {
            #[allow(
                unused_imports,
                clippy::too_many_arguments,
                reason = "as many as the schema says"
            )]
            pub(crate) fn #name(
                __taken: i64,
                #by
                __grads: [&rt::Tensor; #count],
                #(#params),*
            ) -> rt::Result<rt::Tensor> {
                use super::*;
                #dtype
                let __spec = rt::Spec::elementwise(&[#(#tensors),*])?.with_dtype(__dtype);
                let mut __out0 = __spec.allocate()?;
                #flags
                #matched?;
                ::core::result::Result::Ok(__out0)
            }
        }
    }

    /// What elements are calculated in.
    fn dtype(&self) -> TokenStream {
        if self.follows_result {
            return quote!(let __dtype = rt::typed::common_dtype(&__grads)?;);
        }
        let deciding = self.taken().map(|idx| &self.args[idx]);
        let deciding: Vec<TokenStream> = deciding.map(|it| quote!(#it)).collect();
        let dtype = self.form.promote.unwrap_or_default().dtype(&deciding);
        quote!(let __dtype = #dtype?;)
    }

    /// The parameters that are elements of the type that is calculated in.
    fn taken(&self) -> impl Iterator<Item = usize> {
        self.form.params.iter().enumerate().filter_map(|(idx, param)| match param {
            ElementParam::Element(ty) if self.form.elements.is(ty) => Some(idx),
            _ => None,
        })
    }

    /// The results that have gradients, by their places.
    fn results(&self) -> Vec<usize> {
        let results = self.form.results.iter().enumerate();
        let own = results.filter(|(_, it)| matches!(it, ElementResult::Element));
        own.map(|(at, _)| at).collect()
    }

    /// The tensors that the loop reads.
    fn tensors(&self, order: DerivativeOrder) -> Vec<TokenStream> {
        let mut tensors = Vec::new();
        tensors.extend((order == DerivativeOrder::Second).then(|| quote!(__grad)));
        tensors.extend((0..self.results().len()).map(|at| quote!(__grads[#at])));
        for (param, arg) in self.form.params.iter().zip(&self.args) {
            tensors.extend(matches!(param, ElementParam::Element(_)).then(|| quote!(#arg)));
        }
        tensors
    }

    /// `let __takes0 = __taken == 0;`: which of the inputs the derivative is taken by.
    fn flags(&self, order: DerivativeOrder) -> TokenStream {
        let mut flags = Vec::new();
        for (number, idx) in self.taken().enumerate() {
            let (name, number) = (format_ident!("__takes{idx}"), number as i64);
            flags.push(quote!(let #name = __taken == #number;));
        }
        if order == DerivativeOrder::Second {
            let count = self.results().len();
            for at in 0..count {
                let (name, number) = (format_ident!("__derives_grad{at}"), at as i64);
                flags.push(quote!(let #name = __by == #number;));
            }
            for (number, idx) in self.taken().enumerate() {
                let number = (count + number) as i64;
                let name = format_ident!("__derives{idx}");
                flags.push(quote!(let #name = __by == #number;));
            }
        }
        quote!(#(#flags)*)
    }

    fn matched(&self, order: DerivativeOrder, tensors: &[TokenStream]) -> TokenStream {
        let name = loop_name(tensors.len(), 1);
        let arms = grouped(&self.dtypes, self.form.wide).into_iter().map(|(ty, dtypes)| {
            let patterns = dtypes.iter().map(|it| it.path());
            let numbers = self.numbers(&ty);
            let closure = self.closure(order, &ty, name == "nary");
            quote! {
                #(#patterns)|* => {
                    #(#numbers)*
                    rt::iterate::inner_loop::#name(#closure, &mut |__loop| {
                        match __out0.device().is_meta() {
                            true => ::core::result::Result::Ok(()),
                            false => __loop.over_tensors([#(#tensors),*], [&mut __out0]),
                        }
                    })
                }
            }
        });
        let what = &self.what;
        quote! {
            match __dtype {
                #(#arms)*
                __other => ::core::result::Result::Err(rt::DType::unsupported(__other, #what)),
            }
        }
    }

    fn numbers(&self, ty: &TokenStream) -> Vec<TokenStream> {
        let params = self.form.params.iter().enumerate();
        let numbers = params.filter(|(_, it)| matches!(it, ElementParam::Number));
        let numbers = numbers.map(|(idx, _)| {
            let (name, arg) = (format_ident!("__number{idx}"), &self.args[idx]);
            quote!(let #name: #ty = rt::typed::number(#arg);)
        });
        numbers.collect()
    }

    /// The function of elements, where those that are derived by have this type.
    fn closure(&self, order: DerivativeOrder, ty: &TokenStream, takes_tuple: bool) -> TokenStream {
        let (mut names, mut types) = (Vec::new(), Vec::new());
        let mut element = |name: Ident, ty: TokenStream| {
            names.push(name);
            types.push(ty);
        };
        if order == DerivativeOrder::Second {
            element(format_ident!("__grad"), ty.clone());
        }
        let count = self.results().len();
        (0..count).for_each(|at| element(format_ident!("__grad{at}"), ty.clone()));
        for (idx, param) in self.form.params.iter().enumerate() {
            if let ElementParam::Element(own) = param {
                let is_taken = self.form.elements.is(own);
                let ty = if is_taken { ty.clone() } else { quote!(#own) };
                element(format_ident!("__element{idx}"), ty);
            }
        }
        let body = self.body(order, ty);
        match takes_tuple {
            true => quote!(move |(#(#names,)*): (#(#types,)*)| -> #ty { #body }),
            false => quote!(move |#(#names: #types),*| -> #ty { #body }),
        }
    }

    fn body(&self, order: DerivativeOrder, ty: &TokenStream) -> TokenStream {
        let dual = quote!(rt::dual::Dual);
        let of = match order {
            DerivativeOrder::First => quote!(#dual<#ty>),
            DerivativeOrder::Second => quote!(#dual<#dual<#ty>>),
        };
        let call = self.call(order, &of);
        let bound: Vec<Ident> =
            (0..self.form.results.len()).map(|at| format_ident!("__result{at}")).collect();
        let unused = (bound.len() > self.results().len())
            .then(|| quote!(#[allow(unused_variables, reason = "it has no gradient")]));
        let bound = tuple(&bound.iter().map(|it| quote!(#it)).collect::<Vec<_>>());
        let grads =
            (0..self.results().len()).filter(|_| order == DerivativeOrder::Second).map(|at| {
                let (name, flag) =
                    (format_ident!("__grad{at}"), format_ident!("__derives_grad{at}"));
                quote!(let #name = #dual::seed(#name, #flag);)
            });
        let slopes = self.results().into_iter().enumerate().map(|(at, place)| {
            let (grad, result) = (format_ident!("__grad{at}"), format_ident!("__result{place}"));
            quote!(rt::dual::along(#grad, #result.slope))
        });
        let sum = slopes.reduce(|all, it| quote!(rt::dtype::Number::plus(#all, #it)));
        let last = match order {
            DerivativeOrder::First => quote!(#sum),
            DerivativeOrder::Second => quote!(rt::dual::along(__grad, (#sum).slope)),
        };
        quote! {
            #(#grads)*
            #unused
            let #bound = #call;
            #last
        }
    }

    /// The call of the author's function with duals.
    fn call(&self, order: DerivativeOrder, ty: &TokenStream) -> TokenStream {
        let dual = quote!(rt::dual::Dual);
        let arguments = self.form.params.iter().enumerate().map(|(idx, param)| {
            let element = format_ident!("__element{idx}");
            match param {
                ElementParam::Element(own) if !self.form.elements.is(own) => quote!(#element),
                ElementParam::Element(_) => {
                    let taken = format_ident!("__takes{idx}");
                    let inner = match order {
                        DerivativeOrder::First => quote!(#element),
                        DerivativeOrder::Second => {
                            let derives = format_ident!("__derives{idx}");
                            quote!(#dual::seed(#element, #derives))
                        }
                    };
                    quote!(#dual::seed(#inner, #taken))
                }
                ElementParam::Number => {
                    let number = format_ident!("__number{idx}");
                    match order {
                        DerivativeOrder::First => quote!(#dual::constant(#number)),
                        DerivativeOrder::Second => {
                            quote!(#dual::constant(#dual::constant(#number)))
                        }
                    }
                }
                ElementParam::Value(_) => handed(&self.args[idx]),
            }
        });
        let name = &self.func.sig.ident;
        quote_spanned!(at(returned(self.func))=> super::#name::<#ty>(#(#arguments),*))
    }
}
