//! YAML text as a tree of nodes, each with its exact place.
//!
//! Built from the events of the YAML parser by hand, without types: that way
//! every mistake of a file can be reported, and not just the first.

mod block;
mod node;

use std::borrow::Cow;
use std::ops::Range;

use opwright_diagnostics::diag::{Diagnostic, Diagnostics};
use opwright_diagnostics::source::{SourceFile, Sources};
use serde_saphyr::granit_parser::{self, Event, Parser, ScalarStyle, ScanError, StructureStyle};

use crate::codes;
use crate::model::{SourceId, Span};

pub use node::{YamlNode, YamlValue};

/// The entries of a file that is a list.
///
/// If the YAML itself is broken, each entry is read on its own, so that the
/// mistakes of the others are found in the same run.
pub fn entries<'a>(cx: &mut Diagnostics, sources: &'a Sources, id: SourceId) -> Vec<YamlNode<'a>> {
    let file = sources.file(id);
    let text = file.text();
    if let Some(items) = one_by_one(file, id) {
        return items;
    }
    match parse(text, id, 0) {
        Ok(Some(YamlNode { value: YamlValue::Sequence(items), .. })) => items,
        Ok(Some(node)) => {
            let message = format!("expected a list of entries, found {}", node.describe());
            not_a_list(cx, &first_line(&node.span, text), &message);
            Vec::new()
        }
        Ok(None) => {
            not_a_list(cx, &Span::new(id, 0..0), "the file is empty");
            Vec::new()
        }
        Err(error) => recover(cx, file, id, *error),
    }
}

/// Reads a list whose entries start in the first column one entry at a time.
/// Nothing if the text is not of that form, or if anything is wrong.
fn one_by_one(file: &SourceFile, id: SourceId) -> Option<Vec<YamlNode<'_>>> {
    let parts = parts(file)?;
    let mut items = Vec::with_capacity(parts.len());
    for part in parts {
        read_part(file, id, part, &mut items)?;
    }
    Some(items)
}

/// The entries of a part of a file, most of them without the YAML parser.
/// Nothing if anything is wrong: then only the whole file tells what.
pub(crate) fn read_part<'a>(
    file: &'a SourceFile,
    id: SourceId,
    part: Range<usize>,
    items: &mut Vec<YamlNode<'a>>,
) -> Option<()> {
    let text = file.text();
    let lines = &file.line_starts()[part];
    if let Some(item) = block::entry(text, id, lines) {
        items.push(item);
        return Some(());
    }
    let (start, end) = (*lines.first()?, *lines.last()?);
    match parse(&text[start..end], id, start).ok()?? {
        YamlNode { value: YamlValue::Sequence(found), .. } => items.extend(found),
        _ => return None,
    }
    // A text as an entry may go on in the first column.
    matches!(items.last()?.value, YamlValue::Mapping(_)).then_some(())
}

fn not_a_list(cx: &mut Diagnostics, span: &Span, message: &str) {
    cx.error(codes::NOT_A_LIST, span, message)
        .help("an entry starts with `- `; a list without entries is written `[]`");
}

fn first_line(span: &Span, text: &str) -> Span {
    let rest = &text[span.range.clone()];
    let len = rest.find('\n').unwrap_or(rest.len());
    Span::new(span.source, span.range.start..span.range.start + len)
}

/// Reads each entry on its own after the whole could not be read.
fn recover<'a>(
    cx: &mut Diagnostics,
    file: &'a SourceFile,
    id: SourceId,
    whole: Diagnostic,
) -> Vec<YamlNode<'a>> {
    let text = file.text();
    let before = cx.error_count();
    let mut items = Vec::new();
    for part in parts(file).unwrap_or_default() {
        let lines = &file.line_starts()[part];
        let (start, end) = (lines[0], lines[lines.len() - 1]);
        match parse(&text[start..end], id, start) {
            Ok(Some(YamlNode { value: YamlValue::Sequence(found), .. })) => items.extend(found),
            Ok(_) => {}
            Err(error) => {
                cx.push(*error);
            }
        }
    }
    if cx.error_count() == before {
        cx.push(whole);
    }
    items
}

