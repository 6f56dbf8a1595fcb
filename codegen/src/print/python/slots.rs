//! Operators of the language: which slot of the tensor class each fills.

use opwright_schema::model::PythonModule;
use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::home::module_name;
use crate::signature::{Function, Home};

/// The forms of slots.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Unary,
    Binary,
    /// With a third operand that only `pow` has and nobody passes.
    Ternary,
}

/// Python's names, slots and forms. The reflected name is a second one of the same slot.
const SLOTS: &[(&str, &str, &str, Form)] = &[
    ("__add__", "__radd__", "Py_nb_add", Form::Binary),
    ("__sub__", "__rsub__", "Py_nb_subtract", Form::Binary),
    ("__mul__", "__rmul__", "Py_nb_multiply", Form::Binary),
    ("__truediv__", "__rtruediv__", "Py_nb_true_divide", Form::Binary),
    ("__floordiv__", "__rfloordiv__", "Py_nb_floor_divide", Form::Binary),
    ("__mod__", "__rmod__", "Py_nb_remainder", Form::Binary),
    ("__matmul__", "__rmatmul__", "Py_nb_matrix_multiply", Form::Binary),
    ("__and__", "__rand__", "Py_nb_and", Form::Binary),
    ("__or__", "__ror__", "Py_nb_or", Form::Binary),
    ("__xor__", "__rxor__", "Py_nb_xor", Form::Binary),
    ("__lshift__", "__rlshift__", "Py_nb_lshift", Form::Binary),
    ("__rshift__", "__rrshift__", "Py_nb_rshift", Form::Binary),
    ("__pow__", "__rpow__", "Py_nb_power", Form::Ternary),
    ("__iadd__", "", "Py_nb_inplace_add", Form::Binary),
    ("__isub__", "", "Py_nb_inplace_subtract", Form::Binary),
    ("__imul__", "", "Py_nb_inplace_multiply", Form::Binary),
    ("__itruediv__", "", "Py_nb_inplace_true_divide", Form::Binary),
    ("__ifloordiv__", "", "Py_nb_inplace_floor_divide", Form::Binary),
    ("__imod__", "", "Py_nb_inplace_remainder", Form::Binary),
    ("__imatmul__", "", "Py_nb_inplace_matrix_multiply", Form::Binary),
    ("__iand__", "", "Py_nb_inplace_and", Form::Binary),
    ("__ior__", "", "Py_nb_inplace_or", Form::Binary),
    ("__ixor__", "", "Py_nb_inplace_xor", Form::Binary),
    ("__ilshift__", "", "Py_nb_inplace_lshift", Form::Binary),
    ("__irshift__", "", "Py_nb_inplace_rshift", Form::Binary),
    ("__ipow__", "", "Py_nb_inplace_power", Form::Ternary),
    ("__neg__", "", "Py_nb_negative", Form::Unary),
    ("__pos__", "", "Py_nb_positive", Form::Unary),
    ("__abs__", "", "Py_nb_absolute", Form::Unary),
    ("__invert__", "", "Py_nb_invert", Form::Unary),
];

/// Whether the language has an operator of this name that none of the functions is.
pub(super) fn is_missing(functions: &[Function], name: &str) -> bool {
    let slot = SLOTS.iter().find(|(it, reflected, ..)| [*it, *reflected].contains(&name));
    slot.is_some_and(|(it, reflected, ..)| implementer(functions, &[it, reflected]).is_none())
}

/// In the order of the interpreter's constants.
const COMPARISONS: [&str; 6] = ["__lt__", "__le__", "__eq__", "__ne__", "__gt__", "__ge__"];

/// What the operators of all functions fill.
pub(super) struct Operators {
    /// Functions that stand in slots.
    pub(super) functions: TokenStream,
    /// The entries of the slot table.
    pub(super) slots: Vec<TokenStream>,
    /// Names that the class itself implements with these functions.
    pub(super) protocols: Vec<TokenStream>,
}

/// The slots that functions fill, and the functions in them.
pub(super) fn print(functions: &[Function]) -> Operators {
    let mut all = Operators { functions: TokenStream::new(), slots: vec![], protocols: vec![] };
    for (name, reflected, slot, form) in SLOTS {
        let Some(function) = implementer(functions, &[name, reflected]) else { continue };
        let entry = format_ident!("{}", slot.to_lowercase());
        let shim = slot_function(&entry, function, *form);
        all.functions.extend(shim);
        let slot = format_ident!("{slot}");
        all.slots.push(quote! {
            __bindings::Slot { id: __bindings::ffi::#slot, function: #entry as *const _ }
        });
    }
    comparisons(functions, &mut all);
    for function in functions {
        for name in function.operators.iter().filter(|it| !is_slot(it)) {
            let module = module_name(function);
            all.protocols.push(quote!((#name, #module::TARGET)));
        }
    }
    all
}

fn is_slot(name: &str) -> bool {
    COMPARISONS.contains(&name) || SLOTS.iter().any(|(it, other, ..)| *it == name || *other == name)
}

/// The function that implements one of `names`; rather the module's than the
/// method, since it also takes operands whose left side is no tensor.
fn implementer<'a>(functions: &'a [Function], names: &[&str]) -> Option<&'a Function> {
    let found = functions
        .iter()
        .find(|it| it.operators.iter().any(|name| names.contains(&name.as_str())))?;
    let root = Home::Module(PythonModule::Root);
    let sibling = functions.iter().find(|it| it.home == root && it.name == found.name);
    Some(sibling.unwrap_or(found))
}

fn slot_function(entry: &proc_macro2::Ident, function: &Function, form: Form) -> TokenStream {
    let module = module_name(function);
    let form = match form {
        Form::Unary => quote!(unary),
        Form::Binary => quote!(binary),
        Form::Ternary => quote!(ternary),
    };
    quote!(__bindings::__entry!(#form #entry #module::TARGET);)
}

/// All comparisons share one slot.
fn comparisons(functions: &[Function], all: &mut Operators) {
    let targets: Vec<Option<&Function>> =
        COMPARISONS.iter().map(|name| implementer(functions, &[name])).collect();
    if targets.iter().all(Option::is_none) {
        return;
    }
    let targets = targets.into_iter().map(|it| match it {
        Some(function) => {
            let module = module_name(function);
            quote!(::core::option::Option::Some(#module::TARGET))
        }
        None => quote!(::core::option::Option::None),
    });
    all.functions.extend(quote! {
        static COMPARISONS: [::core::option::Option<__bindings::shim::Target>; 6] = [#(#targets),*];
        __bindings::__entry!(comparison py_tp_richcompare COMPARISONS);
    });
    all.slots.push(quote! {
        __bindings::Slot {
            id: __bindings::ffi::Py_tp_richcompare,
            function: py_tp_richcompare as *const _,
        }
    });
}
