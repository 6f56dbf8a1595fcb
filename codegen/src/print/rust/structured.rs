//! Prints what a structured group derives from one rule and one kernel.
//!
//! The rule says shapes and dtypes of the results, the kernel of the out
//! overload computes them; allocating, checking, resizing and guarding against
//! overlap is the runtime's:
//!
//! ```text
//! // add.Tensor
//! fn cpu(self_: &Tensor, other: &Tensor, alpha: Scalar) -> Result<Tensor> {
//!     add_check::CHECK(self_, other, alpha)?;
//!     if let Some(__same_layout) = SameLayout::of([self_, other]) {
//!         let __dtype = rule::of_dtype::elementwise(__same_layout.dtype());
//!         let __made =
//!             __same_layout.run(__dtype, |__then| add_out::inner_loop(__dtype, alpha, __then))?;
//!         if let Some(__made) = __made {
//!             return Ok(__made);
//!         }
//!     }
//!     let __spec0 = rule::elementwise(&[self_, other])?;
//!     let mut __result0 = __spec0.allocate()?;
//!     add_out::KERNEL(self_, other, alpha, &mut __result0)?;
//!     Ok(__result0)
//! }
//! // add.out
//! fn cpu(self_: &Tensor, other: &Tensor, alpha: Scalar, out: &mut Tensor) -> Result<()> {
//!     add_check::CHECK(self_, other, alpha)?;
//!     let __spec0 = rule::elementwise(&[self_, other])?;
//!     let mut __target0 = __spec0.target(out, &[self_, other])?;
//!     add_out::KERNEL(self_, other, alpha, __target0.tensor())?;
//!     __target0.finish(out)
//! }
//! // add_.Tensor, whose `self` is an input and the target
//! fn cpu(self_: &mut Tensor, other: &Tensor, alpha: Scalar) -> Result<()> {
//!     let __self = Clone::clone(&*self_);
//!     add_check::CHECK(&__self, other, alpha)?;
//!     let __spec0 = rule::elementwise(&[&__self, other])?;
//!     let mut __target0 = __spec0.target_inplace(self_, &[other])?;
//!     add_out::KERNEL(&__self, other, alpha, __target0.tensor())?;
//!     __target0.finish(self_)
//! }
//! ```
//!
//! Overloads of one signature that have a rule and a kernel, and nothing else, share this:
//!
//! ```text
//! // hypot
//! fn cpu(self_: &Tensor, other: &Tensor) -> Result<Tensor> {
//!     crate::ops::__calls::cpu4(self_, other, hypot_out::KERNEL, hypot_out::inner_loop)
//! }
//! ```

mod shared;

use opwright_schema::dispatch_key::{Fills, KeyRow};
use opwright_schema::model::{DispatchKey, OpSet, Overload, Param, Role, Type};
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use crate::kernels::{Kernel, Kernels, Rule};
use crate::print::rust::forward;
use crate::print::rust::lint::many_arguments;
use crate::print::rust::loops::{by_dtype, decided, matched};
use crate::print::rust::outs::handed_on;
use crate::print::rust::path::{constant, marker_path, param_name};
use crate::rules::is_elementwise;
use crate::types::{fn_pointer, ident, parameter, result, returned, runtime, tuple};

use self::shared::{ExtraParam, alike};
pub(super) use self::shared::{HandedOn, What};

/// So many operands are looked at for whether they have the same layout.
const MOST_ALIKE: usize = 3;

