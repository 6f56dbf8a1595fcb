//! The schema of an operator that is defined at run time, read and checked by the code that reads
//! operator files.

use opwright_diagnostics::{Diagnostic, Diagnostics, Sources, Span, Spanned, render};
use opwright_runtime::op::{Constant, Param, Sets, Slot, Type};
use opwright_runtime::resolve::MAX_PARAMS;
use opwright_runtime::{DType, Device, Layout, MemoryFormat, Reduction};
use opwright_schema::model::{self, AliasTarget, Annotation, BaseType, Default, Role, Schema};
use opwright_schema::names::is_python_keyword;
use opwright_schema::parse::parse_schema;
use opwright_schema::types::{NativeType, Natives, Values};
use opwright_schema::{codes, tags, validate};

use crate::object::native;

/// What messages call the text of a schema.
const SOURCE: &str = "<schema>";

/// What a schema declares, kept for the rest of the process, as generated rows are.
pub(super) struct Declared {
    /// `my::name`
    pub(super) name: &'static str,
    /// `my`
    pub(super) namespace: &'static str,
    /// `name`, with the overload's name if it has one: `name_Tensor`.
    pub(super) attribute: &'static str,
    /// The schema.
    pub(super) schema: &'static str,
    /// The same, as it was read.
    pub(super) model: Box<Schema>,
    pub(super) params: &'static [Param],
    pub(super) results: &'static [Slot],
}

/// Reads and checks a schema; `taken` says whether a word is the name of an operator.
///
/// # Errors
///
/// Every mistake at its place, as text.
pub(super) fn read(text: &str, taken: &dyn Fn(&str) -> bool) -> Result<Declared, String> {
    let mut sources = Sources::new();
    let id = sources.add(SOURCE, text);
    let natives: Vec<NativeType> =
        native::names().zip(0..).map(|(it, at)| NativeType::new(it, it, at)).collect();
    let mut cx = Diagnostics::new();
    let place = Span::new(id, 0..text.len());
    let schema = parse_schema(&mut cx, Natives::Of(&natives), text, &place).sound();
    if let Some(schema) = &schema {
        validate::validate(&mut cx, schema);
        check(&mut cx, schema, taken);
    }
    let declared = schema.filter(|_| cx.error_count() == 0).and_then(|it| declared(&mut cx, &it));
    match (cx.finish(), declared) {
        (Ok(_), Some(declared)) => Ok(declared),
        (Ok(_), None) => Err("the schema cannot be read".to_owned()),
        (Err(mistakes), _) => Err(shown(&sources, &mistakes)),
    }
}

/// Mistakes as text.
pub(super) fn shown(sources: &Sources, mistakes: &[Diagnostic]) -> String {
    render(sources, mistakes).trim_end().to_owned()
}

/// Checks tags.
///
/// # Errors
///
/// The first one that is unknown, and those that are known.
pub(super) fn check_tags(given: &[String]) -> Result<(), String> {
    match given.iter().find(|it| !tags::BUILT_IN.contains(&it.as_str())) {
        Some(tag) => Err(format!("unknown tag {tag:?}; there are: {}", tags::BUILT_IN.join(", "))),
        None => Ok(()),
    }
}

