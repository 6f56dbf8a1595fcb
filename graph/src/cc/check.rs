//! Validation of C snippets before the compiler runs.

use std::collections::HashMap;

use super::error::BlockError;
use super::lex::{self, CToken};
use super::walk::{self, Finding};

/// Names that blocks keep for themselves.
const RESERVED: [&str; 4] = ["opw_", "py_", "storage_", "__label"];

/// Whose text it is: `Double.c_extract`.
pub(super) struct From<'a> {
    pub(super) class: &'a str,
    pub(super) hook: &'static str,
}

impl From<'_> {
    fn wrong(&self, line: usize, what: &str) -> BlockError {
        let From { class, hook } = self;
        BlockError::refused(format_args!("{class}.{hook}, line {line}: {what}"))
    }

    fn found(&self, it: Finding) -> BlockError {
        self.wrong(it.line, &it.what)
    }
}

/// A text that is put into a block; `fail` is what it may leave the block with.
pub(super) fn snippet(from: &From<'_>, text: &str, fail: &str) -> Result<Vec<CToken>, BlockError> {
    let text = if fail.is_empty() { text.to_owned() } else { text.replace(fail, "{ ; }") };
    let tokens = lex::tokens(&text).map_err(|it| from.found(it.into()))?;
    let declared = walk::statements(&tokens).map_err(|mut it| {
        if it.what.ends_with("leaves the block") {
            it.what.push_str(": sub['fail'] is the way out");
        }
        from.found(it)
    })?;
    unreserved(from, &declared)?;
    Ok(declared)
}

/// A text that stands outside of functions, or in a structure.
pub(super) fn support(from: &From<'_>, text: &str) -> Result<(), BlockError> {
    let tokens = lex::tokens(text).map_err(|it| from.found(it.into()))?;
    let declared = walk::declarations(&tokens).map_err(|it| from.found(it))?;
    unreserved(from, &declared)
}

fn unreserved(from: &From<'_>, declared: &[CToken]) -> Result<(), BlockError> {
    let reserved = |it: &&CToken| RESERVED.iter().any(|prefix| it.text.starts_with(prefix));
    match declared.iter().find(reserved) {
        Some(it) => {
            let what = format!("`{}` begins as names do that blocks keep for themselves", it.text);
            Err(from.wrong(it.line, &what))
        }
        None => Ok(()),
    }
}

/// The declarations of all variables of a block: which names there are, and whose.
#[derive(Default)]
pub(super) struct Declarations(HashMap<String, String>);

impl Declarations {
    /// Those of the variable `name`.
    pub(super) fn add(
        &mut self,
        from: &From<'_>,
        name: &str,
        text: &str,
        fail: &str,
        is_simple: bool,
    ) -> Result<(), BlockError> {
        let declared = snippet(from, text, fail)?;
        for it in &declared {
            if !it.text.contains(name) {
                let what = format!(
                    "`{}` is declared without the name of the variable ({name}): every variable of \
                     the type would be called so",
                    it.text
                );
                return Err(from.wrong(it.line, &what));
            }
            if let Some(other) = self.0.insert(it.text.clone(), name.to_owned())
                && other != name
            {
                let what = format!("`{}` is declared for {other}, too", it.text);
                return Err(from.wrong(it.line, &what));
            }
        }
        if is_simple && declared.len() > 1 {
            let what = "c_is_simple() declares a single declaration, and there are several";
            return Err(from.wrong(declared[1].line, what));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::{Declarations, From, snippet, support};
    use crate::cc::error::BlockError;

    const FROM: From<'_> = From { class: "Double", hook: "c_extract" };

    fn refused<T>(it: Result<T, BlockError>) -> String {
        match it {
            Ok(_) => "taken".to_owned(),
            Err(BlockError::Refused(text)) => text,
            Err(_) => "something else".to_owned(),
        }
    }

    #[test]
    fn the_way_out_may_leave() {
        let fail = "{ opw_failure = 1; goto opw_label_1; }";
        let text = format!("if (a) {{ b(); {fail} }}");
        assert_eq!(refused(snippet(&FROM, &text, fail)), "taken");
        assert_eq!(
            refused(snippet(&FROM, "a;\nreturn 0;", fail)),
            "Double.c_extract, line 2: `return 0` leaves the block: sub['fail'] is the way out"
        );
    }

    #[test]
    fn names_of_blocks_are_not_declared() {
        let expected =
            "Double.c_extract, line 1: `py_V1` begins as names do that blocks keep for themselves";
        assert_eq!(refused(snippet(&FROM, "PyObject* py_V1;", "")), expected);
        assert_eq!(refused(snippet(&FROM, "py_V1 = f();", "")), "taken");
        assert_ne!(refused(support(&FROM, "static int opw_x;")), "taken");
    }

    #[test]
    fn declarations_have_the_name() {
        let mut all = Declarations::default();
        assert_eq!(refused(all.add(&FROM, "V1", "double V1; int V1_n;", "", false)), "taken");
        assert!(refused(all.add(&FROM, "V2", "double value;", "", false)).contains("`value`"));
        assert!(refused(all.add(&FROM, "V3", "int V1_n, V3;", "", false)).contains("V1_n"));
        assert!(refused(all.add(&FROM, "V4", "int V4, V4_n;", "", true)).contains("c_is_simple"));
    }
}
