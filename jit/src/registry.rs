//! Overload selection among the candidates for an operation.

use crate::error::{Error, ErrorKind, Result};
use crate::host::{Candidate, Resolution};

/// The best candidate that answers; none if all decline.
///
/// The greatest priority counts first, then how well declared types fit. Bodies are by program, which
/// is as good as an exact fit and not compared further.
///
/// # Errors
///
/// `Ambiguous` if several are equally good, naming them.
pub(crate) fn choose(what: &str, candidates: &[Candidate]) -> Result<Option<Candidate>> {
    let answers = candidates.iter().filter(|it| !matches!(it.answer, Resolution::Declined(_)));
    let Some(best) = answers.clone().map(rank).min() else { return Ok(None) };
    let mut found = answers.filter(|it| rank(it) == best);
    let first = found.next();
    if let (Some(first), Some(second)) = (first, found.next()) {
        let message = format!("{what} is ambiguous: {} and {} take it", first.place, second.place);
        return Err(Error::new(ErrorKind::Ambiguous, message));
    }
    Ok(first.cloned())
}

fn rank(candidate: &Candidate) -> (i64, i64) {
    (-candidate.priority, candidate.rank)
}

/// Adds to an error why each candidate declined.
pub(crate) fn with_reasons(mut error: Error, candidates: &[Candidate]) -> Error {
    for candidate in candidates {
        if let Resolution::Declined(reason) = &candidate.answer {
            error = error.note(format!("{}: {reason}", candidate.place));
        }
    }
    error
}

#[cfg(test)]
mod tests {
    use super::choose;
    use crate::host::{Candidate, Resolution};

    fn candidate(place: &str, priority: i64, rank: i64, answers: bool) -> Candidate {
        let answer = if answers {
            Resolution::Field("x".into())
        } else {
            Resolution::Declined("no".to_owned())
        };
        Candidate { place: place.to_owned(), priority, rank, answer }
    }

    #[track_caller]
    fn check(candidates: &[Candidate], expected: Option<&str>) {
        let found = choose("f(int64)", candidates);
        match expected {
            Some("ambiguous") => assert!(found.is_err()),
            _ => assert_eq!(found.ok().flatten().map(|it| it.place).as_deref(), expected),
        }
    }

    #[test]
    fn takes_the_best() {
        check(&[], None);
        check(&[candidate("a", 0, 0, false)], None);
        check(&[candidate("a", 0, 0, true), candidate("b", 0, 0, false)], Some("a"));
        check(&[candidate("a", 0, 0, true), candidate("b", 5, 2, true)], Some("b"));
        check(&[candidate("a", 0, 1, true), candidate("b", 0, 0, true)], Some("b"));
        check(&[candidate("a", 0, 0, true), candidate("b", 0, 0, true)], Some("ambiguous"));
    }
}
