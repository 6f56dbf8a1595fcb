//! Prints what calls overloads with values of one type: a function for each signature, which all
//! overloads of that signature share.
//!
//! ```text
//! mod __boxed {
//!     use crate::ops::__runtime as rt;
//!     use rt::op::*;
//!     /// For `sum.IntList_out` and those like it.
//!     pub(super) fn call8(
//!         __values: &mut [Value],
//!         __kernels: &rt::KernelTable<fn(&Tensor, &[i64], bool, &mut Tensor) -> Result<()>>,
//!     ) -> rt::Result<Results> {
//!         let (__arg0, (__arg1, (__arg2, (__arg3, ())))) = read::<(Tensor, ..)>(__values)?;
//!         crate::ops::__calls::call12(__arg0, &__arg1, __arg2, __arg3, __kernels)?.values()
//!     }
//! }
//! ```

use std::collections::BTreeMap;

use opwright_schema::model::{BaseType, OpSet, Schema, Type};
use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};

use crate::print::rust::doc::doc;
use crate::types::{fn_pointer, owned_base, use_runtime};

/// The functions, and which of them is an overload's.
pub(super) struct Boxed {
    functions: Vec<Signature>,
    by_overload: BTreeMap<usize, usize>,
}

/// What overloads of one signature have in common.
struct Signature {
    /// The first of them.
    name: String,
    parameters: TokenStream,
    body: TokenStream,
}

impl Boxed {
    /// `calls` are the paths of what calls each overload.
    pub(super) fn new(ops: &OpSet, calls: &[TokenStream]) -> Boxed {
        let mut boxed = Boxed { functions: Vec::new(), by_overload: BTreeMap::new() };
        let mut known: BTreeMap<String, usize> = BTreeMap::new();
        for (idx, overload) in ops.overloads.iter().enumerate() {
            let Some(signature) = Signature::of(&overload.schema, &calls[idx]) else {
                continue;
            };
            let text = format!("{} {}", signature.parameters, signature.body);
            let number = *known.entry(text).or_insert_with(|| {
                boxed.functions.push(signature);
                boxed.functions.len() - 1
            });
            boxed.by_overload.insert(idx, number);
        }
        boxed
    }

    /// The function of an overload; none if there are no values of one of its types.
    pub(super) fn function(&self, idx: usize) -> Option<Ident> {
        self.by_overload.get(&idx).map(|it| name(*it))
    }

    /// All of them; nothing if there are none.
    pub(super) fn module(&self, condition: Option<TokenStream>) -> Option<TokenStream> {
        let functions = self.functions.iter().enumerate().map(|(number, it)| it.function(number));
        let runtime = use_runtime();
        (!self.functions.is_empty()).then(|| {
            quote! {
                #condition
                #[allow(clippy::type_complexity, reason = "kernels are as schemas say")]
                mod __boxed {
                    #runtime
                    use rt::op::*;
                    #(#functions)*
                }
            }
        })
    }
}

fn name(number: usize) -> Ident {
    format_ident!("call{number}")
}

impl Signature {
    fn of(schema: &Schema, call: &TokenStream) -> Option<Signature> {
        let mut reads = quote!(());
        let mut pattern = quote!(());
        let mut arguments = Vec::new();
        for (at, param) in schema.params.iter().enumerate().rev() {
            let local = format_ident!("__arg{at}");
            let (read, binding, argument) = argument(&param.ty.value, param.writes(), &local)?;
            reads = quote!((#read, #reads));
            pattern = quote!((#binding, #pattern));
            arguments.insert(0, argument);
        }
        let kernel = fn_pointer(schema);
        Some(Signature {
            name: schema.name.to_string(),
            parameters: quote! {
                __values: &mut [Value],
                __kernels: &rt::KernelTable<#kernel>,
            },
            body: quote! {
                let #pattern = read::<#reads>(__values)?;
                #call(#(#arguments,)* __kernels)?.values()
            },
        })
    }

    fn function(&self, number: usize) -> TokenStream {
        let Signature { name: first, parameters, body } = self;
        let name = name(number);
        let about = doc(&format!("For `{first}` and those like it."));
        quote! {
            #about
            pub(super) fn #name(#parameters) -> rt::Result<Results> {
                #body
            }
        }
    }
}

/// What a parameter is read as, the binding of that, and what the overload takes.
pub(super) fn argument(
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

/// What a value is read as.
fn read(base: &BaseType) -> Option<TokenStream> {
    base.has_values().then(|| owned_base(base))
}
