//! JSON, as headers have it: objects in the order of their keys in the text, no numbers but sizes.
//!
//! Values are handed on while they are read, so that no more of a text is kept than its reader wants.

use crate::{Error, Result, buffer, ensure};

/// Lists and objects within each other.
const DEEPEST: usize = 8;

/// More numbers are in no list: as many dimensions has no tensor.
const LONGEST_LIST: usize = 1 << 16;

/// Reads a text that is one value.
pub(super) fn parse<T>(text: &str, read: impl FnOnce(&mut Rest<'_>) -> Result<T>) -> Result<T> {
    let mut rest = Rest(text);
    let value = read(&mut rest)?;
    ensure!(rest.0.trim().is_empty(), Runtime, "{}", wrong(rest.0).message());
    Ok(value)
}

/// What is left of a text.
pub(super) struct Rest<'a>(&'a str);

fn wrong(rest: &str) -> Error {
    let start: String = rest.chars().take(20).collect();
    Error::runtime(format_args!("its header is not understood at '{}'", start.escape_debug()))
}

impl Rest<'_> {
    fn take(&mut self, word: char) -> bool {
        let space = |it| matches!(it, ' ' | '\t' | '\n' | '\r');
        let after = self.0.trim_start_matches(space).strip_prefix(word);
        self.0 = after.unwrap_or(self.0);
        after.is_some()
    }

    fn expect(&mut self, word: char) -> Result<()> {
        if self.take(word) { Ok(()) } else { Err(wrong(self.0)) }
    }

    /// Calls a function for each key of an object, which reads its value.
    pub(super) fn entries(
        &mut self,
        mut entry: impl FnMut(String, &mut Self) -> Result<()>,
    ) -> Result<()> {
        self.expect('{')?;
        self.items('}', |it| {
            let key = it.string()?;
            it.expect(':')?;
            entry(key, it)
        })
    }

    /// A list of numbers.
    pub(super) fn numbers(&mut self) -> Result<Vec<u64>> {
        self.expect('[')?;
        let mut numbers = Vec::new();
        self.items(']', |it| {
            let number = it.number()?;
            ensure!(
                numbers.len() < LONGEST_LIST,
                Runtime,
                "its header has a list of more than {LONGEST_LIST} numbers"
            );
            buffer::push(&mut numbers, number)
        })?;
        Ok(numbers)
    }

    /// A text in quotes.
    pub(super) fn string(&mut self) -> Result<String> {
        self.expect('"')?;
        self.text()
    }

    /// Reads any value, and keeps nothing of it.
    pub(super) fn skip(&mut self) -> Result<()> {
        self.skip_within(0)
    }

    fn skip_within(&mut self, depth: usize) -> Result<()> {
        ensure!(depth < DEEPEST, Runtime, "{}", wrong(self.0).message());
        if self.take('"') {
            return self.text().map(drop);
        }
        if self.take('{') {
            return self.items('}', |it| {
                it.string()?;
                it.expect(':')?;
                it.skip_within(depth + 1)
            });
        }
        match self.take('[') {
            true => self.items(']', |it| it.skip_within(depth + 1)),
            false => self.number().map(drop),
        }
    }

    /// What stands between commas.
    fn items(&mut self, end: char, mut item: impl FnMut(&mut Self) -> Result<()>) -> Result<()> {
        if self.take(end) {
            return Ok(());
        }
        loop {
            item(self)?;
            if !self.take(',') {
                return self.expect(end);
            }
        }
    }

    fn number(&mut self) -> Result<u64> {
        let text = self.0.trim_start();
        let end = text.find(|it: char| !it.is_ascii_digit()).unwrap_or(text.len());
        let number = text[..end].parse().map_err(|_| wrong(text))?;
        self.0 = &text[end..];
        Ok(number)
    }

    /// A text, behind its first quote.
    fn text(&mut self) -> Result<String> {
        let mut out = String::new();
        loop {
            let end = self.0.find(['"', '\\']).ok_or_else(|| wrong(self.0))?;
            out.push_str(&self.0[..end]);
            let is_end = self.0[end..].starts_with('"');
            self.0 = &self.0[end + 1..];
            if is_end {
                return Ok(out);
            }
            out.push(self.escaped()?);
        }
    }

    /// A letter behind a backslash.
    fn escaped(&mut self) -> Result<char> {
        let letter = self.0.chars().next().ok_or_else(|| wrong(self.0))?;
        self.0 = &self.0[letter.len_utf8()..];
        match letter {
            '"' | '\\' | '/' => Ok(letter),
            'b' => Ok('\u{8}'),
            'f' => Ok('\u{c}'),
            'n' => Ok('\n'),
            'r' => Ok('\r'),
            't' => Ok('\t'),
            'u' => self.unit(),
            _ => Err(wrong(self.0)),
        }
    }

    /// A letter of UTF-16: one unit or two.
    fn unit(&mut self) -> Result<char> {
        let first = self.hex()?;
        let mut units = vec![first];
        if (0xd800..0xdc00).contains(&first)
            && let Some(rest) = self.0.strip_prefix("\\u")
        {
            self.0 = rest;
            units.push(self.hex()?);
        }
        let mut letters = char::decode_utf16(units);
        match (letters.next(), letters.next()) {
            (Some(Ok(letter)), None) => Ok(letter),
            _ => Err(wrong(self.0)),
        }
    }

    fn hex(&mut self) -> Result<u16> {
        let digits = self.0.get(..4).filter(|it| it.bytes().all(|it| it.is_ascii_hexdigit()));
        let unit = digits.and_then(|it| u16::from_str_radix(it, 16).ok());
        let unit = unit.ok_or_else(|| wrong(self.0))?;
        self.0 = &self.0[4..];
        Ok(unit)
    }
}

