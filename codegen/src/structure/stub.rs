//! The class of a struct, as stubs define it.

use syn::Type;

use super::Structure;
use crate::form::syntax::{argument_of, is_called};

/// What stubs call plain fields.
const WORDS: [(&str, &str); 11] = [
    ("f64", "_float"),
    ("i64", "_int"),
    ("bool", "_bool"),
    ("Complex", "_complex"),
    ("String", "_str"),
    ("Tensor", "Tensor"),
    ("DType", "_dtype"),
    ("Device", "_device"),
    ("Layout", "_layout"),
    ("MemoryFormat", "_memory_format"),
    ("Generator", "Generator"),
];

// Prints:
//
//     class Quantizer:
//         """A step."""
//
//         def __init__(self, *args: _Any, **kwargs: _Any) -> None: ...
//         def __getattr__(self, name: _str, /) -> _Any: ...
//
/// The definition of a class that the crate writes with pyo3, of which no more than that is known.
pub fn written_class(name: &str, said: &str) -> String {
    let mut text = format!("\nclass {name}:\n");
    if !said.is_empty() {
        text.push_str(&format!("{}\n\n", doc(said, 4)));
    }
    text.push_str("    def __init__(self, *args: _Any, **kwargs: _Any) -> None: ...\n");
    text.push_str("    def __getattr__(self, name: _str, /) -> _Any: ...\n");
    text
}

// Prints:
//
//     @_final
//     class Interval:
//         """The real numbers between two."""
//
//         __match_args__ = ("lo", "hi",)
//
//         def __new__(cls, lo: _float, hi: _float = ...) -> _Self: ...
//         @property
//         def lo(self) -> _float: ...
//         def __eq__(self, other: _object, /) -> _bool: ...
//         __hash__: None
//
//     Interval_t: _Any
//
/// The definition of the class of a struct and of its type; `natives` are the names of the crate's
/// types.
pub fn class(structure: &Structure, natives: &[String]) -> String {
    let name = &structure.ident;
    let mut text = format!("\n@_final\nclass {name}:\n");
    if !structure.doc.is_empty() {
        text.push_str(&format!("{}\n\n", doc(&structure.doc, 4)));
    }
    let names: String = structure.seen().map(|(_, it)| format!("\"{}\", ", it.name)).collect();
    text.push_str(&format!("    __match_args__ = ({})\n\n", names.trim_end()));
    let params = structure.seen().map(|(field, seen)| {
        let default = if field.default.is_some() { " = ..." } else { "" };
        format!(", {}: {}{default}", seen.name, word(&field.ty, natives))
    });
    let params: String = params.collect();
    text.push_str(&format!("    def __new__(cls{params}) -> _Self: ...\n"));
    for (field, seen) in structure.seen() {
        let (name, word) = (&seen.name, word(&field.ty, natives));
        let body = match seen.doc.as_str() {
            "" => " ...\n".to_owned(),
            text => format!("\n{}\n", doc(text, 8)),
        };
        text.push_str(&format!("    @property\n    def {name}(self) -> {word}:{body}"));
        if seen.is_settable {
            let setter = format!("def {name}(self, value: {word}) -> None: ...");
            text.push_str(&format!("    @{name}.setter\n    {setter}\n"));
        }
    }
    text.push_str("    def __eq__(self, other: _object, /) -> _bool: ...\n");
    text.push_str("    __hash__: None  # type: ignore[assignment]\n");
    text.push_str(&format!("\n{name}_t: _Any\n"));
    text
}

fn doc(text: &str, indent: usize) -> String {
    let blank = " ".repeat(indent);
    let text = text.replace('\\', "\\\\").replace("\"\"\"", "\\\"\\\"\\\"");
    let lines: Vec<&str> = text.lines().collect();
    let end = if lines.len() > 1 { format!("\n{blank}") } else { String::new() };
    let rest = lines[1..].iter().map(|it| match it.is_empty() {
        true => "\n".to_owned(),
        false => format!("\n{blank}{it}"),
    });
    format!("{blank}\"\"\"{}{}{end}\"\"\"", lines[0], rest.collect::<String>())
}

/// What a field is, in the words of stubs.
fn word(ty: &Type, natives: &[String]) -> String {
    if let Some(inner) = argument_of(ty, "Option") {
        return format!("{} | None", word(inner, natives));
    }
    if let Some(inner) = argument_of(ty, "Vec") {
        return format!("_tuple[{}, ...]", word(inner, natives));
    }
    let known = WORDS.iter().find(|(rust, _)| is_called(ty, rust)).map(|(_, word)| *word);
    let own = || natives.iter().find(|it| is_called(ty, it)).map(String::as_str);
    known.or_else(own).unwrap_or("_Any").to_owned()
}

#[cfg(test)]
mod tests {
    use syn::parse_quote;

    use super::class;
    use crate::structure::read;

    #[test]
    fn fields_are_properties_and_arguments() {
        let structure = read::structure(&parse_quote! {
            /// An interval,
            /// and more.
            #[native(c = "labelled")]
            struct Labelled {
                /// Where it is.
                within: crate::Interval,
                #[field(set, default = None)]
                marks: Option<Vec<f64>>,
                #[field(skip, default = 0)]
                looks: u64,
                #[field(name = "_else", default = Else::new())]
                other: Else,
            }
        });
        let text = class(&structure.expect("a sound struct"), &["Interval".to_owned()]);
        let expected = r#"
@_final
class Labelled:
    """An interval,
    and more.
    """

    __match_args__ = ("within", "marks", "_else",)

    def __new__(cls, within: Interval, marks: _tuple[_float, ...] | None = ..., _else: _Any = ...) -> _Self: ...
    @property
    def within(self) -> Interval:
        """Where it is."""
    @property
    def marks(self) -> _tuple[_float, ...] | None: ...
    @marks.setter
    def marks(self, value: _tuple[_float, ...] | None) -> None: ...
    @property
    def _else(self) -> _Any: ...
    def __eq__(self, other: _object, /) -> _bool: ...
    __hash__: None  # type: ignore[assignment]

Labelled_t: _Any
"#;
        assert_eq!(text, expected);
    }
}
