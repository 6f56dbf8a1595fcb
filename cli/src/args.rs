//! The command line.

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

use opwright_schema::diag::nearest;

/// What to do.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Command {
    /// Print a text.
    Help(&'static str),
    /// Check files.
    Check {
        /// Operator files and those beside them.
        files: Vec<PathBuf>,
        /// How to show what is wrong.
        format: Format,
    },
    /// Print what was read.
    Dump {
        /// Operator files.
        files: Vec<PathBuf>,
    },
    /// Print what is generated.
    Gen {
        /// Operator files.
        files: Vec<PathBuf>,
        /// Where to.
        out: PathBuf,
    },
}

/// How findings are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    /// As rustc shows them.
    Text,
    /// As one JSON object.
    Json,
}

/// A command line that means nothing, and why.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Usage(pub(crate) String);

const HELP: &str = "\
Reads operator files, and prints what follows from them

Usage: opwright <command> [options]

Commands:
  check FILE...            report every mistake of operator files and the files beside them
  dump FILE...             print the operators as JSON
  gen FILE... --out DIR    print everything that is generated for the operators
  help [COMMAND]           print this text, or that of a command

Options:
  -h, --help               print help
  -V, --version            print the version

Exit status: 0 if all is well, 1 if something is wrong with a file, 2 if with the command line.
";

const CHECK: &str = "\
Reports every mistake of operator files and the files beside them, in one run

Usage: opwright check [options] FILE...

A file is what it contains:
  operators                entries with `func`, as in native_functions.yaml
  tags                     entries with `tag`, as in tags.yaml
  deprecated signatures    entries with `name` and `aten`, as in deprecated.yaml
  derivatives              entries with `name` and formulas, as in derivatives.yaml

The last two are compared with the operators of the files given with them, or of the file
native_functions.yaml that lies beside them. Tags are those of the file given, or of the file
tags.yaml that lies beside the operators, or the usual ones.

Options:
      --format text|json   text as rustc shows it (default), or one JSON object
  -h, --help               print this text

The last line of text is `N operators, M errors`. The exit status is 1 if M is not 0.
";

const DUMP: &str = "\
Prints the operators of files as JSON

Usage: opwright dump [options] FILE...

One object per operator: its `name`, `overload`, `kind`, `arguments`, `returns`, and `schema`,
the text printed back from what was read.

Options:
      --format json        the only one there is
  -h, --help               print this text
";

const GEN: &str = "\
Prints everything that is generated for the operators of files, for reading

Usage: opwright gen FILE... --out DIR

Options:
      --out DIR            the directory to write to, made if it is missing
  -h, --help               print this text
";

const VERSION: &str = concat!("opwright ", env!("CARGO_PKG_VERSION"), "\n");

const COMMANDS: [&str; 4] = ["check", "dump", "gen", "help"];

impl Command {
    /// Reads a command line without the program's name.
    pub(crate) fn parse(args: impl Iterator<Item = OsString>) -> Result<Self, Usage> {
        let args: Vec<OsString> = args.collect();
        let Some((first, rest)) = args.split_first() else {
            return Err(Usage(format!("error: no command given\n\n{HELP}")));
        };
        match first.to_str().unwrap_or_default() {
            "check" => Options::read("check", CHECK, &["--format"], rest)?.check(),
            "dump" => Options::read("dump", DUMP, &["--format"], rest)?.dump(),
            "gen" => Options::read("gen", GEN, &["--out"], rest)?.gen_files(),
            "help" => Ok(Command::Help(help_for(rest.first().map(OsString::as_os_str)))),
            "-h" | "--help" => Ok(Command::Help(HELP)),
            "-V" | "--version" => Ok(Command::Help(VERSION)),
            _ => Err(unknown("command", first, &COMMANDS, "opwright --help")),
        }
    }
}

fn help_for(command: Option<&OsStr>) -> &'static str {
    match command.and_then(OsStr::to_str) {
        Some("check") => CHECK,
        Some("dump") => DUMP,
        Some("gen") => GEN,
        _ => HELP,
    }
}

/// What follows a command.
#[derive(Default)]
struct Options {
    command: &'static str,
    help: Option<&'static str>,
    files: Vec<PathBuf>,
    format: Option<String>,
    out: Option<PathBuf>,
}

