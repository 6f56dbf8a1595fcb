//! In-place and out variants that follow from a functional operator, and copies that follow from a
//! view: those of annotations, and of entries with the key `derive`.
//!
//! ```text
//! shrink(Tensor self, float by=0.5) -> Tensor          derive: [inplace, out]
//! shrink_(Tensor(a!) self, float by=0.5) -> Tensor(a!)
//! shrink.out(Tensor self, float by=0.5, *, Tensor(a!) out) -> Tensor(a!)
//!
//! row(Tensor(a) self, int at) -> Tensor(a)             derive: copy
//! row_copy(Tensor self, int at) -> Tensor
//! row_copy.out(Tensor self, int at, *, Tensor(a!) out) -> Tensor(a!)
//! ```
//!
//! They are like the operator in all that is said of it. If it is structured, the out variant has
//! its kernels and its rule, and the others delegate to it. If it is an alias, they are aliases of
//! the variants of its target, whatever these are called; an out variant is one of the target itself
//! if that has none with a kernel. An overload that takes names of dimensions is declared alone, and
//! so are they. Of any other operator, the out variant copies the results.
//!
//! The copy of a view and its out variant are aliases of the view, which copy what it returns; they
//! are functions, and have the gradient of the view. Blocks of code in the documentation of the view
//! that call the copy are the copy's.

use std::mem;

use opwright_diagnostics::diag::Diagnostics;

use crate::codes;
use crate::keys::Field;
use crate::model::{
    AliasCall, Annotation, BaseName, BaseType, Foreign, Gil, Kind, OpName, Overload, Param, Python,
    Return, Role, Schema, Span, Spanned, Structured, Type,
};
use crate::parse::parse_op_name;

/// What follows from the function that an operator is annotated at.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Derives {
    /// The operator alone.
    #[default]
    Nothing,
    /// It fills results that look as its rule says: the out variant is the
    /// structured one, and the others delegate to it.
    Structured,
    /// It returns results of its own: the out variant copies them.
    Copy,
    /// It says that there is an out variant, which is an alias of it.
    Out(Span),
}

impl Derives {
    /// The word that stands for it in a file.
    pub fn word(&self) -> &'static str {
        match self {
            Derives::Nothing => "itself alone",
            Derives::Structured => "structured",
            Derives::Copy => "copied",
            Derives::Out(_) => "out",
        }
    }

    /// What a word stands for, at a place.
    pub fn of_word(word: &str, place: &Span) -> Option<Self> {
        let all =
            [Derives::Nothing, Derives::Structured, Derives::Copy, Derives::Out(place.clone())];
        all.into_iter().find(|it| it.word() == word)
    }
}

/// The key `derive` of an entry.
#[derive(Debug, Default)]
pub(crate) struct Derive {
    inplace: Option<Spanned<Surface>>,
    /// The out variant, by its name if that does not follow from the operator's.
    out: Option<Spanned<Option<OpName>>>,
    /// The copy of a view.
    copy: Option<Span>,
}

/// Where an in-place variant shows up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Surface {
    /// Where the operator does.
    Same,
    /// As a method.
    Method,
}

/// The words of the key, beside names of out variants.
pub const WORDS: [&str; 4] = ["inplace", "inplace_method", "out", "copy"];

impl Derive {
    /// `[inplace, out]`, `[inplace_method, add.out]`.
    pub(crate) fn read(cx: &mut Diagnostics, field: &Field<'_, '_>) -> Self {
        let mut derive = Derive::default();
        for word in field.texts(cx) {
            let span = word.span.clone();
            let is_taken = match word.value.as_str() {
                "inplace" => derive.inplace.replace(Spanned::new(Surface::Same, span)).is_some(),
                "inplace_method" => {
                    derive.inplace.replace(Spanned::new(Surface::Method, span)).is_some()
                }
                "out" => derive.out.replace(Spanned::new(None, span)).is_some(),
                "copy" => derive.copy.replace(span).is_some(),
                name if name.contains('.') => {
                    let Some(name) = parse_op_name(cx, name, &span) else { continue };
                    derive.out.replace(Spanned::new(Some(name.value), span)).is_some()
                }
                _ => {
                    let message = format!("unknown value `{}` of `derive`", word.value);
                    cx.error(codes::UNKNOWN_VALUE, &word.span, message).choose(&word.value, &WORDS);
                    false
                }
            };
            if is_taken {
                let message = format!("`{}` is a second variant of one kind", word.value);
                cx.error(codes::WRONG_VALUE, &word.span, message).help("remove one of them");
            }
        }
        derive
    }

