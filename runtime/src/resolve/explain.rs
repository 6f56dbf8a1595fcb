//! The message of a call that no overload fits.

use super::{Accepts, Function, Keywords, Mismatch, Signature, mismatch};

/// What a message says of the arguments, in the caller's terms.
pub trait Describe {
    /// The argument's type, with the detail that helps: `int (3)`, `Tensor (float32, shape [2, 3])`.
    fn argument(&self, arg: usize) -> String;
    /// A keyword's text.
    fn keyword(&self, keyword: usize) -> String;
    /// Why an argument that looks right is not, for instance the element of a
    /// list that is of another type.
    fn detail(&self, arg: usize, signature: &Signature, param: usize) -> Option<String>;
}

/// A call as the resolver saw it.
struct Seen<'a, K> {
    positional: usize,
    accepts: &'a [Accepts],
    keywords: &'a K,
    describe: &'a dyn Describe,
}

/// Why no signature of `function` fits: the nearest one first, with its first
/// failing argument, then the others on a line each.
#[cold]
pub fn explain<K: Keywords>(
    function: &Function,
    positional: usize,
    accepts: &[Accepts],
    keywords: &K,
    describe: &dyn Describe,
) -> String {
    let seen = Seen { positional, accepts, keywords, describe };
    let mut reasons: Vec<(&Signature, Mismatch)> = function
        .signatures
        .iter()
        .filter_map(|signature| Some((signature, seen.mismatch(signature)?)))
        .collect();
    let shown = |it: &Signature| !it.deprecated && !it.takes_names();
    if reasons.iter().any(|(signature, _)| shown(signature)) {
        reasons.retain(|(signature, _)| shown(signature));
    }
    reasons.sort_by_key(|(signature, reason)| seen.distance(signature, reason));
    match reasons.as_slice() {
        [] => format!("{}(): no signature to call", function.name),
        [(signature, reason)] => format!("{}(){}", function.name, seen.reason(signature, reason)),
        [(nearest, reason), others @ ..] => {
            let mut text =
                format!("{}(){}\n  {}", function.name, seen.reason(nearest, reason), nearest.text);
            text.push_str("\nother overloads:");
            for (signature, reason) in others {
                text.push_str(&format!(
                    "\n  {}\n      {}",
                    signature.text,
                    seen.reason(signature, reason).trim_start_matches([':', ' '])
                ));
            }
            text
        }
    }
}

impl<K: Keywords> Seen<'_, K> {
    fn mismatch(&self, signature: &Signature) -> Option<Mismatch> {
        mismatch(signature, self.positional, self.accepts, self.keywords, &|it| {
            self.describe.keyword(it)
        })
    }

    /// How far away a signature is: a keyword that is nearly right counts less
    /// than one that it does not know at all.
    fn distance(&self, signature: &Signature, reason: &Mismatch) -> usize {
        match reason {
            Mismatch::UnknownKeyword(keyword) if self.suggestion(signature, *keyword).is_some() => {
                reason.distance() / 2
            }
            other => other.distance(),
        }
    }

    /// What follows `name()`.
    fn reason(&self, signature: &Signature, reason: &Mismatch) -> String {
        match reason {
            Mismatch::TooManyPositional => self.too_many(signature),
            Mismatch::Missing(params) => missing(signature, params),
            Mismatch::WrongType { param, arg } => self.wrong_type(signature, *param, *arg),
            Mismatch::Repeated { param, .. } => {
                format!(" got multiple values for argument '{}'", signature.params[*param].name)
            }
            Mismatch::UnknownKeyword(keyword) => self.unknown_keyword(signature, *keyword),
        }
    }

    fn too_many(&self, signature: &Signature) -> String {
        let most = signature.positional as usize;
        let least = signature.params[..most].iter().filter(|it| it.required).count();
        let takes = if least == most {
            format!("{most} positional argument{}", plural(most))
        } else {
            format!("from {least} to {most} positional arguments")
        };
        let verb = if self.positional == 1 { "was" } else { "were" };
        format!(" takes {takes} but {} {verb} given", self.positional)
    }

    fn wrong_type(&self, signature: &Signature, param: usize, arg: usize) -> String {
        let expected = &signature.params[param];
        let place =
            if arg < self.positional { format!(" (position {})", arg + 1) } else { String::new() };
        let or_none = if expected.nullable { " or None" } else { "" };
        let mut text = format!(
            ": argument '{}'{place} must be {}{or_none}, not {}",
            expected.name,
            expected.kind.shown(),
            self.describe.argument(arg)
        );
        if let Some(detail) = self.describe.detail(arg, signature, param) {
            text.push_str(", ");
            text.push_str(&detail);
        }
        text
    }

    fn unknown_keyword(&self, signature: &Signature, keyword: usize) -> String {
        let given = self.describe.keyword(keyword);
        let mut text = format!(" got an unexpected keyword argument '{given}'");
        if let Some(near) = self.suggestion(signature, keyword) {
            text.push_str(&format!("; did you mean '{near}'?"));
        }
        text
    }

    /// The parameter whose name a keyword nearly is.
    fn suggestion(&self, signature: &Signature, keyword: usize) -> Option<&'static str> {
        let names =
            signature.params.iter().flat_map(|it| std::iter::once(&it.name).chain(it.aliases));
        nearest(&self.describe.keyword(keyword), names.copied())
    }
}

fn missing(signature: &Signature, params: &[usize]) -> String {
    let names: Vec<String> =
        params.iter().map(|&it| format!("\"{}\"", signature.params[it].name)).collect();
    format!(
        " missing {} required argument{}: {}",
        params.len(),
        plural(params.len()),
        names.join(", ")
    )
}

fn plural(count: usize) -> &'static str {
    if count == 1 { "" } else { "s" }
}

/// The name that differs least from `given`, if any is near.
fn nearest(given: &str, names: impl Iterator<Item = &'static str>) -> Option<&'static str> {
    names
        .map(|name| (edits(given, name), name))
        .filter(|(edits, name)| *edits * 3 <= name.len().max(3))
        .min_by_key(|(edits, _)| *edits)
        .map(|(_, name)| name)
}

/// Edit distance in which exchanging two neighbours counts as one.
fn edits(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut rows = vec![vec![0; b.len() + 1]; a.len() + 1];
    for i in 0..=a.len() {
        for j in 0..=b.len() {
            rows[i][j] = if i == 0 || j == 0 {
                i + j
            } else {
                let replace = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
                let mut least = replace.min(rows[i - 1][j] + 1).min(rows[i][j - 1] + 1);
                if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                    least = least.min(rows[i - 2][j - 2] + 1);
                }
                least
            };
        }
    }
    rows[a.len()][b.len()]
}
