//! `.npz`: several tensors in an archive without compression, as `numpy.savez` writes them.

use std::io::{Read, Seek, SeekFrom, Write};

use super::crc::{Crc, Summed};
use super::{Named, bytes, check_names, failed, npy};
use crate::{Error, Result, Tensor, buffer, ensure, fail};

const LOCAL: u32 = 0x0403_4b50;
const CENTRAL: u32 = 0x0201_4b50;
const END: u32 = 0x0605_4b50;
const LONG_END: u32 = 0x0606_4b50;
const LONG_END_AT: u32 = 0x0706_4b50;
/// What stands in a field of four bytes whose number is elsewhere.
const ELSEWHERE: u32 = u32::MAX;
/// The version that knows numbers of eight bytes.
const LONG: u16 = 45;
/// Names are UTF-8.
const UTF8: u16 = 1 << 11;
const ENCRYPTED: u16 = 1;
/// The first day that an archive can name.
const DATE: u16 = 33;

/// Writes tensors under their names.
///
/// # Errors
///
/// `Value` if two names are the same, `Type` if numpy has no such dtype, `Runtime` if writing fails,
/// `Memory`.
pub fn write(tensors: &[(&str, &Tensor)], to: &mut dyn Write) -> Result<()> {
    let entries = prepared(tensors)?;
    entries.write(to)
}

/// Tensors that can be written.
#[derive(Debug)]
pub struct Archive(Vec<ArchiveEntry>);

/// A file in an archive.
#[derive(Debug)]
struct ArchiveEntry {
    name: String,
    image: npy::Image,
    sum: u32,
    at: u64,
}

/// Prepares tensors, so that what cannot be written is known before a file is opened.
///
/// # Errors
///
/// As [`write()`].
pub fn prepared(tensors: &[(&str, &Tensor)]) -> Result<Archive> {
    check_names(tensors)?;
    let mut at = 0;
    let entries = tensors.iter().map(|(name, tensor)| {
        let (name, image) = (format!("{name}.npy"), npy::Image::of(tensor)?);
        ensure!(name.len() <= usize::from(u16::MAX), Value, "a name has {} bytes", name.len());
        let mut sum = Crc::new();
        image.write(&mut sum)?;
        let entry = ArchiveEntry { name, image, sum: sum.value(), at };
        at += entry.local().len() as u64 + entry.image.len();
        Ok(entry)
    });
    buffer::try_collected(entries).map(Archive)
}

impl Archive {
    /// Writes it.
    ///
    /// # Errors
    ///
    /// `Runtime` if that fails.
    pub fn write(&self, to: &mut dyn Write) -> Result<()> {
        for entry in &self.0 {
            to.write_all(&entry.local()).map_err(|it| failed(&it))?;
            entry.image.write(to)?;
        }
        let at = self.0.last().map_or(0, ArchiveEntry::end);
        let mut size = 0;
        for entry in &self.0 {
            let central = entry.central();
            size += central.len() as u64;
            to.write_all(&central).map_err(|it| failed(&it))?;
        }
        to.write_all(&end(self.0.len() as u64, at, size)).map_err(|it| failed(&it))
    }
}

/// Bytes with numbers in them.
#[derive(Default)]
struct ZipRecord(Vec<u8>);

impl ZipRecord {
    fn shorts(mut self, numbers: &[u16]) -> ZipRecord {
        self.0.extend(numbers.iter().flat_map(|it| it.to_le_bytes()));
        self
    }

    fn words(mut self, numbers: &[u32]) -> ZipRecord {
        self.0.extend(numbers.iter().flat_map(|it| it.to_le_bytes()));
        self
    }

    fn longs(mut self, numbers: &[u64]) -> ZipRecord {
        self.0.extend(numbers.iter().flat_map(|it| it.to_le_bytes()));
        self
    }

    fn text(mut self, text: &str) -> Vec<u8> {
        self.0.extend(text.bytes());
        self.0
    }
}

/// Both sizes and, in the directory, the place are numbers of eight bytes.
impl ArchiveEntry {
    fn end(&self) -> u64 {
        self.at + self.local().len() as u64 + self.image.len()
    }

    fn local(&self) -> Vec<u8> {
        let size = self.image.len();
        let head = ZipRecord::default().words(&[LOCAL]).shorts(&[LONG, UTF8, 0, 0, DATE]);
        let head = head.words(&[self.sum, ELSEWHERE, ELSEWHERE]);
        let mut head = head.shorts(&[self.name.len() as u16, 20]).text(&self.name);
        head.extend(ZipRecord::default().shorts(&[1, 16]).longs(&[size, size]).0);
        head
    }

