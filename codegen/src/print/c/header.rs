//! Prints the header of a library for C.

use std::fmt::Write;

use opwright_schema::dtypes;
use opwright_schema::model::{OpSet, Origin};
use opwright_schema::tables::enumeration::ScalarKind;
use opwright_schema::tables::{Device, ErrorKind, Layout, MemoryFormat, Reduction, str_enum};
use opwright_schema::types::{InC, NativeType};

use super::fixed::{Prototype, SECTIONS};
use super::model::{CFunction, CParameter, functions, submodule};
use super::structs::{Record, RecordField, accessors, handles, records};
use super::types::{CType, prefixed};

/// What the header is of.
#[derive(Clone, Copy, Debug)]
pub struct Header<'a> {
    /// What its names begin with.
    pub prefix: &'a str,
    /// What the library is called.
    pub library: &'a str,
}

/// No line of a comment or a declaration is longer, if it can be broken.
const WIDTH: usize = 100;

/// The text of the header.
pub fn print(header: &Header<'_>, ops: &OpSet) -> String {
    let prefix = header.prefix;
    let mut out = opening(header);
    out += &prefixed(&constants(), prefix);
    out += &prefixed(TYPES, prefix);
    out += &types(prefix, &ops.natives);
    for section in &SECTIONS {
        heading(&mut out, section.title);
        for prototype in section.prototypes() {
            out += &fixed(prefix, &prototype);
        }
    }
    out += &of_types(prefix, &ops.natives);
    let mut module = None;
    for function in functions(prefix, ops) {
        let own = submodule(function.overload);
        if module.replace(own.to_owned()).is_none_or(|it| it != own) {
            let title =
                if own.is_empty() { "Operators".to_owned() } else { format!("Operators: {own}") };
            heading(&mut out, &title);
        }
        out += &operator(prefix, &function);
    }
    out += &closing(prefix);
    out
}

/// Names of constants and their numbers.
type Constants = Vec<(String, i32)>;

fn guard(prefix: &str) -> String {
    format!("{}_H", prefix.to_uppercase())
}

fn opening(header: &Header<'_>) -> String {
    let Header { prefix, library } = header;
    let (guard, upper) = (guard(prefix), prefix.to_uppercase());
    format!(
        "\
/* {library} for C.
 *
 * Generated from the descriptions of its operators by opwright-codegen. Do not edit.
 *
 * Functions that can fail return NULL, or an error that the caller frees. Then no result is written.
 * A result pointer may be NULL: the result is discarded. Results belong to the caller; arguments
 * are only lent. Where the comment of a parameter's type says `?`, NULL (for numbers and objects)
 * or the `_NONE` constant (for the others) is none.
 */
#ifndef {guard}
#define {guard}

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(_WIN32) && !defined({upper}_STATIC)
#define {upper}_API __declspec(dllimport)
#elif defined(__GNUC__)
#define {upper}_API __attribute__((visibility(\"default\")))
#else
#define {upper}_API
#endif

#ifdef __cplusplus
extern \"C\" {{
#endif

"
    )
}

fn closing(prefix: &str) -> String {
    let guard = guard(prefix);
    format!("#ifdef __cplusplus\n}}\n#endif\n\n#endif /* {guard} */\n")
}

/// The constants, as lists of names and numbers.
fn constants() -> String {
    let dtypes = dtypes::ROWS.iter().map(|it| (it.name.to_uppercase(), i32::from(it.number)));
    let mut dtypes: Vec<_> = dtypes.collect();
    dtypes.sort_by_key(|it| it.1);
    let tables: [(&str, &str, Constants); 6] = [
        (
            "The type of a tensor's elements.",
            "dtype",
            none("DTYPE").into_iter().chain(dtypes).collect(),
        ),
        (
            "How a tensor finds its elements.",
            "layout",
            none("LAYOUT").into_iter().chain(numbers(Layout::CONSTANTS)).collect(),
        ),
        (
            "Where a tensor's memory is.",
            "device",
            none("DEVICE").into_iter().chain(numbers(Device::CONSTANTS)).collect(),
        ),
        (
            "The order of dimensions in memory that a caller wishes for.",
            "memory_format",
            none("MEMORY_FORMAT").into_iter().chain(numbers(MemoryFormat::CONSTANTS)).collect(),
        ),
        (
            "Which kind of number a scalar is.",
            "scalar_kind",
            numbers(ScalarKind::CONSTANTS).collect(),
        ),
        (
            "What went wrong.",
            "error_kind",
            numbers(ErrorKind::CONSTANTS).chain(numbers(&[ErrorKind::PANIC])).collect(),
        ),
    ];
    let mut out = String::from("/* major << 16 | minor */\n#define _ABI_VERSION 0x00000001u\n\n");
    for (doc, name, constants) in tables {
        let _ =
            write!(out, "/** {doc} */\ntypedef int32_t _{name};\n{}\n", enumeration(&constants));
    }
    let reduction: Constants = numbers(Reduction::CONSTANTS).collect();
    let _ = write!(out, "/** What parameters `reduction` take. */\n{}\n", enumeration(&reduction));
    for row in str_enum::ROWS {
        let _ = writeln!(out, "/**{} */", row.doc);
        for (name, word) in row.constants() {
            let _ = writeln!(out, "#define _{name} \"{word}\"");
        }
        out.push('\n');
    }
    out
}

