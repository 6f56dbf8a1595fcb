//! Sections of an operator file: comments `# --- title` between entries, by which the reference
//! groups operators.

const MARK: &str = "# --- ";

/// Where sections of a file begin, and their titles, in order.
pub(crate) struct Sections<'a>(Vec<(usize, &'a str)>);

impl<'a> Sections<'a> {
    pub(crate) fn of(text: &'a str) -> Self {
        let is_line = |at: usize| at == 0 || text.as_bytes()[at - 1] == b'\n';
        let title = |at: usize| text[at + MARK.len()..].lines().next().unwrap_or_default().trim();
        let marks = text.match_indices(MARK).map(|it| it.0).filter(|at| is_line(*at));
        Sections(marks.map(|at| (at, title(at))).collect())
    }

    /// The title of the section that an offset is in.
    pub(crate) fn at(&self, offset: usize) -> Option<&'a str> {
        let before = self.0.partition_point(|it| it.0 < offset).checked_sub(1)?;
        Some(self.0[before].1)
    }
}
