//! Window geometry: where the windows of a convolution or of pooling lie, in any number of dimensions.

use std::mem;
use std::ops::Range;

use opwright_runtime::{DType, Result, buffer, ensure};
use smallvec::SmallVec;

/// The dtype in which the elements of windows are added and compared.
pub(crate) fn calculated(dtype: DType) -> DType {
    if dtype.is_integral() { DType::Int64 } else { dtype.calculated() }
}

/// Fails for dtypes that pooling has not: truth values and complex numbers, which have no order, and
/// `uint64`, which `int64` does not hold.
pub(crate) fn check_pooled(what: &str, dtype: DType) -> Result<()> {
    let is_held = dtype.is_integral() && dtype != DType::UInt64;
    if dtype.is_floating() || is_held { Ok(()) } else { Err(dtype.unsupported(what)) }
}

/// The windows along one dimension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Windows {
    /// The elements of the dimension.
    pub(crate) size: i64,
    /// The taps of a window.
    pub(crate) kernel: i64,
    /// How far apart windows are.
    pub(crate) stride: i64,
    /// The elements in front that are not there.
    pub(crate) padding: i64,
    /// How far apart taps are.
    pub(crate) dilation: i64,
    /// How many windows there are.
    pub(crate) count: i64,
}

impl Windows {
    /// The element below a tap of a window, which may lie outside.
    #[inline]
    pub(crate) fn element(&self, window: i64, tap: i64) -> i64 {
        window * self.stride + tap * self.dilation - self.padding
    }

    /// The windows whose tap lies on an element.
    pub(crate) fn inside(&self, tap: i64) -> Range<i64> {
        let before = self.padding - tap * self.dilation;
        let start = ceil_div(before.max(0), self.stride);
        let end = ceil_div((self.size + before).max(0), self.stride);
        start.min(self.count)..end.clamp(start.min(self.count), self.count)
    }

    /// The windows by which of these taps lie on elements, with those.
    fn sections(&self, taps: Range<i64>) -> Vec<(Range<i64>, Range<i64>)> {
        let mut cuts: Vec<i64> =
            taps.clone().map(|it| self.inside(it)).flat_map(|it| [it.start, it.end]).collect();
        cuts.sort_unstable();
        let between = cuts.windows(2).filter(|cuts| cuts[0] < cuts[1]);
        let section = between.filter_map(|cuts| {
            let mut seen = taps.clone().filter(|&it| self.inside(it).contains(&cuts[0]));
            let start = seen.next()?;
            Some((cuts[0]..cuts[1], start..start + 1 + seen.count() as i64))
        });
        section.collect()
    }
}

/// The elements below the taps of a window, along one dimension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Region {
    pub(crate) start: i64,
    pub(crate) end: i64,
    /// How far apart they are.
    pub(crate) step: i64,
    /// How many there are, with the padding that is covered.
    pub(crate) padded: i64,
}

impl Region {
    /// How many elements there are.
    pub(crate) fn len(&self) -> i64 {
        ceil_div((self.end - self.start).max(0), self.step)
    }

    pub(crate) fn elements(&self) -> impl Iterator<Item = i64> + use<> {
        (self.start..self.end).step_by(self.step as usize)
    }
}

impl Windows {
    /// The elements below a window, whose padding ends where that of the dimension does.
    pub(crate) fn region(&self, window: i64) -> Region {
        let first = self.element(window, 0);
        let end = first + span(self.kernel, self.dilation);
        let before = ceil_div((-first).max(0), self.dilation);
        let start = (first + before * self.dilation).min(self.size);
        let padded_end = end.min(self.size + self.padding);
        Region {
            start,
            end: end.clamp(start, self.size),
            step: self.dilation,
            padded: ceil_div((padded_end - first).max(0), self.dilation),
        }
    }
}

/// The elements from the first tap to the last one.
pub(crate) fn span(kernel: i64, dilation: i64) -> i64 {
    dilation.saturating_mul(kernel - 1).saturating_add(1)
}

/// The quotient of numbers that are not negative, rounded up.
pub(crate) fn ceil_div(dividend: i64, divisor: i64) -> i64 {
    dividend / divisor + i64::from(dividend % divisor != 0)
}

/// The windows of an image of several dimensions, in row-major order.
#[derive(Clone, Debug)]
pub(crate) struct Grid {
    dims: Vec<Windows>,
}