    /// An out variant follows, which can be structured in the place of the operator.
    pub(crate) fn has_out(&self) -> bool {
        self.out.is_some()
    }

    /// The variants of an entry, which comes to delegate to one of them.
    pub(crate) fn variants(self, cx: &mut Diagnostics, overload: &mut Overload) -> Vec<Overload> {
        let wanted = self.inplace.as_ref().map(|it| &it.span);
        let wanted = wanted.or(self.out.as_ref().map(|it| &it.span));
        let before = cx.error_count();
        if let Some(copy) = &self.copy {
            check_view(cx, &overload.schema, copy);
        }
        let Some(wanted) = wanted else {
            let copies = self.copy.filter(|_| cx.error_count() == before);
            return copies.map_or_else(Vec::new, |it| copies_of_view(overload, it));
        };
        check_fresh(cx, &overload.schema, wanted);
        if let Some(inplace) = &self.inplace {
            check_inplace(cx, overload, &inplace.span);
        }
        let named = self.out.as_ref().and_then(|it| Some((it.value.as_ref()?, &it.span)));
        if let Some((name, span)) = named.filter(|(it, _)| it.base != overload.schema.name.base) {
            let message = format!("`{name}` is no overload of `{}`", overload.schema.name.base);
            cx.error(codes::NAME, span, message).help("give the name of an out variant of it");
        }
        if cx.error_count() > before {
            return Vec::new();
        }
        let inplace = self.inplace.map(|it| inplace_of_entry(overload, it.value));
        let out = self.out.map(|it| it.value.unwrap_or_else(|| out_name(&overload.schema.name)));
        let out = out.map(|it| out_of_entry(overload, it));
        let mut variants: Vec<Overload> = inplace.into_iter().chain(out).collect();
        hand_on(overload, &mut variants);
        variants
    }
}

/// Says who does the work: see the top of this file. The out variant is the last one.
fn hand_on(overload: &mut Overload, variants: &mut [Overload]) {
    if let Some(written) = &overload.alias_of {
        for variant in variants {
            variant.alias_of = Some(AliasCall { of_variant: true, ..written.clone() });
        }
    } else if overload.structured != Structured::No {
        let Some((out, others)) = variants.split_last_mut() else { return };
        let place = overload.schema.name_span.clone();
        let delegate = Structured::Delegate(Spanned::new(out.schema.name.clone(), place));
        for other in others.iter_mut().chain([overload]) {
            other.dispatch = Vec::new();
            other.has_dispatch = false;
            other.structured = delegate.clone();
        }
    } else if !takes_dimension_names(&overload.schema) {
        let target = Spanned::new(overload.schema.name.clone(), overload.schema.name_span.clone());
        for variant in variants {
            variant.dispatch = Vec::new();
            variant.has_dispatch = false;
            variant.alias_of = Some(whole_call(target.clone()));
        }
    }
}

/// The call of an operator that takes the parameters of the same names.
fn whole_call(target: Spanned<OpName>) -> AliasCall {
    AliasCall { target, arguments: None, of_variant: false }
}

/// Reports an in-place variant of which nothing says how it is computed.
fn check_inplace(cx: &mut Diagnostics, overload: &Overload, span: &Span) {
    let schema = &overload.schema;
    let name = &schema.name;
    if !starts_with_self(schema) || schema.returns.len() != 1 {
        let message = format!("`{name}` returns nothing that could be written to its `self`");
        cx.error(codes::FORWARD, span, message).help("remove `inplace`");
    } else if overload.structured == Structured::No
        && overload.alias_of.is_none()
        && !takes_dimension_names(schema)
    {
        let message = format!("nothing says how `{}` is computed", inplace_name(name));
        cx.error(codes::FORWARD, span, message)
            .note("it follows from an operator that is structured, or an alias of another")
            .help("write an entry for it, and its kernel");
    }
}

