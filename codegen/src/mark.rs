//! The name by which the scan and the macro know one annotation.
//!
//! The build script prints the marks of all annotations that it has read, and
//! the macro asks for the one of the function at hand.

use proc_macro2::{Delimiter, Ident, Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::Signature;

/// The mark of a function with these arguments of its attribute: its name, and
/// a number that is made of all tokens of both.
pub fn mark(args: &TokenStream, signature: &Signature) -> Ident {
    let mut hash = Fnv::new();
    hash.tokens(args.clone());
    hash.tokens(signature.to_token_stream());
    let name = signature.ident.to_string();
    let name = name.strip_prefix("r#").unwrap_or(&name);
    Ident::new(&format!("{name}_{:016x}", hash.0), Span::call_site())
}

/// The hash of Fowler, Noll and Vo: the same in all versions of Rust.
struct Fnv(u64);

impl Fnv {
    fn new() -> Self {
        Fnv(0xcbf2_9ce4_8422_2325)
    }

    /// Text alone: both readers have another idea of where tokens touch.
    fn tokens(&mut self, tokens: TokenStream) {
        for token in tokens {
            match token {
                TokenTree::Group(group) => {
                    let (open, close) = match group.delimiter() {
                        Delimiter::Parenthesis => ("(", ")"),
                        Delimiter::Brace => ("{", "}"),
                        Delimiter::Bracket => ("[", "]"),
                        Delimiter::None => ("", ""),
                    };
                    self.text(open);
                    self.tokens(group.stream());
                    self.text(close);
                }
                TokenTree::Ident(it) => self.text(&it.to_string()),
                TokenTree::Punct(it) => self.text(&it.as_char().to_string()),
                TokenTree::Literal(it) => self.text(&it.to_string()),
            }
        }
    }

    fn text(&mut self, text: &str) {
        for byte in text.bytes().chain([0]) {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::mark;
    use syn::{ItemFn, parse_str};

    fn of(args: &str, function: &str) -> String {
        let function: ItemFn = parse_str(function).unwrap();
        mark(&args.parse().unwrap(), &function.sig).to_string()
    }

    #[test]
    fn blanks_do_not_count_and_everything_else_does() {
        let one = of("add.Tensor, dtypes = real", "fn r#where(x: &Tensor) -> Result<Tensor> {}");
        assert!(one.starts_with("where_"), "{one}");
        let same = "pub fn r#where(\n  x: & Tensor) -> Result< Tensor > { todo!() }";
        assert_eq!(one, of("add . Tensor , dtypes=real", same));
        for (args, function) in [
            ("add.Tensor, dtypes = all", "fn r#where(x: &Tensor) -> Result<Tensor> {}"),
            ("add.Tensor, dtypes = real", "fn r#where(y: &Tensor) -> Result<Tensor> {}"),
            ("add.Tensor, dtypes = real", "fn other(x: &Tensor) -> Result<Tensor> {}"),
        ] {
            assert_ne!(one, of(args, function));
        }
    }
}
