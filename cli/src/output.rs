//! Standard output and error, which may be closed: a reader such as `head`
//! that has seen enough is no error.

use std::io::{self, IsTerminal, Write};

use serde::Serialize;

/// Where a command writes.
#[derive(Default)]
pub(crate) struct OutputFile {
    closed: bool,
}

impl OutputFile {
    /// Writes a text to standard output, and a line break if it has none.
    pub(crate) fn line(&mut self, text: &str) {
        if self.closed {
            return;
        }
        let mut stdout = io::stdout().lock();
        let end = if text.ends_with('\n') { "" } else { "\n" };
        let written = stdout.write_all(text.as_bytes());
        let written = written.and_then(|()| stdout.write_all(end.as_bytes()));
        if written.and_then(|()| stdout.flush()).is_err() {
            self.closed = true;
        }
    }

    /// Writes a value as JSON to standard output.
    pub(crate) fn json(&mut self, value: &impl Serialize) {
        match serde_json::to_string_pretty(value) {
            Ok(text) => self.line(&text),
            Err(error) => self.error(&format!("error: {error}")),
        }
    }

    /// Writes a text to standard error, and a line break if it has none.
    pub(crate) fn error(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        let end = if text.ends_with('\n') { "" } else { "\n" };
        // Nobody is left to tell if this fails.
        let _ = write!(io::stderr().lock(), "{text}{end}");
    }

    /// Whether somebody may still read standard output.
    pub(crate) fn is_open(&self) -> bool {
        !self.closed
    }

    /// Whether a person looks at standard output.
    pub(crate) fn is_terminal(&self) -> bool {
        io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|it| it.is_empty())
    }
}
