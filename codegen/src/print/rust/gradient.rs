//! Prints how calls of an overload are recorded, inside of the function that returns its kernels.
//!
//! ```text
//! static RULE: rt::autograd::Rule = rt::autograd::Rule {
//!     node: "MulBackward0",
//!     operator: "mul.Tensor",
//!     inputs: &[Input::One, Input::One],
//!     outputs: &[true],
//!     saved: &[Slot { name: "other", inputs: &[0] }, Slot { name: "self", inputs: &[1] }],
//!     backward: crate::ops::__calls::backward0,
//! };
//! fn autograd(self_: &Tensor, other: &Tensor) -> Result<Tensor> {
//!     crate::ops::__calls::recorded0(self_, other, Tensor::kernels(), &RULE)
//! }
//! ```
//!
//! Overloads share what gives their gradients, if that is the same, and those of one signature that save
//! the same the rest:
//!
//! ```text
//! /// For `mul.Tensor` and those like it.
//! pub(super) fn backward0(__call: &Backward<'_>) -> Result<Gradients> {
//!     let mut __gradients = __call.none();
//!     if __call.wants(0) {
//!         let __saved0 = &__call.tensor(0)?;
//!         __call.give(&mut __gradients, 0, Some(ops::mul::Tensor::call(__call.grad(0)?, __saved0)?));
//!     }
//!     ..
//!     Ok(__gradients)
//! }
//! /// For `mul.Tensor` and those like it.
//! pub(super) fn recorded0(
//!     self_: &Tensor,
//!     arg1: &Tensor,
//!     __kernels: &KernelTable<fn(&Tensor, &Tensor) -> Result<Tensor>>,
//!     __rule: &'static Rule,
//! ) -> Result<Tensor> {
//!     let mut __recording = Recording::begin(__rule, Edges::to_each(&[Some(self_), Some(arg1)]));
//!     if __recording.is_active() {
//!         __recording.input(0, arg1);
//!         __recording.input(1, self_);
//!     }
//!     __recording.ready()?;
//!     let __result0 = {
//!         let __exclude = ExcludeKeys::new(DispatchKey::Autograd);
//!         __kernels.get(..)?(self_, arg1)?
//!     };
//!     let __result0 = __recording.own(__result0)?;
//!     __recording.finish(&[&__result0])?;
//!     Ok(__result0)
//! }
//! ```

mod edges;
mod unrecorded;

use opwright_schema::model::{Kind, Overload, Type};
use opwright_schema::names;
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use crate::formula::{
    Derived, Gradient, GradientFormula, Hidden, Kept, Place, SavedSlot, Source, output_number,
    saved_name,
};
use crate::print::rust::call::{key_set, lend, lending, shared_signature};
use crate::print::rust::lint::many_arguments;
use crate::print::rust::path::{hidden, param_name};
use crate::print::rust::reading::argument;
use crate::ty::Ty;
use crate::types::{ident, parameter, result, returned, use_runtime};

pub(super) use self::edges::edges;
pub(super) use self::unrecorded::{refused, unrecorded};