/// Neighbouring windows that differ in the last dimension only.
struct WindowRow {
    /// Where the first tap of the first one lies in each of the other dimensions.
    origin: Vec<i64>,
    /// Which they are in the last dimension.
    windows: Range<i64>,
}

/// A tap of neighbouring windows that lies on elements, not outside.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TapRun {
    /// The first window, as counted from the first one that was asked for.
    pub(crate) window: usize,
    /// The element below it.
    pub(crate) element: usize,
    pub(crate) count: usize,
}

/// So many taps along the last dimension, and so many along all others, are told apart together.
const SIDE_BY_SIDE: usize = 7;

/// Windows by which taps lie on elements: in each band the same ones do.
#[derive(Debug, Default)]
pub(crate) struct Bands {
    taps: Vec<(usize, usize)>,
    runs: Vec<TapRun>,
    /// Where the taps and the runs of each band end.
    ends: Vec<(usize, usize)>,
}

impl Bands {
    /// The taps of each band, with how far behind the first one the element below them is, and runs of
    /// windows, with the element below the first tap.
    pub(crate) fn each(&self) -> impl Iterator<Item = (&[(usize, usize)], &[TapRun])> {
        let mut start = (0, 0);
        self.ends.iter().map(move |&end| {
            let (taps, runs) = mem::replace(&mut start, end);
            (&self.taps[taps..end.0], &self.runs[runs..end.1])
        })
    }
}

/// Taps along all dimensions but the last one, with how many lines of the image they are apart.
type SeenLines = SmallVec<[(usize, i64); SIDE_BY_SIDE]>;

/// A row of windows and the first line of the image that it sees.
struct SeenRow {
    line: i64,
    /// How many windows were asked for before it.
    before: usize,
    windows: Range<i64>,
}

impl Grid {
    /// # Errors
    ///
    /// `Runtime` if there is no dimension.
    pub(crate) fn new(dims: Vec<Windows>) -> Result<Grid> {
        ensure!(!dims.is_empty(), Runtime, "windows have at least one dimension");
        Ok(Grid { dims })
    }

    /// The windows along each dimension.
    pub(crate) fn dims(&self) -> &[Windows] {
        &self.dims
    }

    /// How many elements the image has.
    pub(crate) fn elements(&self) -> usize {
        self.dims.iter().map(|it| it.size as usize).product()
    }

    /// How many windows there are.
    pub(crate) fn windows(&self) -> usize {
        self.dims.iter().map(|it| it.count as usize).product()
    }

    /// How many taps a window has.
    pub(crate) fn taps(&self) -> usize {
        self.dims.iter().map(|it| it.kernel as usize).product()
    }

    /// How far the next element of the last dimension is from one window to the next.
    pub(crate) fn step(&self) -> usize {
        self.last().stride as usize
    }

    /// Whether each window is one element, and each element one window.
    pub(crate) fn is_identity(&self) -> bool {
        self.dims.iter().all(|it| it.kernel == 1 && it.stride == 1 && it.padding == 0)
    }

    fn last(&self) -> &Windows {
        &self.dims[self.dims.len() - 1]
    }

    /// A range of windows, row by row.
    fn rows(&self, range: Range<usize>) -> Result<Vec<WindowRow>> {
        let length = self.last().count as usize;
        let outer = &self.dims[..self.dims.len() - 1];
        let mut rows = Vec::new();
        let mut at = range.start;
        while at < range.end {
            let end = range.end.min((at / length + 1) * length);
            let (mut index, mut origin) = ((at / length) as i64, buffer::filled(outer.len(), 0)?);
            for (slot, windows) in origin.iter_mut().zip(outer).rev() {
                *slot = windows.element(index % windows.count, 0);
                index /= windows.count;
            }
            let start = at % length;
            let windows = start as i64..(start + end - at) as i64;
            buffer::push(&mut rows, WindowRow { origin, windows })?;
            at = end;
        }
        Ok(rows)
    }

    /// Calls `body` with each tap, and the runs of a range of windows for which it lies on elements.
    ///
    /// # Errors
    ///
    /// `Memory` if there is not enough.
    pub(crate) fn for_taps(
        &self,
        range: Range<usize>,
        body: &mut dyn FnMut(usize, &[TapRun]),
    ) -> Result<()> {
        let rows = self.rows(range)?;
        let mut runs = buffer::with_capacity(rows.len())?;
        let mut tap = buffer::filled(self.dims.len(), 0_i64)?;
        for number in 0..self.taps() {
            place(&self.dims, number, &mut tap);
            runs.clear();
            self.find_runs(&rows, &tap, &mut runs);
            body(number, &runs);
        }
        Ok(())
    }

