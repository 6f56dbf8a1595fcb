//! Prints operators as data: for each overload what is declared of it, and a call with values of
//! one type; and the table of all of them.
//!
//! Expands to, beside the marker of an overload:
//!
//! ```text
//! impl rt::op::Described for dim_IntList {
//!     const ROW: rt::op::Operator = {
//!         use rt::op::*;
//!         Operator {
//!             name: <Self as rt::Op>::NAME,
//!             schema: <Self as rt::Op>::SCHEMA,
//!             params: &[
//!                 Param::new(Slot::new("self", Type::Tensor)),
//!                 Param::new(Slot::new("keepdim", Type::Bool)).or(Constant::Bool(false)),
//!                 ..
//!             ],
//!             results: &[Slot::new("", Type::Tensor)],
//!             tags: &[],
//!             functional: None,
//!             in_place: None,
//!             out: Some("sum.IntList_out"),
//!             call: |__values| crate::ops::__boxed::call7(__values, <Self as rt::Op>::kernels()),
//!             types: None,
//!             inner_loop: None,
//!             reduction: None,
//!             gradient: Gradient::Formula(&[("self", "sum_backward(grad, self.sym_sizes(), dim, keepdim)")]),
//!             formulas: Some(crate::ops::__trees::formulas12),
//!         }
//!     };
//! }
//! ```
//!
//! That of an element-wise operator has
//!
//! ```text
//! inner_loop: Some(&ElementLoop {
//!     calculates: Calculates::InResult,
//!     make: |__dtype, __values, __then| {
//!         let [__value2] = values::<1>(__values)?;
//!         let __arg2 = read::<rt::Scalar>(__value2)?;
//!         match __dtype {
//!             DType::Bool => crate::kernels::add_bools::inner_loop(__dtype, __arg2, __then),
//!             _ => crate::kernels::add_out::inner_loop(__dtype, __arg2, __then),
//!         }
//!     },
//! }),
//! ```
//!
//! and that of one whose kernel takes a `Source`
//!
//! ```text
//! reduction: Some(|__source, __values, __out| {
//!     let [__value1, __value2] = values::<2>(__values)?;
//!     let __arg1 = read::<List<i64, 1>>(__value1)?;
//!     let __arg2 = read::<bool>(__value2)?;
//!     crate::kernels::amax_out::reduction(__source, &__arg1, __arg2, __out)
//! }),
//! ```

use opwright_schema::model::{
    AliasTarget, Annotation, BaseType, Default as Value, DispatchKey, OpSet, Overload, Param,
    ParamRange, Passed, Role, Schema, Type,
};
use opwright_schema::names;
use opwright_schema::types::Values;
use proc_macro2::{Literal, TokenStream};
use quote::{format_ident, quote};

use crate::fn_path::FnPath;
use crate::formula::{Differentiability, Shown, shown};
use crate::kernels::{Kernel, Kernels};
use crate::literal;
use crate::loops::{Decided, Loop};
use crate::print::rust::boxed::Boxed;
use crate::print::rust::loops::matched;
use crate::print::rust::path::{self, by_base_name, marker_path};
use crate::print::rust::reading::Reading;
use crate::print::rust::rewrites;
use crate::promote::Promote;
use crate::types::ident;

/// For which builds of a crate the rows are there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Rows {
    /// All.
    #[default]
    Always,
    /// Those of its tests alone.
    InTests,
}

impl Rows {
    /// Those that a module has which says so.
    pub fn where_wanted(is_wanted: bool) -> Rows {
        if is_wanted { Rows::Always } else { Rows::InTests }
    }

