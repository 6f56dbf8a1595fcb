//! Prints the choice between several kernels of elements by the dtype that they are for.

use proc_macro2::TokenStream;
use quote::quote;

use crate::loops::{Decided, Loop};

// Expands to:
//
//     match __result0.dtype() {
//         DType::Bool => second,
//         _ => first,
//     }
//
/// A choice between what belongs to several loops; none if their dtypes follow from different
/// things.
pub(super) fn by_dtype(
    loops: &[Loop],
    arguments: &[TokenStream],
    result: Option<&TokenStream>,
    of: &[TokenStream],
) -> Option<TokenStream> {
    let deciding = match &loops.first()?.decided {
        Decided::ByResult => Vec::new(),
        Decided::ByArguments(_, deciding) => {
            deciding.iter().map(|&it| arguments[it].clone()).collect()
        }
    };
    Some(matched(loops, &decided(loops, &deciding, result)?, of))
}

/// The dtype of the elements, which follows from that of the first result or of these arguments;
/// none if it follows from different things.
pub(super) fn decided(
    loops: &[Loop],
    deciding: &[TokenStream],
    result: Option<&TokenStream>,
) -> Option<TokenStream> {
    let (first, further) = loops.split_first()?;
    if further.iter().any(|it| it.decided != first.decided) {
        return None;
    }
    match &first.decided {
        Decided::ByResult => result.cloned(),
        Decided::ByArguments(promote, _) => {
            let dtype = promote.dtype(deciding);
            Some(quote!(#dtype?))
        }
    }
}

/// The choice by a dtype.
pub(super) fn matched(loops: &[Loop], dtype: &TokenStream, of: &[TokenStream]) -> TokenStream {
    let [first, further @ ..] = of else { return TokenStream::new() };
    if further.is_empty() {
        return first.clone();
    }
    let arms = loops.iter().skip(1).zip(further).map(|(it, further)| {
        let patterns = it.dtypes.iter().map(|it| it.path());
        quote!(#(#patterns)|* => #further,)
    });
    quote!(match #dtype { #(#arms)* _ => #first })
}