/// What holds of operators of Python beside what holds of all.
fn check(cx: &mut Diagnostics, schema: &Schema, taken: &dyn Fn(&str) -> bool) {
    let place = &schema.name_span;
    match &schema.name.namespace {
        None => {
            let base = schema.name.base.to_string();
            cx.error(codes::EXPECTED, place, format_args!("`{base}` has no namespace"))
                .help(format_args!("operators of Python are in one of yours: `my::{base}`"));
        }
        Some(name) if name.contains("::") => {
            cx.error(codes::NAMESPACE, place, format_args!("`{name}` is more than one namespace"))
                .help("write one: `my::name`");
        }
        Some(name) if taken(name) => {
            let message = format_args!("the namespace `{name}` is the name of an operator");
            cx.error(codes::DUPLICATE_OPERATOR, place, message)
                .help(format_args!("`ops.{name}` is that operator; take another word"));
        }
        Some(name) if name.starts_with('_') || is_python_keyword(name) => {
            cx.error(codes::NAME, place, format_args!("`{name}` cannot be a namespace"))
                .help("take a word that is no keyword of Python and begins with a letter");
        }
        Some(_) => {}
    }
    if is_python_keyword(&schema.name.base.to_string()) {
        let message = format_args!("`{}` is a keyword of Python", schema.name.base);
        cx.error(codes::KEYWORD_OPERATOR, place, message).help("take another name");
    }
    if schema.params.len() > MAX_PARAMS {
        let message = format_args!("{} parameters are more than {MAX_PARAMS}", schema.params.len());
        cx.error(codes::TOO_MANY_PARAMETERS, place, message).help("pass some of them as a list");
    }
    for param in &schema.params {
        if param.role == Role::Out {
            cx.error(codes::OUT_ORDER, &param.name.span, "an operator of Python has no `out`")
                .help("return the result; or write to a positional parameter: `Tensor(a!) self`");
        }
        if is_python_keyword(&param.name.value) {
            let message = format_args!("`{}` is a keyword of Python", param.name.value);
            cx.error(codes::KEYWORD_PARAMETER, &param.name.span, message)
                .help("the function has a parameter of this name; take another one");
        }
    }
}

fn declared(cx: &mut Diagnostics, schema: &Schema) -> Option<Declared> {
    let before = cx.error_count();
    let params: Vec<Param> = schema.params.iter().filter_map(|it| param(cx, it)).collect();
    let results: Vec<Slot> = schema.returns.iter().filter_map(|it| result(cx, it)).collect();
    if cx.error_count() > before {
        return None;
    }
    let overload = schema.name.overload.replace('.', "_");
    let base = schema.name.base.to_string();
    let attribute = if overload.is_empty() { base } else { format!("{base}_{overload}") };
    Some(Declared {
        name: kept(schema.name.to_string()),
        namespace: kept(schema.name.namespace.clone()?),
        attribute: kept(attribute),
        schema: kept(schema.to_string()),
        model: Box::new(schema.clone()),
        params: params.leak(),
        results: results.leak(),
    })
}

/// A text for the rest of the process.
pub(super) fn kept(text: String) -> &'static str {
    text.leak()
}

fn param(cx: &mut Diagnostics, param: &model::Param) -> Option<Param> {
    let slot =
        slot(cx, &param.name.value, &param.ty, param.annotation.as_ref().map(|it| &it.value))?;
    let mut made = Param::new(slot);
    if let Some(default) = &param.default {
        let Some(value) = constant(&default.value, param.ty.value.base()) else {
            let message =
                format_args!("`{}` has a default that Python does not have", param.name.value);
            cx.error(codes::DEFAULT, &default.span, message)
                .help("leave it out, and pass the value");
            return None;
        };
        made = made.or(value);
    }
    Some(match param.role {
        Role::Positional => made,
        Role::Keyword | Role::Option | Role::Out => made.keyword(),
    })
}

fn result(cx: &mut Diagnostics, result: &model::Return) -> Option<Slot> {
    let name = result.name.as_ref().map_or("", |it| it.value.as_str());
    slot(cx, name, &result.ty, result.annotation.as_ref().map(|it| &it.value))
}

fn slot(
    cx: &mut Diagnostics,
    name: &str,
    ty: &Spanned<model::Type>,
    annotation: Option<&Annotation>,
) -> Option<Slot> {
    let Some(found) = value_type(&ty.value) else {
        let message = format_args!("there are no values of type `{}`", ty.value);
        cx.error(codes::UNKNOWN_TYPE, &ty.span, message)
            .help("take a type that has some, such as `Tensor`, `int`, `float`, `str`");
        return None;
    };
    let slot = Slot::new(kept(name.to_owned()), found);
    Some(match annotation {
        None => slot,
        Some(it) => Slot { sets: Sets::new(&letters(it)), writes: it.write, ..slot },
    })
}

