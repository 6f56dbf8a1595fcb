//! One entry of an operator file: its keys, read and compared with its schema.
//!
//! What concerns several entries is the matter of `check`.

mod dispatch;
mod draft;
mod examples;
mod foreign;
mod functional;
mod python;
mod python_name;
mod ranges;
mod rules;
mod structured;
mod types;

use std::mem;

use opwright_diagnostics::diag::Diagnostics;

use crate::codes;
use crate::derive::Derive;
use crate::forward;
use crate::keys::{Field, Keys, split};
use crate::model::{Gil, OpName, OptionsCategory, Origin, Overload, Spanned};
use crate::parse::{Parsed, parse_op_name, parse_schema};
use crate::types::Natives;
use crate::validate;
use crate::yaml::YamlNode;

pub(crate) use draft::Draft;
pub use foreign::{C_KEYS, GO_KEYS};
pub use python::{KEYS as PYTHON_KEYS, MODULES};

/// A JSON Schema of operator files, by which editors complete and check them.
pub const JSON_SCHEMA: &str = include_str!("../native_functions.schema.json");

/// Every key of an entry.
pub const KEYS: [&str; 30] = [
    "func",
    "variants",
    "dispatch",
    "device_guard",
    "device_check",
    "structured",
    "structured_delegate",
    "structured_inherits",
    "precomputed",
    "alias_of",
    "autogen",
    "derive",
    "derivative",
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
    "c",
    "go",
    "gil",
    "deprecated",
    "since",
    "types",
    "ranges",
];

/// What was read so far: sound entries, and the names of the others.
#[derive(Default)]
pub(crate) struct Entries<'a> {
    pub(crate) overloads: Vec<Overload>,
    /// Values of `deprecated`, which are about other operators too.
    pub(crate) deprecated: Vec<YamlNode<'a>>,
    /// Values of `derivative`, by operator.
    pub(crate) derivatives: Vec<(OpName, YamlNode<'a>)>,
    /// Names of entries that are wrong, so that nobody reports them as missing.
    pub(crate) broken: Vec<OpName>,
}

impl<'a> Entries<'a> {
    /// Takes over what was read apart from the rest.
    pub(crate) fn append(&mut self, part: Entries<'a>) {
        self.overloads.extend(part.overloads);
        self.deprecated.extend(part.deprecated);
        self.derivatives.extend(part.derivatives);
        self.broken.extend(part.broken);
    }
}

/// What entries may name beside what is built in.
#[derive(Clone, Copy, Debug)]
pub(crate) struct KnownNames<'a> {
    pub(crate) tags: &'a [&'a str],
    pub(crate) natives: Natives<'a>,
}

/// Reads an entry of a YAML file.
pub(crate) fn read<'a>(
    cx: &mut Diagnostics,
    node: &YamlNode<'a>,
    origin: Origin,
    line: usize,
    known: KnownNames<'_>,
    entries: &mut Entries<'a>,
) {
    let before = cx.error_count();
    let Some(mut keys) = Keys::open(cx, node, "an entry") else { return };
    let start = keys.start();
    let schema = match keys.take("func") {
        Some(func) => {
            let text = func.code(cx);
            let text = text.and_then(|it| one_line(cx, it));
            text.map(|it| parse_schema(cx, known.natives, it.value, &it.span))
        }
        // Reported as an unknown key.
        None if keys.misspells("func", &KEYS) => None,
        None => {
            cx.error(codes::MISSING_KEY, &start, "this entry has no `func`")
                .help("it holds the schema: `func: name(Tensor self) -> Tensor`");
            None
        }
    };
    let schema = schema.unwrap_or(Parsed::Broken(None));
    let mut draft = Draft::new(schema, origin, line);
    draft.read_keys(cx, keys);
    draft.finish(cx, before, true, known.tags, entries);
}

/// A schema is one line to YAML, on however many lines it is written.
fn one_line<'t>(cx: &mut Diagnostics, text: Spanned<&'t str>) -> Option<Spanned<&'t str>> {
    if text.value.len() == text.span.range.len() || !text.value.trim().contains('\n') {
        return Some(text);
    }
    cx.error(codes::NOT_CANONICAL, &text.span, "line breaks in this schema are kept").help(
        "write it on one line; or begin it with `func: >`, and indent all of its lines alike",
    );
    None
}

impl<'a> Draft<'a> {
    /// Reads every key but `func`, and reports those that are not known.
    pub(crate) fn read_keys(&mut self, cx: &mut Diagnostics, keys: Keys<'_, 'a>) {
        for field in keys.rest() {
            let read = self.read_surface(cx, &field)
                || self.read_structured(cx, &field)
                || self.read_upstream(cx, &field)
                || self.read_ours(cx, &field);
            if !read {
                field.unknown(cx, &KEYS);
            }
        }
    }

    /// Where the operator shows up and what runs it.
    fn read_surface(&mut self, cx: &mut Diagnostics, field: &Field<'_, 'a>) -> bool {
        match field.key {
            "variants" => {
                let choices = [
                    ("function", (true, false)),
                    ("method", (false, true)),
                    ("function, method", (true, true)),
                    ("method, function", (true, true)),
                ];
                (self.function, self.method) = field.choice(cx, &choices).unwrap_or((true, false));
            }
            "dispatch" => {
                self.dispatch = dispatch::read(cx, field);
                self.dispatch_span = Some(field.key_span.clone());
            }
            "python_module" => self.python_module = field.string(cx),
            "category_override" => {
                let choices = [
                    ("factory", OptionsCategory::Factory),
                    ("like", OptionsCategory::Like),
                    ("new", OptionsCategory::New),
                    ("dummy", OptionsCategory::None),
                ];
                self.category = field.choice(cx, &choices);
            }
            "tags" => self.tags = field.texts(cx),
            _ => return false,
        }
        true
    }

