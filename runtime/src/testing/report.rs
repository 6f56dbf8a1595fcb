//! The report of `opcheck` as text.

use std::collections::BTreeMap;
use std::fmt;

use super::checks::Check;

/// Something that does not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The overload.
    pub operator: &'static str,
    /// What was compared.
    pub check: Check,
    /// What does not hold.
    pub text: String,
    /// The call in which it showed.
    pub call: String,
}

/// What [`opcheck`](super::opcheck) found; it is shown as text.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// How many overloads were looked at.
    pub operators: usize,
    /// How many calls of them, for each kind of sample.
    pub calls: BTreeMap<&'static str, usize>,
    /// Overloads for which no call was found, by their schemas.
    pub uncalled: Vec<&'static str>,
    /// Calls that took too much time or memory and were interrupted, with the reason.
    pub left: Vec<String>,
    /// Names that were asked for and are of no operator, with what may have been meant.
    pub unknown: Vec<String>,
    /// What does not hold.
    pub problems: Vec<Problem>,
}

impl Report {
    /// Whether everything holds.
    pub fn is_ok(&self) -> bool {
        self.problems.is_empty() && self.unknown.is_empty()
    }

    /// The problems, those alike together.
    fn alike(&self) -> BTreeMap<(&'static str, Check, &str), Vec<&Problem>> {
        let mut alike: BTreeMap<_, Vec<&Problem>> = BTreeMap::new();
        for problem in &self.problems {
            let key = (problem.operator, problem.check, problem.text.as_str());
            alike.entry(key).or_default().push(problem);
        }
        alike
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}: {}\n    {}", self.operator, self.check, self.text, self.call)
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kinds: Vec<String> =
            self.calls.iter().map(|(kind, count)| format!("{count} {kind}")).collect();
        let total: usize = self.calls.values().sum();
        writeln!(f, "{} operators, {total} calls ({})", self.operators, kinds.join(", "))?;
        for schema in &self.uncalled {
            writeln!(f, "no call found: {schema}")?;
        }
        for text in &self.left {
            writeln!(f, "interrupted: {text}")?;
        }
        for text in &self.unknown {
            writeln!(f, "{text}")?;
        }
        let alike = self.alike();
        for problems in alike.values() {
            write!(f, "{}", problems[0])?;
            match problems.len() {
                1 => writeln!(f)?,
                count => writeln!(f, ", and {} more calls", count - 1)?,
            }
        }
        match alike.len() + self.unknown.len() {
            0 => f.write_str("everything holds"),
            1 => f.write_str("1 problem"),
            count => write!(f, "{count} problems"),
        }
    }
}

/// An operator is not what its schema says. `Debug` is as readable as `Display`, for `unwrap`.
#[derive(Clone)]
pub struct OpcheckError(pub(super) Box<Report>);

impl OpcheckError {
    /// What was found.
    pub fn report(&self) -> &Report {
        &self.0
    }
}

impl fmt::Display for OpcheckError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Debug for OpcheckError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

impl std::error::Error for OpcheckError {}
