//! `opwright gen`.

use opwright_codegen::c_library::CLibrary;
use opwright_codegen::generate::Generate;
use opwright_codegen::print::{c, go};
use opwright_diagnostics::diag::{Diagnostic, Diagnostics};
use opwright_diagnostics::{Sources, render};
use opwright_schema::codes;

use crate::ExitStatus;
use crate::args::Gen;
use crate::files;
use crate::output::OutputFile;

/// Prints everything for the operators of the files to a directory. If
/// something is wrong with them, the directory is left alone.
pub(crate) fn run(wanted: &Gen, output: &mut OutputFile) -> ExitStatus {
    let out = &wanted.out;
    let mut cx = Diagnostics::new();
    let mut sources = Sources::new();
    let input = files::read(&mut cx, &mut sources, &wanted.files);
    let unreadable = cx.finish().err();
    let generate = Generate {
        c: (wanted.c || wanted.go).then(|| CLibrary::of_prefix(&wanted.prefix)),
        go_module: wanted.go.then(|| go_module(wanted)),
        ..Generate::reading(input)
    };
    let printed = generate.print(&sources);
    let printed = match (unreadable, printed) {
        (None, Ok(printed)) => printed,
        (unreadable, printed) => {
            let errors = unreadable.into_iter().chain(printed.err()).flatten();
            let errors: Vec<Diagnostic> = errors.collect();
            output.error(&render(&sources, &errors));
            return ExitStatus::Wrong;
        }
    };
    output.error(&render(&sources, &printed.warnings));
    if let Err((path, error)) = printed.write(out) {
        let message = format!("cannot write `{}`: {error}", path.display());
        output.error(&render(&sources, &[Diagnostic::global(codes::UNREADABLE, message)]));
        return ExitStatus::Wrong;
    }
    let (operators, files) = (printed.operators, printed.files.len());
    output.line(&format!("{operators} operators, {files} files in `{}`", out.display()));
    ExitStatus::Fine
}

/// The module that is asked for, else the one of the library's name.
fn go_module(wanted: &Gen) -> String {
    let own = match wanted.prefix.as_str() {
        c::REFERENCE => go::Package::REFERENCE.module,
        prefix => prefix,
    };
    wanted.go_module.clone().unwrap_or_else(|| own.to_owned())
}
