//! The key `dispatch`: which kernel runs where.

use opwright_diagnostics::diag::Diagnostics;

use crate::codes;
use crate::dispatch_key;
use crate::keys::{Field, split_commas};
use crate::model::{Dispatch, DispatchKey, Span, Spanned};
use crate::parse::is_identifier;
use crate::yaml::{YamlNode, YamlValue};

/// Kinds of device.
const BACKENDS: [&str; 23] = [
    "CPU",
    "CUDA",
    "MPS",
    "XPU",
    "HPU",
    "MTIA",
    "Meta",
    "HIP",
    "XLA",
    "IPU",
    "VE",
    "Lazy",
    "PrivateUse1",
    "PrivateUse2",
    "PrivateUse3",
    "FPGA",
    "MAIA",
    "Vulkan",
    "Metal",
    "MKLDNN",
    "OpenGL",
    "OpenCL",
    "IDEEP",
];

/// How many of the backends, from the front, kernels can be written for.
const WITH_KERNELS: usize = 7;

/// Kinds of tensor, which stand in front of a backend.
const LAYOUTS: [&str; 5] = ["", "Quantized", "SparseCsr", "Sparse", "NestedTensor"];

/// Keys that are not made of a kind of tensor and a backend.
const SINGLE: [&str; 8] = [
    "CompositeImplicit",
    "CompositeExplicit",
    "CompositeImplicitAutograd",
    "CompositeExplicitAutograd",
    "CompositeExplicitAutogradNonFunctional",
    "CompositeImplicitAutogradNestedTensor",
    "MkldnnCPU",
    "ZeroTensor",
];

/// Layers and groups of backends, which take no kernels from an entry.
const LAYERS: [&str; 38] = [
    "Undefined",
    "CatchAll",
    "Dense",
    "Sparse",
    "SparseCsr",
    "NestedTensor",
    "Quantized",
    "CustomRNGKeyId",
    "BackendSelect",
    "Python",
    "Fake",
    "FuncTorchDynamicLayerBackMode",
    "Functionalize",
    "Named",
    "Conjugate",
    "Negative",
    "FuncTorchDynamicLayerFrontMode",
    "ADInplaceOrView",
    "AutogradOther",
    "AutogradFunctionality",
    "AutogradNestedTensor",
    "Tracer",
    "Autocast",
    "AutocastCPU",
    "AutocastCUDA",
    "AutocastXPU",
    "AutocastMPS",
    "AutocastMTIA",
    "Batched",
    "FuncTorchBatched",
    "BatchedNestedTensor",
    "FuncTorchVmapMode",
    "VmapMode",
    "FuncTorchGradWrapper",
    "PythonTLSSnapshot",
    "PythonDispatcher",
    "PreDispatch",
    "Autograd",
];

/// Names before a kernel's own.
const MAX_NAMESPACES: usize = 3;

/// Reads a dispatch table; one result per single key, in file order.
pub(super) fn read(cx: &mut Diagnostics, field: &Field<'_, '_>) -> Vec<Dispatch> {
    let YamlValue::Mapping(pairs) = &field.node.value else {
        field.wrong(cx, "a mapping of dispatch keys to kernels");
        return Vec::new();
    };
    let mut table: Vec<Dispatch> = Vec::with_capacity(pairs.len());
    for (keys, kernel) in pairs {
        let mut kernel = kernel_path(cx, keys, kernel);
        let Some(text) = keys.string() else {
            let message = format!("expected a dispatch key, found {}", keys.describe());
            cx.error(codes::UNKNOWN_DISPATCH_KEY, &keys.span, message);
            continue;
        };
        let mut more = text.bytes().filter(|it| *it == b',').count();
        for key in split_commas(text, &keys.text_span()) {
            let kernel = if more > 0 { kernel.clone() } else { kernel.take() };
            more = more.saturating_sub(1);
            let Spanned { value: text, span } = key.trimmed();
            let Some(value) = known_key(text).or_else(|| unknown_key(cx, text, &span)) else {
                continue;
            };
            let Some(kernel) = kernel else { continue };
            add(cx, &mut table, Dispatch { key: Spanned::new(value, span), kernel });
        }
    }
    table
}

