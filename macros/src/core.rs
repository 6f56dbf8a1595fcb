//! Kernels of core dimensions: the loop of the runtime around the function, for each type that it is
//! compiled for, and the rule that goes with it.
//!
//! ```text
//! #[native_op("smooth(Tensor x, Tensor w) -> Tensor", core = "(n),(k)->(n)", dtypes = floating)]
//! fn smooth<T: Float>(x: ArrayView1<'_, T>, w: ArrayView1<'_, T>) -> Array1<T> { .. }
//!
//! pub(crate) mod smooth {
//!     const CORE: CoreSignature = CoreSignature {
//!         inputs: &[("x", &[CoreDim::Named("n")]), ("w", &[CoreDim::Named("k")])],
//!         outputs: &[&[CoreDim::Named("n")]],
//!     };
//!     pub(crate) const KERNEL: <crate::ops::smooth::out as Op>::Kernel =
//!         |__arg0, __arg1, __out0| {
//!             let __dtype = typed::common_dtype(&[__arg0, __arg1])?;
//!             match __dtype {
//!                 DType::Float16 | DType::BFloat16 | DType::Float32 => CORE.run(
//!                     [(__arg0, <f32 as Element>::DTYPE), (__arg1, <f32 as Element>::DTYPE)],
//!                     [(__out0, <f32 as Element>::DTYPE)],
//!                     &|[__in0, __in1], [__room0]| core_dims::returned(
//!                         super::smooth::<f32>(
//!                             core_dims::argument(__in0)?,
//!                             core_dims::argument(__in1)?,
//!                         ),
//!                         [__room0],
//!                     ),
//!                 ),
//!                 ..
//!             }
//!         };
//!     pub(crate) const RULE: <crate::ops::smooth::out as StructuredOp>::Rule =
//!         |__arg0, __arg1| {
//!             let __dtype = typed::common_dtype(&[__arg0, __arg1])?;
//!             typed::check(__dtype, &[DType::Float16, ..], "smooth")?;
//!             let [__spec0] = CORE.specs([__arg0, __arg1], [__dtype])?;
//!             Ok(__spec0)
//!         };
//! }
//! ```

use opwright_codegen::core_dims::CoreDim;
use opwright_codegen::form::{Core, ElementParam, ElementResult, Elements};
use opwright_codegen::types::{runtime, tuple};
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{ItemFn, Type};

use crate::arguments::{arguments, handed, returned};
use crate::elementwise::grouped;
use crate::operator::{AnnotatedOperator, at};

/// The kernel and its rule.
pub(crate) fn constants(form: &Core, operator: &AnnotatedOperator, func: &ItemFn) -> TokenStream {
    let schema = operator.schema.as_ref();
    let names = schema.map_or(&[][..], |it| &it.params);
    let names = names.iter().map(|it| it.name.value.clone()).collect();
    let (mut args, what) = (arguments(func), operator.base());
    let rooms = args.split_off(form.params.len());
    let known = operator.dtypes();
    let printer = CorePrinter { form, func, args, rooms, names, what, known };
    let (args, outs) = (&printer.args, printer.numbered("out"));
    let (kernel_type, rule_type) = (operator.kernel(), operator.rule());
    let (core, kernel, rule) = (printer.signature(), printer.kernel(), printer.rule());
    let rule_params = printer.rule_params();
    quote! {
        #[allow(unused_imports, reason = "types of elements may need no import")]
        use super::*;
        #core
        pub(crate) const KERNEL: #kernel_type = |#(#args,)* #(#outs),*| { #kernel };
        pub(crate) const RULE: #rule_type = |#(#rule_params),*| { #rule };
    }
}

struct CorePrinter<'a> {
    form: &'a Core,
    func: &'a ItemFn,
    /// One for each parameter of the schema.
    args: Vec<Ident>,
    /// One for each result that the function fills.
    rooms: Vec<Ident>,
    names: Vec<String>,
    what: String,
    /// The dtypes of all kernels of the operator.
    known: TokenStream,
}