/// The parts of a file that start with `-` in the first column, as ranges of
/// its line starts: the last one of each range is where the part ends. Nothing
/// if anything else than a comment stands in the first column.
pub(crate) fn parts(file: &SourceFile) -> Option<Vec<Range<usize>>> {
    let (text, lines) = (file.text(), file.line_starts());
    let mut starts = Vec::with_capacity(lines.len() / 4);
    // The last one is the end of the text.
    for (idx, &line) in lines[..lines.len() - 1].iter().enumerate() {
        match &text.as_bytes()[line..] {
            [b'-', b' ' | b'\n', ..] | [b'-'] => starts.push(idx),
            [b'#' | b'\n', ..] => {}
            // The parser says what is wrong with a tab.
            [b' ' | b'\t', ..] if !starts.is_empty() => {}
            [b' ', ..] if text[line..].trim_start_matches(' ').starts_with('\n') => {}
            _ => return None,
        }
    }
    let ends = starts.iter().skip(1).copied().chain([lines.len() - 1]);
    let parts: Vec<_> = starts.iter().zip(ends).map(|(start, end)| *start..end + 1).collect();
    (!parts.is_empty()).then_some(parts)
}

/// The one document of a text that starts at `offset` of its source; nothing
/// if there is none.
fn parse(text: &str, source: SourceId, offset: usize) -> Result<Option<YamlNode<'_>>, Broken> {
    let options = granit_parser::options! { emit_comments: false, emit_unresolved_aliases: true };
    let parser = Parser::new_from_str_with_options(text, options);
    let mut reader = Reader { parser, text, source, offset };
    let mut document = None;
    while let Some((event, span)) = reader.next()? {
        match event {
            Event::StreamStart | Event::StreamEnd | Event::DocumentEnd => {}
            Event::DocumentStart(..) if document.is_some() => {
                let mut error = reader.error(&span, "the file holds a second document");
                error.help("remove the line `---`");
                return Err(error);
            }
            Event::DocumentStart(..) => {}
            event => document = Some(reader.node(event, span)?),
        }
    }
    Ok(document.filter(|it| !it.is_null()))
}

/// Why a document cannot be read.
type Broken = Box<Diagnostic>;

struct Reader<'a> {
    parser: Parser<'a, granit_parser::StrInput<'a>>,
    text: &'a str,
    source: SourceId,
    offset: usize,
}

type Spot = granit_parser::Span;

impl<'a> Reader<'a> {
    fn next(&mut self) -> Result<Option<(Event<'a>, Spot)>, Broken> {
        match self.parser.next_event() {
            Some(Ok(event)) => Ok(Some(event)),
            Some(Err(error)) => Err(self.scan_error(&error)),
            None => Ok(None),
        }
    }

    /// The node that starts with this event.
    fn node(&mut self, event: Event<'a>, spot: Spot) -> Result<YamlNode<'a>, Broken> {
        let mut span = self.span(&spot);
        let value = match event {
            Event::Scalar(text, style, ..) => {
                let plain = style == ScalarStyle::Plain;
                // The parser has a sign for what is not there.
                let missing = plain && span.range.is_empty();
                // A block reaches to where the next key begins.
                let written =
                    &self.text[span.range.start - self.offset..span.range.end - self.offset];
                span.range.end = span.range.start + written.trim_end().len();
                let text = if missing { Cow::Borrowed("") } else { text };
                let written = written.trim_end();
                let folded = (!is_quoted(style) && is_fold(written, &text)).then_some(written);
                YamlValue::Scalar { text, plain, folded }
            }
            Event::SequenceStart(style, ..) => {
                let items = self.sequence(&mut span)?;
                let end = items.last().map(|it| it.span.range.end);
                extend(&mut span, style, end);
                YamlValue::Sequence(items)
            }
            Event::MappingStart(style, ..) => {
                let pairs = self.mapping(&mut span)?;
                let end = pairs.last().map(|(_, value)| value.span.range.end);
                extend(&mut span, style, end);
                YamlValue::Mapping(pairs)
            }
            Event::Alias(_) | Event::UnresolvedAlias(_) => {
                let mut error = Diagnostic::error(codes::ALIAS, span, "aliases are not supported");
                error.help("write the value out");
                return Err(Box::new(error));
            }
            _ => return Err(self.error(&spot, "unexpected end of the document")),
        };
        Ok(YamlNode { value, span })
    }

    fn sequence(&mut self, span: &mut Span) -> Result<Vec<YamlNode<'a>>, Broken> {
        let mut items = Vec::new();
        while let Some((event, spot)) = self.next()? {
            if event == Event::SequenceEnd {
                span.range.end = self.span(&spot).range.end;
                break;
            }
            items.push(self.node(event, spot)?);
        }
        Ok(items)
    }