    /// A range of windows by which taps lie on elements. Each tap of each window is there once.
    ///
    /// # Errors
    ///
    /// `Memory` if there is not enough.
    pub(crate) fn bands(&self, range: Range<usize>) -> Result<Bands> {
        let (rows, last) = (self.rows(range)?, self.last());
        let outer = &self.dims[..self.dims.len() - 1];
        let ends = |start: i64| start..last.kernel.min(start + SIDE_BY_SIDE as i64);
        let chunks = (0..last.kernel).step_by(SIDE_BY_SIDE);
        let sections = buffer::collected(chunks.flat_map(|it| last.sections(ends(it))))?;
        let numbers: Vec<usize> =
            (0..outer.iter().map(|it| it.kernel as usize).product()).collect();
        let (mut bands, mut tap) = (Bands::default(), buffer::filled(outer.len(), 0_i64)?);
        let mut group = buffer::with_capacity(rows.len())?;
        for numbers in numbers.chunks(SIDE_BY_SIDE) {
            let (mut last_seen, mut before) = (SeenLines::new(), 0);
            for row in &rows {
                let lines = numbers.iter().filter_map(|&number| {
                    place(outer, number, &mut tap);
                    Some((number, self.line(&row.origin, &tap)?))
                });
                let mut seen: SeenLines = lines.collect();
                let line = seen.first().map_or(0, |it| it.1);
                seen.iter_mut().for_each(|it| it.1 -= line);
                if seen != last_seen {
                    self.push_bands(&mut bands, &last_seen, &group, &sections)?;
                    group.clear();
                    last_seen = seen;
                }
                group.push(SeenRow { line, before, windows: row.windows.clone() });
                before += (row.windows.end - row.windows.start) as usize;
            }
            self.push_bands(&mut bands, &last_seen, &group, &sections)?;
            group.clear();
        }
        Ok(bands)
    }

    /// The same of each tap alone: a window is in several bands, in long runs.
    ///
    /// # Errors
    ///
    /// `Memory` if there is not enough.
    pub(crate) fn bands_of_taps(&self, range: Range<usize>) -> Result<Bands> {
        let (mut bands, mut pushed) = (Bands::default(), Ok(()));
        self.for_taps(range, &mut |tap, runs| {
            if pushed.is_ok() {
                bands.taps.push((tap, 0));
                pushed = buffer::extend(&mut bands.runs, runs.iter().copied());
                bands.ends.push((bands.taps.len(), bands.runs.len()));
            }
        })?;
        pushed.map(|()| bands)
    }

    /// Appends the bands of rows that see lines which are so far apart.
    fn push_bands(
        &self,
        bands: &mut Bands,
        lines: &[(usize, i64)],
        rows: &[SeenRow],
        sections: &[(Range<i64>, Range<i64>)],
    ) -> Result<()> {
        let last = self.last();
        for (windows, inner) in sections.iter().filter(|_| !lines.is_empty()) {
            let before = bands.runs.len();
            for row in rows {
                let start = row.windows.start.max(windows.start);
                let count = row.windows.end.min(windows.end) - start;
                if count > 0 {
                    let window = row.before + (start - row.windows.start) as usize;
                    let element = row.line * last.size + last.element(start, inner.start);
                    let run = TapRun { window, element: element as usize, count: count as usize };
                    buffer::push(&mut bands.runs, run)?;
                }
            }
            if bands.runs.len() == before {
                continue;
            }
            for &(number, line) in lines {
                for tap in inner.clone() {
                    let behind = line * last.size + (tap - inner.start) * last.dilation;
                    let number = number * last.kernel as usize + tap as usize;
                    buffer::push(&mut bands.taps, (number, behind as usize))?;
                }
            }
            buffer::push(&mut bands.ends, (bands.taps.len(), bands.runs.len()))?;
        }
        Ok(())
    }

