//! One entry of an operator file: its keys, read and compared with its schema.
//!
//! What concerns several entries is the matter of [`check`](crate::check).

mod dispatch;
mod python;
mod rules;
mod structured;

use crate::codes;
use crate::diag::Diagnostics;
use crate::keys::{Keys, split};
use crate::model::{
    Dispatch, Gil, OpName, OptionsCategory, Origin, Overload, Python, PythonModule, Schema, Span,
    Spanned, Structured,
};
use crate::parse::{Parsed, parse_op_name, parse_schema};
use crate::validate;
use crate::yaml::Node;

pub use dispatch::dispatch_key;

/// Every key of an entry.
const KNOWN: [&str; 23] = [
    "func",
    "variants",
    "dispatch",
    "device_guard",
    "device_check",
    "structured",
    "structured_delegate",
    "structured_inherits",
    "precomputed",
    "autogen",
    "manual_cpp_binding",
    "manual_kernel_registration",
    "python_module",
    "category_override",
    "tags",
    "cpp_no_default_args",
    "use_const_ref_for_mutable_tensors",
    "ufunc_inner_loop",
    "doc",
    "python",
    "gil",
    "deprecated",
    "since",
];

/// Submodules that Python bindings can be in.
const MODULES: [&str; 6] = ["nn", "fft", "linalg", "special", "sparse", "nested"];

/// What an entry says, before anything is compared with anything.
#[derive(Debug)]
pub(crate) struct Draft<'a> {
    pub(crate) schema: Parsed,
    pub(crate) origin: Origin,
    pub(crate) line: usize,
    function: bool,
    method: bool,
    dispatch: Vec<Dispatch>,
    /// The key `dispatch`, or all of an annotation's kernels.
    dispatch_span: Option<Span>,
    structured: Structured,
    delegate: Option<Spanned<OpName>>,
    inherits: Option<Span>,
    precomputed: Option<(Span, Vec<Spanned<String>>)>,
    inner_loop: Option<Span>,
    python_module: Option<Spanned<String>>,
    category: Option<OptionsCategory>,
    tags: Vec<Spanned<String>>,
    doc: String,
    python: Python,
    gil: Gil,
    since: Option<String>,
    autogen: Vec<Spanned<OpName>>,
    no_default: Vec<Spanned<String>>,
    device_check: bool,
    device_guard: Option<Spanned<bool>>,
    manual_kernel: Option<Span>,
    manual_binding: bool,
    /// The value of `deprecated`.
    deprecated: Option<Node<'a>>,
}

/// An entry that is sound in itself.
pub(crate) struct Entry<'a> {
    pub(crate) overload: Overload,
    /// The value of `deprecated`, which is about other operators too.
    pub(crate) deprecated: Option<Node<'a>>,
}

/// Reads an entry of a YAML file. Nothing if something is wrong with it; then
/// its name goes to `broken`, so that nobody reports it as missing.
pub(crate) fn read<'a>(
    cx: &mut Diagnostics,
    node: &Node<'a>,
    origin: Origin,
    line: usize,
    tags: &[&str],
    broken: &mut Vec<OpName>,
) -> Option<Entry<'a>> {
    let before = cx.error_count();
    let mut keys = Keys::open(cx, node, "an entry")?;
    let schema = match keys.take("func") {
        Some(func) => {
            let text = func.string(cx);
            text.map(|it| parse_schema(cx, &it.value, &it.span))
        }
        None => {
            cx.error(codes::MISSING_KEY, &keys.start(), "this entry has no `func`")
                .help("it holds the schema: `func: name(Tensor self) -> Tensor`");
            None
        }
    };
    let schema = schema.unwrap_or(Parsed { name: None, schema: None });
    let mut draft = Draft::new(schema, origin, line);
    draft.read_keys(cx, &mut keys);
    keys.finish(cx, &KNOWN);
    draft.finish(cx, before, true, tags, broken)
}

