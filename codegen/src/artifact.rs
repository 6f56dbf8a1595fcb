//! The operators of a crate as one file, for those who build on it.
//!
//! ```text
//! {
//!   "format": 3,
//!   "files": [{ "name": "native_functions.yaml", "text": "- func: relu(Tensor self) -> Tensor\n" }],
//!   "rewrites": { "name": "rewrites.yaml", "text": "" },
//!   "annotated": [{
//!     "schema": "halved(Tensor x) -> Tensor", "file": "src/lib.rs", "line": 7, "place": [8, 5],
//!     "options": [["method", ""]], "doc": "Halves.", "dispatch": [["CPU", "halved"]],
//!     "derives": "structured"
//!   }],
//!   "types": [["Quantizer", "crate::quantizer::Quantizer"]],
//!   "helpers": [["maybe_multiply", ["Tensor", "Scalar"], ["Tensor"]]]
//! }
//! ```
//!
//! It holds what a build has read and found to be right, in the words of the authors, so that
//! reading it needs `schema::load` and no sources. Places in it are shown as the places in the
//! sources; of an annotated function there is one, that of its schema.

mod helpers;

use opwright_diagnostics::Sources;
use opwright_diagnostics::diag::Diagnostics;
use opwright_schema::model::{Dispatch, DispatchKey, OpSet, SourceId, Span, Spanned};
use opwright_schema::parse::parse_schema;
use opwright_schema::types::{NativeType, Natives};
use opwright_schema::{Annotated, Derives, Input, autogen, load_into};
use serde_json::{Value, json};

use crate::helper::Helper;

/// What the file is called in the `OUT_DIR` of the crate.
pub const FILE: &str = "operators.json";

/// The key under which a build script hands its path on, by `cargo::metadata`.
pub const KEY: &str = "operators";

/// The version of the format.
const FORMAT: u64 = 4;

/// The text of the file for operators without a mistake, and for helpers of formulas.
pub fn print(sources: &Sources, input: &Input, helpers: &[Helper]) -> String {
    let annotated = input.annotated.iter().filter_map(|it| print_annotated(sources, it));
    let set = json!({
        "format": FORMAT,
        "files": input.yaml.iter().map(|it| print_file(sources, *it)).collect::<Vec<_>>(),
        "rewrites": input.rewrites.map(|it| print_file(sources, it)),
        "annotated": annotated.collect::<Vec<_>>(),
        "types": input.natives.iter().map(print_native).collect::<Vec<_>>(),
        "helpers": helpers::print(helpers),
    });
    format!("{set:#}\n")
}

/// Its name, its path, and how stubs define its class, if it is derived.
fn print_native(native: &NativeType) -> [&'static str; 3] {
    let class = native.class().filter(|_| native.is_derived());
    [native.name(), native.path(), class.unwrap_or_default()]
}

fn print_file(sources: &Sources, id: SourceId) -> Value {
    let file = sources.file(id);
    json!({ "name": file.name(), "text": file.text() })
}

/// Nothing for a schema with a mistake.
fn print_annotated(sources: &Sources, item: &Annotated) -> Option<Value> {
    let schema = item.schema.value.clone().sound()?;
    let at = sources.position(&item.schema.span);
    let options = item.options.iter().map(|(name, value)| [&name.value, &value.value]);
    let dispatch =
        item.dispatch.iter().map(|it| [it.key.value.to_string(), it.kernel.value.clone()]);
    Some(json!({
        "schema": schema.to_string(),
        "file": item.file,
        "line": item.line,
        "place": [at.line, at.column],
        "options": options.collect::<Vec<_>>(),
        "doc": item.doc,
        "dispatch": dispatch.collect::<Vec<_>>(),
        "derives": item.derives.word(),
    }))
}

/// The operators of the file with this text, as the build had them that wrote it, but for their
/// gradients, which that build has compiled.
///
/// # Errors
///
/// Why nothing can be made of the text.
pub fn operators(cx: &mut Diagnostics, sources: &mut Sources, text: &str) -> Result<OpSet, String> {
    let input = read(cx, sources, text)?;
    let mut ops = load_into(cx, sources, &input).ops;
    autogen::generate(&mut ops);
    ops.derivatives.clear();
    Ok(ops)
}

