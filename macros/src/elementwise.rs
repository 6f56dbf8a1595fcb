//! Kernels of single elements: a loop of the runtime around the function, for
//! each type that it is compiled for, and the rule that goes with it.
//!
//! ```text
//! #[native_op("hypot(Tensor x, Tensor y) -> Tensor", elementwise, dtypes = floating)]
//! fn hypot<T: Float>(x: T, y: T) -> T { .. }
//!
//! pub(crate) mod hypot {
//!     #[inline(always)]
//!     pub(crate) fn inner_loop(
//!         __dtype: DType,
//!         __then: Then<'_>,
//!     ) -> Result<()> {
//!         match __dtype {
//!             DType::Float16 | DType::BFloat16 | DType::Float32 => {
//!                 iterate::inner_loop::binary(super::hypot::<f32>, __then)
//!             }
//!             DType::Float64 => iterate::inner_loop::binary(super::hypot::<f64>, __then),
//!             __other => Err(DType::unsupported(__other, "hypot")),
//!         }
//!     }
//!     pub(crate) const KERNEL: <crate::ops::hypot::out as Op>::Kernel =
//!         |__arg0, __arg1, __out0| {
//!             let __dtype = typed::common_dtype(&[__arg0, __arg1])?;
//!             inner_loop(__dtype, &mut move |__loop| {
//!                 __loop.over_tensors([__arg0, __arg1], [&mut *__out0])
//!             })
//!         };
//!     pub(crate) const RULE: <crate::ops::hypot::out as StructuredOp>::Rule =
//!         |__arg0, __arg1| {
//!             let __dtype = typed::common_dtype(&[__arg0, __arg1])?;
//!             typed::check(__dtype, &[DType::Float16, ..], "hypot")?;
//!             let __spec = Spec::elementwise(&[__arg0, __arg1])?;
//!             Ok(__spec.with_dtype(__dtype))
//!         };
//! }
//! ```
//!
//! The kernel of an entry that is not the out variant has both in one, around
//! an allocation.

use opwright_codegen::dtypes::Dtype;
use opwright_codegen::form::{ElementParam, ElementResult, Elements, Elementwise};
use opwright_codegen::types::{runtime, tuple};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::ItemFn;

use crate::arguments::{arguments, handed, param_names, returned};
use crate::operator::{AnnotatedOperator, at};