fn takes_dimension_names(schema: &Schema) -> bool {
    schema.params.iter().any(|it| *it.ty.value.base() == BaseType::Dimname)
}

/// What is said of the operator, as far as it holds for a variant.
fn of_entry(overload: &Overload) -> Overload {
    let derived = |it: &Spanned<String>| it.value != CORE;
    Overload {
        tags: overload.tags.iter().filter(|it| derived(it)).cloned().collect(),
        doc: String::new(),
        go_examples: Vec::new(),
        c: Foreign::default(),
        go: Foreign::default(),
        autogen: Vec::new(),
        ..overload.clone()
    }
}

/// The tag of what other operators consist of, which is said of functional variants.
const CORE: &str = "core";

fn inplace_of_entry(overload: &Overload, surface: Surface) -> Overload {
    let python = Python {
        name: None,
        operators: overload.python.operators.iter().filter_map(augmented).collect(),
        aliases: overload.python.aliases.iter().map(inplace_alias).collect(),
        functional: None,
        ..overload.python.clone()
    };
    Overload {
        schema: inplace_schema(&overload.schema),
        function: overload.function && surface == Surface::Same,
        method: overload.method || surface == Surface::Method,
        python,
        ..of_entry(overload)
    }
}

/// What Python calls the operators that it has assignments of, without underscores.
const AUGMENTED: &str = "add sub mul matmul truediv floordiv mod pow lshift rshift and xor or";

/// `__iadd__` of `__add__`.
fn augmented(operator: &Spanned<String>) -> Option<Spanned<String>> {
    let name = operator.value.strip_prefix("__")?.strip_suffix("__")?;
    let is_known = AUGMENTED.split(' ').any(|it| it == name);
    is_known.then(|| Spanned::new(format!("__i{name}__"), operator.span.clone()))
}

fn inplace_alias(alias: &Spanned<String>) -> Spanned<String> {
    Spanned::new(format!("{}_", alias.value), alias.span.clone())
}

fn out_of_entry(overload: &Overload, name: OpName) -> Overload {
    let out = out(&of_entry(overload));
    Overload { schema: Schema { name, ..out.schema }, ..out }
}

fn check_view(cx: &mut Diagnostics, schema: &Schema, span: &Span) {
    if schema.kind() != Kind::Functional || !schema.returns_views() {
        let message = format!("`{}` does not return views", schema.name);
        cx.error(codes::FORWARD, span, message)
            .note("`copy` says that there is an operator that copies what a view returns")
            .help("remove `copy`");
    }
}

/// The tag of operators that copy what a view returns, by which they are known to have its gradient.
const VIEW_COPY: &str = "view_copy";

/// `name_copy` of the view `name`, and its out variant.
fn copies_of_view(view: &mut Overload, span: Span) -> Vec<Overload> {
    let doc = copy_doc(view);
    let origin = &view.schema.name;
    let whole = || whole_call(Spanned::new(origin.clone(), view.schema.name_span.clone()));
    let copy = of_entry(view);
    let copy = Overload {
        schema: copy_schema(&view.schema),
        function: true,
        method: false,
        dispatch: Vec::new(),
        has_dispatch: false,
        alias_of: Some(view.alias_of.clone().unwrap_or_else(whole)),
        tags: copy.tags.iter().cloned().chain([Spanned::new(VIEW_COPY.to_owned(), span)]).collect(),
        doc,
        python: Python {
            skip: false,
            name: None,
            operators: Vec::new(),
            aliases: Vec::new(),
            functional: None,
            ..copy.python.clone()
        },
        gil: Gil::Auto,
        types: None,
        ..copy
    };
    let out = Overload { doc: String::new(), ..out(&copy) };
    vec![copy, out]
}

