//! `opwright explain`: what an error code means, with an example and its mend; what becomes of the
//! gradients of an operator.

mod operator;

use std::path::Path;

use opwright_codegen::codes;
use opwright_diagnostics::diag::nearest;

use crate::Outcome;
use crate::args::Explain;
use crate::around::crate_around;
use crate::output::Output;
use crate::read::{Operators, prefix_in_c};

macro_rules! pages {
    ($($code:literal)*) => {
        &[$(($code, include_str!(concat!("../codes/", $code, ".md")))),*]
    };
}

/// The page of each code.
const PAGES: &[(&str, &str)] = pages! {
    "E0001" "E0002" "E0003" "E0004" "E0005" "E0006"
    "E0101" "E0102" "E0103" "E0104" "E0105" "E0106" "E0107" "E0108" "E0109" "E0110" "E0111"
    "E0112" "E0113" "E0114" "E0115"
    "E0201" "E0202" "E0203" "E0204" "E0205" "E0206" "E0207" "E0208" "E0209" "E0210" "E0211"
    "E0212" "E0213" "E0214" "E0215" "E0216" "E0217" "E0218" "E0219" "E0220" "E0221"
    "E0301" "E0302" "E0303" "E0304" "E0305" "E0306" "E0307" "E0308" "E0309" "E0310" "E0311"
    "E0312" "E0313" "E0314" "E0315" "E0316" "E0317" "E0318" "E0319" "E0320" "E0321" "E0322"
    "E0323" "E0324"
    "E0401" "E0402" "E0403" "E0404" "E0405" "E0406" "E0407" "E0408" "E0409" "E0410" "E0411"
    "E0412" "E0413" "E0414" "E0415"
    "E0501" "E0502" "E0503" "E0511" "E0512" "E0513" "E0514" "E0515" "E0516" "E0517" "E0518"
    "E0519" "E0520" "E0521" "E0522" "E0523" "E0524" "E0525" "E0526"
    "E0601" "E0602" "E0603" "E0604" "E0605" "E0606" "E0607" "E0608" "E0609" "E0610" "E0611" "E0612"
    "E0613" "E0620" "E0621" "E0622" "E0623" "E0630" "E0632" "E0633" "E0634" "E0635" "E0636" "E0640" "E0641" "E0642"
    "E0643" "E0644" "E0645" "E0646" "E0647" "E0648" "E0649" "E0650" "E0651" "E0652" "E0653" "E0654"
    "E0655" "E0656" "E0657" "E0658" "E0659" "E0660" "E0661" "E0662" "E0663" "E0664"
    "E0665" "E0666" "E0667" "E0668" "E0670" "E0671" "E0672" "E0673" "E0674"
    "E0680"
};

/// Prints the page of a code, or what becomes of the gradients of an operator; without either, all
/// codes and their titles.
pub(crate) fn run(explain: &Explain, output: &mut Output) -> Outcome {
    let Some(subject) = &explain.subject else {
        let titles = PAGES.iter().map(|(code, _)| (code, codes::title(code).unwrap_or_default()));
        let lines: Vec<String> = titles.map(|(code, title)| format!("{code}  {title}")).collect();
        output.line(&lines.join("\n"));
        return Outcome::Fine;
    };
    let number = subject.strip_prefix(['e', 'E']).unwrap_or_default();
    if number.is_empty() || !number.bytes().all(|it| it.is_ascii_digit()) {
        return operator(subject, explain.directory.as_deref(), output);
    }
    let code = subject.to_ascii_uppercase();
    if let Some((_, page)) = PAGES.iter().find(|(known, _)| *known == code) {
        output.line(page);
        return Outcome::Fine;
    }
    let hint = match nearest(&code, PAGES.iter().map(|(code, _)| *code)) {
        Some(near) => format!("did you mean `{near}`?"),
        None => "`opwright explain` lists all codes".to_owned(),
    };
    output.error(&format!("error: there is no error code `{code}`\nhelp: {hint}"));
    Outcome::Wrong
}

/// Prints what becomes of the gradients of an operator of a crate.
fn operator(name: &str, directory: Option<&Path>, output: &mut Output) -> Outcome {
    let around = crate_around(Path::new("."));
    let Some(directory) = directory.or(around.as_deref()) else {
        output.error(&format!(
            "error: `{name}` is no error code, and there is no crate with operators here\n\
             help: `opwright explain {name} --crate DIR` says which crate has it"
        ));
        return Outcome::Wrong;
    };
    let Some((library, sources)) = Operators::library(directory, output) else {
        return Outcome::Wrong;
    };
    let c = prefix_in_c(&library, directory);
    if let Some(text) = operator::explained(&library, &sources, name, c.as_deref()) {
        output.line(&text);
        return Outcome::Fine;
    }
    let names: Vec<String> =
        library.ops.overloads.iter().map(|it| it.schema.name.to_string()).collect();
    let hint = match nearest(name, names.iter().map(String::as_str)) {
        Some(near) => format!("did you mean `{near}`?"),
        None => "`opwright explain` lists all codes, `opwright dump` all operators".to_owned(),
    };
    let directory = directory.display();
    output.error(&format!("error: `{directory}` has no operator `{name}`\nhelp: {hint}"));
    Outcome::Wrong
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
