//! Checks of operators, for the tests of those who write them.
//!
//! The operators of a crate stand in its table `ops::OPERATORS`. One test looks at all of them, and
//! at those to come:
//!
//! ```ignore
//! #[test]
//! fn operators_do_what_they_declare() {
//!     opwright::testing::opcheck(ops::OPERATORS).unwrap();
//! }
//! ```

mod candidates;
mod checks;
mod elements;
mod guess;
mod report;
mod sample;
mod state;
mod trial;
mod watch;

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use self::candidates::Candidates;
pub use self::checks::Check;
use self::guess::FoundSample;
pub use self::report::{OpcheckError, Problem, Report};
pub use self::sample::Arguments;
use self::sample::{Sample, SampleArg};
use self::trial::Trial;
use self::watch::{Limits, Watch};
use crate::Result;
use crate::op::{Native, NativeType, Operator, Value};
use crate::resolve::nearest;

/// Compares what is declared of operators with what they do.
///
/// Each is called with samples made from its schema, over dtypes, shapes (without dimensions,
/// without elements, broadcast, large) and strides. What is compared is listed at [`Check`];
/// [`Opcheck`] has settings.
///
/// Calls that use the default generator start from a fixed seed, and the number of threads changes
/// for a while: both belong to the process, so tests beside this one bring their own generators.
///
/// # Errors
///
/// A report of everything that does not hold, with the calls in which it showed.
///
/// ```
/// use opwright_runtime::Tensor;
/// use opwright_runtime::op::{Gradient, Operator, Param, Returned, Slot, Type};
/// use opwright_runtime::testing::opcheck;
///
/// // The build script of a crate prints a table of such rows.
/// const TWIN: Operator = Operator {
///     name: "twin",
///     schema: "twin(Tensor x) -> Tensor",
///     params: &[Param::new(Slot::new("x", Type::Tensor))],
///     results: &[Slot::new("", Type::Tensor)],
///     tags: &[],
///     functional: None,
///     in_place: None,
///     out: None,
///     // It hands out its argument itself, where a new tensor is declared.
///     call: |values| {
///         let x = values[0].tensor()?;
///         x.clone().values()
///     },
///     types: None,
///     inner_loop: None,
///     reduction: None,
///     gradient: Gradient::None,
///     formulas: None,
/// };
/// let error = opcheck(&[TWIN]).unwrap_err();
/// let text = "twin: aliasing: returns memory of `x`, which no alias set declares";
/// assert!(error.to_string().contains(text));
/// ```
pub fn opcheck(operators: &[Operator]) -> Result<Report, OpcheckError> {
    Opcheck::new(operators).run()
}

/// Which operators are looked at, and how.
///
/// ```
/// use opwright_runtime::testing::{Check, Opcheck};
///
/// let operators = &[];
/// let error = Opcheck::new(operators).only("hypotenuse").skip(Check::Threads).run().unwrap_err();
/// assert_eq!(error.report().unknown, ["there is no operator `hypotenuse`"]);
/// ```
#[derive(Clone, Debug)]
#[must_use = "nothing is looked at before `run` or `report`"]
pub struct Opcheck<'a> {
    operators: &'a [Operator],
    names: Vec<String>,
    skipped: Vec<Check>,
    seeds: usize,
    words: Vec<String>,
    natives: Vec<Native>,
    calls: Vec<(String, Vec<SampleArg>)>,
    limits: Limits,
}

/// The number of threads and the generator belong to the process: one after the other.
static TURN: Mutex<()> = Mutex::new(());

impl<'a> Opcheck<'a> {
    /// All of these operators, all checks.
    pub fn new(operators: &'a [Operator]) -> Self {
        let (names, skipped, words, natives) = (vec![], vec![], vec![], vec![]);
        let (calls, limits) = (vec![], Limits::USUAL);
        Opcheck { operators, names, skipped, seeds: 3, words, natives, calls, limits }
    }

    /// Only the operator of this name with all its overloads and forms, or this overload; several
    /// if called several times. A name that no operator has is a problem in the report.
    pub fn only(mut self, name: &str) -> Self {
        self.names.push(name.to_owned());
        self
    }

    /// Without this check.
    pub fn skip(mut self, check: Check) -> Self {
        self.skipped.push(check);
        self
    }

    /// How many calls are looked for, of each overload, from which samples are varied; 3 if not
    /// said.
    pub fn seeds(mut self, count: usize) -> Self {
        self.seeds = count;
        self
    }

    /// What is tried where a text is asked for that has no default.
    pub fn words(mut self, words: &[&str]) -> Self {
        self.words.extend(words.iter().map(|it| (*it).to_owned()));
        self
    }

    /// What is tried where a value of this type of the crate is asked for; several if called several
    /// times. An operator that takes such values is called with no others.
    pub fn native<T: NativeType>(mut self, value: T) -> Self {
        self.natives.push(Native::new(value));
        self
    }

    /// The same for a value whose type only who made it knows.
    pub fn value(mut self, value: Native) -> Self {
        self.natives.push(value);
        self
    }

