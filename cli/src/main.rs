//! The `opwright` command: checks operator files, shows what is read from
//! them and what is printed for them.

mod args;
mod check;
mod dump;
mod files;
mod generate;
mod output;
mod report;

use std::env;
use std::process::ExitCode;

use args::{Command, Usage};
use output::Output;

/// How a run ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    /// Nothing is wrong.
    Fine,
    /// Something is wrong with the files.
    Wrong,
}

fn main() -> ExitCode {
    let mut output = Output::default();
    match Command::parse(env::args_os().skip(1)) {
        Ok(command) => {
            let outcome = run(&command, &mut output);
            match outcome {
                Outcome::Fine => ExitCode::SUCCESS,
                Outcome::Wrong => ExitCode::from(1),
            }
        }
        Err(Usage(message)) => {
            output.error(&message);
            ExitCode::from(2)
        }
    }
}

fn run(command: &Command, output: &mut Output) -> Outcome {
    match command {
        Command::Help(text) => {
            output.line(text);
            Outcome::Fine
        }
        Command::Check { files, format } => check::run(files, *format, output),
        Command::Dump { files } => dump::run(files, output),
        Command::Gen { files, out } => generate::run(files, out, output),
    }
}
