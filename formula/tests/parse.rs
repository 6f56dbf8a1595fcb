//! No text makes the parser panic, and every expression stands where its parts do.

use opwright_formula::{Expr, parse};
use proptest::prelude::*;

fn check_places(expr: &Expr, text: &str) {
    assert!(text.is_char_boundary(expr.range.start) && text.is_char_boundary(expr.range.end));
    for part in expr.parts() {
        assert!(expr.range.start <= part.range.start && part.range.end <= expr.range.end);
        check_places(part, text);
    }
}

proptest! {
    #[test]
    fn any_text_has_a_tree_or_an_error(
        words in prop::collection::vec(
            prop::sample::select(vec![
                "x", "grad", "at", "::", "std", "get", "<", ">", "1", "0.5", "(", ")", "{", "}",
                "[", "]", ",", ".", "->", "-", "!", "*", "/", "?", ":", "&&", "\"s\"", "/*c*/", "ü",
            ]),
            0..20,
        ),
    ) {
        let text = words.join(" ");
        match parse(&text) {
            Ok(formula) => check_places(&formula, &text),
            Err(error) => {
                prop_assert!(!error.message.is_empty());
                prop_assert!(text.get(error.range.clone()).is_some(), "{:?}", error.range);
            }
        }
    }

    #[test]
    fn any_characters_have_a_tree_or_an_error(text in ".{0,40}") {
        if let Ok(formula) = parse(&text) {
            check_places(&formula, &text);
        }
    }
}