fn numbers(constants: &[(&str, i32)]) -> impl Iterator<Item = (String, i32)> {
    constants.iter().map(|(name, number)| ((*name).to_owned(), *number))
}

fn none(of: &str) -> Constants {
    vec![(format!("{of}_NONE"), -1)]
}

fn enumeration(constants: &[(String, i32)]) -> String {
    let lines: Vec<String> =
        constants.iter().map(|(name, it)| format!("  _{name} = {it}")).collect();
    format!("enum {{\n{}\n}};\n", lines.join(",\n"))
}

const TYPES: &str = "\
/** A handle: a reference to a tensor. */
typedef struct _tensor _tensor;
/** A source of random numbers. */
typedef struct _generator _generator;
/** The memory of tensors. */
typedef struct _storage _storage;
/** Parameters, and how they are learnt. */
typedef struct _optimizer _optimizer;

/** A number: `i` for bool and int, `re` for float, `re` and `im` for complex. */
typedef struct _scalar {
  _scalar_kind kind;
  int64_t i;
  double re;
  double im;
} _scalar;

/** Why a call failed. */
typedef struct _error {
  const char *message; /* UTF-8, never NULL */
  const char *op;      /* the operator or function, or NULL */
  _error_kind kind;
} _error;

/** Tensors, some of which may be NULL where a schema says `Tensor?`. */
typedef struct _tensor_list {
  _tensor **data;
  size_t len;
} _tensor_list;

/** Integers. */
typedef struct _int_list {
  int64_t *data;
  size_t len;
} _int_list;

/** A tensor in a file; NULL in its place keeps it from being freed with the list. */
typedef struct _named_tensor {
  const char *name;
  _tensor *tensor;
} _named_tensor;

/** Tensors in a file. */
typedef struct _named_tensor_list {
  _named_tensor *data;
  size_t len;
} _named_tensor_list;

/** A function for C, and the operator that it calls. */
typedef struct _operator {
  const char *name;     /* `add.Tensor` */
  const char *schema;
  const char *function; /* `_add_tensor` */
} _operator;

/* Declared by `dlpack.h`, which says what is in them. */
struct DLManagedTensor;
struct DLManagedTensorVersioned;

/** What frees memory that a tensor was made over. */
typedef void (*_deleter)(void *context);

static inline _scalar _scalar_bool(bool value) {
  _scalar scalar = {_SCALAR_BOOL, 0, 0.0, 0.0};
  scalar.i = value;
  return scalar;
}

static inline _scalar _scalar_int(int64_t value) {
  _scalar scalar = {_SCALAR_INT, 0, 0.0, 0.0};
  scalar.i = value;
  return scalar;
}

static inline _scalar _scalar_float(double value) {
  _scalar scalar = {_SCALAR_FLOAT, 0, 0.0, 0.0};
  scalar.re = value;
  return scalar;
}

static inline _scalar _scalar_complex(double re, double im) {
  _scalar scalar = {_SCALAR_COMPLEX, 0, 0.0, 0.0};
  scalar.re = re;
  scalar.im = im;
  return scalar;
}

";

/// The types of a crate: handles first, since structs by value consist of none of these.
fn types(prefix: &str, natives: &[NativeType]) -> String {
    let mut out = String::new();
    for (_, seen) in handles(natives) {
        let (name, tag) = declared(prefix, seen);
        let _ = write!(out, "{}typedef struct {tag} {name};\n\n", documented(&seen.doc));
    }
    records(natives).iter().for_each(|it| out += &record(prefix, it));
    out
}

