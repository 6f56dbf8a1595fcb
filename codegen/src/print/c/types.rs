//! Types of C as text, and what they are in Rust.
//!
//! | C | Rust |
//! |---|---|
//! | `int64_t`, `double`, `size_t` | `i64`, `f64`, `usize` |
//! | `bool` | `c::Bool`, which may be any byte |
//! | `_memory_format` | `c::MemoryFormat`; in C with the library's prefix |
//! | `_interval`, a type of the crate | `structs::Interval` |
//! | `const _tensor *const *` | `*const *const c::Tensor` |

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

/// A type of C; words that begin with an underscore get the library's prefix.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct CType(pub String);

/// The words of C and their types in Rust.
const WORDS: [(&str, &str); 9] = [
    ("char", "c_char"),
    ("double", "f64"),
    ("int32_t", "i32"),
    ("int64_t", "i64"),
    ("size_t", "usize"),
    ("uint32_t", "u32"),
    ("uint64_t", "u64"),
    ("uint8_t", "u8"),
    ("void", "c_void"),
];

/// The types that every library declares, without the prefix.
pub const FIXED: [&str; 18] = [
    "deleter",
    "device",
    "dtype",
    "error",
    "error_kind",
    "generator",
    "int_list",
    "layout",
    "memory_format",
    "named_tensor",
    "named_tensor_list",
    "operator",
    "optimizer",
    "scalar",
    "scalar_kind",
    "storage",
    "tensor",
    "tensor_list",
];

impl CType {
    /// This text.
    pub fn new(text: impl Into<String>) -> CType {
        CType(text.into())
    }

    /// A pointer to values that are only read.
    #[must_use]
    pub fn lent(&self) -> CType {
        match self.0.strip_suffix('*') {
            Some(inner) => CType(format!("{inner}*const *")),
            None => CType(format!("const {} *", self.0)),
        }
    }

    /// A pointer to where a value goes.
    #[must_use]
    pub fn filled(&self) -> CType {
        match self.0.ends_with('*') {
            true => CType(format!("{}*", self.0)),
            false => CType(format!("{} *", self.0)),
        }
    }

    /// The same without the promise not to write.
    #[must_use]
    pub fn writable(&self) -> CType {
        CType(self.0.strip_prefix("const ").unwrap_or(&self.0).to_owned())
    }

    /// Whether it is a pointer.
    pub fn is_pointer(&self) -> bool {
        self.0.ends_with('*')
    }

    /// The text in a header, with a name behind it.
    pub fn declaring(&self, prefix: &str, name: &str) -> String {
        let space = if self.is_pointer() { "" } else { " " };
        format!("{}{space}{name}", prefixed(&self.0, prefix))
    }

    /// The type in Rust.
    pub fn rust(&self) -> TokenStream {
        rust(self.0.trim())
    }
}

/// A text of C whose words that begin with an underscore get the prefix: in capitals, if they are.
pub fn prefixed(text: &str, prefix: &str) -> String {
    let mut out = String::new();
    let mut before = ' ';
    for (at, letter) in text.char_indices() {
        let begins = letter == '_' && !(before.is_alphanumeric() || before == '_');
        let next = text[at + letter.len_utf8()..].chars().next().unwrap_or(' ');
        match (begins, next.is_ascii_uppercase()) {
            (true, true) => out.push_str(&prefix.to_uppercase()),
            (true, false) if next.is_ascii_lowercase() => out.push_str(prefix),
            _ => {}
        }
        out.push(letter);
        before = letter;
    }
    out
}

fn rust(text: &str) -> TokenStream {
    if let Some(pointee) = text.strip_suffix('*') {
        let pointee = pointee.trim_end();
        let (is_const, inner) = match pointee.strip_suffix("const") {
            Some(inner) if inner.trim_end().ends_with('*') => (true, inner.trim_end()),
            _ if pointee.ends_with('*') => (false, pointee),
            _ => (pointee.starts_with("const "), pointee.trim_start_matches("const ")),
        };
        let inner = rust(inner);
        return if is_const { quote!(*const #inner) } else { quote!(*mut #inner) };
    }
    let word = text.trim_start_matches("const ").trim_start_matches("struct ");
    if let Some((_, known)) = WORDS.iter().find(|(it, _)| *it == word) {
        let known = format_ident!("{known}");
        return match word {
            "char" | "void" => quote!(::core::ffi::#known),
            _ => quote!(::core::primitive::#known),
        };
    }
    let name = type_name(word);
    match word.strip_prefix('_') {
        Some(own) if !FIXED.contains(&own) => quote!(structs::#name),
        _ => quote!(c::#name),
    }
}

/// `_memory_format` as `MemoryFormat`.
pub fn type_name(word: &str) -> Ident {
    let capital = |part: &str| {
        let mut letters = part.chars();
        let first = letters.next().map(|it| it.to_ascii_uppercase());
        first.into_iter().chain(letters).collect::<String>()
    };
    format_ident!("{}", word.split('_').map(capital).collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_of_c_have_types_in_rust() {
        let table = [
            ("int64_t", "i64"),
            ("const char *", "* const c_char"),
            ("_memory_format", "c :: MemoryFormat"),
            ("const _interval *", "* const structs :: Interval"),
            ("_tensor **", "* mut * mut c :: Tensor"),
            ("const _tensor *const *", "* const * const c :: Tensor"),
            ("_tensor *const *", "* const * mut c :: Tensor"),
            ("bool", "c :: Bool"),
            ("struct DLManagedTensor **", "* mut * mut c :: DLManagedTensor"),
        ];
        for (text, expected) in table {
            let short = CType::new(text).rust().to_string();
            let short =
                short.replace(":: core :: primitive :: ", "").replace(":: core :: ffi :: ", "");
            assert_eq!(short, expected);
        }
        assert_eq!(CType::new("const _tensor *").lent().0, "const _tensor *const *");
        assert_eq!(CType::new("_tensor *").filled().0, "_tensor **");
    }

    #[test]
    fn words_get_the_prefix() {
        let text = prefixed("_tensor *const *_x __y a_b, _FLOAT32 _", "my_ops");
        assert_eq!(text, "my_ops_tensor *const *my_ops_x __y a_b, MY_OPS_FLOAT32 _");
    }
}