    fn find_runs(&self, rows: &[WindowRow], tap: &[i64], runs: &mut Vec<TapRun>) {
        let (last, inner) = (self.last(), tap[tap.len() - 1]);
        let inside = last.inside(inner);
        let mut before = 0;
        for row in rows {
            let (start, end) =
                (row.windows.start.max(inside.start), row.windows.end.min(inside.end));
            if start < end
                && let Some(line) = self.line(&row.origin, tap)
            {
                let element = line * last.size + last.element(start, inner);
                runs.push(TapRun {
                    window: before + (start - row.windows.start) as usize,
                    element: element as usize,
                    count: (end - start) as usize,
                });
            }
            before += (row.windows.end - row.windows.start) as usize;
        }
    }

    /// The line of the image below a tap, by all dimensions but the last.
    fn line(&self, origin: &[i64], tap: &[i64]) -> Option<i64> {
        let mut line = 0;
        for ((&origin, &tap), windows) in origin.iter().zip(tap).zip(&self.dims) {
            let at = origin + tap * windows.dilation;
            if !(0..windows.size).contains(&at) {
                return None;
            }
            line = line * windows.size + at;
        }
        Some(line)
    }
}

/// Where a tap lies along each dimension, by its number in row-major order.
fn place(dims: &[Windows], number: usize, tap: &mut [i64]) {
    let mut rest = number as i64;
    for (slot, windows) in tap.iter_mut().zip(dims).rev() {
        *slot = rest % windows.kernel;
        rest /= windows.kernel;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All runs of a range of windows, element by element.
    fn covered(grid: &Grid, range: Range<usize>) -> Vec<(usize, usize, usize)> {
        let mut found = Vec::new();
        let step = grid.step();
        grid.for_taps(range, &mut |tap, runs| {
            for run in runs {
                found.extend(
                    (0..run.count).map(|it| (tap, run.window + it, run.element + it * step)),
                );
            }
        })
        .expect("there is memory");
        found
    }

    /// The same by bands.
    fn seen(grid: &Grid, range: Range<usize>) -> Vec<(usize, usize, usize)> {
        let bands = grid.bands(range).expect("there is memory");
        let mut found: Vec<_> = bands
            .each()
            .flat_map(|(taps, runs)| {
                taps.iter().flat_map(|tap| runs.iter().map(move |run| (tap, run)))
            })
            .flat_map(|(&(tap, behind), run)| {
                (0..run.count)
                    .map(move |it| (tap, run.window + it, run.element + behind + it * grid.step()))
            })
            .collect();
        found.sort_unstable();
        found
    }

    fn along(size: i64, kernel: i64, stride: i64, padding: i64, dilation: i64) -> Windows {
        let count = (size + 2 * padding - span(kernel, dilation)) / stride + 1;
        Windows { size, kernel, stride, padding, dilation, count }
    }

    #[test]
    fn runs_are_where_taps_lie_on_elements() {
        for (rows, columns) in [
            (along(5, 3, 1, 1, 1), along(7, 3, 2, 2, 2)),
            (along(1, 1, 3, 0, 1), along(4, 4, 1, 3, 1)),
            (along(6, 2, 2, 0, 3), along(3, 1, 1, 0, 1)),
            (along(9, 5, 1, 2, 1), along(4, 9, 1, 4, 1)),
        ] {
            let grid = Grid::new(vec![rows, columns]).unwrap();
            let mut wanted = Vec::new();
            for tap in 0..grid.taps() as i64 {
                let (below, beside) = (tap / columns.kernel, tap % columns.kernel);
                for window in 0..grid.windows() as i64 {
                    let row = rows.element(window / columns.count, below);
                    let column = columns.element(window % columns.count, beside);
                    if (0..rows.size).contains(&row) && (0..columns.size).contains(&column) {
                        let element = row * columns.size + column;
                        wanted.push((tap as usize, window as usize, element as usize));
                    }
                }
            }
            assert_eq!(covered(&grid, 0..grid.windows()), wanted);
            assert_eq!(seen(&grid, 0..grid.windows()), wanted);
            let middle = grid.windows() / 2;
            assert_eq!(seen(&grid, 0..middle), covered(&grid, 0..middle));
            assert_eq!(seen(&grid, middle..middle + 3), covered(&grid, middle..middle + 3));
            let mut parts = covered(&grid, 0..middle);
            let rest = covered(&grid, middle..grid.windows());
            parts.extend(rest.into_iter().map(|(tap, window, at)| (tap, window + middle, at)));
            parts.sort_unstable();
            assert_eq!(parts, wanted);
        }
    }
}