    fn central(&self) -> Vec<u8> {
        let size = self.image.len();
        let head = ZipRecord::default().words(&[CENTRAL]).shorts(&[LONG, LONG, UTF8, 0, 0, DATE]);
        let head = head.words(&[self.sum, ELSEWHERE, ELSEWHERE]);
        let head = head.shorts(&[self.name.len() as u16, 28, 0, 0, 0]);
        let mut head = head.words(&[0, ELSEWHERE]).text(&self.name);
        head.extend(ZipRecord::default().shorts(&[1, 24]).longs(&[size, size, self.at]).0);
        head
    }
}

/// What stands behind the directory.
fn end(count: u64, at: u64, size: u64) -> Vec<u8> {
    let long = ZipRecord::default().words(&[LONG_END]).longs(&[44]).shorts(&[LONG, LONG]);
    let long = long.words(&[0, 0]).longs(&[count, count, size, at]);
    let place = long.words(&[LONG_END_AT, 0]).longs(&[at + size]).words(&[1, END]);
    let short = place.shorts(&[0, 0, u16::MAX, u16::MAX]).words(&[ELSEWHERE, ELSEWHERE]);
    short.shorts(&[0]).0
}

/// A file that can be read at any place.
trait ReadSeek: Read + Seek {}

impl<T: Read + Seek> ReadSeek for T {}

/// Reads all tensors, in the order of the directory.
///
/// # Errors
///
/// `Runtime` if it is no such archive, or compressed; `Memory`.
pub fn read(from: &mut (impl Read + Seek)) -> Result<Named> {
    let length = from.seek(SeekFrom::End(0)).map_err(|it| failed(&it))?;
    let directory = Directory::find(from, length)?;
    let entries = directory.entries(from, length)?;
    let total = entries.iter().fold(0_u64, |all, it| all.saturating_add(it.size));
    ensure!(total <= length, Runtime, "its files claim {total} bytes, of which {length} are there");
    buffer::try_collected(entries.into_iter().map(|it| it.tensor(from, length)))
}

/// Fields of a record.
struct RecordFields<'a>(&'a [u8]);

impl RecordFields<'_> {
    fn number(&mut self, width: usize) -> Result<u64> {
        let (number, rest) = self.0.split_at_checked(width).ok_or_else(broken)?;
        self.0 = rest;
        Ok(number.iter().rev().fold(0, |all, it| all << 8 | u64::from(*it)))
    }

    fn short(&mut self) -> Result<u16> {
        self.number(2).map(|it| it as u16)
    }

    fn word(&mut self) -> Result<u32> {
        self.number(4).map(|it| it as u32)
    }

    fn skip(&mut self, count: usize) -> Result<()> {
        self.0 = self.0.get(count..).ok_or_else(broken)?;
        Ok(())
    }
}

fn broken() -> Error {
    Error::runtime("its directory is broken")
}

/// So many bytes from a place, all of which are within the file.
fn at(from: &mut dyn ReadSeek, place: u64, count: u64, length: u64) -> Result<Vec<u8>> {
    let fits = place.checked_add(count).is_some_and(|it| it <= length);
    ensure!(fits, Runtime, "its directory points behind its end");
    from.seek(SeekFrom::Start(place)).map_err(|it| failed(&it))?;
    bytes(from, usize::try_from(count).map_err(|_| broken())?)
}

/// Where the directory of an archive is.
struct Directory {
    count: u64,
    size: u64,
    at: u64,
}

impl Directory {
    fn find(from: &mut dyn ReadSeek, length: u64) -> Result<Directory> {
        // A comment of up to 65535 bytes may follow.
        let size = length.min(22 + 65535);
        let tail = at(from, length - size, size, length)?;
        let mut places = tail.windows(22).enumerate().rev();
        let found = places.find(|(_, it)| it.starts_with(&END.to_le_bytes()));
        let Some((place, record)) = found else { fail!(Runtime, "it is no archive") };
        let mut fields = RecordFields(&record[8..]);
        let (_, count) = (fields.short()?, fields.short()?);
        let (size, start) = (fields.word()?, fields.word()?);
        let end_at = length - tail.len() as u64 + place as u64;
        if count == u16::MAX || size == ELSEWHERE || start == ELSEWHERE {
            return Directory::find_long(from, end_at, length);
        }
        Ok(Directory { count: count.into(), size: size.into(), at: start.into() })
    }

