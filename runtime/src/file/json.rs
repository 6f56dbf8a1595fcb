//! JSON, as headers have it: objects in the order of their keys in the text, no numbers but sizes.

use crate::{Error, Result, buffer, ensure};

/// A value.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Value {
    Text(String),
    Number(u64),
    List(Vec<Value>),
    Object(Vec<(String, Value)>),
}

/// Lists and objects within each other.
const DEEPEST: usize = 8;

/// Reads a text that is one value.
pub(super) fn parse(text: &str) -> Result<Value> {
    let mut rest = Rest(text);
    let value = rest.value(0)?;
    ensure!(rest.0.trim().is_empty(), Runtime, "{}", wrong(rest.0).message());
    Ok(value)
}

/// What is left of a text.
struct Rest<'a>(&'a str);

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

    fn value(&mut self, depth: usize) -> Result<Value> {
        ensure!(depth < DEEPEST, Runtime, "{}", wrong(self.0).message());
        if self.take('"') {
            return self.text().map(Value::Text);
        }
        if self.take('{') {
            let object = self.items('}', |it| {
                it.expect('"')?;
                let key = it.text()?;
                it.expect(':')?;
                Ok((key, it.value(depth + 1)?))
            });
            return object.map(Value::Object);
        }
        match self.take('[') {
            true => self.items(']', |it| it.value(depth + 1)).map(Value::List),
            false => self.number().map(Value::Number),
        }
    }

    /// What stands between commas.
    fn items<T>(&mut self, end: char, item: impl Fn(&mut Self) -> Result<T>) -> Result<Vec<T>> {
        let mut items = Vec::new();
        if self.take(end) {
            return Ok(items);
        }
        loop {
            buffer::push(&mut items, item(self)?)?;
            if !self.take(',') {
                return self.expect(end).map(|()| items);
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

    #[test]
    fn texts_are_read_back() -> Result<()> {
        for text in ["", "a.b", "\"\\\n\u{1}", "\u{e4}\u{1f600}"] {
            assert_eq!(parse(&quoted(text))?, Value::Text(text.to_owned()));
        }
        let text = parse("\"\\u00e4\\ud83d\\ude00\\/\"")?;
        assert_eq!(text, Value::Text("\u{e4}\u{1f600}/".to_owned()));
        let object = parse(" {\"b\": [1, 2], \"a\" : {} } ")?;
        let list = Value::List(vec![Value::Number(1), Value::Number(2)]);
        let expected = vec![("b".to_owned(), list), ("a".to_owned(), Value::Object(Vec::new()))];
        assert_eq!(object, Value::Object(expected));
        Ok(())
    }

    #[test]
    fn other_texts_are_refused() {
        let deep = "[".repeat(10_000);
        for text in
            ["", "{", "[1,]", "-1", "1.5", "1e3", "\"", "\"\\u12\"", "\"\\ud800\"", "{} x", &deep]
        {
            assert!(parse(text).is_err(), "{text}");
        }
    }
}