/// The rule, and the whole of a kernel `autograd`, which overloads share where they are built.
pub fn print(overload: &Overload, gradient: &Gradient) -> TokenStream {
    let marker = ident(&names::marker(&overload.schema.name));
    let below = below(overload, &quote!(<#marker as rt::Op>::kernels()));
    let printer = GradientPrinter { overload, gradient, below };
    let (rule, kernel) = (rule(overload, gradient, None), printer.kernel(None));
    quote!(#rule #kernel)
}

/// Whether nobody has written a formula.
fn is_unwritten(gradient: &Gradient) -> bool {
    gradient.slots.is_empty() && gradient.parts.iter().all(|it| it.value.is_none())
}

/// A kernel `autograd` that hands on to this function, with the rule that it takes, if any, and the
/// function that gives the gradients.
pub(super) fn handed_on(
    overload: &Overload,
    gradient: Option<&Gradient>,
    shared: &TokenStream,
    backward: Option<&TokenStream>,
) -> TokenStream {
    let schema = &overload.schema;
    let marker = ident(&names::marker(&schema.name));
    let params = schema.params.iter().map(|it| {
        let (name, ty) = (param_name(it), parameter(it));
        quote!(#name: #ty)
    });
    let names = schema.params.iter().map(param_name);
    let (many, ok) = (many_arguments(schema.params.len()), result(&returned(schema)));
    let rule = gradient.map(|it| rule(overload, it, backward));
    let passed = gradient.map(|_| quote!(, &RULE));
    quote! {
        #rule
        #many
        fn autograd(#(#params),*) -> #ok {
            #shared(#(#names,)* <#marker as rt::Op>::kernels() #passed)
        }
    }
}

/// The rule `RULE` of an overload.
fn rule(overload: &Overload, gradient: &Gradient, backward: Option<&TokenStream>) -> TokenStream {
    if !is_unwritten(gradient) {
        return GradientPrinter { overload, gradient, below: TokenStream::new() }.rule(backward);
    }
    let (inputs, outputs) = (inputs(gradient), outputs(overload, gradient));
    let (operator, makes_views) = (overload.schema.name.to_string(), makes_views(overload));
    quote! {
        static RULE: rt::autograd::Rule = rt::autograd::Rule::without_formulas(
            #operator, &[#(#inputs),*], &[#(#outputs),*], #makes_views,
        );
    }
}

/// What gives the gradients of calls, from the parameters on, if somebody has written formulas. Such as
/// are in place have the same as others.
pub(super) fn backward(overload: &Overload, gradient: &Gradient) -> Option<TokenStream> {
    let printer = GradientPrinter { overload, gradient, below: TokenStream::new() };
    (!is_unwritten(gradient)).then(|| printer.backward())
}

/// What lints object to in formulas.
pub(super) fn formula_lints() -> TokenStream {
    quote! {
        #[allow(
            unused_imports,
            unused_parens,
            clippy::approx_constant,
            clippy::double_parens,
            clippy::explicit_auto_deref,
            clippy::needless_borrow,
            clippy::unnecessary_cast,
            reason = "printed as the formulas are written"
        )]
    }
}

/// What overloads that save the same have in common, from the parameters on.
pub(super) fn shared(overload: &Overload, gradient: &Gradient) -> TokenStream {
    let signature = shared_signature(overload, &quote!(__rule: &'static rt::autograd::Rule,));
    let printer =
        GradientPrinter { overload, gradient, below: below(overload, &quote!(__kernels)) };
    let body = printer.body(&quote!(__rule), &quote!(__kernels.base()));
    quote!(#signature { #body })
}

// Expands to:
//
//     #[doc(hidden)]
//     pub(crate) mod __derived_Default_ {
//         pub(crate) mod first {
//             static RULE: rt::autograd::Rule = ..;
//             pub(crate) fn autograd(grad: &Tensor, x: &Tensor, taken: i64) -> Result<Tensor> { .. }
//         }
//         pub(crate) mod second { .. }
//     }
//
/// The derivatives that follow from the kernel of an overload.
pub(super) fn derived(overload: &Overload, derived: &Derived) -> TokenStream {
    let name = hidden(overload);
    let parts = [("first", &derived.first), ("second", &derived.second)];
    let parts = parts.map(|(name, Hidden { overload, gradient, below })| {
        let printer = GradientPrinter { overload, gradient, below: quote!(rt::ok(#below)) };
        let (name, runtime) = (ident(name), use_runtime());
        let (rule, kernel) = (printer.rule(None), printer.kernel(Some(quote!(pub(crate)))));
        quote! {
            pub(crate) mod #name {
                #runtime
                #rule
                #kernel
            }
        }
    });
    quote! {
        #[doc(hidden)]
        pub(crate) mod #name { #(#parts)* }
    }
}

/// The call of the operator without the layer. Not by its entry point, which has counted already
/// what is written to.
fn below(overload: &Overload, kernels: &TokenStream) -> TokenStream {
    let params = &overload.schema.params;
    let (keys, lent) = (key_set(params), params.iter().map(lend));
    quote! {{
        let __exclude = rt::dispatch::ExcludeKeys::new(rt::DispatchKey::Autograd);
        rt::ok(rt::ok(#kernels.get(#keys.below(rt::DispatchKey::Autograd)))(#(#lent),*))
    }}
}

struct GradientPrinter<'a> {
    overload: &'a Overload,
    gradient: &'a Gradient,
    /// The results of the call without the layer.
    below: TokenStream,
}

/// What a rule says of the inputs.
fn inputs(gradient: &Gradient) -> impl Iterator<Item = TokenStream> {
    gradient.inputs.iter().map(|it| match it.is_list {
        true => quote!(rt::autograd::Input::List),
        false => quote!(rt::autograd::Input::One),
    })
}

/// What a rule says of the outputs.
fn outputs(overload: &Overload, gradient: &Gradient) -> Vec<bool> {
    let returns = &overload.schema.returns;
    // Of several results, those that are lists are not recorded.
    let is_output = |it: &Type| it.is_tensor() || returns.len() == 1;
    let outputs = gradient.outputs.iter().zip(returns);
    outputs.filter(|(_, it)| is_output(&it.ty.value)).map(|(it, _)| *it).collect()
}

fn makes_views(overload: &Overload) -> bool {
    overload.schema.returns.iter().any(|it| it.annotation.is_some() && !it.writes())
}

/// Whether an in-place call changes where the tensor looks, and no element.
fn moves(overload: &Overload) -> bool {
    overload.tags.iter().any(|it| it.value == "inplace_view")
}

impl GradientPrinter<'_> {
    /// The rule, whose gradients this function gives, or one that is printed inside.
    fn rule(&self, backward: Option<&TokenStream>) -> TokenStream {
        let Gradient { node, slots, .. } = self.gradient;
        let operator = self.overload.schema.name.to_string();
        let (inputs, makes_views) = (inputs(self.gradient), makes_views(self.overload));
        let outputs = outputs(self.overload, self.gradient);
        let saved = slots.iter().map(|SavedSlot { name, inputs, .. }| {
            quote!(rt::autograd::SavedSlot { name: #name, inputs: &[#(#inputs),*] })
        });
        let rule = |backward: &TokenStream| {
            quote! {
                rt::autograd::Rule {
                    node: #node,
                    operator: #operator,
                    inputs: &[#(#inputs),*],
                    outputs: &[#(#outputs),*],
                    makes_views: #makes_views,
                    saved: &[#(#saved),*],
                    backward: #backward,
                }
            }
        };
        if let Some(backward) = backward {
            let rule = rule(backward);
            return quote!(static RULE: rt::autograd::Rule = #rule;);
        }
        let (lints, backward) = (formula_lints(), self.backward());
        let rule = rule(&quote!(backward));
        quote! {
            static RULE: rt::autograd::Rule = {
                #lints
                fn backward #backward
                #rule
            };
        }
    }

    /// The function that gives the gradients, from the parameters on.
    fn backward(&self) -> TokenStream {
        let parts = self.gradient.parts.iter().map(|it| self.part(it));
        quote! {
            (__call: &rt::autograd::Backward<'_>) -> rt::Result<rt::autograd::Gradients> {
                use rt::op::*;
                let mut __gradients = __call.none();
                #(#parts)*
                ::core::result::Result::Ok(__gradients)
            }
        }
    }

    fn part(&self, part: &GradientFormula) -> TokenStream {
        let inputs = &part.inputs;
        let wanted = quote!(#(__call.wants(#inputs))||*);
        let reads = part.reads.iter().map(|it| self.read(*it));
        let Some(value) = &part.value else {
            return quote!(if #wanted { return __call.not_implemented(); });
        };
        let given = match part.place {
            Place::One => quote!(__call.give(&mut __gradients, #(#inputs)*, #value);),
            Place::List => quote!(rt::ok(__call.give_all(&mut __gradients, #(#inputs)*, #value));),
            Place::Tuple => {
                let names: Vec<Ident> =
                    inputs.iter().map(|it| format_ident!("__gradient{it}")).collect();
                quote! {
                    let (#(#names),*) = #value;
                    #(__call.give(&mut __gradients, #inputs, #names);)*
                }
            }
        };
        quote!(if #wanted { #(#reads)* #given })
    }

    /// Takes out what was saved.
    fn read(&self, number: usize) -> TokenStream {
        let name = saved_name(number);
        let slot = &self.gradient.slots[number];
        let read = |read: TokenStream, passed: TokenStream| {
            let is_other = name != passed.to_string();
            let lent = is_other.then(|| quote!(let #name = #passed;));
            quote! {
                let mut #name = rt::ok(__call.value(#number));
                let #name = rt::ok(rt::autograd::read::<#read>(&mut #name));
                #lent
            }
        };
        match &slot.kept {
            Kept::Tensor => quote!(let #name = &rt::ok(__call.tensor(#number));),
            Kept::Optional => quote! {
                let #name = rt::ok(__call.optional(#number));
                let #name = #name.as_ref();
            },
            Kept::Tensors => quote! {
                let #name = rt::ok(__call.tensors(#number));
                let #name = &*rt::autograd::refs(&#name);
            },
            Kept::Optionals => quote! {
                let #name = rt::ok(__call.optionals(#number));
                let #name = &*rt::autograd::optional_refs(&#name);
            },
            Kept::Dims(_) => quote!(let #name = rt::ok(__call.dims(#number));),
            Kept::Shapes => quote!(let #name = rt::ok(__call.shapes(#number));),
            Kept::Metadata => quote!(let #name = rt::ok(__call.metadata(#number));),
            Kept::Geometry => quote!(let #name = rt::ok(__call.geometry(#number));),
            Kept::Dtypes => read(quote!(List<rt::DType, 1>), quote!(&*#name)),
            Kept::Answer(_, Ty::Of(ty)) | Kept::Value(ty) => {
                let Some((ty, passed)) = argument(ty, false, &name) else {
                    return TokenStream::new();
                };
                read(ty, passed)
            }
            Kept::Answer(..) => TokenStream::new(),
        }
    }

    /// The kernel, for those who see it beside the formulas' own module.
    fn kernel(&self, visibility: Option<TokenStream>) -> TokenStream {
        let schema = &self.overload.schema;
        let params = schema.params.iter().map(lending);
        let (many, ok) = (many_arguments(schema.params.len()), result(&returned(schema)));
        let name = schema.name.base.to_string();
        let body = self.body(&quote!(&RULE), &quote!(#name));
        quote! {
            #many
            #[allow(unused_parens, reason = "as the questions are printed everywhere")]
            #visibility fn autograd(#(#params),*) -> #ok {
                #body
            }
        }
    }

    fn body(&self, rule: &TokenStream, name: &TokenStream) -> TokenStream {
        let schema = &self.overload.schema;
        let is_in_place = schema.kind() == Kind::Inplace;
        let edges = edges(self.gradient.inputs.iter().map(|it| &schema.params[it.param]));
        let (before, after) = (
            self.saves(|it| matches!(it.source, Source::Param(_))),
            self.saves(|it| matches!(it.source, Source::Output(_))),
        );
        let (call, (results, outputs)) = (&self.below, self.outputs());
        let mutable = (!(before.is_empty() && after.is_empty())).then(|| quote!(mut));
        let begun = match is_in_place {
            true => quote! {
                let __edges = #edges;
                rt::ok(rt::autograd::check_in_place(self_, __edges.is_any(), #name));
                let #mutable __recording = rt::autograd::Recording::begin(#rule, __edges);
            },
            false => {
                quote!(let #mutable __recording = rt::autograd::Recording::begin(#rule, #edges);)
            }
        };
        let saved = |saves: &[TokenStream]| {
            (!saves.is_empty()).then(|| quote!(if __recording.is_active() { #(#saves)* }))
        };
        let ready = (!before.is_empty()).then(|| quote!(rt::ok(__recording.ready());));
        let (before, after) = (saved(&before), saved(&after));
        let owned = (!is_in_place).then(|| self.owned());
        let done = match is_in_place {
            true if moves(self.overload) => quote!(__recording.finish_moved(self_)),
            true => quote!(__recording.finish_in_place(self_)),
            false => quote! {
                rt::ok(__recording.finish(#outputs));
                ::core::result::Result::Ok(#results)
            },
        };
        let bound = (!is_in_place).then(|| quote!(let #results =));
        quote! {
            #begun
            #before
            #ready
            #bound #call;
            #owned
            #after
            #done
        }
    }

    /// The names of the results, and a list of those that are tensors.
    fn outputs(&self) -> (TokenStream, TokenStream) {
        let returns: Vec<&Type> = self
            .overload
            .schema
            .returns
            .iter()
            .filter(|it| !it.writes())
            .map(|it| &it.ty.value)
            .collect();
        if let [Type::List(..)] = returns.as_slice() {
            return (quote!(__result0), quote!(&rt::autograd::refs(&__result0)));
        }
        let names: Vec<Ident> =
            (0..returns.len()).map(|it| format_ident!("__result{it}")).collect();
        let results = crate::types::tuple(&names.iter().map(|it| quote!(#it)).collect::<Vec<_>>());
        let tensors = names.iter().zip(&returns).filter(|(_, it)| it.is_tensor());
        let tensors = tensors.map(|(name, _)| name);
        (results, quote!(&[#(&#tensors),*]))
    }

    /// Sees to it that results are no arguments.
    fn owned(&self) -> TokenStream {
        let (results, _) = self.outputs();
        let returns = self.overload.schema.returns.iter().filter(|it| !it.writes());
        let owned = returns.enumerate().map(|(at, it)| {
            let name = format_ident!("__result{at}");
            match &it.ty.value {
                Type::List(..) => quote!(rt::ok(__recording.own_all(#name))),
                ty if ty.is_tensor() => quote!(rt::ok(__recording.own(#name))),
                _ => quote!(#name),
            }
        });
        let owned = crate::types::tuple(&owned.collect::<Vec<_>>());
        quote!(let #results = #owned;)
    }

    fn saves(&self, wanted: impl Fn(&SavedSlot) -> bool) -> Vec<TokenStream> {
        let slots = self.gradient.slots.iter().enumerate().filter(|(_, it)| wanted(it));
        slots.map(|(number, it)| self.save(number, it)).collect()
    }

    /// Saves something of an argument or of a result.
    fn save(&self, number: usize, slot: &SavedSlot) -> TokenStream {
        let schema = &self.overload.schema;
        let (name, is_changed) = match slot.source {
            Source::Param(at) => {
                let param = &schema.params[at];
                (param_name(param), param.writes())
            }
            Source::Output(at) if schema.returns[at].writes() => {
                debug_assert_eq!(at, 0);
                let place = format_ident!("self_");
                return quote!(__recording.written(#number, #place););
            }
            Source::Output(at) => (format_ident!("__result{at}"), false),
        };
        let borrowed = match slot.source {
            Source::Param(_) if is_changed => quote!(&*#name),
            Source::Param(_) => quote!(#name),
            Source::Output(_) => quote!(&#name),
        };
        match (&slot.kept, slot.source) {
            (Kept::Tensor, Source::Output(at)) if self.gradient.outputs[at] => {
                let at = output_number(schema, at);
                quote!(__recording.output(#number, #borrowed, #at);)
            }
            (Kept::Tensor, _) if is_changed => {
                quote!(__recording.before(#number, #borrowed);)
            }
            (Kept::Tensor, _) => quote!(__recording.input(#number, #borrowed);),
            (Kept::Optional, _) => quote!(__recording.optional(#number, #borrowed);),
            (Kept::Tensors, Source::Output(_)) => {
                quote!(__recording.outputs(#number, #borrowed);)
            }
            (Kept::Tensors, _) => quote!(__recording.inputs(#number, #borrowed);),
            (Kept::Optionals, _) => quote!(__recording.optionals(#number, #borrowed);),
            (Kept::Dims(ask), _) => {
                quote!({ let __it = #borrowed; __recording.dims(#number, #ask); })
            }
            (Kept::Answer(ask, _), _) => quote!({
                let __it = #borrowed;
                let __answer = #ask;
                __recording.value(#number, __answer);
            }),
            (Kept::Shapes, _) => quote!(__recording.shapes(#number, #borrowed);),
            (Kept::Dtypes, _) => quote!(__recording.dtypes(#number, #borrowed);),
            (Kept::Metadata, _) => quote!(__recording.metadata(#number, #borrowed);),
            (Kept::Geometry, _) => quote!(__recording.geometry(#number, #borrowed);),
            (Kept::Value(_), _) => quote!(__recording.value(#number, #borrowed);),
        }
    }
}
