//! The `opwright` command: checks operator files, shows what is read from
//! them and what is printed for them, and begins crates with operators.

mod args;
mod around;
mod built;
mod check;
mod coverage;
mod diff;
mod dump;
mod explain;
mod files;
mod formulas;
mod generate;
mod new;
mod output;
mod read;
mod reference;
mod report;
mod watch;

use std::process::ExitCode;

use args::{Command, CommandLine};
use clap::Parser;
use opwright_schema::entry;
use output::OutputFile;

/// How a run ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ExitStatus {
    /// Nothing is wrong.
    Fine,
    /// Something is wrong with what was read.
    Wrong,
}

fn main() -> ExitCode {
    let mut output = OutputFile::default();
    match run(&CommandLine::parse().command, &mut output) {
        ExitStatus::Fine => ExitCode::SUCCESS,
        ExitStatus::Wrong => ExitCode::from(1),
    }
}

fn run(command: &Command, output: &mut OutputFile) -> ExitStatus {
    match command {
        Command::Check(check) if check.watch => watch::run(check, output),
        Command::Check(check) => check::run(check, output),
        Command::Dump(dump) => dump::run(&dump.files, output),
        Command::Explain(explain) => explain::run(explain, output),
        Command::Coverage(coverage) => coverage::run(coverage, output),
        Command::Diff(diff) => diff::run(diff, output),
        Command::Schema => {
            output.line(entry::JSON_SCHEMA);
            ExitStatus::Fine
        }
        Command::Gen(gen_) => generate::run(gen_, output),
        Command::Reference(reference) => reference::run(reference, output),
        Command::New(new) => new::run(new, output),
    }
}