/// The letters before and after the arrow.
fn letters(annotation: &Annotation) -> String {
    let mut letters: String = annotation.before.iter().collect();
    match &annotation.after {
        Some(AliasTarget::Sets(after)) => letters.extend(after),
        Some(AliasTarget::Wildcard) => letters.push('*'),
        None => {}
    }
    letters
}

/// The type as rows have it; none if there are no values of it.
fn value_type(ty: &model::Type) -> Option<Type> {
    Some(match ty {
        model::Type::Base(base) => base_type(base)?,
        model::Type::Optional(inner) => Type::Optional(Box::leak(Box::new(value_type(inner)?))),
        model::Type::List(element, size) => {
            Type::List(Box::leak(Box::new(value_type(element)?)), *size)
        }
    })
}

fn base_type(base: &BaseType) -> Option<Type> {
    Some(match base {
        BaseType::Tensor => Type::Tensor,
        BaseType::Int => Type::Int,
        BaseType::SymInt => Type::SymInt,
        BaseType::DeviceIndex => Type::DeviceIndex,
        BaseType::Bool => Type::Bool,
        BaseType::SymBool => Type::SymBool,
        BaseType::Float => Type::Float,
        BaseType::Scalar => Type::Scalar,
        BaseType::Str => Type::Str,
        BaseType::ScalarType => Type::ScalarType,
        BaseType::Layout => Type::Layout,
        BaseType::Device => Type::Device,
        BaseType::MemoryFormat => Type::MemoryFormat,
        BaseType::Reduction => Type::Reduction,
        BaseType::Generator => Type::Generator,
        BaseType::Storage => Type::Storage,
        BaseType::Native(native) => Type::Native(native.name(), native.number()),
        other => match other.row().values {
            Values::StrEnum(row) => Type::StrEnum(row),
            _ => return None,
        },
    })
}

fn constant(default: &Default, base: &BaseType) -> Option<Constant> {
    Some(match default {
        Default::None => Constant::None,
        Default::Bool(it) => Constant::Bool(*it),
        Default::Int(it) => Constant::Int(*it),
        Default::Float(it, _) => Constant::Float(*it),
        Default::Complex(re, im, _) => Constant::Complex(*re, *im),
        Default::IntList(items) => Constant::Ints(items.clone().leak()),
        Default::List(items) => {
            let items = items.iter().map(|it| constant(it, base)).collect::<Option<Vec<_>>>()?;
            Constant::List(items.leak())
        }
        Default::Str(word, _) if *base == BaseType::Device => named(word, base)?,
        Default::Str(text, _) if !text.contains('\\') => Constant::Str(kept(text.clone())),
        Default::Str(..) => return None,
        Default::Name(word) => named(word, base)?,
    })
}

/// The value of a word.
fn named(word: &str, base: &BaseType) -> Option<Constant> {
    let value = base.word(word)?;
    fn of<T: std::fmt::Debug>(all: impl IntoIterator<Item = T>, value: &str) -> Option<T> {
        all.into_iter().find(|it| format!("{it:?}") == value)
    }
    match base {
        BaseType::ScalarType => of(DType::ALL, value).map(Constant::DType),
        BaseType::Device => of(Device::ALL, value).map(Constant::Device),
        BaseType::Layout => of(Layout::ALL, value).map(Constant::Layout),
        BaseType::MemoryFormat => of(MemoryFormat::ALL, value).map(Constant::MemoryFormat),
        BaseType::Reduction => of(Reduction::ALL, value).map(Constant::Reduction),
        _ => value.parse().ok().map(Constant::Int),
    }
}
