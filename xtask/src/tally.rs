//! Counting tests from what the test runners print.

use std::ops::AddAssign;

/// How many checks passed, how many did not, and which ones nobody made.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    /// Less than none in a line that takes back what a later one counts.
    pub(crate) passed: i64,
    pub(crate) failed: i64,
    /// What the runners say of those that failed, a line each.
    pub(crate) failures: Vec<String>,
    /// What was left out and why, a line each.
    pub(crate) skipped: Vec<String>,
}

/// What a line begins with that a test prints which had nothing to look at.
const SKIPPED: &str = "skipped: ";

impl Tally {
    /// One check that passed.
    pub(crate) const PASS: Self = Self::of(1, 0);
    /// One check that failed.
    pub(crate) const FAIL: Self = Self::of(0, 1);

    const fn of(passed: i64, failed: i64) -> Self {
        Self { passed, failed, failures: Vec::new(), skipped: Vec::new() }
    }

    /// A check that nobody made.
    pub(crate) fn skip(line: &str) -> Self {
        Self { skipped: vec![line.to_owned()], ..Self::default() }
    }

    /// What a line of `cargo test` adds: `test result: ok. 5 passed; 0 failed; ...`,
    /// `test name ... FAILED`, or what a test says that libtest counts as passed,
    /// `skipped: name: why`.
    pub(crate) fn of_libtest(line: &str) -> Self {
        if let Some(named) = line.strip_prefix(SKIPPED) {
            return Self { passed: -1, ..Self::skip(named) };
        }
        if line.starts_with("test ") && line.ends_with("... FAILED") {
            return Self::named(line);
        }
        line.strip_prefix("test result: ").map_or(Self::default(), Self::of_summary)
    }

    /// What a line of `go test -v` adds: `--- PASS: TestName (0.00s)`; parts of tests are indented.
    pub(crate) fn of_go(line: &str) -> Self {
        if line.starts_with("--- PASS: ") {
            return Self::PASS;
        }
        if let Some(name) = line.strip_prefix("--- SKIP: ") {
            return Self::skip(name);
        }
        match line.starts_with("--- FAIL: ") {
            true => Self { failures: vec![line.to_owned()], ..Self::FAIL },
            false => Self::default(),
        }
    }

    /// What a line of `pytest -q` adds: `1 failed, 40 passed, 2 skipped in 1.20s`,
    /// `FAILED test_add.py::test - what is wrong`, or `SKIPPED test_add.py::test - why`.
    pub(crate) fn of_pytest(line: &str) -> Self {
        if let Some(named) = line.strip_prefix("SKIPPED ") {
            return Self::skip(named);
        }
        if line.starts_with("FAILED ") || line.starts_with("ERROR ") {
            return Self::named(line);
        }
        let is_summary =
            line.trim_matches(['=', ' ']).rsplit_once(" in ").is_some_and(|(counts, time)| {
                counts.split(", ").all(is_count) && time.starts_with(|it: char| it.is_ascii_digit())
            });
        if is_summary { Self::of_summary(line) } else { Self::default() }
    }

    /// A line about a failure, which the summary counts.
    fn named(line: &str) -> Self {
        Self { failures: vec![line.to_owned()], ..Self::default() }
    }

    /// Sums the numbers that stand before `passed`, `failed` and `error(s)`.
    fn of_summary(line: &str) -> Self {
        let mut tally = Self::default();
        let words: Vec<&str> = line.split([' ', ',', ';', '.', '=']).collect();
        for pair in words.windows(2) {
            let [count, outcome] = pair else { continue };
            let Ok(count) = count.parse::<i64>() else { continue };
            match *outcome {
                "passed" => tally.passed += count,
                "failed" | "error" | "errors" => tally.failed += count,
                _ => {}
            }
        }
        tally
    }
}

/// `40 passed`.
fn is_count(text: &str) -> bool {
    text.split_once(' ').is_some_and(|(count, _)| count.parse::<u64>().is_ok())
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.failures.extend(other.failures);
        self.skipped.extend(other.skipped);
    }
}

#[cfg(test)]
mod tests {
    use super::Tally;

    #[test]
    fn reads_libtest() {
        let line = "test result: FAILED. 12 passed; 3 failed; 1 ignored; 0 measured; 7 filtered out; finished in 0.01s";
        assert_eq!(Tally::of_libtest(line), Tally::of(12, 3));
        assert_eq!(Tally::of_libtest("test cast::of_7 passed ... ok"), Tally::of(0, 0));
        let line = "test cast::of_7 ... FAILED";
        assert_eq!(Tally::of_libtest(line).failures, [line]);
    }

    #[test]
    fn reads_what_was_skipped() {
        let mut tally = Tally::of_libtest("skipped: schema/tests/a.rs: b: c is not there");
        tally += Tally::of_libtest("test result: ok. 2 passed; 0 failed; 0 ignored");
        assert_eq!((tally.passed, &*tally.skipped[0]), (1, "schema/tests/a.rs: b: c is not there"));
        let line = "SKIPPED tests/python/test_add.py::test[1] - it is not there";
        let tally = Tally::of_pytest(line);
        assert_eq!((tally.passed, &*tally.skipped[0]), (0, &line[8..]));
    }

    #[test]
    fn reads_go() {
        assert_eq!(Tally::of_go("--- PASS: TestMM (0.00s)"), Tally::of(1, 0));
        assert_eq!(Tally::of_go("    --- PASS: TestMM/wide (0.00s)"), Tally::default());
        assert_eq!(Tally::of_go("--- FAIL: TestMM (0.00s)").failed, 1);
        assert_eq!(Tally::of_go("--- SKIP: TestMM (0.00s)").skipped, ["TestMM (0.00s)"]);
    }

    #[test]
    fn reads_pytest() {
        assert_eq!(Tally::of_pytest("3 failed, 40 passed, 2 skipped in 1.20s"), Tally::of(40, 3));
        assert_eq!(Tally::of_pytest("==== 1 passed, 2 errors in 0.12s ===="), Tally::of(1, 2));
        assert_eq!(Tally::of_pytest("40 passed, 1 warning in 75.31s (0:01:15)"), Tally::of(40, 0));
        let line = "FAILED test_add.py::test - 3 failed in add";
        assert_eq!(Tally::of_pytest(line).failures, [line]);
        assert_eq!(Tally::of_pytest(line).failed, 0);
    }
}
