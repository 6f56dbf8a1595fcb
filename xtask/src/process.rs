//! Running other programs, so that the reader sees which.

use std::error::Error;
use std::ffi::OsStr;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

use crate::progress::{self, Built, RunningProgram};
use crate::step_output;

/// What a command of the project returns; an error is a sentence for the user.
pub(crate) type ProcessResult<T> = std::result::Result<T, Box<dyn Error>>;

/// Shows a command and runs it to its end.
///
/// # Errors
///
/// If it cannot be started or says that it failed.
pub(crate) fn run(command: &mut Command) -> ProcessResult<()> {
    show(command);
    let _running = RunningProgram::begin();
    step_output::direct(command)?;
    let status = command.status().map_err(|error| not_started(command, &error))?;
    if status.success() { Ok(()) } else { Err(failed(command, status)) }
}

/// Shows a command that builds with cargo, and runs it to its end. Where nobody watches, it is said now
/// and then what is being compiled, and how many of how many.
///
/// # Errors
///
/// If it cannot be started or says that it failed.
pub(crate) fn build(command: &mut Command) -> ProcessResult<()> {
    if progress::is_watched() || step_output::is_kept() {
        return run(command);
    }
    show(command);
    let built = Built::default();
    let _running = RunningProgram::build(&built);
    // Otherwise cargo says such things to terminals alone.
    command.env("CARGO_TERM_PROGRESS_WHEN", "always").env("CARGO_TERM_PROGRESS_WIDTH", "120");
    command.env("CARGO_TERM_QUIET", "false").stderr(Stdio::piped());
    let mut child = command.spawn().map_err(|error| not_started(command, &error))?;
    let output = BufReader::new(child.stderr.take().expect("errors are piped"));
    in_pieces(output, |piece| {
        if !built.keep(piece) && !is_status(piece) {
            eprint!("{piece}");
        }
    })?;
    let status = child.wait()?;
    if status.success() { Ok(()) } else { Err(failed(command, status)) }
}

/// Hands on what is read, up to each end of a line or return to its beginning.
fn in_pieces(output: impl BufRead, mut hand_on: impl FnMut(&str)) -> ProcessResult<()> {
    let mut piece = Vec::new();
    for byte in output.bytes() {
        let byte = byte?;
        piece.push(byte);
        if matches!(byte, b'\n' | b'\r') {
            hand_on(&String::from_utf8_lossy(&piece));
            piece.clear();
        }
    }
    hand_on(&String::from_utf8_lossy(&piece));
    Ok(())
}

/// Whether cargo says by it what it does, and nothing that went wrong.
fn is_status(piece: &str) -> bool {
    const VERBS: [&str; 6] =
        ["Blocking", "Compiling", "Downloaded", "Downloading", "Finished", "Locking"];
    let text = piece.trim();
    text.is_empty() && !piece.contains('\n') || VERBS.iter().any(|it| text.starts_with(it))
}

/// Shows a command and runs it; every line that it prints is passed on and given to `read`.
///
/// # Errors
///
/// If it cannot be started or says that it failed.
pub(crate) fn watch(command: &mut Command, mut read: impl FnMut(&str)) -> ProcessResult<()> {
    show(command);
    let _running = RunningProgram::begin();
    step_output::direct(command)?;
    command.stdout(Stdio::piped());
    let mut child = command.spawn().map_err(|error| not_started(command, &error))?;
    let mut output = BufReader::new(child.stdout.take().expect("standard output is piped"));
    let mut line = Vec::new();
    // Bytes, because a test may print something that is not UTF-8.
    while output.read_until(b'\n', &mut line)? > 0 {
        let text = String::from_utf8_lossy(&line);
        step_output::pass_on(&text);
        read(text.trim_end());
        line.clear();
    }
    let status = child.wait()?;
    if status.success() { Ok(()) } else { Err(failed(command, status)) }
}

/// What a command prints on its standard output; the command itself is not shown.
///
/// # Errors
///
/// If it cannot be started or says that it failed.
pub(crate) fn output(command: &mut Command) -> ProcessResult<String> {
    command.stderr(Stdio::inherit());
    step_output::direct(command)?;
    let output =
        command.stdout(Stdio::piped()).output().map_err(|error| not_started(command, &error))?;
    if !output.status.success() {
        return Err(failed(command, output.status));
    }
    Ok(String::from_utf8(output.stdout)?)
}

fn show(command: &Command) {
    let args: Vec<_> = command.get_args().map(OsStr::to_string_lossy).collect();
    step_output::say(format_args!("$ {} {}", name(command), args.join(" ")));
}

fn name(command: &Command) -> String {
    let program = Path::new(command.get_program());
    program.file_stem().unwrap_or(program.as_os_str()).to_string_lossy().into_owned()
}

#[cold]
fn not_started(command: &Command, error: &std::io::Error) -> Box<dyn Error> {
    format!("cannot start `{}`: {error}", command.get_program().display()).into()
}

#[cold]
fn failed(command: &Command, status: std::process::ExitStatus) -> Box<dyn Error> {
    format!("`{}` failed ({status})", name(command)).into()
}