    /// A call of an overload, for one of which none is found soon by trying: a value for each
    /// parameter. Several may be said.
    ///
    /// # Errors
    ///
    /// `NotImplemented` for tensors without memory, `Memory`.
    pub fn call(mut self, overload: &str, values: &[Value]) -> Result<Self> {
        let given = values.iter().map(SampleArg::of).collect::<Result<_>>()?;
        self.calls.push((overload.to_owned(), given));
        Ok(self)
    }

    /// How long one call may take; 10 seconds if not said.
    ///
    /// A call that takes longer is interrupted as by Ctrl-C, see [`interrupt`](crate::interrupt).
    /// If it goes on nevertheless, the process ends, and says on stderr which call it was.
    pub fn time_limit(mut self, limit: Duration) -> Self {
        self.limits.time = limit;
        self
    }

    /// How many bytes the memory of the process may grow by during one call; 2 GiB if not said.
    ///
    /// A call that takes more ends as one that takes too long. Where the system has no `/proc`,
    /// nobody counts.
    pub fn memory_limit(mut self, bytes: usize) -> Self {
        self.limits.memory = bytes;
        self
    }

    /// Writes each call to stderr before it is made: for one that takes the process with it.
    pub fn show_calls(mut self) -> Self {
        self.limits.shows_calls = true;
        self
    }

    /// Looks at the operators.
    ///
    /// # Errors
    ///
    /// The report, if something does not hold.
    pub fn run(&self) -> Result<Report, OpcheckError> {
        let report = self.report();
        if report.is_ok() { Ok(report) } else { Err(OpcheckError(Box::new(report))) }
    }

    /// Looks at the operators; problems are in the report alone.
    #[must_use]
    pub fn report(&self) -> Report {
        let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
        let _watch = Watch::start(self.limits);
        let mut report = Report { unknown: self.unknown(), ..Report::default() };
        let candidates = Candidates::new(&self.words, &self.natives, &self.calls);
        for operator in self.operators.iter().filter(|it| it.is_callable() && self.is_wanted(it)) {
            self.check(operator, &candidates, &mut report);
        }
        report
    }

    /// Calls that an overload takes: as many as [`seeds`](Self::seeds) says, if there are.
    #[must_use]
    pub fn calls(&self, operator: &Operator) -> Vec<Arguments> {
        let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
        let _watch = Watch::start(self.limits);
        let candidates = Candidates::new(&self.words, &self.natives, &self.calls);
        let seeds = FoundSample::default().seeds(operator, &candidates, self.seeds);
        seeds.into_iter().map(|it| Arguments::of(operator, it)).collect()
    }

    fn is_wanted(&self, operator: &Operator) -> bool {
        self.names.is_empty() || self.names.iter().any(|it| is_named(operator, it))
    }

    fn unknown(&self) -> Vec<String> {
        let is_known = |name: &String| self.operators.iter().any(|it| is_named(it, name));
        let unknown = self.names.iter().filter(|it| !is_known(it));
        unknown.map(|it| self.unknown_name(it)).collect()
    }

    fn unknown_name(&self, name: &str) -> String {
        let names = self.operators.iter().flat_map(|it| [it.base_name(), it.name]);
        let meant = nearest(name, names).map(|it| format!("; did you mean `{it}`?"));
        format!("there is no operator `{name}`{}", meant.unwrap_or_default())
    }

    fn check(&self, operator: &Operator, candidates: &Candidates, report: &mut Report) {
        report.operators += 1;
        let mut found = FoundSample::of(operator, candidates, self.seeds);
        if found.samples.is_empty() {
            report.uncalled.push(operator.schema);
        }
        if self.skipped.contains(&Check::WrongArguments) {
            found.panics.clear();
        } else {
            found.make_wrong_calls(operator);
        }
        note_failures(operator, &found, report);
        for sample in &found.samples {
            *report.calls.entry(sample.kind).or_default() += 1;
            self.look_at(operator, sample, report);
        }
    }

    fn look_at(&self, operator: &Operator, sample: &Sample, report: &mut Report) {
        let mut note = |check, text| {
            let call = sample.shown(operator);
            report.problems.push(Problem { operator: operator.name, check, text, call });
        };
        let trial = match Trial::attempt(operator, sample) {
            Ok(trial) => trial,
            Err(failure) => return note(Check::Results, format!("when called again it {failure}")),
        };
        for check in Check::ALL.into_iter().filter(|it| !self.skipped.contains(it)) {
            for text in check.problems(&trial, self.operators) {
                note(check, text);
            }
        }
    }
}

fn is_named(operator: &Operator, name: &str) -> bool {
    operator.name == name || operator.base_name() == name
}

/// Panics, and calls that took too much, met while looking for calls.
fn note_failures(operator: &Operator, found: &FoundSample, report: &mut Report) {
    let problems = found.panics.iter().map(|(sample, message)| Problem {
        operator: operator.name,
        check: Check::WrongArguments,
        text: format!("panics: {message}"),
        call: sample.shown(operator),
    });
    report.problems.extend(problems);
    let taken = found.taken.iter().map(|(sample, text)| Problem {
        operator: operator.name,
        check: Check::WrongArguments,
        text: text.clone(),
        call: sample.shown(operator),
    });
    report.problems.extend(taken);
    let left = found.left.iter().map(|(sample, why)| format!("{} {why}", sample.shown(operator)));
    report.left.extend(left);
}