    fn mapping(&mut self, span: &mut Span) -> Result<Vec<(YamlNode<'a>, YamlNode<'a>)>, Broken> {
        let mut pairs = Vec::new();
        while let Some((event, spot)) = self.next()? {
            if event == Event::MappingEnd {
                span.range.end = self.span(&spot).range.end;
                break;
            }
            let key = self.node(event, spot)?;
            let Some((event, spot)) = self.next()? else { break };
            let mut value = self.node(event, spot)?;
            if value.span.range.is_empty() {
                // What is missing stands at its key.
                value.span = key.span.end();
            }
            pairs.push((key, value));
        }
        Ok(pairs)
    }

    fn span(&self, spot: &Spot) -> Span {
        let range = spot.byte_range().unwrap_or(0..0);
        let start = range.start.min(self.text.len());
        let end = range.end.clamp(start, self.text.len());
        Span::new(self.source, self.offset + start..self.offset + end)
    }

    fn error(&self, spot: &Spot, message: &str) -> Broken {
        Box::new(Diagnostic::error(codes::YAML, self.span(spot), message))
    }

    fn scan_error(&self, error: &ScanError) -> Broken {
        let at = error.marker().byte_offset().unwrap_or(0).min(self.text.len());
        let len = self.text[at..].chars().next().filter(|it| *it != '\n').map_or(0, char::len_utf8);
        let span = Span::new(self.source, self.offset + at..self.offset + at + len);
        if let Some(tab) = self.tab().filter(|_| error.info().contains("tab")) {
            return tab;
        }
        let message = format!("broken YAML: {}", error.info());
        Box::new(Diagnostic::error(codes::YAML, span, message))
    }

    /// The first tab that a line begins with, or that stands among its first
    /// blanks.
    fn tab(&self) -> Option<Broken> {
        let mut start = 0;
        for line in self.text.split_inclusive('\n') {
            let content = line.trim_start_matches([' ', '\t']);
            let indent = &line[..line.len() - content.len()];
            if let (Some(at), false) = (indent.find('\t'), content.trim_end().is_empty()) {
                let at = self.offset + start + at;
                let span = Span::new(self.source, at..at + 1);
                let message = "a line starts with a tab";
                let mut error = Diagnostic::error(codes::YAML, span, message);
                error.help("write blanks: YAML tells by their number what belongs together");
                return Some(Box::new(error));
            }
            start += line.len();
        }
        None
    }
}

fn is_quoted(style: ScalarStyle) -> bool {
    matches!(style, ScalarStyle::SingleQuoted | ScalarStyle::DoubleQuoted)
}

/// Whether a text is what is written, but for its line breaks.
fn is_fold(written: &str, text: &str) -> bool {
    let mut rest = text.trim_end();
    let mut first = true;
    for line in written.lines().map(str::trim) {
        let joined = if first { Some(rest) } else { rest.strip_prefix(' ') };
        let Some(behind) = joined.and_then(|it| it.strip_prefix(line)) else { return false };
        (rest, first) = (behind, false);
    }
    rest.is_empty() && written.contains('\n')
}

/// A block ends where its last part does, not where the next one begins.
fn extend(span: &mut Span, style: StructureStyle, last: Option<usize>) {
    if style == StructureStyle::Block {
        span.range.end = last.unwrap_or(span.range.start).max(span.range.start);
    }
}