/// The derived kernels of an overload: functions `cpu` and `meta`, as far as
/// it has them; or the function `explicit` of one that copies results. What is `shared` is handed on.
pub(super) fn print(
    ops: &OpSet,
    kernels: &[Kernels],
    idx: usize,
    shared: &[HandedOn],
) -> TokenStream {
    let (overload, own) = (&ops.overloads[idx], &kernels[idx]);
    if own.rule.is_none() && !own.further.is_empty() {
        return several(overload, own);
    }
    if let Some(it) = &overload.forward {
        return forward::print(overload, &ops.overloads[it.target], &it.arguments);
    }
    if let Some(from) = source(own, &DispatchKey::CompositeExplicit) {
        return copy(overload, &ops.overloads[from]);
    }
    let of = |what: What| {
        let shared = shared.iter().find(|it| it.what == what);
        match shared {
            Some(it) => Some(it.print(overload)),
            None => Variant::of(ops, kernels, idx, what).map(|it| it.print(what)),
        }
    };
    let (cpu, meta) = (of(What::Cpu), of(What::Meta));
    quote!(#cpu #meta)
}

/// What overloads like this one share of a kernel that is derived for it, from the parameters on, and
/// what each of them passes besides its arguments; none if it has something of its own.
pub(super) fn shared(
    ops: &OpSet,
    kernels: &[Kernels],
    idx: usize,
    what: What,
) -> Option<(TokenStream, Vec<TokenStream>)> {
    let overload = &ops.overloads[idx];
    let copies = source(&kernels[idx], &DispatchKey::CompositeExplicit).is_some();
    if overload.forward.is_some() || copies {
        return None;
    }
    let variant = Variant::of(ops, kernels, idx, what)?;
    let (overload, out) = alike(variant.overload, variant.out);
    let taken = variant.taken(what)?;
    let shared = Variant { overload: &overload, out: &out, is_shared: true, ..variant };
    Some((shared.signature_and_body(what, &taken), taken.into_iter().map(|it| it.passed).collect()))
}

/// The overload from which the kernel for a key is derived.
fn source(own: &Kernels, key: &DispatchKey) -> Option<usize> {
    match own.by_key.get(key) {
        Some(Kernel::Derived { from }) => Some(*from),
        Some(Kernel::Function(_)) | None => None,
    }
}

/// What the kernel that is derived for a key is called: `cpu`.
pub fn function(row: &KeyRow) -> Ident {
    match row.fills {
        Fills::Own(key) => ident(&format!("{key:?}").to_lowercase()),
        Fills::Backends => ident("explicit"),
        Fills::All => ident("implicit"),
    }
}

/// The kernels for tensors in memory, in the order in which they are asked.
fn paths(kernels: &Kernels) -> Vec<TokenStream> {
    kernels.cpu().into_iter().chain(&kernels.further).map(|it| constant(it, "KERNEL")).collect()
}

// Expands to:
//
//     structured::or_next(first::KERNEL(x), || second::KERNEL(x))
//
// or, where the dtype of the elements can be told beforehand, to
//
//     match typed::common_dtype(&[x])? {
//         DType::Bool => second::KERNEL(x),
//         _ => first::KERNEL(x),
//     }
//
fn asked(kernels: &Kernels, arguments: &[TokenStream], filled: Option<Filled>) -> TokenStream {
    let (results, dtype) = filled.map(|it| (it.results, it.dtype)).unzip();
    let results = results.unwrap_or_default();
    let module = runtime("structured");
    let calls = paths(kernels).into_iter().map(|it| quote!(#it(#(#arguments,)* #(#results),*)));
    let calls: Vec<_> = calls.collect();
    let choice = by_dtype(&kernels.loops, arguments, dtype.as_ref(), &calls);
    if let Some(choice) = choice.filter(|_| calls.len() > 1) {
        return choice;
    }
    let mut calls = calls.into_iter().rev();
    let last = calls.next().unwrap_or_default();
    calls.fold(last, |next, first| quote!(#module::or_next(#first, || #next)))
}

// Expands to:
//
//     fn cpu(x: &Tensor) -> Result<Tensor> {
//         structured::or_next(first::KERNEL(x), || second::KERNEL(x))
//     }
//
fn several(overload: &Overload, kernels: &Kernels) -> TokenStream {
    let params = &overload.schema.params;
    let names: Vec<Ident> = params.iter().map(param_name).collect();
    let (types, ok) = (params.iter().map(parameter), result(&returned(&overload.schema)));
    let arguments: Vec<TokenStream> = names.iter().map(|it| quote!(#it)).collect();
    let (call, many) = (asked(kernels, &arguments, None), many_arguments(params.len()));
    quote! {
        #many
        fn cpu(#(#names: #types),*) -> #ok {
            #call
        }
    }
}

// Expands to:
//
//     fn explicit(x: &Tensor, out: &mut Tensor) -> Result<()> {
//         let __result0 = crate::ops::row_norms::Default_::call(x)?;
//         structured::copy(&__result0, out)?;
//         Ok(())
//     }
//
fn copy(overload: &Overload, functional: &Overload) -> TokenStream {
    let params = &overload.schema.params;
    let (names, types) = (params.iter().map(param_name), params.iter().map(parameter));
    let inputs = params.iter().filter(|it| it.role != Role::Out).map(param_name);
    let (bound, written) = handed_on(overload, &quote!(copy));
    let source = marker_path(functional);
    let ok = result(&returned(&overload.schema));
    let many = many_arguments(params.len());
    quote! {
        #many
        fn explicit(#(#names: #types),*) -> #ok {
            let #bound = rt::ok(#source::call(#(#inputs),*));
            #written
            ::core::result::Result::Ok(())
        }
    }
}

/// What a rule returns: a `Spec` per out parameter.
pub fn specs(out: &Overload) -> TokenStream {
    let spec = runtime("Spec");
    let count = out.schema.params.iter().filter(|it| it.role == Role::Out).count();
    tuple(&vec![spec; count])
}

/// One overload of a structured group, and the out overload that it follows.
struct Variant<'a> {
    overload: &'a Overload,
    out: &'a Overload,
    rule: &'a Rule,
    kernels: &'a Kernels,
    writes: Writes,
    /// What is not the same for all overloads of the signature has a name.
    is_shared: bool,
}

/// The results that a kernel fills, and the dtype of the first.
struct Filled {
    results: Vec<TokenStream>,
    dtype: TokenStream,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Writes {
    FreshTensors,
    SelfParam,
    OutParams,
}

impl<'a> Variant<'a> {
    /// `None` if the group is incomplete, which has been reported.
    fn new(ops: &'a OpSet, kernels: &'a [Kernels], idx: usize, from: usize) -> Option<Self> {
        let (overload, out) = (&ops.overloads[idx], &ops.overloads[from]);
        kernels[from].cpu()?;
        let writes = if idx == from {
            Writes::OutParams
        } else if overload.schema.params.iter().any(Param::writes) {
            Writes::SelfParam
        } else {
            Writes::FreshTensors
        };
        let rule = kernels[from].rule.as_ref()?;
        let (kernels, is_shared) = (&kernels[from], false);
        Some(Variant { overload, out, rule, kernels, writes, is_shared })
    }

    /// That of the kernel which is derived for an overload, if one is.
    fn of(ops: &'a OpSet, kernels: &'a [Kernels], idx: usize, what: What) -> Option<Self> {
        let own = &kernels[idx];
        let from = match what {
            What::Cpu if own.rule.is_some() && own.cpu().is_some() => Some(idx),
            What::Cpu => source(own, &DispatchKey::Cpu),
            What::Meta => source(own, &DispatchKey::Meta),
        };
        Variant::new(ops, kernels, idx, from?)
    }

    fn print(&self, what: What) -> TokenStream {
        let (many, name) = (many_arguments(self.overload.schema.params.len()), ident(what.name()));
        let rest = self.signature_and_body(what, &[]);
        quote!(#many fn #name #rest)
    }

    fn signature_and_body(&self, what: What, taken: &[ExtraParam]) -> TokenStream {
        match what {
            What::Cpu => self.cpu(taken),
            What::Meta => self.meta(taken),
        }
    }

    /// What a function takes that overloads of the signature share; none if there is too much.
    fn taken(&self, what: What) -> Option<Vec<ExtraParam>> {
        if self.kernels.check.is_some() {
            return None;
        }
        let mut taken = Vec::new();
        if let Rule::Function(path) = self.rule {
            let inputs = self.out_inputs().map(parameter);
            let ok = result(&specs(self.out));
            let (ty, passed) = (quote!(fn(#(#inputs),*) -> #ok), constant(path, "RULE"));
            taken.push(ExtraParam { name: "__rule", ty, passed });
        }
        if what == What::Meta {
            return Some(taken);
        }
        let [kernel] = &paths(self.kernels)[..] else { return None };
        let (ty, passed) = (fn_pointer(&self.out.schema), kernel.clone());
        taken.push(ExtraParam { name: "__kernel", ty, passed });
        if self.fast_path().is_some() {
            let [only] = &self.kernels.loops[..] else { return None };
            if !only.values.is_empty() {
                return None;
            }
            let ty = quote!(fn(rt::DType, rt::iterate::inner_loop::Then<'_>) -> rt::Result<()>);
            taken.push(ExtraParam {
                name: "__inner_loop",
                ty,
                passed: constant(&only.path, "inner_loop"),
            });
        }
        Some(taken)
    }

    fn cpu(&self, taken: &[ExtraParam]) -> TokenStream {
        let (specs, results) = (self.names("spec"), self.names("result"));
        let targets = self.names("target");
        let body = match self.writes {
            Writes::FreshTensors => {
                let tensors = tuple(&results);
                let (first, filled) = (&results[0], results.iter().map(|it| quote!(&mut #it)));
                let filled = Filled { dtype: quote!(#first.dtype()), results: filled.collect() };
                let kernel = self.asked(filled);
                quote! {
                    #(let mut #results = rt::ok(#specs.allocate());)*
                    rt::ok(#kernel);
                    ::core::result::Result::Ok(#tensors)
                }
            }
            Writes::SelfParam | Writes::OutParams => {
                let prepare = self.prepare("target", "target_inplace");
                let finish = self.written().into_iter().zip(&targets);
                let finish = finish.map(|(out, target)| quote!(rt::ok(#target.finish(#out));));
                let filled: Vec<_> = targets.iter().map(|it| quote!(#it.tensor())).collect();
                let first = &filled[0];
                let filled = Filled { dtype: quote!(#first.dtype()), results: filled };
                let kernel = self.asked(filled);
                quote! {
                    #(let mut #targets = rt::ok(#prepare);)*
                    rt::ok(#kernel);
                    #(#finish)*
                    ::core::result::Result::Ok(())
                }
            }
        };
        let fast = self.fast_path();
        self.function(taken, &quote!(#fast), &body, |_| true)
    }

    /// Has the kernel fill results.
    fn asked(&self, filled: Filled) -> TokenStream {
        let inputs = self.inputs();
        if self.is_shared {
            let results = filled.results;
            return quote!(__kernel(#(#inputs,)* #(#results),*));
        }
        asked(self.kernels, &inputs, Some(filled))
    }

    fn meta(&self, taken: &[ExtraParam]) -> TokenStream {
        let specs = self.names("spec");
        let body = match self.writes {
            Writes::FreshTensors => {
                if let [only] = specs.as_slice() {
                    quote!(#only.allocate_meta())
                } else {
                    quote!(::core::result::Result::Ok((#(rt::ok(#specs.allocate_meta())),*)))
                }
            }
            Writes::SelfParam | Writes::OutParams => {
                let prepare = self.prepare("target_meta", "target_inplace_meta");
                quote! {
                    #(rt::ok(#prepare);)*
                    ::core::result::Result::Ok(())
                }
            }
        };
        // The rule alone may not look at every argument.
        let tensors_only = matches!(self.rule, Rule::Named(_)) && self.kernels.check.is_none();
        let guarded = self.writes != Writes::FreshTensors;
        self.function(taken, &TokenStream::new(), &body, |it| {
            !tensors_only
                || it.writes()
                || it.ty.value.is_tensor()
                || (guarded && it.ty.value.is_tensor_like())
        })
    }

    /// The function around a body, from the parameters on: its rule has been applied, unless there was
    /// a `fast` path.
    fn function(
        &self,
        taken: &[ExtraParam],
        fast: &TokenStream,
        body: &TokenStream,
        used: impl Fn(&Param) -> bool,
    ) -> TokenStream {
        let params = &self.overload.schema.params;
        let names = params.iter().map(|it| match used(it) {
            true => {
                let name = param_name(it);
                quote!(#name)
            }
            false => quote!(_),
        });
        let types = params.iter().map(parameter);
        let taken = taken.iter().map(|ExtraParam { name, ty, .. }| {
            let name = ident(name);
            quote!(#name: #ty)
        });
        let ok = result(&returned(&self.overload.schema));
        let receiver = (self.writes == Writes::SelfParam).then(|| {
            let written = self.written();
            quote!(let __self = ::core::clone::Clone::clone(&*#(#written)*);)
        });
        let specs = tuple(&self.names("spec"));
        let (check, rule) = (self.check(), self.rule());
        quote! {
            (#(#names: #types,)* #(#taken),*) -> #ok {
                #receiver
                #check
                #fast
                let #specs = rt::ok(#rule);
                #body
            }
        }
    }

    fn rule(&self) -> TokenStream {
        match self.rule {
            Rule::Named(name) => {
                let (module, name) = (runtime("structured"), ident(name));
                let tensors = self.out_inputs().filter(|it| it.ty.value.is_tensor());
                let tensors = tensors.map(|it| self.argument(it));
                quote!(#module::rule::#name(&[#(#tensors),*]))
            }
            Rule::Function(path) => {
                let path = if self.is_shared { quote!(__rule) } else { constant(path, "RULE") };
                let inputs = self.inputs();
                quote!(#path(#(#inputs),*))
            }
        }
    }

    fn check(&self) -> Option<TokenStream> {
        let path = constant(self.kernels.check.as_ref()?, "CHECK");
        let inputs = self.inputs();
        Some(quote!(rt::ok(#path(#(#inputs),*));))
    }

    /// The fast path of operands of the same layout, if a loop is all that there is to do.
    fn fast_path(&self) -> Option<TokenStream> {
        let Rule::Named(rule) = self.rule else { return None };
        let loops = &self.kernels.loops;
        let [_] = self.names("result")[..] else { return None };
        let tensors: Vec<_> = self.out_inputs().filter(|it| it.ty.value.is_tensor()).collect();
        let is_fast = self.writes == Writes::FreshTensors && tensors.len() <= MOST_ALIKE;
        if !is_fast || !is_elementwise(rule) || loops.is_empty() {
            return None;
        }
        let inputs = self.inputs();
        let tensors = tensors.into_iter().map(|it| self.argument(it));
        let calls: Vec<_> = loops
            .iter()
            .map(|it| {
                let path = match self.is_shared {
                    true => quote!(__inner_loop),
                    false => constant(&it.path, "inner_loop"),
                };
                let values = it.values.iter().map(|&at| &inputs[at]);
                quote!(#path(__calculated, #(#values,)* __then))
            })
            .collect();
        let dtype = quote!(__dtype);
        let calculated = decided(loops, &[quote!(__same_layout.leader())], Some(&dtype))?;
        let choice = matched(loops, &quote!(__calculated), &calls);
        let (module, rule) = (runtime("structured"), ident(rule));
        Some(quote! {
            if let ::core::option::Option::Some(__same_layout) = #module::SameLayout::of([#(#tensors),*]) {
                let __dtype = #module::rule::of_dtype::#rule(__same_layout.dtype());
                let __calculated = #calculated;
                let __made = rt::ok(__same_layout.run(__dtype, |__then| #choice));
                if let ::core::option::Option::Some(__made) = __made {
                    return ::core::result::Result::Ok(__made);
                }
            }
        })
    }

    /// `__spec0`, `__spec1`: one for each result.
    fn names(&self, of: &str) -> Vec<TokenStream> {
        let outs = self.out.schema.params.iter().filter(|it| it.role == Role::Out);
        let names = outs.enumerate().map(|(position, _)| format_ident!("__{of}{position}"));
        names.map(|it| quote!(#it)).collect()
    }

    /// The group's inputs, as the out overload has them.
    fn out_inputs(&self) -> impl Iterator<Item = &'a Param> {
        self.out.schema.params.iter().filter(|it| it.role != Role::Out)
    }

    fn inputs(&self) -> Vec<TokenStream> {
        self.out_inputs().map(|it| self.argument(it)).collect()
    }

    /// An input of the group, in the words of this overload.
    fn argument(&self, input: &Param) -> TokenStream {
        if self.writes == Writes::SelfParam && input.name.value == "self" {
            return quote!(&__self);
        }
        let name = param_name(input);
        quote!(#name)
    }

    /// The parameters that this overload writes to.
    fn written(&self) -> Vec<Ident> {
        self.overload.schema.params.iter().filter(|it| it.writes()).map(param_name).collect()
    }

    /// `__spec0.target(out, &[self_, other])` for each parameter written to.
    fn prepare(&self, out: &str, inplace: &str) -> Vec<TokenStream> {
        let method = ident(if self.writes == Writes::SelfParam { inplace } else { out });
        let written = self.written();
        let specs = self.names("spec");
        let calls = written.iter().zip(&specs).enumerate().map(|(position, (target, spec))| {
            let others = self.others(&written[..position]);
            quote!(#spec.#method(#target, #others))
        });
        calls.collect()
    }

    /// All tensors that the target must not overlap: the inputs, without the
    /// receiver itself, and the targets before it.
    fn others(&self, earlier: &[Ident]) -> TokenStream {
        let inputs = self
            .out_inputs()
            .filter(|it| !(self.writes == Writes::SelfParam && it.name.value == "self"));
        let mut single = Vec::new();
        let mut several = Vec::new();
        for input in inputs {
            let name = param_name(input);
            match &input.ty.value {
                ty if ty.is_tensor() => single.push(quote!(#name)),
                Type::Optional(inner) if inner.is_tensor() => {
                    several.push(quote!(#name.as_slice()))
                }
                Type::List(element, _) if element.is_tensor() => several.push(quote!(#name)),
                Type::List(element, _) if is_optional_tensor(element) => {
                    several.push(present(&quote!(#name)));
                }
                Type::Base(_) | Type::Optional(_) | Type::List(..) => {}
            }
        }
        single.extend(earlier.iter().map(|it| quote!(&*#it)));
        if several.is_empty() {
            return quote!(&[#(#single),*]);
        }
        quote!(&[&[#(#single),*][..], #(#several),*].concat())
    }
}

/// The tensors of a list that may have gaps. Without method calls: the traits
/// of iterators may be out of scope where this is printed.
fn present(list: &TokenStream) -> TokenStream {
    let tensor = runtime("Tensor");
    quote! {
        &::core::iter::Iterator::collect::<::std::vec::Vec<&#tensor>>(
            ::core::iter::Iterator::flatten(::core::iter::Iterator::copied(#list.iter())),
        )
    }
}

fn is_optional_tensor(ty: &Type) -> bool {
    matches!(ty, Type::Optional(inner) if inner.is_tensor())
}