/// The documentation of the copy, which receives the view's blocks of code that call it.
fn copy_doc(view: &mut Overload) -> String {
    if view.doc.is_empty() {
        return String::new();
    }
    let name = view.schema.name.base.clone();
    let call = format!("{name}_copy(");
    let (of_copy, of_view): (Vec<&str>, Vec<&str>) =
        blocks(&view.doc).into_iter().partition(|it| it.starts_with(FENCE) && it.contains(&call));
    let doc =
        format!("What `{name}` returns, copied: it shares no memory with the input. See `{name}`.");
    let doc = of_copy.iter().fold(doc, |doc, it| format!("{doc}\n\n{}", it.trim_end()));
    view.doc = of_view.concat().trim_end().to_owned();
    doc
}

const FENCE: &str = "```";

/// Blocks of code with their fences, and what stands between them.
fn blocks(doc: &str) -> Vec<&str> {
    let mut fences = doc.match_indices(FENCE).map(|it| it.0);
    let (mut blocks, mut from) = (Vec::new(), 0);
    while let (Some(open), Some(close)) = (fences.next(), fences.next()) {
        let end = close + FENCE.len();
        blocks.extend([&doc[from..open], &doc[open..end]]);
        from = end;
    }
    blocks.push(&doc[from..]);
    blocks
}

/// `name_copy`, which has nothing in common with its arguments.
fn copy_schema(schema: &Schema) -> Schema {
    let base = &schema.name.base;
    let base = BaseName { root: format!("{}_copy", base.root), ..base.clone() };
    let fresh = |it: &Param| Param { annotation: None, ..it.clone() };
    Schema {
        name: OpName { base, ..schema.name.clone() },
        params: schema.params.iter().map(fresh).collect(),
        returns: schema
            .returns
            .iter()
            .map(|it| Return { annotation: None, ..it.clone() })
            .collect(),
        ..schema.clone()
    }
}

/// The variants of an operator, which comes to delegate to one of them.
pub(crate) fn variants(
    cx: &mut Diagnostics,
    overload: &mut Overload,
    derives: &Derives,
) -> Vec<Overload> {
    if !returns_fresh(&overload.schema) {
        if let Derives::Out(span) = derives {
            check_fresh(cx, &overload.schema, span);
        }
        return Vec::new();
    }
    match derives {
        Derives::Nothing => Vec::new(),
        Derives::Structured => structured(overload),
        Derives::Copy => vec![copying(overload)],
        Derives::Out(_) => vec![alias(overload)],
    }
}

fn returns_fresh(schema: &Schema) -> bool {
    let fresh = |it: &Return| it.ty.value.is_tensor() && it.annotation.is_none();
    let functional = schema.kind() == Kind::Functional && !schema.returns.is_empty();
    functional && schema.returns.iter().all(fresh)
}

fn check_fresh(cx: &mut Diagnostics, schema: &Schema, span: &Span) {
    if !returns_fresh(schema) {
        let message = format!("`{}` does not return new tensors", schema.name);
        cx.error(codes::FORWARD, span, message)
            .note("`out` says that a caller may pass tensors for them")
            .help("remove `out`");
    }
}

fn structured(overload: &mut Overload) -> Vec<Overload> {
    let schema = &overload.schema;
    let place = schema.name_span.clone();
    let delegate = Structured::Delegate(Spanned::new(out_name(&schema.name), place.clone()));
    let dispatch = mem::take(&mut overload.dispatch);
    overload.has_dispatch = false;
    overload.structured = delegate.clone();
    let own = Structured::Function(place);
    let out = Overload { dispatch, has_dispatch: true, structured: own, ..out(overload) };
    let changes = overload.schema.returns.len() == 1 && takes_self(&overload.schema);
    let inplace = changes.then(|| inplace(overload));
    [out].into_iter().chain(inplace).collect()
}

fn copying(overload: &Overload) -> Overload {
    let origin = &overload.schema;
    let source = Spanned::new(origin.name.clone(), origin.name_span.clone());
    Overload {
        dispatch: Vec::new(),
        has_dispatch: false,
        structured: Structured::Copy(source),
        ..out(overload)
    }
}

