//! Diagnostics as text, as rustc shows its own.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};

use crate::diag::{Diagnostic, Severity};
use crate::source::{SourceFile, Sources, floor};
use crate::span::{SourceId, Span};

/// Shows diagnostics without colour, one after the other.
pub fn render(sources: &Sources, items: &[Diagnostic]) -> String {
    render_with(&Renderer::plain(), sources, items)
}

/// The same in colour.
pub fn render_styled(sources: &Sources, items: &[Diagnostic]) -> String {
    render_with(&Renderer::styled(), sources, items)
}

fn render_with(renderer: &Renderer, sources: &Sources, items: &[Diagnostic]) -> String {
    let renderer = renderer.clone().decor_style(DecorStyle::Ascii);
    let mut text = String::new();
    for item in items {
        text.push_str(&renderer.render(&[group(sources, item)]));
        text.push_str("\n\n");
    }
    text
}

fn group<'a>(sources: &'a Sources, item: &'a Diagnostic) -> Group<'a> {
    let level = match item.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let mut group = Group::with_title(level.primary_title(&item.message).id(item.code));
    for snippet in snippets(sources, item) {
        group = group.element(snippet);
    }
    for note in &item.notes {
        group = group.element(Level::NOTE.message(note));
    }
    for help in &item.helps {
        group = group.element(Level::HELP.message(help));
    }
    group
}

type Highlight<'a> = (&'a Span, Option<&'a str>, AnnotationKind);

/// One snippet per file, that of the main place first.
fn snippets<'a>(
    sources: &'a Sources,
    item: &'a Diagnostic,
) -> Vec<Snippet<'a, annotate_snippets::Annotation<'a>>> {
    let main = item.span.as_ref().map(|it| (it, item.label.as_deref(), AnnotationKind::Primary));
    let others =
        item.secondary.iter().map(|(it, text)| (it, Some(text.as_str()), AnnotationKind::Context));
    let first = main.as_ref().map(|(span, ..)| span.source);
    // Sorted by file, but the file of the main place comes before all others.
    let mut by_file: BTreeMap<(bool, SourceId), Vec<Highlight<'a>>> = BTreeMap::new();
    for mark in main.into_iter().chain(others) {
        let source = mark.0.source;
        by_file.entry((Some(source) != first, source)).or_default().push(mark);
    }
    by_file.into_iter().map(|((_, id), marks)| snippet(sources.file(id), &marks)).collect()
}

/// The lines of one file that hold the marks.
fn snippet<'a>(
    file: &'a SourceFile,
    marks: &[Highlight<'a>],
) -> Snippet<'a, annotate_snippets::Annotation<'a>> {
    let start = marks.iter().map(|(span, ..)| span.range.start).min().unwrap_or(0);
    let end = marks.iter().map(|(span, ..)| span.range.end).max().unwrap_or(0);
    let window = window(file.text(), start, end);
    // A carriage return would be shown; a blank is as long.
    let source = match &file.text()[window.clone()] {
        text if text.contains('\r') => Cow::Owned(text.replace('\r', " ")),
        text => Cow::Borrowed(text),
    };
    let mut snippet = Snippet::source(source).path(file.name()).line_start(file.line(window.start));
    for (span, label, kind) in marks {
        let range = inside(file.text(), &window, &span.range);
        let mut annotation = kind.span(range);
        if let Some(label) = label {
            annotation = annotation.label(*label);
        }
        snippet = snippet.annotation(annotation);
    }
    snippet
}

/// Whole lines around two offsets.
fn window(text: &str, start: usize, end: usize) -> Range<usize> {
    let start = floor(text, start);
    let end = floor(text, end).max(start);
    let first = text[..start].rfind('\n').map_or(0, |at| at + 1);
    let last = text[end..].find('\n').map_or(text.len(), |at| end + at);
    first..last
}

/// A range relative to the window; an empty one at a blank keeps one column.
fn inside(text: &str, window: &Range<usize>, range: &Range<usize>) -> Range<usize> {
    let start = floor(text, range.start).clamp(window.start, window.end);
    let end = floor(text, range.end).clamp(start, window.end);
    start - window.start..end - window.start
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What stands above the caret in what is shown of a line.
    fn above_caret(line: &str, span: Range<usize>) -> String {
        let mut sources = Sources::new();
        let id = sources.add("a.yaml", line);
        let item = Diagnostic::error("E0000", Span::new(id, span.clone()), "here");
        let text = render(&sources, &[item]);
        let lines: Vec<&str> = text.lines().collect();
        let at = lines.iter().position(|it| it.contains('^')).expect("a caret");
        let start = lines[at].chars().take_while(|it| *it != '^').count();
        let len = lines[at].matches('^').count();
        lines[at - 1].chars().skip(start).take(len).collect()
    }

    #[test]
    fn carets_stand_below_what_is_wrong_however_long_the_line_is() {
        for before in (0..400).step_by(7) {
            for after in [0, 1, 60, 139, 140, 141, 500] {
                let line = format!("{}wrong{}", "x".repeat(before), ", y".repeat(after));
                assert_eq!(above_caret(&line, before..before + 5), "wrong", "{before} {after}");
            }
        }
    }
}