/// The kernel, and the rule if the function carries its schema.
pub(crate) fn constants(
    form: &Elementwise,
    operator: &AnnotatedOperator,
    func: &ItemFn,
) -> TokenStream {
    let dtypes = operator.schema.as_ref().map(|_| operator.dtypes());
    let (is_entry, has_outs) = (operator.schema.is_none(), operator.has_outs());
    let (what, args) = (operator.base(), spread(form, arguments(func)));
    let names = match &operator.schema {
        Some(schema) => schema.params.iter().map(|it| it.name.value.clone()).collect(),
        None => param_names(func),
    };
    let printer = ElementwisePrinter { form, func, what, args, names, dtypes, is_entry, has_outs };
    let (args, outs) = (&printer.args, printer.outs());
    let type_of = operator.kernel();
    let (fill, inner_loop) = (printer.fill(), printer.inner_loop());
    if !operator.has_outs() {
        let body = printer.allocating(&fill);
        return quote!(#inner_loop pub(crate) const KERNEL: #type_of = |#(#args),*| { #body };);
    }
    let kernel = quote!(pub(crate) const KERNEL: #type_of = |#(#args,)* #(#outs),*| { #fill };);
    let rule = operator.schema.as_ref().map(|_| {
        let (type_of, params, body) = (operator.rule(), printer.rule_params(), printer.rule());
        quote!(pub(crate) const RULE: #type_of = |#(#params),*| { #body };)
    });
    quote!(#inner_loop #kernel #rule)
}

/// The loop for so many tensors and results; `nary` takes the elements as a tuple.
pub(crate) fn loop_name(tensors: usize, results: usize) -> Ident {
    let name = match (tensors, results) {
        (1, _) => "unary",
        (2, _) => "binary",
        (3, 1) => "ternary",
        _ => "nary",
    };
    format_ident!("{name}")
}

/// Dtypes by the type that their elements are calculated in: half precision is
/// cast on the way in and out.
pub(crate) fn grouped(dtypes: &[Dtype], is_wide: bool) -> Vec<(TokenStream, Vec<Dtype>)> {
    let mut groups: Vec<(TokenStream, Vec<Dtype>)> = Vec::new();
    for &dtype in dtypes {
        let ty = if is_wide { dtype.wide() } else { dtype.calculated() };
        match groups.iter_mut().find(|(known, _)| known.to_string() == ty.to_string()) {
            Some((_, members)) => members.push(dtype),
            None => groups.push((ty, vec![dtype])),
        }
    }
    groups
}

/// An argument for each tensor that an `Each` stands for.
fn spread(form: &Elementwise, args: Vec<Ident>) -> Vec<Ident> {
    if form.is_direct {
        return args;
    }
    let more = form.params.len() + 1 - args.len();
    let place = args.first().map_or_else(Span::call_site, Ident::span);
    let tensors = (0..more).map(|idx| format_ident!("__tensor{idx}", span = place));
    tensors.chain(args.into_iter().skip(1)).collect()
}

struct ElementwisePrinter<'a> {
    form: &'a Elementwise,
    func: &'a ItemFn,
    what: String,
    /// One for each parameter of the form, and what it is called in messages.
    args: Vec<Ident>,
    names: Vec<String>,
    /// The dtypes of all kernels of the operator, if the build script says them.
    dtypes: Option<TokenStream>,
    /// Whether an entry has the schema.
    is_entry: bool,
    has_outs: bool,
}

/// A parameter that is no tensor.
enum OtherParam<'a> {
    Number,
    Value(&'a syn::Type),
}

impl ElementwisePrinter<'_> {
    fn outs(&self) -> Vec<Ident> {
        (0..self.form.results.len()).map(|idx| format_ident!("__out{idx}")).collect()
    }

    /// Arguments that are tensors.
    fn tensors(&self) -> Vec<&Ident> {
        self.elements().map(|(idx, _)| &self.args[idx]).collect()
    }

    fn elements(&self) -> impl Iterator<Item = (usize, &syn::Type)> {
        self.form.params.iter().enumerate().filter_map(|(idx, param)| match param {
            ElementParam::Element(ty) => Some((idx, &**ty)),
            ElementParam::Number | ElementParam::Value(_) => None,
        })
    }

    /// Tensors of the type that all dtypes are brought to: these decide.
    fn deciding(&self) -> Vec<TokenStream> {
        let deciding = self.elements().filter(|(_, ty)| self.form.elements.is(ty));
        deciding.map(|(idx, _)| &self.args[idx]).map(|it| quote!(#it)).collect()
    }

    /// Tensors of types of their own: argument, place among the tensors, name.
    fn fixed(&self) -> Vec<(&Ident, usize, String)> {
        let elements = self.elements().enumerate();
        let fixed = elements.filter(|(_, (_, ty))| !self.form.elements.is(ty));
        fixed.map(|(place, (idx, _))| (&self.args[idx], place, self.names[idx].clone())).collect()
    }

    fn dtype(&self) -> TokenStream {
        let dtype = self.form.promote.unwrap_or_default().dtype(&self.deciding());
        quote!(let __dtype = #dtype?;)
    }

    /// The dtype in a kernel that fills results: that of the first one, where the
    /// rule of an entry has decided.
    fn filled_dtype(&self) -> TokenStream {
        let decided = self.is_entry && self.has_outs && self.form.promote.is_none();
        match self.form.results.first() {
            Some(ElementResult::Element) if decided => quote!(let __dtype = __out0.dtype();),
            _ => self.dtype(),
        }
    }

    fn loop_name(&self) -> Ident {
        loop_name(self.tensors().len(), self.form.results.len())
    }

    fn takes_tuple(&self) -> bool {
        self.form.is_direct && self.loop_name() == "nary"
    }

    /// The body of a kernel that fills `__out0`, `__out1`; one that allocates them serves the meta
    /// device, too, where there is nothing to fill.
    fn fill(&self) -> TokenStream {
        let (dtype, tensors) = (self.filled_dtype(), self.tensors());
        let (decided, dtype) = match self.form.elements {
            Elements::Generic(..) => (Some(dtype), quote!(__dtype)),
            // The rule has seen to it that the dtype is right.
            Elements::Concrete(_) => (None, quote!(__out0.dtype())),
        };
        let (outs, narrowed) = (self.outs(), self.narrowed());
        let unless_meta = (!self.has_outs).then(|| {
            quote! {
                if __out0.device().is_meta() {
                    return ::core::result::Result::Ok(());
                }
            }
        });
        let arguments = self.others().map(|(idx, param)| match param {
            OtherParam::Number => {
                let arg = &self.args[idx];
                quote!(#arg)
            }
            OtherParam::Value(_) => handed(&self.args[idx]),
        });
        quote! {
            #decided
            #narrowed
            inner_loop(#dtype, #(#arguments,)* &mut move |__loop| {
                #unless_meta
                __loop.over_tensors([#(#tensors),*], [#(&mut *#outs),*])
            })
        }
    }

    /// `let __arg0 = &*typed::narrowed(__arg0, __dtype)?;`, so that a wider type calculates with
    /// the same numbers as the dtype itself.
    fn narrowed(&self) -> Option<TokenStream> {
        let Elements::Generic(_, dtypes) = &self.form.elements else { return None };
        let is_wide = self.form.wide && dtypes.all.iter().any(|it| it.is_widened());
        let deciding = self.deciding();
        let typed = runtime("typed");
        (is_wide && deciding.len() > 1)
            .then(|| quote!(#(let #deciding = &*#typed::narrowed(#deciding, __dtype)?;)*))
    }

    /// The constructor of inner loops.
    fn inner_loop(&self) -> TokenStream {
        let (result, iterate, scalar) = (runtime("Result"), runtime("iterate"), runtime("Scalar"));
        let dtype = runtime("DType");
        let params = self.others().map(|(idx, param)| {
            let arg = &self.args[idx];
            match param {
                OtherParam::Number => {
                    quote!(#arg: impl ::core::marker::Copy + ::core::convert::Into<#scalar>)
                }
                OtherParam::Value(ty) => quote!(#arg: #ty),
            }
        });
        let has_types =
            !self.form.is_direct || self.others().any(|(_, it)| matches!(it, OtherParam::Value(_)));
        let types = has_types.then(|| {
            quote! {
                #[allow(unused_imports, reason = "types of values may need no import")]
                use super::*;
            }
        });
        let (name, pair) = (self.loop_name(), self.form.results.len() > 1);
        let name = if pair { format_ident!("{name}_pair") } else { name };
        let body = self.matched(|function| match self.form.is_direct {
            true => quote!(#iterate::inner_loop::#name(#function, __then)),
            false => function,
        });
        quote! {
            #types
            // So that a kernel knows what it does with the loop, which spares it a call.
            #[inline(always)]
            #[allow(clippy::too_many_arguments, reason = "as many as the schema says")]
            pub(crate) fn inner_loop(
                __dtype: #dtype,
                #(#params,)*
                __then: #iterate::inner_loop::Then<'_>,
            ) -> #result<()> {
                #body
            }
        }
    }

    /// Parameters that are no tensors.
    fn others(&self) -> impl Iterator<Item = (usize, OtherParam<'_>)> {
        self.form.params.iter().enumerate().filter_map(|(idx, param)| match param {
            ElementParam::Element(_) => None,
            ElementParam::Number => Some((idx, OtherParam::Number)),
            ElementParam::Value(ty) => Some((idx, OtherParam::Value(ty))),
        })
    }

    /// The body of a rule: `Ok` of a `Spec` for each result.
    fn rule(&self) -> TokenStream {
        let (dtype, tensors, specs) = (self.dtype(), self.tensors(), self.specs());
        let (typed, spec) = (runtime("typed"), runtime("Spec"));
        let types = self.asks_types().then(|| {
            let name = self.loop_name();
            let types = self.typed(|function| match self.form.is_direct {
                true => quote!(#typed::#name(&#function)),
                false => self.types_of_each(),
            });
            quote!(let __types = #types;)
        });
        let check = self.check();
        let fixed = self
            .fixed()
            .into_iter()
            .map(|(arg, place, name)| quote!(#typed::takes(#arg, __types.inputs[#place], #name)?;));
        quote! {
            #dtype
            #types
            #check
            #(#fixed)*
            let __spec = #spec::elementwise(&[#(#tensors),*])?;
            ::core::result::Result::Ok(#specs)
        }
    }

    /// That there is a kernel for the dtype: this one, or another of the operator.
    fn check(&self) -> TokenStream {
        let (typed, what) = (runtime("typed"), &self.what);
        let known = match (&self.form.elements, &self.dtypes) {
            (Elements::Generic(..), Some(shared)) => shared.clone(),
            (Elements::Generic(_, own), None) => own.tokens(),
            (Elements::Concrete(_), _) => {
                let place = self.elements().position(|(_, ty)| self.form.elements.is(ty));
                quote!(&[__types.inputs[#place]])
            }
        };
        quote!(#typed::check(__dtype, #known, #what)?;)
    }

    /// The parameters of a rule; it does not look at values.
    fn rule_params(&self) -> Vec<TokenStream> {
        let looks = self.asks_types();
        let params = self.form.params.iter().zip(&self.args).map(|(param, arg)| match param {
            ElementParam::Element(_) => quote!(#arg),
            ElementParam::Number | ElementParam::Value(_) if looks => quote!(#arg),
            ElementParam::Number | ElementParam::Value(_) => quote!(_),
        });
        params.collect()
    }

    /// Whether a dtype is only known from the function's types.
    fn asks_types(&self) -> bool {
        let own = |it: &ElementResult| matches!(it, ElementResult::Other(_));
        let concrete = matches!(self.form.elements, Elements::Concrete(_));
        concrete || !self.fixed().is_empty() || self.form.results.iter().any(own)
    }

    fn specs(&self) -> TokenStream {
        let dtype = quote!(__dtype);
        let results = self.form.results.iter().enumerate();
        let specs: Vec<TokenStream> = results
            .map(|(idx, result)| match result {
                ElementResult::Element => self.form.promote.unwrap_or_default().result(&dtype),
                ElementResult::Part => quote!(#dtype.to_real()),
                ElementResult::Other(_) => quote!(__types.outputs[#idx]),
            })
            .map(|dtype| quote!(::core::clone::Clone::clone(&__spec).with_dtype(#dtype)))
            .collect();
        tuple(&specs)
    }

    /// A rule, fresh results, a loop.
    fn allocating(&self, fill: &TokenStream) -> TokenStream {
        let (rule, outs) = (self.rule(), self.outs());
        let specs: Vec<Ident> = (0..outs.len()).map(|idx| format_ident!("__spec{idx}")).collect();
        let bound = tuple(&specs.iter().map(|it| quote!(#it)).collect::<Vec<_>>());
        let results = tuple(&outs.iter().map(|it| quote!(#it)).collect::<Vec<_>>());
        let (error, spec, tensor) = (runtime("Error"), runtime("Spec"), runtime("Tensor"));
        let types = tuple(&vec![spec; outs.len()]);
        quote! {
            let __rule = || -> ::core::result::Result<#types, #error> { #rule };
            let #bound = __rule()?;
            #(let mut #outs = #specs.allocate()?;)*
            let __fill = |#(#outs: &mut #tensor),*| -> ::core::result::Result<(), #error> { #fill };
            __fill(#(&mut #outs),*)?;
            ::core::result::Result::Ok(#results)
        }
    }

    /// As [`Printer::matched`], for what holds of all dtypes.
    fn typed(&self, body: impl Fn(TokenStream) -> TokenStream) -> TokenStream {
        let Elements::Generic(_, dtypes) = &self.form.elements else {
            return body(self.function(None));
        };
        let arms = grouped(&dtypes.all, self.form.wide).into_iter().enumerate().map(
            |(idx, (ty, dtypes))| {
                let patterns = dtypes.iter().map(|it| it.path());
                let numbers = self.numbers(&ty);
                let body = body(self.function(Some(&ty)));
                let element = self.form.elements.ty();
                let named = (!self.form.is_direct).then(|| quote!(type #element = #ty;));
                let arm = quote!({ #named #(#numbers)* #body });
                // Another kernel calculates other dtypes, with results of the same types.
                if idx == 0 { quote!(_ => #arm) } else { quote!(#(#patterns)|* => #arm) }
            },
        );
        let arms: Vec<TokenStream> = arms.collect();
        let arms = arms.iter().rev();
        quote!(match __dtype { #(#arms)* })
    }

    /// A choice between the types of the elements by `__dtype`.
    fn matched(&self, body: impl Fn(TokenStream) -> TokenStream) -> TokenStream {
        let (dtype, what) = (runtime("DType"), &self.what);
        let Elements::Generic(_, dtypes) = &self.form.elements else {
            return body(self.function(None));
        };
        let arms = grouped(&dtypes.all, self.form.wide).into_iter().map(|(ty, dtypes)| {
            let patterns = dtypes.iter().map(|it| it.path());
            let numbers = self.numbers(&ty);
            let body = body(self.function(Some(&ty)));
            quote!(#(#patterns)|* => { #(#numbers)* #body })
        });
        quote! {
            match __dtype {
                #(#arms)*
                #[allow(unreachable_patterns, reason = "all dtypes leave none over")]
                __other => ::core::result::Result::Err(#dtype::unsupported(__other, #what)),
            }
        }
    }

    /// `let __number2: f32 = typed::number(__arg2);`; what a number of an entry
    /// loses on the way is an error.
    fn numbers(&self, ty: &TokenStream) -> Vec<TokenStream> {
        let typed = runtime("typed");
        let numbers = self.form.params.iter().enumerate().filter_map(|(idx, param)| match param {
            ElementParam::Number => {
                let (name, arg) = (format_ident!("__number{idx}"), &self.args[idx]);
                Some(match self.is_entry {
                    true => quote!(let #name: #ty = #typed::checked(#arg)?;),
                    false => quote!(let #name: #ty = #typed::number(#arg);),
                })
            }
            ElementParam::Element(_) | ElementParam::Value(_) => None,
        });
        numbers.collect()
    }

    /// The dtypes of the types that an `Each` names.
    fn types_of_each(&self) -> TokenStream {
        let typed = runtime("typed");
        let inputs = self.elements().map(|(_, ty)| ty);
        let results = self.form.results.iter().map(|it| match it {
            ElementResult::Other(ty) => quote!(#ty),
            // Whose dtype follows from that of the elements.
            ElementResult::Element | ElementResult::Part => self.form.elements.ty(),
        });
        let results = tuple(&results.collect::<Vec<_>>());
        quote!(#typed::each::<_, (#(#inputs,)*), #results>())
    }

    /// The author's function, or a closure that hands on values beside elements.
    fn function(&self, ty: Option<&TokenStream>) -> TokenStream {
        let name = &self.func.sig.ident;
        let generic = ty.map(|ty| quote!(::<#ty>));
        if !self.form.is_direct {
            let each = quote!(rt::iterate::Each::new(__dtype, __then));
            let arguments = self.form.params.iter().enumerate().filter_map(|(idx, it)| match it {
                ElementParam::Element(_) => None,
                ElementParam::Number => {
                    let number = format_ident!("__number{idx}", span = self.args[idx].span());
                    Some(quote!(#number))
                }
                ElementParam::Value(_) => Some(handed(&self.args[idx])),
            });
            return quote_spanned!(at(returned(self.func))=> {
                super::#name #generic(#each, #(#arguments),*)
            });
        }
        let mut elements = Vec::new();
        let mut arguments = Vec::new();
        for (idx, param) in self.form.params.iter().enumerate() {
            let span = self.args[idx].span();
            match param {
                ElementParam::Element(_) => {
                    let name = format_ident!("__element{idx}", span = span);
                    arguments.push(quote!(#name));
                    elements.push(name);
                }
                ElementParam::Number => {
                    let name = format_ident!("__number{idx}", span = span);
                    arguments.push(quote!(#name));
                }
                ElementParam::Value(_) => arguments.push(handed(&self.args[idx])),
            }
        }
        if elements.len() == arguments.len() && !self.takes_tuple() {
            return quote_spanned!(at(returned(self.func))=> super::#name #generic);
        }
        let call = quote_spanned!(at(returned(self.func))=> super::#name #generic(#(#arguments),*));
        match self.takes_tuple() {
            true => quote!(|(#(#elements,)*)| #call),
            false => quote!(|#(#elements),*| #call),
        }
    }
}
