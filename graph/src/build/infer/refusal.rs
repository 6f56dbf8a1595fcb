//! Error messages of unknown extents.

use opwright_runtime::Error;

/// The error of a call that fails whatever the unknown extents are: `?` stands where two such calls,
/// with different stand-ins for them, say different numbers.
#[cold]
pub(super) fn refusal(one: &Error, other: &Error) -> Error {
    let text = masked(one.message(), other.message());
    let text = text.as_deref().unwrap_or_else(|| one.message());
    Error::new(one.kind(), format_args!("{text} (for every extent that was tried)"))
}

/// The text that both are, but for numbers; none if they are different texts.
fn masked(one: &str, other: &str) -> Option<String> {
    let (one, other): (Vec<_>, Vec<_>) = (pieces(one).collect(), pieces(other).collect());
    if one.len() != other.len() {
        return None;
    }
    let both = one.into_iter().zip(other).map(|(one, other)| match (one, other) {
        _ if one == other => Some(one),
        _ if is_number(one) && is_number(other) => Some("?"),
        _ => None,
    });
    both.collect()
}

/// The numbers of a text, and what stands between them.
fn pieces(text: &str) -> impl Iterator<Item = &str> {
    text.as_bytes().chunk_by(|a, b| a.is_ascii_digit() == b.is_ascii_digit()).scan(
        0,
        move |start, piece| {
            let from = *start;
            *start += piece.len();
            text.get(from..*start)
        },
    )
}

fn is_number(piece: &str) -> bool {
    piece.bytes().all(|it| it.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::masked;

    #[test]
    fn numbers_that_hang_on_what_is_unknown_are_not_shown() {
        let shown = masked("shapes (61x3 and 4x2)", "shapes (97x3 and 4x2)");
        assert_eq!(shown.as_deref(), Some("shapes (?x3 and 4x2)"));
        assert_eq!(masked("größe 61", "größe 122").as_deref(), Some("größe ?"));
        assert_eq!(masked("", "").as_deref(), Some(""));
    }

    #[test]
    fn other_texts_have_nothing_in_common() {
        assert_eq!(masked("61 rows", "61 columns"), None);
        assert_eq!(masked("one of 61", "one of 61 and 2"), None);
    }
}