impl Options {
    /// Reads options that take a value, and files. After `--` all are files.
    fn read(
        command: &'static str,
        help: &'static str,
        known: &[&str],
        args: &[OsString],
    ) -> Result<Self, Usage> {
        let mut options = Options { command, ..Options::default() };
        let mut args = args.iter();
        while let Some(arg) = args.next() {
            let text = arg.to_str().unwrap_or_default();
            if text == "--" {
                options.files.extend(args.by_ref().map(PathBuf::from));
                break;
            }
            if matches!(text, "-h" | "--help") {
                options.help = Some(help);
                continue;
            }
            if !text.starts_with('-') || text == "-" {
                options.files.push(PathBuf::from(arg));
                continue;
            }
            let (name, value) = match text.split_once('=') {
                Some((name, value)) => (name, Some(OsString::from(value))),
                None => (text, None),
            };
            if !known.contains(&name) {
                let more = format!("opwright {command} --help");
                return Err(unknown("option", OsStr::new(name), known, &more));
            }
            let value = value.or_else(|| args.next().cloned());
            let value = value.ok_or_else(|| Usage(format!("error: `{name}` needs a value")))?;
            options.set(name, value)?;
        }
        Ok(options)
    }

    fn set(&mut self, name: &str, value: OsString) -> Result<(), Usage> {
        let twice = || Usage(format!("error: `{name}` is given twice"));
        match name {
            "--out" => match self.out.replace(PathBuf::from(value)) {
                Some(_) => Err(twice()),
                None => Ok(()),
            },
            _ => match self.format.replace(value.to_string_lossy().into_owned()) {
                Some(_) => Err(twice()),
                None => Ok(()),
            },
        }
    }

    /// The files, of which there must be one at least.
    fn files(&mut self) -> Result<Vec<PathBuf>, Usage> {
        if self.files.is_empty() {
            let command = self.command;
            return Err(Usage(format!(
                "error: no file given\n\nUsage: opwright {command} FILE...\n\
                 For more, see `opwright {command} --help`."
            )));
        }
        Ok(std::mem::take(&mut self.files))
    }

    fn check(mut self) -> Result<Command, Usage> {
        if let Some(help) = self.help {
            return Ok(Command::Help(help));
        }
        let format = match self.format.as_deref() {
            None | Some("text") => Format::Text,
            Some("json") => Format::Json,
            Some(other) => {
                let formats = ["text", "json"];
                return Err(unknown(
                    "format",
                    OsStr::new(other),
                    &formats,
                    "opwright check --help",
                ));
            }
        };
        Ok(Command::Check { files: self.files()?, format })
    }

    fn dump(mut self) -> Result<Command, Usage> {
        if let Some(help) = self.help {
            return Ok(Command::Help(help));
        }
        if let Some(other) = self.format.as_deref().filter(|it| *it != "json") {
            return Err(unknown("format", OsStr::new(other), &["json"], "opwright dump --help"));
        }
        Ok(Command::Dump { files: self.files()? })
    }

    fn gen_files(mut self) -> Result<Command, Usage> {
        if let Some(help) = self.help {
            return Ok(Command::Help(help));
        }
        let files = self.files()?;
        let out = self.out.take().ok_or_else(|| {
            Usage(
                "error: `--out DIR` is missing\n\nUsage: opwright gen FILE... --out DIR".to_owned(),
            )
        })?;
        Ok(Command::Gen { files, out })
    }
}

fn unknown(what: &str, word: &OsStr, known: &[&str], more: &str) -> Usage {
    let word = word.to_string_lossy();
    let hint = match nearest(&word, known.iter().copied()) {
        Some(near) => format!("help: did you mean `{near}`?"),
        None => format!("help: expected {}", quoted(known)),
    };
    Usage(format!("error: unknown {what} `{word}`\n{hint}\nFor more, see `{more}`."))
}

fn quoted(words: &[&str]) -> String {
    let words: Vec<String> = words.iter().map(|it| format!("`{it}`")).collect();
    match words.as_slice() {
        [most @ .., last] if !most.is_empty() => format!("{} or {last}", most.join(", ")),
        words => words.concat(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<Command, Usage> {
        Command::parse(line.split_whitespace().map(OsString::from))
    }

    #[test]
    fn reads_commands() {
        let files = vec![PathBuf::from("a"), PathBuf::from("-b")];
        let expected = Command::Check { files, format: Format::Json };
        assert_eq!(parse("check a --format=json -- -b"), Ok(expected));
        let files = vec![PathBuf::from("a")];
        let expected = Command::Gen { files, out: PathBuf::from("o") };
        assert_eq!(parse("gen --out o a"), Ok(expected));
        assert_eq!(parse("dump --help"), Ok(Command::Help(DUMP)));
    }

    #[test]
    fn says_what_is_wrong() {
        for (line, message) in [
            ("", "no command"),
            ("chek a", "did you mean `check`?"),
            ("check", "no file"),
            ("check a --format yaml", "expected `text` or `json`"),
            ("check a --fromat json", "did you mean `--format`?"),
            ("check a --format", "needs a value"),
            ("gen a", "`--out DIR` is missing"),
            ("gen a --out b --out c", "twice"),
        ] {
            let Err(Usage(text)) = parse(line) else { panic!("accepted: {line}") };
            assert!(text.contains(message), "{line}: {text}");
        }
    }
}
