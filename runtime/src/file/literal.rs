//! The header of a `.npy` file: a dictionary as Python writes it.

use crate::{Error, Result, buffer, ensure};

/// What a header says.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct ArrayHeader {
    pub(super) descr: String,
    pub(super) fortran_order: bool,
    pub(super) shape: Vec<i64>,
}

/// No tensor has more dimensions.
const LONGEST_TUPLE: usize = 1 << 16;

/// What is left of a text.
struct Rest<'a>(&'a str);

fn wrong(rest: &str) -> Error {
    let start: String = rest.chars().take(20).collect();
    Error::runtime(format_args!("its header is not understood at '{}'", start.escape_debug()))
}

/// Reads the text of a header.
pub(super) fn parse(text: &str) -> Result<ArrayHeader> {
    let mut rest = Rest(text);
    let (mut descr, mut fortran_order, mut shape) = (None, None, None);
    rest.expect("{")?;
    while !rest.take("}") {
        let key = rest.quoted()?;
        rest.expect(":")?;
        match key {
            "descr" => descr = Some(rest.quoted()?.to_owned()),
            "fortran_order" => fortran_order = Some(rest.boolean()?),
            "shape" => shape = Some(rest.tuple()?),
            _ => return Err(wrong(key)),
        }
        if !rest.take(",") {
            rest.expect("}")?;
            break;
        }
    }
    match (rest.0.trim().is_empty(), descr, fortran_order, shape) {
        (true, Some(descr), Some(fortran_order), Some(shape)) => {
            Ok(ArrayHeader { descr, fortran_order, shape })
        }
        _ => Err(wrong(rest.0)),
    }
}

impl<'a> Rest<'a> {
    fn take(&mut self, word: &str) -> bool {
        let after = self.0.trim_start().strip_prefix(word);
        self.0 = after.unwrap_or(self.0);
        after.is_some()
    }

    fn expect(&mut self, word: &str) -> Result<()> {
        if self.take(word) { Ok(()) } else { Err(wrong(self.0)) }
    }

    fn quoted(&mut self) -> Result<&'a str> {
        let quote = ['\'', '"'].into_iter().find(|it| self.take(it.encode_utf8(&mut [0; 4])));
        let inner = quote.and_then(|it| self.0.split_once(it));
        let (inner, after) = inner.ok_or_else(|| wrong(self.0))?;
        self.0 = after;
        Ok(inner)
    }

    fn boolean(&mut self) -> Result<bool> {
        if self.take("True") {
            return Ok(true);
        }
        self.expect("False").map(|()| false)
    }

    fn tuple(&mut self) -> Result<Vec<i64>> {
        self.expect("(")?;
        let mut sizes = Vec::new();
        while !self.take(")") {
            let most = LONGEST_TUPLE;
            ensure!(sizes.len() < most, Runtime, "its header has more than {most} dimensions");
            buffer::push(&mut sizes, self.number()?)?;
            if !self.take(",") {
                self.expect(")")?;
                break;
            }
        }
        Ok(sizes)
    }

    fn number(&mut self) -> Result<i64> {
        let text = self.0.trim_start();
        let end = text.find(|it: char| !it.is_ascii_digit()).unwrap_or(text.len());
        let number = text[..end].parse().map_err(|_| wrong(text))?;
        self.0 = &text[end..];
        // As Python 2 wrote it.
        self.take("L");
        Ok(number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_are_read_as_python_writes_them() -> Result<()> {
        let header = parse("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }   \n")?;
        let expected = ArrayHeader { descr: "<f4".into(), fortran_order: false, shape: vec![2, 3] };
        assert_eq!(header, expected);
        let header = parse("{\"shape\":(10L,),\"fortran_order\":True,\"descr\":\"|b1\"}")?;
        assert_eq!((header.shape, header.fortran_order), (vec![10], true));
        assert_eq!(parse("{'descr': '<f4', 'fortran_order': False, 'shape': ()}")?.shape, []);
        Ok(())
    }

    #[test]
    fn other_headers_are_refused() {
        for text in [
            "",
            "{",
            "{}",
            "{'descr': '<f4'}",
            "{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': ()}",
            "{'descr': '<f4', 'fortran_order': False, 'shape': (-1,)}",
            "{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999,)}",
            "{'descr': '<f4', 'fortran_order': False, 'shape': (1,)} x",
            "{'descr': '<f4', 'fortran_order': 1, 'shape': (1,)}",
            "{'other': '<f4'}",
        ] {
            assert!(parse(text).is_err(), "{text}");
        }
    }
}
