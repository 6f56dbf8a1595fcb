//! Overload resolution errors, and explanations of which overload takes a call.

use super::accepts::Accepts;
use super::bind::{ABSENT, Binding, Keywords, VARIADIC};
use super::fold::fold;
use super::mismatch::Mismatch;
use super::mismatch::Seen;
use super::signature::{OverloadSet, Signature};
use super::wording::Describe;
use super::wording::Wording;

/// What Python shows in front of a message's first line.
const PREFIX: usize = "TypeError: ".len();

/// Why no signature of `function` fits.
///
/// The first line tells of the nearest one, with its first failing argument;
/// the others follow, each on a line of its own. Lines have 80 columns at
/// most, unless a single name is longer.
#[cold]
pub fn explain<K: Keywords>(
    function: &OverloadSet,
    positional: usize,
    accepts: &[Accepts],
    keywords: &K,
    describe: &dyn Describe,
) -> String {
    let account = Account::new(function, positional, accepts, keywords, describe);
    let mut refused = account.refused();
    let is_shown = |it: &Signature| !it.deprecated && !it.takes_names();
    if refused.iter().any(|(signature, _)| is_shown(signature)) {
        refused.retain(|(signature, _)| is_shown(signature));
    }
    let mut text = String::with_capacity(512);
    if refused.is_empty() {
        text.push_str(function.name);
        text.push_str("(): no signature to call");
        return text;
    }
    if refused.len() > 1 {
        refused.sort_by_cached_key(|(signature, _)| account.wording.distance(signature));
    }
    let (nearest, reason) = &refused[0];
    account.first_line(nearest, reason, &mut text);
    if refused.len() > 1 || !matches!(reason, Mismatch::WrongType { .. }) {
        signature_line(nearest, &mut text);
    }
    if refused.len() > 1 {
        text.push_str("\nother overloads:");
    }
    for (signature, reason) in &refused[1..] {
        account.line(signature, Some(reason), &mut text);
    }
    text
}

/// Which signature of `function` takes a call, with what, and why the others do not. `notes` are said
/// of the one that does.
#[cold]
pub fn account<K: Keywords>(
    function: &OverloadSet,
    binding: &Binding,
    positional: usize,
    accepts: &[Accepts],
    keywords: &K,
    describe: &dyn Describe,
    notes: &[String],
) -> String {
    let account = Account::new(function, positional, accepts, keywords, describe);
    let chosen = &function.signatures[binding.overload];
    let mut text = String::with_capacity(512);
    text.push_str(function.name);
    text.push_str("() takes this overload:");
    signature_line(chosen, &mut text);
    account.arguments(chosen, binding, &mut text);
    for note in notes {
        text.push_str("\n    ");
        fold(&mut text, note, 4, 8, " ");
    }
    let mut others = function.shown().filter(|&it| !std::ptr::eq(it, chosen)).peekable();
    if others.peek().is_some() {
        text.push_str("\nother overloads:");
    }
    for signature in others {
        let reason = account.wording.mismatch(signature);
        account.line(signature, reason.as_ref(), &mut text);
    }
    text
}

/// A function, and a call of it in words.
struct Account<'a, K> {
    function: &'a OverloadSet,
    wording: Wording<'a, K>,
}

impl<'a, K: Keywords> Account<'a, K> {
    fn new(
        function: &'a OverloadSet,
        positional: usize,
        accepts: &'a [Accepts],
        keywords: &'a K,
        describe: &'a dyn Describe,
    ) -> Account<'a, K> {
        let seen = Seen { positional, accepts, keywords };
        Account { function, wording: Wording { seen, describe } }
    }

    /// The signatures that do not fit, in try order, and why.
    fn refused(&self) -> Vec<(&'static Signature, Mismatch)> {
        let signatures = self.function.signatures.iter();
        signatures.filter_map(|it| Some((it, self.wording.mismatch(it)?))).collect()
    }

    fn first_line(&self, signature: &Signature, reason: &Mismatch, text: &mut String) {
        let mut line = String::with_capacity(128);
        line.push_str(self.function.name);
        line.push_str("()");
        self.wording.reason(signature, reason, &mut line);
        fold(text, &line, PREFIX, 4, " ");
    }

    /// A signature in short and its reason: `max(input, ...): missing 'input'`.
    fn line(&self, signature: &Signature, reason: Option<&Mismatch>, text: &mut String) {
        let mut line = String::with_capacity(128);
        self.shortened(signature, &mut line);
        line.push_str(": ");
        match reason {
            Some(reason) => self.wording.brief(signature, reason, &mut line),
            None => line.push_str("fits too, but has its turn later"),
        }
        if signature.deprecated {
            line.push_str(" (deprecated)");
        }
        text.push_str("\n  ");
        fold(text, &line, 2, 6, " ");
    }

    /// The signature with the parameters that are needed or were given, and
    /// dots for the others.
    fn shortened(&self, signature: &Signature, line: &mut String) {
        line.push_str(self.function.name);
        line.push('(');
        let start = line.len();
        let mut add = |part: &str| {
            if line.len() > start {
                line.push_str(", ");
            }
            line.push_str(part);
        };
        let (mut starred, mut has_more) = (false, false);
        for (at, param) in signature.params.iter().enumerate() {
            if !param.required && !self.wording.seen.is_given(signature, at) {
                has_more = true;
                continue;
            }
            if at >= signature.positional as usize && !starred {
                add("*");
                starred = true;
            }
            add(param.name);
        }
        if has_more {
            add("...");
        }
        line.push(')');
    }

    /// What each parameter of the chosen signature gets.
    fn arguments(&self, signature: &Signature, binding: &Binding, text: &mut String) {
        for (at, param) in signature.params.iter().enumerate() {
            let mut line = format!("{} = ", param.name);
            match binding.slots[at] {
                ABSENT => continue,
                VARIADIC => {
                    for part in 0..self.wording.seen.positional {
                        line.push_str(if part == 0 { "" } else { ", " });
                        self.wording.describe.argument(part, &mut line);
                    }
                }
                arg => self.wording.describe.argument(arg as usize, &mut line),
            }
            text.push_str("\n    ");
            fold(text, &line, 4, 8, " ");
        }
    }
}

/// The signature with its types, on as many lines as it needs.
fn signature_line(signature: &Signature, text: &mut String) {
    text.push_str("\n  ");
    fold(text, signature.text, 2, 6, ", ");
    if signature.deprecated {
        text.push_str(" (deprecated)");
    }
}
