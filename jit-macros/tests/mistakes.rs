//! Mistakes that an author can make with `#[overload]` and `#[cast]`: each is one error, at the text
//! that is wrong.
//!
//! `OPWRIGHT_BLESS=1` writes what is said now.

use std::env;

#[test]
fn mistakes() {
    if env::var_os("OPWRIGHT_BLESS").is_some() {
        // SAFETY: this is the only test that reads or sets it.
        unsafe { env::set_var("TRYBUILD", "overwrite") };
    }
    let cases = trybuild::TestCases::new();
    cases.pass("tests/ui/pass/*.rs");
    cases.compile_fail("tests/ui/overload/*.rs");
    cases.compile_fail("tests/ui/cast/*.rs");
}
