//! Kernels over views of `ndarray`: tensors are cast, viewed and handed over,
//! for each type that the function is compiled for; arrays become tensors.
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
//!                 let __tensor0 = typed::cast::<f32>(__arg0)?;
//!                 typed::Returned::returned(super::row_norms::<f32>(typed::view(&__tensor0, "x")?))
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

use crate::expand::{arguments, param_names, returned};
use crate::operator::{Operator, at};

/// The kernel.
pub(crate) fn constants(form: &Arrays, operator: &Operator, func: &ItemFn) -> TokenStream {
    let printer = Printer { form, func, what: operator.base(), args: arguments(func) };
    let (constant, type_of) = operator.constant();
    let (args, body) = (&printer.args, printer.body());
    quote!(pub(crate) const #constant: #type_of = |#(#args),*| { #body };)
}

struct Printer<'a> {
    form: &'a Arrays,
    func: &'a ItemFn,
    what: String,
    args: Vec<Ident>,
}

impl Printer<'_> {
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
        let prepared =
            params.clone().filter_map(|(idx, it)| self.prepare(idx, it, stored.as_ref()));
        let handed = params.map(|(idx, param)| self.handed(idx, param, &names[idx], dtype));
        let call = quote_spanned!(at(returned(self.func))=> super::#name #generic);
        let returned = quote_spanned!(at(returned(self.func))=> #typed::Returned::returned);
        quote! {
            #(#prepared)*
            #returned(#call(#(#handed),*))
        }
    }

    /// What must live as long as a view of it.
    fn prepare(
        &self,
        idx: usize,
        param: &ArrayParam,
        ty: Option<&TokenStream>,
    ) -> Option<TokenStream> {
        let (ty, typed, arg) = (ty?, runtime("typed"), &self.args[idx]);
        let tensor = format_ident!("__tensor{idx}");
        match param {
            ArrayParam::View { element, optional } if self.form.elements.is(element) => {
                let cast = format_ident!("{}", if *optional { "cast_optional" } else { "cast" });
                Some(quote!(let #tensor = #typed::#cast::<#ty>(#arg)?;))
            }
            ArrayParam::View { .. } | ArrayParam::Number(_) | ArrayParam::Value(_) => None,
        }
    }

    fn handed(
        &self,
        idx: usize,
        param: &ArrayParam,
        name: &str,
        dtype: Option<Dtype>,
    ) -> TokenStream {
        let (typed, arg) = (runtime("typed"), &self.args[idx]);
        match param {
            ArrayParam::View { element, optional } => {
                let cast = dtype.is_some() && self.form.elements.is(element);
                let tensor = format_ident!("__tensor{idx}");
                let view = quote_spanned!(arg.span()=> view);
                match (optional, cast) {
                    (false, true) => quote!(#typed::#view(&#tensor, #name)?),
                    (false, false) => quote!(#typed::#view(#arg, #name)?),
                    (true, true) => quote!(#typed::view_optional(#tensor.as_ref(), #name)?),
                    (true, false) => quote!(#typed::view_optional(#arg, #name)?),
                }
            }
            ArrayParam::Number(_) => quote!(#typed::number(#arg)),
            ArrayParam::Value(_) => quote!(#arg),
        }
    }
}