impl<'a> Draft<'a> {
    /// An entry with a schema and nothing else.
    pub(crate) fn new(schema: Parsed, origin: Origin, line: usize) -> Self {
        Draft {
            schema,
            origin,
            line,
            function: true,
            method: false,
            dispatch: Vec::new(),
            dispatch_span: None,
            structured: Structured::No,
            delegate: None,
            inherits: None,
            precomputed: None,
            inner_loop: None,
            python_module: None,
            category: None,
            tags: Vec::new(),
            doc: String::new(),
            python: Python::default(),
            gil: Gil::Auto,
            since: None,
            autogen: Vec::new(),
            no_default: Vec::new(),
            device_check: true,
            device_guard: None,
            manual_kernel: None,
            manual_binding: false,
            deprecated: None,
        }
    }

    /// Gives it kernels that were found elsewhere than under `dispatch`.
    pub(crate) fn set_dispatch(&mut self, dispatch: Vec<Dispatch>) {
        self.dispatch_span = dispatch.first().map(|it| it.key.span.clone());
        self.dispatch = dispatch;
    }

    /// Gives it documentation that was found elsewhere than under `doc`.
    pub(crate) fn set_doc(&mut self, doc: &str) {
        self.doc = doc.trim().to_owned();
    }

    /// Takes every known key but `func`.
    pub(crate) fn read_keys(&mut self, cx: &mut Diagnostics, keys: &mut Keys<'_, 'a>) {
        self.read_surface(cx, keys);
        self.read_structured(cx, keys);
        self.read_upstream(cx, keys);
        self.read_ours(cx, keys);
    }

    /// Where the operator shows up and what runs it.
    fn read_surface(&mut self, cx: &mut Diagnostics, keys: &mut Keys<'_, 'a>) {
        if let Some(field) = keys.take("variants") {
            let choices = [
                ("function", (true, false)),
                ("method", (false, true)),
                ("function, method", (true, true)),
                ("method, function", (true, true)),
            ];
            (self.function, self.method) = field.choice(cx, &choices).unwrap_or((true, false));
        }
        if let Some(field) = keys.take("dispatch") {
            self.dispatch = dispatch::read(cx, &field);
            self.dispatch_span = Some(field.key_span);
        }
        if let Some(field) = keys.take("python_module") {
            self.python_module = field.string(cx);
        }
        if let Some(field) = keys.take("category_override") {
            let choices = [
                ("factory", OptionsCategory::Factory),
                ("like", OptionsCategory::Like),
                ("new", OptionsCategory::New),
                ("dummy", OptionsCategory::None),
            ];
            self.category = field.choice(cx, &choices);
        }
        if let Some(field) = keys.take("tags") {
            self.tags = field.texts(cx);
        }
    }

    fn read_structured(&mut self, cx: &mut Diagnostics, keys: &mut Keys<'_, 'a>) {
        if let Some(field) = keys.take("structured") {
            self.structured = structured::structured(cx, &field);
        }
        if let Some(field) = keys.take("structured_delegate") {
            self.delegate = structured::delegate(cx, &field);
        }
        if let Some(field) = keys.take("structured_inherits") {
            structured::inherits(cx, &field);
            self.inherits = Some(field.key_span);
        }
        if let Some(field) = keys.take("precomputed") {
            self.precomputed = Some((field.key_span.clone(), structured::precomputed(cx, &field)));
        }
        if let Some(field) = keys.take("ufunc_inner_loop") {
            structured::inner_loop(cx, &field);
            self.inner_loop = Some(field.key_span);
        }
    }

    /// Keys of upstream that say something about its own generated code.
    fn read_upstream(&mut self, cx: &mut Diagnostics, keys: &mut Keys<'_, 'a>) {
        if let Some(field) = keys.take("device_guard") {
            let value = field.bool(cx);
            self.device_guard = value.map(|it| Spanned::new(it, field.key_span.clone()));
        }
        if let Some(field) = keys.take("device_check") {
            let choices = [("NoCheck", false), ("ExactSame", true)];
            self.device_check = field.choice(cx, &choices).unwrap_or(true);
        }
        if let Some(field) = keys.take("autogen") {
            let text = field.string(cx);
            let names = text.map(|it| split(&it, ", ")).unwrap_or_default();
            let names = names.iter().filter(|it| !it.value.is_empty() || names.len() > 1);
            self.autogen = names.filter_map(|it| parse_op_name(cx, &it.value, &it.span)).collect();
        }
        if let Some(field) = keys.take("cpp_no_default_args") {
            self.no_default = field.list(cx);
        }
        if let Some(field) = keys.take("manual_kernel_registration") {
            self.manual_kernel = field.bool(cx).filter(|it| *it).map(|_| field.key_span);
        }
        if let Some(field) = keys.take("manual_cpp_binding") {
            self.manual_binding = field.bool(cx).unwrap_or_default();
        }
        if let Some(field) = keys.take("use_const_ref_for_mutable_tensors") {
            field.bool(cx);
        }
    }

