//! CRC-32, the checksum of archives.

use std::io::{self, Read, Write};

/// What eight bytes at once add to a sum: for each place in them, a row for each byte.
static ROWS: [[u32; 256]; 8] = rows();

const fn rows() -> [[u32; 256]; 8] {
    let mut rows = [[0; 256]; 8];
    let mut byte = 0;
    while byte < 256 {
        let (mut sum, mut bit) = (byte as u32, 0);
        while bit < 8 {
            sum = if sum & 1 == 1 { 0xedb8_8320 ^ (sum >> 1) } else { sum >> 1 };
            bit += 1;
        }
        rows[0][byte] = sum;
        byte += 1;
    }
    let mut place = 1;
    while place < 8 {
        let mut byte = 0;
        while byte < 256 {
            let before = rows[place - 1][byte];
            rows[place][byte] = rows[0][(before & 0xff) as usize] ^ (before >> 8);
            byte += 1;
        }
        place += 1;
    }
    rows
}

/// A sum of what was written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Crc(u32);

impl Crc {
    pub(super) const fn new() -> Crc {
        Crc(!0)
    }

    pub(super) const fn value(self) -> u32 {
        !self.0
    }

    fn add(&mut self, bytes: &[u8]) {
        let (eights, rest) = bytes.as_chunks::<8>();
        for eight in eights {
            let word = u64::from_le_bytes(*eight) ^ u64::from(self.0);
            let places = word.to_le_bytes().into_iter().enumerate();
            self.0 = places.fold(0, |sum, (at, it)| sum ^ ROWS[7 - at][usize::from(it)]);
        }
        for byte in rest {
            self.0 = ROWS[0][usize::from(self.0 as u8 ^ byte)] ^ (self.0 >> 8);
        }
    }
}

impl Write for Crc {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.add(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// What adds up the bytes that are read through it.
pub(super) struct Summed<'a> {
    pub(super) from: &'a mut dyn Read,
    pub(super) sum: Crc,
}

impl Read for Summed<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let count = self.from.read(into)?;
        self.sum.add(&into[..count]);
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_those_of_the_standard() {
        let sum = |bytes: &[u8]| {
            let mut sum = Crc::new();
            sum.add(bytes);
            sum.value()
        };
        assert_eq!(sum(b""), 0);
        assert_eq!(sum(b"123456789"), 0xcbf4_3926);
        assert_eq!(sum(b"The quick brown fox jumps over the lazy dog"), 0x414f_a339);
    }
}