#[cfg(test)]
#[path = "../tests/shared/mod.rs"]
mod shared;

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(yaml: &str) -> (Vec<String>, Vec<Diagnostic>) {
        let mut sources = Sources::new();
        let id = sources.add("a.yaml", yaml);
        let mut cx = Diagnostics::new();
        let mut texts = Vec::new();
        for node in entries(&mut cx, &sources, id) {
            collect(&sources, &node, &mut texts);
        }
        (texts, cx.finish().unwrap_or_else(|errors| errors))
    }

    fn collect(sources: &Sources, node: &YamlNode<'_>, texts: &mut Vec<String>) {
        match &node.value {
            YamlValue::Scalar { .. } => texts.push(sources.text(&node.text_span()).to_owned()),
            YamlValue::Sequence(items) => items.iter().for_each(|it| collect(sources, it, texts)),
            YamlValue::Mapping(pairs) => {
                for (key, value) in pairs {
                    collect(sources, key, texts);
                    collect(sources, value, texts);
                }
            }
        }
    }

    #[test]
    fn places_are_exact() {
        let yaml = "# c\n- a: b c  # d\n  'e': \"\u{e9}\"\n  f: [g, 'h, i']\n- - j: k\n";
        let (texts, errors) = texts(yaml);
        assert_eq!(texts, ["a", "b c", "e", "\u{e9}", "f", "g", "h, i", "j", "k"]);
        assert_eq!(errors, []);
    }

    #[test]
    fn goes_on_behind_a_broken_entry() {
        let (texts, errors) = texts("- a: b\n- c: [d\n- e: f\n- g: 'h\n- i: j\n");
        assert_eq!(texts, ["a", "b", "e", "f", "i", "j"]);
        assert_eq!(errors.len(), 2, "{errors:#?}");
        assert!(
            errors.iter().all(|it| it.code == codes::YAML && it.message.len() > 15),
            "{errors:#?}"
        );
    }

    #[test]
    fn wants_a_list() {
        for yaml in [
            "",
            "# nothing\n",
            "a: 1\n",
            "text",
            "---\n",
            "- a\n---\n- b\n",
            "- *a\n",
            "- &a b\n- *a\n",
        ] {
            assert_eq!(texts(yaml).1.len(), 1, "{yaml:?}");
        }
    }

    /// Reading entry by entry gives what the YAML parser makes of the whole.
    #[track_caller]
    fn check_agreement(text: &str) {
        let mut sources = Sources::new();
        let id = sources.add("text", text);
        let Some(items) = one_by_one(sources.file(id), id) else { return };
        match parse(text, SourceId(0), 0) {
            Ok(Some(YamlNode { value: YamlValue::Sequence(expected), .. })) => {
                assert_eq!(items, expected)
            }
            other => panic!("{text:?} is {other:#?}, and not {items:#?}"),
        }
    }

    #[test]
    fn agrees_with_the_parser() {
        for text in [
            "- a: b\n",
            "- a: b # c\n  d: e#f  \n# g\n\n  h:\n    i, j: k  # l\n    m: n\n  o:\n- p:\n",
            "- a:\n  b:   # c\n- d: (e, f=[g]) -> h?\n",
            "- a: b\n    c\n- d:\n    e: f\n   g: h\n",
            "- a: b:\n- c : d\n- e: f: g\n- h:i\n-  j: k\n",
            "- a: [b, 'c',\"d\" ] # e\n  f: []\n  g: [h,]\n- i: [j k]\n  l: [m: n]\n- o: [p]#q\n",
            "- a: 'b'\n  c: [d]\n- e:\n  - f\n  g: |\n    h\n\n- \"i\": {j: k}\n",
        ] {
            check_agreement(text);
        }
    }

    #[test]
    fn agrees_with_the_parser_on_upstreams_files() {
        for name in ["native_functions.yaml", "derivatives.yaml", "deprecated.yaml", "tags.yaml"] {
            let Some(text) = shared::read(&format!("upstream/{name}")) else { return };
            check_agreement(&text);
        }
    }

    proptest::proptest! {
        #![proptest_config(proptest::prelude::ProptestConfig {
            cases: 4096,
            ..proptest::prelude::ProptestConfig::default()
        })]

        #[test]
        fn agrees_with_the_parser_on_anything(
            pieces in proptest::collection::vec(
                proptest::sample::select(vec![
                    "- ", "-", "\n", "\n  ", "\n    ", "\n   ", " ", "a", "b: c", "d:", ": ", ":", ",",
                    "# e", " # f", "#", "'", "\"", "[", "]", "{", "}", "|\n", ">-\n", "&g ", "*g",
                    "!h ", "? ", "~", "i, j: k", "(l)", "\t", "\r\n", "\u{e9}", "---\n", "...\n", "%m",
                    "[w, 'x']", ": [", "'y'", " ]", "- n: o\n", "- p: q\n  r: s\n", "\n  t:\n    u: v\n", "<<: ", "=",
                ]),
                0..24,
            )
        ) {
            check_agreement(&pieces.concat());
        }
    }
}