impl CorePrinter<'_> {
    /// `const CORE: CoreSignature = ..;`
    fn signature(&self) -> TokenStream {
        let module = runtime("core_dims");
        let dims = |dims: &[CoreDim]| {
            let dims = dims.iter().map(|it| match it {
                CoreDim::Named(name) => quote!(#module::CoreDim::Named(#name)),
                CoreDim::Fixed(size) => quote!(#module::CoreDim::Fixed(#size)),
            });
            quote!(&[#(#dims),*])
        };
        let names = self.tensors().map(|(idx, _)| &self.names[idx]);
        let inputs = names.zip(&self.form.dims.inputs).map(|(name, it)| {
            let dims = dims(it);
            quote!((#name, #dims))
        });
        let outputs = self.form.dims.outputs.iter().map(|it| dims(it));
        quote! {
            const CORE: #module::CoreSignature = #module::CoreSignature {
                inputs: &[#(#inputs),*],
                outputs: &[#(#outputs),*],
            };
        }
    }

    /// Parameters that are tensors, and the types of their elements.
    fn tensors(&self) -> impl Iterator<Item = (usize, &Type)> {
        self.form.params.iter().enumerate().filter_map(|(idx, param)| match param {
            ElementParam::Element(ty) => Some((idx, &**ty)),
            ElementParam::Number | ElementParam::Value(_) => None,
        })
    }

    /// `__out0`, `__out1`: one for each result.
    fn numbered(&self, name: &str) -> Vec<Ident> {
        (0..self.form.results.len()).map(|idx| format_ident!("__{name}{idx}")).collect()
    }

    /// The dtype that tensors are promoted to.
    fn dtype(&self) -> TokenStream {
        let deciding = self.tensors().filter(|(_, ty)| self.form.elements.is(ty));
        let deciding: Vec<TokenStream> = deciding
            .map(|(idx, _)| {
                let arg = &self.args[idx];
                quote!(#arg)
            })
            .collect();
        let dtype = self.form.promote.dtype(&deciding);
        quote!(let __dtype = #dtype?;)
    }

    fn kernel(&self) -> TokenStream {
        let Elements::Generic(_, dtypes) = &self.form.elements else { return self.run(None) };
        let (decided, dtype, what) = (self.dtype(), runtime("DType"), &self.what);
        let arms = grouped(&dtypes.all, false).into_iter().map(|(ty, dtypes)| {
            let (patterns, run) = (dtypes.iter().map(|it| it.path()), self.run(Some(&ty)));
            quote!(#(#patterns)|* => { #run })
        });
        quote! {
            #decided
            match __dtype {
                #(#arms)*
                #[allow(unreachable_patterns, reason = "all dtypes leave none over")]
                __other => ::core::result::Result::Err(#dtype::unsupported(__other, #what)),
            }
        }
    }

    /// The loop around the function, calculated in a type.
    fn run(&self, ty: Option<&TokenStream>) -> TokenStream {
        let inputs = self.tensors().map(|(idx, element)| {
            let (arg, dtype) = (&self.args[idx], self.element(element, ty));
            quote!((#arg, #dtype))
        });
        let outs = self.numbered("out");
        let outputs = outs.iter().zip(&self.form.results).map(|(out, result)| {
            let dtype = self.calculated(result, ty);
            quote!((&mut *#out, #dtype))
        });
        let numbers = self.numbers(ty);
        let ins = self.tensors().map(|(idx, _)| format_ident!("__in{idx}"));
        let (rooms, call) = (self.numbered("room"), self.call(ty));
        quote! {
            #(#numbers)*
            CORE.run([#(#inputs),*], [#(#outputs),*], &|[#(#ins),*], [#(#rooms),*]| #call)
        }
    }

    /// The dtype of elements of this type.
    fn element(&self, element: &Type, ty: Option<&TokenStream>) -> TokenStream {
        let trait_of = runtime("Element");
        match ty.filter(|_| self.form.elements.is(element)) {
            Some(ty) => quote!(<#ty as #trait_of>::DTYPE),
            None => quote_spanned!(at(element.span())=> <#element as #trait_of>::DTYPE),
        }
    }

    /// The dtype of what the function gives.
    fn calculated(&self, result: &ElementResult, ty: Option<&TokenStream>) -> TokenStream {
        match (result, ty, &self.form.elements) {
            (ElementResult::Element, Some(ty), _) => {
                let trait_of = runtime("Element");
                quote!(<#ty as #trait_of>::DTYPE)
            }
            (ElementResult::Element, None, Elements::Concrete(own)) => self.element(own, None),
            (ElementResult::Part, Some(ty), _) => {
                let trait_of = runtime("Element");
                quote!(<#ty as #trait_of>::DTYPE.to_real())
            }
            (ElementResult::Other(own), _, _) => self.element(own, None),
            (ElementResult::Element | ElementResult::Part, None, _) => quote!(__dtype),
        }
    }

    /// `let __number2: f32 = typed::number(__arg2);`
    fn numbers(&self, ty: Option<&TokenStream>) -> Vec<TokenStream> {
        let typed = runtime("typed");
        let numbers = self.form.params.iter().enumerate().filter_map(|(idx, param)| match param {
            ElementParam::Number => {
                let (name, arg) = (format_ident!("__number{idx}"), &self.args[idx]);
                Some(quote!(let #name: #ty = #typed::number(#arg);))
            }
            ElementParam::Element(_) | ElementParam::Value(_) => None,
        });
        numbers.collect()
    }

    /// The author's function, called with core elements.
    fn call(&self, ty: Option<&TokenStream>) -> TokenStream {
        let (name, module) = (&self.func.sig.ident, runtime("core_dims"));
        let generic = ty.map(|ty| quote!(::<#ty>));
        let params = self.form.params.iter().zip(&self.args).enumerate();
        let inputs = params.map(|(idx, (param, arg))| match param {
            ElementParam::Element(_) => {
                let input = format_ident!("__in{idx}");
                quote_spanned!(arg.span()=> #module::argument(#input)?)
            }
            ElementParam::Number => {
                let number = format_ident!("__number{idx}", span = arg.span());
                quote!(#number)
            }
            ElementParam::Value(_) => handed(arg),
        });
        let rooms = self.numbered("room");
        let filled = self
            .rooms
            .iter()
            .zip(&rooms)
            .map(|(place, room)| quote_spanned!(place.span()=> #module::filled(#room)?));
        let call = quote_spanned!(at(returned(self.func))=> super::#name #generic);
        let call = quote!(#call(#(#inputs,)* #(#filled),*));
        let left: &[Ident] = if self.form.fills { &[] } else { &rooms };
        quote_spanned!(at(returned(self.func))=> #module::returned(#call, [#(#left),*]))
    }

    /// The body of a rule: `Ok` of a `Spec` for each result.
    fn rule(&self) -> TokenStream {
        let (typed, what, dtype) = (runtime("typed"), &self.what, self.dtype());
        let known = match &self.form.elements {
            Elements::Generic(..) => self.known.clone(),
            Elements::Concrete(own) => {
                let dtype = self.element(own, None);
                quote!(&[#dtype])
            }
        };
        let fixed = self.tensors().filter(|(_, ty)| !self.form.elements.is(ty));
        let fixed = fixed.map(|(idx, ty)| {
            let (arg, name, dtype) = (&self.args[idx], &self.names[idx], self.element(ty, None));
            quote!(#typed::takes(#arg, #dtype, #name)?;)
        });
        let tensors = self.tensors().map(|(idx, _)| &self.args[idx]);
        let decided = quote!(__dtype);
        let dtypes = self.form.results.iter().map(|it| match it {
            ElementResult::Element => self.form.promote.result(&decided),
            ElementResult::Part => quote!(__dtype.to_real()),
            ElementResult::Other(ty) => self.element(ty, None),
        });
        let specs = self.numbered("spec");
        let result = tuple(&specs.iter().map(|it| quote!(#it)).collect::<Vec<_>>());
        quote! {
            #dtype
            #typed::check(__dtype, #known, #what)?;
            #(#fixed)*
            let [#(#specs),*] = CORE.specs([#(#tensors),*], [#(#dtypes),*])?;
            ::core::result::Result::Ok(#result)
        }
    }

    /// The parameters of the rule, which looks at tensors alone.
    fn rule_params(&self) -> Vec<TokenStream> {
        let params = self.form.params.iter().zip(&self.args);
        let params = params.map(|(param, arg)| match param {
            ElementParam::Element(_) => quote!(#arg),
            ElementParam::Number | ElementParam::Value(_) => quote!(_),
        });
        params.collect()
    }
}
