//! Mistakes that an author can make with `#[native_op]`: each is one error, at the text that is
//! wrong.
//!
//! What the cases depend on is compiled once more, with flags of its own: so they stand in a package
//! that needs little. `OPWRIGHT_BLESS=1` writes what is said now.

use std::env;

#[test]
fn mistakes() {
    if env::var_os("OPWRIGHT_BLESS").is_some() {
        // SAFETY: this is the only test that reads or sets it.
        unsafe { env::set_var("TRYBUILD", "overwrite") };
    }
    let cases = trybuild::TestCases::new();
    cases.pass("tests/ui/pass/*.rs");
    cases.compile_fail("tests/ui/native_op/*.rs");
    cases.compile_fail("tests/ui/native_struct/*.rs");
    cases.compile_fail("tests/ui/native_type/*.rs");
}
