//! Suggestions of the name that was probably meant, by edit distance.

/// Words that libraries of arrays use for the same thing.
const SYNONYMS: &[&[&str]] = &[
    &["axis", "axes", "dim", "dims", "dimension", "dimensions"],
    &["shape", "size", "sizes"],
    &["input", "self", "x", "a", "arr", "array", "tensor", "x1"],
    &["other", "y", "b", "x2"],
    &["keepdim", "keepdims"],
    &["fill_value", "value"],
    &["end", "stop"],
    &["unbiased", "correction", "ddof"],
    &["repeats", "reps"],
    &["descending", "reverse"],
];

/// The name of `names` that differs least from `given`, or means the same.
pub fn nearest<'a>(given: &str, names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let budget = (given.len() / 3).max(1);
    names
        .filter_map(|name| Some((distance(given, name, budget)?, name)))
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, name)| name)
}

/// How far away a name is, if it is near.
fn distance(given: &str, name: &str, budget: usize) -> Option<usize> {
    if given.eq_ignore_ascii_case(name) {
        return Some(0);
    }
    // A name of one letter is near to every other one.
    let comparable =
        given.len() > 1 && name.len() > 1 && given.len().abs_diff(name.len()) <= budget;
    let edits = comparable.then(|| strsim::osa_distance(given, name));
    edits.filter(|it| *it <= budget && *it < name.len()).or_else(|| {
        let same = SYNONYMS.iter().any(|it| it.contains(&given) && it.contains(&name));
        same.then_some(budget + 1)
    })
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[track_caller]
    fn check(given: &str, expected: Option<&str>) {
        let names = ["input", "dim", "axis", "keepdim", "size", "p"];
        assert_eq!(nearest(given, names.into_iter()), expected);
    }

    #[test]
    fn slips_are_near() {
        check("axsi", Some("axis"));
        check("Dim", Some("dim"));
        check("dims", Some("dim"));
        check("keep_dim", Some("keepdim"));
        check("imput", Some("input"));
    }

    #[test]
    fn words_of_other_libraries_are_near() {
        check("x", Some("input"));
        check("shape", Some("size"));
        check("axes", Some("axis"));
        check("keepdims", Some("keepdim"));
    }

    #[test]
    fn other_words_are_not() {
        check("alpha", None);
        check("q", None);
        check("", None);
    }
}
