//! Kernels over views of `ndarray`: the elements of tensors are copied into arrays
//! and cast, for each type that the function is compiled for, and views of these
//! handed over; arrays that come back become tensors.
//!
//! A view of the tensor's own memory would be a reference to elements that others
//! may change, from Python or another thread, while the function runs.
//!
//! ```text
//! #[native_op("row_norms(Tensor x) -> Tensor", dtypes = floating)]
//! fn row_norms<T: Float>(x: ArrayView2<'_, T>) -> Array1<T> { .. }
//!
//! pub(crate) mod row_norms {
//!     pub(crate) const KERNEL: <crate::ops::row_norms::Default_ as Op>::Kernel = |__arg0| {
//!         let __dtype = typed::common_dtype(&[__arg0])?;
//!         match __dtype {
//!             DType::Float32 => {
//!                 let __array0 = typed::cast_array::<f32, _>(__arg0, "x")?;
//!                 typed::Returned::returned(super::row_norms::<f32>(typed::view(&__array0)))
//!             }
//!             ..
//!             __other => Err(DType::unsupported(__other, "row_norms")),
//!         }
//!     };
//! }
//! ```

use opwright_codegen::dtypes::Dtype;
use opwright_codegen::form::{ArrayParam, Arrays, Elements};
use opwright_codegen::types::runtime;
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::ItemFn;

use crate::arguments::{arguments, handed, param_names, returned};
use crate::operator::{AnnotatedOperator, at};

/// The kernel.
pub(crate) fn constants(form: &Arrays, operator: &AnnotatedOperator, func: &ItemFn) -> TokenStream {
    let printer = ArrayPrinter { form, func, what: operator.base(), args: arguments(func) };
    let (constant, type_of) = operator.constant();
    let (args, body) = (&printer.args, printer.body());
    quote!(pub(crate) const #constant: #type_of = |#(#args),*| { #body };)
}

struct ArrayPrinter<'a> {
    form: &'a Arrays,
    func: &'a ItemFn,
    what: String,
    args: Vec<Ident>,
}

impl ArrayPrinter<'_> {
    fn body(&self) -> TokenStream {
        let Elements::Generic(_, dtypes) = &self.form.elements else { return self.call(None) };
        let dtype = self.form.promote.dtype(&self.deciding());
        let arms = dtypes.all.iter().map(|it| {
            let (pattern, call) = (it.path(), self.call(Some(*it)));
            quote!(#pattern => { #call })
        });
        let (unsupported, what) = (runtime("DType"), &self.what);
        quote! {
            match #dtype? {
                #(#arms)*
                #[allow(unreachable_patterns, reason = "all dtypes leave none over")]
                __other => ::core::result::Result::Err(#unsupported::unsupported(__other, #what)),
            }
        }
    }

    /// Tensors whose dtypes are brought to one.
    fn deciding(&self) -> Vec<TokenStream> {
        let deciding = self.form.params.iter().zip(&self.args).filter(|(param, _)| match param {
            ArrayParam::View { element, optional: false } => self.form.elements.is(element),
            ArrayParam::Value(ty) => opwright_codegen::form::is_tensor(ty),
            ArrayParam::View { .. } | ArrayParam::Number(_) => false,
        });
        deciding.map(|(_, arg)| quote!(#arg)).collect()
    }

    /// The author's function, called with views.
    fn call(&self, dtype: Option<Dtype>) -> TokenStream {
        let (name, typed) = (&self.func.sig.ident, runtime("typed"));
        let stored = dtype.map(Dtype::stored);
        let generic = stored.as_ref().map(|ty| quote!(::<#ty>));
        let names = param_names(self.func);
        let params = self.form.params.iter().enumerate();
        let prepared = params
            .clone()
            .filter_map(|(idx, it)| self.prepare(idx, it, &names[idx], stored.as_ref()));
        let handed = params.map(|(idx, param)| self.handed(idx, param));
        let call = quote_spanned!(at(returned(self.func))=> super::#name #generic);
        let returned = quote_spanned!(at(returned(self.func))=> #typed::Returned::returned);
        quote! {
            #(#prepared)*
            #returned(#call(#(#handed),*))
        }
    }

    /// The array that a view is of.
    fn prepare(
        &self,
        idx: usize,
        param: &ArrayParam,
        name: &str,
        ty: Option<&TokenStream>,
    ) -> Option<TokenStream> {
        let ArrayParam::View { element, optional } = param else { return None };
        let (typed, arg, array) = (runtime("typed"), &self.args[idx], array(idx));
        let function = match ty.filter(|_| self.form.elements.is(element)) {
            Some(ty) => quote_spanned!(arg.span()=> cast_array::<#ty, _>),
            None => quote_spanned!(arg.span()=> array),
        };
        Some(if *optional {
            quote! {
                let #array = match #arg {
                    ::core::option::Option::Some(__tensor) => {
                        ::core::option::Option::Some(#typed::#function(__tensor, #name)?)
                    }
                    ::core::option::Option::None => ::core::option::Option::None,
                };
            }
        } else {
            quote!(let #array = #typed::#function(#arg, #name)?;)
        })
    }

    fn handed(&self, idx: usize, param: &ArrayParam) -> TokenStream {
        let (typed, arg, array) = (runtime("typed"), &self.args[idx], array(idx));
        let view = quote_spanned!(arg.span()=> view);
        match param {
            ArrayParam::View { optional: false, .. } => quote!(#typed::#view(&#array)),
            ArrayParam::View { optional: true, .. } => {
                quote!(::core::option::Option::map(#array.as_ref(), #typed::#view))
            }
            ArrayParam::Number(_) => quote!(#typed::number(#arg)),
            ArrayParam::Value(_) => handed(arg),
        }
    }
}

fn array(idx: usize) -> Ident {
    format_ident!("__array{idx}")
}