/// What a type is called, and the tag of its struct.
fn declared(prefix: &str, seen: &InC) -> (String, String) {
    let name = format!("{prefix}_{}", seen.name);
    let tag = seen.tag.clone().unwrap_or_else(|| name.clone());
    (name, tag)
}

fn record(prefix: &str, record: &Record<'_>) -> String {
    let (name, tag) = declared(prefix, record.seen);
    let doc = documented(&record.seen.doc);
    let mut fields = String::new();
    for RecordField { part, doc, .. } in &record.fields {
        documented(doc).lines().for_each(|it| fields += &format!("  {it}\n"));
        let _ = writeln!(fields, "  {};", part.ty.declaring(prefix, &part.name));
    }
    let definition = match &record.seen.tag {
        None => format!("{doc}typedef struct {tag} {{\n{fields}}} {name};\n"),
        // A program that includes the headers of several libraries defines it once.
        Some(_) => format!(
            "\
#ifndef OPWRIGHT_STRUCT_{tag}
#define OPWRIGHT_STRUCT_{tag}
{doc}struct {tag} {{
{fields}}};
#endif
typedef struct {tag} {name};
"
        ),
    };
    format!("{definition}\n{}\n", layout(&name, record))
}

/// What makes sure of a layout: the size, and for a struct that another header may have defined where
/// its fields are.
fn layout(name: &str, record: &Record<'_>) -> String {
    let size = format!("sizeof({name}) == {}", record.size);
    let is_shared = record.seen.tag.is_some();
    let places = record.fields.iter().filter(|_| is_shared);
    let places = places.map(|it| format!("offsetof({name}, {}) == {}", it.part.name, it.at));
    let mut out = "#if defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L\n".to_owned();
    for condition in std::iter::once(size).chain(places) {
        let message = "the library was built for another layout";
        let _ = writeln!(out, "_Static_assert({condition}, \"{message}\");");
    }
    out + "#endif\n"
}

/// The comment of something of which maybe nothing is said.
fn documented(doc: &str) -> String {
    let paragraphs: Vec<String> = doc.split("\n\n").map(str::to_owned).collect();
    if doc.is_empty() { String::new() } else { comment(&paragraphs) }
}

/// The functions of the types of a crate.
fn of_types(prefix: &str, natives: &[NativeType]) -> String {
    let mut out = String::new();
    let accessors = accessors(natives);
    if !accessors.is_empty() || handles(natives).next().is_some() {
        heading(&mut out, "Types of the library");
    }
    for (native, InC { name, .. }) in handles(natives) {
        let freed = CParameter { name: "self".to_owned(), ty: CType::new(format!("_{name} *")) };
        let doc = format!("Frees a handle of a `{}`; NULL is fine.", native.name());
        let (void, name) = (CType::new("void"), format!("{prefix}_{name}_free"));
        let _ =
            writeln!(out, "{}{}", documented(&doc), declaration(prefix, &void, &name, &[&freed]));
    }
    for accessor in &accessors {
        let Some((function, _)) = accessor.function(prefix) else { continue };
        let parts: Vec<&CParameter> = function.parts().collect();
        let declared = declaration(prefix, &CType::new("_error *"), &function.name, &parts);
        let _ = writeln!(out, "{}{declared}", documented(&accessor.doc));
    }
    out
}

fn heading(out: &mut String, title: &str) {
    let _ = write!(out, "/* {title} */\n\n");
}

fn fixed(prefix: &str, prototype: &Prototype) -> String {
    let doc = comment(&[prefixed(prototype.doc, prefix)]);
    let name = format!("{prefix}_{}", prototype.name);
    let void = CType::new("void");
    let result = prototype.result.as_ref().unwrap_or(&void);
    format!(
        "{doc}{}\n",
        declaration(prefix, result, &name, &prototype.parts.iter().collect::<Vec<_>>())
    )
}

