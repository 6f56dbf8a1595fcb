//! Prints what reads the arguments of a call out of values of one type.
//!
//! ```text
//! let [__value0, __value1] = values::<2>(__values)?;
//! let __arg0 = read::<Tensor>(__value0)?;
//! let __arg1 = read::<List<i64, 1>>(__value1)?;
//! ```

use opwright_schema::model::{BaseType, Type};
use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};

use crate::types::owned_base;

/// The arguments of a call, as they are read and as they are passed on.
#[derive(Default)]
pub(super) struct Reading {
    statements: Vec<TokenStream>,
    values: Vec<Ident>,
    /// What is passed on, in order.
    pub(super) passed: Vec<TokenStream>,
}

impl Reading {
    /// Of parameters of these types, each with its number and whether it is written to; none if there
    /// are no values of one of the types.
    pub(super) fn new<'a>(
        params: impl IntoIterator<Item = (usize, &'a Type, bool)>,
    ) -> Option<Reading> {
        let mut reading = Reading::default();
        for (at, ty, mutable) in params {
            reading.add(at, ty, mutable)?;
        }
        Some(reading)
    }

    fn add(&mut self, at: usize, ty: &Type, mutable: bool) -> Option<()> {
        let local = format_ident!("__arg{at}");
        let value = format_ident!("__value{at}");
        let (read, passed) = argument(ty, mutable, &local)?;
        let binding = if mutable && matches!(ty, Type::List(..)) {
            quote!(mut #local)
        } else {
            quote!(#local)
        };
        self.statements.push(quote!(let #binding = rt::ok(read::<#read>(#value));));
        self.values.push(value);
        self.passed.push(passed);
        Some(())
    }

    /// What binds the arguments.
    pub(super) fn statements(&self) -> TokenStream {
        let (values, statements) = (&self.values, &self.statements);
        let count = Literal::usize_unsuffixed(values.len());
        quote! {
            let [#(#values),*] = rt::ok(values::<#count>(__values));
            #(#statements)*
        }
    }
}

/// What a parameter is read as, and what the call takes.
pub(super) fn argument(
    ty: &Type,
    mutable: bool,
    local: &Ident,
) -> Option<(TokenStream, TokenStream)> {
    let plain = |read| Some((read, quote!(#local)));
    match ty {
        Type::List(..) if mutable => Some((quote!(MutList), quote!(&mut #local))),
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
                Some((quote!(::core::option::Option<#list>), quote!(#local.as_deref())))
            }
            Type::Optional(_) => None,
        },
        Type::List(element, size) => Some((list(element, *size)?, quote!(&#local))),
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

/// What a value is read as.
fn read(base: &BaseType) -> Option<TokenStream> {
    base.has_values().then(|| owned_base(base))
}
