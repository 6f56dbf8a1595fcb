//! C text with indentation and `#line` markers.

use std::fmt::{self, Write};

/// What the block's own lines are of.
const OWN: &str = "block";

/// A text in progress.
pub(super) struct CWriter {
    text: String,
    lines: usize,
}

impl CWriter {
    pub(super) fn new() -> CWriter {
        CWriter { text: String::new(), lines: 0 }
    }

    /// A line of the block's own.
    pub(super) fn line(&mut self, line: impl fmt::Display) {
        let before = self.text.len();
        // A string takes what is written to it.
        let _ = writeln!(self.text, "{line}");
        self.lines += self.text[before..].matches('\n').count();
    }

    /// A text of somebody else, who is named by the compiler if it is wrong.
    pub(super) fn snippet(&mut self, whose: &str, text: &str) {
        if text.trim().is_empty() {
            return;
        }
        self.line(format_args!("#line 1 \"{}\"", quoted(whose)));
        // One more line: the last of the text may end in a backslash.
        self.line(format_args!("{text}\n"));
        let next = self.lines + 2;
        self.line(format_args!("#line {next} \"{OWN}\""));
    }

    /// A text of somebody else in braces of its own.
    pub(super) fn enclosed(&mut self, whose: &str, text: &str) {
        if !text.trim().is_empty() {
            self.line("{");
            self.snippet(whose, text);
            self.line("}");
        }
    }

    pub(super) fn into_text(self) -> String {
        self.text
    }
}

/// As it stands in a string of C, whatever is formatted into it.
pub(super) fn quoted(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len());
    for it in text.chars() {
        match it {
            '"' | '\\' => quoted.extend(['\\', it]),
            '%' => quoted.push_str("\\045"),
            '?' => quoted.push_str("\\077"),
            it if it.is_control() => quoted.push(' '),
            it => quoted.push(it),
        }
    }
    quoted
}

#[cfg(test)]
mod tests {
    use super::{CWriter, quoted};

    #[test]
    fn lines_are_counted_behind_what_others_wrote() {
        let mut writer = CWriter::new();
        writer.line("a");
        writer.snippet("T.c_code", "b\nc");
        writer.line("d");
        let text = writer.into_text();
        let expected = "a\n#line 1 \"T.c_code\"\nb\nc\n\n#line 7 \"block\"\nd\n";
        assert_eq!(text, expected);
        assert_eq!(text.lines().nth(6), Some("d"));
    }

    #[test]
    fn names_may_be_anything() {
        assert_eq!(quoted("a\"b%s\\\n"), "a\\\"b\\045s\\\\ ");
    }
}
