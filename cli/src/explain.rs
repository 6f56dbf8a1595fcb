//! `opwright explain`: what an error code means, with an example and its mend; what becomes of the
//! gradients of an operator.

mod operator;

use std::path::Path;

use opwright_codegen::codes;
use opwright_diagnostics::diag::nearest;

use crate::ExitStatus;
use crate::args::Explain;
use crate::around::crate_around;
use crate::output::OutputFile;
use crate::read::{ReadOperators, prefix_in_c};

/// The page of each code.
const PAGES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/pages.rs"));

/// Prints the page of a code, or what becomes of the gradients of an operator; without either, all
/// codes and their titles.
pub(crate) fn run(explain: &Explain, output: &mut OutputFile) -> ExitStatus {
    let Some(subject) = &explain.subject else {
        let titles = PAGES.iter().map(|(code, _)| (code, codes::title(code).unwrap_or_default()));
        let lines: Vec<String> = titles.map(|(code, title)| format!("{code}  {title}")).collect();
        output.line(&lines.join("\n"));
        return ExitStatus::Fine;
    };
    let number = subject.strip_prefix(['e', 'E']).unwrap_or_default();
    if number.is_empty() || !number.bytes().all(|it| it.is_ascii_digit()) {
        return operator(subject, explain.directory.as_deref(), output);
    }
    let code = subject.to_ascii_uppercase();
    if let Some((_, page)) = PAGES.iter().find(|(known, _)| *known == code) {
        output.line(page);
        return ExitStatus::Fine;
    }
    let hint = match nearest(&code, PAGES.iter().map(|(code, _)| *code)) {
        Some(near) => format!("did you mean `{near}`?"),
        None => "`opwright explain` lists all codes".to_owned(),
    };
    output.error(&format!("error: there is no error code `{code}`\nhelp: {hint}"));
    ExitStatus::Wrong
}

/// Prints what becomes of the gradients of an operator of a crate.
fn operator(name: &str, directory: Option<&Path>, output: &mut OutputFile) -> ExitStatus {
    let around = crate_around(Path::new("."));
    let Some(directory) = directory.or(around.as_deref()) else {
        output.error(&format!(
            "error: `{name}` is no error code, and there is no crate with operators here\n\
             help: `opwright explain {name} --crate DIR` says which crate has it"
        ));
        return ExitStatus::Wrong;
    };
    let Some((library, sources)) = ReadOperators::library(directory, output) else {
        return ExitStatus::Wrong;
    };
    let c = prefix_in_c(&library, directory);
    if let Some(text) = operator::explained(&library, &sources, name, c.as_deref()) {
        output.line(&text);
        return ExitStatus::Fine;
    }
    let names: Vec<String> =
        library.ops.overloads.iter().map(|it| it.schema.name.to_string()).collect();
    let hint = match nearest(name, names.iter().map(String::as_str)) {
        Some(near) => format!("did you mean `{near}`?"),
        None => "`opwright explain` lists all codes, `opwright dump` all operators".to_owned(),
    };
    let directory = directory.display();
    output.error(&format!("error: `{directory}` has no operator `{name}`\nhelp: {hint}"));
    ExitStatus::Wrong
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_has_a_page_with_its_title() {
        let tables = [opwright_schema::codes::TABLE, codes::TABLE].concat();
        let expected: Vec<String> =
            tables.iter().map(|(code, title)| format!("# {code}: {title}")).collect();
        let first_lines: Vec<&str> =
            PAGES.iter().filter_map(|(_, page)| page.lines().next()).collect();
        assert_eq!(first_lines, expected);
    }
}
