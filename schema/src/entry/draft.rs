//! Draft of an operator: what the keys of its entry say, before anything is compared with anything.

use super::examples;
use crate::derive::Derive;
use crate::model::{
    AliasCall, Dispatch, Foreign, Gil, OpName, OptionsCategory, Origin, Overload, ParamRange,
    Python, PythonModule, Schema, Span, Spanned, Structured,
};
use crate::parse::Parsed;
use crate::yaml::YamlNode;

/// What an entry says, before anything is compared with anything.
#[derive(Debug)]
pub(crate) struct Draft<'a> {
    pub(super) schema: Parsed,
    pub(super) origin: Origin,
    pub(super) line: usize,
    pub(super) function: bool,
    pub(super) method: bool,
    pub(super) dispatch: Vec<Dispatch>,
    /// The key `dispatch`, or all of an annotation's kernels.
    pub(super) dispatch_span: Option<Span>,
    pub(super) structured: Structured,
    pub(super) delegate: Option<Spanned<OpName>>,
    pub(super) inherits: Option<Span>,
    pub(super) precomputed: Option<(Span, Vec<Spanned<String>>)>,
    /// The key `alias_of`, and its value.
    pub(super) alias_of: Option<(Span, AliasCall)>,
    pub(super) inner_loop: Option<Span>,
    pub(super) python_module: Option<Spanned<String>>,
    pub(super) category: Option<OptionsCategory>,
    pub(super) tags: Vec<Spanned<String>>,
    pub(super) doc: String,
    pub(super) go_examples: Vec<String>,
    pub(super) python: Python,
    pub(super) c: Foreign,
    pub(super) go: Foreign,
    pub(super) gil: Gil,
    pub(super) since: Option<String>,
    pub(super) types: Option<Spanned<String>>,
    pub(super) ranges: Vec<ParamRange>,
    pub(super) autogen: Vec<Spanned<OpName>>,
    pub(super) derive: Derive,
    pub(super) no_default: Vec<Spanned<String>>,
    pub(super) device_check: bool,
    pub(super) device_guard: Option<Spanned<bool>>,
    pub(super) manual_kernel: Option<Span>,
    pub(super) manual_binding: bool,
    /// The value of `deprecated`.
    pub(super) deprecated: Option<YamlNode<'a>>,
    /// The value of `derivative`.
    pub(super) derivative: Option<YamlNode<'a>>,
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
            alias_of: None,
            inner_loop: None,
            python_module: None,
            category: None,
            tags: Vec::new(),
            doc: String::new(),
            go_examples: Vec::new(),
            python: Python::default(),
            c: Foreign::default(),
            go: Foreign::default(),
            gil: Gil::Auto,
            since: None,
            types: None,
            ranges: Vec::new(),
            autogen: Vec::new(),
            derive: Derive::default(),
            no_default: Vec::new(),
            device_check: true,
            device_guard: None,
            manual_kernel: None,
            manual_binding: false,
            deprecated: None,
            derivative: None,
        }
    }

    /// Gives it kernels that were found elsewhere than under `dispatch`.
    pub(crate) fn set_dispatch(&mut self, dispatch: Vec<Dispatch>) {
        self.dispatch_span = dispatch.first().map(|it| it.key.span.clone());
        self.dispatch = dispatch;
    }

    /// Gives it documentation that was found elsewhere than under `doc`.
    pub(crate) fn set_doc(&mut self, doc: &str) {
        (self.doc, self.go_examples) = examples::apart(doc);
    }

    /// Where it says that the operator itself is structured.
    pub(super) fn structured_span(&self) -> Option<&Span> {
        match &self.structured {
            Structured::Function(span) => Some(span),
            Structured::Rule(rule) => Some(&rule.span),
            Structured::As(other) => Some(&other.span),
            Structured::No | Structured::Delegate(_) | Structured::Copy(_) => None,
        }
    }

    /// Which tensor options the operator has in Python.
    pub(super) fn options(&self, schema: &Schema) -> OptionsCategory {
        self.category.unwrap_or_else(|| category(schema))
    }

    pub(super) fn into_overload(self, schema: Schema) -> Overload {
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
            alias_of: self.alias_of.map(|(_, written)| written),
            forward: None,
            python_module: match self.python_module {
                Some(module) => PythonModule::Sub(module.value),
                None => PythonModule::Root,
            },
            options,
            tags: self.tags,
            doc: self.doc,
            go_examples: self.go_examples,
            python: self.python,
            c: self.c,
            go: self.go,
            gil: self.gil,
            since: self.since,
            types: self.types,
            ranges: self.ranges,
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
    if schema.name.base.is_new() {
        OptionsCategory::New
    } else if schema.name.base.is_like() {
        OptionsCategory::Like
    } else if schema.returns_tensors() && !schema.takes_tensors() {
        OptionsCategory::Factory
    } else {
        OptionsCategory::None
    }
}
