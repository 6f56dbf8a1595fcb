//! Line wrapping to 80 columns.

/// The columns of a line.
const WIDTH: usize = 80;

/// Appends `text`, which goes on at column `column`, and breaks the line
/// behind `separator` where it would be too long; what follows is indented.
///
/// A part that is longer than a line stays whole.
pub(super) fn fold(out: &mut String, text: &str, column: usize, indent: usize, separator: &str) {
    if column + text.len() <= WIDTH {
        out.push_str(text);
        return;
    }
    let mut column = column;
    let mut is_fresh = true;
    for part in text.split_inclusive(separator) {
        let width = part.trim_end().chars().count();
        if column + width > WIDTH && !is_fresh {
            out.truncate(out.trim_end_matches(' ').len());
            out.push('\n');
            out.extend(std::iter::repeat_n(' ', indent));
            column = indent;
        }
        out.push_str(part);
        column += part.chars().count();
        is_fresh = false;
    }
}

#[cfg(test)]
mod tests {
    use super::{WIDTH, fold};

    fn folded(text: &str, column: usize, separator: &str) -> String {
        let mut out = String::new();
        fold(&mut out, text, column, 4, separator);
        out
    }

    #[test]
    fn what_fits_stays() {
        let line = "x".repeat(WIDTH);
        assert_eq!(folded(&line, 0, " "), line);
    }

    #[test]
    fn lines_break_behind_separators() {
        let text = format!("{} b, c d", "a".repeat(WIDTH - 5));
        assert_eq!(folded(&text, 0, " "), format!("{} b, c\n    d", "a".repeat(WIDTH - 5)));
        assert_eq!(folded(&text, 0, ", "), format!("{} b,\n    c d", "a".repeat(WIDTH - 5)));
        assert_eq!(folded(&text, 5, " "), format!("{}\n    b, c d", "a".repeat(WIDTH - 5)));
    }

    #[test]
    fn a_long_word_stays_whole() {
        let long = "x".repeat(2 * WIDTH);
        assert_eq!(folded(&format!("a {long} b"), 0, " "), format!("a\n    {long}\n    b"));
    }
}
