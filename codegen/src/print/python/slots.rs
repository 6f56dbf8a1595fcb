//! Operators of the language: which slot of the tensor class each fills.

use opwright_schema::model::PythonModule;
use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::home::module_name;
use crate::signature::{Home, PythonFunction};

/// The forms of slots.
#[derive(Clone, Copy, PartialEq, Eq)]
enum SlotForm {
    Unary,
    Binary,
    /// With a third operand that only `pow` has and nobody passes.
    Ternary,
}

/// Python's names, slots and forms. The reflected name is a second one of the same slot.
const SLOTS: &[(&str, &str, &str, SlotForm)] = &[
    ("__add__", "__radd__", "Py_nb_add", SlotForm::Binary),
    ("__sub__", "__rsub__", "Py_nb_subtract", SlotForm::Binary),
    ("__mul__", "__rmul__", "Py_nb_multiply", SlotForm::Binary),
    ("__truediv__", "__rtruediv__", "Py_nb_true_divide", SlotForm::Binary),
    ("__floordiv__", "__rfloordiv__", "Py_nb_floor_divide", SlotForm::Binary),
    ("__mod__", "__rmod__", "Py_nb_remainder", SlotForm::Binary),
    ("__matmul__", "__rmatmul__", "Py_nb_matrix_multiply", SlotForm::Binary),
    ("__and__", "__rand__", "Py_nb_and", SlotForm::Binary),
    ("__or__", "__ror__", "Py_nb_or", SlotForm::Binary),
    ("__xor__", "__rxor__", "Py_nb_xor", SlotForm::Binary),
    ("__lshift__", "__rlshift__", "Py_nb_lshift", SlotForm::Binary),
    ("__rshift__", "__rrshift__", "Py_nb_rshift", SlotForm::Binary),
    ("__pow__", "__rpow__", "Py_nb_power", SlotForm::Ternary),
    ("__iadd__", "", "Py_nb_inplace_add", SlotForm::Binary),
    ("__isub__", "", "Py_nb_inplace_subtract", SlotForm::Binary),
    ("__imul__", "", "Py_nb_inplace_multiply", SlotForm::Binary),
    ("__itruediv__", "", "Py_nb_inplace_true_divide", SlotForm::Binary),
    ("__ifloordiv__", "", "Py_nb_inplace_floor_divide", SlotForm::Binary),
    ("__imod__", "", "Py_nb_inplace_remainder", SlotForm::Binary),
    ("__imatmul__", "", "Py_nb_inplace_matrix_multiply", SlotForm::Binary),
    ("__iand__", "", "Py_nb_inplace_and", SlotForm::Binary),
    ("__ior__", "", "Py_nb_inplace_or", SlotForm::Binary),
    ("__ixor__", "", "Py_nb_inplace_xor", SlotForm::Binary),
    ("__ilshift__", "", "Py_nb_inplace_lshift", SlotForm::Binary),
    ("__irshift__", "", "Py_nb_inplace_rshift", SlotForm::Binary),
    ("__ipow__", "", "Py_nb_inplace_power", SlotForm::Ternary),
    ("__neg__", "", "Py_nb_negative", SlotForm::Unary),
    ("__pos__", "", "Py_nb_positive", SlotForm::Unary),
    ("__abs__", "", "Py_nb_absolute", SlotForm::Unary),
    ("__invert__", "", "Py_nb_invert", SlotForm::Unary),
];

/// Whether the language has an operator of this name that none of the functions is.
pub(super) fn is_missing(functions: &[PythonFunction], name: &str) -> bool {
    let slot = SLOTS.iter().find(|(it, reflected, ..)| [*it, *reflected].contains(&name));
    slot.is_some_and(|(it, reflected, ..)| implementer(functions, &[it, reflected]).is_none())
}

/// In the order of the interpreter's constants.
const COMPARISONS: [&str; 6] = ["__lt__", "__le__", "__eq__", "__ne__", "__gt__", "__ge__"];

/// What the operators of all functions fill.
pub(super) struct SlotOperators {
    /// Functions that stand in slots.
    pub(super) functions: TokenStream,
    /// The entries of the slot table.
    pub(super) slots: Vec<TokenStream>,
    /// Names that the class itself implements with these functions.
    pub(super) protocols: Vec<TokenStream>,
}

/// The slots that functions fill, and the functions in them.
pub(super) fn print(functions: &[PythonFunction]) -> SlotOperators {
    let mut all = SlotOperators { functions: TokenStream::new(), slots: vec![], protocols: vec![] };
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
fn implementer<'a>(functions: &'a [PythonFunction], names: &[&str]) -> Option<&'a PythonFunction> {
    let found = functions
        .iter()
        .find(|it| it.operators.iter().any(|name| names.contains(&name.as_str())))?;
    let root = Home::Module(PythonModule::Root);
    let sibling = functions.iter().find(|it| it.home == root && it.name == found.name);
    Some(sibling.unwrap_or(found))
}

fn slot_function(
    entry: &proc_macro2::Ident,
    function: &PythonFunction,
    form: SlotForm,
) -> TokenStream {
    let module = module_name(function);
    let form = match form {
        SlotForm::Unary => quote!(unary),
        SlotForm::Binary => quote!(binary),
        SlotForm::Ternary => quote!(ternary),
    };
    quote!(__bindings::__entry!(#form #entry #module::TARGET);)
}

/// All comparisons share one slot.
fn comparisons(functions: &[PythonFunction], all: &mut SlotOperators) {
    let targets: Vec<Option<&PythonFunction>> =
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
