//! Mistakes about kernels: missing, superfluous and ambiguous ones, and what to do about each.

use opwright_diagnostics::diag::Diagnostics;
use opwright_schema::model::{DispatchKey, Overload, Role, Span, Spanned, Structured};

use crate::attribute::FunctionRole;
use crate::codes;
use crate::dtypes::Dtype;
use crate::fn_path::FnPath;
use crate::rules::RULES;
use crate::scan::AnnotatedFunction;

/// Warns of what a composite kernel does without an operator: nobody records it.
pub(super) fn cuts(cx: &mut Diagnostics, key: &DispatchKey, function: &AnnotatedFunction) {
    if *key != DispatchKey::CompositeImplicit {
        return;
    }
    for (cut, place) in &function.cuts {
        let message = format_args!(
            "`{}` is not recorded in a composite kernel, so that gradients are lost there",
            cut.called
        );
        let help = match cut.operator {
            "" => "call an operator, or move the loop into one of its own".to_owned(),
            operator => format!("call the operator `{operator}`"),
        };
        cx.warn(codes::UNRECORDED, place, message)
            .help(help)
            .help("or say for which keys the kernel is, such as `key = CPU | Meta`, and give it a gradient");
    }
}

/// `kernel` is the name of the function that is missing, at the place of `span`.
pub(super) fn missing_function(
    cx: &mut Diagnostics,
    overload: &Overload,
    kernel: &str,
    span: &Span,
) {
    let op = &overload.schema.name;
    let message = format_args!("`{op}` has no function `{kernel}`");
    cx.error(codes::MISSING_KERNEL, span, message)
        .help(format_args!("write `#[native_op({op})] fn {kernel}(...)`"));
}

pub(super) fn two_kernels(
    cx: &mut Diagnostics,
    overload: &Overload,
    function: &AnnotatedFunction,
    earlier: &FnPath,
) {
    let (op, name) = (&overload.schema.name, function.name());
    let other = earlier.0.join("::");
    let message = format_args!("`{name}` is a second kernel of `{op}` for the same key");
    cx.error(codes::TWO_KERNELS, &function.span, message)
        .note(format_args!("the first is `{other}`"))
        .help("tell them apart by `dispatch` in the entry, or by `key = ...`");
}

pub(super) fn two_of_a_dtype(
    cx: &mut Diagnostics,
    overload: &Overload,
    function: &AnnotatedFunction,
    dtype: Dtype,
) {
    let (op, name) = (&overload.schema.name, function.name());
    let message =
        format_args!("`{name}` is a second kernel of `{op}` for tensors of {}", dtype.name);
    cx.error(codes::TWO_KERNELS, &function.span, message).help("give each of them other `dtypes`");
}

/// A rule of the runtime must be there, and sees only what it can: tensors.
pub(super) fn named_rule(cx: &mut Diagnostics, overload: &Overload, name: &Spanned<String>) {
    if !RULES.contains(&name.value.as_str()) {
        let message = format_args!("there is no rule `{}`", name.value);
        let error = cx.error(codes::UNKNOWN_RULE, &name.span, message);
        error.suggest(&name.value, RULES);
        if error.helps.is_empty() {
            error.help(format_args!("there are `{}`", RULES.join("`, `")));
        }
    }
    let inputs = overload.schema.params.iter().filter(|it| it.role != Role::Out);
    for input in inputs.filter(|it| it.ty.value.is_tensor_like() && !it.ty.value.is_tensor()) {
        let op = &overload.schema.name;
        cx.error(codes::UNKNOWN_RULE, &input.ty.span, "a rule of the runtime takes plain tensors")
            .label("neither optional nor a list")
            .help(format_args!(
                "say `structured: True` and write `#[native_op({op}, rule)] fn ...`"
            ));
    }
}

pub(super) fn missing_rule(cx: &mut Diagnostics, overload: &Overload, span: &Span) {
    let op = &overload.schema.name;
    cx.error(codes::MISSING_RULE, span, format_args!("the structured operator `{op}` has no rule"))
        .help(format_args!("write `#[native_op({op}, rule)] fn ...`"))
        .help("or name a rule of the runtime, as in `structured: elementwise`");
}

pub(super) fn superfluous(cx: &mut Diagnostics, overload: &Overload, function: &AnnotatedFunction) {
    let (op, name) = (&overload.schema.name, function.name());
    let beside = match function.attribute.part {
        FunctionRole::Rule => {
            Some(("rule", "a rule belongs to an out overload with `structured: True`"))
        }
        FunctionRole::Check => Some((
            "check",
            "one check belongs to an out overload that names a rule of the runtime, as in \
             `structured: elementwise`",
        )),
        FunctionRole::Kernel | FunctionRole::KernelFor(_) => None,
    };
    if let Some((what, help)) = beside {
        let message = format_args!("`{op}` has no use for a {what}");
        cx.error(codes::SUPERFLUOUS_KERNEL, &function.span, message).help(help);
        return;
    }
    let message = format_args!("the entry of `{op}` names no kernel `{name}`");
    let error = cx.error(codes::SUPERFLUOUS_KERNEL, &function.span, message);
    match &overload.structured {
        Structured::Delegate(out) => {
            error.help(format_args!("its kernels follow from `{}`: remove it", out.value))
        }
        Structured::Copy(source) => {
            error.help(format_args!("it copies what `{}` returns: remove it", source.value))
        }
        _ if overload.alias_of.is_some() => {
            error.help("the entry says `alias_of`, from which its kernel follows: remove it")
        }
        Structured::No | Structured::Function(_) | Structured::Rule(_) | Structured::As(_) => {
            error.help(format_args!("add `CPU: {name}` to its `dispatch`, or rename the function"))
        }
    };
}

pub(super) fn no_kernel(cx: &mut Diagnostics, overload: &Overload) {
    let op = &overload.schema.name;
    cx.error(codes::MISSING_KERNEL, &overload.span, format_args!("`{op}` has no kernel"))
        .help(format_args!("write `#[native_op({op})] fn ...`, or name kernels in `dispatch`"));
}
