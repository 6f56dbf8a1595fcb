//! The command line.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use opwright_codegen::c_library;
use opwright_codegen::print::{c, go};

/// Reads operators, and prints what follows from them.
///
/// Exit status: 0 if all is well, 1 if something is wrong with what was read, 2 if with the
/// command line.
#[derive(Debug, Parser)]
#[command(name = "opwright", version, max_term_width = 100, arg_required_else_help = false)]
pub(crate) struct CommandLine {
    /// What to do.
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Check(CheckArgs),
    Dump(Dump),
    Gen(Gen),
    Reference(Reference),
    New(New),
    Explain(Explain),
    Diff(Diff),
    Coverage(Coverage),
    /// Print a JSON Schema of operator files, by which editors complete and check them.
    Schema,
}

/// Report every mistake of operator files, or of a crate, in one run.
///
/// A file is what it contains: operators (entries with `func`), tags (`tag`), deprecated
/// signatures (`name` and `aten`) or derivatives (`name` and formulas). The last two are compared
/// with the operators of the files given with them, or of the file native_functions.yaml that lies
/// beside them. Tags are those of the file given, or of the file tags.yaml that lies beside the
/// operators, or the usual ones.
///
/// Of a crate, the annotated functions in `src` and the files that `build.rs` names are read: all
/// that its build script would say, but not what rustc would. Features count as off. Operators that
/// the crate takes in are compared with what the last build has left of them.
///
/// Of derivatives, it is said how many formulas there are.
///
/// The last line of text is `N operators, M errors`.
#[derive(Args, Debug)]
pub(crate) struct CheckArgs {
    /// Operator files and those beside them; also what a build has left, `operators.json`.
    #[arg(required_unless_present = "krate", value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// The directory of a crate with annotated functions.
    #[arg(long = "crate", id = "krate", value_name = "DIR", conflicts_with = "files")]
    pub(crate) directory: Option<PathBuf>,
    /// Also say how many of the derivatives the operators of the crate in this directory could take
    /// as they stand. Without it, of the crate here or right below, if there is one.
    #[arg(long, value_name = "DIR", conflicts_with = "krate")]
    pub(crate) into: Option<PathBuf>,
    /// Check again whenever one of the files is saved.
    #[arg(long)]
    pub(crate) watch: bool,
    /// As rustc shows mistakes, or as one JSON object.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(crate) format: Format,
}

/// Print the operators of files as JSON.
///
/// One object per operator: its `name`, `overload`, `kind`, `arguments`, `returns`, and `schema`,
/// the text printed back from what was read.
#[derive(Args, Debug)]
pub(crate) struct Dump {
    /// Operator files.
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// The only one there is.
    #[arg(long, value_parser = ["json"], default_value = "json")]
    pub(crate) format: String,
}

/// Print everything that is generated for the operators of files, for reading.
#[derive(Args, Debug)]
pub(crate) struct Gen {
    /// Operator files.
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// The directory to write to, made if it is missing.
    #[arg(long, value_name = "DIR")]
    pub(crate) out: PathBuf,
    /// Also the header of a library for C, and its functions.
    #[arg(long)]
    pub(crate) c: bool,
    /// Also the package for Go over that library, and the library for C.
    #[arg(long)]
    pub(crate) go: bool,
    /// What the names of that library begin with.
    #[arg(long, default_value = c::REFERENCE, value_parser = prefix)]
    pub(crate) prefix: String,
    /// The path of the Go module: what names in C begin with, unless this says another one.
    #[arg(long, value_name = "PATH", value_parser = go_module)]
    pub(crate) go_module: Option<String>,
}

/// What names in C can begin with.
fn prefix(text: &str) -> Result<String, String> {
    c_library::problem(text).map_or(Ok(text.to_owned()), Err)
}

/// What a Go module can be called.
fn go_module(text: &str) -> Result<String, String> {
    go::module_problem(text).map_or(Ok(text.to_owned()), Err)
}

/// Print a page of Markdown for each operator of a crate, with an index.
///
/// A page has the signatures in Python, in Rust and, for a library for C, in C and in Go, the examples
/// of the documentation, and the schemas. What no description says comes from the installed module: dtypes and shapes that the
/// operators take and return, as `python -m opwright.testing.observe MODULE` prints them.
#[derive(Args, Debug)]
pub(crate) struct Reference {
    /// The directory of the crate.
    #[arg(value_name = "CRATE", default_value = ".")]
    pub(crate) directory: PathBuf,
    /// What was observed of the installed module; `-` is the standard input.
    #[arg(long, value_name = "FILE")]
    pub(crate) observed: Option<PathBuf>,
    /// The directory to write to, made if it is missing.
    #[arg(long, value_name = "DIR")]
    pub(crate) out: PathBuf,
}