fn operator(prefix: &str, function: &CFunction<'_>) -> String {
    let overload = function.overload;
    let file = match &overload.origin {
        Origin::Yaml { file, .. } | Origin::Annotation { file } => file,
    };
    let mut paragraphs = vec![overload.schema.to_string()];
    paragraphs
        .extend(overload.doc.split("\n\n").filter(|it| !it.trim().is_empty()).map(str::to_owned));
    paragraphs.push(format!("{file}:{}", overload.line));
    let parts: Vec<&CParameter> = function.parts().collect();
    let doc = comment(&paragraphs);
    let declared = declaration(prefix, &CType::new("_error *"), &function.name, &parts);
    format!("{doc}{declared}\n")
}

/// A comment of these paragraphs; code in them keeps its lines.
fn comment(paragraphs: &[String]) -> String {
    if let [only] = paragraphs
        && !only.contains('\n')
        && only.len() + 7 <= WIDTH
    {
        return format!("/** {} */\n", harmless(only));
    }
    let mut out = String::from("/**\n");
    let mut in_code = false;
    for (at, paragraph) in paragraphs.iter().enumerate() {
        if at > 0 {
            out += " *\n";
        }
        for line in paragraph.lines() {
            in_code ^= line.trim_start().starts_with("```");
            let _ = if in_code || line.is_empty() {
                writeln!(out, "{}", format!(" * {}", harmless(line)).trim_end())
            } else {
                write!(out, "{}", folded(&harmless(line)))
            };
        }
    }
    out + " */\n"
}

/// What ends no comment and begins none.
fn harmless(text: &str) -> String {
    text.replace("*/", "* /").replace("/*", "/ *")
}

/// A line broken between words.
fn folded(line: &str) -> String {
    let (mut out, mut current) = (String::new(), String::from(" *"));
    for word in line.split(' ') {
        if current.len() + 1 + word.len() > WIDTH && current.len() > 2 {
            out += &format!("{current}\n");
            current = String::from(" *");
        }
        current += &format!(" {word}");
    }
    out + &format!("{}\n", current.trim_end())
}

/// The function of an operator as its header declares it, without what compilers want to know.
pub fn signature(prefix: &str, function: &CFunction<'_>) -> String {
    let parts: Vec<&CParameter> = function.parts().collect();
    let head = CType::new("_error *").declaring(prefix, &function.name);
    passing(prefix, format!("{head}("), &parts)
}

fn declaration(prefix: &str, result: &CType, name: &str, parts: &[&CParameter]) -> String {
    let api = prefix.to_uppercase();
    passing(prefix, format!("{api}_API {}(", result.declaring(prefix, name)), parts)
}

/// A declaration that begins like this, with its parameters.
fn passing(prefix: &str, head: String, parts: &[&CParameter]) -> String {
    if parts.is_empty() {
        return format!("{head}void);\n");
    }
    let indent = " ".repeat(4);
    let (mut out, mut current) = (String::new(), head);
    for (at, part) in parts.iter().enumerate() {
        let end = if at + 1 == parts.len() { ");" } else { "," };
        let text = format!("{}{end}", part.ty.declaring(prefix, &part.name));
        let space = if current.ends_with('(') || current == indent { "" } else { " " };
        if current.len() + space.len() + text.len() > WIDTH {
            out += &format!("{current}\n");
            current = format!("{indent}{text}");
        } else {
            current += &format!("{space}{text}");
        }
    }
    out + &current + "\n"
}

#[test]
fn structs_of_several_headers_are_defined_once() {
    use opwright_schema::types::FieldInC;

    let field = FieldInC {
        name: "lo".to_owned(),
        doc: String::new(),
        ty: Some("float".to_owned()),
        is_settable: false,
        has_default: false,
    };
    let printed = |tag: Option<&str>| {
        let (name, fields) = ("span".to_owned(), vec![field.clone()]);
        let tag = tag.map(str::to_owned);
        let seen = InC { name, tag, doc: String::new(), is_by_value: true, fields };
        let native = NativeType::new("Span", "crate::Span", 0).derived("class".to_owned());
        types("my", &[native.seen_in_c(seen, "Span".to_owned())])
    };
    let (own, shared) = (printed(None), printed(Some("reach")));
    assert!(own.starts_with("typedef struct my_span {\n  double lo;\n} my_span;\n"), "{own}");
    assert!(shared.starts_with("#ifndef OPWRIGHT_STRUCT_reach\n"), "{shared}");
    assert!(shared.contains("};\n#endif\ntypedef struct reach my_span;\n"), "{shared}");
    assert!(shared.contains("offsetof(my_span, lo) == 0") && !own.contains("offsetof"), "{shared}");
}