    pub(super) fn condition(self) -> Option<TokenStream> {
        (self == Rows::InTests).then(|| quote!(#[cfg(test)]))
    }
}

/// The row of an overload; none if a parameter is of a type that the runtime does not know.
pub(super) fn row(
    ops: &OpSet,
    kernels: &[Kernels],
    idx: usize,
    boxed: &Boxed,
    gradient: Differentiability,
    formulas: &TokenStream,
    rows: Rows,
) -> Option<TokenStream> {
    let overload = &ops.overloads[idx];
    let schema = &overload.schema;
    // By its whole path: a name of the runtime may be the same.
    let (marker, own) = (ident(&names::marker(&schema.name)), marker_path(overload));
    let params =
        schema.params.iter().map(|it| param(it, &overload.ranges)).collect::<Option<Vec<_>>>()?;
    let results = schema.returns.iter().map(|it| {
        let name = it.name.as_ref().map_or("", |it| &it.value);
        slot(name, &it.ty.value, it.annotation.as_ref().map(|it| &it.value))
    });
    let results = results.collect::<Option<Vec<_>>>()?;
    let tags = overload.tags.iter().map(|it| &it.value);
    let group =
        ops.groups.iter().find(|it| [it.functional, it.inplace, it.out].contains(&Some(idx)));
    let partner = |form: Option<usize>| match form.filter(|it| *it != idx) {
        Some(form) => {
            let name = ops.overloads[form].schema.name.to_string();
            quote!(::core::option::Option::Some(#name))
        }
        None => quote!(::core::option::Option::None),
    };
    let functional = partner(group.and_then(|it| it.functional));
    let in_place = partner(group.and_then(|it| it.inplace));
    let out = partner(group.and_then(|it| it.out));
    let (call, condition) = (boxed.function(idx)?, rows.condition());
    let inner_loop = inner_loop(ops, kernels, idx);
    let reduction = reduction(ops, kernels, idx);
    let types = match &overload.types {
        Some(types) => {
            let types = &types.value;
            quote!(::core::option::Option::Some(#types))
        }
        None => quote!(::core::option::Option::None),
    };
    let gradient = match gradient {
        Differentiability::Formulas(entry) => {
            let shown = shown(&ops.derivatives[entry], overload);
            let pairs = shown.iter().map(|Shown { inputs, formula }| quote!((#inputs, #formula)));
            quote!(Formula(&[#(#pairs),*]))
        }
        Differentiability::Derived => quote!(Formula(&[])),
        Differentiability::Composed => quote!(Composed),
        Differentiability::NotImplemented => quote!(NotImplemented),
        Differentiability::Nowhere => quote!(None),
    };
    Some(quote! {
        #condition
        impl rt::op::Described for #marker {
            const ROW: rt::op::Operator = {
                use rt::op::*;
                fn call(__values: &mut [Value]) -> rt::Result<Results> {
                    crate::ops::__boxed::#call(__values, <#own as rt::Op>::kernels())
                }
                Operator {
                    name: <Self as rt::Op>::NAME,
                    schema: <Self as rt::Op>::SCHEMA,
                    params: &[#(#params),*],
                    results: &[#(#results),*],
                    tags: &[#(#tags),*],
                    functional: #functional,
                    in_place: #in_place,
                    out: #out,
                    call,
                    types: #types,
                    inner_loop: #inner_loop,
                    reduction: #reduction,
                    gradient: Gradient::#gradient,
                    formulas: #formulas,
                }
            };
        }
    })
}

/// The table of all overloads that have a row, sorted by base names, as the item `OPERATORS` of the
/// module that has the operators.
pub(super) fn table(ops: &OpSet, rows: Rows) -> TokenStream {
    let all = by_base_name(ops).into_values().flatten();
    let paths = all.filter(|&idx| has_row(&ops.overloads[idx].schema)).map(|idx| {
        let name = &ops.overloads[idx].schema.name;
        let (module, marker) = (ident(&names::module(name)), ident(&names::marker(name)));
        quote!(<#module::#marker as __runtime::op::Described>::ROW)
    });
    let paths: Vec<_> = paths.collect();
    let (condition, count) = (rows.condition(), Literal::usize_unsuffixed(paths.len()));
    quote! {
        /// Every overload of every operator of this crate, by base names.
        #condition
        #[allow(unreachable_pub, reason = "it is as public as the module around it")]
        pub static OPERATORS: &[__runtime::op::Operator] = {
            // With a name, or each crate whose constants read the pointer would compile a copy.
            static ROWS: [__runtime::op::Operator; #count] = [#(#paths),*];
            &ROWS
        };
    }
}

/// The tables of a Python module: that of the crate, and the rows of what it takes in from another
/// one, which follow its own in `bound`.
pub fn tables(own: &OpSet, bound: &OpSet, rows: Rows) -> TokenStream {
    if rows == Rows::InTests {
        return quote!(__bindings::Operators::NONE);
    }
    let taken = bound.overloads.iter().skip(own.overloads.len());
    let mut taken: Vec<&Overload> = taken.filter(|it| has_row(&it.schema)).collect();
    taken.sort_by_key(|it| it.schema.name.base.to_string());
    let paths = taken.into_iter().map(|it| {
        let marker = marker_path(it);
        quote!(<#marker as rt::op::Described>::ROW)
    });
    let rewrites = match bound.rewrites.len() == own.rewrites.len() {
        true => quote!(crate::ops::REWRITES),
        false => rewrites::list(&bound.rewrites, &quote!(rt)),
    };
    quote!(__bindings::Operators::new(&[crate::ops::OPERATORS, &[#(#paths),*]], #rewrites))
}

/// Whether [`row`] prints one.
fn has_row(schema: &Schema) -> bool {
    let params = schema.params.iter().map(|it| &it.ty.value);
    params.chain(schema.returns.iter().map(|it| &it.ty.value)).all(|it| it.base().has_values())
}

/// The function that makes the inner loop, for who has the operator as data.
fn inner_loop(ops: &OpSet, kernels: &[Kernels], idx: usize) -> TokenStream {
    let none = quote!(::core::option::Option::None);
    let own = &kernels[idx];
    if let Some(made) = made(&ops.overloads[idx], &own.loops) {
        return quote!(::core::option::Option::Some(#made));
    }
    let other = match own.by_key.get(&DispatchKey::Cpu) {
        Some(Kernel::Derived { from }) => Some(*from),
        _ => renamed(ops, idx),
    };
    match other.filter(|it| *it != idx) {
        Some(other) => {
            let marker = marker_path(&ops.overloads[other]);
            quote!(<#marker as Described>::ROW.inner_loop)
        }
        None => none,
    }
}

/// The operator that this one is but another name of.
fn renamed(ops: &OpSet, idx: usize) -> Option<usize> {
    let forward = ops.overloads[idx].forward.as_ref()?;
    let (own, target) = (&ops.overloads[idx].schema, &ops.overloads[forward.target].schema);
    let types = |params: &[Param]| params.iter().map(|it| it.ty.value.clone()).collect::<Vec<_>>();
    let in_order = forward.arguments.iter().enumerate().all(|(at, it)| *it == Passed::Param(at));
    let is_same = in_order && own.kind() == target.kind();
    (is_same && types(&own.params) == types(&target.params)).then_some(forward.target)
}

/// The function that makes the loop, if the values are such as a row can read.
fn made(overload: &Overload, loops: &[Loop]) -> Option<TokenStream> {
    let first = loops.first()?;
    if loops.iter().any(|it| it.decided != first.decided) {
        return None;
    }
    let params = overload.schema.params.iter().filter(|it| it.role != Role::Out).enumerate();
    let values: Vec<(usize, &Param)> = params.filter(|(_, it)| !it.ty.value.is_tensor()).collect();
    if !values.iter().map(|(at, _)| *at).eq(first.values.iter().copied()) {
        return None;
    }
    let reading = Reading::new(values.iter().map(|(at, it)| (*at, &it.ty.value, false)))?;
    let (statements, arguments) = (reading.statements(), &reading.passed);
    let calls = loops.iter().map(|it| {
        let path = path::constant(&it.path, "inner_loop");
        quote!(#path(__dtype, #(#arguments,)* __then))
    });
    let call = matched(loops, &quote!(__dtype), &calls.collect::<Vec<_>>());
    let calculates = calculates(&first.decided);
    Some(quote! {
        {
            fn make(__dtype: rt::DType, __values: &mut [Value], __then: rt::iterate::inner_loop::Then<'_>) -> rt::Result<()> {
                #statements
                #call
            }
            &ElementLoop { calculates: #calculates, make }
        }
    })
}

/// What reduces elements that are made, for who has the operator as data.
fn reduction(ops: &OpSet, kernels: &[Kernels], idx: usize) -> TokenStream {
    let filled = |idx: usize| match kernels[idx].by_key.get(&DispatchKey::Cpu) {
        Some(Kernel::Derived { from }) => *from,
        _ => idx,
    };
    let overload = &ops.overloads[idx];
    let found = match &overload.forward {
        Some(forward) => {
            let path = kernels[filled(forward.target)].reduction.as_ref();
            let target = &ops.overloads[forward.target];
            path.and_then(|it| reducing(overload, target, &forward.arguments, it))
        }
        None => {
            let all: Vec<Passed> = (0..overload.schema.params.len()).map(Passed::Param).collect();
            let path = kernels[filled(idx)].reduction.as_ref();
            path.and_then(|it| reducing(overload, overload, &all, it))
        }
    };
    match found {
        Some(found) => quote!(::core::option::Option::Some(#found)),
        None => quote!(::core::option::Option::None),
    }
}

/// A call of the function beside a kernel with what is passed on to it, if the values are such as a
/// row can read and the first of its arguments is the only tensor.
fn reducing(
    overload: &Overload,
    target: &Overload,
    passed: &[Passed],
    path: &FnPath,
) -> Option<TokenStream> {
    let inputs = |it: &Overload| {
        let params = it.schema.params.iter().filter(|it| it.role != Role::Out);
        params.cloned().collect::<Vec<Param>>()
    };
    let (own, theirs) = (inputs(overload), inputs(target));
    let is_alone = |all: &[Param]| {
        let mut tensors = all.iter().map(|it| it.ty.value.is_tensor_like());
        tensors.next() == Some(true) && !tensors.any(|it| it)
    };
    let is_single = target.schema.returns.len() == 1 && passed.first() == Some(&Passed::Param(0));
    if !is_single || !is_alone(&own) || !is_alone(&theirs) {
        return None;
    }
    let others = own.iter().enumerate().skip(1);
    let reading = Reading::new(others.map(|(at, param)| (at, &param.ty.value, false)))?;
    let statements = reading.statements();
    let arguments = theirs.iter().zip(passed).skip(1).map(|(param, passed)| {
        let wanted = &param.ty.value;
        match passed {
            Passed::Param(at) => {
                let is_same = own.get(*at).is_some_and(|it| it.ty.value == *wanted);
                reading.passed.get(at.wrapping_sub(1)).filter(|_| is_same).cloned()
            }
            Passed::Literal(value) => literal::rust(value, wanted),
            Passed::TargetDefault => literal::rust(&param.default.as_ref()?.value, wanted),
        }
    });
    let arguments = arguments.collect::<Option<Vec<_>>>()?;
    let path = path::constant(path, "reduction");
    Some(quote! {
        {
            fn reduction(
                __source: rt::reduce::Source<'_>,
                __values: &mut [Value],
                __out: &mut rt::Tensor,
            ) -> rt::Result<()> {
                #statements
                #path(__source, #(#arguments,)* __out)
            }
            reduction
        }
    })
}

fn calculates(decided: &Decided) -> TokenStream {
    let (word, params) = match decided {
        Decided::ByResult => return quote!(Calculates::InResult),
        Decided::ByArguments(Promote::Float, params) => ("InFloating", params),
        Decided::ByArguments(Promote::Compare, params) => ("Compared", params),
        Decided::ByArguments(
            Promote::Default | Promote::Bool | Promote::Keep | Promote::ComplexToReal,
            params,
        ) => ("InCommon", params),
    };
    let word = format_ident!("{word}");
    let params = params.iter().map(|it| Literal::usize_unsuffixed(*it));
    quote!(Calculates::#word(&[#(#params),*]))
}

fn param(param: &Param, ranges: &[ParamRange]) -> Option<TokenStream> {
    let ty = &param.ty.value;
    let slot = slot(&param.name.value, ty, param.annotation.as_ref().map(|it| &it.value))?;
    let default = match &param.default {
        Some(default) => {
            let value = constant(&default.value, ty.base())?;
            Some(quote!(.or(#value)))
        }
        None => None,
    };
    let role = match param.role {
        Role::Out => Some(quote!(.out())),
        Role::Keyword | Role::Option => Some(quote!(.keyword())),
        Role::Positional => None,
    };
    let range = match ranges.iter().find(|it| it.param.value == param.name.value) {
        Some(range) => {
            let (low, high) = (constant(&range.low, ty.base())?, constant(&range.high, ty.base())?);
            Some(quote!(.within(#low, #high)))
        }
        None => None,
    };
    Some(quote!(Param::new(#slot) #default #role #range))
}

/// A default as data; none if there is no such value.
pub(crate) fn constant(default: &Value, base: &BaseType) -> Option<TokenStream> {
    Some(match default {
        Value::None => quote!(Constant::None),
        Value::Bool(value) => quote!(Constant::Bool(#value)),
        Value::Int(value) => {
            let value = Literal::i64_unsuffixed(*value);
            quote!(Constant::Int(#value))
        }
        Value::Float(value, _) => {
            let value = literal::real(*value);
            quote!(Constant::Float(#value))
        }
        Value::Complex(re, im, _) => {
            let (re, im) = (literal::real(*re), literal::real(*im));
            quote!(Constant::Complex(#re, #im))
        }
        Value::List(values) => {
            let values: Vec<TokenStream> =
                values.iter().map(|it| constant(it, base)).collect::<Option<_>>()?;
            quote!(Constant::List(&[#(#values),*]))
        }
        Value::IntList(values) => {
            let values = values.iter().map(|it| Literal::i64_unsuffixed(*it));
            quote!(Constant::Ints(&[#(#values),*]))
        }
        Value::Str(word, _) if *base == BaseType::Device => named(word, base)?,
        Value::Str(text, _) => {
            let text = literal::unescape(text);
            quote!(Constant::Str(#text))
        }
        Value::Name(word) => named(word, base)?,
    })
}

/// The value of a word: an integer, or a variant of an enumeration.
fn named(word: &str, base: &BaseType) -> Option<TokenStream> {
    let value = base.word(word)?;
    if base.row().values == Values::Int {
        let value: Literal = value.parse().ok()?;
        return Some(quote!(Constant::Int(#value)));
    }
    let (of, variant) = (format_ident!("{}", base.row().rust?), format_ident!("{value}"));
    Some(quote!(Constant::#of(rt::#of::#variant)))
}

fn slot(name: &str, ty: &Type, annotation: Option<&Annotation>) -> Option<TokenStream> {
    let ty = value_type(ty, &quote!(Type))?;
    let sharing = annotation.map(|it| {
        let sets = alias_sets(it);
        if it.write { quote!(.written(#sets)) } else { quote!(.sharing(#sets)) }
    });
    Some(quote!(Slot::new(#name, #ty) #sharing))
}

/// The letters before and after the arrow.
fn alias_sets(annotation: &Annotation) -> String {
    let mut sets: String = annotation.before.iter().collect();
    match &annotation.after {
        Some(AliasTarget::Sets(letters)) => sets.extend(letters),
        Some(AliasTarget::Wildcard) => sets.push('*'),
        None => {}
    }
    sets
}

/// The runtime's `Type`, which has this path; none if it knows no such type.
pub(crate) fn value_type(ty: &Type, path: &TokenStream) -> Option<TokenStream> {
    Some(match ty {
        Type::Base(BaseType::Native(native)) => {
            let (name, number) = (native.name(), Literal::u8_unsuffixed(native.number()));
            quote!(#path::Native(#name, #number))
        }
        Type::Base(base) if !base.has_values() => return None,
        Type::Base(base) => {
            let variant = format_ident!("{base:?}");
            match base.row().values {
                Values::StrEnum(_) => quote!(#path::StrEnum(rt::#variant::ROW)),
                _ => quote!(#path::#variant),
            }
        }
        Type::Optional(inner) => {
            let inner = value_type(inner, path)?;
            quote!(#path::Optional(&#inner))
        }
        Type::List(element, size) => {
            let element = value_type(element, path)?;
            let size = match size {
                Some(size) => {
                    let size = Literal::u32_unsuffixed(*size);
                    quote!(::core::option::Option::Some(#size))
                }
                None => quote!(::core::option::Option::None),
            };
            quote!(#path::List(&#element, #size))
        }
    })
}
