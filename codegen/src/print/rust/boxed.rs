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
//!         let [__value0, __value1, __value2, __value3] = values::<4>(__values)?;
//!         let __arg0 = read::<Tensor>(__value0)?;
//!         ..
//!         returned(crate::ops::__calls::call12(__arg0, &__arg1, __arg2, __arg3, __kernels))
//!     }
//! }
//! ```

use std::collections::BTreeMap;

use opwright_schema::model::{OpSet, Schema};
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use crate::print::rust::doc::doc;
use crate::print::rust::reading::Reading;
use crate::types::{fn_pointer, use_runtime};

/// The functions, and which of them is an overload's.
pub(super) struct Boxed {
    functions: Vec<BoxedSignature>,
    by_overload: BTreeMap<usize, usize>,
}

/// What overloads of one signature have in common.
struct BoxedSignature {
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
            let Some(signature) = BoxedSignature::of(&overload.schema, &calls[idx]) else {
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

impl BoxedSignature {
    fn of(schema: &Schema, call: &TokenStream) -> Option<BoxedSignature> {
        let params = schema.params.iter().enumerate();
        let reading =
            Reading::new(params.map(|(at, param)| (at, &param.ty.value, param.writes())))?;
        let (statements, arguments) = (reading.statements(), &reading.passed);
        let kernel = fn_pointer(schema);
        Some(BoxedSignature {
            name: schema.name.to_string(),
            parameters: quote! {
                __values: &mut [Value],
                __kernels: &rt::KernelTable<#kernel>,
            },
            body: quote! {
                #statements
                returned(#call(#(#arguments,)* __kernels))
            },
        })
    }

    fn function(&self, number: usize) -> TokenStream {
        let BoxedSignature { name: first, parameters, body } = self;
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