/// Write a crate of one's own that becomes a Python module.
///
/// It has one operator with an entry and one that is an annotated function, and is built with
/// `pip install .` or `maturin develop`, its library for C and its package for Go with `make`.
#[derive(Args, Debug)]
pub(crate) struct New {
    /// The directory to make; its last part names the crate and the module.
    #[arg(value_name = "DIR")]
    pub(crate) directory: PathBuf,
    /// Build against the checkout of opwright in this directory.
    #[arg(long, value_name = "DIR", conflicts_with = "git")]
    pub(crate) path: Option<PathBuf>,
    /// Build against the git repository at this address.
    #[arg(long, value_name = "URL")]
    pub(crate) git: Option<String>,
    /// Make it a library for C, too, with a header and a program that calls it.
    #[arg(long)]
    pub(crate) c: bool,
    /// Make it a package for Go, too, over the library for C.
    #[arg(long)]
    pub(crate) go: bool,
    /// The path of the Go module: the name of the crate, unless this says another one.
    #[arg(long, value_name = "PATH", requires = "go", value_parser = go_module)]
    pub(crate) go_module: Option<String>,
    /// Write workflows for GitHub, too: tests on Linux, macOS and Windows, and a tag that publishes wheels.
    #[arg(long)]
    pub(crate) ci: bool,
    /// Operators of opwright that the module has beside its own: `add,mul,linalg_norm`.
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub(crate) operators: Vec<String>,
}

/// Say what an error code means, or what becomes of the gradients of an operator.
///
/// Of a code there is an example and its mend; of an operator its function in C, the entry with its
/// formulas, what a recorded call saves, and the Rust that is printed for it.
#[derive(Args, Debug)]
pub(crate) struct Explain {
    /// `E0104`, `mul` or `mul.Tensor`; without one, all codes are listed.
    #[arg(value_name = "CODE or OPERATOR")]
    pub(crate) subject: Option<String>,
    /// The directory of the crate that has the operator. Without it, the crate here or right below.
    #[arg(long = "crate", value_name = "DIR")]
    pub(crate) directory: Option<PathBuf>,
}

/// Show which changes between two versions of a library break callers.
///
/// A version is an operator file, or the directory of a crate with annotated functions.
///
/// Callers are programs in Python, in Rust, in C and in Go, and stored programs, which hold full names
/// of operators, arguments by name as far as they differ from the default, and results by position.
/// The exit status is 1 if a change breaks one of them.
///
/// With `--c`, it is shown instead what programs find that were compiled with the old header, and
/// which number of the library's ABI version grows; then the exit status is 1 if it is the major one.
#[derive(Args, Debug)]
pub(crate) struct Diff {
    /// The operators as they were.
    pub(crate) old: PathBuf,
    /// The operators as they are now.
    pub(crate) new: PathBuf,
    /// Compare the headers for C; a version may also be a header.
    #[arg(long)]
    pub(crate) c: bool,
    /// As a table, or as one JSON object.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(crate) format: Format,
}

/// Show which operators of another library one has, by Python module and by tag.
///
/// An operator is there if an overload of the same name has the same schema.
#[derive(Args, Debug)]
pub(crate) struct Coverage {
    /// The operators of the other library: a file, or the directory of a crate.
    pub(crate) upstream: PathBuf,
    /// The operator files of the library.
    #[arg(required_unless_present = "krate", value_name = "LIBRARY")]
    pub(crate) library: Vec<PathBuf>,
    /// The directory of its crate, if it has annotated functions.
    #[arg(long = "crate", id = "krate", value_name = "DIR", conflicts_with = "library")]
    pub(crate) directory: Option<PathBuf>,
    /// Also draw the shares, to this file.
    #[arg(long, value_name = "FILE")]
    pub(crate) svg: Option<PathBuf>,
    /// As a table, or as one JSON object, which also lists what is missing.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(crate) format: Format,
}

/// How findings are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// As rustc shows them.
    Text,
    /// As one JSON object.
    Json,
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_command_line_is_well_formed() {
        CommandLine::command().debug_assert();
    }

    #[test]
    fn says_what_is_wrong() {
        for (line, message) in [
            ("opwright", "requires a subcommand"),
            ("opwright chek a", "'check'"),
            ("opwright check", "<FILE>"),
            ("opwright check a --format yaml", "[possible values: text, json]"),
            ("opwright check a --fromat json", "'--format'"),
            ("opwright gen a", "--out <DIR>"),
            ("opwright new a --path b --git c", "cannot be used with"),
            ("opwright new a --go --go-module b//c", "`b//c` cannot be the path of a Go module"),
            ("opwright new a --go-module b", "--go"),
        ] {
            let Err(error) = CommandLine::try_parse_from(line.split(' ')) else {
                panic!("accepted: {line}")
            };
            assert!(error.to_string().contains(message), "{line}: {error}");
        }
    }
}