/// A text in quotes.
pub(super) fn quoted(text: &str) -> String {
    let letters = text.chars().map(|it| match it {
        '"' => "\\\"".to_owned(),
        '\\' => "\\\\".to_owned(),
        it if u32::from(it) < 0x20 => format!("\\u{:04x}", u32::from(it)),
        it => it.to_string(),
    });
    format!("\"{}\"", letters.collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> Result<String> {
        parse(text, |it| it.string())
    }

    #[test]
    fn texts_are_read_back() -> Result<()> {
        for it in ["", "a.b", "\"\\\n\u{1}", "\u{e4}\u{1f600}"] {
            assert_eq!(text(&quoted(it))?, it);
        }
        assert_eq!(text("\"\\u00e4\\ud83d\\ude00\\/\"")?, "\u{e4}\u{1f600}/");
        let mut found = Vec::new();
        parse(" {\"b\": [1, 2], \"a\" : [ ] } ", |it| {
            it.entries(|key, it| {
                found.push((key, it.numbers()?));
                Ok(())
            })
        })?;
        assert_eq!(found, [("b".to_owned(), vec![1, 2]), ("a".to_owned(), Vec::new())]);
        Ok(())
    }

    #[test]
    fn values_are_skipped() -> Result<()> {
        parse(" {\"b\": [1, [{}], \"]\"], \"a\" : {\"c\": 1} } ", |it| it.skip())
    }

    #[test]
    fn other_texts_are_refused() {
        let deep = "[".repeat(10_000);
        for text in
            ["", "{", "[1,]", "-1", "1.5", "1e3", "\"", "\"\\u12\"", "\"\\ud800\"", "{} x", &deep]
        {
            assert!(parse(text, |it| it.skip()).is_err(), "{text}");
        }
    }

    #[test]
    fn long_lists_are_refused() {
        let long = format!("[{}1]", "1,".repeat(LONGEST_LIST));
        let error = parse(&long, |it| it.numbers()).expect_err("it is one too long");
        assert!(error.message().contains("more than 65536 numbers"), "{error}");
    }
}
