//! Output of steps: each thread prints where all do, or into a file of its own.

use std::cell::RefCell;
use std::fmt::Arguments;
use std::fs::File;
use std::io::{self, Write};
use std::process::{Command, Stdio};

thread_local! {
    /// Where this thread and the programs that it starts print; none for where all others do.
    static PRINTED: RefCell<Option<File>> = const { RefCell::new(None) };
}

/// Makes this thread, and the programs that it starts, print into a file from now on.
pub(crate) fn keep(file: File) {
    PRINTED.set(Some(file));
}

/// Whether this thread prints into a file.
pub(crate) fn is_kept() -> bool {
    PRINTED.with_borrow(Option::is_some)
}

/// Prints a line of our own.
pub(crate) fn say(line: Arguments<'_>) {
    PRINTED.with_borrow_mut(|file| match file {
        // A line that could not be printed is no reason to fail.
        Some(file) => drop(writeln!(file, "{line}")),
        None => eprintln!("{line}"),
    });
}

/// Passes on what a program printed.
pub(crate) fn pass_on(text: &str) {
    PRINTED.with_borrow_mut(|file| match file {
        Some(file) => drop(file.write_all(text.as_bytes())),
        None => print!("{text}"),
    });
}

/// Makes a program print where this thread does.
///
/// # Errors
///
/// If the file cannot be given to it.
pub(crate) fn direct(command: &mut Command) -> io::Result<()> {
    PRINTED.with_borrow(|file| {
        if let Some(file) = file {
            command.stdout(Stdio::from(file.try_clone()?)).stderr(Stdio::from(file.try_clone()?));
        }
        Ok(())
    })
}