    fn find_long(from: &mut dyn ReadSeek, end_at: u64, length: u64) -> Result<Directory> {
        let pointer = at(from, end_at.checked_sub(20).ok_or_else(broken)?, 20, length)?;
        ensure!(pointer.starts_with(&LONG_END_AT.to_le_bytes()), Runtime, "{}", broken().message());
        let place = RecordFields(&pointer[8..]).number(8)?;
        let record = at(from, place, 56, length)?;
        ensure!(record.starts_with(&LONG_END.to_le_bytes()), Runtime, "{}", broken().message());
        let mut fields = RecordFields(&record[32..]);
        Ok(Directory { count: fields.number(8)?, size: fields.number(8)?, at: fields.number(8)? })
    }

    fn entries(&self, from: &mut dyn ReadSeek, length: u64) -> Result<Vec<DirectoryEntry>> {
        let bytes = at(from, self.at, self.size, length)?;
        let mut fields = RecordFields(&bytes);
        let mut entries = Vec::new();
        for _ in 0..self.count {
            buffer::push(&mut entries, DirectoryEntry::read(&mut fields)?)?;
        }
        Ok(entries)
    }
}

/// A file that a directory names.
struct DirectoryEntry {
    name: String,
    sum: u32,
    size: u64,
    at: u64,
}

impl DirectoryEntry {
    fn read(fields: &mut RecordFields<'_>) -> Result<DirectoryEntry> {
        ensure!(fields.word()? == CENTRAL, Runtime, "{}", broken().message());
        fields.skip(4)?;
        let (flags, method) = (fields.short()?, fields.short()?);
        fields.skip(4)?;
        let sum = fields.word()?;
        let (stored, size) = (fields.word()?, fields.word()?);
        let lengths = [fields.short()?, fields.short()?, fields.short()?].map(usize::from);
        fields.skip(8)?;
        let at = fields.word()?;
        let name = fields.0.get(..lengths[0]).ok_or_else(broken)?;
        let name = String::from_utf8_lossy(name).into_owned();
        fields.skip(lengths[0])?;
        let extra = fields.0.get(..lengths[1]).ok_or_else(broken)?;
        let [size, stored, at] = long(extra, [size, stored, at])?;
        fields.skip(lengths[1] + lengths[2])?;
        ensure!(flags & ENCRYPTED == 0, Runtime, "'{name}' in it is encrypted");
        ensure!(
            method == 0 && size == stored,
            Runtime,
            "'{name}' in it is compressed, which is not supported: `numpy.savez` writes without"
        );
        Ok(DirectoryEntry { name, sum, size, at })
    }

    fn tensor(self, from: &mut dyn ReadSeek, length: u64) -> Result<(String, Tensor)> {
        let local = at(from, self.at, 30, length)?;
        ensure!(local.starts_with(&LOCAL.to_le_bytes()), Runtime, "{}", broken().message());
        let mut fields = RecordFields(&local[26..]);
        let skipped = u64::from(fields.short()?) + u64::from(fields.short()?);
        at(from, self.at + 30, skipped, length)?;
        let left = length - self.at - 30 - skipped;
        ensure!(self.size <= left, Runtime, "its directory points behind its end");
        let mut from: &mut dyn Read = from;
        let mut summed = Summed { from: &mut from, sum: Crc::new() };
        let within =
            |it: Error| Error::new(it.kind(), format_args!("'{}': {}", self.name, it.message()));
        let tensor = npy::read(&mut summed, self.size).map_err(within)?;
        ensure!(summed.sum.value() == self.sum, Runtime, "'{}' in it is damaged", self.name);
        let name = self.name.strip_suffix(".npy").map(str::to_owned).unwrap_or(self.name);
        Ok((name, tensor))
    }
}

/// The numbers that are elsewhere, from the extra field with numbers of eight bytes.
fn long(extra: &[u8], numbers: [u32; 3]) -> Result<[u64; 3]> {
    let mut extra = RecordFields(extra);
    let mut longs = RecordFields(&[]);
    while extra.0.len() >= 4 {
        let (tag, size) = (extra.short()?, usize::from(extra.short()?));
        let field = extra.0.get(..size).ok_or_else(broken)?;
        if tag == 1 {
            longs = RecordFields(field);
        }
        extra.skip(size)?;
    }
    let mut read = |it: u32| if it == ELSEWHERE { longs.number(8) } else { Ok(it.into()) };
    let [size, stored, at] = numbers;
    Ok([read(size)?, read(stored)?, read(at)?])
}