/// What the file with this text says, whose parts come among the `sources`.
///
/// # Errors
///
/// Why nothing can be made of the text.
pub fn read(cx: &mut Diagnostics, sources: &mut Sources, text: &str) -> Result<Input, String> {
    read_set(cx, sources, &set_of(text)?).ok_or_else(lacking)
}

/// The helpers of formulas that the file with this text describes.
///
/// # Errors
///
/// Why nothing can be made of the text.
pub fn helpers(text: &str) -> Result<Vec<Helper>, String> {
    helpers::read(&set_of(text)?["helpers"]).ok_or_else(lacking)
}

fn set_of(text: &str) -> Result<Value, String> {
    let set: Value =
        serde_json::from_str(text).map_err(|error| format!("it is not JSON: {error}"))?;
    if set["format"] != FORMAT {
        let found = &set["format"];
        return Err(format!("its format is {found}, and this opwright-codegen reads {FORMAT}"));
    }
    Ok(set)
}

fn lacking() -> String {
    "it lacks what such files have".to_owned()
}

fn read_set(cx: &mut Diagnostics, sources: &mut Sources, set: &Value) -> Option<Input> {
    let mut input = Input::default();
    for file in set["files"].as_array()? {
        input.yaml.push(sources.add(file["name"].as_str()?, file["text"].as_str()?));
    }
    if let Value::Object(file) = &set["rewrites"] {
        input.rewrites = Some(sources.add(file["name"].as_str()?, file["text"].as_str()?));
    }
    for (number, item) in set["types"].as_array()?.iter().enumerate() {
        let native = NativeType::new(item[0].as_str()?, item[1].as_str()?, number as u8);
        input.natives.push(match item[2].as_str()? {
            "" => native,
            class => native.derived(class.to_owned()),
        });
    }
    let natives = Natives::Of(&input.natives);
    for item in set["annotated"].as_array()? {
        input.annotated.push(read_annotated(cx, sources, natives, item)?);
    }
    Some(input)
}

fn read_annotated(
    cx: &mut Diagnostics,
    sources: &mut Sources,
    natives: Natives<'_>,
    item: &Value,
) -> Option<Annotated> {
    let (file, text) = (item["file"].as_str()?, item["schema"].as_str()?);
    let [line, column] = [number(&item["place"][0])?, number(&item["place"][1])?];
    let before = "\n".repeat(line.checked_sub(1)?) + &" ".repeat(column.checked_sub(1)?);
    let start = before.len();
    let source = sources.add(file, before + text);
    let span = Span::new(source, start..start + text.len());
    let at = |text: &str| Spanned::new(text.to_owned(), span.clone());
    let options = pairs(&item["options"])?.map(|it| it.map(|(name, value)| (at(name), at(value))));
    let dispatch = pairs(&item["dispatch"])?.map(|it| {
        let (key, kernel) = it?;
        Some(Dispatch { key: Spanned::new(key_of(key), span.clone()), kernel: at(kernel) })
    });
    Some(Annotated {
        options: options.collect::<Option<_>>()?,
        dispatch: dispatch.collect::<Option<_>>()?,
        schema: Spanned::new(parse_schema(cx, natives, text, &span), span.clone()),
        line: number(&item["line"])?,
        file: file.to_owned(),
        doc: item["doc"].as_str()?.to_owned(),
        derives: Derives::of_word(item["derives"].as_str()?, &span)?,
    })
}

fn number(value: &Value) -> Option<usize> {
    value.as_u64()?.try_into().ok()
}

/// The texts of `[["a", "b"], ...]`; nothing in the place of a pair that is none.
fn pairs(value: &Value) -> Option<impl Iterator<Item = Option<(&str, &str)>>> {
    Some(value.as_array()?.iter().map(|it| Some((it[0].as_str()?, it[1].as_str()?))))
}

fn key_of(word: &str) -> DispatchKey {
    DispatchKey::read(word).unwrap_or_else(|| DispatchKey::Other(word.to_owned()))
}

#[cfg(test)]
mod tests {
    use opwright_schema::load;

    use super::*;
    use crate::fn_path::FnPath;
    use crate::ty::Ty;

    const FILE: &str = "- func: relu(Tensor self) -> Tensor\n  dispatch: {CPU: relu}\n";