fn add(cx: &mut Diagnostics, table: &mut Vec<Dispatch>, entry: Dispatch) {
    if let Some(first) = table.iter().find(|it| it.key.value == entry.key.value) {
        let message = format!("`{}` has two kernels", entry.key.value);
        cx.error(codes::DUPLICATE_DISPATCH_KEY, &entry.key.span, message)
            .also(&first.key.span, "first here")
            .help("remove one of them");
        return;
    }
    table.push(entry);
}

fn known_key(text: &str) -> Option<DispatchKey> {
    let is_upstreams = || SINGLE.contains(&text) || takes_kernels(text);
    DispatchKey::read(text).or_else(|| is_upstreams().then(|| DispatchKey::Other(text.to_owned())))
}

fn takes_kernels(text: &str) -> bool {
    layout_and_backend(text).is_some_and(|at| at < WITH_KERNELS)
}

fn is_layer(text: &str) -> bool {
    let autograd = text.strip_prefix("Autograd").is_some_and(|it| BACKENDS.contains(&it));
    autograd || LAYERS.contains(&text) || layout_and_backend(text).is_some()
}

/// Splits `SparseCPU`; the index of its backend.
fn layout_and_backend(text: &str) -> Option<usize> {
    let backend = |layout| {
        let rest: &str = text.strip_prefix(layout)?;
        BACKENDS.iter().position(|it| *it == rest)
    };
    LAYOUTS.into_iter().find_map(backend)
}

fn unknown_key(cx: &mut Diagnostics, text: &str, span: &Span) -> Option<DispatchKey> {
    if is_layer(text) {
        let message = format!("no kernel can be written for dispatch key `{text}`");
        cx.error(codes::UNSUPPORTED_DISPATCH_KEY, span, message)
            .help("kernels belong to a device such as `CPU`, or to `CompositeExplicit`");
        return None;
    }
    let with_layout = LAYOUTS.iter().flat_map(|layout| {
        BACKENDS[..WITH_KERNELS].iter().map(move |backend| format!("{layout}{backend}"))
    });
    let known: Vec<String> = SINGLE.iter().map(|it| (*it).to_owned()).chain(with_layout).collect();
    let message = format!("unknown dispatch key `{text}`");
    let error = cx.error(codes::UNKNOWN_DISPATCH_KEY, span, message);
    error.suggest(text, known.iter().map(String::as_str));
    if error.helps.is_empty() {
        error.help(format_args!("opwright runs {}", dispatch_key::listed("and")));
    }
    None
}

/// The name of a kernel: `native::cpu_kernel`.
fn kernel_path(
    cx: &mut Diagnostics,
    keys: &YamlNode<'_>,
    kernel: &YamlNode<'_>,
) -> Option<Spanned<String>> {
    let Some(text) = kernel.string() else {
        let span = if kernel.is_null() { &keys.span } else { &kernel.span };
        let message = format!("expected the name of a kernel, found {}", kernel.describe());
        cx.error(codes::KERNEL_NAME, span, message).help("name a Rust function");
        return None;
    };
    let span = kernel.text_span();
    if is_identifier(text) {
        return Some(Spanned::new(text.to_owned(), span));
    }
    if !text.split("::").all(is_identifier) {
        let message = format!("`{text}` is not the name of a kernel");
        cx.error(codes::KERNEL_NAME, &span, message)
            .help("a kernel is a Rust function, with or without a path: `native::name`");
        return None;
    }
    if text.matches("::").count() > MAX_NAMESPACES {
        let message = format!("`{text}` has more than {MAX_NAMESPACES} namespaces");
        cx.error(codes::KERNEL_NAME, &span, message).help("shorten its path");
        return None;
    }
    Some(Spanned::new(text.to_owned(), span))
}