/// The out variant that hands on to the operator.
pub(crate) fn alias(overload: &Overload) -> Overload {
    let origin = &overload.schema;
    let target = Spanned::new(origin.name.clone(), origin.name_span.clone());
    Overload {
        dispatch: Vec::new(),
        has_dispatch: false,
        structured: Structured::No,
        alias_of: Some(whole_call(target)),
        ..out(overload)
    }
}

/// The variant with out parameters, which is no method.
fn out(overload: &Overload) -> Overload {
    let python = Python {
        skip: overload.python.skip || !overload.function,
        operators: Vec::new(),
        functional: None,
        ..overload.python.clone()
    };
    Overload {
        schema: out_schema(&overload.schema),
        function: true,
        method: false,
        python,
        ..overload.clone()
    }
}

fn inplace(overload: &Overload) -> Overload {
    let python = Python {
        name: None,
        operators: Vec::new(),
        aliases: Vec::new(),
        functional: None,
        ..overload.python.clone()
    };
    Overload { schema: inplace_schema(&overload.schema), python, ..overload.clone() }
}

/// An in-place variant follows without a word: `__and__` is no name that implies `__iand__`.
fn takes_self(schema: &Schema) -> bool {
    starts_with_self(schema) && !schema.name.base.dunder
}

fn starts_with_self(schema: &Schema) -> bool {
    let receiver = schema.params.first().filter(|it| it.name.value == "self");
    receiver.is_some_and(|it| it.ty.value.is_tensor())
}

/// `name_`, `__iname__`.
pub(crate) fn inplace_name(name: &OpName) -> OpName {
    let base = BaseName { inplace: true, ..name.base.clone() };
    OpName { base, ..name.clone() }
}

fn inplace_schema(schema: &Schema) -> Schema {
    let mut params = schema.params.clone();
    params[0].annotation = Some(written('a', &params[0].name));
    let returns = written_returns(schema);
    Schema { name: inplace_name(&schema.name), params, returns, ..schema.clone() }
}

/// Out parameters are called like the results, or `out`, or `out0`, `out1`.
pub(crate) fn out_schema(schema: &Schema) -> Schema {
    let single = schema.returns.len() == 1;
    let outs = schema.returns.iter().zip('a'..).enumerate().map(|(idx, (result, letter))| {
        let invented = if single { "out".to_owned() } else { format!("out{idx}") };
        let name = match &result.name {
            Some(name) if !single => name.clone(),
            Some(_) | None => Spanned::new(invented, result.ty.span.clone()),
        };
        let annotation = Some(written(letter, &name));
        Param { annotation, name, ty: result.ty.clone(), default: None, role: Role::Out }
    });
    let params = schema.params.iter().cloned().chain(outs).collect();
    // Lists of tensors that were written to are not returned.
    let has_lists = schema.returns.iter().any(|it| matches!(it.ty.value, Type::List(..)));
    let returns = if has_lists { Vec::new() } else { written_returns(schema) };
    Schema { name: out_name(&schema.name), params, returns, ..schema.clone() }
}

fn written_returns(schema: &Schema) -> Vec<Return> {
    let returns = schema.returns.iter().zip('a'..).map(|(result, letter)| {
        let place = Spanned::new(String::new(), result.ty.span.clone());
        Return { annotation: Some(written(letter, &place)), ..result.clone() }
    });
    returns.collect()
}

/// `(a!)`, at the place of a name.
fn written(letter: char, place: &Spanned<String>) -> Spanned<Annotation> {
    let annotation = Annotation { before: vec![letter], write: true, after: None };
    Spanned::new(annotation, place.span.clone())
}

/// `name.out`, `name.Tensor_out`.
pub fn out_name(name: &OpName) -> OpName {
    let base = BaseName { inplace: false, functional: false, ..name.base.clone() };
    let overload = match name.overload.as_str() {
        "" => "out".to_owned(),
        overload => format!("{overload}_out"),
    };
    OpName { base, overload, namespace: name.namespace.clone() }
}
