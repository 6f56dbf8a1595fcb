//! Names that authors give to things of Python.

use opwright_diagnostics::diag::Diagnostics;

use crate::codes;
use crate::model::Spanned;
use crate::names::is_python_keyword;
use crate::parse::is_identifier;

/// Whether Python can call something so; reported if it cannot.
pub(super) fn check_name(cx: &mut Diagnostics, name: &Spanned<String>) -> bool {
    if is_identifier(&name.value) && !is_python_keyword(&name.value) {
        return true;
    }
    let message = format!("`{}` is not a name in Python", name.value);
    cx.error(codes::NAME, &name.span, message)
        .help("a name consists of letters, digits and `_`, and is no keyword of Python");
    false
}
