//! The language of formulas: what `derivatives.yaml` says of gradients.
//!
//! Its grammar is the part of C++ that upstream's file is written in, so that a line of that file
//! can be copied. It knows no operator and no type: names are names here.
//!
//! ```text
//! formula  = ternary ;
//! ternary  = or , [ "?" , ternary , ":" , ternary ] ;
//! or       = and , { "||" , and } ;
//! and      = bits , { "&&" , bits } ;
//! bits     = eq , { ( "&" | "|" ) , eq } ;
//! eq       = rel , { ( "==" | "!=" ) , rel } ;
//! rel      = add , { ( "<" | ">" | "<=" | ">=" ) , add } ;
//! add      = mul , { ( "+" | "-" ) , mul } ;
//! mul      = unary , { ( "*" | "/" | "%" ) , unary } ;
//! unary    = [ "-" | "!" | "*" ] , ( unary | postfix ) ;
//! postfix  = primary , { ( "." | "->" ) , name , [ template ] , "(" , [ list ] , ")"
//!          | "[" , ternary , "]" } ;
//! primary  = number | string | "(" , ternary , ")" | "{" , [ list ] , "}" | lambda
//!          | path , [ template ] , [ "(" , [ list ] , ")" ] ;
//! list     = ternary , { "," , ternary } ;
//! path     = [ "::" ] , name , { "::" , name } ;
//! lambda   = "[" , "]" , "(" , type , name , ")" , "{" , "return" , ternary , ";" , "}" ;
//! ```
//!
//! A template is text in `<` and `>`, behind the few names that take one. Blanks and comments may
//! stand between any two words.
//!
//! ```
//! use opwright_formula::{BinaryOperator, ExprKind, parse};
//!
//! let formula = parse("grad * k.conj()").unwrap();
//! let ExprKind::Binary { operator: BinaryOperator::Mul, right, .. } = &formula.kind else { panic!() };
//! assert_eq!(&"grad * k.conj()"[right.range.clone()], "k.conj()");
//!
//! let wrong = parse("grad * ").unwrap_err();
//! assert_eq!((wrong.range, wrong.message.as_str()), (7..7, "expected an expression, found the end"));
//! ```

mod condition;
mod lex;
mod model;
mod parse;
mod pattern;
pub mod types;

pub use self::condition::{Condition, Wanted};
pub use self::model::{BinaryOperator, Expr, ExprKind, Name, Path, Prefix, SyntaxError};
pub use self::parse::parse;
pub use self::pattern::{Arg, Pattern};
