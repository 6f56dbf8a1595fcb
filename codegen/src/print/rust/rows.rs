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
//!             call: |__values| {
//!                 invoke::<(rt::Tensor, (bool, ..)), _>(__values, |(__0, (__1, ..))| {
//!                     Self::call(__0, __1, ..)
//!                 })
//!             },
//!         }
//!     };
//! }
//! ```

use opwright_schema::model::{
    AliasTarget, Annotation, BaseType, Default as Value, OpSet, Overload, Param, Role, Schema, Type,
};
use opwright_schema::names;
use opwright_schema::types::Values;
use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};

use crate::literal;
use crate::print::rust::path::{by_base_name, marker_path};
use crate::types::{ident, owned_base};

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

    fn condition(self) -> Option<TokenStream> {
        (self == Rows::InTests).then(|| quote!(#[cfg(test)]))
    }
}

/// The row of an overload; none if a parameter is of a type that the runtime does not know.
pub(super) fn row(ops: &OpSet, idx: usize, rows: Rows) -> Option<TokenStream> {
    let overload = &ops.overloads[idx];
    let schema = &overload.schema;
    let marker = ident(&names::marker(&schema.name));
    let params = schema.params.iter().map(param).collect::<Option<Vec<_>>>()?;
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
    let (call, condition) = (call(schema)?, rows.condition());
    Some(quote! {
        #condition
        impl rt::op::Described for #marker {
            const ROW: rt::op::Operator = {
                use rt::op::*;
                Operator {
                    name: <Self as rt::Op>::NAME,
                    schema: <Self as rt::Op>::SCHEMA,
                    params: &[#(#params),*],
                    results: &[#(#results),*],
                    tags: &[#(#tags),*],
                    functional: #functional,
                    in_place: #in_place,
                    out: #out,
                    call: #call,
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
    let condition = rows.condition();
    quote! {
        /// Every overload of every operator of this crate, by base names.
        #condition
        #[allow(unreachable_pub, reason = "it is as public as the module around it")]
        pub static OPERATORS: &[__runtime::op::Operator] = &[#(#paths),*];
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
    quote!(__bindings::Operators::new(&[crate::ops::OPERATORS, &[#(#paths),*]]))
}

/// Whether [`row`] prints one.
fn has_row(schema: &Schema) -> bool {
    let params = schema.params.iter().map(|it| &it.ty.value);
    params.chain(schema.returns.iter().map(|it| &it.ty.value)).all(|it| it.base().has_values())
}

fn call(schema: &Schema) -> Option<TokenStream> {
    let mut reads = quote!(());
    let mut pattern = quote!(());
    let mut arguments = Vec::new();
    for (at, param) in schema.params.iter().enumerate().rev() {
        let local = format_ident!("__{at}");
        let (read, binding, argument) = argument(&param.ty.value, param.writes(), &local)?;
        reads = quote!((#read, #reads));
        pattern = quote!((#binding, #pattern));
        arguments.insert(0, argument);
    }
    Some(quote! {
        |__values| invoke::<#reads, _>(__values, |#pattern| Self::call(#(#arguments),*))
    })
}

/// What a parameter is read as, the binding of that, and what the overload takes.
fn argument(
    ty: &Type,
    mutable: bool,
    local: &Ident,
) -> Option<(TokenStream, TokenStream, TokenStream)> {
    let plain = |read| Some((read, quote!(#local), quote!(#local)));
    match ty {
        Type::List(..) if mutable => {
            Some((quote!(MutList), quote!(mut #local), quote!(&mut #local)))
        }
        Type::Optional(_) if mutable => plain(quote!(::core::option::Option<Mut>)),
        Type::Base(_) if mutable => plain(quote!(Mut)),
        Type::Base(base) => plain(read(base)?),
        Type::Optional(inner) => match &**inner {
            Type::Base(base) => {
                let read = read(base)?;
                plain(quote!(::core::option::Option<#read>))
            }
            Type::List(element, size) => {
                let list = list(element, *size)?;
                let read = quote!(::core::option::Option<#list>);
                Some((read, quote!(#local), quote!(#local.as_deref())))
            }
            Type::Optional(_) => None,
        },
        Type::List(element, size) => Some((list(element, *size)?, quote!(#local), quote!(&#local))),
    }
}

fn list(element: &Type, size: Option<u32>) -> Option<TokenStream> {
    let size = Literal::u32_unsuffixed(size.unwrap_or(1));
    let element = match element {
        Type::Base(base) => read(base)?,
        Type::Optional(inner) => match &**inner {
            Type::Base(base) => {
                let read = read(base)?;
                quote!(::core::option::Option<#read>)
            }
            Type::Optional(_) | Type::List(..) => return None,
        },
        Type::List(..) => return None,
    };
    Some(quote!(List<#element, #size>))
}

fn param(param: &Param) -> Option<TokenStream> {
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
    Some(quote!(Param::new(#slot) #default #role))
}

fn constant(default: &Value, base: &BaseType) -> Option<TokenStream> {
    Some(match default {
        Value::None => quote!(Constant::None),
        Value::Bool(value) => quote!(Constant::Bool(#value)),
        Value::Int(value) => {
            let value = Literal::i64_unsuffixed(*value);
            quote!(Constant::Int(#value))
        }
        Value::Float(value, _) => quote!(Constant::Float(#value)),
        Value::IntList(values) => {
            let values = values.iter().map(|it| Literal::i64_unsuffixed(*it));
            quote!(Constant::Ints(&[#(#values),*]))
        }
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
            quote!(#path::#variant)
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

/// What a value is read as.
fn read(base: &BaseType) -> Option<TokenStream> {
    base.has_values().then(|| owned_base(base))
}
