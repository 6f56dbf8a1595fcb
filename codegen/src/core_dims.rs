//! Signatures of core dimensions: `(m,n),(n,p)->(m,p)`, by the grammar of numpy's generalized ufuncs.
//!
//! ```text
//! signature = group { "," group } "->" group { "," group }
//! group     = "(" [ dim { "," dim } ] ")"
//! dim       = name | size
//! ```
//!
//! Spaces may stand anywhere between. A dimension that only results have needs a size, since nobody
//! says how long it is; optional dimensions, `n?`, are refused.

use std::fmt;
use std::ops::Range;

/// A core dimension.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CoreDim {
    /// As long as all of this name.
    Named(String),
    /// So long.
    Fixed(i64),
}

/// The core dimensions of tensors, and of results.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CoreDims {
    /// Of each tensor.
    pub inputs: Vec<Vec<CoreDim>>,
    /// Of each result.
    pub outputs: Vec<Vec<CoreDim>>,
}

/// What is wrong with a signature, and which bytes of it.
#[derive(Debug)]
pub struct Misread {
    /// The message.
    pub message: String,
    /// Where.
    pub range: Range<usize>,
}

impl CoreDims {
    /// Reads a signature.
    ///
    /// # Errors
    ///
    /// The first place that does not fit the grammar, or the first dimension that only a result has.
    pub fn read(text: &str) -> Result<CoreDims, Misread> {
        let mut reader = DimReader { text, at: 0 };
        let inputs = reader.groups()?;
        if !reader.takes("->") {
            return Err(reader.expected("`,` or `->`"));
        }
        let outputs = reader.groups()?;
        if reader.at < text.len() {
            return Err(reader.expected("`,` or the end"));
        }
        let known: Vec<&CoreDim> = inputs.iter().flatten().map(|it| &it.0).collect();
        let unknown = outputs
            .iter()
            .flatten()
            .find(|(dim, _)| matches!(dim, CoreDim::Named(_)) && !known.contains(&dim));
        if let Some((dim, range)) = unknown {
            let message = format!(
                "only results have a dimension `{dim}`, so nobody says how long it is: give it a \
                 size, such as `(3)`, or name it at a tensor"
            );
            return Err(Misread { message, range: range.clone() });
        }
        let plain = |groups: Vec<DimGroup>| -> Vec<Vec<CoreDim>> {
            groups.into_iter().map(|it| it.into_iter().map(|it| it.0).collect()).collect()
        };
        Ok(CoreDims { inputs: plain(inputs), outputs: plain(outputs) })
    }
}

impl fmt::Display for CoreDim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CoreDim::Named(name) => f.write_str(name),
            CoreDim::Fixed(size) => size.fmt(f),
        }
    }
}

/// `(m,n)`.
pub fn shown(dims: &[CoreDim]) -> String {
    let dims: Vec<String> = dims.iter().map(CoreDim::to_string).collect();
    format!("({})", dims.join(","))
}

/// Dimensions, each with its place.
type DimGroup = Vec<(CoreDim, Range<usize>)>;

struct DimReader<'a> {
    text: &'a str,
    at: usize,
}

impl DimReader<'_> {
    fn groups(&mut self) -> Result<Vec<DimGroup>, Misread> {
        let mut groups = vec![self.group()?];
        while self.takes(",") {
            groups.push(self.group()?);
        }
        Ok(groups)
    }

    fn group(&mut self) -> Result<DimGroup, Misread> {
        let mut dims = Vec::new();
        if !self.takes("(") {
            return Err(self.expected("`(`"));
        }
        if self.takes(")") {
            return Ok(dims);
        }
        loop {
            dims.push(self.dim()?);
            if self.takes(")") {
                return Ok(dims);
            }
            if !self.takes(",") {
                return Err(self.expected("`,` or `)`"));
            }
        }
    }

    fn dim(&mut self) -> Result<(CoreDim, Range<usize>), Misread> {
        self.skip();
        let is_part = |it: char| it.is_ascii_alphanumeric() || it == '_';
        let rest = &self.text[self.at..];
        let word = &rest[..rest.find(|it| !is_part(it)).unwrap_or(rest.len())];
        let range = self.at..self.at + word.len();
        if word.is_empty() {
            return Err(self.expected("the name or the size of a dimension"));
        }
        let dim = if word.starts_with(|it: char| it.is_ascii_digit()) {
            let size = word.parse().map_err(|_| Misread {
                message: format!("`{word}` is neither the name nor the size of a dimension"),
                range: range.clone(),
            })?;
            CoreDim::Fixed(size)
        } else {
            CoreDim::Named(word.to_owned())
        };
        self.at = range.end;
        if self.takes("?") {
            let message = format!(
                "`{dim}?` would be optional, which core dimensions cannot be: write an operator for \
                 either case"
            );
            return Err(Misread { message, range: range.start..self.at });
        }
        Ok((dim, range))
    }

    fn skip(&mut self) {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
    }

    /// Goes behind a word, if that is what comes, and the spaces behind it.
    fn takes(&mut self, word: &str) -> bool {
        self.skip();
        let is_next = self.text[self.at..].starts_with(word);
        if is_next {
            self.at += word.len();
            self.skip();
        }
        is_next
    }

    fn expected(&self, what: &str) -> Misread {
        let next = self.text[self.at..].chars().next();
        let end = self.at + next.map_or(0, char::len_utf8);
        let found = next.map_or("the end".to_owned(), |it| format!("`{it}`"));
        let message =
            format!("expected {what} in core dimensions, as in `(n),(k)->(n)`, found {found}");
        Misread { message, range: self.at..end }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> String {
        let dims = CoreDims::read(text).unwrap_or_else(|it| panic!("{text}: {}", it.message));
        let all = |groups: &[Vec<CoreDim>]| {
            groups.iter().map(|it| shown(it)).collect::<Vec<_>>().join(",")
        };
        format!("{}->{}", all(&dims.inputs), all(&dims.outputs))
    }

    #[test]
    fn signatures_are_those_of_numpy() {
        for text in ["(n)->()", "(m,n),(n,p)->(m,p)", "(3),(3)->(3)", "()->(2,2)", "(n)->(n),(n)"] {
            assert_eq!(read(text), text);
        }
        assert_eq!(
            read("  ( m , n ) , ( )  -> ( n_1,m ),()".replace("n_1", "n").as_str()),
            "(m,n),()->(n,m),()"
        );
    }

    #[test]
    fn mistakes_are_told_at_their_place() {
        for (text, range, message) in [
            ("", 0..0, "expected `(` in core dimensions"),
            ("(n", 2..2, "expected `,` or `)`"),
            ("(n)", 3..3, "expected `,` or `->`"),
            ("(n)->", 5..5, "expected `(`"),
            ("(n)->(n)x", 8..9, "expected `,` or the end"),
            ("(n,)->()", 3..4, "the name or the size of a dimension"),
            ("(n;m)->()", 2..3, "expected `,` or `)`"),
            ("(3d)->()", 1..3, "neither the name nor the size"),
            ("(-1)->()", 1..2, "the name or the size"),
            ("(n?)->()", 1..3, "`n?` would be optional"),
            ("(n)->(n,k)", 8..9, "only results have a dimension `k`"),
        ] {
            let wrong = CoreDims::read(text).expect_err(text);
            assert_eq!(wrong.range, range, "{text}");
            assert!(wrong.message.contains(message), "{text}: {}", wrong.message);
        }
    }
}
