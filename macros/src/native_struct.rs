//! The expansion of `#[derive(NativeType)]`, a pure function on tokens.
//!
//! ```text
//! pub struct Interval { pub lo: f64, .. }
//!
//! crate::ops::__annotated! { .. const _: () = {
//!     use crate::ops::__runtime as rt;
//!     impl rt::types::Derived for Interval {
//!         const DERIVED: &'static rt::types::Structure = &rt::types::Structure {
//!             name: "Interval",
//!             parts: &[rt::types::StructField { name: "lo", ty: <f64 as rt::types::Member>::ty, .. }, ..],
//!             ..
//!         };
//!     }
//!     #[cfg(opwright_described)]
//!     impl rt::op::NativeType for Interval { const NAME: &'static str = "Interval"; .. }
//! } }
//! ```
//!
//! The struct's type is a member of other structs by that, and the build script makes it one of the
//! types that schemas name. Types of fields and defaults stand where the author wrote them, so that
//! one which does not fit is one error of rustc, there.

use opwright_codegen::structure::{self, FieldVisibility, NativeField, Structure};
use opwright_codegen::types::use_runtime;
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{DeriveInput, Error};

use crate::native_type::natives;
use crate::operator::at;

/// Expands the derive.
pub(crate) fn native_struct(input: TokenStream) -> TokenStream {
    let read = syn::parse2::<DeriveInput>(input).and_then(|it| structure::read::structure(&it));
    match read {
        Ok(structure) => derived(&structure),
        Err(errors) => errors.into_compile_error(),
    }
}

fn derived(structure: &Structure) -> TokenStream {
    let runtime = use_runtime();
    let ident = &structure.ident;
    let (name, doc) = (ident.to_string(), &structure.doc);
    let c = optional(structure.c.as_ref().map(|it| {
        let it = format!("struct {it}");
        quote!(#it)
    }));
    let close = optional(structure.close.map(|it| {
        let it = Literal::f64_suffixed(it);
        quote!(#it)
    }));
    let parts = structure.seen().map(|(field, seen)| part(ident, field, seen));
    let make = make(structure);
    let mark = structure.mark();
    let unread = Error::new(Span::call_site(), UNREAD).into_compile_error();
    let (native, given) = natives(ident, Some(structure_of(ident)));
    let item = quote! {
        #[allow(unexpected_cfgs, reason = "the build script says it, if there is one")]
        const _: () = {
            #runtime
            #[cfg(opwright_described)]
            #native
            #[cfg(opwright_described)]
            #given
            impl rt::types::Derived for #ident {
                const DERIVED: &'static rt::types::Structure = &rt::types::Structure {
                    name: #name,
                    doc: #doc,
                    c: #c,
                    close: #close,
                    parts: &[#(#parts),*],
                    id: ::core::any::TypeId::of::<#ident>,
                    make: #make,
                    equal: |__a, __b| {
                        #[allow(unused_imports, reason = "one of them is meant")]
                        use rt::types::{AsSaid as _, ByFields as _};
                        (&rt::types::Compare::<#ident>::NEW).equal(__a, __b)
                    },
                };
            }
        };
    };
    quote!(crate::ops::__annotated! { #mark { #item } { #unread } })
}

const UNREAD: &str = "the build script has not read this annotation, and the type would be \
                      missing: write `#[derive(NativeType)]`, by this name, above a struct of a \
                      module; not in a macro, a file for `include!` or a function, and not behind \
                      `cfg_attr` or `cfg(test)`";

fn structure_of(ident: &Ident) -> TokenStream {
    quote! {
        const STRUCTURE: ::core::option::Option<&'static rt::types::Structure> =
            ::core::option::Option::Some(<#ident as rt::types::Derived>::DERIVED);
    }
}

fn optional(tokens: Option<TokenStream>) -> TokenStream {
    match tokens {
        Some(it) => quote!(::core::option::Option::Some(#it)),
        None => quote!(::core::option::Option::None),
    }
}

/// The type of a field, at its place.
fn member(field: &NativeField) -> TokenStream {
    let ty = &field.ty;
    quote_spanned!(at(ty.span())=> <#ty as rt::types::Member>)
}

/// A default as a value of the field's type; one of another type is an error at the default.
fn default(field: &NativeField) -> Option<TokenStream> {
    let (ty, expr) = (&field.ty, field.default.as_ref()?);
    Some(quote!({ let __default: #ty = #expr; __default }))
}

fn part(of: &Ident, field: &NativeField, seen: &FieldVisibility) -> TokenStream {
    let FieldVisibility { name, doc, is_settable, is_in_c } = seen;
    let (ident, member) = (&field.ident, member(field));
    let c = optional(is_in_c.then(|| quote!(#member::C)));
    let default = default(field).map(|it| quote!(|| #member::value(&#it)));
    let default = optional(default);
    quote! {
        rt::types::StructField {
            name: #name,
            doc: #doc,
            is_settable: #is_settable,
            c: #c,
            ty: #member::ty,
            default: #default,
            get: |__of| {
                ::core::option::Option::Some(#member::value(&__of.get::<#of>()?.#ident))
            },
            with: |__of, __value| {
                let mut __of: #of = ::core::clone::Clone::clone(__of.get::<#of>()?);
                __of.#ident = #member::of(__value)?;
                ::core::option::Option::Some(rt::op::Native::new(__of))
            },
        }
    }
}

// Expands to:
//
//     |__values| {
//         let mut __values = __values.into_iter();
//         let __field0 = <f64 as rt::types::Member>::of(Iterator::next(&mut __values)?)?;
//         let __field1 = { let __default: Cache = Cache::new(); __default };
//         Some(rt::op::Native::new(Interval { lo: __field0, cache: __field1 }))
//     }
//
fn make(structure: &Structure) -> TokenStream {
    let of = &structure.ident;
    let idents = structure.fields.iter().map(|it| &it.ident);
    let names: Vec<Ident> = (0..structure.fields.len())
        .map(|at| format_ident!("__field{at}", span = Span::mixed_site()))
        .collect();
    let values = structure.fields.iter().zip(&names).map(|(field, name)| {
        let value = match &field.seen {
            Some(_) => {
                let member = member(field);
                quote!(#member::of(::core::iter::Iterator::next(&mut __values)?)?)
            }
            None => default(field).unwrap_or_default(),
        };
        quote!(let #name = #value;)
    });
    quote! {
        |__values| {
            let mut __values = ::core::iter::IntoIterator::into_iter(__values);
            #(#values)*
            let __made = #of { #(#idents: #names),* };
            ::core::option::Option::Some(rt::op::Native::new(__made))
        }
    }
}