    /// A file, and a function `#[native_op("halved(Tensor self) -> Tensor", method)]` in line 3.
    fn written() -> (Sources, Input) {
        let mut sources = Sources::new();
        let mut input = Input::yaml(sources.add("native_functions.yaml", FILE));
        let schema = "halved(Tensor self) -> Tensor";
        let source = sources.add("src/lib.rs", format!("\n\n#[native_op(\"{schema}\", method)]"));
        let span = Span::new(source, 15..15 + schema.len());
        let at = |text: &str| Spanned::new(text.to_owned(), span.clone());
        let key = Spanned::new(DispatchKey::Cpu, span.clone());
        let mut cx = Diagnostics::new();
        let parsed = parse_schema(&mut cx, Natives::NONE, schema, &span);
        assert_eq!(cx.finish(), Ok(Vec::new()));
        input.annotated.push(Annotated {
            schema: Spanned::new(parsed, span.clone()),
            line: 3,
            file: "src/lib.rs".to_owned(),
            options: vec![(at("method"), at(""))],
            doc: "Half of it.".to_owned(),
            dispatch: vec![Dispatch { key, kernel: at("halved") }],
            derives: Derives::Structured,
        });
        input.natives.push(NativeType::new("Line", "crate::lines::Line", 0));
        (sources, input)
    }

    /// `fn weighted(it: &Tensor, by: &[Option<&Tensor>], like: &Metadata) -> (Tensor, Vec<i64>)`
    fn helper() -> Helper {
        let optional = Ty::optional(Ty::TENSOR);
        let (Ty::Of(tensor), Ty::Of(ints)) = (Ty::TENSOR, Ty::list(Ty::INT)) else { panic!() };
        Helper {
            path: FnPath(vec!["gradients".to_owned(), "weighted".to_owned()]),
            params: vec![Ty::TENSOR, Ty::list(optional), Ty::Metadata],
            returns: Ty::Tuple(vec![tensor, ints]),
        }
    }

    #[test]
    fn helpers_are_those_that_were_written() {
        let (sources, input) = written();
        let read = helpers(&print(&sources, &input, &[helper()])).expect("a whole file");
        let [read] = read.as_slice() else { panic!("one helper") };
        assert_eq!(read.shown(), "weighted(Tensor, Tensor?[], options)");
        assert_eq!(read.returns, helper().returns);
        assert_eq!(
            read.tokens().to_string().replace(' ', ""),
            "crate::ops::__operators::__helpers::weighted"
        );
    }

    fn read_alone(text: &str) -> Result<(Sources, Input), String> {
        let (mut cx, mut sources) = (Diagnostics::new(), Sources::new());
        let input = read(&mut cx, &mut sources, text);
        assert_eq!(cx.finish(), Ok(Vec::new()));
        input.map(|it| (sources, it))
    }

    #[test]
    fn what_is_read_is_what_was_written() {
        let (sources, input) = written();
        let text = print(&sources, &input, &[helper()]);
        let (again, read) = read_alone(&text).expect("a whole file");
        assert_eq!(print(&again, &read, &helpers(&text).expect("helpers")), text);
        let described = |sources: &Sources, input: &Input| {
            let ops = load(sources, input).expect("no mistakes");
            let overloads = ops.overloads.iter().map(|it| {
                let place = sources.position(&it.schema.name_span);
                let kernels: Vec<&str> =
                    it.dispatch.iter().map(|it| it.kernel.value.as_str()).collect();
                format!("{} {:?} {place:?} {} {kernels:?}", it.schema, it.origin, it.method)
            });
            overloads.collect::<Vec<_>>()
        };
        let expected = described(&sources, &input);
        // The last two follow from the annotation.
        assert_eq!((described(&again, &read), expected.len()), (expected.clone(), 4));
    }

    #[test]
    fn another_format_is_told() {
        let (sources, input) = written();
        let text = print(&sources, &input, &[helper()]);
        let told = |from: &str, to: &str| read_alone(&text.replace(from, to)).err();
        let newer = told("\"format\": 4", "\"format\": 5");
        assert_eq!(newer.as_deref(), Some("its format is 5, and this opwright-codegen reads 4"));
        let lacks = Some("it lacks what such files have".to_owned());
        assert_eq!(told("\"place\"", "\"palce\""), lacks);
        assert_eq!(told("structured", "strictured"), lacks);
        assert!(read_alone("- func").is_err_and(|it| it.starts_with("it is not JSON")));
    }
}