    /// Keys that upstream does not have.
    fn read_ours(&mut self, cx: &mut Diagnostics, keys: &mut Keys<'_, 'a>) {
        if let Some(field) = keys.take("doc") {
            self.doc = field.string(cx).map(|it| it.value.trim().to_owned()).unwrap_or_default();
        }
        if let Some(field) = keys.take("python") {
            self.python = python::read(cx, &field);
        }
        if let Some(field) = keys.take("gil") {
            let choices = [("auto", Gil::Auto), ("release", Gil::Release), ("hold", Gil::Hold)];
            self.gil = field.choice(cx, &choices).unwrap_or_default();
        }
        if let Some(field) = keys.take("since") {
            // A version such as 0.1 is a number to YAML.
            let text = field.node.text().filter(|_| !field.node.is_null()).map(str::to_owned);
            if text.is_none() {
                field.wrong(cx, "a version");
            }
            self.since = text;
        }
        if let Some(field) = keys.take("deprecated") {
            self.deprecated = Some(field.node.clone());
        }
    }

    /// Compares the keys with the schema and each other. `before` is the
    /// number of errors when the entry began.
    pub(crate) fn finish(
        mut self,
        cx: &mut Diagnostics,
        before: usize,
        from_file: bool,
        tags: &[&str],
        broken: &mut Vec<OpName>,
    ) -> Option<Entry<'a>> {
        let name = self.schema.name.take();
        rules::check_keys(cx, &self, tags);
        if let Some(schema) = self.schema.schema.take() {
            validate::validate(cx, &schema);
            rules::check(cx, &self, &schema, from_file);
            if cx.error_count() == before {
                let deprecated = self.deprecated.take();
                return Some(Entry { overload: self.into_overload(schema), deprecated });
            }
        }
        broken.extend(name.map(|it| it.value));
        None
    }

    /// Where it says that the operator itself is structured.
    fn structured_span(&self) -> Option<&Span> {
        match &self.structured {
            Structured::Function(span) => Some(span),
            Structured::Rule(rule) => Some(&rule.span),
            Structured::No | Structured::Delegate(_) => None,
        }
    }

    /// Which tensor options the operator has in Python.
    fn options(&self, schema: &Schema) -> OptionsCategory {
        self.category.unwrap_or_else(|| category(schema))
    }

    fn into_overload(self, schema: Schema) -> Overload {
        let options = self.options(&schema);
        let structured = match self.delegate {
            Some(delegate) => Structured::Delegate(delegate),
            None => self.structured,
        };
        Overload {
            span: schema.span.clone(),
            schema,
            line: self.line,
            origin: self.origin,
            function: self.function,
            method: self.method,
            dispatch: self.dispatch,
            has_dispatch: self.dispatch_span.is_some(),
            structured,
            python_module: match self.python_module {
                Some(module) => PythonModule::Sub(module.value),
                None => PythonModule::Root,
            },
            options,
            tags: self.tags,
            doc: self.doc,
            python: self.python,
            gil: self.gil,
            since: self.since,
            autogen: self.autogen,
            no_default: self.no_default,
            device_check: self.device_check,
            device_guard: self.device_guard.is_none_or(|it| it.value),
            manual_kernel: self.manual_kernel.is_some(),
            manual_binding: self.manual_binding,
        }
    }
}

/// Which tensor options an operator has in Python if its entry does not say.
fn category(schema: &Schema) -> OptionsCategory {
    let name = schema.name.base.to_string();
    if name.starts_with("new_") {
        OptionsCategory::New
    } else if name.ends_with("_like") {
        OptionsCategory::Like
    } else if schema.returns_tensors() && !schema.takes_tensors() {
        OptionsCategory::Factory
    } else {
        OptionsCategory::None
    }
}
