//! Checks of what rustc would report badly, or at a place that the author did not write.

use opwright_codegen::attribute::is_native_op;
use opwright_codegen::mistake::combined;
use syn::{Error, FnArg, ItemFn, Result, Safety, Type};

/// Refuses functions that cannot be kernels whatever their schema says.
///
/// Types are not looked at: they may be aliases, which rustc sees through.
///
/// # Errors
///
/// All that is wrong with the function, combined.
pub(crate) fn check(func: &ItemFn) -> Result<()> {
    let mut errors = Vec::new();
    if let Some(asyncness) = &func.sig.asyncness {
        let message = "a kernel cannot be async: its caller waits for it";
        errors.push(Error::new_spanned(asyncness, message));
    }
    if let Safety::Unsafe(unsafety) = &func.sig.safety {
        let message = "a kernel cannot be unsafe: Python calls it with anything";
        errors.push(Error::new_spanned(unsafety, message));
    }
    if let Some(variadic) = &func.sig.variadic {
        errors.push(Error::new_spanned(variadic, "a kernel has the parameters of its schema"));
    }
    errors.extend(func.sig.inputs.iter().filter_map(argument));
    errors.extend(second_attribute(func));
    combined(errors)
}

fn argument(arg: &FnArg) -> Option<Error> {
    match arg {
        FnArg::Receiver(receiver) => {
            let message = "a kernel is a free function; the schema's `self` is a parameter \
                           `self_: &Tensor`";
            Some(Error::new_spanned(receiver, message))
        }
        FnArg::Typed(arg) => match &*arg.ty {
            Type::ImplTrait(ty) => {
                let message = "a kernel cannot be generic: write the schema's type";
                Some(Error::new_spanned(ty, message))
            }
            _ => None,
        },
    }
}

fn second_attribute(func: &ItemFn) -> Option<Error> {
    let second = func.attrs.iter().find(|it| is_native_op(&it.meta))?;
    let message = "a function is the kernel of one operator; call it from a second function";
    Some(Error::new_spanned(second, message))
}