    fn read_structured(&mut self, cx: &mut Diagnostics, field: &Field<'_, 'a>) -> bool {
        match field.key {
            "structured" => self.structured = structured::structured(cx, field),
            "structured_delegate" => self.delegate = structured::delegate(cx, field),
            "structured_inherits" => {
                structured::inherits(cx, field);
                self.inherits = Some(field.key_span.clone());
            }
            "precomputed" => {
                let replaced = structured::precomputed(cx, field);
                self.precomputed = Some((field.key_span.clone(), replaced));
            }
            "ufunc_inner_loop" => {
                structured::inner_loop(cx, field);
                self.inner_loop = Some(field.key_span.clone());
            }
            _ => return false,
        }
        true
    }

    /// Keys of upstream that say something about its own generated code.
    fn read_upstream(&mut self, cx: &mut Diagnostics, field: &Field<'_, 'a>) -> bool {
        match field.key {
            "device_guard" => {
                let value = field.bool(cx);
                self.device_guard = value.map(|it| Spanned::new(it, field.key_span.clone()));
            }
            "device_check" => {
                let choices = [("NoCheck", false), ("ExactSame", true)];
                self.device_check = field.choice(cx, &choices).unwrap_or(true);
            }
            "autogen" => self.autogen = autogen(cx, field),
            "cpp_no_default_args" => self.no_default = field.list(cx),
            "manual_kernel_registration" => {
                let manual = field.bool(cx).unwrap_or_default();
                self.manual_kernel = manual.then(|| field.key_span.clone());
            }
            "manual_cpp_binding" => self.manual_binding = field.bool(cx).unwrap_or_default(),
            // About the C++ type of a parameter: checked and forgotten.
            "use_const_ref_for_mutable_tensors" => {
                field.bool(cx);
            }
            _ => return false,
        }
        true
    }

    /// Keys that upstream does not have.
    fn read_ours(&mut self, cx: &mut Diagnostics, field: &Field<'_, 'a>) -> bool {
        match field.key {
            "doc" => {
                let text = field.string(cx);
                self.set_doc(&text.map(|it| it.value).unwrap_or_default());
            }
            "python" => self.python = python::read(cx, field),
            "c" => self.c = foreign::c(cx, field),
            "go" => self.go = foreign::go(cx, field),
            "gil" => {
                let choices = [("auto", Gil::Auto), ("release", Gil::Release), ("hold", Gil::Hold)];
                self.gil = field.choice(cx, &choices).unwrap_or_default();
            }
            "since" => {
                // A version such as 0.1 is a number to YAML.
                let text = field.node.text().filter(|_| !field.node.is_null());
                if text.is_none() {
                    field.wrong(cx, "a version");
                }
                self.since = text.map(str::to_owned);
            }
            "types" => self.types = types::read(cx, field),
            "ranges" => self.ranges = ranges::read(cx, field),
            "derivative" => self.derivative = Some(field.node.clone()),
            "derive" => self.derive = Derive::read(cx, field),
            "deprecated" => self.deprecated = Some(field.node.clone()),
            "alias_of" => {
                self.alias_of = forward::read(cx, field).map(|it| (field.key_span.clone(), it));
            }
            _ => return false,
        }
        true
    }

    /// Compares the keys with the schema and each other. `before` is the
    /// number of errors when the entry began.
    pub(crate) fn finish(
        mut self,
        cx: &mut Diagnostics,
        before: usize,
        from_file: bool,
        tags: &[&str],
        entries: &mut Entries<'a>,
    ) {
        rules::check_keys(cx, &self, tags);
        let schema = match mem::replace(&mut self.schema, Parsed::Broken(None)) {
            Parsed::Sound(schema) => schema,
            Parsed::Broken(name) => {
                entries.broken.extend(name);
                return;
            }
        };
        validate::validate(cx, &schema);
        rules::check(cx, &self, &schema, from_file);
        if let Some(types) = &self.types {
            types::check(cx, types, &schema);
        }
        ranges::check(cx, &self.ranges, &schema);
        if cx.error_count() > before {
            entries.broken.push(schema.name);
            return;
        }
        entries.deprecated.extend(self.deprecated.take());
        let derivative = self.derivative.take();
        entries.derivatives.extend(derivative.map(|it| (schema.name.clone(), it)));
        let derive = mem::take(&mut self.derive);
        let mut overload = self.into_overload(schema);
        let variants = derive.variants(cx, &mut overload);
        entries.overloads.push(overload);
        entries.overloads.extend(variants);
    }
}

/// `name.out, name`.
fn autogen(cx: &mut Diagnostics, field: &Field<'_, '_>) -> Vec<Spanned<OpName>> {
    let Some(text) = field.str(cx).filter(|it| !it.value.is_empty()) else { return Vec::new() };
    let names = split(text.value, &text.span, ", ");
    names.filter_map(|it| parse_op_name(cx, it.value, &it.span)).collect()
}
