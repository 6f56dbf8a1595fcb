//! Prints the Rust side of the types of a crate.
//!
//! ```text
//! mod structs {
//!     #[repr(C)]
//!     pub struct __Interval { field0: <f64 as c::CValue>::C, .. }
//!     pub type Interval = c::Struct<crate::interval::Interval>;
//!     impl c::ByValue for crate::interval::Interval { type Fields = __Interval; .. }
//!
//!     pub type Labelled = c::Handle<crate::interval::Labelled>;
//!     impl c::Pointee for crate::interval::Labelled { const NOUN: &'static str = "a Labelled"; }
//!
//!     pub mod calls {
//!         pub struct labelled_label;
//!         impl labelled_label {
//!             pub fn call(__0: &crate::interval::Labelled) -> rt::Result<String> { c::part(__0, 1) }
//!         }
//!     }
//! }
//! unsafe extern "C" fn my_ops_labelled_free(__p0: *mut structs::Labelled) { .. }
//! ```

use opwright_schema::types::{InC, NativeType};
use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};

use super::{Accessor, Does, Record, handles, records};
use crate::print::c::types::type_name;
use crate::types::{native_path, owned_base, parameter, result, returned};

/// All of them; nothing if there are none.
pub fn print(prefix: &str, natives: &[NativeType], accessors: &[Accessor<'_>]) -> TokenStream {
    let by_value: Vec<TokenStream> = records(natives).iter().map(record).collect();
    let by_handle: Vec<TokenStream> = handles(natives).map(|(it, seen)| handle(it, seen)).collect();
    if by_value.is_empty() && by_handle.is_empty() {
        return TokenStream::new();
    }
    let calls = accessors.iter().map(call);
    let frees = handles(natives).map(|(_, seen)| free(prefix, seen));
    quote! {
        #[allow(dead_code, reason = "not every type is one that an operator takes")]
        mod structs {
            #[allow(unused_imports, reason = "not every type uses every path")]
            use super::{c, rt};
            #(#by_value)*
            #(#by_handle)*
            #[allow(non_camel_case_types, reason = "they are called like the functions")]
            pub mod calls {
                #[allow(unused_imports, reason = "not every type uses every path")]
                use super::super::{c, rt};
                #(#calls)*
            }
        }
        #(#frees)*
    }
}

fn record(record: &Record<'_>) -> TokenStream {
    let (path, name) = (native_path(record.native), type_name(&record.seen.name));
    let laid_out = format_ident!("__{name}");
    let numbers = 0..record.fields.len();
    let fields: Vec<Ident> = numbers.clone().map(|it| format_ident!("field{it}")).collect();
    let types: Vec<TokenStream> = record.fields.iter().map(|it| owned_base(&it.base)).collect();
    let places = record.fields.iter().map(|it| Literal::usize_unsuffixed(it.at));
    let (size, numbers) =
        (Literal::usize_unsuffixed(record.size), numbers.map(Literal::usize_unsuffixed));
    quote! {
        #[repr(C)]
        #[derive(Clone, Copy)]
        pub struct #laid_out { #(#fields: <#types as c::CValue>::C),* }
        const _: () = ::core::assert!(
            ::core::mem::size_of::<#laid_out>() == #size
                && (<#path as rt::types::Derived>::DERIVED.c.is_none()
                    || <#path as rt::types::Member>::C.size == #size)
                #(&& ::core::mem::offset_of!(#laid_out, #fields) == #places)*
        );
        pub type #name = c::Struct<#path>;
        impl c::ByValue for #path {
            type Fields = #laid_out;

            fn values(
                __fields: #laid_out,
            ) -> ::core::result::Result<::std::vec::Vec<rt::op::Value>, c::Wrong> {
                ::core::result::Result::Ok(
                    ::std::vec![#(c::part_of::<#types>(__fields.#fields)?),*],
                )
            }

            fn fields(__parts: &c::Parts) -> #laid_out {
                #laid_out { #(#fields: __parts.at::<#types>(#numbers)),* }
            }
        }
    }
}

fn handle(native: &NativeType, seen: &InC) -> TokenStream {
    let (path, name) = (native_path(native), type_name(&seen.name));
    let is_vowel = native.name().starts_with(['A', 'E', 'I', 'O', 'U']);
    let noun = format!("{} {}", if is_vowel { "an" } else { "a" }, native.name());
    quote! {
        pub type #name = c::Handle<#path>;
        impl c::Pointee for #path {
            const NOUN: &'static ::core::primitive::str = #noun;
        }
    }
}

/// What a function of a type calls.
fn call(accessor: &Accessor<'_>) -> TokenStream {
    let schema = &accessor.overload.schema;
    let name = accessor.called();
    let params: Vec<Ident> = (0..schema.params.len()).map(|it| format_ident!("__{it}")).collect();
    let types = schema.params.iter().map(parameter);
    let result = result(&returned(schema));
    let body = match accessor.does {
        Does::Make => {
            let mut given = params.iter();
            let fields = accessor.native.in_c().into_iter().flat_map(|it| &it.fields);
            let values = fields.map(|it| match it.ty.as_ref().and_then(|_| given.next()) {
                Some(param) => quote!(::core::option::Option::Some(rt::op::Given::given(&#param)?)),
                None => quote!(::core::option::Option::None),
            });
            quote!(c::made_or_default(::std::vec![#(#values),*]))
        }
        Does::Get(at) => {
            let at = Literal::usize_unsuffixed(at);
            quote!(c::part(__0, #at))
        }
        Does::Set(at) => {
            let at = Literal::usize_unsuffixed(at);
            quote!(c::put_part(__0, #at, rt::op::Given::given(&__1)?))
        }
    };
    quote! {
        pub struct #name;
        impl #name {
            pub fn call(#(#params: #types),*) -> #result { #body }
        }
    }
}

fn free(prefix: &str, seen: &InC) -> TokenStream {
    let (name, ty) = (format_ident!("{prefix}_{}_free", seen.name), type_name(&seen.name));
    quote! {
        #[unsafe(no_mangle)]
        unsafe extern "C" fn #name(__p0: *mut structs::#ty) {
            unsafe { c::free(__p0) }
        }
    }
}
